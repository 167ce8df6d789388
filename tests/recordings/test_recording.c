/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recording.c: recordings of cloud files: folders, lists, names, times, seeking, sentences.
 */
#include "support/check.h"

#include "recordings/recording.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static const char *at(const char *name)
{
    static char path[4][256];
    static unsigned turn;
    snprintf(path[++turn % 4], 256, "%s/%s", folder, name);
    return path[turn % 4];
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *const file = fopen(at(name), "wb");
    CHECK(file != NULL);
    if (!file) return;
    CHECK(fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

/* A cloud of `count` points, in a format of the name. */
static void write_cloud(const char *name, size_t count)
{
    clump_cloud *cloud;
    clump_message why;
    CHECK_INT(clump_cloud_create(count, &cloud, &why), CLUMP_OK);
    for (size_t i = 0; i < 3 * count; i++) clump_cloud_xyz(cloud)[i] = 0.25f * (float)i;
    CHECK_MSG(clump_cloud_save(at(name), cloud, NULL, NULL, &why) == CLUMP_OK, "%s", why.text);
    clump_cloud_destroy(cloud);
}

static void make_folder(const char *name)
{
    if (mkdir(at(name), 0777) != 0) CHECK_FAIL("cannot make %s", at(name));
}

static clump_recording *open_path(const char *path)
{
    clump_recording *recording;
    clump_message why;
    const clump_status status = clump_recording_open(path, NULL, &recording, &why);
    CHECK_MSG(status == CLUMP_OK && recording, "%s", why.text);
    return recording;
}

/* Reads the next frame, and checks its points and stamp. */
static void expect_frame(clump_recording *recording, clump_frame *frame, size_t points, int64_t stamp)
{
    clump_message why;
    bool more = false;
    CHECK_MSG(clump_recording_next(recording, frame, &more, &why) == CLUMP_OK, "%s", why.text);
    CHECK(more);
    if (!more) return;
    CHECK_INT(clump_cloud_points(frame->cloud).count, points);
    CHECK_INT(frame->stamp, stamp);
    CHECK_INT(frame->received, stamp);
}

static void expect_end(clump_recording *recording, clump_frame *frame)
{
    clump_message why;
    for (int i = 0; i < 2; i++) {
        bool more = true;
        CHECK_INT(clump_recording_next(recording, frame, &more, &why), CLUMP_OK);
        CHECK(!more);
    }
}

static void expect_refusal(const char *path, clump_status expected, const char *sentence)
{
    clump_recording *recording = (clump_recording *)1;
    clump_message why;
    CHECK_INT(clump_recording_open(path, NULL, &recording, &why), expected);
    CHECK(recording == NULL);
    CHECK_MSG(strstr(why.text, sentence) != NULL, "\"%s\" is not in \"%s\"", sentence, why.text);
}

/* --- folders -------------------------------------------------------------------------------------------- */

static void folder_is_read_in_natural_order(void)
{
    make_folder("order");
    write_cloud("order/scan_10.pcd", 10);
    write_cloud("order/scan_2.pcd", 2);
    write_cloud("order/scan_1.pcd", 1);
    write_text("order/.hidden.pcd", "nothing");
    write_text("order/notes.txt", "nothing");
    write_text("order/scan_1.label", "none");
    make_folder("order/scan_3.pcd");
    clump_recording *const recording = open_path(at("order"));
    CHECK_INT(clump_recording_kind(recording), CLUMP_RECORDING_CLOUDS);
    CHECK_TEXT(clump_recording_format_name(clump_recording_kind(recording)), "clouds");
    CHECK(clump_recording_topic(recording) == NULL);
    clump_frame frame = {0};
    static const size_t counts[] = {1, 2, 10};
    for (size_t i = 0; i < 3; i++) {
        expect_frame(recording, &frame, counts[i], (int64_t)i * 100000000);
        CHECK_INT(frame.index, i);
        CHECK_TEXT(clump_recording_topic(recording), "clouds");
        CHECK(frame.path && strstr(frame.path, "/order/scan_"));
    }
    expect_end(recording, &frame);
    CHECK_INT(clump_cloud_points(frame.cloud).count, 10); /* unchanged by the end */
    clump_frame_release(&frame);

    const clump_topic *topics;
    size_t count;
    clump_message why;
    CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
    CHECK_INT(count, 1);
    if (count == 1) {
        CHECK_TEXT(topics[0].name, "clouds");
        CHECK_INT(topics[0].messages, 3);
        CHECK_INT(topics[0].frames, 3);
        CHECK_INT(topics[0].period, 100000000);
        CHECK_INT(topics[0].last, 200000000);
        CHECK_INT(topics[0].gaps, 0);
        CHECK(topics[0].has_clouds);
    }
    clump_recording_close(recording);
}

static void natural_order_compares_numbers(void)
{
    static const char *const sorted[] = {"", "a", "a0", "a00", "a1", "a01", "a2", "a10", "a10b", "a11", "b"};
    const size_t count = sizeof sorted / sizeof *sorted;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const int order = clump_io_natural_order(sorted[i], sorted[k]);
            const bool same_number = (i == 4 && k == 5) || (i == 5 && k == 4); /* a1 and a01 compare by bytes */
            if (same_number) CHECK(order != 0);
            if (!same_number)
                CHECK_MSG((order < 0) == (i < k) && (order > 0) == (i > k), "%s %s", sorted[i], sorted[k]);
        }
}

static void names_give_times(void)
{
    make_folder("stamps");
    write_cloud("stamps/lidar__1532402927647951.pcd", 1);
    write_cloud("stamps/lidar__1532402928147847.pcd", 2);
    clump_recording *recording = open_path(at("stamps"));
    clump_frame frame = {0};
    expect_frame(recording, &frame, 1, INT64_C(1532402927647951000));
    expect_frame(recording, &frame, 2, INT64_C(1532402928147847000));
    clump_recording_close(recording);

    make_folder("nanoseconds");
    write_cloud("nanoseconds/1673400472138016708.pcd", 3);
    write_cloud("nanoseconds/1673400472238016709.ply", 4);
    recording = open_path(at("nanoseconds"));
    expect_frame(recording, &frame, 3, INT64_C(1673400472138016708));
    expect_frame(recording, &frame, 4, INT64_C(1673400472238016709));
    clump_recording_close(recording);

    make_folder("seconds");
    write_cloud("seconds/1305031102.175304.pcd", 5);
    recording = open_path(at("seconds"));
    expect_frame(recording, &frame, 5, INT64_C(1305031102175304000));
    clump_recording_close(recording);
    clump_frame_release(&frame);
}

static void lists_give_times(void)
{
    make_folder("kitti");
    make_folder("kitti/velodyne");
    write_cloud("kitti/velodyne/000001.bin", 1);
    write_cloud("kitti/velodyne/000002.bin", 2);
    write_text("kitti/times.txt", "0.000000e+00\n1.036224e-01\r\n2.072150e-01\n");
    clump_frame frame = {0};
    clump_recording *recording = open_path(at("kitti/velodyne"));
    expect_frame(recording, &frame, 1, 103622400);
    expect_frame(recording, &frame, 2, 207215000);
    clump_recording_close(recording);

    make_folder("raw");
    write_cloud("raw/a.bin", 1);
    write_cloud("raw/b.bin", 2);
    write_text("raw/timestamps.txt", "2011-09-26 13:02:25.964389445\n2011-09-26 13:02:26.067\n\n");
    recording = open_path(at("raw"));
    expect_frame(recording, &frame, 1, INT64_C(1317042145964389445));
    expect_frame(recording, &frame, 2, INT64_C(1317042146067000000));
    clump_recording_close(recording);

    write_text("raw/timestamps.txt", "one\ntwo\n"); /* not a list of times */
    recording = open_path(at("raw"));
    expect_frame(recording, &frame, 1, 0);
    expect_frame(recording, &frame, 2, 100000000);
    clump_recording_close(recording);
    clump_frame_release(&frame);
}

/* --- lists, seeking, damage ---------------------------------------------------------------------------------- */

static void list_keeps_its_order(void)
{
    make_folder("list");
    write_cloud("list/a.pcd", 1);
    write_cloud("list/b.ply", 2);
    const char *const paths[] = {at("list/b.ply"), at("list/a.pcd")};
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_open_files(paths, 2, NULL, &recording, &why) == CLUMP_OK, "%s", why.text);
    clump_frame frame = {0};
    expect_frame(recording, &frame, 2, 0);
    expect_frame(recording, &frame, 1, 100000000);
    expect_end(recording, &frame);
    clump_recording_close(recording);
    clump_frame_release(&frame);
}

static void seek_goes_to_times(void)
{
    make_folder("seek");
    static const char *const names[] = {"seek/0.pcd", "seek/1.pcd", "seek/2.pcd", "seek/3.pcd"};
    for (size_t i = 0; i < 4; i++) write_cloud(names[i], i + 1);
    clump_recording *const recording = open_path(at("seek"));
    clump_frame frame = {0};
    clump_message why;
    CHECK_INT(clump_recording_seek(recording, 150000000, &why), CLUMP_OK);
    expect_frame(recording, &frame, 3, 200000000);
    CHECK_INT(frame.index, 0);
    CHECK_INT(clump_recording_seek(recording, 300000001, &why), CLUMP_OK);
    expect_end(recording, &frame);
    CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
    expect_frame(recording, &frame, 1, 0);
    expect_frame(recording, &frame, 2, 100000000);
    clump_recording_close(recording);
    clump_frame_release(&frame);
}

static void damaged_files_are_counted(void)
{
    make_folder("damaged");
    write_cloud("damaged/0.pcd", 1);
    write_text("damaged/1.pcd", "VERSION .7\nFIELDS x y\n");
    write_cloud("damaged/2.pcd", 3);
    clump_recording *const recording = open_path(at("damaged"));
    clump_frame frame = {0};
    expect_frame(recording, &frame, 1, 0);
    CHECK_INT(frame.index, 0);
    expect_frame(recording, &frame, 3, 200000000);
    CHECK_INT(frame.index, 2);
    expect_end(recording, &frame);
    const clump_recording_losses lost = clump_recording_lost(recording);
    CHECK_INT(lost.damaged_messages, 1);
    CHECK_MSG(strstr(lost.first, "1.pcd") != NULL, "%s", lost.first);
    clump_recording_close(recording);
    clump_frame_release(&frame);
}

static void frames_can_be_several(void)
{
    clump_recording *const recording = open_path(at("seek"));
    clump_frame frames[3] = {0};
    for (size_t i = 0; i < 3; i++) expect_frame(recording, &frames[i], i + 1, (int64_t)i * 100000000);
    for (size_t i = 0; i < 3; i++) CHECK_INT(clump_cloud_points(frames[i].cloud).count, i + 1);
    clump_recording_close(recording);
    for (size_t i = 0; i < 3; i++) clump_frame_release(&frames[i]);
}

/* --- sentences --------------------------------------------------------------------------------------------------- */

static void what_is_no_recording_is_refused(void)
{
    make_folder("none");
    make_folder("none/empty");
    write_text("none/empty.bag", "");
    write_text("none/text.bag", "This is not a bag at all.\n");
    write_file("none/packed.db3", "\x1f\x8b\x08\0\0\0\0\0", 8);
    write_cloud("none/cloud.pcd", 3);
    expect_refusal(at("none/absent.bag"), CLUMP_ERR_IO_OPEN, "absent.bag: cannot open: No such file or directory");
    expect_refusal(at("none/empty"), CLUMP_ERR_IO_UNSUPPORTED, "no recording (db3, mcap, bag) and no cloud files");
    expect_refusal(at("none/empty.bag"), CLUMP_ERR_IO_TRUNCATED, "empty.bag: the file is empty");
    expect_refusal(at("none/text.bag"), CLUMP_ERR_IO_UNSUPPORTED, "not a recording that clump knows: bag, db3");
    expect_refusal(at("none/packed.db3"), CLUMP_ERR_IO_UNSUPPORTED,
                   "the whole file is compressed: decompress it first, gunzip");
    expect_refusal(at("none/cloud.pcd"), CLUMP_ERR_IO_UNSUPPORTED, "it is a single cloud, not a recording");
}

static void arguments_are_checked(void)
{
    clump_recording *recording;
    clump_message why;
    clump_recording_options options = clump_recording_defaults();
    options.cookie++;
    CHECK_INT(clump_recording_open(at("seek"), &options, &recording, &why), CLUMP_ERR_OPTIONS);
    CHECK_INT(clump_recording_open(NULL, NULL, &recording, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_open(at("seek"), NULL, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_open_files(NULL, 0, NULL, &recording, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_parse(NULL, 1, NULL, NULL, &recording, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_next(NULL, NULL, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_seek(NULL, 0, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_topics(NULL, NULL, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recording_kind(NULL), 0);
    CHECK(clump_recording_topic(NULL) == NULL);
    CHECK(clump_recording_format_name((clump_recording_format)77) == NULL);
    clump_recording_close(NULL);
    clump_frame_release(NULL);
    CHECK_INT(clump_recording_lost(NULL).lost_bytes, 0);

    options = clump_recording_defaults();
    options.topic = "/velodyne_points";
    CHECK_INT(clump_recording_open(at("seek"), &options, &recording, &why), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(strstr(why.text, "there is no topic /velodyne_points; topics with clouds: clouds"), "%s", why.text);
    options = clump_recording_defaults();
    options.metadata = "/nowhere/sensor.json";
    CHECK_INT(clump_recording_open(at("seek"), &options, &recording, &why), CLUMP_ERR_IO_OPEN);
    CHECK_MSG(strstr(why.text, "/nowhere/sensor.json: cannot open"), "%s", why.text);
}

static void columns_are_passed_on(void)
{
    make_folder("columns");
    static const float points[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    write_file("columns/0.bin", points, 24);
    clump_recording_options options = clump_recording_defaults();
    options.columns = "xyz";
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_open(at("columns"), &options, &recording, &why) == CLUMP_OK, "%s", why.text);
    clump_frame frame = {0};
    expect_frame(recording, &frame, 2, 0);
    clump_recording_close(recording);
    clump_frame_release(&frame);
}

CHECK_PROGRAM(test_recording)
{
    snprintf(folder, sizeof folder, "/tmp/clump-recording-XXXXXX");
    if (!mkdtemp(folder)) exit(1);
    RUN(folder_is_read_in_natural_order);
    RUN(natural_order_compares_numbers);
    RUN(names_give_times);
    RUN(lists_give_times);
    RUN(list_keeps_its_order);
    RUN(seek_goes_to_times);
    RUN(damaged_files_are_counted);
    RUN(frames_can_be_several);
    RUN(what_is_no_recording_is_refused);
    RUN(arguments_are_checked);
    RUN(columns_are_passed_on);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) exit(1);
}
