/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.h: the inside of clump_reader, which reads cloud files in blocks of CLUMP_BLOCK_POINTS points.
 *
 *     inputs.c       paths and folders   ->  list of files
 *     describe.c     a file              ->  clump_io_block_file: what its records are, and where
 *     common.c       all files           ->  what they have in common: kind of coordinates, step, box
 *     open_files.c   a few open files at a time, and whether another program has changed one
 *     read.c         block b             ->  coordinates and classes
 *     laz_cache.c    chunks of LAZ       ->  coordinates and classes, once for all threads
 *     offsets.c      coordinates         ->  float32 offsets
 *     reader.c       the public functions
 *
 * Files are read with pread(), not mapped (stream.c says why): memory stays bounded whatever the size of the files, and
 * several threads read from one descriptor at the same time.
 *
 * Besides:
 *
 *     classes.c       the fields with classes
 *     held.c          files without records at known places: loaded as a whole
 *     fingerprint.c   a number that changes when a file changes
 *
 * label_writer.h lists the files that write what was read, with labels. A `block` here is CLUMP_BLOCK_POINTS
 * consecutive points of all files together, not 4 x 4 x 4 cells.
 */
#ifndef CLUMP_IO_BLOCKS_H
#define CLUMP_IO_BLOCKS_H

#include "las/las_steps.h"
#include "records.h"

#include <clump/reader.h>
#include <pthread.h>
#include <sys/types.h>
#include <time.h>

/* How the points of a file are got at. */
typedef enum clump_io_block_kind {
    CLUMP_IO_BLOCK_RECORDS, /* from the columns of its records */
    CLUMP_IO_BLOCK_LAS,     /* from its records, as integers */
    CLUMP_IO_BLOCK_LAZ,     /* the same, from compressed chunks of records */
    CLUMP_IO_BLOCK_HELD     /* from memory: its encoding has no places to begin at */
} clump_io_block_kind;

/* What a file looked like when it was opened. */
typedef struct clump_io_block_stamp {
    dev_t device;
    ino_t inode;
    uint64_t size;
    struct timespec changed;
} clump_io_block_stamp;

/* A field with classes: "classification", or one of options.class_fields. */
typedef struct clump_io_block_class {
    bool there;
    unsigned shift, mask; /* of the byte, in LAS; mask 0: all of the number */
    clump_io_column column;
} clump_io_block_class;

typedef struct clump_io_block_file {
    char *path;
    clump_format format;
    clump_io_block_kind kind;
    uint64_t first, count; /* index of its first point in the whole cloud */
    clump_io_block_stamp stamp;

    clump_coordinates coordinates; /* as stored: float32, float64 or other numbers, integers */
    bool floats;                   /* float64 numbers that are all float32: NumPy */
    uint64_t at;                   /* byte of the first record */
    size_t record;
    bool swapped, apart;     /* as in clump_io_table and clump_io_records */
    clump_io_column axes[3]; /* count 0: the axis is missing and 0 */
    clump_io_block_class classes, ids;

    double scale[3], offset[3]; /* LAS */
    bool has_box;
    double lower[3], upper[3];
    clump_io_las_steps_place place;

    struct clump_io_laz *laz; /* LAZ */
    double *held;             /* 3 x count; HELD */
    uint8_t *held_classes;
    uint16_t *held_ids;

    int file; /* -1: not open; the rest belongs to open_files.c */
    unsigned users;
    uint64_t last_used;
} clump_io_block_file;

/* How v, in steps, becomes a coordinate: (v - base) / multiple x scale + offset. */
typedef struct clump_io_block_axis {
    int64_t base, multiple;
    double scale, offset;
} clump_io_block_axis;

struct clump_reader {
    clump_io_block_file *files;
    size_t file_count, file_capacity;
    double rounding; /* options.step */
    bool rounds;     /* coordinates become steps by rounding */
    bool has_ids;    /* options.class_fields is given */
    char *columns;   /* options.columns, or null */
    clump_reader_info info;
    clump_io_block_axis axes[3]; /* STEPS */

    pthread_mutex_t lock; /* for what follows, and for file, users and last_used of the files */
    size_t open_count;
    uint64_t clock;
    struct clump_io_laz_slot **slots; /* decoded chunks; laz_cache.c */
    size_t slot_count, slot_capacity;
    pthread_cond_t decoded; /* a thread has decoded a chunk, or has failed to */
};

/* Whether the points of a file are records of LAS, compressed or not. */
static inline bool clump_io_block_is_las(const clump_io_block_file *file)
{
    return file->kind == CLUMP_IO_BLOCK_LAS || file->kind == CLUMP_IO_BLOCK_LAZ;
}

/* --- inputs.c, describe.c, common.c ---------------------------------------------------------- */

/* Lists the files that the paths name; of a folder, its cloud files in bytewise order. */
clump_status clump_io_block_inputs(const clump_io_where *where, const char *const *paths, size_t count,
                                   clump_reader *reader);

/* Reads what the head of a file says of its points. */
clump_status clump_io_block_describe(const clump_reader *reader, const clump_reader_options *options,
                                     clump_io_block_file *file, clump_message *message);

/* Finds out what the files have in common, and fills info. */
clump_status clump_io_block_agree(clump_reader *reader, bool whole, clump_message *message);

/* Loads a file that has no records into memory. */
clump_status clump_io_block_hold(const clump_reader *reader, const clump_io_source *source,
                                 const clump_reader_options *options, clump_io_block_file *file);

/* --- classes.c: classes by options.class_fields --------------------------------------------------- */

/* Returns the place of a name in the list; SIZE_MAX: it is not there. */
size_t clump_io_block_class_rank(const char *const *fields, const char *name, size_t size);

/* Fails for a file that has none of the fields. */
clump_status clump_io_block_refuse_classes(const clump_io_where *where, const char *const *fields);

/* Returns the classification of a record of LAS. */
static inline uint8_t clump_io_block_las_class(const clump_io_block_file *file, const unsigned char *record)
{
    const clump_io_block_class *const c = &file->classes;
    return (uint8_t)(record[c->column.offset] >> c->shift & (c->mask ? c->mask : UINT8_MAX));
}

/* Returns the number at a place of the records. */
double clump_io_block_class_value(const clump_io_block_file *file, const clump_io_block_class *class,
                                  const unsigned char *in);

/* Reads the class of a point from its place in the records. */
clump_status clump_io_block_id(const clump_io_where *where, const clump_io_block_file *file, const unsigned char *in,
                               uint64_t point, uint16_t *id);

/* Makes a class of a number. */
clump_status clump_io_block_check_id(const clump_io_where *where, double number, uint64_t point, uint16_t *id);

/* --- open_files.c ----------------------------------------------------------------------------- */

/* Gives a descriptor of the file, until it is given back. Fails if the file is not the one that was described. */
clump_status clump_io_block_take_file(clump_reader *reader, clump_io_block_file *file, const clump_io_where *where,
                                      int *descriptor);
void clump_io_block_give_back(clump_reader *reader, clump_io_block_file *file);

/* Notes what an open file looks like. False: errno says why. */
bool clump_io_block_look(int descriptor, clump_io_block_stamp *stamp);

/* --- read.c ----------------------------------------------------------------------------------- */

/* Memory of a clump_block. */
typedef struct clump_io_block_memory {
    void *xyz; /* 3 x CLUMP_BLOCK_POINTS numbers of 8 bytes */
    uint8_t *classes;
    uint16_t *ids;                           /* null: not asked for */
    unsigned char *window;                   /* CLUMP_IO_BLOCK_WINDOW bytes */
    double *wide;                            /* 3 x CLUMP_BLOCK_POINTS; null: not needed so far */
    size_t moved[3];                         /* coordinates that were rounded to others */
    unsigned char *packed, *records, *codec; /* LAZ: a chunk, its records, memory of the decoder */
    size_t packed_room, records_room, codec_room;
} clump_io_block_memory;

#define CLUMP_IO_BLOCK_WINDOW ((size_t)1 << 20) /* bytes that are read at a time */

/* Returns the file of a point; the point exists. */
size_t clump_io_block_file_of(const clump_reader *reader, uint64_t point);

/* Reads points [first, first + count) of one file, counted within it, to place `to` of the block. */
clump_status clump_io_block_read(clump_reader *reader, clump_io_block_file *file, uint64_t first, size_t count,
                                 clump_io_block_memory *memory, size_t to, clump_message *message);

/* Looks whether the coordinates of a file, which are float64, are all float32 numbers: sets file->floats. */
clump_status clump_io_block_are_floats(clump_reader *reader, clump_io_block_file *file, clump_message *message);

#endif
