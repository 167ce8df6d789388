/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_team.c: the thread team (common/team.h): every item runs once, worker numbers are exclusive, cancellation is
 * sticky, threads that cannot be created are done without, and no thread is left behind. The same under task systems.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "common/team.h"
#include "common/timer.h"
#include "core/task_systems.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 5000 };

static clump_team *make_as(clump_team_setup setup)
{
    void *const memory = aligned_alloc(64, clump_team_bytes());
    if (!memory) abort();
    memset(memory, 0xa5, clump_team_bytes());
    clump_team *const team = clump_team_init(memory, &setup);
    clump_team_begin(team);
    return team;
}

static clump_team *make(const volatile int *cancel)
{
    return make_as((clump_team_setup){.cancel = cancel});
}

static void unmake(clump_team *team)
{
    clump_team_destroy(team);
    free(team);
}

/* ----- runs ------------------------------------------------------------------------------------------------------- */

typedef struct tally {
    _Atomic int seen[MOST];
    _Atomic int inside[CLUMP_TEAM_MOST]; /* tasks that have this worker number now */
    int threads;
    size_t chunk;
    _Atomic int wrong;
} tally;

static void count_items(void *arg, size_t begin, size_t end, int worker)
{
    tally *const t = arg;
    if (worker < 0 || worker >= t->threads || begin >= end || begin % t->chunk != 0 || end - begin > t->chunk)
        t->wrong++;
    if (atomic_fetch_add(&t->inside[worker], 1) != 0) t->wrong++;
    for (size_t i = begin; i < end; i++) t->seen[i]++;
    atomic_fetch_sub(&t->inside[worker], 1);
}

/* Runs loops of many sizes and checks that each item ran once. */
static void check_items(clump_team *team, int threads, const char *name)
{
    static const size_t counts[] = {0, 1, 2, 63, 64, 1000, MOST}, chunks[] = {1, 7, 64, 2000, SIZE_MAX / 2};
    static tally t;
    for (size_t b = 0; b < sizeof counts / sizeof *counts; b++) {
        for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++) {
            memset(&t, 0, sizeof t);
            t.threads = threads, t.chunk = chunks[c];
            CHECK(clump_team_run(team, threads, counts[b], chunks[c], count_items, &t));
            size_t wrong = (size_t)t.wrong;
            for (size_t i = 0; i < MOST; i++) wrong += t.seen[i] != (i < counts[b]);
            CHECK_MSG(wrong == 0, "%s, %d threads, %zu items by %zu: %zu wrong", name, threads, counts[b], chunks[c],
                      wrong);
        }
    }
}

static void every_item_runs_once(void)
{
    static const int threads[] = {1, 2, 3, 7, 16, 61};
    for (size_t a = 0; a < sizeof threads / sizeof *threads; a++) {
        clump_team *const team = make(NULL);
        CHECK_INT(clump_team_start(team, threads[a]), threads[a]);
        for (int round = 0; round < check_rounds(3); round++) check_items(team, threads[a], "workers");
        unmake(team);
    }
}

/* Small runs after large ones: more workers than numbers, and the caller has one in any case. */
static void more_workers_than_numbers(void)
{
    clump_team *const team = make(NULL);
    CHECK_INT(clump_team_start(team, 16), 16);
    for (int round = 0; round < check_rounds(5); round++) check_items(team, 2 + round % 2, "many workers");
    unmake(team);
}

/* Workers that are woken before a run take part in it as others do. A wake-up without a run does no harm. */
static void workers_wake_before_runs(void)
{
    clump_team *const team = make(NULL);
    clump_team_wake(team, 4); /* there is none yet */
    CHECK_INT(clump_team_start(team, 4), 4);
    for (int round = 0; round < check_rounds(8); round++) {
        for (int threads = 1; threads <= 6; threads++) {
            clump_team_wake(team, threads);
            if (round % 2) nanosleep(&(struct timespec){.tv_nsec = round % 4 == 1 ? 50000 : 3000000}, NULL);
            if (threads != 5) check_items(team, threads < 4 ? threads : 4, "woken workers");
        }
    }
    clump_team_wake(team, 4);
    clump_team_rest(team); /* also while they spin */
    check_items(team, 1, "no workers");
    clump_team_start(team, 2);
    clump_team_wake(team, 4);
    unmake(team);
}

/* What one run writes plainly, the next one reads plainly: the thread sanitizer looks at this. */
typedef struct relay {
    long value[MOST];
    long step;
} relay;

static void pass_on(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    relay *const r = arg;
    for (size_t i = begin; i < end; i++) r->value[MOST - 1 - i] = r->step;
}

static void check_on(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    relay *const r = arg;
    for (size_t i = begin; i < end; i++)
        if (r->value[i] != r->step) r->value[i] = -1;
}

static void check_order(clump_team *team, int rounds)
{
    static relay r;
    clump_team_start(team, 4);
    long wrong = 0;
    for (r.step = 1; r.step < rounds; r.step++) {
        clump_team_run(team, 4, MOST, 100, pass_on, &r);
        clump_team_run(team, 4, MOST, 37, check_on, &r);
        for (size_t i = 0; i < MOST; i++) wrong += r.value[i] != r.step;
    }
    CHECK_INT(wrong, 0);
}

static void runs_are_ordered(void)
{
    clump_team *const team = make(NULL);
    check_order(team, check_rounds(300));
    unmake(team);
}

typedef struct nest {
    clump_team *team;
    _Atomic int items, wrong;
} nest;

static void inner_task(void *arg, size_t begin, size_t end, int worker)
{
    nest *const n = arg;
    n->items += (int)(end - begin);
    n->wrong += worker != 0;
}

static void outer_task(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    nest *const n = arg;
    for (size_t i = begin; i < end; i++)
        if (!clump_team_run(n->team, 4, 10, 3, inner_task, n)) n->wrong++;
}

static void check_nesting(clump_team *team)
{
    nest n = {.team = team};
    clump_team_start(n.team, 4);
    CHECK(clump_team_run(n.team, 4, 50, 1, outer_task, &n));
    CHECK_INT(n.items, 500);
    CHECK_INT(n.wrong, 0);
}

static void runs_in_runs_have_one_thread(void)
{
    clump_team *const team = make(NULL);
    check_nesting(team);
    unmake(team);
}

/* ----- threads ---------------------------------------------------------------------------------------------------- */

/* Threads of this process, and how many of them are named so. Negative where the system does not tell. */
static int count_threads(const char *name)
{
    DIR *const folder = opendir("/proc/self/task");
    if (!folder) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        char path[300], comm[64] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *const file = name ? fopen(path, "r") : NULL;
        if (file && !fgets(comm, sizeof comm, file)) comm[0] = '\0';
        if (file) fclose(file);
        comm[strcspn(comm, "\n")] = '\0';
        count += !name || strcmp(comm, name) == 0;
    }
    closedir(folder);
    return count;
}

/* Whether as many threads are named so, soon: one that was joined may be listed for a moment longer. */
static bool becomes(const char *name, int expected)
{
    for (int i = 0; i < 20000; i++) {
        if (count_threads(name) == expected) return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

typedef struct look {
    _Atomic int workers, blocked, deep;
    _Atomic int waiting;
} look;

/* All threads of the run meet, so that each gets one task. */
static void look_around(void *arg, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    look *const l = arg;
    volatile char stack[CLUMP_THREAD_STACK / 2];
    for (size_t i = 0; i < sizeof stack; i += 1024) stack[i] = (char)i;
    l->deep += stack[1024] == 0;
    l->waiting++;
    while (l->waiting < 3) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    if (worker == 0) return;
    sigset_t set;
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    l->workers++;
    l->blocked += sigismember(&set, SIGUSR1) && sigismember(&set, SIGINT);
}

static void workers_come_and_go(void)
{
    if (count_threads(NULL) < 0) SKIP("there is no /proc/self/task: " DO_ELSEWHERE);
    CHECK(becomes("clump", 0)); /* those of other tests */
    const int before = count_threads(NULL);
    clump_team *const team = make(NULL);
    CHECK_INT(count_threads(NULL), before); /* none before the first use */
    CHECK_INT(clump_team_start(team, 3), 3);
    look l = {0};
    CHECK(clump_team_run(team, 3, 3, 1, look_around, &l));
    CHECK_INT(count_threads("clump"), 2);
    CHECK_INT(l.workers, 2);
    CHECK_INT(l.blocked, 2);
    CHECK_INT(l.deep, 3);
    clump_team_rest(team);
    CHECK(becomes(NULL, before));
    CHECK_INT(clump_team_start(team, 5), 5);
    clump_team_rest(team);
    clump_team_rest(team);
    CHECK(becomes(NULL, before));
    CHECK_INT(clump_team_start(team, 2), 2);
    unmake(team);
    CHECK(becomes(NULL, before));
}

static void threads_that_cannot_be_created(void)
{
    static tally t;
    for (int allowed = 0; allowed < 4; allowed++) {
        clump_team *const team = make(NULL);
        clump_team_limit(team, allowed);
        CHECK_INT(clump_team_start(team, 16), allowed + 1);
        CHECK_INT(clump_team_start(team, 2), allowed > 0 ? 2 : 1);
        memset(&t, 0, sizeof t);
        t.threads = allowed + 1, t.chunk = 10;
        CHECK(clump_team_run(team, 16, MOST, 10, count_items, &t));
        int seen = 0;
        for (size_t i = 0; i < MOST; i++) seen += t.seen[i];
        CHECK_INT(seen, MOST);
        CHECK_INT(t.wrong, 0);
        clump_team_limit(team, -1);
        CHECK_INT(clump_team_start(team, 16), 16); /* the lack has passed */
        unmake(team);
    }
    clump_team *const team = make(NULL);
    CHECK_INT(clump_team_start(team, 0), 1);
    CHECK_INT(clump_team_start(team, 1), 1);
    unmake(team);
    CHECK(clump_cores() >= 1);
}

static void *note_call(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

static void stacks_that_are_too_small(void)
{
    static const size_t sizes[] = {0, 1, 100};
    CHECK(clump_thread_stack() >= CLUMP_THREAD_STACK);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        pthread_t thread;
        int called = 0;
        const bool created = clump_thread_create(&thread, sizes[k], note_call, &called);
        if (created) pthread_join(thread, NULL);
        CHECK_MSG(created && called, "%zu bytes", sizes[k]);
    }
}

/* ----- how workers are set up ------------------------------------------------------------------------------------- */

typedef struct setting {
    _Atomic int waiting, nice[2], cores[2]; /* of the caller and of the worker */
} setting;

static void note_setting(void *arg, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    setting *const s = arg;
    s->waiting++;
    while (s->waiting < 2) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    s->nice[worker] = getpriority(PRIO_PROCESS, 0);
    s->cores[worker] = clump_cores_allowed();
}

static void nice_values_and_processors(void)
{
#ifndef __linux__
    SKIP("no Linux: " DO_ELSEWHERE);
#endif
    int allowed = -1; /* a processor that this process may use: of those below 1024 the last that works */
    for (int core = 0; core < 1024 && allowed < 0; core++) {
        clump_team *const team = make_as((clump_team_setup){.worker = {0, &core, 1}});
        clump_team_start(team, 2);
        clump_team_rest(team);
        if (!clump_team_faults(team)->cores) allowed = core;
        unmake(team);
    }
    CHECK(allowed >= 0);
    const int here = getpriority(PRIO_PROCESS, 0);
    clump_team *team = make_as((clump_team_setup){.worker = {3, &allowed, 1}});
    CHECK_INT(clump_team_start(team, 2), 2);
    setting s = {0};
    CHECK(clump_team_run(team, 2, 2, 1, note_setting, &s));
    CHECK_INT(s.nice[0], here);
    CHECK_INT(s.nice[1], here + 3 < 19 ? here + 3 : 19);
    CHECK_INT(s.cores[0], clump_cores_allowed());
    CHECK_INT(s.cores[1], 1);
    CHECK(!clump_team_faults(team)->nice && !clump_team_faults(team)->cores);
    unmake(team);

    const int absent = CLUMP_THREAD_CORES - 1; /* the worker works all the same */
    team = make_as((clump_team_setup){.worker = {0, &absent, 1}});
    CHECK_INT(clump_team_start(team, 2), 2);
    check_items(team, 2, "no such processor");
    clump_team_rest(team);
    CHECK(clump_team_faults(team)->cores && !clump_team_faults(team)->nice);
    unmake(team);
}

/* ----- task systems ----------------------------------------------------------------------------------------------- */

static void task_systems(void)
{
    const bool listed = count_threads(NULL) >= 0;
    CHECK(!listed || becomes("clump", 0));
    for (int manner = 0; manner < TASKS_MANNERS; manner++) {
        task_pool *const pool = task_pool_start((task_manner)manner);
        const clump_task_system system = task_pool_system(pool);
        clump_team *const team = make_as((clump_team_setup){.system = system.run, .system_user = system.user});
        for (int threads = 2; threads <= 61; threads *= 3) {
            CHECK_INT(clump_team_start(team, threads), threads);
            check_items(team, threads, task_pool_name(pool));
        }
        check_order(team, CLOUD_WATCHED ? 30 : 100);
        check_nesting(team);
        CHECK(task_pool_runs(pool) > 100);
        CHECK_INT(count_threads("clump"), listed ? 0 : -1); /* the team has started none */
        clump_team_rest(team);
        check_items(team, 4, task_pool_name(pool));
        task_pool_end(pool);
        unmake(team);
    }
}

static void count_slowly(void *arg, size_t begin, size_t end, int worker)
{
    tally *const t = arg;
    t->wrong += worker >= t->threads || atomic_fetch_add(&t->inside[worker], 1) != 0;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    for (size_t i = begin; i < end; i++) t->seen[i]++;
    atomic_fetch_sub(&t->inside[worker], 1);
}

/* Chunks take long, so tasks meet in one run: more tasks than numbers, and some still at work when the caller ends. */
static void slow_chunks(void)
{
    static tally t;
    for (int manner = TASKS_POOLED; manner < TASKS_MANNERS; manner++) {
        task_pool *const pool = task_pool_start((task_manner)manner);
        const clump_task_system system = task_pool_system(pool);
        clump_team *const team = make_as((clump_team_setup){.system = system.run, .system_user = system.user});
        for (int round = 0; round < 6; round++) {
            memset(&t, 0, sizeof t);
            t.threads = 2 + round % 3;
            CHECK(clump_team_run(team, t.threads, 7, 1, count_slowly, &t));
            int seen = 0;
            for (size_t i = 0; i < 7; i++) seen += t.seen[i];
            CHECK_MSG(seen == 7 && t.wrong == 0, "%s: %d chunks, %d wrong", task_pool_name(pool), seen, t.wrong);
        }
        task_pool_end(pool);
        unmake(team);
    }
}

/* The pool's threads do the work, not the caller alone. */
typedef struct who {
    pthread_t caller;
    _Atomic int others;
} who;

static void count_others(void *arg, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    who *const w = arg;
    w->others += !pthread_equal(pthread_self(), w->caller);
}

static void task_systems_do_the_work(void)
{
    task_pool *const pool = task_pool_start(TASKS_ONE);
    const clump_task_system system = task_pool_system(pool);
    clump_team *const team = make_as((clump_team_setup){.system = system.run, .system_user = system.user});
    who w = {.caller = pthread_self()};
    CHECK(clump_team_run(team, 4, 500, 1, count_others, &w));
    CHECK_INT(w.others, 500);
    task_pool_end(pool);
    unmake(team);
}

/* A caller that is a thread of the pool itself: all threads of the pool are busy with such callers. */
typedef struct pool_caller {
    clump_team *team;
    relay r;
    _Atomic long wrong;
    _Atomic bool done;
} pool_caller;

static void call_from_pool(void *arg)
{
    pool_caller *const c = arg;
    for (c->r.step = 1; c->r.step < 20; c->r.step++) {
        clump_team_run(c->team, 4, MOST, 100, pass_on, &c->r);
        clump_team_run(c->team, 4, MOST, 37, check_on, &c->r);
        for (size_t i = 0; i < MOST; i++) c->wrong += c->r.value[i] != c->r.step;
    }
    c->done = true;
}

static void callers_on_the_pool(void)
{
    enum { CALLERS = 6 };
    static pool_caller callers[CALLERS];
    task_pool *const pool = task_pool_start(TASKS_QUEUED);
    const clump_task_system system = task_pool_system(pool);
    for (int k = 0; k < CALLERS; k++) {
        callers[k].team = make_as((clump_team_setup){.system = system.run, .system_user = system.user});
        task_pool_push(pool, call_from_pool, &callers[k]);
    }
    task_pool_end(pool);
    for (int k = 0; k < CALLERS; k++) {
        CHECK(callers[k].done && callers[k].wrong == 0);
        unmake(callers[k].team);
    }
}

/* A system with one thread per run that is not waited for: it has run a chunk, but may not have returned. */
typedef struct leaver {
    pthread_t thread;
    void (*task)(void *);
    void *task_arg;
    _Atomic bool entered;
} leaver;

static void *call_task(void *arg)
{
    leaver *const l = arg;
    l->task(l->task_arg);
    return NULL;
}

static void start_leaver(int count, void (*task)(void *), void *task_arg, void *user)
{
    (void)count;
    leaver *const l = user;
    l->task = task, l->task_arg = task_arg;
    if (pthread_create(&l->thread, NULL, call_task, l) != 0) abort();
    while (!l->entered) sched_yield();
}

static void note_leaver(void *arg, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    ((leaver *)arg)->entered = true;
}

/* A team that is destroyed waits for tasks that are inside. The sanitizers see an access that comes too late. */
static void destroying_waits_for_tasks(void)
{
    for (int round = 0; round < 200; round++) {
        leaver l = {0};
        clump_team *const team = make_as((clump_team_setup){.system = start_leaver, .system_user = &l});
        CHECK(clump_team_run(team, 2, 2, 1, note_leaver, &l));
        unmake(team);
        pthread_join(l.thread, NULL);
    }
}

/* The most tasks that have a worker number hold a chunk each; one more comes and goes. */
typedef struct flood {
    pthread_t thread[CLUMP_TEAM_MOST];
    void (*task)(void *);
    void *task_arg;
    _Atomic int inside;
    _Atomic bool go_on;
} flood;

static void *call_flood(void *arg)
{
    flood *const f = arg;
    f->task(f->task_arg);
    return NULL;
}

static void start_flood(int count, void (*task)(void *), void *task_arg, void *user)
{
    flood *const f = user;
    f->task = task, f->task_arg = task_arg;
    for (int k = 0; k < count; k++)
        if (pthread_create(&f->thread[k], NULL, call_flood, f) != 0) abort();
    while (f->inside < count) sched_yield();
    task(task_arg);
    f->go_on = true;
}

static void hold_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    flood *const f = arg;
    f->inside++;
    while (!f->go_on) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void more_tasks_than_numbers(void)
{
    static flood f;
    clump_team *const team = make_as((clump_team_setup){.system = start_flood, .system_user = &f});
    CHECK(clump_team_run(team, CLUMP_TEAM_MOST, CLUMP_TEAM_MOST, 1, hold_chunk, &f));
    CHECK_INT(f.inside, CLUMP_TEAM_MOST);
    for (int k = 0; k < CLUMP_TEAM_MOST; k++) pthread_join(f.thread[k], NULL);
    unmake(team);
}

/* ----- times ------------------------------------------------------------------------------------------------------ */

typedef struct dawdler {
    double start;
    _Atomic bool caller, worker; /* is in its chunk; the caller's is about to end */
} dawdler;

/* The caller and the worker have one chunk each. The worker holds its own far longer than the caller. */
static void dawdle(void *arg, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    dawdler *const d = arg;
    if (worker == 0) {
        while (!d->worker) nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
        d->caller = true;
    } else {
        d->worker = true;
        while (!d->caller) nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
        const double until = clump_now_ms() + 20 + 4 * (clump_now_ms() - d->start);
        while (clump_now_ms() < until) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void stuck_workers_are_noticed(void)
{
    clump_team *const team = make_as((clump_team_setup){.timed = true});
    clump_team_start(team, 2);
    CHECK(clump_team_times(team).end == 0);
    double stuck = 0, start = 0, end = 0;
    for (int attempt = 0; attempt < 20 && stuck == 0; attempt++) { /* a busy machine may hold the caller as long */
        clump_team_begin(team);
        start = clump_now_ms();
        dawdler d = {.start = start};
        CHECK(clump_team_run(team, 2, 2, 1, dawdle, &d));
        end = clump_now_ms();
        const clump_team_clock clock = clump_team_times(team);
        CHECK(clock.end > start && clock.end <= end);
        stuck = clock.stuck;
    }
    CHECK_MSG(stuck > 0 && stuck < end - start, "stuck for %.1f of %.1f ms", stuck, end - start);
    clump_team_begin(team);
    CHECK(clump_team_times(team).end == 0 && clump_team_times(team).stuck == 0);
    unmake(team);
    clump_team *const untimed = make(NULL);
    check_items(untimed, 2, "not timed");
    CHECK(clump_team_times(untimed).end == 0);
    unmake(untimed);
}

/* ----- cancellation ----------------------------------------------------------------------------------------------- */

typedef struct stopper {
    volatile int flag;
    clump_team *team;
    _Atomic int tasks;
} stopper;

static void stop_at_ten(void *arg, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    stopper *const s = arg;
    if (++s->tasks == 10) __atomic_store_n(&s->flag, 1, __ATOMIC_RELAXED);
}

static void cancelling_is_sticky(void)
{
    static const int threads[] = {1, 4, 4};
    for (int k = 0; k < 3; k++) {
        stopper s = {0};
        task_pool *const pool = k == 2 ? task_pool_start(TASKS_POOLED) : NULL;
        const clump_task_system system = pool ? task_pool_system(pool) : (clump_task_system){NULL, NULL};
        s.team = make_as((clump_team_setup){.cancel = &s.flag, .system = system.run, .system_user = system.user});
        clump_team_start(s.team, threads[k]);
        CHECK(!clump_team_stopped(s.team));
        CHECK(!clump_team_run(s.team, threads[k], 1000, 1, stop_at_ten, &s));
        CHECK_MSG(s.tasks >= 10 && s.tasks < 10 + threads[k], "%d tasks ran", s.tasks);
        const int before = s.tasks;
        s.flag = 0; /* seen once, it holds for the rest of the call */
        CHECK(clump_team_stopped(s.team));
        CHECK(!clump_team_run(s.team, threads[k], 1000, 1, stop_at_ten, &s));
        CHECK_INT(s.tasks, before);
        clump_team_run_whole(s.team, threads[k], 1000, 1, stop_at_ten, &s);
        CHECK_INT(s.tasks, before + 1000);
        clump_team_begin(s.team);
        CHECK(!clump_team_stopped(s.team));
        CHECK(clump_team_run(s.team, threads[k], 1000, 1, stop_at_ten, &s));
        s.flag = 1;
        CHECK(clump_team_stopped(s.team));
        if (pool) task_pool_end(pool);
        unmake(s.team);
    }
}

static void polls_can_be_trapped(void)
{
    clump_team *const team = make(NULL);
    clump_team_trap(team, 3);
    CHECK(!clump_team_stopped(team) && !clump_team_stopped(team) && clump_team_stopped(team));
    CHECK(clump_team_stopped(team));
    clump_team_begin(team);
    for (int i = 0; i < 10; i++) CHECK(!clump_team_stopped(team));
    unmake(team);
}

/* ----- fork ------------------------------------------------------------------------------------------------------- */

/* Whether a team that had workers in the parent works in this child, with several threads, and ends. */
static int use_in_child(clump_team *team)
{
    static tally t;
    alarm(30); /* a hang is a failure */
    clump_team_begin(team);
    if (clump_team_start(team, 4) != 4) return 2;
    t.threads = 4, t.chunk = 3;
    for (int round = 0; round < 20; round++)
        if (!clump_team_run(team, 4, MOST, 3, count_items, &t)) return 3;
    for (size_t i = 0; i < MOST; i++)
        if (t.seen[i] != 20) return 4;
    if (t.wrong) return 5;
    unmake(team);
    return 0;
}

static int destroy_in_child(clump_team *team)
{
    alarm(30);
    unmake(team);
    return 0;
}

static void teams_survive_a_fork(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    static tally t;
    for (int round = 0; round < 6; round++) {
        clump_team *const team = make(NULL);
        clump_team_start(team, 4);
        memset(&t, 0, sizeof t);
        t.threads = 4, t.chunk = 3;
        CHECK(clump_team_run(team, 4, MOST, 3, count_items, &t));
        if (round % 3 == 2) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); /* workers sleep by then */
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) _exit(round % 2 ? destroy_in_child(team) : use_in_child(team));
        int status = -1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %#x", (unsigned)status);
        CHECK(clump_team_run(team, 4, MOST, 3, count_items, &t)); /* the parent's workers are still there */
        unmake(team);
    }
}

CHECK_PROGRAM(test_team)
{
    RUN(every_item_runs_once);
    RUN(more_workers_than_numbers);
    RUN(workers_wake_before_runs);
    RUN(runs_are_ordered);
    RUN(runs_in_runs_have_one_thread);
    RUN(workers_come_and_go);
    RUN(threads_that_cannot_be_created);
    RUN(stacks_that_are_too_small);
    RUN(nice_values_and_processors);
    RUN(task_systems);
    RUN(slow_chunks);
    RUN(task_systems_do_the_work);
    RUN(callers_on_the_pool);
    RUN(destroying_waits_for_tasks);
    RUN(more_tasks_than_numbers);
    RUN(stuck_workers_are_noticed);
    RUN(cancelling_is_sticky);
    RUN(polls_can_be_trapped);
    RUN(teams_survive_a_fork);
}
