/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backend.h: what the CUDA backend shows outside its folder: its table, and a way for tests to make
 * the CUDA runtime fail.
 */
#ifndef CLUMP_CUDA_BACKEND_H
#define CLUMP_CUDA_BACKEND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So many more calls of the CUDA runtime succeed on this state, and the one after them fails with this
 * cudaError_t; then all is as before. */
void clump_cuda_fail_after(void *state, int64_t calls, int error);

#ifdef __cplusplus
}
#endif
#endif
