/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_share.h: which rank clusters which tiles, and which points of the input a rank reads.
 */
#ifndef CLUMP_BIG_RANKS_SHARE_H
#define CLUMP_BIG_RANKS_SHARE_H

#include <stddef.h>
#include <stdint.h>

#define CLUMP_RANKS_LARGE                                                                                              \
    ((uint64_t)1 << 22) /* points of a tile that should be divided if it can be: 300 MB of memory */

/* Returns how many points a tile should have at most: a function of the cloud alone, so that the plan does not depend on the
 * number of ranks. Large clouds have 1,024 tiles and more, for an even division among ranks. */
uint64_t clump_ranks_most(uint64_t points);

/* Divides tiles among ranks: rank r gets tiles first[r] ... first[r + 1] - 1. The largest cost of a rank is as small as
 * contiguous parts allow.
 * costs  one per tile
 * first  output: ranks + 1 entries */
void clump_ranks_share(const uint64_t *costs, uint32_t tiles, int ranks, uint32_t *first);

/* Returns the first block of the input that rank r reads, of `blocks`; for r = ranks: blocks. */
uint64_t clump_ranks_block(uint64_t blocks, int ranks, int r);

#endif
