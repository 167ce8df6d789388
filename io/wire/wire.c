/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wire.c: packets from sockets as messages of a container. A topic is a port and a sender: "udp/2368 from 192.168.1.201".
 *
 * Sentences go to the caller's watch: where it listens, what the kernel does not give, that no packets come and come again.
 */
#include "wire/wire.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIRE_RING   ((size_t)32 << 20)  /* bytes of packets that may wait: a second of 128 beams at 10 Hz */
#define WIRE_SILENT INT64_C(3000000000) /* nanoseconds without a packet that are worth a sentence */

typedef struct wire_state {
    const clump_io_blob *blob;
    clump_io_topics *topics;
    clump_io_wire_receiver receiver;
    clump_io_wire_writer *writer; /* null: packets are not recorded */
    uint32_t address;             /* where it listens; 0: everywhere */
    size_t buffer;
    clump_io_flows flows;
    bool heard, silent; /* a packet has come; that none comes has been said */
    bool recognised;    /* a sensor has been, */
    bool said_unknown;  /* or that none is has been said */
    bool said_other;    /* that another sensor sends, too */
    int64_t first;      /* when the first packet came */
    atomic_uint_fast64_t left_out;
} wire_state;

/* --- opening ------------------------------------------------------------------------------------------------ */

/* Says where it listens, and what the kernel has not given. */
static void say_where(const wire_state *w)
{
    const clump_io_wire *const wire = w->blob->wire;
    char ports[CLUMP_IO_WIRE_PORTS * 8] = "";
    for (size_t i = 0, used = 0; i < w->receiver.count; i++)
        used += (size_t)snprintf(ports + used, sizeof ports - used, "%s%u", i ? ", " : "",
                                 (unsigned)w->receiver.sockets[i].port);
    const char *const noun = w->receiver.count > 1 ? "ports" : "port";
    char address[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, &w->address, address, sizeof address);
    if (w->address)
        clump_io_wire_say(wire, "listens on %s, %s %s", address, noun, ports);
    else
        clump_io_wire_say(wire, "listens on all addresses of this machine, %s %s", noun, ports);
    if (w->buffer < CLUMP_IO_WIRE_BUFFER)
        clump_io_wire_say(wire,
                          "the kernel keeps %zu kB for packets that wait, not %d: some may be lost; sudo sysctl -w "
                          "net.core.rmem_max=%d",
                          w->buffer >> 10, CLUMP_IO_WIRE_BUFFER >> 10, CLUMP_IO_WIRE_BUFFER);
}

static clump_status open_sockets(wire_state *w, const clump_io_wire_url *url, const char *interface)
{
    const clump_io_where *const where = &w->blob->where;
    clump_io_wire_receiver *const r = &w->receiver;
    for (size_t i = 0; i < url->port_count; i++) {
        clump_io_wire_socket *const s = &r->sockets[i];
        *s = (clump_io_wire_socket){.port = url->ports[i]};
        size_t buffer;
        const clump_status status =
            clump_io_wire_socket_open(where, w->address, interface, &s->port, &buffer, &s->file);
        r->count += s->file >= 0;
        CLUMP_IO_TRY(status);
        if (i == 0 || buffer < w->buffer) w->buffer = buffer;
    }
    return CLUMP_OK;
}

/* Opens all that a URL with its numeric address needs, and starts the thread. */
static clump_status listen_at(wire_state *w, const clump_io_wire_url *url)
{
    const clump_io_where *const where = &w->blob->where;
    static const clump_io_wire nothing = {0};
    const clump_io_wire *const wire = w->blob->wire ? w->blob->wire : &nothing;
    if (wire->from_host) CLUMP_IO_TRY(clump_io_wire_find_host(where, wire->from_host, &w->receiver.from));
    CLUMP_IO_TRY(clump_io_live_create(where, WIRE_RING, &w->receiver.live));
    CLUMP_IO_TRY(open_sockets(w, url, wire->interface));
    if (wire->capture) CLUMP_IO_TRY(clump_io_wire_writer_open(where, wire->capture, &w->writer));
    CLUMP_IO_TRY(clump_io_wire_receiver_start(where, &w->receiver));
    say_where(w);
    return CLUMP_OK;
}

static clump_status make_state(const clump_io_blob *blob, clump_io_topics *topics, wire_state **out)
{
    wire_state *const w = *out = calloc(1, sizeof *w);
    if (!w) return clump_io_no_memory(&blob->where, sizeof *w);
    w->blob = blob;
    w->topics = topics;
    w->flows.name_senders = true;
    w->receiver.wake[0] = w->receiver.wake[1] = -1;
    clump_io_flows_begin(&w->flows);
    return CLUMP_OK;
}

static clump_status open_udp(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    (void)losses;
    wire_state *w;
    clump_io_wire_url url;
    *state = NULL;
    CLUMP_IO_TRY(clump_io_wire_url_read(&blob->where, blob->path, "udp://", &url));
    if (url.port_count == 0) return clump_io_fail(&blob->where, CLUMP_ERR_ARGUMENT, "the port is missing: udp://:2368");
    struct in_addr address = {0};
    if (url.host[0] && inet_pton(AF_INET, url.host, &address) != 1)
        return clump_io_fail(&blob->where, CLUMP_ERR_ARGUMENT, "'%s' is no address of four numbers: 192.168.1.10",
                             url.host);
    CLUMP_IO_TRY(make_state(blob, topics, &w));
    *state = w;
    w->address = address.s_addr;
    return listen_at(w, &url);
}

static clump_status open_ouster(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses,
                                void **state)
{
    (void)losses;
    wire_state *w;
    clump_io_wire_url url;
    *state = NULL;
    CLUMP_IO_TRY(clump_io_wire_url_read(&blob->where, blob->path, "ouster://", &url));
    if (!url.host[0] || url.port_count > 1)
        return clump_io_fail(&blob->where, CLUMP_ERR_ARGUMENT, "it is no address of the form ouster://HOST[:PORT]");
    CLUMP_IO_TRY(make_state(blob, topics, &w));
    *state = w;
    char *text = NULL;
    size_t size;
    clump_io_wire_url at = {.port_count = 1};
    CLUMP_IO_TRY(clump_io_wire_metadata_get(&blob->where, blob->wire, &url, &text, &size, &at.ports[0]));
    if (blob->wire && blob->wire->metadata && !*blob->wire->metadata) {
        *blob->wire->metadata = text;
        *blob->wire->metadata_size = size;
    } else {
        free(text);
    }
    CLUMP_IO_TRY(clump_io_wire_find_host(&blob->where, url.host, &w->receiver.from));
    return listen_at(w, &at);
}

static void close_wire(void *state)
{
    wire_state *const w = state;
    const clump_io_where silent = {0};
    clump_io_wire_receiver_stop(&w->receiver);
    clump_io_live_destroy(w->receiver.live);
    clump_io_wire_writer_close(w->writer, &silent);
    free(w);
}

/* --- packets --------------------------------------------------------------------------------------------------- */

/* Says once that no packets come. */
static void say_silence(wire_state *w, int64_t silent)
{
    if (w->silent || silent < WIRE_SILENT) return;
    w->silent = true;
    if (w->heard)
        clump_io_wire_say(w->blob->wire, "no packet has come for %d s", (int)(silent / 1000000000));
    else
        clump_io_wire_say(w->blob->wire, "no packet has come yet: does the sensor send to this machine and port?");
}

/* Notes that a packet has come. */
static void hear(wire_state *w, int64_t received, int64_t silent)
{
    if (w->silent && w->heard)
        clump_io_wire_say(w->blob->wire, "packets come again, after %.1f s", 1e-9 * (double)silent);
    if (!w->heard) w->first = received;
    w->heard = true;
    w->silent = false;
}

/* Says once that packets come, but of no sensor. */
static void say_unknown(wire_state *w, const clump_io_datagram *packet, int64_t received)
{
    if (w->recognised || w->said_unknown || received - w->first < WIRE_SILENT) return;
    w->said_unknown = true;
    clump_io_wire_say(w->blob->wire, "packets come to port %u, of %zu bytes, but of no sensor that clump knows",
                      (unsigned)packet->port, packet->size);
}

/* Counts a packet that is left out, and says once that it is of another sensor. */
static void leave_out(wire_state *w, const clump_io_flow *flow)
{
    if (!flow->maker) return;
    atomic_fetch_add(&w->left_out, 1);
    if (w->said_other) return;
    w->said_other = true;
    char address[CLUMP_IO_ADDRESS_SIZE];
    clump_io_address_text(flow->from, address);
    clump_io_wire_say(w->blob->wire, "another sensor, %s at %s, sends to port %u: its packets are left out",
                      flow->maker, address, (unsigned)flow->port);
}

static clump_io_datagram datagram_of(const clump_io_live_message *m, clump_io_wire_head *head)
{
    clump_io_datagram packet = {.address.from = {[10] = 0xff, [11] = 0xff}};
    memcpy(head, m->bytes, sizeof *head);
    memcpy(packet.address.from + 12, &head->from, 4);
    packet.from_port = head->from_port;
    packet.port = head->port;
    packet.bytes = m->bytes + sizeof *head;
    packet.size = m->size - sizeof *head;
    return packet;
}

/* Makes a message of a packet. *taken is false where it is not wanted. */
static clump_status take_packet(wire_state *w, const clump_io_live_message *m, const bool *wanted, size_t wanted_count,
                                clump_io_message *message, bool *taken)
{
    clump_io_wire_head head;
    const clump_io_datagram packet = datagram_of(m, &head);
    if (w->writer) clump_io_wire_writer_add(w->writer, &head, w->address, m->received, packet.bytes, packet.size);
    clump_io_flow *const flow = clump_io_flow_of(&w->flows, &packet, true);
    if (flow->topic == CLUMP_IO_FLOW_NO_TOPIC || flow->found)
        CLUMP_IO_TRY(clump_io_flow_name(&w->flows, flow, &w->blob->where, w->topics));
    w->recognised = w->recognised || flow->maker;
    if (!flow->maker) say_unknown(w, &packet, m->received);
    const uint32_t topic = (uint32_t)flow->topic;
    *taken = !wanted || (topic < wanted_count && wanted[topic]);
    if (!*taken) leave_out(w, flow);
    *message = (clump_io_message){.topic = topic, .received = m->received, .bytes = packet.bytes, .size = packet.size};
    return CLUMP_OK;
}

static clump_status next(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message, bool *more)
{
    wire_state *const w = state;
    for (*more = false; !*more;) {
        clump_io_live_message m;
        clump_io_live_event event;
        int64_t silent;
        CLUMP_IO_TRY(clump_io_live_next(w->receiver.live, w->blob, &m, &event, &silent));
        if (event == CLUMP_IO_LIVE_END)
            return w->writer ? clump_io_wire_writer_flush(w->writer, &w->blob->where) : CLUMP_OK;
        if (event == CLUMP_IO_LIVE_SILENCE) {
            say_silence(w, silent);
            *message = (clump_io_message){.silence = true};
            *more = w->heard;
            continue;
        }
        hear(w, m.received, silent);
        CLUMP_IO_TRY(take_packet(w, &m, wanted, wanted_count, message, more));
        if (w->writer) CLUMP_IO_TRY(clump_io_wire_writer_check(w->writer, &w->blob->where));
    }
    return CLUMP_OK;
}

static void describe(void *state, clump_wire *out)
{
    wire_state *const w = state;
    clump_io_wire_receiver *const r = &w->receiver;
    *out = (clump_wire){.packets = atomic_load(&r->packets),
                        .bytes = atomic_load(&r->bytes),
                        .kernel_dropped = atomic_load(&r->kernel_dropped),
                        .ring_dropped = atomic_load(&r->ring_dropped),
                        .left_out = atomic_load(&w->left_out) + atomic_load(&r->others),
                        .port = r->count ? r->sockets[0].port : 0,
                        .buffer = w->buffer};
}

const clump_io_container clump_io_container_udp = {
    .format = CLUMP_RECORDING_UDP,
    .name = "udp",
    .scheme = "udp://",
    .live = true,
    .open = open_udp,
    .next = next,
    .close = close_wire,
    .describe = describe,
};

const clump_io_container clump_io_container_ouster = {
    .format = CLUMP_RECORDING_UDP,
    .name = "udp",
    .scheme = "ouster://",
    .live = true,
    .open = open_ouster,
    .next = next,
    .close = close_wire,
    .describe = describe,
};
