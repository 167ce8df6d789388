/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.h: files the program writes. What can be known to fail is found before any work is done.
 */
#ifndef CLUMP_CLI_OUTPUT_H
#define CLUMP_CLI_OUTPUT_H

#include "cli.h"

typedef struct cli_format {
    const char *extension; /* without the dot, lower case */
    clump_format format;
    bool holds_fields; /* of any type, beside the points */
    bool holds_labels; /* beside the points or, .labels and .npy, instead of them */
} cli_format;

/* The format that goes with the name of a file to be written; null when its ending is not known.
 * The index-th of all for lists, null past the end. */
const cli_format *cli_format_of(const char *path);
const cli_format *cli_format_at(int index);

/* Says what is wrong with a cloud file to be written: its ending, or its folder. Returns CLI_DONE when
 * nothing is, and the format. option is "-o", or null for an operand. A device or a pipe gets PCD. */
int cli_check_cloud_output(const cli_command *command, const char *option, const char *path, const cli_format **format);

/* The same for any other file: folder only. */
int cli_check_output(const char *path);

/* Whether two names are of one file, there or not; a device may be named twice. */
bool cli_same_output(const char *a, const char *b);

/* A file written beside its target and renamed when complete. */
typedef struct cli_output {
    FILE *file;
    const char *path;
    char *target; /* path with links followed */
    char *beside; /* its name until it is complete; null for a device or a pipe */
} cli_output;

int cli_output_open(cli_output *out, const char *path); /* CLI_DONE, or CLI_FAILED and says why */
int cli_output_close(cli_output *out);                  /* the same; the target is then whole, or as before */

#endif
