/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair.h: two clouds in one frame, for the commands that compare them. A file of float64 or scaled
 * coordinates has an origin of its own; then the second cloud is moved to that of the first.
 */
#ifndef CLUMP_CLI_PAIR_H
#define CLUMP_CLI_PAIR_H

#include "cli.h"

typedef struct cli_pair {
    clump_cloud *a, *b;
    clump_points reference, other; /* both from the origin of a */
    float *moved;                  /* null: b has the same */
} cli_pair;

/* CLI_DONE, or says why not. Release it either way. */
int cli_pair_load(cli_pair *pair, const char *const paths[2], const char *format, bool quiet);
void cli_pair_release(cli_pair *pair); /* a zeroed one is fine */

#endif
