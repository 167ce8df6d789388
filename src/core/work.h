/* SPDX-License-Identifier: BSD-3-Clause
 *
 * work.h: what every step of a call needs: memory that is counted, the text of an error, threads, a poll. A context begins
 * with a clump_work. What holds memory and may outlive its context has one of its own: an index, a joint, a tracker.
 */
#ifndef CLUMP_CORE_WORK_H
#define CLUMP_CORE_WORK_H

#include "common/adapt.h"
#include "common/team.h"
#include "rules/hash.h"

#include <clump/clump.h>

#include <stdint.h>

#define CLUMP_MAX_THREADS 256 /* bounds the tables with one entry per thread */

/* Scratch memory that grows and is kept between calls. All memory of a context is in buffers. It comes from the caller's
 * allocator and is counted; a call on a cloud no larger than the last allocates nothing. */
typedef struct clump_buffer {
    void *data; /* aligned to 64 bytes; null while bytes is 0 */
    size_t bytes;
} clump_buffer;

/* Zeroed is valid where neither memory is taken nor threads are asked for. */
typedef struct clump_work {
    clump_allocator memory;  /* never null inside of a context */
    size_t host_bytes;       /* held in buffers now */
    size_t device_bytes;     /* held in device memory now */
    const char *call;        /* the running public call, "clump_ec", for its error messages */
    clump_hash_key hash_key; /* random key of all hash tables; drawn at the creation of the context */
    clump_team *team;        /* worker threads and the cancel flag; null outside of a call for what is no context */
    int threads;             /* the most that a loop may use: at least 1 where clump_threads_for() is called */
    clump_adapt *adapt;      /* chooses how many of these pay; null: all */
    double chosen_at;        /* when it chose the threads of the running call; clump_now_ms() */
    int refused;             /* threads that the system refused to the running call */
    bool warned_refused;     /* the log has its warning */
    clump_log *log;          /* null: silent */
    void *log_user;
    clump_buffer labels_scratch; /* clump_labels_finish */
    char error[512];
} clump_work;

/* Makes room for at least `bytes` bytes. The contents are lost where the buffer has to grow. On failure:
 * OUT_OF_MEMORY, a message in `work`, an empty buffer. */
clump_status clump_buffer_reserve(clump_work *work, clump_buffer *buffer, size_t bytes);

/* Makes room as clump_buffer_reserve() but keeps the first `keep` bytes; keep > 0 leaves the buffer unchanged on
 * failure. */
clump_status clump_buffer_grow(clump_work *work, clump_buffer *buffer, size_t bytes, size_t keep);

/* Returns the memory to the allocator; the buffer is then empty. */
void clump_buffer_release(clump_work *work, clump_buffer *buffer);

/* Polls the cancel flag: CLUMP_OK, or CLUMP_ERR_CANCELLED with its message. For long loops on the calling thread; a
 * poll takes about a nanosecond. Tasks on worker threads poll with clump_team_stopped() and return; clump_run() then
 * fails. */
clump_status clump_poll(clump_work *work);

/* Returns the number of threads for a loop over `items` items: at least 1, at most what the context allows and the
 * system gives. `least` >= 1 is the number of items that makes waking one more thread pay. */
int clump_threads_for(clump_work *work, size_t items, size_t least);

/* clump_team_run() on the team: CLUMP_OK, or CLUMP_ERR_CANCELLED with its message. After a cancellation the output of the
 * tasks is incomplete and must not be read. */
clump_status clump_run(clump_work *work, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg);

/* Points per chunk of a loop that does little per point: a chunk takes some tens of microseconds, long beside a
 * claim of the shared counter and short beside a cancellation. */
#define CLUMP_CHUNK 4096

/* Evaluates a call that returns a status; returns that status from the enclosing function unless it is CLUMP_OK. */
#define CLUMP_TRY(call)                                                                                                \
    do {                                                                                                               \
        const clump_status clump_try_status = (call);                                                                  \
        if (clump_try_status != CLUMP_OK) return clump_try_status;                                                     \
    } while (0)

/* Writes the error message and returns `status`: `return clump_fail(work, ...)`. */
clump_status clump_fail(clump_work *work, clump_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Passes one line to the log callback, where one is set. */
void clump_log_line(clump_work *work, clump_log_level level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Busy shares, one per thread or thread block. */
typedef struct clump_loads {
    clump_buffer shares; /* floats */
    int count;           /* valid entries */
} clump_loads;

/* For clump_context_load and clump_context_merge_load: reserves memory for `workers` entries, then adds one per worker,
 * the part of `span` that it was busy. */
clump_status clump_load_begin(clump_work *work, clump_loads *loads, size_t workers);
void clump_load_add(clump_loads *loads, double busy, double span);

#endif
