/* SPDX-License-Identifier: BSD-3-Clause
 *
 * format.h: the internals of clump_io, and how to add a format.
 *
 *     stream.c bytes of a file  ->  load.c  which format?  ->  NAME.c  parse()  ->  clump_cloud
 *     file.c   whole new file   <-  sink.c  buffer         <-  NAME.c  write()  <-  save.c
 *
 * A format is one file that defines one clump_io_format, and one line in formats.c. It reads bytes,
 * never a file. A parser trusts no count, size or offset: it compares each with the size of the file
 * before it uses it, so a short file costs little whatever its header claims.
 * sniff() gets the size of all bytes, but may read the first 64 KiB only.
 * While parse() and write() run, the thread's locale is "C": strtod and snprintf are safe to use.
 *
 * What the files of this folder do, in the order of reading and then of writing:
 *
 *     stream.c        bytes of a file into memory
 *     load.c          finds the format
 *     formats.c       the list of formats
 *     type.c          the ten types of a field
 *     number.c        decimal text to numbers (number.h)
 *     records.c       records of fields to columns (records.h)
 *     names.c         unique names of fields
 *     cloud.c         the contents of a file in memory; cloud_reuse.c: their memory for the next frame
 *     rings.c         rings of a cloud, for clump_objects
 *     select.c        a part of the points
 *     save.c          chooses format and fields to write, with the field "label"
 *     sink.c          buffered output, numbers to text
 *     file.c          whole new files, or none; output.c: the same for other files
 *     message.c       sentences of failures, the "C" locale of a thread
 *     list.c          arrays that grow
 *     crc32.c         the checksum of MCAP; crc32_fold.c: by carry-less multiplication
 *
 * The formats are in io/formats and io/las:
 *
 *     pcd_header.c, pcd.c, pcd_compressed.c, pcd_write.c     PCD
 *     ply_header.c, ply.c, ply_write.c                       PLY
 *     text_header.c, text.c, text_write.c                    text; words.h: headers that are text
 *     npy.c                                                  NumPy arrays
 *     kitti.c, nuscenes.c, raw.c                             float32 or other records without a header (plain.c)
 *     labels.c, poses.c                                      files of labels, files of poses
 */
#ifndef CLUMP_IO_FORMAT_H
#define CLUMP_IO_FORMAT_H

#include <clump/io.h>

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "clump_io copies little-endian numbers as they are; this machine is big-endian"
#endif

/* --- failing -------------------------------------------------------------------------------- */

/* The file that a message is about, and where the message goes; both may be null. */
typedef struct clump_io_where {
    const char *name;
    clump_message *message;
} clump_io_where;

/* Writes "name: sentence" and returns status, so that a parser can `return clump_io_fail(...)`. */
__attribute__((format(printf, 3, 4))) clump_status clump_io_fail(const clump_io_where *where, clump_status status,
                                                                 const char *format, ...);
/* clump_io_fail() for a source or an output, which have a member `where`. */
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

/* Adds `amount` to a counter of losses, and keeps the sentence if it is the first. counter may be null (truncated). */
__attribute__((format(printf, 4, 5))) void clump_io_lose(clump_recording_losses *losses, uint64_t *counter,
                                                         uint64_t amount, const char *format, ...);

/* Bytes of a file for use in a message: short and printable. */
typedef struct clump_io_quoted {
    char text[44];
} clump_io_quoted;
clump_io_quoted clump_io_quote(const void *bytes, size_t size);

/* --- the cloud ------------------------------------------------------------------------------ */

/* Limit of fields, and of elements per field. A file with more is refused. */
#define CLUMP_IO_MAX_FIELDS 65536

/* Coordinates that the file had as integers: offset + scale x step. */
typedef struct clump_io_grid {
    bool on;
    double scale[3], offset[3];
    int32_t *steps; /* 3 x count; null: every step follows from origin + xyz, by rounding */
} clump_io_grid;

/* The fields own their names and data. exact and grid hold coordinates finer than origin + xyz, for writing. At most
 * one of them is set. */
struct clump_cloud {
    size_t count;
    float *xyz;
    double origin[3];
    double *exact; /* 3 x count, file coordinates; null: origin + xyz is exact */
    clump_io_grid grid;
    clump_field *fields;
    size_t field_count, field_capacity;
    clump_cloud_info info;
    size_t capacity; /* points that xyz and all fields have room for; 0: no more than count (cloud_reuse.c) */
    double *spare;   /* memory for `exact` that is used again, 3 x capacity; or null */
    clump_field
        parked; /* a field that the caller has added to the frame before, with room for capacity; no name: none */
    void *rest; /* data that the format of info needs to write the cloud again; from malloc, or null */
};

/* Returns zeroed memory, in large pages where the system has them; free() frees it. Null: no memory. 0 bytes are not
 * null. */
void *clump_io_allocate(size_t bytes);

/* Computes a * b; false on overflow. */
static inline bool clump_io_multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* Allocates the coordinates. A parser calls it once it has checked the count. */
clump_status clump_io_cloud_resize(const clump_io_where *where, clump_cloud *cloud, size_t count);

/* Keeps the first `count` points, as one row. */
void clump_io_cloud_shrink(clump_cloud *cloud, size_t count);

/* Appends a field; the parser fills *data. Replaces bytes of the name that would break a header line. Names may be
 * repeated; load.c renames them. */
clump_status clump_io_cloud_add_field(const clump_io_where *where, clump_cloud *cloud, const char *name,
                                      size_t name_size, clump_type type, uint32_t count, void **data);

/* Sets origin and float32 offsets from double coordinates. Takes over xyz, 3 x count from malloc, and keeps it if the
 * offsets lose digits. A cloud with a capacity keeps it in any case, as `spare`: then xyz is 3 x capacity. */
void clump_io_cloud_take_xyz64(clump_cloud *cloud, double *xyz);

/* Chooses the origin from the box of the finite points (lower > upper: there are none). */
void clump_io_cloud_choose_origin(clump_cloud *cloud, const double lower[3], const double upper[3]);

/* --- clouds that are used again, frame by frame (cloud_reuse.c) ----------------------------------- */

/* Name and type of a field. */
typedef struct clump_io_shape {
    const char *name;
    size_t name_size; /* 0: up to the final 0 */
    clump_type type;
    uint32_t count;
} clump_io_shape;

/* Gives a cloud these fields and room for `capacity` points, sets its count to 0 and all else to that of a new cloud. No
 * allocation where the fields are as before and the capacity suffices. The contents are undefined. *cloud may be null:
 * then it is created. */
clump_status clump_io_cloud_prepare(const clump_io_where *where, clump_cloud **cloud, const clump_io_shape *shapes,
                                    size_t shape_count, size_t capacity);

/* Makes room for at least `capacity` points, and keeps the points. Grows by half at least. */
clump_status clump_io_cloud_grow(const clump_io_where *where, clump_cloud *cloud, size_t capacity);

/* Sets the number of points, at most the capacity, as one row. */
void clump_io_cloud_set_count(clump_cloud *cloud, size_t count);

/* Returns the data of a field for writing. */
static inline void *clump_io_field_data(const clump_cloud *cloud, size_t field)
{
    return (void *)(uintptr_t)cloud->fields[field].data;
}

/* Appends to info.note. */
__attribute__((format(printf, 2, 3))) void clump_io_note(clump_cloud *cloud, const char *format, ...);

/* Returns element `index` of an array of that type, as the nearest double. */
double clump_io_value(clump_type type, const void *data, size_t index);

/* --- output --------------------------------------------------------------------------------- */

/* Buffered writing with a sticky error: writers do not check, and the opener checks once. */
typedef struct clump_io_sink {
    int file;
    int error;              /* errno of the first failure, or 0 */
    int64_t begin;          /* byte of the file where the sink began; -1: its bytes cannot be replaced */
    int64_t passed, pushed; /* bytes that were written; bytes that the system was asked to bring to the disk */
    size_t used;
    size_t capacity;
    char *buffer;
} clump_io_sink;

bool clump_io_sink_open(clump_io_sink *sink, int file);
void clump_io_sink_close(clump_io_sink *sink); /* flushes; does not close the file */
/* Whether bytes that were written can be replaced: of a regular file, not of a pipe. */
bool clump_io_sink_patches(const clump_io_sink *sink);
/* Replaces bytes from byte `at` on, counted from where the sink began. */
void clump_io_sink_patch(clump_io_sink *sink, uint64_t at, const void *bytes, size_t size);
void clump_io_put(clump_io_sink *sink, const void *bytes, size_t size);
void clump_io_put_text(clump_io_sink *sink, const char *text);
void clump_io_put_uint(clump_io_sink *sink, uint64_t value);
void clump_io_put_float(clump_io_sink *sink, float value);   /* shortest text that reads back as the same number */
void clump_io_put_double(clump_io_sink *sink, double value); /* shortest text that reads back as the same number */
void clump_io_put_value(clump_io_sink *sink, clump_type type, const void *data, size_t index);

/* Whether coordinates are, or were in the file, finer than float32. */
static inline bool clump_io_is_wide(const clump_cloud *cloud)
{
    return cloud->exact || cloud->grid.on || cloud->info.xyz_type != CLUMP_TYPE_F32 || cloud->origin[0] != 0 ||
           cloud->origin[1] != 0 || cloud->origin[2] != 0;
}
/* Returns a coordinate of point i in the file's frame, as fine as it is known. A float that the caller has changed
 * overrides the file's value. */
double clump_io_coordinate(const clump_cloud *cloud, size_t i, int axis);
/* Returns the coordinate as float32. A cloud of float32 keeps its exact bits, also of -0 and NaN. */
static inline float clump_io_coordinate32(const clump_cloud *cloud, size_t i, int axis)
{
    return clump_io_is_wide(cloud) ? (float)clump_io_coordinate(cloud, i, axis) : cloud->xyz[3 * i + (size_t)axis];
}

/* --- a format ------------------------------------------------------------------------------- */

/* A progress callback, which may be null. This part of the work is the share [from, to] of all work. */
typedef struct clump_io_progress {
    clump_progress call;
    void *user;
    double from, to;
} clump_io_progress;

/* Reports progress. A parser or writer calls it about every CLUMP_IO_STRETCH points or bytes, not more often. */
#define CLUMP_IO_STRETCH 65536
static inline void clump_io_report(const clump_io_progress *progress, size_t done, size_t total)
{
    const double share = total ? (double)done / (double)total : 1.0;
    if (progress->call) progress->call(progress->user, progress->from + share * (progress->to - progress->from));
}

/* A file, and which bytes of it are in memory: those before `loaded`, and other spans that were required. */
typedef struct clump_io_stream {
    int file;
    unsigned char *data;
    size_t size, loaded;
    size_t mapped; /* bytes of a mapping, perhaps fewer than size; 0: data is from malloc */
} clump_io_stream;
clump_status clump_io_stream_open(const clump_io_where *where, const char *path, clump_io_stream *stream);
/* The same for a regular file of which no more than the first 64 MiB will be required. It takes no more addresses. */
clump_status clump_io_stream_open_head(const clump_io_where *where, const char *path, clump_io_stream *stream);
void clump_io_stream_close(clump_io_stream *stream);

typedef struct clump_io_source {
    const unsigned char *bytes;
    size_t size;
    clump_io_stream *stream; /* null: all bytes are in memory */
    clump_io_where where;
    clump_io_progress progress;
    const char *columns; /* of a point, as the caller gives them; else null */
    bool partial;        /* read a file that ends too early as far as it goes */
    bool all_needed;     /* the caller has no use for a part: messages do not name --partial */
    int threads;         /* that decode, at most; 0: one per processor */
} clump_io_source;

/* clump_cloud_load(), for callers that have all_needed. */
clump_status clump_io_load(const char *path, const clump_load_options *options, bool all_needed, clump_cloud **out,
                           clump_message *message);

/* Returns how many bytes from the beginning are in memory. */
static inline size_t clump_io_loaded(const clump_io_source *source)
{
    return source->stream ? source->stream->loaded : source->size;
}

/* Returns the source limited to the bytes in memory, without a message: parsing the head alone may fail. */
static inline clump_io_source clump_io_head(const clump_io_source *source)
{
    clump_io_source head = *source;
    head.where.message = NULL;
    head.size = clump_io_loaded(source);
    return head;
}

/* Load bytes [from, to), or all bytes, into memory. Fail if the file has become shorter. Only formats that stream need
 * these calls; for other formats, all bytes are loaded before parse(). */
clump_status clump_io_require(const clump_io_source *source, size_t from, size_t to);
clump_status clump_io_require_all(const clump_io_source *source);

/* Copies bytes [from, from + size) from memory, or from the file where they are not there. */
clump_status clump_io_peek(const clump_io_source *source, size_t from, unsigned char *to, size_t size);

/* Reads bytes [from, from + size) of the source's stream into memory of the caller. */
clump_status clump_io_read(const clump_io_source *source, size_t from, unsigned char *to, size_t size);

/* Reports that the file ends after `have` of its `announced` points. With the option partial, notes their number and
 * returns CLUMP_OK, and the parser goes on. Else fails with the message. have SIZE_MAX: the number is not known yet,
 * and is not noted. */
__attribute__((format(printf, 5, 6))) clump_status clump_io_cut(const clump_io_source *source, clump_cloud *cloud,
                                                                size_t have, size_t announced, const char *format, ...);

/* Adds to a message about the last line of a text, which lacks its newline, that the file may be cut there. With the
 * option partial, such a line is left out: a number that is cut cannot be recognised. */
void clump_io_say_cut_line(const clump_io_source *source);

typedef struct clump_io_output {
    const clump_cloud *cloud;
    const clump_field *fields; /* fields to write besides x y z; with labels, the last is "label" */
    size_t field_count;
    const int32_t *labels;   /* or null */
    clump_encoding encoding; /* one that the format has */
    int threads;             /* that compress LAZ; 0: one per processor */
    const char *extension;   /* of the target, in lower case: "csv"; "" if none */
    clump_io_where where;
    clump_io_progress progress;
} clump_io_output;

#define CLUMP_IO_ASCII      (1u << CLUMP_ENCODING_ASCII)
#define CLUMP_IO_BINARY     (1u << CLUMP_ENCODING_BINARY)
#define CLUMP_IO_COMPRESSED (1u << CLUMP_ENCODING_COMPRESSED)
#define CLUMP_IO_BIG_ENDIAN (1u << CLUMP_ENCODING_BIG_ENDIAN)

struct clump_io_records; /* records.h */

typedef struct clump_io_format {
    clump_format format;
    const char *name;          /* "pcd" */
    const char *extensions[7]; /* lower case, without the first dot; null-terminated */
    unsigned encodings;        /* encodings it is written in, CLUMP_IO_ASCII ...; binary is the default if set */
    bool holds_points;         /* false: a file of labels, which has no points to parse */
    bool holds_fields;         /* of any name and type */
    bool holds_labels;         /* beside the points or instead of them */
    bool unsigned_labels;      /* the field "label" is uint32 in the file, as PCL has it: clump_io_is_label() */
    bool streams;              /* parse() asks for the bytes it needs: clump_io_require() */
    bool (*sniff)(const unsigned char *bytes, size_t size); /* recognises the content for certain; null: cannot */
    clump_status (*parse)(const clump_io_source *source, clump_cloud *cloud); /* REQUIRED */
    /* Describes a file of records, of which only the head needs to be in memory: for reading in blocks. Sets info and rest
     * of the cloud, which gets no points. Null: never records. */
    clump_status (*describe)(const clump_io_source *source, clump_cloud *cloud, struct clump_io_records *records);
    clump_status (*write)(const clump_io_output *output, clump_io_sink *sink); /* null: cannot */
} clump_io_format;

/* Formats that other files refer to; formats.c lists all. */
extern const clump_io_format clump_io_format_nuscenes, clump_io_format_raw, clump_io_format_text, clump_io_format_npy;
extern const clump_io_format clump_io_format_labels, clump_io_format_semantickitti;

/* Null-terminated, in the order in which their content is recognised. */
extern const clump_io_format *const clump_io_formats[];

const clump_io_format *clump_io_format_of(clump_format format);        /* null: no such format */
const clump_io_format *clump_io_format_of_name(const char *file_name); /* by extension; null: unknown */
void clump_io_extension(const char *file_name, char extension[16]);    /* lower case, without the dot */
const char *clump_io_base_name(const char *path);                      /* without its folders */
void clump_io_list_written(char *list, size_t room);                   /* ".pcd .ply ...": what can be written */

/* In load.c: chooses the format of a source, by what the caller asks for, by content or by name. */
clump_status clump_io_choose_format(const clump_io_source *source, clump_format asked, clump_cloud *cloud,
                                    const clump_io_format **format);

/* --- files and locale ----------------------------------------------------------------------- */

/* In npy.c. Whether coordinates of float64 are all float32 numbers below 131072: then they get no origin. */
bool clump_io_npy_are_floats(const double *xyz, size_t count);

/* In npy.c, for labels.c. Reads an array of shape (N,) of int32, or of int64 whose values fit. The caller frees *labels. */
clump_status clump_io_npy_labels(const clump_io_source *source, int32_t **labels, size_t *count);

/* In npy.c. Writes the header of an array; columns 0: of one dimension. */
void clump_io_npy_put_header(clump_io_sink *sink, const char *type, size_t rows, size_t columns);

/* In poses.c. Makes the matrix of a translation and a quaternion x y z w, whose length need not be 1. */
void clump_io_pose_matrix(const double t[3], const double q[4], double m[12]);

/* "-" stands for standard input or output. */
bool clump_io_is_dash(const char *path);

/* A file that is being written under another name, until commit renames it to the target. */
typedef struct clump_io_target {
    int file;
    char *path;      /* the file to replace, after links; null: a device or pipe, which is written to directly */
    char *temporary; /* the other name; null: none */
    bool nameless;   /* the file has no name until it is complete */
    clump_temporary report;
    void *report_user;
} clump_io_target;
clump_status clump_io_target_open(const clump_io_where *where, const char *path, clump_temporary report,
                                  void *report_user, clump_io_target *target);
clump_status clump_io_target_commit(const clump_io_where *where, clump_io_target *target, int error);

/* Set the "C" locale for this thread, and restore the locale before. */
typedef struct clump_io_locale {
    void *ours, *before;
} clump_io_locale;
bool clump_io_locale_enter(clump_io_locale *locale);
void clump_io_locale_leave(clump_io_locale *locale);

/* --- list.c: arrays that grow ----------------------------------------------------------------------- */

/* Makes room for at least `wanted` items of `item` bytes, and keeps those there are. `list` is the address of the pointer
 * to the first item, which may be null. Capacities double, so that appending n items copies fewer than 2 n. On failure
 * the list is unchanged. */
clump_status clump_io_list_reserve(const clump_io_where *where, void *list, size_t *capacity, size_t wanted,
                                   size_t item);

/* --- names.c: makes names of fields unique, after reading and before writing ------------------------ */

/* How many names were changed, and the first of them. */
typedef struct clump_io_renamed {
    size_t count;
    clump_io_quoted from, to;
} clump_io_renamed;

/* Replaces repeated names, each from malloc. Of equal names the first is kept; one that yields is kept only if all of
 * them yield. yields may be null. On failure no name changes. */
clump_status clump_io_names_separate(const clump_io_where *where, char **names, const bool *yields, size_t count,
                                     clump_io_renamed *renamed);

/* Makes the names of a cloud's fields unique; a change becomes a note. */
clump_status clump_io_cloud_separate_names(const clump_io_where *where, clump_cloud *cloud);

/* The names of columns, one per element of every field, for formats without arrays. An element of an array is name_0,
 * name_1 ... and yields to a field of that name. A change is reported. */
typedef struct clump_io_columns {
    char **names;
    size_t count;
} clump_io_columns;
clump_status clump_io_columns_make(const clump_io_output *output, clump_io_columns *columns);
void clump_io_columns_free(clump_io_columns *columns);

/* Reports a change in the message of a save that succeeds. */
void clump_io_say_renamed(const clump_io_output *output, const clump_io_renamed *renamed);

/* --- The field "label" in formats that PCL reads. pcl::PointXYZL has a uint32 label, and PCL reads a label of any
 * other type as 0. So the file has uint32, with the bits of clump's int32:
 *
 *     clump         -2           -1           0 1 2 ...
 *     file  4294967294   4294967295           0 1 2 ...
 *
 * A field with other negative values, or with other values above INT32_MAX, is not a label of clump and keeps its
 * type. In both cases a field is unchanged after it was written and read. */

/* Whether the field can change between the two types: it has type `from`, and its bits are labels of clump. */
static inline bool clump_io_is_label(const clump_field *field, clump_type from, size_t points)
{
    if (field->type != from || field->count != 1 || strcmp(field->name, "label") != 0) return false;
    const int32_t *labels = field->data;
    int32_t lowest = 0;
    for (size_t i = 0; i < points; i++) lowest = labels[i] < lowest ? labels[i] : lowest;
    return lowest >= CLUMP_GROUND;
}

#endif
