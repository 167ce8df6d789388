/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timer.h: a monotonic clock for stage times. Only differences of its values have a meaning.
 */
#ifndef CLUMP_COMMON_TIMER_H
#define CLUMP_COMMON_TIMER_H

#include <time.h>

/* Returns the time in milliseconds. */
static inline double clump_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

#endif
