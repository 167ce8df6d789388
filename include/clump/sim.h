/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sim.h: synthetic clouds (library clump_sim). Tests, bench, demo and `clump gen` share them, so
 * a cloud in a report can be made again from its parameters. The same parameters and seed give
 * the same bytes on every machine.
 */
#ifndef CLUMP_SIM_H
#define CLUMP_SIM_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Clouds with four factors, all for a distance threshold of d = 1 and with clusters about 10 apart.
 * Point i belongs to cluster D * (i / (D * m)) + i mod D, with m = points / clusters. */
typedef enum clump_layout {
    CLUMP_LAYOUT_JOINTS = 0, /* chains of unit segments along x, y, z in turn, k points each */
    CLUMP_LAYOUT_LINE = 1,   /* long thin clusters along x, spacing 2/(k+1), the worst case for propagation */
    CLUMP_LAYOUT_BLOB = 2,   /* members uniform in a cube, k neighbours away from its border */
    CLUMP_LAYOUT_SLABS = 3   /* two crowded plates 1.01 apart: nothing connects them, every test fails */
} clump_layout;

typedef struct clump_factors {
    uint32_t cookie; /* set by clump_factors_defaults(), do not touch */
    clump_layout layout;
    size_t points;   /* n; 262144 */
    size_t clusters; /* c, a divisor of n; 128 (slabs: 2) */
    double degree;   /* k, mean number of neighbours, at least 1, k * c <= n; 32 */
    size_t distance; /* D, index distance of neighbours in a cluster, a divisor of c; 4 */
    uint64_t seed;   /* 1 */
} clump_factors;

CLUMP_API clump_factors clump_factors_defaults(void);

CLUMP_API const char *clump_layout_name(clump_layout layout); /* null for a value that is none */
CLUMP_API bool clump_layout_from_name(const char *name, clump_layout *layout);

/* xyz    3 * points floats
 * truth  may be null; the cluster each point was made for (points entries). Where k is small a
 *        cluster can fall apart under d = 1, so this need not be what clustering finds.
 * message  may be null */
CLUMP_API clump_status clump_sim_factors(const clump_factors *factors, float *xyz, int32_t *truth,
                                         clump_message *message);

#ifdef __cplusplus
}
#endif
#endif
