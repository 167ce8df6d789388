/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap.c: to come.
 */
#include "recordings/container.h"

const clump_io_container clump_io_container_mcap = {.format = CLUMP_RECORDING_MCAP, .name = "mcap"};
