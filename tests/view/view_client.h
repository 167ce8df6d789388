/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_client.h: a client of the live server for tests: sends bytes as they are and reads answers, with a time limit per
 * call. Include after check.h.
 */
#ifndef CLUMP_TESTS_VIEW_CLIENT_H
#define CLUMP_TESTS_VIEW_CLIENT_H

#include "viewer/server/server_inside.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CLIENT_LIMIT = 20000 }; /* milliseconds; a sanitizer is slow */

static const char client_page[] = "<!doctype html><title>page</title>";

/* Returns a server on a free port of this machine with client_page. */
static inline view_server *client_server(void)
{
    view_server *server = NULL;
    clump_message message = {{0}};
    const view_server_options options = {
        .address = "127.0.0.1", .page = client_page, .page_size = sizeof client_page - 1};
    const clump_status status = view_server_open(&options, &server, &message);
    CHECK_MSG(status == CLUMP_OK, "%s", message.text);
    if (!server) exit(1);
    return server;
}

static inline int64_t client_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline void client_sleep(int milliseconds)
{
    poll(NULL, 0, milliseconds);
}

/* Returns a connected socket. receive_room: bytes of the receive buffer, 0 for the default. */
static inline int client_connect_small(const view_server *server, int receive_room)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(view_server_port(server))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    if (receive_room) setsockopt(s, SOL_SOCKET, SO_RCVBUF, &receive_room, sizeof receive_room);
    CHECK(s >= 0 && connect(s, (const struct sockaddr *)&address, sizeof address) == 0);
    return s;
}

static inline int client_connect(const view_server *server)
{
    return client_connect_small(server, 0);
}

/* Sends all bytes; the server may close in between. */
static inline void client_send(int s, const void *bytes, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        const ssize_t done = send(s, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL);
        if (done <= 0) return;
        sent += (size_t)done;
    }
}

static inline void client_say(int s, const char *text)
{
    client_send(s, text, strlen(text));
}

/* Reads some bytes. Returns their number, 0 at the end, -1 for a reset or after `limit` milliseconds. */
static inline ssize_t client_read(int s, void *to, size_t room, int limit)
{
    struct pollfd p = {.fd = s, .events = POLLIN};
    if (poll(&p, 1, limit) != 1) return -1;
    return recv(s, to, room, 0);
}

/* An answer with a head and a body. */
typedef struct client_answer {
    int status; /* 0: none came */
    char head[2048];
    unsigned char *body; /* for free() */
    size_t size;
} client_answer;

/* Reads one answer byte by byte up to the blank line, then its body by Content-Length. */
static inline client_answer client_receive(int s, bool has_body)
{
    client_answer a = {0};
    size_t size = 0;
    while (size + 1 < sizeof a.head && client_read(s, a.head + size, 1, CLIENT_LIMIT) == 1) {
        a.head[++size] = '\0';
        if (size >= 4 && strcmp(a.head + size - 4, "\r\n\r\n") == 0) break;
    }
    if (sscanf(a.head, "HTTP/1.1 %d ", &a.status) != 1) return a;
    const char *const length = strstr(a.head, "Content-Length: ");
    const size_t expected = length && has_body ? (size_t)strtoul(length + 16, NULL, 10) : 0;
    a.body = malloc(expected + 1);
    while (a.size < expected) {
        const ssize_t done = client_read(s, a.body + a.size, expected - a.size, CLIENT_LIMIT);
        if (done <= 0) break;
        a.size += (size_t)done;
    }
    a.body[a.size] = '\0';
    if (a.size != expected) a.status = 0;
    return a;
}

/* Sends a request over a connection of its own and returns the answer. */
static inline client_answer client_ask(const view_server *server, const char *request)
{
    const int s = client_connect(server);
    client_say(s, request);
    const client_answer answer = client_receive(s, strncmp(request, "HEAD", 4) != 0);
    close(s);
    return answer;
}

/* Returns the status of the answer to a request. */
static inline int client_status(const view_server *server, const char *request)
{
    const client_answer a = client_ask(server, request);
    free(a.body);
    return a.status;
}

static inline int client_get(const view_server *server, const char *path)
{
    char request[256];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:1\r\n\r\n", path);
    return client_status(server, request);
}

/* Reads lines of events until one contains the text. False: the connection ended, or the time. */
static inline bool client_wait_text(int s, const char *text)
{
    char line[512];
    size_t size = 0;
    for (char c; client_read(s, &c, 1, CLIENT_LIMIT) == 1;) {
        if (size + 1 < sizeof line) line[size++] = c;
        line[size] = '\0';
        if (strstr(line, text)) return true;
        if (c == '\n') size = 0;
    }
    return false;
}

/* Returns a connected event client whose head has been read. */
static inline int client_events(const view_server *server)
{
    const int s = client_connect(server);
    client_say(s, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(client_wait_text(s, "retry: "));
    return s;
}

/* --- WebSocket -------------------------------------------------------------------------------------------- */

/* Sends a frame with a mask. first: its first byte, FIN and opcode. */
static inline void client_send_frame(int s, int first, const void *payload, size_t size)
{
    static const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
    unsigned char *const frame = malloc(size + 14);
    size_t head = view_socket_head(frame, first & 15, size);
    frame[0] = (unsigned char)first;
    frame[1] |= 0x80;
    for (size_t i = 0; i < 4; i++) frame[head++] = mask[i];
    for (size_t i = 0; i < size; i++) frame[head + i] = ((const unsigned char *)payload)[i] ^ mask[i & 3];
    client_send(s, frame, head + size);
    free(frame);
}

static inline void client_send_text(int s, const char *text)
{
    client_send_frame(s, 0x81, text, strlen(text));
}

/* Reads exactly so many bytes. */
static inline bool client_read_all(int s, void *to, size_t size)
{
    for (size_t got = 0; got < size;) {
        const ssize_t done = client_read(s, (char *)to + got, size - got, CLIENT_LIMIT);
        if (done <= 0) return false;
        got += (size_t)done;
    }
    return true;
}

/* A frame from the server; opcode -1: the connection has ended. */
typedef struct client_frame {
    int opcode;
    unsigned char *data; /* for free(), with a 0 behind */
    size_t size;
} client_frame;

static inline client_frame client_read_frame(int s)
{
    client_frame f = {.opcode = -1};
    unsigned char head[10];
    if (!client_read_all(s, head, 2)) return f;
    const int more = head[1] == 127 ? 8 : head[1] == 126 ? 2 : 0;
    CHECK((head[0] & 0xf0) == 0x80 && head[1] < 128);
    if (!client_read_all(s, head + 2, (size_t)more)) return f;
    f.size = more ? 0 : head[1];
    for (int i = 0; i < more; i++) f.size = f.size << 8 | head[2 + i];
    f.data = calloc(1, f.size + 1);
    if (client_read_all(s, f.data, f.size)) f.opcode = head[0] & 15;
    return f;
}

/* Reads a frame and frees it. Returns whether it is a text that contains these words. */
static inline bool client_hears(int s, const char *words)
{
    const client_frame f = client_read_frame(s);
    const bool right = f.opcode == VIEW_SOCKET_TEXT && strstr((const char *)f.data, words);
    CHECK_MSG(right, "opcode %d: %s", f.opcode, f.data ? (const char *)f.data : "");
    free(f.data);
    return right;
}

/* Reads frames up to a close. Returns its code; -1: none came. */
static inline int client_close_code(int s)
{
    for (;;) {
        const client_frame f = client_read_frame(s);
        const int code = f.opcode == VIEW_SOCKET_CLOSE && f.size >= 2 ? f.data[0] << 8 | f.data[1] : -1;
        free(f.data);
        if (f.opcode == VIEW_SOCKET_CLOSE || f.opcode == -1) return code;
    }
}

/* Asks for an upgrade, with further lines of the head. Returns the answer. */
static inline client_answer client_upgrade(int s, const char *lines)
{
    char request[1024];
    snprintf(request, sizeof request,
             "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
             lines);
    client_say(s, request);
    return client_receive(s, true);
}

/* Returns a connected client of Foxglove that has read serverInfo. receive_room: as for client_connect_small(). */
static inline int client_foxglove(const view_server *server, int receive_room)
{
    const int s = client_connect_small(server, receive_room);
    const client_answer a =
        client_upgrade(s, "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n");
    CHECK_INT(a.status, 101);
    free(a.body);
    CHECK(client_hears(s, "\"op\":\"serverInfo\""));
    return s;
}

/* Publishes a frame for Foxglove: `topics` messages of `size` bytes, all `value`. */
static inline void client_send_messages(view_server *server, int value, int topics, size_t size)
{
    static const char *const names[] = {"/points", "/boxes", "/tf"};
    char *const bytes = malloc(size);
    memset(bytes, value, size);
    for (int i = 0; i < topics; i++) {
        const view_message message = {names[i], "pkg/msg/Type", "uint8 \"x\"\n", bytes, size};
        CHECK(view_server_add(server, &message));
    }
    CHECK(view_server_send(server, value));
    free(bytes);
}

/* Publishes a packet of `size` bytes, all `value`. */
static inline void client_publish(view_server *server, int value, size_t size)
{
    char event[64];
    view_bytes packet = {.data = malloc(size), .size = size, .room = size};
    memset(packet.data, value, size);
    snprintf(event, sizeof event, "{\"frame\":%d}", value);
    CHECK(view_server_publish(server, &packet, event));
    CHECK(packet.data == NULL);
}

/* Waits until the number of event clients is as expected. */
static inline bool client_count_becomes(const view_server *server, size_t count)
{
    const int64_t end = client_now() + CLIENT_LIMIT;
    while (view_server_clients(server) != count && client_now() < end) client_sleep(5);
    return view_server_clients(server) == count;
}

static inline bool client_foxglove_becomes(const view_server *server, size_t count)
{
    const int64_t end = client_now() + CLIENT_LIMIT;
    while (view_server_foxglove(server) != count && client_now() < end) client_sleep(5);
    return view_server_foxglove(server) == count;
}

#endif
