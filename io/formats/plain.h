/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain.h: files of float32 without a header, as in the KITTI and nuScenes data sets. A point is x y z and
 * one number per name. Also files of other columns, which the caller gives (raw.c).
 */
#ifndef CLUMP_IO_PLAIN_H
#define CLUMP_IO_PLAIN_H

#include "records.h"

#define CLUMP_IO_PLAIN_MAX 4 /* names */

clump_status clump_io_plain_read(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                 const char *const *names, size_t name_count);

/* Describes such a file, for clump_io_format.describe. */
clump_status clump_io_plain_describe(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                     const char *const *names, size_t name_count, clump_io_records *records);

/* Compares the size of the file with that of a point; *count is the number of points. */
clump_status clump_io_plain_count(const clump_io_source *source, clump_cloud *cloud, const char *what, const char *list,
                                  const clump_io_table *table, size_t *count);

/* Reads the points of any table. `list` describes a point, for messages. */
clump_status clump_io_plain_read_table(const clump_io_source *source, clump_cloud *cloud, const char *what,
                                       const char *list, clump_io_table *table);

/* Writes x y z and the named fields; a field that the cloud lacks is 0. Other fields are left out. */
clump_status clump_io_plain_write(const clump_io_output *output, clump_io_sink *sink, const char *what,
                                  const char *const *names, size_t name_count);

#endif
