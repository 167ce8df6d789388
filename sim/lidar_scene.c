/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_scene.c: the kinds of scenes. The world is made of sections of 48 m along the road, which is the x axis. The
 * things of a section depend on the seed and the number of the section alone, so the world has no end and every frame
 * makes only the sections in sight.
 *
 * A section has two plots, left and right of the road. The right one is turned by 180 degrees. A side street has two
 * more, turned by 90 and 270 degrees.
 */
#include "lidar_stage.h"

#include "lidar_street.h"

#include <math.h>

static const double side_street = 4;    /* half the width of a side street */
static const double least_kerb = 0.002; /* so that rays find the pavement above the road */

enum {
    SECTION_THINGS = 384, /* instances per section: numbers are given again after 128 sections, 6 km */
    SECTION_NUMBERS = 128,
    LANE_INSTANCES = SECTION_THINGS * SECTION_NUMBERS + 1, /* the first number of moving cars */
    LANE_NUMBERS = 2048,                                   /* per lane */
    SECTION_JUNCTION = 3                                   /* every third section of a scene with junctions has one */
};

static const lidar_layout layouts[] = {
    [CLUMP_SCENE_STREET] = {4, 2.2, 3, 6, 38, .houses = 0.75, .parked = 0.25, .trees = 0.3, .lamps = 0.15,
                            .signs = 0.08, .hedges = 0.7, .people = 2, .bushes = 5, .woods = 8, .forest = 0.9,
                            .traffic = 0.25, .pace = 9, .lane_pairs = 1},
    [CLUMP_SCENE_T_JUNCTION] = {3.5, 2.2, 3.4, 3, 30, .houses = 0.85, .parked = 0.3, .trees = 0.3, .lamps = 0.2,
                                .signs = 0.15, .hedges = 0.5, .people = 3, .bushes = 3, .woods = 3, .forest = 0.5,
                                .traffic = 0.25, .pace = 9, .lane_pairs = 1, .junction_sides = 1},
    [CLUMP_SCENE_ROAD] = {7.2, 0, 0, 12, 65, .houses = 0.06, .signs = 0.12, .lamps = 0.12, .bushes = 8, .woods = 6,
                          .forest = 0.75, .traffic = 0.45, .pace = 22, .lane_pairs = 2, .rail = true},
    [CLUMP_SCENE_SQUARE] = {3.5, 0, 28, 0.5, 45, .houses = 1, .lamps = 0.15, .trees = 0.15, .people = 4, .crowd = 14,
                            .bushes = 2, .woods = 4, .standing = 5, .traffic = 0.2, .pace = 7, .lane_pairs = 1},
    [CLUMP_SCENE_TREES] = {2.6, 0, 0, 30, 60, .crowd = 2, .bushes = 12, .woods = 26, .forest = 1},
    [CLUMP_SCENE_PEOPLE] = {6, 0, 3.5, 0.2, 20, .houses = 1, .lamps = 0.2, .trees = 0.15, .people = 16, .crowd = 18},
    [CLUMP_SCENE_CROSSROAD] = {3.5, 2.2, 3.4, 1.5, 24, .houses = 0.95, .parked = 0.3, .trees = 0.25, .lamps = 0.2,
                               .signs = 0.15, .hedges = 0.3, .people = 4, .bushes = 1, .woods = 1, .traffic = 0.3,
                               .pace = 9, .lane_pairs = 1, .junction_sides = 2},
    [CLUMP_SCENE_PAIRS] = {3.5, 0, 28, 0.5, 45, .houses = 1, .lamps = 0.15, .pairs = 16},
    [CLUMP_SCENE_YARD] = {3.5, 0, 28, 0.5, 45, .houses = 1, .lamps = 0.05, .yard = 0.6},
};

double lidar_lanes_end(clump_lidar_scene scene)
{
    return layouts[scene].traffic > 0 ? layouts[scene].lanes : 0;
}

/* --- sections ---------------------------------------------------------------------------------- */

/* A side street that leaves the road at x = `middle`, from the edge of the road outwards: two sides. */
static void add_side_street(lidar_plot p, double middle, int direction, uint64_t key)
{
    const lidar_layout *main_street = p.layout;
    lidar_layout l = *main_street;
    const double begin = l.lanes + l.park;
    l.lanes = side_street, l.park = 2, l.garden = 0.5, l.depth = 14, l.forest = 0;
    p.layout = &l;
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1 : 1; /* X points away from the main street, then towards it */
        p.x = middle, p.y = 0, p.ux = 0, p.uy = sign * direction;
        p.from = side ? -90 : begin + main_street->walk, p.to = side ? -begin - main_street->walk : 90;
        p.first = p.from, p.last = p.to;
        p.dice = (lidar_dice){.key = exact_mix(key + 11 + (uint64_t)side)};
        lidar_furnish(&p);
    }
}

static void add_section(const clump_lidar *lidar, lidar_stage *stage, int64_t section)
{
    const lidar_layout *l = &layouts[lidar->scene];
    const uint64_t key = exact_mix(lidar->seed + 0x9e3779b97f4a7c15u * (uint64_t)(section + 1000003));
    const uint64_t number = (uint64_t)(section + ((int64_t)1 << 40)) % SECTION_NUMBERS;
    uint16_t instances = (uint16_t)(number * SECTION_THINGS);
    const double middle = (double)section * LIDAR_SECTION, half = LIDAR_SECTION / 2;
    const bool junction = l->junction_sides > 0 && section % SECTION_JUNCTION == 0;
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1 : 1;
        lidar_plot p = {.stage = stage,
                        .layout = l,
                        .x = middle,
                        .ux = sign,
                        .kerb = lidar->kerb > least_kerb ? lidar->kerb : least_kerb,
                        .instances = &instances};
        const bool open = junction && side < l->junction_sides;
        for (int part = 0; part < (open ? 2 : 1); part++) {
            p.dice = (lidar_dice){.key = exact_mix(key + 1 + 2 * (uint64_t)side + (uint64_t)part)};
            p.from = open && part == 1 ? side_street + 2 : -half;
            p.to = open && part == 0 ? -side_street - 2 : half;
            p.first = p.from + (open && part == 1 ? l->walk : 0);
            p.last = p.to - (open && part == 0 ? l->walk : 0);
            lidar_furnish(&p);
        }
        if (open) add_side_street(p, middle, side ? -1 : 1, key + 100 * (uint64_t)side);
    }
}

/* --- traffic ----------------------------------------------------------------------------------- */

/* A lane of cars that all drive at one speed, without end. Cars of the sensor's own lane keep their distance to it. */
static void add_lane(const clump_lidar *lidar, lidar_stage *stage, int lane, double y, double speed, bool own)
{
    const lidar_layout *l = &layouts[lidar->scene];
    const double gap = l->pace > 15 ? 34 : 24, moved = speed * stage->time;
    const double origin = own ? stage->x - moved : 0;
    const int64_t first = (int64_t)floor((stage->x - moved - origin - stage->far) / gap);
    const int64_t last = (int64_t)floor((stage->x - moved - origin + stage->far) / gap) + 1;
    for (int64_t i = first; i <= last; i++) {
        const uint64_t car = (uint64_t)(i + ((int64_t)1 << 40));
        lidar_dice dice = {.key = exact_mix(lidar->seed + 77 * (uint64_t)(lane + 1)) + car};
        const bool there = lidar_chance(&dice, l->traffic), truck = lidar_chance(&dice, 0.06);
        const double x = origin + gap * (double)i + lidar_between(&dice, -6, 6) + moved;
        if (!there || (own && i == 0)) continue;
        const lidar_spot spot = {.x = x,
                                 .y = y + lidar_between(&dice, -0.2, 0.2),
                                 .ux = y < 0 ? 1 : -1,
                                 .vx = speed,
                                 .instance =
                                     (uint16_t)(LANE_INSTANCES + LANE_NUMBERS * lane + (int)(car % LANE_NUMBERS))};
        if (truck)
            lidar_add_truck(stage, &spot, &dice);
        else
            lidar_add_car(stage, &spot, &dice);
    }
}

void lidar_set_stage(const clump_lidar *lidar, lidar_stage *stage)
{
    const lidar_layout *l = &layouts[lidar->scene];
    const int64_t first = (int64_t)floor((stage->x - stage->far) / LIDAR_SECTION);
    const int64_t last = (int64_t)floor((stage->x + stage->far) / LIDAR_SECTION) + 1;
    for (int64_t section = first; section <= last; section++) add_section(lidar, stage, section);
    for (int pair = 0; pair < l->lane_pairs; pair++) {
        const double y = 1.75 + 3.5 * pair;
        add_lane(lidar, stage, 2 * pair, -y, pair ? 0.85 * l->pace : lidar->speed, pair == 0);
        add_lane(lidar, stage, 2 * pair + 1, y, -(pair ? 0.85 : 1) * l->pace, false);
    }
}
