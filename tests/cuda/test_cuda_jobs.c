/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_jobs.c: every job (jobs/jobs.h) by every method that CUDA has, on a GPU: outputs, counts and figures of the CPU, bit for
 * bit, from every kind of memory, on clouds of all shapes and sizes and on hostile ones. No input is written, and nothing behind an
 * output. What CUDA does not have is refused. The CPU's answers are those of the oracles (test_hostile.c). Memory of warm calls:
 * test_cuda_memory.c; calls that fail or are cancelled: test_cuda_failures.c.
 *
 * A kernel that hangs cannot be stopped: the program prints the case and ends. Skipped where there is no GPU. With
 * CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 *
 *     test_cuda_jobs               2,000 hostile clouds; a few with CLUMP_TEST_SMALL
 *     test_cuda_jobs SEED          the cloud of this seed alone: what a failure names
 *     test_cuda_jobs SEED COUNT    the clouds of COUNT seeds, beginning with this one
 *     test_cuda_jobs WORD          the tests whose names contain the word
 */
#include "support/check.h"

#include "hostile/hostile_arguments.h"
#include "hostile/hostile_known.h"
#include "cuda/jobs_on_gpu.h"
#include "support/calls.h"
#include "support/scans.h"

#include <clump/tree.h>

#include <math.h>

enum { CLOUDS = 2000, SOME = 3000, LARGE = 200000 };

static hostile_arguments command_line;

/* All jobs and methods on a cloud: in all manners, or in one in turn. Returns the number of runs. */
static long compare_all(const hostile_case *c, int turn, bool all, long round)
{
    long runs = 0;
    FOR_CUDA_JOBS(j, method)
    {
        if (j->host && !all) continue;
        const long number = j - jobs + method + round;
        if (gpu_small() == 2 && number % 5 != 0) continue;
        const answer a = ask_cpu(j, method, c, turn);
        for (int manner = 0; manner < manners_of(j) && check_failures <= 20; manner++)
            if (all || manner == number % manners_of(j)) compare(j, method, c, turn, manner, &a), runs++;
    }
    return runs;
}

/* ----- labels, boxes, neighbours: all that a job makes ------------------------------------------------------------- */

static void streets_in_all_memory(void)
{
    long runs = 0;
    hostile_case street = street_of(SOME);
    for (int turn = JOB_PLAIN; turn < (gpu_small() ? 0 : 3); turn++) runs += compare_all(&street, turn, true, 0);
    hostile_case_free(&street);
    printf("%ld runs of %d jobs\n", runs, job_count);
}

/* Strides of all kinds, NaN between the points, and every tenth point masked. */
static hostile_case street_with_stride(size_t count, size_t stride)
{
    hostile_case c = street_of(count);
    const size_t n = c.points.count;
    free(c.memory);
    c.memory = malloc(n * stride), c.mask = malloc(n);
    if (!c.memory || !c.mask) abort();
    c.points = gpu_spread(c.memory, c.packed, n, stride);
    for (size_t i = 0; i < n; i++) c.mask[i] = i % 10 ? (uint8_t)(1 + i % 255) : 0;
    return c;
}

static void any_stride_and_mask(void)
{
    static const size_t strides[] = {12, 16, 20, 24, 28, 32, 48};
    for (size_t k = 0; k < (gpu_small() ? 2 : sizeof strides / sizeof *strides); k++) {
        hostile_case c = street_with_stride(2000, strides[k]);
        compare_all(&c, JOB_PLAIN, k == 1 && !gpu_small(), (long)k);
        for (size_t i = 0; i < c.points.count; i++) c.mask[i] = 0;
        if (k == 0) compare_all(&c, JOB_PLAIN, false, 1);
        hostile_case_free(&c);
    }
}

static void clouds_of_all_shapes(void)
{
    uint64_t random = 61;
    for (int round = 0; round < check_rounds(CLOUD_SHAPES) && check_failures <= 20; round++)
        for (int turn = JOB_PLAIN; turn < 2; turn++) {
            const int shape = round % CLOUD_SHAPES;
            if (gpu_small() && (shape % 5 || turn != shape / 5 % 3 - 1)) continue;
            hostile_case c =
                of_shape((cloud_shape)shape, gpu_small() ? 200 : 400 + check_random(&random) % 1600, &random);
            compare_all(&c, turn, false, 3 * round + turn);
            hostile_case_free(&c);
        }
}

/* Nothing, one point, sizes around those of warps and thread blocks and around powers of two, and a graph's. */
static void clouds_of_all_sizes(void)
{
    static const cloud_shape shapes[] = {CLOUD_SCAN, CLOUD_CLUMPED, CLOUD_UNIFORM};
    static const size_t sizes[] = {0,    1,    2,    31,   32,   33,   63,   64,   65,    127,
                                   128,  129,  255,  256,  257,  511,  512,  513,  833,   1023,
                                   1024, 1025, 2048, 2049, 4095, 4096, 4097, 8192, 16383, 20000};
    uint64_t random = 62;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && check_failures <= 20; k++) {
        if (gpu_small() && sizes[k] != 0 && sizes[k] != 33) continue;
        hostile_case c = of_shape(shapes[k % 3], sizes[k], &random);
        compare_all(&c, JOB_PLAIN, sizes[k] < 64, (long)k);
        compare_all(&c, (int)(k % 2), false, (long)k + 1);
        if (sizes[k] <= 257) {
            for (size_t i = 0; i < sizes[k]; i++) ((float *)c.memory)[3 * i + i % 3] = NAN;
            compare_all(&c, JOB_PLAIN, false, (long)k + 2);
        }
        hostile_case_free(&c);
        if (k % 5 == 4) clump_context_trim(gpu);
    }
}

static void a_scan(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    clump_cloud *const scan = scan_load("kitti/semkitti_00_000000.bin");
    if (!scan) SKIP("no scans in %s: " DO_DATA, scans_folder());
    hostile_case c = {.seed = 5, .d = 0.5f, .points = clump_cloud_points(scan), .packed = clump_cloud_xyz(scan)};
    for (long round = 0; round < 2; round++) compare_all(&c, JOB_PLAIN, false, round);
    clump_cloud_destroy(scan);
}

/* ----- large clouds, and options of one job ------------------------------------------------------------------------ */

static void set_samples(const char *table, void *options, void *user)
{
    if (strcmp(table, "tree") == 0) ((clump_tree_options *)options)->min_samples = *(const int *)user;
}

/* Clouds whose spanning trees are far from random: long paths, many equal weights, a few points beside many. */
typedef enum tree_shape { LATTICE, LINE, GROWING, FALLING, COPIES, BALL, HEAPS, TREE_SHAPES } tree_shape;

static void tree_point(tree_shape shape, size_t i, size_t count, uint64_t *random, float *p)
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

static void large_trees(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    static int samples[] = {1, 10, 40};
    change = set_samples;
    for (long round = 0; round < 2 * TREE_SHAPES && check_failures < 10; round++) {
        uint64_t random = (uint64_t)round;
        hostile_case c = job_street(round < TREE_SHAPES ? 50000 : LARGE);
        for (size_t i = 0; i < c.points.count; i++)
            tree_point((tree_shape)(round % TREE_SHAPES), i, c.points.count, &random, (float *)c.memory + 3 * i);
        change_user = &samples[round % 3];
        compare_job("clump_tree", "and cut", &c, JOB_PLAIN, round);
        hostile_case_free(&c);
    }
    change = NULL;
}

/* Options of a case with a radius that grows. */
typedef struct growing_options {
    clump_clustering common;
    size_t min_points; /* 0: those of the turn, as no_border */
    bool no_border;
} growing_options;

static void set_growth(const char *table, void *options, void *user)
{
    const growing_options *const g = user;
    if (strcmp(table, "clustering") == 0) {
        clump_clustering *const o = options;
        const uint8_t *const mask = o->mask;
        *o = g->common, o->mask = mask;
    }
    if (strcmp(table, "dbscan") == 0 && g->min_points)
        ((clump_dbscan_options *)options)->no_border_points = g->no_border;
    if (strcmp(table, "min_points") == 0 && g->min_points) *(size_t *)options = g->min_points;
}

static void compare_growing(const hostile_case *c, growing_options g, long round)
{
    static growing_options given;
    given = g;
    change = set_growth, change_user = &given;
    for (int turn = 0; turn < 2; turn++) {
        compare_job("clump_ec", "growing", c, turn, round + turn);
        compare_job("clump_dbscan", "growing", c, turn, round + turn);
    }
    change = NULL;
}

/* Density that falls with the range over many octaves, and dense sets far from the sensor. */
static void large_clouds_with_growing_radii(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    uint64_t random = 2;
    static const float growth[] = {0.02f, 0.3f, 0.91f, 3};
    for (long round = 0; round < 8; round++) {
        hostile_case c = job_street(LARGE);
        clump_ec_options o = clump_ec_defaults();
        float at[3] = {1, 0, 0}, *const xyz = c.memory;
        o.common.eps_per_metre = growth[round / 2];
        c.d = 0.1f, c.seed = (uint64_t)round; /* min_points */
        for (size_t i = 0; i < LARGE; i++) {
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
        compare_growing(&c, (growing_options){o.common, 0, false}, round);
        hostile_case_free(&c);
    }
}

/* Calls with eps_per_metre that once did not end in useful time. */
static void one_known(const hostile_known *k)
{
    hostile_case c = {.d = k->d, .points = k->points, .packed = (float *)(uintptr_t)k->points.xyz};
    for (c.seed = 0; c.seed < 3; c.seed++)
        compare_growing(&c, (growing_options){k->ec.common, k->min_points, k->dbscan.no_border_points}, (long)c.seed);
}

static void known_cases(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    const int done = hostile_known_cases(check_data_folder(), command_line.only_file, one_known);
    if (done == -1) SKIP(DO_DATA);
    CHECK_MSG(done > 0, "a known case cannot be read (%d)", done);
}

/* Growth, samples and two dimensions on a scan. */
static void a_scan_with_other_options(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    clump_cloud *const scan = scan_load("kitti/semkitti_00_000000.bin");
    if (!scan) SKIP("no scans in %s: " DO_DATA, scans_folder());
    static const float growth[] = {0.005f, 0.01f, 0.05f, 1};
    static int samples[] = {10, 1, 5, 50};
    hostile_case c = {.d = 0.5f, .points = clump_cloud_points(scan), .packed = clump_cloud_xyz(scan)};
    for (long round = 0; round < 4; round++) {
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = growth[round];
        c.seed = 7 * (uint64_t)round; /* the second has two dimensions */
        compare_growing(&c, (growing_options){o.common, 0, false}, round);
        change = set_samples, change_user = &samples[round];
        compare_job("clump_tree", "and cut", &c, (int)(round % 2) - 1, round);
        change = NULL;
    }
    clump_cloud_destroy(scan);
}

static void cases_of_seeds(void)
{
    const uint64_t usual = gpu_small() == 2 ? 2 : gpu_small() ? 12 : CLOUDS;
    const uint64_t cases = command_line.seeds ? command_line.seeds : usual;
    long runs = 0;
    for (uint64_t k = 0; k < cases && check_failures <= 20; k++) {
        const uint64_t seed = command_line.first_seed + k;
        hostile_case c = hostile_case_make(seed, gpu_small() ? HOSTILE_SMALL / 2 : HOSTILE_MOST);
        if (gpu_small()) runs += compare_all(&c, (int)(seed % 4), false, (long)(seed / 4));
        for (int grows = 0; grows < 2 && !gpu_small(); grows++) /* without, where all methods take part, and with */
            runs += compare_all(&c, grows * (1 + (int)(seed % 3)), command_line.seeds > 0, (long)seed + grows);
        hostile_case_free(&c);
        if (seed % 64 == 0) clump_context_trim(gpu);
        if (seed % 200 == 0) {
            clump_context_destroy(gpu);
            gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        }
    }
    printf("%ld runs on hostile clouds\n", runs);
}

/* A cloud that is zeroed, without labels. */
static void no_cloud_at_all(void)
{
    const clump_points none = {0};
    int32_t n[3] = {-1, -1, -1};
    CHECK_INT(clump_ec(gpu, none, 1, NULL, NULL, &n[0]), CLUMP_OK);
    CHECK_INT(clump_dbscan(gpu, none, 1, 5, NULL, NULL, &n[1]), CLUMP_OK);
    CHECK_INT(clump_erccl(gpu, none, NULL, NULL, &n[2]), CLUMP_OK);
    CHECK(n[0] == 0 && n[1] == 0 && n[2] == 0);
}

/* ----- what CUDA does not have ------------------------------------------------------------------------------------- */

static void the_rest_is_refused(void)
{
    hostile_case street = street_of(SOME);
    clump_context *const any = gpu_context(CLUMP_BACKEND_AUTO, NULL);
    int methods = 0, places = 0;
    FOR_JOBS(j, method)
    {
        if (!j->methods || clump_method_at(j->methods, method)->on_cuda) continue;
        job_run r = run_of(j, method, &street, JOB_PLAIN, GPU_PAGEABLE);
        expect_failure(gpu, job_do(j, gpu, &r), CLUMP_ERR_UNSUPPORTED, " does not run on cuda, but on the CPU it does");
        CHECK_MSG(!r.spoiled, "%s: %s was written", text_of(j, &r), r.spoiled);
        const answer a = ask_cpu(j, method, &street, JOB_PLAIN); /* left to choose, a context takes the CPU */
        CHECK_MSG(job_do(j, any, &r) == CLUMP_OK && r.hash == a.hash, "%s: %s", text_of(j, &r),
                  clump_context_error(any));
        CHECK_INT(clump_context_stats(any).backend, CLUMP_BACKEND_CPU);
        methods++;
    }
    FOR_CUDA_JOBS(j, method)
    {
        if (j->methods && !clump_method_at(j->methods, method)->on_cpu) {
            job_run r = run_of(j, method, &street, JOB_PLAIN, GPU_PAGEABLE);
            expect_failure(cpu, job_do(j, cpu, &r), CLUMP_ERR_UNSUPPORTED,
                           " does not run on the CPU, but on a CUDA device");
            methods++;
        }
        if (j->device != JOB_REFUSES) continue;
        job_run r = {.c = &street, .method = method, .turn = JOB_PLAIN, .place = GPU_DEVICE, .home = home};
        const clump_status status = job_do(j, gpu, &r);
        expect_failure(gpu, status, status, "host memory");
        CHECK_MSG(status == CLUMP_ERR_MEMORY_KIND || status == CLUMP_ERR_UNSUPPORTED || status == CLUMP_ERR_ARGUMENT,
                  "%s: status %d", text_of(j, &r), (int)status);
        CHECK_MSG(!r.spoiled, "%s: %s was written", text_of(j, &r), r.spoiled);
        places++;
    }
    CHECK_MSG(methods > 5 && places > 8, "%d methods and %d jobs refused", methods, places);
    hostile_case_free(&street);
    clump_context_destroy(any);
}

CHECK_PROGRAM(test_cuda_jobs)
{
    command_line = hostile_read_arguments(argc, argv);
    if (gpu_skip("test_cuda_jobs")) return;
    jobs_open();
    RUN(streets_in_all_memory);
    RUN(any_stride_and_mask);
    RUN(clouds_of_all_shapes);
    RUN(clouds_of_all_sizes);
    RUN(a_scan);
    RUN(large_trees);
    RUN(large_clouds_with_growing_radii);
    RUN(known_cases);
    RUN(a_scan_with_other_options);
    RUN(cases_of_seeds);
    RUN(no_cloud_at_all);
    RUN(the_rest_is_refused);
    jobs_close();
    CHECK(gpu_reset());
}
