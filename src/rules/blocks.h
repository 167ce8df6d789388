/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.h: which cells can hold a neighbour of a point; compiled by the C compiler and by nvcc. A block is 4 x 4 x 4
 * cells, and a set of its cells is a 64-bit mask.
 *
 * A cell reaches two cells far on every axis (rules/cell.h), so from a block only the block itself and the 26 around it
 * matter. On one axis, cell a of a block reaches cell b of the block at offset o if |b + 4 o - a| <= 2:
 *
 *      o = -1          o = 0          o = +1
 *     [0 1 2 3]   a:  [0 1 2 3]      [0 1 2 3]
 *          2 3   <- 0 -> 0 1 2
 *            3   <- 1 -> 0 1 2 3
 *                   2 -> 0 1 2 3  -> 0
 *                   3 ->   1 2 3  -> 0 1
 *
 * So a cell reaches over at most one side of its block: 0 and 1 over the lower side, 2 and 3 over the upper side. In
 * space the set is the AND of the sets of the three axes. Cells with |b + 4 o - a| <= 1 `touch`: they share at least a
 * corner. A neighbour is likely there, so it is looked for there first.
 *
 * The axis rules are macros: the CPU fills tables with them, the GPU evaluates them.
 */
#ifndef CLUMP_RULES_BLOCKS_H
#define CLUMP_RULES_BLOCKS_H

#include "rules/distance.h"

#include <stdint.h>

/* Number of a cell within its block, from the coordinates of the cell. */
CLUMP_RULE uint32_t clump_block_cell(int32_t x, int32_t y, int32_t z)
{
    return (uint32_t)(x & 3) | (uint32_t)(y & 3) << 2 | (uint32_t)(z & 3) << 4;
}

/* On one axis: the coordinates in the block at offset o that coordinate a reaches or touches, as four bits. */
#define CLUMP_AXIS_REACH(o, a)                                                                                         \
    ((o) == 0  ? ((a) == 0   ? 7u                                                                                      \
                  : (a) == 3 ? 14u                                                                                     \
                             : 15u)                                                                                    \
     : (o) > 0 ? ((a) < 2    ? 0u                                                                                      \
                  : (a) == 2 ? 1u                                                                                      \
                             : 3u)                                                                                     \
               : ((a) > 1    ? 0u                                                                                      \
                  : (a) == 1 ? 8u                                                                                      \
                             : 12u))
#define CLUMP_AXIS_TOUCH(o, a) (((o) == 0 ? 7u << (a) >> 1 : (o) > 0 ? 7u << (a) >> 5 : 7u << (a) << 3) & 15u)

/* The side over which coordinate a reaches: -1 or 1. */
CLUMP_RULE int clump_axis_side(uint32_t a)
{
    return a < 2 ? -1 : 1;
}

/* The cells of a block whose x, y or z is in a set of four bits. */
#define CLUMP_SPREAD_X(set) ((uint64_t)(set)*0x1111111111111111u)
#define CLUMP_SPREAD_Y(set)                                                                                            \
    ((((set)&1 ? 0x000fu : 0u) | ((set)&2 ? 0x00f0u : 0u) | ((set)&4 ? 0x0f00u : 0u) | ((set)&8 ? 0xf000u : 0u)) *     \
     0x0001000100010001u)
#define CLUMP_SPREAD_Z(set)                                                                                            \
    (((set)&1 ? 0xffffu : 0u) | ((set)&2 ? 0xffff0000u : 0u) | ((set)&4 ? 0xffff00000000u : 0u) |                      \
     ((set)&8 ? 0xffff000000000000u : 0u))

/* SPREAD_X(x) & SPREAD_Y(y) & SPREAD_Z(z), for sets that are not constants. */
CLUMP_RULE uint64_t clump_block_cells(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t plane = 0;
    for (uint32_t k = 0; k < 4; k++)
        if (y >> k & 1) plane |= x << 4 * k;
    uint64_t all = 0;
    for (uint32_t k = 0; k < 4; k++)
        if (z >> k & 1) all |= (uint64_t)plane << 16 * k;
    return all;
}

/* The cells of the block at offset x, y, z that a cell reaches or touches: the GPU's way. The CPU's tables are in
 * cpu/grid/reach.h. */
CLUMP_RULE uint64_t clump_block_reach(int x, int y, int z, uint32_t cell)
{
    const uint32_t ax = cell & 3, ay = cell >> 2 & 3, az = cell >> 4;
    return clump_block_cells(CLUMP_AXIS_REACH(x, ax), CLUMP_AXIS_REACH(y, ay), CLUMP_AXIS_REACH(z, az));
}

CLUMP_RULE uint64_t clump_block_touch(int x, int y, int z, uint32_t cell)
{
    const uint32_t ax = cell & 3, ay = cell >> 2 & 3, az = cell >> 4;
    return clump_block_cells(CLUMP_AXIS_TOUCH(x, ax), CLUMP_AXIS_TOUCH(y, ay), CLUMP_AXIS_TOUCH(z, az));
}

/* The cells of a block that reach into the block at offset x, y, z: on each axis the coordinates 0 1 (offset -1), all
 * (0), or 2 3 (+1). */
#define CLUMP_BORDER(x, y, z)                                                                                          \
    (((x) > 0   ? CLUMP_SPREAD_X(12)                                                                                   \
      : (x) < 0 ? CLUMP_SPREAD_X(3)                                                                                    \
                : ~(uint64_t)0) &                                                                                      \
     ((y) > 0   ? CLUMP_SPREAD_Y(12)                                                                                   \
      : (y) < 0 ? CLUMP_SPREAD_Y(3)                                                                                    \
                : ~(uint64_t)0) &                                                                                      \
     ((z) > 0   ? CLUMP_SPREAD_Z(12)                                                                                   \
      : (z) < 0 ? CLUMP_SPREAD_Z(3)                                                                                    \
                : ~(uint64_t)0))

/* The offsets of half of the 26 blocks around a block, as F(x, y, z): of an offset and its opposite one is here, so
 * every pair of blocks is met once. Faces come first, then edges, then corners. The same offsets lead from a cell to
 * half of the cells that touch it. */
enum { CLUMP_OFFSETS = 13, CLUMP_FACES = 3 };
#define CLUMP_EACH_OFFSET(F)                                                                                           \
    F(1, 0, 0), F(0, 1, 0), F(0, 0, 1), F(1, 1, 0), F(-1, 1, 0), F(1, 0, 1), F(-1, 0, 1), F(0, 1, 1), F(0, -1, 1),     \
        F(1, 1, 1), F(-1, 1, 1), F(1, -1, 1), F(-1, -1, 1)

#endif
