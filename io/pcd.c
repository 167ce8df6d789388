/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcd.c: the points of a PCD file, ascii and binary.
 *
 *     file     x y z i  x y z i  x y z i ...      a record a point, fields in any order and type
 *     cloud    x y z x y z ...   i i i ...        coordinates together, each field an array
 *
 * Every field becomes a column: where its elements go and how far apart. Coordinates that are all
 * float32 go straight to the cloud; any other type makes all three go through doubles, which the
 * cloud then turns into an origin and offsets.
 */
#include "pcd.h"
#include "number.h"

#include <stdlib.h>

typedef struct column {
    const clump_io_pcd_field *field;
    unsigned char *out; /* element 0 of point 0; null: skipped */
    size_t stride;      /* bytes from one point to the next */
} column;

typedef struct reader {
    const clump_io_source *source;
    clump_io_pcd_header header;
    clump_cloud *cloud;
    column *columns;
    double *xyz64; /* null: the coordinates are float32 */
} reader;

static clump_status make_columns(reader *r)
{
    const clump_io_where *where = &r->source->where;
    clump_cloud *cloud = r->cloud;
    bool wide = false;
    for (size_t i = 0; i < r->header.field_count; i++) {
        const clump_io_pcd_field *field = &r->header.fields[i];
        if (field->axis == 0 || (field->axis > 0 && field->type != CLUMP_TYPE_F32)) cloud->info.xyz_type = field->type;
        if (field->axis >= 0 && field->type != CLUMP_TYPE_F32) wide = true;
    }
    r->columns = calloc(r->header.field_count + 1, sizeof *r->columns);
    if (!r->columns) return clump_io_no_memory(where, r->header.field_count * sizeof *r->columns);
    if (wide) {
        size_t bytes;
        const bool fits = clump_io_multiply(cloud->count, 3 * sizeof(double), &bytes);
        r->xyz64 = fits ? malloc(bytes + 1) : NULL;
        if (!r->xyz64) return clump_io_no_memory(where, fits ? bytes : SIZE_MAX);
    }
    for (size_t i = 0; i < r->header.field_count; i++) {
        const clump_io_pcd_field *field = &r->header.fields[i];
        column *c = &r->columns[i];
        c->field = field;
        if (field->padding) continue;
        if (field->axis >= 0) {
            c->stride = 3 * (wide ? sizeof(double) : sizeof(float));
            c->out = wide ? (unsigned char *)(r->xyz64 + field->axis) : (unsigned char *)(cloud->xyz + field->axis);
            continue;
        }
        void *data;
        const clump_status status =
            clump_io_cloud_add_field(where, cloud, field->name, field->name_size, field->type, field->count, &data);
        if (status != CLUMP_OK) return status;
        c->stride = field->count * clump_type_size(field->type);
        c->out = data;
    }
    return CLUMP_OK;
}

/* --- binary --------------------------------------------------------------------------------- */

static void copy_strided(unsigned char *out, size_t out_stride, const unsigned char *in, size_t in_stride, size_t count,
                         size_t bytes)
{
/* A constant size lets the compiler make a plain move of memcpy. */
#define COPY(size)                                                                                                     \
    for (size_t i = 0; i < count; i++) memcpy(out + i * out_stride, in + i * in_stride, size);                         \
    break
    switch (bytes) {
    case 1:
        COPY(1);
    case 2:
        COPY(2);
    case 4:
        COPY(4);
    case 8:
        COPY(8);
    case 12:
        COPY(12);
    default:
        COPY(bytes);
    }
#undef COPY
}

/* A field of any type as doubles. */
static void widen_strided(double *out, const unsigned char *in, size_t in_stride, size_t count, clump_type type)
{
    const size_t size = clump_type_size(type);
    for (size_t i = 0; i < count; i++) {
        uint64_t element = 0; /* aligned for any type */
        memcpy(&element, in + i * in_stride, size);
        out[3 * i] = clump_io_value(type, &element, 0);
    }
}

static bool is_packed_xyz(const reader *r, size_t i)
{
    const clump_io_pcd_field *f = &r->header.fields[i];
    return !r->xyz64 && i + 2 < r->header.field_count && f[0].axis == 0 && f[1].axis == 1 && f[2].axis == 2;
}

/* In blocks of points that stay in the cache while every field takes its part of them. */
static void read_binary(const reader *r)
{
    const unsigned char *records = r->source->bytes + r->header.data_offset;
    const size_t record = r->header.record, block = record < 32768 ? 65536 / record : 1;
    for (size_t start = 0; start < r->header.points; start += block) {
        const size_t left = r->header.points - start, count = left < block ? left : block;
        for (size_t i = 0; i < r->header.field_count; i++) {
            const column *c = &r->columns[i];
            const unsigned char *in = records + start * record + c->field->offset;
            if (!c->out) continue;
            if (is_packed_xyz(r, i)) {
                copy_strided(c->out + start * c->stride, c->stride, in, record, count, 12);
                i += 2;
            } else if (c->field->axis >= 0 && r->xyz64) {
                widen_strided(r->xyz64 + 3 * start + c->field->axis, in, record, count, c->field->type);
            } else {
                copy_strided(c->out + start * c->stride, c->stride, in, record, count,
                             c->field->count * clump_type_size(c->field->type));
            }
        }
    }
}

static clump_status check_binary(const reader *r)
{
    const size_t left = r->source->size - r->header.data_offset, fit = left / r->header.record;
    if (r->header.points > fit)
        return clump_io_fail(&r->source->where, CLUMP_ERR_IO_TRUNCATED,
                             "POINTS is %zu of %zu bytes each, but from byte %zu on there are %zu bytes for %zu points",
                             r->header.points, r->header.record, r->header.data_offset, left, fit);
    const size_t more = left - r->header.points * r->header.record;
    if (more) clump_io_note(r->cloud, "%zu bytes after the last point are ignored", more);
    return CLUMP_OK;
}

/* --- ascii ---------------------------------------------------------------------------------- */

static bool store_integer(const clump_io_number *n, clump_type type, unsigned char *out)
{
    static const int64_t lowest[] = {INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0, INT64_MIN, 0};
    static const uint64_t highest[] = {INT8_MAX,  UINT8_MAX,  INT16_MAX, UINT16_MAX,
                                       INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    int64_t value = 0;
    uint64_t bits;
    if (lowest[type]) {
        if (!clump_io_to_signed(n, lowest[type], (int64_t)highest[type], &value)) return false;
        bits = (uint64_t)value;
    } else if (!clump_io_to_unsigned(n, highest[type], &bits)) {
        return false;
    }
    memcpy(out, &bits, clump_type_size(type)); /* little-endian: the low bytes come first */
    return true;
}

static inline bool store(const clump_io_number *n, clump_type type, unsigned char *out)
{
    if (type == CLUMP_TYPE_F32) {
        const float value = clump_io_to_float(n);
        memcpy(out, &value, sizeof value);
        return true;
    }
    if (type == CLUMP_TYPE_F64) {
        const double value = clump_io_to_double(n);
        memcpy(out, &value, sizeof value);
        return true;
    }
    return store_integer(n, type, out);
}

static clump_status bad_word(const reader *r, size_t line, const column *c, const char *p, const char *end)
{
    const char *stop = p;
    while (stop < end && !clump_io_is_blank(*stop)) stop++;
    const clump_io_quoted text = clump_io_quote(p, (size_t)(stop - p));
    clump_io_number n;
    const bool number = clump_io_scan(p, end, &n) && n.end == stop;
    return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT,
                         number ? "line %zu: \"%s\" does not fit field %s"
                                : "line %zu: \"%s\" is not a number (field %s)",
                         line, text.text, clump_io_quote(c->field->name, c->field->name_size).text);
}

static clump_status read_line(const reader *r, size_t line, size_t point, const char *p, const char *end)
{
    size_t words = 0;
    for (size_t i = 0; i < r->header.field_count; i++) {
        const column *c = &r->columns[i];
        const bool wide = c->field->axis >= 0 && r->xyz64;
        const clump_type type = wide ? CLUMP_TYPE_F64 : c->field->type;
        const size_t size = clump_type_size(type);
        unsigned char *out = c->out ? c->out + point * c->stride : NULL;
        for (uint32_t k = 0; k < c->field->count; k++, words++) {
            while (p < end && clump_io_is_blank(*p)) p++;
            if (p == end)
                return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT, "line %zu: %zu values instead of %zu",
                                     line, words, r->header.elements);
            if (!out) {
                while (p < end && !clump_io_is_blank(*p)) p++;
                continue;
            }
            clump_io_number n;
            if (!clump_io_scan(p, end, &n) || (n.end < end && !clump_io_is_blank(*n.end)) ||
                !store(&n, type, out + k * size))
                return bad_word(r, line, c, p, end);
            p = n.end;
        }
    }
    while (p < end && clump_io_is_blank(*p)) p++;
    if (p < end)
        return clump_io_fail(&r->source->where, CLUMP_ERR_IO_FORMAT, "line %zu: more than %zu values", line,
                             r->header.elements);
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
        if (!stop) stop = end;
        if (!is_empty(p, stop)) {
            if (point == r->header.points) {
                clump_io_note(r->cloud, "line %zu and what follows come after the last point and are ignored", line);
                return CLUMP_OK;
            }
            const clump_status status = read_line(r, line, point++, p, stop);
            if (status != CLUMP_OK) return status;
        }
        p = stop < end ? stop + 1 : end;
    }
    if (point < r->header.points)
        return clump_io_fail(&r->source->where, CLUMP_ERR_IO_TRUNCATED, "POINTS is %zu, but the file ends after %zu",
                             r->header.points, point);
    return CLUMP_OK;
}

/* A value takes two bytes at least, itself and a space, so few bytes cannot hold many points. */
static clump_status check_ascii(const reader *r)
{
    const size_t left = r->source->size - r->header.data_offset, fit = (left + 1) / 2 / r->header.elements;
    if (r->header.points <= fit) return CLUMP_OK;
    return clump_io_fail(&r->source->where, CLUMP_ERR_IO_TRUNCATED,
                         "POINTS is %zu of %zu values each, more than the %zu bytes from line %zu on can hold",
                         r->header.points, r->header.elements, left, r->header.data_line);
}

/* -------------------------------------------------------------------------------------------- */

static clump_status read_points(reader *r)
{
    if (r->header.data == CLUMP_IO_PCD_COMPRESSED)
        return clump_io_fail(&r->source->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "PCD with DATA binary_compressed is not supported; convert it to binary");
    const bool ascii = r->header.data == CLUMP_IO_PCD_ASCII;
    r->cloud->info.encoding = ascii ? CLUMP_ENCODING_ASCII : CLUMP_ENCODING_BINARY;
    clump_status status = ascii ? check_ascii(r) : check_binary(r);
    if (status == CLUMP_OK) status = clump_io_cloud_resize(&r->source->where, r->cloud, r->header.points);
    if (status == CLUMP_OK) status = make_columns(r);
    if (status == CLUMP_OK && ascii) status = read_ascii(r);
    if (status != CLUMP_OK) return status;
    if (!ascii) read_binary(r);
    if (r->xyz64) clump_io_cloud_set_xyz64(r->cloud, r->xyz64);
    clump_cloud_set_shape(r->cloud, r->header.width, r->header.height, r->header.viewpoint);
    return CLUMP_OK;
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    reader r = {.source = source, .cloud = cloud};
    clump_status status = clump_io_pcd_header_parse(source, &r.header);
    if (status != CLUMP_OK) return status;
    status = read_points(&r);
    free(r.columns);
    free(r.xyz64);
    clump_io_pcd_header_free(&r.header);
    return status;
}

const clump_io_format clump_io_pcd = {
    .format = CLUMP_FORMAT_PCD,
    .name = "pcd",
    .extensions = {"pcd"},
    .ascii = true,
    .binary = true,
    .sniff = clump_io_pcd_sniff,
    .parse = parse,
    .write = clump_io_pcd_write,
};
