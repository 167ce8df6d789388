/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_websocket.c: the fuzz target for the frames that clients of Foxglove send, and for the texts in them. The bytes are one
 * stream, as they come over a connection: frame after frame.
 */
#include "target.h"

#include "viewer/server/server_inside.h"

#include <stdlib.h>
#include <string.h>

/* Counts without a thread: a server with all channels. */
static view_server *make_server(void)
{
    static view_server server;
    if (server.channel_count == 0) pthread_mutex_init(&server.lock, NULL);
    server.channel_count = VIEW_CHANNELS;
    return &server;
}

/* Aborts unless each subscription has an id of its own. */
static void check_subscriptions(const view_connection *c)
{
    for (size_t i = 0; i < VIEW_CHANNELS; i++)
        for (size_t k = 0; k < i; k++)
            if (c->channels[i].subscribed && c->channels[k].subscribed && c->channels[i].id == c->channels[k].id)
                abort();
}

FUZZ_TARGET(websocket)
{
    static view_connection c;
    memset(c.channels, 0, sizeof c.channels);
    char *const copy = malloc(size + 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    char *bytes = copy;
    for (size_t left = size; left > 0;) {
        const size_t most = left < VIEW_REQUEST_MOST ? left : VIEW_REQUEST_MOST;
        const view_socket_frame frame = view_socket_read(bytes, most);
        if (frame.size > most || (frame.size && frame.refusal)) abort();
        if (!frame.size && !frame.refusal && most == VIEW_REQUEST_MOST) abort(); /* it fits or is refused */
        if (!frame.size) break;
        if (frame.payload.text + frame.payload.size != bytes + frame.size) abort();
        char *const text = malloc(frame.payload.size + 1); /* a copy: reads behind its end are found */
        if (!text) break;
        memcpy(text, frame.payload.text, frame.payload.size);
        view_foxglove_hear(make_server(), &c, (view_words){text, frame.payload.size});
        check_subscriptions(&c);
        free(text);
        bytes += frame.size;
        left -= frame.size;
    }
    free(copy);
    return 0;
}
