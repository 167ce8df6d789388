/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdbscan_choose.c: see hdbscan.h, and rules 3 to 6 of clump/tree.h.
 */
#include "hdbscan/hdbscan.h"

#include "common/assert.h"
#include "common/bits.h"
#include "common/sort.h"
#include "rules/distance.h"

#include <math.h>
#include <string.h>

#define CHOOSE_POLLED 65536 /* points or clusters between two polls */
#define CHOOSE_SORTED 4096  /* clusters that are sorted between two polls */

/* Finds the sum of what the clusters inside of one count with, smallest first. Stabilities are not negative, so their bits
 * sort like their values. */
static clump_status sum_inside(clump_density *d, const clump_density_cluster *c, double *sum)
{
    const size_t n = (size_t)(c->end - c->first);
    for (size_t i = 0; i < n; i++) memcpy(&d->words[i], &d->clusters[(size_t)c->first + i].stability, sizeof(double));
    clump_heap_make(d->words, n);
    for (size_t i = n; i > 1; i--) {
        if (i % CHOOSE_SORTED == 0) CLUMP_TRY(clump_poll(d->work));
        d->words[i - 1] = clump_heap_pop(d->words, i);
    }
    *sum = 0;
    for (size_t i = 0; i < n; i++) {
        double one;
        memcpy(&one, &d->words[i], sizeof one);
        *sum += one;
    }
    return CLUMP_OK;
}

/* Marks the clusters of `eom`: a chosen cluster may still have chosen ones inside of it. */
static clump_status mark_mass(clump_density *d, const clump_hdbscan_options *o)
{
    const size_t first = o->allow_single_cluster ? 0 : 1;
    for (size_t i = d->found; i-- > first;) {
        if (i % CHOOSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        clump_density_cluster *const c = &d->clusters[i];
        double inside;
        CLUMP_TRY(sum_inside(d, c, &inside));
        c->chosen = !(inside > c->stability) && (o->max_cluster_size == 0 || c->count <= o->max_cluster_size) &&
                    c->count >= o->min_cluster_size; /* the root may be smaller */
        if (!c->chosen) c->stability = inside;
    }
    return CLUMP_OK;
}

/* Unmarks what is inside of a marked cluster. *kept is the number of clusters that stay. */
static clump_status keep_outer(clump_density *d, size_t *kept)
{
    *kept = 0;
    for (size_t i = 0; i < d->found; i++) {
        if (i % CHOOSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        clump_density_cluster *const c = &d->clusters[i];
        const bool inside = c->parent >= 0 && d->clusters[c->parent].label >= 0;
        c->label = inside ? d->clusters[c->parent].label : c->chosen ? (int32_t)i : -1;
        c->chosen = c->chosen && !inside;
        *kept += c->chosen;
    }
    return CLUMP_OK;
}

/* Replaces chosen clusters that begin below epsilon by larger ones. `label` of a cluster is used for its replacement. */
static clump_status widen(clump_density *d, const clump_hdbscan_options *o)
{
    const float bound = clump_distance_bound(o->epsilon);
    for (size_t i = 1; i < d->found; i++) { /* a cluster comes after the one around it */
        if (i % CHOOSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        clump_density_cluster *const c = &d->clusters[i];
        if (c->parent == 0)
            c->label = o->allow_single_cluster ? 0 : (int32_t)i;
        else
            c->label = d->clusters[c->parent].birth > bound ? c->parent : d->clusters[c->parent].label;
    }
    for (size_t i = d->found; i-- > 1;) {
        if (i % CHOOSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        clump_density_cluster *const c = &d->clusters[i];
        if (!c->chosen || !(c->birth < bound)) continue;
        c->chosen = false;
        d->clusters[c->label].chosen = true;
    }
    return CLUMP_OK;
}

/* Marks the chosen clusters: of those none contains another. */
static clump_status choose(clump_density *d, const clump_hdbscan_options *o)
{
    if (o->selection == CLUMP_HDBSCAN_LEAF)
        for (size_t i = 1; i < d->found; i++) d->clusters[i].chosen = d->clusters[i].first == d->clusters[i].end;
    else
        CLUMP_TRY(mark_mass(d, o));
    size_t kept;
    CLUMP_TRY(keep_outer(d, &kept));
    if (o->epsilon == 0 || (kept == 1 && d->clusters[0].chosen)) return CLUMP_OK;
    CLUMP_TRY(widen(d, o));
    return keep_outer(d, &kept);
}

/* Returns the chosen cluster that point i is in; -1: none. After keep_outer(), `label` of a cluster is the chosen one around it. */
static int32_t find_chosen(const clump_density *d, size_t i, float reach)
{
    if (d->cluster[i] < 0) return -1;
    const int32_t chosen = d->clusters[d->cluster[i]].label;
    return chosen == 0 && !(d->left[i] <= reach) ? -1 : chosen;
}

static float probability_of(float left, float death)
{
    const double lambda = clump_density_lambda(left), most = clump_density_lambda(death);
    if (most == 0 || isinf(lambda)) return 1;
    return lambda < most ? (float)(lambda / most) : 1;
}

/* Numbers the chosen clusters by their first point, and labels all points. `parent` of a chosen cluster is used for its number. */
static clump_status label_points(clump_density *d, const clump_hdbscan_options *o, int32_t *labels, clump_stats *stats)
{
    const float reach = o->epsilon > 0 ? clump_distance_bound(o->epsilon) : d->found > 0 ? d->clusters[0].death : 0;
    for (size_t i = 0; i < d->found; i++) {
        if (i % CHOOSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        d->clusters[i].parent = -1;
    }
    stats->clusters = 0, stats->noise = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (i % CHOOSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        const int32_t chosen = find_chosen(d, i, reach);
        labels[i] = CLUMP_NOISE;
        if (o->probabilities) o->probabilities[i] = 0;
        if (chosen < 0) {
            stats->noise++;
            continue;
        }
        clump_density_cluster *const c = &d->clusters[chosen];
        if (c->parent < 0) c->parent = stats->clusters++;
        labels[i] = c->parent;
        if (o->probabilities) o->probabilities[i] = probability_of(d->left[i], c->death);
    }
    return CLUMP_OK;
}

clump_status clump_density_choose(clump_density *d, const clump_hdbscan_options *o, int32_t *labels, clump_stats *stats)
{
    CLUMP_TRY(choose(d, o));
    return label_points(d, o, labels, stats);
}
