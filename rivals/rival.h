/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rival.h: what the benches and the tests ask of other implementations: of Euclidean clustering, DBSCAN, the way from
 * scans to boxes, nearest neighbours, ICP and readers of files.
 *
 * Each rival is a module of its own, loaded at run time, that exports one function. It returns a table of functions.
 * Two builds of one library can then be in one process, and their runs can be interleaved. Only run(), build() and
 * query() are timed: not copying the points, nor freeing the last result, nor numbering the clusters. Points are given
 * as x y z x y z ... No text has a comma in it.
 */
#ifndef CLUMP_BENCH_RIVAL_H
#define CLUMP_BENCH_RIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The one symbol of a module. Its function takes no argument and returns a pointer to one of the tables below. */
#define CLUMP_RIVAL_ENTRY  "clump_rival_get"
#define CLUMP_READER_ENTRY "clump_reader_get" /* of a reader of files */

/* What the modules of the folder CLUMP_RIVALS export, which users make of any library (docs/benchmarks.md). Each function
 * takes no argument and returns a list of tables, ended by one without a name. A module has one or several. */
#define CLUMP_EC_RIVALS_ENTRY     "clump_ec_rivals"     /* clump_rival */
#define CLUMP_DBSCAN_RIVALS_ENTRY "clump_dbscan_rivals" /* clump_dbscan_rival */
#define CLUMP_NN_RIVALS_ENTRY     "clump_nn_rivals"     /* clump_nn_rival */

#define CLUMP_RIVAL_INTERFACE        1
#define CLUMP_DBSCAN_RIVAL_INTERFACE 1
#define CLUMP_DETECT_RIVAL_INTERFACE 1
#define CLUMP_NN_RIVAL_INTERFACE     1
#define CLUMP_ICP_RIVAL_INTERFACE    1
#define CLUMP_READER_INTERFACE       2

/* Euclidean clustering. */
typedef struct clump_rival {
    int interface_version; /* CLUMP_RIVAL_INTERFACE */
    const char *name;      /* "pcl-best" */
    const char *version;   /* "PCL 1.13.0" */
    bool must_agree;       /* its labels are expected to equal ours on every cloud */

    /* Copies the points into what the rival works on. Returns null when it cannot. */
    void *(*prepare)(const float *xyz, size_t count);

    /* Clusters them and keeps the result. Returns false when it failed. */
    bool (*run)(void *state, float d);

    /* Writes one label per point: clusters numbered by smallest point index, -1 for points that are not finite. */
    void (*labels)(void *state, int32_t *labels);

    void (*forget)(void *state); /* frees the result of the last run */
    void (*release)(void *state);
} clump_rival;

/* DBSCAN. As clump_rival; border points go to the cluster with the smallest number, noise is -1. */
typedef struct clump_dbscan_rival {
    int interface_version; /* CLUMP_DBSCAN_RIVAL_INTERFACE */
    const char *name;
    const char *version;
    bool must_agree;
    void *(*prepare)(const float *xyz, size_t count);
    bool (*run)(void *state, float eps, size_t min_points); /* min_points counts the point itself */
    void (*labels)(void *state, int32_t *labels);
    void (*forget)(void *state);
    void (*release)(void *state);
} clump_dbscan_rival;

/* From scans to boxes: voxel grid, ground as a plane, Euclidean clustering, boxes. */
typedef struct clump_rival_settings {
    float leaf;      /* side of the voxels; 0: no voxel grid */
    float plane;     /* points up to this far from the plane are ground; 0: the ground stays */
    float d;         /* distance of the clusters */
    size_t min_size; /* clusters with fewer points are left out */
} clump_rival_settings;

enum { CLUMP_RIVAL_THIN, CLUMP_RIVAL_GROUND, CLUMP_RIVAL_CLUSTER, CLUMP_RIVAL_BOXES, CLUMP_RIVAL_STAGES };

typedef struct clump_detect_rival {
    int interface_version; /* CLUMP_DETECT_RIVAL_INTERFACE */
    const char *name;      /* "pcl-best" */
    const char *version;   /* "PCL 1.13.0" */
    bool must_agree;       /* without a plane, its labels are expected to equal ours on every cloud */

    /* As in clump_rival. */
    void *(*prepare)(const float *xyz, size_t count);
    void (*forget)(void *state);
    void (*release)(void *state);

    /* Finds the clusters and their boxes, and keeps them. seconds: of each stage. Returns false when it failed. */
    bool (*run)(void *state, const clump_rival_settings *settings, double seconds[CLUMP_RIVAL_STAGES]);

    /* The last run: points that were clustered, clusters. */
    size_t (*left)(const void *state);
    size_t (*clusters)(const void *state);

    /* After a run without leaf and plane, as in clump_rival: one label per point. bounds: the axis-aligned box of each
     * cluster, lower x y z, upper x y z. */
    void (*labels)(void *state, int32_t *labels, float (*bounds)[6]);
} clump_detect_rival;

/* Nearest neighbours: a list of tables, ended by one without a name. */
typedef struct clump_nn_rival {
    int interface_version; /* CLUMP_NN_RIVAL_INTERFACE */
    const char *name;      /* "flann" */
    const char *version;

    /* Both clouds stay until release(). Copies them where the rival has another form of points. Returns null when it
     * cannot. */
    void *(*prepare)(const float *points, size_t count, const float *queries, size_t asked);
    bool (*build)(void *state);                                             /* replaces what was built before */
    bool (*query)(void *state, int32_t *indices, float *distances_squared); /* the nearest point of every query */
    void (*forget)(void *state);                                            /* frees what was built */
    void (*release)(void *state);
} clump_nn_rival;

/* ICP. */
typedef struct clump_icp_rival {
    int interface_version; /* CLUMP_ICP_RIVAL_INTERFACE */
    const char *name, *version;
    void *(*prepare)(const float *target, size_t count, const float *source, size_t moved);

    /* Point to point, pairs within max_distance, until an iteration moves and turns by less than tolerance. The motion
     * is 4 x 4, row by row. */
    bool (*run)(void *state, double max_distance, int max_iterations, double tolerance, double transform[16]);
    void (*release)(void *state);
} clump_icp_rival;

/* Readers of cloud files. */
typedef struct clump_reader_field {
    char name[64];
    char kind;       /* 'i' signed, 'u' unsigned, 'f' float */
    size_t size;     /* bytes of an element */
    size_t elements; /* per point */
    size_t offset;   /* in the record of a point */
} clump_reader_field;

typedef struct clump_reader {
    int interface_version; /* CLUMP_READER_INTERFACE */
    const char *name;      /* "pcl" */
    const char *version;   /* "PCL 1.13.0" */

    /* The file as records of all its fields. Returns null when it cannot be read. */
    void *(*load)(const char *path);
    size_t (*points)(const void *cloud);
    size_t (*fields)(const void *cloud);
    void (*field)(const void *cloud, size_t index, clump_reader_field *out);
    const unsigned char *(*record)(const void *cloud, size_t point);
    void (*release)(void *cloud);

    /* The file as PCL's users get it: points with x y z and intensity. Frees them, and returns their number; SIZE_MAX
     * when the file cannot be read. */
    size_t (*load_points)(const char *path, double *seconds);

    /* The labels of the file, by PCL's type of labelled points. Writes the labels of the first `room` points. Returns
     * the number of points; SIZE_MAX when the file cannot be read. */
    size_t (*load_labels)(const char *path, uint32_t *labels, size_t room);
} clump_reader;

#ifdef __cplusplus
}
#endif
#endif
