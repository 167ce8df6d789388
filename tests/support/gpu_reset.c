/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gpu_reset.c: gpu_reset() of on_gpu.h, which alone needs the CUDA runtime.
 */
#include "support/on_gpu.h"

#ifdef CLUMP_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

bool gpu_reset(void)
{
#ifdef CLUMP_WITH_CUDA
    return cudaDeviceReset() == cudaSuccess;
#else
    return true;
#endif
}
