/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reach.h: which cells of a block can hold a neighbour of a point in a given cell, as 64-bit masks.
 *
 * A cell reaches two cells to every side (rules/cell.h), so from a block only itself and the 26
 * around it matter. On one axis, cells a of this block and b of the block at offset o = -1, 0, 1:
 *
 *      o = -1          o = 0          o = +1
 *     [0 1 2 3]   a:  [0 1 2 3]      [0 1 2 3]          |b + 4 o - a| <= 2
 *          2 3   <- 0 -> 0 1 2
 *            3   <- 1 -> 0 1 2 3
 *                   2 -> 0 1 2 3  -> 0
 *                   3 ->   1 2 3  -> 0 1
 *
 * and in space the mask is the AND of three. `touch` is the same with <= 1: cells that share at
 * least a corner, where a neighbour is likely and so looked for first.
 */
#ifndef CLUMP_CPU_GRID_REACH_H
#define CLUMP_CPU_GRID_REACH_H

#include <stdint.h>

/* A set of coordinates, as four bits, spread over the 64 cells. */
#define CLUMP_SPREAD_X(set) ((uint64_t)(set)*0x1111111111111111u)
#define CLUMP_SPREAD_Y(set)                                                                                            \
    ((((set)&1 ? 0x000fu : 0u) | ((set)&2 ? 0x00f0u : 0u) | ((set)&4 ? 0x0f00u : 0u) | ((set)&8 ? 0xf000u : 0u)) *     \
     0x0001000100010001u)
#define CLUMP_SPREAD_Z(set)                                                                                            \
    (((set)&1 ? 0xffffu : 0u) | ((set)&2 ? 0xffff0000u : 0u) | ((set)&4 ? 0xffff00000000u : 0u) |                      \
     ((set)&8 ? 0xffff000000000000u : 0u))

/* Rows: offset -1, 0, 1. Columns: coordinate of the cell. Values: set of coordinates reached. */
#define CLUMP_REACH_TABLE(F)                                                                                           \
    {                                                                                                                  \
        {F(12), F(8), F(0), F(0)}, {F(7), F(15), F(15), F(14)},                                                        \
        {                                                                                                              \
            F(0), F(0), F(1), F(3)                                                                                     \
        }                                                                                                              \
    }
#define CLUMP_TOUCH_TABLE(F)                                                                                           \
    {                                                                                                                  \
        {F(8), F(0), F(0), F(0)}, {F(3), F(7), F(14), F(12)},                                                          \
        {                                                                                                              \
            F(0), F(0), F(0), F(1)                                                                                     \
        }                                                                                                              \
    }

static const uint64_t clump_reach_x[3][4] = CLUMP_REACH_TABLE(CLUMP_SPREAD_X);
static const uint64_t clump_reach_y[3][4] = CLUMP_REACH_TABLE(CLUMP_SPREAD_Y);
static const uint64_t clump_reach_z[3][4] = CLUMP_REACH_TABLE(CLUMP_SPREAD_Z);
static const uint64_t clump_touch_x[3][4] = CLUMP_TOUCH_TABLE(CLUMP_SPREAD_X);
static const uint64_t clump_touch_y[3][4] = CLUMP_TOUCH_TABLE(CLUMP_SPREAD_Y);
static const uint64_t clump_touch_z[3][4] = CLUMP_TOUCH_TABLE(CLUMP_SPREAD_Z);

/* Offset of a block: -1, 0 or 1 on each axis. */
typedef struct clump_offset {
    int8_t x, y, z;
} clump_offset;

static inline uint64_t clump_reach(unsigned cell, clump_offset o)
{
    return clump_reach_x[o.x + 1][cell & 3] & clump_reach_y[o.y + 1][cell >> 2 & 3] & clump_reach_z[o.z + 1][cell >> 4];
}

static inline uint64_t clump_touch(unsigned cell, clump_offset o)
{
    return clump_touch_x[o.x + 1][cell & 3] & clump_touch_y[o.y + 1][cell >> 2 & 3] & clump_touch_z[o.z + 1][cell >> 4];
}

/* Half of the 26 blocks around one, so that every pair is met once; faces first, corners last; then
 * the block itself. `border`: its own cells that reach into that block; `back`: that block's cells
 * that reach into this one. On an axis they are the cells 0 1 (offset -1), all (0), or 2 3 (+1). */
typedef struct clump_ahead_entry {
    clump_offset o;
    uint64_t border, back;
} clump_ahead_entry;

#define CLUMP_OFFSETS 13
#define CLUMP_INSIDE  13

#define CLUMP_SIDE(o) ((o) < 0 ? 3 : (o) > 0 ? 12 : 15)
#define CLUMP_AHEAD(ox, oy, oz)                                                                                        \
    {                                                                                                                  \
        {ox, oy, oz},                                                                                                  \
            CLUMP_SPREAD_X(CLUMP_SIDE(ox)) & CLUMP_SPREAD_Y(CLUMP_SIDE(oy)) & CLUMP_SPREAD_Z(CLUMP_SIDE(oz)),          \
            CLUMP_SPREAD_X(CLUMP_SIDE(-(ox))) & CLUMP_SPREAD_Y(CLUMP_SIDE(-(oy))) & CLUMP_SPREAD_Z(CLUMP_SIDE(-(oz))), \
    }

static const clump_ahead_entry clump_ahead[CLUMP_OFFSETS + 1] = {
    /* faces */ CLUMP_AHEAD(1, 0, 0),
    CLUMP_AHEAD(0, 1, 0),
    CLUMP_AHEAD(0, 0, 1),
    /* edges */ CLUMP_AHEAD(1, 1, 0),
    CLUMP_AHEAD(-1, 1, 0),
    CLUMP_AHEAD(1, 0, 1),
    CLUMP_AHEAD(-1, 0, 1),
    CLUMP_AHEAD(0, 1, 1),
    CLUMP_AHEAD(0, -1, 1),
    /* corners */ CLUMP_AHEAD(1, 1, 1),
    CLUMP_AHEAD(-1, 1, 1),
    CLUMP_AHEAD(1, -1, 1),
    CLUMP_AHEAD(-1, -1, 1),
    /* itself */ CLUMP_AHEAD(0, 0, 0),
};

#endif
