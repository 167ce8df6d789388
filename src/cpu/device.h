/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h: name, cores and memory of the processor, for the table of the CPU backend (core/backend.h).
 */
#ifndef CLUMP_CPU_DEVICE_H
#define CLUMP_CPU_DEVICE_H

#include <clump/info.h>

/* Always 1; `why` stays untouched. */
int clump_cpu_device_count(const char **why);

/* CLUMP_ERR_NO_DEVICE for every number but 0. */
clump_status clump_cpu_device_query(int device, clump_device_info *out);

#endif
