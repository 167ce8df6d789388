/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one case: all contestants on the same points, in turn.
 */
#ifndef CLUMP_BENCH_MEASURE_H
#define CLUMP_BENCH_MEASURE_H

#include "cases.h"
#include "load.h"

enum { max_rivals = 4, max_contestants = 8 };

typedef enum contestant_role {
    ROLE_ONE,  /* ours, `fast`, one thread: what all others are divided by */
    ROLE_SOME, /* the same with more threads */
    ROLE_BFS,  /* ours, `bfs` */
    ROLE_BASE, /* ours, `fast`, one thread, on the cloud of the case that this one is compared with */
    ROLE_RIVAL,
} contestant_role;

typedef struct contestant_result {
    contestant_role role;
    const char *name;    /* "fast", "pcl-best" */
    const char *version; /* of a rival; else "" */
    bool must_agree;     /* different labels are an error and not a note */
    bool failed;
    char error[200]; /* why, where it is known */
    bool agrees;     /* same labels as ROLE_ONE */
    int threads;
    size_t points;
    size_t runs;
    double median_ms, min_ms;
    uint64_t labels_hash;
    double bytes_per_point;                /* scratch memory, ours only; else 0 */
    double build_ms, cluster_ms, label_ms; /* stages of the last run, ours only */
} contestant_result;

typedef struct case_result {
    const bench_case *item;
    contestant_result contestants[max_contestants];
    size_t count;
} case_result;

typedef struct measure_options {
    int threads;    /* of ROLE_SOME; 1 or less: leave it out */
    size_t rounds;  /* 0: as many as fit into `seconds`, at least 3 */
    double seconds; /* a case */
    bool bfs;
    const loaded_rival *rivals;
    size_t rival_count;
} measure_options;

/* base: cloud of the case that item->base names, where it names one. False: out of memory, why set. */
bool measure_case(const bench_case *item, const bench_cloud *cloud, const bench_cloud *base, float base_d,
                  const measure_options *options, case_result *out, clump_message *why);

/* Null where there is none. */
const contestant_result *result_of_role(const case_result *result, contestant_role role);
const contestant_result *result_of_name(const case_result *result, const char *name);

#endif
