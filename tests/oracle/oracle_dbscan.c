/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_dbscan.c: see oracle_dbscan.h. Written to be read, not to be fast.
 */
#include "oracle/oracle_dbscan.h"

#include "oracle/oracle.h"

#include <stdlib.h>

clump_ec_options oracle_common(const clump_dbscan_options *options)
{
    clump_ec_options o = {.common.min_size = 1};
    if (!options) return o;
    o.common.two_d = options->common.two_d, o.common.mask = options->common.mask,
    o.common.order = options->common.order;
    o.common.min_size = options->common.min_size, o.common.max_size = options->common.max_size;
    o.common.eps_per_metre = options->common.eps_per_metre;
    for (int k = 0; k < 3; k++) o.common.sensor[k] = options->common.sensor[k];
    return o;
}

typedef struct table {
    bool *in;           /* takes part */
    size_t *within;     /* points within eps, itself counted */
    size_t *cluster;    /* number of the point's cluster before limits and order; SIZE_MAX: none */
    size_t *size;       /* of a cluster */
    size_t *new_number; /* of a cluster; SIZE_MAX: it is dropped */
    size_t *queue;
} table;

/* Labels all core points that can be reached from the core point `start`. */
static void flood(clump_points points, float eps, const clump_ec_options *o, const uint8_t *core, const table *t,
                  size_t start, size_t number)
{
    size_t queued = 0;
    t->queue[queued++] = start, t->cluster[start] = number;
    for (size_t at = 0; at < queued; at++) {
        const float *const p = oracle_point(points, t->queue[at]);
        for (size_t j = 0; j < points.count; j++) {
            if (!core[j] || t->cluster[j] != SIZE_MAX) continue;
            if (!oracle_neighbours(p, oracle_point(points, j), eps, o, true)) continue;
            t->cluster[j] = number, t->queue[queued++] = j;
        }
    }
}

/* Renumbers the clusters within the size limits. By size: the largest that is left comes next, of equals the first. */
static int32_t renumber(const clump_ec_options *o, const table *t, size_t clusters)
{
    size_t kept = 0;
    for (size_t c = 0; c < clusters; c++) t->new_number[c] = SIZE_MAX;
    for (;;) {
        size_t next = SIZE_MAX;
        for (size_t c = 0; c < clusters; c++) {
            if (t->new_number[c] != SIZE_MAX || t->size[c] < o->common.min_size) continue;
            if (o->common.max_size != 0 && t->size[c] > o->common.max_size) continue;
            if (next == SIZE_MAX || (o->common.order == CLUMP_ORDER_SIZE && t->size[c] > t->size[next])) next = c;
        }
        if (next == SIZE_MAX) return (int32_t)kept;
        t->new_number[next] = kept++;
    }
}

int32_t oracle_dbscan(clump_points points, float eps, size_t min_points, const clump_dbscan_options *options,
                      int32_t *labels, uint8_t *core)
{
    const size_t n = points.count, room = n + 1;
    const clump_ec_options common = oracle_common(options);
    const bool borders = !(options && options->no_border_points);
    const table t = {malloc(room * sizeof *t.in),         calloc(room, sizeof *t.within),
                     malloc(room * sizeof *t.cluster),    calloc(room, sizeof *t.size),
                     malloc(room * sizeof *t.new_number), malloc(room * sizeof *t.queue)};
    if (!t.in || !t.within || !t.cluster || !t.size || !t.new_number || !t.queue) abort();

    for (size_t i = 0; i < n; i++) {
        t.in[i] = oracle_takes_part(points, &common, i);
        t.within[i] = t.in[i]; /* itself */
        t.cluster[i] = SIZE_MAX;
        for (size_t j = 0; j < i && t.in[i]; j++) {
            if (!t.in[j] || !oracle_neighbours(oracle_point(points, i), oracle_point(points, j), eps, &common, true))
                continue;
            t.within[i]++, t.within[j]++;
        }
    }
    for (size_t i = 0; i < n; i++) core[i] = t.in[i] && t.within[i] >= min_points;

    size_t clusters = 0;
    for (size_t i = 0; i < n; i++)
        if (core[i] && t.cluster[i] == SIZE_MAX) flood(points, eps, &common, core, &t, i, clusters++);
    for (size_t i = 0; i < n && borders; i++) {
        if (core[i] || !t.in[i]) continue;
        size_t least = SIZE_MAX;
        for (size_t j = 0; j < n; j++) {
            if (!core[j] || t.cluster[j] >= least) continue;
            if (oracle_neighbours(oracle_point(points, i), oracle_point(points, j), eps, &common, true))
                least = t.cluster[j];
        }
        t.cluster[i] = least;
    }
    for (size_t i = 0; i < n; i++)
        if (t.cluster[i] != SIZE_MAX) t.size[t.cluster[i]]++;

    const int32_t kept = renumber(&common, &t, clusters);
    for (size_t i = 0; i < n; i++) {
        const size_t number = t.cluster[i] == SIZE_MAX ? SIZE_MAX : t.new_number[t.cluster[i]];
        labels[i] = number == SIZE_MAX ? CLUMP_NOISE : (int32_t)number;
    }
    free(t.in), free(t.within), free(t.cluster), free(t.size), free(t.new_number), free(t.queue);
    return kept;
}
