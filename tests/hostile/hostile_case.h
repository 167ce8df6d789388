/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_case.h: one hostile cloud with the parameters of every job, generated from a seed. The tests of the CPU and
 * of the CUDA backend use these cases. Every set of options has its own stream of random numbers, so a case does not
 * depend on the jobs before it.
 */
#ifndef CLUMP_TESTS_HOSTILE_CASE_H
#define CLUMP_TESTS_HOSTILE_CASE_H

#include "hostile/hostile.h"

#include <clump/clump.h>

typedef struct hostile_case {
    uint64_t seed;
    hostile_kind kind;
    float d;
    float *packed;       /* three floats per point */
    void *memory;        /* the points with their stride; ends where the last point does */
    clump_points points; /* a view of memory */
    uint8_t *mask;       /* null in most cases */
} hostile_case;

enum { HOSTILE_MOST = 3000, HOSTILE_SMALL = 200 };

/* Up to HOSTILE_SMALL points; one case in 32 has up to HOSTILE_MOST, if `most` allows it. */
hostile_case hostile_case_make(uint64_t seed, size_t most);

/* A case with enough points for `fast` to use two to eight threads. */
hostile_case hostile_case_make_large(uint64_t seed);
void hostile_case_free(hostile_case *c);

/* Returns whether the points are unchanged. */
bool hostile_case_intact(const hostile_case *c);

/* Returns random options. Turn 0 has one distance for all points; other turns have eps_per_metre. */
clump_ec_options hostile_ec(const hostile_case *c, int turn);
/* Sets what only the six have, if o->method is one of them: another value per turn. */
void hostile_six(clump_ec_options *o, uint64_t turn);
clump_dbscan_options hostile_dbscan(const hostile_case *c, int turn, size_t *min_points);

/* Sets the options that only the method dclust has, where o->method is dclust. They do not change the result. */
void hostile_dclust(clump_dbscan_options *o, uint64_t turn);

/* Returns options for a map of at most 40 x 40 cells, and 16 x 16 tiles of ground, around one of the points. */
clump_erccl_options hostile_erccl(const hostile_case *c);

/* Returns options for clump_detect with those of the other jobs. Regions begin and end at points, voxels are of the size
 * of d or of any other. */
clump_detect_options hostile_detect(const hostile_case *c, int turn);

/* Returns options for clump_objects: exact neighbours, or those of a scan with rows. */
clump_objects_options hostile_objects(const hostile_case *c, int turn);

/* Writes queries near the points to xyz, three floats per query. Returns their number, at most `most`. */
size_t hostile_queries(const hostile_case *c, float *xyz, size_t most);

/* Returns a maximum distance for the queries, and sets k. */
float hostile_radius(const hostile_case *c, int *k);

/* Describes the case, or the options, on one line. */
void hostile_case_text(char *text, size_t size, const hostile_case *c);
void hostile_ec_text(char *text, size_t size, const clump_ec_options *o);

#endif
