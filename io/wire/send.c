/* SPDX-License-Identifier: BSD-3-Clause
 *
 * send.c: sends the packets of a capture: clump_capture_send(). The schedule is absolute, so errors of single waits do not add up.
 */
#include "recordings/recording.h"
#include "wire/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SEND_COOKIE 0x73656e64u
#define SEND_SECOND INT64_C(1000000000)
#define SEND_GAP    (10 * SEND_SECOND) /* a longer step of the recorded time, or one backwards, counts as none */
#define SEND_SOON   INT64_C(100000)    /* nanoseconds that are not worth a sleep */

typedef struct sending {
    const clump_send_options *options;
    clump_io_wire wire;
    clump_io_where where;
    clump_io_capture capture;
    clump_io_fragments fragments;
    clump_io_flows flows;
    clump_io_topics topics;
    const clump_io_flow *chosen; /* whose packets are sent; null: none is known yet */
    clump_io_wire_url url;
    struct sockaddr_in to;
    int file;
    bool ended; /* by the watch */
    bool begun;
    int64_t asked;       /* when the watch was asked last */
    int64_t begin, last; /* when the first packet was sent; recorded time of the last packet */
    int64_t elapsed;     /* recorded time from the first packet to the last */
    clump_send_result result;
} sending;

clump_send_options clump_send_defaults(void)
{
    return (clump_send_options){.cookie = SEND_COOKIE, .rate = 1, .loop = 1};
}

/* --- when ---------------------------------------------------------------------------------------------- */

/* Asks the caller now and then whether to go on. */
static void ask_caller(sending *s, int64_t now)
{
    if (now - s->asked < CLUMP_IO_WAIT) return;
    s->asked = now;
    s->ended = !clump_io_wire_goes_on(&s->wire);
}

/* Waits until a packet of this recorded time is due. */
static void wait_until_due(sending *s, int64_t time)
{
    if (!s->begun) s->begin = clump_io_now(CLOCK_MONOTONIC);
    const int64_t step = s->begun && time > s->last ? time - s->last : 0;
    s->elapsed += step < SEND_GAP ? step : 0;
    s->last = time;
    s->begun = true;
    const double rate = s->options->rate;
    const int64_t due = rate > 0 ? s->begin + (int64_t)((double)s->elapsed / rate) : INT64_MIN / 2;
    while (!s->ended) {
        const int64_t now = clump_io_now(CLOCK_MONOTONIC), left = due - now;
        ask_caller(s, now);
        if (left < SEND_SOON) {
            const double late = rate > 0 ? -1e-9 * (double)left : 0;
            if (late > s->result.latest) s->result.latest = late;
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = (long)(left < CLUMP_IO_WAIT ? left : CLUMP_IO_WAIT)}, NULL);
    }
}

/* --- which, and where to ------------------------------------------------------------------------------ */

/* Whether packets of the flow are sent. */
static clump_status choose(sending *s, const clump_io_datagram *packet, bool *wanted)
{
    clump_io_flow *const flow = clump_io_flow_of(&s->flows, packet, true);
    *wanted = s->url.port_count == 0 && !s->options->topic;
    if (*wanted || s->chosen) {
        *wanted = *wanted || flow == s->chosen;
        return CLUMP_OK;
    }
    if (flow->topic == CLUMP_IO_FLOW_NO_TOPIC || flow->found)
        CLUMP_IO_TRY(clump_io_flow_name(&s->flows, flow, &s->where, &s->topics));
    const char *const topic = s->options->topic;
    const bool named = topic && strcmp(topic, s->topics.list[flow->topic].name) == 0;
    if (topic ? named : flow->maker != NULL) s->chosen = flow;
    *wanted = flow == s->chosen;
    return CLUMP_OK;
}

static clump_status send_packet(sending *s, const clump_io_datagram *packet)
{
    s->to.sin_port = htons(s->url.port_count ? s->url.ports[0] : packet->port);
    for (;;) {
        const ssize_t sent =
            sendto(s->file, packet->bytes, packet->size, 0, (const struct sockaddr *)&s->to, sizeof s->to);
        if (sent >= 0) break;
        if (errno == ECONNREFUSED) { /* of an earlier packet: this one was not sent */
            s->result.refused++;
            continue;
        }
        if (errno == ENOBUFS || errno == EAGAIN) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (errno != EINTR && errno != ENOBUFS && errno != EAGAIN)
            return clump_io_fail_errno(&s->where, CLUMP_ERR_IO_WRITE, "cannot send", errno);
        if (!clump_io_wire_goes_on(&s->wire)) return CLUMP_OK;
    }
    s->result.packets++;
    s->result.bytes += packet->size;
    return CLUMP_OK;
}

/* --- all ---------------------------------------------------------------------------------------------------- */

/* Sends the packets from the beginning to the end of the capture. */
static clump_status send_turn(sending *s, const clump_io_blob *blob, clump_io_losses *losses)
{
    CLUMP_IO_TRY(clump_io_capture_open(&s->capture, blob, losses));
    for (s->last = INT64_MAX; !s->ended;) {
        clump_io_captured captured;
        clump_io_datagram packet;
        bool more, wanted;
        CLUMP_IO_TRY(clump_io_capture_next(&s->capture, &captured, &more));
        if (!more) return CLUMP_OK;
        const clump_io_udp_result found = clump_io_udp_find(&captured, &s->fragments, &packet);
        if (found == CLUMP_IO_UDP_NO_MEMORY) return clump_io_no_memory(&s->where, 65536);
        if (found != CLUMP_IO_UDP_DATAGRAM) continue;
        CLUMP_IO_TRY(choose(s, &packet, &wanted));
        if (!wanted) continue;
        wait_until_due(s, captured.time);
        if (!s->ended) CLUMP_IO_TRY(send_packet(s, &packet));
    }
    return CLUMP_OK;
}

static clump_status open_socket(sending *s, const char *to)
{
    const clump_io_where where = {to, s->where.message};
    const clump_io_container *const scheme = clump_io_container_of_url(to);
    if (scheme != &clump_io_container_udp)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "packets are sent to udp://ADDRESS:PORT");
    CLUMP_IO_TRY(clump_io_wire_url_read(&where, to, "udp://", &s->url));
    if (!s->url.host[0] || inet_pton(AF_INET, s->url.host, &s->to.sin_addr) != 1)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT,
                             "the address of the receiver is missing: udp://127.0.0.1:2368");
    if (s->url.port_count > 1 || (s->url.port_count == 1 && s->url.ports[0] == 0))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT,
                             "one port is needed, or none: each packet then goes to its own");
    s->to.sin_family = AF_INET;
    s->file = socket(AF_INET, SOCK_DGRAM, 0);
    if (s->file < 0) return clump_io_fail_errno(&where, CLUMP_ERR_IO_OPEN, "cannot make a socket", errno);
    s->to.sin_port = htons(s->url.port_count ? s->url.ports[0] : 0);
    if (s->url.port_count && connect(s->file, (const struct sockaddr *)&s->to, sizeof s->to) != 0)
        return clump_io_fail_errno(&where, CLUMP_ERR_IO_OPEN, "the address cannot be reached", errno);
    if (!clump_io_wire_is_loopback(s->to.sin_addr.s_addr))
        clump_io_wire_say(&s->wire, "the packets leave this machine, to %s", s->url.host);
    snprintf(s->result.to, sizeof s->result.to, s->url.port_count ? "%.15s, port %u" : "%.15s", s->url.host,
             (unsigned)s->url.ports[0]);
    return CLUMP_OK;
}

static clump_status send_all(sending *s, const char *path, const char *to, clump_io_sources *sources)
{
    CLUMP_IO_TRY(clump_io_sources_path(&s->where, path, sources));
    clump_io_blob blob = sources->list[0].blob;
    if (sources->list[0].container->format != CLUMP_RECORDING_PCAP)
        return clump_io_fail(&s->where, CLUMP_ERR_IO_UNSUPPORTED, "only captures of packets can be sent: pcap, pcapng");
    if (blob.pipe && s->options->loop > 1)
        return clump_io_fail(&s->where, CLUMP_ERR_IO_UNSUPPORTED, "it is read as it comes: it cannot be sent again");
    CLUMP_IO_TRY(open_socket(s, to));
    blob.where = s->where;
    clump_io_losses losses = {0};
    for (size_t i = 0; i < s->options->loop && !s->ended; i++) CLUMP_IO_TRY(send_turn(s, &blob, &losses));
    s->result.seconds = s->begun ? 1e-9 * (double)(clump_io_now(CLOCK_MONOTONIC) - s->begin) : 0;
    if (s->result.packets || s->ended) return CLUMP_OK;
    return clump_io_fail(&s->where, CLUMP_ERR_IO_UNSUPPORTED, "it has no packets %s%s",
                         s->options->topic ? "of " : "of a sensor that clump knows",
                         s->options->topic ? s->options->topic : "");
}

static void release(sending *s, clump_io_sources *sources)
{
    if (s->file >= 0) close(s->file);
    clump_io_fragments_release(&s->fragments);
    clump_io_capture_release(&s->capture);
    clump_io_topics_release(&s->topics);
    clump_io_sources_release(sources);
    free(s);
}

clump_status clump_capture_send(const char *path, const char *to, const clump_send_options *options,
                                clump_send_result *result, clump_message *message)
{
    const clump_io_where where = {path, message};
    const clump_send_options defaults = clump_send_defaults();
    if (message) message->text[0] = 0;
    if (result) *result = (clump_send_result){0};
    if (!path || !to) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_capture_send: path or to is null");
    if (!options) options = &defaults;
    if (options->cookie != SEND_COOKIE)
        return clump_io_fail(&where, CLUMP_ERR_OPTIONS, "the options were not made by clump_send_defaults()");
    if (!(options->rate >= 0 && isfinite(options->rate)))
        return clump_io_fail(&where, CLUMP_ERR_OPTIONS, "the rate must be a number of at least 0");
    sending *const s = calloc(1, sizeof *s); /* large: flows */
    if (!s) return clump_io_no_memory(&where, sizeof *s);
    s->options = options;
    s->wire = (clump_io_wire){.watch = options->watch, .watch_user = options->watch_user};
    s->where = where;
    s->file = -1;
    clump_io_flows_begin(&s->flows);
    clump_io_sources sources = {.wire = &s->wire};
    const clump_status status = send_all(s, path, to, &sources);
    if (result) *result = s->result;
    release(s, &sources);
    return status;
}
