/* SPDX-License-Identifier: BSD-3-Clause
 *
 * patches.h: do the points of two cells hold a pair of neighbours? The question behind every join of two cells that
 * their representatives could not answer. The points of a cell are a set in this file and in sieve.h.
 *
 * Testing all pairs is quadratic where there is no pair to find, as between two dense walls a little more than d apart.
 * So a dense set is sorted once into patches, each with a tight box. The head is a patch of all points; its `begin` is 0
 * and its `end` is the number of patches:
 *
 *     head │ patch patch patch ... │ points of patch 0 │ of patch 1 │ ...        one array of
 *            each: box, begin, end, disc                                         clump_point
 *
 * Two dense sets are compared patch by patch, and by the sieve (sieve.h) where patches decide too little.
 */
#ifndef CLUMP_CPU_GRID_PATCHES_H
#define CLUMP_CPU_GRID_PATCHES_H

#include "cpu/grid/extent.h"
#include "cpu/grid/sieve.h"
#include "cpu/shared/points.h"

#include <stdbool.h>
#include <stddef.h>

/* A set of this many points or more is dense and has a head. */
#define CLUMP_DENSE 128

/* There is room for one patch per this many points, so a patch has at least as many on average. */
#define CLUMP_PATCH_POINTS 32

/* Returns the entries of clump_point that a set of n points takes, its head and patches included. */
static inline size_t clump_dense_entries(size_t n)
{
    return n < CLUMP_DENSE ? n : n + 4 + 4 * (n / CLUMP_PATCH_POINTS);
}

/* Returns where the points of a set begin among its entries: they are at the end. */
static inline size_t clump_dense_offset(size_t n)
{
    return clump_dense_entries(n) - n;
}

/* Steps that prepare dense sets (n >= CLUMP_DENSE) for clump_sets_near(). Each step goes over all sets or all pairs of
 * sets to be compared, and decides what the next one has to do. Most dense sets need only the first:
 *   box            computes the tight box of the set.
 *   want_discs     marks the sets of a pair if their boxes are closer than d. One of the two sets may be small.
 *   make_disc      computes the disc of a marked set.
 *   want_patches   marks the sets of a pair again, unless their discs or a surface between them (apart.c) keep them apart.
 *   make_patches   sorts the points of a marked set into patches. scratch has room for n points.
 * Several threads may call the same step at once.
 *
 * clump_sets_near() takes a dense set without patches as far from the other set. So it needs the same d as want_patches,
 * and only pairs that want_discs and want_patches saw. A caller may skip a pair in all three that is in one cluster
 * already. */
void clump_dense_box(clump_point *entries, size_t n);
void clump_dense_want_discs(clump_point *a, size_t na, clump_point *b, size_t nb, float d);
void clump_dense_make_disc(clump_point *entries, size_t n);
void clump_dense_want_patches(clump_point *a, size_t na, clump_point *b, size_t nb, float d);
void clump_dense_make_patches(clump_point *entries, size_t n, clump_point *scratch);

/* Returns whether some point of set a and some point of set b have d2 < bound. a and b point to the first entry of each set;
 * na and nb count its points. d is the root of the bound, at least 2^-63 (rules/cell.h). scratch has room for na + nb
 * points. Polls `team` as sieve.h does. *cost, for tests, becomes the number of pairs tested plus the number of points that
 * the sieve examined. */
bool clump_sets_near_counted(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d, float bound,
                             clump_point *scratch, clump_team *team, size_t *cost);

static inline bool clump_sets_near(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d,
                                   float bound, clump_point *scratch, clump_team *team)
{
    size_t cost;
    return clump_sets_near_counted(a, na, b, nb, d, bound, scratch, team, &cost);
}

/* --- apart.c: a quick proof that two dense walls do not touch: a plane or a sphere between them ----- */

/* Returns true only if every point of a is at least d away from every point of b, and clump_distance_squared() agrees.
 * False means undecided. The sets must be closer than 8 d to each other on every axis, as in sieve.h. na, nb >= 1. */
bool clump_walls_apart(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d);

/* --- disc.c: the flat cylinder around some points of a wall ----------------------------------------- */

/* All points are within `radius` of `middle`, and within `half` of the plane through `middle` with the normal n. n has
 * length 1, or 0 where no normal was found. A bad normal only makes `half` large. */
typedef struct clump_disc {
    float middle[3], n[3];
    float radius, half;
} clump_disc;

/* Returns the disc of n >= 1 points with the tight box `of`. */
clump_disc clump_disc_of(const clump_point *p, size_t n, const clump_box *of);

/* Returns whether two discs may hold points that are closer than d. The rounding is that of patches.c. */
bool clump_discs_near(const clump_disc *a, const clump_disc *b, float d);

#endif
