/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metadata.c: the JSON text of an Ouster sensor, from the sensor itself: see wire.h. Plain HTTP/1.0: the answer ends with the
 * connection.
 */
#include "wire/wire.h"

#include "sensors/json.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { METADATA_MOST = 1 << 20, METADATA_HTTP = 80, METADATA_LIDAR = 7502 };
#define METADATA_TIME INT64_C(5000000000) /* nanoseconds for all of it */
static const char metadata_path[] = "/api/v1/sensor/metadata";

/* A conversation with the sensor. */
typedef struct metadata_talk {
    const clump_io_where *where;
    const clump_io_wire *wire;
    const char *host;
    int file;
    int64_t end; /* when it has taken too long */
} metadata_talk;

/* Waits until the socket can be read or written. */
static clump_status wait_for(const metadata_talk *t, short events)
{
    for (;;) {
        struct pollfd ready = {.fd = t->file, .events = events};
        const bool is_ready = poll(&ready, 1, CLUMP_IO_WAIT / 1000000) > 0;
        if (clump_io_now(CLOCK_MONOTONIC) > t->end) /* first: a byte now and then does not prolong the time */
            return clump_io_fail(t->where, CLUMP_ERR_IO_OPEN, "%s does not answer by HTTP", t->host);
        if (!clump_io_wire_goes_on(t->wire)) return clump_io_fail(t->where, CLUMP_ERR_CANCELLED, "cancelled");
        if (is_ready) return CLUMP_OK;
    }
}

static clump_status connect_to(metadata_talk *t, uint32_t address, uint16_t port)
{
    t->file = socket(AF_INET, SOCK_STREAM, 0);
    if (t->file < 0) return clump_io_fail_errno(t->where, CLUMP_ERR_IO_OPEN, "cannot make a socket", errno);
    fcntl(t->file, F_SETFD, FD_CLOEXEC);
    fcntl(t->file, F_SETFL, O_NONBLOCK);
    const struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = address};
    int error = 0;
    if (connect(t->file, (const struct sockaddr *)&at, sizeof at) != 0) error = errno;
    if (error == EINPROGRESS) {
        socklen_t size = sizeof error;
        CLUMP_IO_TRY(wait_for(t, POLLOUT));
        if (getsockopt(t->file, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    }
    return error ? clump_io_fail_errno(t->where, CLUMP_ERR_IO_OPEN, "the sensor cannot be asked by HTTP", error)
                 : CLUMP_OK;
}

static clump_status ask(const metadata_talk *t)
{
    char request[512];
    const int size =
        snprintf(request, sizeof request, "GET %s HTTP/1.0\r\nHost: %.200s\r\nAccept: application/json\r\n\r\n",
                 metadata_path, t->host);
    for (int sent = 0; sent < size;) {
        CLUMP_IO_TRY(wait_for(t, POLLOUT));
        const ssize_t now = send(t->file, request + sent, (size_t)(size - sent), MSG_NOSIGNAL);
        if (now < 0 && errno != EAGAIN && errno != EINTR)
            return clump_io_fail_errno(t->where, CLUMP_ERR_IO_OPEN, "the sensor cannot be asked by HTTP", errno);
        if (now > 0) sent += (int)now;
    }
    return CLUMP_OK;
}

/* Reads the whole answer. It ends with 0. */
static clump_status listen_to(const metadata_talk *t, clump_io_bytes *answer)
{
    for (;;) {
        CLUMP_IO_TRY(clump_io_bytes_reserve(t->where, answer, answer->size + 16384));
        CLUMP_IO_TRY(wait_for(t, POLLIN));
        const ssize_t now = recv(t->file, answer->data + answer->size, answer->capacity - answer->size - 1, 0);
        if (now < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (now < 0)
            return clump_io_fail_errno(t->where, CLUMP_ERR_IO_READ, "the sensor's answer cannot be read", errno);
        answer->size += (size_t)now;
        answer->data[answer->size] = 0;
        if (now == 0) return CLUMP_OK;
        if (answer->size > METADATA_MOST)
            return clump_io_fail(t->where, CLUMP_ERR_IO_UNSUPPORTED, "the sensor's answer is longer than %d bytes",
                                 METADATA_MOST);
    }
}

/* Finds the text behind the head of the answer. */
static clump_status take_body(const metadata_talk *t, clump_io_bytes *answer, char **text, size_t *size)
{
    const char *const all = (const char *)answer->data;
    const char *const body = strstr(all, "\r\n\r\n");
    const char *const space = strchr(all, ' ');
    if (!body || strncmp(all, "HTTP/1.", 7) != 0 || !space)
        return clump_io_fail(t->where, CLUMP_ERR_IO_FORMAT, "%s does not speak HTTP", t->host);
    if (strncmp(space + 1, "200", 3) != 0)
        return clump_io_fail(t->where, CLUMP_ERR_IO_OPEN,
                             "%s answers %.3s for %s: it is no Ouster sensor, or its firmware is older than 2.1",
                             t->host, space + 1, metadata_path);
    *size = answer->size - (size_t)(body + 4 - all);
    *text = malloc(*size + 1);
    if (!*text) return clump_io_no_memory(t->where, *size + 1);
    memcpy(*text, body + 4, *size + 1);
    return CLUMP_OK;
}

/* Finds the port that the sensor sends its packets to. */
static clump_status find_port(const metadata_talk *t, const char *text, size_t size, uint16_t *port)
{
    clump_io_json root, value;
    int64_t number = METADATA_LIDAR;
    CLUMP_IO_TRY(clump_io_json_parse(t->where, text, size, &root));
    if (clump_io_json_find(root, "config_params.udp_port_lidar", &value) ||
        clump_io_json_find(root, "udp_port_lidar", &value))
        if (!clump_io_json_integer(value, 1, 65535, &number)) number = METADATA_LIDAR;
    *port = (uint16_t)number;
    return CLUMP_OK;
}

clump_status clump_io_wire_metadata_get(const clump_io_where *where, const clump_io_wire *wire,
                                        const clump_io_wire_url *url, char **text, size_t *size, uint16_t *port)
{
    *text = NULL;
    metadata_talk t = {where, wire, url->host, -1, clump_io_now(CLOCK_MONOTONIC) + METADATA_TIME};
    clump_io_bytes answer = {0};
    uint32_t address;
    clump_status status = clump_io_wire_find_host(where, url->host, &address);
    if (status == CLUMP_OK) status = connect_to(&t, address, url->port_count ? url->ports[0] : METADATA_HTTP);
    if (status == CLUMP_OK) status = ask(&t);
    if (status == CLUMP_OK) status = listen_to(&t, &answer);
    if (status == CLUMP_OK) status = take_body(&t, &answer, text, size);
    if (status == CLUMP_OK) status = find_port(&t, *text, *size, port);
    if (status != CLUMP_OK) free(*text), *text = NULL;
    clump_io_bytes_release(&answer);
    if (t.file >= 0) close(t.file);
    return status;
}
