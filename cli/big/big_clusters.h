/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_clusters.h: --clusters FILE of a survey. The file is made when the first clusters come.
 */
#ifndef CLUMP_CLI_BIG_CLUSTERS_H
#define CLUMP_CLI_BIG_CLUSTERS_H

#include "cluster/clusters_file.h"

#include <clump/big.h>

typedef struct cli_big_clusters {
    const cli_cluster *settings;
    cli_clusters_file file;
    bool is_open;
    bool has_failed; /* and has said why */
    cli_boxes boxes; /* a copy of the clusters */
} cli_big_clusters;

/* Sets the options of clump_big for --clusters. Does nothing without it. */
void cli_big_clusters_begin(cli_big_clusters *clusters, const cli_cluster *settings, clump_big_options *options);

/* Ends the file: complete after a success, else it stays as it was. Prints why not where has_failed becomes true. */
void cli_big_clusters_end(cli_big_clusters *clusters, bool success);

#endif
