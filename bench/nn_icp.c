/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ICP beside PCL's. Both take turns; the motions they find are compared.
 */
#include "nn_icp.h"

#include "samples.h"

#include <math.h>
#include <stdio.h>

static const double speed_target = 5, apart_target = 0.02, turned_target = 0.1;

static double once(clump_context *ctx, const bench_cloud clouds[2], clump_icp_result *result, bool *failed)
{
    const clump_points target = {.xyz = clouds[0].xyz, .count = clouds[0].count};
    const clump_points source = {.xyz = clouds[1].xyz, .count = clouds[1].count};
    clump_icp_options options = clump_icp_defaults();
    options.max_distance = 1;
    options.max_iterations = 100;
    const double start = machine_seconds();
    const bool done = clump_icp(ctx, target, source, &options, result) == CLUMP_OK && result->converged;
    *failed = *failed || !done;
    return machine_seconds() - start;
}

static double once_rival(const clump_icp_rival *rival, void *state, double transform[16], bool *failed)
{
    const double start = machine_seconds();
    const bool done = rival->run(state, 1, 100, 1e-4, transform);
    *failed = *failed || !done;
    return machine_seconds() - start;
}

static void compare(const double a[16], const double b[16], nn_icp_result *out)
{
    double sum = 0, cross = 0;
    for (int i = 0; i < 3; i++) sum += (a[4 * i + 3] - b[4 * i + 3]) * (a[4 * i + 3] - b[4 * i + 3]);
    for (int i = 0; i < 3; i++) /* small angles: half the difference of the rotations */
        for (int j = 0; j < 3; j++) cross += (a[4 * i + j] - b[4 * i + j]) * (a[4 * i + j] - b[4 * i + j]);
    out->apart = sqrt(sum);
    out->turned = sqrt(cross / 2) * 180 / 3.14159265358979323846;
}

static clump_context *create(int threads)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = threads;
    clump_context *ctx = NULL;
    return clump_context_create(&options, &ctx) == CLUMP_OK ? ctx : NULL;
}

void nn_icp_measure(const nn_case *item, const bench_cloud clouds[2], const clump_icp_rival *rival, const machine *m,
                    long rounds, nn_icp_result *out)
{
    *out = (nn_icp_result){.item = item, .points = clouds[0].count, .moved = clouds[1].count};
    clump_context *const one = create(1), *const two = m->cores > 1 ? create(2) : NULL;
    void *const state = rival ? rival->prepare(clouds[0].xyz, clouds[0].count, clouds[1].xyz, clouds[1].count) : NULL;
    samples times[3] = {{0}, {0}, {0}};
    clump_icp_result result;
    double found[16] = {0};
    out->failed = !one || (rival && !state);
    for (long i = 0; i < (rounds ? rounds : 3) && !out->failed; i++) {
        samples_add(&times[0], once(one, clouds, &result, &out->failed));
        if (two) samples_add(&times[1], once(two, clouds, &result, &out->failed));
        if (state) samples_add(&times[2], once_rival(rival, state, found, &out->failed));
    }
    out->ours_ms = samples_sum_up(&times[0]).median_ms;
    out->two_ms = samples_sum_up(&times[1]).median_ms;
    out->rival_ms = samples_sum_up(&times[2]).median_ms;
    out->iterations = result.iterations;
    if (state && !out->failed) compare(result.transform, found, out);
    if (rival) out->rival = rival->name, out->version = rival->version;
    if (state) rival->release(state);
    for (int i = 0; i < 3; i++) samples_free(&times[i]);
    clump_context_destroy(one);
    clump_context_destroy(two);
}

void nn_icp_report(const nn_icp_result *r, nn_totals *totals)
{
    printf("icp %s: %zu points onto %zu, %d iterations\n", r->item->name, r->moved, r->points, r->iterations);
    if (r->failed) {
        puts("  failed");
        totals->wrong++;
        return;
    }
    printf("  %-10s 1 thread  %9.1f ms\n", "point", r->ours_ms);
    if (r->two_ms > 0) printf("  %-10s 2 threads %9.1f ms\n", "point", r->two_ms);
    if (!(r->rival_ms > 0)) return;
    const double ratio = r->rival_ms / r->ours_ms;
    const bool fast = ratio >= speed_target, same = r->apart < apart_target && r->turned < turned_target;
    totals->reached += fast, totals->missed += !fast, totals->wrong += !same;
    printf("  %-10s 1 thread  %9.1f ms  %s\n", r->rival, r->rival_ms, r->version);
    printf("  %.2f times as fast as %s [%g] %s; %.4f m and %.4f degrees apart%s\n", ratio, r->rival, speed_target,
           fast ? "ok" : "MISS", r->apart, r->turned, same ? "" : " ERROR");
}
