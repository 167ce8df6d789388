/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_large.c: `fast` on the GPU beside `fast` on the CPU, by the hash of the labels: synthetic clouds
 * of up to a million points, dense ones, and every real scan there is in the folder CLUMP_DATA; the six methods
 * on the largest clouds of their paper; of them those that take a scan. Skipped where there is no GPU.
 */
#include "support/check.h"

#include "harness/clouds.h"
#include "support/on_gpu.h"
#include "support/scans.h"
#include "support/papers.h"

#include <clump/info.h>

#include <math.h>

static clump_context *cpu, *gpu;

static void compare_with(gpu_place place, const float *xyz, size_t count, size_t stride, float d,
                         const clump_ec_options *o, const char *name)
{
    const clump_points points = {.xyz = xyz, .count = count, .stride = stride};
    int32_t *const labels = malloc((count + 1) * sizeof *labels);
    int32_t wanted = -1, clusters = -2;
    CHECK_INT(clump_ec(cpu, points, d, NULL, labels, &wanted), CLUMP_OK);
    const uint64_t hash = clump_labels_hash(labels, count);
    const clump_stats on_cpu = clump_context_stats(cpu);

    gpu_cloud c = gpu_cloud_make(gpu, place, points, NULL);
    const char *const method = clump_ec_method_name(o->method);
    const clump_status status = clump_ec(gpu, c.points, d, o, c.labels, &clusters);
    if (status != CLUMP_OK) {
        CHECK_FAIL("%s, %zu points, d %g, %s: %s", name, count, (double)d, method, clump_context_error(gpu));
    } else {
        const clump_stats s = clump_context_stats(gpu);
        CHECK_MSG(gpu_cloud_fetch(gpu, &c, labels, NULL), "%s: labels beyond the last", name);
        CHECK_MSG(clusters == wanted && clump_labels_hash(labels, count) == hash,
                  "%s, %zu points, d %g, %s, block %d%s, %s: %d clusters, expected %d", name, count, (double)d, method,
                  papers_of(&o->common)->matrix_block, papers_of(&o->common)->in_place ? ", in place" : "",
                  gpu_place_name(place), clusters, wanted);
        CHECK_MSG(s.finite == on_cpu.finite && s.noise == on_cpu.noise, "%s: %zu finite, %zu noise", name, s.finite,
                  s.noise);
    }
    gpu_cloud_free(gpu, &c);
    free(labels);
}

static void compare_in(gpu_place place, const float *xyz, size_t count, size_t stride, float d, clump_ec_method method,
                       const char *name)
{
    clump_ec_options o = clump_ec_defaults();
    o.method = method;
    compare_with(place, xyz, count, stride, d, &o, name);
}

/* By default ordinary memory, and device memory for every second cloud. */
static void compare(const float *xyz, size_t count, size_t stride, float d, clump_ec_method method, const char *name)
{
    static long turn;
    compare_in(turn++ % 2 ? GPU_DEVICE : GPU_PAGEABLE, xyz, count, stride, d, method, name);
}

static void compare_cloud(bench_cloud *cloud, float d, const char *name)
{
    compare(cloud->xyz, cloud->count, 12, d, CLUMP_EC_FAST, name);
    bench_cloud_free(cloud);
}

/* ----- synthetic ----------------------------------------------------------------------------------- */

static void all_layouts(void)
{
    static const size_t sizes[] = {4096, 16384, 50000, 262144, 1048576};
    static const double degrees[] = {1, 2, 32, 256, 2048};
    for (size_t s = 0; s < 5; s++) {
        for (int layout = CLUMP_LAYOUT_JOINTS; layout <= CLUMP_LAYOUT_SLABS; layout++) {
            for (size_t k = 0; k < 5; k++) {
                if (sizes[s] > 500000 && k % 2) continue; /* long enough without */
                clump_factors f = clump_factors_defaults();
                f.layout = (clump_layout)layout, f.points = sizes[s], f.degree = degrees[k];
                f.clusters = layout == CLUMP_LAYOUT_SLABS ? 2 : sizes[s] % 128 ? 80 : 128;
                while (f.clusters > 2 && f.degree * (double)f.clusters > (double)f.points) f.clusters /= 2;
                f.distance = f.clusters % 4 ? 1 : 4;
                bench_cloud cloud;
                clump_message why;
                char name[64];
                snprintf(name, sizeof name, "%s k=%g", clump_layout_name(f.layout), f.degree);
                if (bench_cloud_factors(&f, &cloud, &why))
                    compare_cloud(&cloud, 1, name);
                else
                    CHECK_FAIL("%s: %s", name, why.text);
            }
        }
    }
}

/* The largest clouds of the paper, all six methods with the options that they have. With points of a cluster 1024 places
 * apart INITIAL_EC merges none, and the matrix has a bit for each pair of points. */
static void sizes_of_the_paper(void)
{
    static const int sizes[] = {1024, 64};
    static const struct {
        size_t clusters, distance;
    } factors[] = {{128, 4}, {1024, 1024}};
    for (size_t k = 0; k < 2; k++) {
        clump_factors f = clump_factors_defaults();
        f.layout = CLUMP_LAYOUT_JOINTS, f.points = 262144, f.degree = 32;
        f.clusters = factors[k].clusters, f.distance = factors[k].distance;
        bench_cloud cloud;
        clump_message why;
        if (!bench_cloud_factors(&f, &cloud, &why)) {
            CHECK_FAIL("joints: %s", why.text);
            return;
        }
        for (int method = CLUMP_EC_VERTEX_ES; method <= CLUMP_EC_MATRIX_RS; method++) {
            for (int form = 0; form < 2; form++) {
                clump_ec_options o = clump_ec_defaults();
                o.method = (clump_ec_method)method;
                if (method < CLUMP_EC_MATRIX_ES) PAPERS(o)->in_place = form == 1;
                if (method >= CLUMP_EC_MATRIX_ES) PAPERS(o)->matrix_block = sizes[form];
                compare_with(GPU_PAGEABLE, cloud.xyz, cloud.count, 12, 1, &o, "joints of the paper");
            }
        }
        bench_cloud_free(&cloud);
        clump_context_trim(gpu);
    }
}

/* ----- dense sets ---------------------------------------------------------------------------------- */

static bench_cloud blank(size_t count)
{
    bench_cloud cloud = {.xyz = calloc(3 * count, sizeof(float)), .count = count};
    if (!cloud.xyz) abort();
    return cloud;
}

static void dense_sets(void)
{
    enum { COUNT = 200000 };
    uint64_t random = 111;
    bench_cloud cloud = blank(COUNT);
    compare_cloud(&cloud, 1, "one place");

    cloud = blank(COUNT);
    for (size_t i = 0; i < 3 * COUNT; i++) cloud.xyz[i] = 7 + 0.2f * check_random_float(&random);
    compare_cloud(&cloud, 1, "one cell");

    /* Two cubes: their faces are a little less or more than 1 apart, or exactly that, along each axis. */
    static const float gaps[] = {0.999f, 1, 1.00001f, 1.01f};
    for (size_t g = 0; g < 12; g++) {
        cloud = blank(COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t k = 0; k < 3; k++) cloud.xyz[3 * i + k] = 0.3f * check_random_float(&random);
            if (i % 2) cloud.xyz[3 * i + g % 3] += 0.3f + gaps[g / 3];
        }
        compare_cloud(&cloud, 1, "two cells that nearly touch");
    }

    /* Heaps in a row, each of one place, just in reach of the next or just out of it. */
    for (int out = 0; out < 2; out++) {
        cloud = blank(COUNT);
        for (size_t i = 0; i < COUNT; i++) cloud.xyz[3 * i] = (out ? 1.0f : 0.99f) * (float)(i * 7919 % 500);
        compare_cloud(&cloud, 1, "heaps in a row");
    }

    for (int cap = 0; cap < 2; cap++) {
        clump_message why;
        CHECK(bench_cloud_shells(400000, 20000, cap ? 10 : 0, &cloud, &why));
        compare_cloud(&cloud, 1, cap ? "caps" : "shells");
    }
    clump_factors f = clump_factors_defaults();
    clump_message why;
    f.layout = CLUMP_LAYOUT_SLABS, f.points = 400000, f.clusters = 2, f.degree = 20000, f.distance = 1;
    CHECK(bench_cloud_factors(&f, &cloud, &why));
    compare_cloud(&cloud, 1, "slabs k=20000");
}

typedef enum dense_shape { PLATES, SLABS, WEDGE, STICKS, CROSSED, SHELLS, BALL, DENSE_SHAPES } dense_shape;

/* Makes a point of one of two dense sets that face each other along n, with `gap` between them at the nearest; u and v are
 * square to n. */
static void fill_askew(float *out, dense_shape shape, double frame[3][3], bool second, double gap, double from,
                       uint64_t *random)
{
    const double *const n = frame[0], *const u = frame[1], *const v = frame[2];
    double a = 0.8 * (double)check_random_float(random) - 0.4, b = 0.8 * (double)check_random_float(random) - 0.4;
    double up = second ? gap : 0, r = 0;
    if (shape == SLABS) up += (second ? 0.05 : -0.05) * (double)check_random_float(random);
    if (shape == WEDGE && second) up += 0.02 * (b + 0.4);
    if (shape == STICKS) b = 0;
    if (shape == CROSSED) *(second ? &a : &b) = 0;
    if (shape == SHELLS) r = 0.5 + up; /* around a place 0.5 below */
    if (shape == BALL) r = second ? gap + 0.02 : 0.02 * (double)check_random_float(random);
    const double length = sqrt(1 + 4 * (a * a + b * b));
    for (int k = 0; k < 3; k++) {
        const double flat = up * n[k] + a * u[k] + b * v[k], round = r * (n[k] + 2 * (a * u[k] + b * v[k])) / length;
        out[k] = (float)(from + (shape == SHELLS || shape == BALL ? round : flat));
    }
}

/* No test of two points succeeds there, or hardly one, and pairs of points are 10^10: a method that tests them all
 * is noticed by its time. */
static void dense_sets_askew(void)
{
    enum { COUNT = 200000 };
    static const char *const names[DENSE_SHAPES] = {"plates",         "slabs",  "a wedge",         "sticks",
                                                    "crossed sticks", "shells", "a ball and a cap"};
    static const double normals[][3] = {{1, 1, 1}, {0.3, 0.5, 0.81}, {-1, 0, 1}, {0.05, -0.1, 1}};
    static const double gaps[] = {1.0005, 1.00001, 0.99999, 1.01};
    uint64_t random = 113;
    for (int round = 0; round < 4 * DENSE_SHAPES; round++) {
        const dense_shape shape = (dense_shape)(round % DENSE_SHAPES);
        const double *const along = normals[(round + round / DENSE_SHAPES) % 4], gap = gaps[round / DENSE_SHAPES];
        const double l = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
        const double n[3] = {along[0] / l, along[1] / l, along[2] / l}, across = sqrt(n[0] * n[0] + n[2] * n[2]);
        double frame[3][3] = {{n[0], n[1], n[2]}, {n[2] / across, 0, -n[0] / across}, {0, across, 0}};
        frame[2][0] = -n[0] * n[1] / across, frame[2][2] = -n[1] * n[2] / across;
        bench_cloud cloud = blank(COUNT);
        for (size_t i = 0; i < COUNT; i++)
            fill_askew(cloud.xyz + 3 * i, shape, frame, i % 2, gap, round % 5 == 4 ? 1000 : 0.1 * round, &random);
        char name[64];
        snprintf(name, sizeof name, "%s askew, gap %g", names[shape], gap);
        compare_cloud(&cloud, 1, name);
    }
    clump_message why;
    bench_cloud cloud;
    CHECK(bench_cloud_plates(2000000, 1e6, &cloud, &why));
    compare_cloud(&cloud, 1, "plates of a million askew");
}

/* As many cells as points; far away; a line that only joins at the very end. */
static void thin_clouds(void)
{
    enum { COUNT = 1000000 };
    uint64_t random = 112;
    bench_cloud cloud = blank(COUNT);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0, at = i; k < 3; k++, at /= 100) cloud.xyz[3 * i + k] = 1.5f * (float)(at % 100);
    compare(cloud.xyz, COUNT, 12, 1, CLUMP_EC_FAST, "loners");
    compare_cloud(&cloud, 1.6f, "one cluster of loners");

    cloud = blank(COUNT);
    for (size_t i = 0; i < 3 * COUNT; i++)
        cloud.xyz[i] = (i % 3 == 1 ? -1e6f : 1e6f) + 90 * check_random_float(&random);
    compare_cloud(&cloud, 0.75f, "far away");

    cloud = blank(COUNT);
    for (size_t i = 0; i < COUNT; i++) cloud.xyz[3 * i] = 0.5f * (float)(i * 7919 % COUNT);
    compare_cloud(&cloud, 0.51f, "one line");

    cloud = blank(COUNT);
    for (size_t i = 0; i < 3 * COUNT; i++) cloud.xyz[i] = 1e18f * (check_random_float(&random) - 0.5f);
    compare_cloud(&cloud, 1e16f, "huge");

    cloud = blank(COUNT);
    for (size_t i = 0; i < 3 * COUNT; i++) cloud.xyz[i] = 100 * check_random_float(&random);
    for (size_t i = 0; i < COUNT; i += 3) cloud.xyz[3 * i + i % 3] = i % 2 ? NAN : INFINITY;
    compare_cloud(&cloud, 1, "a third not finite");
}

/* Ordinary memory with several threads, which pack such clouds and copy their labels, of large ones in pieces: whole ones and
 * a rest, just enough points for it and one less. */
static void several_threads(void)
{
    static const struct {
        size_t count, stride;
    } clouds[] = {{600001, 12}, {524288, 16}, {524287, 12}, {1000003, 20}, {524289, 32},
                  {4097, 16},   {32767, 12},  {32768, 20},  {124668, 16},  {70001, 44}};
    uint64_t random = 113;
    clump_context *const one = gpu;
    gpu = gpu_context_of(CLUMP_BACKEND_CUDA, 4);
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) {
        const size_t n = clouds[k].count, step = clouds[k].stride / sizeof(float);
        float *const xyz = malloc(n * clouds[k].stride);
        if (!xyz) abort();
        for (size_t i = 0; i < n * step; i++) xyz[i] = 130 * check_random_float(&random); /* one in reach, on average */
        compare_in(GPU_PAGEABLE, xyz, n, clouds[k].stride, 1, CLUMP_EC_FAST, "four threads");
        if (k == 0) compare_in(GPU_PAGEABLE, xyz, n, clouds[k].stride, 1, CLUMP_EC_EDGE_RS, "four threads");
        free(xyz);
    }
    clump_context_destroy(gpu);
    gpu = one;
}

/* ----- scans --------------------------------------------------------------------------------------- */

static void compare_scan(clump_points p, const char *name)
{
    static const float distances[] = {0.5f, 0.05f};
    static int whole;
    for (size_t k = 0; k < 2; k++) compare(p.xyz, p.count, p.stride, distances[k], CLUMP_EC_FAST, name);
    if (!strstr(name, "kitti") || whole++ >= 2) return;
    static const clump_ec_method rs[] = {CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_RS, CLUMP_EC_MATRIX_RS};
    for (size_t k = 0; k < 3; k++) compare(p.xyz, p.count, p.stride, 0.5f, rs[k], name);
}

static void real_scans(void)
{
    SCANS_TEST(compare_scan);
}

CHECK_PROGRAM(test_cuda_large)
{
    if (gpu_skip("test_cuda_large")) return;
    cpu = gpu_context_of(CLUMP_BACKEND_CPU, 0); /* with all threads */
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(all_layouts);
    RUN(sizes_of_the_paper);
    RUN(dense_sets);
    RUN(dense_sets_askew);
    RUN(thin_clouds);
    RUN(several_threads);
    RUN(real_scans);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
}
