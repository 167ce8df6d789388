/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair_view.h: two clouds and their pairs as frames of a page or picture, for `clump nn` and `clump icp`.
 */
#ifndef CLUMP_CLI_PAIR_VIEW_H
#define CLUMP_CLI_PAIR_VIEW_H

#include "pair/pair.h"
#include "files/view_write.h"

typedef struct cli_pair_view {
    const char *const *paths; /* of A and B */
    const cli_pair *pair;
    const char *command; /* "nn" */
    const char *typed;   /* the command line; null: not shown */
    char *facts;         /* the object of --json; null: none */
    cli_view_writing out;
    char *title;
} cli_pair_view;

/* Opens the outputs. The functions return CLI_DONE, or print what is wrong and return CLI_FAILED. */
int cli_pair_view_begin(cli_pair_view *view, size_t frames);

/* Adds a frame with the name. nearest: per point of B the point of A, or -1. The last frame is drawn for a picture. */
int cli_pair_view_frame(cli_pair_view *view, const char *name, const int32_t *nearest, bool last);

int cli_pair_view_end(cli_pair_view *view);

void cli_pair_view_release(cli_pair_view *view); /* frees facts, too; a zeroed one is fine */

#endif
