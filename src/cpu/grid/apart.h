/* SPDX-License-Identifier: BSD-3-Clause
 *
 * apart.h: a quick proof that two dense walls do not touch: a plane or a sphere between them.
 */
#ifndef CLUMP_CPU_GRID_APART_H
#define CLUMP_CPU_GRID_APART_H

#include "cpu/shared/points.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns true only if every point of a is at least d away from every point of b, and clump_distance_squared() agrees.
 * False means undecided. The sets must be closer than 8 d to each other on every axis, as in sieve.h. na, nb >= 1. */
bool clump_walls_apart(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d);

#endif
