/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_ranged.c: eps_per_metre by the CUDA backend: labels, core flags and counts of the CPU, bit for bit, from
 * every kind of memory. The CPU's are those of the oracle (test_ranged.c). Skipped where there is no GPU. With
 * CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "hostile/hostile_known.h"
#include "support/on_gpu.h"
#include "oracle/oracle.h"
#include "support/scans.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 200000 };

static clump_context *cpu, *gpu;
static float xyz[3 * MOST];
static uint8_t mask[MOST], core[MOST], found_core[MOST];
static int32_t labels[MOST], found[MOST];

/* Both jobs on one cloud, in one kind of memory. */
static void compare(clump_points points, float d, size_t min_points, const clump_ec_options *given, gpu_place place,
                    const char *name, long round)
{
    gpu_cloud c = gpu_cloud_make(gpu, place, points, given->common.mask);
    for (int job = 0; job < 2; job++) {
        clump_ec_options o = *given;
        clump_dbscan_options b = clump_dbscan_defaults();
        b.common.two_d = o.common.two_d, b.common.order = o.common.order, b.common.mask = o.common.mask,
        b.common.min_size = o.common.min_size, b.common.max_size = o.common.max_size;
        b.common.eps_per_metre = o.common.eps_per_metre, b.core = core, b.no_border_points = round % 9 == 4;
        memcpy(b.common.sensor, o.common.sensor, sizeof b.common.sensor);
        int32_t wanted = -1, clusters = -7, there = -7;
        const clump_status on_cpu = job ? clump_dbscan(cpu, points, d, min_points, &b, labels, &wanted)
                                        : clump_ec(cpu, points, d, &o, labels, &wanted);
        CHECK_INT(on_cpu, CLUMP_OK);
        const clump_stats w = clump_context_stats(cpu);
        o.common.mask = b.common.mask = c.mask, b.core = round % 4 ? c.core : NULL;
        o.common.clusters_on_device = b.common.clusters_on_device = c.clusters;
        gpu_cloud_clear(gpu, &c);
        const clump_status status = job ? clump_dbscan(gpu, c.points, d, min_points, &b, c.labels, &clusters)
                                        : clump_ec(gpu, c.points, d, &o, c.labels, &clusters);
        const char *const what = job ? "dbscan" : "ec";
        CHECK_MSG(status == CLUMP_OK, "%s, %s, round %ld: %s", what, name, round, clump_context_error(gpu));
        if (status != CLUMP_OK) break;
        const clump_stats s = clump_context_stats(gpu);
        CHECK(gpu_cloud_fetch(gpu, &c, found, &there) && s.backend == CLUMP_BACKEND_CUDA);
        size_t at = 0;
        while (at < points.count && found[at] == labels[at]) at++;
        CHECK_MSG(at == points.count && clusters == wanted && there == wanted,
                  "%s, %s, round %ld, %s: %zu points, d %.9g, %.9g a metre: %d clusters, not %d; point %zu", what, name,
                  round, gpu_place_name(place), points.count, (double)d, (double)o.common.eps_per_metre, clusters,
                  wanted, at);
        CHECK_MSG(s.finite == w.finite && s.masked == w.masked && s.noise == w.noise && s.clusters == w.clusters,
                  "%s, %s, round %ld: %zu finite, %zu masked, %zu noise, not %zu, %zu, %zu", what, name, round,
                  s.finite, s.masked, s.noise, w.finite, w.masked, w.noise);
        if (!job || !b.core) continue;
        CHECK(gpu_cloud_fetch_core(gpu, &c, found_core));
        CHECK_MSG(memcmp(core, found_core, points.count) == 0, "%s, round %ld: core flags", name, round);
    }
    gpu_cloud_free(gpu, &c);
}

static void random_clouds(void)
{
    uint64_t random = 1;
    const int usual = gpu_small() == 2 ? 6 : gpu_small() ? 30 : 300;
    for (long round = 0; round < (gpu_small() ? usual : cloud_rounds(usual)); round++) {
        const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
        const float share = check_random_float(&random);
        const size_t count = round < 4 ? (size_t)round : (size_t)(share * share * (gpu_small() ? 300 : 3000));
        float d = cloud_fill(shape, xyz, count, &random);
        if (check_random(&random) % 2) d *= 0.5f * check_random_float(&random);
        if (!(d * d >= 0x1p-126f && d * d < INFINITY)) d = 1;
        clump_ec_options o = clump_ec_defaults();
        cloud_options(&o, mask, count, &random);
        const float *const p = xyz + 3 * (count ? check_random(&random) % count : 0);
        const float away = check_random(&random) % 2 ? 0 : 100 * d;
        for (int k = 0; k < 3 && count > 0; k++)
            if (isfinite(p[k]) && isfinite(p[k] + away)) o.common.sensor[k] = p[k] + away;
        static const float some[] = {1e-3f, 0.01f, 0.1f, 0.5f, 0.95f, 2, 1e3f};
        o.common.eps_per_metre = some[check_random(&random) % 7];
        if (check_random(&random) % 6 == 0) cloud_spoil(xyz, count, 20, &random);
        compare((clump_points){.xyz = xyz, .count = count}, d, 1 + check_random(&random) % 9, &o,
                (gpu_place)(round % GPU_PLACES), cloud_name(shape), round);
    }
}

/* Density that falls with the range over many octaves, and dense sets far from the sensor. */
static void large_clouds(void)
{
    if (gpu_small()) SKIP("too large for compute-sanitizer");
    uint64_t random = 2;
    static const float growth[] = {0.02f, 0.3f, 0.91f, 3};
    for (long round = 0; round < 8; round++) {
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = growth[round / 2];
        float at[3] = {1, 0, 0};
        for (size_t i = 0; i < MOST; i++) {
            if (i % 50 == 0) {
                const float range = exp2f(9 * check_random_float(&random));
                for (int k = 0; k < 3; k++) at[k] = range * (check_random_float(&random) - 0.5f);
            }
            const float range = hypotf(hypotf(at[0], at[1]), at[2]);
            const float step = (round % 2 ? 1.2f : 0.02f) * fmaxf(0.1f, o.common.eps_per_metre * range);
            for (int k = 0; k < 3; k++) {
                at[k] += step * (check_random_float(&random) - 0.5f);
                xyz[3 * i + (size_t)k] = at[k];
            }
        }
        compare((clump_points){.xyz = xyz, .count = MOST}, 0.1f, 6, &o, (gpu_place)(round % GPU_PLACES), "walks",
                round);
    }
}

static void real_scan(void)
{
    if (gpu_small()) SKIP("too large for compute-sanitizer");
    clump_cloud *const cloud = scan_load("kitti/semkitti_00_000000.bin");
    if (!cloud) SKIP("no real scans here");
    static const float growth[] = {0.005f, 0.01f, 0.05f, 1};
    for (long round = 0; round < 4; round++) {
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = growth[round];
        compare(clump_cloud_points(cloud), 0.5f, 10, &o, (gpu_place)(round % GPU_PLACES), "scan", round);
    }
    clump_cloud_destroy(cloud);
}

/* Calls that once did not end in useful time. */
static void one_known(const hostile_known *k)
{
    for (int place = 0; place < GPU_PLACES; place++)
        compare(k->points, k->d, k->min_points, &k->ec, (gpu_place)place, k->file, 0);
}

static void known_cases(void)
{
    if (gpu_small()) SKIP("CLUMP_TEST_SMALL is set");
    const int done = hostile_known_cases(check_data_folder(), NULL, one_known);
    if (done == -1) SKIP("no hostile/hang-parameters.txt in the folder CLUMP_DATA");
    CHECK_MSG(done > 0, "a known case cannot be read (%d)", done);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    if (gpu_skip("test_cuda_ranged")) return 77;
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(random_clouds);
    RUN(known_cases);
    RUN(large_clouds);
    RUN(real_scan);
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
    CHECK(gpu_reset());
    return CHECK_END();
}
