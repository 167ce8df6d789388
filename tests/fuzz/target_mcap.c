/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_mcap.c: the fuzz target for MCAP.
 */
#include "container.h"

FUZZ_TARGET(mcap)
{
    return fuzz_container(&clump_io_container_mcap, data, size);
}
