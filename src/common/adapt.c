/* SPDX-License-Identifier: BSD-3-Clause
 *
 * adapt.c: see adapt.h.
 */
#include "common/adapt.h"

#include "common/assert.h"

#include <limits.h>

/* Constants of the controller. tests/core/test_adapt.c has a model of a machine that they were chosen with. */
#define ADAPT_STUCK   0.25  /* a call that lost this part of its time to stuck workers is no measure of its number */
#define ADAPT_LOST    0.3   /* calls that lose this part of their time on average have too many threads */
#define ADAPT_RECENT  0.25  /* weight of a new call in that average: two or three bad calls decide, one does not */
#define ADAPT_GAIN    0.93  /* more threads must bring the time below this part of the usual one */
#define ADAPT_GIVE_UP 1.25  /* a trial ends at once with a call that takes this multiple of the usual time */
#define ADAPT_JUMP    1.5   /* a call that takes this multiple is slow; several in a row mean that something changed */
#define ADAPT_JUMPS   4     /* this many */
#define ADAPT_WEIGHT  0.125 /* of a new call in the average */
#define ADAPT_TRIAL   4     /* calls per trial: sensors may take turns, and times vary */
#define ADAPT_SOON    8     /* calls until the next trial after a success */
#define ADAPT_SELDOM  256   /* and after many failures: 13 seconds at 20 calls per second */
#define ADAPT_CALM    64    /* calls without stuck workers that halve the caution */

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
}

static void report_trial(clump_adapt_entry *e, double cost)
{
    e->trial_sum += cost;
    e->tried++;
    if (cost > ADAPT_GIVE_UP * e->usual) {
        fail_trial(e);
        return;
    }
    if (e->tried < ADAPT_TRIAL) return;
    const double mean = e->trial_sum / e->tried;
    if (mean > (e->up ? ADAPT_GAIN : 1) * e->usual) {
        fail_trial(e);
        return;
    }
    change_threads(e, e->trial, mean);
    set_patience(e, e->caution);
}

/* Averages the time per item. Where it has risen and stays so, the next trial comes soon, with fewer threads. */
static void report_usual(clump_adapt_entry *e, double cost)
{
    e->calls++;
    if (++e->calm % ADAPT_CALM == 0 && e->caution > ADAPT_SOON) e->caution /= 2;
    e->slow = e->usual > 0 && cost > ADAPT_JUMP * e->usual ? e->slow + 1 : 0;
    if (e->usual == 0) {
        e->usual = cost;
    } else if (e->slow == ADAPT_JUMPS) {
        e->usual = cost;
        e->slow = 0;
        e->up = false;
        set_patience(e, ADAPT_SOON);
    } else {
        const double bounded = cost < 2 * e->usual ? cost : 2 * e->usual; /* one call says little */
        e->usual += ADAPT_WEIGHT * (bounded - e->usual);
    }
}

/* Takes note of a call with `used` threads that lost time to stuck workers. Workers get stuck now and then on every machine,
 * and many threads may pay all the same: the number is lowered where calls lose too much on average. */
static void report_stuck(clump_adapt_entry *e, int used)
{
    if (e->trial > 0) {
        fail_trial(e);
        return;
    }
    e->calls++;
    e->calm = 0;
    if (e->lost <= ADAPT_LOST) return;
    e->caution = e->caution < ADAPT_SELDOM ? 2 * e->caution : ADAPT_SELDOM;
    change_threads(e, fewer(used), 0);
    e->up = true;
    set_patience(e, e->caution);
}

void clump_adapt_report(clump_adapt *a, double ms, double stuck_ms)
{
    clump_adapt_entry *const e = a->running;
    a->running = NULL;
    if (!e || !(ms > 0)) return;
    const int used = a->limit < a->most ? a->limit : a->most;
    const double cost = ms / (double)a->items;
    const double lost = used > 1 ? stuck_ms / ms : 0;
    if (e->trial == 0) e->lost += ADAPT_RECENT * (lost - e->lost);
    if (lost > ADAPT_STUCK)
        report_stuck(e, used);
    else if (e->trial > 0)
        report_trial(e, cost);
    else
        report_usual(e, cost);
}
