/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recorder.c: files of the recorder, walked record by record. Other programs read them in recorder_bag.py and
 * recorder_mcap.mjs.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "recorder/recorder_frames.h"

static void check_file(const char *name, bool is_bag, clump_compression compression, size_t chunk_size)
{
    enum { FRAMES = 23 };
    if (!clump_io_packer_has(compression)) return;
    clump_frame frame = make_frame(100);
    clump_recorder *const recorder = open_recorder(path_of(name), 0, compression, chunk_size);
    CHECK_INT(append_frames(recorder, &frame, FRAMES), CLUMP_OK);
    CHECK_INT(files_left(), 0); /* nothing has a name yet */
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    CHECK_TEXT(why.text, "");
    const walk_found found = is_bag ? walk_bag(path_of(name)) : walk_mcap(path_of(name));
    CHECK_INT(found.messages, 3 * FRAMES);
    CHECK_INT(found.channels, 3);
    for (size_t i = 0; i < 3; i++) CHECK_INT(found.per_channel[i + !is_bag], FRAMES);
    CHECK_INT(found.chunks, chunk_size == 0 ? 3 * FRAMES : found.chunks);
    CHECK(chunk_size < 100000 ? found.chunks > 1 : found.chunks == 1);
    CHECK(found.first == 1700000000330000000u);
    remove_file(name);
    clump_cloud_destroy(frame.cloud);
}

static void every_offset_and_checksum_is_right(void)
{
    static const size_t sizes[] = {0, 1, 3000, 10000, (size_t)1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_file("a.mcap", false, CLUMP_COMPRESSION_NONE, sizes[i]);
        check_file("b.mcap", false, CLUMP_COMPRESSION_LZ4, sizes[i]);
        check_file("c.mcap", false, CLUMP_COMPRESSION_ZSTD, sizes[i]);
        check_file("a.bag", true, CLUMP_COMPRESSION_NONE, sizes[i]);
        check_file("b.bag", true, CLUMP_COMPRESSION_LZ4, sizes[i]);
        check_file("c.bag", true, CLUMP_COMPRESSION_BZ2, sizes[i]);
    }
}

static void empty_recordings_are_whole(void)
{
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        const char *const name = is_bag ? "empty.bag" : "empty.mcap";
        clump_recorder *const recorder = open_recorder(path_of(name), 0, CLUMP_COMPRESSION_NONE, 1000);
        CHECK_INT(clump_recorder_close(recorder, true, NULL), CLUMP_OK);
        if (!is_bag) CHECK_INT(walk_mcap(path_of(name)).messages, 0);
        const walk_bytes bytes = walk_read(path_of(name));
        if (is_bag) CHECK_INT(bytes.size, 4117);
        if (is_bag) CHECK(memcmp(bytes.data + 13 + 4, "\x04\0\0\0op=\x03", 8) == 0);
        free(bytes.data);
        remove_file(name);
    }
}

/* A cloud without points, and boxes without a cloud. */
static void empty_messages_are_written(void)
{
    clump_frame frame = make_frame(0);
    clump_recorder *const recorder = open_recorder(path_of("e.mcap"), 0, CLUMP_COMPRESSION_NONE, 1000);
    CHECK_INT(clump_recorder_cloud(recorder, "p", &frame, NULL, &why), CLUMP_OK);
    clump_cloud_destroy(frame.cloud);
    frame.cloud = NULL;
    const clump_recorder_boxes none = {0};
    CHECK_INT(clump_recorder_markers(recorder, "m", &frame, &none, &why), CLUMP_OK);
    CHECK_INT(clump_recorder_detections(recorder, "d", &frame, &two_boxes, &why), CLUMP_OK);
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    CHECK_INT(walk_mcap(path_of("e.mcap")).messages, 3);
    remove_file("e.mcap");
}

static void times_that_do_not_fit_are_limited(void)
{
    static const int64_t times[] = {INT64_MIN, -1, 0, 1, 4294967295999999999, 4294967296000000000, INT64_MAX};
    enum { TIMES = sizeof times / sizeof *times };
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        const char *const name = is_bag ? "t.bag" : "t.mcap";
        clump_frame frame = make_frame(1);
        clump_recorder *const recorder = open_recorder(path_of(name), 0, CLUMP_COMPRESSION_NONE, 100);
        for (int i = 0; i < TIMES; i++) {
            frame.stamp = frame.received = times[i];
            CHECK_INT(clump_recorder_cloud(recorder, "/points", &frame, NULL, &why), CLUMP_OK);
        }
        CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
        const walk_found found = is_bag ? walk_bag(path_of(name)) : walk_mcap(path_of(name));
        CHECK_INT(found.messages, TIMES);
        CHECK(found.first == 0 && found.last == (is_bag ? 4294967295999999999u : (uint64_t)INT64_MAX));
        remove_file(name);
        clump_cloud_destroy(frame.cloud);
    }
}

/* Without a time of recording, that of the data is used. */
static void the_stamp_stands_in_for_the_time_of_recording(void)
{
    clump_frame frame = make_frame(1);
    frame.received = 0;
    clump_recorder *const recorder = open_recorder(path_of("s.mcap"), 0, CLUMP_COMPRESSION_NONE, 100);
    CHECK_INT(clump_recorder_cloud(recorder, "/points", &frame, NULL, &why), CLUMP_OK);
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    CHECK(walk_mcap(path_of("s.mcap")).first == (uint64_t)frame.stamp);
    remove_file("s.mcap");
    clump_cloud_destroy(frame.cloud);
}

static void mcap_can_be_written_to_a_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0) abort();
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    clump_recorder_options options = clump_recorder_defaults();
    options.format = CLUMP_RECORDING_BAG;
    clump_recorder *recorder;
    CHECK_INT(clump_recorder_open(name, &options, &recorder, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(why.text, ": a bag cannot be written to a pipe: its first bytes are written last; write mcap"));
    recorder = open_recorder(name, CLUMP_RECORDING_MCAP, CLUMP_COMPRESSION_NONE, 100);
    clump_frame frame = make_frame(10);
    CHECK_INT(append_frames(recorder, &frame, 2), CLUMP_OK);
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    close(ends[1]);
    FILE *const copy = fopen(path_of("p.mcap"), "wb");
    char buffer[4096];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) fwrite(buffer, 1, (size_t)got, copy);
    fclose(copy);
    close(ends[0]);
    CHECK_INT(walk_mcap(path_of("p.mcap")).messages, 6);
    remove_file("p.mcap");
    clump_cloud_destroy(frame.cloud);
}

/* What was handed over, one behind the other. */
typedef struct taken_messages {
    walk_bytes file; /* an MCAP with the same messages */
    int count, found;
    char types[3][64];
} taken_messages;

/* Returns whether the bytes are in the file. */
static bool in_file(const walk_bytes *file, const void *bytes, size_t size)
{
    for (size_t at = 0; size <= file->size && at <= file->size - size; at++)
        if (memcmp(file->data + at, bytes, size) == 0) return true;
    return false;
}

static void take_message(void *user, const clump_recorder_message *message)
{
    taken_messages *const taken = user;
    const int i = taken->count++;
    if (i < 3) snprintf(taken->types[i], sizeof taken->types[i], "%s %s", message->topic, message->type);
    taken->found += in_file(&taken->file, message->data, message->size) &&
                    in_file(&taken->file, message->definition, strlen(message->definition));
    CHECK(message->size > 4 && message->received > 0 && message->stamp > 0);
}

static void messages_are_handed_over_as_a_file_has_them(void)
{
    clump_frame frame = make_frame(100), again = make_frame(100);
    clump_recorder *recorder = open_recorder(path_of("t.mcap"), 0, CLUMP_COMPRESSION_NONE, 1000);
    CHECK_INT(append_frames(recorder, &frame, 3), CLUMP_OK);
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    taken_messages taken = {.file = walk_read(path_of("t.mcap"))};
    remove_file("t.mcap");
    clump_recorder_options options = clump_recorder_defaults();
    options.take = take_message;
    options.take_user = &taken;
    CHECK_INT(clump_recorder_open("the network", &options, &recorder, &why), CLUMP_OK);
    CHECK_INT(append_frames(recorder, &again, 3), CLUMP_OK);
    CHECK_INT(clump_recorder_cloud(recorder, "/markers", &again, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(why.text, "the network: topic /markers already holds visualization_msgs/msg/MarkerArray");
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    CHECK_INT(files_left(), 0);
    CHECK_INT(taken.count, 9);
    CHECK_INT(taken.found, 9);
    CHECK_TEXT(taken.types[0], "/points sensor_msgs/msg/PointCloud2");
    CHECK_TEXT(taken.types[2], "/detections vision_msgs/msg/Detection3DArray");
    free(taken.file.data);
    clump_cloud_destroy(frame.cloud);
    clump_cloud_destroy(again.cloud);
}

CHECK_PROGRAM(test_recorder)
{
    if (!make_folder()) exit(1);
    RUN(every_offset_and_checksum_is_right);
    RUN(empty_recordings_are_whole);
    RUN(empty_messages_are_written);
    RUN(times_that_do_not_fit_are_limited);
    RUN(the_stamp_stands_in_for_the_time_of_recording);
    RUN(mcap_can_be_written_to_a_pipe);
    RUN(messages_are_handed_over_as_a_file_has_them);
    rmdir(folder);
}
