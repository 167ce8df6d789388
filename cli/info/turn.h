/* SPDX-License-Identifier: BSD-3-Clause
 *
 * turn.h: whether a cloud looks like one turn of a spinning sensor at 0, 0, 0.
 */
#ifndef CLUMP_CLI_TURN_H
#define CLUMP_CLI_TURN_H

#include <clump/clump.h>

bool cli_is_turn(clump_points points);

#endif
