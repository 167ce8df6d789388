/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair.c: see pair.h.
 */
#include "pair.h"

#include <stdlib.h>
#include <string.h>

static int move_to_origin(cli_pair *pair, const char *path)
{
    const double *const to = clump_cloud_origin(pair->a), *const from = clump_cloud_origin(pair->b);
    pair->other = clump_cloud_points(pair->b);
    if (memcmp(to, from, 3 * sizeof *to) == 0) return CLI_DONE;
    const size_t count = pair->other.count;
    pair->moved = malloc((count ? count : 1) * 3 * sizeof *pair->moved);
    if (!pair->moved) return cli_fail("%s: not enough memory for %zu points", path, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            pair->moved[3 * i + (size_t)k] = (float)(clump_cloud_coordinate(pair->b, i, k) - to[k]);
    pair->other = (clump_points){.xyz = pair->moved, .count = count};
    return CLI_DONE;
}

int cli_pair_load(cli_pair *pair, const char *const paths[2], const char *format, bool quiet)
{
    *pair = (cli_pair){0};
    pair->a = cli_load(&(cli_input){.path = paths[0], .format = format, .quiet = quiet});
    if (!pair->a) return CLI_FAILED;
    pair->b = cli_load(&(cli_input){.path = paths[1], .format = format, .quiet = quiet});
    if (!pair->b) return CLI_FAILED;
    pair->reference = clump_cloud_points(pair->a);
    return move_to_origin(pair, paths[1]);
}

void cli_pair_release(cli_pair *pair)
{
    free(pair->moved);
    clump_cloud_destroy(pair->a);
    clump_cloud_destroy(pair->b);
}
