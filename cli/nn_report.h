/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_report.h: what `clump nn` says: how near the neighbours are, how many were found, how long it took.
 */
#ifndef CLUMP_CLI_NN_REPORT_H
#define CLUMP_CLI_NN_REPORT_H

#include "timing.h"

#include <stdio.h>

typedef struct cli_nn_report {
    const char *reference, *input; /* files */
    size_t k;
    float max_distance;
    int device, partitions, window;
    bool approximate;
    clump_stats stats;
    cli_times times;    /* the stage `cluster` is that of the queries */
    size_t found;       /* neighbours */
    double mean, worst; /* their distances */
    double recall;      /* share of neighbours that are as near as those of an exact search; 1: all */
    double mean_error;  /* of the others: how much farther */
    double worst_error;
} cli_nn_report;

/* n neighbours: k of every query. Squared distances. */
void cli_nn_summarise(cli_nn_report *r, const int32_t *indices, const float *squared, size_t n);
void cli_nn_compare(cli_nn_report *r, const float *squared, const float *exact, size_t n);

void cli_nn_json(FILE *to, const cli_nn_report *r);
void cli_nn_text(FILE *to, const cli_nn_report *r);

#endif
