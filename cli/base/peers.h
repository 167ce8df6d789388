/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers.h: the program as one of several processes that share a job. clump itself runs alone; clump-mpi gives the program
 * its peers.
 */
#ifndef CLUMP_CLI_PEERS_H
#define CLUMP_CLI_PEERS_H

#include <stdbool.h>

struct clump_peers;

typedef struct cli_peers {
    const char *program;             /* the name of the program, "clump-mpi" */
    const struct clump_peers *peers; /* of clump/big.h: rank, count, and how to talk to the others */
    int local;                       /* rank among the processes of this machine: the number of its GPU */
} cli_peers;

/* The main function of the program. Returns the exit status. peers: null for a program that runs alone. With peers, every
 * process calls it with the same arguments; only rank 0 prints, and only ec and dbscan can be run. Call it once. */
int cli_main(int argc, char **argv, const cli_peers *peers);

/* Sets the peers; cli_main() does it. */
void cli_set_peers(const cli_peers *peers);

/* Returns what cli_main() was given. */
const cli_peers *cli_the_peers(void);

/* Returns the name of the program, for messages: "clump", or "clump-mpi" with peers. */
const char *cli_program(void);

/* Whether the program runs the command of this name. */
bool cli_has_command(const char *name);

#endif
