/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outbox.c: see outbox.h.
 */
#include "peers/outbox.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "store/fail.h"

#include <stdlib.h>
#include <string.h>

clump_status clump_big_outbox_open(int ranks, clump_big_outbox *out, clump_message *message)
{
    const size_t count = (size_t)ranks;
    *out = (clump_big_outbox){
        .ranks = ranks, .bags = calloc(count, sizeof *out->bags), .counts = calloc(2 * count, sizeof *out->counts)};
    pthread_mutex_init(&out->lock, NULL);
    return out->bags && out->counts ? CLUMP_OK : clump_big_no_memory(message, count * 40);
}

void clump_big_outbox_close(clump_big_outbox *box)
{
    if (box->ranks == 0) return;
    for (int r = 0; r < box->ranks && box->bags; r++) free(box->bags[r].bytes);
    pthread_mutex_destroy(&box->lock);
    free(box->bags);
    free(box->counts);
    *box = (clump_big_outbox){0};
}

static clump_status reserve(clump_big_bag *bag, size_t more, clump_message *message)
{
    if (bag->room - bag->used >= more) return CLUMP_OK;
    const size_t room = 2 * bag->room > bag->used + more ? 2 * bag->room : bag->used + more;
    unsigned char *const bytes = realloc(bag->bytes, room);
    if (!bytes) return clump_big_no_memory(message, room);
    bag->bytes = bytes, bag->room = room;
    return CLUMP_OK;
}

clump_status clump_big_outbox_add(clump_big_outbox *box, int rank, const struct iovec *parts, int count,
                                  clump_message *message)
{
    CLUMP_ASSERT(rank >= 0 && rank < box->ranks);
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

clump_status clump_big_outbox_counts(clump_big_outbox *box, clump_mail *mail)
{
    for (int r = 0; r < box->ranks; r++) box->counts[r] = box->bags[r].used;
    return clump_mail_counts(mail, box->counts, box->counts + box->ranks);
}

/* The sink of the caller, beside the box as the source. */
typedef struct box_stream {
    clump_big_outbox *box;
    clump_mail_sink *sink;
    void *user;
} box_stream;

static void source(void *user, int rank, uint64_t at, size_t size, void *to)
{
    memcpy(to, ((const box_stream *)user)->box->bags[rank].bytes + at, size);
}

static void take(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    const box_stream *const stream = user;
    stream->sink(stream->user, rank, at, size, from);
}

clump_status clump_big_outbox_send(clump_big_outbox *box, clump_mail *mail, clump_mail_sink *sink, void *user)
{
    box_stream stream = {box, sink, user};
    const clump_status status = clump_mail_stream(mail, box->counts, source, box->counts + box->ranks, take, &stream);
    for (int r = 0; r < box->ranks; r++) box->bags[r].used = 0;
    box->bytes = 0; /* no other thread has the box now */
    return status;
}
