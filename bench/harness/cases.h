/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the benches measure, and the figures to reach.
 */
#ifndef CLUMP_BENCH_CASES_H
#define CLUMP_BENCH_CASES_H

#include "harness/clouds.h"

typedef enum case_kind {
    CASE_FACTORS,
    CASE_SCAN,
    CASE_OBSTACLES, /* a scan without its ground */
    CASE_SHELLS,
    CASE_PLATES,
    CASE_CUBE,       /* all points are neighbours */
    CASE_DENSE_CELL, /* half of the points in one cell */
} case_kind;

/* A cloud of the factors n, c, k and D = 4, with d = 1. */
#define CASE_OF_FACTORS(l, points, clusters, degree)                                                                   \
    .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_##l, .n = (points), .c = (clusters), .D = 4, .k = (degree), .d = 1
#define CASE_OF_SLABS(points)                                                                                          \
    .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_SLABS, .n = (points), .c = 2, .D = 1, .k = 20000, .d = 1
#define CASE_FRAME "kitti/semkitti_00_000000" /* the scan that most cases use */

typedef struct bench_case {
    const char *name; /* in filters and CSV */
    case_kind kind;
    clump_layout layout; /* CASE_FACTORS */
    size_t n, c, D;      /* scans have n alone: the number of points that are read; 0 = all */
    double k;
    double radius;    /* CASE_SHELLS; 0 = whole spheres */
    const char *scan; /* CASE_SCAN, CASE_OBSTACLES: path without ".bin" */
    float d;
    double target;     /* time of the best rival over ours, at least; 0 = none set */
    bool rivals;       /* measured beside rivals, else ours alone */
    bool slow;         /* left out of --quick */
    const char *base;  /* null, or a case: the time per point is compared with that of the case ... */
    double base_limit; /* ... and is at most this many times as long */
} bench_case;

extern const bench_case bench_cases[];
extern const size_t bench_case_count;

const bench_case *bench_case_find(const char *name); /* null: there is none */

/* Writes "layout=blob n=262144 c=128 k=32 D=4 seed=1": no comma. */
void bench_case_parameters(const bench_case *item, char *out, size_t size);

/* Makes or reads the cloud. data: the folder with the scans. Returns false with a sentence in why. */
bool bench_case_make(const bench_case *item, const char *data, bench_cloud *out, clump_message *why);

/* A pair of clouds, for nearest neighbours and ICP. */
typedef struct nn_case {
    const char *name;
    const char *scans[2]; /* files in the folder of scans; null: synthetic clouds */
    size_t count;         /* points of each synthetic cloud */
    bool clump;           /* points in one small cube and one far point, queries far away; else uniform in a cube */
    int groups;           /* or in this many dense groups far apart */
    double target;        /* times as fast as the better of FLANN and nanoflann, one thread */
    double target_two;    /* the figure for two threads of ours; 0: none */
    bool paper;           /* also the paper's approximate method */
} nn_case;

extern const nn_case nn_cases[];
extern const size_t nn_case_count;

/* Makes or reads both clouds. Returns false with a sentence in why. */
bool nn_case_make(const nn_case *item, const char *folder, bench_cloud *points, bench_cloud *queries,
                  clump_message *why);

#endif
