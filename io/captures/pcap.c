/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcap.c: the container of captured packets. A message is the payload of a UDP datagram.
 *
 * A topic is a destination port, "udp/2368". Where several machines send to one port, each is a topic, so that sensors are
 * not mixed: "udp/7502 from 10.0.0.1". open() looks at the first packets to know the topics. A machine that begins later
 * gets its topic then.
 *
 * Packets come in the order of the file, which is that of their arrival.
 *
 * A pipe is read once: open() looks at nothing, and a flow is named by its first packet. Where a later packet is the first that is
 * recognised, the flow becomes another topic.
 */
#include "captures/udp.h"
#include "common/assert.h"

#include <stdlib.h>

enum {
    PCAP_LOOK = 4096,        /* packets that open() looks at: a third of a second of the fastest sensors */
    PCAP_LOOK_MORE = 262144, /* where it has recognised no sensor in them */
};

typedef struct pcap_state {
    clump_io_capture capture;
    clump_io_fragments fragments;
    clump_io_topics *topics;
    bool at_end;
    int64_t from; /* packets before the first of this time are left out */
    clump_io_flows flows;
} pcap_state;

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

static clump_status topic_of(pcap_state *pcap, const clump_io_datagram *datagram, uint32_t *topic)
{
    const bool live = pcap->capture.blob->pipe != NULL;
    clump_io_flow *const flow = clump_io_flow_of(&pcap->flows, datagram, live);
    if (flow->topic == CLUMP_IO_FLOW_NO_TOPIC || flow->found)
        CLUMP_IO_TRY(clump_io_flow_name(&pcap->flows, flow, &pcap->capture.blob->where, pcap->topics));
    *topic = (uint32_t)flow->topic;
    return CLUMP_OK;
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
        uint32_t topic;
        CLUMP_IO_TRY(topic_of(pcap, &datagram, &topic));
        if (wanted && (topic >= wanted_count || !wanted[topic])) continue;
        *message =
            (clump_io_message){.topic = topic, .received = packet.time, .bytes = datagram.bytes, .size = datagram.size};
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
        (void)clump_io_flow_of(&pcap->flows, &datagram, true);
    }
    return CLUMP_OK;
}

/* Names the topics of the first packets, and returns to the beginning. */
static clump_status find_topics(pcap_state *pcap)
{
    CLUMP_IO_TRY(look(pcap, PCAP_LOOK));
    bool recognised = false;
    clump_io_flows *const flows = &pcap->flows;
    for (size_t i = 0; i < flows->count; i++) recognised = recognised || flows->list[i].maker;
    if (!recognised) CLUMP_IO_TRY(look(pcap, PCAP_LOOK_MORE));
    for (size_t i = 0; i < flows->count; i++)
        CLUMP_IO_TRY(clump_io_flow_name(flows, &flows->list[i], &pcap->capture.blob->where, pcap->topics));
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
    clump_io_flows_begin(&pcap->flows);
    CLUMP_IO_TRY(clump_io_capture_open(&pcap->capture, blob, losses));
    return blob->pipe ? CLUMP_OK : find_topics(pcap);
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

/* The same of a pipe. */
const clump_io_container clump_io_container_pcap_live = {
    .format = CLUMP_RECORDING_PCAP,
    .name = "pcap",
    .live = true,
    .open = pcap_open,
    .next = pcap_next,
    .close = pcap_close,
};
