/* SPDX-License-Identifier: BSD-3-Clause
 *
 * links.h: points in the rim of one tile are own points of another. Their clusters in both tiles are one.
 */
#ifndef CLUMP_BIG_LINKS_H
#define CLUMP_BIG_LINKS_H

#include "job.h"
#include "tiles/nodes.h"

/* Unites the clusters of all tiles that share a point. Rim and strip lists are sorted by index. They are read in windows
 * of the index, each with at most budget.entries entries. */
clump_status clump_big_links_find(clump_big_job *job, clump_big_nodes *nodes, clump_message *message);

#endif
