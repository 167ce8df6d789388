/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recorder.c: files of the recorder, walked record by record; failures leave nothing; warm calls allocate nothing.
 * Other programs read the files in recorder_bag.py and recorder_mcap.mjs.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "recorder_walk.h"

#include "recorder/recorder.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- allocations, counted (the linker sends them here: recorder.cmake) ------------------------------ */

static long allocations, allocations_left = -1; /* -1: no limit */

static bool may_allocate(void)
{
    allocations++;
    if (allocations_left < 0) return true;
    if (allocations_left > 0) return allocations_left--;
    errno = ENOMEM;
    return false;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
    return may_allocate() ? __real_realloc(memory, size) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return may_allocate() ? __real_strdup(text) : NULL;
}

/* --- what the tests share --------------------------------------------------------------------------- */

static clump_message why;
static char folder[64];

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static int turn;
    char *const path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Returns the number of files in the folder. */
static int files_left(void)
{
    int count = 0;
    DIR *const list = opendir(folder);
    for (struct dirent *entry; (entry = readdir(list));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(list);
    return count;
}

static void remove_file(const char *name)
{
    CHECK_INT(unlink(path_of(name)), 0);
}

static clump_frame make_frame(size_t points)
{
    clump_frame frame = {.stamp = 1700000000123456789, .received = 1700000000200000000, .frame_id = "velodyne"};
    if (clump_cloud_create(points, &frame.cloud, &why) != CLUMP_OK) abort();
    float *const xyz = clump_cloud_xyz(frame.cloud);
    float *const intensity = malloc((points + 1) * sizeof *intensity);
    for (size_t i = 0; i < points; i++) {
        for (size_t a = 0; a < 3; a++) xyz[3 * i + a] = (float)(i % 977) * 0.1f + (float)a;
        intensity[i] = (float)(i % 256);
    }
    clump_cloud_set_field(frame.cloud, &(clump_field){"intensity", CLUMP_TYPE_F32, 1, intensity}, &why);
    free(intensity);
    return frame;
}

static const clump_cluster two_clusters[2] = {
    {.label = 0, .upper = {1, 1, 1}, .box_size = {1, 1}},
    {.label = 1, .lower = {5, 5, 0}, .upper = {6, 6, 2}, .box_center = {5.5f, 5.5f}, .box_size = {1, 1}, .yaw = 45}};
static const clump_recorder_boxes two_boxes = {.clusters = two_clusters, .count = 2};

/* Appends `frames` frames, each a cloud, markers and detections. Returns the first status that is not CLUMP_OK. */
static clump_status append_frames(clump_recorder *recorder, clump_frame *frame, int frames)
{
    for (int i = 0; i < frames; i++) {
        frame->stamp += 100000000;
        frame->received += i % 5 == 4 ? -150000000 : 130000000; /* time goes backwards now and then */
        CLUMP_IO_TRY(clump_recorder_cloud(recorder, "/points", frame, NULL, &why));
        CLUMP_IO_TRY(clump_recorder_markers(recorder, "/markers", frame, &two_boxes, &why));
        CLUMP_IO_TRY(clump_recorder_detections(recorder, "/detections", frame, &two_boxes, &why));
    }
    return CLUMP_OK;
}

static clump_recorder *open_recorder(const char *path, clump_recording_format format, clump_compression compression,
                                     size_t chunk_size)
{
    clump_recorder_options options = clump_recorder_defaults();
    options.format = format;
    options.compression = compression;
    options.chunk_size = chunk_size;
    clump_recorder *recorder = NULL;
    if (clump_recorder_open(path, &options, &recorder, &why) != CLUMP_OK) CHECK_FAIL("%s", why.text);
    return recorder;
}

/* --- files ------------------------------------------------------------------------------------------- */

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
    if (pipe(ends) != 0) SKIP("no pipe");
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

/* --- failures ---------------------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void)
{
    clump_recorder *recorder;
    clump_recorder_options options = clump_recorder_defaults();
    CHECK_INT(clump_recorder_open("x.pcd", NULL, &recorder, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(why.text, "x.pcd: the name tells no recording that can be written: .mcap .bag");
    CHECK_INT(clump_recorder_open(NULL, NULL, &recorder, &why), CLUMP_ERR_ARGUMENT);
    options.compression = CLUMP_COMPRESSION_ZSTD;
    CHECK_INT(clump_recorder_open("x.bag", &options, &recorder, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(why.text, "x.bag: bag is never compressed with zstd");
    options.compression = (clump_compression)77;
    CHECK_INT(clump_recorder_open("x.bag", &options, &recorder, &why), CLUMP_ERR_OPTIONS);
    options = clump_recorder_defaults();
    options.format = CLUMP_RECORDING_PCAP;
    CHECK_INT(clump_recorder_open("x.bag", &options, &recorder, &why), CLUMP_ERR_IO_UNSUPPORTED);
    options.cookie = 0;
    CHECK_INT(clump_recorder_open("x.bag", &options, &recorder, &why), CLUMP_ERR_OPTIONS);
    CHECK_INT(clump_recorder_open("no/such/folder/x.bag", NULL, &recorder, &why), CLUMP_ERR_IO_WRITE);
    CHECK_TEXT(why.text, "no/such/folder/x.bag: cannot write: No such file or directory");
    CHECK(recorder == NULL);
    CHECK_INT(clump_recorder_close(NULL, true, &why), CLUMP_OK);
    CHECK_INT(files_left(), 0);
}

static void wrong_messages_are_refused(void)
{
    clump_frame frame = make_frame(4), bare = {.stamp = 1};
    clump_recorder *const recorder = open_recorder(path_of("w.mcap"), 0, CLUMP_COMPRESSION_NONE, 100);
    CHECK_INT(clump_recorder_cloud(recorder, NULL, &frame, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_cloud(recorder, "", &frame, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_cloud(recorder, "/points", NULL, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_cloud(recorder, "/points", &bare, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_cloud(NULL, "/points", &frame, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_markers(recorder, "/m", &frame, NULL, &why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_markers(recorder, "/m", &frame, &(clump_recorder_boxes){.count = -1}, &why),
              CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_detections(recorder, "/m", &frame, &(clump_recorder_boxes){.count = 1}, &why),
              CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_recorder_cloud(recorder, "/points", &frame, NULL, &why), CLUMP_OK);
    CHECK_INT(clump_recorder_markers(recorder, "/points", &frame, &two_boxes, &why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(why.text, "w.mcap: topic /points already holds sensor_msgs/msg/PointCloud2"));

    /* Larger than a message may be. No byte of these points is read. */
    const size_t count = frame.cloud->count;
    frame.cloud->count = (size_t)1 << 26;
    CHECK_INT(clump_recorder_cloud(recorder, "/huge", &frame, NULL, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(why.text, "w.mcap: a message of topic /huge is larger than "));
    frame.cloud->count = SIZE_MAX / 2;
    CHECK_INT(clump_recorder_cloud(recorder, "/huge", &frame, NULL, &why), CLUMP_ERR_IO_UNSUPPORTED);
    frame.cloud->count = count;

    CHECK_INT(clump_recorder_cloud(recorder, "/points", &frame, NULL, &why), CLUMP_OK); /* still usable */
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    const walk_found found = walk_mcap(path_of("w.mcap"));
    CHECK(found.messages == 2 && found.channels == 1);
    remove_file("w.mcap");
    clump_cloud_destroy(frame.cloud);
}

static void a_full_disk_is_said_once_and_again(void)
{
    if (access("/dev/full", W_OK) != 0) SKIP("no /dev/full");
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        clump_frame frame = make_frame(100000);
        clump_recorder *const recorder = open_recorder("/dev/full", is_bag ? CLUMP_RECORDING_BAG : CLUMP_RECORDING_MCAP,
                                                       CLUMP_COMPRESSION_NONE, 1000);
        const char *const sentence = "/dev/full: cannot write: No space left on device";
        for (int i = 0; i < 3; i++) {
            CHECK_INT(clump_recorder_cloud(recorder, "/points", &frame, NULL, &why), CLUMP_ERR_IO_WRITE);
            CHECK_TEXT(why.text, sentence);
        }
        CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_ERR_IO_WRITE);
        CHECK_TEXT(why.text, sentence);
        clump_cloud_destroy(frame.cloud);
    }
}

/* A limit on the size of files stands in for a full disk: the file is not finished, and nothing is left. */
static void a_failed_recording_leaves_nothing(void)
{
    struct rlimit before;
    if (getrlimit(RLIMIT_FSIZE, &before) != 0) SKIP("no limit of file sizes");
    signal(SIGXFSZ, SIG_IGN);
    clump_frame frame = make_frame(1000);
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        for (rlim_t limit = 0; limit < 70000; limit += 6007) { /* the last is more than the file has */
            clump_recorder *const recorder =
                open_recorder(path_of(is_bag ? "f.bag" : "f.mcap"), 0, CLUMP_COMPRESSION_NONE, 1000);
            const struct rlimit now = {limit, before.rlim_max};
            setrlimit(RLIMIT_FSIZE, &now);
            const clump_status appended = append_frames(recorder, &frame, 2);
            const clump_status closed = clump_recorder_close(recorder, true, &why);
            setrlimit(RLIMIT_FSIZE, &before);
            CHECK(appended == CLUMP_OK || appended == closed);
            CHECK_INT(closed, files_left() ? CLUMP_OK : CLUMP_ERR_IO_WRITE);
            if (limit < 32000) CHECK(strstr(why.text, ": cannot write: File too large"));
            if (limit < 32000) CHECK_INT(files_left(), 0);
            if (files_left()) remove_file(is_bag ? "f.bag" : "f.mcap");
        }
    }
    signal(SIGXFSZ, SIG_DFL);
    clump_cloud_destroy(frame.cloud);
}

static void what_is_not_kept_leaves_the_target(void)
{
    FILE *const old = fopen(path_of("old.mcap"), "wb");
    fputs("old", old);
    fclose(old);
    clump_frame frame = make_frame(1000);
    clump_recorder *const recorder = open_recorder(path_of("old.mcap"), 0, CLUMP_COMPRESSION_NONE, 1000);
    CHECK_INT(append_frames(recorder, &frame, 3), CLUMP_OK);
    CHECK_INT(clump_recorder_close(recorder, false, &why), CLUMP_OK);
    const walk_bytes bytes = walk_read(path_of("old.mcap"));
    CHECK(bytes.size == 3 && memcmp(bytes.data, "old", 3) == 0);
    free(bytes.data);
    remove_file("old.mcap");
    CHECK_INT(files_left(), 0);
    clump_cloud_destroy(frame.cloud);
}

/* --- memory ------------------------------------------------------------------------------------------- */

/* The index of chunks grows: by half, so ever more rarely. Nothing else may. */
static void warm_calls_allocate_nothing(void)
{
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        clump_frame frame = make_frame(5000);
        clump_recorder *const recorder =
            open_recorder(path_of(is_bag ? "a.bag" : "a.mcap"), 0, CLUMP_COMPRESSION_LZ4, (size_t)1 << 16);
        CHECK_INT(append_frames(recorder, &frame, 20), CLUMP_OK);
        const size_t chunk = recorder->chunk.capacity;
        clump_io_encoder_reserve(&recorder->chunks, 100000);
        const long before = allocations;
        CHECK_INT(append_frames(recorder, &frame, 200), CLUMP_OK);
        CHECK_INT(allocations - before, 0);
        CHECK_INT(recorder->chunk.capacity, chunk);
        CHECK(chunk < 200000);
        CHECK_INT(clump_recorder_close(recorder, false, &why), CLUMP_OK);
        clump_cloud_destroy(frame.cloud);
    }
}

/* Each allocation fails in turn. All calls after it say so, nothing is left, nothing leaks. */
static void every_allocation_may_fail(void)
{
    for (int is_bag = 0; is_bag < 2; is_bag++) {
        clump_frame frame = make_frame(100);
        bool failed = true;
        for (long k = 0; failed && k < 500; k++) {
            clump_recorder *recorder;
            allocations_left = k;
            clump_status status = clump_recorder_open(path_of(is_bag ? "m.bag" : "m.mcap"), NULL, &recorder, &why);
            if (status == CLUMP_OK) {
                const clump_status appended = append_frames(recorder, &frame, 3);
                CHECK(appended == CLUMP_OK || append_frames(recorder, &frame, 1) == appended);
                status = clump_recorder_close(recorder, true, &why);
                CHECK(appended == CLUMP_OK || appended == status);
            }
            allocations_left = -1;
            failed = status != CLUMP_OK;
            CHECK_INT(files_left(), !failed);
            if (failed) CHECK(strstr(why.text, "emory") != NULL); /* "no memory for", "Cannot allocate memory" */
        }
        CHECK(!failed);
        remove_file(is_bag ? "m.bag" : "m.mcap");
        clump_cloud_destroy(frame.cloud);
    }
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    strcpy(folder, "clump-recorder-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    RUN(every_offset_and_checksum_is_right);
    RUN(empty_recordings_are_whole);
    RUN(empty_messages_are_written);
    RUN(times_that_do_not_fit_are_limited);
    RUN(the_stamp_stands_in_for_the_time_of_recording);
    RUN(mcap_can_be_written_to_a_pipe);
    RUN(wrong_arguments_are_refused);
    RUN(wrong_messages_are_refused);
    RUN(a_full_disk_is_said_once_and_again);
    RUN(a_failed_recording_leaves_nothing);
    RUN(what_is_not_kept_leaves_the_target);
    RUN(warm_calls_allocate_nothing);
    RUN(every_allocation_may_fail);
    rmdir(folder);
    return CHECK_END();
}
