/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cloud_rings.c: the rings of a cloud from its field "ring" of any type or from fields of other names, and its rows.
 */
#include "support/check.h"

#include <clump/io.h>

#include <math.h>

enum { COUNT = 6 };

static const double values[COUNT] = {0, 5, 63, 127, 1, 0};

/* Makes a cloud with a field of a type that holds `given`. */
static clump_cloud *cloud_with(const char *name, clump_type type, const double *given)
{
    union {
        int8_t i8[COUNT];
        uint8_t u8[COUNT];
        int16_t i16[COUNT];
        uint16_t u16[COUNT];
        int32_t i32[COUNT];
        uint32_t u32[COUNT];
        int64_t i64[COUNT];
        uint64_t u64[COUNT];
        float f32[COUNT];
        double f64[COUNT];
    } data;
#define FILL(value, member, c_type)                                                                                    \
    case value:                                                                                                        \
        for (int i = 0; i < COUNT; i++) data.member[i] = (c_type)given[i];                                             \
        break
    switch (type) {
        FILL(CLUMP_TYPE_I8, i8, int8_t);
        FILL(CLUMP_TYPE_U8, u8, uint8_t);
        FILL(CLUMP_TYPE_I16, i16, int16_t);
        FILL(CLUMP_TYPE_U16, u16, uint16_t);
        FILL(CLUMP_TYPE_I32, i32, int32_t);
        FILL(CLUMP_TYPE_U32, u32, uint32_t);
        FILL(CLUMP_TYPE_I64, i64, int64_t);
        FILL(CLUMP_TYPE_U64, u64, uint64_t);
        FILL(CLUMP_TYPE_F32, f32, float);
        FILL(CLUMP_TYPE_F64, f64, double);
    }
#undef FILL
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(COUNT, &cloud, NULL), CLUMP_OK);
    const clump_field field = {name, type, 1, &data};
    CHECK_INT(clump_cloud_set_field(cloud, &field, NULL), CLUMP_OK);
    return cloud;
}

static void fields_of_every_type(void)
{
    for (clump_type type = CLUMP_TYPE_I8; type <= CLUMP_TYPE_F64; type = (clump_type)(type + 1)) {
        clump_cloud *const cloud = cloud_with("ring", type, values);
        uint16_t rings[COUNT];
        bool found = false;
        CHECK_INT(clump_cloud_rings(cloud, rings, &found, NULL), CLUMP_OK);
        CHECK(found);
        for (int i = 0; i < COUNT; i++) CHECK_INT(rings[i], (int)values[i]);
        clump_cloud_destroy(cloud);
    }
}

/* Other names are taken where their values can be rings; "ring" comes first. */
static void fields_of_other_names(void)
{
    static const char *const names[] = {"channel", "laser_id", "ring_id", "beam", "line", "row"};
    double wrong[COUNT];
    memcpy(wrong, values, sizeof wrong);
    wrong[2] = 1024;
    uint16_t rings[COUNT];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        bool found = false;
        clump_cloud *cloud = cloud_with(names[k], CLUMP_TYPE_F32, values);
        CHECK_TEXT(clump_cloud_ring_field(cloud), names[k]);
        CHECK_INT(clump_cloud_rings(cloud, rings, &found, NULL), CLUMP_OK);
        CHECK(found);
        for (int i = 0; i < COUNT; i++) CHECK_INT(rings[i], (int)values[i]);
        const uint16_t zero[COUNT] = {0};
        CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"ring", CLUMP_TYPE_U16, 1, zero}, NULL), CLUMP_OK);
        CHECK_TEXT(clump_cloud_ring_field(cloud), "ring");
        clump_cloud_destroy(cloud);
        cloud = cloud_with(names[k], CLUMP_TYPE_F32, wrong);
        CHECK(!clump_cloud_ring_field(cloud));
        CHECK_INT(clump_cloud_rings(cloud, rings, &found, NULL), CLUMP_OK);
        CHECK(!found);
        clump_cloud_destroy(cloud);
    }
    CHECK(!clump_cloud_ring_field(NULL));
}

static void check_refused(clump_type type, double value, const char *text)
{
    double given[COUNT];
    memcpy(given, values, sizeof given);
    given[3] = value;
    clump_cloud *const cloud = cloud_with("ring", type, given);
    uint16_t rings[COUNT];
    bool found = false;
    clump_message why;
    CHECK_INT(clump_cloud_rings(cloud, rings, &found, &why), CLUMP_ERR_IO_FORMAT);
    char expected[200];
    snprintf(expected, sizeof expected, "field ring: the ring of point 3 is %s; rings are whole numbers from 0 to 1023",
             text);
    CHECK_TEXT(why.text, expected);
    clump_cloud_xyz(cloud)[10] = NAN; /* the ring of a point that is not finite does not matter */
    CHECK_INT(clump_cloud_rings(cloud, rings, &found, &why), CLUMP_OK);
    CHECK_TEXT(why.text, "");
    CHECK_INT(rings[3], 0);
    clump_cloud_destroy(cloud);
}

static void values_that_are_no_rings(void)
{
    check_refused(CLUMP_TYPE_I8, -1, "-1");
    check_refused(CLUMP_TYPE_U16, 65535, "65535");
    check_refused(CLUMP_TYPE_U16, 1024, "1024");
    check_refused(CLUMP_TYPE_F32, 2.5, "2.5");
    check_refused(CLUMP_TYPE_F32, (double)NAN, "nan");
    check_refused(CLUMP_TYPE_F64, 1e300, "1e+300");
    check_refused(CLUMP_TYPE_F64, -0.25, "-0.25");
}

static void clouds_without_rings(void)
{
    clump_cloud *cloud = cloud_with("rings", CLUMP_TYPE_U16, values);
    uint16_t rings[COUNT] = {7};
    bool found = true;
    CHECK_INT(clump_cloud_rings(cloud, rings, &found, NULL), CLUMP_OK);
    CHECK(!found && rings[0] == 7);
    found = true;
    CHECK_INT(clump_cloud_rings(NULL, rings, &found, NULL), CLUMP_OK);
    CHECK(!found);
    clump_cloud_destroy(cloud);

    CHECK_INT(clump_cloud_create(COUNT, &cloud, NULL), CLUMP_OK);
    const float pairs[2 * COUNT] = {0};
    const clump_field two = {"ring", CLUMP_TYPE_F32, 2, pairs};
    CHECK_INT(clump_cloud_set_field(cloud, &two, NULL), CLUMP_OK);
    found = true;
    CHECK_INT(clump_cloud_rings(cloud, rings, &found, NULL), CLUMP_OK);
    CHECK(!found);
    clump_cloud_destroy(cloud);
}

static void rows(void)
{
    static const double nowhere[7] = {0, 0, 0, 1, 0, 0, 0};
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(6 * 257, &cloud, NULL), CLUMP_OK);
    CHECK_INT(clump_cloud_columns(cloud), 0);
    clump_cloud_set_shape(cloud, 6, 257, nowhere);
    CHECK_INT(clump_cloud_columns(cloud), 0);
    clump_cloud_set_shape(cloud, 257, 6, nowhere);
    CHECK_INT(clump_cloud_columns(cloud), 257);
    CHECK_INT(clump_cloud_columns(NULL), 0);
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_cloud_rings)
{
    RUN(fields_of_every_type);
    RUN(fields_of_other_names);
    RUN(values_that_are_no_rings);
    RUN(clouds_without_rings);
    RUN(rows);
}
