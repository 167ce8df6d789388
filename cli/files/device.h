/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h: the words of --device and --memory: where a command runs, and in which memory its points
 * and labels are.
 */
#ifndef CLUMP_CLI_DEVICE_H
#define CLUMP_CLI_DEVICE_H

#include "base/cli.h"

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

#endif
