/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag_write.c: ROS 1 bags, version 2.0.
 *
 *     "#ROSBAG V2.0", bag header: where the index is, padded to 4096 bytes; written again at the end
 *     chunk { connection, message ... }, index data per connection            ... repeated
 *     connections, chunk infos                                               the index
 *
 * A record is a header of NAME=VALUE fields and its data, each behind 4 bytes of size. A connection is described in the
 * chunk of its first message, so that a file without an index can be repaired, and once more in the index.
 */
#include "opcodes.h"
#include "common/assert.h"
#include "recorder/recorder.h"

#include <errno.h>
#include <unistd.h>

enum { BAG_HEADER_SIZE = 4096 }; /* header and data of the first record, without their sizes */

static const char bag_magic[] = "#ROSBAG V2.0\n";

/* --- records --------------------------------------------------------------------------------------- */

static void encode_field(clump_io_encoder *to, const char *name, const void *value, size_t size)
{
    clump_io_encode_u32(to, (uint32_t)(strlen(name) + 1 + size));
    clump_io_encode_bytes(to, name, strlen(name));
    clump_io_encode_bytes(to, "=", 1);
    clump_io_encode_bytes(to, value, size);
}

static void encode_number(clump_io_encoder *to, const char *name, uint32_t value)
{
    encode_field(to, name, &value, sizeof value);
}

/* A time of a record: as in ROS 1 messages. */
static void encode_time_field(clump_io_encoder *to, const char *name, uint64_t time)
{
    clump_io_encode_u32(to, (uint32_t)(strlen(name) + 1 + 8));
    clump_io_encode_bytes(to, name, strlen(name));
    clump_io_encode_bytes(to, "=", 1);
    clump_io_encode_time(to, (int64_t)time);
}

/* Returns where the size of the part will be. */
static size_t begin_part(clump_io_encoder *to)
{
    clump_io_encode_u32(to, 0);
    return to->size - sizeof(uint32_t);
}

static void end_part(clump_io_encoder *to, size_t begun)
{
    CLUMP_ASSERT(to->failed || begun + 4 <= to->size);
    const uint32_t size = (uint32_t)(to->size - begun - sizeof size);
    clump_io_encode_patch(to, begun, &size, sizeof size);
}

static size_t begin_header(clump_io_encoder *to, uint8_t op)
{
    const size_t begun = begin_part(to);
    encode_field(to, "op", &op, sizeof op);
    return begun;
}

/* Ends the header and begins the data. */
static size_t begin_data(clump_io_encoder *to, size_t header)
{
    end_part(to, header);
    return begin_part(to);
}

static void put_record(clump_recorder *recorder)
{
    if (recorder->record.failed) return;
    clump_io_put(&recorder->sink, recorder->record.data, recorder->record.size);
    recorder->position += recorder->record.size;
    recorder->record.size = 0;
}

/* --- chunks ---------------------------------------------------------------------------------------- */

static void encode_bag_header(clump_io_encoder *to, uint64_t index, uint32_t connections, uint32_t chunks)
{
    const size_t header = begin_header(to, BAG_OP_BAG_HEADER);
    encode_field(to, "index_pos", &index, sizeof index);
    encode_number(to, "conn_count", connections);
    encode_number(to, "chunk_count", chunks);
    const size_t used = to->size - header - sizeof(uint32_t);
    const size_t data = begin_data(to, header);
    unsigned char *const padding = clump_io_encode_room(to, BAG_HEADER_SIZE - used);
    if (padding) memset(padding, ' ', BAG_HEADER_SIZE - used);
    end_part(to, data);
}

static void bag_begin(clump_recorder *recorder)
{
    clump_io_encode_bytes(&recorder->record, bag_magic, sizeof bag_magic - 1);
    encode_bag_header(&recorder->record, 0, 0, 0);
    put_record(recorder);
}

static void encode_connection(clump_io_encoder *to, const clump_io_channel *channel)
{
    const clump_io_definition *const definition = channel->definition;
    const size_t header = begin_header(to, BAG_OP_CONNECTION);
    encode_number(to, "conn", channel->id);
    encode_field(to, "topic", channel->topic, strlen(channel->topic));
    const size_t data = begin_data(to, header);
    encode_field(to, "callerid", "/clump", 6);
    encode_field(to, "latching", "0", 1);
    encode_field(to, "md5sum", definition->md5, strlen(definition->md5));
    static const char name[] = "message_definition=";
    const size_t text = begin_part(to);
    clump_io_encode_bytes(to, name, sizeof name - 1);
    clump_io_definition_encode(to, definition);
    end_part(to, text);
    encode_field(to, "topic", channel->topic, strlen(channel->topic));
    encode_field(to, "type", definition->type, strlen(definition->type));
    end_part(to, data);
}

static void bag_announce(clump_recorder *recorder, const clump_io_channel *channel)
{
    encode_connection(&recorder->chunk, channel);
}

static size_t bag_begin_message(clump_recorder *recorder, clump_io_channel *channel, const clump_io_recorded *message)
{
    clump_io_encoder *const to = &recorder->chunk;
    clump_io_encode_time(&channel->index, (int64_t)message->received);
    clump_io_encode_u32(&channel->index, (uint32_t)to->size);
    const size_t header = begin_header(to, BAG_OP_MESSAGE);
    encode_number(to, "conn", channel->id);
    encode_time_field(to, "time", message->received);
    return begin_data(to, header);
}

static void bag_end_message(clump_recorder *recorder, size_t begun)
{
    end_part(&recorder->chunk, begun);
}

/* Writes the index of a channel's messages in the chunk. */
static void put_index_data(clump_recorder *recorder, const clump_io_channel *channel)
{
    clump_io_encoder *const to = &recorder->record;
    const size_t header = begin_header(to, BAG_OP_INDEX_DATA);
    encode_number(to, "ver", 1);
    encode_number(to, "conn", channel->id);
    encode_number(to, "count", channel->in_chunk);
    const size_t data = begin_data(to, header);
    clump_io_encode_bytes(to, channel->index.data, channel->index.size);
    end_part(to, data);
    put_record(recorder);
}

static void encode_chunk_info(clump_recorder *recorder, uint64_t start)
{
    clump_io_encoder *const to = &recorder->chunks;
    uint32_t used = 0;
    for (uint32_t i = 0; i < recorder->channel_count; i++) used += recorder->channels[i].in_chunk != 0;
    const size_t header = begin_header(to, BAG_OP_CHUNK_INFO);
    encode_number(to, "ver", 1);
    encode_field(to, "chunk_pos", &start, sizeof start);
    encode_time_field(to, "start_time", recorder->chunk_first);
    encode_time_field(to, "end_time", recorder->chunk_last);
    encode_number(to, "count", used);
    const size_t data = begin_data(to, header);
    for (uint32_t i = 0; i < recorder->channel_count; i++) {
        if (!recorder->channels[i].in_chunk) continue;
        clump_io_encode_u32(to, recorder->channels[i].id);
        clump_io_encode_u32(to, recorder->channels[i].in_chunk);
    }
    end_part(to, data);
}

static clump_status bag_write_chunk(clump_recorder *recorder, const clump_io_where *where)
{
    const unsigned char *packed;
    size_t size;
    CLUMP_IO_TRY(clump_io_pack(where, &recorder->packer, recorder->compression, recorder->chunk.data,
                               recorder->chunk.size, &packed, &size));
    const uint64_t start = recorder->position;
    const char *const name = clump_io_compression_name(recorder->compression);
    clump_io_encoder *const to = &recorder->record;
    const size_t header = begin_header(to, BAG_OP_CHUNK);
    encode_field(to, "compression", name, strlen(name));
    encode_number(to, "size", (uint32_t)recorder->chunk.size);
    end_part(to, header);
    clump_io_encode_u32(to, (uint32_t)size);
    put_record(recorder);
    clump_io_put(&recorder->sink, packed, size);
    recorder->position += size;
    for (uint32_t i = 0; i < recorder->channel_count; i++)
        if (recorder->channels[i].in_chunk && !recorder->channels[i].index.failed)
            put_index_data(recorder, &recorder->channels[i]);
    encode_chunk_info(recorder, start);
    return CLUMP_OK;
}

/* --- the index ---------------------------------------------------------------------------------------- */

static void bag_finish(clump_recorder *recorder)
{
    clump_io_encoder *const to = &recorder->record;
    const uint64_t index = recorder->position;
    for (uint32_t i = 0; i < recorder->channel_count; i++) {
        encode_connection(to, &recorder->channels[i]);
        put_record(recorder);
    }
    clump_io_put(&recorder->sink, recorder->chunks.data, recorder->chunks.size);
    recorder->position += recorder->chunks.size;
    encode_bag_header(to, index, recorder->channel_count, recorder->chunk_count); /* for bag_rewrite() */
}

static int bag_rewrite(clump_recorder *recorder)
{
    const unsigned char *bytes = recorder->record.data;
    size_t size = recorder->record.size;
    off_t at = sizeof bag_magic - 1;
    while (size) {
        const ssize_t written = pwrite(recorder->target.file, bytes, size, at);
        if (written < 0 && errno != EINTR) return errno;
        if (written == 0) return ENOSPC;
        if (written > 0) bytes += written, size -= (size_t)written, at += written;
    }
    return 0;
}

const clump_io_recorder_format clump_io_recorder_bag = {
    .format = CLUMP_RECORDING_BAG,
    .name = "bag",
    .compressions = 1u << CLUMP_COMPRESSION_NONE | 1u << CLUMP_COMPRESSION_LZ4 | 1u << CLUMP_COMPRESSION_BZ2,
    .most_channels = INT32_MAX,
    .begin = bag_begin,
    .announce = bag_announce,
    .begin_message = bag_begin_message,
    .end_message = bag_end_message,
    .write_chunk = bag_write_chunk,
    .finish = bag_finish,
    .rewrite = bag_rewrite,
};
