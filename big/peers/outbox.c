/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outbox.c: see outbox.h.
 */
#include "peers/outbox.h"

#include "common/assert.h"
#include "common/atomics.h"

#include <stdlib.h>
#include <string.h>

typedef struct clump_big_bag {
    unsigned char *bytes;
    size_t used, room;
} clump_big_bag;

static clump_status reserve(clump_big_bag *bag, size_t more, clump_message *message)
{
    if (bag->room - bag->used >= more) return CLUMP_OK;
    const size_t room = 2 * bag->room > bag->used + more ? 2 * bag->room : bag->used + more;
    unsigned char *const bytes = realloc(bag->bytes, room);
    if (!bytes) return clump_big_no_memory(message, room);
    bag->bytes = bytes, bag->room = room;
    return CLUMP_OK;
}

/* Takes a segment of another rank's tile. Several threads call it. */
static clump_status add(void *user, uint32_t tile, const struct iovec *parts, int count, bool *away,
                        clump_message *message)
{
    clump_big_outbox *const box = user;
    const int rank = box->rank_of(box->job, tile);
    CLUMP_ASSERT(rank >= 0 && rank < clump_big_ranks(box->job));
    *away = rank != clump_big_rank(box->job);
    if (!*away) return CLUMP_OK;
    size_t bytes = 0;
    for (int k = 0; k < count; k++) bytes += parts[k].iov_len;
    pthread_mutex_lock(&box->lock);
    clump_big_bag *const bag = &box->bags[rank];
    const clump_status status = reserve(bag, bytes, message);
    for (int k = 0; k < count && status == CLUMP_OK; k++) {
        if (parts[k].iov_len > 0) memcpy(bag->bytes + bag->used, parts[k].iov_base, parts[k].iov_len);
        bag->used += parts[k].iov_len;
    }
    CLUMP_ADD(&box->bytes, bytes);
    pthread_mutex_unlock(&box->lock);
    return status;
}

clump_status clump_big_outbox_open(clump_big_job *job, clump_big_log *log, clump_big_rank_of *rank_of,
                                   clump_big_outbox *out, clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(job);
    *out = (clump_big_outbox){.job = job, .rank_of = rank_of};
    if (ranks == 1) return CLUMP_OK;
    out->log = log;
    out->bags = calloc(ranks, sizeof *out->bags);
    out->counts = calloc(3 * ranks, sizeof *out->counts);
    pthread_mutex_init(&out->lock, NULL);
    log->away = add, log->away_user = out;
    return out->bags && out->counts ? CLUMP_OK : clump_big_no_memory(message, ranks * 48);
}

void clump_big_outbox_close(clump_big_outbox *box)
{
    if (!box->log) return;
    box->log->away = NULL;
    for (int r = 0; r < clump_big_ranks(box->job) && box->bags; r++) free(box->bags[r].bytes);
    pthread_mutex_destroy(&box->lock);
    free(box->bags);
    free(box->counts);
    *box = (clump_big_outbox){0};
}

static void give(void *user, int rank, uint64_t at, size_t size, void *to)
{
    memcpy(to, ((const clump_big_outbox *)user)->bags[rank].bytes + at, size);
}

static void take(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    clump_big_outbox *const box = user;
    const uint64_t begin = box->counts[2 * clump_big_ranks(box->job) + rank];
    if (box->written == CLUMP_OK)
        box->written = clump_big_file_write(&box->log->file, begin + at, from, size, box->message);
}

clump_status clump_big_outbox_send(clump_big_outbox *box, uint32_t tiles, clump_message *message)
{
    clump_big_job *const job = box->job;
    clump_big_log *const log = box->log;
    const int ranks = clump_big_ranks(job);
    if (!log) return CLUMP_OK;
    uint64_t *const sent = box->counts, *const come = sent + ranks, *const to = come + ranks, begin = log->size;
    for (int r = 0; r < ranks; r++) sent[r] = box->bags[r].used;
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_counts(&job->mail, sent, come), message));
    for (int r = 0; r < ranks; r++) {
        to[r] = log->size;
        log->size += come[r];
    }
    box->written = CLUMP_OK;
    box->message = message;
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_stream(&job->mail, sent, give, come, take, box), message));
    for (int r = 0; r < ranks; r++) box->bags[r].used = 0;
    box->bytes = 0; /* no other thread has the box now */
    clump_status status = box->written;
    if (status == CLUMP_OK) status = clump_big_log_list(log, tiles, begin, message);
    return clump_big_agree(job, status, message);
}
