/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_maps.h: the maps of clump_erccl as `clump erccl` shows them: files of --maps, textures of a page.
 *
 *     name      type      what
 *     highest   float32   height of the highest point that is not ground, per cell; with --all-heights of all its
 *                         points; NaN: there is no point that is not ground
 *     lowest    float32   height of the lowest such point
 *     ground    float32   height of the ground
 *     flag      uint8     1: the cell has a point that is not ground
 *     label     int32     obstacle of the cell; CLUMP_GROUND, CLUMP_NOISE
 */
#ifndef CLUMP_CLI_ERCCL_MAPS_H
#define CLUMP_CLI_ERCCL_MAPS_H

#include "viewer/scene/scene.h"

#include "base/cli.h"

/* Most cells along a side. Maps of this size take 1.1 GB in memory, and as much as files. */
enum { CLI_MAPS_SIDE = 8192 };

typedef struct cli_maps {
    view_map list[VIEW_MAPS];
    size_t count; /* 0: none, or VIEW_MAPS */
    void *memory; /* of all maps */
} cli_maps;

/* Points and arguments of the run. Points, labels and mask are in host memory. */
typedef struct cli_maps_run {
    clump_context *context;
    clump_points points;
    const clump_erccl_options *options;
} cli_maps_run;

/* Runs clump_erccl once more, for its maps. On failure prints why. Release the maps in both cases. */
int cli_maps_make(cli_maps *maps, const cli_maps_run *run);
void cli_maps_release(cli_maps *maps); /* a zeroed one is fine */

/* What maps.json says besides the maps, and how they are written. */
typedef struct cli_maps_facts {
    const char *input;
    const double *origin; /* of the cloud */
    clump_up up;
    bool flip;
    bool quiet; /* no progress bar */
} cli_maps_facts;

/* Refuses a folder of --maps that cannot be written to, and files in it that `others` name (null entries are skipped).
 * Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_maps_check(const cli_command *self, const char *folder, const char *const *others, size_t count);

/* Writes each map as NAME.npy and NAME.png, and maps.json. Creates the folder if it does not exist. Each file is complete
 * or not there. A build that makes no pictures writes none, and a warning says so. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_maps_write(const cli_maps *maps, const char *folder, const cli_maps_facts *facts);

#endif
