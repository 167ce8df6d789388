/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sqlite.c: to come.
 */
#include "recordings/container.h"

const clump_io_container clump_io_container_sqlite = {.format = CLUMP_RECORDING_SQLITE, .name = "sqlite"};
