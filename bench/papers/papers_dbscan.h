/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers_dbscan.h: what the experiments of the paper on DBSCAN share: its sets of points, its contests, its names.
 */
#ifndef CLUMP_BENCH_PAPERS_DBSCAN_H
#define CLUMP_BENCH_PAPERS_DBSCAN_H

#include "papers/papers.h"

/* Points with the parameters of the clustering. The toy sets are the paper's: the first points of a frame. */
typedef struct dbscan_set {
    const char *name; /* "toy1 eps 1": also the end of the names of series */
    const char *word; /* "toy1-1": the end of the names of cases */
    size_t points;    /* 0: the whole frame */
    float eps;
    size_t min_points;
} dbscan_set;

enum {
    DBSCAN_TOYS = 6,    /* the first of the sets */
    DBSCAN_FRAME = 6,   /* a whole frame */
    DBSCAN_MILLION = 7, /* a million points: copies of the frame beside each other */
    DBSCAN_SETS = 8,
    DBSCAN_TOY3_NARROW = 2, /* the largest toy set, with eps 1, */
    DBSCAN_TOY3_WIDE = 5,   /* and with eps 5 */
    DBSCAN_NAME = 96,       /* bytes of a series' name */
    DBSCAN_THREADS = 12,    /* numbers of threads in a figure, at most */
};
extern const dbscan_set dbscan_sets[DBSCAN_SETS];

/* Makes the points. Returns false with a sentence in why. */
bool dbscan_set_make(const dbscan_set *set, bench_cloud *out, bool *simulated, clump_message *why);

/* Writes "disjoint-set toy1 eps 1", with " simulated" at its end where the frame is. */
void dbscan_series(char out[DBSCAN_NAME], const char *method, const dbscan_set *set, bool simulated);

/* Writes the numbers of threads of the figures: 1, 2, 4 ... and all cores, at least up to 8. Returns how many. */
size_t dbscan_threads(int cores, int out[DBSCAN_THREADS]);

/* The contests, and what is computed without one. */
extern const contest_job dbscan_threads_job, dbscan_dclust_job, dbscan_chains_job, dbscan_merge_job;
bool dbscan_compute_load(csv *rows, contest_totals *totals, clump_message *why);
bool dbscan_compute_blocks(csv *rows, contest_totals *totals, clump_message *why);

#endif
