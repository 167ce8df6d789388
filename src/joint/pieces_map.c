/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_map.c: see pieces_plan.h. The hash table is a union-find: the lower half of an entry is the parent, a smaller id of
 * the same set. A root is its own parent, so it is the smallest id of its set.
 */
#include "joint/pieces_plan.h"

#include "common/assert.h"

#include <string.h>

#define MAP_LEAST_SLOTS 1024u
#define MAP_MOST_SLOTS  (1u << 31)

static uint64_t entry_of(uint32_t id, uint32_t parent)
{
    return (uint64_t)id << 32 | parent;
}

void clump_pieces_links_begin(clump_work *work, clump_pieces_links *links)
{
    links->map = (clump_pieces_map){.key = work->hash_key};
    links->entries = 0;
    if (links->memory.data) { /* of an earlier call: a later one of the same kind allocates nothing */
        links->map.slots = links->memory.data;
        links->map.slot_mask = (uint32_t)(links->memory.bytes / sizeof(uint64_t) - 1);
        memset(links->map.slots, 0xff, links->memory.bytes);
    }
    memset(links->recent, 0xff, sizeof links->recent);
}

/* Makes room for two more entries: at most half of the slots are in use. */
static clump_status make_room(clump_work *work, clump_pieces_links *links)
{
    const size_t slots = links->map.slots ? (size_t)links->map.slot_mask + 1 : 0;
    if (2 * (links->entries + 2) <= slots) return CLUMP_OK;
    const size_t more = slots ? 2 * slots : MAP_LEAST_SLOTS;
    if (more > MAP_MOST_SLOTS)
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY,
                          "%s: the pieces of the cloud have more than %u clusters in common", work->call,
                          MAP_MOST_SLOTS / 2);
    clump_buffer memory = {0}; /* a power of two of bytes, so not more than asked for */
    CLUMP_TRY(clump_buffer_reserve(work, &memory, more * sizeof(uint64_t)));
    clump_pieces_map grown = {memory.data, (uint32_t)(more - 1), links->map.key};
    memset(grown.slots, 0xff, more * sizeof *grown.slots);
    for (size_t s = 0; s < slots; s++) {
        const uint64_t entry = links->map.slots[s];
        if (entry != CLUMP_PIECES_FREE) grown.slots[clump_pieces_slot(&grown, (uint32_t)(entry >> 32))] = entry;
    }
    clump_buffer_release(work, &links->memory);
    links->memory = memory;
    links->map = grown;
    return CLUMP_OK;
}

/* Returns the root of an id, which becomes an entry where it is none. Halves the path. */
static uint32_t find_root(clump_pieces_links *links, uint32_t id)
{
    uint64_t *slot = &links->map.slots[clump_pieces_slot(&links->map, id)];
    if (*slot == CLUMP_PIECES_FREE) {
        *slot = entry_of(id, id);
        links->entries++;
        return id;
    }
    while ((uint32_t)*slot != id) {
        const uint32_t parent = (uint32_t)*slot;
        uint64_t *const next = &links->map.slots[clump_pieces_slot(&links->map, parent)];
        *slot = entry_of(id, (uint32_t)*next);
        id = parent;
        slot = next;
    }
    return id;
}

static void unite(clump_pieces_links *links, uint32_t a, uint32_t b)
{
    const uint32_t c = find_root(links, a), d = find_root(links, b);
    const uint32_t less = c < d ? c : d, more = c < d ? d : c;
    links->map.slots[clump_pieces_slot(&links->map, more)] = entry_of(more, less);
}

clump_status clump_pieces_links_add(clump_work *work, clump_pieces_links *links, const uint32_t *here,
                                    const uint32_t *home, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const uint32_t a = here[k], b = home[k] & ~CLUMP_PIECES_CORE;
        if (a == CLUMP_PIECES_NONE || a == b) continue;
        if (b == CLUMP_PIECES_NONE)
            return clump_fail(work, CLUMP_ERR_INTERNAL,
                              "%s: a point is in a cluster of one piece and in none of another", work->call);
        const uint64_t link = (uint64_t)a << 32 | b;
        uint64_t *const recent = &links->recent[(a ^ b * 31u) % CLUMP_PIECES_RECENT];
        if (*recent == link) continue;
        *recent = link;
        CLUMP_TRY(make_room(work, links));
        unite(links, a, b);
    }
    return CLUMP_OK;
}

void clump_pieces_links_end(clump_pieces_links *links)
{
    if (!links->map.slots) return;
    for (size_t s = 0; s <= links->map.slot_mask; s++) {
        const uint64_t entry = links->map.slots[s];
        if (entry == CLUMP_PIECES_FREE) continue;
        const uint32_t id = (uint32_t)(entry >> 32);
        links->map.slots[s] = entry_of(id, find_root(links, id));
    }
}
