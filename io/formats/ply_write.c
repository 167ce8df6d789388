/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ply_write.c: a cloud as PLY 1.0: one element, vertex, with x y z first, then the fields in their order.
 *
 * A cloud with an origin gets double coordinates. PLY has no arrays of a fixed length, so a field of
 * several elements becomes several properties, name_0 name_1 ... PLY has no 64-bit integers either: they
 * become doubles if no value changes, else the cloud is refused. A cloud that was read from PLY keeps its
 * comments.
 */
#include "format.h"
#include "common/assert.h"
#include "formats/ply.h"
#include "formats/text.h"

static bool is_integer64(clump_type type)
{
    return type == CLUMP_TYPE_I64 || type == CLUMP_TYPE_U64;
}

/* Returns the type name that every reader knows. */
static const char *type_name(clump_type type)
{
    static const char *const names[] = {
        [CLUMP_TYPE_I8] = "char",    [CLUMP_TYPE_U8] = "uchar",   [CLUMP_TYPE_I16] = "short",
        [CLUMP_TYPE_U16] = "ushort", [CLUMP_TYPE_I32] = "int",    [CLUMP_TYPE_U32] = "uint",
        [CLUMP_TYPE_I64] = "double", [CLUMP_TYPE_U64] = "double", [CLUMP_TYPE_F32] = "float",
        [CLUMP_TYPE_F64] = "double"};
    CLUMP_ASSERT((unsigned)type < sizeof names / sizeof names[0]);
    return names[type];
}

static void put_property(clump_io_sink *sink, const char *type, const char *name)
{
    clump_io_put_text(sink, "\nproperty ");
    clump_io_put_text(sink, type);
    clump_io_put_text(sink, " ");
    clump_io_put_text(sink, name);
}

static void put_header(const clump_io_output *output, const clump_io_columns *columns, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    clump_io_put_text(sink, output->encoding == CLUMP_ENCODING_ASCII        ? "ply\nformat ascii 1.0\n"
                            : output->encoding == CLUMP_ENCODING_BIG_ENDIAN ? "ply\nformat binary_big_endian 1.0\n"
                                                                            : "ply\nformat binary_little_endian 1.0\n");
    if (cloud->info.format == CLUMP_FORMAT_PLY && cloud->rest) clump_io_put_text(sink, cloud->rest);
    clump_io_put_text(sink, "element vertex ");
    clump_io_put_uint(sink, cloud->count);
    const char *coordinate = clump_io_is_wide(cloud) ? "double" : "float";
    put_property(sink, coordinate, "x");
    put_property(sink, coordinate, "y");
    put_property(sink, coordinate, "z");
    for (size_t f = 0, column = 0; f < output->field_count; f++)
        for (uint32_t k = 0; k < output->fields[f].count; k++)
            put_property(sink, type_name(output->fields[f].type), columns->names[column++]);
    clump_io_put_text(sink, "\nend_header\n");
}

/* Refuses 64-bit integers beyond 2^53, which doubles in the file would round. */
static clump_status check_integers(const clump_io_output *output)
{
    const uint64_t limit = (uint64_t)1 << 53;
    for (size_t f = 0; f < output->field_count; f++) {
        const clump_field *field = &output->fields[f];
        if (!is_integer64(field->type)) continue;
        for (size_t i = 0; i < output->cloud->count * field->count; i++) {
            uint64_t size = ((const uint64_t *)field->data)[i];
            const bool negative = field->type == CLUMP_TYPE_I64 && size >> 63;
            if (negative) size = 0 - size;
            if (size <= limit) continue;
            return CLUMP_IO_UNSUPPORTED(
                output,
                "field %s: PLY has no 64-bit integers, and double holds them up to 2^53, not %s%llu; write .pcd",
                field->name, negative ? "-" : "", (unsigned long long)size);
        }
    }
    return CLUMP_OK;
}

/* Writes elements in the byte order of the file. */
static void put_elements(clump_io_sink *sink, const void *data, size_t size, size_t count, bool swapped)
{
    if (!swapped) {
        clump_io_put(sink, data, size * count);
        return;
    }
    const unsigned char *from = data;
    for (size_t i = 0; i < count; i++, from += size) {
        unsigned char turned[8];
        for (size_t b = 0; b < size; b++) turned[b] = from[size - 1 - b];
        clump_io_put(sink, turned, size);
    }
}

static void put_field(clump_io_sink *sink, const clump_field *field, size_t point, bool swapped)
{
    const size_t size = clump_type_size(field->type), first = point * field->count;
    if (!is_integer64(field->type)) {
        put_elements(sink, (const char *)field->data + first * size, size, field->count, swapped);
        return;
    }
    for (size_t k = 0; k < field->count; k++) {
        const double value = clump_io_value(field->type, field->data, first + k);
        put_elements(sink, &value, sizeof value, 1, swapped);
    }
}

static void put_binary(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    const bool wide = clump_io_is_wide(cloud), swapped = output->encoding == CLUMP_ENCODING_BIG_ENDIAN;
    for (size_t i = 0; i < cloud->count && !sink->error; i++) {
        if (wide) {
            double xyz[3];
            for (int a = 0; a < 3; a++) xyz[a] = clump_io_coordinate(cloud, i, a);
            put_elements(sink, xyz, sizeof xyz[0], 3, swapped);
        } else {
            put_elements(sink, cloud->xyz + 3 * i, sizeof(float), 3, swapped);
        }
        for (size_t f = 0; f < output->field_count; f++) put_field(sink, &output->fields[f], i, swapped);
        if ((i + 1) % CLUMP_IO_STRETCH == 0) clump_io_report(&output->progress, i + 1, cloud->count);
    }
}

clump_status clump_io_ply_put_header(const clump_io_output *output, clump_io_sink *sink)
{
    clump_io_columns columns = {0};
    CLUMP_IO_TRY(clump_io_check_columns(output, "properties"));
    CLUMP_IO_TRY(clump_io_columns_make(output, &columns));
    put_header(output, &columns, sink);
    clump_io_columns_free(&columns);
    return CLUMP_OK;
}

clump_status clump_io_ply_put_points(const clump_io_output *output, clump_io_sink *sink)
{
    CLUMP_IO_TRY(check_integers(output));
    put_binary(output, sink);
    return CLUMP_OK;
}

clump_status clump_io_ply_write(const clump_io_output *output, clump_io_sink *sink)
{
    CLUMP_IO_TRY(check_integers(output));
    CLUMP_IO_TRY(clump_io_ply_put_header(output, sink));
    if (output->encoding == CLUMP_ENCODING_ASCII)
        clump_io_put_rows(output, sink, " ", false);
    else
        put_binary(output, sink);
    return CLUMP_OK;
}
