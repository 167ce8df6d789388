/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launch.h: how this backend launches kernels: the size of a grid, overlapped launches, phases in a table, launch
 * graphs (CUDA graphs) that are kept between calls, and what the phases report to the host.
 *
 *     overlapped   programmatic dependent launch: the GPU sets the next kernel up while the one before still runs. The
 *                  kernel waits at clump_after_previous() (gpu/warp.cuh)
 *     graph        phases recorded once and launched as one. Launch graphs are cached per power of two of the point
 *                  count: their grids are made for the largest count below it
 */
#ifndef CLUMP_CUDA_GPU_LAUNCH_H
#define CLUMP_CUDA_GPU_LAUNCH_H

#include "cuda/gpu/labels.h"

#include "common/assert.h"

/* Returns the number of thread blocks of `threads` threads for a thread per item: at least 1, at most `most`. */
static inline uint32_t clump_grid_size(uint64_t items, uint32_t threads, uint64_t most)
{
    CLUMP_ASSERT(threads >= 1 && threads <= 1024 && most >= 1 && most <= INT32_MAX);
    const uint64_t blocks = (items + threads - 1) / threads;
    return (uint32_t)(blocks == 0 ? 1 : blocks < most ? blocks : most);
}

static const uint64_t CLUMP_GRID_MOST = INT32_MAX; /* thread blocks: the limit of CUDA */

/* ----- one kernel ------------------------------------------------------------------------------------- */

typedef struct clump_launch {
    uint32_t blocks, threads;
    size_t shared_bytes; /* dynamic shared memory per thread block */
    cudaStream_t stream;
    bool overlap;     /* see above; only where the kernel before is this context's */
    uint32_t cluster; /* thread blocks per cluster; 0 or 1: no clusters */
} clump_launch;

enum { CLUMP_LAUNCH_ATTRIBUTES = 2 };

/* Returns the runtime's form of a launch. It refers to the attributes. */
static inline cudaLaunchConfig_t clump_launch_config(const clump_launch &l, cudaLaunchAttribute *attributes)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(l.blocks);
    config.blockDim = dim3(l.threads);
    config.dynamicSmemBytes = l.shared_bytes;
    config.stream = l.stream;
    config.attrs = attributes;
    if (l.cluster > 1) {
        cudaLaunchAttribute *const attribute = &attributes[config.numAttrs++];
        *attribute = {};
        attribute->id = cudaLaunchAttributeClusterDimension;
        attribute->val.clusterDim.x = l.cluster;
        attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    }
    if (l.overlap) {
        cudaLaunchAttribute *const attribute = &attributes[config.numAttrs++];
        *attribute = {};
        attribute->id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute->val.programmaticStreamSerializationAllowed = 1;
    }
    return config;
}

/* Adds a dependence to a launch graph. An overlapped launch may begin before the kernel `from` has ended: it waits itself
 * (gpu/warp.cuh). */
static inline cudaError_t clump_graph_order(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, bool overlap)
{
#if CUDART_VERSION >= 12030
    cudaGraphEdgeData edge = {};
    if (overlap) edge.from_port = cudaGraphKernelNodePortProgrammatic, edge.type = cudaGraphDependencyTypeProgrammatic;
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, &from, &to, &edge, 1);
#else
    return cudaGraphAddDependencies_v2(graph, &from, &to, &edge, 1);
#endif
#else
    (void)overlap;
    return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}

/* Adds a kernel to the launch graph that is being made, after the last one. `arguments` has the address of each. */
static inline cudaError_t clump_graph_add(clump_cuda *cuda, const clump_launch &l, void *kernel, void **arguments)
{
    cudaKernelNodeParams params = {};
    params.func = kernel;
    params.gridDim = dim3(l.blocks);
    params.blockDim = dim3(l.threads);
    params.sharedMemBytes = (unsigned)l.shared_bytes;
    params.kernelParams = arguments;
    cudaGraphNode_t node;
    cudaError_t error = cudaGraphAddKernelNode(&node, cuda->recorded, NULL, 0, &params);
    if (error == cudaSuccess && l.cluster > 1) {
        cudaLaunchAttributeValue value = {};
        value.clusterDim.x = l.cluster;
        value.clusterDim.y = value.clusterDim.z = 1;
        error = cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value);
    }
    if (error == cudaSuccess && cuda->last) error = clump_graph_order(cuda->recorded, cuda->last, node, l.overlap);
    if (error == cudaSuccess) cuda->last = node;
    return error;
}

/* Puts a kernel on the stream; while a launch graph is being made, adds it to that. `what` is for the sentence of a
 * failure: "clustering". */
template <class... P, class... A>
static inline clump_status clump_launch_kernel(clump_work *work, clump_cuda *cuda, const char *what,
                                               const clump_launch &l, void (*kernel)(P...), const A &...arguments)
{
    if (cuda->recorded) {
        const auto add = [&](P... values) {
            void *addresses[] = {(void *)&values..., NULL};
            return clump_graph_add(cuda, l, (void *)kernel, addresses);
        };
        CLUMP_CUDA(work, cuda, what, add(arguments...));
        return CLUMP_OK;
    }
    cudaLaunchAttribute attributes[CLUMP_LAUNCH_ATTRIBUTES];
    const cudaLaunchConfig_t config = clump_launch_config(l, attributes);
    CLUMP_CUDA(work, cuda, what, cudaLaunchKernelEx(&config, kernel, arguments...));
    return CLUMP_OK;
}

/* Puts a kernel on the context's stream with a thread per item, in at most `most` thread blocks. */
template <class... P, class... A>
static inline clump_status clump_launch_items(clump_work *work, clump_cuda *cuda, const char *what, uint64_t items,
                                              uint32_t threads, uint64_t most, void (*kernel)(P...),
                                              const A &...arguments)
{
    const clump_launch l = {clump_grid_size(items, threads, most), threads, 0, cuda->stream, false, 0};
    return clump_launch_kernel(work, cuda, what, l, kernel, arguments...);
}

/* ----- phases ----------------------------------------------------------------------------------------- */

/* A kernel that works on a job J in GPU memory. */
template <class J> struct clump_phase {
    bool runs; /* false: this call does without it */
    void (*kernel)(const J *);
    uint32_t blocks, threads;
    size_t shared_bytes;
    uint32_t cluster = 0; /* as in clump_launch */
};

/* Puts the phases that run on the stream. With `overlaps` all but the first are overlapped launches; with `follows` the
 * first one too: the kernel before is this context's, and the job was written before that kernel. */
template <class J, size_t N>
static clump_status clump_launch_phases(clump_work *work, clump_cuda *cuda, const clump_phase<J> (&phases)[N],
                                        const J *job, cudaStream_t stream, bool overlaps, bool follows = false)
{
    bool first = !follows;
    for (const clump_phase<J> &phase : phases) {
        if (!phase.runs) continue;
        const clump_launch l = {phase.blocks, phase.threads,      phase.shared_bytes,
                                stream,       !first && overlaps, phase.cluster};
        CLUMP_TRY(clump_launch_kernel(work, cuda, "clustering", l, phase.kernel, job));
        first = false;
    }
    return CLUMP_OK;
}

/* ----- launch graphs ---------------------------------------------------------------------------------- */

/* The launch graphs of one sequence of phases, by the number of bits of the point count. Zeroed is valid. */
typedef struct clump_launch_graphs {
    cudaGraphExec_t graph[32];
} clump_launch_graphs;

static inline void clump_launch_graphs_close(clump_launch_graphs *graphs)
{
    for (cudaGraphExec_t &graph : graphs->graph) {
        if (graph) (void)cudaGraphExecDestroy(graph);
        graph = NULL;
    }
}

/* Makes a launch graph of what record() launches. It is made node by node, not by capturing a stream: while any thread
 * captures, cudaDeviceSynchronize() fails in all threads of the caller. */
template <class F>
static clump_status clump_launch_graph_make(clump_work *work, clump_cuda *cuda, F record, cudaGraphExec_t *out)
{
    cudaGraph_t graph;
    CLUMP_CUDA(work, cuda, "making a graph", cudaGraphCreate(&graph, 0));
    cuda->recorded = graph;
    cuda->last = NULL;
    const clump_status status = record();
    cuda->recorded = NULL;
    cudaError_t error = clump_cuda_injected(cuda);
    if (status == CLUMP_OK && error == cudaSuccess) error = cudaGraphInstantiate(out, graph, 0);
    (void)cudaGraphDestroy(graph);
    if (status != CLUMP_OK) return status;
    if (error != cudaSuccess) return clump_cuda_fail(work, cuda, error, "making a graph");
    CLUMP_CUDA(work, cuda, "making a graph", cudaGraphUpload(*out, cuda->stream));
    return CLUMP_OK;
}

/* Finds or makes the launch graph for clouds of n points. record(most, stream) launches the phases for clouds of up to
 * `most` points. Counts below 2^least_bits share one graph. */
template <class F>
static clump_status clump_launch_graph(clump_work *work, clump_cuda *cuda, clump_launch_graphs *graphs, size_t n,
                                       uint32_t least_bits, F record, cudaGraphExec_t *out)
{
    uint32_t bits = least_bits;
    while (n >> bits) bits++;
    CLUMP_ASSERT(bits < 32);
    cudaGraphExec_t *const slot = &graphs->graph[bits];
    const auto all = [=]() { return record(((size_t)1 << bits) - 1, cuda->stream); };
    if (!*slot) CLUMP_TRY(clump_launch_graph_make(work, cuda, all, slot));
    *out = *slot;
    return CLUMP_OK;
}

/* ----- report ----------------------------------------------------------------------------------------- */

enum { CLUMP_LAUNCH_STAMPS = 5 }; /* begin of: fetching and clearing, build, cluster, label; and the end */

/* After the wait: counts and times that the GPU wrote to pinned memory. `fetched`: the kernels fetched the points
 * themselves, so the first stage is the upload. */
static inline void clump_launch_report(const clump_counts *counts, const unsigned long long *stamps, bool fetched,
                                       clump_stats *stats)
{
    stats->clusters = (int32_t)counts->clusters;
    stats->finite = counts->finite;
    stats->masked = counts->masked;
    stats->noise = counts->noise;
    double *const stages[] = {fetched ? &stats->upload_ms : &stats->build_ms, &stats->build_ms, &stats->cluster_ms,
                              &stats->label_ms};
    for (int k = 0; k < CLUMP_LAUNCH_STAMPS - 1; k++) *stages[k] += 1e-6 * (double)(stamps[k + 1] - stamps[k]);
}

#endif
