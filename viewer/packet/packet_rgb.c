/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_rgb.c: the colours that the points have in the file.
 */
#include "viewer/packet/packet_parts.h"

#include "common/assert.h"

#include <string.h>

enum { RGB_NONE = 1 << 24 }; /* the integer of points whose cloud has no colours */

void packet_put_colours(packet *p)
{
    view_colours colours[VIEW_CLOUDS];
    bool found[VIEW_CLOUDS], any = false, all = true;
    for (size_t c = 0; c < p->frame->cloud_count; c++) {
        found[c] = view_find_colours(p->frame->clouds[c], &colours[c]);
        any |= found[c], all &= found[c];
    }
    int64_t *const values = any ? packet_values(p, p->all) : NULL;
    if (!values) return;
    size_t row = 0;
    for (size_t c = 0; c < p->frame->cloud_count; c++)
        for (size_t i = 0; i < p->rows[c]; i++) {
            const view_rgb one = found[c] ? view_point_colour(&colours[c], i * p->every) : (view_rgb){0};
            values[row++] = found[c] ? one.r << 16 | one.g << 8 | one.b : RGB_NONE;
        }
    const packet_column column = {.name = "rgb", .scale = 1, .exact = true, .has_nan = !all, .nan = RGB_NONE};
    packet_put_column(p, &column, values, p->all);
}

/* Whether all numbers of the channels are multiples of their bytes: 8 bits in a wider type. */
static bool bytes_say_all(const clump_cloud *cloud, const view_colours *colours, int factor)
{
    CLUMP_ASSERT(factor >= 1);
    for (size_t i = 0; i < clump_cloud_points(cloud).count; i++) {
        const view_rgb one = view_point_colour(colours, i);
        const int bytes[3] = {one.r, one.g, one.b};
        for (int k = 0; k < 3; k++)
            if (clump_field_value(&colours->fields[k], i, colours->elements[k]) != factor * bytes[k]) return false;
    }
    return true;
}

bool packet_find_colours(const clump_cloud *cloud, view_colours *colours)
{
    if (!view_find_colours(cloud, colours)) return false;
    return colours->packed || bytes_say_all(cloud, colours, 1) || bytes_say_all(cloud, colours, 256) ||
           bytes_say_all(cloud, colours, 257);
}

bool packet_is_colour(const packet *p, const view_colours *colours, const char *name)
{
    const view_options *const look = p->options->look;
    if (look && look->colour == VIEW_BY_FIELD && look->field && strcmp(look->field, name) == 0) return false;
    for (int k = 0; k < 3; k++)
        if (strcmp(colours->fields[k].name, name) == 0) return true;
    return false;
}
