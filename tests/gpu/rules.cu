/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rules.cu: src/rules as nvcc compiles it, on the GPU and on the host, and both compared bit for bit:
 * distances, cells and voxels, layers, pairs, normals, union-find. What the two disagree on would make labels differ
 * between backends. Run by scripts/gpu-check.sh; CI has no GPU.
 */
#include "rules/cell.h"
#include "rules/layers.h"
#include "rules/normal.h"
#include "rules/pairs.h"
#include "rules/union_find.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int failures = 0;

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (condition) break;                                                                                          \
        failures++;                                                                                                    \
        std::printf("%s:%d: not true: %s: ", __FILE__, __LINE__, #condition);                                          \
        std::printf(__VA_ARGS__);                                                                                      \
        std::printf("\n");                                                                                             \
    } while (0)

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t error = (call);                                                                              \
        if (error == cudaSuccess) break;                                                                               \
        std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                                     \
        std::exit(1);                                                                                                  \
    } while (0)

/* Device memory with a copy of the vector. */
template <class T> static T *upload(const std::vector<T> &from)
{
    T *to;
    CUDA(cudaMalloc(&to, from.size() * sizeof(T)));
    CUDA(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

template <class T> static std::vector<T> download(T *from, size_t count)
{
    std::vector<T> to(count);
    CUDA(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    CUDA(cudaFree(from));
    return to;
}

static uint32_t random_bits()
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 32);
}

/* Any finite float, or one of a scanner's range in millimetres. */
static float random_float(size_t i)
{
    const uint32_t bits = random_bits();
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (i % 2 == 0 || !std::isfinite(value)) value = static_cast<float>(static_cast<int32_t>(bits) >> 13) * 0.001f;
    return value;
}

enum { COUNT = 1 << 20, THREADS = 256 };

/* --- distances ------------------------------------------------------------------------------- */

__global__ void distances(const float *p, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = clump_distance_squared(p[i], p[i + 1], p[i + 2], p[i + 3], p[i + 4], p[i + 5]);
}

static void check_distances(const std::vector<float> &p)
{
    float *points = upload(p), *out = upload(std::vector<float>(COUNT));
    distances<<<COUNT / THREADS, THREADS>>>(points, out);
    const std::vector<float> there = download(out, COUNT);
    CUDA(cudaFree(points));
    size_t different = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const float here = clump_distance_squared(p[i], p[i + 1], p[i + 2], p[i + 3], p[i + 4], p[i + 5]);
        different += std::memcmp(&here, &there[i], sizeof here) != 0;
    }
    CHECK(different == 0, "%zu of %d distances", different, static_cast<int>(COUNT));
}

/* --- cells ------------------------------------------------------------------------------------ */

__global__ void cells(const float *p, clump_cell_rule rule, int32_t *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = clump_cell(p[i], rule);
}

static void check_cells(const std::vector<float> &p)
{
    const float sizes[] = {0.5f, 1, 0.3f, 1e-6f, 1e6f, 0x1p-63f, 1.7e19f};
    float *points = upload(p);
    for (const float d : sizes) {
        const clump_cell_rule rules[] = {clump_cell_rule_make(d, false), clump_cell_rule_make(d, true),
                                         clump_voxel_rule_make(d)};
        for (const clump_cell_rule &rule : rules) {
            int32_t *out = upload(std::vector<int32_t>(COUNT));
            cells<<<COUNT / THREADS, THREADS>>>(points, rule, out);
            const std::vector<int32_t> there = download(out, COUNT);
            size_t different = 0;
            for (size_t i = 0; i < COUNT; i++) different += clump_cell(p[i], rule) != there[i];
            CHECK(different == 0, "%zu of %d cells, d = %g", different, static_cast<int>(COUNT), d);
        }
    }
    CUDA(cudaFree(points));
}

/* --- layers ----------------------------------------------------------------------------------- */

/* A number that depends on every pair of every layer, and on their order. */
CLUMP_RULE uint64_t digest_of_layers(uint32_t groups)
{
    uint64_t digest = 0;
    for (uint32_t layer = 0; layer < clump_layers(groups); layer++)
        for (uint32_t k = 0; k < clump_layer_pairs(layer, groups); k++) {
            uint32_t row, column;
            if (clump_layer_pair(layer, k, groups, &row, &column))
                digest = digest * 1000003u + ((layer * 4096ull + row) * 4096ull + column);
        }
    return digest;
}

__global__ void layers(uint64_t *out)
{
    out[threadIdx.x] = digest_of_layers(threadIdx.x + 1);
}

static void check_layers()
{
    uint64_t *out = upload(std::vector<uint64_t>(64));
    layers<<<1, 64>>>(out);
    const std::vector<uint64_t> there = download(out, 64);
    for (uint32_t i = 0; i < 64; i++) CHECK(there[i] == digest_of_layers(i + 1), "%u groups", i + 1);
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* Points moved, and sums over a run of pairs: point to point and point to plane in turn, with three kernels. */
CLUMP_RULE void sums_of_run(const float *p, bool plane, int kind, double *sums)
{
    const double row[3] = {0.8, -0.6, 1e-3}, center[3] = {12.3, -4.5, 0.6};
    const clump_kernel kernel = {(double)kind, kind == 2 ? 0.4 : 0};
    for (int k = 0; k < CLUMP_PAIRS_SUMS; k++) sums[k] = 0;
    for (int i = 0; i < CLUMP_PAIRS_RUN; i++, p++) {
        const float moved[3] = {clump_moved(row, 7.7, p), clump_moved(row, -0.3, p + 1), clump_moved(row, 1e5, p + 2)};
        if (plane)
            clump_plane_add(sums, center, kernel, moved, p + 1, p[3], p + 2);
        else
            clump_pair_add(sums, center, kernel, moved, p + 1, p[3]);
    }
}

__global__ void runs(const float *p, double *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums_of_run(p + i * CLUMP_PAIRS_RUN, i % 2, i % 3, out + i * CLUMP_PAIRS_SUMS);
}

static void check_pairs(const std::vector<float> &p)
{
    enum { RUNS = COUNT / 64 };
    float *points = upload(p);
    double *out = upload(std::vector<double>(RUNS * CLUMP_PAIRS_SUMS));
    runs<<<RUNS / THREADS, THREADS>>>(points, out);
    const std::vector<double> there = download(out, RUNS * CLUMP_PAIRS_SUMS);
    CUDA(cudaFree(points));
    size_t different = 0;
    for (size_t i = 0; i < RUNS; i++) {
        double here[CLUMP_PAIRS_SUMS];
        sums_of_run(p.data() + i * CLUMP_PAIRS_RUN, i % 2, (int)(i % 3), here);
        for (int k = 0; k < CLUMP_PAIRS_SUMS; k++) {
            const double other = there[i * CLUMP_PAIRS_SUMS + k];
            if (std::isnan(here[k]) && std::isnan(other)) continue;
            different += std::memcmp(&here[k], &other, sizeof other) != 0;
        }
    }
    CHECK(different == 0, "%zu sums of %d runs", different, static_cast<int>(RUNS));
}

/* --- union-find ------------------------------------------------------------------------------- */

__global__ void unite(uint32_t *parent, const uint32_t *pairs, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) clump_unite(parent, pairs[2 * i], pairs[2 * i + 1]);
}

__global__ void flatten(const uint32_t *parent, uint32_t *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = clump_root(parent, i);
}

/* From few sets to one, all pairs at once on the GPU, one after the other here. */
static void check_union_find()
{
    enum { MEMBERS = 1 << 16 };
    for (int edges = MEMBERS / 4; edges <= 2 * MEMBERS; edges *= 2) {
        std::vector<uint32_t> parent(MEMBERS), pairs(2 * edges);
        for (uint32_t i = 0; i < MEMBERS; i++) parent[i] = i;
        for (uint32_t &end : pairs) end = random_bits() % MEMBERS;
        uint32_t *sets = upload(parent), *list = upload(pairs), *roots = upload(parent);
        unite<<<(edges + THREADS - 1) / THREADS, THREADS>>>(sets, list, edges);
        flatten<<<MEMBERS / THREADS, THREADS>>>(sets, roots);
        const std::vector<uint32_t> there = download(roots, MEMBERS);
        CUDA(cudaFree(sets));
        CUDA(cudaFree(list));
        for (int i = 0; i < edges; i++) clump_unite_alone(parent.data(), pairs[2 * i], pairs[2 * i + 1]);
        size_t different = 0;
        for (uint32_t i = 0; i < MEMBERS; i++) different += clump_root(parent.data(), i) != there[i];
        CHECK(different == 0, "%zu of %d roots, %d edges", different, static_cast<int>(MEMBERS), edges);
    }
}

/* --- normals ------------------------------------------------------------------------------------ */

enum { NEIGHBOURS = 10 };

/* The normal of the points from p on; every other one of nearly flat points. */
CLUMP_RULE void normal_at(const float *p, size_t i, float *normal)
{
    clump_normal_sums sums = {{0}, {0}, 0};
    for (size_t k = 0; k < NEIGHBOURS; k++) {
        const float *const q = p + i + 3 * k, flat[3] = {q[0], q[1], q[0] * 0.25f + q[1] * 0.125f};
        clump_normal_add(&sums, p + i, i % 2 ? flat : q);
    }
    clump_normal_of(&sums, i % 2 ? 0.2 : 0, normal);
}

__global__ void normals(const float *p, float *out)
{
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    normal_at(p, i, out + 3 * i);
}

static void check_normals(std::vector<float> p)
{
    p.resize(COUNT + 3 * NEIGHBOURS, 0.5f);
    float *points = upload(p), *out = upload(std::vector<float>(3 * COUNT));
    normals<<<COUNT / THREADS, THREADS>>>(points, out);
    const std::vector<float> there = download(out, 3 * COUNT);
    CUDA(cudaFree(points));
    size_t different = 0, flat = 0;
    for (size_t i = 0; i < COUNT; i++) {
        float here[3];
        normal_at(p.data(), i, here);
        different += std::memcmp(here, &there[3 * i], sizeof here) != 0;
        flat += here[2] != 0;
    }
    CHECK(different == 0 && flat > COUNT / 4, "%zu of %d normals, %zu planes", different, static_cast<int>(COUNT),
          flat);
}

int main()
{
    std::vector<float> p(COUNT + 5);
    for (size_t i = 0; i < p.size(); i++) p[i] = random_float(i);
    check_distances(p);
    check_cells(p);
    check_layers();
    check_pairs(p);
    check_normals(p);
    check_union_find();
    std::printf("rules on the GPU: %s\n", failures ? "DIFFERENT" : "the same as on the host");
    return failures != 0;
}
