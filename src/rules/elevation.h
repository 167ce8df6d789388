/* SPDX-License-Identifier: BSD-3-Clause
 *
 * elevation.h: the rules of the elevation map, compiled by the C compiler and by nvcc: which cell a point is in, and
 * by how much two cells differ. Every step is rounded to float32 (rounded.h).
 *
 * A point takes part when its coordinates are finite and it lies on the map. The row of a point is floor(q), q its
 * distance along x from the corner, in cells. floor(q) is in 0 ... rows - 1 exactly when 0 <= q < rows; then converting
 * q to an integer gives floor(q). NaN fails both comparisons. The same holds for columns.
 */
#ifndef CLUMP_RULES_ELEVATION_H
#define CLUMP_RULES_ELEVATION_H

#include "rules/rounded.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct clump_elevation {
    float corner[2]; /* of the map: least x, and least y (or z, where y is up) */
    float cell;      /* side of a cell */
    uint32_t rows;   /* cells along x */
    uint32_t columns;
    int column_axis; /* axis along which the column grows: 1 is y, 2 is z; the row grows along x */
    int up_axis;     /* axis of heights: 2 or 1 */
    float up;        /* 1, or -1 where the sensor hangs upside down: height = up * coordinate */
} clump_elevation;

/* Bytes of memory that the CPU needs per 64 cells of a row: 166 KB for a map of 800 x 800 (cpu/obstacles/cells.h). */
#define CLUMP_ELEVATION_WORD_BYTES 16

/* Returns how many cells x is away from the corner. */
CLUMP_RULE float clump_elevation_quotient(float x, float corner, float cell)
{
    return clump_rn_div(clump_rn_sub(x, corner), cell);
}

/* Finds the cell of a finite point. Returns false when the point is not on the map. */
CLUMP_RULE bool clump_elevation_cell(const clump_elevation *map, const float *point, uint32_t *row, uint32_t *column)
{
    const float i = clump_elevation_quotient(point[0], map->corner[0], map->cell);
    const float j = clump_elevation_quotient(point[map->column_axis], map->corner[1], map->cell);
    if (!(i >= 0 && i < (float)map->rows && j >= 0 && j < (float)map->columns)) return false;
    *row = (uint32_t)i;
    *column = (uint32_t)j;
    return true;
}

CLUMP_RULE bool clump_elevation_finite(const float *point)
{
    return fabsf(point[0]) <= FLT_MAX && fabsf(point[1]) <= FLT_MAX && fabsf(point[2]) <= FLT_MAX;
}

/* Returns the paper's dh of two cells: how far their highest points differ, plus their lowest. May be infinite. */
CLUMP_RULE float clump_elevation_difference(float highest, float lowest, float other_highest, float other_lowest)
{
    return clump_rn_add(fabsf(clump_rn_sub(highest, other_highest)), fabsf(clump_rn_sub(lowest, other_lowest)));
}

#endif
