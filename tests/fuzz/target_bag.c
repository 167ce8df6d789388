/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_bag.c: the fuzz target for ROS 1 bags.
 */
#include "container.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_container(&clump_io_container_bag, data, size);
    return 0;
}
