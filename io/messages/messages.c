/* SPDX-License-Identifier: BSD-3-Clause
 *
 * messages.c: to come.
 */
#include "messages/messages.h"

clump_io_message_kind clump_io_message_kind_of(const char *type)
{
    (void)type;
    return CLUMP_IO_MESSAGE_OTHER;
}

clump_status clump_io_points_decode(const clump_io_where *where, const clump_io_encoded *message, clump_frame *frame)
{
    (void)message, (void)frame;
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "to come");
}

bool clump_io_packets_begin(clump_io_packet_list *list, clump_io_message_kind kind, const clump_io_encoded *message,
                            int64_t received)
{
    (void)list, (void)kind, (void)message, (void)received;
    return false;
}

bool clump_io_packets_next(clump_io_packet_list *list, clump_io_packet *packet, bool *damaged)
{
    (void)list, (void)packet, (void)damaged;
    return false;
}

bool clump_io_string_decode(const clump_io_encoded *message, const char **text, size_t *size)
{
    (void)message, (void)text, (void)size;
    return false;
}
