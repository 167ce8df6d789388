/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcap.c: the container of captured packets. A message is the payload of a UDP datagram.
 *
 * A topic is a destination port, "udp/2368". Where several machines send to one port, each is a topic, so that sensors are
 * not mixed: "udp/7502 from 10.0.0.1". open() looks at the first packets to know the topics. A machine that begins later
 * gets its topic then.
 *
 * Packets come in the order of the file, which is that of their arrival.
 */
#include "captures/udp.h"
#include "common/assert.h"
#include "sensors/sensor.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PCAP_LOOK = 4096,        /* packets that open() looks at: a third of a second of the fastest sensors */
    PCAP_LOOK_MORE = 262144, /* where it has recognised no sensor in them */
    PCAP_FLOWS = 1024,       /* senders and ports; the packets of more share one topic */
    PCAP_SLOTS = 2 * PCAP_FLOWS,
    PCAP_NO_TOPIC = -1,
};

/* The datagrams from one machine to one port. */
typedef struct pcap_flow {
    unsigned char from[16];
    uint16_t port;
    int32_t topic;     /* PCAP_NO_TOPIC: not named yet */
    const char *maker; /* of the sensor; null: none is recognised */
} pcap_flow;

typedef struct pcap_state {
    clump_io_capture capture;
    clump_io_fragments fragments;
    clump_io_topics *topics;
    bool at_end;
    int64_t from; /* packets before the first of this time are left out */
    size_t flow_count, flow_last;
    pcap_flow flows[PCAP_FLOWS + 1]; /* the last one: all that are too many */
    uint16_t slots[PCAP_SLOTS];      /* index of a flow + 1; 0: free */
} pcap_state;

/* --- flows --------------------------------------------------------------------------------------------------- */

static bool is_flow(const pcap_flow *flow, const clump_io_datagram *datagram)
{
    return flow->port == datagram->port && memcmp(flow->from, datagram->address.from, 16) == 0;
}

/* Returns the flow of a datagram, a new one if need be. */
static pcap_flow *flow_of(pcap_state *pcap, const clump_io_datagram *datagram)
{
    if (pcap->flow_last < pcap->flow_count && is_flow(&pcap->flows[pcap->flow_last], datagram))
        return &pcap->flows[pcap->flow_last];
    uint32_t hash = datagram->port;
    for (size_t i = 0; i < 16; i++) hash = (hash ^ datagram->address.from[i]) * 16777619u;
    size_t slot = (hash ^ hash >> 15) % PCAP_SLOTS;
    for (; pcap->slots[slot]; slot = (slot + 1) % PCAP_SLOTS)
        if (is_flow(&pcap->flows[pcap->slots[slot] - 1], datagram)) {
            pcap->flow_last = pcap->slots[slot] - 1u;
            return &pcap->flows[pcap->flow_last];
        }
    if (pcap->flow_count == PCAP_FLOWS) return &pcap->flows[PCAP_FLOWS];
    CLUMP_ASSERT(pcap->flow_count < PCAP_FLOWS && pcap->slots[slot] == 0);
    pcap_flow *const flow = &pcap->flows[pcap->flow_count++];
    pcap->slots[slot] = (uint16_t)pcap->flow_count;
    pcap->flow_last = pcap->flow_count - 1;
    memcpy(flow->from, datagram->address.from, 16);
    flow->port = datagram->port;
    flow->topic = PCAP_NO_TOPIC;
    return flow;
}

static const char *maker_of(const clump_io_datagram *datagram)
{
    const clump_io_sensor *const *maker = clump_io_sensors;
    while (*maker && !(*maker)->recognise(datagram->bytes, datagram->size)) maker++;
    return *maker ? (*maker)->maker : NULL;
}

/* Whether another flow goes to the same port. */
static bool shares_port(const pcap_state *pcap, const pcap_flow *flow)
{
    for (size_t i = 0; i < pcap->flow_count; i++)
        if (&pcap->flows[i] != flow && pcap->flows[i].port == flow->port) return true;
    return false;
}

static clump_status name_flow(pcap_state *pcap, pcap_flow *flow)
{
    CLUMP_ASSERT(flow >= pcap->flows && flow <= pcap->flows + PCAP_FLOWS);
    char name[96], address[64] = "", type[64];
    const bool mapped = memcmp(flow->from, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12) == 0;
    if (!inet_ntop(mapped ? AF_INET : AF_INET6, flow->from + (mapped ? 12 : 0), address, sizeof address))
        address[0] = 0;
    if (flow == &pcap->flows[PCAP_FLOWS])
        snprintf(name, sizeof name, "udp/other");
    else if (shares_port(pcap, flow))
        snprintf(name, sizeof name, "udp/%u from %s", (unsigned)flow->port, address);
    else
        snprintf(name, sizeof name, "udp/%u", (unsigned)flow->port);
    snprintf(type, sizeof type, flow->maker ? "%s packets" : "UDP", flow->maker);
    uint32_t topic;
    CLUMP_IO_TRY(clump_io_topics_add(&pcap->capture.blob->where, pcap->topics, name, strlen(name), type, strlen(type),
                                     CLUMP_IO_CODING_UDP, &topic));
    flow->topic = (int32_t)topic;
    return CLUMP_OK;
}

/* --- packets --------------------------------------------------------------------------------------------------- */

static void count_damage(pcap_state *pcap, uint64_t at, const char *what)
{
    if (!clump_io_capture_counts(&pcap->capture, at)) return;
    clump_io_losses *const losses = pcap->capture.losses;
    clump_io_lose(losses, &losses->damaged_packets, 1, "packet at byte %llu: %s", (unsigned long long)at, what);
}

static void count_incomplete(pcap_state *pcap, uint64_t at)
{
    for (; pcap->fragments.incomplete; pcap->fragments.incomplete--)
        count_damage(pcap, at, "fragments of a packet before it are missing");
}

/* Reads up to the next datagram. `most`: packets to look at. */
static clump_status next_datagram(pcap_state *pcap, uint64_t *most, clump_io_captured *packet,
                                  clump_io_datagram *datagram, bool *more)
{
    for (*more = false; *most > 0; --*most) {
        bool any;
        CLUMP_IO_TRY(clump_io_capture_next(&pcap->capture, packet, &any));
        if (!any) {
            if (pcap->at_end) return CLUMP_OK;
            pcap->at_end = true;
            clump_io_fragments_clear(&pcap->fragments);
            count_incomplete(pcap, pcap->capture.at);
            pcap->capture.counted = pcap->capture.at + 1;
            return CLUMP_OK;
        }
        const clump_io_udp_result result = clump_io_udp_find(packet, &pcap->fragments, datagram);
        if (pcap->fragments.incomplete) count_incomplete(pcap, packet->at);
        if (result == CLUMP_IO_UDP_NO_MEMORY) return clump_io_no_memory(&pcap->capture.blob->where, 65536);
        if (result == CLUMP_IO_UDP_CUT) count_damage(pcap, packet->at, "the capture has cut it");
        if (result == CLUMP_IO_UDP_DAMAGED) count_damage(pcap, packet->at, "it is damaged");
        *more = result == CLUMP_IO_UDP_DATAGRAM;
        if (*more) return CLUMP_OK;
    }
    return CLUMP_OK;
}

static clump_status pcap_seek(void *state, int64_t time)
{
    pcap_state *const pcap = state;
    pcap->from = time;
    pcap->at_end = false;
    clump_io_fragments_clear(&pcap->fragments);
    pcap->fragments.incomplete = 0; /* nothing was lost */
    return clump_io_capture_open(&pcap->capture, pcap->capture.blob, pcap->capture.losses);
}

static clump_status pcap_next(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message,
                              bool *more)
{
    pcap_state *const pcap = state;
    clump_io_captured packet;
    clump_io_datagram datagram;
    for (;;) {
        uint64_t most = UINT64_MAX;
        CLUMP_IO_TRY(next_datagram(pcap, &most, &packet, &datagram, more));
        if (!*more) return CLUMP_OK;
        if (packet.time < pcap->from) continue;
        pcap->from = INT64_MIN; /* from here on all packets, also if their time goes back */
        pcap_flow *const flow = flow_of(pcap, &datagram);
        if (flow->topic == PCAP_NO_TOPIC) {
            flow->maker = maker_of(&datagram);
            CLUMP_IO_TRY(name_flow(pcap, flow));
        }
        const uint32_t topic = (uint32_t)flow->topic;
        if (wanted && (topic >= wanted_count || !wanted[topic])) continue;
        *message = (clump_io_message){topic, packet.time, datagram.bytes, datagram.size, NULL};
        return CLUMP_OK;
    }
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

/* Finds the flows of the next `most` packets. */
static clump_status look(pcap_state *pcap, uint64_t most)
{
    clump_io_captured packet;
    clump_io_datagram datagram;
    for (bool more = true; most > 0; most--) {
        CLUMP_IO_TRY(next_datagram(pcap, &most, &packet, &datagram, &more));
        if (!more) return CLUMP_OK;
        pcap_flow *const flow = flow_of(pcap, &datagram);
        if (!flow->maker && flow != &pcap->flows[PCAP_FLOWS]) flow->maker = maker_of(&datagram);
    }
    return CLUMP_OK;
}

/* Names the topics of the first packets, and returns to the beginning. */
static clump_status find_topics(pcap_state *pcap)
{
    CLUMP_IO_TRY(look(pcap, PCAP_LOOK));
    bool recognised = false;
    for (size_t i = 0; i < pcap->flow_count; i++) recognised = recognised || pcap->flows[i].maker;
    if (!recognised) CLUMP_IO_TRY(look(pcap, PCAP_LOOK_MORE));
    for (size_t i = 0; i < pcap->flow_count; i++) CLUMP_IO_TRY(name_flow(pcap, &pcap->flows[i]));
    return pcap_seek(pcap, INT64_MIN);
}

static clump_status pcap_open(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    *state = NULL;
    pcap_state *const pcap = calloc(1, sizeof *pcap);
    if (!pcap) return clump_io_no_memory(&blob->where, sizeof *pcap);
    *state = pcap;
    pcap->topics = topics;
    pcap->from = INT64_MIN;
    pcap->flows[PCAP_FLOWS].topic = PCAP_NO_TOPIC;
    CLUMP_IO_TRY(clump_io_capture_open(&pcap->capture, blob, losses));
    return find_topics(pcap);
}

static void pcap_close(void *state)
{
    pcap_state *const pcap = state;
    clump_io_fragments_release(&pcap->fragments);
    clump_io_capture_release(&pcap->capture);
    free(pcap);
}

const clump_io_container clump_io_container_pcap = {
    .format = CLUMP_RECORDING_PCAP,
    .name = "pcap",
    .sniff = clump_io_capture_sniff,
    .open = pcap_open,
    .next = pcap_next,
    .seek = pcap_seek,
    .close = pcap_close,
};
