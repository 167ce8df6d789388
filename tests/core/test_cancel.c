/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cancel.c: calls that are cancelled at any moment. Fault injection makes poll k of a call report a cancellation,
 * for k = 1, 2 ... until the call succeeds. After each cancellation the context must give the right result. The longest
 * times between two polls, on clouds in which searches of pairs take long, are printed.
 *
 * CLUMP_TEST_LONG=1 prints those of a million points.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/context.h"
#include "hostile/hostile.h"

#include <clump/info.h>
#include <clump/batch.h>
#include <clump/joint.h>
#include <clump/index.h>

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

enum { MANY = 17000, FEW = 700, BOXES = 100 };

/* The points, and results of jobs. */
static float *cloud;
static int32_t *labels, *indices;
static int64_t *offsets;
static clump_cluster clusters[BOXES];
static size_t room, finite; /* points that fit; finite ones of the cloud */

/* ----- times between polls ---------------------------------------------------------------------------------------- */

/* Processor time of this thread: other processes do not count. */
static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static struct {
    double last, longest;
    long polls;
} gauge;

static void on_poll(void *unused)
{
    (void)unused;
    const double now = cpu_ms();
    gauge.longest = fmax(gauge.longest, now - gauge.last);
    gauge.last = now;
    gauge.polls++;
}

/* ----- calls ------------------------------------------------------------------------------------------------------ */

typedef struct job {
    const char *name; /* the call, as its sentence has it */
    int method;
    size_t count;
    clump_status (*run)(clump_context *ctx, const struct job *job, uint64_t *hash); /* a hash of the result */
    float radius;
} job;

static clump_points points_of(const job *j)
{
    return (clump_points){.xyz = cloud, .count = j->count};
}

static uint64_t hash_of(const void *words, size_t bytes)
{
    return clump_labels_hash(words, bytes / sizeof(int32_t));
}

static clump_status run_ec(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_ec_options o = clump_ec_defaults();
    o.method = (clump_ec_method)j->method, o.common.order = CLUMP_ORDER_SIZE;
    const clump_status status = clump_ec(ctx, points_of(j), j->radius, &o, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

static clump_status run_ec_ranged(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_ec_options o = clump_ec_defaults();
    o.common.eps_per_metre = 0.05f;
    const clump_status status = clump_ec(ctx, points_of(j), j->radius, &o, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

static clump_status run_dbscan(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_dbscan_options o = clump_dbscan_defaults();
    o.method = (clump_dbscan_method)j->method;
    const clump_status status = clump_dbscan(ctx, points_of(j), j->radius, 5, &o, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

static clump_status run_dbscan_ranged(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.eps_per_metre = 0.05f;
    const clump_status status = clump_dbscan(ctx, points_of(j), j->radius, 5, &o, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

static clump_status run_ground(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_ground_options o = clump_ground_defaults();
    o.method = (clump_ground_method)j->method;
    const clump_status status = clump_ground(ctx, points_of(j), &o, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

static clump_status run_erccl(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_erccl_options o = clump_erccl_defaults();
    o.method = (clump_erccl_method)j->method, o.cell = 0.2f, o.reach = 3;
    const clump_status status = clump_erccl(ctx, points_of(j), &o, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

/* Builds an index without the trap, so that the query is what is cancelled. */
static clump_index *index_of(const job *j)
{
    clump_index_options o = clump_index_defaults();
    o.method = (clump_nn_method)j->method;
    clump_context *const maker = cpu_context(0);
    clump_index *index = NULL;
    CHECK_INT(clump_index_create(maker, points_of(j), &o, &index), CLUMP_OK);
    clump_context_destroy(maker);
    gauge.last = cpu_ms();
    return index;
}

static clump_status run_build(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_index_options o = clump_index_defaults();
    o.method = (clump_nn_method)j->method;
    clump_index *index = NULL;
    const clump_status status = clump_index_create(ctx, points_of(j), &o, &index);
    CHECK((index != NULL) == (status == CLUMP_OK));
    if (index) {
        clump_team_trap(ctx->work.team, 0);
        CHECK_INT(clump_index_nearest(ctx, index, points_of(j), j->radius, indices, NULL), CLUMP_OK);
        *hash = hash_of(indices, j->count * sizeof *indices);
    }
    clump_index_destroy(index);
    return status;
}

static clump_status run_rebuild(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_index *const index = index_of(j);
    const clump_status status = clump_index_rebuild(ctx, index, points_of(j));
    if (status != CLUMP_OK) CHECK_TEXT(clump_context_error(ctx), "clump_index_rebuild: cancelled by the caller");
    clump_team_trap(ctx->work.team, 0);
    CHECK_INT(clump_index_nearest(ctx, index, points_of(j), j->radius, indices, NULL), CLUMP_OK);
    size_t found = 0;
    for (size_t i = 0; i < j->count; i++) found += indices[i] >= 0;
    /* an index whose rebuild was cancelled has no points; or all, where that was before it began */
    CHECK_MSG(found == 0 || found == finite, "%zu neighbours after status %d", found, (int)status);
    CHECK(status != CLUMP_OK || found == finite);
    *hash = hash_of(indices, j->count * sizeof *indices);
    clump_index_destroy(index);
    return status == CLUMP_OK ? CLUMP_OK : clump_fail(&ctx->work, status, "%s: cancelled by the caller", j->name);
}

static clump_status run_nearest(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_index *const index = index_of(j);
    const clump_status status = clump_index_nearest(ctx, index, points_of(j), j->radius, indices, NULL);
    *hash = hash_of(indices, j->count * sizeof *indices);
    clump_index_destroy(index);
    return status;
}

static clump_status run_knn(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_index *const index = index_of(j);
    const clump_status status = clump_index_knn(ctx, index, points_of(j), 4, j->radius, indices, NULL);
    *hash = hash_of(indices, 4 * j->count * sizeof *indices);
    clump_index_destroy(index);
    return status;
}

static clump_status run_count(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_index *const index = index_of(j);
    const clump_status status = clump_index_radius_count(ctx, index, points_of(j), j->radius, offsets);
    *hash = hash_of(offsets, (j->count + 1) * sizeof *offsets);
    clump_index_destroy(index);
    return status;
}

static clump_status run_icp(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_icp_options o = clump_icp_defaults();
    o.method = (clump_icp_method)j->method, o.max_iterations = 1;
    static const double initial[16] = {1, 0, 0, 0.05, 0, 1, 0, 0.02, 0, 0, 1, 0, 0, 0, 0, 1};
    o.initial = initial;
    clump_icp_result result = {.iterations = 0};
    const clump_status status = clump_icp(ctx, points_of(j), points_of(j), &o, &result);
    *hash = hash_of(result.transform, sizeof result.transform);
    return status;
}

static clump_status run_describe(clump_context *ctx, const job *j, uint64_t *hash)
{
    const int of = j->method; /* clusters */
    for (size_t i = 0; i < j->count; i++)
        labels[i] = isfinite(cloud[3 * i]) && isfinite(cloud[3 * i + 1]) ? (int32_t)(i % (size_t)of) : CLUMP_NOISE;
    memset(clusters, 0, sizeof clusters);
    const clump_status status = clump_describe(ctx, points_of(j), labels, of, NULL, clusters);
    *hash = hash_of(clusters, (size_t)of * sizeof *clusters);
    return status;
}

static clump_status run_objects(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = (clump_neighbour_kind)j->method;
    o.ground.method = CLUMP_GROUND_NONE;
    o.columns = 1000;
    const clump_status status = clump_objects(ctx, points_of(j), &o, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

static clump_status run_detect(clump_context *ctx, const job *j, uint64_t *hash)
{
    clump_detect_options o = clump_detect_defaults();
    o.method = (clump_detect_method)j->method;
    int32_t count = 0;
    memset(clusters, 0, sizeof clusters);
    const clump_status status = clump_detect(ctx, points_of(j), &o, labels, clusters, BOXES, &count);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

/* Two large clouds. */
static clump_status run_batch(clump_context *ctx, const job *j, uint64_t *hash)
{
    const int64_t half[] = {0, (int64_t)(j->count / 2), (int64_t)j->count};
    const clump_status status = clump_ec_batch(ctx, points_of(j), half, 2, j->radius, NULL, NULL, labels, NULL);
    *hash = hash_of(labels, j->count * sizeof *labels);
    return status;
}

/* Two pieces, each the rim of the other. The call of the context is that of the second piece, or the one that merges both; the
 * others are calls of a context without the trap. */
static clump_status run_joint(clump_context *ctx, const job *j, uint64_t *hash)
{
    enum { ADD, FINISH };
    const size_t n = j->count, half = n / 2;
    float *const turned = malloc(3 * n * sizeof *turned); /* the second half, then the first */
    int64_t *const places = malloc(2 * n * sizeof *places);
    if (!turned || !places) abort();
    for (size_t i = 0; i < n; i++) {
        places[i] = (int64_t)i, places[n + i] = (int64_t)((i + half) % n);
        memcpy(turned + 3 * i, cloud + 3 * ((i + half) % n), 3 * sizeof *turned);
    }
    clump_joint_settings settings = clump_joint_defaults();
    settings.d = j->radius, settings.min_points = 5;
    clump_context *const other = cpu_context(0);
    clump_joint *joint = NULL;
    CHECK_INT(clump_joint_create(other, &settings, &joint), CLUMP_OK);
    CHECK_INT(clump_joint_add(other, joint, points_of(j), half, places, NULL), CLUMP_OK);
    const clump_points second = {.xyz = turned, .count = n};
    gauge.last = cpu_ms();
    clump_status status = clump_joint_add(j->method == ADD ? ctx : other, joint, second, n - half, places + n, NULL);
    if (j->method == ADD) on_poll(NULL);
    gauge.last = cpu_ms();
    if (status == CLUMP_OK) status = clump_joint_finish(j->method == ADD ? other : ctx, joint, NULL);
    if (j->method == FINISH) on_poll(NULL);
    if (status == CLUMP_OK) CHECK_INT(clump_joint_labels(other, joint, 0, places), CLUMP_OK);
    *hash = hash_of(places, half * sizeof *places);
    clump_joint_destroy(joint);
    clump_context_destroy(other);
    free(turned), free(places);
    gauge.last = cpu_ms();
    return status;
}

/* Jobs that the loops over the methods below do not make. */
static const job special[] = {
    {"clump_ec", CLUMP_EC_FAST, MANY, run_ec, 0.5f},  /* cells */
    {"clump_ec", CLUMP_EC_FAST, MANY, run_ec, 0.02f}, /* sparse: rows */
    {"clump_ec", CLUMP_EC_FAST, MANY, run_ec, 3.0f},  /* cells with many points */
    {"clump_ec", CLUMP_EC_FAST, MANY, run_ec_ranged, 0.1f},
    {"clump_dbscan", CLUMP_DBSCAN_FAST, MANY, run_dbscan, 0.5f},
    {"clump_dbscan", CLUMP_DBSCAN_FAST, MANY, run_dbscan, 0.1f},
    {"clump_dbscan", CLUMP_DBSCAN_FAST, MANY, run_dbscan_ranged, 0.1f},
    {"clump_index_rebuild", CLUMP_NN_FAST, MANY, run_rebuild, INFINITY},
    {"clump_index_rebuild", CLUMP_NN_KDTREE, MANY, run_rebuild, INFINITY},
    {"clump_index_nearest", CLUMP_NN_FAST, MANY, run_nearest, INFINITY},
    {"clump_index_knn", CLUMP_NN_FAST, MANY, run_knn, INFINITY},
    {"clump_index_radius_count", CLUMP_NN_FAST, MANY, run_count, 0.0002f},
    {"clump_icp", CLUMP_ICP_POINT, MANY, run_icp, 0},
    {"clump_icp", CLUMP_ICP_PLANE, MANY, run_icp, 0},
    {"clump_describe", 50, MANY, run_describe, 0},
    {"clump_describe", 1, MANY, run_describe, 0},
    {"clump_objects", CLUMP_NEIGHBOURS_EXACT, MANY, run_objects, 0},
    {"clump_objects", CLUMP_NEIGHBOURS_SCAN, MANY, run_objects, 0},
    {"clump_detect", CLUMP_DETECT_OBJECTS, MANY, run_detect, 0},
    {"clump_detect", CLUMP_DETECT_EC, MANY, run_detect, 0},
    {"clump_ec_batch", 0, MANY, run_batch, 0.5f},
    {"clump_joint_add", 0, MANY, run_joint, 0.5f},
    {"clump_joint_finish", 1, MANY, run_joint, 0.5f},
};
enum { SPECIAL = sizeof special / sizeof *special, JOBS_ROOM = SPECIAL + 64 };
static job jobs[JOBS_ROOM];
static int job_count;

static void add_job(job j)
{
    if (job_count == JOBS_ROOM) abort();
    jobs[job_count++] = j;
}

/* Sizes are such that a call polls several times and takes some milliseconds. */
static void make_jobs(void)
{
    for (int k = 0; k < SPECIAL; k++) add_job(special[k]);
    FOR_CPU_METHODS (m, clump_ec_methods) {
        if (m == CLUMP_EC_FAST) continue;
        add_job(
            (job){"clump_ec", m, 3 * FEW, run_ec, clump_ec_methods.rows[m].cost == CLUMP_COST_LINEAR ? 0.5f : 0.9f});
    }
    FOR_CPU_METHODS (m, clump_dbscan_methods) {
        if (m != CLUMP_DBSCAN_FAST) add_job((job){"clump_dbscan", m, 5 * FEW, run_dbscan, 0.5f});
    }
    FOR_CPU_METHODS (m, clump_ground_methods) {
        if (m != CLUMP_GROUND_NONE) add_job((job){"clump_ground", m, MANY, run_ground, 0});
    }
    FOR_CPU_METHODS (m, clump_erccl_methods) add_job((job){"clump_erccl", m, MANY, run_erccl, 0});
    FOR_CPU_METHODS (m, clump_nn_methods) {
        if (m != CLUMP_NN_BRUTE) add_job((job){"clump_index_create", m, MANY, run_build, INFINITY});
        if (m == CLUMP_NN_FAST) continue;
        add_job((job){"clump_index_nearest", m, m == CLUMP_NN_KDTREE ? FEW : 5 * FEW, run_nearest, INFINITY});
    }
}

/* ----- tests ------------------------------------------------------------------------------------------------------ */

/* Ground, walls and heaps, some of which share cells of the tree of an index. */
static void make_cloud(void)
{
    uint64_t random = 7;
    for (size_t i = 0; i < MANY; i++) {
        float *const p = cloud + 3 * i;
        const float u = check_random_float(&random), v = check_random_float(&random), w = check_random_float(&random);
        if (i % 4 == 0) p[0] = 30 * u - 15, p[1] = 30 * v - 15, p[2] = -1.7f + 0.05f * w;
        if (i % 4 == 1) p[0] = 8, p[1] = 20 * u - 10, p[2] = 3 * v - 1.7f;
        if (i % 4 == 2) p[0] = 2 + u, p[1] = -4 + v, p[2] = 2 * w - 1.5f;
        if (i % 4 == 3) p[0] = -5 + 0.001f * u, p[1] = 5 + 0.001f * v, p[2] = 0.001f * w;
        if (i % 97 == 3) p[i % 3] = NAN;
        finite += isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
    }
}

static clump_context *create(int threads, const volatile int *cancel)
{
    clump_context_options options = clump_context_defaults();
    options.threads = threads;
    options.backend = CLUMP_BACKEND_CPU;
    options.cancel = cancel;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    return ctx;
}

/* Every poll at first, then fewer and fewer; returns how many calls were cancelled. */
static int sweep(clump_context *ctx, const job *j, int number, uint64_t expected)
{
    char sentence[100];
    snprintf(sentence, sizeof sentence, "%s: cancelled by the caller", j->name);
    const long all_to = CLOUD_WATCHED ? 1 : cloud_rounds(1) > 1 ? 24 : 6;
    int cancelled = 0;
    for (long k = 1;; k += k < all_to ? 1 : k) {
        uint64_t hash = 0;
        clump_team_trap(ctx->work.team, k);
        clump_status status = j->run(ctx, j, &hash);
        clump_team_trap(ctx->work.team, 0);
        if (status == CLUMP_OK) {
            CHECK_MSG(hash == expected, "job %d with a poll left: 0x%" PRIx64, number, hash);
            return cancelled;
        }
        cancelled++;
        CHECK_MSG(status == CLUMP_ERR_CANCELLED, "job %d, poll %ld: status %d", number, k, (int)status);
        CHECK_TEXT(clump_context_error(ctx), sentence);
        status = j->run(ctx, j, &hash);
        CHECK_MSG(status == CLUMP_OK && hash == expected, "job %d after poll %ld: status %d, 0x%" PRIx64, number, k,
                  (int)status, hash);
        if (check_failures > 10) return cancelled;
    }
}

static void any_poll_can_cancel(void)
{
    static const int threads[] = {1, 3};
    for (int number = 0; number < job_count; number++) {
        const job *const j = &jobs[number];
        clump_context *const reference = create(1, NULL);
        uint64_t expected = 0;
        CHECK_INT(j->run(reference, j, &expected), CLUMP_OK);
        clump_context_destroy(reference);
        for (int t = 0; t < 2; t++) {
            clump_context *const ctx = create(threads[t], NULL);
            uint64_t hash = 0;
            CHECK_INT(j->run(ctx, j, &hash), CLUMP_OK);
            CHECK(hash == expected);
            if (t == 0 || clump_context_stats(ctx).threads > 1) {
                const int cancelled = sweep(ctx, j, number, expected);
                CHECK_MSG(cancelled >= 2, "job %d, %s method %d, polls %d times", number, j->name, j->method,
                          cancelled);
            }
            clump_context_destroy(ctx);
        }
    }
}

static void a_set_flag_returns_at_once(void)
{
    volatile int flag = 0;
    clump_context *const ctx = create(2, &flag);
    for (int number = 0; number < job_count; number++) {
        uint64_t hash = 0, after = 0;
        CHECK_INT(jobs[number].run(ctx, &jobs[number], &hash), CLUMP_OK);
        flag = 1;
        if (jobs[number].run != run_rebuild) /* this one makes a call of its own */
            CHECK_INT(jobs[number].run(ctx, &jobs[number], &after), CLUMP_ERR_CANCELLED);
        CHECK_INT(clump_context_reserve(ctx, 100), CLUMP_ERR_CANCELLED);
        CHECK_TEXT(clump_context_error(ctx), "clump_context_reserve: cancelled by the caller");
        CHECK_INT(clump_group(ctx, labels, 0, CLUMP_PLACE_HOST, 0, indices, NULL), CLUMP_ERR_CANCELLED);
        flag = 0;
        CHECK_INT(jobs[number].run(ctx, &jobs[number], &after), CLUMP_OK);
        CHECK_MSG(after == hash, "job %d", number);
    }
    CHECK_TEXT(clump_status_text(CLUMP_ERR_CANCELLED), "cancelled by the caller");
    clump_context_destroy(ctx);
}

/* ----- flags that are set meanwhile ------------------------------------------------------------------------------- */

typedef struct setter {
    int flag;
    long nanoseconds;
} setter;

static void *set_later(void *arg)
{
    setter *const s = arg;
    nanosleep(&(struct timespec){.tv_nsec = s->nanoseconds}, NULL);
    __atomic_store_n(&s->flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void another_thread_cancels(void)
{
    static const int some[] = {0, 1, 2, 11, 13, 19, 32, 38};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        const job *const j = &jobs[some[k]];
        setter s = {0};
        clump_context *const ctx = create(2, &s.flag);
        uint64_t expected = 0;
        CHECK_INT(j->run(ctx, j, &expected), CLUMP_OK);
        for (int round = 0; round < cloud_rounds(12); round++) {
            s.nanoseconds = 1000L << round % 12;
            pthread_t thread;
            CHECK_INT(pthread_create(&thread, NULL, set_later, &s), 0);
            uint64_t hash = 0;
            clump_status status = j->run(ctx, j, &hash);
            CHECK_MSG(status == CLUMP_ERR_CANCELLED || (status == CLUMP_OK && hash == expected), "status %d", status);
            pthread_join(thread, NULL);
            __atomic_store_n(&s.flag, 0, __ATOMIC_RELAXED);
            status = j->run(ctx, j, &hash);
            CHECK_MSG(status == CLUMP_OK && hash == expected, "job %d after %ld ns: status %d", some[k], s.nanoseconds,
                      (int)status);
        }
        clump_context_destroy(ctx);
    }
}

static volatile sig_atomic_t interrupted;

static void on_alarm(int number)
{
    (void)number;
    interrupted = 1;
}

/* A call of several seconds, which a signal ends. */
static void a_signal_cancels(void)
{
    _Static_assert(sizeof(sig_atomic_t) == sizeof(int), "as clump.h says");
    struct sigaction action = {.sa_handler = on_alarm}, before;
    sigaction(SIGALRM, &action, &before);
    interrupted = 0;
    clump_context *const ctx = create(1, (const volatile int *)&interrupted);
    const job slow = {"clump_ec", CLUMP_EC_MATRIX_ES, MANY, run_ec, 0.01f};
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    uint64_t hash;
    CHECK_INT(slow.run(ctx, &slow, &hash), CLUMP_ERR_CANCELLED);
    CHECK(interrupted);
    sigaction(SIGALRM, &before, NULL);
    clump_context_destroy(ctx);
}

/* ----- clouds in which pairs are nearly the radius apart ----------------------------------------------------------- */

/* Half of the points are around x, 0, 0, the others on a circle, a sphere or a plane, so far from these that they are not
 * neighbours at this radius; or all points are in one place. */
typedef enum shape { CIRCLE, SHELL, WALLS, ONE_PLACE, SHAPES, PLACES = 4 } shape;
static const char *const shape_names[] = {"circle and axis", "ball and shell", "walls", "one place"};

static void make_shape(shape s, size_t n, float x, float radius)
{
    uint64_t random = 9;
    const float centre[3] = {x, 0, 0};
    if (s == CIRCLE) hostile_around(HOSTILE_CIRCLE, cloud, n, centre, 1.00002 * (double)radius, &random);
    if (s == SHELL) hostile_around(HOSTILE_BALL, cloud, n, centre, 1.001 * (double)radius, &random);
    for (size_t i = 0; s >= WALLS && i < n; i++) {
        const float u = check_random_float(&random), v = check_random_float(&random),
                    wide = s == WALLS ? 0.3f * radius : 0;
        cloud[3 * i] = s == WALLS && i % 2 ? x + 1.00002f * radius : x;
        cloud[3 * i + 1] = wide * u, cloud[3 * i + 2] = wide * v;
    }
}

static void prints_the_longest_times(void)
{
    static const struct {
        float x, radius;
    } places[PLACES] = {
        {5, 0.5f}, {5, 0.25f}, {50, 0.875f}, {50, 2.5f}}; /* radius of ec, of objects at 5 and 50, of 0.05 per metre */
    const size_t n = room > MANY ? room : 1500;           /* few in the usual run, where only the calls are tested */
    double worst = 0;
    clump_context *const ctx = create(1, NULL);
    clump_team_hook(ctx->work.team, on_poll, NULL);
    for (int number = 0; number < job_count; number++) {
        job j = jobs[number];
        /* these take n^2: ties, and rows of n neighbours */
        const bool index = strncmp(j.name, "clump_index", 11) == 0;
        const bool slow = index && (j.method != CLUMP_NN_FAST || j.run == run_count);
        if (j.count == MANY) j.count = slow ? 5 * FEW : n;
        double longest = 0;
        const char *where = "";
        for (int k = 0; k < (room > MANY ? PLACES : 1) * SHAPES; k++) {
            make_shape((shape)(k % SHAPES), j.count, places[k / SHAPES].x, places[k / SHAPES].radius);
            finite = j.count;
            uint64_t hash;
            gauge.longest = 0, gauge.polls = 0, gauge.last = cpu_ms();
            CHECK_INT(j.run(ctx, &j, &hash), CLUMP_OK);
            on_poll(NULL);
            if (gauge.longest > longest) longest = gauge.longest, where = shape_names[k % SHAPES];
        }
        printf("%8.2f ms  %s, method %d, radius %g, %zu points, %s\n", longest, j.name, j.method, (double)j.radius,
               j.count, where);
        worst = fmax(worst, longest);
    }
    printf("%8.2f ms at most between two polls\n", worst);
    clump_context_destroy(ctx);
}

static void make_room(void)
{
    room = cloud_rounds(1) > 1 ? 1000000 : MANY;
    cloud = calloc(3 * room, sizeof *cloud), labels = calloc(room, sizeof *labels);
    indices = calloc(8 * room, sizeof *indices), offsets = calloc(room + 1, sizeof *offsets);
    if (!cloud || !labels || !indices || !offsets) abort();
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    make_room();
    make_cloud();
    make_jobs();
    RUN(any_poll_can_cancel);
    RUN(a_set_flag_returns_at_once);
    RUN(another_thread_cancels);
    RUN(a_signal_cancels);
    RUN(prints_the_longest_times);
    free(cloud), free(labels), free(indices), free(offsets);
    return CHECK_END();
}
