/* SPDX-License-Identifier: BSD-3-Clause
 *
 * thread.h: creates the threads of a team: stack size, name, signals, nice value and processors.
 */
#ifndef CLUMP_COMMON_THREAD_H
#define CLUMP_COMMON_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define CLUMP_THREAD_STACK ((size_t)1 << 20) /* bytes of stack that a thread has for itself */
#define CLUMP_THREAD_CORES 4096              /* the most entries of `cores`, and a bound on their values */

/* How the threads of a team are set up. Zeroed: like the thread that creates them. */
typedef struct clump_thread_setup {
    int nice;         /* added to the nice value */
    const int *cores; /* processors that the threads may run on; null: those of the creating thread */
    int core_count;   /* 0: any */
} clump_thread_setup;

/* What the system refused to threads that run all the same. Threads set it; CLUMP_LOAD() reads it. */
typedef struct clump_thread_faults {
    int nice, cores; /* 1: refused */
} clump_thread_faults;

/* Returns the stack size to create threads with: CLUMP_THREAD_STACK and the thread-local variables of the program, which
 * glibc takes out of the stack. */
size_t clump_thread_stack(void);

/* Creates a thread that blocks all signals: those are for the program's own threads. `stack` is its stack size; where the
 * system finds it too small, it is the system's default. False where the system refuses. */
bool clump_thread_create(pthread_t *thread, size_t stack, void *(*start)(void *), void *arg);

/* Sets up the calling thread, which clump_thread_create() made. Notes what the system refuses. */
void clump_thread_set_up(const clump_thread_setup *setup, clump_thread_faults *faults);

#endif
