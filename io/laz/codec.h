/* SPDX-License-Identifier: BSD-3-Clause
 *
 * codec.h: compresses and decompresses chunks of points, the parts of a LAZ file that stand for themselves.
 *
 *     pointwise   point formats 0 to 3: one stream, point after point       pointwise.c
 *     layered     point formats 6 to 8: one stream per part of a point      layered.c
 *
 * This room knows bytes and records, no files and no messages.
 */
#ifndef CLUMP_IO_LAZ_CODEC_H
#define CLUMP_IO_LAZ_CODEC_H

#include "laz/bytes.h"

/* What the points of a file are. */
typedef struct clump_io_laz_layout {
    unsigned format;      /* of points: 0 to 3, 6 to 8 */
    unsigned version;     /* of the items: 2, or 3 or 4 if layered */
    size_t record, extra; /* bytes of a point, and how many of them are extra bytes */
} clump_io_laz_layout;

typedef enum clump_io_laz_end {
    CLUMP_IO_LAZ_DONE = 0,
    CLUMP_IO_LAZ_NO_MEMORY,
    CLUMP_IO_LAZ_SHORT,  /* the chunk ends before its last point */
    CLUMP_IO_LAZ_DAMAGED /* no encoder writes such bytes */
} clump_io_laz_end;

/* Parts of a point that a decoder may leave out. A pointwise decoder always decodes all. */
enum {
    CLUMP_IO_LAZ_CLASSES = 1, /* classification and flags */
    CLUMP_IO_LAZ_OTHERS = 2,  /* all but coordinates, classification and flags */
    CLUMP_IO_LAZ_ALL = 3
};

typedef struct clump_io_laz_codec {
    /* Bytes of the memory that a thread needs; its content does not matter. */
    size_t (*memory)(const clump_io_laz_layout *layout);

    /* Decodes a chunk of count >= 1 points into count x record bytes. Any bytes are allowed. Takes time for count points
     * or fewer. Coordinates are always decoded; other parts are undefined unless wanted. *done, if the end is not DONE:
     * points that were decoded before. */
    clump_io_laz_end (*decode)(void *memory, const clump_io_laz_layout *layout, const unsigned char *bytes, size_t size,
                               size_t count, unsigned wanted, unsigned char *records, size_t *done);

    /* Appends a chunk of count >= 1 points. */
    clump_io_laz_end (*encode)(void *memory, const clump_io_laz_layout *layout, const unsigned char *records,
                               size_t count, clump_io_laz_bytes *out);
} clump_io_laz_codec;

extern const clump_io_laz_codec clump_io_laz_pointwise, clump_io_laz_layered;

/* Returns the codec of a point format; null: there is none. */
const clump_io_laz_codec *clump_io_laz_codec_of(unsigned format);

#endif
