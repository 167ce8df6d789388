/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_work.h: what the two rounds of joining (ec.h) share while a call runs.
 */
#ifndef CLUMP_CPU_EC_JOIN_WORK_H
#define CLUMP_CPU_EC_JOIN_WORK_H

#include "cpu/ec/ec.h"
#include "cpu/grid/reach.h"

/* The notes on a block, 16 bits. Bits 0 to 12: the pair with that block ahead is open. The others: */
enum {
    CLUMP_OPEN_INSIDE = 1 << CLUMP_INSIDE,  /* cells of the block itself are open */
    CLUMP_OPEN = 2 * CLUMP_OPEN_INSIDE - 1, /* all bits of open pairs */
    CLUMP_SPLIT = 1 << 15                   /* its cells are in more than one set, by the reps */
};

typedef struct clump_join_work {
    clump_team *team; /* polled where sets are large */
    clump_blocks *b;
    uint64_t *filter;      /* one bit per hash of a block: join_reps.c */
    unsigned filter_shift; /* from a hash to its bit */
    uint32_t *parent;
    uint16_t *notes;
    float d, bound;
    uint64_t *wanted;     /* per block, by bits: the cells whose points are gathered. In the memory of `filter` */
    int gathers;          /* some points have to be gathered */
    clump_point *points;  /* gathered, by cell */
    bool dense;           /* some gathered cell is a dense set */
    int threads;          /* with scratch memory */
    clump_point *scratch; /* `room` points per thread */
    size_t room;
} clump_join_work;

/* Returns the slices that points are gathered by: a few per thread, so that none takes long. */
static inline int clump_join_slices(size_t points, int threads)
{
    return threads > 1 && points / 16384 > (size_t)threads ? 4 * threads : threads;
}

static inline unsigned clump_note(const clump_join_work *w, uint32_t id)
{
    return CLUMP_LOAD(&w->notes[id]);
}

static inline bool clump_same_set(const clump_join_work *w, uint32_t cell_a, uint32_t cell_b)
{
    return clump_find(w->parent, cell_a) == clump_find(w->parent, cell_b);
}

/* Joins cells whose reps are neighbours, and notes which pairs of blocks stay open. */
clump_status clump_join_reps(clump_work *work, clump_join_work *w, int threads);

/* Gathers the points of the wanted cells, with room for the patches of dense sets (patches.h). The order
 * within a cell does not matter. Where a cell's points are is written over the coordinates of its rep, which are not
 * needed any more. */
clump_status clump_join_gather(clump_work *work, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                               int threads);

/* Joins the open pairs by comparing their points. */
clump_status clump_join_points(clump_work *work, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                               int threads);

#endif
