/* SPDX-License-Identifier: BSD-3-Clause
 *
 * losses.c: see output.h.
 */
#include "files/output.h"

#include "common/assert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_loss(cli_losses *l, const char *what, const char *name)
{
    if (l->used >= sizeof l->text) return;
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s%s", l->used ? ", " : "", what, name);
}

static size_t columns(const clump_cloud *cloud)
{
    size_t sum = 0;
    clump_field field;
    for (size_t i = 0; clump_cloud_field(cloud, i, &field); i++) sum += field.count;
    return sum;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Whether the coordinates are equal. LAS stores decimals: a float32 must be the nearest one to its decimal, and a
 * double must agree to 2^-50. Text of few digits is read back as float32. */
static bool same_coordinates(const clump_cloud *a, const clump_cloud *b)
{
    CLUMP_ASSERT(clump_cloud_points(a).count == clump_cloud_points(b).count);
    const bool decimal = clump_cloud_describe(b).format == CLUMP_FORMAT_LAS;
    const bool few =
        clump_cloud_describe(b).format == CLUMP_FORMAT_TEXT && clump_cloud_describe(b).xyz_type == CLUMP_TYPE_F32;
    const bool narrow = decimal && clump_cloud_describe(a).xyz_type == CLUMP_TYPE_F32;
    const size_t count = clump_cloud_points(a).count;
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double x = clump_cloud_coordinate(a, i, axis), y = clump_cloud_coordinate(b, i, axis);
            if (same_number(x, narrow ? (double)(float)y : y) || (few && same_number((double)(float)x, y))) continue;
            if (!decimal || !(fabs(x - y) <= 0x1p-50 * fabs(x))) return false;
        }
    return true;
}

/* Reads a 64-bit integer, which a double may not hold: its bits and its sign. False: the field has another type. */
static bool long_integer(const clump_field *f, size_t index, uint64_t *bits, bool *negative)
{
    if (f->type == CLUMP_TYPE_U64) {
        *bits = ((const uint64_t *)f->data)[index];
        *negative = false;
    } else if (f->type == CLUMP_TYPE_I64) {
        const int64_t value = ((const int64_t *)f->data)[index];
        *bits = (uint64_t)value;
        *negative = value < 0;
    } else {
        return false;
    }
    return true;
}

static bool same_value(const clump_field *a, const clump_field *b, size_t i, size_t k, bool narrowed)
{
    CLUMP_ASSERT(k < a->count && k < b->count);
    uint64_t bits[2];
    bool negative[2];
    if (long_integer(a, i * a->count + k, &bits[0], &negative[0])) {
        if (long_integer(b, i * b->count + k, &bits[1], &negative[1]))
            return bits[0] == bits[1] && negative[0] == negative[1];
        const uint64_t size = negative[0] ? 0 - bits[0] : bits[0];
        const double nearest = (double)size;
        if (nearest >= 0x1p64 || (uint64_t)nearest != size) return false; /* no double is this integer */
    }
    const double x = clump_field_value(a, i, k);
    return same_number(narrowed ? (double)(float)x : x, clump_field_value(b, i, k));
}

/* Whether the values are equal; the types may differ. Text reads float64 of few digits back as float32, which is no
 * loss. */
static bool same_values(const clump_field *a, const clump_field *b, size_t count, bool text)
{
    if (a->count != b->count) return false;
    const bool narrowed = text && a->type == CLUMP_TYPE_F64 && b->type == CLUMP_TYPE_F32;
    if (a->type == b->type && memcmp(a->data, b->data, count * a->count * clump_type_size(a->type)) == 0) return true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < a->count; k++)
            if (!same_value(a, b, i, k, narrowed)) return false;
    return true;
}

/* Finds a field by name. Looks first at its place, since names may be repeated and fields may be many. */
static bool find_field(const clump_cloud *cloud, size_t place, const char *name, clump_field *out)
{
    if (clump_cloud_field(cloud, place, out) && strcmp(out->name, name) == 0) return true;
    return clump_cloud_find(cloud, name, out);
}

void cli_find_losses(const clump_cloud *cloud, const clump_cloud *back, cli_losses *losses)
{
    const size_t count = clump_cloud_points(cloud).count;
    if (count != clump_cloud_points(back).count) {
        add_loss(losses, "some points", "");
        return;
    }
    if (!same_coordinates(cloud, back)) add_loss(losses, "digits of the coordinates", "");
    /* NumPy arrays keep the values and lose the names. Text loses the names of fields with several elements. */
    const clump_format format = clump_cloud_describe(back).format;
    const bool text = format == CLUMP_FORMAT_TEXT;
    const bool renamed = (text || format == CLUMP_FORMAT_NPY) && columns(cloud) == columns(back);
    bool names = false;
    clump_field field, other;
    for (size_t i = 0; clump_cloud_field(cloud, i, &field); i++) {
        const bool there = find_field(back, i, field.name, &other);
        if (!there && renamed)
            names = true;
        else if (!there)
            add_loss(losses, field.name, "");
        else if (!same_values(&field, &other, count, text))
            add_loss(losses, "digits of ", field.name);
    }
    if (names) add_loss(losses, "names of fields", "");
    const clump_cloud_info shape = clump_cloud_describe(cloud);
    if (shape.height > 1 && clump_cloud_describe(back).height != shape.height) add_loss(losses, "rows of the scan", "");
}
