/* SPDX-License-Identifier: BSD-3-Clause
 *
 * machines.h: the rows of all result files, by machine. Everything that the report shows or judges is of one machine.
 */
#ifndef CLUMP_BENCH_PAPERS_MACHINES_H
#define CLUMP_BENCH_PAPERS_MACHINES_H

#include "report/report.h"

typedef struct report_machine {
    papers_table rows;     /* of this machine; their texts belong to report_input.all */
    const char *gpu, *cpu; /* gpu "": none */
    int cores;
    char name[200];                     /* "NVIDIA H200, host Intel Xeon, 16 cores" */
    char title[100];                    /* "NVIDIA H200" */
    char compilers[200], versions[100]; /* every one that rows name */
    const char *first_date, *last_date;
} report_machine;

/* Zeroed is valid. */
typedef struct report_input {
    const papers_paper *const *papers; /* ended by null; set by the caller */
    papers_table all;
    report_machine *machines;
    size_t count;
} report_input;

/* Reads the files. Machines differ in GPU, CPU or cores. Returns false with a sentence in why, also where there is no row
 * at all. The caller frees the input in both cases. */
bool machines_read(const char *const *files, size_t count, report_input *out, clump_message *why);
void machines_free(report_input *input);

/* Judges the claim by the rows of the machine. */
papers_judgement machines_judge(const papers_claim *claim, const report_machine *here);

/* "holds", "does not hold", "cannot be told" */
extern const char *const machines_verdicts[3];

#endif
