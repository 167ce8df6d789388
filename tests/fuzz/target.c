/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target.c: what a fuzzer does with the bytes of a format that has no target of its own.
 *
 * Not crashing is not enough. What was read must be well formed, and must come back the same after
 * being written and read again: a field, a point or a digit lost on the way is a finding.
 */
#include "target.h"

#include <clump/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Touches every byte of a cloud, so that a sanitizer sees one that is not there. */
static uint64_t walk(const clump_cloud *cloud)
{
    const clump_points points = clump_cloud_points(cloud);
    const unsigned char *bytes = (const unsigned char *)points.xyz;
    uint64_t sum = 0;
    for (size_t i = 0; i < 12 * points.count; i++) sum += bytes[i];
    clump_field field;
    for (size_t k = 0; clump_cloud_field(cloud, k, &field); k++) {
        REQUIRE(field.name && field.name[0] && field.count > 0 && clump_type_size(field.type));
        bytes = field.data;
        for (size_t i = 0; i < points.count * field.count * clump_type_size(field.type); i++) sum += bytes[i];
    }
    const clump_cloud_info info = clump_cloud_describe(cloud);
    REQUIRE(info.width * info.height == points.count);
    REQUIRE(memchr(info.note, 0, sizeof info.note));
    for (int a = 0; a < 3; a++) REQUIRE(isfinite(clump_cloud_origin(cloud)[a]));
    return sum;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The same points and values. Names and types may have changed where the format has none. */
static void require_same(const clump_cloud *a, const clump_cloud *b)
{
    const size_t count = clump_cloud_points(a).count;
    REQUIRE(clump_cloud_points(b).count == count);
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            REQUIRE(same_number(clump_cloud_coordinate(a, i, axis), clump_cloud_coordinate(b, i, axis)));
    clump_field f, g;
    REQUIRE(clump_cloud_field_count(a) == clump_cloud_field_count(b));
    for (size_t k = 0; clump_cloud_field(a, k, &f) && clump_cloud_field(b, k, &g); k++) {
        REQUIRE(f.count == g.count);
        /* Text has no types: doubles of few digits come back as float32. */
        const bool narrowed =
            clump_cloud_describe(b).format == CLUMP_FORMAT_TEXT && f.type == CLUMP_TYPE_F64 && g.type == CLUMP_TYPE_F32;
        for (size_t i = 0; i < count; i++)
            for (size_t e = 0; e < f.count; e++) {
                const double x = clump_field_value(&f, i, e), y = clump_field_value(&g, i, e);
                REQUIRE(same_number(narrowed ? (double)(float)x : x, y));
            }
    }
}

/* Several elements become several columns in formats that know no arrays, and come back as such. */
static bool is_flat(const clump_cloud *cloud)
{
    clump_field f;
    for (size_t k = 0; clump_cloud_field(cloud, k, &f); k++)
        if (f.count != 1) return false;
    return true;
}

static bool holds_arrays(clump_format format)
{
    return format == CLUMP_FORMAT_PCD || format == CLUMP_FORMAT_LAS;
}

static void there_and_back(const clump_cloud *cloud, clump_format format)
{
    clump_format_info info;
    REQUIRE(clump_format_describe(format, &info));
    if (!info.writes || (!holds_arrays(format) && !is_flat(cloud))) return;
    clump_save_options save = clump_save_defaults();
    save.format = format;
    clump_cloud *const back = fuzz_write_and_read(cloud, &save, info.extensions[0]);
    if (!back) return;
    require_same(cloud, back);
    clump_cloud_destroy(back);
}

/* What is read without the option is read with it, and a part is well formed, too. */
static void read_part(const uint8_t *data, size_t size, clump_load_options options, bool whole)
{
    clump_cloud *part;
    clump_message why;
    options.partial = true;
    const clump_status status = clump_cloud_parse(data, size, "fuzz", &options, &part, &why);
    REQUIRE((status == CLUMP_OK) == (part != NULL));
    REQUIRE(part || !whole);
    if (!part) return;
    volatile uint64_t kept = walk(part);
    (void)kept;
    const clump_format format = clump_cloud_describe(part).format;
    if (!whole && clump_cloud_field_count(part) < 100) there_and_back(part, format);
    clump_cloud_destroy(part);
}

int fuzz_format(clump_format as, const uint8_t *data, size_t size)
{
    clump_load_options options = clump_load_defaults();
    options.format = as;
    clump_cloud *cloud;
    clump_message why;
    const clump_status status = clump_cloud_parse(data, size, "fuzz", &options, &cloud, &why);
    REQUIRE((status == CLUMP_OK) == (cloud != NULL));
    read_part(data, size, options, cloud != NULL);
    if (!cloud) {
        REQUIRE(why.text[0] && memchr(why.text, 0, sizeof why.text));
        return 0;
    }
    volatile uint64_t kept = walk(cloud);
    (void)kept;
    const clump_format format = clump_cloud_describe(cloud).format;
    if (clump_cloud_field_count(cloud) < 100) there_and_back(cloud, format);
    clump_cloud_destroy(cloud);
    return 0;
}
