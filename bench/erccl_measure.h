/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures clump_erccl on a scan with one reach: all methods in turn, and PCL's Euclidean clustering of the same scan
 * without its ground beside them.
 */
#ifndef CLUMP_BENCH_ERCCL_MEASURE_H
#define CLUMP_BENCH_ERCCL_MEASURE_H

#include "clouds.h"
#include "load.h"

enum { erccl_max_contestants = 10 };

typedef struct erccl_case {
    const char *name, *scan; /* "kitti-00"; the file without its ending */
    int reach;
    bool rivals; /* beside PCL */
} erccl_case;

typedef struct erccl_contestant {
    const char *name, *version; /* "fast"; of the rival, else "" */
    bool rival, exact;          /* exact: must have the labels of fast */
    bool failed, agrees;
    char error[200];
    int threads;
    size_t runs;
    double median_ms, min_ms;
    long passes;
    int clusters;
    uint64_t labels_hash;
} erccl_contestant;

typedef struct erccl_result {
    const erccl_case *item;
    size_t points, obstacle_points; /* of the scan; of it without its true ground */
    erccl_contestant contestants[erccl_max_contestants];
    size_t count;
} erccl_result;

typedef struct erccl_measure_options {
    size_t rounds; /* of the fast ones; those that take long get fewer */
    int threads;   /* of the second measurement of fast; 1: leave it out */
    const loaded_rival *rivals;
    size_t rival_count;
} erccl_measure_options;

/* The distance that PCL is given: it does not change the time by much, and this is the one of the other bench. */
#define ERCCL_RIVAL_DISTANCE 0.5f

/* bare: the scan without its ground. False: out of memory, why set. */
bool erccl_measure(const erccl_case *item, const bench_cloud *scan, const bench_cloud *bare,
                   const erccl_measure_options *options, erccl_result *out, clump_message *why);

/* Null where there is none. */
const erccl_contestant *erccl_result_of(const erccl_result *result, const char *name, int threads);

#endif
