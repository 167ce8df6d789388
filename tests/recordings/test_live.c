/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_live.c: recordings that come as they are made: the ring between two threads, and captures from a pipe.
 */
#include "containers/live.h"
#include "recordings/live_frames.h"
#include "recordings/pcap_made.h"
#include "support/velodyne_sample.h"

#include <pthread.h>

/* --- the ring ----------------------------------------------------------------------------------------- */

enum { RING_MESSAGES = 20000 };

static size_t ring_size(uint64_t i)
{
    return (size_t)(i * 7919 % 900);
}

static void *send_messages(void *user)
{
    clump_io_live *const live = user;
    unsigned char bytes[1024];
    for (uint64_t i = 0; i < RING_MESSAGES; i++) {
        memset(bytes, (int)(i & 255), sizeof bytes);
        unsigned char *room;
        while (!(room = clump_io_live_reserve(live, sizeof bytes))) sched_yield();
        memcpy(room, bytes, ring_size(i));
        clump_io_live_commit(live, (uint32_t)i, (int64_t)i, ring_size(i));
    }
    clump_io_live_end(live, CLUMP_ERR_IO_READ, &(clump_message){"the cable is gone"});
    return NULL;
}

/* All messages arrive, in order and whole, through a ring that is much smaller. */
static void ring(void)
{
    clump_message why = {0};
    const clump_io_where where = {"ring", &why};
    const clump_io_blob blob = {.where = where};
    clump_io_live *live;
    CHECK(clump_io_live_create(&where, 5000, &live) == CLUMP_OK);
    pthread_t thread;
    pthread_create(&thread, NULL, send_messages, live);
    uint64_t count = 0, wrong = 0;
    clump_status status;
    for (;; count++) {
        clump_io_live_message m;
        clump_io_live_event event;
        int64_t silent;
        status = clump_io_live_next(live, &blob, &m, &event, &silent);
        if (status != CLUMP_OK || event != CLUMP_IO_LIVE_MESSAGE) break;
        wrong +=
            m.kind != count || m.received != (int64_t)count || m.size != ring_size(count) || (uintptr_t)m.bytes % 8;
        for (size_t i = 0; i < m.size; i++) wrong += m.bytes[i] != (count & 255);
    }
    pthread_join(thread, NULL);
    CHECK_INT(count, RING_MESSAGES);
    CHECK_INT(wrong, 0);
    CHECK_INT(status, CLUMP_ERR_IO_READ);
    CHECK_TEXT(why.text, "the cable is gone");
    CHECK_INT(clump_io_live_taken(live), RING_MESSAGES);
    clump_io_live_destroy(live);
}

/* A full ring drops the newest and counts them. */
static void ring_overflow(void)
{
    const clump_io_where where = {0};
    const clump_io_blob blob = {0};
    clump_io_live *live;
    CHECK(clump_io_live_create(&where, 4096, &live) == CLUMP_OK);
    unsigned char bytes[1000] = {0};
    uint64_t taken = 0;
    for (int i = 0; i < 100; i++) taken += clump_io_live_push(live, 0, i, bytes, sizeof bytes);
    CHECK_INT(taken, 4);
    CHECK_INT(clump_io_live_dropped(live), 96);
    CHECK(!clump_io_live_push(live, 0, 0, bytes, SIZE_MAX));
    clump_io_live_end(live, CLUMP_OK, NULL);
    for (int i = 0; i < 5; i++) {
        clump_io_live_message m = {0};
        clump_io_live_event event;
        int64_t silent;
        CHECK(clump_io_live_next(live, &blob, &m, &event, &silent) == CLUMP_OK);
        CHECK_INT(event, i < 4 ? CLUMP_IO_LIVE_MESSAGE : CLUMP_IO_LIVE_END);
        if (i < 4) CHECK_INT(m.received, i);
    }
    clump_io_live_destroy(live);
}

static bool never(void *user, const char *note)
{
    (void)note;
    ++*(int *)user;
    return false;
}

/* An empty ring asks the caller whether to go on. */
static void ring_cancelled(void)
{
    int asked = 0;
    const clump_io_where where = {0};
    const clump_io_wire wire = {.watch = never, .watch_user = &asked};
    const clump_io_blob blob = {.wire = &wire};
    clump_io_live *live;
    CHECK(clump_io_live_create(&where, 4096, &live) == CLUMP_OK);
    clump_io_live_message m;
    clump_io_live_event event;
    int64_t silent;
    CHECK(clump_io_live_next(live, &blob, &m, &event, &silent) == CLUMP_OK);
    CHECK_INT(event, CLUMP_IO_LIVE_END);
    CHECK_INT(asked, 1);
    clump_io_live_destroy(live);
}

/* --- captures from a pipe ---------------------------------------------------------------------------------- */

typedef struct pipe_writer {
    const unsigned char *bytes;
    size_t size, step; /* written at a time */
    int file;
} pipe_writer;

static void *write_pipe(void *user)
{
    const pipe_writer *const w = user;
    for (size_t at = 0; at < w->size;) {
        const size_t size = w->size - at < w->step ? w->size - at : w->step;
        const ssize_t now = write(w->file, w->bytes + at, size);
        if (now <= 0) break;
        at += (size_t)now;
    }
    close(w->file);
    return NULL;
}

/* Returns the frames that come from a pipe into which the bytes are written. */
static live_frames frames_of_pipe(const unsigned char *bytes, size_t size, size_t step, const char *metadata)
{
    int ends[2];
    if (pipe(ends) != 0) abort();
    pipe_writer w = {bytes, size, step, ends[1]};
    pthread_t thread;
    pthread_create(&thread, NULL, write_pipe, &w);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    clump_recording_options options = clump_recording_defaults();
    options.metadata = metadata;
    const live_frames frames = live_read_path(path, &options);
    close(ends[0]);
    pthread_join(thread, NULL);
    return frames;
}

/* Packets of a VLP-16: 76 are a turn. */
static made velodyne_capture(unsigned packets)
{
    made file = {0};
    put_head(&file, plain, 1);
    velodyne_sample sample = sample_vlp16();
    for (unsigned i = 0; i < packets; i++) {
        unsigned char bytes[SAMPLE_BYTES];
        sample_packet(&sample, bytes);
        made frame = {0};
        put_ethernet(&frame, 0x0800);
        put_ipv4(&frame, 1, 8 + SAMPLE_BYTES, 1, 0);
        big_u16(&frame, 4000), big_u16(&frame, 2368), big_u16(&frame, 8 + SAMPLE_BYTES), big_u16(&frame, 0);
        made_put(&frame, bytes, sizeof bytes);
        put_packet(&file, plain, 100 * SECOND + i * INT64_C(1327104), frame);
    }
    return file;
}

static live_frames frames_of_memory(const unsigned char *bytes, size_t size)
{
    clump_recording *recording = NULL;
    live_frames f = {0};
    f.status = clump_recording_parse(bytes, size, "memory", NULL, &recording, &f.why);
    if (f.status == CLUMP_OK) f = live_read(recording);
    clump_recording_close(recording);
    return f;
}

/* Written whole, or in pieces that divide every header. */
static void from_pipe(void)
{
    made file = velodyne_capture(400);
    const live_frames expected = frames_of_memory(file.bytes, file.size);
    CHECK_INT(expected.frames, 6);
    for (size_t step = 100000; step > 0; step = step > 1000 ? 977 : step > 7 ? 7 : 0) {
        const live_frames found = frames_of_pipe(file.bytes, file.size, step, NULL);
        CHECK(found.live && !expected.live);
        live_check_equal(&found, &expected, "pipe");
    }
    for (size_t cut = 1; cut < 1400; cut += 97) { /* the input ends early */
        const live_frames most = frames_of_memory(file.bytes, file.size - cut);
        const live_frames found = frames_of_pipe(file.bytes, file.size - cut, 4096, NULL);
        live_check_equal(&found, &most, "cut");
        CHECK_INT(found.lost.truncated, most.lost.truncated);
        CHECK_TEXT(found.lost.first, most.lost.first);
    }
    free(file.bytes);
}

/* What a live recording cannot do. */
static void refused(void)
{
    made file = velodyne_capture(80);
    int ends[2];
    if (pipe(ends) != 0) abort();
    pipe_writer w = {file.bytes, file.size, 4096, ends[1]};
    pthread_t thread;
    pthread_create(&thread, NULL, write_pipe, &w);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    clump_recording *recording;
    clump_message why;
    CHECK(clump_recording_open(path, NULL, &recording, &why) == CLUMP_OK);
    const clump_topic *topics;
    size_t count;
    clump_poses poses;
    CHECK_INT(clump_recording_topics(recording, &topics, &count, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_INT(clump_recording_poses(recording, NULL, &poses, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_INT(clump_recording_seek(recording, 0, &why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_MSG(strstr(why.text, "it is read as it comes"), "%s", why.text);
    const live_frames found = live_read(recording);
    CHECK_INT(found.frames, 2);
    clump_recording_close(recording);
    close(ends[0]);
    pthread_join(thread, NULL);
    free(file.bytes);
}

static const char *const data_captures[][2] = {
    {"pcap/mrpt_sample_velodyne_vlp16_gps.pcap", NULL},
    {"pcap/mrpt_sample_velodyne_hdl32.pcap", NULL},
    {"pcap/DERIVED_nebula_vlp16.pcap", NULL},
    {"pcap/DERIVED_nebula_vlp32.pcap", NULL},
    {"pcap/ouster_OS-0-32-U1_v2.2.0_1024x10.pcap", "pcap/ouster_OS-0-32-U1_v2.2.0_1024x10.json"},
    {"pcap/ouster_OS-1-32-G_v2.1.1_1024x10.pcap", "pcap/ouster_OS-1-32-G_v2.1.1_1024x10.json"},
    {"pcap/ouster_OS-2-128-U1_v2.3.0_1024x10.pcap", "pcap/ouster_OS-2-128-U1_v2.3.0_1024x10.json"},
    {"pcap/ouster_OS-1-128_v2.3.0_1024x10_lb_n3.pcap", "pcap/ouster_OS-1-128_v2.3.0_1024x10.json"},
    {"pcap/ouster_crc_test.pcap", "pcap/ouster_crc_test.json"},
    {"pcap/ouster_shot_limiting_test.pcap", "pcap/ouster_shot_limiting_test.json"},
    {"pcap/ouster_windowed_frame1.pcap", "pcap/ouster_windowed_frame1_0.json"},
};
enum { DATA_CAPTURES = sizeof data_captures / sizeof *data_captures };

/* Sets the paths of a capture of the data folder, and of its metadata. False: there is no such folder. */
static bool data_paths(size_t i, char capture[512], char metadata[512])
{
    const char *const data = getenv("CLUMP_DATA");
    if (!data) return false;
    snprintf(capture, 512, "%s/%s", data, data_captures[i][0]);
    snprintf(metadata, 512, "%s/%s", data, data_captures[i][1] ? data_captures[i][1] : "");
    return true;
}

static void data_from_pipe(void)
{
    char path[512], metadata[512];
    for (size_t i = 0; i < DATA_CAPTURES; i++) {
        if (!data_paths(i, path, metadata)) SKIP("CLUMP_DATA is not there");
        const char *const json = data_captures[i][1] ? metadata : NULL;
        clump_recording_options options = clump_recording_defaults();
        options.metadata = json;
        const live_frames expected = live_read_path(path, &options);
        size_t size;
        unsigned char *const bytes = check_load(path, &size);
        const live_frames found = frames_of_pipe(bytes, size, 65536, json);
        CHECK_MSG(expected.frames > 0 && found.live, "%s", expected.why.text);
        live_check_equal(&found, &expected, data_captures[i][0]);
        free(bytes);
    }
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(ring);
    RUN(ring_overflow);
    RUN(ring_cancelled);
    RUN(from_pipe);
    RUN(refused);
    RUN(data_from_pipe);
    return CHECK_END();
}
