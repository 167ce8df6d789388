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
 * Most programs need no more than that. my_labels[i] is the cluster of point i: 0, 1, 2 ..., or CLUMP_NOISE. The
 * sections of this file:
 *
 *     1  version and status          what a call returns
 *     2  points and labels           what goes in, what comes out
 *     3  context                     memory, threads, device: create one per thread and keep it
 *     4  Euclidean clustering        clump_ec
 *     5  density clustering          clump_dbscan
 *     6  ground                      clump_ground: which points are ground
 *     7  obstacles                   clump_erccl: removes the ground, clusters the cells of an elevation map
 *     8  objects                     clump_objects: removes the ground, cuts a tree of clusters where the sizes fit
 *     9  after clustering            boxes, member lists, a hash of the labels
 *    10  from scan to boxes          clump_detect: ground, clusters and boxes in one call
 *
 * Other headers:
 *
 *     info.h             what the last call did, devices, names of methods
 *     index.h track.h    nearest neighbours and registration; objects over time
 *     tree.h             the clusters of all distances at once; HDBSCAN
 *     classes.h          clusters per class, for points with semantic labels
 *     batch.h cuda.h     many clouds in one call; clouds on a GPU
 *     joint.h big.h      clouds in pieces; clouds larger than memory
 *     io.h reader.h      files and recordings; files block by block
 *     sim.h              synthetic clouds
 *     papers.h           what only methods of the papers have
 *     options.h          all options as rows of tables, for bindings
 *
 * Rules that hold everywhere:
 *   - Equal input and parameters give equal labels, bit for bit: for every exact method, every backend, any number of
 *     threads, every run.
 *   - The library never prints, never exits, and keeps no global state. No thread outlives its context.
 *   - Distances and radii as input are in the unit of the coordinates, never squared. Distances as output of an index
 *     are squared, as their names say.
 *   - Buffers belong to the caller. Inputs are never written to.
 *   - After one call on a cloud, a call of the same kind on a cloud of that size allocates nothing. (With threads = 0 a
 *     later call may use another number of threads, and may then allocate once; clump_context_reserve prevents it.)
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

/* Returns the version of the linked library, "0.1.0". The macros are the version of this header. */
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

/* Returns a short text for any value, also for one that is not in the list. Never null. */
CLUMP_API const char *clump_status_text(clump_status status);

/* The error message, one sentence, of functions without a context. It may be null; then there is only the status. */
typedef struct clump_message {
    char text[512];
} clump_message;

/* ===== 2. points and labels ================================================================== */

typedef enum clump_place {
    CLUMP_PLACE_HOST = 0,  /* ordinary memory */
    CLUMP_PLACE_DEVICE = 1 /* memory of the context's CUDA device */
} clump_place;

/* A view of the caller's points. The library keeps no reference to them after the call. A zeroed struct is a valid,
 * empty cloud. At most 2^31 - 1 points.
 *
 * In host memory, the outputs of a call (labels, indices, clusters, cluster_count ...) must be aligned to their type and
 * must not overlap the points, the mask or each other. Otherwise the call fails and writes nothing. */
typedef struct clump_points {
    const float *xyz;  /* x, y, z of point 0; may be null only when count is 0 */
    size_t count;      /* number of points */
    size_t stride;     /* bytes between the starts of two points: a multiple of 4, at least 12; 0 means 12 */
    clump_place place; /* the memory that xyz is in */
} clump_points;

/* Labels are int32_t, one per point, in the order of the input. Clusters are numbered from 0. */
#define CLUMP_NOISE  (-1) /* in no cluster; also every point that is masked out or not finite */
#define CLUMP_GROUND (-2) /* ground: clump_ground, clump_erccl, clump_objects and clump_detect */

/* The order in which clusters are numbered. For clump_dbscan, read "core point" for "point". */
typedef enum clump_order {
    CLUMP_ORDER_INDEX = 0, /* by their smallest point index */
    CLUMP_ORDER_SIZE = 1   /* largest first, equal sizes by smallest point index; PCL's order */
} clump_order;

/* What all clusterings have. */
typedef struct clump_clustering {
    clump_order order;   /* CLUMP_ORDER_INDEX */
    bool two_d;          /* false; true ignores z, also a z that is not finite; clump_ec and clump_dbscan */
    size_t min_size;     /* 1: clusters with fewer points become noise, the others are renumbered. clump_objects
                                  * and clump_detect: 10 */
    size_t max_size;     /* 0 = no limit; clusters with more points become noise. 1 ... min_size - 1 is an error */
    const uint8_t *mask; /* null, or one byte per point, in the place of the points: 0 leaves the point out */
    float eps_per_metre; /* 0; above 0 the distance grows with the range (section 4); method fast of clump_ec and
                                  * clump_dbscan. clump_objects: 0.0175 */
    float sensor[3];     /* 0, 0, 0: origin of the ranges, in the coordinates of the points. clump_erccl and
                                  * clump_objects have it in `ground` */
    int32_t *clusters_on_device;         /* null, or device memory for the number of clusters (clump/cuda.h) */
    const struct clump_papers *papers;   /* null, or what only methods of the papers have (clump/papers.h) */
    const struct clump_classes *classes; /* null, or a class per point: clusters per class (clump/classes.h) */
} clump_clustering;

/* ===== 3. context ============================================================================ */

/* A context holds scratch memory, worker threads, the device and the last error message. Use one context per thread:
 * two threads must not use one context at the same time. Reusing a context changes no result.
 *
 * Worker threads belong to the context. They start with the first call that needs them, sleep between calls, and end in
 * clump_context_trim or clump_context_destroy. docs/threads.md has more on them, on priorities, containers and real time.
 *
 * After fork() the child may use and destroy an inherited context, also with several threads, unless another thread of
 * the parent was inside a call on it. (CUDA itself does not work in a child of a process that has used CUDA.) */
typedef struct clump_context clump_context;

typedef enum clump_backend {
    CLUMP_BACKEND_AUTO = 0, /* CUDA where a device is present and the cloud is large enough, else the CPU */
    CLUMP_BACKEND_CPU = 1,
    CLUMP_BACKEND_CUDA = 2
} clump_backend;

/* A memory allocator to use instead of malloc. The library calls it from the thread that uses the context. */
typedef struct clump_allocator {
    void *(*allocate)(size_t size, size_t alignment, void *user); /* null: out of memory */
    void (*release)(void *memory, size_t size, void *user);
    void *user;
} clump_allocator;

typedef enum clump_log_level {
    CLUMP_LOG_INFO = 0,   /* which backend is used and why */
    CLUMP_LOG_WARNING = 1 /* the call succeeded, but on another backend or with other threads than intended */
} clump_log_level;

/* The log callback: receives one line of text without a newline. */
typedef void clump_log(clump_log_level level, const char *message, void *user);

/* A task that the library gives to the caller's task system. */
typedef void clump_task(void *task_arg);

/* The caller's task system, used instead of worker threads. run() calls task(task_arg) `count` times, on any threads, at once
 * or one after the other; it may return before they have ended, and may drop some. The calling thread does what is left
 * and waits for the tasks that have begun. Every task that has begun must have returned before clump_context_destroy is
 * called, and none may begin after that. While run() waits for tasks, its thread must not run other jobs that use the
 * context. No exception may leave run(). docs/threads.md has the details, and examples for several task systems. */
typedef struct clump_task_system {
    void (*run)(int count, clump_task *task, void *task_arg, void *user); /* null: the context has worker threads */
    void *user;
} clump_task_system;

typedef struct clump_context_options {
    uint32_t cookie;           /* set by clump_context_defaults(), do not touch */
    clump_backend backend;     /* CLUMP_BACKEND_AUTO */
    int device;                /* CUDA ordinal; 0 */
    int threads;               /* CPU threads a call may use; 1 = only the caller's; 0 = as many as pay, see below; at
                                * most 256, larger values mean 256 */
    clump_allocator allocator; /* zeroed = malloc */
    clump_log *log;            /* null = silent */
    void *log_user;
    const volatile int *cancel; /* null, or an int that cancels calls, see below */
    clump_message *message;     /* null, or receives the message if clump_context_create fails; not kept */
    clump_task_system tasks;    /* zeroed, or the caller's task system */
    int worker_nice;            /* 0: added to the nice value of the workers, -39 ... 39; Linux */
    const int *worker_cores;    /* null, or numbers of the processors that the workers may run on; Linux. The array must
                                 * exist as long as the context */
    int worker_core_count;      /* entries of worker_cores, 0 ... 4096 */
    size_t device_limit;        /* 0: what is free; bytes of device memory that the context may use. clump_ec and
                                 * clump_dbscan (method fast, points in host memory) cluster larger clouds in pieces, with
                                 * the same labels */
} clump_context_options;

/* threads = 0: a call uses at most one thread per processor that the calling thread may run on, and no more than the CPU
 * quotas of its control groups allow. Within this limit the context measures how many threads pay for calls of each kind
 * and size. It uses fewer where other programs keep the processors busy. Labels do not depend on the number of threads. */

/* cancel: calls on the context poll *cancel. When it is not 0, the running call returns CLUMP_ERR_CANCELLED within some
 * milliseconds, and every later call at once, until *cancel is 0 again. Outputs of a cancelled call are undefined; the
 * context stays usable. The int must exist as long as the context. Another thread sets it with an atomic store: cast the
 * address of an atomic_int or std::atomic<int>; a signal handler as a volatile sig_atomic_t where that type is int. On a
 * GPU, kernels that are already queued run to their end. */

CLUMP_API clump_context_options clump_context_defaults(void);

/* Creates a context. options may be null for the defaults. On failure *out is null and options->message tells why. A wrong
 * value of the environment variable CLUMP_CPU_LEVEL (docs/install.md) is a failure, too. */
CLUMP_API clump_status clump_context_create(const clump_context_options *options, clump_context **out);

/* Ends the worker threads and frees all memory. ctx may be null. */
CLUMP_API void clump_context_destroy(clump_context *ctx);

/* Returns the message of the last failure on this context, one sentence; "" after a success. Valid until the next call. */
CLUMP_API const char *clump_context_error(const clump_context *ctx);

/* Allocates the memory that the `fast` methods need for any cloud of up to max_points points; likewise clump_ground and
 * clump_detect with default options. Later calls of them then allocate nothing. What eps_per_metre, classes and
 * clump_objects need in addition is not allocated. Optional: buffers grow when needed, usually to less. */
CLUMP_API clump_status clump_context_reserve(clump_context *ctx, size_t max_points);

/* Returns all scratch memory to the allocator and ends the worker threads. The next call allocates what it needs. */
CLUMP_API void clump_context_trim(clump_context *ctx);

/* ===== 4. Euclidean clustering =============================================================== */

/* Two points are neighbours when they are closer than d. A cluster is a connected component: points that are linked by
 * chains of neighbours. A point without neighbours is a cluster of one.
 *
 * "Closer" is defined in float32 arithmetic, so all backends agree on every pair:
 *     dx = ax - bx ...     (dx*dx + dy*dy) + dz*dz  <  d*d          each step rounded to float32
 * PCL computes the same with its default search tree. */
typedef enum clump_ec_method {
    CLUMP_EC_FAST = 0, /* clump's own: cells, bit masks and union-find; linear memory */
    CLUMP_EC_BFS = 1,  /* the classical algorithm: kd-tree and queue; CPU, one thread */

    /* The six methods of Nguyen et al. 2020, designed for GPUs; on the CPU plain code, one thread. ES (exhaustive
     * search) compares all pairs of points, RS (range search) uses a grid. Memory grows with the number of
     * neighbours (vertex, edge) or with the square of the number of labels (matrix). A call fails where this memory
     * is not available. */
    CLUMP_EC_VERTEX_ES = 2, /* lists of neighbours; labels propagate from point to point */
    CLUMP_EC_VERTEX_RS = 3, /* as vertex-es, range search */
    CLUMP_EC_EDGE_ES = 4,   /* list of edges; labels propagate along edges */
    CLUMP_EC_EDGE_RS = 5,   /* as edge-es, range search */
    CLUMP_EC_MATRIX_ES = 6, /* matrix of labels, merged tile by tile */
    CLUMP_EC_MATRIX_RS = 7  /* as matrix-es, range search */
} clump_ec_method;

typedef struct clump_ec_options {
    uint32_t cookie;         /* set by clump_ec_defaults(), do not touch */
    clump_ec_method method;  /* CLUMP_EC_FAST */
    clump_clustering common; /* what all clusterings have */
} clump_ec_options;

/* Clouds become sparse with the distance from the sensor. With eps_per_metre every point has a radius of its own. Two
 * points are neighbours when they are closer than the smaller of their radii:
 *     radius = max(d, eps_per_metre * range)       range = sqrt((dx*dx + dy*dy) + dz*dz), from the sensor
 *     d2 < the smaller radius * radius             each step rounded to float32; in 2-D mode no dz
 * The test is symmetric, and the radius has no steps at which objects would be cut. */

CLUMP_API clump_ec_options clump_ec_defaults(void);

/* Finds the Euclidean clusters of a cloud.
 * points         never written to
 * d              the distance, > 0; its square must be a normal float32 (about 1.1e-19 ... 1.8e19)
 * options        may be null for the defaults
 * labels         output: points.count entries, in the place of the points
 * cluster_count  output, may be null: number of clusters after the size limits. With points on the device, null lets
 *                `fast` return before the GPU is done (clump/cuda.h)
 *
 * On failure labels and *cluster_count are undefined; the context stays usable. */
CLUMP_API clump_status clump_ec(clump_context *ctx, clump_points points, float d, const clump_ec_options *options,
                                int32_t *labels, int32_t *cluster_count);

/* ===== 5. density clustering ================================================================= */

/* A point is a core point when at least min_points points, including itself, lie within eps of it. Core points within
 * eps of each other are in one cluster, transitively. A point that is not a core point but lies within eps of one is a
 * border point: it joins the adjacent cluster with the smallest number. All other points are noise.
 *
 * "Within" is float32 arithmetic as in clump_ec, but with <= instead of <, as in scikit-learn. Labels equal those of
 * scikit-learn, except where its float64 and float32 disagree on a pair at almost exactly eps. Clusters are numbered by
 * their smallest core point. */
typedef enum clump_dbscan_method {
    CLUMP_DBSCAN_FAST = 0,       /* clump's own: cells; memory is linear in the points, for any number of neighbours */
    CLUMP_DBSCAN_SEQUENTIAL = 1, /* the textbook algorithm: kd-tree and queue; one thread */
    CLUMP_DBSCAN_DISJOINT_SET = 2, /* kd-tree, Rem's union-find, threads: Ky and Beach 2024 after Patwary et al. */
    CLUMP_DBSCAN_DCLUST = 3        /* CUDA-DClust+: chains of seeds, collisions merged; on the CPU plain code */
} clump_dbscan_method;

typedef struct clump_dbscan_options {
    uint32_t cookie;            /* set by clump_dbscan_defaults(), do not touch */
    clump_dbscan_method method; /* CLUMP_DBSCAN_FAST */
    clump_clustering common;    /* clusters are numbered by their smallest core point; border points count in sizes */
    bool no_border_points;      /* false; true: border points are noise (DBSCAN*) */
    uint8_t *core;              /* output, may be null: one byte per point, in the place of the points, 1 for core
                                 * points, else 0. Must not overlap the mask */
} clump_dbscan_options;

CLUMP_API clump_dbscan_options clump_dbscan_defaults(void);

/* Finds the density clusters of a cloud.
 * eps         the radius, > 0; its square must be a normal float32
 * min_points  at least 1; if it exceeds the number of points, all points are noise
 * The other parameters are as in clump_ec. */
CLUMP_API clump_status clump_dbscan(clump_context *ctx, clump_points points, float eps, size_t min_points,
                                    const clump_dbscan_options *options, int32_t *labels, int32_t *cluster_count);

/* ===== 6. ground ============================================================================= */

/* Finds the points that are ground. Lengths are in metres. The ground is estimated in a square map around the sensor;
 * outside the map no point is ground. docs/ground.md defines the surface, bit for bit. */
typedef enum clump_ground_method {
    CLUMP_GROUND_PEAK = 0, /* one level: the peak of the histogram of heights (Tian et al. 2020); for flat ground */
    CLUMP_GROUND_GRID = 1, /* a surface of limited slope through the lowest points of each tile of the map */
    CLUMP_GROUND_NONE = 2  /* no point is ground */
} clump_ground_method;

typedef enum clump_up {
    CLUMP_UP_Z = 0, /* heights are z, the map is x and y */
    CLUMP_UP_Y = 1  /* heights are y, the map is x and z */
} clump_up;

typedef struct clump_ground_options {
    uint32_t cookie;            /* set by clump_ground_defaults(), do not touch */
    clump_ground_method method; /* CLUMP_GROUND_GRID */
    float sigma;         /* 0.2: tolerance. grid: points lower than this above the surface are ground; peak: points
                                 * within this of the level */
    clump_up up;         /* CLUMP_UP_Z */
    bool flip;           /* false; true: up is the negative direction, the sensor hangs upside down */
    float sensor[3];     /* 0, 0, 0: position of the sensor */
    float sensor_height; /* 0: estimated; else height of the sensor above the ground below it */
    float window;        /* 1: allowed error of a given sensor_height (grid: in addition to the slope) */
    float extent;        /* 160: side of the map, rounded up to whole tiles */
    float tile;          /* 2: side of a tile */
    float slope;         /* 0.2: largest slope of the ground, height per distance (grid) */
    float bin;           /* 0.1: height of a bin of the histogram (peak) */
    const uint8_t *mask; /* null, or one byte per point, in the place of the points: 0 leaves the point out */
    float *heights;      /* output, may be null: one per point, in the place of the points: height above the ground.
                          * NaN where the ground is not known: outside the map, for points that are masked out or not
                          * finite, and where there is no ground */
    bool step;           /* false; true: the step rule decides how thick the ground is, and sigma has no effect */
} clump_ground_options;

/* The step rule tells the feet of cars, people and walls from grass and kerbs by what stands above them: where the map has 3
 * points or more 0.35 to 2.0 metres above the surface, the ground is 0.10 thick, else 0.25 (docs/ground.md). */

#define CLUMP_GROUND_SIDE 1024 /* largest number of tiles along a side of the map */

CLUMP_API clump_ground_options clump_ground_defaults(void);

/* Labels the ground points of a cloud.
 * labels        output: CLUMP_GROUND, or CLUMP_NOISE for all other points: above the ground, outside the map, masked
 *               out or not finite. To cluster those, use (label != CLUMP_GROUND) as mask
 * ground_count  output, may be null: number of ground points
 * The other parameters are as in clump_ec. */
CLUMP_API clump_status clump_ground(clump_context *ctx, clump_points points, const clump_ground_options *options,
                                    int32_t *labels, size_t *ground_count);

/* ===== 7. obstacles ========================================================================== */

/* Elevation-reference connected component labelling, Tian et al. 2020. Ground points are removed. The others are
 * projected onto a map around the sensor. Each cell of the map has the heights of its highest and its lowest point
 * that is not ground. Two occupied cells c, c' are linked when they are at most `reach` rows and columns apart and similar
 * enough:
 *     E = alpha * exp(-distance of the cells) + (1 - alpha) * exp(-dh)  >=  tau,      dh = |max - max'| + |min - min'|
 * An obstacle is a connected component of linked cells. The formula is for metres. docs/results.md has every rounding. */
typedef enum clump_erccl_method {
    CLUMP_ERCCL_FAST = 0,   /* clump's own: union-find over the occupied cells */
    CLUMP_ERCCL_SERIAL = 1, /* the paper's for CPUs: sweeps over the map until no label changes; one thread */
    CLUMP_ERCCL_RACING = 2, /* the paper's for GPUs: all cells at once, with races; on the CPU plain code */
    CLUMP_ERCCL_INDEPENDENT =
        3, /* the paper's without races: one map per offset in a neighbourhood; on the CPU plain code */

    /* Other definitions of an obstacle, other labels: heights do not matter. */
    CLUMP_ERCCL_CCL = 4, /* all cells within `reach` rows and columns are linked; iterative, as CLUMP_ERCCL_RACING */
    CLUMP_ERCCL_HASH =
        5 /* cells in a hash table, linked when at most `reach` cells apart (Euclidean); one thread on the CPU */
} clump_erccl_method;

/* Optional outputs, one entry per cell of the map. Each is null or has rows * columns entries in the place of the
 * points, with rows = clump_erccl_rows() and columns = clump_erccl_columns(). The cell in row i and column j is at
 * [i * columns + j]. */
typedef struct clump_erccl_maps {
    uint8_t *obstacle; /* 1 where the cell has a point that is not ground, else 0 */
    float *lowest;   /* height of the lowest point that is not ground (all_heights: of all points); NaN: no obstacle */
    float *highest;  /* height of the highest point, as lowest */
    float *ground;   /* height of the ground at the centre of the cell; NaN where it is unknown */
    int32_t *labels; /* obstacle of the cell; CLUMP_GROUND where all points are ground; CLUMP_NOISE for other cells */
} clump_erccl_maps;

typedef struct clump_erccl_options {
    uint32_t cookie;           /* set by clump_erccl_defaults(), do not touch */
    clump_erccl_method method; /* CLUMP_ERCCL_FAST */
    clump_clustering common;
    float cell;                  /* 0.05: side of a cell */
    float extent;                /* 40: length of the map along x, in whole cells, at most CLUMP_ERCCL_SIDE of them */
    float extent_columns;        /* 0: as extent, a square map; else the length of the map along y, or along z where y
                                  * is up */
    int reach;                   /* 5: largest distance of linked cells in rows and columns, 1 ... CLUMP_ERCCL_REACH */
    float alpha;                 /* 0.7: weight of the distance, 0 ... 1 */
    float tau;                   /* 0.75: smallest similarity of linked cells; above 1 no cells are linked */
    clump_ground_options ground; /* ground method, up axis and position of the sensor; ground.mask is ignored */
    clump_erccl_maps maps;       /* zeroed: no maps */
} clump_erccl_options;

#define CLUMP_ERCCL_SIDE  32768 /* largest number of cells along a side of the map */
#define CLUMP_ERCCL_REACH 64    /* largest reach */

CLUMP_API clump_erccl_options clump_erccl_defaults(void);

/* Return the number of rows and of columns of the map; 0 where one of the two is not 1 ... CLUMP_ERCCL_SIDE. */
CLUMP_API size_t clump_erccl_rows(const clump_erccl_options *options);
CLUMP_API size_t clump_erccl_columns(const clump_erccl_options *options);

/* Finds the obstacles of a scan.
 * labels  output: 0, 1, 2 ... for obstacles, in the order of options.order; CLUMP_GROUND; CLUMP_NOISE for all other
 *         points: outside the map, not finite, masked out, or of an obstacle outside the size limits
 * The other parameters are as in clump_ec. */
CLUMP_API clump_status clump_erccl(clump_context *ctx, clump_points points, const clump_erccl_options *options,
                                   int32_t *labels, int32_t *cluster_count);

/* ===== 8. objects ============================================================================ */

/* Objects stand close to walls, hedges and each other, so no single radius separates them and still holds each together.
 * clump_objects() clusters with several radii, small to large. The clusters are nested: each cluster of one radius is part
 * of one cluster of the next, so they form a tree. The tree is cut where the sizes fit those of road users.
 *
 *     points ─► ground removed ─► tree of clusters ─► cut by size ─► people ─► size limits, order
 *
 * 1  Level k of the tree has the clusters of clump_ec with d * factors[k] and eps_per_metre * factors[k].
 * 2  A node is a cluster of one level. It has a bottom and a top above the ground, a length and a width.
 * 3  Cut, from the coarsest level down: a node that fits in one of the boxes is an object. Below the coarsest level it also
 *    has at least CLUMP_OBJECTS_LEAST points and its bottom is at most CLUMP_OBJECTS_BOTTOM. A node that does not fit is
 *    divided into its nodes of the next finer level. So is a group: a node that fits, but whose finer nodes have the sizes
 *    of several people or vehicles. What fits at no level is background: the rest of a node of the coarsest level is one
 *    cluster.
 * 4  A node of the finest level with the size of a person, with 50 points or more, and with at most three quarters of the
 *    points of its cluster, becomes an object of its own.
 *
 * Lengths are in metres. docs/objects.md defines every number, bit for bit. */
typedef enum clump_neighbour_kind {
    CLUMP_NEIGHBOURS_AUTO = 0,  /* scan where plausible rings are given or the points tell them, else exact */
    CLUMP_NEIGHBOURS_EXACT = 1, /* all pairs of points, as clump_ec */
    CLUMP_NEIGHBOURS_SCAN = 2   /* the tree joins only points that are next to each other in the scan; see below */
} clump_neighbour_kind;

/* Scan neighbours, for the scans of a rotating sensor. A ring is what one laser sees in one turn. A point is compared with
 * the next in its ring and with the nearest in each of the next three rings: about nine tests per point replace the search
 * for all neighbours (docs/objects.md). Where rings come from, the first that applies: */
typedef enum clump_ring_source {
    CLUMP_RINGS_NONE = 0,  /* neighbours were exact, or the job has none */
    CLUMP_RINGS_GIVEN = 1, /* options.rings */
    CLUMP_RINGS_ROWS = 2,  /* options.columns: an organised cloud, one row per ring */
    CLUMP_RINGS_ORDER = 3, /* the order of the points: ring after ring, as in KITTI */
    CLUMP_RINGS_ANGLE = 4  /* the vertical angles of the points */
} clump_ring_source;

/* Why rings or rows that are given are not plausible (docs/objects.md). CLUMP_NEIGHBOURS_AUTO takes them as not given,
 * CLUMP_NEIGHBOURS_SCAN uses them. Points on the device are not tested. */
typedef enum clump_ring_doubt {
    CLUMP_RING_DOUBT_NONE = 0,      /* they are plausible, or there are none */
    CLUMP_RING_DOUBT_SCATTERED = 1, /* the points of one ring have many vertical angles */
    CLUMP_RING_DOUBT_UNORDERED = 2  /* the vertical angle neither rises nor falls with the number of the ring */
} clump_ring_doubt;

#define CLUMP_RINGS_MOST 1024 /* rings are numbered 0 ... 1023, neighbours have neighbouring numbers */

/* The size that a cluster has. It does not say what the cluster is: most objects of the size of a car are bushes, and parts
 * of walls. */
typedef enum clump_fit {
    CLUMP_FIT_OTHER = 0, /* background, and objects by a box of the caller */
    CLUMP_FIT_CAR = 1,   /* the size of a car */
    CLUMP_FIT_TRUCK = 2, /* the size of a truck */
    CLUMP_FIT_PERSON = 3 /* the size of a person: step 4, also without its two conditions on the number of points */
} clump_fit;

/* A size that objects have. A node fits when every number is within its limit. */
typedef struct clump_object_box {
    float length, width;       /* largest extents; length >= width > 0 */
    float least_top, most_top; /* height of the top above the ground */
    float most_bottom;         /* height of the bottom above the ground; may be INFINITY */
    clump_fit fits;            /* what clump_object reports */
} clump_object_box;

/* One cluster. Its extents are those of its points alone: people and finer objects that were cut out do not count. The score
 * is the share of road users among objects like this one, on labelled scans of a sensor with 64 beams (docs/objects.md). */
typedef struct clump_object {
    int32_t label;
    int32_t count;       /* number of points */
    int32_t object;      /* 1: object, 0: background */
    clump_fit fits;      /* a person, else the first of the boxes that it fits in; CLUMP_FIT_OTHER for background */
    float length, width; /* as of a node */
    float bottom, top;
    int32_t level; /* of the node that became the object, 0 by step 4; -1 for background */
    float score;   /* 0 to 1, see above; 0 for background */
} clump_object;

#define CLUMP_OBJECTS_LEVELS 4 /* most levels of the tree */
#define CLUMP_OBJECTS_BOXES  8 /* most boxes */
#define CLUMP_OBJECTS_LEAST  10
#define CLUMP_OBJECTS_BOTTOM 1.0f

typedef struct clump_objects_options {
    uint32_t cookie;                           /* set by clump_objects_defaults(), do not touch */
    clump_neighbour_kind neighbours;           /* CLUMP_NEIGHBOURS_AUTO */
    clump_clustering common;                   /* min_size is 10; eps_per_metre, for 64 beams, is 0.0175 */
    float d;                                   /* 0.25: radius of a point near the sensor */
    int levels;                                /* 3: levels of the tree, 1 ... CLUMP_OBJECTS_LEVELS */
    float factors[CLUMP_OBJECTS_LEVELS];       /* 0.5, 1, 2: of the radii, each larger than the one before */
    int boxes;                                 /* 2; 0: no node fits, only the size of a person makes an object */
    clump_object_box box[CLUMP_OBJECTS_BOXES]; /* of a car (6 x 3, top at most 2.6) and of a truck (19 x 3.5, top
                                                * 2.2 ... 4.5, bottom at most 1) */
    bool no_people;                            /* false; true: without step 4, and CLUMP_FIT_PERSON is not reported */
    float min_score;       /* 0: objects with a lower score become background, and keep label, level and score */
    const uint16_t *rings; /* null, or the ring of each point, in the place of the points; below CLUMP_RINGS_MOST.
                                  * Not checked for points on the device: higher ones count as the last ring */
    size_t columns;        /* 0, or the points per row of an organised cloud: point i is in ring i / columns */
    clump_ground_options
        ground;              /* ground method, up axis, position of the sensor; mask and heights are not used. `step` is
                                  * true: sigma has an effect where it is set to false */
    clump_object *found;     /* output, may be null: the first found_capacity clusters, by label */
    int32_t found_capacity;  /* 0 */
    clump_place found_place; /* CLUMP_PLACE_HOST: memory of `found`. With points in host memory it must be this */
    bool no_groups;          /* false; true: a node that fits is an object, also where its parts are several */
} clump_objects_options;

CLUMP_API clump_objects_options clump_objects_defaults(void);

/* Finds the objects of a scan.
 * labels  output: 0, 1, 2 ... for objects and background, in the order of options.order; CLUMP_GROUND; CLUMP_NOISE for all
 *         other points: not finite, masked out, or of a cluster outside the size limits
 * The other parameters are as in clump_ec. clump_context_stats tells which neighbours were used. With
 * CLUMP_NEIGHBOURS_SCAN a cloud whose rings are not known is an error. */
CLUMP_API clump_status clump_objects(clump_context *ctx, clump_points points, const clump_objects_options *options,
                                     int32_t *labels, int32_t *cluster_count);

/* ===== 9. after clustering =================================================================== */

/* One cluster, as clump_describe() and clump_detect() find it. "Seen from above" means: in x and y; in x and z where y
 * is up. Every number depends on the set of points alone, not on their order, and has the same bits on every backend.
 * What does not fit into a float becomes the largest one. */
typedef struct clump_cluster {
    int32_t label;
    int32_t count;     /* number of points */
    float centroid[3]; /* mean of the points */
    float lower[3];    /* axis-aligned box */
    float upper[3];
    float box_center[2]; /* yaw-oriented box: the rectangle of least area around the points, seen from above */
    float box_size[2];   /* its extent along yaw and across yaw; either can be larger */
    float yaw;           /* degrees from the x axis, [0, 90) */
    float distance;      /* from the sensor to the nearest point, seen from above */
    float height;        /* of the highest point above the ground; NaN where it is not known */
    float area;          /* of the convex hull, seen from above */
    float density;       /* points per volume of the yaw-oriented box; INFINITY where the box has no volume */
    float intensity;     /* mean of options.values; NaN where no value of the cluster is finite, or without values */

    /* With options.axes, else 0. Points with three finite coordinates count. Offsets from `lower` are rounded to 2^-31 of
     * the extent; the sums of their products are exact. */
    float covariance[6]; /* xx, xy, xz, yy, yz, zz, in the square of the unit: mean of the products of the offsets from
                          * the mean */
    float variance[3];   /* along the principal axes, largest first */
    float axes[3][3]; /* the principal axes: unit vectors, orthogonal. The component of largest magnitude is positive */

    int32_t hull_corners; /* number of corners of the convex hull, seen from above: 1 where all points are equal */
} clump_cluster;

typedef struct clump_describe_options {
    uint32_t cookie;      /* set by clump_describe_defaults(), do not touch */
    clump_up up;          /* CLUMP_UP_Z */
    float sensor[3];      /* 0, 0, 0: origin of the distances */
    bool axes;            /* false; true: covariance and principal axes */
    const float *heights; /* null, or one per point: heights above the ground, as clump_ground makes them; those that
                            * are not finite are ignored */
    const float *values;  /* null, or one per point: a field whose mean is computed, the intensity; values that are not
                            * finite are ignored */
    size_t values_stride; /* bytes between two values: a multiple of 4; 0 means 4 */
    clump_place clusters_place; /* CLUMP_PLACE_HOST: memory of the clusters and of the hulls. With points in host memory
                                 * it must be this; with points on the device either */

    /* The corners of the convex hulls, seen from above: x and y of each, counterclockwise, from the one with the least x,
     * then y; where y is up x and z. Cluster c has corners hull_offsets[c] ... hull_offsets[c + 1] - 1. */
    float *hull; /* output, may be null: 2 * hull_capacity floats; corners beyond the capacity are not written */
    size_t hull_capacity;  /* corners. The number of points in clusters is always enough */
    int32_t *hull_offsets; /* output: one per cluster and one more, also beyond the capacity; may be null without
                            * `hull`, and may be given alone */
} clump_describe_options;

CLUMP_API clump_describe_options clump_describe_defaults(void);

/* Describes clusters 0 ... cluster_count - 1. Points, labels, heights and values are in the place of the points.
 * labels    points.count entries, each below cluster_count; CLUMP_NOISE and CLUMP_GROUND are left out
 * options   may be null for the defaults
 * clusters  output: cluster_count entries; a label without points gives an entry with that label and zeros, but NaN
 *           as height and intensity
 * With labels of clump_ec in 2-D mode, a z that is not finite is left out of everything about z. Where y is up, this
 * holds for y, and z must be finite.
 *
 * With points and clusters on the device the call does not wait (clump/cuda.h). It then leaves out points with another
 * label, and points of clusters that are not finite, seen from above; a call that waits fails on them. */
CLUMP_API clump_status clump_describe(clump_context *ctx, clump_points points, const int32_t *labels,
                                      int32_t cluster_count, const clump_describe_options *options,
                                      clump_cluster *clusters);

/* Lists the points of each cluster by ascending index, as PCL's PointIndices.
 * place    memory of labels, offsets and members. On the device the call does not wait, and labels that are not allowed
 *          are left out
 * offsets  output: cluster_count + 1 entries; cluster c has members[offsets[c]] ... members[offsets[c+1] - 1]
 * members  output: one entry per label >= 0; `count` entries are always enough, and needed on the device */
CLUMP_API clump_status clump_group(clump_context *ctx, const int32_t *labels, size_t count, clump_place place,
                                   int32_t cluster_count, int32_t *offsets, int32_t *members);

/* Returns the XXH64 hash (seed 0) of the labels as little-endian int32, to compare labellings. */
CLUMP_API uint64_t clump_labels_hash(const int32_t *labels, size_t count);

/* ===== 10. from scan to boxes ================================================================= */

/* The whole way from a scan to its objects, in one call on one device:
 *
 *     points ─ mask, crop, range ─► ground ─► thinning ─► clusters ─► size limits, order ─► boxes
 *
 *     clump_cluster objects[256];
 *     int32_t count;
 *     clump_detect(ctx, points, NULL, NULL, objects, 256, &count);
 *
 * Labels and boxes are those of the separate calls: clump_ground with the mask; clump_ec, clump_dbscan or clump_erccl
 * with a mask that also leaves out the ground; clump_describe with the heights of clump_ground. So clump_erccl removes
 * no ground itself here, and points outside its map can be CLUMP_GROUND. */
typedef enum clump_detect_method {
    CLUMP_DETECT_EC = 0,     /* clump_ec */
    CLUMP_DETECT_DBSCAN = 1, /* clump_dbscan */
    CLUMP_DETECT_ERCCL = 2,  /* clump_erccl */
    CLUMP_DETECT_OBJECTS = 3 /* clump_objects; not with `thin` */
} clump_detect_method;

/* Which points take part. Coordinates that are not finite are not tested: such points are noise in any case. */
typedef struct clump_region {
    float lower[3], upper[3];   /* -INFINITY, INFINITY: a box, bounds included */
    float min_range, max_range; /* 0, INFINITY: from the sensor, bounds included; horizontal, x and y, in 2-D mode. The
                                 * range is computed in double and rounded to float32 */
} clump_region;

/* The nested options are those of the separate calls. `common` and `d` are for every method but objects, which has its own
 * radius: objects.d and objects.common.eps_per_metre. The rest of the nested `common` must be left as it is. These are not
 * used either: dbscan.core; erccl.ground and erccl.maps; objects.ground; ground.mask, ground.sensor and ground.heights;
 * describe.sensor, describe.heights and describe.up, which is ground.up. two_d is an error where y is up. */
typedef struct clump_detect_options {
    uint32_t cookie;             /* set by clump_detect_defaults(), do not touch */
    clump_detect_method method;  /* CLUMP_DETECT_EC */
    clump_clustering common;     /* min_size is 10; sensor: for everything */
    float d;                     /* 0.5: distance of clump_ec, eps of clump_dbscan */
    size_t min_points;           /* 10: of clump_dbscan */
    float thin;                  /* 0: off; else the side of the voxels, see below */
    clump_region region;         /* everything */
    clump_ground_options ground; /* CLUMP_GROUND_GRID */
    clump_ec_options ec;
    clump_dbscan_options dbscan;
    clump_erccl_options erccl;
    clump_objects_options objects;
    clump_describe_options describe;
} clump_detect_options;

/* thin: clustering by fewer points, for dense clouds. Of the points in each voxel that would be clustered, the one with
 * the smallest index is. The others get its label. Labels are equal on all backends, but they are not those of the whole
 * cloud: two points closer than d can be in different clusters where their representatives are farther apart, and
 * min_points of clump_dbscan counts representatives. Size limits and boxes count all points. */

CLUMP_API clump_detect_options clump_detect_defaults(void);

/* Finds the objects of a scan.
 * options        may be null for the defaults
 * labels         output, may be null: points.count entries in the place of the points: 0, 1, 2 ...; CLUMP_GROUND;
 *                CLUMP_NOISE for all other points
 * clusters       output: the first `capacity` clusters, in options.describe.clusters_place; may be null where capacity
 *                is 0. describe.hull_offsets has capacity + 1 entries
 * cluster_count  output: the number of clusters, also where it is larger than the capacity. May be null; with points and
 *                clusters on the device the call then does not wait (clump/cuda.h)
 * On failure the outputs are undefined; the context stays usable. */
CLUMP_API clump_status clump_detect(clump_context *ctx, clump_points points, const clump_detect_options *options,
                                    int32_t *labels, clump_cluster *clusters, int32_t capacity, int32_t *cluster_count);

#ifdef __cplusplus
}
#endif
#endif
