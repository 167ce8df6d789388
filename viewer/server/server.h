/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.h: a small HTTP server for the live page: GET / (the page), /events (server-sent events, one per frame) and /frame
 * (the newest packet). Clients of Foxglove's WebSocket protocol connect to / and are sent messages of ROS 2. It has a thread
 * of its own. Publishing never waits for a client: a client that reads slowly gets fewer frames.
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

/* A message of ROS 2 for Foxglove: its topic, type and definition (ros2msg), and its bytes in CDR. */
typedef struct view_message {
    const char *topic, *type, *definition;
    const void *data;
    size_t size;
} view_message;

/* Clients of Foxglove at the moment. Any thread may call it. */
size_t view_server_foxglove(const view_server *server);
/* Adds a copy of a message to the next frame: one per topic. One thread at a time. False: no memory, or too many topics. */
bool view_server_add(view_server *server, const view_message *message);
/* Makes the messages that were added the newest frame, and begins another. time: nanoseconds since 1970. False: no memory,
 * and the messages are forgotten. */
bool view_server_send(view_server *server, int64_t time);
/* Frames that clients of Foxglove were too slow for, summed up. Any thread may call it. */
uint64_t view_server_skipped(const view_server *server);

/* Tells the clients that no more frames come, gives them up to a second to read, and ends. */
void view_server_close(view_server *server); /* null is fine */

#endif
