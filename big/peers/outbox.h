/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outbox.h: what threads of this rank have for other ranks, until it is sent.
 */
#ifndef CLUMP_BIG_OUTBOX_H
#define CLUMP_BIG_OUTBOX_H

#include "peers/peers.h"

#include <pthread.h>
#include <sys/uio.h>

typedef struct clump_big_bag {
    unsigned char *bytes;
    size_t used, room;
} clump_big_bag;

typedef struct clump_big_outbox {
    int ranks;
    pthread_mutex_t lock;
    clump_big_bag *bags; /* one per rank */
    uint64_t *counts;    /* 2 per rank: bytes that are sent, that come */
    uint64_t bytes;      /* in all bags; atomic */
} clump_big_outbox;

clump_status clump_big_outbox_open(int ranks, clump_big_outbox *out, clump_message *message);
void clump_big_outbox_close(clump_big_outbox *box);

/* Appends arrays to what rank `rank` gets. Several threads may call it. */
clump_status clump_big_outbox_add(clump_big_outbox *box, int rank, const struct iovec *parts, int count,
                                  clump_message *message);

/* Learns how many bytes each rank sends: counts[ranks + r]. */
clump_status clump_big_outbox_counts(clump_big_outbox *box, clump_mail *mail);
/* Sends everything; `sink` takes what comes. The box is empty then. */
clump_status clump_big_outbox_send(clump_big_outbox *box, clump_mail *mail, clump_mail_sink *sink, void *user);

#endif
