/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_table.c: tables of classes, a small text file with a line per group (clump/io.h):
 *
 *     # ids     name       values
 *     10,252    car        radius=0.8 min=20 2d
 *     30,254    person     radius=0.3 max=400 oversize=split 2d
 *     40,44,48  road       stuff
 *
 * A line passes the parser as words -> ids, name, values -> one row per id. Memory is allocated once: an id has at least two bytes
 * of the file, a digit and what follows it.
 */
#include "format.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_NAME = 31 }; /* most characters of a name */

typedef struct table_line {
    const clump_io_source *source;
    size_t number;      /* from 1 */
    size_t first;       /* its first row */
    clump_class values; /* of all its rows */
    uint8_t *seen;      /* a bit per id: it has a row */
    clump_class_table *out;
    char *names; /* where the next name goes */
} table_line;

#define TABLE_AT(line, text) "line %zu: " text, (line)->number /* format of a sentence and its first argument */

/* A word of a line. */
typedef struct word {
    const char *begin, *end;
} word;

static bool next_word(const char **p, const char *end, word *w)
{
    while (*p < end && clump_io_is_blank(**p)) ++*p;
    if (*p == end || **p == '#') return false;
    w->begin = *p;
    while (*p < end && !clump_io_is_blank(**p)) ++*p;
    w->end = *p;
    return true;
}

static clump_io_quoted quote(word w)
{
    return clump_io_quote(w.begin, (size_t)(w.end - w.begin));
}

static bool is_word(word w, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(w.end - w.begin) == length && memcmp(w.begin, text, length) == 0;
}

/* Reads "10,252": a row per id. */
static clump_status take_ids(table_line *line, word w)
{
    clump_class_table *const out = line->out;
    line->first = out->count;
    for (const char *p = w.begin; p <= w.end; p++) {
        word id = {p, p};
        while (id.end < w.end && *id.end != ',') id.end++;
        clump_io_number number;
        uint64_t value = 0;
        if (id.begin == id.end || !clump_io_scan(id.begin, id.end, &number) || number.end != id.end ||
            !number.integer || !clump_io_to_unsigned(&number, UINT16_MAX, &value))
            return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "'%s' is no class, a number from 0 to 65535"),
                                    quote(id).text);
        uint8_t *const seen = &line->seen[value / 8], bit = (uint8_t)(1 << value % 8);
        if (*seen & bit) return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "class %d is there twice"), (int)value);
        *seen |= bit;
        out->rows[out->count++] = (clump_class){.id = (uint16_t)value};
        p = id.end;
    }
    return CLUMP_OK;
}

static clump_status take_name(table_line *line, word w)
{
    const size_t length = (size_t)(w.end - w.begin);
    for (const char *p = w.begin; p < w.end; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
              (*p != '\0' && strchr("._-", *p))))
            return CLUMP_IO_DAMAGED(
                line->source, TABLE_AT(line, "the name '%s' has more than letters, digits and . _ -"), quote(w).text);
    if (length > TABLE_NAME)
        return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "the name has %zu characters, at most %d are allowed"),
                                length, TABLE_NAME);
    memcpy(line->names, w.begin, length);
    line->names[length] = '\0';
    line->values.name = line->names;
    line->names += length + 1;
    return CLUMP_OK;
}

/* Whether the word is KEY=VALUE with this key; then *value is the value. */
static bool has_key(word w, const char *key, word *value)
{
    const size_t length = strlen(key);
    if ((size_t)(w.end - w.begin) <= length || memcmp(w.begin, key, length) != 0 || w.begin[length] != '=')
        return false;
    *value = (word){w.begin + length + 1, w.end};
    return true;
}

static clump_status take_count(const table_line *line, word w, word value, size_t *count)
{
    clump_io_number number;
    uint64_t n = 0;
    if (value.begin == value.end || !clump_io_scan(value.begin, value.end, &number) || number.end != value.end ||
        !clump_io_to_unsigned(&number, INT32_MAX, &n) || n == 0)
        return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "'%s' needs a whole number from 1 on"), quote(w).text);
    *count = (size_t)n;
    return CLUMP_OK;
}

static clump_status take_oversize(table_line *line, word w, word value)
{
    for (int k = 0; clump_oversize_name((clump_oversize)k); k++)
        if (is_word(value, clump_oversize_name((clump_oversize)k))) {
            line->values.oversize = (clump_oversize)k;
            return CLUMP_OK;
        }
    return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "'%s': there are drop, keep and split"), quote(w).text);
}

static clump_status take_value(table_line *line, word w)
{
    clump_class *const c = &line->values;
    word value;
    if (is_word(w, "2d") || is_word(w, "3d")) return c->two_d = is_word(w, "2d"), CLUMP_OK;
    if (is_word(w, "stuff")) return c->stuff = true, CLUMP_OK;
    if (has_key(w, "min", &value)) return take_count(line, w, value, &c->min_size);
    if (has_key(w, "max", &value)) return take_count(line, w, value, &c->max_size);
    if (has_key(w, "oversize", &value)) return take_oversize(line, w, value);
    if (!has_key(w, "radius", &value))
        return CLUMP_IO_DAMAGED(
            line->source, TABLE_AT(line, "'%s' is no value; there are radius= min= max= oversize= 2d 3d and stuff"),
            quote(w).text);
    clump_io_number number;
    const bool is_number = clump_io_scan(value.begin, value.end, &number) && number.end == value.end;
    c->radius = is_number ? (float)clump_io_to_double(&number) : 0;
    if (c->radius > 1e-19f && c->radius < 1e19f) return CLUMP_OK;
    return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "'%s' needs a number above 0%s"), quote(w).text,
                            c->radius > 1 ? " and below 1e19" : "");
}

static clump_status take_line(table_line *line, const char *p, const char *end)
{
    word w;
    if (!next_word(&p, end, &w)) return CLUMP_OK;
    line->values = (clump_class){0};
    CLUMP_IO_TRY(take_ids(line, w));
    if (!next_word(&p, end, &w))
        return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "the name of the class is missing"));
    CLUMP_IO_TRY(take_name(line, w));
    while (next_word(&p, end, &w)) CLUMP_IO_TRY(take_value(line, w));
    if (line->values.max_size != 0 && line->values.min_size > line->values.max_size)
        return CLUMP_IO_DAMAGED(line->source, TABLE_AT(line, "min=%zu is larger than max=%zu"), line->values.min_size,
                                line->values.max_size);
    const size_t rows = line->out->count - line->first;
    if (rows > 1) line->values.group = (uint16_t)(line->first + 1); /* at most 65536 rows: ids are unique */
    for (size_t k = line->first; k < line->out->count; k++) {
        line->values.id = line->out->rows[k].id;
        line->out->rows[k] = line->values;
    }
    return CLUMP_OK;
}

static clump_status parse_lines(const clump_io_source *source, clump_class_table *out)
{
    const size_t most = source->size / 2 + 1 < 65536 ? source->size / 2 + 1 : 65536;
    out->rows = clump_io_allocate(most * sizeof *out->rows + source->size + 1); /* the names follow */
    if (!out->rows) return clump_io_no_memory(&source->where, most * sizeof *out->rows);
    uint8_t seen[65536 / 8] = {0};
    table_line line = {.source = source, .out = out, .names = (char *)(out->rows + most), .seen = seen};
    const char *p = (const char *)source->bytes, *const end = p + source->size;
    if (source->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3; /* byte order mark */
    while (p < end) {
        const char *const stop = memchr(p, '\n', (size_t)(end - p));
        line.number++;
        CLUMP_IO_TRY(take_line(&line, p, stop ? stop : end));
        p = stop ? stop + 1 : end;
    }
    return out->count > 0 ? CLUMP_OK : CLUMP_IO_DAMAGED(source, "there are no classes in it");
}

static clump_status parse(const clump_io_source *source, clump_class_table *out)
{
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(&source->where, 0);
    const clump_status status = parse_lines(source, out);
    clump_io_locale_leave(&locale);
    if (status != CLUMP_OK) clump_class_table_free(out);
    return status;
}

clump_status clump_class_table_parse(const void *bytes, size_t size, const char *name, clump_class_table *out,
                                     clump_message *message)
{
    const clump_io_source source = {.bytes = bytes, .size = size, .where = {name ? name : "classes", message}};
    if (message) message->text[0] = 0;
    if (!out || (!bytes && size))
        return clump_io_fail(&source.where, CLUMP_ERR_ARGUMENT, "clump_class_table_parse: bytes or out is null");
    *out = (clump_class_table){0};
    return parse(&source, out);
}

/* Copies a built-in table. */
static clump_status copy_builtin(const clump_io_source *source, const clump_class *rows, size_t count,
                                 clump_class_table *out)
{
    out->rows = clump_io_allocate(count * sizeof *rows);
    if (!out->rows) return clump_io_no_memory(&source->where, count * sizeof *rows);
    memcpy(out->rows, rows, count * sizeof *rows);
    out->count = count;
    return CLUMP_OK;
}

clump_status clump_class_table_load(const char *path, clump_class_table *out, clump_message *message)
{
    clump_io_source source = {.where = {path, message}};
    if (message) message->text[0] = 0;
    if (!path || !out)
        return clump_io_fail(&source.where, CLUMP_ERR_ARGUMENT, "clump_class_table_load: path or out is null");
    *out = (clump_class_table){0};
    size_t count;
    const clump_class *const rows = clump_classes_builtin(path, &count);
    if (rows) return copy_builtin(&source, rows, count, out);
    if (clump_io_is_dash(path)) source.where.name = "standard input";
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open(&source.where, path, &stream));
    source.bytes = stream.data;
    source.size = stream.size;
    source.stream = &stream;
    clump_status status = clump_io_require_all(&source);
    if (status == CLUMP_OK) status = parse(&source, out);
    clump_io_stream_close(&stream);
    return status;
}

void clump_class_table_free(clump_class_table *table)
{
    if (!table) return;
    free(table->rows);
    *table = (clump_class_table){0};
}
