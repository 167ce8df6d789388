/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_rgb.c: the colours of the file, in every layout: found, drawn, and in a packet.
 */
#include "support/check.h"

#include "view/view_decode.h"
#include "viewer/packet/packet.h"
#include "viewer/picture/paint.h"
#include "viewer/scene/palette.h"

enum { POINTS = 3 };

static const view_rgb wanted[POINTS] = {{255, 128, 0}, {1, 2, 3}, {0, 0, 250}};

static clump_cloud *make_cloud(void)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(POINTS, &cloud, NULL), CLUMP_OK);
    for (int i = 0; i < 3 * POINTS; i++) clump_cloud_xyz(cloud)[i] = (float)i;
    return cloud;
}

static void add(clump_cloud *cloud, const char *name, clump_type type, uint32_t count, const void *data)
{
    const clump_field field = {.name = name, .type = type, .count = count, .data = data};
    CHECK_INT(clump_cloud_set_field(cloud, &field, NULL), CLUMP_OK);
}

/* A cloud with the field `name` of packed colours; the alpha of each point is another one. */
static clump_cloud *make_packed(const char *name, clump_type type)
{
    static const uint32_t alpha[POINTS] = {0xff, 0, 0x80};
    uint32_t bits[POINTS];
    for (int i = 0; i < POINTS; i++)
        bits[i] = alpha[i] << 24 | (uint32_t)wanted[i].r << 16 | (uint32_t)wanted[i].g << 8 | wanted[i].b;
    clump_cloud *const cloud = make_cloud();
    add(cloud, name, type, 1, bits);
    return cloud;
}

/* A cloud with three fields; the numbers are the bytes times `factor`. */
static clump_cloud *make_channels(const char *const names[3], clump_type type, double factor)
{
    clump_cloud *const cloud = make_cloud();
    for (int k = 0; k < 3; k++) {
        uint8_t u8[POINTS];
        uint16_t u16[POINTS];
        float f32[POINTS];
        for (int i = 0; i < POINTS; i++) {
            const int bytes[3] = {wanted[i].r, wanted[i].g, wanted[i].b};
            u8[i] = (uint8_t)bytes[k];
            u16[i] = (uint16_t)(bytes[k] * factor);
            f32[i] = (float)(bytes[k] * factor);
        }
        add(cloud, names[k], type, 1,
            type == CLUMP_TYPE_F32   ? (const void *)f32
            : type == CLUMP_TYPE_U16 ? (const void *)u16
                                     : (const void *)u8);
    }
    return cloud;
}

/* Checks the colours of the cloud, and that pictures without labels have them. Destroys the cloud. */
static void check_colours(clump_cloud *cloud, const char *what)
{
    view_colours colours;
    CHECK_MSG(view_find_colours(cloud, &colours), "%s: no colours", what);
    CHECK_MSG(view_has_colours(cloud), "%s: all the same", what);
    const view_frame frame = {.clouds = {cloud}, .cloud_count = 1};
    const view_options options = view_defaults();
    view_paint paint;
    CHECK_INT(view_paint_frame(&frame, &options, 0, true, &paint, NULL), CLUMP_OK);
    for (size_t i = 0; i < POINTS; i++) {
        const view_rgb one = view_point_colour(&colours, i);
        CHECK_MSG(memcmp(&one, &wanted[i], sizeof one) == 0, "%s, point %zu: %d %d %d", what, i, one.r, one.g, one.b);
        CHECK_MSG(memcmp(&paint.points[i], &wanted[i], sizeof one) == 0, "%s, point %zu as painted", what, i);
    }
    view_paint_release(&paint);
    clump_cloud_destroy(cloud);
}

static const char *const plain[3] = {"red", "green", "blue"};

static void every_layout_is_read(void)
{
    static const char *const diffuse[3] = {"diffuse_red", "diffuse_green", "diffuse_blue"};
    static const char *const capital[3] = {"Red", "Green", "Blue"};
    static const char *const letters[3] = {"r", "g", "b"};
    check_colours(make_packed("rgb", CLUMP_TYPE_F32), "rgb, float32");
    check_colours(make_packed("rgb", CLUMP_TYPE_U32), "rgb, uint32");
    check_colours(make_packed("rgba", CLUMP_TYPE_U32), "rgba, uint32");
    check_colours(make_packed("RGBA", CLUMP_TYPE_I32), "RGBA, int32");
    check_colours(make_channels(plain, CLUMP_TYPE_U8, 1), "uint8");
    check_colours(make_channels(diffuse, CLUMP_TYPE_U8, 1), "diffuse");
    check_colours(make_channels(capital, CLUMP_TYPE_U16, 1), "8 bits in uint16");
    check_colours(make_channels(plain, CLUMP_TYPE_U16, 256), "upper byte of uint16");
    check_colours(make_channels(plain, CLUMP_TYPE_U16, 257), "both bytes of uint16");
    check_colours(make_channels(letters, CLUMP_TYPE_F32, 1), "float32 to 255");
    check_colours(make_channels(letters, CLUMP_TYPE_F32, 1.0 / 255), "float32 to 1");
    check_colours(make_channels(plain, CLUMP_TYPE_I8, 1), "int8");
    clump_cloud *const cloud = make_cloud();
    add(cloud, "rgb", CLUMP_TYPE_U8, 3, wanted);
    check_colours(cloud, "three elements");
}

/* What has no colours, or only one, is coloured by height. */
static void clouds_without_colours_are_known(void)
{
    static const uint32_t grey[POINTS] = {0x808080, 0x808080, 0x112233};
    static const double numbers[POINTS] = {1, 2, 3};
    clump_cloud *const cloud = make_cloud();
    const view_frame frame = {.clouds = {cloud}, .cloud_count = 1};
    view_options options = view_defaults();
    view_colours colours;
    view_colour resolved;
    CHECK(!view_find_colours(cloud, &colours));
    add(cloud, "rgb", CLUMP_TYPE_F64, 1, numbers);
    add(cloud, "red", CLUMP_TYPE_F64, 1, numbers);
    add(cloud, "green", CLUMP_TYPE_F64, 1, numbers);
    CHECK(!view_find_colours(cloud, &colours));
    options.colour = VIEW_BY_RGB;
    CHECK(!view_resolve_colour(&frame, &options, &resolved));
    add(cloud, "rgb", CLUMP_TYPE_U32, 1, grey);
    CHECK(view_resolve_colour(&frame, &options, &resolved) && resolved == VIEW_BY_RGB);
    options.colour = VIEW_BY_AUTO;
    CHECK(view_resolve_colour(&frame, &options, &resolved) && resolved == VIEW_BY_RGB);
    clump_cloud_xyz(cloud)[3 * 2] = NAN; /* the only point with another colour */
    CHECK(view_resolve_colour(&frame, &options, &resolved) && resolved == VIEW_BY_HEIGHT);
    clump_cloud_destroy(cloud);
}

/* Checks the column rgb of a frame whose first points are those of `wanted`. Further rows are NaN. left: a text that the
 * header has; gone: one that it has not; null: any. */
static void check_packet(const view_frame *frame, const view_options *look, const char *left, const char *gone)
{
    view_packet_options options = view_packet_defaults();
    options.look = look;
    view_bytes bytes = {0};
    view_read read = {0};
    CHECK_INT(view_put_packet(&bytes, frame, &options, NULL), CLUMP_OK);
    CHECK(view_read_packet(&read, bytes.data, bytes.size));
    const size_t rows = view_rows(&read, "points");
    double *const values = view_values(&read, view_column(&read, "points", "rgb"), rows);
    CHECK(values);
    for (size_t i = 0; values && i < rows; i++) {
        if (i < POINTS)
            CHECK_INT(values[i], wanted[i].r << 16 | wanted[i].g << 8 | wanted[i].b);
        else
            CHECK(isnan(values[i]));
    }
    if (left) CHECK_MSG(strstr(read.header, left), "%s is not in the packet", left);
    if (gone) CHECK_MSG(!strstr(read.header, gone), "%s is in the packet", gone);
    free(values);
    view_read_release(&read);
    view_bytes_release(&bytes);
}

/* Fields that say no more than the column rgb are left out, unless they are asked for. */
static void packets_have_colours(void)
{
    static const uint16_t fine[POINTS] = {65500, 300, 12}; /* the upper bytes are those of red */
    clump_cloud *const packed = make_packed("rgba", CLUMP_TYPE_F32), *const bare = make_cloud();
    clump_cloud *const wide = make_channels(plain, CLUMP_TYPE_U16, 256);
    view_frame frame = {.stamp = INT64_MIN, .clouds = {packed, bare}, .cloud_count = 1};
    view_options look = view_defaults();
    check_packet(&frame, &look, NULL, "field:");
    frame.cloud_count = 2;
    check_packet(&frame, &look, "\"nan\"", "field:");
    frame.cloud_count = 1;
    frame.clouds[0] = wide;
    check_packet(&frame, &look, NULL, "field:");
    look.colour = VIEW_BY_FIELD, look.field = "green";
    check_packet(&frame, &look, "field:green", "field:red");
    look = view_defaults();
    add(wide, "red", CLUMP_TYPE_U16, 1, fine);
    check_packet(&frame, &look, "field:red", NULL);
    clump_cloud_destroy(packed);
    clump_cloud_destroy(wide);
    clump_cloud_destroy(bare);
}

/* A cloud without colours beside one that has them. */
static void second_cloud_is_unknown(void)
{
    clump_cloud *const packed = make_packed("rgb", CLUMP_TYPE_U32), *const bare = make_cloud();
    const view_frame frame = {.clouds = {bare, packed}, .cloud_count = 2};
    const view_rgb unknown = view_special_colours(true)->noise;
    view_options options = view_defaults();
    view_colour resolved;
    CHECK(view_resolve_colour(&frame, &options, &resolved) && resolved == VIEW_BY_CLOUD);
    options.colour = VIEW_BY_RGB;
    view_paint paint;
    CHECK_INT(view_paint_frame(&frame, &options, 0, true, &paint, NULL), CLUMP_OK);
    for (size_t i = 0; i < POINTS; i++) {
        CHECK(memcmp(&paint.points[i], &unknown, sizeof unknown) == 0);
        CHECK(memcmp(&paint.points[POINTS + i], &wanted[i], sizeof unknown) == 0);
    }
    view_paint_release(&paint);
    clump_cloud_destroy(packed);
    clump_cloud_destroy(bare);
}

CHECK_PROGRAM(test_view_rgb)
{
    RUN(every_layout_is_read);
    RUN(clouds_without_colours_are_known);
    RUN(packets_have_colours);
    RUN(second_cloud_is_unknown);
}
