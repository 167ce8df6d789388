/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recording_hostile.c: damaged recordings through all of clump_recording: cut at every byte, with changed bytes, with
 * the parts in any order. Nothing crashes or hangs, what is read is right, and a loss is said.
 */
#include "support/recording_samples.h"

static const struct {
    const char *name;
    clump_compression compression;
} kinds[] = {{"mcap", CLUMP_COMPRESSION_NONE}, {"mcap", CLUMP_COMPRESSION_LZ4}, {"mcap", CLUMP_COMPRESSION_ZSTD},
             {"bag", CLUMP_COMPRESSION_NONE},  {"bag", CLUMP_COMPRESSION_LZ4},  {"bag", CLUMP_COMPRESSION_BZ2}};
#define KINDS (sizeof kinds / sizeof *kinds)

enum { BASE = 3, FRAMES = 6 };

typedef struct outcome {
    bool opened;
    size_t frames, topics;
    clump_recording_losses lost;
} outcome;

static bool any_loss(const clump_recording_losses *lost)
{
    return lost->damaged_chunks || lost->damaged_messages || lost->damaged_packets || lost->lost_packets ||
           lost->reordered || lost->lost_bytes || lost->truncated;
}

/* Opens, describes and reads a recording. Every failure has a sentence, and the reading ends. */
static outcome run(const unsigned char *bytes, size_t size, size_t ahead, const char *topic)
{
    outcome o = {0};
    clump_recording_options options = clump_recording_defaults();
    options.read_ahead = ahead;
    options.topic = topic;
    clump_recording *recording;
    clump_message why;
    const clump_status opened = clump_recording_parse(bytes, size, "sample", &options, &recording, &why);
    CHECK((opened == CLUMP_OK) == (recording != NULL));
    if (opened != CLUMP_OK) CHECK(why.text[0]);
    if (!recording) return o;
    o.opened = true;
    const clump_topic *topics;
    if (clump_recording_topics(recording, &topics, &o.topics, &why) != CLUMP_OK) CHECK(why.text[0]);
    clump_frame frame = {0};
    bool more = true;
    int failures = 0;
    for (size_t calls = 0; more && failures < 3; calls++) {
        const clump_status status = clump_recording_next(recording, &frame, &more, &why);
        if (status != CLUMP_OK) CHECK(why.text[0]);
        failures += status != CLUMP_OK;
        if (status != CLUMP_OK) more = true;
        o.frames += status == CLUMP_OK && more;
        CHECK(calls < 1000);
        if (calls >= 1000) break;
    }
    o.lost = clump_recording_lost(recording);
    CHECK(memchr(o.lost.first, 0, sizeof o.lost.first) != NULL);
    clump_frame_release(&frame);
    clump_recording_close(recording);
    return o;
}

/* A copy whose end is the end of the memory, so that sanitizers see what is read beyond. */
static unsigned char *exact_copy(const unsigned char *bytes, size_t size)
{
    unsigned char *const copy = malloc(size ? size : 1);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

static void cut_recordings_are_read_to_the_cut(void)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        const sample s = sample_make(kinds[kind].name, kinds[kind].compression, 1, BASE, FRAMES);
        CHECK_INT(run(s.bytes, s.size, 0, NULL).frames, FRAMES);
        const size_t step = kinds[kind].compression == CLUMP_COMPRESSION_BZ2 ? 31 : 5; /* bz2 is slow */
        size_t before = 0;
        for (size_t size = 0; size < s.size; size += size < 64 ? 1 : step) {
            unsigned char *const bytes = exact_copy(s.bytes, size);
            const outcome o = run(bytes, size, size % 5, "/a");
            free(bytes);
            CHECK_MSG(o.frames >= before, "%s cut at %zu: %zu frames, %zu before", kinds[kind].name, size, o.frames,
                      before); /* a longer piece has no fewer frames */
            before = o.frames;
            CHECK(o.frames <= FRAMES);
            if (o.opened)
                CHECK_MSG(any_loss(&o.lost) && o.lost.first[0], "%s cut at %zu of %zu: nothing is said",
                          kinds[kind].name, size, s.size);
        }
        free(s.bytes);
    }
}

static void changed_bytes_do_no_harm(void)
{
    uint64_t random = 5;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const sample s = sample_make(kinds[kind].name, kinds[kind].compression, 2, BASE, FRAMES);
        for (int i = 0; i < 500; i++) {
            unsigned char *const bytes = exact_copy(s.bytes, s.size);
            for (uint64_t k = check_random(&random) % 4 + 1; k; k--) {
                const size_t where = check_random(&random) % s.size;
                static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
                bytes[where] = check_random(&random) % 2 ? values[check_random(&random) % 5]
                                                         : (unsigned char)check_random(&random);
            }
            const outcome o = run(bytes, s.size, (size_t)i % 4, i % 3 ? "/b" : NULL);
            CHECK(o.frames <= 2 * FRAMES);
            free(bytes);
        }
        free(s.bytes);
    }
}

/* Pieces of the file in another order, and one piece twice: messages whose time goes backwards, sizes that do not fit. */
static void exchanged_pieces_do_no_harm(void)
{
    uint64_t random = 6;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const sample s = sample_make(kinds[kind].name, kinds[kind].compression, 1, BASE, FRAMES);
        for (int i = 0; i < 200; i++) {
            unsigned char *const bytes = exact_copy(s.bytes, s.size);
            const size_t size = check_random(&random) % (s.size / 4), from = check_random(&random) % (s.size - size),
                         to = check_random(&random) % (s.size - size);
            memmove(bytes + to, s.bytes + from, size);
            run(bytes, s.size, (size_t)i % 3, NULL);
            free(bytes);
        }
        free(s.bytes);
    }
}

static void beginnings_are_enough_to_refuse(void)
{
    static const char *const heads[] = {"#ROSBAG V2.0\n",
                                        "#ROSBAG V1.2\n",
                                        "SQLite format 3",
                                        "\x89MCAP0\r\n",
                                        "\xd4\xc3\xb2\xa1",
                                        "\x0a\x0d\x0d\x0a",
                                        "\x9c\xad\x9c\xad\x9c\xad\x9c\xad"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        for (size_t size = 0; size <= 512; size += size < 40 ? 1 : 59) {
            for (int fill = 0; fill < 256; fill += 51) {
                unsigned char *const bytes = malloc(size ? size : 1);
                const size_t head = strlen(heads[i]) < size ? strlen(heads[i]) : size;
                memset(bytes, fill, size);
                memcpy(bytes, heads[i], head);
                const outcome o = run(bytes, size, 0, NULL);
                CHECK_INT(o.frames, 0);
                free(bytes);
            }
        }
}

/* Losses of messages are counted once, also where a recording is played several times. */
static void second_pass_counts_no_loss_again(void)
{
    const sample s = sample_make("bag", CLUMP_COMPRESSION_NONE, 1, 10, 6);
    size_t at = 0;
    while (at + 5 < s.size && memcmp(s.bytes + at, "lidar", 5) != 0) at++;
    CHECK(at + 5 < s.size);
    memset(s.bytes + at - 4, 0x7f, 4); /* the length of the name */
    for (size_t ahead = 0; ahead <= 2; ahead += 2) {
        clump_recording_options options = clump_recording_defaults();
        options.read_ahead = ahead;
        clump_recording *recording;
        clump_message why;
        CHECK_INT(clump_recording_parse(s.bytes, s.size, "sample", &options, &recording, &why), CLUMP_OK);
        clump_frame frame = {0};
        for (int pass = 0; pass < 3; pass++) {
            size_t frames = 0;
            for (bool more = true; more; frames += more)
                CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
            CHECK_INT(frames, 5);
            CHECK_INT(clump_recording_lost(recording).damaged_messages, 1);
            CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
        }
        clump_frame_release(&frame);
        clump_recording_close(recording);
    }
    free(s.bytes);
}

/* Chunks that are small enough each, and decompress to far more than the file has: the rest is not read, and that is
 * said. */
static void bombs_of_many_chunks_are_bounded(void)
{
    enum { CLOUDS = 8, POINTS = 2000000 }; /* of 24 MB each; 128 MiB are allowed */
    char path[64];
    snprintf(path, sizeof path, "/tmp/clump-bomb-%ld.mcap", (long)getpid());
    clump_recorder_options options = clump_recorder_defaults();
    options.compression = CLUMP_COMPRESSION_ZSTD;
    clump_recorder *recorder;
    clump_message why;
    CHECK_INT(clump_recorder_open(path, &options, &recorder, &why), CLUMP_OK);
    clump_frame frame = {.stamp = SAMPLE_START};
    CHECK_INT(clump_cloud_create(POINTS, &frame.cloud, &why), CLUMP_OK);
    memset(clump_cloud_xyz(frame.cloud), 0, POINTS * 3 * sizeof(float));
    for (size_t i = 0; i < CLOUDS; i++, frame.stamp += SAMPLE_PERIOD)
        CHECK_INT(clump_recorder_cloud(recorder, "/a", &frame, NULL, &why), CLUMP_OK);
    CHECK_INT(clump_recorder_close(recorder, true, &why), CLUMP_OK);
    clump_frame_release(&frame);

    clump_recording *recording;
    CHECK_INT(clump_recording_open(path, NULL, &recording, &why), CLUMP_OK);
    unlink(path);
    for (int pass = 0; pass < 2; pass++) { /* the bound is that of one pass */
        size_t frames = 0;
        for (bool more = true; more; frames += more)
            CHECK_INT(clump_recording_next(recording, &frame, &more, &why), CLUMP_OK);
        CHECK_INT(frames, 6); /* 5 x 24 MB are below the bound: one more is read */
        const clump_recording_losses lost = clump_recording_lost(recording);
        CHECK_INT(lost.damaged_chunks, CLOUDS - 6);
        CHECK_MSG(strstr(lost.first, "the rest is not read"), "%s", lost.first);
        CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
    }
    clump_frame_release(&frame);
    clump_recording_close(recording);
}

CHECK_PROGRAM(test_recording_hostile)
{
    RUN(cut_recordings_are_read_to_the_cut);
    RUN(changed_bytes_do_no_harm);
    RUN(exchanged_pieces_do_no_harm);
    RUN(beginnings_are_enough_to_refuse);
    RUN(second_pass_counts_no_loss_again);
    RUN(bombs_of_many_chunks_are_bounded);
}
