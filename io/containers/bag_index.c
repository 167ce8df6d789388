/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag_index.c: the index of a bag: connections and chunk infos at its end, index data behind each chunk.
 *
 * The index is believed where it agrees with itself: as many chunk infos as the bag header claims, a chunk at each
 * place, and all connections. Chunks must not overlap: else a small bag could name one chunk many times.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/bag.h"

#include <stdlib.h>

enum {
    BAG_INDEX_WINDOW = 65536, /* bytes that are read at once at the end of the bag */
    BAG_INDEX_AHEAD = 4096,   /* and behind a chunk */
    BAG_INDEX_RECORD = 256,   /* and of the record of a chunk */
    BAG_INDEX_ENTRY = 12,     /* bytes per message in index data: time, place */
    BAG_INDEX_COUNT = 8,      /* bytes per connection in a chunk info: number, messages */
    BAG_INDEX_SHORTEST = 30   /* bytes of the shortest message record */
};

/* Keeps what a chunk info says. */
static clump_status add_info(clump_io_bag *bag, const clump_io_bag_fields *info, const unsigned char *data, size_t size)
{
    clump_io_bag_chunk *chunk;
    CLUMP_IO_TRY(clump_io_bag_add_chunk(bag, info->chunk_pos, &chunk));
    chunk->first = info->start < info->end ? info->start : info->end;
    chunk->last = info->start < info->end ? info->end : info->start;
    chunk->messages = 0;
    for (size_t i = 0; i < size / BAG_INDEX_COUNT; i++) {
        const unsigned char *const at = data + i * BAG_INDEX_COUNT;
        uint32_t topic;
        chunk->messages += clump_io_u32(at + 4);
        if (clump_io_bag_topic_of(bag, clump_io_u32(at), &topic))
            CLUMP_IO_TRY(clump_io_bag_add_topic(bag, chunk, topic));
        else
            chunk->any_topic = true;
    }
    return CLUMP_OK;
}

/* Reads connections and chunk infos up to the end of the file, or to the first damage. */
static clump_status read_infos(clump_io_bag *bag, uint64_t at)
{
    clump_io_bag_record record;
    const unsigned char *data;
    clump_status status = CLUMP_OK;
    while (clump_io_bag_look_whole(bag, at, BAG_INDEX_WINDOW, &record, &data, &status)) {
        const clump_io_bag_fields *const fields = &record.fields;
        if (fields->op == BAG_OP_CONNECTION)
            CLUMP_IO_TRY(clump_io_bag_connect(bag, fields, data, record.data_size));
        else if (fields->op == BAG_OP_CHUNK_INFO)
            CLUMP_IO_TRY(add_info(bag, fields, data, record.data_size));
        else
            break;
        at = record.data_at + record.data_size;
    }
    return status;
}

static int by_place(const void *a, const void *b)
{
    const clump_io_bag_chunk *const x = a, *const y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Reads the record of each chunk. Chunks without one are counted and removed. False: the index does not fit the
 * file. */
static bool find_chunks(clump_io_bag *bag, clump_status *status)
{
    size_t kept = 0;
    uint64_t end = 0, lost_at = 0;
    const size_t count = bag->chunk_count;
    for (size_t i = 0; i < count; i++) {
        clump_io_bag_chunk chunk = bag->chunks[i];
        clump_io_bag_record record;
        if (chunk.at < end || chunk.any_topic) return false;
        if (!clump_io_bag_look_record(bag, chunk.at, BAG_INDEX_RECORD, &record, status) ||
            record.fields.op != BAG_OP_CHUNK) {
            if (*status != CLUMP_OK) return false;
            lost_at = chunk.at;
            continue;
        }
        clump_io_bag_set_chunk(bag, &record, &chunk);
        end = chunk.data_at + chunk.data_size;
        CLUMP_ASSERT(kept <= i && end >= chunk.at);
        bag->chunks[kept++] = chunk;
    }
    if (count && !kept) return false;
    if (kept < count)
        clump_io_lose(bag->losses, &bag->losses->damaged_chunks, count - kept, "no chunk is at byte %llu",
                      (unsigned long long)lost_at);
    CLUMP_ASSERT(kept <= bag->chunk_count);
    bag->chunk_count = kept;
    return true;
}

clump_status clump_io_bag_read_index(clump_io_bag *bag, const clump_io_bag_record *header, bool *good)
{
    const clump_io_bag_fields *const fields = &header->fields;
    const uint64_t end = header->data_at + header->data_size;
    *good = false;
    if (fields->index_pos < end || fields->index_pos > bag->blob->size) return CLUMP_OK;
    CLUMP_IO_TRY(read_infos(bag, fields->index_pos));
    const bool counted = !(fields->has & BAG_HAS_CHUNK_COUNT) || fields->chunk_count == bag->chunk_count;
    /* Without chunks, records before the index are messages outside of chunks, which the index does not list. */
    if (counted && (bag->chunk_count || fields->index_pos == end)) {
        clump_status status = CLUMP_OK;
        if (bag->chunk_count) qsort(bag->chunks, bag->chunk_count, sizeof *bag->chunks, by_place);
        *good = find_chunks(bag, &status);
        if (status != CLUMP_OK) return status;
    }
    if (!*good) bag->chunk_count = bag->topic_pool_count = 0;
    return CLUMP_OK;
}

bool clump_io_bag_index_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, clump_io_bag_opened *opened,
                              clump_status *status)
{
    *status = CLUMP_OK;
    opened->chunk = chunk, opened->count = opened->next = 0, opened->bytes = NULL, opened->size = 0;
    if (chunk->loose || chunk->cut) return false;
    uint64_t at = chunk->data_at + chunk->data_size;
    clump_io_bag_record record;
    const unsigned char *data;
    while (clump_io_bag_look_record(bag, at, BAG_INDEX_AHEAD, &record, status) &&
           record.fields.op == BAG_OP_INDEX_DATA && /* before its data are read: they may be those of the next chunk */
           clump_io_bag_look_whole(bag, at, BAG_INDEX_AHEAD, &record, &data, status)) {
        const size_t count = record.fields.count;
        uint32_t topic;
        if (record.data_size / BAG_INDEX_ENTRY != count || record.data_size % BAG_INDEX_ENTRY) return false;
        if (!clump_io_bag_topic_of(bag, record.fields.conn, &topic)) return false;
        if ((opened->count + count) > chunk->plain_size / BAG_INDEX_SHORTEST) return false;
        *status = clump_io_list_reserve(&bag->blob->where, &opened->entries, &opened->capacity, opened->count + count,
                                        sizeof *opened->entries);
        if (*status != CLUMP_OK) return false;
        for (size_t i = 0; i < count; i++, data += BAG_INDEX_ENTRY)
            opened->entries[opened->count++] =
                (clump_io_bag_entry){.time = clump_io_bag_time(data), .at = clump_io_u32(data + 8), .topic = topic};
        at = record.data_at + record.data_size;
    }
    if (*status != CLUMP_OK || opened->count == 0) return false;
    if (chunk->messages != UINT64_MAX && chunk->messages != opened->count) return false;
    clump_io_bag_sort_entries(opened);
    return true;
}
