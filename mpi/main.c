/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c: clump-mpi, the program clump on many machines:
 *
 *     mpirun -n 8 clump-mpi ec tiles/ -d 0.5 -o out/
 *
 * All ranks run the program with the same arguments. A rank that ends without the others ends the job: mpirun says which.
 */
#include "peers_mpi.h"

#include "base/peers.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the rank among the processes of this machine. */
static int local_rank(int rank)
{
    MPI_Comm machine;
    int local = 0;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine) != MPI_SUCCESS)
        return 0;
    MPI_Comm_rank(machine, &local);
    MPI_Comm_free(&machine);
    return local;
}

/* Blocks the signals that cli_stop_watch() waits for: the threads of MPI, which are made before, take them else, and the
 * process ends by the first. */
static void block_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
    int provided;
    block_signals();
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED) {
        fputs("clump-mpi: this MPI cannot be used by a program with threads\n", stderr);
        return EXIT_FAILURE;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    mpi_peers transport;
    if (!mpi_peers_make(MPI_COMM_WORLD, &transport)) {
        fputs("clump-mpi: the ranks cannot be counted\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    const clump_peers peers = mpi_peers_of(&transport);
    const cli_peers all = {.program = "clump-mpi", .peers = &peers, .local = local_rank(transport.rank)};
    const int status = cli_main(argc, argv, &all);
    mpi_peers_greet(&transport, false);
    if (transport.failed) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    mpi_peers_release(&transport);
    MPI_Finalize();
    return status;
}
