/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_shuffle.c: points go to the ranks that cluster their tiles.
 *
 *     to a rank   | own points of its tiles, tile by tile | rim points of its tiles, tile by tile |
 *     record      stored coordinates (12 or 24 bytes), place in the sender's share (4 bytes)
 *
 * Shares ascend with the ranks and places within a tile: read sender by sender, the own points of a tile ascend by index.
 * Nothing has to be sorted.
 */
#include "ranks/ranks.h"
#include "common/assert.h"
#include "peers/peers.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHUFFLE_PIECE_BYTES = 100 }; /* memory per point of a tile while it is clustered, about */

typedef struct shuffle {
    clump_ranks *ranks;
    size_t stored, record;    /* bytes */
    uint64_t *from;           /* per sender: where its records begin in `received` */
    uint64_t *send, *receive; /* bytes per rank */
} shuffle;

/* Writes records [at, at + size) of the stream to a rank. Parts begin and end at multiples of 16 bytes, so a record of 28
 * bytes may be cut. */
static void pack(void *user, int rank, uint64_t at, size_t size, void *to)
{
    const shuffle *const s = user;
    const clump_ranks *const ranks = s->ranks;
    const uint32_t begin = ranks->first_tile[rank], end = ranks->first_tile[rank + 1];
    const uint64_t own = ranks->own_at[end] - ranks->own_at[begin];
    unsigned char *out = to, record[32];
    while (size > 0) {
        const uint64_t number = at / s->record;
        const size_t skip = (size_t)(at % s->record), left = s->record - skip, now = left < size ? left : size;
        CLUMP_ASSERT(number < own + (ranks->rim_at[end] - ranks->rim_at[begin]));
        const uint32_t point = number < own ? ranks->order[ranks->own_at[begin] + number]
                                            : ranks->rim_order[ranks->rim_at[begin] + (number - own)];
        const bool is_whole = now == s->record;
        unsigned char *const whole = is_whole ? out : record;
        clump_ranks_copy(whole, clump_ranks_point(ranks, point), s->stored);
        memcpy(whole + s->stored, &ranks->places[point], sizeof ranks->places[point]);
        if (!is_whole) memcpy(out, record + skip, now);
        out += now, at += now, size -= now;
    }
}

static void take(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    const shuffle *const s = user;
    CLUMP_ASSERT(at + size <= s->receive[rank]);
    memcpy(s->ranks->received + s->from[rank] + at, from, size);
}

/* Counts of a sender for one tile. */
typedef struct shuffle_counts {
    uint32_t own, rim;
} shuffle_counts;

/* Tells every rank how many points of each of its tiles come. */
static clump_status exchange_counts(clump_ranks *ranks, uint64_t *words, shuffle_counts **received)
{
    const size_t count = (size_t)ranks->mail.peers.count, tiles = ranks->map.tile_count;
    uint64_t *const send = words, *const receive = words + count;
    shuffle_counts *const counts = malloc(tiles * sizeof *counts);
    clump_status status = clump_ranks_agree(ranks, counts ? CLUMP_OK : clump_big_no_memory(&ranks->message, 8 * tiles));
    for (size_t t = 0; t < tiles && status == CLUMP_OK; t++)
        counts[t] = (shuffle_counts){(uint32_t)(ranks->own_at[t + 1] - ranks->own_at[t]),
                                     (uint32_t)(ranks->rim_at[t + 1] - ranks->rim_at[t])};
    for (size_t r = 0; r < count; r++) send[r] = ranks->first_tile[r + 1] - ranks->first_tile[r];
    void *list = NULL;
    if (status == CLUMP_OK)
        status = clump_ranks_sent(ranks, clump_mail_lists(&ranks->mail, sizeof *counts, counts, send, &list, receive));
    free(counts);
    *received = list;
    return status;
}

/* Finds where the records of each sender and tile will be. Returns how many bytes come in all. */
static uint64_t find_places(shuffle *s, const shuffle_counts *counts)
{
    clump_ranks *const ranks = s->ranks;
    const size_t here = ranks->tiles_here;
    uint64_t at = 0;
    for (int r = 0; r < ranks->mail.peers.count; r++) {
        const uint64_t begin = at;
        s->from[r] = begin;
        for (size_t k = 0; k < here; k++) {
            const size_t cell = (size_t)r * here + k;
            ranks->own_from[cell] = at;
            ranks->own_counts[cell] = counts[cell].own;
            ranks->tiles[k].own += counts[cell].own;
            at += counts[cell].own * (uint64_t)s->record;
        }
        for (size_t k = 0; k < here; k++) {
            const size_t cell = (size_t)r * here + k;
            ranks->rim_from[cell] = at;
            ranks->rim_counts[cell] = counts[cell].rim;
            ranks->tiles[k].rim += counts[cell].rim;
            at += counts[cell].rim * (uint64_t)s->record;
        }
        s->receive[r] = at - begin;
        const uint32_t first = ranks->first_tile[r], last = ranks->first_tile[r + 1];
        s->send[r] =
            (ranks->own_at[last] - ranks->own_at[first] + ranks->rim_at[last] - ranks->rim_at[first]) * s->record;
    }
    return at;
}

/* Fails where this rank needs more memory than it may use, or a tile is too large for one call. */
static clump_status check_memory(const shuffle *s, uint64_t received)
{
    clump_ranks *const ranks = s->ranks;
    uint64_t largest = 0;
    for (size_t k = 0; k < ranks->tiles_here; k++) {
        const uint64_t points = ranks->tiles[k].own + ranks->tiles[k].rim;
        largest = points > largest ? points : largest;
    }
    if (largest > INT32_MAX)
        return clump_big_fail(&ranks->message, CLUMP_ERR_TOO_MANY,
                              "%" PRIu64
                              " points are so close together that no tile can divide them; at most %d fit into "
                              "one",
                              largest, INT32_MAX);
    const uint64_t workers =
        (uint64_t)ranks->threads < ranks->tiles_here ? (uint64_t)ranks->threads : ranks->tiles_here;
    const uint64_t share = ranks->taken * (s->stored + 2 * sizeof *ranks->order);
    const uint64_t clustering = received / 4 + workers * largest * SHUFFLE_PIECE_BYTES;
    const uint64_t mail = 2 * ranks->mail.most;
    const uint64_t needed = received + (share + mail > clustering ? share + mail : clustering);
    return clump_ranks_check_ram(ranks, needed);
}

static clump_status prepare(shuffle *s)
{
    clump_ranks *const ranks = s->ranks;
    const size_t cells = (size_t)ranks->mail.peers.count * ranks->tiles_here + 1;
    ranks->tiles = calloc(ranks->tiles_here + 1, sizeof *ranks->tiles);
    ranks->own_from = calloc(cells, sizeof *ranks->own_from);
    ranks->rim_from = calloc(cells, sizeof *ranks->rim_from);
    ranks->own_counts = calloc(cells, sizeof *ranks->own_counts);
    ranks->rim_counts = calloc(cells, sizeof *ranks->rim_counts);
    const bool complete = ranks->tiles && ranks->own_from && ranks->rim_from && ranks->own_counts && ranks->rim_counts;
    return complete ? CLUMP_OK : clump_big_no_memory(&ranks->message, cells * 24);
}

static clump_status make_room(shuffle *s, const shuffle_counts *counts)
{
    CLUMP_BIG_TRY(prepare(s));
    const uint64_t bytes = find_places(s, counts);
    CLUMP_BIG_TRY(check_memory(s, bytes));
    s->ranks->received = clump_big_room((size_t)bytes);
    return s->ranks->received ? CLUMP_OK : clump_big_no_memory(&s->ranks->message, (size_t)bytes);
}

clump_status clump_ranks_shuffle(clump_ranks *ranks)
{
    const size_t count = (size_t)ranks->mail.peers.count, stored = clump_big_frame_bytes(&ranks->frame);
    uint64_t *const words = calloc(5 * count, sizeof *words);
    shuffle_counts *counts = NULL;
    clump_status status = clump_ranks_agree(ranks, words ? CLUMP_OK : clump_big_no_memory(&ranks->message, 40 * count));
    shuffle s = {.ranks = ranks, .stored = stored, .record = stored + sizeof(uint32_t)};
    if (status == CLUMP_OK) {
        const int rank = ranks->mail.peers.rank;
        s.from = words + 2 * count, s.send = words + 3 * count, s.receive = words + 4 * count;
        ranks->tiles_here = ranks->first_tile[rank + 1] - ranks->first_tile[rank];
        status = exchange_counts(ranks, words, &counts);
    }
    if (status == CLUMP_OK) status = clump_ranks_agree(ranks, make_room(&s, counts));
    free(counts);
    if (status == CLUMP_OK)
        status = clump_ranks_sent(ranks, clump_mail_stream(&ranks->mail, s.send, pack, s.receive, take, &s));
    free(words);
    for (size_t k = 0; k < ranks->taken && status == CLUMP_OK; k++) ranks->order[k] = ranks->places[ranks->order[k]];
    free(ranks->stored);
    free(ranks->places);
    free(ranks->rim_order);
    ranks->stored = NULL;
    ranks->places = ranks->rim_order = NULL;
    return status;
}
