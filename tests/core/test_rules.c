/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rules.c: the rules that the methods share: cells (rules/cell.h), disjoint sets (rules/union_find.h), masks of
 * cells within reach (rules/blocks.h), and the choice of CPU or GPU (core/registry.h).
 */
#include "support/check.h"

#include "support/clouds.h"

#include "common/atomics.h"
#include "common/team.h"
#include "core/registry.h"
#include "cpu/grid/reach.h"
#include "rules/cell.h"
#include "rules/float_key.h"
#include "rules/radius.h"
#include "rules/union_find.h"

#include <float.h>
#include <math.h>

/* ----- cells ------------------------------------------------------------------------------------ */

static float random_distance(uint64_t *random)
{
    const int kind = (int)(check_random(random) % 8);
    if (kind == 0) return 0x1p-63f;
    if (kind == 1) return 0x1.fffffep63f;
    if (kind == 2) return ldexpf(1, (int)(check_random(random) % 127) - 63);
    if (kind == 3)
        return cloud_step(ldexpf(1, (int)(check_random(random) % 125) - 62), (int)(check_random(random) % 5) - 2);
    return ldexpf(1 + check_random_float(random), (int)(check_random(random) % 126) - 63);
}

/* Returns a float of any magnitude, around d, or around `far`. */
static float random_value(clump_cell_rule rule, uint64_t *random)
{
    const int kind = (int)(check_random(random) % 4);
    float x = kind == 0   ? clump_float_of_key((uint32_t)check_random(random))
              : kind == 1 ? cloud_step(rule.far, (int)(check_random(random) % 9) - 4)
                          : ldexpf(check_random_float(random), (int)(check_random(random) % 34)) / (float)rule.inverse;
    if (!isfinite(x)) x = FLT_MAX;
    return check_random(random) % 2 ? -x : x;
}

/* Returns the last float above (or below) x whose cell is at most `cells` away. Cells are monotone in x, so this is
 * a binary search. */
static float last_in_cells(float x, int32_t cells, bool up, clump_cell_rule rule)
{
    const int64_t here = clump_cell(x, rule);
    uint32_t in = clump_key_of_float(x), out = clump_key_of_float(up ? FLT_MAX : -FLT_MAX);
    if (llabs(clump_cell(clump_float_of_key(out), rule) - here) <= cells) return clump_float_of_key(out);
    while ((in > out ? in - out : out - in) > 1) {
        const uint32_t middle = in < out ? in + (out - in) / 2 : out + (in - out) / 2;
        if (llabs(clump_cell(clump_float_of_key(middle), rule) - here) <= cells)
            in = middle;
        else
            out = middle;
    }
    return clump_float_of_key(in);
}

/* (1) All points of a cell are neighbours: its two far corners are. */
static void cells_hold_neighbours_only(void)
{
    uint64_t random = 41;
    for (long round = 0; round < check_rounds(40000); round++) {
        const float d = random_distance(&random), bound = clump_distance_bound(d);
        const bool two_d = round % 3 == 0;
        const clump_cell_rule rule = clump_cell_rule_make(d, two_d);
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            const float x = random_value(rule, &random);
            low[k] = last_in_cells(x, 0, false, rule);
            high[k] = last_in_cells(x, 0, true, rule);
            CHECK(low[k] <= x && x <= high[k] && clump_cell(low[k], rule) == clump_cell(high[k], rule));
        }
        if (two_d) low[2] = high[2] = 0;
        const float d2 = clump_distance_squared(low[0], low[1], low[2], high[0], high[1], high[2]);
        CHECK_MSG(d2 < bound, "d %.9g, %s: %.9g ... %.9g", (double)d, two_d ? "2-D" : "3-D", (double)low[0],
                  (double)high[0]);
    }
}

/* (2) A point more than two cells away on one axis is no neighbour, not even at d2 == bound. */
static void neighbours_are_within_two_cells(void)
{
    uint64_t random = 42;
    for (long round = 0; round < check_rounds(100000); round++) {
        const float d = random_distance(&random), bound = clump_distance_bound(d);
        const clump_cell_rule rule = clump_cell_rule_make(d, round % 3 == 0);
        const float x = random_value(rule, &random);
        for (int up = 0; up < 2; up++) {
            const float last = last_in_cells(x, 2, up, rule), next = cloud_step(last, up ? 1 : -1);
            if (next == last) continue; /* the end of the floats */
            CHECK_MSG(clump_distance_squared(x, 0, 0, next, 0, 0) > bound, "d %.9g: %.9g and %.9g, cells %d and %d",
                      (double)d, (double)x, (double)next, clump_cell(x, rule), clump_cell(next, rule));
        }
    }
}

/* The same for voxels: one cell, with the larger edge. */
static void neighbours_are_within_one_voxel(void)
{
    uint64_t random = 46;
    for (long round = 0; round < check_rounds(100000); round++) {
        const float d = random_distance(&random), bound = clump_distance_bound(d);
        const clump_cell_rule rule = clump_voxel_rule_make(d);
        const float x = random_value(rule, &random);
        for (int up = 0; up < 2; up++) {
            const float last = last_in_cells(x, 1, up, rule), next = cloud_step(last, up ? 1 : -1);
            if (next == last) continue;
            CHECK_MSG(clump_distance_squared(x, 0, 0, next, 0, 0) > bound, "d %.9g: %.9g and %.9g, voxels %d and %d",
                      (double)d, (double)x, (double)next, clump_cell(x, rule), clump_cell(next, rule));
        }
    }
}

/* The assumptions of the searches above, and of block coordinates: 1 can be added. */
static void cells_are_ordered_and_bounded(void)
{
    uint64_t random = 43;
    for (long round = 0; round < check_rounds(200000); round++) {
        const float d = random_distance(&random);
        const clump_cell_rule rule = round % 3 ? clump_cell_rule_make(d, round % 2) : clump_voxel_rule_make(d);
        const float x = random_value(rule, &random), y = round % 4 ? cloud_step(x, 1) : random_value(rule, &random);
        const int32_t cx = clump_cell(x, rule), cy = clump_cell(y, rule);
        CHECK_MSG(x <= y ? cx <= cy : cx >= cy, "d %.9g: %.9g in %d, %.9g in %d", (double)d, (double)x, cx, (double)y,
                  cy);
        CHECK(cx > INT32_MIN + 8 && cx < INT32_MAX - 8);
        if (fabsf(x) >= rule.far && x != y) CHECK(cx != cy);
        if (fabsf(x) < rule.far) CHECK_INT(clump_cell_near(x, rule.inverse), cx);
    }
    const float ends[] = {0x1p-63f, 1, 0x1.fffffep63f};
    for (int i = 0; i < 3; i++) {
        const clump_cell_rule rule = clump_cell_rule_make(ends[i], false);
        CHECK(clump_cell(FLT_MAX, rule) < INT32_MAX - 8 && clump_cell(-FLT_MAX, rule) > INT32_MIN + 8);
        CHECK(clump_cell(0.0f, rule) == 0 && clump_cell(-0.0f, rule) == 0);
        CHECK(clump_cell(cloud_step(rule.far, -1), rule) < clump_cell(rule.far, rule));
        CHECK(clump_cell(cloud_step(-rule.far, 1), rule) > clump_cell(-rule.far, rule));
    }
}

/* A search window has a bounded number of cells, also where it lies across `far`: numbers have no gap there. */
static void windows_are_narrow(void)
{
    uint64_t random = 47;
    for (long round = 0; round < check_rounds(100000); round++) {
        const float d = random_distance(&random);
        const clump_cell_rule rule = clump_cell_rule_make(d, round % 3 == 0);
        const float x = random_value(rule, &random);
        for (float reach = d; reach <= 2 * d && reach < 0x1p63f; reach *= 2) {
            const int64_t low = clump_cell(x - reach, rule), high = clump_cell(x + reach, rule);
            const double most = 2 * (double)reach * rule.inverse + 12;
            CHECK_MSG((double)(high - low) <= most, "d %.9g: %.9g +- %.9g is cells %d ... %d", (double)d, (double)x,
                      (double)reach, (int)low, (int)high);
        }
    }
}

/* ----- radii ------------------------------------------------------------------------------------- */

/* A float of any magnitude up to the root of the largest, mostly. */
static float random_coordinate(uint64_t *random)
{
    const float x = ldexpf(1 + check_random_float(random), (int)(check_random(random) % 150) - 80);
    return check_random(random) % 2 ? -x : x;
}

/* Neighbours have radii in each other's spans; a point left out by `grown_beside` is within eps of no larger radius. */
static void radii_of_neighbours(void)
{
    uint64_t random = 48;
    long pairs = 0, beside = 0;
    for (long round = 0; round < check_rounds(400000); round++) {
        const float eps = random_distance(&random);
        const float s = ldexpf(1 + check_random_float(&random),
                               (int)(check_random(&random) % (round % 2 ? 8 : 126)) - (round % 2 ? 6 : 62));
        float sensor[3], p[2][3], radius[2], grown[2];
        const float scale = random_coordinate(&random);
        for (int k = 0; k < 3; k++) {
            sensor[k] = round % 3 ? 0 : random_coordinate(&random);
            p[0][k] =
                sensor[k] + (round % 5 ? scale * (check_random_float(&random) - 0.5f) : random_coordinate(&random));
        }
        const clump_radius_rule rule = clump_radius_rule_make(eps, s, sensor, false);
        for (int i = 0; i < 2; i++) {
            grown[i] = clump_radius_grown(rule, p[i][0], p[i][1], p[i][2]);
            radius[i] = clump_radius(eps, grown[i]);
            for (int k = 0; i == 0 && k < 3; k++) /* the other is about a radius away, along an axis or not */
                p[1][k] = p[0][k] + (round % 7 == 0 && k ? 0 : 2.0f * radius[0] * (check_random_float(&random) - 0.5f));
        }
        if (!isfinite(p[1][0] + p[1][1] + p[1][2]) || !isfinite(p[0][0] + p[0][1] + p[0][2])) continue;
        const float d2 = clump_distance_squared(p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2]);
        if (!(d2 <= clump_distance_bound(fminf(radius[0], radius[1])))) continue;
        pairs++;
        for (int i = 0; i < 2; i++) {
            const clump_radius_span span = clump_radius_of_neighbours(rule, radius[i], radius[i]);
            CHECK_MSG(span.from <= radius[1 - i] && radius[1 - i] <= span.to,
                      "eps %a, S %a: radii %a and %a, span %a ... %a", (double)eps, (double)s, (double)radius[i],
                      (double)radius[1 - i], (double)span.from, (double)span.to);
            if (!(radius[1 - i] > eps)) continue;
            beside++;
            CHECK_MSG(grown[i] >= clump_radius_grown_beside(rule), "eps %a, S %a: %a beside %a", (double)eps, (double)s,
                      (double)grown[i], (double)grown[1 - i]);
        }
    }
    CHECK_MSG(pairs > 10000 && beside > 5000, "%ld pairs, %ld beside: the test does not test", pairs, beside);
    const float origin[3] = {0};
    const clump_radius_rule rule = clump_radius_rule_make(1, 0.5f, origin, false);
    const clump_radius_span span = clump_radius_of_neighbours(rule, 64, 64); /* and it does tell something */
    CHECK(span.from > 32 && span.to < 128);
}

/* ----- disjoint sets ---------------------------------------------------------------------------- */

enum { NODES = 3000 };

static void make_naive(uint32_t *set, uint32_t nodes, const uint32_t *pairs, size_t count)
{
    for (uint32_t i = 0; i < nodes; i++) set[i] = i;
    for (size_t k = 0; k < count; k++) {
        const uint32_t a = set[pairs[2 * k]], b = set[pairs[2 * k + 1]];
        const uint32_t low = a < b ? a : b, high = a < b ? b : a;
        for (uint32_t i = 0; i < nodes && a != b; i++)
            if (set[i] == high) set[i] = low;
    }
}

static void make_pairs(uint32_t *pairs, size_t count, uint32_t nodes, int kind, uint64_t *random)
{
    for (size_t k = 0; k < count; k++) {
        const uint32_t a = (uint32_t)(check_random(random) % nodes), b = (uint32_t)(check_random(random) % nodes);
        pairs[2 * k] = a, pairs[2 * k + 1] = b;
        if (kind == 1)
            pairs[2 * k] = nodes - 1 - (uint32_t)k % nodes, pairs[2 * k + 1] = nodes - 1 - (uint32_t)(k + 1) % nodes;
        if (kind == 2) pairs[2 * k + 1] = a + 7 < nodes ? a + 7 : a; /* seven long chains */
        if (kind == 3) pairs[2 * k] = (uint32_t)k % nodes, pairs[2 * k + 1] = nodes - 1;
    }
}

static void unions_are_as_naive_ones(void)
{
    static uint32_t parent[NODES];
    static uint32_t set[NODES], pairs[2 * NODES];
    uint64_t random = 44;
    for (int round = 0; round < check_rounds(40); round++) {
        const uint32_t nodes = 1 + (uint32_t)(check_random(&random) % NODES);
        const size_t count = check_random(&random) % nodes;
        make_pairs(pairs, count, nodes, round % 4, &random);
        make_naive(set, nodes, pairs, count);
        for (uint32_t i = 0; i < nodes; i++) parent[i] = i;
        for (size_t k = 0; k < count; k++) clump_unite(parent, pairs[2 * k], pairs[2 * k + 1]);
        for (uint32_t i = 0; i < nodes; i++) {
            CHECK(parent[i] <= i);
            CHECK_INT(clump_find(parent, i), set[i]);
        }
    }
}

typedef struct unions {
    uint32_t *parent;
    const uint32_t *pairs, *set;
    size_t count;
    long wrong; /* added to by atomic operations */
} unions;

static void unite_pairs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const unions *const u = arg;
    for (size_t k = begin; k < end; k++) {
        clump_unite(u->parent, u->pairs[2 * k], u->pairs[2 * k + 1]);
        if (k % 3 == 0) clump_find(u->parent, u->pairs[2 * (u->count - 1 - k)]);
    }
}

static void compare_sets(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    unions *const u = arg;
    for (size_t i = begin; i < end; i++)
        if (clump_find(u->parent, (uint32_t)i) != u->set[i]) CLUMP_ADD(&u->wrong, 1);
}

static void unions_may_be_concurrent(void)
{
    static uint32_t parent[NODES];
    static uint32_t set[NODES], pairs[2 * NODES];
    uint64_t random = 45;
    clump_team *const team = clump_team_init(aligned_alloc(64, clump_team_bytes()), NULL);
    CHECK_INT(clump_team_start(team, 4), 4);
    for (int round = 0; round < check_rounds(40); round++) {
        const int count = NODES - round;
        make_pairs(pairs, (size_t)count, NODES, round % 4, &random);
        make_naive(set, NODES, pairs, (size_t)count);
        for (uint32_t i = 0; i < NODES; i++) parent[i] = i;
        unions u = {parent, pairs, set, (size_t)count, 0};
        clump_team_run(team, 4, (size_t)count, 8, unite_pairs, &u);
        clump_team_run(team, 4, NODES, 100, compare_sets, &u);
        CHECK_INT(u.wrong, 0);
    }
    clump_team_destroy(team);
    free(team);
}

/* ----- cells within reach ------------------------------------------------------------------------ */

static uint64_t cells_within(unsigned cell, int ox, int oy, int oz, int steps)
{
    uint64_t mask = 0;
    const int x = (int)(cell & 3), y = (int)(cell >> 2 & 3), z = (int)(cell >> 4);
    for (unsigned other = 0; other < 64; other++) {
        const int dx = (int)(other & 3) + 4 * ox - x, dy = (int)(other >> 2 & 3) + 4 * oy - y,
                  dz = (int)(other >> 4) + 4 * oz - z;
        if (abs(dx) <= steps && abs(dy) <= steps && abs(dz) <= steps) mask |= (uint64_t)1 << other;
    }
    return mask;
}

static void masks_are_right(void)
{
    for (int o = 0; o < 27; o++) {
        const clump_offset offset = {(int8_t)(o % 3 - 1), (int8_t)(o / 3 % 3 - 1), (int8_t)(o / 9 - 1)};
        for (unsigned cell = 0; cell < 64; cell++) {
            const uint64_t reach = cells_within(cell, offset.x, offset.y, offset.z, 2);
            const uint64_t touch = cells_within(cell, offset.x, offset.y, offset.z, 1);
            CHECK(clump_reach(cell, offset) == reach && clump_touch(cell, offset) == touch);
            CHECK(clump_block_reach(offset.x, offset.y, offset.z, cell) == reach);
            CHECK(clump_block_touch(offset.x, offset.y, offset.z, cell) == touch);
        }
    }
}

/* Every pair of touching blocks is met from exactly one side, with the right borders. */
static void half_of_the_neighbours(void)
{
    int met[27] = {0};
    for (int k = 0; k <= CLUMP_OFFSETS; k++) {
        const clump_ahead_entry *const e = &clump_ahead[k];
        const int code = (e->o.x + 1) + 3 * (e->o.y + 1) + 9 * (e->o.z + 1);
        met[code]++;
        if (k != CLUMP_INSIDE) met[26 - code]++;
        uint64_t border = 0, back = 0;
        for (unsigned cell = 0; cell < 64; cell++) {
            if (cells_within(cell, e->o.x, e->o.y, e->o.z, 2)) border |= (uint64_t)1 << cell;
            if (cells_within(cell, -e->o.x, -e->o.y, -e->o.z, 2)) back |= (uint64_t)1 << cell;
        }
        CHECK(e->border == border && e->back == back);
    }
    for (int code = 0; code < 27; code++) CHECK_INT(met[code], 1);
    CHECK(clump_ahead[CLUMP_INSIDE].o.x == 0 && clump_ahead[CLUMP_INSIDE].o.y == 0 &&
          clump_ahead[CLUMP_INSIDE].o.z == 0);
}

/* ----- CPU or GPU -------------------------------------------------------------------------------- */

static void decisions(void)
{
    enum { A = CLUMP_BACKEND_AUTO, C = CLUMP_BACKEND_CPU, G = CLUMP_BACKEND_CUDA };
    const clump_place host = CLUMP_PLACE_HOST, device = CLUMP_PLACE_DEVICE;
    static const struct {
        int asked;
        bool built;
        int devices;
        bool on_device;
        int expected; /* A: it cannot run */
        const char *reason;
    } table[] = {
        {A, false, 0, false, C, "no CUDA backend"}, {A, true, 0, false, C, "no CUDA device"},
        {A, true, 1, true, G, "device memory"},     {A, true, 0, true, A, "no CUDA device"},
        {A, false, 0, true, A, "no CUDA backend"},  {C, false, 0, false, C, "asked for"},
        {C, true, 2, false, C, "asked for"},        {C, true, 2, true, A, "device memory"},
        {C, false, 0, true, A, "device memory"},    {G, true, 1, false, G, "asked for"},
        {G, true, 1, true, G, "asked for"},         {G, true, 0, false, A, "no CUDA device"},
        {G, false, 0, false, A, "no CUDA backend"}, {G, false, 0, true, A, "no CUDA backend"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (size_t points = 0; points <= 100000000; points = points * 10 + 1) {
            const clump_decide_input in = {
                (clump_backend)table[i].asked,      table[i].built, true, table[i].devices, "no CUDA device",
                table[i].on_device ? device : host, points,         false};
            const clump_decision out = clump_decide(in);
            /* the bound is a measurement: surely the CPU below 1000, surely not for that reason from 100000 on */
            const bool few = points < 1000 || (points < 100000 && strstr(out.reason, "few points"));
            if (table[i].asked == A && table[i].built && !table[i].on_device && few) {
                CHECK_INT(out.backend, C);
                CHECK(strstr(out.reason, "few points") && !clump_decide_needs_devices(in));
                continue;
            }
            if (table[i].built && table[i].asked != C) CHECK(clump_decide_needs_devices(in));
            CHECK_MSG((int)out.backend == table[i].expected, "row %zu: %d", i, (int)out.backend);
            CHECK_MSG(strstr(out.reason, table[i].reason), "row %zu: %s", i, out.reason);
        }
    }
    /* free to choose, it must choose, and say why */
    const clump_decision choice =
        clump_decide((clump_decide_input){CLUMP_BACKEND_AUTO, true, true, 1, NULL, CLUMP_PLACE_HOST, 1000000, false});
    CHECK(choice.backend == CLUMP_BACKEND_CUDA && choice.reason[0] != '\0');
    const clump_decision lacking =
        clump_decide((clump_decide_input){CLUMP_BACKEND_AUTO, true, false, 1, NULL, CLUMP_PLACE_HOST, 1000000, false});
    CHECK(lacking.backend == CLUMP_BACKEND_CPU && strstr(lacking.reason, "only the CPU"));
    /* a method that CUDA alone has, and few points */
    for (int asked = A; asked <= G; asked++)
        for (int devices = 0; devices < 2; devices++) {
            const clump_decide_input in = {(clump_backend)asked, true, true, devices, "no CUDA device", host, 5, true};
            const clump_decision out = clump_decide(in);
            CHECK_INT(out.backend, devices && asked != C ? G : A);
            CHECK_INT(clump_decide_needs_devices(in), asked != C);
            if (asked == C || !devices) CHECK(strstr(out.reason, asked == C ? "the CPU does not" : "no CUDA device"));
        }
    CHECK(clump_registry_find(CLUMP_BACKEND_CPU) != NULL && clump_registry_find(CLUMP_BACKEND_AUTO) == NULL);
    CHECK_INT(clump_registry_find(CLUMP_BACKEND_CPU)->id, CLUMP_BACKEND_CPU);
}

CHECK_PROGRAM(test_rules)
{
    RUN(cells_hold_neighbours_only);
    RUN(neighbours_are_within_two_cells);
    RUN(neighbours_are_within_one_voxel);
    RUN(cells_are_ordered_and_bounded);
    RUN(windows_are_narrow);
    RUN(radii_of_neighbours);
    RUN(unions_are_as_naive_ones);
    RUN(unions_may_be_concurrent);
    RUN(masks_are_right);
    RUN(half_of_the_neighbours);
    RUN(decisions);
}
