/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bus.h: ROS 2 without ROS: topics over DDS, by CycloneDDS. Messages are bytes in CDR; no type is generated.
 *
 *     bus_name.c     ros2://TOPIC?domain=N...  ->  clump_io_bus_name; the settings of CycloneDDS
 *     bus_library.c  loads CycloneDDS when it is needed: programs that read files do not depend on it
 *     bus_type.c     a type of DDS that is only a name: its values are bytes
 *     bus.c          domain, node, readers and writers
 *     ros2.c         a topic as a live container
 *
 * Words of the room: a `domain` is a number that separates systems of ROS on one network. A `bus` is the membership of this
 * process in a domain, with one node, "/clump". The `graph` is the topic on which nodes tell their names and topics. A `gid`
 * identifies a reader or writer there.
 */
#ifndef CLUMP_IO_BUS_BUS_H
#define CLUMP_IO_BUS_BUS_H

#include "format.h"

#include <stdbool.h>

/* --- bus_name.c ----------------------------------------------------------------------------------------- */

#define CLUMP_IO_BUS_SCHEME "ros2://"

typedef struct clump_io_bus_name {
    char topic[256]; /* "points", without the first slash; "": none */
    unsigned domain;
    bool humble;   /* gids of 24 bytes and no type hashes, as in Humble; else as in Iron and later */
    bool reliable; /* lost messages are sent again to this reader */
    bool local;    /* nothing leaves this machine */
} clump_io_bus_name;

/* Reads ros2://TOPIC[?domain=N&ros=NAME&qos=NAME&net=NAME]: ros humble or jazzy, qos best-effort or reliable, net all or local.
 * Without a domain, that of ROS_DOMAIN_ID; ROS_LOCALHOST_ONLY=1 and ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST keep to this
 * machine. */
clump_status clump_io_bus_name_read(const clump_io_where *where, const char *text, clump_io_bus_name *out);

/* Writes the settings of CycloneDDS: large fragments, a large receive buffer, which interfaces. Those of CYCLONEDDS_URI come
 * last, so they hold. Returns the bytes of receive buffer that the kernel grants. */
enum { CLUMP_IO_BUS_SETTINGS = 16384, CLUMP_IO_BUS_BUFFER = 4 << 20 };
size_t clump_io_bus_settings(const clump_io_bus_name *name, char out[CLUMP_IO_BUS_SETTINGS]);

/* --- bus.c ---------------------------------------------------------------------------------------------- */

typedef struct clump_io_bus clump_io_bus;
typedef struct clump_io_bus_reader clump_io_bus_reader;

/* Joins the domain of the name; all members of a process share one bus per domain. */
clump_status clump_io_bus_join(const clump_io_where *where, const clump_io_bus_name *name, clump_io_bus **out);
void clump_io_bus_leave(clump_io_bus *bus); /* null is fine */

size_t clump_io_bus_buffer(const clump_io_bus *bus); /* bytes of receive buffer that the kernel grants */

/* Called by a thread of DDS per message. */
typedef void clump_io_bus_heard(void *user, const unsigned char *bytes, size_t size);

/* Subscribes to the topic of the name. type: "sensor_msgs/msg/PointCloud2". */
clump_status clump_io_bus_subscribe(const clump_io_where *where, clump_io_bus *bus, const clump_io_bus_name *name,
                                    const char *type, clump_io_bus_heard *heard, void *user, clump_io_bus_reader **out);
void clump_io_bus_unsubscribe(clump_io_bus_reader *reader); /* after it `heard` is not called; null is fine */
uint64_t clump_io_bus_lost(clump_io_bus_reader *reader);    /* messages that did not arrive, by the counting of DDS */
size_t clump_io_bus_writers(clump_io_bus_reader *reader);   /* that match now */

/* Publishes a message; the first of a topic makes its writer. False: it could not be sent in time, or at all. One thread at a
 * time. */
bool clump_io_bus_publish(clump_io_bus *bus, const char *topic, const char *type, const void *bytes, size_t size);

#endif
