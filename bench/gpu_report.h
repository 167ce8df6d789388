/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the measurements on a GPU have given, on the terminal and in CSV.
 */
#ifndef CLUMP_BENCH_GPU_REPORT_H
#define CLUMP_BENCH_GPU_REPORT_H

#include "gpu_measure.h"
#include "machine.h"

/* All rows of a run, and what there is to say of them together. */
typedef struct gpu_results {
    gpu_row *rows;
    size_t count, capacity;
    int reached, missed; /* figures that were set */
    int wrong;           /* rows that failed or whose labels differ */
    machine host;
    clump_device_info gpu;
    const char *csv; /* null: none is written */
} gpu_results;

/* Keeps the row and counts it. False: no memory. */
bool gpu_results_add(gpu_results *results, const gpu_row *row);

/* "0.0523 [0.06 ok]", "refused" */
void gpu_cell(const gpu_row *row, char *out, size_t size);

/* Lines below a table: sentences of rows that were refused, failed or differ. From row `first` on. */
void gpu_report_notes(const gpu_results *results, size_t first);

/* Writes all rows so far; rows of other parts and clouds that the file has stay. Writes beside the file and
 * renames. Nothing to do where no file was named. */
bool gpu_report_csv(const gpu_results *results, clump_message *why);

#endif
