/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap_write.c: MCAP with messages of ROS 2.
 *
 *     magic, Header
 *     Chunk { Schema, Channel, Message ... }, MessageIndex per channel      ... repeated
 *     DataEnd
 *     Schemas, Channels, Statistics, ChunkIndexes, SummaryOffset of each    the summary
 *     Footer, magic
 *
 * A record is its opcode, 8 bytes of size, and its content. Schema and Channel are in the chunk of the first message,
 * so that a file that is read from the beginning is understood, and once more in the summary.
 *
 * The checksum of DataEnd covers all bytes before it. A chunk without compression is in two checksums: its own is
 * joined to that of the file.
 */
#include "recorder/recorder.h"
#include "common/assert.h"
#include "opcodes.h"

static const unsigned char mcap_magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

/* --- records -------------------------------------------------------------------------------------- */

/* Returns where the record begins. */
static size_t begin_record(clump_io_encoder *to, uint8_t opcode)
{
    const size_t begun = to->size;
    clump_io_encode_u8(to, opcode);
    clump_io_encode_u64(to, 0);
    return begun;
}

static void end_record(clump_io_encoder *to, size_t begun)
{
    CLUMP_ASSERT(to->failed || begun + MCAP_HEAD <= to->size);
    const uint64_t size = to->size - begun - MCAP_HEAD;
    clump_io_encode_patch(to, begun + 1, &size, sizeof size);
}

/* Replaces the 4 bytes of the size of an array that ends here. */
static void end_array(clump_io_encoder *to, size_t begun)
{
    CLUMP_ASSERT(to->failed || begun + 4 <= to->size);
    const uint32_t size = (uint32_t)(to->size - begun - sizeof size);
    clump_io_encode_patch(to, begun, &size, sizeof size);
}

static size_t begin_array(clump_io_encoder *to)
{
    clump_io_encode_u32(to, 0);
    return to->size - sizeof(uint32_t);
}

static void put_bytes(clump_recorder *recorder, const void *bytes, size_t size)
{
    clump_io_put(&recorder->sink, bytes, size);
    recorder->checksum = clump_io_crc32(recorder->checksum, bytes, size);
    recorder->position += size;
}

/* Writes the record that has been made. */
static void put_record(clump_recorder *recorder)
{
    if (recorder->record.failed) return;
    put_bytes(recorder, recorder->record.data, recorder->record.size);
    recorder->record.size = 0;
}

/* Compression as MCAP names it. */
static const char *compression_name(const clump_recorder *recorder)
{
    return recorder->compression == CLUMP_COMPRESSION_NONE ? "" : clump_io_compression_name(recorder->compression);
}

/* --- the data section ------------------------------------------------------------------------------- */

static void mcap_begin(clump_recorder *recorder)
{
    put_bytes(recorder, mcap_magic, sizeof mcap_magic);
    const size_t begun = begin_record(&recorder->record, MCAP_HEADER);
    clump_io_encode_string(&recorder->record, "ros2");
    clump_io_encode_string(&recorder->record, "clump");
    end_record(&recorder->record, begun);
    put_record(recorder);
}

static void encode_schema(clump_io_encoder *to, const clump_io_channel *channel)
{
    const size_t begun = begin_record(to, MCAP_SCHEMA);
    clump_io_encode_u16(to, (uint16_t)channel->id);
    clump_io_encode_string(to, channel->definition->type);
    clump_io_encode_string(to, "ros2msg");
    const size_t text = begin_array(to);
    clump_io_definition_encode(to, channel->definition);
    end_array(to, text);
    end_record(to, begun);
}

/* Returns the id of the schema: that of the first channel of the same type. */
static uint16_t schema_of(const clump_recorder *recorder, const clump_io_channel *channel)
{
    const clump_io_channel *first = recorder->channels;
    while (first->definition != channel->definition) first++;
    return (uint16_t)first->id;
}

static void encode_channel(clump_io_encoder *to, const clump_recorder *recorder, const clump_io_channel *channel)
{
    const size_t begun = begin_record(to, MCAP_CHANNEL);
    clump_io_encode_u16(to, (uint16_t)channel->id);
    clump_io_encode_u16(to, schema_of(recorder, channel));
    clump_io_encode_string(to, channel->topic);
    clump_io_encode_string(to, "cdr");
    clump_io_encode_u32(to, 0); /* metadata */
    end_record(to, begun);
}

static void mcap_announce(clump_recorder *recorder, const clump_io_channel *channel)
{
    if (schema_of(recorder, channel) == channel->id) encode_schema(&recorder->chunk, channel);
    encode_channel(&recorder->chunk, recorder, channel);
}

static size_t mcap_begin_message(clump_recorder *recorder, clump_io_channel *channel, const clump_io_recorded *message)
{
    clump_io_encoder *const to = &recorder->chunk;
    clump_io_encode_u64(&channel->index, message->received);
    clump_io_encode_u64(&channel->index, to->size);
    const size_t begun = begin_record(to, MCAP_MESSAGE);
    clump_io_encode_u16(to, (uint16_t)channel->id);
    clump_io_encode_u32(to, message->sequence);
    clump_io_encode_u64(to, message->received);
    clump_io_encode_u64(to, message->stamp);
    return begun;
}

static void mcap_end_message(clump_recorder *recorder, size_t begun)
{
    end_record(&recorder->chunk, begun);
}

/* Writes the indexes of the messages of a chunk. Notes the place of each in the ChunkIndex. Returns their size. */
static uint64_t put_message_indexes(clump_recorder *recorder)
{
    const uint64_t before = recorder->position;
    const size_t places = begin_array(&recorder->chunks);
    for (uint32_t i = 0; i < recorder->channel_count; i++) {
        const clump_io_channel *const channel = &recorder->channels[i];
        if (!channel->in_chunk || channel->index.failed) continue;
        clump_io_encode_u16(&recorder->chunks, (uint16_t)channel->id);
        clump_io_encode_u64(&recorder->chunks, recorder->position);
        const size_t begun = begin_record(&recorder->record, MCAP_MESSAGE_INDEX);
        clump_io_encode_u16(&recorder->record, (uint16_t)channel->id);
        const size_t entries = begin_array(&recorder->record);
        clump_io_encode_bytes(&recorder->record, channel->index.data, channel->index.size);
        end_array(&recorder->record, entries);
        end_record(&recorder->record, begun);
        put_record(recorder);
    }
    end_array(&recorder->chunks, places);
    return recorder->position - before;
}

/* Writes the bytes of a chunk, whose own checksum is known. */
static void put_chunk_bytes(clump_recorder *recorder, const unsigned char *bytes, size_t size, uint32_t own)
{
    if (bytes != recorder->chunk.data) {
        put_bytes(recorder, bytes, size);
        return;
    }
    clump_io_put(&recorder->sink, bytes, size);
    recorder->checksum = clump_io_crc32_join(recorder->checksum, own, size);
    recorder->position += size;
}

static clump_status mcap_write_chunk(clump_recorder *recorder, const clump_io_where *where)
{
    const unsigned char *packed;
    size_t size;
    clump_io_encoder *const to = &recorder->record, *const chunks = &recorder->chunks;
    const size_t whole = recorder->chunk.size;
    CLUMP_IO_TRY(
        clump_io_pack(where, &recorder->packer, recorder->compression, recorder->chunk.data, whole, &packed, &size));
    const uint32_t own = clump_io_crc32(0, recorder->chunk.data, whole);
    const uint64_t start = recorder->position;
    const size_t begun = begin_record(to, MCAP_CHUNK);
    clump_io_encode_u64(to, recorder->chunk_first);
    clump_io_encode_u64(to, recorder->chunk_last);
    clump_io_encode_u64(to, whole);
    clump_io_encode_u32(to, own);
    clump_io_encode_string(to, compression_name(recorder));
    clump_io_encode_u64(to, size);
    const uint64_t content = to->size - begun - MCAP_HEAD + size;
    clump_io_encode_patch(to, begun + 1, &content, sizeof content);
    put_record(recorder);
    put_chunk_bytes(recorder, packed, size, own);

    const size_t index = begin_record(chunks, MCAP_CHUNK_INDEX);
    clump_io_encode_u64(chunks, recorder->chunk_first);
    clump_io_encode_u64(chunks, recorder->chunk_last);
    clump_io_encode_u64(chunks, start);
    clump_io_encode_u64(chunks, recorder->position - start);
    clump_io_encode_u64(chunks, put_message_indexes(recorder));
    clump_io_encode_string(chunks, compression_name(recorder));
    clump_io_encode_u64(chunks, size);
    clump_io_encode_u64(chunks, whole);
    end_record(chunks, index);
    return CLUMP_OK;
}

/* --- the summary -------------------------------------------------------------------------------------- */

static void encode_statistics(clump_io_encoder *to, const clump_recorder *recorder)
{
    uint16_t schemas = 0;
    for (uint32_t i = 0; i < recorder->channel_count; i++)
        if (schema_of(recorder, &recorder->channels[i]) == recorder->channels[i].id) schemas++;
    const size_t begun = begin_record(to, MCAP_STATISTICS);
    clump_io_encode_u64(to, recorder->messages);
    clump_io_encode_u16(to, schemas);
    clump_io_encode_u32(to, recorder->channel_count);
    clump_io_encode_u32(to, 0); /* attachments */
    clump_io_encode_u32(to, 0); /* metadata */
    clump_io_encode_u32(to, recorder->chunk_count);
    clump_io_encode_u64(to, recorder->first);
    clump_io_encode_u64(to, recorder->last);
    const size_t counts = begin_array(to);
    for (uint32_t i = 0; i < recorder->channel_count; i++) {
        clump_io_encode_u16(to, (uint16_t)recorder->channels[i].id);
        clump_io_encode_u64(to, recorder->channels[i].messages);
    }
    end_array(to, counts);
    end_record(to, begun);
}

/* Appends the records of one opcode. */
static void encode_group(clump_io_encoder *to, const clump_recorder *recorder, uint8_t opcode)
{
    for (uint32_t i = 0; i < recorder->channel_count; i++) {
        const clump_io_channel *const channel = &recorder->channels[i];
        if (opcode == MCAP_SCHEMA && schema_of(recorder, channel) == channel->id) encode_schema(to, channel);
        if (opcode == MCAP_CHANNEL) encode_channel(to, recorder, channel);
    }
    if (opcode == MCAP_STATISTICS) encode_statistics(to, recorder);
    if (opcode == MCAP_CHUNK_INDEX) clump_io_encode_bytes(to, recorder->chunks.data, recorder->chunks.size);
}

static void mcap_finish(clump_recorder *recorder)
{
    static const uint8_t groups[] = {MCAP_SCHEMA, MCAP_CHANNEL, MCAP_STATISTICS, MCAP_CHUNK_INDEX};
    enum { GROUPS = sizeof groups };
    clump_io_encoder *const to = &recorder->record;
    const uint32_t data_checksum = recorder->checksum;
    size_t begun = begin_record(to, MCAP_DATA_END);
    clump_io_encode_u32(to, data_checksum);
    end_record(to, begun);
    put_record(recorder);

    const uint64_t summary = recorder->position;
    uint64_t starts[GROUPS + 1];
    recorder->checksum = 0;
    for (int i = 0; i < GROUPS; i++) {
        starts[i] = recorder->position;
        encode_group(to, recorder, groups[i]);
        put_record(recorder);
    }
    starts[GROUPS] = recorder->position;
    for (int i = 0; i < GROUPS; i++) {
        if (starts[i + 1] == starts[i]) continue;
        begun = begin_record(to, MCAP_SUMMARY_OFFSET);
        clump_io_encode_u8(to, groups[i]);
        clump_io_encode_u64(to, starts[i]);
        clump_io_encode_u64(to, starts[i + 1] - starts[i]);
        end_record(to, begun);
        put_record(recorder);
    }

    begun = begin_record(to, MCAP_FOOTER);
    clump_io_encode_u64(to, summary);
    clump_io_encode_u64(to, starts[GROUPS]);
    clump_io_encode_u32(to, 0);
    end_record(to, begun);
    if (to->failed) return;
    const uint32_t checksum = clump_io_crc32(recorder->checksum, to->data, to->size - sizeof checksum);
    clump_io_encode_patch(to, to->size - sizeof checksum, &checksum, sizeof checksum);
    put_record(recorder);
    put_bytes(recorder, mcap_magic, sizeof mcap_magic);
}

const clump_io_recorder_format clump_io_recorder_mcap = {
    .format = CLUMP_RECORDING_MCAP,
    .name = "mcap",
    .ros2 = true,
    .compressions = 1u << CLUMP_COMPRESSION_NONE | 1u << CLUMP_COMPRESSION_LZ4 | 1u << CLUMP_COMPRESSION_ZSTD,
    .first_id = 1, /* a schema 0 is no schema */
    .most_channels = UINT16_MAX,
    .begin = mcap_begin,
    .announce = mcap_announce,
    .begin_message = mcap_begin_message,
    .end_message = mcap_end_message,
    .write_chunk = mcap_write_chunk,
    .finish = mcap_finish,
};
