/* SPDX-License-Identifier: BSD-3-Clause
 *
 * team.h: worker threads that share the chunks of a loop. A team belongs to one caller, who works too:
 *
 *     count   0 . . . . . . . . . . . . . . . . . . . . . . . . count
 *     chunk   | caller | worker 1 | worker 2 | caller | worker 1 ...        claimed one by one
 *
 * Chunks are claimed from an atomic counter. A run ends when the last claimed chunk ends: a worker that the operating
 * system has suspended holds up the run only while it holds a chunk, and a worker that has not woken up yet is not
 * waited for. Waiting threads spin for some microseconds, then sleep. No thread is needed for the result: a team
 * without workers runs every chunk on the caller.
 *
 * Everything that tasks write is visible to the caller after the run, and everything written before is visible to the
 * tasks. Between two tasks of one run there is no order.
 */
#ifndef CLUMP_COMMON_TEAM_H
#define CLUMP_COMMON_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#define CLUMP_TEAM_MOST  256               /* threads of a run, the caller included */
#define CLUMP_TEAM_STACK ((size_t)1 << 20) /* bytes of stack per worker */

typedef struct clump_team clump_team;

/* Runs items begin ... end - 1 of a loop. `worker` is 0 for the caller and below the number of threads of the run; no two
 * tasks that run at the same time have the same number. */
typedef void clump_team_task(void *arg, size_t begin, size_t end, int worker);

/* Size of a team: memory of this size, aligned to 64 bytes, is what clump_team_init() takes. */
size_t clump_team_bytes(void);

/* cancel may be null; else tasks are skipped once *cancel is not 0. */
clump_team *clump_team_init(void *memory, const volatile int *cancel);

/* Ends the workers and waits for them. The team can be used again: workers start when they are next needed. */
void clump_team_rest(clump_team *team);

/* Ends the workers and gives up everything but the memory of the team itself. */
void clump_team_destroy(clump_team *team);

/* Begins a call: an earlier cancellation is forgotten. In a forked child, where the workers of the parent do not exist,
 * the team begins anew. A team must not be in a run when the process forks if the child is to use it. */
void clump_team_begin(clump_team *team);

/* Starts workers for runs of up to `threads` threads. Returns the number of threads that such a run can have: fewer when
 * the system gives no more threads, at least 1. */
int clump_team_start(clump_team *team, int threads);

/* Runs the task for all items 0 ... count - 1, in chunks of `chunk` >= 1 items (the last may be shorter), on the caller and
 * on up to threads - 1 of the workers that were started. False: the call was cancelled, and any of the chunks may have
 * been skipped. Runs that a task makes itself use one thread, and their tasks have the number 0. */
bool clump_team_run(clump_team *team, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg);

/* The same for work that may not be left half done: cancellation is not looked at. */
void clump_team_run_whole(clump_team *team, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg);

/* Polls: whether the call has been cancelled. Once true it stays so until clump_team_begin(). For any thread. */
bool clump_team_stopped(clump_team *team);

/* Processors that this process may use, at least 1. */
int clump_team_cores(void);

/* ----- fault injection for tests ------------------------------------------------------------------------------ */

/* The next `creations` threads can be created, then creation fails. Negative: no limit. */
void clump_team_limit(clump_team *team, int creations);

/* Poll number `polls` from now on, counted from 1, finds the call cancelled. 0: none. */
void clump_team_trap(clump_team *team, long polls);

#endif
