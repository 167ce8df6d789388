/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump.h: find the clusters in a point cloud, exactly.
 *
 *     clump_context *ctx;
 *     if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
 *
 *     clump_points points = {.xyz = my_floats, .count = n};      // x y z x y z ...
 *     int32_t clusters;
 *     if (clump_ec(ctx, points, 0.5f, NULL, my_labels, &clusters) != CLUMP_OK)
 *         puts(clump_context_error(ctx));                         // one sentence
 *
 *     clump_context_destroy(ctx);
 *
 * That is the whole everyday interface. my_labels[i] is now the cluster of point i, 0, 1, 2 ...,
 * or CLUMP_NOISE. The rest of this page, in order:
 *
 *     1  version and status          what a call returns
 *     2  points and labels           what goes in, what comes out
 *     3  context                     memory, threads, device: make one per thread and keep it
 *     4  Euclidean clustering        clump_ec
 *     5  density clustering          clump_dbscan
 *     6  ground                      clump_ground: which points are ground
 *     7  obstacles                   clump_erccl: ground removed, clusters on the elevation map
 *     8  after clustering            boxes, member lists, a fingerprint of the labels
 *     9  nearest neighbours          clump_index: the nearest, the k nearest, all within a radius
 *    10  registration                clump_icp: one cloud laid onto another
 *    11  what the last call did      stage times, counts, memory
 *    12  devices                     what can run here
 *
 * Rules that hold everywhere:
 *   - The same input and parameters give the same labels, bit for bit, for every exact method,
 *     every backend, any number of threads, every run.
 *   - The library never prints, never exits, keeps no global state and leaves no thread behind.
 *   - Every distance and radius that goes in is plain, in the unit of the coordinates, never squared. Distances that
 *     come out of an index are squared, and their names say so.
 *   - Buffers belong to the caller. Inputs are never written to.
 *   - Once a context has seen a cloud of some size, a call of the same kind allocates nothing.
 */
#ifndef CLUMP_CLUMP_H
#define CLUMP_CLUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define CLUMP_API
#else
#define CLUMP_API __attribute__((visibility("default")))
#endif

/* ===== 1. version and status ================================================================ */

#define CLUMP_VERSION_MAJOR 0
#define CLUMP_VERSION_MINOR 1
#define CLUMP_VERSION_PATCH 0

/* Version of the library that was linked, "0.1.0"; the macros tell what was compiled against. */
CLUMP_API const char *clump_version(void);

/* 0 is success. Values below 100 never change their meaning. */
#define CLUMP_STATUS_LIST(X)                                                                                           \
    X(CLUMP_OK, 0, "done")                                                                                             \
    X(CLUMP_ERR_INTERNAL, 1, "internal error, please report it")                                                       \
    X(CLUMP_ERR_CANCELLED, 2, "cancelled by the caller")                                                               \
    X(CLUMP_ERR_ARGUMENT, 10, "an argument is null or out of range")                                                   \
    X(CLUMP_ERR_OPTIONS, 11, "the options were not made by their _defaults() function")                                \
    X(CLUMP_ERR_MEMORY_KIND, 12, "a buffer is in a memory this backend cannot use")                                    \
    X(CLUMP_ERR_TOO_MANY, 13, "more than 2147483647 points in one call")                                               \
    X(CLUMP_ERR_OUT_OF_MEMORY, 20, "memory could not be allocated")                                                    \
    X(CLUMP_ERR_NO_DEVICE, 30, "no such device, or no usable one")                                                     \
    X(CLUMP_ERR_UNSUPPORTED, 31, "this backend does not have that method")                                             \
    X(CLUMP_ERR_DEVICE, 32, "a device call failed")                                                                    \
    X(CLUMP_ERR_IO_OPEN, 40, "the file cannot be opened")                                                              \
    X(CLUMP_ERR_IO_READ, 41, "the file cannot be read")                                                                \
    X(CLUMP_ERR_IO_WRITE, 42, "the file cannot be written")                                                            \
    X(CLUMP_ERR_IO_FORMAT, 43, "the file is not what its format demands")                                              \
    X(CLUMP_ERR_IO_TRUNCATED, 44, "the file ends too early")                                                           \
    X(CLUMP_ERR_IO_UNSUPPORTED, 45, "the file uses a feature that is not supported")

#define CLUMP_STATUS_ENUM(name, value, text) name = value,
typedef enum clump_status { CLUMP_STATUS_LIST(CLUMP_STATUS_ENUM) CLUMP_STATUS_MAX = 0x7fffffff } clump_status;
#undef CLUMP_STATUS_ENUM

/* A short text for any value, also for one that is not in the list. Never null. */
CLUMP_API const char *clump_status_text(clump_status status);

/* Functions that have no context to keep a sentence in (files, synthetic clouds, the creation of a context) write it here.
 * Wherever one is asked for, null means "the status is enough for me". */
typedef struct clump_message {
    char text[512];
} clump_message;

/* ===== 2. points and labels ================================================================== */

typedef enum clump_place {
    CLUMP_PLACE_HOST = 0,  /* ordinary memory */
    CLUMP_PLACE_DEVICE = 1 /* memory of the context's CUDA device */
} clump_place;

/* A borrowed view of the caller's points; nothing is copied or kept after the call.
 * A zeroed struct is a valid, empty cloud. Any number of points up to 2^31 - 1.
 *
 * In host memory, what a call writes (labels, indices, clusters ...) must be aligned to its type and must not overlap the
 * points, the mask or other outputs; a call that is given such memory fails and writes nothing. */
typedef struct clump_points {
    const float *xyz;  /* x, y, z of point 0; may be null only when count is 0 */
    size_t count;      /* number of points */
    size_t stride;     /* bytes from one point to the next: a multiple of 4, at least 12; 0 means 12 */
    clump_place place; /* where xyz lies */
} clump_points;

/* A label is an int32_t, one a point, in the order of the input. Clusters are numbered from 0. */
#define CLUMP_NOISE  (-1) /* in no cluster; also every point that is masked out or not finite */
#define CLUMP_GROUND (-2) /* ground, where a method removes it */

/* How clusters are numbered. */
typedef enum clump_order {
    CLUMP_ORDER_INDEX = 0, /* by their smallest point index */
    CLUMP_ORDER_SIZE = 1   /* largest first, equal sizes by smallest point index (PCL's order); dbscan: core point */
} clump_order;

/* ===== 3. context ============================================================================ */

/* Scratch memory, worker threads, device and the text of the last error. Use one context per
 * thread; two threads may not call with the same context at once. Reusing one changes no result.
 *
 * Worker threads belong to the context. They start with the first call that needs them, sleep between calls, and end with
 * clump_context_trim or clump_context_destroy. They are named "clump", have 1 MiB of stack and block all signals. Where
 * the system gives fewer threads than the context may use, calls run with fewer; clump_stats.threads says how many.
 *
 * After fork() the child may use and destroy an inherited context, also with several threads, unless another thread of
 * the parent was inside a call on it. (CUDA itself does not work in a child of a process that has used it.) */
typedef struct clump_context clump_context;

typedef enum clump_backend {
    CLUMP_BACKEND_AUTO = 0, /* CUDA where it is there and worth it, else the CPU */
    CLUMP_BACKEND_CPU = 1,
    CLUMP_BACKEND_CUDA = 2
} clump_backend;

/* Your memory instead of malloc's. Must be safe to call from the thread that uses the context. */
typedef struct clump_allocator {
    void *(*allocate)(size_t size, size_t alignment, void *user); /* null when there is none left */
    void (*release)(void *memory, size_t size, void *user);
    void *user;
} clump_allocator;

typedef enum clump_log_level {
    CLUMP_LOG_INFO = 0,   /* which backend is used and why */
    CLUMP_LOG_WARNING = 1 /* done, but not as asked */
} clump_log_level;

/* Called, when set, with one line of text without a newline. */
typedef void clump_log(clump_log_level level, const char *message, void *user);

typedef struct clump_context_options {
    uint32_t cookie;           /* set by clump_context_defaults(), do not touch */
    clump_backend backend;     /* CLUMP_BACKEND_AUTO */
    int device;                /* CUDA ordinal; 0 */
    int threads;               /* CPU threads a call may use; 1 = only the caller's; 0 = as many as processors that the
                                * process may run on */
    clump_allocator allocator; /* zeroed = malloc */
    clump_log *log;            /* null = silent */
    void *log_user;
    const volatile int *cancel; /* null, or an int that ends calls early, see below */
    clump_message *message;     /* null, or where clump_context_create writes one sentence if it fails; not kept */
} clump_context_options;

/* cancel: calls on the context poll *cancel. When it is not 0, the running call returns CLUMP_ERR_CANCELLED within some
 * milliseconds, and every later call returns it at once, until *cancel is 0 again. Labels and other outputs then hold
 * nothing useful; the context stays usable. The int must exist as long as the context. Another thread sets it by an atomic
 * store of any memory order (an atomic_int or std::atomic<int> may be passed by a cast of its address), a signal handler
 * as a volatile sig_atomic_t where that is an int. On a GPU, kernels that are already queued run to their end. */

CLUMP_API clump_context_options clump_context_defaults(void);

/* options may be null for the defaults. *out is null on failure; options->message says why. */
CLUMP_API clump_status clump_context_create(const clump_context_options *options, clump_context **out);

/* Ends the worker threads and frees everything. Null is fine. */
CLUMP_API void clump_context_destroy(clump_context *ctx);

/* One sentence on the last failure on this context, "" after a success. Valid until the next call. */
CLUMP_API const char *clump_context_error(const clump_context *ctx);

/* Takes the memory now that the `fast` methods, and clump_ground with its default options, could need for any cloud of
 * up to max_points, so that no later call of theirs allocates; what eps_per_metre needs besides is not in it. Optional:
 * buffers grow by themselves, and usually to less. */
CLUMP_API clump_status clump_context_reserve(clump_context *ctx, size_t max_points);

/* Gives scratch memory back to the allocator and ends the worker threads; the next call takes what it needs again. */
CLUMP_API void clump_context_trim(clump_context *ctx);

/* ===== 4. Euclidean clustering =============================================================== */

/* Two points are neighbours when they are closer than d; a cluster is a set of points joined by
 * neighbours, near and far. A point without neighbours is a cluster of one.
 *
 * "Closer" is float32 arithmetic and nothing else, so that every backend agrees on every pair:
 *     dx = ax - bx ...     (dx*dx + dy*dy) + dz*dz  <  d*d          each step rounded to float32
 * which is also what PCL computes with its default search tree. */
typedef enum clump_ec_method {
    CLUMP_EC_FAST = 0, /* ours: cells, bit masks and union-find; linear memory */
    CLUMP_EC_BFS = 1,  /* kd-tree and queue, the classical algorithm; CPU, one thread */

    /* The six of Nguyen et al. 2020, made for GPUs; on the CPU a plain statement, one thread. ES searches
     * neighbours among all points, RS in a grid. Memory grows with the neighbours, or as the square of
     * the labels; where that cannot be had, the call fails and says so. */
    CLUMP_EC_VERTEX_ES = 2, /* lists of neighbours; labels handed from point to point */
    CLUMP_EC_VERTEX_RS = 3, /* the same, range search */
    CLUMP_EC_EDGE_ES = 4,   /* list of edges; labels handed along edges */
    CLUMP_EC_EDGE_RS = 5,   /* the same, range search */
    CLUMP_EC_MATRIX_ES = 6, /* matrix of labels; labels merged block by block */
    CLUMP_EC_MATRIX_RS = 7  /* the same, range search */
} clump_ec_method;

typedef struct clump_ec_options {
    uint32_t cookie;        /* set by clump_ec_defaults(), do not touch */
    clump_ec_method method; /* CLUMP_EC_FAST */
    clump_order order;      /* CLUMP_ORDER_INDEX */
    bool two_d;             /* false; true ignores z altogether, also one that is not finite */
    size_t min_size;        /* 1: clusters with fewer points become noise, the rest are renumbered */
    size_t max_size;        /* 0 = no limit: clusters with more points become noise. Else below min_size is an error */
    const uint8_t *mask;    /* null, or one byte a point, in the place of the points: 0 leaves it out */
    int32_t *clusters_on_device; /* null, or device memory for the number of clusters (clump/cuda.h) */
    float eps_per_metre;         /* 0; above 0 the distance grows with the range, see below; CLUMP_EC_FAST only */
    float sensor[3];             /* 0, 0, 0: where ranges are measured from, in the coordinates of the points */
} clump_ec_options;

/* A cloud thins out with the distance from the sensor. With eps_per_metre every point has a radius, and two points
 * are neighbours when they are closer than the smaller of theirs:
 *     radius = max(d, eps_per_metre * range)       range = sqrt((dx*dx + dy*dy) + dz*dz), from the sensor
 *     d2 < the smaller radius * radius             each step rounded to float32; in 2-D mode no dz
 * so that it makes no difference which of the two is asked, and there is no border at which objects are cut. */

CLUMP_API clump_ec_options clump_ec_defaults(void);

/* Name of a method as the program spells it ("fast"), null for a value that is none; and back. */
CLUMP_API const char *clump_ec_method_name(clump_ec_method method);
CLUMP_API bool clump_ec_method_from_name(const char *name, clump_ec_method *method);

/* points         never written to
 * d              the distance, > 0, with a square that is a normal float32 (about 1.1e-19 ... 1.8e19)
 * options        may be null for the defaults
 * labels         count entries, in the place of the points
 * cluster_count  may be null; number of clusters that remain. With points on the device, null lets `fast`
 *                return before the GPU is done (clump/cuda.h)
 *
 * On failure labels and *cluster_count hold nothing useful and the context stays usable. */
CLUMP_API clump_status clump_ec(clump_context *ctx, clump_points points, float d, const clump_ec_options *options,
                                int32_t *labels, int32_t *cluster_count);

/* ===== 5. density clustering ================================================================= */

/* A point is a core point when at least min_points points lie within eps of it, itself counted. Core points within
 * eps of each other belong together, transitively. A point that is no core point but within eps of one is a border
 * point: of the adjacent clusters it joins the one with the smallest number. All others are noise.
 *
 * "Within" is float32 arithmetic as in clump_ec, but d*d <= eps*eps: scikit-learn's. Labels are scikit-learn's
 * element by element, except where its float64 and float32 disagree on a pair that is at almost exactly eps.
 * Clusters are numbered by their smallest core point. */
typedef enum clump_dbscan_method {
    CLUMP_DBSCAN_FAST = 0,         /* ours: cells; memory linear in the points, whatever their neighbours */
    CLUMP_DBSCAN_SEQUENTIAL = 1,   /* the textbook: kd-tree and queue; one thread */
    CLUMP_DBSCAN_DISJOINT_SET = 2, /* kd-tree, Rem's union-find, threads: Ky and Beach 2024 after Patwary et al. */
    CLUMP_DBSCAN_DCLUST = 3        /* CUDA-DClust+: chains of seeds, collisions merged; on the CPU a plain statement */
} clump_dbscan_method;

typedef struct clump_dbscan_options {
    uint32_t cookie;             /* set by clump_dbscan_defaults(), do not touch */
    clump_dbscan_method method;  /* CLUMP_DBSCAN_FAST */
    clump_order order;           /* CLUMP_ORDER_INDEX: by smallest core point */
    bool two_d;                  /* false; true ignores z altogether, also one that is not finite */
    bool no_border_points;       /* false; true: border points are noise (DBSCAN*) */
    size_t min_size;             /* 1: clusters with fewer points, border points counted, become noise */
    size_t max_size;             /* 0 = no limit. Else below min_size is an error */
    const uint8_t *mask;         /* null, or one byte a point, in the place of the points: 0 leaves it out */
    uint8_t *core;               /* null, or one byte a point, in the place of the points: 1 for core points, else 0.
                                  * May not overlap the mask */
    int32_t *clusters_on_device; /* null, or device memory for the number of clusters (clump/cuda.h) */
    float eps_per_metre;         /* 0; above 0 eps grows with the range, as in clump_ec; CLUMP_DBSCAN_FAST only */
    float sensor[3];             /* 0, 0, 0: where ranges are measured from */
} clump_dbscan_options;

CLUMP_API clump_dbscan_options clump_dbscan_defaults(void);

/* Name of a method as the program spells it ("disjoint-set"), null for a value that is none; and back. */
CLUMP_API const char *clump_dbscan_method_name(clump_dbscan_method method);
CLUMP_API bool clump_dbscan_method_from_name(const char *name, clump_dbscan_method *method);

/* eps            the radius, > 0, with a square that is a normal float32
 * min_points     at least 1; more than there are points is fine: all are noise
 * The rest is as in clump_ec. */
CLUMP_API clump_status clump_dbscan(clump_context *ctx, clump_points points, float eps, size_t min_points,
                                    const clump_dbscan_options *options, int32_t *labels, int32_t *cluster_count);

/* ===== 6. ground ============================================================================= */

/* Which points are ground. Lengths are metres. The points are seen from the sensor, in a square map around it; beyond
 * the map there is no ground. docs/ground.md says how the surface is found, to the last bit. */
typedef enum clump_ground_method {
    CLUMP_GROUND_PEAK = 0, /* one level, the peak of the histogram of heights (Tian et al. 2020): flat ground */
    CLUMP_GROUND_GRID = 1, /* a surface from the lowest points of each tile of the map, limited in slope */
    CLUMP_GROUND_NONE = 2  /* no point is ground */
} clump_ground_method;

typedef enum clump_up {
    CLUMP_UP_Z = 0, /* heights are z, the map is x and y */
    CLUMP_UP_Y = 1  /* heights are y, the map is x and z */
} clump_up;

typedef struct clump_ground_options {
    uint32_t cookie;            /* set by clump_ground_defaults(), do not touch */
    clump_ground_method method; /* CLUMP_GROUND_GRID */
    float sigma;                /* 0.2: ground is what is lower than this above the surface; peak: within this of it */
    clump_up up;                /* CLUMP_UP_Z */
    bool flip;                  /* false; true: up is the other way, the sensor hangs upside down */
    float sensor[3];            /* 0, 0, 0: where the sensor is */
    float sensor_height;        /* 0: found out; else how high the sensor is above the ground below it */
    float window;               /* 1: how far from a given sensor_height the ground may be (grid: besides its slope) */
    float extent;               /* 160: side of the map, rounded up to whole tiles */
    float tile;                 /* 2: side of a tile */
    float slope;                /* 0.2: steepest rise of the ground that is believed, height by distance (grid) */
    float bin;                  /* 0.1: height of a bin of the histogram (peak) */
    const uint8_t *mask;        /* null, or one byte a point, in the place of the points: 0 leaves it out */
} clump_ground_options;

#define CLUMP_GROUND_SIDE 1024 /* most tiles along a side of the map */

CLUMP_API clump_ground_options clump_ground_defaults(void);

/* Name of a method as the program spells it ("grid"), null for a value that is none; and back. */
CLUMP_API const char *clump_ground_method_name(clump_ground_method method);
CLUMP_API bool clump_ground_method_from_name(const char *name, clump_ground_method *method);

/* labels        CLUMP_GROUND, or CLUMP_NOISE for all else: points above the ground, outside the map, masked out or not
 *               finite; to cluster the rest, use (label != CLUMP_GROUND) as mask
 * ground_count  may be null; how many are ground
 * The rest is as in clump_ec. */
CLUMP_API clump_status clump_ground(clump_context *ctx, clump_points points, const clump_ground_options *options,
                                    int32_t *labels, size_t *ground_count);

/* ===== 7. obstacles ========================================================================== */

/* Ground is removed, the rest is seen from above: a square map around the sensor, cut into cells, each with the height
 * of its highest and of its lowest point that is not ground. Two such cells c, c' belong together when they are at most
 * `reach` rows and columns apart and alike enough,
 *     E = alpha * exp(-distance of the cells) + (1 - alpha) * exp(-dh)  >=  tau,      dh = |max - max'| + |min - min'|
 * and an obstacle is a set of cells joined so, near and far: elevation-reference connected component labelling, Tian et
 * al. 2020. Distances and heights are in metres there; in another unit alpha and tau mean something else.
 *
 * A point is in row floor((x - x0) / cell) and column floor((y - y0) / cell), float32 each step, where (x0, y0) is the
 * corner of the map, the sensor minus half of its side. E is not computed for pairs: for each offset of two cells the
 * largest dh that satisfies it is, in double, once; rounded to float32, that is what dh is compared with. */
typedef enum clump_erccl_method {
    CLUMP_ERCCL_FAST = 0,   /* ours: union-find over the cells that are occupied */
    CLUMP_ERCCL_SERIAL = 1, /* the paper's for CPUs: sweeps over the map until nothing changes; one thread */
    CLUMP_ERCCL_RACING = 2, /* the paper's for GPUs: all cells at once, races and all; on the CPU a plain statement */
    CLUMP_ERCCL_INDEPENDENT = 3, /* the paper's without races: a map for each place in a neighbourhood; likewise */
    CLUMP_ERCCL_CCL = 4,         /* other labels: all cells within reach belong together, whatever their heights */
    CLUMP_ERCCL_HASH =
        5 /* other labels: cells in a hash table, together when `reach` cells or less apart; one thread */
} clump_erccl_method;

/* What the cells hold, for callers who want it. Each is null or has side * side entries, side = clump_erccl_side():
 * row i, column j at [i * side + j], in the place of the points. */
typedef struct clump_erccl_maps {
    uint8_t *obstacle; /* 1 where a point is that is not ground, else 0 */
    float *lowest;     /* height of the lowest such point; NaN where none is */
    float *highest;    /* of the highest */
    float *ground;     /* height of the ground at the middle of the cell; NaN where it is not known */
    int32_t *labels;   /* the cell's obstacle; CLUMP_GROUND where there is only ground, CLUMP_NOISE for all else */
} clump_erccl_maps;

typedef struct clump_erccl_options {
    uint32_t cookie;             /* set by clump_erccl_defaults(), do not touch */
    clump_erccl_method method;   /* CLUMP_ERCCL_FAST */
    clump_order order;           /* CLUMP_ORDER_INDEX */
    float cell;                  /* 0.05: side of a cell */
    float extent;                /* 40: side of the map, rounded up to whole cells; at most CLUMP_ERCCL_SIDE of them */
    int reach;                   /* 5: rows and columns that two cells may be apart, 1 ... CLUMP_ERCCL_REACH */
    float alpha;                 /* 0.7: weight of the distance, 0 ... 1 */
    float tau;                   /* 0.75: how alike two cells must be; above 1 none are */
    float beta;                  /* 0; else tau is beta * exp(-reach), as in the paper */
    size_t min_size;             /* 1: obstacles with fewer points become noise, the rest are renumbered */
    size_t max_size;             /* 0 = no limit. Else below min_size is an error */
    const uint8_t *mask;         /* null, or one byte a point, in the place of the points: 0 leaves it out */
    clump_ground_options ground; /* what is ground, which way is up, where the sensor is; its mask does not count */
    clump_erccl_maps maps;       /* zeroed: none */
    int32_t *clusters_on_device; /* null, or device memory for the number of clusters (clump/cuda.h) */
} clump_erccl_options;

#define CLUMP_ERCCL_SIDE  32768
#define CLUMP_ERCCL_REACH 64

CLUMP_API clump_erccl_options clump_erccl_defaults(void);

/* Name of a method as the program spells it ("racing"), null for a value that is none; and back. */
CLUMP_API const char *clump_erccl_method_name(clump_erccl_method method);
CLUMP_API bool clump_erccl_method_from_name(const char *name, clump_erccl_method *method);

/* Rows, and columns, of the map; 0 where clump_erccl would refuse it. */
CLUMP_API size_t clump_erccl_side(const clump_erccl_options *options);

/* labels  0, 1, 2 ... for obstacles, numbered by their smallest point index; CLUMP_GROUND; CLUMP_NOISE for the rest:
 *         points outside the map, not finite, masked out, or of an obstacle outside the size limits
 * The rest is as in clump_ec. */
CLUMP_API clump_status clump_erccl(clump_context *ctx, clump_points points, const clump_erccl_options *options,
                                   int32_t *labels, int32_t *cluster_count);

/* ===== 8. after clustering =================================================================== */

/* One cluster, as clump_describe() finds it. The same on every backend. */
typedef struct clump_cluster {
    int32_t label;
    int32_t count;     /* number of points */
    float centroid[3]; /* mean of the points */
    float lower[3];    /* axis-aligned box */
    float upper[3];
    float box_center[2]; /* yaw-oriented box: rectangle of least area around the points' x and y */
    float box_size[2];   /* its extent along yaw and across it; either can be the larger one */
    float yaw;           /* degrees from the x axis, [0, 90) */
} clump_cluster;

/* Counts, centroids and boxes of clusters 0 ... cluster_count - 1. Host memory.
 * labels    points.count entries, each below cluster_count; CLUMP_NOISE and CLUMP_GROUND are left out
 * clusters  cluster_count entries; a label no point has gives a zeroed entry with that label
 * With labels of clump_ec in 2-D mode, z that is not finite is left out of the z extent. */
CLUMP_API clump_status clump_describe(clump_context *ctx, clump_points points, const int32_t *labels,
                                      int32_t cluster_count, clump_cluster *clusters);

/* The points of each cluster, ascending, as PCL's PointIndices. Host memory.
 * offsets  cluster_count + 1 entries: cluster c owns members[offsets[c]] ... members[offsets[c+1] - 1]
 * members  as many entries as there are labels >= 0 (count is always enough) */
CLUMP_API clump_status clump_group(clump_context *ctx, const int32_t *labels, size_t count, int32_t cluster_count,
                                   int32_t *offsets, int32_t *members);

/* XXH64 (seed 0) of the labels as little-endian int32: two labellings agree when their hashes do. */
CLUMP_API uint64_t clump_labels_hash(const int32_t *labels, size_t count);

/* ===== 9. nearest neighbours ================================================================= */

/* An index of reference points, made once and asked often:
 *
 *     clump_index *index;
 *     clump_index_create(ctx, reference, NULL, &index);
 *     clump_index_nearest(ctx, index, queries, INFINITY, indices, distances_squared);
 *     clump_index_destroy(index);
 *
 * It keeps a copy of the points and does not change until it is built anew: any number of threads may ask it at the
 * same time, each with a context of its own. What a query writes, and offsets, lie in the place of its queries; with
 * queries on the device see clump/cuda.h.
 *
 * Distances are computed as in clump_ec, and a point is within a distance when d*d of the pair <= distance*distance,
 * each step rounded to float32. Of points as near as each other the one with the smaller index is the nearer one, so
 * that all exact methods and backends give the same indices. A point with a coordinate that is not finite is
 * nobody's neighbour and has none. */
typedef struct clump_index clump_index;

typedef enum clump_nn_method {
    CLUMP_NN_FAST = 0,   /* ours: boxes of eight, queries in packs */
    CLUMP_NN_KDTREE = 1, /* kd-tree, one query at a time, the classical method; built by one thread */
    CLUMP_NN_BRUTE = 2,  /* every query against every point */

    /* Approximate: reference points in partitions by azimuth around the origin, a query compared with those of its
     * own. For scans of a turning sensor, in the sensor's frame. After the paper on Velodyne point clouds. */
    CLUMP_NN_AZIMUTH = 3,

    /* The paper's other two, CUDA only: every query against every point. */
    CLUMP_NN_PER_QUERY = 4, /* a launch a query */
    CLUMP_NN_BATCH = 5      /* queries looped over inside the kernel */
} clump_nn_method;

typedef struct clump_index_options {
    uint32_t cookie;        /* set by clump_index_defaults(), do not touch */
    clump_nn_method method; /* CLUMP_NN_FAST */
    int partitions;         /* azimuth: 300; at least 1 */
    int window;             /* azimuth: 0; partitions on either side that are searched as well */
} clump_index_options;

CLUMP_API clump_index_options clump_index_defaults(void);

/* Name of a method as the program spells it ("kdtree"), null for a value that is none; and back. */
CLUMP_API const char *clump_nn_method_name(clump_nn_method method);
CLUMP_API bool clump_nn_method_from_name(const char *name, clump_nn_method *method);

/* options may be null for the defaults. *out is null on failure. Memory is taken from the context's allocator, and
 * given back to it by clump_index_destroy, also after the end of the context. */
CLUMP_API clump_status clump_index_create(clump_context *ctx, clump_points points, const clump_index_options *options,
                                          clump_index **out);

/* Other points, the same options, the same memory where it is enough. Nobody may ask the index meanwhile. After a
 * failure it has no points. */
CLUMP_API clump_status clump_index_rebuild(clump_context *ctx, clump_index *index, clump_points points);

/* Null is fine. */
CLUMP_API void clump_index_destroy(clump_index *index);

/* Bytes the index holds, on the host and on the device. */
CLUMP_API size_t clump_index_bytes(const clump_index *index);

/* The nearest point of every query.
 * max_distance       0 or more: points farther away are none; INFINITY for no limit, 0 finds points that coincide
 * indices            one a query: index of the reference point, -1 where there is none
 * distances_squared  may be null; one a query, INFINITY where there is none */
CLUMP_API clump_status clump_index_nearest(clump_context *ctx, const clump_index *index, clump_points queries,
                                           float max_distance, int32_t *indices, float *distances_squared);

/* The k nearest of every query, 1 <= k <= CLUMP_NN_MAX_K, nearest first. Both arrays have k entries a query; those
 * that there are no points for are -1 and INFINITY. */
#define CLUMP_NN_MAX_K 128
CLUMP_API clump_status clump_index_knn(clump_context *ctx, const clump_index *index, clump_points queries, int k,
                                       float max_distance, int32_t *indices, float *distances_squared);

/* All points within a radius, in two steps, as their number is known only after the first: count, make room for
 * offsets[queries.count] neighbours, fill.
 * offsets   queries.count + 1 entries: query i has neighbours offsets[i] ... offsets[i + 1] - 1, by ascending index
 * radius    as max_distance; the same in both calls, with the same queries and index */
CLUMP_API clump_status clump_index_radius_count(clump_context *ctx, const clump_index *index, clump_points queries,
                                                float radius, int64_t *offsets);
CLUMP_API clump_status clump_index_radius_fill(clump_context *ctx, const clump_index *index, clump_points queries,
                                               float radius, const int64_t *offsets, int32_t *indices,
                                               float *distances_squared);

/* ===== 10. registration ====================================================================== */

/* Iterative closest point: finds the rigid motion that lays the source onto the target. In turn, each source point is
 * paired with the nearest target point, and the motion that brings the pairs together best is applied, until it is
 * next to nothing. It finds the nearest good fit, so the clouds must be about in place: consecutive scans, or an
 * initial guess. */
typedef enum clump_icp_method {
    CLUMP_ICP_POINT = 0, /* least squares of the distances of the pairs */
    CLUMP_ICP_PLANE =
        1 /* of the distances to the target's surface at the pairs: fewer iterations on walls and ground */
} clump_icp_method;

typedef struct clump_icp_options {
    uint32_t cookie;         /* set by clump_icp_defaults(), do not touch */
    clump_icp_method method; /* CLUMP_ICP_POINT */
    int max_iterations;      /* 100 */
    float max_distance;      /* INFINITY: pairs farther apart do not count; more than 0 */
    double keep;             /* 1: share of the pairs that count, nearest first; more than 0. Less is trimmed ICP */
    double tolerance;        /* 1e-4: an iteration that moves the middle of the target by less, in the unit of the
                               * coordinates, and turns by less, in radians, is the last one */
    int normal_neighbours;   /* 10: target points that make a surface, for CLUMP_ICP_PLANE; 3 ... CLUMP_NN_MAX_K */
    const double *initial;   /* null, or where to begin: 16 numbers as in the result */
} clump_icp_options;

typedef struct clump_icp_result {
    double transform[16]; /* 4 x 4, row after row: p -> transform * (p, 1) takes source to target */
    double fitness;       /* share of the finite source points that have a target point within max_distance */
    double rmse;          /* root mean square distance of the pairs that count */
    int iterations;
    bool converged; /* the last iteration was within the tolerance */
} clump_icp_result;

CLUMP_API clump_icp_options clump_icp_defaults(void);

/* Host memory. Points that are not finite take no part. Where fewer than three pairs are left the motion is not
 * determined: then converged is false, and the transform the one so far. The same on any number of threads and on a GPU,
 * bit for bit. clump_context_stats: build_ms is index and normals, query_ms the search of pairs (on a GPU, where nothing
 * is trimmed, all that an iteration does there), passes the iterations. */
CLUMP_API clump_status clump_icp(clump_context *ctx, clump_points target, clump_points source,
                                 const clump_icp_options *options, clump_icp_result *result);

/* ===== 11. what the last call did ============================================================ */

typedef struct clump_stats {
    clump_backend backend; /* what ran */
    const char *method;    /* "fast"; a constant string */
    char reason[128];      /* why this backend, "no CUDA device" */
    int threads;           /* CPU threads used: fewer than allowed where more do not pay, or the system gives no more */
    int64_t passes;        /* iterations, for methods that iterate (matrix-*: UPDATEs); else 1 */
    double upload_ms;      /* stages, milliseconds */
    double build_ms;       /* the search structure */
    double cluster_ms;     /* joining */
    double label_ms;       /* canonical numbers; on the CPU also size limits and order */
    double download_ms;
    size_t points, finite; /* points given; points whose used coordinates are all finite */
    size_t masked, noise;  /* points left out by the caller's mask; points labelled CLUMP_NOISE */
    size_t ground;         /* points labelled CLUMP_GROUND */
    float ground_level;    /* CLUMP_GROUND_PEAK: height of the ground above the sensor, negative where it is below;
                            * NaN where the call looked for no level, found none, or returned before it was known */
    int32_t clusters;      /* -1: the call returned before it was known (clump/cuda.h) */
    size_t host_bytes;     /* scratch memory the context holds now */
    size_t device_bytes;   /* the same on the GPU: calls only ever add to it, so also the most it has held */
    size_t queries;        /* of a call on an index; then points and finite are those of the index */
    double query_ms;       /* the time it took */
} clump_stats;

/* How busy each thread was in the last clustering call that succeeded, as a share of its time, 0 to 1: for methods
 * that say so (CLUMP_DBSCAN_DISJOINT_SET; CLUMP_DBSCAN_DCLUST on a GPU, for each of its blocks of threads). Null and 0
 * for the others, and after a call that failed. Valid until the next call. */
CLUMP_API const float *clump_context_load(const clump_context *ctx, int *count);

/* Of the last clustering call, or call on an index, that succeeded on this context; zeroed before the first. */
CLUMP_API clump_stats clump_context_stats(const clump_context *ctx);

/* ===== 12. devices =========================================================================== */

typedef struct clump_device_info {
    clump_backend backend;
    int device; /* ordinal within the backend */
    char name[96];
    int units;           /* CPU cores, or multiprocessors */
    size_t memory_total; /* bytes */
    size_t memory_free;  /* bytes */
} clump_device_info;

/* Entry 0 is always the CPU. */
CLUMP_API int clump_device_count(void);
CLUMP_API clump_status clump_device_query(int index, clump_device_info *out);

/* Why this backend has no device here, "no CUDA device"; null where it has one. A constant text. */
CLUMP_API const char *clump_device_absence(clump_backend backend);

#ifdef __cplusplus
}
#endif
#endif
