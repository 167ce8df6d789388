/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.cu: see batch.h.
 */
#include "cuda/batch/batch.h"

#include "cuda/batch/batch_number.cuh"
#include "cuda/gpu/launch.h"

enum { BATCH_LARGE_THREADS = 512, BATCH_CHECK_THREADS = 1024 };

/* What the kernels share: sums, the counts of a cloud by `fast`, and whether the offsets are valid. */
typedef struct batch_shared {
    clump_counts sums, one;
    uint32_t valid;
} batch_shared;

/* ----- kernels ----------------------------------------------------------------------------------------- */

/* Clears the sums and checks the offsets. One thread block. Where offsets do not ascend, clouds would share memory. */
__global__ static void begin_kernel(const int64_t *offsets, uint32_t clouds, uint32_t points, batch_shared *shared)
{
    bool good = true;
    for (uint32_t c = threadIdx.x; c < clouds; c += blockDim.x) good = good && offsets[c] <= offsets[c + 1];
    const bool all = __syncthreads_and(good);
    if (threadIdx.x > 0) return;
    shared->sums = clump_counts{0, 0, 0, 0};
    shared->valid = all && offsets[0] == 0 && offsets[clouds] == (int64_t)points;
}

/* Clusters one cloud whose arrays are laid out. */
template <bool DENSITY>
__device__ static void cluster_cloud(const batch_gpu_job &job, uint32_t cloud, size_t first, batch_cloud c)
{
    const float radius = job.radii ? job.radii[cloud] : job.radius;
    batch_counts counts = {0, 0, 0};
    uint32_t clusters = 0;
    const bool allowed = clump_radius_is_allowed(radius);
    if (!allowed) {
        for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) c.parent[i] = BATCH_OUT;
        __syncthreads();
    } else {
        c.bound = clump_batch_bound(radius, DENSITY);
        batch_enter(c, clump_voxel_rule_make(radius), &counts);
        if (DENSITY) batch_count(c, job.min_points);
        batch_join(c);
        if (DENSITY && job.borders) batch_border(c);
        clusters = batch_number(c, job);
    }
    batch_label(c, job, first, &counts);
    batch_report(job, cloud, clusters, counts);
}

/* The view of one cloud. */
__device__ static inline clump_cloud_view view_of(const clump_cloud_view &all, size_t first, uint32_t count)
{
    clump_cloud_view view = all;
    view.points += first * view.stride;
    if (view.mask) view.mask += first;
    view.count = count;
    return view;
}

__device__ static inline uint32_t power_of_two_up_to(uint32_t n)
{
    return 1u << (31 - __clz((int)n));
}

/* A thread block per cloud, all arrays in shared memory. */
template <bool DENSITY> __global__ static void small_kernel(batch_gpu_job job)
{
    extern __shared__ uint64_t memory[]; /* words of 64 bits: keys are in it */
    if (!*job.valid) return;
    const uint32_t cloud = blockIdx.x;
    const size_t first = (size_t)job.offsets[cloud];
    const uint32_t n = (uint32_t)((size_t)job.offsets[cloud + 1] - first), most = job.capacity;
    if (n > most) return;
    if (n == 0) {
        if (threadIdx.x == 0 && job.found) job.found[cloud] = 0;
        return;
    }
    uint32_t *const words = (uint32_t *)memory;
    float *const x = (float *)(words + 2 * most), *const y = x + most, *const z = y + most;
    batch_cloud c = {};
    c.x = x, c.y = y, c.z = z;
    c.head = words;
    c.tag = words + 5 * most, c.next = c.tag + most, c.parent = c.next + most;
    c.slots = power_of_two_up_to(2 * n);
    c.count = n;
    c.view = view_of(job.view, first, n);
    batch_fetch(c.view, x, y, z);
    cluster_cloud<DENSITY>(job, cloud, first, c);
}

/* Thread blocks take turns at the clouds that shared memory is too small for. */
template <bool DENSITY> __global__ static void large_kernel(batch_gpu_job job)
{
    if (!*job.valid) return;
    const size_t all = job.view.count;
    for (uint32_t cloud = blockIdx.x; cloud < job.clouds; cloud += gridDim.x) {
        const size_t first = (size_t)job.offsets[cloud];
        const uint32_t n = (uint32_t)((size_t)job.offsets[cloud + 1] - first);
        if (n <= job.capacity || n > job.alone) continue;
        batch_cloud c = {};
        c.head = job.large + 2 * first; /* 64-bit keys are aligned */
        c.tag = job.large + 2 * all + first, c.next = c.tag + all, c.parent = c.next + all;
        c.slots = power_of_two_up_to(2 * n);
        c.count = n;
        c.view = view_of(job.view, first, n);
        cluster_cloud<DENSITY>(job, cloud, first, c);
        __syncthreads();
    }
}

/* Adds the counts of a cloud that `fast` has clustered. */
__global__ static void add_kernel(batch_shared *shared, int32_t *found)
{
    const clump_counts one = shared->one;
    clump_counts *const sums = &shared->sums;
    sums->clusters += one.clusters, sums->finite += one.finite, sums->masked += one.masked, sums->noise += one.noise;
    if (found) *found = (int32_t)one.clusters;
}

/* ----- memory ------------------------------------------------------------------------------------------ */

void clump_cuda_batch_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_batch *b)
{
    clump_device_buffer *const all[] = {&b->offsets, &b->radii, &b->found,  &b->core,
                                        &b->large,   &b->first, &b->labels, &b->counts};
    for (clump_device_buffer *buffer : all) clump_device_release(ctx, cuda, buffer);
}

void clump_cuda_batch_close(clump_context *ctx, clump_cuda_batch *b)
{
    clump_pinned_release(ctx, &b->report);
}

/* Finds how many points fit into the shared memory of a thread block, and asks for that much. */
static clump_status find_capacity(clump_context *ctx, clump_cuda *cuda, clump_cuda_batch *b)
{
    if (b->capacity > 0) return CLUMP_OK;
    int bytes = 0;
    CLUMP_CUDA(ctx, cuda, "asking for shared memory",
               cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda->device));
    const uint32_t each = BATCH_WORDS * (uint32_t)sizeof(uint32_t), kept = 1024; /* static variables */
    const uint32_t fits = ((uint32_t)bytes - kept) / each / BATCH_STEP * BATCH_STEP;
    const uint32_t capacity = fits < BATCH_MOST ? fits : BATCH_MOST;
    CLUMP_CUDA(
        ctx, cuda, "asking for shared memory",
        cudaFuncSetAttribute(small_kernel<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(capacity * each)));
    CLUMP_CUDA(
        ctx, cuda, "asking for shared memory",
        cudaFuncSetAttribute(small_kernel<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(capacity * each)));
    b->capacity = capacity;
    return CLUMP_OK;
}

/* Copies an array of the caller in host memory to the GPU; null stays null. */
static clump_status send(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *buffer, const void *from,
                         size_t bytes, const void **out)
{
    *out = NULL;
    if (!from || bytes == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, buffer, bytes));
    CLUMP_CUDA(ctx, cuda, "sending the batch to the GPU",
               cudaMemcpyAsync(buffer->data, from, bytes, cudaMemcpyHostToDevice, cuda->stream));
    *out = buffer->data;
    return CLUMP_OK;
}

/* ----- the call ---------------------------------------------------------------------------------------- */

/* Returns the points of the largest cloud; the host knows the offsets. */
static size_t widest_of(const clump_batch_job *job)
{
    int64_t widest = 0;
    for (size_t c = 0; c < job->clouds; c++) {
        const int64_t n = job->offsets[c + 1] - job->offsets[c];
        if (n > widest) widest = n;
    }
    return (size_t)widest;
}

/* Chooses the points per cloud that the shared memory is for. Less memory lets more thread blocks run at once. Where only
 * the GPU knows the sizes, clouds of one size, the usual case of simulated sensors, are told by the remainder. */
static uint32_t choose_capacity(const clump_cuda_batch *b, const clump_batch_job *job, size_t widest)
{
    const bool known = job->in.place == CLUMP_PLACE_HOST;
    const size_t wanted = known ? widest : job->in.count % job->clouds == 0 ? job->in.count / job->clouds : BATCH_MOST;
    const size_t steps = (wanted + BATCH_STEP - 1) / BATCH_STEP, rounded = (steps > 0 ? steps : 1) * BATCH_STEP;
    return rounded < b->capacity ? (uint32_t)rounded : b->capacity;
}

/* Brings the arrays in host memory to the GPU. Points and labels in pinned memory stay there if `direct`. */
static clump_status bring(clump_context *ctx, clump_cuda *cuda, clump_cuda_batch *b, clump_transfer *t,
                          const clump_batch_job *job, bool direct, batch_gpu_job *gpu)
{
    const clump_cloud_job *const in = &job->in;
    const void *sent;
    CLUMP_TRY(send(ctx, cuda, &b->offsets, job->offsets, (job->clouds + 1) * sizeof(int64_t), &sent));
    gpu->offsets = (const int64_t *)sent;
    CLUMP_TRY(send(ctx, cuda, &b->radii, job->radii, job->clouds * sizeof(float), &sent));
    gpu->radii = (const float *)sent;
    if (job->counts) {
        CLUMP_TRY(clump_device_reserve(ctx, cuda, &b->found, job->clouds * sizeof(int32_t)));
        gpu->found = (int32_t *)b->found.data;
    }
    if (job->core && in->count > 0) {
        CLUMP_TRY(clump_device_reserve(ctx, cuda, &b->core, in->count));
        gpu->core = (uint8_t *)b->core.data;
    }
    if (!direct) return clump_upload(ctx, cuda, t, in, 0, 0, &gpu->view, &gpu->labels);
    gpu->view = clump_cloud_view{(const char *)clump_pinned_address(in->points), in->stride,
                                 in->mask ? (const uint8_t *)clump_pinned_address(in->mask) : NULL, (uint32_t)in->count,
                                 in->two_d};
    gpu->labels = (int32_t *)clump_pinned_address(in->labels);
    return CLUMP_OK;
}

/* Whether kernels can read and write the arrays of the caller themselves. */
static bool is_pinned(const clump_cloud_job *in)
{
    return in->count > 0 && clump_pinned_address(in->points) && clump_pinned_address(in->labels) &&
           (!in->mask || clump_pinned_address(in->mask));
}

/* Puts the kernels for all clouds of up to job.alone points on the stream. */
static clump_status launch(clump_context *ctx, clump_cuda *cuda, const batch_gpu_job &job, batch_shared *shared,
                           bool any_large)
{
    const clump_launch begin = {1, BATCH_CHECK_THREADS, 0, cuda->stream, false, 0};
    CLUMP_TRY(clump_launch_kernel(ctx, cuda, "clustering", begin, begin_kernel, job.offsets, job.clouds, job.view.count,
                                  shared));
    const bool density = job.min_points > 0;
    const uint32_t threads = job.capacity / 4 < 64 ? 64 : job.capacity / 4;
    const clump_launch small = {job.clouds,   threads, job.capacity * BATCH_WORDS * sizeof(uint32_t),
                                cuda->stream, false,   0};
    CLUMP_TRY(
        clump_launch_kernel(ctx, cuda, "clustering", small, density ? small_kernel<true> : small_kernel<false>, job));
    if (!any_large) return CLUMP_OK;
    const uint32_t most = 2 * (uint32_t)cuda->units;
    const clump_launch large = {job.clouds < most ? job.clouds : most, BATCH_LARGE_THREADS, 0, cuda->stream, false, 0};
    return clump_launch_kernel(ctx, cuda, "clustering", large, density ? large_kernel<true> : large_kernel<false>, job);
}

/* Puts `fast` for one cloud on the stream. */
static clump_status run_alone(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *fast, clump_labels_scratch *finish,
                              const clump_batch_job *job, const batch_gpu_job &gpu, batch_shared *shared, size_t cloud)
{
    const size_t first = (size_t)job->offsets[cloud], n = (size_t)job->offsets[cloud + 1] - first;
    clump_cloud_job one = job->in;
    one.count = n;
    one.wait = false;
    if (job->radii) one.d = job->radii[cloud], one.bound = clump_batch_bound(one.d, job->min_points > 0);
    clump_cloud_view view = gpu.view;
    view.points += first * view.stride;
    if (view.mask) view.mask += first;
    view.count = (uint32_t)n;
    int32_t *const labels = gpu.labels + first;
    const clump_cuda_density density = {job->min_points, job->border_points, gpu.core ? gpu.core + first : NULL};
    CLUMP_TRY(clump_cuda_run_fast(ctx, cuda, fast, &one, job->min_points > 0 ? &density : NULL, &view, false, labels,
                                  &shared->one));
    if (clump_labels_unfinished(&one))
        CLUMP_TRY(clump_labels_finish_on_gpu(ctx, cuda, finish, &one, labels, &shared->one));
    return clump_launch_items(ctx, cuda, "clustering", 1, 1, 1, add_kernel, shared,
                              gpu.found ? gpu.found + cloud : (int32_t *)NULL);
}

/* Fetches results to host memory and waits. */
static clump_status fetch(clump_context *ctx, clump_cuda *cuda, clump_cuda_batch *b, clump_transfer *t,
                          const clump_batch_job *job, const batch_gpu_job &gpu, bool direct, clump_result *result)
{
    static const char what[] = "fetching results from the GPU";
    const clump_fetched found = {job->counts, gpu.found, job->counts ? job->clouds * sizeof(int32_t) : 0};
    CLUMP_TRY(clump_fetch(ctx, cuda, t, &found, 1));
    if (job->core && job->in.count > 0)
        CLUMP_CUDA(ctx, cuda, what,
                   cudaMemcpyAsync(job->core, gpu.core, job->in.count, cudaMemcpyDeviceToHost, cuda->stream));
    clump_counts *const counts = (clump_counts *)b->report.data;
    CLUMP_CUDA(ctx, cuda, what,
               cudaMemcpyAsync(counts, gpu.counts, sizeof *counts, cudaMemcpyDeviceToHost, cuda->stream));
    if (direct)
        CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, what));
    else
        CLUMP_TRY(clump_download(ctx, cuda, t, &job->in, result));
    result->clusters = (int32_t)counts->clusters;
    result->finite = counts->finite;
    result->masked = counts->masked;
    result->noise = counts->noise;
    return CLUMP_OK;
}

/* Fills what does not depend on where the arrays are. */
static batch_gpu_job make_job(const clump_batch_job *job, batch_shared *shared, uint32_t capacity)
{
    batch_gpu_job gpu = {};
    gpu.clouds = (uint32_t)job->clouds;
    gpu.radius = job->in.d;
    gpu.min_points = job->min_points < UINT32_MAX ? (uint32_t)job->min_points : UINT32_MAX;
    gpu.borders = job->border_points;
    gpu.by_size = job->in.order == CLUMP_ORDER_SIZE;
    gpu.least = job->in.min_size;
    gpu.most = job->in.max_size;
    gpu.counts = &shared->sums;
    gpu.valid = &shared->valid;
    gpu.capacity = capacity;
    gpu.alone = UINT32_MAX;
    return gpu;
}

clump_status clump_cuda_batch_run(clump_context *ctx, clump_cuda *cuda, clump_cuda_batch *b, clump_transfer *t,
                                  clump_cuda_fast *fast, clump_labels_scratch *finish, const clump_batch_job *job,
                                  clump_result *result)
{
    if (job->clouds == 0) return CLUMP_OK;
    CLUMP_TRY(find_capacity(ctx, cuda, b));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &b->counts, sizeof(batch_shared)));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &b->report, sizeof(clump_counts)));
    batch_shared *const shared = (batch_shared *)b->counts.data;
    const bool on_host = job->in.place == CLUMP_PLACE_HOST;
    const size_t widest = on_host ? widest_of(job) : SIZE_MAX;
    batch_gpu_job gpu = make_job(job, shared, choose_capacity(b, job, widest));
    const bool any_large = widest > gpu.capacity && job->in.count > gpu.capacity;
    const bool direct = on_host && !any_large && is_pinned(&job->in);
    if (on_host) {
        gpu.alone = CLUMP_BATCH_ALONE;
        CLUMP_TRY(bring(ctx, cuda, b, t, job, direct, &gpu));
    } else {
        CLUMP_TRY(clump_upload(ctx, cuda, t, &job->in, 0, 0, &gpu.view, &gpu.labels));
        gpu.offsets = job->offsets, gpu.radii = job->radii, gpu.found = job->counts, gpu.core = job->core;
    }
    if (any_large) {
        CLUMP_TRY(clump_device_reserve(ctx, cuda, &b->large, job->in.count * BATCH_LARGE_WORDS * sizeof(uint32_t)));
        gpu.large = (uint32_t *)b->large.data;
    }
    CLUMP_TRY(launch(ctx, cuda, gpu, shared, any_large));
    if (!on_host) {
        result->unknown = true;
        return clump_cuda_leave_running(ctx, cuda);
    }
    for (size_t c = 0; widest > CLUMP_BATCH_ALONE && c < job->clouds; c++)
        if (job->offsets[c + 1] - job->offsets[c] > CLUMP_BATCH_ALONE)
            CLUMP_TRY(run_alone(ctx, cuda, fast, finish, job, gpu, shared, c));
    return fetch(ctx, cuda, b, t, job, gpu, direct, result);
}
