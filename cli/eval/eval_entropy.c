/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_entropy.c: over- and under-segmentation entropy, see eval.h and docs/accuracy.md. Both are one sum: the entropy of
 * one labelling inside each group of another.
 *
 *     OSE   groups are objects, labels are clusters; points in no cluster have one label together
 *     USE   groups are clusters, labels are objects; points of no object have one label together
 */
#include "eval/eval.h"

#include "common/assert.h"

#include <clump/clump.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* One pass over the points. */
typedef struct grouping {
    const int32_t *group, *label; /* per point; group below 0: left out; label below 0: all these are one label */
    uint64_t *keys;               /* room for all points */
} grouping;

/* Returns the sum of the entropies of the labels in each group. *groups gets the number of groups. */
static double sum_entropies(const cli_eval_input *in, grouping g, size_t *groups)
{
    size_t n = 0;
    for (size_t i = 0; i < in->count; i++) {
        if (g.group[i] < 0 || !cli_eval_counts(in, i)) continue;
        const uint32_t label = g.label[i] < 0 ? UINT32_MAX : (uint32_t)g.label[i];
        CLUMP_ASSERT(n < in->count);
        g.keys[n++] = (uint64_t)g.group[i] << 32 | label;
    }
    qsort(g.keys, n, sizeof *g.keys, by_key);
    double sum = 0;
    *groups = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && g.keys[end] >> 32 == g.keys[i] >> 32;) end++;
        for (size_t from = i, to; from < end; from = to) {
            for (to = from; to < end && g.keys[to] == g.keys[from];) to++;
            const double share = (double)(to - from) / (double)(end - i);
            CLUMP_ASSERT(share > 0 && share <= 1);
            sum -= share * log(share);
        }
        ++*groups;
    }
    return sum + 0.0; /* -0 becomes 0 */
}

/* Fills over and under. */
static cli_eval_entropy find_entropy(const cli_eval_input *in, const int32_t *objects, uint64_t *keys)
{
    cli_eval_entropy e = {.by_class = NAN};
    size_t clusters;
    e.over = sum_entropies(in, (grouping){objects, in->labels, keys}, &e.objects);
    e.under = sum_entropies(in, (grouping){in->labels, objects, keys}, &clusters);
    return e;
}

/* Sets objects[i] to the judged instance of each point, or to -1. */
static void take_instances(const cli_eval_input *in, const cli_eval_result *out, int32_t *objects)
{
    for (size_t i = 0; i < in->count; i++) {
        size_t lower = 0, upper = out->all.instances;
        while (upper - lower > 1) {
            const size_t middle = lower + (upper - lower) / 2;
            if (out->instances[middle].truth <= in->truth[i])
                lower = middle;
            else
                upper = middle;
        }
        objects[i] = upper > 0 && out->instances[lower].truth == in->truth[i] ? in->truth[i] : -1;
    }
}

bool cli_eval_find_entropies(const cli_eval_input *in, cli_eval_result *out)
{
    const size_t room = in->count ? in->count : 1;
    uint64_t *const keys = malloc(room * sizeof *keys);
    int32_t *const objects = malloc(room * sizeof *objects);
    const bool done = keys && objects;
    out->has_objects = in->objects && in->classes;
    out->of_objects = (cli_eval_entropy){0, NAN, NAN, NAN};
    if (done) {
        take_instances(in, out, objects);
        out->of_instances = find_entropy(in, objects, keys);
        if (out->of_instances.objects == 0) out->of_instances.over = out->of_instances.under = NAN;
    }
    if (done && out->has_objects) {
        size_t clusters;
        out->of_objects = find_entropy(in, in->objects, keys);
        for (size_t i = 0; i < in->count; i++) objects[i] = in->classes[i];
        out->of_objects.by_class = sum_entropies(in, (grouping){in->labels, objects, keys}, &clusters);
    }
    free(keys);
    free(objects);
    return done;
}
