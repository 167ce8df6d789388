/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace.c: see pace.h.
 */
#include "base/pace.h"

#include "common/assert.h"

#include "base/stop.h"

#include <time.h>

enum { PACE_SECOND = 1000000000, PACE_FIRST_PERIOD = 100000000 }; /* nanoseconds */
enum { PACE_SLICE = 50000000 };                                   /* the longest sleep: Ctrl-C takes effect after it */

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * PACE_SECOND + now.tv_nsec;
}

int64_t cli_pace_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t cli_pace_worked(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

cli_pace cli_pace_begin(double rate)
{
    CLUMP_ASSERT(rate > 0);
    return (cli_pace){.rate = rate, .period = PACE_FIRST_PERIOD};
}

/* Returns the step from the last frame to this one, bridged where it is none. */
static int64_t step_to(cli_pace *pace, int64_t received)
{
    CLUMP_ASSERT(pace->begun && pace->period > 0);
    if (received < pace->last) {
        pace->backwards++;
        return pace->period;
    }
    const uint64_t step = (uint64_t)received - (uint64_t)pace->last;
    if (step > CLI_PACE_LONGEST_GAP) {
        pace->gaps++;
        return pace->period;
    }
    if (step > 0) pace->period = (int64_t)step;
    return (int64_t)step;
}

int64_t cli_pace_due(cli_pace *pace, int64_t received, int64_t now)
{
    if (!pace->begun)
        pace->begin = now;
    else
        pace->elapsed += pace->rewound ? pace->period : step_to(pace, received);
    pace->begun = true;
    pace->rewound = false;
    pace->last = received;
    return pace->begin + (int64_t)((double)pace->elapsed / pace->rate);
}

void cli_pace_restart(cli_pace *pace, int64_t due)
{
    CLUMP_ASSERT(pace->begun);
    pace->begin = due - (int64_t)((double)pace->elapsed / pace->rate);
}

void cli_pace_rewind(cli_pace *pace)
{
    pace->rewound = true;
}

bool cli_pace_wait(int64_t due, const atomic_bool *cancelled)
{
    for (;;) {
        if (cli_stop_asked() || (cancelled && atomic_load(cancelled))) return false;
        const int64_t now = cli_pace_now();
        if (now >= due) return true;
        const int64_t until = due - now > PACE_SLICE ? now + PACE_SLICE : due;
        const struct timespec at = {.tv_sec = (time_t)(until / PACE_SECOND), .tv_nsec = (long)(until % PACE_SECOND)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
}
