/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag_tables.c: what a bag is made of: a window of its file, its connections, its chunks.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/bag.h"

#include <stdlib.h>
#include <string.h>

/* Connections that are the most to be kept. A connection is one publisher of one topic. */
#define BAG_TABLES_CONNECTIONS ((size_t)65536)

/* Bytes of a connection, an index or a chunk info that are the most to be accepted. */
#define BAG_TABLES_DATA ((size_t)64 << 20)

/* --- the file ------------------------------------------------------------------------------------------- */

bool clump_io_bag_look(clump_io_bag *bag, uint64_t at, size_t size, size_t ahead, const unsigned char **bytes,
                       size_t *have, clump_status *status)
{
    *status = CLUMP_OK;
    if (at > bag->blob->size || size > bag->blob->size - at) return false;
    const uint64_t left = bag->blob->size - at;
    if (bag->blob->memory) {
        *bytes = bag->blob->memory + at;
        *have = (size_t)left;
        return true;
    }
    const bool inside = at >= bag->window_at && at - bag->window_at <= bag->window.size &&
                        size <= bag->window.size - (size_t)(at - bag->window_at);
    if (!inside) {
        size_t want = size > ahead ? size : ahead;
        if (want > left) want = (size_t)left;
        clump_io_blob silent = *bag->blob; /* a damaged bag is no reason for a message */
        silent.where.message = NULL;
        bag->window.size = 0;
        *status = clump_io_blob_at(&silent, at, want, &bag->window, bytes);
        if (*status == CLUMP_ERR_IO_TRUNCATED) *status = CLUMP_OK; /* the file became shorter: read what is left */
        if (*status == CLUMP_ERR_OUT_OF_MEMORY) clump_io_no_memory(&bag->blob->where, want);
        if (*status != CLUMP_OK || bag->window.size != want) return false;
        bag->window_at = at;
    }
    *bytes = bag->window.data + (size_t)(at - bag->window_at);
    *have = bag->window.size - (size_t)(at - bag->window_at);
    return true;
}

bool clump_io_bag_look_record(clump_io_bag *bag, uint64_t at, size_t ahead, clump_io_bag_record *record,
                              clump_status *status)
{
    const unsigned char *bytes;
    size_t have;
    if (!clump_io_bag_look(bag, at, 8, ahead, &bytes, &have, status)) return false;
    const size_t header_size = clump_io_u32(bytes);
    if (header_size > BAG_MAX_HEADER) return false;
    if (!clump_io_bag_look(bag, at, header_size + 8, ahead, &bytes, &have, status)) return false;
    if (!clump_io_bag_read_record(bytes, have, 0, record)) return false;
    record->at += at;
    record->data_at += at;
    return true;
}

bool clump_io_bag_look_whole(clump_io_bag *bag, uint64_t at, size_t ahead, clump_io_bag_record *record,
                             const unsigned char **data, clump_status *status)
{
    const unsigned char *bytes;
    size_t have;
    if (!clump_io_bag_look_record(bag, at, ahead, record, status) || record->data_size > BAG_TABLES_DATA) return false;
    const size_t header = (size_t)(record->data_at - at);
    if (!clump_io_bag_look(bag, at, header + record->data_size, ahead, &bytes, &have, status)) return false;
    /* The window may have moved, and with it the texts of the fields. */
    if (!clump_io_bag_read_fields(bytes + 4, header - 8, &record->fields)) return false;
    *data = bytes + header;
    return true;
}

/* --- connections ---------------------------------------------------------------------------------------- */

static clump_io_bag_connection *connection_slot(clump_io_bag_connection *table, size_t room, uint32_t conn)
{
    size_t i = (conn * UINT32_C(2654435761)) & (room - 1);
    while (table[i].used && table[i].conn != conn) i = (i + 1) & (room - 1);
    return &table[i];
}

static clump_status grow_connections(clump_io_bag *bag)
{
    if (2 * (bag->connection_count + 1) <= bag->connection_room) return CLUMP_OK;
    const size_t room = bag->connection_room ? 2 * bag->connection_room : 64;
    clump_io_bag_connection *const table = calloc(room, sizeof *table);
    if (!table) return clump_io_no_memory(&bag->blob->where, room * sizeof *table);
    for (size_t i = 0; i < bag->connection_room; i++)
        if (bag->connections[i].used) *connection_slot(table, room, bag->connections[i].conn) = bag->connections[i];
    free(bag->connections);
    bag->connections = table;
    bag->connection_room = room;
    return CLUMP_OK;
}

bool clump_io_bag_topic_of(const clump_io_bag *bag, uint32_t conn, uint32_t *topic)
{
    if (!bag->connection_room) return false;
    const clump_io_bag_connection *const slot = connection_slot(bag->connections, bag->connection_room, conn);
    *topic = slot->topic;
    return slot->used && (slot->pass == 0 || slot->pass == bag->pass);
}

clump_status clump_io_bag_connect(clump_io_bag *bag, const clump_io_bag_fields *fields, const unsigned char *data,
                                  size_t size)
{
    clump_io_bag_fields more;
    uint32_t topic;
    if (clump_io_bag_topic_of(bag, fields->conn, &topic)) return CLUMP_OK; /* each connection is there twice */
    if (!clump_io_bag_read_fields(data, size, &more) || !(more.has & BAG_HAS_TYPE)) return CLUMP_OK;
    CLUMP_IO_TRY(grow_connections(bag));
    clump_io_bag_connection *const slot = connection_slot(bag->connections, bag->connection_room, fields->conn);
    if (!slot->used && bag->connection_count == BAG_TABLES_CONNECTIONS) return CLUMP_OK;
    clump_io_where silent = {bag->blob->where.name, NULL};
    const clump_status status = clump_io_topics_add(&silent, bag->topics, fields->topic.text, fields->topic.size,
                                                    more.type.text, more.type.size, CLUMP_IO_CODING_ROS1, &topic);
    if (status == CLUMP_ERR_OUT_OF_MEMORY) return clump_io_no_memory(&bag->blob->where, size);
    if (status != CLUMP_OK) return CLUMP_OK; /* too many topics: its messages are unknown */
    bag->connection_count += !slot->used;
    *slot = (clump_io_bag_connection){fields->conn, topic, true, bag->pass};
    return CLUMP_OK;
}

/* --- chunks --------------------------------------------------------------------------------------------- */

clump_status clump_io_bag_add_chunk(clump_io_bag *bag, uint64_t at, clump_io_bag_chunk **chunk)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&bag->blob->where, &bag->chunks, &bag->chunk_capacity, bag->chunk_count + 1,
                                       sizeof *bag->chunks));
    CLUMP_ASSERT(bag->chunk_count < bag->chunk_capacity);
    *chunk = &bag->chunks[bag->chunk_count++];
    bag->chunk_serial++;
    **chunk = (clump_io_bag_chunk){.at = at, .messages = UINT64_MAX, .topics = bag->topic_pool_count};
    return CLUMP_OK;
}

void clump_io_bag_set_chunk(const clump_io_bag *bag, const clump_io_bag_record *record, clump_io_bag_chunk *chunk)
{
    const uint64_t left = bag->blob->size - record->data_at;
    chunk->data_at = record->data_at;
    chunk->cut = record->data_size > left;
    chunk->data_size = chunk->cut ? (uint32_t)left : record->data_size;
    chunk->plain_size = record->fields.size;
    chunk->packing = clump_io_packing_of(record->fields.compression.text, record->fields.compression.size);
    if (chunk->packing == CLUMP_IO_PACKING_UNKNOWN && record->data_size == chunk->plain_size)
        chunk->packing = CLUMP_IO_PACKING_NONE; /* the word is damaged */
}

clump_status clump_io_bag_add_topic(clump_io_bag *bag, clump_io_bag_chunk *chunk, uint32_t topic)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&bag->blob->where, &bag->topic_marks, &bag->topic_mark_capacity,
                                       (size_t)topic + 1, sizeof *bag->topic_marks));
    for (; bag->topic_mark_count <= topic; bag->topic_mark_count++) bag->topic_marks[bag->topic_mark_count] = 0;
    if (bag->topic_marks[topic] == bag->chunk_serial) return CLUMP_OK;
    bag->topic_marks[topic] = bag->chunk_serial;
    CLUMP_IO_TRY(clump_io_list_reserve(&bag->blob->where, &bag->topic_pool, &bag->topic_pool_capacity,
                                       bag->topic_pool_count + 1, sizeof *bag->topic_pool));
    CLUMP_ASSERT(bag->topic_pool_count < bag->topic_pool_capacity);
    CLUMP_ASSERT(topic < bag->topic_mark_count);
    bag->topic_pool[bag->topic_pool_count++] = topic;
    chunk->topic_count++;
    return CLUMP_OK;
}
