/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wire.h: packets of sensors from sockets and to sockets.
 *
 *     url.c         "udp://239.0.0.1:2368,8308"  ->  address and ports
 *     socket.c      a socket that receives: buffer, time stamps, multicast; the sentences of what is wrong
 *     receive.c     the thread that takes packets from sockets and does nothing else  ->  ring (containers/live.h)
 *     wire.c        packets of the ring as messages of a container
 *     pcap_write.c  the same packets to a file
 *     metadata.c    "ouster://HOST": the JSON text of the sensor by HTTP
 *     send.c        packets of a capture to a socket: clump_capture_send()
 *
 * Addresses are those of IPv4, as sensors have them.
 */
#ifndef CLUMP_IO_WIRE_WIRE_H
#define CLUMP_IO_WIRE_WIRE_H

#include "captures/udp.h"
#include "containers/live.h"

#include <pthread.h>
#include <stdatomic.h>

enum { CLUMP_IO_WIRE_PORTS = 8 };

/* --- url.c ------------------------------------------------------------------------------------------------ */

/* What a URL names. Addresses are in the order of the network. */
typedef struct clump_io_wire_url {
    uint32_t address; /* 0: all */
    uint16_t ports[CLUMP_IO_WIRE_PORTS];
    size_t port_count;
    char host[256]; /* as text; "" for all addresses */
} clump_io_wire_url;

/* Reads "SCHEME://[HOST][:PORT[,PORT...]]". The host of udp:// is a numeric address. */
clump_status clump_io_wire_url_read(const clump_io_where *where, const char *url, const char *scheme,
                                    clump_io_wire_url *out);
bool clump_io_wire_is_multicast(uint32_t address);
bool clump_io_wire_is_loopback(uint32_t address);
/* Finds the address of a name or a number. */
clump_status clump_io_wire_find_host(const clump_io_where *where, const char *host, uint32_t *address);

/* --- socket.c ----------------------------------------------------------------------------------------------- */

#define CLUMP_IO_WIRE_BUFFER                                                                                           \
    (4 << 20) /* bytes for packets that the kernel is asked for. Measured: 0 lost with stalls of 20 ms */

/* Opens a socket that receives at the address and port, in the network `interface` if it is not null. *port: that of the
 * socket, where 0 was asked for. *buffer: the bytes that the kernel has given. */
clump_status clump_io_wire_socket_open(const clump_io_where *where, uint32_t address, const char *interface,
                                       uint16_t *port, size_t *buffer, int *file);

/* --- receive.c -------------------------------------------------------------------------------------------- */

/* Stands before the bytes of a packet in the ring. */
typedef struct clump_io_wire_head {
    uint32_t from; /* address, in the order of the network */
    uint16_t from_port, port;
} clump_io_wire_head;

typedef struct clump_io_wire_socket {
    int file;
    uint16_t port;
    uint32_t drops; /* of the receiving thread: what the kernel has counted */
} clump_io_wire_socket;

typedef struct clump_io_wire_receiver {
    clump_io_wire_socket sockets[CLUMP_IO_WIRE_PORTS];
    size_t count;
    uint32_t from; /* only packets of this address; 0: of all */
    clump_io_live *live;
    int wake[2]; /* a pipe: its end ends the thread; -1: none */
    pthread_t thread;
    bool running;
    unsigned char *spare; /* for a packet that finds the ring full */
    atomic_uint_fast64_t packets, bytes, kernel_dropped, ring_dropped, others;
} clump_io_wire_receiver;

clump_status clump_io_wire_receiver_start(const clump_io_where *where, clump_io_wire_receiver *receiver);
void clump_io_wire_receiver_stop(clump_io_wire_receiver *receiver); /* ends the thread, closes sockets */

/* --- pcap_write.c ------------------------------------------------------------------------------------------ */

typedef struct clump_io_wire_writer clump_io_wire_writer;
clump_status clump_io_wire_writer_open(const clump_io_where *where, const char *path, clump_io_wire_writer **out);
/* Appends a packet. A failure is kept, and returned by clump_io_wire_writer_flush() and close(). */
void clump_io_wire_writer_add(clump_io_wire_writer *writer, const clump_io_wire_head *head, uint32_t to, int64_t time,
                              const void *bytes, size_t size);
/* Fails where adding has failed. */
clump_status clump_io_wire_writer_check(const clump_io_wire_writer *writer, const clump_io_where *where);
clump_status clump_io_wire_writer_flush(clump_io_wire_writer *writer, const clump_io_where *where);
clump_status clump_io_wire_writer_close(clump_io_wire_writer *writer, const clump_io_where *where); /* null: nothing */

/* --- metadata.c ---------------------------------------------------------------------------------------------- */

/* Gets http://HOST:PORT/api/v1/sensor/metadata. The caller frees *text. *port: where the sensor sends its packets to; 7502 where
 * the text does not say. */
clump_status clump_io_wire_metadata_get(const clump_io_where *where, const clump_io_wire *wire,
                                        const clump_io_wire_url *url, char **text, size_t *size, uint16_t *port);

#endif
