/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backend.h: the contract between the core and a backend. To add a backend, implement this table
 * in a folder of its own, export one function that returns it, and name that function in
 * registry.c. Algorithms are whole: the core checks arguments and chooses the backend; everything
 * between there and finished labels is the backend's.
 */
#ifndef CLUMP_CORE_BACKEND_H
#define CLUMP_CORE_BACKEND_H

#include "rules/elevation.h"
#include "rules/pairs.h"

#include <clump/cuda.h>

/* What every job on a cloud has in common: its input and its labels, checked. First member `in` of the jobs below. */
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
    bool wait; /* true: return when the result is there; false: a backend may return earlier */

    /* Who is a neighbour: clump_ec and clump_dbscan. clump_erccl gives d alone, the side of a cell. */
    float d;     /* the radius; d and its square are normal floats */
    float bound; /* two points are neighbours when d2 < bound: the square of d, for DBSCAN the next float */
    float
        per_metre; /* 0, or the radius of a pair grows with the range (rules/radius.h); d and bound are the smallest */
    float sensor[3]; /* read only where per_metre > 0 */
    bool two_d;
} clump_cloud_job;

/* Arguments of clump_ec, checked. */
typedef struct clump_ec_job {
    clump_cloud_job in;
    clump_ec_method method;
} clump_ec_job;

/* Arguments of clump_dbscan, checked. in.d is eps. */
typedef struct clump_dbscan_job {
    clump_cloud_job in;
    clump_dbscan_method method;
    size_t min_points; /* at least 1 */
    bool border_points;
    uint8_t *core; /* null, or one entry per point */
} clump_dbscan_job;

/* Arguments of clump_ground, checked. Of `in`, points, count, stride, place, mask and labels are given. */
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
    const float
        *alike; /* in host memory; (reach + 1)^2 entries, the largest dh at so many rows, columns (core/alike.h) */
    clump_ground_options ground;
    clump_erccl_maps maps;
} clump_erccl_job;

/* Arguments of clump_index_create and clump_index_rebuild, checked. */
typedef struct clump_index_job {
    const char *points; /* point i has its floats at points + i * stride */
    size_t count, stride;
    clump_place place;
    clump_nn_method method;
    int partitions, window; /* at least 1, at least 0 */
} clump_index_job;

typedef enum clump_query_kind { CLUMP_QUERY_NEAREST, CLUMP_QUERY_COUNT, CLUMP_QUERY_FILL } clump_query_kind;

/* Arguments of the queries of an index, checked. */
typedef struct clump_query_job {
    clump_query_kind kind;
    const char *queries;
    size_t count, stride;
    clump_place place;
    float bound;            /* of the squared distance, inclusive; may be infinite */
    size_t k;               /* NEAREST: neighbours of a query, 1 ... 128 */
    int32_t *indices;       /* NEAREST: k a query; FILL: as the offsets say */
    float *distances;       /* the same, squared; may be null */
    int64_t *sums;          /* COUNT: count + 1, to be made: neighbours of the queries before each, from 0 on */
    const int64_t *offsets; /* FILL: count + 1. On the host ascending from 0; on a device nobody has looked yet */

    /* NEAREST with k = 1: whether indices holds a guess for every query, a point of the reference or -1, from which the
     * search begins. It changes no result. The points themselves are read from `guessed`. */
    bool guesses;
    const char *guessed;
    size_t guessed_stride;
    bool moved; /* the queries are those of the last call on this context and have moved a little: what was found out
                 * about their order may be used again */
} clump_query_job;

/* What clump_icp tells a backend that makes whole iterations, about a source in host memory and the target of an index.
 * Everything stays where it is until the last of them. */
typedef struct clump_icp_job {
    const char *source; /* point i has its floats at source + i * stride */
    size_t count, stride;
    size_t targets;
    const float *normals; /* of the target, three floats a point; null: point to point */
    double center[3];     /* sums are made from here */
    float bound;          /* of the squared distance of a pair, inclusive; may be infinite */
} clump_icp_job;

/* What a backend says of its run. Zeroed before the call, but for ground_level. */
typedef struct clump_result {
    bool unknown; /* the work goes on: nothing below is known yet */
    int32_t clusters;
    size_t finite, masked; /* see clump_stats */
    size_t noise;          /* points labelled so: masked, not finite, or of a cluster outside the limits */
    size_t ground;         /* points labelled so */
    float ground_level;    /* see clump_stats; NaN before the call */
    int threads;
    int64_t passes;
    double upload_ms, build_ms, cluster_ms, label_ms, download_ms;
    double query_ms;
} clump_result;

typedef struct clump_backend_table {
    clump_backend id;
    const char *name; /* "cpu" */

    /* REQUIRED. Devices of this backend on this machine; when there is none, 0 and, if why is not
     * null, the reason: a constant string, "no CUDA device". */
    int (*device_count)(const char **why);
    clump_status (*device_query)(int device, clump_device_info *out);

    /* REQUIRED. Makes the backend's state in *state; takes memory only through clump_buffer or, for
     * the state itself, ctx->memory. close() also frees what open() left after failing half way. */
    clump_status (*open)(clump_context *ctx, void **state);
    void (*close)(clump_context *ctx, void *state);

    /* REQUIRED. clump_context_reserve and clump_context_trim. */
    clump_status (*reserve)(clump_context *ctx, void *state, size_t max_points);
    void (*trim)(clump_context *ctx, void *state);

    /* REQUIRED. One run of a method that the table of the job (core/methods.h) gives this backend: labels in job->place, numbered as job->order
     * says, CLUMP_NOISE for points left out and clusters outside the limits. May leave any labels on
     * failure. clump_labels_finish makes the last step of those in host memory. */
    clump_status (*ec)(clump_context *ctx, void *state, const clump_ec_job *job, clump_result *result);

    /* Of a backend with memory and streams of its own; else null, all of them. As in clump/cuda.h. */
    clump_status (*set_stream)(clump_context *ctx, void *state, void *stream);
    clump_status (*wait)(clump_context *ctx, void *state);
    clump_status (*allocate)(clump_context *ctx, void *state, clump_cuda_memory kind, size_t bytes, void **out);
    void (*release)(clump_context *ctx, void *state, clump_cuda_memory kind, void *memory);
    clump_status (*copy)(clump_context *ctx, void *state, void *to, const void *from, size_t bytes);

    /* The same for clump_dbscan; both null where there are no methods of it. Numbered by smallest core point. */
    clump_status (*dbscan)(clump_context *ctx, void *state, const clump_dbscan_job *job, clump_result *result);

    /* The same for clump_ground. */
    clump_status (*ground)(clump_context *ctx, void *state, const clump_ground_job *job, clump_result *result);

    /* The same for clump_erccl. maps, where asked for, are in job->in.place. */
    clump_status (*erccl)(clump_context *ctx, void *state, const clump_erccl_job *job, clump_result *result);

    /* The same for clump_index; all null where there are no methods of it. index_build makes *index, or when it is
     * not null fills it anew; what the index keeps is taken from `home`, a context of the index's own, and what is
     * needed only now from ctx. Errors may be left in either. A build that failed leaves an index without points.
     * Queries only read the index: several threads may ask it at once. A row of FILL whose length is not that of the
     * offsets is an error that names the query; nothing is written outside the rows. index_release has no context to
     * go with but `home`, and the one that built may be gone. */
    clump_status (*index_build)(clump_context *ctx, void *state, clump_context *home, void **index,
                                const clump_index_job *job, clump_result *result);
    clump_status (*index_query)(clump_context *ctx, void *state, const void *index, const clump_query_job *job,
                                clump_result *result);
    void (*index_release)(clump_context *home, void *index);

    /* Whole iterations of clump_icp, on an index by `fast`; both null where the core makes them out of queries. A step
     * makes all sums of rules/pairs.h, CLUMP_PAIRS_SUMS of them, over the source moved so and all its pairs. */
    clump_status (*icp_begin)(clump_context *ctx, void *state, const clump_icp_job *job);
    clump_status (*icp_step)(clump_context *ctx, void *state, const void *index, const clump_icp_job *job,
                             const clump_rigid *motion, double *sums);
} clump_backend_table;

/* The table of the CPU backend. registry.c declares that of the CUDA backend, which is not in every build. */
const clump_backend_table *clump_backend_cpu(void);

#endif
