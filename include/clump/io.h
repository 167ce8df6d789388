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
 * A cloud is what a file held: float32 x y z, a double origin, and every other field by name and
 * type, so that a cloud written back has lost nothing. Messages name the file and the place,
 * "scan.pcd: header line 7: WIDTH is not a number".
 *
 * float32 coordinates are taken as they are, with origin 0. Coordinates of any other type (in text:
 * when one is 131072 or more) get an origin, the lower corner of their box rounded down to whole
 * units (0 along an axis longer than 2^24 units), and float32 offsets from it.
 *
 *              reads                                    writes
 *     pcd      0.5 to 0.7, ascii and binary             all of the cloud; float64 x y z if it has an origin
 *     kitti    float32 x y z intensity                  x y z, and intensity or 0; no labels
 *     text     blanks, comma or semicolon; names of     all of the cloud, under a line of names
 *              columns, comments and a count if there
 *     npy      N x 3 or wider, float32 or float64       float32 N x 3, and the fields if all are single
 *                                                       float32; with labels only them, int32, shape (N,)
 *     labels   only with clump_labels_load()            only the labels
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
    CLUMP_FORMAT_KITTI = 2, /* .bin: float32 x y z intensity, no header */
    CLUMP_FORMAT_TEXT = 3,  /* .xyz .txt .csv .pts .asc: a point a line */
    CLUMP_FORMAT_NPY = 4,   /* NumPy array N x 3 or wider */
    CLUMP_FORMAT_LABELS = 5 /* .labels: raw little-endian int32, one a point; written, read as labels only */
} clump_format;

typedef enum clump_encoding {
    CLUMP_ENCODING_DEFAULT = 0, /* binary where the format has it */
    CLUMP_ENCODING_ASCII = 1,
    CLUMP_ENCODING_BINARY = 2
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

/* One field of every point besides x, y and z. Borrowed from the cloud, valid until it changes. */
typedef struct clump_field {
    const char *name;
    clump_type type;
    uint32_t count;   /* elements a point; 1 for most */
    const void *data; /* cloud size x count elements of the type, native byte order, tightly packed */
} clump_field;

/* --- making, reading, writing ---------------------------------------------------------------- */

typedef struct clump_load_options {
    uint32_t cookie;     /* set by clump_load_defaults(), do not touch */
    clump_format format; /* CLUMP_FORMAT_GUESS */
} clump_load_options;

CLUMP_API clump_load_options clump_load_defaults(void);

/* options and message may be null. *out is null on failure. */
CLUMP_API clump_status clump_cloud_load(const char *path, const clump_load_options *options, clump_cloud **out,
                                        clump_message *message);

/* The same from memory. name stands for the file in messages and helps to guess; may be null. */
CLUMP_API clump_status clump_cloud_parse(const void *bytes, size_t size, const char *name,
                                         const clump_load_options *options, clump_cloud **out, clump_message *message);

typedef struct clump_save_options {
    uint32_t cookie;         /* set by clump_save_defaults(), do not touch */
    clump_format format;     /* CLUMP_FORMAT_GUESS: by file name */
    clump_encoding encoding; /* the format's usual one: binary where it has one */
} clump_save_options;

CLUMP_API clump_save_options clump_save_defaults(void);

/* Writes beside the target and renames, so the target is either old or whole. labels may be null;
 * else one a point, written as an int32 field "label" (replacing one the cloud has; for
 * CLUMP_FORMAT_LABELS they are all that is written, and demanded). */
CLUMP_API clump_status clump_cloud_save(const char *path, const clump_cloud *cloud, const int32_t *labels,
                                        const clump_save_options *options, clump_message *message);

/* A cloud of count points, all at 0, 0, 0, without fields. */
CLUMP_API clump_status clump_cloud_create(size_t count, clump_cloud **out, clump_message *message);
CLUMP_API void clump_cloud_destroy(clump_cloud *cloud); /* null is fine */

/* Copies a field into the cloud; one of that name is replaced. */
CLUMP_API clump_status clump_cloud_set_field(clump_cloud *cloud, const clump_field *field, clump_message *message);

/* Raw labels of a .labels file. *labels is freed with clump_labels_free(). */
CLUMP_API clump_status clump_labels_load(const char *path, int32_t **labels, size_t *count, clump_message *message);
CLUMP_API void clump_labels_free(int32_t *labels);

/* --- looking ----------------------------------------------------------------------------------- */

CLUMP_API clump_points clump_cloud_points(const clump_cloud *cloud);  /* valid until destroy */
CLUMP_API float *clump_cloud_xyz(clump_cloud *cloud);                 /* the same floats, to write; tightly packed */
CLUMP_API const double *clump_cloud_origin(const clump_cloud *cloud); /* three doubles; add them for file coordinates */
CLUMP_API void clump_cloud_set_origin(clump_cloud *cloud, const double origin[3]);
CLUMP_API size_t clump_cloud_field_count(const clump_cloud *cloud);
CLUMP_API bool clump_cloud_field(const clump_cloud *cloud, size_t index, clump_field *out); /* false: no such */
CLUMP_API bool clump_cloud_find(const clump_cloud *cloud, const char *name, clump_field *out);

/* What the file said of itself. width x height is the point count (height 1: not organised). */
typedef struct clump_cloud_info {
    clump_format format;
    clump_encoding encoding;
    size_t width, height;
    double viewpoint[7]; /* translation, quaternion w x y z; PCD's, else 0 0 0 1 0 0 0 */
    clump_type xyz_type; /* how the file stored the coordinates */
    char note[256];      /* what is odd about the file, "" if nothing is */
} clump_cloud_info;
CLUMP_API clump_cloud_info clump_cloud_describe(const clump_cloud *cloud);
CLUMP_API void clump_cloud_set_shape(clump_cloud *cloud, size_t width, size_t height, const double viewpoint[7]);

CLUMP_API const char *clump_format_name(clump_format format); /* "pcd"; null for none */
CLUMP_API bool clump_format_from_name(const char *name, clump_format *format);
CLUMP_API const char *clump_type_name(clump_type type); /* "float32" */
CLUMP_API size_t clump_type_size(clump_type type);      /* bytes */

#ifdef __cplusplus
}
#endif
#endif
