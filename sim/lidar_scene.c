/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_scene.c: which things stand where. The world is made of sections of 48 m along the road, which is the x axis.
 * Things of a section depend on the seed and the number of the section alone, so the world has no end and every frame
 * makes only the sections in sight.
 *
 * One side of a street is furnished from the road outwards. `plot` is its frame: X along the road, Y outwards.
 *
 *     Y  depth   ============================= end of the world
 *        front   [ house ]  garden  [ house  ]
 *        garden  --- hedge ---   --- fence ---
 *        walk    people   tree   lamp   people      pavement, as high as the kerb
 *        park    [car]  [car]         [car]
 *        lanes   ----------------------------  X    the sensor drives here
 *
 * The other side is the same plot turned by 180 degrees. A side street is two plots turned by 90 and 270 degrees.
 */
#include "lidar_scene.h"

#include <math.h>

static const double section_length = 48;
static const double side_street = 4; /* half the width of a side street */

enum {
    SECTION_THINGS = 384, /* instances per section: numbers are given again after 128 sections, 6 km */
    SECTION_NUMBERS = 128,
    LANE_INSTANCES = SECTION_THINGS * SECTION_NUMBERS + 1, /* the first number of moving cars */
    LANE_NUMBERS = 2048,                                   /* per lane */
    SECTION_JUNCTION = 3                                   /* every third section of a scene with junctions has one */
};

/* A kind of scene. Widths in m, from the middle of the road outwards. Shares are chances per slot. */
typedef struct layout {
    double lanes, park, walk, garden, depth;
    double houses, parked, trees, lamps, signs, hedges;
    double people;                         /* per section and side, on the pavement */
    double crowd, bushes, woods, standing; /* per section and side: people, bushes, trees, cars anywhere */
    double forest;                         /* chance of the edge of a forest at the end of the plot */
    double traffic, pace;                  /* share of moving cars; their speed, m/s */
    int lane_pairs, junction_sides;
    bool rail;
} layout;

static const layout layouts[] = {
    [CLUMP_SCENE_STREET] = {3.5, 2.2, 2.8, 5, 38, .houses = 0.75, .parked = 0.3, .trees = 0.3, .lamps = 0.15,
                            .signs = 0.08, .hedges = 0.7, .people = 2, .bushes = 5, .woods = 5, .forest = 0.8,
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
};

double lidar_lanes_end(clump_lidar_scene scene)
{
    return layouts[scene].lanes;
}

/* One side of a street between two places along it. */
typedef struct plot {
    lidar_stage *stage;
    const layout *layout;
    lidar_dice dice;
    double x, y, ux, uy; /* origin and direction of X, world; Y is 90 degrees to the left */
    double from, to;     /* along X */
    double first, last;  /* along X: where houses may stand */
    double kerb;
    uint16_t *instances; /* the last instance number of the section */
} plot;

/* Returns the spot X, Y of a plot for a new thing that looks along X turned by quarters. */
static lidar_spot spot_at(plot *p, double along, double out, double base, int quarters)
{
    const double turned[4][2] = {{p->ux, p->uy}, {-p->uy, p->ux}, {-p->ux, -p->uy}, {p->uy, -p->ux}};
    return (lidar_spot){.x = p->x + along * p->ux - out * p->uy,
                        .y = p->y + along * p->uy + out * p->ux,
                        .ux = turned[quarters & 3][0],
                        .uy = turned[quarters & 3][1],
                        .base = base};
}

static lidar_spot thing_at(plot *p, double along, double out, double base, int quarters)
{
    lidar_spot spot = spot_at(p, along, out, base, quarters);
    spot.instance = ++*p->instances;
    return spot;
}

/* Turns a spot a little: nobody parks straight. */
static void turn_slightly(lidar_spot *spot, double by)
{
    const double x = spot->ux - by * spot->uy, y = spot->uy + by * spot->ux, length = sqrt(x * x + y * y);
    spot->ux = x / length, spot->uy = y / length;
}

/* --- ground ------------------------------------------------------------------------------------ */

static void lay_ground(plot *p, double from, double to, double high, int semantic)
{
    if (to <= from) return;
    const lidar_spot spot = spot_at(p, (p->from + p->to) / 2, (from + to) / 2, 0, 0);
    lidar_solid *slab =
        lidar_add_box(p->stage, &spot, 0, 0, (double[]){(p->to - p->from) / 2, (to - from) / 2}, -20, high);
    slab->semantic = (uint16_t)semantic;
    slab->skin = semantic == LIDAR_TERRAIN ? LIDAR_ROUGH : LIDAR_PLAIN;
    slab->shine = semantic == LIDAR_TERRAIN ? 0.37 : 0.32;
}

/* --- things ------------------------------------------------------------------------------------ */

/* Houses in a row, gaps between them, and at the front hedges or fences. */
static void build_houses(plot *p, double front)
{
    const layout *l = p->layout;
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
static void line_road(plot *p)
{
    const layout *l = p->layout;
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
        lidar_spot spot = thing_at(p, x + lidar_between(&p->dice, -0.4, 0.4), l->lanes + l->park / 2, 0,
                                   lidar_chance(&p->dice, 0.8) ? 2 : 0);
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

/* People walk to and fro along X. `share` of them stand. */
static void add_walker(plot *p, double out, double base)
{
    const double length = p->to - p->from - 1, start = lidar_between(&p->dice, 0, 2 * length);
    const double pace = lidar_chance(&p->dice, 0.25) ? 0 : lidar_between(&p->dice, 0.9, 1.6);
    double direction;
    const double x = p->from + 0.5 + to_and_fro(start + pace * p->stage->time, length, &direction);
    lidar_spot spot = thing_at(p, x, out, base, direction > 0 ? 0 : 2);
    spot.vx = pace * spot.ux, spot.vy = pace * spot.uy;
    lidar_add_person(p->stage, &spot, &p->dice);
}

/* Returns a number of things around a mean. */
static int number_of(plot *p, double mean)
{
    return (int)(mean * lidar_between(&p->dice, 0.6, 1.4) * (p->to - p->from) / section_length + 0.5);
}

static void add_people(plot *p)
{
    const layout *l = p->layout;
    const double inner = l->lanes + l->park, walk = l->walk > 8 ? 8 : l->walk;
    for (int i = number_of(p, l->people); i > 0; i--)
        add_walker(p, inner + lidar_between(&p->dice, walk > 3 ? 1.2 : 1, walk - 0.4), p->kerb);
    const double nearest = l->traffic > 0 ? inner + 1 : 3.4;
    const double farthest = l->lanes + l->park + l->walk + (l->walk > 0 ? 0 : l->garden / 3);
    for (int i = number_of(p, l->crowd); i > 0; i--) {
        const double out = lidar_between(&p->dice, nearest, farthest);
        add_walker(p, out, out > inner ? p->kerb : 0);
    }
}

/* Bushes, trees and standing cars anywhere between the road and the houses, trees also behind. */
static void scatter(plot *p)
{
    const layout *l = p->layout;
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

/* A guard rail: a band on posts. */
static void add_rail(plot *p)
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
static void add_forest(plot *p)
{
    if (!lidar_chance(&p->dice, p->layout->forest)) return;
    const double half[2] = {(p->to - p->from) / 2, 3}, out = p->layout->depth - lidar_between(&p->dice, 3, 12);
    const lidar_spot spot = spot_at(p, (p->from + p->to) / 2, out, p->kerb, 0);
    lidar_solid *leaves = lidar_add_box(p->stage, &spot, 0, 0, half, 0, lidar_between(&p->dice, 4, 10));
    leaves->semantic = LIDAR_VEGETATION, leaves->shine = 0.36, leaves->filled = 0.12;
}

static void furnish(plot *p)
{
    const layout *l = p->layout;
    const double edge = l->lanes + l->park, front = edge + l->walk + l->garden;
    lay_ground(p, edge, edge + l->walk, p->kerb, LIDAR_SIDEWALK);
    lay_ground(p, edge + l->walk, l->depth, l->walk > 0 ? p->kerb + 0.02 : 0.03, LIDAR_TERRAIN);
    build_houses(p, front);
    line_road(p);
    add_people(p);
    scatter(p);
    add_forest(p);
    if (l->rail) add_rail(p);
}

/* --- sections ---------------------------------------------------------------------------------- */

/* A side street that leaves the road at x = `middle`, from the edge of the road outwards: two sides. */
static void add_side_street(plot p, double middle, int direction, uint64_t key)
{
    const layout *main_street = p.layout;
    layout l = *main_street;
    const double begin = l.lanes + l.park;
    l.lanes = side_street, l.park = 2, l.garden = 0.5, l.depth = 14, l.forest = 0;
    p.layout = &l;
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1 : 1; /* X points away from the main street, then towards it */
        p.x = middle, p.y = 0, p.ux = 0, p.uy = sign * direction;
        p.from = side ? -90 : begin + main_street->walk, p.to = side ? -begin - main_street->walk : 90;
        p.first = p.from, p.last = p.to;
        p.dice = (lidar_dice){.key = exact_mix(key + 11 + (uint64_t)side)};
        furnish(&p);
    }
}

static void add_section(const clump_lidar *lidar, lidar_stage *stage, int64_t section)
{
    const layout *l = &layouts[lidar->scene];
    const uint64_t key = exact_mix(lidar->seed + 0x9e3779b97f4a7c15u * (uint64_t)(section + 1000003));
    const uint64_t number = (uint64_t)(section + ((int64_t)1 << 40)) % SECTION_NUMBERS;
    uint16_t instances = (uint16_t)(number * SECTION_THINGS);
    const double middle = (double)section * section_length, half = section_length / 2;
    const bool junction = l->junction_sides > 0 && section % SECTION_JUNCTION == 0;
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1 : 1;
        plot p = {.stage = stage, .layout = l, .x = middle, .ux = sign, .kerb = lidar->kerb, .instances = &instances};
        const bool open = junction && side < l->junction_sides;
        for (int part = 0; part < (open ? 2 : 1); part++) {
            p.dice = (lidar_dice){.key = exact_mix(key + 1 + 2 * (uint64_t)side + (uint64_t)part)};
            p.from = open && part == 1 ? side_street + 2 : -half;
            p.to = open && part == 0 ? -side_street - 2 : half;
            p.first = p.from + (open && part == 1 ? l->walk : 0);
            p.last = p.to - (open && part == 0 ? l->walk : 0);
            furnish(&p);
        }
        if (open) add_side_street(p, middle, side ? -1 : 1, key + 100 * (uint64_t)side);
    }
}

/* --- traffic ----------------------------------------------------------------------------------- */

/* A lane of cars that all drive at one speed, without end. Cars of the sensor's own lane keep their distance to it. */
static void add_lane(const clump_lidar *lidar, lidar_stage *stage, int lane, double y, double speed, bool own)
{
    const layout *l = &layouts[lidar->scene];
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
    const layout *l = &layouts[lidar->scene];
    const int64_t first = (int64_t)floor((stage->x - stage->far) / section_length);
    const int64_t last = (int64_t)floor((stage->x + stage->far) / section_length) + 1;
    for (int64_t section = first; section <= last; section++) add_section(lidar, stage, section);
    for (int pair = 0; pair < l->lane_pairs; pair++) {
        const double y = 1.75 + 3.5 * pair;
        add_lane(lidar, stage, 2 * pair, -y, pair ? 0.85 * l->pace : lidar->speed, pair == 0);
        add_lane(lidar, stage, 2 * pair + 1, y, -(pair ? 0.85 : 1) * l->pace, false);
    }
}
