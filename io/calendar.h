/* SPDX-License-Identifier: BSD-3-Clause
 *
 * calendar.h: dates in file names, lists of times and packets.
 */
#ifndef CLUMP_IO_CALENDAR_H
#define CLUMP_IO_CALENDAR_H

#include <stdint.h>

/* Returns the days from 1970-01-01 to a date of the Gregorian calendar, year 0 or later. Years begin in March here, so
 * that the leap day is the last of its year. */
static inline int64_t clump_io_days_since_1970(int64_t year, int64_t month, int64_t day)
{
    const int64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

#endif
