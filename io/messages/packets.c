/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packets.c: messages that carry packets of a sensor as they came from the network.
 *
 *     VelodyneScan   header, packets[] {stamp, uint8 data[1206]}
 *     PandarScan     header, packets[] {stamp, uint8 data[1500], uint32 size}
 *     NebulaPackets  header, packets[] {stamp, uint8[] data}
 *     PacketMsg      uint8[] buf
 */
#include "messages/cursor.h"

enum { PACKETS_VELODYNE_BYTES = 1206, PACKETS_HESAI_BYTES = 1500 };

bool clump_io_packets_begin(clump_io_packet_list *list, clump_io_message_kind kind, const clump_io_encoded *message,
                            int64_t received)
{
    *list = (clump_io_packet_list){.message = *message, .kind = kind, .received = received};
    clump_io_cursor cursor;
    if (!clump_io_cursor_open(&cursor, message)) return false;
    if (kind == CLUMP_IO_MESSAGE_OUSTER) {
        list->left = 1;
    } else {
        clump_io_cursor_header(&cursor, list->frame_id);
        list->left = clump_io_cursor_u32(&cursor);
    }
    list->at = cursor.at;
    return !cursor.failed;
}

/* Reads the data of a packet behind its stamp. */
static void take_data(clump_io_cursor *cursor, clump_io_message_kind kind, clump_io_packet *packet)
{
    switch (kind) {
    case CLUMP_IO_MESSAGE_VELODYNE:
        packet->size = PACKETS_VELODYNE_BYTES;
        packet->bytes = clump_io_cursor_take(cursor, packet->size);
        break;
    case CLUMP_IO_MESSAGE_HESAI:
        packet->bytes = clump_io_cursor_take(cursor, PACKETS_HESAI_BYTES);
        packet->size = clump_io_cursor_u32(cursor);
        if (packet->size > PACKETS_HESAI_BYTES) packet->size = PACKETS_HESAI_BYTES; /* the sensor's decoder judges it */
        break;
    default:
        packet->size = clump_io_cursor_u32(cursor);
        packet->bytes = clump_io_cursor_take(cursor, packet->size);
    }
}

bool clump_io_packets_next(clump_io_packet_list *list, clump_io_packet *packet, bool *damaged)
{
    *damaged = false;
    if (list->left == 0) return false;
    clump_io_cursor cursor;
    clump_io_cursor_open(&cursor, &list->message); /* it did in begin() */
    cursor.at = list->at;
    *packet = (clump_io_packet){.received = list->received};
    if (list->kind != CLUMP_IO_MESSAGE_OUSTER) {
        const int64_t stamp = clump_io_cursor_time(&cursor);
        if (stamp != 0) packet->received = stamp;
    }
    take_data(&cursor, list->kind, packet);
    if (cursor.failed) {
        *damaged = true;
        list->left = 0;
        return false;
    }
    list->at = cursor.at;
    list->left--;
    return true;
}

bool clump_io_string_decode(const clump_io_encoded *message, const char **text, size_t *size)
{
    clump_io_cursor cursor;
    *text = NULL, *size = 0;
    if (!clump_io_cursor_open(&cursor, message)) return false;
    *text = clump_io_cursor_text(&cursor, size);
    return !cursor.failed;
}
