/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hostile.c: hostile clouds (hostile.h) through every job and method on 1 to 8 threads, with contexts that are
 * used again and again. Labels, counts, core flags, boxes and neighbours are those of the oracles; no call takes longer
 * than its limit; nothing is written past an end.
 *
 *     test_hostile               some thousand calls
 *     test_hostile SEED          the case of this seed alone: what a failure names
 *     test_hostile SEED COUNT    the cases of COUNT seeds, beginning with this one
 *     test_hostile hang-100734   one of the known cases; WORD: the tests whose names contain the word
 *
 * Tier 3 makes 120,000 calls, under a sanitizer 30,000.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/detect_reference.h"
#include "hostile/hostile_arguments.h"
#include "hostile/hostile_case.h"
#include "hostile/hostile_known.h"
#include "oracle/nn_oracle.h"
#include "oracle/objects_reference.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "oracle/oracle_erccl.h"
#include "oracle/oracle_ground.h"
#include "support/time_limit.h"
#include "support/papers.h"
#include "oracle/verify.h"
#include "oracle/verify_dbscan.h"

#include <clump/info.h>
#include <clump/index.h>
#include <clump/tree.h>

#include <math.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED true
#endif
#endif
#ifndef WATCHED
#define WATCHED CLOUD_WATCHED
#endif

enum {
    THREADS = 8,
    RANGED = 3, /* turns with eps_per_metre per job */
    QUERIES = 60,
    GRAPHS = 1000, /* most points of the methods with lists of neighbours or matrices */
    GUARD = 123456,
    CORE_GUARD = 99,
    VERIFIED = 9000,         /* most points of a cloud that is checked pair by pair */
    LARGE_SEEDS = 1000000000 /* from here on seeds are those of large clouds */
};

static clump_context *contexts[THREADS + 1]; /* [t] has t threads */
static long calls;
static hostile_arguments command_line;

/* Memory for results, as large as the cloud of the case, so that a sanitizer sees what is written beyond. */
static int32_t *labels, *expected;
static uint8_t *core, *expected_core;

/* ----- one call ----------------------------------------------------------------------------------- */

static char call_text[1000];

/* Names the call for messages and starts its time limit. */
static void call_begin(const char *about, size_t points, int threads, const char *format, ...)
{
    char call[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call, sizeof call, format, arguments);
    va_end(arguments);
    snprintf(call_text, sizeof call_text, "%s: %d threads: %s", call, threads, about);
    const double scale = (WATCHED ? 10 : 1) * (points > HOSTILE_SMALL ? 5 : 1);
    time_limit_begin(2 * scale, 120 * scale, call_text);
    calls++;
}

static bool call_end(clump_context *ctx, clump_status status)
{
    time_limit_end();
    if (status == CLUMP_OK) return true;
    CHECK_FAIL("%s: %s", call_text, clump_context_error(ctx));
    return false;
}

static void clear_results(size_t n)
{
    for (size_t i = 0; i < n; i++) labels[i] = 77;
    labels[n] = GUARD;
    memset(core, 77, n);
    core[n] = CORE_GUARD;
}

static void check_labels(size_t n, int32_t clusters, int32_t wanted)
{
    size_t at = 0;
    while (at < n && labels[at] == expected[at]) at++;
    if (at < n) CHECK_FAIL("%s: label %zu is %d, expected %d", call_text, at, labels[at], expected[at]);
    CHECK_MSG(clusters == wanted, "%s: %d clusters, expected %d", call_text, clusters, wanted);
    CHECK_MSG(labels[n] == GUARD, "%s: written past the end of the labels", call_text);
}

static void check_stats(clump_context *ctx, clump_points points, bool two_d, const uint8_t *mask, int32_t clusters)
{
    const clump_ec_options used = {.common.two_d = two_d};
    size_t finite = 0, masked = 0, noise = 0, ground = 0;
    for (size_t i = 0; i < points.count; i++) {
        finite += oracle_takes_part(points, &used, i);
        masked += mask && mask[i] == 0;
        noise += expected[i] == CLUMP_NOISE;
        ground += expected[i] == CLUMP_GROUND;
    }
    const clump_stats s = clump_context_stats(ctx);
    CHECK_MSG(s.points == points.count && s.finite == finite && s.masked == masked && s.noise == noise &&
                  s.ground == ground && s.clusters == clusters,
              "%s: counts are %zu, %zu finite, %zu masked, %zu noise, %zu ground, %d clusters", call_text, s.points,
              s.finite, s.masked, s.noise, s.ground, s.clusters);
}

/* Another number of threads for every case and call. */
static int threads_of(uint64_t seed, int call)
{
    return 1 + (int)((seed + 3 * (uint64_t)call) % THREADS);
}

/* ----- ec and dbscan ------------------------------------------------------------------------------ */

/* Methods up to `last`, the first one with `threads` threads. */
static int32_t one_ec(const char *about, clump_points points, float d, const clump_ec_options *given, bool fast_alone,
                      int first_threads)
{
    char text[600], all[900];
    hostile_ec_text(text, sizeof text, given);
    snprintf(all, sizeof all, "%s, %s", about, text);
    const int32_t wanted = oracle_ec(points, d, given, expected);
    FOR_CPU_METHODS (method, clump_ec_methods) {
        const bool linear = clump_ec_methods.rows[method].cost == CLUMP_COST_LINEAR;
        if ((fast_alone && method != CLUMP_EC_FAST) || (points.count > GRAPHS && !linear)) continue;
        const int threads = threads_of((uint64_t)first_threads - 1, method);
        clump_ec_options o = *given;
        o.method = (clump_ec_method)method;
        hostile_six(&o, points.count + (uint64_t)method);
        int32_t clusters = -7;
        clear_results(points.count);
        call_begin(all, points.count, threads, "ec %s, block %d%s", clump_ec_method_name(o.method),
                   papers_of(&o.common)->matrix_block, papers_of(&o.common)->in_place ? ", in place" : "");
        if (!call_end(contexts[threads], clump_ec(contexts[threads], points, d, &o, labels, &clusters))) continue;
        check_labels(points.count, clusters, wanted);
        check_stats(contexts[threads], points, o.common.two_d, o.common.mask, wanted);
    }
    return wanted;
}

static void one_dbscan(const char *about, clump_points points, float eps, size_t min_points,
                       const clump_dbscan_options *given, bool fast_alone, int first_threads)
{
    char text[600], all[900];
    const clump_ec_options common = oracle_common(given);
    hostile_ec_text(text, sizeof text, &common);
    snprintf(all, sizeof all, "%s, %s, min_points %zu%s", about, text, min_points,
             given->no_border_points ? ", no border points" : "");
    const int32_t wanted = oracle_dbscan(points, eps, min_points, given, expected, expected_core);
    FOR_CPU_METHODS (method, clump_dbscan_methods) {
        if (fast_alone && method != CLUMP_DBSCAN_FAST) continue;
        const int threads = threads_of((uint64_t)first_threads - 1, method);
        const bool with_core = (first_threads + method) % 3 != 0;
        clump_dbscan_options o = *given;
        o.method = (clump_dbscan_method)method;
        hostile_dclust(&o, (uint64_t)first_threads);
        o.core = with_core ? core : NULL;
        int32_t clusters = -7;
        clear_results(points.count);
        call_begin(all, points.count, threads, "dbscan %s", clump_dbscan_method_name(o.method));
        if (!call_end(contexts[threads],
                      clump_dbscan(contexts[threads], points, eps, min_points, &o, labels, &clusters)))
            continue;
        check_labels(points.count, clusters, wanted);
        check_stats(contexts[threads], points, o.common.two_d, o.common.mask, wanted);
        CHECK_MSG(!with_core || memcmp(core, expected_core, points.count) == 0, "%s: core flags", call_text);
        CHECK_MSG(core[points.count] == CORE_GUARD, "%s: written past the end of the core flags", call_text);
    }
}

/* ----- boxes and members -------------------------------------------------------------------------- */

static bool box_is_right(const clump_cluster *c, clump_points points, int32_t label, bool two_d)
{
    int32_t count = 0;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double sum[3] = {0}, largest[3] = {0};
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = oracle_point(points, i);
        if (expected[i] != label) continue;
        count++;
        for (int k = 0; k < (two_d ? 2 : 3); k++) {
            low[k] = fminf(low[k], p[k]), high[k] = fmaxf(high[k], p[k]);
            sum[k] += (double)p[k], largest[k] = fmax(largest[k], fabs((double)p[k]));
        }
    }
    bool right = c->label == label && c->count == count;
    for (int k = 0; k < (two_d ? 2 : 3); k++) {
        right &= c->lower[k] == low[k] && c->upper[k] == high[k];
        right &= c->centroid[k] >= low[k] && c->centroid[k] <= high[k];
        right &= fabs((double)c->centroid[k] - sum[k] / count) <= 1e-6 * largest[k] + 1e-44;
    }
    /* The least rectangle is no larger than the box along the axes, rounding aside. */
    const double area = (double)c->box_size[0] * (double)c->box_size[1];
    const double box = ((double)high[0] - (double)low[0]) * ((double)high[1] - (double)low[1]);
    return right && (box > (double)HUGE_VALF || box > 1e38 || area <= box * (1 + 1e-4) + 1e-30);
}

/* Of the labels in `expected`. */
static void describe_and_group(const hostile_case *c, const char *about, int32_t clusters, bool two_d)
{
    const size_t n = c->points.count, room = (size_t)clusters + 1;
    const int threads = threads_of(c->seed, 11);
    clump_context *const ctx = contexts[threads];
    clump_cluster *const boxes = calloc(room, sizeof *boxes);
    int32_t *const offsets = malloc((room + 1) * sizeof *offsets), *const members = malloc((n + 1) * sizeof *members);
    if (!boxes || !offsets || !members) abort();
    boxes[clusters].label = offsets[room] = GUARD;
    call_begin(about, n, threads, "describe");
    if (call_end(ctx, clump_describe(ctx, c->points, expected, clusters, NULL, boxes)))
        for (int32_t k = 0; k < clusters; k++)
            CHECK_MSG(box_is_right(&boxes[k], c->points, k, two_d), "%s: cluster %d", call_text, k);
    CHECK_MSG(boxes[clusters].label == GUARD, "%s: written past the end of the clusters", call_text);

    call_begin(about, n, threads, "group");
    if (call_end(ctx, clump_group(ctx, expected, n, CLUMP_PLACE_HOST, clusters, offsets, members))) {
        int32_t at = 0;
        bool right = true;
        for (int32_t k = 0; k < clusters && right; k++) {
            right &= offsets[k] == at;
            for (size_t i = 0; i < n && right; i++)
                if (expected[i] == k) right &= members[at++] == (int32_t)i;
        }
        CHECK_MSG(right && offsets[clusters] == at && offsets[room] == GUARD, "%s: other members", call_text);
    }
    free(boxes), free(offsets), free(members);
}

/* ----- nearest neighbours ------------------------------------------------------------------------- */

/* Row `i` of an answer beside what was found: k entries, those that are missing being -1. */
static bool row_is_right(const answers *a, size_t i, size_t k, const int32_t *indices, const float *d2)
{
    const size_t there = (size_t)(a->offsets[i + 1] - a->offsets[i]);
    for (size_t j = 0; j < k; j++) {
        const uint64_t none = (uint64_t)0x7f800000u << 32 | UINT32_MAX;
        const uint64_t key = j < there ? a->keys[(size_t)a->offsets[i] + j] : none;
        uint32_t bits = (uint32_t)(key >> 32);
        if (d2) memcpy(&bits, &d2[j], sizeof bits);
        if (((uint64_t)bits << 32 | (uint32_t)indices[j]) != key) return false;
    }
    return true;
}

static void check_rows(const answers *a, size_t k, const int32_t *indices, const float *d2)
{
    for (size_t i = 0; i < a->queries; i++)
        if (!row_is_right(a, i, k, indices + i * k, d2 ? d2 + i * k : NULL)) {
            CHECK_FAIL("%s: query %zu", call_text, i);
            return;
        }
    CHECK_MSG(indices[a->queries * k] == GUARD, "%s: written past the end of the indices", call_text);
}

/* By ascending index within a row. */
static void check_radius(const answers *a, const int32_t *indices, const float *d2)
{
    const size_t total = (size_t)a->offsets[a->queries];
    for (size_t i = 0; i < a->queries; i++) {
        const size_t first = (size_t)a->offsets[i], there = (size_t)a->offsets[i + 1] - first;
        qsort(a->keys + first, there, sizeof *a->keys, nn_compare_indices);
        const bool right = row_is_right(a, i, there, indices + first, d2 ? d2 + first : NULL);
        qsort(a->keys + first, there, sizeof *a->keys, nn_compare_keys);
        if (!right) {
            CHECK_FAIL("%s: query %zu", call_text, i);
            return;
        }
    }
    CHECK_MSG(indices[total] == GUARD, "%s: written past the end of the indices", call_text);
}

typedef struct search {
    const hostile_case *c;
    const char *about;
    clump_points queries;
    float radius;
    int k;
    answers a;
    int32_t *indices;
    float *d2;
    int64_t *offsets;
} search;

static void one_index(const search *s, clump_nn_method method)
{
    const size_t n = s->c->points.count, m = s->queries.count, total = (size_t)s->a.offsets[m];
    const int threads = threads_of(s->c->seed, 7 + (int)method), asking = threads_of(s->c->seed, 4 + (int)method);
    float *const d2 = s->c->seed % 4 == (uint64_t)method ? NULL : s->d2;
    const char *const name = clump_nn_method_name(method);
    clump_context *const ctx = contexts[asking];
    clump_index_options o = clump_index_defaults();
    o.method = method;
    clump_index *index = NULL;
    call_begin(s->about, n, threads, "index %s", name);
    if (!call_end(contexts[threads], clump_index_create(contexts[threads], s->c->points, &o, &index))) return;

    s->indices[m] = GUARD;
    call_begin(s->about, n, asking, "nearest %s, distance %a", name, (double)s->radius);
    if (call_end(ctx, clump_index_nearest(ctx, index, s->queries, s->radius, s->indices, d2)))
        check_rows(&s->a, 1, s->indices, d2);
    s->indices[m * (size_t)s->k] = GUARD;
    call_begin(s->about, n, asking, "knn %s, k %d, distance %a", name, s->k, (double)s->radius);
    if (call_end(ctx, clump_index_knn(ctx, index, s->queries, s->k, s->radius, s->indices, d2)))
        check_rows(&s->a, (size_t)s->k, s->indices, d2);
    call_begin(s->about, n, asking, "radius_count %s, radius %a", name, (double)s->radius);
    if (call_end(ctx, clump_index_radius_count(ctx, index, s->queries, s->radius, s->offsets))) {
        const bool right = memcmp(s->offsets, s->a.offsets, (m + 1) * sizeof *s->offsets) == 0;
        CHECK_MSG(right, "%s: other counts", call_text);
        s->indices[total] = GUARD;
        call_begin(s->about, n, asking, "radius_fill %s, radius %a", name, (double)s->radius);
        if (call_end(ctx, right ? clump_index_radius_fill(ctx, index, s->queries, s->radius, s->offsets, s->indices, d2)
                                : CLUMP_OK) &&
            right)
            check_radius(&s->a, s->indices, d2);
    }
    clump_index_destroy(index);
}

static void neighbours(const hostile_case *c, const char *about)
{
    static float xyz[3 * QUERIES];
    search s = {.c = c, .about = about, .queries = {.xyz = xyz, .count = hostile_queries(c, xyz, QUERIES)}};
    s.radius = hostile_radius(c, &s.k);
    s.a = nn_ask_oracle(c->points, s.queries, s.radius);
    const size_t rows = s.queries.count * (size_t)s.k, total = (size_t)s.a.offsets[s.queries.count];
    const size_t room = 1 + (rows > total ? rows : total);
    s.indices = malloc(room * sizeof *s.indices), s.d2 = malloc(room * sizeof *s.d2);
    s.offsets = malloc((s.queries.count + 1) * sizeof *s.offsets);
    if (!s.indices || !s.d2 || !s.offsets) abort();
    FOR_CPU_METHODS (method, clump_nn_methods) {
        if (method != CLUMP_NN_AZIMUTH) one_index(&s, (clump_nn_method)method); /* azimuth is approximate */
    }
    free(s.indices), free(s.d2), free(s.offsets);
    nn_forget(&s.a);
}

/* ----- ground and obstacles ----------------------------------------------------------------------- */

/* The ground is that of its oracle where it has one, which knows no mask; else that of one thread. */
static void ground(const hostile_case *c, const char *about, const clump_ground_options *given)
{
    const size_t n = c->points.count;
    clump_ground_options o = *given;
    if (o.method == CLUMP_GROUND_GRID)
        oracle_ground_grid(c->packed, n, &o, expected);
    else if (clump_ground(contexts[1], c->points, &o, expected, NULL) != CLUMP_OK)
        CHECK_FAIL("%s: ground: %s", about, clump_context_error(contexts[1]));
    const int threads = threads_of(c->seed, 2);
    size_t count = 0, wanted = 0;
    clear_results(n);
    call_begin(about, n, threads, "ground %s, step %d, up %d, flip %d, tile %a, extent %a, slope %a, sensor %a %a %a",
               clump_ground_method_name(o.method), o.step, (int)o.up, o.flip, (double)o.tile, (double)o.extent,
               (double)o.slope, (double)o.sensor[0], (double)o.sensor[1], (double)o.sensor[2]);
    if (!call_end(contexts[threads], clump_ground(contexts[threads], c->points, &o, labels, &count))) return;
    for (size_t i = 0; i < n; i++) wanted += expected[i] == CLUMP_GROUND;
    check_labels(n, (int32_t)count, (int32_t)wanted);
}

static void obstacles(const hostile_case *c, const char *about)
{
    const size_t n = c->points.count;
    const clump_erccl_options given = hostile_erccl(c);
    ground(c, about, &given.ground);

    clump_ground_options g = given.ground;
    g.mask = given.common.mask;
    int32_t *const marked = malloc((n + 1) * sizeof *marked);
    if (!marked) abort();
    const int threads = threads_of(c->seed, 6);
    call_begin(about, n, threads, "ground %s with the mask", clump_ground_method_name(g.method));
    const bool done = call_end(contexts[threads], clump_ground(contexts[threads], c->points, &g, marked, NULL));
    FOR_CPU_METHODS (method, clump_erccl_methods) {
        if (!done) break;
        clump_erccl_options o = given;
        o.method = (clump_erccl_method)method;
        const int32_t wanted = oracle_erccl(c->points, &o, marked, expected, NULL);
        const int mine = threads_of(c->seed, 1 + method);
        int32_t clusters = -7;
        clear_results(n);
        call_begin(about, n, mine,
                   "erccl %s, cell %a, extent %a, reach %d, alpha %g, tau %g, ground %s, sensor %a %a %a",
                   clump_erccl_method_name(o.method), (double)o.cell, (double)o.extent, o.reach, (double)o.alpha,
                   (double)o.tau, clump_ground_method_name(g.method), (double)g.sensor[0], (double)g.sensor[1],
                   (double)g.sensor[2]);
        if (!call_end(contexts[mine], clump_erccl(contexts[mine], c->points, &o, labels, &clusters))) continue;
        check_labels(n, clusters, wanted);
        check_stats(contexts[mine], c->points, false, o.common.mask, wanted);
    }
    free(marked);
}

/* ----- from scan to boxes ------------------------------------------------------------------------- */

/* Labels, boxes and counts are those of the separate calls. */
static void detect(const hostile_case *c, const char *about, int turn)
{
    const size_t n = c->points.count;
    const clump_detect_options o = hostile_detect(c, turn);
    const int threads = threads_of(c->seed, 3 + turn);
    call_begin(about, n, threads, "detect turn %d: %s, ground %s, thin %a", turn, clump_detect_method_name(o.method),
               clump_ground_method_name(o.ground.method), (double)o.thin);
    detect_reference r = reference_detect(contexts[1], c->points, &o);
    memcpy(expected, r.labels, n * sizeof *expected);
    clump_cluster *const boxes = malloc(((size_t)r.count + 1) * sizeof *boxes);
    if (!boxes) abort();
    int32_t clusters = -7;
    clear_results(n);
    if (call_end(contexts[threads],
                 clump_detect(contexts[threads], c->points, &o, labels, boxes, r.count, &clusters))) {
        check_labels(n, clusters, r.count);
        CHECK_MSG(memcmp(boxes, r.clusters, (size_t)r.count * sizeof *boxes) == 0, "%s: boxes", call_text);
        const clump_stats s = clump_context_stats(contexts[threads]);
        CHECK_MSG(s.finite == r.finite && s.masked == r.masked && s.noise == r.noise && s.ground == r.ground &&
                      s.thinned == r.thinned,
                  "%s: %zu finite, %zu masked, %zu noise, %zu ground, %zu thinned", call_text, s.finite, s.masked,
                  s.noise, s.ground, s.thinned);
    }
    free(boxes);
    reference_release(&r);
}

/* ----- objects ------------------------------------------------------------------------------------ */

/* Names a call of clump_objects and starts its time limit. */
static void objects_begin(const char *about, size_t n, int threads, const clump_objects_options *o)
{
    call_begin(about, n, threads, "objects: %s, columns %zu, ground %s, levels %d, eps_per_metre %a, sensor %a %a %a",
               clump_neighbour_kind_name(o->neighbours), o->columns, clump_ground_method_name(o->ground.method),
               o->levels, (double)o->common.eps_per_metre, (double)o->ground.sensor[0], (double)o->ground.sensor[1],
               (double)o->ground.sensor[2]);
}

/* Labels, list and counts are those of the definition. */
static void objects(const hostile_case *c, const char *about, int turn)
{
    const size_t n = c->points.count;
    clump_objects_options o = hostile_objects(c, turn);
    const int threads = threads_of(c->seed, 9 + turn);
    objects_reference r = reference_objects(contexts[1], c->points, &o, true);
    memcpy(expected, r.labels, n * sizeof *expected);
    clump_object *const found = malloc(((size_t)r.count + 1) * sizeof *found);
    if (!found) abort();
    o.found = found;
    o.found_capacity = r.count + 1;
    found[r.count].label = GUARD;
    int32_t clusters = -7;
    clear_results(n);
    objects_begin(about, n, threads, &o);
    if (call_end(contexts[threads], clump_objects(contexts[threads], c->points, &o, labels, &clusters))) {
        check_labels(n, clusters, r.count);
        check_stats(contexts[threads], c->points, false, o.common.mask, r.count);
        for (int32_t k = 0; k < r.count; k++)
            CHECK_MSG(memcmp(&found[k], &r.found[k], sizeof *found) == 0, "%s: cluster %d", call_text, k);
        CHECK_MSG(found[r.count].label == GUARD, "%s: written past the end of the list", call_text);
    }
    free(found);
    objects_reference_release(&r);
}

/* ----- the tree of all distances ------------------------------------------------------------------- */

/* Makes a tree. Its parents stand in labels. */
static void make_tree(const hostile_case *c, const char *about, const clump_tree_options *o, float *heights,
                      int threads)
{
    clear_results(c->points.count);
    heights[c->points.count] = GUARD;
    call_begin(about, c->points.count, threads, "tree, min_samples %d", o->min_samples);
    call_end(contexts[threads], clump_tree(contexts[threads], c->points, o, labels, heights));
    CHECK_MSG(heights[c->points.count] == GUARD, "%s: written past the end of the heights", call_text);
}

/* A cut has the labels of clump_ec, and with core distances those of clump_dbscan without border points. test_tree has the definition. */
static void tree(const hostile_case *c, const char *about)
{
    const size_t n = c->points.count;
    float *const heights = malloc((n + 1) * sizeof *heights), *const cores = malloc((n + 1) * sizeof *cores);
    int32_t *const parents = malloc((n + 1) * sizeof *parents);
    if (!heights || !cores || !parents) abort();
    for (int density = 0; density < 2; density++) {
        const int threads = threads_of(c->seed, 11 + density);
        clump_context *const ctx = contexts[threads];
        clump_tree_options o = clump_tree_defaults();
        clump_ec_options e = clump_ec_defaults();
        clump_dbscan_options d = clump_dbscan_defaults();
        o.mask = e.common.mask = d.common.mask = c->mask;
        o.two_d = e.common.two_d = d.common.two_d = c->seed % 3 == 0;
        d.no_border_points = true;
        if (density) o.min_samples = 2 + (int)(c->seed % 19), o.cores = cores;
        int32_t wanted = -7, clusters = -7;
        CHECK_INT(density ? clump_dbscan(ctx, c->points, c->d, (size_t)o.min_samples, &d, expected, &wanted)
                          : clump_ec(ctx, c->points, c->d, &e, expected, &wanted),
                  CLUMP_OK);
        make_tree(c, about, &o, heights, threads);
        memcpy(parents, labels, n * sizeof *parents);
        CHECK_INT(clump_tree_cut(ctx, parents, heights, o.cores, n, c->d, 1, labels, &clusters), CLUMP_OK);
        check_labels(n, clusters, wanted);
    }
    free(heights), free(cores), free(parents);
}

/* ----- all of a case ------------------------------------------------------------------------------ */

static void results_make(size_t n)
{
    labels = malloc((n + 1) * sizeof *labels), expected = malloc((n + 1) * sizeof *expected);
    core = malloc(n + 1), expected_core = malloc(n + 1);
    if (!labels || !expected || !core || !expected_core) abort();
}

static void results_free(void)
{
    free(labels), free(expected), free(core), free(expected_core);
}

static void one_case(uint64_t seed)
{
    hostile_case c = hostile_case_make(seed, CLOUD_WATCHED ? 500 : HOSTILE_MOST);
    const size_t n = c.points.count;
    const bool large = n > GRAPHS;
    char about[300];
    hostile_case_text(about, sizeof about, &c);
    results_make(n);
    for (int turn = 0; turn <= (large ? 1 : RANGED); turn++) {
        const clump_ec_options o = hostile_ec(&c, turn);
        const int32_t clusters = one_ec(about, c.points, c.d, &o, turn > 0, threads_of(seed, turn));
        if (turn == 0) describe_and_group(&c, about, clusters, o.common.two_d);
        size_t min_points;
        const clump_dbscan_options b = hostile_dbscan(&c, turn, &min_points);
        one_dbscan(about, c.points, c.d, min_points, &b, turn > 0, threads_of(seed, 5 + turn));
    }
    neighbours(&c, about);
    obstacles(&c, about);
    for (int turn = 0; turn < 2; turn++) { /* the second with eps_per_metre */
        detect(&c, about, turn);
        objects(&c, about, turn);
    }
    tree(&c, about);
    CHECK_MSG(hostile_case_intact(&c), "%s: the points were written to", about);
    results_free();
    hostile_case_free(&c);
    if (seed % 16 == 0) clump_context_trim(contexts[1 + seed / 16 % THREADS]);
}

/* ----- large clouds ------------------------------------------------------------------------------- */

/* Labels and core flags of one thread; checked by their definition where the cloud is small enough for that. */
static int32_t large_ec(const hostile_case *c, const char *about, const clump_ec_options *o, int threads)
{
    int32_t clusters = -7;
    call_begin(about, c->points.count, threads, "ec fast, eps_per_metre %a, sensor %a %a %a",
               (double)o->common.eps_per_metre, (double)o->common.sensor[0], (double)o->common.sensor[1],
               (double)o->common.sensor[2]);
    clear_results(c->points.count);
    call_end(contexts[threads], clump_ec(contexts[threads], c->points, c->d, o, labels, &clusters));
    clump_message why;
    if (threads == 1 && c->points.count <= VERIFIED && !verify_ec(c->points, c->d, o, labels, clusters, &why))
        CHECK_FAIL("%s: %s", call_text, why.text);
    return clusters;
}

static int32_t large_dbscan(const hostile_case *c, const char *about, clump_dbscan_options o, size_t min_points,
                            int threads)
{
    int32_t clusters = -7;
    o.core = core;
    call_begin(about, c->points.count, threads, "dbscan fast, min_points %zu, eps_per_metre %a, sensor %a %a %a",
               min_points, (double)o.common.eps_per_metre, (double)o.common.sensor[0], (double)o.common.sensor[1],
               (double)o.common.sensor[2]);
    clear_results(c->points.count);
    call_end(contexts[threads], clump_dbscan(contexts[threads], c->points, c->d, min_points, &o, labels, &clusters));
    clump_message why;
    if (threads == 1 && c->points.count <= VERIFIED &&
        !verify_dbscan(c->points, c->d, min_points, &o, labels, clusters, core, &why))
        CHECK_FAIL("%s: %s", call_text, why.text);
    return clusters;
}

static int32_t large_erccl(const hostile_case *c, const char *about, int threads)
{
    const clump_erccl_options o = hostile_erccl(c);
    int32_t clusters = -7;
    call_begin(about, c->points.count, threads, "erccl fast");
    clear_results(c->points.count);
    call_end(contexts[threads], clump_erccl(contexts[threads], c->points, &o, labels, &clusters));
    return clusters;
}

/* The two nearest points of every point; a number made of both indices stands in labels. */
static int32_t large_nn(const hostile_case *c, const char *about, int threads)
{
    clump_index *index = NULL;
    call_begin(about, c->points.count, threads, "index and knn fast");
    clear_results(c->points.count);
    clump_status status = clump_index_create(contexts[threads], c->points, NULL, &index);
    int32_t *const two = malloc(2 * c->points.count * sizeof *two);
    if (!two) abort();
    if (status == CLUMP_OK) status = clump_index_knn(contexts[threads], index, c->points, 2, INFINITY, two, NULL);
    call_end(contexts[threads], status);
    for (size_t i = 0; i < c->points.count && status == CLUMP_OK; i++)
        labels[i] = (int32_t)(31u * (uint32_t)two[2 * i] + (uint32_t)two[2 * i + 1]);
    free(two);
    clump_index_destroy(index);
    return 0;
}

static int32_t large_detect(const hostile_case *c, const char *about, int threads)
{
    const clump_detect_options o = hostile_detect(c, 0);
    static clump_cluster boxes[20];
    int32_t clusters = -7;
    call_begin(about, c->points.count, threads, "detect %s, ground %s, thin %a", clump_detect_method_name(o.method),
               clump_ground_method_name(o.ground.method), (double)o.thin);
    clear_results(c->points.count);
    call_end(contexts[threads], clump_detect(contexts[threads], c->points, &o, labels, boxes, 20, &clusters));
    return clusters;
}

static int32_t large_objects(const hostile_case *c, const char *about, int threads)
{
    const clump_objects_options o = hostile_objects(c, 1);
    int32_t clusters = -7;
    objects_begin(about, c->points.count, threads, &o);
    clear_results(c->points.count);
    call_end(contexts[threads], clump_objects(contexts[threads], c->points, &o, labels, &clusters));
    return clusters;
}

/* A number made of parent and height stands in labels. */
static int32_t large_tree(const hostile_case *c, const char *about, int threads)
{
    const size_t n = c->points.count;
    float *const heights = malloc((n + 1) * sizeof *heights);
    if (!heights) abort();
    clump_tree_options o = clump_tree_defaults();
    o.min_samples = 1 + (int)(c->seed % 12), o.mask = c->mask;
    make_tree(c, about, &o, heights, threads);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &heights[i], sizeof bits);
        labels[i] = (int32_t)(31u * (uint32_t)labels[i] + bits);
    }
    free(heights);
    return 0;
}

/* Every number of threads gives the results of one thread. */
static void one_large(uint64_t seed)
{
    hostile_case c = hostile_case_make_large(seed);
    const size_t n = c.points.count;
    char about[300];
    hostile_case_text(about, sizeof about, &c);
    results_make(n);
    for (int job = 0; job < 9; job++) {
        /* ec and dbscan, without and with eps_per_metre; obstacles; neighbours; boxes; objects; the tree */
        size_t min_points;
        const clump_ec_options e = hostile_ec(&c, job % 2);
        const clump_dbscan_options b = hostile_dbscan(&c, job % 2, &min_points);
        const int counts[] = {1, 2 + (int)(seed % (THREADS - 2)), THREADS};
        int32_t wanted = 0;
        for (int k = 0; k < 3; k++) {
            const int t = counts[k];
            const int32_t clusters = job < 2    ? large_ec(&c, about, &e, t)
                                     : job < 4  ? large_dbscan(&c, about, b, min_points, t)
                                     : job == 4 ? large_erccl(&c, about, t)
                                     : job == 5 ? large_nn(&c, about, t)
                                     : job == 6 ? large_detect(&c, about, t)
                                     : job == 7 ? large_objects(&c, about, t)
                                                : large_tree(&c, about, t);
            if (k == 0) {
                wanted = clusters;
                memcpy(expected, labels, n * sizeof *labels);
                memcpy(expected_core, core, n);
            }
            check_labels(n, clusters, wanted);
            CHECK_MSG(memcmp(core, expected_core, n) == 0 && core[n] == CORE_GUARD, "%s: core flags", call_text);
        }
    }
    CHECK_MSG(hostile_case_intact(&c), "%s: the points were written to", about);
    results_free();
    hostile_case_free(&c);
}

/* ----- all ---------------------------------------------------------------------------------------- */

static void cases_of_seeds(void)
{
    const long wanted = check_rounds_always(WATCHED ? 1500 : 6000);
    for (uint64_t seed = command_line.first_seed;
         command_line.seeds ? seed < command_line.first_seed + command_line.seeds : calls < wanted; seed++) {
        if (seed < LARGE_SEEDS)
            one_case(seed);
        else
            one_large(seed);
        if (check_failures > 20) break;
    }
    printf("%ld calls\n", calls);
}

static void large_clouds(void)
{
    const int clouds = check_rounds_always(WATCHED ? 3 : 8);
    for (int i = 0; i < clouds && check_failures <= 20; i++)
        one_large(LARGE_SEEDS + 5 * (uint64_t)i); /* of all kinds */
    const uint64_t next = LARGE_SEEDS - LARGE_SEEDS % HOSTILE_KINDS + HOSTILE_KINDS;
    one_large(next + HOSTILE_CIRCLE);
    one_large(next + HOSTILE_BALL);
}

/* ----- known cases -------------------------------------------------------------------------------- */

static void one_known(const hostile_known *k)
{
    char about[200];
    snprintf(about, sizeof about, "%s, %zu points, d %a", k->file, k->points.count, (double)k->d);
    results_make(k->points.count);
    one_ec(about, k->points, k->d, &k->ec, true, k->threads);
    one_dbscan(about, k->points, k->d, k->min_points, &k->dbscan, true, k->threads);
    results_free();
}

static void known_cases(void)
{
    const int done = hostile_known_cases(check_data_folder(), command_line.only_file, one_known);
    if (done == -1) SKIP(DO_DATA);
    CHECK_MSG(done > 0, "a known case cannot be read (%d)", done);
}

/* ----- the time limit itself ---------------------------------------------------------------------- */

/* A child that never returns is ended, and its line arrives. */
static void time_limit_ends_a_hang(void)
{
    int ends[2];
    char line[200] = "";
    CHECK_INT(pipe(ends), 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        time_limit_start();
        time_limit_begin(0.05, 20, "a call that hangs");
        for (volatile int turn = 0;; turn = !turn) {}
    }
    close(ends[1]);
    int status = 0;
    const ssize_t length = read(ends[0], line, sizeof line - 1);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    close(ends[0]);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    CHECK(length > 0 && strstr(line, "over the time limit") && strstr(line, "a call that hangs"));
}

static void contexts_create(void)
{
    for (int t = 1; t <= THREADS; t++) {
        contexts[t] = cpu_context(t);
        if (!contexts[t]) abort();
    }
}

CHECK_PROGRAM(test_hostile)
{
    command_line = hostile_read_arguments(argc, argv);
    RUN(time_limit_ends_a_hang); /* first: a process with one thread can fork under every sanitizer */
    time_limit_start();
    contexts_create();
    RUN(known_cases);
    RUN(cases_of_seeds);
    RUN(large_clouds);
    for (int t = 1; t <= THREADS; t++) clump_context_destroy(contexts[t]);
    time_limit_stop();
}
