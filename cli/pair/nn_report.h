/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_report.h: what `clump nn` prints: distances and number of the neighbours, and the time.
 */
#ifndef CLUMP_CLI_NN_REPORT_H
#define CLUMP_CLI_NN_REPORT_H

#include "files/timing.h"

#include <stdio.h>

typedef struct cli_nn_report {
    const char *reference, *input; /* files */
    size_t k;
    float max_distance;
    int device, partitions, window;
    bool approximate;
    clump_stats stats;
    cli_times times;    /* the stage `cluster` has the time of the queries */
    size_t found;       /* neighbours */
    double mean, worst; /* their distances */
    double recall;      /* share of neighbours that are as near as the exact ones */
    double mean_error;  /* how much farther the other neighbours are */
    double worst_error;
} cli_nn_report;

/* Compute the statistics of n neighbours, k per query, from squared distances. */
void cli_nn_summarise(cli_nn_report *r, const int32_t *indices, const float *squared, size_t n);
void cli_nn_compare(cli_nn_report *r, const float *squared, const float *exact, size_t n);

void cli_nn_json(FILE *to, const cli_nn_report *r);
void cli_nn_text(FILE *to, const cli_nn_report *r);

#endif
