/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.c: see report.h. Other programs rely on the keys of the JSON object and on their order.
 */
#include "cluster/report.h"

#include "common/assert.h"
#include "base/cli.h"
#include "files/device.h"
#include "base/json.h"
#include "base/number.h"

#include <clump/info.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_load_json(cli_json *j, const char *key, cli_shares load)
{
    if (load.count == 0) return;
    cli_json_open(j, key, '[');
    for (size_t i = 0; i < load.count; i++) cli_json_float(j, NULL, load.shares[i]);
    cli_json_close(j, ']');
}

/* Whether the method has the stage INITIAL_EC: those of the matrix. */
static bool has_initial(const clump_stats *stats)
{
    return stats->method && strncmp(stats->method, "matrix-", 7) == 0;
}

void cli_report_json(FILE *to, const cli_report *r)
{
    const clump_stats *s = &r->stats;
    char device[CLI_DEVICE_SIZE], hash[17];
    cli_device_text(device, s->backend, r->device);
    snprintf(hash, sizeof hash, "%016" PRIx64, r->labels_hash);
    cli_json j = cli_json_begin(to, r->command);
    cli_json_text(&j, "input", r->input);
    cli_json_open(&j, "parameters", '{');
    r->put_parameters(&j, r->settings);
    cli_json_close(&j, '}');
    cli_json_count(&j, "points", s->points);
    cli_json_count(&j, "finite", s->finite);
    cli_json_int(&j, "clusters", s->clusters);
    if (r->has_tree) cli_put_object_counts(&j, r->cuts_tree ? &r->counts : NULL);
    if (r->by_class) cli_put_by_class(&j, r->by_class, s);
    if (r->has_core && r->core_known) cli_json_count(&j, "core", r->core);
    if (r->has_core && !r->core_known) cli_json_null(&j, "core");
    cli_json_count(&j, "noise", s->noise);
    cli_json_count(&j, "largest", r->largest);
    cli_json_count(&j, "ground", s->ground);
    cli_json_float(&j, "ground_level", s->ground_level);
    cli_json_count(&j, "masked", s->masked);
    if (r->thins) cli_json_count(&j, "thinned", s->thinned);
    if (r->thins) cli_json_bool(&j, "approximate", r->thin > 0);
    if (r->has_frames) cli_json_text(&j, "frame", r->step > 0 ? "steps" : "whole");
    if (r->has_frames) cli_json_number(&j, "step", r->step > 0 ? r->step : (double)NAN);
    if (r->has_tree) cli_put_rings(&j, r->cuts_tree ? s : NULL);
    cli_json_text(&j, "method", s->method ? s->method : "");
    cli_json_text(&j, "device", device);
    cli_json_text(&j, "memory", r->memory);
    cli_json_text(&j, "reason", s->reason);
    cli_json_int(&j, "threads", s->threads);
    cli_json_int(&j, "passes", s->passes);
    if (r->has_frames) cli_json_count(&j, "pieces", s->pieces > 0 ? s->pieces : 1); /* of ec and dbscan */
    cli_json_text(&j, "labels_hash", hash);
    const char *const stages[CLI_STAGES] = {
        [CLI_STAGE_UPLOAD] = "upload",
        [CLI_STAGE_GROUND] = r->thins || r->cuts_tree ? "ground" : NULL,
        [CLI_STAGE_INITIAL] = has_initial(s) ? "initial" : NULL,
        [CLI_STAGE_BUILD] = "build",
        [CLI_STAGE_CLUSTER] = "cluster",
        [CLI_STAGE_MERGE] = r->load.count > 0 && (r->merge_load.count > 0 || s->merge_ms > 0) ? "merge" : NULL,
        [CLI_STAGE_LABEL] = "label",
        [CLI_STAGE_BOXES] = r->objects ? "boxes" : NULL,
        [CLI_STAGE_DOWNLOAD] = "download",
    };
    cli_json_cost(&j, &r->times, stages, s);
    put_load_json(&j, "load", r->load);
    put_load_json(&j, "merge_load", r->merge_load);
    cli_json_end(&j);
}

static void put_load_text(FILE *to, cli_shares load, const char *step)
{
    float least = 1, most = 0;
    for (size_t i = 0; i < load.count; i++) {
        least = fminf(least, load.shares[i]);
        most = fmaxf(most, load.shares[i]);
    }
    fprintf(to, "%.0f to %.0f%% of the %s", 100 * (double)least, 100 * (double)most, step);
}

/* Prints the line "busy": the least and the most busy thread or thread block. */
static void put_loads_text(FILE *to, const cli_report *r)
{
    if (r->load.count == 0) return;
    const bool merges = r->merge_load.count > 0;
    fputs("busy     ", to);
    put_load_text(to, r->load, merges ? "cluster step" : "first expansion");
    if (merges) {
        fputs(", ", to);
        put_load_text(to, r->merge_load, "merge step");
    }
    fprintf(to, ", per thread%s\n", merges ? "" : " block");
}

static void put_stages_text(FILE *to, const double stages[CLI_STAGES])
{
    char initial[CLI_TIME_SIZE], build[CLI_TIME_SIZE], cluster[CLI_TIME_SIZE];
    cli_time_text(initial, stages[CLI_STAGE_INITIAL]);
    cli_time_text(build, stages[CLI_STAGE_BUILD]);
    cli_time_text(cluster, stages[CLI_STAGE_CLUSTER]);
    fprintf(to, "stages   initial %s, build %s, cluster %s\n", initial, build, cluster);
}

void cli_report_text(FILE *to, const cli_report *r)
{
    const clump_stats *s = &r->stats;
    const char *const summary = r->by_class ? "the distances of the classes" : r->summary;
    char found[CLI_OBJECTS_TEXT];
    cli_objects_text(found, &r->counts);
    if (r->cuts_tree)
        fprintf(to, "%s: %s at %s\n", cli_shown(r->input), found, summary);
    else if (r->ground_alone)
        fprintf(to, "%s: %.1f%% ground\n", cli_shown(r->input),
                s->points ? 100 * (double)s->ground / (double)s->points : 0.0);
    else
        fprintf(to, "%s: %" PRId32 " %s%s at %s\n", cli_shown(r->input), s->clusters, r->objects ? "object" : "cluster",
                s->clusters == 1 ? "" : "s", summary);
    fprintf(to, "points   %zu", s->points);
    if (s->finite != s->points) fprintf(to, ", %zu of them not finite", s->points - s->finite);
    if (s->masked) fprintf(to, ", %zu left out", s->masked);
    if (r->has_core && r->core_known) fprintf(to, "\ncore     %zu", r->core);
    if (r->ground) fprintf(to, "\nground   %zu", s->ground);
    if (r->ground && !isnan(s->ground_level))
        fprintf(to, ", %.2f %s the sensor", fabs((double)s->ground_level), s->ground_level < 0 ? "below" : "above");
    if (!r->ground_alone)
        fprintf(to, "\nnoise    %zu\nlargest  %zu point%s", s->noise, r->largest, r->largest == 1 ? "" : "s");
    fputc('\n', to);
    if (r->cuts_tree) cli_print_objects(to, &r->counts, s, r->ring_field);
    if (r->by_class) cli_print_by_class(to, r->by_class, s);
    if (r->thin > 0) {
        char side[CLI_NUMBER_SIZE];
        cli_float_text(side, r->thin);
        fprintf(to, "thinned  %zu, by voxels of %s: the result is approximate\n", s->thinned, side);
    }
    if (r->step > 0) fprintf(to, "frame    steps of %.15g\n", r->step);
    cli_put_run(to, &r->times, s, r->device, strcmp(r->memory, "pageable") != 0 ? r->memory : NULL);
    if (has_initial(s)) put_stages_text(to, r->times.stages);
    put_loads_text(to, r);
}

/* --- tables ----------------------------------------------------------------------------------------- */

/* A row of a table. */
typedef struct listed {
    const clump_cluster *cluster;
    float score; /* 0 where there is none */
} listed;

static int by_label(const clump_cluster *x, const clump_cluster *y)
{
    return (x->label > y->label) - (x->label < y->label);
}

static int by_size(const void *a, const void *b)
{
    const clump_cluster *x = ((const listed *)a)->cluster, *y = ((const listed *)b)->cluster;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : by_label(x, y);
}

static int by_distance(const void *a, const void *b)
{
    const clump_cluster *x = ((const listed *)a)->cluster, *y = ((const listed *)b)->cluster;
    return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1) : by_label(x, y);
}

static int by_score(const void *a, const void *b)
{
    const float x = ((const listed *)a)->score, y = ((const listed *)b)->score;
    return x != y ? (x > y ? -1 : 1) : by_distance(a, b);
}

/* Returns the decimals of the table: one digit finer than the distance, 0.01 for 0.5. */
static int decimals_for(float distance)
{
    const double digits = ceil(-log10((double)distance)) + 1;
    return digits < 0 ? 0 : digits > 9 ? 9 : (int)digits;
}

static void put_cell(char *cell, int decimals, double value)
{
    CLUMP_ASSERT(decimals >= 0);
    if (isnan(value))
        strcpy(cell, "-");
    else
        snprintf(cell, CLI_NUMBER_SIZE, "%.*f", decimals, value);
}

/* Rounds to tenths of a degree. A yaw that would be rounded up to 180 is 0, the same direction. */
static void put_yaw(char *cell, float yaw)
{
    put_cell(cell, 1, (double)yaw < 179.95 ? (double)yaw : 0);
}

static void put_counts(char *label, char *points, const clump_cluster *c)
{
    snprintf(label, CLI_NUMBER_SIZE, "%" PRId32, c->label);
    snprintf(points, CLI_NUMBER_SIZE, "%" PRId32, c->count);
}

static double extent_of(const clump_cluster *c, size_t axis)
{
    return (double)c->upper[axis] - (double)c->lower[axis];
}

static void put_class(char *cell, const cli_by_class *by_class, int32_t label)
{
    snprintf(cell, CLI_NUMBER_SIZE, "%s", cli_class_name(by_class, by_class->found[label]));
}

/* label points | centroid x y z | extent x y z | box length width yaw */
static void fill_cluster(cli_table_row *r, const clump_cluster *c, const cli_report *report, int decimals)
{
    put_counts(r->cell[0], r->cell[1], c);
    for (size_t i = 0; i < 3; i++) {
        put_cell(r->cell[2 + i], decimals, report->origin[i] + (double)c->centroid[i]);
        put_cell(r->cell[5 + i], decimals, extent_of(c, i));
    }
    for (size_t i = 0; i < 2; i++) put_cell(r->cell[8 + i], decimals, (double)c->box_size[i]);
    put_yaw(r->cell[10], c->yaw);
    if (report->by_class) put_class(r->cell[11], report->by_class, c->label);
}

/* label distance points | centre x y z | length width height yaw | top | fits | score | class | intensity */
static void fill_object(cli_table_row *r, const clump_cluster *c, const cli_report *report, int decimals)
{
    const size_t up = report->up == CLUMP_UP_Y ? 1 : 2, across = 3 - up;
    put_counts(r->cell[0], r->cell[2], c);
    put_cell(r->cell[1], decimals, (double)c->distance);
    put_cell(r->cell[3], decimals, report->origin[0] + (double)c->box_center[0]);
    put_cell(r->cell[3 + across], decimals, report->origin[across] + (double)c->box_center[1]);
    put_cell(r->cell[3 + up], decimals, report->origin[up] + ((double)c->lower[up] + (double)c->upper[up]) / 2);
    for (size_t i = 0; i < 2; i++) put_cell(r->cell[6 + i], decimals, (double)c->box_size[i]);
    put_cell(r->cell[8], decimals, extent_of(c, up));
    put_yaw(r->cell[9], c->yaw);
    put_cell(r->cell[10], decimals, (double)c->height);
    size_t column = 11;
    if (report->found) {
        cli_fit_text(r->cell[column++], report->found[c->label].fits);
        put_cell(r->cell[column++], 2, (double)report->found[c->label].score);
    }
    if (report->by_class) put_class(r->cell[column++], report->by_class, c->label);
    if (isnan(c->intensity))
        strcpy(r->cell[column], "-");
    else
        snprintf(r->cell[column], CLI_NUMBER_SIZE, "%.4g", (double)c->intensity);
}

typedef struct report_table {
    const char *headings[CLI_TABLE_COLUMNS];
    cli_table_group groups[9];                /* the last has no columns */
    int (*order)(const void *, const void *); /* of the rows */
    void (*fill)(cli_table_row *row, const clump_cluster *cluster, const cli_report *report, int decimals);
} report_table;

static const report_table cluster_table = {
    .headings = {"label", "points", "x", "y", "z", "dx", "dy", "dz", "length", "width", "yaw"},
    .groups = {{2, ""}, {3, "centroid"}, {3, "box along the axes"}, {3, "tightest box from above"}},
    .order = by_size,
    .fill = fill_cluster};

static const report_table object_table = {
    .headings = {"label", "distance", "points", "x", "y", "z", "length", "width", "height", "yaw", "top"},
    .groups = {{3, ""}, {3, "centre"}, {4, "tightest box from above"}, {1, "above ground"}},
    .order = by_distance,
    .fill = fill_object};

/* Returns the table of a report. */
static report_table table_of(const cli_report *r)
{
    report_table table = r->objects ? object_table : cluster_table;
    size_t group = 4, column = 11;
    if (r->found) {
        table.headings[column++] = "fits";
        table.groups[group++] = (cli_table_group){1, "size of"};
        table.headings[column++] = "score";
        table.groups[group++] = (cli_table_group){1, "0 to 1"};
        if (r->by_score) table.order = by_score;
    }
    if (r->by_class) {
        table.headings[column++] = "class";
        table.groups[group++] = (cli_table_group){1, ""};
    }
    if (r->objects && r->intensity) {
        table.headings[column] = r->intensity;
        table.groups[group] = (cli_table_group){1, "mean"};
    }
    return table;
}

bool cli_report_table(FILE *to, const cli_report *report, const clump_cluster *clusters, int32_t count, size_t top,
                      float distance)
{
    CLUMP_ASSERT(count >= 0);
    const size_t shown = (size_t)(report->found ? report->counts.objects : count);
    if (shown == 0 || top == 0) return true;
    const report_table table = table_of(report);
    const size_t rows = top < shown ? top : shown;
    listed *sorted = malloc(shown * sizeof *sorted);
    cli_table_row *text = calloc(rows + 1, sizeof *text);
    if (!sorted || !text) return free(sorted), free(text), false;
    size_t taken = 0;
    for (int32_t i = 0; i < count; i++)
        if (!report->found || report->found[i].object)
            sorted[taken++] = (listed){&clusters[i], report->found ? report->found[i].score : 0};
    CLUMP_ASSERT(taken == shown);
    qsort(sorted, shown, sizeof *sorted, table.order);

    const int decimals = decimals_for(distance);
    for (size_t i = 0; i < CLI_TABLE_COLUMNS; i++)
        if (table.headings[i]) snprintf(text[0].cell[i], CLI_NUMBER_SIZE, "%s", table.headings[i]);
    for (size_t r = 0; r < rows; r++) table.fill(&text[r + 1], sorted[r].cluster, report, decimals);
    cli_table_print(to, table.groups, text, rows + 1);
    if (shown > rows)
        fprintf(to, "%s... and %zu more, see --top and --clusters%s\n", cli_colour(to, CLI_STYLE_DIM), shown - rows,
                cli_colour(to, CLI_STYLE_PLAIN));
    free(sorted);
    free(text);
    return true;
}
