/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_json.c: `clump eval --json`; see eval_report.h.
 */
#include "eval/eval_report.h"

#include "common/assert.h"

#include "base/json.h"

#include <math.h>

/* Six digits are more than these measures are accurate to. */
static void put_share(cli_json *j, const char *key, double value)
{
    cli_json_number(j, key, round(value * 1e6) / 1e6);
}

static void put_ground(cli_json *j, const char *key, const cli_eval_ground *ground, bool known)
{
    if (!known) {
        cli_json_null(j, key);
        return;
    }
    const cli_eval_rates rates = cli_eval_rates_of(ground);
    cli_json_open(j, key, '{');
    cli_json_count(j, "true", ground->truly);
    cli_json_count(j, "found", ground->found);
    cli_json_count(j, "both", ground->both);
    put_share(j, "precision", rates.precision);
    put_share(j, "recall", rates.recall);
    put_share(j, "f1", rates.f1);
    cli_json_close(j, '}');
}

static void put_instances_of(cli_json *j, const cli_eval_tally *t)
{
    CLUMP_ASSERT(t->verdicts[CLI_EVAL_MATCHED] <= t->instances);
    cli_json_count(j, "instances", t->instances);
    for (size_t v = 0; v < CLI_EVAL_VERDICTS; v++) cli_json_count(j, cli_eval_verdict_names[v], t->verdicts[v]);
    put_share(j, "matched_share", cli_eval_share(t->verdicts[CLI_EVAL_MATCHED], t->instances));
}

static void put_quality(cli_json *j, const cli_eval_tally *t)
{
    const cli_eval_quality q = cli_eval_quality_of(t);
    cli_json_count(j, "false_positives", t->false_positives);
    put_share(j, "sq", q.sq);
    put_share(j, "rq", q.rq);
    put_share(j, "pq", q.pq);
}

/* Of all points, or of a band of range. */
static void put_tally(cli_json *j, const cli_eval_tally *t, bool classes)
{
    put_instances_of(j, t);
    put_ground(j, "ground", &t->ground, true);
    put_ground(j, "ground_without_vegetation", &t->bare, classes);
    put_quality(j, t);
}

static void put_entropy(cli_json *j, const cli_eval_result *e)
{
    cli_json_open(j, "entropy", '{');
    put_share(j, "ose", e->of_instances.over);
    put_share(j, "use", e->of_instances.under);
    cli_json_close(j, '}');
    if (!e->has_objects) {
        cli_json_null(j, "travel");
        return;
    }
    cli_json_open(j, "travel", '{');
    cli_json_count(j, "objects", e->of_objects.objects);
    put_share(j, "ose", e->of_objects.over);
    put_share(j, "use", e->of_objects.under);
    put_share(j, "use_of_classes", e->of_objects.by_class);
    cli_json_close(j, '}');
}

/* What the text calls accuracy, mean IoU and Rand index. */
static void put_clusters(cli_json *j, const cli_eval_result *e, bool many)
{
    CLUMP_ASSERT(e->wrong <= e->clusters);
    put_share(j, "mean_iou", e->mean_iou);
    cli_json_count(j, "clusters", e->clusters);
    cli_json_count(j, "wrong", e->wrong);
    put_share(j, "accuracy", cli_eval_share(e->clusters - e->wrong, e->clusters));
    if (!many) put_share(j, "adjusted_rand_index", e->rand_index);
}

static void put_ranges(cli_json *j, const cli_eval_result *e, double band)
{
    size_t used = e->has_ranges ? CLI_EVAL_BANDS : 0;
    while (used > 0 && e->bands[used - 1].points == 0) used--;
    cli_json_open(j, "ranges", '[');
    for (size_t b = 0; b < used; b++) {
        cli_json_open(j, NULL, '{');
        cli_json_number(j, "from", (double)b * band);
        cli_json_number(j, "to", b + 1 < CLI_EVAL_BANDS ? (double)(b + 1) * band : INFINITY);
        cli_json_count(j, "judged", e->bands[b].points);
        put_tally(j, &e->bands[b], e->has_classes);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_tables(cli_json *j, const cli_eval_result *e, double band)
{
    put_ranges(j, e, band);
    cli_json_open(j, "sizes", '[');
    for (size_t k = 0; k < CLI_EVAL_SIZES; k++) {
        const cli_eval_tally *const t = &e->sizes[k];
        if (t->instances + t->false_positives == 0) continue;
        cli_json_open(j, NULL, '{');
        cli_json_count(j, "from", cli_eval_size_bounds[k]);
        if (k + 1 < CLI_EVAL_SIZES)
            cli_json_count(j, "to", cli_eval_size_bounds[k + 1] - 1);
        else
            cli_json_null(j, "to");
        put_instances_of(j, t);
        put_quality(j, t);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
    cli_json_open(j, "classes", '[');
    for (size_t k = 0; k < CLI_EVAL_CLASSES; k++) {
        if (e->classes[k].instances == 0) continue;
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "class", cli_eval_class_names[k]);
        put_instances_of(j, &e->classes[k]);
        put_share(j, "mean_iou", e->classes[k].best_iou / (double)e->classes[k].instances);
        put_quality(j, &e->classes[k]);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
    put_share(j, "pq_of_classes", cli_eval_class_quality(e));
}

static void put_instance(cli_json *j, const cli_eval_file *file, const cli_eval_instance *t)
{
    cli_json_open(j, NULL, '{');
    cli_json_int(j, "instance", file->pairs ? t->truth >> 15 : t->truth);
    if (file->pairs) cli_json_int(j, "class", t->truth & 0x7fff);
    cli_json_count(j, "points", t->points);
    if (file->result.has_ranges) cli_json_float(j, "range", t->range);
    cli_json_text(j, "verdict", cli_eval_verdict_names[t->verdict]);
    cli_json_int(j, "cluster", t->best);
    cli_json_count(j, "shared", t->shared);
    cli_json_count(j, "cluster_points", t->size);
    cli_json_count(j, "clusters", t->clusters);
    put_share(j, "iou", t->iou);
    cli_json_close(j, '}');
}

static void put_list(cli_json *j, const cli_eval_report *r, const cli_eval_file *file)
{
    if (!r->instances) return;
    cli_json_open(j, "list", '[');
    for (size_t i = 0; i < file->result.all.instances; i++) put_instance(j, file, &file->result.instances[i]);
    cli_json_close(j, ']');
}

static void put_values(cli_json *j, const char *key, const double values[CLI_EVAL_VALUES])
{
    cli_json_open(j, key, '{');
    for (size_t k = 0; k < CLI_EVAL_VALUES; k++) put_share(j, cli_eval_value_names[k], values[k]);
    cli_json_close(j, '}');
}

/* The keys that only folders have. */
static void put_many(cli_json *j, const cli_eval_report *r)
{
    put_values(j, "mean_over_files", r->over_files);
    put_values(j, "mean_over_scenes", r->over_scenes);
    cli_json_open(j, "scenes", '[');
    for (size_t k = 0; k < r->scene_count; k++) {
        const cli_eval_scene *const scene = &r->scenes[k];
        double values[CLI_EVAL_VALUES];
        cli_eval_mean_take(&scene->mean, values);
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "scene", scene->name);
        cli_json_count(j, "files", scene->files);
        cli_json_count(j, "judged", scene->sum.all.points);
        put_tally(j, &scene->sum.all, scene->sum.has_classes);
        put_clusters(j, &scene->sum, true);
        put_values(j, "mean_over_files", values);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
    cli_json_open(j, "files", '[');
    for (size_t i = 0; i < r->file_count; i++) {
        const cli_eval_file *const file = &r->files[i];
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "input", file->labeled);
        cli_json_text(j, "truth", file->truth);
        cli_json_text(j, "scene", file->scene);
        cli_json_count(j, "points", file->points);
        cli_json_count(j, "judged", file->result.all.points);
        put_tally(j, &file->result.all, file->result.has_classes);
        put_clusters(j, &file->result, false);
        put_entropy(j, &file->result);
        put_list(j, r, file);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

void cli_eval_json(FILE *to, const cli_eval_report *r)
{
    const cli_eval_parameters *const p = &r->parameters;
    cli_json j = cli_json_begin(to, "eval");
    cli_json_text(&j, "input", r->labeled);
    cli_json_text(&j, "truth", r->truth);
    cli_json_open(&j, "parameters", '{');
    cli_json_number(&j, "max_range", p->max_range);
    cli_json_number(&j, "extent", p->extent);
    cli_json_numbers(&j, "sensor", p->sensor, 3);
    cli_json_count(&j, "min_size", p->min_size);
    cli_json_number(&j, "band", p->band);
    cli_json_text(&j, "scene", p->scene);
    cli_json_close(&j, '}');
    cli_json_count(&j, "points", r->points);
    cli_json_count(&j, "judged", r->total.all.points);
    put_tally(&j, &r->total.all, r->total.has_classes);
    put_clusters(&j, &r->total, r->many);
    if (!r->many) put_entropy(&j, &r->total);
    put_tables(&j, &r->total, p->band);
    if (r->many)
        put_many(&j, r);
    else
        put_list(&j, r, &r->files[0]);
    cli_json_end(&j);
}
