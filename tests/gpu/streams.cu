/* SPDX-License-Identifier: BSD-3-Clause
 *
 * streams.cu: a caller that uses CUDA itself: one stream of its own, several streams, a CUDA graph that contains a call of
 * clump, several threads; for clump_ec and clump_dbscan. There is no wait except where a comment says so. Labels are those
 * of the CPU. Program test_cuda_streams; skipped where there is no GPU.
 */
#include "support/check.h"

extern "C" {
#include "support/clouds.h"
}

#include <clump/info.h>
#include <clump/batch.h>
#include <clump/cuda.h>
#include <clump/index.h>

#include <cuda_runtime.h>
#include <math.h>
#include <thread>
#include <vector>

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t error = (call);                                                                              \
        if (error == cudaSuccess) break;                                                                               \
        printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                                          \
        exit(1);                                                                                                       \
    } while (0)

#define CLUMP(ctx, call)                                                                                               \
    do {                                                                                                               \
        if ((call) != CLUMP_OK) CHECK_FAIL("%s: %s", #call, clump_context_error(ctx));                                 \
    } while (0)

static clump_context *make_context(clump_backend backend)
{
    clump_context_options options = clump_context_defaults();
    options.backend = backend;
    options.threads = 1;
    clump_context *ctx = NULL;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) exit(1);
    return ctx;
}

enum { MIN_POINTS = 4 };

/* A cloud on the host and on the device, with the labels of the CPU: of clump_ec, or of clump_dbscan. */
struct cloud {
    const bool density;
    std::vector<float> xyz;
    std::vector<int32_t> expected;
    std::vector<uint8_t> expected_core;
    int32_t wanted = -1;
    float d = 1;
    float *points = NULL; /* on the device, as the next three */
    int32_t *labels = NULL, *clusters = NULL;
    uint8_t *core = NULL;

    cloud(cloud_shape shape, size_t count, uint64_t seed, bool is_density = false)
        : density(is_density), xyz(3 * count), expected(count), expected_core(count)
    {
        d = cloud_fill(shape, xyz.data(), count, &seed);
        expect(d);
        CUDA(cudaMalloc(&points, xyz.size() * sizeof(float)));
        CUDA(cudaMalloc(&labels, count * sizeof(int32_t)));
        CUDA(cudaMalloc(&clusters, sizeof(int32_t)));
        CUDA(cudaMalloc(&core, count));
        clear();
    }
    cloud(const cloud &) = delete;
    ~cloud()
    {
        cudaFree(points), cudaFree(labels), cudaFree(clusters), cudaFree(core);
    }
    size_t count() const
    {
        return expected.size();
    }
    /* What is right with another distance than its own. */
    void expect(float distance)
    {
        clump_context *const cpu = make_context(CLUMP_BACKEND_CPU);
        if (on_host(cpu, distance, expected.data(), expected_core.data(), &wanted) != CLUMP_OK) exit(1);
        clump_context_destroy(cpu);
    }
    void clear()
    {
        CUDA(cudaMemset(points, 0xff, xyz.size() * sizeof(float))); /* NaN, until they are sent */
        CUDA(cudaMemset(labels, 0x55, count() * sizeof(int32_t)));
        CUDA(cudaMemset(clusters, 0x55, sizeof(int32_t)));
        CUDA(cudaMemset(core, 0x55, count()));
        CUDA(cudaDeviceSynchronize());
    }
    void send(cudaStream_t stream)
    {
        CUDA(cudaMemcpyAsync(points, xyz.data(), xyz.size() * sizeof(float), cudaMemcpyHostToDevice, stream));
    }
    clump_status call(clump_context *ctx, clump_ec_method method = CLUMP_EC_FAST)
    {
        clump_points view = {};
        view.xyz = points, view.count = count(), view.place = CLUMP_PLACE_DEVICE;
        if (density) {
            clump_dbscan_options o = clump_dbscan_defaults();
            o.core = core;
            o.common.clusters_on_device = clusters;
            return clump_dbscan(ctx, view, d, MIN_POINTS, &o, labels, NULL);
        }
        clump_ec_options o = clump_ec_defaults();
        o.method = method;
        o.common.clusters_on_device = clusters;
        return clump_ec(ctx, view, d, &o, labels, NULL);
    }
    /* The same from and to memory of the host. */
    clump_status on_host(clump_context *ctx, float distance, int32_t *to, uint8_t *flags, int32_t *number) const
    {
        clump_points view = {};
        view.xyz = xyz.data(), view.count = count();
        if (!density) return clump_ec(ctx, view, distance, NULL, to, number);
        clump_dbscan_options o = clump_dbscan_defaults();
        o.core = flags;
        return clump_dbscan(ctx, view, distance, MIN_POINTS, &o, to, number);
    }
    /* After everything has been waited for: whether the device has the results of this cloud, or of another. */
    bool right(const cloud &as) const
    {
        std::vector<int32_t> found(count());
        std::vector<uint8_t> flags(count());
        int32_t there = -1;
        CUDA(cudaMemcpy(found.data(), labels, count() * sizeof(int32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(flags.data(), core, count(), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(&there, clusters, sizeof there, cudaMemcpyDeviceToHost));
        return there == as.wanted && found == as.expected && (!density || flags == as.expected_core);
    }
    bool right() const
    {
        return right(*this);
    }
};

/* Keeps a stream busy, so that what comes after is late. */
__global__ static void dawdle(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

/* The caller's next kernel: how many points have the label 0, and the number of clusters. */
__global__ static void count_first(const int32_t *labels, size_t count, const int32_t *clusters, int32_t *out)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if (labels[i] == 0) atomicAdd(&out[0], 1);
    if (blockIdx.x == 0 && threadIdx.x == 0) out[1] = *clusters;
}

/* Copy, cluster, use: one stream, no wait in between. */
static void streams_of_the_caller(void)
{
    cloud clouds[] = {{CLOUD_SCAN, 50000, 1}, {CLOUD_SCAN, 40000, 2, true}};
    int32_t first[2] = {0, 0}, *out;
    for (int k = 0; k < 2; k++)
        for (int32_t label : clouds[k].expected) first[k] += label == 0;
    CUDA(cudaMalloc(&out, 2 * sizeof *out));
    cudaStream_t ordinary, unordered;
    CUDA(cudaStreamCreate(&ordinary));
    CUDA(cudaStreamCreateWithFlags(&unordered, cudaStreamNonBlocking));
    const cudaStream_t all[] = {ordinary, unordered, cudaStreamLegacy, cudaStreamPerThread};
    clump_context *const ctx = make_context(CLUMP_BACKEND_CUDA);
    for (int turn = 0; turn < 24; turn++) {
        const cudaStream_t stream = all[turn % 4];
        cloud &c = clouds[turn / 4 % 2];
        CLUMP(ctx, clump_cuda_set_stream(ctx, stream));
        c.clear();
        CUDA(cudaMemset(out, 0, 2 * sizeof *out));
        CUDA(cudaDeviceSynchronize());
        dawdle<<<1, 1, 0, stream>>>(2000000);
        c.send(stream);
        CLUMP(ctx, c.call(ctx));
        count_first<<<64, 256, 0, stream>>>(c.labels, c.count(), c.clusters, out);
        CUDA(cudaGetLastError());
        int32_t found[2];
        CUDA(cudaMemcpyAsync(found, out, sizeof found, cudaMemcpyDeviceToHost, stream));
        CUDA(cudaStreamSynchronize(stream));
        CHECK_MSG(found[0] == first[c.density] && found[1] == c.wanted, "turn %d: %d points, %d clusters", turn,
                  found[0], found[1]);
        CHECK(c.right());
        CHECK_INT(clump_context_stats(ctx).clusters, -1);
    }
    CLUMP(ctx, clump_cuda_set_stream(ctx, NULL));
    CLUMP(ctx, clump_cuda_wait(ctx));
    clump_context_destroy(ctx);
    CUDA(cudaStreamDestroy(ordinary));
    CUDA(cudaStreamDestroy(unordered));
    CUDA(cudaFree(out));
}

/* Another stream for each call, of clump_ec and clump_dbscan in turns: scratch memory is the same, so the calls must not
 * overlap. */
static void change_of_stream(void)
{
    std::vector<cloud *> clouds;
    static const size_t counts[] = {40000, 50000, 3, 12000, 9000, 700, 60000, 25000, 5000, 64};
    for (size_t k = 0; k < 10; k++)
        clouds.push_back(new cloud((cloud_shape)(k * 3 % CLOUD_SHAPES), counts[k], 10 + k, k % 2 == 1));
    cudaStream_t streams[3];
    for (cudaStream_t &s : streams) CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    clump_context *const ctx = make_context(CLUMP_BACKEND_CUDA);
    for (int turn = 0; turn < 20; turn++) {
        for (cloud *c : clouds) c->clear();
        for (size_t k = 0; k < clouds.size(); k++) {
            const cudaStream_t stream = streams[(k + (size_t)turn) % 3];
            const bool own = (k + (size_t)turn) % 7 == 6;
            clouds[k]->send(stream);
            if (own) CUDA(cudaStreamSynchronize(stream));
            CLUMP(ctx, clump_cuda_set_stream(ctx, own ? NULL : stream));
            CLUMP(ctx, clouds[k]->call(ctx));
        }
        CLUMP(ctx, clump_cuda_wait(ctx));
        for (size_t k = 0; k < clouds.size(); k++) CHECK_MSG(clouds[k]->right(), "turn %d, cloud %zu", turn, k);
    }
    clump_context_destroy(ctx);
    for (cudaStream_t s : streams) CUDA(cudaStreamDestroy(s));
    for (cloud *c : clouds) delete c;
}

static void other_methods(void)
{
    cloud c(CLOUD_CLUMPED, 1500, 21);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    clump_context *const ctx = make_context(CLUMP_BACKEND_CUDA);
    CLUMP(ctx, clump_cuda_set_stream(ctx, stream));
    for (int method = CLUMP_EC_VERTEX_ES; method <= CLUMP_EC_MATRIX_RS; method++) {
        c.clear();
        dawdle<<<1, 1, 0, stream>>>(1000000);
        c.send(stream);
        CLUMP(ctx, c.call(ctx, (clump_ec_method)method));
        CUDA(cudaStreamSynchronize(stream));
        CHECK_MSG(c.right(), "%s", clump_ec_method_name((clump_ec_method)method));
    }
    clump_context_destroy(ctx);
    CUDA(cudaStreamDestroy(stream));
}

/* A warm call recorded into the caller's graph, which then runs on other points of the same number. */
static void record_and_replay(bool density)
{
    const size_t count = 30000;
    cloud c(CLOUD_SCAN, count, 31, density), other(CLOUD_UNIFORM, count, 32, density);
    other.expect(c.d); /* the distance is part of the recording: that of c for both */
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    clump_context *const ctx = make_context(CLUMP_BACKEND_CUDA);
    CLUMP(ctx, clump_cuda_set_stream(ctx, stream));
    c.send(stream);
    CLUMP(ctx, c.call(ctx));
    CUDA(cudaStreamSynchronize(stream));
    CHECK(c.right());

    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CLUMP(ctx, c.call(ctx));
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    CHECK_MSG(error == cudaSuccess, "%s", cudaGetErrorString(error));
    (void)cudaGetLastError();
    if (error == cudaSuccess && check_failures == 0) {
        CUDA(cudaGraphInstantiate(&ready, graph, 0));
        for (int turn = 0; turn < 6; turn++) {
            const cloud &now = turn % 2 ? other : c;
            c.clear();
            CUDA(cudaMemcpyAsync(c.points, now.xyz.data(), 3 * count * sizeof(float), cudaMemcpyHostToDevice, stream));
            CUDA(cudaGraphLaunch(ready, stream));
            CUDA(cudaStreamSynchronize(stream));
            CHECK_MSG(c.right(now), "%s, replay %d", density ? "dbscan" : "ec", turn);
        }
    }
    if (ready) CUDA(cudaGraphExecDestroy(ready));
    if (graph) CUDA(cudaGraphDestroy(graph));

    /* and the context goes on: on this stream, on another, and on its own */
    cudaStream_t second;
    CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    const cudaStream_t then[] = {second, stream, NULL};
    for (int k = 0; k < 3; k++) {
        CLUMP(ctx, clump_cuda_set_stream(ctx, then[k]));
        c.clear();
        CUDA(cudaMemcpy(c.points, c.xyz.data(), 3 * count * sizeof(float), cudaMemcpyHostToDevice));
        CLUMP(ctx, c.call(ctx));
        CLUMP(ctx, clump_cuda_wait(ctx));
        CHECK_MSG(c.right(), "after the recording, stream %d", k);
    }
    clump_context_destroy(ctx);
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaStreamDestroy(second));
}

static void graphs_of_the_caller(void)
{
    record_and_replay(false);
    record_and_replay(true);
}

/* A context each, at the same time. The checks are counted after the threads have ended. */
/* A call on many clouds recorded into the caller's graph, which then runs on other clouds: other points, other offsets. */
static void batch_in_a_graph(void)
{
    enum { CLOUDS = 40, POINTS = 30000 };
    cloud c(CLOUD_UNIFORM, POINTS, 41);
    std::vector<int64_t> offsets[2];
    std::vector<int32_t> expected[2], found(POINTS), counts[2], found_counts(CLOUDS);
    clump_context *const cpu = make_context(CLUMP_BACKEND_CPU), *const ctx = make_context(CLUMP_BACKEND_CUDA);
    for (int k = 0; k < 2; k++) {
        expected[k].resize(POINTS), counts[k].resize(CLOUDS);
        for (int64_t i = 0; i <= CLOUDS; i++) /* even sizes, then sizes of all classes */
            offsets[k].push_back(k == 0 ? i * POINTS / CLOUDS : i * i * POINTS / (CLOUDS * CLOUDS));
        clump_points host = {};
        host.xyz = c.xyz.data(), host.count = POINTS;
        CLUMP(cpu, clump_ec_batch(cpu, host, offsets[k].data(), CLOUDS, c.d, NULL, NULL, expected[k].data(),
                                  counts[k].data()));
    }
    cudaStream_t stream;
    int64_t *there;
    int32_t *counts_there;
    const size_t bytes = (CLOUDS + 1) * sizeof(int64_t);
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&there, bytes));
    CUDA(cudaMalloc(&counts_there, CLOUDS * sizeof(int32_t)));
    CLUMP(ctx, clump_cuda_set_stream(ctx, stream));
    c.send(stream);
    CUDA(cudaMemcpyAsync(there, offsets[0].data(), bytes, cudaMemcpyHostToDevice, stream));
    clump_points points = {};
    points.xyz = c.points, points.count = POINTS, points.place = CLUMP_PLACE_DEVICE;
    const auto call = [&]() {
        return clump_ec_batch(ctx, points, there, CLOUDS, c.d, NULL, NULL, c.labels, counts_there);
    };
    CLUMP(ctx, call());
    CUDA(cudaStreamSynchronize(stream));
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CLUMP(ctx, call());
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    for (int turn = 0; turn < 4; turn++) {
        const int k = turn % 2;
        CUDA(cudaMemcpyAsync(there, offsets[k].data(), bytes, cudaMemcpyHostToDevice, stream));
        CUDA(cudaGraphLaunch(ready, stream));
        CUDA(cudaMemcpyAsync(found.data(), c.labels, POINTS * sizeof(int32_t), cudaMemcpyDeviceToHost, stream));
        CUDA(cudaMemcpyAsync(found_counts.data(), counts_there, CLOUDS * sizeof(int32_t), cudaMemcpyDeviceToHost,
                             stream));
        CUDA(cudaStreamSynchronize(stream));
        CHECK_MSG(found == expected[k] && found_counts == counts[k], "replay %d", turn);
    }
    CUDA(cudaGraphExecDestroy(ready));
    CUDA(cudaGraphDestroy(graph));
    clump_context_destroy(cpu);
    clump_context_destroy(ctx);
    cudaFree(there), cudaFree(counts_there);
    CUDA(cudaStreamDestroy(stream));
}

static void threads_of_the_caller(void)
{
    enum { THREADS = 2, ROUNDS = 60 };
    long wrong[THREADS] = {0};
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++) {
        threads.emplace_back([t, &wrong]() {
            clump_context *const ctx = make_context(CLUMP_BACKEND_CUDA);
            for (int round = 0; round < ROUNDS; round++) {
                const size_t count = 1 + (size_t)(7919 * (round + 1) * (t + 1) % 30000);
                cloud c((cloud_shape)(round % CLOUD_SHAPES), count, (uint64_t)(100 * t + round), round % 3 == 2);
                if (round % 2) {
                    CUDA(cudaMemcpy(c.points, c.xyz.data(), c.xyz.size() * sizeof(float), cudaMemcpyHostToDevice));
                    wrong[t] += c.call(ctx) != CLUMP_OK || clump_cuda_wait(ctx) != CLUMP_OK || !c.right();
                } else {
                    std::vector<int32_t> found(count);
                    std::vector<uint8_t> flags(count);
                    wrong[t] += c.on_host(ctx, c.d, found.data(), flags.data(), NULL) != CLUMP_OK ||
                                found != c.expected || flags != c.expected_core;
                }
            }
            clump_context_destroy(ctx);
        });
    }
    for (std::thread &t : threads) t.join();
    for (int t = 0; t < THREADS; t++) CHECK_INT(wrong[t], 0);
}

/* An index that is built on the caller's stream, and queries on it in his graph. Other queries come into the same memory
 * between replays. */
static void neighbours_in_a_graph(void)
{
    enum { POINTS = 3000, QUERIES = 500, SETS = 3 };
    uint64_t seed = 96;
    std::vector<float> xyz(3 * POINTS), queries[SETS];
    std::vector<int32_t> expected[SETS], found(QUERIES);
    cloud_fill(CLOUD_SCAN, xyz.data(), POINTS, &seed);
    clump_context *const cpu = make_context(CLUMP_BACKEND_CPU);
    clump_index *index = NULL;
    clump_points view = {};
    view.xyz = xyz.data(), view.count = POINTS;
    CLUMP(cpu, clump_index_create(cpu, view, NULL, &index));
    for (int k = 0; k < SETS; k++) {
        queries[k].resize(3 * QUERIES), expected[k].resize(QUERIES);
        cloud_fill(CLOUD_SCAN, queries[k].data(), QUERIES, &seed);
        view.xyz = queries[k].data(), view.count = QUERIES;
        CLUMP(cpu, clump_index_nearest(cpu, index, view, INFINITY, expected[k].data(), NULL));
    }
    clump_index_destroy(index);
    clump_context_destroy(cpu);

    cudaStream_t stream;
    float *points, *asked;
    int32_t *indices;
    int64_t *offsets;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&points, xyz.size() * sizeof(float)));
    CUDA(cudaMalloc(&asked, 3 * QUERIES * sizeof(float)));
    CUDA(cudaMalloc(&indices, QUERIES * sizeof(int32_t)));
    CUDA(cudaMalloc(&offsets, (QUERIES + 1) * sizeof(int64_t)));
    clump_context *const ctx = make_context(CLUMP_BACKEND_CUDA);
    CLUMP(ctx, clump_cuda_set_stream(ctx, stream));
    CUDA(cudaMemcpyAsync(points, xyz.data(), xyz.size() * sizeof(float), cudaMemcpyHostToDevice, stream));
    clump_points there = {}, on_device = {};
    there.xyz = points, there.count = POINTS, there.place = CLUMP_PLACE_DEVICE;
    on_device.xyz = asked, on_device.count = QUERIES, on_device.place = CLUMP_PLACE_DEVICE;
    CLUMP(ctx, clump_index_create(ctx, there, NULL, &index)); /* after the copy, without a wait */

    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK_INT(clump_index_rebuild(ctx, index, there), CLUMP_ERR_DEVICE); /* a failed build: no points */
    CHECK_INT(clump_index_radius_fill(ctx, index, on_device, 1, offsets, indices, NULL), CLUMP_ERR_DEVICE);
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphDestroy(graph));
    CLUMP(ctx, clump_index_rebuild(ctx, index, there));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CLUMP(ctx, clump_index_nearest(ctx, index, on_device, INFINITY, indices, NULL));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    for (int turn = 0; turn < 2 * SETS; turn++) {
        const int k = turn % SETS;
        CUDA(cudaMemcpyAsync(asked, queries[k].data(), 3 * QUERIES * sizeof(float), cudaMemcpyHostToDevice, stream));
        CUDA(cudaMemsetAsync(indices, 0x55, QUERIES * sizeof(int32_t), stream));
        CUDA(cudaGraphLaunch(ready, stream));
        CUDA(cudaMemcpyAsync(found.data(), indices, QUERIES * sizeof(int32_t), cudaMemcpyDeviceToHost, stream));
        CUDA(cudaStreamSynchronize(stream));
        CHECK_MSG(found == expected[k], "turn %d: other neighbours than the CPU's", turn);
    }
    CUDA(cudaGraphExecDestroy(ready));
    CUDA(cudaGraphDestroy(graph));

    /* and of another context, which has asked and waited before; in the mode that forbids most */
    cudaStream_t other_stream;
    CUDA(cudaStreamCreateWithFlags(&other_stream, cudaStreamNonBlocking));
    clump_context *const other = make_context(CLUMP_BACKEND_CUDA);
    CLUMP(other, clump_cuda_set_stream(other, other_stream));
    CLUMP(ctx, clump_index_rebuild(ctx, index, there));
    CLUMP(other, clump_index_nearest(other, index, on_device, INFINITY, indices, NULL));
    CLUMP(other, clump_cuda_wait(other));
    CUDA(cudaMemsetAsync(indices, 0x55, QUERIES * sizeof(int32_t), other_stream));
    CUDA(cudaStreamBeginCapture(other_stream, cudaStreamCaptureModeGlobal));
    CLUMP(other, clump_index_nearest(other, index, on_device, INFINITY, indices, NULL));
    CUDA(cudaStreamEndCapture(other_stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    CUDA(cudaGraphLaunch(ready, other_stream));
    CUDA(cudaStreamSynchronize(other_stream));
    CUDA(cudaMemcpy(found.data(), indices, QUERIES * sizeof(int32_t), cudaMemcpyDeviceToHost));
    CHECK_MSG(found == expected[SETS - 1], "in another context's graph: other neighbours than the CPU's");
    CUDA(cudaGraphExecDestroy(ready));
    CUDA(cudaGraphDestroy(graph));
    clump_context_destroy(other);
    CUDA(cudaStreamDestroy(other_stream));

    clump_index_destroy(index);
    clump_context_destroy(ctx);
    cudaFree(points), cudaFree(asked), cudaFree(indices), cudaFree(offsets);
    CUDA(cudaStreamDestroy(stream));
}

CHECK_PROGRAM(test_cuda_streams)
{
    clump_context *const ctx = make_context(CLUMP_BACKEND_CUDA);
    const bool there = clump_cuda_wait(ctx) == CLUMP_OK;
    if (!there) printf("skipped: test_cuda_streams: %s: " DO_GPU "\n", clump_context_error(ctx));
    clump_context_destroy(ctx);
    if (!there) return;
    RUN(streams_of_the_caller);
    RUN(change_of_stream);
    RUN(other_methods);
    RUN(graphs_of_the_caller);
    RUN(batch_in_a_graph);
    RUN(neighbours_in_a_graph);
    RUN(threads_of_the_caller);
}
