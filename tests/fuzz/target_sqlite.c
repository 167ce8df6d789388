/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_sqlite.c: the fuzz target for rosbag2 databases.
 */
#include "container.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_container(&clump_io_container_sqlite, data, size);
    return 0;
}
