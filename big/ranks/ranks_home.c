/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_home.c: labels go back the way that the points came. The sender of a point knows in which order it sent the points
 * to each rank, so no index goes along: 4 bytes per point, 8 where int32 cannot hold the number of clusters.
 */
#include "ranks/ranks.h"
#include "common/assert.h"
#include "peers/peers.h"

#include <stdlib.h>
#include <string.h>

typedef struct home {
    clump_ranks *ranks;
    size_t size;              /* bytes of a label */
    uint64_t *own_before;     /* per sender and tile of this rank: own points of its stream before this tile */
    uint64_t *tile_before;    /* per sender and tile: own points of the tile that lower ranks sent */
    uint64_t *send, *receive; /* bytes per rank */
} home;

/* Returns the final label of own point `point` of a tile. */
static int64_t label_of(const clump_ranks *ranks, size_t tile, uint64_t point)
{
    CLUMP_ASSERT(tile < ranks->tiles_here);
    const clump_ranks_tile *const t = &ranks->tiles[tile];
    const int32_t label = t->labels[point];
    return label < 0 ? CLUMP_NOISE : ranks->firsts[t->node - ranks->first_node + (uint64_t)label];
}

/* Returns the tile of this rank that has point `number` of the stream of a sender. */
static size_t tile_of(const home *h, int rank, uint64_t number)
{
    const uint64_t *const before = h->own_before + (size_t)rank * (h->ranks->tiles_here + 1);
    size_t low = 0, high = h->ranks->tiles_here; /* before[low] <= number < before[high] */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (before[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Writes labels [at, at + size) of the stream to a rank, in bytes; parts are whole labels. */
static void pack(void *user, int rank, uint64_t at, size_t size, void *to)
{
    const home *const h = user;
    const clump_ranks *const ranks = h->ranks;
    const uint64_t *const before = h->own_before + (size_t)rank * (ranks->tiles_here + 1);
    uint64_t number = at / h->size;
    const uint64_t end = number + size / h->size;
    unsigned char *out = to;
    for (size_t tile = tile_of(h, rank, number); number < end; tile++) {
        const uint64_t shift = h->tile_before[(size_t)rank * ranks->tiles_here + tile] - before[tile];
        const uint64_t last = before[tile + 1] < end ? before[tile + 1] : end;
        for (; number < last; number++, out += h->size) {
            const int64_t label = label_of(ranks, tile, number + shift);
            const int32_t narrow = (int32_t)label;
            if (h->size == sizeof narrow)
                memcpy(out, &narrow, sizeof narrow);
            else
                memcpy(out, &label, sizeof label);
        }
    }
}

/* Puts labels at the places of their points in the share. */
static void take(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    const home *const h = user;
    const clump_ranks *const ranks = h->ranks;
    const uint32_t *const order = ranks->order + ranks->own_at[ranks->first_tile[rank]] + at / h->size;
    for (size_t i = 0; i < size / h->size; i++)
        memcpy((unsigned char *)ranks->labels + order[i] * h->size, (const unsigned char *)from + i * h->size, h->size);
}

/* Finds where labels are, how many bytes go where, and makes room for the labels of the share: noise at first. */
static clump_status prepare(home *h)
{
    clump_ranks *const ranks = h->ranks;
    const size_t here = ranks->tiles_here, count = (size_t)ranks->mail.peers.count;
    h->own_before = calloc(count * (here + 1), sizeof *h->own_before);
    h->tile_before = calloc(count * here + 1, sizeof *h->tile_before);
    h->send = calloc(count, sizeof *h->send);
    h->receive = calloc(count, sizeof *h->receive);
    ranks->labels = clump_big_room((size_t)ranks->share * h->size);
    if (!h->own_before || !h->tile_before || !h->send || !h->receive || !ranks->labels)
        return clump_big_no_memory(&ranks->message, (size_t)ranks->share * h->size);
    memset(ranks->labels, 0xff, (size_t)ranks->share * h->size); /* CLUMP_NOISE is -1 */
    for (size_t r = 0; r < count; r++) {
        uint64_t *const before = h->own_before + r * (here + 1);
        for (size_t k = 0; k < here; k++) {
            before[k + 1] = before[k] + ranks->own_counts[r * here + k];
            if (r > 0)
                h->tile_before[r * here + k] =
                    h->tile_before[(r - 1) * here + k] + ranks->own_counts[(r - 1) * here + k];
        }
        h->send[r] = before[here] * h->size;
        h->receive[r] = (ranks->own_at[ranks->first_tile[r + 1]] - ranks->own_at[ranks->first_tile[r]]) * h->size;
    }
    return CLUMP_OK;
}

clump_status clump_ranks_send_home(clump_ranks *ranks)
{
    home h = {.ranks = ranks, .size = ranks->wide ? sizeof(int64_t) : sizeof(int32_t)};
    clump_status status = clump_ranks_agree(ranks, prepare(&h));
    if (status == CLUMP_OK)
        status = clump_ranks_sent(ranks, clump_mail_stream(&ranks->mail, h.send, pack, h.receive, take, &h));
    free(h.own_before);
    free(h.tile_before);
    free(h.send);
    free(h.receive);
    return status;
}
