/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The claims of the ER-CCL paper, and the judges of those on time and passes. ER-CCL on a GPU is `racing`, DI is `independent`, the
 * method for CPUs is `serial`. The paper's scans cannot be had: simulated ones and KITTI's take their place.
 */
#include "claims/claims_erccl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    for (int reach = 1; reach <= 8; reach++) {
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
    return papers_decide(last / first >= 2, ours, "It holds where r = 8 takes at least twice as long as r = 1.");
}

static papers_judgement judge_gpu_growth(const papers_table *rows)
{
    const line lines[2] = {gpu_racing, {"ccl", "cuda"}};
    double first[2], last[2];
    char ours[200];
    for (int k = 0; k < 2; k++) {
        first[k] = at_reach(rows, lines[k], 1, MEASURE_TIME), last[k] = at_reach(rows, lines[k], 8, MEASURE_TIME);
        if (!(first[k] > 0 && last[k] > 0))
            return papers_unknown("Racing and ccl were not measured on a GPU at r = 1 and r = 8.");
    }
    snprintf(ours, sizeof ours, "racing %.2f to %.2f ms, ccl %.2f to %.2f ms", first[0], last[0], first[1], last[1]);
    return papers_decide(last[0] <= 2 * first[0] && last[1] <= 2 * first[1], ours,
                         "It holds where r = 8 takes at most twice as long as r = 1 with both methods.");
}

static papers_judgement judge_gpu_faster(const papers_table *rows)
{
    double least, most;
    char ours[200];
    if (!compare(rows, cpu_serial, gpu_racing, MEASURE_TIME, &least, &most))
        return papers_unknown("Serial on the CPU and racing on a GPU were not both measured.");
    snprintf(ours, sizeof ours, "%.1f to %.1f times as fast", least, most);
    return papers_decide(least > 1, ours,
                         "It holds where racing on the GPU is faster than serial on one CPU thread at every r.");
}

static papers_judgement judge_serial_passes(const papers_table *rows)
{
    double least, most;
    char ours[200];
    const int found = compare(rows, cpu_serial, gpu_independent, MEASURE_PASSES, &least, &most);
    if (!found && !compare(rows, cpu_serial, cpu_independent, MEASURE_PASSES, &least, &most))
        return papers_unknown("Serial and independent were not both measured.");
    snprintf(ours, sizeof ours, "%.2f to %.2f of the passes of independent", least, most);
    return papers_decide(most <= 0.5, ours, "It holds where serial needs at most half of the passes at every r.");
}

static papers_judgement judge_race_passes(const papers_table *rows)
{
    double least, most;
    char ours[200];
    if (!compare(rows, gpu_racing, gpu_independent, MEASURE_PASSES, &least, &most))
        return papers_unknown("Racing and independent were not both measured on a GPU.");
    snprintf(ours, sizeof ours, "%.2f to %.2f of the passes of independent", least, most);
    return papers_decide(most < 1, ours, "It holds where racing needs fewer passes at every r.");
}

static papers_judgement judge_race_time(const papers_table *rows)
{
    double least, most;
    char ours[200];
    if (!compare(rows, gpu_independent, gpu_racing, MEASURE_TIME, &least, &most))
        return papers_unknown("Racing and independent were not both measured on a GPU.");
    snprintf(ours, sizeof ours, "%.2f to %.2f times as fast as independent", least, most);
    return papers_decide(least > 1, ours, "It holds where racing is faster at every r.");
}

static papers_judgement judge_more_passes(const papers_table *rows)
{
    double least, most, slower, slowest;
    char ours[200];
    if (!compare(rows, gpu_racing, cpu_serial, MEASURE_PASSES, &least, &most) ||
        !compare(rows, gpu_racing, cpu_serial, MEASURE_TIME, &slower, &slowest))
        return papers_unknown("Serial on the CPU and racing on a GPU were not both measured.");
    snprintf(ours, sizeof ours, "%.1f to %.1f times the passes, at most %.2f of the time", least, most, slowest);
    return papers_decide(least > 1 && slowest < 1, ours,
                         "It holds where racing has more passes and less time at every r.");
}

/* --- one frame ----------------------------------------------------------------------------------- */

static papers_judgement judge_frame_time(const papers_table *rows)
{
    const double ms = at_reach(rows, gpu_racing, 5, MEASURE_TIME);
    char ours[200];
    if (!(ms > 0)) return papers_unknown("Racing was not measured on a GPU at r = 5.");
    snprintf(ours, sizeof ours, "%.2f ms", ms);
    return papers_decide(ms <= 20, ours, "It holds where racing at r = 5 takes at most 20 ms; the GPU is a newer one.");
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
    return papers_decide(racing < ccl && racing < hash, ours,
                         "It holds where racing on the GPU is faster than ccl and hash on one CPU thread; r = 5.");
}

static papers_judgement judge_same_device(const papers_table *rows)
{
    const double racing = at_reach(rows, (line){"racing", "cpu"}, 5, MEASURE_TIME);
    const double ccl = at_reach(rows, (line){"ccl", "cpu"}, 5, MEASURE_TIME);
    const double hash = at_reach(rows, (line){"hash", "cpu"}, 5, MEASURE_TIME);
    const double gpu[2] = {at_reach(rows, gpu_racing, 5, MEASURE_TIME),
                           at_reach(rows, (line){"ccl", "cuda"}, 5, MEASURE_TIME)};
    const bool on_gpu = gpu[0] > 0 && gpu[1] > 0;
    char ours[200];
    if (!(racing > 0 && ccl > 0 && hash > 0)) return papers_unknown("Racing, ccl and hash were not all measured.");
    const int length = snprintf(ours, sizeof ours, "CPU: racing %.2f, ccl %.2f, hash %.2f ms", racing, ccl, hash);
    if (on_gpu)
        snprintf(ours + length, sizeof ours - (size_t)length, "; GPU: racing %.3f, ccl %.3f ms", gpu[0], gpu[1]);
    return papers_decide(
        racing < ccl && racing < hash && (!on_gpu || gpu[0] < gpu[1]), ours,
        "It holds where racing is the fastest on one CPU thread, and faster than ccl on the GPU; r = 5. "
        "hash has no version for GPUs.");
}

/* --- real time ----------------------------------------------------------------------------------- */

static const double turn_ms = 100; /* of the sensor, at 10 turns per second */

static papers_judgement judge_real_time(const papers_table *rows)
{
    const double ms = at_reach(rows, gpu_racing, 5, MEASURE_TIME);
    char ours[200];
    if (!(ms > 0)) return papers_unknown("Racing was not measured on a GPU at r = 5.");
    snprintf(ours, sizeof ours, "%.2f ms", ms);
    return papers_decide(ms < turn_ms, ours, "It holds below %g ms, one turn of the sensor; r = 5.", turn_ms);
}

static papers_judgement judge_cpu_too_slow(const papers_table *rows)
{
    const double ms = at_reach(rows, cpu_serial, 5, MEASURE_TIME);
    char ours[200];
    if (!(ms > 0)) return papers_unknown("Serial was not measured at r = 5.");
    snprintf(ours, sizeof ours, "%.1f ms", ms);
    return papers_decide(
        ms >= turn_ms, ours,
        "It holds where serial on one CPU thread takes %g ms or more, one turn of the sensor; r = 5. The "
        "paper itself measured 43 to 146 ms.",
        turn_ms);
}

const papers_claim claims_erccl[] = {
    {"erccl", "erccl-histogram", "Fig. 2, section 3.2",
     "the peak of the heights is the ground, at the height of the sensor", "", false, erccl_judge_peak},
    {"erccl", "erccl-reach", "abstract, section 5", "a GPU clusters scans in real time", "20 ms", true,
     judge_real_time},
    {"erccl", "erccl-reach", "section 1", "a CPU does not cluster scans in real time", "", false, judge_cpu_too_slow},
    {"erccl", "erccl-reach", "Fig. 7, section 4.3", "on the CPU the time grows with r", "43.5 to 146.1 ms", false,
     judge_cpu_growth},
    {"erccl", "erccl-reach", "Fig. 7, section 4.3", "on the GPU the time of ER-CCL and CCL barely grows with r",
     "20 to 40 ms", true, judge_gpu_growth},
    {"erccl", "erccl-reach", "Fig. 7, section 4.3", "ER-CCL on the GPU is faster than on the CPU", "about 2 to 4 times",
     true, judge_gpu_faster},
    {"erccl", "erccl-quality", "Fig. 8, section 4.3", "r = 5 is suitable", "", false, erccl_judge_reach_five},
    {"erccl", "erccl-pictures", "Fig. 8, section 4.3", "a small r splits vegetation into pieces", "", false,
     erccl_judge_pieces},
    {"erccl", "erccl-quality", "Fig. 8, section 4.3", "a large r joins separate obstacles", "", false,
     erccl_judge_joined},
    {"erccl", "erccl-frames", "section 4.3", "the speed falls as the iterations rise", "strong correlation", false,
     erccl_judge_iterations},
    {"erccl", "erccl-frames", "section 4.3", "the number of clusters does not influence the time", "", false,
     erccl_judge_cluster_count},
    {"erccl", "erccl-scenes", "Table 1, section 4.4", "none of six scenes takes more than 52.2 ms at r = 5",
     "28.9 to 52.2 ms", true, erccl_judge_scene_times},
    {"erccl", "erccl-scenes", "Table 1, section 4.4", "the road needs more iterations and time than the T-junction",
     "79 and 50 passes; 52.2 and 39.9 ms", false, erccl_judge_road},
    {"erccl", "erccl-accuracy", "Table 2, section 4.5", "98.2 % of the clusters are not wrong", "98.2 %", false,
     erccl_judge_accuracy},
    {"erccl", "erccl-accuracy", "Table 2, section 4.5", "more accurate than ccl and hash", "98.2 / 95.7 / 95.4 %",
     false, erccl_judge_order},
    {"erccl", "erccl-reach", "Table 2, section 4.5", "20 ms per frame", "20 ms", true, judge_frame_time},
    {"erccl", "erccl-reach", "Table 2, section 4.5", "on the GPU faster than ccl and hash", "20, 40 and 100 ms", true,
     judge_fastest},
    {"erccl", "erccl-reach", "Table 2, section 4.5",
     "the same where all run on the same device; the paper does not say", "", false, judge_same_device},
    {"erccl", "erccl-reach", "Fig. 12, section 4.6", "the CPU needs less than half of the iterations of DI", "", false,
     judge_serial_passes},
    {"erccl", "erccl-reach", "Fig. 12, section 4.6", "races save iterations: ER-CCL needs fewer than DI", "", true,
     judge_race_passes},
    {"erccl", "erccl-reach", "section 4.6", "ER-CCL is faster than DI", "", true, judge_race_time},
    {"erccl", "erccl-reach", "section 4.6", "ER-CCL on the GPU: more iterations than the CPU, less time", "", true,
     judge_more_passes},
    {.judge = NULL},
};
