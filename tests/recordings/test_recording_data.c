/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recording_data.c: all recordings of the data folder. Messages per topic are those of its SOURCES.md. Points per
 * frame are those of SOURCES.md (PointCloud2), of another decoder (73,486 points of the VLP-16 capture in five frames:
 * @foxglove/velodyne-cloud), and else what clump decodes today: the tests of the sensors compare them with truth.
 */
#include "support/check.h"

#include <clump/io.h>

static const struct {
    const char *path, *topic, *type;
    uint64_t messages;
    size_t topics, frames;
    size_t points; /* of all frames; 0: not compared */
} readable[] = {
    {"rosbag/embag_luminar_lz4.bag", "/luminar_pointcloud", "sensor_msgs/PointCloud2", 5, 3, 5,
     35707 + 36055 + 36267 + 36457 + 36336},
    {"rosbag/rosnumpy_test.bag", "/pointcloud", "sensor_msgs/PointCloud2", 1, 9, 1, 100},
    {"rosbag/rosbagsrs_test_bag.db3", "/test/sensor_msgs/point_cloud2", "sensor_msgs/msg/PointCloud2", 2, 94, 2, 6},
    {"rosbag/rosbagsrs_test_bag.mcap", "/test/sensor_msgs/point_cloud2", "sensor_msgs/msg/PointCloud2", 2, 94, 2, 6},
    {"rosbag/ouster_512x10_raw.bag", "/os_node0/lidar_packets", "ouster_ros/PacketMsg", 32, 3, 1, 28751},
    {"rosbag/nebula_vlp16_0.db3", "/velodyne_packets", "velodyne_msgs/msg/VelodyneScan", 4, 1, 5, 0},
    {"rosbag/nebula_vlp32_0.db3", "/sensing/lidar/front/velodyne_packets", "velodyne_msgs/msg/VelodyneScan", 5, 1, 7,
     0},
    {"rosbag/nebula_vls128_0.db3", "/velodyne_packets", "velodyne_msgs/msg/VelodyneScan", 4, 1, 5, 0},
    {"rosbag/nebula_pandar64_0.db3", "/pandar_packets", "pandar_msgs/msg/PandarScan", 4, 1, 5, 0},
    {"rosbag/nebula_qt64_0.db3", "/pandar_packets", "pandar_msgs/msg/PandarScan", 4, 1, 5, 0},
    {"rosbag/nebula_xt32_0.db3", "/pandar_packets", "pandar_msgs/msg/PandarScan", 4, 1, 5, 0},
    {"rosbag/nebula_xt16_0.db3", "/pandar_packets", "pandar_msgs/msg/PandarScan", 4, 1, 5, 0},
    {"pcap/mrpt_sample_velodyne_vlp16_gps.pcap", "udp/2368", "Velodyne VLP-16", 293, 2, 5, 73486},
    {"pcap/mrpt_sample_velodyne_hdl32.pcap", "udp/2368", "Velodyne HDL-32E", 500, 1, 4, 0},
    {"pcap/DERIVED_nebula_vlp16.pcap", "udp/2368", "Velodyne VLP-16", 603, 1, 5, 0},
    {"pcap/DERIVED_nebula_vlp32.pcap", "udp/2368", "Velodyne VLP-32C", 379, 1, 7, 0},
    {"pcap/ouster_OS-0-32-U1_v2.2.0_1024x10-single-packet.pcap", "udp/7502", "Ouster OS-0-32-U1", 1, 1, 1, 0},
    {"pcap/ouster_OS-0-32-U1_v2.2.0_1024x10.pcap", "udp/7502", "Ouster OS-0-32-U1", 64, 2, 1, 0},
    {"pcap/ouster_OS-1-32-G_v2.1.1_1024x10.pcap", "udp/7502", "Ouster OS-1-32-G", 64, 1, 1, 0},
    {"pcap/ouster_OS-2-128-U1_v2.3.0_1024x10.pcap", "udp/7502", "Ouster OS-2-128", 64, 2, 1, 0},
    {"pcap/ouster_OS-1-128_v2.3.0_1024x10_lb_n3.pcap", "udp/7502", "Ouster OS-1-128", 192, 2, 3, 0},
    {"pcap/ouster_crc_test.pcap", "udp/7502", "Ouster OS-0-128", 34, 2, 2, 0},
    {"pcap/ouster_shot_limiting_test.pcap", "udp/7702", "Ouster OS-0-128", 1, 1, 1, 0},
    {"pcap/ouster_windowed_frame1.pcap", "udp/53750", "Ouster OS-0-128", 17, 2, 1, 0},
};

/* What next() says where no topic is given. */
static const struct {
    const char *path;
    clump_status status;
    const char *sentence;
} refused[] = {
    {"rosbag/rosbagjs_example-bz2.bag", CLUMP_ERR_IO_UNSUPPORTED, "no topic has clouds; topics: "},
    {"rosbag/rosbagjs_example-lz4.bag", CLUMP_ERR_IO_UNSUPPORTED, "no topic has clouds; topics: "},
    {"rosbag/rosbagjs_example-unsorted-chunks.bag", CLUMP_ERR_IO_UNSUPPORTED, "no topic has clouds; topics: foo"},
    {"rosbag/rosbagjs_no-messages.bag", CLUMP_ERR_IO_UNSUPPORTED, "the recording has no messages"},
    {"pcap/ouster_empty_pcap.pcap", CLUMP_ERR_IO_UNSUPPORTED, "the recording has no messages"},
    {"pcap/ouster_OS-1-64_1024x10_fw20.pcap", CLUMP_ERR_IO_UNSUPPORTED, "JSON file (--metadata)"},
    {"pcap/ouster_same_ports.pcap", CLUMP_ERR_ARGUMENT, "2 topics have clouds; choose one: udp/7502 from "},
};

/* Messages of topics without clouds. */
static const struct {
    const char *path, *topic;
    uint64_t messages;
} counted[] = {
    {"rosbag/embag_luminar_lz4.bag", "/base_scan", 5},
    {"rosbag/rosbagjs_example-bz2.bag", "/rosout", 10},
    {"rosbag/rosbagjs_example-bz2.bag", "/turtle1/color_sensor", 1351},
    {"rosbag/rosbagjs_example-lz4.bag", "/turtle1/color_sensor", 1351},
    {"rosbag/rosbagjs_example-lz4.bag", "/tf_static", 1},
    {"rosbag/rosbagjs_example-unsorted-chunks.bag", "foo", 3},
    {"rosbag/ouster_512x10_raw.bag", "/os_node0/imu_packets", 10},
    {"rosbag/ouster_512x10_raw.bag", "/os_node0/metadata", 1},
    {"pcap/mrpt_sample_velodyne_vlp16_gps.pcap", "udp/8308", 57},
};

static clump_recording *open_data(const char *path, size_t read_ahead)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", check_data_folder(), path);
    clump_recording_options options = clump_recording_defaults();
    options.read_ahead = read_ahead;
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_open(full, &options, &recording, &why) == CLUMP_OK, "%s", why.text);
    return recording;
}

static const clump_topic *find_topic(clump_recording *recording, const char *name, size_t *count)
{
    const clump_topic *topics = NULL;
    clump_message why;
    CHECK_MSG(clump_recording_topics(recording, &topics, count, &why) == CLUMP_OK, "%s", why.text);
    for (size_t i = 0; i < *count; i++)
        if (strcmp(topics[i].name, name) == 0) return &topics[i];
    CHECK_FAIL("there is no topic %s", name);
    return NULL;
}

/* Reads all frames. Returns a hash of points and times, equal for equal frames. */
static uint64_t read_all(clump_recording *recording, size_t *frames, size_t *points)
{
    uint64_t hash = 1;
    clump_frame frame = {0};
    clump_message why;
    bool more = true;
    *frames = *points = 0;
    while (more) {
        const clump_status status = clump_recording_next(recording, &frame, &more, &why);
        CHECK_MSG(status == CLUMP_OK, "%s", why.text);
        if (status != CLUMP_OK) break;
        if (!more) break;
        const clump_points cloud = clump_cloud_points(frame.cloud);
        ++*frames;
        *points += cloud.count;
        for (size_t i = 0; i < 3 * cloud.count; i++) {
            uint32_t bits;
            memcpy(&bits, (const float *)cloud.xyz + i, sizeof bits);
            hash = (hash ^ bits) * UINT64_C(0x100000001b3);
        }
        hash = (hash ^ (uint64_t)frame.stamp ^ (uint64_t)frame.received) * UINT64_C(0x100000001b3);
    }
    clump_frame_release(&frame);
    return hash;
}

static void recordings_have_their_counts(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
        clump_recording *const recording = open_data(readable[i].path, 0);
        if (!recording) continue;
        size_t topics, frames, points;
        const clump_topic *const topic = find_topic(recording, readable[i].topic, &topics);
        if (topic) {
            read_all(recording, &frames, &points);
            CHECK_MSG(topics == readable[i].topics, "%s: %zu topics", readable[i].path, topics);
            CHECK_MSG(topic->messages == readable[i].messages, "%s: %llu messages", readable[i].path,
                      (unsigned long long)topic->messages);
            CHECK_TEXT(topic->type, readable[i].type);
            CHECK_MSG(topic->has_clouds && topic->frames == frames, "%s", readable[i].path);
            CHECK_MSG(!readable[i].frames || frames == readable[i].frames, "%s: %zu frames", readable[i].path, frames);
            CHECK_MSG(!readable[i].points || points == readable[i].points, "%s: %zu points", readable[i].path, points);
            CHECK_MSG(!clump_recording_lost(recording).first[0], "%s: %s", readable[i].path,
                      clump_recording_lost(recording).first);
        }
        clump_recording_close(recording);
    }
}

static void reading_ahead_and_seeking_change_nothing(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
        size_t frames, points, again;
        clump_recording *recording = open_data(readable[i].path, 0);
        if (!recording) continue;
        const uint64_t hash = read_all(recording, &frames, &points);
        clump_recording_close(recording);
        recording = open_data(readable[i].path, 7);
        CHECK_MSG(read_all(recording, &again, &points) == hash && again == frames, "%s: ahead", readable[i].path);
        clump_message why;
        CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
        CHECK_MSG(read_all(recording, &again, &points) == hash && again == frames, "%s: again", readable[i].path);
        clump_recording_close(recording);
    }
}

static void what_has_no_clouds_is_refused(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        clump_recording *const recording = open_data(refused[i].path, 0);
        clump_frame frame = {0};
        clump_message why;
        bool more;
        CHECK_INT(clump_recording_next(recording, &frame, &more, &why), refused[i].status);
        CHECK_MSG(strstr(why.text, refused[i].sentence) != NULL, "%s", why.text);
        clump_recording_close(recording);
    }
}

static void other_topics_are_counted(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        clump_recording *const recording = open_data(counted[i].path, 0);
        size_t topics;
        const clump_topic *const topic = find_topic(recording, counted[i].topic, &topics);
        if (topic) CHECK_INT(topic->messages, counted[i].messages);
        if (topic) CHECK(!topic->has_clouds && topic->frames == 0);
        clump_recording_close(recording);
    }
}

/* Scans of one drive in a folder of the data: names, order and counts. */
static void folders_of_scans_are_recordings(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    clump_recording *const recording = open_data("kitti", 0);
    size_t topics;
    const clump_topic *const topic = find_topic(recording, "clouds", &topics);
    if (topic) CHECK(topic->messages >= 5 && topic->frames == topic->messages);
    clump_recording_close(recording);
}

CHECK_PROGRAM(test_recording_data)
{
    RUN(recordings_have_their_counts);
    RUN(reading_ahead_and_seeking_change_nothing);
    RUN(what_has_no_clouds_is_refused);
    RUN(other_topics_are_counted);
    RUN(folders_of_scans_are_recordings);
}
