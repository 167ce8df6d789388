/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_case.h: random clouds with classes, and their labels by brute force: all pairs of points per group, cluster after
 * cluster. Only the oracles and the types of the public headers are shared with the library.
 */
#ifndef CLUMP_TESTS_CLASSES_CASE_H
#define CLUMP_TESTS_CLASSES_CASE_H

#include <clump/classes.h>

enum { CLASSES_POINTS = 1200, CLASSES_ROWS = 9 };

typedef struct classes_case {
    uint64_t seed;
    float xyz[3 * CLASSES_POINTS];
    uint16_t of[CLASSES_POINTS];
    uint8_t mask[CLASSES_POINTS];
    size_t points;
    clump_class rows[CLASSES_ROWS];
    clump_classes classes; /* of and rows */
    bool density;          /* clump_dbscan */
    float d;
    size_t min_points;
    clump_dbscan_options options; /* common and no_border_points; without classes */

    /* by brute force */
    int32_t labels[CLASSES_POINTS], clusters;
    uint8_t core[CLASSES_POINTS];
    size_t dropped, dropped_points, kept, split;
} classes_case;

/* Makes a case of at most CLASSES_POINTS points. growing: sometimes with eps_per_metre. */
void classes_case_make(classes_case *c, uint64_t seed, size_t most, bool growing);

/* Finds what is expected of the points from `begin` to end - 1. */
void classes_case_expect(classes_case *c, size_t begin, size_t end);

/* Runs the case on points, classes and mask in the place of the points. labels and core are outputs; core may be null. */
clump_status classes_case_run(const classes_case *c, clump_context *ctx, int method, clump_points points,
                              const uint16_t *of, const uint8_t *mask, int32_t *labels, uint8_t *core,
                              int32_t *clusters);

#endif
