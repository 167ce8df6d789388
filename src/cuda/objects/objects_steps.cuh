/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_steps.cuh: the steps of clump_objects in order. R runs them: on the stream (objects.cu), or on the host, one item
 * after the other (tests/gpu/objects.cu).
 *
 *     each<BODY>(what, n, job)        runs the body for items 0 ... n - 1
 *     sort(job, bits)                 keys ─► sorted, places ─► index, by the lowest bits of the keys, stably
 *     sum_marks(job)                  numbers, and counts
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_STEPS_CUH
#define CLUMP_CUDA_OBJECTS_OBJECTS_STEPS_CUH

#include "cuda/objects/objects_scan.cuh"

#include "core/backend.h"

/* Returns the bits of a key that are sorted by: no key of a point has them all set. */
static inline int objects_key_bits(uint32_t rings)
{
    int bits = OBJECTS_AZIMUTH_BITS;
    while ((uint32_t)1 << (bits - OBJECTS_AZIMUTH_BITS) < rings) bits++;
    return bits;
}

/* Makes the tree of the neighbours of the scan. The rings are known. */
template <class R> static clump_status objects_scan_steps(R &run, const objects_job &job)
{
    const size_t n = job.view.count;
    CLUMP_TRY(run.template each<objects_keys>("sorting by ring", n, job));
    CLUMP_TRY(run.sort(job, objects_key_bits(job.rings)));
    CLUMP_TRY(run.template each<objects_lay_out>("sorting by ring", n, job));
    CLUMP_TRY(run.template each<objects_meet>("joining", n, job));
    CLUMP_TRY(run.template each<objects_link>("joining", n, job));
    CLUMP_TRY(run.template each<objects_test_ahead>("joining", n, job));
    CLUMP_TRY(run.template each<objects_along>("joining", CLUMP_SCAN_NEXT * n, job));
    CLUMP_TRY(run.template each<objects_shorten>("joining", n, job));
    CLUMP_TRY(run.template each<objects_test_rings>("joining", n, job));
    CLUMP_TRY(run.template each<objects_across>("joining", CLUMP_SCAN_RINGS * OBJECTS_TESTS * n, job));
    return run.template each<objects_flatten>("joining", n, job);
}

/* Measures the nodes, cuts the tree, writes labels and counts. */
template <class R> static clump_status objects_cut_steps(R &run, const objects_job &job)
{
    const size_t n = job.view.count;
    if (job.source == CLUMP_RINGS_NONE) CLUMP_TRY(run.template each<objects_begin_nodes>("measuring", n, job));
    CLUMP_TRY(run.template each<objects_measure>("measuring", (n + OBJECTS_EACH - 1) / OBJECTS_EACH, job));
    CLUMP_TRY(run.template each<objects_coarsen>("measuring", n, job));
    if (job.rule.groups && job.rule.levels > 1) CLUMP_TRY(run.template each<objects_weigh>("cutting the tree", n, job));
    CLUMP_TRY(run.template each<objects_cut>("cutting the tree", n, job));
    CLUMP_TRY(run.template each<objects_people>("cutting the tree", n, job));
    CLUMP_TRY(run.template each<objects_mark>("numbering clusters", n, job));
    CLUMP_TRY(run.sum_marks(job));
    return run.template each<objects_label>("labelling", n, job);
}

/* Writes the list of clusters, once labels and counts are final. */
template <class R> static clump_status objects_list_steps(R &run, const objects_job &job)
{
    CLUMP_TRY(run.template each<objects_list_begin>("listing clusters", job.listed, job));
    CLUMP_TRY(run.template each<objects_list_add>("listing clusters", job.view.count, job));
    return run.template each<objects_list_write>("listing clusters", job.listed, job);
}

#endif
