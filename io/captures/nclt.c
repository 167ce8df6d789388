/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nclt.c: velodyne_hits.bin of the NCLT data set: packets side by side, without an index. io/sensors/nclt_hits.h has the
 * layout. Behind damage, reading goes on at the next magic number.
 */
#include "containers/container.h"
#include "common/assert.h"
#include "sensors/nclt_hits.h"

#include <stdlib.h>
#include <string.h>

#define NCLT_WINDOW ((size_t)256 << 10) /* bytes that are read at a time */

typedef struct nclt_file {
    const clump_io_blob *blob;
    clump_io_losses *losses;
    uint64_t at;
    clump_io_bytes scratch; /* holds bytes [from, from + held) of the file */
    uint64_t from;
    size_t held;
    uint64_t counted; /* losses before this place have been counted: a seek does not count them again */
} nclt_file;

static bool sniff(const unsigned char *bytes, size_t size)
{
    return size >= CLUMP_IO_NCLT_HEADER && clump_io_nclt_begins(bytes);
}

static clump_status open_file(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    nclt_file *const file = calloc(1, sizeof *file);
    if (!file) return clump_io_no_memory(&blob->where, sizeof *file);
    *state = file;
    file->blob = blob;
    file->losses = losses;
    uint32_t topic;
    static const char name[] = "velodyne_hits", type[] = "NCLT velodyne_hits";
    return clump_io_topics_add(&blob->where, topics, name, sizeof name - 1, type, sizeof type - 1, CLUMP_IO_CODING_NCLT,
                               &topic);
}

static void close_file(void *state)
{
    nclt_file *const file = state;
    clump_io_bytes_release(&file->scratch);
    free(file);
}

/* Points *bytes to bytes of the file at the position. Reads a whole window where they are not in memory. */
static clump_status look(nclt_file *file, size_t size, const unsigned char **bytes)
{
    CLUMP_ASSERT(file->at <= file->blob->size && size <= file->blob->size - file->at);
    if (file->blob->memory) return clump_io_blob_at(file->blob, file->at, size, &file->scratch, bytes);
    if (file->at < file->from || file->at - file->from + size > file->held) {
        const uint64_t left = file->blob->size - file->at;
        const size_t window = left < NCLT_WINDOW ? (size_t)left : size > NCLT_WINDOW ? size : NCLT_WINDOW;
        const unsigned char *begin;
        file->held = 0;
        CLUMP_IO_TRY(clump_io_blob_at(file->blob, file->at, window, &file->scratch, &begin));
        file->from = file->at;
        file->held = window;
    }
    *bytes = file->scratch.data + (file->at - file->from);
    return CLUMP_OK;
}

/* Counts a loss once, also if a seek makes the file be read again. */
static void lose(nclt_file *file, uint64_t from, uint64_t to, bool end)
{
    if (to <= file->counted) return;
    file->counted = to;
    file->losses->lost_bytes += to - from;
    if (end) file->losses->truncated = true;
    clump_io_lose(file->losses, end ? NULL : &file->losses->damaged_chunks, 1,
                  end ? "the file ends within the packet at byte %llu" : "no packet begins at byte %llu",
                  (unsigned long long)from);
}

/* Goes to the next place where a packet begins. */
static clump_status find_packet(nclt_file *file)
{
    const uint64_t from = file->at;
    for (; file->blob->size - file->at >= CLUMP_IO_NCLT_HEADER; file->at++) {
        const unsigned char *bytes;
        CLUMP_IO_TRY(look(file, CLUMP_IO_NCLT_HEADER, &bytes));
        if (clump_io_nclt_begins(bytes)) break;
    }
    if (file->blob->size - file->at < CLUMP_IO_NCLT_HEADER) file->at = file->blob->size;
    if (file->at != from) lose(file, from, file->at, from + CLUMP_IO_NCLT_HEADER > file->blob->size);
    return CLUMP_OK;
}

static clump_status read_packet(nclt_file *file, clump_io_message *message, bool *more)
{
    *more = false;
    CLUMP_IO_TRY(find_packet(file));
    if (file->at >= file->blob->size) return CLUMP_OK;
    const unsigned char *bytes;
    CLUMP_IO_TRY(look(file, CLUMP_IO_NCLT_HEADER, &bytes));
    const size_t size = CLUMP_IO_NCLT_HEADER + (size_t)clump_io_nclt_count(bytes) * CLUMP_IO_NCLT_HIT;
    if (size > file->blob->size - file->at) {
        lose(file, file->at, file->blob->size, true);
        file->at = file->blob->size;
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(look(file, size, &bytes));
    CLUMP_ASSERT(clump_io_nclt_begins(bytes));
    *message = (clump_io_message){.received = clump_io_nclt_time(bytes, INT64_MAX), .bytes = bytes, .size = size};
    file->at += size;
    *more = true;
    return CLUMP_OK;
}

static clump_status next(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message, bool *more)
{
    *more = false;
    if (wanted && !(wanted_count && wanted[0])) return CLUMP_OK;
    return read_packet(state, message, more);
}

static clump_status seek(void *state, int64_t time)
{
    nclt_file *const file = state;
    file->at = 0;
    if (time == INT64_MIN) return CLUMP_OK;
    for (;;) {
        clump_io_message message;
        bool more;
        const uint64_t before = file->at;
        CLUMP_IO_TRY(read_packet(file, &message, &more));
        if (more && message.received < time) continue;
        if (more) file->at = before;
        return CLUMP_OK;
    }
}

const clump_io_container clump_io_container_nclt = {.format = CLUMP_RECORDING_NCLT,
                                                    .name = "nclt",
                                                    .sniff = sniff,
                                                    .open = open_file,
                                                    .next = next,
                                                    .seek = seek,
                                                    .close = close_file};
