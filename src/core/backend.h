/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backend.h: the contract between the core and a backend. To add a backend, implement this table in a folder of its
 * own, export one function that returns it, and name that function in registry.c. Each function is a whole algorithm:
 * the core checks the arguments and chooses the backend; the backend does everything up to the finished labels.
 */
#ifndef CLUMP_CORE_BACKEND_H
#define CLUMP_CORE_BACKEND_H

#include "core/node.h"
#include "core/work.h"
#include "rules/elevation.h"
#include "rules/pairs.h"

#include <clump/info.h>
#include <clump/cuda.h>
#include <clump/index.h>

/* The part that all jobs on a cloud share: input and labels, checked. It is the first member `in` of the jobs below. */
typedef struct clump_cloud_job {
    const char *points; /* point i has its floats at points + i * stride */
    size_t count;       /* at most INT32_MAX */
    size_t stride;
    clump_place place;
    const uint8_t *mask; /* null, or one byte per point: 0 leaves the point out */
    int32_t *labels;     /* count entries; may be used as scratch during the call */
    clump_order order;
    size_t min_size, max_size; /* max_size 0: no limit */
    int32_t *clusters_on_device;
    bool wait; /* true: return when the result is complete; false: a backend may return earlier */

    /* Which points are neighbours, for clump_ec and clump_dbscan. For clump_erccl only d is used: the side of a
     * cell. */
    float d;     /* the radius; d and its square are normal floats */
    float bound; /* two points are neighbours when d2 < bound: the square of d; for DBSCAN the next float after it */

    /* 0, or the factor by which the radius of a pair grows with the range (rules/radius.h). d and bound then belong
     * to the smallest radius, and `sensor` is in use. */
    float per_metre;
    float sensor[3];
    bool two_d;
} clump_cloud_job;

/* Arguments of clump_ec, checked. */
typedef struct clump_ec_job {
    clump_cloud_job in;
    clump_ec_method method;
    uint32_t matrix_block; /* matrix-*: 64, 128, 256, 512 or 1024 */
    bool in_place;         /* vertex-* and edge-*; else false */
} clump_ec_job;

/* A border point and a cluster next to it. */
typedef struct clump_border {
    int32_t point, label;
} clump_border;

/* The clusters next to border points that are next to two or more (clump_piece_cluster). The backend writes one pair per point
 * and cluster, in any order, at most `capacity` pairs, and sets `count` to the number of all. Labels are those of CLUMP_ORDER_INDEX without
 * size limits. The caller makes more room and calls again where count is larger than the capacity. */
typedef struct clump_border_list {
    size_t points;       /* only points with a smaller index are listed */
    clump_border *pairs; /* in host memory */
    size_t capacity, count;
} clump_border_list;

/* Arguments of clump_dbscan, checked. in.d is eps. */
typedef struct clump_dbscan_job {
    clump_cloud_job in;
    clump_dbscan_method method;
    size_t min_points; /* at least 1 */
    bool border_points;
    uint8_t *core;                   /* null, or one entry per point */
    clump_border_list *borders;      /* null, or the list to fill; method fast only, without per_metre and limits */
    uint32_t chains, threads, seeds; /* dclust: as in clump_papers, with the defaults in place of 0 */
    bool host_merge;                 /* dclust on a GPU */
    clump_loads *load, *merge_load;  /* disjoint-set and dclust: output, of the clustering and of its merge step */
} clump_dbscan_job;

/* Arguments of clump_ec_batch and clump_dbscan_batch, checked. Arrays are in in.place. Cloud c is the points offsets[c] ...
 * offsets[c + 1] - 1; labels, limits and order are those of a call on that cloud alone. On a device offsets and radii are
 * not checked. */
typedef struct clump_batch_job {
    clump_cloud_job in; /* of all clouds; d and bound are in use where `radii` is null */
    const int64_t *offsets;
    size_t clouds;      /* at most INT32_MAX */
    const float *radii; /* null, or one per cloud: its d (rules/batch.h has its bound) */
    int32_t *counts;    /* null, or one per cloud: its number of clusters */
    size_t min_points;  /* 0: Euclidean clustering; else DBSCAN */
    bool border_points; /* DBSCAN, as in clump_dbscan_job */
    uint8_t *core;
} clump_batch_job;

/* Arguments of clump_ground, checked. `in` has points, count, stride, place, mask and labels; the rest is 0. */
typedef struct clump_ground_job {
    clump_cloud_job in;
    clump_ground_options options;
} clump_ground_job;

/* Arguments of clump_erccl, checked. */
typedef struct clump_erccl_job {
    clump_cloud_job in;
    clump_erccl_method method;
    clump_elevation map;
    int reach;
    const float *alike; /* the table of core/alike.h, in host memory: (reach + 1)^2 entries */
    clump_ground_options ground;
    bool all_heights; /* heights of a cell are of all its points, else of those that are not ground */
    clump_erccl_maps maps;
} clump_erccl_job;

/* Arguments of clump_objects, checked. in.d and in.per_metre are of the factor 1. */
typedef struct clump_objects_job {
    clump_cloud_job in;
    clump_neighbour_kind neighbours;
    clump_objects_rule rule;
    const uint16_t *rings; /* null, or one per point, in in.place; below CLUMP_RINGS_MOST in host memory */
    size_t columns;        /* 0, or points per ring, so that there are at most CLUMP_RINGS_MOST rings */
    clump_object *found;   /* null, or `capacity` entries in found_place */
    int32_t capacity;
    clump_place found_place;
} clump_objects_job;

/* Arguments of clump_describe, checked. */
typedef struct clump_describe_job {
    const char *points; /* point i has its floats at points + i * stride */
    size_t count, stride;
    clump_place place; /* of points, labels, heights and values */
    const int32_t *labels;
    int32_t cluster_count;   /* labels from here on are not allowed */
    int32_t described;       /* clusters that are described, at most cluster_count: those with the smallest labels */
    clump_cluster *clusters; /* `described` entries, in options.clusters_place */
    clump_describe_options options; /* values_stride is not 0 where there are values */
    bool wait;                      /* as in clump_cloud_job */
    const int32_t *sizes;           /* null, or the points of each cluster that is described; labels are right then */
} clump_describe_job;

/* Arguments of clump_describe_batch for points on a device, checked. Clusters of cloud c are first[c] ... first[c + 1] - 1
 * of all clusters, but their labels are those of the cloud. */
typedef struct clump_describe_batch_job {
    clump_describe_job all; /* of all clouds; labels are those of the clouds */
    const int64_t *offsets; /* on the device, not checked: the points of the clouds */
    const int64_t *first;   /* in host memory, clouds + 1 entries */
    size_t clouds;
} clump_describe_batch_job;

/* Arguments of clump_group, checked. */
typedef struct clump_group_job {
    const int32_t *labels;
    size_t count;
    clump_place place;
    int32_t cluster_count;
    int32_t *offsets, *members;
} clump_group_job;

/* Arguments of clump_tree, checked. `in` has points, count, stride, place, mask and two_d; the rest is 0. */
typedef struct clump_tree_job {
    clump_cloud_job in;
    size_t min_samples; /* 1 ... CLUMP_NN_MAX_K */
    int32_t *parents;   /* outputs, one entry per point */
    float *heights;
    float *cores; /* may be null */
} clump_tree_job;

/* Arguments of clump_detect, checked. The jobs below are complete, except for what only the backend knows: a mask without
 * the ground, and labels in its own memory where the caller wants none. */
typedef struct clump_detect_job {
    clump_cloud_job in; /* points, count, stride, place, the caller's mask; labels may be null; wait */
    clump_region region;
    bool has_region; /* false: the region leaves no point out */
    float sensor[3];
    bool two_d;
    float thin; /* 0: no thinning */
    clump_ground_options ground;
    clump_detect_method method; /* which of the four jobs below is in use */
    clump_ec_job ec;
    clump_dbscan_job dbscan;
    clump_erccl_job erccl;       /* without ground, which the mask leaves out */
    clump_objects_job objects;   /* with heights above the ground from the backend */
    clump_describe_job describe; /* `described` is the capacity, cluster_count is unknown; clusters null: no boxes */
} clump_detect_job;

/* Arguments of clump_index_create and clump_index_rebuild, checked. */
typedef struct clump_index_job {
    const char *points; /* point i has its floats at points + i * stride */
    size_t count, stride;
    clump_place place;
    clump_nn_method method;
    int partitions, window; /* at least 1, at least 0 */
} clump_index_job;

/* Which query runs: the k nearest, or the first or second step of a radius search. */
typedef enum clump_query_kind { CLUMP_QUERY_NEAREST, CLUMP_QUERY_COUNT, CLUMP_QUERY_FILL } clump_query_kind;

/* Arguments of the queries of an index, checked. */
typedef struct clump_query_job {
    clump_query_kind kind;
    const char *queries;
    size_t count, stride;
    clump_place place;
    float bound;      /* largest squared distance, inclusive; may be infinite */
    size_t k;         /* NEAREST: neighbours per query, 1 ... 128 */
    int32_t *indices; /* NEAREST: k per query; FILL: rows as in `offsets` */
    float *distances; /* squared, in the layout of `indices`; may be null */
    int64_t *sums;    /* COUNT, output: count + 1 entries, the prefix sum of the neighbours per query */
    const int64_t
        *offsets; /* FILL: count + 1 entries. In host memory checked: ascending from 0; on a device unchecked */

    /* NEAREST with k = 1: `indices` holds one guess per query, a reference point or -1. The search starts at the
     * guess; the result does not depend on it. `guessed` are the reference points. */
    bool guesses;
    const char *guessed;
    size_t guessed_stride;
    bool moved; /* the queries are those of the last call on this context, slightly moved: their order may be reused */
} clump_query_job;

/* One query of an index, checked. */
typedef struct clump_one_job {
    const float *query; /* x, y, z */
    float bound;        /* largest squared distance, inclusive; may be infinite */
    size_t k;           /* the k nearest, 1 ... 128; 0: all */
    bool sorted;        /* all: by ascending key */
    uint64_t *keys;     /* output: bits of the squared distance above the index */
    size_t room;        /* entries of `keys` */
} clump_one_job;

/* The job of a backend that computes whole iterations of clump_icp. The source is in host memory, the target in an
 * index. All memory stays valid and unchanged until the last iteration. */
typedef struct clump_icp_job {
    const char *source; /* point i has its floats at source + i * stride */
    size_t count, stride;
    int normal_neighbours; /* target points per normal of the target (rules/normal.h); 0: point to point */
    double normal_flat;    /* of the normals (rules/normal.h); 0: they have length 1 */
    double keep;           /* fraction of the pairs that are kept, above 0 (clump_pairs_kept); 1: all */
    double center[3];      /* origin of the sums; not known before the first step */
    float bound;           /* largest squared distance of a pair, inclusive; may be infinite */
    clump_kernel kernel;   /* which pairs count; zeroed: all, alike */
} clump_icp_job;

typedef struct clump_backend_table {
    clump_backend id;
    const char *name; /* "cpu" */

    /* REQUIRED. Number of devices of this backend on this machine. Where it is 0 and `why` is not null, *why is the
     * reason: a constant string, "no CUDA device". */
    int (*device_count)(const char **why);
    clump_status (*device_query)(int device, clump_device_info *out);

    /* REQUIRED. open() creates the backend's state in *state, and keeps what it needs of the options of the context.
     * Memory comes only from clump_buffer or, for the state itself, from work->memory. close() frees the state. An
     * open() that fails frees what it took. */
    clump_status (*open)(clump_work *work, const clump_context_options *options, void **state);
    void (*close)(clump_work *work, void *state);

    /* REQUIRED. As clump_context_reserve and clump_context_trim. */
    clump_status (*reserve)(clump_work *work, void *state, size_t max_points);
    void (*trim)(clump_work *work, void *state);

    /* REQUIRED. Runs a method that the table of the job (core/methods.c) gives this backend. Labels are in
     * job->in.place, numbered as job->in.order says, with CLUMP_NOISE for points left out and for clusters outside
     * the size limits. On failure the labels are undefined. For labels in host memory clump_labels_finish() does the
     * last step.
     *
     * *stats is clump_stats_before() on entry. The backend sets the figures of the run: threads, passes, times, counts.
     * clusters -1: the GPU is still at work, and no count is known. The core sets the rest: what is known without the
     * run, and bytes. */
    clump_status (*ec)(clump_work *work, void *state, const clump_ec_job *job, clump_stats *stats);

    /* Functions of clump/cuda.h, for a backend with memory and streams of its own; else all of them are null. pin: bytes 0
     * undoes it. */
    clump_status (*set_stream)(clump_work *work, void *state, void *stream);
    clump_status (*wait)(clump_work *work, void *state);
    clump_status (*allocate)(clump_work *work, void *state, clump_cuda_memory kind, size_t bytes, void **out);
    void (*release)(clump_work *work, void *state, clump_cuda_memory kind, void *memory);
    clump_status (*pin)(clump_work *work, void *state, void *memory, size_t bytes);
    clump_status (*copy)(clump_work *work, void *state, void *to, const void *from, size_t bytes);

    /* As `ec`, for clump_dbscan; null where the backend has no method of the job. Clusters are numbered by smallest
     * core point. */
    clump_status (*dbscan)(clump_work *work, void *state, const clump_dbscan_job *job, clump_stats *stats);

    /* As `ec`, for clump_ground. */
    clump_status (*ground)(clump_work *work, void *state, const clump_ground_job *job, clump_stats *stats);

    /* As `ec`, for clump_erccl. job->maps are in job->in.place. */
    clump_status (*erccl)(clump_work *work, void *state, const clump_erccl_job *job, clump_stats *stats);

    /* clump_index; all null where the backend has no method of it. index_build creates *index, or refills it where it
     * is not null. Memory of the index comes from `home`, which is the index's own; scratch memory comes from `work`. An
     * error message may be left in either of them. A failed build leaves an index without points.
     *
     * Queries only read the index: several threads may query it at once. A row of FILL whose length differs from the
     * offsets is an error that names the query; nothing is written outside the rows. index_release gets `home`
     * alone, as the context that built the index may be gone. */
    clump_status (*index_build)(clump_work *work, void *state, clump_work *home, void **index,
                                const clump_index_job *job, clump_stats *stats);
    clump_status (*index_query)(clump_work *work, void *state, const void *index, const clump_query_job *job,
                                clump_stats *stats);
    void (*index_release)(clump_work *home, void *index);

    /* Whole iterations of clump_icp, on an index by `fast`; both null where the core composes them of queries.
     * icp_begin may return before its work is done. A step polls for a cancellation, after which none of that work
     * runs. It computes the CLUMP_PAIRS_SUMS sums of rules/pairs.h over the source moved by `motion` and all its
     * pairs. */
    clump_status (*icp_begin)(clump_work *work, void *state, const void *index, const clump_icp_job *job);
    clump_status (*icp_step)(clump_work *work, void *state, const void *index, const clump_icp_job *job,
                             const clump_rigid *motion, double *sums);

    /* As `ec`, for clump_describe, clump_group and clump_detect. */
    clump_status (*describe)(clump_work *work, void *state, const clump_describe_job *job, clump_stats *stats);
    clump_status (*group)(clump_work *work, void *state, const clump_group_job *job, clump_stats *stats);
    clump_status (*detect)(clump_work *work, void *state, const clump_detect_job *job, clump_stats *stats);

    /* As `ec`, for clump_ec_batch and clump_dbscan_batch. The figures are sums over all clouds. */
    clump_status (*batch)(clump_work *work, void *state, const clump_batch_job *job, clump_stats *stats);

    /* clump_describe_batch with points on a device; null for a backend without one. */
    clump_status (*describe_batch)(clump_work *work, void *state, const clump_describe_batch_job *job,
                                   clump_stats *stats);

    int vector_bits; /* of the registers that the CPU backend is compiled for; 0 for other backends */

    /* Answers one query without a context and without state, from any thread. Returns false for an index that cannot: one
     * of another method than `fast`. *found is the number of neighbours. Null for a backend without it. */
    bool (*index_one)(const void *index, const clump_one_job *job, size_t *found);

    /* clump_tree; null where the backend has no method of it. */
    clump_status (*tree)(clump_work *work, void *state, const clump_tree_job *job, clump_stats *stats);

    /* As `ec`, for the objects of one group of classes: points that are finite and not ground, without a mask, with exact
     * neighbours. `above` are their heights above the ground; null: the ground is not known. The CPU alone has it. */
    clump_status (*objects)(clump_work *work, void *state, const clump_objects_job *job, const float *above,
                            clump_stats *stats);
} clump_backend_table;

/* Returns the table of the CPU backend, compiled with the options of the build. core/level.c has the tables that are
 * compiled for other processors. registry.c declares the one of the CUDA backend, which some builds lack. */
const clump_backend_table *clump_backend_cpu(void);

/* --- labels.c: the last step of every backend ------------------------------------------------- */

/* Applies size limits and order to labels in host memory, the last step of every clustering call (labels.c). The labels
 * are canonical on entry. Updates stats->clusters and stats->noise. */
clump_status clump_labels_finish(clump_work *work, const clump_cloud_job *job, clump_stats *stats);

/* What clump_labels_decide() finds, in memory that the next call for labels writes to. */
typedef struct clump_decided {
    const int32_t *numbers; /* the final label of each cluster; null where none changes */
    int32_t *sizes;         /* null where they are not known; on entry null, or those of clump_labels_sizes() */
} clump_decided;

/* As clump_labels_finish(), but leaves the labels as they are. stats->noise must be right on entry. */
clump_status clump_labels_decide(clump_work *work, const clump_cloud_job *job, clump_stats *stats,
                                 clump_decided *decided);

/* Makes room for the sizes of `found` clusters, 0 so far. */
clump_status clump_labels_sizes(clump_work *work, size_t found, int32_t **sizes);

/* Numbers clusters whose sizes are known, by size limits and order. sizes[c], at least 1, becomes the number of cluster c,
 * CLUMP_NOISE where its size is outside the limits; *clusters becomes the number of the others (labels.c). */
clump_status clump_labels_number(clump_work *work, const clump_cloud_job *job, int32_t *sizes, int32_t *clusters);

/* Returns whether clump_labels_finish() has anything to change. */
static inline bool clump_labels_unfinished(const clump_cloud_job *job)
{
    return job->order != CLUMP_ORDER_INDEX || job->min_size > 1 || job->max_size != 0;
}

/* Takes the scratch memory of clump_labels_finish() for up to max_points clusters. */
clump_status clump_labels_reserve(clump_work *work, size_t max_points);

#endif
