/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The claims of the paper "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA", and how they are judged.
 */
#include "papers/papers_dbscan.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two figures that differ by less than a tenth count as equal. */
static const double claims_equal = 1.1;

enum { NARROW = 0, WIDE = 3 }; /* in dbscan_sets: the toy sets with eps 1, and with eps 5 */

/* Returns the row of a method on a set, of real points or else of simulated ones; null where there is none. */
static const papers_row *find(const papers_table *rows, const char *experiment, const char *method, int set, int x,
                              const char *backend)
{
    const papers_row *row = NULL;
    for (int simulated = 0; simulated <= 1 && !row; simulated++) {
        char series[DBSCAN_NAME];
        dbscan_series(series, method, &dbscan_sets[set], simulated);
        row = papers_find(rows, experiment, series, x, backend);
    }
    return row && row->runs > 0 ? row : NULL;
}

static const papers_row *find_threads(const papers_table *rows, int set, int threads)
{
    return find(rows, "dbscan-threads", "disjoint-set", set, threads, "cpu");
}

/* Returns the most threads of dbscan-threads that are not more than the cores; 0 where there are no two. */
static int most_threads(const papers_table *rows)
{
    int most = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "dbscan-threads") == 0 && strncmp(row->series, "disjoint-set", 12) == 0 &&
            row->x <= row->cores && row->x > most)
            most = (int)row->x;
    }
    return most > 1 ? most : 0;
}

static papers_judgement missing(const char *experiment)
{
    return papers_unknown("Rows of %s are missing.", experiment);
}

static papers_judgement few_cores(void)
{
    return papers_unknown("dbscan-threads has no rows with two or more threads on as many cores.");
}

/* Reads the speed-ups of the three toy sets. Returns false where one is missing. */
static bool speedups(const papers_table *rows, const char *experiment, const char *method, int first, int x,
                     const char *backend, double out[3])
{
    for (int i = 0; i < 3; i++) {
        const papers_row *const row = find(rows, experiment, method, first + i, x, backend);
        if (!row || isnan(row->value)) return false;
        out[i] = row->value;
    }
    return true;
}

/* Reads the speed-ups of disjoint-set with this number of threads, with eps 1 and with eps 5. */
static bool thread_speedups(const papers_table *rows, int threads, double one[3], double five[3])
{
    return speedups(rows, "dbscan-threads", "disjoint-set", NARROW, threads, "cpu", one) &&
           speedups(rows, "dbscan-threads", "disjoint-set", WIDE, threads, "cpu", five);
}

/* --- disjoint-set -------------------------------------------------------------------------------- */

static papers_judgement judge_size(const papers_table *rows)
{
    const int threads = most_threads(rows);
    double one[3], five[3];
    if (!threads) return few_cores();
    if (!thread_speedups(rows, threads, one, five)) return missing("dbscan-threads");
    papers_judgement j =
        papers_judged(one[2] > claims_equal * fmax(one[0], one[1]) && five[2] > claims_equal * fmax(five[0], five[1]));
    snprintf(j.ours, sizeof j.ours, "%d threads, toy1/2/3: %.2f, %.2f, %.2f (eps 1); %.2f, %.2f, %.2f (eps 5)", threads,
             one[0], one[1], one[2], five[0], five[1], five[2]);
    snprintf(j.why, sizeof j.why, "It holds where toy3 is at least a tenth above both others, with both eps.");
    return j;
}

/* Judges the speed-ups with eps 5 against those with eps 1, by the geometric mean of their quotients. */
static papers_judgement decide_eps(const double one[3], const double five[3], const char *words)
{
    const double mean = cbrt(five[0] / one[0] * (five[1] / one[1]) * (five[2] / one[2]));
    papers_judgement j = papers_judged(mean > claims_equal);
    snprintf(j.ours, sizeof j.ours, "%seps 5 against 1: %.2f / %.2f, %.2f / %.2f, %.2f / %.2f", words, five[0], one[0],
             five[1], one[1], five[2], one[2]);
    snprintf(j.why, sizeof j.why, "The quotient is %.2f, geometric mean of the 3 sets; above %g holds.", mean,
             claims_equal);
    return j;
}

static papers_judgement judge_eps(const papers_table *rows)
{
    const int threads = most_threads(rows);
    double one[3], five[3];
    char words[40];
    if (!threads) return few_cores();
    if (!thread_speedups(rows, threads, one, five)) return missing("dbscan-threads");
    snprintf(words, sizeof words, "%d threads, ", threads);
    return decide_eps(one, five, words);
}

static papers_judgement judge_less_time(const papers_table *rows)
{
    double ms[2][3];
    int less = 0;
    for (int i = 0; i < 3; i++) {
        const papers_row *const one = find_threads(rows, NARROW + i, 1), *const five = find_threads(rows, WIDE + i, 1);
        if (!one || !five) return missing("dbscan-threads");
        ms[0][i] = one->median_ms, ms[1][i] = five->median_ms;
        less += one->median_ms < five->median_ms;
    }
    papers_judgement j = papers_judged(less == 3);
    snprintf(j.ours, sizeof j.ours, "eps 1 / 5, one thread: %.2f / %.2f, %.2f / %.2f, %.2f / %.2f ms", ms[0][0],
             ms[1][0], ms[0][1], ms[1][1], ms[0][2], ms[1][2]);
    snprintf(j.why, sizeof j.why, "eps 1 takes less time on %d of the 3 sets: its points have fewer neighbours.", less);
    return j;
}

static papers_judgement judge_limited(const papers_table *rows)
{
    const int threads = most_threads(rows);
    double one[3];
    if (!threads) return few_cores();
    if (!speedups(rows, "dbscan-threads", "disjoint-set", NARROW, threads, "cpu", one))
        return missing("dbscan-threads");
    papers_judgement j = papers_judged(one[0] < 0.7 * threads && one[1] < 0.7 * threads);
    snprintf(j.ours, sizeof j.ours, "%d threads: %.2f and %.2f", threads, one[0], one[1]);
    snprintf(j.why, sizeof j.why, "It holds where both speed-ups are below 0.7 per thread.");
    return j;
}

/* Without a limit: toy3, and all sets with eps 5. */
static papers_judgement judge_unlimited(const papers_table *rows)
{
    const int threads = most_threads(rows);
    double one[3], five[3];
    if (!threads) return few_cores();
    if (!thread_speedups(rows, threads, one, five)) return missing("dbscan-threads");
    papers_judgement j = papers_judged(fmin(fmin(one[2], five[2]), fmin(five[0], five[1])) >= 0.7 * threads);
    snprintf(j.ours, sizeof j.ours, "%d threads: toy3 %.2f (eps 1); toy1/2/3 %.2f, %.2f, %.2f (eps 5)", threads, one[2],
             five[0], five[1], five[2]);
    snprintf(j.why, sizeof j.why, "It holds where all are at least 0.7 per thread.");
    return j;
}

static papers_judgement judge_sequential(const papers_table *rows)
{
    double least = INFINITY, most = 0;
    for (int set = 0; set < DBSCAN_TOYS; set++) {
        const papers_row *const alone = find_threads(rows, set, 1), *const plain = find(rows, "dbscan-threads",
                                                                                        "sequential", set, 1, "cpu");
        if (!alone || !plain || !(plain->median_ms > 0)) return missing("dbscan-threads");
        least = fmin(least, alone->median_ms / plain->median_ms);
        most = fmax(most, alone->median_ms / plain->median_ms);
    }
    papers_judgement j = papers_judged(least > claims_equal);
    snprintf(j.ours, sizeof j.ours, "%.2f to %.2f times as long as sequential", least, most);
    snprintf(j.why, sizeof j.why, "It holds where disjoint-set takes at least a tenth longer on all six.");
    return j;
}

static papers_judgement judge_balance(const papers_table *rows)
{
    double least = INFINITY;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "dbscan-load") == 0 && strncmp(row->series, "cluster ", 8) == 0)
            least = fmin(least, row->value);
    }
    if (least == (double)INFINITY) return missing("dbscan-load");
    papers_judgement j = papers_judged(least < 0.8);
    snprintf(j.ours, sizeof j.ours, "the least busy thread works %.0f %% of the cluster step", 100 * least);
    snprintf(j.why, sizeof j.why,
             "It holds below 80 %%. Our threads claim chunks as they become free, so none has a fixed share.");
    return j;
}

/* --- dclust -------------------------------------------------------------------------------------- */

/* Speed-ups of dclust on the GPU over the numbers of CPU threads. */
typedef struct spread {
    int found;
    double first, last, least, most;
} spread;

static spread spread_of(const papers_table *rows, int set)
{
    spread s = {.least = INFINITY};
    for (int threads = 1; threads <= 1024; threads++) {
        const papers_row *const row = find(rows, "dbscan-dclust", "dclust", set, threads, "cuda");
        if (!row || isnan(row->value)) continue;
        if (s.found++ == 0) s.first = row->value;
        s.last = row->value;
        s.least = fmin(s.least, row->value), s.most = fmax(s.most, row->value);
    }
    return s;
}

static papers_judgement judge_threads_of_cpu(const papers_table *rows)
{
    double widest = 0;
    for (int set = 0; set < DBSCAN_TOYS; set++) {
        const spread s = spread_of(rows, set);
        if (s.found < 2) return missing("dbscan-dclust on a GPU");
        widest = fmax(widest, s.most / s.least);
    }
    papers_judgement j = papers_judged(widest < 1.25);
    snprintf(j.ours, sizeof j.ours, "at most %.2fx between numbers of CPU threads", widest);
    snprintf(j.why, sizeof j.why, "It holds below 1.25x on every set. Our final labels are made on the GPU.");
    return j;
}

static papers_judgement judge_rapid(const papers_table *rows)
{
    const spread s = spread_of(rows, DBSCAN_TOY3_WIDE);
    if (s.found < 2) return missing("dbscan-dclust on a GPU");
    papers_judgement j = papers_judged(s.last > 1.5 * s.first);
    snprintf(j.ours, sizeof j.ours, "%.2f with one CPU thread, %.2f with the most", s.first, s.last);
    snprintf(j.why, sizeof j.why, "It holds from 1.5x on. The paper itself calls the rise confusing.");
    return j;
}

static papers_judgement judge_dclust_size(const papers_table *rows)
{
    double one[3], five[3];
    if (!speedups(rows, "dbscan-dclust", "dclust", NARROW, 1, "cuda", one) ||
        !speedups(rows, "dbscan-dclust", "dclust", WIDE, 1, "cuda", five))
        return missing("dbscan-dclust on a GPU");
    papers_judgement j = papers_judged(one[0] < one[1] && one[1] < one[2] && five[0] < five[1] && five[1] < five[2]);
    snprintf(j.ours, sizeof j.ours, "toy1/2/3: %.2f, %.2f, %.2f (eps 1); %.2f, %.2f, %.2f (eps 5)", one[0], one[1],
             one[2], five[0], five[1], five[2]);
    snprintf(j.why, sizeof j.why, "It holds where the speed-up rises from set to set with both eps.");
    return j;
}

static papers_judgement judge_dclust_eps(const papers_table *rows)
{
    double one[3], five[3];
    if (!speedups(rows, "dbscan-dclust", "dclust", NARROW, 1, "cuda", one) ||
        !speedups(rows, "dbscan-dclust", "dclust", WIDE, 1, "cuda", five))
        return missing("dbscan-dclust on a GPU");
    return decide_eps(one, five, "");
}

static papers_judgement judge_expansion(const papers_table *rows)
{
    const papers_row *const row = find(rows, "dbscan-dclust", "dclust", DBSCAN_TOY3_WIDE, 1, "cuda");
    if (!row || !(row->median_ms > 0)) return missing("dbscan-dclust on a GPU");
    const double total = row->upload_ms + row->build_ms + row->cluster_ms + row->label_ms + row->download_ms;
    if (!(total > 0)) return papers_unknown("The row of toy3 has no stage times.");
    papers_judgement j = papers_judged(false);
    if (row->cluster_ms > total / 2) j.verdict = VERDICT_UNKNOWN;
    snprintf(j.ours, sizeof j.ours, "fill, expansion and merging: %.0f %% of the call on toy3, eps 5",
             100 * row->cluster_ms / total);
    snprintf(j.why, sizeof j.why,
             "Our stage has all three kernels in it; the expansion alone is not timed. At most half does not hold.");
    return j;
}

static papers_judgement judge_memory(const papers_table *rows)
{
    const papers_row *frame = find(rows, "dbscan-dclust", "dclust", DBSCAN_FRAME, 1, "cuda"),
                     *million = find(rows, "dbscan-dclust", "dclust", DBSCAN_MILLION, 1, "cuda");
    if (!frame || !million) {
        frame = find(rows, "dbscan-dclust", "dclust", DBSCAN_FRAME, 1, "cpu");
        million = find(rows, "dbscan-dclust", "dclust", DBSCAN_MILLION, 1, "cpu");
    }
    if (!frame || !million) return missing("dbscan-dclust with a whole frame and a million points");
    const bool right = strcmp(frame->agree, "yes") == 0 && strcmp(million->agree, "yes") == 0;
    papers_judgement j = papers_judged(!right);
    snprintf(j.ours, sizeof j.ours, "%zu points in %.0f ms, %zu in %.0f ms on the %s", frame->points, frame->median_ms,
             million->points, million->median_ms, strcmp(million->backend, "cuda") == 0 ? "GPU" : "CPU");
    snprintf(j.why, sizeof j.why, "Memory of our dclust is linear: both sets are clustered%s.",
             right ? ", with the labels of fast" : ", but labels differ");
    return j;
}

const papers_claim claims_dbscan[] = {
    {"dbscan", "dbscan-threads", "Fig. 4, section 4.1", "disjoint-set speeds up significantly more on the largest set",
     "", false, judge_size},
    {"dbscan", "dbscan-threads", "Fig. 4, section 4.1", "eps 5, min_points 10 speeds up more than eps 1, min_points 2",
     "", false, judge_eps},
    {"dbscan", "dbscan-threads", "section 4.1", "eps 1, min_points 2 takes less time than eps 5, min_points 10", "",
     false, judge_less_time},
    {"dbscan", "dbscan-threads", "section 4.1", "on toy1 and toy2 with eps 1 the cost of threads limits the speed-up",
     "", false, judge_limited},
    {"dbscan", "dbscan-threads", "section 4.1", "on toy3, and with eps 5, the speed-up is not limited", "", false,
     judge_unlimited},
    {"dbscan", "dbscan-threads", "section 4.1", "disjoint-set with one thread is significantly slower than sequential",
     "", false, judge_sequential},
    {"dbscan", "dbscan-load", "Fig. 5, section 4.1", "unequal work per thread limits the speed-up", "", false,
     judge_balance},
    {"dbscan", "dbscan-dclust", "Fig. 6, section 4.2", "the speed-up of dclust does not depend on the CPU's threads",
     "", true, judge_threads_of_cpu},
    {"dbscan", "dbscan-dclust", "Fig. 6, section 4.2", "but on toy3 with eps 5 it rises rapidly with the CPU's threads",
     "", true, judge_rapid},
    {"dbscan", "dbscan-dclust", "Fig. 6, section 4.2", "dclust speeds up more on larger sets", "", true,
     judge_dclust_size},
    {"dbscan", "dbscan-dclust", "Fig. 6, section 4.2", "dclust speeds up more with the larger eps and min_points", "",
     true, judge_dclust_eps},
    {"dbscan", "dbscan-dclust", "section 4.2", "most of the GPU's time is spent in the expansion", "more than half",
     true, judge_expansion},
    {"dbscan", "dbscan-dclust", "section 4", "more than 100,000 points do not fit into memory", "100,000", false,
     judge_memory},
    {0},
};
