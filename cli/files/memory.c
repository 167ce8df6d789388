/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.c: see device.h.
 */
#include "files/device.h"

#include "common/assert.h"

#include <clump/cuda.h>

static clump_cuda_memory cuda_kind(const cli_memory *memory)
{
    return memory->kind == CLI_MEMORY_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE;
}

/* Allocates memory of the kind as taken[which] and copies `from` into it, if not null. */
static clump_status allocate(cli_memory *memory, size_t which, const void *from, size_t bytes)
{
    CLUMP_ASSERT(which < sizeof memory->taken / sizeof *memory->taken);
    clump_status status = clump_cuda_allocate(memory->context, cuda_kind(memory), bytes, &memory->taken[which]);
    if (status == CLUMP_OK && from) status = clump_cuda_copy(memory->context, memory->taken[which], from, bytes);
    return status;
}

clump_status cli_memory_place(cli_memory *memory, cli_memory_kind kind, clump_context *context)
{
    memory->kind = kind;
    memory->context = context;
    if (kind == CLI_MEMORY_PAGEABLE) return CLUMP_OK;

    clump_points *const points = &memory->points;
    const size_t point_bytes = points->stride ? points->stride : 3 * sizeof(float);
    clump_status status = allocate(memory, 0, points->xyz, points->count * point_bytes);
    if (status == CLUMP_OK) status = allocate(memory, 1, NULL, points->count * sizeof *memory->labels);
    if (status == CLUMP_OK && memory->mask) status = allocate(memory, 2, memory->mask, points->count);
    if (status == CLUMP_OK && memory->core) status = allocate(memory, 3, NULL, points->count);
    if (status == CLUMP_OK && memory->values)
        status = allocate(memory, 4, memory->values, points->count * sizeof *memory->values);
    if (status == CLUMP_OK && memory->rings)
        status = allocate(memory, 5, memory->rings, points->count * sizeof *memory->rings);
    if (status == CLUMP_OK && memory->classes.rows)
        status = allocate(memory, 6, memory->classes.of, points->count * sizeof *memory->classes.of);
    points->xyz = memory->taken[0];
    points->place = kind == CLI_MEMORY_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    memory->labels = memory->taken[1];
    memory->mask = memory->taken[2];
    memory->core = memory->taken[3];
    memory->values = memory->taken[4];
    memory->rings = memory->taken[5];
    memory->classes.of = memory->taken[6];
    return status;
}

clump_status cli_memory_fetch(cli_memory *memory, int32_t *labels, uint8_t *core)
{
    if (memory->kind == CLI_MEMORY_PAGEABLE) return CLUMP_OK;
    const size_t count = memory->points.count;
    clump_status status = clump_cuda_copy(memory->context, labels, memory->labels, count * sizeof *labels);
    if (status == CLUMP_OK && memory->core) status = clump_cuda_copy(memory->context, core, memory->core, count);
    return status;
}

void cli_memory_release(cli_memory *memory)
{
    for (size_t i = 0; i < sizeof memory->taken / sizeof memory->taken[0]; i++)
        clump_cuda_release(memory->context, cuda_kind(memory), memory->taken[i]);
    *memory = (cli_memory){0};
}
