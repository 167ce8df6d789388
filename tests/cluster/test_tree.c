/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_tree.c: clump_tree, clump_tree_cut and clump_hdbscan: random clouds against the definition, cuts against clump_ec and
 * clump_dbscan, any order of the points, any number of threads, memory, cancellation, wrong arguments.
 */
#include "support/check.h"

#include "hostile/hostile_case.h"
#include "oracle/tree_reference.h"
#include "support/calls.h"
#include "support/clouds.h"

#include <clump/info.h>

#include <float.h>

enum { SMALL = REFERENCE_MOST, LARGE = 10000, ROOM = 33200, TEAMS = 3 };

static const int team_threads[TEAMS] = {1, 2, 5};
static clump_context *teams[TEAMS];
static float xyz[3 * ROOM], heights[ROOM], cores[ROOM], chances[ROOM];
static int32_t parents[ROOM], labels[ROOM], expected[ROOM];
static uint8_t mask[ROOM];
static reference_tree reference;

/* ----- against the definition ------------------------------------------------------------------------------------- */

/* Tree options at random; the mask is filled. */
static clump_tree_options draw_tree(size_t count, uint64_t *random)
{
    static const int samples[] = {1, 1, 2, 3, 4, 5, 8, 10, 20, 128};
    clump_tree_options o = clump_tree_defaults();
    o.min_samples = samples[check_random(random) % 10];
    o.two_d = check_random(random) % 4 == 0;
    for (size_t i = 0; i < count; i++) mask[i] = check_random(random) % 5 != 0;
    if (check_random(random) % 5 == 0) o.mask = mask;
    o.cores = cores;
    return o;
}

static clump_hdbscan_options draw_density(float d, const clump_tree_options *tree, uint64_t *random)
{
    clump_hdbscan_options o = clump_hdbscan_defaults();
    o.min_samples = tree->min_samples, o.two_d = tree->two_d, o.mask = tree->mask;
    o.min_cluster_size = 2 + (int)(check_random(random) % (check_random(random) % 2 ? 4 : 12));
    o.selection = check_random(random) % 3 ? CLUMP_HDBSCAN_EOM : CLUMP_HDBSCAN_LEAF;
    o.allow_single_cluster = check_random(random) % 3 == 0;
    if (check_random(random) % 3 == 0) o.max_cluster_size = o.min_cluster_size + (int)(check_random(random) % 30);
    if (check_random(random) % 3 == 0) o.epsilon = fminf(d * 2 * check_random_float(random), 1e19f);
    o.probabilities = chances;
    return o;
}

static void check_tree(const clump_tree_options *o, size_t count, clump_context *ctx, const char *what)
{
    CHECK_MSG(clump_tree(ctx, (clump_points){.xyz = xyz, .count = count}, o, parents, heights) == CLUMP_OK, "%s: %s",
              what, clump_context_error(ctx));
    for (size_t i = 0; i < count; i++) {
        const bool equal =
            parents[i] == reference.parents[i] && heights[i] == reference.heights[i] && cores[i] == reference.core[i];
        CHECK_MSG(equal, "%s, point %zu of %zu: parent %d, height %a, core %a; expected %d, %a, %a", what, i, count,
                  (int)parents[i], (double)heights[i], (double)cores[i], (int)reference.parents[i],
                  (double)reference.heights[i], (double)reference.core[i]);
        if (!equal) return;
    }
}

static void check_density(const clump_hdbscan_options *o, size_t count, clump_context *ctx, const char *what)
{
    static float right[SMALL];
    const int32_t clusters = reference_hdbscan(&reference, o, expected, right);
    for (int by_tree = 0; by_tree < 2; by_tree++) {
        int32_t found = -1;
        const clump_status status =
            by_tree ? clump_hdbscan_label(ctx, parents, heights, count, o, labels, &found)
                    : clump_hdbscan(ctx, (clump_points){.xyz = xyz, .count = count}, o, labels, &found);
        CHECK_MSG(status == CLUMP_OK, "%s: %s", what, clump_context_error(ctx));
        CHECK_MSG(found == clusters, "%s: %d clusters, expected %d", what, (int)found, (int)clusters);
        CHECK_MSG(memcmp(labels, expected, count * sizeof *labels) == 0, "%s: labels differ", what);
        CHECK_MSG(memcmp(chances, right, count * sizeof *right) == 0, "%s: probabilities differ", what);
    }
}

static void clouds_follow_the_definition(void)
{
    const int rounds = cloud_rounds(CLOUD_WATCHED ? 200 : 2000);
    for (int round = 0; round < rounds && check_failures == 0; round++) {
        uint64_t random = (uint64_t)round;
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = check_random(&random) % (check_random(&random) % 8 ? 40 : SMALL + 1);
        const float d = cloud_fill(shape, xyz, count, &random);
        if (check_random(&random) % 4 == 0) cloud_spoil(xyz, count, 10, &random);
        const clump_tree_options o = draw_tree(count, &random);
        const clump_hdbscan_options density = draw_density(d, &o, &random);
        char what[128];
        snprintf(what, sizeof what, "round %d, %s, %zu points, min_samples %d, min_cluster_size %d", round,
                 cloud_name(shape), count, o.min_samples, density.min_cluster_size);
        reference_make(&reference, xyz, count, &o);
        check_tree(&o, count, teams[round % TEAMS], what);
        check_density(&density, count, teams[round % TEAMS], what);
    }
}

static void hostile_clouds_follow_the_definition(void)
{
    const int rounds = cloud_rounds(CLOUD_WATCHED ? 200 : 1500);
    for (int round = 0; round < rounds && check_failures == 0; round++) {
        hostile_case c = hostile_case_make((uint64_t)round, SMALL);
        uint64_t random = (uint64_t)round;
        memcpy(xyz, c.packed, 3 * c.points.count * sizeof *xyz);
        const clump_tree_options o = draw_tree(c.points.count, &random);
        const clump_hdbscan_options density = draw_density(c.d, &o, &random);
        char what[256];
        hostile_case_text(what, sizeof what, &c);
        reference_make(&reference, xyz, c.points.count, &o);
        check_tree(&o, c.points.count, teams[round % TEAMS], what);
        check_density(&density, c.points.count, teams[round % TEAMS], what);
        hostile_case_free(&c);
    }
}

/* ----- cuts ------------------------------------------------------------------------------------------------------- */

/* Checks the cut at d against clump_ec or clump_dbscan. */
static void check_cut(clump_context *ctx, size_t count, const clump_tree_options *o, float d, size_t min_size,
                      const char *what)
{
    int32_t cut = -1, found = -1;
    const clump_points points = {.xyz = xyz, .count = count};
    clump_dbscan_options dbscan = clump_dbscan_defaults();
    dbscan.common.min_size = min_size, dbscan.common.two_d = o->two_d, dbscan.common.mask = o->mask;
    dbscan.no_border_points = true;
    clump_ec_options ec = clump_ec_defaults();
    ec.common = dbscan.common;
    CHECK_INT(clump_tree_cut(ctx, parents, heights, o->cores, count, d, min_size, labels, &cut), CLUMP_OK);
    if (o->cores)
        CHECK_INT(clump_dbscan(ctx, points, d, (size_t)o->min_samples, &dbscan, expected, &found), CLUMP_OK);
    else
        CHECK_INT(clump_ec(ctx, points, d, &ec, expected, &found), CLUMP_OK);
    CHECK_MSG(cut == found && clump_labels_hash(labels, count) == clump_labels_hash(expected, count),
              "%s, cut at %a: %d clusters, expected %d, or other labels", what, (double)d, (int)cut, (int)found);
}

static void cuts_are_clusters(void)
{
    for (int round = 0; round < cloud_rounds(CLOUD_WATCHED ? 16 : 32); round++) {
        uint64_t random = 1000 + (uint64_t)round;
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = CLOUD_WATCHED ? 3000 : LARGE;
        const float d = cloud_fill(shape, xyz, count, &random);
        clump_tree_options o = draw_tree(count, &random);
        if (o.min_samples == 1 && round % 2) o.cores = NULL;
        if (o.cores && o.min_samples > 10) o.min_samples = 10;
        clump_context *const ctx = teams[round % TEAMS];
        CHECK_INT(clump_tree(ctx, (clump_points){.xyz = xyz, .count = count}, &o, parents, heights), CLUMP_OK);
        for (int k = 0; k < 4; k++) {
            const float height = k == 0 ? d * d : heights[check_random(&random) % count];
            const float at = k == 0 ? d : cloud_step(sqrtf(height), k - 2);
            if (at * at >= FLT_MIN && at * at < INFINITY)
                check_cut(ctx, count, &o, at, k == 3 ? 5 : 1, cloud_name(shape));
        }
    }
}

/* Every kind of hostile cloud with thousands of points: what is quadratic would take minutes. */
static void hostile_cuts_are_clusters(void)
{
    for (uint64_t seed = 0; seed < HOSTILE_KINDS; seed++) {
        if (CLOUD_WATCHED && seed % 4) continue;
        hostile_case c = hostile_case_make_large(seed);
        const size_t count = c.points.count;
        CHECK(count <= ROOM);
        memcpy(xyz, c.packed, 3 * count * sizeof *xyz);
        clump_tree_options o = clump_tree_defaults();
        o.min_samples = seed % 2 ? 1 : 4, o.cores = seed % 2 ? NULL : cores, o.mask = c.mask;
        clump_context *const ctx = teams[seed % 2];
        CHECK_INT(clump_tree(ctx, (clump_points){.xyz = xyz, .count = count}, &o, parents, heights), CLUMP_OK);
        char what[256];
        hostile_case_text(what, sizeof what, &c);
        check_cut(ctx, count, &o, c.d, 1, what);
        hostile_case_free(&c);
    }
}

/* ----- order and threads ------------------------------------------------------------------------------------------ */

/* Numbers labels by the first point. */
static void renumber(int32_t *numbers, size_t count)
{
    static int32_t seen[LARGE];
    int32_t next = 0;
    memset(seen, -1, count * sizeof *seen);
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] < 0) continue;
        if (seen[numbers[i]] < 0) seen[numbers[i]] = next++;
        numbers[i] = seen[numbers[i]];
    }
}

/* The same set of points in another order gives the same clusters and probabilities, bit for bit. */
static void no_order_changes_clusters(void)
{
    static float other[3 * LARGE], moved[LARGE];
    static size_t from[LARGE];
    for (int round = 0; round < cloud_rounds(CLOUD_WATCHED ? 16 : 48); round++) {
        uint64_t random = 2000 + (uint64_t)round;
        const size_t count = 3000;
        const float d = cloud_fill((cloud_shape)(round % CLOUD_SHAPES), xyz, count, &random);
        const clump_tree_options tree = {.min_samples = 1 + (int)(check_random(&random) % 10)};
        clump_hdbscan_options o = draw_density(d, &tree, &random);
        int32_t found = -1, again = -2;
        for (size_t i = 0; i < count; i++) from[i] = i;
        for (size_t i = count - 1; i > 0; i--) {
            const size_t j = check_random(&random) % (i + 1), swapped = from[i];
            from[i] = from[j], from[j] = swapped;
        }
        for (size_t i = 0; i < count; i++) memcpy(other + 3 * i, xyz + 3 * from[i], 3 * sizeof *xyz);
        CHECK_INT(clump_hdbscan(teams[0], (clump_points){.xyz = xyz, .count = count}, &o, labels, &found), CLUMP_OK);
        o.probabilities = moved;
        CHECK_INT(clump_hdbscan(teams[1], (clump_points){.xyz = other, .count = count}, &o, expected, &again),
                  CLUMP_OK);
        static int32_t back[LARGE];
        size_t wrong = 0;
        for (size_t i = 0; i < count; i++) {
            back[from[i]] = expected[i];
            wrong += memcmp(&moved[i], &chances[from[i]], sizeof *moved) != 0;
        }
        renumber(back, count);
        CHECK_MSG(found == again && wrong == 0 && memcmp(back, labels, count * sizeof *back) == 0,
                  "round %d, %s: %d and %d clusters, %zu other probabilities", round,
                  cloud_name((cloud_shape)(round % CLOUD_SHAPES)), (int)found, (int)again, wrong);
    }
}

static void threads_change_nothing(void)
{
    static int32_t first_parents[LARGE];
    static float first_heights[LARGE];
    for (int round = 0; round < cloud_rounds(16); round++) {
        uint64_t random = 3000 + (uint64_t)round;
        const size_t count = CLOUD_WATCHED ? 6000 : LARGE;
        cloud_fill((cloud_shape)(round % CLOUD_SHAPES), xyz, count, &random);
        clump_tree_options o = draw_tree(count, &random);
        for (int k = 0; k < TEAMS; k++) {
            CHECK_INT(clump_tree(teams[k], (clump_points){.xyz = xyz, .count = count}, &o, parents, heights), CLUMP_OK);
            if (k == 0) {
                memcpy(first_parents, parents, count * sizeof *parents);
                memcpy(first_heights, heights, count * sizeof *heights);
            }
            CHECK(clump_context_stats(teams[k]).threads <= team_threads[k]);
            CHECK_MSG(memcmp(first_parents, parents, count * sizeof *parents) == 0 &&
                          memcmp(first_heights, heights, count * sizeof *heights) == 0,
                      "round %d, %d threads", round, team_threads[k]);
        }
    }
}

/* ----- memory and cancellation ------------------------------------------------------------------------------------ */

static void warm_calls_allocate_nothing(void)
{
    for (int round = 0; round < CLOUD_SHAPES; round++) {
        uint64_t random = 4000 + (uint64_t)round;
        counter c = {.fail_from = -1};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, 1 + round % 3, &ctx), CLUMP_OK);
        cloud_fill((cloud_shape)round, xyz, 5000, &random);
        clump_hdbscan_options o = clump_hdbscan_defaults();
        o.two_d = round % 3 == 0;
        long taken = 0;
        for (int again = 0; again < 3; again++) {
            CHECK_INT(clump_hdbscan(ctx, (clump_points){.xyz = xyz, .count = 5000}, &o, labels, NULL), CLUMP_OK);
            if (again == 0) taken = c.calls;
        }
        CHECK_MSG(c.calls == taken, "%s: %ld allocations", cloud_name((cloud_shape)round), c.calls - taken);
        CHECK(clump_context_stats(ctx).host_bytes < 300 * 5000 + 262144);
        clump_context_trim(ctx);
        clump_context_destroy(ctx);
        CHECK(c.live == 0 && c.bytes == 0);
    }
}

/* Every allocation fails once: the call says so, and the next one succeeds. */
static void allocators_may_fail(void)
{
    uint64_t random = 5000, hash = 0;
    cloud_fill(CLOUD_CLUMPED, xyz, 3000, &random);
    clump_hdbscan_options o = clump_hdbscan_defaults();
    o.mask = mask;
    memset(mask, 1, 3000);
    const clump_points points = {.xyz = xyz, .count = 3000};
    long failures = 0;
    for (long from = 0;; from++) {
        counter c = {.fail_from = -1, .once = true};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, 2, &ctx), CLUMP_OK);
        c.fail_from = c.calls + from;
        const clump_status status = clump_hdbscan(ctx, points, &o, labels, NULL);
        if (c.failed) {
            failures++;
            expect_failure(ctx, status, CLUMP_ERR_OUT_OF_MEMORY, "could not be allocated");
            CHECK_INT(clump_hdbscan(ctx, points, &o, labels, NULL), CLUMP_OK);
        }
        if (hash == 0) hash = clump_labels_hash(labels, 3000);
        CHECK(clump_labels_hash(labels, 3000) == hash);
        clump_context_destroy(ctx);
        CHECK(c.live == 0);
        if (!c.failed) break;
    }
    CHECK_MSG(failures >= 8, "only %ld allocations", failures);
}

/* Every poll may find the call cancelled. */
static void calls_may_be_cancelled(void)
{
    uint64_t random = 6000;
    const size_t count = CLOUD_WATCHED ? 2000 : 5000;
    cloud_fill(CLOUD_CLUMPED, xyz, count, &random);
    const clump_points points = {.xyz = xyz, .count = count};
    for (int k = 0; k < 2; k++) {
        clump_context *const ctx = teams[k];
        CHECK_INT(clump_hdbscan(ctx, points, NULL, expected, NULL), CLUMP_OK);
        long step = 1, cancelled = 0;
        for (long polls = 1;; polls += step) {
            clump_team_trap(ctx->work.team, polls);
            const clump_status status = clump_hdbscan(ctx, points, NULL, labels, NULL);
            clump_team_trap(ctx->work.team, 0);
            if (status == CLUMP_OK) break;
            CHECK_INT(status, CLUMP_ERR_CANCELLED);
            cancelled++;
            if (cancelled % 50 == 0) step *= 2;
        }
        CHECK_MSG(cancelled > 20, "%ld polls", cancelled);
        CHECK_INT(clump_hdbscan(ctx, points, NULL, labels, NULL), CLUMP_OK);
        CHECK(memcmp(labels, expected, count * sizeof *labels) == 0);
    }
}

/* ----- arguments -------------------------------------------------------------------------------------------------- */

static void wrong_trees_are_refused(void)
{
    clump_context *const ctx = teams[0];
    static const struct {
        int32_t parents[3];
        float heights[3];
    } wrong[] = {
        {{0, 2, 0}, {INFINITY, 1, 1}},        /* a parent behind its child */
        {{0, -2, 0}, {INFINITY, 1, 1}},       /* no point */
        {{-1, 0, 0}, {INFINITY, 1, 1}},       /* a parent that does not take part */
        {{0, 0, 1}, {INFINITY, 1, 1}},        /* a parent that ends where its child does */
        {{0, 0, 1}, {INFINITY, 1, NAN}},      /* no number */
        {{0, 0, 0}, {INFINITY, 1, -1}},       /* negative */
        {{0, 1, 1}, {INFINITY, 1, INFINITY}}, /* infinite, with a parent */
    };
    int32_t out[3];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_failure(ctx, clump_tree_cut(ctx, wrong[i].parents, wrong[i].heights, NULL, 3, 1, 1, out, NULL),
                       CLUMP_ERR_ARGUMENT, "is not part of a tree");
        expect_failure(ctx, clump_hdbscan_label(ctx, wrong[i].parents, wrong[i].heights, 3, NULL, out, NULL),
                       CLUMP_ERR_ARGUMENT, "is not part of a tree");
    }
}

static void wrong_arguments_are_refused(void)
{
    clump_context *const ctx = teams[0];
    memset(xyz, 0, 30 * sizeof *xyz);
    clump_points p = {.xyz = xyz, .count = 10};
    clump_tree_options t = clump_tree_defaults();
    clump_hdbscan_options h = clump_hdbscan_defaults();
    CHECK_INT(clump_tree(NULL, p, NULL, parents, heights), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_hdbscan(NULL, p, NULL, labels, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_tree(ctx, (clump_points){0}, NULL, NULL, NULL), CLUMP_OK);
    CHECK_INT(clump_hdbscan(ctx, (clump_points){0}, NULL, NULL, NULL), CLUMP_OK);
    expect_failure(ctx, clump_tree(ctx, p, NULL, NULL, heights), CLUMP_ERR_ARGUMENT, "clump_tree: parents is null");
    expect_failure(ctx, clump_tree(ctx, p, NULL, parents, NULL), CLUMP_ERR_ARGUMENT, "clump_tree: heights is null");
    expect_failure(ctx, clump_tree(ctx, p, NULL, parents, (float *)parents), CLUMP_ERR_ARGUMENT, "overlap");
    expect_failure(ctx, clump_hdbscan(ctx, p, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT, "labels is null");
    p.place = CLUMP_PLACE_DEVICE;
    expect_failure(ctx, clump_hdbscan(ctx, p, NULL, labels, NULL), CLUMP_ERR_MEMORY_KIND, "host memory");
    p.place = CLUMP_PLACE_HOST;
    t.min_samples = 0;
    expect_failure(ctx, clump_tree(ctx, p, &t, parents, heights), CLUMP_ERR_ARGUMENT, "min_samples");
    t.min_samples = 129;
    expect_failure(ctx, clump_tree(ctx, p, &t, parents, heights), CLUMP_ERR_ARGUMENT, "min_samples");
    t = (clump_tree_options){.min_samples = 1};
    expect_failure(ctx, clump_tree(ctx, p, &t, parents, heights), CLUMP_ERR_OPTIONS, "clump_tree_defaults()");
    h.min_cluster_size = 1;
    expect_failure(ctx, clump_hdbscan(ctx, p, &h, labels, NULL), CLUMP_ERR_ARGUMENT, "min_cluster_size");
    h.min_cluster_size = 7, h.max_cluster_size = 6;
    expect_failure(ctx, clump_hdbscan(ctx, p, &h, labels, NULL), CLUMP_ERR_ARGUMENT, "larger than max_cluster_size 6");
    h.max_cluster_size = 0, h.epsilon = -1;
    expect_failure(ctx, clump_hdbscan(ctx, p, &h, labels, NULL), CLUMP_ERR_ARGUMENT, "epsilon");
    h.epsilon = 0, h.selection = (clump_hdbscan_selection)2;
    expect_failure(ctx, clump_hdbscan(ctx, p, &h, labels, NULL), CLUMP_ERR_ARGUMENT, "selection");
    h.cookie = 1;
    expect_failure(ctx, clump_hdbscan(ctx, p, &h, labels, NULL), CLUMP_ERR_OPTIONS, "clump_hdbscan_defaults()");
    CHECK_INT(clump_tree(ctx, p, NULL, parents, heights), CLUMP_OK);
    expect_failure(ctx, clump_tree_cut(ctx, parents, heights, NULL, 10, 0, 1, labels, NULL), CLUMP_ERR_ARGUMENT,
                   "the distance is 0");
    expect_failure(ctx, clump_tree_cut(ctx, parents, heights, NULL, 10, 1, 1, NULL, NULL), CLUMP_ERR_ARGUMENT,
                   "labels is null");
    expect_failure(ctx, clump_tree_cut(ctx, NULL, heights, NULL, 10, 1, 1, labels, NULL), CLUMP_ERR_ARGUMENT,
                   "parents is null");
    expect_failure(ctx, clump_tree_cut(ctx, parents, heights, NULL, 10, 1, 1, parents, NULL), CLUMP_ERR_ARGUMENT,
                   "overlap");
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    cpu_contexts(teams, team_threads, TEAMS);
    RUN(clouds_follow_the_definition);
    RUN(hostile_clouds_follow_the_definition);
    RUN(cuts_are_clusters);
    RUN(hostile_cuts_are_clusters);
    RUN(no_order_changes_clusters);
    RUN(threads_change_nothing);
    RUN(warm_calls_allocate_nothing);
    RUN(allocators_may_fail);
    RUN(calls_may_be_cancelled);
    RUN(wrong_trees_are_refused);
    RUN(wrong_arguments_are_refused);
    destroy_contexts(teams, TEAMS);
    return CHECK_END();
}
