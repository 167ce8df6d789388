/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify_dbscan.c: see verify_dbscan.h.
 */
#include "verify_dbscan.h"

#include "oracle.h"
#include "oracle_dbscan.h"
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

/* What is asked, and what is known of each point and each cluster while checking. */
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

static size_t find(size_t *parent, size_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Calls f for all pairs within eps. Walking up an axis, float32 differences and their squares only grow, and a sum
 * is no smaller than its parts: past the bound there is no more. */
static void for_pairs(const tables *t, void (*f)(const tables *t, size_t i, size_t j))
{
    float most = 0;
    for (size_t a = 0; a < t->n; a++)
        most = fmaxf(most, oracle_bound(oracle_point(t->points, t->line[a].index), t->eps, &t->common));
    for (size_t a = 0; a < t->n; a++) {
        const size_t i = t->line[a].index;
        for (size_t b = a + 1; b < t->n; b++) {
            const float apart = t->line[b].at - t->line[a].at;
            if (!(apart * apart <= most)) break;
            const size_t j = t->line[b].index;
            if (oracle_neighbours(oracle_point(t->points, i), oracle_point(t->points, j), t->eps, &t->common, true))
                f(t, i, j);
        }
    }
}

static void count_pair(const tables *t, size_t i, size_t j)
{
    t->within[i]++, t->within[j]++;
}

static void join_pair(const tables *t, size_t i, size_t j)
{
    if (!t->core[i] || !t->core[j]) return;
    const size_t p = find(t->parent, i), q = find(t->parent, j);
    if (p < q) t->parent[q] = p;
    if (q < p) t->parent[p] = q;
}

/* Clusters are numbered by their smallest core point, so that the smallest root is the smallest number. */
static void border_pair(const tables *t, size_t i, size_t j)
{
    if (t->core[i] == t->core[j]) return;
    const size_t border = t->core[i] ? j : i, root = find(t->parent, t->core[i] ? i : j);
    if (root < t->home[border]) t->home[border] = root;
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
        if (t->core[i]) t->home[i] = find(t->parent, i);
        if (t->home[i] != SIZE_MAX) t->size[t->home[i]]++;
    }
}

static bool check_flags(const tables *t, const uint8_t *core, clump_message *why)
{
    for (size_t i = 0; i < t->points.count && core; i++) {
        if (core[i] == t->core[i]) continue;
        if (core[i] > 1) return wrong(why, "point %zu has the core flag %d", i, core[i]);
        return wrong(why, "point %zu is %s core point, it has %zu points within eps", i, core[i] ? "called a" : "no",
                     t->within[i]);
    }
    return true;
}

/* One label: noise where the point has no cluster or one outside the limits, else the number of that cluster. */
static bool check_label(const tables *t, const int32_t *labels, size_t i, clump_message *why)
{
    const size_t home = t->home[i], most = t->common.max_size ? t->common.max_size : SIZE_MAX;
    const char *const kind = t->core[i] ? "core" : "border";
    if (t->within[i] == 0) return labels[i] < 0 || wrong(why, "point %zu is left out but has label %d", i, labels[i]);
    if (home == SIZE_MAX)
        return labels[i] < 0 || wrong(why, "point %zu is in no cluster but has label %d", i, labels[i]);
    const size_t size = t->size[home];
    const bool allowed = size >= t->common.min_size && size <= most;
    if (labels[i] < 0)
        return !allowed || wrong(why, "%s point %zu is noise, its cluster has %zu points", kind, i, size);
    if (!allowed) return wrong(why, "%s point %zu has label %d, its cluster has %zu points", kind, i, labels[i], size);
    if (!t->core[i])
        return labels[i] == labels[home] ||
               wrong(why, "border point %zu has label %d, the first cluster it touches is that of core point %zu", i,
                     labels[i], home);
    if (labels[i] != labels[home])
        return wrong(why, "core points %zu and %zu hang together, their labels are %d and %d", home, i, labels[home],
                     labels[i]);
    size_t *const expected = &t->root[labels[i]];
    if (*expected == SIZE_MAX) *expected = home;
    return *expected == home || wrong(why, "cluster %d is not connected at point %zu", labels[i], i);
}

static bool check_numbers(const tables *t, int32_t clusters, clump_message *why)
{
    const bool by_size = t->common.order == CLUMP_ORDER_SIZE;
    for (int32_t c = 0; c < clusters; c++) {
        if (t->root[c] == SIZE_MAX) return wrong(why, "number %d of %d is not used", c, clusters);
        if (c == 0) continue;
        const size_t size = t->size[t->root[c]], before = t->size[t->root[c - 1]];
        if (by_size && size > before) return wrong(why, "number %d is larger than the one before", c);
        if ((!by_size || size == before) && t->root[c] < t->root[c - 1])
            return wrong(why, "number %d begins before %d", c, c - 1);
    }
    return true;
}

bool verify_dbscan(clump_points points, float eps, size_t min_points, const clump_dbscan_options *options,
                   const int32_t *labels, int32_t clusters, const uint8_t *core, clump_message *why)
{
    const size_t n = points.count, room = n + 1;
    why->text[0] = '\0';
    if (clusters < 0 || (size_t)clusters > n) return wrong(why, "%d clusters of %zu points", clusters, n);
    for (size_t i = 0; i < n; i++)
        if (labels[i] < CLUMP_NOISE || labels[i] >= clusters) return wrong(why, "point %zu has label %d", i, labels[i]);
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
    good = good && check_numbers(&t, clusters, why);
    free(t.line), free(t.within), free(t.core), free(t.parent), free(t.home), free(t.size), free(t.root);
    return good;
}
