/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parameters.h: parts of the JSON object "parameters", which repeats the options of a command. A key is the name of its
 * option with _ for -. An option that was not given has its default. Infinity is null.
 */
#ifndef CLUMP_CLI_PARAMETERS_H
#define CLUMP_CLI_PARAMETERS_H

#include "cluster.h"
#include "json.h"

/* min_size max_size order */
void cli_put_limits(cli_json *j, const cli_cluster *settings);

/* eps_per_metre 2d, the limits, and remove_ground: null, or the options of the ground */
void cli_put_clustering(cli_json *j, const cli_cluster *settings);

/* crop min_range max_range sensor */
void cli_put_region(cli_json *j, const cli_region *region);

/* key: {method sigma slope sensor_height window up flip extent tile bin} */
void cli_put_ground(cli_json *j, const char *key, const cli_cluster *settings);

#endif
