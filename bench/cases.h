/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is measured, and the figures it has to reach.
 */
#ifndef CLUMP_BENCH_CASES_H
#define CLUMP_BENCH_CASES_H

#include "clouds.h"

typedef enum case_kind { CASE_FACTORS, CASE_SCAN, CASE_OBSTACLES, CASE_SHELLS, CASE_PLATES } case_kind;

typedef struct bench_case {
    const char *name; /* what the filter and the CSV call it */
    const char *text; /* what the table calls it */
    case_kind kind;
    clump_layout layout; /* CASE_FACTORS */
    size_t n, c, D;      /* of scans n alone: the first so many points; 0 = all */
    double k;
    double radius;    /* CASE_SHELLS; 0 = whole spheres */
    const char *scan; /* CASE_SCAN, CASE_OBSTACLES (the scan without its ground): path without ".bin" */
    float d;
    double target;     /* time of the best rival over ours, at least; 0 = none set */
    bool rivals;       /* else ours alone */
    bool slow;         /* left out of --quick */
    const char *base;  /* null, or a case whose time a point this one's is compared with ... */
    double base_limit; /* ... and may be at most this many times */
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_case_count;

const bench_case *bench_case_find(const char *name); /* null: no such */

/* "layout=blob n=262144 c=128 k=32 D=4 seed=1": no comma. */
void bench_case_parameters(const bench_case *item, char *out, size_t size);

/* data: the folder with the scans. False with a sentence in why. */
bool bench_case_make(const bench_case *item, const char *data, bench_cloud *out, clump_message *why);

#endif
