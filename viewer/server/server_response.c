/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_response.c: which answer a request gets.
 */
#include "viewer/server/server_inside.h"

#include "common/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The page has its scripts, styles and pictures inside. It may connect to this server only. Its own policy (page.c) names
 * the two scripts that may run; both policies hold. */
#define RESPONSE_POLICY                                                                                                \
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "                 \
    "connect-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

static VIEW_PRINTF(2, 3) void put_head(view_connection *c, const char *format, ...)
{
    CLUMP_ASSERT(c->head_size < sizeof c->head);
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(c->head + c->head_size, sizeof c->head - c->head_size, format, list);
    va_end(list);
    if (size > 0) c->head_size += (size_t)size;
    if (c->head_size >= sizeof c->head) c->head_size = sizeof c->head - 1;
}

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {{101, "Switching Protocols"},
                   {200, "OK"},
                   {204, "No Content"},
                   {400, "Bad Request"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {426, "Upgrade Required"},
                   {431, "Request Header Fields Too Large"},
                   {501, "Not Implemented"},
                   {503, "Service Unavailable"},
                   {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].status == status) return reasons[i].reason;
    return "Error";
}

/* Begins the head: all that every answer has. */
static void begin_head(view_connection *c, int status)
{
    CLUMP_ASSERT(status >= 100 && status < 600);
    c->head_size = c->sent = 0;
    put_head(c, "HTTP/1.1 %d %s\r\n", status, reason_of(status));
    put_head(c, "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n");
    put_head(c, "Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: " RESPONSE_POLICY "\r\n");
    if (status == 405) put_head(c, "Allow: GET, HEAD\r\n");
    if (status == 426) put_head(c, "Sec-WebSocket-Version: 13\r\n");
    if (!c->keep) put_head(c, "Connection: close\r\n");
}

/* Answers with a status and, where there is one, a sentence. */
static void answer_status(view_connection *c, int status, bool head, const char *sentence)
{
    begin_head(c, status);
    if (sentence[0])
        put_head(c, "Content-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n", strlen(sentence));
    put_head(c, "\r\n%s", head ? "" : sentence);
}

static void refuse(view_connection *c, const view_request *request)
{
    static const struct {
        int status;
        const char *sentence;
    } sentences[] = {{405, "Only GET and HEAD are answered.\n"},
                     {426, "Upgrade Required"},
                     {431, "The head of a request may have 8192 bytes.\n"},
                     {501, "Requests with a body are not answered.\n"},
                     {505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.\n"}};
    const char *sentence = "This is not a request of HTTP.\n";
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        if (sentences[i].status == request->refusal) sentence = sentences[i].sentence;
    c->keep = false; /* where the next request begins is not known */
    answer_status(c, request->refusal, false, sentence);
}

/* Takes the body over, whose user the connection becomes. */
static void answer_body(view_server *server, view_connection *c, const char *type, view_body *body, bool head)
{
    begin_head(c, 200);
    put_head(c, "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n", type, body->size);
    if (head) {
        view_body_leave(server, body);
        return;
    }
    c->body = body;
    c->body_at = 0;
    c->body_size = body->size;
}

static void answer_page(view_server *server, view_connection *c, bool head)
{
    view_body_share(server, &server->page);
    answer_body(server, c, "text/html; charset=utf-8", &server->page, head);
}

static void answer_frame(view_server *server, view_connection *c, bool head)
{
    view_body *const body = view_body_newest(server, VIEW_BODY_PACKET, NULL);
    if (body)
        answer_body(server, c, "application/octet-stream", body, head);
    else
        answer_status(c, 204, head, "");
}

/* Makes the connection that of an event client. The head is sent at once, so that the browser knows it is connected. */
static void answer_events(view_server *server, view_connection *c, bool head)
{
    if (!head && atomic_load(&server->clients) >= VIEW_EVENT_CLIENTS) {
        answer_status(c, 503, head, "Too many pages are open.\n");
        return;
    }
    c->keep = false;
    begin_head(c, 200);
    put_head(c, "Content-Type: text/event-stream\r\n\r\n%s", head ? "" : "retry: 1000\n\n");
    if (head) return;
    c->events = true;
    atomic_fetch_add(&server->clients, 1);
}

/* Returns the first of the client's subprotocols that is spoken here; null: none. */
static const char *choose_protocol(view_words list)
{
    static const char *const spoken[] = {"foxglove.websocket.v1", "foxglove.sdk.v1"};
    view_words one;
    for (bool more = list.text != NULL; more;) {
        more = view_words_split(&list, ',', &one);
        if (!more) one = list;
        for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++)
            if (view_words_are(view_words_trim(one), spoken[i])) return spoken[i];
    }
    return NULL;
}

/* Makes the connection that of a client of Foxglove, or says why not. */
static void answer_upgrade(view_server *server, view_connection *c, const view_request *request)
{
    char key[VIEW_SOCKET_ACCEPT];
    const char *const protocol = choose_protocol(request->protocols);
    c->keep = false;
    if (server->loopback && !view_origin_is_trusted(request->origin, server->address))
        answer_status(c, 403, request->head, "Pages of other sites may not connect.\n");
    else if (!request->version)
        answer_status(c, 426, request->head, "Only version 13 of WebSocket is spoken here.\n");
    else if (request->head || !protocol || !view_socket_accept(request->key, key))
        answer_status(c, 400, request->head, "WebSocket needs a key, and foxglove.websocket.v1 or foxglove.sdk.v1.\n");
    else if (atomic_load(&server->foxglove) >= VIEW_FOXGLOVE_CLIENTS)
        answer_status(c, 503, request->head, "Too many clients are connected.\n");
    else {
        c->head_size = c->sent = 0;
        put_head(c, "HTTP/1.1 101 %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n", reason_of(101));
        put_head(c, "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n", key, protocol);
        c->foxglove = true;
        atomic_fetch_add(&server->foxglove, 1);
    }
}

void view_respond(view_server *server, view_connection *c, const view_request *request)
{
    c->keep = request->keep;
    if (request->refusal)
        refuse(c, request);
    else if (server->loopback && !view_host_is_local(request->host, server->address))
        answer_status(c, 403, request->head, "This server answers to localhost only.\n");
    else if (request->upgrade && view_words_are(request->path, "/"))
        answer_upgrade(server, c, request);
    else if (view_words_are(request->path, "/"))
        answer_page(server, c, request->head);
    else if (view_words_are(request->path, "/frame"))
        answer_frame(server, c, request->head);
    else if (view_words_are(request->path, "/events"))
        answer_events(server, c, request->head);
    else if (view_words_are(request->path, "/favicon.ico"))
        answer_status(c, 204, request->head, "");
    else
        answer_status(c, 404, request->head, "There is no such page.\n");
}
