/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_adapt.c: the controller of threads = 0 (common/adapt.h) on a simulated machine. A call of the model has a serial
 * part, work that threads share, a cost per thread, and noise. Threads beyond the free processors get stuck.
 */
#include "support/check.h"

#include "common/adapt.h"

#include <math.h>

typedef struct machine {
    int cores, busy; /* processors; those that other programs use */
    double serial_ms, work_ms, per_thread_ms;
    double noise;    /* relative */
    double stuck_ms; /* how long a worker on a busy processor is suspended */
    double chance;   /* of one worker, per call */
    double steal;    /* the same on a free processor: a virtual machine's host takes it away */
    double slice_ms; /* 0, or: every thread, the caller too, shares its processor by turns of this length */
    uint64_t random;
} machine;

/* Returns how long a thread that needs `ms` is off a processor that it shares. */
static double shared_ms(machine *m, double ms)
{
    double off = 0;
    double left = m->slice_ms * (double)check_random_float(&m->random); /* of the first turn */
    for (; ms > left; left = m->slice_ms) off += m->slice_ms, ms -= left;
    return off;
}

/* Returns the time of a call with this number of threads, and how much of it the caller waited for a stuck worker. */
static double call_time(machine *m, int threads, double *stuck)
{
    *stuck = 0;
    double ms = m->serial_ms + m->work_ms / threads + m->per_thread_ms * (threads - 1);
    ms *= 1 + m->noise * ((double)check_random_float(&m->random) - 0.5);
    const int crowded = threads - (m->cores - m->busy > 1 ? m->cores - m->busy : 1);
    for (int k = 0; k < crowded; k++)
        if ((double)check_random_float(&m->random) < m->chance) *stuck = m->stuck_ms;
    for (int k = 1; k < threads; k++)
        if ((double)check_random_float(&m->random) < m->steal) *stuck = m->stuck_ms;
    if (m->slice_ms > 0) {
        const double caller = shared_ms(m, ms);
        double last = caller;
        for (int k = 1; k < threads; k++) last = fmax(last, shared_ms(m, ms));
        *stuck = last - caller;
        ms += caller;
    }
    return ms + *stuck;
}

typedef struct outcome {
    double mean_ms, worst_ms, mean_threads;
    int last; /* threads of the last call */
} outcome;

static outcome simulate(clump_adapt *a, machine *m, const char *call, size_t items, int calls)
{
    outcome o = {0};
    for (int k = 0; k < calls; k++) {
        double stuck;
        clump_adapt_begin(a);
        const int threads = clump_adapt_choose(a, call, items, m->cores);
        CHECK(threads >= 1 && threads <= m->cores);
        const double ms = call_time(m, threads, &stuck);
        clump_adapt_report(a, ms, stuck);
        o.mean_ms += ms / calls;
        o.mean_threads += (double)threads / calls;
        if (ms > o.worst_ms) o.worst_ms = ms;
        o.last = threads;
    }
    return o;
}

static const char first_call[] = "clump_ec", second_call[] = "clump_describe";

/* The time without noise and stuck workers. */
static double ideal(const machine *m, int threads)
{
    return m->serial_ms + m->work_ms / threads + m->per_thread_ms * (threads - 1);
}

static void an_idle_machine_uses_all(void)
{
    for (int cores = 2; cores <= 64; cores *= 2) {
        machine m = {.cores = cores, .work_ms = 200, .noise = 0.1, .random = (uint64_t)cores};
        clump_adapt a = {0};
        const outcome first = simulate(&a, &m, first_call, 1000000, 1), o = simulate(&a, &m, first_call, 1000000, 1000);
        CHECK_INT(first.last, cores);
        CHECK_MSG(o.mean_ms < 1.1 * ideal(&m, cores), "%d cores: %.2f ms, ideal %.2f", cores, o.mean_ms,
                  ideal(&m, cores));
    }
}

/* More threads than pay, as on the 16-core machine: a KITTI scan takes longest with 1 and with 16. */
static void no_more_threads_than_pay(void)
{
    machine m = {.cores = 16, .serial_ms = 0.3, .work_ms = 6.4, .per_thread_ms = 0.2, .noise = 0.1, .random = 7};
    clump_adapt a = {0};
    simulate(&a, &m, first_call, 124668, 300);
    const outcome o = simulate(&a, &m, first_call, 124668, 1000);
    double best = INFINITY;
    for (int t = 1; t <= 16; t++) best = fmin(best, ideal(&m, t));
    CHECK_MSG(o.mean_ms < 1.12 * best, "%.2f ms with %.1f threads, best %.2f", o.mean_ms, o.mean_threads, best);

    m.per_thread_ms = 10; /* threads never pay */
    clump_adapt b = {0};
    simulate(&b, &m, first_call, 124668, 200);
    const outcome alone = simulate(&b, &m, first_call, 124668, 1000);
    CHECK_MSG(alone.mean_ms < 1.1 * ideal(&m, 1), "%.2f ms, one thread takes %.2f", alone.mean_ms, ideal(&m, 1));
}

static void busy_cores_are_not_waited_for(void)
{
    for (int cores = 2; cores <= 16; cores *= 2) {
        for (int busy = cores / 2; busy <= cores; busy += cores / 2) {
            machine m = {
                .cores = cores, .work_ms = 6, .per_thread_ms = 0.02, .noise = 0.1, .stuck_ms = 4, .chance = 0.3};
            m.random = (uint64_t)(100 * cores + busy);
            clump_adapt a = {0};
            simulate(&a, &m, first_call, 124668, 100); /* idle */
            m.busy = busy;
            simulate(&a, &m, first_call, 124668, 30);
            const outcome o = simulate(&a, &m, first_call, 124668, 2000);
            const int free = cores - busy > 1 ? cores - busy : 1;
            CHECK_MSG(o.mean_ms < 1.3 * ideal(&m, free) && o.mean_ms < 1.1 * ideal(&m, 1),
                      "%d of %d cores busy: %.2f ms, %.1f threads; %d free cores could do it in %.2f", busy, cores,
                      o.mean_ms, o.mean_threads, free, ideal(&m, free));
            m.busy = 0; /* free again */
            simulate(&a, &m, first_call, 124668, 600);
            const outcome after = simulate(&a, &m, first_call, 124668, 500);
            CHECK_MSG(after.mean_ms < 1.15 * ideal(&m, cores), "%d cores idle again: %.2f ms, %.1f threads", cores,
                      after.mean_ms, after.mean_threads);
        }
    }
}

/* All processors are busy, and every thread gets half of one by turns. One thread is off its processor for as long as it runs;
 * of sixteen some are off for one turn. Stuck workers are seen in nearly all calls, and sixteen threads are faster. */
static void busy_machines_are_shared(void)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        machine m = {.cores = 16, .work_ms = 6, .per_thread_ms = 0.02, .noise = 0.1, .slice_ms = 3, .random = seed};
        double stuck, one = 0, all = 0;
        for (int k = 0; k < 1000; k++) one += call_time(&m, 1, &stuck) / 1000, all += call_time(&m, 16, &stuck) / 1000;
        CHECK_MSG(all < 0.4 * one, "1 thread takes %.2f ms, 16 take %.2f", one, all);
        clump_adapt a = {0};
        simulate(&a, &m, first_call, 124668, 200);
        const outcome o = simulate(&a, &m, first_call, 124668, 2000);
        CHECK_MSG(o.mean_ms < 1.15 * all, "%.2f ms with %.1f threads; 1 takes %.2f, 16 take %.2f", o.mean_ms,
                  o.mean_threads, one, all);
    }
}

/* A virtual machine loses processors to others now and then: the most threads lose, many still pay. Figures as on a 16-core
 * machine: 1 thread 6.7 ms, 8 threads 2.1 on average. */
static void workers_get_stuck_now_and_then(void)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        machine m = {.cores = 16, .serial_ms = 0.3, .work_ms = 6.4, .per_thread_ms = 0.05, .noise = 0.1, .stuck_ms = 8};
        m.steal = 0.01;
        m.random = seed;
        clump_adapt a = {0};
        simulate(&a, &m, first_call, 124668, 200);
        const outcome o = simulate(&a, &m, first_call, 124668, 3000);
        CHECK_MSG(o.mean_ms < 2.8, "%.2f ms with %.1f threads, 8 take 2.1", o.mean_ms, o.mean_threads);
    }
}

/* Two sensors take turns on one context; scenes change. Threads that pay are not given up for that. */
static void inputs_that_change(void)
{
    machine m = {.cores = 8, .work_ms = 8, .per_thread_ms = 0.02, .noise = 0.1, .random = 3};
    clump_adapt a = {0};
    double sum = 0, best = 0;
    for (int k = 0; k < 2000; k++) {
        m.work_ms = (k % 2 ? 8 : 14) * (k / 300 % 2 ? 1 : 2);
        sum += simulate(&a, &m, first_call, 100000, 1).mean_ms;
        best += ideal(&m, 8);
    }
    CHECK_MSG(sum < 1.25 * best, "%.0f ms, all threads take %.0f", sum, best);
}

/* Threads become costly without a stuck worker, long after the last trial: fewer are tried soon. */
static void costs_that_rise(void)
{
    machine m = {.cores = 16, .work_ms = 6, .per_thread_ms = 0.01, .noise = 0.1, .random = 11};
    clump_adapt a = {0};
    simulate(&a, &m, first_call, 124668, 3000);
    m.per_thread_ms = 0.5;
    simulate(&a, &m, first_call, 124668, 80);
    const outcome o = simulate(&a, &m, first_call, 124668, 100);
    CHECK_MSG(o.mean_ms < 1.25 * ideal(&m, 3), "%.2f ms, %.1f threads, 3 take %.2f", o.mean_ms, o.mean_threads,
              ideal(&m, 3));
}

/* One kind of call says nothing about another one, and a kind that was forgotten starts with all threads. */
static void kinds_and_sizes_are_apart(void)
{
    machine slow = {.cores = 16, .work_ms = 1, .per_thread_ms = 1, .random = 1}, good = {.cores = 16, .work_ms = 50};
    clump_adapt a = {0};
    for (int k = 0; k < 300; k++) {
        simulate(&a, &slow, first_call, 5000, 1);
        simulate(&a, &good, first_call, 500000, 1);
        simulate(&a, &good, second_call, 5000, 1);
    }
    CHECK(simulate(&a, &slow, first_call, 5000, 20).mean_threads < 3);
    CHECK(simulate(&a, &good, first_call, 500000, 20).mean_threads > 12);
    CHECK(simulate(&a, &good, second_call, 5000, 20).mean_threads > 12);
    for (size_t k = 0; k < CLUMP_ADAPT_ENTRIES; k++) simulate(&a, &good, second_call, (size_t)100 << k, 1);
    CHECK_INT(simulate(&a, &slow, first_call, 5000, 1).last, 16);
}

/* Loops of one call share its choice; the number never exceeds what a loop can use. */
static void loops_of_a_call(void)
{
    clump_adapt a = {0};
    for (int k = 0; k < 100; k++) {
        clump_adapt_begin(&a);
        CHECK_INT(clump_adapt_choose(&a, first_call, 1000, 2), 2);
        CHECK(clump_adapt_choose(&a, first_call, 64, 1) == 1);
        CHECK(clump_adapt_choose(&a, first_call, 100000, 16) == 16);
        if (k < 10) clump_adapt_report(&a, 1, 0);
        clump_adapt_report(&a, 1, 0.9); /* a second report, or one without a choice: ignored */
        if (k == 10) break;
    }
    clump_adapt_begin(&a);
    clump_adapt_report(&a, 1, 0.9);
    clump_adapt_report(&a, -1, 0);
    /* Stuck calls cause a trial with fewer threads, for all sizes of loops. It is kept where it is not slower. */
    for (int slower = 0; slower <= 1; slower++) {
        clump_adapt b = {0};
        int tried = 0;
        for (int k = 0; k < 40; k++) {
            clump_adapt_begin(&b);
            const int threads = clump_adapt_choose(&b, first_call, 1000, 16);
            CHECK_INT(clump_adapt_choose(&b, first_call, 1000, 5), threads < 5 ? threads : 5);
            clump_adapt_report(&b, threads < 16 && slower ? 11 : 10, 9);
            if (threads < 16) tried++;
        }
        clump_adapt_begin(&b);
        const int last = clump_adapt_choose(&b, first_call, 1000, 16);
        CHECK_MSG(slower ? last == 16 && tried >= 4 && tried <= 12 : last <= 9, "%d of 40 calls, %d at the end", tried,
                  last);
    }
}

/* Calls of one size that can use different numbers: a limit that was learned is kept. */
static void limits_are_kept(void)
{
    clump_adapt a = {0};
    static const struct {
        int most;
        int next; /* threads of this call */
    } calls[] = {{8, 6}, {6, 6}, {8, 6}, {3, 3}, {8, 6}};
    for (int k = 0; k < 12; k++) { /* 8 calls, then 4 that try 6 threads */
        clump_adapt_begin(&a);
        CHECK_INT(clump_adapt_choose(&a, first_call, 100000, 8), k < 8 ? 8 : 6);
        clump_adapt_report(&a, k < 8 ? 100 : 80, k < 8 ? 90 : 0);
    }
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        clump_adapt_begin(&a);
        const int threads = clump_adapt_choose(&a, first_call, 100000, calls[k].most);
        CHECK_MSG(threads == calls[k].next, "call %zu has %d threads", k, threads);
        clump_adapt_report(&a, 80, 0);
    }
}

CHECK_PROGRAM(test_adapt)
{
    RUN(an_idle_machine_uses_all);
    RUN(no_more_threads_than_pay);
    RUN(busy_cores_are_not_waited_for);
    RUN(busy_machines_are_shared);
    RUN(workers_get_stuck_now_and_then);
    RUN(inputs_that_change);
    RUN(costs_that_rise);
    RUN(kinds_and_sizes_are_apart);
    RUN(loops_of_a_call);
    RUN(limits_are_kept);
}
