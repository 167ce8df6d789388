/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.h: scans and sorts, which are CUB's. All that uses CUB for them goes through here, so that its
 * templates are compiled once. `temporary` is CUB's own memory; it stays between calls and may grow.
 */
#ifndef CLUMP_CUDA_GPU_SCAN_H
#define CLUMP_CUDA_GPU_SCAN_H

#include "cuda/gpu/device.h"

/* Every entry becomes the sum of those before it; x has n + 1, the last of which is the total then. Its
 * own value does not matter, but must be there. */
clump_status clump_scan(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary, uint32_t *x, uint32_t n);

/* The same into an array of 64 bits, for sums that pass 2^32. */
clump_status clump_scan_wide(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary, const uint32_t *x,
                             uint64_t *out, uint32_t n);

/* Sorts by bits first ... last - 1 of the keys, from one array into the other; equals keep their order.
 * With places, they go along. */
clump_status clump_sort_pairs(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary,
                              const uint64_t *keys, uint64_t *keys_out, const uint32_t *places, uint32_t *places_out,
                              uint32_t n, int first, int last);
clump_status clump_sort_keys(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary, const uint64_t *keys,
                             uint64_t *keys_out, uint32_t n, int first, int last);

/* Room for clump_scan and clump_sort_keys of up to n. */
clump_status clump_scan_reserve(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary, uint32_t n);

#endif
