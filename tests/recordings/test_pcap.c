/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pcap.c: captures of packets: pcap and pcapng, link types and topics.
 */
#include "recordings/pcap_made.h"

static opened a; /* large */

static void byte_orders(void)
{
    static const pcap_kind kinds[] = {{0xa1b2c3d4, false}, {0xa1b2c3d4, true}, {0xa1b23c4d, false}, {0xa1b23c4d, true}};
    for (size_t i = 0; i < 4; i++) {
        made file = {0};
        put_head(&file, kinds[i], 1);
        put_packet(&file, kinds[i], 7 * SECOND + 123456789, frame_of(1, 2368, "one"));
        put_packet(&file, kinds[i], 4000000000 * SECOND, frame_of(1, 8308, "two"));
        pcap_open_all(&a, &file, i % 2);
        CHECK_INT(a.count, 2);
        pcap_check_text(&a, 0, "one"), pcap_check_text(&a, 1, "two");
        CHECK_TEXT(topic_of(&a, 0), "udp/2368");
        CHECK_TEXT(topic_of(&a, 1), "udp/8308");
        CHECK_INT(a.messages[0].time, 7 * SECOND + (i < 2 ? 123456000 : 123456789));
        CHECK_INT(a.messages[1].time, 4000000000 * SECOND);
        CHECK_TEXT(a.losses.first, "");
        close_opened(&a);
        free(file.bytes);
    }
}

static void link_types(void)
{
    static const struct {
        uint32_t link;
        size_t size;
        const char *head;
    } links[] = {
        {0, 4, "\2\0\0\0"},
        {1, 14, "\1\2\3\4\5\6\1\2\3\4\5\6\x08\0"},
        {1, 18, "\1\2\3\4\5\6\1\2\3\4\5\6\x81\0\0\7\x08\0"},
        {1, 22, "\1\2\3\4\5\6\1\2\3\4\5\6\x88\xa8\0\7\x81\0\0\7\x08\0"},
        {12, 0, ""},
        {14, 0, ""},
        {101, 0, ""},
        {108, 4, "\0\0\0\2"},
        {113, 16, "\0\0\0\1\0\6\1\2\3\4\5\6\0\0\x08\0"},
        {113, 20, "\0\0\0\1\0\6\1\2\3\4\5\6\0\0\x81\0\0\7\x08\0"},
        {228, 0, ""},
        {276, 20, "\x08\0\0\0\0\0\0\1\0\1\0\6\1\2\3\4\5\6\0\0"},
    };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        made file = {0}, packet = {0}, udp = {0}, other = {0};
        put_head(&file, plain, links[i].link);
        put_udp(&udp, 2368, "payload");
        made_put(&packet, links[i].head, links[i].size);
        put_ipv4(&packet, 1, udp.size, 1, 0);
        made_put(&packet, udp.bytes, udp.size), made_put(&packet, "padding", 7);
        put_packet(&file, plain, SECOND, packet);
        made_put(&other, "?", 1); /* too short for all but raw IP, where it is another protocol */
        put_packet(&file, plain, SECOND, other);
        pcap_open_all(&a, &file, false);
        CHECK_MSG(a.count == 1, "link type %u", links[i].link);
        pcap_check_text(&a, 0, "payload");
        close_opened(&a);
        free(file.bytes), free(udp.bytes);
    }
}

/* --- pcapng ------------------------------------------------------------------------------------------------------ */

static void pcapng(void)
{
    made file = pcapng_sample();
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 8);
    CHECK_INT(a.topics.count, 1);
    CHECK_INT(a.losses.damaged_packets, 2);
    for (size_t i = 0; i < 8; i += 4) {
        pcap_check_text(&a, i, "micro"), pcap_check_text(&a, i + 1, "nano");
        pcap_check_text(&a, i + 2, "binary"), pcap_check_text(&a, i + 3, "simple");
        CHECK_INT(a.messages[i].time, 5 * SECOND + 1000);
        CHECK_INT(a.messages[i + 1].time, 105 * SECOND + 1);
        CHECK_INT(a.messages[i + 2].time, 4 * SECOND + SECOND / 2);
        CHECK_INT(a.messages[i + 3].time, 4 * SECOND + SECOND / 2); /* of the packet before */
    }
    CHECK(strstr(a.losses.first, "interface") != NULL);
    close_opened(&a);
    free(file.bytes);
}

static void pcapng_resolutions(void)
{
    static const struct {
        unsigned resolution;
        int64_t offset;
        uint64_t stamp;
        int64_t time;
    } cases[] = {
        {0, 0, 7, 7 * SECOND},
        {3, 0, 7001, 7 * SECOND + 1000000},
        {12, 0, 7000000000001, 7 * SECOND},
        {12, 0, UINT64_MAX, 18446744073709551},
        {40, 0, UINT64_MAX, 0},
        {0, 0, UINT64_MAX, INT64_MAX},
        {0, INT64_MAX, 1, INT64_MAX},
        {6, INT64_MIN, 1, -INT64_MAX},
        {0x80 | 32, 0, (uint64_t)7 << 32 | 1u << 31, 7 * SECOND + SECOND / 2},
        {0x80 | 63, 0, (uint64_t)1 << 62, SECOND / 2},
        {0x80 | 64, 3, UINT64_MAX, 3 * SECOND},
        {0xff, 0, UINT64_MAX, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made file = {0};
        put_section(&file, false);
        put_interface(&file, false, cases[i].resolution, cases[i].offset, 0);
        put_ng(&file, false, 6, 0, cases[i].stamp, frame_of(1, 2368, "x"));
        pcap_open_all(&a, &file, false);
        CHECK_INT(a.count, 1);
        CHECK_MSG(a.messages[0].time == cases[i].time, "case %zu: %lld", i, (long long)a.messages[0].time);
        close_opened(&a);
        free(file.bytes);
    }
}

/* --- topics ---------------------------------------------------------------------------------------------------- */

/* A packet that looks like one of a Velodyne sensor. */
static made velodyne_frame(unsigned from, unsigned port)
{
    made frame = {0};
    put_ethernet(&frame, 0x0800), put_ipv4(&frame, from, 8 + 1206, 1, 0);
    big_u16(&frame, 4000), big_u16(&frame, port), big_u16(&frame, 8 + 1206), big_u16(&frame, 0);
    for (int block = 0; block < 12; block++) {
        made_put(&frame, "\xff\xee", 2);
        for (int i = 2; i < 100; i++) made_u8(&frame, 0);
    }
    made_u32(&frame, 0), made_put(&frame, "\x37\x22", 2);
    return frame;
}

static void senders(void)
{
    made file = {0};
    put_head(&file, plain, 1);
    put_packet(&file, plain, 1 * SECOND, velodyne_frame(1, 7502));
    put_packet(&file, plain, 2 * SECOND, frame_of(2, 7502, "second"));
    put_packet(&file, plain, 3 * SECOND, frame_of(2, 7503, "third"));
    for (int i = 0; i < 5000; i++) put_packet(&file, plain, 4 * SECOND, frame_of(1, 7502, "more"));
    put_packet(&file, plain, 5 * SECOND, frame_of(3, 7503, "late"));
    CHECK(open_bytes(&a, &clump_io_container_pcap, file.bytes, file.size, false) == CLUMP_OK);
    CHECK_INT(a.topics.count, 3);
    const bool wanted[] = {false, true, true};
    CHECK(read_all(&a, wanted, 3) == CLUMP_OK);
    CHECK_INT(a.count, 2);
    CHECK_TEXT(topic_of(&a, 0), "udp/7502 from 10.0.0.2");
    CHECK_TEXT(topic_of(&a, 1), "udp/7503");
    CHECK_INT(a.topics.count, 4);
    CHECK_TEXT(a.topics.list[0].name, "udp/7502 from 10.0.0.1");
    CHECK_TEXT(a.topics.list[0].type, "Velodyne packets");
    CHECK_TEXT(a.topics.list[3].name, "udp/7503 from 10.0.0.3");
    CHECK_TEXT(a.topics.list[3].type, "UDP");
    close_opened(&a);
    free(file.bytes);
}

/* open() looks on until it has recognised a sensor. */
static void sensor_begins_late(void)
{
    made file = {0};
    put_head(&file, plain, 1);
    for (int i = 0; i < 20000; i++) put_packet(&file, plain, SECOND, frame_of(1, 5353, "noise"));
    put_packet(&file, plain, 2 * SECOND, velodyne_frame(2, 2368));
    CHECK(open_bytes(&a, &clump_io_container_pcap, file.bytes, file.size, true) == CLUMP_OK);
    CHECK_INT(a.topics.count, 2);
    if (a.topics.count == 2) CHECK_TEXT(a.topics.list[1].type, "Velodyne packets");
    close_opened(&a);
    free(file.bytes);
}

static void too_many_senders(void)
{
    made file = {0};
    put_head(&file, plain, 1);
    for (unsigned i = 0; i < 3000; i++) put_packet(&file, plain, SECOND, frame_of(i % 256, 1000 + i / 2, "x"));
    pcap_open_all(&a, &file, false);
    CHECK_INT(a.count, 3000);
    CHECK_INT(a.topics.count, 1025);
    CHECK_TEXT(topic_of(&a, 2999), "udp/other");
    close_opened(&a);
    free(file.bytes);
}

static void seeking(void)
{
    made file = {0};
    static const int times[] = {1, 2, 5, 4, 6};
    put_head(&file, plain, 1);
    for (size_t i = 0; i < 5; i++) put_packet(&file, plain, times[i] * SECOND, frame_of(1, 2368, &"12345"[i]));
    pcap_open_all(&a, &file, true);
    CHECK_INT(a.count, 5);
    CHECK(a.container->seek(a.state, 3 * SECOND) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK_INT(a.count, 3);
    pcap_check_text(&a, 0, "345"), pcap_check_text(&a, 1, "45"); /* the second is earlier, but behind the first */
    CHECK(a.container->seek(a.state, 7 * SECOND) == CLUMP_OK);
    CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
    CHECK_INT(a.count, 0);
    close_opened(&a);
    free(file.bytes);
}

/* --- real captures ---------------------------------------------------------------------------------------------- */

/* Numbers of datagrams and of their bytes as tshark has them. */
static const struct {
    const char *path, *topic, *type;
    size_t messages, bytes;
} captures[] = {
    {"DERIVED_nebula_vlp16", "udp/2368", "Velodyne packets", 603, 727218},
    {"DERIVED_nebula_vlp32", "udp/2368", "Velodyne packets", 379, 457074},
    {"mrpt_sample_velodyne_hdl32", "udp/2368", "Velodyne packets", 500, 603000},
    {"mrpt_sample_velodyne_vlp16_gps", "udp/2368", "Velodyne packets", 293, 353358},
    {"mrpt_sample_velodyne_vlp16_gps", "udp/8308", "UDP", 57, 29184},
    {"ouster_OS-0-32-U1_v2.2.0_1024x10", "udp/7502", "Ouster packets", 64, 540672},
    {"ouster_OS-0-32-U1_v2.2.0_1024x10", "udp/7503", "UDP", 10, 480},
    {"ouster_OS-0-32-U1_v2.2.0_1024x10-single-packet", "udp/7502", "Ouster packets", 1, 8448},
    {"ouster_OS-1-128_v2.3.0_1024x10_lb_n3", "udp/7502", "Ouster packets", 192, 1622016},
    {"ouster_OS-1-32-G_v2.1.1_1024x10", "udp/7502", "Ouster packets", 64, 413696},
    {"ouster_OS-1-64_1024x10_fw20", "udp/7502", "Ouster packets", 64, 806912},
    {"ouster_OS-1-64_1024x10_fw20", "udp/7503", "UDP", 11, 528},
    {"ouster_OS-2-128-U1_v2.3.0_1024x10", "udp/7502", "Ouster packets", 64, 1589248},
    {"ouster_crc_test", "udp/7502", "Ouster packets", 34, 287232},
    {"ouster_same_ports", "udp/7502 from 169.254.238.111", "Ouster packets", 2, 12656},
    {"ouster_same_ports", "udp/7502 from 169.254.92.158", "Ouster packets", 2, 16688},
    {"ouster_shot_limiting_test", "udp/7702", "Ouster packets", 1, 24832},
    {"ouster_windowed_frame1", "udp/53750", "Ouster packets", 17, 143616},
};

static void real_captures(void)
{
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/pcap/%s.pcap", folder, captures[i].path);
        FILE *const file = fopen(path, "rb");
        if (!file) SKIP("%s is not there: " DO_DATA, path);
        static unsigned char bytes[4 << 20];
        const size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        CHECK(open_bytes(&a, &clump_io_container_pcap, bytes, size, true) == CLUMP_OK);
        CHECK(read_all(&a, NULL, 0) == CLUMP_OK);
        size_t messages = 0, sum = 0;
        for (size_t k = 0; k < a.count && k < OPENED_MOST; k++)
            if (strcmp(topic_of(&a, k), captures[i].topic) == 0) {
                messages++, sum += a.messages[k].size;
                CHECK_TEXT(a.topics.list[a.messages[k].topic].type, captures[i].type);
            }
        CHECK_MSG(messages == captures[i].messages && sum == captures[i].bytes, "%s %s", path, captures[i].topic);
        CHECK_TEXT(a.losses.first, "");
        close_opened(&a);
    }
}

/* --- fragments of IPv4 and IPv6 ------------------------------------------------------------------------- */

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

CHECK_PROGRAM(test_pcap)
{
    RUN(byte_orders);
    RUN(link_types);
    RUN(pcapng);
    RUN(pcapng_resolutions);
    RUN(senders);
    RUN(sensor_begins_late);
    RUN(too_many_senders);
    RUN(seeking);
    RUN(real_captures);
    RUN(fragments);
    RUN(fragments_differ);
    RUN(fragments_mixed);
    RUN(fragments_old);
    RUN(fragments_too_many);
    RUN(ipv6);
}
