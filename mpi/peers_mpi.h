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
} mpi_peers;

/* Prepares the transport over a communicator whose errors are returned. False: no memory, or MPI fails. */
bool mpi_peers_make(MPI_Comm world, mpi_peers *peers);
void mpi_peers_release(mpi_peers *peers);
clump_peers mpi_peers_of(mpi_peers *peers);

#endif
