/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_packets.c: the fuzz target for messages that carry packets. The first byte chooses the kind and the encoding.
 */
#include "target.h"

#include "messages/messages.h"

FUZZ_TARGET(packets)
{
    static const clump_io_message_kind kinds[] = {CLUMP_IO_MESSAGE_VELODYNE, CLUMP_IO_MESSAGE_HESAI,
                                                  CLUMP_IO_MESSAGE_PACKETS, CLUMP_IO_MESSAGE_OUSTER};
    if (size == 0) return 0;
    const clump_io_encoded message = {data + 1, size - 1, data[0] & 1};
    clump_io_packet_list list;
    clump_io_packet packet;
    bool damaged;
    volatile unsigned sum = 0; /* touches every byte */
    if (clump_io_packets_begin(&list, kinds[(data[0] >> 1) % 4], &message, 1)) {
        size_t count = 0;
        for (; clump_io_packets_next(&list, &packet, &damaged); count++)
            for (size_t i = 0; i < packet.size; i++) sum = sum + packet.bytes[i];
        if (count > size) abort();
    }
    const char *text;
    size_t length;
    if (clump_io_string_decode(&message, &text, &length))
        for (size_t i = 0; i < length; i++) sum = sum + (unsigned char)text[i];
    return 0;
}
