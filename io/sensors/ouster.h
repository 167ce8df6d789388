/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster.h: the parts of the decoder of Ouster sensors.
 *
 *     JSON file  ->  ouster_metadata.c  info  ->  ouster_points.c  tables
 *     packet     ->  ouster.c  checks  ->  ouster_turn.c  which frame?  ->  ouster_points.c  points of a column
 *
 * A packet is a header, columns and a footer. A column is a header and one pixel per beam, from the highest beam down:
 *
 *     LEGACY    -  | time 8, measurement 2, frame 2, encoder 4 | pixels | status 4 |  -
 *     others   32  | time 8, measurement 2, status 2           | pixels |          | 32
 *
 * The measurement is the number of the column in its turn. It gives the angle of the encoder.
 */
#ifndef CLUMP_IO_SENSORS_OUSTER_H
#define CLUMP_IO_SENSORS_OUSTER_H

#include "endian.h"
#include "sensors/sensor.h"

#include <string.h>

/* Limits of what a JSON file may say. Sensors have at most 128 beams and 4096 columns. */
#define CLUMP_IO_OUSTER_MAX_PIXELS  256
#define CLUMP_IO_OUSTER_MAX_COLUMNS 4096
#define CLUMP_IO_OUSTER_MAX_PACKET  65507 /* bytes: the payload of a UDP datagram */

/* --- profiles (ouster_profile.c) -------------------------------------------------------------------- */

/* Fields of a pixel. The second return has the names that end with 2. */
typedef enum clump_io_ouster_field {
    CLUMP_IO_OUSTER_RANGE, /* mm */
    CLUMP_IO_OUSTER_RANGE2,
    CLUMP_IO_OUSTER_REFLECTIVITY,
    CLUMP_IO_OUSTER_REFLECTIVITY2,
    CLUMP_IO_OUSTER_SIGNAL,
    CLUMP_IO_OUSTER_SIGNAL2,
    CLUMP_IO_OUSTER_AMBIENT, /* near infrared */
    CLUMP_IO_OUSTER_FLAGS,
    CLUMP_IO_OUSTER_FLAGS2,
    CLUMP_IO_OUSTER_FIELDS
} clump_io_ouster_field;

/* Where a field is: in one 32-bit word of the pixel. The value is multiplied by 2^scale. */
typedef struct clump_io_ouster_bits {
    uint8_t word, shift, bits, scale; /* bits 0: the profile does not have the field */
} clump_io_ouster_bits;

typedef struct clump_io_ouster_profile {
    const char *name; /* udp_profile_lidar */
    uint32_t pixel_size;
    bool legacy;
    bool fusa; /* the header of functional safety, whatever header_type says */
    clump_io_ouster_bits fields[CLUMP_IO_OUSTER_FIELDS];
} clump_io_ouster_profile;

extern const clump_io_ouster_profile clump_io_ouster_profiles[];
extern const size_t clump_io_ouster_profile_count;

/* Null: unknown. */
const clump_io_ouster_profile *clump_io_ouster_profile_of(const char *name);

static inline bool clump_io_ouster_has(const clump_io_ouster_profile *profile, clump_io_ouster_field field)
{
    return profile->fields[field].bits != 0;
}

/* Returns a field of a pixel. */
static inline uint32_t clump_io_ouster_value(const unsigned char *pixel, clump_io_ouster_bits at)
{
    const uint32_t word = clump_io_u32(pixel + 4 * at.word);
    return ((word >> at.shift) & (UINT32_MAX >> (32 - at.bits))) << at.scale;
}

/* Sizes and places in a packet, bytes. */
typedef struct clump_io_ouster_layout {
    uint32_t header, column_header, column, status, packet;
} clump_io_ouster_layout;

/* False: the packet would be larger than a datagram. */
bool clump_io_ouster_layout_of(const clump_io_ouster_profile *profile, uint32_t pixels, uint32_t packet_columns,
                               clump_io_ouster_layout *layout);

/* --- what the JSON file says (ouster_metadata.c) ------------------------------------------------------ */

typedef struct clump_io_ouster_info {
    char model[48]; /* "Ouster OS-1-128" */
    const clump_io_ouster_profile *profile;
    clump_io_ouster_layout layout;
    bool fusa;                                        /* header of functional safety */
    bool has_crc;                                     /* the firmware is known to write checksums */
    uint32_t columns, pixels, packet_columns;         /* per turn, per column, per packet */
    uint32_t window_first, window_last;               /* columns that are sent; first > last: around column 0 */
    double altitude[CLUMP_IO_OUSTER_MAX_PIXELS];      /* degrees, positive upwards */
    double azimuth[CLUMP_IO_OUSTER_MAX_PIXELS];       /* degrees, against the turn */
    uint32_t pixel_shift[CLUMP_IO_OUSTER_MAX_PIXELS]; /* columns, modulo `columns` */
    double beam_x, beam_z;                            /* origin of the beams, mm */
    double to_sensor[16]; /* rows of the matrix from the lidar's to the sensor's frame, mm */
} clump_io_ouster_info;

/* Reads the JSON of all firmwares from 1.12 on, flat or nested. The text needs no final 0. */
clump_status clump_io_ouster_metadata(const clump_io_where *where, const char *text, size_t size,
                                      clump_io_ouster_info *info);

/* --- numbers in a packet ----------------------------------------------------------------------------------- */

static inline const unsigned char *clump_io_ouster_column(const clump_io_ouster_info *info, const unsigned char *packet,
                                                          uint32_t index)
{
    return packet + info->layout.header + (size_t)index * info->layout.column;
}
static inline uint64_t clump_io_ouster_column_time(const unsigned char *column)
{
    return clump_io_u64(column);
}
static inline uint32_t clump_io_ouster_column_measurement(const unsigned char *column)
{
    return clump_io_u16(column + 8);
}
static inline uint32_t clump_io_ouster_column_status(const clump_io_ouster_info *info, const unsigned char *column)
{
    const unsigned char *const at = column + info->layout.status;
    return info->profile->legacy ? clump_io_u32(at) : clump_io_u16(at);
}

/* Frame number: 16 bits, 32 in the header of functional safety. */
static inline uint32_t clump_io_ouster_frame(const clump_io_ouster_info *info, const unsigned char *packet)
{
    if (info->profile->legacy) return clump_io_u16(packet + 10);
    return info->fusa ? clump_io_u32(packet + 4) : clump_io_u16(packet + 2);
}

/* Number of the sensor's start, 24 bits; 0 for LEGACY, which has none. */
static inline uint32_t clump_io_ouster_start(const clump_io_ouster_info *info, const unsigned char *packet)
{
    if (info->profile->legacy) return 0;
    return info->fusa ? clump_io_u32(packet) >> 8 : clump_io_u32(packet + 4) & 0xffffff;
}

/* --- checksum (ouster_crc.c) --------------------------------------------------------------------------- */

/* CRC-64 of ECMA-182 as in the file format xz: bits reversed, begins with ones, inverted at the end. */
typedef struct clump_io_ouster_crc {
    uint64_t table[8][256];
} clump_io_ouster_crc;
void clump_io_ouster_crc_prepare(clump_io_ouster_crc *crc);
uint64_t clump_io_ouster_crc_of(const clump_io_ouster_crc *crc, const unsigned char *bytes, size_t size);

/* --- frames (ouster_turn.c) ---------------------------------------------------------------------------- */

/* The frame that is open, and which of its packets have come. A zeroed one has no frame. */
typedef struct clump_io_ouster_turn {
    bool open;
    uint32_t frame, start; /* numbers of the sensor */
    uint32_t first;        /* packets before it are not missed: the recording begins there */
    uint32_t last;         /* the last packet that came */
    uint32_t refused;      /* packets refused since the last that was taken */
    uint64_t seen[CLUMP_IO_OUSTER_MAX_COLUMNS / 64];
} clump_io_ouster_turn;

typedef enum clump_io_ouster_verdict {
    CLUMP_IO_OUSTER_TAKE,  /* belongs to the open frame */
    CLUMP_IO_OUSTER_CUT,   /* begins a new frame; the open frame is complete */
    CLUMP_IO_OUSTER_REFUSE /* comes too late, or a second time */
} clump_io_ouster_verdict;

/* Decides on the packet whose first column is `measurement`. Adds to lost when a frame ends: then it is known which of
 * its packets are missing. */
clump_io_ouster_verdict clump_io_ouster_turn_take(clump_io_ouster_turn *turn, const clump_io_ouster_info *info,
                                                  const unsigned char *packet, uint32_t measurement, uint64_t *lost,
                                                  uint64_t *reordered);

/* --- points (ouster_points.c) ---------------------------------------------------------------------------- */

typedef struct clump_io_ouster_tables {
    double cosine[CLUMP_IO_OUSTER_MAX_COLUMNS], sine[CLUMP_IO_OUSTER_MAX_COLUMNS]; /* of the encoder, per measurement */
    double forward[CLUMP_IO_OUSTER_MAX_PIXELS];                                    /* direction of the beam where the */
    double left[CLUMP_IO_OUSTER_MAX_PIXELS];                                       /* encoder is at 0 */
    double up[CLUMP_IO_OUSTER_MAX_PIXELS];
} clump_io_ouster_tables;
void clump_io_ouster_tables_prepare(clump_io_ouster_tables *tables, const clump_io_ouster_info *info);

/* Fields of the cloud, and where they are in clump_io_filling; UINT8_MAX: not there. */
typedef struct clump_io_ouster_fields {
    clump_io_shape shapes[8];
    size_t count;
    uint8_t intensity, ring, time, returns, range, reflectivity, ambient;
} clump_io_ouster_fields;
void clump_io_ouster_fields_prepare(clump_io_ouster_fields *fields, const clump_io_ouster_profile *profile);

/* Appends the points of a column; with `organised` writes them to their places in the image. `time` is in seconds after
 * the stamp of the frame. Requires room for all pixels, and a measurement below info->columns. */
typedef struct clump_io_ouster_decoder {
    clump_io_ouster_info info;
    clump_io_ouster_tables tables;
    clump_io_ouster_fields fields;
    bool organised;
} clump_io_ouster_decoder;
void clump_io_ouster_append(const clump_io_ouster_decoder *decoder, const unsigned char *column, float time,
                            clump_io_filling *to);

#endif
