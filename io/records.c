/* SPDX-License-Identifier: BSD-3-Clause
 *
 * records.c: converts records to columns.
 *
 * Some records at a time stay in the cache while every column takes its part of them. So the file is read
 * from memory once, however many columns there are.
 */
#include "records.h"
#include "common/assert.h"

#include <math.h>
#include <stdlib.h>

#define RECORDS_CACHE_BYTES  32768               /* records that stay in the L1 cache */
#define RECORDS_WINDOW_BYTES ((size_t)256 << 10) /* half of a small L2 cache */

int clump_io_axis(const char *name, size_t size)
{
    static const char names[] = "xyzXYZ";
    const char *at = size == 1 ? memchr(names, name[0], 6) : NULL;
    return at ? (int)(at - names) % 3 : -1;
}

clump_status clump_io_table_prepare(const clump_io_where *where, clump_io_table *table, clump_cloud *cloud,
                                    size_t count)
{
    CLUMP_IO_TRY(clump_io_cloud_resize(where, cloud, count));
    bool wide = false;
    for (size_t i = 0; i < table->column_count; i++) {
        const clump_io_column *c = &table->columns[i];
        if (c->axis == 0 || (c->axis > 0 && c->type != CLUMP_TYPE_F32)) cloud->info.xyz_type = c->type;
        if (c->axis >= 0 && c->type != CLUMP_TYPE_F32) wide = true;
    }
    if (wide) {
        size_t bytes;
        const bool fits = clump_io_multiply(cloud->count, 3 * sizeof(double), &bytes);
        table->xyz64 = fits ? clump_io_allocate(bytes) : NULL;
        if (!table->xyz64) return clump_io_no_memory(where, fits ? bytes : SIZE_MAX);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        clump_io_column *c = &table->columns[i];
        c->out_type = c->type;
        if (c->skip) continue;
        if (c->axis >= 0) {
            if (wide) c->out_type = CLUMP_TYPE_F64;
            c->stride = 3 * clump_type_size(c->out_type);
            c->out = wide ? (unsigned char *)(table->xyz64 + c->axis) : (unsigned char *)(cloud->xyz + (size_t)c->axis);
            continue;
        }
        void *data;
        CLUMP_IO_TRY(clump_io_cloud_add_field(where, cloud, c->name, c->name_size, c->type, c->count, &data));
        c->stride = c->count * clump_type_size(c->type);
        c->out = data;
    }
    return CLUMP_OK;
}

/* Notes 64-bit integers that doubles round. */
static void note_rounded(const clump_io_table *table, clump_cloud *cloud)
{
    bool whole = false, rounded = false;
    for (size_t i = 0; i < table->column_count; i++) {
        const clump_io_column *c = &table->columns[i];
        whole = whole || (c->axis >= 0 && (c->type == CLUMP_TYPE_I64 || c->type == CLUMP_TYPE_U64));
    }
    for (size_t i = 0; whole && i < 3 * cloud->count && !rounded; i++) rounded = fabs(table->xyz64[i]) >= 0x1p53;
    if (rounded) clump_io_note(cloud, "64-bit coordinates beyond 2^53 are rounded");
}

void clump_io_table_finish(clump_io_table *table, clump_cloud *cloud)
{
    if (table->xyz64) note_rounded(table, cloud);
    if (table->xyz64) clump_io_cloud_take_xyz64(cloud, table->xyz64);
    table->xyz64 = NULL;
}

static void copy_strided(unsigned char *out, size_t out_stride, const unsigned char *in, size_t in_stride, size_t count,
                         size_t bytes)
{
    CLUMP_ASSERT(bytes >= 1);
/* A constant size lets the compiler turn memcpy into a plain move. Four moves per iteration hide the cost of the loop.
 * */
#define MOVE(size, k) memcpy(out + (k)*out_stride, in + (k)*in_stride, size)
#define COPY(size)                                                                                                     \
    for (; count >= 4; count -= 4, out += 4 * out_stride, in += 4 * in_stride)                                         \
        MOVE(size, 0), MOVE(size, 1), MOVE(size, 2), MOVE(size, 3);                                                    \
    for (; count; count--, out += out_stride, in += in_stride) MOVE(size, 0);                                          \
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
#undef MOVE
}

/* Swaps the bytes of an element of 2, 4 or 8 bytes. */
static inline void swap_element(unsigned char *to, const unsigned char *from, size_t size)
{
    CLUMP_ASSERT(size == 2 || size == 4 || size == 8);
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 2:
        memcpy(&two, from, 2);
        two = __builtin_bswap16(two);
        memcpy(to, &two, 2);
        break;
    case 4:
        memcpy(&four, from, 4);
        four = __builtin_bswap32(four);
        memcpy(to, &four, 4);
        break;
    default:
        memcpy(&eight, from, 8);
        eight = __builtin_bswap64(eight);
        memcpy(to, &eight, 8);
    }
}

static void copy_swapped(unsigned char *out, size_t out_stride, const unsigned char *in, size_t in_stride, size_t count,
                         size_t size, uint32_t elements)
{
#define SWAP(bytes)                                                                                                    \
    for (size_t i = 0; i < count; i++)                                                                                 \
        for (uint32_t k = 0; k < elements; k++)                                                                        \
            swap_element(out + i * out_stride + k * bytes, in + i * in_stride + k * bytes, bytes);                     \
    break
    switch (size) {
    case 2:
        SWAP(2);
    case 4:
        SWAP(4);
    default:
        SWAP(8);
    }
#undef SWAP
}

/* Converts coordinates of any type to doubles. */
static void widen_strided(double *out, const unsigned char *in, size_t in_stride, size_t count, clump_type type,
                          bool swapped)
{
    const size_t size = clump_type_size(type);
    if (type == CLUMP_TYPE_F64 && !swapped) {
        for (size_t i = 0; i < count; i++) memcpy(out + 3 * i, in + i * in_stride, sizeof *out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t element = 0; /* aligned for any type */
        if (swapped && size > 1)
            swap_element((unsigned char *)&element, in + i * in_stride, size);
        else
            memcpy(&element, in + i * in_stride, size);
        out[3 * i] = clump_io_value(type, &element, 0);
    }
}

void clump_io_column_read(const clump_io_table *table, const clump_io_column *column, const unsigned char *in,
                          size_t in_stride, size_t first, size_t count)
{
    CLUMP_ASSERT(clump_type_size(column->type) > 0);
    if (!column->out) return;
    unsigned char *out = column->out + first * column->stride;
    const size_t size = clump_type_size(column->type), bytes = column->count * size;
    if (column->axis >= 0 && table->xyz64)
        widen_strided(table->xyz64 + 3 * first + (size_t)column->axis, in, in_stride, count, column->type,
                      table->swapped);
    else if (table->swapped && size > 1)
        copy_swapped(out, column->stride, in, in_stride, count, size, column->count);
    else if (column->stride == bytes && in_stride == bytes)
        memcpy(out, in, count * bytes);
    else
        copy_strided(out, column->stride, in, in_stride, count, bytes);
}

/* Whether x, y and z are adjacent float32 in this order, which are copied as twelve bytes. */
static bool is_packed_xyz(const clump_io_table *table, size_t i)
{
    CLUMP_ASSERT(i < table->column_count);
    const clump_io_column *c = &table->columns[i];
    return !table->xyz64 && !table->swapped && i + 2 < table->column_count && c[0].axis == 0 && c[1].axis == 1 &&
           c[2].axis == 2 && c[1].offset == c[0].offset + 4 && c[2].offset == c[0].offset + 8;
}

void clump_io_table_read(const clump_io_table *table, const unsigned char *records, size_t first, size_t count)
{
    CLUMP_ASSERT(table->record >= 1);
    const size_t record = table->record, at_once = record < RECORDS_CACHE_BYTES / 2 ? RECORDS_CACHE_BYTES / record : 1;
    for (size_t done = 0; done < count; done += at_once) {
        const size_t left = count - done, now = left < at_once ? left : at_once;
        for (size_t i = 0; i < table->column_count; i++) {
            const clump_io_column *c = &table->columns[i];
            const unsigned char *in = records + done * record + c->offset;
            if (!c->out) continue;
            if (is_packed_xyz(table, i)) {
                if (record == 12)
                    memcpy(c->out + (first + done) * 12, in, now * 12);
                else
                    copy_strided(c->out + (first + done) * 12, 12, in, record, now, 12);
                i += 2;
            } else {
                clump_io_column_read(table, c, in, record, first + done, now);
            }
        }
    }
}

clump_status clump_io_each_piece(const clump_io_source *source, size_t at, size_t record, size_t count,
                                 clump_io_take_records *take_records, const void *user)
{
    CLUMP_ASSERT(record >= 1 && at <= source->size && count <= (source->size - at) / record);
    const size_t most = record < RECORDS_WINDOW_BYTES ? RECORDS_WINDOW_BYTES / record : 1;
    const bool streams = at + count * record > clump_io_loaded(source);
    unsigned char *window = streams ? malloc(most * record) : NULL;
    if (streams && !window) return clump_io_no_memory(&source->where, most * record);
    clump_status status = CLUMP_OK;
    for (size_t first = 0, now; first < count && status == CLUMP_OK; first += now) {
        const size_t left = count - first, stretch = CLUMP_IO_STRETCH - first % CLUMP_IO_STRETCH;
        now = left < most ? left : most;
        if (now > stretch) now = stretch;
        const size_t from = at + first * record;
        if (streams) status = clump_io_read(source, from, window, now * record);
        if (status == CLUMP_OK) take_records(user, streams ? window : source->bytes + from, first, now);
        if (now == stretch && now < left) clump_io_report(&source->progress, first + now, count);
    }
    free(window);
    return status;
}

static void take_points(const void *table, const unsigned char *records, size_t first, size_t count)
{
    clump_io_table_read(table, records, first, count);
}

clump_status clump_io_table_read_all(const clump_io_table *table, const clump_io_source *source, size_t at,
                                     size_t count)
{
    return clump_io_each_piece(source, at, table->record, count, take_points, table);
}
