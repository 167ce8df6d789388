/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_velodyne_calibration.c: the calibration files of the ROS driver, well and badly written.
 */
#include "support/check.h"
#include "sensors/velodyne.h"
#include "support/velodyne_sample.h"

static clump_velodyne_laser lasers[VELODYNE_MAX_LASERS];
static double unit;
static clump_message why;

/* Reads the text for a VLP-16. */
static clump_status read_bytes(const char *text, size_t size)
{
    static unsigned char packet[SAMPLE_BYTES];
    velodyne_sample sample = sample_vlp16();
    sample_packet(&sample, packet);
    char *const copy = malloc(size ? size : 1); /* without a final 0: a sanitizer sees a byte read too far */
    if (!copy) abort();
    memcpy(copy, text, size);
    const clump_io_sensor_setup setup = {
        .calibration = copy, .calibration_size = size, .calibration_name = "my.yaml", .where = {NULL, &why}};
    why.text[0] = 0;
    unit = 0.5;
    const clump_status status = clump_velodyne_calibration_read(&setup, clump_velodyne_model_of(packet), lasers, &unit);
    CHECK((status == CLUMP_OK) == (why.text[0] == 0));
    free(copy);
    return status;
}

/* Makes a file of 16 lasers whose item has `%d` for the number. */
static char *make_file(const char *before, const char *item, const char *after)
{
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", before);
    for (int i = 15; i >= 0; i--) { /* any order */
        for (const char *p = item; *p; p++)
            if (*p == '@')
                used += (size_t)snprintf(text + used, sizeof text - used, "%d", i);
            else
                text[used++] = *p;
    }
    snprintf(text + used, sizeof text - used, "%s", after);
    return text;
}

static const char flow_item[] = "- {dist_correction: 1.@, dist_correction_x: 2.5, dist_correction_y: 2.25,\n"
                                "  focal_distance: 0.0, laser_id: @, rot_correction: -0.5e-1, vert_correction: 0.0@,\n"
                                "  vert_offset_correction: 1e-3, horiz_offset_correction: -0.026}\n";

static void reads_both_styles(void)
{
    static const char block_item[] = "    - {\n        dist_correction: 1.@,\n        dist_correction_x: 2.5,\n"
                                     "        dist_correction_y: 2.25,\n        laser_id: @, # a comment: 5\n"
                                     "        max_intensity: 235,\n        rot_correction: -0.05,\n"
                                     "        vert_correction: 0.0@,\r\n        vert_offset_correction: 0.001,\n"
                                     "        horiz_offset_correction: -0.026,\n    }\n";
    static const char plain_item[] =
        "  - dist_correction: 1.@\n    dist_correction_x: 2.5\n    dist_correction_y: 2.25\n"
        "    laser_id: @\n    rot_correction: -0.05\n    vert_correction: 0.0@\n"
        "    vert_offset_correction: 0.001\n    horiz_offset_correction: -0.026\n";
    static const char *const items[] = {flow_item, block_item, plain_item};
    for (size_t i = 0; i < 3; i++) {
        memset(lasers, 0, sizeof lasers);
        const char *const text = make_file("---\nlasers:\n", items[i], "num_lasers: 16\ndistance_resolution: 0.004");
        CHECK_MSG(read_bytes(text, strlen(text)) == CLUMP_OK, "style %zu: %s", i, why.text);
        CHECK(unit == 0.004);
        CHECK(lasers[3].distance == 1.3 && lasers[3].elevation == 0.03 && lasers[12].distance == 1.12);
        CHECK(lasers[3].distance_x == 2.5 && lasers[3].distance_y == 2.25 && lasers[3].two_points);
        CHECK(lasers[3].rotation == -0.05 && lasers[3].up == 0.001 && lasers[3].aside == -0.026);
    }
}

static void knows_when_two_points_are_given(void)
{
    const char *text = make_file(
        "", "- {laser_id: @, dist_correction_x: 1, dist_correction_y: 1, two_pt_correction_available: false}\n", "");
    CHECK_INT(read_bytes(text, strlen(text)), CLUMP_OK);
    CHECK(!lasers[0].two_points && unit == 0.5);
    text = make_file("", "- {laser_id: @, dist_correction_x: 0.0, dist_correction_y: 0.0}\n", "");
    CHECK_INT(read_bytes(text, strlen(text)), CLUMP_OK);
    CHECK(!lasers[0].two_points);
}

static void counts_lasers_without_numbers(void)
{
    const char *const text = make_file("lasers:\n", "- {vert_correction: 0.@}\n", "");
    CHECK_INT(read_bytes(text, strlen(text)), CLUMP_OK);
    CHECK(lasers[0].elevation == 0.15 && lasers[15].elevation == 0);
}

static void check_refused(const char *text, const char *sentence)
{
    CHECK_INT(read_bytes(text, strlen(text)), CLUMP_ERR_IO_FORMAT);
    CHECK_TEXT(why.text, sentence);
}

static void refuses_bad_files(void)
{
    check_refused("", "my.yaml: describes 0 lasers, Velodyne VLP-16 has 16");
    check_refused("lasers:\n- {laser_id: 3}\n", "my.yaml: describes 1 lasers, Velodyne VLP-16 has 16");
    check_refused("- {laser_id: 3}\n- {laser_id: 3}\n", "my.yaml: line 3: two lasers have the same number");
    check_refused("- {laser_id: 16}\n", "my.yaml: line 2: the sensor has no laser of this number");
    check_refused("- {laser_id: -1}\n", "my.yaml: line 1: the sensor has no laser of this number");
    check_refused("lasers:\n- {rot_correction: far}\n", "my.yaml: line 2: a number is expected");
    check_refused("lasers:\n- {rot_correction: nan}\n", "my.yaml: line 2: a number is expected");
    check_refused("lasers:\n- {rot_correction: 1e9}\n", "my.yaml: line 2: the number is too large");
    check_refused("distance_resolution: 4\n", "my.yaml: line 1: distance_resolution is not in metres");
    check_refused("<xml>", "my.yaml: line 1: \"key: value\" is expected");
    check_refused("Laser id,Elevation,Azimuth\n1,14.8,-1\n", "my.yaml: line 1: \"key: value\" is expected");
}

static void survives_damage(void)
{
    char *const text = make_file("lasers:\n", flow_item, "num_lasers: 16\n");
    const size_t size = strlen(text);
    for (size_t cut = 0; cut < size; cut++) read_bytes(text, cut);
    static const char changes[] = {0, '-', '{', '}', ':', '#', '\n', (char)0xff, '9', 'e'};
    for (size_t at = 0; at < size; at++)
        for (size_t k = 0; k < sizeof changes; k++) {
            const char before = text[at];
            text[at] = changes[k];
            read_bytes(text, size);
            text[at] = before;
        }
}

CHECK_PROGRAM(test_velodyne_calibration)
{
    RUN(reads_both_styles);
    RUN(knows_when_two_points_are_given);
    RUN(counts_lasers_without_numbers);
    RUN(refuses_bad_files);
    RUN(survives_damage);
}
