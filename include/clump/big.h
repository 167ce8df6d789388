/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big.h: surveys in files, larger than memory, on one machine or many (library clump_big). The labels are those of one call
 * on the whole cloud, bit for bit.
 *
 *     clump_joint_settings settings = clump_joint_defaults();
 *     settings.d = 0.5f;
 *     clump_big_options options = clump_big_defaults();
 *     options.ram = (size_t)4 << 30;
 *     clump_big_run(paths, count, "labelled.las", &settings, &options, &result, &why);
 *
 * Temporary files are in a work folder. A run that was ended at any moment, by a signal or a power failure, goes on where it
 * was when it is started again with the same arguments.
 */
#ifndef CLUMP_BIG_H
#define CLUMP_BIG_H

#include <clump/classes.h>
#include <clump/joint.h>
#include <clump/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a coordinate is when a cloud is large; docs/results.md.
 *     whole   float32 offsets from one origin, as clump_cloud_load() makes them
 *     steps   the integers of a LAS or LAZ file: exact arithmetic, independent of the origin */
typedef enum clump_file_frame {
    CLUMP_FILE_FRAME_AUTO = 0, /* steps for LAS and LAZ with a common step, else whole */
    CLUMP_FILE_FRAME_WHOLE = 1,
    CLUMP_FILE_FRAME_STEPS = 2
} clump_file_frame;

/* How processes that share a job talk to each other. Every function is called by all of them, in the same order, from the
 * thread that called clump_big_run(). A failure on one is a failure on all. Their parameters are the same, which is checked;
 * memory, threads, devices and names of files may differ. */
typedef struct clump_peers {
    int rank, count;
    void *user;
    /* Sends send_bytes[r] bytes to each rank r, from consecutive parts of `send`, and receives receive_bytes[r] of each into
     * consecutive parts of `receive`. Both counts have `count` entries and agree between sender and receiver. */
    clump_status (*exchange)(void *user, const void *send, const uint64_t *send_bytes, void *receive,
                             const uint64_t *receive_bytes);
    /* Replaces the values by their sums over all ranks, on all ranks; or by the least values. */
    clump_status (*sum)(void *user, uint64_t *values, size_t count);
    clump_status (*least)(void *user, int64_t *values, size_t count);
    clump_status (*before)(void *user, uint64_t *value); /* becomes the sum over the ranks before this one */
} clump_peers;

/* Takes clusters `first` ... first + count - 1, described as by clump_describe() on the whole cloud, bit for bit. Coordinates
 * are offsets from `origin`. `classes` are those of clump_classes_of_clusters(), null without options.classes. `hulls` has the
 * corners of all these clusters, hull_corners of the first, then those of the next; null without options.hull. A status
 * other than CLUMP_OK ends the run. */
typedef clump_status (*clump_big_clusters)(void *user, const clump_cluster *clusters, const uint16_t *classes,
                                           const float *hulls, int64_t first, size_t count, const double origin[3]);

/* How far a run is. */
typedef struct clump_big_progress {
    const char *phase; /* "plan", "ground", "scatter", "split", "tiles", "merge", "clusters" or "output" */
    double phase_done; /* share of the phase, 0 to 1 */
    double done;       /* share of the run, estimated, 0 to 1; never falls */
    uint64_t points;   /* of the input; every phase goes through all of them */
} clump_big_progress;
typedef void (*clump_big_report)(void *user, const clump_big_progress *progress);

typedef struct clump_big_options {
    uint32_t cookie;       /* set by clump_big_defaults(), do not touch */
    size_t ram;            /* 0: half of what is free, shared with peers of this machine; bytes for this process */
    int threads;           /* 0: one per processor */
    clump_backend backend; /* CLUMP_BACKEND_CPU; CLUMP_BACKEND_CUDA clusters the tiles on a GPU */
    int device;            /* CUDA ordinal */
    size_t device_limit;   /* 0: what is free; bytes of device memory */
    /* null: OUTPUT.clump, or clump.work without an output; with peers memory, where points take no more than half of it. Rank r
     * above 0 has the folder clump-rank-R in it */
    const char *work;
    bool keep_work;              /* false; true: the work folder stays after a success */
    clump_file_frame frame;      /* CLUMP_FILE_FRAME_AUTO */
    double step;                 /* 0; as in clump_reader_options. Above 0, AUTO is steps */
    clump_format format;         /* CLUMP_FORMAT_GUESS, of the input */
    const char *columns;         /* null; as in clump_load_options */
    const uint8_t *drop_classes; /* null, or 256 bytes: points of classes with 1 are noise and take no part */
    const double *crop;          /* null, or six numbers: x y z least, x y z largest; points outside take no part */
    /* 0; above 0: one point per voxel of this side is clustered, the others get its label, as with `thin` of clump_detect().
     * AUTO is then the frame whole. Not with classes, a step, or the frame steps */
    float thin;
    /* null, or rows: clusters per class (clump/classes.h); `of` is not used. CLUMP_OVERSIZE_SPLIT is refused */
    const clump_classes *classes;
    const char *const *class_fields; /* for classes: names of fields, as in clump_reader_options */
    /* null, or how the ground is found, whose points get the label CLUMP_GROUND: docs/ground.md, "Surveys". tile, slope and sigma
     * count; the method is grid, and extent and bin have no effect. Other members have their defaults */
    const clump_ground_options *ground;
    clump_label_writer_options output;
    /* null: no descriptions; else called with all clusters in order of their numbers, from the calling thread, before the output
     * is written; of several ranks rank 0 alone, but all must set it. Not with a step. A cluster needs 48 bytes of the memory
     * per point, with classes 18 more, with `hull` 8 more */
    clump_big_clusters clusters;
    void *clusters_user;
    double sensor[3];          /* 0, 0, 0: origin of the distances of clusters, in the coordinates of the files */
    bool axes;                 /* false; true: clusters have covariance and principal axes */
    bool hull;                 /* false; true: clusters come with the corners of their convex hulls, seen from above */
    const clump_peers *peers;  /* null: alone */
    clump_big_report progress; /* null: no progress; from the calling thread, first when the input is open */
    void *progress_user;
    const volatile int *cancel; /* as in clump_context_options; a run ends within a second, and the next one goes on */
} clump_big_options;

CLUMP_API clump_big_options clump_big_defaults(void);

enum { CLUMP_BIG_PHASES = 6 }; /* plan, scatter, tiles, merge, output, exchange */

typedef struct clump_big_result {
    uint64_t points, noise; /* noise: label CLUMP_NOISE */
    uint64_t ground;        /* points with the label CLUMP_GROUND */
    uint64_t
        left_out; /* points that are not finite, of a dropped class or one that is not clustered, or outside the crop */
    int64_t clusters;
    uint64_t largest; /* points of the largest cluster */
    uint64_t thinned; /* points that have the label of another one: options.thin */
    uint64_t oversize_dropped, oversize_points, oversize_kept; /* of classes, as in clump_stats */
    uint64_t labels_hash;    /* XXH64 of the labels as int32, as clump_labels_hash(); 0 where int32 cannot hold them */
    uint64_t labels_hash_64; /* XXH64 of the labels as int64 */
    clump_file_frame frame;
    double step;
    uint64_t moved; /* coordinates that options.step has rounded to others */
    bool no_step;   /* LAS and LAZ files that have no common step: the frame is whole, or options.step rounds */
    uint64_t tiles, rim_points, links, bytes_moved, bytes_sent;
    uint64_t tasks_skipped; /* tasks that an earlier run had done */
    double phases_s[CLUMP_BIG_PHASES];
    int ranks;
    size_t ram_peak; /* bytes of memory that the process used at most, with a store in memory */
} clump_big_result;

/* Clusters all points of the inputs.
 * inputs  files, or folders with cloud files, of one kind of coordinates; together one cloud
 * output  a file or folder for clump_label_writer_open(); null: only the result
 * result  may be null */
CLUMP_API clump_status clump_big_run(const char *const *inputs, size_t count, const char *output,
                                     const clump_joint_settings *settings, const clump_big_options *options,
                                     clump_big_result *result, clump_message *message);

/* What is in a work folder: how far the run is. */
typedef struct clump_work_info {
    char command[1024]; /* inputs and parameters, in words */
    char phase[16];     /* "plan", "ground", "scatter", "tiles", "merge", "output" or "done" */
    uint64_t points, blocks, blocks_done, tiles, tiles_done;
    uint64_t bytes; /* of the folder */
    bool running;   /* a process works on it now */
} clump_work_info;
CLUMP_API clump_status clump_work_describe(const char *work, clump_work_info *out, clump_message *message);

#ifdef __cplusplus
}
#endif
#endif
