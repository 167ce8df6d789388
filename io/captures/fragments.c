/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fragments.c: puts IP packets together from fragments. Ouster sensors send packets of up to 25 kB, in 17 fragments.
 *
 * Bytes that are there already are not overwritten: of fragments that overlap, the first holds. Number, size and age of
 * incomplete packets are limited, so a capture can neither use up memory nor join fragments of different packets.
 */
#include "captures/udp.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

enum {
    FRAGMENTS_MOST = 64,    /* incomplete packets */
    FRAGMENTS_UNITS = 8192, /* of 8 bytes: the largest IP packet */
};

/* Identities of 16 bits come again after 10 s at 6400 packets per second. */
static const uint64_t FRAGMENTS_AGE = 2000000000; /* nanoseconds */

typedef struct clump_io_reassembly {
    bool used;
    clump_io_address address;
    uint32_t id;
    int64_t time;     /* of the first fragment */
    uint64_t clock;   /* order of use */
    size_t total;     /* bytes of the packet; 0: the last fragment has not come */
    size_t units_got; /* units of 8 bytes that are there */
    size_t end;       /* behind the last byte that is there */
    uint64_t got[FRAGMENTS_UNITS / 64];
    clump_io_bytes bytes;
} clump_io_reassembly;

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static void give_up(clump_io_fragments *fragments, clump_io_reassembly *packet)
{
    if (packet->used) fragments->incomplete++;
    packet->used = false;
}

/* Returns the packet of the fragment: the one that waits for it, or a free one, or the oldest. */
static clump_io_reassembly *packet_of(clump_io_fragments *fragments, const clump_io_fragment *fragment)
{
    clump_io_reassembly *best = &fragments->list[0];
    for (size_t i = 0; i < FRAGMENTS_MOST; i++) {
        clump_io_reassembly *const packet = &fragments->list[i];
        if (packet->used && distance(packet->time, fragment->time) > FRAGMENTS_AGE) give_up(fragments, packet);
        if (packet->used && packet->id == fragment->id &&
            memcmp(&packet->address, &fragment->address, sizeof packet->address) == 0)
            return packet;
        if (best->used && (!packet->used || packet->clock < best->clock)) best = packet;
    }
    give_up(fragments, best);
    best->used = true;
    best->address = fragment->address;
    best->id = fragment->id;
    best->time = fragment->time;
    best->clock = ++fragments->clock;
    best->total = best->units_got = best->end = 0;
    memset(best->got, 0, sizeof best->got);
    return best;
}

/* Copies the units of the fragment that are not there yet. */
static void copy_units(clump_io_reassembly *packet, const clump_io_fragment *fragment)
{
    for (size_t at = 0; at < fragment->size; at += 8) {
        const size_t unit = (fragment->offset + at) / 8;
        const uint64_t bit = (uint64_t)1 << unit % 64;
        CLUMP_ASSERT(unit < FRAGMENTS_UNITS);
        if (packet->got[unit / 64] & bit) continue;
        packet->got[unit / 64] |= bit;
        packet->units_got++;
        const size_t rest = fragment->size - at;
        memcpy(packet->bytes.data + fragment->offset + at, fragment->bytes + at, rest < 8 ? rest : 8);
    }
}

clump_io_udp_result clump_io_fragments_add(clump_io_fragments *fragments, const clump_io_fragment *fragment,
                                           const unsigned char **whole, size_t *size)
{
    const size_t end = fragment->offset + fragment->size;
    if (fragment->size == 0 || end > FRAGMENTS_UNITS * 8 || (!fragment->last && fragment->size % 8))
        return CLUMP_IO_UDP_DAMAGED;
    if (!fragments->list) fragments->list = calloc(FRAGMENTS_MOST, sizeof *fragments->list);
    if (!fragments->list) return CLUMP_IO_UDP_NO_MEMORY;
    clump_io_reassembly *const packet = packet_of(fragments, fragment);
    /* The end is where the last fragment says, and no other fragment goes beyond. */
    if ((packet->total && end > packet->total) || (fragment->last && packet->end > end) ||
        (fragment->last && packet->total && packet->total != end))
        return CLUMP_IO_UDP_DAMAGED;
    const clump_io_where silent = {0};
    if (clump_io_bytes_reserve(&silent, &packet->bytes, end + 8) != CLUMP_OK) return CLUMP_IO_UDP_NO_MEMORY;
    copy_units(packet, fragment);
    if (end > packet->end) packet->end = end;
    if (fragment->last) packet->total = end;
    if (!packet->total || packet->units_got < (packet->total + 7) / 8) return CLUMP_IO_UDP_NONE;
    packet->used = false;
    CLUMP_ASSERT(packet->end == packet->total && packet->total <= FRAGMENTS_UNITS * 8);
    *whole = packet->bytes.data;
    *size = packet->total;
    return CLUMP_IO_UDP_DATAGRAM;
}

void clump_io_fragments_clear(clump_io_fragments *fragments)
{
    if (!fragments->list) return;
    for (size_t i = 0; i < FRAGMENTS_MOST; i++) give_up(fragments, &fragments->list[i]);
}

void clump_io_fragments_release(clump_io_fragments *fragments)
{
    if (!fragments->list) return;
    for (size_t i = 0; i < FRAGMENTS_MOST; i++) clump_io_bytes_release(&fragments->list[i].bytes);
    free(fragments->list);
    *fragments = (clump_io_fragments){0};
}
