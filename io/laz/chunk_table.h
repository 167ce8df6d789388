/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chunk_table.h: the table behind the chunks of a LAZ file.
 *
 *     u32 version 0 | u32 number of chunks | coded: per chunk [its points,] its bytes
 *
 * The points of a chunk are in the table where the VLR says that chunks have different sizes.
 */
#ifndef CLUMP_IO_LAZ_CHUNK_TABLE_H
#define CLUMP_IO_LAZ_CHUNK_TABLE_H

#include "laz/codec.h"

#define CLUMP_IO_LAZ_TABLE_HEAD 8u /* bytes in front of the coded sizes */

/* Decodes the sizes of `count` chunks. points may be null: the table does not have them. Any bytes are allowed. */
clump_io_laz_end clump_io_laz_table_decode(const unsigned char *bytes, size_t size, size_t count, uint32_t *points,
                                           uint32_t *sizes);

/* Appends a table. points may be null: all chunks but the last have as many as the VLR says. */
clump_io_laz_end clump_io_laz_table_encode(const uint32_t *points, const uint32_t *sizes, size_t count,
                                           clump_io_laz_bytes *out);

#endif
