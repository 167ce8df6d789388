/* SPDX-License-Identifier: BSD-3-Clause
 *
 * contestants.h: rivals of several benches, and contests of nearest neighbours.
 */
#ifndef CLUMP_BENCH_CONTESTANTS_H
#define CLUMP_BENCH_CONTESTANTS_H

#include "harness/contest.h"
#include "rivals/load.h"

#include <clump/index.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* --- pcl.c: PCL's Euclidean clustering as a contestant, in two builds: as Debian packages it, and at its best */

/* Loads the modules of the folder, and those of CLUMP_RIVALS, unless --no-rivals was given. They stay loaded. A missing
 * one is named on standard error. */
void pcl_load(const char *folder);

/* Enters both builds, and the rivals of CLUMP_RIVALS. Labels of pcl-debian may differ: its binary may round differently. */
void pcl_enter(contest *c, const bench_cloud *cloud);

/* Returns the functions of a build, 0 or 1; null where it is not loaded. */
const struct clump_rival *pcl_functions(size_t build);

bool pcl_run(contestant *who, float d, double *seconds);
void pcl_labels(const contestant *who, int32_t *labels);
void pcl_leave(contestant *who);

/* --- sklearn.c: scikit-learn as a rival: a python3 process that answers through pipes (rivals/sklearn_dbscan.py) */

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

/* --- neighbours.c: contests of nearest neighbours, for clump_bench nn and the experiments of the papers. The reference
 * is the first cloud of the contest, the queries are the second. Answers are squared distances: of points at one
 * distance any may be the nearest. */

/* The clocks of a contestant; the first is the time of it all. */
enum { NEIGHBOURS_BUILD = 1, NEIGHBOURS_QUERY = 2, NEIGHBOURS_UPLOAD = 3 }; /* upload: part of the build, on a GPU */

/* Returns the tables of FLANN, nanoflann and PCL, ended by one without a name; null, after a sentence on standard error,
 * where there is no module in the folder. */
const clump_nn_rival *neighbours_load(const char *folder);

/* For enter(): memory for the indices, once per contest. Returns false with a sentence in why. */
bool neighbours_begin(contest *c, clump_message *why);

/* For enter(): one of ours; every rival, or that of this name; the rivals of CLUMP_RIVALS, which neighbours_load() has
 * loaded. Null where the list is full. */
contestant *neighbours_ours(contest *c, const clump_index_options *options, int threads);
void neighbours_rivals(contest *c, const clump_nn_rival *rivals, const char *name);
void neighbours_others(contest *c);

/* For run() and leave(). */
bool neighbours_run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS]);
void neighbours_leave(contestant *who);

#endif
