/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ply.c: the points of a PLY file. They are the entries of the element "vertex", wherever it stands.
 *
 *     header | edge edge edge | vertex vertex vertex ... | face face face ...
 *              skipped          read                       ignored
 *
 * In ascii, an entry is a line. In binary, it is its values side by side. Elements without lists are
 * records: they are skipped in one step, or read as a table. Elements with lists are read value by value,
 * since only the counts of the lists tell where the next entry begins.
 */
#include "formats/ply.h"

#include "common/assert.h"

typedef struct reader {
    const clump_io_source *source;
    clump_io_ply_header header;
    clump_cloud *cloud;
    size_t announced; /* points in the header, if the element's count was reduced */
} reader;

static bool is_vertex(const reader *r, const clump_io_ply_element *e)
{
    return e == &r->header.elements[r->header.vertex];
}

/* Returns what messages call the entries of an element. */
static const char *entries(const reader *r, const clump_io_ply_element *e)
{
    return is_vertex(r, e) ? "points" : "entries";
}

static clump_io_quoted name_of(const clump_io_ply_element *e)
{
    return clump_io_quote(e->name, e->name_size);
}

/* Returns the columns of an element; null for elements other than the vertex, which are skipped. */
static const clump_io_column *columns_of(const reader *r, const clump_io_ply_element *e)
{
    return is_vertex(r, e) ? r->header.table.columns : NULL;
}

/* Whether elements with entries follow the points. They are not read. Notes if the `left` bytes are too few for them,
 * since the file is then truncated. */
static bool more_follows(const reader *r, size_t left)
{
    CLUMP_ASSERT(r->header.vertex < r->header.element_count);
    const bool ascii = r->header.encoding == CLUMP_ENCODING_ASCII;
    bool more = false;
    for (size_t i = r->header.vertex + 1; i < r->header.element_count; i++) {
        const clump_io_ply_element *e = &r->header.elements[i];
        const size_t least = ascii ? 2 * e->property_count : e->bytes;
        if (!e->count || !least) continue;
        more = true;
        if (e->count > (left + ascii) / least) { /* the last value of a text needs no space */
            clump_io_note(r->cloud, "the file ends before element %s does", name_of(e).text);
            break;
        }
        left -= e->count * least <= left ? e->count * least : left;
    }
    return more;
}

/* --- binary --------------------------------------------------------------------------------- */

/* Compares the count with the size of the file. e->bytes is the size of an entry, or with lists its minimum. */
static clump_status check_binary(const reader *r, clump_io_ply_element *e, size_t at)
{
    CLUMP_ASSERT(at <= r->source->size);
    static const char sentence[] =
        "element %s: %zu %s of %s%zu bytes each, but from byte %zu on there are %zu bytes for %zu %s";
    const size_t left = r->source->size - at, fit = e->bytes ? left / e->bytes : SIZE_MAX;
    if (e->count <= fit) return CLUMP_OK;
    const char *least = e->lists ? "at least " : "";
    if (!is_vertex(r, e))
        return CLUMP_IO_TRUNCATED(r->source, sentence, name_of(e).text, e->count, entries(r, e), least, e->bytes, at,
                                  left, fit, entries(r, e));
    e->count = fit;
    return clump_io_cut(r->source, r->cloud, e->lists ? SIZE_MAX : fit, r->announced, sentence, name_of(e).text,
                        r->announced, entries(r, e), least, e->bytes, at, left, fit, entries(r, e));
}

/* Reads the count of a list; false: it is negative. */
static bool list_count(const reader *r, clump_type type, const unsigned char *in, uint64_t *count)
{
    const size_t size = clump_type_size(type);
    CLUMP_ASSERT(size >= 1 && size <= 8);
    unsigned char bytes[8] = {0};
    for (size_t b = 0; b < size; b++) bytes[r->header.table.swapped ? size - 1 - b : b] = in[b];
    memcpy(count, bytes, sizeof bytes);
    const bool is_signed =
        type == CLUMP_TYPE_I8 || type == CLUMP_TYPE_I16 || type == CLUMP_TYPE_I32 || type == CLUMP_TYPE_I64;
    return !(is_signed && *count >> (8 * size - 1));
}

static clump_status cut_short(const reader *r, const clump_io_ply_element *e, size_t entry, size_t at)
{
    static const char sentence[] = "element %s: %zu %s, but the file ends in number %zu, which begins at byte %zu";
    if (!is_vertex(r, e))
        return CLUMP_IO_TRUNCATED(r->source, sentence, name_of(e).text, e->count, entries(r, e), entry + 1, at);
    clump_io_cloud_shrink(r->cloud, entry);
    return clump_io_cut(r->source, r->cloud, entry, r->announced, sentence, name_of(e).text, r->announced,
                        entries(r, e), entry + 1, at);
}

/* Reads the entry at byte *at and moves *at behind it. With the option partial, an entry that is cut leaves *at
 * unchanged and is no failure. */
static clump_status walk_entry(const reader *r, const clump_io_ply_element *e, size_t entry, size_t *at)
{
    CLUMP_ASSERT(entry < e->count && *at <= r->source->size);
    const clump_io_column *columns = columns_of(r, e);
    size_t p = *at;
    for (size_t i = 0; i < e->property_count; i++) {
        const clump_io_ply_property *property = &r->header.properties[e->first + i];
        const size_t size = clump_type_size(property->type);
        uint64_t values = 1;
        if (property->list) {
            const size_t count_size = clump_type_size(property->count_type);
            if (r->source->size - p < count_size) return cut_short(r, e, entry, *at);
            if (!list_count(r, property->count_type, r->source->bytes + p, &values))
                return CLUMP_IO_DAMAGED(r->source, "byte %zu: element %s: the count of list %s is negative", p,
                                        name_of(e).text, clump_io_quote(property->name, property->name_size).text);
            p += count_size;
        }
        if (values > (r->source->size - p) / size) return cut_short(r, e, entry, *at);
        if (columns) clump_io_column_read(&r->header.table, &columns[i], r->source->bytes + p, 0, entry, 1);
        p += (size_t)values * size;
    }
    *at = p;
    return CLUMP_OK;
}

/* Reads all entries of an element with lists. Such entries have at least one byte, so the loop is bounded by the file.
 * */
static clump_status walk(const reader *r, const clump_io_ply_element *e, size_t *at)
{
    for (size_t entry = 0; entry < e->count; entry++) {
        const size_t begin = *at;
        const clump_status status = walk_entry(r, e, entry, at);
        if (status != CLUMP_OK || *at == begin) return status;
        if ((entry + 1) % CLUMP_IO_STRETCH == 0 && columns_of(r, e))
            clump_io_report(&r->source->progress, entry + 1, e->count);
    }
    return CLUMP_OK;
}

static clump_status read_binary(reader *r)
{
    size_t at = r->header.data_offset;
    for (size_t i = 0; i <= r->header.vertex; i++) {
        clump_io_ply_element *e = &r->header.elements[i];
        const bool points = i == r->header.vertex;
        CLUMP_IO_TRY(check_binary(r, e, at));
        if (points) CLUMP_IO_TRY(clump_io_table_prepare(&r->source->where, &r->header.table, r->cloud, e->count));
        if (e->lists) {
            CLUMP_IO_TRY(walk(r, e, &at));
            continue;
        }
        if (points) CLUMP_IO_TRY(clump_io_table_read_all(&r->header.table, r->source, at, e->count));
        at += e->count * e->bytes;
    }
    const size_t left = r->source->size - at;
    if (r->cloud->count < r->announced) return CLUMP_OK;
    if (!more_follows(r, left) && left) clump_io_note(r->cloud, "%zu bytes after the last point are ignored", left);
    return CLUMP_OK;
}

/* --- ascii ---------------------------------------------------------------------------------- */

typedef struct text {
    const char *p, *end;      /* what is still to be read */
    const char *begin, *stop; /* the line read last */
    size_t line;              /* its number */
} text;

/* Moves to the next line that is not blank; false: there is none. */
static bool next_line(const reader *r, text *t)
{
    while (t->p < t->end) {
        const char *stop = memchr(t->p, r->header.newline, (size_t)(t->end - t->p));
        t->begin = t->p;
        t->stop = stop ? stop : t->end;
        t->p = stop ? stop + 1 : t->end;
        t->line++;
        for (const char *c = t->begin; c < t->stop; c++)
            if (!clump_io_is_blank(*c)) return true;
    }
    return false;
}

static clump_status bad_word(const reader *r, const text *t, const clump_io_ply_property *property, bool is_count,
                             const char *p)
{
    const char *stop = p;
    while (stop < t->stop && !clump_io_is_blank(*stop)) stop++;
    const clump_io_quoted shown = clump_io_quote(p, (size_t)(stop - p));
    clump_io_number n;
    const bool number = clump_io_scan(p, t->stop, &n) && n.end == stop;
    return CLUMP_IO_DAMAGED(r->source,
                            is_count ? "line %zu: \"%s\" is no count (list %s)"
                            : number ? "line %zu: \"%s\" does not fit property %s"
                                     : "line %zu: \"%s\" is not a number (property %s)",
                            t->line, shown.text, clump_io_quote(property->name, property->name_size).text);
}

static clump_status too_few(const reader *r, const text *t, const clump_io_ply_element *e, size_t words)
{
    if (e->lists)
        return CLUMP_IO_DAMAGED(r->source, "line %zu: %zu values are too few for element %s", t->line, words,
                                name_of(e).text);
    return CLUMP_IO_DAMAGED(r->source, "line %zu: %zu values instead of %zu", t->line, words, e->property_count);
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && clump_io_is_blank(*p)) p++;
    return p;
}

/* Reads the word at p as a number. False: it is no number. */
static bool scan_word(const char *p, const char *end, clump_io_number *number)
{
    return clump_io_scan(p, end, number) && (number->end == end || clump_io_is_blank(*number->end));
}

/* Reads the values of one entry. Values that are skipped may be any words, but must be present. */
static clump_status read_line(const reader *r, const text *t, const clump_io_ply_element *e, size_t entry)
{
    CLUMP_ASSERT(t->begin <= t->stop && t->stop <= t->p && t->p <= t->end);
    const clump_io_column *columns = columns_of(r, e);
    const char *p = t->begin, *end = t->stop;
    size_t words = 0;
    clump_io_number n;
    for (size_t i = 0; i < e->property_count; i++) {
        const clump_io_ply_property *property = &r->header.properties[e->first + i];
        uint64_t values = 1;
        if (property->list) {
            p = skip_blanks(p, end);
            if (p == end) return too_few(r, t, e, words);
            if (!scan_word(p, end, &n) || !clump_io_to_unsigned(&n, UINT64_MAX, &values))
                return bad_word(r, t, property, true, p);
            p = n.end;
            words++;
        }
        for (; values; values--, words++) {
            p = skip_blanks(p, end);
            if (p == end) return too_few(r, t, e, words);
            if (!columns || !columns[i].out) {
                while (p < end && !clump_io_is_blank(*p)) p++;
                continue;
            }
            if (!scan_word(p, end, &n) || !clump_io_column_store(&columns[i], entry, 0, &n))
                return bad_word(r, t, property, false, p);
            p = n.end;
        }
    }
    if (skip_blanks(p, end) == end) return CLUMP_OK;
    return CLUMP_IO_DAMAGED(r->source, "line %zu: more than %zu values", t->line, words);
}

/* Compares the count with the size of the file: a value takes at least two bytes, a digit and a space. */
static clump_status check_ascii(const reader *r, const text *t, clump_io_ply_element *e)
{
    CLUMP_ASSERT(e->property_count >= 1 && t->p <= t->end);
    static const char sentence[] =
        "element %s: %zu %s of %s%zu values each, more than the %zu bytes from line %zu on can hold";
    const size_t left = (size_t)(t->end - t->p), fit = (left + 1) / 2 / e->property_count, count = e->count;
    if (count <= fit) return CLUMP_OK;
    const char *least = e->lists ? "at least " : "";
    if (!is_vertex(r, e))
        return CLUMP_IO_TRUNCATED(r->source, sentence, name_of(e).text, count, entries(r, e), least, e->property_count,
                                  left, t->line + 1);
    e->count = fit;
    return clump_io_cut(r->source, r->cloud, SIZE_MAX, r->announced, sentence, name_of(e).text, count, entries(r, e),
                        least, e->property_count, left, t->line + 1);
}

/* Reports that the lines end early. Only the vertex element can be read in part. */
static clump_status lines_end(const reader *r, const clump_io_ply_element *e, size_t entry)
{
    static const char sentence[] = "element %s: %zu %s, but the file ends after %zu";
    if (!is_vertex(r, e))
        return CLUMP_IO_TRUNCATED(r->source, sentence, name_of(e).text, e->count, entries(r, e), entry);
    clump_io_cloud_shrink(r->cloud, entry);
    return clump_io_cut(r->source, r->cloud, entry, r->announced, sentence, name_of(e).text, r->announced,
                        entries(r, e), entry);
}

static clump_status read_lines(const reader *r, text *t, const clump_io_ply_element *e)
{
    const bool partial = r->source->partial && is_vertex(r, e);
    for (size_t entry = 0; entry < (partial ? r->announced : e->count); entry++) {
        /* e->count is a bound from the size of the file. */
        if (entry == e->count || !next_line(r, t)) return lines_end(r, e, entry);
        const bool endless = t->stop == t->end;
        if (partial && endless) return lines_end(r, e, entry);
        const clump_status status = read_line(r, t, e, entry);
        if (status != CLUMP_OK && endless && entry && is_vertex(r, e)) clump_io_say_cut_line(r->source);
        if (status != CLUMP_OK) return status;
        if ((entry + 1) % CLUMP_IO_STRETCH == 0 && columns_of(r, e))
            clump_io_report(&r->source->progress, entry + 1, e->count);
    }
    return CLUMP_OK;
}

static clump_status read_ascii(reader *r)
{
    text t = {.p = (const char *)r->source->bytes + r->header.data_offset, .line = r->header.data_line - 1};
    t.end = (const char *)r->source->bytes + r->source->size;
    for (size_t i = 0; i <= r->header.vertex; i++) {
        clump_io_ply_element *e = &r->header.elements[i];
        if (e->property_count == 0) continue; /* its entries are blank lines, which are skipped */
        CLUMP_IO_TRY(check_ascii(r, &t, e));
        if (i == r->header.vertex)
            CLUMP_IO_TRY(clump_io_table_prepare(&r->source->where, &r->header.table, r->cloud, e->count));
        CLUMP_IO_TRY(read_lines(r, &t, e));
    }
    if (r->cloud->count < r->announced) return CLUMP_OK;
    if (!more_follows(r, (size_t)(t.end - t.p)) && next_line(r, &t))
        clump_io_note(r->cloud, "line %zu and what follows come after the last point and are ignored", t.line);
    return CLUMP_OK;
}

/* -------------------------------------------------------------------------------------------- */

static void note_properties(const reader *r)
{
    const clump_io_ply_element *vertex = &r->header.elements[r->header.vertex];
    for (size_t i = 0; i < vertex->property_count; i++) {
        const clump_io_ply_property *p = &r->header.properties[vertex->first + i];
        if (p->list)
            clump_io_note(r->cloud, "property %s is a list and was left out",
                          clump_io_quote(p->name, p->name_size).text);
    }
    if (r->header.flat) clump_io_note(r->cloud, "the points have no z, it is 0");
}

/* Whether the file is binary without lists, up to the end of the points. */
static bool is_table(const clump_io_ply_header *header)
{
    bool lists = header->encoding == CLUMP_ENCODING_ASCII;
    for (size_t i = 0; i <= header->vertex; i++) lists = lists || header->elements[i].lists;
    return !lists;
}

/* Reads the header from the bytes in memory if they include the line end_header, else from the whole file. */
static clump_status read_header(const clump_io_source *source, clump_io_ply_header *header)
{
    const clump_io_source head = clump_io_head(source);
    if (head.size < source->size) {
        const clump_status status = clump_io_ply_header_parse(&head, header);
        if (status == CLUMP_OK && header->data_offset < head.size && is_table(header)) return CLUMP_OK;
        clump_io_ply_header_free(header);
    }
    CLUMP_IO_TRY(clump_io_require_all(source));
    return clump_io_ply_header_parse(source, header);
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    reader r = {.source = source, .cloud = cloud};
    clump_status status = read_header(source, &r.header);
    if (status == CLUMP_OK) {
        cloud->info.encoding = r.header.encoding;
        r.announced = r.header.elements[r.header.vertex].count;
        note_properties(&r);
        status = r.header.encoding == CLUMP_ENCODING_ASCII ? read_ascii(&r) : read_binary(&r);
        clump_io_table_finish(&r.header.table, cloud);
        cloud->rest = r.header.comments;
        r.header.comments = NULL;
    }
    clump_io_ply_header_free(&r.header);
    return status;
}

/* Finds the points of a binary file without lists. */
static clump_status describe_table(reader *r, clump_io_records *records)
{
    size_t at = r->header.data_offset;
    r->announced = r->header.elements[r->header.vertex].count;
    for (size_t i = 0; i < r->header.vertex; i++) {
        CLUMP_IO_TRY(check_binary(r, &r->header.elements[i], at));
        at += r->header.elements[i].count * r->header.elements[i].bytes;
    }
    clump_io_ply_element *points = &r->header.elements[r->header.vertex];
    CLUMP_IO_TRY(check_binary(r, points, at));
    r->cloud->info.encoding = r->header.encoding;
    r->cloud->rest = r->header.comments;
    *records = (clump_io_records){.table = r->header.table, .at = at, .count = points->count};
    r->header.comments = NULL;
    r->header.table.columns = NULL;
    return CLUMP_OK;
}

/* A header that the head of the file does not hold, or that is damaged, is left to parse(). */
static clump_status describe(const clump_io_source *source, clump_cloud *cloud, clump_io_records *records)
{
    *records = (clump_io_records){0};
    const clump_io_source head = clump_io_head(source);
    reader r = {.source = source, .cloud = cloud};
    clump_status status = CLUMP_OK;
    const bool sound = clump_io_ply_header_parse(&head, &r.header) == CLUMP_OK;
    if (sound && is_table(&r.header) && (head.size == source->size || r.header.data_offset < head.size))
        status = describe_table(&r, records);
    clump_io_ply_header_free(&r.header);
    return status;
}

const clump_io_format clump_io_format_ply = {
    .format = CLUMP_FORMAT_PLY,
    .name = "ply",
    .extensions = {"ply"},
    .encodings = CLUMP_IO_ASCII | CLUMP_IO_BINARY | CLUMP_IO_BIG_ENDIAN,
    .holds_points = true,
    .holds_fields = true,
    .holds_labels = true,
    .unsigned_labels = true,
    .sniff = clump_io_ply_sniff,
    .streams = true,
    .parse = parse,
    .describe = describe,
    .write = clump_io_ply_write,
};
