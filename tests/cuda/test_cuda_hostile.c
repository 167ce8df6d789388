/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_hostile.c: the cases of test_hostile.c on the CUDA backend: every method it has, from every kind of memory.
 * Labels, counts, core flags and neighbours are those of the oracles, and no call takes longer than its limit. A kernel
 * that hangs cannot be stopped: the program prints the case and ends. Skipped where there is no GPU.
 *
 *     test_cuda_hostile               2,000 clouds; a few dozen with CLUMP_TEST_SMALL=1, a handful with 2
 *     test_cuda_hostile SEED          the case of this seed alone: what a failure names
 *     test_cuda_hostile SEED COUNT    the cases of COUNT seeds, beginning with this one
 *     test_cuda_hostile hang-100734   one of the known cases; WORD: the tests whose names contain the word
 */
#include "support/check.h"

#include "hostile/hostile_arguments.h"
#include "hostile/hostile_case.h"
#include "hostile/hostile_known.h"
#include "cuda/nn_on_gpu.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "oracle/oracle_erccl.h"
#include "support/time_limit.h"
#include "support/papers.h"

#include <clump/info.h>
#include <clump/index.h>

#include <stdarg.h>

enum { CLOUDS = 2000, RANGED = 3, QUERIES = 60, SIX_MOST = 1000, PER_QUERY_MOST = 20 };

static clump_context *cpu, *gpu;
static int32_t labels[HOSTILE_MOST + 1], expected[HOSTILE_MOST + 1], marked[HOSTILE_MOST + 1];
static uint8_t core[HOSTILE_MOST + 1], expected_core[HOSTILE_MOST + 1];
static long calls;
static hostile_arguments command_line;

/* The cloud of a case, copied to one kind of memory. */
typedef struct gpu_case {
    const char *about;
    clump_points points; /* on the host */
    float d;
    uint64_t turn; /* varies what the options leave open: core flags, where the count goes */
    gpu_cloud in;
} gpu_case;

/* ----- one call ----------------------------------------------------------------------------------- */

static char call_text[1000];

/* Names the call for messages and starts its time limit. */
static void call_begin(const gpu_case *g, const char *format, ...)
{
    char call[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call, sizeof call, format, arguments);
    va_end(arguments);
    snprintf(call_text, sizeof call_text, "%s: %s: %s", call, gpu_place_name(g->in.place), g->about);
    const double limit = gpu_small() ? 200 : 10; /* compute-sanitizer is slow; the first call loads the kernels */
    time_limit_begin(limit, limit, call_text);
    calls++;
}

/* Waits for the GPU within the limit, and compares labels and their number with what is expected. */
static void call_end(const gpu_case *g, clump_status status, int32_t wanted, bool two_d, const uint8_t *mask)
{
    const size_t n = g->in.points.count;
    int32_t clusters = -7;
    if (status == CLUMP_OK) status = clump_cuda_wait(gpu);
    if (status != CLUMP_OK) {
        time_limit_end();
        CHECK_FAIL("%s: %s", call_text, clump_context_error(gpu));
        return;
    }
    const clump_stats s = clump_context_stats(gpu);
    const bool whole = gpu_cloud_fetch(gpu, &g->in, labels, &clusters);
    time_limit_end();
    size_t at = 0, finite = 0, masked = 0, noise = 0;
    while (at < n && labels[at] == expected[at]) at++;
    if (at < n) CHECK_FAIL("%s: label %zu is %d, expected %d", call_text, at, labels[at], expected[at]);
    CHECK_MSG(clusters == wanted, "%s: %d clusters, expected %d", call_text, clusters, wanted);
    CHECK_MSG(whole, "%s: written past the end of the labels", call_text);
    CHECK_MSG(s.backend == CLUMP_BACKEND_CUDA, "%s: not on the GPU", call_text);
    const clump_ec_options used = {.common.two_d = two_d};
    for (size_t i = 0; i < n; i++) {
        finite += oracle_takes_part(g->points, &used, i);
        masked += mask && mask[i] == 0;
        noise += expected[i] == CLUMP_NOISE;
    }
    if (s.clusters < 0) return; /* it returned before the counts were known */
    CHECK_MSG(s.points == n && s.finite == finite && s.masked == masked && s.noise == noise && s.clusters == wanted,
              "%s: counts are %zu, %zu finite, %zu masked, %zu noise, %d clusters", call_text, s.points, s.finite,
              s.masked, s.noise, s.clusters);
}

/* ----- ec and dbscan ------------------------------------------------------------------------------ */

static void one_ec(const gpu_case *g, clump_ec_options given)
{
    const bool all_methods = given.common.eps_per_metre == 0 && g->in.points.count <= SIX_MOST;
    const bool host_count = g->turn % 2; /* without it, `fast` on device memory returns at once */
    char text[400];
    hostile_ec_text(text, sizeof text, &given);
    const int32_t wanted = oracle_ec(g->points, g->d, &given, expected);
    const gpu_methods methods = gpu_methods_of(&clump_ec_methods);
    for (int m = 0; m < (all_methods ? methods.count : 1); m++) {
        clump_ec_options o = given;
        int32_t count = -7;
        o.method = (clump_ec_method)methods.values[m];
        o.common.mask = g->in.mask;
        o.common.clusters_on_device = g->in.clusters;
        hostile_six(&o, g->turn + (uint64_t)m);
        gpu_cloud_clear(gpu, &g->in);
        call_begin(g, "ec %s, block %d%s, %s", clump_ec_method_name(o.method), papers_of(&o.common)->matrix_block,
                   papers_of(&o.common)->in_place ? ", in place" : "", text);
        const clump_status status = clump_ec(gpu, g->in.points, g->d, &o, g->in.labels, host_count ? &count : NULL);
        call_end(g, status, wanted, o.common.two_d, given.common.mask);
        CHECK_MSG(!host_count || count == wanted, "%s: count %d, expected %d", call_text, count, wanted);
    }
}

static void one_dbscan(const gpu_case *g, clump_dbscan_options given, size_t min_points)
{
    const clump_ec_options common = oracle_common(&given);
    const bool host_count = g->turn % 2;
    char text[400];
    hostile_ec_text(text, sizeof text, &common);
    const int32_t wanted = oracle_dbscan(g->points, g->d, min_points, &given, expected, expected_core);
    const gpu_methods methods = gpu_methods_of(&clump_dbscan_methods);
    for (int m = 0; m < (given.common.eps_per_metre > 0 ? 1 : methods.count); m++) {
        const bool with_core = (g->turn + (uint64_t)m) % 3 != 0;
        clump_dbscan_options o = given;
        int32_t count = -7;
        o.method = (clump_dbscan_method)methods.values[m];
        hostile_dclust(&o, g->turn);
        o.common.mask = g->in.mask;
        o.core = with_core ? g->in.core : NULL;
        o.common.clusters_on_device = g->in.clusters;
        gpu_cloud_clear(gpu, &g->in);
        call_begin(g, "dbscan %s, %s, min_points %zu%s", clump_dbscan_method_name(o.method), text, min_points,
                   o.no_border_points ? ", no border points" : "");
        const clump_status status =
            clump_dbscan(gpu, g->in.points, g->d, min_points, &o, g->in.labels, host_count ? &count : NULL);
        call_end(g, status, wanted, o.common.two_d, given.common.mask);
        if (status != CLUMP_OK) continue;
        CHECK_MSG(!host_count || count == wanted, "%s: count %d, expected %d", call_text, count, wanted);
        const bool whole = gpu_cloud_fetch_core(gpu, &g->in, core);
        CHECK_MSG(whole, "%s: written past the end of the core flags", call_text);
        CHECK_MSG(!with_core || memcmp(core, expected_core, g->in.points.count) == 0, "%s: core flags", call_text);
    }
}

/* ----- nearest neighbours ------------------------------------------------------------------------- */

static void neighbours(const gpu_case *g, const hostile_case *c)
{
    static float xyz[3 * QUERIES];
    const clump_points queries = {.xyz = xyz, .count = hostile_queries(c, xyz, QUERIES)};
    int k;
    const float radius = hostile_radius(c, &k);
    answers exact = nn_ask_oracle(g->points, queries, radius);
    for (int m = 0; m < nn_methods.count; m++) {
        if ((clump_nn_method)nn_methods.values[m] == CLUMP_NN_PER_QUERY && queries.count > PER_QUERY_MOST) continue;
        clump_index_options o = clump_index_defaults();
        o.method = (clump_nn_method)nn_methods.values[m];
        answers rough = {0};
        if (o.method == CLUMP_NN_AZIMUTH) rough = nn_ask_cpu(cpu, g->points, queries, radius, &o);
        const answers *const a = o.method == CLUMP_NN_AZIMUTH ? &rough : &exact;
        clump_index *index = NULL;
        call_begin(g, "index %s, k %d, distance %a", clump_nn_method_name(o.method), k, (double)radius);
        const clump_status status = clump_index_create(gpu, g->in.points, &o, &index);
        CHECK_MSG(status == CLUMP_OK, "%s: %s", call_text, clump_context_error(gpu));
        if (status == CLUMP_OK) {
            nn_nearest(gpu, index, g->in.place, queries, radius, 1, a, true, call_text);
            nn_nearest(gpu, index, g->in.place, queries, radius, k, a, g->turn % 3 != 0, call_text);
            nn_within(gpu, index, g->in.place, queries, radius, a, g->turn % 3 != 1, call_text);
            calls += 4;
        }
        clump_index_destroy(index);
        time_limit_end();
        nn_forget(&rough);
    }
    nn_forget(&exact);
}

/* ----- ground and obstacles ----------------------------------------------------------------------- */

/* The ground of the CPU, which test_hostile.c compares with its oracle. */
static bool ground(const gpu_case *g, const clump_erccl_options *given)
{
    const size_t n = g->in.points.count;
    clump_ground_options o = given->ground;
    o.mask = given->common.mask;
    if (clump_ground(cpu, g->points, &o, marked, NULL) != CLUMP_OK) {
        CHECK_FAIL("%s: ground: %s", g->about, clump_context_error(cpu));
        return false;
    }
    size_t count = 0, wanted = 0;
    o.mask = g->in.mask;
    gpu_cloud_clear(gpu, &g->in);
    call_begin(g, "ground %s", clump_ground_method_name(o.method));
    const clump_status status = clump_ground(gpu, g->in.points, &o, g->in.labels, &count);
    const bool whole = status == CLUMP_OK && gpu_cloud_fetch(gpu, &g->in, labels, NULL);
    time_limit_end();
    CHECK_MSG(status == CLUMP_OK, "%s: %s", call_text, clump_context_error(gpu));
    if (status != CLUMP_OK) return false;
    for (size_t i = 0; i < n; i++) wanted += marked[i] == CLUMP_GROUND;
    CHECK_MSG(count == wanted && memcmp(labels, marked, n * sizeof *labels) == 0 && whole,
              "%s: %zu points, expected %zu", call_text, count, wanted);
    return true;
}

static void obstacles(const gpu_case *g, const hostile_case *c)
{
    const gpu_methods methods = gpu_methods_of(&clump_erccl_methods);
    const clump_erccl_options given = hostile_erccl(c);
    if (!ground(g, &given)) return;
    for (int m = 0; m < methods.count; m++) {
        clump_erccl_options o = given;
        o.method = (clump_erccl_method)methods.values[m];
        const int32_t wanted = oracle_erccl(g->points, &o, marked, expected, NULL);
        o.common.mask = g->in.mask;
        o.common.clusters_on_device = g->in.clusters;
        gpu_cloud_clear(gpu, &g->in);
        call_begin(g, "erccl %s, cell %a, extent %a, reach %d, alpha %g, tau %g", clump_erccl_method_name(o.method),
                   (double)o.cell, (double)o.extent, o.reach, (double)o.alpha, (double)o.tau);
        const clump_status status = clump_erccl(gpu, g->in.points, &o, g->in.labels, NULL);
        call_end(g, status, wanted, false, given.common.mask);
    }
}

/* ----- all ---------------------------------------------------------------------------------------- */

static void one_case(uint64_t seed)
{
    hostile_case c = hostile_case_make(seed, gpu_small() ? HOSTILE_SMALL / 2 : HOSTILE_MOST);
    char about[300];
    hostile_case_text(about, sizeof about, &c);
    gpu_case g = {.about = about, .points = c.points, .d = c.d};
    g.in = gpu_cloud_make(gpu, (gpu_place)(seed % GPU_PLACES), c.points, c.mask);
    const int turns = gpu_small() == 2 || c.points.count > SIX_MOST ? 1 : RANGED;
    for (int turn = 0; turn <= turns; turn++) {
        size_t min_points;
        const clump_dbscan_options dbscan = hostile_dbscan(&c, turn, &min_points);
        g.turn = seed + (uint64_t)turn;
        one_ec(&g, hostile_ec(&c, turn));
        one_dbscan(&g, dbscan, min_points);
    }
    neighbours(&g, &c);
    obstacles(&g, &c);
    CHECK_MSG(hostile_case_intact(&c), "%s: the points were written to", about);
    gpu_cloud_free(gpu, &g.in);
    hostile_case_free(&c);
    if (seed % 64 == 0) clump_context_trim(gpu);
}

static void cases_of_seeds(void)
{
    const uint64_t usual = gpu_small() == 2 ? 3 : gpu_small() ? HOSTILE_KINDS : CLOUDS;
    const uint64_t cases = command_line.seeds ? command_line.seeds : usual;
    for (uint64_t k = 0; k < cases; k++) {
        one_case(command_line.first_seed + k);
        if (check_failures > 20) break;
    }
    printf("%ld calls\n", calls);
}

/* ----- known cases -------------------------------------------------------------------------------- */

static void one_known(const hostile_known *k)
{
    char about[200];
    snprintf(about, sizeof about, "%s, %zu points, d %a", k->file, k->points.count, (double)k->d);
    for (int place = 0; place < GPU_PLACES; place++) {
        gpu_case g = {.about = about, .points = k->points, .d = k->d, .turn = (uint64_t)place};
        g.in = gpu_cloud_make(gpu, (gpu_place)place, k->points, NULL);
        one_ec(&g, k->ec);
        one_dbscan(&g, k->dbscan, k->min_points);
        gpu_cloud_free(gpu, &g.in);
    }
}

static void known_cases(void)
{
    if (gpu_small()) SKIP("CLUMP_TEST_SMALL is set");
    const int done = hostile_known_cases(check_data_folder(), command_line.only_file, one_known);
    if (done == -1) SKIP("no hostile/hang-parameters.txt in the folder CLUMP_DATA");
    CHECK_MSG(done > 0, "a known case cannot be read (%d)", done);
}

int main(int argc, char **argv)
{
    command_line = hostile_read_arguments(argc, argv);
    if (gpu_skip("test_cuda_hostile")) return 77;
    nn_methods = gpu_methods_of(&clump_nn_methods);
    time_limit_start();
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(known_cases);
    RUN(cases_of_seeds);
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
    time_limit_stop();
    CHECK(gpu_reset());
    return CHECK_END();
}
