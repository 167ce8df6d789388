/* SPDX-License-Identifier: BSD-3-Clause
 *
 * links.c: see tiles.h.
 */
#include "tiles/tiles.h"

#include "common/assert.h"
#include "common/sort.h"
#include "store/fail.h"
#include "store/results.h"

#include <stdlib.h>
#include <string.h>

enum { LINKS_AT_ONCE = 4096, LINKS_LEAST = 1024 }; /* entries that are read at a time; room at least */

/* The lists of all tiles, and how far they are read: rim and strip of tile t are 2 t and 2 t + 1. */
typedef struct link_lists {
    clump_big_job *job;
    uint64_t first_label;
    uint64_t *at;      /* entries before the window, per list */
    uint64_t *next;    /* entries before the next window */
    uint64_t *counts;  /* scratch: 2 per rank */
    clump_pair *pairs; /* index and cluster */
    size_t count, capacity;
} link_lists;

/* Reads the entries of a list with an index below `end`. *full: there is no room. */
static clump_status read_list(link_lists *l, size_t list, int64_t end, bool *full, clump_message *message)
{
    const clump_big_tile *const t = &l->job->tiles[list / 2];
    const bool rim = list % 2 == 0;
    const uint64_t all = rim ? t->rims : t->strips;
    int64_t indices[LINKS_AT_ONCE];
    int32_t labels[LINKS_AT_ONCE];
    for (uint64_t at = l->at[list]; at < all; at = l->next[list]) {
        const size_t now = all - at < LINKS_AT_ONCE ? (size_t)(all - at) : LINKS_AT_ONCE;
        CLUMP_BIG_TRY(clump_big_results_read(l->job, t, rim ? CLUMP_BIG_PART_RIM_INDICES : CLUMP_BIG_PART_STRIP_INDICES,
                                             at, now, indices, message));
        CLUMP_BIG_TRY(clump_big_results_read(l->job, t, rim ? CLUMP_BIG_PART_RIM_LABELS : CLUMP_BIG_PART_STRIP_LABELS,
                                             at, now, labels, message));
        size_t k = 0;
        for (; k < now && indices[k] < end; k++) {
            *full = l->count == l->capacity;
            if (*full) return CLUMP_OK;
            CLUMP_ASSERT(l->count < l->capacity);
            l->pairs[l->count++] = (clump_pair){(uint64_t)indices[k], l->first_label + t->base + (uint64_t)labels[k]};
        }
        l->next[list] = at + k;
        if (k < now) break;
    }
    return CLUMP_OK;
}

/* Reads all entries of the window. */
static clump_status read_window(link_lists *l, int64_t end, bool *full, clump_message *message)
{
    const size_t lists = 2 * (size_t)l->job->tile_count;
    l->count = 0;
    *full = false;
    memcpy(l->next, l->at, lists * sizeof *l->next);
    for (size_t list = 0; list < lists && !*full; list++) {
        CLUMP_BIG_TRY(clump_big_workers_poll(&l->job->workers, message));
        CLUMP_BIG_TRY(read_list(l, list, end, full, message));
    }
    return CLUMP_OK;
}

/* Gets the entries of the points that this rank has in the window, from all ranks. */
static clump_status route_window(link_lists *l, clump_big_window *w, clump_message *message)
{
    clump_pair_sort(l->pairs, l->pairs + l->capacity, l->count);
    w->all = l->count;
    if (clump_big_ranks(l->job) == 1) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_route(l->job, w, l->pairs, l->count, message));
    if (w->full) return CLUMP_OK;
    void *received;
    CLUMP_BIG_TRY(clump_big_lists(l->job, sizeof *l->pairs, l->pairs, w->counts, &received,
                                  w->counts + clump_big_ranks(l->job), &l->count, message));
    if (l->count > 0) memcpy(l->pairs, received, l->count * sizeof *l->pairs);
    free(received);
    clump_pair_sort(l->pairs, l->pairs + l->capacity, l->count);
    return CLUMP_OK;
}

static clump_status unite_window(link_lists *l, clump_big_nodes *nodes, clump_message *message)
{
    for (size_t k = 1; k < l->count; k++)
        if (l->pairs[k].key == l->pairs[k - 1].key)
            CLUMP_BIG_TRY(clump_big_nodes_unite(nodes, l->pairs[k].value, l->pairs[k - 1].value, message));
    return CLUMP_OK;
}

static clump_status run_windows(link_lists *l, uint64_t entries, clump_big_nodes *nodes, clump_message *message)
{
    clump_big_job *const job = l->job;
    const int64_t first = (int64_t)job->hooks->first_block * CLUMP_BLOCK_POINTS,
                  last = first + (int64_t)job->info.count;
    const uint64_t room = l->capacity * (uint64_t)clump_big_ranks(job);
    const uint64_t windows = entries / room + (entries > room) + 1;
    int64_t step = (last - first) / (int64_t)windows + 1;
    for (int64_t from = first; from < last;) {
        const double part = (double)(from - first) / (double)(last - first);
        clump_status status =
            clump_big_step(job, CLUMP_BIG_MERGE, clump_big_between(0, CLUMP_BIG_LINKS_END, part), message);
        clump_big_window w = {.from = from, .end = step < last - from ? from + step : last};
        w.most = l->capacity, w.counts = l->counts;
        if (status == CLUMP_OK) status = read_window(l, w.end, &w.full, message);
        CLUMP_BIG_TRY(clump_big_agree(job, status, message));
        CLUMP_BIG_TRY(route_window(l, &w, message));
        if (w.full && step == 1)
            return clump_big_fail(message, CLUMP_ERR_OUT_OF_MEMORY, "a point is in more than %zu rims", l->capacity);
        if (w.full) {
            step = step / 2 > 0 ? step / 2 : 1;
            continue;
        }
        CLUMP_BIG_TRY(clump_big_agree(job, unite_window(l, nodes, message), message));
        memcpy(l->at, l->next, 2 * (size_t)job->tile_count * sizeof *l->at);
        from = w.end;
        if (w.all < room / 4) step = step < INT64_MAX / 4 ? 2 * step : step;
    }
    return CLUMP_OK;
}

clump_status clump_big_links_find(clump_big_job *job, clump_big_nodes *nodes, clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(job);
    uint64_t entries = 0;
    for (uint32_t t = 0; t < job->tile_count; t++) entries += job->tiles[t].rims + job->tiles[t].strips;
    CLUMP_BIG_TRY(clump_big_sum(job, &entries, 1, message));
    if (entries == 0 || (ranks == 1 && job->tile_count == 1)) return CLUMP_OK;
    link_lists l = {.job = job, .capacity = job->budget.entries, .first_label = job->first_label[clump_big_rank(job)]};
    if (l.capacity > entries) l.capacity = (size_t)entries;
    if (l.capacity < LINKS_LEAST && !job->hooks->entries) l.capacity = LINKS_LEAST;
    l.at = calloc(4 * (size_t)job->tile_count, sizeof *l.at);
    l.next = l.at ? l.at + 2 * (size_t)job->tile_count : NULL;
    l.pairs = malloc(2 * l.capacity * sizeof *l.pairs);
    l.counts = malloc(2 * ranks * sizeof *l.counts);
    clump_status status = CLUMP_OK;
    if (!l.at || !l.pairs || !l.counts) status = clump_big_no_memory(message, 2 * l.capacity * sizeof *l.pairs);
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK) status = run_windows(&l, entries, nodes, message);
    free(l.at);
    free(l.pairs);
    free(l.counts);
    return status;
}
