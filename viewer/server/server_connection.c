/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_connection.c: one connection: what it receives, sends and waits for. Only the thread of the server calls this.
 */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* SO_NOSIGPIPE */
#endif
#include "viewer/server/server_inside.h"

#include "common/assert.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTION_SEND = 256 * 1024,   /* bytes per step: other connections wait so long */
    CONNECTION_BUFFER = 128 * 1024, /* bytes that wait in the kernel: progress is seen when a third of them has gone */
    CONNECTION_EVENT_BUFFER = 4096, /* bytes of events that wait in the kernel: an old event is of no use */
};

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SO_NOSIGPIPE instead */
#endif

void view_connection_begin(view_connection *c, int descriptor, int64_t now)
{
    CLUMP_ASSERT(descriptor >= 0 && c->state == VIEW_UNUSED);
    const int on = 1, room = CONNECTION_BUFFER;
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    *c = (view_connection){.state = VIEW_READING, .socket = descriptor, .since = now, .marked = now};
}

void view_connection_end(view_server *server, view_connection *c)
{
    if (c->state == VIEW_UNUSED) return;
    if (c->events) atomic_fetch_sub(&server->clients, 1);
    if (c->foxglove) atomic_fetch_sub(&server->foxglove, 1);
    view_body_leave(server, c->body);
    view_body_leave(server, c->frame);
    c->body = c->frame = NULL;
    close(c->socket);
    c->state = VIEW_UNUSED;
}

short view_connection_polls(const view_connection *c)
{
    return c->state == VIEW_SENDING ? POLLOUT : POLLIN;
}

/* --- receive ------------------------------------------------------------------------------------------- */

static bool would_wait(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* Begins to send what head and body hold. */
static void begin_to_send(view_connection *c, int64_t now)
{
    c->state = VIEW_SENDING;
    c->since = c->marked = now;
    c->sent_before = 0;
}

/* Answers the request in c->in, if it is complete. */
static void answer(view_server *server, view_connection *c, int64_t now)
{
    const view_request request = view_request_read(c->in, c->in_size);
    if (!request.size && !request.refusal) return;
    view_respond(server, c, &request);
    CLUMP_ASSERT(request.size <= c->in_size);
    c->in_size -= request.size;
    memmove(c->in, c->in + request.size, c->in_size);
    begin_to_send(c, now);
}

static void receive(view_server *server, view_connection *c, int64_t now)
{
    CLUMP_ASSERT(c->state == VIEW_READING && c->in_size < sizeof c->in);
    const ssize_t size = recv(c->socket, c->in + c->in_size, sizeof c->in - c->in_size, 0);
    if (size < 0 && would_wait()) return;
    if (size <= 0) {
        view_connection_end(server, c);
        return;
    }
    if (c->idle) c->since = now; /* the time of the request begins */
    c->idle = false;
    c->in_size += (size_t)size;
    answer(server, c, now);
}

/* Receives and forgets. The client closes when it has read the answer; a close from this side while bytes of it are
 * unread would destroy the answer. */
static void drain(view_server *server, view_connection *c)
{
    CLUMP_ASSERT(c->state == VIEW_DRAINING);
    const ssize_t size = recv(c->socket, c->in, sizeof c->in, 0);
    if (size == 0 || (size < 0 && !would_wait())) view_connection_end(server, c);
}

/* --- clients of Foxglove -------------------------------------------------------------------------------- */

/* Adds a frame to its message, and hears the whole message. Returns the code to close with, or 0. */
static int hear_data(view_server *server, view_connection *c, const view_socket_frame *frame)
{
    const bool first = frame->opcode != VIEW_SOCKET_CONTINUED;
    if (first == c->in_message) return VIEW_SOCKET_FORGED; /* continues none, or begins one inside another */
    if (first) {
        c->in_text = frame->opcode == VIEW_SOCKET_TEXT;
        c->text_size = 0;
    }
    c->in_message = !frame->last;
    if (!c->in_text) return 0;
    if (frame->payload.size > sizeof c->text - c->text_size) return VIEW_SOCKET_TOO_LARGE;
    if (frame->payload.size) memcpy(c->text + c->text_size, frame->payload.text, frame->payload.size);
    c->text_size += frame->payload.size;
    if (frame->last) view_foxglove_hear(server, c, (view_words){c->text, c->text_size});
    return 0;
}

/* Does what one frame of the client asks for. Of several pings, the last is answered. */
static void hear_frame(view_server *server, view_connection *c, const view_socket_frame *frame)
{
    if (frame->opcode == VIEW_SOCKET_CLOSE)
        c->close_code = VIEW_SOCKET_DONE;
    else if (frame->opcode == VIEW_SOCKET_PING) {
        CLUMP_ASSERT(frame->payload.size <= sizeof c->pong);
        memcpy(c->pong, frame->payload.text, frame->payload.size);
        c->pong_size = frame->payload.size;
        c->has_pong = true;
    } else if (frame->opcode != VIEW_SOCKET_PONG)
        c->close_code = hear_data(server, c, frame);
}

/* Reads what the client has sent, without waiting. False: the connection has ended. */
static bool hear(view_server *server, view_connection *c)
{
    const ssize_t size = recv(c->socket, c->in + c->in_size, sizeof c->in - c->in_size, 0);
    if (size == 0 || (size < 0 && !would_wait())) {
        view_connection_end(server, c);
        return false;
    }
    if (size > 0) c->in_size += (size_t)size;
    size_t read = 0;
    while (!c->close_code) {
        const view_socket_frame frame = view_socket_read(c->in + read, c->in_size - read);
        c->close_code = frame.refusal;
        if (frame.refusal || !frame.size) break;
        hear_frame(server, c, &frame);
        read += frame.size;
    }
    c->in_size = c->close_code ? 0 : c->in_size - read;
    memmove(c->in, c->in + read, c->in_size);
    CLUMP_ASSERT(c->in_size < sizeof c->in);
    return true;
}

/* Hears the client, then lets it be sent what is next. */
static void serve_foxglove(view_server *server, view_connection *c, int64_t now)
{
    if (c->told_end) { /* a close has been sent */
        shutdown(c->socket, SHUT_WR);
        c->state = VIEW_DRAINING;
    } else if (hear(server, c)) {
        const bool pulse = c->state == VIEW_WAITING && now - c->since >= VIEW_PULSE_TIME;
        if (view_foxglove_next(server, c, pulse))
            begin_to_send(c, now);
        else
            c->state = VIEW_WAITING;
    }
}

/* --- send ---------------------------------------------------------------------------------------------- */

/* Lets the connection send the next event, if there is one. */
static void next_event(view_server *server, view_connection *c, int64_t now)
{
    CLUMP_ASSERT(c->events && !c->body);
    uint64_t number = 0;
    view_body *const event = view_body_newest(server, VIEW_BODY_EVENT, &number);
    c->head_size = c->sent = 0;
    if (event && number != c->event) {
        c->body = event;
        c->body_at = 0;
        c->body_size = event->size;
        c->event = number;
    } else {
        view_body_leave(server, event);
        const bool end = server->end_at != 0 && !c->told_end;
        const char *const text = end ? "event: end\ndata: {}\n\n" : now - c->since >= VIEW_PULSE_TIME ? ":\n\n" : "";
        c->told_end = c->told_end || end;
        c->head_size = strlen(text);
        CLUMP_ASSERT(c->head_size <= sizeof c->head);
        memcpy(c->head, text, c->head_size);
    }
    if (c->body || c->head_size)
        begin_to_send(c, now);
    else
        c->state = VIEW_WAITING;
}

/* All of the answer has been sent. */
static void finish(view_server *server, view_connection *c, int64_t now)
{
    view_body_leave(server, c->body);
    c->body = NULL;
    if (c->foxglove) {
        serve_foxglove(server, c, now);
    } else if (c->events) {
        const int room = CONNECTION_EVENT_BUFFER;
        if (c->event == 0) setsockopt(c->socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
        next_event(server, c, now);
    } else if (c->keep) {
        c->state = VIEW_READING;
        c->idle = c->in_size == 0;
        c->head_size = c->sent = 0;
        answer(server, c, now); /* the next request may be here already */
    } else {
        shutdown(c->socket, SHUT_WR);
        c->state = VIEW_DRAINING;
    }
}

/* Sends a part of head and body. */
static void send_part(view_server *server, view_connection *c, int64_t now)
{
    const size_t all = c->head_size + (c->body ? c->body_size : 0);
    CLUMP_ASSERT(c->state == VIEW_SENDING && c->head_size <= sizeof c->head && c->sent <= all);
    const bool in_head = c->sent < c->head_size;
    const void *const from = in_head   ? (const void *)(c->head + c->sent)
                             : c->body ? (const void *)(c->body->data + c->body_at + (c->sent - c->head_size))
                                       : NULL;
    size_t size = (in_head ? c->head_size : all) - c->sent;
    if (size > CONNECTION_SEND) size = CONNECTION_SEND;
    const ssize_t done = size ? send(c->socket, from, size, MSG_NOSIGNAL) : 0;
    if (done < 0 && would_wait()) return;
    if (done < 0) {
        view_connection_end(server, c);
        return;
    }
    c->sent += (size_t)done;
    c->since = now;
    if (c->sent == all) finish(server, c, now);
}

/* --- steps --------------------------------------------------------------------------------------------- */

void view_connection_step(view_server *server, view_connection *c, short polled, int64_t now)
{
    if (polled & (POLLERR | POLLNVAL))
        view_connection_end(server, c);
    else if (c->state == VIEW_READING && polled & (POLLIN | POLLHUP))
        receive(server, c, now);
    else if (c->state == VIEW_SENDING && polled & POLLOUT)
        send_part(server, c, now);
    else if (c->state == VIEW_DRAINING && polled & (POLLIN | POLLHUP))
        drain(server, c);
    else if (c->foxglove && c->state == VIEW_WAITING && polled & (POLLIN | POLLHUP))
        serve_foxglove(server, c, now);
    else if (polled & (POLLIN | POLLHUP)) /* an event client has closed, or sends what no browser sends */
        view_connection_end(server, c);
}

/* Whether an answer is slower than it may be in the long run. */
static bool is_slow(const view_connection *c, int64_t now)
{
    return (int64_t)(c->sent - c->sent_before) * VIEW_SEND_TIME < VIEW_SEND_LEAST * (now - c->marked);
}

int64_t view_connection_patience(const view_connection *c, int64_t now)
{
    const int64_t still = now - c->since;
    const bool silent = c->state == VIEW_READING || c->state == VIEW_DRAINING;
    if (silent) return still > VIEW_GRACE_TIME ? VIEW_IDLE_TIME + VIEW_SEND_TIME + still : 0;
    if (c->state != VIEW_SENDING || now - c->marked <= VIEW_STALL_TIME) return 0;
    return still > VIEW_STALL_TIME || is_slow(c, now) ? 1 + still : 0;
}

/* Ends an answer that has made too little progress in the last VIEW_SEND_TIME. */
static bool check_progress(view_server *server, view_connection *c, int64_t now)
{
    if (c->state != VIEW_SENDING || now - c->marked <= VIEW_SEND_TIME) return true;
    const bool enough = c->sent - c->sent_before >= VIEW_SEND_LEAST;
    if (!enough) view_connection_end(server, c);
    c->marked = now;
    c->sent_before = c->sent;
    return enough;
}

void view_connection_tick(view_server *server, view_connection *c, int64_t now)
{
    static const int limits[] = {
        [VIEW_READING] = VIEW_REQUEST_TIME, [VIEW_SENDING] = VIEW_SEND_TIME, [VIEW_DRAINING] = VIEW_DRAIN_TIME};
    if (c->state == VIEW_WAITING && c->events) next_event(server, c, now);
    if (c->state == VIEW_WAITING && c->foxglove) serve_foxglove(server, c, now);
    if (c->state == VIEW_UNUSED || c->state == VIEW_WAITING || !check_progress(server, c, now)) return;
    const int limit = c->idle && c->state == VIEW_READING ? VIEW_IDLE_TIME : limits[c->state];
    if (now - c->since > limit) view_connection_end(server, c);
}
