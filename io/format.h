/* SPDX-License-Identifier: BSD-3-Clause
 *
 * format.h: the inside of clump_io, and how to add a format.
 *
 *     file.c   bytes of a file  ->  load.c  which format?  ->  NAME.c  parse()  ->  clump_cloud
 *     file.c   whole new file   <-  sink.c  buffer         <-  NAME.c  write()  <-  save.c
 *
 * A format is one file that defines one clump_io_format, and one line in formats.c. It never sees
 * a file, only bytes. A parser trusts nothing: a count, a size or an offset is compared with the
 * bytes there are before it is used, so a short file costs little whatever its header promises.
 * While parse() and write() run, the thread's locale is "C": strtod and snprintf are safe to use.
 */
#ifndef CLUMP_IO_FORMAT_H
#define CLUMP_IO_FORMAT_H

#include <clump/io.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "clump_io copies little-endian numbers as they are; this machine is big-endian"
#endif

/* --- failing -------------------------------------------------------------------------------- */

/* Where a sentence goes and which file it is about; both may be null. */
typedef struct clump_io_where {
    const char *name;
    clump_message *message;
} clump_io_where;

/* Writes "name: sentence" and returns status, so that a parser can `return clump_io_fail(...)`. */
__attribute__((format(printf, 3, 4))) clump_status clump_io_fail(const clump_io_where *where, clump_status status,
                                                                 const char *format, ...);
clump_status clump_io_no_memory(const clump_io_where *where, size_t bytes);
clump_status clump_io_fail_errno(const clump_io_where *where, clump_status status, const char *what, int error);

/* Bytes of a file made fit for a sentence: short, printable. */
typedef struct clump_io_quoted {
    char text[44];
} clump_io_quoted;
clump_io_quoted clump_io_quote(const void *bytes, size_t size);

/* --- the cloud ------------------------------------------------------------------------------ */

/* More fields than this are a broken file, not a cloud. */
#define CLUMP_IO_MAX_FIELDS 65536

/* A clump_field that owns its name and data. */
struct clump_cloud {
    size_t count;
    float *xyz;
    double origin[3];
    clump_field *fields;
    size_t field_count, field_capacity;
    clump_cloud_info info;
};

/* a * b, false when it does not fit. */
static inline bool clump_io_multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* What every parser calls once it has checked the count: takes memory for the coordinates. */
clump_status clump_io_cloud_resize(const clump_io_where *where, clump_cloud *cloud, size_t count);

/* Appends a field; *data is for the parser to fill. The name is cleaned of what would break a
 * header line; names need not differ. */
clump_status clump_io_cloud_add_field(const clump_io_where *where, clump_cloud *cloud, const char *name,
                                      size_t name_size, clump_type type, uint32_t count, void **data);

/* Coordinates in double: sets origin and float32 offsets. xyz has 3 x count entries. */
void clump_io_cloud_set_xyz64(clump_cloud *cloud, const double *xyz);

/* Adds to info.note, behind what is there. */
__attribute__((format(printf, 2, 3))) void clump_io_note(clump_cloud *cloud, const char *format, ...);

/* Element index of an array of that type, as the nearest double. */
double clump_io_value(clump_type type, const void *data, size_t index);

/* --- output --------------------------------------------------------------------------------- */

/* Buffered writing with a sticky error: a writer writes on and the one who opened it looks once. */
typedef struct clump_io_sink {
    int file;
    int error; /* errno of the first failure, or 0 */
    size_t used;
    size_t capacity;
    char *buffer;
} clump_io_sink;

bool clump_io_sink_open(clump_io_sink *sink, int file);
void clump_io_sink_close(clump_io_sink *sink); /* flushes; does not close the file */
void clump_io_put(clump_io_sink *sink, const void *bytes, size_t size);
void clump_io_put_text(clump_io_sink *sink, const char *text);
void clump_io_put_uint(clump_io_sink *sink, uint64_t value);
void clump_io_put_float(clump_io_sink *sink, float value);   /* shortest text that reads back the same */
void clump_io_put_double(clump_io_sink *sink, double value); /* likewise */
void clump_io_put_value(clump_io_sink *sink, clump_type type, const void *data, size_t index);

/* Coordinate of point i in the file's frame. */
static inline double clump_io_coordinate(const clump_cloud *cloud, size_t i, int axis)
{
    return cloud->origin[axis] + (double)cloud->xyz[3 * i + (size_t)axis];
}
/* The same as float32; without an origin the very bits, also of -0 and NaN. */
static inline float clump_io_coordinate32(const clump_cloud *cloud, size_t i, int axis)
{
    return cloud->origin[axis] == 0 ? cloud->xyz[3 * i + (size_t)axis] : (float)clump_io_coordinate(cloud, i, axis);
}
static inline bool clump_io_has_origin(const clump_cloud *cloud)
{
    return cloud->origin[0] != 0 || cloud->origin[1] != 0 || cloud->origin[2] != 0;
}

/* --- a format ------------------------------------------------------------------------------- */

typedef struct clump_io_source {
    const unsigned char *bytes;
    size_t size;
    clump_io_where where;
} clump_io_source;

typedef struct clump_io_output {
    const clump_cloud *cloud;
    const clump_field *fields; /* what is to be written besides x y z; with labels, the last is "label" */
    size_t field_count;
    const int32_t *labels;   /* or null */
    clump_encoding encoding; /* ASCII or BINARY */
    const char *extension;   /* of the target, in lower case: "csv"; "" if none */
    clump_io_where where;
} clump_io_output;

typedef struct clump_io_format {
    clump_format format;       /* CLUMP_FORMAT_GUESS: one that is recognised only to be refused */
    const char *name;          /* "pcd" */
    const char *extensions[7]; /* lower case, without the first dot; null-terminated */
    bool ascii, binary;        /* encodings it can be written in; binary is the default if there */
    bool (*sniff)(const unsigned char *bytes, size_t size);                    /* sure by content; null: no such sign */
    clump_status (*parse)(const clump_io_source *source, clump_cloud *cloud);  /* REQUIRED */
    clump_status (*write)(const clump_io_output *output, clump_io_sink *sink); /* null: cannot */
} clump_io_format;

extern const clump_io_format clump_io_pcd, clump_io_kitti, clump_io_text, clump_io_npy, clump_io_labels, clump_io_ply,
    clump_io_las, clump_io_nuscenes;

/* Null-terminated, in the order in which they are asked. */
extern const clump_io_format *const clump_io_formats[];

const clump_io_format *clump_io_format_of(clump_format format);        /* null: no such */
const clump_io_format *clump_io_format_of_name(const char *file_name); /* by extension; null: unknown */
void clump_io_extension(const char *file_name, char extension[16]);    /* lower case, without the dot */

/* --- files and locale ----------------------------------------------------------------------- */

/* The bytes of a file: mapped where it can be, else read. */
typedef struct clump_io_bytes {
    unsigned char *data;
    size_t size;
    bool mapped;
} clump_io_bytes;
clump_status clump_io_bytes_load(const clump_io_where *where, clump_io_bytes *bytes);
void clump_io_bytes_free(clump_io_bytes *bytes);

/* A file being written: under another name beside the target, until commit gives it the target's. */
typedef struct clump_io_target {
    int file;
    char *path;      /* what is replaced; links followed */
    char *temporary; /* null: the target is no regular file and is written to directly */
} clump_io_target;
clump_status clump_io_target_open(const clump_io_where *where, clump_io_target *target);
clump_status clump_io_target_commit(const clump_io_where *where, clump_io_target *target, int error);

/* Gives this thread the "C" locale and takes it away again. */
typedef struct clump_io_locale {
    void *ours, *before;
} clump_io_locale;
bool clump_io_locale_enter(clump_io_locale *locale);
void clump_io_locale_leave(clump_io_locale *locale);

#endif
