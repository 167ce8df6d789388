/* SPDX-License-Identifier: BSD-3-Clause
 *
 * npy_map.h: a map as a NumPy array.
 */
#ifndef CLUMP_CLI_NPY_MAP_H
#define CLUMP_CLI_NPY_MAP_H

#include "viewer/scene/scene.h"

#include <stdio.h>

/* Returns the name that NumPy has for the type: "float32". */
const char *cli_map_type(view_map_kind kind);

size_t cli_map_item(view_map_kind kind); /* bytes per cell */

/* Writes an array of shape (rows, columns): array[i, j] is the cell in row i and column j. A failure of the file is found
 * by the caller (ferror). */
void cli_put_npy_map(FILE *to, const view_map *map);

#endif
