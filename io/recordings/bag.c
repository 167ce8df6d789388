/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag.c: to come.
 */
#include "recordings/container.h"

const clump_io_container clump_io_container_bag = {.format = CLUMP_RECORDING_BAG, .name = "bag"};
