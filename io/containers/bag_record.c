/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag_record.c: records of ROS 1 bags: a header of fields NAME=VALUE, and data. All sizes are 32 bits.
 */
#include "containers/bag.h"

#include "common/assert.h"

#include <string.h>

enum {
    BAG_RECORD_OP_FIELD = 8,   /* bytes of the field op: its size, "op=" and one byte */
    BAG_RECORD_LOOK_BACK = 512 /* bytes from the beginning of a record to its field op, at most, in a search */
};

typedef enum field_kind { FIELD_U8, FIELD_U32, FIELD_U64, FIELD_TIME, FIELD_TEXT } field_kind;

static const struct bag_field {
    const char *name;
    unsigned flag;
    field_kind kind;
    size_t at; /* in clump_io_bag_fields */
} known_fields[] = {
    {"op", BAG_HAS_OP, FIELD_U8, offsetof(clump_io_bag_fields, op)},
    {"conn", BAG_HAS_CONN, FIELD_U32, offsetof(clump_io_bag_fields, conn)},
    {"time", BAG_HAS_TIME, FIELD_TIME, offsetof(clump_io_bag_fields, time)},
    {"size", BAG_HAS_SIZE, FIELD_U32, offsetof(clump_io_bag_fields, size)},
    {"count", BAG_HAS_COUNT, FIELD_U32, offsetof(clump_io_bag_fields, count)},
    {"chunk_count", BAG_HAS_CHUNK_COUNT, FIELD_U32, offsetof(clump_io_bag_fields, chunk_count)},
    {"chunk_pos", BAG_HAS_CHUNK_POS, FIELD_U64, offsetof(clump_io_bag_fields, chunk_pos)},
    {"start_time", BAG_HAS_START, FIELD_TIME, offsetof(clump_io_bag_fields, start)},
    {"end_time", BAG_HAS_END, FIELD_TIME, offsetof(clump_io_bag_fields, end)},
    {"index_pos", BAG_HAS_INDEX_POS, FIELD_U64, offsetof(clump_io_bag_fields, index_pos)},
    {"topic", BAG_HAS_TOPIC, FIELD_TEXT, offsetof(clump_io_bag_fields, topic)},
    {"type", BAG_HAS_TYPE, FIELD_TEXT, offsetof(clump_io_bag_fields, type)},
    {"compression", BAG_HAS_COMPRESSION, FIELD_TEXT, offsetof(clump_io_bag_fields, compression)},
};

/* Stores a value. False: its size is wrong. */
static bool store_field(const struct bag_field *field, const unsigned char *value, size_t size,
                        clump_io_bag_fields *fields)
{
    CLUMP_ASSERT(field->at < sizeof *fields);
    static const size_t sizes[] = {1, 4, 8, 8};
    void *const to = (char *)fields + field->at;
    if (field->kind != FIELD_TEXT && size != sizes[field->kind]) return false;
    switch (field->kind) {
    case FIELD_U8:
        memcpy(to, &(unsigned){value[0]}, sizeof(unsigned));
        break;
    case FIELD_U32:
        memcpy(to, &(uint32_t){clump_io_u32(value)}, sizeof(uint32_t));
        break;
    case FIELD_U64:
        memcpy(to, &(uint64_t){clump_io_u64(value)}, sizeof(uint64_t));
        break;
    case FIELD_TIME:
        memcpy(to, &(int64_t){clump_io_bag_time(value)}, sizeof(int64_t));
        break;
    case FIELD_TEXT:
        memcpy(to, &(clump_io_bag_text){(const char *)value, size}, sizeof(clump_io_bag_text));
        break;
    }
    fields->has |= field->flag;
    return true;
}

bool clump_io_bag_read_fields(const unsigned char *bytes, size_t size, clump_io_bag_fields *fields)
{
    *fields = (clump_io_bag_fields){0};
    size_t at = 0;
    while (at < size) {
        if (size - at < 4) return false;
        const size_t field_size = clump_io_u32(bytes + at);
        at += 4;
        if (field_size > size - at) return false;
        const unsigned char *const field = bytes + at, *const equals = memchr(field, '=', field_size);
        if (!equals) return false;
        const size_t name_size = (size_t)(equals - field);
        for (size_t i = 0; i < sizeof known_fields / sizeof *known_fields; i++)
            if (strlen(known_fields[i].name) == name_size && memcmp(known_fields[i].name, field, name_size) == 0) {
                if (!store_field(&known_fields[i], equals + 1, field_size - name_size - 1, fields)) return false;
                break;
            }
        at += field_size;
    }
    return true;
}

bool clump_io_bag_is_complete(const clump_io_bag_fields *fields)
{
    unsigned needs;
    switch (fields->op) {
    case BAG_OP_MESSAGE:
        needs = BAG_HAS_CONN | BAG_HAS_TIME;
        break;
    case BAG_OP_BAG_HEADER:
        needs = BAG_HAS_INDEX_POS;
        break;
    case BAG_OP_INDEX_DATA:
        needs = BAG_HAS_CONN | BAG_HAS_COUNT;
        break;
    case BAG_OP_CHUNK:
        needs = BAG_HAS_COMPRESSION | BAG_HAS_SIZE;
        break;
    case BAG_OP_CHUNK_INFO:
        needs = BAG_HAS_CHUNK_POS | BAG_HAS_START | BAG_HAS_END | BAG_HAS_COUNT;
        break;
    case BAG_OP_CONNECTION:
        needs = BAG_HAS_CONN | BAG_HAS_TOPIC;
        break;
    default:
        return false;
    }
    return (fields->has & (needs | BAG_HAS_OP)) == (needs | BAG_HAS_OP);
}

bool clump_io_bag_read_record(const unsigned char *bytes, size_t size, size_t at, clump_io_bag_record *record)
{
    if (at > size || size - at < 8) return false;
    const size_t header_size = clump_io_u32(bytes + at);
    if (header_size > BAG_MAX_HEADER || header_size > size - at - 8) return false;
    if (!clump_io_bag_read_fields(bytes + at + 4, header_size, &record->fields)) return false;
    record->at = at;
    record->data_at = at + header_size + 8;
    CLUMP_ASSERT(record->data_at <= size);
    record->data_size = clump_io_u32(bytes + at + 4 + header_size);
    return clump_io_bag_is_complete(&record->fields);
}

/* Finds the record whose header has its field op at `op_at`. */
static bool find_beginning(const unsigned char *bytes, size_t size, size_t from, size_t op_at, size_t *at)
{
    clump_io_bag_record record;
    for (size_t back = 4; back <= BAG_RECORD_LOOK_BACK && back <= op_at && op_at - back >= from; back++) {
        const size_t begin = op_at - back, header_size = clump_io_u32(bytes + begin);
        if (header_size > BAG_MAX_HEADER || header_size + 4 < back + BAG_RECORD_OP_FIELD) continue;
        if (!clump_io_bag_read_record(bytes, size, begin, &record)) continue;
        CLUMP_ASSERT(begin >= from && record.at == begin);
        *at = begin;
        return true;
    }
    return false;
}

bool clump_io_bag_find_record(const unsigned char *bytes, size_t size, size_t from, unsigned ops, size_t *at)
{
    static const unsigned char wanted[BAG_RECORD_OP_FIELD - 1] = {4, 0, 0, 0, 'o', 'p', '='};
    for (size_t i = from; i < size && size - i > sizeof wanted;) {
        const unsigned char *const hit = memchr(bytes + i, 'o', size - i);
        if (!hit) return false;
        const size_t letter = (size_t)(hit - bytes);
        i = letter + 1;
        if (letter < from + 4 || size - letter < 4 || memcmp(hit - 4, wanted, sizeof wanted) != 0) continue;
        const unsigned op = hit[3];
        if (op > BAG_OP_CONNECTION || !(ops >> op & 1)) continue;
        if (find_beginning(bytes, size, from, letter - 4, at)) return true;
    }
    return false;
}
