/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag_sample.h: writes small ROS 1 bags, correct ones and others.
 */
#ifndef CLUMP_TESTS_BAG_SAMPLE_H
#define CLUMP_TESTS_BAG_SAMPLE_H

#include "recordings/test_container.h"

static inline void bag_field(made *to, const char *name, const void *value, size_t size)
{
    made_u32(to, (uint32_t)(strlen(name) + 1 + size));
    made_put(to, name, strlen(name));
    made_put(to, "=", 1);
    made_put(to, value, size);
}

static inline void bag_field_u32(made *to, const char *name, uint32_t value)
{
    bag_field(to, name, &value, 4);
}

static inline void bag_field_time(made *to, const char *name, int64_t time)
{
    const uint32_t parts[2] = {(uint32_t)(time / 1000000000), (uint32_t)(time % 1000000000)};
    bag_field(to, name, parts, 8);
}

/* Appends a record, and frees header and data. */
static inline void bag_record(made *to, int op, made *header, made *data)
{
    bag_field(header, "op", &(unsigned char){(unsigned char)op}, 1);
    made_u32(to, (uint32_t)header->size);
    made_put(to, header->bytes, header->size);
    made_u32(to, (uint32_t)data->size);
    made_put(to, data->bytes, data->size);
    made_free(header);
    made_free(data);
}

static inline void bag_connection(made *to, uint32_t conn, const char *topic, const char *type)
{
    made header = {0}, data = {0};
    bag_field_u32(&header, "conn", conn);
    bag_field(&header, "topic", topic, strlen(topic));
    bag_field(&data, "topic", topic, strlen(topic));
    bag_field(&data, "type", type, strlen(type));
    bag_record(to, 7, &header, &data);
}

/* The data of a message tell its number: 8 bytes, and up to 6 more. */
static inline void bag_message(made *to, uint32_t conn, int64_t time, uint64_t number)
{
    made header = {0}, data = {0};
    bag_field_u32(&header, "conn", conn);
    bag_field_time(&header, "time", time);
    made_put(&data, &number, 8);
    for (uint64_t i = 0; i < number % 7; i++) made_put(&data, "x", 1);
    bag_record(to, 2, &header, &data);
}

/* A bag that is being written. */
typedef struct bag_sample {
    made bytes, chunk, infos;
    struct {
        int64_t time;
        uint32_t conn, at;
    } entries[64];
    size_t entry_count;
    uint32_t chunk_count;
} bag_sample;

static inline void bag_header(made *to, uint64_t index_pos, uint32_t conn_count, uint32_t chunk_count)
{
    made header = {0}, data = {0};
    bag_field(&header, "index_pos", &index_pos, 8);
    bag_field_u32(&header, "conn_count", conn_count);
    bag_field_u32(&header, "chunk_count", chunk_count);
    made_put(&data, "        ", 8); /* rosbag pads to 4096 bytes */
    bag_record(to, 3, &header, &data);
}

static inline void bag_begin(bag_sample *bag)
{
    *bag = (bag_sample){0};
    made_put(&bag->bytes, "#ROSBAG V2.0\n", 13);
    bag_header(&bag->bytes, 0, 2, 0);
}

/* Appends a message to the chunk that is being written. */
static inline void bag_add(bag_sample *bag, uint32_t conn, int64_t time, uint64_t number)
{
    bag->entries[bag->entry_count].time = time;
    bag->entries[bag->entry_count].conn = conn;
    bag->entries[bag->entry_count++].at = (uint32_t)bag->chunk.size;
    bag_message(&bag->chunk, conn, time, number);
}

/* Appends the index data of one connection, and what the chunk info says about it. */
static inline void bag_index_data(bag_sample *bag, uint32_t conn, made *counts)
{
    made header = {0}, data = {0};
    uint32_t count = 0;
    for (size_t i = 0; i < bag->entry_count; i++) {
        if (bag->entries[i].conn != conn) continue;
        count++;
        made_u32(&data, (uint32_t)(bag->entries[i].time / 1000000000));
        made_u32(&data, (uint32_t)(bag->entries[i].time % 1000000000));
        made_u32(&data, bag->entries[i].at);
    }
    if (!count) return;
    made_u32(counts, conn);
    made_u32(counts, count);
    bag_field_u32(&header, "ver", 1);
    bag_field_u32(&header, "conn", conn);
    bag_field_u32(&header, "count", count);
    bag_record(&bag->bytes, 4, &header, &data);
}

/* Ends the chunk. packed null: not compressed. */
static inline void bag_end_chunk(bag_sample *bag, const char *compression, const void *packed, size_t packed_size)
{
    made header = {0}, data = {0}, counts = {0}, info = {0};
    const uint64_t at = bag->bytes.size;
    int64_t first = INT64_MAX, last = 0;
    for (size_t i = 0; i < bag->entry_count; i++) {
        if (bag->entries[i].time < first) first = bag->entries[i].time;
        if (bag->entries[i].time > last) last = bag->entries[i].time;
    }
    bag_field(&header, "compression", compression, strlen(compression));
    bag_field_u32(&header, "size", (uint32_t)bag->chunk.size);
    made_put(&data, packed ? packed : bag->chunk.bytes, packed ? packed_size : bag->chunk.size);
    bag_record(&bag->bytes, 5, &header, &data);
    for (uint32_t conn = 0; conn < 4; conn++) bag_index_data(bag, conn, &counts);
    bag_field_u32(&info, "ver", 1);
    bag_field(&info, "chunk_pos", &at, 8);
    bag_field_time(&info, "start_time", first);
    bag_field_time(&info, "end_time", last);
    bag_field_u32(&info, "count", (uint32_t)(counts.size / 8));
    bag_record(&bag->infos, 6, &info, &counts);
    made_free(&bag->chunk);
    bag->entry_count = 0;
    bag->chunk_count++;
}

static const char *const bag_topics[3] = {"/points", "/other", "/late"};
static const char *const bag_types[3] = {"sensor_msgs/PointCloud2", "std_msgs/String", "std_msgs/String"};

/* Ends the bag: connections, chunk infos, and the bag header again. */
static inline made bag_end(bag_sample *bag, bool with_index)
{
    if (with_index) {
        made header = {0};
        bag_header(&header, bag->bytes.size, 2, bag->chunk_count);
        memcpy(bag->bytes.bytes + 13, header.bytes, header.size);
        made_free(&header);
        for (uint32_t i = 0; i < 2; i++) bag_connection(&bag->bytes, i, bag_topics[i], bag_types[i]);
        made_put(&bag->bytes, bag->infos.bytes, bag->infos.size);
    }
    made_free(&bag->infos);
    made_free(&bag->chunk);
    return bag->bytes;
}

/* A bag of three chunks, not in order and overlapping: messages 0 to 8 of two topics at times 10, 20 ... 90 s;
 * messages 4 and 5 have the same time. */
static inline made bag_of_three(bool with_index)
{
    static const struct {
        int chunk;
        uint32_t conn;
        int64_t seconds;
        uint64_t number;
    } messages[] = {{0, 0, 40, 3}, {0, 1, 50, 4}, {0, 0, 80, 7}, {1, 0, 20, 1}, {1, 0, 10, 0},
                    {1, 1, 70, 6}, {2, 1, 50, 5}, {2, 0, 30, 2}, {2, 0, 90, 8}};
    bag_sample bag;
    bag_begin(&bag);
    for (int chunk = 0; chunk < 3; chunk++) {
        if (chunk == 0)
            for (uint32_t i = 0; i < 2; i++) bag_connection(&bag.chunk, i, bag_topics[i], bag_types[i]);
        for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
            if (messages[i].chunk == chunk)
                bag_add(&bag, messages[i].conn, messages[i].seconds * 1000000000 + 7, messages[i].number);
        bag_end_chunk(&bag, "none", NULL, 0);
    }
    return bag_end(&bag, with_index);
}

#endif
