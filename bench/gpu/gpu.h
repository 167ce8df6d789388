/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gpu.h: the bench of the CUDA backend. It has parts with names. A part measures rows: one method on one cloud, in one
 * kind of memory, on the GPU or on the CPU. Every row is compared with the answers of `fast` on the CPU first.
 *
 *     gpu.c            the command line and the parts
 *     gpu_measure.c    one row
 *     gpu_clusters.c   parts "fast", "dbscan", "erccl" and "crossover"
 *     gpu_detect.c     parts "describe" and "detect"
 *     gpu_objects.c    part "objects"
 *     gpu_nn.c         part "nn"
 *     gpu_pieces.c     part "pieces"
 */
#ifndef CLUMP_BENCH_GPU_H
#define CLUMP_BENCH_GPU_H

#include "harness/cases.h"
#include "harness/contest.h"

#include <clump/info.h>
#include <clump/index.h>

typedef enum gpu_memory {
    MEMORY_PAGEABLE, /* ordinary memory of the host, both copies included */
    MEMORY_PINNED,   /* page-locked host memory */
    MEMORY_DEVICE,   /* points and labels stay on the GPU; the call waits for the number of clusters */
    MEMORY_RUNNING,  /* as MEMORY_DEVICE, without waiting: a sample is the mean of several calls and one wait */
    MEMORIES
} gpu_memory;
extern const char *const gpu_memory_names[MEMORIES]; /* in the CSV file */

typedef enum gpu_kind {
    GPU_EC,
    GPU_DBSCAN,
    GPU_ERCCL,
    GPU_NN,
    GPU_ICP,
    GPU_DESCRIBE,
    GPU_DETECT,
    GPU_OBJECTS
} gpu_kind;

enum { GPU_CAPACITY = 2048 }; /* boxes of GPU_DESCRIBE and GPU_DETECT that there is room for */

/* One measurement. */
typedef struct gpu_job {
    const char *part, *cloud;
    char parameters[160];
    gpu_kind kind;
    int method;                    /* of the kind; GPU_OBJECTS: clump_neighbour_kind */
    float d;                       /* also eps */
    float per_metre;               /* GPU_EC, GPU_OBJECTS: growth of the radius */
    size_t min_points;             /* GPU_DBSCAN */
    clump_erccl_options obstacles; /* GPU_ERCCL: all but the method */
    int k;                         /* GPU_NN */
    float thin;                    /* GPU_DETECT */
    double keep;                   /* GPU_ICP: share of the pairs in use */
    bench_cloud points, queries;   /* queries: GPU_NN, and the source of GPU_ICP */
    int32_t *labels;               /* GPU_DESCRIBE: of the points, by clump_ec; freed by the caller of gpu_expect() */
    clump_backend backend;
    int threads; /* of the CPU; 0: the default */
    gpu_memory memory;
    double target_ms; /* at most; 0 = none set */
    bool quick;       /* fewer runs */
    int32_t clusters; /* what `fast` on the CPU found: set by gpu_expect() */
    uint64_t hash;    /* of the labels, or the indices; of GPU_DESCRIBE of the boxes */
    uint64_t boxes;   /* GPU_DETECT: hash of the boxes */
} gpu_job;

typedef struct gpu_row {
    samples_summary time;
    clump_stats stats; /* of a call that waited; of GPU_NN the sum of both calls */
    clump_icp_result icp;
    int32_t clusters;
    uint64_t hash, boxes;
    bool refused; /* no memory; the note has the sentence */
    bool failed;  /* any other failure */
    bool differs; /* other answers than expected */
    char note[320];
} gpu_row;

/* The run of the program. */
typedef struct gpu_bench {
    machine host;
    clump_device_info gpu;
    bool quick;
    contest_totals totals;
    csv rows, notes; /* notes: sentences on the rows of this cloud */
} gpu_bench;

const char *gpu_method_name(const gpu_job *job);

/* Runs the job once on the CPU, by `fast` (azimuth by itself), for the answers of all rows. Returns false with a
 * sentence in why. */
bool gpu_expect(gpu_job *job, clump_message *why);

/* Measures in a context of its own, so that its memory is that of this method on this cloud. */
void gpu_measure(const gpu_job *job, gpu_row *out);

/* Makes the cloud of the case, and what is expected of the job. Prints the begin of a line. Returns false after a line
 * that says why the cloud is left out. The caller frees job->points. */
bool gpu_begin(gpu_job *job, const bench_case *item);

/* Measures, counts and keeps a row. width: of the printed cell, negative for text to the left; 0: none. */
gpu_row gpu_take(gpu_bench *g, const gpu_job *job, int width);

/* Keeps a row. */
void gpu_keep(gpu_bench *g, const gpu_job *job, const gpu_row *row);

/* The text of a cell: "0.0523 [0.06 ok]", "refused". */
void gpu_cell(const gpu_job *job, const gpu_row *row, char *out, size_t size);

/* Ends a cloud: prints the notes, writes the CSV file. Returns false after a sentence on standard error. */
bool gpu_finish(gpu_bench *g);

/* The parts. They print a table while they measure. All return what gpu_finish() returns. */
bool gpu_part_fast(gpu_bench *g);
bool gpu_part_crossover(gpu_bench *g);
bool gpu_part_dbscan(gpu_bench *g);
bool gpu_part_erccl(gpu_bench *g);
bool gpu_part_nn(gpu_bench *g); /* and ICP */
bool gpu_part_describe(gpu_bench *g);
bool gpu_part_detect(gpu_bench *g);
bool gpu_part_objects(gpu_bench *g);
bool gpu_part_pieces(gpu_bench *g);

/* For parts of clouds in every kind of memory: the head of the table; one line of it, its begin is that of gpu_begin();
 * its end. */
void gpu_print_header(const char *sentence, const char *more);
void gpu_measure_memories(gpu_bench *g, gpu_job *job, double pinned_ms, double device_ms);
void gpu_measure_host(gpu_bench *g, gpu_job *job); /* on the CPU: with one thread, and with one thread per core */
bool gpu_end_line(gpu_bench *g, gpu_job *job);     /* returns what gpu_finish() returns */

/* All of main(): clump_bench gpu. */
int bench_gpu(int argc, char **argv);

#endif
