/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_small.cuh: a cloud in shared memory: its cells. Cells are those of rules/cell.h: all points of a cell are
 * neighbours, and a cell reaches two cells far. Blocks of 4 x 4 x 4 cells are in a hash table, each with the set of its
 * occupied cells (rules/blocks.h). Cells are numbered: those of a block follow each other.
 *
 *     slot      key: where the block is in the box of the cloud   mask: its cells   base: number of its first cell
 *               main: those of its cells that have the root of its first cell, once roots are known
 *     cell      head: list of its points   first: its smallest (core) point, later its root
 *     point     x y z   place: slot * 64 + cell within the block   next: in the list   parent: union-find
 *
 * A block has 11 bits for x, 11 for y and 10 for z in its key. A cloud with a wider box has a cell per point and no blocks:
 * then every cell is a candidate for every other.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_SMALL_CUH
#define CLUMP_CUDA_BATCH_BATCH_SMALL_CUH

#include "cuda/batch/batch_job.cuh"

#include "rules/blocks.h"

static const uint32_t SMALL_X = 1, SMALL_Y = 1u << 11, SMALL_Z = 1u << 22; /* one block further, in a key */
static const uint32_t SMALL_WIDEST_XY = 2044, SMALL_WIDEST_Z = 1020;       /* blocks: a ring of free keys around them */
static const uint32_t SMALL_SIGN = 1u << 31;   /* makes signed numbers unsigned, in their order */
static const uint16_t SMALL_NONE = UINT16_MAX; /* end of a list */
static const uint32_t SMALL_CORE = 1u << 31;   /* flag of a core point, beside its place */
static const uint32_t SMALL_OUT = UINT32_MAX;  /* as place: the point does not take part */

/* The cells that a cell reaches, per axis, offset of the block, and coordinate of the cell. */
typedef struct small_tables {
    uint64_t reach[3][3][4];
} small_tables;

typedef struct small_cloud {
    uint64_t *mask, *main;
    uint32_t *key;
    float *x, *y, *z;
    uint32_t *parent, *head, *first, *place;
    uint16_t *base, *next;
    uint32_t count, slots, cells;
    bool wide, two_d;
    float bound;
    uint32_t hash_key;
    const small_tables *tables;
} small_cloud;

/* Slots for n points. Blocks are fewer than points by far; in very sparse clouds, where each point has one, a search takes
 * as long as a comparison with all points. 1024 points take 55 KB: four thread blocks per multiprocessor of an H200. */
static inline __host__ __device__ uint32_t small_slots(uint32_t n)
{
    return n + n / 16 + 4;
}

/* Returns the bytes of shared memory for n points, a multiple of 4. */
static inline size_t small_bytes(uint32_t n)
{
    return small_slots(n) * (2 * sizeof(uint64_t) + sizeof(uint32_t) + sizeof(uint16_t)) +
           n * (7 * sizeof(uint32_t) + sizeof(uint16_t));
}

/* Lays out the arrays for up to `capacity` points, an even number. */
__device__ static inline small_cloud small_lay_out(uint64_t *memory, uint32_t capacity)
{
    const uint32_t slots = small_slots(capacity);
    small_cloud s = {};
    s.mask = memory, s.main = memory + slots;
    s.key = (uint32_t *)(memory + 2 * slots);
    s.x = (float *)(s.key + slots), s.y = s.x + capacity, s.z = s.y + capacity;
    s.parent = (uint32_t *)(s.z + capacity), s.head = s.parent + capacity, s.first = s.head + capacity;
    s.place = s.first + capacity;
    s.next = (uint16_t *)(s.place + capacity), s.base = s.next + capacity;
    return s;
}

/* Fills the tables; the threads of the thread block share them. */
__device__ static inline void small_fill_tables(small_tables *t)
{
    for (uint32_t k = threadIdx.x; k < 36; k += blockDim.x) {
        const uint32_t axis = k / 12, a = k % 4;
        const int o = (int)(k / 4 % 3) - 1;
        const uint32_t reach = CLUMP_AXIS_REACH(o, a);
        t->reach[axis][o + 1][a] =
            clump_block_cells(axis == 0 ? reach : 15, axis == 1 ? reach : 15, axis == 2 ? reach : 15);
    }
}

__device__ static inline float3 small_point(const small_cloud &s, uint32_t i)
{
    return make_float3(s.x[i], s.y[i], s.z[i]);
}

__device__ static inline bool small_near(const small_cloud &s, float3 p, uint32_t j)
{
    return clump_distance_squared(p.x, p.y, p.z, s.x[j], s.y[j], s.z[j]) < s.bound;
}

/* Copies the coordinates to shared memory: consecutive threads read consecutive words, also over PCIe. */
__device__ static inline void small_fetch(const small_cloud &s, const clump_cloud_view &view)
{
    const float *const words = (const float *)view.points;
    const uint32_t each = (uint32_t)(view.stride / sizeof(float));
    if (each > 4) {
        for (uint32_t i = threadIdx.x; i < view.count; i += blockDim.x) {
            const float *const p = words + (size_t)i * each;
            s.x[i] = p[0], s.y[i] = p[1], s.z[i] = view.two_d ? 0.0f : p[2];
        }
    } else {
        const uint32_t all = view.count * each - (each - 3); /* the last point ends with its z */
        for (uint32_t k = threadIdx.x; k < all; k += blockDim.x) {
            const uint32_t i = each == 3 ? k / 3 : k / 4, axis = k - i * each;
            const float value = words[k];
            if (axis == 0) s.x[i] = value;
            if (axis == 1) s.y[i] = value;
            if (axis == 2) s.z[i] = view.two_d ? 0.0f : value;
        }
    }
}

/* ----- the box ----------------------------------------------------------------------------------------- */

/* Least block and complement of the greatest block per axis, with SMALL_SIGN. */
typedef struct small_box {
    uint32_t bound[6];
} small_box;

__device__ static inline uint32_t small_block(int32_t cell)
{
    return (uint32_t)(cell >> 2) ^ SMALL_SIGN;
}

/* Finds which points take part, and the box of their blocks. */
__device__ static inline void small_find_box(const small_cloud &s, const clump_cloud_view &view,
                                             const clump_cell_rule &rule, small_box *box, batch_counts *counts)
{
    uint32_t least[6] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        const float3 p = small_point(s, i);
        const bool finite = isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
        const bool masked = view.mask && !view.mask[i];
        counts->finite += finite;
        counts->masked += masked;
        s.place[i] = finite && !masked ? i : SMALL_OUT; /* of a cloud without blocks */
        if (!finite || masked) continue;
        const uint32_t block[3] = {small_block(clump_cell(p.x, rule)), small_block(clump_cell(p.y, rule)),
                                   small_block(clump_cell(p.z, rule))};
        for (int k = 0; k < 3; k++) least[k] = min(least[k], block[k]), least[3 + k] = min(least[3 + k], ~block[k]);
    }
    for (int k = 0; k < 6; k++) {
        const uint32_t all = clump_warp_min(least[k]);
        if (clump_lane() == 0) atomicMin(&box->bound[k], all);
    }
}

/* Whether the keys can hold the blocks of a box. Without points it has none, and the difference is small. */
__device__ static inline bool small_box_fits(const small_box &box)
{
    const uint32_t *const b = box.bound;
    return ~b[3] - b[0] <= SMALL_WIDEST_XY && ~b[4] - b[1] <= SMALL_WIDEST_XY && ~b[5] - b[2] <= SMALL_WIDEST_Z;
}

/* ----- blocks ------------------------------------------------------------------------------------------ */

__device__ static inline uint32_t small_slot(const small_cloud &s, uint32_t key)
{
    return clump_hash_slot(clump_hash_mixed(key ^ s.hash_key), s.slots);
}

/* Returns the slot of a block, which is entered if it is new. There are more slots than points. */
__device__ static inline uint32_t small_enter_block(const small_cloud &s, uint32_t key)
{
    for (uint32_t slot = small_slot(s, key);; slot = slot + 1 < s.slots ? slot + 1 : 0) {
        const uint32_t there = atomicCAS(&s.key[slot], CLUMP_GPU_NONE, key);
        if (there == CLUMP_GPU_NONE || there == key) return slot;
    }
}

/* Returns the slot of a block, or CLUMP_GPU_NONE. */
__device__ static inline uint32_t small_find_block(const small_cloud &s, uint32_t key)
{
    for (uint32_t slot = small_slot(s, key);; slot = slot + 1 < s.slots ? slot + 1 : 0) {
        const uint32_t there = s.key[slot];
        if (there == key) return slot;
        if (there == CLUMP_GPU_NONE) return CLUMP_GPU_NONE;
    }
}

/* Enters all points; they get their places. */
__device__ static inline void small_enter_points(const small_cloud &s, const clump_cell_rule &rule,
                                                 const small_box &box)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.place[i] == SMALL_OUT) continue;
        const float3 p = small_point(s, i);
        const int32_t x = clump_cell(p.x, rule), y = clump_cell(p.y, rule), z = clump_cell(p.z, rule);
        const uint32_t key = (small_block(x) - box.bound[0] + 1) * SMALL_X +
                             (small_block(y) - box.bound[1] + 1) * SMALL_Y +
                             (small_block(z) - box.bound[2] + 1) * SMALL_Z;
        const uint32_t slot = small_enter_block(s, key), bit = clump_block_cell(x, y, z);
        atomicOr((uint32_t *)&s.mask[slot] + bit / 32, 1u << bit % 32); /* the low half comes first */
        s.place[i] = slot * 64 + bit;
    }
}

/* Returns the number of a cell of the block in a slot. */
__device__ static inline uint32_t small_cell_number(const small_cloud &s, uint32_t slot, uint32_t bit)
{
    return s.base[slot] + (uint32_t)__popcll(s.mask[slot] & ((1ull << bit) - 1));
}

/* Returns the number of the cell of a place. */
__device__ static inline uint32_t small_cell_of(const small_cloud &s, uint32_t place)
{
    place &= ~SMALL_CORE;
    return s.wide ? place : small_cell_number(s, place / 64, place % 64);
}

/* Numbers the cells; *cells was 0. */
__device__ static inline void small_number_cells(const small_cloud &s, uint32_t *cells)
{
    for (uint32_t begin = 0; begin < s.slots; begin += blockDim.x) {
        const uint32_t slot = begin + threadIdx.x;
        const uint32_t own = slot < s.slots ? (uint32_t)__popcll(s.mask[slot]) : 0;
        uint32_t total, start = 0;
        const uint32_t before = clump_warp_scan(own, &total);
        if (clump_lane() == 0 && total > 0) start = atomicAdd(cells, total);
        start = __shfl_sync(~0u, start, 0);
        if (slot < s.slots) s.base[slot] = (uint16_t)(start + before);
    }
}

/* Makes the list of every cell; EC: `first` is its smallest point. */
template <bool DENSITY> __device__ static inline void small_list_points(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.place[i] == SMALL_OUT) continue;
        const uint32_t cell = small_cell_of(s, s.place[i]);
        s.next[i] = (uint16_t)atomicExch(&s.head[cell], i); /* SMALL_NONE: it is the last */
        if (!DENSITY) atomicMin(&s.first[cell], i);
    }
}

/* Finds the cells of all points. Where the box is too wide, every point is a cell. */
template <bool DENSITY>
__device__ static inline void small_build(small_cloud &s, const clump_cloud_view &view, const clump_cell_rule &rule,
                                          batch_counts *counts)
{
    __shared__ small_box box;
    __shared__ uint32_t cells;
    if (threadIdx.x < 6) box.bound[threadIdx.x] = UINT32_MAX;
    if (threadIdx.x == 6) cells = 0;
    for (uint32_t k = threadIdx.x; k < s.slots; k += blockDim.x) s.key[k] = CLUMP_GPU_NONE, s.mask[k] = s.main[k] = 0;
    for (uint32_t k = threadIdx.x; k < s.count; k += blockDim.x) s.head[k] = s.first[k] = CLUMP_GPU_NONE;
    small_fetch(s, view);
    __syncthreads();
    small_find_box(s, view, rule, &box, counts);
    __syncthreads();
    s.wide = !small_box_fits(box);
    s.cells = s.count;
    if (!s.wide) {
        small_enter_points(s, rule, box);
        __syncthreads();
        small_number_cells(s, &cells);
        __syncthreads();
        s.cells = cells;
    }
    small_list_points<DENSITY>(s);
    __syncthreads();
}

/* ----- cells around a cell ----------------------------------------------------------------------------- */

/* Which cells are visited around a place. */
enum small_visited {
    SMALL_ALL,    /* all that it reaches */
    SMALL_STRANGE /* of each pair of cells, one sees the other; those in `main` with the same root are left out */
};

/* Calls f(other) for the occupied cells that a place reaches, without its own cell; `root` is for SMALL_STRANGE. Ends where
 * f returns true. */
template <small_visited WHICH, class F>
__device__ static inline void small_visit(const small_cloud &s, uint32_t place, uint32_t root, F f)
{
    place &= ~SMALL_CORE;
    if (s.wide) {
        for (uint32_t other = WHICH == SMALL_STRANGE ? place + 1 : 0; other < s.count; other++)
            if (other != place && s.head[other] != CLUMP_GPU_NONE && f(other)) return;
        return;
    }
    const uint32_t slot = place / 64, bit = place % 64, key = s.key[slot];
    const uint32_t ax = bit & 3, ay = bit >> 2 & 3, az = bit >> 4;
    for (int k = 0; k < (s.two_d ? 4 : 8); k++) {
        const int dx = k & 1 ? clump_axis_side(ax) : 0, dy = k & 2 ? clump_axis_side(ay) : 0;
        const int dz = k & 4 ? clump_axis_side(az) : 0, side = dz ? dz : dy ? dy : dx; /* 0: its own block */
        if (WHICH == SMALL_STRANGE && side < 0) continue;
        const uint32_t wanted = key + (uint32_t)dx * SMALL_X + (uint32_t)dy * SMALL_Y + (uint32_t)dz * SMALL_Z;
        const uint32_t other = k == 0 ? slot : small_find_block(s, wanted);
        if (other == CLUMP_GPU_NONE) continue;
        const uint64_t mask = s.mask[other];
        const uint32_t base = s.base[other];
        uint64_t set =
            mask & s.tables->reach[0][dx + 1][ax] & s.tables->reach[1][dy + 1][ay] & s.tables->reach[2][dz + 1][az];
        if (k == 0) set &= WHICH == SMALL_STRANGE ? ~0ull << bit << 1 : ~(1ull << bit);
        if (WHICH == SMALL_STRANGE && s.first[base] == root) set &= ~s.main[other];
        for (; set; set &= set - 1) {
            const uint64_t below = (set & (0 - set)) - 1; /* the bits below the lowest of the set */
            if (f(base + (uint32_t)__popcll(mask & below))) return;
        }
    }
}

#endif
