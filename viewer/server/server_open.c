/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_open.c: the address, the port and the sockets of the server.
 */
#include "viewer/server/server_inside.h"

#include "common/assert.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OPEN_BACKLOG = 64 }; /* connections that wait to be accepted */

typedef union open_address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} open_address;

bool view_socket_prepare(int descriptor)
{
    CLUMP_ASSERT(descriptor >= 0);
    const int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

/* Reads a numeric address. Returns its size, 0 where it is none. */
static socklen_t read_address(const char *text, uint16_t port, open_address *out, bool *loopback)
{
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &out->four.sin_addr) == 1) {
        out->four.sin_family = AF_INET;
        out->four.sin_port = htons(port);
        *loopback = ntohl(out->four.sin_addr.s_addr) >> 24 == 127;
        return sizeof out->four;
    }
    if (inet_pton(AF_INET6, text, &out->six.sin6_addr) == 1) {
        out->six.sin6_family = AF_INET6;
        out->six.sin6_port = htons(port);
        /* ::ffff:127.0.0.1 is 127.0.0.1 */
        const struct in6_addr *const six = &out->six.sin6_addr;
        *loopback = IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127);
        return sizeof out->six;
    }
    return 0;
}

static clump_status fail(clump_message *message, const view_server_options *options, int why)
{
    if (!message) return CLUMP_ERR_IO_OPEN;
    char *const text = message->text;
    const size_t room = sizeof message->text;
    if (why == EADDRINUSE)
        snprintf(text, room, "port %u of %s is in use by another program", options->port, options->address);
    else if (why == EACCES || why == EPERM)
        snprintf(text, room, "port %u of %s is not permitted; ports from 1024 on need no special rights", options->port,
                 options->address);
    else if (why == EADDRNOTAVAIL)
        snprintf(text, room, "%s is no address of this machine", options->address);
    else
        snprintf(text, room, "port %u of %s cannot be opened: %s", options->port, options->address, strerror(why));
    return CLUMP_ERR_IO_OPEN;
}

/* Returns whether the socket listens at the address. errno says why not. */
static bool listen_at(int descriptor, const open_address *address, socklen_t size)
{
    const int on = 1; /* a port whose last connections are still being closed can be used */
    return view_socket_prepare(descriptor) && setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
           bind(descriptor, &address->any, size) == 0 && listen(descriptor, OPEN_BACKLOG) == 0;
}

static uint16_t port_of(int descriptor)
{
    open_address address;
    socklen_t size = sizeof address;
    if (getsockname(descriptor, &address.any, &size) != 0) return 0;
    return ntohs(address.any.sa_family == AF_INET6 ? address.six.sin6_port : address.four.sin_port);
}

clump_status view_server_listen(view_server *server, const view_server_options *options, clump_message *message)
{
    open_address address;
    const socklen_t size = read_address(options->address, options->port, &address, &server->loopback);
    if (size == 0) {
        if (message)
            snprintf(message->text, sizeof message->text, "'%.100s' is not a numeric IPv4 or IPv6 address",
                     options->address);
        return CLUMP_ERR_ARGUMENT;
    }
    snprintf(server->address, sizeof server->address, "%s", options->address);
    for (char *c = server->address; *c; c++)
        if (*c >= 'A' && *c <= 'F') *c = (char)(*c - 'A' + 'a');
    server->listener = socket(address.any.sa_family, SOCK_STREAM, 0);
    if (server->listener < 0 || !listen_at(server->listener, &address, size)) return fail(message, options, errno);
    server->port = port_of(server->listener);
    if (pipe(server->wake) != 0) return fail(message, options, errno);
    if (!view_socket_prepare(server->wake[0]) || !view_socket_prepare(server->wake[1]))
        return fail(message, options, errno);
    return CLUMP_OK;
}
