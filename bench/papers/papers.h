/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers.h: the experiments of the four papers, by name. An experiment repeats some figures or tables of a paper. It is
 * a contest (contest.h), or a function that computes values without a clock. Both make rows of one form, so that one
 * report can draw them all:
 *
 *     bench/results/papers/MACHINE.csv     the rows of one machine; MACHINE is the GPU where there is one
 *     build/papers/report.html             made of the files of all machines (bench/report)
 *
 * The room:
 *
 *     papers.c                                the command line
 *     rows.c                                  rows of all experiments
 *     frames.c                                consecutive frames of a sensor with 64 beams
 *     program.c                               runs the program, for pictures and measures
 *     pictures.c                              pictures of clusters; those of two papers
 *     papers_ec*.c, papers_dbscan*.c,         one paper each: its experiments
 *     papers_erccl*.c, papers_nn*.c
 *     papers_sim.c                            simulated scans beside real ones
 *
 * bench/report (Python) reads the files: it judges the claims, draws the charts and writes the tables. Words of both rooms:
 * an `experiment` repeats figures or tables of a paper. A `series` is a line of its chart. A call is `warm` with a context
 * that has been used before; it is `cold` with a new one, pageable memory, and lists of indices made.
 */
#ifndef CLUMP_BENCH_PAPERS_H
#define CLUMP_BENCH_PAPERS_H

#include "harness/clouds.h"
#include "harness/contest.h"

#include <clump/clump.h>

/* The columns of a row. A row is one contestant at one point of an experiment: a symbol in a chart, a cell of a table.
 * Numbers that do not apply are 0; `value` that does not apply is NaN, "nan" in the file. A contestant that was left out
 * has a row with 0 runs, 0 ms and a note why. Rows of one series, backend and x that differ in threads are separate lines
 * of a chart. */
#define PAPERS_HEADER                                                                                                  \
    "case,experiment,series,x,backend,threads,points,runs,median_ms,min_ms,upload_ms,build_ms,initial_ms,cluster_ms,"  \
    "merge_ms,label_ms,download_ms,passes,clusters,value,labels_hash,agree,version,note,gpu," CSV_MACHINE

typedef struct papers_row {
    const char *name;       /* of the case, unique among all experiments: "ec-size-4096"; the key of the file */
    const char *experiment; /* "ec-size" */
    const char *series;     /* "vertex-rs", "pcl-best", "vertex-rs cold": a line of the chart */
    double x;               /* place on the x axis: points, clusters, r, threads, frame ... */
    const char *backend;    /* "cpu" or "cuda" */
    int threads;
    size_t points, runs;
    double median_ms, min_ms;
    double upload_ms, build_ms, initial_ms, cluster_ms, merge_ms, label_ms, download_ms; /* as in clump_stats */
    long long passes;
    long clusters;
    double value;        /* what the experiment says it is: accuracy in %, recall in %, utilisation, bytes ... */
    uint64_t hash;       /* of the labels; 0: none */
    const char *agree;   /* "yes", "no": the answers equal those of `fast` on the CPU; "": not compared */
    const char *version; /* of the contestant */
    const char *note;    /* a sentence, or "" */
} papers_row;

/* An experiment: `job` or `compute` is not null. */
typedef struct papers_experiment {
    const char *name;    /* "ec-size" */
    const char *figures; /* "Figs 4, 5, 6" */
    const char *title;   /* "Time against the number of points" */
    const contest_job *job;
    /* Adds rows by papers_add(). Returns false with a sentence in why where nothing could be computed; the experiment is
     * then left out, and the sentence printed. */
    bool (*compute)(csv *rows, contest_totals *totals, clump_message *why);
} papers_experiment;

/* A paper; its experiments are defined in a file of their own. */
typedef struct papers_paper {
    const char *name; /* "ec", "erccl", "dbscan", "nn", "sim": the first part of the names of its experiments */
    const papers_experiment *experiments;
    size_t count;
} papers_paper;

extern const papers_paper papers_ec, papers_erccl, papers_dbscan, papers_nn, papers_sim;
extern const papers_paper *const papers_all[]; /* ended by null */

/* What the command line says, besides `settings`. */
typedef struct papers_settings {
    bool quick;         /* at most 5 minutes for all, on 2 cores: fewer sizes, fewer rounds */
    bool no_gpu;        /* leave the GPU out; also where there is none */
    const char *rivals; /* folder of the modules */
    const char *folder; /* where pictures go: build/papers */
    char gpu[96];       /* "NVIDIA H200"; "": there is none */
} papers_settings;
extern papers_settings papers;

/* Adds a whole row, for compute(). The last members are found here. */
void papers_add(csv *rows, const papers_row *row);

/* For contest_job.row of every experiment: papers_row_of() returns the row of a contestant, with times, stages, passes,
 * clusters and hash; fill experiment, x and what else is wanted; papers_put() writes it without the columns of
 * CSV_MACHINE, which contest_play() adds. */
papers_row papers_row_of(const contest *c, const contestant *who);
void papers_put(csv *rows, const papers_row *row);

/* main() of `clump_bench papers`. */
int papers_main(int argc, char **argv);

/* --- frames.c: consecutive frames of a sensor with 64 beams, for the experiments whose papers took them from KITTI */

/* Reads the first frames of KITTI's sequence 00 in settings.data, 1 or 2. Where one is missing, simulates all of them
 * instead: an HDL-64E in a street. Returns false with a sentence in why; no cloud is then left to free. */
bool frames_make(size_t count, bench_cloud *out, bool *simulated, clump_message *why);

/* --- papers_nn*.c: the experiments of the paper on nearest neighbours. Its clouds are two consecutive frames of a
 * sensor with 64 beams (papers.h): the first is the reference, the second the queries. */

/* The rows of nn-table: x. */
enum { NN_CONSTRUCTION = 0, NN_QUERY = 1, NN_TOTAL = 2, NN_PARTS = 3 };
enum { NN_TRIALS = 10 }; /* of the paper's table, at least */

extern const contest_job nn_table_job, nn_size_job, nn_small_job, nn_memory_job;
bool nn_compute_window(csv *rows, contest_totals *totals, clump_message *why);

/* --- program.c: runs the program `clump`, for pictures and for measures that it computes ------------ */

/* Runs the program that was built with the bench. words: its arguments, ended by null. Puts what it prints into out, at
 * most size - 1 bytes, and a 0 behind it; out may be null. Returns false with a sentence in why. */
bool program_run(const char *const words[], char *out, size_t size, clump_message *why);

/* Returns the number behind the first "key": in JSON text; NaN where there is none. */
double program_number(const char *json, const char *key);

/* Makes the folder of the pictures and of other files, papers.folder. Returns false with a sentence in why. */
bool program_make_folder(clump_message *why);

/* --- pictures.c: pictures of clusters ---------------------------------------------------------------- */

/* Writes a file of the folder. Returns false with a sentence in why. */
bool picture_write(const char *name, const void *bytes, size_t size, clump_message *why);

/* Draws a picture into the folder. labels, rgb: of each point, or null. look: further options of `clump view`, ended by null.
 * Returns false with a sentence in why. */
bool picture_draw(const char *file, const bench_cloud *cloud, const int32_t *labels, const uint8_t *rgb,
                  const char *const look[], clump_message *why);

/* Adds the row of a picture. */
void picture_row(csv *rows, const char *experiment, const char *series, double x, const char *file, size_t points,
                 long clusters);

bool ec_compute_pictures(csv *rows, contest_totals *totals, clump_message *why);
bool dbscan_compute_pictures(csv *rows, contest_totals *totals, clump_message *why);

#endif
