/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify.c: see verify.h.
 */
#include "verify.h"

#include "oracle.h"
#include "sweep.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool wrong(clump_message *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

static size_t find(size_t *parent, size_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* What is known of each point and each cluster while checking. */
typedef struct tables {
    sweep_entry *line; /* points that take part, in the order of the sweep */
    size_t n;          /* of them */
    size_t *parent;    /* components of neighbours */
    size_t *size;      /* of the component of a root */
    size_t *root;      /* of a cluster: the component it must be */
    size_t *first;     /* of a cluster: its smallest point */
} tables;

/* Neighbours have one label; leaves the components behind. Walking up an axis, float32 differences and
 * their squares only grow, and a sum is no smaller than its parts: past the bound there is no more. */
static bool check_pairs(clump_points points, float d, const clump_ec_options *options, const int32_t *labels,
                        const tables *t, clump_message *why)
{
    float most = 0; /* no pair is neighbours by more than this */
    for (size_t a = 0; a < t->n; a++)
        most = fmaxf(most, oracle_bound(oracle_point(points, t->line[a].index), d, options));
    for (size_t a = 0; a < t->n; a++) {
        const size_t i = t->line[a].index;
        for (size_t b = a + 1; b < t->n; b++) {
            const float apart = t->line[b].at - t->line[a].at;
            if (!(apart * apart < most)) break;
            const size_t j = t->line[b].index;
            if (!oracle_neighbours(oracle_point(points, i), oracle_point(points, j), d, options, false)) continue;
            if (labels[i] != labels[j])
                return wrong(why, "neighbours %zu and %zu have labels %d and %d", i, j, labels[i], labels[j]);
            const size_t p = find(t->parent, i), q = find(t->parent, j);
            if (p != q) t->parent[p] = q;
        }
    }
    return true;
}

/* A cluster is one component, and of an allowed size; a component that is noise is not. */
static bool check_clusters(const clump_ec_options *options, const int32_t *labels, const tables *t, clump_message *why)
{
    const size_t least = options ? options->min_size : 1,
                 most = options && options->max_size ? options->max_size : SIZE_MAX;
    for (size_t a = 0; a < t->n; a++) t->size[find(t->parent, t->line[a].index)]++;
    for (size_t a = 0; a < t->n; a++) {
        const size_t i = t->line[a].index, root = find(t->parent, i), size = t->size[root];
        const bool allowed = size >= least && size <= most;
        if (labels[i] == CLUMP_NOISE) {
            if (allowed) return wrong(why, "point %zu is noise, its cluster has %zu points", i, size);
            continue;
        }
        if (!allowed) return wrong(why, "point %zu has label %d, its cluster has %zu points", i, labels[i], size);
        size_t *const expected = &t->root[labels[i]];
        if (*expected == SIZE_MAX) *expected = root;
        if (*expected != root) return wrong(why, "cluster %d is not connected at point %zu", labels[i], i);
        if (i < t->first[labels[i]]) t->first[labels[i]] = i;
    }
    return true;
}

static bool check_numbers(const clump_ec_options *options, int32_t clusters, const tables *t, clump_message *why)
{
    const bool by_size = options && options->order == CLUMP_ORDER_SIZE;
    for (int32_t c = 0; c < clusters; c++) {
        if (t->root[c] == SIZE_MAX) return wrong(why, "number %d of %d is not used", c, clusters);
        if (c == 0) continue;
        const size_t size = t->size[t->root[c]], before = t->size[t->root[c - 1]];
        if (by_size && size > before) return wrong(why, "number %d is larger than the one before", c);
        if ((!by_size || size == before) && t->first[c] < t->first[c - 1])
            return wrong(why, "number %d begins before %d", c, c - 1);
    }
    return true;
}

bool verify_ec(clump_points points, float d, const clump_ec_options *options, const int32_t *labels, int32_t clusters,
               clump_message *why)
{
    const size_t n = points.count, room = n + 1;
    why->text[0] = '\0';
    if (clusters < 0 || (size_t)clusters > n) return wrong(why, "%d clusters of %zu points", clusters, n);
    tables t = {malloc(room * sizeof *t.line),   0,
                malloc(room * sizeof *t.parent), calloc(room, sizeof *t.size),
                malloc(room * sizeof *t.root),   malloc(room * sizeof *t.first)};
    if (!t.line || !t.parent || !t.size || !t.root || !t.first) abort();
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        t.parent[i] = i;
        t.root[i] = t.first[i] = SIZE_MAX;
        const bool in = oracle_takes_part(points, options, i);
        if (labels[i] < CLUMP_NOISE || labels[i] >= clusters)
            good = wrong(why, "point %zu has label %d", i, labels[i]);
        else if (!in && labels[i] >= 0)
            good = wrong(why, "point %zu is left out but has label %d", i, labels[i]);
    }
    t.n = sweep_line_up(points, options, t.line);
    good = good && check_pairs(points, d, options, labels, &t, why) && check_clusters(options, labels, &t, why) &&
           check_numbers(options, clusters, &t, why);
    free(t.line), free(t.parent), free(t.size), free(t.root), free(t.first);
    return good;
}
