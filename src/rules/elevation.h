/* SPDX-License-Identifier: BSD-3-Clause
 *
 * elevation.h: the rules of the elevation map, compiled by the C compiler and by nvcc: which cell a point is in, and
 * whether two cells are alike. Every step is rounded to float32, as in distance.h.
 *
 * A point takes part when its coordinates are finite and it lies on the map. floor(q) is in 0 ... side - 1 exactly when
 * 0 <= q < side, and then it is q without its fraction; q that is not a number is not on the map.
 */
#ifndef CLUMP_RULES_ELEVATION_H
#define CLUMP_RULES_ELEVATION_H

#include "rules/distance.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct clump_elevation {
    float corner[2]; /* of the map: least x, and least y (or z, where y is up) */
    float cell;      /* side of a cell */
    uint32_t side;   /* cells along a side */
    int column_axis; /* of the columns: 1 is y, 2 is z; rows are along x */
    int up_axis;     /* the other */
    float up;        /* 1, or -1 where the sensor hangs upside down: height = up * coordinate */
} clump_elevation;

/* Which cells are obstacles: a bit each, 64 columns of a row in a word. Obstacle cells are numbered row by row, and a word
 * knows the number of its first: so the number of a cell is a count of bits, and a map of 800 x 800 takes 166 KB. */
typedef struct clump_map_word {
    uint64_t bits;
    uint32_t first; /* obstacle cells in words before this one */
} clump_map_word;

CLUMP_RULE float clump_elevation_quotient(float x, float corner, float cell)
{
#if defined(__CUDA_ARCH__)
    return __fdiv_rn(__fsub_rn(x, corner), cell);
#else
    return (x - corner) / cell;
#endif
}

/* False when the point is not on the map. */
CLUMP_RULE bool clump_elevation_cell(const clump_elevation *map, const float *point, uint32_t *row, uint32_t *column)
{
    const float i = clump_elevation_quotient(point[0], map->corner[0], map->cell);
    const float j = clump_elevation_quotient(point[map->column_axis], map->corner[1], map->cell);
    const float side = (float)map->side;
    if (!(i >= 0 && i < side && j >= 0 && j < side)) return false;
    *row = (uint32_t)i;
    *column = (uint32_t)j;
    return true;
}

CLUMP_RULE bool clump_elevation_finite(const float *point)
{
    return fabsf(point[0]) <= FLT_MAX && fabsf(point[1]) <= FLT_MAX && fabsf(point[2]) <= FLT_MAX;
}

/* The paper's dh of two cells: by how much their highest and their lowest points differ, together. May be infinite. */
CLUMP_RULE float clump_elevation_difference(float highest, float lowest, float other_highest, float other_lowest)
{
#if defined(__CUDA_ARCH__)
    return __fadd_rn(fabsf(__fsub_rn(highest, other_highest)), fabsf(__fsub_rn(lowest, other_lowest)));
#else
    return fabsf(highest - other_highest) + fabsf(lowest - other_lowest);
#endif
}

#endif
