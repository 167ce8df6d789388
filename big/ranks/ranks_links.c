/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_links.c: which clusters of different tiles are one. A point in the rim of a tile is an own point of another, and is
 * in a cluster of both.
 *
 *     owner of the point   sends (index, provisional label) to the ranks that have it in a rim
 *     rank of the rim      looks up its rim points by index: a link of two provisional labels
 *
 * Provisional labels are numbered through all tiles. Each rank unites what its own links unite, and keeps one link per
 * union: no more links than clusters.
 */
#include "ranks/ranks.h"
#include "common/assert.h"
#include "ranks/ranks_sets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An own point that may be in a rim: its index, and its provisional label among those of all tiles. */
typedef struct link_point {
    int64_t index;
    uint64_t node;
} link_point;

/* ----- provisional labels of all tiles -------------------------------------------------------------------------------- */

/* Numbers the provisional labels of all tiles. */
static clump_status number_nodes(clump_ranks *ranks)
{
    const size_t count = (size_t)ranks->mail.peers.count;
    const int rank = ranks->mail.peers.rank;
    ranks->first_nodes = calloc(count + 1, sizeof *ranks->first_nodes);
    CLUMP_BIG_TRY(
        clump_ranks_agree(ranks, ranks->first_nodes ? CLUMP_OK : clump_big_no_memory(&ranks->message, 8 * count)));
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        ranks->tiles[k].node = ranks->node_count;
        ranks->node_count +=
            (uint64_t)ranks->tiles[k].piece->cluster_count + (uint64_t)ranks->tiles[k].piece->choice_count;
    }
    ranks->first_nodes[rank + 1] = ranks->node_count;
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, ranks->first_nodes, count + 1)));
    for (size_t r = 0; r < count; r++) ranks->first_nodes[r + 1] += ranks->first_nodes[r];
    ranks->first_node = ranks->first_nodes[rank];
    for (size_t k = 0; k < ranks->tiles_here; k++) ranks->tiles[k].node += ranks->first_node;
    return CLUMP_OK;
}

/* ----- strips --------------------------------------------------------------------------------------------------------- */

/* Sorts the strips of all tiles by rank, for sending. */
static clump_status pack_strips(clump_ranks *ranks, uint64_t *counts, link_point **out)
{
    CLUMP_ASSERT(ranks->tiles_here == 0 || ranks->tiles[0].node == ranks->first_node);
    const int count = ranks->mail.peers.count;
    size_t total = 0;
    uint64_t *const at = calloc((size_t)count + 1, sizeof *at);
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        total += ranks->tiles[k].strip_count;
        for (size_t i = 0; i < ranks->tiles[k].strip_count; i++) counts[ranks->tiles[k].strips[i].rank]++;
    }
    link_point *const points = malloc(total * sizeof *points + 1);
    *out = points;
    if (!points || !at) {
        free(at);
        return clump_big_no_memory(&ranks->message, total * sizeof *points);
    }
    for (int r = 0; r < count; r++) at[r + 1] = at[r] + counts[r];
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        clump_ranks_tile *const tile = &ranks->tiles[k];
        for (size_t i = 0; i < tile->strip_count; i++)
            points[at[tile->strips[i].rank]++] =
                (link_point){tile->strips[i].index, tile->node + (uint64_t)tile->strips[i].label};
        free(tile->strips);
        tile->strips = NULL;
        tile->strip_count = 0;
    }
    free(at);
    return CLUMP_OK;
}

/* ----- links ---------------------------------------------------------------------------------------------------------- */

/* Enters own points of this rank's tiles that may be in a rim, and those that other ranks have sent. */
static clump_status enter_strips(clump_ranks *ranks, clump_ranks_words *table, const link_point *points, size_t count)
{
    size_t total = count;
    for (size_t k = 0; k < ranks->tiles_here; k++) total += ranks->tiles[k].piece->strip_count;
    if (!clump_ranks_words_make(table, total)) return clump_big_no_memory(&ranks->message, total * 32);
    for (size_t i = 0; i < count; i++) *clump_ranks_words_at(table, (uint64_t)points[i].index) = points[i].node;
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        const clump_piece *const piece = ranks->tiles[k].piece;
        for (size_t i = 0; i < piece->strip_count; i++)
            *clump_ranks_words_at(table, (uint64_t)piece->strip_indices[i]) =
                ranks->tiles[k].node + (uint64_t)piece->strip_labels[i];
    }
    return CLUMP_OK;
}

/* Looks up the rim points of this rank's tiles, and keeps the links that unite two sets. */
static clump_status find_links(clump_ranks *ranks, const link_point *points, size_t count)
{
    clump_ranks_words table = {0};
    clump_ranks_sets sets = {0};
    size_t rims = 0;
    for (size_t k = 0; k < ranks->tiles_here; k++) rims += ranks->tiles[k].piece->rim_count;
    clump_status status = enter_strips(ranks, &table, points, count);
    if (status == CLUMP_OK && !clump_ranks_sets_make(&sets, 2 * rims))
        status = clump_big_no_memory(&ranks->message, rims * 80);
    ranks->pairs = malloc(rims * 2 * sizeof *ranks->pairs + 1);
    if (!ranks->pairs) status = clump_big_no_memory(&ranks->message, rims * 2 * sizeof *ranks->pairs);
    for (size_t k = 0; k < ranks->tiles_here && status == CLUMP_OK; k++) {
        const clump_piece *const piece = ranks->tiles[k].piece;
        for (size_t i = 0; i < piece->rim_count && status == CLUMP_OK; i++) {
            const uint64_t *const other = clump_ranks_words_find(&table, (uint64_t)piece->rim_indices[i]);
            if (!other) {
                status = clump_big_fail(&ranks->message, CLUMP_ERR_INTERNAL,
                                        "rank %d: no rank has point %" PRId64 " of a rim", ranks->mail.peers.rank,
                                        piece->rim_indices[i]);
                break;
            }
            const uint64_t node = ranks->tiles[k].node + (uint64_t)piece->rim_labels[i];
            if (!clump_ranks_sets_unite(&sets, node, *other)) continue;
            CLUMP_ASSERT(ranks->pair_count < rims);
            ranks->pairs[2 * ranks->pair_count] = node;
            ranks->pairs[2 * ranks->pair_count + 1] = *other;
            ranks->pair_count++;
        }
    }
    ranks->links = rims;
    clump_ranks_words_release(&table);
    clump_ranks_sets_release(&sets);
    return status;
}

clump_status clump_ranks_link(clump_ranks *ranks)
{
    const size_t count = (size_t)ranks->mail.peers.count;
    CLUMP_BIG_TRY(number_nodes(ranks));
    uint64_t *const counts = calloc(2 * count, sizeof *counts);
    link_point *strips = NULL;
    void *received = NULL;
    clump_status status =
        counts ? pack_strips(ranks, counts, &strips) : clump_big_no_memory(&ranks->message, 16 * count);
    status = clump_ranks_agree(ranks, status);
    if (status == CLUMP_OK)
        status = clump_ranks_sent(
            ranks, clump_mail_lists(&ranks->mail, sizeof *strips, strips, counts, &received, counts + count));
    free(strips);
    size_t total = 0;
    for (size_t r = 0; r < count && status == CLUMP_OK; r++) total += (size_t)counts[count + r];
    if (status == CLUMP_OK) status = clump_ranks_agree(ranks, find_links(ranks, received, total));
    free(received);
    free(counts);
    if (status != CLUMP_OK) return status;
    return clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, &ranks->links, 1));
}
