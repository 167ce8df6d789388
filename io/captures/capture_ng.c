/* SPDX-License-Identifier: BSD-3-Clause
 *
 * capture_ng.c: packets of a pcapng file.
 *
 * A file is a sequence of blocks: type u32, size of the block u32, content, the size once more. Sections begin with a
 * SectionHeader, which says the byte order. Packets refer to the interfaces of their section.
 */
#include "captures/capture.h"

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
        const unsigned code = clump_io_capture_u16(capture, at), length = clump_io_capture_u16(capture, at + 2);
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
        interface.link = clump_io_capture_u16(capture, block->bytes);
        interface.snaplen = clump_io_capture_u32(capture, block->bytes + 4);
        read_options(capture, block->bytes + 8, block->content - 8, &interface);
    }
    return clump_io_capture_interface_add(capture, interface);
}

/* Takes a packet of one of the three kinds. Returns what is wrong with it, or null. */
static const char *take_packet(clump_io_capture *capture, const ng_block *block, clump_io_captured *packet)
{
    const bool simple = block->type == NG_PACKET_SIMPLE;
    const size_t head = simple ? 4 : 20;
    const unsigned char *const at = block->bytes;
    if (block->content < head) return "it is too short";
    const size_t index = simple                         ? 0
                         : block->type == NG_PACKET_OLD ? clump_io_capture_u16(capture, at)
                                                        : clump_io_capture_u32(capture, at);
    if (index >= capture->interface_count) return "its interface is not described";
    const clump_io_interface *const interface = &capture->interfaces[index];
    const uint64_t room = block->size - NG_LEAST - head;
    uint64_t size;
    uint32_t original;
    if (simple) {
        size = original = clump_io_capture_u32(capture, at);
        if (interface->snaplen && size > interface->snaplen) size = interface->snaplen;
        if (size > room) size = room;
    } else {
        const uint64_t stamp =
            (uint64_t)clump_io_capture_u32(capture, at + 4) << 32 | clump_io_capture_u32(capture, at + 8);
        capture->time = time_of(interface, stamp);
        size = clump_io_capture_u32(capture, at + 12);
        original = clump_io_capture_u32(capture, at + 16);
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
    const uint64_t room = capture->blob->size - capture->at;
    const unsigned char *head;
    *good = false;
    if (room < NG_LEAST) {
        clump_io_capture_stop(capture, true, "the file ends inside");
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, capture->at, NG_LEAST, &head));
    if (clump_io_u32(head) == NG_SECTION) {
        capture->swapped = clump_io_u32(head + 8) == __builtin_bswap32(NG_ORDER);
        capture->interface_count = 0;
    }
    block->type = clump_io_capture_u32(capture, head);
    block->size = ((uint64_t)clump_io_capture_u32(capture, head + 4) + 3) / 4 * 4;
    if (block->size < NG_LEAST) {
        clump_io_capture_stop(capture, false, "its block has a damaged size");
        return CLUMP_OK;
    }
    if (block->size > room) {
        clump_io_capture_stop(capture, block->size < (16 << 20), "the file ends inside its block");
        return CLUMP_OK;
    }
    const size_t most = block->type == NG_INTERFACE ? NG_OPTIONS_MOST : CLUMP_IO_CAPTURE_MOST + 20;
    block->content = block->size - NG_LEAST < most ? (size_t)(block->size - NG_LEAST) : most;
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, capture->at + 8, block->content, &block->bytes));
    *good = true;
    return CLUMP_OK;
}

clump_status clump_io_capture_next_ng(clump_io_capture *capture, clump_io_captured *packet, bool *more)
{
    *more = false;
    while (capture->at < capture->blob->size) {
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
    return CLUMP_OK;
}
