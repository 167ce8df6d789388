/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nodes.h: clusters of tiles that cross into other tiles: the nodes of a union-find. A cluster has the number of its
 * provisional label among those of all tiles. Only clusters that share a point with another tile become nodes.
 */
#ifndef CLUMP_BIG_NODES_H
#define CLUMP_BIG_NODES_H

#include <clump/clump.h>

typedef struct clump_big_node {
    uint64_t id; /* provisional label among all tiles */
    size_t parent;
    int64_t first, size; /* of roots: of the whole cluster */
    int64_t number;      /* of roots: CLUMP_NOISE, or the label */
} clump_big_node;

typedef struct clump_big_nodes {
    clump_big_node *node;
    size_t count, capacity;
    size_t *slots; /* node + 1, by hash of the id; 0: empty */
    size_t slot_mask;
    uint64_t links; /* pairs that were united */
    size_t most;    /* nodes; 0: no limit */
} clump_big_nodes;

enum { CLUMP_BIG_NODE_BYTES = 128 }; /* memory per node at most, while clump_big_nodes_finish() sorts them */

/* Unites the clusters with these ids; makes nodes of them on first use. Fails where there would be more than `most`. */
clump_status clump_big_nodes_unite(clump_big_nodes *nodes, uint64_t a, uint64_t b, clump_message *message);

/* Sorts the nodes by id and makes every parent a root. Nothing can be united afterwards. */
clump_status clump_big_nodes_finish(clump_big_nodes *nodes, clump_message *message);

/* After clump_big_nodes_finish(): returns the first node whose id is at least `id`. */
size_t clump_big_nodes_from(const clump_big_nodes *nodes, uint64_t id);

void clump_big_nodes_release(clump_big_nodes *nodes);

#endif
