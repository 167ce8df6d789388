/* SPDX-License-Identifier: BSD-3-Clause
 *
 * team.c: see team.h. The state of the team is one word:
 *
 *     | generation, 32 bits | open, 1 bit | threads inside, 31 bits |
 *
 * The caller publishes a run by a new generation with the open bit. A worker enters by adding 1. Where the run was not open
 * any more, it leaves at once and reads nothing; else the caller does not change the run while it is inside. The thread
 * that finds no chunk left closes the run; from then on no worker takes part, and the caller waits for those inside.
 *
 * Sixteen threads that write one word wait for each other. So a worker enters by one addition, not by compare-and-swap, which
 * fails where others enter; where all workers take part, each has a number of its own; and it looks at the counter of a
 * stretch before it claims a chunk. Sixteen chunks of 5.6 us take 11.8 us on eight cores with 16 threads, and took 14.2.
 */
#include "common/team.h"

#include "common/assert.h"
#include "common/bits.h"
#include "common/park.h"
#include "common/share.h"
#include "common/timer.h"

#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Waiting threads spin for 50 microseconds, because the serial steps between runs mostly take less: with 16 threads a
 * KITTI frame takes 0.93 ms, and 1.09 ms where they sleep after 10. */
#define TEAM_SPIN_MS    0.05
#define TEAM_SPIN_LOOPS 32 /* polls between two reads of the clock */

#define TEAM_AWAKE_MS 1.0 /* how long workers spin after clump_team_wake() */

/* The caller waits up to this long for the last chunks of a run before workers count as stuck. Chunks take some tens of
 * microseconds; a worker that has lost its processor comes back after milliseconds. */
#define TEAM_PATIENCE_MS 0.2

#define TEAM_STRETCHES 32 /* at most; with more threads, some share one */

#define TEAM_NAP_NS 20000 /* between two looks at tasks that are about to return */

#define TEAM_OPEN   ((uint64_t)1 << 31) /* the bit of `state` */
#define TEAM_INSIDE (TEAM_OPEN - 1)     /* mask of the number of threads inside */

/* Identifies a process. The id alone does not: in a new pid namespace a child may have the id of its parent. The number of
 * forks alone does not either: system calls that fork do not run handlers. */
typedef struct team_process {
    pid_t id;
    unsigned forks;
} team_process;

struct clump_team {
    alignas(64) _Atomic uint64_t state;
    _Atomic uint64_t taken[CLUMP_TEAM_MOST / 64]; /* one bit per worker number that is given out in this run */

    struct {
        alignas(64) _Atomic size_t next; /* the first chunk that is not claimed */
    } stretch[TEAM_STRETCHES];

    alignas(64) _Atomic int tasks; /* tasks of the task system inside system_task() */

    /* the run; written by the caller while no worker is inside */
    alignas(64) clump_team_task *task;
    void *arg;
    size_t count, chunk, chunks;
    int threads;
    bool whole;   /* no cancellation */
    bool running; /* a run that a task makes itself has one thread */

    alignas(64) clump_team_setup setup;
    clump_team_clock clock;
    clump_thread_faults faults;
    _Atomic bool watched; /* there is something to poll */
    _Atomic bool stopped;
    _Atomic long trap;    /* fault injection: polls until one finds the call cancelled */
    void (*hook)(void *); /* for tests: called by every poll */
    void *hook_user;
    int creations; /* fault injection: threads that can still be created; negative: any number */

    alignas(64) clump_park work; /* workers wait here for a run */
    clump_park done;             /* the caller waits here for the workers inside */
    _Atomic int awaited;         /* workers that clump_team_wake() still asks to spin */
    _Atomic bool quit;
    bool spins;           /* there is a second processor */
    team_process process; /* that the workers are in */
    size_t stack;         /* bytes, of a worker */
    _Atomic int begun;    /* workers that have begun */
    int workers;
    pthread_t worker[CLUMP_TEAM_MOST - 1];
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ----- tasks ---------------------------------------------------------------------------------------------------- */

static bool was_stopped(const clump_team *team)
{
    return atomic_load_explicit(&team->stopped, memory_order_relaxed);
}

bool clump_team_stopped(clump_team *team)
{
    if (!atomic_load_explicit(&team->watched, memory_order_relaxed)) return false;
    if (was_stopped(team)) return true;
    if (team->hook) team->hook(team->hook_user);
    bool stop = team->setup.cancel && __atomic_load_n((volatile int *)team->setup.cancel, __ATOMIC_RELAXED) != 0;
    if (atomic_load_explicit(&team->trap, memory_order_relaxed) > 0 &&
        atomic_fetch_sub_explicit(&team->trap, 1, memory_order_relaxed) == 1)
        stop = true;
    if (stop) atomic_store_explicit(&team->stopped, true, memory_order_relaxed);
    return stop;
}

static int stretches_of(const clump_team *team)
{
    return team->threads < TEAM_STRETCHES ? team->threads : TEAM_STRETCHES;
}

/* Runs chunks of a stretch until none is left. Returns false where the call is cancelled. */
static bool run_stretch(clump_team *team, int t, int worker)
{
    for (const size_t end = clump_share_of(team->chunks, t, stretches_of(team)).end;;) {
        if (!team->whole && clump_team_stopped(team)) return false;
        if (atomic_load_explicit(&team->stretch[t].next, memory_order_relaxed) >= end) return true;
        const size_t at = atomic_fetch_add_explicit(&team->stretch[t].next, 1, memory_order_relaxed);
        if (at >= end) return true;
        const size_t begin = at * team->chunk, left = team->count - begin;
        team->task(team->arg, begin, left < team->chunk ? team->count : begin + team->chunk, worker);
    }
}

/* Closes the run. The first thread does it for all: a write by each would take the cache line from the others. */
static void close_run(clump_team *team)
{
    if (atomic_load(&team->state) & TEAM_OPEN) atomic_fetch_and(&team->state, ~TEAM_OPEN);
}

/* Runs chunks until none is left or the call is cancelled, those of the worker's own stretch first; then closes the run. */
static void run_chunks(clump_team *team, int worker)
{
    const int stretches = stretches_of(team);
    for (int k = 0; k < stretches; k++)
        if (!run_stretch(team, (worker + k) % stretches, worker)) break;
    close_run(team);
}

/* Takes a worker number; false where it is taken. */
static bool take_number(clump_team *team, int worker)
{
    const uint64_t bit = (uint64_t)1 << worker % 64;
    return !(atomic_fetch_or_explicit(&team->taken[worker / 64], bit, memory_order_relaxed) & bit);
}

/* Takes a worker number and runs chunks; `wanted` is tried first. Where all numbers are taken, does nothing: their owners
 * run all chunks. */
static void take_part(clump_team *team, int wanted)
{
    for (int k = 0; k < team->threads; k++) {
        const int worker = (wanted + k) % team->threads;
        if (!take_number(team, worker)) continue;
        run_chunks(team, worker);
        return;
    }
}

/* As take_part(), for the worker with this number. Where all workers may take part, it is its own. */
static void take_own_part(clump_team *team, int number)
{
#ifndef CLUMP_TEAM_GATHERS /* counts the numbers that are taken */
    if (team->threads == team->workers + 1) {
        run_chunks(team, number);
        return;
    }
#endif
    take_part(team, number);
}

/* Runs all chunks on the calling thread. */
static bool run_alone(clump_team *team, bool whole, size_t count, size_t chunk, clump_team_task *task, void *arg)
{
    for (size_t begin = 0; begin < count;) {
        if (!whole && clump_team_stopped(team)) return false;
        const size_t end = count - begin < chunk ? count : begin + chunk;
        task(arg, begin, end, 0);
        begin = end;
    }
    return whole || !was_stopped(team); /* a task may have polled and returned early */
}

/* ----- workers -------------------------------------------------------------------------------------------------- */

/* Whether `state` is an open run of another generation than `seen`. */
static bool is_new(uint64_t state, uint32_t seen)
{
    return (state & TEAM_OPEN) && (uint32_t)(state >> 32) != seen;
}

static bool has_work(clump_team *team, uint32_t seen)
{
    return is_new(atomic_load(&team->state), seen) || atomic_load(&team->quit);
}

/* Spins until there is work or `ms` have passed. */
static void spin_for_work(clump_team *team, uint32_t seen, double ms)
{
    const double end = clump_now_ms() + ms;
    do {
        for (int i = 0; i < TEAM_SPIN_LOOPS; i++) {
            if (has_work(team, seen)) return;
            relax();
        }
    } while (clump_now_ms() < end);
}

/* Returns whether this worker has to stay awake for clump_team_wake(), which it then counts as done. */
static bool is_awaited(clump_team *team)
{
    int left = atomic_load(&team->awaited);
    while (left > 0 && !atomic_compare_exchange_weak(&team->awaited, &left, left - 1)) continue;
    return left > 0;
}

/* Waits for a new run or the end of the team. */
static void wait_for_work(clump_team *team, uint32_t seen)
{
    if (team->spins) spin_for_work(team, seen, TEAM_SPIN_MS);
    while (!has_work(team, seen)) {
        if (is_awaited(team)) {
            spin_for_work(team, seen, TEAM_AWAKE_MS);
            continue;
        }
        clump_park_enter(&team->work);
        const uint32_t ticket = clump_park_ticket(&team->work);
        if (!has_work(team, seen) && atomic_load(&team->awaited) == 0) clump_park_sleep(&team->work, ticket);
        clump_park_leave(&team->work);
    }
}

/* Leaves a run; the last worker wakes the caller. */
static void leave(clump_team *team)
{
    const uint64_t state = atomic_fetch_sub(&team->state, 1) - 1;
    CLUMP_ASSERT((state & TEAM_INSIDE) != TEAM_INSIDE); /* no underflow; a task system may call any number of tasks */
    if ((state & (TEAM_OPEN | TEAM_INSIDE)) == 0) clump_park_wake(&team->done, 1);
}

/* Enters the run that is open, if it has another generation than `seen`; writes its generation. */
static bool enter_new(clump_team *team, uint32_t *seen)
{
    if (!is_new(atomic_load(&team->state), *seen)) return false;
    const uint64_t state = atomic_fetch_add(&team->state, 1);
    if (is_new(state, *seen)) {
        *seen = (uint32_t)(state >> 32);
        return true;
    }
    leave(team);
    return false;
}

static void *worker_main(void *given)
{
    clump_team *const team = given;
    const int number = 1 + atomic_fetch_add_explicit(&team->begun, 1, memory_order_relaxed);
    clump_thread_set_up(&team->setup.worker, &team->faults);
    for (uint32_t seen = 0;;) {
        wait_for_work(team, seen);
        if (atomic_load(&team->quit)) return NULL;
        if (!enter_new(team, &seen)) continue;
        take_own_part(team, number);
        leave(team);
    }
}

/* Enters the run that is open, whichever it is; false where none is. */
static bool enter(clump_team *team)
{
    if (!(atomic_load(&team->state) & TEAM_OPEN)) return false;
    if (atomic_fetch_add(&team->state, 1) & TEAM_OPEN) return true;
    leave(team);
    return false;
}

/* The task that a task system calls. Its last access to the team is the one to `tasks`: see wait_for_tasks(). */
static void system_task(void *given)
{
    clump_team *const team = given;
    const int others = atomic_fetch_add(&team->tasks, 1);
    if (enter(team)) {
        take_part(team, others);
        leave(team);
    }
    atomic_fetch_sub(&team->tasks, 1);
}

/* Waits for the tasks inside system_task(), while no run is open: a task that has left its run may not have returned yet.
 * The wait cannot be ended by a wake-up, which would be an access after the last one. It sleeps instead of spinning: a
 * task may need the processor of this thread. */
static void wait_for_tasks(clump_team *team)
{
    while (atomic_load(&team->tasks) > 0) nanosleep(&(struct timespec){.tv_nsec = TEAM_NAP_NS}, NULL);
}

/* Starts one worker; false where the system refuses. */
static bool create_worker(clump_team *team, pthread_t *thread)
{
    if (team->creations == 0 || !clump_thread_create(thread, team->stack, worker_main, team)) return false;
    if (team->creations > 0) team->creations--;
    return true;
}

int clump_team_start(clump_team *team, int threads)
{
    CLUMP_ASSERT(team->workers >= 0 && team->workers < CLUMP_TEAM_MOST);
    if (threads > CLUMP_TEAM_MOST) threads = CLUMP_TEAM_MOST;
    if (team->setup.system) return threads > 1 ? threads : 1;
    while (team->workers < threads - 1 && create_worker(team, &team->worker[team->workers])) team->workers++;
    return threads - 1 < team->workers ? (threads > 1 ? threads : 1) : team->workers + 1;
}

/* ----- the caller ----------------------------------------------------------------------------------------------- */

static bool is_empty(clump_team *team)
{
    return (atomic_load(&team->state) & TEAM_INSIDE) == 0;
}

/* Waits for the workers inside a run that is closed. */
static void wait_for_workers(clump_team *team)
{
    if (team->spins) {
        const double end = clump_now_ms() + TEAM_SPIN_MS;
        do {
            for (int i = 0; i < TEAM_SPIN_LOOPS; i++) {
                if (is_empty(team)) return;
                relax();
            }
        } while (clump_now_ms() < end);
    }
    if (is_empty(team)) return;
    clump_park_enter(&team->done);
    for (;;) {
        const uint32_t ticket = clump_park_ticket(&team->done);
        if (is_empty(team)) break;
        clump_park_sleep(&team->done, ticket);
    }
    clump_park_leave(&team->done);
}

/* Opens a run: from now on workers enter. The numbers below `taken`, 0 or 1, are not given to them. */
static void open_run(clump_team *team, int taken)
{
    for (int k = 0; k < CLUMP_TEAM_MOST / 64; k++) atomic_store_explicit(&team->taken[k], 0, memory_order_relaxed);
    atomic_store_explicit(&team->taken[0], ((uint64_t)1 << taken) - 1, memory_order_relaxed);
    const int stretches = stretches_of(team);
    for (int t = 0; t < stretches; t++)
        atomic_store_explicit(&team->stretch[t].next, clump_share_of(team->chunks, t, stretches).begin,
                              memory_order_relaxed);
    atomic_fetch_add(&team->state, (uint64_t)1 << 32 | TEAM_OPEN); /* a worker that was late may be about to leave */
}

#ifdef CLUMP_TEAM_GATHERS
static int numbers_taken(clump_team *team)
{
    int sum = 0;
    for (int k = 0; k < CLUMP_TEAM_MOST / 64; k++) sum += (int)clump_popcount(atomic_load(&team->taken[k]));
    return sum;
}
#endif

/* Runs all chunks on the workers and on the caller, whose number is 0. Returns when no chunk is left to claim. */
static void share_among_workers(clump_team *team)
{
    open_run(team, 1);
    clump_park_wake(&team->work, team->threads - 1);
#ifdef CLUMP_TEAM_GATHERS /* for the thread sanitizer: all threads take part in every run, also on a busy machine */
    while ((atomic_load(&team->state) & TEAM_OPEN) && numbers_taken(team) < team->threads) sched_yield();
#endif
    run_chunks(team, 0);
}

/* Runs all chunks on the task system, and what it leaves on the caller. Returns when no chunk is left to claim. */
static void share_among_tasks(clump_team *team)
{
    open_run(team, 0);
    team->setup.system(team->threads, system_task, team, team->setup.system_user);
    take_part(team, 0);
    close_run(team); /* where all numbers were taken, no task has to enter any more */
}

static void share_run(clump_team *team)
{
    if (team->setup.system)
        share_among_tasks(team);
    else
        share_among_workers(team);
}

/* As share_run() and wait_for_workers(), with the times for clump_team_times(). A worker that needs as long for its
 * last chunk as the caller for all of its own is still within bounds; chunks may be slices of different weight. */
static void share_timed_run(clump_team *team)
{
    const double start = clump_now_ms();
    share_run(team);
    const double closed = clump_now_ms();
    wait_for_workers(team);
    const double own = closed - start, allowed = own > TEAM_PATIENCE_MS ? own : TEAM_PATIENCE_MS;
    team->clock.end = clump_now_ms();
    if (team->clock.end - closed > allowed) team->clock.stuck += team->clock.end - closed - allowed;
}

static bool run(clump_team *team, int threads, bool whole, size_t count, size_t chunk, clump_team_task *task, void *arg)
{
    CLUMP_ASSERT(chunk >= 1 && threads >= 1 && task);
    if (count == 0) return true;
    const size_t chunks = count / chunk + (count % chunk != 0);
    const int most = team->setup.system ? CLUMP_TEAM_MOST : team->workers + 1;
    if (threads > most) threads = most;
    if (chunks < (size_t)threads) threads = (int)chunks;
    if (threads <= 1 || team->running) {
        const bool done = run_alone(team, whole, count, chunk, task, arg);
        if (team->setup.timed && !team->running) team->clock.end = clump_now_ms();
        return done;
    }
    CLUMP_ASSERT(!(atomic_load(&team->state) & TEAM_OPEN));
    if (atomic_load(&team->awaited) > 0) atomic_store(&team->awaited, 0); /* the run wakes them, too */
    team->running = true;
    team->task = task;
    team->arg = arg;
    team->count = count;
    team->chunk = chunk;
    team->chunks = chunks;
    team->threads = threads;
    team->whole = whole;
    if (team->setup.timed) {
        share_timed_run(team);
    } else {
        share_run(team);
        wait_for_workers(team);
    }
    team->running = false;
    return whole || !was_stopped(team);
}

bool clump_team_run(clump_team *team, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg)
{
    return run(team, threads, false, count, chunk, task, arg);
}

void clump_team_run_whole(clump_team *team, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg)
{
    run(team, threads, true, count, chunk, task, arg);
}

void clump_team_wake(clump_team *team, int threads)
{
    const int most = threads - 1 < team->workers ? threads - 1 : team->workers;
    if (most <= 0 || !team->spins || team->running) return;
    atomic_store(&team->awaited, most);
    clump_park_wake(&team->work, most);
}

/* ----- creation and destruction ----------------------------------------------------------------------------------- */

size_t clump_team_bytes(void)
{
    return sizeof(clump_team); /* whole cache lines, as it is aligned to them */
}

/* Sets the state of a team without workers. */
static void reset(clump_team *team)
{
    clump_park_init(&team->work);
    clump_park_init(&team->done);
    atomic_store(&team->state, 0);
    atomic_store(&team->tasks, 0);
    atomic_store(&team->awaited, 0);
    atomic_store(&team->quit, false);
    atomic_store(&team->begun, 0);
    team->running = false;
    team->workers = 0;
}

static pthread_once_t forks_once = PTHREAD_ONCE_INIT;
static _Atomic unsigned forks; /* between the first process that had a team and this one */

static void count_fork(void)
{
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
}

static void count_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork); /* where it fails, the process id is left */
}

static team_process this_process(void)
{
    return (team_process){getpid(), atomic_load_explicit(&forks, memory_order_relaxed)};
}

clump_team *clump_team_init(void *memory, const clump_team_setup *setup)
{
    CLUMP_ASSERT((uintptr_t)memory % 64 == 0);
    clump_team *const team = memory;
    memset(team, 0, sizeof *team);
    if (setup) team->setup = *setup;
    team->creations = -1;
    team->stack = clump_thread_stack(); /* here, as the loader's lock may be taken for ever in a forked child */
    team->spins = clump_cores_allowed() > 1 || clump_cores_online() > 1; /* the creator alone may be pinned */
    atomic_store(&team->watched, team->setup.cancel != NULL);
    pthread_once(&forks_once, count_forks);
    team->process = this_process();
    reset(team);
    return team;
}

/* Resets the team in a forked child, where the workers and the threads of the task system do not exist and the locks are
 * in an unknown state. */
static void notice_fork(clump_team *team)
{
    const team_process now = this_process();
    if (now.id == team->process.id && now.forks == team->process.forks) return;
    team->process = now;
    reset(team);
}

clump_team_clock clump_team_times(const clump_team *team)
{
    return was_stopped(team) ? (clump_team_clock){0, 0} : team->clock;
}

const clump_thread_faults *clump_team_faults(const clump_team *team)
{
    return &team->faults;
}

void clump_team_begin(clump_team *team)
{
    notice_fork(team);
    atomic_store_explicit(&team->stopped, false, memory_order_relaxed);
    team->clock = (clump_team_clock){0, 0};
}

void clump_team_rest(clump_team *team)
{
    notice_fork(team);
    CLUMP_ASSERT(!team->running);
    wait_for_tasks(team);
    if (team->workers == 0) return;
    atomic_store(&team->quit, true);
    clump_park_wake(&team->work, CLUMP_TEAM_MOST);
    for (int i = 0; i < team->workers; i++) pthread_join(team->worker[i], NULL);
    team->workers = 0;
    atomic_store(&team->begun, 0);
    atomic_store(&team->quit, false);
}

void clump_team_destroy(clump_team *team)
{
    clump_team_rest(team);
    clump_park_destroy(&team->work);
    clump_park_destroy(&team->done);
}

void clump_team_limit(clump_team *team, int creations)
{
    team->creations = creations;
}

/* Finds out whether there is something to poll. */
static void watch(clump_team *team)
{
    atomic_store(&team->watched, team->setup.cancel != NULL || atomic_load(&team->trap) > 0 || team->hook);
}

void clump_team_hook(clump_team *team, void (*hook)(void *user), void *user)
{
    CLUMP_ASSERT(!team->running);
    team->hook = hook;
    team->hook_user = user;
    watch(team);
}

void clump_team_trap(clump_team *team, long polls)
{
    atomic_store(&team->trap, polls);
    watch(team);
}
