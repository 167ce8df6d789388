/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sizes.c: see tiles.h.
 */
#include "tiles/tiles.h"

#include "common/assert.h"
#include "common/sort.h"

#include <stdlib.h>

/* Returns the slot of a size, or the empty slot where it belongs. */
static clump_big_size *slot_of(const clump_big_sizes *s, uint64_t size)
{
    CLUMP_ASSERT(size > 0 && s->capacity > 0 && (s->capacity & (s->capacity - 1)) == 0);
    size_t slot = (size_t)((size * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (s->capacity - 1);
    while (s->slots[slot].size && s->slots[slot].size != size) slot = (slot + 1) & (s->capacity - 1);
    return &s->slots[slot];
}

static clump_status grow(clump_big_sizes *s, clump_message *message)
{
    clump_big_sizes grown = {.used = s->used, .capacity = s->capacity ? 2 * s->capacity : 256};
    grown.slots = calloc(grown.capacity, sizeof *grown.slots);
    if (!grown.slots) return clump_big_no_memory(message, grown.capacity * sizeof *grown.slots);
    for (size_t i = 0; i < s->capacity; i++)
        if (s->slots[i].size) *slot_of(&grown, s->slots[i].size) = s->slots[i];
    free(s->slots);
    *s = grown;
    return CLUMP_OK;
}

clump_status clump_big_sizes_add(clump_big_sizes *sizes, uint64_t size, uint64_t count, clump_message *message)
{
    CLUMP_ASSERT(size >= 1);
    if (2 * sizes->used >= sizes->capacity) CLUMP_BIG_TRY(grow(sizes, message));
    clump_big_size *const slot = slot_of(sizes, size);
    sizes->used += slot->size == 0;
    slot->size = size;
    slot->count += count;
    return CLUMP_OK;
}

clump_status clump_big_sizes_gather(clump_big_job *job, clump_big_sizes *sizes, clump_message *message)
{
    const bool first = clump_big_rank(job) == 0; /* which has its own */
    void *received = NULL;
    size_t total = 0;
    if (clump_big_ranks(job) == 1) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_to_first(job, sizeof *sizes->slots, sizes->slots, first ? 0 : sizes->capacity, &received,
                                     &total, message));
    const clump_big_size *const all = received;
    clump_status status = CLUMP_OK;
    for (size_t i = 0; i < total && status == CLUMP_OK; i++)
        if (all[i].size) status = clump_big_sizes_add(sizes, all[i].size, all[i].count, message);
    free(received);
    return clump_big_agree(job, status, message);
}

clump_status clump_big_sizes_rank(clump_big_sizes *sizes, clump_message *message)
{
    clump_pair *const order = malloc((2 * sizes->used + 1) * sizeof *order);
    if (!order) return clump_big_no_memory(message, 2 * sizes->used * sizeof *order);
    size_t n = 0;
    for (size_t i = 0; i < sizes->capacity; i++)
        if (sizes->slots[i].size) order[n++] = (clump_pair){UINT64_MAX - sizes->slots[i].size, i};
    CLUMP_ASSERT(n == sizes->used);
    clump_pair_sort(order, order + n, n);
    uint64_t next = 0;
    for (size_t k = 0; k < n; k++) {
        clump_big_size *const slot = &sizes->slots[order[k].value];
        slot->next = next;
        next += slot->count;
    }
    free(order);
    return CLUMP_OK;
}

uint64_t clump_big_sizes_take(clump_big_sizes *sizes, uint64_t size)
{
    return slot_of(sizes, size)->next++;
}

void clump_big_sizes_release(clump_big_sizes *sizes)
{
    free(sizes->slots);
    *sizes = (clump_big_sizes){0};
}
