/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region_mask.h: the mask of clump_detect on the CPU: caller and region (rules/region.h).
 */
#ifndef CLUMP_CPU_DETECT_REGION_MASK_H
#define CLUMP_CPU_DETECT_REGION_MASK_H

#include "core/backend.h"

/* Sets mask[i] to 1 for points that neither the mask nor the region of the job leaves out, else to 0. */
clump_status clump_cpu_region_mask(clump_context *ctx, const clump_detect_job *job, int threads, uint8_t *mask);

#endif
