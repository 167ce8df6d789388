/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_bag.c: the fuzz target for ROS 1 bags.
 */
#include "container.h"

FUZZ_TARGET(bag)
{
    fuzz_container(&clump_io_container_bag, data, size);
    return 0;
}
