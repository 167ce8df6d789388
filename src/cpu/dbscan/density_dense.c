/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density_heavy.c: thin cells with many points. There min_points is large, and a comparison of all points of one cell
 * with all points of another costs the product of their sizes. Where boxes decide too little, the sieve counts
 * (sieve.h), for all open points of a cell at once.
 */
#include "cpu/dbscan/density_work.h"

#include <string.h>

/* Pairs from which on the sieve is quicker than all pairs. */
#define WORTH_IT ((size_t)1 << 18)

static const clump_rep *cell_of(const surroundings *s, unsigned c)
{
    return &s->b->rep[clump_cell_number(s->mid, c)];
}

static bool worth_a_sieve(size_t a, size_t b)
{
    return a >= CLUMP_HEAVY && b >= CLUMP_HEAVY && a * b >= WORTH_IT;
}

/* ----- core points --------------------------------------------------------------------------------- */

/* Moves points to the front that the box of a cell does not decide, counts for those that it does. */
static size_t undecided(const clump_density *d, const clump_heavy *h, size_t count, const clump_rep *other)
{
    size_t front = 0;
    for (size_t k = 0; k < count; k++) {
        const clump_point p = h->open[k];
        const clump_verdict told = ask_box(d, p, other);
        if (told == CLUMP_ALL_NEAR) h->near[p.more] += other->count;
        if (told != CLUMP_SOME_NEAR) continue;
        h->open[k] = h->open[front];
        h->open[front++] = p;
    }
    return front;
}

/* Adds the neighbours in a cell to the counts of the open points; returns the work. */
static size_t count_in(const clump_density *d, const clump_heavy *h, size_t count, const clump_rep *other)
{
    const size_t open = undecided(d, h, count, other);
    size_t work = count;
    if (worth_a_sieve(open, other->count)) {
        const uint32_t needed = d->min_points < UINT32_MAX ? (uint32_t)d->min_points : UINT32_MAX;
        memcpy(h->other, d->points + other->begin, other->count * sizeof *h->other);
        clump_sieve_count(h->open, open, h->other, other->count, d->bound, needed, h->near, &work);
        return work;
    }
    for (size_t k = 0; k < open; k++) {
        uint32_t *const near = &h->near[h->open[k].more];
        *near += (uint32_t)count_points(d, h->open[k], other, d->min_points - *near);
    }
    return work + open * other->count;
}

/* Points that have enough neighbours are core points and leave; so do those that cannot get enough any more. */
static size_t settle(const clump_density *d, const clump_heavy *h, size_t count, const clump_rep *cell, size_t left,
                     uint8_t *core)
{
    size_t open = 0;
    for (size_t k = 0; k < count; k++) {
        const clump_point p = h->open[k];
        const size_t near = h->near[p.more];
        if (near >= d->min_points)
            core[d->points[cell->begin + p.more].more] = 1;
        else if (near + left >= d->min_points)
            h->open[open++] = p;
    }
    return open;
}

size_t clump_heavy_core(const clump_density *d, const clump_heavy *h, surroundings *s, unsigned c, uint8_t *core)
{
    const clump_rep *const cell = cell_of(s, c), *other;
    size_t left = 0, work = 0;
    for (ring r = ring_of(s, c); (other = next_cell(&r));) left += other->count;
    if (cell->count + left < d->min_points) return 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        h->open[i] = d->points[cell->begin + i];
        h->open[i].more = i;
        h->near[i] = cell->count; /* all of its own */
    }
    size_t count = cell->count;
    for (ring r = ring_of(s, c); count > 0 && (other = next_cell(&r));) {
        left -= other->count;
        work += count_in(d, h, count, other);
        count = settle(d, h, count, cell, left, core);
    }
    return work;
}

/* ----- border points ------------------------------------------------------------------------------- */

/* Moves points to the front for which a cell's label is an improvement, and which may be near its points. */
static size_t candidates(const clump_density *d, const clump_heavy *h, size_t count, const clump_rep *other)
{
    size_t front = 0;
    for (size_t k = 0; k < count; k++) {
        const clump_point p = h->open[k];
        if (h->best[p.more] <= other->index || ask_box(d, p, other) == CLUMP_NONE_NEAR) continue;
        h->open[k] = h->open[front];
        h->open[front++] = p;
    }
    return front;
}

/* Gives the label of a cell to the points that are near a core point of the cell; returns the work. */
static size_t label_from(const clump_density *d, const clump_heavy *h, size_t count, const clump_rep *other,
                         const uint8_t *core)
{
    const size_t open = candidates(d, h, count, other);
    size_t work = count, cores = 0;
    if (!worth_a_sieve(open, other->count)) {
        for (size_t k = 0; k < open; k++)
            if (core_near(d, core, h->open[k], other)) h->best[h->open[k].more] = other->index;
        return work + open * other->count;
    }
    for (uint32_t i = other->begin; i < other->begin + other->count; i++)
        if (core[d->points[i].more]) h->other[cores++] = d->points[i];
    for (size_t k = 0; k < open; k++) h->near[h->open[k].more] = 0;
    clump_sieve_count(h->open, open, h->other, cores, d->bound, 1, h->near, &work);
    for (size_t k = 0; k < open; k++)
        if (h->near[h->open[k].more] > 0) h->best[h->open[k].more] = other->index;
    return work;
}

size_t clump_heavy_border(const clump_density *d, const clump_heavy *h, surroundings *s, unsigned c,
                          const uint8_t *core, int32_t *labels, size_t *work)
{
    const clump_rep *const cell = cell_of(s, c), *other;
    size_t count = 0, given = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        if (core[d->points[cell->begin + i].more]) continue;
        h->open[count] = d->points[cell->begin + i];
        h->open[count++].more = i;
        h->best[i] = cell->index; /* the own cell is within eps as a whole; CLUMP_NOISE is the largest */
    }
    for (ring r = ring_of(s, c); count > 0 && (other = next_cell(&r));)
        if (other->index != (uint32_t)CLUMP_NOISE) *work += label_from(d, h, count, other, core);
    for (size_t k = 0; k < count; k++) {
        const uint32_t at = h->open[k].more, best = h->best[at];
        if ((int32_t)best == CLUMP_NOISE) continue;
        labels[d->points[cell->begin + at].more] = (int32_t)best;
        given++;
    }
    return given;
}
