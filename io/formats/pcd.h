/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcd.h: a PCD header, read and checked. Shared by pcd_header.c, which reads it, and pcd.c.
 */
#ifndef CLUMP_IO_PCD_H
#define CLUMP_IO_PCD_H

#include "records.h"

#ifdef CLUMP_IO_LZF /* built with liblzf */
#define CLUMP_IO_PCD_ENCODINGS (CLUMP_IO_ASCII | CLUMP_IO_BINARY | CLUMP_IO_COMPRESSED)
#else
#define CLUMP_IO_PCD_ENCODINGS (CLUMP_IO_ASCII | CLUMP_IO_BINARY)
#endif

typedef enum clump_io_pcd_data { CLUMP_IO_PCD_ASCII, CLUMP_IO_PCD_BINARY, CLUMP_IO_PCD_COMPRESSED } clump_io_pcd_data;

typedef struct clump_io_pcd_header {
    clump_io_table table; /* its columns are freed by clump_io_pcd_header_free() */
    size_t elements;      /* words of a point in ascii */
    size_t width, height, points;
    double viewpoint[7];
    clump_io_pcd_data data;
    size_t data_offset, data_line; /* where the points begin in the file, and at which line */
} clump_io_pcd_header;

clump_status clump_io_pcd_header_parse(const clump_io_source *source, clump_io_pcd_header *header);
void clump_io_pcd_header_free(clump_io_pcd_header *header);
bool clump_io_pcd_sniff(const unsigned char *bytes, size_t size);

/* Fewer zero bytes than this after the last point are not noted: some programs fill a page. */
#define CLUMP_IO_PCD_REST 4096

/* Notes that the bytes from offset on are ignored, unless they are few zeros, with which PCL fills its pages. */
void clump_io_pcd_note_rest(const clump_io_source *source, size_t offset, clump_cloud *cloud);

/* Reads the points of DATA binary_compressed. The cloud has no count and no columns yet. */
clump_status clump_io_pcd_read_compressed(const clump_io_source *source, clump_io_pcd_header *header,
                                          clump_cloud *cloud);

clump_status clump_io_pcd_write(const clump_io_output *output, clump_io_sink *sink);

/* Write the header, and the points of the cloud in binary, which may be some of those that the header counts. */
void clump_io_pcd_put_header(const clump_io_output *output, clump_io_sink *sink);
void clump_io_pcd_put_points(const clump_io_output *output, clump_io_sink *sink);

/* Writes the body of a file with DATA binary_compressed. */
clump_status clump_io_pcd_put_compressed(const clump_io_output *output, clump_io_sink *sink);

#endif
