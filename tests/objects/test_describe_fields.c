/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_describe_fields.c: every field of clump_cluster and every option of clump_describe against a second, slow
 * computation; then the same points in another order and on several threads, where no bit may change.
 */
#include "support/check.h"
#include "support/hard_floats.h"

#include <clump/clump.h>

#include "core/context.h"
#include "cpu/describe/describe.h"
#include "rules/plane.h"

#include <float.h>
#include <math.h>

__extension__ typedef __int128 wide;

enum { MOST_POINTS = 600, MOST_CLUSTERS = 12, KINDS = 10 };

/* A cloud with labels and all that the options can name, and what comes out. */
typedef struct scene {
    size_t count, stride; /* in floats */
    int32_t clusters;
    float points[MOST_POINTS * 5]; /* x, y, z, value and one more */
    float heights[MOST_POINTS];
    int32_t labels[MOST_POINTS];
    clump_cluster found[MOST_CLUSTERS];
    float hull[2 * MOST_POINTS];
    int32_t offsets[MOST_CLUSTERS + 1];
} scene;

static clump_context *context_of(int threads)
{
    clump_context_options o = clump_context_defaults();
    o.backend = CLUMP_BACKEND_CPU;
    o.threads = threads;
    clump_context *ctx;
    if (clump_context_create(&o, &ctx) != CLUMP_OK) abort();
    return ctx;
}

static clump_points points_of(const scene *s)
{
    return (clump_points){.xyz = s->points, .count = s->count, .stride = s->stride * sizeof(float)};
}

static clump_describe_options all_options(scene *s)
{
    clump_describe_options o = clump_describe_defaults();
    o.axes = true;
    o.heights = s->heights;
    o.values = s->points + 3;
    o.values_stride = s->stride * sizeof(float);
    o.hull = s->hull;
    o.hull_capacity = MOST_POINTS;
    o.hull_offsets = s->offsets;
    return o;
}

static void fill(scene *s, int kind, size_t count, uint64_t *random)
{
    *s = (scene){.count = count, .stride = 4 + check_random(random) % 2};
    s->clusters = (int32_t)(1 + check_random(random) % MOST_CLUSTERS);
    for (size_t i = 0; i < count; i++) {
        float *const p = s->points + i * s->stride;
        for (int k = 0; k < 3; k++) {
            p[k] = check_hard_float(kind, random);
            if (!isfinite(p[k])) p[k] = FLT_MAX;
        }
        if (kind == 7) p[1] = p[0] / 3, p[2] = p[0] / 7;            /* a line but for rounding */
        if (kind == 8) p[0] = 3, p[1] = -2, p[2] = 0.1f;            /* one place */
        if (kind == 9 && check_random(random) % 4 == 0) p[2] = NAN; /* labels of 2-D mode */
        p[3] = check_random(random) % 16 ? check_hard_float(kind % 7, random) : (float)INFINITY;
        s->heights[i] = check_random(random) % 5 ? check_random_float(random) - 0.5f : NAN;
        s->labels[i] = (int32_t)(check_random(random) % (uint64_t)(s->clusters + 2)) - 2;
    }
}

/* ----- the slow computation ------------------------------------------------------------------------------- */

typedef struct members {
    size_t count, whole; /* points; those with three finite coordinates */
    const float *point[MOST_POINTS];
    float heights[MOST_POINTS];
} members;

static void find_members(const scene *s, int32_t label, members *m)
{
    m->count = m->whole = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->labels[i] != label) continue;
        const float *const p = s->points + i * s->stride;
        m->point[m->count] = p;
        m->heights[m->count++] = s->heights[i];
        m->whole += isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
    }
}

static bool close_to(double value, long double expected, long double tolerance)
{
    return fabsl((long double)value - expected) <= tolerance || (value == (double)FLT_MAX && expected >= FLT_MAX) ||
           (value == -(double)FLT_MAX && expected <= -FLT_MAX);
}

/* The least, most and mean of the finite values of column k. */
static size_t statistics(const members *m, int k, long double *least, long double *most, long double *mean)
{
    size_t used = 0;
    *least = INFINITY, *most = -INFINITY, *mean = 0;
    for (size_t i = 0; i < m->count; i++) used += isfinite(m->point[i][k]) ? 1 : 0;
    for (size_t i = 0; i < m->count; i++) {
        const long double v = m->point[i][k];
        if (!isfinite(m->point[i][k])) continue;
        *least = v < *least ? v : *least, *most = v > *most ? v : *most;
        *mean += v / (long double)used;
    }
    return used;
}

static void check_extents(const members *m, const clump_cluster *c)
{
    long double least, most, mean;
    for (int k = 0; k < 3; k++) {
        if (statistics(m, k, &least, &most, &mean) == 0) least = most = mean = 0;
        CHECK(c->lower[k] == (float)least && c->upper[k] == (float)most && !(c->lower[k] == 0 && signbit(c->lower[k])));
        CHECK(close_to(c->centroid[k], mean, (most - least) * 0x1p-31L + fabsl(mean) * 0x1p-23L + 2e-45L));
    }
    if (statistics(m, 3, &least, &most, &mean) > 0)
        CHECK_MSG(close_to(c->intensity, mean, (most - least) * 0x1p-31L + fabsl(mean) * 0x1p-23L + 2e-45L),
                  "intensity %g, not %Lg", (double)c->intensity, mean);
    else
        CHECK(isnan(c->intensity));
}

static void check_distance_and_height(const members *m, const clump_cluster *c, const clump_describe_options *o)
{
    long double nearest = INFINITY;
    float highest = -INFINITY;
    const int across = o->up == CLUMP_UP_Y ? 2 : 1;
    for (size_t i = 0; i < m->count; i++) {
        const long double dx = (long double)m->point[i][0] - o->sensor[0];
        const long double dy = (long double)m->point[i][across] - o->sensor[across];
        const long double d = sqrtl(dx * dx + dy * dy);
        nearest = d < nearest ? d : nearest;
        if (isfinite(m->heights[i]) && m->heights[i] > highest) highest = m->heights[i];
    }
    CHECK_MSG(close_to(c->distance, nearest, nearest * 0x1p-23L + 2e-45L), "distance %g, not %Lg", (double)c->distance,
              nearest);
    CHECK(isinf(highest) ? isnan(c->height) : c->height == highest);
    const long double volume =
        (long double)c->box_size[0] * c->box_size[1] * ((long double)c->upper[3 - across] - c->lower[3 - across]);
    if (volume > 0)
        CHECK(close_to(c->density, (long double)m->count / volume, (long double)m->count / volume * 0x1p-22L + 2e-45L));
    else
        CHECK(isinf(c->density) && c->density > 0);
}

static clump_xy above(const float *p, clump_up up)
{
    return (clump_xy){p[0] + 0.0f, p[up == CLUMP_UP_Y ? 2 : 1] + 0.0f};
}

/* Strictly convex, counterclockwise, around all points and made of points: only the hull is that. */
static void check_hull(const members *m, const clump_cluster *c, clump_up up, const clump_xy *hull)
{
    const size_t corners = (size_t)c->hull_corners;
    long double twice = 0;
    CHECK(corners >= 1 && corners <= m->count);
    for (size_t i = 0; i < corners; i++) {
        const clump_xy a = hull[i], b = hull[(i + 1) % corners], next = hull[(i + 2) % corners];
        if (corners >= 3) CHECK_INT(clump_orientation_exact(a, b, next), 1);
        CHECK(a.x > hull[0].x || (a.x == hull[0].x && a.y >= hull[0].y));
        bool is_point = false;
        for (size_t j = 0; j < m->count; j++) {
            const clump_xy p = above(m->point[j], up);
            is_point = is_point || (p.x == a.x && p.y == a.y);
            if (corners >= 3) CHECK(clump_orientation_exact(a, b, p) >= 0);
            if (corners == 2) CHECK_INT(clump_orientation_exact(a, b, p), 0);
            if (corners == 1) CHECK(p.x == a.x && p.y == a.y);
        }
        CHECK(is_point);
        twice += ((long double)a.x - hull[0].x) * ((long double)b.y - hull[0].y) -
                 ((long double)a.y - hull[0].y) * ((long double)b.x - hull[0].x);
    }
    const long double span = ((long double)c->upper[0] - c->lower[0]) *
                             ((long double)c->upper[up == CLUMP_UP_Y ? 2 : 1] - c->lower[up == CLUMP_UP_Y ? 2 : 1]);
    CHECK_MSG(close_to(c->area, twice / 2, twice * 0x1p-24L + span * 0x1p-45L + 2e-45L), "area %g, not %Lg",
              (double)c->area, twice / 2);
}

/* The definition: offsets as integers of 31 bits, their sums, n S2 - S1 S1. */
static double defined_covariance(const members *m, const clump_cluster *c, int a, int b)
{
    wide products = 0, sum_a = 0, sum_b = 0;
    const double extent_a = (double)c->upper[a] - c->lower[a], extent_b = (double)c->upper[b] - c->lower[b];
    if (extent_a == 0 || extent_b == 0) return 0;
    const int shift_a = 30 - ilogb(extent_a), shift_b = 30 - ilogb(extent_b);
    for (size_t i = 0; i < m->count; i++) {
        const float *const p = m->point[i];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
        const wide qa = llrint(ldexp((double)p[a] - c->lower[a], shift_a));
        const wide qb = llrint(ldexp((double)p[b] - c->lower[b], shift_b));
        products += qa * qb, sum_a += qa, sum_b += qb;
    }
    const double n = (double)m->whole, square = (double)(products * (wide)m->whole - sum_a * sum_b);
    return ldexp(square / n / n, -shift_a - shift_b);
}

/* The textbook: two passes in long double. */
static long double textbook_covariance(const members *m, const clump_cluster *c, int a, int b)
{
    const long double n = (long double)m->whole;
    long double mean_a = 0, mean_b = 0, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < m->count; i++) {
            const float *const p = m->point[i];
            if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
            const long double at_a = (long double)p[a] - c->lower[a], at_b = (long double)p[b] - c->lower[b];
            if (pass == 0)
                mean_a += at_a / n, mean_b += at_b / n;
            else
                sum += (at_a - mean_a) * (at_b - mean_b) / n;
        }
    return sum;
}

static float clamped(double value)
{
    return (float)fmax(-FLT_MAX, fmin(value, FLT_MAX));
}

static void check_covariance(const members *m, const clump_cluster *c)
{
    int pair = 0;
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++, pair++) {
            const float expected = m->whole > 0 ? clamped(defined_covariance(m, c, a, b)) : 0;
            CHECK_MSG(c->covariance[pair] == expected, "covariance %d: %.9g, defined as %.9g", pair,
                      (double)c->covariance[pair], (double)expected);
            const long double textbook = m->whole > 0 ? textbook_covariance(m, c, a, b) : 0;
            const long double extents =
                ((long double)c->upper[a] - c->lower[a]) * ((long double)c->upper[b] - c->lower[b]);
            CHECK_MSG(close_to(c->covariance[pair], textbook, extents * 0x1p-29L + fabsl(textbook) * 0x1p-23L + 2e-45L),
                      "covariance %d: %.9g, by the textbook %.9Lg", pair, (double)c->covariance[pair], textbook);
        }
}

/* variance[k] along axes[k]: the covariance as a matrix turns the axis into a multiple of itself. */
static void check_axes(const members *m, const clump_cluster *c)
{
    const double v[3][3] = {{c->covariance[0], c->covariance[1], c->covariance[2]},
                            {c->covariance[1], c->covariance[3], c->covariance[4]},
                            {c->covariance[2], c->covariance[4], c->covariance[5]}};
    const double trace = v[0][0] + v[1][1] + v[2][2];
    for (int k = 0; k < 3; k++) {
        double length = 0;
        for (int row = 0; row < 3; row++) {
            length += (double)c->axes[k][row] * c->axes[k][row];
            double moved = 0;
            for (int j = 0; j < 3; j++) moved += v[row][j] * c->axes[k][j];
            if (trace < (double)FLT_MAX)
                CHECK(fabs(moved - (double)c->variance[k] * c->axes[k][row]) <= 1e-6 * trace + 1e-44);
        }
        CHECK(fabs(length - (m->whole > 0)) <= 1e-6);
        CHECK(c->variance[k] >= 0 && (k == 0 || c->variance[k] <= c->variance[k - 1]));
    }
}

static void check_cluster(const scene *s, int32_t label, const clump_describe_options *o)
{
    static members m;
    const clump_cluster *const c = &s->found[label];
    find_members(s, label, &m);
    CHECK_INT(c->label, label);
    CHECK_INT(c->count, m.count);
    CHECK_INT(s->offsets[label + 1] - s->offsets[label], c->hull_corners);
    if (m.count == 0) {
        clump_cluster zeros = {.label = label};
        zeros.height = c->height, zeros.intensity = c->intensity;
        CHECK(isnan(c->height) && isnan(c->intensity) && memcmp(&zeros, c, sizeof zeros) == 0);
        return;
    }
    check_extents(&m, c);
    check_distance_and_height(&m, c, o);
    check_hull(&m, c, o->up, (const clump_xy *)(const void *)s->hull + s->offsets[label]);
    check_covariance(&m, c);
    check_axes(&m, c);
}

/* ----- tests ------------------------------------------------------------------------------------------------- */

static void describe(clump_context *ctx, scene *s, const clump_describe_options *o)
{
    memset(s->found, 0xee, sizeof s->found);
    memset(s->hull, 0xee, sizeof s->hull);
    memset(s->offsets, 0xee, sizeof s->offsets);
    CHECK_INT(clump_describe(ctx, points_of(s), s->labels, s->clusters, o, s->found), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
}

static void against_the_slow_way(void)
{
    uint64_t random = 1;
    static scene s;
    clump_context *const ctx = context_of(1);
    for (int run = 0; run < 400; run++) {
        fill(&s, run % KINDS, 1 + check_random(&random) % (run % 7 ? 60 : MOST_POINTS), &random);
        clump_describe_options o = all_options(&s);
        if (run % 3 == 1 && run % KINDS != 9) o.up = CLUMP_UP_Y;
        if (run % 2)
            for (int k = 0; k < 3; k++) o.sensor[k] = check_hard_float(run % KINDS, &random);
        describe(ctx, &s, &o);
        CHECK_INT(s.offsets[0], 0);
        for (int32_t c = 0; c < s.clusters; c++) check_cluster(&s, c, &o);
    }
    clump_context_destroy(ctx);
}

/* Exchanges two points with all that belongs to them. */
static void exchange(scene *s, size_t i, size_t j)
{
    for (size_t k = 0; k < s->stride; k++) {
        const float swap = s->points[i * s->stride + k];
        s->points[i * s->stride + k] = s->points[j * s->stride + k];
        s->points[j * s->stride + k] = swap;
    }
    const float height = s->heights[i];
    const int32_t label = s->labels[i];
    s->heights[i] = s->heights[j], s->heights[j] = height;
    s->labels[i] = s->labels[j], s->labels[j] = label;
}

static void order_changes_nothing(void)
{
    uint64_t random = 2;
    static scene s, first;
    clump_context *const ctx = context_of(1);
    for (int run = 0; run < 60; run++) {
        fill(&s, run % KINDS, 1 + check_random(&random) % MOST_POINTS, &random);
        const clump_describe_options o = all_options(&s);
        describe(ctx, &s, &o);
        first = s;
        for (int again = 0; again < 3; again++) {
            for (size_t i = s.count; i > 1; i--) exchange(&s, i - 1, check_random(&random) % i);
            describe(ctx, &s, &o);
            CHECK_MSG(memcmp(s.found, first.found, sizeof s.found) == 0, "kind %d: another order", run % KINDS);
            CHECK(memcmp(s.hull, first.hull, sizeof s.hull) == 0);
            CHECK(memcmp(s.offsets, first.offsets, sizeof s.offsets) == 0);
        }
    }
    clump_context_destroy(ctx);
}

/* The same cloud with y and z exchanged, seen with y up. */
static void either_axis_may_be_up(void)
{
    uint64_t random = 3;
    static scene s, turned;
    clump_context *const ctx = context_of(1);
    for (int run = 0; run < 60; run++) {
        fill(&s, run % KINDS, 1 + check_random(&random) % MOST_POINTS, &random);
        turned = s;
        for (size_t i = 0; i < s.count; i++) {
            const float *const p = s.points + i * s.stride;
            turned.points[i * s.stride + 1] = p[2], turned.points[i * s.stride + 2] = p[1];
        }
        clump_describe_options o = all_options(&s), up_y = all_options(&turned);
        o.sensor[0] = up_y.sensor[0] = 3, o.sensor[1] = up_y.sensor[2] = 4;
        up_y.up = CLUMP_UP_Y;
        describe(ctx, &s, &o);
        describe(ctx, &turned, &up_y);
        CHECK(memcmp(s.hull, turned.hull, sizeof s.hull) == 0 &&
              memcmp(s.offsets, turned.offsets, sizeof s.offsets) == 0);
        for (int32_t c = 0; c < s.clusters; c++) {
            const clump_cluster *const a = &s.found[c], *const b = &turned.found[c];
            CHECK(memcmp(a->box_center, b->box_center, sizeof(float[5])) == 0); /* up to yaw */
            CHECK(memcmp(&a->distance, &b->distance, sizeof(float[5])) == 0);   /* up to intensity */
            CHECK(a->centroid[1] == b->centroid[2] && a->lower[2] == b->lower[1] && a->upper[1] == b->upper[2]);
            CHECK(a->covariance[1] == b->covariance[2] && a->covariance[3] == b->covariance[5]);
            CHECK(a->covariance[4] == b->covariance[4]);
        }
    }
    clump_context_destroy(ctx);
}

static void hulls_keep_to_their_room(void)
{
    uint64_t random = 4;
    static scene s, all;
    clump_context *const ctx = context_of(1);
    fill(&s, 0, 300, &random);
    clump_describe_options o = all_options(&s);
    describe(ctx, &s, &o);
    all = s;
    const size_t corners = (size_t)all.offsets[s.clusters];
    CHECK(corners > 20);
    for (size_t room = 0; room <= corners + 1; room++) {
        o.hull_capacity = room;
        describe(ctx, &s, &o);
        const size_t written = room < corners ? room : corners;
        CHECK(memcmp(s.offsets, all.offsets, sizeof s.offsets) == 0);
        CHECK(memcmp(s.hull, all.hull, 2 * written * sizeof(float)) == 0);
        for (size_t i = 2 * written * sizeof(float); i < sizeof s.hull; i++)
            if (((const unsigned char *)s.hull)[i] != 0xee) CHECK_FAIL("capacity %zu: byte %zu is written", room, i);
    }
    o.hull_capacity = SIZE_MAX; /* never more corners than points */
    describe(ctx, &s, &o);
    CHECK(memcmp(s.hull, all.hull, sizeof s.hull) == 0);
    o.hull = NULL; /* offsets alone */
    describe(ctx, &s, &o);
    CHECK(memcmp(s.offsets, all.offsets, sizeof s.offsets) == 0);
    s.clusters = 0;
    for (size_t i = 0; i < s.count; i++) s.labels[i] = CLUMP_NOISE;
    describe(ctx, &s, &o);
    CHECK_INT(s.offsets[0], 0);
    clump_context_destroy(ctx);
}

/* Without options: the old fields, and zeros or NaN. */
static void options_are_off(void)
{
    uint64_t random = 5;
    static scene s, all;
    clump_context *const ctx = context_of(1);
    fill(&s, 0, 300, &random);
    const clump_describe_options o = all_options(&s);
    describe(ctx, &s, &o);
    all = s;
    describe(ctx, &s, NULL);
    for (int32_t c = 0; c < s.clusters; c++) {
        clump_cluster expected = all.found[c];
        memset(expected.covariance, 0, sizeof expected.covariance);
        memset(expected.variance, 0, sizeof expected.variance);
        memset(expected.axes, 0, sizeof expected.axes);
        CHECK(isnan(s.found[c].height) && isnan(s.found[c].intensity));
        expected.height = s.found[c].height, expected.intensity = s.found[c].intensity;
        CHECK(memcmp(&expected, &s.found[c], sizeof expected) == 0);
    }
    clump_context_destroy(ctx);
}

/* Jobs of clump_detect describe fewer clusters than there are. */
static void described_in_part(void)
{
    uint64_t random = 6;
    static scene s, all;
    clump_context *const ctx = context_of(1);
    clump_cpu_describe_scratch scratch = {0};
    fill(&s, 0, 400, &random);
    s.clusters = MOST_CLUSTERS;
    clump_describe_options o = all_options(&s);
    describe(ctx, &s, &o);
    all = s;
    for (size_t i = 0; i < s.count; i++)
        if (s.labels[i] >= 5) s.points[i * s.stride] = NAN; /* of a cluster that is not described */
    for (int32_t described = 0; described <= 5; described++) {
        memset(s.found, 0xee, sizeof s.found);
        memset(s.offsets, 0xee, sizeof s.offsets);
        const clump_describe_job job = {.points = (const char *)s.points,
                                        .count = s.count,
                                        .stride = s.stride * sizeof(float),
                                        .labels = s.labels,
                                        .cluster_count = s.clusters,
                                        .described = described,
                                        .clusters = s.found,
                                        .options = o,
                                        .wait = true};
        clump_stats result = {0};
        CHECK_INT(clump_begin(ctx, "clump_detect"), CLUMP_OK);
        CHECK_INT(clump_cpu_describe(&ctx->work, &scratch, &job, &result), CLUMP_OK);
        CHECK(memcmp(s.found, all.found, (size_t)described * sizeof *s.found) == 0);
        CHECK(memcmp(s.offsets, all.offsets, ((size_t)described + 1) * sizeof *s.offsets) == 0);
        CHECK(((const unsigned char *)&s.found[described])[0] == 0xee);
    }
    clump_cpu_describe_release(&ctx->work, &scratch);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_describe_fields)
{
    RUN(against_the_slow_way);
    RUN(order_changes_nothing);
    RUN(either_axis_may_be_up);
    RUN(hulls_keep_to_their_room);
    RUN(options_are_off);
    RUN(described_in_part);
}
