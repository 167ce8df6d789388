/* SPDX-License-Identifier: BSD-3-Clause
 *
 * patches.h: do two sets of points hold a pair of neighbours? The question behind every join of two
 * cells that their reps could not answer.
 *
 * Testing all pairs is quadratic where there is no pair to find, as between two dense walls a little more than d apart.
 * So a dense set is sorted once into patches, each with a tight box:
 *
 *     head │ patch patch patch ... │ points of patch 0 │ of patch 1 │ ...        one array of
 *            each: box, begin, end, disc                                         clump_point
 *
 * Two dense sets are compared patch by patch, and by the sieve (sieve.h) where patches decide too little.
 */
#ifndef CLUMP_CPU_GRID_PATCHES_H
#define CLUMP_CPU_GRID_PATCHES_H

#include "cpu/grid/sieve.h"

/* A set of this many points or more is dense and has a head. No comparison with other values is on record. */
#define CLUMP_DENSE 128

/* Returns the entries of clump_point that a set of n points takes, its head and patches included. */
static inline size_t clump_dense_entries(size_t n)
{
    return n < CLUMP_DENSE ? n : n + 4 + 4 * (n / 32);
}

/* Returns where the points of a set begin among its entries: they are at the end. */
static inline size_t clump_dense_offset(size_t n)
{
    return clump_dense_entries(n) - n;
}

/* Three steps prepare dense sets (n >= CLUMP_DENSE) for clump_sets_near(). Most dense sets need only the first:
 *   box            computes the tight box of the set.
 *   want_patches   for each pair of sets to be compared: marks them if their boxes are closer than d. One of the two may
 *                  be no dense set. Several threads may call it at once.
 *   make_patches   sorts the points of a marked set into patches. scratch has room for n points. */
void clump_dense_box(clump_point *entries, size_t n);
void clump_dense_want_patches(clump_point *a, size_t na, clump_point *b, size_t nb, float d);
void clump_dense_make_patches(clump_point *entries, size_t n, clump_point *scratch);

/* Returns whether some point of set a and some point of set b have d2 < bound. na and nb count points, which are laid
 * out as above. d is the root of the bound. scratch has room for na + nb points. *cost becomes the number of pairs
 * tested, plus the number of points that the sieve looked at. */
bool clump_sets_near_counted(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d, float bound,
                             clump_point *scratch, size_t *cost);

static inline bool clump_sets_near(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d,
                                   float bound, clump_point *scratch)
{
    size_t cost;
    return clump_sets_near_counted(a, na, b, nb, d, bound, scratch, &cost);
}

#endif
