/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers.h: the experiments of the four papers, by name. An experiment repeats some figures or tables of a paper. It is
 * a contest (contest.h), or a function that computes values without a clock. Both make rows of one form, so that one
 * report can draw them all:
 *
 *     bench/results/papers/MACHINE.csv     the rows of one machine; MACHINE is the GPU where there is one
 *     build/papers/report.html             made of the files of all machines (report.h)
 *
 * The room:
 *
 *     papers.c                                the command line; rows of all experiments
 *     frames.c                                consecutive frames of a sensor with 64 beams
 *     program.c                               runs the program, for pictures and measures
 *     papers_ec*.c, papers_dbscan*.c,         one paper each: its experiments, charts and given numbers
 *     papers_erccl*.c, papers_nn*.c
 *     papers_sim.c                            simulated scans beside real ones
 *
 * bench/claims judges the rows, bench/report draws them. Words of the three rooms: an `experiment` repeats figures or
 * tables of a paper. A `series` is a line of its chart. A `claim` is a sentence of the paper that the rows decide; the
 * `verdict` is holds, does not hold or cannot be told. A `given number` is printed in the paper, or was measured of its
 * authors' code. A call is `warm` with a context that has been used before; it is `cold` with a new one, pageable
 * memory, and lists of indices made.
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

    /* Set by the writer, found by the reader. */
    const char *gpu, *machine, *compiler, *clump, *date;
    int cores;
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

/* What a chart shows of the rows. */
typedef enum papers_measure {
    MEASURE_TIME,    /* median_ms */
    MEASURE_SPEEDUP, /* median_ms of the series `base` at the same x over that of the series; base null: of the row of
                      * the same line with the least x */
    MEASURE_PASSES,
    MEASURE_CLUSTERS,
    MEASURE_VALUE,
    MEASURE_STAGES, /* stacked: upload, build, initial, cluster, merge, label, download; one group of bars per x */
    MEASURE_PICTURE /* no rows: the picture `base` ("reach-2.png") of the folder of the report */
} papers_measure;

/* A chart of the report, for a figure of the paper. Below it stands the table of its numbers. */
typedef struct papers_chart {
    const char *experiment;
    const char *figure; /* "Fig. 4"; "": none of the paper's */
    const char *title, *x_label, *y_label;
    papers_measure measure;
    const char *base;    /* see papers_measure */
    const char *series;  /* null: all; else some, "vertex-rs,edge-rs" */
    const char *backend; /* null: both, as separate lines; else "cpu" or "cuda" */
    bool log_x, log_y;
    bool bars;           /* x has few values: bars instead of lines */
    const char *x_names; /* null, or the names of x = 0, 1, 2 ...: "t-junction,road" */
    const char *source;  /* of the given numbers: null: the paper; else what the legend says: "authors' code, H200" */
} papers_chart;

/* A number that the paper gives, drawn and printed beside ours. */
typedef struct papers_given {
    const char *experiment, *series;
    double x;
    papers_measure measure;
    double number;
} papers_given;

/* A paper; its experiments are defined in a file of their own. */
typedef struct papers_paper {
    const char *name;  /* "ec", "erccl", "dbscan", "nn", "sim": the first part of the names of its experiments */
    const char *title; /* "Fast Euclidean Cluster Extraction Using GPUs" */
    const char *authors;
    const papers_experiment *experiments;
    size_t count;
    const papers_chart *charts;        /* ended by one without an experiment */
    const papers_given *given;         /* ended by one without an experiment */
    const struct papers_claim *claims; /* report.h; ended by one without a judge */
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

/* --- reading -------------------------------------------------------------------------------------------------- */

/* The content of a file, which strings of rows point into. */
typedef struct papers_text {
    char *text;
    struct papers_text *next;
} papers_text;

/* Zeroed is valid. */
typedef struct papers_table {
    papers_row *rows;
    size_t count;
    papers_text *texts;
} papers_table;

/* Returns the content of a file with a 0 behind it; null where it cannot be read, or has a 0 in it. The caller frees
 * it. */
char *papers_read_text(const char *path);

/* Bounds of what is read. Time and memory of the report grow with the square of the rows. csv_save() reads lines of up to
 * 2047 characters. */
#define PAPERS_MOST_ROWS 20000
#define PAPERS_MOST_LINE 2000

/* Reads a file of rows and appends them. Returns false with a sentence in why: the file cannot be read, a line is not a
 * row, or the file is of another version of this program (its first line differs). */
bool papers_read(const char *path, papers_table *out, clump_message *why);
void papers_table_free(papers_table *table);

/* --- frames.c: consecutive frames of a sensor with 64 beams, for the experiments whose papers took them from KITTI */

/* Reads the first frames of KITTI's sequence 00 in settings.data, 1 or 2. Where one is missing, simulates all of them
 * instead: an HDL-64E in a street. Returns false with a sentence in why; no cloud is then left to free. */
bool frames_make(size_t count, bench_cloud *out, bool *simulated, clump_message *why);

/* --- papers_nn.c: the experiments of the paper on nearest neighbours. Its clouds are two consecutive frames of a
 * sensor with 64 beams (papers.h): the first is the reference, the second the queries. */

/* The rows of nn-table: x. */
enum { NN_CONSTRUCTION = 0, NN_QUERY = 1, NN_TOTAL = 2, NN_PARTS = 3 };

extern const contest_job nn_table_job, nn_size_job, nn_small_job;
bool nn_compute_window(csv *rows, contest_totals *totals, clump_message *why);

/* --- program.c: runs the program `clump`, for pictures and for measures that it computes ------------ */

/* Runs the program that was built with the bench. words: its arguments, ended by null. Puts what it prints into out, at
 * most size - 1 bytes, and a 0 behind it; out may be null. Returns false with a sentence in why. */
bool program_run(const char *const words[], char *out, size_t size, clump_message *why);

/* Returns the number behind the first "key": in JSON text; NaN where there is none. */
double program_number(const char *json, const char *key);

/* Makes the folder of the pictures and of other files, papers.folder. Returns false with a sentence in why. */
bool program_make_folder(clump_message *why);

#endif
