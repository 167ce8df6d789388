/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las.h: LAS files, versions 1.0 to 1.4, point formats 0 to 10, and what LAZ files share with them.
 *
 *     header | VLR VLR ... gap | record record record ...            | EVLRs, waveforms, anything
 *     0      | header_size     | points: count x `record` bytes      | tail                   size
 *
 *     las.c          parse(): all of it in order, and what is kept for writing
 *     las_header.c   header, VLRs and EVLRs, compared with the bytes there are
 *     las_layout.c   a record as a list of slots, each of which is a field of the cloud
 *     las_extra.c    the slots behind the format's own: extra bytes and their descriptors
 *     las_points.c   records -> fields
 *     las_grid.c     integers -> coordinates, and back
 *     las_fit.c      which field goes into which slot, and whether its values fit
 *     las_new.c      header, point format and scale for a cloud that was no LAS file
 *     las_head.c     header and VLRs of a file that is written
 *     las_write.c    header, VLRs, records, tail
 *     las_writer.c   files that are written block by block
 *
 *     laz_frame.c    LAZ: what surrounds the compressed points
 *     laz.c          LAZ: finds the chunks and decodes one (io/laz); laz_team.c: all, on several threads
 *     laz_pack.c     LAZ: records to chunks, on several threads
 *     laz_sink.c     LAZ: the file around the chunks
 *
 *     steps.c        the coordinates of a cloud as whole steps
 *     las_steps.c    the step that several files have in common
 *
 * Words of the room: a `slot` is a field of the point format in a record. A `chunk` of LAZ is the points that are compressed
 * together, 50,000 as a rule. A `step` is the length that the integers of a file count.
 */
#ifndef CLUMP_IO_LAS_H
#define CLUMP_IO_LAS_H

#include "records.h"

#define CLUMP_IO_LAS_VLR_HEAD   54   /* bytes of a VLR before its data */
#define CLUMP_IO_LAS_EVLR_HEAD  60   /* bytes of an EVLR before its data; waveforms begin likewise */
#define CLUMP_IO_LAS_DESCRIPTOR 192  /* bytes that describe an extra dimension */
#define CLUMP_IO_LAS_RECORDS    1024 /* limit of the records that are converted at a time */

/* Read a number of the file; it need not be aligned. */
#define CLUMP_IO_LAS_GETTER(name, kind)                                                                                \
    static inline kind name(const unsigned char *bytes)                                                                \
    {                                                                                                                  \
        kind value;                                                                                                    \
        memcpy(&value, bytes, sizeof value);                                                                           \
        return value;                                                                                                  \
    }
CLUMP_IO_LAS_GETTER(clump_io_las_u16, uint16_t)
CLUMP_IO_LAS_GETTER(clump_io_las_u32, uint32_t)
CLUMP_IO_LAS_GETTER(clump_io_las_u64, uint64_t)
CLUMP_IO_LAS_GETTER(clump_io_las_f64, double)
#undef CLUMP_IO_LAS_GETTER

/* Writes the low `size` bytes of a value. */
static inline void clump_io_las_put(unsigned char *bytes, size_t at, uint64_t value, size_t size)
{
    memcpy(bytes + at, &value, size);
}

/* Offsets in the header, in bytes. */
enum {
    CLUMP_IO_LAS_ENCODING = 6,     /* u16: 1 adjusted GPS time, 2 waveforms inside, 16 WKT */
    CLUMP_IO_LAS_VERSION = 24,     /* u8 1, u8 minor */
    CLUMP_IO_LAS_SYSTEM = 26,      /* 32 characters */
    CLUMP_IO_LAS_SOFTWARE = 58,    /* 32 characters */
    CLUMP_IO_LAS_HEADER_SIZE = 94, /* u16 */
    CLUMP_IO_LAS_POINTS = 96,      /* u32: byte of the first record */
    CLUMP_IO_LAS_VLRS = 100,       /* u32: how many */
    CLUMP_IO_LAS_FORMAT = 104,     /* u8; bit 7: compressed, bit 6: an older compression */
    CLUMP_IO_LAS_RECORD = 105,     /* u16: bytes of a record */
    CLUMP_IO_LAS_COUNT = 107,      /* u32 */
    CLUMP_IO_LAS_RETURNS = 111,    /* u32 x 5 */
    CLUMP_IO_LAS_SCALE = 131,      /* f64 x 3 */
    CLUMP_IO_LAS_OFFSET = 155,     /* f64 x 3 */
    CLUMP_IO_LAS_BOUNDS = 179,     /* f64 x 6: highest x, lowest x, highest y ... */
    CLUMP_IO_LAS_SIZE_1_2 = 227,   /* of the header, up to LAS 1.2 */
    CLUMP_IO_LAS_WAVEFORMS = 227,  /* u64: byte of the waveforms, LAS 1.3 */
    CLUMP_IO_LAS_SIZE_1_3 = 235,   /* LAS 1.3 */
    CLUMP_IO_LAS_EVLRS = 235,      /* u64: byte of the first EVLR, LAS 1.4 */
    CLUMP_IO_LAS_EVLR_COUNT = 243, /* u32 */
    CLUMP_IO_LAS_COUNT_64 = 247,   /* u64 */
    CLUMP_IO_LAS_RETURNS_64 = 255, /* u64 x 15 */
    CLUMP_IO_LAS_SIZE_1_4 = 375,
};

/* --- header --------------------------------------------------------------------------------- */

/* A header whose sizes and offsets have been checked against the file. */
typedef struct clump_io_las_header {
    unsigned minor;  /* version 1.minor */
    unsigned format; /* 0 to 10 */
    bool compressed;
    size_t size;                 /* bytes of the header */
    size_t points;               /* byte of the first record */
    size_t vlr_count, vlr_end;   /* number of VLRs, and the byte after the last */
    size_t extra_at, extra_size; /* VLR that describes the extra bytes: its byte (0: none), bytes of its data */
    size_t record, count;
    size_t tail; /* byte behind the points; LAZ: of the first EVLR or waveform, or the end of the file */
    double scale[3], offset[3];
    bool cut;        /* the file is truncated: count is the number of points that it has */
    uint64_t hidden; /* bit k: the format's slot k is 0 throughout, and an extra slot has its name */
} clump_io_las_header;

bool clump_io_las_sniff(const unsigned char *bytes, size_t size);
bool clump_io_las_sniff_compressed(const unsigned char *bytes, size_t size);

/* Reads the header and the VLRs. Oddities that do not prevent reading become notes of the cloud. */
clump_status clump_io_las_header_parse(const clump_io_source *source, clump_io_las_header *header, clump_cloud *cloud);

bool clump_io_las_is_vlr(const unsigned char *vlr, const char *user, unsigned id);

/* --- the parts of a record ------------------------------------------------------------------ */

/* One field of a record. */
typedef struct clump_io_las_slot {
    char name[40];
    clump_type type;      /* of an element; uint8 for bits */
    uint32_t count;       /* elements */
    size_t offset;        /* bytes from the start of the record */
    unsigned shift, bits; /* bits > 0: that many of the byte, from bit `shift` on */
    bool extra;           /* an extra dimension, not part of the point format */
    bool hidden;          /* is no field: see clump_io_las_header */
    bool invented;        /* the descriptor's name is empty or a coordinate's */
    bool renamed;         /* the descriptor's name is that of another slot */
    bool scaled;          /* the field may be float64: value x scale + add */
    double scale[3], add[3];
    size_t descriptor; /* of an extra slot: its index in the VLR, or one of the values below */
} clump_io_las_slot;

#define CLUMP_IO_LAS_UNKNOWN SIZE_MAX       /* bytes without a descriptor */
#define CLUMP_IO_LAS_ADDED   (SIZE_MAX - 1) /* a new dimension, which the file did not have */

typedef struct clump_io_las_layout {
    clump_io_las_slot *slots;
    size_t count, capacity;
    size_t base;   /* bytes of a record without extra dimensions */
    size_t record; /* bytes of a record */
} clump_io_las_layout;

size_t clump_io_las_base(unsigned format); /* bytes of a record without extra bytes */
bool clump_io_las_layout_add(clump_io_las_layout *layout, const clump_io_las_slot *slot);
bool clump_io_las_layout_format(clump_io_las_layout *layout, unsigned format); /* x y z is no slot */
void clump_io_las_layout_free(clump_io_las_layout *layout);

/* Whether two names differ in case and underscores only: "ReturnNumber", "return_number". */
bool clump_io_las_same_name(const char *a, const char *b);

/* Whether some program knows a dimension of a point format under this name: laspy's and PDAL's names are among them. */
bool clump_io_las_is_standard(const char *name);

/* Adds slots for the extra bytes that descriptors describe; the rest becomes "extra_bytes". cloud, for notes, may be
 * null. False: no memory. */
bool clump_io_las_layout_extra(clump_io_las_layout *layout, const unsigned char *descriptors, size_t size,
                               size_t record, clump_cloud *cloud);

/* Makes the layout of a file: both of the above. */
bool clump_io_las_layout_make(const clump_io_source *source, const clump_io_las_header *header,
                              clump_io_las_layout *layout, clump_cloud *cloud);

/* Makes the names of visible slots unique. cloud, for notes, may be null. */
void clump_io_las_layout_separate(clump_io_las_layout *layout, uint64_t hidden, clump_cloud *cloud);

/* Write the descriptor of a single number, or of `bytes` bytes of unknown meaning. */
void clump_io_las_describe(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR], const char *name, clump_type type,
                           const char *description);
void clump_io_las_describe_opaque(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR], const char *name, unsigned bytes);

void clump_io_las_set_name(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR], const char *name);

/* Writes name_number, shortened to fit a descriptor. */
void clump_io_las_number_name(char out[40], const char *name, size_t number);

/* Removes the lowest and highest value from a descriptor, since values are replaced. False: it has none. */
bool clump_io_las_forget_limits(unsigned char descriptor[CLUMP_IO_LAS_DESCRIPTOR]);

/* Converts a value of element k to the number in the record. The slot is scaled, or unscaled and of the format. False:
 * the number does not fit. */
bool clump_io_las_unscale(const clump_io_las_slot *slot, uint32_t k, double value, void *raw);

/* Converts all numbers of a scaled slot to values, which may be null. False: a number cannot be recovered from its
 * value. */
bool clump_io_las_scale_all(const clump_io_las_slot *slot, const void *raw, size_t numbers, double *values);

/* --- reading -------------------------------------------------------------------------------- */

/* Bounds and returns of the points as they were read. If they are unchanged, the header is kept. */
typedef struct clump_io_las_summary {
    int32_t lower[3], upper[3];
    uint64_t returns[16]; /* by return number */
} clump_io_las_summary;
void clump_io_las_summary_begin(clump_io_las_summary *summary);
void clump_io_las_summary_returns(clump_io_las_summary *summary, const uint8_t *returns, size_t points);
void clump_io_las_summary_steps(clump_io_las_summary *summary, const int32_t *steps, size_t points);

/* Returns how many records stay in the cache while each slot takes its part of them. */
static inline size_t clump_io_las_records_at_once(size_t record)
{
    const size_t at_once = 32768 / record;
    return at_once < 1 ? 1 : at_once > CLUMP_IO_LAS_RECORDS ? CLUMP_IO_LAS_RECORDS : at_once;
}

/* Decodes a LAZ file and discards the points, to check that it has as many as it claims. */
clump_status clump_io_las_check_points(const clump_io_source *source, const clump_io_las_header *header);

/* Reads all records into the cloud, whose count is set. */
clump_status clump_io_las_read_points(const clump_io_source *source, const clump_io_las_header *header,
                                      const clump_io_las_layout *layout, clump_cloud *cloud,
                                      clump_io_las_summary *summary);

/* Converts the integers in the cloud's xyz to coordinates, and sets origin and grid. */
clump_status clump_io_las_place(const clump_io_where *where, clump_cloud *cloud, const clump_io_las_header *header,
                                const clump_io_las_summary *summary);

/* In clump_cloud.rest: what the file has besides its points. */
typedef struct clump_io_las_rest {
    clump_io_las_header header;
    clump_io_las_summary summary;
    bool summarized; /* false: only the head has been read */
    size_t tail_size;
    unsigned char bytes[]; /* [0, header.points) of the file, then its tail */
} clump_io_las_rest;

/* --- writing -------------------------------------------------------------------------------- */

/* A slot and where its values come from. */
typedef struct clump_io_las_part {
    clump_io_las_slot slot;
    const clump_field *field; /* null: all 0, or `fill` */
    uint32_t element;         /* first of the field's elements */
    unsigned fill;
} clump_io_las_part;

typedef struct clump_io_las_plan {
    clump_io_las_part *parts;
    size_t count;
    size_t record;
    unsigned char *descriptors; /* of all extra dimensions */
    size_t descriptor_count;
    bool described_anew; /* they are not what the file had */
} clump_io_las_plan;

/* Whether the field has the name of a slot, perhaps in another spelling. */
bool clump_io_las_is_called(const clump_field *field, const char *name);

/* Whether the slot can hold every value of the field. */
bool clump_io_las_fits(const clump_field *field, const clump_io_las_slot *slot, size_t points);

/* Plans which field goes into which slot. old are the descriptors of the layout, or null. */
clump_status clump_io_las_plan_make(const clump_io_output *output, const clump_io_las_layout *layout,
                                    const unsigned char *old, clump_io_las_plan *plan);
void clump_io_las_plan_free(clump_io_las_plan *plan);

/* Plans the records of a file that is copied, with a label of this type besides. An extra dimension "label" of the same
 * type keeps its place; one of another type is left out. All other slots stay. The part with a field is the label. */
clump_status clump_io_las_plan_label(const clump_io_where *where, const clump_io_las_layout *layout,
                                     const unsigned char *old, clump_type type, clump_io_las_plan *plan);

/* What comes before the records of a file that is written. */
typedef struct clump_io_las_head {
    clump_io_where where;
    const clump_io_las_rest *rest; /* of the file that was read; null: the cloud was no LAS file */
    const unsigned char *old;      /* header and VLRs: of `rest`, or a new header */
    clump_io_las_header header;    /* of the file that was read, or the new one, with the count of points to write */
    clump_io_las_plan plan;
    clump_io_las_summary summary; /* of the points to write */
    unsigned char *bytes;         /* output, from malloc: all that comes before the records */
    size_t size;
} clump_io_las_head;

/* Returns the first axis on which points lie outside of the header's bounds by more than a step, since programs may round
 * differently; -1: none. */
int clump_io_las_axis_outside(const unsigned char *bytes, const clump_io_las_header *header,
                              const clump_io_las_summary *summary);

/* Makes the bytes. Bounds and counts of returns change only if the summary is not that of `rest`, or points of it lie
 * outside of the bounds. */
clump_status clump_io_las_head_make(clump_io_las_head *head);

/* Writes bounds, counts of returns and the count of points into the bytes. */
void clump_io_las_head_patch(clump_io_las_head *head);

/* Computes the steps of points [first, first + count) by the header's scale and offset. False: *point and *axis name
 * the first coordinate out of reach. */
bool clump_io_las_steps(const clump_cloud *cloud, const clump_io_las_header *header, size_t first, size_t count,
                        int32_t *steps, size_t *point, int *axis);

/* Makes a header of LAS 1.4 without bounds and returns, and chooses the scale, for a cloud of another format. */
clump_status clump_io_las_new(const clump_io_output *output, unsigned char bytes[CLUMP_IO_LAS_SIZE_1_4],
                              clump_io_las_header *header);
/* Fills the header of LAS 1.4, without bounds, returns and VLRs. adjusted: the time is adjusted GPS time. */
void clump_io_las_fill_header(const clump_io_las_header *h, unsigned char *bytes, bool adjusted);
/* Write what the header says of the points. */
void clump_io_las_put_bounds(const clump_io_las_header *h, const clump_io_las_summary *summary, unsigned char *head);
void clump_io_las_put_returns(const clump_io_las_header *h, const clump_io_las_summary *summary, unsigned char *head);
clump_status clump_io_las_not_finite(const clump_io_where *where, const clump_cloud *cloud);

clump_status clump_io_las_write(const clump_io_output *output, clump_io_sink *sink);

#endif
