/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_places.c: where things are in a packet: cameras, the sensor, boxes and maps of clouds with an origin, with y up
 * or upside down; and which flags belong to which points where points are left out.
 */
#include "support/check.h"

#include "view/view_decode.h"
#include "viewer/picture/camera.h"
#include "viewer/packet/packet.h"

static const double far_away[3] = {500000, -70000, 9000};

/* A cloud of 40 points whose coordinates have this origin. */
static clump_cloud *make_cloud(const double origin[3])
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(40, &cloud, NULL), CLUMP_OK);
    for (int i = 0; i < 120; i++) clump_cloud_xyz(cloud)[i] = (float)(i * i % 37) - 15;
    clump_cloud_set_origin(cloud, origin);
    return cloud;
}

/* Makes the packet of the frame and reads it. The bytes are for view_bytes_release(). */
static view_bytes read_back(const view_frame *frame, size_t most_points, view_read *read)
{
    view_packet_options options = view_packet_defaults();
    options.most_points = most_points;
    view_bytes bytes = {0};
    CHECK_INT(view_put_packet(&bytes, frame, &options, NULL), CLUMP_OK);
    CHECK(view_read_packet(read, bytes.data, bytes.size));
    return bytes;
}

/* Reads the three numbers behind the text. */
static void read_vector(const view_read *read, const char *text, double vector[3])
{
    const char *at = strstr(read->header, text);
    CHECK_MSG(at != NULL, "%s", text);
    if (!at) return;
    at += strlen(text);
    for (int k = 0; k < 3; k++) {
        char *end;
        vector[k] = strtod(at, &end);
        at = end + 1;
    }
}

/* Checks a place of the header, in file coordinates. */
static void check_place(const view_read *read, const char *text, const double wanted[3])
{
    double origin[3] = {0}, place[3] = {0};
    read_vector(read, "\"origin\":[", origin);
    read_vector(read, text, place);
    for (int k = 0; k < 3; k++)
        CHECK_MSG(fabs(place[k] + origin[k] - wanted[k]) < 1e-6, "%s axis %d: %.9g", text, k, place[k] + origin[k]);
}

static void places_are_relative_to_the_origin(void)
{
    clump_cloud *const cloud = make_cloud(far_away);
    view_frame frame = {.clouds = {cloud}, .cloud_count = 1, .stamp = INT64_MIN};
    for (int k = 0; k < 3; k++) frame.sensor[k] = far_away[k] + 3 * k;
    view_read read;
    view_bytes bytes = read_back(&frame, 0, &read);
    check_place(&read, "\"sensor\":[", frame.sensor);
    const view_box box = view_robust_box(&frame);
    check_place(&read, "\"low\":[", box.low);
    check_place(&read, "\"high\":[", box.high);
    static const char *const views[] = {"home", "top", "side", "sensor"};
    for (int k = 0; k < 4; k++) {
        view_options options = view_defaults();
        options.from = (view_from)k;
        const view_camera camera = view_camera_of(&frame, &options, 16.0 / 9);
        char key[32];
        snprintf(key, sizeof key, "\"%s\":{\"eye\":[", views[k]);
        check_place(&read, key, camera.eye);
    }
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

/* Checks a number of the only cluster, in file coordinates along an axis. */
static void check_cluster(const view_read *read, const char *name, int axis, double wanted)
{
    double origin[3] = {0};
    read_vector(read, "\"origin\":[", origin);
    double *const values = view_values(read, view_column(read, "clusters0", name), 1);
    CHECK_MSG(values && fabs(values[0] + origin[axis] - wanted) <= 0.00051, "%s: %.9g", name,
              values ? values[0] + origin[axis] : 0);
    free(values);
}

static void boxes_follow_the_up_axis(void)
{
    clump_cloud *const cloud = make_cloud(far_away);
    const int32_t labels[40] = {0};
    const clump_cluster cluster = {.count = 40, .centroid = {1, 2, 3}, .lower = {4, 5, 6}, .box_center = {7, 8}};
    for (int y_up = 0; y_up < 2; y_up++) {
        view_frame frame = {.clouds = {cloud}, .cloud_count = 1, .stamp = INT64_MIN, .labeling_count = 1};
        frame.labelings[0] = (view_labels){.labels = labels, .clusters = &cluster, .count = 1};
        frame.up = y_up ? CLUMP_UP_Y : CLUMP_UP_Z;
        view_read read;
        view_bytes bytes = read_back(&frame, 0, &read);
        check_cluster(&read, "cy", 1, far_away[1] + 2);
        check_cluster(&read, "lz", 2, far_away[2] + 6);
        check_cluster(&read, "bx", 0, far_away[0] + 7);
        check_cluster(&read, "by", y_up ? 2 : 1, far_away[y_up ? 2 : 1] + 8);
        view_read_release(&read);
        view_bytes_release(&bytes);
    }
    clump_cloud_destroy(cloud);
}

/* A height is the coordinate along the up axis, or its negative. */
static void maps_follow_up_and_flip(void)
{
    clump_cloud *const cloud = make_cloud(far_away);
    const float height = 2.5f;
    for (int way = 0; way < 4; way++) {
        view_frame frame = {.clouds = {cloud}, .cloud_count = 1, .stamp = INT64_MIN, .map_count = 1};
        frame.maps[0] =
            (view_map){.name = "lowest", .data = &height, .rows = 1, .columns = 1, .corner = {10, 20}, .cell = 0.5f};
        frame.up = way & 1 ? CLUMP_UP_Y : CLUMP_UP_Z;
        frame.flip = way & 2;
        const int up = way & 1 ? 1 : 2, second = way & 1 ? 2 : 1;
        const double sign = frame.flip ? -1 : 1;
        view_read read;
        view_bytes bytes = read_back(&frame, 0, &read);
        double origin[3] = {0}, corner[3] = {0};
        read_vector(&read, "\"origin\":[", origin);
        read_vector(&read, "\"corner\":[", corner);
        CHECK(fabs(corner[0] + origin[0] - far_away[0] - 10) < 1e-6);
        CHECK(fabs(corner[1] + origin[second] - far_away[second] - 20) < 1e-6);
        const char *const map = strstr(read.header, "\"maps\":[");
        double *const values = view_values(&read, map ? strstr(map, "\"column\":{") + 9 : NULL, 1);
        const double coordinate = far_away[up] + sign * (double)height - origin[up];
        CHECK_MSG(values && fabs(values[0] - sign * coordinate) < 0.0011, "way %d: %g", way, values ? values[0] : 0);
        free(values);
        view_read_release(&read);
        view_bytes_release(&bytes);
    }
    clump_cloud_destroy(cloud);
}

/* Every third point is left: labels and flags are those of the same points. */
static void flags_stay_with_their_points(void)
{
    clump_cloud *const cloud = make_cloud((const double[3]){0});
    int32_t first[40], second[40];
    uint8_t core[40];
    for (int i = 0; i < 40; i++) {
        first[i] = i < 20 ? 0 : 1;
        second[i] = i == 9 || i == 10 || i == 30 ? CLUMP_NOISE : first[i];
        core[i] = i % 2 == 0 && i != 12;
    }
    clump_cloud_xyz(cloud)[3 * 6] = NAN;
    const clump_cluster clusters[2] = {{.label = 5}, {.label = 6}};
    view_frame frame = {.clouds = {cloud}, .cloud_count = 1, .stamp = INT64_MIN, .labeling_count = 2};
    frame.labelings[0] = (view_labels){.labels = first, .clusters = clusters, .count = 2, .core = core};
    frame.labelings[1] = (view_labels){.labels = second, .clusters = clusters, .count = 2};
    view_read read;
    view_bytes bytes = read_back(&frame, 14, &read);
    CHECK_INT(view_rows(&read, "points"), 14);
    static const char *const names[] = {"label0", "core0", "differs", "hidden"};
    for (int k = 0; k < 4; k++) {
        double *const values = view_values(&read, view_column(&read, "points", names[k]), 14);
        CHECK_MSG(values != NULL, "%s", names[k]);
        for (int row = 0; values && row < 14; row++) {
            const int i = 3 * row;
            const int wanted[] = {first[i] + 5, core[i], first[i] != second[i], i == 6};
            CHECK_MSG(values[row] == wanted[k], "%s of point %d: %g", names[k], i, values[row]);
        }
        free(values);
    }
    CHECK(strstr(read.header, "\"differs\":3")); /* of all points */
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(places_are_relative_to_the_origin);
    RUN(boxes_follow_the_up_axis);
    RUN(maps_follow_up_and_flip);
    RUN(flags_stay_with_their_points);
    return CHECK_END();
}
