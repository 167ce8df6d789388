/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells.h: cells for a radius that grows with the range (rules/radius.h). Points are divided into shells around the
 * sensor by the octave of their radius. The cells of shell s are 2^s cells of the least radius wide:
 *
 *     shell 0   eps   <= radius < 2 eps      cell edge h of rules/cell.h for eps
 *           1   2 eps <= radius < 4 eps      2 h
 *           2   ...                          4 h
 *
 * A cell of shell s is `cell >> s` of the cell for eps, on each axis. So grids are nested. In a block (4 x 4 x 4 cells)
 * cells are numbered in Morton order: the bits of x, y and z alternate, x first. Eight cells of 2 x 2 x 2 are one byte of
 * the block's mask, and one cell of a grid twice as coarse.
 *
 * All shells share one table of blocks: the z of a block has its shell in the upper bits. Blocks that differ by one in z
 * are in the same shell, as |z| is below CLUMP_SHELL_Z / 2 - 1.
 *
 * Only for points whose cells for eps are below CLUMP_SHELL_CELLS in magnitude (ranged_shells.c). For a point in shell s
 * with radius r, with h' = 2^s h, this proves, as in rules/cell.h:
 *   (1) Two points of a cell are neighbours: the products x / h of a cell lie in an interval of 2^s, and each is off by
 *       less than 2^-25. So |dx| <= h' (1 + 2^-23), the premise of (1) there, and both radii are at least 2^s eps.
 *   (2) Neighbours that are closer than w h' (1 - 2^-18), w a whole number, lie at most w cells apart: their products
 *       differ by less than w 2^s, and shifted products by less than w.
 */
#ifndef CLUMP_CPU_GRID_SHELLS_H
#define CLUMP_CPU_GRID_SHELLS_H

#include "rules/radius.h"

#define CLUMP_SHELL_CELLS 0x1p26f   /* cells for eps, on each side of 0 */
#define CLUMP_SHELL_Z     0x4000000 /* distance of two shells in the z of blocks */
#define CLUMP_SHELLS      32        /* all that fit into an int32_t; ranged_shells.c proves that there are fewer */

/* Returns the shell of a point with radius max(eps, grown). `grown` may be NaN; the shell is 0 ... CLUMP_SHELLS - 1. */
static inline int32_t clump_shell_of(float eps, float grown)
{
    return (int32_t)clump_radius_level(eps, clump_radius(eps, grown)) & (CLUMP_SHELLS - 1);
}

/* Returns the number of a cell in its block, in Morton order. */
static inline uint32_t clump_shell_cell(int32_t x, int32_t y, int32_t z)
{
    const uint32_t low = (uint32_t)(x & 1) | (uint32_t)(y & 1) << 1 | (uint32_t)(z & 1) << 2;
    return low | (uint32_t)(x & 2) << 2 | (uint32_t)(y & 2) << 3 | (uint32_t)(z & 2) << 4;
}

/* Returns the z of a block in the table: its shell above its own z. */
static inline int32_t clump_shell_z(int32_t shell, int32_t z)
{
    return shell * CLUMP_SHELL_Z + z;
}

/* Returns the shell of a block from its z in the table. */
static inline int32_t clump_shell_of_z(int32_t z)
{
    return (z + CLUMP_SHELL_Z / 2) / CLUMP_SHELL_Z;
}

#endif
