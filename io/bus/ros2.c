/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ros2.c: a topic of ROS 2 as a live container: PointCloud2 of any layout.
 *
 * A thread of DDS puts each message into a ring; next() takes it out. Messages are judged where they are decoded: one that lies
 * about its sizes is counted and left out, as in a file.
 */
#include "bus/bus.h"
#include "containers/live.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ROS2_TYPE "sensor_msgs/msg/PointCloud2"
#define ROS2_RING ((size_t)128 << 20) /* bytes of messages that wait; a cloud of 120,000 points has 2 to 4 MB */

typedef struct ros2_state {
    clump_io_blob blob;
    clump_io_bus_name name;
    clump_io_bus *bus;
    clump_io_bus_reader *reader;
    clump_io_live *live;
    pthread_mutex_t lock; /* of the ring, if several threads of DDS receive */
    clump_io_losses *losses;
    uint32_t topic;
    uint64_t lost, dropped; /* counted so far */
    bool heard, asked;
} ros2_state;

/* Called by a thread of DDS. */
static void put_message(void *given, const unsigned char *bytes, size_t size)
{
    ros2_state *const ros2 = given;
    pthread_mutex_lock(&ros2->lock);
    clump_io_live_push(ros2->live, 0, clump_io_now(CLOCK_REALTIME), bytes, size);
    pthread_mutex_unlock(&ros2->lock);
}

static void tell(const ros2_state *ros2)
{
    const size_t buffer = clump_io_bus_buffer(ros2->bus);
    if (!ros2->name.local)
        clump_io_wire_say(ros2->blob.wire, "domain %u of ROS 2 is joined on the networks of this machine",
                          ros2->name.domain);
    if (buffer < CLUMP_IO_BUS_BUFFER)
        clump_io_wire_say(ros2->blob.wire,
                          "the kernel grants a receive buffer of %zu kB, not %d MB: clouds may be lost; sudo sysctl -w "
                          "net.core.rmem_max=%d",
                          buffer >> 10, CLUMP_IO_BUS_BUFFER >> 20, CLUMP_IO_BUS_BUFFER);
}

static clump_status open_topic(const clump_io_where *where, ros2_state *ros2, clump_io_topics *topics)
{
    CLUMP_IO_TRY(clump_io_bus_name_read(where, ros2->blob.path, &ros2->name));
    if (!ros2->name.topic[0]) return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "the topic is missing: ros2://points");
    char name[sizeof ros2->name.topic + 1] = "/";
    memcpy(name + 1, ros2->name.topic, sizeof ros2->name.topic);
    CLUMP_IO_TRY(clump_io_topics_add(where, topics, name, strlen(name), ROS2_TYPE, strlen(ROS2_TYPE),
                                     CLUMP_IO_CODING_CDR, &ros2->topic));
    CLUMP_IO_TRY(clump_io_live_create(where, ROS2_RING, &ros2->live));
    CLUMP_IO_TRY(clump_io_bus_join(where, &ros2->name, &ros2->bus));
    tell(ros2);
    return clump_io_bus_subscribe(where, ros2->bus, &ros2->name, ROS2_TYPE, put_message, ros2, &ros2->reader);
}

static clump_status ros2_open(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    ros2_state *const ros2 = calloc(1, sizeof *ros2);
    if (!ros2) return clump_io_no_memory(&blob->where, sizeof *ros2);
    *state = ros2;
    ros2->blob = *blob;
    ros2->losses = losses;
    pthread_mutex_init(&ros2->lock, NULL);
    return open_topic(&blob->where, ros2, topics);
}

/* Counts what has been lost since the last call: on the network, and because frames were not taken in time. */
static void count_losses(ros2_state *ros2)
{
    const uint64_t lost = clump_io_bus_lost(ros2->reader), dropped = clump_io_live_dropped(ros2->live);
    if (lost > ros2->lost)
        clump_io_lose(ros2->losses, &ros2->losses->lost_packets, lost - ros2->lost, "messages did not arrive");
    if (dropped > ros2->dropped)
        clump_io_lose(ros2->losses, &ros2->losses->lost_packets, dropped - ros2->dropped,
                      "messages came faster than they were read");
    ros2->lost = lost;
    ros2->dropped = dropped;
}

/* Says once that the topic is not published. */
static void ask_for_writers(ros2_state *ros2)
{
    if (ros2->heard || ros2->asked || clump_io_bus_writers(ros2->reader) > 0) return;
    ros2->asked = true;
    clump_io_wire_say(ros2->blob.wire, "no node publishes " ROS2_TYPE " at /%s in domain %u yet", ros2->name.topic,
                      ros2->name.domain);
}

static clump_status ros2_next(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message,
                              bool *more)
{
    (void)wanted, (void)wanted_count;
    ros2_state *const ros2 = state;
    clump_io_live_message taken;
    clump_io_live_event event;
    int64_t silent;
    *more = false;
    CLUMP_IO_TRY(clump_io_live_next(ros2->live, &ros2->blob, &taken, &event, &silent));
    count_losses(ros2);
    if (event == CLUMP_IO_LIVE_END) return CLUMP_OK;
    *more = true;
    if (event == CLUMP_IO_LIVE_SILENCE) {
        ask_for_writers(ros2);
        *message = (clump_io_message){.topic = ros2->topic, .silence = true};
        return CLUMP_OK;
    }
    ros2->heard = true;
    *message =
        (clump_io_message){.topic = ros2->topic, .received = taken.received, .bytes = taken.bytes, .size = taken.size};
    return CLUMP_OK;
}

static void ros2_close(void *state)
{
    ros2_state *const ros2 = state;
    clump_io_bus_unsubscribe(ros2->reader);
    clump_io_bus_leave(ros2->bus);
    clump_io_live_destroy(ros2->live);
    pthread_mutex_destroy(&ros2->lock);
    free(ros2);
}

const clump_io_container clump_io_container_ros2 = {.format = CLUMP_RECORDING_ROS2,
                                                    .name = "ros2",
                                                    .scheme = "ros2://",
                                                    .live = true,
                                                    .open = ros2_open,
                                                    .next = ros2_next,
                                                    .close = ros2_close};
