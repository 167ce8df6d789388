/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_labels.c: see info.h. A .labels file has clusters and noise. A .label file has two numbers per
 * point: its class in the lower half and its instance in the upper half, where 0 is none.
 */
#include "info/info.h"
#include "base/cli.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

typedef struct facts {
    size_t labels, clusters, noise, ground;  /* .labels */
    size_t classes, instances, in_instances; /* .label */
} facts;

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Returns the number of distinct values >= `least`. Sorts the values. */
static size_t count_different(int32_t *values, size_t count, int32_t least)
{
    size_t different = 0;
    qsort(values, count, sizeof *values, by_value);
    for (size_t i = 0; i < count; i++) different += values[i] >= least && (i == 0 || values[i] != values[i - 1]);
    return different;
}

static void count_clusters(int32_t *labels, facts *f)
{
    for (size_t i = 0; i < f->labels; i++) {
        f->noise += labels[i] == CLUMP_NOISE;
        f->ground += labels[i] == CLUMP_GROUND;
    }
    f->clusters = count_different(labels, f->labels, 0);
}

static bool count_objects(const int32_t *labels, facts *f)
{
    int32_t *half = cli_allocate(f->labels, sizeof *half);
    if (!half) return false;
    for (size_t i = 0; i < f->labels; i++) half[i] = labels[i] & 0xffff;
    f->classes = count_different(half, f->labels, 0);
    for (size_t i = 0; i < f->labels; i++) {
        half[i] = (int32_t)((uint32_t)labels[i] >> 16);
        f->in_instances += half[i] != 0;
    }
    f->instances = count_different(half, f->labels, 1);
    free(half);
    return true;
}

static void print(const char *path, const char *format, bool objects, const facts *f, bool json)
{
    if (json) {
        cli_json j = cli_json_begin(stdout, "info");
        cli_json_text(&j, "input", path);
        cli_json_text(&j, "format", format);
        cli_json_count(&j, "labels", f->labels);
        cli_json_count(&j, objects ? "classes" : "clusters", objects ? f->classes : f->clusters);
        cli_json_count(&j, objects ? "instances" : "noise", objects ? f->instances : f->noise);
        cli_json_count(&j, objects ? "in_instances" : "ground", objects ? f->in_instances : f->ground);
        cli_json_end(&j);
        return;
    }
    printf("file      %s\nformat    %s, binary\nlabels    %zu, one a point; the file has no points\n", cli_shown(path),
           format, f->labels);
    if (objects)
        printf("classes   %zu\ninstances %zu, of %zu points\n", f->classes, f->instances, f->in_instances);
    else
        printf("clusters  %zu\nnoise     %zu\nground    %zu\n", f->clusters, f->noise, f->ground);
}

int cli_info_labels(const char *path, const char *format, bool json)
{
    int32_t *labels = NULL;
    facts f = {0};
    clump_message message = {0};
    const clump_status status = clump_labels_load(path, &labels, &f.labels, &message);
    if (status != CLUMP_OK) return cli_fail_message(path, status, &message);
    const bool objects = clump_format_of_path(path) == CLUMP_FORMAT_SEMANTICKITTI;
    bool done = true;
    if (objects)
        done = count_objects(labels, &f);
    else
        count_clusters(labels, &f);
    clump_labels_free(labels);
    if (!done) return cli_fail("not enough memory for %zu labels", f.labels);
    print(path, format, objects, &f, json);
    return CLI_DONE;
}
