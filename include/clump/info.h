/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info.h: what the last call did (stage times, counts, memory), the devices of this machine, and the names of methods.
 */
#ifndef CLUMP_INFO_H
#define CLUMP_INFO_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ===== 1. what the last call did =========================================================== */

typedef struct clump_stats {
    clump_backend backend; /* the backend that ran */
    const char *method;    /* "fast", for clump_detect that of the clustering; a constant string */
    char reason[128];      /* why this backend was chosen, "no CUDA device" */
    int threads;        /* CPU threads used; fewer than allowed for small clouds or where the system gives no more. With
                            * a task system: the tasks asked for */
    int64_t passes;     /* iterations, for methods that iterate (matrix-*: UPDATEs); else 1 */
    double upload_ms;   /* copy to the GPU; all times are in milliseconds */
    double build_ms;    /* building the search structure; matrix-*: and BUILD_MATRIX */
    double cluster_ms;  /* joining points */
    double label_ms;    /* canonical numbers; on the CPU also size limits and order */
    double download_ms; /* copy from the GPU */
    size_t points, finite; /* points of the call; points whose used coordinates are all finite; with classes those that
                            * are not clustered count as finite */
    size_t masked, noise;  /* points left out by mask or region; points labelled CLUMP_NOISE */
    size_t ground;         /* points labelled CLUMP_GROUND */
    float ground_level;    /* CLUMP_GROUND_PEAK: height of the ground relative to the sensor, negative below it. NaN for
                            * other methods, where no level was found, and where the call returned before that */
    int32_t clusters;      /* -1: the call returned before it was known (clump/cuda.h) */
    size_t host_bytes;     /* scratch memory that the context holds now */
    size_t
        device_bytes; /* device memory that the context holds now; it shrinks in clump_context_trim, and where a cloud
                            * in pieces needs the memory of other jobs */
    size_t queries;   /* queries of a call on an index; points and finite are then those of the index */
    double query_ms;  /* time of these queries */
    int threads_refused; /* threads that the system refused to create; `threads` is smaller because of it */
    double ground_ms;    /* clump_detect: mask, ground and thinning. The other stages are those of the clustering */
    double describe_ms;  /* clump_detect: boxes */
    size_t thinned;      /* clump_detect: points with the label of the first point of their voxel */
    double initial_ms;   /* matrix-*: the stage INITIAL_EC, which is part of no other stage */
    double merge_ms;     /* not part of cluster_ms. disjoint-set: the merge step, after it; dclust on a GPU: all of its
                          * iterations but the expansion, which is cluster_ms; pieces: their merging */
    size_t pieces;       /* pieces in which the cloud was clustered, 1 for most calls; 0 for other jobs */
    clump_neighbour_kind neighbours; /* clump_objects: exact or scan; CLUMP_NEIGHBOURS_AUTO for other jobs */
    clump_ring_source ring_source;   /* clump_objects with scan neighbours: where the rings come from */
    int rings;                       /* their number; 0 without */
    clump_ring_doubt ring_doubt;     /* clump_objects: why the rings that are given are not plausible */

    /* clump/classes.h: clusters with more points than the max_size of their class; 0 without classes */
    size_t oversize_dropped, oversize_points; /* became noise: clusters, and their points */
    size_t oversize_kept, oversize_split;     /* stayed too large; were split */
} clump_stats;

/* Returns the figures of the last clustering call, or call on an index, that succeeded on this context; zeroed
 * before the first. */
CLUMP_API clump_stats clump_context_stats(const clump_context *ctx);

/* ===== 2. devices ========================================================================== */

typedef struct clump_device_info {
    clump_backend backend;
    int device; /* ordinal within the backend */
    char name[96];
    int units;           /* CPU cores, or multiprocessors */
    size_t memory_total; /* bytes */
    size_t memory_free;  /* bytes */
    char level[16];      /* CPU: the level that a new context uses (docs/install.md), "v3"; "" where CLUMP_CPU_LEVEL
                          * names none that runs here, and for other devices */
} clump_device_info;

/* Number of devices, and the description of one. Index 0 is always the CPU. */
CLUMP_API int clump_device_count(void);
CLUMP_API clump_status clump_device_query(int index, clump_device_info *out);

/* Returns why a backend has no device on this machine, "no CUDA device"; null where it has one. A constant string. */
CLUMP_API const char *clump_device_absence(clump_backend backend);

/* ===== 3. names ============================================================================ */

/* Translate a value to its name, "disjoint-set", and back. Null and false for values and names that do not exist. */
CLUMP_API const char *clump_ec_method_name(clump_ec_method method);
CLUMP_API bool clump_ec_method_from_name(const char *name, clump_ec_method *method);
CLUMP_API const char *clump_dbscan_method_name(clump_dbscan_method method);
CLUMP_API bool clump_dbscan_method_from_name(const char *name, clump_dbscan_method *method);
CLUMP_API const char *clump_ground_method_name(clump_ground_method method);
CLUMP_API bool clump_ground_method_from_name(const char *name, clump_ground_method *method);
CLUMP_API const char *clump_erccl_method_name(clump_erccl_method method);
CLUMP_API bool clump_erccl_method_from_name(const char *name, clump_erccl_method *method);
CLUMP_API const char *clump_detect_method_name(clump_detect_method method);
CLUMP_API bool clump_detect_method_from_name(const char *name, clump_detect_method *method);
CLUMP_API const char *clump_neighbour_kind_name(clump_neighbour_kind neighbours);
CLUMP_API bool clump_neighbour_kind_from_name(const char *name, clump_neighbour_kind *neighbours);
CLUMP_API const char *clump_ring_source_name(clump_ring_source source);
CLUMP_API const char *clump_ring_doubt_name(clump_ring_doubt doubt);
CLUMP_API const char *clump_fit_name(clump_fit fit);

#ifdef __cplusplus
}
#endif
#endif
