/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ply_header.c: the header of a PLY file.
 *
 *     ply
 *     format binary_little_endian 1.0              or ascii, binary_big_endian
 *     comment made by hand                         these two anywhere; they are kept
 *     obj_info so was this
 *     element vertex 307200                        a name and a count; the points are "vertex"
 *     property float x                             belongs to the element above
 *     property list uchar int neighbours           a list: type of its count, type of its values
 *     element face 0
 *     property list uchar int vertex_indices
 *     end_header                                   the last line; the elements follow in this order
 *
 * Lines end with LF or CR LF, or with CR alone. The first line decides for all: in a file of CR lines, an
 * LF byte behind end_header is data.
 *
 * Counts are only read here; ply.c compares them with the size of the file.
 */
#include "formats/ply.h"
#include "common/assert.h"
#include "formats/words.h"

#include <stdlib.h>

typedef struct parser {
    const clump_io_source *source;
    clump_io_ply_header *header;
    const char *p, *end; /* what is still to be read */
    size_t number;       /* of the line read last */
    size_t comment_bytes;
} parser;

/* Returns the rest of a line, without surrounding blanks. */
static clump_io_word rest_of(const char *p, const char *end)
{
    while (p < end && clump_io_is_blank(*p)) p++;
    while (end > p && clump_io_is_blank(end[-1])) end--;
    return (clump_io_word){p, (size_t)(end - p)};
}

static clump_io_quoted quote(clump_io_word w)
{
    return clump_io_quote(w.text, w.size);
}

static clump_io_line next_line(parser *r)
{
    r->number++;
    return clump_io_next_line(&r->p, r->end, r->header->newline, r->number);
}

/* Returns the character that ends the line "ply"; 0: the file begins differently. */
static char first_line_end(const unsigned char *bytes, size_t size)
{
    if (size < 4 || memcmp(bytes, "ply", 3) != 0) return 0;
    size_t i = 3;
    while (i < size && (bytes[i] == ' ' || bytes[i] == '\t')) i++;
    if (i == size || (bytes[i] != '\r' && bytes[i] != '\n')) return 0;
    return bytes[i] == '\r' && (i + 1 == size || bytes[i + 1] != '\n') ? '\r' : '\n';
}

bool clump_io_ply_sniff(const unsigned char *bytes, size_t size)
{
    return first_line_end(bytes, size) != 0;
}

/* Returns the array with room for one more entry; null: no memory. */
static void *grow(void *array, size_t count, size_t size)
{
    CLUMP_ASSERT(size >= 1);
    if (count & (count - 1)) return array; /* it grew at the last power of two */
    size_t bytes;
    return clump_io_multiply(count ? 2 * count : 1, size, &bytes) ? realloc(array, bytes) : NULL;
}

/* --- lines ---------------------------------------------------------------------------------- */

/* int64 and uint64 are not in the definition, but some programs write them. */
static bool find_type(clump_io_word w, clump_type *type)
{
    static const struct {
        const char *name;
        clump_type type;
    } known[] = {{"char", CLUMP_TYPE_I8},     {"int8", CLUMP_TYPE_I8},    {"uchar", CLUMP_TYPE_U8},
                 {"uint8", CLUMP_TYPE_U8},    {"short", CLUMP_TYPE_I16},  {"int16", CLUMP_TYPE_I16},
                 {"ushort", CLUMP_TYPE_U16},  {"uint16", CLUMP_TYPE_U16}, {"int", CLUMP_TYPE_I32},
                 {"int32", CLUMP_TYPE_I32},   {"uint", CLUMP_TYPE_U32},   {"uint32", CLUMP_TYPE_U32},
                 {"int64", CLUMP_TYPE_I64},   {"uint64", CLUMP_TYPE_U64}, {"float", CLUMP_TYPE_F32},
                 {"float32", CLUMP_TYPE_F32}, {"double", CLUMP_TYPE_F64}, {"float64", CLUMP_TYPE_F64}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!clump_io_word_is(w, known[i].name)) continue;
        *type = known[i].type;
        return true;
    }
    return false;
}

static clump_status read_type(const parser *r, clump_io_line *l, clump_type *type)
{
    const clump_io_word w = clump_io_next_word(&l->begin, l->end);
    if (find_type(w, type)) return CLUMP_OK;
    if (!w.size) return CLUMP_IO_DAMAGED(r->source, "header line %zu: a property without a type", l->number);
    return CLUMP_IO_UNSUPPORTED(r->source, "header line %zu: property type \"%s\" is not known", l->number,
                                quote(w).text);
}

static clump_status read_format(const parser *r, clump_io_line l)
{
    static const struct {
        const char *name;
        clump_encoding encoding;
    } known[] = {{"ascii", CLUMP_ENCODING_ASCII},
                 {"binary_little_endian", CLUMP_ENCODING_BINARY},
                 {"binary_big_endian", CLUMP_ENCODING_BIG_ENDIAN}};
    if (r->header->encoding != CLUMP_ENCODING_DEFAULT)
        return CLUMP_IO_DAMAGED(r->source, "header line %zu: a second format", l.number);
    const clump_io_word name = clump_io_next_word(&l.begin, l.end), version = clump_io_next_word(&l.begin, l.end);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (clump_io_word_is(name, known[i].name)) r->header->encoding = known[i].encoding;
    if (r->header->encoding == CLUMP_ENCODING_DEFAULT)
        return CLUMP_IO_DAMAGED(
            r->source, "header line %zu: format \"%s\" is not ascii, binary_little_endian or binary_big_endian",
            l.number, quote(name).text);
    if (!clump_io_word_is(version, "1.0"))
        return CLUMP_IO_UNSUPPORTED(r->source, "header line %zu: version \"%s\" is not 1.0", l.number,
                                    quote(version).text);
    return CLUMP_OK;
}

static clump_status read_element(parser *r, clump_io_line l)
{
    clump_io_ply_header *h = r->header;
    const clump_io_word name = clump_io_next_word(&l.begin, l.end), count = rest_of(l.begin, l.end);
    const clump_io_quoted shown = quote(name);
    clump_io_number number;
    if (!name.size) return CLUMP_IO_DAMAGED(r->source, "header line %zu: an element without a name", l.number);
    if (!count.size || !clump_io_scan(count.text, l.end, &number) || number.end != count.text + count.size ||
        !number.integer || number.negative)
        return CLUMP_IO_DAMAGED(r->source, "header line %zu: the count of element %s is not a number", l.number,
                                shown.text);
    uint64_t entries;
    if (!clump_io_to_unsigned(&number, SIZE_MAX, &entries))
        return CLUMP_IO_DAMAGED(r->source, "header line %zu: %s entries of element %s are too many", l.number,
                                quote(count).text, shown.text);
    if (clump_io_word_is(name, "vertex")) {
        if (h->vertex != SIZE_MAX)
            return CLUMP_IO_DAMAGED(r->source, "header line %zu: a second element vertex", l.number);
        h->vertex = h->element_count;
    }
    clump_io_ply_element *grown = grow(h->elements, h->element_count, sizeof *grown);
    if (!grown) return clump_io_no_memory(&r->source->where, 2 * h->element_count * sizeof *grown);
    h->elements = grown;
    grown[h->element_count++] = (clump_io_ply_element){
        .name = name.text, .name_size = name.size, .line = l.number, .count = entries, .first = h->property_count};
    return CLUMP_OK;
}

/* A name may have blanks in it: it is the last thing on its line. */
static clump_status read_property(parser *r, clump_io_line l)
{
    clump_io_ply_header *h = r->header;
    if (!h->element_count)
        return CLUMP_IO_DAMAGED(r->source, "header line %zu: a property before any element", l.number);
    clump_io_ply_property property = {.line = l.number};
    const char *after = l.begin;
    property.list = clump_io_word_is(clump_io_next_word(&after, l.end), "list");
    if (property.list) {
        l.begin = after;
        CLUMP_IO_TRY(read_type(r, &l, &property.count_type));
        if (property.count_type >= CLUMP_TYPE_F32)
            return CLUMP_IO_DAMAGED(r->source, "header line %zu: the count of a list is no integer", l.number);
    }
    CLUMP_IO_TRY(read_type(r, &l, &property.type));
    const clump_io_word name = rest_of(l.begin, l.end);
    if (!name.size) return CLUMP_IO_DAMAGED(r->source, "header line %zu: a property without a name", l.number);
    property.name = name.text;
    property.name_size = name.size;
    clump_io_ply_property *grown = grow(h->properties, h->property_count, sizeof *grown);
    if (!grown) return clump_io_no_memory(&r->source->where, 2 * h->property_count * sizeof *grown);
    h->properties = grown;
    grown[h->property_count++] = property;
    clump_io_ply_element *element = &h->elements[h->element_count - 1];
    element->property_count++;
    element->bytes += clump_type_size(property.list ? property.count_type : property.type);
    element->lists |= property.list;
    return CLUMP_OK;
}

static bool is_comment(clump_io_word keyword)
{
    return clump_io_word_is(keyword, "comment") || clump_io_word_is(keyword, "obj_info");
}

/* Returns the part of a comment that is kept for writing. The size of a range_grid is dropped: without that element,
 * it would not match the points. */
static clump_io_word kept_of(clump_io_word keyword, const char *end)
{
    const char *p = keyword.text + keyword.size;
    const clump_io_word first = clump_io_next_word(&p, end);
    const bool grid = clump_io_word_is(keyword, "obj_info") &&
                      (clump_io_word_is(first, "num_cols") || clump_io_word_is(first, "num_rows"));
    return is_comment(keyword) && !grid ? rest_of(keyword.text, end) : (clump_io_word){end, 0};
}

static clump_status read_lines(parser *r)
{
    while (r->p < r->end) {
        clump_io_line l = next_line(r);
        const clump_io_word keyword = clump_io_next_word(&l.begin, l.end);
        clump_status status = CLUMP_OK;
        if (keyword.size == 0) continue;
        if (is_comment(keyword)) {
            r->comment_bytes += kept_of(keyword, l.end).size + 1;
        } else if (clump_io_word_is(keyword, "format")) {
            status = read_format(r, l);
        } else if (clump_io_word_is(keyword, "element")) {
            status = read_element(r, l);
        } else if (clump_io_word_is(keyword, "property")) {
            status = read_property(r, l);
        } else if (clump_io_word_is(keyword, "end_header")) {
            r->header->data_offset = (size_t)(r->p - (const char *)r->source->bytes);
            r->header->data_line = r->number + 1;
            return CLUMP_OK;
        } else {
            status =
                CLUMP_IO_DAMAGED(r->source, "header line %zu: \"%s\" is no PLY keyword", l.number, quote(keyword).text);
        }
        CLUMP_IO_TRY(status);
    }
    return CLUMP_IO_TRUNCATED(r->source, "the PLY header has no end_header line in %zu bytes", r->source->size);
}

/* --- all of it ------------------------------------------------------------------------------ */

/* Copies the comments, in a second pass; the first has counted their bytes. */
static clump_status keep_comments(parser r)
{
    if (!r.comment_bytes) return CLUMP_OK;
    char *out = malloc(r.comment_bytes + 1);
    if (!out) return clump_io_no_memory(&r.source->where, r.comment_bytes + 1);
    r.header->comments = out;
    const char *stop = r.p;
    r.p = (const char *)r.source->bytes;
    while (r.p < stop) {
        clump_io_line l = next_line(&r);
        const clump_io_word keyword = clump_io_next_word(&l.begin, l.end), text = kept_of(keyword, l.end);
        if (!text.size) continue;
        for (size_t i = 0; i < text.size;
             i++) /* characters that would end the line; strchr also finds the null character */
            *out++ = strchr("\r\n", text.text[i]) ? ' ' : text.text[i];
        *out++ = '\n';
    }
    *out = 0;
    return CLUMP_OK;
}

/* Makes columns of the properties of the points. z may be missing and is then 0. */
static clump_status make_columns(const clump_io_source *source, clump_io_ply_header *header)
{
    if (header->vertex == SIZE_MAX) return CLUMP_IO_DAMAGED(source, "the PLY header has no element vertex");
    const clump_io_ply_element *vertex = &header->elements[header->vertex];
    clump_io_table *table = &header->table;
    table->columns = calloc(vertex->property_count + 1, sizeof *table->columns);
    if (!table->columns)
        return clump_io_no_memory(&source->where, (vertex->property_count + 1) * sizeof *table->columns);
    bool seen[3] = {false, false, false};
    for (size_t i = 0; i < vertex->property_count; i++) {
        const clump_io_ply_property *p = &header->properties[vertex->first + i];
        CLUMP_ASSERT(table->column_count < vertex->property_count);
        clump_io_column *c = &table->columns[table->column_count++];
        *c =
            (clump_io_column){.name = p->name, .name_size = p->name_size, .type = p->type, .count = 1, .skip = p->list};
        c->offset = table->record;
        c->axis = p->list ? -1 : clump_io_axis(p->name, p->name_size);
        table->record += clump_type_size(p->list ? p->count_type : p->type);
        if (c->axis < 0) continue;
        if (seen[c->axis])
            return CLUMP_IO_DAMAGED(source, "header line %zu: element vertex has %c twice", p->line, "xyz"[c->axis]);
        seen[c->axis] = true;
    }
    for (int a = 0; a < 2; a++)
        if (!seen[a])
            return CLUMP_IO_DAMAGED(source, "header line %zu: element vertex has no %c", vertex->line, "xy"[a]);
    header->flat = !seen[2];
    return CLUMP_OK;
}

clump_status clump_io_ply_header_parse(const clump_io_source *source, clump_io_ply_header *header)
{
    *header = (clump_io_ply_header){.vertex = SIZE_MAX, .newline = first_line_end(source->bytes, source->size)};
    if (source->size == 0) return CLUMP_IO_TRUNCATED(source, "the file is empty");
    if (!header->newline) return CLUMP_IO_DAMAGED(source, "the file does not begin with a line \"ply\"");
    parser r = {.source = source, .header = header, .p = (const char *)source->bytes};
    r.end = r.p + source->size;
    next_line(&r);
    clump_status status = read_lines(&r);
    if (status == CLUMP_OK && header->encoding == CLUMP_ENCODING_DEFAULT)
        status = CLUMP_IO_DAMAGED(source, "the PLY header has no format line");
    if (status == CLUMP_OK) status = make_columns(source, header);
    if (status == CLUMP_OK) status = keep_comments(r);
    header->table.swapped = header->encoding == CLUMP_ENCODING_BIG_ENDIAN;
    return status;
}

void clump_io_ply_header_free(clump_io_ply_header *header)
{
    free(header->elements);
    free(header->properties);
    free(header->table.columns);
    free(header->comments);
    *header = (clump_io_ply_header){0};
}
