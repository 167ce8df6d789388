/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_packets.c: messages that carry packets of sensors, and texts.
 */
#include "support/check.h"
#include "recordings/ros_writer.h"

enum { PACKET_COUNT = 5 };

static uint8_t byte_of(size_t packet, size_t at)
{
    return (uint8_t)(packet * 31 + at);
}

static void put_data(ros_writer *w, size_t packet, size_t size)
{
    for (size_t i = 0; i < size; i++) ros_u8(w, byte_of(packet, i));
}

/* Bytes of packet i in a message of this kind. */
static size_t size_of(clump_io_message_kind kind, size_t i)
{
    return kind == CLUMP_IO_MESSAGE_VELODYNE ? 1206 : kind == CLUMP_IO_MESSAGE_HESAI ? 1080 + i : 7 + i;
}

static void write_packets(ros_writer *w, ros_coding coding, clump_io_message_kind kind)
{
    ros_open(w, coding);
    if (kind == CLUMP_IO_MESSAGE_OUSTER) {
        ros_u32(w, (uint32_t)size_of(kind, 0));
        put_data(w, 0, size_of(kind, 0));
        return;
    }
    ros_header(w, 1600000000, 7, "sensor");
    ros_u32(w, PACKET_COUNT);
    for (size_t i = 0; i < PACKET_COUNT; i++) {
        ros_u32(w, i == 3 ? 0 : 1600000000); /* packet 3 has no stamp */
        ros_u32(w, i == 3 ? 0 : (uint32_t)i);
        if (kind == CLUMP_IO_MESSAGE_PACKETS) ros_u32(w, (uint32_t)size_of(kind, i));
        put_data(w, i, kind == CLUMP_IO_MESSAGE_HESAI ? 1500 : size_of(kind, i));
        if (kind == CLUMP_IO_MESSAGE_HESAI) ros_u32(w, (uint32_t)size_of(kind, i));
    }
}

static const clump_io_message_kind kinds[] = {CLUMP_IO_MESSAGE_VELODYNE, CLUMP_IO_MESSAGE_HESAI,
                                              CLUMP_IO_MESSAGE_PACKETS, CLUMP_IO_MESSAGE_OUSTER};

static void reads_all_kinds(void)
{
    ros_writer w = {0};
    for (int coding = 0; coding < ROS_CODINGS; coding++)
        for (size_t k = 0; k < 4; k++) {
            write_packets(&w, (ros_coding)coding, kinds[k]);
            const clump_io_encoded message = ros_message(&w);
            clump_io_packet_list list;
            clump_io_packet packet;
            bool damaged;
            CHECK(clump_io_packets_begin(&list, kinds[k], &message, 42));
            const bool one = kinds[k] == CLUMP_IO_MESSAGE_OUSTER;
            CHECK_TEXT(list.frame_id, one ? "" : "sensor");
            size_t count = 0;
            for (; clump_io_packets_next(&list, &packet, &damaged); count++) {
                CHECK_INT(packet.size, size_of(kinds[k], count));
                CHECK_INT(packet.received, one || count == 3 ? 42 : 1600000000000000000 + (int64_t)count);
                for (size_t i = 0; i < packet.size; i++)
                    if (packet.bytes[i] != byte_of(count, i)) CHECK_FAIL("byte %zu of packet %zu", i, count);
            }
            CHECK(!damaged);
            CHECK_INT(count, one ? 1 : PACKET_COUNT);
            CHECK(!clump_io_packets_next(&list, &packet, &damaged) && !damaged);
        }
    free(w.bytes);
}

/* Reads a message in memory of its own size. Returns the packets before the end or the damage. */
static size_t count_packets(const clump_io_encoded *message, clump_io_message_kind kind, bool *damaged)
{
    unsigned char *const copy = malloc(message->size ? message->size : 1);
    if (!copy) abort();
    memcpy(copy, message->bytes, message->size);
    const clump_io_encoded own = {copy, message->size, message->cdr};
    clump_io_packet_list list;
    clump_io_packet packet;
    size_t count = 0;
    volatile unsigned sum = 0;
    *damaged = !clump_io_packets_begin(&list, kind, &own, 0);
    for (; !*damaged && clump_io_packets_next(&list, &packet, damaged); count++)
        for (size_t i = 0; i < packet.size; i++) sum = sum + packet.bytes[i];
    free(copy);
    return count;
}

static void takes_whole_packets_of_cut_messages(void)
{
    ros_writer w = {0};
    for (int coding = 0; coding < ROS_CODINGS; coding++)
        for (size_t k = 0; k < 4; k++) {
            write_packets(&w, (ros_coding)coding, kinds[k]);
            const clump_io_encoded message = ros_message(&w);
            size_t before = 0;
            for (size_t size = 0; size < message.size; size++) {
                bool damaged;
                const size_t count =
                    count_packets(&(clump_io_encoded){message.bytes, size, message.cdr}, kinds[k], &damaged);
                CHECK(damaged && count >= before && count <= before + 1);
                before = count;
            }
            CHECK_INT(before, kinds[k] == CLUMP_IO_MESSAGE_OUSTER ? 0 : PACKET_COUNT - 1);
        }
    free(w.bytes);
}

static void survives_damage(void)
{
    ros_writer w = {0};
    for (int coding = 0; coding < ROS_CODINGS; coding++)
        for (size_t k = 0; k < 4; k++) {
            write_packets(&w, (ros_coding)coding, kinds[k]);
            const clump_io_encoded message = ros_message(&w);
            for (size_t at = 0; at < message.size && at < 300; at++)
                for (unsigned change = 1; change < 256; change += 42) {
                    bool damaged;
                    w.bytes[at] ^= (unsigned char)change;
                    count_packets(&message, kinds[k], &damaged);
                    w.bytes[at] ^= (unsigned char)change;
                }
        }
    ros_open(&w, ROS_1); /* claims 4 billion packets */
    ros_header(&w, 0, 0, "");
    ros_u32(&w, 4294967295u);
    const clump_io_encoded message = ros_message(&w);
    bool damaged;
    CHECK_INT(count_packets(&message, CLUMP_IO_MESSAGE_PACKETS, &damaged), 0);
    CHECK(damaged);
    free(w.bytes);
}

static void reads_texts(void)
{
    ros_writer w = {0};
    for (int coding = 0; coding < ROS_CODINGS; coding++) {
        ros_open(&w, (ros_coding)coding);
        ros_text(&w, "{\"beams\": 64}");
        clump_io_encoded message = ros_message(&w);
        const char *text;
        size_t size;
        CHECK(clump_io_string_decode(&message, &text, &size));
        CHECK(size == 13 && memcmp(text, "{\"beams\": 64}", 13) == 0);
        message.size--;
        CHECK(!clump_io_string_decode(&message, &text, &size));
        message.size = 0;
        CHECK(!clump_io_string_decode(&message, &text, &size));
    }
    free(w.bytes);
}

CHECK_PROGRAM(test_packets)
{
    RUN(reads_all_kinds);
    RUN(takes_whole_packets_of_cut_messages);
    RUN(survives_damage);
    RUN(reads_texts);
}
