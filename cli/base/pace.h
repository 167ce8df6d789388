/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace.h: when each frame of a recording is due. The schedule is absolute: frame k is due at the begin plus the time
 * that it was recorded after the first, divided by the rate. So errors of single waits do not add up.
 *
 * A step of the recorded time that goes backwards, or is longer than 10 s, is replaced by the period: the last step
 * that was neither. Steps of 0 stay.
 */
#ifndef CLUMP_CLI_PACE_H
#define CLUMP_CLI_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CLI_PACE_LONGEST_GAP INT64_C(10000000000) /* nanoseconds */

typedef struct cli_pace {
    double rate;     /* 2: twice the recorded speed */
    int64_t begin;   /* due time of the first frame; nanoseconds of the monotonic clock */
    int64_t elapsed; /* recorded time from the first frame to the last one, gaps bridged */
    int64_t last;    /* recorded time of the last frame */
    int64_t period;  /* the last ordinary step; at first a tenth of a second */
    uint64_t backwards, gaps;
    bool begun, rewound;
} cli_pace;

int64_t cli_pace_now(void);    /* nanoseconds of the monotonic clock */
int64_t cli_pace_worked(void); /* nanoseconds that the calling thread has computed */

cli_pace cli_pace_begin(double rate);

/* Returns when the next frame is due. received is its recorded time. The first frame is due at `now`. */
int64_t cli_pace_due(cli_pace *pace, int64_t received, int64_t now);

/* The last frame came at this time and could not come earlier: it was due then, and the others follow it. */
void cli_pace_restart(cli_pace *pace, int64_t due);

/* The recording begins anew: the next frame is due one period after the last. */
void cli_pace_rewind(cli_pace *pace);

/* Waits until the time has come. False: a signal asked the program to stop (stop.h), or another thread set *cancelled,
 * which may be null. */
bool cli_pace_wait(int64_t due, const atomic_bool *cancelled);

#endif
