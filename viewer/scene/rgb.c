/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rgb.c: see palette.h.
 */
#include "viewer/scene/palette.h"

#include "common/assert.h"

#include <math.h>
#include <string.h>

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(const char *a, const char *b)
{
    while (*a && lower_case(*a) == lower_case(*b)) a++, b++;
    return *a == *b;
}

static bool find_field(const clump_cloud *cloud, const char *name, clump_field *field)
{
    for (size_t k = 0; clump_cloud_field(cloud, k, field); k++)
        if (same_name(field->name, name)) return true;
    return false;
}

/* A field of one number that holds the whole colour, or of one element per channel. */
static bool find_one_field(const clump_cloud *cloud, view_colours *colours)
{
    clump_field field;
    if (!find_field(cloud, "rgb", &field) && !find_field(cloud, "rgba", &field)) return false;
    const bool wide = field.type == CLUMP_TYPE_U32 || field.type == CLUMP_TYPE_I32 || field.type == CLUMP_TYPE_F32;
    colours->packed = field.count == 1 && wide;
    if (!colours->packed && field.count < 3) return false;
    for (uint32_t k = 0; k < 3; k++) colours->fields[k] = field, colours->elements[k] = k;
    return true;
}

static bool find_three_fields(const clump_cloud *cloud, view_colours *colours)
{
    static const char *const names[][3] = {
        {"red", "green", "blue"}, {"diffuse_red", "diffuse_green", "diffuse_blue"}, {"r", "g", "b"}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t k = 0;
        while (k < 3 && find_field(cloud, names[n][k], &colours->fields[k])) k++;
        if (k == 3) return true;
    }
    return false;
}

/* Finds out what the numbers of separate channels mean, from the greatest of all points. */
static void choose_scale(view_colours *colours, size_t points)
{
    double most = 0;
    bool real = false;
    for (int k = 0; k < 3; k++) {
        const clump_field *const field = &colours->fields[k];
        real |= field->type == CLUMP_TYPE_F32 || field->type == CLUMP_TYPE_F64;
        for (size_t i = 0; i < points; i++) most = fmax(most, clump_field_value(field, i, colours->elements[k]));
    }
    colours->scale = real && most <= 1 ? 255 : most <= 255 ? 1 : 1.0 / 256;
    colours->half = real && most <= 255 ? 0.5 : 0;
}

bool view_find_colours(const clump_cloud *cloud, view_colours *colours)
{
    *colours = (view_colours){0};
    if (!find_one_field(cloud, colours) && !find_three_fields(cloud, colours)) return false;
    if (!colours->packed) choose_scale(colours, clump_cloud_points(cloud).count);
    return true;
}

static uint8_t channel_of(const view_colours *colours, size_t i, int k)
{
    CLUMP_ASSERT(k >= 0 && k < 3);
    const clump_field *const field = &colours->fields[k];
    const double number = clump_field_value(field, i, colours->elements[k]);
    const double byte =
        field->type == CLUMP_TYPE_I8 && number < 0 ? number + 256 : number;           /* a byte with a wrong type */
    return (uint8_t)fmin(fmax(floor(byte * colours->scale + colours->half), 0), 255); /* NaN becomes 0 */
}

view_rgb view_point_colour(const view_colours *colours, size_t i)
{
    if (!colours->packed)
        return (view_rgb){channel_of(colours, i, 0), channel_of(colours, i, 1), channel_of(colours, i, 2)};
    uint32_t bits; /* of an integer or a float32; a float with alpha 255 is NaN, so it is never read as a number */
    memcpy(&bits, (const uint8_t *)colours->fields[0].data + i * sizeof bits, sizeof bits);
    return (view_rgb){(uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits};
}

bool view_has_colours(const clump_cloud *cloud)
{
    view_colours colours;
    if (!view_find_colours(cloud, &colours)) return false;
    const clump_points points = clump_cloud_points(cloud);
    const size_t step = view_step(points);
    view_rgb first = {0};
    bool found = false;
    for (size_t i = 0; i < points.count; i++) {
        const float *const at = points.xyz + i * step;
        if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) continue;
        const view_rgb one = view_point_colour(&colours, i);
        if (found && (one.r != first.r || one.g != first.g || one.b != first.b)) return true;
        first = one, found = true;
    }
    return false;
}
