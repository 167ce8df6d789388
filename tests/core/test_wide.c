/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_wide.c: the operations of wide.h give, lane by lane, the bits of plain C at the width of this build.
 */
#include "support/check.h"

#include "cpu/describe/places.h"
#include "common/wide.h"
#include "rules/distance.h"

#include <math.h>
#include <string.h>

enum { LANES = CLUMP_WIDE, ROUNDS = 2000 };

/* Returns floats of all magnitudes, with many equal ones, zeros of both signs and infinity, but no NaN. */
static float draw(uint64_t *random)
{
    static const float fixed[] = {0, -0.0f, 1, -1, 0.1f, 3e38f, -3e38f, 1e-38f, 1e-42f, INFINITY, -INFINITY};
    const uint64_t bits = check_random(random);
    if (bits % 3 == 0) return fixed[bits / 3 % (sizeof fixed / sizeof *fixed)];
    return (float)((double)(bits >> 8 & 0xffff) - 32768) * (bits % 2 ? 0.37f : 1e-20f);
}

typedef struct operands {
    float a[LANES], b[LANES], c[LANES];
    int32_t i[LANES], j[LANES];
} operands;

static operands draw_operands(uint64_t *random)
{
    operands o;
    for (int k = 0; k < LANES; k++) {
        o.a[k] = draw(random), o.b[k] = draw(random), o.c[k] = draw(random);
        o.i[k] = (int32_t)(check_random(random) % 5) - 2;
        o.j[k] = check_random(random) % 7 ? (int32_t)(check_random(random) % 5) - 2 : INT32_MAX;
    }
    return o;
}

static bool same_bits(const float *a, const float *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static void floats_are_those_of_plain_c(void)
{
    uint64_t random = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const operands o = draw_operands(&random);
        const clump_fw a = clump_fw_load(o.a), b = clump_fw_load(o.b), c = clump_fw_load(o.c);
        float sub[LANES], d2[LANES], out[LANES], low = INFINITY, high = -INFINITY;
        for (int k = 0; k < LANES; k++) {
            sub[k] = isinf(o.a[k]) ? 0 : o.a[k] - o.b[k];
            d2[k] = clump_distance_squared(o.a[k], o.b[k], o.c[k], 0, 0, 0);
            low = o.a[k] < low ? o.a[k] : low;
            high = o.a[k] > high ? o.a[k] : high;
        }
        clump_fw_store(out, clump_fw_sub(a, b));
        for (int k = 0; k < LANES; k++) out[k] = isinf(o.a[k]) ? 0 : out[k];
        CHECK_MSG(same_bits(out, sub, LANES), "round %d: differences", round);
        float product[LANES], sum[LANES];
        for (int k = 0; k < LANES; k++) product[k] = o.b[k] * o.b[k], sum[k] = product[k] + o.c[k] * o.c[k];
        clump_fw_store(out, clump_fw_mul(b, b));
        CHECK_MSG(same_bits(out, product, LANES), "round %d: products", round);
        clump_fw_store(out, clump_fw_add(clump_fw_mul(b, b), clump_fw_mul(c, c)));
        CHECK_MSG(same_bits(out, sum, LANES), "round %d: sums", round);
        clump_fw_store(out, clump_fw_distance_squared(a, b, c));
        CHECK_MSG(same_bits(out, d2, LANES), "round %d: squared distances", round);
        CHECK_MSG(clump_fw_lowest(a) == low && clump_fw_highest(a) == high, "round %d: extremes", round);

        float smaller[LANES], larger[LANES];
        clump_fw_store(smaller, clump_fw_min(a, b));
        clump_fw_store(larger, clump_fw_max(a, b));
        for (int k = 0; k < LANES; k++)
            CHECK_MSG(smaller[k] == fminf(o.a[k], o.b[k]) && larger[k] == fmaxf(o.a[k], o.b[k]), "round %d, lane %d",
                      round, k);
    }
}

static void masks_are_those_of_plain_c(void)
{
    uint64_t random = 2;
    for (int round = 0; round < ROUNDS; round++) {
        const operands o = draw_operands(&random);
        const clump_fw a = clump_fw_load(o.a), b = clump_fw_load(o.b);
        const clump_iw i = clump_iw_load(o.i), j = clump_iw_load(o.j);
        const clump_mw less = clump_fw_is_less(a, b), equal = clump_fw_is_equal(a, b), before = clump_iw_is_less(i, j);
        unsigned bits[5] = {0};
        int32_t chosen[LANES], least[LANES];
        clump_iw_store(chosen, clump_iw_choose(less, i, j));
        clump_iw_store(least, clump_iw_min_where(equal, i, j));
        for (int k = 0; k < LANES; k++) {
            const bool is_less = o.a[k] < o.b[k], is_equal = o.a[k] == o.b[k], is_before = o.i[k] < o.j[k];
            bits[0] |= (unsigned)is_less << k, bits[1] |= (unsigned)is_equal << k, bits[2] |= (unsigned)is_before << k;
            bits[3] |= (unsigned)(is_less || is_equal) << k, bits[4] |= (unsigned)(is_less && is_before) << k;
            CHECK_MSG(chosen[k] == (is_less ? o.i[k] : o.j[k]), "round %d, lane %d: chosen", round, k);
            CHECK_MSG(least[k] == (is_equal && o.j[k] < o.i[k] ? o.j[k] : o.i[k]), "round %d, lane %d: least", round,
                      k);
        }
        CHECK_MSG(clump_mw_bits(less) == bits[0] && clump_mw_bits(equal) == bits[1], "round %d: floats", round);
        CHECK_MSG(clump_mw_bits(before) == bits[2], "round %d: integers", round);
        CHECK_MSG(clump_mw_bits(clump_mw_or(less, equal)) == bits[3], "round %d: or", round);
        CHECK_MSG(clump_mw_bits(clump_mw_and(less, before)) == bits[4], "round %d: and", round);
    }
}

static void sets_fill_all_lanes(void)
{
    float x[LANES], e[CLUMP_EIGHT];
    int32_t i[LANES];
    clump_fw_store(x, clump_fw_set(0.1f));
    clump_fe_store(e, clump_fe_set(0.1f));
    clump_iw_store(i, clump_iw_set(-7));
    for (int k = 0; k < LANES; k++) CHECK(x[k] == 0.1f && i[k] == -7);
    for (int k = 0; k < CLUMP_EIGHT; k++) CHECK(e[k] == 0.1f);
}

static void points_are_transposed(void)
{
    float points[4 * LANES], x[LANES], y[LANES], z[LANES];
    for (int i = 0; i < 4 * LANES; i++) points[i] = (float)i;
    clump_fw px, py, pz;
    clump_fw_load_points(points, &px, &py, &pz);
    clump_fw_store(x, px), clump_fw_store(y, py), clump_fw_store(z, pz);
    unsigned seen = 0;
    for (unsigned k = 0; k < LANES; k++) {
        const unsigned point = clump_fw_point(k);
        CHECK(point < LANES);
        CHECK_MSG(x[k] == (float)(4 * point) && y[k] == x[k] + 1 && z[k] == x[k] + 2, "lane %u: not point %u", k,
                  point);
        seen |= 1u << point;
    }
    CHECK(seen == (unsigned)(((uint64_t)1 << LANES) - 1));
}

/* The vectors of eight lanes, or four where there are no more. */
static void eights_are_those_of_plain_c(void)
{
    uint64_t random = 3;
    for (int round = 0; round < ROUNDS; round++) {
        float a[CLUMP_EIGHT], b[CLUMP_EIGHT], sub[CLUMP_EIGHT], high[CLUMP_EIGHT], d2[CLUMP_EIGHT];
        for (int k = 0; k < CLUMP_EIGHT; k++) a[k] = draw(&random), b[k] = draw(&random);
        const clump_fe x = clump_fe_load(a), y = clump_fe_load(b);
        const unsigned within = clump_fe_within(x, y);
        clump_fe_store(sub, clump_fe_sub(x, y));
        clump_fe_store(high, clump_fe_max(x, y));
        clump_fe_store(d2, clump_fe_distance_squared(x, y, x));
        for (int k = 0; k < CLUMP_EIGHT; k++) {
            const float plain = a[k] - b[k], far = clump_distance_squared(a[k], b[k], a[k], 0, 0, 0);
            CHECK_MSG((within >> k & 1) == (a[k] <= b[k]), "round %d, lane %d: within", round, k);
            CHECK_MSG(isnan(plain) || same_bits(&sub[k], &plain, 1), "round %d, lane %d: difference", round, k);
            CHECK_MSG(high[k] == fmaxf(a[k], b[k]) && same_bits(&d2[k], &far, 1), "round %d, lane %d", round, k);
        }
        CHECK_MSG(within >> CLUMP_EIGHT == 0, "round %d: more bits than lanes", round);
    }
}

static void points_apart_are_transposed(void)
{
    float p[3 * 7 + 4], x[4], y[4], z[4];
    for (int k = 0; k < 25; k++) p[k] = (float)k;
    for (size_t floats = 3; floats <= 7; floats++) {
        clump_f4 vx, vy, vz;
        clump_f4_load_apart(p, floats, &vx, &vy, &vz);
        clump_f4_store(x, vx), clump_f4_store(y, vy), clump_f4_store(z, vz);
        for (size_t k = 0; k < 4; k++)
            CHECK(x[k] == p[k * floats] && y[k] == p[k * floats + 1] && z[k] == p[k * floats + 2]);
    }
}

/* Runs of all lengths, at all places, with a larger or a smaller value after them. */
static void runs_end_where_values_change(void)
{
    int32_t values[64];
    for (size_t begin = 0; begin < 20; begin++) {
        for (size_t end = begin + 1; end <= 64; end++) {
            for (int32_t other = -1; other <= 1; other += 2) {
                for (size_t k = 0; k < 64; k++) values[k] = k >= begin && k < end ? 0 : k == end ? other : 0;
                CHECK_INT(clump_run_end(values, begin, 64), end);
                CHECK_INT(clump_run_end(values, begin, end), end);
            }
        }
    }
}

CHECK_PROGRAM(test_wide)
{
    RUN(floats_are_those_of_plain_c);
    RUN(points_apart_are_transposed);
    RUN(runs_end_where_values_change);
    RUN(masks_are_those_of_plain_c);
    RUN(sets_fill_all_lanes);
    RUN(points_are_transposed);
    RUN(eights_are_those_of_plain_c);
}
