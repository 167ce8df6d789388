/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_matrix.cu: cpu/papers/ec_matrix.c on a GPU: INITIAL_EC, BUILD_MATRIX, layers and UPDATE. That file says what is
 * computed; matrix_merge.cuh has the part of a thread block of b threads. Kernels are compiled once per b, which fixes
 * their registers and shared memory.
 *
 *     host                 GPU
 *     .                    INITIAL_EC, labels marked and scanned
 *     reads |R|    <----   (memory of M)
 *     .                    BUILD_MATRIX, layer 0, 1, ... 7, labels marked and scanned
 *     reads both   <----   (the layer that merged, and the number of labels left: memory of M')
 *     .                    UPDATE, layer 0, 1, ... 7, ...
 *
 * So the host waits once per pass. Of the layers that are launched together, those after a layer that merged end at once
 * and leave the labels as they are.
 */
#include "cuda/papers/six.h"

#include "cuda/papers/matrix_merge.cuh"
#include "cuda/gpu/scan.h"
#include "rules/layers.h"

/* Layers that are launched before the host reads the result. Doubled each time, until labels are merged. */
enum { MATRIX_LAYERS = 8 };

typedef struct matrix {
    matrix_word *bits;
    uint32_t size;  /* rows and columns: |R| */
    uint32_t words; /* of a row */
} matrix;

__device__ static inline void matrix_set(const matrix &m, uint32_t row, uint32_t column)
{
    matrix_word *const at = m.bits + (size_t)row * m.words + column / 64;
    const matrix_word bit = (matrix_word)1 << column % 64;
    if (!(__ldcg(at) & bit)) atomicOr(at, bit); /* most are set already */
}

/* ----- Algorithm 3: INITIAL_EC ---------------------------------------------------------------------- */

template <int B>
__global__ static void __launch_bounds__(B) initial_ec(const float4 *points, uint32_t n, float bound, uint32_t *c)
{
    __shared__ float4 p[B];
    const uint32_t first = blockIdx.x * (uint32_t)B, t = threadIdx.x, i = first + t;
    const float nan = __int_as_float(0x7fffffff);
    const float4 own = i < n ? points[i] : make_float4(nan, nan, nan, nan); /* NaN: no neighbour of any point */
    p[t] = own;
    __syncthreads();
    matrix_word mine[B / 64];
#pragma unroll
    for (int w = 0; w < B / 64; w++) {
        mine[w] = 0;
        if (w * 64u > (t | 31)) continue; /* all rows are after those of this warp */
        uint32_t half[2] = {0, 0};
#pragma unroll
        for (int h = 0; h < 2; h++) {
#pragma unroll 8
            for (int k = 0; k < 32; k++) {
                const float4 q = p[w * 64 + h * 32 + k];
                const bool hit = clump_distance_squared(own.x, own.y, own.z, q.x, q.y, q.z) < bound;
                half[h] |= (uint32_t)hit << k;
            }
        }
        mine[w] = (matrix_word)half[1] << 32 | half[0];
        if (t < w * 64u + 64) mine[w] &= t > w * 64u ? ((matrix_word)1 << (t - w * 64u)) - 1 : 0; /* rows before t */
    }
    const uint32_t label = matrix_merge_within<B>(mine);
    if (i < n) c[i] = first + label;
}

/* ----- Algorithm 5: a layer ------------------------------------------------------------------------- */

/* Returns whether no earlier layer that was launched with this one has merged. */
__device__ static inline bool layer_is_due(const uint32_t *merged, uint32_t layer)
{
    const uint32_t before = __ldcg(merged);
    return before == 0 || before == layer + 1;
}

/* Gathers m_t to m_b, and m_b to m_d, which holds 1 + the layer. */
__device__ static inline void layer_flags(bool m_t, uint32_t *merged, uint32_t layer)
{
    const bool m_b = __syncthreads_or(m_t);
    if (m_b && threadIdx.x == 0) *merged = layer + 1;
}

template <int B> __global__ static void __launch_bounds__(B) merge_groups(matrix m, uint32_t *r, uint32_t *merged)
{
    const uint32_t group = blockIdx.x * (uint32_t)B, t = threadIdx.x;
    const bool there = t < m.size - group;
    const matrix_word *const row = m.bits + (size_t)(group + t) * m.words;
    matrix_word mine[B / 64];
#pragma unroll
    for (int w = 0; w < B / 64; w++) {
        mine[w] = 0;
        if (!there || t <= w * 64u) continue;
        mine[w] = row[group / 64 + w]; /* within the row: row t exists, so its word does */
        if (t < w * 64u + 64) mine[w] &= ((matrix_word)1 << (t - w * 64u)) - 1; /* rows before t */
    }
    const uint32_t label = matrix_merge_within<B>(mine);
    if (there) r[group + t] = group + label;
    layer_flags(there && label != t, merged, 0);
}

template <int B>
__global__ static void __launch_bounds__(B)
    merge_pairs(matrix m, uint32_t layer, uint32_t groups, uint32_t *r, uint32_t *merged)
{
    uint32_t g0, g1;
    if (!layer_is_due(merged, layer) || !clump_layer_pair(layer, blockIdx.x, groups, &g0, &g1)) return;
    g0 *= B, g1 *= B;
    const uint32_t i = threadIdx.x;
    const bool there = i < m.size - g1;
    const matrix_word *const row = m.bits + (size_t)(g1 + i) * m.words + g0 / 64;
    matrix_word mine[B / 64];
#pragma unroll
    for (int w = 0; w < B / 64; w++) mine[w] = there ? row[w] : 0;
    const uint32_t cl = matrix_merge_across<B>(mine);
    const bool m_t = cl >= B;
    if (m_t) r[g1 + i] = g0 + cl - B;
    layer_flags(m_t, merged, layer);
}

/* ----- Algorithms 4 and 6: BUILD_MATRIX, UPDATE ------------------------------------------------------ */

/* Marks the labels in use. L has n + 1 entries, zeroed. */
__global__ static void mark_labels(const uint32_t *label, uint32_t n, uint32_t *l)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i < n) l[label[i]] = 1;
}

/* Replaces x by map[x]. */
__global__ static void replace(const uint32_t *map, uint32_t n, uint32_t *x)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i < n) x[i] = map[x[i]];
}

__global__ static void count_up(uint32_t *r, uint32_t n)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i < n) r[i] = (uint32_t)i;
}

struct set_bits {
    typedef uint32_t State; /* the label of the point */
    static constexpr bool COUNTS = false;
    const uint32_t *c;
    matrix m;
    __device__ State begin(uint32_t i, size_t) const
    {
        return c[i];
    }
    __device__ void found(State label, uint32_t, uint32_t j, uint32_t) const
    {
        const uint32_t other = c[j];
        if (other == label) return;
        matrix_set(m, label, other);
        matrix_set(m, other, label);
    }
    __device__ void advance(State &, uint32_t) const {}
    __device__ void end(size_t, State) const {}
};

/* Makes M' of M, one warp per row; map is the new label of each old one. Of two mirrored bits the one right of the
 * diagonal is enough. */
__global__ static void carry_over(matrix m, const uint32_t *map, matrix next)
{
    const size_t row = (blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x) / 32;
    if (row >= m.size) return;
    const uint32_t to = map[row];
    for (uint32_t w = (uint32_t)row / 64 + threadIdx.x % 32; w < m.words; w += 32) {
        for (matrix_word bits = m.bits[row * m.words + w]; bits; bits &= bits - 1) {
            const uint32_t column = map[w * 64 + (uint32_t)__ffsll((long long)bits) - 1];
            if (column == to) continue; /* merged */
            matrix_set(next, to, column);
            matrix_set(next, column, to);
        }
    }
}

static clump_status matrix_make(clump_work *work, clump_cuda *cuda, clump_device_buffer *memory, const char *method,
                                uint32_t size, matrix *m)
{
    CLUMP_ASSERT(size >= 1);
    m->size = size;
    m->words = size / 64 + (size % 64 > 0);
    CLUMP_TRY(clump_device_need(work, cuda, method, memory, size, m->words * sizeof(matrix_word),
                                "labels with a bit for each pair of them"));
    m->bits = (matrix_word *)memory->data;
    CLUMP_CUDA(work, cuda, "clearing the matrix",
               cudaMemsetAsync(m->bits, 0, (size_t)size * m->words * sizeof(matrix_word), cuda->stream));
    return CLUMP_OK;
}

/* Makes L: the marks of the n values of x, all below n, scanned. Their number goes to control->labels, and to the host. */
static clump_status scan_labels(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const uint32_t *x, uint32_t n)
{
    CLUMP_CUDA(work, cuda, "counting labels",
               cudaMemsetAsync(g->scan, 0, (n + (size_t)1) * sizeof(uint32_t), cuda->stream));
    CLUMP_TRY(clump_six_launch(work, cuda, "counting labels", n, mark_labels, x, n, g->scan));
    CLUMP_TRY(clump_scan(work, cuda, &g->temporary, g->scan, n));
    CLUMP_CUDA(
        work, cuda, "counting labels",
        cudaMemcpyAsync(&g->control->labels, g->scan + n, sizeof(uint32_t), cudaMemcpyDeviceToDevice, cuda->stream));
    return clump_six_fetch_control(work, cuda, g);
}

static clump_status build_matrix(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, matrix *m)
{
    const uint32_t n = g->count;
    CLUMP_TRY(scan_labels(work, cuda, g, g->label, n));
    const uint32_t size = g->fetched->labels;
    CLUMP_TRY(matrix_make(work, cuda, &g->matrix[0], g->method, size, m));
    CLUMP_TRY(clump_six_launch(work, cuda, "making labels compact", n, replace, g->scan, n, g->label));
    CLUMP_TRY(clump_six_launch(work, cuda, "making labels compact", size, count_up, g->other, size));
    const set_bits visit = {g->label, *m};
    return clump_six_visit_pairs<true>(work, cuda, g->search, visit);
}

/* After scan_labels(): makes R the new labels, and updates C and M. */
static clump_status update(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, clump_device_buffer *memory,
                           matrix *m)
{
    const uint32_t size = m->size;
    matrix next;
    CLUMP_TRY(matrix_make(work, cuda, memory, g->method, g->fetched->labels, &next));
    CLUMP_TRY(clump_six_launch(work, cuda, "making labels compact", size, replace, g->scan, size, g->other));
    CLUMP_TRY(clump_six_launch(work, cuda, "making labels compact", g->count, replace, g->other, g->count, g->label));
    CLUMP_TRY(
        clump_six_launch(work, cuda, "carrying the matrix over", size * (uint64_t)32, carry_over, *m, g->other, next));
    CLUMP_TRY(clump_six_launch(work, cuda, "making labels compact", next.size, count_up, g->other, next.size));
    *m = next;
    return CLUMP_OK;
}

/* ----- Algorithm 2 ---------------------------------------------------------------------------------- */

/* The kernels of thread blocks of b threads. */
typedef struct matrix_kernels {
    void (*initial_ec)(const float4 *points, uint32_t n, float bound, uint32_t *c);
    void (*merge_groups)(matrix m, uint32_t *r, uint32_t *merged);
    void (*merge_pairs)(matrix m, uint32_t layer, uint32_t groups, uint32_t *r, uint32_t *merged);
} matrix_kernels;

template <int B> static matrix_kernels matrix_kernels_of(void)
{
    return {initial_ec<B>, merge_groups<B>, merge_pairs<B>};
}

static matrix_kernels matrix_kernels_for(uint32_t b)
{
    CLUMP_ASSERT(b == 64 || b == 128 || b == 256 || b == 512 || b == 1024);
    return b == 64    ? matrix_kernels_of<64>()
           : b == 128 ? matrix_kernels_of<128>()
           : b == 256 ? matrix_kernels_of<256>()
           : b == 512 ? matrix_kernels_of<512>()
                      : matrix_kernels_of<1024>();
}

static clump_status launch_layer(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const matrix &m, uint32_t layer,
                                 uint32_t groups)
{
    const matrix_kernels kernels = matrix_kernels_for(g->tile_b);
    const clump_launch l = {clump_layer_pairs(layer, groups), g->tile_b, 0, cuda->stream, false, 0};
    uint32_t *const merged = &g->control->merged;
    if (layer == 0)
        return clump_launch_kernel(work, cuda, "merging labels", l, kernels.merge_groups, m, g->other, merged);
    return clump_launch_kernel(work, cuda, "merging labels", l, kernels.merge_pairs, m, layer, groups, g->other,
                               merged);
}

clump_status clump_cuda_ec_matrix(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes)
{
    const uint32_t b = g->tile_b;
    CLUMP_TRY(clump_six_record(work, cuda, g->initial[0]));
    CLUMP_TRY(clump_launch_items(work, cuda, "merging points", g->count, b, CLUMP_GRID_MOST,
                                 matrix_kernels_for(b).initial_ec, g->points, g->count, g->search.bound, g->label));
    CLUMP_TRY(clump_six_record(work, cuda, g->initial[1]));
    matrix m;
    CLUMP_TRY(build_matrix(work, cuda, g, &m));
    CLUMP_TRY(clump_six_record_built(work, cuda, g));

    *passes = 0;
    for (uint32_t layer = 0, together = MATRIX_LAYERS;;) {
        const uint32_t groups = m.size / b + (m.size % b > 0), layers = clump_layers(groups);
        if (layer >= layers) return CLUMP_OK;
        CLUMP_TRY(clump_cuda_poll(work, cuda));
        const uint32_t last = layers - layer < together ? layers : layer + together;
        CLUMP_CUDA(work, cuda, "merging labels",
                   cudaMemsetAsync(&g->control->merged, 0, sizeof(uint32_t), cuda->stream));
        for (; layer < last; layer++) CLUMP_TRY(launch_layer(work, cuda, g, m, layer, groups));
        CLUMP_TRY(scan_labels(work, cuda, g, g->other, m.size));
        together *= 2;
        if (!g->fetched->merged) continue;
        ++*passes;
        CLUMP_TRY(update(work, cuda, g, &g->matrix[*passes % 2], &m));
        layer = 0;
        together = MATRIX_LAYERS;
    }
}
