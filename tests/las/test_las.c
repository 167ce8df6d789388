/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_las.c: LAS files of every version and point format, read and written again.
 */
#include "las/test_las.h"

#include "../io/format.h" /* whether the integers were kept beside the floats */

/* --- fields --------------------------------------------------------------------------------- */

/* Where a field stands in a record, by the tables of the specification. */
static const struct {
    const char *name;
    clump_type type;
    size_t offset;
    unsigned shift, bits;
    unsigned formats; /* bit f: point format f */
} where[] = {
    {"intensity", CLUMP_TYPE_U16, 12, 0, 0, 0x7ff},
    {"return_number", CLUMP_TYPE_U8, 14, 0, 3, 0x03f},
    {"number_of_returns", CLUMP_TYPE_U8, 14, 3, 3, 0x03f},
    {"scan_direction_flag", CLUMP_TYPE_U8, 14, 6, 1, 0x03f},
    {"edge_of_flight_line", CLUMP_TYPE_U8, 14, 7, 1, 0x03f},
    {"classification", CLUMP_TYPE_U8, 15, 0, 5, 0x03f},
    {"synthetic", CLUMP_TYPE_U8, 15, 5, 1, 0x03f},
    {"key_point", CLUMP_TYPE_U8, 15, 6, 1, 0x03f},
    {"withheld", CLUMP_TYPE_U8, 15, 7, 1, 0x03f},
    {"scan_angle_rank", CLUMP_TYPE_I8, 16, 0, 0, 0x03f},
    {"user_data", CLUMP_TYPE_U8, 17, 0, 0, 0x7ff},
    {"point_source_id", CLUMP_TYPE_U16, 18, 0, 0, 0x03f},
    {"return_number", CLUMP_TYPE_U8, 14, 0, 4, 0x7c0},
    {"number_of_returns", CLUMP_TYPE_U8, 14, 4, 4, 0x7c0},
    {"synthetic", CLUMP_TYPE_U8, 15, 0, 1, 0x7c0},
    {"key_point", CLUMP_TYPE_U8, 15, 1, 1, 0x7c0},
    {"withheld", CLUMP_TYPE_U8, 15, 2, 1, 0x7c0},
    {"overlap", CLUMP_TYPE_U8, 15, 3, 1, 0x7c0},
    {"scanner_channel", CLUMP_TYPE_U8, 15, 4, 2, 0x7c0},
    {"scan_direction_flag", CLUMP_TYPE_U8, 15, 6, 1, 0x7c0},
    {"edge_of_flight_line", CLUMP_TYPE_U8, 15, 7, 1, 0x7c0},
    {"classification", CLUMP_TYPE_U8, 16, 0, 0, 0x7c0},
    {"scan_angle", CLUMP_TYPE_I16, 18, 0, 0, 0x7c0},
    {"point_source_id", CLUMP_TYPE_U16, 20, 0, 0, 0x7c0},
    {"gps_time", CLUMP_TYPE_F64, 20, 0, 0, 0x03a},
    {"gps_time", CLUMP_TYPE_F64, 22, 0, 0, 0x7c0},
    {"red", CLUMP_TYPE_U16, 20, 0, 0, 0x004},
    {"blue", CLUMP_TYPE_U16, 24, 0, 0, 0x004},
    {"red", CLUMP_TYPE_U16, 28, 0, 0, 0x028},
    {"green", CLUMP_TYPE_U16, 30, 0, 0, 0x028},
    {"blue", CLUMP_TYPE_U16, 32, 0, 0, 0x028},
    {"red", CLUMP_TYPE_U16, 30, 0, 0, 0x580},
    {"blue", CLUMP_TYPE_U16, 34, 0, 0, 0x580},
    {"nir", CLUMP_TYPE_U16, 36, 0, 0, 0x500},
    {"wavepacket_index", CLUMP_TYPE_U8, 28, 0, 0, 0x010},
    {"wavepacket_offset", CLUMP_TYPE_U64, 29, 0, 0, 0x010},
    {"wavepacket_size", CLUMP_TYPE_U32, 37, 0, 0, 0x010},
    {"return_point_wave_location", CLUMP_TYPE_F32, 41, 0, 0, 0x010},
    {"x_t", CLUMP_TYPE_F32, 45, 0, 0, 0x010},
    {"z_t", CLUMP_TYPE_F32, 53, 0, 0, 0x010},
    {"wavepacket_index", CLUMP_TYPE_U8, 34, 0, 0, 0x020},
    {"z_t", CLUMP_TYPE_F32, 59, 0, 0, 0x020},
    {"wavepacket_index", CLUMP_TYPE_U8, 30, 0, 0, 0x200},
    {"y_t", CLUMP_TYPE_F32, 51, 0, 0, 0x200},
    {"wavepacket_index", CLUMP_TYPE_U8, 38, 0, 0, 0x400},
    {"z_t", CLUMP_TYPE_F32, 63, 0, 0, 0x400},
};

static void check_fields(const las_file *f, const clump_cloud *cloud, unsigned format)
{
    for (size_t w = 0; w < sizeof where / sizeof where[0]; w++) {
        clump_field field;
        if (!(where[w].formats & 1u << format)) continue;
        CHECK_MSG(clump_cloud_find(cloud, where[w].name, &field) && field.type == where[w].type && field.count == 1,
                  "format %u: %s", format, where[w].name);
        const size_t size = clump_type_size(where[w].type);
        for (size_t i = 0; i < f->count; i++) {
            uint64_t value = las_get(f->bytes + f->points + i * f->record + where[w].offset, size);
            if (where[w].bits) value = value >> where[w].shift & ((1u << where[w].bits) - 1);
            const uint64_t read = las_get((const unsigned char *)field.data + i * size, size);
            CHECK_MSG(read == value, "format %u: %s of point %zu", format, where[w].name, i);
        }
    }
}

static void every_version_and_format(void)
{
    static const size_t fields[11] = {12, 13, 15, 16, 20, 23, 15, 18, 19, 22, 26};
    for (unsigned minor = 0; minor <= 4; minor++) {
        for (unsigned format = 0; format <= 10; format++) {
            const las_recipe recipe = {.minor = minor,
                                       .format = format,
                                       .points = 2500, /* more than a block */
                                       .offset = {500000, -4800000, 0.25},
                                       .vlrs = format % 3,
                                       .gap = minor == 0 ? 2 : format % 2 * 377,
                                       .waveforms = minor >= 3 && format % 2,
                                       .evlrs = minor >= 4 ? format % 4 : 0};
            las_file f = las_make(&recipe, 11 * minor + format);
            for (size_t i = 0; i < 256; i++) { /* every value of the bytes that are made of bits */
                f.bytes[f.points + i * f.record + 14] = (unsigned char)i;
                f.bytes[f.points + i * f.record + 15] = (unsigned char)(i * 77 + format);
            }
            las_tidy(&f);
            clump_cloud *cloud = las_parse(&f);
            if (!cloud) return;
            const clump_cloud_info info = clump_cloud_describe(cloud);
            CHECK(info.format == CLUMP_FORMAT_LAS && info.encoding == CLUMP_ENCODING_BINARY);
            CHECK(info.xyz_type == CLUMP_TYPE_I32 && info.width == 2500 && info.height == 1);
            CHECK_TEXT(info.note, "");
            CHECK_INT(clump_cloud_field_count(cloud), fields[format]);
            check_fields(&f, cloud, format);
            clump_cloud_destroy(cloud);
            char what[32];
            snprintf(what, sizeof what, "1.%u format %u", minor, format);
            las_check_same_again(&f, what);
            free(f.bytes);
        }
    }
}

/* --- coordinates ---------------------------------------------------------------------------- */

/* No point is further from its place than the float32 of its offset must be: half a step of float32 at
 * L, the longest offset, and that is at most L * 2^-24. */
static void check_places(const las_file *f, const clump_cloud *cloud)
{
    const float *xyz = clump_cloud_points(cloud).xyz;
    const double *origin = clump_cloud_origin(cloud);
    for (size_t a = 0; a < 3; a++) {
        double lower = INFINITY, longest = 0, largest = 0;
        for (size_t i = 0; i < f->count; i++) {
            const double value = las_value(f, i, a);
            lower = fmin(lower, value);
            longest = fmax(longest, fabs(value - origin[a]));
            largest = fmax(largest, fabs(value));
        }
        CHECK(origin[a] == floor(lower) || (origin[a] == 0 && longest > 0x1p23));
        for (size_t i = 0; i < f->count; i++) {
            const double error = fabs(origin[a] + (double)xyz[3 * i + a] - las_value(f, i, a));
            CHECK_MSG(error <= longest * 0x1p-24 + largest * 0x1p-51, "point %zu axis %zu: %g of %g", i, a, error,
                      longest);
        }
    }
}

static void coordinates_keep_their_integers(void)
{
    static const double scales[] = {1e-7, 1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 1, -0.01, 1.164510015e-06};
    static const double offsets[] = {0, 1e7, -1e7, 0.123456789, -98436};
    uint64_t state = 7;
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++) {
            for (int wide = 0; wide <= 2; wide++) {
                const las_recipe recipe = {.minor = 2,
                                           .points = 3000,
                                           .scale = {scales[s], scales[s], scales[s]},
                                           .offset = {offsets[o], -offsets[o], offsets[o] / 3}};
                las_file f = las_make(&recipe, s);
                for (size_t i = 0; i < f.count; i++)
                    for (size_t a = 0; a < 3; a++)
                        las_set_step(&f, i, a, (int32_t)check_random(&state) >> (wide == 0 ? 16 : wide == 1 ? 8 : 0));
                if (wide == 2) las_set_step(&f, 5, 0, INT32_MIN), las_set_step(&f, 6, 0, INT32_MAX);
                las_tidy(&f);
                clump_cloud *cloud = las_parse(&f);
                check_places(&f, cloud);
                /* 2^16 steps always follow from 24 bits, unless the origin cannot be near; 2^32 never do. */
                if (wide == 0 && fabs(scales[s]) >= 0.001) CHECK(cloud->grid.steps == NULL);
                if (wide == 2) CHECK(cloud->grid.steps != NULL);
                clump_cloud_destroy(cloud);
                las_check_same_again(&f, "coordinates");
                free(f.bytes);
            }
        }
    }
}

/* Millimetres, in a box of 16 km: half a step of float32 is 0.49 mm there, and 0.98 mm beyond. */
static void integers_are_kept_where_floats_are_not_enough(void)
{
    for (int beyond = 0; beyond <= 1; beyond++) {
        las_file f = las_make(&(las_recipe){.minor = 2, .points = 4000, .offset = {500000, 0, 0}}, 3);
        for (size_t i = 0; i < f.count; i++)
            for (size_t a = 0; a < 3; a++) las_set_step(&f, i, a, (int64_t)i * (beyond ? 5003 : 4001));
        clump_cloud *cloud = las_parse(&f);
        CHECK((cloud->grid.steps != NULL) == beyond);
        for (size_t i = 0; beyond && i < 3 * f.count; i++) CHECK_INT(cloud->grid.steps[i], las_step(&f, i / 3, i % 3));
        clump_cloud_destroy(cloud);
        las_check_same_again(&f, "box");
        free(f.bytes);
    }
}

/* Scales that make no sense give coordinates that make none, but no other integers. */
static void absurd_scales(void)
{
    static const double scales[] = {5e-324, 1e-300, 1e30, 1e300, -1e308};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        las_file f = las_make(
            &(las_recipe){.minor = 2, .points = 50, .scale = {scales[s], scales[s], 1}, .offset = {1e300, 0, 0}}, 3);
        las_check_same_again(&f, "absurd");
        free(f.bytes);
    }
}

/* --- what is odd ---------------------------------------------------------------------------- */

static void check_note(const las_file *f, const char *note)
{
    clump_cloud *cloud = las_parse(f);
    if (cloud) CHECK_TEXT(clump_cloud_describe(cloud).note, note);
    clump_cloud_destroy(cloud);
    las_check_same_again(f, note);
}

static void notes(void)
{
    las_file f = las_make(&(las_recipe){.minor = 4, .format = 1, .points = 9, .evlrs = 2, .rest = 5}, 1);
    check_note(&f, "5 bytes behind the last point belong to nothing");
    las_put(f.bytes + 235, f.size - 10, 8);
    check_note(&f, "the extended records announced at byte 235 are not all there");
    las_put(f.bytes + 235, UINT64_MAX, 8);
    check_note(&f, "the extended records announced at byte 235 are not all there");
    las_put(f.bytes + 235, f.points, 8);
    check_note(&f, "the extended records announced at byte 235 are not all there");
    las_put(f.bytes + 243, UINT32_MAX, 4);
    check_note(&f, "the extended records announced at byte 235 are not all there");
    las_put(f.bytes + 243, 0, 4);
    check_note(&f, "143 bytes behind the last point belong to nothing");
    las_put(f.bytes + 107, 8, 4);
    f.size -= 143;
    check_note(&f, "the header counts 8 points at byte 107 and 9 at byte 247, which are read");
    las_put(f.bytes + 107, 9, 4), las_put(f.bytes + 247, 0, 8);
    check_note(&f, "");
    free(f.bytes);

    f = las_make(&(las_recipe){.minor = 3, .format = 4, .points = 9, .waveforms = true}, 1);
    check_note(&f, "");
    f.size--;
    check_note(&f, "the waveforms announced at byte 227 are not all there");
    las_put(f.bytes + 6, 4, 2); /* they are in another file */
    check_note(&f, "79 bytes behind the last point belong to nothing");
    free(f.bytes);

    f = las_make(&(las_recipe){.minor = 2, .points = 9}, 1);
    const double low = 1;
    memcpy(f.bytes + 179 + 32, &low, 8), memcpy(f.bytes + 179 + 40, &low, 8);
    check_note(&f, "points lie outside of the bounds that the header gives for z");
    free(f.bytes);

    f = las_make(&(las_recipe){.minor = 2, .points = 0, .vlrs = 3}, 1); /* nothing odd in that */
    check_note(&f, "");
    free(f.bytes);
}

/* A header may be longer than its version's. */
static void longer_header(void)
{
    las_file f = las_make(&(las_recipe){.minor = 2, .points = 3, .gap = 100}, 1);
    las_put(f.bytes + 94, 327, 2);
    check_note(&f, "");
    free(f.bytes);
}

static void formats_are_told_apart(void)
{
    las_file f = las_make(&(las_recipe){.minor = 2, .points = 3}, 1);
    clump_cloud *cloud;
    CHECK_INT(io_parse("a.xyz", f.bytes, f.size, &cloud), CLUMP_OK);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "named .xyz but holds LAS");
    clump_cloud_destroy(cloud);
    f.bytes[104] |= 0xc0;
    LAS_REFUSED(&f, CLUMP_ERR_IO_UNSUPPORTED,
                "a.las: byte 104: point format 192: compressed by a LASzip before version 2, which is not supported");
    free(f.bytes);
}

CHECK_PROGRAM(test_las)
{
    RUN(every_version_and_format);
    RUN(coordinates_keep_their_integers);
    RUN(integers_are_kept_where_floats_are_not_enough);
    RUN(absurd_scales);
    RUN(notes);
    RUN(longer_header);
    RUN(formats_are_told_apart);
    io_cleanup();
}
