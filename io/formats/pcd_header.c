/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcd_header.c: the header of a PCD file, versions 0.5 to 0.7.
 *
 *     # .PCD v0.7 - Point Cloud Data file format
 *     VERSION 0.7
 *     FIELDS x y z intensity _          one name per field; _ is padding
 *     SIZE 4 4 4 4 1                    bytes of an element
 *     TYPE F F F F U                    Float, Unsigned, Integer
 *     COUNT 1 1 1 1 4                   elements per point; all 1 if the line is missing
 *     WIDTH 640
 *     HEIGHT 480                        1 if missing
 *     VIEWPOINT 0 0 0 1 0 0 0           missing before 0.7
 *     POINTS 307200                     WIDTH x HEIGHT
 *     DATA binary                       ascii, binary or binary_compressed; the last line
 *
 * The lines are collected first and interpreted then, so their order does not matter. Counts are only
 * compared with each other here; pcd.c compares them with the size of the file.
 */
#include "formats/pcd.h"
#include "common/assert.h"
#include "formats/words.h"

#include <stdlib.h>

enum keyword {
    PCD_VERSION,
    PCD_FIELDS,
    PCD_SIZE,
    PCD_TYPE,
    PCD_COUNT,
    PCD_WIDTH,
    PCD_HEIGHT,
    PCD_VIEWPOINT,
    PCD_POINTS,
    PCD_DATA,
    PCD_KEYWORDS
};
static const char *const keyword_names[PCD_KEYWORDS] = {"VERSION", "FIELDS", "SIZE",      "TYPE",   "COUNT",
                                                        "WIDTH",   "HEIGHT", "VIEWPOINT", "POINTS", "DATA"};

static enum keyword keyword_of(clump_io_word w)
{
    if (clump_io_word_is(w, "COLUMNS")) return PCD_FIELDS; /* the old name of FIELDS */
    for (int k = 0; k < PCD_KEYWORDS; k++)
        if (clump_io_word_is(w, keyword_names[k])) return (enum keyword)k;
    return PCD_KEYWORDS;
}

/* Recognises PCD by the comment that PCL writes, or by VERSION or FIELDS in the first line. */
bool clump_io_pcd_sniff(const unsigned char *bytes, size_t size)
{
    const char *p = (const char *)bytes, *end = p + (size < 65536 ? size : 65536);
    while (p < end) {
        clump_io_line l = clump_io_next_line(&p, end, '\n', 0);
        const clump_io_word first = clump_io_next_word(&l.begin, l.end);
        if (clump_io_word_is(first, "#") && clump_io_word_is(clump_io_next_word(&l.begin, l.end), ".PCD")) return true;
        if (first.size == 0 || first.text[0] == '#') continue;
        const enum keyword k = keyword_of(first);
        return k == PCD_VERSION || k == PCD_FIELDS;
    }
    return false;
}

static clump_status collect(const clump_io_source *source, clump_io_line lines[PCD_KEYWORDS],
                            clump_io_pcd_header *header)
{
    const char *start = (const char *)source->bytes, *p = start, *end = start + source->size;
    for (size_t number = 1; p < end; number++) {
        clump_io_line l = clump_io_next_line(&p, end, '\n', number);
        const clump_io_word first = clump_io_next_word(&l.begin, l.end);
        if (first.size == 0 || first.text[0] == '#') continue;
        const enum keyword k = keyword_of(first);
        if (k == PCD_KEYWORDS)
            return CLUMP_IO_DAMAGED(source, "header line %zu: \"%s\" is no PCD keyword", number,
                                    clump_io_quote(first.text, first.size).text);
        if (lines[k].number) return CLUMP_IO_DAMAGED(source, "header line %zu: a second %s", number, keyword_names[k]);
        lines[k] = l;
        if (k == PCD_DATA) {
            header->data_offset = (size_t)(p - start);
            header->data_line = number + 1;
            return CLUMP_OK;
        }
    }
    if (source->size == 0) return CLUMP_IO_TRUNCATED(source, "the file is empty");
    return CLUMP_IO_TRUNCATED(source, "the PCD header has no DATA line in %zu bytes", source->size);
}

/* Reads an integer from 0 to `highest`. */
static clump_status read_count(const clump_io_source *source, const clump_io_line *l, clump_io_word w, enum keyword k,
                               uint64_t highest, uint64_t *value)
{
    clump_io_number number;
    if (w.size && clump_io_scan(w.text, w.text + w.size, &number) && number.end == w.text + w.size && number.integer &&
        !number.negative) {
        if (clump_io_to_unsigned(&number, highest, value)) return CLUMP_OK;
        return CLUMP_IO_DAMAGED(source, "header line %zu: %s %s is too large", l->number, keyword_names[k],
                                clump_io_quote(w.text, w.size).text);
    }
    return CLUMP_IO_DAMAGED(source, "header line %zu: %s is not a number", l->number, keyword_names[k]);
}

/* Reads a line with one number; a missing line leaves *value unchanged. */
static clump_status read_single(const clump_io_source *source, const clump_io_line lines[PCD_KEYWORDS], enum keyword k,
                                size_t *value)
{
    if (!lines[k].number) return CLUMP_OK;
    const char *p = lines[k].begin;
    uint64_t n;
    const clump_status status = read_count(source, &lines[k], clump_io_next_word(&p, lines[k].end), k, SIZE_MAX, &n);
    if (status == CLUMP_OK) *value = (size_t)n;
    return status;
}

static size_t count_words(const clump_io_line *l)
{
    size_t count = 0;
    for (const char *p = l->begin; clump_io_next_word(&p, l->end).size;) count++;
    return count;
}

static bool find_type(char letter, uint64_t size, clump_type *type)
{
    static const struct {
        char letter;
        unsigned char size;
        clump_type type;
    } known[] = {{'F', 4, CLUMP_TYPE_F32}, {'F', 8, CLUMP_TYPE_F64}, {'U', 1, CLUMP_TYPE_U8}, {'U', 2, CLUMP_TYPE_U16},
                 {'U', 4, CLUMP_TYPE_U32}, {'U', 8, CLUMP_TYPE_U64}, {'I', 1, CLUMP_TYPE_I8}, {'I', 2, CLUMP_TYPE_I16},
                 {'I', 4, CLUMP_TYPE_I32}, {'I', 8, CLUMP_TYPE_I64}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].letter != letter || known[i].size != size) continue;
        *type = known[i].type;
        return true;
    }
    return false;
}

/* Reads one field from the next word of each of FIELDS, SIZE, TYPE and COUNT. cursors are the positions in these
 * lines. */
static clump_status read_field(const clump_io_source *source, const clump_io_line lines[PCD_KEYWORDS],
                               const char *cursors[PCD_KEYWORDS], clump_io_pcd_header *header, clump_io_column *field)
{
    const clump_io_word name = clump_io_next_word(&cursors[PCD_FIELDS], lines[PCD_FIELDS].end);
    uint64_t size = 4, count = 1;
    char letter = 'F';
    if (lines[PCD_SIZE].number)
        CLUMP_IO_TRY(read_count(source, &lines[PCD_SIZE], clump_io_next_word(&cursors[PCD_SIZE], lines[PCD_SIZE].end),
                                PCD_SIZE, 1000, &size));
    if (lines[PCD_COUNT].number)
        CLUMP_IO_TRY(read_count(source, &lines[PCD_COUNT],
                                clump_io_next_word(&cursors[PCD_COUNT], lines[PCD_COUNT].end), PCD_COUNT, UINT32_MAX,
                                &count));
    clump_io_word type = {"F", 1};
    if (lines[PCD_TYPE].number) type = clump_io_next_word(&cursors[PCD_TYPE], lines[PCD_TYPE].end);
    if (type.size == 1) letter = type.text[0];

    *field = (clump_io_column){.name = name.text,
                               .name_size = name.size,
                               .type = CLUMP_TYPE_U8,
                               .count = (uint32_t)count,
                               .offset = header->table.record,
                               .axis = clump_io_axis(name.text, name.size),
                               .skip = clump_io_word_is(name, "_")};
    const clump_io_quoted shown = clump_io_quote(name.text, name.size);
    if (count == 0)
        return CLUMP_IO_DAMAGED(source, "header line %zu: COUNT of field %s is 0", lines[PCD_COUNT].number, shown.text);
    if (field->axis >= 0 && count != 1)
        return CLUMP_IO_DAMAGED(source, "header line %zu: COUNT of field %s is not 1", lines[PCD_COUNT].number,
                                shown.text);
    if ((type.size != 1 || !find_type(letter, size, &field->type)) && !field->skip)
        return CLUMP_IO_UNSUPPORTED(source, "header line %zu: field %s: no type %s has %u bytes",
                                    lines[PCD_TYPE].number ? lines[PCD_TYPE].number : lines[PCD_SIZE].number,
                                    shown.text, clump_io_quote(type.text, type.size).text, (unsigned)size);
    if (!field->skip && count > CLUMP_IO_MAX_FIELDS)
        return CLUMP_IO_UNSUPPORTED(source, "header line %zu: COUNT of field %s is over %d", lines[PCD_COUNT].number,
                                    shown.text, CLUMP_IO_MAX_FIELDS);
    size_t bytes;
    if (!clump_io_multiply((size_t)size, (size_t)count, &bytes) ||
        __builtin_add_overflow(header->table.record, bytes, &header->table.record) ||
        __builtin_add_overflow(header->elements, (size_t)count, &header->elements))
        return CLUMP_IO_DAMAGED(source, "header line %zu: COUNT %u is too large", lines[PCD_COUNT].number,
                                (unsigned)count);
    return CLUMP_OK;
}

static clump_status read_fields(const clump_io_source *source, const clump_io_line lines[PCD_KEYWORDS],
                                clump_io_pcd_header *header)
{
    if (!lines[PCD_FIELDS].number) return CLUMP_IO_DAMAGED(source, "the PCD header has no FIELDS line");
    const size_t count = count_words(&lines[PCD_FIELDS]);
    for (int k = PCD_SIZE; k <= PCD_COUNT; k++) {
        const size_t words = lines[k].number ? count_words(&lines[k]) : count;
        if (words != count)
            return CLUMP_IO_DAMAGED(source, "header line %zu: %s has %zu values, FIELDS has %zu", lines[k].number,
                                    keyword_names[k], words, count);
    }
    CLUMP_ASSERT(!header->table.columns);
    clump_io_column *columns = calloc(count + 1, sizeof *columns);
    if (!columns) return clump_io_no_memory(&source->where, (count + 1) * sizeof *columns);
    header->table.columns = columns;
    const char *cursors[PCD_KEYWORDS];
    for (int k = 0; k < PCD_KEYWORDS; k++) cursors[k] = lines[k].begin;
    bool seen[3] = {false, false, false};
    for (size_t i = 0; i < count; i++) {
        clump_io_column *field = &columns[i];
        CLUMP_IO_TRY(read_field(source, lines, cursors, header, field));
        header->table.column_count++;
        CLUMP_ASSERT(header->table.column_count == i + 1 && field->axis < 3);
        if (field->axis < 0) continue;
        if (seen[field->axis])
            return CLUMP_IO_DAMAGED(source, "header line %zu: FIELDS names %c twice", lines[PCD_FIELDS].number,
                                    "xyz"[field->axis]);
        seen[field->axis] = true;
    }
    for (int a = 0; a < 3; a++)
        if (!seen[a])
            return CLUMP_IO_DAMAGED(source, "header line %zu: FIELDS names no %c", lines[PCD_FIELDS].number, "xyz"[a]);
    return CLUMP_OK;
}

static clump_status read_shape(const clump_io_source *source, const clump_io_line lines[PCD_KEYWORDS],
                               clump_io_pcd_header *header)
{
    header->height = 1;
    CLUMP_IO_TRY(read_single(source, lines, PCD_WIDTH, &header->width));
    CLUMP_IO_TRY(read_single(source, lines, PCD_HEIGHT, &header->height));
    CLUMP_IO_TRY(read_single(source, lines, PCD_POINTS, &header->points));
    if (!lines[PCD_WIDTH].number && !lines[PCD_POINTS].number)
        return CLUMP_IO_DAMAGED(source, "the PCD header has neither WIDTH nor POINTS");
    if (!lines[PCD_WIDTH].number) header->width = header->points, header->height = 1;
    size_t product;
    const bool fits = clump_io_multiply(header->width, header->height, &product);
    if (!lines[PCD_POINTS].number && fits) header->points = product;
    if (!fits || product != header->points)
        return CLUMP_IO_DAMAGED(source, "header line %zu: WIDTH x HEIGHT is %zu x %zu, POINTS is %zu",
                                lines[PCD_POINTS].number ? lines[PCD_POINTS].number : lines[PCD_WIDTH].number,
                                header->width, header->height, header->points);
    return CLUMP_OK;
}

static clump_status read_viewpoint(const clump_io_source *source, const clump_io_line *l, double viewpoint[7])
{
    static const double none[7] = {0, 0, 0, 1, 0, 0, 0};
    memcpy(viewpoint, none, sizeof none);
    if (!l->number) return CLUMP_OK;
    const char *p = l->begin;
    for (int i = 0; i < 7; i++) {
        const clump_io_word w = clump_io_next_word(&p, l->end);
        clump_io_number number;
        if (!w.size || !clump_io_scan(w.text, l->end, &number) || number.end != w.text + w.size)
            return CLUMP_IO_DAMAGED(source, "header line %zu: VIEWPOINT is not seven numbers", l->number);
        viewpoint[i] = clump_io_to_double(&number);
    }
    return CLUMP_OK;
}

static clump_status read_version(const clump_io_source *source, const clump_io_line *l)
{
    static const char *const known[] = {"0.7", ".7", "0.6", ".6", "0.5", ".5"};
    if (!l->number) return CLUMP_OK;
    const char *p = l->begin;
    const clump_io_word w = clump_io_next_word(&p, l->end);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (clump_io_word_is(w, known[i])) return CLUMP_OK;
    return CLUMP_IO_UNSUPPORTED(source, "header line %zu: VERSION %s is not 0.5, 0.6 or 0.7", l->number,
                                clump_io_quote(w.text, w.size).text);
}

static clump_status read_data(const clump_io_source *source, const clump_io_line *l, clump_io_pcd_data *data)
{
    CLUMP_ASSERT(l->number >= 1);
    const char *p = l->begin;
    const clump_io_word w = clump_io_next_word(&p, l->end);
    if (clump_io_word_is(w, "ascii"))
        *data = CLUMP_IO_PCD_ASCII;
    else if (clump_io_word_is(w, "binary"))
        *data = CLUMP_IO_PCD_BINARY;
    else if (clump_io_word_is(w, "binary_compressed"))
        *data = CLUMP_IO_PCD_COMPRESSED;
    else
        return CLUMP_IO_DAMAGED(source, "header line %zu: DATA \"%s\" is not ascii, binary or binary_compressed",
                                l->number, clump_io_quote(w.text, w.size).text);
    return CLUMP_OK;
}

static clump_status read_lines(const clump_io_source *source, clump_io_pcd_header *header)
{
    clump_io_line lines[PCD_KEYWORDS] = {0};
    CLUMP_IO_TRY(collect(source, lines, header));
    CLUMP_IO_TRY(read_version(source, &lines[PCD_VERSION]));
    CLUMP_IO_TRY(read_fields(source, lines, header));
    CLUMP_IO_TRY(read_shape(source, lines, header));
    CLUMP_IO_TRY(read_viewpoint(source, &lines[PCD_VIEWPOINT], header->viewpoint));
    return read_data(source, &lines[PCD_DATA], &header->data);
}

clump_status clump_io_pcd_header_parse(const clump_io_source *source, clump_io_pcd_header *header)
{
    *header = (clump_io_pcd_header){0};
    const clump_status status = read_lines(source, header);
    if (status != CLUMP_OK) clump_io_pcd_header_free(header);
    return status;
}

void clump_io_pcd_header_free(clump_io_pcd_header *header)
{
    free(header->table.columns);
    header->table.columns = NULL;
}

void clump_io_pcd_note_rest(const clump_io_source *source, size_t offset, clump_cloud *cloud)
{
    unsigned char bytes[CLUMP_IO_PCD_REST];
    CLUMP_ASSERT(offset <= source->size);
    const size_t rest = source->size - offset;
    bool usual = rest < CLUMP_IO_PCD_REST && clump_io_peek(source, offset, bytes, rest) == CLUMP_OK;
    for (size_t i = 0; i < rest && usual; i++) usual = bytes[i] == 0;
    if (!usual) clump_io_note(cloud, "%zu bytes after the last point are ignored", rest);
}
