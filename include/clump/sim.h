/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sim.h: synthetic clouds (library clump_sim). Tests, bench, demo and `clump gen` share them, so a cloud in a report
 * can be reproduced from its parameters. Equal parameters and seed give equal bytes on every machine.
 */
#ifndef CLUMP_SIM_H
#define CLUMP_SIM_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Clouds with four factors n, c, k, D (clump_factors), for the distance d = 1. Clusters are about 10 apart. Point i
 * belongs to cluster D * (i / (D * m)) + i mod D, with m = n / c. */
typedef enum clump_layout {
    CLUMP_LAYOUT_JOINTS = 0, /* chains of unit segments along x, y, z in turn, k points each */
    CLUMP_LAYOUT_LINE = 1,   /* long thin clusters along x, spacing 2/(k+1): the worst case for label propagation */
    CLUMP_LAYOUT_BLOB = 2,   /* points uniform in a cube; k neighbours except near its faces */
    CLUMP_LAYOUT_SLABS = 3   /* two dense plates 1.01 apart: no pair of them is within d, every distance test fails */
} clump_layout;

typedef struct clump_factors {
    uint32_t cookie; /* set by clump_factors_defaults(), do not touch */
    clump_layout layout;
    size_t points;   /* n; 262144 */
    size_t clusters; /* c, a divisor of n; 128 (slabs: 2) */
    double degree;   /* k, mean number of neighbours, at least 1, k * c <= n; 32 */
    size_t distance; /* D, difference of indices of neighbours in a cluster, a divisor of c; 4 */
    uint64_t seed;   /* 1 */
} clump_factors;

CLUMP_API clump_factors clump_factors_defaults(void);

CLUMP_API const char *clump_layout_name(clump_layout layout); /* null for a value that does not exist */
CLUMP_API bool clump_layout_from_name(const char *name, clump_layout *layout);

/* Fills a cloud.
 * xyz      output: 3 * points floats
 * truth    output, may be null: the cluster that each point was generated for. With a small k a cluster can fall apart
 *          at d = 1, so clustering may find others.
 * message  may be null */
CLUMP_API clump_status clump_sim_factors(const clump_factors *factors, float *xyz, int32_t *truth,
                                         clump_message *message);

#ifdef __cplusplus
}
#endif
#endif
