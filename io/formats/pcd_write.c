/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcd_write.c: a cloud as PCD 0.7: x y z first, then the fields in their order.
 *
 * A cloud with an origin gets float64 coordinates, since float32 would lose digits.
 */
#include "formats/pcd.h"
#include "formats/text.h"

#include <string.h>

static void put_number(clump_io_sink *sink, uint64_t number)
{
    clump_io_put(sink, " ", 1);
    clump_io_put_uint(sink, number);
}

void clump_io_pcd_put_header(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    const bool wide = clump_io_is_wide(cloud);
    clump_io_put_text(sink, "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z");
    for (size_t i = 0; i < output->field_count; i++) {
        clump_io_put_text(sink, " ");
        clump_io_put_text(sink, output->fields[i].name);
    }
    clump_io_put_text(sink, wide ? "\nSIZE 8 8 8" : "\nSIZE 4 4 4");
    for (size_t i = 0; i < output->field_count; i++) put_number(sink, clump_type_size(output->fields[i].type));
    clump_io_put_text(sink, "\nTYPE F F F");
    for (size_t i = 0; i < output->field_count; i++) {
        const char first = clump_type_name(output->fields[i].type)[0];
        clump_io_put_text(sink, first == 'f' ? " F" : first == 'u' ? " U" : " I");
    }
    clump_io_put_text(sink, "\nCOUNT 1 1 1");
    for (size_t i = 0; i < output->field_count; i++) put_number(sink, output->fields[i].count);
    clump_io_put_text(sink, "\nWIDTH");
    put_number(sink, cloud->info.width);
    clump_io_put_text(sink, "\nHEIGHT");
    put_number(sink, cloud->info.height);
    clump_io_put_text(sink, "\nVIEWPOINT");
    for (int i = 0; i < 7; i++) {
        clump_io_put_text(sink, " ");
        clump_io_put_double(sink, cloud->info.viewpoint[i]);
    }
    clump_io_put_text(sink, "\nPOINTS");
    put_number(sink, cloud->count);
    clump_io_put_text(sink, output->encoding == CLUMP_ENCODING_ASCII        ? "\nDATA ascii\n"
                            : output->encoding == CLUMP_ENCODING_COMPRESSED ? "\nDATA binary_compressed\n"
                                                                            : "\nDATA binary\n");
}

void clump_io_pcd_put_points(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    const bool wide = clump_io_is_wide(cloud);
    for (size_t i = 0; i < cloud->count && !sink->error; i++) {
        if (wide) {
            double xyz[3];
            for (int a = 0; a < 3; a++) xyz[a] = clump_io_coordinate(cloud, i, a);
            clump_io_put(sink, xyz, sizeof xyz);
        } else {
            clump_io_put(sink, cloud->xyz + 3 * i, 3 * sizeof(float));
        }
        for (size_t f = 0; f < output->field_count; f++) {
            const size_t bytes = output->fields[f].count * clump_type_size(output->fields[f].type);
            clump_io_put(sink, (const char *)output->fields[f].data + i * bytes, bytes);
        }
        if ((i + 1) % CLUMP_IO_STRETCH == 0) clump_io_report(&output->progress, i + 1, cloud->count);
    }
}

clump_status clump_io_pcd_write(const clump_io_output *output, clump_io_sink *sink)
{
    clump_io_pcd_put_header(output, sink);
    if (output->encoding == CLUMP_ENCODING_ASCII)
        clump_io_put_rows(output, sink, " ", false);
    else if (output->encoding == CLUMP_ENCODING_COMPRESSED)
        return clump_io_pcd_put_compressed(output, sink);
    else
        clump_io_pcd_put_points(output, sink);
    return CLUMP_OK;
}
