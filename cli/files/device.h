/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h: the words of --device and --memory: where a command runs, and in which memory its points
 * and labels are.
 */
#ifndef CLUMP_CLI_DEVICE_H
#define CLUMP_CLI_DEVICE_H

#include "base/cli.h"

#include <clump/classes.h>

const char *cli_device_choice(int index); /* words of --device, for option tables */
const char *cli_memory_choice(int index);

/* In the order of cli_memory_choice(). */
typedef enum cli_memory_kind {
    CLI_MEMORY_PAGEABLE, /* from malloc */
    CLI_MEMORY_PINNED,   /* page-locked host memory, for fast copies */
    CLI_MEMORY_DEVICE    /* of the GPU */
} cli_memory_kind;

/* Reads the words of --device and --memory. Returns CLI_DONE if this machine has both, else prints why not and returns
 * the exit status. */
int cli_check_device(const cli_command *self, const char *device, const char *memory, clump_context_options *options,
                     cli_memory_kind *kind);

/* "cpu", "cuda:0": as --device takes it. */
#define CLI_DEVICE_SIZE 24
void cli_device_text(char text[CLI_DEVICE_SIZE], clump_backend backend, int device);

/* --- memory.c: points, mask, values, rings, classes, labels and core flags of a run in the memory of --memory. They are copied
 * there before the timed runs, and the results are copied back after them. */

typedef struct cli_memory {
    cli_memory_kind kind;
    clump_context *context; /* which allocated the memory */
    clump_points points;    /* arguments of the library ... */
    const uint8_t *mask;    /* ... null: all points */
    const float *values;    /* the field of --intensity, one per point; null: not asked for */
    const uint16_t *rings;  /* of clump_objects, one per point; null: not known */
    clump_classes classes;  /* rows null: points have no classes */
    int32_t *labels;
    uint8_t *core;        /* null: not asked for */
    float *probability;   /* likewise; always in host memory */
    const double *origin; /* of the points, in coordinates of the file */
    double step;          /* length of the unit of the points in that of the file; 0: they have one unit */
    void *taken[7];       /* memory that is not from malloc */
} cli_memory;

/* Replaces points, mask, values, rings, classes, labels and core of the caller by copies in memory of the kind; pageable memory stays. The
 * context must outlive the copies. On failure the context has the error message. */
clump_status cli_memory_place(cli_memory *memory, cli_memory_kind kind, clump_context *context);

/* Copies labels and core flags to host memory, if they are elsewhere. */
clump_status cli_memory_fetch(cli_memory *memory, int32_t *labels, uint8_t *core);
void cli_memory_release(cli_memory *memory); /* a zeroed one is fine */

#endif
