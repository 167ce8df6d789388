/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_reference.c: see tree_reference.h.
 */
#include "oracle/tree_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float reference_square(const float *a, const float *b, bool two_d)
{
    const float dx = a[0] - b[0], dy = a[1] - b[1], dz = two_d ? 0 : a[2] - b[2];
    const float xx = dx * dx, yy = dy * dy, zz = dz * dz;
    const float xy = xx + yy;
    return xy + zz;
}

static int reference_order(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Returns the distance of the point's min_samples-th nearest one, itself included. */
static float reference_core(const reference_tree *t, const float *xyz, size_t i, size_t min_samples, bool two_d)
{
    float all[REFERENCE_MOST];
    size_t n = 0;
    if (min_samples == 1) return 0;
    for (size_t j = 0; j < t->count; j++)
        if (t->in[j]) all[n++] = reference_square(xyz + 3 * i, xyz + 3 * j, two_d);
    qsort(all, n, sizeof *all, reference_order);
    return min_samples <= n ? all[min_samples - 1] : INFINITY;
}

/* Finds parents and heights from `joined`. */
static void reference_links(reference_tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        t->parents[i] = t->in[i] ? (int32_t)i : CLUMP_NOISE;
        t->heights[i] = INFINITY;
        for (size_t j = 0; t->in[i] && j < i; j++)
            if (t->in[j] && t->joined[i][j] < t->heights[i]) t->heights[i] = t->joined[i][j];
        for (size_t j = i; t->heights[i] < INFINITY && j-- > 0;)
            if (t->in[j] && t->joined[i][j] <= t->heights[i]) t->parents[i] = (int32_t)j;
    }
}

void reference_make(reference_tree *t, const float *xyz, size_t count, const clump_tree_options *o)
{
    t->count = count;
    for (size_t i = 0; i < count; i++)
        t->in[i] = isfinite(xyz[3 * i]) && isfinite(xyz[3 * i + 1]) && (o->two_d || isfinite(xyz[3 * i + 2])) &&
                   (!o->mask || o->mask[i]);
    for (size_t i = 0; i < count; i++)
        t->core[i] = t->in[i] ? reference_core(t, xyz, i, (size_t)o->min_samples, o->two_d) : INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            const float d2 = reference_square(xyz + 3 * i, xyz + 3 * j, o->two_d);
            t->joined[i][j] = t->in[i] && t->in[j] ? fmaxf(d2, fmaxf(t->core[i], t->core[j])) : INFINITY;
        }
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; t->in[k] && i < count; i++) {
            const float to_k = t->joined[i][k];
            for (size_t j = 0; j < count; j++) {
                const float from_k = t->joined[k][j],
                            by_k = to_k > from_k ? to_k : from_k; /* fmaxf() is a call on x86 */
                if (by_k < t->joined[i][j]) t->joined[i][j] = by_k;
            }
        }
    reference_links(t);
}

/* ----- HDBSCAN ---------------------------------------------------------------------------------------------------- */

typedef struct reference_cluster {
    int parent;
    int size;
    float birth, death;
    double stability; /* its own, then what it counts with */
    bool chosen, leaf;
} reference_cluster;

typedef struct reference_density {
    const reference_tree *tree;
    size_t least;
    reference_cluster clusters[2 * REFERENCE_MOST];
    int found;
    int cluster[REFERENCE_MOST]; /* the last one that a point leaves, and where */
    float left[REFERENCE_MOST];
} reference_density;

static double reference_lambda(float d2)
{
    return d2 > 0 ? 1 / sqrt((double)d2) : INFINITY;
}

/* Follows a component of cluster c, given by its n points, to its leaves. */
static void reference_follow(reference_density *d, const int *points, int n, int c)
{
    float w = 0; /* the weight at which it parts: all points are together at w, and not below */
    for (int i = 1; i < n; i++) w = fmaxf(w, d->tree->joined[points[0]][points[i]]);
    if (n == 1) w = INFINITY; /* a single point that no split has made: the only point of all */
    int part[REFERENCE_MOST], parts = 0, large = 0, leaving = 0;
    int members[REFERENCE_MOST], sizes[REFERENCE_MOST] = {0};
    for (int i = 0; i < n; i++) {
        part[i] = -1;
        for (int j = 0; j < i && part[i] < 0; j++)
            if (d->tree->joined[points[i]][points[j]] < w) part[i] = part[j];
        if (part[i] < 0) part[i] = parts++;
        sizes[part[i]]++;
    }
    for (int p = 0; p < parts; p++) large += (size_t)sizes[p] >= d->least;
    for (int p = 0; p < parts; p++) leaving += large != 1 || (size_t)sizes[p] < d->least ? sizes[p] : 0;
    const double birth = c == 0 ? 0 : reference_lambda(d->clusters[c].birth);
    d->clusters[c].stability += (double)leaving * (reference_lambda(w) - birth);
    d->clusters[c].death = w;
    d->clusters[c].leaf = large < 2;
    for (int p = 0; p < parts; p++) {
        int size = 0;
        for (int i = 0; i < n; i++)
            if (part[i] == p) members[size++] = points[i];
        if ((size_t)size < d->least) {
            for (int i = 0; i < size; i++) d->cluster[members[i]] = c, d->left[members[i]] = w;
            continue;
        }
        int next = c;
        if (large > 1) {
            next = d->found++;
            d->clusters[next] = (reference_cluster){.parent = c, .size = size, .birth = w};
        }
        reference_follow(d, members, size, next);
    }
}

static int reference_double_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Chooses among a cluster and those inside of it. Returns what it counts with. */
static double reference_mass(reference_density *d, int c, const clump_hdbscan_options *o)
{
    double inside[REFERENCE_MOST], sum = 0;
    int n = 0;
    for (int i = 1; i < d->found; i++)
        if (d->clusters[i].parent == c) inside[n++] = reference_mass(d, i, o);
    qsort(inside, (size_t)n, sizeof *inside, reference_double_order);
    for (int i = 0; i < n; i++) sum += inside[i];
    const bool too_large = o->max_cluster_size != 0 && d->clusters[c].size > o->max_cluster_size;
    d->clusters[c].chosen = !(sum > d->clusters[c].stability) && !too_large &&
                            (c > 0 || (o->allow_single_cluster && d->clusters[0].size >= o->min_cluster_size));
    return d->clusters[c].chosen ? d->clusters[c].stability : sum;
}

/* Returns the outermost chosen cluster around c, or c; -1: none. */
static int reference_outermost(const reference_density *d, int c)
{
    int outer = -1;
    for (; c >= 0; c = d->clusters[c].parent)
        if (d->clusters[c].chosen) outer = c;
    return outer;
}

/* Returns what replaces a chosen cluster because of epsilon. */
static int reference_widened(const reference_density *d, int c, const clump_hdbscan_options *o)
{
    const float bound = o->epsilon * o->epsilon;
    if (c == 0 || !(d->clusters[c].birth < bound)) return c;
    for (;;) {
        const int parent = d->clusters[c].parent;
        if (parent == 0) return o->allow_single_cluster ? 0 : c;
        if (d->clusters[parent].birth > bound) return parent;
        c = parent;
    }
}

static void reference_choose(reference_density *d, const clump_hdbscan_options *o)
{
    if (o->selection == CLUMP_HDBSCAN_EOM)
        reference_mass(d, 0, o);
    else
        for (int i = 1; i < d->found; i++) d->clusters[i].chosen = d->clusters[i].leaf;
    bool kept[2 * REFERENCE_MOST] = {false};
    int number = 0;
    for (int i = 0; i < d->found; i++) number += kept[i] = d->clusters[i].chosen && reference_outermost(d, i) == i;
    for (int i = 0; i < d->found; i++) d->clusters[i].chosen = kept[i];
    if (o->epsilon == 0 || (number == 1 && kept[0])) return;
    for (int i = 0; i < d->found; i++) d->clusters[i].chosen = false;
    for (int i = 0; i < d->found; i++)
        if (kept[i]) d->clusters[reference_widened(d, i, o)].chosen = true;
}

int32_t reference_hdbscan(const reference_tree *t, const clump_hdbscan_options *o, int32_t *labels,
                          float *probabilities)
{
    static reference_density d;
    memset(&d, 0, sizeof d);
    d.tree = t, d.least = (size_t)o->min_cluster_size;
    int points[REFERENCE_MOST], n = 0, numbers[2 * REFERENCE_MOST];
    int32_t found = 0;
    for (size_t i = 0; i < t->count; i++) {
        labels[i] = CLUMP_NOISE, probabilities[i] = 0;
        if (t->in[i]) points[n++] = (int)i;
    }
    if (n == 0) return 0;
    d.clusters[d.found++] = (reference_cluster){.parent = -1, .size = n, .birth = INFINITY, .death = INFINITY};
    reference_follow(&d, points, n, 0);
    reference_choose(&d, o);
    memset(numbers, -1, sizeof numbers);
    for (int k = 0; k < n; k++) {
        const int i = points[k], c = reference_outermost(&d, d.cluster[i]);
        const float reach = o->epsilon > 0 ? o->epsilon * o->epsilon : d.clusters[0].death;
        if (c < 0 || (c == 0 && !(d.left[i] <= reach))) continue;
        if (numbers[c] < 0) numbers[c] = found++;
        labels[i] = numbers[c];
        const double own = reference_lambda(d.left[i]), most = reference_lambda(d.clusters[c].death);
        probabilities[i] = most == 0 || isinf(own) || own >= most ? 1 : (float)(own / most);
    }
    return found;
}
