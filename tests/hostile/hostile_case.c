/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_case.c: see hostile_case.h.
 */
#include "hostile/hostile_case.h"

#include "support/clouds.h"
#include "support/random.h"
#include "support/papers.h"
#include "support/options.h"

#include <clump/index.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum stream { STREAM_CLOUD, STREAM_MASK, STREAM_EC, STREAM_DBSCAN, STREAM_ERCCL, STREAM_NN };

static uint64_t stream_of(uint64_t seed, enum stream stream, int turn)
{
    uint64_t state = seed ^ (uint64_t)stream << 56 ^ (uint64_t)turn << 48;
    return check_random(&state);
}

static bool chance(uint64_t *random, int one_in)
{
    return hostile_below(random, one_in) == 0;
}

static void *need(void *memory)
{
    if (!memory) abort();
    return memory;
}

/* ----- cloud -------------------------------------------------------------------------------------- */

static size_t count_of(uint64_t *random, size_t most)
{
    const float share = check_random_float(random);
    const int size = hostile_below(random, 32);
    if (size == 0) return (size_t)hostile_below(random, 4);
    if (size == 1 && most > HOSTILE_SMALL) return HOSTILE_SMALL + (size_t)(share * (float)(most - HOSTILE_SMALL));
    const size_t small = most < HOSTILE_SMALL ? most : HOSTILE_SMALL;
    return 1 + (size_t)(share * share * (float)small);
}

static void give_stride(hostile_case *c, size_t count, uint64_t *random)
{
    static const size_t strides[] = {0, 12, 12, 16, 20, 32};
    const size_t stride = strides[hostile_below(random, 6)], step = stride ? stride : 12;
    const size_t bytes = count ? (count - 1) * step + 12 : 0;
    char *const memory = c->memory = need(malloc(bytes ? bytes : 1));
    memset(memory, 0xff, bytes); /* NaN between the points */
    for (size_t i = 0; i < count; i++) memcpy(memory + i * step, c->packed + 3 * i, 12);
    c->points = (clump_points){.xyz = c->memory, .count = count, .stride = stride};
}

static hostile_case make(uint64_t seed, size_t count, uint64_t random)
{
    hostile_case c = {.seed = seed, .kind = (hostile_kind)(seed % HOSTILE_KINDS)};
    c.packed = need(malloc((3 * count + 1) * sizeof *c.packed));
    c.d = hostile_fill(c.kind, c.packed, count, &random);
    if (chance(&random, 8)) cloud_spoil(c.packed, count, 1 + (size_t)hostile_below(&random, 60), &random);
    give_stride(&c, count, &random);

    random = stream_of(seed, STREAM_MASK, 0);
    if (!chance(&random, 4)) return c;
    c.mask = need(malloc(count + 1));
    for (size_t i = 0; i < count; i++) c.mask[i] = chance(&random, 5) ? 0 : (uint8_t)(1 + hostile_below(&random, 255));
    return c;
}

hostile_case hostile_case_make(uint64_t seed, size_t most)
{
    uint64_t random = stream_of(seed, STREAM_CLOUD, 0);
    const size_t count = count_of(&random, most);
    return make(seed, count, random);
}

hostile_case hostile_case_make_large(uint64_t seed)
{
    uint64_t random = stream_of(seed, STREAM_CLOUD, 0);
    const float share = check_random_float(&random);
    return make(seed, 8192 + (size_t)(share * share * 25000), random);
}

void hostile_case_free(hostile_case *c)
{
    free(c->packed), free(c->memory), free(c->mask);
    *c = (hostile_case){0};
}

bool hostile_case_intact(const hostile_case *c)
{
    const size_t step = c->points.stride ? c->points.stride : 12;
    for (size_t i = 0; i < c->points.count; i++)
        if (memcmp((const char *)c->memory + i * step, c->packed + 3 * i, 12) != 0) return false;
    return true;
}

/* ----- options ------------------------------------------------------------------------------------ */

/* A finite coordinate of a point, or 0. */
static float coordinate(const hostile_case *c, size_t i, int axis)
{
    const float x = c->points.count ? c->packed[3 * i + (size_t)axis] : 0;
    return isfinite(x) ? x : 0;
}

/* At the origin, at a point, near one, near the origin, far from all. */
static void place_sensor(const hostile_case *c, float sensor[3], uint64_t *random)
{
    const size_t i = c->points.count ? check_random(random) % c->points.count : 0;
    const int where = hostile_below(random, 7);
    for (int k = 0; k < 3; k++) {
        const float near = c->d * (10 * check_random_float(random) - 5);
        const float far = c->d * hostile_magnitude(random, 0, 60), at = coordinate(c, i, k);
        const float places[] = {0, 0, at, at, at + near, near, chance(random, 2) ? far : -far};
        const bool level = where > 3 && chance(random, 6);
        sensor[k] = isfinite(places[where]) && !level ? places[where] : 0;
    }
}

/* eps_per_metre: of all magnitudes, and often about 1, where a radius reaches the sensor. */
static float growth(uint64_t *random)
{
    static const float limits[] = {FLT_MIN, 0x1p-26f, 0x1p-24f, 0.57735027f, 0.70710678f, 1, 2, 0x1.fffffep63f};
    const int choice = hostile_below(random, 8);
    if (choice == 0) return limits[hostile_below(random, 8)];
    if (choice == 1) return hostile_magnitude(random, -64, 63);
    return choice < 4 ? hostile_magnitude(random, -1, 2) : hostile_magnitude(random, -14, 7);
}

/* A circle or ball whose own distance is the radius at its centre: radii grow, and pairs are about a radius apart. */
static float rule_around(const hostile_case *c, float sensor[3], uint64_t *random)
{
    const float range = c->d * hostile_magnitude(random, 3, 8);
    const int axis = hostile_below(random, 3);
    for (int k = 0; k < 3; k++) sensor[k] = coordinate(c, 0, k) - (k == axis ? range : 0);
    return hostile_nudge(c->d * (1 + 0.01f * check_random_float(random)) / range, random);
}

/* Sensor and growth. In one case of four the distance of a pair is the radius of one of its points, or a few floats
 * beside it. */
static float range_rule(const hostile_case *c, bool two_d, float sensor[3], uint64_t *random)
{
    const float usual = growth(random);
    place_sensor(c, sensor, random);
    if ((c->kind == HOSTILE_CIRCLE || c->kind == HOSTILE_BALL) && chance(random, 2))
        return rule_around(c, sensor, random);
    if (!chance(random, 4) || c->points.count == 0) return usual;
    const size_t i = check_random(random) % c->points.count, j = check_random(random) % c->points.count;
    double distance = 0, range = 0;
    for (int k = 0; k < (two_d ? 2 : 3); k++) {
        const double at = (double)coordinate(c, i, k), other = (double)coordinate(c, j, k);
        distance += (at - other) * (at - other);
        range += (at - (double)sensor[k]) * (at - (double)sensor[k]);
    }
    const float tie = hostile_nudge((float)sqrt(distance / range), random);
    return tie >= FLT_MIN && tie <= 0x1.fffffep63f ? tie : usual;
}

static void size_limits(size_t count, size_t *least, size_t *most, uint64_t *random)
{
    if (chance(random, 2)) *least = (size_t)hostile_below(random, 6);
    if (chance(random, 3)) *most = *least + (size_t)hostile_below(random, (int)count + 2);
}

clump_ec_options hostile_ec(const hostile_case *c, int turn)
{
    uint64_t random = stream_of(c->seed, STREAM_EC, turn);
    clump_ec_options o = clump_ec_defaults();
    o.common.two_d = chance(&random, 3);
    o.common.order = chance(&random, 2) ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    o.common.mask = c->mask;
    size_limits(c->points.count, &o.common.min_size, &o.common.max_size, &random);
    if (turn == 0) return o;
    o.common.eps_per_metre = range_rule(c, o.common.two_d, o.common.sensor, &random);
    return o;
}

void hostile_six(clump_ec_options *o, uint64_t turn)
{
    if (o->method >= CLUMP_EC_VERTEX_ES && o->method <= CLUMP_EC_EDGE_RS) PAPERS(*o)->in_place = turn % 2;
    if (o->method == CLUMP_EC_MATRIX_ES || o->method == CLUMP_EC_MATRIX_RS)
        PAPERS(*o)->matrix_block = 64 << (int)(turn % 5);
}

clump_dbscan_options hostile_dbscan(const hostile_case *c, int turn, size_t *min_points)
{
    uint64_t random = stream_of(c->seed, STREAM_DBSCAN, turn);
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.two_d = chance(&random, 3);
    o.common.order = chance(&random, 2) ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    o.no_border_points = chance(&random, 4);
    o.common.mask = c->mask;
    size_limits(c->points.count, &o.common.min_size, &o.common.max_size, &random);
    const int size = hostile_below(&random, 20);
    *min_points =
        size == 0 ? (size_t)1 << hostile_below(&random, 40) : 1 + (size_t)hostile_below(&random, size < 12 ? 6 : 40);
    if (turn == 0) return o;
    o.common.eps_per_metre = range_rule(c, o.common.two_d, o.common.sensor, &random);
    return o;
}

void hostile_dclust(clump_dbscan_options *o, uint64_t turn)
{
    static const int sizes[][3] = {{0, 0, 0}, {1, 32, 1}, {1024, 1024, 65536}, {3, 64, 0}, {0, 0, 2}, {40, 992, 5}};
    if (o->method != CLUMP_DBSCAN_DCLUST) return;
    const int *const s = sizes[turn % (sizeof sizes / sizeof *sizes)];
    PAPERS(*o)->dclust_chains = s[0], PAPERS(*o)->dclust_threads = s[1], PAPERS(*o)->dclust_seeds = s[2];
    PAPERS(*o)->dclust_host_merge = turn % 4 == 3;
}

static float between(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

clump_erccl_options hostile_erccl(const hostile_case *c)
{
    static const float alphas[] = {0.7f, 0.7f, 0.5f, 0.2f, 0, 1}, taus[] = {0.75f, 0.75f, 0.3f, 0.9f, 1, 0};
    uint64_t random = stream_of(c->seed, STREAM_ERCCL, 0);
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = between(c->d, 0x1p-60f, 0x1p50f);
    o.extent = o.cell * (float)(1 + hostile_below(&random, 40));
    o.reach = 1 + hostile_below(&random, 4);
    o.alpha = alphas[hostile_below(&random, 6)];
    o.tau = taus[hostile_below(&random, 6)];
    o.common.order = chance(&random, 2) ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    o.common.mask = c->mask;
    size_limits(c->points.count, &o.common.min_size, &o.common.max_size, &random);
    clump_ground_options *const g = &o.ground;
    g->method = (clump_ground_method)hostile_below(&random, 3);
    g->up = chance(&random, 4) ? CLUMP_UP_Y : CLUMP_UP_Z;
    g->flip = chance(&random, 4);
    g->tile = between(c->d * hostile_magnitude(&random, -1, 4), 0.01f, 100);
    g->extent = between(g->tile * (float)(1 + hostile_below(&random, 16)), 0.01f, 1e6f);
    g->slope = check_random_float(&random);
    g->sigma = between(c->d * check_random_float(&random), 0, 1000);
    g->bin = between(0.5f * c->d, 0.001f, 10);
    if (chance(&random, 3)) g->sensor_height = between(5 * c->d * check_random_float(&random), 0, 1000);
    place_sensor(c, g->sensor, &random);
    for (int k = 0; k < 3; k++)
        if (fabsf(g->sensor[k]) > 0x1p60f) g->sensor[k] = 0;
    if (chance(&random, 2)) o.extent_columns = o.cell * (float)(1 + hostile_below(&random, 40));
    PAPERS(o)->all_heights = chance(&random, 2);
    options_draw("ground", "flip", g, &random);
    return o;
}

size_t hostile_queries(const hostile_case *c, float *xyz, size_t most)
{
    uint64_t random = stream_of(c->seed, STREAM_NN, 0);
    const size_t count = c->points.count ? 1 + check_random(&random) % most : check_random(&random) % 3;
    for (size_t i = 0; i < count; i++) {
        const size_t j = c->points.count ? check_random(&random) % c->points.count : 0;
        for (int k = 0; k < 3; k++) {
            const float x = coordinate(c, j, k), sign = chance(&random, 2) ? 1.0f : -1.0f;
            const int way = hostile_below(&random, 6);
            xyz[3 * i + (size_t)k] = way == 0   ? hostile_nudge(x, &random)
                                     : way == 1 ? x + sign * 0.5f * c->d
                                     : way == 2 ? x + sign * c->d
                                                : x;
        }
        if (chance(&random, 60)) xyz[3 * i + (size_t)hostile_below(&random, 3)] = NAN;
    }
    return count;
}

float hostile_radius(const hostile_case *c, int *k)
{
    uint64_t random = stream_of(c->seed, STREAM_NN, 1);
    const float radii[] = {0, INFINITY, c->d, 2 * c->d, FLT_MAX, 10 * c->d * check_random_float(&random)};
    const int choice = hostile_below(&random, 6);
    *k = 1 + hostile_below(&random, chance(&random, 3) ? CLUMP_NN_MAX_K : 8);
    return radii[choice];
}

/* ----- text --------------------------------------------------------------------------------------- */

void hostile_case_text(char *text, size_t size, const hostile_case *c)
{
    snprintf(text, size, "seed %llu, %s, %zu points, stride %zu, %s, d %a", (unsigned long long)c->seed,
             hostile_kind_name(c->kind), c->points.count, c->points.stride, c->mask ? "mask" : "no mask", (double)c->d);
}

void hostile_ec_text(char *text, size_t size, const clump_ec_options *o)
{
    snprintf(text, size, "%s, order %d, sizes %zu to %zu, eps_per_metre %a, sensor %a %a %a",
             o->common.two_d ? "2-D" : "3-D", (int)o->common.order, o->common.min_size, o->common.max_size,
             (double)o->common.eps_per_metre, (double)o->common.sensor[0], (double)o->common.sensor[1],
             (double)o->common.sensor[2]);
}
