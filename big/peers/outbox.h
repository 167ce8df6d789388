/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outbox.h: segments of a log whose tiles other ranks have, until they are sent. Segments of this rank go to its log at once.
 */
#ifndef CLUMP_BIG_OUTBOX_H
#define CLUMP_BIG_OUTBOX_H

#include "job.h"

/* Returns the rank that has a tile of the log. */
typedef int clump_big_rank_of(const clump_big_job *job, uint32_t tile);

typedef struct clump_big_outbox {
    clump_big_job *job;
    clump_big_log *log; /* null: nothing is sent, there is one rank */
    clump_big_rank_of *rank_of;
    pthread_mutex_t lock;
    struct clump_big_bag *bags; /* one per rank */
    uint64_t *counts;           /* 3 per rank: bytes that are sent, that come, and where these go in the log */
    uint64_t bytes;             /* in all bags; atomic */
    clump_status written;       /* of what came */
    clump_message *message;
} clump_big_outbox;

/* Makes an outbox of the segments that threads append to the log from now on. */
clump_status clump_big_outbox_open(clump_big_job *job, clump_big_log *log, clump_big_rank_of *rank_of,
                                   clump_big_outbox *out, clump_message *message);
void clump_big_outbox_close(clump_big_outbox *box);

/* Sends everything, and lists what came in the log, whose tile numbers are below `tiles`. All ranks call it together. */
clump_status clump_big_outbox_send(clump_big_outbox *box, uint32_t tiles, clump_message *message);

#endif
