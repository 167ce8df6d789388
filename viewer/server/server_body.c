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

view_body *view_body_newest(view_server *server, bool packet, uint64_t *number)
{
    pthread_mutex_lock(&server->lock);
    view_body *const body = packet ? server->packet : server->event;
    if (body) body->users++;
    if (number) *number = server->event_number;
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
