/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_latency.c: quantiles of the histogram against sorted values, and the course against sums.
 */
#include "support/check.h"

#include "play/latency.h"

#include <math.h>

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void buckets_cover_all_values_in_order(void)
{
    for (size_t i = 0; i + 1 < CLI_LATENCY_BUCKETS; i++) CHECK(cli_latency_lower(i) < cli_latency_lower(i + 1));
    static cli_latency l;
    for (int bit = 0; bit < 63; bit++) {
        memset(&l, 0, sizeof l);
        const int64_t value = INT64_C(1) << bit;
        cli_latency_add(&l, value);
        CHECK(cli_latency_quantile(&l, 1) == 1e-6 * (double)value); /* never beyond the largest */
        for (size_t i = 0; i < CLI_LATENCY_BUCKETS; i++)
            if (l.bucket[i]) CHECK(cli_latency_lower(i) == value);
    }
    memset(&l, 0, sizeof l);
    cli_latency_add(&l, INT64_MAX);
    cli_latency_add(&l, -5);
    CHECK(l.least == 0 && l.most == INT64_MAX && l.count == 2);
}

static void quantiles_are_those_of_sorted_values(void)
{
    enum { COUNT = 10007 };
    static int64_t values[COUNT];
    static cli_latency l;
    static const double shares[] = {0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint64_t state = seed;
        memset(&l, 0, sizeof l);
        for (size_t i = 0; i < COUNT; i++) {
            values[i] = (int64_t)(check_random(&state) >> (20 + check_random(&state) % 30));
            cli_latency_add(&l, values[i]);
        }
        qsort(values, COUNT, sizeof *values, by_value);
        for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++) {
            const double rank = ceil(shares[k] * COUNT);
            const double right = 1e-6 * (double)values[rank < 1 ? 0 : (size_t)rank - 1];
            const double got = cli_latency_quantile(&l, shares[k]);
            CHECK(got >= right && got <= right * 1.0079 + 1e-9);
        }
        CHECK(cli_latency_most(&l) == 1e-6 * (double)values[COUNT - 1]);
    }
}

static void no_values_have_no_quantile(void)
{
    static cli_latency l;
    CHECK(isnan(cli_latency_quantile(&l, 0.5)) && isnan(cli_latency_most(&l)));
}

static void a_course_keeps_counts_and_extremes_when_groups_merge(void)
{
    enum { FRAMES = 100000 };
    static cli_course course;
    memset(&course, 0, sizeof course);
    uint64_t missed = 0, dropped = 0, frames = 0;
    double sum = 0;
    for (int i = 0; i < FRAMES; i++) {
        const bool miss = i % 7 == 0;
        cli_course_add(&course, i * 0.1, i == 77777 ? 500 : i % 10, miss, i % 1000 == 0);
        missed += miss;
        dropped += i % 1000 == 0;
        sum += i == 77777 ? 500 : i % 10;
        CHECK(course.count <= CLI_COURSE_GROUPS);
    }
    float most = 0, least = INFINITY;
    double found = 0;
    for (size_t i = 0; i < course.count; i++) {
        const cli_course_group *const g = &course.group[i];
        CHECK(i + 1 == course.count || g->frames == course.per_group);
        CHECK(i == 0 || g->time > course.group[i - 1].time);
        frames += g->frames, missed -= g->missed, dropped -= g->dropped, found += (double)g->sum;
        most = fmaxf(most, g->most), least = fminf(least, g->least);
    }
    CHECK(frames == FRAMES && missed == 0 && dropped == 0 && most == 500 && least == 0);
    CHECK(fabs(found - sum) < 1e-3 * sum);
    CHECK(course.count > CLI_COURSE_GROUPS / 4 && course.end == (FRAMES - 1) * 0.1);
}

CHECK_PROGRAM(test_latency)
{
    RUN(buckets_cover_all_values_in_order);
    RUN(quantiles_are_those_of_sorted_values);
    RUN(no_values_have_no_quantile);
    RUN(a_course_keeps_counts_and_extremes_when_groups_merge);
}
