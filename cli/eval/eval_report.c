/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_report.c: the text of `clump eval`; see eval_report.h.
 */
#include "eval/eval_report.h"

#include "common/assert.h"

#include <inttypes.h>
#include <math.h>

static void percent(char text[16], double value)
{
    if (isnan(value))
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.1f%%", 100 * value);
}

static void number(char text[16], double value)
{
    if (isnan(value))
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.2f", value);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* --- above the tables ------------------------------------------------------------------------------- */

static void put_entropies(FILE *to, const cli_eval_result *e)
{
    const cli_eval_entropy *const i = &e->of_instances, *const o = &e->of_objects;
    if (i->objects > 0)
        fprintf(to, "OSE, USE    %.2f, %.2f over %zu instance%s\n", i->over, i->under, i->objects, plural(i->objects));
    if (e->has_objects)
        fprintf(to, "of TRAVEL   %.2f, %.2f over %zu object%s; USE of classes %.2f\n", o->over, o->under, o->objects,
                plural(o->objects), o->by_class);
}

static void put_summary(FILE *to, const cli_eval_report *r)
{
    const cli_eval_result *const e = &r->total;
    const cli_eval_quality q = cli_eval_quality_of(&e->all);
    const cli_eval_rates bare = cli_eval_rates_of(&e->all.bare);
    char cell[4][16];
    fprintf(to, "points      %zu, %zu of them judged\n", r->points, e->all.points);
    percent(cell[0], q.pq), percent(cell[1], q.sq), percent(cell[2], q.rq);
    fprintf(to, "PQ          %s: SQ %s, RQ %s; %zu of %zu instances matched, %zu false positive%s\n", cell[0], cell[1],
            cell[2], e->all.verdicts[CLI_EVAL_MATCHED], e->all.instances, e->all.false_positives,
            plural(e->all.false_positives));
    percent(cell[0], cli_eval_share(e->clusters - e->wrong, e->clusters));
    fprintf(to, "accuracy    %s: %zu of %zu clusters are wrong\n", cell[0], e->wrong, e->clusters);
    if (!isnan(e->mean_iou)) fprintf(to, "mean IoU    %.3f\n", e->mean_iou);
    if (!isnan(e->rand_index)) fprintf(to, "Rand index  %.4f, adjusted\n", e->rand_index);
    if (!r->many) put_entropies(to, e);
    if (!e->has_classes) return;
    percent(cell[0], bare.precision), percent(cell[1], bare.recall), percent(cell[2], bare.f1);
    fprintf(to, "ground      without vegetation: precision %s, recall %s, F1 %s\n", cell[0], cell[1], cell[2]);
}

/* --- tables ----------------------------------------------------------------------------------------- */

/* The columns of instances. */
static void put_columns(FILE *to, const cli_eval_tally *t)
{
    CLUMP_ASSERT(t->verdicts[CLI_EVAL_MATCHED] + t->verdicts[CLI_EVAL_MISSED] <= t->instances);
    char matched[16], pq[16];
    percent(matched, cli_eval_share(t->verdicts[CLI_EVAL_MATCHED], t->instances));
    percent(pq, cli_eval_quality_of(t).pq);
    fprintf(to, "| %9zu %7zu %7s %5zu %6zu %7zu", t->instances, t->verdicts[CLI_EVAL_MATCHED], matched,
            t->verdicts[CLI_EVAL_OVER], t->verdicts[CLI_EVAL_UNDER], t->verdicts[CLI_EVAL_MISSED]);
    fprintf(to, " %5zu %7s", t->false_positives, pq);
}

static void put_head(FILE *to, const char *what, const char *points)
{
    fprintf(to, "%-13s %8s  | %9s %7s %7s %5s %6s %7s", what, points, "judged", "matched", "", "over", "under",
            "missed");
    fprintf(to, " %5s %7s", "false", "PQ");
}

static void put_range_row(FILE *to, const char *name, const cli_eval_tally *t)
{
    const cli_eval_rates ground = cli_eval_rates_of(&t->ground);
    char cell[3][16];
    percent(cell[0], ground.precision), percent(cell[1], ground.recall), percent(cell[2], ground.f1);
    fprintf(to, "%-13s %8zu  ", name, t->points);
    put_columns(to, t);
    fprintf(to, "  | %9s %7s %7s\n", cell[0], cell[1], cell[2]);
}

static void put_ranges(FILE *to, const cli_eval_report *r)
{
    const cli_eval_result *const e = &r->total;
    fprintf(to, "\n%-13s %8s  | %-60s  | ground\n", "", "", "instances");
    put_head(to, "range", "points");
    fprintf(to, "  | %9s %7s %7s\n", "precision", "recall", "F1");
    size_t used = e->has_ranges ? CLI_EVAL_BANDS : 0;
    while (used > 0 && e->bands[used - 1].points == 0) used--;
    for (size_t b = 0; b < used; b++) {
        char name[48];
        const double from = (double)b * r->parameters.band, end = from + r->parameters.band;
        if (b + 1 < CLI_EVAL_BANDS)
            snprintf(name, sizeof name, "%g to %g", from, end);
        else
            snprintf(name, sizeof name, "%g and on", from);
        put_range_row(to, name, &e->bands[b]);
    }
    put_range_row(to, "all", &e->all);
}

static void put_sizes(FILE *to, const cli_eval_result *e)
{
    fputc('\n', to);
    put_head(to, "size", "");
    fputc('\n', to);
    for (size_t k = 0; k < CLI_EVAL_SIZES; k++) {
        const cli_eval_tally *const t = &e->sizes[k];
        char name[48];
        if (t->instances + t->false_positives == 0) continue;
        if (k + 1 < CLI_EVAL_SIZES)
            snprintf(name, sizeof name, "%zu to %zu", cli_eval_size_bounds[k], cli_eval_size_bounds[k + 1] - 1);
        else
            snprintf(name, sizeof name, "%zu and on", cli_eval_size_bounds[k]);
        fprintf(to, "%-13s %8s  ", name, "");
        put_columns(to, t);
        fputc('\n', to);
    }
}

static void put_classes(FILE *to, const cli_eval_result *e)
{
    fputc('\n', to);
    put_head(to, "class", "");
    fputc('\n', to);
    for (size_t k = 0; k < CLI_EVAL_CLASSES; k++) {
        if (e->classes[k].instances == 0) continue;
        fprintf(to, "%-13s %8s  ", cli_eval_class_names[k], "");
        put_columns(to, &e->classes[k]);
        fputc('\n', to);
    }
    char mean[16];
    percent(mean, cli_eval_class_quality(e));
    fprintf(to, "%-22s  | %60s\n", "mean of classes", mean);
}

static void put_instances(FILE *to, const cli_eval_file *file)
{
    fprintf(to, "\n%-20s %7s %7s  %-15s %8s %7s %8s %6s\n", "instance", "points", "range", "verdict", "cluster",
            "shared", "clusters", "iou");
    for (size_t i = 0; i < file->result.all.instances; i++) {
        const cli_eval_instance *t = &file->result.instances[i];
        char name[32], range[16] = "-", best[16] = "-";
        if (file->pairs)
            snprintf(name, sizeof name, "%" PRId32 " of class %" PRId32, t->truth >> 15, t->truth & 0x7fff);
        else
            snprintf(name, sizeof name, "%" PRId32, t->truth);
        if (file->result.has_ranges) snprintf(range, sizeof range, "%.1f", (double)t->range);
        if (t->best >= 0) snprintf(best, sizeof best, "%" PRId32, t->best);
        fprintf(to, "%-20s %7zu %7s  %-15s %8s %7zu %8zu %6.3f\n", name, t->points, range,
                cli_eval_verdict_names[t->verdict], best, t->shared, t->clusters, t->iou);
    }
}

/* --- many files ------------------------------------------------------------------------------------- */

/* A row of means. files: how many the means are over, 0: shows no number. */
static void put_means(FILE *to, const char *name, size_t files, const double v[CLI_EVAL_VALUES])
{
    static const cli_eval_value shares[] = {CLI_EVAL_MATCHED_SHARE, CLI_EVAL_PQ,     CLI_EVAL_SQ, CLI_EVAL_RQ,
                                            CLI_EVAL_GROUND_F1,     CLI_EVAL_BARE_F1};
    static const cli_eval_value sums[] = {CLI_EVAL_OSE, CLI_EVAL_USE, CLI_EVAL_TRAVEL_OSE, CLI_EVAL_TRAVEL_USE};
    char cell[16];
    if (files > 0)
        fprintf(to, "%-24s %5zu  |", name, files);
    else
        fprintf(to, "%-24s %5s  |", name, "");
    for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++) {
        percent(cell, v[shares[k]]);
        fprintf(to, " %7s%s", cell, k == 3 ? "  |" : "");
    }
    fprintf(to, "  |");
    for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++) {
        number(cell, v[sums[k]]);
        fprintf(to, " %7s%s", cell, k == 1 ? "  |" : "");
    }
    fputc('\n', to);
}

static void put_scenes(FILE *to, const cli_eval_report *r)
{
    double values[CLI_EVAL_VALUES];
    fprintf(to, "\n%-24s %5s  | %-31s  | %-15s  | %-15s  | of TRAVEL\n", "mean over files", "", "instances",
            "ground F1", "of instances");
    fprintf(to, "%-24s %5s  | %7s %7s %7s %7s  | %7s %7s  | %7s %7s  | %7s %7s\n", "scene", "files", "matched", "PQ",
            "SQ", "RQ", "", "no veg.", "OSE", "USE", "OSE", "USE");
    for (size_t k = 0; k < r->scene_count; k++) {
        cli_eval_mean_take(&r->scenes[k].mean, values);
        put_means(to, r->scenes[k].name, r->scenes[k].files, values);
    }
    put_means(to, "mean over files", r->file_count, r->over_files);
    put_means(to, "mean over scenes", 0, r->over_scenes);
}

void cli_eval_text(FILE *to, const cli_eval_report *r)
{
    fprintf(to, "%s against %s\n", cli_shown(r->labeled), cli_shown(r->truth));
    if (r->many)
        fprintf(to, "files       %zu, in %zu scene%s\n", r->file_count, r->scene_count, plural(r->scene_count));
    put_summary(to, r);
    put_ranges(to, r);
    if (r->total.all.instances > 0) put_sizes(to, &r->total);
    if (r->total.all.instances > 0 && r->total.has_classes) put_classes(to, &r->total);
    if (r->many) put_scenes(to, r);
    for (size_t i = 0; r->instances && i < r->file_count; i++) {
        if (r->many) fprintf(to, "\n%s against %s", cli_shown(r->files[i].labeled), cli_shown(r->files[i].truth));
        put_instances(to, &r->files[i]);
    }
}
