/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device_list.h: the GPUs of this machine, for the backend table (core/backend.h). Both functions leave the caller's current
 * device as it is, and no error behind.
 */
#ifndef CLUMP_CUDA_GPU_DEVICE_LIST_H
#define CLUMP_CUDA_GPU_DEVICE_LIST_H

#include "cuda/gpu/device.h"

/* Returns the number of GPUs. Where it is 0 and `why` is not null, *why becomes the reason. */
int clump_cuda_device_count(const char **why);

/* Describes a GPU. CLUMP_ERR_NO_DEVICE where it cannot be asked. */
clump_status clump_cuda_device_query(int device, clump_device_info *out);

#endif
