/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_pcap.c: the fuzz target for captures of packets.
 */
#include "container.h"

FUZZ_TARGET(pcap)
{
    return fuzz_container(&clump_io_container_pcap, data, size);
}
