/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text.c: a point a line, in the many shapes people write it.
 *
 *     // comment, # comment              anywhere
 *     120000                             a count alone on the first line (.pts)
 *     x,y,z,intensity                    names; also in a comment: "# x y z", "//X Y Z R G B"
 *     1.5,2,3,0.25                       separated by blanks, comma or semicolon; nothing = NaN
 *
 * Without names the first three columns are x y z, a single further one is "intensity", more are
 * "column4", "column5" ...
 *
 * Text has no types, so they follow from the values. Coordinates are float32, unless one of them is
 * 131072 or more, where float32 steps by more than a centimetre: then all go through doubles and
 * the cloud gets an origin. Another column is int32 if every value is such an integer, float32 if no
 * value has more than nine digits (what a float32 needs), else float64.
 */
#include "number.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGE 131072.0f

typedef struct span {
    const char *begin, *end;
} span;

typedef struct column {
    int axis; /* 0 1 2 for x y z, else -1 */
    double *values;
    bool whole, fine; /* so far all int32; one had more than nine digits */
} column;

typedef struct reader {
    const clump_io_source *source;
    clump_cloud *cloud;
    const char *data; /* where the rows begin */
    size_t line;      /* its number */
    span names;       /* the line that names the columns; begin null: none does */
    size_t columns;
    column *column;
    size_t declared; /* the count on the first line; SIZE_MAX: there is none */
    size_t rows;
    double *xyz64; /* null: coordinates are float32 */
    bool large;    /* a float32 coordinate was met that is too large for it */
} reader;

static bool is_separator(char c)
{
    return c == ',' || c == ';';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && clump_io_is_blank(*p)) p++;
    return p;
}

/* Nothing more on the line, or a comment. */
static bool is_over(const char *p, const char *end)
{
    return p == end || *p == '#' || (end - p >= 2 && p[0] == '/' && p[1] == '/');
}

static span next_line(const char **p, const char *end)
{
    const char *stop = memchr(*p, '\n', (size_t)(end - *p));
    const span line = {*p, stop ? stop : end};
    *p = stop ? stop + 1 : end;
    return line;
}

/* --- the beginning of the file -------------------------------------------------------------- */

/* The next column's word. Where a line has commas, blanks belong to the words. False: no more. */
static bool next_word(const char **p, const char *end, bool commas, span *word)
{
    *p = skip_blanks(*p, end);
    if (*p == end) return false;
    word->begin = *p;
    while (*p < end && !is_separator(**p) && (commas || !clump_io_is_blank(**p))) ++*p;
    word->end = *p;
    while (word->end > word->begin && clump_io_is_blank(word->end[-1])) word->end--;
    *p = skip_blanks(*p, end);
    if (*p < end && is_separator(**p)) ++*p;
    if (word->end - word->begin >= 2 && word->begin[0] == '"' && word->end[-1] == '"') word->begin++, word->end--;
    return true;
}

static bool has_commas(span line)
{
    for (const char *p = line.begin; p < line.end; p++)
        if (is_separator(*p)) return true;
    return false;
}

static size_t count_words(span line)
{
    size_t count = 0;
    span word;
    const bool commas = has_commas(line);
    while (next_word(&line.begin, line.end, commas, &word)) count++;
    return count;
}

static int axis_of(span word)
{
    static const char names[] = "xyzXYZ";
    const char *at = word.end - word.begin == 1 ? memchr(names, *word.begin, 6) : NULL;
    return at ? (int)(at - names) % 3 : -1;
}

/* How often a line of names has x, y and z. */
static void count_axes(span line, int seen[3])
{
    span word;
    const bool commas = has_commas(line);
    seen[0] = seen[1] = seen[2] = 0;
    while (next_word(&line.begin, line.end, commas, &word)) {
        const int axis = axis_of(word);
        if (axis >= 0 && seen[axis] < 2) seen[axis]++;
    }
}

static bool begins_with_number(span line)
{
    clump_io_number n;
    const char *p = skip_blanks(line.begin, line.end);
    if (p < line.end && is_separator(*p)) return true; /* an empty first value */
    return clump_io_scan(p, line.end, &n) &&
           (n.end == line.end || clump_io_is_blank(*n.end) || is_separator(*n.end) || is_over(n.end, line.end));
}

static bool is_count(span line, size_t *count)
{
    clump_io_number n;
    uint64_t value;
    const char *p = skip_blanks(line.begin, line.end);
    if (!clump_io_scan(p, line.end, &n) || !n.integer || skip_blanks(n.end, line.end) != line.end) return false;
    if (!clump_io_to_unsigned(&n, SIZE_MAX - 1, &value)) return false;
    *count = (size_t)value;
    return true;
}

/* A line of names that is no comment has to name x, y and z. */
static clump_status check_names(const reader *r, span line, size_t number)
{
    int seen[3];
    count_axes(line, seen);
    for (int a = 0; a < 3; a++) {
        if (seen[a] == 1) continue;
        const char *end = line.end > line.begin && line.end[-1] == '\r' ? line.end - 1 : line.end;
        return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT,
                             "line %zu: neither a point nor names of columns with one %c: \"%s\"", number, "xyz"[a],
                             clump_io_quote(line.begin, (size_t)(end - line.begin)).text);
    }
    return CLUMP_OK;
}

/* Finds count, names and the first row. columns stays 0 when there is neither names nor row. */
static clump_status read_beginning(reader *r)
{
    const char *p = (const char *)r->source->bytes, *end = p + r->source->size;
    if (r->source->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3; /* byte order mark */
    span remark = {NULL, NULL};
    for (size_t number = 1; p < end; number++) {
        r->data = p;
        r->line = number;
        span line = next_line(&p, end);
        line.begin = skip_blanks(line.begin, line.end);
        if (line.begin == line.end) continue;
        if (is_over(line.begin, line.end)) {
            int seen[3];
            while (line.begin < line.end && (*line.begin == '#' || *line.begin == '/')) line.begin++;
            count_axes(line, seen);
            if (seen[0] == 1 && seen[1] == 1 && seen[2] == 1) remark = line;
            continue;
        }
        if (r->declared == SIZE_MAX && !r->names.begin && is_count(line, &r->declared)) continue;
        if (begins_with_number(line)) {
            for (const char *c = line.begin; c < line.end; c++)
                if (is_over(c, line.end)) line.end = c;
            const size_t words = count_words(line);
            if (!r->names.begin && remark.begin && count_words(remark) == words) r->names = remark;
            if (!r->names.begin) r->columns = words;
            break;
        }
        if (r->names.begin)
            return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT, "line %zu: \"%s\" is not a number", number,
                                 clump_io_quote(line.begin, (size_t)(line.end - line.begin)).text);
        const clump_status status = check_names(r, line, number);
        if (status != CLUMP_OK) return status;
        r->names = line;
        r->data = p;
        r->line = number + 1;
    }
    if (!r->names.begin && !r->columns && remark.begin) r->names = remark;
    if (r->names.begin) r->columns = count_words(r->names);
    if (r->columns && r->columns < 3)
        return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT, "line %zu: %zu values, a point has at least three",
                             r->line, r->columns);
    return CLUMP_OK;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* Room for the rows to come: no more than lines, and a value takes a byte at least; and for one
 * more, which is found to be too short only while it is read. */
static size_t most_rows(const reader *r)
{
    const char *p = r->data, *end = (const char *)r->source->bytes + r->source->size;
    const size_t fit = ((size_t)(end - p) + 1) / r->columns + 1;
    size_t lines = 0;
    while (p < end) next_line(&p, end), lines++;
    return lines < fit ? lines : fit;
}

static clump_status make_columns(reader *r)
{
    clump_cloud *cloud = r->cloud;
    clump_status status = clump_io_cloud_resize(&r->source->where, cloud, most_rows(r));
    if (status != CLUMP_OK) return status;
    r->column = calloc(r->columns, sizeof *r->column);
    if (!r->column) return clump_io_no_memory(&r->source->where, r->columns * sizeof *r->column);
    span names = r->names;
    const bool commas = names.begin && has_commas(names);
    for (size_t c = 0; c < r->columns; c++) {
        span word = {NULL, NULL};
        if (names.begin) next_word(&names.begin, names.end, commas, &word);
        column *to = &r->column[c];
        *to = (column){.axis = names.begin ? axis_of(word) : c < 3 ? (int)c : -1, .whole = true};
        if (to->axis >= 0) continue;
        char numbered[32];
        if (!names.begin || word.begin == word.end) {
            snprintf(numbered, sizeof numbered, "column%zu", c + 1);
            word.begin = !names.begin && r->columns == 4 ? "intensity" : numbered;
            word.end = word.begin + strlen(word.begin);
        }
        void *data;
        status = clump_io_cloud_add_field(&r->source->where, cloud, word.begin, (size_t)(word.end - word.begin),
                                          CLUMP_TYPE_F64, 1, &data);
        if (status != CLUMP_OK) return status;
        to->values = data;
    }
    return CLUMP_OK;
}

static void look_at(column *to, const clump_io_number *n)
{
    int64_t value;
    if (to->whole) to->whole = n->integer && clump_io_to_signed(n, INT32_MIN, INT32_MAX, &value);
    if (to->fine || n->digits < 1000000000u) return;
    uint64_t digits = n->digits;
    while (digits % 10 == 0) digits /= 10;
    to->fine = digits >= 1000000000u;
}

static void store_missing(reader *r, column *to)
{
    to->whole = false;
    if (to->axis < 0)
        to->values[r->rows] = NAN;
    else if (r->xyz64)
        r->xyz64[3 * r->rows + (size_t)to->axis] = NAN;
    else
        r->cloud->xyz[3 * r->rows + (size_t)to->axis] = NAN;
}

static void store(reader *r, column *to, const clump_io_number *n)
{
    if (to->axis < 0) {
        to->values[r->rows] = clump_io_to_double(n);
        look_at(to, n);
    } else if (r->xyz64) {
        r->xyz64[3 * r->rows + (size_t)to->axis] = clump_io_to_double(n);
    } else {
        const float value = clump_io_to_float(n);
        r->cloud->xyz[3 * r->rows + (size_t)to->axis] = value;
        if (fabsf(value) >= LARGE && isfinite(value)) r->large = true;
    }
}

static clump_status read_row(reader *r, size_t line, const char *p, const char *end)
{
    bool separated = false;
    for (size_t c = 0; c < r->columns; c++) {
        p = skip_blanks(p, end);
        const bool over = is_over(p, end);
        if (over && !(separated && c + 1 == r->columns))
            return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT, "line %zu: %zu values instead of %zu", line, c,
                                 r->columns);
        if (over || is_separator(*p)) {
            store_missing(r, &r->column[c]);
        } else {
            clump_io_number n;
            const char *stop = p;
            if (!clump_io_scan(p, end, &n) ||
                (n.end < end && !clump_io_is_blank(*n.end) && !is_separator(*n.end) && !is_over(n.end, end))) {
                while (stop < end && !clump_io_is_blank(*stop) && !is_separator(*stop)) stop++;
                return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT, "line %zu: \"%s\" is not a number", line,
                                     clump_io_quote(p, (size_t)(stop - p)).text);
            }
            store(r, &r->column[c], &n);
            p = n.end;
        }
        p = skip_blanks(p, end);
        separated = p < end && is_separator(*p);
        p += separated;
    }
    if (is_over(skip_blanks(p, end), end)) return CLUMP_OK;
    return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT, "line %zu: more than %zu values", line, r->columns);
}

/* Stops early, with r->large set, when float32 turns out to be too coarse. */
static clump_status read_rows(reader *r)
{
    const char *p = r->data, *end = (const char *)r->source->bytes + r->source->size;
    r->rows = 0;
    r->large = false;
    for (size_t number = r->line; p < end && !r->large; number++) {
        const span line = next_line(&p, end);
        if (is_over(skip_blanks(line.begin, line.end), line.end)) continue;
        if (r->rows == r->cloud->count) return clump_io_fail(&r->source->where, CLUMP_ERR_INTERNAL, "line %zu", number);
        const clump_status status = read_row(r, number, line.begin, line.end);
        if (status != CLUMP_OK) return status;
        r->rows++;
    }
    return CLUMP_OK;
}

/* The types the values turned out to have. Each is no wider than double: converted in place. */
static void settle_column(const column *from, clump_field *field, size_t rows)
{
    void *data = from->values;
    unsigned char *bytes = data;
    field->type = from->whole && rows ? CLUMP_TYPE_I32 : from->fine ? CLUMP_TYPE_F64 : CLUMP_TYPE_F32;
    for (size_t i = 0; i < rows && field->type != CLUMP_TYPE_F64; i++) {
        const double value = from->values[i];
        if (field->type == CLUMP_TYPE_I32)
            memcpy(bytes + 4 * i, &(int32_t){(int32_t)value}, 4);
        else
            memcpy(bytes + 4 * i, &(float){(float)value}, 4);
    }
    const size_t size = rows * clump_type_size(field->type);
    void *fitted = realloc(data, size ? size : 1);
    field->data = fitted ? fitted : data;
}

static void settle(reader *r)
{
    clump_cloud *cloud = r->cloud;
    float *fitted = realloc(cloud->xyz, r->rows ? r->rows * 12 : 1);
    if (fitted) cloud->xyz = fitted;
    cloud->count = cloud->info.width = r->rows;
    size_t field = 0;
    for (size_t c = 0; c < r->columns; c++)
        if (r->column[c].axis < 0) settle_column(&r->column[c], &cloud->fields[field++], r->rows);
    if (r->xyz64) clump_io_cloud_set_xyz64(cloud, r->xyz64);
    cloud->info.xyz_type = r->xyz64 ? CLUMP_TYPE_F64 : CLUMP_TYPE_F32;
}

static clump_status read_points(reader *r)
{
    clump_status status = read_beginning(r);
    if (status == CLUMP_OK && r->columns) {
        status = make_columns(r);
        if (status == CLUMP_OK) status = read_rows(r);
        if (status == CLUMP_OK && r->large) {
            r->xyz64 = calloc(r->cloud->count + 1, 24);
            if (!r->xyz64) return clump_io_no_memory(&r->source->where, r->cloud->count * 24);
            status = read_rows(r);
        }
        if (status == CLUMP_OK) settle(r);
    }
    if (status != CLUMP_OK || r->declared == SIZE_MAX || r->declared == r->rows) return status;
    if (r->declared > r->rows)
        return clump_io_fail(&r->source->where, CLUMP_ERR_IO_TRUNCATED,
                             "the first line promises %zu points, %zu follow", r->declared, r->rows);
    clump_io_note(r->cloud, "the first line promises %zu points, %zu follow", r->declared, r->rows);
    return CLUMP_OK;
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    reader r = {.source = source, .cloud = cloud, .declared = SIZE_MAX, .data = (const char *)source->bytes, .line = 1};
    cloud->info.encoding = CLUMP_ENCODING_ASCII;
    const clump_status status = read_points(&r);
    free(r.column);
    free(r.xyz64);
    return status;
}

const clump_io_format clump_io_text = {
    .format = CLUMP_FORMAT_TEXT,
    .name = "text",
    .extensions = {"xyz", "txt", "csv", "pts", "asc"},
    .ascii = true,
    .parse = parse,
    .write = clump_io_text_write,
};
