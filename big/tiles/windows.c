/* SPDX-License-Identifier: BSD-3-Clause
 *
 * windows.c: see tiles.h. A window with too many entries is halved and read again; after one with few the next is twice as long.
 */
#include "tiles/tiles.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

/* Reads all entries of the window on this rank. */
static clump_status read_window(clump_big_windows *w, clump_message *message)
{
    w->count = 0;
    w->full = false;
    memcpy(w->next, w->at, w->lists * sizeof *w->next);
    for (size_t list = 0; list < w->lists && !w->full; list++) {
        CLUMP_BIG_TRY(clump_big_workers_poll(&w->job->workers, message));
        CLUMP_BIG_TRY(w->read(w, list, message));
    }
    if (!w->full) clump_pair_sort(w->pairs, w->pairs + w->capacity, w->count);
    return CLUMP_OK;
}

/* Counts the entries per rank that has their part of the window, which is divided evenly. */
static void count_entries(clump_big_windows *w)
{
    const uint64_t ranks = (uint64_t)clump_big_ranks(w->job), span = (uint64_t)(w->end - w->from);
    const uint64_t each = (span + ranks - 1) / ranks;
    memset(w->counts, 0, ranks * sizeof *w->counts);
    if (w->to_first || ranks == 1) w->counts[0] = w->count;
    for (size_t k = 0; k < w->count && ranks > 1 && !w->to_first; k++) {
        CLUMP_ASSERT((int64_t)w->pairs[k].key >= w->from && (int64_t)w->pairs[k].key < w->end);
        w->counts[(w->pairs[k].key - (uint64_t)w->from) / each]++;
    }
}

/* Learns what goes to which rank, and whether one has or gets too many entries. *more: with twice as many, none would. */
static clump_status count_window(clump_big_windows *w, bool *more, clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(w->job);
    uint64_t *const sums = w->job->words;
    count_entries(w);
    memcpy(sums, w->counts, ranks * sizeof *sums);
    sums[ranks] = w->full, sums[ranks + 1] = w->count > w->capacity / 4;
    CLUMP_BIG_TRY(clump_big_sum(w->job, sums, ranks + 2, message));
    w->full = sums[ranks] > 0, *more = sums[ranks + 1] == 0;
    w->all = 0;
    for (size_t r = 0; r < ranks; r++) {
        w->all += sums[r];
        w->full |= sums[r] > w->capacity;
        *more &= sums[r] <= w->capacity / 4;
    }
    return CLUMP_OK;
}

static clump_status run_windows(clump_big_windows *w, uint64_t entries, clump_message *message)
{
    clump_big_job *const job = w->job;
    const int64_t first = (int64_t)job->hooks->first_block * CLUMP_BLOCK_POINTS;
    const int64_t last = first + (int64_t)job->info.count;
    const uint64_t room = w->to_first ? w->capacity : w->capacity * (uint64_t)clump_big_ranks(job);
    const uint64_t windows = entries / room + (entries > room) + 1;
    int64_t step = (last - first) / (int64_t)windows + 1;
    for (w->from = first; w->from < last;) {
        const double part = clump_big_between(w->begin, w->finish, (double)(w->from - first) / (double)(last - first));
        clump_status status = clump_big_step(job, CLUMP_BIG_MERGE, part, message);
        bool more;
        w->end = step < last - w->from ? w->from + step : last;
        if (status == CLUMP_OK) status = read_window(w, message);
        CLUMP_BIG_TRY(clump_big_agree(job, status, message));
        CLUMP_BIG_TRY(count_window(w, &more, message));
        if (w->full && step == 1) /* never of first points: an index is that of one cluster */
            return clump_big_fail(message, CLUMP_ERR_OUT_OF_MEMORY, "a point is in more than %zu rims", w->capacity);
        if (w->full) {
            step = step / 2;
            continue;
        }
        CLUMP_BIG_TRY(w->use(w, message));
        memcpy(w->at, w->next, w->lists * sizeof *w->at);
        w->from = w->end;
        if (more && step < INT64_MAX / 4) step *= 2;
    }
    return CLUMP_OK;
}

clump_status clump_big_windows_run(clump_big_windows *w, uint64_t entries, clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(w->job);
    w->at = calloc(2 * w->lists, sizeof *w->at);
    w->next = w->at ? w->at + w->lists : NULL;
    w->pairs = malloc(2 * w->capacity * sizeof *w->pairs);
    w->counts = calloc(2 * ranks, sizeof *w->counts);
    const bool made = w->at && w->pairs && w->counts;
    clump_status status = clump_big_agree_made(w->job, made, 2 * w->capacity * sizeof *w->pairs, message);
    if (status == CLUMP_OK) status = run_windows(w, entries, message);
    free(w->at);
    free(w->pairs);
    free(w->counts);
    return status;
}
