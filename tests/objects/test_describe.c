/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_describe.c: clump_describe and clump_group against naive computations, and on the points in another order, where
 * no bit may change.
 */
#include "support/check.h"

#include <clump/info.h>

#include "core/cluster.h"
#include "cpu/describe/hull.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

static clump_context *make_context(void)
{
    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) abort();
    return ctx;
}

static clump_cluster describe_one(const float *xyz, size_t count)
{
    clump_context *const ctx = make_context();
    int32_t *const labels = calloc(count, sizeof *labels);
    clump_cluster cluster;
    const clump_points points = {.xyz = xyz, .count = count};
    CHECK_INT(clump_describe(ctx, points, labels, 1, NULL, &cluster), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
    free(labels);
    return cluster;
}

static bool near(double value, double expected, double tolerance)
{
    return fabs(value - expected) <= tolerance;
}

static void check_box(const char *name, const float *xyz, size_t count, double yaw, double along, double across)
{
    const clump_cluster c = describe_one(xyz, count);
    CHECK_MSG(near(c.yaw, yaw, 1e-4) && c.yaw >= 0 && c.yaw < 90, "%s: yaw %.9g", name, (double)c.yaw);
    CHECK_MSG(near(c.box_size[0], along, 1e-5 * (1 + along)), "%s: length %.9g", name, (double)c.box_size[0]);
    CHECK_MSG(near(c.box_size[1], across, 1e-5 * (1 + across)), "%s: width %.9g", name, (double)c.box_size[1]);
}

static void known_boxes(void)
{
    const float one[] = {5, -3, 2};
    check_box("one point", one, 1, 0, 0, 0);
    const float same[] = {5, -3, 2, 5, -3, 2, 5, -3, 2};
    check_box("equal points", same, 3, 0, 0, 0);
    const float flat[] = {0, 1, 0, 2, 1, 0, 7, 1, 0};
    check_box("line along x", flat, 3, 0, 7, 0);
    const float upright[] = {1, 0, 0, 1, 3, 0, 1, -4, 0};
    check_box("line along y", upright, 3, 0, 0, 7);
    const float rising[] = {0, 0, 0, 1, 1, 0, 2, 2, 0, 3, 3, 0};
    check_box("line at 45", rising, 4, 45, 3 * sqrt(2), 0);
    const float falling[] = {0, 3, 0, 1, 2, 0, 2, 1, 0, 3, 0, 0};
    check_box("line at 135", falling, 4, 45, 0, 3 * sqrt(2));
    const float rectangle[] = {0, 0, 0, 4, 0, 0, 4, 2, 0, 0, 2, 0, 1, 1, 0};
    check_box("rectangle", rectangle, 5, 0, 4, 2);
    const float triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}; /* 0 and 45 degrees have the same area */
    check_box("right triangle", triangle, 3, 0, 1, 1);
    const float other_triangle[] = {0, 0, 0, 1, 0, 0, 1, 1, 0}; /* its edge of 45 degrees is the last one */
    check_box("other right triangle", other_triangle, 3, 0, 1, 1);
    const float diamond[] = {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};
    check_box("diamond", diamond, 4, 45, sqrt(2), sqrt(2));
    for (int degrees = 0; degrees < 360; degrees += 15) {
        const float c = (float)cos(degrees * PI / 180), s = (float)sin(degrees * PI / 180);
        const float turned[] = {
            10, 20, 0, 10 + 5 * c, 20 + 5 * s, 0, 10 + 5 * c - 2 * s, 20 + 5 * s + 2 * c, 0, 10 - 2 * s, 20 + 2 * c, 0};
        const clump_cluster box = describe_one(turned, 4);
        const bool long_is_along = degrees % 180 < 90;
        CHECK_MSG(near(fmod(box.yaw + 45, 90), fmod(degrees + 45, 90), 1e-3) || near(box.yaw, 90, 1e-3), "%d: %g",
                  degrees, (double)box.yaw);
        if (degrees % 90 != 0) CHECK(near(box.box_size[!long_is_along], 5, 1e-4));
        CHECK(near(box.box_size[0] * box.box_size[1], 10, 1e-4));
        CHECK(near(box.box_center[0], 10 + 2.5 * c - s, 1e-4) && near(box.box_center[1], 20 + 2.5 * s + c, 1e-4));
    }
}

/* ----- random clusters against naive computations -------------------------------------------- */

enum { SHAPES = 8 };

static void make_shape(int shape, float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        const float u = check_random_float(random), v = check_random_float(random), w = check_random_float(random);
        const float a = (float)(2 * PI) * u;
        p[0] = u - 0.5f, p[1] = v - 0.5f, p[2] = w;
        if (shape == 1) p[0] = cosf(a) * 3, p[1] = sinf(a) * 3;          /* circle */
        if (shape == 2) p[0] = floorf(u * 4), p[1] = floorf(v * 3);      /* many equal, many on a line */
        if (shape == 3) p[0] = u * 100, p[1] = p[0] / 3;                 /* a line but for rounding */
        if (shape == 4) p[0] = 1e6f + u * 10, p[1] = -1e6f + v * 2;      /* far away */
        if (shape == 5) p[0] = u - v, p[1] = u + v * 0.3f, p[2] = -0.0f; /* slanted */
        if (shape == 6) p[0] = (u + v) * 1e30f, p[1] = (u - v) * 1e30f, p[2] = -w * 1e30f;
        if (shape == 7) p[0] = (u + v) * 1e-42f, p[1] = (u - v) * 1e-42f, p[2] = w * 1e-42f; /* denormal */
    }
}

static double area_along(const float *xyz, size_t count, double ux, double uy)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        const double x = (double)xyz[3 * i] - xyz[0], y = (double)xyz[3 * i + 1] - xyz[1];
        const double at[2] = {x * ux + y * uy, y * ux - x * uy};
        for (int k = 0; k < 2; k++) { /* not fmin: gcc 12 fails to compile it at -O3 for SVE */
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    return (high[0] - low[0]) * (high[1] - low[1]) / (ux * ux + uy * uy);
}

/* The least area over all directions between two points; the hull's edges are among them. */
static double least_area(const float *xyz, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            const double ux = (double)xyz[3 * i] - xyz[3 * j], uy = (double)xyz[3 * i + 1] - xyz[3 * j + 1];
            if (ux != 0 || uy != 0) least = fmin(least, area_along(xyz, count, ux, uy));
        }
    }
    return isinf(least) ? 0 : least;
}

static void check_cluster(int shape, const float *xyz, size_t count, clump_cluster c)
{
    double extent[3];
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY, sum = 0;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, xyz[3 * i + (size_t)k]);
            high = fmax(high, xyz[3 * i + (size_t)k]);
            sum += (double)xyz[3 * i + (size_t)k] / (double)count;
        }
        extent[k] = high - low;
        CHECK(c.lower[k] == (float)low && c.upper[k] == (float)high);
        const double tolerance = extent[k] * 1e-7 + fabs(sum) * 1e-7 + 2e-45;
        CHECK_MSG(near(c.centroid[k], sum, tolerance), "shape %d axis %d: %.9g, not %.9g", shape, k,
                  (double)c.centroid[k], sum);
        CHECK(c.centroid[k] >= c.lower[k] && c.centroid[k] <= c.upper[k]);
    }

    /* No direction gives less area, and all points are in the box. */
    const double scale = extent[0] + extent[1], area = (double)c.box_size[0] * c.box_size[1];
    const double tolerance = scale * scale * 1e-6 + 2e-45 * scale;
    CHECK_MSG(near(area, least_area(xyz, count), tolerance), "shape %d, %zu points: area %.9g, least %.9g", shape,
              count, area, least_area(xyz, count));
    for (double degrees = 0; degrees < 90; degrees += 0.25)
        CHECK(area_along(xyz, count, cos(degrees * PI / 180), sin(degrees * PI / 180)) >= area - tolerance);
    const double ux = cos(c.yaw * PI / 180), uy = sin(c.yaw * PI / 180);
    const double slack = scale * 1e-6 + (fabs((double)c.upper[0]) + fabs((double)c.upper[1])) * 1e-7 + 6e-45;
    for (size_t i = 0; i < count; i++) {
        const double x = (double)xyz[3 * i] - c.box_center[0], y = (double)xyz[3 * i + 1] - c.box_center[1];
        CHECK(fabs(x * ux + y * uy) <= 0.5 * c.box_size[0] + slack);
        CHECK(fabs(y * ux - x * uy) <= 0.5 * c.box_size[1] + slack);
    }
}

static void shuffle(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = check_random(random) % i;
        for (size_t k = 0; k < 3; k++) {
            const float swap = xyz[3 * (i - 1) + k];
            xyz[3 * (i - 1) + k] = xyz[3 * j + k];
            xyz[3 * j + k] = swap;
        }
    }
}

static void random_clusters(void)
{
    uint64_t random = 1;
    static float xyz[3 * 150];
    for (int shape = 0; shape < SHAPES; shape++) {
        for (size_t count = 1; count <= 150; count += count < 10 ? 1 : 35) {
            make_shape(shape, xyz, count, &random);
            const clump_cluster first = describe_one(xyz, count);
            CHECK_INT(first.count, count);
            check_cluster(shape, xyz, count, first);
            for (int turn = 0; turn < 5; turn++) {
                shuffle(xyz, count, &random);
                const clump_cluster again = describe_one(xyz, count);
                CHECK_MSG(memcmp(&first, &again, sizeof first) == 0, "shape %d, %zu points in another order", shape,
                          count);
            }
        }
    }
}

/* Large enough for the filter and the radix sort to matter; also -0 beside 0. */
static void large_clusters(void)
{
    uint64_t random = 2;
    const size_t count = 100000;
    float *const xyz = malloc(3 * count * sizeof *xyz);
    for (int shape = 0; shape < SHAPES; shape++) {
        make_shape(shape, xyz, count, &random);
        if (shape == 2)
            for (size_t i = 0; i < 3 * count; i += 2) xyz[i] = xyz[i] == 0 ? -0.0f : xyz[i];
        const clump_cluster first = describe_one(xyz, count);
        const double area = (double)first.box_size[0] * first.box_size[1];
        for (double degrees = 0; degrees < 90; degrees += 10)
            CHECK(area_along(xyz, count, cos(degrees * PI / 180), sin(degrees * PI / 180)) >= area * (1 - 1e-6));
        shuffle(xyz, count, &random);
        const clump_cluster again = describe_one(xyz, count);
        CHECK_MSG(memcmp(&first, &again, sizeof first) == 0, "shape %d", shape);
    }
    free(xyz);
}

static int compare_xy(const void *a, const void *b)
{
    const clump_xy *const p = a, *const q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* The hull of all points, none dropped: one side from left to right, the other from right to left. */
static size_t plain_hull(clump_xy *p, size_t count, clump_xy *hull)
{
    qsort(p, count, sizeof *p, compare_xy);
    size_t n = 0;
    for (int side = 0; side < 2; side++) {
        const size_t first = n;
        for (size_t k = 0; k < count; k++) {
            const clump_xy c = p[side == 0 ? k : count - 1 - k];
            if (n > first && compare_xy(&hull[n - 1], &c) == 0) continue;
            while (n >= first + 2 && clump_orientation_exact(hull[n - 2], hull[n - 1], c) <= 0) n--;
            hull[n++] = c;
        }
        if (n > 1) n--; /* the other side begins with the last corner of this one */
    }
    return n;
}

/* Enough candidates for both filters of the hull, on shapes where few or all are dropped. */
static void hull_of_many(void)
{
    uint64_t random = 8;
    enum { COUNT = 30000 };
    float *const xyz = malloc(5 * COUNT * sizeof *xyz), *const x = xyz + 3 * COUNT, *const y = x + COUNT;
    clump_xy *const points = malloc(3 * (COUNT + 1) * sizeof *points), *const expected = points + COUNT + 1;
    void *const scratch = malloc(clump_hull_scratch_bytes(COUNT));
    for (int run = 0; run < 3 * SHAPES; run++) {
        const size_t count = run < SHAPES ? COUNT : 200 + check_random(&random) % 3000;
        make_shape(run % SHAPES, xyz, count, &random);
        for (size_t i = 0; i < count; i++) {
            x[i] = xyz[3 * i] + 0.0f, y[i] = xyz[3 * i + 1] + 0.0f;
            if (run >= 2 * SHAPES) y[i] = x[i] + y[i] * 1e-3f; /* thin and slanted */
            points[i] = (clump_xy){x[i], y[i]};
        }
        const clump_xy *hull;
        const size_t corners = clump_hull(x, y, count, scratch, &hull);
        CHECK_INT(corners, plain_hull(points, count, expected));
        CHECK_MSG(memcmp(hull, expected, corners * sizeof *hull) == 0, "shape %d, %zu points", run % SHAPES, count);
    }
    free(xyz), free(points), free(scratch);
}

/* Consecutive points in small boxes at the edges of a slanted square, inside and outside of it by little: the hull tests
 * such boxes as a whole. */
static void hull_of_boxes(void)
{
    static const clump_xy square[] = {{100, 30}, {-30, 100}, {-100, -30}, {30, -100}, {100, 30}};
    enum { COUNT = 20000, BOX = 64 };
    static float x[COUNT], y[COUNT];
    static clump_xy points[COUNT], expected[COUNT + 1];
    uint64_t random = 10;
    void *const scratch = malloc(clump_hull_scratch_bytes(COUNT));
    for (int run = 0; run < 60; run++) {
        const size_t count = run % 3 == 0 ? COUNT : 256 + check_random(&random) % 800;
        clump_xy center = {0, 0};
        float size = 1;
        for (size_t i = 0; i < count; i++) {
            const clump_xy *const edge = &square[check_random(&random) % 4];
            const float t = check_random_float(&random), u = check_random_float(&random),
                        v = check_random_float(&random);
            if (i % BOX == 0) {
                center.x = edge[0].x + (edge[1].x - edge[0].x) * t, center.y = edge[0].y + (edge[1].y - edge[0].y) * t;
                size = ldexpf(1, (int)(check_random(&random) % 24) - 20);
            }
            x[i] = i < 5 ? square[i].x : center.x + (u - 0.5f) * size;
            y[i] = i < 5 ? square[i].y : center.y + (v - (run % 2 ? 0.5f : 1.0f)) * size;
            points[i] = (clump_xy){x[i], y[i]};
        }
        const clump_xy *hull;
        const size_t corners = clump_hull(x, y, count, scratch, &hull);
        CHECK_INT(corners, plain_hull(points, count, expected));
        CHECK_MSG(memcmp(hull, expected, corners * sizeof *hull) == 0, "run %d, %zu points", run, count);
    }
    free(scratch);
}

/* The mean as rules/mean.h defines it, for numbers of points on both sides of where the computation changes. */
static void means_as_defined(void)
{
    static const size_t counts[] = {2, 3, 4, 31, 33, 511, 512, 1023, 1024, 1025, 2047, 2048, 2049, 5000};
    uint64_t random = 9;
    static float xyz[3 * 5000];
    for (size_t run = 0; run < 4 * sizeof counts / sizeof *counts; run++) {
        const size_t count = counts[run / 4];
        make_shape((int)(run % 4 == 3 ? 6 : run % 4), xyz, count, &random);
        const clump_cluster c = describe_one(xyz, count);
        for (int k = 0; k < 3; k++) {
            int bits = 0, shift;
            while (count >> bits) bits++;
            const double extent = (double)c.upper[k] - c.lower[k];
            if (extent == 0) continue;
            shift = 62 - bits - ilogb(extent);
            int64_t sum = 0;
            for (size_t i = 0; i < count; i++) sum += llrint(ldexp((double)xyz[3 * i + (size_t)k] - c.lower[k], shift));
            const double mean = c.lower[k] + ldexp((double)sum / (double)count, -shift);
            CHECK_MSG(c.centroid[k] == (float)mean, "%zu points: %.9g, not %.9g", count, (double)c.centroid[k], mean);
        }
    }
}

static bool all_finite(const clump_cluster *c)
{
    bool finite = isfinite(c->yaw) && c->yaw >= 0 && c->yaw < 90;
    for (int k = 0; k < 3; k++)
        finite = finite && isfinite(c->centroid[k]) && isfinite(c->lower[k]) && isfinite(c->upper[k]);
    for (int k = 0; k < 2; k++) finite = finite && isfinite(c->box_center[k]) && isfinite(c->box_size[k]);
    return finite;
}

/* One cluster with most points, as the ground of a scan, many small ones, noise, and points without z. */
static size_t fill_scan(float *xyz, int32_t *labels, size_t count, int32_t clusters)
{
    uint64_t random = 5;
    size_t large = 0;
    for (size_t i = 0; i < count; i++) {
        const float angle = 6.28f * check_random_float(&random), r = 50 * check_random_float(&random);
        labels[i] =
            (int32_t)(check_random(&random) % 8) == 0 ? (int32_t)(check_random(&random) % (uint64_t)clusters) - 1 : 3;
        const float at = (float)labels[i], size = labels[i] == 3 ? 1 : 0.01f;
        xyz[3 * i] = at + size * r * cosf(angle), xyz[3 * i + 1] = -at + size * r * sinf(angle);
        xyz[3 * i + 2] = check_random(&random) % 64 ? r / 100 : NAN;
        large += labels[i] == 3;
    }
    return large;
}

static void threads_change_nothing(void)
{
    enum { COUNT = 150000, CLUSTERS = 700 };
    float *const xyz = malloc(3 * COUNT * sizeof *xyz);
    int32_t *const labels = malloc(COUNT * sizeof *labels);
    clump_cluster *const found = calloc(2 * (CLUSTERS + 1), sizeof *found), *const first = found + CLUSTERS + 1;
    float *const hull = calloc(2 * 2 * COUNT, sizeof *hull);
    int32_t *const offsets = calloc(2 * (CLUSTERS + 1), sizeof *offsets);
    const size_t large = fill_scan(xyz, labels, COUNT, CLUSTERS);
    clump_describe_options all = clump_describe_defaults();
    all.axes = true, all.values = xyz + 2, all.values_stride = 12, all.heights = xyz;
    all.hull = hull, all.hull_capacity = COUNT, all.hull_offsets = offsets;
    for (int threads = 1; threads <= 7; threads += threads < 2 ? 1 : 2) {
        clump_context_options o = clump_context_defaults();
        o.backend = CLUMP_BACKEND_CPU;
        o.threads = threads;
        clump_context *ctx;
        CHECK_INT(clump_context_create(&o, &ctx), CLUMP_OK);
        memset(found, 0xee, CLUSTERS * sizeof *found);
        CHECK_INT(clump_describe(ctx, (clump_points){.xyz = xyz, .count = COUNT}, labels, CLUSTERS, &all, found),
                  CLUMP_OK);
        if (threads == 1) memcpy(first, found, CLUSTERS * sizeof *found);
        if (threads == 1) memcpy(hull + 2 * COUNT, hull, 2 * COUNT * sizeof *hull);
        if (threads == 1) memcpy(offsets + CLUSTERS + 1, offsets, (CLUSTERS + 1) * sizeof *offsets);
        CHECK(memcmp(hull, hull + 2 * COUNT, 2 * COUNT * sizeof *hull) == 0);
        CHECK(memcmp(offsets, offsets + CLUSTERS + 1, (CLUSTERS + 1) * sizeof *offsets) == 0);
        CHECK_MSG(memcmp(found, first, CLUSTERS * sizeof *found) == 0, "%d threads: other boxes", threads);
        CHECK_INT(found[3].count, (int)large);
        const int32_t kept = labels[COUNT / 2];
        labels[COUNT / 2] = CLUSTERS; /* found by one of the threads */
        CHECK_INT(clump_describe(ctx, (clump_points){.xyz = xyz, .count = COUNT}, labels, CLUSTERS, NULL, found),
                  CLUMP_ERR_ARGUMENT);
        CHECK_TEXT(clump_context_error(ctx), "clump_describe: labels[75000] is 700, allowed are -2 to 699");
        labels[COUNT / 2] = kept;
        clump_context_destroy(ctx);
    }
    free(xyz), free(labels), free(found), free(hull), free(offsets);
}

static void ends_of_the_range(void)
{
    const float m = FLT_MAX, t = FLT_TRUE_MIN;
    const float widest[] = {-m, -m, -m, m, m, m, m, -m, m, -m, m, -m};
    const clump_cluster wide = describe_one(widest, 4);
    CHECK(all_finite(&wide));
    for (int k = 0; k < 3; k++) CHECK(wide.centroid[k] == 0);
    const float tiny[] = {0, 0, 0, t, 0, t, t, t, t, 0, t, 0};
    const clump_cluster small = describe_one(tiny, 4);
    CHECK(all_finite(&small));
    CHECK(small.box_size[0] == t && small.box_size[1] == t && small.yaw == 0);
    const float mixed[] = {-1e30f, 1e-30f, 1, 1e-30f, 1e30f, 2, t, -t, 3, m, 1, 4, 1e-30f, 1e-30f, 5};
    const clump_cluster both = describe_one(mixed, 5);
    CHECK(all_finite(&both));
    const float steep[] = {0, 0, 0, t, 1e30f, 0}; /* 90 degrees but for less than float can say */
    const clump_cluster line = describe_one(steep, 2);
    CHECK(all_finite(&line));
    CHECK(near(line.box_size[0], 1e30, 1e24) && line.box_size[1] < 1e24);
}

/* Three points on a line through 0 but for the last bits of the nearest, which double cannot see from
 * where the others are. */
static void hull_is_exact(void)
{
    for (int e = -20; e <= 60; e += 4) {
        for (int side = -1; side <= 1; side++) {
            const float a = ldexpf(1, e), b = 3 * a, nudge = (float)side * 0x1p-21f;
            const float x[3] = {3 * b, 3 * a, 3 * 0x1p-30f}, y[3] = {5 * b, 5 * a, (5 + nudge) * 0x1p-30f};
            static double scratch[16];
            CHECK(clump_hull_scratch_bytes(3) <= sizeof scratch);
            const clump_xy *hull;
            CHECK_INT(clump_hull(x, y, 3, scratch, &hull), side ? 3 : 2);
            CHECK(hull[0].x == x[2]);
            CHECK_MSG(hull[1].x == (side > 0 ? x[1] : x[0]), "exponent %d, side %d", e, side);
        }
    }
}

static void zeros_have_no_sign(void)
{
    const float n = -0.0f;
    const float a[] = {0, 1, n, n, 2, 0, 1, n, n, 1, 0, 0}, b[] = {1, 0, 0, 1, n, n, n, 2, 0, 0, 1, n};
    const clump_cluster first = describe_one(a, 4), again = describe_one(b, 4);
    CHECK(memcmp(&first, &again, sizeof first) == 0);
    CHECK(!signbit(first.lower[0]) && !signbit(first.lower[1]) && !signbit(first.lower[2]));
    const float tiny[] = {-0x1p-149f, 0, 0, 0, 0, 0}; /* middle and mean are rounded to 0 from below */
    const clump_cluster c = describe_one(tiny, 2);
    CHECK(c.centroid[0] == 0 && !signbit(c.centroid[0]) && c.box_center[0] == 0 && !signbit(c.box_center[0]));
}

static void z_may_be_missing(void)
{
    const float xyz[] = {0, 0, NAN, 1, 0, 5, 2, 0, INFINITY, 3, 0, 7, 9, 9, NAN};
    const int32_t labels[] = {0, 0, 0, 0, 1};
    clump_context *const ctx = make_context();
    clump_cluster c[2];
    CHECK_INT(clump_describe(ctx, (clump_points){.xyz = xyz, .count = 5}, labels, 2, NULL, c), CLUMP_OK);
    CHECK(c[0].count == 4 && c[0].centroid[0] == 1.5f);
    CHECK(c[0].lower[2] == 5 && c[0].upper[2] == 7 && c[0].centroid[2] == 6);
    CHECK(c[1].count == 1 && c[1].lower[2] == 0 && c[1].upper[2] == 0 && c[1].centroid[2] == 0);
    clump_context_destroy(ctx);
}

static void several_clusters(void)
{
    /* Stride of 4 floats, noise, ground, and a label without points. */
    const float xyzi[] = {0, 0, 0, 9, 8, 8, 8, 9, 2, 0, 0, 9, NAN, 0, 0, 9, 5, 5, 5, 9, 1, 1, 0, 9};
    const int32_t labels[] = {2, 0, 2, CLUMP_NOISE, CLUMP_GROUND, 2};
    const clump_points points = {.xyz = xyzi, .count = 6, .stride = 16};
    clump_context *const ctx = make_context();
    clump_cluster c[3];
    memset(c, 0xff, sizeof c);
    CHECK_INT(clump_describe(ctx, points, labels, 3, NULL, c), CLUMP_OK);
    const clump_cluster empty = clump_cluster_empty(1);
    CHECK(isnan(empty.height) && isnan(empty.intensity) && empty.label == 1 && empty.count == 0 && empty.distance == 0);
    CHECK(memcmp(&c[1], &empty, sizeof empty) == 0);
    CHECK(c[0].label == 0 && c[0].count == 1 && c[0].centroid[1] == 8);
    CHECK(c[2].label == 2 && c[2].count == 3 && c[2].centroid[0] == 1);
    const size_t held = clump_context_stats(ctx).host_bytes;
    CHECK_INT(clump_describe(ctx, points, labels, 3, NULL, c), CLUMP_OK);
    CHECK_INT(clump_context_stats(ctx).host_bytes, held);
    CHECK_INT(clump_describe(ctx, (clump_points){0}, NULL, 0, NULL, NULL), CLUMP_OK);
    CHECK_INT(clump_describe(ctx, (clump_points){0}, NULL, 2, NULL, c), CLUMP_OK);
    CHECK(memcmp(&c[1], &empty, sizeof empty) == 0);
    clump_context_destroy(ctx);
}

static void says_no(void)
{
    float xyz[6] = {0, 0, 0, 1, 1, 1};
    int32_t labels[2] = {0, 0};
    clump_cluster c[1];
    clump_context *const ctx = make_context();
    clump_points points = {.xyz = xyz, .count = 2};
    CHECK_INT(clump_describe(NULL, points, labels, 1, NULL, c), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_describe(ctx, points, NULL, 1, NULL, c), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_describe(ctx, points, labels, 1, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_describe(ctx, points, labels, -1, NULL, c), CLUMP_ERR_ARGUMENT);
    labels[1] = 1;
    CHECK_INT(clump_describe(ctx, points, labels, 1, NULL, c), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(clump_context_error(ctx), "labels[1] is 1"));
    labels[1] = 0, xyz[4] = INFINITY;
    CHECK_INT(clump_describe(ctx, points, labels, 1, NULL, c), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(clump_context_error(ctx), "point 1 is in cluster 0"));
    labels[1] = CLUMP_NOISE;
    CHECK_INT(clump_describe(ctx, points, labels, 1, NULL, c), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

/* Points are copied by fours: the point that is not finite is seen at every place of runs of every length. */
static void point_that_is_not_finite(void)
{
    clump_context_options o = clump_context_defaults();
    clump_context *ctx;
    o.backend = CLUMP_BACKEND_CPU;
    CHECK_INT(clump_context_create(&o, &ctx), CLUMP_OK);
    float xyz[4 * 12] = {0};
    int32_t labels[12] = {0};
    clump_cluster c;
    for (size_t stride = 12; stride <= 16; stride += 4) {
        for (size_t count = 1; count <= 12; count++) {
            for (size_t bad = 0; bad < 2 * count; bad++) {
                float *const value = &xyz[bad / 2 * stride / 4 + bad % 2];
                const clump_points points = {.xyz = xyz, .count = count, .stride = stride};
                *value = bad % 3 ? INFINITY : NAN;
                CHECK_INT(clump_describe(ctx, points, labels, 1, NULL, &c), CLUMP_ERR_ARGUMENT);
                *value = 0;
                CHECK_INT(clump_describe(ctx, points, labels, 1, NULL, &c), CLUMP_OK);
            }
        }
    }
    clump_context_destroy(ctx);
}

#define CHECK_REFUSED(call, status, text)                                                                              \
    do {                                                                                                               \
        CHECK_INT((call), (status));                                                                                   \
        CHECK_TEXT(clump_context_error(ctx), (text));                                                                  \
    } while (0)

/* What is wrong with the options. Nothing is written. */
static void says_no_to_options(void)
{
    clump_context_options on_cpu = clump_context_defaults();
    on_cpu.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx;
    CHECK_INT(clump_context_create(&on_cpu, &ctx), CLUMP_OK);
    float xyz[8] = {0, 0, 0, 1, 1, 1}, hull[4];
    int32_t labels[2] = {0, 0}, offsets[2] = {7, 7};
    clump_cluster c = {.label = 7};
    clump_points points = {.xyz = xyz, .count = 2};
    const clump_describe_options defaults = clump_describe_defaults();
    clump_describe_options o = defaults;
    o = defaults, o.values = xyz, o.values_stride = 6;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: values_stride is 6, it must be a multiple of 4");
    o = defaults, o.hull = hull, o.hull_capacity = 2;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: hull is given but hull_offsets is null");
    o = defaults, o.clusters_place = (clump_place)5;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: there is no place number 5");
    o = defaults, o.clusters_place = CLUMP_PLACE_DEVICE;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_MEMORY_KIND,
                  "clump_describe: clusters_place is the device but the points are in host memory");
    o = defaults, o.hull = xyz, o.hull_capacity = 1, o.hull_offsets = offsets;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: points.xyz and hull overlap, each must have its own memory");
    o = defaults, o.hull_offsets = labels;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: labels and hull_offsets overlap, each must have its own memory");
    o = defaults, o.heights = c.centroid;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: heights and clusters overlap, each must have its own memory");
    o = defaults, o.values = c.centroid;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: values and clusters overlap, each must have its own memory");
    o = defaults, o.values = (const float *)(const void *)((const char *)xyz + 2);
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: values is not aligned to 4 bytes");
    o = defaults, o.up = CLUMP_UP_Y, xyz[5] = INFINITY;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, &o, &c), CLUMP_ERR_ARGUMENT,
                  "clump_describe: point 1 is in cluster 0 but at x = 1, z = inf, which is not finite");
    CHECK(c.label == 7 && c.count == 0 && offsets[0] == 7 && offsets[1] == 7);
    points.place = CLUMP_PLACE_DEVICE;
    CHECK_REFUSED(clump_describe(ctx, points, labels, 1, NULL, &c), CLUMP_ERR_MEMORY_KIND,
                  "the points lie in device memory and the CPU was asked for");
    CHECK_REFUSED(clump_group(ctx, labels, 2, CLUMP_PLACE_DEVICE, 1, offsets, NULL), CLUMP_ERR_ARGUMENT,
                  "clump_group: members is null");
    CHECK_REFUSED(clump_group(ctx, labels, 2, (clump_place)9, 1, offsets, labels), CLUMP_ERR_ARGUMENT,
                  "clump_group: there is no place number 9");
    int32_t members[2];
    CHECK_INT(clump_group(ctx, labels, 2, CLUMP_PLACE_DEVICE, 1, offsets, members), CLUMP_ERR_MEMORY_KIND);
    clump_context_destroy(ctx);
}

static void groups(void)
{
    const int32_t labels[] = {1, 0, -1, 1, 3, -2, 1}, offsets_expected[] = {0, 1, 4, 4, 5},
                  members_expected[] = {1, 0, 3, 6, 4};
    int32_t offsets[5], members[7] = {0, 0, 0, 0, 0, 77, 77};
    clump_context *const ctx = make_context();
    CHECK_INT(clump_group(ctx, labels, 7, CLUMP_PLACE_HOST, 4, offsets, members), CLUMP_OK);
    CHECK(memcmp(offsets, offsets_expected, sizeof offsets) == 0);
    CHECK(memcmp(members, members_expected, sizeof members_expected) == 0);
    CHECK(members[5] == 77 && members[6] == 77);

    CHECK_INT(clump_group(ctx, labels, 7, CLUMP_PLACE_HOST, 3, offsets, members), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(clump_context_error(ctx), "clump_group: labels[4] is 3, allowed are -2 to 2");
    const int32_t wrong[] = {0, -3};
    CHECK_INT(clump_group(ctx, wrong, 2, CLUMP_PLACE_HOST, 1, offsets, members), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(clump_context_error(ctx), "labels[1] is -3"));
    CHECK_INT(clump_group(NULL, labels, 7, CLUMP_PLACE_HOST, 4, offsets, members), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_group(ctx, NULL, 7, CLUMP_PLACE_HOST, 4, offsets, members), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_group(ctx, labels, 7, CLUMP_PLACE_HOST, 4, NULL, members), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_group(ctx, labels, 7, CLUMP_PLACE_HOST, 4, offsets, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_group(ctx, labels, 7, CLUMP_PLACE_HOST, -1, offsets, members), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_group(ctx, labels, (size_t)INT32_MAX + 1, CLUMP_PLACE_HOST, 4, offsets, members),
              CLUMP_ERR_TOO_MANY);

    const int32_t noise[] = {-1, -2};
    CHECK_INT(clump_group(ctx, noise, 2, CLUMP_PLACE_HOST, 0, offsets, NULL), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    CHECK_INT(offsets[0], 0);
    CHECK_INT(clump_group(ctx, NULL, 0, CLUMP_PLACE_HOST, 2, offsets, NULL), CLUMP_OK);
    CHECK(offsets[0] == 0 && offsets[1] == 0 && offsets[2] == 0);
    clump_context_destroy(ctx);
}

/* Long and short runs of labels, on several threads. */
static void groups_of_many(void)
{
    enum { COUNT = 90000, CLUSTERS = 900 };
    int32_t *const labels = malloc(COUNT * sizeof *labels), *const members = malloc(COUNT * sizeof *members);
    static int32_t offsets[CLUSTERS + 1];
    uint64_t random = 7;
    for (size_t i = 0; i < COUNT;) {
        const int32_t label = (int32_t)(check_random(&random) % (CLUSTERS + 1)) - 2; /* the last one is empty */
        for (uint64_t left = check_random(&random) % 40; i < COUNT && left > 0; left--) labels[i++] = label;
    }
    for (int threads = 1; threads <= 8; threads *= 2) {
        clump_context_options o = clump_context_defaults();
        o.backend = CLUMP_BACKEND_CPU;
        o.threads = threads;
        clump_context *ctx;
        CHECK_INT(clump_context_create(&o, &ctx), CLUMP_OK);
        memset(members, 0xee, COUNT * sizeof *members);
        CHECK_INT(clump_group(ctx, labels, COUNT, CLUMP_PLACE_HOST, CLUSTERS, offsets, members), CLUMP_OK);
        size_t listed = 0;
        CHECK_INT(offsets[0], 0);
        for (int32_t c = 0; c < CLUSTERS; c++) {
            CHECK(offsets[c + 1] >= offsets[c]);
            for (int32_t i = offsets[c]; i < offsets[c + 1]; i++, listed++) {
                CHECK(members[i] >= 0 && members[i] < COUNT && labels[members[i]] == c);
                CHECK(i == offsets[c] || members[i] > members[i - 1]);
            }
        }
        size_t expected = 0;
        for (size_t i = 0; i < COUNT; i++) expected += labels[i] >= 0 ? 1 : 0;
        CHECK_INT(listed, expected);
        CHECK_INT(clump_group(ctx, labels, COUNT, CLUMP_PLACE_HOST, CLUSTERS, offsets, NULL), CLUMP_ERR_ARGUMENT);
        CHECK(strstr(clump_context_error(ctx), "clump_group: members is null but"));
        clump_context_destroy(ctx);
    }
    free(labels), free(members);
}

CHECK_PROGRAM(test_describe)
{
    RUN(known_boxes);
    RUN(random_clusters);
    RUN(large_clusters);
    RUN(hull_of_many);
    RUN(hull_of_boxes);
    RUN(means_as_defined);
    RUN(threads_change_nothing);
    RUN(ends_of_the_range);
    RUN(hull_is_exact);
    RUN(point_that_is_not_finite);
    RUN(zeros_have_no_sign);
    RUN(z_may_be_missing);
    RUN(several_clusters);
    RUN(says_no);
    RUN(says_no_to_options);
    RUN(groups);
    RUN(groups_of_many);
}
