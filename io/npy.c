/* SPDX-License-Identifier: BSD-3-Clause
 *
 * npy.c: NumPy arrays, one a file.
 *
 *     93 'NUMPY'  major minor  header length (2 bytes, from version 2 on 4)
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (1000, 4), }       padded with spaces
 *     the numbers
 *
 * Read: N x 3 or wider, float32 or float64, either byte order. The first three columns are the
 * coordinates; a single further one is "intensity", more are "column4", "column5" ...
 * Written: float32 N x 3, followed by the cloud's fields if all of them are single float32; or,
 * with labels, the labels alone as int32 of shape (N,).
 */
#include "format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct array {
    const unsigned char *data;
    size_t rows, columns;
    size_t item; /* 4 or 8 */
    bool swapped, fortran;
} array;

static bool sniff(const unsigned char *bytes, size_t size)
{
    return size >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

/* Where the value of 'key' begins in [p, end), or null. */
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

/* "(1000, 4)": up to two numbers; returns how many there are, -1 if it is no such thing. */
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

static clump_status read_header(const clump_io_source *source, array *a)
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
    const char *text = (const char *)b + start, *end = text + length;

    const char *type = find_value(text, end, "descr"), *order = find_value(text, end, "fortran_order");
    const char *shape_text = find_value(text, end, "shape");
    if (!type || !order || !shape_text)
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT,
                             "byte %zu: the NumPy header lacks descr, fortran_order or shape", start);
    const bool quoted = end - type >= 5 && (*type == '\'' || *type == '"') && type[4] == *type;
    if (!quoted || type[2] != 'f' || (type[3] != '4' && type[3] != '8') || !strchr("<>=", type[1]) || !type[1]) {
        const char *stop = type;
        while (stop < end && *stop != ',' && *stop != '}') stop++;
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the array is of type %s, only float32 and float64 are supported",
                             clump_io_quote(type, (size_t)(stop - type)).text);
    }
    a->item = type[3] == '4' ? 4 : 8;
    a->swapped = type[1] == '>';
    a->fortran = *order == 'T';
    size_t shape[2] = {0, 0};
    const int dimensions = read_shape(shape_text, end, shape);
    if (dimensions != 2 || shape[1] < 3) {
        const char *stop = shape_text;
        while (stop < end && *stop != ')') stop++;
        stop += stop < end;
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "the array has shape %s, not N x 3 or wider",
                             clump_io_quote(shape_text, (size_t)(stop - shape_text)).text);
    }
    a->rows = shape[0];
    a->columns = shape[1];
    a->data = (const unsigned char *)end;
    const size_t left = source->size - start - length;
    size_t bytes;
    if (!clump_io_multiply(a->rows, a->columns, &bytes) || !clump_io_multiply(bytes, a->item, &bytes) || bytes > left)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED,
                             "the array has shape (%zu, %zu), but from byte %zu on there are only %zu bytes", a->rows,
                             a->columns, start + length, left);
    return CLUMP_OK;
}

/* Column c, as it is in the file but in our byte order: out[0], out[stride], ... */
static void read_column(const array *a, size_t c, unsigned char *out, size_t stride)
{
    const size_t step = (a->fortran ? 1 : a->columns) * a->item;
    const unsigned char *in = a->data + (a->fortran ? c * a->rows : c) * a->item;
    for (size_t i = 0; i < a->rows; i++, in += step, out += stride) {
        if (a->swapped)
            for (size_t k = 0; k < a->item; k++) out[k] = in[a->item - 1 - k];
        else if (a->item == 4)
            memcpy(out, in, 4);
        else
            memcpy(out, in, 8);
    }
}

static clump_status read_coordinates(const clump_io_source *source, const array *a, clump_cloud *cloud)
{
    if (a->item == 4) {
        for (size_t c = 0; c < 3; c++) read_column(a, c, (unsigned char *)(cloud->xyz + c), 12);
        return CLUMP_OK;
    }
    cloud->info.xyz_type = CLUMP_TYPE_F64;
    double *xyz = malloc(a->rows * 24 + 1); /* as many bytes as the file has */
    if (!xyz) return clump_io_no_memory(&source->where, a->rows * 24);
    for (size_t c = 0; c < 3; c++) read_column(a, c, (unsigned char *)(xyz + c), 24);
    clump_io_cloud_set_xyz64(cloud, xyz);
    free(xyz);
    return CLUMP_OK;
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    array a = {0};
    clump_status status = read_header(source, &a);
    if (status == CLUMP_OK) status = clump_io_cloud_resize(&source->where, cloud, a.rows);
    if (status == CLUMP_OK) status = read_coordinates(source, &a, cloud);
    if (status != CLUMP_OK) return status;
    cloud->info.encoding = CLUMP_ENCODING_BINARY;
    /* Without rows nothing stands behind the number of columns: (0, 10^18) is no reason to make 10^18 fields. */
    for (size_t c = 3; c < a.columns && a.rows; c++) {
        char name[32];
        snprintf(name, sizeof name, "column%zu", c + 1);
        const char *chosen = a.columns == 4 ? "intensity" : name;
        void *data;
        status = clump_io_cloud_add_field(&source->where, cloud, chosen, strlen(chosen),
                                          a.item == 4 ? CLUMP_TYPE_F32 : CLUMP_TYPE_F64, 1, &data);
        if (status != CLUMP_OK) return status;
        read_column(&a, c, data, a.item);
    }
    return CLUMP_OK;
}

/* Version 1; the numbers begin at a multiple of 64. */
static void put_header(clump_io_sink *sink, const char *type, size_t rows, size_t columns)
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

static clump_status write_cloud(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    if (output->labels) {
        put_header(sink, "<i4", cloud->count, 0);
        clump_io_put(sink, output->labels, cloud->count * sizeof(int32_t));
        return CLUMP_OK;
    }
    bool alike = true;
    for (size_t f = 0; f < output->field_count; f++)
        alike = alike && output->fields[f].type == CLUMP_TYPE_F32 && output->fields[f].count == 1;
    const size_t extra = alike ? output->field_count : 0;
    put_header(sink, "<f4", cloud->count, 3 + extra);
    for (size_t i = 0; i < cloud->count; i++) {
        float xyz[3];
        for (int a = 0; a < 3; a++) xyz[a] = clump_io_coordinate32(cloud, i, a);
        clump_io_put(sink, xyz, sizeof xyz);
        for (size_t f = 0; f < extra; f++) clump_io_put(sink, (const float *)output->fields[f].data + i, sizeof(float));
    }
    return CLUMP_OK;
}

const clump_io_format clump_io_npy = {
    .format = CLUMP_FORMAT_NPY,
    .name = "npy",
    .extensions = {"npy"},
    .binary = true,
    .sniff = sniff,
    .parse = parse,
    .write = write_cloud,
};
