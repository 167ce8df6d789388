/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_breakdown.c: see eval.h. Counts points of the ground, and divides points, instances and false positives among the
 * rows of the tables by range, size and class.
 */
#include "eval/eval.h"

#include "common/assert.h"

#include <clump/clump.h>

#include <math.h>

const size_t cli_eval_size_bounds[CLI_EVAL_SIZES] = {1, 50, 100, 200, 500, 1000};

/* The things of SemanticKITTI. What moves has a class of its own, which is counted with the class that stands. */
const char *const cli_eval_class_names[CLI_EVAL_CLASSES] = {"car",       "bicycle",      "bus",           "motorcycle",
                                                            "on-rails",  "truck",        "other-vehicle", "person",
                                                            "bicyclist", "motorcyclist", "other"};
static const uint16_t thing_classes[CLI_EVAL_CLASSES - 1][2] = {{10, 252}, {11, 11},  {13, 257}, {15, 15},  {16, 256},
                                                                {18, 258}, {20, 259}, {30, 254}, {31, 253}, {32, 255}};

enum { VEGETATION = 70 };

static size_t class_row(int32_t truth)
{
    const uint16_t class = truth & 0x7fff;
    size_t row = 0;
    while (row < CLI_EVAL_CLASSES - 1 && thing_classes[row][0] != class && thing_classes[row][1] != class) row++;
    return row;
}

static size_t size_row(size_t points)
{
    size_t row = CLI_EVAL_SIZES - 1;
    while (row > 0 && points < cli_eval_size_bounds[row]) row--;
    return row;
}

static size_t range_row(const cli_eval_input *in, float range)
{
    const double band = floor((double)range / in->band);
    return band < CLI_EVAL_BANDS - 1 ? (size_t)band : CLI_EVAL_BANDS - 1;
}

/* --- points --------------------------------------------------------------------------------------- */

static void count_ground(cli_eval_ground *ground, bool truly, bool found)
{
    ground->truly += truly;
    ground->found += found;
    ground->both += truly && found;
}

static void count_point(const cli_eval_input *in, cli_eval_tally *tally, size_t i)
{
    CLUMP_ASSERT(i < in->count);
    const bool truly = in->truth[i] == CLUMP_GROUND, found = in->labels[i] == CLUMP_GROUND;
    tally->points++;
    count_ground(&tally->ground, truly, found);
    if (in->classes && in->classes[i] != VEGETATION) count_ground(&tally->bare, truly, found);
}

static void count_points(const cli_eval_input *in, cli_eval_result *out)
{
    for (size_t i = 0; i < in->count; i++) {
        if (!cli_eval_counts(in, i)) continue;
        count_point(in, &out->all, i);
        if (in->range) count_point(in, &out->bands[range_row(in, in->range[i])], i);
    }
}

/* --- ranges --------------------------------------------------------------------------------------- */

/* Returns the instance with this label; null: it is not judged. */
static cli_eval_instance *find_instance(const cli_eval_result *out, int32_t truth)
{
    size_t lower = 0, upper = out->all.instances;
    while (upper - lower > 1) {
        const size_t middle = lower + (upper - lower) / 2;
        if (out->instances[middle].truth <= truth)
            lower = middle;
        else
            upper = middle;
    }
    return upper > 0 && out->instances[lower].truth == truth ? &out->instances[lower] : NULL;
}

/* Returns the false positive with this label; null: the cluster is none. */
static cli_eval_false *find_false(const cli_eval_result *out, int32_t cluster)
{
    size_t lower = 0, upper = out->all.false_positives;
    while (upper - lower > 1) {
        const size_t middle = lower + (upper - lower) / 2;
        if (out->falses[middle].cluster <= cluster)
            lower = middle;
        else
            upper = middle;
    }
    return upper > 0 && out->falses[lower].cluster == cluster ? &out->falses[lower] : NULL;
}

/* Finds the nearest point of each instance and of each false positive. */
static void find_ranges(const cli_eval_input *in, cli_eval_result *out)
{
    for (size_t k = 0; k < out->all.instances; k++) out->instances[k].range = INFINITY;
    for (size_t k = 0; k < out->all.false_positives; k++) out->falses[k].range = INFINITY;
    for (size_t i = 0; i < in->count; i++) {
        if (!cli_eval_counts(in, i)) continue;
        cli_eval_instance *const t = in->truth[i] >= 0 ? find_instance(out, in->truth[i]) : NULL;
        cli_eval_false *const f = in->labels[i] >= 0 ? find_false(out, in->labels[i]) : NULL;
        if (t && in->range[i] < t->range) t->range = in->range[i];
        if (f && in->range[i] < f->range) f->range = in->range[i];
    }
}

/* --- rows ----------------------------------------------------------------------------------------- */

static void add_instance(cli_eval_tally *row, const cli_eval_instance *t)
{
    row->instances++;
    row->verdicts[t->verdict]++;
    row->best_iou += t->iou;
    if (t->verdict == CLI_EVAL_MATCHED) row->matched_iou += t->iou;
}

void cli_eval_break_down(const cli_eval_input *in, cli_eval_result *out)
{
    out->has_ranges = in->range != NULL;
    out->has_classes = in->classes != NULL;
    count_points(in, out);
    if (in->range) find_ranges(in, out);
    for (size_t k = 0; k < out->all.instances; k++) {
        const cli_eval_instance *const t = &out->instances[k];
        if (in->range) add_instance(&out->bands[range_row(in, t->range)], t);
        add_instance(&out->sizes[size_row(t->points)], t);
        if (in->classes) add_instance(&out->classes[class_row(t->truth)], t);
    }
    for (size_t k = 0; k < out->all.false_positives; k++) {
        const cli_eval_false *const f = &out->falses[k];
        if (in->range) out->bands[range_row(in, f->range)].false_positives++;
        out->sizes[size_row(f->points)].false_positives++;
        if (in->classes) out->classes[class_row(f->truth)].false_positives++;
    }
}
