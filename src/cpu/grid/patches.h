/* SPDX-License-Identifier: BSD-3-Clause
 *
 * patches.h: do two sets of points hold a pair of neighbours? The question behind every join of two
 * cells that their reps could not answer.
 *
 * All pairs is quadratic when there is no neighbour to be found, as between two crowded walls a
 * little more than d apart, so a crowd is sorted into patches, each with its tight box, once:
 *
 *     head │ patch patch patch ... │ points of patch 0 │ of patch 1 │ ...        one array of
 *            each: box, begin, end, disc                                         clump_point
 *
 * and two crowds are compared patch by patch (near.c), or point by point where patches decide too little (sieve.h).
 */
#ifndef CLUMP_CPU_GRID_PATCHES_H
#define CLUMP_CPU_GRID_PATCHES_H

#include "cpu/grid/sieve.h"

/* From this many points on a set is a crowd and has a head. */
#define CLUMP_CROWD 128

/* Entries of clump_point a set of n points takes, its head and patches included. */
static inline size_t clump_crowd_entries(size_t n)
{
    return n < CLUMP_CROWD ? n : n + 4 + 4 * (n / 32);
}

/* Where the points of a set lie in its entries until clump_crowd_patches() has sorted them: at the end. */
static inline size_t clump_crowd_offset(size_t n)
{
    return clump_crowd_entries(n) - n;
}

/* Before clump_sets_near(), for every crowd (n >= CLUMP_CROWD), whose points are at the end of its
 * entries: its box; then, for both sets of every pair that will be asked about, whether they come
 * close at all; then the patches of those that do. Many crowds never need them. */
void clump_crowd_box(clump_point *entries, size_t n);
void clump_crowds_meet(clump_point *a, size_t na, clump_point *b, size_t nb, float d); /* safe from several threads */
void clump_crowd_patches(clump_point *entries, size_t n, clump_point *scratch);        /* room for n points */

/* Whether some point of set a and some point of set b have d2 < bound. na and nb count points; the
 * sets are laid out as above. d is the root of the bound. scratch has room for na + nb points. *work becomes the number
 * of pairs tested, and of points that the sieve looked at. */
bool clump_sets_near_counted(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d, float bound,
                             clump_point *scratch, size_t *work);

static inline bool clump_sets_near(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d,
                                   float bound, clump_point *scratch)
{
    size_t work;
    return clump_sets_near_counted(a, na, b, nb, d, bound, scratch, &work);
}

#endif
