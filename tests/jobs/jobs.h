/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs.h: the table of all public jobs. A row makes options, runs the calls of its job on any cloud with any context, and hashes
 * all that they write. A property that every call has is one program over the rows: tests/jobs/. What is true of one job alone
 * is tested in a file of that job.
 *
 *     FOR_JOBS (j, method) {
 *         job_run r = {.c = &street, .method = method, .turn = JOB_PLAIN};
 *         const clump_status status = job_do(j, ctx, &r);     // then r.hash
 *     }
 *
 * Outputs of a row come from job_room(), inputs go through job_points() and job_send(): jobs_memory.c has them in any kind of
 * memory, looks whether an input was written, or something behind an output, and hashes the outputs.
 */
#ifndef CLUMP_TESTS_JOBS_H
#define CLUMP_TESTS_JOBS_H

#include "hostile/hostile_case.h"
#include "support/on_gpu.h"

#include <clump/classes.h>

enum { JOB_PLAIN = -1, JOB_ROOMS = 24 };

typedef struct job job;

/* Memory of a row: an output, an input that is sent, or scratch memory. */
typedef enum job_use { JOB_OUTPUT, JOB_INPUT, JOB_SCRATCH } job_use;
typedef struct job_block {
    job_use use;
    gpu_place place;
    char *here;                  /* in host memory: what was sent, or what was found */
    char *there;                 /* where the call has it; the same for outputs in host memory */
    size_t bytes, held, defined; /* that were asked for; that there are; up to here a call writes */
} job_block;

typedef struct job_run {
    const hostile_case *c; /* points, mask and distance; 0.5 suits job_street() */
    int method;            /* one of the row's */
    int turn;   /* JOB_PLAIN: options that suit job_street(); else random ones, from 1 on with eps_per_metre */
    int rounds; /* how often an object makes its calls, for rows that have one; 0 means 1 */

    /* Where points, masks, other inputs per point, and outputs are. `home` has that memory where it is not pageable: a context for
     * CUDA which does nothing else. */
    gpu_place place;
    clump_context *home;
    bool ahead; /* on a device: no call waits that need not, and counts and lists stay on the device, too */

    /* Hooks, all may be null. `failed` is called after a call that found no memory or was cancelled; the row then makes it again,
     * or where the object is lost all calls from the beginning. `change` may change options before their use; `table` as in
     * clump/options.h, or "min_points" for that of DBSCAN. `round` is called before each round, and after the last. */
    void (*failed)(clump_context *ctx, clump_status status, void *user);
    void (*change)(const char *table, void *options, void *user);
    void (*round)(int round, void *user);
    void (*points)(clump_points *points, void *user); /* may change what the calls get */
    void *user;

    uint64_t hash;       /* result: of all outputs */
    const char *spoiled; /* result: null, or what a call has written that it must not write */

    /* of the row */
    const job *of;
    job_block room[JOB_ROOMS];
    int rooms;
    const float *cloud; /* the points in their place; null until they are asked for */
    const uint8_t *mask;
    clump_classes classes;
} job_run;

/* Points on a device are taken; are refused by a sentence; or the row gives its calls host memory in any case. */
typedef enum job_device { JOB_TAKES, JOB_REFUSES, JOB_HAS_NONE } job_device;

struct job {
    const char *call; /* its sentences begin with this: "clump_ec", or "clump_index" for several calls */
    const char *what; /* what tells the row from others of the job; "" where there are none */
    const clump_method_table *methods; /* null: none, or not as a table */
    clump_status (*run)(clump_context *ctx, job_run *r);
    int kind;     /* for `run` */
    float factor; /* of the distance of the case */
    int polls;    /* least number for 3,000 points of job_street() by one thread, method 0: three quarters of today's */
    int bytes;    /* 0, or most memory per point that method 0 keeps */
    bool reserved; /* after clump_context_reserve its first call allocates nothing */
    bool wide;     /* a large cloud gives work to all threads */
    bool keeps;    /* objects take memory with every call: no call is warm */
    job_device device;
    bool host;  /* with any context it runs on the CPU: it needs no GPU */
    bool mixed; /* its last call may be one that runs on the CPU with any context */
    bool later; /* with points on a device its figures are not known when it returns */
};

extern const job jobs[];
extern const int job_count;

/* Returns the method of the row after `method`, -1 at first; -1: none. A row without a table has 0 alone. */
int job_next(const job *j, int method);
#define FOR_JOBS(j, method)                                                                                            \
    for (const job *j = jobs; j < jobs + job_count; j++)                                                               \
        for (int method = -1; (method = job_next(j, method)) >= 0;)

/* In tier 1 without the methods of papers: for properties of the backend, which all methods share. */
#define FOR_TIER_JOBS(j, method) FOR_JOBS(j, method) if (check_tier() > 1 || (method) == 0)

/* The same for the methods that CUDA has. */
int job_next_cuda(const job *j, int method);
#define FOR_CUDA_JOBS(j, method)                                                                                       \
    for (const job *j = jobs; j < jobs + job_count; j++)                                                               \
        for (int method = -1; (method = job_next_cuda(j, method)) >= 0;)

/* Whether the method compares all pairs of points. */
bool job_is_slow(const job *j, int method);

/* Runs a row. Returns the first failure that was not made up for. r->hash is 0 then. */
clump_status job_do(const job *j, clump_context *ctx, job_run *r);

/* Describes the run on one line. */
const char *job_text(const job *j, const job_run *r, char text[400]);

/* A cloud in front of a sensor: ground, a wall and heaps, some points not finite. For hostile_case_free(). */
hostile_case job_street(size_t count);

/* ----- for the rows ------------------------------------------------------------------------------------------------ */

/* The points of the case, fewer for slow methods: in host memory, or as the calls get them, with the mask. */
clump_points job_host_points(const job_run *r);
clump_points job_points(job_run *r);
const uint8_t *job_mask(job_run *r);
float job_distance(const job_run *r);

/* Room for an output, in the place of the run or in host memory. It is hashed and given back after the run. */
void *job_room(job_run *r, size_t bytes);
void *job_host_room(job_run *r, size_t bytes);

/* Room for a list: in host memory, but where a run is ahead on the device. May be null: *place. */
void *job_list_room(job_run *r, size_t bytes, clump_place *place);

/* Room for the number of clusters: null where the run is ahead, and common->clusters_on_device is set. */
int32_t *job_count_room(job_run *r, clump_clustering *common);
bool job_is_ahead(const job_run *r);

/* Host memory that is given back after the run, and its copy in the place of the run. */
void *job_scratch(job_run *r, size_t bytes);
const void *job_send(job_run *r, const void *memory, size_t bytes);

/* Returns an output as the host sees it, after the calls before. Memory that is not on a device is returned as it is. */
const void *job_look(clump_context *ctx, job_run *r, const void *output, clump_status *status);

/* Behind this byte the content of an output is not defined. */
void job_forget(job_run *r, const void *output, size_t from);

/* Ends a run: returns all memory, and sets hash and spoiled. */
void job_settle(clump_context *ctx, job_run *r, clump_status *status);

/* Gives back the memory for runs in places that are not pageable. */
void job_close(clump_context *home);

/* Classes for the first `count` points: some are split, kept or dropped when too large, one is not clustered. */
const clump_classes *job_classes(job_run *r, size_t count);

/* Labels in turn for the points of the host; points that are not finite are noise. */
int32_t *job_labels(job_run *r, int32_t clusters);
bool job_is_plain(const job_run *r);

/* Calls the hooks. */
void job_change(job_run *r, const char *table, void *options);
bool job_again(job_run *r, clump_context *ctx, clump_status status);
bool job_round(job_run *r, int round);

/* Makes a call, which may fail once. */
#define JOB_MAKE(ctx, r, status, call)                                                                                 \
    do {                                                                                                               \
        (status) = (call);                                                                                             \
        if (job_again(r, ctx, status)) (status) = (call);                                                              \
    } while (0)

enum { JOB_CUT = 1 }; /* the row of the tree with its cut */

clump_status job_tree(clump_context *ctx, job_run *r);
clump_status job_hdbscan(clump_context *ctx, job_run *r);
clump_status job_label(clump_context *ctx, job_run *r);
clump_status job_centers(clump_context *ctx, job_run *r);
clump_status job_nn(clump_context *ctx, job_run *r);
clump_status job_icp(clump_context *ctx, job_run *r);
clump_status job_deskew(clump_context *ctx, job_run *r);
clump_status job_odometry(clump_context *ctx, job_run *r);
clump_status job_map(clump_context *ctx, job_run *r);
clump_status job_tracker(clump_context *ctx, job_run *r);
clump_status job_memory(clump_context *ctx, job_run *r);
clump_status job_joint(clump_context *ctx, job_run *r);
clump_status job_piece(clump_context *ctx, job_run *r);

#endif
