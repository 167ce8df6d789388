/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.h: prefix sums and sorts by CUB. All uses go through here, so that the templates are compiled once. `temporary`
 * is CUB's memory; it stays between calls and may grow.
 */
#ifndef CLUMP_CUDA_GPU_SCAN_H
#define CLUMP_CUDA_GPU_SCAN_H

#include "cuda/gpu/device.h"

/* Makes every entry of x the sum of the entries before it. x has n + 1 entries; the last one becomes the total, its
 * value before does not matter. */
clump_status clump_scan(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, uint32_t *x, uint32_t n);

/* Prefix sum into an array of 64 bits, for sums that pass 2^32. */
clump_status clump_scan_wide(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, const uint32_t *x,
                             uint64_t *out, uint32_t n);

/* Sorts keys by their bits first ... last - 1 into keys_out, stably. sort_pairs moves `places` along. */
clump_status clump_sort_pairs(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, const uint64_t *keys,
                              uint64_t *keys_out, const uint32_t *places, uint32_t *places_out, uint32_t n, int first,
                              int last);
clump_status clump_sort_keys(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, const uint64_t *keys,
                             uint64_t *keys_out, uint32_t n, int first, int last);

/* Reserves memory for clump_scan and clump_sort_keys of up to n entries. */
clump_status clump_scan_reserve(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, uint32_t n);

#endif
