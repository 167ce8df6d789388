/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mail.c: see peers.h.
 *
 *     stream to rank r    |  slice  |  slice  |  slice  | rest |        a round sends one slice of each stream
 *
 * A slice is most / ranks bytes long, so no rank sends or receives more than `most` bytes in a round, whatever the streams
 * are. All ranks make as many rounds as the longest stream of all needs.
 */
#include "peers/peers.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "common/timer.h"

#include <stdlib.h>
#include <string.h>

clump_mail clump_mail_make(const clump_peers *peers)
{
    return (clump_mail){.peers = peers ? *peers : (clump_peers){.count = 1}, .most = CLUMP_MAIL_MOST};
}

/* ----- the transport's functions: a rank alone needs none -------------------------------------------------------- */

static clump_status timed(clump_mail *mail, double begin, clump_status status)
{
    mail->seconds += (clump_now_ms() - begin) * 1e-3;
    return status;
}

clump_status clump_mail_sum(clump_mail *mail, uint64_t *values, size_t count)
{
    const double begin = clump_now_ms();
    if (mail->peers.count == 1) return CLUMP_OK;
    mail->sent += count * sizeof *values;
    return timed(mail, begin, mail->peers.sum(mail->peers.user, values, count));
}

clump_status clump_mail_least(clump_mail *mail, int64_t *values, size_t count)
{
    const double begin = clump_now_ms();
    if (mail->peers.count == 1) return CLUMP_OK;
    mail->sent += count * sizeof *values;
    return timed(mail, begin, mail->peers.least(mail->peers.user, values, count));
}

clump_status clump_mail_before(clump_mail *mail, uint64_t *value)
{
    const double begin = clump_now_ms();
    if (mail->peers.count == 1) return *value = 0, CLUMP_OK;
    mail->sent += sizeof *value;
    return timed(mail, begin, mail->peers.before(mail->peers.user, value));
}

static clump_status exchange(clump_mail *mail, const void *send, const uint64_t *send_bytes, void *receive,
                             const uint64_t *receive_bytes)
{
    const double begin = clump_now_ms();
    mail->rounds++;
    if (mail->peers.count == 1) {
        CLUMP_ASSERT(send_bytes[0] == receive_bytes[0]);
        if (send_bytes[0] > 0) memcpy(receive, send, (size_t)send_bytes[0]);
        return CLUMP_OK;
    }
    for (int r = 0; r < mail->peers.count; r++) mail->sent += r != mail->peers.rank ? send_bytes[r] : 0;
    return timed(mail, begin, mail->peers.exchange(mail->peers.user, send, send_bytes, receive, receive_bytes));
}

/* Fails on all ranks where one of them fails. */
static clump_status agree(clump_mail *mail, bool fails, clump_status as)
{
    int64_t failed = fails ? -1 : 0;
    const clump_status status = clump_mail_least(mail, &failed, 1);
    return status == CLUMP_OK && failed != 0 ? as : status;
}

/* ----- streams ---------------------------------------------------------------------------------------------------- */

/* The memory of a call. */
typedef struct mail_bags {
    char *send, *receive;
    uint64_t *send_now, *receive_now; /* bytes of this round, one per rank */
} mail_bags;

/* Returns the bytes of a stream that round number `round` carries. */
static uint64_t part_of(uint64_t bytes, uint64_t slice, uint64_t round)
{
    CLUMP_ASSERT(slice >= 1);
    if (bytes / slice < round) return 0;
    const uint64_t left = bytes - slice * round;
    return left < slice ? left : slice;
}

/* Returns the bytes of all streams in the first round, which is the longest. */
static uint64_t bytes_of_round(const uint64_t *bytes, int count, uint64_t slice)
{
    CLUMP_ASSERT(count >= 1 && slice >= 1);
    uint64_t total = 0;
    for (int r = 0; r < count; r++) total += part_of(bytes[r], slice, 0);
    return total;
}

static clump_status take_bags(mail_bags *bags, int count, uint64_t send, uint64_t receive)
{
    CLUMP_ASSERT(count >= 1);
    *bags = (mail_bags){.send = malloc((size_t)send + 1),
                        .receive = malloc((size_t)receive + 1),
                        .send_now = calloc((size_t)count, sizeof(uint64_t)),
                        .receive_now = calloc((size_t)count, sizeof(uint64_t))};
    return bags->send && bags->receive && bags->send_now && bags->receive_now ? CLUMP_OK : CLUMP_ERR_OUT_OF_MEMORY;
}

static void free_bags(mail_bags *bags)
{
    free(bags->send);
    free(bags->receive);
    free(bags->send_now);
    free(bags->receive_now);
}

static clump_status run_round(clump_mail *mail, mail_bags *bags, uint64_t slice, uint64_t round,
                              const uint64_t *send_bytes, clump_mail_source *source, const uint64_t *receive_bytes,
                              clump_mail_sink *sink, void *user)
{
    char *to = bags->send;
    for (int r = 0; r < mail->peers.count; r++) {
        bags->send_now[r] = part_of(send_bytes[r], slice, round);
        bags->receive_now[r] = part_of(receive_bytes[r], slice, round);
        if (bags->send_now[r] > 0) source(user, r, slice * round, (size_t)bags->send_now[r], to);
        to += bags->send_now[r];
    }
    const clump_status status = exchange(mail, bags->send, bags->send_now, bags->receive, bags->receive_now);
    if (status != CLUMP_OK) return status;
    const char *from = bags->receive;
    for (int r = 0; r < mail->peers.count; r++) {
        if (bags->receive_now[r] > 0) sink(user, r, slice * round, (size_t)bags->receive_now[r], from);
        from += bags->receive_now[r];
    }
    return CLUMP_OK;
}

clump_status clump_mail_stream(clump_mail *mail, const uint64_t *send_bytes, clump_mail_source *source,
                               const uint64_t *receive_bytes, clump_mail_sink *sink, void *user)
{
    const int count = mail->peers.count;
    const uint64_t even = mail->most / (uint64_t)count / 16 * 16, slice = even > 0 ? even : 16;
    mail_bags bags;
    clump_status status =
        take_bags(&bags, count, bytes_of_round(send_bytes, count, slice), bytes_of_round(receive_bytes, count, slice));
    uint64_t longest = 0;
    for (int r = 0; r < count; r++) longest = send_bytes[r] > longest ? send_bytes[r] : longest;
    /* the longest stream of all ranks, whether all have memory, and whether one can be cancelled */
    int64_t agreed[3] = {-(int64_t)longest, -(int64_t)status, mail->cancel ? -1 : 0};
    const clump_status spoken = clump_mail_least(mail, agreed, 3);
    if (spoken != CLUMP_OK || agreed[1] != 0) {
        free_bags(&bags);
        return spoken != CLUMP_OK ? spoken : CLUMP_ERR_OUT_OF_MEMORY;
    }
    const uint64_t rounds = ((uint64_t)-agreed[0] + slice - 1) / slice;
    for (uint64_t k = 0; k < rounds && status == CLUMP_OK; k++) {
        if (agreed[2] != 0) status = agree(mail, mail->cancel && CLUMP_LOAD(mail->cancel), CLUMP_ERR_CANCELLED);
        if (status == CLUMP_OK)
            status = run_round(mail, &bags, slice, k, send_bytes, source, receive_bytes, sink, user);
    }
    free_bags(&bags);
    return status;
}

clump_status clump_mail_counts(clump_mail *mail, const uint64_t *send, uint64_t *receive)
{
    uint64_t *const bytes = malloc((size_t)mail->peers.count * sizeof *bytes);
    clump_status status = agree(mail, !bytes, CLUMP_ERR_OUT_OF_MEMORY);
    for (int r = 0; r < mail->peers.count && status == CLUMP_OK; r++) bytes[r] = sizeof *bytes;
    if (status == CLUMP_OK) status = exchange(mail, send, bytes, receive, bytes);
    free(bytes);
    return status;
}

/* ----- arrays in memory ------------------------------------------------------------------------------------------- */

typedef struct mail_lists {
    const char *send;
    char *receive;
    uint64_t *send_at, *receive_at; /* where the part of each rank begins, in bytes */
} mail_lists;

static void give_list(void *user, int rank, uint64_t at, size_t size, void *to)
{
    CLUMP_ASSERT(rank >= 0);
    const mail_lists *const lists = user;
    memcpy(to, lists->send + lists->send_at[rank] + at, size);
}

static void take_list(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    CLUMP_ASSERT(rank >= 0);
    const mail_lists *const lists = user;
    memcpy(lists->receive + lists->receive_at[rank] + at, from, size);
}

clump_status clump_mail_lists(clump_mail *mail, size_t size, const void *send, const uint64_t *counts, void **receive,
                              uint64_t *received)
{
    CLUMP_ASSERT(size >= 1);
    *receive = NULL;
    clump_status status = clump_mail_counts(mail, counts, received);
    if (status != CLUMP_OK) return status;
    const size_t ranks = (size_t)mail->peers.count;
    uint64_t total = 0;
    for (size_t r = 0; r < ranks; r++) total += received[r];
    uint64_t *const words = malloc(4 * ranks * sizeof *words);
    void *const list = malloc((size_t)total * size + 1);
    status = agree(mail, !words || !list, CLUMP_ERR_OUT_OF_MEMORY);
    if (status == CLUMP_OK) {
        mail_lists lists = {send, list, words, words + ranks};
        uint64_t *const send_bytes = words + 2 * ranks, *const receive_bytes = words + 3 * ranks;
        for (size_t r = 0, sent = 0, came = 0; r < ranks; r++) {
            lists.send_at[r] = sent, lists.receive_at[r] = came;
            sent += send_bytes[r] = counts[r] * size;
            came += receive_bytes[r] = received[r] * size;
        }
        status = clump_mail_stream(mail, send_bytes, give_list, receive_bytes, take_list, &lists);
    }
    free(words);
    if (status == CLUMP_OK)
        *receive = list;
    else
        free(list);
    return status;
}
