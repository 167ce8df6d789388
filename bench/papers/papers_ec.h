/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers_ec.h: what the experiments of the Euclidean clustering paper share: contestants, frames of sensors, and the
 * numbers that are given.
 *
 * The reference of every case is `fast` on the CPU with one thread. On a GPU, points and labels are in pinned memory and
 * the context is warm, unless the series says "cold".
 */
#ifndef CLUMP_BENCH_PAPERS_EC_H
#define CLUMP_BENCH_PAPERS_EC_H

#include "papers/papers.h"

#include <clump/info.h>
#include <clump/papers.h>

enum { EC_SIX = 6 };
extern const clump_ec_method ec_six[EC_SIX]; /* ES first: vertex, edge, matrix */
bool ec_is_exhaustive(clump_ec_method method);

/* What a case of these experiments has in contest.scratch. */
typedef struct ec_case {
    const char *experiment;
    double x;
    float d;
} ec_case;

/* How a contestant of ours is called: contestant.state, made by ec_enter(). */
typedef struct ec_call {
    char name[48]; /* of the contestant */
    clump_ec_options options;
    clump_papers papers;    /* of these options */
    double x;               /* place of its row; NaN: that of the case */
    bool cold;              /* a new context per run, pageable memory, and lists of indices: papers_ec_cold.c */
    float *xyz;             /* pinned memory of a GPU; null: the points of the cloud are used */
    int32_t *labels;        /* pinned, too */
    struct ec_print *found; /* papers_ec_sensors.c: per frame */
    size_t frames;          /* papers_ec_sensors.c: frames of a run, */
    samples *times;         /* the times of each, */
    clump_stats sum;        /* and the sum of their stages */
} ec_call;

/* --- contestants (papers_ec_run.c) --------------------------------------------------------------- */

/* Loads PCL and measures how long the ES methods take per pair of points on the CPU; once. */
void ec_begin(void);

/* Returns the longest first run on the CPU, in seconds; longer ones are left out. */
double ec_limit(void);

/* Returns the expected time of a run on the CPU; 0 where it is not known (RS). */
double ec_expected_seconds(clump_ec_method method, size_t points);

/* Makes c->scratch. Returns false with a sentence in why. */
bool ec_make_case(contest *c, const char *experiment, double x, float d, clump_message *why);

/* Enters a contestant on c->clouds[0]: the method, on the CPU with this number of threads, or on the GPU. suffix: added to
 * the name of the series. Returns null where there is no room. A method that would take longer than c->limit_seconds is
 * left out. */
contestant *ec_enter(contest *c, clump_ec_method method, int threads, const char *suffix);
ec_call *ec_call_of(const contestant *who); /* null for rivals */

/* Enters vertex or edge with labels in place, as the series "vertex-rs in place". */
void ec_enter_in_place(contest *c, clump_ec_method method, int threads);

/* Leaves the contestant out, because a run would take these seconds. */
void ec_leave_out(contestant *who, double seconds);

/* Enters `fast` (1 thread, all threads, GPU), the six on the CPU and the GPU, `bfs`, and PCL. */
void ec_enter_all(contest *c);

/* For contest_job. */
bool ec_run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS]);
bool ec_fetch(contest *c, contestant *who);
void ec_note(const contest *c, contestant *who);
void ec_leave(contestant *who);
void ec_no_figures(contest *c, contest_totals *totals);
void ec_put_row(const contest *c, const contestant *who, csv *rows); /* value: bytes of scratch memory */

/* Says that the run could not be done for want of memory, or why it failed. */
void ec_refuse(contestant *who, clump_status status, const char *error);

/* The members of a contest_job that all experiments share; those of clouds with rounds that fit into 1 s, 3 to 25; and
 * those of experiments with ec_run(). */
#define EC_JOB           .program = "clump_bench papers", .csv_header = PAPERS_HEADER, .hash = true
#define EC_JOB_OF_CLOUDS EC_JOB, .seconds = 1, .turn_seconds = CONTEST_TURN_SECONDS, .once_seconds = 0.1
#define EC_JOB_OF_CALLS                                                                                                \
    EC_JOB_OF_CLOUDS, .run = ec_run, .fetch = ec_fetch, .note = ec_note, .leave = ec_leave, .row = ec_put_row

/* --- frames of sensors (papers_ec_frames.c) ------------------------------------------------------ */

/* The sensors of Table 3, and a frame of KITTI. */
enum { EC_VLP16, EC_HDL32E, EC_HDL64E, EC_HDL64E_HIGH, EC_KITTI, EC_SENSORS };
extern const char *const ec_sensor_names[EC_SENSORS]; /* "vlp-16" */

/* Frames one after the other: frame f has the points begin[f] ... begin[f + 1] - 1. */
typedef struct ec_frames {
    bench_cloud all;
    size_t count;
    size_t *begin; /* count + 1 entries */
    double side;   /* of the voxels that kept one point each, in m; 0: all points stay */
    double range;  /* of the points that stay, in m */
} ec_frames;

/* Makes the frames: obstacles (clump_ground removes the ground), thinned so that the mean number
 * of points is that of Table 3. Returns false with a sentence in why. */
bool ec_frames_make(int sensor, size_t count, ec_frames *out, clump_message *why);
void ec_frames_free(ec_frames *frames); /* all, too */

/* --- jobs and numbers ---------------------------------------------------------------------------- */

extern const contest_job ec_size_job, ec_clusters_job, ec_degree_job, ec_distance_job; /* papers_ec_factors.c */
extern const contest_job ec_order_n_job, ec_order_k_job;                               /* papers_ec_factors.c */
extern const contest_job ec_in_place_job, ec_block_job, ec_threads_job;                /* papers_ec_options.c */
extern const contest_job ec_sensors_job, ec_cold_job;

/* Returns the time that is given; 0 where there is none. */
double ec_given_ms(const char *experiment, const char *series, double x);

/* Returns whether the GPU is the one on which the authors' code was measured. */
bool ec_is_h200(void);

#endif
