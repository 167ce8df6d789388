/* SPDX-License-Identifier: BSD-3-Clause
 *
 * list.h: arrays that grow.
 */
#ifndef CLUMP_IO_LIST_H
#define CLUMP_IO_LIST_H

#include "format.h"

/* Makes room for at least `wanted` items of `item` bytes, and keeps those there are. `list` is the address of the pointer
 * to the first item, which may be null. Capacities double, so that appending n items copies fewer than 2 n. On failure
 * the list is unchanged. */
clump_status clump_io_list_reserve(const clump_io_where *where, void *list, size_t *capacity, size_t wanted,
                                   size_t item);

#endif
