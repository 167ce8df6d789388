/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ply.h: a PLY header. Shared by ply_header.c, which reads it, ply.c and ply_write.c.
 */
#ifndef CLUMP_IO_PLY_H
#define CLUMP_IO_PLY_H

#include "records.h"

/* A property of an element: one value per entry, or a list, a count and its values. */
typedef struct clump_io_ply_property {
    const char *name; /* points into the file, not null-terminated; also in elements */
    size_t name_size;
    size_t line; /* of the header */
    clump_type type;
    clump_type count_type; /* of a list */
    bool list;
} clump_io_ply_property;

typedef struct clump_io_ply_element {
    const char *name;
    size_t name_size;
    size_t line;
    size_t count; /* entries, as the file claims; unchecked */
    size_t first; /* its properties are [first, first + property_count) */
    size_t property_count;
    size_t bytes; /* of a binary entry; the minimum, if it has lists */
    bool lists;   /* among its properties */
} clump_io_ply_element;

typedef struct clump_io_ply_header {
    clump_io_ply_element *elements;
    size_t element_count;
    clump_io_ply_property *properties;
    size_t property_count;
    size_t vertex;        /* which element the points are */
    clump_io_table table; /* its properties, list or not, as columns */
    bool flat;            /* they have no z */
    clump_encoding encoding;
    char newline;                  /* what ends a line: '\n', or '\r' in files of old Macs */
    char *comments;                /* comment and obj_info lines, each with its '\n'; null: none */
    size_t data_offset, data_line; /* where the elements begin in the file, and at which line */
} clump_io_ply_header;

/* Reads the header. Free it also after a failure. */
clump_status clump_io_ply_header_parse(const clump_io_source *source, clump_io_ply_header *header);
void clump_io_ply_header_free(clump_io_ply_header *header);
bool clump_io_ply_sniff(const unsigned char *bytes, size_t size);

/* Write the header, and the points of the cloud in binary, which may be some of those that the header counts. */
clump_status clump_io_ply_put_header(const clump_io_output *output, clump_io_sink *sink);
clump_status clump_io_ply_put_points(const clump_io_output *output, clump_io_sink *sink);

clump_status clump_io_ply_write(const clump_io_output *output, clump_io_sink *sink);

#endif
