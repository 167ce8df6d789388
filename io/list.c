/* SPDX-License-Identifier: BSD-3-Clause
 *
 * list.c: arrays that grow.
 */
#include "format.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

enum { LIST_LEAST = 16 }; /* items of the first allocation */

clump_status clump_io_list_reserve(const clump_io_where *where, void *list, size_t *capacity, size_t wanted,
                                   size_t item)
{
    CLUMP_ASSERT(item >= 1);
    if (wanted <= *capacity) return CLUMP_OK;
    size_t room = *capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * *capacity, bytes;
    if (room < LIST_LEAST) room = LIST_LEAST;
    if (room < wanted) room = wanted;
    if (!clump_io_multiply(room, item, &bytes)) return clump_io_no_memory(where, SIZE_MAX);
    void *items; /* copied: a pointer to another type must not be read through a void ** */
    memcpy(&items, list, sizeof items);
    items = realloc(items, bytes);
    if (!items) return clump_io_no_memory(where, bytes);
    memcpy(list, &items, sizeof items);
    *capacity = room;
    return CLUMP_OK;
}
