/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.h: contests of nearest neighbours, for clump_bench_nn and the experiments of the papers. The reference is the
 * first cloud of the contest, the queries are the second. Answers are squared distances: of points at one distance any
 * may be the nearest.
 */
#ifndef CLUMP_BENCH_NEIGHBOURS_H
#define CLUMP_BENCH_NEIGHBOURS_H

#include "harness/contest.h"
#include "rivals/load.h"

/* The clocks of a contestant; the first is the time of it all. */
enum { NEIGHBOURS_BUILD = 1, NEIGHBOURS_QUERY = 2, NEIGHBOURS_UPLOAD = 3 }; /* upload: part of the build, on a GPU */

/* Returns the tables of FLANN, nanoflann and PCL, ended by one without a name; null, after a sentence on standard error,
 * where there is no module in the folder. */
const clump_nn_rival *neighbours_load(const char *folder);

/* For enter(): memory for the indices, once per contest. Returns false with a sentence in why. */
bool neighbours_begin(contest *c, clump_message *why);

/* For enter(): one of ours; every rival, or that of this name. Null where the list is full. */
contestant *neighbours_ours(contest *c, const clump_index_options *options, int threads);
void neighbours_rivals(contest *c, const clump_nn_rival *rivals, const char *name);

/* For run() and leave(). */
bool neighbours_run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS]);
void neighbours_leave(contestant *who);

#endif
