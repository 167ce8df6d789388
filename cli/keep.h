/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keep.h: --keep WHAT: which points go into the output. WHAT is a list with commas between: objects (the points of all
 * clusters), ground, noise, and labels.
 */
#ifndef CLUMP_CLI_KEEP_H
#define CLUMP_CLI_KEEP_H

#include "cli.h"

const char *cli_keep_choice(int index); /* the words */

/* Checks the text of --keep. Returns CLI_DONE, or prints what is wrong and returns CLI_USAGE. */
int cli_keep_check(const cli_command *self, const char *text);

/* Sets keep[i] to 1 for points to keep, else to 0. The text must have passed cli_keep_check(). Prints a label >=
 * `clusters` and returns CLI_FAILED. ground_alone: the labels mark ground only, and all other points are objects. */
int cli_keep_mask(const char *text, const int32_t *labels, size_t count, int32_t clusters, bool ground_alone,
                  uint8_t *keep);

#endif
