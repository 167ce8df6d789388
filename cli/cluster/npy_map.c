/* SPDX-License-Identifier: BSD-3-Clause
 *
 * npy_map.c: see npy_map.h. NumPy's format, version 1.0:
 *
 *     93 'NUMPY' 1 0  header length (2 bytes)
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (800, 800), }      padded with spaces, ends with a newline
 *     the numbers, row by row
 *
 * The numbers begin at a multiple of 64 bytes. clump runs on little-endian machines only, so they are written as they are.
 */
#include "cluster/npy_map.h"

#include <string.h>

enum { NPY_HEAD = 10, NPY_START = 128 }; /* where the text of the header begins, and where the numbers */

static const struct {
    const char *name, *descr;
    size_t bytes;
} npy_types[] = {
    [VIEW_MAP_F32] = {"float32", "<f4", 4}, [VIEW_MAP_U8] = {"uint8", "|u1", 1}, [VIEW_MAP_I32] = {"int32", "<i4", 4}};

const char *cli_map_type(view_map_kind kind)
{
    return npy_types[kind].name;
}

size_t cli_map_item(view_map_kind kind)
{
    return npy_types[kind].bytes;
}

void cli_put_npy_map(FILE *to, const view_map *map)
{
    static const char magic[] = "\x93NUMPY\x01";
    char header[NPY_START + 1];
    memset(header, ' ', sizeof header);
    memcpy(header, magic, sizeof magic); /* the terminating 0 is the minor version */
    header[8] = NPY_START - NPY_HEAD;
    header[9] = 0;
    const int length = snprintf(header + NPY_HEAD, sizeof header - NPY_HEAD,
                                "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                                npy_types[map->kind].descr, map->rows, map->columns);
    header[NPY_HEAD + length] = ' ';
    header[NPY_START - 1] = '\n';
    fwrite(header, 1, NPY_START, to);
    fwrite(map->data, npy_types[map->kind].bytes, map->rows * map->columns, to);
}
