/* SPDX-License-Identifier: BSD-3-Clause
 *
 * url.c: addresses as text: see wire.h.
 */
#include "wire/wire.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

bool clump_io_wire_is_multicast(uint32_t address)
{
    return (ntohl(address) & 0xf0000000u) == 0xe0000000u;
}

bool clump_io_wire_is_loopback(uint32_t address)
{
    return ntohl(address) >> 24 == 127;
}

/* Reads "2368,8308". */
static clump_status read_ports(const clump_io_where *where, const char *text, clump_io_wire_url *out)
{
    for (const char *at = text;; at++) {
        char *end;
        const long port = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        if (port < 0 || port > 65535 || (*end && *end != ','))
            return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "'%s' is no port, which is a number up to 65535", at);
        if (out->port_count == CLUMP_IO_WIRE_PORTS)
            return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "there are more than %d ports", CLUMP_IO_WIRE_PORTS);
        out->ports[out->port_count++] = (uint16_t)port;
        if (!*end) return CLUMP_OK;
        at = end;
    }
}

clump_status clump_io_wire_url_read(const clump_io_where *where, const char *url, const char *scheme,
                                    clump_io_wire_url *out)
{
    *out = (clump_io_wire_url){0};
    const char *const rest = url + strlen(scheme);
    const char *const colon = strchr(rest, ':');
    const size_t size = colon ? (size_t)(colon - rest) : strlen(rest);
    if (size >= sizeof out->host) return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "the address is too long");
    memcpy(out->host, rest, size);
    if (strchr(rest, '/') || strchr(rest, '['))
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "it is no address of the form %s[ADDRESS]:PORT", scheme);
    return colon ? read_ports(where, colon + 1, out) : CLUMP_OK;
}

clump_status clump_io_wire_find_host(const clump_io_where *where, const char *host, uint32_t *address)
{
    struct in_addr numeric;
    if (inet_pton(AF_INET, host, &numeric) == 1) {
        *address = numeric.s_addr;
        return CLUMP_OK;
    }
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
    const int failure = getaddrinfo(host, NULL, &hints, &found);
    if (failure)
        return clump_io_fail(where, CLUMP_ERR_IO_OPEN, "the machine %s is not known: %s", host, gai_strerror(failure));
    struct sockaddr_in at;
    memcpy(&at, found->ai_addr, sizeof at);
    *address = at.sin_addr.s_addr;
    freeaddrinfo(found);
    return CLUMP_OK;
}
