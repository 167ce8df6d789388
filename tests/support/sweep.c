/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sweep.c: see sweep.h.
 */
#include "support/sweep.h"

#include "oracle/oracle.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const sweep_entry *const p = a, *const q = b;
    return p->at < q->at ? -1 : p->at > q->at;
}

size_t sweep_line_up(clump_points points, const clump_ec_options *options, sweep_entry *line)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    const int axes = options && options->common.two_d ? 2 : 3;
    size_t n = 0;
    for (size_t i = 0; i < points.count; i++) {
        if (!oracle_takes_part(points, options, i)) continue;
        const float *const p = oracle_point(points, i);
        line[n++].index = i;
        for (int k = 0; k < axes; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    int widest = 0;
    for (int k = 1; k < axes; k++)
        if (high[k] - low[k] > high[widest] - low[widest]) widest = k;
    for (size_t a = 0; a < n; a++) line[a].at = oracle_point(points, line[a].index)[widest];
    qsort(line, n, sizeof *line, by_place);
    return n;
}

bool sweep_pairs(clump_points points, float d, const clump_ec_options *options, bool or_equal, const sweep_entry *line,
                 size_t n, bool (*f)(void *user, size_t i, size_t j), void *user)
{
    float most = 0; /* the largest bound of a point */
    for (size_t a = 0; a < n; a++) most = fmaxf(most, oracle_bound(oracle_point(points, line[a].index), d, options));
    for (size_t a = 0; a < n; a++) {
        const size_t i = line[a].index;
        for (size_t b = a + 1; b < n; b++) {
            const float apart = line[b].at - line[a].at;
            if (!(apart * apart <= most)) break;
            const size_t j = line[b].index;
            if (!oracle_neighbours(oracle_point(points, i), oracle_point(points, j), d, options, or_equal)) continue;
            if (!f(user, i, j)) return false;
        }
    }
    return true;
}

size_t sweep_root(size_t *parent, size_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

bool sweep_wrong(clump_message *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

bool sweep_check_numbers(clump_order order, int32_t clusters, const size_t *root, const size_t *size,
                         const size_t *first, clump_message *why)
{
    const bool by_size = order == CLUMP_ORDER_SIZE;
    for (int32_t c = 0; c < clusters; c++) {
        if (root[c] == SIZE_MAX) return sweep_wrong(why, "number %d of %d is not used", c, clusters);
        if (c == 0) continue;
        const size_t here = size[root[c]], before = size[root[c - 1]];
        if (by_size && here > before) return sweep_wrong(why, "number %d is larger than the one before", c);
        if ((!by_size || here == before) && first[c] < first[c - 1])
            return sweep_wrong(why, "number %d begins before %d", c, c - 1);
    }
    return true;
}
