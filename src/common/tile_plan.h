/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_plan.h: cuts a map of point counts into tiles of limited size (rules/tiles.h).
 */
#ifndef CLUMP_COMMON_TILE_PLAN_H
#define CLUMP_COMMON_TILE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Gives every coarse cell its tile: cells are visited in the order of a Hilbert curve over x and y, those above each other
 * one after the other, and consecutive cells are one tile while their points are at most `most`. A cell with more
 * points is a tile of its own. Cells without points belong to the tile before them. The tiles depend on the map and on
 * `most` alone.
 * size    entries along each axis, at least 1
 * counts  points per entry, x fastest
 * tiles   output: the tile of each entry, 0 ... result - 1
 * loads   output, may be null: points per tile; room for one per entry
 * Returns the number of tiles, at least 1. */
uint32_t clump_tile_plan(const int64_t size[3], const uint64_t *counts, uint64_t most, uint32_t *tiles,
                         uint64_t *loads);

#endif
