/* SPDX-License-Identifier: BSD-3-Clause
 *
 * faulty.c: for LD_PRELOAD: a reduction of rank 1 fails as a network may fail, that with the number in CLUMP_FAULT.
 */
#include <mpi.h>

#include <stdlib.h>

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm world)
{
    static long calls;
    const char *const fault = getenv("CLUMP_FAULT");
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (fault && rank == 1 && ++calls == strtol(fault, NULL, 10)) return MPI_ERR_OTHER;
    return PMPI_Allreduce(send, receive, count, type, op, world);
}
