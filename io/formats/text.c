/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text.c: text with one point per line, in many variants. text_header.c reads what precedes the points.
 *
 *     // comment, # comment              anywhere
 *     120000                             a count alone on the first line (.pts)
 *     x,y,z,intensity                    names; also in a comment: "# x y z", "//X Y Z R G B"
 *     1.5,2,3,0.25                       separated by blanks, comma or semicolon; nothing = NaN
 *     "1.5","2","3",""                   the same in quotes
 *
 * Without names the first three columns are x y z, a single further one is "intensity", more are
 * "column4", "column5" ...
 *
 * Text has no types, so they follow from the values. Coordinates are float32, unless one of them has digits
 * that float32 does not hold, or is at least 131072, where float32 steps exceed a centimetre. Then all are
 * doubles, and the cloud gets an origin. Another column is int32, int64 or uint64 if every value is such an
 * integer, float32 if that holds every digit, else float64.
 *
 * A column begins as int32 and becomes float32 in place at the first value that is no int32. A need for
 * eight bytes is only noted, since digits are lost by then, and the rows are read once more. So no column
 * ever takes more memory than in the end.
 */
#include "formats/text.h"
#include "common/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_PROBED_ROWS 4096

typedef struct column {
    int axis;        /* 0 1 2 for x y z, else -1 */
    clump_type type; /* so far: int32, then float32; types of eight bytes only in a second reading */
    void *values;
    bool fine;     /* a value had digits that float32 does not hold */
    bool beyond;   /* all are integers, but some beyond int32 */
    bool positive; /* one of these is beyond int64, and fits uint64 */
    bool negative; /* one is below 0 */
} column;

typedef struct reader {
    const clump_io_source *source;
    clump_cloud *cloud;
    clump_io_text_header header;
    column *column;
    size_t rows;
    double *xyz64;  /* null: coordinates are float32 */
    bool wide;      /* a coordinate was met that is too large for float32, or too fine */
    char separator; /* the comma or semicolon that the rows have; 0: none so far */
    bool cut;       /* the last line has no end and was left out */
} reader;

/* Returns an upper bound of the rows: the number of lines, and one value per byte. One row more may turn out too short
 * only while it is read. */
static size_t most_rows(const reader *r)
{
    const char *p = r->header.data, *end = (const char *)r->source->bytes + r->source->size;
    CLUMP_ASSERT(r->header.columns >= 1);
    const size_t fit = ((size_t)(end - p) + 1) / r->header.columns + 1;
    size_t lines = 0;
    while (p < end) clump_io_text_line(&p, end, r->header.newline), lines++;
    return lines < fit ? lines : fit;
}

static clump_status make_columns(reader *r)
{
    clump_cloud *cloud = r->cloud;
    CLUMP_IO_TRY(clump_io_cloud_resize(&r->source->where, cloud, most_rows(r)));
    r->column = calloc(r->header.columns, sizeof *r->column);
    if (!r->column) return clump_io_no_memory(&r->source->where, r->header.columns * sizeof *r->column);
    clump_io_span names = r->header.names;
    const bool commas = names.begin && clump_io_text_has_commas(names);
    for (size_t c = 0; c < r->header.columns; c++) {
        clump_io_span word = {NULL, NULL};
        if (names.begin) clump_io_text_word(&names.begin, names.end, commas, &word);
        column *to = &r->column[c];
        *to = (column){.axis = names.begin ? clump_io_axis(word.begin, (size_t)(word.end - word.begin))
                               : c < 3     ? (int)c
                                           : -1,
                       .type = CLUMP_TYPE_I32};
        if (to->axis >= 0) continue;
        char numbered[32];
        if (!names.begin || word.begin == word.end) {
            snprintf(numbered, sizeof numbered, "column%zu", c + 1);
            word.begin = !names.begin && r->header.columns == 4 ? "intensity" : numbered;
            word.end = word.begin + strlen(word.begin);
        }
        CLUMP_IO_TRY(clump_io_cloud_add_field(&r->source->where, cloud, word.begin, (size_t)(word.end - word.begin),
                                              CLUMP_TYPE_I32, 1, &to->values));
    }
    return CLUMP_OK;
}

/* Whether the number has digits that float32 does not hold: float32 is off by more than half a unit of the last digit.
 * The factor covers the rounding of the comparison. float32 holds six digits of any number within its limits. */
static bool is_fine(const clump_io_number *n)
{
    if (n->special || (n->digits < 1000000u && n->exponent > -36 && n->exponent < 32)) return false;
    uint64_t digits = n->digits; /* 0.2500000 has two */
    while (digits && digits % 10 == 0) digits /= 10;
    const double value = fabs(clump_io_to_double(n)), narrow = (double)(float)value;
    return fabs(narrow - value) * (double)digits > 0.5000001 * value;
}

/* Converts the rows read so far from integers to floats of the same size. */
static void promote(column *to, size_t rows)
{
    const bool wide = to->type != CLUMP_TYPE_I32;
    unsigned char *bytes = to->values;
    for (size_t i = 0; i < rows; i++) {
        const double value = clump_io_value(to->type, to->values, i);
        const float narrow = (float)value;
        to->fine = to->fine || (double)narrow != value;
        memcpy(bytes + (wide ? 8 : 4) * i, wide ? (const void *)&value : &narrow, wide ? sizeof value : sizeof narrow);
    }
    to->type = wide ? CLUMP_TYPE_F64 : CLUMP_TYPE_F32;
    to->fine = to->fine || to->beyond; /* such values were not stored */
    to->beyond = false;
}

static bool is_integer(clump_type type)
{
    return type != CLUMP_TYPE_F32 && type != CLUMP_TYPE_F64;
}

static void store_missing(reader *r, column *to)
{
    if (to->axis < 0) {
        if (is_integer(to->type)) promote(to, r->rows);
        if (to->type == CLUMP_TYPE_F64)
            ((double *)to->values)[r->rows] = (double)NAN;
        else
            ((float *)to->values)[r->rows] = NAN;
    } else if (r->xyz64) {
        r->xyz64[3 * r->rows + (size_t)to->axis] = (double)NAN;
    } else {
        r->cloud->xyz[3 * r->rows + (size_t)to->axis] = NAN;
    }
}

/* Stores an integer; false: the column cannot remain integers. */
static bool store_integer(reader *r, column *to, const clump_io_number *n)
{
    int64_t value = 0;
    uint64_t magnitude = 0;
    const bool fits = n->integer && clump_io_to_signed(n, INT64_MIN, INT64_MAX, &value);
    const bool positive = !fits && n->integer && clump_io_to_unsigned(n, UINT64_MAX, &magnitude);
    to->negative = to->negative || value < 0;
    to->positive = to->positive || positive;
    if ((!fits && !positive) || (to->negative && to->positive)) return false;
    if (to->type != CLUMP_TYPE_I32) {
        ((uint64_t *)to->values)[r->rows] = positive ? magnitude : (uint64_t)value;
        if (to->positive) to->type = CLUMP_TYPE_U64; /* the same bits, none of them below 0 */
        return true;
    }
    to->beyond = to->beyond || positive || value < INT32_MIN || value > INT32_MAX;
    ((int32_t *)to->values)[r->rows] = to->beyond ? 0 : (int32_t)value;
    return true;
}

static void store_field(reader *r, column *to, const clump_io_number *n)
{
    if (is_integer(to->type)) {
        if (store_integer(r, to, n)) return;
        promote(to, r->rows);
    }
    if (to->type == CLUMP_TYPE_F64) {
        ((double *)to->values)[r->rows] = clump_io_to_double(n);
        return;
    }
    to->fine = to->fine || is_fine(n);
    ((float *)to->values)[r->rows] = clump_io_to_float(n);
}

static void store(reader *r, column *to, const clump_io_number *n)
{
    if (to->axis < 0) {
        store_field(r, to, n);
    } else if (r->xyz64) {
        r->xyz64[3 * r->rows + (size_t)to->axis] = clump_io_to_double(n);
    } else {
        const float value = clump_io_to_float(n);
        r->cloud->xyz[3 * r->rows + (size_t)to->axis] = value;
        if ((fabsf(value) >= CLUMP_IO_TEXT_LARGE && isfinite(value)) || is_fine(n)) r->wide = true;
    }
}

/* Whether the separator agrees with the line and with earlier lines. A file must not mix commas and semicolons, nor a
 * line two separators: else "1,5;2,5" and "1,5 2,5", with decimal commas, would read as four values. */
static bool is_consistent(reader *r, char gap, char *gap_before)
{
    if (gap != ' ' && !r->separator) r->separator = gap;
    const bool same = (!*gap_before || *gap_before == gap) && (gap == ' ' || gap == r->separator);
    *gap_before = gap;
    return same;
}

static clump_status read_row(reader *r, size_t line, const char *p, const char *end)
{
    bool separated = false;
    char gap = 0;
    for (size_t c = 0; c < r->header.columns; c++) {
        p = clump_io_text_skip_blanks(p, end);
        const bool over = clump_io_text_is_over(p, end);
        if (over && !(separated && c + 1 == r->header.columns))
            return CLUMP_IO_DAMAGED(r->source, "line %zu: %zu values instead of %zu", line, c, r->header.columns);
        if (over || clump_io_text_is_separator(*p)) {
            store_missing(r, &r->column[c]);
        } else {
            clump_io_number n;
            const char *stop = p, *const next = clump_io_text_value(p, end, &n);
            if (!next) {
                while (stop < end && !clump_io_is_blank(*stop) && !clump_io_text_is_separator(*stop)) stop++;
                return CLUMP_IO_DAMAGED(r->source, "line %zu: \"%s\" is not a number", line,
                                        clump_io_quote(p, (size_t)(stop - p)).text);
            }
            if (n.end == p)
                store_missing(r, &r->column[c]);
            else
                store(r, &r->column[c], &n);
            p = next;
        }
        p = clump_io_text_skip_blanks(p, end);
        separated = p < end && clump_io_text_is_separator(*p);
        const bool last = c + 1 == r->header.columns || clump_io_text_is_over(p, end);
        if (!last && !is_consistent(r, separated ? *p : ' ', &gap))
            return CLUMP_IO_DAMAGED(
                r->source, "line %zu: values are separated in more than one way (decimal commas are not read)", line);
        p += separated;
    }
    if (clump_io_text_is_over(clump_io_text_skip_blanks(p, end), end)) return CLUMP_OK;
    return CLUMP_IO_DAMAGED(r->source, "line %zu: more than %zu values", line, r->header.columns);
}

/* Reads the first `most` rows. */
static clump_status read_rows(reader *r, size_t most)
{
    const char *start = r->header.data, *p = start, *end = (const char *)r->source->bytes + r->source->size;
    r->rows = 0;
    for (size_t number = r->header.line; p < end && r->rows < most; number++) {
        const clump_io_span line = clump_io_text_line(&p, end, r->header.newline);
        if (clump_io_text_is_over(clump_io_text_skip_blanks(line.begin, line.end), line.end)) continue;
        const bool endless = p == end && line.end == end; /* the last line, without a newline */
        if (endless && r->source->partial) {
            r->cut = true;
            break;
        }
        if (r->rows == r->cloud->count) return clump_io_fail(&r->source->where, CLUMP_ERR_INTERNAL, "line %zu", number);
        const clump_status status = read_row(r, number, line.begin, line.end);
        if (status != CLUMP_OK && endless && r->rows) clump_io_say_cut_line(r->source);
        if (status != CLUMP_OK) return status;
        r->rows++;
        if (r->rows % CLUMP_IO_STRETCH == 0)
            clump_io_report(&r->source->progress, (size_t)(p - start), (size_t)(end - start));
    }
    return CLUMP_OK;
}

/* Whether the column needs eight bytes per value. */
static bool is_too_narrow(const column *c)
{
    return c->axis < 0 && ((c->fine && c->type == CLUMP_TYPE_F32) || (c->beyond && c->type == CLUMP_TYPE_I32));
}

/* Gives eight bytes per value to the columns that need them. */
static clump_status widen(reader *r)
{
    clump_cloud *cloud = r->cloud;
    if (r->wide && !r->xyz64) {
        r->xyz64 = clump_io_allocate(cloud->count * 24);
        if (!r->xyz64) return clump_io_no_memory(&r->source->where, cloud->count * 24);
    }
    size_t field = 0;
    for (size_t c = 0; c < r->header.columns; c++) {
        column *to = &r->column[c];
        if (to->axis >= 0) continue;
        clump_field *f = &cloud->fields[field++];
        if (!is_too_narrow(to)) continue;
        free(to->values);
        f->data = to->values = clump_io_allocate(cloud->count * sizeof(double));
        if (!to->values) return clump_io_no_memory(&r->source->where, cloud->count * sizeof(double));
        to->type = to->type == CLUMP_TYPE_F32 ? CLUMP_TYPE_F64 : to->positive ? CLUMP_TYPE_U64 : CLUMP_TYPE_I64;
    }
    return CLUMP_OK;
}

static bool is_any_too_narrow(const reader *r)
{
    bool any = r->wide && !r->xyz64;
    for (size_t c = 0; c < r->header.columns; c++) any = any || is_too_narrow(&r->column[c]);
    return any;
}

/* Shrinks the arrays to the number of rows. */
static void shrink_arrays(reader *r)
{
    clump_cloud *cloud = r->cloud;
    float *fitted = realloc(cloud->xyz, r->rows ? r->rows * 12 : 1);
    if (fitted) cloud->xyz = fitted;
    cloud->count = cloud->info.width = r->rows;
    size_t field = 0;
    for (size_t c = 0; c < r->header.columns; c++) {
        if (r->column[c].axis >= 0) continue;
        clump_field *f = &cloud->fields[field++];
        f->type = r->rows ? r->column[c].type : CLUMP_TYPE_F32;
        const size_t size = r->rows * clump_type_size(f->type);
        void *shrunk = realloc(r->column[c].values, size ? size : 1);
        if (shrunk) f->data = shrunk;
    }
    cloud->info.xyz_type = r->xyz64 ? CLUMP_TYPE_F64 : CLUMP_TYPE_F32;
    if (r->xyz64) clump_io_cloud_take_xyz64(cloud, r->xyz64);
    r->xyz64 = NULL;
}

static clump_status read_points(reader *r)
{
    CLUMP_IO_TRY(clump_io_text_header_read(r->source, &r->header));
    if (r->header.columns) {
        CLUMP_IO_TRY(make_columns(r));
        /* A few rows first: if doubles are needed, the beginning mostly shows it. */
        CLUMP_IO_TRY(read_rows(r, TEXT_PROBED_ROWS));
        if (is_any_too_narrow(r)) CLUMP_IO_TRY(widen(r));
        CLUMP_IO_TRY(read_rows(r, SIZE_MAX));
        if (is_any_too_narrow(r)) {
            CLUMP_IO_TRY(widen(r));
            CLUMP_IO_TRY(read_rows(r, SIZE_MAX));
        }
        shrink_arrays(r);
    }
    const bool counted = r->header.declared != SIZE_MAX;
    if (r->cut && !(counted && r->header.declared > r->rows))
        clump_io_note(r->cloud, "the last line has no end and was left out: %zu points were read", r->rows);
    if (!counted || r->header.declared == r->rows) return CLUMP_OK;
    if (r->header.declared > r->rows)
        return clump_io_cut(r->source, r->cloud, r->rows, r->header.declared,
                            "the first line promises %zu points, %zu follow", r->header.declared, r->rows);
    clump_io_note(r->cloud, "the first line promises %zu points, %zu follow", r->header.declared, r->rows);
    return CLUMP_OK;
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    reader r = {.source = source, .cloud = cloud};
    cloud->info.encoding = CLUMP_ENCODING_ASCII;
    const clump_status status = read_points(&r);
    free(r.column);
    free(r.xyz64);
    return status;
}

const clump_io_format clump_io_format_text = {
    .format = CLUMP_FORMAT_TEXT,
    .name = "text",
    .extensions = {"xyz", "txt", "csv", "pts", "asc"},
    .encodings = CLUMP_IO_ASCII,
    .holds_points = true,
    .holds_fields = true,
    .holds_labels = true,
    .parse = parse,
    .write = clump_io_text_write,
};
