/* SPDX-License-Identifier: BSD-3-Clause
 *
 * select.c: a part of a cloud's points. Every array with one entry per point is compacted in place.
 */
#include "format.h"

#include "common/assert.h"

#include <string.h>

/* Moves the entries of the points to keep, size bytes per point, to the front. */
static void compact(void *data, size_t size, const uint8_t *keep, size_t count)
{
    CLUMP_ASSERT(size >= 1);
    unsigned char *to = data;
    const unsigned char *from = data;
    for (size_t i = 0; i < count; i++, from += size) {
        if (!keep[i]) continue;
        if (to != from) memcpy(to, from, size);
        to += size;
    }
}

size_t clump_cloud_select(clump_cloud *cloud, const uint8_t *keep)
{
    if (!cloud || !keep) return cloud ? cloud->count : 0;
    size_t left = 0;
    for (size_t i = 0; i < cloud->count; i++) left += keep[i] != 0;
    if (left == cloud->count) return left;
    compact(cloud->xyz, 3 * sizeof *cloud->xyz, keep, cloud->count);
    if (cloud->exact) compact(cloud->exact, 3 * sizeof *cloud->exact, keep, cloud->count);
    if (cloud->grid.steps) compact(cloud->grid.steps, 3 * sizeof *cloud->grid.steps, keep, cloud->count);
    for (size_t f = 0; f < cloud->field_count; f++) {
        const clump_field *const field = &cloud->fields[f];
        compact((void *)(uintptr_t)field->data, field->count * clump_type_size(field->type), keep, cloud->count);
    }
    cloud->count = cloud->info.width = left;
    cloud->info.height = 1;
    return left;
}
