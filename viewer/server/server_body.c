/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_body.c: bodies of answers: packets and events. A body is freed after its last user.
 */
#include "viewer/server/server_inside.h"

#include "common/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void view_body_leave(view_server *server, view_body *body)
{
    if (!body) return;
    pthread_mutex_lock(&server->lock);
    CLUMP_ASSERT(body->users >= 1);
    const bool last = --body->users == 0;
    CLUMP_ASSERT(!last || !body->packet || server->packets >= 1);
    if (last && body->packet) server->packets--;
    pthread_mutex_unlock(&server->lock);
    if (!last) return;
    free(body->data);
    free(body);
}

void view_body_share(view_server *server, view_body *body)
{
    pthread_mutex_lock(&server->lock);
    body->users++;
    pthread_mutex_unlock(&server->lock);
}

view_body *view_body_newest(view_server *server, view_body_kind kind, uint64_t *number)
{
    pthread_mutex_lock(&server->lock);
    view_body *const body = server->newest[kind];
    if (body) body->users++;
    if (number) *number = server->numbers[kind];
    pthread_mutex_unlock(&server->lock);
    return body;
}

void view_body_publish(view_server *server, view_body_kind kind, view_body *body)
{
    CLUMP_ASSERT(body->users == 1);
    pthread_mutex_lock(&server->lock);
    view_body *const old = server->newest[kind];
    server->newest[kind] = body;
    server->numbers[kind]++;
    if (body->packet) server->packets++;
    pthread_mutex_unlock(&server->lock);
    view_body_leave(server, old);
    view_server_wake(server);
}

size_t view_server_channels(view_server *server)
{
    pthread_mutex_lock(&server->lock);
    const size_t count = server->channel_count;
    pthread_mutex_unlock(&server->lock);
    return count;
}

view_body *view_body_channel(view_server *server, size_t channel)
{
    pthread_mutex_lock(&server->lock);
    CLUMP_ASSERT(channel < server->channel_count);
    view_body *const body = server->channels[channel].advertisement;
    body->users++;
    pthread_mutex_unlock(&server->lock);
    return body;
}

size_t view_server_packets(view_server *server)
{
    pthread_mutex_lock(&server->lock);
    const size_t packets = server->packets;
    pthread_mutex_unlock(&server->lock);
    return packets;
}

view_body *view_body_event(const char *event)
{
    const size_t room = strlen(event) + sizeof "data: \n\n";
    view_body *const body = calloc(1, sizeof *body);
    if (body) body->data = malloc(room);
    if (!body || !body->data) {
        free(body);
        return NULL;
    }
    body->size = (size_t)snprintf((char *)body->data, room, "data: %s\n\n", event);
    body->users = 1;
    return body;
}
