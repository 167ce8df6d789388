/* SPDX-License-Identifier: BSD-3-Clause
 *
 * index.h: nearest neighbours (clump_index: the nearest, the k nearest, all within a radius) and registration (clump_icp:
 * the motion that aligns one cloud with another).
 */
#ifndef CLUMP_INDEX_H
#define CLUMP_INDEX_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ===== 1. nearest neighbours =============================================================== */

/* An index of reference points, built once and queried often:
 *
 *     clump_index *index;
 *     clump_index_create(ctx, reference, NULL, &index);
 *     clump_index_nearest(ctx, index, queries, INFINITY, indices, distances_squared);
 *     clump_index_destroy(index);
 *
 * An index keeps a copy of the points and does not change until it is rebuilt. Any number of threads may query it at
 * the same time, each with a context of its own. Outputs and offsets of a query are in the place of its queries; for
 * queries on the device see clump/cuda.h.
 *
 * Distances are computed as in clump_ec. A point is within a distance when the squared distance of the pair is <=
 * distance * distance, each step rounded to float32. Of points at equal distance the one with the smaller index
 * counts as nearer, so all exact methods and backends give equal indices. A point or query with a coordinate that is
 * not finite has no neighbours and is no neighbour. */
typedef struct clump_index clump_index;

typedef enum clump_nn_method {
    CLUMP_NN_FAST = 0,   /* clump's own: a tree of boxes with eight children, queries in packs */
    CLUMP_NN_KDTREE = 1, /* the classical method: kd-tree, one query at a time; built by one thread */
    CLUMP_NN_BRUTE = 2,  /* compares every query with every point */

    /* Approximate: reference points are partitioned by azimuth around the origin. A query is compared with the
     * points of its own partition. For scans of a rotating sensor, in the sensor's frame. After the paper on
     * Velodyne point clouds. */
    CLUMP_NN_AZIMUTH = 3,

    /* The other two methods of that paper, CUDA only: every query is compared with every point. */
    CLUMP_NN_PER_QUERY = 4, /* one kernel launch per query */
    CLUMP_NN_BATCH = 5      /* one kernel loops over the queries */
} clump_nn_method;

typedef struct clump_index_options {
    uint32_t cookie;        /* set by clump_index_defaults(), do not touch */
    clump_nn_method method; /* CLUMP_NN_FAST */
    int partitions;         /* azimuth: 300; at least 1 */
    int window;             /* azimuth: 0; additional partitions to search on either side */
} clump_index_options;

CLUMP_API clump_index_options clump_index_defaults(void);

/* Translates a method to its name, "kdtree", and back, as clump_ec_method_name. */
CLUMP_API const char *clump_nn_method_name(clump_nn_method method);
CLUMP_API bool clump_nn_method_from_name(const char *name, clump_nn_method *method);

/* Builds an index. options may be null for the defaults. *out is null on failure. Memory comes from the context's
 * allocator. clump_index_destroy returns it to that allocator, also after the context has been destroyed. */
CLUMP_API clump_status clump_index_create(clump_context *ctx, clump_points points, const clump_index_options *options,
                                          clump_index **out);

/* Replaces the points of an index. Options stay, memory is reused where it suffices. No query may run at the same
 * time. After a failure the index has no points. */
CLUMP_API clump_status clump_index_rebuild(clump_context *ctx, clump_index *index, clump_points points);

/* index may be null. */
CLUMP_API void clump_index_destroy(clump_index *index);

/* Returns the bytes that the index holds, host and device memory together. */
CLUMP_API size_t clump_index_bytes(const clump_index *index);

/* Finds the nearest reference point of every query.
 * max_distance       0 or more: farther points are ignored; INFINITY: no limit; 0: only points that coincide
 * indices            output, one per query: index of the reference point, -1 where there is none
 * distances_squared  output, may be null: one per query, INFINITY where there is none */
CLUMP_API clump_status clump_index_nearest(clump_context *ctx, const clump_index *index, clump_points queries,
                                           float max_distance, int32_t *indices, float *distances_squared);

/* Finds the k nearest reference points of every query, 1 <= k <= CLUMP_NN_MAX_K, nearest first. Both outputs have k
 * entries per query. Entries without a point are -1 and INFINITY. */
#define CLUMP_NN_MAX_K 128
CLUMP_API clump_status clump_index_knn(clump_context *ctx, const clump_index *index, clump_points queries, int k,
                                       float max_distance, int32_t *indices, float *distances_squared);

/* Finds all reference points within a radius, in two steps: count; allocate offsets[queries.count] entries; fill.
 * offsets   queries.count + 1 entries: query i has neighbours offsets[i] ... offsets[i + 1] - 1, by ascending index
 * radius    as max_distance
 * Both calls need equal radius, queries and index. */
CLUMP_API clump_status clump_index_radius_count(clump_context *ctx, const clump_index *index, clump_points queries,
                                                float radius, int64_t *offsets);
CLUMP_API clump_status clump_index_radius_fill(clump_context *ctx, const clump_index *index, clump_points queries,
                                               float radius, const int64_t *offsets, int32_t *indices,
                                               float *distances_squared);

/* One query, for callers that cannot pass many at once. No context is needed, nothing is allocated, and any number of
 * threads may call it at the same time. It costs less than a call above for one query, but more than that call costs per
 * query for many. The index must be by CLUMP_NN_FAST on the CPU, else CLUMP_ERR_UNSUPPORTED.
 *
 * A neighbour is a number: the bits of its squared distance above its index. The nearer of two has the smaller number.
 *     index = (int32_t)(uint32_t)neighbour;   uint32_t bits = neighbour >> 32;   memcpy(&distance_squared, &bits, 4);
 *
 * query       x, y, z; if a coordinate is not finite, there are no neighbours
 * bound       points with a larger squared distance are ignored; 0 or more; INFINITY: no limit
 * neighbours  output
 * found       output: their number */

/* Finds the k nearest reference points, 1 <= k <= CLUMP_NN_MAX_K, nearest first; neighbours has k entries. */
CLUMP_API clump_status clump_index_knn_one(const clump_index *index, const float query[3], int k, float bound,
                                           uint64_t *neighbours, size_t *found);

/* Finds all reference points within the bound: nearest first where `sorted`, else in any order. If *found is above
 * `capacity`, neighbours are undefined: call again with that capacity. */
CLUMP_API clump_status clump_index_radius_one(const clump_index *index, const float query[3], float bound, bool sorted,
                                              uint64_t *neighbours, size_t capacity, size_t *found);

/* ===== 2. registration ===================================================================== */

/* Iterative closest point: finds the rigid motion that aligns the source with the target. Each iteration pairs every
 * source point with its nearest target point and applies the motion that fits the pairs best. The iterations end
 * when a motion is below the tolerance. The result is a local optimum, so the clouds must be roughly aligned:
 * consecutive scans, or with an initial motion. */
typedef enum clump_icp_method {
    CLUMP_ICP_POINT = 0, /* least squares of the distances between the points of the pairs */
    CLUMP_ICP_PLANE =
        1, /* least squares of the distances to the target's surface: fewer iterations on walls and ground */
    CLUMP_ICP_GICP =
        2 /* plane to plane, generalized ICP: the surfaces of both clouds count. On a GPU only the searches run
                        * there */
} clump_icp_method;

typedef struct clump_icp_options {
    uint32_t cookie;         /* set by clump_icp_defaults(), do not touch */
    clump_icp_method method; /* CLUMP_ICP_POINT */
    int max_iterations;      /* 100 */
    float max_distance;      /* INFINITY: pairs farther apart are ignored; more than 0 */
    double keep;             /* 1: fraction of the pairs in use, nearest first, more than 0; below 1 it is trimmed ICP,
                            * which leaves a motion that starves it, if more of the pairs lead to a better one */
    double tolerance;        /* 1e-4: the last iteration moves the centre of the target by less, in the unit of the
                              * coordinates, and rotates by less, in radians */
    int normal_neighbours; /* 10: target points per surface normal, for CLUMP_ICP_PLANE and CLUMP_ICP_GICP; 3 ... CLUMP_NN_MAX_K */
    float thin;   /* 0: all points; else side of voxels, of which the first point of each is used, in both clouds */
    float robust; /* 0: all pairs count alike; else width c of a robust kernel: a pair with the residual r has the
                              * weight (c^2 / (c^2 + r^2))^2. The residual is the distance of its points or, with
                              * CLUMP_ICP_PLANE, that to the surface */
    const double *initial; /* null, or the motion to start with: 16 numbers as in the result */
} clump_icp_options;

typedef struct clump_icp_result {
    double transform[16]; /* 4 x 4, row-major: p -> transform * (p, 1) maps source to target */
    double fitness;       /* fraction of the finite source points that have a target point within max_distance */
    double rmse; /* root mean square distance of the pairs in use; with `robust` that of the residuals, weighted */

    /* What the pairs tell about the transform: the matrix of its normal equations, 6 x 6, row-major, for a small translation
     * along x, y, z and a small rotation about x, y, z through the origin, after the transform. Divided by the variance of a
     * residual it is the inverse of the covariance. An eigenvalue that is small beside the number of pairs belongs to a
     * motion that they do not determine. */
    double information[36];
    int iterations;
    bool converged; /* the last iteration was within the tolerance */
    bool contested; /* trimmed: a second motion has pairs about as close, so `keep` does not tell which is right. The
                     * transform is the better one; a larger `keep` or an initial motion decides */
} clump_icp_result;

CLUMP_API clump_icp_options clump_icp_defaults(void);

/* Registers source to target. All in host memory. Points that are not finite are ignored. Fewer than three pairs do not
 * determine a motion: then converged is false and transform is the motion so far. The result is equal, bit for bit,
 * for any number of threads and on a GPU. In clump_context_stats, build_ms is the time for index and normals,
 * query_ms the time for the search of pairs, passes the number of iterations. On a GPU, build_ms is the time for the
 * index and for copies, query_ms that for normals and whole iterations. */
CLUMP_API clump_status clump_icp(clump_context *ctx, clump_points target, clump_points source,
                                 const clump_icp_options *options, clump_icp_result *result);

/* Finds the rigid motion of least squares that takes each point `from` to its partner `to` (Horn): 3 doubles per point, and
 * the transform as in clump_icp_result. Where the points do not determine one, as on a line, it is one of the best. False:
 * fewer than three pairs, or numbers that are not finite; the transform is then the identity. The sums are over the pairs in
 * their order, relative to the first pair. */
CLUMP_API bool clump_align_pairs(const double (*from)[3], const double (*to)[3], size_t count, double transform[16]);

#ifdef __cplusplus
}
#endif
#endif
