/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.cu: see labels.h, and core/labels.c for the definition. Only the GPU knows the number of clusters. It is at
 * most the number of points, so every step runs for one label per point. Labels that do not exist have size 0 and are
 * not kept.
 *
 *     sizes     5  1  9  2  0  0        min_size 2, two labels that do not exist
 *     by index  kept    1  0  1  1  0  0       scanned   0  1  1  2  3  3   3
 *     by size   keys    ~size : label, or all ones : label; sorted by the upper half, stably
 *               sorted  9:2  5:0  2:3  -:1  -:4  -:5
 *     map       1  -  0  2  -  -         in the place of sizes
 */
#include "cuda/gpu/launch.h"
#include "cuda/gpu/scan.h"

enum { LABELS_THREADS = 256 }; /* per thread block */

typedef struct limits {
    uint64_t least, most; /* most 0: no limit */
} limits;

__device__ static inline bool is_kept(uint32_t label, uint32_t clusters, uint32_t size, limits l)
{
    return label < clusters && size >= l.least && (l.most == 0 || size <= l.most);
}

/* Lanes with the same label make one atomic operation: points of a large cluster would otherwise contend. */
__global__ static void count_sizes(const int32_t *labels, uint32_t count, uint32_t *sizes)
{
    const size_t i = blockIdx.x * (size_t)LABELS_THREADS + threadIdx.x;
    const int32_t label = i < count ? labels[i] : CLUMP_NOISE;
    const unsigned same = __match_any_sync(0xffffffffu, label);
    if (label >= 0 && (threadIdx.x & 31) == (unsigned)__ffs((int)same) - 1)
        atomicAdd(&sizes[label], (uint32_t)__popc(same));
}

/* ----- by index ------------------------------------------------------------------------------------- */

__global__ static void mark_kept(const uint32_t *sizes, uint32_t count, const clump_counts *counts, limits l,
                                 uint32_t *mark)
{
    const size_t c = blockIdx.x * (size_t)LABELS_THREADS + threadIdx.x;
    if (c <= count) mark[c] = c < count && is_kept((uint32_t)c, counts->clusters, sizes[c], l);
}

/* A label is kept where the scan rises. */
__global__ static void map_by_index(const uint32_t *mark, uint32_t count, uint32_t *map, clump_counts *counts)
{
    const size_t c = blockIdx.x * (size_t)LABELS_THREADS + threadIdx.x;
    if (c >= count) return;
    map[c] = mark[c] != mark[c + 1] ? mark[c] : (uint32_t)CLUMP_NOISE;
    if (c > 0) return;
    counts->clusters = mark[count];
    counts->noise = 0;
}

/* ----- by size -------------------------------------------------------------------------------------- */

__global__ static void make_keys(const uint32_t *sizes, uint32_t count, const clump_counts *counts, limits l,
                                 uint64_t *keys)
{
    const size_t c = blockIdx.x * (size_t)LABELS_THREADS + threadIdx.x;
    if (c >= count) return;
    const bool kept = is_kept((uint32_t)c, counts->clusters, sizes[c], l);
    keys[c] = (uint64_t)(kept ? ~sizes[c] : UINT32_MAX) << 32 | c;
}

__global__ static void map_by_size(const uint64_t *sorted, uint32_t count, uint32_t *map, clump_counts *counts)
{
    const size_t k = blockIdx.x * (size_t)LABELS_THREADS + threadIdx.x;
    if (k >= count) return;
    const bool kept = sorted[k] >> 32 != UINT32_MAX;
    const bool next_kept = k + 1 < count && sorted[k + 1] >> 32 != UINT32_MAX;
    map[(uint32_t)sorted[k]] = kept ? (uint32_t)k : (uint32_t)CLUMP_NOISE;
    if (kept && !next_kept) counts->clusters = (uint32_t)k + 1;
    if (k > 0) return;
    if (!kept) counts->clusters = 0;
    counts->noise = 0;
}

/* ----- renumbering ------------------------------------------------------------------------------------- */

__global__ static void renumber(const uint32_t *map, uint32_t count, int32_t *labels, clump_counts *counts)
{
    const size_t i = blockIdx.x * (size_t)LABELS_THREADS + threadIdx.x;
    int32_t label = 0;
    if (i < count) {
        label = labels[i];
        if (label >= 0) labels[i] = label = (int32_t)map[label];
    }
    const int noise = __syncthreads_count(label == CLUMP_NOISE);
    if (threadIdx.x == 0 && noise > 0) atomicAdd(&counts->noise, (uint32_t)noise);
}

template <class... P, class... A>
static clump_status launch(clump_work *work, clump_cuda *cuda, const char *what, uint64_t items, void (*kernel)(P...),
                           const A &...arguments)
{
    return clump_launch_items(work, cuda, what, items, LABELS_THREADS, CLUMP_GRID_MOST, kernel, arguments...);
}

clump_status clump_labels_finish_on_gpu(clump_work *work, clump_cuda *cuda, clump_labels_scratch *s,
                                        const clump_cloud_job *job, int32_t *labels, clump_counts *counts)
{
    CLUMP_ASSERT(clump_labels_unfinished(job) && job->count <= INT32_MAX);
    if (job->count == 0) return CLUMP_OK;
    const uint32_t n = (uint32_t)job->count;
    const limits l = {job->min_size, job->max_size};
    const bool by_size = job->order == CLUMP_ORDER_SIZE;
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->sizes, n * sizeof(uint32_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->keys, (n + (size_t)1) * sizeof(uint64_t)));
    if (by_size) CLUMP_TRY(clump_device_reserve(work, cuda, &s->sorted, n * sizeof(uint64_t)));
    uint32_t *const sizes = (uint32_t *)s->sizes.data;
    CLUMP_CUDA(work, cuda, "counting cluster sizes", cudaMemsetAsync(sizes, 0, n * sizeof *sizes, cuda->stream));
    CLUMP_TRY(launch(work, cuda, "counting cluster sizes", n, count_sizes, labels, n, sizes));
    if (by_size) {
        uint64_t *const keys = (uint64_t *)s->keys.data, *const sorted = (uint64_t *)s->sorted.data;
        CLUMP_TRY(launch(work, cuda, "ordering clusters", n, make_keys, sizes, n, counts, l, keys));
        CLUMP_TRY(clump_sort_keys(work, cuda, &s->sort, keys, sorted, n, 32, 64));
        CLUMP_TRY(launch(work, cuda, "ordering clusters", n, map_by_size, sorted, n, sizes, counts));
    } else {
        uint32_t *const mark = (uint32_t *)s->keys.data;
        CLUMP_TRY(launch(work, cuda, "numbering clusters", n + (uint64_t)1, mark_kept, sizes, n, counts, l, mark));
        CLUMP_TRY(clump_scan(work, cuda, &s->sort, mark, n));
        CLUMP_TRY(launch(work, cuda, "numbering clusters", n, map_by_index, mark, n, sizes, counts));
    }
    return launch(work, cuda, "renumbering labels", n, renumber, sizes, n, labels, counts);
}

clump_status clump_labels_reserve_on_gpu(clump_work *work, clump_cuda *cuda, clump_labels_scratch *s, size_t max_points)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->sizes, max_points * sizeof(uint32_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->keys, (max_points + 1) * sizeof(uint64_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->sorted, max_points * sizeof(uint64_t)));
    return clump_scan_reserve(work, cuda, &s->sort, (uint32_t)max_points);
}

void clump_labels_trim(clump_work *work, clump_cuda *cuda, clump_labels_scratch *s)
{
    clump_device_release(work, cuda, &s->sizes);
    clump_device_release(work, cuda, &s->keys);
    clump_device_release(work, cuda, &s->sorted);
    clump_device_release(work, cuda, &s->sort);
}
