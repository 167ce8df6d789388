/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_read.c: each rank reads consecutive blocks of the input. The points are kept as the frame stores them.
 *
 * The frame is placed by the box of the headers. Where that turns out to be wrong, or there is none, all ranks agree on the
 * box of all points, and read again. float64 coordinates and a crop need the box beforehand.
 */
#include "ranks/ranks.h"

#include "common/assert.h"

#include "workers.h"
#include "peers/peers.h"

#include <stdlib.h>
#include <string.h>

typedef struct share_reader {
    clump_ranks *ranks;
    clump_reader_info info;
    const clump_big_filter *filter; /* null: only the box */
    uint64_t first, end;            /* blocks of this rank */
    clump_big_blocks blocks;
    uint32_t *taken; /* per block: points that take part; they are at the place of the block */
    uint64_t moved;  /* coordinates that were rounded to others */
    clump_big_box box;
    pthread_mutex_t lock; /* of the box and of moved */
} share_reader;

/* Keeps the points of a block that take part. */
static void keep_points(share_reader *s, uint64_t number, const clump_big_picked *picked)
{
    CLUMP_ASSERT(number >= s->first && number < s->end && picked->count <= CLUMP_BLOCK_POINTS);
    clump_ranks *const ranks = s->ranks;
    const size_t bytes = clump_big_frame_bytes(&ranks->frame), at = (size_t)(number - s->first) * CLUMP_BLOCK_POINTS;
    memcpy((unsigned char *)ranks->stored + at * bytes, picked->stored, picked->count * bytes);
    for (size_t i = 0; i < picked->count; i++) ranks->places[at + i] = (uint32_t)(at + picked->places[i]);
    s->taken[number - s->first] = (uint32_t)picked->count;
}

static clump_status read_blocks(void *arg, int worker, clump_message *message)
{
    share_reader *const s = arg;
    clump_block block = {0};
    clump_big_picked picked = {0};
    clump_big_box box;
    uint64_t moved = 0;
    clump_big_box_clear(&box);
    clump_status status = CLUMP_OK;
    while (status == CLUMP_OK && !clump_ranks_cancelled(s->ranks)) {
        uint64_t number;
        status = clump_big_blocks_take(&s->blocks, &block, &number, message);
        if (status != CLUMP_OK || number == s->end) break;
        if (worker == 0) clump_ranks_tell(s->ranks, (double)number / (double)s->end);
        if (number < s->first) continue; /* blocks of a file that can only be read from its beginning */
        if (!s->filter) {
            clump_big_box_add(&box, &block);
            continue;
        }
        status = clump_big_pick(&s->ranks->frame, s->filter, s->ranks->reader, &block, &picked, &box, message);
        if (status == CLUMP_OK) keep_points(s, number, &picked);
        moved += picked.moved;
    }
    pthread_mutex_lock(&s->lock);
    clump_big_box_unite(&s->box, &box);
    s->moved += moved;
    pthread_mutex_unlock(&s->lock);
    clump_big_pick_release(&picked);
    clump_block_release(&block);
    return status;
}

/* Moves the points together that follow each other in the share. */
static void close_gaps(share_reader *s)
{
    clump_ranks *const ranks = s->ranks;
    const size_t bytes = clump_big_frame_bytes(&ranks->frame);
    unsigned char *const stored = ranks->stored;
    ranks->taken = 0;
    for (uint64_t b = s->first; b < s->end; b++) {
        const size_t at = (size_t)(b - s->first) * CLUMP_BLOCK_POINTS, count = s->taken[b - s->first];
        CLUMP_ASSERT(ranks->taken <= at);
        if (at != ranks->taken) {
            memmove(stored + ranks->taken * bytes, stored + at * bytes, count * bytes);
            memmove(ranks->places + ranks->taken, ranks->places + at, count * sizeof *ranks->places);
        }
        ranks->taken += count;
    }
}

static clump_status make_room(share_reader *s)
{
    clump_ranks *const ranks = s->ranks;
    const size_t room = (size_t)(s->end - s->first) * CLUMP_BLOCK_POINTS, bytes = clump_big_frame_bytes(&ranks->frame);
    if (ranks->share >= UINT32_MAX) return CLUMP_OK; /* refused when the shares are compared */
    CLUMP_BIG_TRY(clump_ranks_check_ram(ranks, (uint64_t)room * (bytes + sizeof *ranks->places)));
    free(ranks->stored);
    free(ranks->places);
    ranks->stored = clump_big_room(room * bytes);
    ranks->places = clump_big_room(room * sizeof *ranks->places);
    if (ranks->stored && ranks->places) return CLUMP_OK;
    return clump_big_no_memory(&ranks->message, room * (bytes + sizeof *ranks->places));
}

/* Reads the share: its points, or only its box. */
static clump_status read_share(share_reader *s, clump_reader *reader, const clump_big_filter *filter)
{
    if (filter) CLUMP_BIG_TRY(make_room(s));
    if (s->ranks->share >= UINT32_MAX) return CLUMP_OK;
    s->filter = filter;
    clump_big_box_clear(&s->box);
    s->moved = 0;
    clump_big_blocks_begin(&s->blocks, reader, s->info.parallel ? s->first : 0, s->end, 1);
    const clump_status status = clump_ranks_work(s->ranks, read_blocks, s);
    clump_big_blocks_end(&s->blocks);
    if (status == CLUMP_OK && filter) close_gaps(s);
    return status;
}

/* ----- the box of all ranks ------------------------------------------------------------------------------------------- */

/* Returns an integer that is in the order of the numbers; and back. */
static int64_t key_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static double of_key(int64_t key)
{
    const int64_t bits = key < 0 ? key ^ INT64_MAX : key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Unites the boxes of all ranks. ~x turns the largest into the least. */
static clump_status unite_boxes(clump_ranks *ranks, clump_big_box *box)
{
    int64_t words[12];
    for (int a = 0; a < 3; a++) {
        words[a] = box->lower_step[a], words[3 + a] = ~box->upper_step[a];
        words[6 + a] = key_of(box->lower[a]), words[9 + a] = ~key_of(box->upper[a]);
    }
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_least(&ranks->mail, words, 12)));
    for (int a = 0; a < 3; a++) {
        box->lower_step[a] = words[a], box->upper_step[a] = ~words[3 + a];
        box->lower[a] = of_key(words[6 + a]), box->upper[a] = of_key(~words[9 + a]);
    }
    return CLUMP_OK;
}

static clump_status read_all(share_reader *s, clump_reader *reader, const clump_big_filter *filter, int *passes)
{
    clump_ranks *const ranks = s->ranks;
    const bool steps = s->info.coordinates == CLUMP_COORDINATES_STEPS;
    clump_big_box box;
    clump_big_box_clear(&box);
    for (int a = 0; a < 3 && steps && s->info.has_box; a++)
        box.lower_step[a] = s->info.lower_step[a], box.upper_step[a] = s->info.upper_step[a];
    if (s->info.own == CLUMP_COORDINATES_DOUBLE || filter->crop || (steps && !s->info.has_box)) {
        ++*passes;
        CLUMP_BIG_TRY(clump_ranks_agree(ranks, read_share(s, reader, NULL)));
        box = s->box;
        CLUMP_BIG_TRY(unite_boxes(ranks, &box));
        clump_big_frame_set_origin(&ranks->frame, reader, &box);
    }
    for (bool again = false;; again = true) {
        CLUMP_BIG_TRY(clump_ranks_agree(ranks, clump_big_frame_place(&ranks->frame, &box, &ranks->message)));
        ++*passes;
        CLUMP_BIG_TRY(clump_ranks_agree(ranks, read_share(s, reader, filter)));
        box = s->box;
        CLUMP_BIG_TRY(unite_boxes(ranks, &box));
        if (clump_big_frame_fits(&ranks->frame, &box)) break;
        if (again) return clump_big_fail(&ranks->message, CLUMP_ERR_IO_READ, "the input has changed while it was read");
    }
    clump_big_frame_set_origin(&ranks->frame, reader, &box);
    ranks->moved = s->moved;
    return CLUMP_OK;
}

clump_status clump_ranks_read(clump_ranks *ranks, clump_reader *reader, const clump_big_filter *filter, int *passes)
{
    const int count = ranks->mail.peers.count, rank = ranks->mail.peers.rank;
    share_reader s = {.ranks = ranks, .info = clump_reader_describe(reader)};
    s.first = clump_ranks_block(s.info.blocks, count, rank);
    s.end = clump_ranks_block(s.info.blocks, count, rank + 1);
    const uint64_t begin = s.first * CLUMP_BLOCK_POINTS, end = s.end * CLUMP_BLOCK_POINTS;
    CLUMP_ASSERT(s.first <= s.end && s.end <= s.info.blocks);
    ranks->share = (end < s.info.count ? end : s.info.count) - (begin < s.info.count ? begin : s.info.count);
    s.taken = calloc((size_t)(s.end - s.first) + 1, sizeof *s.taken);
    pthread_mutex_init(&s.lock, NULL);
    clump_status status =
        clump_ranks_agree(ranks, s.taken ? CLUMP_OK : clump_big_no_memory(&ranks->message, (size_t)s.end * 4));
    if (status == CLUMP_OK) status = read_all(&s, reader, filter, passes);
    pthread_mutex_destroy(&s.lock);
    free(s.taken);
    return status;
}
