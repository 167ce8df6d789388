/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_wire.h: sends packets over loopback to a recording of the same process, with flow control: a packet is sent when the
 * ones before have arrived. So none is lost, whatever the machine does.
 */
#ifndef CLUMP_TESTS_TEST_WIRE_H
#define CLUMP_TESTS_TEST_WIRE_H

#include "captures/udp.h"
#include "recordings/live_frames.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WIRE_WINDOW = 4, WIRE_PATIENCE = 20000 }; /* packets on their way; milliseconds until a test gives up */

static inline void wire_rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

typedef struct wire_sender {
    int file;
    clump_recording *recording;
    struct sockaddr_in to;
    uint64_t sent;
} wire_sender;

/* from: the last number of 127.0.0.x */
static inline wire_sender wire_sender_open(clump_recording *recording, unsigned from)
{
    wire_sender s = {.file = socket(AF_INET, SOCK_DGRAM, 0), .recording = recording};
    const struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000000u | from)};
    if (bind(s.file, (const struct sockaddr *)&at, sizeof at) != 0) abort();
    s.to = (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(clump_recording_wire(recording).port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    s.sent = clump_recording_wire(recording).packets;
    return s;
}

/* Waits until all packets but `left` have arrived. */
static inline void wire_settle(const wire_sender *s, uint64_t left)
{
    for (int i = 0; i < 5 * WIRE_PATIENCE; i++) {
        const clump_wire w = clump_recording_wire(s->recording);
        if (w.packets + w.left_out + left >= s->sent) return;
        wire_rest();
    }
    CHECK_FAIL("packets do not arrive");
}

static inline void wire_send(wire_sender *s, const void *bytes, size_t size)
{
    if (sendto(s->file, bytes, size, 0, (const struct sockaddr *)&s->to, sizeof s->to) != (ssize_t)size) abort();
    s->sent++;
    wire_settle(s, WIRE_WINDOW);
}

/* Sends packets [from, to) of the first sensor of a capture. Returns their number. */
static inline uint64_t wire_send_capture(wire_sender *s, const void *bytes, size_t size, uint64_t from, uint64_t to)
{
    clump_message why;
    const clump_io_blob blob = {.memory = bytes, .size = size, .file = -1, .where = {"capture", &why}};
    static clump_io_flows flows;
    memset(&flows, 0, sizeof flows);
    clump_io_flows_begin(&flows);
    clump_io_losses losses = {0};
    clump_io_capture capture = {0};
    clump_io_fragments fragments = {0};
    const clump_io_flow *chosen = NULL;
    uint64_t count = 0;
    CHECK(clump_io_capture_open(&capture, &blob, &losses) == CLUMP_OK);
    for (bool more = true; more;) {
        clump_io_captured captured;
        clump_io_datagram packet;
        CHECK(clump_io_capture_next(&capture, &captured, &more) == CLUMP_OK);
        if (!more || clump_io_udp_find(&captured, &fragments, &packet) != CLUMP_IO_UDP_DATAGRAM) continue;
        const clump_io_flow *const flow = clump_io_flow_of(&flows, &packet, true);
        if (!chosen && flow->maker) chosen = flow;
        if (flow != chosen) continue;
        if (count >= from && count < to) wire_send(s, packet.bytes, packet.size);
        count++;
    }
    clump_io_capture_release(&capture);
    clump_io_fragments_release(&fragments);
    return count;
}

/* A recording of udp://127.0.0.1:0 and the thread that reads it. */
typedef struct wire_reader {
    clump_recording *recording;
    pthread_t thread;
    live_frames frames;
    atomic_bool stop;
    atomic_int seen; /* frames */
    char notes[2048];
} wire_reader;

static inline bool wire_watch(void *user, const char *note)
{
    wire_reader *const r = user;
    const size_t used = strlen(r->notes);
    if (note) snprintf(r->notes + used, sizeof r->notes - used, "%s\n", note);
    return !atomic_load(&r->stop);
}

static inline void *wire_read(void *user)
{
    wire_reader *const r = user;
    live_frames *const f = &r->frames;
    *f = (live_frames){.hash = UINT64_C(0xcbf29ce484222325), .live = clump_recording_is_live(r->recording)};
    clump_frame frame = {0};
    for (bool more = true; more;) {
        f->status = clump_recording_next(r->recording, &frame, &more, &f->why);
        if (f->status != CLUMP_OK) break;
        if (more) live_add(f, &frame);
        if (more) atomic_fetch_add(&r->seen, 1);
    }
    clump_frame_release(&frame);
    return NULL;
}

/* Opens and starts to read. options may be null; its watch is set. */
static inline void wire_begin(wire_reader *r, const char *url, const clump_recording_options *options)
{
    clump_recording_options o = options ? *options : clump_recording_defaults();
    memset(r, 0, sizeof *r);
    o.watch = wire_watch;
    o.watch_user = r;
    clump_message why;
    if (clump_recording_open(url, &o, &r->recording, &why) != CLUMP_OK) {
        printf("%s\n", why.text);
        abort();
    }
    pthread_create(&r->thread, NULL, wire_read, r);
}

/* Ends the reading, and sets the frames. */
static inline void wire_end(wire_reader *r)
{
    atomic_store(&r->stop, true);
    pthread_join(r->thread, NULL);
    r->frames.lost = clump_recording_lost(r->recording);
}

/* Waits for frame `count`. */
static inline void wire_wait_frames(wire_reader *r, int count)
{
    for (int i = 0; i < 5 * WIRE_PATIENCE && atomic_load(&r->seen) < count; i++) wire_rest();
    CHECK(atomic_load(&r->seen) >= count);
}

#endif
