/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_tree.c: clump_tree, clump_tree_cut and clump_hdbscan: random clouds against the definition, cuts against clump_ec and
 * clump_dbscan, middles of clusters, any order of the points, any number of threads, wrong arguments. CLUMP_TEST_CLOUDS in the
 * environment is the number of random clouds, each with every number of threads.
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

/* Whether two merges have the same weight. */
static bool has_ties(size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (heights[i] == heights[j] && heights[i] < INFINITY && parents[i] >= 0 && parents[j] >= 0) return true;
    return false;
}

static void clouds_follow_the_definition(void)
{
    const char *const given = getenv("CLUMP_TEST_CLOUDS");
    const bool asked = given && *given;
    const long rounds = asked ? strtol(given, NULL, 10) : check_rounds(CLOUD_WATCHED ? 200 : 2000);
    long tied = 0;
    for (long round = 0; round < rounds && check_failures == 0; round++) {
        uint64_t random = (uint64_t)round;
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = check_random(&random) % (check_random(&random) % 8 ? 40 : SMALL + 1);
        const float d = cloud_fill(shape, xyz, count, &random);
        if (check_random(&random) % 4 == 0) cloud_spoil(xyz, count, 10, &random);
        const clump_tree_options o = draw_tree(count, &random);
        const clump_hdbscan_options density = draw_density(d, &o, &random);
        char what[128];
        snprintf(what, sizeof what, "round %ld, %s, %zu points, min_samples %d, min_cluster_size %d", round,
                 cloud_name(shape), count, o.min_samples, density.min_cluster_size);
        reference_make(&reference, xyz, count, &o);
        for (int k = 0; k < TEAMS; k++) {
            if (!asked && k != round % TEAMS) continue;
            check_tree(&o, count, teams[k], what);
            check_density(&density, count, teams[k], what);
        }
        tied += has_ties(count);
    }
    CHECK_MSG(tied >= rounds / 3, "only %ld of %ld clouds have ties", tied, rounds);
    if (asked) printf("%ld clouds, %ld with ties, %ld differences\n", rounds, tied, check_failures);
}

static void hostile_clouds_follow_the_definition(void)
{
    const int rounds = check_rounds(CLOUD_WATCHED ? 200 : 1500);
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

/* ----- clouds whose answer is known --------------------------------------------------------------------------------- */

typedef struct known {
    const char *what;
    size_t count;
    int min_samples, min_cluster_size;
    float height;             /* of all points but the first of each cluster of the tree */
    int32_t clusters, single; /* of HDBSCAN, without and with allow_single_cluster */
} known;

static void check_known(const known *k)
{
    clump_tree_options tree = clump_tree_defaults();
    clump_hdbscan_options density = clump_hdbscan_defaults();
    tree.min_samples = density.min_samples = k->min_samples;
    density.min_cluster_size = k->min_cluster_size;
    density.probabilities = chances;
    const clump_points points = {.xyz = xyz, .count = k->count};
    for (int t = 0; t < TEAMS; t++) {
        int32_t found = -1;
        CHECK_INT(clump_tree(teams[t], points, &tree, parents, heights), CLUMP_OK);
        for (size_t i = 1; i < k->count; i++)
            CHECK_MSG(heights[i] == k->height || heights[i] >= 100, "%s: height %zu is %g", k->what, i,
                      (double)heights[i]);
        density.allow_single_cluster = false;
        CHECK_INT(clump_hdbscan(teams[t], points, &density, labels, &found), CLUMP_OK);
        CHECK_MSG(found == k->clusters, "%s: %d clusters", k->what, (int)found);
        density.allow_single_cluster = true;
        CHECK_INT(clump_hdbscan(teams[t], points, &density, labels, &found), CLUMP_OK);
        CHECK_MSG(found == k->single, "%s: %d clusters, one allowed", k->what, (int)found);
        for (size_t i = 0; i < k->count; i++)
            CHECK_MSG(labels[i] == (found > 0 ? (int32_t)(i * (size_t)found / k->count) : CLUMP_NOISE) &&
                          chances[i] == (found > 0 ? 1.0f : 0.0f),
                      "%s: point %zu has label %d, %g", k->what, i, (int)labels[i], (double)chances[i]);
    }
}

static void fill_line(size_t count, float spacing, size_t equal)
{
    for (size_t i = 0; i < count; i++) xyz[3 * i] = spacing * (float)(i / equal), xyz[3 * i + 1] = xyz[3 * i + 2] = 0;
}

static void known_clouds(void)
{
    fill_line(2, 3, 1);
    check_known(&(known){"two points", 2, 1, 2, 9, 0, 1});
    check_known(&(known){"two points, more samples", 2, 3, 2, INFINITY, 0, 1});
    fill_line(5000, 1, 5000);
    check_known(&(known){"all equal", 5000, 10, 20, 0, 0, 1});
    check_known(&(known){"128 of 100 points", 100, 128, 5, INFINITY, 0, 1});
    fill_line(6000, 20, 2000);
    check_known(&(known){"duplicates by the thousand", 6000, 10, 100, 0, 3, 3});
    fill_line(5000, 1, 1);
    check_known(&(known){"a line", 5000, 1, 5, 1, 0, 1});
    for (size_t i = 0; i < 8000; i++)
        xyz[3 * i] = (float)(i % 20), xyz[3 * i + 1] = (float)(i / 20 % 20), xyz[3 * i + 2] = (float)(i / 400);
    check_known(&(known){"a lattice", 8000, 4, 5, 1, 0, 1}); /* a corner has three neighbours at 1 */
    for (size_t i = 0; i < 8000; i += 3) xyz[3 * i + i % 2] = i % 4 ? NAN : INFINITY;
    clump_tree_options tree = clump_tree_defaults();
    clump_hdbscan_options density = clump_hdbscan_defaults();
    density.probabilities = chances;
    const clump_points points = {.xyz = xyz, .count = 8000};
    CHECK_INT(clump_tree(teams[1], points, &tree, parents, heights), CLUMP_OK);
    CHECK_INT(clump_hdbscan(teams[1], points, &density, labels, NULL), CLUMP_OK);
    for (size_t i = 0; i < 8000; i++)
        CHECK(i % 3
                  ? parents[i] >= 0
                  : parents[i] == CLUMP_NOISE && labels[i] == CLUMP_NOISE && memcmp(&chances[i], &(float){0}, 4) == 0);
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
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 16 : 32); round++) {
        uint64_t random = 1000 + (uint64_t)round;
        const cloud_shape shape = (cloud_shape)(check_turn(round) % CLOUD_SHAPES);
        const size_t count = CLOUD_WATCHED ? 3000 : check_fewer(4000, LARGE);
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
        if (check_tier() == 1 && seed == HOSTILE_OVERFLOW) continue; /* 8 s: its distances are infinite */
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

/* ----- middles ---------------------------------------------------------------------------------------------------- */

/* The sum that a medoid has the least of, as its definition says. */
static double far_from(const clump_points *p, const int32_t *of, size_t i, size_t count, const float *weight,
                       bool two_d)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) {
        if (of[j] != of[i]) continue;
        double square = 0;
        for (size_t k = 0; k < (two_d ? 2 : 3); k++) {
            const double d = (double)p->xyz[3 * i + k] - (double)p->xyz[3 * j + k];
            square += d * d;
        }
        sum += (weight ? (double)weight[j] : 1) * sqrt(square);
    }
    return sum;
}

static void middles_follow_the_definition(void)
{
    enum { CLUSTERS = 9 };
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 8 : 40); round++) {
        uint64_t random = 7000 + (uint64_t)round;
        const size_t count = check_random(&random) % 700;
        const bool two_d = round % 4 == 0, weighted = round % 3 != 0;
        float middle[3 * CLUSTERS];
        int32_t medoids[CLUSTERS], best[CLUSTERS];
        cloud_fill(round % 2 ? CLOUD_CLUMPED : CLOUD_LATTICE, xyz, count, &random);
        for (size_t i = 0; i < count; i++) {
            labels[i] = (int32_t)(check_random(&random) % (CLUSTERS + 1)) - 2; /* the last one has no points */
            chances[i] = 0.25f * (float)(1 + check_random(&random) % 4);
            if (labels[i] < 0) xyz[3 * i] = NAN;
        }
        const clump_points p = {.xyz = xyz, .count = count};
        const float *const weight = weighted ? chances : NULL;
        CHECK_INT(clump_hdbscan_centers(teams[round % TEAMS], p, labels, weight, CLUSTERS, two_d, middle, medoids),
                  CLUMP_OK);
        for (int32_t c = 0; c < CLUSTERS; c++) {
            double sum[3] = {0}, all = 0, least = INFINITY;
            best[c] = CLUMP_NOISE;
            for (size_t i = 0; i < count; i++) {
                if (labels[i] != c) continue;
                const double w = weighted ? (double)chances[i] : 1, far = far_from(&p, labels, i, count, weight, two_d);
                for (size_t k = 0; k < 3; k++) sum[k] += two_d && k == 2 ? 0 : w * (double)xyz[3 * i + k];
                all += w;
                if (far < least) least = far, best[c] = (int32_t)i;
            }
            CHECK_MSG(medoids[c] == best[c], "round %d: medoid %d, expected %d", round, (int)medoids[c], (int)best[c]);
            for (size_t k = 0; k < 3; k++)
                CHECK_MSG(all > 0 ? middle[3 * c + (int)k] == (float)(sum[k] / all) : isnan(middle[3 * c + (int)k]),
                          "round %d: centroid %g", round, (double)middle[3 * c + (int)k]);
        }
        CHECK_INT(clump_hdbscan_centers(teams[0], p, labels, NULL, CLUSTERS, false, NULL, NULL), CLUMP_OK);
        if (count < 20) continue;
        labels[3] = CLUSTERS;
        expect_failure(teams[0], clump_hdbscan_centers(teams[0], p, labels, NULL, CLUSTERS, false, NULL, medoids),
                       CLUMP_ERR_ARGUMENT, "labels[3] is 9, but there are 9 clusters");
        labels[3] = 0, xyz[10] = INFINITY;
        expect_failure(teams[0], clump_hdbscan_centers(teams[0], p, labels, NULL, CLUSTERS, false, NULL, medoids),
                       CLUMP_ERR_ARGUMENT, "point 3 is in cluster 0, but it is not finite");
        xyz[9] = xyz[10] = xyz[11] = 0, chances[3] = -1;
        expect_failure(teams[0], clump_hdbscan_centers(teams[0], p, labels, chances, CLUSTERS, false, NULL, medoids),
                       CLUMP_ERR_ARGUMENT, "probabilities[3] is -1");
    }
    CHECK_INT(clump_hdbscan_centers(NULL, (clump_points){0}, NULL, NULL, 0, false, NULL, NULL), CLUMP_ERR_ARGUMENT);
    expect_failure(teams[0], clump_hdbscan_centers(teams[0], (clump_points){0}, NULL, NULL, -1, false, NULL, NULL),
                   CLUMP_ERR_ARGUMENT, "cluster_count is -1");
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
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 16 : 48); round++) {
        uint64_t random = 2000 + (uint64_t)round;
        const size_t count = 3000;
        const float d = cloud_fill((cloud_shape)(check_turn(round) % CLOUD_SHAPES), xyz, count, &random);
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
                  cloud_name((cloud_shape)(check_turn(round) % CLOUD_SHAPES)), (int)found, (int)again, wrong);
    }
}

static void threads_change_nothing(void)
{
    static int32_t first_parents[LARGE];
    static float first_heights[LARGE];
    for (int round = 0; round < check_rounds(16); round++) {
        uint64_t random = 3000 + (uint64_t)round;
        const size_t count = CLOUD_WATCHED ? 6000 : LARGE;
        cloud_fill((cloud_shape)(check_turn(round) % CLOUD_SHAPES), xyz, count, &random);
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
        {{0, 0, 1}, {INFINITY, 1, -0.0f}},    /* so, too: its bits are larger than those of its parent */
        {{0, 0, 1}, {INFINITY, 1, INFINITY}}, /* infinite, with a parent */
        {{0, 1, 1}, {INFINITY, 1, 2}},        /* a point without a parent that ends, even before its child */
        {{0, 1, 2}, {INFINITY, INFINITY, NAN}},
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
    clump_hdbscan_options h = clump_hdbscan_defaults();
    CHECK_INT(clump_tree(NULL, p, NULL, parents, heights), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_hdbscan(NULL, p, NULL, labels, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_tree(ctx, (clump_points){0}, NULL, NULL, NULL), CLUMP_OK);
    CHECK_INT(clump_hdbscan(ctx, (clump_points){0}, NULL, NULL, NULL), CLUMP_OK);
    expect_failure(ctx, clump_tree(ctx, p, NULL, NULL, heights), CLUMP_ERR_ARGUMENT, "clump_tree: parents is null");
    expect_failure(ctx, clump_tree(ctx, p, NULL, parents, NULL), CLUMP_ERR_ARGUMENT, "clump_tree: heights is null");
    expect_failure(ctx, clump_tree(ctx, p, NULL, parents, (float *)parents), CLUMP_ERR_ARGUMENT, "overlap");
    expect_failure(ctx, clump_hdbscan(ctx, p, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT, "labels is null");
    h.min_cluster_size = 7, h.max_cluster_size = 6;
    expect_failure(ctx, clump_hdbscan(ctx, p, &h, labels, NULL), CLUMP_ERR_ARGUMENT, "larger than max_cluster_size 6");
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

CHECK_PROGRAM(test_tree)
{
    cpu_contexts(teams, team_threads, TEAMS);
    RUN(clouds_follow_the_definition);
    RUN(hostile_clouds_follow_the_definition);
    RUN(known_clouds);
    RUN(cuts_are_clusters);
    RUN(hostile_cuts_are_clusters);
    RUN(middles_follow_the_definition);
    RUN(no_order_changes_clusters);
    RUN(threads_change_nothing);
    RUN(wrong_trees_are_refused);
    RUN(wrong_arguments_are_refused);
    destroy_contexts(teams, TEAMS);
}
