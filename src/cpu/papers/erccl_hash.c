/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_hash.c: the method that Tian et al. 2020 compare ER-CCL with ([28]). Occupied cells are in a hash table. A
 * breadth-first search from each unlabelled cell labels all cells that it reaches in steps of at most `reach` cells.
 * Heights are ignored. There is no map: memory is proportional to the points.
 *
 *     slot     -  -  7  -  -  -  3  9  -        numbers of cells, by a hash of their place, with linear probing
 *     place    of cell 0, 1, 2 ...              cells in the order of their first points; so are the obstacles
 */
#include "cpu/papers/papers.h"

#include "core/work.h"
#include "rules/hash.h"

#include <stdlib.h>
#include <string.h>

#define HASH_FREE     UINT32_MAX
#define HASH_NO_LABEL (-1)

typedef struct cell {
    uint32_t place;
    int32_t label;
} cell;

typedef struct table {
    clump_hash_key key;
    uint32_t *slot;
    uint32_t slots;
    cell *cells;
    uint32_t count;
} table;

/* Returns the slot of the cell at a place, or the free slot where it belongs. */
static uint32_t slot_of(const table *t, uint32_t place)
{
    uint32_t at = clump_hash_slot(clump_hash(t->key, (int32_t)place, 0, 0, 0), t->slots);
    while (t->slot[at] != HASH_FREE && t->cells[t->slot[at]].place != place) at = at + 1 < t->slots ? at + 1 : 0;
    return at;
}

/* Labels the unlabelled cells within reach of this one and appends them to the queue. Returns its new end. */
static uint32_t label_within_reach(const table *t, const clump_erccl_job *job, uint32_t row_bits, const cell *from,
                                   uint32_t *queue, uint32_t tail)
{
    const int32_t reach = job->reach, rows = (int32_t)job->map.rows, columns = (int32_t)job->map.columns;
    const int32_t row = (int32_t)(from->place / row_bits), column = (int32_t)(from->place % row_bits);
    for (int32_t r = row - reach; r <= row + reach; r++) {
        if (r < 0 || r >= rows) continue;
        for (int32_t c = column - reach; c <= column + reach; c++) {
            if (c < 0 || c >= columns) continue;
            if (job->alike[abs(r - row) * (reach + 1) + abs(c - column)] < 0) continue;
            const uint32_t at = t->slot[slot_of(t, (uint32_t)r * row_bits + (uint32_t)c)];
            if (at == HASH_FREE || t->cells[at].label != HASH_NO_LABEL) continue;
            t->cells[at].label = from->label;
            queue[tail++] = at;
        }
    }
    return tail;
}

clump_status clump_erccl_hash(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, int32_t *clusters)
{
    const size_t points = job->in.count;
    size_t slots = 16;
    while (slots < 2 * points) slots *= 2;
    const size_t bytes = slots * sizeof(uint32_t) + points * (sizeof(cell) + sizeof(uint32_t));
    CLUMP_TRY(clump_buffer_reserve(work, &e->scratch, bytes));
    table t = {
        .key = work->hash_key, .slot = e->scratch.data, .slots = (uint32_t)(slots < UINT32_MAX ? slots : UINT32_MAX)};
    t.cells = (cell *)(t.slot + slots);
    uint32_t *const queue = (uint32_t *)(t.cells + points);
    memset(t.slot, 0xff, slots * sizeof *t.slot);

    int32_t *const labels = job->in.labels;
    for (size_t i = 0; i < points; i++) {
        if (labels[i] < 0) continue;
        const uint32_t at = slot_of(&t, (uint32_t)labels[i]);
        if (t.slot[at] == HASH_FREE) {
            CLUMP_ASSERT(t.count < points);
            t.cells[t.count] = (cell){(uint32_t)labels[i], HASH_NO_LABEL};
            t.slot[at] = t.count++;
        }
        labels[i] = (int32_t)t.slot[at];
    }
    for (uint32_t c = 0; c < t.count; c++) {
        if (t.cells[c].label != HASH_NO_LABEL) continue;
        t.cells[c].label = (*clusters)++;
        uint32_t tail = 0;
        queue[tail++] = c;
        for (uint32_t head = 0; head < tail; head++) {
            CLUMP_TRY(clump_poll(work));
            tail = label_within_reach(&t, job, e->cells.words * 64, &t.cells[queue[head]], queue, tail);
        }
    }
    for (size_t i = 0; i < points; i++)
        if (labels[i] >= 0) labels[i] = t.cells[labels[i]].label;
    return CLUMP_OK;
}
