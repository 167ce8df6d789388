/* SPDX-License-Identifier: BSD-3-Clause
 *
 * difference.h: compares two labellings of the same points whose clusters have different numbers.
 *
 * Cluster a of the first and cluster b of the second labelling correspond when each shares more points with the other than
 * with any other cluster, noise and ground not counted; ties go to the smaller number. Noise corresponds to noise, ground to
 * ground. A point differs when its two labels do not correspond.
 */
#ifndef CLUMP_VIEWER_DIFFERENCE_H
#define CLUMP_VIEWER_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets differs[i] to 1 or 0 and returns the number of ones in *total. Labels may be any int32. False: no memory. */
bool view_find_differences(const int32_t *first, const int32_t *second, size_t count, uint8_t *differs, size_t *total);

/* Sets partners[b] to the cluster of the first labelling that cluster b of the second corresponds to, or to -1. Only
 * clusters 0 ... clusters - 1 of the second are looked for. False: no memory. */
bool view_find_partners(const int32_t *first, const int32_t *second, size_t count, int32_t *partners, size_t clusters);

#endif
