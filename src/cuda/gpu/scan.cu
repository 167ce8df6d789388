/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.cu: see scan.h. Each function of CUB is called twice: first it returns the memory that it needs.
 */
#include "cuda/gpu/scan.h"

#include "common/assert.h"

/* CUB includes <iostream>, where <ostream> is enough. <iostream> initialises the streams of the C++ library when
 * libclump is loaded, and libclump uses nothing of that library. The macro makes <iostream> count as included. */
#include <ostream>
#define _GLIBCXX_IOSTREAM 1

#define CCCL_DISABLE_NVTX
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

/* Runs call(memory, bytes), a function of CUB, with the memory it needs. */
template <class F>
static clump_status with_memory(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, const char *what,
                                F call)
{
    size_t bytes = 0;
    CLUMP_CUDA(work, cuda, what, call((void *)NULL, bytes));
    CLUMP_TRY(clump_device_reserve(work, cuda, temporary, bytes ? bytes : 1));
    CLUMP_CUDA(work, cuda, what, call(temporary->data, bytes));
    return CLUMP_OK;
}

clump_status clump_scan(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, uint32_t *x, uint32_t n)
{
    CLUMP_ASSERT(n < UINT32_MAX);
    return with_memory(work, cuda, temporary, "scanning", [=](void *memory, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, x, x, n + 1, cuda->stream);
    });
}

clump_status clump_scan_wide(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, const uint32_t *x,
                             uint64_t *out, uint32_t n)
{
    CLUMP_ASSERT(n < UINT32_MAX);
    return with_memory(work, cuda, temporary, "scanning", [=](void *memory, size_t &bytes) {
        return cub::DeviceScan::ExclusiveScan(memory, bytes, x, out, ::cuda::std::plus<uint64_t>{}, (uint64_t)0, n + 1,
                                              cuda->stream);
    });
}

clump_status clump_sort_pairs(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, const uint64_t *keys,
                              uint64_t *keys_out, const uint32_t *places, uint32_t *places_out, uint32_t n, int first,
                              int last)
{
    CLUMP_ASSERT(first >= 0 && first < last && last <= 64);
    return with_memory(work, cuda, temporary, "sorting", [=](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, keys_out, places, places_out, n, first, last,
                                               cuda->stream);
    });
}

clump_status clump_sort_keys(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, const uint64_t *keys,
                             uint64_t *keys_out, uint32_t n, int first, int last)
{
    CLUMP_ASSERT(first >= 0 && first < last && last <= 64);
    return with_memory(work, cuda, temporary, "sorting", [=](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, keys_out, n, first, last, cuda->stream);
    });
}

clump_status clump_scan_reserve(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary, uint32_t n)
{
    size_t scan = 0, sort = 0;
    uint32_t *const x = NULL;
    uint64_t *const keys = NULL;
    CLUMP_CUDA(work, cuda, "scanning", cub::DeviceScan::ExclusiveSum(NULL, scan, x, x, n + 1, cuda->stream));
    CLUMP_CUDA(work, cuda, "sorting", cub::DeviceRadixSort::SortKeys(NULL, sort, keys, keys, n, 32, 64, cuda->stream));
    return clump_device_reserve(work, cuda, temporary, scan > sort ? scan : sort);
}
