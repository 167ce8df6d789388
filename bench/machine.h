/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a result was measured on and built with. No text has a comma in it, so that it fits in CSV.
 */
#ifndef CLUMP_BENCH_MACHINE_H
#define CLUMP_BENCH_MACHINE_H

#include <stddef.h>

typedef struct machine {
    char cpu[96];      /* "Neoverse-V1" */
    char name[128];    /* for a file name: "neoverse-v1-2cores" */
    char compiler[96]; /* "gcc 12.2.0 Release native" */
    char date[16];     /* "2025-01-31" */
    int cores;
} machine;

machine machine_describe(void);

/* Lower case letters, digits and single dashes: "AMD EPYC 7763 64-Core" is amd-epyc-7763-64-core. */
void machine_file_name(const char *text, char *out, size_t size);

/* Seconds, from any fixed moment. */
double machine_seconds(void);

#endif
