/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_case.h: random batches for test_batch and test_cuda_batch, with the labels that calls on the clouds alone give.
 */
#ifndef CLUMP_TESTS_BATCH_CASE_H
#define CLUMP_TESTS_BATCH_CASE_H

#include <clump/batch.h>

enum { BATCH_POINTS = 40000, BATCH_CLOUDS = 160 };

typedef struct batch_case {
    uint64_t seed;
    float xyz[3 * BATCH_POINTS];
    int64_t offsets[BATCH_CLOUDS + 1];
    size_t clouds, points;
    bool density;   /* clump_dbscan_batch */
    bool per_cloud; /* every cloud has its own radius */
    float radius, radii[BATCH_CLOUDS];
    uint8_t mask[BATCH_POINTS];
    clump_ec_options ec;         /* the mask of both is null or `mask` */
    clump_dbscan_options dbscan; /* without core */
    size_t min_points;

    int32_t labels[BATCH_POINTS], counts[BATCH_CLOUDS]; /* expected */
    uint8_t core[BATCH_POINTS];
} batch_case;

/* Fills the case of a seed. `most` limits the points of a cloud. */
void batch_case_make(batch_case *c, uint64_t seed, size_t most);

/* Fills labels, counts and core flags by one call per cloud on the context, which is one of the CPU. */
void batch_case_expect(batch_case *c, clump_context *ctx);

/* Calls clump_ec_batch or clump_dbscan_batch on copies of the arrays of the case, in one place. core may be null. */
typedef struct batch_arrays {
    clump_points points;
    const int64_t *offsets;
    const float *radii; /* null where the case has one radius */
    const uint8_t *mask;
    int32_t *labels, *counts;
    uint8_t *core;
} batch_arrays;
clump_status batch_case_run(const batch_case *c, clump_context *ctx, const batch_arrays *a);

#endif
