/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.h: points, mask, values, rings, labels and core flags of a run in the memory of --memory. They are copied there before the
 * timed runs, and the results are copied back after them.
 */
#ifndef CLUMP_CLI_MEMORY_H
#define CLUMP_CLI_MEMORY_H

#include "files/device.h"

typedef struct cli_memory {
    cli_memory_kind kind;
    clump_context *context; /* which allocated the memory */
    clump_points points;    /* arguments of the library ... */
    const uint8_t *mask;    /* ... null: all points */
    const float *values;    /* the field of --intensity, one per point; null: not asked for */
    const uint16_t *rings;  /* of clump_objects, one per point; null: not known */
    int32_t *labels;
    uint8_t *core;        /* null: not asked for */
    const double *origin; /* of the points, in coordinates of the file */
    double step;          /* length of the unit of the points in that of the file; 0: they have one unit */
    void *taken[6];       /* memory that is not from malloc */
} cli_memory;

/* Replaces points, mask, values, rings, labels and core of the caller by copies in memory of the kind; pageable memory stays. The
 * context must outlive the copies. On failure the context has the error message. */
clump_status cli_memory_place(cli_memory *memory, cli_memory_kind kind, clump_context *context);

/* Copies labels and core flags to host memory, if they are elsewhere. */
clump_status cli_memory_fetch(cli_memory *memory, int32_t *labels, uint8_t *core);
void cli_memory_release(cli_memory *memory); /* a zeroed one is fine */

#endif
