/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flows.c: which datagrams belong together: see udp.h.
 */
#include "captures/udp.h"
#include "common/assert.h"
#include "sensors/sensor.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

void clump_io_flows_begin(clump_io_flows *flows)
{
    flows->list[CLUMP_IO_FLOWS].topic = CLUMP_IO_FLOW_NO_TOPIC;
}

void clump_io_address_text(const unsigned char address[16], char text[CLUMP_IO_ADDRESS_SIZE])
{
    const bool mapped = memcmp(address, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12) == 0;
    if (!inet_ntop(mapped ? AF_INET : AF_INET6, address + (mapped ? 12 : 0), text, CLUMP_IO_ADDRESS_SIZE)) text[0] = 0;
}

static bool is_flow(const clump_io_flow *flow, const clump_io_datagram *datagram)
{
    return flow->port == datagram->port && memcmp(flow->from, datagram->address.from, 16) == 0;
}

static const char *maker_of(const clump_io_datagram *datagram)
{
    const clump_io_sensor *const *maker = clump_io_sensors;
    while (*maker && !(*maker)->recognise(datagram->bytes, datagram->size)) maker++;
    return *maker ? (*maker)->maker : NULL;
}

/* Returns the flow of a datagram, a new one if need be. */
static clump_io_flow *find_flow(clump_io_flows *flows, const clump_io_datagram *datagram)
{
    if (flows->last < flows->count && is_flow(&flows->list[flows->last], datagram)) return &flows->list[flows->last];
    uint32_t hash = datagram->port;
    for (size_t i = 0; i < 16; i++) hash = (hash ^ datagram->address.from[i]) * 16777619u;
    size_t slot = (hash ^ hash >> 15) % CLUMP_IO_FLOW_SLOTS;
    for (; flows->slots[slot]; slot = (slot + 1) % CLUMP_IO_FLOW_SLOTS)
        if (is_flow(&flows->list[flows->slots[slot] - 1], datagram)) {
            flows->last = flows->slots[slot] - 1u;
            return &flows->list[flows->last];
        }
    if (flows->count == CLUMP_IO_FLOWS) return &flows->list[CLUMP_IO_FLOWS];
    CLUMP_ASSERT(flows->count < CLUMP_IO_FLOWS && flows->slots[slot] == 0);
    clump_io_flow *const flow = &flows->list[flows->count++];
    flows->slots[slot] = (uint16_t)flows->count;
    flows->last = flows->count - 1;
    memcpy(flow->from, datagram->address.from, 16);
    flow->port = datagram->port;
    flow->topic = CLUMP_IO_FLOW_NO_TOPIC;
    return flow;
}

clump_io_flow *clump_io_flow_of(clump_io_flows *flows, const clump_io_datagram *datagram, bool look)
{
    clump_io_flow *const flow = find_flow(flows, datagram);
    const bool wanted = !flow->maker && (look || flow->topic == CLUMP_IO_FLOW_NO_TOPIC);
    if (wanted && !(look && flow == &flows->list[CLUMP_IO_FLOWS])) flow->maker = maker_of(datagram);
    flow->found = wanted && flow->maker;
    return flow;
}

/* Whether another flow goes to the same port. */
static bool shares_port(const clump_io_flows *flows, const clump_io_flow *flow)
{
    for (size_t i = 0; i < flows->count; i++)
        if (&flows->list[i] != flow && flows->list[i].port == flow->port) return true;
    return false;
}

clump_status clump_io_flow_name(clump_io_flows *flows, clump_io_flow *flow, const clump_io_where *where,
                                clump_io_topics *topics)
{
    CLUMP_ASSERT(flow >= flows->list && flow <= flows->list + CLUMP_IO_FLOWS);
    char name[96], address[CLUMP_IO_ADDRESS_SIZE], type[64];
    clump_io_address_text(flow->from, address);
    if (flow == &flows->list[CLUMP_IO_FLOWS])
        snprintf(name, sizeof name, "udp/other");
    else if (flows->name_senders || shares_port(flows, flow))
        snprintf(name, sizeof name, "udp/%u from %s", (unsigned)flow->port, address);
    else
        snprintf(name, sizeof name, "udp/%u", (unsigned)flow->port);
    snprintf(type, sizeof type, flow->maker ? "%s packets" : "UDP", flow->maker);
    uint32_t topic;
    CLUMP_IO_TRY(
        clump_io_topics_add(where, topics, name, strlen(name), type, strlen(type), CLUMP_IO_CODING_UDP, &topic));
    flow->topic = (int32_t)topic;
    return CLUMP_OK;
}
