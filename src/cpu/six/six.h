/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.h: what the six methods of Nguyen et al. 2020 ("Fast Euclidean cluster extraction using GPUs")
 * have in common: the points that take part, a search for neighbours, a label a point, and the last
 * step, canonical labels. ec_vertex.c, ec_edge.c and ec_matrix.c differ in the rest.
 *
 *     vertex-es vertex-rs    lists of neighbours, labels handed from point to point
 *     edge-es   edge-rs      list of edges, labels handed along edges
 *     matrix-es matrix-rs    matrix of labels, labels merged block by block
 *
 * es is exhaustive search, rs range search (neighbours.h). All are written for a GPU, and stated here
 * step by step in plain C: what is a kernel there is a loop over all its threads here, blocks of `b`
 * threads where the paper needs them, and where threads act at once, what they read was there
 * before any of them wrote. One thread runs them. They are there to be compared with.
 *
 *     input    . . x . . . x .        x: masked or not finite
 *     P        0 1   2 3 4   5        the others, in order
 *     index    0 1   3 4 5   7        where they were
 *     C        a label each: at first its place in P, at the end the same for all of a cluster
 */
#ifndef CLUMP_CPU_SIX_SIX_H
#define CLUMP_CPU_SIX_SIX_H

#include "core/backend.h"
#include "cpu/six/neighbours.h"

#define CLUMP_SIX_BLOCK 1024 /* threads of a block: as many as a GPU allows */

/* Memory that stays between calls, of all six: one runs at a time. Zeroed is valid. */
typedef struct clump_six {
    size_t count; /* of P */
    clump_search_point *points;
    uint32_t *index;
    uint32_t *label; /* C, count entries */
    uint32_t *other; /* as many: labels of the next round, or R */
    uint32_t *scan;  /* one more: L, marks */
    clump_neighbours near;
    clump_buffer point_memory, index_memory, label_memory, other_memory, scan_memory;
    clump_buffer starts;    /* S: count + 1 offsets of 64 bits */
    clump_buffer list;      /* N or E */
    clump_buffer matrix[2]; /* M and M' */
    clump_buffer shared;    /* what is in the shared memory of a block */
} clump_six;

/* One run each; job->method tells es from rs. `block` is b, at least 2: tests try small ones. */
clump_status clump_cpu_ec_vertex(clump_context *ctx, clump_six *g, const clump_ec_job *job, size_t block,
                                 clump_result *result);
clump_status clump_cpu_ec_edge(clump_context *ctx, clump_six *g, const clump_ec_job *job, size_t block,
                               clump_result *result);
clump_status clump_cpu_ec_matrix(clump_context *ctx, clump_six *g, const clump_ec_job *job, size_t block,
                                 clump_result *result);

void clump_six_release(clump_context *ctx, clump_six *g);

/* ----- for the three ------------------------------------------------------------------------------ */

/* Fills P, index and C, labels the other points noise, and prepares the search. */
clump_status clump_six_begin(clump_context *ctx, clump_six *g, const clump_ec_job *job, size_t block,
                             clump_result *result);

/* S for the lists of neighbours of all points, or of those neighbours only that come after the point:
 * counted, then scanned. Leaves room for S[count] entries of `each` bytes in g->list. */
clump_status clump_six_starts(clump_context *ctx, clump_six *g, const clump_ec_job *job, bool only_after, size_t each,
                              const char *entries);

/* Every entry becomes the sum of those before it; x has n + 1, the last of which is the total. */
void clump_six_scan(uint32_t *x, size_t n);

/* A round reads the labels of the one before, g->label, and writes those of the next, g->other. */
void clump_six_next_round(clump_six *g); /* the next begin as they are */
void clump_six_end_round(clump_six *g);  /* and become the labels */

/* Canonical labels from C, whose values are below count; and the times of the stages, of which the first
 * two began at `begin` and ended at `built`, and now. */
void clump_six_finish(clump_six *g, const clump_ec_job *job, double begin, double built, clump_result *result);

#endif
