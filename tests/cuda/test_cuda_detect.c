/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_detect.c: clump_detect by the CUDA backend: labels, boxes and counts of the CPU, which has oracles of its own,
 * bit for bit. Random clouds and every scan in the folder CLUMP_DATA, all methods of ground and clustering, every kind of
 * memory, any capacity, with and without waiting, in a graph of the caller. Other clouds: test_cuda_jobs.c. Skipped where there is no GPU. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/on_gpu.h"
#include "support/scans.h"
#include "support/options.h"

#include "core/context.h"

#include <clump/info.h>

#include <cuda_runtime_api.h>
#include <math.h>

enum { MOST = 9000, UNTOUCHED = 0x5a };

static clump_context *cpu, *gpu;
static float xyz[3 * MOST];
static uint8_t mask[MOST];

static void must(clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("the test cannot go on: %s\n", clump_context_error(gpu));
    exit(1);
}

/* ----- what the CPU says ---------------------------------------------------------------------------- */

typedef struct known {
    clump_points points; /* in ordinary memory */
    clump_detect_options options;
    int32_t *labels, count;
    clump_cluster *clusters; /* as many as there are points */
    clump_stats stats;
    char name[600];
} known;

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

static known known_make(clump_points points, const clump_detect_options *o, const char *name)
{
    known k = {.points = points, .options = *o};
    char switches[OPTIONS_TEXT];
    k.labels = malloc((points.count + 1) * sizeof *k.labels);
    k.clusters = calloc(points.count + 1, sizeof *k.clusters);
    if (!k.labels || !k.clusters) abort();
    snprintf(k.name, sizeof k.name, "%s, %zu points, %s, ground %s%s, thin %g, region %g, order %d, sizes %zu to %zu",
             name, points.count, clump_detect_method_name(o->method), clump_ground_method_name(o->ground.method),
             options_text("ground", &o->ground, switches), (double)o->thin, (double)o->region.max_range,
             (int)o->common.order, o->common.min_size, o->common.max_size);
    if (clump_detect(cpu, points, o, k.labels, k.clusters, (int32_t)points.count, &k.count) != CLUMP_OK)
        CHECK_FAIL("%s: the CPU: %s", k.name, clump_context_error(cpu));
    k.stats = clump_context_stats(cpu);
    return k;
}

static void known_free(known *k)
{
    free(k->labels), free(k->clusters);
}

/* ----- one call ------------------------------------------------------------------------------------- */

/* How the GPU is called. */
typedef struct manner {
    gpu_place place, clusters_place;
    bool labels, waits;
    int32_t capacity;
} manner;

/* The first float or integer in which boxes differ. */
static void compare_boxes(const clump_cluster *found, const clump_cluster *wanted, size_t count, const char *name)
{
    for (size_t c = 0; c < count; c++) {
        if (memcmp(&found[c], &wanted[c], sizeof *found) == 0) continue;
        for (size_t w = 0; w < sizeof *found / 4; w++) {
            uint32_t a, b;
            float x, y;
            memcpy(&a, (const char *)&found[c] + 4 * w, 4), memcpy(&b, (const char *)&wanted[c] + 4 * w, 4);
            memcpy(&x, &a, 4), memcpy(&y, &b, 4);
            if (a == b) continue;
            CHECK_FAIL("%s: box %zu of %zu, word %zu: %08x %g, expected %08x %g; %d points", name, c, count, w, a,
                       (double)x, b, (double)y, wanted[c].count);
            return;
        }
    }
}

static void compare_labels(const int32_t *found, const known *k, const char *name)
{
    size_t at = 0, differ = 0;
    for (size_t i = k->points.count; i-- > 0;)
        if (found[i] != k->labels[i]) at = i, differ++;
    CHECK_MSG(differ == 0, "%s: %zu labels differ, point %zu has %d, expected %d", name, differ, at, found[at],
              k->labels[at]);
}

static void compare_stats(const known *k, const char *name)
{
    const clump_stats s = clump_context_stats(gpu), *const w = &k->stats;
    CHECK_MSG(
        s.finite == w->finite && s.masked == w->masked && s.noise == w->noise && s.ground == w->ground &&
            s.thinned == w->thinned && s.clusters == w->clusters,
        "%s: finite %zu, masked %zu, noise %zu, ground %zu, thinned %zu, clusters %d; expected %zu, %zu, %zu, %zu, "
        "%zu, %d",
        name, s.finite, s.masked, s.noise, s.ground, s.thinned, s.clusters, w->finite, w->masked, w->noise, w->ground,
        w->thinned, w->clusters);
    CHECK_MSG(s.ground_level == w->ground_level || (isnan(s.ground_level) && isnan(w->ground_level)),
              "%s: ground at %g, expected %g", name, (double)s.ground_level, (double)w->ground_level);
    CHECK_INT(s.backend, CLUMP_BACKEND_CUDA);
    CHECK(s.upload_ms >= 0 && s.ground_ms >= 0 && s.build_ms >= 0 && s.cluster_ms >= 0 && s.label_ms >= 0 &&
          s.describe_ms >= 0 && s.upload_ms < 1e4 && s.ground_ms < 1e4 && s.describe_ms < 1e4);
}

/* A copy of the values in the place of the points; null where there are none. */
static float *values_make(const known *k, gpu_place place)
{
    const clump_describe_options *const o = &k->options.describe;
    if (!o->values || k->points.count == 0) return NULL;
    const size_t stride = o->values_stride ? o->values_stride : 4, bytes = (k->points.count - 1) * stride + 4;
    float *const copy = gpu_take(gpu, place, bytes);
    gpu_put(gpu, place, copy, o->values, bytes);
    return copy;
}

static void compare_manner(const known *k, const gpu_cloud *c, const manner *m)
{
    char name[800];
    snprintf(name, sizeof name, "%s; %s, boxes %s, capacity %d, %s, %s", k->name, gpu_place_name(m->place),
             gpu_place_name(m->clusters_place), m->capacity, m->labels ? "labels" : "no labels",
             m->waits ? "waits" : "runs on");
    clump_detect_options o = k->options;
    o.common.mask = c->mask;
    o.describe.values = values_make(k, m->place);
    if (!o.describe.values && k->points.count == 0) o.describe.values = NULL;
    o.describe.clusters_place = m->clusters_place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    o.common.clusters_on_device = c->clusters;
    const size_t bytes = ((size_t)m->capacity + 1) * sizeof(clump_cluster);
    clump_cluster *const boxes = gpu_take(gpu, m->clusters_place, bytes), *const here = malloc(bytes);
    if (!here) abort();
    memset(here, UNTOUCHED, bytes);
    gpu_put(gpu, m->clusters_place, boxes, here, bytes);
    gpu_cloud_clear(gpu, c);
    int32_t count = -7, there = -7;
    const clump_status status = clump_detect(gpu, c->points, &o, m->labels ? c->labels : NULL,
                                             m->capacity ? boxes : NULL, m->capacity, m->waits ? &count : NULL);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", name, clump_context_error(gpu));
    if (status == CLUMP_OK) {
        if (m->waits) CHECK_MSG(count == k->count, "%s: %d clusters, expected %d", name, count, k->count);
        if (m->waits) compare_stats(k, name);
        int32_t *const found = malloc((k->points.count + 1) * sizeof *found);
        if (!found) abort();
        CHECK_MSG(gpu_cloud_fetch(gpu, c, found, &there), "%s: labels beyond the last", name);
        CHECK_MSG(there == k->count, "%s: %d clusters on the device, expected %d", name, there, k->count);
        if (m->labels) compare_labels(found, k, name);
        free(found);
        must(clump_cuda_copy(gpu, here, boxes, bytes));
        const size_t described = (size_t)(k->count < m->capacity ? k->count : m->capacity);
        compare_boxes(here, k->clusters, described, name);
        size_t touched = 0;
        for (size_t b = described * sizeof *here; b < bytes && m->clusters_place != GPU_DEVICE; b++)
            touched += ((const uint8_t *)here)[b] != UNTOUCHED;
        CHECK_MSG(touched == 0, "%s: %zu bytes behind the last box were written", name, touched);
    }
    gpu_give(gpu, m->clusters_place, boxes);
    if (o.describe.values) gpu_give(gpu, m->place, (void *)(uintptr_t)o.describe.values);
    free(here);
}

/* A cloud in two kinds of memory, each in two manners; all of them where `all`. */
static void compare(clump_points points, const clump_detect_options *o, long round, bool all, const char *shape)
{
    known k = known_make(points, o, shape);
    uint64_t random = 77 + (uint64_t)round;
    for (int p = 0; p < GPU_PLACES && check_failures < 20; p++) {
        if (!all && p == round % GPU_PLACES) continue;
        gpu_cloud c = gpu_cloud_make(gpu, (gpu_place)p, points, o->common.mask);
        for (int turn = 0; turn < (all ? 4 : 2); turn++) {
            const int32_t some[] = {k.count + 3, k.count / 2, 0, k.count, (int32_t)points.count + 1};
            manner m = {.place = (gpu_place)p, .capacity = some[pick(&random, 5)]};
            m.clusters_place = (gpu_place)pick(&random, p == GPU_DEVICE ? 3 : 2);
            m.labels = turn % 2 == 0 || pick(&random, 3) == 0;
            if (turn == 0) m.capacity = k.count + 1;
            m.waits = p != GPU_DEVICE || pick(&random, 2);
            compare_manner(&k, &c, &m);
        }
        gpu_cloud_free(gpu, &c);
    }
    known_free(&k);
}

/* ----- clouds --------------------------------------------------------------------------------------- */

/* Sloping ground, boxes on it, some stray points. */
static void fill_street(size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        const uint64_t kind = check_random(random) % 16, object = check_random(random) % 40;
        p[0] = 80 * (check_random_float(random) - 0.5f), p[1] = 80 * (check_random_float(random) - 0.5f);
        if (kind >= 6) {
            p[0] = 9 * (float)(object % 8) - 31 + 2 * check_random_float(random);
            p[1] = 11 * (float)(object / 8) - 22 + check_random_float(random);
        }
        p[2] = -1.7f + 0.03f * p[0] + 0.04f * check_random_float(random);
        if (kind >= 6) p[2] += (0.3f + 0.1f * (float)object) * check_random_float(random);
        if (kind == 15) p[2] += 4 * check_random_float(random) - 2;
        if (kind == 14 && i % 8 == 0) p[0] *= 4, p[1] *= 4;
    }
}

static void random_region(clump_detect_options *o, uint64_t *random)
{
    if (pick(random, 2)) o->region.lower[pick(random, 3)] = -20 * check_random_float(random);
    if (pick(random, 2)) o->region.upper[pick(random, 3)] = 25 * check_random_float(random);
    if (pick(random, 2)) o->region.min_range = 10 * check_random_float(random);
    o->region.max_range = 10 + 30 * check_random_float(random);
}

static clump_detect_options random_options(size_t count, uint64_t *random)
{
    static float values[2 * MOST];
    clump_detect_options o = clump_detect_defaults();
    o.method = (clump_detect_method)pick(random, 3);
    o.ground.method = (clump_ground_method)pick(random, 3);
    options_draw("ground", "flip", &o.ground, random);
    if (pick(random, 3) == 0) random_region(&o, random);
    if (pick(random, 3) == 0) o.thin = 0.02f + check_random_float(random);
    for (int k = 0; k < 3; k++) o.common.sensor[k] = 0.25f * (float)pick(random, 4);
    for (size_t i = 0; i < count; i++) mask[i] = (uint8_t)(pick(random, 5) != 0) * 7;
    if (pick(random, 3) == 0) o.common.mask = mask;
    o.common.order = (clump_order)(pick(random, 3) == 0);
    o.common.min_size = pick(random, 3) ? 10 : pick(random, 2);
    o.common.max_size = pick(random, 3) ? 0 : 300;
    const bool flat = pick(random, 4) == 0, grows = pick(random, 5) == 0;
    o.dbscan.no_border_points = pick(random, 4) == 0;
    o.erccl.cell = 0.2f, o.erccl.extent = 60;
    o.min_points = 1 + pick(random, 12);
    if (pick(random, 4) == 0) {
        o.method = CLUMP_DETECT_OBJECTS;
        o.thin = 0;
    }
    const bool two_d = o.method < CLUMP_DETECT_ERCCL && flat;
    o.common.two_d = two_d;
    if (o.method < CLUMP_DETECT_ERCCL && grows) o.common.eps_per_metre = 0.02f;
    if (!two_d && pick(random, 4) == 0) o.ground.up = CLUMP_UP_Y, o.ground.flip = pick(random, 2);
    o.describe.axes = pick(random, 3) == 0;
    for (size_t i = 0; i < 2 * MOST; i++) values[i] = (float)(i % 1000) * 0.001f;
    if (pick(random, 4) == 0) o.describe.values = values, o.describe.values_stride = pick(random, 2) ? 8 : 0;
    return o;
}

static void streets(void)
{
    uint64_t random = 1801;
    const long rounds = gpu_small() ? 12 : cloud_rounds(100), step = gpu_small() == 2 ? 4 : 1;
    for (long round = 0; round < rounds && check_failures < 20; round += step) {
        const size_t count = gpu_small() ? 100 + pick(&random, 700) : round % 8 == 0 ? MOST : pick(&random, 4500);
        fill_street(count, &random);
        if (round % 3 == 0) cloud_spoil(xyz, count, 20, &random);
        const clump_detect_options o = random_options(count, &random);
        if (o.method < CLUMP_DETECT_ERCCL && o.common.two_d && round % 2) cloud_spoil_z(xyz, count, &random);
        const cloud_view view = cloud_view_make(xyz, count, &random);
        compare(view.points, &o, round, round % 5 == 0, "street");
        free(view.memory);
        if (round % 37 == 36) clump_context_trim(gpu);
    }
}

/* Every method that the backend has, with thinning and without. */
static void all_methods(void)
{
    const clump_method_table *const tables[] = {&clump_ec_methods, &clump_dbscan_methods, &clump_erccl_methods};
    uint64_t random = 1804;
    const size_t n = gpu_small() ? 400 : 3000;
    for (int job = 0; job < 3; job++) {
        const gpu_methods methods = gpu_methods_of(tables[job]);
        for (int turn = 0; turn < 2 * methods.count; turn++) {
            clump_detect_options o = clump_detect_defaults();
            o.method = (clump_detect_method)job;
            o.ec.method = (clump_ec_method)(job == 0 ? methods.values[turn / 2] : 0);
            o.dbscan.method = (clump_dbscan_method)(job == 1 ? methods.values[turn / 2] : 0);
            o.erccl.method = (clump_erccl_method)(job == 2 ? methods.values[turn / 2] : 0);
            o.erccl.cell = 0.2f;
            o.thin = turn % 2 ? 0.1f : 0;
            fill_street(n, &random);
            compare((clump_points){.xyz = xyz, .count = n}, &o, turn, false, "methods");
        }
    }
}

/* ----- calls ---------------------------------------------------------------------------------------- */

/* Polygons of the hulls: as the CPU, with room and without, and offsets alone. */
static void polygons(void)
{
    uint64_t random = 1805;
    for (int round = 0; round < (gpu_small() ? 2 : 12); round++) {
        const size_t n = gpu_small() ? 400 : 3000;
        fill_street(n, &random);
        const clump_points points = {.xyz = xyz, .count = n};
        clump_detect_options o = clump_detect_defaults();
        float *const hull = malloc(2 * n * sizeof *hull), *const wanted = malloc(2 * n * sizeof *hull);
        int32_t *const offsets = malloc((n + 1) * sizeof *offsets), *const starts = malloc((n + 1) * sizeof *offsets);
        clump_cluster *const clusters = malloc(n * sizeof *clusters);
        if (!hull || !wanted || !offsets || !starts || !clusters) abort();
        o.describe.hull_capacity = round % 3 == 2 ? 17 : n;
        const int32_t capacity = round == 9 ? 0 : round % 4 == 3 ? 2 : (int32_t)n;
        const bool alone = round % 8 == 1;
        int32_t count, found;
        memset(wanted, UNTOUCHED, 2 * n * sizeof *hull), memset(hull, UNTOUCHED, 2 * n * sizeof *hull);
        o.describe.hull = alone ? NULL : wanted, o.describe.hull_offsets = starts;
        CHECK_INT(clump_detect(cpu, points, &o, NULL, clusters, capacity, &count), CLUMP_OK);
        o.describe.hull = alone ? NULL : hull, o.describe.hull_offsets = offsets;
        CHECK_MSG(clump_detect(gpu, points, &o, NULL, clusters, capacity, &found) == CLUMP_OK, "%s",
                  clump_context_error(gpu));
        CHECK_INT(found, count);
        const size_t described = (size_t)(count < capacity ? count : capacity);
        CHECK_MSG(memcmp(offsets, starts, (described + 1) * sizeof *offsets) == 0, "round %d: offsets", round);
        CHECK_MSG(memcmp(hull, wanted, 2 * n * sizeof *hull) == 0, "round %d: corners", round);
        o.describe.hull = NULL; /* the offsets alone */
        memset(offsets, UNTOUCHED, (n + 1) * sizeof *offsets);
        CHECK_MSG(clump_detect(gpu, points, &o, NULL, clusters, capacity, &found) == CLUMP_OK, "%s",
                  clump_context_error(gpu));
        CHECK_MSG(memcmp(offsets, starts, (described + 1) * sizeof *offsets) == 0, "round %d: offsets alone", round);
        free(hull), free(wanted), free(offsets), free(starts), free(clusters);
    }
}

/* Capturing: the call becomes part of the caller's graph, which is replayed with other points. */
static void in_a_graph(void)
{
    uint64_t random = 1807;
    const size_t n = gpu_small() ? 400 : 6000;
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) abort();
    for (int turn = 0; turn < 6; turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.method = (clump_detect_method)(turn % 3);
        o.thin = turn >= 3 ? 0.2f : 0;
        o.common.order = turn == 5 || turn == 3 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        o.describe.clusters_place = CLUMP_PLACE_DEVICE;
        fill_street(n, &random);
        gpu_cloud c = gpu_cloud_make(gpu, GPU_DEVICE, (clump_points){.xyz = xyz, .count = n}, NULL);
        clump_cluster *const boxes = gpu_take(gpu, GPU_DEVICE, n * sizeof *boxes);
        clump_cluster *const here = malloc(n * sizeof *here);
        int32_t *const found = malloc(n * sizeof *found);
        if (!here || !found) abort();
        o.common.clusters_on_device = c.clusters;
        CHECK_INT(clump_cuda_set_stream(gpu, stream), CLUMP_OK);
        CHECK_INT(clump_detect(gpu, c.points, &o, c.labels, boxes, (int32_t)n, NULL), CLUMP_OK);
        CHECK_INT(clump_cuda_wait(gpu), CLUMP_OK);
        cudaGraph_t graph = NULL;
        cudaGraphExec_t exec = NULL;
        CHECK_INT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        CHECK_MSG(clump_detect(gpu, c.points, &o, c.labels, boxes, (int32_t)n, NULL) == CLUMP_OK, "%s",
                  clump_context_error(gpu));
        CHECK_INT(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        CHECK_INT(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
        for (int again = 0; again < 2 && exec; again++) {
            fill_street(n, &random);
            gpu_put(gpu, GPU_DEVICE, c.memory, xyz, 3 * n * sizeof *xyz);
            gpu_cloud_clear(gpu, &c);
            CHECK_INT(cudaGraphLaunch(exec, stream), cudaSuccess);
            CHECK_INT(cudaStreamSynchronize(stream), cudaSuccess);
            clump_detect_options plain = o;
            plain.common.clusters_on_device = NULL, plain.describe.clusters_place = CLUMP_PLACE_HOST;
            known k = known_make((clump_points){.xyz = xyz, .count = n}, &plain, "in a graph");
            int32_t there = -7;
            CHECK(gpu_cloud_fetch(gpu, &c, found, &there));
            CHECK_INT(there, k.count);
            compare_labels(found, &k, k.name);
            must(clump_cuda_copy(gpu, here, boxes, (size_t)k.count * sizeof *here));
            compare_boxes(here, k.clusters, (size_t)k.count, k.name);
            known_free(&k);
        }
        if (exec) cudaGraphExecDestroy(exec);
        if (graph) cudaGraphDestroy(graph);
        CHECK_INT(clump_cuda_set_stream(gpu, NULL), CLUMP_OK);
        gpu_give(gpu, GPU_DEVICE, boxes);
        gpu_cloud_free(gpu, &c);
        free(here), free(found);
    }
    cudaStreamDestroy(stream);
}

/* ----- scans ---------------------------------------------------------------------------------------- */

static void compare_scan(clump_points points, const char *name)
{
    static long turn;
    for (int k = 0; k < 6 && check_failures < 20; k++, turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.method = (clump_detect_method)(k % 3);
        o.ground.method = k < 3 ? CLUMP_GROUND_GRID : (clump_ground_method)(turn % 3);
        o.ground.step = (turn + k) % 2;
        o.thin = k == 4 ? 0.2f : 0;
        o.common.order = (clump_order)(k == 3);
        if (k > 3) o.region.max_range = 40;
        if (k == 5) o.describe.axes = true;
        compare(points, &o, turn, k == 0, name);
    }
}

static void real_scans(void)
{
    if (gpu_small()) SKIP("too large where a sanitizer watches");
    SCANS_TEST(compare_scan);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    if (gpu_skip("test_cuda_detect")) return 77;
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(streets);
    RUN(all_methods);
    RUN(polygons);
    RUN(in_a_graph);
    RUN(real_scans);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
    return CHECK_END();
}
