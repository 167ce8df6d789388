/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of the benchmark on a GPU.
 */
#ifndef CLUMP_BENCH_GPU_PARTS_H
#define CLUMP_BENCH_GPU_PARTS_H

#include "gpu_report.h"

typedef struct gpu_settings {
    const char *data; /* folder with the scans */
    const char **filters;
    size_t filter_count; /* 0: all clouds */
    bool quick;
} gpu_settings;

/* All print a table while they measure, and write the CSV after each cloud. False: it cannot be
 * written, or there is no memory; said on standard error. */
bool gpu_part_fast(const gpu_settings *s, gpu_results *results);      /* a: `fast`, in every kind of memory */
bool gpu_part_six(const gpu_settings *s, gpu_results *results);       /* b: the six methods of the paper, its Table 2 */
bool gpu_part_crossover(const gpu_settings *s, gpu_results *results); /* c: from which size on the GPU is faster */
bool gpu_part_dbscan(const gpu_settings *s, gpu_results *results);    /* d: DBSCAN */
bool gpu_part_erccl(const gpu_settings *s, gpu_results *results);     /* e: obstacles on the elevation map */
bool gpu_part_nn(const gpu_settings *s, gpu_results *results);        /* f: nearest neighbours */

/* Of part f: ICP on CPU and GPU. */
bool gpu_compare_icp(const bench_cloud *target, const bench_cloud *source, gpu_results *results);

/* Shared by the parts: whether a cloud is wanted; the cloud and its reference; a row that is measured, kept, and
 * printed as a cell so wide (negative: text to the left); the end of a cloud. */
bool gpu_wanted(const gpu_settings *s, const char *name);
bool gpu_prepare(const gpu_settings *s, const bench_case *item, bench_cloud *cloud, gpu_reference *reference);
bool gpu_take(const gpu_job *job, const gpu_reference *reference, int width, gpu_results *results, gpu_row *row);
bool gpu_finish(gpu_results *results, size_t first);

#endif
