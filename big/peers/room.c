/* SPDX-License-Identifier: BSD-3-Clause
 *
 * room.c: see peers.h.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "peers/peers.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

void *clump_big_room(size_t bytes)
{
    void *const memory = malloc(bytes ? bytes : 1);
#ifdef MADV_HUGEPAGE
    const uintptr_t huge = (uintptr_t)1 << 21, first = ((uintptr_t)memory + huge - 1) & ~(huge - 1);
    const uintptr_t last = ((uintptr_t)memory + bytes) & ~(huge - 1);
    if (memory && bytes >= 2 * huge && last > first) madvise((void *)first, last - first, MADV_HUGEPAGE);
#endif
    return memory;
}
