/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_light.c: the first two steps of level 0 where there are levels above (ranged_shells.h). At level 0 most blocks
 * hold very few points, and a pair of blocks costs more than its points. So blocks of level 1 that are light are compared
 * by all their points, with the radii of level 0. Only where a block of level 1 is not light, it and the blocks around it
 * are joined by their blocks of level 0: these are `fine`.
 */
#include "cpu/ranged/shells_work.h"

#define LIGHT_CHUNK 32 /* blocks of level 1 */

typedef struct light_work {
    clump_shell_work *w;     /* of level 0 */
    clump_shell_work coarse; /* the blocks of level 1, with the radii of level 0 */
    int fine;                /* there are fine blocks */
} light_work;

/* Makes the sets of light blocks, and those of the blocks below the others. */
static void begin_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const light_work *const t = arg;
    for (uint32_t id = (uint32_t)begin; id < end; id++) {
        const clump_shell_ref b = clump_shell_ref_of(&t->coarse, id);
        const uint32_t last = clump_shell_end_below(t->w->s, 1, id);
        const bool light = clump_shell_is_light(b.is);
        b.is->fine = 0;
        if (light) {
            b.is->split = clump_shell_begin_points(t->w, b.is->begin, b.is->count);
            continue;
        }
        for (uint32_t k = (uint32_t)b.at->place; k < last; k++) {
            clump_shell_fill(t->w->s, t->w->at, k);
            clump_shell_join_inside(t->w, k);
        }
    }
}

/* Fills the blocks of level 0 below fine blocks that are light. */
static void fill_fine_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const light_work *const t = arg;
    for (uint32_t id = (uint32_t)begin; id < end; id++) {
        const clump_shell_ref b = clump_shell_ref_of(&t->coarse, id);
        if (!b.is->fine || !clump_shell_is_light(b.is)) continue;
        for (uint32_t k = (uint32_t)b.at->place, last = clump_shell_end_below(t->w->s, 1, id); k < last; k++) {
            clump_shell_fill(t->w->s, t->w->at, k);
            t->w->at->block[k].split = b.is->split;
        }
    }
}

/* Whether the points of a light block are in more than one set by now. */
static bool is_split(const clump_shell_work *w, const clump_shell_block *b)
{
    if (!b->split) return false;
    const uint32_t set = clump_find(w->parent, b->begin), end = b->begin + b->count;
    for (uint32_t i = b->begin + 1; i < end; i++)
        if (clump_find(w->parent, i) != set) return true;
    return false;
}

/* Joins a block of level 1 with the blocks ahead of it if both are light; else both are fine. */
static void join_light(light_work *t, uint32_t id)
{
    const clump_shell_ref a = clump_shell_ref_of(&t->coarse, id);
    clump_shell_ahead list[SHELL_BITS];
    const unsigned count = clump_shell_find_ahead(&t->coarse, a, list);
    const bool light = clump_shell_is_light(a.is);
    const bool split = light && count > 0 && is_split(t->w, a.is);
    if (!light) CLUMP_STORE(&a.is->fine, 1), CLUMP_STORE(&t->fine, 1);
    for (unsigned k = 0; k < count; k++) {
        const clump_shell_pair p = clump_shell_pair_with(&t->coarse, a, list[k].id, list[k].bit);
        if (!light || !clump_shell_is_light(p.b.is)) {
            CLUMP_STORE(&a.is->fine, 1), CLUMP_STORE(&p.b.is->fine, 1), CLUMP_STORE(&t->fine, 1);
            continue;
        }
        const bool whole = !split && !p.b.is->split;
        if (whole && clump_find(t->w->parent, a.is->begin) == clump_find(t->w->parent, p.b.is->begin)) continue;
        if (!clump_shell_apart(&a.is->box, &p.b.is->box)) clump_shell_join_points(t->w, &p, whole);
    }
}

static void join_light_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) join_light(arg, (uint32_t)id);
}

static void join_fine_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const light_work *const t = arg;
    const clump_shell_level *const above = t->coarse.at;
    for (uint32_t id = (uint32_t)begin; id < end; id++) {
        if (!above->block[id].fine) continue;
        for (uint32_t k = (uint32_t)above->table.block[id].place, last = clump_shell_end_below(t->w->s, 1, id);
             k < last; k++)
            clump_shell_join_block(t->w, k, above);
    }
}

clump_status clump_shells_light(clump_work *work, clump_shell_work *w, int threads)
{
    light_work t = {.w = w, .coarse = *w};
    t.coarse.at = &w->s->level[1];
    t.coarse.halved = true;
    const size_t blocks = t.coarse.at->table.count;
    CLUMP_TRY(clump_run(work, threads, blocks, LIGHT_CHUNK, begin_blocks, &t));
    CLUMP_TRY(clump_run(work, threads, blocks, LIGHT_CHUNK, join_light_blocks, &t));
    if (!t.fine) return CLUMP_OK;
    CLUMP_TRY(clump_run(work, threads, blocks, LIGHT_CHUNK, fill_fine_blocks, &t));
    return clump_run(work, threads, blocks, LIGHT_CHUNK, join_fine_blocks, &t);
}
