/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label.h: the field "label" in formats that PCL reads. pcl::PointXYZL has a uint32 label, and PCL reads a label of
 * any other type as 0. So the file has uint32, with the bits of clump's int32:
 *
 *     clump         -2           -1           0 1 2 ...
 *     file  4294967294   4294967295           0 1 2 ...
 *
 * A field with other negative values, or with other values above INT32_MAX, is not a label of clump and keeps its
 * type. In both cases a field is unchanged after it was written and read.
 */
#ifndef CLUMP_IO_LABEL_H
#define CLUMP_IO_LABEL_H

#include "format.h"

#include <string.h>

/* Whether the field can change between the two types: it has type `from`, and its bits are labels of clump. */
static inline bool clump_io_is_label(const clump_field *field, clump_type from, size_t points)
{
    if (field->type != from || field->count != 1 || strcmp(field->name, "label") != 0) return false;
    const int32_t *labels = field->data;
    int32_t lowest = 0;
    for (size_t i = 0; i < points; i++) lowest = labels[i] < lowest ? labels[i] : lowest;
    return lowest >= CLUMP_GROUND;
}

#endif
