/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density_dense.c: dense cells, which are thin cells with CLUMP_DENSE_CELL points or more. There min_points is large, and
 * comparing all points of two cells costs the product of their sizes. Where boxes decide too little, the sieve (sieve.h)
 * counts for all open points of a cell at once. Measured at 25,000 points on one thread: 521 to 5,256 ns per point
 * instead of 9,100 to 18,694.
 */
#include "cpu/dbscan/density_work.h"

#include <string.h>

/* From this many pairs on the sieve counts; below, all pairs are faster. */
#define DENSE_SIEVE_PAIRS ((size_t)1 << 18)

static bool worth_a_sieve(size_t a, size_t b)
{
    return a >= CLUMP_DENSE_CELL && b >= CLUMP_DENSE_CELL && a * b >= DENSE_SIEVE_PAIRS;
}

/* ----- core points --------------------------------------------------------------------------------- */

/* Moves to the front the open points that the box of a cell does not decide, and returns their number. Adds to the counts
 * of the others. */
static size_t move_undecided(const clump_density *d, const clump_dense_scratch *h, size_t count, const clump_rep *other)
{
    size_t front = 0;
    for (size_t k = 0; k < count; k++) {
        const clump_point p = h->open[k];
        const clump_verdict verdict = box_verdict(d, p, other);
        if (verdict == CLUMP_ALL_NEAR) h->neighbours[p.more] += other->count;
        if (verdict != CLUMP_SOME_NEAR) continue;
        h->open[k] = h->open[front];
        h->open[front++] = p;
    }
    return front;
}

/* Adds the neighbours in a cell to the counts of the open points. Returns the work. */
static size_t count_in_cell(const clump_density *d, const clump_dense_scratch *h, size_t count, const clump_rep *other)
{
    const size_t open = move_undecided(d, h, count, other);
    size_t work = count;
    if (worth_a_sieve(open, other->count)) {
        const uint32_t needed = d->min_points < UINT32_MAX ? (uint32_t)d->min_points : UINT32_MAX;
        memcpy(h->other, d->points + other->begin, other->count * sizeof *h->other);
        clump_sieve_count(h->open, open, h->other, other->count, d->bound, needed, h->neighbours, d->team, &work);
        return work;
    }
    for (size_t k = 0; k < open; k++) {
        uint32_t *const neighbours = &h->neighbours[h->open[k].more];
        *neighbours += (uint32_t)count_points(d, h->open[k], other, d->min_points - *neighbours);
    }
    return work + open * other->count;
}

/* Marks points with enough neighbours as core points. Returns how many of the others can still get enough from `left`
 * more points; only these stay open. */
static size_t settle_points(const clump_density *d, const clump_dense_scratch *h, size_t count, const clump_rep *cell,
                            size_t left, uint8_t *core)
{
    size_t open = 0;
    for (size_t k = 0; k < count; k++) {
        const clump_point p = h->open[k];
        const size_t neighbours = h->neighbours[p.more];
        if (neighbours >= d->min_points)
            core[d->points[cell->begin + p.more].more] = 1;
        else if (neighbours + left >= d->min_points)
            h->open[open++] = p;
    }
    return open;
}

size_t clump_dense_core(const clump_density *d, const clump_dense_scratch *h, surroundings *s, unsigned c,
                        uint8_t *core)
{
    const clump_rep *const cell = cell_of(s, c), *other;
    CLUMP_ASSERT(cell->count <= d->room);
    size_t left = 0, work = 0;
    for (ring r = ring_of(s, c); (other = next_cell(&r));) left += other->count;
    if (cell->count + left < d->min_points) return 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        h->open[i] = d->points[cell->begin + i];
        h->open[i].more = i;
        h->neighbours[i] = cell->count; /* all points of the own cell */
    }
    size_t count = cell->count;
    for (ring r = ring_of(s, c); count > 0 && (other = next_cell(&r));) {
        left -= other->count;
        work += count_in_cell(d, h, count, other);
        count = settle_points(d, h, count, cell, left, core);
    }
    return work;
}

/* ----- border points ------------------------------------------------------------------------------- */

/* Moves to the front the points for which the label of a cell is smaller than their own, and which may be within eps of
 * its points. Returns their number. */
static size_t move_candidates(const clump_density *d, const clump_dense_scratch *h, size_t count,
                              const clump_rep *other)
{
    size_t front = 0;
    for (size_t k = 0; k < count; k++) {
        const clump_point p = h->open[k];
        if (h->best[p.more] <= other->index || box_verdict(d, p, other) == CLUMP_NONE_NEAR) continue;
        h->open[k] = h->open[front];
        h->open[front++] = p;
    }
    return front;
}

/* Gives the label of a cell to the points within eps of a core point of the cell. Returns the work. */
static size_t label_from_cell(const clump_density *d, const clump_dense_scratch *h, size_t count,
                              const clump_rep *other, const uint8_t *core)
{
    const size_t open = move_candidates(d, h, count, other);
    size_t work = count, cores = 0;
    if (!worth_a_sieve(open, other->count)) {
        for (size_t k = 0; k < open; k++)
            if (core_within(d, core, h->open[k], other)) h->best[h->open[k].more] = other->index;
        return work + open * other->count;
    }
    for (uint32_t i = other->begin; i < other->begin + other->count; i++)
        if (core[d->points[i].more]) h->other[cores++] = d->points[i];
    for (size_t k = 0; k < open; k++) h->neighbours[h->open[k].more] = 0;
    clump_sieve_count(h->open, open, h->other, cores, d->bound, 1, h->neighbours, d->team, &work);
    for (size_t k = 0; k < open; k++)
        if (h->neighbours[h->open[k].more] > 0) h->best[h->open[k].more] = other->index;
    return work;
}

size_t clump_dense_border(const clump_density *d, const clump_dense_scratch *h, surroundings *s, unsigned c,
                          const uint8_t *core, int32_t *labels, size_t *work)
{
    const clump_rep *const cell = cell_of(s, c), *other;
    size_t count = 0, given = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        if (core[d->points[cell->begin + i].more]) continue;
        h->open[count] = d->points[cell->begin + i];
        h->open[count++].more = i;
        h->best[i] = cell->index; /* all of the own cell is within eps; CLUMP_NOISE is the largest */
    }
    for (ring r = ring_of(s, c); count > 0 && (other = next_cell(&r));)
        if (other->index != (uint32_t)CLUMP_NOISE) *work += label_from_cell(d, h, count, other, core);
    for (size_t k = 0; k < count; k++) {
        const uint32_t at = h->open[k].more, best = h->best[at];
        if ((int32_t)best == CLUMP_NOISE) continue;
        labels[d->points[cell->begin + at].more] = (int32_t)best;
        given++;
    }
    return given;
}
