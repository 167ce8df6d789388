/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_keys.c: see row_keys.h.
 */
#include "cpu/rows/row_keys.h"

#include "cpu/grid/batch.h"
#include "cpu/shared/points.h"
#include "rules/cell.h"

#include <math.h>

/* Lower and upper ends in lanes: compilers do not vectorise the minimum of an array of floats. */
typedef struct ends {
    float lower[CLUMP_KEYS_BATCH], upper[CLUMP_KEYS_BATCH];
} ends;

static void widen(ends *e, const float *x, size_t m)
{
    for (size_t j = 0; j < m; j++) {
        e->lower[j] = x[j] < e->lower[j] ? x[j] : e->lower[j];
        e->upper[j] = x[j] > e->upper[j] ? x[j] : e->upper[j];
    }
}

static bool all_finite(const float *x, const float *y, const float *z, size_t m)
{
    int finite = 0;
    for (size_t j = 0; j < m; j++)
        finite += (fabsf(x[j]) < INFINITY) & (fabsf(y[j]) < INFINITY) & (fabsf(z[j]) < INFINITY);
    return (size_t)finite == m;
}

/* Counts the points from `base` on that take no part and removes them from the batch. Returns the size of the rest. */
static size_t sift_batch(const clump_cloud_job *job, size_t base, size_t m, float *x, float *y, float *z,
                         clump_row_box *box)
{
    size_t kept = 0;
    for (size_t j = 0; j < m; j++) {
        const size_t i = base + j;
        x[kept] = x[j], y[kept] = y[j], z[kept] = z[j];
        box->masked += clump_point_is_masked(job, i);
        box->unfinite += !clump_point_is_finite(clump_point_at(job, i), job->two_d);
        kept += clump_takes_part(job, i);
    }
    box->left_out += m - kept;
    return kept;
}

clump_row_box clump_row_box_make(const clump_cloud_job *job, size_t begin, size_t end)
{
    clump_row_box box = {0};
    ends axis[3];
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < CLUMP_KEYS_BATCH; j++) axis[k].lower[j] = INFINITY, axis[k].upper[j] = -INFINITY;
    for (size_t base = begin; base < end; base += CLUMP_KEYS_BATCH) {
        float x[CLUMP_KEYS_BATCH], y[CLUMP_KEYS_BATCH], z[CLUMP_KEYS_BATCH];
        size_t m = end - base < CLUMP_KEYS_BATCH ? end - base : CLUMP_KEYS_BATCH;
        clump_batch_load(job, base, m, x, y, z);
        if (job->mask || !all_finite(x, y, z, m)) m = sift_batch(job, base, m, x, y, z, &box);
        widen(&axis[0], x, m), widen(&axis[1], y, m), widen(&axis[2], z, m);
    }
    for (int k = 0; k < 3; k++) {
        box.lower[k] = INFINITY, box.upper[k] = -INFINITY;
        for (size_t j = 0; j < CLUMP_KEYS_BATCH; j++) {
            box.lower[k] = fminf(box.lower[k], axis[k].lower[j]);
            box.upper[k] = fmaxf(box.upper[k], axis[k].upper[j]);
        }
    }
    return box;
}

void clump_row_box_add(clump_row_box *box, const clump_row_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->lower[k] = fminf(box->lower[k], other->lower[k]);
        box->upper[k] = fmaxf(box->upper[k], other->upper[k]);
    }
    box->unfinite += other->unfinite, box->masked += other->masked, box->left_out += other->left_out;
}

bool clump_row_keys_make(clump_row_keys *keys, float d, const clump_row_box *box, size_t slabs)
{
    const float *const lower = box->lower, *const upper = box->upper;
    keys->inverse = 1 / ((double)d * (1 + 0x1p-20));
    uint64_t size[3];
    for (int k = 0; k < 3; k++) {
        const double inverse = k == 0 ? keys->inverse * CLUMP_KEYS_FINE : keys->inverse;
        if (!(fmax(fabs((double)lower[k]), fabs((double)upper[k])) * keys->inverse < 0x1p26)) return false;
        keys->lower[k] = clump_cell_near(lower[k], inverse);
        size[k] = (uint64_t)(clump_cell_near(upper[k], inverse) - (int64_t)keys->lower[k]) + 1;
    }
    keys->lower[0] &= -CLUMP_KEYS_FINE; /* so that the edges of whole cells are multiples of CLUMP_KEYS_FINE */
    keys->cells_y = size[1];
    keys->x_bits = clump_bit_length(size[0] + CLUMP_KEYS_FINE - 1);
    if (clump_bit_length(size[1] * size[2]) + keys->x_bits > 62) return false;
    const uint64_t last = ((size[1] * size[2]) << keys->x_bits) - 1;
    keys->shift = CLUMP_KEYS_LOG; /* a whole cell is in one slab */
    while (last >> keys->shift >= slabs) keys->shift++;
    keys->slabs = (size_t)(last >> keys->shift) + 1;
    return true;
}

void clump_row_keys_number(const clump_row_keys *keys, const float *x, const float *y, const float *z, size_t m,
                           uint64_t *key)
{
    int32_t cx[CLUMP_KEYS_BATCH], cy[CLUMP_KEYS_BATCH], cz[CLUMP_KEYS_BATCH];
    const double inverse = keys->inverse, fine = keys->inverse * CLUMP_KEYS_FINE;
    CLUMP_ASSERT(m <= CLUMP_KEYS_BATCH);
    for (size_t j = 0; j < m; j++) cx[j] = clump_cell_near(x[j], fine) - keys->lower[0];
    for (size_t j = 0; j < m; j++) cy[j] = clump_cell_near(y[j], inverse) - keys->lower[1];
    for (size_t j = 0; j < m; j++) cz[j] = clump_cell_near(z[j], inverse) - keys->lower[2];
    for (size_t j = 0; j < m; j++)
        key[j] = ((uint32_t)cz[j] * keys->cells_y + (uint32_t)cy[j]) << keys->x_bits | (uint32_t)cx[j];
}
