/* SPDX-License-Identifier: BSD-3-Clause
 *
 * need.h: memory for methods whose need is not linear in the points, such as a list of all neighbours or a matrix of all
 * labels. Such a need is known only after counting and often exceeds the memory of the machine. The error names the
 * method, the bytes, and what they are for.
 */
#ifndef CLUMP_CPU_SHARED_NEED_H
#define CLUMP_CPU_SHARED_NEED_H

#include "core/work.h"

/* Reserves `count` entries of `each` bytes for the method of this name. The old content may be lost. Fails with
 * OUT_OF_MEMORY, "edge-es needs 34.4 GB of memory for 4294967296 edges ...", also where the product exceeds 64 bits. */
clump_status clump_need(clump_work *work, const char *method, clump_buffer *buffer, uint64_t count, uint64_t each,
                        const char *entries);

/* While entries are still being counted: fails as clump_need() does, with "at least", once the machine has too little
 * memory for the count so far. Reserves nothing. */
clump_status clump_need_so_far(clump_work *work, const char *method, const clump_buffer *buffer, uint64_t count,
                               uint64_t each, const char *entries);

#endif
