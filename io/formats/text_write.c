/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text_write.c: writes a cloud as text: a line of names, then one line per point.
 *
 *     x y z intensity label              commas in a .csv
 *     1.5 2 3 0.25 7
 *
 * A field of several elements becomes several columns, name_0 name_1 ...
 */
#include "format.h"
#include "formats/text.h"

#include <math.h>
#include <string.h>

static void put_names(const clump_io_columns *columns, clump_io_sink *sink, const char *separator)
{
    clump_io_put_text(sink, "x");
    clump_io_put_text(sink, separator);
    clump_io_put_text(sink, "y");
    clump_io_put_text(sink, separator);
    clump_io_put_text(sink, "z");
    for (size_t i = 0; i < columns->count; i++) {
        clump_io_put_text(sink, separator);
        clump_io_put_text(sink, columns->names[i]);
    }
    clump_io_put_text(sink, "\n");
}

void clump_io_put_rows(const clump_io_output *output, clump_io_sink *sink, const char *separator, bool all_digits)
{
    const clump_cloud *cloud = output->cloud;
    const bool wide = clump_io_is_wide(cloud) || all_digits;
    for (size_t i = 0; i < cloud->count && !sink->error; i++) {
        for (int a = 0; a < 3; a++) {
            if (a) clump_io_put(sink, separator, 1);
            if (wide)
                clump_io_put_double(sink, clump_io_coordinate(cloud, i, a));
            else
                clump_io_put_float(sink, cloud->xyz[3 * i + (size_t)a]);
        }
        for (size_t f = 0; f < output->field_count; f++) {
            const clump_field *field = &output->fields[f];
            for (size_t k = 0; k < field->count; k++) {
                clump_io_put(sink, separator, 1);
                clump_io_put_value(sink, field->type, field->data, i * field->count + k);
            }
        }
        clump_io_put(sink, "\n", 1);
        if ((i + 1) % CLUMP_IO_STRETCH == 0) clump_io_report(&output->progress, i + 1, cloud->count);
    }
}

clump_status clump_io_check_columns(const clump_io_output *output, const char *called)
{
    size_t columns = 3;
    for (size_t f = 0; f < output->field_count; f++) columns += output->fields[f].count;
    if (columns <= CLUMP_IO_MAX_FIELDS) return CLUMP_OK;
    return CLUMP_IO_UNSUPPORTED(output, "%zu %s are more than %d", columns, called, CLUMP_IO_MAX_FIELDS);
}

/* Whether a coordinate will be read as float64, and with it all others. */
static bool is_large(const clump_cloud *cloud)
{
    bool large = false;
    for (size_t i = 0; i < 3 * cloud->count && !large; i++)
        large = isfinite(cloud->xyz[i]) && fabsf(cloud->xyz[i]) >= CLUMP_IO_TEXT_LARGE;
    return large;
}

clump_status clump_io_text_write(const clump_io_output *output, clump_io_sink *sink)
{
    clump_io_columns columns = {0};
    CLUMP_IO_TRY(clump_io_check_columns(output, "columns"));
    CLUMP_IO_TRY(clump_io_columns_make(output, &columns));
    const char *separator = strcmp(output->extension, "csv") == 0 ? "," : " ";
    put_names(&columns, sink, separator);
    clump_io_columns_free(&columns);
    clump_io_put_rows(output, sink, separator, is_large(output->cloud));
    return CLUMP_OK;
}
