/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_live.c: recordings that come as they are made: the ring between two threads, captures from a pipe, packets from sockets.
 */
#include "containers/live.h"
#include "recordings/live_frames.h"
#include "recordings/pcap_made.h"
#include "recordings/test_wire.h"
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
        if (!data_paths(i, path, metadata)) SKIP(DO_DATA);
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

/* --- packets from sockets ---------------------------------------------------------------------------------- */

/* The frames that a capture gives over loopback. */
static live_frames frames_of_wire(const void *bytes, size_t size, const clump_recording_options *options)
{
    static wire_reader r;
    wire_begin(&r, "udp://127.0.0.1:0", options);
    wire_sender s = wire_sender_open(r.recording, 1);
    wire_send_capture(&s, bytes, size, 0, UINT64_MAX);
    wire_settle(&s, 0);
    wire_end(&r);
    const clump_wire wire = clump_recording_wire(r.recording);
    CHECK_INT(wire.packets, s.sent);
    CHECK_INT(wire.kernel_dropped + wire.ring_dropped + wire.left_out, 0);
    CHECK_MSG(strstr(r.notes, "listens on 127.0.0.1, port "), "%s", r.notes);
    clump_recording_close(r.recording);
    close(s.file);
    return r.frames;
}

static void from_wire(void)
{
    made file = velodyne_capture(400);
    const live_frames expected = frames_of_memory(file.bytes, file.size);
    char path[64];
    snprintf(path, sizeof path, "/tmp/clump-wire-%ld.pcap", (long)getpid());
    clump_recording_options options = clump_recording_defaults();
    options.capture = path;
    const live_frames found = frames_of_wire(file.bytes, file.size, &options);
    CHECK(found.live);
    live_check_equal(&found, &expected, "udp");
    const live_frames again = live_read_path(path, NULL); /* the packets were recorded at the same time */
    live_check_equal(&again, &expected, "recorded");
    CHECK_TEXT(again.lost.first, "");
    unlink(path);
    free(file.bytes);
}

/* A file of the capture's name is replaced at the first packet; without one it stays, and none appears. */
static void silence_keeps_a_file(void)
{
    char path[64], text[8] = "";
    snprintf(path, sizeof path, "/tmp/clump-wire-%ld.pcap", (long)getpid());
    clump_recording_options options = clump_recording_defaults();
    options.capture = path;
    for (int there = 0; there < 2; there++) {
        FILE *file = there ? fopen(path, "wb") : NULL;
        if (file) fputs("drive", file), fclose(file);
        static wire_reader r;
        wire_begin(&r, "udp://127.0.0.1:0", &options);
        for (int i = 0; i < 100; i++) wire_rest();
        wire_end(&r);
        clump_recording_close(r.recording);
        file = fopen(path, "rb");
        CHECK(there == (file != NULL));
        if (file) CHECK_INT(fread(text, 1, sizeof text, file), 5);
        if (file) fclose(file);
        unlink(path);
    }
    CHECK_TEXT(text, "drive");
    options.capture = "/tmp/clump-no-such-folder/x.pcap";
    clump_recording *recording;
    clump_message why;
    CHECK_INT(clump_recording_open("udp://127.0.0.1:0", &options, &recording, &why), CLUMP_ERR_IO_OPEN);
    CHECK_TEXT(why.text, "/tmp/clump-no-such-folder/x.pcap: cannot be written: No such file or directory");
}

static void data_from_wire(void)
{
    char path[512], metadata[512];
    for (size_t i = 0; i < DATA_CAPTURES; i++) {
        if (!data_paths(i, path, metadata)) SKIP(DO_DATA);
        clump_recording_options options = clump_recording_defaults();
        options.metadata = data_captures[i][1] ? metadata : NULL;
        const live_frames expected = live_read_path(path, &options);
        size_t size;
        unsigned char *const bytes = check_load(path, &size);
        const live_frames found = frames_of_wire(bytes, size, &options);
        live_check_equal(&found, &expected, data_captures[i][0]);
        CHECK_INT(found.lost.lost_packets, expected.lost.lost_packets);
        free(bytes);
    }
}

/* Two sensors send to one port. */
/* Some packets of another sender, before the sensor or among its first, are no second sensor. */
static void stray_packets(void)
{
    made file = velodyne_capture(400);
    const live_frames expected = frames_of_memory(file.bytes, file.size);
    static wire_reader r;
    for (uint64_t first = 0; first <= 20; first += 10) {
        wire_begin(&r, "udp://127.0.0.1:0", NULL);
        wire_sender sensor = wire_sender_open(r.recording, 1), other = wire_sender_open(r.recording, 2);
        wire_send_capture(&sensor, file.bytes, file.size, 0, first);
        other.sent = sensor.sent;
        wire_send_capture(&other, file.bytes, file.size, 0, 3);
        sensor.sent = other.sent;
        wire_send_capture(&sensor, file.bytes, file.size, first, UINT64_MAX);
        wire_settle(&sensor, 0);
        wire_end(&r);
        CHECK_MSG(r.frames.status == CLUMP_OK, "%s", r.frames.why.text);
        live_check_equal(&r.frames, &expected, "stray packets");
        clump_recording_close(r.recording);
        close(sensor.file), close(other.file);
    }
    free(file.bytes);
}

static void two_sensors(void)
{
    made file = velodyne_capture(200);
    const live_frames expected = frames_of_memory(file.bytes, file.size);
    static wire_reader r;
    for (int filtered = 0; filtered < 2; filtered++) {
        clump_recording_options options = clump_recording_defaults();
        if (filtered) options.from_host = "127.0.0.2";
        wire_begin(&r, "udp://127.0.0.1:0", &options);
        wire_sender a = wire_sender_open(r.recording, 1), b = wire_sender_open(r.recording, 2);
        for (uint64_t i = 0; i < 200; i++) {
            b.sent = a.sent;
            wire_send_capture(&b, file.bytes, file.size, i, i + 1);
            a.sent = b.sent;
            wire_send_capture(&a, file.bytes, file.size, i, i + 1);
        }
        wire_settle(&a, 0);
        wire_end(&r);
        if (filtered) {
            live_check_equal(&r.frames, &expected, "filtered");
            CHECK_INT(clump_recording_wire(r.recording).left_out, 200);
        } else {
            CHECK_INT(r.frames.status, CLUMP_ERR_ARGUMENT);
            CHECK_MSG(strstr(r.frames.why.text, "2 topics have clouds; choose one: udp/"), "%s", r.frames.why.text);
        }
        clump_recording_close(r.recording);
        close(a.file), close(b.file);
    }
    free(file.bytes);
}

/* A sensor is unplugged in the middle of a turn, and comes back in the middle of another. */
static void unplugged(void)
{
    made file = velodyne_capture(400);
    static wire_reader r;
    wire_begin(&r, "udp://127.0.0.1:0", NULL);
    wire_sender s = wire_sender_open(r.recording, 1);
    wire_send_capture(&s, file.bytes, file.size, 0, 100); /* a turn and a third */
    wire_wait_frames(&r, 2);
    wire_send_capture(&s, file.bytes, file.size, 180, 240); /* a turn ends inside */
    wire_wait_frames(&r, 4);
    wire_end(&r);
    CHECK_INT(r.frames.status, CLUMP_OK);
    CHECK_INT(r.frames.frames, 4);
    CHECK_INT(r.frames.points, 160 * 384);
    clump_recording_close(r.recording);
    close(s.file);
    free(file.bytes);
}

/* More packets than the memory of the recording holds: the newest are dropped and counted, and nothing else happens. */
static void flood(void)
{
    clump_recording *recording;
    clump_message why;
    CHECK_MSG(clump_recording_open("udp://127.0.0.1:0", NULL, &recording, &why) == CLUMP_OK, "%s", why.text);
    wire_sender s = wire_sender_open(recording, 1);
    static unsigned char bytes[60000];
    for (int i = 0; i < 700; i++) wire_send(&s, bytes, sizeof bytes);
    wire_settle(&s, 0);
    const clump_wire w = clump_recording_wire(recording);
    CHECK_INT(w.packets, 700);
    CHECK_MSG(w.ring_dropped > 100 && w.ring_dropped < 300, "%d", (int)w.ring_dropped);
    clump_recording_close(recording);
    close(s.file);
}

/* Packets of random bytes and sizes make no frame, and do not end the recording. */
static void garbage(void)
{
    made file = velodyne_capture(200);
    const live_frames expected = frames_of_memory(file.bytes, file.size);
    static wire_reader r;
    wire_begin(&r, "udp://127.0.0.1:0", NULL);
    wire_sender s = wire_sender_open(r.recording, 1);
    uint64_t random = 5;
    unsigned char bytes[2000];
    for (uint64_t i = 0; i < 200; i++) {
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)check_random(&random);
        wire_send(&s, bytes, (size_t)(check_random(&random) % 1200));
        wire_send_capture(&s, file.bytes, file.size, i, i + 1);
    }
    wire_settle(&s, 0);
    wire_end(&r);
    live_check_equal(&r.frames, &expected, "between garbage");
    CHECK(r.frames.lost.damaged_packets > 0);
    clump_recording_close(r.recording);
    close(s.file);
    free(file.bytes);
}

/* A multicast group of the loopback interface. */
static void multicast(void)
{
    made file = velodyne_capture(200);
    const live_frames expected = frames_of_memory(file.bytes, file.size);
    clump_recording_options options = clump_recording_defaults();
    options.interface = "lo";
    clump_recording *probe = NULL;
    clump_message why = {0};
    if (clump_recording_open("udp://239.255.77.1:0", &options, &probe, &why) != CLUMP_OK)
        SKIP("%s: " DO_MULTICAST, why.text);
    clump_recording_close(probe);
    static wire_reader r;
    wire_begin(&r, "udp://239.255.77.1:0", &options);
    wire_sender s = wire_sender_open(r.recording, 1);
    const struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
    const unsigned char hops = 0; /* never leaves the machine */
    if (setsockopt(s.file, IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof loopback) != 0) abort();
    if (setsockopt(s.file, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops) != 0) abort();
    s.to.sin_addr.s_addr = inet_addr("239.255.77.1");
    wire_send_capture(&s, file.bytes, file.size, 0, UINT64_MAX);
    wire_settle(&s, 0);
    wire_end(&r);
    live_check_equal(&r.frames, &expected, "multicast");
    clump_recording_close(r.recording);
    close(s.file);
    free(file.bytes);
}

/* --- ouster:// ----------------------------------------------------------------------------------------------- */

/* A sensor that answers one question by HTTP. */
typedef struct http_sensor {
    int file;
    uint16_t port;
    const char *answer;
    char asked[512];
} http_sensor;

static void *answer_once(void *user)
{
    http_sensor *const s = user;
    const int caller = accept(s->file, NULL, NULL);
    if (caller < 0) return NULL;
    const ssize_t got = recv(caller, s->asked, sizeof s->asked - 1, 0);
    if (got > 0) s->asked[got] = 0;
    for (size_t sent = 0, size = strlen(s->answer); sent < size;) {
        const ssize_t now = send(caller, s->answer + sent, size - sent, MSG_NOSIGNAL);
        if (now <= 0) break;
        sent += (size_t)now;
    }
    close(caller);
    return NULL;
}

/* Returns a socket of loopback, and its port. */
static int bound_socket(int type, uint16_t *port)
{
    const int file = socket(AF_INET, type, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    if (bind(file, (const struct sockaddr *)&at, size) != 0 || getsockname(file, (struct sockaddr *)&at, &size) != 0)
        abort();
    *port = ntohs(at.sin_port);
    return file;
}

/* Opens ouster:// at a sensor that gives this answer. */
static clump_status ask_sensor(const char *answer, wire_reader *r, clump_message *why, http_sensor *s)
{
    clump_recording_options options = clump_recording_defaults();
    memset(r, 0, sizeof *r);
    options.watch = wire_watch;
    options.watch_user = r;
    *s = (http_sensor){.answer = answer};
    s->file = bound_socket(SOCK_STREAM, &s->port);
    if (listen(s->file, 1) != 0) abort();
    pthread_t thread;
    pthread_create(&thread, NULL, answer_once, s);
    char url[64];
    snprintf(url, sizeof url, "ouster://127.0.0.1:%u", (unsigned)s->port);
    const clump_status status = clump_recording_open(url, &options, &r->recording, why);
    pthread_join(thread, NULL);
    close(s->file);
    return status;
}

/* A byte now and then does not prolong the time for the metadata, 5 s. */
static void *drip(void *user)
{
    http_sensor *const s = user;
    const int caller = accept(s->file, NULL, NULL);
    if (caller < 0) return NULL;
    for (int i = 0; i < 12000 && send(caller, i ? " " : "HTTP/1.0 200 OK\r\n\r\n{", i ? 1 : 20, MSG_NOSIGNAL) > 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    close(caller);
    return NULL;
}

static void ouster_drips(void)
{
    http_sensor s = {0};
    s.file = bound_socket(SOCK_STREAM, &s.port);
    if (listen(s.file, 1) != 0) abort();
    pthread_t thread;
    pthread_create(&thread, NULL, drip, &s);
    char url[64];
    snprintf(url, sizeof url, "ouster://127.0.0.1:%u", (unsigned)s.port);
    clump_recording *recording = NULL;
    clump_message why;
    const int64_t begun = clump_io_now(CLOCK_MONOTONIC);
    CHECK_INT(clump_recording_open(url, NULL, &recording, &why), CLUMP_ERR_IO_OPEN);
    CHECK_MSG(clump_io_now(CLOCK_MONOTONIC) - begun < INT64_C(9000000000), "it took more than 9 s");
    CHECK_MSG(strstr(why.text, "127.0.0.1 does not answer by HTTP"), "%s", why.text);
    clump_recording_close(recording);
    shutdown(s.file, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(s.file);
}

/* The port of the metadata is where the packets are taken from, and the text is that of the sensor. */
static void ouster_metadata_by_http(void)
{
    const char *const data = getenv("CLUMP_DATA");
    if (!data) SKIP(DO_DATA);
    char path[512], json[512];
    snprintf(path, sizeof path, "%s/pcap/ouster_OS-0-32-U1_v2.2.0_1024x10.pcap", data);
    snprintf(json, sizeof json, "%s/pcap/ouster_OS-0-32-U1_v2.2.0_1024x10.json", data);
    clump_recording_options options = clump_recording_defaults();
    options.metadata = json;
    const live_frames expected = live_read_path(path, &options);
    size_t size;
    char *const text = (char *)check_load(json, &size);
    uint16_t port;
    close(bound_socket(SOCK_DGRAM, &port)); /* a port that is free */
    char *const answer = malloc(size + 200);
    snprintf(answer, size + 200,
             "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"udp_port_lidar\": %u, %.*s", (unsigned)port,
             (int)(size - 1), text + 1);
    static wire_reader r;
    clump_message why = {0};
    http_sensor s;
    CHECK_MSG(ask_sensor(answer, &r, &why, &s) == CLUMP_OK, "%s", why.text);
    CHECK(strncmp(s.asked, "GET /api/v1/sensor/metadata HTTP/1.0\r\n", 38) == 0);
    CHECK_INT(clump_recording_wire(r.recording).port, port);
    wire_sender sender = wire_sender_open(r.recording, 1);
    size_t capture_size;
    unsigned char *const capture = check_load(path, &capture_size);
    pthread_create(&r.thread, NULL, wire_read, &r);
    wire_send_capture(&sender, capture, capture_size, 0, UINT64_MAX);
    wire_settle(&sender, 0);
    wire_end(&r);
    live_check_equal(&r.frames, &expected, "ouster://");
    clump_recording_close(r.recording);
    free(answer), free(text), free(capture);
    close(sender.file);
}

static void ouster_refused(void)
{
    static const char *const cases[][2] = {
        {"", "does not speak HTTP"},
        {"SSH-2.0-OpenSSH\r\n", "does not speak HTTP"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", "does not speak HTTP"},
        {"HTTP/1.1 404 Not Found\r\n\r\n", "answers 404 for /api/v1/sensor/metadata: it is no Ouster sensor"},
        {"HTTP/1.1 200 OK\r\n\r\n{\"a\": ", "line 1"},
        {"HTTP/1.1 200 OK\r\n\r\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static wire_reader r;
        clump_message why = {0};
        http_sensor s;
        CHECK(ask_sensor(cases[i][0], &r, &why, &s) != CLUMP_OK && !r.recording);
        CHECK_MSG(why.text[0] && strstr(why.text, cases[i][1]), "%s", why.text);
    }
}

/* --- sending ------------------------------------------------------------------------------------------------- */

/* Few enough packets for the smallest buffer of a kernel. */
static void sending(void)
{
    made file = velodyne_capture(40);
    char path[64], url[64];
    snprintf(path, sizeof path, "/tmp/clump-send-%ld.pcap", (long)getpid());
    FILE *const to = fopen(path, "wb");
    CHECK(to && fwrite(file.bytes, 1, file.size, to) == file.size && fclose(to) == 0);
    const live_frames expected = frames_of_memory(file.bytes, file.size);
    static wire_reader r;
    wire_begin(&r, "udp://127.0.0.1:0", NULL);
    snprintf(url, sizeof url, "udp://127.0.0.1:%u", (unsigned)clump_recording_wire(r.recording).port);
    clump_send_options options = clump_send_defaults();
    options.rate = 10;
    clump_send_result result;
    clump_message why = {0};
    wire_sender sent = wire_sender_open(r.recording, 1);
    CHECK_MSG(clump_capture_send(path, url, &options, &result, &why) == CLUMP_OK, "%s", why.text);
    CHECK_INT(result.packets, 40);
    CHECK_INT(result.bytes, 40 * SAMPLE_BYTES);
    CHECK(result.seconds >= 0.005); /* 39 steps of 1.3 ms, ten times as fast */
    sent.sent = 40;
    wire_settle(&sent, 0);
    wire_end(&r);
    live_check_equal(&r.frames, &expected, "sent");
    clump_recording_close(r.recording);
    close(sent.file);
    static const struct {
        const char *to, *topic, *sentence;
    } refusals[] = {{"udp://:2368", NULL, "the address of the receiver is missing"},
                    {"ouster://127.0.0.1", NULL, "packets are sent to udp://ADDRESS:PORT"},
                    {"udp://127.0.0.1:1,2", NULL, "one port is needed"},
                    {"udp://127.0.0.1:9", "udp/7", "it has no packets of udp/7"}};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        options.topic = refusals[i].topic;
        CHECK(clump_capture_send(path, refusals[i].to, &options, &result, &why) != CLUMP_OK);
        CHECK_MSG(strstr(why.text, refusals[i].sentence), "%s", why.text);
    }
    unlink(path);
    free(file.bytes);
}

static void wrong_urls(void)
{
    static const struct {
        const char *url, *interface, *sentence;
    } cases[] = {
        {"udp://", NULL, "the port is missing"},
        {"udp://127.0.0.1", NULL, "the port is missing"},
        {"udp://:", NULL, "'' is no port"},
        {"udp://:65536", NULL, "'65536' is no port"},
        {"udp://:2368x", NULL, "'2368x' is no port"},
        {"udp://:1,2,3,4,5,6,7,8,9", NULL, "more than 8 ports"},
        {"udp://velodyne:2368", NULL, "'velodyne' is no address of four numbers"},
        {"udp://[::1]:2368", NULL, "it is no address of the form udp://"},
        {"udp://192.0.2.1:0", NULL, "this machine does not have the address"},
        {"udp://239.255.0.1:0", "no-such-interface", "there is no network interface no-such-interface"},
        {"ouster://", NULL, "it is no address of the form ouster://"},
        {"ouster://127.0.0.1:1", NULL, "the sensor cannot be asked by HTTP: Connection refused"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clump_recording_options options = clump_recording_defaults();
        options.interface = cases[i].interface;
        clump_recording *recording;
        clump_message why = {0};
        CHECK(clump_recording_open(cases[i].url, &options, &recording, &why) != CLUMP_OK && !recording);
        CHECK_MSG(strstr(why.text, cases[i].sentence), "%s: %s", cases[i].url, why.text);
    }
    const char *const both[] = {"udp://127.0.0.1:0", "udp://127.0.0.1:0"};
    clump_recording *recording;
    clump_message why = {0};
    CHECK(clump_recording_open_files(both, 2, NULL, &recording, &why) != CLUMP_OK);
    CHECK_MSG(strstr(why.text, "is no part of a recording"), "%s", why.text);
}

static void port_in_use(void)
{
    clump_recording *first, *second;
    clump_message why = {0};
    CHECK(clump_recording_open("udp://127.0.0.1:0", NULL, &first, &why) == CLUMP_OK);
    char url[64];
    snprintf(url, sizeof url, "udp://127.0.0.1:%u", (unsigned)clump_recording_wire(first).port);
    CHECK(clump_recording_open(url, NULL, &second, &why) == CLUMP_ERR_IO_OPEN);
    CHECK_MSG(strstr(why.text, "is in use by another program"), "%s", why.text);
    clump_recording_close(first);
    CHECK(clump_recording_open(url, NULL, &second, &why) == CLUMP_OK); /* the thread and the socket are gone */
    clump_recording_close(second);
}

CHECK_PROGRAM(test_live)
{
    RUN(ring);
    RUN(ring_overflow);
    RUN(ring_cancelled);
    RUN(from_pipe);
    RUN(refused);
    RUN(data_from_pipe);
    RUN(from_wire);
    RUN(silence_keeps_a_file);
    RUN(data_from_wire);
    RUN(two_sensors);
    RUN(stray_packets);
    RUN(ouster_drips);
    RUN(unplugged);
    RUN(multicast);
    RUN(flood);
    RUN(garbage);
    RUN(ouster_metadata_by_http);
    RUN(ouster_refused);
    RUN(sending);
    RUN(wrong_urls);
    RUN(port_in_use);
}
