/* SPDX-License-Identifier: BSD-3-Clause
 *
 * team.h: worker threads that share the chunks of a loop. A team belongs to one caller, who works too:
 *
 *     count     0 . . . . . . . . . . . . . . . . . . . . . . . . count
 *     stretch   |     caller     |    worker 1    |    worker 2    |
 *     chunk     |    |    |    |      |    |    |      |    |    |        claimed one by one
 *
 * Every thread has a stretch of the chunks, the same one in every run of the same loop: what a thread wrote in one run is
 * mostly in its cache in the next. A thread whose stretch is done helps with the others. The chunks of a stretch are
 * claimed from an atomic counter. A run ends when the last claimed chunk ends: a worker that the operating
 * system has suspended holds up the run only while it holds a chunk, and a worker that has not woken up yet is not
 * waited for. Waiting threads spin for some microseconds, then sleep. No thread is needed for the result: a team
 * without workers runs every chunk on the caller.
 *
 * Instead of workers a team can have a task system, a function that calls a task on threads of its own. The tasks of a
 * run do what workers do. A task that comes when its run is over takes part in the run that is open then, and does
 * nothing where none is. Every task that has begun must have returned before the team is destroyed.
 *
 * Everything that tasks write is visible to the caller after the run, and everything written before is visible to the
 * tasks. Between two tasks of one run there is no order.
 *
 * A `worker` is a thread of the team besides the caller, or a task of the caller's task system. It is `stuck` while the
 * operating system has taken it off its processor and it holds a chunk. A `run` is one loop of the team.
 */
#ifndef CLUMP_COMMON_TEAM_H
#define CLUMP_COMMON_TEAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* --- thread.c: creates the threads of a team: stack size, name, signals, nice value and processors -- */

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

/* --- team.c ----------------------------------------------------------------------------------------- */

#define CLUMP_TEAM_MOST 256 /* threads of a run, the caller included */

typedef struct clump_team clump_team;

/* A task system: calls task(task_arg) up to `count` times. clump_task_system of clump.h has the contract. */
typedef void clump_team_system(int count, void (*task)(void *), void *task_arg, void *user);

/* What a team is made of. Zeroed: workers like the thread that starts them, no cancellation. */
typedef struct clump_team_setup {
    const volatile int *cancel; /* null, or tasks are skipped once *cancel is not 0 */
    clump_team_system *system;  /* null, or runs the tasks; then the team starts no thread */
    void *system_user;
    clump_thread_setup worker;
    bool timed; /* runs are timed for clump_team_times() */
} clump_team_setup;

/* Times of the runs since clump_team_begin(), in milliseconds. */
typedef struct clump_team_clock {
    double end;   /* when the last run ended, by clump_now_ms(); 0: there was none */
    double stuck; /* how long the caller waited for workers beyond what their chunks need */
} clump_team_clock;

/* Runs items begin ... end - 1 of a loop. `worker` is at least 0 and below the number of threads of the run; no two
 * tasks that run at the same time have the same number. */
typedef void clump_team_task(void *arg, size_t begin, size_t end, int worker);

/* Returns the size of a team in bytes. clump_team_init() takes memory of this size, aligned to 64 bytes. */
size_t clump_team_bytes(void);

/* Creates a team in `memory`. setup may be null for a zeroed one. */
clump_team *clump_team_init(void *memory, const clump_team_setup *setup);

/* Ends the workers and waits for them, and for tasks of the task system that are inside the team. The team stays usable:
 * workers start again when they are needed. */
void clump_team_rest(clump_team *team);

/* Ends the workers and releases all resources except the memory of the team. */
void clump_team_destroy(clump_team *team);

/* Begins a call: clears an earlier cancellation. In a forked child, where the parent's workers do not exist, resets the
 * team. The child may use the team only if it was not in a run when the process forked. */
void clump_team_begin(clump_team *team);

/* Starts workers for runs of up to `threads` threads. Returns the number of threads that a run can have: at least 1,
 * and fewer than `threads` where the system gives no more. With a task system nothing is started. */
int clump_team_start(clump_team *team, int threads);

/* Runs the task for all items 0 ... count - 1, in chunks of `chunk` >= 1 items; the last chunk may be shorter. The
 * caller and up to threads - 1 of the started workers take part. Returns false where the call was cancelled; any
 * chunk may then have been skipped. A run inside a task uses one thread, whose number is 0. */
bool clump_team_run(clump_team *team, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg);

/* Runs as clump_team_run() but ignores cancellation, for work that must complete. */
void clump_team_run_whole(clump_team *team, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg);

/* Wakes workers for a run of `threads` threads that follows soon: they spin until it begins, for a millisecond at most. For
 * a caller that waits for something else before the run: a thread that sleeps needs some ten microseconds to begin. Does
 * nothing with a task system. */
void clump_team_wake(clump_team *team, int threads);

/* Polls: returns whether the call has been cancelled. Stays true until clump_team_begin(). For any thread. */
bool clump_team_stopped(clump_team *team);

/* Returns the times of the runs of this call; zeroed where the team is not timed or the call was cancelled. */
clump_team_clock clump_team_times(const clump_team *team);

/* Returns what the system has refused to the workers. */
const clump_thread_faults *clump_team_faults(const clump_team *team);

/* ----- fault injection for tests ------------------------------------------------------------------------------ */

/* The next `creations` creations of a thread succeed, later ones fail. Negative: no limit. */
void clump_team_limit(clump_team *team, int creations);

/* From now on every poll calls `hook`, on the thread that polls. Null: none. Not during a run. */
void clump_team_hook(clump_team *team, void (*hook)(void *user), void *user);

/* The poll number `polls` from now, counted from 1, reports a cancellation. 0: no poll does. */
void clump_team_trap(clump_team *team, long polls);

/* --- cores.c: how many processors there are to use. Linux limits them in two ways: the affinity mask of a thread names
 * processors, and the CPU quotas of control groups (cgroups) limit the time on them. Containers use both. */

/* Returns the number of processors that the calling thread may run on, at least 1. */
int clump_cores_allowed(void);

/* Returns the number of processors of the machine that are online, at least 1. */
int clump_cores_online(void);

/* Returns how many threads the CPU quotas allow, rounded up: 2 for 1.5 processors. The smallest quota of the process's
 * cgroup and its ancestors counts, in versions 1 and 2. 0: there is no quota, or none that can be read. `root` is the
 * folder in which /proc and the cgroup mounts are looked up: "" outside of tests. */
int clump_cores_quota(const char *root);

/* Returns how many threads can run at once that inherit the mask of the calling thread, within the quotas; at least 1. */
int clump_cores(void);

/* Returns how many threads can run at once that have masks of their own, within the quotas; at least 1. */
int clump_cores_for_others(void);

/* --- copy.c: memory copied by several threads. One core cannot saturate the link to a GPU ----------- */

#ifdef __cplusplus
extern "C" {
#endif
/* Copies n rows of `row` bytes, which are `stride` bytes apart, to consecutive places. Uses up to `threads` threads of the
 * team, and does not poll for cancellation. */
void clump_copy_rows(clump_team *team, void *to, const void *from, size_t row, size_t stride, size_t n, int threads);

/* Wakes the threads that will copy n rows of `row` bytes: see clump_team_wake(). */
void clump_copy_expect(clump_team *team, size_t row, size_t n, int threads);
#ifdef __cplusplus
}
#endif

#endif
