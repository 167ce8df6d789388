/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fault.h: fault injection for tests. CLUMP_CUDA (device.h) asks before every call of the CUDA runtime.
 */
#ifndef CLUMP_CUDA_GPU_FAULT_H
#define CLUMP_CUDA_GPU_FAULT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On this state of the CUDA backend the next `calls` calls of the CUDA runtime succeed, and the one after returns the
 * cudaError_t `error`. Later calls succeed again. error 0 (cudaSuccess): none fails. */
void clump_cuda_fail_after(void *state, int64_t calls, int error);

/* Returns how many calls are left until one fails: how many a job makes, where none has failed since. */
int64_t clump_cuda_calls_left(const void *state);

#ifdef __cplusplus
}
#endif
#endif
