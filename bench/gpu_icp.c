/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_icp on the CPU with one thread, with all cores, and with its iterations on the GPU: of part f. Pairs within
 * a metre, from ordinary memory, the index built anew in every run.
 */
#include "gpu_parts.h"

#include <stdio.h>

enum { runs = 6 }; /* the first warms up */

bool gpu_compare_icp(const bench_cloud *target, const bench_cloud *source, gpu_results *results)
{
    const int threads[] = {1, results->host.cores, 0};
    bool kept = true;
    for (int m = 0; m < 2; m++)
        for (int t = 0; t < 3 && kept; t++) {
            clump_context_options o = clump_context_defaults();
            o.backend = threads[t] ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA;
            o.threads = threads[t] ? threads[t] : results->host.cores;
            gpu_row row = {.points = target->count,
                           .backend = o.backend,
                           .method = m ? "plane" : "point",
                           .memory = MEMORY_PAGEABLE};
            snprintf(row.part, sizeof row.part, "icp");
            snprintf(row.cloud, sizeof row.cloud, "kitti-0-1");
            snprintf(row.parameters, sizeof row.parameters, "scans queries=%zu", source->count);
            clump_icp_options how = clump_icp_defaults();
            how.method = m ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT, how.max_distance = 1;
            clump_context *ctx = NULL;
            clump_icp_result r;
            samples taken = {0};
            clump_status status = clump_context_create(&o, &ctx);
            for (int i = 0; i < runs && status == CLUMP_OK; i++) {
                const double start = machine_seconds();
                status = clump_icp(ctx, (clump_points){.xyz = target->xyz, .count = target->count},
                                   (clump_points){.xyz = source->xyz, .count = source->count}, &how, &r);
                if (i > 0) samples_add(&taken, machine_seconds() - start);
            }
            row.failed = status != CLUMP_OK;
            if (row.failed) snprintf(row.note, sizeof row.note, "%.300s", ctx ? clump_context_error(ctx) : "");
            row.stats = clump_context_stats(ctx);
            row.time = samples_sum_up(&taken);
            printf("icp %s, %s, %d threads: %d iterations, %.1f ms, rmse %.9g%s\n", row.method,
                   threads[t] ? "CPU" : "GPU", o.threads, r.iterations, row.time.median_ms, r.rmse, row.note);
            samples_free(&taken);
            clump_context_destroy(ctx);
            kept = gpu_results_add(results, &row);
        }
    return kept;
}
