/* SPDX-License-Identifier: BSD-3-Clause
 *
 * latency.h: distributions of times, and their course, in memory that does not grow with the number of frames.
 */
#ifndef CLUMP_CLI_LATENCY_H
#define CLUMP_CLI_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A histogram of times in nanoseconds. A time below 2^8 has a bucket of its own. From there on, each power of two
 * has 128 buckets: a quantile is at most 0.8 % too large. */
enum { CLI_LATENCY_BUCKETS = 55 * 128 + 256 };
typedef struct cli_latency {
    uint64_t count, bucket[CLI_LATENCY_BUCKETS];
    int64_t least, most; /* undefined without values */
    double sum;
} cli_latency;

void cli_latency_add(cli_latency *latency, int64_t nanoseconds); /* a negative time counts as 0 */

/* Returns the smallest time that a share of at least `share` of the values does not exceed, in milliseconds; NaN
 * without values. It is rounded up to the end of its bucket, but never beyond the largest value. */
double cli_latency_quantile(const cli_latency *latency, double share);
double cli_latency_most(const cli_latency *latency); /* milliseconds; NaN without values */

/* The bounds of a bucket, in nanoseconds: lower included, upper not. */
int64_t cli_latency_lower(size_t bucket);

/* The course of a latency: least, largest and mean of groups of consecutive frames. When all groups are in use,
 * pairs are merged, and each group takes twice as many frames. */
enum { CLI_COURSE_GROUPS = 1024 };
typedef struct cli_course_group {
    double time;            /* of the first frame, seconds since the begin */
    float least, most, sum; /* milliseconds */
    uint32_t frames, missed, dropped;
} cli_course_group;

typedef struct cli_course {
    cli_course_group group[CLI_COURSE_GROUPS];
    size_t count;
    uint32_t per_group; /* frames; 0: no frame yet */
    double end;         /* time of the last frame */
} cli_course;

void cli_course_add(cli_course *course, double time, double milliseconds, bool missed, uint64_t dropped);

/* --- latency_chart.c: a picture of latencies as SVG: their course over time, and beside it how often each occurs */

/* Writes the file. deadline is in milliseconds, NaN: none. Returns CLI_DONE, or prints why not and returns
 * CLI_FAILED. */
int cli_latency_chart(const char *path, const char *title, const cli_course *course, const cli_latency *latency,
                      double deadline);

#endif
