/* SPDX-License-Identifier: BSD-3-Clause
 *
 * adapt.h: learns how many threads pay, from how long calls took. It has no clock and starts no thread: the caller
 * reports times. One entry per kind and size of call, as a scan of 100,000 points can use more threads than one of
 * 10,000, and a cheap job fewer than a costly one.
 *
 * From time to time some calls try the next higher or the next lower number. It is kept where more threads save 7 % or
 * more, or where fewer are not slower. Trials become rare while they fail. Times include what was lost to stuck workers (the
 * operating system took them off their processor): on a machine where all processors are busy, one thread is taken off, too,
 * and many may still be faster. Calls that lose much of their time that way cause a trial with fewer threads soon, but decide
 * nothing.
 *
 * The number of threads changes no result, so nothing here has to be exact.
 */
#ifndef CLUMP_COMMON_ADAPT_H
#define CLUMP_COMMON_ADAPT_H

#include <stdbool.h>
#include <stddef.h>

#define CLUMP_ADAPT_ENTRIES 8 /* kinds of calls that are remembered; the oldest entry is replaced */

/* What is known about one kind of call. */
typedef struct clump_adapt_entry {
    const char *call;    /* the kind, compared as a pointer; null: unused */
    int scale;           /* the size: the power of two of its items */
    int most;            /* threads that the last call could have used */
    int threads;         /* the best number that is known */
    bool lowered;        /* fewer threads than possible were found better; else all are used */
    double usual;        /* average time per item with this number; 0: not known yet */
    double lost;         /* average part of the time that recent calls lost to stuck workers */
    int slow;            /* consecutive calls that took far longer than usual */
    int calls, patience; /* calls since the last trial; calls until the next one */
    int caution;         /* calls until stuck workers cause a trial; grows while fewer threads are slower */
    bool up;             /* the direction of the next trial */
    int trial;           /* number that is tried now; 0: none */
    int tried;           /* calls with it */
    double trial_sum;    /* their times per item */
} clump_adapt_entry;

typedef struct clump_adapt {
    clump_adapt_entry entry[CLUMP_ADAPT_ENTRIES];
    int replaced;               /* the entry that was replaced last */
    clump_adapt_entry *running; /* the entry of the running call; null: the call has made no choice */
    size_t items;               /* items of this call */
    int limit;                  /* threads of this call */
    int most;                   /* threads that this call could have used */
} clump_adapt;

/* Begins a call: forgets a choice that was not reported. */
void clump_adapt_begin(clump_adapt *a);

/* Returns how many threads a loop of the running call may have, at least 1: at most `most` >= 1, the number that its
 * items can use. The first loop of a call chooses for all: `call` and `items` tell its kind and size. */
int clump_adapt_choose(clump_adapt *a, const char *call, size_t items, int most);

/* Reports the call of the last choice: how long it took, and how much of that its calling thread waited for workers that
 * were stuck. Does nothing where the call has made no choice. */
void clump_adapt_report(clump_adapt *a, double ms, double stuck_ms);

#endif
