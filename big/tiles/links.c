/* SPDX-License-Identifier: BSD-3-Clause
 *
 * links.c: see tiles.h.
 */
#include "tiles/tiles.h"

#include "store/results.h"

#include <stdlib.h>
#include <string.h>

enum { LINKS_AT_ONCE = 4096, LINKS_LEAST = 1024 }; /* entries that are read at a time; room at least */

/* Reads a list: rim and strip of tile t are 2 t and 2 t + 1. Values are clusters. */
static clump_status read_list(clump_big_windows *w, size_t list, clump_message *message)
{
    const clump_big_tile *const t = &w->job->tiles[list / 2];
    const bool rim = list % 2 == 0;
    const uint64_t all = rim ? t->rims : t->strips, base = w->job->first_label[clump_big_rank(w->job)] + t->base;
    int64_t indices[LINKS_AT_ONCE];
    int32_t labels[LINKS_AT_ONCE];
    for (uint64_t at = w->at[list]; at < all; at = w->next[list]) {
        const size_t now = all - at < LINKS_AT_ONCE ? (size_t)(all - at) : LINKS_AT_ONCE;
        CLUMP_BIG_TRY(clump_big_results_read(w->job, t, rim ? CLUMP_BIG_PART_RIM_INDICES : CLUMP_BIG_PART_STRIP_INDICES,
                                             at, now, indices, message));
        CLUMP_BIG_TRY(clump_big_results_read(w->job, t, rim ? CLUMP_BIG_PART_RIM_LABELS : CLUMP_BIG_PART_STRIP_LABELS,
                                             at, now, labels, message));
        size_t k = 0;
        for (; k < now && indices[k] < w->end; k++)
            if (!clump_big_windows_add(w, indices[k], base + (uint64_t)labels[k])) return CLUMP_OK;
        w->next[list] = at + k;
        if (k < now) break;
    }
    return CLUMP_OK;
}

/* Gets the entries of the points that this rank has in the window, from all ranks. */
static clump_status exchange_window(clump_big_windows *w, clump_message *message)
{
    const int ranks = clump_big_ranks(w->job);
    void *received;
    if (ranks == 1) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_lists(w->job, sizeof *w->pairs, w->pairs, w->counts, &received, w->counts + ranks,
                                  &w->count, message));
    if (w->count > 0) memcpy(w->pairs, received, w->count * sizeof *w->pairs);
    free(received);
    clump_pair_sort(w->pairs, w->pairs + w->capacity, w->count);
    return CLUMP_OK;
}

static clump_status unite_window(clump_big_windows *w, clump_message *message)
{
    CLUMP_BIG_TRY(exchange_window(w, message));
    clump_status status = CLUMP_OK;
    for (size_t k = 1; k < w->count && status == CLUMP_OK; k++)
        if (w->pairs[k].key == w->pairs[k - 1].key)
            status = clump_big_nodes_unite(w->user, w->pairs[k].value, w->pairs[k - 1].value, message);
    return clump_big_agree(w->job, status, message);
}

clump_status clump_big_links_find(clump_big_job *job, clump_big_nodes *nodes, clump_message *message)
{
    uint64_t entries = 0;
    for (uint32_t t = 0; t < job->tile_count; t++) entries += job->tiles[t].rims + job->tiles[t].strips;
    CLUMP_BIG_TRY(clump_big_sum(job, &entries, 1, message));
    if (entries == 0 || (clump_big_ranks(job) == 1 && job->tile_count == 1)) return CLUMP_OK;
    clump_big_windows w = {.job = job,
                           .user = nodes,
                           .lists = 2 * (size_t)job->tile_count,
                           .capacity = job->budget.entries < entries ? job->budget.entries : (size_t)entries,
                           .finish = CLUMP_BIG_LINKS_END,
                           .read = read_list,
                           .use = unite_window};
    if (w.capacity < LINKS_LEAST && !job->hooks->entries) w.capacity = LINKS_LEAST;
    return clump_big_windows_run(&w, entries, message);
}
