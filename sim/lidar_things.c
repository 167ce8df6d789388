/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_things.c: cars, people, trees, houses ... made of solids. Sizes are in m. The dice vary them, so no two things
 * of a world are alike.
 */
#include "lidar_stage.h"

#include <math.h>
#include <stdlib.h>

/* --- solids ------------------------------------------------------------------------------------ */

static lidar_solid *add_solid(lidar_stage *stage, const lidar_solid *solid)
{
    const double dx = solid->x - stage->x, dy = solid->y - stage->y;
    const double radius = sqrt(solid->hx * solid->hx + solid->hy * solid->hy), most = stage->far + radius;
    lidar_solid *place = &stage->spare;
    if (dx * dx + dy * dy < most * most && !stage->failed) {
        if (stage->count == stage->room) {
            const size_t room = stage->room ? 2 * stage->room : 1024;
            lidar_solid *more = realloc(stage->solids, room * sizeof *more);
            stage->failed = !more;
            if (more) stage->solids = more, stage->room = room;
        }
        if (!stage->failed) place = &stage->solids[stage->count++];
    }
    *place = *solid;
    return place;
}

static lidar_solid solid_at(const lidar_spot *spot, double ahead, double left, double low, double high)
{
    return (lidar_solid){.instance = spot->instance,
                         .x = spot->x + ahead * spot->ux - left * spot->uy,
                         .y = spot->y + ahead * spot->uy + left * spot->ux,
                         .vx = spot->vx,
                         .vy = spot->vy,
                         .ux = spot->ux,
                         .uy = spot->uy,
                         .low = spot->base + low,
                         .high = spot->base + high,
                         .shine = 0.3,
                         .filled = 1};
}

lidar_solid *lidar_add_box(lidar_stage *stage, const lidar_spot *spot, double ahead, double left, const double half[2],
                           double low, double high)
{
    lidar_solid solid = solid_at(spot, ahead, left, low, high);
    solid.hx = half[0], solid.hy = half[1];
    return add_solid(stage, &solid);
}

lidar_solid *lidar_add_round(lidar_stage *stage, const lidar_spot *spot, lidar_shape shape, double ahead, double left,
                             double radius, double low, double high)
{
    lidar_solid solid = solid_at(spot, ahead, left, low, high);
    solid.shape = shape;
    solid.hx = solid.hy = radius;
    return add_solid(stage, &solid);
}

void lidar_add_slant(lidar_solid *box, double base, const double from[2], const double to[2])
{
    double x = to[1] - from[1], z = from[0] - to[0];
    const double length = (z < 0 ? -1 : 1) * sqrt(x * x + z * z);
    x /= length, z /= length;
    box->slant[box->slants++] = (lidar_slant){.x = x, .z = z, .limit = x * from[0] + z * (base + from[1])};
}

static lidar_solid *paint(lidar_solid *solid, int semantic, double shine)
{
    solid->semantic = (uint16_t)semantic;
    solid->shine = shine;
    return solid;
}

/* --- vehicles ---------------------------------------------------------------------------------- */

/* A body with a sloping bonnet, a cabin with sloping windows, four wheels. Three kinds: saloon, hatchback, van. */
void lidar_add_car(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const double kind = lidar_between(dice, 0, 1), length = lidar_between(dice, 3.9, 4.7), h = length / 2;
    const double width = lidar_between(dice, 0.86, 0.93), waist = lidar_between(dice, 0.85, 0.98);
    const double roof = kind < 0.8 ? lidar_between(dice, 1.42, 1.6) : lidar_between(dice, 1.75, 2.0);
    const double shine = lidar_chance(dice, 0.4) ? lidar_between(dice, 0.03, 0.1) : lidar_between(dice, 0.2, 0.6);
    lidar_solid *body = lidar_add_box(stage, spot, 0, 0, (double[]){h, width}, 0.24, waist);
    paint(body, LIDAR_CAR, shine);
    lidar_add_slant(body, spot->base, (double[]){h, waist - 0.25}, (double[]){h - 1.3, waist});
    lidar_add_slant(body, spot->base, (double[]){-h, waist - 0.1}, (double[]){-h + 0.6, waist});

    const double rear = kind < 0.4 ? -h + 0.7 : -h + 0.1, front = h - 1.1; /* of the cabin, at the waist */
    const double middle = (rear + front) / 2, half = (front - rear) / 2;
    lidar_solid *cabin = lidar_add_box(stage, spot, middle, 0, (double[]){half, width - 0.1}, waist, roof);
    paint(cabin, LIDAR_CAR, 0.15)->skin = LIDAR_GLASS;
    lidar_add_slant(cabin, spot->base, (double[]){half, waist}, (double[]){half - 0.75, roof});
    const double lean = kind < 0.4 ? 0.6 : kind < 0.8 ? 0.35 : 0.1;
    lidar_add_slant(cabin, spot->base, (double[]){-half, waist}, (double[]){-half + lean, roof});

    for (int wheel = 0; wheel < 4; wheel++) {
        const double ahead = wheel & 1 ? h - 0.85 : -h + 0.8, left = wheel & 2 ? width - 0.12 : 0.12 - width;
        paint(lidar_add_box(stage, spot, ahead, left, (double[]){0.3, 0.11}, 0, 0.6), LIDAR_CAR, 0.08);
    }
}

/* A cab and a long box on wheels. */
void lidar_add_truck(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const double half = lidar_between(dice, 2.8, 4), high = lidar_between(dice, 3, 3.6);
    const double shine = lidar_between(dice, 0.3, 0.7);
    paint(lidar_add_box(stage, spot, -1, 0, (double[]){half, 1.25}, 0.9, high), LIDAR_TRUCK, shine);
    paint(lidar_add_box(stage, spot, half + 0.1, 0, (double[]){0.9, 1.2}, 0.5, high - 0.7), LIDAR_TRUCK, shine);
    for (int wheel = 0; wheel < 4; wheel++) {
        const double ahead = wheel & 1 ? half : -half + 0.5, left = wheel & 2 ? 1.05 : -1.05;
        paint(lidar_add_box(stage, spot, ahead, left, (double[]){0.45, 0.15}, 0, 0.95), LIDAR_TRUCK, 0.08);
    }
}

static void add_axle(lidar_stage *stage, const lidar_spot *spot, double ahead, int semantic)
{
    for (int side = -1; side <= 1; side += 2)
        paint(lidar_add_box(stage, spot, ahead, side * 1.05, (double[]){0.48, 0.16}, 0, 0.96), semantic, 0.08);
}

/* A body with a band of windows, `half` of its length around a place ahead of the spot. */
static void add_coach(lidar_stage *stage, const lidar_spot *spot, double ahead, double half, double shine)
{
    paint(lidar_add_box(stage, spot, ahead, 0, (double[]){half, 1.27}, 0.35, 1.1), LIDAR_BUS, shine);
    paint(lidar_add_box(stage, spot, ahead, 0, (double[]){half, 1.25}, 1.1, 2.4), LIDAR_BUS, 0.15)->skin = LIDAR_GLASS;
    paint(lidar_add_box(stage, spot, ahead, 0, (double[]){half, 1.27}, 2.4, 3.1), LIDAR_BUS, shine);
}

/* A bus of 12 m, or of two coaches with dark bellows between them. */
void lidar_add_bus(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const bool joint = lidar_chance(dice, 0.4);
    const double half = joint ? lidar_between(dice, 8.5, 9) : lidar_between(dice, 5.7, 6.2);
    const double shine = lidar_between(dice, 0.15, 0.6), front = half - 2.7, rear = 3.3 - half;
    if (joint) {
        add_coach(stage, spot, half - 5, 5, shine);
        paint(lidar_add_box(stage, spot, half - 10.7, 0, (double[]){0.7, 1.15}, 0.5, 2.9), LIDAR_BUS, 0.04);
        add_coach(stage, spot, (half - 11.4 - half) / 2, (half - 11.4 + half) / 2, shine);
        add_axle(stage, spot, half - 8.5, LIDAR_BUS);
    } else {
        add_coach(stage, spot, 0, half, shine);
    }
    add_axle(stage, spot, front, LIDAR_BUS);
    add_axle(stage, spot, rear, LIDAR_BUS);
}

/* A tractor with a semi-trailer, or a lorry with a trailer on a bar. */
void lidar_add_lorry(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const bool semi = lidar_chance(dice, 0.6);
    const double shine = lidar_between(dice, 0.15, 0.7),
                 gap = semi ? lidar_between(dice, 0.5, 0.9) : lidar_between(dice, 0.9, 1.3);
    const double half = semi ? 8.2 : 9.2, high = lidar_between(dice, 3.6, 4);
    paint(lidar_add_box(stage, spot, half - 1.1, 0, (double[]){1.1, 1.23}, 0.45, high - 0.3), LIDAR_TRUCK, shine);
    add_axle(stage, spot, half - 1.4, LIDAR_TRUCK);
    const double cab = half - 2.2, rear = semi ? cab - gap : cab - 0.1 - 6; /* the rear of the cab, of what follows */
    paint(lidar_add_box(stage, spot, cab - 1.9, 0, (double[]){1.9, 0.5}, 0.6, 1), LIDAR_TRUCK, 0.2);
    add_axle(stage, spot, semi ? cab - 2.4 : cab - 5, LIDAR_TRUCK);
    if (!semi) {
        const double body = (cab - 0.1 + rear) / 2;
        paint(lidar_add_box(stage, spot, body, 0, (double[]){3, 1.26}, 1, high), LIDAR_TRUCK, shine);
        paint(lidar_add_box(stage, spot, rear - gap / 2, 0, (double[]){gap / 2, 0.08}, 0.55, 0.7), LIDAR_TRUCK, 0.2);
    }
    const double front = semi ? rear : rear - gap, middle = (front - half) / 2;
    paint(lidar_add_box(stage, spot, middle, 0, (double[]){front - middle, 1.26}, 1.1, high), LIDAR_TRUCK, shine);
    for (int axle = 0; axle < 3; axle++)
        if (semi || axle != 1) add_axle(stage, spot, 1.8 - half + (semi ? 1.3 : 2) * axle, LIDAR_TRUCK);
}

/* An excavator: tracks, a carriage with a cabin, a boom, a stick and a bucket. */
void lidar_add_digger(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const double shine = lidar_between(dice, 0.3, 0.6), reach = lidar_between(dice, 4, 5.5);
    for (int side = -1; side <= 1; side += 2)
        paint(lidar_add_box(stage, spot, 0, side * 1.05, (double[]){1.9, 0.25}, 0, 0.8), LIDAR_OTHER_VEHICLE, 0.1);
    paint(lidar_add_box(stage, spot, 0, 0, (double[]){0.5, 0.5}, 0.6, 1.1), LIDAR_OTHER_VEHICLE, 0.1);
    paint(lidar_add_box(stage, spot, -0.6, 0, (double[]){1.7, 1.2}, 1.1, 2.1), LIDAR_OTHER_VEHICLE, shine);
    paint(lidar_add_box(stage, spot, 0.3, 0.6, (double[]){0.8, 0.5}, 1.2, 2.9), LIDAR_OTHER_VEHICLE, 0.2)->skin =
        LIDAR_GLASS;
    lidar_solid *boom = lidar_add_box(stage, spot, reach / 2 + 0.5, -0.2, (double[]){reach / 2, 0.2}, 1.6, 3.6);
    lidar_add_slant(paint(boom, LIDAR_OTHER_VEHICLE, shine), spot->base, (double[]){-reach / 2, 2.2},
                    (double[]){reach / 2, 3.6});
    paint(lidar_add_box(stage, spot, reach + 0.6, -0.2, (double[]){0.2, 0.15}, 0.7, 3.5), LIDAR_OTHER_VEHICLE, shine);
    paint(lidar_add_box(stage, spot, reach + 0.3, -0.2, (double[]){0.5, 0.55}, 0, 0.8), LIDAR_OTHER_VEHICLE, 0.2);
}

/* --- people ------------------------------------------------------------------------------------ */

/* Two legs in a step, a trunk, two arms, a head. */
void lidar_add_person(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const double tall = lidar_between(dice, 1.5, 1.9), step = lidar_between(dice, -0.22, 0.22);
    const double shine = lidar_between(dice, 0.1, 0.5), stout = lidar_between(dice, 0.18, 0.25);
    const double hip = 0.48 * tall, neck = 0.84 * tall;
    for (int side = -1; side <= 1; side += 2) {
        lidar_solid *leg = lidar_add_round(stage, spot, LIDAR_ROUND, side * step / 2, side * 0.1, 0.085, 0, hip);
        paint(leg, LIDAR_PERSON, 0.6 * shine);
        leg = lidar_add_round(stage, spot, LIDAR_ROUND, -side * step / 2, side * (stout + 0.05), 0.05, 0.9 * hip, neck);
        paint(leg, LIDAR_PERSON, shine);
    }
    paint(lidar_add_round(stage, spot, LIDAR_ROUNDED, 0, 0, stout, 0.9 * hip, 1.04 * neck), LIDAR_PERSON, shine);
    paint(lidar_add_round(stage, spot, LIDAR_ROUNDED, 0, 0, 0.1, neck, tall), LIDAR_PERSON, 0.35);
}

/* --- plants ------------------------------------------------------------------------------------ */

/* A trunk and a crown of several balls of leaves. */
void lidar_add_tree(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const double size = lidar_between(dice, 0.75, 1.35), clear = lidar_between(dice, 1.6, 2.6);
    const double thick = 0.13 * size + lidar_between(dice, 0, 0.08);
    paint(lidar_add_round(stage, spot, LIDAR_ROUND, 0, 0, thick, 0, clear + size), LIDAR_TRUNK, 0.3);
    const double filled = lidar_between(dice, 0.08, 0.2);
    for (int ball = 0; ball < 4; ball++) {
        const double ahead = ball ? lidar_between(dice, -1.1, 1.1) * size : 0;
        const double left = ball ? lidar_between(dice, -1.1, 1.1) * size : 0;
        const double radius = lidar_between(dice, 1.1, 1.7) * size, low = clear + lidar_between(dice, 0, 1.6) * size;
        lidar_solid *leaves = lidar_add_round(stage, spot, LIDAR_ROUNDED, ahead, left, radius, low, low + 1.8 * radius);
        paint(leaves, LIDAR_VEGETATION, 0.36)->filled = filled;
    }
}

void lidar_add_bush(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    for (int ball = 0; ball < 2; ball++) {
        const double radius = lidar_between(dice, 0.4, 0.9), left = ball * lidar_between(dice, -0.5, 0.5);
        const double high = radius * lidar_between(dice, 1.1, 1.9);
        lidar_solid *leaves = lidar_add_round(stage, spot, LIDAR_ROUNDED, 0, left, radius, -0.3, high);
        paint(leaves, LIDAR_VEGETATION, 0.36)->filled = 0.35;
    }
}

void lidar_add_hedge(lidar_stage *stage, const lidar_spot *spot, double length, lidar_dice *dice)
{
    const double half[2] = {length / 2, lidar_between(dice, 0.25, 0.45)}, high = lidar_between(dice, 0.8, 2);
    paint(lidar_add_box(stage, spot, 0, 0, half, 0, high), LIDAR_VEGETATION, 0.36)->filled = 0.4;
}

/* --- what people build ------------------------------------------------------------------------- */

void lidar_add_fence(lidar_stage *stage, const lidar_spot *spot, double length, lidar_dice *dice)
{
    const double high = lidar_between(dice, 0.9, 1.6);
    const bool wall = lidar_chance(dice, 0.4);
    lidar_solid *fence = lidar_add_box(stage, spot, 0, 0, (double[]){length / 2, wall ? 0.12 : 0.05}, 0, high);
    paint(fence, LIDAR_FENCE, 0.35)->filled = wall ? 1 : 0.45;
}

void lidar_add_lamp(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const double high = lidar_between(dice, 5, 8);
    paint(lidar_add_round(stage, spot, LIDAR_ROUND, 0, 0, 0.09, 0, high), LIDAR_POLE, 0.4);
    paint(lidar_add_box(stage, spot, 0.6, 0, (double[]){0.7, 0.1}, high - 0.15, high), LIDAR_POLE, 0.4);
}

/* A thin pole with a plate that looks along the direction of the spot. */
void lidar_add_sign(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice)
{
    const double low = lidar_between(dice, 1.9, 2.3), half = lidar_between(dice, 0.25, 0.4);
    paint(lidar_add_round(stage, spot, LIDAR_ROUND, 0, 0, 0.04, 0, low + 2 * half), LIDAR_POLE, 0.4);
    paint(lidar_add_box(stage, spot, 0.06, 0, (double[]){0.02, half}, low, low + 2 * half), LIDAR_SIGN, 1);
}

/* Walls with windows, a roof, and on some fronts a bay. */
void lidar_add_house(lidar_stage *stage, const lidar_spot *spot, double width, lidar_dice *dice)
{
    const double deep = lidar_between(dice, 4, 5.5), eaves = lidar_between(dice, 4, 9), ridge = eaves + 2.5;
    const double shine = lidar_between(dice, 0.3, 0.55);
    lidar_solid *walls = lidar_add_box(stage, spot, -deep, 0, (double[]){deep, width / 2}, -1, eaves);
    paint(walls, LIDAR_BUILDING, shine)->skin = LIDAR_FACADE;
    lidar_solid *roof = lidar_add_box(stage, spot, -deep, 0, (double[]){deep + 0.4, width / 2}, eaves, ridge);
    paint(roof, LIDAR_BUILDING, 0.25);
    lidar_add_slant(roof, spot->base, (double[]){deep + 0.4, eaves}, (double[]){0, ridge});
    lidar_add_slant(roof, spot->base, (double[]){-deep - 0.4, eaves}, (double[]){0, ridge});
    if (lidar_chance(dice, 0.5)) {
        const double left = lidar_between(dice, -0.3, 0.3) * width, out = lidar_between(dice, 0.4, 1.2);
        const double half[2] = {out / 2, lidar_between(dice, 1, 2)}, low = lidar_chance(dice, 0.5) ? -1 : 2.6;
        paint(lidar_add_box(stage, spot, out / 2, left, half, low, lidar_between(dice, 2.9, 4)), LIDAR_BUILDING, shine);
    }
}
