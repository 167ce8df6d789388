/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify.c: see verify.h.
 */
#include "oracle/verify.h"

#include "oracle/oracle.h"
#include "support/sweep.h"

#include <stdlib.h>

/* Data per point and per cluster. */
typedef struct tables {
    sweep_entry *line; /* points that take part, in the order of the sweep */
    size_t n;          /* of them */
    size_t *parent;    /* components of neighbours */
    size_t *size;      /* of the component of a root */
    size_t *root;      /* of a cluster: the component it must be */
    size_t *first;     /* of a cluster: its smallest point */
} tables;

typedef struct pair_check {
    const int32_t *labels;
    const tables *t;
    clump_message *why;
} pair_check;

/* Neighbours have one label. Joins their components. */
static bool check_pair(void *user, size_t i, size_t j)
{
    const pair_check *const p = user;
    if (p->labels[i] != p->labels[j])
        return sweep_wrong(p->why, "neighbours %zu and %zu have labels %d and %d", i, j, p->labels[i], p->labels[j]);
    const size_t a = sweep_root(p->t->parent, i), b = sweep_root(p->t->parent, j);
    if (a != b) p->t->parent[a] = b;
    return true;
}

/* A cluster is one component, and of an allowed size; a component that is noise is not. */
static bool check_clusters(const clump_ec_options *options, const int32_t *labels, const tables *t, clump_message *why)
{
    const size_t least = options ? options->common.min_size : 1,
                 most = options && options->common.max_size ? options->common.max_size : SIZE_MAX;
    for (size_t a = 0; a < t->n; a++) t->size[sweep_root(t->parent, t->line[a].index)]++;
    for (size_t a = 0; a < t->n; a++) {
        const size_t i = t->line[a].index, root = sweep_root(t->parent, i), size = t->size[root];
        const bool allowed = size >= least && size <= most;
        if (labels[i] == CLUMP_NOISE) {
            if (allowed) return sweep_wrong(why, "point %zu is noise, its cluster has %zu points", i, size);
            continue;
        }
        if (!allowed) return sweep_wrong(why, "point %zu has label %d, its cluster has %zu points", i, labels[i], size);
        size_t *const expected = &t->root[labels[i]];
        if (*expected == SIZE_MAX) *expected = root;
        if (*expected != root) return sweep_wrong(why, "cluster %d is not connected at point %zu", labels[i], i);
        if (i < t->first[labels[i]]) t->first[labels[i]] = i;
    }
    return true;
}

bool verify_ec(clump_points points, float d, const clump_ec_options *options, const int32_t *labels, int32_t clusters,
               clump_message *why)
{
    const size_t n = points.count, room = n + 1;
    why->text[0] = '\0';
    if (clusters < 0 || (size_t)clusters > n) return sweep_wrong(why, "%d clusters of %zu points", clusters, n);
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
            good = sweep_wrong(why, "point %zu has label %d", i, labels[i]);
        else if (!in && labels[i] >= 0)
            good = sweep_wrong(why, "point %zu is left out but has label %d", i, labels[i]);
    }
    t.n = sweep_line_up(points, options, t.line);
    good = good && sweep_pairs(points, d, options, false, t.line, t.n, check_pair, &(pair_check){labels, &t, why}) &&
           check_clusters(options, labels, &t, why) &&
           sweep_check_numbers(options ? options->common.order : CLUMP_ORDER_INDEX, clusters, t.root, t.size, t.first,
                               why);
    free(t.line), free(t.parent), free(t.size), free(t.root), free(t.first);
    return good;
}
