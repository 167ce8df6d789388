/* SPDX-License-Identifier: BSD-3-Clause
 *
 * capture.c: packets of a pcap file.
 *
 *     head    magic, version, 2 x u32, snaplen u32, link type u32      24 bytes
 *     packet  seconds, fraction, captured size, original size: u32     16 bytes, then the packet
 *
 * The magic says the byte order, and whether the fraction counts micro- or nanoseconds.
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

clump_status clump_io_capture_interface_add(clump_io_capture *capture, clump_io_interface interface)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&capture->blob->where, &capture->interfaces, &capture->interface_capacity,
                                       capture->interface_count + 1, sizeof *capture->interfaces));
    CLUMP_ASSERT(capture->interface_count < capture->interface_capacity);
    capture->interfaces[capture->interface_count++] = interface;
    return CLUMP_OK;
}

clump_status clump_io_capture_open(clump_io_capture *capture, const clump_io_blob *blob, clump_io_losses *losses)
{
    capture->blob = capture->window.blob = blob;
    capture->losses = losses;
    if (capture->counted < capture->at) capture->counted = capture->at;
    capture->interface_count = 0;
    capture->time = 0;
    capture->at = 0;
    if (blob->size < CAPTURE_HEAD) return CLUMP_IO_TRUNCATED(blob, "the file is too short for a capture of packets");
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, 0, CAPTURE_HEAD, &head));
    if (!clump_io_capture_sniff(head, CAPTURE_HEAD)) return CLUMP_IO_DAMAGED(blob, "the file is no capture of packets");
    const uint32_t magic = magic_of(head, &capture->swapped);
    capture->ng = magic == 0;
    if (capture->ng) return CLUMP_OK;
    capture->at = CAPTURE_HEAD;
    const clump_io_interface interface = {.link = clump_io_capture_u32(capture, head + 20) & CAPTURE_LINK,
                                          .resolution = magic == CAPTURE_NANO ? 9 : 6};
    return clump_io_capture_interface_add(capture, interface);
}

void clump_io_capture_release(clump_io_capture *capture)
{
    clump_io_window_release(&capture->window);
    free(capture->interfaces);
}

void clump_io_capture_stop(clump_io_capture *capture, bool truncated, const char *what)
{
    const uint64_t at = capture->at;
    capture->at = capture->blob->size;
    if (!clump_io_capture_counts(capture, at)) return;
    if (truncated) capture->losses->truncated = true;
    clump_io_lose(capture->losses, &capture->losses->lost_bytes, capture->blob->size - at, "packet at byte %llu: %s",
                  (unsigned long long)at, what);
}

clump_status clump_io_capture_next(clump_io_capture *capture, clump_io_captured *packet, bool *more)
{
    if (capture->counted < capture->at) capture->counted = capture->at;
    if (capture->ng) return clump_io_capture_next_ng(capture, packet, more);
    const uint64_t at = capture->at, room = capture->blob->size - at;
    *more = false;
    if (room == 0) return CLUMP_OK;
    if (room < CAPTURE_PACKET) {
        clump_io_capture_stop(capture, true, "the file ends inside");
        return CLUMP_OK;
    }
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&capture->window, at, CAPTURE_PACKET, &head));
    const uint32_t seconds = clump_io_capture_u32(capture, head), part = clump_io_capture_u32(capture, head + 4);
    const uint32_t size = clump_io_capture_u32(capture, head + 8), original = clump_io_capture_u32(capture, head + 12);
    if (size > room - CAPTURE_PACKET) {
        const bool absurd = size > CAPTURE_ABSURD;
        clump_io_capture_stop(capture, !absurd, absurd ? "its size is damaged" : "the file ends inside");
        return CLUMP_OK;
    }
    packet->size = size < CLUMP_IO_CAPTURE_MOST ? size : CLUMP_IO_CAPTURE_MOST;
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
