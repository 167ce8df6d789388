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

/* Starts MPI. Its threads must not take the signals that cli_stop_watch() waits for: the process would end by the first. So these
 * are blocked until the threads are there. */
static bool start_mpi(int *argc, char ***argv)
{
    sigset_t set, before;
    int provided;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    const int code = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == MPI_SUCCESS && provided >= MPI_THREAD_FUNNELED;
}

int main(int argc, char **argv)
{
    if (!start_mpi(&argc, &argv)) {
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
