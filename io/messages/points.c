/* SPDX-License-Identifier: BSD-3-Clause
 *
 * points.c: sensor_msgs/PointCloud2 -> cloud.
 *
 *     header, height, width, fields[] {name, offset, datatype, count}, is_bigendian, point_step, row_step,
 *     data[], is_dense
 *
 * The fields become columns of io/records.h, whose loops copy them. All is checked before memory is taken: a message
 * costs memory in proportion to its bytes.
 */
#include "messages/cursor.h"
#include "common/assert.h"
#include "format.h"
#include "records.h"

#include <stddef.h>

enum {
    POINTS_MAX_FIELDS = 256, /* on the stack: nothing is allocated per frame */
    POINTS_FIELD_BYTES = 13, /* the least that a field takes in a message */
    POINTS_MAX_OVERLAP = 8   /* the fields of a point may be this many times its bytes, since fields may overlap */
};

/* What a message says of its points. */
typedef struct points_layout {
    uint32_t height, width, step, row_step;
    bool big_endian;
    const unsigned char *data;
    size_t size; /* bytes of data there are */
    size_t announced;
    size_t field_count, left_out;
    clump_io_quoted first_left_out;
    clump_io_column columns[POINTS_MAX_FIELDS]; /* in the order of the message; x y z among them */
    bool has_axis[3];
} points_layout;

static bool type_of(uint8_t datatype, clump_type *type)
{
    static const clump_type types[] = {CLUMP_TYPE_I8,  CLUMP_TYPE_U8,  CLUMP_TYPE_I16, CLUMP_TYPE_U16,
                                       CLUMP_TYPE_I32, CLUMP_TYPE_U32, CLUMP_TYPE_F32, CLUMP_TYPE_F64};
    if (datatype < 1 || datatype > 8) return false;
    *type = types[datatype - 1];
    return true;
}

static void read_field(clump_io_cursor *cursor, points_layout *layout)
{
    clump_io_column column = {.axis = -1};
    column.name = clump_io_cursor_text(cursor, &column.name_size);
    column.offset = clump_io_cursor_u32(cursor);
    const uint8_t datatype = clump_io_cursor_u8(cursor);
    column.count = clump_io_cursor_u32(cursor);
    if (cursor->failed) return;
    if (column.count == 0) column.count = 1; /* old versions of PCL write 0 */
    if (!type_of(datatype, &column.type)) column.skip = true;
    if (column.name_size == 0) column.name = "unnamed", column.name_size = 7;
    column.out_type = column.type;
    CLUMP_ASSERT(layout->field_count < POINTS_MAX_FIELDS);
    layout->columns[layout->field_count++] = column;
}

static clump_status refuse_encoding(const clump_io_where *where, const clump_io_encoded *message)
{
    if (message->size < CURSOR_CDR_HEAD)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "message of %zu bytes has no CDR header", message->size);
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                         "message has the encoding %02x %02x, which is not plain CDR (00 00 or 00 01)",
                         message->bytes[0], message->bytes[1]);
}

/* Reads all members. Data that is cut is taken as far as it goes. */
static clump_status read_layout(const clump_io_where *where, const clump_io_encoded *message, points_layout *layout,
                                clump_frame *frame)
{
    clump_io_cursor cursor;
    if (!clump_io_cursor_open(&cursor, message)) return refuse_encoding(where, message);
    frame->stamp = clump_io_cursor_header(&cursor, frame->frame_id);
    layout->height = clump_io_cursor_u32(&cursor);
    layout->width = clump_io_cursor_u32(&cursor);
    const uint32_t fields = clump_io_cursor_u32(&cursor);
    if (!cursor.failed && fields > (cursor.size - cursor.at) / POINTS_FIELD_BYTES) cursor.failed = true;
    if (!cursor.failed && fields > POINTS_MAX_FIELDS)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "PointCloud2 has %lu fields, more than %d",
                             (unsigned long)fields, POINTS_MAX_FIELDS);
    for (uint32_t i = 0; i < fields && !cursor.failed; i++) read_field(&cursor, layout);
    layout->big_endian = clump_io_cursor_u8(&cursor) != 0;
    layout->step = clump_io_cursor_u32(&cursor);
    layout->row_step = clump_io_cursor_u32(&cursor);
    layout->announced = clump_io_cursor_u32(&cursor);
    if (cursor.failed)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "PointCloud2 of %zu bytes ends before its points",
                             message->size);
    const size_t rest = cursor.size - cursor.at;
    layout->size = layout->announced < rest ? layout->announced : rest;
    layout->data = cursor.bytes + cursor.at;
    return CLUMP_OK;
}

/* Marks fields that cannot be read as skipped, and finds x, y and z. Of two fields of one axis the first counts. */
static void choose_columns(points_layout *layout)
{
    for (size_t i = 0; i < layout->field_count; i++) {
        clump_io_column *const c = &layout->columns[i];
        const uint64_t bytes = c->skip ? 0 : (uint64_t)c->count * clump_type_size(c->type);
        const int axis = clump_io_axis(c->name, c->name_size);
        c->skip = c->skip || c->count > CLUMP_IO_MAX_FIELDS || bytes > layout->step ||
                  c->offset > layout->step - bytes || (axis >= 0 && (c->count != 1 || layout->has_axis[axis]));
        if (c->skip) {
            if (layout->left_out++ == 0) layout->first_left_out = clump_io_quote(c->name, c->name_size);
            continue;
        }
        c->axis = axis;
        if (axis >= 0) layout->has_axis[axis] = true;
    }
}

static clump_status check_columns(const clump_io_where *where, const points_layout *layout)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < layout->field_count; i++)
        if (!layout->columns[i].skip) bytes += layout->columns[i].count * clump_type_size(layout->columns[i].type);
    if (bytes > (uint64_t)POINTS_MAX_OVERLAP * layout->step)
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "PointCloud2 has fields of %llu bytes in points of %lu bytes",
                             (unsigned long long)bytes, (unsigned long)layout->step);
    for (int axis = 0; axis < 3; axis++)
        if (!layout->has_axis[axis])
            return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "PointCloud2 has no field %c that lies within its points",
                                 "xyz"[axis]);
    return CLUMP_OK;
}

/* Sets *stride to the bytes from row to row and *count to the whole points there are. Rows may be padded, the last one
 * need not be. A row_step that is too small is ignored where the data has the size of points without padding. */
static clump_status measure_rows(const clump_io_where *where, const points_layout *layout, size_t *stride,
                                 size_t *count)
{
    const uint64_t row = (uint64_t)layout->width * layout->step, rows = layout->height;
    *stride = rows > 1 && layout->row_step > row ? layout->row_step : (size_t)row;
    *count = 0;
    if (row == 0 || rows == 0) return CLUMP_OK;
    if (rows > 1 && layout->row_step < row && layout->row_step != 0 && layout->announced / rows < row)
        return clump_io_fail(
            where, CLUMP_ERR_IO_FORMAT, "PointCloud2 has rows of %lu bytes for %lu points of %lu bytes",
            (unsigned long)layout->row_step, (unsigned long)layout->width, (unsigned long)layout->step);
    const uint64_t whole = layout->size / *stride, last = layout->size - whole * *stride;
    if (whole >= rows)
        *count = (size_t)(rows * layout->width);
    else
        *count = (size_t)(whole * layout->width + (last < row ? last : row) / layout->step);
    return CLUMP_OK;
}

/* Gives the cloud its fields and points the columns to the memory. */
static clump_status prepare_cloud(const clump_io_where *where, clump_io_table *table, clump_cloud **cloud, size_t count)
{
    CLUMP_ASSERT(table->column_count <= POINTS_MAX_FIELDS);
    clump_io_shape shapes[POINTS_MAX_FIELDS];
    size_t shape_count = 0;
    bool wide = false;
    clump_type xyz_type = CLUMP_TYPE_F32;
    for (size_t i = 0; i < table->column_count; i++) {
        const clump_io_column *const c = &table->columns[i];
        if (c->axis >= 0 && c->type != CLUMP_TYPE_F32) wide = true, xyz_type = c->type;
        if (!c->skip && c->axis < 0) shapes[shape_count++] = (clump_io_shape){c->name, c->name_size, c->type, c->count};
    }
    CLUMP_IO_TRY(clump_io_cloud_prepare(where, cloud, shapes, shape_count, count ? count : 1));
    clump_io_cloud_set_count(*cloud, count);
    (*cloud)->info.xyz_type = xyz_type;
    if (wide) {
        const size_t bytes = (*cloud)->capacity * 3 * sizeof(double); /* no overflow: xyz of that capacity exists */
        table->xyz64 = (*cloud)->spare ? (*cloud)->spare : clump_io_allocate(bytes);
        (*cloud)->spare = NULL;
        if (!table->xyz64) return clump_io_no_memory(where, bytes);
    }
    size_t field = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        clump_io_column *const c = &table->columns[i];
        if (c->skip) continue;
        c->stride = c->axis >= 0 ? 3 * sizeof(float) : c->count * clump_type_size(c->type);
        c->out = c->axis >= 0 ? (unsigned char *)((*cloud)->xyz + c->axis) : clump_io_field_data(*cloud, field++);
    }
    return CLUMP_OK;
}

static void copy_rows(const clump_io_table *table, const points_layout *layout, size_t stride, size_t count)
{
    const size_t width = stride == (size_t)layout->width * layout->step ? count : layout->width;
    for (size_t first = 0, row = 0; first < count; first += width, row++)
        clump_io_table_read(table, layout->data + row * stride, first, count - first < width ? count - first : width);
}

static bool repeats_name(const clump_cloud *cloud)
{
    for (size_t i = 0; i < cloud->field_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(cloud->fields[i].name, cloud->fields[k].name) == 0) return true;
    return false;
}

static clump_status finish_cloud(const clump_io_where *where, clump_io_table *table, const points_layout *layout,
                                 size_t count, clump_cloud *cloud)
{
    clump_io_table_finish(table, cloud);
    if (count > 0 && count == (uint64_t)layout->width * layout->height && layout->height > 1)
        cloud->info.width = layout->width, cloud->info.height = layout->height;
    if (layout->left_out)
        clump_io_note(cloud, "%zu fields cannot be read and are left out, the first is %s", layout->left_out,
                      layout->first_left_out.text);
    return repeats_name(cloud) ? clump_io_cloud_separate_names(where, cloud) : CLUMP_OK;
}

clump_status clump_io_points_decode(const clump_io_where *where, const clump_io_encoded *message, clump_frame *frame)
{
    points_layout layout; /* large, and set member by member: the columns are not cleared */
    memset(&layout, 0, offsetof(points_layout, columns));
    memset(layout.has_axis, 0, sizeof layout.has_axis);
    CLUMP_IO_TRY(read_layout(where, message, &layout, frame));
    choose_columns(&layout);
    size_t stride, count;
    CLUMP_IO_TRY(measure_rows(where, &layout, &stride, &count));
    const uint64_t announced = (uint64_t)layout.width * layout.height;
    if (announced > 0 && layout.step == 0)
        return clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "PointCloud2 has %llu points of 0 bytes",
                             (unsigned long long)announced);
    if (announced > 0) CLUMP_IO_TRY(check_columns(where, &layout));

    clump_io_table table = {.columns = layout.columns,
                            .column_count = layout.field_count,
                            .record = layout.step,
                            .swapped = layout.big_endian};
    CLUMP_IO_TRY(prepare_cloud(where, &table, &frame->cloud, count));
    if (count > 0) copy_rows(&table, &layout, stride, count);
    CLUMP_IO_TRY(finish_cloud(where, &table, &layout, count, frame->cloud));
    if (count < announced)
        return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED, "PointCloud2 announces %llu points and has %zu",
                             (unsigned long long)announced, count);
    return CLUMP_OK;
}
