/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain.h: files of nothing but float32, as the KITTI and nuScenes data sets have them. A point is
 * x y z and one number for each of a few names. And files of other numbers, as the caller says (raw.c).
 */
#ifndef CLUMP_IO_PLAIN_H
#define CLUMP_IO_PLAIN_H

#include "records.h"

#define CLUMP_IO_PLAIN_MAX 4 /* names */

clump_status clump_io_plain_read(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                 const char *const *names, size_t name_count);

/* The same for any table; list says what a point is, for a message. */
clump_status clump_io_plain_read_table(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                       const char *list, clump_io_table *table);

/* A field that the cloud does not have is written as 0; others are left out. */
clump_status clump_io_plain_write(const clump_io_output *output, clump_io_sink *sink, const char *what,
                                  const char *const *names, size_t name_count);

#endif
