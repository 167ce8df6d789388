/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_recording_memory.c: once warm, reading a frame allocates nothing; every failed allocation is a sentence and leaves
 * nothing behind; hostile sizes do not become allocations. The linker puts the functions below between the library and
 * malloc (tests/io.cmake). Memory of liblz4 and libzstd is not counted.
 */
#include "support/recording_samples.h"

#include <pthread.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic long calls, fail_at = -1; /* this call fails, and all behind it */
static _Atomic size_t largest;

static bool allowed(size_t size)
{
    pthread_mutex_lock(&mutex);
    const bool yes = fail_at < 0 || calls < fail_at;
    calls++;
    if (size > largest) largest = size;
    pthread_mutex_unlock(&mutex);
    return yes;
}

void *__wrap_malloc(size_t size)
{
    return allowed(size) ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allowed(count * size) ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
    return allowed(size) ? __real_realloc(memory, size) : NULL;
}

static const struct {
    const char *name;
    clump_compression compression;
} kinds[] = {{"mcap", CLUMP_COMPRESSION_NONE}, {"mcap", CLUMP_COMPRESSION_LZ4}, {"mcap", CLUMP_COMPRESSION_ZSTD},
             {"bag", CLUMP_COMPRESSION_NONE},  {"bag", CLUMP_COMPRESSION_LZ4},  {"hits", CLUMP_COMPRESSION_NONE}};
#define KINDS (sizeof kinds / sizeof *kinds)

static sample make(size_t kind, size_t frames)
{
    if (strcmp(kinds[kind].name, "hits") == 0) return sample_hits(15 * frames);
    return sample_make(kinds[kind].name, kinds[kind].compression, 1, 1000, frames);
}

static bool add_field; /* to each frame, as --track does */

static clump_status give_field(clump_frame *frame, clump_message *why)
{
    static uint32_t tracks[100000];
    const clump_field field = {.name = "track", .type = CLUMP_TYPE_U32, .count = 1, .data = tracks};
    CHECK(clump_cloud_points(frame->cloud).count <= sizeof tracks / sizeof *tracks);
    return clump_cloud_set_field(frame->cloud, &field, why);
}

/* Reads all frames. Returns the first failure. */
static clump_status read_all(clump_recording *recording, clump_frame *frame, size_t *frames, clump_message *why)
{
    bool more = true;
    *frames = 0;
    while (more) {
        const clump_status status = clump_recording_next(recording, frame, &more, why);
        if (status != CLUMP_OK) return status;
        if (more && add_field) CHECK_INT(give_field(frame, why), CLUMP_OK);
        *frames += more;
    }
    return CLUMP_OK;
}

static void warm_frames_take_nothing(void);
static void warm_frames_with_a_field_take_nothing(void)
{
    add_field = true;
    warm_frames_take_nothing();
    add_field = false;
}

/* The second pass over the recording is warm: the largest frame and chunk have been there. */
static void warm_frames_take_nothing(void)
{
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t ahead = 0; ahead <= 8; ahead += 4) {
            const sample s = make(kind, 24);
            clump_recording_options options = clump_recording_defaults();
            options.read_ahead = ahead;
            clump_recording *recording;
            clump_message why;
            CHECK_INT(clump_recording_parse(s.bytes, s.size, "sample", &options, &recording, &why), CLUMP_OK);
            clump_frame frame = {0};
            size_t first = 0, frames = 0;
            CHECK_INT(read_all(recording, &frame, &first, &why), CLUMP_OK);
            CHECK(first >= 12);
            long taken = 0;
            for (int pass = 0; pass < 4; pass++) {
                const long before = calls;
                CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
                CHECK_INT(read_all(recording, &frame, &frames, &why), CLUMP_OK);
                CHECK_INT(frames, first);
                taken = calls - before;
            }
            CHECK_MSG(taken == 0, "%s compression %d ahead %zu: %ld allocations", kinds[kind].name,
                      (int)kinds[kind].compression, ahead, taken);
            clump_frame_release(&frame);
            clump_recording_close(recording);
            free(s.bytes);
        }
}

/* Opens, describes and reads with an allocation that fails. Returns whether all went well. */
static bool read_with_failure(const sample *s, long at, size_t ahead)
{
    clump_recording_options options = clump_recording_defaults();
    options.read_ahead = ahead;
    clump_recording *recording;
    clump_message why = {"none"};
    calls = 0;
    fail_at = at;
    clump_status status = clump_recording_parse(s->bytes, s->size, "sample", &options, &recording, &why);
    const clump_topic *topics;
    size_t count, frames;
    clump_frame frame = {0};
    if (status == CLUMP_OK) status = clump_recording_topics(recording, &topics, &count, &why);
    if (status == CLUMP_OK) status = read_all(recording, &frame, &frames, &why);
    const bool met = calls > at;
    fail_at = -1;
    if (status != CLUMP_OK) CHECK_INT(status, CLUMP_ERR_OUT_OF_MEMORY);
    if (status != CLUMP_OK) CHECK_MSG(strstr(why.text, "memory") != NULL, "allocation %ld: \"%s\"", at, why.text);
    /* A failed call can be repeated. */
    if (status != CLUMP_OK && recording) {
        CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_OK);
        CHECK_INT(clump_recording_seek(recording, INT64_MIN, &why), CLUMP_OK);
        CHECK_MSG(read_all(recording, &frame, &frames, &why) == CLUMP_OK, "allocation %ld: %s", at, why.text);
    }
    clump_frame_release(&frame);
    clump_recording_close(recording);
    return !met;
}

static void every_failed_allocation_is_a_sentence(void)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        const sample s = make(kind, 4);
        for (size_t ahead = 0; ahead <= 2; ahead += 2) {
            long at = 0;
            while (at < 2000 && !read_with_failure(&s, at, ahead)) at++;
            CHECK_MSG(at > 5 && at < 2000, "%s: %ld", kinds[kind].name, at);
        }
        free(s.bytes);
    }
}

/* 0xff, and sizes of 1 GB, at every place of a small recording. */
static void hostile_sizes_are_not_allocated(void)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        sample s = make(kind, 1);
        largest = 0;
        const size_t step = s.size / 1024 + 1;
        for (size_t at = 0; at + 4 <= s.size; at += step) {
            unsigned char before[4];
            memcpy(before, s.bytes + at, 4);
            const uint32_t claim = at % 2 ? UINT32_MAX : UINT32_C(1) << 30;
            memcpy(s.bytes + at, &claim, 4);
            clump_recording *recording;
            clump_message why;
            if (clump_recording_parse(s.bytes, s.size, "sample", NULL, &recording, &why) == CLUMP_OK) {
                const clump_topic *topics;
                size_t count, frames;
                clump_frame frame = {0};
                clump_recording_topics(recording, &topics, &count, &why);
                read_all(recording, &frame, &frames, &why);
                clump_frame_release(&frame);
                clump_recording_close(recording);
            }
            memcpy(s.bytes + at, before, 4);
        }
        CHECK_MSG(largest < (size_t)4 << 20, "%s: %zu bytes", kinds[kind].name, largest);
        free(s.bytes);
    }
}

/* The search for a topic reads the whole recording. It is done once, not per call: callers go on behind failures. */
static void search_for_a_topic_is_not_repeated(void)
{
    const sample s = sample_make("mcap", CLUMP_COMPRESSION_NONE, 0, 0, 4); /* markers alone */
    clump_recording *recording;
    clump_message why, again;
    CHECK_INT(clump_recording_parse(s.bytes, s.size, "sample", NULL, &recording, &why), CLUMP_OK);
    clump_frame frame = {0};
    bool more;
    const clump_status status = clump_recording_next(recording, &frame, &more, &why);
    CHECK(status != CLUMP_OK);
    const long before = calls;
    CHECK_INT(clump_recording_next(recording, &frame, &more, &again), status);
    CHECK(strcmp(why.text, again.text) == 0);
    CHECK_INT(clump_recording_seek(recording, 0, &again), status);
    CHECK(strcmp(why.text, again.text) == 0);
    CHECK_INT(calls - before, 0);
    clump_recording_close(recording);
    free(s.bytes);
}

CHECK_PROGRAM(test_recording_memory)
{
    RUN(warm_frames_take_nothing);
    RUN(warm_frames_with_a_field_take_nothing);
    RUN(every_failed_allocation_is_a_sentence);
    RUN(hostile_sizes_are_not_allocated);
    RUN(search_for_a_topic_is_not_repeated);
}
