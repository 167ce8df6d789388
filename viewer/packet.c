/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet.c: see packet.h.
 */
#include "packet.h"

view_packet_options view_packet_defaults(void)
{
    return (view_packet_options){.level = 9, .fields = true};
}
clump_status view_put_packet(view_bytes *to, const view_frame *frame, const view_packet_options *options,
                             clump_message *message)
{
    (void)to, (void)frame, (void)options, (void)message;
    return CLUMP_OK;
}
