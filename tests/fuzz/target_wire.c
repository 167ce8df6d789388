/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_wire.c: packets from the wire: of which sensor they are, and the frames of them.
 *
 * The input is a list of packets {sender u8, size u16, bytes}. A sender with its highest bit repeats the last packet with the bytes as
 * changes {offset u16, byte}.
 */
#include "captures/udp.h"
#include "sensors/sensor.h"
#include "target.h"

enum { WIRE_MOST = 65507 };

static void take_frames(clump_io_frames *frames, const clump_io_packet *packet, clump_frame *frame)
{
    clump_io_losses losses = {0};
    if (clump_io_frames_give(frames, packet, &losses) != CLUMP_OK) return;
    for (bool ready = true; ready;) {
        REQUIRE(clump_io_frames_take(frames, frame, &ready) == CLUMP_OK);
        if (ready) REQUIRE(clump_cloud_points(frame->cloud).count <= (size_t)16 << 20);
    }
}

static size_t change(unsigned char *packet, size_t size, const uint8_t *data, size_t count)
{
    for (size_t i = 0; i + 3 <= count && size; i += 3)
        packet[(data[i] | (size_t)data[i + 1] << 8) % size] = data[i + 2];
    return size;
}

FUZZ_TARGET(wire)
{
    static clump_io_flows flows;
    static unsigned char bytes[WIRE_MOST];
    memset(&flows, 0, sizeof flows);
    clump_io_flows_begin(&flows);
    flows.name_senders = true;
    clump_message why = {""};
    const clump_io_where where = {"fuzz", &why};
    const clump_io_sensor_setup setup = {.where = where};
    clump_io_topics topics = {0};
    clump_io_frames *frames = NULL;
    clump_frame frame = {0};
    REQUIRE(clump_io_frames_create(&where, NULL, &setup, &frames) == CLUMP_OK);
    size_t last = 0;
    int64_t time = INT64_C(1673403880000000000);
    for (size_t at = 0; at + 3 <= size; time += 1000000) {
        const unsigned sender = data[at];
        size_t count = data[at + 1] | (size_t)data[at + 2] << 8;
        at += 3;
        if (count > size - at) count = size - at;
        if (count > WIRE_MOST) count = WIRE_MOST;
        if (sender & 0x80)
            last = change(bytes, last, data + at, count);
        else
            memcpy(bytes, data + at, last = count);
        at += count;
        unsigned char *const exact = malloc(last + 1); /* so that a read behind the end is seen */
        REQUIRE(exact);
        memcpy(exact, bytes, last);
        const clump_io_datagram packet = {
            .address.from = {[15] = (unsigned char)(sender & 3)}, .port = 2368, .bytes = exact, .size = last};
        clump_io_flow *const flow = clump_io_flow_of(&flows, &packet, true);
        if (flow->topic == CLUMP_IO_FLOW_NO_TOPIC || flow->found)
            REQUIRE(clump_io_flow_name(&flows, flow, &where, &topics) == CLUMP_OK);
        const clump_io_packet given = {exact, last, time};
        take_frames(frames, &given, &frame);
        if (sender & 0x40) clump_io_frames_restart(frames);
        free(exact);
    }
    clump_io_frames_destroy(frames);
    clump_io_topics_release(&topics);
    clump_frame_release(&frame);
    return 0;
}
