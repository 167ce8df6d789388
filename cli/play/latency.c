/* SPDX-License-Identifier: BSD-3-Clause
 *
 * latency.c: see latency.h.
 */
#include "play/latency.h"

#include "common/assert.h"

#include <math.h>

enum { LATENCY_BITS = 7, LATENCY_PER_POWER = 1 << LATENCY_BITS };

/* Returns the number of bits of the value; 0 for 0. */
static unsigned width_of(uint64_t value)
{
    unsigned width = 0;
    for (; value > 0; value >>= 1) width++;
    return width;
}

/* A value of more than 8 bits keeps its first 8; the first of them is always 1 and is not stored. */
static size_t bucket_of(uint64_t value)
{
    if (value < 2 * LATENCY_PER_POWER) return (size_t)value;
    const unsigned shift = width_of(value) - (LATENCY_BITS + 1);
    return (size_t)shift * LATENCY_PER_POWER + (size_t)(value >> shift);
}

int64_t cli_latency_lower(size_t bucket)
{
    if (bucket < 2 * LATENCY_PER_POWER) return (int64_t)bucket;
    const size_t shift = bucket / LATENCY_PER_POWER - 1;
    return (int64_t)(bucket % LATENCY_PER_POWER + LATENCY_PER_POWER) << shift;
}

void cli_latency_add(cli_latency *l, int64_t nanoseconds)
{
    const int64_t value = nanoseconds < 0 ? 0 : nanoseconds;
    if (l->count == 0 || value < l->least) l->least = value;
    if (l->count == 0 || value > l->most) l->most = value;
    l->bucket[bucket_of((uint64_t)value)]++;
    l->count++;
    l->sum += (double)value;
}

double cli_latency_most(const cli_latency *l)
{
    return l->count == 0 ? NAN : 1e-6 * (double)l->most;
}

double cli_latency_quantile(const cli_latency *l, double share)
{
    CLUMP_ASSERT(share >= 0 && share <= 1);
    if (l->count == 0) return NAN;
    const double wanted = ceil(share * (double)l->count);
    uint64_t below = 0;
    for (size_t i = 0; i + 1 < CLI_LATENCY_BUCKETS; i++) {
        below += l->bucket[i];
        if ((double)below < wanted || below == 0) continue;
        const int64_t last = cli_latency_lower(i + 1) - 1;
        return 1e-6 * (double)(last < l->most ? last : l->most);
    }
    return cli_latency_most(l);
}

static void merge(cli_course_group *to, const cli_course_group *from)
{
    to->least = fminf(to->least, from->least);
    to->most = fmaxf(to->most, from->most);
    to->sum += from->sum;
    to->frames += from->frames;
    to->missed += from->missed;
    to->dropped += from->dropped;
}

/* Merges pairs of groups. Their number is even. */
static void halve(cli_course *course)
{
    for (size_t i = 0; i < course->count / 2; i++) {
        course->group[i] = course->group[2 * i];
        merge(&course->group[i], &course->group[2 * i + 1]);
    }
    course->count /= 2;
    course->per_group *= 2;
}

void cli_course_add(cli_course *course, double time, double milliseconds, bool missed, uint64_t dropped)
{
    const float ms = (float)milliseconds;
    const cli_course_group frame = {time, ms, ms, ms, 1, missed, dropped < UINT32_MAX ? (uint32_t)dropped : UINT32_MAX};
    if (course->per_group == 0) course->per_group = 1;
    course->end = time;
    if (course->count > 0 && course->group[course->count - 1].frames < course->per_group) {
        merge(&course->group[course->count - 1], &frame);
        return;
    }
    if (course->count == CLI_COURSE_GROUPS) halve(course);
    CLUMP_ASSERT(course->count < CLI_COURSE_GROUPS);
    course->group[course->count++] = frame;
}
