/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recorder_failures.c: wrong arguments, full disks and failing allocations of a recorder: one sentence, and
 * nothing is left. Warm calls allocate nothing.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "recorder/recorder_frames.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

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
    if (access("/dev/full", W_OK) != 0) SKIP("no /dev/full: " DO_ELSEWHERE);
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
    if (getrlimit(RLIMIT_FSIZE, &before) != 0) abort();
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

CHECK_PROGRAM(test_recorder_failures)
{
    if (!make_folder()) exit(1);
    RUN(wrong_arguments_are_refused);
    RUN(wrong_messages_are_refused);
    RUN(a_full_disk_is_said_once_and_again);
    RUN(a_failed_recording_leaves_nothing);
    RUN(what_is_not_kept_leaves_the_target);
    RUN(warm_calls_allocate_nothing);
    RUN(every_allocation_may_fail);
    rmdir(folder);
}
