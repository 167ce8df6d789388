/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine and the build of a result, and the clock. No text has a comma in it: all go into CSV files.
 */
#ifndef CLUMP_BENCH_MACHINE_H
#define CLUMP_BENCH_MACHINE_H

#include <clump/clump.h>

#include <stddef.h>

typedef struct machine {
    char cpu[96];      /* "Neoverse-V1" */
    char name[128];    /* for a file name: "neoverse-v1-2cores" */
    char compiler[96]; /* "gcc 12.2.0 Release native" */
    char date[16];     /* "2025-01-31" */
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

#endif
