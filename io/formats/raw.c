/* SPDX-License-Identifier: BSD-3-Clause
 *
 * raw.c: records without a header, whose columns the caller names.
 *
 *     xyz  xyzi  xyzirt  xyz_i          a letter per column, float32 each: intensity, ring, time; _ is skipped
 *     x,y,z,ring:u16,_:u16,time:f64     names, with a type where it is not float32
 *
 * Types: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, or as clump_type_name() has them. Numbers are little-endian and
 * packed; padding is a column _ of that size.
 */
#include "formats/plain.h"

#include <stdlib.h>

enum { RAW_MOST_COLUMNS = 64 };

static const struct {
    char letter;
    const char *name;
} letters[] = {{'x', "x"}, {'y', "y"}, {'z', "z"}, {'i', "intensity"}, {'r', "ring"}, {'t', "time"}, {'_', "_"}};

static clump_status wrong(const clump_io_source *source, const char *what, const char *text, size_t size)
{
    return clump_io_fail(&source->where, CLUMP_ERR_ARGUMENT, "columns %s: %s%s",
                         clump_io_quote(source->columns, strlen(source->columns)).text, clump_io_quote(text, size).text,
                         what);
}

static bool find_type(const char *text, size_t size, clump_type *type)
{
    static const char *const shorts[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};
    for (int t = CLUMP_TYPE_I8; t <= CLUMP_TYPE_F64; t++) {
        const char *const names[2] = {shorts[t], clump_type_name((clump_type)t)};
        for (int k = 0; k < 2; k++)
            if (strlen(names[k]) == size && memcmp(names[k], text, size) == 0) {
                *type = (clump_type)t;
                return true;
            }
    }
    return false;
}

static clump_status add(const clump_io_source *source, clump_io_table *table, const char *name, size_t size,
                        clump_type type)
{
    if (table->column_count == RAW_MOST_COLUMNS) return wrong(source, " is one column too many", name, size);
    const bool skip = size == 1 && name[0] == '_';
    table->columns[table->column_count++] = (clump_io_column){.name = name,
                                                              .name_size = size,
                                                              .type = type,
                                                              .count = 1,
                                                              .offset = table->record,
                                                              .axis = clump_io_axis(name, size),
                                                              .skip = skip};
    table->record += clump_type_size(type);
    return CLUMP_OK;
}

static clump_status read_letters(const clump_io_source *source, clump_io_table *table)
{
    clump_status status = CLUMP_OK;
    for (const char *p = source->columns; *p && status == CLUMP_OK; p++) {
        const char *name = NULL;
        for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
            if (letters[i].letter == *p) name = letters[i].name;
        if (!name) return wrong(source, " is none of the letters x y z i r t _", p, 1);
        status = add(source, table, name, strlen(name), CLUMP_TYPE_F32);
    }
    return status;
}

static clump_status read_list(const clump_io_source *source, clump_io_table *table)
{
    clump_status status = CLUMP_OK;
    for (const char *p = source->columns; status == CLUMP_OK; p++) {
        const size_t length = strcspn(p, ","), size = strcspn(p, ",:");
        clump_type type = CLUMP_TYPE_F32;
        if (size == 0) return wrong(source, " has no name", p, length);
        if (size < length && !find_type(p + size + 1, length - size - 1, &type))
            return wrong(source, " has no type of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64", p, length);
        status = add(source, table, p, size, type);
        p += length;
        if (!*p) break;
    }
    return status;
}

static clump_status check_axes(const clump_io_source *source, const clump_io_table *table)
{
    int seen[3] = {0};
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].axis >= 0) seen[table->columns[i].axis]++;
    for (int a = 0; a < 3; a++)
        if (seen[a] != 1) return wrong(source, seen[a] ? " is there twice" : " is missing", &"xyz"[a], 1);
    return CLUMP_OK;
}

/* Reads the columns into the table, which has room for them. */
static clump_status read_columns(const clump_io_source *source, clump_io_table *table)
{
    if (!source->columns)
        return clump_io_fail(&source->where, CLUMP_ERR_ARGUMENT,
                             "raw files do not say what their points are: give their columns, such as --columns xyzi");
    CLUMP_IO_TRY(strpbrk(source->columns, ",:") ? read_list(source, table) : read_letters(source, table));
    return check_axes(source, table);
}

static clump_status describe(const clump_io_source *source, clump_cloud *cloud, clump_io_records *records)
{
    *records = (clump_io_records){0};
    records->table.columns = calloc(RAW_MOST_COLUMNS, sizeof *records->table.columns);
    if (!records->table.columns)
        return clump_io_no_memory(&source->where, RAW_MOST_COLUMNS * sizeof *records->table.columns);
    CLUMP_IO_TRY(read_columns(source, &records->table));
    return clump_io_plain_count(source, cloud, "raw", clump_io_quote(source->columns, strlen(source->columns)).text,
                                &records->table, &records->count);
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    clump_io_column columns[RAW_MOST_COLUMNS];
    clump_io_table table = {.columns = columns};
    CLUMP_IO_TRY(read_columns(source, &table));
    return clump_io_plain_read_table(source, cloud, "raw",
                                     clump_io_quote(source->columns, strlen(source->columns)).text, &table);
}

const clump_io_format clump_io_format_raw = {
    .format = CLUMP_FORMAT_RAW,
    .name = "raw",
    .extensions = {NULL},
    .holds_points = true,
    .streams = true,
    .parse = parse,
    .describe = describe,
};
