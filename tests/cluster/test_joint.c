/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_joint.c: random clouds in random pieces against one call and against the oracles. CLUMP_TEST_CLOUDS in the
 * environment is the number of clouds; without it tier 3 has 10^5.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/cut.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 320 };

enum { ADDERS = 3 }; /* threads that add pieces at the same time */

static clump_context *alone, *team, *adders[ADDERS];
static float xyz[3 * MOST];

/* A case: a cloud and settings. */
typedef struct random_case {
    uint64_t seed;
    cloud_shape shape;
    size_t count;
    clump_joint_settings settings;
} random_case;

static random_case make_case(uint64_t seed)
{
    uint64_t random = seed;
    random_case c = {.seed = seed, .shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES)};
    c.count = check_random(&random) % (check_random(&random) % 8 ? MOST / 2 : MOST + 1);
    c.settings = clump_joint_defaults();
    c.settings.d = cloud_fill(c.shape, xyz, c.count, &random);
    if (check_random(&random) % 3 == 0) cloud_spoil(xyz, c.count, 1 + check_random(&random) % 60, &random);
    clump_dbscan_options o = clump_dbscan_defaults();
    uint8_t mask[MOST];
    cloud_dbscan_options(&o, mask, c.count, &random);
    if (o.common.two_d) cloud_spoil_z(xyz, c.count, &random);
    c.settings.two_d = o.common.two_d, c.settings.order = o.common.order;
    c.settings.min_size = o.common.min_size, c.settings.max_size = o.common.max_size;
    if (check_random(&random) % 5 < 3) {
        c.settings.min_points = cloud_min_points(c.count, &random);
        c.settings.no_border_points = o.no_border_points;
    }
    return c;
}

/* Clusters the case by one call, or by the oracle. */
static int32_t label_whole(const random_case *c, bool by_oracle, int32_t *labels)
{
    const clump_joint_settings *const s = &c->settings;
    const clump_points all = {.xyz = xyz, .count = c->count};
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.order = s->order, o.common.two_d = s->two_d, o.common.min_size = s->min_size,
    o.common.max_size = s->max_size;
    o.no_border_points = s->no_border_points;
    clump_ec_options e = oracle_common(&o);
    e.cookie = clump_ec_defaults().cookie;
    uint8_t core[MOST];
    int32_t found = -1;
    if (by_oracle)
        return s->min_points > 0 ? oracle_dbscan(all, s->d, s->min_points, &o, labels, core)
                                 : oracle_ec(all, s->d, &e, labels);
    const clump_status status = s->min_points > 0 ? clump_dbscan(alone, all, s->d, s->min_points, &o, labels, &found)
                                                  : clump_ec(alone, all, s->d, &e, labels, &found);
    CHECK_MSG(status == CLUMP_OK, "seed %llu: %s", (unsigned long long)c->seed, clump_context_error(alone));
    return found;
}

/* Pieces of a case on their way into a joint. */
typedef struct adding {
    const random_case *c;
    const cut *pieces;
    clump_joint *joint;
    int64_t step, base;          /* of the indices */
    int64_t numbers[CUT_PIECES]; /* that the joint gave to the pieces */
    atomic_int next, failures;
} adding;

static void add_piece(adding *a, clump_context *ctx, int p)
{
    float points[3 * MOST];
    int64_t indices[MOST];
    uint64_t random = a->c->seed + (uint64_t)p;
    cut_copy(a->pieces, p, xyz, a->step, a->base, points, indices);
    const cloud_view view = cloud_view_make(points, a->pieces->count[p], &random);
    if (clump_joint_add(ctx, a->joint, view.points, a->pieces->own[p], indices, &a->numbers[p]) != CLUMP_OK)
        a->failures++;
    free(view.memory);
}

/* What a thread with the context `ctx` does. */
typedef struct adder {
    adding *a;
    clump_context *ctx;
} adder;

static void *add_pieces(void *arg)
{
    const adder *const t = arg;
    for (int p; (p = t->a->next++) < t->a->pieces->pieces;) add_piece(t->a, t->ctx, p);
    return NULL;
}

static void add_in_threads(adding *a)
{
    pthread_t threads[ADDERS];
    adder work[ADDERS];
    for (int t = 0; t < ADDERS; t++) {
        work[t] = (adder){a, adders[t]};
        if (pthread_create(&threads[t], NULL, add_pieces, &work[t]) != 0) abort();
    }
    for (int t = 0; t < ADDERS; t++) pthread_join(threads[t], NULL);
}

/* Clusters the case in pieces and returns the number of clusters. Labels are in the order of the points. threads: several
 * threads add the pieces, which then have any numbers. */
static int64_t label_pieces(adding *a, bool threads, int64_t *labels)
{
    int64_t clusters = -1, own[MOST];
    CHECK_INT(clump_joint_create(alone, &a->c->settings, &a->joint), CLUMP_OK);
    if (threads) add_in_threads(a);
    for (int p = 0; p < a->pieces->pieces && !threads; p++) {
        add_piece(a, p % 4 == 3 ? team : alone, p);
        CHECK(a->numbers[p] == p);
    }
    CHECK_MSG(a->failures == 0, "seed %llu: a piece was not added", (unsigned long long)a->c->seed);
    const clump_status status = clump_joint_finish(alone, a->joint, &clusters);
    CHECK_MSG(status == CLUMP_OK, "seed %llu: %s", (unsigned long long)a->c->seed, clump_context_error(alone));
    for (int p = 0; p < a->pieces->pieces && status == CLUMP_OK; p++) {
        CHECK_INT(clump_joint_labels(alone, a->joint, a->numbers[p], own), CLUMP_OK);
        for (size_t m = 0; m < a->pieces->own[p]; m++) labels[a->pieces->members[p][m]] = own[m];
    }
    clump_joint_destroy(a->joint);
    return clusters;
}

/* Returns whether pieces, one call and the oracle give one result. */
static bool run_case(uint64_t seed)
{
    static int32_t whole[MOST], defined[MOST];
    static int64_t labels[MOST];
    const random_case c = make_case(seed);
    uint64_t random = seed ^ 0x5bd1e995u;
    const int32_t found = label_whole(&c, false, whole);
    bool equal = true;
    if (check_random(&random) % 4 == 0) /* the oracle is slow; one call has tests of its own */
        equal = label_whole(&c, true, defined) == found && memcmp(whole, defined, c.count * sizeof *whole) == 0;
    const cut_kind kind = (cut_kind)(check_random(&random) % CUT_KINDS);
    const bool one_sided = c.settings.min_points == 0 && check_random(&random) % 2;
    cut pieces = cut_make(kind, xyz, c.count, &c.settings, 0, one_sided, &random);
    adding a = {.c = &c, .pieces = &pieces};
    a.step = 1 + (int64_t)(check_random(&random) % 3 ? 0 : check_random(&random) % ((uint64_t)1 << 40));
    a.base = check_random(&random) % 2 ? 0 : ((int64_t)1 << 33) + 5;
    const bool threads = check_random(&random) % 8 == 0; /* then the pieces have any numbers */
    equal &= label_pieces(&a, threads, labels) == found;
    for (size_t i = 0; i < c.count; i++) equal &= labels[i] == whole[i];
    CHECK_MSG(equal, "seed %llu: %s, %zu points, kind %d, %d pieces, min_points %zu: labels differ",
              (unsigned long long)seed, cloud_name(c.shape), c.count, (int)kind, pieces.pieces, c.settings.min_points);
    cut_free(&pieces);
    return equal;
}

/* ----- larger clouds ------------------------------------------------------------------------------------------------ */

/* Clusters a cloud in a cube, cut into slabs along x with rims on both sides, and compares with one call. */
static void compare_slabs(const float *cloud, size_t count, float side, const clump_joint_settings *s, int slabs)
{
    float *const part = malloc(3 * count * sizeof *part);
    int64_t *const part_indices = malloc(count * sizeof *part_indices), *const own_labels =
                                                                            malloc(count * sizeof *own_labels);
    int32_t *const whole = malloc(count * sizeof *whole);
    const clump_points all = {.xyz = cloud, .count = count};
    int32_t found = 0;
    int64_t clusters = 0;
    clump_joint *joint = NULL;
    CHECK(part && part_indices && own_labels && whole);
    CHECK_INT(s->min_points > 0 ? clump_dbscan(alone, all, s->d, s->min_points, NULL, whole, &found)
                                : clump_ec(alone, all, s->d, NULL, whole, &found),
              CLUMP_OK);
    CHECK_INT(clump_joint_create(alone, s, &joint), CLUMP_OK);
    const double reach = clump_joint_reach(joint);
    for (int k = 0; k < slabs; k++) {
        const double low = (double)side * k / slabs, high = (double)side * (k + 1) / slabs;
        size_t taken = 0, own = 0;
        for (int rim = 0; rim < 2; rim++) {
            for (size_t i = 0; i < count; i++) {
                const double x = (double)cloud[3 * i];
                const bool inside = x >= low && x < high, near = x >= low - reach && x <= high + reach;
                if (rim ? inside || !near : !inside) continue;
                memcpy(part + 3 * taken, cloud + 3 * i, 3 * sizeof *part);
                part_indices[taken++] = (int64_t)i;
            }
            if (!rim) own = taken;
        }
        const clump_points piece = {.xyz = part, .count = taken};
        CHECK_INT(clump_joint_add(k % 2 ? team : alone, joint, piece, own, part_indices, NULL), CLUMP_OK);
    }
    CHECK_INT(clump_joint_finish(alone, joint, &clusters), CLUMP_OK);
    CHECK_INT((int)clusters, found);
    size_t differ = 0;
    for (int k = 0; k < slabs; k++) {
        const double low = (double)side * k / slabs, high = (double)side * (k + 1) / slabs;
        CHECK_INT(clump_joint_labels(alone, joint, k, own_labels), CLUMP_OK);
        for (size_t i = 0, own = 0; i < count; i++)
            if ((double)cloud[3 * i] >= low && (double)cloud[3 * i] < high) differ += own_labels[own++] != whole[i];
    }
    CHECK_MSG(differ == 0, "%zu points, min_points %zu, %d slabs: %zu labels differ", count, s->min_points, slabs,
              differ);
    clump_joint_destroy(joint);
    free(part), free(part_indices), free(own_labels), free(whole);
}

/* Clouds so large that `fast` sweeps the sparse ones by rows and divides the dense ones into blocks. min_points is about the
 * mean number of neighbours, so that there are many border points next to several clusters. */
static void larger_clouds_in_pieces(void)
{
    enum { COUNT = 40000 };
    static const struct {
        double degree;
        size_t min_points;
    } kinds[] = {{2, 0}, {2, 3}, {6, 0}, {6, 7}, {6, 10}, {20, 25}, {40, 0}, {40, 48}};
    float *const cloud = malloc(3 * COUNT * sizeof *cloud);
    CHECK(cloud);
    uint64_t random = 77;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && cloud; k++) {
        const float side = cbrtf((float)(4.18879 * COUNT / kinds[k].degree));
        for (size_t i = 0; i < 3 * COUNT; i++) cloud[i] = side * check_random_float(&random);
        clump_joint_settings s = clump_joint_defaults();
        s.d = 1;
        s.min_points = kinds[k].min_points;
        compare_slabs(cloud, COUNT, side, &s, k % 2 ? 2 : 3);
    }
    free(cloud);
}

static void random_clouds_in_pieces(void)
{
    const char *const given = getenv("CLUMP_TEST_CLOUDS");
    const long rounds = given && *given ? strtol(given, NULL, 10) : check_rounds(CLOUD_WATCHED ? 300 : 5000);
    long differ = 0;
    for (long round = 0; round < rounds; round++) differ += !run_case((uint64_t)round * 7919 + 1);
    printf("%ld of %ld clouds in pieces differ\n", differ, rounds);
}

CHECK_PROGRAM(test_joint)
{
    alone = cpu_context(1);
    team = cpu_context(3);
    for (int t = 0; t < ADDERS; t++) adders[t] = cpu_context(1);
    RUN(random_clouds_in_pieces);
    RUN(larger_clouds_in_pieces);
    clump_context_destroy(alone);
    clump_context_destroy(team);
    for (int t = 0; t < ADDERS; t++) clump_context_destroy(adders[t]);
}
