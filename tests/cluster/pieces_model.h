/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_model.h: clusters a cloud in tiles as src/cuda/pieces does, step by step, with the CPU in place of the GPU.
 */
#ifndef CLUMP_TESTS_PIECES_MODEL_H
#define CLUMP_TESTS_PIECES_MODEL_H

#include "core/context.h"

typedef struct pieces_model {
    const float *xyz;
    size_t count;
    float d;
    size_t min_points;            /* 0: clump_ec */
    clump_dbscan_options options; /* also for clump_ec, as far as it has them */
    size_t most;                  /* points of a tile with its rim */
    size_t most_cells;
    size_t chunk; /* points that are grouped at a time */
} pieces_model;

typedef struct pieces_found {
    int32_t clusters;
    uint32_t tiles;
    size_t rim_points;
    bool too_full; /* a cell alone has too many points; there are no labels */
} pieces_found;

/* Labels and, where `core` is not null, core flags. What must not fail ends the program. */
pieces_found pieces_model_run(clump_context *ctx, const pieces_model *m, int32_t *labels, uint8_t *core);

#endif
