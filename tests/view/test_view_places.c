/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_places.c: where things are in a packet: cameras, the sensor, boxes and maps of clouds with an origin, with y up
 * or upside down; which flags belong to which points where points are left out; and where things were in earlier frames.
 */
#include "support/check.h"

#include "view/view_decode.h"
#include "viewer/picture/camera.h"
#include "viewer/packet/packet.h"
#include "viewer/scene/palette.h"

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

/* --- drives --------------------------------------------------------------------------------------------- */

/* A frame of a drive: the sensor goes along x by 2 per frame and turns; track 7 moves along y by 1 per frame, track 8 stands. */
typedef struct drive_frame {
    double pose[12];
    clump_cluster clusters[2];
    clump_track tracks[2];
    view_frame frame;
} drive_frame;

static void to_frame(const double pose[12], const double ground[3], double at[3])
{
    for (int k = 0; k < 3; k++) {
        at[k] = 0;
        for (int j = 0; j < 3; j++) at[k] += pose[4 * j + k] * (ground[j] - pose[4 * j + 3]);
    }
}

static void drive_make(drive_frame *d, const clump_cloud *cloud, int number)
{
    const double a = 0.1 * number, pose[12] = {cos(a), -sin(a), 0, 2.0 * number, sin(a), cos(a), 0, 0, 0, 0, 1, 1.5};
    *d = (drive_frame){.tracks = {{.id = 7, .motion = CLUMP_TRACK_MOVING}, {.id = 8, .motion = CLUMP_TRACK_STANDING}}};
    memcpy(d->pose, pose, sizeof pose);
    /* Clouds with an origin have their ground there, too: centroids are small. */
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) d->pose[4 * k + 3] -= pose[4 * k + j] * clump_cloud_origin(cloud)[j];
    const double ground[2][3] = {{10, 5.0 + number, 1}, {20, -4, 0}};
    for (int c = 0; c < 2; c++) {
        double at[3];
        to_frame(pose, ground[c], at); /* relative to the origin */
        for (int k = 0; k < 3; k++) d->clusters[c].centroid[k] = (float)at[k];
    }
    d->frame = (view_frame){.name = "frame",
                            .number = (uint64_t)number,
                            .stamp = 100000000 * (int64_t)number,
                            .clouds = {cloud},
                            .cloud_names = {"cloud"},
                            .cloud_count = 1,
                            .labelings = {{.name = "ec", .clusters = d->clusters, .count = 2, .tracks = d->tracks}},
                            .labeling_count = 1,
                            .pose = d->pose};
    memcpy(d->frame.sensor, clump_cloud_origin(cloud), sizeof d->frame.sensor);
}

/* Compares a row of the table of trails with a place on the ground. */
static void check_trail(const view_read *read, const drive_frame *d, size_t row, const double ground[3])
{
    const size_t rows = view_rows(read, "trails");
    double at[3], origin[3];
    to_frame(d->pose, ground, at); /* file coordinates */
    read_vector(read, "\"origin\":[", origin);
    for (int k = 0; k < 3; k++) {
        double *const values =
            view_values(read, view_column(read, "trails", (const char *const[]){"x", "y", "z"}[k]), rows);
        CHECK(values != NULL);
        if (values)
            CHECK_MSG(fabs(values[row] + origin[k] - at[k]) < 0.0051, "row %zu, axis %d: %g, not %g", row, k,
                      values[row] + origin[k], at[k]);
        free(values);
    }
}

static void trails_are_where_things_were(void)
{
    for (int far = 0; far < 2; far++) {
        clump_cloud *const cloud = make_cloud(far ? (const double[3]){500000, -70000, 10} : (const double[3]){0});
        int32_t labels[40] = {0};
        view_trails trails = {0};
        drive_frame d;
        for (int i = 0; i < 5; i++) {
            drive_make(&d, cloud, i);
            d.frame.labelings[0].labels = labels;
            if (i == 0) d.tracks[0].motion = CLUMP_TRACK_UNKNOWN; /* the trail begins before the verdict */
            CHECK(view_trails_add(&trails, &d.frame));
        }
        CHECK_INT(d.frame.trail_count, 10); /* the sensor and track 7, five times each; track 8 stands */
        view_read read;
        view_bytes bytes = read_back(&d.frame, 0, &read);
        for (int i = 0; i < 5; i++) {
            check_trail(&read, &d, (size_t)i, (const double[3]){2.0 * i, 0, 1.5});
            check_trail(&read, &d, (size_t)(5 + i), (const double[3]){10, 5.0 + i, 1});
            CHECK_INT(d.frame.trails[i].track, 0);
            CHECK_INT(d.frame.trails[5 + i].track, 7);
            CHECK_INT(d.frame.trails[i].joined, i > 0);
            CHECK_INT(d.frame.trails[5 + i].joined, i > 0);
            CHECK(fabs(d.frame.trails[i].time + 0.1 * (4 - i)) < 1e-9);
        }
        view_read_release(&read);
        view_bytes_release(&bytes);
        view_trails_release(&trails);
        clump_cloud_destroy(cloud);
    }
}

/* Gaps are not joined; trails are 5 seconds long, the path is kept with a place per metre; an earlier time is another drive. */
static void trails_end(void)
{
    clump_cloud *const cloud = make_cloud((const double[3]){0});
    view_trails trails = {0};
    drive_frame d;
    size_t joined = 0;
    for (int i = 0; i < 100; i++) {
        drive_make(&d, cloud, i);
        d.pose[3] = i < 50 ? 0.25 * i : 1000 + 0.25 * i; /* the sensor jumps once */
        CHECK(view_trails_add(&trails, &d.frame));
    }
    size_t path = 0, trail = 0;
    for (size_t i = 0; i < d.frame.trail_count; i++) {
        path += d.frame.trails[i].track == 0;
        trail += d.frame.trails[i].track == 7;
        joined += d.frame.trails[i].track == 0 && d.frame.trails[i].joined;
    }
    CHECK_INT(trail, 51);
    CHECK(path >= 25 && path <= 36);
    CHECK_INT(joined, path - 2);
    d.frame.stamp = 0;
    CHECK(view_trails_add(&trails, &d.frame));
    CHECK_INT(d.frame.trail_count, 2);
    for (int i = 1; i < 3000; i++) { /* a long drive: the path is bounded */
        drive_make(&d, cloud, i);
        CHECK(view_trails_add(&trails, &d.frame));
    }
    CHECK(d.frame.trail_count <= 1051);
    drive_make(&d, cloud, 3000);
    d.frame.pose = NULL;
    CHECK(view_trails_add(&trails, &d.frame));
    CHECK_INT(d.frame.trail_count, 0);
    CHECK(d.frame.labelings[0].colours != NULL);
    view_trails_release(&trails);
    clump_cloud_destroy(cloud);
}

/* Tracks come in any order and beside any others: each keeps its colour. */
static void tracks_keep_their_colours(void)
{
    enum { TRACKS = 40, SHOWN = 12 };
    clump_cloud *const cloud = make_cloud((const double[3]){0});
    clump_cluster clusters[SHOWN] = {{0}};
    clump_track tracks[SHOWN] = {{0}};
    int known[TRACKS];
    uint64_t random = 3;
    view_trails trails = {0};
    for (int i = 0; i < TRACKS; i++) known[i] = -1;
    for (int f = 0; f < 60; f++) {
        const uint64_t first = check_random(&random) % TRACKS;
        view_frame frame = {.clouds = {cloud}, .cloud_count = 1, .stamp = 100000000 * (int64_t)f, .labeling_count = 1};
        frame.labelings[0] = (view_labels){.clusters = clusters, .count = SHOWN, .tracks = tracks};
        for (uint64_t i = 0; i < SHOWN; i++) tracks[i].id = 1 + (first + 7 * i) % TRACKS; /* all boxes in one place */
        CHECK(view_trails_add(&trails, &frame));
        for (int i = 0; i < SHOWN; i++) {
            int *const before = &known[tracks[i].id - 1];
            if (*before >= 0) CHECK_INT(frame.labelings[0].colours[i], *before);
            *before = frame.labelings[0].colours[i];
            CHECK(*before < VIEW_PALETTE);
        }
    }
    view_trails_release(&trails);
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_view_places)
{
    RUN(places_are_relative_to_the_origin);
    RUN(boxes_follow_the_up_axis);
    RUN(maps_follow_up_and_flip);
    RUN(flags_stay_with_their_points);
    RUN(trails_are_where_things_were);
    RUN(trails_end);
    RUN(tracks_keep_their_colours);
}
