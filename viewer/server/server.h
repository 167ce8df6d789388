/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.h: a small HTTP server for the live page: GET / (the page), /events (server-sent events, one per frame) and /frame
 * (the newest packet). It has a thread of its own. Publishing never waits for a client: a client that reads slowly gets
 * fewer frames.
 */
#ifndef CLUMP_VIEWER_SERVER_H
#define CLUMP_VIEWER_SERVER_H

#include "viewer/bytes/bytes.h"

#include <clump/clump.h>

typedef struct view_server view_server;

typedef struct view_server_options {
    const char *address; /* "127.0.0.1"; numeric, IPv4 or IPv6 */
    uint16_t port;       /* 0: any free one */
    const void *page;    /* copied */
    size_t page_size;
} view_server_options;

clump_status view_server_open(const view_server_options *options, view_server **out, clump_message *message);
uint16_t view_server_port(const view_server *server);
/* Clients that wait for events at the moment. Any thread may call it. */
size_t view_server_clients(const view_server *server);
/* Makes the packet the newest one and announces it. Takes packet->data over. event is a JSON object without line breaks,
 * copied. False: no memory, and nothing has changed. */
bool view_server_publish(view_server *server, view_bytes *packet, const char *event);
/* Tells the clients that no more frames come, gives them up to a second to read, and ends. */
void view_server_close(view_server *server); /* null is fine */

#endif
