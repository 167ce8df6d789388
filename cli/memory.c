/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.c: see memory.h.
 */
#include "memory.h"

#include <clump/cuda.h>

static clump_cuda_memory cuda_kind(const cli_memory *memory)
{
    return memory->kind == CLI_MEMORY_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE;
}

/* Memory of the kind, with a copy of from in it where there is one; the next of taken[]. */
static clump_status take(cli_memory *memory, size_t which, const void *from, size_t bytes)
{
    clump_status status = clump_cuda_allocate(memory->context, cuda_kind(memory), bytes, &memory->taken[which]);
    if (status == CLUMP_OK && from) status = clump_cuda_copy(memory->context, memory->taken[which], from, bytes);
    return status;
}

clump_status cli_memory_place(cli_memory *memory, cli_memory_kind kind, clump_context *context, clump_points points,
                              const uint8_t *mask, int32_t *labels)
{
    *memory = (cli_memory){.kind = kind, .context = context, .points = points, .mask = mask, .labels = labels};
    if (kind == CLI_MEMORY_PAGEABLE) return CLUMP_OK;

    const size_t point_bytes = points.stride ? points.stride : 3 * sizeof(float);
    clump_status status = take(memory, 0, points.xyz, points.count * point_bytes);
    if (status == CLUMP_OK) status = take(memory, 1, NULL, points.count * sizeof *labels);
    if (status == CLUMP_OK && mask) status = take(memory, 2, mask, points.count);
    memory->points.xyz = memory->taken[0];
    memory->points.place = kind == CLI_MEMORY_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    memory->labels = memory->taken[1];
    memory->mask = memory->taken[2];
    return status;
}

clump_status cli_memory_fetch(cli_memory *memory, int32_t *labels)
{
    if (memory->kind == CLI_MEMORY_PAGEABLE) return CLUMP_OK;
    return clump_cuda_copy(memory->context, labels, memory->labels, memory->points.count * sizeof *labels);
}

void cli_memory_release(cli_memory *memory)
{
    for (size_t i = 0; i < 3; i++) clump_cuda_release(memory->context, cuda_kind(memory), memory->taken[i]);
    *memory = (cli_memory){0};
}
