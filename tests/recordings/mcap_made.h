/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap_made.h: composes MCAP files for tests, record by record, also wrong ones.
 */
#ifndef CLUMP_TESTS_MCAP_MADE_H
#define CLUMP_TESTS_MCAP_MADE_H

#include "recordings/test_container.h"

enum { MADE_CHUNKS = 64, MADE_ENTRIES = 64 };

typedef struct mcap_made_chunk {
    uint64_t offset, length, index_length, start, end;
    const char *compression;
    uint64_t packed, unpacked;
    bool has[8];          /* channels */
    uint64_t index_at[8]; /* of their MessageIndex */
} mcap_made_chunk;

/* A file that is being composed. */
typedef struct mcap_made {
    made file, chunk;
    mcap_made_chunk chunks[MADE_CHUNKS];
    size_t chunk_count, entry_count;
    struct {
        unsigned channel;
        uint64_t time, offset;
    } entries[MADE_ENTRIES]; /* of the chunk */
} mcap_made;

static const unsigned char mcap_made_magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

static inline void mcap_made_text(made *to, const char *text)
{
    made_u32(to, (uint32_t)strlen(text)), made_put(to, text, strlen(text));
}

static inline void mcap_made_record(made *to, unsigned opcode, const made *body)
{
    made_u8(to, opcode), made_u64(to, body->size), made_put(to, body->bytes, body->size);
}

static inline void mcap_made_begin(mcap_made *m)
{
    made body = {0};
    memset(m, 0, sizeof *m);
    made_put(&m->file, mcap_made_magic, 8);
    mcap_made_text(&body, "ros2"), mcap_made_text(&body, "test");
    mcap_made_record(&m->file, 1, &body);
    free(body.bytes);
}

/* A schema "pkg/msg/TypeN" and a channel "/topicN" of it. */
static inline void mcap_made_channel(made *to, unsigned id, const char *encoding)
{
    made schema = {0}, channel = {0};
    char text[32];
    made_u16(&schema, id);
    snprintf(text, sizeof text, "pkg/msg/Type%u", id);
    mcap_made_text(&schema, text), mcap_made_text(&schema, "ros2msg"), mcap_made_text(&schema, "float64 x\n");
    mcap_made_record(to, 3, &schema);
    made_u16(&channel, id), made_u16(&channel, id);
    snprintf(text, sizeof text, "/topic%u", id);
    mcap_made_text(&channel, text), mcap_made_text(&channel, encoding), made_u32(&channel, 0);
    mcap_made_record(to, 4, &channel);
    free(schema.bytes), free(channel.bytes);
}

static inline void mcap_made_loose(made *to, unsigned channel, uint64_t time, const char *text)
{
    made body = {0};
    made_u16(&body, channel), made_u32(&body, 0), made_u64(&body, time), made_u64(&body, time);
    made_put(&body, text, strlen(text));
    mcap_made_record(to, 5, &body);
    free(body.bytes);
}

/* Adds a message to the chunk that is being composed. */
static inline void mcap_made_message(mcap_made *m, unsigned channel, uint64_t time, const char *text)
{
    if (m->entry_count == MADE_ENTRIES) abort();
    m->entries[m->entry_count].channel = channel;
    m->entries[m->entry_count].time = time;
    m->entries[m->entry_count++].offset = m->chunk.size;
    mcap_made_loose(&m->chunk, channel, time, text);
}

/* "Compresses" into a frame with one stored block: the formats allow it, and no library is needed. */
static inline void mcap_made_pack(made *to, const char *compression, const made *records)
{
    const uint32_t size = (uint32_t)records->size;
    if (strcmp(compression, "lz4") == 0) {
        made_put(to, "\x04\x22\x4d\x18\x60\x40\x82", 7), made_u32(to, size | 0x80000000);
        made_put(to, records->bytes, size), made_u32(to, 0);
    } else if (strcmp(compression, "zstd") == 0) {
        made_put(to, "\x28\xb5\x2f\xfd\xa0", 5), made_u32(to, size);
        made_u16(to, (size << 3 | 1) & 65535), made_u8(to, size >> 13), made_put(to, records->bytes, size);
    } else {
        made_put(to, records->bytes, size);
    }
}

static inline void mcap_made_indexes(mcap_made *m, mcap_made_chunk *c)
{
    for (unsigned channel = 0; channel < 8; channel++) {
        made list = {0}, body = {0};
        for (size_t i = 0; i < m->entry_count; i++)
            if (m->entries[i].channel == channel)
                made_u64(&list, m->entries[i].time), made_u64(&list, m->entries[i].offset);
        if (list.size) {
            c->has[channel] = true;
            c->index_at[channel] = m->file.size;
            made_u16(&body, channel), made_u32(&body, (uint32_t)list.size), made_put(&body, list.bytes, list.size);
            mcap_made_record(&m->file, 7, &body);
        }
        free(list.bytes), free(body.bytes);
    }
}

/* Ends the chunk. with_crc, with_index: as writers may leave them out. */
static inline void mcap_made_end_chunk(mcap_made *m, const char *compression, bool with_crc, bool with_index)
{
    if (m->chunk_count == MADE_CHUNKS) abort();
    mcap_made_chunk *const c = &m->chunks[m->chunk_count++];
    made body = {0}, packed = {0};
    *c = (mcap_made_chunk){.offset = m->file.size, .compression = compression, .start = UINT64_MAX};
    for (size_t i = 0; i < m->entry_count; i++) {
        if (m->entries[i].time < c->start) c->start = m->entries[i].time;
        if (m->entries[i].time > c->end) c->end = m->entries[i].time;
    }
    if (!m->entry_count) c->start = 0;
    mcap_made_pack(&packed, compression, &m->chunk);
    c->packed = packed.size, c->unpacked = m->chunk.size;
    made_u64(&body, c->start), made_u64(&body, c->end), made_u64(&body, c->unpacked);
    made_u32(&body, with_crc ? clump_io_crc32(0, m->chunk.bytes, m->chunk.size) : 0);
    mcap_made_text(&body, compression), made_u64(&body, packed.size), made_put(&body, packed.bytes, packed.size);
    mcap_made_record(&m->file, 6, &body);
    c->length = m->file.size - c->offset;
    if (with_index) mcap_made_indexes(m, c);
    c->index_length = m->file.size - c->offset - c->length;
    m->chunk.size = m->entry_count = 0;
    free(body.bytes), free(packed.bytes);
}

static inline void mcap_made_chunk_index(mcap_made *m, const mcap_made_chunk *c)
{
    made body = {0}, offsets = {0};
    made_u64(&body, c->start), made_u64(&body, c->end), made_u64(&body, c->offset), made_u64(&body, c->length);
    for (unsigned channel = 0; channel < 8; channel++)
        if (c->has[channel]) made_u16(&offsets, channel), made_u64(&offsets, c->index_at[channel]);
    made_u32(&body, (uint32_t)offsets.size), made_put(&body, offsets.bytes, offsets.size);
    made_u64(&body, c->index_length), mcap_made_text(&body, c->compression);
    made_u64(&body, c->packed), made_u64(&body, c->unpacked);
    mcap_made_record(&m->file, 8, &body);
    free(body.bytes), free(offsets.bytes);
}

/* Ends the file. channels: how many, from 1 on, are repeated in the summary. */
static inline void mcap_made_end(mcap_made *m, bool summary, bool with_crc, unsigned channels)
{
    made end = {0};
    made_u32(&end, 0);
    mcap_made_record(&m->file, 15, &end);
    const size_t start = m->file.size;
    for (unsigned id = 1; summary && id <= channels; id++) mcap_made_channel(&m->file, id, "cdr");
    for (size_t i = 0; summary && i < m->chunk_count; i++) mcap_made_chunk_index(m, &m->chunks[i]);
    made_u8(&m->file, 2), made_u64(&m->file, 20), made_u64(&m->file, summary ? start : 0), made_u64(&m->file, 0);
    made_u32(&m->file, with_crc ? clump_io_crc32(0, m->file.bytes + start, m->file.size - start) : 0);
    made_put(&m->file, mcap_made_magic, 8);
    free(end.bytes);
}

static inline void mcap_made_release(mcap_made *m)
{
    free(m->file.bytes), free(m->chunk.bytes);
}

#endif
