/* SPDX-License-Identifier: BSD-3-Clause
 *
 * team.c: see team.h. The state of the team is one word:
 *
 *     | generation, 32 bits | open, 1 bit | threads inside, 31 bits |
 *
 * The caller publishes a run by a new generation with the open bit. A worker enters by adding 1 to exactly the word
 * that it has read, so it can enter an open run only, and the caller cannot change the run while a worker is inside.
 * The thread that finds no chunk left closes the run; from then on no worker enters, and the caller waits for the
 * workers inside.
 *
 * No wake-up is lost. A worker that goes to sleep adds itself to `sleepers`, then reads the state; the caller writes
 * the state, then reads `sleepers`. All four are sequentially consistent, so one of the two sees what the other wrote.
 * The same holds for `caller_sleeps` and the worker that leaves last.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "common/team.h"

#include "common/assert.h"
#include "common/timer.h"

#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sched.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Waiting threads spin for 10 microseconds, because the serial steps between runs often take less. */
#define TEAM_SPIN_MS    0.01
#define TEAM_SPIN_LOOPS 32 /* polls between two reads of the clock */

#define TEAM_OPEN   ((uint64_t)1 << 31) /* the bit of `state` */
#define TEAM_INSIDE (TEAM_OPEN - 1)     /* mask of the number of threads inside */

struct clump_team {
    alignas(64) _Atomic uint64_t state;
    _Atomic int joined; /* workers that have entered this run */

    alignas(64) _Atomic size_t next; /* the first item that is not claimed */

    /* the run; written by the caller while no worker is inside */
    alignas(64) clump_team_task *task;
    void *arg;
    size_t count, chunk;
    int threads;
    bool whole;   /* no cancellation */
    bool running; /* a run that a task makes itself has one thread */

    alignas(64) const volatile int *cancel;
    _Atomic bool watched; /* there is something to poll */
    _Atomic bool stopped;
    _Atomic long trap; /* fault injection: polls until one finds the call cancelled */
    int creations;     /* fault injection: threads that can still be created; negative: any number */

    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    _Atomic int sleepers;
    _Atomic bool caller_sleeps, quit;
    bool spins; /* there is a second processor */
    pid_t pid;  /* of the process that the workers are in */
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
    bool stop = team->cancel && __atomic_load_n((volatile int *)team->cancel, __ATOMIC_RELAXED) != 0;
    if (atomic_load_explicit(&team->trap, memory_order_relaxed) > 0 &&
        atomic_fetch_sub_explicit(&team->trap, 1, memory_order_relaxed) == 1)
        stop = true;
    if (stop) atomic_store_explicit(&team->stopped, true, memory_order_relaxed);
    return stop;
}

/* Claims and runs chunks until none is left or the call is cancelled; then closes the run. */
static void run_chunks(clump_team *team, int worker)
{
    for (;;) {
        if (!team->whole && clump_team_stopped(team)) break;
        const size_t begin = atomic_fetch_add_explicit(&team->next, team->chunk, memory_order_relaxed);
        if (begin >= team->count) break;
        const size_t left = team->count - begin;
        team->task(team->arg, begin, left < team->chunk ? team->count : begin + team->chunk, worker);
    }
    atomic_fetch_and(&team->state, ~TEAM_OPEN);
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

/* Spins until there is work or TEAM_SPIN_MS have passed. */
static void spin_for_work(clump_team *team, uint32_t seen)
{
    const double end = clump_now_ms() + TEAM_SPIN_MS;
    do {
        for (int i = 0; i < TEAM_SPIN_LOOPS; i++) {
            if (has_work(team, seen)) return;
            relax();
        }
    } while (clump_now_ms() < end);
}

/* Waits for a new run or the end of the team. */
static void wait_for_work(clump_team *team, uint32_t seen)
{
    if (team->spins) spin_for_work(team, seen);
    if (has_work(team, seen)) return;
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (!has_work(team, seen)) pthread_cond_wait(&team->wake, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

/* Leaves a run; the last worker wakes the caller. */
static void leave(clump_team *team)
{
    const uint64_t state = atomic_fetch_sub(&team->state, 1) - 1;
    CLUMP_ASSERT((state & TEAM_INSIDE) < CLUMP_TEAM_MOST);
    if ((state & (TEAM_OPEN | TEAM_INSIDE)) != 0 || !atomic_load(&team->caller_sleeps)) return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_signal(&team->done);
    pthread_mutex_unlock(&team->lock);
}

static void *worker_main(void *given)
{
    clump_team *const team = given;
#ifdef __linux__
    prctl(PR_SET_NAME, "clump", 0, 0, 0);
#endif
    for (uint32_t seen = 0;;) {
        wait_for_work(team, seen);
        if (atomic_load(&team->quit)) return NULL;
        uint64_t state = atomic_load(&team->state);
        if (!is_new(state, seen) || !atomic_compare_exchange_strong(&team->state, &state, state + 1)) continue;
        seen = (uint32_t)(state >> 32);
        const int number = atomic_fetch_add_explicit(&team->joined, 1, memory_order_relaxed) + 1;
        if (number < team->threads) run_chunks(team, number);
        leave(team);
    }
}

/* Starts one worker; false where the system refuses. Workers block all signals: those are for the program's threads. */
static bool create_worker(clump_team *team, pthread_t *thread)
{
    if (team->creations == 0) return false;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool created = pthread_attr_setstacksize(&attributes, CLUMP_TEAM_STACK) == 0 &&
                         pthread_create(thread, &attributes, worker_main, team) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (created && team->creations > 0) team->creations--;
    return created;
}

int clump_team_start(clump_team *team, int threads)
{
    CLUMP_ASSERT(team->workers >= 0 && team->workers < CLUMP_TEAM_MOST);
    if (threads > CLUMP_TEAM_MOST) threads = CLUMP_TEAM_MOST;
    if (threads > 1 && team->workers == 0) team->pid = getpid();
    while (team->workers < threads - 1 && create_worker(team, &team->worker[team->workers])) team->workers++;
    return threads - 1 < team->workers ? (threads > 1 ? threads : 1) : team->workers + 1;
}

/* ----- the caller ----------------------------------------------------------------------------------------------- */

/* Wakes up to `wanted` sleeping workers. */
static void wake_workers(clump_team *team, int wanted)
{
    const int sleepers = atomic_load(&team->sleepers);
    if (sleepers == 0) return;
    pthread_mutex_lock(&team->lock);
    if (wanted >= sleepers)
        pthread_cond_broadcast(&team->wake);
    else
        for (int i = 0; i < wanted; i++) pthread_cond_signal(&team->wake);
    pthread_mutex_unlock(&team->lock);
}

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
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->caller_sleeps, true);
    while (!is_empty(team)) pthread_cond_wait(&team->done, &team->lock);
    atomic_store(&team->caller_sleeps, false);
    pthread_mutex_unlock(&team->lock);
}

static bool run(clump_team *team, int threads, bool whole, size_t count, size_t chunk, clump_team_task *task, void *arg)
{
    CLUMP_ASSERT(chunk >= 1 && threads >= 1 && task);
    if (count == 0) return true;
    const size_t chunks = count / chunk + (count % chunk != 0);
    if (threads > team->workers + 1) threads = team->workers + 1;
    if (chunks < (size_t)threads) threads = (int)chunks;
    if (threads <= 1 || team->running) return run_alone(team, whole, count, chunk, task, arg);
    CLUMP_ASSERT(is_empty(team) && !(atomic_load(&team->state) & TEAM_OPEN));
    team->running = true;
    team->task = task;
    team->arg = arg;
    team->count = count;
    team->chunk = chunk;
    team->threads = threads;
    team->whole = whole;
    atomic_store_explicit(&team->joined, 0, memory_order_relaxed);
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    const uint64_t generation = (atomic_load_explicit(&team->state, memory_order_relaxed) >> 32) + 1;
    atomic_store(&team->state, (generation & UINT32_MAX) << 32 | TEAM_OPEN);
    wake_workers(team, threads - 1);
#ifdef CLUMP_TEAM_GATHERS /* for the thread sanitizer: all threads take part in every run, also on a busy machine */
    while ((atomic_load(&team->state) & TEAM_OPEN) && atomic_load(&team->joined) < threads - 1) sched_yield();
#endif
    run_chunks(team, 0);
    wait_for_workers(team);
    CLUMP_ASSERT(is_empty(team) && atomic_load(&team->next) / chunk <= chunks + (size_t)threads);
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

/* ----- creation and destruction ----------------------------------------------------------------------------------- */

size_t clump_team_bytes(void)
{
    return sizeof(clump_team); /* whole cache lines, as it is aligned to them */
}

/* Sets the state of a team without workers. */
static void reset(clump_team *team)
{
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    pthread_cond_init(&team->done, NULL);
    atomic_store(&team->state, 0);
    atomic_store(&team->sleepers, 0);
    atomic_store(&team->caller_sleeps, false);
    atomic_store(&team->quit, false);
    team->running = false;
    team->workers = 0;
}

clump_team *clump_team_init(void *memory, const volatile int *cancel)
{
    CLUMP_ASSERT((uintptr_t)memory % 64 == 0);
    clump_team *const team = memory;
    memset(team, 0, sizeof *team);
    team->cancel = cancel;
    team->creations = -1;
    team->spins = clump_team_cores() > 1;
    atomic_store(&team->watched, cancel != NULL);
    reset(team);
    return team;
}

/* Resets the team in a forked child, where the workers do not exist and the locks are in an unknown state. */
static void notice_fork(clump_team *team)
{
    if (team->workers > 0 && team->pid != getpid()) reset(team);
}

void clump_team_begin(clump_team *team)
{
    notice_fork(team);
    atomic_store_explicit(&team->stopped, false, memory_order_relaxed);
}

void clump_team_rest(clump_team *team)
{
    notice_fork(team);
    CLUMP_ASSERT(!team->running);
    if (team->workers == 0) return;
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->quit, true);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->workers; i++) pthread_join(team->worker[i], NULL);
    team->workers = 0;
    atomic_store(&team->quit, false);
}

void clump_team_destroy(clump_team *team)
{
    clump_team_rest(team);
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->wake);
    pthread_cond_destroy(&team->done);
}

int clump_team_cores(void)
{
#ifdef __linux__
    cpu_set_t set[8]; /* 8192 processors */
    if (sched_getaffinity(0, sizeof set, set) == 0 && CPU_COUNT_S(sizeof set, set) > 0)
        return CPU_COUNT_S(sizeof set, set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

void clump_team_limit(clump_team *team, int creations)
{
    team->creations = creations;
}

void clump_team_trap(clump_team *team, long polls)
{
    atomic_store(&team->trap, polls);
    atomic_store(&team->watched, team->cancel != NULL || polls > 0);
}
