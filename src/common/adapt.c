/* SPDX-License-Identifier: BSD-3-Clause
 *
 * adapt.c: see adapt.h.
 */
#include "common/adapt.h"

#include "common/assert.h"

#include <limits.h>

/* Constants of the controller. tests/core/test_adapt.c has a model of a machine that they were chosen with. */
#define ADAPT_LOST    0.3   /* calls that lose this part of their time on average may have too many threads */
#define ADAPT_RECENT  0.25  /* weight of a new call in that average: two or three bad calls decide, one does not */
#define ADAPT_GAIN    0.93  /* more threads must bring the time below this part of the usual one */
#define ADAPT_GIVE_UP 1.25  /* a trial ends at once with a call that takes this multiple of the usual time by itself */
#define ADAPT_MOST    2     /* a call counts as at most this multiple of the usual time: one says little */
#define ADAPT_JUMP    1.5   /* a call that takes this multiple is slow; several in a row mean that something changed */
#define ADAPT_JUMPS   4     /* this many */
#define ADAPT_WEIGHT  0.125 /* of a new call in the average */
#define ADAPT_TRIAL   4     /* calls per trial: sensors may take turns, and times vary */
#define ADAPT_SOON    8     /* calls until the next trial after a success */
#define ADAPT_SELDOM  256   /* and after many failures: 13 seconds at 20 calls per second */

/* The next lower and the next higher number: 16 12 9 6 4 3 2 1, and 1 2 3 4 6 8 11 15 20. */
static int fewer(int threads)
{
    return threads > 1 ? threads - (threads + 3) / 4 : 1;
}

static int more(int threads)
{
    return threads + (threads + 2) / 3;
}

static int scale_of(size_t items)
{
    int scale = 0;
    while (items >>= 1) scale++;
    return scale;
}

static clump_adapt_entry *find_entry(clump_adapt *a, const char *call, int scale, int most)
{
    for (int k = 0; k < CLUMP_ADAPT_ENTRIES; k++)
        if (a->entry[k].call == call && a->entry[k].scale == scale) return &a->entry[k];
    a->replaced = (a->replaced + 1) % CLUMP_ADAPT_ENTRIES;
    clump_adapt_entry *const e = &a->entry[a->replaced];
    /* All threads at first: later calls then need no more memory than the first. */
    *e = (clump_adapt_entry){
        .call = call, .scale = scale, .most = most, .threads = most, .patience = 2 * ADAPT_SOON, .caution = ADAPT_SOON};
    return e;
}

/* Returns the number of threads that the calls of an entry have outside of trials. */
static int standard(const clump_adapt_entry *e)
{
    return e->threads < e->most ? e->threads : e->most;
}

/* Begins a trial if its time has come and there is a number to try. */
static void begin_trial(clump_adapt_entry *e)
{
    if (e->usual == 0 || e->calls < e->patience) return;
    const int now = standard(e);
    if (now <= 1) e->up = true;
    if (now >= e->most) e->up = false;
    const int next = e->up ? more(now) : fewer(now);
    e->trial = next < e->most ? next : e->most;
    e->tried = 0;
    e->trial_sum = 0;
    if (e->trial == now) e->trial = 0; /* there is only one */
}

void clump_adapt_begin(clump_adapt *a)
{
    a->running = NULL;
}

int clump_adapt_choose(clump_adapt *a, const char *call, size_t items, int most)
{
    CLUMP_ASSERT(most >= 1);
    if (!a->running) {
        a->running = find_entry(a, call, scale_of(items), most);
        a->items = items > 0 ? items : 1;
        a->most = most;
        clump_adapt_entry *const e = a->running;
        if (!e->lowered && most > e->threads) e->threads = most; /* nothing spoke against it */
        e->most = most;
        if (e->trial == 0) begin_trial(e);
        a->limit = e->trial > 0 ? e->trial : e->threads < most ? e->threads : INT_MAX;
    }
    return most < a->limit ? most : a->limit;
}

static void set_patience(clump_adapt_entry *e, int patience)
{
    e->calls = 0;
    e->patience = patience < ADAPT_SELDOM ? patience : ADAPT_SELDOM;
}

/* Ends a trial without success; the next one goes into the other direction. */
static void fail_trial(clump_adapt_entry *e)
{
    if (!e->up && e->caution < ADAPT_SELDOM) e->caution *= 2; /* fewer threads are slower, stuck workers or not */
    e->trial = 0;
    e->up = !e->up;
    set_patience(e, 2 * e->patience);
}

/* Uses another number from now on. */
static void change_threads(clump_adapt_entry *e, int threads, double usual)
{
    if (threads < e->most) e->lowered = true;
    e->threads = threads;
    e->usual = usual;
    e->lost = 0;
    e->slow = 0;
    e->trial = 0;
    e->caution = ADAPT_SOON;
    set_patience(e, ADAPT_SOON);
}

/* Returns what a time per item counts. */
static double counted(const clump_adapt_entry *e, double cost)
{
    return e->usual > 0 && cost > ADAPT_MOST * e->usual ? ADAPT_MOST * e->usual : cost;
}

/* own: the time per item without what stuck workers took. They get stuck with any number, so a trial does not end for one. */
static void report_trial(clump_adapt_entry *e, double cost, double own)
{
    e->trial_sum += counted(e, cost);
    e->tried++;
    if (own > ADAPT_GIVE_UP * e->usual) {
        fail_trial(e);
        return;
    }
    if (e->tried < ADAPT_TRIAL) return;
    const double mean = e->trial_sum / e->tried;
    if (mean > (e->up ? ADAPT_GAIN : 1) * e->usual)
        fail_trial(e);
    else
        change_threads(e, e->trial, mean);
}

/* Averages the time per item. Where it has risen and stays so, or workers are often stuck, the next trial comes soon, with
 * fewer threads. */
static void report_usual(clump_adapt_entry *e, double cost)
{
    e->calls++;
    e->slow = e->usual > 0 && cost > ADAPT_JUMP * e->usual ? e->slow + 1 : 0;
    if (e->usual == 0) {
        e->usual = cost;
    } else if (e->slow == ADAPT_JUMPS) {
        e->usual = cost;
        e->slow = 0;
        e->up = false;
        set_patience(e, ADAPT_SOON);
    } else {
        e->usual += ADAPT_WEIGHT * (counted(e, cost) - e->usual);
    }
    if (e->lost > ADAPT_LOST && e->calls >= e->caution) {
        e->up = false;
        e->patience = e->calls;
    }
}

void clump_adapt_report(clump_adapt *a, double ms, double stuck_ms)
{
    clump_adapt_entry *const e = a->running;
    a->running = NULL;
    if (!e || !(ms > 0)) return;
    const int used = a->limit < a->most ? a->limit : a->most;
    const double cost = ms / (double)a->items;
    const double lost = used > 1 ? stuck_ms / ms : 0;
    if (e->trial > 0) {
        report_trial(e, cost, (1 - lost) * cost);
    } else {
        e->lost += ADAPT_RECENT * (lost - e->lost);
        report_usual(e, cost);
    }
}
