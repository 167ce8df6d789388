/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The claims of the paper "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds", and how they are judged. Its
 * summary and its table contradict each other; both are claims.
 */
#include "papers/papers.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>

/* Returns the time in ms of a part of nn-table; 0 where the row is missing. */
static double part_ms(const papers_table *rows, const char *series, int part, const char *backend)
{
    return papers_median(rows, "nn-table", series, part, backend);
}

/* Sets out[0] to the time of FLANN and out[1] to that of a series. Returns false where one is missing. */
static bool beside_flann(const papers_table *rows, const char *series, int part, const char *backend, double out[2])
{
    out[0] = part_ms(rows, "flann", part, "cpu"), out[1] = part_ms(rows, series, part, backend);
    return out[0] > 0 && out[1] > 0;
}

static papers_judgement missing(void)
{
    return papers_unknown("Rows of FLANN or of the method are missing.");
}

/* --- the table ----------------------------------------------------------------------------------- */

/* Both claims are the paper's: its summary has the first, its table the second. */
static papers_judgement judge_total(const papers_table *rows, bool faster, const char *why)
{
    double ms[2];
    if (!beside_flann(rows, "azimuth", NN_TOTAL, "cuda", ms)) return missing();
    papers_judgement j = papers_judged(faster ? ms[0] >= 2 * ms[1] : ms[0] < ms[1]);
    snprintf(j.ours, sizeof j.ours, "%.1fx in total (%.2f ms, FLANN %.1f ms)", ms[0] / ms[1], ms[1], ms[0]);
    snprintf(j.why, sizeof j.why, "%s", why);
    return j;
}

static papers_judgement judge_twice(const papers_table *rows)
{
    return judge_total(rows, true, "It holds from 2x on. The paper's own table has 0.63x.");
}

static papers_judgement judge_slower(const papers_table *rows)
{
    return judge_total(rows, false, "It holds where azimuth takes longer than FLANN in total.");
}

static papers_judgement judge_query(const papers_table *rows)
{
    double ms[2];
    if (!beside_flann(rows, "azimuth", NN_QUERY, "cuda", ms)) return missing();
    papers_judgement j = papers_judged(ms[0] >= 1.69 * ms[1]);
    snprintf(j.ours, sizeof j.ours, "%.1fx in the query (%.2f ms, FLANN %.1f ms)", ms[0] / ms[1], ms[1], ms[0]);
    snprintf(j.why, sizeof j.why, "It holds from 1.69x on.");
    return j;
}

static papers_judgement judge_per_query(const papers_table *rows)
{
    double ms[2];
    if (!beside_flann(rows, "per-query", NN_TOTAL, "cuda", ms)) return missing();
    papers_judgement j = papers_judged(ms[1] > ms[0]);
    snprintf(j.ours, sizeof j.ours, "%.1fx slower (%.0f ms, FLANN %.1f ms)", ms[1] / ms[0], ms[1], ms[0]);
    snprintf(j.why, sizeof j.why, "It holds where per-query takes longer than FLANN in total.");
    return j;
}

static papers_judgement judge_batch(const papers_table *rows)
{
    const double one = part_ms(rows, "per-query", NN_TOTAL, "cuda"), batch = part_ms(rows, "batch", NN_TOTAL, "cuda");
    if (!(one > 0) || !(batch > 0)) return papers_unknown("Rows of per-query or batch are missing.");
    papers_judgement j = papers_judged(one >= 4.3 * batch);
    snprintf(j.ours, sizeof j.ours, "%.1fx (%.0f ms against %.0f ms)", one / batch, one, batch);
    snprintf(j.why, sizeof j.why, "It holds from 4.3x on. The paper's own table has 9.384 s / 1.95 s = 4.8x.");
    return j;
}

static papers_judgement judge_copy(const papers_table *rows)
{
    const papers_row *const row = papers_find(rows, "nn-table", "azimuth", NN_TOTAL, "cuda");
    const double construction = row ? row->upload_ms + row->build_ms : 0;
    if (!(construction > 0)) return missing();
    papers_judgement j = papers_judged(row->upload_ms >= 0.8 * construction);
    snprintf(j.ours, sizeof j.ours, "%.0f %% of %.2f ms", 100 * row->upload_ms / construction, construction);
    snprintf(j.why, sizeof j.why,
             "It holds from 80 %% on. Ours partitions the points on the GPU, after the copy; the paper's on the CPU.");
    return j;
}

static papers_judgement judge_brute(const papers_table *rows)
{
    double ms[2];
    if (!beside_flann(rows, "brute", NN_TOTAL, "cpu", ms)) return missing();
    papers_judgement j = papers_judged(ms[1] > ms[0]);
    snprintf(j.ours, sizeof j.ours, "%.0fx slower (%.1f s, FLANN %.1f ms)", ms[1] / ms[0], ms[1] / 1000, ms[0]);
    snprintf(j.why, sizeof j.why,
             "It holds where brute takes longer in total. Ours is vectorised; the paper's is a plain loop.");
    return j;
}

static papers_judgement judge_exact(const papers_table *rows)
{
    double cpu[2], gpu[2];
    if (!beside_flann(rows, "fast", NN_TOTAL, "cpu", cpu)) return missing();
    const bool on_gpu = beside_flann(rows, "fast", NN_TOTAL, "cuda", gpu);
    papers_judgement j = papers_judged(cpu[0] <= cpu[1] && (!on_gpu || gpu[0] <= gpu[1]));
    const int length = snprintf(j.ours, sizeof j.ours, "fast: %.1fx on one CPU thread", cpu[0] / cpu[1]);
    if (on_gpu) snprintf(j.ours + length, sizeof j.ours - (size_t)length, ", %.0fx on the GPU", gpu[0] / gpu[1]);
    snprintf(j.why, sizeof j.why, "fast is exact. It holds where fast takes longer than FLANN in total.");
    return j;
}

/* --- the plots ----------------------------------------------------------------------------------- */

static papers_judgement judge_launches(const papers_table *rows)
{
    const double small = papers_median(rows, "nn-size-small", "per-query", 1000, "cuda"),
                 large = papers_median(rows, "nn-size-small", "per-query", 4000, "cuda");
    if (!(small > 0) || !(large > 0))
        return papers_unknown("Rows of per-query with 1,000 and 4,000 points are missing.");
    papers_judgement j = papers_judged(large < 1.5 * small);
    snprintf(j.ours, sizeof j.ours, "%.1f ms with 1,000 points, %.1f ms with 4,000", small, large);
    snprintf(j.why, sizeof j.why, "It holds where 4 times the points take less than 1.5 times as long.");
    return j;
}

static papers_judgement judge_sequential(const papers_table *rows)
{
    const double gpu = papers_median(rows, "nn-size-small", "per-query", 2000, "cuda"),
                 brute = papers_median(rows, "nn-size-small", "brute", 2000, "cpu"),
                 flann = papers_median(rows, "nn-size-small", "flann", 2000, "cpu");
    if (!(gpu > 0) || !(brute > 0)) return papers_unknown("Rows of per-query and brute with 2,000 points are missing.");
    papers_judgement j = papers_judged(gpu > brute);
    const int length = snprintf(j.ours, sizeof j.ours, "%.1f ms, brute on the CPU %.1f ms", gpu, brute);
    if (flann > 0) snprintf(j.ours + length, sizeof j.ours - (size_t)length, ", FLANN %.1f ms", flann);
    snprintf(j.why, sizeof j.why, "It holds where 20,000 queries take longer than by brute on one CPU thread.");
    return j;
}

/* Returns the row of per-query with the most points; null where there is none. */
static const papers_row *largest_reference(const papers_table *rows)
{
    const papers_row *largest = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "nn-size") == 0 && strcmp(row->series, "per-query") == 0 &&
            (!largest || row->x > largest->x))
            largest = row;
    }
    return largest;
}

static papers_judgement judge_linear(const papers_table *rows)
{
    const papers_row *const most = largest_reference(rows);
    const double base = papers_median(rows, "nn-size", "per-query", 32000, "cuda");
    if (!most || !(base > 0) || most->x <= 32000)
        return papers_unknown("Rows of per-query with 32,000 points and with a whole frame are missing.");
    const double times = most->median_ms / base, points = most->x / 32000;
    papers_judgement j = papers_judged(times >= 0.7 * points);
    snprintf(j.ours, sizeof j.ours, "%.2fx the time for %.2fx the points", times, points);
    snprintf(j.why, sizeof j.why, "It holds from 0.7 of the ratio of points on, from 32,000 points to a whole frame.");
    return j;
}

/* --- azimuth ------------------------------------------------------------------------------------- */

static papers_judgement judge_degrees(const papers_table *rows)
{
    const papers_row *const row = papers_find(rows, "nn-window", "true neighbours", 2.5, NULL);
    if (!row) return papers_unknown("Rows of nn-window are missing.");
    papers_judgement j = papers_judged(row->value >= 98.5);
    snprintf(j.ours, sizeof j.ours, "%.1f %%", row->value);
    snprintf(j.why, sizeof j.why, "It holds from 98.5 %% on%s.", *row->note ? ", here of simulated frames" : "");
    return j;
}

static papers_judgement judge_own(const papers_table *rows)
{
    const papers_row *const row = papers_find(rows, "nn-window", "300 partitions", 0, NULL);
    if (!row) return papers_unknown("Rows of nn-window are missing.");
    papers_judgement j = papers_judged(row->value >= 95);
    snprintf(j.ours, sizeof j.ours, "recall %.1f %%", row->value);
    snprintf(j.why, sizeof j.why,
             "A partition is 1.2 degrees wide, and a query is seldom in its middle. It holds from 95 %% on.");
    return j;
}

static papers_judgement judge_room(const papers_table *rows)
{
    const papers_row *const row = papers_find(rows, "nn-window", "largest partition", 300, NULL);
    if (!row) return papers_unknown("Rows of nn-window are missing.");
    papers_judgement j = papers_judged(row->value < 512);
    snprintf(j.ours, sizeof j.ours, "the largest has %.0f of %zu points", row->value, row->points);
    snprintf(j.why, sizeof j.why, "The paper's kernel ignores points beyond 512; ours takes any number.");
    return j;
}

const papers_claim claims_nn[] = {
    {"nn", "nn-table", "Summary", "azimuth is faster than FLANN in total", "2x", true, judge_twice},
    {"nn", "nn-table", "Summary of Results", "azimuth is slower than FLANN in total", "0.63x", true, judge_slower},
    {"nn", "nn-table", "Summary of Results", "the query of azimuth is faster than FLANN's", "1.69x", true, judge_query},
    {"nn", "nn-table", "Parallelizing over points", "per-query is slower than FLANN", "40.3x slower", true,
     judge_per_query},
    {"nn", "nn-table", "Parallelizing in batches", "batch is faster than per-query", "4.3x", true, judge_batch},
    {"nn", "nn-table", "Summary of Results", "most of azimuth's construction is the copy to the GPU", "93 %", true,
     judge_copy},
    {"nn", "nn-table", "Summary of Results", "the sequential loop over all pairs is slower than FLANN", "272x slower",
     false, judge_brute},
    {"nn", "nn-table", "Reducing search space", "to beat FLANN some correctness has to be given up", "", false,
     judge_exact},
    {"nn", "nn-size-small", "Figure 2", "launches dominate the time of per-query where the reference is small", "",
     true, judge_launches},
    {"nn", "nn-size-small", "Figures 1, 2", "per-query is slower than the sequential loop at about 2,000 points", "",
     true, judge_sequential},
    {"nn", "nn-size", "Figure 1", "the time of per-query is about linear in the size of a large reference", "", true,
     judge_linear},
    {"nn", "nn-window", "Reducing search space", "true neighbours are within 2.5 degrees of azimuth", "99 %", false,
     judge_degrees},
    {"nn", "nn-window", "Reducing search space",
     "the query's own partition of 300 has the true neighbour, but for some outliers", "", false, judge_own},
    {"nn", "nn-window", "Reducing search space", "each of 300 partitions has fewer than 512 points", "512", false,
     judge_room},
    {0},
};
