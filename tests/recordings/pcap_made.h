/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcap_made.h: composes captures of packets for tests, pcap and pcapng, with fragments.
 */
#ifndef CLUMP_TESTS_PCAP_MADE_H
#define CLUMP_TESTS_PCAP_MADE_H

#include "recordings/test_container.h"

#define SECOND INT64_C(1000000000)

/* --- packets ------------------------------------------------------------------------------------------------- */

static inline void big_u16(made *to, unsigned value)
{
    made_u8(to, value >> 8 & 255), made_u8(to, value & 255);
}

static inline void put_udp(made *to, unsigned port, const char *text)
{
    big_u16(to, 4000), big_u16(to, port), big_u16(to, 8 + (unsigned)strlen(text)), big_u16(to, 0);
    made_put(to, text, strlen(text));
}

/* The head of IPv4; the last number of the sender's address is `from`. place: flags and offset of a fragment. */
static inline void put_ipv4(made *to, unsigned from, size_t size, unsigned id, unsigned place)
{
    made_u8(to, 0x45), made_u8(to, 0), big_u16(to, 20 + (unsigned)size), big_u16(to, id), big_u16(to, place);
    made_u8(to, 64), made_u8(to, 17), big_u16(to, 0);
    made_put(to, (unsigned char[]){10, 0, 0, (unsigned char)from, 10, 0, 0, 99}, 8);
}

static inline void put_ipv6(made *to, unsigned next, size_t size)
{
    made_put(to, (unsigned char[]){0x60, 0, 0, 0}, 4);
    big_u16(to, (unsigned)size), made_u8(to, next), made_u8(to, 64);
    for (int i = 0; i < 2; i++) {
        made_put(to, (unsigned char[]){0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 15);
        made_u8(to, i ? 9 : 5);
    }
}

static inline void put_ethernet(made *to, unsigned type)
{
    made_put(to, "\1\2\3\4\5\6\7\1\2\3\4\5", 12), big_u16(to, type);
}

/* An Ethernet frame with a datagram. */
static inline made frame_of(unsigned from, unsigned port, const char *text)
{
    made udp = {0}, frame = {0};
    put_udp(&udp, port, text);
    put_ethernet(&frame, 0x0800);
    put_ipv4(&frame, from, udp.size, 1, 0);
    made_put(&frame, udp.bytes, udp.size);
    free(udp.bytes);
    return frame;
}

/* --- files --------------------------------------------------------------------------------------------------- */

typedef struct pcap_kind {
    uint32_t magic;
    bool swapped;
} pcap_kind;

static inline void put_u32(made *to, bool swapped, uint32_t value)
{
    made_u32(to, swapped ? __builtin_bswap32(value) : value);
}

static inline void put_head(made *to, pcap_kind kind, uint32_t link)
{
    put_u32(to, kind.swapped, kind.magic);
    made_put(to, kind.swapped ? "\0\2\0\4" : "\2\0\4\0", 4);
    made_u64(to, 0), put_u32(to, kind.swapped, 65535), put_u32(to, kind.swapped, link);
}

/* Appends a packet and frees it. */
static inline void put_packet(made *to, pcap_kind kind, int64_t time, made packet)
{
    const int64_t part = time % SECOND;
    put_u32(to, kind.swapped, (uint32_t)(time / SECOND));
    put_u32(to, kind.swapped, (uint32_t)(kind.magic == 0xa1b23c4d ? part : part / 1000));
    put_u32(to, kind.swapped, (uint32_t)packet.size), put_u32(to, kind.swapped, (uint32_t)packet.size);
    made_put(to, packet.bytes, packet.size);
    free(packet.bytes);
}

static const pcap_kind plain = {0xa1b2c3d4, false};

/* --- pcapng ------------------------------------------------------------------------------------------------------ */

static inline void put_block(made *to, bool swapped, uint32_t type, const made *content)
{
    const uint32_t size = (uint32_t)(12 + (content->size + 3) / 4 * 4);
    put_u32(to, swapped, type), put_u32(to, swapped, size);
    made_put(to, content->bytes, content->size);
    for (size_t i = content->size; i % 4; i++) made_u8(to, 0);
    put_u32(to, swapped, size);
}

static inline void put_u16(made *to, bool swapped, unsigned value)
{
    if (swapped)
        big_u16(to, value);
    else
        made_u16(to, value);
}

static inline void put_section(made *to, bool swapped)
{
    made content = {0};
    put_u32(&content, swapped, 0x1a2b3c4d), put_u16(&content, swapped, 1), put_u16(&content, swapped, 0);
    made_u64(&content, UINT64_MAX);
    put_block(to, swapped, 0x0a0d0d0a, &content);
    free(content.bytes);
}

static inline void put_interface(made *to, bool swapped, unsigned resolution, int64_t offset, uint32_t snaplen)
{
    made content = {0};
    put_u16(&content, swapped, 1), put_u16(&content, swapped, 0), put_u32(&content, swapped, snaplen);
    put_u16(&content, swapped, 2), put_u16(&content, swapped, 3), made_put(&content, "eth\0", 4);
    put_u16(&content, swapped, 9), put_u16(&content, swapped, 1), made_u32(&content, resolution);
    put_u16(&content, swapped, 14), put_u16(&content, swapped, 8);
    made_u64(&content, swapped ? __builtin_bswap64((uint64_t)offset) : (uint64_t)offset);
    put_u32(&content, swapped, 0);
    put_block(to, swapped, 1, &content);
    free(content.bytes);
}

/* kind 6: enhanced, 3: simple, 2: obsolete. Frees the packet. */
static inline void put_ng(made *to, bool swapped, unsigned kind, unsigned interface, uint64_t stamp, made packet)
{
    made content = {0};
    if (kind == 6) put_u32(&content, swapped, interface);
    if (kind == 2) put_u16(&content, swapped, interface), put_u16(&content, swapped, 0);
    if (kind != 3) put_u32(&content, swapped, (uint32_t)(stamp >> 32)), put_u32(&content, swapped, (uint32_t)stamp);
    if (kind != 3) put_u32(&content, swapped, (uint32_t)packet.size);
    put_u32(&content, swapped, (uint32_t)packet.size);
    made_put(&content, packet.bytes, packet.size);
    put_block(to, swapped, kind, &content);
    free(content.bytes), free(packet.bytes);
}

static inline made pcapng_sample(void)
{
    made file = {0}, content = {0};
    for (int swapped = 0; swapped < 2; swapped++) {
        put_section(&file, swapped);
        put_interface(&file, swapped, 6, 0, 0);
        put_interface(&file, swapped, 9, 100, 0);
        put_interface(&file, swapped, 0x80 | 10, -1, 0);
        put_ng(&file, swapped, 6, 0, 5000001, frame_of(1, 2368, "micro"));
        put_ng(&file, swapped, 6, 1, 5000000001, frame_of(1, 2368, "nano"));
        put_ng(&file, swapped, 2, 2, 5 << 10 | 512, frame_of(1, 2368, "binary"));
        put_ng(&file, swapped, 3, 0, 0, frame_of(1, 2368, "simple"));
        put_ng(&file, swapped, 6, 3, 0, frame_of(1, 2368, "no such interface"));
        put_block(&file, swapped, 5, &content); /* statistics */
    }
    return file;
}

/* --- fragments -------------------------------------------------------------------------------------------------- */

enum { LONG = 3000 };

/* A datagram of LONG bytes, its bytes from a seed. */
static inline made long_udp(unsigned seed)
{
    made udp = {0};
    big_u16(&udp, 4000), big_u16(&udp, 7502), big_u16(&udp, 8 + LONG), big_u16(&udp, 0);
    uint64_t random = seed;
    for (int i = 0; i < LONG; i++) made_u8(&udp, (unsigned)(check_random(&random) & 255));
    return udp;
}

/* Appends bytes [from, to) of the datagram as a fragment. */
static inline void put_fragment(made *file, const made *udp, unsigned id, size_t from, size_t to, int64_t time)
{
    made frame = {0};
    put_ethernet(&frame, 0x0800);
    put_ipv4(&frame, 1, to - from, id, (unsigned)(from / 8) | (to < udp->size ? 0x2000 : 0));
    made_put(&frame, udp->bytes + from, to - from);
    put_packet(file, plain, time, frame);
}

/* --- reading -------------------------------------------------------------------------------------------------- */

static inline void pcap_open_all(opened *r, made *file, bool in_file)
{
    CHECK_MSG(open_bytes(r, &clump_io_container_pcap, file->bytes, file->size, in_file) == CLUMP_OK, "%s", r->why.text);
    if (r->state) CHECK_MSG(read_all(r, NULL, 0) == CLUMP_OK, "%s", r->why.text);
}

static inline void pcap_check_text(const opened *r, size_t i, const char *text)
{
    const uint32_t crc = clump_io_crc32(0, text, strlen(text));
    CHECK_MSG(i < r->count && r->messages[i].size == strlen(text) && r->messages[i].crc == crc, "message %zu is not %s",
              i, text);
}

#endif
