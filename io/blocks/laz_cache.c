/* SPDX-License-Identifier: BSD-3-Clause
 *
 * laz_cache.c: see laz_cache.h.
 *
 * A slot holds one chunk. A thread that needs a chunk which another thread is decoding waits for that thread. Threads never
 * wait while they decode, so the waiting ends. Slots that have served all their points are used again first, then those that
 * were used the longest time ago.
 */
#include "blocks/laz_cache.h"
#include "common/assert.h"
#include "format.h"

#include <stdlib.h>

/* Slots without a user that stay. With blocks in any order, every thread leaves two half-served chunks behind. */
enum { LAZ_CACHE_SLOTS = 16 };

/* Chunks have 50,000 points as a rule, and some 100,000 in COPC. */
#define LAZ_CACHE_LARGEST ((size_t)1 << 22) /* points */

clump_status clump_io_block_open_laz(const clump_io_where *where, size_t record, clump_io_block_file *file)
{
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open(where, file->path, &stream));
    const clump_io_source source = {.bytes = stream.data, .size = stream.size, .stream = &stream, .where = *where};
    clump_status status = clump_io_laz_open(&source, record, &file->laz);
    clump_io_stream_close(&stream);
    if (status == CLUMP_OK && file->laz->largest > LAZ_CACHE_LARGEST)
        status = clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                               "a chunk has %zu points; LAZ is read in blocks with chunks of at most %zu",
                               file->laz->largest, LAZ_CACHE_LARGEST);
    return status;
}

size_t clump_io_laz_chunk_of(const clump_io_laz *laz, uint64_t point)
{
    size_t low = 0, high = laz->chunk_count;
    while (high - low > 1) { /* chunks[low].first <= point */
        const size_t middle = low + (high - low) / 2;
        if (laz->chunks[middle].first <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- slots ------------------------------------------------------------------------------------ */

/* Returns the slot of the chunk, or null. */
static clump_io_laz_slot *find_slot(const clump_reader *reader, const clump_io_block_file *file, size_t c)
{
    CLUMP_ASSERT(c < file->laz->chunk_count);
    for (size_t i = 0; i < reader->slot_count; i++) {
        clump_io_laz_slot *s = reader->slots[i];
        if (s->file == file && s->chunk == c) return s;
    }
    return NULL;
}

/* Returns a slot that can be used again: an empty one, or where there are enough, the one to be missed least. Null: none. */
static clump_io_laz_slot *spare_slot(const clump_reader *reader)
{
    clump_io_laz_slot *oldest = NULL;
    size_t idle = 0;
    for (size_t i = 0; i < reader->slot_count; i++) {
        clump_io_laz_slot *s = reader->slots[i];
        if (s->users) continue;
        if (!s->file) return s;
        idle++;
        if (!oldest || s->last_used < oldest->last_used) oldest = s;
    }
    return idle >= LAZ_CACHE_SLOTS || (oldest && !oldest->last_used) ? oldest : NULL;
}

/* Makes a slot for the chunk; the calling thread has to decode it. */
static clump_status make_slot(clump_reader *reader, const clump_io_block_file *file, size_t c,
                              const clump_io_where *where, clump_io_laz_slot **out)
{
    clump_io_laz_slot *s = spare_slot(reader);
    if (!s) {
        CLUMP_IO_TRY(clump_io_list_reserve(where, &reader->slots, &reader->slot_capacity, reader->slot_count + 1,
                                           sizeof *reader->slots));
        s = calloc(1, sizeof *s);
        if (!s) return clump_io_no_memory(where, sizeof *s);
        CLUMP_ASSERT(reader->slot_count < reader->slot_capacity);
        reader->slots[reader->slot_count++] = s;
    }
    free(s->points);
    *s = (clump_io_laz_slot){.file = file, .chunk = c, .users = 1};
    *out = s;
    return CLUMP_OK;
}

void clump_io_laz_cache_free(clump_reader *reader)
{
    for (size_t i = 0; i < reader->slot_count; i++) {
        free(reader->slots[i]->points);
        free(reader->slots[i]);
    }
    free(reader->slots);
}

/* --- decoding --------------------------------------------------------------------------------- */

clump_status clump_io_block_make_room(const clump_io_where *where, unsigned char **memory, size_t *room, size_t size)
{
    if (*room >= size) return CLUMP_OK;
    free(*memory);
    *memory = malloc(size);
    *room = *memory ? size : 0;
    return *memory ? CLUMP_OK : clump_io_no_memory(where, size);
}

clump_status clump_io_laz_decode(const clump_io_block_file *file, size_t c, const clump_io_source *source,
                                 unsigned wanted, clump_io_block_memory *m)
{
    CLUMP_ASSERT(c < file->laz->chunk_count);
    const clump_io_laz_chunk *chunk = &file->laz->chunks[c];
    const clump_io_where *where = &source->where;
    CLUMP_IO_TRY(clump_io_block_make_room(where, &m->packed, &m->packed_room, chunk->size));
    CLUMP_IO_TRY(clump_io_block_make_room(where, &m->records, &m->records_room, chunk->count * file->record));
    CLUMP_IO_TRY(clump_io_block_make_room(where, &m->codec, &m->codec_room, clump_io_laz_memory(file->laz)));
    CLUMP_IO_TRY(clump_io_read(source, chunk->at, m->packed, chunk->size));
    return clump_io_laz_decode_chunk(file->laz, c, m->packed, m->codec, wanted, m->records, where);
}

static clump_status take_points(const clump_io_where *where, const clump_io_block_file *file, size_t c,
                                const unsigned char *records, clump_io_laz_point *points)
{
    const clump_io_laz_chunk *chunk = &file->laz->chunks[c];
    for (size_t i = 0; i < chunk->count; i++, records += file->record) {
        memcpy(points[i].steps, records, sizeof points[i].steps);
        points[i].class = clump_io_block_las_class(file, records);
        if (file->ids.there)
            CLUMP_IO_TRY(
                clump_io_block_id(where, file, records + file->ids.column.offset, chunk->first + i, &points[i].id));
    }
    return CLUMP_OK;
}

static clump_status decode(const clump_io_block_file *file, size_t c, const clump_io_source *source,
                           clump_io_block_memory *m, clump_io_laz_point **out)
{
    CLUMP_ASSERT(c < file->laz->chunk_count);
    const size_t count = file->laz->chunks[c].count;
    const bool others = file->ids.there && file->ids.column.offset != file->classes.column.offset;
    CLUMP_IO_TRY(clump_io_laz_decode(file, c, source, others ? CLUMP_IO_LAZ_ALL : CLUMP_IO_LAZ_CLASSES, m));
    *out = malloc(count * sizeof **out);
    if (!*out) return clump_io_no_memory(&source->where, count * sizeof **out);
    const clump_status status = take_points(&source->where, file, c, m->records, *out);
    if (status != CLUMP_OK) free(*out), *out = NULL;
    return status;
}

clump_status clump_io_laz_cache_take(clump_reader *reader, const clump_io_block_file *file, size_t c,
                                     const clump_io_source *source, clump_io_block_memory *memory,
                                     clump_io_laz_slot **slot)
{
    pthread_mutex_lock(&reader->lock);
    clump_io_laz_slot *s = find_slot(reader, file, c);
    while (s && !s->points) { /* decoded by another thread; if that fails, this thread tries */
        pthread_cond_wait(&reader->decoded, &reader->lock);
        s = find_slot(reader, file, c);
    }
    const bool there = s != NULL;
    if (there) s->users++;
    clump_status status = there ? CLUMP_OK : make_slot(reader, file, c, &source->where, &s);
    pthread_mutex_unlock(&reader->lock);
    *slot = s;
    if (there || status != CLUMP_OK) return status;

    clump_io_laz_point *points = NULL;
    status = decode(file, c, source, memory, &points);
    pthread_mutex_lock(&reader->lock);
    s->points = points;
    if (status != CLUMP_OK) *s = (clump_io_laz_slot){0};
    pthread_cond_broadcast(&reader->decoded);
    pthread_mutex_unlock(&reader->lock);
    return status;
}

void clump_io_laz_cache_give_back(clump_reader *reader, clump_io_laz_slot *slot, size_t served)
{
    pthread_mutex_lock(&reader->lock);
    slot->users--;
    slot->served += served;
    slot->last_used = slot->served >= slot->file->laz->chunks[slot->chunk].count ? 0 : ++reader->clock;
    pthread_mutex_unlock(&reader->lock);
}
