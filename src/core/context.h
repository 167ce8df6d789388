/* SPDX-License-Identifier: BSD-3-Clause
 *
 * context.h: the struct behind clump_context, and the functions of the core that the library's own files share.
 */
#ifndef CLUMP_CORE_CONTEXT_H
#define CLUMP_CORE_CONTEXT_H

#include "common/adapt.h"
#include "core/backend.h"
#include "core/span.h"
#include "core/work.h"

#include <clump/info.h>
#include <clump/index.h>
#include <clump/tree.h>

#include <stdint.h>

/* --- methods.c: the methods of every job, one table per job. A new method is one row in methods.c and one case in each
 * backend that has it. Tests iterate the tables. */

/* How the time of a method grows. */
typedef enum clump_cost {
    CLUMP_COST_LINEAR,  /* almost with the points */
    CLUMP_COST_CROWDED, /* with the neighbours of all points: their square where all are neighbours */
    CLUMP_COST_SQUARE   /* with the square of the points, or of the labels */
} clump_cost;

typedef struct clump_method {
    const char *name; /* as the program spells it; null: there is no method of this value */
    bool on_cpu;      /* whether the CPU backend has the method */
    bool on_cuda;     /* whether the CUDA backend has it, in builds that have one */
    clump_cost cost;  /* for tests, which give slow methods fewer points */
} clump_method;

/* The table of a job: the row of a method is at the value of its enum. */
typedef struct clump_method_table {
    const clump_method *rows;
    int count;
} clump_method_table;

extern const clump_method_table clump_ec_methods, clump_dbscan_methods, clump_erccl_methods, clump_ground_methods,
    clump_nn_methods, clump_detect_methods, clump_objects_methods;

/* Returns the row of a value; null where there is none. */
const clump_method *clump_method_at(const clump_method_table *table, int value);

/* Returns the value of a name; -1 where there is none. */
int clump_method_named(const clump_method_table *table, const char *name);

/* --- level.c: the levels of the CPU backend. A level is the whole backend, compiled for one kind of processor. A
 * packaged build on x86-64 has several, and every context uses the best that the processor can run. All levels give the
 * same bits. cmake/ClumpLevels.cmake says which levels a build has. */

/* The environment variable that names the level of new contexts, for tests and bug reports. */
#define CLUMP_LEVEL_VARIABLE "CLUMP_CPU_LEVEL"

typedef struct clump_level {
    const char *name; /* as CLUMP_LEVEL_VARIABLE and clump_device_info have it: "v3" */
    const clump_backend_table *(*table)(void);
    bool (*runs_here)(void); /* whether processor and operating system can run it */
} clump_level;

/* Returns level i of this build, best first; null after the last. The last one runs everywhere. */
const clump_level *clump_level_at(int i);

/* Finds the level of a new context: the one that CLUMP_LEVEL_VARIABLE names, or the best that runs here where it is
 * unset or empty. On failure *out is null, and `why` has the sentence. */
clump_status clump_level_choose(const clump_level **out, clump_message *why);

/* --- context.c -------------------------------------------------------------------------------------- */

#define CLUMP_MAX_BACKENDS 2

/* A backend that has been opened. */
typedef struct clump_opened {
    const clump_backend_table *table;
    void *state;
} clump_opened;

/* Scratch memory of clump_piece_cluster. */
typedef struct clump_piece_buffers {
    clump_buffer labels, core, kept; /* per point, per point, per cluster */
    clump_buffer rim;                /* pairs for sorting, twice */
    clump_buffer borders, sorted;    /* as the backend wrote them; pairs for sorting, twice */
    clump_buffer choices;
} clump_piece_buffers;

/* Scratch memory of clusters per class (jobs/classes.h). */
typedef struct clump_class_buffers {
    clump_buffer groups;                 /* the group of each id, and the groups */
    clump_buffer taken, order;           /* points that take part; the same by cloud and group */
    clump_buffer points, labels, core;   /* in that order */
    clump_buffer heights, fresh;         /* clump_objects, in that order: heights; the list of each cloud */
    clump_buffer offsets, radii, counts; /* of the clouds of the batch */
    clump_buffer clusters, keys;
    clump_buffer objects;  /* clump_objects: of the clusters */
    clump_buffer again;    /* points of clusters that are split */
    clump_buffer fetched;  /* of a device: points, mask and classes */
    clump_buffer produced; /* for a device: labels and core flags */
    clump_buffer scene;    /* clump_detect: ground, heights and mask */
} clump_class_buffers;

struct clump_context {
    clump_work work;
    clump_context_options options;  /* threads already resolved: at least 1 */
    clump_adapt adapt;              /* work.adapt, where the caller asked for threads = 0 */
    bool warned_nice, warned_cores; /* the log has its warning */
    const clump_level *level;       /* of the CPU backend */
    clump_stats stats;
    char reason[sizeof((clump_stats *)0)->reason];  /* of this call; copied to stats when it succeeds */
    char no_cuda[sizeof((clump_stats *)0)->reason]; /* why AUTO no longer tries the GPU; "" while it does */
    clump_opened backends[CLUMP_MAX_BACKENDS];      /* table null: not opened */
    clump_loads load, merge_load;                   /* of the last call, and of its merge step */
    clump_buffer alike;                             /* clump_erccl: the table of core/alike.h */
    clump_piece_buffers piece;
    clump_class_buffers classes;
    clump_buffer ring_cells;                                /* clump_objects: scratch memory of core/rings_doubt.c */
    clump_buffer batch_labels;                              /* clump_describe_batch: labels numbered over all clouds */
    clump_buffer density, density_parents, density_heights; /* clump_hdbscan: scratch memory and the tree */
    clump_buffer icp_scratch;                               /* clump_icp */
    clump_buffer icp_thin[3];                               /* clump_icp: a hash table, the thinned target and source */
    clump_index *icp_index;  /* clump_icp: index of the last target; null before the first */
    clump_index *icp_source; /* clump_icp: that of the last source, for GICP */
};

/* Bytes taken from the allocator for a context: whole cache lines, as for every buffer. */
#define CLUMP_CONTEXT_BYTES ((sizeof(clump_context) + 63) / 64 * 64)

/* Begins the public call named `call`: clears the error text. CLUMP_ERR_CANCELLED where the cancel flag is already
 * set. */
clump_status clump_begin(clump_context *ctx, const char *call);

/* Checks a view of points as every public call must: null, stride, place, count. `call` is the public name for the
 * message. On success *stride is in bytes and at least 12. */
clump_status clump_check_points(clump_work *work, const char *call, clump_points points, size_t *stride);

/* Chooses the backend for a call on `points` points, opens it on first use, and writes the reason into the context.
 * Under CLUMP_BACKEND_AUTO the CPU takes over where the GPU cannot be opened. */
clump_status clump_context_open(clump_context *ctx, clump_place place, const clump_method *method, size_t points,
                                clump_opened *out);

/* Opens the backend `id`, which holds the object named `what`. Fails where the context was made for another backend. */
clump_status clump_context_open_on(clump_context *ctx, clump_backend id, const char *what, clump_opened *out);

/* Opens the CPU, also beside another backend, for a step that the CPU alone has. */
clump_status clump_context_open_cpu(clump_context *ctx, clump_opened *out);

/* Returns whether a call that failed on the GPU may run again on the CPU, and if so opens the CPU in *out.
 * Conditions: the failure is the device's, the backend is CLUMP_BACKEND_AUTO, the memory is on the host. The reason
 * in the context then tells why. */
bool clump_context_fall_back(clump_context *ctx, clump_place place, clump_status failure, clump_opened *out);

/* Builds *index on the backend `on`. An index that is already on this backend is rebuilt in its memory. `points` are
 * checked, their stride is in bytes. A failure may leave an index without points in *index. */
clump_status clump_index_make(clump_context *ctx, const clump_opened *on, const clump_index_options *options,
                              clump_points points, clump_index **index);

/* Returns the backend's state of an index. */
const void *clump_index_state(const clump_index *index);

/* Adds the bytes that an index holds to host_bytes and device_bytes. A null index holds none. */
void clump_index_add_bytes(const clump_index *index, clump_stats *stats);

/* clump_index_knn inside the public call named `call`, which has begun (index.c). */
clump_status clump_index_k_nearest(clump_context *ctx, const char *call, const clump_index *index, clump_points queries,
                                   int k, float max_distance, int32_t *indices, float *distances_squared);

/* clump_index_nearest with guesses in `indices`, as in clump_query_job (index.c). `points` are those of the index. */
clump_status clump_index_nearest_again(clump_context *ctx, const clump_index *index, clump_points points,
                                       clump_points queries, bool moved, float max_distance, int32_t *indices,
                                       float *distances_squared);

/* Fills the common part of a job for the running public call and checks points, order and size limits. Radius and bound
 * stay 0. On success in->stride is in bytes and at least 12. `wait` as in clump_cloud_job; host
 * memory implies it. */
clump_status clump_call_input(clump_work *work, clump_points points, const clump_clustering *common, int32_t *labels,
                              bool wait, clump_cloud_job *in);

/* Sets in->d to d and in->bound to its square. Fails unless both are normal, finite and above 0. `name` names d. */
clump_status clump_call_radius(clump_work *work, const char *name, float d, clump_cloud_job *in);

#define CLUMP_CALL_SPANS 8 /* the most that clump_call_check_memory accepts besides its own three */

/* Checks that there are labels, and alignment and overlap of the points, the mask, the labels and `count` other pieces
 * of memory. */
clump_status clump_call_check_memory(clump_context *ctx, const clump_cloud_job *job, const clump_span *others,
                                     size_t count);

/* Checks the options of the ground for the running public call (ground.c). */
clump_status clump_ground_check(clump_context *ctx, const clump_ground_options *options);

/* Make the job of a clustering from its options, and check all but memory and method, for the running public call
 * (ec.c, dbscan.c, erccl.c, objects.c). Cookies have been checked. `wait` as in clump_call_input. */
clump_status clump_ec_make_job(clump_context *ctx, clump_points points, float d, const clump_ec_options *options,
                               int32_t *labels, bool wait, clump_ec_job *job);
clump_status clump_dbscan_make_job(clump_context *ctx, clump_points points, float eps, size_t min_points,
                                   const clump_dbscan_options *options, int32_t *labels, bool wait,
                                   clump_dbscan_job *job);
clump_status clump_erccl_make_job(clump_context *ctx, clump_points points, const clump_erccl_options *options,
                                  int32_t *labels, bool wait, clump_erccl_job *job);
clump_status clump_objects_make_job(clump_context *ctx, clump_points points, const clump_objects_options *options,
                                    int32_t *labels, bool wait, clump_objects_job *job);

/* Checks the numbers of rings in host memory, once their address has been checked, and whether rings or rows are plausible.
 * CLUMP_NEIGHBOURS_AUTO loses those that are not (objects.c). */
clump_status clump_objects_check_rings(clump_context *ctx, clump_objects_job *job, clump_ring_doubt *doubt);

/* Adds the memory of clump_objects besides points, mask and labels to `spans`; returns the number of entries (objects.c). */
enum { CLUMP_OBJECTS_SPANS = 2 };
size_t clump_objects_spans(const clump_objects_job *job, clump_span *spans);

/* clump_tree inside the public call that has begun; options and memory have been checked (tree.c). */
clump_status clump_tree_call(clump_context *ctx, clump_points points, const clump_tree_options *options,
                             int32_t *parents, float *heights);

/* Checks a tree that the caller has given, and its memory besides `others` (tree.c). */
clump_status clump_tree_check(clump_context *ctx, const int32_t *parents, const float *heights, size_t count,
                              const clump_span *others, size_t other_count);

/* clump_detect inside the public call that has begun (detect.c). */
clump_status clump_detect_run(clump_context *ctx, clump_points points, const clump_detect_options *options,
                              int32_t *labels, clump_cluster *clusters, int32_t capacity, int32_t *cluster_count);

/* Runs a job on the backend that was opened. CLUMP_CALL_RUN defines such a function `run` for a member of the table. */
typedef clump_status clump_call_run(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats);
#define CLUMP_CALL_RUN(member)                                                                                         \
    static clump_status run(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats)           \
    {                                                                                                                  \
        return on->table->member(&ctx->work, on->state, job, stats);                                                   \
    }

/* Finishes a clustering call whose arguments are checked: finds the method `value` in the table, chooses a backend,
 * runs `job` there, and keeps the figures for clump_stats. Runs once more on the CPU where clump_context_fall_back()
 * allows it. `in` is the common part of the job. */
clump_status clump_call(clump_context *ctx, const clump_method_table *methods, int value, clump_call_run *run,
                        const void *job, const clump_cloud_job *in, int32_t *cluster_count);

/* Runs a job that is no clustering on a backend: as clump_call, but the figures for clump_stats stay what they are. */
clump_status clump_call_without_figures(clump_context *ctx, clump_place place, const clump_method *method,
                                        size_t points, clump_call_run *run, const void *job);

/* Checks the options of clump_describe for the running public call, and replaces a stride and a capacity of 0 by their
 * meaning (describe.c). */
clump_status clump_describe_check(clump_context *ctx, clump_place points_place, clump_describe_options *options);

/* Checks alignment and overlap of the memory of a description (describe.c). */
clump_status clump_describe_check_memory(clump_context *ctx, const clump_describe_job *job);

/* The figures before a run: zeros, except threads = passes = 1 and ground_level = NaN. */
clump_stats clump_stats_before(void);

/* Replaces the stats of the context by the figures of a run that succeeded. Points and queries stay 0 for the
 * caller. */
void clump_keep_stats(clump_context *ctx, clump_backend backend, const char *method, const clump_stats *stats);

/* Removes the entries of both loads. */
void clump_load_clear(clump_context *ctx);

/* --- seed.c: seeds for the key of a context's hash tables (rules/hash.h) ---------------------------- */

/* Returns 64 bits that a caller cannot predict, from the system's random numbers. Falls back to
 * clump_seed_from_clock() where the system has none. */
uint64_t clump_seed_draw(const void *address);

/* Returns a mix of the time, `address` and an address on the stack. Two calls return different seeds if the clock has
 * advanced or `address` differs. */
uint64_t clump_seed_from_clock(const void *address);

#endif
