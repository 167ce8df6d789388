/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sweep.c: see sweep.h.
 */
#include "sweep.h"

#include "oracle.h"

#include <float.h>
#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const sweep_entry *const p = a, *const q = b;
    return p->at < q->at ? -1 : p->at > q->at;
}

size_t sweep_line_up(clump_points points, const clump_ec_options *options, sweep_entry *line)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    const int axes = options && options->two_d ? 2 : 3;
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
