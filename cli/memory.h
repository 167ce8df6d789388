/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.h: points, mask and labels of a run in the memory that --memory asks for. They are put there
 * before the runs that are timed, and the labels are fetched after.
 */
#ifndef CLUMP_CLI_MEMORY_H
#define CLUMP_CLI_MEMORY_H

#include "device.h"

typedef struct cli_memory {
    cli_memory_kind kind;
    clump_context *context; /* that the memory was taken from */
    clump_points points;    /* what the library is given ... */
    const uint8_t *mask;    /* ... null: all points */
    int32_t *labels;
    void *taken[3]; /* what is not malloc's */
} cli_memory;

/* Views of the caller's points, mask (may be null) and labels, or copies elsewhere. The context must
 * outlive them. On failure the context has the sentence. */
clump_status cli_memory_place(cli_memory *memory, cli_memory_kind kind, clump_context *context, clump_points points,
                              const uint8_t *mask, int32_t *labels);
clump_status cli_memory_fetch(cli_memory *memory, int32_t *labels); /* where they are not there already */
void cli_memory_release(cli_memory *memory);                        /* a zeroed one is fine */

#endif
