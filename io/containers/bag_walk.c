/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag_walk.c: reads a bag record by record, where its index is missing or damaged: the recorder was killed, the file is
 * cut, or bytes changed.
 *
 * Index data behind a chunk give its times and topics. Only a chunk without them, or with a connection that is not
 * known yet, is decompressed. Behind damage, the walk goes on at the next record that can be found.
 */
#include "containers/bag.h"

#include "common/assert.h"

enum {
    BAG_WALK_AHEAD = 4096,           /* bytes that are read at once: headers are 100 bytes, index data some hundred */
    BAG_WALK_SEARCH = 1 << 20,       /* bytes that are searched at once, at most */
    BAG_WALK_SEARCH_FIRST = 1 << 14, /* and at first: behind most damage, the next record is near */
    BAG_WALK_OVERLAP = 1024,         /* a header that two searched parts share is shorter */
    BAG_WALK_LOOSE = 4 * 1 << 20     /* bytes of messages outside of chunks that are one chunk to us */
};

/* Finds the next record of these ops. *at is the end of the file where there is none. */
static clump_status search_record(clump_io_bag *bag, uint64_t from, unsigned ops, uint64_t *at)
{
    const uint64_t end = bag->blob->size;
    *at = end;
    for (size_t step = BAG_WALK_SEARCH_FIRST; from < end; step = step < BAG_WALK_SEARCH ? 4 * step : step) {
        const size_t want = end - from < step ? (size_t)(end - from) : step;
        const unsigned char *bytes;
        size_t have, found;
        clump_status status;
        if (!clump_io_bag_look(bag, from, want, want, &bytes, &have, &status)) return status;
        if (clump_io_bag_find_record(bytes, have, 0, ops, &found)) {
            *at = from + found;
            return CLUMP_OK;
        }
        if (have >= end - from) return CLUMP_OK;
        CLUMP_ASSERT(have > BAG_WALK_OVERLAP);
        from += have - BAG_WALK_OVERLAP;
    }
    return CLUMP_OK;
}

/* As search_record(), for chunks. The last answer is kept: many chunks that end badly before the same chunk would each
 * search up to it. */
static clump_status search_chunk(clump_io_bag *bag, uint64_t from, uint64_t *at)
{
    if (from < bag->searched_from || from > bag->searched_to) {
        CLUMP_IO_TRY(search_record(bag, from, BAG_BIT(BAG_OP_CHUNK), &bag->searched_to));
        bag->searched_from = from;
    }
    *at = bag->searched_to;
    return CLUMP_OK;
}

/* Whether a chunk that ends here ends well: a record follows, or nothing. */
static bool ends_well(clump_io_bag *bag, uint64_t at, clump_status *status)
{
    clump_io_bag_record record;
    *status = CLUMP_OK;
    return at == bag->blob->size || clump_io_bag_look_record(bag, at, BAG_WALK_AHEAD, &record, status);
}

/* Takes first and last time, number and topics of messages from the opened chunk. */
static clump_status describe_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, const clump_io_bag_opened *opened)
{
    chunk->messages = opened->count;
    if (!opened->count) return CLUMP_OK;
    chunk->first = opened->entries[0].time;
    chunk->last = opened->entries[opened->count - 1].time;
    CLUMP_ASSERT(chunk->first <= chunk->last);
    uint32_t before = UINT32_MAX;
    for (size_t i = 0; i < opened->count; i++) {
        if (opened->entries[i].topic != before)
            CLUMP_IO_TRY(clump_io_bag_add_topic(bag, chunk, opened->entries[i].topic));
        before = opened->entries[i].topic;
    }
    return CLUMP_OK;
}

/* Adds a chunk. *next is the place behind it. */
static clump_status walk_chunk(clump_io_bag *bag, const clump_io_bag_record *record, clump_io_bag_opened *opened,
                               uint64_t *next)
{
    clump_io_bag_chunk *chunk;
    clump_status status;
    CLUMP_IO_TRY(clump_io_bag_add_chunk(bag, record->at, &chunk));
    clump_io_bag_set_chunk(bag, record, chunk);
    uint64_t end = chunk->data_at + chunk->data_size;
    const bool good = !chunk->cut && ends_well(bag, end, &status);
    if (!chunk->cut) CLUMP_IO_TRY(status);
    if (!good) { /* its size may be wrong: is there another chunk where its data should be? */
        uint64_t other;
        CLUMP_IO_TRY(search_chunk(bag, chunk->data_at, &other));
        if (other < end)
            end = other, chunk->data_size = (uint32_t)(end - chunk->data_at), chunk->cut = true;
        else if (chunk->cut)
            bag->losses->truncated = true;
    }
    CLUMP_ASSERT(end >= chunk->data_at && chunk->data_at > record->at);
    *next = end;
    const bool indexed = clump_io_bag_index_chunk(bag, chunk, opened, &status);
    CLUMP_IO_TRY(status);
    if (!indexed) CLUMP_IO_TRY(clump_io_bag_open_chunk(bag, chunk, opened));
    CLUMP_IO_TRY(describe_chunk(bag, chunk, opened));
    if (!opened->count) bag->chunk_count--;
    return CLUMP_OK;
}

/* Adds a message outside of chunks to the chunk of loose messages before it, or to a new one. */
static clump_status walk_loose(clump_io_bag *bag, const clump_io_bag_record *record)
{
    clump_io_bag_chunk *chunk = bag->chunk_count ? &bag->chunks[bag->chunk_count - 1] : NULL;
    CLUMP_ASSERT(record->data_at > record->at);
    const uint64_t size = record->data_at + record->data_size - record->at;
    if (size > CLUMP_IO_MAX_CHUNK) {
        clump_io_lose(bag->losses, &bag->losses->damaged_messages, 1, "message at byte %llu: it claims more than 1 GiB",
                      (unsigned long long)record->at);
        return CLUMP_OK;
    }
    if (!chunk || !chunk->loose || chunk->data_at + chunk->data_size != record->at ||
        chunk->data_size > BAG_WALK_LOOSE) {
        CLUMP_IO_TRY(clump_io_bag_add_chunk(bag, record->at, &chunk));
        chunk->loose = true;
        chunk->data_at = record->at;
        chunk->messages = 0;
        chunk->first = chunk->last = record->fields.time;
    }
    chunk->data_size += (uint32_t)size;
    chunk->plain_size = chunk->data_size;
    chunk->messages++;
    if (record->fields.time < chunk->first) chunk->first = record->fields.time;
    if (record->fields.time > chunk->last) chunk->last = record->fields.time;
    uint32_t topic;
    if (clump_io_bag_topic_of(bag, record->fields.conn, &topic)) return clump_io_bag_add_topic(bag, chunk, topic);
    chunk->any_topic = true;
    return CLUMP_OK;
}

/* Goes on behind damage at `at`. *next is the end of the file where nothing can be found. Records of a chunk without
 * compression are found too, where the header of the chunk is damaged. */
static clump_status walk_damage(clump_io_bag *bag, uint64_t at, uint64_t *next)
{
    const unsigned ops = BAG_BIT(BAG_OP_CHUNK) | BAG_BIT(BAG_OP_MESSAGE) | BAG_BIT(BAG_OP_CONNECTION);
    CLUMP_IO_TRY(search_record(bag, at + 1, ops, next));
    if (*next == bag->blob->size) bag->losses->truncated = true;
    clump_io_lose(bag->losses, &bag->losses->lost_bytes, *next - at,
                  *next == bag->blob->size ? "the file is cut or damaged at byte %llu"
                                           : "the file is damaged at byte %llu",
                  (unsigned long long)at);
    return CLUMP_OK;
}

static clump_status walk_record(clump_io_bag *bag, uint64_t at, clump_io_bag_opened *opened, uint64_t *next)
{
    clump_io_bag_record record;
    clump_status status;
    const unsigned char *data;
    const bool good = clump_io_bag_look_record(bag, at, BAG_WALK_AHEAD, &record, &status);
    CLUMP_IO_TRY(status);
    if (good && record.fields.op == BAG_OP_CHUNK) return walk_chunk(bag, &record, opened, next);
    *next = good ? record.data_at + record.data_size : 0;
    if (!good || *next > bag->blob->size) return walk_damage(bag, at, next);
    if (record.fields.op == BAG_OP_MESSAGE) return walk_loose(bag, &record);
    if (record.fields.op != BAG_OP_CONNECTION) return CLUMP_OK;
    if (clump_io_bag_look_whole(bag, at, BAG_WALK_AHEAD, &record, &data, &status))
        return clump_io_bag_connect(bag, &record.fields, data, record.data_size);
    return status;
}

clump_status clump_io_bag_walk(clump_io_bag *bag, uint64_t from)
{
    clump_io_bag_opened opened = {0};
    clump_status status = CLUMP_OK;
    while (from < bag->blob->size && status == CLUMP_OK) status = walk_record(bag, from, &opened, &from);
    clump_io_bag_release_opened(&opened);
    return status;
}
