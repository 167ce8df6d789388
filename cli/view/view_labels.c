/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_labels.c: see view.h. Labels of files can be any numbers. The clusters are numbered again, by ascending
 * label, because clump_describe() needs numbers without gaps; each keeps its own label to be shown.
 */
#include "view/view.h"

#include "common/assert.h"
#include "eval/eval.h"
#include "files/view_write.h"

#include <math.h>
#include <stdlib.h>

bool cli_view_has_labels(const clump_cloud *cloud)
{
    clump_field field;
    return clump_cloud_find(cloud, "label", &field) ||
           (clump_cloud_find(cloud, "semantic", &field) && clump_cloud_find(cloud, "instance", &field));
}

/* Makes the classes of a .label file without instances its labels. What has no class stays noise, ground stays ground. */
static int take_classes(const char *path, cli_eval_source *source)
{
    int32_t *words = NULL;
    size_t count = 0;
    clump_message message = {0};
    const clump_status status = clump_labels_load(path, &words, &count, &message);
    if (status != CLUMP_OK) return cli_fail_message(path, status, &message);
    for (size_t i = 0; i < count && i < source->count; i++)
        if (source->labels[i] == CLUMP_NOISE) source->labels[i] = words[i] & 0xffff;
    clump_labels_free(words);
    return CLI_DONE;
}

/* Shows instances by their number alone, where no two classes have an instance of the same number. */
static int shorten_pairs(const char *path, cli_eval_source *source)
{
    enum { INSTANCES = 65536, CLASS = 0x7fff };
    int32_t *const classes = calloc(INSTANCES, sizeof *classes); /* class + 1 */
    if (!classes) return cli_fail("%s: not enough memory for %zu labels", path, source->count);
    bool unique = true, any = false;
    for (size_t i = 0; i < source->count; i++) {
        if (source->labels[i] < 0) continue;
        const int32_t class = (source->labels[i] & CLASS) + 1;
        int32_t *const place = &classes[source->labels[i] >> 15];
        unique = unique && (*place == 0 || *place == class);
        *place = class;
        any = true;
    }
    free(classes);
    for (size_t i = 0; unique && i < source->count; i++)
        if (source->labels[i] >= 0) source->labels[i] >>= 15;
    const bool words = clump_format_of_path(path) == CLUMP_FORMAT_SEMANTICKITTI;
    return any || !words ? CLI_DONE : take_classes(path, source);
}

/* Reads the labels as numbers of the file. */
static int read_numbers(const cli_view_labels_input *in, cli_eval_source *source)
{
    clump_field field;
    const size_t points = clump_cloud_points(in->cloud).count;
    const char *const path = in->path ? in->path : in->name;
    const clump_format format = in->path ? clump_format_of_path(in->path) : CLUMP_FORMAT_GUESS;
    const bool alone =
        format == CLUMP_FORMAT_SEMANTICKITTI || format == CLUMP_FORMAT_LABELS || format == CLUMP_FORMAT_NPY;
    if (in->path)
        CLI_TRY(cli_eval_read(in->path, alone, in->quiet, source));
    else
        CLI_TRY(cli_eval_read_cloud(in->name, in->cloud, !clump_cloud_find(in->cloud, "label", &field), source));
    if (source->count != points)
        return cli_fail("%s: has %zu labels, %s has %zu points", path, source->count, in->name, points);
    return source->pairs ? shorten_pairs(path, source) : CLI_DONE;
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Writes the labels >= 0 in ascending order, each once, and returns their number. */
static size_t collect(const int32_t *labels, size_t count, int32_t *unique)
{
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        if (labels[i] >= 0 && (found == 0 || unique[found - 1] != labels[i])) unique[found++] = labels[i];
    qsort(unique, found, sizeof *unique, by_number);
    for (size_t i = 0; i < found; i++)
        if (kept == 0 || unique[kept - 1] != unique[i]) unique[kept++] = unique[i];
    return kept;
}

static int32_t place_of(int32_t label, const int32_t *unique, size_t count)
{
    CLUMP_ASSERT(count >= 1);
    const int32_t *const found = bsearch(&label, unique, count, sizeof *unique, by_number);
    return (int32_t)(found - unique);
}

/* Makes noise of points that are not finite, which are in no cluster, and of labels that have no meaning. */
static void clean(clump_points points, int32_t *labels)
{
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = cli_point(points, i);
        if (labels[i] < CLUMP_GROUND || !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) labels[i] = CLUMP_NOISE;
    }
}

/* Turns labels into indices. */
static void number_again(const int32_t *unique, size_t count, int32_t *labels, size_t points)
{
    int32_t last = -1, place = -1;
    for (size_t i = 0; i < points; i++) {
        if (labels[i] < 0) continue;
        if (labels[i] != last) place = place_of(labels[i], unique, count);
        last = labels[i];
        labels[i] = place;
    }
}

static int describe(cli_view_labels *to, const cli_view_labels_input *in, const int32_t *unique)
{
    const double *const origin = clump_cloud_origin(in->cloud);
    const int32_t count = to->shown.count;
    clump_describe_options options = clump_describe_defaults();
    options.up = in->up;
    for (size_t k = 0; k < 3; k++) options.sensor[k] = (float)(in->sensor[k] - origin[k]);
    if (!cli_boxes_reserve(&to->boxes, count)) return cli_fail("not enough memory to describe %d clusters", (int)count);
    const clump_status status =
        clump_describe(in->context, clump_cloud_points(in->cloud), to->indices, count, &options, to->boxes.clusters);
    if (status != CLUMP_OK) return cli_fail_context(in->context, status);
    cli_boxes_turn(&to->boxes, count);
    for (int32_t c = 0; c < count; c++) to->boxes.clusters[c].label = unique[c];
    to->shown.clusters = to->boxes.clusters;
    return CLI_DONE;
}

int cli_view_labels_read(cli_view_labels *labels, const cli_view_labels_input *in)
{
    *labels = (cli_view_labels){.shown = {.name = in->path ? cli_view_name(in->path) : "label"}};
    cli_eval_source source = {0};
    int status = read_numbers(in, &source);
    int32_t *const unique = status == CLI_DONE ? cli_allocate(source.count, sizeof *unique) : NULL;
    if (status == CLI_DONE && !unique) status = cli_fail("not enough memory for %zu labels", source.count);
    if (status == CLI_DONE) {
        clean(clump_cloud_points(in->cloud), source.labels);
        const size_t count = collect(source.labels, source.count, unique);
        number_again(unique, count, source.labels, source.count);
        labels->indices = source.labels;
        labels->shown.labels = source.labels;
        labels->shown.count = (int32_t)count;
        source.labels = NULL;
        status = describe(labels, in, unique);
    }
    free(unique);
    cli_eval_release(&source);
    return status;
}

void cli_view_labels_release(cli_view_labels *labels)
{
    free(labels->indices);
    cli_boxes_release(&labels->boxes);
    *labels = (cli_view_labels){0};
}
