/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_cross.c: any format in, every format out. What was read is written in each format and read again.
 * Every point and every field that the format can hold must be there, a field under its own name and with
 * its own values.
 */
#include "target.h"

#include <clump/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *now; /* what is compared, for the message */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Text keeps the digits and has no types, so a double of few digits comes back as float32. */
static bool same_in_text(double a, double b)
{
    return same_number(a, b) || same_number((double)(float)a, b);
}

static void require_unique_names(const clump_cloud *cloud)
{
    clump_field a, b;
    for (size_t i = 0; clump_cloud_field(cloud, i, &a); i++)
        for (size_t k = 0; k < i && clump_cloud_field(cloud, k, &b); k++) REQUIRE(strcmp(a.name, b.name) != 0);
}

/* float32 and nothing else: KITTI, nuScenes. */
static bool is_plain(clump_format format)
{
    clump_format_info info;
    return clump_format_describe(format, &info) && !info.holds_fields && !info.holds_labels;
}

/* LAS, plain or compressed. */
static bool is_las(clump_format format)
{
    return format == CLUMP_FORMAT_LAS || format == CLUMP_FORMAT_LAZ;
}

/* LAS: half a step of the coarsest scale that the writer chooses for an axis of this length. */
static double las_tolerance(const clump_cloud *cloud, int axis)
{
    double lower = INFINITY, upper = -INFINITY;
    const size_t count = clump_cloud_points(cloud).count;
    for (size_t i = 0; i < count; i++) {
        const double x = clump_cloud_coordinate(cloud, i, axis);
        lower = fmin(lower, x);
        upper = fmax(upper, x);
    }
    return fmax(1e-7, 10 * (upper - lower + 1) * 0x1p-31) * 0.51 + fmax(fabs(lower), fabs(upper)) * 0x1p-50;
}

static void require_coordinates(const clump_cloud *a, const clump_cloud *b, clump_format format)
{
    const size_t count = clump_cloud_points(a).count;
    REQUIRE(clump_cloud_points(b).count == count);
    const clump_format from = clump_cloud_describe(a).format;
    const bool narrow =
        clump_cloud_describe(a).xyz_type == CLUMP_TYPE_F32; /* decimals that tell float32 apart will do */
    const bool copied = is_las(from);
    for (int axis = 0; axis < 3; axis++) {
        const double tolerance = is_las(format) && !copied ? las_tolerance(a, axis) : 0;
        for (size_t i = 0; i < count; i++) {
            const double x = clump_cloud_coordinate(a, i, axis), y = clump_cloud_coordinate(b, i, axis);
            if (is_las(format))
                REQUIRE(same_number(x, y) || fabs(x - y) <= tolerance || (narrow && (float)x == (float)y));
            else if (is_plain(format))
                REQUIRE(same_number((double)(float)x, y));
            else if (format == CLUMP_FORMAT_TEXT)
                REQUIRE(same_in_text(x, y));
            else
                REQUIRE(same_number(x, y));
        }
    }
}

/* Whether element `element` of field a, times a factor, is element `other` of field b, in every point. */
static bool same_values(const clump_field *a, size_t element, double factor, const clump_field *b, size_t other,
                        size_t count, clump_format format)
{
    for (size_t i = 0; i < count; i++) {
        const double x = clump_field_value(a, i, element), y = clump_field_value(b, i, other);
        if (factor != 1 ? !(fabs(x * factor - y) <= 0.5)
                        : !(format == CLUMP_FORMAT_TEXT ? same_in_text(x, y) : same_number(x, y)))
            return false;
    }
    return true;
}

static void require_values(const clump_field *a, size_t element, const clump_field *b, size_t other, size_t count,
                           clump_format format)
{
    REQUIRE(same_values(a, element, 1, b, other, count, format));
}

/* The slot of LAS that a field goes to may be spelled in another way: "Intensity", "intensity". */
static bool find_like(const clump_cloud *cloud, const char *name, clump_field *out)
{
    static const char *const others[][2] = {{"infrared", "nir"}, {"scanchannel", "scannerchannel"}};
    char plain[2][64];
    for (size_t k = 0; clump_cloud_field(cloud, k, out); k++) {
        const char *const names[2] = {name, out->name};
        for (int s = 0; s < 2; s++) {
            size_t used = 0;
            for (const char *c = names[s]; *c && used + 1 < sizeof plain[s]; c++)
                if (*c != '_') plain[s][used++] = *c;
            plain[s][used] = 0;
            for (size_t o = 0; o < 2; o++)
                if (strcasecmp(plain[s], others[o][0]) == 0) strcpy(plain[s], others[o][1]);
        }
        if (strcasecmp(plain[0], plain[1]) == 0) return true;
    }
    return false;
}

/* Arrays stay whole in PCD, and in LAS where they come from LAS; elsewhere they are name_0, name_1 ... */
static void require_array(const clump_cloud *a, const clump_field *f, const clump_cloud *b, clump_format format)
{
    clump_field g;
    const size_t count = clump_cloud_points(a).count;
    if (clump_cloud_find(b, f->name, &g) && g.count == f->count) {
        for (size_t k = 0; k < f->count; k++) require_values(f, k, &g, k, count, format);
        return;
    }
    REQUIRE(format != CLUMP_FORMAT_PCD);
    for (size_t k = 0; k < f->count; k++) {
        char name[512];
        snprintf(name, sizeof name, "%.480s_%zu", f->name, k);
        clump_field owner;
        if (clump_cloud_find(a, name, &owner) || strlen(f->name) > 480) continue; /* that field has the name */
        if (clump_cloud_find(b, name, &g)) require_values(f, k, &g, 0, count, format);
        REQUIRE(is_las(format) || clump_cloud_find(b, name, &g)); /* opaque bytes keep their own layout */
    }
}

/* LAS: a field that would have the name of a standard one, or of another, is name_2 ...; a float intensity is scaled. */
static bool is_kept_by_las(const clump_field *f, const clump_cloud *b, size_t count)
{
    clump_field g;
    if (find_like(b, f->name, &g) && g.count == 1) {
        const double factors[] = {1, 65535, 256};
        const int tried = strcasecmp(g.name, "intensity") == 0 ? 3 : 1;
        for (int k = 0; k < tried; k++)
            if (same_values(f, 0, factors[k], &g, 0, count, CLUMP_FORMAT_LAS)) return true;
    }
    for (size_t k = 0; clump_cloud_field(b, k, &g); k++) {
        const char *const number = strrchr(g.name, '_');
        if (!number || g.count != 1 || strlen(number + 1) != strspn(number + 1, "0123456789")) continue;
        const size_t length = (size_t)(number - g.name); /* of a long name the end is cut */
        if (strncmp(f->name, g.name, length) == 0 && same_values(f, 0, 1, &g, 0, count, CLUMP_FORMAT_LAS)) return true;
    }
    return false;
}

static void require_fields(const clump_cloud *a, const clump_cloud *b, clump_format format)
{
    const size_t count = clump_cloud_points(a).count;
    clump_field f, g;
    for (size_t k = 0; clump_cloud_field(a, k, &f); k++) {
        if (f.count > 1) {
            require_array(a, &f, b, format);
            continue;
        }
        const bool found = clump_cloud_find(b, f.name, &g) && g.count == 1;
        if (found && same_values(&f, 0, 1, &g, 0, count, format)) continue;
        REQUIRE(is_las(format) && is_kept_by_las(&f, b, count));
    }
}

/* NumPy has columns and no names: all elements in their order, but those of 64-bit integers. */
static void require_columns(const clump_cloud *a, const clump_cloud *b)
{
    clump_field f, g;
    size_t column = 0;
    for (size_t k = 0; clump_cloud_points(a).count && clump_cloud_field(a, k, &f); k++)
        for (size_t e = 0; e < f.count && f.type != CLUMP_TYPE_I64 && f.type != CLUMP_TYPE_U64; e++) {
            REQUIRE(clump_cloud_field(b, column++, &g));
            require_values(&f, e, &g, 0, clump_cloud_points(a).count, CLUMP_FORMAT_NPY);
        }
}

static void there_and_back(const clump_cloud *cloud, clump_format format, clump_encoding encoding,
                           const char *extension)
{
    now = extension;
    clump_save_options save = clump_save_defaults();
    save.format = format;
    save.encoding = encoding;
    clump_cloud *const back = fuzz_write_and_read(cloud, &save, extension);
    if (!back) return;
    require_unique_names(back);
    require_coordinates(cloud, back, format);
    if (format == CLUMP_FORMAT_NPY)
        require_columns(cloud, back);
    else if (!is_plain(format))
        require_fields(cloud, back, format);
    clump_cloud_destroy(back);
}

/* Every format, ending and encoding in which points are written. */
static void write_all(const clump_cloud *cloud)
{
    clump_format_info info;
    for (int f = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)f, &info); f++) {
        const bool has[] = {false, info.ascii, info.binary, info.compressed, info.big_endian};
        for (int e = CLUMP_ENCODING_ASCII; e <= CLUMP_ENCODING_BIG_ENDIAN; e++)
            for (const char *const *ending = info.extensions; *ending; ending++)
                if (info.writes && info.holds_points && has[e])
                    there_and_back(cloud, (clump_format)f, (clump_encoding)e, *ending);
    }
}

FUZZ_TARGET(cross)
{
    clump_cloud *cloud;
    clump_message why;
    now = "input";
    /* The content tells the format; what it does not tell is a scan without a header, or text. */
    if (clump_cloud_parse(data, size, size % 16 ? "fuzz.csv" : "fuzz.bin", NULL, &cloud, &why) != CLUMP_OK) return 0;
    require_unique_names(cloud);
    const size_t fields = clump_cloud_field_count(cloud);
    if (fields < 60 && clump_cloud_points(cloud).count < 5000) write_all(cloud);
    clump_cloud_destroy(cloud);
    return 0;
}
