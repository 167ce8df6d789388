/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag_chunk.c: opens a chunk of a bag: reads and decompresses it, and lists its messages by time.
 *
 * The list is made from the records in the chunk, not from the index data behind it: a bag that was not finished has no
 * index data for its last chunk, and a message is then never outside of its chunk.
 */
#include "containers/bag.h"

#include "common/assert.h"

#include <stdlib.h>

/* A chunk that claims to be larger than this, and more than BAG_CHUNK_RATIO times its compressed size, is a bomb:
 * bz2 makes 1 GB of zeros out of 700 bytes. rosbag makes chunks of 0.75 MB, or of one message. */
#define BAG_CHUNK_PLAUSIBLE ((size_t)64 << 20)
#define BAG_CHUNK_RATIO     ((size_t)1024)

/* --- losses ---------------------------------------------------------------------------------------------- */

/* Counts damage of a chunk that is opened for the first time. */
static void lose_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, uint64_t bytes, const char *why)
{
    if (chunk->counted) return;
    bag->losses->lost_bytes += bytes;
    if (chunk->damaged) return;
    chunk->damaged = true;
    clump_io_lose(bag->losses, &bag->losses->damaged_chunks, 1, "chunk at byte %llu: %s", (unsigned long long)chunk->at,
                  why);
}

/* --- order ----------------------------------------------------------------------------------------------- */

static bool is_before(const clump_io_bag_entry *a, const clump_io_bag_entry *b)
{
    return a->time != b->time ? a->time < b->time : a->at < b->at;
}

static void sift_down(clump_io_bag_entry *entries, size_t root, size_t count)
{
    CLUMP_ASSERT(root < count);
    const clump_io_bag_entry moved = entries[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && is_before(&entries[child], &entries[child + 1])) child++;
        if (!is_before(&moved, &entries[child])) break;
        entries[root] = entries[child];
    }
    entries[root] = moved;
}

/* Most chunks are sorted already. Else heap sort: qsort() may allocate memory. */
void clump_io_bag_sort_entries(clump_io_bag_opened *opened)
{
    clump_io_bag_entry *const entries = opened->entries;
    size_t sorted = 1;
    while (sorted < opened->count && !is_before(&entries[sorted], &entries[sorted - 1])) sorted++;
    if (sorted >= opened->count) return;
    for (size_t i = opened->count / 2; i-- > 0;) sift_down(entries, i, opened->count);
    for (size_t last = opened->count - 1; last > 0; last--) {
        const clump_io_bag_entry largest = entries[0];
        entries[0] = entries[last];
        entries[last] = largest;
        sift_down(entries, 0, last);
    }
}

/* --- bytes ----------------------------------------------------------------------------------------------- */

/* Points *bytes to the data of the chunk in the file, as far as they are there. */
static clump_status read_packed(clump_io_bag *bag, clump_io_bag_chunk *chunk, clump_io_bytes *scratch,
                                const unsigned char **bytes, size_t *size)
{
    clump_io_blob silent = *bag->blob;
    silent.where.message = NULL;
    *size = chunk->data_size;
    const clump_status status = clump_io_blob_at(&silent, chunk->data_at, chunk->data_size, scratch, bytes);
    if (status == CLUMP_ERR_OUT_OF_MEMORY) return clump_io_no_memory(&bag->blob->where, chunk->data_size);
    if (status == CLUMP_OK) return CLUMP_OK;
    if (status != CLUMP_ERR_IO_TRUNCATED)
        return clump_io_fail(&bag->blob->where, status, "cannot read the chunk at byte %llu",
                             (unsigned long long)chunk->at);
    *size = 0;
    lose_chunk(bag, chunk, chunk->data_size, "the file became shorter");
    return CLUMP_OK;
}

static clump_status unpack_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, clump_io_bag_opened *opened)
{
    const unsigned char *bytes;
    size_t size;
    const size_t announced = chunk->plain_size;
    if (announced > BAG_CHUNK_PLAUSIBLE && announced / BAG_CHUNK_RATIO > chunk->data_size) {
        lose_chunk(bag, chunk, chunk->data_size, "its size is not plausible");
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(read_packed(bag, chunk, &bag->packed, &bytes, &size));
    if (size == 0) {
        lose_chunk(bag, chunk, 0, "no data");
        return CLUMP_OK;
    }
    switch (clump_io_unpack(&bag->unpacker, chunk->packing, bytes, size, announced, &opened->plain)) {
    case CLUMP_IO_UNPACKED:
        break;
    case CLUMP_IO_UNPACKED_PART:
        if (!chunk->cut) { /* what came out before the damage was found may be wrong: bags have no other checksum */
            lose_chunk(bag, chunk, announced, "its compressed data are damaged");
            return CLUMP_OK;
        }
        lose_chunk(bag, chunk, announced - opened->plain.size, "the file ends in it");
        break;
    case CLUMP_IO_UNPACKED_NOT_BUILT:
        lose_chunk(bag, chunk, size, "this build has no decoder for its compression");
        return CLUMP_OK;
    case CLUMP_IO_UNPACKED_TOO_MUCH:
        clump_io_forget_first(bag->losses);
        lose_chunk(bag, chunk, size, CLUMP_IO_TOO_MUCH);
        return CLUMP_OK;
    case CLUMP_IO_UNPACKED_NO_MEMORY:
        return clump_io_no_memory(&bag->blob->where, announced);
    }
    opened->bytes = opened->plain.data;
    opened->size = opened->plain.size;
    return CLUMP_OK;
}

/* Provides the decompressed bytes of the chunk, or none. */
static clump_status load_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, clump_io_bag_opened *opened)
{
    opened->bytes = NULL;
    opened->size = 0;
    const bool packed = chunk->packing != CLUMP_IO_PACKING_NONE;
    if (chunk->data_size > CLUMP_IO_MAX_CHUNK || (packed && chunk->plain_size > CLUMP_IO_MAX_CHUNK)) {
        lose_chunk(bag, chunk, chunk->data_size, "it claims more than 1 GiB");
        return CLUMP_OK;
    }
    if (packed) return unpack_chunk(bag, chunk, opened);
    CLUMP_IO_TRY(read_packed(bag, chunk, &opened->plain, &opened->bytes, &opened->size));
    if (chunk->cut) lose_chunk(bag, chunk, 0, "the file ends in it");
    return CLUMP_OK;
}

/* --- messages -------------------------------------------------------------------------------------------- */

/* Goes on behind damage at *at. False: no message follows. */
static bool skip_damage(clump_io_bag *bag, clump_io_bag_opened *opened, size_t *at)
{
    size_t next = opened->size;
    const bool found = clump_io_bag_find_record(opened->bytes, opened->size, *at + 1,
                                                BAG_BIT(BAG_OP_MESSAGE) | BAG_BIT(BAG_OP_CONNECTION), &next);
    lose_chunk(bag, opened->chunk, next - *at, "a record in it is damaged");
    *at = next;
    return found;
}

static clump_status add_entry(clump_io_bag *bag, clump_io_bag_opened *opened, const clump_io_bag_entry *entry)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&bag->blob->where, &opened->entries, &opened->capacity, opened->count + 1,
                                       sizeof *opened->entries));
    CLUMP_ASSERT(opened->count < opened->capacity);
    opened->entries[opened->count++] = *entry;
    return CLUMP_OK;
}

static clump_status list_messages(clump_io_bag *bag, clump_io_bag_opened *opened)
{
    uint64_t unknown = 0;
    uint32_t unknown_conn = 0;
    for (size_t at = 0; at < opened->size;) {
        clump_io_bag_record record;
        if (!clump_io_bag_read_record(opened->bytes, opened->size, at, &record) ||
            record.data_size > opened->size - record.data_at) {
            if (!skip_damage(bag, opened, &at)) break;
            continue;
        }
        clump_io_bag_entry entry = {
            .time = record.fields.time, .at = (uint32_t)record.data_at, .size = record.data_size};
        if (record.fields.op == BAG_OP_CONNECTION) {
            CLUMP_IO_TRY(clump_io_bag_connect(bag, &record.fields, opened->bytes + record.data_at, record.data_size));
        } else if (record.fields.op == BAG_OP_MESSAGE) {
            if (clump_io_bag_topic_of(bag, record.fields.conn, &entry.topic))
                CLUMP_IO_TRY(add_entry(bag, opened, &entry));
            else
                unknown++, unknown_conn = record.fields.conn;
        }
        at = (size_t)record.data_at + record.data_size;
    }
    if (unknown && !opened->chunk->counted)
        clump_io_lose(bag->losses, &bag->losses->damaged_messages, unknown, "connection %lu has messages, but no topic",
                      (unsigned long)unknown_conn);
    return CLUMP_OK;
}

clump_status clump_io_bag_open_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, clump_io_bag_opened *opened)
{
    opened->chunk = chunk;
    opened->count = opened->next = 0;
    CLUMP_IO_TRY(load_chunk(bag, chunk, opened));
    CLUMP_IO_TRY(list_messages(bag, opened));
    chunk->counted = true;
    clump_io_bag_sort_entries(opened);
    return CLUMP_OK;
}

void clump_io_bag_release_opened(clump_io_bag_opened *opened)
{
    clump_io_bytes_release(&opened->plain);
    free(opened->entries);
    *opened = (clump_io_bag_opened){0};
}
