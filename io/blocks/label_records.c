/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_records.c: see label_las.h.
 */
#include "blocks/label_las.h"
#include "blocks/laz_cache.h"

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

/* --- reading ------------------------------------------------------------------------------------ */

static clump_status read_window(const clump_io_source *source, const clump_io_block_file *file,
                                clump_io_label_records *r, uint64_t first)
{
    const uint64_t left = file->count - first;
    const size_t at_once = CLUMP_IO_BLOCK_WINDOW / file->record;
    const size_t count = left < at_once ? (size_t)left : at_once;
    CLUMP_IO_TRY(
        clump_io_block_make_room(&source->where, &r->memory.records, &r->memory.records_room, count * file->record));
    CLUMP_IO_TRY(
        clump_io_read(source, (size_t)(file->at + first * file->record), r->memory.records, count * file->record));
    r->first = first;
    r->count = count;
    return CLUMP_OK;
}

static clump_status read_chunk(const clump_io_source *source, const clump_io_block_file *file,
                               clump_io_label_records *r, uint64_t first)
{
    const size_t c = clump_io_laz_chunk_of(file->laz, first);
    CLUMP_IO_TRY(clump_io_laz_decode(file, c, source, CLUMP_IO_LAZ_ALL, &r->memory));
    r->first = file->laz->chunks[c].first;
    r->count = file->laz->chunks[c].count;
    return CLUMP_OK;
}

clump_status clump_io_label_read(clump_label_writer *writer, clump_io_block_file *file, clump_io_label_records *r,
                                 uint64_t first, size_t *count, const unsigned char **out)
{
    if (r->file != file || first < r->first || first - r->first >= r->count) {
        clump_io_stream stream = {.file = -1};
        const clump_io_source source = {
            .size = (size_t)file->stamp.size, .stream = &stream, .where = {file->path, &writer->why}};
        r->file = NULL;
        CLUMP_IO_TRY(clump_io_block_take_file(writer->reader, file, &source.where, &stream.file));
        const clump_status status =
            file->laz ? read_chunk(&source, file, r, first) : read_window(&source, file, r, first);
        clump_io_block_give_back(writer->reader, file);
        CLUMP_IO_TRY(status);
        r->file = file;
    }
    const size_t skip = (size_t)(first - r->first), left = r->count - skip;
    if (left < *count) *count = left;
    *out = r->memory.records + skip * file->record;
    return CLUMP_OK;
}

void clump_io_label_records_free(clump_io_label_records *r)
{
    free(r->memory.packed);
    free(r->memory.records);
    free(r->memory.codec);
}
