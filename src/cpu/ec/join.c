/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join.c: see ec.h. Every step is a loop over blocks or points that any number of threads can share. Sets are united
 * without locks (rules/union_find.h). A block's notes are written by the thread that has the block.
 */
#include "core/work.h"
#include "cpu/ec/join_work.h"

#include "rules/distance.h"

#include <string.h>

/* Returns the binary logarithm of the bits of the filter: 16 to 32 per block. */
static unsigned filter_log(size_t blocks)
{
    unsigned log = 6;
    while (log < 32 && (size_t)1 << log < 16 * blocks) log++;
    return log;
}

/* Returns the bytes of the filter, which then hold the wanted cells. */
static size_t filter_bytes(size_t blocks)
{
    const size_t filter = ((size_t)1 << filter_log(blocks)) / 8, wanted = blocks * sizeof(uint64_t);
    return filter > wanted ? filter : wanted;
}

static clump_status reserve_filter(clump_work *work, clump_join *j, size_t blocks, clump_join_work *w)
{
    const unsigned log = filter_log(blocks);
    CLUMP_TRY(clump_buffer_reserve(work, &j->filter, filter_bytes(blocks)));
    w->filter = w->wanted = j->filter.data;
    w->filter_shift = 32 - log;
    memset(w->filter, 0, ((size_t)1 << log) / 8);
    return CLUMP_OK;
}

clump_status clump_join_cells(clump_work *work, clump_join *j, clump_blocks *b, const clump_cloud_job *job, int threads)
{
    CLUMP_ASSERT(b->cell_count <= job->count);
    CLUMP_TRY(clump_buffer_reserve(work, &j->open, b->block_count * sizeof(uint16_t)));
    j->parent =
        b->records.data; /* not needed after the build; one entry per point, and cells are not more than points */
    clump_join_work w = {.team = work->team, .b = b, .parent = j->parent, .notes = j->open.data};
    w.d = job->d, w.bound = job->bound;
    CLUMP_TRY(reserve_filter(work, j, b->block_count, &w));
    CLUMP_TRY(clump_join_reps(work, &w, threads));
    return clump_join_points(work, j, &w, job, threads);
}

clump_status clump_join_reserve(clump_work *work, clump_join *j, size_t max_points, int threads)
{
    /* a dense set has more entries than points: see clump_dense_entries() */
    const size_t entries = max_points + 4 * (max_points / CLUMP_PATCH_POINTS + 1) + 4 * (max_points / CLUMP_DENSE + 1);
    const size_t slices = 4 * (size_t)threads; /* at most: see clump_join_slices() */
    const size_t scratch = 2 * max_points > entries ? 2 * max_points : entries;
    CLUMP_TRY(clump_buffer_reserve(work, &j->open, (max_points + (size_t)threads) * sizeof(uint16_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &j->filter, filter_bytes(max_points)));
    CLUMP_TRY(clump_buffer_reserve(work, &j->shares, 3 * slices * sizeof(size_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &j->picked, (threads > 1 ? 2 : 1) * (max_points + slices) * sizeof(uint32_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &j->tallies, threads > 1 ? max_points : 0));
    CLUMP_TRY(clump_buffer_reserve(work, &j->points, entries * sizeof(clump_point)));
    return clump_buffer_reserve(work, &j->scratch, scratch * sizeof(clump_point));
}

void clump_join_release(clump_work *work, clump_join *j)
{
    clump_buffer *const all[] = {&j->open, &j->filter, &j->shares, &j->picked, &j->tallies, &j->points, &j->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(work, all[i]);
    j->parent = NULL;
}
