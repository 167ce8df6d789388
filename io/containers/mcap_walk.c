/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap_walk.c: goes through an MCAP file from record to record and lists its parts.
 *
 * The walk reads heads, not chunks. It jumps over parts that the summary has listed. Where a record makes no sense, it goes
 * on at the next listed chunk, or at the next bytes that look like the head of a chunk.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/mcap.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALK_LOOSE = 1 << 20,  /* bytes of messages that make one part outside of chunks: as much as a usual chunk */
    WALK_SEARCH = 1 << 16, /* bytes that are searched at once for a chunk */
};

typedef struct walk {
    clump_io_mcap *mcap;
    uint64_t at, end;
    size_t known, known_count; /* parts of the summary, by offset */
    bool finished;             /* DataEnd or Footer has been seen */
    unsigned before;           /* opcode of the record before, and its part */
    size_t part;
} walk;

clump_status clump_io_mcap_part_add(clump_io_mcap *mcap, clump_io_mcap_part **part)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&mcap->blob->where, &mcap->parts, &mcap->part_capacity, mcap->part_count + 1,
                                       sizeof *mcap->parts));
    CLUMP_ASSERT(mcap->part_count < mcap->part_capacity);
    *part = &mcap->parts[mcap->part_count++];
    **part = (clump_io_mcap_part){.channels_from = mcap->id_count};
    return CLUMP_OK;
}

clump_status clump_io_mcap_id_add(clump_io_mcap *mcap, clump_io_mcap_part *part, unsigned id)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&mcap->blob->where, &mcap->ids, &mcap->id_capacity, mcap->id_count + 1,
                                       sizeof *mcap->ids));
    CLUMP_ASSERT(mcap->id_count < mcap->id_capacity && id <= UINT16_MAX);
    mcap->ids[mcap->id_count++] = (uint16_t)id;
    part->channels++;
    return CLUMP_OK;
}

static int by_offset(const void *a, const void *b)
{
    const clump_io_mcap_part *const p = a, *const q = b;
    return (p->offset > q->offset) - (p->offset < q->offset);
}

void clump_io_mcap_sort_parts(clump_io_mcap *mcap)
{
    if (mcap->part_count > 1) qsort(mcap->parts, mcap->part_count, sizeof *mcap->parts, by_offset);
}

/* Returns where the next listed part begins, or where the data ends. */
static uint64_t barrier(const walk *w)
{
    return w->known < w->known_count ? w->mcap->parts[w->known].offset : w->end;
}

/* Whether these bytes begin a whole chunk, as far as its head tells. `room`: bytes up to the end of the file. */
static bool is_chunk(const unsigned char *at, size_t size, uint64_t room)
{
    if (size < MCAP_HEAD + MCAP_CHUNK_HEAD + 4 || at[0] != MCAP_CHUNK) return false;
    const uint64_t length = clump_io_u64(at + 1);
    if (length < MCAP_CHUNK_HEAD || room < MCAP_HEAD || length > room - MCAP_HEAD) return false;
    const unsigned char *const body = at + MCAP_HEAD;
    const size_t name = clump_io_u32(body + 28);
    if (name > 4 || clump_io_packing_of(body + 32, name) == CLUMP_IO_PACKING_UNKNOWN) return false;
    if (clump_io_u64(body) > clump_io_u64(body + 8)) return false;
    return clump_io_u64(body + 32 + name) <= length - MCAP_CHUNK_HEAD - name;
}

/* Finds the next chunk at or behind `from`; *at is w->end if there is none. */
static clump_status find_chunk(walk *w, uint64_t from, uint64_t *at)
{
    const size_t head = MCAP_HEAD + MCAP_CHUNK_HEAD + 4;
    while (from < w->end && w->end - from >= head) {
        const size_t size = w->end - from < WALK_SEARCH ? (size_t)(w->end - from) : WALK_SEARCH;
        const unsigned char *bytes;
        CLUMP_IO_TRY(clump_io_window_at(&w->mcap->window, from, size, &bytes));
        for (size_t i = 0; i + head <= size; i++) {
            const unsigned char *const six = memchr(bytes + i, MCAP_CHUNK, size - head - i + 1);
            if (!six) break;
            i = (size_t)(six - bytes);
            *at = from + i;
            if (is_chunk(six, size - i, w->end - *at)) return CLUMP_OK;
        }
        from += size - head + 1;
    }
    *at = w->end;
    return CLUMP_OK;
}

/* Goes on behind a record that makes no sense. */
static clump_status skip_damage(walk *w, const char *what)
{
    uint64_t next = barrier(w);
    if (!w->mcap->trusted) CLUMP_IO_TRY(find_chunk(w, w->at + 1, &next));
    clump_io_lose(w->mcap->losses, &w->mcap->losses->lost_bytes, next - w->at, "record at byte %llu: %s",
                  (unsigned long long)w->at, what);
    w->at = next;
    w->before = 0;
    return CLUMP_OK;
}

/* Adds a message outside of chunks to the part before, if that is one too. */
static clump_status add_message(walk *w, uint64_t size)
{
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&w->mcap->window, w->at, MCAP_HEAD + MCAP_MESSAGE_HEAD, &head));
    const int64_t time = clump_io_mcap_time(head + MCAP_HEAD + 6);
    if (w->before == MCAP_MESSAGE && w->mcap->parts[w->part].size + size <= WALK_LOOSE) {
        clump_io_mcap_part *const part = &w->mcap->parts[w->part];
        part->size += size;
        if (time < part->start) part->start = time;
        if (time > part->end) part->end = time;
        return CLUMP_OK;
    }
    clump_io_mcap_part *part = NULL;
    CLUMP_IO_TRY(clump_io_mcap_part_add(w->mcap, &part));
    part->offset = w->at;
    part->size = size;
    part->start = part->end = time;
    part->loose = true;
    w->part = w->mcap->part_count - 1;
    return CLUMP_OK;
}

static clump_status add_chunk(walk *w, uint64_t size)
{
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&w->mcap->window, w->at, MCAP_HEAD + 16, &head));
    clump_io_mcap_part *part = NULL;
    CLUMP_IO_TRY(clump_io_mcap_part_add(w->mcap, &part));
    part->offset = w->at;
    part->size = size;
    part->start = clump_io_mcap_time(head + MCAP_HEAD);
    part->end = clump_io_mcap_time(head + MCAP_HEAD + 8);
    part->index_at = w->at + size;
    w->part = w->mcap->part_count - 1;
    return CLUMP_OK;
}

/* Adds a MessageIndex to its chunk. */
static clump_status add_index(walk *w, uint64_t size)
{
    clump_io_mcap_part *const part = &w->mcap->parts[w->part];
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&w->mcap->window, w->at, MCAP_HEAD + 2, &head));
    part->index_size += size;
    return clump_io_mcap_id_add(w->mcap, part, clump_io_u16(head + MCAP_HEAD));
}

static clump_status add_name(walk *w, unsigned opcode, size_t size, bool *good)
{
    const unsigned char *record;
    CLUMP_IO_TRY(clump_io_window_at(&w->mcap->window, w->at, size, &record));
    if (opcode == MCAP_SCHEMA) return clump_io_mcap_schema_add(w->mcap, record + MCAP_HEAD, size - MCAP_HEAD, good);
    return clump_io_mcap_channel_add(w->mcap, record + MCAP_HEAD, size - MCAP_HEAD, good);
}

/* Takes a record that is whole. `size` includes its head. */
static clump_status take_record(walk *w, unsigned opcode, uint64_t size)
{
    const uint64_t body = size - MCAP_HEAD;
    bool good = true;
    if (opcode == MCAP_MESSAGE && (good = body >= MCAP_MESSAGE_HEAD)) CLUMP_IO_TRY(add_message(w, size));
    if (opcode == MCAP_CHUNK && (good = body >= MCAP_CHUNK_HEAD)) CLUMP_IO_TRY(add_chunk(w, size));
    if (opcode == MCAP_MESSAGE_INDEX && body >= 2 && w->before == MCAP_CHUNK) {
        CLUMP_IO_TRY(add_index(w, size));
        opcode = MCAP_CHUNK; /* the next index belongs to the chunk too */
    }
    if (opcode == MCAP_SCHEMA || opcode == MCAP_CHANNEL) CLUMP_IO_TRY(add_name(w, opcode, (size_t)size, &good));
    if (!good) return skip_damage(w, "it is damaged");
    w->finished = opcode == MCAP_DATA_END || opcode == MCAP_FOOTER;
    w->before = opcode;
    w->at += size;
    return CLUMP_OK;
}

/* A record that goes beyond the end. If no chunk follows, the file is cut here. */
static clump_status end_inside(walk *w, unsigned opcode)
{
    uint64_t next = w->end;
    if (!w->mcap->trusted) CLUMP_IO_TRY(find_chunk(w, w->at + 1, &next));
    if (w->mcap->trusted || next != w->end) return skip_damage(w, "its length is wrong");
    if (opcode == MCAP_CHUNK && w->end - w->at > MCAP_HEAD + MCAP_CHUNK_HEAD) {
        CLUMP_IO_TRY(add_chunk(w, w->end - w->at));
        w->mcap->parts[w->part].cut = true;
    }
    w->mcap->losses->truncated = true;
    clump_io_lose(w->mcap->losses, &w->mcap->losses->lost_bytes, w->end - w->at,
                  "the file ends inside the record at byte %llu", (unsigned long long)w->at);
    w->at = w->end;
    return CLUMP_OK;
}

static clump_status step(walk *w)
{
    const uint64_t room = barrier(w) - w->at;
    if (room == 0) {
        CLUMP_ASSERT(w->known < w->mcap->part_count);
        const clump_io_mcap_part *const part = &w->mcap->parts[w->known++];
        w->at += part->size + part->index_size;
        w->before = 0;
        return CLUMP_OK;
    }
    if (room < MCAP_HEAD) return w->known < w->known_count ? skip_damage(w, "it is damaged") : end_inside(w, 0);
    const unsigned char *head;
    CLUMP_IO_TRY(clump_io_window_at(&w->mcap->window, w->at, MCAP_HEAD, &head));
    const unsigned opcode = head[0];
    const uint64_t length = clump_io_u64(head + 1);
    if (opcode == 0) return skip_damage(w, "it is damaged");
    if (length > room - MCAP_HEAD) return end_inside(w, opcode);
    return take_record(w, opcode, MCAP_HEAD + length);
}

clump_status clump_io_mcap_walk(clump_io_mcap *mcap, uint64_t end)
{
    walk w = {.mcap = mcap, .at = MCAP_MAGIC, .end = end, .known_count = mcap->part_count};
    while (w.at < end && !w.finished) CLUMP_IO_TRY(step(&w));
    if (mcap->part_count > w.known_count && w.known_count) clump_io_mcap_sort_parts(mcap);
    return CLUMP_OK;
}
