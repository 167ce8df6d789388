/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcd.c: the points of a PCD file, ascii and binary. binary_compressed is in pcd_compressed.c.
 */
#include "formats/pcd.h"

#include "common/assert.h"

typedef struct reader {
    const clump_io_source *source;
    clump_io_pcd_header header;
    clump_cloud *cloud;
    size_t announced; /* points in the header, if header.points was reduced */
} reader;

/* --- binary --------------------------------------------------------------------------------- */

static clump_status check_binary(reader *r)
{
    const size_t record = r->header.table.record;
    CLUMP_ASSERT(record >= 1 && r->header.data_offset <= r->source->size);
    const size_t left = r->source->size - r->header.data_offset, fit = left / record;
    if (r->header.points > fit) {
        const clump_status status =
            clump_io_cut(r->source, r->cloud, fit, r->header.points,
                         "POINTS is %zu of %zu bytes each, but from byte %zu on there are %zu bytes for %zu points",
                         r->header.points, record, r->header.data_offset, left, fit);
        r->header.points = fit;
        return status;
    }
    clump_io_pcd_note_rest(r->source, r->header.data_offset + r->header.points * record, r->cloud);
    return CLUMP_OK;
}

/* --- ascii ---------------------------------------------------------------------------------- */

static clump_status bad_word(const reader *r, size_t line, const clump_io_column *c, const char *p, const char *end)
{
    const char *stop = p;
    while (stop < end && !clump_io_is_blank(*stop)) stop++;
    const clump_io_quoted text = clump_io_quote(p, (size_t)(stop - p));
    clump_io_number n;
    const bool number = clump_io_scan(p, end, &n) && n.end == stop;
    return CLUMP_IO_DAMAGED(
        r->source, number ? "line %zu: \"%s\" does not fit field %s" : "line %zu: \"%s\" is not a number (field %s)",
        line, text.text, clump_io_quote(c->name, c->name_size).text);
}

static clump_status read_line(const reader *r, size_t line, size_t point, const char *p, const char *end)
{
    CLUMP_ASSERT(point < r->header.points && p <= end);
    size_t words = 0;
    for (size_t i = 0; i < r->header.table.column_count; i++) {
        const clump_io_column *c = &r->header.table.columns[i];
        for (uint32_t k = 0; k < c->count; k++, words++) {
            while (p < end && clump_io_is_blank(*p)) p++;
            if (p == end)
                return CLUMP_IO_DAMAGED(r->source, "line %zu: %zu values instead of %zu", line, words,
                                        r->header.elements);
            if (!c->out) {
                while (p < end && !clump_io_is_blank(*p)) p++;
                continue;
            }
            clump_io_number n;
            if (!clump_io_scan(p, end, &n) || (n.end < end && !clump_io_is_blank(*n.end)) ||
                !clump_io_column_store(c, point, k, &n))
                return bad_word(r, line, c, p, end);
            p = n.end;
        }
    }
    while (p < end && clump_io_is_blank(*p)) p++;
    if (p < end) return CLUMP_IO_DAMAGED(r->source, "line %zu: more than %zu values", line, r->header.elements);
    return CLUMP_OK;
}

static bool is_empty(const char *p, const char *end)
{
    while (p < end && clump_io_is_blank(*p)) p++;
    return p == end;
}

static clump_status read_ascii(const reader *r)
{
    const char *p = (const char *)r->source->bytes + r->header.data_offset;
    const char *end = (const char *)r->source->bytes + r->source->size;
    size_t point = 0;
    for (size_t line = r->header.data_line; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        const bool endless = !stop;
        if (endless && r->source->partial && point < r->announced) break;
        if (!stop) stop = end;
        if (!is_empty(p, stop)) {
            if (point == r->header.points && point < r->announced)
                break; /* header.points is a bound from the size of the file */
            if (point == r->header.points) {
                clump_io_note(r->cloud, "line %zu and what follows come after the last point and are ignored", line);
                return CLUMP_OK;
            }
            const clump_status status = read_line(r, line, point, p, stop);
            if (status != CLUMP_OK && endless && point) clump_io_say_cut_line(r->source);
            if (status != CLUMP_OK) return status;
            point++;
            if (point % CLUMP_IO_STRETCH == 0) clump_io_report(&r->source->progress, point, r->header.points);
        }
        p = stop < end ? stop + 1 : end;
    }
    clump_io_cloud_shrink(r->cloud, point);
    if (point == r->announced) return CLUMP_OK;
    return clump_io_cut(r->source, r->cloud, point, r->announced, "POINTS is %zu, but the file ends after %zu",
                        r->announced, point);
}

/* Compares the count with the size of the file: a value takes at least two bytes, a digit and a space. */
static clump_status check_ascii(reader *r)
{
    CLUMP_ASSERT(r->header.elements >= 3);
    const size_t left = r->source->size - r->header.data_offset, fit = (left + 1) / 2 / r->header.elements;
    if (r->header.points <= fit) return CLUMP_OK;
    r->header.points = fit;
    return clump_io_cut(r->source, r->cloud, SIZE_MAX, r->announced,
                        "POINTS is %zu of %zu values each, more than the %zu bytes from line %zu on can hold",
                        r->announced, r->header.elements, left, r->header.data_line);
}

/* -------------------------------------------------------------------------------------------- */

static clump_status read_points(reader *r)
{
    if (r->header.data == CLUMP_IO_PCD_COMPRESSED) {
        r->cloud->info.encoding = CLUMP_ENCODING_COMPRESSED;
        return clump_io_pcd_read_compressed(r->source, &r->header, r->cloud);
    }
    const bool ascii = r->header.data == CLUMP_IO_PCD_ASCII;
    r->announced = r->header.points;
    r->cloud->info.encoding = ascii ? CLUMP_ENCODING_ASCII : CLUMP_ENCODING_BINARY;
    CLUMP_IO_TRY(ascii ? check_ascii(r) : check_binary(r));
    CLUMP_IO_TRY(clump_io_table_prepare(&r->source->where, &r->header.table, r->cloud, r->header.points));
    if (ascii) return read_ascii(r);
    return clump_io_table_read_all(&r->header.table, r->source, r->header.data_offset, r->header.points);
}

/* Reads the header from the bytes in memory if they include the line DATA, else from the whole file. */
static clump_status read_header(const clump_io_source *source, clump_io_pcd_header *header)
{
    const clump_io_source head = clump_io_head(source);
    if (head.size < source->size && clump_io_pcd_header_parse(&head, header) == CLUMP_OK) {
        if (header->data_offset < head.size && header->data == CLUMP_IO_PCD_BINARY) return CLUMP_OK;
        clump_io_pcd_header_free(header);
    }
    CLUMP_IO_TRY(clump_io_require_all(source));
    return clump_io_pcd_header_parse(source, header);
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    reader r = {.source = source, .cloud = cloud};
    CLUMP_IO_TRY(read_header(source, &r.header));
    const clump_status status = read_points(&r);
    clump_io_table_finish(&r.header.table, cloud);
    clump_cloud_set_shape(cloud, r.header.width, r.header.height, r.header.viewpoint);
    clump_io_pcd_header_free(&r.header);
    return status;
}

/* A header that the head of the file does not hold, or that is damaged, is left to parse(). */
static clump_status describe(const clump_io_source *source, clump_cloud *cloud, clump_io_records *records)
{
    *records = (clump_io_records){0};
    const clump_io_source head = clump_io_head(source);
    reader r = {.source = source, .cloud = cloud};
    if (clump_io_pcd_header_parse(&head, &r.header) != CLUMP_OK) return CLUMP_OK;
    const bool whole = head.size == source->size || r.header.data_offset < head.size;
    clump_status status = CLUMP_OK;
    if (whole && r.header.data == CLUMP_IO_PCD_BINARY) {
        r.announced = r.header.points;
        status = check_binary(&r);
        cloud->info.encoding = CLUMP_ENCODING_BINARY;
        cloud->info.width = r.header.width;
        cloud->info.height = r.header.height;
        memcpy(cloud->info.viewpoint, r.header.viewpoint, sizeof r.header.viewpoint);
        *records = (clump_io_records){.table = r.header.table, .at = r.header.data_offset, .count = r.header.points};
        r.header.table.columns = NULL;
    }
    clump_io_pcd_header_free(&r.header);
    return status;
}

const clump_io_format clump_io_format_pcd = {
    .format = CLUMP_FORMAT_PCD,
    .name = "pcd",
    .extensions = {"pcd"},
    .encodings = CLUMP_IO_PCD_ENCODINGS,
    .holds_points = true,
    .holds_fields = true,
    .holds_labels = true,
    .unsigned_labels = true,
    .sniff = clump_io_pcd_sniff,
    .streams = true,
    .parse = parse,
    .describe = describe,
    .write = clump_io_pcd_write,
};
