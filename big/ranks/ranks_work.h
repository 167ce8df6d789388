/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_work.h: results of tiles in a work folder that all ranks see, so that a run after a failure does not cluster them
 * again. The plan does not depend on the number of ranks, so neither do the results.
 *
 *     DIR/clump-ranks          the key of the run: input, parameters, plan
 *     DIR/clump-tile-000012    labels and links of tile 12, with a checksum
 *
 * Other files may be in the folder. They stay as they are.
 */
#ifndef CLUMP_BIG_RANKS_WORK_H
#define CLUMP_BIG_RANKS_WORK_H

#include "ranks/ranks.h"

#define CLUMP_RANKS_NAME      "clump-ranks"
#define CLUMP_RANKS_TILE_NAME "clump-tile-"
#define CLUMP_RANKS_TILE_MARK UINT64_C(0x31656c69746d6c63) /* "clmtile1": the first bytes of a result */

/* Opens the folder, or makes it. Fails where it is the folder of another run or of one process, and where a file with the name
 * of a result is none. Does nothing without a folder. */
clump_status clump_ranks_work_open(clump_ranks *ranks);

/* Reads the result of a tile of this rank. False: there is none, or it is damaged. */
bool clump_ranks_work_load(clump_ranks *ranks, size_t tile);
clump_status clump_ranks_work_save(const clump_ranks *ranks, size_t tile, clump_message *message);

/* Removes the results, also parts of ranks that died, and, where nothing else is in it, the folder; on rank 0. */
void clump_ranks_work_remove(clump_ranks *ranks);

#endif
