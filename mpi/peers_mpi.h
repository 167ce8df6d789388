/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers_mpi.h: the transport of clump_peers over MPI.
 */
#ifndef CLUMP_MPI_PEERS_MPI_H
#define CLUMP_MPI_PEERS_MPI_H

#include <clump/big.h>

#include <mpi.h>

typedef struct mpi_peers {
    MPI_Comm world;
    int rank, count;
    MPI_Request *requests; /* 2 * count */
    bool greeted;          /* mpi_peers_greet() was called, */
    bool ready;            /* and returned true */
    bool failed;           /* a call of MPI has failed: no more are made, and other ranks may wait for this one */
} mpi_peers;

/* Prepares the transport over a communicator whose errors are returned. False: no memory, or MPI fails. */
bool mpi_peers_make(MPI_Comm world, mpi_peers *peers);
void mpi_peers_release(mpi_peers *peers);

/* Learns whether all ranks take part. The first call of the transport does it; a rank that ends without such a call must say
 * so with `takes_part` false, or the others would wait for it. Returns whether all take part. */
bool mpi_peers_greet(mpi_peers *peers, bool takes_part);
clump_peers mpi_peers_of(mpi_peers *peers);

#endif
