/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_objects.c: see eval.h. The points are sorted by class and instance, and each run is clustered alone.
 */
#include "eval/eval.h"

#include "common/assert.h"

#include <stdlib.h>

typedef struct object_search {
    const cli_eval_input *in;
    clump_points points;
    clump_context *context;
    clump_ec_options options;
    uint64_t *keys;  /* class and instance << 32 | point, of the points that can be in an object */
    float *xyz;      /* of the points of a run */
    int32_t *labels; /* of the points of a run */
    int32_t found;   /* objects */
} object_search;

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Clusters the points of one class and instance. */
static int cluster_run(object_search *s, const uint64_t *run, size_t count, int32_t *objects)
{
    CLUMP_ASSERT(count >= 1);
    for (size_t k = 0; k < count; k++)
        for (size_t axis = 0; axis < 3; axis++) s->xyz[3 * k + axis] = cli_point(s->points, (uint32_t)run[k])[axis];
    int32_t clusters = 0;
    const clump_points points = {.xyz = s->xyz, .count = count};
    const clump_status status =
        clump_ec(s->context, points, CLI_EVAL_OBJECT_DISTANCE, &s->options, s->labels, &clusters);
    if (status != CLUMP_OK) return cli_fail_context(s->context, status);
    for (size_t k = 0; k < count; k++)
        if (s->labels[k] >= 0) objects[(uint32_t)run[k]] = s->found + s->labels[k];
    s->found += clusters;
    return CLI_DONE;
}

static int search(object_search *s, const uint32_t *words, int32_t *objects)
{
    const size_t count = s->in->count;
    s->keys = cli_allocate(count, sizeof *s->keys);
    s->xyz = cli_allocate(count, 3 * sizeof *s->xyz);
    s->labels = cli_allocate(count, sizeof *s->labels);
    if (!s->keys || !s->xyz || !s->labels) return cli_fail("not enough memory for the objects of %zu points", count);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        objects[i] = -1;
        if (s->in->truth[i] != CLUMP_GROUND && cli_eval_counts(s->in, i)) s->keys[n++] = (uint64_t)words[i] << 32 | i;
    }
    qsort(s->keys, n, sizeof *s->keys, by_key);
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = 1; /* runs are short */
    CLI_TRY(cli_context_create(&options, &s->context));
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && s->keys[end] >> 32 == s->keys[i] >> 32;) end++;
        CLI_TRY(cluster_run(s, s->keys + i, end - i, objects));
    }
    return CLI_DONE;
}

int cli_eval_find_objects(const cli_eval_input *in, const clump_cloud *cloud, const uint32_t *words, int32_t *objects)
{
    object_search s = {.in = in, .points = clump_cloud_points(cloud), .options = clump_ec_defaults()};
    s.options.common.min_size = CLI_EVAL_OBJECT_LEAST;
    s.options.common.max_size = CLI_EVAL_OBJECT_MOST;
    const int status = in->count > UINT32_MAX ? cli_fail("%zu points are too many for 'clump eval'", in->count)
                                              : search(&s, words, objects);
    clump_context_destroy(s.context);
    free(s.keys);
    free(s.xyz);
    free(s.labels);
    return status;
}
