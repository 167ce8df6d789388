/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap_summary.c: the end of a finished MCAP file: where chunks are, and which topics there are.
 *
 *     ... DataEnd | Schema, Channel, Statistics, ChunkIndex ... | SummaryOffset ... | Footer | magic
 *                 summary start                                  (not needed)
 *
 * A summary whose checksum is wrong is not used at all: a walk over the data finds everything too. Without a checksum the
 * topics are taken from it, but not the chunk index.
 */
#include "containers/mcap.h"

#include "crc32.h"

#include <string.h>

enum {
    SUMMARY_FOOTER = MCAP_HEAD + 20, /* bytes of the whole record */
    SUMMARY_MOST = 256 << 20,        /* bytes; more than a million chunks */
};

const unsigned char clump_io_mcap_magic[MCAP_MAGIC] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

/* Whether `body` is a valid chunk index, and what it says. */
static clump_status add_chunk(clump_io_mcap *mcap, const unsigned char *body, size_t size, uint64_t end, bool *good)
{
    *good = false;
    if (size < 36) return CLUMP_OK;
    const uint64_t offset = clump_io_u64(body + 16), length = clump_io_u64(body + 24);
    const size_t ids_size = clump_io_u32(body + 32);
    if (ids_size % 10 || ids_size > size - 36 || size - 36 - ids_size < 8) return CLUMP_OK;
    const uint64_t index_size = clump_io_u64(body + 36 + ids_size);
    if (offset < MCAP_MAGIC || offset > end || length > end - offset || length < MCAP_HEAD + MCAP_CHUNK_HEAD)
        return CLUMP_OK;
    if (index_size > end - offset - length) return CLUMP_OK;
    clump_io_mcap_part *part = NULL;
    CLUMP_IO_TRY(clump_io_mcap_part_add(mcap, &part));
    part->start = clump_io_mcap_time(body);
    part->end = clump_io_mcap_time(body + 8);
    part->offset = offset;
    part->size = length;
    part->index_at = offset + length;
    part->index_size = index_size;
    part->listed = true;
    for (size_t i = 0; i < ids_size; i += 10)
        CLUMP_IO_TRY(clump_io_mcap_id_add(mcap, part, clump_io_u16(body + 36 + i)));
    *good = true;
    return CLUMP_OK;
}

static clump_status take_record(clump_io_mcap *mcap, unsigned opcode, unsigned kind, const unsigned char *body,
                                size_t size, uint64_t end, bool *good)
{
    *good = true;
    if (opcode != kind) return CLUMP_OK;
    if (kind == MCAP_SCHEMA) return clump_io_mcap_schema_add(mcap, body, size, good);
    if (kind == MCAP_CHANNEL) {
        /* A writer may repeat channels without their schemas. Then the chunks have both. */
        const unsigned schema = size >= 4 ? clump_io_u16(body + 2) : 0;
        if (schema && !clump_io_mcap_has_schema(mcap, schema)) return CLUMP_OK;
        return clump_io_mcap_channel_add(mcap, body, size, good);
    }
    return add_chunk(mcap, body, size, end, good);
}

/* Takes the records of one kind. *good false: one of them is damaged. */
static clump_status take_records(clump_io_mcap *mcap, unsigned kind, const unsigned char *bytes, size_t size,
                                 uint64_t end, bool *good)
{
    *good = true;
    for (size_t at = 0; at < size && *good;) {
        *good = size - at >= MCAP_HEAD && clump_io_u64(bytes + at + 1) <= size - at - MCAP_HEAD;
        if (!*good) return CLUMP_OK;
        const size_t length = (size_t)clump_io_u64(bytes + at + 1);
        CLUMP_IO_TRY(take_record(mcap, bytes[at], kind, bytes + at + MCAP_HEAD, length, end, good));
        at += MCAP_HEAD + length;
    }
    return CLUMP_OK;
}

/* Whether no two parts overlap. They are sorted. */
static bool are_apart(const clump_io_mcap *mcap)
{
    for (size_t i = 1; i < mcap->part_count; i++) {
        const clump_io_mcap_part *const before = &mcap->parts[i - 1];
        if (before->offset + before->size + before->index_size > mcap->parts[i].offset) return false;
    }
    return true;
}

static clump_status use_summary(clump_io_mcap *mcap, const unsigned char *bytes, size_t size, uint64_t start,
                                bool checked)
{
    bool good;
    /* Three passes, because a channel needs its schema, wherever that is. */
    CLUMP_IO_TRY(take_records(mcap, MCAP_SCHEMA, bytes, size, start, &good));
    if (good) CLUMP_IO_TRY(take_records(mcap, MCAP_CHANNEL, bytes, size, start, &good));
    if (good && checked) {
        CLUMP_IO_TRY(take_records(mcap, MCAP_CHUNK_INDEX, bytes, size, start, &good));
        clump_io_mcap_sort_parts(mcap);
        good = good && are_apart(mcap);
        if (!good) mcap->part_count = mcap->id_count = 0;
        mcap->trusted = mcap->part_count > 0;
    }
    if (!good)
        clump_io_lose(mcap->losses, &mcap->losses->lost_bytes, size,
                      "the index is damaged, the whole file is searched");
    return CLUMP_OK;
}

/* What the last bytes of a finished file say. */
typedef struct summary_footer {
    uint64_t at, start;
    uint32_t crc;
} summary_footer;

/* Reads the footer. *found false: the file does not end with one. */
static clump_status read_footer(clump_io_mcap *mcap, summary_footer *footer, bool *found)
{
    const clump_io_blob *const blob = mcap->blob;
    *found = false;
    if (blob->size < MCAP_MAGIC + SUMMARY_FOOTER + MCAP_MAGIC) return CLUMP_OK;
    footer->at = blob->size - MCAP_MAGIC - SUMMARY_FOOTER;
    const unsigned char *at;
    CLUMP_IO_TRY(clump_io_blob_at(blob, footer->at, SUMMARY_FOOTER + MCAP_MAGIC, &mcap->packed, &at));
    *found = at[0] == MCAP_FOOTER && clump_io_u64(at + 1) == 20 &&
             memcmp(at + SUMMARY_FOOTER, clump_io_mcap_magic, MCAP_MAGIC) == 0;
    footer->start = clump_io_u64(at + MCAP_HEAD);
    footer->crc = clump_io_u32(at + MCAP_HEAD + 16);
    return CLUMP_OK;
}

clump_status clump_io_mcap_summary(clump_io_mcap *mcap, uint64_t *end)
{
    summary_footer footer = {0};
    bool found;
    *end = mcap->blob->size;
    CLUMP_IO_TRY(read_footer(mcap, &footer, &found));
    if (!found) {
        mcap->losses->truncated = true;
        clump_io_lose(mcap->losses, NULL, 0, "the file has no footer: it is cut, or the recording was never finished");
        return CLUMP_OK;
    }
    *end = footer.at;
    if (footer.start == 0) return CLUMP_OK;
    if (footer.start < MCAP_MAGIC || footer.start > footer.at || footer.at - footer.start > SUMMARY_MOST) {
        clump_io_lose(mcap->losses, &mcap->losses->lost_bytes, SUMMARY_FOOTER,
                      "the footer is damaged, the whole file is searched");
        return CLUMP_OK;
    }
    const size_t size = (size_t)(footer.at - footer.start);
    const unsigned char *at;
    CLUMP_IO_TRY(clump_io_blob_at(mcap->blob, footer.start, size + SUMMARY_FOOTER, &mcap->packed, &at));
    if (footer.crc && clump_io_crc32(0, at, size + SUMMARY_FOOTER - 4) != footer.crc) {
        clump_io_lose(mcap->losses, &mcap->losses->lost_bytes, size,
                      "the index has a wrong checksum, the whole file is searched");
        return CLUMP_OK;
    }
    *end = footer.start;
    return use_summary(mcap, at, size, footer.start, footer.crc != 0);
}
