/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_street.c: what stands on one side of a street.
 */
#include "lidar_street.h"

#include <math.h>

/* Returns the spot X, Y of a plot for a new thing that looks along X turned by quarters. */
static lidar_spot spot_at(lidar_plot *p, double along, double out, double base, int quarters)
{
    const double turned[4][2] = {{p->ux, p->uy}, {-p->uy, p->ux}, {-p->ux, -p->uy}, {p->uy, -p->ux}};
    return (lidar_spot){.x = p->x + along * p->ux - out * p->uy,
                        .y = p->y + along * p->uy + out * p->ux,
                        .ux = turned[quarters & 3][0],
                        .uy = turned[quarters & 3][1],
                        .base = base};
}

static lidar_spot thing_at(lidar_plot *p, double along, double out, double base, int quarters)
{
    lidar_spot spot = spot_at(p, along, out, base, quarters);
    spot.instance = ++*p->instances;
    return spot;
}

/* Turns a spot a little: no car is parked quite straight. */
static void turn_slightly(lidar_spot *spot, double by)
{
    const double x = spot->ux - by * spot->uy, y = spot->uy + by * spot->ux, length = sqrt(x * x + y * y);
    spot->ux = x / length, spot->uy = y / length;
}

/* --- ground ------------------------------------------------------------------------------------ */

static void lay_ground(lidar_plot *p, double from, double to, double high, int semantic)
{
    if (to <= from) return;
    const lidar_spot spot = spot_at(p, (p->from + p->to) / 2, (from + to) / 2, 0, 0);
    lidar_solid *slab =
        lidar_add_box(p->stage, &spot, 0, 0, (double[]){(p->to - p->from) / 2, (to - from) / 2}, -20, high);
    slab->semantic = (uint16_t)semantic;
    slab->skin = semantic == LIDAR_TERRAIN ? LIDAR_ROUGH : LIDAR_PAVED;
    slab->shine = semantic == LIDAR_TERRAIN ? 0.37 : 0.32;
}

/* --- things ------------------------------------------------------------------------------------ */

/* Houses in a row, gaps between them, and at the front hedges or fences. */
static void build_houses(lidar_plot *p, double front)
{
    const lidar_layout *l = p->layout;
    for (double x = p->first; x < p->last - 4 && l->houses > 0;) {
        double width = lidar_between(&p->dice, 8, 15);
        if (x + width > p->last - 4) width = p->last - x;
        const double back = lidar_between(&p->dice, 0, 0.25) * (2 + l->garden);
        const bool house = lidar_chance(&p->dice, l->houses), lot = lidar_chance(&p->dice, l->hedges);
        const double gap = lidar_chance(&p->dice, 0.3 * l->hedges) ? lidar_between(&p->dice, 1, 3) : 0;
        lidar_spot spot = spot_at(p, x + width / 2, front + back, p->kerb, 3);
        if (house) lidar_add_house(p->stage, &spot, width - gap, &p->dice);
        if (lot && l->garden > 0) {
            const lidar_spot edge = spot_at(p, x + width / 2, front - l->garden + 0.3, p->kerb, 0);
            if (lidar_chance(&p->dice, 0.5))
                lidar_add_hedge(p->stage, &edge, width - 2, &p->dice);
            else
                lidar_add_fence(p->stage, &edge, width - 1.2, &p->dice);
        }
        x += width;
    }
}

/* Trees, lamps and signs in slots of 8 m beside the road; parked cars in slots of 6 m. */
static void line_road(lidar_plot *p)
{
    const lidar_layout *l = p->layout;
    const double edge = l->lanes + l->park, high = l->walk > 0 ? p->kerb : 0.05;
    for (double x = p->from + 3; x < p->to - 2; x += 8) {
        const double lot = lidar_between(&p->dice, 0, 1), at = x + lidar_between(&p->dice, -1, 1);
        const double out = edge + (l->walk > 0 ? 0.6 : 1.8);
        if (lot < l->trees) {
            const lidar_spot spot = thing_at(p, at, out + 0.2, high, 0);
            lidar_add_tree(p->stage, &spot, &p->dice);
        } else if (lot < l->trees + l->lamps) {
            const lidar_spot spot = thing_at(p, at, out, high, 3);
            lidar_add_lamp(p->stage, &spot, &p->dice);
        } else if (lot < l->trees + l->lamps + l->signs) {
            const lidar_spot spot = thing_at(p, at, out, high, 0);
            lidar_add_sign(p->stage, &spot, &p->dice);
        }
    }
    for (double x = p->from + 4; x < p->to - 3.5 && l->park > 0; x += 6) {
        if (!lidar_chance(&p->dice, l->parked)) continue;
        const double at = x + lidar_between(&p->dice, -0.4, 0.4);
        const int quarters = lidar_chance(&p->dice, 0.8) ? 2 : 0;
        lidar_spot spot = thing_at(p, at, l->lanes + l->park / 2, 0, quarters);
        turn_slightly(&spot, lidar_between(&p->dice, -0.03, 0.03));
        lidar_add_car(p->stage, &spot, &p->dice);
    }
}

/* Returns where something that goes to and fro between 0 and `length` is, and its direction. */
static double to_and_fro(double way, double length, double *direction)
{
    const double turn = way / (2 * length), share = turn - floor(turn);
    *direction = share < 0.5 ? 1 : -1;
    return 2 * length * (share < 0.5 ? share : 1 - share);
}

/* Adds a person who stands or walks to and fro along X. Returns the place. */
static lidar_spot add_walker(lidar_plot *p, double out, double base)
{
    const double length = p->to - p->from - 1, start = lidar_between(&p->dice, 0, 2 * length);
    const double pace = lidar_chance(&p->dice, 0.25) ? 0 : lidar_between(&p->dice, 0.9, 1.6);
    double direction;
    const double x = p->from + 0.5 + to_and_fro(start + pace * p->stage->time, length, &direction);
    lidar_spot spot = thing_at(p, x, out, base, direction > 0 ? 0 : 2);
    spot.vx = pace * spot.ux, spot.vy = pace * spot.uy;
    lidar_add_person(p->stage, &spot, &p->dice);
    return spot;
}

/* Adds two people who walk or stand together: bodies of 0.6 m are 0.3 to 1 m apart, in any direction. */
static void add_pair(lidar_plot *p, double out, double base)
{
    lidar_spot spot = add_walker(p, out, base);
    const double apart = 0.6 + lidar_between(&p->dice, 0.3, 1);
    const double x = lidar_between(&p->dice, -1, 1), y = lidar_between(&p->dice, -1, 1);
    const double length = sqrt(x * x + y * y + 1e-12);
    spot.instance = ++*p->instances;
    spot.x += apart * x / length, spot.y += apart * y / length;
    lidar_add_person(p->stage, &spot, &p->dice);
}

/* Returns a number of things around a mean. */
static int number_of(lidar_plot *p, double mean)
{
    return (int)(mean * lidar_between(&p->dice, 0.6, 1.4) * (p->to - p->from) / LIDAR_SECTION + 0.5);
}

static void add_people(lidar_plot *p)
{
    const lidar_layout *l = p->layout;
    const double inner = l->lanes + l->park, walk = l->walk > 8 ? 8 : l->walk;
    for (int i = number_of(p, l->people); i > 0; i--)
        add_walker(p, inner + lidar_between(&p->dice, walk > 3 ? 1.2 : 1, walk - 0.4), p->kerb);
    const double nearest = l->traffic > 0 ? inner + 1 : 3.4;
    const double farthest = l->lanes + l->park + l->walk + (l->walk > 0 ? 0 : l->garden / 3);
    for (int i = number_of(p, l->crowd); i > 0; i--) {
        const double out = lidar_between(&p->dice, nearest, farthest);
        add_walker(p, out, out > inner ? p->kerb : 0);
    }
    for (int i = l->pairs > 0 ? number_of(p, l->pairs) : 0; i > 0; i--) /* other scenes draw no number */
        add_pair(p, lidar_between(&p->dice, inner + 3, inner + l->walk - 3), p->kerb);
}

/* Bushes, trees and standing cars anywhere between the road and the houses, trees also behind. */
static void scatter(lidar_plot *p)
{
    const lidar_layout *l = p->layout;
    const double inner = l->lanes + l->park + (l->walk > 8 ? 4 : l->walk) + 1.5;
    const double outer = l->lanes + l->park + l->walk + l->garden;
    for (int i = number_of(p, l->bushes); i > 0; i--) {
        const double x = lidar_between(&p->dice, p->from + 1, p->to - 1), y = lidar_between(&p->dice, inner, outer);
        const lidar_spot spot = thing_at(p, x, y > inner ? y : inner, p->kerb, 0);
        lidar_add_bush(p->stage, &spot, &p->dice);
    }
    for (int i = number_of(p, l->woods); i > 0; i--) {
        const double x = lidar_between(&p->dice, p->from + 2, p->to - 2);
        const double y = lidar_between(&p->dice, inner + 0.8, l->houses > 0.5 ? outer : l->depth);
        const lidar_spot spot = thing_at(p, x, y, p->kerb, 0);
        lidar_add_tree(p->stage, &spot, &p->dice);
    }
    for (int i = number_of(p, l->standing); i > 0; i--) {
        const double x = p->from + 4 + 2.8 * (double)i, y = outer - 7;
        lidar_spot spot = thing_at(p, x, y, p->kerb, lidar_chance(&p->dice, 0.5) ? 1 : 3);
        turn_slightly(&spot, lidar_between(&p->dice, -0.04, 0.04));
        lidar_add_car(p->stage, &spot, &p->dice);
    }
}

/* Cars parked side by side, 0.4 to 0.9 m apart, or one behind the other, 0.4 to 1.2 m apart. */
static void add_car_row(lidar_plot *p, double along, double out)
{
    const bool beside = lidar_chance(&p->dice, 0.5);
    const double pitch = beside ? 1.8 + lidar_between(&p->dice, 0.4, 0.9) : 4.3 + lidar_between(&p->dice, 0.4, 1.2);
    const int cars = (int)lidar_between(&p->dice, 2, beside ? 6 : 4);
    for (int i = 0; i < cars; i++) {
        lidar_spot spot = thing_at(p, along + pitch * (i - 0.5 * (cars - 1)), out, p->kerb, beside ? 1 : 0);
        turn_slightly(&spot, lidar_between(&p->dice, -0.03, 0.03));
        lidar_add_car(p->stage, &spot, &p->dice);
    }
}

/* A yard has slots of 24 x 6 m. */
static void fill_yard(lidar_plot *p)
{
    for (double out = p->layout->lanes + 4; out < p->layout->lanes + p->layout->walk; out += 6)
        for (double along = p->from + 12; along < p->to && p->layout->yard > 0; along += 24) {
            if (!lidar_chance(&p->dice, p->layout->yard)) continue;
            const double kind = lidar_between(&p->dice, 0, 1);
            if (kind < 0.35) {
                add_car_row(p, along, out);
                continue;
            }
            lidar_spot spot = thing_at(p, along, out, p->kerb, lidar_chance(&p->dice, 0.5) ? 2 : 0);
            turn_slightly(&spot, lidar_between(&p->dice, -0.13, 0.13));
            if (kind < 0.6)
                lidar_add_bus(p->stage, &spot, &p->dice);
            else if (kind < 0.85)
                lidar_add_lorry(p->stage, &spot, &p->dice);
            else
                lidar_add_digger(p->stage, &spot, &p->dice);
        }
}

/* A guard rail: a band on posts. */
static void add_rail(lidar_plot *p)
{
    const lidar_spot spot = spot_at(p, (p->from + p->to) / 2, p->layout->lanes + 1, 0, 0);
    lidar_solid *band = lidar_add_box(p->stage, &spot, 0, 0, (double[]){(p->to - p->from) / 2, 0.04}, 0.45, 0.76);
    band->semantic = LIDAR_FENCE, band->shine = 0.5;
    for (double x = p->from + 2; x < p->to; x += 4) {
        const lidar_spot foot = spot_at(p, x, p->layout->lanes + 1.1, 0, 0);
        lidar_solid *post = lidar_add_box(p->stage, &foot, 0, 0, (double[]){0.06, 0.03}, 0, 0.7);
        post->semantic = LIDAR_FENCE, post->shine = 0.4;
    }
}

/* The edge of a forest. */
static void add_forest(lidar_plot *p)
{
    if (!lidar_chance(&p->dice, p->layout->forest)) return;
    const double half[2] = {(p->to - p->from) / 2, 3}, out = p->layout->depth - lidar_between(&p->dice, 3, 12);
    const lidar_spot spot = spot_at(p, (p->from + p->to) / 2, out, p->kerb, 0);
    lidar_solid *leaves = lidar_add_box(p->stage, &spot, 0, 0, half, 0, lidar_between(&p->dice, 4, 10));
    leaves->semantic = LIDAR_VEGETATION, leaves->shine = 0.36, leaves->filled = 0.2;
}

void lidar_furnish(lidar_plot *p)
{
    const lidar_layout *l = p->layout;
    const double edge = l->lanes + l->park, front = edge + l->walk + l->garden;
    lay_ground(p, edge, edge + l->walk, p->kerb, LIDAR_SIDEWALK);
    lay_ground(p, edge + l->walk, l->depth, l->walk > 0 ? p->kerb + 0.02 : 0.03, LIDAR_TERRAIN);
    build_houses(p, front);
    line_road(p);
    add_people(p);
    scatter(p);
    fill_yard(p);
    add_forest(p);
    if (l->rail) add_rail(p);
}
