/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recorder_read.c: clump reads what it has written: clouds, times and names are equal, and nothing was lost. A
 * file that was cut gives the frames that are in it. Topics of ROS 2 are published and read by this process and by others of
 * this machine, over the loopback interface, in a domain of the process.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "support/check.h"

#include "bus/bus.h"
#include "messages/encode.h"

#include <clump/io.h>

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 12, POINTS = 300 };

static clump_message why;
static char folder[64];

/* Frame i: points, a ring, labels; organised and finer than float32 now and then. */
static void make_frame(int i, clump_frame *frame, int32_t *labels)
{
    static uint16_t ring[POINTS];
    memset(frame, 0, sizeof *frame);
    frame->stamp = 1700000000000000000 + i * 100000000LL;
    frame->received = frame->stamp + 5000000;
    snprintf(frame->frame_id, sizeof frame->frame_id, "sensor_%d", i % 2);
    if (clump_cloud_create(POINTS, &frame->cloud, &why) != CLUMP_OK) abort();
    float *const xyz = clump_cloud_xyz(frame->cloud);
    for (int k = 0; k < POINTS; k++) {
        for (int a = 0; a < 3; a++) xyz[3 * k + a] = (float)(k * (a + 1) + i) * 0.125f;
        ring[k] = (uint16_t)(k % 32);
        labels[k] = (k + i) % 9 - 2;
    }
    clump_cloud_set_field(frame->cloud, &(clump_field){"ring", CLUMP_TYPE_U16, 1, ring}, &why);
    const double view[7] = {0, 0, 0, 1, 0, 0, 0}, origin[3] = {400000, 5000000, 10};
    if (i % 3 == 1) clump_cloud_set_shape(frame->cloud, POINTS / 3, 3, view);
    if (i % 3 == 2) clump_cloud_set_origin(frame->cloud, origin);
}

static bool write_recording(const char *path, clump_compression compression)
{
    clump_recorder_options options = clump_recorder_defaults();
    options.compression = compression;
    options.chunk_size = 20000;
    clump_recorder *recorder;
    if (clump_recorder_open(path, &options, &recorder, &why) != CLUMP_OK) return false;
    for (int i = 0; i < FRAMES; i++) {
        int32_t labels[POINTS];
        clump_frame frame;
        make_frame(i, &frame, labels);
        const clump_cluster cluster = {.upper = {1, 1, 1}};
        const clump_recorder_boxes boxes = {.clusters = &cluster, .count = 1};
        CHECK_INT(clump_recorder_cloud(recorder, "/points", &frame, labels, &why), CLUMP_OK);
        CHECK_INT(clump_recorder_markers(recorder, "/markers", &frame, &boxes, &why), CLUMP_OK);
        clump_cloud_destroy(frame.cloud);
    }
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    return true;
}

static void compare_frame(int i, const clump_frame *read)
{
    int32_t labels[POINTS];
    clump_frame made;
    make_frame(i, &made, labels);
    CHECK(read->stamp == made.stamp && read->received == made.received);
    CHECK_INT(read->index, i);
    CHECK_TEXT(read->frame_id, made.frame_id);
    const clump_cloud_info a = clump_cloud_describe(read->cloud), b = clump_cloud_describe(made.cloud);
    CHECK(a.width == b.width && a.height == b.height);
    clump_field ring, old_ring, label;
    CHECK_INT(clump_cloud_field_count(read->cloud), 2);
    CHECK(clump_cloud_find(made.cloud, "ring", &old_ring));
    if (!clump_cloud_find(read->cloud, "ring", &ring) || !clump_cloud_find(read->cloud, "label", &label)) {
        CHECK_FAIL("frame %d lacks a field", i);
    } else {
        CHECK(ring.type == CLUMP_TYPE_U16 && memcmp(ring.data, old_ring.data, POINTS * 2) == 0);
        CHECK(label.type == CLUMP_TYPE_I32 && memcmp(label.data, labels, sizeof labels) == 0);
    }
    for (size_t k = 0; k < POINTS; k++)
        for (int axis = 0; axis < 3; axis++)
            CHECK(clump_cloud_coordinate(read->cloud, k, axis) == clump_cloud_coordinate(made.cloud, k, axis));
    clump_cloud_destroy(made.cloud);
}

/* Reads all frames; returns their number. */
static int read_recording(const char *path)
{
    clump_recording *recording;
    int frames = 0;
    if (clump_recording_open(path, NULL, &recording, &why) != CLUMP_OK) {
        CHECK_FAIL("%s", why.text);
        return 0;
    }
    clump_frame frame = {0};
    bool more = true;
    while (clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more) compare_frame(frames++, &frame);
    CHECK_MSG(!more, "%s", why.text);
    const clump_recording_losses lost = clump_recording_lost(recording);
    CHECK_TEXT(lost.first, "");
    CHECK(!lost.truncated && !lost.damaged_chunks && !lost.damaged_messages && !lost.lost_bytes);
    const clump_topic *topics;
    size_t count = 0;
    CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
    CHECK_INT(count, 2);
    for (size_t i = 0; i < count; i++) CHECK_INT(topics[i].messages, FRAMES);
    clump_frame_release(&frame);
    clump_recording_close(recording);
    return frames;
}

static void clump_reads_what_it_writes(void)
{
    static const struct {
        const char *name;
        clump_compression compression;
    } files[] = {{"none.mcap", CLUMP_COMPRESSION_NONE}, {"lz4.mcap", CLUMP_COMPRESSION_LZ4},
                 {"zstd.mcap", CLUMP_COMPRESSION_ZSTD}, {"none.bag", CLUMP_COMPRESSION_NONE},
                 {"lz4.bag", CLUMP_COMPRESSION_LZ4},    {"bz2.bag", CLUMP_COMPRESSION_BZ2}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        if (!write_recording(path, files[i].compression)) continue; /* not in this build */
        CHECK_MSG(read_recording(path) == FRAMES, "%s", files[i].name);
        unlink(path);
    }
}

/* A recorder never leaves such a file; a copy that stopped early does. */
static void frames_before_a_cut_are_read(void)
{
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        char path[128];
        snprintf(path, sizeof path, "%s/cut.%s", folder, is_bag ? "bag" : "mcap");
        if (!write_recording(path, CLUMP_COMPRESSION_NONE)) continue;
        FILE *const file = fopen(path, "rb");
        fseek(file, 0, SEEK_END);
        const long size = ftell(file);
        fclose(file);
        CHECK_INT(truncate(path, size / 2), 0);
        clump_recording_options options = clump_recording_defaults();
        options.topic = "/points";
        clump_recording *recording = NULL;
        CHECK_INT(clump_recording_open(path, &options, &recording, &why), CLUMP_OK);
        clump_frame frame = {0};
        bool more = true;
        int frames = 0;
        while (recording && clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more)
            compare_frame(frames++, &frame);
        CHECK(frames > 0 && frames < FRAMES);
        CHECK(recording && clump_recording_lost(recording).truncated);
        clump_frame_release(&frame);
        clump_recording_close(recording);
        unlink(path);
    }
}

/* Pose i of a sensor: a turn around z, and a place. */
static void make_pose(int i, double pose[12])
{
    const double c = cos(0.3 * i), s = sin(0.3 * i);
    const double m[12] = {c, -s, 0, 1.5 * i, s, c, 0, -i, 0, 0, 1, 0.25};
    memcpy(pose, m, sizeof m);
}

/* Transforms of two sensors, every second of a time that does not rise. Those of one come back. */
static void transforms_come_back(void)
{
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        char path[96];
        snprintf(path, sizeof path, "%s/tf.%s", folder, is_bag ? "bag" : "mcap");
        clump_recorder *recorder;
        CHECK_INT(clump_recorder_open(path, NULL, &recorder, &why), CLUMP_OK);
        double pose[12];
        for (int i = 0; i < 40; i++) {
            clump_frame frame = {.stamp = 1700000000000000000 + i / 4 * 100000000LL};
            snprintf(frame.frame_id, sizeof frame.frame_id, i % 2 ? "" : "left");
            make_pose(i / 4, pose);
            if (i % 4 >= 2) pose[3] = 99; /* repeated: left out */
            CHECK_INT(clump_recorder_transform(recorder, "/tf", &frame, "odom", pose, &why), CLUMP_OK);
        }
        clump_frame frame = {.stamp = 5};
        CHECK_INT(clump_recorder_transform(recorder, "/tf", &frame, NULL, pose, &why), CLUMP_ERR_ARGUMENT);
        CHECK_INT(clump_recorder_transform(recorder, "/tf", &frame, "odom", NULL, &why), CLUMP_ERR_ARGUMENT);
        CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
        clump_recording *recording;
        CHECK_INT(clump_recording_open(path, NULL, &recording, &why), CLUMP_OK);
        clump_poses poses;
        for (int of = 0; of < 3; of++) {
            CHECK_INT(clump_recording_poses(recording,
                                            of == 0   ? NULL
                                            : of == 1 ? "left"
                                                      : "clump",
                                            &poses, &why),
                      CLUMP_OK);
            CHECK_INT(poses.count, 10);
            for (size_t i = 0; i < poses.count; i++) {
                make_pose((int)i, pose);
                CHECK_INT(poses.times[i], 1700000000000000000 + (int64_t)i * 100000000);
                for (int k = 0; k < 12; k++) CHECK(fabs(poses.matrices[i][k] - pose[k]) < 1e-12);
            }
            clump_poses_free(&poses);
        }
        CHECK_INT(clump_recording_poses(recording, "right", &poses, &why), CLUMP_ERR_IO_FORMAT);
        CHECK(strstr(why.text, "there are no transforms of the frame right in it") && !poses.matrices);
        CHECK_INT(clump_recording_poses(NULL, NULL, &poses, &why), CLUMP_ERR_ARGUMENT);
        clump_recording_close(recording);
        unlink(path);
    }
}

/* --- ROS 2 ------------------------------------------------------------------------------------------------ */

static const clump_io_where where = {"ros2", &why};

static void names_of_topics(void)
{
    clump_io_bus_name n;
    unsetenv("ROS_DOMAIN_ID"), unsetenv("ROS_LOCALHOST_ONLY"), unsetenv("ROS_AUTOMATIC_DISCOVERY_RANGE");
    CHECK_INT(clump_io_bus_name_read(&where, "ros2://points", &n), CLUMP_OK);
    CHECK_TEXT(n.topic, "points");
    CHECK(n.domain == 0 && !n.humble && !n.reliable && !n.local);
    setenv("ROS_DOMAIN_ID", "42", 1), setenv("ROS_LOCALHOST_ONLY", "1", 1);
    CHECK_INT(clump_io_bus_name_read(&where, "ros2:///a/b_1?ros=humble&qos=reliable", &n), CLUMP_OK);
    CHECK_TEXT(n.topic, "a/b_1");
    CHECK(n.domain == 42 && n.humble && n.reliable && n.local);
    CHECK_INT(clump_io_bus_name_read(&where, "ros2://?domain=232&net=all&ros=jazzy&qos=best-effort", &n), CLUMP_OK);
    CHECK(n.domain == 232 && !n.humble && !n.reliable && !n.local && !n.topic[0]);
    unsetenv("ROS_DOMAIN_ID"), unsetenv("ROS_LOCALHOST_ONLY");
    static const char *const wrong[] = {"ros2://a//b",         "ros2://a/",          "ros2://1a",
                                        "ros2://a b",          "ros2://a?",          "ros2://a?domain",
                                        "ros2://a?domain=233", "ros2://a?domain=-1", "ros2://a?domain=00001",
                                        "ros2://a?qos=best",   "ros2://a?x=1",       "ros2://a?net=local&"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(clump_io_bus_name_read(&where, wrong[i], &n) == CLUMP_ERR_ARGUMENT, "%s", wrong[i]);
    CHECK_INT(clump_io_bus_name_read(&where, "ros2://a?domain=x", &n), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(why.text, "ros2: a domain of ROS 2 is a number from 0 to 232");
}

static void settings_of_the_user_come_last(void)
{
    char text[CLUMP_IO_BUS_SETTINGS];
    const clump_io_bus_name local = {.local = true}, all = {0};
    setenv("CYCLONEDDS_URI", "<Own/>", 1);
    clump_io_bus_settings(&local, text);
    CHECK(strstr(text, "</CycloneDDS>,<Own/>") && strstr(text, "\"127.0.0.1\"/>") &&
          strstr(text, "<AllowMulticast>false<"));
    unsetenv("CYCLONEDDS_URI");
    const size_t granted = clump_io_bus_settings(&all, text);
    CHECK(!strstr(text, "127.0.0.1") && !strstr(text, "<Own/>"));
    CHECK((granted >= CLUMP_IO_BUS_BUFFER) == (strstr(text, "min=\"4MB\"") != NULL));
}

/* A domain for this process: tests at the same time do not meet. */
static const char *ros_name(const char *topic)
{
    static char name[128];
    snprintf(name, sizeof name, "ros2://%s?domain=%d&net=local", topic, 101 + (int)(getpid() % 120));
    return name;
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Publishes a cloud that has `claims` bytes of data by its own words, and none. */
static void publish_lie(clump_io_bus *bus, uint32_t width, uint32_t claims)
{
    clump_io_encoder to = {0};
    const clump_io_message_head head = {.stamp = 1, .frame_id = "lie"};
    clump_io_encoder_begin(&to, true);
    clump_io_encode_head(&to, &head);
    clump_io_encode_u32(&to, 1), clump_io_encode_u32(&to, width), clump_io_encode_u32(&to, 0);
    clump_io_encode_u8(&to, 0);
    clump_io_encode_u32(&to, 12), clump_io_encode_u32(&to, 12 * width), clump_io_encode_u32(&to, claims);
    clump_io_encoder_end(&to);
    CHECK(clump_io_bus_publish(bus, "/points", "sensor_msgs/msg/PointCloud2", to.data, to.size));
    CHECK(clump_io_bus_publish(bus, "/points", "sensor_msgs/msg/PointCloud2", to.data, 4));
    clump_io_encoder_release(&to);
}

/* The other process: publishes the frames again and again, until it is ended. With `lies`, also messages that lie. */
static int publish_frames(const char *name, bool lies)
{
    clump_recorder *recorder;
    clump_io_bus *bus;
    clump_io_bus_name read;
    if (clump_recorder_open(name, NULL, &recorder, &why) != CLUMP_OK) return 1;
    if (clump_io_bus_name_read(&where, name, &read) != CLUMP_OK || clump_io_bus_join(&where, &read, &bus) != CLUMP_OK)
        return 1;
    for (int i = 0; i < 10000; i++) {
        int32_t labels[POINTS];
        clump_frame frame;
        make_frame(i % FRAMES, &frame, labels);
        if (clump_recorder_cloud(recorder, "/points", &frame, labels, &why) != CLUMP_OK) return 1;
        clump_cloud_destroy(frame.cloud);
        if (lies) publish_lie(bus, 1000, 12000), publish_lie(bus, UINT32_MAX, UINT32_MAX), publish_lie(bus, 5, 7);
        sleep_ms(5);
    }
    return 0;
}

/* Starts the other process. */
static pid_t start_publisher(const char *how)
{
    const char *const name = ros_name(""); /* of this process */
    const pid_t child = fork();
    if (child != 0) return child;
    execl("/proc/self/exe", "publisher", "test_recorder_read", how, name, (char *)NULL);
    _exit(1);
}

static void end_publisher(pid_t child)
{
    int status;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
}

/* Ends a recording that waits in vain for 30 s. */
static bool watch_ros(void *given, const char *note)
{
    (void)note;
    return time(NULL) < *(const time_t *)given + 30;
}

static clump_recording *open_ros(const char *name, time_t *begun)
{
    clump_recording_options options = clump_recording_defaults();
    options.watch = watch_ros;
    options.watch_user = begun;
    *begun = time(NULL);
    clump_recording *recording = NULL;
    if (clump_recording_open(name, &options, &recording, &why) != CLUMP_OK) CHECK_FAIL("%s", why.text);
    return recording;
}

/* Reads a frame that was published; its number is in its stamp. */
static void read_ros_frame(clump_recording *recording)
{
    clump_frame frame = {0};
    bool more = false;
    CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
    CHECK(more);
    if (!more) exit(1);
    const int i = (int)((frame.stamp - 1700000000000000000) / 100000000);
    frame.index = (uint64_t)i;
    frame.received = frame.stamp + 5000000;
    compare_frame(i, &frame);
    clump_frame_release(&frame);
}

/* Returns why topics cannot be tested; null: they can. */
static const char *ros_missing(void)
{
#if defined(__SANITIZE_THREAD__)
    const bool watched = true;
#elif defined(__has_feature)
    const bool watched = __has_feature(thread_sanitizer);
#else
    const bool watched = false;
#endif
    if (watched) return "threads are watched, and those of CycloneDDS cannot be";
    clump_recorder *recorder;
    const clump_status status = clump_recorder_open(ros_name(""), NULL, &recorder, &why);
    clump_recorder_close(recorder, true, NULL);
    if (status != CLUMP_OK && status != CLUMP_ERR_IO_UNSUPPORTED) CHECK_FAIL("%s", why.text);
    return status == CLUMP_OK ? NULL : "no CycloneDDS";
}

static void topics_come_back(void)
{
    const char *const missing = ros_missing();
    if (missing) SKIP("topics of ROS 2: %s: " DO_ROS, missing);
    const pid_t child = start_publisher("--publish");
    time_t begun;
    for (int round = 0; round < 2; round++) { /* a reader that comes back */
        clump_recording *const recording = open_ros(ros_name("points"), &begun);
        if (!recording) break;
        CHECK(clump_recording_is_live(recording));
        CHECK_INT(clump_recording_kind(recording), CLUMP_RECORDING_ROS2);
        for (int i = 0; i < 2 * FRAMES; i++) read_ros_frame(recording);
        CHECK_TEXT(clump_recording_topic(recording), "/points");
        CHECK_INT(clump_recording_lost(recording).damaged_messages, 0);
        clump_recording_close(recording);
    }
    end_publisher(child);
}

static void messages_that_lie_are_left_out(void)
{
    const char *const missing = ros_missing();
    if (missing) SKIP("topics of ROS 2: %s: " DO_ROS, missing);
    const pid_t child = start_publisher("--publish-lies");
    time_t begun;
    clump_recording *const recording = open_ros(ros_name("points"), &begun);
    for (int i = 0; recording && i < FRAMES; i++) read_ros_frame(recording);
    const clump_recording_losses lost = clump_recording_lost(recording);
    CHECK(lost.damaged_messages >= FRAMES);
    CHECK_MSG(lost.first[0], "%s", lost.first);
    clump_recording_close(recording);
    end_publisher(child);
}

/* The caller's watch ends a recording that hears nothing. */
static bool never(void *given, const char *note)
{
    return note || ++*(int *)given < 10;
}

static void silent_topics_can_be_left(void)
{
    const char *const missing = ros_missing();
    if (missing) SKIP("topics of ROS 2: %s: " DO_ROS, missing);
    int calls = 0;
    clump_recording_options options = clump_recording_defaults();
    options.watch = never;
    options.watch_user = &calls;
    clump_recording *recording;
    clump_frame frame = {0};
    bool more = true;
    CHECK_INT(clump_recording_open(ros_name("nothing"), &options, &recording, &why), CLUMP_OK);
    CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
    CHECK(!more && calls >= 10);
    CHECK_INT(clump_recording_seek(recording, 0, &why), CLUMP_ERR_IO_UNSUPPORTED);
    clump_recording_close(recording);
    clump_recorder *recorder;
    CHECK_INT(clump_recorder_open("ros2://points", NULL, &recorder, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_open(ros_name(""), NULL, &recording, &why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(why.text, ": the topic is missing: ros2://points"));
}

CHECK_PROGRAM(test_recorder_read)
{
    if (argc == 3 && strncmp(argv[1], "--publish", 9) == 0)
        exit(publish_frames(argv[2], strcmp(argv[1], "--publish-lies") == 0));
    strcpy(folder, "clump-recorder-XXXXXX");
    if (!mkdtemp(folder)) exit(1);
    RUN(clump_reads_what_it_writes);
    RUN(frames_before_a_cut_are_read);
    RUN(transforms_come_back);
    RUN(names_of_topics);
    RUN(settings_of_the_user_come_last);
    RUN(topics_come_back);
    RUN(messages_that_lie_are_left_out);
    RUN(silent_topics_can_be_left);
    rmdir(folder);
}
