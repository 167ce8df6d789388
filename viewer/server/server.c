/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server.c: see server.h. One thread waits in poll() for all connections; no call of it blocks. Other threads leave a
 * packet under the lock and wake it through a pipe. Without connections it sleeps.
 */
#include "viewer/server/server_inside.h"

#include "common/assert.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- connections --------------------------------------------------------------------------------------- */

/* Returns a place for a connection. Where all are taken, the connection that lets others wait longest is to lose its own.
 * Null: none may. */
static view_connection *find_place(view_server *server, int64_t now)
{
    view_connection *slowest = NULL;
    int64_t longest = 0;
    for (view_connection *c = server->connections; c < server->connections + VIEW_CONNECTIONS; c++) {
        if (c->state == VIEW_UNUSED) return c;
        const int64_t patience = view_connection_patience(c, now);
        if (patience > longest) slowest = c, longest = patience;
    }
    return slowest;
}

/* Accepts all connections that wait and have a place. A request that is here already is answered at once. */
static void accept_all(view_server *server, int64_t now)
{
    for (int i = 0; i < VIEW_CONNECTIONS; i++) {
        view_connection *const place = find_place(server, now);
        if (!place) {
            server->accept_after = now + VIEW_GRACE_TIME;
            return;
        }
        const int descriptor = accept(server->listener, NULL, NULL);
        if (descriptor < 0) {
            const bool scarce = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
            if (scarce) server->accept_after = now + VIEW_TICK;
            if (errno == ECONNABORTED || errno == EINTR) continue;
            return;
        }
        if (!view_socket_prepare(descriptor)) {
            close(descriptor);
            continue;
        }
        view_connection_end(server, place);
        view_connection_begin(place, descriptor, now);
        view_connection_step(server, place, POLLIN, now);
    }
}

/* --- the thread ---------------------------------------------------------------------------------------- */

/* Takes all bytes out of the pipe. */
static void empty_pipe(int descriptor)
{
    char bytes[64];
    while (read(descriptor, bytes, sizeof bytes) > 0) continue;
}

/* Returns how long to sleep; -1: until something happens. */
static int sleep_time(const view_server *server, size_t used, int64_t now)
{
    if (server->end_at) {
        const int64_t left = server->end_at - now;
        return left <= 0 ? 0 : left < VIEW_TICK ? (int)left : VIEW_TICK;
    }
    if (server->accept_after > now) return (int)(server->accept_after - now);
    return used ? VIEW_TICK : -1;
}

/* Notes that the end has been asked for. Returns whether the thread is done. */
static bool ended(view_server *server, int64_t now)
{
    pthread_mutex_lock(&server->lock);
    const bool ending = server->ending;
    pthread_mutex_unlock(&server->lock);
    if (!ending) return false;
    if (!server->end_at) {
        server->end_at = now + VIEW_END_TIME;
        server->had_clients = atomic_load(&server->clients) + atomic_load(&server->foxglove) > 0;
    }
    bool any = false, sending = false;
    for (size_t i = 0; i < VIEW_CONNECTIONS; i++) {
        any = any || server->connections[i].state != VIEW_UNUSED;
        sending = sending || server->connections[i].state == VIEW_SENDING;
    }
    return now >= server->end_at || !any || (!server->had_clients && !sending);
}

/* Fills the list for poll(): the pipe, the listener, the connections. Returns the number of connections. */
static size_t list_polls(view_server *server, struct pollfd *polls, view_connection **polled, int64_t now)
{
    size_t used = 0;
    for (view_connection *c = server->connections; c < server->connections + VIEW_CONNECTIONS; c++) {
        if (c->state == VIEW_UNUSED) continue;
        CLUMP_ASSERT(used < VIEW_CONNECTIONS);
        polls[2 + used] = (struct pollfd){.fd = c->socket, .events = view_connection_polls(c)};
        polled[used++] = c;
    }
    polls[0] = (struct pollfd){.fd = server->wake[0], .events = POLLIN};
    polls[1] = (struct pollfd){.fd = server->accept_after > now ? -1 : server->listener, .events = POLLIN};
    return used;
}

static void *serve(void *given)
{
    view_server *const server = given;
    struct pollfd polls[2 + VIEW_CONNECTIONS];
    view_connection *polled[VIEW_CONNECTIONS];
    int64_t now = now_ms();
    while (!ended(server, now)) {
        for (size_t i = 0; i < VIEW_CONNECTIONS; i++) view_connection_tick(server, &server->connections[i], now);
        const size_t used = list_polls(server, polls, polled, now);
        const int ready = poll(polls, 2 + used, sleep_time(server, used, now));
        now = now_ms();
        if (ready <= 0) continue;
        if (polls[0].revents) empty_pipe(server->wake[0]);
        for (size_t i = 0; i < used; i++)
            if (polls[2 + i].revents) view_connection_step(server, polled[i], polls[2 + i].revents, now);
        if (polls[1].revents) accept_all(server, now);
    }
    for (size_t i = 0; i < VIEW_CONNECTIONS; i++) view_connection_end(server, &server->connections[i]);
    return NULL;
}

/* --- public -------------------------------------------------------------------------------------------- */

static void close_descriptor(int descriptor)
{
    if (descriptor >= 0) close(descriptor);
}

static void release(view_server *server)
{
    close_descriptor(server->listener);
    close_descriptor(server->wake[0]);
    close_descriptor(server->wake[1]);
    for (size_t i = 0; i < VIEW_BODY_KINDS; i++) view_body_leave(server, server->newest[i]);
    for (size_t i = 0; i < server->channel_count; i++) {
        free(server->channels[i].topic);
        view_body_leave(server, server->channels[i].advertisement);
    }
    view_bytes_release(&server->making.bytes);
    free(server->page.data);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

static clump_status no_memory(clump_message *message)
{
    if (message) snprintf(message->text, sizeof message->text, "not enough memory for the server");
    return CLUMP_ERR_OUT_OF_MEMORY;
}

clump_status view_server_open(const view_server_options *options, view_server **out, clump_message *message)
{
    *out = NULL;
    view_server *const server = calloc(1, sizeof *server);
    if (!server) return no_memory(message);
    server->listener = server->wake[0] = server->wake[1] = -1;
    pthread_mutex_init(&server->lock, NULL);
    server->page = (view_body){.data = malloc(options->page_size + 1), .size = options->page_size, .users = 1};
    clump_status status = server->page.data ? CLUMP_OK : no_memory(message);
    if (status == CLUMP_OK) {
        if (options->page_size) memcpy(server->page.data, options->page, options->page_size);
        status = view_server_listen(server, options, message);
    }
    if (status == CLUMP_OK && pthread_create(&server->thread, NULL, serve, server) != 0) {
        if (message) snprintf(message->text, sizeof message->text, "the thread of the server could not be started");
        status = CLUMP_ERR_OUT_OF_MEMORY;
    }
    if (status == CLUMP_OK)
        *out = server;
    else
        release(server);
    return status;
}

uint16_t view_server_port(const view_server *server)
{
    return server->port;
}

size_t view_server_clients(const view_server *server)
{
    return atomic_load(&server->clients);
}

/* The pipe may be full: then the thread has not slept since, and will see the change. */
void view_server_wake(view_server *server)
{
    while (write(server->wake[1], "", 1) < 0 && errno == EINTR) continue;
}

bool view_server_publish(view_server *server, view_bytes *packet, const char *event)
{
    view_body *const body = calloc(1, sizeof *body), *const text = view_body_event(event);
    if (!body || !text) {
        free(body);
        if (text) free(text->data);
        free(text);
        return false;
    }
    *body = (view_body){.data = packet->data, .size = packet->size, .users = 1, .packet = true};
    *packet = (view_bytes){0};
    view_body_publish(server, VIEW_BODY_PACKET, body); /* before the event: clients fetch the packet after it */
    view_body_publish(server, VIEW_BODY_EVENT, text);
    return true;
}

void view_server_close(view_server *server)
{
    if (!server) return;
    pthread_mutex_lock(&server->lock);
    server->ending = true;
    pthread_mutex_unlock(&server->lock);
    view_server_wake(server);
    pthread_join(server->thread, NULL);
    release(server);
}
