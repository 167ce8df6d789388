/* SPDX-License-Identifier: BSD-3-Clause
 *
 * capture.h: captures of packets, pcap and pcapng.
 *
 *     capture.c  packets of the network  ->  udp.c, fragments.c  datagrams  ->  pcap.c  topics
 *
 *     capture.c                 packets of a pcap file, of a pcapng file
 *     udp.c                     from a packet of the network to its UDP datagram
 *     fragments.c               IP packets from fragments
 *     flows.c                   datagrams of one machine to one port: a topic
 *     pcap.c                    datagrams as messages of a container
 *     nclt.c, nclt_sync.c       the NCLT data set: packets, scans
 *
 * A `block` is one of a pcapng file, as its specification has it.
 */
#ifndef CLUMP_IO_RECORDINGS_CAPTURE_H
#define CLUMP_IO_RECORDINGS_CAPTURE_H

#include "containers/container.h"

/* An interface of a pcapng section; of a pcap file there is one. */
typedef struct clump_io_interface {
    uint32_t link;       /* LINKTYPE_... */
    uint32_t snaplen;    /* 0: no limit */
    unsigned resolution; /* if_tsresol: 6 microseconds, 9 nanoseconds; with 0x80 a power of two */
    int64_t offset;      /* if_tsoffset, seconds */
} clump_io_interface;

typedef struct clump_io_capture {
    const clump_io_blob *blob;
    clump_io_losses *losses;
    clump_io_window window;
    bool ng;      /* pcapng */
    bool swapped; /* most significant byte first */
    uint64_t at;
    int64_t time;     /* of the last packet: a SimplePacketBlock has none */
    uint64_t counted; /* losses before this place have been counted */
    bool stopped;     /* the rest cannot be read */
    clump_io_interface *interfaces;
    size_t interface_count, interface_capacity;
} clump_io_capture;

typedef struct clump_io_captured {
    uint64_t at; /* place of its record in the file */
    int64_t time;
    uint32_t link;
    const unsigned char *bytes; /* valid until the next call */
    size_t size;
    bool cut; /* there are fewer bytes than the packet had */
} clump_io_captured;

bool clump_io_capture_sniff(const unsigned char *bytes, size_t size);

/* Opens the capture and moves to its beginning. May be called again. */
clump_status clump_io_capture_open(clump_io_capture *capture, const clump_io_blob *blob, clump_io_losses *losses);
void clump_io_capture_release(clump_io_capture *capture);

/* Reads the next packet. *more is false at the end. Losses are counted once, also if the capture is read again. */
clump_status clump_io_capture_next(clump_io_capture *capture, clump_io_captured *packet, bool *more);

/* Whether losses at this place are still to be counted. */
static inline bool clump_io_capture_counts(const clump_io_capture *capture, uint64_t at)
{
    return at >= capture->counted;
}

#endif
