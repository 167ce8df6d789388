/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_values.c: quotients of the counts of a labelling, and sums and means over files; see eval.h.
 */
#include "eval/eval.h"

#include "common/assert.h"

#include <math.h>

double cli_eval_share(size_t part, size_t of)
{
    CLUMP_ASSERT(part <= of);
    return of ? (double)part / (double)of : NAN;
}

cli_eval_rates cli_eval_rates_of(const cli_eval_ground *ground)
{
    return (cli_eval_rates){.precision = cli_eval_share(ground->both, ground->found),
                            .recall = cli_eval_share(ground->both, ground->truly),
                            .f1 = cli_eval_share(2 * ground->both, ground->truly + ground->found)};
}

cli_eval_quality cli_eval_quality_of(const cli_eval_tally *t)
{
    const size_t matched = t->verdicts[CLI_EVAL_MATCHED];
    CLUMP_ASSERT(matched <= t->instances && t->matched_iou <= (double)matched);
    const double all = (double)(t->instances + matched + t->false_positives) / 2; /* TP + (FN + FP) / 2 */
    cli_eval_quality q = {.sq = NAN, .rq = NAN, .pq = NAN};
    if (matched > 0) q.sq = t->matched_iou / (double)matched;
    if (all > 0) q.rq = (double)matched / all;
    if (all > 0) q.pq = t->matched_iou / all;
    return q;
}

double cli_eval_class_quality(const cli_eval_result *result)
{
    double sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < CLI_EVAL_CLASSES; k++) {
        if (result->classes[k].instances == 0) continue;
        sum += cli_eval_quality_of(&result->classes[k]).pq;
        count++;
    }
    return count > 0 ? sum / (double)count : (double)NAN;
}

const char *const cli_eval_value_names[CLI_EVAL_VALUES] = {
    [CLI_EVAL_MATCHED_SHARE] = "matched_share",
    [CLI_EVAL_SQ] = "sq",
    [CLI_EVAL_RQ] = "rq",
    [CLI_EVAL_PQ] = "pq",
    [CLI_EVAL_GROUND_PRECISION] = "ground_precision",
    [CLI_EVAL_GROUND_RECALL] = "ground_recall",
    [CLI_EVAL_GROUND_F1] = "ground_f1",
    [CLI_EVAL_BARE_PRECISION] = "ground_without_vegetation_precision",
    [CLI_EVAL_BARE_RECALL] = "ground_without_vegetation_recall",
    [CLI_EVAL_BARE_F1] = "ground_without_vegetation_f1",
    [CLI_EVAL_MEAN_IOU] = "mean_iou",
    [CLI_EVAL_ACCURACY] = "accuracy",
    [CLI_EVAL_RAND_INDEX] = "adjusted_rand_index",
    [CLI_EVAL_OSE] = "ose",
    [CLI_EVAL_USE] = "use",
    [CLI_EVAL_TRAVEL_OBJECTS] = "travel_objects",
    [CLI_EVAL_TRAVEL_OSE] = "travel_ose",
    [CLI_EVAL_TRAVEL_USE] = "travel_use",
    [CLI_EVAL_TRAVEL_USE_OF_CLASSES] = "travel_use_of_classes",
};

void cli_eval_values_of(const cli_eval_result *e, double values[CLI_EVAL_VALUES])
{
    CLUMP_ASSERT(e->wrong <= e->clusters);
    const cli_eval_quality q = cli_eval_quality_of(&e->all);
    const cli_eval_rates ground = cli_eval_rates_of(&e->all.ground), bare = cli_eval_rates_of(&e->all.bare);
    values[CLI_EVAL_MATCHED_SHARE] = cli_eval_share(e->all.verdicts[CLI_EVAL_MATCHED], e->all.instances);
    values[CLI_EVAL_SQ] = q.sq;
    values[CLI_EVAL_RQ] = q.rq;
    values[CLI_EVAL_PQ] = q.pq;
    values[CLI_EVAL_GROUND_PRECISION] = ground.precision;
    values[CLI_EVAL_GROUND_RECALL] = ground.recall;
    values[CLI_EVAL_GROUND_F1] = ground.f1;
    values[CLI_EVAL_BARE_PRECISION] = bare.precision;
    values[CLI_EVAL_BARE_RECALL] = bare.recall;
    values[CLI_EVAL_BARE_F1] = bare.f1;
    values[CLI_EVAL_MEAN_IOU] = e->mean_iou;
    values[CLI_EVAL_ACCURACY] = cli_eval_share(e->clusters - e->wrong, e->clusters);
    values[CLI_EVAL_RAND_INDEX] = e->rand_index;
    values[CLI_EVAL_OSE] = e->of_instances.over;
    values[CLI_EVAL_USE] = e->of_instances.under;
    values[CLI_EVAL_TRAVEL_OBJECTS] = e->has_objects ? (double)e->of_objects.objects : NAN;
    values[CLI_EVAL_TRAVEL_OSE] = e->of_objects.over;
    values[CLI_EVAL_TRAVEL_USE] = e->of_objects.under;
    values[CLI_EVAL_TRAVEL_USE_OF_CLASSES] = e->of_objects.by_class;
}

void cli_eval_mean_add(cli_eval_mean *mean, const double values[CLI_EVAL_VALUES])
{
    for (size_t k = 0; k < CLI_EVAL_VALUES; k++) {
        if (isnan(values[k])) continue;
        mean->sum[k] += values[k];
        mean->count[k]++;
    }
}

void cli_eval_mean_take(const cli_eval_mean *mean, double values[CLI_EVAL_VALUES])
{
    for (size_t k = 0; k < CLI_EVAL_VALUES; k++)
        values[k] = mean->count[k] ? mean->sum[k] / (double)mean->count[k] : NAN;
}

static void add_ground(cli_eval_ground *sum, const cli_eval_ground *g)
{
    sum->truly += g->truly;
    sum->found += g->found;
    sum->both += g->both;
}

static void add_tally(cli_eval_tally *sum, const cli_eval_tally *t)
{
    sum->points += t->points;
    sum->instances += t->instances;
    for (size_t v = 0; v < CLI_EVAL_VERDICTS; v++) sum->verdicts[v] += t->verdicts[v];
    sum->false_positives += t->false_positives;
    sum->matched_iou += t->matched_iou;
    sum->best_iou += t->best_iou;
    add_ground(&sum->ground, &t->ground);
    add_ground(&sum->bare, &t->bare);
}

void cli_eval_add(cli_eval_result *sum, const cli_eval_result *file)
{
    add_tally(&sum->all, &file->all);
    for (size_t k = 0; k < CLI_EVAL_BANDS; k++) add_tally(&sum->bands[k], &file->bands[k]);
    for (size_t k = 0; k < CLI_EVAL_SIZES; k++) add_tally(&sum->sizes[k], &file->sizes[k]);
    for (size_t k = 0; k < CLI_EVAL_CLASSES; k++) add_tally(&sum->classes[k], &file->classes[k]);
    sum->has_ranges |= file->has_ranges;
    sum->has_classes |= file->has_classes;
    sum->clusters += file->clusters;
    sum->wrong += file->wrong;
    sum->mean_iou = sum->all.instances ? sum->all.best_iou / (double)sum->all.instances : NAN;
    sum->rand_index = NAN;
    sum->of_instances = sum->of_objects = (cli_eval_entropy){0, NAN, NAN, NAN};
}
