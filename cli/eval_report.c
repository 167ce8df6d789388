/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_report.c: see eval_report.h.
 */
#include "eval_report.h"

#include "json.h"

#include <inttypes.h>
#include <math.h>

/* Returns part / of; NaN if `of` is 0. */
static double share(size_t part, size_t of)
{
    return of ? (double)part / (double)of : NAN;
}

/* Returns the number of bands up to the last one with points. */
static size_t bands_used(const cli_eval_report *r)
{
    size_t used = CLI_EVAL_BANDS;
    while (used > 0 && r->result->bands[used - 1].points == 0) used--;
    return r->in->range ? used : 0;
}

/* Writes the name of an instance. */
static void name_of(char text[32], const cli_eval_report *r, int32_t truth)
{
    if (r->pairs)
        snprintf(text, 32, "%" PRId32 " of class %" PRId32, truth >> 15, truth & 0x7fff);
    else
        snprintf(text, 32, "%" PRId32, truth);
}

/* --- JSON ------------------------------------------------------------------------------------------- */

/* Six digits are more than these measures are accurate to. */
static void put_share(cli_json *j, const char *key, double value)
{
    cli_json_number(j, key, round(value * 1e6) / 1e6);
}

static void put_tally(cli_json *j, const cli_eval_tally *t)
{
    const cli_eval_ground ground = cli_eval_ground_of(t);
    cli_json_count(j, "instances", t->instances);
    for (size_t v = 0; v < CLI_EVAL_VERDICTS; v++) cli_json_count(j, cli_eval_verdict_names[v], t->verdicts[v]);
    put_share(j, "matched_share", share(t->verdicts[CLI_EVAL_MATCHED], t->instances));
    cli_json_open(j, "ground", '{');
    cli_json_count(j, "true", t->ground_true);
    cli_json_count(j, "found", t->ground_found);
    cli_json_count(j, "both", t->ground_both);
    put_share(j, "precision", ground.precision);
    put_share(j, "recall", ground.recall);
    put_share(j, "f1", ground.f1);
    cli_json_close(j, '}');
}

static void put_instance(cli_json *j, const cli_eval_report *r, const cli_eval_instance *t)
{
    cli_json_open(j, NULL, '{');
    cli_json_int(j, "instance", r->pairs ? t->truth >> 15 : t->truth);
    if (r->pairs) cli_json_int(j, "class", t->truth & 0x7fff);
    cli_json_count(j, "points", t->points);
    if (r->in->range) cli_json_float(j, "range", t->range);
    cli_json_text(j, "verdict", cli_eval_verdict_names[t->verdict]);
    cli_json_int(j, "cluster", t->best);
    cli_json_count(j, "shared", t->shared);
    cli_json_count(j, "cluster_points", t->size);
    cli_json_count(j, "clusters", t->clusters);
    put_share(j, "iou", t->iou);
    cli_json_close(j, '}');
}

void cli_eval_json(FILE *to, const cli_eval_report *r)
{
    const cli_eval_result *e = r->result;
    cli_json j = cli_json_begin(to, "eval");
    cli_json_text(&j, "input", r->labeled);
    cli_json_text(&j, "truth", r->truth);
    cli_json_open(&j, "parameters", '{');
    cli_json_number(&j, "max_range", r->max_range);
    cli_json_number(&j, "extent", r->extent);
    cli_json_numbers(&j, "sensor", r->sensor, 3);
    cli_json_count(&j, "min_size", r->in->min_size);
    cli_json_number(&j, "band", r->in->band);
    cli_json_close(&j, '}');
    cli_json_count(&j, "points", r->in->count);
    cli_json_count(&j, "judged", e->all.points);
    put_tally(&j, &e->all);
    put_share(&j, "mean_iou", e->mean_iou);
    cli_json_count(&j, "clusters", e->clusters);
    cli_json_count(&j, "wrong", e->wrong);
    put_share(&j, "accuracy", share(e->clusters - e->wrong, e->clusters));
    put_share(&j, "adjusted_rand_index", e->rand_index);
    cli_json_open(&j, "ranges", '[');
    const size_t bands = bands_used(r);
    for (size_t b = 0; b < bands; b++) {
        cli_json_open(&j, NULL, '{');
        cli_json_number(&j, "from", (double)b * r->in->band);
        cli_json_number(&j, "to", b + 1 < CLI_EVAL_BANDS ? (double)(b + 1) * r->in->band : INFINITY);
        cli_json_count(&j, "judged", e->bands[b].points);
        put_tally(&j, &e->bands[b]);
        cli_json_close(&j, '}');
    }
    cli_json_close(&j, ']');
    if (r->instances) {
        cli_json_open(&j, "list", '[');
        for (size_t i = 0; i < e->all.instances; i++) put_instance(&j, r, &e->instances[i]);
        cli_json_close(&j, ']');
    }
    cli_json_end(&j);
}

/* --- text ------------------------------------------------------------------------------------------- */

static void percent(char text[16], double value)
{
    if (isnan(value))
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.1f%%", 100 * value);
}

static void put_row(FILE *to, const char *name, const cli_eval_tally *t)
{
    const cli_eval_ground ground = cli_eval_ground_of(t);
    char cell[4][16];
    percent(cell[0], share(t->verdicts[CLI_EVAL_MATCHED], t->instances));
    percent(cell[1], ground.precision);
    percent(cell[2], ground.recall);
    percent(cell[3], ground.f1);
    fprintf(to, "%-11s %8zu  | %9zu %7zu %7s %5zu %6zu %7zu  | %9s %7s %7s\n", name, t->points, t->instances,
            t->verdicts[CLI_EVAL_MATCHED], cell[0], t->verdicts[CLI_EVAL_OVER], t->verdicts[CLI_EVAL_UNDER],
            t->verdicts[CLI_EVAL_MISSED], cell[1], cell[2], cell[3]);
}

static void put_instances(FILE *to, const cli_eval_report *r)
{
    fprintf(to, "\n%-20s %7s %7s  %-15s %8s %7s %8s %6s\n", "instance", "points", "range", "verdict", "cluster",
            "shared", "clusters", "iou");
    for (size_t i = 0; i < r->result->all.instances; i++) {
        const cli_eval_instance *t = &r->result->instances[i];
        char name[32], range[16] = "-", best[16] = "-";
        name_of(name, r, t->truth);
        if (r->in->range) snprintf(range, sizeof range, "%.1f", (double)t->range);
        if (t->best >= 0) snprintf(best, sizeof best, "%" PRId32, t->best);
        fprintf(to, "%-20s %7zu %7s  %-15s %8s %7zu %8zu %6.3f\n", name, t->points, range,
                cli_eval_verdict_names[t->verdict], best, t->shared, t->clusters, t->iou);
    }
}

void cli_eval_text(FILE *to, const cli_eval_report *r)
{
    const cli_eval_result *e = r->result;
    char accuracy[16];
    percent(accuracy, share(e->clusters - e->wrong, e->clusters));
    fprintf(to, "%s against %s\n", r->labeled, r->truth);
    fprintf(to, "points      %zu, %zu of them judged\n", r->in->count, e->all.points);
    fprintf(to, "accuracy    %s: %zu of %zu clusters are wrong\n", accuracy, e->wrong, e->clusters);
    if (!isnan(e->mean_iou)) fprintf(to, "mean IoU    %.3f\n", e->mean_iou);
    if (!isnan(e->rand_index)) fprintf(to, "Rand index  %.4f, adjusted\n", e->rand_index);
    fprintf(to, "\n%-11s %8s  | %-46s  | ground\n", "", "", "instances");
    fprintf(to, "%-11s %8s  | %9s %7s %7s %5s %6s %7s  | %9s %7s %7s\n", "range", "points", "judged", "matched", "",
            "over", "under", "missed", "precision", "recall", "F1");
    const size_t bands = bands_used(r);
    for (size_t b = 0; b < bands; b++) {
        char name[48];
        const double from = (double)b * r->in->band, end = from + r->in->band;
        if (b + 1 < CLI_EVAL_BANDS)
            snprintf(name, sizeof name, "%g to %g", from, end);
        else
            snprintf(name, sizeof name, "%g and on", from);
        put_row(to, name, &e->bands[b]);
    }
    put_row(to, "all", &e->all);
    if (r->instances) put_instances(to, r);
}
