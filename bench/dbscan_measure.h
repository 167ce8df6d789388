/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one case of dbscan: all contestants on the same points, in turn, as measure.h does for ec.
 */
#ifndef CLUMP_BENCH_DBSCAN_MEASURE_H
#define CLUMP_BENCH_DBSCAN_MEASURE_H

#include "dbscan_cases.h"
#include "sklearn.h"

enum { dbscan_max_contestants = 16 };

typedef struct dbscan_contestant {
    const char *name;    /* "fast", "sklearn" */
    const char *version; /* of the rival; else "" */
    bool rival, failed;
    char error[200];
    int threads;
    bool agrees; /* same labels as the first, `fast` with one thread */
    size_t differ;
    size_t runs;
    double median_ms, min_ms;
    uint64_t labels_hash;
    double bytes_per_point; /* scratch memory, ours only; else 0 */
    char load[128];         /* busy share of each thread, "0.99 0.97", where the method tells; else "" */
} dbscan_contestant;

typedef struct dbscan_result {
    const dbscan_case *item;
    size_t points;
    int32_t clusters;
    size_t noise;
    dbscan_contestant contestants[dbscan_max_contestants];
    size_t count;
} dbscan_result;

typedef struct dbscan_measure_options {
    int threads;      /* of the second measurement of fast and disjoint-set; 1 or less: leave it out */
    int most_threads; /* of the paper's cases: 1, 2, 4 ... up to this */
    size_t rounds;    /* 0: as many as fit into `seconds`, at least 3 */
    double seconds;   /* a case */
    sklearn *rival;   /* null: ours alone */
} dbscan_measure_options;

/* False: out of memory, why set. */
bool dbscan_measure(const dbscan_case *item, const bench_cloud *cloud, const dbscan_measure_options *options,
                    dbscan_result *out, clump_message *why);

/* Null where there is none. */
const dbscan_contestant *dbscan_result_of(const dbscan_result *result, const char *name, int threads);

#endif
