/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers.c: see peers.h.
 */
#include "base/peers.h"

#include <string.h>

static const cli_peers *the_peers; /* set once, before any other thread is made */

void cli_set_peers(const cli_peers *peers)
{
    the_peers = peers;
}

const cli_peers *cli_the_peers(void)
{
    return the_peers;
}

const char *cli_program(void)
{
    return the_peers ? the_peers->program : "clump";
}

bool cli_has_command(const char *name)
{
    return !the_peers || strcmp(name, "ec") == 0 || strcmp(name, "dbscan") == 0;
}
