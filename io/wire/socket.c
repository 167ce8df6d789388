/* SPDX-License-Identifier: BSD-3-Clause
 *
 * socket.c: a socket that receives: see wire.h.
 */
#define _GNU_SOURCE /* SO_TIMESTAMPNS, SO_RXQ_OVFL, struct ip_mreqn */
#include "wire/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Says why the socket cannot be bound. */
static clump_status cannot_bind(const clump_io_where *where, uint16_t port, int error)
{
    if (error == EADDRINUSE)
        return clump_io_fail(where, CLUMP_ERR_IO_OPEN, "port %u is in use by another program", (unsigned)port);
    if (error == EACCES || error == EPERM)
        return clump_io_fail(where, CLUMP_ERR_IO_OPEN, "there is no permission for port %u", (unsigned)port);
    if (error == EADDRNOTAVAIL)
        return clump_io_fail(
            where, CLUMP_ERR_IO_OPEN,
            "this machine does not have the address; ':%u' without an address takes packets for all of them",
            (unsigned)port);
    return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot listen", error);
}

static clump_status join(const clump_io_where *where, int file, uint32_t group, unsigned interface)
{
    const struct ip_mreqn wanted = {.imr_multiaddr.s_addr = group, .imr_ifindex = (int)interface};
    if (setsockopt(file, IPPROTO_IP, IP_ADD_MEMBERSHIP, &wanted, sizeof wanted) == 0) return CLUMP_OK;
    if (errno == ENODEV || errno == EADDRNOTAVAIL || errno == ENETUNREACH)
        return clump_io_fail(where, CLUMP_ERR_IO_OPEN,
                             "no network takes multicast; --interface NAME says which one has the sensor");
    return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot join the multicast group", errno);
}

/* Asks for a large buffer, time stamps and the count of drops. A kernel that refuses one of them is no failure. */
static void set_options(int file, size_t *buffer)
{
    const int wanted = CLUMP_IO_WIRE_BUFFER, on = 1;
    int granted = 0;
    socklen_t size = sizeof granted;
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
    if (getsockopt(file, SOL_SOCKET, SO_RCVBUF, &granted, &size) == 0) *buffer = (size_t)granted / 2;
    setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(file, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
}

static clump_status set_up(const clump_io_where *where, int file, uint32_t address, const char *interface,
                           uint16_t *port, size_t *buffer)
{
    const bool multicast = clump_io_wire_is_multicast(address);
    const unsigned index = interface ? if_nametoindex(interface) : 0;
    const int on = 1;
    if (interface && !index)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "there is no network interface %s", interface);
    set_options(file, buffer);
    if (multicast) setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on); /* several programs may listen */
    if (interface && !multicast &&
        setsockopt(file, SOL_SOCKET, SO_BINDTODEVICE, interface, (socklen_t)strlen(interface) + 1) != 0)
        return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot bind to the interface", errno);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = address};
    if (bind(file, (const struct sockaddr *)&at, sizeof at) != 0) return cannot_bind(where, *port, errno);
    socklen_t size = sizeof at;
    if (getsockname(file, (struct sockaddr *)&at, &size) == 0) *port = ntohs(at.sin_port);
    return multicast ? join(where, file, address, index) : CLUMP_OK;
}

clump_status clump_io_wire_socket_open(const clump_io_where *where, uint32_t address, const char *interface,
                                       uint16_t *port, size_t *buffer, int *file)
{
    *buffer = 0;
    *file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*file < 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot make a socket", errno);
    return set_up(where, *file, address, interface, port, buffer);
}
