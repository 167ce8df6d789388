/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_find.c: puts what was found in order. See nn_find.h.
 */
#include "cpu/nn/nn_find.h"

#include <math.h>

void clump_find_nearest(clump_find *find, int32_t *indices, float *distances)
{
    uint64_t *const heap = find->heap;
    const size_t n = find->found;
    if (n < find->room) clump_heap_make(heap, n); /* not a heap yet */
    for (size_t i = n; i-- > 0;) {
        const uint64_t worst = clump_heap_pop(heap, i + 1);
        indices[i] = (int32_t)(uint32_t)worst;
        if (distances) distances[i] = clump_find_distance(worst);
    }
    for (size_t i = n; i < find->room; i++) {
        indices[i] = -1;
        if (distances) distances[i] = INFINITY;
    }
}

static void sink_row(int32_t *indices, float *distances, size_t n, size_t at)
{
    const int32_t index = indices[at];
    const float distance = distances ? distances[at] : 0;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && indices[child + 1] > indices[child]) child++;
        if (indices[child] <= index) break;
        indices[at] = indices[child];
        if (distances) distances[at] = distances[child];
    }
    indices[at] = index;
    if (distances) distances[at] = distance;
}

/* Heap sort of two arrays: the row is the caller's, so it is sorted in place. */
void clump_find_sort_row(int32_t *indices, float *distances, size_t n)
{
    for (size_t i = n / 2; i-- > 0;) sink_row(indices, distances, n, i);
    for (size_t i = n; i-- > 1;) {
        const int32_t index = indices[0];
        indices[0] = indices[i], indices[i] = index;
        if (distances) {
            const float distance = distances[0];
            distances[0] = distances[i], distances[i] = distance;
        }
        sink_row(indices, distances, i, 0);
    }
}
