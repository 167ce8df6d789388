/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_azimuth.c: nearest neighbours after "Parallel Nearest Neighbor Search for Velodyne LiDAR Point
 * Clouds": a turning sensor's points are cut into partitions by azimuth, and a query is compared with
 * every point of its own. What lies just over the border of a partition is missed: the method is
 * approximate. The window says how many partitions are searched on either side as well; the paper's is 0.
 * Where all of these are empty, those next to them are searched, farther and farther, until one is not.
 *
 *     points    | partition 0 | partition 1 || partition 3 | ...       one may be empty
 *     begin       0             ^             ^^
 */
#include "cpu/nn/nn_azimuth.h"

#include "core/context.h"
#include "rules/azimuth.h"

#include <math.h>
#include <string.h>

#define POLLED 8192 /* points between two polls */

static inline bool is_finite(const float *p)
{
    return fabsf(p[0]) < INFINITY && fabsf(p[1]) < INFINITY && fabsf(p[2]) < INFINITY;
}

clump_status clump_azimuth_build(clump_context *home, clump_azimuth_parts *parts, clump_view view, int partitions,
                                 int window)
{
    parts->partitions = partitions, parts->window = window, parts->count = 0;
    clump_status status =
        clump_buffer_reserve(home, &parts->begin_memory, ((size_t)partitions + 1) * sizeof *parts->begin);
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(home, &parts->point_memory, view.count * sizeof *parts->points);
    if (status != CLUMP_OK) return status;
    uint32_t *const begin = parts->begin = parts->begin_memory.data;
    clump_tree_point *const points = parts->points = parts->point_memory.data;
    memset(begin, 0, ((size_t)partitions + 1) * sizeof *begin);
    for (size_t i = 0; i < view.count; i++) {
        if (i % POLLED == 0) CLUMP_TRY(clump_poll(home));
        const float *const p = clump_view_at(view, i);
        if (is_finite(p)) begin[clump_azimuth_partition(p[0], p[1], partitions) + 1]++;
    }
    for (int k = 0; k < partitions; k++) begin[k + 1] += begin[k];
    /* begin[k] moves to the end of k while its points come in, which is where k + 1 begins */
    for (size_t i = 0; i < view.count; i++) {
        if (i % POLLED == 0) CLUMP_TRY(clump_poll(home));
        const float *const p = clump_view_at(view, i);
        if (is_finite(p))
            points[begin[clump_azimuth_partition(p[0], p[1], partitions)]++] =
                (clump_tree_point){p[0], p[1], p[2], (int32_t)i};
    }
    memmove(begin + 1, begin, (size_t)partitions * sizeof *begin);
    begin[0] = 0;
    parts->count = begin[partitions];
    return CLUMP_OK;
}

static size_t look(const clump_azimuth_parts *parts, clump_find *find, int partition)
{
    const uint32_t first = parts->begin[partition], last = parts->begin[partition + 1];
    clump_find_look(find, parts->points, first, last);
    return last - first;
}

void clump_azimuth_find(const clump_azimuth_parts *parts, clump_find *find)
{
    if (parts->count == 0) return;
    const int n = parts->partitions, middle = clump_azimuth_partition(find->x, find->y, n);
    size_t seen = look(parts, find, middle);
    for (int step = 1; step <= n / 2 && (step <= parts->window || seen == 0); step++) {
        const int right = (middle + step) % n, left = (middle - step + n) % n;
        seen += look(parts, find, right);
        if (left != right) seen += look(parts, find, left);
    }
}

void clump_azimuth_release(clump_context *home, clump_azimuth_parts *parts)
{
    clump_buffer_release(home, &parts->point_memory);
    clump_buffer_release(home, &parts->begin_memory);
    *parts = (clump_azimuth_parts){0};
}
