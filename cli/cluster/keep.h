/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keep.h: --keep WHAT: which points go into the output. WHAT is a list with commas between: objects (the points of all
 * clusters; of clump_objects without background), background, ground, noise, and labels.
 */
#ifndef CLUMP_CLI_KEEP_H
#define CLUMP_CLI_KEEP_H

#include "base/cli.h"

const char *cli_keep_choice(int index); /* the words */

/* Checks the text of --keep. has_background: the clusters are those of clump_objects. Returns CLI_DONE, or prints what is
 * wrong and returns CLI_USAGE. */
int cli_keep_check(const cli_command *self, const char *text, bool has_background);

/* Points with labels. */
typedef struct cli_labelled {
    const int32_t *labels;
    size_t count;
    int32_t clusters;
    const clump_object *found; /* null, or which clusters are objects, and which background */
    bool ground_alone;         /* the labels mark ground only, and all other points are objects */
} cli_labelled;

/* Sets keep[i] to 1 for points to keep, else to 0. The text must have passed cli_keep_check(). Prints a label that no
 * cluster has, and returns CLI_FAILED. */
int cli_keep_mask(const char *text, const cli_labelled *in, uint8_t *keep);

#endif
