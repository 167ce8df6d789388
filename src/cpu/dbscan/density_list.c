/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density_list.c: all clusters next to border points, where they are several. It runs after the border points have their
 * labels: then every cell knows the label of its core points, and every border point the smallest label next to it.
 */
#include "core/work.h"
#include "cpu/dbscan/density_work.h"
#include "cpu/shared/border_list.h"

#define LIST_BLOCKS 4 /* blocks per chunk, as for the labels of border points */

typedef struct list_task {
    const clump_density *d;
    const uint8_t *core;
    const int32_t *labels;
    clump_border_list *list;
} list_task;

/* Returns whether core points of two clusters are in a cell and those around it. Most cells have one at most. */
static bool has_several_labels(surroundings *s, unsigned c)
{
    uint32_t label = cell_of(s, c)->index;
    ring r = ring_of(s, c);
    for (const clump_rep *other; (other = next_cell(&r));) {
        if (other->index == (uint32_t)CLUMP_NOISE || other->index == label) continue;
        if (label != (uint32_t)CLUMP_NOISE) return true;
        label = other->index;
    }
    return false;
}

/* Lists the clusters next to border point p of cell c. All points of its own cell are within eps. */
static void list_point(const list_task *w, surroundings *s, unsigned c, clump_point p)
{
    const uint32_t smallest = (uint32_t)w->labels[p.more], own = cell_of(s, c)->index;
    clump_border_others others = {.count = 0};
    if (own != (uint32_t)CLUMP_NOISE && own != smallest) clump_border_add(&others, own);
    ring r = ring_of(s, c);
    for (const clump_rep *other; (other = next_cell(&r));) {
        const uint32_t label = other->index;
        if (label == (uint32_t)CLUMP_NOISE || label == smallest || clump_border_has(&others, label)) continue;
        if (core_within(w->d, w->core, p, other)) clump_border_add(&others, label);
    }
    clump_border_write(w->list, p.more, (int32_t)smallest, &others);
}

static bool is_listed(const list_task *w, clump_point p)
{
    return p.more < w->list->points && !w->core[p.more] && w->labels[p.more] != CLUMP_NOISE;
}

/* Lists the border points of a cell. The cells around it are looked at only where the cell has border points. */
static void list_cell(const list_task *w, surroundings *s, unsigned c)
{
    const clump_density *const d = w->d;
    const clump_rep *const cell = cell_of(s, c);
    bool several = false;
    for (uint32_t i = cell->begin; i < cell->begin + cell->count && !clump_team_stopped(d->team); i++) {
        const clump_point p = d->points[i];
        if (!is_listed(w, p)) continue;
        if (!several && !has_several_labels(s, c)) return;
        several = true;
        list_point(w, s, c, p);
    }
}

static void list_block(const list_task *w, uint32_t id)
{
    const clump_density *const d = w->d;
    surroundings s = around_block(&d->grid, id);
    for (uint64_t cells = s.mid->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        if (cell_of(&s, c)->count < d->min_points) list_cell(w, &s, c);
    }
}

static void list_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) list_block(arg, (uint32_t)id);
}

clump_status clump_density_list(clump_work *work, clump_density *d, const uint8_t *core, const int32_t *labels,
                                clump_border_list *list, int threads)
{
    list_task w = {d, core, labels, list};
    return clump_run(work, threads, d->grid.block_count, LIST_BLOCKS, list_blocks, &w);
}
