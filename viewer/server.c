/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.c: see server.h.
 */
#include "server.h"

clump_status view_server_open(const view_server_options *options, view_server **out, clump_message *message)
{
    (void)options, (void)message;
    *out = NULL;
    return CLUMP_OK;
}
uint16_t view_server_port(const view_server *server)
{
    (void)server;
    return 0;
}
size_t view_server_clients(const view_server *server)
{
    (void)server;
    return 0;
}
bool view_server_publish(view_server *server, view_bytes *packet, const char *event)
{
    (void)server, (void)packet, (void)event;
    return true;
}
void view_server_close(view_server *server)
{
    (void)server;
}
