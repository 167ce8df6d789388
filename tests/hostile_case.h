/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_case.h: one hostile cloud with the parameters of every job, all made from a seed: the tests of the CPU and of
 * the CUDA backend see the same cases. Every set of options has a stream of random numbers of its own, so that a case
 * does not depend on which jobs run before.
 */
#ifndef CLUMP_TESTS_HOSTILE_CASE_H
#define CLUMP_TESTS_HOSTILE_CASE_H

#include "hostile.h"

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

/* Up to HOSTILE_SMALL points; one case of 32 has up to HOSTILE_MOST, if that many are allowed. */
hostile_case hostile_case_make(uint64_t seed, size_t most);

/* Points enough for `fast` to use two to eight threads. */
hostile_case hostile_case_make_large(uint64_t seed);
void hostile_case_free(hostile_case *c);

/* Whether the points are still those that were made. */
bool hostile_case_intact(const hostile_case *c);

/* Options at random. Turn 0 has one distance for all points; the others have eps_per_metre. */
clump_ec_options hostile_ec(const hostile_case *c, int turn);
clump_dbscan_options hostile_dbscan(const hostile_case *c, int turn, size_t *min_points);

/* A map of at most 40 x 40 cells, and 16 x 16 tiles of ground, around one of the points. */
clump_erccl_options hostile_erccl(const hostile_case *c);

/* Queries beside the points, written to xyz, three floats per query. Returns their number, at most `most`. */
size_t hostile_queries(const hostile_case *c, float *xyz, size_t most);

/* A maximum distance for them, and a k. */
float hostile_radius(const hostile_case *c, int *k);

/* What is in the case and in the options, on one line. */
void hostile_case_text(char *text, size_t size, const hostile_case *c);
void hostile_ec_text(char *text, size_t size, const clump_ec_options *o);

#endif
