/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layers.h: pairs of groups that threads can process at the same time. The matrix methods divide their labels into
 * groups; a sub-matrix belongs to a pair of groups, its row and its column. A layer is a set of pairs in which no group
 * occurs twice, and every pair row <= column is in exactly one layer.
 *
 *            column  0 1 2 3 4 5 6 7
 *     row 0          0 1 2 3 4 5 6 7         the diagonal is layer 0; a square off it with a side of m,
 *         1            0 3 2 7 4 5 6         a power of two, joins the two halves of 2m groups and
 *         2              0 1 6 7 4 5         holds layers m ... 2m - 1, one per (cyclic) diagonal:
 *         3                0 5 6 7 4
 *         4                  0 1 2 3           layer = m + ((column - row) mod m)
 *         5                    0 3 2
 *         6                      0 1         with row and column counted within the square
 *         7                        0
 *
 * Proof: (1) within a square a diagonal meets each row and each column once; (2) different squares of one m have
 * different groups. Hence no group occurs twice. (Nguyen et al. 2020, Fig. 2.) A number of groups that is not a power
 * of two is rounded up; pairs with a group that does not exist are left out.
 */
#ifndef CLUMP_RULES_LAYERS_H
#define CLUMP_RULES_LAYERS_H

#include "rules/distance.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the number of layers: groups, 1 ... 2^31, rounded up to a power of two. */
CLUMP_RULE uint32_t clump_layers(uint32_t groups)
{
    uint32_t layers = 1;
    while (layers < groups) layers *= 2;
    return layers;
}

/* Returns an upper bound for the number of pairs of a layer. */
CLUMP_RULE uint32_t clump_layer_pairs(uint32_t layer, uint32_t groups)
{
    return layer == 0 ? groups : clump_layers(groups) / 2;
}

/* Computes pair k of a layer. Returns false where one of its groups does not exist. */
CLUMP_RULE bool clump_layer_pair(uint32_t layer, uint32_t k, uint32_t groups, uint32_t *row, uint32_t *column)
{
    *row = *column = k;
    if (layer > 0) {
        uint32_t m = 1;
        while (m <= layer / 2) m *= 2;
        const uint32_t first = k / m * 2 * m, i = k % m;
        *row = first + i;
        *column = first + m + (i + layer - m) % m;
    }
    return *column < groups; /* the row is smaller */
}

#endif
