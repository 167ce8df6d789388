/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcap.c: to come.
 */
#include "recordings/container.h"

const clump_io_container clump_io_container_pcap = {.format = CLUMP_RECORDING_PCAP, .name = "pcap"};
