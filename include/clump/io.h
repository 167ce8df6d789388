/* SPDX-License-Identifier: BSD-3-Clause
 *
 * io.h: point clouds in files (library clump_io).
 *
 *     clump_cloud *cloud;
 *     clump_message why;
 *     if (clump_cloud_load("scan.pcd", NULL, &cloud, &why) != CLUMP_OK) puts(why.text);
 *     clump_points points = clump_cloud_points(cloud);
 *     ...
 *     clump_cloud_destroy(cloud);
 *
 * A cloud holds the contents of a file: float32 x y z, a double origin, and every other field with name and type.
 * Writing the cloud back loses nothing. Messages name the file and the place, "scan.pcd: header line 7: WIDTH is not a
 * number".
 *
 * float32 coordinates are kept as they are, with origin 0. Coordinates of other types become float32 offsets from an
 * origin. So do coordinates in text, when one is 131072 or more, or has digits that float32 cannot hold. The origin is
 * the lower corner of the bounding box, rounded down to whole units (0 along an axis longer than 2^24 units).
 *
 *              reads                                    writes
 *     pcd      0.5 to 0.7; ascii, binary and            all of the cloud; float64 x y z if it has an origin
 *              binary_compressed
 *     ply      1.0; ascii, binary of either byte order  as pcd
 *     las      1.0 to 1.4, point formats 0 to 10        all of the cloud; a LAS cloud with unchanged header, VLRs
 *                                                       and integer coordinates
 *     laz      compressed LAS, if built with a decoder  never
 *     kitti    float32 x y z intensity                  x y z, and intensity or 0; no labels
 *     nuscenes float32 x y z intensity ring             as kitti, and ring or 0; no labels
 *     raw      records of numbers without a header,     never
 *              as clump_load_options.columns says
 *     text     blanks, comma or semicolon; column       all of the cloud, below a line of column names
 *              names, comments and a count are optional
 *     npy      N x 3 or wider, float32 or float64       N x (3 + fields) of float32, or of float64 if a number
 *                                                       needs it; with labels only the labels, int32, shape (N,)
 *     labels   one int32 per point, only as labels      only the labels
 *     semantickitti (.label)  a class and an instance   the labels + 1 as instances, with the classes of a field
 *              per point, only as labels                "semantic"; without labels, the fields as attached
 */
#ifndef CLUMP_IO_H
#define CLUMP_IO_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clump_cloud clump_cloud;

typedef enum clump_format {
    CLUMP_FORMAT_GUESS = 0, /* by content, then by file name */
    CLUMP_FORMAT_PCD = 1,
    CLUMP_FORMAT_KITTI = 2,  /* .bin: float32 x y z intensity, no header */
    CLUMP_FORMAT_TEXT = 3,   /* .xyz .txt .csv .pts .asc: one point per line */
    CLUMP_FORMAT_NPY = 4,    /* NumPy array N x 3 or wider */
    CLUMP_FORMAT_LABELS = 5, /* .labels: raw little-endian int32, one per point; holds labels only */
    CLUMP_FORMAT_PLY = 6,
    CLUMP_FORMAT_LAS = 7,
    CLUMP_FORMAT_LAZ = 8,
    CLUMP_FORMAT_NUSCENES = 9,       /* .pcd.bin: float32 x y z intensity ring, no header */
    CLUMP_FORMAT_SEMANTICKITTI = 10, /* .label: uint32, instance << 16 | semantic, one per point; holds labels only */
    CLUMP_FORMAT_RAW =
        11 /* no header; clump_load_options.columns describes a point and selects this format: "xyz", "xyzi",
                             "xyzirt" (float32; _ is skipped), or "x,y,z,ring:u16,_:u8,time:f64" */
} clump_format;

typedef enum clump_encoding {
    CLUMP_ENCODING_DEFAULT = 0, /* binary where the format has it */
    CLUMP_ENCODING_ASCII = 1,
    CLUMP_ENCODING_BINARY = 2,
    CLUMP_ENCODING_COMPRESSED = 3, /* PCD, LAZ */
    CLUMP_ENCODING_BIG_ENDIAN = 4  /* PLY: binary, most significant byte first */
} clump_encoding;

typedef enum clump_type {
    CLUMP_TYPE_I8 = 0,
    CLUMP_TYPE_U8,
    CLUMP_TYPE_I16,
    CLUMP_TYPE_U16,
    CLUMP_TYPE_I32,
    CLUMP_TYPE_U32,
    CLUMP_TYPE_I64,
    CLUMP_TYPE_U64,
    CLUMP_TYPE_F32,
    CLUMP_TYPE_F64
} clump_type;

/* One field of every point besides x, y and z. The memory belongs to the cloud and is valid until the cloud changes. */
typedef struct clump_field {
    const char *name;
    clump_type type;
    uint32_t count;   /* elements per point; 1 for most fields */
    const void *data; /* cloud size x count elements of the type, native byte order, tightly packed */
} clump_field;

/* --- creating, reading, writing ---------------------------------------------------------------- */

/* Progress callback: called from time to time while a file is read or written, on the calling thread. `done` grows from
 * 0 to
 * 1. Not called for small files. */
typedef void (*clump_progress)(void *user, double done);

typedef struct clump_load_options {
    uint32_t cookie;         /* set by clump_load_defaults(), do not touch */
    clump_format format;     /* CLUMP_FORMAT_GUESS */
    clump_progress progress; /* null: no progress */
    void *progress_user;
    const char *columns; /* null, or the layout of a point in a file without a header: CLUMP_FORMAT_RAW */
    bool partial;        /* true: read the complete points of a file that ends too early; a note tells how many */
} clump_load_options;

CLUMP_API clump_load_options clump_load_defaults(void);

/* Reads a file. path "-" is standard input. options and message may be null. *out is null on failure. If another
 * program truncates the file meanwhile, the call fails with CLUMP_ERR_IO_TRUNCATED. */
CLUMP_API clump_status clump_cloud_load(const char *path, const clump_load_options *options, clump_cloud **out,
                                        clump_message *message);

/* Reads a cloud from memory. `name` is the file name for messages and for the guess of the format; may be null. */
CLUMP_API clump_status clump_cloud_parse(const void *bytes, size_t size, const char *name,
                                         const clump_load_options *options, clump_cloud **out, clump_message *message);

/* Called with the name of a temporary file when it has been created, and with null when it no longer exists. The
 * name is valid in between. For a signal handler that removes the file (unlink() is async-signal-safe). */
typedef void (*clump_temporary)(void *user, const char *name);

typedef struct clump_save_options {
    uint32_t cookie;         /* set by clump_save_defaults(), do not touch */
    clump_format format;     /* CLUMP_FORMAT_GUESS: by file name */
    clump_encoding encoding; /* CLUMP_ENCODING_DEFAULT: binary where the format has it */
    clump_progress progress; /* null: no progress */
    void *progress_user;
    clump_temporary temporary; /* null: the caller does not need the name */
    void *temporary_user;
} clump_save_options;

CLUMP_API clump_save_options clump_save_defaults(void);

/* Writes a file.
 * path     "-" is standard output and needs a format. A symbolic link is followed: the file it leads to is replaced; a
 *          link to a file that does not exist is an error
 * labels   may be null; else one per point, written as an int32 field "label" that replaces a field of that name. For
 *          CLUMP_FORMAT_LABELS they are required and nothing else is written
 * message  may be null. After a success it names a field whose name had to change, because another field has it; else
 *          ""
 *
 * The file is written without a name and gets its name when it is complete. So the target is either the old or the
 * whole new file, and a killed program leaves nothing behind. Where the file system has no unnamed files, a file
 * .clump-PID-N beside the target is renamed.
 *
 * In PCD and PLY an int32 field "label" whose values are labels (-2 or more) is written as uint32 with the same
 * bits, as in pcl::PointXYZL: noise is 4294967295, ground 4294967294. It is read as int32 again. */
CLUMP_API clump_status clump_cloud_save(const char *path, const clump_cloud *cloud, const int32_t *labels,
                                        const clump_save_options *options, clump_message *message);

/* Creates a cloud of `count` points at 0, 0, 0, without fields. */
CLUMP_API clump_status clump_cloud_create(size_t count, clump_cloud **out, clump_message *message);
CLUMP_API void clump_cloud_destroy(clump_cloud *cloud); /* cloud may be null */

/* Copies a field into the cloud and replaces a field of that name. */
CLUMP_API clump_status clump_cloud_set_field(clump_cloud *cloud, const clump_field *field, clump_message *message);

/* Removes the points whose byte in `keep`, one per point, is 0. The other points keep their order, fields and
 * digits. If any point is removed, the cloud is no longer organised in rows. Returns the number of points left. */
CLUMP_API size_t clump_cloud_select(clump_cloud *cloud, const uint8_t *keep);

/* Reads the labels of a .labels or .npy file (int32 or int64, shape (N,)). Of a .label file it returns the bits
 * unchanged, instance << 16 | semantic. Free *labels with clump_labels_free(). */
CLUMP_API clump_status clump_labels_load(const char *path, int32_t **labels, size_t *count, clump_message *message);
CLUMP_API void clump_labels_free(int32_t *labels);

/* Reads labels as clump_labels_load() into fields of a cloud: "label" (int32), or for a .label file "semantic" and
 * "instance" (uint16). The file must have one label per point. */
CLUMP_API clump_status clump_cloud_attach(clump_cloud *cloud, const char *path, clump_message *message);

/* --- other files --------------------------------------------------------------------------------- */

/* A file that a program writes itself and that appears complete or not at all, as with clump_cloud_save(). `path` as
 * there. */
typedef struct clump_output clump_output;
CLUMP_API clump_status clump_output_open(const char *path, clump_temporary temporary, void *temporary_user,
                                         clump_output **out, clump_message *message);
CLUMP_API int
clump_output_file(const clump_output *output); /* a descriptor to write to; open until clump_output_close() */
/* Gives the file its name, or, with keep false, leaves the target unchanged. Frees the output. */
CLUMP_API clump_status clump_output_close(clump_output *output, bool keep, clump_message *message);

/* --- contents ----------------------------------------------------------------------------------- */

/* Returns element `element` of point i as the nearest double; NaN if the field has no such element. */
CLUMP_API double clump_field_value(const clump_field *field, size_t i, size_t element);

/* Returns the coordinate of point i along axis 0, 1 or 2 in the file's frame, with the precision of the file: the
 * number that will be written. (origin + xyz has the precision of float32.) NaN for another axis, a point that does
 * not exist or a null cloud. */
CLUMP_API double clump_cloud_coordinate(const clump_cloud *cloud, size_t i, int axis);

CLUMP_API clump_points clump_cloud_points(const clump_cloud *cloud);  /* valid until destroy */
CLUMP_API float *clump_cloud_xyz(clump_cloud *cloud);                 /* these floats, writable; tightly packed */
CLUMP_API const double *clump_cloud_origin(const clump_cloud *cloud); /* three doubles; add them for file coordinates */
CLUMP_API void clump_cloud_set_origin(clump_cloud *cloud, const double origin[3]);
CLUMP_API size_t clump_cloud_field_count(const clump_cloud *cloud);
CLUMP_API bool clump_cloud_field(const clump_cloud *cloud, size_t index, clump_field *out); /* false: does not exist */
CLUMP_API bool clump_cloud_find(const clump_cloud *cloud, const char *name, clump_field *out);

/* Properties of the file. width x height is the point count (height 1: not organised). */
typedef struct clump_cloud_info {
    clump_format format;
    clump_encoding encoding;
    size_t width, height;
    double viewpoint[7]; /* translation, quaternion w x y z; PCD's, else 0 0 0 1 0 0 0 */
    clump_type xyz_type; /* how the file stored the coordinates */
    char note[256];      /* remark on an unusual file, else "" */
} clump_cloud_info;
CLUMP_API clump_cloud_info clump_cloud_describe(const clump_cloud *cloud);
CLUMP_API void clump_cloud_set_shape(clump_cloud *cloud, size_t width, size_t height, const double viewpoint[7]);

/* The capabilities of a format in this build: for example, not every build has a LAZ decoder. */
typedef struct clump_format_info {
    const char *name;                           /* "pcd" */
    const char *const *extensions;              /* without the dot, lower case; ends with null */
    bool reads, writes;                         /* clouds */
    bool holds_points;                          /* a written file has the points */
    bool holds_fields;                          /* a written file has fields of any name and type */
    bool holds_labels;                          /* a written file has labels, with or without the points */
    bool ascii, binary, compressed, big_endian; /* encodings for writing */
} clump_format_info;
CLUMP_API bool clump_format_describe(clump_format format, clump_format_info *out); /* false: does not exist */
CLUMP_API clump_format clump_format_of_path(const char *path); /* by extension; CLUMP_FORMAT_GUESS: unknown */
CLUMP_API const char *clump_format_name(clump_format format);  /* "pcd"; null for none */
CLUMP_API bool clump_format_from_name(const char *name, clump_format *format);
CLUMP_API const char *clump_type_name(clump_type type); /* "float32" */
CLUMP_API size_t clump_type_size(clump_type type);      /* bytes */

#ifdef __cplusplus
}
#endif
#endif
