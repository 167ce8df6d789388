/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_lists.cu: see nn.h. Partitions are made by a counting sort, as on the CPU (cpu/nn/nn_azimuth.c):
 *
 *     begin     the prefix sum of the number of points per partition
 *     points    each goes to the next free place of its partition
 *
 * Lanes of a warp with points of one partition, which are frequent in a scan, count them by one atomic. The order of the
 * points of a partition differs from run to run. It changes no result: of equally near points the index decides.
 */
#include "cuda/gpu/launch.h"
#include "cuda/nn/nn.h"
#include "cuda/gpu/scan.h"
#include "rules/azimuth.h"

#include <math.h>

enum { LISTS_THREADS = 256 }; /* per thread block */

__device__ static inline bool load_point(const clump_cloud_view &cloud, uint64_t i, float4 *p)
{
    bool finite, masked;
    const bool there = i < cloud.count && clump_view_point(cloud, i, &p->x, &p->y, &p->z, &finite, &masked);
    p->w = __int_as_float((int)(uint32_t)i);
    return there;
}

__global__ static void __launch_bounds__(LISTS_THREADS)
    copy_list(clump_cloud_view cloud, float4 *points, uint32_t *finite)
{
    const uint64_t i = blockIdx.x * (uint64_t)LISTS_THREADS + threadIdx.x;
    float4 p;
    const bool there = load_point(cloud, i, &p);
    if (i < cloud.count) points[i] = there ? p : make_float4(NAN, NAN, NAN, p.w);
    const int count = __syncthreads_count(there);
    if (threadIdx.x == 0 && count > 0) atomicAdd(finite, (uint32_t)count);
}

/* Returns the partition of a point, -1 where there is none. *peers are the lanes with an equal result. */
__device__ static inline int partition_of(const float4 &p, bool there, int partitions, uint32_t *peers)
{
    const int partition = there ? clump_azimuth_partition(p.x, p.y, partitions) : -1;
    *peers = __match_any_sync(~0u, partition);
    return partition;
}

__global__ static void __launch_bounds__(LISTS_THREADS)
    count_points(clump_cloud_view cloud, int partitions, uint32_t *counts)
{
    float4 p;
    uint32_t peers;
    const bool there = load_point(cloud, blockIdx.x * (uint64_t)LISTS_THREADS + threadIdx.x, &p);
    const int partition = partition_of(p, there, partitions, &peers);
    if (there && (int)(threadIdx.x % 32) == __ffs((int)peers) - 1)
        atomicAdd(&counts[partition], (uint32_t)__popc(peers));
}

__global__ static void __launch_bounds__(LISTS_THREADS)
    place_points(clump_cloud_view cloud, int partitions, uint32_t *next, float4 *points)
{
    float4 p;
    uint32_t peers, base = 0;
    const uint32_t lane = threadIdx.x % 32;
    const bool there = load_point(cloud, blockIdx.x * (uint64_t)LISTS_THREADS + threadIdx.x, &p);
    const int partition = partition_of(p, there, partitions, &peers), leader = __ffs((int)peers) - 1;
    if (there && (int)lane == leader) base = atomicAdd(&next[partition], (uint32_t)__popc(peers));
    base = __shfl_sync(~0u, base, leader);
    if (there) points[base + (uint32_t)__popc(peers & ((1u << lane) - 1))] = p;
}

clump_status clump_cuda_list_build(clump_work *work, clump_cuda *cuda, clump_work *home, clump_cuda *keeper,
                                   clump_cuda_list *list, const clump_cloud_view *cloud, uint32_t *finite,
                                   clump_walk *walk)
{
    const uint32_t n = cloud->count;
    CLUMP_CUDA(work, cuda, "copying points", cudaMemsetAsync(finite, 0, sizeof *finite, cuda->stream));
    if (n > 0) {
        CLUMP_TRY(clump_device_reserve(home, keeper, &list->points, n * sizeof(float4)));
        CLUMP_TRY(clump_launch_items(work, cuda, "copying points", n, LISTS_THREADS, CLUMP_GRID_MOST, copy_list, *cloud,
                                     (float4 *)list->points.data, finite));
    }
    walk->points = (const float4 *)list->points.data;
    walk->count = n;
    walk->kind = CLUMP_WALK_LIST;
    return CLUMP_OK;
}

clump_status clump_cuda_azimuth_build(clump_work *work, clump_cuda *cuda, clump_list_scratch *scratch, clump_work *home,
                                      clump_cuda *keeper, clump_cuda_list *list, const clump_cloud_view *cloud,
                                      int partitions, int window, uint32_t *finite, clump_walk *walk)
{
    const uint32_t n = cloud->count;
    CLUMP_ASSERT(partitions >= 1 && window >= 0);
    const size_t bytes = ((size_t)partitions + 1) * sizeof(uint32_t);
    const cudaStream_t stream = cuda->stream;
    static const char what[] = "making partitions";
    CLUMP_TRY(clump_device_reserve(home, keeper, &list->points, (n ? n : 1) * sizeof(float4)));
    CLUMP_TRY(clump_device_reserve(home, keeper, &list->begin, bytes));
    CLUMP_TRY(clump_device_reserve(work, cuda, &scratch->next, bytes));
    uint32_t *const begin = (uint32_t *)list->begin.data, *const next = (uint32_t *)scratch->next.data;
    CLUMP_CUDA(work, cuda, what, cudaMemsetAsync(begin, 0, bytes, stream));
    if (n > 0)
        CLUMP_TRY(clump_launch_items(work, cuda, what, n, LISTS_THREADS, CLUMP_GRID_MOST, count_points, *cloud,
                                     partitions, begin));
    CLUMP_TRY(clump_scan(work, cuda, &scratch->scan, begin, (uint32_t)partitions));
    CLUMP_CUDA(work, cuda, what, cudaMemcpyAsync(next, begin, bytes, cudaMemcpyDeviceToDevice, stream));
    CLUMP_CUDA(work, cuda, what,
               cudaMemcpyAsync(finite, begin + partitions, sizeof *finite, cudaMemcpyDeviceToDevice, stream));
    if (n > 0)
        CLUMP_TRY(clump_launch_items(work, cuda, what, n, LISTS_THREADS, CLUMP_GRID_MOST, place_points, *cloud,
                                     partitions, next, (float4 *)list->points.data));
    walk->points = (const float4 *)list->points.data;
    walk->begin = begin;
    walk->partitions = partitions;
    walk->window = window;
    walk->kind = CLUMP_WALK_AZIMUTH;
    return CLUMP_OK;
}
