/* SPDX-License-Identifier: BSD-3-Clause
 *
 * codec.h: compresses and decompresses chunks of points, the parts of a LAZ file that stand for themselves.
 *
 *     pointwise   point formats 0 to 3: one stream, point after point       pointwise.c
 *     layered     point formats 6 to 8: one stream per part of a point      layered.c
 *
 * This room knows bytes and records, no files and no messages.
 *
 *     vlr.c                how points are divided into items; which codec a point format has
 *     chunk_table.c        sizes of the chunks
 *     coder.c              the buffer of compressed bytes; the end of a stream
 *     model.c              how likely a symbol is: adaptive models
 *     decoder.h            the range coder, reading; encoder.h: writing
 *     integer.h, median.h  integers as differences from a prediction
 *     pointwise.c          formats 0 to 3, with point10.c (x y z, intensity ...), gpstime11.c (time), rgb12.c (colour)
 *     layered.c            formats 6 to 8; layers.h lists the layers
 */
#ifndef CLUMP_IO_LAZ_CODEC_H
#define CLUMP_IO_LAZ_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- a buffer that grows, for compressed points ----------------------------------------------------- */

/* Set to zero, and used again after size = 0. */
typedef struct clump_io_laz_bytes {
    unsigned char *data; /* from malloc */
    size_t size, capacity;
    bool failed; /* out of memory: bytes are missing. Writers do not check, the owner checks once */
} clump_io_laz_bytes;

/* Makes room for `more` bytes; false: no memory, and failed is set. */
bool clump_io_laz_bytes_grow(clump_io_laz_bytes *bytes, size_t more);
void clump_io_laz_bytes_add(clump_io_laz_bytes *bytes, const void *data, size_t size);
void clump_io_laz_bytes_free(clump_io_laz_bytes *bytes);

static inline void clump_io_laz_bytes_put(clump_io_laz_bytes *bytes, unsigned char byte)
{
    if (bytes->size == bytes->capacity && !clump_io_laz_bytes_grow(bytes, 1)) return;
    bytes->data[bytes->size++] = byte;
}

/* --- codecs -------------------------------------------------------------------------------------------- */

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

/* ----- the table behind the chunks of a LAZ file: chunk_table.c ------------------------------------------------------
 *
 *     u32 version 0 | u32 number of chunks | coded: per chunk [its points,] its bytes
 *
 * The points of a chunk are in the table where the VLR says that chunks have different sizes. */

#define CLUMP_IO_LAZ_TABLE_HEAD 8u /* bytes in front of the coded sizes */

/* Decodes the sizes of `count` chunks. points may be null: the table does not have them. Any bytes are allowed. */
clump_io_laz_end clump_io_laz_table_decode(const unsigned char *bytes, size_t size, size_t count, uint32_t *points,
                                           uint32_t *sizes);

/* Appends a table. points may be null: all chunks but the last have as many as the VLR says. */
clump_io_laz_end clump_io_laz_table_encode(const uint32_t *points, const uint32_t *sizes, size_t count,
                                           clump_io_laz_bytes *out);

/* --- vlr.c: the record "laszip encoded" in front of the points: how they are compressed.
 *
 *     0 u16 compressor | 2 u16 coder | 4 version of LASzip | 8 u32 options | 12 u32 points per chunk
 *     16 i64 -1 | 24 i64 -1 | 32 u16 number of items | 34 items: u16 type, u16 size, u16 version */

#define CLUMP_IO_LAZ_MAX_ITEMS 3
#define CLUMP_IO_LAZ_MAX_EXTRA 1024u      /* extra bytes of a point: a decoder needs about 5 kB for each */
#define CLUMP_IO_LAZ_VARIABLE  UINT32_MAX /* for a chunk size: the chunk table has it for each chunk */
#define CLUMP_IO_LAZ_VLR_ID    22204u
#define CLUMP_IO_LAZ_VLR_USER  "laszip encoded"
#define CLUMP_IO_LAZ_VLR_SIZE  34u /* bytes of its data, and 6 per item */

/* A part of a point that has a codec of its own. */
typedef struct clump_io_laz_item {
    uint16_t type, size, version;
} clump_io_laz_item;

/* Number of the compressor: 2 pointwise, 3 layered. */
static inline unsigned clump_io_laz_compressor(unsigned format)
{
    return format < 6 ? 2 : 3;
}

/* Lists the items of a point without its extra bytes. Returns their number; 0: this format has no codec. */
size_t clump_io_laz_items_of(unsigned format, clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS]);

/* Lists all items of a point. */
size_t clump_io_laz_items(const clump_io_laz_layout *layout, clump_io_laz_item items[CLUMP_IO_LAZ_MAX_ITEMS + 1]);

/* Appends the data of the VLR. */
void clump_io_laz_vlr_write(const clump_io_laz_layout *layout, uint32_t chunk_size, clump_io_laz_bytes *out);

#endif
