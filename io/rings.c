/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.c: the rings of a cloud for clump_objects: a field of rings, or its rows.
 */
#include "format.h"

#include <math.h>

enum { RINGS_ROWS = 256 }; /* sensors that rotate have fewer rings; images have more rows */

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static bool is_ring(double value)
{
    return value >= 0 && value < CLUMP_RINGS_MOST && value == floor(value);
}

/* Returns the first finite point whose value is no ring; the number of points where there is none. */
static size_t find_wrong(const clump_cloud *cloud, const clump_field *field)
{
    const clump_points points = clump_cloud_points(cloud);
    size_t i = 0;
    while (i < points.count && (is_ring(clump_field_value(field, i, 0)) || !is_finite(points.xyz + 3 * i))) i++;
    return i;
}

/* Names of the field, as drivers and recordings have them. "ring" is nothing else; the others can be. */
static const char *const names[] = {"ring", "channel", "laser_id", "ring_id", "beam", "line", "row"};

const char *clump_cloud_ring_field(const clump_cloud *cloud)
{
    clump_field field;
    for (size_t k = 0; cloud && k < sizeof names / sizeof *names; k++) {
        if (!clump_cloud_find(cloud, names[k], &field) || field.count != 1) continue;
        if (k == 0 || find_wrong(cloud, &field) == clump_cloud_points(cloud).count) return names[k];
    }
    return NULL;
}

clump_status clump_cloud_rings(const clump_cloud *cloud, uint16_t *rings, bool *found, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    const char *const name = clump_cloud_ring_field(cloud);
    clump_field field;
    if (message) message->text[0] = 0;
    *found = name && clump_cloud_find(cloud, name, &field);
    if (!*found) return CLUMP_OK;
    const size_t count = clump_cloud_points(cloud).count, wrong = find_wrong(cloud, &field);
    if (wrong < count)
        return clump_io_fail(&where, CLUMP_ERR_IO_FORMAT,
                             "field %s: the ring of point %zu is %g; rings are whole numbers from 0 to %d", name, wrong,
                             clump_field_value(&field, wrong, 0), CLUMP_RINGS_MOST - 1);
    for (size_t i = 0; i < count; i++) {
        const double value = clump_field_value(&field, i, 0);
        rings[i] = is_ring(value) ? (uint16_t)value : 0;
    }
    return CLUMP_OK;
}

size_t clump_cloud_columns(const clump_cloud *cloud)
{
    if (!cloud) return 0;
    const clump_cloud_info info = clump_cloud_describe(cloud);
    return info.height > 1 && info.height <= RINGS_ROWS ? info.width : 0;
}
