/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pcap_fragments.c: datagrams in fragments of IPv4 and IPv6.
 */
#include "recordings/pcap_made.h"

static opened a; /* large */

static void fragments(void)
{
    static const size_t orders[][6][2] = {
        {{0, 1480}, {1480, 2960}, {2960, 3008}},              /* in order */
        {{2960, 3008}, {1480, 2960}, {0, 1480}},              /* reversed */
        {{0, 1480}, {0, 1480}, {1480, 2960}, {2960, 3008}},   /* twice */
        {{0, 1480}, {1000, 2960}, {800, 1600}, {2000, 3008}}, /* overlapping */
        {{1480, 2960}, {0, 8}, {8, 1480}, {2960, 3008}, {0}}, /* a short one */
        {{2960, 3008}, {0, 1480}, {0, 1480}, {1480, 2960}},   /* twice, the end first */
    };
    made udp = long_udp(1), file = {0};
    const uint32_t crc = clump_io_crc32(0, udp.bytes + 8, LONG);
    put_head(&file, plain, 1);
    for (unsigned i = 0; i < 6; i++)
        for (size_t k = 0; k < 6 && orders[i][k][1]; k++)
            put_fragment(&file, &udp, i, orders[i][k][0], orders[i][k][1], SECOND + i);
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 6);
    for (size_t i = 0; i < 6; i++) CHECK_MSG(a.messages[i].size == LONG && a.messages[i].crc == crc, "order %zu", i);
    CHECK_INT(a.losses.damaged_packets, 0);
    close_opened(&a);
    free(file.bytes), free(udp.bytes);
}

/* Of fragments that overlap with other bytes, the first holds. */
static void fragments_differ(void)
{
    made udp = long_udp(1), other = long_udp(2), file = {0};
    put_head(&file, plain, 1);
    put_fragment(&file, &udp, 1, 0, 1480, SECOND);
    put_fragment(&file, &other, 1, 800, 1480, SECOND);
    put_fragment(&file, &udp, 1, 1480, 3008, SECOND);
    pcap_open_all(&a, &file, false);
    CHECK_INT(a.count, 1);
    CHECK_INT(a.messages[0].crc, clump_io_crc32(0, udp.bytes + 8, LONG));
    close_opened(&a);
    free(file.bytes), free(udp.bytes), free(other.bytes);
}

static void fragments_mixed(void)
{
    made file = {0}, udp[8];
    put_head(&file, plain, 1);
    for (unsigned i = 0; i < 8; i++) udp[i] = long_udp(i);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < 8; i++)
            if (i != 3 || k != 1) /* one is incomplete */
                put_fragment(&file, &udp[i], i, k * 1480, k < 2 ? k * 1480 + 1480 : LONG + 8, SECOND);
    pcap_open_all(&a, &file, false);
    CHECK_INT(a.count, 7);
    for (size_t i = 0; i < 7; i++)
        CHECK_INT(a.messages[i].crc, clump_io_crc32(0, udp[i < 3 ? i : i + 1].bytes + 8, LONG));
    CHECK_INT(a.losses.damaged_packets, 1);
    CHECK(strstr(a.losses.first, "fragments") != NULL);
    CHECK(a.container->seek(a.state, INT64_MIN) == CLUMP_OK); /* again: losses are not counted twice */
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK_INT(a.count, 7);
    CHECK_INT(a.losses.damaged_packets, 1);
    close_opened(&a);
    for (unsigned i = 0; i < 8; i++) free(udp[i].bytes);
    free(file.bytes);
}

/* Fragments of equal identity that are far apart in time belong to different packets. */
static void fragments_old(void)
{
    made file = {0}, udp = long_udp(1), other = long_udp(2);
    put_head(&file, plain, 1);
    put_fragment(&file, &udp, 7, 0, 1480, SECOND);
    put_fragment(&file, &other, 7, 1480, 3008, 10 * SECOND);
    put_fragment(&file, &other, 7, 0, 1480, 10 * SECOND);
    pcap_open_all(&a, &file, false);
    CHECK_INT(a.count, 1);
    CHECK_INT(a.messages[0].crc, clump_io_crc32(0, other.bytes + 8, LONG));
    CHECK_INT(a.losses.damaged_packets, 1);
    close_opened(&a);
    free(file.bytes), free(udp.bytes), free(other.bytes);
}

static void fragments_too_many(void)
{
    made file = {0}, udp = long_udp(1);
    put_head(&file, plain, 1);
    for (unsigned i = 0; i < 1000; i++) put_fragment(&file, &udp, i, 0, 1480, SECOND);
    for (unsigned i = 0; i < 1000; i++) put_fragment(&file, &udp, i, 1480, 3008, SECOND);
    made beyond = {0}; /* ends behind what IP allows */
    put_ethernet(&beyond, 0x0800), put_ipv4(&beyond, 1, 16, 5000, 0x1fff), made_u64(&beyond, 0), made_u64(&beyond, 0);
    put_packet(&file, plain, SECOND, beyond);
    pcap_open_all(&a, &file, false);
    CHECK(a.losses.damaged_packets >= 1900);
    CHECK(a.count <= 64);
    close_opened(&a);
    free(file.bytes), free(udp.bytes);
}

static void ipv6(void)
{
    made file = {0}, udp = long_udp(9), small = {0}, packet = {0};
    put_head(&file, plain, 229);
    put_udp(&small, 2368, "six");
    put_ipv6(&packet, 0, 16 + small.size); /* hop-by-hop, then destination options, then UDP */
    made_put(&packet, "\x3c\0\1\4\0\0\0\0\x11\0\1\4\0\0\0\0", 16);
    made_put(&packet, small.bytes, small.size);
    put_packet(&file, plain, SECOND, packet);
    for (int i = 0; i < 3; i++) {
        const size_t from = (size_t)i * 1440, to = i < 2 ? from + 1440 : udp.size;
        made piece = {0};
        put_ipv6(&piece, 44, 8 + to - from);
        made_u8(&piece, 17), made_u8(&piece, 0), big_u16(&piece, (unsigned)from | (i < 2));
        made_u32(&piece, 0x12345678), made_put(&piece, udp.bytes + from, to - from);
        put_packet(&file, plain, 2 * SECOND, piece);
    }
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 2);
    pcap_check_text(&a, 0, "six");
    CHECK_INT(a.messages[1].crc, clump_io_crc32(0, udp.bytes + 8, LONG));
    CHECK_TEXT(a.losses.first, "");
    close_opened(&a);
    free(file.bytes), free(udp.bytes), free(small.bytes);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(fragments);
    RUN(fragments_differ);
    RUN(fragments_mixed);
    RUN(fragments_old);
    RUN(fragments_too_many);
    RUN(ipv6);
    return CHECK_END();
}
