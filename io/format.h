/* SPDX-License-Identifier: BSD-3-Clause
 *
 * format.h: the inside of clump_io, and how to add a format.
 *
 *     stream.c bytes of a file  ->  load.c  which format?  ->  NAME.c  parse()  ->  clump_cloud
 *     file.c   whole new file   <-  sink.c  buffer         <-  NAME.c  write()  <-  save.c
 *
 * A format is one file that defines one clump_io_format, and one line in formats.c. It never sees
 * a file, only bytes. A parser trusts nothing: a count, a size or an offset is compared with the
 * bytes there are before it is used, so a short file costs little whatever its header promises.
 * sniff() gets the size of all bytes, but looks at the first 64 KiB alone.
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
/* The same for a source or an output, which have a `where`. */
#define CLUMP_IO_DAMAGED(of, ...)     clump_io_fail(&(of)->where, CLUMP_ERR_IO_FORMAT, __VA_ARGS__)
#define CLUMP_IO_TRUNCATED(of, ...)   clump_io_fail(&(of)->where, CLUMP_ERR_IO_TRUNCATED, __VA_ARGS__)
#define CLUMP_IO_UNSUPPORTED(of, ...) clump_io_fail(&(of)->where, CLUMP_ERR_IO_UNSUPPORTED, __VA_ARGS__)

clump_status clump_io_no_memory(const clump_io_where *where, size_t bytes);
clump_status clump_io_fail_errno(const clump_io_where *where, clump_status status, const char *what, int error);

/* Returns the status of the call from the function around it, unless that is CLUMP_OK. */
#define CLUMP_IO_TRY(call)                                                                                             \
    do {                                                                                                               \
        const clump_status clump_io_status_ = (call);                                                                  \
        if (clump_io_status_ != CLUMP_OK) return clump_io_status_;                                                     \
    } while (0)

/* Bytes of a file made fit for a sentence: short, printable. */
typedef struct clump_io_quoted {
    char text[44];
} clump_io_quoted;
clump_io_quoted clump_io_quote(const void *bytes, size_t size);

/* --- the cloud ------------------------------------------------------------------------------ */

/* More fields than this, or elements of a field, are a broken file, not a cloud. */
#define CLUMP_IO_MAX_FIELDS 65536

/* Coordinates that the file had as integers: offset + scale x step. */
typedef struct clump_io_grid {
    bool on;
    double scale[3], offset[3];
    int32_t *steps; /* 3 x count; null: every step follows from origin + xyz, by rounding */
} clump_io_grid;

/* The fields own their names and data. exact and grid know the coordinates finer than origin + xyz
 * does, and only matter when the cloud is written; one at most is there. */
struct clump_cloud {
    size_t count;
    float *xyz;
    double origin[3];
    double *exact; /* 3 x count, file coordinates; null: origin + xyz says it all */
    clump_io_grid grid;
    clump_field *fields;
    size_t field_count, field_capacity;
    clump_cloud_info info;
    void *keep; /* what the format of info wants back when it writes the cloud again; one malloc, or null */
};

/* Zeroed memory; large areas in large pages, where the system has them on request. Never null for
 * 0 bytes. Freed with free(). */
void *clump_io_take(size_t bytes);

/* a * b, false when it does not fit. */
static inline bool clump_io_multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* What every parser calls once it has checked the count: takes memory for the coordinates. */
clump_status clump_io_cloud_resize(const clump_io_where *where, clump_cloud *cloud, size_t count);

/* Leaves the first `count` points, which are then not organised. */
void clump_io_cloud_shrink(clump_cloud *cloud, size_t count);

/* Appends a field; *data is for the parser to fill. The name is cleaned of what would break a
 * header line; names need not differ, load.c makes them so. */
clump_status clump_io_cloud_add_field(const clump_io_where *where, clump_cloud *cloud, const char *name,
                                      size_t name_size, clump_type type, uint32_t count, void **data);

/* Coordinates in double: sets origin and float32 offsets. xyz, 3 x count from malloc, becomes the
 * cloud's: it is kept if the offsets lose digits. */
void clump_io_cloud_take_xyz64(clump_cloud *cloud, double *xyz);

/* The rule for the origin, from the box of the finite points (lower > upper: there are none). */
void clump_io_cloud_choose_origin(clump_cloud *cloud, const double lower[3], const double upper[3]);

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

/* Coordinates need more than float32 to be written, or came from more. */
static inline bool clump_io_is_wide(const clump_cloud *cloud)
{
    return cloud->exact || cloud->grid.on || cloud->info.xyz_type != CLUMP_TYPE_F32 || cloud->origin[0] != 0 ||
           cloud->origin[1] != 0 || cloud->origin[2] != 0;
}
/* Coordinate of point i in the file's frame, as fine as it is known. A float that the caller has
 * changed since wins over what the file had. */
double clump_io_coordinate(const clump_cloud *cloud, size_t i, int axis);
/* The same as float32; where float32 is all there is the very bits, also of -0 and NaN. */
static inline float clump_io_coordinate32(const clump_cloud *cloud, size_t i, int axis)
{
    return clump_io_is_wide(cloud) ? (float)clump_io_coordinate(cloud, i, axis) : cloud->xyz[3 * i + (size_t)axis];
}

/* --- a format ------------------------------------------------------------------------------- */

/* Who wants to know how far it is; call may be null. This part of the work is [from, to] of it. */
typedef struct clump_io_progress {
    clump_progress call;
    void *user;
    double from, to;
} clump_io_progress;

/* A parser or writer tells it after every CLUMP_IO_STRETCH points or bytes or so, not more often. */
#define CLUMP_IO_STRETCH 65536
static inline void clump_io_tell(const clump_io_progress *progress, size_t done, size_t total)
{
    const double share = total ? (double)done / (double)total : 1.0;
    if (progress->call) progress->call(progress->user, progress->from + share * (progress->to - progress->from));
}

/* A file, and what of it is in memory: the bytes before `loaded`, and what was asked for besides. */
typedef struct clump_io_stream {
    int file;
    unsigned char *data;
    size_t size, loaded;
    size_t mapped; /* bytes of a mapping; 0: data is from malloc */
} clump_io_stream;
clump_status clump_io_stream_open(const clump_io_where *where, const char *path, clump_io_stream *stream);
void clump_io_stream_close(clump_io_stream *stream);

typedef struct clump_io_source {
    const unsigned char *bytes;
    size_t size;
    clump_io_stream *stream; /* null: all bytes are in memory */
    clump_io_where where;
    clump_io_progress progress;
    const char *columns; /* of a point, where the caller says them; else null */
    bool partial;        /* the points that are there will do */
} clump_io_source;

/* Bytes from the beginning that are in memory. */
static inline size_t clump_io_loaded(const clump_io_source *source)
{
    return source->stream ? source->stream->loaded : source->size;
}

/* The source as far as it is in memory, without a place for sentences: a failure may be one of the head alone. */
static inline clump_io_source clump_io_head(const clump_io_source *source)
{
    clump_io_source head = *source;
    head.where.message = NULL;
    head.size = clump_io_loaded(source);
    return head;
}

/* Has bytes [from, to), or all of them, in memory; fails if the file has become shorter. Only formats that stream
 * need these: all bytes are there before any other format begins. */
clump_status clump_io_require(const clump_io_source *source, size_t from, size_t to);
clump_status clump_io_require_all(const clump_io_source *source);

/* Bytes [from, from + size) of the source's stream, into memory of the caller. */
clump_status clump_io_read(const clump_io_source *source, size_t from, unsigned char *to, size_t size);

/* The file ends after `have` of its `announced` points. If the caller wants the points that are there, this
 * notes their number and returns CLUMP_OK, and the parser goes on with them; else it fails with the sentence.
 * have SIZE_MAX: not known yet, and nothing is noted. */
__attribute__((format(printf, 5, 6))) clump_status clump_io_cut(const clump_io_source *source, clump_cloud *cloud,
                                                                size_t have, size_t announced, const char *format, ...);

/* Adds to a sentence about the last line of a text, which has no end, that the file may be cut there. With the
 * option partial such a line is left out: where it is cut in a number, nothing else would show it. */
void clump_io_say_cut_line(const clump_io_source *source);

typedef struct clump_io_output {
    const clump_cloud *cloud;
    const clump_field *fields; /* what is to be written besides x y z; with labels, the last is "label" */
    size_t field_count;
    const int32_t *labels;   /* or null */
    clump_encoding encoding; /* one that the format has */
    const char *extension;   /* of the target, in lower case: "csv"; "" if none */
    clump_io_where where;
    clump_io_progress progress;
} clump_io_output;

#define CLUMP_IO_ASCII      (1u << CLUMP_ENCODING_ASCII)
#define CLUMP_IO_BINARY     (1u << CLUMP_ENCODING_BINARY)
#define CLUMP_IO_COMPRESSED (1u << CLUMP_ENCODING_COMPRESSED)
#define CLUMP_IO_BIG_ENDIAN (1u << CLUMP_ENCODING_BIG_ENDIAN)

typedef struct clump_io_format {
    clump_format format;
    const char *name;          /* "pcd" */
    const char *extensions[7]; /* lower case, without the first dot; null-terminated */
    unsigned encodings;        /* it can be written in, CLUMP_IO_ASCII ...; binary is the default if there */
    bool holds_points;         /* false: a file of labels, which has no points to parse */
    bool holds_fields;         /* of any name and type */
    bool holds_labels;         /* beside the points or instead of them */
    bool unsigned_labels;      /* the field "label" is uint32 in the file, as PCL has it: label.h */
    bool streams;              /* parse() asks for the bytes it needs: clump_io_require() */
    bool (*sniff)(const unsigned char *bytes, size_t size);                    /* sure by content; null: no such sign */
    clump_status (*parse)(const clump_io_source *source, clump_cloud *cloud);  /* REQUIRED */
    clump_status (*write)(const clump_io_output *output, clump_io_sink *sink); /* null: cannot */
} clump_io_format;

/* The formats that others refer to; formats.c lists all. */
extern const clump_io_format clump_io_format_nuscenes, clump_io_format_raw, clump_io_format_text, clump_io_format_npy;

/* Null-terminated, in the order in which their content is recognised. */
extern const clump_io_format *const clump_io_formats[];

const clump_io_format *clump_io_format_of(clump_format format);        /* null: no such */
const clump_io_format *clump_io_format_of_name(const char *file_name); /* by extension; null: unknown */
void clump_io_extension(const char *file_name, char extension[16]);    /* lower case, without the dot */
void clump_io_list_written(char *list, size_t room);                   /* ".pcd .ply ...": what can be written */

/* --- files and locale ----------------------------------------------------------------------- */

/* "-" stands for standard input or output. */
bool clump_io_is_dash(const char *path);

/* A file being written: under another name beside the target, until commit gives it the target's. */
typedef struct clump_io_target {
    int file;
    char *path;      /* what is replaced; links followed. Null: no regular file, written to directly */
    char *temporary; /* the name beside it; null: none yet, or none at all */
    bool nameless;   /* it gets that name when it is complete */
    clump_temporary tell;
    void *tell_user;
} clump_io_target;
clump_status clump_io_target_open(const clump_io_where *where, const char *path, clump_temporary tell, void *tell_user,
                                  clump_io_target *target);
clump_status clump_io_target_commit(const clump_io_where *where, clump_io_target *target, int error);

/* Gives this thread the "C" locale and takes it away again. */
typedef struct clump_io_locale {
    void *ours, *before;
} clump_io_locale;
bool clump_io_locale_enter(clump_io_locale *locale);
void clump_io_locale_leave(clump_io_locale *locale);

#endif
