/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bus.c: the node in a domain of ROS 2.
 *
 * Settings of CycloneDDS belong to the domain of the process, so there is one bus per domain and process, which its users count.
 * The topic /points of ROS is rt/points in DDS, the type pkg/msg/Name is pkg::msg::dds_::Name_. Readers and writers
 * carry the hash of their type in USER_DATA. The topic ros_discovery_info tells which of them are of which node.
 */
#include "bus/bus.h"

#ifdef CLUMP_IO_DDS
#include "bus/bus_inside.h"
#include "messages/encode.h"

#include "common/assert.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUS_TOPICS = 16, /* that are published */
    BUS_READERS = 16,
    BUS_TEXT = 512, /* bytes of a name in DDS */
    BUS_DEPTH = 5,  /* messages that wait, as in ROS's profile for sensors */
    BUS_BLOCK = 20, /* milliseconds that a message may wait for slow readers */
};

typedef struct bus_writer {
    char *topic;
    dds_entity_t entity; /* 0: it could not be made */
} bus_writer;

struct clump_io_bus {
    clump_io_bus *next; /* of other domains */
    size_t users;
    clump_io_bus_name name;
    size_t buffer;
    const bus_calls *calls;
    bus_type_ops ops;
    dds_entity_t domain, participant, graph; /* domain 0: another part of the process has made it */
    pthread_mutex_t lock;                    /* guards the next members, and what the graph tells */
    dds_entity_t readers[BUS_READERS];
    size_t reader_count;
    bus_writer writers[BUS_TOPICS];
    size_t writer_count;
};

struct clump_io_bus_reader {
    clump_io_bus *bus;
    dds_entity_t entity;
    clump_io_bus_heard *heard;
    void *user;
    uint64_t lost;
};

/* The buses of the process, one per domain. */
static pthread_mutex_t bus_lock = PTHREAD_MUTEX_INITIALIZER;
static clump_io_bus *bus_list;

/* --- types ------------------------------------------------------------------------------------------------- */

/* Hashes of types (RIHS01) as ROS 2 has them since Iron: REP 2011. */
static const char *hash_of(const char *type)
{
    static const char *const hashes[][2] = {
        {"sensor_msgs/msg/PointCloud2", "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5"},
        {"visualization_msgs/msg/MarkerArray", "86cb8800b6fb05b5eff1abd7a56f62a5641d3ae9a1c29e78e67e704f1d067dcf"},
        {"vision_msgs/msg/Detection3DArray", "793f5eab9595ac1c0da07873cc859db42eae51f0ee76056db8562515d830e018"},
        {"tf2_msgs/msg/TFMessage", "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087"},
        {"rmw_dds_common/msg/ParticipantEntitiesInfo",
         "91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"}};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (strcmp(hashes[i][0], type) == 0) return hashes[i][1];
    return NULL;
}

/* Writes pkg/msg/Name as pkg::msg::dds_::Name_. */
static void put_type(const char *type, char out[BUS_TEXT])
{
    const char *const slash = strrchr(type, '/');
    size_t size = 0;
    for (const char *c = type; *c && size + 16 < BUS_TEXT; c++) {
        if (*c != '/') {
            out[size++] = *c;
            continue;
        }
        const char *const text = c == slash ? "::dds_::" : "::";
        memcpy(out + size, text, strlen(text));
        size += strlen(text);
    }
    out[size++] = '_';
    out[size] = '\0';
}

/* Makes the topic of DDS. Negative: it failed. */
static dds_entity_t make_topic(const clump_io_bus *bus, const char *name, const char *type)
{
    char text[BUS_TEXT];
    put_type(type, text);
    struct ddsi_sertype *sertype = clump_io_bus_type_new(&bus->ops, bus->calls, text);
    if (!sertype) return DDS_RETCODE_OUT_OF_RESOURCES;
    const dds_entity_t topic = bus->calls->dds_create_topic_sertype(bus->participant, name, &sertype, NULL, NULL, NULL);
    if (topic < 0) bus->calls->ddsi_sertype_unref(sertype);
    return topic;
}

/* Returns the settings of a reader or writer; null: no memory. */
static dds_qos_t *make_qos(const clump_io_bus *bus, const char *type, bool reliable, int depth)
{
    dds_qos_t *const qos = bus->calls->dds_create_qos();
    if (!qos) return NULL;
    bus->calls->dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                                     DDS_MSECS(BUS_BLOCK));
    bus->calls->dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    bus->calls->dds_qset_writer_data_lifecycle(qos, false);
    char text[BUS_TEXT];
    const char *const hash = hash_of(type);
    if (hash && !bus->name.humble) {
        const int size = snprintf(text, sizeof text, "typehash=RIHS01_%s;", hash);
        bus->calls->dds_qset_userdata(qos, text, (size_t)size);
    }
    return qos;
}

/* --- the graph --------------------------------------------------------------------------------------------- */

static void put_gid(const clump_io_bus *bus, clump_io_encoder *to, dds_entity_t entity)
{
    static const unsigned char zeros[8];
    dds_guid_t guid = {{0}};
    bus->calls->dds_get_guid(entity, &guid);
    clump_io_encode_bytes(to, guid.v, sizeof guid.v);
    if (bus->name.humble) clump_io_encode_bytes(to, zeros, sizeof zeros);
}

/* Tells the readers and writers of the node. The lock is held. */
static void tell_graph(clump_io_bus *bus)
{
    if (bus->graph <= 0) return;
    clump_io_encoder to = {0};
    clump_io_encoder_begin(&to, true);
    put_gid(bus, &to, bus->participant);
    clump_io_encode_u32(&to, 1);
    clump_io_encode_string(&to, "/");
    clump_io_encode_string(&to, "clump");
    clump_io_encode_u32(&to, (uint32_t)bus->reader_count);
    for (size_t i = 0; i < bus->reader_count; i++) put_gid(bus, &to, bus->readers[i]);
    uint32_t writers = 0;
    for (size_t i = 0; i < bus->writer_count; i++) writers += bus->writers[i].entity > 0;
    clump_io_encode_u32(&to, writers);
    for (size_t i = 0; i < bus->writer_count; i++)
        if (bus->writers[i].entity > 0) put_gid(bus, &to, bus->writers[i].entity);
    clump_io_encoder_end(&to);
    const bus_bytes bytes = {to.data, to.size};
    if (!to.failed) bus->calls->dds_write(bus->graph, &bytes);
    clump_io_encoder_release(&to);
}

static void open_graph(clump_io_bus *bus)
{
    static const char type[] = "rmw_dds_common/msg/ParticipantEntitiesInfo";
    const dds_entity_t topic = make_topic(bus, "ros_discovery_info", type);
    dds_qos_t *const qos = make_qos(bus, type, true, 1);
    if (qos) bus->calls->dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    if (topic > 0 && qos) bus->graph = bus->calls->dds_create_writer(bus->participant, topic, qos, NULL);
    bus->calls->dds_delete_qos(qos);
}

/* --- joining ------------------------------------------------------------------------------------------------ */

static clump_status open_bus(const clump_io_where *where, clump_io_bus *bus)
{
    static const char enclave[] = "enclave=/;";
    char settings[CLUMP_IO_BUS_SETTINGS];
    bus->buffer = clump_io_bus_settings(&bus->name, settings);
    clump_io_bus_type_begin(&bus->ops, bus->calls);
    const dds_entity_t domain = bus->calls->dds_create_domain(bus->name.domain, settings);
    if (domain > 0) bus->domain = domain;
    dds_qos_t *const qos = bus->calls->dds_create_qos();
    if (qos) bus->calls->dds_qset_userdata(qos, enclave, sizeof enclave - 1);
    bus->participant = bus->calls->dds_create_participant(bus->name.domain, qos, NULL);
    bus->calls->dds_delete_qos(qos);
    if (bus->participant < 0)
        return clump_io_fail(where, CLUMP_ERR_IO_OPEN, "domain %u of ROS 2 cannot be joined: %s", bus->name.domain,
                             bus->calls->dds_strretcode(domain < 0 ? domain : bus->participant));
    open_graph(bus);
    tell_graph(bus);
    return CLUMP_OK;
}

static void close_bus(clump_io_bus *bus)
{
    if (bus->participant > 0) bus->calls->dds_delete(bus->participant);
    if (bus->domain > 0) bus->calls->dds_delete(bus->domain);
    for (size_t i = 0; i < bus->writer_count; i++) free(bus->writers[i].topic);
    pthread_mutex_destroy(&bus->lock);
    free(bus);
}

/* Joins under the lock of all buses. */
static clump_status join_locked(const clump_io_where *where, const clump_io_bus_name *name, clump_io_bus **out)
{
    for (clump_io_bus *bus = bus_list; bus; bus = bus->next)
        if (bus->name.domain == name->domain) {
            bus->users++;
            *out = bus;
            return CLUMP_OK;
        }
    const bus_calls *const calls = clump_io_bus_library(where);
    if (!calls) return CLUMP_ERR_IO_UNSUPPORTED;
    clump_io_bus *const bus = calloc(1, sizeof *bus);
    if (!bus) return clump_io_no_memory(where, sizeof *bus);
    bus->users = 1;
    bus->name = *name;
    bus->calls = calls;
    pthread_mutex_init(&bus->lock, NULL);
    const clump_status status = open_bus(where, bus);
    if (status != CLUMP_OK) {
        close_bus(bus);
        return status;
    }
    bus->next = bus_list;
    bus_list = bus;
    *out = bus;
    return CLUMP_OK;
}

clump_status clump_io_bus_join(const clump_io_where *where, const clump_io_bus_name *name, clump_io_bus **out)
{
    *out = NULL;
    pthread_mutex_lock(&bus_lock);
    const clump_status status = join_locked(where, name, out);
    pthread_mutex_unlock(&bus_lock);
    return status;
}

void clump_io_bus_leave(clump_io_bus *bus)
{
    if (!bus) return;
    pthread_mutex_lock(&bus_lock);
    CLUMP_ASSERT(bus->users >= 1);
    if (--bus->users == 0) {
        clump_io_bus **at = &bus_list;
        while (*at != bus) at = &(*at)->next;
        *at = bus->next;
        close_bus(bus);
    }
    pthread_mutex_unlock(&bus_lock);
}

size_t clump_io_bus_buffer(const clump_io_bus *bus)
{
    return bus->buffer;
}

/* --- reading ------------------------------------------------------------------------------------------------- */

/* Takes all messages that are there. Called by a thread of DDS. */
static void take_messages(dds_entity_t entity, void *given)
{
    clump_io_bus_reader *const reader = given;
    const bus_calls *const calls = reader->bus->calls;
    struct ddsi_serdata *message = NULL;
    dds_sample_info_t info;
    while (calls->dds_takecdr(entity, &message, 1, &info, DDS_ANY_STATE) > 0) {
        const bus_bytes bytes = clump_io_bus_type_bytes(message);
        if (info.valid_data) reader->heard(reader->user, bytes.data, bytes.size);
        calls->ddsi_serdata_unref(message);
        message = NULL;
    }
}

/* Makes the reader of DDS. Returns it, or a negative number. */
static dds_entity_t make_reader(clump_io_bus_reader *reader, const clump_io_bus_name *name, const char *type)
{
    const clump_io_bus *const bus = reader->bus;
    char topic_name[BUS_TEXT];
    snprintf(topic_name, sizeof topic_name, "rt/%s", name->topic);
    const dds_entity_t topic = make_topic(bus, topic_name, type);
    if (topic < 0) return topic;
    dds_entity_t entity = DDS_RETCODE_OUT_OF_RESOURCES;
    dds_qos_t *const qos = make_qos(bus, type, name->reliable, BUS_DEPTH);
    dds_listener_t *const listener = bus->calls->dds_create_listener(reader);
    if (qos && listener) {
        bus->calls->dds_qset_ignorelocal(qos, DDS_IGNORELOCAL_PARTICIPANT); /* what this node publishes */
        bus->calls->dds_lset_data_available(listener, take_messages);
        entity = bus->calls->dds_create_reader(bus->participant, topic, qos, listener);
    }
    bus->calls->dds_delete_listener(listener);
    bus->calls->dds_delete_qos(qos);
    return entity;
}

clump_status clump_io_bus_subscribe(const clump_io_where *where, clump_io_bus *bus, const clump_io_bus_name *name,
                                    const char *type, clump_io_bus_heard *heard, void *user, clump_io_bus_reader **out)
{
    *out = NULL;
    clump_io_bus_reader *const reader = calloc(1, sizeof *reader);
    if (!reader) return clump_io_no_memory(where, sizeof *reader);
    *reader = (clump_io_bus_reader){.bus = bus, .heard = heard, .user = user};
    pthread_mutex_lock(&bus->lock);
    reader->entity = bus->reader_count < BUS_READERS ? make_reader(reader, name, type) : DDS_RETCODE_OUT_OF_RESOURCES;
    if (reader->entity > 0) {
        bus->readers[bus->reader_count++] = reader->entity;
        tell_graph(bus);
    }
    pthread_mutex_unlock(&bus->lock);
    *out = reader;
    if (reader->entity > 0) return CLUMP_OK;
    *out = NULL;
    const clump_status status = clump_io_fail(where, CLUMP_ERR_IO_OPEN, "/%s cannot be subscribed to: %s", name->topic,
                                              bus->calls->dds_strretcode(reader->entity));
    free(reader);
    return status;
}

void clump_io_bus_unsubscribe(clump_io_bus_reader *reader)
{
    if (!reader) return;
    clump_io_bus *const bus = reader->bus;
    bus->calls->dds_delete(reader->entity); /* waits for take_messages() */
    pthread_mutex_lock(&bus->lock);
    size_t kept = 0;
    for (size_t i = 0; i < bus->reader_count; i++)
        if (bus->readers[i] != reader->entity) bus->readers[kept++] = bus->readers[i];
    bus->reader_count = kept;
    tell_graph(bus);
    pthread_mutex_unlock(&bus->lock);
    free(reader);
}

uint64_t clump_io_bus_lost(clump_io_bus_reader *reader)
{
    dds_sample_lost_status_t status = {0};
    if (reader->bus->calls->dds_get_sample_lost_status(reader->entity, &status) == DDS_RETCODE_OK)
        reader->lost = status.total_count;
    return reader->lost;
}

size_t clump_io_bus_writers(clump_io_bus_reader *reader)
{
    dds_subscription_matched_status_t status = {0};
    reader->bus->calls->dds_get_subscription_matched_status(reader->entity, &status);
    return status.current_count;
}

/* --- writing -------------------------------------------------------------------------------------------------- */

/* Returns the writer of the topic, which is made for the first message; null: none. The lock is held. */
static const bus_writer *writer_of(clump_io_bus *bus, const char *topic, const char *type)
{
    for (size_t i = 0; i < bus->writer_count; i++)
        if (strcmp(bus->writers[i].topic, topic) == 0) return &bus->writers[i];
    char *const own = bus->writer_count < BUS_TOPICS ? strdup(topic) : NULL;
    if (!own) return NULL;
    bus_writer *const writer = &bus->writers[bus->writer_count++];
    *writer = (bus_writer){.topic = own};
    char name[BUS_TEXT];
    snprintf(name, sizeof name, "rt%s%s", topic[0] == '/' ? "" : "/", topic);
    const dds_entity_t made = make_topic(bus, name, type);
    dds_qos_t *const qos = make_qos(bus, type, true, BUS_DEPTH); /* readers of both kinds match a reliable writer */
    if (made > 0 && qos) writer->entity = bus->calls->dds_create_writer(bus->participant, made, qos, NULL);
    bus->calls->dds_delete_qos(qos);
    tell_graph(bus);
    return writer;
}

bool clump_io_bus_publish(clump_io_bus *bus, const char *topic, const char *type, const void *bytes, size_t size)
{
    pthread_mutex_lock(&bus->lock);
    const bus_writer *const writer = writer_of(bus, topic, type);
    const dds_entity_t entity = writer ? writer->entity : 0;
    pthread_mutex_unlock(&bus->lock);
    const bus_bytes value = {bytes, size};
    return entity > 0 && bus->calls->dds_write(entity, &value) == DDS_RETCODE_OK;
}

#else /* no CycloneDDS */

clump_status clump_io_bus_join(const clump_io_where *where, const clump_io_bus_name *name, clump_io_bus **out)
{
    (void)name;
    *out = NULL;
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                         "this build has no ROS 2: CycloneDDS was not found when it was made (Debian: cyclonedds-dev)");
}

void clump_io_bus_leave(clump_io_bus *bus)
{
    (void)bus;
}

size_t clump_io_bus_buffer(const clump_io_bus *bus)
{
    (void)bus;
    return 0;
}

clump_status clump_io_bus_subscribe(const clump_io_where *where, clump_io_bus *bus, const clump_io_bus_name *name,
                                    const char *type, clump_io_bus_heard *heard, void *user, clump_io_bus_reader **out)
{
    (void)bus, (void)type, (void)heard, (void)user, (void)out;
    return clump_io_bus_join(where, name, &bus);
}

void clump_io_bus_unsubscribe(clump_io_bus_reader *reader)
{
    (void)reader;
}

uint64_t clump_io_bus_lost(clump_io_bus_reader *reader)
{
    (void)reader;
    return 0;
}

size_t clump_io_bus_writers(clump_io_bus_reader *reader)
{
    (void)reader;
    return 0;
}

bool clump_io_bus_publish(clump_io_bus *bus, const char *topic, const char *type, const void *bytes, size_t size)
{
    (void)bus, (void)topic, (void)type, (void)bytes, (void)size;
    return false;
}
#endif
