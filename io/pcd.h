/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcd.h: a PCD header, understood and checked. Between pcd_header.c, which reads it, and pcd.c.
 */
#ifndef CLUMP_IO_PCD_H
#define CLUMP_IO_PCD_H

#include "format.h"

typedef enum clump_io_pcd_data { CLUMP_IO_PCD_ASCII, CLUMP_IO_PCD_BINARY, CLUMP_IO_PCD_COMPRESSED } clump_io_pcd_data;

typedef struct clump_io_pcd_field {
    const char *name; /* in the file: no end mark */
    size_t name_size;
    clump_type type;
    uint32_t count;
    size_t offset; /* bytes from the start of a binary record */
    int axis;      /* 0 1 2 for x y z, else -1 */
    bool padding;  /* named "_" */
} clump_io_pcd_field;

typedef struct clump_io_pcd_header {
    clump_io_pcd_field *fields; /* freed by clump_io_pcd_header_free() */
    size_t field_count;
    size_t record;   /* bytes of a point in binary */
    size_t elements; /* words of a point in ascii */
    size_t width, height, points;
    double viewpoint[7];
    clump_io_pcd_data data;
    size_t data_offset; /* where the points begin in the file, and at which line */
    size_t data_line;
} clump_io_pcd_header;

clump_status clump_io_pcd_header_parse(const clump_io_source *source, clump_io_pcd_header *header);
void clump_io_pcd_header_free(clump_io_pcd_header *header);
bool clump_io_pcd_sniff(const unsigned char *bytes, size_t size);

clump_status clump_io_pcd_write(const clump_io_output *output, clump_io_sink *sink);

#endif
