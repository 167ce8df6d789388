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

/* Calls `each` for every case whose file name contains `only`; for all where it is null. Returns the number of
 * cases; -1: the folder has none; -2: a line or file cannot be read. folder may be null. */
int hostile_known_cases(const char *folder, const char *only, void (*each)(const hostile_known *));

#endif
