/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_writer.c: LAS and LAZ files of point format 0, written block by block in bounded memory.
 *
 * The header is made of the records that came, and written last. A pipe gets it first, from the extent that the caller gives.
 */
#include "las/las.h"
#include "common/assert.h"
#include "las/laz_sink.h"

#include <stdlib.h>

#define LAS_WRITER_COOKIE 0x63736c61u

enum { LAS_WRITER_RECORD = 20, LAS_WRITER_RETURNS = 14 }; /* bytes of a record; the byte with the return number */

struct clump_las_writer {
    clump_io_target target;
    clump_io_sink sink;
    clump_io_laz_sink *laz; /* null: the records are not compressed */
    clump_io_las_header header;
    clump_io_las_summary summary; /* of the records that came */
    bool announced;               /* the header was written first */
    clump_las_extent extent;      /* what it says */
    clump_message problem;        /* of the compression */
    char name[];                  /* for messages */
};

clump_las_writer_options clump_las_writer_defaults(void)
{
    return (clump_las_writer_options){.cookie = LAS_WRITER_COOKIE, .scale = 0.001, .threads = 1};
}

/* Writes the header of the file as it is now known. */
static void make_head(const clump_las_writer *w, unsigned char head[CLUMP_IO_LAS_SIZE_1_4])
{
    CLUMP_ASSERT(w->header.size == CLUMP_IO_LAS_SIZE_1_4 && w->header.record == LAS_WRITER_RECORD);
    clump_io_las_fill_header(&w->header, head, false);
    clump_io_las_put(head, CLUMP_IO_LAS_POINTS, CLUMP_IO_LAS_SIZE_1_4, 4);
    clump_io_las_put(head, CLUMP_IO_LAS_RECORD, LAS_WRITER_RECORD, 2);
    clump_io_las_put_bounds(&w->header, &w->summary, head);
    clump_io_las_put_returns(&w->header, &w->summary, head);
}

static clump_status check_open(const clump_io_where *where, const clump_las_writer_options *o, clump_las_writer **out)
{
    if (!where->name || !out)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "clump_las_writer_open: path or out is null");
    if (o->cookie != LAS_WRITER_COOKIE)
        return clump_io_fail(where, CLUMP_ERR_OPTIONS, "the options were not made by clump_las_writer_defaults()");
    if (!(o->scale > 0) || !(o->scale < 1e9))
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "the scale %g is not above 0 and below 10^9", o->scale);
    for (int a = 0; a < 3; a++)
        if (!(o->offset[a] > -1e15 && o->offset[a] < 1e15))
            return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "the offset %g is not between -10^15 and 10^15",
                                 o->offset[a]);
    return CLUMP_OK;
}

/* Returns the status of the compression, and hands its message on. */
static clump_status tell(const clump_io_where *where, const clump_las_writer *w, clump_status status)
{
    if (status != CLUMP_OK && where->message) *where->message = w->problem;
    return status;
}

/* Begins the file. */
static clump_status begin(const clump_io_where *where, clump_las_writer *w, const clump_las_writer_options *o,
                          bool compressed)
{
    w->header = (clump_io_las_header){.minor = 4, .size = CLUMP_IO_LAS_SIZE_1_4, .record = LAS_WRITER_RECORD};
    for (int a = 0; a < 3; a++) w->header.scale[a] = o->scale, w->header.offset[a] = o->offset[a];
    clump_io_las_summary_begin(&w->summary);
    if (!clump_io_sink_open(&w->sink, w->target.file)) return clump_io_no_memory(where, w->sink.capacity);
    w->announced = !compressed && !clump_io_sink_patches(&w->sink);
    if (w->announced && !o->extent)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the header of a LAS file is written last, which a pipe does not allow");
    if (w->announced) {
        w->extent = *o->extent;
        w->header.count = o->extent->points;
        memcpy(w->summary.lower, o->extent->lower, sizeof w->summary.lower);
        memcpy(w->summary.upper, o->extent->upper, sizeof w->summary.upper);
        w->summary.returns[1] = o->extent->points;
    }
    unsigned char head[CLUMP_IO_LAS_SIZE_1_4];
    make_head(w, head);
    const clump_io_where kept = {w->name, &w->problem}; /* the compression keeps it */
    if (compressed)
        return tell(where, w, clump_io_laz_sink_open(&kept, &w->sink, head, sizeof head, o->threads, &w->laz));
    clump_io_put(&w->sink, head, sizeof head);
    return CLUMP_OK;
}

clump_status clump_las_writer_open(const char *path, const clump_las_writer_options *options, clump_las_writer **out,
                                   clump_message *message)
{
    const clump_las_writer_options defaults = clump_las_writer_defaults(), *const o = options ? options : &defaults;
    const clump_io_where where = {path && clump_io_is_dash(path) ? "standard output" : path, message};
    if (message) message->text[0] = 0;
    if (out) *out = NULL;
    CLUMP_IO_TRY(check_open(&where, o, out));
    const clump_format format = o->format == CLUMP_FORMAT_GUESS ? clump_format_of_path(path) : o->format;
    if (format != CLUMP_FORMAT_LAS && format != CLUMP_FORMAT_LAZ)
        return clump_io_fail(&where, CLUMP_ERR_IO_UNSUPPORTED, "the file to write is neither .las nor .laz");
    clump_las_writer *const w = calloc(1, sizeof *w + strlen(where.name) + 1);
    if (!w) return clump_io_no_memory(&where, sizeof *w);
    strcpy(w->name, where.name);
    clump_status status = clump_io_target_open(&where, path, o->temporary, o->temporary_user, &w->target);
    if (status != CLUMP_OK) {
        free(w);
        return status;
    }
    status = begin(&where, w, o, format == CLUMP_FORMAT_LAZ);
    if (status == CLUMP_OK)
        *out = w;
    else
        clump_las_writer_close(w, false, NULL);
    return status;
}

/* Adds what the header says of the records. */
static void summarize(clump_io_las_summary *summary, const unsigned char *records, size_t count)
{
    int32_t steps[3 * CLUMP_IO_LAS_RECORDS];
    uint8_t returns[CLUMP_IO_LAS_RECORDS];
    for (size_t first = 0; first < count; first += CLUMP_IO_LAS_RECORDS) {
        const size_t now = count - first < CLUMP_IO_LAS_RECORDS ? count - first : CLUMP_IO_LAS_RECORDS;
        const unsigned char *record = records + first * LAS_WRITER_RECORD;
        for (size_t i = 0; i < now; i++, record += LAS_WRITER_RECORD) {
            memcpy(steps + 3 * i, record, 12);
            returns[i] = record[LAS_WRITER_RETURNS] & 7;
        }
        clump_io_las_summary_steps(summary, steps, now);
        clump_io_las_summary_returns(summary, returns, now);
    }
}

clump_status clump_las_writer_add(clump_las_writer *writer, const void *records, size_t count, clump_message *message)
{
    if (message) message->text[0] = 0;
    const clump_io_where where = {writer ? writer->name : NULL, message};
    if (!writer || (!records && count))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_las_writer_add: writer or records is null");
    CLUMP_ASSERT(!writer->announced || !writer->laz);
    if (!writer->announced) {
        summarize(&writer->summary, records, count);
        writer->header.count += count;
    } else if (count > writer->extent.points) {
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "more points came than the header announces");
    } else {
        writer->extent.points -= count;
    }
    if (writer->laz)
        CLUMP_IO_TRY(tell(&where, writer, clump_io_laz_sink_add(writer->laz, records, count)));
    else
        clump_io_put(&writer->sink, records, count * LAS_WRITER_RECORD);
    if (!writer->sink.error) return CLUMP_OK;
    return clump_io_fail_errno(&where, CLUMP_ERR_IO_WRITE, "cannot write", writer->sink.error);
}

/* Completes the contents of the file. */
static clump_status complete(const clump_io_where *where, clump_las_writer *w)
{
    if (w->announced && w->extent.points)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "%llu of the points that the header announces are missing",
                             (unsigned long long)w->extent.points);
    unsigned char head[CLUMP_IO_LAS_SIZE_1_4];
    make_head(w, head);
    if (w->laz) {
        clump_io_laz_sink *const laz = w->laz;
        w->laz = NULL;
        return tell(where, w, clump_io_laz_sink_close(laz, head, NULL, 0));
    }
    if (!w->announced) clump_io_sink_patch(&w->sink, 0, head, sizeof head);
    return CLUMP_OK;
}

clump_status clump_las_writer_close(clump_las_writer *writer, bool keep, clump_message *message)
{
    if (message) message->text[0] = 0;
    if (!writer) return CLUMP_OK;
    const clump_io_where where = {writer->name, message};
    const clump_status completed = keep ? complete(&where, writer) : CLUMP_OK;
    clump_io_laz_sink_abandon(writer->laz);
    if (writer->sink.buffer) clump_io_sink_close(&writer->sink);
    keep = keep && completed == CLUMP_OK;
    /* A failed call must not replace its message by that of the target. */
    const clump_io_where commit = {writer->name, keep ? message : NULL};
    const clump_status committed = clump_io_target_commit(&commit, &writer->target, keep ? writer->sink.error : -1);
    free(writer);
    return completed != CLUMP_OK ? completed : keep ? committed : CLUMP_OK;
}
