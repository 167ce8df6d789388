/* SPDX-License-Identifier: BSD-3-Clause
 *
 * workers.h: runs a function on several threads and keeps the first failure; hands the blocks of the reader to threads.
 */
#ifndef CLUMP_BIG_WORKERS_H
#define CLUMP_BIG_WORKERS_H

#include <clump/clump.h>
#include <clump/reader.h>

#include <pthread.h>

typedef struct clump_big_workers {
    int count;                  /* threads, the caller included */
    const volatile int *cancel; /* null, or not 0: the work ends */
    int stop;                   /* atomic: a thread has failed, the others end */
} clump_big_workers;

/* The work of one thread; worker 0 is the calling thread. It takes tasks until none is left, or clump_big_stopped(). */
typedef clump_status clump_big_work_function(void *arg, int worker, clump_message *message);

/* Runs the function on all threads. Returns the failure of the thread with the smallest number. Where the system has no
 * thread left, fewer run: a function must not wait for others. */
clump_status clump_big_workers_run(clump_big_workers *workers, clump_big_work_function *work, void *arg,
                                   clump_message *message);

/* Whether threads must end: another has failed, or the caller has cancelled. */
bool clump_big_stopped(clump_big_workers *workers);

/* CLUMP_ERR_CANCELLED with its sentence where the caller has cancelled. */
clump_status clump_big_workers_poll(const clump_big_workers *workers, clump_message *message);

/* --- blocks of the reader for several threads ------------------------------------------------------- */

typedef struct clump_big_blocks {
    clump_reader *reader;
    uint64_t next, end, stride; /* blocks next, next + stride ... below end */
    pthread_mutex_t lock;
} clump_big_blocks;

void clump_big_blocks_begin(clump_big_blocks *blocks, clump_reader *reader, uint64_t first, uint64_t end,
                            uint64_t stride);
void clump_big_blocks_end(clump_big_blocks *blocks);

/* Reads the next block. *number is its number, or `end` where none is left. Several threads may call it. */
clump_status clump_big_blocks_take(clump_big_blocks *blocks, clump_block *block, uint64_t *number,
                                   clump_message *message);

#endif
