/* SPDX-License-Identifier: BSD-3-Clause
 *
 * points_write.c: a cloud as sensor_msgs/PointCloud2.
 *
 *     x y z   float32; float64 where the coordinates are finer (clump_io_is_wide)
 *     fields  in the order of the cloud, with their names, types and counts
 *     label   int32, last; takes the place of a field "label"
 *
 * Each field is aligned to the size of its elements, so that a reader may use pointers. PointCloud2 has no 64-bit
 * integers: they become the nearest float64, exact up to 2^53.
 *
 * The message has the points one behind the other, the cloud has one array per field. Points are copied tile by tile,
 * so that a tile stays in the cache while the fields are filled in.
 */
#include "messages/write.h"

#include "common/assert.h"

#include <math.h>

/* Points per tile: 24 KiB of the usual 24 bytes per point, which fits the 32 KiB of a first-level cache. */
#define POINTS_TILE 1024

/* Types of sensor_msgs/PointField, by clump_type. */
static const uint8_t points_datatypes[] = {
    [CLUMP_TYPE_I8] = 1,  [CLUMP_TYPE_U8] = 2,  [CLUMP_TYPE_I16] = 3, [CLUMP_TYPE_U16] = 4, [CLUMP_TYPE_I32] = 5,
    [CLUMP_TYPE_U32] = 6, [CLUMP_TYPE_F32] = 7, [CLUMP_TYPE_F64] = 8, [CLUMP_TYPE_I64] = 8, [CLUMP_TYPE_U64] = 8};

/* A field and its place in the point. */
typedef struct points_column {
    clump_field field;
    size_t offset;
} points_column;

/* Goes through the columns behind x y z. */
typedef struct points_walk {
    const clump_io_points *points;
    size_t next;      /* field of the cloud; one more for the labels */
    size_t end;       /* of the columns before */
    size_t alignment; /* the largest up to now */
    size_t padding;   /* bytes between the columns */
} points_walk;

static points_walk first_column(const clump_io_points *points)
{
    const size_t element = clump_io_is_wide(points->cloud) ? sizeof(double) : sizeof(float);
    return (points_walk){.points = points, .end = 3 * element, .alignment = element};
}

/* Whether the cloud's field is written: the labels take the place of a field "label". */
static bool is_written(const clump_io_points *points, const clump_field *field)
{
    return !points->labels || strcmp(field->name, "label") != 0;
}

static bool next_column(points_walk *walk, points_column *column)
{
    const clump_cloud *const cloud = walk->points->cloud;
    while (walk->next < cloud->field_count && !is_written(walk->points, &cloud->fields[walk->next])) walk->next++;
    if (walk->next < cloud->field_count)
        column->field = cloud->fields[walk->next];
    else if (walk->next == cloud->field_count && walk->points->labels)
        column->field = (clump_field){"label", CLUMP_TYPE_I32, 1, walk->points->labels};
    else
        return false;
    walk->next++;
    const size_t element = clump_type_size(column->field.type);
    column->offset = (walk->end + element - 1) & ~(element - 1);
    walk->padding += column->offset - walk->end;
    walk->end = column->offset + element * column->field.count;
    walk->alignment = element > walk->alignment ? element : walk->alignment;
    return true;
}

typedef struct points_layout {
    size_t step;    /* bytes per point, a multiple of the largest element */
    size_t columns; /* besides x y z */
    bool padded;    /* not all bytes of a point belong to a column */
} points_layout;

static points_layout layout_of(const clump_io_points *points)
{
    points_layout layout = {0};
    points_walk walk = first_column(points);
    points_column column;
    while (next_column(&walk, &column)) layout.columns++;
    layout.step = (walk.end + walk.alignment - 1) & ~(walk.alignment - 1);
    layout.padded = walk.padding || layout.step != walk.end;
    return layout;
}

size_t clump_io_points_bound(const clump_io_points *points)
{
    enum { HEAD = 512, PER_COLUMN = 32 };
    size_t data, all = HEAD;
    points_walk walk = first_column(points);
    points_column column;
    while (next_column(&walk, &column)) all += strlen(column.field.name) + PER_COLUMN;
    if (!clump_io_multiply(layout_of(points).step, points->cloud->count, &data)) return SIZE_MAX;
    return data > SIZE_MAX - all ? SIZE_MAX : all + data;
}

static void encode_column(clump_io_encoder *to, const char *name, size_t offset, clump_type type, uint32_t count)
{
    clump_io_encode_string(to, name);
    clump_io_encode_u32(to, (uint32_t)offset);
    clump_io_encode_u8(to, points_datatypes[type]);
    clump_io_encode_u32(to, count);
}

static void encode_columns(clump_io_encoder *to, const clump_io_points *points, size_t columns)
{
    static const char *const axes[] = {"x", "y", "z"};
    const bool wide = clump_io_is_wide(points->cloud);
    clump_io_encode_u32(to, (uint32_t)(3 + columns));
    for (size_t a = 0; a < 3; a++)
        encode_column(to, axes[a], a * (wide ? 8 : 4), wide ? CLUMP_TYPE_F64 : CLUMP_TYPE_F32, 1);
    points_walk walk = first_column(points);
    points_column column;
    while (next_column(&walk, &column))
        encode_column(to, column.field.name, column.offset, column.field.type, column.field.count);
}

/* Copies elements side by side to places `step` apart. `size` is a constant at the calls for common sizes, which makes
 * a plain load and store of the memcpy. */
static inline void spread(unsigned char *to, size_t step, const unsigned char *from, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) memcpy(to + i * step, from + i * size, size);
}

static void spread_integers(unsigned char *to, size_t step, const clump_field *field, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t e = 0; e < field->count; e++) {
            const double value = clump_io_value(field->type, field->data, (first + i) * field->count + e);
            memcpy(to + i * step + e * sizeof value, &value, sizeof value);
        }
}

static void spread_column(unsigned char *to, size_t step, const points_column *column, size_t first, size_t count)
{
    const clump_field *const field = &column->field;
    const size_t size = clump_type_size(field->type) * field->count;
    const unsigned char *const from = (const unsigned char *)field->data + first * size;
    to += column->offset;
    if (field->type == CLUMP_TYPE_I64 || field->type == CLUMP_TYPE_U64)
        spread_integers(to, step, field, first, count);
    else if (size == 1)
        spread(to, step, from, 1, count);
    else if (size == 2)
        spread(to, step, from, 2, count);
    else if (size == 4)
        spread(to, step, from, 4, count);
    else if (size == 8)
        spread(to, step, from, 8, count);
    else
        spread(to, step, from, size, count);
}

/* Copies coordinates. Returns whether all are finite. */
static bool spread_coordinates(unsigned char *to, size_t step, const clump_cloud *cloud, size_t first, size_t count)
{
    CLUMP_ASSERT(step >= 12 && first + count <= clump_cloud_points(cloud).count);
    bool finite = true;
    if (!clump_io_is_wide(cloud)) {
        const float *const xyz = cloud->xyz + 3 * first;
        spread(to, step, (const unsigned char *)xyz, 3 * sizeof(float), count);
        for (size_t i = 0; i < 3 * count; i++) finite &= fabsf(xyz[i]) <= 3.402823466e38f; /* false for NaN */
        return finite;
    }
    for (size_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) {
            const double value = clump_io_coordinate(cloud, first + i, a);
            memcpy(to + i * step + (size_t)a * sizeof value, &value, sizeof value);
            finite &= isfinite(value) != 0;
        }
    return finite;
}

/* Returns whether all coordinates are finite. */
static bool encode_points(unsigned char *to, const points_layout *layout, const clump_io_points *points)
{
    bool finite = true;
    const size_t all = points->cloud->count, step = layout->step;
    for (size_t first = 0; first < all; first += POINTS_TILE) {
        const size_t count = all - first < POINTS_TILE ? all - first : POINTS_TILE;
        unsigned char *const tile = to + first * step;
        if (layout->padded) memset(tile, 0, count * step);
        finite &= spread_coordinates(tile, step, points->cloud, first, count);
        points_walk walk = first_column(points);
        points_column column;
        while (next_column(&walk, &column)) spread_column(tile, step, &column, first, count);
    }
    return finite;
}

void clump_io_points_encode(clump_io_encoder *to, const clump_io_message_head *head, const clump_io_points *points)
{
    const clump_cloud *const cloud = points->cloud;
    const points_layout layout = layout_of(points);
    const size_t step = layout.step;
    size_t rows = cloud->info.height, width = cloud->info.width, size;
    if (!clump_io_multiply(rows, width, &size) || size != cloud->count) rows = 1, width = cloud->count;
    clump_io_encode_head(to, head);
    clump_io_encode_u32(to, (uint32_t)rows);
    clump_io_encode_u32(to, (uint32_t)width);
    encode_columns(to, points, layout.columns);
    clump_io_encode_u8(to, 0); /* is_bigendian */
    clump_io_encode_u32(to, (uint32_t)step);
    clump_io_encode_u32(to, (uint32_t)(step * width));
    clump_io_encode_u32(to, (uint32_t)(step * cloud->count));
    unsigned char *const data = clump_io_encode_room(to, step * cloud->count);
    const bool dense = data && encode_points(data, &layout, points);
    clump_io_encode_u8(to, dense);
}
