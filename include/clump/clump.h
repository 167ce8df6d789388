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
 *    11  nearest neighbours          clump_index: the nearest, the k nearest, all within a radius
 *    12  registration                clump_icp: the motion that aligns one cloud with another
 *    13  what the last call did      stage times, counts, memory
 *    14  devices                     CPU and GPUs of this machine
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

/* The error message, one sentence, of functions without a context: files, synthetic clouds, the creation of a
 * context. A parameter of this type may be null; then there is only the status. */
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

/* ===== 3. context ============================================================================ */

/* A context holds scratch memory, worker threads, the device and the last error message. Use one context per thread:
 * two threads must not use one context at the same time. Reusing a context changes no result.
 *
 * Worker threads belong to the context. They start with the first call that needs them, sleep between calls, and end in
 * clump_context_trim or clump_context_destroy. They are named "clump", have 1 MiB of stack and block all signals. Where
 * the system provides fewer threads than the context may use, calls use fewer; clump_stats tells how many and how many
 * were refused. With a task system of the caller (clump_task_system) the context starts no thread. docs/threads.md has
 * more on threads, priorities, containers and real time.
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

/* The caller's task system, used instead of worker threads:
 *
 *     static void run_tasks(int count, clump_task *task, void *task_arg, void *user)
 *     {
 *         tbb::this_task_arena::isolate([=] { tbb::parallel_for(0, count, [=](int) { task(task_arg); }); });
 *     }
 *
 * A task claims parts of the work until none is left, so all `count` tasks are alike and none is needed for the result.
 * The calls may run on any threads, late, one after the other, at the same time, or not at all; more than `count` do no
 * harm. run() may return when the tasks have ended or before. The calling thread then does what is left and waits
 * for the tasks that have begun, and for no others. A task that begins later works in the run that is open then, whose
 * call waits for it. Where no run is open, it returns at once.
 *
 * Every task that has begun must have returned before clump_context_destroy is called, and none may begin after that:
 * join or drain the pool. To empty its queue is not enough. A task needs up to 1 MiB of stack, a late one too. run() is
 * called some tens of times per call of the library, by the calling thread, and must not use the context. While run()
 * waits for tasks, its thread must not run other jobs that use the context; isolate() above prevents it. No exception may
 * leave run(). */
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

/* threads = 0: a call uses at most one thread per processor in the affinity mask of the thread that creates the context,
 * and no more than the CPU quotas of the process's control groups allow. With worker_cores it uses at most
 * worker_core_count workers besides the caller; the processors that are online count then, not the mask. Within this
 * limit the context measures how many threads pay for calls of each kind and size. It uses fewer where other programs
 * keep the processors busy, and tries more again later. With a task system it asks for one task per processor that is
 * online, within the quotas, and does not adapt. Labels do not depend on the number of threads.
 *
 * worker_nice, worker_cores: by default workers have the scheduling class, priority and processors of the thread whose
 * call starts them. Where the system refuses a change, calls run without it and the log gets one warning. */

/* cancel: calls on the context poll *cancel. When it is not 0, the running call returns CLUMP_ERR_CANCELLED within some
 * milliseconds. Every later call returns it at once, until *cancel is 0 again. Labels and other outputs of a
 * cancelled call are undefined; the context stays usable. The int must exist as long as the context. Another thread
 * sets it with an atomic store of any memory order: cast the address of an atomic_int or std::atomic<int>. A signal
 * handler sets it as a volatile sig_atomic_t where that type is int. On a GPU, kernels that are already queued run
 * to their end. */

CLUMP_API clump_context_options clump_context_defaults(void);

/* Creates a context. options may be null for the defaults. On failure *out is null and options->message tells why. The
 * environment variable CLUMP_CPU_LEVEL (docs/install.md) can make it fail, also with the defaults: CLUMP_ERR_ARGUMENT for
 * a level that the build does not have, CLUMP_ERR_UNSUPPORTED for one that the processor cannot run. Only
 * options->message names the variable. */
CLUMP_API clump_status clump_context_create(const clump_context_options *options, clump_context **out);

/* Ends the worker threads and frees all memory. ctx may be null. With a task system every task that has begun must have
 * returned. */
CLUMP_API void clump_context_destroy(clump_context *ctx);

/* Returns the message of the last failure on this context, one sentence; "" after a success. Valid until the next
 * call. */
CLUMP_API const char *clump_context_error(const clump_context *ctx);

/* Allocates the memory that the `fast` methods need for any cloud of up to max_points points; likewise clump_ground and
 * clump_detect with default options. Later calls of them then allocate nothing. What eps_per_metre and clump_objects need
 * in addition is not allocated. Optional: buffers grow when needed, usually to less. */
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
    uint32_t cookie;        /* set by clump_ec_defaults(), do not touch */
    clump_ec_method method; /* CLUMP_EC_FAST */
    clump_order order;      /* CLUMP_ORDER_INDEX */
    bool two_d;             /* false; true ignores z, also a z that is not finite */
    size_t min_size;        /* 1: clusters with fewer points become noise, the others are renumbered */
    size_t max_size;        /* 0 = no limit; clusters with more points become noise. 1 ... min_size - 1 is an error */
    const uint8_t *mask;    /* null, or one byte per point, in the place of the points: 0 leaves the point out */
    int32_t *clusters_on_device; /* null, or device memory for the number of clusters (clump/cuda.h) */
    float eps_per_metre;         /* 0; above 0 the distance grows with the range, see below; CLUMP_EC_FAST only */
    float sensor[3];             /* 0, 0, 0: origin of the ranges, in the coordinates of the points */
    int matrix_block;            /* 0: 1024; matrix-*: the paper's b, the number of labels that one thread block merges:
                                  * 64, 128, 256, 512 or 1024 */
    bool in_place;               /* false; true: vertex-* and edge-* read and lower one array of labels, as in the
                                  * paper. The result is the same, passes are never more; on a GPU their number
                                  * varies */
} clump_ec_options;

/* Clouds become sparse with the distance from the sensor. With eps_per_metre every point has a radius of its own. Two
 * points are neighbours when they are closer than the smaller of their radii:
 *     radius = max(d, eps_per_metre * range)       range = sqrt((dx*dx + dy*dy) + dz*dz), from the sensor
 *     d2 < the smaller radius * radius             each step rounded to float32; in 2-D mode no dz
 * The test is symmetric, and the radius has no steps at which objects would be cut. */

CLUMP_API clump_ec_options clump_ec_defaults(void);

/* Translates a method to its name, "fast", and back. Null and false for values and names that do not exist. */
CLUMP_API const char *clump_ec_method_name(clump_ec_method method);
CLUMP_API bool clump_ec_method_from_name(const char *name, clump_ec_method *method);

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
    uint32_t cookie;             /* set by clump_dbscan_defaults(), do not touch */
    clump_dbscan_method method;  /* CLUMP_DBSCAN_FAST */
    clump_order order;           /* CLUMP_ORDER_INDEX: by smallest core point */
    bool two_d;                  /* false; true ignores z, also a z that is not finite */
    bool no_border_points;       /* false; true: border points are noise (DBSCAN*) */
    size_t min_size;             /* 1: clusters with fewer points, border points included, become noise */
    size_t max_size;             /* 0 = no limit, as in clump_ec */
    const uint8_t *mask;         /* null, or one byte per point, in the place of the points: 0 leaves the point out */
    uint8_t *core;               /* output, may be null: one byte per point, in the place of the points, 1 for core
                                  * points, else 0. Must not overlap the mask */
    int32_t *clusters_on_device; /* null, or device memory for the number of clusters (clump/cuda.h) */
    float eps_per_metre;         /* 0; above 0 eps grows with the range, as in clump_ec; CLUMP_DBSCAN_FAST only */
    float sensor[3];             /* 0, 0, 0: origin of the ranges */
    int dclust_chains;           /* 0: 256; dclust: chains that grow at the same time, 1 ... CLUMP_DCLUST_MOST_CHAINS */
    int dclust_threads;          /* 0: 512; dclust: threads per chain, a multiple of 32, at most
                                  * CLUMP_DCLUST_MOST_THREADS. Without effect on the CPU, where chains take turns in
                                  * one thread */
    int dclust_seeds; /* 0: 1024; dclust: entries of the seed list of a chain, 1 ... CLUMP_DCLUST_MOST_SEEDS */
} clump_dbscan_options;

/* Largest values of the options of dclust. They change time and memory, never the labels: a point that finds a seed
 * list full is processed later. */
#define CLUMP_DCLUST_MOST_CHAINS  1024
#define CLUMP_DCLUST_MOST_THREADS 1024
#define CLUMP_DCLUST_MOST_SEEDS   65536

CLUMP_API clump_dbscan_options clump_dbscan_defaults(void);

/* Translates a method to its name, "disjoint-set", and back, as clump_ec_method_name. */
CLUMP_API const char *clump_dbscan_method_name(clump_dbscan_method method);
CLUMP_API bool clump_dbscan_method_from_name(const char *name, clump_dbscan_method *method);

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

/* The step rule, for metres. It tells the feet of cars, people and walls from grass and kerbs by what stands above them.
 * Once the surface is known, each part of the map (a quarter of a tile by a quarter, 0.5 x 0.5) counts its points that are
 * 0.35 to 2.0 above the surface. With 3 or more the ground of the part is 0.10 thick, else 0.25. Heights do not change.
 * docs/ground.md has the details. */

#define CLUMP_GROUND_SIDE 1024 /* largest number of tiles along a side of the map */

CLUMP_API clump_ground_options clump_ground_defaults(void);

/* Translates a method to its name, "grid", and back, as clump_ec_method_name. */
CLUMP_API const char *clump_ground_method_name(clump_ground_method method);
CLUMP_API bool clump_ground_method_from_name(const char *name, clump_ground_method *method);

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
 * that is not ground; with all_heights, of all its points. Two occupied cells c, c' are linked when they are at most
 * `reach` rows and columns apart and similar enough:
 *     E = alpha * exp(-distance of the cells) + (1 - alpha) * exp(-dh)  >=  tau,      dh = |max - max'| + |min - min'|
 * An obstacle is a connected component of linked cells. The formula is for metres: in another unit of length alpha and
 * tau have another meaning.
 *
 * A point is in row floor((x - x0) / cell) and column floor((y - y0) / cell), each step rounded to float32. (x0, y0)
 * is the corner of the map: the sensor minus half the rows and half the columns. The largest dh that satisfies
 * E >= tau is computed once per offset of two cells, in double, and rounded to float32. The dh of a pair is compared
 * with this number. */
typedef enum clump_erccl_method {
    CLUMP_ERCCL_FAST = 0,   /* clump's own: union-find over the occupied cells */
    CLUMP_ERCCL_SERIAL = 1, /* the paper's for CPUs: sweeps over the map until no label changes; one thread */
    CLUMP_ERCCL_RACING = 2, /* the paper's for GPUs: all cells at once, with races; on the CPU plain code */
    CLUMP_ERCCL_INDEPENDENT =
        3, /* the paper's without races: one map per offset in a neighbourhood; on the CPU plain code */

    /* Other definitions of an obstacle, other labels: heights do not matter. */
    CLUMP_ERCCL_CCL = 4, /* all cells within `reach` rows and columns are linked; iterative, as CLUMP_ERCCL_RACING */
    CLUMP_ERCCL_HASH = 5 /* cells in a hash table, linked when at most `reach` cells apart (Euclidean); one thread */
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
    clump_order order;         /* CLUMP_ORDER_INDEX */
    float cell;                /* 0.05: side of a cell */
    float extent;              /* 40: length of the map along x, in whole cells, at most CLUMP_ERCCL_SIDE of them */
    int reach;                 /* 5: largest distance of linked cells in rows and in columns, 1 ... CLUMP_ERCCL_REACH */
    float alpha;               /* 0.7: weight of the distance, 0 ... 1 */
    float tau;                 /* 0.75: smallest similarity of linked cells; above 1 no cells are linked */
    float beta;                /* 0; else tau is beta * exp(-reach), as in the paper */
    size_t min_size;           /* 1: obstacles with fewer points become noise, the others are renumbered */
    size_t max_size;           /* 0 = no limit, as in clump_ec */
    const uint8_t *mask;       /* null, or one byte per point, in the place of the points: 0 leaves the point out */
    clump_ground_options ground; /* ground method, up axis and position of the sensor; ground.mask is ignored */
    clump_erccl_maps maps;       /* zeroed: no maps */
    int32_t *clusters_on_device; /* null, or device memory for the number of clusters (clump/cuda.h) */
    float extent_columns;        /* 0: as extent, a square map; else the length of the map along y, or along z where y
                                  * is up */
    bool all_heights;            /* false; true: the highest and lowest point of an obstacle cell are of all its points,
                                  * ground included, as the paper's equation 6 is printed */
} clump_erccl_options;

#define CLUMP_ERCCL_SIDE  32768 /* largest number of cells along a side of the map */
#define CLUMP_ERCCL_REACH 64    /* largest reach */

CLUMP_API clump_erccl_options clump_erccl_defaults(void);

/* Translates a method to its name, "racing", and back, as clump_ec_method_name. */
CLUMP_API const char *clump_erccl_method_name(clump_erccl_method method);
CLUMP_API bool clump_erccl_method_from_name(const char *name, clump_erccl_method *method);

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
 * 1  Radius of a point: max(d, eps_per_metre * range), as in clump_ec. Level k of the tree has the radii times factors[k].
 *    Its clusters are those of clump_ec with d * factors[k] and eps_per_metre * factors[k], each rounded to float32.
 * 2  Node: a cluster of one level. It has a number of points, a bottom and a top (the least and the largest height above
 *    the ground) and a length and a width: the extents along the pair of perpendicular directions with the least product,
 *    of six pairs 15 degrees apart. Where no point of a node has a known height, its lowest point counts as ground.
 * 3  Cut, from the coarsest level down: a node that fits in one of the boxes is an object. Below the coarsest level it also
 *    has at least CLUMP_OBJECTS_LEAST points and its bottom is at most CLUMP_OBJECTS_BOTTOM. A node that does not fit is
 *    divided into its nodes of the next finer level. What fits at no level is background: the rest of a node of the
 *    coarsest level is one cluster.
 * 4  Size of a person: a node of the finest level with the size of a person (length <= 1.1, width <= 0.9, bottom <= 0.9,
 *    1.2 <= top <= 2.2, top - bottom >= 0.7), with at least 50 points, and with at most three quarters of the points of its
 *    cluster, becomes an object of its own.
 *
 * Lengths are in metres. Every number depends on the points alone, and each step is rounded to float32. docs/objects.md
 * has the details. */
typedef enum clump_neighbour_kind {
    CLUMP_NEIGHBOURS_AUTO = 0,  /* scan where rings are given, or where the points are in the order of their rings, else
                                 * exact */
    CLUMP_NEIGHBOURS_EXACT = 1, /* all pairs of points, as clump_ec */
    CLUMP_NEIGHBOURS_SCAN = 2   /* the tree joins only points that are next to each other in the scan; see below */
} clump_neighbour_kind;

/* Scan neighbours, for the scans of a rotating sensor. A ring is what one laser sees in one turn. In each ring the points
 * that are not ground are sorted by azimuth, then by index. A point is compared
 *   - with the next in its ring, up to 12, until one is within the finest radius
 *   - in each of the next three rings, with the point of the nearest azimuth (of two, the smaller azimuth) and the two
 *     beside it, until a ring has a point within the finest radius
 * A ring is closed: its last point is followed by its first. Pairs that are closer than the radius of a level are joined
 * on that level. About nine tests per point replace the search for all neighbours.
 *
 * Where rings come from, the first that applies: */
typedef enum clump_ring_source {
    CLUMP_RINGS_NONE = 0,  /* neighbours were exact, or the job has none */
    CLUMP_RINGS_GIVEN = 1, /* options.rings */
    CLUMP_RINGS_ROWS = 2,  /* options.columns: an organised cloud, one row per ring */
    CLUMP_RINGS_ORDER = 3, /* the order of the points: ring after ring, as in KITTI */
    CLUMP_RINGS_ANGLE = 4  /* the vertical angles of the points; CLUMP_NEIGHBOURS_SCAN only */
} clump_ring_source;

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

/* One cluster. Its extents are those of its points alone: people and finer objects that were cut out do not count.
 *
 * The score is the share of road users among objects like this one, on labelled scans of a sensor with 64 beams: cars,
 * trucks, buses, cycles and people. It is above 0 for every object. It depends on the width, bottom and top, on
 * factors[level], and on the density: the number of points times the squared range of the centre, divided by
 * length * (top - bottom), both at least 0.1. Each of the five has a broken line, and their sum has one more.
 * docs/objects.md#score has the numbers, and what they rest on. */
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
    clump_order order;                         /* CLUMP_ORDER_INDEX */
    float d;                                   /* 0.25: radius of a point near the sensor */
    float eps_per_metre;                       /* 0.0175: growth of the radius, for 64 beams; 0: none */
    int levels;                                /* 3: levels of the tree, 1 ... CLUMP_OBJECTS_LEVELS */
    float factors[CLUMP_OBJECTS_LEVELS];       /* 0.5, 1, 2: of the radii, each larger than the one before */
    int boxes;                                 /* 2; 0: no node fits, only the size of a person makes an object */
    clump_object_box box[CLUMP_OBJECTS_BOXES]; /* of a car (6 x 3, top at most 2.6) and of a truck (13 x 3.5, top
                                                * 2.2 ... 4.5, bottom at most 1) */
    bool no_people;                            /* false; true: without step 4, and CLUMP_FIT_PERSON is not reported */
    float min_score;       /* 0: objects with a lower score become background, and keep label, level and score */
    size_t min_size;       /* 10: clusters with fewer points become noise, the others are renumbered */
    size_t max_size;       /* 0 = no limit, as in clump_ec */
    const uint8_t *mask;   /* null, or one byte per point, in the place of the points: 0 leaves the point out */
    const uint16_t *rings; /* null, or the ring of each point, in the place of the points; below CLUMP_RINGS_MOST.
                                  * Not checked for points on the device: higher ones count as the last ring */
    size_t columns;        /* 0, or the points per row of an organised cloud: point i is in ring i / columns */
    clump_ground_options
        ground;              /* ground method, up axis and position of the sensor; its mask and heights are not used */
    clump_object *found;     /* output, may be null: the first found_capacity clusters, by label */
    int32_t found_capacity;  /* 0 */
    clump_place found_place; /* CLUMP_PLACE_HOST: memory of `found`. With points in host memory it must be this */
    int32_t *clusters_on_device; /* null, or device memory for the number of clusters (clump/cuda.h) */
} clump_objects_options;

CLUMP_API clump_objects_options clump_objects_defaults(void);

/* Translate a value to its name, "scan", "order" or "car", and back, as clump_ec_method_name. */
CLUMP_API const char *clump_neighbour_kind_name(clump_neighbour_kind neighbours);
CLUMP_API bool clump_neighbour_kind_from_name(const char *name, clump_neighbour_kind *neighbours);
CLUMP_API const char *clump_ring_source_name(clump_ring_source source);
CLUMP_API const char *clump_fit_name(clump_fit fit);

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

/* The nested options are those of the separate calls. Of them, these are not used, as clump_detect has its own: mask,
 * sensor, clusters_on_device, core; erccl.ground, erccl.maps, erccl.all_heights; objects.ground; ground.heights;
 * describe.up, which is ground.up, and describe.heights. two_d, which ignores z, is an error where y is up. */
typedef struct clump_detect_options {
    uint32_t cookie;             /* set by clump_detect_defaults(), do not touch */
    clump_detect_method method;  /* CLUMP_DETECT_EC */
    float d;                     /* 0.5: distance of clump_ec, eps of clump_dbscan */
    size_t min_points;           /* 10: of clump_dbscan */
    float sensor[3];             /* 0, 0, 0: position of the sensor, for everything */
    clump_region region;         /* everything */
    const uint8_t *mask;         /* null, or one byte per point, in the place of the points: 0 leaves the point out */
    float thin;                  /* 0: off; else the side of the voxels, see below */
    clump_ground_options ground; /* CLUMP_GROUND_GRID */
    clump_ec_options ec;         /* defaults, but min_size = 10 */
    clump_dbscan_options dbscan; /* defaults, but min_size = 10 */
    clump_erccl_options erccl;   /* defaults, but min_size = 10 */
    clump_describe_options describe;
    int32_t *clusters_on_device;   /* null, or device memory for the number of clusters (clump/cuda.h) */
    clump_objects_options objects; /* defaults; objects.d is its radius, not d */
} clump_detect_options;

/* thin: clustering by fewer points, for dense clouds. Of the points in each voxel that would be clustered, the one with
 * the smallest index is. The others get its label. Voxels are floor(x / thin), floor(y / thin) and floor(z / thin), each
 * step rounded to float32; in 2-D mode z does not count. Labels are defined and equal on all backends, but they are not
 * those of the whole cloud: two points closer than d can be in different clusters where their representatives are
 * farther apart, and min_points of clump_dbscan counts representatives. Size limits and boxes count all points. */

CLUMP_API clump_detect_options clump_detect_defaults(void);

/* Translates a method to its name, "ec", and back, as clump_ec_method_name. */
CLUMP_API const char *clump_detect_method_name(clump_detect_method method);
CLUMP_API bool clump_detect_method_from_name(const char *name, clump_detect_method *method);

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

/* ===== 11. nearest neighbours =============================================================== */

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

/* ===== 12. registration ===================================================================== */

/* Iterative closest point: finds the rigid motion that aligns the source with the target. Each iteration pairs every
 * source point with its nearest target point and applies the motion that fits the pairs best. The iterations end
 * when a motion is below the tolerance. The result is a local optimum, so the clouds must be roughly aligned:
 * consecutive scans, or with an initial motion. */
typedef enum clump_icp_method {
    CLUMP_ICP_POINT = 0, /* least squares of the distances between the points of the pairs */
    CLUMP_ICP_PLANE =
        1 /* least squares of the distances to the target's surface: fewer iterations on walls and ground */
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
    int normal_neighbours;   /* 10: target points per surface normal, for CLUMP_ICP_PLANE; 3 ... CLUMP_NN_MAX_K */
    const double *initial;   /* null, or the motion to start with: 16 numbers as in the result */
} clump_icp_options;

typedef struct clump_icp_result {
    double transform[16]; /* 4 x 4, row-major: p -> transform * (p, 1) maps source to target */
    double fitness;       /* fraction of the finite source points that have a target point within max_distance */
    double rmse;          /* root mean square distance of the pairs in use */
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

/* ===== 13. what the last call did =========================================================== */

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
    size_t points, finite; /* points of the call; points whose used coordinates are all finite */
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
    double merge_ms;     /* disjoint-set: the merge step, after cluster_ms and not part of it; pieces: their merging */
    size_t pieces;       /* pieces in which the cloud was clustered, 1 for most calls; 0 for other jobs */
    clump_neighbour_kind neighbours; /* clump_objects: exact or scan; CLUMP_NEIGHBOURS_AUTO for other jobs */
    clump_ring_source ring_source;   /* clump_objects with scan neighbours: where the rings come from */
    int rings;                       /* their number; 0 without */
} clump_stats;

/* Returns the utilisation of each thread, 0 to 1, in the last clustering call that succeeded. Two methods measure it:
 *     CLUMP_DBSCAN_DISJOINT_SET      one entry per thread: its busy time as a share of the cluster step
 *     CLUMP_DBSCAN_DCLUST on a GPU   one entry per thread block, in the order of their indices: its time in the first
 *                                    expansion, as a share of the time from the first begin to the last end of a thread
 *                                    block. The number of entries is that of the chains, or of the points if fewer
 * Null and *count = 0 for other methods and after a call that failed. Valid until the next call. */
CLUMP_API const float *clump_context_load(const clump_context *ctx, int *count);

/* As clump_context_load, for the merge step of CLUMP_DBSCAN_DISJOINT_SET; no other method has one. */
CLUMP_API const float *clump_context_merge_load(const clump_context *ctx, int *count);

/* Returns the figures of the last clustering call, or call on an index, that succeeded on this context; zeroed
 * before the first. */
CLUMP_API clump_stats clump_context_stats(const clump_context *ctx);

/* ===== 14. devices ========================================================================== */

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

#ifdef __cplusplus
}
#endif
#endif
