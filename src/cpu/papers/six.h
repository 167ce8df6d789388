/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.h: what the six methods of Nguyen et al. 2020 ("Fast Euclidean cluster extraction using GPUs") have in common: the
 * points that take part, a search for neighbours, one label per point, and the last step, canonical labels. The rest is
 * in ec_vertex.c, ec_edge.c and ec_matrix.c.
 *
 *     vertex-es vertex-rs    lists of neighbours, labels propagated from point to point
 *     edge-es   edge-rs      list of edges, labels propagated along edges
 *     matrix-es matrix-rs    matrix of labels, labels merged tile by tile
 *
 * es is exhaustive search, rs range search (neighbours.h). All six are written for a GPU. Here they are stated step by
 * step in plain C. A kernel is a loop over all its threads, in thread blocks of `b` threads where the paper needs
 * them. Where threads act at once, they read what was there before any of them wrote. One CPU thread runs all of it.
 * The methods serve as a reference for comparison.
 *
 *     input    . . x . . . x .        x: masked or not finite
 *     P        0 1   2 3 4   5        the points that take part, in order
 *     index    0 1   3 4 5   7        their places in the input
 *     C        one label per point: at first its place in P, at the end equal for all points of a cluster
 *
 *     neighbours.c   all neighbours of a point, in two ways
 *     ec_vertex.c, ec_edge.c, ec_matrix.c
 *     six.c          points, labels, canonical labels
 *
 * A `tile` is points that are read together; of matrices, b x b labels.
 */
#ifndef CLUMP_CPU_PAPERS_SIX_H
#define CLUMP_CPU_PAPERS_SIX_H

#include "core/backend.h"
#include "cpu/papers/neighbours.h"

#define CLUMP_SIX_TILE 1024 /* the b of vertex-* and edge-*; that of matrix-* is an option */

/* Memory that stays between calls, shared by all six: one runs at a time. Zeroed is valid. */
typedef struct clump_six {
    const char *method; /* name, for error messages */
    size_t count;       /* of P */
    clump_search_point *points;
    uint32_t *index;
    uint32_t *label; /* C, count entries */
    uint32_t *other; /* count entries: labels of the next round, or R */
    uint32_t *scan;  /* count + 1 entries: L, marks */
    clump_neighbours search;
    clump_buffer point_memory, index_memory, label_memory, other_memory, scan_memory;
    clump_buffer starts;    /* S: count + 1 offsets of 64 bits */
    clump_buffer list;      /* N or E */
    clump_buffer matrix[2]; /* M and M' */
    clump_buffer shared;    /* the shared memory of a thread block */
} clump_six;

/* One run of a method; job->method tells es from rs. `tile_b` is b, at least 2; tests use small values.
 * job->matrix_block is not read. */
clump_status clump_cpu_ec_vertex(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b,
                                 clump_stats *stats);
clump_status clump_cpu_ec_edge(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b,
                               clump_stats *stats);
clump_status clump_cpu_ec_matrix(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b,
                                 clump_stats *stats);

void clump_six_release(clump_work *work, clump_six *g);

/* ----- for the three files ------------------------------------------------------------------------ */

/* Fills P, index and C, labels all points noise, and prepares the search. */
clump_status clump_six_begin(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b,
                             clump_stats *stats);

/* Makes S for the lists of neighbours of all points; with only_after, of the neighbours with a larger place only.
 * Reserves S[count] entries of `each` bytes in g->list. `entries` names them in error messages. */
clump_status clump_six_starts(clump_work *work, clump_six *g, bool only_after, size_t each, const char *entries);

/* A round reads labels of `read` and lowers labels of `lower`: two arrays, or, in place, one. */
typedef struct clump_six_labels {
    const uint32_t *read;
    uint32_t *lower;
} clump_six_labels;

/* Begins a round. Two arrays: `read` are the labels of the round before, which are copied to `lower` first. */
clump_six_labels clump_six_begin_round(clump_six *g, bool in_place);

/* Ends a round: its result becomes g->label. */
void clump_six_end_round(clump_six *g, bool in_place);

/* Makes canonical labels from C, whose values are below count. Reports the stages, which began at `begin` and ended at
 * `built` and now. */
void clump_six_finish(clump_six *g, const clump_ec_job *job, double begin, double built, clump_stats *stats);

#endif
