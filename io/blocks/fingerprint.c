/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fingerprint.c: a number that changes when a file changes, without reading all of it.
 *
 * Of every file: its size, the time of its last change, its first bytes and 64 parts at equal distances. Most changes
 * change the time; the parts find files that were copied over each other with their times.
 */
#include "blocks/blocks.h"

#include <stdlib.h>

enum { FINGERPRINT_PARTS = 64, FINGERPRINT_PART = 4096 /* bytes */ };

/* Mixes a word into the hash: the steps of MurmurHash3's finalizer, each of which is one to one. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 33;
}

static clump_status mix_part(const clump_io_source *source, uint64_t at, unsigned char *part, uint64_t *hash)
{
    const uint64_t left = source->size - at;
    const size_t size = left < FINGERPRINT_PART ? (size_t)left : FINGERPRINT_PART;
    memset(part, 0, FINGERPRINT_PART);
    CLUMP_IO_TRY(clump_io_read(source, (size_t)at, part, size));
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, part + i, sizeof word);
        *hash = mix(*hash, word);
    }
    return CLUMP_OK;
}

/* Mixes the bytes of a file into *hash, its time into *time. */
static clump_status mix_file(clump_reader *reader, clump_io_block_file *file, clump_message *message, uint64_t *hash,
                             uint64_t *time)
{
    unsigned char part[FINGERPRINT_PART];
    clump_io_stream stream = {.file = -1};
    const clump_io_source source = {
        .size = (size_t)file->stamp.size, .stream = &stream, .where = {file->path, message}};
    CLUMP_IO_TRY(clump_io_block_take_file(reader, file, &source.where, &stream.file));
    *hash = mix(*hash, file->stamp.size);
    *time = mix(mix(*time, (uint64_t)file->stamp.changed.tv_sec), (uint64_t)file->stamp.changed.tv_nsec);
    clump_status status = CLUMP_OK;
    for (uint64_t i = 0; i < FINGERPRINT_PARTS && status == CLUMP_OK && source.size; i++)
        status = mix_part(&source, source.size / FINGERPRINT_PARTS * i, part, hash);
    const uint64_t last = source.size > FINGERPRINT_PART ? source.size - FINGERPRINT_PART : 0;
    if (status == CLUMP_OK && source.size) status = mix_part(&source, last, part, hash);
    clump_io_block_give_back(reader, file);
    return status;
}

clump_status clump_reader_fingerprint(clump_reader *reader, uint64_t *fingerprint, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (!reader || !fingerprint)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_reader_fingerprint: reader or fingerprint is null");
    uint64_t hash = mix(0, reader->info.count), time = 0;
    for (size_t i = 0; i < reader->file_count; i++)
        CLUMP_IO_TRY(mix_file(reader, &reader->files[i], message, &hash, &time));
    *fingerprint = (hash & ~(uint64_t)UINT32_MAX) | time >> 32;
    return CLUMP_OK;
}
