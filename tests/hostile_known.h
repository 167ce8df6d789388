/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_known.h: calls with eps_per_metre that once did not end in useful time, from the folder hostile/ of
 * CLUMP_DATA.
 */
#ifndef CLUMP_TESTS_HOSTILE_KNOWN_H
#define CLUMP_TESTS_HOSTILE_KNOWN_H

#include <clump/clump.h>

typedef struct hostile_known {
    char file[64];
    clump_points points; /* valid until the next case */
    float d;
    int threads;
    size_t min_points;
    clump_ec_options ec;
    clump_dbscan_options dbscan; /* the same, and border points */
} hostile_known;

/* Calls `each` with every case whose file name contains `only`, or with all where it is null. Returns their number, -1
 * where the folder does not have them, -2 after a line or file that cannot be read. folder may be null. */
int hostile_known_cases(const char *folder, const char *only, void (*each)(const hostile_known *));

#endif
