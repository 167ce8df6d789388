/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap_part.c: the messages of a chunk, or of a part outside of chunks, sorted by time.
 *
 * A chunk whose checksum is wrong is left out, and so is a chunk that cannot be decompressed: its bytes cannot be trusted.
 * Of the chunk in which a cut file ends, the whole messages are read.
 */
#include "containers/mcap.h"

#include "common/assert.h"
#include "crc32.h"
#include "format.h"

#include <stdlib.h>

/* A chunk that claims to be larger than this, and more than PART_RATIO times its compressed size, is a bomb: zstd makes
 * 1 GiB of zeros out of 32 kB. Writers make chunks of some MB, or of one message. */
#define PART_PLAUSIBLE ((size_t)64 << 20)
#define PART_RATIO     ((size_t)1024)

static bool comes_before(const clump_io_mcap_entry *a, const clump_io_mcap_entry *b, bool by_time)
{
    if (by_time && a->time != b->time) return a->time < b->time;
    return a->offset < b->offset;
}

/* Returns the end of the run that begins at `from`: entries that are in order. */
static size_t run_end(const clump_io_mcap_entry *entries, size_t from, size_t count, bool by_time)
{
    CLUMP_ASSERT(from < count);
    size_t end = from + 1;
    while (end < count && !comes_before(&entries[end], &entries[end - 1], by_time)) end++;
    return end < count ? end : count;
}

/* Merges the runs [from, middle) and [middle, end) into `to`, at the same place. */
static void merge(const clump_io_mcap_entry *entries, size_t from, size_t middle, size_t end, bool by_time,
                  clump_io_mcap_entry *to)
{
    CLUMP_ASSERT(from <= middle && middle <= end);
    size_t left = from, right = middle;
    for (size_t at = from; at < end; at++) {
        const bool take_right =
            right < end && (left == middle || comes_before(&entries[right], &entries[left], by_time));
        to[at] = entries[take_right ? right++ : left++];
    }
}

/* A merge sort of the runs that there are: a part is sorted already, or consists of one run per channel. */
clump_status clump_io_mcap_sort(const clump_io_mcap *mcap, clump_io_mcap_slot *slot, bool by_time)
{
    if (slot->count < 2 || run_end(slot->entries, 0, slot->count, by_time) == slot->count) return CLUMP_OK;
    CLUMP_IO_TRY(clump_io_list_reserve(&mcap->blob->where, &slot->spare, &slot->spare_capacity, slot->capacity,
                                       sizeof *slot->spare));
    for (size_t runs = 2; runs > 1;) {
        runs = 0;
        for (size_t from = 0; from < slot->count; runs++) {
            const size_t middle = run_end(slot->entries, from, slot->count, by_time);
            const size_t end = middle < slot->count ? run_end(slot->entries, middle, slot->count, by_time) : middle;
            merge(slot->entries, from, middle, end, by_time, slot->spare);
            from = end;
        }
        clump_io_mcap_entry *const merged = slot->spare;
        const size_t capacity = slot->spare_capacity;
        slot->spare = slot->entries, slot->spare_capacity = slot->capacity;
        slot->entries = merged, slot->capacity = capacity;
    }
    return CLUMP_OK;
}

static clump_status add_entry(const clump_io_mcap *mcap, clump_io_mcap_slot *slot, int64_t time, uint32_t offset,
                              uint32_t topic)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&mcap->blob->where, &slot->entries, &slot->capacity, slot->count + 1,
                                       sizeof *slot->entries));
    CLUMP_ASSERT(slot->count < slot->capacity);
    slot->entries[slot->count++] = (clump_io_mcap_entry){time, offset, topic};
    return CLUMP_OK;
}

/* --- records --------------------------------------------------------------------------------------------- */

typedef struct part_losses {
    uint64_t messages; /* of channels that are not defined, or too short */
    uint64_t bytes;    /* behind the last record that makes sense */
} part_losses;

static clump_status take_record(clump_io_mcap *mcap, clump_io_mcap_slot *slot, size_t offset, size_t size,
                                part_losses *lost)
{
    const unsigned opcode = slot->records[offset];
    const unsigned char *const body = slot->records + offset + MCAP_HEAD;
    bool good = true;
    if (opcode == MCAP_SCHEMA) CLUMP_IO_TRY(clump_io_mcap_schema_add(mcap, body, size, &good));
    if (opcode == MCAP_CHANNEL) CLUMP_IO_TRY(clump_io_mcap_channel_add(mcap, body, size, &good));
    if (opcode != MCAP_MESSAGE) return CLUMP_OK;
    const uint32_t topic = size >= MCAP_MESSAGE_HEAD ? clump_io_mcap_channel(mcap, clump_io_u16(body)) : 0;
    if (topic && topic != CLUMP_IO_MCAP_REFUSED)
        return add_entry(mcap, slot, clump_io_mcap_time(body + 6), (uint32_t)offset, topic - 1);
    lost->messages++;
    return CLUMP_OK;
}

static clump_status take_records(clump_io_mcap *mcap, clump_io_mcap_slot *slot, part_losses *lost)
{
    size_t at = 0;
    while (slot->size - at >= MCAP_HEAD && slot->records[at]) {
        const uint64_t length = clump_io_u64(slot->records + at + 1);
        if (length > slot->size - at - MCAP_HEAD) break;
        CLUMP_IO_TRY(take_record(mcap, slot, at, (size_t)length, lost));
        at += MCAP_HEAD + (size_t)length;
    }
    lost->bytes = slot->size - at;
    return CLUMP_OK;
}

/* --- chunks ---------------------------------------------------------------------------------------------- */

typedef struct part_chunk {
    const unsigned char *records; /* packed */
    size_t size, unpacked;
    uint32_t crc;
    clump_io_packing packing;
} part_chunk;

/* Reads the head of a chunk. Returns what is wrong with it, or null. */
static const char *read_chunk(const clump_io_mcap_part *part, const unsigned char *at, part_chunk *chunk)
{
    const size_t body = (size_t)part->size - MCAP_HEAD;
    if (at[0] != MCAP_CHUNK || (!part->cut && clump_io_u64(at + 1) != body)) return "the index is wrong";
    at += MCAP_HEAD;
    const uint64_t unpacked = clump_io_u64(at + 16);
    const size_t name = clump_io_u32(at + 28);
    if (name > body - MCAP_CHUNK_HEAD) return "its compression has no name";
    chunk->packing = clump_io_packing_of(at + 32, name);
    if (chunk->packing == CLUMP_IO_PACKING_UNKNOWN) return "its compression is not known";
    const uint64_t size = clump_io_u64(at + 32 + name);
    const size_t room = body - MCAP_CHUNK_HEAD - name;
    if (size > room && !part->cut) return "it is shorter than it claims";
    if (unpacked > CLUMP_IO_MAX_CHUNK) return "it claims to be larger than 1 GiB";
    if (chunk->packing == CLUMP_IO_PACKING_NONE && size != unpacked) return "its two sizes differ";
    if (unpacked > PART_PLAUSIBLE && unpacked / PART_RATIO > room) return "its uncompressed size is not plausible";
    chunk->records = at + MCAP_CHUNK_HEAD + name;
    chunk->size = size < room ? (size_t)size : room;
    chunk->unpacked = (size_t)unpacked;
    chunk->crc = clump_io_u32(at + 24);
    return NULL;
}

/* Decompresses the chunk into the slot. *wrong: what is wrong with it, or null. */
static clump_status unpack(clump_io_mcap *mcap, const clump_io_mcap_part *part, const part_chunk *chunk,
                           clump_io_mcap_slot *slot, const char **wrong)
{
    slot->records = chunk->records;
    slot->size = chunk->size;
    if (chunk->packing != CLUMP_IO_PACKING_NONE) {
        const clump_io_unpacked got = clump_io_unpack(&mcap->unpacker, chunk->packing, chunk->records, chunk->size,
                                                      chunk->unpacked, &slot->memory);
        if (got == CLUMP_IO_UNPACKED_NO_MEMORY) return clump_io_no_memory(&mcap->blob->where, chunk->unpacked);
        if (got == CLUMP_IO_UNPACKED_TOO_MUCH) *wrong = CLUMP_IO_TOO_MUCH;
        if (got == CLUMP_IO_UNPACKED_NOT_BUILT) *wrong = "this build cannot decompress it";
        if (got == CLUMP_IO_UNPACKED_PART && !part->cut) *wrong = "it cannot be decompressed";
        slot->records = slot->memory.data;
        slot->size = slot->memory.size;
    }
    if (*wrong || part->cut) return CLUMP_OK;
    if (slot->size != chunk->unpacked) *wrong = "its two sizes differ";
    if (!*wrong && chunk->crc && clump_io_crc32(0, slot->records, slot->size) != chunk->crc) *wrong = "wrong checksum";
    return CLUMP_OK;
}

/* Reads the records of a part. Compressed ones are read into mcap->packed, others at once into the slot. *wrong: what is
 * wrong with the part, or null. */
static clump_status read_part(clump_io_mcap *mcap, const clump_io_mcap_part *part, clump_io_mcap_slot *slot,
                              const char **wrong)
{
    const unsigned char *at;
    part_chunk chunk;
    if (part->size > CLUMP_IO_MAX_CHUNK) {
        *wrong = "it is larger than 1 GiB";
        return CLUMP_OK;
    }
    if (part->loose) {
        CLUMP_IO_TRY(clump_io_blob_at(mcap->blob, part->offset, (size_t)part->size, &slot->memory, &slot->records));
        slot->size = (size_t)part->size;
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(clump_io_blob_at(mcap->blob, part->offset, MCAP_HEAD + MCAP_CHUNK_HEAD, &mcap->packed, &at));
    const bool packed = clump_io_u32(at + MCAP_HEAD + 28) > 0;
    clump_io_bytes *const memory = packed ? &mcap->packed : &slot->memory;
    CLUMP_IO_TRY(clump_io_blob_at(mcap->blob, part->offset, (size_t)part->size, memory, &at));
    *wrong = read_chunk(part, at, &chunk);
    return *wrong ? CLUMP_OK : unpack(mcap, part, &chunk, slot, wrong);
}

static void count_losses(clump_io_mcap *mcap, clump_io_mcap_part *part, const char *wrong, const part_losses *lost)
{
    if (part->counted) return;
    part->counted = true;
    const unsigned long long at = part->offset;
    clump_io_losses *const losses = mcap->losses;
    if (wrong) {
        if (mcap->unpacker.spent > mcap->unpacker.most) clump_io_forget_first(losses);
        clump_io_lose(losses, &losses->damaged_chunks, 1, "chunk at byte %llu: %s", at, wrong);
        losses->lost_bytes += part->size;
    }
    if (lost->messages)
        clump_io_lose(losses, &losses->damaged_messages, lost->messages,
                      "chunk at byte %llu: messages of channels that are not defined or left out", at);
    if (lost->bytes && !part->cut)
        clump_io_lose(losses, &losses->damaged_chunks, 1, "chunk at byte %llu: a record makes no sense", at);
}

/* Reads a part and takes its records. *wrong: why it is left out, or null. */
static clump_status take_part(clump_io_mcap *mcap, size_t index, clump_io_mcap_slot *slot, const char **wrong,
                              part_losses *lost)
{
    slot->part = index;
    slot->count = slot->next = slot->size = 0;
    *wrong = NULL;
    *lost = (part_losses){0};
    const clump_status status = read_part(mcap, &mcap->parts[index], slot, wrong);
    if (status == CLUMP_ERR_IO_TRUNCATED)
        *wrong = "the file became shorter";
    else
        CLUMP_IO_TRY(status);
    return *wrong ? CLUMP_OK : take_records(mcap, slot, lost);
}

/* Reads all chunks for the channels that they define. Only files with a wrong index or a damaged chunk need this. */
static clump_status define_all(clump_io_mcap *mcap)
{
    clump_io_mcap_slot slot = {0};
    clump_status status = CLUMP_OK;
    mcap->all_defined = true;
    for (size_t i = 0; i < mcap->part_count && status == CLUMP_OK; i++) {
        const char *wrong;
        part_losses lost;
        if (!mcap->parts[i].loose) status = take_part(mcap, i, &slot, &wrong, &lost);
    }
    clump_io_bytes_release(&slot.memory);
    free(slot.entries);
    return status;
}

clump_status clump_io_mcap_load(clump_io_mcap *mcap, size_t index, clump_io_mcap_slot *slot)
{
    CLUMP_ASSERT(index < mcap->part_count);
    part_losses lost;
    const char *wrong;
    CLUMP_IO_TRY(take_part(mcap, index, slot, &wrong, &lost));
    if (lost.messages && !mcap->all_defined) {
        CLUMP_IO_TRY(define_all(mcap));
        CLUMP_IO_TRY(take_part(mcap, index, slot, &wrong, &lost));
    }
    count_losses(mcap, &mcap->parts[index], wrong, &lost);
    return clump_io_mcap_sort(mcap, slot, true);
}

/* --- indexes ------------------------------------------------------------------------------------------------ */

/* Takes one MessageIndex: channel u16, size u32, times and offsets u64. */
static clump_status take_index(const clump_io_mcap *mcap, const unsigned char *body, size_t size,
                               clump_io_mcap_slot *slot, bool *good)
{
    *good = size >= 6 && clump_io_u32(body + 2) <= size - 6 && clump_io_mcap_channel(mcap, clump_io_u16(body));
    if (!*good) return CLUMP_OK;
    const size_t bytes = clump_io_u32(body + 2);
    const uint32_t topic = clump_io_mcap_channel(mcap, clump_io_u16(body));
    if (topic == CLUMP_IO_MCAP_REFUSED) return CLUMP_OK;
    for (size_t i = 0; i + 16 <= bytes && *good; i += 16) {
        const uint64_t offset = clump_io_u64(body + 6 + i + 8);
        *good = offset <= CLUMP_IO_MAX_CHUNK;
        CLUMP_IO_TRY(add_entry(mcap, slot, clump_io_mcap_time(body + 6 + i), (uint32_t)offset, topic - 1));
    }
    return CLUMP_OK;
}

clump_status clump_io_mcap_load_index(clump_io_mcap *mcap, size_t index, clump_io_mcap_slot *slot, bool *good)
{
    CLUMP_ASSERT(index < mcap->part_count);
    const clump_io_mcap_part *const part = &mcap->parts[index];
    slot->part = index;
    slot->count = slot->next = slot->size = 0;
    *good = part->index_size > 0 && part->index_size <= CLUMP_IO_MAX_CHUNK;
    if (!*good) return CLUMP_OK;
    const size_t size = (size_t)part->index_size;
    const unsigned char *at;
    CLUMP_IO_TRY(clump_io_blob_at(mcap->blob, part->index_at, size, &mcap->packed, &at));
    for (size_t i = 0; i < size && *good;) {
        *good = size - i >= MCAP_HEAD && clump_io_u64(at + i + 1) <= size - i - MCAP_HEAD;
        if (!*good) break;
        const size_t length = (size_t)clump_io_u64(at + i + 1);
        if (at[i] == MCAP_MESSAGE_INDEX) CLUMP_IO_TRY(take_index(mcap, at + i + MCAP_HEAD, length, slot, good));
        i += MCAP_HEAD + length;
    }
    *good = *good && slot->count > 0;
    return CLUMP_OK;
}
