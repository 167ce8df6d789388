/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdbscan_condense.c: see hdbscan.h. A link is a point that ends. Links of one height and one parent are one merge. Merges are
 * read by descending height. A component is known by its first point: parts of it begin at points that the links name, and
 * what is left keeps the parent.
 *
 *     size[i] of all points: one pass by descending index, as parents come before their children
 *     a merge of parent p with links a, b:   component p  ->  a: size[a], b: size[b], p: what is left
 */
#include "hdbscan/hdbscan.h"

#include "common/assert.h"
#include "common/bits.h"
#include "common/sort.h"

#include <math.h>

#define CONDENSE_POLLED 65536 /* links or points between two polls */

double clump_density_lambda(float d2)
{
    return d2 > 0 ? 1 / sqrt((double)d2) : INFINITY;
}

/* The parent of a point that ends; -1 where it is left out, or is the first of all. A point without a parent ends at infinity. */
static int32_t parent_of(const clump_density *d, size_t i, int32_t root)
{
    const int32_t parent = d->parents[i];
    return parent == (int32_t)i ? (parent == root ? -1 : root) : parent;
}

/* Sorts links by height, then parent: first by parent, then by height, which is stable. */
static clump_status sort_links(clump_density *d, int32_t root, size_t *counters, const uint64_t **sorted)
{
    uint64_t *const a = d->words, *const b = d->words + d->count;
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (i % CONDENSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        const int32_t parent = parent_of(d, i, root);
        if (parent >= 0) a[n++] = (uint64_t)(uint32_t)parent << 32 | i;
    }
    d->links = n;
    uint64_t *const by_parent = clump_radix_sort(d->work->team, a, b, n, 32, 31, counters, 1);
    if (!by_parent) return clump_poll(d->work);
    for (size_t i = 0; i < n; i++) {
        const uint32_t point = (uint32_t)by_parent[i];
        by_parent[i] = (uint64_t)clump_float_bits(d->heights[point]) << 32 | point;
    }
    *sorted = clump_radix_sort(d->work->team, by_parent, by_parent == a ? b : a, n, 32, 32, counters, 1);
    return *sorted ? CLUMP_OK : clump_poll(d->work);
}

/* Finds the sizes of all components, and the first point of all. */
static clump_status find_sizes(clump_density *d, int32_t *root)
{
    *root = -1;
    for (size_t i = 0; i < d->count; i++) {
        if (i % CONDENSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        if (*root < 0 && d->parents[i] == (int32_t)i) *root = (int32_t)i;
        d->size[i] = 1, d->cluster[i] = -1, d->left[i] = -1;
    }
    for (size_t i = d->count; i-- > 0;) {
        if (i % CONDENSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        const int32_t parent = parent_of(d, i, *root);
        if (parent >= 0) d->size[parent] += d->size[i];
    }
    return CLUMP_OK;
}

/* One merge, read backwards. */
typedef struct split {
    int32_t parent; /* first point of the component */
    const uint64_t *links;
    size_t count;
    float height;
    int32_t cluster;
    size_t large; /* parts of min_cluster_size points or more */
} split;

/* Gives a part of a component, known by its first point, its cluster. */
static void place_part(clump_density *d, const split *s, int32_t point, size_t least)
{
    if ((size_t)d->size[point] < least) {
        d->cluster[point] = s->cluster;
        d->left[point] = s->height;
    } else if (s->large == 1) {
        d->cluster[point] = s->cluster;
    } else {
        CLUMP_ASSERT(d->found < d->room);
        d->cluster[point] = (int32_t)d->found;
        d->clusters[d->found++] = (clump_density_cluster){
            .parent = s->cluster, .count = d->size[point], .birth = s->height, .death = s->height};
    }
}

/* Adds what a split contributes to the stability of its cluster: one term, whatever the order of its points. */
static void add_stability(clump_density_cluster *c, const split *s, int64_t leaving)
{
    const double birth = c->parent < 0 ? 0 : clump_density_lambda(c->birth);
    c->stability += (double)leaving * (clump_density_lambda(s->height) - birth);
    c->death = s->height;
}

/* Counts the large parts of a split; what is left of the component keeps its size. Returns the points of the last large part. */
static int64_t count_large(clump_density *d, split *s, size_t least)
{
    int64_t last = 0;
    for (size_t i = 0; i < s->count; i++) {
        const int32_t size = d->size[(uint32_t)s->links[i]];
        d->size[s->parent] -= size;
        if ((size_t)size < least) continue;
        s->large++;
        last = size;
    }
    if ((size_t)d->size[s->parent] < least) return last;
    s->large++;
    return d->size[s->parent];
}

/* Splits a component that is in a cluster. */
static clump_status split_cluster(clump_density *d, split *s, size_t least)
{
    const int64_t whole = d->size[s->parent], staying = count_large(d, s, least);
    clump_density_cluster *const c = &d->clusters[s->cluster];
    add_stability(c, s, s->large == 1 ? whole - staying : whole);
    if (s->large > 1) c->first = (int32_t)d->found;
    for (size_t i = 0; i < s->count; i++) {
        if (i % CONDENSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        place_part(d, s, (int32_t)(uint32_t)s->links[i], least);
    }
    place_part(d, s, s->parent, least);
    if (s->large > 1) c->end = (int32_t)d->found;
    return CLUMP_OK;
}

/* Points of a component that has left its cluster go on together. */
static void split_rest(clump_density *d, const split *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t point = (uint32_t)s->links[i];
        d->cluster[point] = s->cluster;
        d->left[point] = d->left[s->parent];
    }
}

/* Reads all merges by descending height. */
static clump_status split_all(clump_density *d, const uint64_t *sorted, int32_t root, size_t least)
{
    size_t polled = 0;
    for (size_t end = d->links; end > 0;) {
        const uint32_t last = (uint32_t)sorted[end - 1];
        split s = {.parent = parent_of(d, last, root), .height = d->heights[last]};
        size_t begin = end - 1;
        while (begin > 0 && sorted[begin - 1] >> 32 == sorted[end - 1] >> 32 &&
               parent_of(d, (uint32_t)sorted[begin - 1], root) == s.parent) {
            begin--;
            if (++polled % CONDENSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
        }
        s.links = sorted + begin, s.count = end - begin;
        s.cluster = d->cluster[s.parent];
        if (d->left[s.parent] < 0)
            CLUMP_TRY(split_cluster(d, &s, least));
        else
            split_rest(d, &s);
        end = begin;
        if (++polled % CONDENSE_POLLED == 0) CLUMP_TRY(clump_poll(d->work));
    }
    return CLUMP_OK;
}

clump_status clump_density_condense(clump_density *d, size_t min_cluster_size, size_t *counters)
{
    int32_t root;
    const uint64_t *sorted;
    d->found = 0;
    CLUMP_TRY(find_sizes(d, &root));
    if (root < 0) return CLUMP_OK;
    CLUMP_TRY(sort_links(d, root, counters, &sorted));
    d->clusters[d->found++] =
        (clump_density_cluster){.parent = -1, .count = d->size[root], .birth = INFINITY, .death = INFINITY};
    d->cluster[root] = 0;
    return split_all(d, sorted, root, min_cluster_size);
}
