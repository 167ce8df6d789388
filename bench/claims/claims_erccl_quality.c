/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the ER-CCL paper's claims on the quality of clusters and of the ground.
 */
#include "claims/claims_erccl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double value_of(const papers_table *rows, const char *experiment, const char *series, double x)
{
    const papers_row *const row = papers_find(rows, experiment, series, x, "cpu");
    return row ? row->value : (double)NAN;
}

/* Returns the mean of a number over the sets of scenes that were judged; NaN: none. what: "" for the clusters that are not
 * wrong, "matched " for the matched instances. */
static double mean_quality(const papers_table *rows, const char *what, int reach)
{
    static const char *const sets[] = {"simulated", "simulated traffic", "kitti"};
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char series[64];
        snprintf(series, sizeof series, "%s%s", what, sets[i]);
        const double share = value_of(rows, "erccl-quality", series, reach);
        if (!isnan(share)) sum += share, count++;
    }
    return count ? sum / count : (double)NAN;
}

papers_judgement erccl_judge_reach_five(const papers_table *rows)
{
    const double five = mean_quality(rows, "matched ", 5);
    double best = 0;
    int at = 0;
    char ours[200];
    for (int reach = 1; reach <= 8; reach++)
        if (mean_quality(rows, "matched ", reach) > best) best = mean_quality(rows, "matched ", reach), at = reach;
    if (at == 0 || isnan(five)) return papers_unknown("The matched instances were not counted.");
    snprintf(ours, sizeof ours, "r = 5 matches %.1f %% of the instances, the best (r = %d) %.1f %%", five, at, best);
    return papers_decide(
        five >= best - 5, ours,
        "It holds where r = 5 matches at most 5 points less than the best r, mean over the sets of scenes.");
}

papers_judgement erccl_judge_joined(const papers_table *rows)
{
    const double two = mean_quality(rows, "", 2), eight = mean_quality(rows, "", 8);
    char ours[200];
    if (isnan(two) || isnan(eight)) return papers_unknown("The accuracy was not measured at r = 2 and r = 8.");
    snprintf(ours, sizeof ours, "%.1f %% of the clusters not wrong at r = 2, %.1f %% at r = 8", two, eight);
    return papers_decide(eight < two, ours,
                         "It holds where r = 8 has more wrong clusters, mean over the sets of scenes.");
}

papers_judgement erccl_judge_pieces(const papers_table *rows)
{
    const papers_row *const two = papers_find(rows, "erccl-pictures", "reach", 2, "cpu");
    const papers_row *const four = papers_find(rows, "erccl-pictures", "reach", 4, "cpu");
    const papers_row *const five = papers_find(rows, "erccl-pictures", "reach", 5, "cpu");
    char ours[200];
    if (!two || !four || !five) return papers_unknown("The pictures were not made.");
    snprintf(ours, sizeof ours, "%ld, %ld and %ld clusters at r = 2, 4, 5", two->clusters, four->clusters,
             five->clusters);
    return papers_decide(two->clusters > four->clusters && four->clusters > five->clusters, ours,
                         "It holds where a smaller r gives more clusters in the scene of trees.");
}

/* The paper counted 170 clusters: two standard errors of its share are 2.0 points. */
#define CLAIMS_ACCURACY (98.2 - 2.0)

papers_judgement erccl_judge_accuracy(const papers_table *rows)
{
    const double made = value_of(rows, "erccl-accuracy", "peak simulated traffic", 0);
    const double real = value_of(rows, "erccl-accuracy", "peak kitti", 0);
    const double all = value_of(rows, "erccl-accuracy", "peak simulated", 0);
    char ours[200], trees[100] = "";
    if (isnan(made)) return papers_unknown("The accuracy was not measured.");
    const int length = snprintf(ours, sizeof ours, "%.1f %% (simulated)", made);
    if (!isnan(real)) snprintf(ours + length, sizeof ours - (size_t)length, ", %.1f %% (KITTI)", real);
    if (!isnan(all))
        snprintf(trees, sizeof trees, " Where trees, poles and bushes are judged, too, it is %.1f %%.", all);
    return papers_decide(
        made >= CLAIMS_ACCURACY && !(real < CLAIMS_ACCURACY), ours,
        "It holds from %.1f %% on: the paper counted 170 clusters by eye, and two standard errors are 2.0 "
        "points. Vehicles and people are judged.%s",
        CLAIMS_ACCURACY, trees);
}

papers_judgement erccl_judge_order(const papers_table *rows)
{
    static const struct {
        const char *series, *name;
    } sets[] = {
        {"peak simulated traffic", "vehicles and people"}, {"peak simulated", "all things"}, {"peak kitti", "KITTI"}};
    int places = 0, best = 0;
    char ours[200] = "";
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        double v[3];
        for (int k = 0; k < 3; k++) v[k] = value_of(rows, "erccl-accuracy", sets[i].series, k);
        if (isnan(v[0]) || isnan(v[1]) || isnan(v[2])) continue;
        best += v[0] > v[1] && v[0] > v[2];
        const size_t length = strlen(ours);
        snprintf(ours + length, sizeof ours - length, "%s%.1f / %.1f / %.1f %% (%s)", places++ ? "; " : "", v[0], v[1],
                 v[2], sets[i].name);
    }
    if (places == 0) return papers_unknown("The accuracy was not measured.");
    return papers_decide(
        best == places, ours,
        "ER-CCL is the best in %d of %d sets of scenes; all of them holds. In the paper 3 of 170, 8 of 185 "
        "and 6 of 130 clusters are wrong: too few to rank ccl and hash.",
        best, places);
}

papers_judgement erccl_judge_peak(const papers_table *rows)
{
    char ours[200];
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "erccl-histogram") != 0 || strcmp(row->series, "ground of simulated") != 0)
            continue;
        snprintf(ours, sizeof ours, "%.2f m, %.0f %% of the points in one bin of 0.1 m", row->x, row->value);
        return papers_decide(fabs(row->x + 1.73) <= 0.2, ours,
                             "The sensor is simulated 1.73 m above the road; 0.2 m is sigma.");
    }
    return papers_unknown("The histogram was not made.");
}
