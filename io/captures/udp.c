/* SPDX-License-Identifier: BSD-3-Clause
 *
 * udp.c: from a packet of the network to its UDP datagram: link layer, IPv4 or IPv6, UDP. Numbers have the most
 * significant byte first.
 *
 * Checksums are not compared: captures on the sending machine have none, where the network card computes them.
 */
#include "captures/udp.h"

#include "common/assert.h"

#include <string.h>

enum {
    UDP_LINK_NULL = 0,
    UDP_LINK_ETHERNET = 1,
    UDP_LINK_RAW_BSD = 12,
    UDP_LINK_RAW_OPENBSD = 14,
    UDP_LINK_RAW = 101,
    UDP_LINK_LOOP = 108,
    UDP_LINK_SLL = 113,
    UDP_LINK_IPV4 = 228,
    UDP_LINK_IPV6 = 229,
    UDP_LINK_SLL2 = 276,

    UDP_TYPE_IPV4 = 0x0800,
    UDP_TYPE_IPV6 = 0x86dd,
    UDP_TYPE_VLAN = 0x8100,
    UDP_TYPE_QINQ = 0x88a8,
    UDP_TYPE_QINQ_OLD = 0x9100,

    UDP_PROTOCOL = 17,
    UDP_HEAD = 8,
    UDP_IPV4_HEAD = 20,
    UDP_IPV6_HEAD = 40,
    UDP_NEXT_MOST = 16, /* extension headers of an IPv6 packet */
};

/* The rest of a packet. `cut`: the capture has left out bytes behind it. */
typedef struct udp_rest {
    const unsigned char *at;
    size_t size;
    bool cut;
} udp_rest;

/* Goes `size` bytes on; false if there are fewer. */
static bool skip(udp_rest *rest, size_t size)
{
    if (rest->size < size) return false;
    rest->at += size;
    rest->size -= size;
    return true;
}

/* Returns what a packet is that ends inside a header. */
static clump_io_udp_result too_short(const udp_rest *rest)
{
    return rest->cut ? CLUMP_IO_UDP_CUT : CLUMP_IO_UDP_DAMAGED;
}

/* Keeps the first `size` bytes, and drops the padding behind them. */
static void keep(udp_rest *rest, size_t size)
{
    if (rest->size < size) return;
    rest->size = size;
    rest->cut = false;
}

/* Moves behind the link layer. *version: 4, 6, or 0 for other protocols. False: the packet is too short. */
static bool skip_link(udp_rest *rest, uint32_t link, unsigned *version)
{
    size_t head, type_at; /* of the type of Ethernet */
    *version = 0;
    switch (link) {
    case UDP_LINK_ETHERNET:
        head = 14, type_at = 12;
        break;
    case UDP_LINK_SLL:
        head = 16, type_at = 14;
        break;
    case UDP_LINK_SLL2:
        head = 20, type_at = 0;
        break;
    case UDP_LINK_NULL:
    case UDP_LINK_LOOP:
        head = type_at = 4;
        break;
    case UDP_LINK_RAW:
    case UDP_LINK_RAW_BSD:
    case UDP_LINK_RAW_OPENBSD:
    case UDP_LINK_IPV4:
    case UDP_LINK_IPV6:
        head = type_at = 0;
        break;
    default:
        return true;
    }
    const unsigned char *const start = rest->at;
    if (!skip(rest, head)) return false;
    if (head == type_at) { /* no type: the first bits of IP are its version */
        if (rest->size == 0) return false;
        *version = rest->at[0] >> 4;
        return true;
    }
    unsigned type = clump_io_big_u16(start + type_at);
    while (type == UDP_TYPE_VLAN || type == UDP_TYPE_QINQ || type == UDP_TYPE_QINQ_OLD) {
        if (!skip(rest, 4)) return false;
        CLUMP_ASSERT(rest->at >= start + head + 4);
        type = clump_io_big_u16(rest->at - 2);
    }
    *version = type == UDP_TYPE_IPV4 ? 4 : type == UDP_TYPE_IPV6 ? 6 : 0;
    return true;
}

static clump_io_udp_result take_udp(udp_rest rest, clump_io_datagram *datagram)
{
    const unsigned char *const head = rest.at;
    if (!skip(&rest, UDP_HEAD)) return too_short(&rest);
    datagram->from_port = (uint16_t)clump_io_big_u16(head);
    datagram->port = (uint16_t)clump_io_big_u16(head + 2);
    const size_t length = clump_io_big_u16(head + 4);
    if (length) { /* 0: a jumbogram, or a packet that the network card divides */
        if (length < UDP_HEAD) return CLUMP_IO_UDP_DAMAGED;
        keep(&rest, length - UDP_HEAD);
        if (rest.size < length - UDP_HEAD) return too_short(&rest);
    }
    if (rest.cut) return CLUMP_IO_UDP_CUT;
    CLUMP_ASSERT(length == 0 || rest.size == length - UDP_HEAD);
    datagram->bytes = rest.at;
    datagram->size = rest.size;
    return CLUMP_IO_UDP_DATAGRAM;
}

static clump_io_udp_result take_fragment(udp_rest rest, const clump_io_captured *packet, uint32_t id, unsigned offset,
                                         bool last, clump_io_fragments *fragments, clump_io_datagram *datagram)
{
    CLUMP_ASSERT(offset % 8 == 0);
    if (rest.cut) return CLUMP_IO_UDP_CUT;
    const clump_io_fragment fragment = {datagram->address, id, offset, last, rest.at, rest.size, packet->time};
    udp_rest whole = {0};
    const clump_io_udp_result result = clump_io_fragments_add(fragments, &fragment, &whole.at, &whole.size);
    return result == CLUMP_IO_UDP_DATAGRAM ? take_udp(whole, datagram) : result;
}

static clump_io_udp_result take_ipv4(udp_rest rest, const clump_io_captured *packet, clump_io_fragments *fragments,
                                     clump_io_datagram *datagram)
{
    const unsigned char *const head = rest.at;
    if (rest.size < UDP_IPV4_HEAD) return too_short(&rest);
    const size_t head_size = (size_t)(head[0] & 15) * 4, total = clump_io_big_u16(head + 2);
    if (head[9] != UDP_PROTOCOL) return CLUMP_IO_UDP_NONE;
    if (head_size < UDP_IPV4_HEAD || (total && total < head_size)) return CLUMP_IO_UDP_DAMAGED;
    if (total) keep(&rest, total); /* 0: a packet that the network card divides */
    if (total && rest.size < total) rest.cut = true;
    if (!skip(&rest, head_size)) return too_short(&rest);
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    memcpy(datagram->address.from, mapped, 12);
    memcpy(datagram->address.to, mapped, 12);
    memcpy(datagram->address.from + 12, head + 12, 4);
    memcpy(datagram->address.to + 12, head + 16, 4);
    const unsigned place = clump_io_big_u16(head + 6), offset = (place & 0x1fff) * 8;
    const bool last = !(place & 0x2000);
    if (offset == 0 && last) return take_udp(rest, datagram);
    return take_fragment(rest, packet, clump_io_big_u16(head + 4), offset, last, fragments, datagram);
}

static clump_io_udp_result take_ipv6(udp_rest rest, const clump_io_captured *packet, clump_io_fragments *fragments,
                                     clump_io_datagram *datagram)
{
    const unsigned char *const head = rest.at;
    if (!skip(&rest, UDP_IPV6_HEAD)) return too_short(&rest);
    const size_t length = clump_io_big_u16(head + 4);
    if (length) keep(&rest, length); /* 0: a jumbogram */
    if (rest.size < length) rest.cut = true;
    memcpy(datagram->address.from, head + 8, 16);
    memcpy(datagram->address.to, head + 24, 16);
    unsigned next = head[6];
    for (int i = 0; i < UDP_NEXT_MOST; i++) {
        const unsigned char *const at = rest.at;
        if (next == UDP_PROTOCOL) return take_udp(rest, datagram);
        const bool fragment = next == 44, authentication = next == 51;
        if (!fragment && !authentication && next != 0 && next != 43 && next != 60) return CLUMP_IO_UDP_NONE;
        if (rest.size < 8) return too_short(&rest);
        next = at[0];
        const size_t size = fragment ? 8 : authentication ? ((size_t)at[1] + 2) * 4 : ((size_t)at[1] + 1) * 8;
        if (!skip(&rest, size)) return too_short(&rest);
        if (!fragment) continue;
        const unsigned place = clump_io_big_u16(at + 2);
        if ((place & 0xfff9) == 0) continue; /* all of the packet is in this fragment */
        if (next != UDP_PROTOCOL) return CLUMP_IO_UDP_NONE;
        return take_fragment(rest, packet, clump_io_big_u32(at + 4), place & 0xfff8, !(place & 1), fragments, datagram);
    }
    return CLUMP_IO_UDP_NONE;
}

clump_io_udp_result clump_io_udp_find(const clump_io_captured *packet, clump_io_fragments *fragments,
                                      clump_io_datagram *datagram)
{
    udp_rest rest = {packet->bytes, packet->size, packet->cut};
    unsigned version;
    if (!skip_link(&rest, packet->link, &version)) return too_short(&rest);
    if (version == 4) return take_ipv4(rest, packet, fragments, datagram);
    if (version == 6) return take_ipv6(rest, packet, fragments, datagram);
    return CLUMP_IO_UDP_NONE;
}
