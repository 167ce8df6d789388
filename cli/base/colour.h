/* SPDX-License-Identifier: BSD-3-Clause
 *
 * colour.h: bold headings, dim hints and red errors on a terminal.
 */
#ifndef CLUMP_CLI_COLOUR_H
#define CLUMP_CLI_COLOUR_H

#include <stdio.h>

typedef enum cli_style { CLI_STYLE_PLAIN, CLI_STYLE_BOLD, CLI_STYLE_DIM, CLI_STYLE_RED } cli_style;

/* Returns what begins a style, CLI_STYLE_PLAIN ends all others. Returns "" where the stream is no terminal, the variable
 * NO_COLOR is set and not empty, or TERM is "dumb" or not set. */
const char *cli_colour(FILE *to, cli_style style);

#endif
