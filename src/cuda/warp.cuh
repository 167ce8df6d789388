/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warp.cuh: what the 32 lanes of a warp do together.
 */
#ifndef CLUMP_CUDA_WARP_CUH
#define CLUMP_CUDA_WARP_CUH

#include <stdint.h>

/* The smallest of all lanes, in all lanes; all of them call it. */
__device__ static inline uint32_t clump_warp_min(uint32_t value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, value);
#else
    for (int step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(~0u, value, step));
    return value;
#endif
}

#endif
