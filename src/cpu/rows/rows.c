/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.c: Euclidean clustering by rows, and the memory of rows. See rows.h.
 */
#include "cpu/rows/rows.h"

#include "common/timer.h"
#include "core/work.h"
#include "cpu/rows/rows_memory.h"

#define ROWS_DENSE 8 /* mean number of points in a point's own cell above which blocks are faster; see sparse.c */

static void label_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_rows_labels *const l = arg;
    const clump_rows_join *const j = l->join;
    for (size_t k = begin; k < end; k++) l->labels[j->sorted->index[k]] = (int32_t)clump_rows_set_of(j, k);
}

clump_status clump_rows_ec(clump_work *work, clump_rows *rows, const clump_cloud_job *job, int threads,
                           clump_stats *stats, bool *done)
{
    *done = false;
    clump_stages at = {.start = clump_now_ms()};
    clump_sorted s;
    CLUMP_TRY(clump_sorted_make(work, clump_rows_memory(rows), job, threads, &s));
    if (s.n == 0 || s.density > ROWS_DENSE) return CLUMP_OK;
    at.built = clump_now_ms();

    CLUMP_TRY(clump_buffer_reserve(work, &rows->ranks, clump_ranks_bytes(job->count)));
    clump_rows_join join = {.sorted = &s,
                            .y = s.y,
                            .bound = job->bound,
                            .parent = s.spare[0],
                            .first = s.spare[1],
                            .ranks = clump_ranks_make(rows->ranks.data, job->count),
                            .threads = threads};
    CLUMP_TRY(clump_rows_join_sets(work, &join, &stats->clusters));
    at.clustered = clump_now_ms();

    clump_rows_labels labels = {&join, job->labels};
    CLUMP_TRY(clump_run(work, threads, s.n, CLUMP_CHUNK, label_points, &labels));
    stats->noise = s.left_out;
    at.labelled = clump_now_ms();
    clump_rows_report(stats, job, &s, threads, at);
    *done = true;
    return CLUMP_OK;
}

clump_status clump_rows_reserve(clump_work *work, clump_rows *rows, size_t max_points)
{
    CLUMP_TRY(clump_sorted_reserve(work, clump_rows_memory(rows), max_points));
    return clump_buffer_reserve(work, &rows->ranks, clump_ranks_bytes(max_points));
}

void clump_rows_release(clump_work *work, clump_rows *rows)
{
    clump_buffer_release(work, &rows->counters);
    clump_buffer_release(work, &rows->ranks);
}
