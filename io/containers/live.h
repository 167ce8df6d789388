/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live.h: messages that come by themselves: a ring between a thread that receives and the thread that reads. Its memory
 * is fixed. The thread that receives never waits for the other: where the ring is full, it drops the message and counts it.
 *
 *     receiving thread   clump_io_live_reserve(), fills the bytes, clump_io_live_commit()     or clump_io_live_push()
 *                        at last clump_io_live_end()
 *     reading thread     clump_io_live_next(): the bytes stay until the next call
 *
 * Containers whose `live` is set use it: UDP, and others that receive messages. open() makes the ring and starts the thread,
 * next() calls clump_io_live_next(), close() stops the thread and destroys the ring. seek() and survey() are never called.
 */
#ifndef CLUMP_IO_CONTAINERS_LIVE_H
#define CLUMP_IO_CONTAINERS_LIVE_H

#include "containers/container.h"

#include <time.h>

typedef struct clump_io_live clump_io_live;

typedef enum clump_io_live_event {
    CLUMP_IO_LIVE_MESSAGE,
    CLUMP_IO_LIVE_SILENCE, /* a second without a message; again after each further second */
    CLUMP_IO_LIVE_END, /* the receiving thread has ended, or the caller's watch wants the end: what came before it was given */
} clump_io_live_event;

typedef struct clump_io_live_message {
    uint32_t kind; /* of the container: its topic, its socket */
    int64_t received;
    const unsigned char *bytes; /* begins at a multiple of 8 */
    size_t size;
} clump_io_live_message;

/* Makes a ring of `bytes` bytes, which are the most that can wait. Memory is taken as the ring fills, and used again. */
clump_status clump_io_live_create(const clump_io_where *where, size_t bytes, clump_io_live **out);
void clump_io_live_destroy(clump_io_live *live); /* null: nothing. The receiving thread has ended */

/* --- the thread that receives ---- */

/* Returns room for a message of up to `size` bytes; null: the ring is full. The room is the thread's until commit() or the next
 * reserve(). */
unsigned char *clump_io_live_reserve(clump_io_live *live, size_t size);
/* Hands over the first `size` bytes of the room. */
void clump_io_live_commit(clump_io_live *live, uint32_t kind, int64_t received, size_t size);
/* reserve(), copy, commit(). False: the ring is full, and the message was counted. */
bool clump_io_live_push(clump_io_live *live, uint32_t kind, int64_t received, const void *bytes, size_t size);
void clump_io_live_drop(clump_io_live *live, uint64_t count); /* counts messages that were not taken */
/* No message follows. status and why: a failure that next() returns after the last message; CLUMP_OK: none. */
void clump_io_live_end(clump_io_live *live, clump_status status, const clump_message *why);

/* --- the thread that reads ---- */

/* Waits for the next event. Fails with what clump_io_live_end() gave. *silent is the time since the last message, or since the
 * ring was made; nanoseconds. */
clump_status clump_io_live_next(clump_io_live *live, const clump_io_blob *blob, clump_io_live_message *message,
                                clump_io_live_event *event, int64_t *silent);

/* --- any thread ---- */

uint64_t clump_io_live_dropped(clump_io_live *live); /* messages that found the ring full */
uint64_t clump_io_live_taken(clump_io_live *live);   /* messages that were committed */

int64_t clump_io_now(clockid_t clock); /* nanoseconds */

#endif
