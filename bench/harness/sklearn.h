/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scikit-learn as a rival: a python3 process that answers through pipes (rivals/sklearn_dbscan.py).
 */
#ifndef CLUMP_BENCH_SKLEARN_H
#define CLUMP_BENCH_SKLEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct sklearn {
    pid_t process; /* 0: not started */
    FILE *requests, *answers;
    char version[64]; /* "scikit-learn 1.2.1" */
} sklearn;

/* Starts the process. Returns false, with a sentence in why, where there is no python3 with scikit-learn. */
bool sklearn_start(sklearn *s, const char *python, const char *script, char *why, size_t why_size);

/* Sends the points; they stay until the next call. All three functions return false when the process has ended. */
bool sklearn_points(sklearn *s, const float *xyz, size_t count);
bool sklearn_fit(sklearn *s, float eps, size_t min_points, double *seconds); /* time of fit() alone */
bool sklearn_labels(sklearn *s, int32_t *labels, size_t count);

void sklearn_stop(sklearn *s);

#endif
