/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_azimuth.c: nearest neighbours after "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds". The points
 * of a rotating sensor are divided into partitions by azimuth, and a query is compared with every point of its
 * partition. Points just beyond the border are missed: the method is approximate. `window` more partitions are searched
 * on either side; in the paper it is 0. Where all of these are empty, the next ones are searched until one is not.
 *
 *     points    | partition 0 | partition 1 || partition 3 | ...       partition 2 is empty
 *     begin       0             ^             ^^
 */
#include "cpu/nn/nn_boxes.h"

#include "core/work.h"
#include "rules/azimuth.h"

#include <string.h>

#define AZIMUTH_POLLED 8192 /* points between two polls: some tens of microseconds */

clump_status clump_azimuth_build(clump_work *home, clump_azimuth_parts *parts, clump_view view, int partitions,
                                 int window)
{
    parts->partitions = partitions, parts->window = window, parts->count = 0;
    CLUMP_ASSERT(partitions >= 1 && window >= 0);
    CLUMP_TRY(clump_buffer_reserve(home, &parts->begin_memory, ((size_t)partitions + 1) * sizeof *parts->begin));
    CLUMP_TRY(clump_buffer_reserve(home, &parts->point_memory, view.count * sizeof *parts->points));
    uint32_t *const begin = parts->begin = parts->begin_memory.data;
    clump_tree_point *const points = parts->points = parts->point_memory.data;
    memset(begin, 0, ((size_t)partitions + 1) * sizeof *begin);
    for (size_t i = 0; i < view.count; i++) {
        if (i % AZIMUTH_POLLED == 0) CLUMP_TRY(clump_poll(home));
        const float *const p = clump_view_at(view, i);
        if (clump_point_is_finite(p, false)) begin[clump_azimuth_partition(p[0], p[1], partitions) + 1]++;
    }
    for (int k = 0; k < partitions; k++) begin[k + 1] += begin[k];
    /* placing the points of k advances begin[k] to the end of k, where k + 1 begins */
    for (size_t i = 0; i < view.count; i++) {
        if (i % AZIMUTH_POLLED == 0) CLUMP_TRY(clump_poll(home));
        const float *const p = clump_view_at(view, i);
        if (clump_point_is_finite(p, false))
            points[begin[clump_azimuth_partition(p[0], p[1], partitions)]++] =
                (clump_tree_point){p[0], p[1], p[2], (int32_t)i};
    }
    memmove(begin + 1, begin, (size_t)partitions * sizeof *begin);
    begin[0] = 0;
    parts->count = begin[partitions];
    return CLUMP_OK;
}

/* Tests the points of a partition. Returns their number. */
static size_t test_partition(const clump_azimuth_parts *parts, clump_find *find, int partition)
{
    const uint32_t first = parts->begin[partition], last = parts->begin[partition + 1];
    clump_find_test(find, parts->points, first, last);
    return last - first;
}

void clump_azimuth_find(const clump_azimuth_parts *parts, clump_find *find)
{
    if (parts->count == 0) return;
    const int n = parts->partitions, middle = clump_azimuth_partition(find->x, find->y, n);
    size_t seen = test_partition(parts, find, middle);
    for (int step = 1; step <= n / 2 && (step <= parts->window || seen == 0); step++) {
        const int right = (middle + step) % n, left = (middle - step + n) % n;
        seen += test_partition(parts, find, right);
        if (left != right) seen += test_partition(parts, find, left);
    }
}

void clump_azimuth_release(clump_work *home, clump_azimuth_parts *parts)
{
    clump_buffer_release(home, &parts->point_memory);
    clump_buffer_release(home, &parts->begin_memory);
    *parts = (clump_azimuth_parts){0};
}
