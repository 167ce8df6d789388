/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_records.c: see label_las.h.
 */
#include "blocks/label_las.h"
#include "common/assert.h"
#include "blocks/laz_cache.h"

#include <signal.h>
#include <stdlib.h>

static void add_span(clump_io_label_span *spans, size_t *count, size_t in, size_t out, size_t size)
{
    clump_io_label_span *last = *count ? &spans[*count - 1] : NULL;
    if (last && last->in + last->size == in && last->out + last->size == out)
        last->size += size;
    else
        spans[(*count)++] = (clump_io_label_span){in, out, size};
}

/* Parts are in the order of the slots they come from; a slot without a part is left out. */
clump_status clump_io_label_spans(const clump_io_where *where, const clump_io_las_layout *layout,
                                  const clump_io_las_plan *plan, clump_io_label_span **spans, size_t *count,
                                  size_t *label_at)
{
    *spans = malloc((layout->count + 1) * sizeof **spans);
    if (!*spans) return clump_io_no_memory(where, (layout->count + 1) * sizeof **spans);
    *count = 0;
    add_span(*spans, count, 0, 0, layout->base);
    size_t p = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const clump_io_las_slot *slot = &layout->slots[i], *to = &plan->parts[p].slot;
        if (p == plan->count || slot->extra != to->extra || slot->descriptor != to->descriptor ||
            strcmp(slot->name, to->name) != 0)
            continue;
        if (slot->extra) add_span(*spans, count, slot->offset, to->offset, slot->count * clump_type_size(slot->type));
        p++;
    }
    for (size_t i = 0; i < plan->count; i++)
        if (plan->parts[i].field) *label_at = plan->parts[i].slot.offset;
    return CLUMP_OK;
}

/* --- LAS ---------------------------------------------------------------------------------------- */

static clump_status read_window(const clump_io_source *source, const clump_io_block_file *file,
                                clump_io_label_records *r, uint64_t first)
{
    CLUMP_ASSERT(first < file->count && file->record >= 1 && file->record <= CLUMP_IO_BLOCK_WINDOW);
    const uint64_t left = file->count - first;
    const size_t at_once = CLUMP_IO_BLOCK_WINDOW / file->record;
    const size_t count = left < at_once ? (size_t)left : at_once;
    clump_io_block_memory *m = &r->chunks[0].memory;
    CLUMP_IO_TRY(clump_io_block_make_room(&source->where, &m->records, &m->records_room, count * file->record));
    CLUMP_IO_TRY(clump_io_read(source, (size_t)(file->at + first * file->record), m->records, count * file->record));
    r->first = first;
    r->count = count;
    r->bytes = m->records;
    return CLUMP_OK;
}

/* --- LAZ ---------------------------------------------------------------------------------------- */

/* What a thread does: it decodes one chunk. */
typedef struct label_task {
    const clump_io_block_file *file;
    const clump_io_source *source;
    size_t c;
    clump_io_label_chunk *chunk;
    pthread_t thread;
    bool started;
} label_task;

static void *decode(void *argument)
{
    const label_task *t = argument;
    clump_io_source source = *t->source;
    source.where.message = &t->chunk->why;
    t->chunk->status = clump_io_laz_decode(t->file, t->c, &source, CLUMP_IO_LAZ_ALL, &t->chunk->memory);
    return NULL;
}

/* Decodes the chunks from c on, one per thread. Signals of the process stay with the threads of the caller. */
static clump_status decode_batch(const clump_io_source *source, const clump_io_block_file *file,
                                 clump_io_label_records *r, size_t c)
{
    CLUMP_ASSERT(c < file->laz->chunk_count && r->chunk_room >= 1);
    const size_t left = file->laz->chunk_count - c, count = left < r->chunk_room ? left : r->chunk_room;
    label_task *tasks = calloc(count, sizeof *tasks);
    if (!tasks) return clump_io_no_memory(&source->where, count * sizeof *tasks);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 0; i < count; i++) {
        tasks[i] = (label_task){.file = file, .source = source, .c = c + i, .chunk = &r->chunks[i]};
        tasks[i].started = i > 0 && pthread_create(&tasks[i].thread, NULL, decode, &tasks[i]) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (size_t i = 0; i < count; i++)
        if (!tasks[i].started) decode(&tasks[i]);
    for (size_t i = 1; i < count; i++)
        if (tasks[i].started) pthread_join(tasks[i].thread, NULL);
    free(tasks);
    r->batch = c;
    r->batch_count = count;
    return CLUMP_OK;
}

/* Gives chunk c. decoded: it is in the batch. */
static clump_status read_chunk(const clump_io_source *source, const clump_io_block_file *file,
                               clump_io_label_records *r, size_t c, bool decoded)
{
    const clump_io_where *where = &source->where;
    if (!decoded) CLUMP_IO_TRY(decode_batch(source, file, r, c));
    CLUMP_ASSERT(c >= r->batch && c - r->batch < r->batch_count);
    const clump_io_label_chunk *chunk = &r->chunks[c - r->batch];
    if (chunk->status != CLUMP_OK && where->message) *where->message = chunk->why;
    r->first = file->laz->chunks[c].first;
    r->count = file->laz->chunks[c].count;
    r->bytes = chunk->memory.records;
    return chunk->status;
}

/* --- both --------------------------------------------------------------------------------------- */

/* Makes memory for a chunk per thread. */
static clump_status make_chunks(clump_label_writer *writer, const clump_io_block_file *file, clump_io_label_records *r)
{
    const size_t wanted = file->laz ? clump_io_laz_threads(file->laz, writer->options.threads) : 1;
    if (r->chunk_room >= wanted) return CLUMP_OK;
    clump_io_label_chunk *chunks = realloc(r->chunks, wanted * sizeof *chunks);
    if (!chunks) return clump_io_no_memory(&writer->where, wanted * sizeof *chunks);
    memset(chunks + r->chunk_room, 0, (wanted - r->chunk_room) * sizeof *chunks);
    r->chunks = chunks;
    r->chunk_room = wanted;
    return CLUMP_OK;
}

static clump_status read_more(clump_label_writer *writer, clump_io_block_file *file, clump_io_label_records *r,
                              uint64_t first)
{
    const size_t c = file->laz ? clump_io_laz_chunk_of(file->laz, first) : 0;
    const bool decoded = file->laz && r->file == file && c >= r->batch && c - r->batch < r->batch_count;
    clump_io_stream stream = {.file = -1};
    const clump_io_source source = {
        .size = (size_t)file->stamp.size, .stream = &stream, .where = {file->path, &writer->why}};
    clump_status status;
    r->file = NULL;
    CLUMP_IO_TRY(make_chunks(writer, file, r));
    if (decoded) {
        status = read_chunk(&source, file, r, c, true);
    } else {
        CLUMP_IO_TRY(clump_io_block_take_file(writer->reader, file, &source.where, &stream.file));
        status = file->laz ? read_chunk(&source, file, r, c, false) : read_window(&source, file, r, first);
        clump_io_block_give_back(writer->reader, file);
    }
    if (status == CLUMP_OK) r->file = file;
    return status;
}

clump_status clump_io_label_read(clump_label_writer *writer, clump_io_block_file *file, clump_io_label_records *r,
                                 uint64_t first, size_t *count, const unsigned char **out)
{
    if (r->file != file || first < r->first || first - r->first >= r->count)
        CLUMP_IO_TRY(read_more(writer, file, r, first));
    CLUMP_ASSERT(r->first <= first && first - r->first < r->count);
    const size_t skip = (size_t)(first - r->first), left = r->count - skip;
    if (left < *count) *count = left;
    *out = r->bytes + skip * file->record;
    return CLUMP_OK;
}

void clump_io_label_records_free(clump_io_label_records *r)
{
    for (size_t i = 0; i < r->chunk_room; i++) {
        free(r->chunks[i].memory.packed);
        free(r->chunks[i].memory.records);
        free(r->chunks[i].memory.codec);
    }
    free(r->chunks);
}
