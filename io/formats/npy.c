/* SPDX-License-Identifier: BSD-3-Clause
 *
 * npy.c: NumPy arrays, one per file.
 *
 *     93 'NUMPY'  major minor  header length (2 bytes, from version 2 on 4)
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (1000, 4), }       padded with spaces
 *     the numbers
 *
 * Read: N x 3 or wider, float32 or float64, either byte order. The first three columns are the
 * coordinates; a single further one is "intensity", more are "column4", "column5" ...
 * Written: N x (3 + k), the k elements of the cloud's fields behind the coordinates. float32 if it can
 * hold every number, else float64, which holds all but 64-bit integers: such fields are left out.
 * Or, with labels, the labels alone as int32 of shape (N,).
 */
#include "records.h"

#include "common/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NPY_LONGEST_HEADER ((size_t)16 << 20) /* bytes */

typedef struct array {
    const unsigned char *data;
    size_t rows, columns; /* labels: 1 */
    size_t item;          /* bytes: 4 or 8 */
    bool swapped, fortran;
} array;

static bool sniff(const unsigned char *bytes, size_t size)
{
    return size >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

/* Returns where the value of 'key' begins in [p, end), or null. */
static const char *find_value(const char *p, const char *end, const char *key)
{
    const size_t length = strlen(key);
    for (; (size_t)(end - p) > length + 2; p++) {
        if ((*p != '\'' && *p != '"') || memcmp(p + 1, key, length) != 0 || p[length + 1] != *p) continue;
        for (p += length + 2; p < end && (*p == ' ' || *p == ':'); p++) continue;
        return p < end ? p : NULL;
    }
    return NULL;
}

/* Reads "(1000, 4)" and returns how many numbers it has; stores up to two. -1: it is no shape. */
static int read_shape(const char *p, const char *end, size_t shape[2])
{
    int dimensions = 0;
    if (p == end || *p++ != '(') return -1;
    for (;;) {
        while (p < end && (*p == ' ' || *p == ',')) p++;
        if (p == end) return -1;
        if (*p == ')') return dimensions;
        if (*p < '0' || *p > '9') return -1;
        size_t value = 0;
        for (; p < end && *p >= '0' && *p <= '9'; p++)
            if (__builtin_mul_overflow(value, 10u, &value) || __builtin_add_overflow(value, (size_t)(*p - '0'), &value))
                return -1;
        if (p < end && *p == 'L') p++; /* Python 2 */
        if (dimensions < 2) shape[dimensions] = value;
        dimensions++;
    }
}

/* Checks that all rows are in the file. With the option partial, reduces their number. In Fortran order that is
 * impossible: the last columns are missing. cloud is null for labels. */
static clump_status check_rows(const clump_io_source *source, size_t at, clump_cloud *cloud, array *a)
{
    static const char sentence[] = "the array is %zu x %zu, but from byte %zu on there are only %zu bytes";
    const size_t left = source->size - at, announced = a->rows;
    size_t row, bytes;
    const bool fits = clump_io_multiply(a->columns, a->item, &row);
    if (fits && clump_io_multiply(row, a->rows, &bytes) && bytes <= left) return CLUMP_OK;
    if (!fits || !cloud || a->fortran) return CLUMP_IO_TRUNCATED(source, sentence, announced, a->columns, at, left);
    a->rows = row ? left / row : 0;
    return clump_io_cut(source, cloud, a->rows, announced, sentence, announced, a->columns, at, left);
}

/* Reads the header. kind is 'f' for points, N x 3 or wider, or 'i' for labels, (N,). cloud is null for labels. */
static clump_status read_header(const clump_io_source *source, char kind, clump_cloud *cloud, array *a)
{
    const unsigned char *b = source->bytes;
    const clump_io_where *where = &source->where;
    if (!sniff(b, source->size)) return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "byte 0: no NumPy file");
    if (source->size < 12)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "the NumPy header ends at byte %zu", source->size);
    if (b[6] < 1 || b[6] > 3)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "byte 6: NumPy format version %d is not 1, 2 or 3", b[6]);
    const size_t start = b[6] == 1 ? 10 : 12;
    size_t length = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (length > source->size - start)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "the NumPy header of %zu bytes ends at byte %zu", length,
                             source->size);
    if (length > NPY_LONGEST_HEADER)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the NumPy header has %zu bytes, more than any array needs", length);
    CLUMP_IO_TRY(clump_io_require(source, 0, start + length));
    const char *text = (const char *)b + start, *end = text + length;

    const char *type = find_value(text, end, "descr"), *order = find_value(text, end, "fortran_order");
    const char *shape_text = find_value(text, end, "shape");
    if (!type || !order || !shape_text)
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT,
                             "byte %zu: the NumPy header lacks descr, fortran_order or shape", start);
    const bool quoted = end - type >= 5 && (*type == '\'' || *type == '"') && type[4] == *type;
    if (!quoted || type[2] != kind || (type[3] != '4' && type[3] != '8') || !strchr("<>=", type[1]) || !type[1]) {
        const char *stop = type, last = *type == '[' ? ']' : ',';
        while (stop < end && *stop != last && *stop != '}') stop++;
        stop += stop < end && last == ']';
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the array is of type %s, only %s32 and %s64 are supported",
                             clump_io_quote(type, (size_t)(stop - type)).text, kind == 'f' ? "float" : "int",
                             kind == 'f' ? "float" : "int");
    }
    a->item = type[3] == '4' ? 4 : 8;
    a->swapped = type[1] == '>';
    a->fortran = *order == 'T';
    size_t shape[2] = {0, 0};
    const int dimensions = read_shape(shape_text, end, shape);
    if (kind == 'f' ? dimensions != 2 || shape[1] < 3 : dimensions != 1) {
        const char *stop = shape_text;
        while (stop < end && *stop != ')') stop++;
        stop += stop < end;
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "the array has shape %s, not %s",
                             clump_io_quote(shape_text, (size_t)(stop - shape_text)).text,
                             kind == 'f' ? "N x 3 or wider" : "(N,)");
    }
    a->rows = shape[0];
    a->columns = dimensions == 1 ? 1 : shape[1];
    a->data = (const unsigned char *)end;
    return check_rows(source, start + length, cloud, a);
}

/* Notes an array that may have points as columns: few rows of many numbers. */
static void note_transposed(const array *a, clump_cloud *cloud)
{
    enum { MOST_ROWS = 8, LEAST_COLUMNS = 32 };
    if (a->rows < 3 || a->rows > MOST_ROWS || a->columns < LEAST_COLUMNS) return;
    clump_io_note(cloud,
                  "the array is %zu x %zu: %zu points with %zu fields each; if it has a point in every column, "
                  "transpose it first: numpy.save(name, array.T)",
                  a->rows, a->columns, a->rows, a->columns - 3);
}

/* Copies column c, in native byte order, to out[0], out[stride], ... */
static void read_column(const array *a, size_t c, unsigned char *out, size_t stride)
{
    CLUMP_ASSERT(c < a->columns);
    const size_t step = (a->fortran ? 1 : a->columns) * a->item;
    const unsigned char *in = a->data + (a->fortran ? c * a->rows : c) * a->item;
    for (size_t i = 0; i < a->rows; i++, in += step, out += stride) {
        if (a->swapped && a->item == 4)
            for (size_t k = 0; k < 4; k++) out[k] = in[3 - k];
        else if (a->swapped)
            for (size_t k = 0; k < 8; k++) out[k] = in[7 - k];
        else if (a->item == 4)
            memcpy(out, in, 4);
        else
            memcpy(out, in, 8);
    }
}

/* Whether the coordinates are float32 numbers below 131072. A single other column may have made the array float64;
 * such coordinates get no origin. */
bool clump_io_npy_are_floats(const double *xyz, size_t count)
{
    bool floats = true;
    for (size_t i = 0; i < count && floats; i++)
        floats = ((double)(float)xyz[i] == xyz[i] && fabs(xyz[i]) < 131072) || !isfinite(xyz[i]);
    return floats;
}

static clump_status read_coordinates(const clump_io_source *source, const array *a, clump_cloud *cloud)
{
    if (a->item == 4) {
        for (size_t c = 0; c < 3; c++) read_column(a, c, (unsigned char *)(cloud->xyz + c), 12);
        return CLUMP_OK;
    }
    cloud->info.xyz_type = CLUMP_TYPE_F64;
    double *xyz = clump_io_allocate(a->rows * 24); /* as many bytes as the file has */
    if (!xyz) return clump_io_no_memory(&source->where, a->rows * 24);
    for (size_t c = 0; c < 3; c++) read_column(a, c, (unsigned char *)(xyz + c), 24);
    if (clump_io_npy_are_floats(xyz, 3 * a->rows)) {
        for (size_t i = 0; i < 3 * a->rows; i++) cloud->xyz[i] = (float)xyz[i];
        free(xyz);
    } else {
        clump_io_cloud_take_xyz64(cloud, xyz);
    }
    return CLUMP_OK;
}

/* Writes the name of column c, from 0. */
static void name_column(char name[32], const array *a, size_t c)
{
    CLUMP_ASSERT(c < a->columns);
    if (a->columns == 4)
        snprintf(name, 32, "intensity");
    else
        snprintf(name, 32, "column%zu", c + 1);
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    array a = {0};
    CLUMP_IO_TRY(read_header(source, 'f', cloud, &a));
    note_transposed(&a, cloud);
    CLUMP_IO_TRY(clump_io_cloud_resize(&source->where, cloud, a.rows));
    CLUMP_IO_TRY(read_coordinates(source, &a, cloud));
    cloud->info.encoding = CLUMP_ENCODING_BINARY;
    const size_t used = (size_t)(a.data - source->bytes) + a.rows * a.columns * a.item;
    if (source->size > used && !source->partial)
        clump_io_note(cloud, "%zu bytes after the array are ignored", source->size - used);
    /* Without rows, the number of columns is unchecked: (0, 10^18) must not make 10^18 fields. */
    for (size_t c = 3; c < a.columns && a.rows; c++) {
        char name[32];
        name_column(name, &a, c);
        void *data;
        CLUMP_IO_TRY(clump_io_cloud_add_field(&source->where, cloud, name, strlen(name),
                                              a.item == 4 ? CLUMP_TYPE_F32 : CLUMP_TYPE_F64, 1, &data));
        read_column(&a, c, data, a.item);
    }
    return CLUMP_OK;
}

/* The names lie behind the columns, in the same memory. */
static clump_status describe(const clump_io_source *source, clump_cloud *cloud, clump_io_records *records)
{
    *records = (clump_io_records){0};
    array a = {0};
    CLUMP_IO_TRY(read_header(source, 'f', cloud, &a));
    if (!a.rows) a.columns = 3; /* without rows, their number is unchecked */
    if (a.columns > CLUMP_IO_MAX_FIELDS)
        return CLUMP_IO_UNSUPPORTED(source, "more than %d fields", CLUMP_IO_MAX_FIELDS);
    clump_io_column *columns = calloc(a.columns, sizeof *columns + 32);
    if (!columns) return clump_io_no_memory(&source->where, a.columns * (sizeof *columns + 32));
    char(*names)[32] = (char(*)[32])(columns + a.columns);
    for (size_t c = 0; c < a.columns; c++) {
        name_column(names[c], &a, c);
        columns[c] = (clump_io_column){.name = names[c],
                                       .name_size = strlen(names[c]),
                                       .type = a.item == 4 ? CLUMP_TYPE_F32 : CLUMP_TYPE_F64,
                                       .count = 1,
                                       .offset = (a.fortran ? c * a.rows : c) * a.item,
                                       .axis = c < 3 ? (int)c : -1};
    }
    cloud->info.encoding = CLUMP_ENCODING_BINARY;
    records->table = (clump_io_table){.columns = columns,
                                      .column_count = a.columns,
                                      .record = (a.fortran ? 1 : a.columns) * a.item,
                                      .swapped = a.swapped};
    records->at = (size_t)(a.data - source->bytes);
    records->count = a.rows;
    records->apart = a.fortran;
    return CLUMP_OK;
}

/* Writes a header of version 1. The numbers begin at a multiple of 64 bytes. */
void clump_io_npy_put_header(clump_io_sink *sink, const char *type, size_t rows, size_t columns)
{
    char text[192], shape[64];
    if (columns)
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns);
    else
        snprintf(shape, sizeof shape, "(%zu,)", rows);
    const int used = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    const size_t length = ((size_t)used + 1 + 10 + 63) / 64 * 64 - 10;
    memset(text + used, ' ', length - (size_t)used);
    text[length - 1] = '\n';
    const unsigned char begin[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, 0};
    clump_io_put(sink, begin, sizeof begin);
    clump_io_put(sink, text, length);
}

clump_status clump_io_npy_labels(const clump_io_source *source, int32_t **labels, size_t *count)
{
    array a = {0};
    CLUMP_IO_TRY(read_header(source, 'i', NULL, &a));
    int32_t *out = clump_io_allocate(a.rows * sizeof *out);
    if (!out) return clump_io_no_memory(&source->where, a.rows * sizeof *out);
    for (size_t i = 0; i < a.rows; i++) {
        unsigned char bytes[8] = {0};
        const array one = {a.data + i * a.item, 1, 1, a.item, a.swapped, false};
        read_column(&one, 0, bytes, a.item);
        int32_t narrow;
        int64_t value;
        memcpy(&narrow, bytes, sizeof narrow);
        memcpy(&value, bytes, sizeof value);
        if (a.item == 4) value = narrow;
        if (value < INT32_MIN || value > INT32_MAX) {
            free(out);
            return CLUMP_IO_UNSUPPORTED(source, "label %lld of point %zu is not an int32", (long long)value, i);
        }
        out[i] = (int32_t)value;
    }
    *labels = out;
    *count = a.rows;
    return CLUMP_OK;
}

/* --- writing -------------------------------------------------------------------------------- */

static bool fits_double(clump_type type)
{
    return type != CLUMP_TYPE_I64 && type != CLUMP_TYPE_U64;
}

/* Whether every element is a float32 number, so that the array need not be float64. */
static bool fits_float(const clump_field *field, size_t count)
{
    if (field->type == CLUMP_TYPE_F32 || clump_type_size(field->type) <= 2) return true;
    bool fits = true;
    for (size_t i = 0; i < count * field->count && fits; i++) {
        const double value = clump_io_value(field->type, field->data, i);
        fits = (double)(float)value == value || value != value;
    }
    return fits;
}

static void put_number(clump_io_sink *sink, bool wide, double value)
{
    const float narrow = (float)value;
    clump_io_put(sink, wide ? (const void *)&value : &narrow, wide ? sizeof value : sizeof narrow);
}

static clump_status write_cloud(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    if (output->labels) {
        clump_io_npy_put_header(sink, "<i4", cloud->count, 0);
        clump_io_put(sink, output->labels, cloud->count * sizeof(int32_t));
        return CLUMP_OK;
    }
    bool wide = clump_io_is_wide(cloud);
    size_t columns = 3;
    for (size_t f = 0; f < output->field_count; f++) {
        if (!fits_double(output->fields[f].type)) continue;
        columns += output->fields[f].count;
        wide = wide || !fits_float(&output->fields[f], cloud->count);
    }
    clump_io_npy_put_header(sink, wide ? "<f8" : "<f4", cloud->count, columns);
    for (size_t i = 0; i < cloud->count && !sink->error; i++) {
        for (int a = 0; a < 3; a++)
            put_number(sink, wide, wide ? clump_io_coordinate(cloud, i, a) : (double)cloud->xyz[3 * i + (size_t)a]);
        for (size_t f = 0; f < output->field_count; f++) {
            const clump_field *field = &output->fields[f];
            for (size_t k = 0; k < field->count && fits_double(field->type); k++)
                put_number(sink, wide, clump_io_value(field->type, field->data, i * field->count + k));
        }
        if ((i + 1) % CLUMP_IO_STRETCH == 0) clump_io_report(&output->progress, i + 1, cloud->count);
    }
    return CLUMP_OK;
}

const clump_io_format clump_io_format_npy = {
    .format = CLUMP_FORMAT_NPY,
    .name = "npy",
    .extensions = {"npy"},
    .encodings = CLUMP_IO_BINARY,
    .holds_points = true,
    .holds_labels = true,
    .sniff = sniff,
    .parse = parse,
    .describe = describe,
    .write = write_cloud,
};
