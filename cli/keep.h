/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keep.h: --keep WHAT: which points go into the output. WHAT is a list with commas between: objects (the points of all
 * clusters), ground, noise, and labels.
 */
#ifndef CLUMP_CLI_KEEP_H
#define CLUMP_CLI_KEEP_H

#include "cli.h"

const char *cli_keep_choice(int index); /* the words */

/* Says what is wrong with the text of --keep. CLI_DONE when nothing is. */
int cli_keep_check(const cli_command *self, const char *text);

/* keep[i] = 1 for points to keep, else 0. The text has been checked. Labels are those of `clusters` clusters; a label
 * that is none of them is said, and CLI_FAILED returned. ground_alone: the labels tell ground only, and all other points
 * are objects. */
int cli_keep_mask(const char *text, const int32_t *labels, size_t count, int32_t clusters, bool ground_alone,
                  uint8_t *keep);

#endif
