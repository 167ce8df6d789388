/* SPDX-License-Identifier: BSD-3-Clause
 *
 * capture.c: packets of a pcap file, and of a pcapng file.
 *
 *     head    magic, version, 2 x u32, snaplen u32, link type u32      24 bytes
 *     packet  seconds, fraction, captured size, original size: u32     16 bytes, then the packet
 *
 * The magic says the byte order, and whether the fraction counts micro- or nanoseconds. The form of pcapng is below.
 */
#include "format.h"
#include "captures/capture.h"
#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

enum {
    CAPTURE_HEAD = 24,
    CAPTURE_PACKET = 16,
    CAPTURE_ABSURD = 16 << 20, /* bytes: no packet is as long, the record is damaged */
};
static const uint32_t CAPTURE_MICRO = 0xa1b2c3d4, CAPTURE_NANO = 0xa1b23c4d, CAPTURE_NG = 0x0a0d0d0a;
static const uint32_t CAPTURE_LINK =
    0x03ffffff; /* the bits of the link type; others describe a checksum behind packets */

/* Bytes of a packet that can matter: the largest IP packet, and what may stand before it. */
#define CAPTURE_MOST ((size_t)65536 + 512)

static uint32_t u32_at(const clump_io_capture *capture, const unsigned char *at)
{
    return capture->swapped ? clump_io_big_u32(at) : clump_io_u32(at);
}
static uint16_t u16_at(const clump_io_capture *capture, const unsigned char *at)
{
    return capture->swapped ? clump_io_big_u16(at) : clump_io_u16(at);
}

/* Returns the magic of a pcap file in native order; 0: it is none. */
static uint32_t magic_of(const unsigned char *bytes, bool *swapped)
{
    const uint32_t magic = clump_io_u32(bytes), other = __builtin_bswap32(magic);
    *swapped = other == CAPTURE_MICRO || other == CAPTURE_NANO;
    if (*swapped) return other;
    return magic == CAPTURE_MICRO || magic == CAPTURE_NANO ? magic : 0;
}

bool clump_io_capture_sniff(const unsigned char *bytes, size_t size)
{
    bool swapped;
    if (size >= 12 && clump_io_u32(bytes) == CAPTURE_NG)
        return clump_io_u32(bytes + 8) == 0x1a2b3c4d || clump_io_u32(bytes + 8) == 0x4d3c2b1a;
    return size >= 4 && magic_of(bytes, &swapped) != 0;
}

static clump_status keep_interface(clump_io_capture *capture, clump_io_interface interface)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&capture->blob->where, &capture->interfaces, &capture->interface_capacity,
                                       capture->interface_count + 1, sizeof *capture->interfaces));
    CLUMP_ASSERT(capture->interface_count < capture->interface_capacity);
    capture->interfaces[capture->interface_count++] = interface;
    return CLUMP_OK;
}

/* Counts what cannot be read from here to the end of the file, and moves there. */
static void stop(clump_io_capture *capture, bool truncated, const char *what)
{
    const uint64_t at = capture->at;
    const clump_io_pipe *const pipe = capture->blob->pipe;
    const uint64_t end = pipe ? capture->window.from + capture->window.bytes.size : capture->blob->size;
    capture->at = end > at ? end : at;
    capture->stopped = true;
    if (!clump_io_capture_counts(capture, at) || (pipe && pipe->cancelled)) return;
    if (truncated) capture->losses->truncated = true;
    clump_io_lose(capture->losses, &capture->losses->lost_bytes, capture->at - at, "packet at byte %llu: %s",
                  (unsigned long long)at, what);
}

/* Says how many bytes there are from here on; of a pipe, whether there are `size`. */
static clump_status find_room(clump_io_capture *capture, size_t size, uint64_t *room)
{
    *room = 0;
    return capture->stopped ? CLUMP_OK : clump_io_window_room(&capture->window, capture->at, size, room);
}

/* --- pcapng --------------------------------------------------------------------------------------------------
 *
 * A file is a sequence of blocks: type u32, size of the block u32, content, the size once more. Sections begin with a
 * SectionHeader, which says the byte order. Packets refer to the interfaces of their section. */

enum {
    NG_INTERFACE = 1,
    NG_PACKET_OLD = 2,
    NG_PACKET_SIMPLE = 3,
    NG_PACKET = 6,
    NG_LEAST = 12,              /* bytes of a block without content */
    NG_OPTION_RESOLUTION = 9,   /* if_tsresol */
    NG_OPTION_OFFSET = 14,      /* if_tsoffset */
    NG_OPTIONS_MOST = 64 << 10, /* bytes of options that are looked at */
};
static const uint32_t NG_SECTION = 0x0a0d0d0a, NG_ORDER = 0x1a2b3c4d;

typedef struct ng_block {
    uint32_t type;
    uint64_t size;              /* whole */
    const unsigned char *bytes; /* from the content on */
    size_t content;
} ng_block;

static int64_t saturated(uint64_t seconds, uint64_t nanoseconds, int64_t offset)
{
    const int64_t limit = INT64_MAX / 1000000000 - 1;
    if (seconds > (uint64_t)limit || offset > limit - (int64_t)seconds) return INT64_MAX;
    if (offset < -limit) return -INT64_MAX;
    return ((int64_t)seconds + offset) * 1000000000 + (int64_t)nanoseconds;
}

/* Returns a time stamp in nanoseconds since 1970. */
static int64_t time_of(const clump_io_interface *interface, uint64_t stamp)
{
    const unsigned power = interface->resolution & 0x7f;
    if (interface->resolution & 0x80) {
        if (power >= 64) return saturated(0, 0, interface->offset);
        const uint64_t seconds = stamp >> power;
        uint64_t rest = stamp - (seconds << power);
        const unsigned kept = power > 30 ? 30 : power; /* 2^-30 s is shorter than a nanosecond */
        rest >>= power - kept;
        return saturated(seconds, rest * 1000000000 >> kept, interface->offset);
    }
    uint64_t per_second = 1, per_nanosecond = 1;
    for (unsigned i = 0; i < power && i < 9; i++) per_second *= 10;
    for (unsigned i = 9; i < power; i++) {
        if (per_nanosecond > UINT64_MAX / 10) return saturated(0, 0, interface->offset);
        per_nanosecond *= 10;
    }
    stamp /= per_nanosecond;
    const uint64_t rest = stamp % per_second;
    return saturated(stamp / per_second, rest * (1000000000 / per_second), interface->offset);
}

/* Reads the options of an interface: code u16, size u16, value, padded to four bytes. */
static void read_options(const clump_io_capture *capture, const unsigned char *at, size_t size,
                         clump_io_interface *interface)
{
    while (size >= 4) {
        const unsigned code = u16_at(capture, at), length = u16_at(capture, at + 2);
        const size_t padded = ((size_t)length + 3) / 4 * 4;
        if (code == 0 || padded > size - 4) return;
        if (code == NG_OPTION_RESOLUTION && length >= 1) interface->resolution = at[4];
        if (code == NG_OPTION_OFFSET && length >= 8) {
            const uint64_t value = clump_io_u64(at + 4);
            interface->offset = (int64_t)(capture->swapped ? __builtin_bswap64(value) : value);
        }
        at += 4 + padded;
        size -= 4 + padded;
    }
}

static clump_status add_interface(clump_io_capture *capture, const ng_block *block)
{
    clump_io_interface interface = {.resolution = 6};
    if (block->content >= 8) {
        interface.link = u16_at(capture, block->bytes);
        interface.snaplen = u32_at(capture, block->bytes + 4);
        read_options(capture, block->bytes + 8, block->content - 8, &interface);
    }
    return keep_interface(capture, interface);
}

/* Takes a packet of one of the three kinds. Returns what is wrong with it, or null. */
static const char *take_packet(clump_io_capture *capture, const ng_block *block, clump_io_captured *packet)
{
    const bool simple = block->type == NG_PACKET_SIMPLE;
    const size_t head = simple ? 4 : 20;
    const unsigned char *const at = block->bytes;
    if (block->content < head) return "it is too short";
    const size_t index = simple ? 0 : block->type == NG_PACKET_OLD ? u16_at(capture, at) : u32_at(capture, at);
    if (index >= capture->interface_count) return "its interface is not described";
    const clump_io_interface *const interface = &capture->interfaces[index];
    const uint64_t room = block->size - NG_LEAST - head;
    uint64_t size;
    uint32_t original;
    if (simple) {
        size = original = u32_at(capture, at);
        if (interface->snaplen && size > interface->snaplen) size = interface->snaplen;
        if (size > room) size = room;
    } else {
        const uint64_t stamp = (uint64_t)u32_at(capture, at + 4) << 32 | u32_at(capture, at + 8);
        capture->time = time_of(interface, stamp);
        size = u32_at(capture, at + 12);
        original = u32_at(capture, at + 16);
    }
    if (size > room) return "its size is damaged";
    if (size > block->content - head) size = block->content - head;
    packet->at = capture->at;
    packet->time = capture->time;
    packet->link = interface->link;
    packet->bytes = at + head;
    packet->size = (size_t)size;
    packet->cut = original > size;
    return NULL;
}

/* Reads the head of the block here, and sets the byte order where a section begins. False: the file cannot be read on. */
static clump_status read_block(clump_io_capture *capture, ng_block *block, bool *good)
{
    uint64_t room;
    const unsigned char *head;
    *good = false;
    CLUMP_IO_TRY(find_room(capture, NG_LEAST, &room));
    if (room == 0) return CLUMP_OK;
    if (room < NG_LEAST) {
        stop(capture, true, "the file ends inside");
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, capture->at, NG_LEAST, &head));
    if (clump_io_u32(head) == NG_SECTION) {
        capture->swapped = clump_io_u32(head + 8) == __builtin_bswap32(NG_ORDER);
        capture->interface_count = 0;
    }
    block->type = u32_at(capture, head);
    block->size = ((uint64_t)u32_at(capture, head + 4) + 3) / 4 * 4;
    if (block->size < NG_LEAST) {
        stop(capture, false, "its block has a damaged size");
        return CLUMP_OK;
    }
    const bool large = block->size >= CAPTURE_ABSURD;
    if (!large || !capture->blob->pipe) CLUMP_IO_TRY(find_room(capture, (size_t)block->size, &room));
    if (block->size > room) {
        stop(capture, !large, "the file ends inside its block");
        return CLUMP_OK;
    }
    const size_t most = block->type == NG_INTERFACE ? NG_OPTIONS_MOST : CAPTURE_MOST + 20;
    block->content = block->size - NG_LEAST < most ? (size_t)(block->size - NG_LEAST) : most;
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, capture->at + 8, block->content, &block->bytes));
    *good = true;
    return CLUMP_OK;
}

static clump_status next_ng(clump_io_capture *capture, clump_io_captured *packet, bool *more)
{
    *more = false;
    for (;;) {
        if (capture->counted < capture->at) capture->counted = capture->at;
        ng_block block;
        bool good;
        CLUMP_IO_TRY(read_block(capture, &block, &good));
        if (!good) return CLUMP_OK;
        if (block.type == NG_INTERFACE) CLUMP_IO_TRY(add_interface(capture, &block));
        const bool is_packet = block.type == NG_PACKET || block.type == NG_PACKET_SIMPLE || block.type == NG_PACKET_OLD;
        const char *const wrong = is_packet ? take_packet(capture, &block, packet) : NULL;
        if (wrong && clump_io_capture_counts(capture, capture->at))
            clump_io_lose(capture->losses, &capture->losses->damaged_packets, 1, "packet at byte %llu: %s",
                          (unsigned long long)capture->at, wrong);
        capture->at += block.size;
        *more = is_packet && !wrong;
        if (*more) return CLUMP_OK;
    }
}

/* --- both ---------------------------------------------------------------------------------------------------- */

clump_status clump_io_capture_open(clump_io_capture *capture, const clump_io_blob *blob, clump_io_losses *losses)
{
    capture->blob = capture->window.blob = blob;
    capture->losses = losses;
    if (capture->counted < capture->at) capture->counted = capture->at;
    capture->interface_count = 0;
    capture->time = 0;
    capture->at = 0;
    capture->stopped = false;
    uint64_t room;
    CLUMP_IO_TRY(find_room(capture, CAPTURE_HEAD, &room));
    if (room < CAPTURE_HEAD) return CLUMP_IO_TRUNCATED(blob, "the file is too short for a capture of packets");
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, 0, CAPTURE_HEAD, &head));
    if (!clump_io_capture_sniff(head, CAPTURE_HEAD)) return CLUMP_IO_DAMAGED(blob, "the file is no capture of packets");
    const uint32_t magic = magic_of(head, &capture->swapped);
    capture->ng = magic == 0;
    if (capture->ng) return CLUMP_OK;
    capture->at = CAPTURE_HEAD;
    const clump_io_interface interface = {.link = u32_at(capture, head + 20) & CAPTURE_LINK,
                                          .resolution = magic == CAPTURE_NANO ? 9 : 6};
    return keep_interface(capture, interface);
}

void clump_io_capture_release(clump_io_capture *capture)
{
    clump_io_window_release(&capture->window);
    free(capture->interfaces);
}

clump_status clump_io_capture_next(clump_io_capture *capture, clump_io_captured *packet, bool *more)
{
    if (capture->counted < capture->at) capture->counted = capture->at;
    if (capture->ng) return next_ng(capture, packet, more);
    const uint64_t at = capture->at;
    uint64_t room;
    *more = false;
    CLUMP_IO_TRY(find_room(capture, CAPTURE_PACKET, &room));
    if (room == 0) return CLUMP_OK;
    if (room < CAPTURE_PACKET) {
        stop(capture, true, "the file ends inside");
        return CLUMP_OK;
    }
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, at, CAPTURE_PACKET, &head));
    const uint32_t seconds = u32_at(capture, head), part = u32_at(capture, head + 4);
    const uint32_t size = u32_at(capture, head + 8), original = u32_at(capture, head + 12);
    const bool absurd = size > CAPTURE_ABSURD;
    if (!absurd) CLUMP_IO_TRY(find_room(capture, CAPTURE_PACKET + (size_t)size, &room));
    if (size > room - CAPTURE_PACKET) {
        stop(capture, !absurd, absurd ? "its size is damaged" : "the file ends inside");
        return CLUMP_OK;
    }
    packet->size = size < CAPTURE_MOST ? size : CAPTURE_MOST;
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, at + CAPTURE_PACKET, packet->size, &packet->bytes));
    packet->at = at;
    packet->time =
        (int64_t)seconds * 1000000000 + (capture->interfaces[0].resolution == 9 ? part : part * INT64_C(1000));
    packet->link = capture->interfaces[0].link;
    packet->cut = original > packet->size;
    capture->at = at + CAPTURE_PACKET + size;
    *more = true;
    return CLUMP_OK;
}
