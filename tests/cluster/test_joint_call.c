/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_joint_call.c: the calls of clump/joint.h: wrong arguments, pieces without points, copies of one point, several
 * threads, memory.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"

#include <clump/joint.h>

#include <math.h>
#include <pthread.h>

static clump_context *ctx;

static clump_joint_settings settings_of(float d, size_t min_points)
{
    clump_joint_settings s = clump_joint_defaults();
    s.d = d;
    s.min_points = min_points;
    return s;
}

static clump_joint *joint_of(float d, size_t min_points)
{
    const clump_joint_settings s = settings_of(d, min_points);
    clump_joint *joint = NULL;
    CHECK_INT(clump_joint_create(ctx, &s, &joint), CLUMP_OK);
    return joint;
}

/* ----- arguments --------------------------------------------------------------------------------------------------- */

static void wrong_settings(void)
{
    clump_joint *joint = (clump_joint *)&joint;
    expect_failure(ctx, clump_joint_create(ctx, NULL, &joint), CLUMP_ERR_ARGUMENT, "settings is null");
    CHECK(joint == NULL);
    clump_joint_settings s = settings_of(1, 0);
    CHECK_INT(clump_joint_create(NULL, &s, &joint), CLUMP_ERR_ARGUMENT);
    expect_failure(ctx, clump_joint_create(ctx, &s, NULL), CLUMP_ERR_ARGUMENT, "out is null");
    s.cookie = 0;
    expect_failure(ctx, clump_joint_create(ctx, &s, &joint), CLUMP_ERR_OPTIONS, "clump_joint_defaults()");
    CHECK(clump_joint_settings_reach(&s) == 0 && clump_joint_settings_reach(NULL) == 0);
    s = settings_of(NAN, 0);
    expect_failure(ctx, clump_joint_create(ctx, &s, &joint), CLUMP_ERR_ARGUMENT, "the distance is nan");
    s = settings_of(-1, 3);
    expect_failure(ctx, clump_joint_create(ctx, &s, &joint), CLUMP_ERR_ARGUMENT, "the radius eps is -1");
    s = settings_of(1, 0), s.order = (clump_order)7;
    expect_failure(ctx, clump_joint_create(ctx, &s, &joint), CLUMP_ERR_ARGUMENT, "no order number 7");
    s = settings_of(1, 0), s.min_size = 5, s.max_size = 4;
    expect_failure(ctx, clump_joint_create(ctx, &s, &joint), CLUMP_ERR_ARGUMENT, "min_size 5 is larger");
    CHECK(joint == NULL && clump_joint_settings_reach(&s) == 0);
    clump_joint_destroy(NULL);
    clump_piece_destroy(NULL);
}

static void reaches(void)
{
    clump_joint_settings s = settings_of(0.5f, 0);
    CHECK(clump_joint_settings_reach(&s) > 0.5 && clump_joint_settings_reach(&s) < 0.5001);
    s.min_points = 1;
    CHECK(clump_joint_settings_reach(&s) < 0.5001);
    s.min_points = 2;
    CHECK(clump_joint_settings_reach(&s) > 1 && clump_joint_settings_reach(&s) < 1.0001);
    clump_joint *const joint = joint_of(0.5f, 2);
    CHECK(clump_joint_reach(joint) == clump_joint_settings_reach(&s) && clump_joint_reach(NULL) == 0);
    clump_joint_destroy(joint);
}

static const float row[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};

/* Adds points of the row with these indices. */
static clump_status add(clump_joint *joint, size_t count, size_t own, const int64_t *indices)
{
    return clump_joint_add(ctx, joint, (clump_points){.xyz = row, .count = count}, own, indices, NULL);
}

static void wrong_indices(void)
{
    clump_joint *const joint = joint_of(1.5f, 0);
    expect_failure(ctx, add(joint, 3, 3, (int64_t[]){0, 2, 1}), CLUMP_ERR_ARGUMENT,
                   "indices[2] is 1 after 2, but the indices of own points must ascend");
    expect_failure(ctx, add(joint, 3, 3, (int64_t[]){0, 1, 1}), CLUMP_ERR_ARGUMENT,
                   "indices[1] and indices[2] are both 1");
    expect_failure(ctx, add(joint, 2, 2, (int64_t[]){-3, 1}), CLUMP_ERR_ARGUMENT, "indices[0] is -3");
    expect_failure(ctx, add(joint, 3, 1, (int64_t[]){4, 2, -1}), CLUMP_ERR_ARGUMENT, "indices[2] is -1");
    expect_failure(ctx, add(joint, 3, 1, (int64_t[]){4, 2, 2}), CLUMP_ERR_ARGUMENT,
                   "indices[1] and indices[2] are both 2");
    expect_failure(ctx, add(joint, 4, 2, (int64_t[]){4, 9, 11, 9}), CLUMP_ERR_ARGUMENT,
                   "indices[1] and indices[3] are both 9");
    expect_failure(ctx, add(joint, 2, 3, (int64_t[]){0, 1, 2}), CLUMP_ERR_ARGUMENT, "3 own points");
    expect_failure(ctx, add(joint, 2, 2, NULL), CLUMP_ERR_ARGUMENT, "indices is null");
    expect_failure(ctx, clump_joint_add(ctx, NULL, (clump_points){.count = 0}, 0, NULL, NULL), CLUMP_ERR_ARGUMENT,
                   "joint is null");
    int64_t clusters = -1;
    CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK); /* unchanged by all that: empty */
    CHECK_INT(clusters, 0);
    clump_joint_destroy(joint);
}

static void wrong_order_of_calls(void)
{
    clump_joint *const joint = joint_of(1.5f, 0);
    int64_t labels[4] = {9, 9, 9, 9}, clusters = -1;
    CHECK_INT(add(joint, 2, 2, (int64_t[]){3, 5}), CLUMP_OK);
    expect_failure(ctx, clump_joint_labels(ctx, joint, 0, labels), CLUMP_ERR_ARGUMENT, "not finished");
    CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK);
    CHECK_INT(clusters, 1);
    clusters = -1;
    CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK); /* once more: the same */
    CHECK_INT(clusters, 1);
    expect_failure(ctx, add(joint, 2, 2, (int64_t[]){7, 8}), CLUMP_ERR_ARGUMENT, "the joint is finished");
    expect_failure(ctx, clump_joint_labels(ctx, joint, 1, labels), CLUMP_ERR_ARGUMENT, "no piece number 1");
    expect_failure(ctx, clump_joint_labels(ctx, joint, -1, labels), CLUMP_ERR_ARGUMENT, "no piece number -1");
    expect_failure(ctx, clump_joint_labels(ctx, joint, 0, NULL), CLUMP_ERR_ARGUMENT, "labels is null");
    CHECK_INT(clump_joint_labels(ctx, joint, 0, labels), CLUMP_OK);
    CHECK(labels[0] == 0 && labels[1] == 0 && labels[2] == 9);
    clump_joint_destroy(joint);
}

/* A point in a rim that no piece owns, until the piece is added; a point that two pieces own. */
static void pieces_that_contradict(void)
{
    clump_joint *joint = joint_of(1.5f, 0);
    int64_t clusters = -1;
    CHECK_INT(add(joint, 3, 1, (int64_t[]){0, 1, 2}), CLUMP_OK);
    expect_failure(ctx, clump_joint_finish(ctx, joint, &clusters), CLUMP_ERR_ARGUMENT, "is no own point of any piece");
    CHECK_INT(add(joint, 2, 2, (int64_t[]){1, 2}), CLUMP_OK);
    CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK);
    CHECK_INT(clusters, 1);
    clump_joint_destroy(joint);
    joint = joint_of(1.5f, 0);
    CHECK_INT(add(joint, 2, 1, (int64_t[]){0, 1}), CLUMP_OK);
    CHECK_INT(add(joint, 1, 1, (int64_t[]){1}), CLUMP_OK);
    CHECK_INT(add(joint, 1, 1, (int64_t[]){1}), CLUMP_OK);
    expect_failure(ctx, clump_joint_finish(ctx, joint, &clusters), CLUMP_ERR_ARGUMENT,
                   "index 1 is an own point of the pieces 1 and 2");
    clump_joint_destroy(joint);
}

/* A piece that is added twice, with indices beside each other (numbered by bits) or far apart (by sorting), by first
 * point or by size. */
static void pieces_twice(void)
{
    static const int64_t near[] = {3, 4}, far[] = {3, (int64_t)1 << 40};
    for (int k = 0; k < 8; k++) {
        clump_joint_settings s = settings_of(k & 4 ? 0.5f : 1.5f, 0);
        s.order = k & 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        clump_joint *joint = NULL;
        int64_t clusters = -1;
        const int64_t *const indices = k & 1 ? far : near;
        CHECK_INT(clump_joint_create(ctx, &s, &joint), CLUMP_OK);
        CHECK_INT(add(joint, 2, 2, indices), CLUMP_OK);
        CHECK_INT(add(joint, 2, 2, indices), CLUMP_OK);
        expect_failure(ctx, clump_joint_finish(ctx, joint, &clusters), CLUMP_ERR_ARGUMENT,
                       "clump_joint_finish: the point with the index");
        expect_failure(ctx, clump_joint_finish(ctx, joint, &clusters), CLUMP_ERR_ARGUMENT,
                       "is an own point of two pieces");
        CHECK_INT(clusters, -1);
        clump_joint_destroy(joint);
    }
}

/* ----- pieces ------------------------------------------------------------------------------------------------------- */

static void a_piece_in_detail(void)
{
    /* x:  0  1 | 2    10    20      own: 0 1 at indices 100 200; rim: the others */
    const float xyz[] = {0, 0, 0, 1, 0, 0, 20, 0, 0, 2, 0, 0, 10, 0, 0};
    const int64_t indices[] = {100, 200, (int64_t)1 << 40, 150, 300};
    const clump_points points = {.xyz = xyz, .count = 5};
    const clump_joint_settings s = settings_of(1.5f, 0);
    clump_piece *piece = NULL;
    int32_t labels[2] = {9, 9};
    CHECK_INT(clump_piece_cluster(ctx, &s, points, 2, indices, (uint8_t[]){0, 1}, labels, &piece), CLUMP_OK);
    CHECK(piece->own == 2 && piece->cluster_count == 1 && piece->choice_count == 0 && !piece->choice_offsets);
    CHECK(labels[0] == 0 && labels[1] == 0 && piece->firsts[0] == 100 && piece->sizes[0] == 2);
    CHECK(piece->rim_count == 1 && piece->rim_indices[0] == 150 && piece->rim_labels[0] == 0);
    CHECK(piece->strip_count == 1 && piece->strip_indices[0] == 200 && piece->strip_labels[0] == 0);
    clump_piece_destroy(piece);
    expect_failure(ctx, clump_piece_cluster(ctx, &s, points, 2, indices, NULL, NULL, &piece), CLUMP_ERR_ARGUMENT,
                   "labels is null");
    CHECK(piece == NULL);
    expect_failure(ctx, clump_piece_cluster(ctx, &s, points, 2, indices, NULL, labels, NULL), CLUMP_ERR_ARGUMENT,
                   "out is null");
    expect_failure(ctx, clump_piece_cluster(ctx, &s, points, 2, indices, NULL, (int32_t *)(void *)xyz, &piece),
                   CLUMP_ERR_ARGUMENT, "overlap");
}

/* Border points between two clusters of which one has its core points in the rim. */
static void a_choice_in_detail(void)
{
    enum { COPIES = 3000 };
    static float xyz[3 * (2 * COPIES + 8)];
    static int64_t indices[2 * COPIES + 8];
    static int32_t labels[2 * COPIES + 8];
    size_t n = 0;
    const float at[][2] = {{-1, 0}, {-1.1f, 0}, {-1.2f, 0}, {-1, 0.1f}, {1, 0}, {1.1f, 0}, {1.2f, 0}, {1, 0.1f}};
    for (int k = 0; k < 4; k++) xyz[3 * n] = at[k][0], xyz[3 * n++ + 1] = at[k][1];
    for (int k = 0; k < COPIES; k++)
        xyz[3 * n] = 0, xyz[3 * n++ + 1] = (float)k * 10; /* only the first is next to both */
    for (int k = 4; k < 8; k++) xyz[3 * n] = at[k][0], xyz[3 * n++ + 1] = at[k][1];
    for (size_t i = 0; i < n; i++) indices[i] = (int64_t)i * 2;
    const clump_points points = {.xyz = xyz, .count = n};
    const clump_joint_settings s = settings_of(1, 4);
    clump_piece *piece = NULL;
    CHECK_INT(clump_piece_cluster(ctx, &s, points, n - 4, indices, NULL, labels, &piece), CLUMP_OK);
    CHECK(piece->cluster_count == 2 && piece->choice_count == 1);
    CHECK(piece->firsts[0] == 0 && piece->firsts[1] == INT64_MAX);
    CHECK(piece->choice_offsets[1] == 2 && piece->choices[0] == 0 && piece->choices[1] == 1);
    CHECK(labels[4] == 2 && labels[5] == CLUMP_NOISE && piece->sizes[0] == 4 && piece->sizes[2] == 1);
    CHECK(piece->sizes[1] == 0 && piece->rim_count == 4 && piece->rim_labels[0] == 1 && piece->strip_count == 4);
    clump_piece_destroy(piece);
}

/* More border points with choices than there is room for at first: 30 x 30 places between two walls. */
static void many_choices(void)
{
    enum { SIDE = 60, POINTS = 3 * SIDE * SIDE };
    static float xyz[3 * POINTS];
    static int64_t indices[POINTS], labels[POINTS];
    static int32_t whole[POINTS];
    size_t n = 0;
    for (int plane = 0; plane < 3; plane++)
        for (int i = 0; i < SIDE * SIDE; i++, n++) {
            const float step = plane == 1 ? 1 : 0.5f;
            xyz[3 * n] = (float)(i % SIDE) * step, xyz[3 * n + 1] = (float)(i / SIDE) * step;
            xyz[3 * n + 2] = (float)plane * 0.55f, indices[n] = (int64_t)n;
            if (plane == 1 && (i % SIDE >= SIDE / 2 || i / SIDE >= SIDE / 2)) xyz[3 * n] = NAN;
        }
    const clump_points points = {.xyz = xyz, .count = n};
    clump_joint *const joint = joint_of(0.6f, 5);
    int64_t clusters = -1;
    int32_t found = -1;
    CHECK_INT(clump_joint_add(ctx, joint, points, n, indices, NULL), CLUMP_OK);
    CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK);
    CHECK_INT(clump_joint_labels(ctx, joint, 0, labels), CLUMP_OK);
    CHECK_INT(clump_dbscan(ctx, points, 0.6f, 5, NULL, whole, &found), CLUMP_OK);
    CHECK_INT(clusters, found);
    CHECK_INT(found, 2);
    for (size_t i = 0; i < n; i++) CHECK_INT(labels[i], whole[i]);
    clump_joint_destroy(joint);
}

static void pieces_without_points(void)
{
    for (size_t min_points = 0; min_points < 3; min_points++) {
        clump_joint *const joint = joint_of(1.5f, min_points);
        const float nan[] = {NAN, 0, 0, 0, INFINITY, 0};
        int64_t clusters = -1, labels[3] = {9, 9, 9};
        CHECK_INT(clump_joint_add(ctx, joint, (clump_points){.count = 0}, 0, NULL, NULL), CLUMP_OK); /* no point */
        CHECK_INT(add(joint, 3, 0, (int64_t[]){2, 1, 0}), CLUMP_OK);                                 /* rim alone */
        CHECK_INT(clump_joint_add(ctx, joint, (clump_points){.xyz = nan, .count = 2}, 2, (int64_t[]){8, 9}, NULL),
                  CLUMP_OK);
        CHECK_INT(add(joint, 3, 3, (int64_t[]){0, 1, 2}), CLUMP_OK);
        CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK);
        CHECK_INT(clusters, 1);
        CHECK_INT(clump_joint_labels(ctx, joint, 0, NULL), CLUMP_OK);
        CHECK_INT(clump_joint_labels(ctx, joint, 1, NULL), CLUMP_OK);
        CHECK_INT(clump_joint_labels(ctx, joint, 2, labels), CLUMP_OK);
        CHECK(labels[0] == CLUMP_NOISE && labels[1] == CLUMP_NOISE && labels[2] == 9);
        CHECK_INT(clump_joint_labels(ctx, joint, 3, labels), CLUMP_OK);
        CHECK(labels[0] == 0 && labels[1] == 0 && labels[2] == 0);
        clump_joint_destroy(joint);
    }
    clump_joint *const joint = joint_of(1, 0);
    int64_t clusters = -1;
    CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK); /* no piece at all */
    CHECK_INT(clusters, 0);
    clump_joint_destroy(joint);
}

/* 10,000 copies of one point on the corner of four pieces. Each piece has a quarter of them and a few of the rim; the
 * index tells them apart. Limits count each copy once. */
static void copies_on_a_corner(void)
{
    enum { COPIES = 10000, QUARTER = COPIES / 4, RIM = 7 };
    static float xyz[3 * COPIES];
    static int64_t indices[COPIES], labels[COPIES];
    for (size_t limit = 0; limit < 2; limit++) {
        clump_joint_settings s = settings_of(1, 0);
        s.min_size = COPIES + limit, s.order = CLUMP_ORDER_SIZE;
        clump_joint *joint = NULL;
        CHECK_INT(clump_joint_create(ctx, &s, &joint), CLUMP_OK);
        for (int64_t p = 0; p < 4; p++) {
            for (int64_t i = 0; i < QUARTER; i++) indices[i] = 4 * i + p;
            for (int64_t r = 0; r < RIM * p; r++) indices[QUARTER + r] = 4 * (r / p) + r % p; /* of pieces before */
            const clump_points points = {.xyz = xyz, .count = QUARTER + (size_t)(RIM * p)};
            CHECK_INT(clump_joint_add(ctx, joint, points, QUARTER, indices, NULL), CLUMP_OK);
        }
        int64_t clusters = -1;
        CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK);
        CHECK_INT(clusters, limit == 0);
        for (int64_t p = 0; p < 4; p++) {
            CHECK_INT(clump_joint_labels(ctx, joint, p, labels), CLUMP_OK);
            for (size_t i = 0; i < QUARTER; i++) CHECK_INT(labels[i], limit == 0 ? 0 : CLUMP_NOISE);
        }
        clump_joint_destroy(joint);
    }
}

/* ----- threads ------------------------------------------------------------------------------------------------------ */

enum { THREADS = 4, STRIPES = 64, PER_STRIPE = 40, THREAD_POINTS = STRIPES * PER_STRIPE };

typedef struct stripes {
    const float *xyz;
    clump_joint *joint;
    int thread;
    int64_t number[STRIPES]; /* of the piece of each stripe; -1: another thread's */
} stripes;

/* Adds every fourth stripe of points, with the stripes beside it as rim. */
static void *add_stripes(void *arg)
{
    stripes *const w = arg;
    clump_context *const own = cpu_context(1);
    for (int s = 0; s < STRIPES; s++) {
        w->number[s] = -1;
        if (s % THREADS != w->thread) continue;
        float points[9 * PER_STRIPE];
        int64_t indices[3 * PER_STRIPE];
        size_t n = 0;
        for (int side = 0; side < 3; side++) {
            const int from = s + (side == 0 ? 0 : side == 1 ? -1 : 1);
            for (int k = 0; k < PER_STRIPE && from >= 0 && from < STRIPES; k++, n++) {
                indices[n] = from * PER_STRIPE + k;
                memcpy(points + 3 * n, w->xyz + 3 * indices[n], 3 * sizeof *points);
            }
        }
        const clump_points piece = {.xyz = points, .count = n};
        if (clump_joint_add(own, w->joint, piece, PER_STRIPE, indices, &w->number[s]) != CLUMP_OK) w->number[s] = -1;
    }
    clump_context_destroy(own);
    return NULL;
}

static void pieces_of_several_threads(void)
{
    static float xyz[3 * THREAD_POINTS];
    static int32_t whole[THREAD_POINTS];
    uint64_t random = 77;
    for (int s = 0; s < STRIPES; s++)
        for (int k = 0; k < PER_STRIPE; k++) {
            float *const p = xyz + 3 * (s * PER_STRIPE + k);
            p[0] = (float)s + check_random_float(&random), p[1] = 12 * check_random_float(&random), p[2] = 0;
        }
    const clump_points all = {.xyz = xyz, .count = THREAD_POINTS};
    clump_joint *const joint = joint_of(0.4f, 4);
    stripes work[THREADS];
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
        work[t] = (stripes){.xyz = xyz, .joint = joint, .thread = t};
        CHECK_INT(pthread_create(&thread[t], NULL, add_stripes, &work[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) CHECK_INT(pthread_join(thread[t], NULL), 0);
    int64_t clusters = -1, labels[PER_STRIPE];
    int32_t found = -1;
    CHECK_INT(clump_joint_finish(ctx, joint, &clusters), CLUMP_OK);
    CHECK_INT(clump_dbscan(ctx, all, 0.4f, 4, NULL, whole, &found), CLUMP_OK);
    CHECK_INT(clusters, found);
    CHECK(found > 5);
    for (int s = 0; s < STRIPES; s++) {
        CHECK_INT(clump_joint_labels(ctx, joint, work[s % THREADS].number[s], labels), CLUMP_OK);
        for (int k = 0; k < PER_STRIPE; k++) CHECK_INT(labels[k], whole[s * PER_STRIPE + k]);
    }
    clump_joint_destroy(joint);
}

/* ----- memory ------------------------------------------------------------------------------------------------------- */

static void a_second_piece_allocates_itself_alone(void)
{
    counter c = {.fail_from = -1};
    clump_context *counted = NULL;
    CHECK_INT(counted_context(&c, 1, &counted), CLUMP_OK);
    const clump_joint_settings s = settings_of(1.5f, 2);
    const int64_t indices[] = {0, 1, 3, 2};
    int32_t labels[2];
    for (int call = 0; call < 4; call++) {
        const long before = c.calls;
        clump_piece *piece = NULL;
        const clump_points points = {.xyz = row, .count = 4};
        CHECK_INT(clump_piece_cluster(counted, &s, points, 2, indices, NULL, labels, &piece), CLUMP_OK);
        if (call > 0) CHECK_INT(c.calls - before, 1);
        if (call == 3) clump_context_destroy(counted); /* the piece outlives the context */
        clump_piece_destroy(piece);
    }
    CHECK_INT(c.live, 0);
}

CHECK_PROGRAM(test_joint_call)
{
    ctx = cpu_context(1);
    RUN(wrong_settings);
    RUN(reaches);
    RUN(wrong_indices);
    RUN(wrong_order_of_calls);
    RUN(pieces_that_contradict);
    RUN(pieces_twice);
    RUN(a_piece_in_detail);
    RUN(a_choice_in_detail);
    RUN(many_choices);
    RUN(pieces_without_points);
    RUN(copies_on_a_corner);
    RUN(pieces_of_several_threads);
    RUN(a_second_piece_allocates_itself_alone);
    clump_context_destroy(ctx);
}
