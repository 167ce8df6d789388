/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one method on one cloud, in one kind of memory, on the GPU or on the CPU.
 */
#ifndef CLUMP_BENCH_GPU_MEASURE_H
#define CLUMP_BENCH_GPU_MEASURE_H

#include "cases.h"
#include "samples.h"

typedef enum gpu_memory {
    MEMORY_PAGEABLE, /* ordinary memory of the host, both copies included */
    MEMORY_PINNED,   /* host memory that the GPU copies by itself */
    MEMORY_DEVICE,   /* points and labels stay on the GPU; the call waits for the number of clusters */
    MEMORY_RUNNING,  /* the same without waiting: many calls, one wait, and the mean of them is a sample */
    MEMORIES
} gpu_memory;

const char *gpu_memory_name(gpu_memory memory);

/* What every row of a cloud is compared with: `fast` on the CPU. */
typedef struct gpu_reference {
    int32_t clusters;
    uint64_t labels_hash;
} gpu_reference;

typedef struct gpu_job {
    const char *part; /* "fast", "six", "crossover", "dbscan", "erccl" */
    const bench_case *item;
    const char *parameters; /* null: those of the item */
    const bench_cloud *cloud;
    clump_backend backend;
    int threads; /* of the CPU */
    clump_ec_method method;
    size_t min_points;                    /* 0: Euclidean clustering; else DBSCAN, with d as eps, */
    clump_dbscan_method density;          /* by this method */
    const clump_erccl_options *obstacles; /* null, or clump_erccl with these */
    gpu_memory memory;
    double target_ms; /* at most; 0 = none set */
    bool quick;       /* fewer runs */
} gpu_job;

typedef struct gpu_row {
    char part[16], cloud[32], parameters[160];
    float d;
    size_t points;
    clump_backend backend;
    const char *method;
    gpu_memory memory;
    samples_summary time;
    clump_stats stats; /* of a call that waited */
    uint64_t labels_hash;
    double target_ms;
    bool refused; /* no memory for it; the note has the sentence */
    bool failed;  /* any other failure */
    bool differs; /* other labels than the reference */
    char note[320];
} gpu_row;

/* False with a sentence in why. */
bool gpu_reference_make(const bench_cloud *cloud, float d, size_t min_points, gpu_reference *out, clump_message *why);

/* The same of clump_erccl. */
bool gpu_reference_erccl(const bench_cloud *cloud, const clump_erccl_options *options, gpu_reference *out,
                         clump_message *why);

/* In a context of its own, so that its memory is that of this method on this cloud. */
void gpu_measure(const gpu_job *job, const gpu_reference *reference, gpu_row *out);

#endif
