/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.c: clump_reader, block by block; the public functions.
 */
#include "blocks/laz_cache.h"

#include "common/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READER_COOKIE 0x72646532u

clump_reader_options clump_reader_defaults(void)
{
    return (clump_reader_options){.cookie = READER_COOKIE};
}

static clump_status open_files(clump_reader *reader, const char *const *paths, size_t count,
                               const clump_reader_options *options, const clump_io_where *where)
{
    reader->columns = options->columns ? strdup(options->columns) : NULL;
    if (options->columns && !reader->columns) return clump_io_no_memory(where, strlen(options->columns));
    CLUMP_IO_TRY(clump_io_block_inputs(where, paths, count, reader));
    for (size_t i = 0; i < reader->file_count; i++)
        CLUMP_IO_TRY(clump_io_block_describe(reader, options, &reader->files[i], where->message));
    return clump_io_block_agree(reader, options->whole, where->message);
}

clump_status clump_reader_open(const char *const *paths, size_t count, const clump_reader_options *options,
                               clump_reader **out, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    const clump_reader_options defaults = clump_reader_defaults();
    if (message) message->text[0] = 0;
    if (out) *out = NULL;
    if (!paths || !count || !out)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_reader_open: there are no paths, or out is null");
    if (!options) options = &defaults;
    if (options->cookie != READER_COOKIE)
        return clump_io_fail(&where, CLUMP_ERR_OPTIONS, "the options were not made by clump_reader_defaults()");
    if (!(options->step >= 0) || !isfinite(options->step))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "a step of %g is not 0 or above", options->step);
    clump_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return clump_io_no_memory(&where, sizeof *reader);
    reader->rounding = options->step;
    reader->has_ids = options->class_fields != NULL;
    pthread_mutex_init(&reader->lock, NULL); /* these never fail on Linux */
    pthread_cond_init(&reader->decoded, NULL);
    const clump_status status = open_files(reader, paths, count, options, &where);
    if (status == CLUMP_OK)
        *out = reader;
    else
        clump_reader_close(reader);
    return status;
}

void clump_reader_close(clump_reader *reader)
{
    if (!reader) return;
    for (size_t i = 0; i < reader->file_count; i++) {
        clump_io_block_file *f = &reader->files[i];
        if (f->file >= 0) close(f->file);
        free(f->path);
        free(f->held);
        free(f->held_classes);
        free(f->held_ids);
        clump_io_laz_close(f->laz);
    }
    free(reader->files);
    free(reader->columns);
    clump_io_laz_cache_free(reader);
    pthread_cond_destroy(&reader->decoded);
    pthread_mutex_destroy(&reader->lock);
    free(reader);
}

clump_reader_info clump_reader_describe(const clump_reader *reader)
{
    return reader ? reader->info : (clump_reader_info){0};
}

bool clump_reader_file(const clump_reader *reader, size_t file, const char **path, clump_format *format,
                       uint64_t *first)
{
    if (!reader || file >= reader->file_count) return false;
    if (path) *path = reader->files[file].path;
    if (format) *format = reader->files[file].format;
    if (first) *first = reader->files[file].first;
    return true;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static clump_status make_memory(const clump_io_where *where, bool has_ids, clump_io_block_memory **out)
{
    const size_t bytes = CLUMP_BLOCK_POINTS * 27 + CLUMP_IO_BLOCK_WINDOW;
    clump_io_block_memory *m = calloc(1, sizeof *m);
    *out = m;
    if (!m) return clump_io_no_memory(where, sizeof *m);
    m->xyz = malloc(3 * CLUMP_BLOCK_POINTS * sizeof(double));
    m->classes = malloc(CLUMP_BLOCK_POINTS);
    m->window = malloc(CLUMP_IO_BLOCK_WINDOW);
    if (has_ids) m->ids = malloc(CLUMP_BLOCK_POINTS * sizeof *m->ids);
    return m->xyz && m->classes && m->window && (m->ids || !has_ids) ? CLUMP_OK : clump_io_no_memory(where, bytes);
}

void clump_block_release(clump_block *block)
{
    clump_io_block_memory *m = block ? block->memory : NULL;
    if (m) {
        free(m->xyz);
        free(m->classes);
        free(m->ids);
        free(m->window);
        free(m->wide);
        free(m->packed);
        free(m->records);
        free(m->codec);
        free(m);
    }
    if (block) *block = (clump_block){0};
}

/* Reads the points of a block from the files that have them. */
static clump_status read_block(clump_reader *reader, uint64_t first, size_t count, clump_io_block_memory *memory,
                               clump_message *message)
{
    size_t file = clump_io_block_file_of(reader, first);
    for (size_t done = 0; done < count; file++) {
        clump_io_block_file *f = &reader->files[file];
        CLUMP_ASSERT(file < reader->file_count && first + done >= f->first && first + done - f->first <= f->count);
        const uint64_t from = first + done - f->first, left = f->count - from;
        const size_t now = left < count - done ? (size_t)left : count - done;
        if (now) CLUMP_IO_TRY(clump_io_block_read(reader, f, from, now, memory, done, message));
        done += now;
    }
    return CLUMP_OK;
}

clump_status clump_reader_block(clump_reader *reader, uint64_t b, clump_block *block, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (!reader || !block)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_reader_block: reader or block is null");
    const clump_reader_info *info = &reader->info;
    if (b >= info->blocks)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "there is no block %llu, the last is %llu",
                             (unsigned long long)b, (unsigned long long)info->blocks - 1);
    clump_io_block_memory *memory = block->memory;
    *block = (clump_block){.first = b * CLUMP_BLOCK_POINTS, .memory = memory};
    clump_status status = CLUMP_OK;
    if (!memory) {
        status = make_memory(&where, reader->has_ids, &memory);
        block->memory = memory;
    }
    if (memory) memset(memory->moved, 0, sizeof memory->moved);
    CLUMP_ASSERT(block->first < info->count);
    const uint64_t left = info->count - block->first;
    const size_t count = left < CLUMP_BLOCK_POINTS ? (size_t)left : CLUMP_BLOCK_POINTS;
    if (status == CLUMP_OK) status = read_block(reader, block->first, count, memory, message);
    if (status != CLUMP_OK) {
        clump_block_release(block);
        return status;
    }
    block->count = count;
    if (info->coordinates == CLUMP_COORDINATES_FLOAT) block->floats = memory->xyz;
    if (info->coordinates == CLUMP_COORDINATES_DOUBLE) block->doubles = memory->xyz;
    if (info->coordinates == CLUMP_COORDINATES_STEPS) block->steps = memory->xyz;
    if (reader->rounds) block->doubles = memory->wide;
    memcpy(block->moved, memory->moved, sizeof block->moved);
    if (info->has_class) block->classes = memory->classes;
    block->ids = memory->ids;
    return CLUMP_OK;
}
