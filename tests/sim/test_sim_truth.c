/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The truth of simulated scans: a class for every point, an instance for every point of a thing, the same instance in all
 * frames; poses that fit; scenes with what they are called after.
 */
#include "sim/lidar_scan.h"

#include <math.h>

enum { /* classes of SemanticKITTI */
       CAR = 10,
       BUS = 13,
       VEHICLE = 18,
       OTHER_VEHICLE = 20,
       PERSON = 30,
       ROAD = 40,
       PAVEMENT = 48,
       HOUSE = 50,
       FENCE = 51,
       MARKING = 60,
       LEAVES = 70,
       TRUNK = 71,
       TERRAIN = 72,
       POLE = 80,
       SIGN = 81
};

static bool is_ground(int semantic)
{
    return semantic == ROAD || semantic == MARKING || semantic == PAVEMENT || semantic == TERRAIN;
}

static bool is_thing(int semantic)
{
    return semantic == CAR || semantic == BUS || semantic == VEHICLE || semantic == OTHER_VEHICLE ||
           semantic == PERSON || semantic == TRUNK || semantic == POLE || semantic == SIGN;
}

typedef struct thing {
    double low[2], high[2];
    size_t points;
    int semantic; /* of the first point */
} thing;

/* Lists the instances of a scan; things has UINT16_MAX + 1 zeroed entries. Returns how many are of the class. */
static size_t list_things(const lidar_scan *s, thing *things, int semantic)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        thing *t = &things[s->to.instance[i]];
        for (int axis = 0; axis < 2; axis++) {
            const double x = (double)s->to.xyz[3 * i + (size_t)axis];
            t->low[axis] = t->points ? fmin(t->low[axis], x) : x;
            t->high[axis] = t->points ? fmax(t->high[axis], x) : x;
        }
        if (t->points++ == 0) t->semantic = s->to.semantic[i];
    }
    for (size_t id = 1; id <= UINT16_MAX; id++) count += things[id].points > 0 && things[id].semantic == semantic;
    return count;
}

static void check_truth(const lidar_scan *s, const char *name)
{
    thing *const things = calloc(UINT16_MAX + 1, sizeof *things);
    if (!things) abort();
    list_things(s, things, 0);
    for (size_t i = 0; i < s->count; i++) {
        const int semantic = s->to.semantic[i], first = things[s->to.instance[i]].semantic;
        const bool known =
            is_ground(semantic) || is_thing(semantic) || semantic == HOUSE || semantic == FENCE || semantic == LEAVES;
        CHECK_MSG(known, "%s: class %d", name, semantic);
        CHECK(s->to.intensity[i] >= 0 && s->to.intensity[i] <= 1);
        CHECK_MSG(!is_thing(semantic) || s->to.instance[i] != 0, "%s: a point of class %d without instance", name,
                  semantic);
        CHECK_MSG(!(is_ground(semantic) || semantic == HOUSE) || s->to.instance[i] == 0,
                  "%s: a point of class %d with instance %d", name, semantic, s->to.instance[i]);
        if (s->to.instance[i] == 0 || semantic == first) continue;
        const bool tree = (semantic == TRUNK || semantic == LEAVES) && (first == TRUNK || first == LEAVES);
        const bool sign = (semantic == POLE || semantic == SIGN) && (first == POLE || first == SIGN);
        CHECK_MSG(tree || sign, "%s: instance %d is of the classes %d and %d", name, s->to.instance[i], first,
                  semantic);
    }
    for (size_t id = 1; id <= UINT16_MAX; id++) {
        const thing *t = &things[id];
        if (t->points == 0 || t->semantic == FENCE) continue;
        const double wide = fmax(t->high[0] - t->low[0], t->high[1] - t->low[1]);
        const bool large = t->semantic == BUS || t->semantic == VEHICLE;
        CHECK_MSG(wide < (large ? 19 : 16), "%s: instance %zu, class %d, is %g m wide", name, id, t->semantic, wide);
    }
    free(things);
}

static void every_point_has_its_truth(void)
{
    for (int scene = CLUMP_SCENE_STREET; scene <= CLUMP_SCENE_YARD; scene++) {
        const clump_lidar lidar = lidar_of(CLUMP_LIDAR_HDL32E, (clump_lidar_scene)scene);
        lidar_scan s = scan_of(&lidar);
        check_truth(&s, clump_lidar_scene_name(lidar.scene));
        free_scan(&s);
    }
}

/* Adds up where the trunks and poles of a scan are, by instance, in the coordinates of frame 0. */
static void place_posts(const lidar_scan *s, double (*posts)[3])
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->to.semantic[i] != TRUNK && s->to.semantic[i] != POLE) continue;
        double *const post = posts[s->to.instance[i]];
        const float *p = &s->to.xyz[3 * i];
        for (int k = 0; k < 2; k++) {
            const double *row = &s->pose[4 * k];
            post[k] += row[0] * (double)p[0] + row[1] * (double)p[1] + row[2] * (double)p[2] + row[3];
        }
        post[2]++;
    }
}

/* Poles and trunks stand still: the poses bring them together. */
static void poses_fit_what_stands_still(void)
{
    clump_lidar lidar = lidar_of(CLUMP_LIDAR_HDL64E, CLUMP_SCENE_TREES);
    lidar.noise = 0;
    clump_lidar_world *const world = make_world(&lidar);
    lidar_scan a = make_scan(&lidar, world, 0), b = make_scan(&lidar, world, 5);
    double(*const before)[3] = calloc(UINT16_MAX + 1, sizeof *before);
    double(*const after)[3] = calloc(UINT16_MAX + 1, sizeof *after);
    if (!before || !after) abort();
    place_posts(&a, before), place_posts(&b, after);
    for (int i = 0; i < 12; i++)
        CHECK_MSG(a.pose[i] == (i == 0 || i == 5 || i == 10), "pose[%d] of frame 0 is %g", i, a.pose[i]);
    CHECK_MSG(fabs(b.pose[3] - 5 * lidar.speed / lidar.rate) < 0.01, "moved by %g", b.pose[3]);
    size_t compared = 0;
    for (size_t id = 1; id <= UINT16_MAX; id++) {
        if (before[id][2] < 8 || after[id][2] < 8) continue;
        const double x = before[id][0] / before[id][2] - after[id][0] / after[id][2];
        const double y = before[id][1] / before[id][2] - after[id][1] / after[id][2];
        CHECK_MSG(sqrt(x * x + y * y) < 0.3, "post %zu: %g, %g apart", id, x, y);
        compared++;
    }
    CHECK_MSG(compared >= 10, "%zu posts", compared);
    free(before), free(after);
    free_scan(&a), free_scan(&b);
    clump_sim_lidar_destroy(world);
}

/* Each scene has plenty of what it is called after. */
static void scenes_are_what_they_are_called(void)
{
    static const struct {
        clump_lidar_scene scene;
        int semantic;
        size_t least, most;
    } rows[] = {
        {CLUMP_SCENE_STREET, CAR, 5, 60},       {CLUMP_SCENE_ROAD, CAR, 2, 40},
        {CLUMP_SCENE_SQUARE, CAR, 3, 60},       {CLUMP_SCENE_TREES, TRUNK, 10, 300},
        {CLUMP_SCENE_ROAD, PERSON, 0, 2},       {CLUMP_SCENE_PEOPLE, PERSON, 20, 300},
        {CLUMP_SCENE_CROSSROAD, PERSON, 2, 60}, {CLUMP_SCENE_YARD, BUS, 3, 40},
        {CLUMP_SCENE_YARD, VEHICLE, 3, 40},     {CLUMP_SCENE_YARD, OTHER_VEHICLE, 1, 40},
        {CLUMP_SCENE_YARD, CAR, 5, 80},
    };
    thing *const things = malloc((UINT16_MAX + 1) * sizeof *things);
    if (!things) abort();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const clump_lidar lidar = lidar_of(CLUMP_LIDAR_HDL64E, rows[i].scene);
        lidar_scan s = scan_of(&lidar);
        memset(things, 0, (UINT16_MAX + 1) * sizeof *things);
        const size_t count = list_things(&s, things, rows[i].semantic);
        CHECK_MSG(count >= rows[i].least && count <= rows[i].most, "%s: %zu of class %d",
                  clump_lidar_scene_name(rows[i].scene), count, rows[i].semantic);
        free_scan(&s);
    }
    free(things);
}

static const clump_lidar_thing *find_thing(const clump_lidar_thing *things, size_t count, uint16_t instance)
{
    for (size_t i = 0; i < count; i++)
        if (things[i].instance == instance) return &things[i];
    return NULL;
}

/* Points of a thing are in its box, also on a slope, and boxes move with their velocities. */
static void things_have_boxes_and_velocities(void)
{
    enum { MOST = 2000 };
    static clump_lidar_thing things[2][MOST];
    size_t counts[2], moved = 0, outside = 0, inside = 0;
    clump_lidar lidar = lidar_of(CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET);
    lidar.slope = 3;
    clump_lidar_world *const world = make_world(&lidar);
    for (size_t f = 0; f < 2; f++) {
        CHECK_INT(clump_sim_lidar_things(world, 10 + f, things[f], MOST, &counts[f], NULL), CLUMP_OK);
        CHECK(counts[f] > 50 && counts[f] < MOST);
        lidar_scan scan = make_scan(&lidar, world, 10 + f);
        for (size_t i = 0; i < scan.count; i++) {
            if (scan.to.instance[i] == 0) continue;
            const clump_lidar_thing *const of = find_thing(things[f], counts[f], scan.to.instance[i]);
            CHECK(of != NULL);
            bool in = of != NULL;
            for (int k = 0; of && k < 3; k++) {
                const double *const row = scan.pose + 4 * k, slack = k == 2 ? 0.2 : 0.15; /* noise; slope */
                const float *const p = scan.to.xyz + 3 * i;
                const double at = row[0] * (double)p[0] + row[1] * (double)p[1] + row[2] * (double)p[2] + row[3];
                in = in && at > of->lower[k] - slack && at < of->upper[k] + slack;
            }
            *(in ? &inside : &outside) += 1;
        }
        free_scan(&scan);
    }
    CHECK_MSG(inside > 1000 && outside == 0, "%zu inside, %zu outside", inside, outside);
    for (size_t i = 0; i < counts[0]; i++) {
        const clump_lidar_thing *const before = &things[0][i];
        const clump_lidar_thing *const now = find_thing(things[1], counts[1], before->instance);
        CHECK(i == 0 || before->instance > things[0][i - 1].instance);
        for (int k = 0; now && k < 2; k++)
            CHECK(fabs(now->lower[k] - before->lower[k] - 0.1 * before->velocity[k]) < 1e-6);
        moved += before->velocity[0] != 0;
    }
    CHECK(moved > 0);
    size_t all;
    CHECK_INT(clump_sim_lidar_things(world, 10, NULL, 0, &all, NULL), CLUMP_OK);
    CHECK_INT(all, counts[0]);
    CHECK_INT(clump_sim_lidar_things(NULL, 10, NULL, 0, &all, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_sim_lidar_things(world, 10, NULL, 1, &all, NULL), CLUMP_ERR_ARGUMENT);
    clump_sim_lidar_destroy(world);
}

CHECK_PROGRAM(test_sim_truth)
{
    RUN(every_point_has_its_truth);
    RUN(poses_fit_what_stands_still);
    RUN(things_have_boxes_and_velocities);
    RUN(scenes_are_what_they_are_called);
}
