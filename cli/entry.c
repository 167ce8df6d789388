/* SPDX-License-Identifier: BSD-3-Clause
 *
 * entry.c: the main function of the program `clump`.
 */
#include "base/peers.h"

#include <stddef.h>

int main(int argc, char **argv)
{
    return cli_main(argc, argv, NULL);
}
