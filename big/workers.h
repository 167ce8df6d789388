/* SPDX-License-Identifier: BSD-3-Clause
 *
 * workers.h: runs a function on several threads and keeps the first failure.
 */
#ifndef CLUMP_BIG_WORKERS_H
#define CLUMP_BIG_WORKERS_H

#include <clump/clump.h>

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

#endif
