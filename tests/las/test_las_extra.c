/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_las_extra.c: extra bytes of LAS points: every type, scaled ones, bytes nobody described, and
 * labels, which are written as an extra dimension.
 */
#include "las/test_las.h"

static const clump_type types[10] = {CLUMP_TYPE_U8,  CLUMP_TYPE_I8,  CLUMP_TYPE_U16, CLUMP_TYPE_I16, CLUMP_TYPE_U32,
                                     CLUMP_TYPE_I32, CLUMP_TYPE_U64, CLUMP_TYPE_I64, CLUMP_TYPE_F32, CLUMP_TYPE_F64};

/* The bytes of a field are those of the records from `offset` on. */
static void check_raw(const las_file *f, const clump_cloud *cloud, const char *name, clump_type type, uint32_t count,
                      size_t offset)
{
    clump_field field;
    CHECK_MSG(clump_cloud_find(cloud, name, &field) && field.type == type && field.count == count, "%s", name);
    const size_t size = count * clump_type_size(type);
    for (size_t i = 0; i < f->count; i++)
        CHECK_MSG(memcmp((const char *)field.data + i * size, f->bytes + f->points + i * f->record + offset, size) == 0,
                  "%s of point %zu", name, i);
}

/* --- reading -------------------------------------------------------------------------------- */

static void every_type(void)
{
    unsigned char d[192 * 31];
    char name[40];
    size_t bytes = 0;
    for (unsigned t = 0; t <= 30; t++) {
        snprintf(name, sizeof name, "type%u", t);
        las_describe(d + 192 * t, name, t, t ? 0 : 13, 0, 0);
        bytes += t ? clump_type_size(types[(t - 1) % 10]) * ((t - 1) / 10 + 1) : 13;
    }
    for (unsigned format = 0; format <= 10; format += 5) {
        las_file f = las_make(&(las_recipe){.minor = 4,
                                            .format = format,
                                            .points = 40,
                                            .extra = bytes + 5,
                                            .descriptors = d,
                                            .descriptors_size = sizeof d,
                                            .vlrs = 2},
                              format);
        clump_cloud *cloud = las_parse(&f);
        size_t offset = las_record_sizes[format];
        for (unsigned t = 0; t <= 30; t++) {
            snprintf(name, sizeof name, "type%u", t);
            const clump_type type = t ? types[(t - 1) % 10] : CLUMP_TYPE_U8;
            const uint32_t count = t ? (t - 1) / 10 + 1 : 13;
            check_raw(&f, cloud, name, type, count, offset);
            offset += count * clump_type_size(type);
        }
        check_raw(&f, cloud, "extra_bytes", CLUMP_TYPE_U8, 5, offset);
        CHECK_TEXT(clump_cloud_describe(cloud).note, "");
        clump_cloud_destroy(cloud);
        las_check_same_again(&f, "types");
        free(f.bytes);
    }
}

static double number_at(const unsigned char *bytes, unsigned type)
{
    float f;
    switch (type) {
    case 1:
        return bytes[0];
    case 2:
        return (int8_t)bytes[0];
    case 3:
        return (uint16_t)las_get(bytes, 2);
    case 4:
        return (int16_t)las_get(bytes, 2);
    case 5:
        return (uint32_t)las_get(bytes, 4);
    case 6:
        return (int32_t)las_get(bytes, 4);
    default:
        memcpy(&f, bytes, 4);
        return (double)f;
    }
}

static void scaled_types(void)
{
    static const unsigned scaled[] = {1, 2, 3, 4, 5, 6, 9};
    for (unsigned elements = 1; elements <= 3; elements++) {
        for (size_t s = 0; s < 7; s++) {
            const unsigned t = scaled[s], real = t == 9;
            unsigned char d[192];
            las_describe(d, "scaled", t + 10 * (elements - 1), real ? 8 : 24, 0.01, -1234.5);
            const size_t size = clump_type_size(types[t - 1]);
            las_file f = las_make(&(las_recipe){.minor = 4,
                                                .format = 1,
                                                .points = 3000,
                                                .extra = size * elements,
                                                .descriptors = d,
                                                .descriptors_size = 192},
                                  s);
            for (size_t i = 0; real && i < f.count; i++)
                for (unsigned k = 0; k < elements; k++) {
                    const float value = i == 1 ? INFINITY : i == 2 ? -0.0f : i == 3 ? 1e-45f : (float)i * 1.1f;
                    memcpy(f.bytes + f.points + i * f.record + 28 + 4 * k, &value, 4);
                }
            clump_cloud *cloud = las_parse(&f);
            clump_field field;
            CHECK(clump_cloud_find(cloud, "scaled", &field) && field.type == CLUMP_TYPE_F64 && field.count == elements);
            for (size_t i = 0; i < f.count * elements; i++) {
                const unsigned k = (unsigned)(i % elements);
                const unsigned char *raw = f.bytes + f.points + i / elements * f.record + 28 + k * size;
                const double expected = number_at(raw, t) * (0.01 * (k + 1)) + (real ? 0 : -1234.5 * (k + 1));
                CHECK_MSG(((const double *)field.data)[i] == expected, "type %u, %zu", t, i);
            }
            CHECK_TEXT(clump_cloud_describe(cloud).note, "");
            clump_cloud_destroy(cloud);
            las_check_same_again(&f, "scaled");
            free(f.bytes);
        }
    }
}

/* Where the numbers could not be had back, or there is nothing to it. */
static void scales_that_are_not_applied(void)
{
    static const struct {
        unsigned type, options;
        double scale, offset;
        const char *note;
    } cases[] = {
        {7, 8, 0.01, 0, "the scale of a_b is not applied"},
        {8, 24, 0.01, 5, "the scale of a_b is not applied"},
        {10, 8, 0.01, 0, "the scale of a_b is not applied"},
        {6, 24, 1e-12, 1e12, "the scale of a_b is not applied"},
        {3, 8, 0, 0, "the scale of a_b is not applied"},
        {3, 8, NAN, 0, "the scale of a_b is not applied"},
        {9, 24, 0.01, 1, "the scale of a_b is not applied"}, /* random floats, tiny ones too */
        {3, 16, 0, INFINITY, "the scale of a_b is not applied"},
        {3, 24, 1, 0, ""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        unsigned char d[192];
        las_describe(d, "a b", cases[c].type, cases[c].options, cases[c].scale, cases[c].offset);
        const clump_type type = types[cases[c].type - 1];
        las_file f = las_make(
            &(las_recipe){
                .minor = 4, .points = 500, .extra = clump_type_size(type), .descriptors = d, .descriptors_size = 192},
            c);
        clump_cloud *cloud = las_parse(&f);
        CHECK_TEXT(clump_cloud_describe(cloud).note, cases[c].note);
        check_raw(&f, cloud, "a_b", type, 1, 20);
        clump_cloud_destroy(cloud);
        las_check_same_again(&f, "not applied");
        free(f.bytes);
    }
}

static void odd_descriptors(void)
{
    unsigned char d[192 * 4 + 100] = {0};
    las_describe(d, "", 3, 0, 0, 0);
    las_describe(d + 192, "Z", 3, 0, 0, 0);
    las_describe(d + 384, "a name of as many as 32 letters!", 3, 0, 0, 0);
    las_describe(d + 576, "later\n", 31, 0, 0, 0);
    const las_recipe recipe = {
        .minor = 4, .points = 9, .extra = 8, .descriptors = d, .descriptors_size = sizeof d, .vlrs = 1};
    las_file f = las_make(&recipe, 1);
    clump_cloud *cloud = las_parse(&f);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "extra dimension later_ has type 31, which is unknown");
    check_raw(&f, cloud, "extra_0", CLUMP_TYPE_U16, 1, 20);
    check_raw(&f, cloud, "extra_1", CLUMP_TYPE_U16, 1, 22);
    check_raw(&f, cloud, "a_name_of_as_many_as_32_letters!", CLUMP_TYPE_U16, 1, 24);
    check_raw(&f, cloud, "extra_bytes", CLUMP_TYPE_U8, 2, 26);
    clump_cloud_destroy(cloud);
    las_check_same_again(&f, "odd");
    free(f.bytes);

    las_describe(d + 576, "wide", 10, 0, 0, 0);
    f = las_make(&recipe, 1);
    cloud = las_parse(&f);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "extra dimension wide is described, but not in the points");
    check_raw(&f, cloud, "extra_bytes", CLUMP_TYPE_U8, 2, 26);
    clump_cloud_destroy(cloud);
    las_check_same_again(&f, "odd");
    free(f.bytes);
}

/* --- labels --------------------------------------------------------------------------------- */

static int32_t *some_labels(size_t points)
{
    int32_t *labels = malloc(points * sizeof *labels + 1);
    for (size_t i = 0; i < points; i++) labels[i] = i % 5 ? (int32_t)(i * 7919) : -1;
    return labels;
}

/* Saves the file with labels, checks that all else is where it should be, and returns it. */
static las_file add_labels(const las_file *f, size_t record, size_t moved)
{
    clump_cloud *cloud = las_parse(f), *back;
    int32_t *labels = some_labels(f->count);
    las_file g = las_save(cloud, labels);
    CHECK_INT(g.record, record);
    CHECK_INT(g.points - f->points, moved);
    const size_t base = las_record_sizes[f->bytes[104]];
    for (size_t i = 0; i < f->count; i++)
        CHECK(memcmp(f->bytes + f->points + i * f->record, g.bytes + g.points + i * g.record, base) == 0);
    /* The header but for sizes and places, the gap, and what is behind the points. */
    CHECK(memcmp(f->bytes, g.bytes, 96) == 0 && memcmp(f->bytes + 107, g.bytes + 107, 120) == 0);
    const size_t end = f->points + f->count * f->record, gend = g.points + g.count * g.record;
    CHECK(f->size - end == g.size - gend && memcmp(f->bytes + end, g.bytes + gend, f->size - end) == 0);
    for (size_t at = 227; at <= 235 && f->bytes[25] >= 4; at += 8)
        CHECK(las_get(f->bytes + at, 8) == 0 || las_get(f->bytes + at, 8) - end == las_get(g.bytes + at, 8) - gend);
    back = las_parse(&g);
    clump_field field, other;
    CHECK(io_same_xyz(cloud, back));
    CHECK(clump_cloud_find(back, "label", &field) && field.type == CLUMP_TYPE_I32 && field.count == 1);
    CHECK(memcmp(field.data, labels, f->count * sizeof *labels) == 0);
    for (size_t i = 0; clump_cloud_field(cloud, i, &field); i++)
        CHECK_MSG(strcmp(field.name, "label") == 0 ||
                      (clump_cloud_find(back, field.name, &other) && io_same_field(&field, &other, f->count)),
                  "%s", field.name);
    CHECK_TEXT(clump_cloud_describe(back).note, clump_cloud_describe(cloud).note);
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);
    free(labels);
    las_check_same_again(&g, "labels");
    return g;
}

static void labels_are_added(void)
{
    unsigned char d[192];
    las_describe(d, "height", 3, 8, 0.01, 0);
    for (unsigned minor = 0; minor <= 4; minor++) {
        for (int described = 0; described <= 1; described++) {
            const las_recipe recipe = {.minor = minor,
                                       .format = minor >= 3 ? 4 : 1,
                                       .points = 1500,
                                       .extra = described ? 2 : 0,
                                       .descriptors = described ? d : NULL,
                                       .descriptors_size = 192,
                                       .vlrs = 2,
                                       .gap = 7,
                                       .waveforms = minor >= 3,
                                       .evlrs = minor >= 4 ? 2 : 0};
            las_file f = las_make(&recipe, minor);
            las_file g = add_labels(&f, f.record + 4, described ? 192 : 246);
            CHECK_INT(las_get(g.bytes + 100, 4), 3);
            const unsigned char *vlr = g.bytes + las_get(g.bytes + 94, 2) + 2 * 61;
            CHECK(memcmp(vlr + 2, "LASF_Spec", 10) == 0 && las_get(vlr + 18, 2) == 4);
            CHECK_INT(las_get(vlr, 2), minor == 0 ? 0xaabb : 0);
            CHECK_INT(las_get(vlr + 20, 2), described ? 384 : 192);
            CHECK(!described || memcmp(vlr + 54, d, 192) == 0);
            const unsigned char *label = vlr + 54 + (described ? 192 : 0);
            CHECK(label[2] == 6 && memcmp(label + 4, "label", 6) == 0 && label[160]);
            for (int i = 0; i < 7; i++) CHECK_INT(g.bytes[g.points - 7 + (size_t)i], 0xdd);
            /* Once more: they are replaced where they are. */
            las_file h = add_labels(&g, g.record, 0);
            CHECK(h.size == g.size && memcmp(h.bytes, g.bytes, g.size) == 0);
            free(f.bytes), free(g.bytes), free(h.bytes);
        }
    }
}

/* Bytes that nobody has described stay where they are, which takes a descriptor. */
static void labels_behind_unknown_bytes(void)
{
    static const size_t sizes[] = {1, 4, 255};
    for (size_t s = 0; s < 3; s++) {
        las_file f = las_make(&(las_recipe){.minor = 4, .format = 6, .points = 100, .extra = sizes[s]}, s);
        las_file g = add_labels(&f, f.record + 4, 54 + 2 * 192);
        for (size_t i = 0; i < f.count; i++)
            CHECK(memcmp(f.bytes + f.points + i * f.record, g.bytes + g.points + i * g.record, f.record) == 0);
        free(f.bytes), free(g.bytes);
    }
    las_file f = las_make(&(las_recipe){.minor = 4, .format = 6, .points = 100, .extra = 600}, 5);
    clump_cloud *cloud = las_parse(&f);
    int32_t *labels = some_labels(100);
    las_file g = las_save(cloud, labels); /* three descriptors of 255, 255 and 90 bytes */
    CHECK_INT(g.points, 375 + 54 + 4 * 192);
    for (size_t i = 0; i < f.count; i++)
        CHECK(memcmp(f.bytes + f.points + i * f.record, g.bytes + g.points + i * g.record, f.record) == 0);
    clump_cloud_destroy(cloud);
    free(f.bytes), free(g.bytes), free(labels);
}

static void labels_replace_other_labels(void)
{
    unsigned char d[192 * 3];
    las_describe(d, "before", 5, 0, 0, 0);
    las_describe(d + 192, "label", 9, 0, 0, 0); /* float32: dropped, and added anew */
    las_describe(d + 384, "behind", 3, 0, 0, 0);
    las_recipe recipe = {.minor = 2, .points = 30, .extra = 13, .descriptors = d, .descriptors_size = sizeof d};
    las_file f = las_make(&recipe, 1), g = add_labels(&f, f.record + 0, 192); /* and three unknown bytes described */
    free(f.bytes), free(g.bytes);
    recipe.extra = 10;
    f = las_make(&recipe, 1), g = add_labels(&f, f.record, 0);
    CHECK(memcmp(g.bytes + 227 + 54 + 192 + 4, "behind", 7) == 0);
    free(f.bytes), free(g.bytes);

    las_describe(d + 192, "label", 6, 8, 0.5, 0); /* int32, but in halves: dropped as well */
    f = las_make(&recipe, 1), g = add_labels(&f, f.record, 0);
    CHECK(memcmp(g.bytes + 227 + 54 + 192 + 4, "behind", 7) == 0);
    free(f.bytes), free(g.bytes);

    las_describe(d + 192, "label", 6, 6, 0, 0); /* int32, with lowest and highest: these will be wrong */
    memset(d + 192 + 64, 1, 48);
    f = las_make(&recipe, 1), g = add_labels(&f, f.record, 0);
    CHECK(g.bytes[227 + 54 + 192 + 3] == 0 && g.bytes[227 + 54 + 192 + 64] == 0 && g.bytes[227 + 54 + 192 + 111] == 0);
    free(f.bytes), free(g.bytes);
}

CHECK_PROGRAM(test_las_extra)
{
    RUN(every_type);
    RUN(scaled_types);
    RUN(scales_that_are_not_applied);
    RUN(odd_descriptors);
    RUN(labels_are_added);
    RUN(labels_behind_unknown_bytes);
    RUN(labels_replace_other_labels);
    io_cleanup();
}
