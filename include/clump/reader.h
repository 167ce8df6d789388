/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.h: cloud files that are larger than memory, block by block (library clump_io). One file, or several that are one
 * cloud: the index of a point counts through the files in the order given.
 *
 *     clump_reader *reader;
 *     clump_reader_open(paths, count, NULL, &reader, &why);
 *     clump_reader_info info = clump_reader_describe(reader);
 *     clump_block block = {0};
 *     for (uint64_t b = 0; b < info.blocks; b++) {
 *         clump_reader_block(reader, b, &block, &why);     // CLUMP_BLOCK_POINTS points; the last has the rest
 *         ...
 *     }
 *     clump_block_release(&block);
 *     clump_reader_close(reader);
 */
#ifndef CLUMP_READER_H
#define CLUMP_READER_H

#include <clump/io.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_BLOCK_POINTS 65536 /* points per block; blocks may span two files and more */
/* In clump_block.steps, with options.step: the coordinate is not finite, or more than 2^53 steps from 0. */
#define CLUMP_STEP_NONE INT64_MIN

typedef struct clump_reader clump_reader;

/* How coordinates are stored in the files. */
typedef enum clump_coordinates {
    CLUMP_COORDINATES_FLOAT = 0, /* float32: KITTI, nuScenes, most PCD and PLY */
    CLUMP_COORDINATES_DOUBLE,    /* float64, and text that float32 cannot hold */
    CLUMP_COORDINATES_STEPS      /* integers: LAS, LAZ */
} clump_coordinates;

typedef struct clump_reader_options {
    uint32_t cookie;     /* set by clump_reader_defaults(), do not touch */
    clump_format format; /* CLUMP_FORMAT_GUESS: each file by content, then by name */
    const char *columns; /* null, or the layout of a point in files without a header */
    /* 0. Above 0: coordinates of files without a common step are rounded to whole steps. Files that have a common step must
     * have this one. */
    double step;
    bool whole; /* false; true: files of LAS need no common step: axes and files may have any scale and offset. Where
                 * there is none, info.coordinates is DOUBLE */
    /* null, or names of fields, the last is null: the first that a file has is the class of its points, a whole number from 0 to
     * 65535. Files without such a field are refused */
    const char *const *class_fields;
} clump_reader_options;

CLUMP_API clump_reader_options clump_reader_defaults(void);

typedef struct clump_reader_info {
    uint64_t count;  /* points of all files */
    uint64_t blocks; /* of CLUMP_BLOCK_POINTS points */
    uint64_t bytes;  /* of all files */
    size_t files;
    clump_coordinates coordinates;
    clump_coordinates own;                /* before options.step rounds them; else as `coordinates` */
    bool no_step;                         /* LAS and LAZ files that have no common step */
    double step;                          /* STEPS: length of a step, common to all axes and files; 0: there is none */
    bool has_class;                       /* the files have a field "classification" */
    bool has_box;                         /* lower and upper are what the headers say, which may be wrong */
    double lower[3], upper[3];            /* in the unit of the files */
    int64_t lower_step[3], upper_step[3]; /* STEPS: the same in steps */
} clump_reader_info;

/* A block. Set to zero once, and used again as often as wanted. One of the three arrays is set, by info.coordinates. Where
 * options.step rounds, two are set: steps, and the coordinates of the files as doubles. */
typedef struct clump_block {
    uint64_t first; /* index of its first point */
    size_t count;
    const float *floats; /* x y z per point */
    const double *doubles;
    /* In whole steps, from 0 of the coordinates: coordinate = step x integer + rest. Along an axis, the rest is the same for
     * all points, and at most half a step: what the offset of the first file has beyond whole steps. */
    const int64_t *steps;
    size_t moved[3];        /* coordinates along x, y and z that options.step has rounded to others */
    const uint8_t *classes; /* the field "classification", one per point; null: the files have none */
    const uint16_t *ids;    /* classes by options.class_fields, one per point; null without it */
    void *memory;           /* of the reader */
} clump_block;

/* Opens the files and reads their headers. paths may name folders: their cloud files in bytewise order of names. options and
 * message may be null. Fails where the files have different kinds of coordinates or, unless options.whole, no common step. */
CLUMP_API clump_status clump_reader_open(const char *const *paths, size_t count, const clump_reader_options *options,
                                         clump_reader **out, clump_message *message);
CLUMP_API void clump_reader_close(clump_reader *reader); /* reader may be null */
CLUMP_API clump_reader_info clump_reader_describe(const clump_reader *reader);

/* The file with this number: its path, its format, and the index of its first point. Returns false if there is no such
 * file. */
CLUMP_API bool clump_reader_file(const clump_reader *reader, size_t file, const char **path, clump_format *format,
                                 uint64_t *first);

/* Reads block b. Several threads may call it, each with a block of its own, in any order. Memory does not grow with the
 * size of the files. If another program changes a file meanwhile, the call fails. */
CLUMP_API clump_status clump_reader_block(clump_reader *reader, uint64_t b, clump_block *block, clump_message *message);
CLUMP_API void clump_block_release(clump_block *block); /* block may be null or zero */

/* Converts the coordinates of a block to the float32 offsets that clump_cloud_load() gives with this origin (frame `whole`);
 * of several LAS files, to those of one file with scale and offset of the first. xyz has 3 x block->count entries. Only
 * count and the array of the block are used, so that callers may make a block of points of their own choice. */
CLUMP_API void clump_block_offsets(const clump_reader *reader, const clump_block *block, const double origin[3],
                                   float *xyz);

/* A number that changes when a file changes: size, time, header and 64 sampled parts of every file. Its upper 32 bits are
 * without the times: copies of the files have the same. */
CLUMP_API clump_status clump_reader_fingerprint(clump_reader *reader, uint64_t *fingerprint, clump_message *message);

/* ----- the files again, with labels ----------------------------------------------------------------- */

/* Writes what the reader reads, with one field more: "label". The output has one of these forms:
 *     .las .laz      records of LAS and LAZ input as they are, with the label as extra bytes; int32, or int64 if wide
 *     .pcd .ply      binary; x y z, all fields, label; of LAS and LAZ input x y z and label. PLY has no int64
 *     .npy           the labels only; int32, or int64 if wide
 *     .labels        the labels only, int32; .labels64: int64
 *     folder/        one file per input file, same names; LAS, LAZ, PCD and PLY input, and labels only for NumPy input
 * A file appears when it is complete, or not at all: the files of a folder one by one, a single file when the writer is
 * closed. Labels are written in the order of the points. */
typedef struct clump_label_writer clump_label_writer;

typedef struct clump_label_writer_options {
    uint32_t cookie;           /* set by clump_label_writer_defaults(), do not touch */
    clump_format format;       /* CLUMP_FORMAT_GUESS: by file name */
    bool wide;                 /* false; true: int64 labels */
    clump_temporary temporary; /* as in clump_save_options */
    void *temporary_user;
    int threads; /* 1: threads that compress and decompress LAZ; 0: one per processor */
} clump_label_writer_options;

CLUMP_API clump_label_writer_options clump_label_writer_defaults(void);

/* path: a file, or a folder (it exists, or the path ends with '/'). Fails at once where the output cannot hold the input. */
CLUMP_API clump_status clump_label_writer_open(clump_reader *reader, const char *path,
                                               const clump_label_writer_options *options, clump_label_writer **out,
                                               clump_message *message);
/* Appends the labels of the next `count` points. */
CLUMP_API clump_status clump_label_writer_add(clump_label_writer *writer, const int64_t *labels, size_t count,
                                              clump_message *message);
/* Bytes that the output will have at most; for a look at the free space beforehand. */
CLUMP_API uint64_t clump_label_writer_bytes(const clump_label_writer *writer);
/* Gives the file its name, or, with keep false, leaves the target unchanged; of a folder, the files that are not complete.
 * Frees the writer. Fails, and keeps nothing, where labels are missing. */
CLUMP_API clump_status clump_label_writer_close(clump_label_writer *writer, bool keep, clump_message *message);

#ifdef __cplusplus
}
#endif
#endif
