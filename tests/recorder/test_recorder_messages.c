/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recorder_messages.c: the bytes of the messages that a recorder writes, and the checksum of MCAP.
 */
#include "support/check.h"

#include "crc32.h"
#include "messages/encode.h"
#include "messages/messages.h"
#include "messages/write.h"
#include "recorder/recorder.h"

#include <math.h>

static clump_message why;
static const clump_io_message_head plain_head = {.sequence = 7, .stamp = 3000000005, .frame_id = "ab"};

static clump_cloud *new_cloud(size_t count)
{
    clump_cloud *cloud;
    if (clump_cloud_create(count, &cloud, &why) != CLUMP_OK) abort();
    return cloud;
}

static clump_io_encoder encode_points(bool cdr, const clump_cloud *cloud, const int32_t *labels)
{
    clump_io_encoder to = {0};
    const clump_io_points points = {cloud, labels};
    clump_io_encoder_begin(&to, cdr);
    clump_io_points_encode(&to, &plain_head, &points);
    clump_io_encoder_end(&to);
    CHECK(!to.failed && to.size <= clump_io_points_bound(&points));
    return to;
}

/* --- bytes by hand ------------------------------------------------------------------------------------ */

static void check_bytes(const clump_io_encoder *made, const char *expected, size_t size)
{
    CHECK_INT(made->size, size);
    for (size_t i = 0; i < size && i < made->size; i++)
        CHECK_MSG(made->data[i] == (unsigned char)expected[i], "byte %zu is %02x", i, made->data[i]);
}

/* One point with a uint8 field: header, height, width, 4 fields, point_step 16, data, is_dense. */
static void point_clouds_of_ros1_have_these_bytes(void)
{
    static const char expected[] = "\7\0\0\0\3\0\0\0\5\0\0\0\2\0\0\0ab" /* seq, stamp, frame_id */
                                   "\1\0\0\0\1\0\0\0\4\0\0\0"           /* height, width, fields */
                                   "\1\0\0\0x\0\0\0\0\7\1\0\0\0"        /* name, offset, float32, count */
                                   "\1\0\0\0y\4\0\0\0\7\1\0\0\0"
                                   "\1\0\0\0z\10\0\0\0\7\1\0\0\0"
                                   "\2\0\0\0u8\14\0\0\0\2\1\0\0\0"     /* uint8 */
                                   "\0\20\0\0\0\20\0\0\0\20\0\0\0"     /* is_bigendian, steps, size of data */
                                   "\0\0\200\77\0\0\0\100\0\0\100\100" /* 1, 2, 3 */
                                   "\11\0\0\0\1";                      /* 9, padding; is_dense */
    clump_cloud *const cloud = new_cloud(1);
    memcpy(clump_cloud_xyz(cloud), (const float[]){1, 2, 3}, 12);
    clump_cloud_set_field(cloud, &(clump_field){"u8", CLUMP_TYPE_U8, 1, (const uint8_t[]){9}}, &why);
    clump_io_encoder made = encode_points(false, cloud, NULL);
    check_bytes(&made, expected, sizeof expected - 1);
    clump_io_encoder_release(&made);
    clump_cloud_destroy(cloud);
}

static void point_clouds_of_ros2_have_these_bytes(void)
{
    static const char expected[] = "\0\1\0\0"                                /* little-endian CDR */
                                   "\3\0\0\0\5\0\0\0\3\0\0\0ab\0\0"          /* stamp, frame_id, padding */
                                   "\1\0\0\0\1\0\0\0\4\0\0\0"                /* height, width, fields */
                                   "\2\0\0\0x\0\0\0\0\0\0\0\7\0\0\0\1\0\0\0" /* name, offset, float32, count */
                                   "\2\0\0\0y\0\0\0\4\0\0\0\7\0\0\0\1\0\0\0"
                                   "\2\0\0\0z\0\0\0\10\0\0\0\7\0\0\0\1\0\0\0"
                                   "\6\0\0\0label\0\0\0\14\0\0\0\5\0\0\0\1\0\0\0"
                                   "\0\0\0\0\20\0\0\0\20\0\0\0\20\0\0\0" /* is_bigendian, steps, size of data */
                                   "\0\0\200\77\0\0\0\100\0\0\300\177"   /* 1, 2, NaN */
                                   "\376\377\377\377\0";                 /* -2; is_dense */
    clump_cloud *const cloud = new_cloud(1);
    memcpy(clump_cloud_xyz(cloud), (const float[]){1, 2, (float)NAN}, 12); /* not dense */
    clump_io_encoder made = encode_points(true, cloud, (const int32_t[]){CLUMP_GROUND});
    check_bytes(&made, expected, sizeof expected - 1);
    clump_io_encoder_release(&made);
    clump_cloud_destroy(cloud);
}

/* --- clouds -------------------------------------------------------------------------------------------- */

/* Returns the points of a ROS 1 message: its data is before the last byte. */
static const unsigned char *data_of(const clump_io_encoder *made, size_t size)
{
    return made->data + made->size - 1 - size;
}

static void wide_integers_become_the_nearest_double(void)
{
    static const int64_t numbers[2] = {(1ll << 53) + 1, INT64_MIN};
    static const uint64_t naturals[4] = {UINT64_MAX, 5, (1ull << 60) + 1, 0};
    clump_cloud *const cloud = new_cloud(2);
    clump_cloud_set_field(cloud, &(clump_field){"i", CLUMP_TYPE_I64, 1, numbers}, &why);
    clump_cloud_set_field(cloud, &(clump_field){"u", CLUMP_TYPE_U64, 2, naturals}, &why);
    clump_io_encoder made = encode_points(false, cloud, NULL);
    double values[2][5]; /* x y z and padding take two */
    memcpy(values, data_of(&made, sizeof values), sizeof values);
    CHECK(values[0][2] == 0x1p53 && values[1][2] == -0x1p63);
    CHECK(values[0][3] == 0x1p64 && values[0][4] == 5 && values[1][3] == 0x1p60 && values[1][4] == 0);
    clump_io_encoder_release(&made);
    clump_cloud_destroy(cloud);
}

/* Float32 coordinates keep their bits. Others are float64 with the origin. */
static void coordinates_keep_their_precision(void)
{
    clump_cloud *const cloud = new_cloud(1);
    static const uint32_t bits[3] = {0x80000000u, 0x7fc12345u, 0x00000001u}; /* -0, a NaN, the smallest number */
    memcpy(clump_cloud_xyz(cloud), bits, sizeof bits);
    clump_io_encoder narrow = encode_points(false, cloud, NULL);
    CHECK(memcmp(data_of(&narrow, 12), bits, 12) == 0);
    clump_io_encoder_release(&narrow);

    memcpy(clump_cloud_xyz(cloud), (const float[]){0.25f, 0.5f, 1}, 12);
    clump_cloud_set_origin(cloud, (const double[]){500000, 5400000, -1});
    clump_io_encoder wide = encode_points(false, cloud, NULL);
    double values[3];
    memcpy(values, data_of(&wide, sizeof values), sizeof values);
    CHECK(values[0] == 500000.25 && values[1] == 5400000.5 && values[2] == 0);
    clump_io_encoder_release(&wide);
    clump_cloud_destroy(cloud);
}

/* More points than a tile, columns of all sizes: each value must be at its place. */
static void large_clouds_are_whole(void)
{
    enum { COUNT = 3001 };
    clump_cloud *const cloud = new_cloud(COUNT);
    uint8_t *const bytes = malloc(COUNT * 3);
    double *const times = malloc(COUNT * sizeof *times);
    int32_t *const labels = malloc(COUNT * sizeof *labels);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t a = 0; a < 3; a++) clump_cloud_xyz(cloud)[3 * i + a] = (float)(3 * i + a);
        for (size_t b = 0; b < 3; b++) bytes[3 * i + b] = (uint8_t)(i * 7 + b);
        times[i] = (double)i / 3;
        labels[i] = (int32_t)i - 1;
    }
    clump_cloud_set_field(cloud, &(clump_field){"label", CLUMP_TYPE_F64, 1, times}, &why); /* to be replaced */
    clump_cloud_set_field(cloud, &(clump_field){"rgb", CLUMP_TYPE_U8, 3, bytes}, &why);
    clump_cloud_set_field(cloud, &(clump_field){"t", CLUMP_TYPE_F64, 1, times}, &why);
    clump_io_encoder made = encode_points(true, cloud, labels);
    const unsigned char *const data = data_of(&made, COUNT * (size_t)32);
    for (size_t i = 0; i < COUNT; i++) {
        unsigned char expected[32] = {0};
        memcpy(expected, clump_cloud_xyz(cloud) + 3 * i, 12);
        memcpy(expected + 12, bytes + 3 * i, 3);
        memcpy(expected + 16, times + i, 8);
        memcpy(expected + 24, labels + i, 4);
        CHECK_MSG(memcmp(data + 32 * i, expected, sizeof expected) == 0, "point %zu", i);
    }
    CHECK_INT(made.data[made.size - 1], 1);
    clump_io_encoder_release(&made);
    clump_cloud_destroy(cloud);
    free(bytes), free(times), free(labels);
}

/* --- heads, boxes ----------------------------------------------------------------------------------------- */

static void check_time(bool cdr, int64_t time, uint32_t seconds, uint32_t rest)
{
    clump_io_encoder to = {0};
    clump_io_encoder_begin(&to, cdr);
    clump_io_encode_time(&to, time);
    uint32_t parts[2];
    memcpy(parts, to.data + to.size - sizeof parts, sizeof parts);
    CHECK_MSG(parts[0] == seconds && parts[1] == rest, "%lld: %u %u", (long long)time, parts[0], parts[1]);
    clump_io_encoder_release(&to);
}

static void times_are_rounded_down_and_limited(void)
{
    check_time(true, -1, (uint32_t)-1, 999999999);
    check_time(true, -1000000000, (uint32_t)-1, 0);
    check_time(true, 2147483647999999999, INT32_MAX, 999999999);
    check_time(true, 2147483648000000000, INT32_MAX, 999999999);
    check_time(true, INT64_MIN, 0x80000000u, 0);
    check_time(false, -1, 0, 0);
    check_time(false, 4294967295999999999, UINT32_MAX, 999999999);
    check_time(false, INT64_MAX, UINT32_MAX, 999999999);
    check_time(false, 1700000000123456789, 1700000000, 123456789);
}

static void frames_without_a_name_are_of_clump(void)
{
    char full[64];
    memset(full, 'f', sizeof full); /* no final 0 */
    static const char *const names[] = {NULL, "", "map"};
    static const size_t sizes[] = {5, 5, 3};
    for (size_t i = 0; i < 4; i++) {
        clump_io_encoder to = {0};
        const clump_io_message_head head = {.frame_id = i < 3 ? names[i] : full};
        clump_io_encode_head(&to, &head);
        CHECK_INT(to.size, 16 + (i < 3 ? sizes[i] : sizeof full));
        if (i < 2) CHECK(memcmp(to.data + 16, "clump", 5) == 0);
        clump_io_encoder_release(&to);
    }
}

/* The bounds that the recorder relies on, with the longest names and numbers. */
static void bounds_of_boxes_hold(void)
{
    enum { COUNT = 50 };
    static clump_cluster clusters[COUNT];
    static uint64_t ids[COUNT];
    static float velocities[COUNT][3];
    char full[64];
    memset(full, 'f', sizeof full);
    for (int i = 0; i < COUNT; i++) ids[i] = UINT64_MAX - (uint64_t)i, velocities[i][0] = 999999 - (float)i;
    const clump_recorder_boxes boxes = {
        .clusters = clusters, .count = COUNT, .ids = ids, .velocities = (const float(*)[3])velocities};
    const clump_io_message_head head = {.stamp = 1, .frame_id = full};
    for (int cdr = 0; cdr < 2; cdr++) {
        clump_io_encoder to = {0};
        clump_io_encoder_begin(&to, cdr);
        clump_io_markers_encode(&to, &head, &boxes, NULL);
        CHECK(to.size <= CLUMP_IO_BOXES_HEAD + COUNT * CLUMP_IO_MARKERS_PER_BOX);
        to.size = 0;
        clump_io_encoder_begin(&to, cdr);
        clump_io_detections_encode(&to, &head, &boxes, NULL);
        CHECK(to.size <= CLUMP_IO_BOXES_HEAD + COUNT * CLUMP_IO_DETECTIONS_PER_BOX);
        clump_io_encoder_release(&to);
    }
}

static double number_at(const clump_io_encoder *made, size_t at)
{
    double value = 0;
    if (at + sizeof value <= made->size) memcpy(&value, made->data + at, sizeof value);
    return value;
}

/* One box, at its places in messages of ROS 1. The programs behind recorder_sample compare all of them. */
static void boxes_have_these_numbers(void)
{
    static const clump_cluster cluster = {.label = 3,
                                          .centroid = {1, 2, 3},
                                          .lower = {0, 0, -1},
                                          .upper = {9, 9, 2},
                                          .box_center = {4, 5},
                                          .box_size = {6, 0},
                                          .yaw = 60};
    enum { HEAD = 18, CENTROID = 60, CENTER = 404, SIZE = 460, CUBE = 199, SCALE = 255 };
    const clump_recorder_boxes boxes = {.clusters = &cluster, .count = 1};
    clump_cloud *const cloud = new_cloud(0);
    clump_cloud_set_origin(cloud, (const double[]){1000, 2000, 3000});
    clump_io_encoder detections = {0}, markers = {0};
    clump_io_detections_encode(&detections, &plain_head, &boxes, cloud);
    clump_io_markers_encode(&markers, &plain_head, &boxes, cloud);
    const double centroid[3] = {1001, 2002, 3003}, center[3] = {1004, 2005, 3000.5}, size[3] = {6, 0, 3};
    for (size_t a = 0; a < 3; a++) {
        CHECK(number_at(&detections, CENTROID + 8 * a) == centroid[a]);
        CHECK(number_at(&detections, CENTER + 8 * a) == center[a]);
        CHECK(number_at(&detections, SIZE + 8 * a) == size[a]);
        CHECK(number_at(&markers, CUBE + 8 * a) == center[a]);
        CHECK(number_at(&markers, SCALE + 8 * a) == (size[a] > 0.01 ? size[a] : 0.01));
    }
    for (size_t part = 0; part < 2; part++) { /* half of 60 degrees */
        const clump_io_encoder *const made = part ? &markers : &detections;
        const size_t at = (part ? CUBE : CENTER) + 40;
        CHECK(fabs(number_at(made, at) - 0.5) < 1e-15 && fabs(number_at(made, at + 8) - sqrt(0.75)) < 1e-15);
    }
    CHECK_INT(detections.data[4 + HEAD + HEAD + 4], 3); /* the identity */
    clump_io_encoder_release(&detections);
    clump_io_encoder_release(&markers);
    clump_cloud_destroy(cloud);
}

/* With y up, the length of the box points to x and z, and the height is along y. */
static void boxes_can_have_y_up(void)
{
    static const clump_cluster cluster = {
        .lower = {0, -1, 0}, .upper = {9, 2, 9}, .box_center = {4, 5}, .box_size = {6, 1}, .yaw = 60};
    enum { CENTER = 404, SIZE = 460 };
    const clump_recorder_boxes boxes = {.clusters = &cluster, .count = 1, .up = CLUMP_UP_Y};
    clump_io_encoder detections = {0};
    clump_io_detections_encode(&detections, &plain_head, &boxes, NULL);
    const double center[3] = {4, 0.5, 5}, size[3] = {6, 3, 1};
    double q[4];
    for (size_t a = 0; a < 4; a++) q[a] = number_at(&detections, CENTER + 24 + 8 * a);
    for (size_t a = 0; a < 3; a++) {
        CHECK(number_at(&detections, CENTER + 8 * a) == center[a]);
        CHECK(number_at(&detections, SIZE + 8 * a) == size[a]);
    }
    /* The x axis, turned by the quaternion: cos 60 degrees along x, sin 60 degrees along z. */
    const double x[3] = {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] + q[2] * q[3]),
                         2 * (q[0] * q[2] - q[1] * q[3])};
    CHECK(fabs(x[0] - 0.5) < 1e-15 && fabs(x[1]) < 1e-15 && fabs(x[2] - sqrt(0.75)) < 1e-15);
    clump_io_encoder_release(&detections);
}

static void colours_are_fixed_and_differ(void)
{
    float before[3] = {0, 0, 0}, rgb[3];
    for (uint64_t id = 0; id < 1000; id++) {
        clump_io_marker_colour(id, rgb);
        float change = 0, brightest = 0;
        for (int c = 0; c < 3; c++) {
            CHECK(rgb[c] >= 0 && rgb[c] <= 1);
            change += fabsf(rgb[c] - before[c]);
            brightest = rgb[c] > brightest ? rgb[c] : brightest;
        }
        CHECK(brightest == 1 && change > 0.5f);
        memcpy(before, rgb, sizeof before);
    }
    clump_io_marker_colour(0, rgb); /* red: recordings of today and of tomorrow have it */
    CHECK(rgb[0] == 1 && rgb[1] == 0.25f && rgb[2] == 0.25f);
    clump_io_marker_colour(1ull << 40, rgb); /* the upper bits count, too */
    CHECK(rgb[1] != 0.25f || rgb[2] != 0.25f);
}

/* A place and half a turn around z, of ROS 1: one transform; seq, stamp, parent; child; place and quaternion. Cut messages are
 * damaged wherever they end, and more transforms than there are, too. */
static void transforms_have_these_bytes(void)
{
    static const char expected[] = "\1\0\0\0\7\0\0\0\3\0\0\0\5\0\0\0\1\0\0\0m\2\0\0\0ab"
                                   "\0\0\0\0\0\0\360\77\0\0\0\0\0\0\0\100\0\0\0\0\0\0\340\77"
                                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\360\77\0\0\0\0\0\0\0\0";
    const double pose[12] = {-1, 0, 0, 1, 0, -1, 0, 2, 0, 0, 1, 0.5};
    for (int cdr = 0; cdr < 2; cdr++) {
        clump_io_encoder made = {0};
        clump_io_encoder_begin(&made, cdr);
        clump_io_transform_encode(&made, &plain_head, &(clump_io_transform){"m", pose});
        clump_io_encoder_end(&made);
        CHECK(made.size <= CLUMP_IO_TRANSFORM_BOUND);
        if (!cdr) check_bytes(&made, expected, sizeof expected - 1);
        for (size_t size = 0; size <= made.size; size++) {
            clump_io_transform_list list;
            clump_io_stamped of;
            bool damaged = false;
            const clump_io_encoded message = {made.data, size, cdr};
            const bool begun = clump_io_transforms_begin(&list, &message);
            const bool found = begun && clump_io_transforms_next(&list, &of, &damaged);
            CHECK(found == (size == made.size) && damaged == (begun && !found));
            if (!found) continue;
            CHECK_TEXT(of.parent, "m");
            CHECK_TEXT(of.child, "ab");
            CHECK(of.stamp == 3000000005 && of.place[1] == 2 && of.quaternion[2] == 1 && of.quaternion[3] == 0);
            CHECK(!clump_io_transforms_next(&list, &of, &damaged) && !damaged);
        }
        clump_io_encoder_release(&made);
    }
}

static void definitions_are_those_of_ros(void)
{
    /* Where a text changes: recorder_bag.py and recorder_mcap.mjs tell whether it is still that of ROS. */
    static const uint32_t checksums[4][2] = {
        {0x7a0510d5u, 0x7c086459u}, {0xd222f888u, 0x2381ec2eu}, {0x57e710ceu, 0xd7c023a4u}, {0x8983df0cu, 0x1354d34cu}};
    for (int type = CLUMP_IO_WRITTEN_POINTS; type <= CLUMP_IO_WRITTEN_TRANSFORM; type++)
        for (int ros2 = 0; ros2 < 2; ros2++) {
            const clump_io_definition *const definition = clump_io_definition_of((clump_io_written)type, ros2);
            clump_io_encoder to = {0};
            clump_io_definition_encode(&to, definition);
            const uint32_t checksum = clump_io_crc32(0, to.data, to.size);
            CHECK_MSG(checksum == checksums[type][ros2], "%s: 0x%08x", definition->type, checksum);
            clump_io_encode_u8(&to, 0);
            const char *const text = (const char *)to.data;
            CHECK((definition->md5 != NULL) == !ros2);
            CHECK((strstr(definition->type, "/msg/") != NULL) == ros2);
            CHECK((strstr(text, "uint32 seq") != NULL) == !ros2);
            CHECK(strstr(text, "\nMSG: std_msgs/Header\n") != NULL && text[0] != '=' && !strchr(text, '#'));
            clump_io_encoder_release(&to);
        }
}

/* --- checksums --------------------------------------------------------------------------------------------- */

static uint32_t slow_crc(const unsigned char *at, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void checksums_are_those_of_zlib(void)
{
    unsigned char bytes[700];
    CHECK(clump_io_crc32(0, "123456789", 9) == 0xcbf43926u);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * i + i / 7);
    for (size_t size = 0; size < 400; size++)
        for (size_t from = 0; from < 3; from++) {
            const uint32_t whole = slow_crc(bytes + from, size);
            CHECK_MSG(clump_io_crc32(0, bytes + from, size) == whole, "%zu bytes", size);
            const size_t cut = size * 2 / 3;
            const uint32_t first = clump_io_crc32(0, bytes + from, cut);
            CHECK(clump_io_crc32(first, bytes + from + cut, size - cut) == whole);
            const uint32_t second = clump_io_crc32(0, bytes + from + cut, size - cut);
            CHECK_MSG(clump_io_crc32_join(first, second, size - cut) == whole, "%zu + %zu bytes", cut, size - cut);
        }
    CHECK(clump_io_crc32_join(0, 0x12345678u, 1ull << 40) == 0x12345678u);
}

/* A message that no memory is left for: later calls do nothing, and the owner sees it. */
static void failed_allocations_are_kept(void)
{
    clump_io_encoder to = {0};
    clump_io_encode_u32(&to, 1);
    CHECK(!clump_io_encoder_reserve(&to, SIZE_MAX));
    CHECK(to.failed != 0);
    clump_io_encode_u32(&to, 2);
    clump_io_encode_string(&to, "text");
    CHECK(clump_io_encode_room(&to, 1) == NULL);
    CHECK_INT(to.size, 4);
    clump_io_encoder_release(&to);
    CHECK(!to.failed);
}

CHECK_PROGRAM(test_recorder_messages)
{
    RUN(point_clouds_of_ros1_have_these_bytes);
    RUN(point_clouds_of_ros2_have_these_bytes);
    RUN(wide_integers_become_the_nearest_double);
    RUN(coordinates_keep_their_precision);
    RUN(large_clouds_are_whole);
    RUN(times_are_rounded_down_and_limited);
    RUN(frames_without_a_name_are_of_clump);
    RUN(bounds_of_boxes_hold);
    RUN(boxes_have_these_numbers);
    RUN(boxes_can_have_y_up);
    RUN(colours_are_fixed_and_differ);
    RUN(transforms_have_these_bytes);
    RUN(definitions_are_those_of_ros);
    RUN(checksums_are_those_of_zlib);
    RUN(failed_allocations_are_kept);
}
