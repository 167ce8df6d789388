/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify_dbscan.c: see verify_dbscan.h.
 */
#include "oracle/verify_dbscan.h"

#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "support/sweep.h"

#include <stdlib.h>

/* The call to check, and data per point and per cluster. */
typedef struct tables {
    clump_points points;
    float eps;
    clump_ec_options common;
    bool borders;
    sweep_entry *line; /* points that take part, in the order of the sweep */
    size_t n;          /* of them */
    size_t *within;    /* points within eps, itself counted; left out: 0 */
    bool *core;
    size_t *parent; /* components of core points; the root is the smallest of them */
    size_t *home;   /* of a border point: the root it belongs to; of a core point its own; SIZE_MAX: none */
    size_t *size;   /* of the cluster of a root, border points counted */
    size_t *root;   /* of a number: the root it stands for; SIZE_MAX: not seen yet */
} tables;

static bool count_pair(void *user, size_t i, size_t j)
{
    const tables *const t = user;
    t->within[i]++, t->within[j]++;
    return true;
}

static bool join_pair(void *user, size_t i, size_t j)
{
    const tables *const t = user;
    if (!t->core[i] || !t->core[j]) return true;
    const size_t p = sweep_root(t->parent, i), q = sweep_root(t->parent, j);
    if (p < q) t->parent[q] = p;
    if (q < p) t->parent[p] = q;
    return true;
}

/* Clusters are numbered by their smallest core point, so that the smallest root is the smallest number. */
static bool border_pair(void *user, size_t i, size_t j)
{
    const tables *const t = user;
    if (t->core[i] == t->core[j]) return true;
    const size_t border = t->core[i] ? j : i, root = sweep_root(t->parent, t->core[i] ? i : j);
    if (root < t->home[border]) t->home[border] = root;
    return true;
}

static void for_pairs(tables *t, bool (*f)(void *user, size_t i, size_t j))
{
    sweep_pairs(t->points, t->eps, &t->common, true, t->line, t->n, f, t);
}

static void make_tables(tables *t, size_t min_points)
{
    t->n = sweep_line_up(t->points, &t->common, t->line);
    for (size_t a = 0; a < t->n; a++) t->within[t->line[a].index] = 1;
    for_pairs(t, count_pair);
    for (size_t i = 0; i < t->points.count; i++) {
        t->core[i] = t->within[i] > 0 && t->within[i] >= min_points;
        t->parent[i] = i, t->home[i] = t->root[i] = SIZE_MAX;
    }
    for_pairs(t, join_pair);
    if (t->borders) for_pairs(t, border_pair);
    for (size_t i = 0; i < t->points.count; i++) {
        if (t->core[i]) t->home[i] = sweep_root(t->parent, i);
        if (t->home[i] != SIZE_MAX) t->size[t->home[i]]++;
    }
}

static bool check_flags(const tables *t, const uint8_t *core, clump_message *why)
{
    for (size_t i = 0; i < t->points.count && core; i++) {
        if (core[i] == t->core[i]) continue;
        if (core[i] > 1) return sweep_wrong(why, "point %zu has the core flag %d", i, core[i]);
        return sweep_wrong(why, "point %zu is %s core point, it has %zu points within eps", i,
                           core[i] ? "called a" : "no", t->within[i]);
    }
    return true;
}

/* One label: noise where the point has no cluster or one outside the limits, else the number of that cluster. */
static bool check_label(const tables *t, const int32_t *labels, size_t i, clump_message *why)
{
    const size_t home = t->home[i], most = t->common.common.max_size ? t->common.common.max_size : SIZE_MAX;
    const char *const kind = t->core[i] ? "core" : "border";
    if (t->within[i] == 0)
        return labels[i] < 0 || sweep_wrong(why, "point %zu is left out but has label %d", i, labels[i]);
    if (home == SIZE_MAX)
        return labels[i] < 0 || sweep_wrong(why, "point %zu is in no cluster but has label %d", i, labels[i]);
    const size_t size = t->size[home];
    const bool allowed = size >= t->common.common.min_size && size <= most;
    if (labels[i] < 0)
        return !allowed || sweep_wrong(why, "%s point %zu is noise, its cluster has %zu points", kind, i, size);
    if (!allowed)
        return sweep_wrong(why, "%s point %zu has label %d, its cluster has %zu points", kind, i, labels[i], size);
    if (!t->core[i])
        return labels[i] == labels[home] ||
               sweep_wrong(why, "border point %zu has label %d, the first cluster it touches is that of core point %zu",
                           i, labels[i], home);
    if (labels[i] != labels[home])
        return sweep_wrong(why, "core points %zu and %zu hang together, their labels are %d and %d", home, i,
                           labels[home], labels[i]);
    size_t *const expected = &t->root[labels[i]];
    if (*expected == SIZE_MAX) *expected = home;
    return *expected == home || sweep_wrong(why, "cluster %d is not connected at point %zu", labels[i], i);
}

bool verify_dbscan(clump_points points, float eps, size_t min_points, const clump_dbscan_options *options,
                   const int32_t *labels, int32_t clusters, const uint8_t *core, clump_message *why)
{
    const size_t n = points.count, room = n + 1;
    why->text[0] = '\0';
    if (clusters < 0 || (size_t)clusters > n) return sweep_wrong(why, "%d clusters of %zu points", clusters, n);
    for (size_t i = 0; i < n; i++)
        if (labels[i] < CLUMP_NOISE || labels[i] >= clusters)
            return sweep_wrong(why, "point %zu has label %d", i, labels[i]);
    tables t = {.points = points,
                .eps = eps,
                .common = oracle_common(options),
                .borders = !(options && options->no_border_points),
                .line = malloc(room * sizeof *t.line),
                .within = calloc(room, sizeof *t.within),
                .core = malloc(room * sizeof *t.core),
                .parent = malloc(room * sizeof *t.parent),
                .home = malloc(room * sizeof *t.home),
                .size = calloc(room, sizeof *t.size),
                .root = malloc(room * sizeof *t.root)};
    if (!t.line || !t.within || !t.core || !t.parent || !t.home || !t.size || !t.root) abort();
    make_tables(&t, min_points);
    bool good = check_flags(&t, core, why);
    for (size_t i = 0; i < n && good; i++) good = check_label(&t, labels, i, why);
    good = good && sweep_check_numbers(t.common.common.order, clusters, t.root, t.size, t.root, why);
    free(t.line), free(t.within), free(t.core), free(t.parent), free(t.home), free(t.size), free(t.root);
    return good;
}
