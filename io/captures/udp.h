/* SPDX-License-Identifier: BSD-3-Clause
 *
 * udp.h: UDP datagrams in packets of the network, put together from fragments.
 */
#ifndef CLUMP_IO_RECORDINGS_UDP_H
#define CLUMP_IO_RECORDINGS_UDP_H

#include "captures/capture.h"

/* Where a packet is from and to. IPv4 addresses are in the last four bytes, as ::ffff:a.b.c.d. */
typedef struct clump_io_address {
    unsigned char from[16], to[16];
} clump_io_address;

typedef struct clump_io_datagram {
    clump_io_address address;
    uint16_t from_port, port; /* port: destination */
    const unsigned char *bytes;
    size_t size;
} clump_io_datagram;

typedef enum clump_io_udp_result {
    CLUMP_IO_UDP_NONE, /* another protocol, or a fragment that others have to complete */
    CLUMP_IO_UDP_DATAGRAM,
    CLUMP_IO_UDP_CUT, /* cut by the capture */
    CLUMP_IO_UDP_DAMAGED,
    CLUMP_IO_UDP_NO_MEMORY
} clump_io_udp_result;

/* --- fragments.c ---------------------------------------------------------------------------------------- */

/* A piece of an IP packet. */
typedef struct clump_io_fragment {
    clump_io_address address;
    uint32_t id;
    size_t offset; /* bytes, a multiple of 8 */
    bool last;
    const unsigned char *bytes;
    size_t size;
    int64_t time;
} clump_io_fragment;

/* Packets that wait for more fragments. A zeroed one is empty. */
typedef struct clump_io_fragments {
    struct clump_io_reassembly *list;
    uint64_t clock;
    uint64_t incomplete; /* packets that were given up */
} clump_io_fragments;

/* Adds a fragment. Once its packet is complete: CLUMP_IO_UDP_DATAGRAM, and *whole is valid until the next call. */
clump_io_udp_result clump_io_fragments_add(clump_io_fragments *fragments, const clump_io_fragment *fragment,
                                           const unsigned char **whole, size_t *size);
void clump_io_fragments_clear(clump_io_fragments *fragments); /* gives up all packets, and counts them */
void clump_io_fragments_release(clump_io_fragments *fragments);

/* --- flows.c: the datagrams from one machine to one port are a flow, and a flow is a topic ------------------- */

enum {
    CLUMP_IO_FLOWS = 1024, /* senders and ports; the packets of more share one topic */
    CLUMP_IO_FLOW_SLOTS = 2 * CLUMP_IO_FLOWS,
    CLUMP_IO_FLOW_NO_TOPIC = -1,
};

typedef struct clump_io_flow {
    unsigned char from[16];
    uint16_t port;
    int32_t topic;     /* CLUMP_IO_FLOW_NO_TOPIC: not named yet */
    const char *maker; /* of the sensor; null: none is recognised */
    bool found;        /* the last datagram was the first that was recognised */
} clump_io_flow;

typedef struct clump_io_flows {
    bool name_senders; /* in every name; else only where several machines send to one port */
    size_t count, last;
    clump_io_flow list[CLUMP_IO_FLOWS + 1]; /* the last one: all that are too many */
    uint16_t slots[CLUMP_IO_FLOW_SLOTS];    /* index of a flow + 1; 0: free */
} clump_io_flows;

void clump_io_flows_begin(clump_io_flows *flows); /* of zeroed ones */
/* Returns the flow of a datagram, a new one if need be. Looks for the maker of a new one; with `look` of every one that has none. */
clump_io_flow *clump_io_flow_of(clump_io_flows *flows, const clump_io_datagram *datagram, bool look);
/* Gives the flow a topic: "udp/2368", "udp/7502 from 10.0.0.1". */
clump_status clump_io_flow_name(clump_io_flows *flows, clump_io_flow *flow, const clump_io_where *where,
                                clump_io_topics *topics);
/* Writes an address as text: "10.0.0.1". */
enum { CLUMP_IO_ADDRESS_SIZE = 64 };
void clump_io_address_text(const unsigned char address[16], char text[CLUMP_IO_ADDRESS_SIZE]);

/* --- udp.c ------------------------------------------------------------------------------------------------ */

/* Finds the datagram in a packet. It is valid as long as the packet, or until the next call. */
clump_io_udp_result clump_io_udp_find(const clump_io_captured *packet, clump_io_fragments *fragments,
                                      clump_io_datagram *datagram);

#endif
