/* SPDX-License-Identifier: BSD-3-Clause
 *
 * median.h: about the median of the last five steps, which predicts the next.
 *
 *     values   a <= b <= c <= d <= e     c is the prediction
 *
 * A new value replaces the greatest or the least. Which of the two changes when the new value is in that half.
 */
#ifndef CLUMP_IO_LAZ_MEDIAN_H
#define CLUMP_IO_LAZ_MEDIAN_H

#include <stdint.h>

typedef struct clump_io_laz_median {
    int32_t values[5]; /* ascending; values[2] is the median */
    uint32_t least;    /* 1: the next value replaces the least, 0: the greatest */
} clump_io_laz_median;

static inline int32_t clump_io_laz_less(int32_t a, int32_t b)
{
    return a < b ? a : b;
}
static inline int32_t clump_io_laz_more(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Inserts without branches: the order of steps cannot be predicted. */
static inline void clump_io_laz_median_add(clump_io_laz_median *m, int32_t value)
{
    const int32_t *kept = m->values + m->least;
    const int32_t a = kept[0], b = kept[1], c = kept[2], d = kept[3];
    const uint32_t more = value > m->values[2], same = value == m->values[2];
    m->least = more | (same & ~m->least & 1u);
    m->values[0] = clump_io_laz_less(a, value);
    m->values[1] = clump_io_laz_more(a, clump_io_laz_less(b, value));
    m->values[2] = clump_io_laz_more(b, clump_io_laz_less(c, value));
    m->values[3] = clump_io_laz_more(c, clump_io_laz_less(d, value));
    m->values[4] = clump_io_laz_more(d, value);
}

#endif
