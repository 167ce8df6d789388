/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The claims of the ER-CCL paper, section 4, and their judges. ER-CCL on a GPU is `racing`, DI is `independent`, the
 * method for CPUs is `serial`. The paper's scans cannot be had: simulated ones and KITTI's take their place.
 */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLAIMS_REACHES = 8, CLAIMS_SCENES = 6 };

static papers_judgement decide(bool holds, const char *ours, const char *why)
{
    papers_judgement j = {.verdict = holds ? VERDICT_HOLDS : VERDICT_FAILS};
    snprintf(j.ours, sizeof j.ours, "%s", ours);
    snprintf(j.why, sizeof j.why, "%s", why);
    return j;
}

/* --- time and passes against the reach ------------------------------------------------------------- */

typedef struct line {
    const char *series, *backend;
} line;
static const line cpu_serial = {"serial", "cpu"}, cpu_independent = {"independent", "cpu"};
static const line gpu_racing = {"racing", "cuda"}, gpu_independent = {"independent", "cuda"};

/* Time or passes of a line at a reach; 0 where it was not measured. */
static double at_reach(const papers_table *rows, line l, int reach, papers_measure measure)
{
    const papers_row *const row = papers_find(rows, "erccl-reach", l.series, reach, l.backend);
    return !row ? 0 : measure == MEASURE_PASSES ? (double)row->passes : row->median_ms;
}

/* The least and the greatest quotient of two lines over all reaches. Returns the number of reaches that have both. */
static int compare(const papers_table *rows, line a, line b, papers_measure measure, double *least, double *most)
{
    int count = 0;
    *least = INFINITY, *most = 0;
    for (int reach = 1; reach <= CLAIMS_REACHES; reach++) {
        const double x = at_reach(rows, a, reach, measure), y = at_reach(rows, b, reach, measure);
        if (!(x > 0 && y > 0)) continue;
        *least = fmin(*least, x / y), *most = fmax(*most, x / y);
        count++;
    }
    return count;
}

static papers_judgement judge_cpu_growth(const papers_table *rows)
{
    const double first = at_reach(rows, cpu_serial, 1, MEASURE_TIME),
                 last = at_reach(rows, cpu_serial, 8, MEASURE_TIME);
    char ours[200];
    if (!(first > 0 && last > 0)) return papers_unknown("Serial was not measured at r = 1 and r = 8.");
    snprintf(ours, sizeof ours, "%.1f to %.1f ms: %.1f times", first, last, last / first);
    return decide(last / first >= 2, ours, "It holds where r = 8 takes at least twice as long as r = 1.");
}

static papers_judgement judge_gpu_growth(const papers_table *rows)
{
    const double first = at_reach(rows, gpu_racing, 1, MEASURE_TIME),
                 last = at_reach(rows, gpu_racing, 8, MEASURE_TIME);
    char ours[200];
    if (!(first > 0 && last > 0)) return papers_unknown("Racing was not measured on a GPU at r = 1 and r = 8.");
    snprintf(ours, sizeof ours, "%.2f to %.2f ms: %.1f times", first, last, last / first);
    return decide(last / first <= 2, ours, "It holds where r = 8 takes at most twice as long as r = 1.");
}

static papers_judgement judge_gpu_faster(const papers_table *rows)
{
    double least, most;
    char ours[200];
    if (!compare(rows, cpu_serial, gpu_racing, MEASURE_TIME, &least, &most))
        return papers_unknown("Serial on the CPU and racing on a GPU were not both measured.");
    snprintf(ours, sizeof ours, "%.1f to %.1f times as fast", least, most);
    return decide(least > 1, ours, "It holds where racing on the GPU is faster than serial on the CPU at every r.");
}

static papers_judgement judge_serial_passes(const papers_table *rows)
{
    double least, most;
    char ours[200];
    const int found = compare(rows, cpu_serial, gpu_independent, MEASURE_PASSES, &least, &most);
    if (!found && !compare(rows, cpu_serial, cpu_independent, MEASURE_PASSES, &least, &most))
        return papers_unknown("Serial and independent were not both measured.");
    snprintf(ours, sizeof ours, "%.2f to %.2f of the passes of independent", least, most);
    return decide(most <= 0.5, ours, "It holds where serial needs at most half of the passes at every r.");
}

static papers_judgement judge_race_passes(const papers_table *rows)
{
    double least, most;
    char ours[200];
    if (!compare(rows, gpu_racing, gpu_independent, MEASURE_PASSES, &least, &most))
        return papers_unknown("Racing and independent were not both measured on a GPU.");
    snprintf(ours, sizeof ours, "%.2f to %.2f of the passes of independent", least, most);
    return decide(most < 1, ours, "It holds where racing needs fewer passes at every r.");
}

static papers_judgement judge_race_time(const papers_table *rows)
{
    double least, most;
    char ours[200];
    if (!compare(rows, gpu_independent, gpu_racing, MEASURE_TIME, &least, &most))
        return papers_unknown("Racing and independent were not both measured on a GPU.");
    snprintf(ours, sizeof ours, "%.2f to %.2f times as fast as independent", least, most);
    return decide(least > 1, ours, "It holds where racing is faster at every r.");
}

static papers_judgement judge_more_passes(const papers_table *rows)
{
    double least, most, slower, slowest;
    char ours[200];
    if (!compare(rows, gpu_racing, cpu_serial, MEASURE_PASSES, &least, &most) ||
        !compare(rows, gpu_racing, cpu_serial, MEASURE_TIME, &slower, &slowest))
        return papers_unknown("Serial on the CPU and racing on a GPU were not both measured.");
    snprintf(ours, sizeof ours, "%.1f to %.1f times the passes, at most %.2f of the time", least, most, slowest);
    return decide(least > 1 && slowest < 1, ours, "It holds where racing has more passes and less time at every r.");
}

/* --- one frame ----------------------------------------------------------------------------------- */

static papers_judgement judge_frame_time(const papers_table *rows)
{
    const double ms = at_reach(rows, gpu_racing, 5, MEASURE_TIME);
    char ours[200];
    if (!(ms > 0)) return papers_unknown("Racing was not measured on a GPU at r = 5.");
    snprintf(ours, sizeof ours, "%.2f ms", ms);
    return decide(ms <= 20, ours, "It holds where racing at r = 5 takes at most 20 ms; the GPU is a newer one.");
}

static papers_judgement judge_fastest(const papers_table *rows)
{
    const double racing = at_reach(rows, gpu_racing, 5, MEASURE_TIME);
    const double ccl = at_reach(rows, (line){"ccl", "cpu"}, 5, MEASURE_TIME);
    const double hash = at_reach(rows, (line){"hash", "cpu"}, 5, MEASURE_TIME);
    char ours[200];
    if (!(racing > 0 && ccl > 0 && hash > 0))
        return papers_unknown("Racing on a GPU, ccl and hash were not all measured at r = 5.");
    snprintf(ours, sizeof ours, "racing %.2f ms; ccl %.2f ms; hash %.2f ms", racing, ccl, hash);
    return decide(racing < ccl && racing < hash, ours,
                  "It holds where racing on the GPU is faster than ccl and hash, which run on the CPU; r = 5.");
}

static papers_judgement judge_scene_times(const papers_table *rows)
{
    double least = INFINITY, most = 0;
    char ours[200];
    for (int i = 0; i < CLAIMS_SCENES; i++) {
        const double ms = papers_median(rows, "erccl-scenes", "racing", i, "cuda");
        if (!(ms > 0)) return papers_unknown("Racing was not measured on a GPU in all six scenes.");
        least = fmin(least, ms), most = fmax(most, ms);
    }
    snprintf(ours, sizeof ours, "%.2f to %.2f ms", least, most);
    return decide(most <= 52.16, ours, "It holds where no scene takes longer than the paper's slowest.");
}

static papers_judgement judge_road(const papers_table *rows)
{
    const papers_row *junction = papers_find(rows, "erccl-scenes", "racing", 0, "cuda");
    const papers_row *road = papers_find(rows, "erccl-scenes", "racing", 1, "cuda");
    char ours[200];
    if (!junction || !road) {
        junction = papers_find(rows, "erccl-scenes", "racing", 0, "cpu");
        road = papers_find(rows, "erccl-scenes", "racing", 1, "cpu");
    }
    if (!junction || !road) return papers_unknown("Racing was not measured in both scenes.");
    snprintf(ours, sizeof ours, "%lld and %lld passes; %.3g and %.3g ms (%s)", road->passes, junction->passes,
             road->median_ms, junction->median_ms, road->backend);
    return decide(road->passes > junction->passes && road->median_ms > junction->median_ms, ours,
                  "It holds where the road has more passes and takes longer; ours is a wide road with few things.");
}

/* --- what the time depends on -------------------------------------------------------------------- */

/* Pearson's correlation of the time with the passes and with the clusters, over the frames of erccl-frames. Returns the
 * number of frames. */
static int correlate(const papers_table *rows, const char *backend, double *passes, double *clusters)
{
    double n = 0, sum[3] = {0}, products[3][3] = {{0}};
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "erccl-frames") != 0 || strcmp(row->series, "racing") != 0) continue;
        if (strcmp(row->backend, backend) != 0 || !(row->median_ms > 0)) continue;
        const double v[3] = {row->median_ms, (double)row->passes, (double)row->clusters};
        n++;
        for (int a = 0; a < 3; a++) {
            sum[a] += v[a];
            for (int b = 0; b < 3; b++) products[a][b] += v[a] * v[b];
        }
    }
    double r[3] = {0};
    for (int k = 1; k < 3 && n > 0; k++) {
        const double both = products[0][k] - sum[0] * sum[k] / n;
        const double time = products[0][0] - sum[0] * sum[0] / n, other = products[k][k] - sum[k] * sum[k] / n;
        r[k] = time > 0 && other > 0 ? both / sqrt(time * other) : 0;
    }
    *passes = r[1], *clusters = r[2];
    return (int)n;
}

static int correlate_any(const papers_table *rows, double *passes, double *clusters, const char **backend)
{
    *backend = "cuda";
    int frames = correlate(rows, *backend, passes, clusters);
    if (frames < 6) frames = correlate(rows, *backend = "cpu", passes, clusters);
    return frames;
}

static papers_judgement judge_iterations(const papers_table *rows)
{
    double passes, clusters;
    const char *backend;
    char ours[200];
    const int frames = correlate_any(rows, &passes, &clusters, &backend);
    if (frames < 6) return papers_unknown("Racing was not measured on six frames or more.");
    snprintf(ours, sizeof ours, "correlation of time and passes %.2f, %d frames (%s)", passes, frames, backend);
    return decide(passes >= 0.7, ours, "It holds where time and passes have a correlation of at least 0.7; r = 3.");
}

static papers_judgement judge_cluster_count(const papers_table *rows)
{
    double passes, clusters;
    const char *backend;
    char ours[200];
    const int frames = correlate_any(rows, &passes, &clusters, &backend);
    if (frames < 6) return papers_unknown("Racing was not measured on six frames or more.");
    snprintf(ours, sizeof ours, "correlation of time and clusters %.2f, %d frames (%s)", clusters, frames, backend);
    return decide(fabs(clusters) < 0.5, ours,
                  "It holds where time and number of clusters have a correlation below 0.5 either way; r = 3.");
}

/* --- quality ------------------------------------------------------------------------------------- */

static double value_of(const papers_table *rows, const char *experiment, const char *series, double x)
{
    const papers_row *const row = papers_find(rows, experiment, series, x, "cpu");
    return row ? row->value : (double)NAN;
}

/* Returns the mean share of matched instances over the sets of scenes that were judged; NaN: none. */
static double mean_matched(const papers_table *rows, int reach)
{
    static const char *const sets[] = {"matched simulated", "matched simulated traffic", "matched kitti"};
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const double share = value_of(rows, "erccl-quality", sets[i], reach);
        if (!isnan(share)) sum += share, count++;
    }
    return count ? sum / count : (double)NAN;
}

static papers_judgement judge_reach_five(const papers_table *rows)
{
    const double five = mean_matched(rows, 5);
    double best = 0;
    int at = 0;
    char ours[200];
    for (int reach = 1; reach <= CLAIMS_REACHES; reach++)
        if (mean_matched(rows, reach) > best) best = mean_matched(rows, reach), at = reach;
    if (at == 0 || isnan(five)) return papers_unknown("The matched instances were not counted.");
    snprintf(ours, sizeof ours, "r = 5 matches %.1f %% of the instances, the best (r = %d) %.1f %%", five, at, best);
    return decide(five >= best - 5, ours,
                  "It holds where r = 5 matches at most 5 points less than the best r, mean over the sets of scenes.");
}

static papers_judgement judge_pieces(const papers_table *rows)
{
    const papers_row *const two = papers_find(rows, "erccl-pictures", "reach", 2, "cpu");
    const papers_row *const four = papers_find(rows, "erccl-pictures", "reach", 4, "cpu");
    const papers_row *const five = papers_find(rows, "erccl-pictures", "reach", 5, "cpu");
    char ours[200];
    if (!two || !four || !five) return papers_unknown("The pictures were not made.");
    snprintf(ours, sizeof ours, "%ld, %ld and %ld clusters at r = 2, 4, 5", two->clusters, four->clusters,
             five->clusters);
    return decide(two->clusters > four->clusters && four->clusters > five->clusters, ours,
                  "It holds where a smaller r gives more clusters in the scene of trees.");
}

/* The paper counted 170 clusters: two standard errors of its share are 2.0 points. */
#define CLAIMS_ACCURACY (98.2 - 2.0)

static papers_judgement judge_accuracy(const papers_table *rows)
{
    const double made = value_of(rows, "erccl-accuracy", "peak simulated traffic", 0);
    const double real = value_of(rows, "erccl-accuracy", "peak kitti", 0);
    char ours[200];
    if (isnan(made)) return papers_unknown("The accuracy was not measured.");
    if (isnan(real))
        snprintf(ours, sizeof ours, "%.1f %% (simulated)", made);
    else
        snprintf(ours, sizeof ours, "%.1f %% (simulated), %.1f %% (KITTI)", made, real);
    return decide(
        made >= CLAIMS_ACCURACY && !(real < CLAIMS_ACCURACY), ours,
        "It holds from 96.2 % on: the paper counted 170 clusters, and two standard errors are 2.0 points. Things "
        "without a truth count as right.");
}

static papers_judgement judge_order(const papers_table *rows)
{
    static const char *const sets[] = {"simulated traffic", "kitti"}, *const names[] = {"simulated", "KITTI"};
    bool holds = true, best = true;
    int places = 0;
    char ours[200] = "", series[64];
    for (int i = 0; i < 2; i++) {
        double v[3];
        snprintf(series, sizeof series, "peak %s", sets[i]);
        for (int k = 0; k < 3; k++) v[k] = value_of(rows, "erccl-accuracy", series, k);
        if (isnan(v[0]) || isnan(v[1]) || isnan(v[2])) continue;
        holds = holds && v[0] > v[1] && v[1] > v[2];
        best = best && v[0] > v[1] && v[0] > v[2];
        const size_t length = strlen(ours);
        snprintf(ours + length, sizeof ours - length, "%s%.1f / %.1f / %.1f %% (%s)", places++ ? "; " : "", v[0], v[1],
                 v[2], names[i]);
    }
    if (places == 0) return papers_unknown("The accuracy was not measured.");
    return decide(holds, ours,
                  holds  ? "The order is that of the paper."
                  : best ? "ER-CCL is the best, but the other two are not in the paper's order."
                         : "ER-CCL is not the best.");
}

static papers_judgement judge_peak(const papers_table *rows)
{
    char ours[200];
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "erccl-histogram") != 0 || strcmp(row->series, "ground of simulated") != 0)
            continue;
        snprintf(ours, sizeof ours, "%.2f m, %.0f %% of the points in one bin of 0.1 m", row->x, row->value);
        return decide(fabs(row->x + 1.73) <= 0.2, ours,
                      "The sensor is simulated 1.73 m above the road; 0.2 m is sigma.");
    }
    return papers_unknown("The histogram was not made.");
}

const papers_claim claims_erccl[] = {
    {"erccl", "erccl-histogram", "Fig. 2, section 3.2",
     "the peak of the heights is the ground, at the height of the sensor", "", false, judge_peak},
    {"erccl", "erccl-reach", "Fig. 7, section 4.3", "on the CPU the time grows with r", "43.5 to 146.1 ms", false,
     judge_cpu_growth},
    {"erccl", "erccl-reach", "Fig. 7, section 4.3", "on the GPU the time barely grows with r", "20 to 40 ms", true,
     judge_gpu_growth},
    {"erccl", "erccl-reach", "Fig. 7, section 4.3", "ER-CCL on the GPU is faster than on the CPU", "about 2 to 4 times",
     true, judge_gpu_faster},
    {"erccl", "erccl-quality", "Fig. 8, section 4.3", "r = 5 is suitable", "", false, judge_reach_five},
    {"erccl", "erccl-pictures", "Fig. 8, section 4.3", "a small r splits vegetation into pieces", "", false,
     judge_pieces},
    {"erccl", "erccl-frames", "section 4.3", "the speed falls as the iterations rise", "strong correlation", false,
     judge_iterations},
    {"erccl", "erccl-frames", "section 4.3", "the number of clusters does not influence the time", "", false,
     judge_cluster_count},
    {"erccl", "erccl-scenes", "Table 1, section 4.4", "six scenes at r = 5 take 28.9 to 52.2 ms", "28.9 to 52.2 ms",
     true, judge_scene_times},
    {"erccl", "erccl-scenes", "Table 1, section 4.4", "the road needs more iterations and time than the T-junction",
     "79 and 50 passes; 52.2 and 39.9 ms", false, judge_road},
    {"erccl", "erccl-accuracy", "Table 2, section 4.5", "98.2 % of the clusters are not wrong", "98.2 %", false,
     judge_accuracy},
    {"erccl", "erccl-accuracy", "Table 2, section 4.5", "more accurate than ccl, which is more accurate than hash",
     "98.2 / 95.7 / 95.4 %", false, judge_order},
    {"erccl", "erccl-reach", "Table 2, section 4.5", "20 ms per frame", "20 ms", true, judge_frame_time},
    {"erccl", "erccl-reach", "Table 2, section 4.5", "faster than ccl and hash", "20, 40 and 100 ms", true,
     judge_fastest},
    {"erccl", "erccl-reach", "Fig. 12, section 4.6", "the CPU needs less than half of the iterations of DI", "", false,
     judge_serial_passes},
    {"erccl", "erccl-reach", "Fig. 12, section 4.6", "races save iterations: ER-CCL needs fewer than DI", "", true,
     judge_race_passes},
    {"erccl", "erccl-reach", "section 4.6", "ER-CCL is faster than DI", "", true, judge_race_time},
    {"erccl", "erccl-reach", "section 4.6", "ER-CCL on the GPU: more iterations than the CPU, less time", "", true,
     judge_more_passes},
    {.judge = NULL},
};
