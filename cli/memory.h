/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.h: points, mask, labels and core flags of a run in the memory that --memory asks for. They are put there
 * before the runs that are timed, and what was found is fetched after.
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
    uint8_t *core;        /* null: not asked for */
    const double *origin; /* of the cloud */
    void *taken[4];       /* what is not malloc's */
} cli_memory;

/* points, mask, labels and core are the caller's, and stay or are replaced by copies elsewhere. The context must
 * outlive them. On failure the context has the sentence. */
clump_status cli_memory_place(cli_memory *memory, cli_memory_kind kind, clump_context *context);

/* Labels and, where they were asked for, core flags; nothing where they are there already. */
clump_status cli_memory_fetch(cli_memory *memory, int32_t *labels, uint8_t *core);
void cli_memory_release(cli_memory *memory); /* a zeroed one is fine */

#endif
