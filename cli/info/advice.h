/* SPDX-License-Identifier: BSD-3-Clause
 *
 * advice.h: which job, method and device `clump info` names for a cloud. A pure function of what is known of the cloud
 * and the machine, so that tests can cover every case.
 */
#ifndef CLUMP_CLI_ADVICE_H
#define CLUMP_CLI_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points from which a GPU is faster. The library decides by the same number (CLUMP_CROSSOVER); a test compares them. */
#define CLI_ADVICE_GPU_FROM 4096

/* What the advice depends on. */
typedef struct cli_advice_input {
    size_t points;      /* finite ones */
    bool turn;          /* the cloud looks like one turn of a spinning sensor (turn.c) */
    bool ground;        /* a part of the points is ground */
    bool classified;    /* classes of the points name the ground, and --drop-class leaves it out */
    bool gpu;           /* there is one; not looked for below CLI_ADVICE_GPU_FROM points */
    uint64_t gpu_free;  /* bytes of its memory */
    uint64_t host_free; /* bytes of main memory; 0: unknown */
} cli_advice_input;

typedef struct cli_advice {
    const char *job;    /* "ec" or "detect"; null: there is nothing to cluster */
    const char *method; /* of the job; it is the default */
    bool gpu;           /* where the job runs */
    bool insist;        /* --device cpu must be given: the memory of the GPU is too small */
    bool too_large;     /* for main memory too */
    uint64_t bytes;     /* of memory that the job takes, at most */
    uint64_t ram;       /* for --ram: the job works in tiles with this much memory; 0: not needed, or it cannot */
} cli_advice;

cli_advice cli_advise(cli_advice_input input);

/* Writes the advice as a sentence without a full stop. */
enum { CLI_ADVICE_SIZE = 320 };
void cli_advice_text(char text[CLI_ADVICE_SIZE], cli_advice_input input, const cli_advice *advice);

#endif
