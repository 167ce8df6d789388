/* SPDX-License-Identifier: BSD-3-Clause
 *
 * names.h: makes names of fields differ, after reading and before writing.
 */
#ifndef CLUMP_IO_NAMES_H
#define CLUMP_IO_NAMES_H

#include "format.h"

/* How many names were changed, and the first of them. */
typedef struct clump_io_renamed {
    size_t count;
    clump_io_quoted from, to;
} clump_io_renamed;

/* Replaces names (each from malloc) that occur again. Of equal names the first keeps it; a name that
 * yields (yields may be null) keeps it only if all of them yield. After a failure no name has changed. */
clump_status clump_io_names_separate(const clump_io_where *where, char **names, const bool *yields, size_t count,
                                     clump_io_renamed *renamed);

/* The same for the fields of a cloud that was read; a change becomes a note. */
clump_status clump_io_cloud_separate_names(const clump_io_where *where, clump_cloud *cloud);

/* The names of columns, one per element of every field, for formats without arrays: an element of an
 * array is name_0, name_1 ... and yields to a field that has this name. A change is said. */
typedef struct clump_io_columns {
    char **names;
    size_t count;
} clump_io_columns;
clump_status clump_io_columns_make(const clump_io_output *output, clump_io_columns *columns);
void clump_io_columns_free(clump_io_columns *columns);

/* Puts the change, if there is one, into the message of a save that succeeds. */
void clump_io_say_renamed(const clump_io_output *output, const clump_io_renamed *renamed);

#endif
