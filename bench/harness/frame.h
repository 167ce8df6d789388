/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of a frame: its points and the boxes of its objects, in ordinary or in pinned memory.
 */
#ifndef CLUMP_BENCH_FRAME_H
#define CLUMP_BENCH_FRAME_H

#include "harness/clouds.h"

#include <clump/clump.h>

typedef struct frame_memory {
    clump_context *context; /* null: ordinary memory, and xyz are those of the cloud */
    float *xyz;
    clump_cluster *boxes; /* zeroed */
} frame_memory;

/* context: null, or that of a GPU: memory is pinned then, and must be freed before the context is destroyed. capacity: of
 * the boxes. Returns null where there is no memory. */
frame_memory *frame_memory_make(clump_context *context, const bench_cloud *cloud, size_t capacity);
void frame_memory_free(frame_memory *m); /* m may be null */

#endif
