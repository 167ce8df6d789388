/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes.c: classes by options.class_fields: which field of a file has them, and the class of a point.
 */
#include "blocks/blocks.h"

#include <stdio.h>
#include <string.h>

size_t clump_io_block_class_rank(const char *const *fields, const char *name, size_t size)
{
    for (size_t k = 0; fields && fields[k]; k++)
        if (strlen(fields[k]) == size && memcmp(fields[k], name, size) == 0) return k;
    return SIZE_MAX;
}

clump_status clump_io_block_refuse_classes(const clump_io_where *where, const char *const *fields)
{
    char list[256] = "";
    size_t used = 0;
    for (size_t k = 0; fields[k] && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'",
                                 k == 0          ? ""
                                 : fields[k + 1] ? ", "
                                                 : " or ",
                                 clump_io_quote(fields[k], strlen(fields[k])).text);
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT,
                         "there is no field %s with one class per point; files of labels are not read in blocks", list);
}

clump_status clump_io_block_check_id(const clump_io_where *where, double number, uint64_t point, uint16_t *id)
{
    const bool fits = number >= 0 && number <= UINT16_MAX;
    *id = fits ? (uint16_t)number : 0;
    if (fits && number == (double)*id) return CLUMP_OK;
    return clump_io_fail(where, CLUMP_ERR_IO_FORMAT,
                         "the class of point %llu is %g, not a whole number from 0 to 65535", (unsigned long long)point,
                         number);
}

double clump_io_block_class_value(const clump_io_block_file *file, const clump_io_block_class *c,
                                  const unsigned char *in)
{
    const clump_io_table table = {.swapped = file->swapped};
    uint64_t value = 0;
    clump_io_column one = c->column;
    one.out = (unsigned char *)&value;
    one.stride = clump_type_size(one.type);
    clump_io_column_read(&table, &one, in, one.stride, 0, 1);
    const double number = clump_io_value(one.type, &value, 0);
    return c->mask ? (double)((unsigned)number >> c->shift & c->mask) : number;
}

clump_status clump_io_block_id(const clump_io_where *where, const clump_io_block_file *file, const unsigned char *in,
                               uint64_t point, uint16_t *id)
{
    const clump_io_block_class *const c = &file->ids;
    /* A byte, as in LAS, needs no conversion and no check. */
    if (c->column.type != CLUMP_TYPE_U8)
        return clump_io_block_check_id(where, clump_io_block_class_value(file, c, in), point, id);
    *id = (uint16_t)(*in >> c->shift & (c->mask ? c->mask : UINT8_MAX));
    return CLUMP_OK;
}
