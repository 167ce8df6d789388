/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slices.h: one step of an algorithm for all slices of its data, one slice per thread (common/share.h).
 */
#ifndef CLUMP_CPU_GRID_SLICES_H
#define CLUMP_CPU_GRID_SLICES_H

#include "core/work.h"

/* A step for slice t. */
typedef void clump_slice_step(void *arg, size_t t);

typedef struct clump_slices {
    clump_slice_step *step;
    void *arg;
} clump_slices;

static inline void clump_run_slices(void *slices, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_slices *const s = slices;
    for (size_t t = begin; t < end; t++) s->step(s->arg, t);
}

/* Calls step(arg, t) for the slices 0 ... threads - 1. The status is that of clump_run(). */
static inline clump_status clump_each_slice(clump_work *work, int threads, clump_slice_step *step, void *arg)
{
    clump_slices slices = {step, arg};
    return clump_run(work, threads, (size_t)threads, 1, clump_run_slices, &slices);
}

#endif
