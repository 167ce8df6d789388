/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of a frame: see frame.h.
 */
#include "harness/frame.h"

#include <clump/cuda.h>

#include <stdlib.h>
#include <string.h>

static void *allocate(clump_context *context, size_t bytes)
{
    void *memory = NULL;
    if (!context) return malloc(bytes);
    return clump_cuda_allocate(context, CLUMP_CUDA_PINNED, bytes, &memory) == CLUMP_OK ? memory : NULL;
}

static void release(clump_context *context, void *memory)
{
    if (!context)
        free(memory);
    else if (memory)
        clump_cuda_release(context, CLUMP_CUDA_PINNED, memory);
}

frame_memory *frame_memory_make(clump_context *context, const bench_cloud *cloud, size_t capacity)
{
    const size_t points = 3 * cloud->count * sizeof(float), boxes = capacity * sizeof(clump_cluster);
    frame_memory *const m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->context = context;
    m->xyz = context ? allocate(context, points) : cloud->xyz;
    m->boxes = allocate(context, boxes);
    if (!m->xyz || !m->boxes) return frame_memory_free(m), NULL;
    if (context) memcpy(m->xyz, cloud->xyz, points);
    memset(m->boxes, 0, boxes);
    return m;
}

void frame_memory_free(frame_memory *m)
{
    if (!m) return;
    if (m->context) release(m->context, m->xyz);
    release(m->context, m->boxes);
    free(m);
}
