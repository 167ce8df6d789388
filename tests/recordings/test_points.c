/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_points.c: sensor_msgs/PointCloud2 in every layout that is allowed, and in some that are not.
 */
#include "support/check.h"
#include "recordings/ros_writer.h"

#include <math.h>

static unsigned char data[1 << 16];

static void store(size_t at, const void *value, size_t size, bool swapped)
{
    for (size_t i = 0; i < size; i++) data[at + i] = ((const unsigned char *)value)[swapped ? size - 1 - i : i];
}

/* The value of a field at a point; whole numbers that every type holds. */
static double value_of(size_t point, size_t field)
{
    return (double)((point * 7 + field * 3) % 100);
}

static void store_value(size_t at, uint8_t type, double value, bool swapped)
{
    const float f = (float)value;
    const int64_t i = (int64_t)value;
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4};
    if (type == ROS_F32)
        store(at, &f, 4, swapped);
    else if (type == ROS_F64)
        store(at, &value, 8, swapped);
    else
        store(at, &i, sizes[type], swapped);
}

static void fill(const ros_points *points)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    memset(data, 0xcd, sizeof data);
    const size_t row = points->row_step ? points->row_step : points->width * points->step;
    for (size_t i = 0; i < (size_t)points->width * points->height; i++)
        for (size_t f = 0; f < points->field_count; f++)
            for (size_t k = 0; k < points->fields[f].count; k++)
                store_value(i / points->width * row + i % points->width * points->step + points->fields[f].offset +
                                k * sizes[points->fields[f].type],
                            points->fields[f].type, value_of(i, f + 10 * k), points->big_endian);
}

static clump_status decode(const ros_writer *w, clump_frame *frame, clump_message *why)
{
    why->text[0] = 0;
    const clump_io_where where = {NULL, why};
    const clump_io_encoded message = ros_message(w);
    /* in a block of its own size, so that a sanitizer sees a byte read too far */
    unsigned char *copy = malloc(message.size ? message.size : 1);
    if (!copy) abort();
    memcpy(copy, message.bytes, message.size);
    const clump_status status =
        clump_io_points_decode(&where, &(clump_io_encoded){copy, message.size, message.cdr}, frame);
    free(copy);
    return status;
}

/* Decodes in all encodings and byte orders and compares every value. */
static void check_layout(ros_points points)
{
    ros_writer w = {0};
    clump_frame frame = {0};
    clump_message why;
    for (int coding = 0; coding < ROS_CODINGS; coding++)
        for (int big = 0; big < 2; big++) {
            points.big_endian = big;
            points.data = data;
            fill(&points);
            ros_write_points(&w, (ros_coding)coding, &points);
            CHECK_MSG(decode(&w, &frame, &why) == CLUMP_OK, "%s", why.text);
            if (!frame.cloud) continue;
            CHECK_INT(frame.stamp, 1600000000000000005);
            CHECK_TEXT(frame.frame_id, "lidar");
            const size_t count = (size_t)points.width * points.height;
            CHECK_INT(clump_cloud_points(frame.cloud).count, count);
            CHECK_INT(clump_cloud_describe(frame.cloud).height, points.height);
            for (size_t f = 0, plain = 0; f < points.field_count; f++) {
                const char *const axis = strchr("xyz", points.fields[f].name[0]);
                clump_field field = {0};
                if (!axis || points.fields[f].name[1]) CHECK(clump_cloud_field(frame.cloud, plain++, &field));
                if (field.name) CHECK_TEXT(field.name, points.fields[f].name);
                for (size_t i = 0; i < count; i++)
                    for (uint32_t k = 0; k < points.fields[f].count; k++) {
                        const double got = field.name ? clump_field_value(&field, i, k)
                                                      : clump_cloud_coordinate(frame.cloud, i, (int)(*axis - 'x'));
                        if (got != value_of(i, f + 10 * k)) CHECK_FAIL("field %zu of point %zu is %g", f, i, got);
                    }
            }
        }
    clump_cloud_destroy(frame.cloud);
    free(w.bytes);
}

#define POINTS(w_, h_, step_, row_, list)                                                                              \
    (ros_points)                                                                                                       \
    {                                                                                                                  \
        .width = (w_), .height = (h_), .step = (step_), .row_step = (row_), .fields = (list),                          \
        .field_count = sizeof(list) / sizeof *(list), .size = (h_) * (row_), .bytes = (h_) * (row_)                    \
    }

static const ros_field usual[] = {{"x", 0, ROS_F32, 1},
                                  {"y", 4, ROS_F32, 1},
                                  {"z", 8, ROS_F32, 1},
                                  {"intensity", 16, ROS_F32, 1},
                                  {"ring", 20, ROS_U16, 1}};

static void reads_usual_layouts(void)
{
    static const ros_field dense[] = {
        {"x", 0, ROS_F32, 1}, {"y", 4, ROS_F32, 1}, {"z", 8, ROS_F32, 1}, {"intensity", 12, ROS_F32, 1}};
    static const ros_field packed[] = {{"x", 0, ROS_F32, 1},     {"y", 4, ROS_F32, 1},
                                       {"z", 8, ROS_F32, 1},     {"intensity", 12, ROS_F32, 1},
                                       {"ring", 16, ROS_U16, 1}, {"time", 18, ROS_F32, 1}};
    static const ros_field ouster[] = {{"x", 0, ROS_F32, 1},    {"y", 4, ROS_F32, 1},
                                       {"z", 8, ROS_F32, 1},    {"intensity", 16, ROS_F32, 1},
                                       {"t", 20, ROS_U32, 1},   {"reflectivity", 24, ROS_U16, 1},
                                       {"ring", 26, ROS_U8, 1}, {"range", 32, ROS_U32, 1}};
    check_layout(POINTS(100, 1, 16, 1600, dense));
    check_layout(POINTS(100, 1, 32, 3200, usual));
    check_layout(POINTS(100, 1, 22, 2200, packed));
    check_layout(POINTS(50, 4, 48, 2400, ouster));
    check_layout(POINTS(1, 1, 32, 32, usual));
}

static void reads_odd_layouts(void)
{
    static const ros_field mixed[] = {{"flags", 0, ROS_U8, 1},    {"z", 1, ROS_F32, 1},     {"gap", 9, ROS_I8, 3},
                                      {"y", 13, ROS_F32, 1},      {"time", 18, ROS_F64, 1}, {"x", 27, ROS_F32, 1},
                                      {"normal", 31, ROS_F32, 3}, {"id", 43, ROS_I16, 2},   {"big", 47, ROS_I32, 1}};
    static const ros_field wide[] = {
        {"x", 3, ROS_F64, 1}, {"y", 11, ROS_F64, 1}, {"z", 19, ROS_F64, 1}, {"i", 0, ROS_U16, 1}};
    static const ros_field whole[] = {{"x", 0, ROS_I16, 1}, {"y", 2, ROS_U8, 1}, {"z", 3, ROS_I32, 1}};
    static const ros_field half[] = {{"x", 0, ROS_F32, 1}, {"y", 4, ROS_F64, 1}, {"z", 12, ROS_U16, 1}};
    check_layout(POINTS(33, 3, 53, 33 * 53 + 5, mixed));
    check_layout(POINTS(33, 2, 27, 33 * 27, wide));
    check_layout(POINTS(10, 1, 7, 70, whole));
    check_layout(POINTS(10, 1, 14, 140, half));
}

/* Decodes one message of ROS 1. */
static clump_status decode_points(const ros_points *points, clump_frame *frame, clump_message *why)
{
    ros_writer w = {0};
    ros_write_points(&w, ROS_1, points);
    const clump_status status = decode(&w, frame, why);
    free(w.bytes);
    return status;
}

static void keeps_digits_of_doubles(void)
{
    static const ros_field wide[] = {{"x", 0, ROS_F64, 1}, {"y", 8, ROS_F64, 1}, {"z", 16, ROS_F64, 1}};
    ros_points points = POINTS(2, 1, 24, 48, wide);
    const double values[] = {500000.125, 4000000.1, 3.3, 500001.7, 4000002.9, NAN};
    clump_frame frame = {0};
    clump_message why;
    for (int round = 0; round < 3; round++) { /* the second round uses the memory of the first again */
        memcpy(data, values, sizeof values);
        points.data = data;
        CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
        CHECK(clump_cloud_origin(frame.cloud)[1] == 4000000);
        CHECK(clump_cloud_coordinate(frame.cloud, 0, 1) == 4000000.1);
        CHECK(clump_cloud_coordinate(frame.cloud, 1, 0) == 500001.7);
        CHECK(isnan(clump_cloud_coordinate(frame.cloud, 1, 2)));
        CHECK_INT(clump_cloud_describe(frame.cloud).xyz_type, CLUMP_TYPE_F64);
        CHECK(frame.cloud->capacity >= 2);
        const double coarse[] = {1, 2, 3, 4, 5, 6}; /* float32 holds these: no digits are kept beside */
        memcpy(data, coarse, sizeof coarse);
        CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
        CHECK(clump_cloud_coordinate(frame.cloud, 1, 2) == 6 && !frame.cloud->exact && frame.cloud->spare);
    }
    clump_cloud_destroy(frame.cloud);
}

static void reads_empty_clouds(void)
{
    clump_frame frame = {0};
    clump_message why;
    ros_points points = POINTS(0, 1, 32, 0, usual);
    CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
    CHECK(frame.cloud && clump_cloud_points(frame.cloud).count == 0);
    CHECK_INT(clump_cloud_field_count(frame.cloud), 2);
    points = (ros_points){0};
    CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
    CHECK_INT(clump_cloud_points(frame.cloud).count, 0);
    points = POINTS(5, 1, 32, 160, usual);
    points.data = data;
    CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
    CHECK_INT(clump_cloud_points(frame.cloud).count, 5);
    points = POINTS(0, 0, 32, 0, usual);
    CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
    CHECK_INT(clump_cloud_points(frame.cloud).count, 0);
    clump_cloud_destroy(frame.cloud);
}

static void tolerates_wrong_rows(void)
{
    clump_frame frame = {0};
    clump_message why;
    fill(&POINTS(4, 3, 32, 128, usual));
    ros_points points = POINTS(4, 3, 32, 128, usual);
    points.data = data;
    points.row_step = 0;
    CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
    points.row_step = 4; /* some publishers write the width */
    CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
    CHECK(clump_cloud_coordinate(frame.cloud, 11, 1) == value_of(11, 1));
    points = POINTS(4, 3, 32, 130, usual); /* the last row lacks its padding */
    fill(&points);
    points.data = data;
    points.size = 130 * 2 + 128, points.bytes = points.size;
    CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
    CHECK(clump_cloud_coordinate(frame.cloud, 11, 2) == value_of(11, 2));
    clump_cloud_destroy(frame.cloud);
}

static void takes_whole_points_of_short_data(void)
{
    clump_frame frame = {0};
    clump_message why;
    ros_points points = POINTS(10, 2, 32, 330, usual);
    fill(&points);
    points.data = data;
    for (size_t size = 0; size < 660; size++) {
        points.size = (uint32_t)size, points.bytes = size;
        const size_t row = size / 330, rest = size % 330 / 32;
        const size_t whole = row * 10 + (rest < 10 ? rest : 10);
        CHECK_INT(decode_points(&points, &frame, &why), whole == 20 ? CLUMP_OK : CLUMP_ERR_IO_TRUNCATED);
        CHECK_INT(clump_cloud_points(frame.cloud).count, whole);
    }
    points.size = 100, points.bytes = 100;
    decode_points(&points, &frame, &why);
    CHECK_TEXT(why.text, "PointCloud2 announces 20 points and has 3");
    clump_cloud_destroy(frame.cloud);
}

static void check_refused(const ros_points *points, clump_status status, const char *sentence)
{
    clump_frame frame = {0};
    clump_message why;
    CHECK_INT(decode_points(points, &frame, &why), status);
    CHECK_TEXT(why.text, sentence);
    clump_cloud_destroy(frame.cloud);
}

static void refuses_nonsense(void)
{
    static const ros_field no_z[] = {{"x", 0, ROS_F32, 1}, {"y", 4, ROS_F32, 1}, {"intensity", 8, ROS_F32, 1}};
    static const ros_field far[] = {{"x", 0, ROS_F32, 1}, {"y", 4, ROS_F32, 1}, {"z", 4294967295u, ROS_F32, 1}};
    ros_points points = POINTS(4, 1, 12, 48, no_z);
    points.data = data;
    check_refused(&points, CLUMP_ERR_IO_FORMAT, "PointCloud2 has no field z that lies within its points");
    points = POINTS(4, 1, 12, 48, far);
    points.data = data;
    check_refused(&points, CLUMP_ERR_IO_FORMAT, "PointCloud2 has no field z that lies within its points");
    points = POINTS(4, 1, 0, 48, usual);
    points.data = data;
    check_refused(&points, CLUMP_ERR_IO_FORMAT, "PointCloud2 has 4 points of 0 bytes");
    points = POINTS(4, 2, 32, 64, usual);
    points.data = data;
    check_refused(&points, CLUMP_ERR_IO_FORMAT, "PointCloud2 has rows of 64 bytes for 4 points of 32 bytes");
    points = POINTS(4294967295u, 4294967295u, 32, 64, usual); /* claims 2^69 bytes */
    points.data = data, points.size = 64, points.bytes = 64;
    points.row_step = 4294967295u;
    check_refused(&points, CLUMP_ERR_IO_FORMAT,
                  "PointCloud2 has rows of 4294967295 bytes for 4294967295 points of 32 bytes");
    points.height = 1;
    check_refused(&points, CLUMP_ERR_IO_TRUNCATED, "PointCloud2 announces 4294967295 points and has 2");
}

static void leaves_out_unreadable_fields(void)
{
    static const ros_field fields[] = {{"x", 0, ROS_F32, 1},       {"y", 4, ROS_F32, 1},    {"z", 8, ROS_F32, 1},
                                       {"x", 12, ROS_F32, 1},      {"far", 14, ROS_F32, 1}, {"kind", 12, 9, 1},
                                       {"many", 0, ROS_U8, 99999}, {"ok", 12, ROS_F32, 0},  {"ok", 12, ROS_U16, 1}};
    ros_points points = POINTS(3, 1, 16, 48, fields);
    points.data = data;
    clump_frame frame = {0};
    clump_message why;
    for (int round = 0; round < 2; round++) {
        CHECK_INT(decode_points(&points, &frame, &why), CLUMP_OK);
        CHECK_INT(clump_cloud_field_count(frame.cloud), 2);
        clump_field field = {0};
        CHECK(clump_cloud_find(frame.cloud, "ok", &field) && field.type == CLUMP_TYPE_F32 && field.count == 1);
        CHECK(clump_cloud_find(frame.cloud, "ok_2", &field) && field.type == CLUMP_TYPE_U16);
        CHECK_TEXT(clump_cloud_describe(frame.cloud).note, "4 fields cannot be read and are left out, the first is x; "
                                                           "two fields are called ok: the second is now ok_2");
    }
    clump_cloud_destroy(frame.cloud);
}

static void limits_overlapping_fields(void)
{
    static ros_field fields[300];
    for (uint32_t i = 0; i < 300; i++) fields[i] = (ros_field){i < 3 ? &"x\0y\0z"[2 * i] : "f", 0, ROS_F32, 1};
    ros_points points = POINTS(2, 1, 4, 8, fields);
    points.data = data;
    check_refused(&points, CLUMP_ERR_IO_UNSUPPORTED, "PointCloud2 has 300 fields, more than 256");
    points.field_count = 33;
    check_refused(&points, CLUMP_ERR_IO_FORMAT, "PointCloud2 has fields of 132 bytes in points of 4 bytes");
}

static void refuses_other_cdr(void)
{
    ros_writer w = {0};
    clump_frame frame = {0};
    clump_message why;
    ros_points points = POINTS(1, 1, 32, 32, usual);
    points.data = data;
    ros_write_points(&w, ROS_CDR_LITTLE, &points);
    w.bytes[1] = 7;
    CHECK_INT(decode(&w, &frame, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(why.text, "message has the encoding 00 07, which is not plain CDR (00 00 or 00 01)");
    w.size = 3;
    CHECK_INT(decode(&w, &frame, &why), CLUMP_ERR_IO_TRUNCATED);
    CHECK_TEXT(why.text, "message of 3 bytes has no CDR header");
    clump_cloud_destroy(frame.cloud);
    free(w.bytes);
}

/* Every truncation and every changed byte of a message ends without a wrong read; sanitizers watch. */
static void survives_damage(void)
{
    ros_writer w = {0};
    clump_frame frame = {0};
    clump_message why;
    ros_points points = POINTS(3, 2, 32, 100, usual);
    fill(&points);
    points.data = data;
    for (int coding = 0; coding < ROS_CODINGS; coding++) {
        ros_write_points(&w, (ros_coding)coding, &points);
        const size_t size = w.size;
        for (w.size = 0; w.size + 1 < size; w.size++) {
            const clump_status status = decode(&w, &frame, &why);
            CHECK_MSG((status == CLUMP_OK) == (w.size >= size - 5), "cut at %zu: %s", w.size, why.text);
            CHECK(status == CLUMP_OK || why.text[0]);
        }
        w.size = size;
        for (size_t at = 0; at < size; at++)
            for (int kind = 0; kind < 6; kind++) {
                static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x7f, 0x20, 0x04};
                w.bytes[at] ^= changes[kind];
                const clump_status status = decode(&w, &frame, &why);
                CHECK(status == CLUMP_OK || why.text[0]);
                if (frame.cloud) CHECK(clump_cloud_points(frame.cloud).count <= w.size);
                w.bytes[at] ^= changes[kind];
            }
    }
    clump_cloud_destroy(frame.cloud);
    free(w.bytes);
}

static void knows_types_of_messages(void)
{
    CHECK_INT(clump_io_message_kind_of("sensor_msgs/PointCloud2"), CLUMP_IO_MESSAGE_POINTS);
    CHECK_INT(clump_io_message_kind_of("sensor_msgs/msg/PointCloud2"), CLUMP_IO_MESSAGE_POINTS);
    CHECK_INT(clump_io_message_kind_of("sensor_msgs/PointCloud"), CLUMP_IO_MESSAGE_OTHER);
    CHECK_INT(clump_io_message_kind_of("velodyne_msgs/msg/VelodyneScan"), CLUMP_IO_MESSAGE_VELODYNE);
    CHECK_INT(clump_io_message_kind_of("pandar_msgs/msg/PandarScan"), CLUMP_IO_MESSAGE_HESAI);
    CHECK_INT(clump_io_message_kind_of("nebula_msgs/msg/NebulaPackets"), CLUMP_IO_MESSAGE_PACKETS);
    CHECK_INT(clump_io_message_kind_of("ouster_ros/PacketMsg"), CLUMP_IO_MESSAGE_OUSTER);
    CHECK_INT(clump_io_message_kind_of("ouster_sensor_msgs/msg/PacketMsg"), CLUMP_IO_MESSAGE_OUSTER);
    CHECK_INT(clump_io_message_kind_of("std_msgs/String"), CLUMP_IO_MESSAGE_STRING);
    CHECK_INT(clump_io_message_kind_of(""), CLUMP_IO_MESSAGE_OTHER);
    CHECK_INT(clump_io_message_kind_of("sensor_msgs"), CLUMP_IO_MESSAGE_OTHER);
}

CHECK_PROGRAM(test_points)
{
    RUN(knows_types_of_messages);
    RUN(reads_usual_layouts);
    RUN(reads_odd_layouts);
    RUN(keeps_digits_of_doubles);
    RUN(reads_empty_clouds);
    RUN(tolerates_wrong_rows);
    RUN(takes_whole_points_of_short_data);
    RUN(refuses_nonsense);
    RUN(leaves_out_unreadable_fields);
    RUN(limits_overlapping_fields);
    RUN(refuses_other_cdr);
    RUN(survives_damage);
}
