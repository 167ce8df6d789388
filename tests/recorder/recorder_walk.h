/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recorder_walk.h: small walkers of MCAP and bags for the tests of the recorder. They share no code with clump_io. A
 * walker checks every size, offset, count and checksum of a file, and counts what it finds.
 */
#ifndef CLUMP_TESTS_RECORDER_WALK_H
#define CLUMP_TESTS_RECORDER_WALK_H

#include "support/check.h"

enum { WALK_CHANNELS = 64, WALK_CHUNKS = 4096 };

typedef struct walk_bytes {
    unsigned char *data;
    size_t size;
} walk_bytes;

/* What a file holds. */
typedef struct walk_found {
    size_t messages, chunks, channels;
    size_t per_channel[WALK_CHANNELS];
    uint64_t first, last; /* times */
} walk_found;

static inline walk_bytes walk_read(const char *path)
{
    walk_bytes bytes = {NULL, 0};
    bytes.data = check_load(path, &bytes.size);
    return bytes;
}

static inline uint64_t walk_number(const unsigned char *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | at[i];
    return value;
}
#define WALK_U16(at) ((uint16_t)walk_number(at, 2))
#define WALK_U32(at) ((uint32_t)walk_number(at, 4))
#define WALK_U64(at) walk_number(at, 8)

/* CRC-32, bit by bit. */
static inline uint32_t walk_crc(const unsigned char *at, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* --- MCAP ------------------------------------------------------------------------------------------- */

typedef struct walk_record {
    uint8_t opcode;
    size_t at, size, end; /* `at`: of the content */
    const unsigned char *content;
} walk_record;

static inline bool walk_mcap_record(const walk_bytes *file, size_t at, walk_record *record)
{
    if (at + 9 > file->size || WALK_U64(file->data + at + 1) > file->size - at - 9) {
        CHECK_FAIL("no whole record at byte %zu", at);
        return false;
    }
    record->opcode = file->data[at];
    record->size = (size_t)WALK_U64(file->data + at + 1);
    record->at = at + 9;
    record->end = record->at + record->size;
    record->content = file->data + record->at;
    return true;
}

/* A chunk as the data section has it: what its ChunkIndex must say. */
typedef struct walk_chunk {
    size_t start, length, packed, whole, indexes_length, indexes;
    uint64_t first, last;
    bool is_packed;
    walk_bytes inside; /* its records; empty if they are compressed */
    size_t index_at[WALK_CHANNELS];
} walk_chunk;

/* Counts the messages in a chunk, and checks its times. */
static inline void walk_mcap_inside(const walk_chunk *chunk, walk_found *found)
{
    walk_record record;
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t at = 0; at < chunk->inside.size && walk_mcap_record(&chunk->inside, at, &record); at = record.end) {
        CHECK(record.opcode == 3 || record.opcode == 4 || record.opcode == 5);
        if (record.opcode != 5) continue;
        const uint64_t time = WALK_U64(record.content + 6);
        const uint16_t channel = WALK_U16(record.content);
        CHECK(channel >= 1 && channel < WALK_CHANNELS);
        CHECK_INT(WALK_U32(record.content + 2), found->per_channel[channel % WALK_CHANNELS]++); /* the sequence */
        found->messages++;
        first = time < first ? time : first;
        last = time > last ? time : last;
    }
    CHECK(first == chunk->first && last == chunk->last);
}

static inline void walk_mcap_chunk(const walk_record *record, walk_chunk *chunk, walk_found *found)
{
    const unsigned char *const p = record->content;
    const size_t name = WALK_U32(p + 28);
    *chunk = (walk_chunk){.start = record->at - 9, .length = record->size + 9, .is_packed = name != 0};
    chunk->first = WALK_U64(p);
    chunk->last = WALK_U64(p + 8);
    chunk->whole = (size_t)WALK_U64(p + 16);
    chunk->packed = (size_t)WALK_U64(p + 32 + name);
    CHECK_INT(40 + name + chunk->packed, record->size);
    found->first = found->chunks == 0 || chunk->first < found->first ? chunk->first : found->first;
    found->last = chunk->last > found->last ? chunk->last : found->last;
    found->chunks++;
    if (chunk->is_packed) return;
    chunk->inside = (walk_bytes){(unsigned char *)(uintptr_t)(p + 40), chunk->packed};
    CHECK_INT(chunk->whole, chunk->packed);
    CHECK(walk_crc(chunk->inside.data, chunk->inside.size) == WALK_U32(p + 24));
    walk_mcap_inside(chunk, found);
}

/* Checks that the entries of a MessageIndex lead to messages of the chunk before it. */
static inline void walk_mcap_index(const walk_record *record, walk_chunk *chunk)
{
    const uint16_t channel = WALK_U16(record->content);
    const size_t size = WALK_U32(record->content + 2);
    CHECK(size % 16 == 0 && record->size == 6 + size && size > 0);
    chunk->index_at[channel % WALK_CHANNELS] = record->at - 9;
    chunk->indexes_length += record->size + 9;
    chunk->indexes++;
    for (size_t i = 0; i < size && !chunk->is_packed; i += 16) {
        walk_record message;
        const uint64_t time = WALK_U64(record->content + 6 + i), offset = WALK_U64(record->content + 14 + i);
        if (!walk_mcap_record(&chunk->inside, (size_t)offset, &message)) continue;
        CHECK_INT(message.opcode, 5);
        CHECK_INT(WALK_U16(message.content), channel);
        CHECK(WALK_U64(message.content + 6) == time);
    }
}

static inline void walk_mcap_chunk_index(const walk_record *record, const walk_chunk *chunk)
{
    const unsigned char *p = record->content;
    CHECK(WALK_U64(p) == chunk->first && WALK_U64(p + 8) == chunk->last);
    CHECK_INT(WALK_U64(p + 16), chunk->start);
    CHECK_INT(WALK_U64(p + 24), chunk->length);
    const size_t places = WALK_U32(p + 32) / 10;
    CHECK_INT(places, chunk->indexes);
    p += 36;
    for (size_t i = 0; i < places; i++, p += 10)
        CHECK_INT(WALK_U64(p + 2), chunk->index_at[WALK_U16(p) % WALK_CHANNELS]);
    CHECK_INT(WALK_U64(p), chunk->indexes_length);
    const size_t name = WALK_U32(p + 8);
    CHECK_INT(WALK_U64(p + 12 + name), chunk->packed);
    CHECK_INT(WALK_U64(p + 20 + name), chunk->whole);
    CHECK_INT(p + 28 + name - record->content, record->size);
}

static inline void walk_mcap_statistics(const walk_record *record, walk_found *found, bool is_packed)
{
    const unsigned char *const p = record->content;
    if (is_packed) found->messages = (size_t)WALK_U64(p); /* the chunks could not tell */
    CHECK_INT(WALK_U64(p), found->messages);
    found->channels = WALK_U32(p + 10);
    CHECK_INT(WALK_U32(p + 22), found->chunks);
    CHECK(WALK_U64(p + 26) == found->first && WALK_U64(p + 34) == found->last);
    CHECK_INT(WALK_U32(p + 42), 10 * found->channels);
    for (size_t i = 0; i < found->channels; i++) {
        const size_t channel = WALK_U16(p + 46 + 10 * i) % WALK_CHANNELS;
        if (is_packed) found->per_channel[channel] = (size_t)WALK_U64(p + 48 + 10 * i);
        CHECK_INT(WALK_U64(p + 48 + 10 * i), found->per_channel[channel]);
    }
}

/* The summary, from its first record to the footer. */
static inline void walk_mcap_summary(const walk_bytes *file, size_t start, const walk_chunk *chunks, walk_found *found)
{
    walk_record record;
    size_t groups = start, offsets = 0, next_chunk = 0;
    for (size_t at = start; walk_mcap_record(file, at, &record); at = record.end) {
        if (record.opcode == 0x0b) walk_mcap_statistics(&record, found, found->chunks && chunks[0].is_packed);
        if (record.opcode == 0x08 && next_chunk < found->chunks) walk_mcap_chunk_index(&record, &chunks[next_chunk++]);
        if (record.opcode == 0x0e) {
            if (!offsets) offsets = at;
            CHECK_INT(WALK_U64(record.content + 1), groups);
            CHECK_INT(file->data[groups], record.content[0]);
            groups += (size_t)WALK_U64(record.content + 9);
        }
        if (record.opcode != 0x02) continue;
        CHECK_INT(groups, offsets);
        CHECK_INT(WALK_U64(record.content), start);
        CHECK_INT(WALK_U64(record.content + 8), offsets);
        CHECK(WALK_U32(record.content + 16) == walk_crc(file->data + start, record.at + 16 - start));
        CHECK_INT(record.end + 8, file->size);
        break;
    }
    CHECK_INT(next_chunk, found->chunks);
}

/* Walks a whole file. */
static inline walk_found walk_mcap(const char *path)
{
    static walk_chunk chunks[WALK_CHUNKS];
    static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', 0x30, '\r', '\n'};
    walk_found found = {0};
    const walk_bytes file = walk_read(path);
    walk_record record = {0};
    CHECK(file.size > 16 && memcmp(file.data, magic, 8) == 0 && memcmp(file.data + file.size - 8, magic, 8) == 0);
    for (size_t at = 8; file.data && record.opcode != 0x0f && walk_mcap_record(&file, at, &record); at = record.end) {
        if (at == 8) CHECK_INT(record.opcode, 1);
        if (record.opcode == 0x06 && found.chunks < WALK_CHUNKS)
            walk_mcap_chunk(&record, &chunks[found.chunks], &found);
        else if (record.opcode == 0x07 && found.chunks)
            walk_mcap_index(&record, &chunks[found.chunks - 1]);
        else if (record.opcode == 0x0f)
            CHECK(WALK_U32(record.content) == walk_crc(file.data, at));
    }
    if (record.opcode == 0x0f) walk_mcap_summary(&file, record.end, chunks, &found);
    free(file.data);
    return found;
}

/* --- bags ------------------------------------------------------------------------------------------- */

typedef struct walk_bag_record {
    const unsigned char *header, *content;
    size_t header_size, size, end;
    uint8_t op;
} walk_bag_record;

/* Returns the value of a field, which has `size` bytes; null: there is none. */
static inline const unsigned char *walk_bag_field(const walk_bag_record *record, const char *name, size_t *size)
{
    const size_t length = strlen(name);
    for (size_t at = 0; at + 4 <= record->header_size;) {
        const size_t field = WALK_U32(record->header + at);
        const unsigned char *const text = record->header + at + 4;
        if (at + 4 + field > record->header_size) break;
        if (field > length && memcmp(text, name, length) == 0 && text[length] == '=') {
            *size = field - length - 1;
            return text + length + 1;
        }
        at += 4 + field;
    }
    return NULL;
}

static inline uint64_t walk_bag_number(const walk_bag_record *record, const char *name, size_t expected)
{
    size_t size = 0;
    const unsigned char *const value = walk_bag_field(record, name, &size);
    CHECK_MSG(value && size == expected, "field %s", name);
    return value ? walk_number(value, size) : 0;
}

/* A time of a bag, as nanoseconds. */
static inline uint64_t walk_bag_time(const unsigned char *at)
{
    return (uint64_t)WALK_U32(at) * 1000000000u + WALK_U32(at + 4);
}

static inline bool walk_bag_next(const walk_bytes *file, size_t at, walk_bag_record *record)
{
    const size_t header = at + 4 <= file->size ? WALK_U32(file->data + at) : SIZE_MAX;
    const size_t data =
        header <= file->size - at && at + 8 + header <= file->size ? WALK_U32(file->data + at + 4 + header) : SIZE_MAX;
    if (data > file->size || at + 8 + header + data > file->size) {
        CHECK_FAIL("no whole record at byte %zu", at);
        return false;
    }
    *record = (walk_bag_record){.header = file->data + at + 4, .header_size = header, .size = data};
    record->content = record->header + header + 4;
    record->end = at + 8 + header + data;
    record->op = (uint8_t)walk_bag_number(record, "op", 1);
    return true;
}

static inline void walk_bag_inside(const walk_bytes *chunk, walk_found *found)
{
    walk_bag_record record;
    for (size_t at = 0; at < chunk->size && walk_bag_next(chunk, at, &record); at = record.end) {
        CHECK(record.op == 0x02 || record.op == 0x07);
        if (record.op != 0x02) continue;
        found->per_channel[walk_bag_number(&record, "conn", 4) % WALK_CHANNELS]++;
        found->messages++;
    }
}

/* Checks that the entries of an index lead to messages of the chunk before it. */
static inline void walk_bag_index(const walk_bag_record *record, const walk_bytes *chunk, walk_found *found)
{
    const uint64_t connection = walk_bag_number(record, "conn", 4), count = walk_bag_number(record, "count", 4);
    CHECK_INT(walk_bag_number(record, "ver", 4), 1);
    CHECK_INT(record->size, 12 * count);
    for (size_t i = 0; i < count && chunk->data; i++) {
        walk_bag_record message;
        size_t size;
        if (!walk_bag_next(chunk, WALK_U32(record->content + 12 * i + 8), &message)) continue;
        CHECK_INT(message.op, 0x02);
        CHECK(walk_bag_number(&message, "conn", 4) == connection);
        const unsigned char *const time = walk_bag_field(&message, "time", &size);
        CHECK(time && memcmp(time, record->content + 12 * i, 8) == 0);
    }
    if (chunk->data) return;
    found->messages += count; /* compressed: the index has to be believed */
    found->per_channel[connection % WALK_CHANNELS] += count;
}

static inline void walk_bag_chunk_info(const walk_bag_record *record, const size_t *starts, size_t i, walk_found *found)
{
    size_t size;
    CHECK_INT(walk_bag_number(record, "ver", 4), 1);
    CHECK_INT(walk_bag_number(record, "chunk_pos", 8), starts[i]);
    CHECK_INT(record->size, 8 * walk_bag_number(record, "count", 4));
    const unsigned char *const first = walk_bag_field(record, "start_time", &size);
    const unsigned char *const last = walk_bag_field(record, "end_time", &size);
    if (!first || !last) {
        CHECK_FAIL("no times");
        return;
    }
    CHECK(walk_bag_time(first) <= walk_bag_time(last));
    if (i == 0 || walk_bag_time(first) < found->first) found->first = walk_bag_time(first);
    if (walk_bag_time(last) > found->last) found->last = walk_bag_time(last);
    for (size_t k = 0; k < record->size; k += 8) {
        size_t *const left = &found->per_channel[WALK_U32(record->content + k) % WALK_CHANNELS];
        CHECK(*left >= WALK_U32(record->content + k + 4));
        *left -= WALK_U32(record->content + k + 4);
    }
}

/* Walks a whole file. */
static inline walk_found walk_bag(const char *path)
{
    static size_t starts[WALK_CHUNKS];
    walk_found found = {0};
    const walk_bytes file = walk_read(path);
    walk_bytes chunk = {NULL, 0};
    walk_bag_record record;
    size_t at = 13, infos = 0, size;
    CHECK(file.size > 4117 && memcmp(file.data, "#ROSBAG V2.0\n", 13) == 0);
    if (!file.data || !walk_bag_next(&file, at, &record)) return found;
    CHECK_INT(record.op, 0x03);
    CHECK_INT(record.end, 4117);
    const uint64_t index = walk_bag_number(&record, "index_pos", 8),
                   channels = walk_bag_number(&record, "conn_count", 4);
    const uint64_t chunks = walk_bag_number(&record, "chunk_count", 4);
    for (at = record.end; at < index && walk_bag_next(&file, at, &record); at = record.end) {
        if (record.op == 0x05) {
            const unsigned char *const name = walk_bag_field(&record, "compression", &size);
            const bool is_plain = name && size == 4 && memcmp(name, "none", 4) == 0;
            if (found.chunks < WALK_CHUNKS) starts[found.chunks++] = at;
            chunk = is_plain ? (walk_bytes){(unsigned char *)(uintptr_t)record.content, record.size}
                             : (walk_bytes){NULL, 0};
            if (is_plain) CHECK_INT(walk_bag_number(&record, "size", 4), record.size);
            walk_bag_inside(&chunk, &found);
        } else {
            CHECK_INT(record.op, 0x04);
            walk_bag_index(&record, &chunk, &found);
        }
    }
    CHECK_INT(at, index);
    size_t counted[WALK_CHANNELS];
    memcpy(counted, found.per_channel, sizeof counted);
    for (; at < file.size && walk_bag_next(&file, at, &record); at = record.end) {
        CHECK(record.op == 0x06 || (record.op == 0x07 && infos == 0));
        if (record.op == 0x07) CHECK_INT(walk_bag_number(&record, "conn", 4), found.channels++);
        if (record.op == 0x06 && infos < found.chunks) walk_bag_chunk_info(&record, starts, infos++, &found);
    }
    for (int i = 0; i < WALK_CHANNELS; i++) CHECK_INT(found.per_channel[i], 0);
    memcpy(found.per_channel, counted, sizeof counted);
    CHECK_INT(infos, chunks);
    CHECK_INT(found.chunks, chunks);
    CHECK_INT(found.channels, channels);
    free(file.data);
    return found;
}

#endif
