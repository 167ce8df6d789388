/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine and the build of a result, and the clock. No text has a comma in it: all go into CSV files.
 */
#ifndef CLUMP_BENCH_MACHINE_H
#define CLUMP_BENCH_MACHINE_H

#include <clump/info.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct machine {
    char cpu[96];      /* "Neoverse-V1" */
    char name[128];    /* for a file name: "neoverse-v1-2cores" */
    char compiler[96]; /* "gcc 12.2.0 Release native" */
    char date[40];     /* "2025-01-31", and the commit where CLUMP_COMMIT names it: "2025-01-31 0123abcd" */
    int cores;
} machine;

machine machine_describe(void);

/* Finds the first CUDA device. Returns false where there is none. */
bool machine_find_gpu(clump_device_info *out);

/* Writes the text in lower case letters, digits and single dashes: "AMD EPYC 7763 64-Core" is amd-epyc-7763-64-core. */
void machine_file_name(const char *text, char *out, size_t size);

/* Prints the name of the result file of a GPU: that of "NVIDIA H200" is h200. */
void machine_print_gpu(const char *gpu);

/* Returns seconds since a fixed moment. */
double machine_seconds(void);

/* Returns the processor time of this process, all threads together, in seconds. */
double machine_cpu_seconds(void);

/* Sleeps until machine_seconds() has this value; returns at once where it has passed. */
void machine_sleep_until(double seconds);

/* --- samples.c: durations of runs: median, mean, minimum, maximum, percentiles ---------------------- */

/* Zeroed is valid. */
typedef struct samples {
    double *seconds;
    size_t count, capacity;
} samples;

typedef struct samples_summary {
    size_t runs;
    double median_ms, min_ms, p99_ms; /* 0 where there is no run; below 100 runs p99 is the slowest */
    double p999_ms, max_ms, mean_ms;  /* below 1000 runs p99.9 is the slowest */
} samples_summary;

bool samples_add(samples *s, double seconds); /* false: no memory */
samples_summary samples_sum_up(samples *s);   /* also sorts the samples */
void samples_free(samples *s);

/* --- busy.c: processes that keep cores busy: the other programs of a shared machine ----------------- */

/* Ends the busy processes there are and starts `count` others. They compute until they are ended or until this process
 * is gone, whatever ended it. Call it while this process has one thread. Returns false, with no process left, where
 * the system gives too few. */
bool busy_set(int count);

#endif
