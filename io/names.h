/* SPDX-License-Identifier: BSD-3-Clause
 *
 * names.h: makes names of fields unique, after reading and before writing.
 */
#ifndef CLUMP_IO_NAMES_H
#define CLUMP_IO_NAMES_H

#include "format.h"

/* How many names were changed, and the first of them. */
typedef struct clump_io_renamed {
    size_t count;
    clump_io_quoted from, to;
} clump_io_renamed;

/* Replaces repeated names, each from malloc. Of equal names the first is kept; one that yields is kept only if all of
 * them yield. yields may be null. On failure no name changes. */
clump_status clump_io_names_separate(const clump_io_where *where, char **names, const bool *yields, size_t count,
                                     clump_io_renamed *renamed);

/* Makes the names of a cloud's fields unique; a change becomes a note. */
clump_status clump_io_cloud_separate_names(const clump_io_where *where, clump_cloud *cloud);

/* The names of columns, one per element of every field, for formats without arrays. An element of an array is name_0,
 * name_1 ... and yields to a field of that name. A change is reported. */
typedef struct clump_io_columns {
    char **names;
    size_t count;
} clump_io_columns;
clump_status clump_io_columns_make(const clump_io_output *output, clump_io_columns *columns);
void clump_io_columns_free(clump_io_columns *columns);

/* Reports a change in the message of a save that succeeds. */
void clump_io_say_renamed(const clump_io_output *output, const clump_io_renamed *renamed);

#endif
