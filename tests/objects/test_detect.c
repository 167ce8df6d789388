/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_detect.c: clump_detect gives the labels, boxes and counts of the separate calls (detect_reference.h), for any number
 * of threads, over random clouds and real scans.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/detect_reference.h"
#include "support/scans.h"
#include "support/options.h"

#include <clump/info.h>

enum { MOST = 24000, CONTEXTS = 3 };

static const int threads_of[CONTEXTS] = {1, 2, 4};
static float xyz[4 * MOST], values[2 * MOST];
static uint8_t mask[MOST];

/* A street: sloping ground, boxes and posts on it, some stray points above, below and far away. */
static void fill_street(size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        const uint64_t kind = check_random(random) % 16;
        p[0] = 80 * (check_random_float(random) - 0.5f);
        p[1] = 80 * (check_random_float(random) - 0.5f);
        p[2] = -1.7f + 0.03f * p[0] + 0.04f * check_random_float(random);
        if (kind < 8) continue;
        const uint64_t object = check_random(random) % 40;
        const float x = 9 * (float)(object % 8) - 31, y = 11 * (float)(object / 8) - 22;
        p[0] = x + 2 * check_random_float(random), p[1] = y + check_random_float(random);
        p[2] = -1.7f + 0.03f * p[0] + (0.3f + 0.1f * (float)object) * check_random_float(random);
        if (kind == 15) p[2] += 4 * check_random_float(random) - 2;
        if (kind == 14 && i % 8 == 0) p[0] *= 4, p[1] *= 4;
    }
}

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

/* Bounds at the coordinates and the range of a point: it is inside. */
static void touch_point(clump_detect_options *o, const float *p, uint64_t *random)
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(p[k])) return;
        if (pick(random, 2)) o->region.lower[k] = p[k];
        if (pick(random, 4) == 0) o->region.upper[k] = p[k];
    }
    double sum = 0;
    for (int k = 0; k < (reference_two_d(o) ? 2 : 3); k++) {
        const double d = (double)p[k] - (double)o->common.sensor[k];
        sum += d * d;
    }
    if (pick(random, 2)) o->region.max_range = (float)sqrt(sum);
    if (pick(random, 4) == 0) o->region.min_range = (float)sqrt(sum);
}

static void choose_region(clump_detect_options *o, size_t count, uint64_t *random)
{
    if (count > 0 && pick(random, 2)) {
        touch_point(o, xyz + 3 * pick(random, count), random);
        return;
    }
    if (pick(random, 2)) o->region.lower[pick(random, 3)] = -20 * check_random_float(random);
    if (pick(random, 2)) o->region.upper[pick(random, 3)] = 25 * check_random_float(random);
    if (pick(random, 2)) o->region.min_range = 10 * check_random_float(random);
    if (pick(random, 2)) o->region.max_range = 10 + 30 * check_random_float(random);
}

static void choose_options(clump_detect_options *o, size_t count, uint64_t *random)
{
    *o = clump_detect_defaults();
    o->method = (clump_detect_method)pick(random, 3);
    o->ground.method = (clump_ground_method)pick(random, 3);
    options_draw("ground", "flip", &o->ground, random);
    if (pick(random, 3) == 0) o->thin = 0.02f + check_random_float(random);
    if (pick(random, 3) == 0)
        for (int k = 0; k < 3; k++) o->common.sensor[k] = 2 * check_random_float(random) - 1;
    if (pick(random, 3) == 0) {
        for (size_t i = 0; i < count; i++) mask[i] = (uint8_t)(pick(random, 5) != 0) * 7;
        o->common.mask = mask;
    }
    const clump_order order = (clump_order)pick(random, 2);
    const size_t least = pick(random, 3) ? 10 : 1, most = pick(random, 3) ? 0 : 300;
    o->common.order = order;
    o->common.min_size = least;
    o->common.max_size = most;
    const bool flat = pick(random, 4) == 0;
    if (o->method < CLUMP_DETECT_ERCCL) o->common.two_d = flat;
    o->dbscan.no_border_points = pick(random, 4) == 0;
    if (pick(random, 4) == 0 && o->method < CLUMP_DETECT_ERCCL) o->common.eps_per_metre = 0.02f;
    if (pick(random, 3) == 0) choose_region(o, count, random);
    o->erccl.cell = 0.2f;
    o->erccl.extent = 60;
    o->min_points = 1 + pick(random, 12);
    if (!reference_two_d(o) && pick(random, 4) == 0) {
        o->ground.up = CLUMP_UP_Y;
        o->ground.flip = pick(random, 2);
    }
    if (pick(random, 3) == 0) {
        o->describe.values = values;
        o->describe.values_stride = 4 * pick(random, 3);
    }
}

/* A short text of the options, for failures. */
static const char *text_of(const clump_detect_options *o)
{
    static char text[500];
    char switches[OPTIONS_TEXT];
    snprintf(text, sizeof text, "%s, ground %s%s, thin %g, mask %d, 2-D %d, up %d, order %d",
             clump_detect_method_name(o->method), clump_ground_method_name(o->ground.method),
             options_text("ground", &o->ground, switches), (double)o->thin, o->common.mask != NULL, reference_two_d(o),
             (int)o->ground.up, (int)o->common.order);
    return text;
}

static bool same_float(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Compares one call with the reference. */
static void compare(clump_context *ctx, clump_points points, const clump_detect_options *o, const detect_reference *r,
                    bool with_labels, int32_t capacity, const char *name)
{
    int32_t *const labels = malloc((points.count + 1) * sizeof *labels), count = -1;
    clump_cluster *const clusters = malloc(((size_t)capacity + 1) * sizeof *clusters);
    memset(clusters, 0x5a, ((size_t)capacity + 1) * sizeof *clusters);
    const clump_status status =
        clump_detect(ctx, points, o, with_labels ? labels : NULL, capacity ? clusters : NULL, capacity, &count);
    CHECK_MSG(status == CLUMP_OK, "%s: %s: %s", name, text_of(o), clump_context_error(ctx));
    const clump_stats stats = clump_context_stats(ctx);
    const size_t known = (size_t)(r->count < capacity ? r->count : capacity);
    CHECK_MSG(count == r->count, "%s: %s: %d clusters, expected %d", name, text_of(o), (int)count, (int)r->count);
    if (with_labels)
        CHECK_MSG(memcmp(labels, r->labels, points.count * sizeof *labels) == 0, "%s: %s: labels", name, text_of(o));
    CHECK_MSG(memcmp(clusters, r->clusters, known * sizeof *clusters) == 0, "%s: %s: boxes", name, text_of(o));
    for (size_t k = 0; k < sizeof *clusters; k++) /* nothing behind the last */
        if (((const uint8_t *)(clusters + known))[k] != 0x5a) {
            CHECK_FAIL("%s: %s: box %zu was written", name, text_of(o), known);
            break;
        }
    CHECK_MSG(stats.points == points.count && stats.clusters == r->count, "%s: %s", name, text_of(o));
    CHECK_MSG(stats.finite == r->finite, "%s: %s: %zu, expected %zu", name, text_of(o), stats.finite, r->finite);
    CHECK_MSG(stats.masked == r->masked, "%s: %s: %zu, expected %zu", name, text_of(o), stats.masked, r->masked);
    CHECK_MSG(stats.noise == r->noise, "%s: %s: %zu, expected %zu", name, text_of(o), stats.noise, r->noise);
    CHECK_MSG(stats.ground == r->ground, "%s: %s: %zu, expected %zu", name, text_of(o), stats.ground, r->ground);
    CHECK_MSG(stats.thinned == r->thinned, "%s: %s: %zu, expected %zu", name, text_of(o), stats.thinned, r->thinned);
    CHECK_MSG(same_float(stats.ground_level, r->ground_level), "%s: %s: level", name, text_of(o));
    free(labels);
    free(clusters);
}

static void compare_all(clump_context **ctx, clump_points points, const clump_detect_options *o, const char *name)
{
    detect_reference r = reference_detect(ctx[0], points, o);
    for (int k = 0; k < CONTEXTS; k++) compare(ctx[k], points, o, &r, true, r.count + 1, name);
    compare(ctx[1], points, o, &r, false, r.count / 2, name);
    compare(ctx[0], points, o, &r, true, 0, name);
    reference_release(&r);
}

static void streets(void)
{
    uint64_t random = 1701;
    clump_context *ctx[CONTEXTS];
    cpu_contexts(ctx, threads_of, CONTEXTS);
    for (size_t i = 0; i < 2 * MOST; i++) values[i] = i % 50 ? check_random_float(&random) : NAN;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 10 : 40); round++) {
        const size_t count = round % 10 == 0 ? MOST : CLOUD_WATCHED ? MOST / 2 : pick(&random, 4000);
        fill_street(count, &random);
        if (round % 3 == 0) cloud_spoil(xyz, count, 20, &random);
        clump_detect_options o;
        choose_options(&o, count, &random);
        if (reference_two_d(&o) && round % 2) cloud_spoil_z(xyz, count, &random);
        char name[40];
        snprintf(name, sizeof name, "street %d", round);
        const cloud_view view = cloud_view_make(xyz, count, &random);
        compare_all(ctx, view.points, &o, name);
        free(view.memory);
    }
    destroy_contexts(ctx, CONTEXTS);
}

/* Clouds of every kind, most of which have no ground. */
static void hostile_clouds(void)
{
    uint64_t random = 1702;
    clump_context *ctx[CONTEXTS];
    cpu_contexts(ctx, threads_of, CONTEXTS);
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 16 : 32); round++) {
        const cloud_shape shape = (cloud_shape)(check_turn(round) % CLOUD_SHAPES);
        const size_t count = 1 + pick(&random, 1500);
        clump_detect_options o;
        choose_options(&o, count, &random);
        o.d = cloud_fill(shape, xyz, count, &random);
        o.common.eps_per_metre = 0;
        if (o.thin > 0) o.thin = round % 2 ? o.d : 0.3f * o.d;
        if (round % 3 == 0) cloud_spoil(xyz, count, 10, &random);
        char name[40];
        snprintf(name, sizeof name, "%s, round %d", cloud_name(shape), round);
        compare_all(ctx, (clump_points){.xyz = xyz, .count = count}, &o, name);
    }
    destroy_contexts(ctx, CONTEXTS);
}

/* Every scan, in tier 1 every third, with the default options, and with one of the other combinations. */
static void visit_scan(clump_points points, const char *name)
{
    static size_t seen, visited;
    if (check_tier() == 1 && visited++ % 3 > 0) return;
    if (points.count > 130000) points.count = 130000;
    clump_context *ctx[CONTEXTS];
    cpu_contexts(ctx, threads_of, CONTEXTS);
    clump_detect_options o = clump_detect_defaults();
    compare_all(ctx, points, &o, name);
    const size_t turn = seen++;
    o.method = (clump_detect_method)(turn % 3);
    o.ground.method = (clump_ground_method)(turn / 3 % 3);
    if (turn % 4 == 1 && points.count < 60000) o.thin = 0.4f; /* the reference compares with all representatives */
    if (turn % 5 == 2) o.region.max_range = 40;
    o.common.order = CLUMP_ORDER_SIZE;
    compare_all(ctx, points, &o, name);
    destroy_contexts(ctx, CONTEXTS);
}

static void real_scans(void)
{
    SCANS_TEST(visit_scan);
}

CHECK_PROGRAM(test_detect)
{
    RUN(streets);
    RUN(hostile_clouds);
    RUN(real_scans);
}
