/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reach.h: which cells of a block can hold a neighbour of a point in a given cell (rules/blocks.h), from tables.
 */
#ifndef CLUMP_CPU_GRID_REACH_H
#define CLUMP_CPU_GRID_REACH_H

#include "common/assert.h"
#include "rules/blocks.h"

/* Rows: offset -1, 0, 1. Columns: coordinate of the cell. Values: cells reached or touched, as far as one axis tells. */
#define CLUMP_AXIS_ROW(RULE, SPREAD, o)                                                                                \
    {                                                                                                                  \
        SPREAD(RULE(o, 0)), SPREAD(RULE(o, 1)), SPREAD(RULE(o, 2)), SPREAD(RULE(o, 3))                                 \
    }
#define CLUMP_AXIS_TABLE(RULE, SPREAD)                                                                                 \
    {                                                                                                                  \
        CLUMP_AXIS_ROW(RULE, SPREAD, -1), CLUMP_AXIS_ROW(RULE, SPREAD, 0), CLUMP_AXIS_ROW(RULE, SPREAD, 1)             \
    }

static const uint64_t clump_reach_x[3][4] = CLUMP_AXIS_TABLE(CLUMP_AXIS_REACH, CLUMP_SPREAD_X);
static const uint64_t clump_reach_y[3][4] = CLUMP_AXIS_TABLE(CLUMP_AXIS_REACH, CLUMP_SPREAD_Y);
static const uint64_t clump_reach_z[3][4] = CLUMP_AXIS_TABLE(CLUMP_AXIS_REACH, CLUMP_SPREAD_Z);
static const uint64_t clump_touch_x[3][4] = CLUMP_AXIS_TABLE(CLUMP_AXIS_TOUCH, CLUMP_SPREAD_X);
static const uint64_t clump_touch_y[3][4] = CLUMP_AXIS_TABLE(CLUMP_AXIS_TOUCH, CLUMP_SPREAD_Y);
static const uint64_t clump_touch_z[3][4] = CLUMP_AXIS_TABLE(CLUMP_AXIS_TOUCH, CLUMP_SPREAD_Z);

/* Offset of a block: -1, 0 or 1 on each axis. */
typedef struct clump_offset {
    int8_t x, y, z;
} clump_offset;

/* The cells of the block at offset o that a cell reaches. */
static inline uint64_t clump_reach(unsigned cell, clump_offset o)
{
    CLUMP_ASSERT(cell < 64 && o.x >= -1 && o.x <= 1 && o.y >= -1 && o.y <= 1 && o.z >= -1 && o.z <= 1);
    return clump_reach_x[o.x + 1][cell & 3] & clump_reach_y[o.y + 1][cell >> 2 & 3] & clump_reach_z[o.z + 1][cell >> 4];
}

/* The cells of the block at offset o that a cell touches. */
static inline uint64_t clump_touch(unsigned cell, clump_offset o)
{
    return clump_touch_x[o.x + 1][cell & 3] & clump_touch_y[o.y + 1][cell >> 2 & 3] & clump_touch_z[o.z + 1][cell >> 4];
}

/* The blocks ahead of a block, and last the block itself. `border`: its own cells that reach into that block; `back`:
 * that block's cells that reach into this one. */
typedef struct clump_ahead_entry {
    clump_offset o;
    uint64_t border, back;
} clump_ahead_entry;

#define CLUMP_INSIDE CLUMP_OFFSETS /* the entry of the block itself */

#define CLUMP_AHEAD(x, y, z)                                                                                           \
    {                                                                                                                  \
        {x, y, z}, CLUMP_BORDER(x, y, z), CLUMP_BORDER(-(x), -(y), -(z))                                               \
    }

static const clump_ahead_entry clump_ahead[CLUMP_OFFSETS + 1] = {
    CLUMP_EACH_OFFSET(CLUMP_AHEAD),
    CLUMP_AHEAD(0, 0, 0),
};

#endif
