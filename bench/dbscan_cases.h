/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is measured of dbscan, and the figures it has to reach.
 */
#ifndef CLUMP_BENCH_DBSCAN_CASES_H
#define CLUMP_BENCH_DBSCAN_CASES_H

#include "cases.h"

typedef enum crowd_kind {
    CROWD_NONE,   /* the cloud is that of `cloud` */
    CROWD_ALL,    /* all points within eps of each other */
    CROWD_BESIDE, /* half of the points in one cell, the others around it */
} crowd_kind;

typedef struct dbscan_case {
    bench_case cloud; /* its name, its points, d = eps, target = time of scikit-learn over that of fast, rivals, slow */
    size_t min_points;
    crowd_kind crowd;  /* of cloud.n points */
    bool methods;      /* all of ours, not `fast` alone */
    bool paper;        /* of the paper's figures: disjoint-set with 1, 2, 4 ... threads */
    double most_ms;    /* fast with one thread, at most; 0 = none set */
    double most_bytes; /* its scratch memory a point, at most; 0 = none set */
} dbscan_case;

extern const dbscan_case dbscan_cases[];
extern const size_t dbscan_case_count;

/* "layout=blob n=262144 c=128 k=32 D=4 seed=1 min_points=5": no comma. */
void dbscan_case_parameters(const dbscan_case *item, char *out, size_t size);

/* data: the folder with the scans. False with a sentence in why. */
bool dbscan_case_make(const dbscan_case *item, const char *data, bench_cloud *out, clump_message *why);

#endif
