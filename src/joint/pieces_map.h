/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_map.h: joins the clusters of tiles that have a point in common: makes the map of rules/pieces.h.
 */
#ifndef CLUMP_CORE_PIECES_MAP_H
#define CLUMP_CORE_PIECES_MAP_H

#include "core/context.h"
#include "rules/pieces.h"

/* The links of a run of rim points are mostly equal: this many recent ones are remembered. */
#define CLUMP_PIECES_RECENT 256

/* A map that is being made. Zeroed is valid. */
typedef struct clump_pieces_links {
    clump_pieces_map map;
    clump_buffer memory; /* of the slots */
    size_t entries;
    uint64_t recent[CLUMP_PIECES_RECENT];
} clump_pieces_links;

/* Empties the map. */
void clump_pieces_links_begin(clump_context *ctx, clump_pieces_links *links);

/* Links rim points: here[k] is the id by clump_pieces_link(), home[k] the entry of the point in its own tile, maybe with
 * CLUMP_PIECES_CORE. */
clump_status clump_pieces_links_add(clump_context *ctx, clump_pieces_links *links, const uint32_t *here,
                                    const uint32_t *home, size_t count);

/* Completes the map: every entry has the smallest id that it is joined with. */
void clump_pieces_links_end(clump_pieces_links *links);

#endif
