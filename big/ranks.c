/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.c: see job.h. Every rank computes the same from the same numbers.
 */
#include "job.h"

#include "common/assert.h"
#include "store/fail.h"

#include <stdlib.h>
#include <string.h>

#define RANKS_LEAST ((uint64_t)1 << 14) /* points per tile: smaller tiles would have rims as large as themselves */
#define RANKS_MOST  ((uint64_t)1 << 19)
#define RANKS_TILES 1024 /* tiles of a cloud between these limits, */
#define RANKS_EACH  64   /* and tiles per rank, so that they divide evenly */

/* ----- agreement ------------------------------------------------------------------------------------------------------ */

clump_status clump_big_sent(clump_big_job *job, clump_status status, clump_message *message)
{
    if (status == CLUMP_OK) return CLUMP_OK;
    if (status == CLUMP_ERR_CANCELLED) return clump_big_fail(message, status, "cancelled by the caller");
    if (status == CLUMP_ERR_OUT_OF_MEMORY)
        return clump_big_fail(message, status, "a rank has no memory for the messages of the others");
    return clump_big_fail(message, status,
                          "rank %d: another rank has failed or ended; do all machines have the files and devices?",
                          clump_big_rank(job));
}

clump_status clump_big_agree_any(clump_big_job *job, clump_status status, bool *any, clump_message *message)
{
    clump_mail *const mail = &job->mail;
    if (status == CLUMP_OK) status = clump_big_poll(job->disk.cancel, message);
    if (mail->peers.count == 1) return status;
    int64_t said[2] = {status == CLUMP_OK ? mail->peers.count : mail->peers.rank, *any ? -1 : 0};
    clump_status spoken = clump_mail_least(mail, said, 2); /* the first rank that failed; whether one says yes */
    if (spoken != CLUMP_OK) return clump_big_sent(job, spoken, message);
    *any = said[1] != 0;
    if (said[0] == mail->peers.count) return CLUMP_OK;
    /* its status and sentence, as the sum of one rank's words and zeros of all others */
    uint64_t words[1 + sizeof message->text / 8] = {0};
    if (said[0] == mail->peers.rank) {
        words[0] = (uint64_t)status;
        memcpy(words + 1, message->text, sizeof message->text);
    }
    spoken = clump_mail_sum(mail, words, sizeof words / sizeof *words);
    if (spoken != CLUMP_OK) return clump_big_sent(job, spoken, message);
    memcpy(message->text, words + 1, sizeof message->text);
    message->text[sizeof message->text - 1] = '\0';
    return (clump_status)words[0];
}

clump_status clump_big_agree(clump_big_job *job, clump_status status, clump_message *message)
{
    bool none = false;
    return clump_big_agree_any(job, status, &none, message);
}

clump_status clump_big_agree_made(clump_big_job *job, bool made, size_t bytes, clump_message *message)
{
    return clump_big_agree(job, made ? CLUMP_OK : clump_big_no_memory(message, bytes), message);
}

clump_status clump_big_sum(clump_big_job *job, uint64_t *values, size_t count, clump_message *message)
{
    return clump_big_sent(job, clump_mail_sum(&job->mail, values, count), message);
}

clump_status clump_big_least(clump_big_job *job, int64_t *values, size_t count, clump_message *message)
{
    return clump_big_sent(job, clump_mail_least(&job->mail, values, count), message);
}

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

clump_status clump_big_unite_boxes(clump_big_job *job, clump_big_box *box, clump_message *message)
{
    int64_t words[12]; /* ~x turns the largest into the least */
    for (int a = 0; a < 3; a++) {
        words[a] = box->lower_step[a], words[3 + a] = ~box->upper_step[a];
        words[6 + a] = key_of(box->lower[a]), words[9 + a] = ~key_of(box->upper[a]);
    }
    CLUMP_BIG_TRY(clump_big_least(job, words, 12, message));
    for (int a = 0; a < 3; a++) {
        box->lower_step[a] = words[a], box->upper_step[a] = ~words[3 + a];
        box->lower[a] = of_key(words[6 + a]), box->upper[a] = of_key(~words[9 + a]);
    }
    return CLUMP_OK;
}

/* ----- arrays --------------------------------------------------------------------------------------------------------- */

clump_status clump_big_lists(clump_big_job *job, size_t size, const void *send, const uint64_t *counts, void **out,
                             uint64_t *received, size_t *total, clump_message *message)
{
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_lists(&job->mail, size, send, counts, out, received), message));
    *total = 0;
    for (int r = 0; r < clump_big_ranks(job); r++) *total += (size_t)received[r];
    return CLUMP_OK;
}

clump_status clump_big_to_first(clump_big_job *job, size_t size, const void *send, size_t count, void **out,
                                size_t *total, clump_message *message)
{
    uint64_t *const words = job->words;
    memset(words, 0, (size_t)clump_big_ranks(job) * sizeof *words);
    words[0] = count;
    return clump_big_lists(job, size, send, words, out, words + clump_big_ranks(job), total, message);
}

/* ----- shares --------------------------------------------------------------------------------------------------------- */

uint64_t clump_big_ranks_most(uint64_t points, int ranks)
{
    const uint64_t tiles = RANKS_EACH * (uint64_t)ranks > RANKS_TILES ? RANKS_EACH * (uint64_t)ranks : RANKS_TILES;
    const uint64_t even = points / tiles;
    return even < RANKS_LEAST ? RANKS_LEAST : even > RANKS_MOST ? RANKS_MOST : even;
}

/* Gives each rank as many tiles as cost at most `most`. Returns whether that is enough for all tiles. */
static bool give_tiles(const uint64_t *costs, uint32_t tiles, int ranks, uint64_t most, uint32_t *first)
{
    uint32_t tile = 0;
    for (int r = 0; r < ranks; r++) {
        first[r] = tile;
        for (uint64_t load = 0; tile < tiles && costs[tile] <= most - load; tile++) load += costs[tile];
    }
    first[ranks] = tiles;
    return tile == tiles;
}

void clump_big_ranks_share(const uint64_t *costs, uint32_t tiles, int ranks, uint32_t *first)
{
    CLUMP_ASSERT(ranks >= 1);
    uint64_t low = 0, high = 0;
    for (uint32_t t = 0; t < tiles; t++) high += costs[t];
    while (low < high) { /* the least cost that is enough */
        const uint64_t middle = low + (high - low) / 2;
        if (give_tiles(costs, tiles, ranks, middle, first))
            high = middle;
        else
            low = middle + 1;
    }
    give_tiles(costs, tiles, ranks, high, first);
}

uint64_t clump_big_ranks_block(uint64_t blocks, int ranks, int r)
{
    const uint64_t each = blocks / (uint64_t)ranks, more = blocks % (uint64_t)ranks, rank = (uint64_t)r;
    return each * rank + (rank < more ? rank : more);
}

int clump_big_rank_of_tile(const clump_big_job *job, uint32_t tile)
{
    int low = 0, high = clump_big_ranks(job);
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(job->first_tile[middle] <= tile ? &low : &high) = middle;
    }
    return low;
}
