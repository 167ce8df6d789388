/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_objects.c: clump_objects by the CUDA backend: labels, list of clusters and counts of the CPU, which has a
 * reference of its own, bit for bit. Random streets, turns of a sensor, a million points in one place and scans of the
 * folder CLUMP_DATA; exact neighbours and rings of every source; every kind of memory, with and without waiting. Skipped
 * where there is no GPU. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/objects_scenes.h"
#include "support/on_gpu.h"
#include "support/scans.h"
#include "support/options.h"

#include "core/context.h"
#include "cuda/gpu/fault.h"

#include <clump/info.h>

#include <cuda_runtime_api.h>

enum { MOST = 9000, UNTOUCHED = 0x5a };

static clump_context *cpu, *gpu;
static float xyz[3 * MOST];
static uint8_t mask[MOST];
static uint16_t rings[MOST];
static size_t seen[5]; /* sources of rings */

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

static void must(clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("the test cannot go on: %s\n", clump_context_error(gpu));
    exit(1);
}

static void *take(size_t bytes)
{
    void *const memory = malloc(bytes);
    if (!memory) abort();
    return memset(memory, UNTOUCHED, bytes);
}

/* ----- what the CPU says ---------------------------------------------------------------------------- */

typedef struct known {
    clump_points points; /* in ordinary memory */
    clump_objects_options options;
    int32_t *labels, count;
    clump_object *found; /* as many as there are points */
    clump_stats stats;
    char name[300];
} known;

static known known_make(clump_points points, const clump_objects_options *given, const char *name)
{
    known k = {.points = points, .options = *given};
    k.labels = take((points.count + 1) * sizeof *k.labels);
    k.found = take((points.count + 1) * sizeof *k.found);
    clump_objects_options o = *given;
    o.found = k.found;
    o.found_capacity = (int32_t)points.count;
    const clump_status status = clump_objects(cpu, points, &o, k.labels, &k.count);
    k.stats = clump_context_stats(cpu);
    seen[k.stats.ring_source]++;
    snprintf(k.name, sizeof k.name, "%s, %zu points, %s %s, ground %s, levels %d, order %d, sizes %zu to %zu", name,
             points.count, clump_neighbour_kind_name(k.stats.neighbours), clump_ring_source_name(k.stats.ring_source),
             clump_ground_method_name(o.ground.method), o.levels, (int)o.common.order, o.common.min_size,
             o.common.max_size);
    CHECK_MSG(status == CLUMP_OK, "%s: the CPU: %s", k.name, clump_context_error(cpu));
    return k;
}

static void known_free(known *k)
{
    free(k->labels), free(k->found);
}

/* ----- one call ------------------------------------------------------------------------------------- */

/* How the GPU is called. */
typedef struct manner {
    gpu_place place, found_place;
    bool waits;
    int32_t capacity;
} manner;

static void compare_labels(const int32_t *found, const known *k, const char *name)
{
    size_t at = 0, differ = 0;
    for (size_t i = k->points.count; i-- > 0;)
        if (found[i] != k->labels[i]) at = i, differ++;
    CHECK_MSG(differ == 0, "%s: %zu labels differ, point %zu has %d, expected %d", name, differ, at, found[at],
              k->labels[at]);
}

static void compare_found(const clump_object *found, const known *k, int32_t capacity, const char *name)
{
    const int32_t listed = k->count < capacity ? k->count : capacity;
    for (int32_t c = 0; c < listed; c++) {
        const clump_object *const a = &found[c], *const b = &k->found[c];
        if (memcmp(a, b, sizeof *a) == 0) continue;
        CHECK_FAIL(
            "%s: cluster %d: label %d count %d object %d fits %d, %.9g x %.9g, %.9g to %.9g, level %d, score %.9g; "
            "expected %d %d %d %d, %.9g x %.9g, %.9g to %.9g, level %d, score %.9g",
            name, c, a->label, a->count, a->object, (int)a->fits, (double)a->length, (double)a->width,
            (double)a->bottom, (double)a->top, a->level, (double)a->score, b->label, b->count, b->object, (int)b->fits,
            (double)b->length, (double)b->width, (double)b->bottom, (double)b->top, b->level, (double)b->score);
        return;
    }
    const uint8_t *const behind = (const uint8_t *)(found + listed);
    for (size_t b = 0; b < ((size_t)capacity + 1 - (size_t)listed) * sizeof *found; b++)
        if (behind[b] != UNTOUCHED) {
            CHECK_FAIL("%s: something was written behind the last of %d clusters", name, listed);
            return;
        }
}

static void compare_stats(const known *k, const char *name)
{
    const clump_stats s = clump_context_stats(gpu), *const w = &k->stats;
    CHECK_MSG(s.finite == w->finite && s.masked == w->masked && s.noise == w->noise && s.ground == w->ground &&
                  s.clusters == w->clusters,
              "%s: finite %zu, masked %zu, noise %zu, ground %zu, clusters %d; expected %zu, %zu, %zu, %zu, %d", name,
              s.finite, s.masked, s.noise, s.ground, s.clusters, w->finite, w->masked, w->noise, w->ground,
              w->clusters);
    CHECK_MSG(s.neighbours == w->neighbours && s.ring_source == w->ring_source && s.rings == w->rings,
              "%s: %s, %s, %d rings", name, clump_neighbour_kind_name(s.neighbours),
              clump_ring_source_name(s.ring_source), s.rings);
    CHECK_INT(s.backend, CLUMP_BACKEND_CUDA);
}

static void compare_manner(const known *k, const gpu_cloud *c, const uint16_t *rings_there, const manner *m)
{
    char name[400];
    snprintf(name, sizeof name, "%s; %s, list %s, capacity %d, %s", k->name, gpu_place_name(m->place),
             gpu_place_name(m->found_place), m->capacity, m->waits ? "waits" : "runs on");
    const size_t n = k->points.count, bytes = ((size_t)m->capacity + 1) * sizeof(clump_object);
    clump_objects_options o = k->options;
    o.common.mask = c->mask;
    o.rings = rings_there;
    o.common.clusters_on_device = c->clusters;
    o.found_place = m->found_place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    clump_object *const list = gpu_take(gpu, m->found_place, bytes), *const here = take(bytes);
    gpu_put(gpu, m->found_place, list, here, bytes);
    o.found = m->capacity ? list : NULL;
    o.found_capacity = m->capacity;
    gpu_cloud_clear(gpu, c);
    int32_t count = -7, there = -7;
    const clump_status status = clump_objects(gpu, c->points, &o, c->labels, m->waits ? &count : NULL);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", name, clump_context_error(gpu));
    if (status == CLUMP_OK) {
        if (m->waits) CHECK_MSG(count == k->count, "%s: %d clusters, expected %d", name, count, k->count);
        if (m->waits) compare_stats(k, name);
        int32_t *const labels = take((n + 1) * sizeof *labels);
        CHECK_MSG(gpu_cloud_fetch(gpu, c, labels, &there), "%s: labels beyond the last", name);
        CHECK_MSG(there == k->count, "%s: %d clusters on the device, expected %d", name, there, k->count);
        compare_labels(labels, k, name);
        free(labels);
        must(clump_cuda_copy(gpu, here, list, bytes));
        compare_found(here, k, m->capacity, name);
    }
    gpu_give(gpu, m->found_place, list);
    free(here);
}

/* A cloud in two kinds of memory; in all of them, and twice, where `all`. */
static void compare(clump_points points, const clump_objects_options *o, long round, bool all, const char *shape)
{
    known k = known_make(points, o, shape);
    uint64_t random = 77 + (uint64_t)round;
    for (int p = 0; p < GPU_PLACES && check_failures < 20; p++) {
        if (!all && p == round % GPU_PLACES) continue;
        gpu_cloud c = gpu_cloud_make(gpu, (gpu_place)p, points, o->common.mask);
        uint16_t *there = NULL;
        if (o->rings) {
            there = gpu_take(gpu, (gpu_place)p, (points.count + 1) * sizeof *there);
            gpu_put(gpu, (gpu_place)p, there, o->rings, points.count * sizeof *there);
        }
        for (int turn = 0; turn < (all ? 2 : 1); turn++) {
            const int32_t some[] = {k.count + 3, k.count / 2, 0, k.count, (int32_t)points.count + 1};
            manner m = {.place = (gpu_place)p, .capacity = some[pick(&random, 5)]};
            m.found_place = (gpu_place)pick(&random, p == GPU_DEVICE ? 3 : 2);
            if (turn == 0) m.capacity = k.count + 1;
            m.waits = p != GPU_DEVICE || pick(&random, 2);
            compare_manner(&k, &c, there, &m);
        }
        if (there) gpu_give(gpu, (gpu_place)p, there);
        gpu_cloud_free(gpu, &c);
    }
    known_free(&k);
}

/* ----- clouds --------------------------------------------------------------------------------------- */

static clump_objects_options random_options(size_t count, uint64_t *random)
{
    static const float factors[][CLUMP_OBJECTS_LEVELS] = {
        {0.3f, 0.9f, 1.7f, 3.1f}, {1}, {0.7f, 1.3f}, {0.999f, 1, 1.001f}, {0.45f, 0.5f, 2.2f, 2.3f}};
    clump_objects_options o = clump_objects_defaults();
    if (pick(random, 2)) {
        memcpy(o.factors, factors[pick(random, 5)], sizeof o.factors);
        for (o.levels = 0; o.levels < CLUMP_OBJECTS_LEVELS && o.factors[o.levels] > 0;) o.levels++;
    }
    if (pick(random, 4) == 0) o.common.eps_per_metre = pick(random, 2) ? 0 : 0.03f;
    if (pick(random, 4) == 0) o.boxes = (int)pick(random, 2);
    o.no_people = pick(random, 5) == 0;
    o.no_groups = pick(random, 5) == 0;
    o.min_score = pick(random, 3) ? 0 : 0.05f * (float)pick(random, 15);
    o.common.order = (clump_order)pick(random, 2);
    o.common.min_size = pick(random, 3) ? 10 : pick(random, 2);
    o.common.max_size = pick(random, 4) ? 0 : o.common.min_size + pick(random, 400);
    o.ground.method = pick(random, 2) ? CLUMP_GROUND_GRID : (clump_ground_method)pick(random, 3);
    options_draw("ground", "flip", &o.ground, random);
    if (pick(random, 5) == 0) o.ground.up = CLUMP_UP_Y, o.ground.flip = pick(random, 2);
    for (int k = 0; k < 3; k++) o.ground.sensor[k] = 0.25f * (float)pick(random, 4);
    for (size_t i = 0; i < count; i++) mask[i] = (uint8_t)(pick(random, 5) != 0) * 7;
    if (pick(random, 3) == 0) o.common.mask = mask;
    return o;
}

/* Sets the neighbours: exact, given rings, or rows. */
static void choose_neighbours(clump_objects_options *o, int kind, size_t count, uint64_t *random)
{
    const size_t most = (size_t)1 << pick(random, 11);
    for (size_t i = 0; i < count; i++) rings[i] = (uint16_t)pick(random, most);
    o->neighbours = kind == 0 ? CLUMP_NEIGHBOURS_EXACT : CLUMP_NEIGHBOURS_SCAN; /* AUTO does not trust such rings */
    o->rings = kind == 1 ? rings : NULL;
    o->columns = kind == 2 ? count / (1 + pick(random, 64)) + 1 : 0;
}

static void streets(void)
{
    uint64_t random = 2311;
    const long rounds = gpu_small() ? 6 : check_rounds(60), step = gpu_small() == 2 ? 3 : 1;
    for (long round = 0; round < rounds && check_failures < 20; round += step) {
        const size_t n = street_make(xyz, gpu_small() ? 700 : 1 + pick(&random, round % 4 ? 3000 : MOST), &random);
        if (pick(&random, 2)) street_shuffle(xyz, n, &random);
        if (round % 3 == 0) cloud_spoil(xyz, n, 20, &random);
        for (size_t i = 0; i < n && round % 4 == 1; i += 5) xyz[3 * i + 1] = -0.0f; /* an azimuth of -0 */
        clump_objects_options o = random_options(n, &random);
        choose_neighbours(&o, (int)(round % 3), n, &random);
        compare((clump_points){.xyz = xyz, .count = n}, &o, round, round % 5 == 0, "street");
        if (round % 17 == 16) clump_context_trim(gpu);
    }
    CHECK(seen[CLUMP_RINGS_NONE] > 0 && seen[CLUMP_RINGS_GIVEN] > 0);
}

/* Makes one turn of a sensor among things, ring after ring. */
static size_t turn_make(size_t lasers, size_t steps, uint64_t *random)
{
    size_t n = 0;
    for (size_t ring = 0; ring < lasers; ring++) {
        for (size_t step = 0; step < steps && n < MOST; step++) {
            const float turn = 6.2831853f * ((float)step + 0.5f) / (float)steps;
            const float range = 5 + 3 * (float)(step / 7 % 5);
            xyz[3 * n] = range * cosf(turn), xyz[3 * n + 1] = range * sinf(turn);
            xyz[3 * n + 2] = range * (0.04f * (float)ring - 0.2f);
            n += pick(random, 9) > 0;
        }
    }
    return n;
}

/* Rings from the order of the points, also descending, and from their vertical angles. */
static void turns(void)
{
    uint64_t random = 2312;
    for (int round = 0; round < 6; round++) {
        const size_t n = turn_make(12, gpu_small() ? 100 : 400, &random);
        clump_objects_options o = clump_objects_defaults();
        o.ground.method = round < 3 ? CLUMP_GROUND_NONE : CLUMP_GROUND_GRID;
        o.neighbours = round % 3 == 0 ? CLUMP_NEIGHBOURS_AUTO : CLUMP_NEIGHBOURS_SCAN;
        if (round % 3 == 1) street_shuffle(xyz, n, &random);
        for (size_t i = 0; i < n && round % 3 == 2; i++) xyz[3 * i + 1] *= -1;
        if (round > 3) cloud_spoil(xyz, n, 50, &random);
        compare((clump_points){.xyz = xyz, .count = n}, &o, round, true, "turn");
    }
    CHECK(seen[CLUMP_RINGS_ORDER] > 0 && seen[CLUMP_RINGS_ANGLE] > 0);
}

/* Nothing at all, one point, sizes around those of warps and thread blocks; nothing finite, all in one place. */
static void odd_clouds(void)
{
    static const size_t counts[] = {0, 1, 31, 33, 1000, 4096, 4097};
    uint64_t random = 2313;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        if (gpu_small() && counts[k] != 0 && counts[k] != 33) continue;
        for (int kind = 0; kind < 3; kind++) {
            const size_t n = counts[k] ? street_make(xyz, counts[k], &random) : 0;
            const clump_points points = {.xyz = xyz, .count = n};
            clump_objects_options o = clump_objects_defaults();
            choose_neighbours(&o, kind, n, &random);
            compare(points, &o, kind, true, "defaults");
            o.ground.method = CLUMP_GROUND_NONE;
            o.common.min_size = 1;
            compare(points, &o, kind, false, "all in");
            for (size_t i = 0; i < n; i++) memcpy(xyz + 3 * i, xyz, 3 * sizeof *xyz);
            compare(points, &o, kind, false, "one place");
            for (size_t i = 0; i < n; i++) xyz[3 * i + i % 3] = NAN;
            compare(points, &o, kind, false, "none finite");
        }
    }
}

static void many_points(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    static const size_t counts[] = {124000, 1000000};
    uint64_t random = 2315;
    for (int turn = 0; turn < 4; turn++) {
        const size_t n = counts[turn / 2];
        float *const many = take(3 * n * sizeof *many);
        uint16_t *const named = take(n * sizeof *named);
        if (turn < 2) street_make(many, n, &random);
        for (size_t i = 0; i < n; i++) {
            named[i] = (uint16_t)(i % 64);
            if (turn >= 2) many[3 * i] = 3, many[3 * i + 1] = 4, many[3 * i + 2] = 0.5f;
        }
        clump_objects_options o = clump_objects_defaults();
        o.neighbours = turn % 2 ? CLUMP_NEIGHBOURS_SCAN : CLUMP_NEIGHBOURS_EXACT;
        o.rings = turn % 2 ? named : NULL;
        o.ground.method = CLUMP_GROUND_NONE;
        compare((clump_points){.xyz = many, .count = n}, &o, turn, false, turn < 2 ? "street" : "one place");
        free(many), free(named);
    }
}

/* ----- calls ---------------------------------------------------------------------------------------- */

/* On the device rings are not checked: higher ones count as the last. */
static void high_rings(void)
{
    uint64_t random = 2316;
    const size_t n = street_make(xyz, 600, &random);
    clump_objects_options o = clump_objects_defaults();
    for (size_t i = 0; i < n; i++) rings[i] = (uint16_t)(i % 7 ? 1000 + i % 23 : CLUMP_RINGS_MOST - 1);
    o.rings = rings;
    o.neighbours = CLUMP_NEIGHBOURS_SCAN;
    known k = known_make((clump_points){.xyz = xyz, .count = n}, &o, "high rings");
    for (size_t i = 0; i < n; i++)
        if (i % 7 == 0) rings[i] = (uint16_t)(CLUMP_RINGS_MOST + 97 * i);
    gpu_cloud c = gpu_cloud_make(gpu, GPU_DEVICE, k.points, NULL);
    uint16_t *const there = gpu_take(gpu, GPU_DEVICE, n * sizeof *there);
    gpu_put(gpu, GPU_DEVICE, there, rings, n * sizeof *there);
    compare_manner(&k, &c, there, &(manner){GPU_DEVICE, GPU_PAGEABLE, true, k.count});
    gpu_give(gpu, GPU_DEVICE, there);
    gpu_cloud_free(gpu, &c);
    known_free(&k);
}

/* Neighbours of the scan where nothing tells the rings: the sentence of the CPU. */
static void unknown_rings(void)
{
    uint64_t random = 2317;
    static int32_t labels[MOST];
    const size_t n = street_make(xyz, 600, &random);
    street_shuffle(xyz, n, &random);
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_SCAN;
    const clump_points points = {.xyz = xyz, .count = n};
    const clump_status status = clump_objects(cpu, points, &o, labels, NULL);
    CHECK(status != CLUMP_OK);
    CHECK_INT(clump_objects(gpu, points, &o, labels, NULL), status);
    CHECK_TEXT(clump_context_error(gpu), clump_context_error(cpu));
    o.neighbours = CLUMP_NEIGHBOURS_AUTO;
    compare(points, &o, 1, false, "after a refusal");
}

/* Capturing: a call that does not look for rings becomes part of the caller's graph, which is replayed with other points. */
static void in_a_graph(void)
{
    uint64_t random = 2320;
    const size_t n = gpu_small() ? 400 : 6000;
    static int32_t found[MOST];
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) abort();
    for (int turn = 0; turn < 2; turn++) {
        clump_objects_options o = clump_objects_defaults();
        if (turn == 0) o.neighbours = CLUMP_NEIGHBOURS_EXACT;
        if (turn == 1) o.columns = n / 32 + 1, o.neighbours = CLUMP_NEIGHBOURS_SCAN;
        street_make(xyz, n, &random);
        gpu_cloud c = gpu_cloud_make(gpu, GPU_DEVICE, (clump_points){.xyz = xyz, .count = n}, NULL);
        o.common.clusters_on_device = c.clusters;
        CHECK_INT(clump_cuda_set_stream(gpu, stream), CLUMP_OK);
        CHECK_INT(clump_objects(gpu, c.points, &o, c.labels, NULL), CLUMP_OK);
        CHECK_INT(clump_cuda_wait(gpu), CLUMP_OK);
        cudaGraph_t graph = NULL;
        cudaGraphExec_t exec = NULL;
        CHECK_INT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        CHECK_MSG(clump_objects(gpu, c.points, &o, c.labels, NULL) == CLUMP_OK, "%s", clump_context_error(gpu));
        CHECK_INT(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        CHECK_INT(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
        for (int again = 0; again < 2 && exec; again++) {
            street_make(xyz, n, &random);
            gpu_put(gpu, GPU_DEVICE, c.memory, xyz, 3 * n * sizeof *xyz);
            gpu_cloud_clear(gpu, &c);
            CHECK_INT(cudaGraphLaunch(exec, stream), cudaSuccess);
            CHECK_INT(cudaStreamSynchronize(stream), cudaSuccess);
            clump_objects_options plain = o;
            plain.common.clusters_on_device = NULL;
            known k = known_make((clump_points){.xyz = xyz, .count = n}, &plain, "in a graph");
            int32_t there = -7;
            CHECK(gpu_cloud_fetch(gpu, &c, found, &there));
            CHECK_INT(there, k.count);
            compare_labels(found, &k, k.name);
            known_free(&k);
        }
        if (exec) cudaGraphExecDestroy(exec);
        if (graph) cudaGraphDestroy(graph);
        CHECK_INT(clump_cuda_set_stream(gpu, NULL), CLUMP_OK);
        gpu_cloud_free(gpu, &c);
    }
    cudaStreamDestroy(stream);
}

/* Every call of the CUDA runtime fails once: one sentence, and the next call is right. */
static void every_call_fails(void)
{
    enum { MOST_CALLS = 3000 };
    uint64_t random = 2319;
    for (int turn = 0; turn < 3; turn++) {
        const size_t n = turn_make(12, gpu_small() ? 40 : 150, &random);
        if (turn == 2) street_shuffle(xyz, n, &random);
        clump_objects_options o = clump_objects_defaults();
        o.neighbours = turn ? CLUMP_NEIGHBOURS_SCAN : CLUMP_NEIGHBOURS_EXACT;
        known k = known_make((clump_points){.xyz = xyz, .count = n}, &o, "failing");
        int32_t *const labels = take(n * sizeof *labels);
        clump_object *const found = take((n + 1) * sizeof *found);
        o.found = found, o.found_capacity = (int32_t)n;
        long call = 0;
        for (; call < MOST_CALLS && check_failures < 20; call += gpu_small() ? 11 : 1) {
            clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
            CHECK_INT(clump_cuda_wait(ctx), CLUMP_OK);
            void *const state = ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state;
            clump_cuda_fail_after(state, call, (int)cudaErrorLaunchFailure);
            int32_t count = -1;
            const clump_status status = clump_objects(ctx, k.points, &o, labels, &count);
            clump_cuda_fail_after(state, 0, 0);
            CHECK_MSG(status == CLUMP_OK || (status == CLUMP_ERR_DEVICE && strlen(clump_context_error(ctx)) > 15),
                      "%s: call %ld: status %d: %s", k.name, call, (int)status, clump_context_error(ctx));
            if (status != CLUMP_OK)
                CHECK_MSG(clump_objects(ctx, k.points, &o, labels, &count) == CLUMP_OK, "%s", clump_context_error(ctx));
            CHECK_INT(count, k.count);
            compare_labels(labels, &k, k.name);
            clump_context_destroy(ctx);
            if (status == CLUMP_OK) break;
        }
        CHECK_MSG(call > 5 && call < MOST_CALLS, "%s: %ld calls of the runtime", k.name, call);
        known_free(&k);
        free(labels), free(found);
    }
}

/* ----- scans ---------------------------------------------------------------------------------------- */

static void real_scans(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    static const int scenes[] = {0, 4, 6}, frames[] = {0, 3, 6, 9};
    size_t compared = 0;
    for (int k = 0; k < 12; k++) {
        char path[60];
        snprintf(path, sizeof path, "kitti/semkitti_%02d_%06d.bin", scenes[k / 4], frames[k % 4]);
        clump_cloud *const cloud = scan_load(path);
        if (!cloud) continue;
        clump_objects_options o = clump_objects_defaults();
        o.ground.step = k % 2;
        o.common.order = (clump_order)(k % 3 == 0);
        compare(clump_cloud_points(cloud), &o, k, k == 0, path);
        o.neighbours = CLUMP_NEIGHBOURS_EXACT;
        compare(clump_cloud_points(cloud), &o, k, k == 0, path);
        clump_cloud_destroy(cloud);
        compared++;
    }
    if (compared == 0) SKIP("no scans in %s: " DO_DATA, scans_folder());
    printf("%zu scans compared\n", compared);
}

CHECK_PROGRAM(test_cuda_objects)
{
    if (gpu_skip("test_cuda_objects")) return;
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(odd_clouds);
    RUN(streets);
    RUN(turns);
    RUN(many_points);
    RUN(high_rings);
    RUN(unknown_rings);
    RUN(in_a_graph);
    RUN(every_call_fails);
    RUN(real_scans);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
