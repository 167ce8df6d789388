/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_sqlite.c: the fuzz target for rosbag2 databases.
 */
#include "container.h"

FUZZ_TARGET(sqlite)
{
    fuzz_container(&clump_io_container_sqlite, data, size);
    return 0;
}
