/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers.h: mail between ranks, over any transport (clump_peers). The program clump-mpi has one over MPI; tests have one between
 * threads, tests/big/peers_threads.h.
 *
 *     mail.c      streams from every rank to every rank
 *     outbox.c    segments of a log that other ranks have (outbox.h)
 *
 * A stream of bytes goes in rounds of limited size. It may be longer than memory, and than any count of a transport: the sender
 * makes its bytes when they are due, the receiver takes them part by part. In a round, a rank sends at most `most` bytes and
 * receives at most `most`.
 */
#ifndef CLUMP_BIG_PEERS_H
#define CLUMP_BIG_PEERS_H

#include <clump/big.h>

#include <stddef.h>

#define CLUMP_MAIL_MOST ((uint64_t)64 << 20) /* bytes per rank and round, unless the caller wants fewer */

typedef struct clump_mail {
    clump_peers peers;
    uint64_t most;              /* bytes per rank and round; at least one byte per rank is sent */
    uint64_t sent;              /* bytes that this rank sent to others so far, counts included */
    uint64_t rounds;            /* so far */
    double seconds;             /* in calls of the transport so far */
    const volatile int *cancel; /* null, or not 0: streams end on all ranks, with CLUMP_ERR_CANCELLED */
} clump_mail;

clump_mail clump_mail_make(const clump_peers *peers); /* null: a rank alone */

/* Writes bytes [at, at + size) of the stream to `rank`. */
typedef void clump_mail_source(void *user, int rank, uint64_t at, size_t size, void *to);
/* Takes bytes [at, at + size) of the stream from `rank`. Parts of a stream come in order. */
typedef void clump_mail_sink(void *user, int rank, uint64_t at, size_t size, const void *from);

/* Exchanges streams: send_bytes[r] bytes to each rank r, receive_bytes[r] bytes of each. */
clump_status clump_mail_stream(clump_mail *mail, const uint64_t *send_bytes, clump_mail_source *source,
                               const uint64_t *receive_bytes, clump_mail_sink *sink, void *user);

/* Exchanges one number with each rank: receive[r] becomes what rank r has in send[this rank]. */
clump_status clump_mail_counts(clump_mail *mail, const uint64_t *send, uint64_t *receive);

/* Exchanges arrays in memory. Parts for the ranks follow each other in `send`, counts[r] entries of `size` bytes each.
 * *receive is for free(): the parts of the ranks one after the other; received[r] is the number of entries of rank r. */
clump_status clump_mail_lists(clump_mail *mail, size_t size, const void *send, const uint64_t *counts, void **receive,
                              uint64_t *received);

/* The transport's functions, timed and counted. */
clump_status clump_mail_sum(clump_mail *mail, uint64_t *values, size_t count);
clump_status clump_mail_least(clump_mail *mail, int64_t *values, size_t count);
clump_status clump_mail_before(clump_mail *mail, uint64_t *value);

#endif
