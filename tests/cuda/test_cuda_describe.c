/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_describe.c: clump_describe and clump_group by the CUDA backend: on hundreds of random clouds with random
 * labels (thousands in tier 3), from every kind of memory, with all options, and on every scan in the folder
 * CLUMP_DATA. Every entry, hull and list has the bits of the CPU, which has oracles of its own. Built with CUDA alone;
 * skipped where there is no GPU. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/hard_floats.h"
#include "support/on_gpu.h"
#include "support/scans.h"

#include "core/context.h"

#include <clump/info.h>

#include <cuda_runtime_api.h>
#include <math.h>
#include <stddef.h>

enum { STRIDE = 5, KINDS = 15, PATTERNS = 5, MOST = 4000, LARGE = 100000 };

static clump_context *cpu, *gpu;

static void must(clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("the test cannot go on: %s\n", clump_context_error(gpu));
    exit(1);
}

static void *take(size_t bytes)
{
    void *const memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) abort();
    return memory;
}

/* ----- a scene ------------------------------------------------------------------------------------- */

/* A cloud with labels and all that the options can name. */
typedef struct scene {
    size_t count;
    int32_t clusters;
    int32_t described; /* of the clusters */
    float *points;     /* STRIDE floats each: x, y, z, value and one more */
    float *heights;
    int32_t *labels;
} scene;

static scene scene_make(size_t count, int32_t clusters)
{
    scene s = {count, clusters, clusters, NULL, NULL, NULL};
    s.points = take(count * STRIDE * sizeof *s.points);
    s.heights = take(count * sizeof *s.heights);
    s.labels = take(count * sizeof *s.labels);
    return s;
}

static void scene_free(scene *s)
{
    free(s->points), free(s->heights), free(s->labels);
}

static void place_point(float *p, int kind, size_t i, size_t count, uint64_t *random)
{
    for (int k = 0; k < 3; k++) p[k] = check_hard_float(kind, random);
    const float t = (float)((double)i / (double)count);
    if (kind == 7) p[1] = p[0] / 3, p[2] = p[0] / 7;            /* a line but for rounding */
    if (kind == 8) p[0] = 3, p[1] = -2, p[2] = 0.1f;            /* one place */
    if (kind == 9 && check_random(random) % 4 == 0) p[2] = NAN; /* labels of 2-D mode */
    if (kind == 10) p[0] = 10 * cosf(6.2831853f * t), p[1] = 10 * sinf(6.2831853f * t), p[2] = t; /* all are corners */
    if (kind == 11) p[0] = t, p[1] = i + 1 < count ? t * t : -1e3f, p[2] = t; /* corners go one by one */
    if (kind == 12) p[1] = 0.7f * p[0] + 1e-3f * p[1];                        /* a thin wall */
    if (kind == 13) p[i % 2] = i % 4 < 2 ? 0.0f : 8.0f;                       /* four walls */
    if (kind == 14) p[1] = 0.1f * floorf(p[1]), p[0] = 0.1f * floorf(p[0]);
}

static int32_t any_label(int pattern, int32_t clusters, int32_t before, uint64_t *random)
{
    const uint64_t r = check_random(random);
    if (pattern == 1 && r % 16 != 0) return before;                                    /* runs, as in a scan */
    if (pattern == 2) return clusters > 0 ? 0 : CLUMP_NOISE;                           /* one cluster */
    if (pattern == 3 && r % 8 != 0) return clusters > 0 ? clusters - 1 : CLUMP_GROUND; /* mostly one */
    if (pattern == 4 && r % 2) return CLUMP_NOISE;
    return (int32_t)(check_random(random) % ((uint64_t)clusters + 2)) - 2;
}

static void scene_fill(scene *s, int kind, int pattern, uint64_t *random)
{
    int32_t before = CLUMP_NOISE;
    for (size_t i = 0; i < s->count; i++) {
        float *const p = s->points + i * STRIDE;
        place_point(p, kind, i, s->count, random);
        p[3] = check_random(random) % 16 ? check_hard_float(kind % 7, random) : (float)INFINITY;
        p[4] = NAN;
        s->heights[i] = check_random(random) % 5 ? check_random_float(random) - 0.5f : NAN;
        s->labels[i] = before = any_label(pattern, s->clusters, before, random);
    }
}

/* ----- a call, in any kind of memory ------------------------------------------------------------------ */

enum { AXES = 1, HEIGHTS = 2, VALUES = 4, HULLS = 8, SMALL_HULLS = 16, Y_UP = 32, SENSOR = 64, ALL = 128 };

/* Where a call reads and writes. */
typedef struct memory {
    clump_context *ctx;
    gpu_place place, clusters_place;
    float *points, *heights, *hull;
    int32_t *labels, *offsets;
    clump_cluster *clusters;
    size_t hull_capacity;
} memory;

static const unsigned char GUARD = 0x5a;

static void *take_output(clump_context *ctx, gpu_place place, size_t bytes)
{
    char *const start = take(bytes + 4);
    memset(start, GUARD, bytes + 4);
    char *const out = gpu_take(ctx, place, bytes + 4);
    gpu_put(ctx, place, out, start, bytes + 4);
    free(start);
    return out;
}

static void *take_input(clump_context *ctx, gpu_place place, const void *from, size_t bytes)
{
    void *const in = gpu_take(ctx, place, bytes);
    gpu_put(ctx, place, in, from, bytes);
    return in;
}

static memory memory_make(clump_context *ctx, gpu_place place, gpu_place clusters_place, const scene *s, int what)
{
    const size_t n = s->count, entries = (size_t)s->described;
    memory m = {.ctx = ctx, .place = place, .clusters_place = clusters_place};
    m.hull_capacity = what & SMALL_HULLS ? n / 9 : n;
    m.points = take_input(ctx, place, s->points, n * STRIDE * sizeof *m.points);
    m.heights = take_input(ctx, place, s->heights, n * sizeof *m.heights);
    m.labels = take_input(ctx, place, s->labels, n * sizeof *m.labels);
    m.hull = take_output(ctx, clusters_place, 2 * m.hull_capacity * sizeof *m.hull);
    m.offsets = take_output(ctx, clusters_place, (entries + 1) * sizeof *m.offsets);
    m.clusters = take_output(ctx, clusters_place, entries * sizeof *m.clusters);
    return m;
}

static void memory_free(memory *m)
{
    gpu_give(m->ctx, m->place, m->points);
    gpu_give(m->ctx, m->place, m->heights);
    gpu_give(m->ctx, m->place, m->labels);
    gpu_give(m->ctx, m->clusters_place, m->hull);
    gpu_give(m->ctx, m->clusters_place, m->offsets);
    gpu_give(m->ctx, m->clusters_place, m->clusters);
}

static clump_describe_job job_of(const memory *m, const scene *s, int what)
{
    clump_describe_job job = {.points = (const char *)m->points,
                              .count = s->count,
                              .stride = STRIDE * sizeof(float),
                              .place = m->place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST,
                              .labels = m->labels,
                              .cluster_count = s->clusters,
                              .described = s->described,
                              .clusters = m->clusters,
                              .options = clump_describe_defaults()};
    clump_describe_options *const o = &job.options;
    o->axes = what & AXES;
    o->heights = what & HEIGHTS ? m->heights : NULL;
    o->values = what & VALUES ? m->points + 3 : NULL;
    o->values_stride = job.stride;
    o->up = what & Y_UP ? CLUMP_UP_Y : CLUMP_UP_Z;
    if (what & SENSOR) o->sensor[0] = 1.5f, o->sensor[1] = -2.25f, o->sensor[2] = 0.5f;
    if (what & (HULLS | SMALL_HULLS))
        o->hull = m->hull, o->hull_offsets = m->offsets, o->hull_capacity = m->hull_capacity;
    o->clusters_place = m->clusters_place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    job.wait = o->clusters_place == CLUMP_PLACE_HOST;
    return job;
}

/* By the public call; by the backend's table where fewer clusters are described than there are, as clump_detect does. */
static clump_status describe(clump_context *ctx, const clump_describe_job *job)
{
    const clump_points points = {(const float *)(const void *)job->points, job->count, job->stride, job->place};
    if (job->described == job->cluster_count)
        return clump_describe(ctx, points, job->labels, job->cluster_count, &job->options, job->clusters);
    static const clump_method method = {"describe", true, true, CLUMP_COST_LINEAR};
    clump_opened on;
    clump_stats result = {.threads = 1, .passes = 1};
    CLUMP_TRY(clump_begin(ctx, "clump_describe"));
    CLUMP_TRY(clump_context_open(ctx, job->place, &method, job->count, &on));
    return on.table->describe(&ctx->work, on.state, job, &result);
}

static const char *field_at(size_t byte)
{
    static const struct {
        size_t offset;
        const char *name;
    } fields[] = {
        {offsetof(clump_cluster, label), "label"},
        {offsetof(clump_cluster, count), "count"},
        {offsetof(clump_cluster, centroid), "centroid"},
        {offsetof(clump_cluster, lower), "lower"},
        {offsetof(clump_cluster, upper), "upper"},
        {offsetof(clump_cluster, box_center), "box_center"},
        {offsetof(clump_cluster, box_size), "box_size"},
        {offsetof(clump_cluster, yaw), "yaw"},
        {offsetof(clump_cluster, distance), "distance"},
        {offsetof(clump_cluster, height), "height"},
        {offsetof(clump_cluster, area), "area"},
        {offsetof(clump_cluster, density), "density"},
        {offsetof(clump_cluster, intensity), "intensity"},
        {offsetof(clump_cluster, covariance), "covariance"},
        {offsetof(clump_cluster, variance), "variance"},
        {offsetof(clump_cluster, axes), "axes"},
        {offsetof(clump_cluster, hull_corners), "hull_corners"},
    };
    const char *name = "";
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if (fields[k].offset <= byte) name = fields[k].name;
    return name;
}

/* Fetches an output and compares it with that of the CPU; also the guard behind it. Returns the first word that differs,
 * `bytes` where none does. */
static size_t compare_output(const memory *m, const void *there, const void *expected, size_t bytes, char *found)
{
    if (m->clusters_place == GPU_DEVICE)
        must(clump_cuda_copy(m->ctx, found, there, bytes + 4));
    else
        memcpy(found, there, bytes + 4);
    for (size_t at = 0; at < bytes + 4; at += 4)
        if (memcmp(found + at, (const char *)expected + at, 4) != 0) return at;
    return bytes;
}

static void compare_memory(const memory *m, const memory *right, const scene *s, int what, const char *name)
{
    const size_t entries = (size_t)s->described, bytes = entries * sizeof(clump_cluster);
    const size_t most = bytes + 2 * s->count * sizeof(float) + (entries + 1) * sizeof(int32_t) + 64;
    char *const found = take(most);
    size_t at = compare_output(m, m->clusters, right->clusters, bytes, found);
    if (at < bytes) {
        const size_t c = at / sizeof(clump_cluster), byte = at % sizeof(clump_cluster);
        const clump_cluster *const a = (const void *)(found + c * sizeof(clump_cluster)), *const b =
                                                                                              &right->clusters[c];
        float x, y;
        memcpy(&x, (const char *)a + byte, 4), memcpy(&y, (const char *)b + byte, 4);
        CHECK_FAIL("%s: cluster %zu, %s at byte %zu: %.9g, expected %.9g; %d points, expected %d; %d corners, "
                   "expected %d",
                   name, c, field_at(byte), byte, (double)x, (double)y, a->count, b->count, a->hull_corners,
                   b->hull_corners);
    } else
        CHECK_MSG(at == bytes, "%s: written behind the clusters", name);
    if (what & (HULLS | SMALL_HULLS)) {
        const size_t offsets = (entries + 1) * sizeof(int32_t), hull = 2 * m->hull_capacity * sizeof(float);
        at = compare_output(m, m->offsets, right->offsets, offsets, found);
        CHECK_MSG(at == offsets, "%s: offset %zu of %zu", name, at / 4, entries + 1);
        at = compare_output(m, m->hull, right->hull, hull, found);
        CHECK_MSG(at == hull, "%s: corner %zu of %zu, %d in all", name, at / 8, m->hull_capacity,
                  right->offsets[entries]);
    }
    free(found);
}

/* One scene with one set of options: the CPU's result, then the GPU's from each kind of memory in `places`. */
static void compare(const scene *s, int what, const char *name)
{
    memory right = memory_make(cpu, GPU_PAGEABLE, GPU_PAGEABLE, s, what);
    const clump_describe_job wanted = job_of(&right, s, what);
    const clump_status status = describe(cpu, &wanted);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", name, clump_context_error(cpu));
    for (int turn = 0; turn < 4 && status == CLUMP_OK; turn++) {
        const gpu_place place = turn == 0 ? GPU_PAGEABLE : turn == 1 ? GPU_PINNED : GPU_DEVICE;
        const gpu_place to = turn == 3 ? GPU_DEVICE : turn == 1 ? GPU_PINNED : GPU_PAGEABLE;
        char text[300];
        snprintf(text, sizeof text, "%s, options %d, %zu points, %d of %d clusters, %s to %s", name, what, s->count,
                 s->described, s->clusters, gpu_place_name(place), gpu_place_name(to));
        memory m = memory_make(gpu, place, to, s, what);
        const clump_describe_job job = job_of(&m, s, what);
        if (describe(gpu, &job) != CLUMP_OK)
            CHECK_FAIL("%s: %s", text, clump_context_error(gpu));
        else
            compare_memory(&m, &right, s, what, text);
        memory_free(&m);
    }
    memory_free(&right);
}

/* ----- random scenes -------------------------------------------------------------------------------- */

static void random_scenes(void)
{
    static const size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 64, 65, 100, 257, 513, 1000, 2049, MOST};
    uint64_t random = 401;
    const long rounds = gpu_small() ? 30 : check_rounds(300), step = gpu_small() == 2 ? 10 : 1;
    for (long round = 0; round < rounds && check_failures < 12; round += step) {
        const size_t limit = gpu_small() ? 400 : MOST, size = sizes[check_random(&random) % 15];
        const size_t count = size < limit ? size : limit;
        const int32_t most[] = {0, 1, 2, 5, 40, 3000};
        const int32_t clusters = most[check_random(&random) % 6];
        const int kind = (int)(round % KINDS), pattern = (int)(check_random(&random) % PATTERNS);
        char name[80];
        snprintf(name, sizeof name, "round %ld, kind %d, pattern %d", round, kind, pattern);
        scene s = scene_make(count, clusters);
        scene_fill(&s, kind, pattern, &random);
        if (check_random(&random) % 5 == 0) s.described = clusters / 2;
        const int what = round % 3 ? (int)(check_random(&random) % ALL) : 0;
        compare(&s, kind == 9 ? what & ~Y_UP : what, name);
        scene_free(&s);
        if (round % 41 == 40) clump_context_trim(gpu);
    }
}

/* One cluster of each kind with many points: most take the way of a thread block, some the memory of the GPU. */
static void large_clusters(void)
{
    if (gpu_small() == 2) SKIP(DO_UNWATCHED);
    uint64_t random = 402;
    for (int kind = 0; kind < KINDS && check_failures < 12; kind++) {
        const size_t count = gpu_small() ? 3000 : kind == 11 ? 20000 : LARGE;
        scene s = scene_make(count, 3);
        scene_fill(&s, kind, kind == 11 ? 2 : 3, &random);
        char name[40];
        snprintf(name, sizeof name, "large, kind %d", kind);
        compare(&s, kind == 9 ? AXES : AXES | HULLS | (kind % 2 ? Y_UP : 0), name);
        scene_free(&s);
    }
}

/* Many clusters side by side in no order: no two lanes share one. */
static void many_clusters(void)
{
    uint64_t random = 403;
    const size_t count = gpu_small() ? 2000 : LARGE;
    scene s = scene_make(count, (int32_t)(count / 3));
    scene_fill(&s, 0, 0, &random);
    compare(&s, AXES | VALUES | HEIGHTS | SMALL_HULLS, "many");
    scene_free(&s);
}

/* ----- wrong labels and points ------------------------------------------------------------------------ */

static void same_failure(const scene *s, int what, clump_status status)
{
    memory right = memory_make(cpu, GPU_PAGEABLE, GPU_PAGEABLE, s, what);
    const clump_describe_job wanted = job_of(&right, s, what);
    CHECK_INT(describe(cpu, &wanted), status);
    for (int place = 0; place < GPU_PLACES; place++) {
        memory m = memory_make(gpu, (gpu_place)place, GPU_PAGEABLE, s, what);
        const clump_describe_job job = job_of(&m, s, what);
        CHECK_INT(describe(gpu, &job), status);
        CHECK_TEXT(clump_context_error(gpu), clump_context_error(cpu));
        unsigned char first;
        memcpy(&first, m.clusters, 1);
        CHECK(first == GUARD); /* nothing is written */
        memory_free(&m);
    }
    memory_free(&right);
}

/* Without a wait such points are left out. */
static void left_out(const scene *s, const scene *without, int what)
{
    memory right = memory_make(cpu, GPU_PAGEABLE, GPU_PAGEABLE, without, what);
    memory m = memory_make(gpu, GPU_DEVICE, GPU_DEVICE, s, what);
    const clump_describe_job wanted = job_of(&right, without, what), job = job_of(&m, s, what);
    CHECK_INT(describe(cpu, &wanted), CLUMP_OK);
    CHECK_INT(describe(gpu, &job), CLUMP_OK);
    compare_memory(&m, &right, s, what, "left out");
    memory_free(&m), memory_free(&right);
}

static void wrong_input(void)
{
    uint64_t random = 404;
    scene s = scene_make(700, 5), without = scene_make(700, 5);
    scene_fill(&s, 0, 1, &random);
    s.labels[300] = 5, s.labels[301] = 99, s.labels[650] = -3;
    same_failure(&s, 0, CLUMP_ERR_ARGUMENT);
    s.labels[300] = -3, s.labels[17] = INT32_MIN;
    same_failure(&s, HULLS, CLUMP_ERR_ARGUMENT);
    memcpy(without.points, s.points, s.count * STRIDE * sizeof *s.points);
    memcpy(without.heights, s.heights, s.count * sizeof *s.heights);
    for (size_t i = 0; i < s.count; i++)
        without.labels[i] = s.labels[i] < 0 || s.labels[i] >= 5 ? CLUMP_NOISE : s.labels[i];
    left_out(&s, &without, HULLS | AXES);

    memcpy(s.labels, without.labels, s.count * sizeof *s.labels);
    s.labels[400] = s.labels[500] = s.labels[600] = 2;
    s.points[400 * STRIDE + 1] = NAN;
    s.points[500 * STRIDE] = INFINITY;
    s.points[600 * STRIDE + 2] = -INFINITY; /* fine where z is up */
    same_failure(&s, 0, CLUMP_ERR_ARGUMENT);
    same_failure(&s, Y_UP, CLUMP_ERR_ARGUMENT);
    memcpy(without.points, s.points, s.count * STRIDE * sizeof *s.points);
    without.labels[400] = without.labels[500] = CLUMP_NOISE, without.labels[600] = 2;
    left_out(&s, &without, HULLS | AXES | VALUES);
    scene_free(&s), scene_free(&without);
}

/* ----- clump_group ---------------------------------------------------------------------------------- */

static void compare_group(const int32_t *labels, size_t n, int32_t clusters, bool allowed)
{
    const size_t entries = (size_t)clusters + 1;
    int32_t *const clean = take(n * sizeof *clean), *const offsets = take(entries * sizeof *offsets);
    int32_t *const members = take(n * sizeof *members), *const found = take((n + entries) * sizeof *found);
    for (size_t i = 0; i < n; i++) clean[i] = labels[i] < clusters && labels[i] >= 0 ? labels[i] : CLUMP_NOISE;
    CHECK_INT(clump_group(cpu, clean, n, CLUMP_PLACE_HOST, clusters, offsets, members), CLUMP_OK);
    const size_t total = (size_t)offsets[clusters];
    for (int k = 0; k < GPU_PLACES; k++) {
        const gpu_place place = (gpu_place)k;
        const clump_place at = place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
        int32_t *const in = take_input(gpu, place, labels, n * sizeof *in);
        int32_t *const out = take_output(gpu, place, entries * sizeof *out);
        int32_t *const list = take_output(gpu, place, n * sizeof *list);
        const clump_status status = clump_group(gpu, in, n, at, clusters, out, list);
        if (allowed || place == GPU_DEVICE) {
            CHECK_MSG(status == CLUMP_OK, "%s: %s", gpu_place_name(place), clump_context_error(gpu));
            must(clump_cuda_copy(gpu, found, out, entries * sizeof *found));
            must(clump_cuda_copy(gpu, found + entries, list, n * sizeof *found));
            CHECK_MSG(memcmp(found, offsets, entries * sizeof *found) == 0, "%s: offsets", gpu_place_name(place));
            CHECK_MSG(memcmp(found + entries, members, total * sizeof *found) == 0, "%s: %zu points, %d clusters",
                      gpu_place_name(place), n, clusters);
        } else {
            CHECK_INT(status, CLUMP_ERR_ARGUMENT);
            char said[512];
            snprintf(said, sizeof said, "%s", clump_context_error(gpu));
            CHECK_INT(clump_group(cpu, labels, n, CLUMP_PLACE_HOST, clusters, offsets, members), CLUMP_ERR_ARGUMENT);
            CHECK_TEXT(said, clump_context_error(cpu));
            CHECK_INT(clump_group(cpu, clean, n, CLUMP_PLACE_HOST, clusters, offsets, members), CLUMP_OK);
        }
        gpu_give(gpu, place, in), gpu_give(gpu, place, out), gpu_give(gpu, place, list);
    }
    free(clean), free(offsets), free(members), free(found);
}

static void groups(void)
{
    static const size_t sizes[] = {0, 1, 32, 33, 1000, MOST, LARGE};
    uint64_t random = 405;
    for (int round = 0; round < (gpu_small() ? 8 : 60) && check_failures < 12; round++) {
        const size_t n = sizes[round % (gpu_small() ? 5 : 7)];
        const int32_t most[] = {0, 1, 2, 40, 100000}, clusters = most[check_random(&random) % 5];
        int32_t *const labels = take(n * sizeof *labels);
        int32_t before = CLUMP_NOISE;
        const int pattern = (int)(check_random(&random) % PATTERNS);
        for (size_t i = 0; i < n; i++) labels[i] = before = any_label(pattern, clusters, before, &random);
        compare_group(labels, n, clusters, true);
        if (n > 20) {
            labels[n / 2] = clusters, labels[n / 2 + 5] = -3, labels[n - 1] = INT32_MAX;
            compare_group(labels, n, clusters, false);
        }
        free(labels);
    }
    const int32_t one = 0, noise = CLUMP_NOISE;
    int32_t offsets[2];
    CHECK_INT(clump_group(gpu, &one, 1, CLUMP_PLACE_HOST, 1, offsets, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_group(gpu, &noise, 1, CLUMP_PLACE_HOST, 1, offsets, NULL), CLUMP_OK);
    CHECK(offsets[0] == 0 && offsets[1] == 0);
}

/* ----- calls ---------------------------------------------------------------------------------------- */

#define CUDA(call) CHECK_MSG((call) == cudaSuccess, "%s", cudaGetErrorString(cudaGetLastError()))

/* Both calls in a CUDA graph of the caller, replayed with other points and labels. */
static void captured(void)
{
    uint64_t random = 407;
    const size_t n = gpu_small() ? 600 : MOST;
    const int what = AXES | VALUES | HEIGHTS | HULLS;
    scene s = scene_make(n, 30);
    scene_fill(&s, 0, 1, &random);
    memory m = memory_make(gpu, GPU_DEVICE, GPU_DEVICE, &s, what);
    int32_t *const list = gpu_take(gpu, GPU_DEVICE, n * sizeof *list), *const out = gpu_take(gpu, GPU_DEVICE, 31 * 4);
    const clump_describe_job job = job_of(&m, &s, what);
    CHECK_INT(describe(gpu, &job), CLUMP_OK); /* takes the memory */
    CHECK_INT(clump_group(gpu, m.labels, n, CLUMP_PLACE_DEVICE, 30, out, list), CLUMP_OK);
    CHECK_INT(clump_cuda_wait(gpu), CLUMP_OK);
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK_INT(clump_cuda_set_stream(gpu, stream), CLUMP_OK);
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK_MSG(describe(gpu, &job) == CLUMP_OK, "%s", clump_context_error(gpu));
    CHECK_MSG(clump_group(gpu, m.labels, n, CLUMP_PLACE_DEVICE, 30, out, list) == CLUMP_OK, "%s",
              clump_context_error(gpu));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    for (int again = 0; again < 3; again++) {
        scene_fill(&s, again, again, &random);
        gpu_put(gpu, GPU_DEVICE, m.points, s.points, n * STRIDE * sizeof(float));
        gpu_put(gpu, GPU_DEVICE, m.labels, s.labels, n * sizeof(int32_t));
        gpu_put(gpu, GPU_DEVICE, m.heights, s.heights, n * sizeof(float));
        CUDA(cudaGraphLaunch(ready, stream));
        CUDA(cudaStreamSynchronize(stream));
        memory right = memory_make(cpu, GPU_PAGEABLE, GPU_PAGEABLE, &s, what);
        const clump_describe_job wanted = job_of(&right, &s, what);
        CHECK_INT(describe(cpu, &wanted), CLUMP_OK);
        const size_t corners = (size_t)right.offsets[30]; /* what an earlier replay left behind them does not count */
        must(clump_cuda_copy(gpu, right.hull + 2 * corners, m.hull + 2 * corners, (n - corners) * 2 * sizeof(float)));
        compare_memory(&m, &right, &s, what, "captured");
        int32_t offsets[31], found[31];
        int32_t *const members = take(n * sizeof *members), *const listed = take(n * sizeof *listed);
        CHECK_INT(clump_group(cpu, s.labels, n, CLUMP_PLACE_HOST, 30, offsets, members), CLUMP_OK);
        must(clump_cuda_copy(gpu, found, out, sizeof found));
        must(clump_cuda_copy(gpu, listed, list, (size_t)offsets[30] * sizeof *listed));
        CHECK(memcmp(found, offsets, sizeof found) == 0);
        CHECK(memcmp(listed, members, (size_t)offsets[30] * sizeof *listed) == 0);
        free(members), free(listed), memory_free(&right);
    }
    CUDA(cudaGraphExecDestroy(ready));
    CUDA(cudaGraphDestroy(graph));
    CHECK_INT(clump_cuda_set_stream(gpu, NULL), CLUMP_OK);
    CUDA(cudaStreamDestroy(stream));
    gpu_give(gpu, GPU_DEVICE, list), gpu_give(gpu, GPU_DEVICE, out);
    memory_free(&m), scene_free(&s);
}

/* ----- scans ---------------------------------------------------------------------------------------- */

static void compare_scan(clump_points points, const char *name)
{
    const size_t n = points.count, stride = points.stride ? points.stride : 12;
    scene s = scene_make(n, 0);
    for (size_t i = 0; i < n; i++) {
        memcpy(s.points + i * STRIDE, (const char *)points.xyz + i * stride, 12);
        s.points[i * STRIDE + 3] = s.heights[i] = s.points[i * STRIDE + 2];
    }
    clump_ec_options ec = clump_ec_defaults();
    CHECK_INT(clump_ec(cpu, points, 0.5f, &ec, s.labels, &s.clusters), CLUMP_OK);
    s.described = s.clusters;
    compare(&s, 0, name);
    compare(&s, AXES | HEIGHTS | VALUES | HULLS | SENSOR, name);
    uint8_t *const mask = take(n); /* without the ground, most of which is one cluster */
    int32_t *const ground = take(n * sizeof *ground);
    CHECK_INT(clump_ground(cpu, points, NULL, ground, NULL), CLUMP_OK);
    for (size_t i = 0; i < n; i++) mask[i] = ground[i] != CLUMP_GROUND;
    ec.common.mask = mask, ec.common.min_size = 10;
    CHECK_INT(clump_ec(cpu, points, 0.5f, &ec, s.labels, &s.clusters), CLUMP_OK);
    s.described = s.clusters;
    compare(&s, AXES | SMALL_HULLS | Y_UP, name);
    free(mask), free(ground), scene_free(&s);
}

static void real_scans(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    SCANS_TEST(compare_scan);
}

CHECK_PROGRAM(test_cuda_describe)
{
    if (gpu_skip("test_cuda_describe")) return;
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(random_scenes);
    RUN(large_clusters);
    RUN(many_clusters);
    RUN(wrong_input);
    RUN(groups);
    RUN(captured);
    RUN(real_scans);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
