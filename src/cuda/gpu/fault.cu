/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fault.cu: see fault.h.
 */
#include "cuda/gpu/fault.h"

#include "cuda/gpu/device.h"

extern "C" void clump_cuda_fail_after(void *state, int64_t calls, int error)
{
    clump_cuda *const cuda = (clump_cuda *)state; /* the first member of the state: backend.cu */
    cuda->fail_after = calls;
    cuda->fail_with = (cudaError_t)error;
}

extern "C" int64_t clump_cuda_calls_left(const void *state)
{
    return ((const clump_cuda *)state)->fail_after;
}
