/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_thin.c: see tiles.h.
 *
 *     insert   every point enters a hash table; a slot holds the point with the smallest index of its voxel
 *     gather   these are the representatives: they move to the front, and slots get their numbers
 *     carry    after clustering: every own point gets the label of its representative, and counts for the size
 */
#include "tiles/tiles.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

#define THIN_FREE UINT32_MAX

typedef struct thin_table {
    const clump_big_loaded *l;
    float side;
    bool two_d;
    clump_hash_key key;
    uint32_t *slots; /* positions in the tile; later numbers of representatives */
    uint32_t mask;
    size_t voxels;
} thin_table;

static clump_voxel voxel_of(const thin_table *t, size_t i)
{
    return clump_voxel_of(t->l->xyz + 3 * i, t->side, t->two_d);
}

/* Enters point i; returns the slot of its voxel. Indices of a rim need not ascend. */
static uint32_t insert(thin_table *t, size_t i)
{
    const clump_voxel mine = voxel_of(t, i);
    uint32_t slot = clump_hash_slot_masked(clump_voxel_hash(t->key, mine), t->mask);
    while (t->slots[slot] != THIN_FREE && !clump_voxel_same(voxel_of(t, t->slots[slot]), mine))
        slot = (slot + 1) & t->mask;
    const bool is_new = t->slots[slot] == THIN_FREE;
    t->voxels += is_new;
    if (is_new || t->l->indices[i] < t->l->indices[t->slots[slot]]) t->slots[slot] = (uint32_t)i;
    return slot;
}

/* Makes the table, and lists the slot of every point in out->of. */
static clump_status insert_all(const clump_big_job *job, thin_table *t, clump_big_thinned *out, clump_message *message)
{
    const size_t count = t->l->count;
    size_t slots = 2;
    CLUMP_ASSERT(count <= INT32_MAX);
    while (slots < 2 * count) slots *= 2;
    t->mask = (uint32_t)(slots - 1);
    t->slots = malloc(slots * sizeof *t->slots);
    out->of = malloc(count * sizeof *out->of + 1);
    if (!t->slots || !out->of) return clump_big_no_memory(message, (slots + count) * sizeof *t->slots);
    memset(t->slots, 0xff, slots * sizeof *t->slots); /* THIN_FREE */
    for (size_t i = 0; i < count; i++) {
        if (i % CLUMP_BLOCK_POINTS == 0) CLUMP_BIG_TRY(clump_big_workers_poll(&job->workers, message));
        out->of[i] = insert(t, i);
    }
    out->count = t->voxels;
    out->indices = malloc(out->count * sizeof *out->indices + 1);
    return out->indices ? CLUMP_OK : clump_big_no_memory(message, out->count * sizeof *out->indices);
}

/* Moves the representatives to the front, and numbers them. A number is not above the position of its point, so it is not
 * taken for one of a later point. */
static void gather(const thin_table *t, clump_big_loaded *l, clump_big_thinned *out)
{
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++) {
        uint32_t *const slot = &t->slots[out->of[i]];
        if (*slot != i) continue;
        CLUMP_ASSERT(n <= i && n < out->count);
        memmove(l->xyz + 3 * n, l->xyz + 3 * i, 3 * sizeof *l->xyz);
        if (i < l->own) l->strip[n] = l->strip[i];
        out->own += i < l->own;
        out->indices[n] = l->indices[i];
        *slot = (uint32_t)n++;
    }
    CLUMP_ASSERT(n == out->count);
    for (size_t i = 0; i < l->own; i++) out->of[i] = t->slots[out->of[i]];
}

clump_status clump_big_thin_select(const clump_big_job *job, clump_big_loaded *loaded, clump_big_thinned *out,
                                   clump_message *message)
{
    thin_table t = {.l = loaded,
                    .side = job->frame.thin,
                    .two_d = job->frame.two_d,
                    .key = clump_hash_key_make((uint64_t)(uintptr_t)loaded->xyz ^ job->fingerprint)};
    *out = (clump_big_thinned){0};
    const clump_status status = insert_all(job, &t, out, message);
    if (status == CLUMP_OK) gather(&t, loaded, out);
    free(t.slots);
    return status;
}

void clump_big_thin_carry(const clump_big_thinned *thinned, clump_big_loaded *loaded, clump_piece *piece)
{
    const size_t labels = (size_t)piece->cluster_count + (size_t)piece->choice_count;
    int64_t *const sizes = (int64_t *)piece->sizes;
    int32_t *const label = loaded->labels;
    memset(sizes, 0, labels * sizeof *sizes);
    for (size_t i = loaded->own;
         i-- > 0;) { /* the number of a representative is not above the positions of its points */
        CLUMP_ASSERT(thinned->of[i] <= i && thinned->of[i] < thinned->own);
        label[i] = label[thinned->of[i]];
        if (label[i] != CLUMP_NOISE) sizes[label[i]]++;
    }
    piece->own = loaded->own;
}

void clump_big_thin_release(clump_big_thinned *thinned)
{
    free(thinned->indices);
    free(thinned->of);
    *thinned = (clump_big_thinned){0};
}
