/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.h: files the program writes. What can be known to fail is found before any work is done.
 */
#ifndef CLUMP_CLI_OUTPUT_H
#define CLUMP_CLI_OUTPUT_H

#include "cli.h"

/* "-" is standard input or output. What a command makes goes there, and what it has to say to stderr then. */
bool cli_is_dash(const char *path); /* null is not */

const char *cli_writable_format(int index); /* choices of --to */

/* Says what is wrong with a cloud file to be written: its ending, or its folder. Returns CLI_DONE when
 * nothing is, and the format. option is "-o", or null for an operand; to is the name of a format, or
 * null: the ending tells, and a device or a pipe gets PCD. */
int cli_check_cloud_output(const cli_command *command, const char *option, const char *path, const char *to,
                           clump_format *format);

/* A cloud with a bar if it takes long. Returns CLI_DONE, or says why not. */
int cli_save(const char *path, const clump_cloud *cloud, const int32_t *labels, clump_format format,
             clump_encoding encoding, bool quiet);

/* The same for any other file: folder only. */
int cli_check_output(const char *path);

/* Whether two names are of one file, there or not; a device may be named twice. */
bool cli_same_output(const char *a, const char *b);

/* A file that is there as a whole or not at all (clump_output in clump/io.h). */
typedef struct cli_output {
    FILE *file;
    const char *path;
    clump_output *whole;
} cli_output;

int cli_output_open(cli_output *out, const char *path); /* CLI_DONE, or CLI_FAILED and says why */
int cli_output_close(cli_output *out);                  /* the same; the target is then whole, or as before */

#endif
