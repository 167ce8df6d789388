/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_tree.c: clump_tree and clump_hdbscan by the CUDA backend: parents, heights and core distances of the CPU, bit for bit,
 * from every kind of memory. The CPU's are those of the definition (test_tree.c). Skipped where there is no GPU. With
 * CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "hostile/hostile_case.h"
#include "support/clouds.h"
#include "support/on_gpu.h"
#include "support/scans.h"

#include <clump/tree.h>

#include <math.h>

enum { MOST = 200000, GUARD = 77, REMAINDER = 4096 };

static clump_context *cpu, *gpu;
static float xyz[3 * MOST], heights[MOST + 1], cores[MOST + 1];
static uint8_t mask[MOST];
static int32_t parents[MOST + 1], labels[MOST], found_labels[MOST];

/* ----- results in some memory ---------------------------------------------------------------------- */

/* Parents, heights and core distances, each with a guard behind it. */
typedef struct bed {
    gpu_place place;
    size_t count;
    void *parts[3];
} bed;

static bed bed_make(gpu_place place, size_t count)
{
    bed b = {.place = place, .count = count};
    const int32_t guard = GUARD;
    for (int k = 0; k < 3; k++) {
        b.parts[k] = gpu_take(gpu, place, (count + 1) * sizeof guard);
        gpu_put(gpu, place, (int32_t *)b.parts[k] + count, &guard, sizeof guard);
    }
    return b;
}

static void bed_free(bed *b)
{
    for (int k = 0; k < 3; k++) gpu_give(gpu, b->place, b->parts[k]);
}

/* Compares one result with the CPU's, and looks at the guard. */
static bool is_equal(const bed *b, int part, const void *expected, const char *what)
{
    static const char *const names[] = {"parent", "height", "core distance"};
    static int32_t found[MOST + 1];
    CHECK_INT(clump_cuda_copy(gpu, found, b->parts[part], (b->count + 1) * sizeof *found), CLUMP_OK);
    CHECK_MSG(found[b->count] == GUARD, "%s: something was written behind the %ss", what, names[part]);
    size_t at = 0;
    while (at < b->count && found[at] == ((const int32_t *)expected)[at]) at++;
    CHECK_MSG(at == b->count, "%s, %s: %s of point %zu of %zu has bits %08x, expected %08x", what,
              gpu_place_name(b->place), names[part], at, b->count, (unsigned)found[at],
              (unsigned)((const int32_t *)expected)[at]);
    return at == b->count;
}

/* The tree of one cloud, in one kind of memory. */
static void compare(clump_points points, const clump_tree_options *given, gpu_place place, const char *what)
{
    clump_tree_options o = *given;
    o.cores = cores;
    CHECK_INT(clump_tree(cpu, points, &o, parents, heights), CLUMP_OK);
    const clump_stats w = clump_context_stats(cpu);
    gpu_cloud c = gpu_cloud_make(gpu, place, points, given->mask);
    bed b = bed_make(place, points.count);
    o.mask = c.mask;
    const bool wants = given->min_samples % 3 != 2;
    o.cores = wants ? b.parts[2] : NULL;
    const clump_status status = clump_tree(gpu, c.points, &o, b.parts[0], b.parts[1]);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", what, clump_context_error(gpu));
    const clump_stats s = clump_context_stats(gpu);
    CHECK(s.backend == CLUMP_BACKEND_CUDA && s.points == points.count);
    CHECK_MSG(s.finite == w.finite && s.masked == w.masked, "%s: %zu finite, %zu masked, not %zu, %zu", what, s.finite,
              s.masked, w.finite, w.masked);
    if (status == CLUMP_OK && is_equal(&b, 0, parents, what) && is_equal(&b, 1, heights, what) && wants)
        (void)is_equal(&b, 2, cores, what);
    bed_free(&b);
    gpu_cloud_free(gpu, &c);
}

/* ----- clouds -------------------------------------------------------------------------------------- */

static clump_tree_options draw(size_t count, uint64_t *random)
{
    static const int samples[] = {1, 1, 2, 3, 5, 8, 9, 10, 13, 31, 32, 33, 64, 65, 100, 128};
    clump_tree_options o = clump_tree_defaults();
    o.min_samples = samples[check_random(random) % 16];
    o.two_d = check_random(random) % 4 == 0;
    for (size_t i = 0; i < count; i++) mask[i] = check_random(random) % 5 != 0;
    if (check_random(random) % 4 == 0) o.mask = mask;
    return o;
}

static void random_clouds(void)
{
    const int usual = gpu_small() == 2 ? 6 : gpu_small() ? 40 : 600;
    for (int round = 0; round < (gpu_small() ? usual : cloud_rounds(usual)) && check_failures < 10; round++) {
        uint64_t random = (uint64_t)round;
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const float share = check_random_float(&random);
        const size_t count = round < 4 ? (size_t)round : (size_t)(share * share * (gpu_small() ? 300 : 5000));
        (void)cloud_fill(shape, xyz, count, &random);
        if (check_random(&random) % 4 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 10, &random);
        const clump_tree_options o = draw(count, &random);
        if (o.two_d) cloud_spoil_z(xyz, count, &random);
        char what[128];
        snprintf(what, sizeof what, "round %d, %s, min_samples %d%s", round, cloud_name(shape), o.min_samples,
                 o.two_d ? ", 2-D" : "");
        compare((clump_points){.xyz = xyz, .count = count}, &o, (gpu_place)(round % GPU_PLACES), what);
    }
}

static void hostile_clouds(void)
{
    const int rounds = gpu_small() == 2 ? 4 : gpu_small() ? 40 : 600;
    for (int round = 0; round < rounds && check_failures < 10; round++) {
        hostile_case c = hostile_case_make((uint64_t)round, gpu_small() ? HOSTILE_SMALL : HOSTILE_MOST);
        uint64_t random = (uint64_t)round;
        const clump_tree_options o = draw(c.points.count, &random);
        char what[256];
        hostile_case_text(what, sizeof what, &c);
        compare(c.points, &o, (gpu_place)(round % GPU_PLACES), what);
        hostile_case_free(&c);
    }
}

/* Clouds whose spanning trees are far from random: long paths, many equal weights, a few points beside many. */
typedef enum large_shape { LATTICE, LINE, GROWING, FALLING, COPIES, BALL, HEAPS, LARGE_SHAPES } large_shape;

static void large_point(large_shape shape, size_t i, size_t count, uint64_t *random, float *p)
{
    const float u = check_random_float(random) - 0.5f, v = check_random_float(random) - 0.5f,
                w = check_random_float(random) - 0.5f, r = sqrtf(u * u + v * v + w * w) + 1e-6f;
    const float step = (float)(shape == FALLING ? count - i : i);
    p[0] = u, p[1] = v, p[2] = w;
    if (shape == LATTICE) p[0] = (float)(i % 60), p[1] = (float)(i / 60 % 60), p[2] = (float)(i / 3600);
    if (shape == LINE) p[0] = (float)i, p[1] = p[2] = 0;
    if (shape == GROWING || shape == FALLING) p[0] = step * step * 1e-3f, p[1] = p[2] = 0;
    if (shape == COPIES) p[0] = (float)(i % 40), p[1] = (float)(i % 3), p[2] = 0;
    if (shape == BALL && i % 4) p[0] = 100 * u / r, p[1] = 100 * v / r, p[2] = 100 * w / r;
    if (shape == HEAPS) p[0] += 50.0f * (float)(i % 7), p[1] += (float)(i % 11 * (i % 11));
}

static void large_clouds(void)
{
    if (gpu_small()) SKIP("too large for compute-sanitizer");
    static const int samples[] = {1, 10, 40};
    for (int round = 0; round < 2 * LARGE_SHAPES && check_failures < 10; round++) {
        uint64_t random = (uint64_t)round;
        const large_shape shape = (large_shape)(round % LARGE_SHAPES);
        const size_t count = round < LARGE_SHAPES ? 50000 : MOST;
        for (size_t i = 0; i < count; i++) large_point(shape, i, count, &random, xyz + 3 * i);
        clump_tree_options o = clump_tree_defaults();
        o.min_samples = samples[round % 3];
        char what[64];
        snprintf(what, sizeof what, "large round %d, min_samples %d", round, o.min_samples);
        compare((clump_points){.xyz = xyz, .count = count}, &o, (gpu_place)(round % GPU_PLACES), what);
    }
}

static void real_scan(void)
{
    if (gpu_small()) SKIP("too large for compute-sanitizer");
    clump_cloud *const cloud = scan_load("kitti/semkitti_00_000000.bin");
    if (!cloud) SKIP("no real scans here");
    for (int round = 0; round < 4; round++) {
        clump_tree_options o = clump_tree_defaults();
        o.min_samples = (int[]){10, 1, 5, 50}[round], o.two_d = round == 3;
        compare(clump_cloud_points(cloud), &o, (gpu_place)(round % GPU_PLACES), "scan");
    }
    clump_cloud_destroy(cloud);
}

/* ----- calls --------------------------------------------------------------------------------------- */

static void labels_are_those_of_the_cpu(void)
{
    uint64_t random = 5;
    for (int round = 0; round < (gpu_small() ? 4 : 40); round++) {
        const size_t count = gpu_small() ? 300 : 4000;
        (void)cloud_fill((cloud_shape)(round % CLOUD_SHAPES), xyz, count, &random);
        clump_hdbscan_options o = clump_hdbscan_defaults();
        o.min_cluster_size = 3 + round % 20, o.min_samples = round % 7;
        int32_t wanted = -1, clusters = -1;
        const clump_points points = {.xyz = xyz, .count = count};
        CHECK_INT(clump_hdbscan(cpu, points, &o, labels, &wanted), CLUMP_OK);
        CHECK_INT(clump_hdbscan(gpu, points, &o, found_labels, &clusters), CLUMP_OK);
        CHECK_MSG(clusters == wanted && memcmp(labels, found_labels, count * sizeof *labels) == 0,
                  "round %d: %d clusters, not %d, or other labels", round, clusters, wanted);
        CHECK(clump_context_stats(gpu).backend == CLUMP_BACKEND_CUDA);
    }
}

/* The second call of a size, and all smaller ones, find their memory. */
static void warm_calls_allocate_nothing(void)
{
    uint64_t random = 6;
    const size_t count = gpu_small() ? 500 : 30000;
    (void)cloud_fill(CLOUD_UNIFORM, xyz, count, &random);
    for (int turn = 0; turn < GPU_PLACES; turn++) {
        long calls = 0;
        const clump_allocator counting = gpu_counting(&calls);
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, &counting);
        gpu_cloud c = gpu_cloud_make(ctx, (gpu_place)turn, (clump_points){.xyz = xyz, .count = count}, NULL);
        bed b = bed_make((gpu_place)turn, count);
        for (int again = 0; again < 5; again++) {
            static clump_stats warm;
            static long before;
            clump_points some = c.points;
            if (again > 1) some.count = count / (size_t)again;
            CHECK_INT(clump_tree(ctx, some, NULL, b.parts[0], b.parts[1]), CLUMP_OK);
            const clump_stats s = clump_context_stats(ctx);
            if (again == 0) warm = s, before = calls;
            CHECK_MSG(calls == before && s.host_bytes == warm.host_bytes && s.device_bytes == warm.device_bytes,
                      "%s, call %d: host %zu -> %zu bytes, device %zu -> %zu bytes", gpu_place_name((gpu_place)turn),
                      again, warm.host_bytes, s.host_bytes, warm.device_bytes, s.device_bytes);
        }
        bed_free(&b);
        gpu_cloud_free(ctx, &c);
        clump_context_trim(ctx);
        const clump_stats trimmed = clump_context_stats(ctx);
        CHECK_MSG(trimmed.device_bytes <= REMAINDER && trimmed.host_bytes <= REMAINDER,
                  "%zu bytes on the device, %zu on the host", trimmed.device_bytes, trimmed.host_bytes);
        clump_context_destroy(ctx);
    }
}

static void calls_are_cancelled(void)
{
    int cancel = 1;
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA, options.cancel = &cancel;
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    uint64_t random = 7;
    const clump_points points = {.xyz = xyz, .count = 2000};
    (void)cloud_fill(CLOUD_UNIFORM, xyz, points.count, &random);
    CHECK_INT(clump_tree(ctx, points, NULL, parents, heights), CLUMP_ERR_CANCELLED);
    cancel = 0;
    CHECK_INT(clump_tree(ctx, points, NULL, parents, heights), CLUMP_OK);
    clump_context_destroy(ctx);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    if (gpu_skip("test_cuda_tree")) return 77;
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(random_clouds);
    RUN(hostile_clouds);
    RUN(large_clouds);
    RUN(real_scan);
    RUN(labels_are_those_of_the_cpu);
    RUN(warm_calls_allocate_nothing);
    RUN(calls_are_cancelled);
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
    CHECK(gpu_reset());
    return CHECK_END();
}
