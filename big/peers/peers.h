/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers.h: two transports of clump_peers that need no other library. The third, MPI, is in the program clump-mpi.
 *
 *     alone     one rank: everything stays where it is
 *     threads   ranks that are threads of one process. Tests run the code of many machines with them
 */
#ifndef CLUMP_BIG_PEERS_H
#define CLUMP_BIG_PEERS_H

#include <clump/big.h>

/* Returns the transport of a single rank. */
clump_peers clump_peers_alone(void);

/* Ranks in one process. Each rank is one thread, which uses the peers of its number only. */
typedef struct clump_world clump_world;

/* Creates a world of `count` ranks; null: no memory. */
clump_world *clump_world_create(int count);
void clump_world_destroy(clump_world *world); /* world may be null; no rank may be in a call */
clump_peers clump_world_peers(clump_world *world, int rank);

/* Fault injection for tests: the call number `call` of a rank, counted from 1, fails on all ranks. 0: no call does. */
void clump_world_trap(clump_world *world, int rank, long call);

/* Returns how many calls a rank has made so far. */
long clump_world_calls(const clump_world *world, int rank);

#endif
