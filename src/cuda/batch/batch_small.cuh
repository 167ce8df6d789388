/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_small.cuh: a cloud in shared memory: its cells. Cells are those of rules/cell.h: all points of a cell are
 * neighbours, and a cell reaches two cells far. The cells of the box of the cloud are bits, 32 in a row to a word. Their
 * numbers are places:
 *
 *     place  = (z * rows + y) * pitch + x         bit place % 32 of word place / 32
 *     reach  = five bits of each of 5 x 5 rows    rows are padded, so they never meet
 *
 * Words are in a table, or, where the box has more of them than the table has slots, in a hash table:
 *
 *     slot      key: its word, in a hash table   bits: occupied cells   base: number of the first of them, and above it
 *               their smallest root, once roots are known   main: those with this root
 *     cell      place   head: list of its points   first: its smallest (core) point, later its root
 *     point     x y z   cell   next: in the list   parent: union-find
 *     queue     pairs of cells that are to be compared
 *
 * A cloud whose box has more than 2^26 words has a cell per point and no words: then every cell is a candidate for every
 * other.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_SMALL_CUH
#define CLUMP_CUDA_BATCH_BATCH_SMALL_CUH

#include "cuda/batch/batch_job.cuh"

static const double SMALL_WORDS = 1u << 26;    /* places fit into 32 bits */
static const uint32_t SMALL_SIGN = 1u << 31;   /* makes signed numbers unsigned, in their order */
static const uint16_t SMALL_NONE = UINT16_MAX; /* end of a list */
static const uint16_t SMALL_CORE = 0x8000;     /* flag of a core point, beside its cell */
static const uint16_t SMALL_OUT = 0x7fff;      /* as cell: the point does not take part */
static const uint32_t SMALL_NO_ROOT = 0xffff;  /* in the upper half of `base` */

typedef struct small_cloud {
    uint32_t *bits, *main, *base, *key;
    float *x, *y, *z;
    uint32_t *parent, *first, *place, *queue;
    uint16_t *head, *cell, *next;
    uint32_t *queued; /* pairs; may be more than there is room for */
    uint32_t count, cells, room;
    uint32_t slots;        /* of the hash table */
    uint32_t words;        /* of the table; 0: it is a hash table */
    uint32_t pitch, plane; /* from a row to the next, from a layer to the next, in bits */
    bool wide, two_d;
    float bound;
    uint32_t hash_key;
} small_cloud;

/* Slots for n points. The blobs and the sparse clouds of bench/jobs/batch.c have fewer words. In a hash table each point has one
 * word at most. */
static inline __host__ __device__ uint32_t small_slots(uint32_t n)
{
    return n + n / 16 + 4;
}

/* Returns the bytes of shared memory for n points and a queue of `room` pairs. */
static inline size_t small_bytes(uint32_t n, uint32_t room)
{
    return 4 * small_slots(n) * sizeof(uint32_t) + n * (6 * sizeof(uint32_t) + 3 * sizeof(uint16_t)) +
           room * sizeof(uint32_t);
}

/* Lays out the arrays for up to `capacity` points, an even number. */
__device__ static inline small_cloud small_lay_out(uint64_t *memory, uint32_t capacity, uint32_t room)
{
    small_cloud s = {};
    s.room = room;
    s.slots = small_slots(capacity);
    s.bits = (uint32_t *)memory, s.main = s.bits + s.slots, s.base = s.main + s.slots, s.key = s.base + s.slots;
    s.x = (float *)(s.key + s.slots), s.y = s.x + capacity, s.z = s.y + capacity;
    s.parent = (uint32_t *)(s.z + capacity), s.first = s.parent + capacity, s.place = s.first + capacity;
    s.queue = s.place + capacity;
    s.head = (uint16_t *)(s.queue + room), s.cell = s.head + capacity, s.next = s.cell + capacity;
    return s;
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

/* Least cell and complement of the greatest cell per axis, with SMALL_SIGN. */
typedef struct small_box {
    uint32_t bound[6];
} small_box;

__device__ static inline uint32_t small_coordinate(float x, const clump_cell_rule &rule)
{
    return (uint32_t)clump_cell(x, rule) ^ SMALL_SIGN;
}

/* Finds which points take part, and the box of their cells. */
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
        s.cell[i] = finite && !masked ? (uint16_t)i : SMALL_OUT; /* of a wide cloud */
        if (!finite || masked) continue;
        const uint32_t at[3] = {small_coordinate(p.x, rule), small_coordinate(p.y, rule), small_coordinate(p.z, rule)};
        for (int k = 0; k < 3; k++) least[k] = min(least[k], at[k]), least[3 + k] = min(least[3 + k], ~at[k]);
    }
    for (int k = 0; k < 6; k++) {
        const uint32_t all = clump_warp_min(least[k]);
        if (clump_lane() == 0) atomicMin(&box->bound[k], all);
    }
}

/* Chooses words for the cells of a box. Two free cells on both sides of every axis keep rows and layers apart. */
__device__ static inline void small_choose_words(small_cloud &s, const small_box &box)
{
    const uint32_t *const b = box.bound;
    const double x = (double)(~b[3] - b[0]) + 5, y = (double)(~b[4] - b[1]) + 5;
    const double z = s.two_d ? 1 : (double)(~b[5] - b[2]) + 5;
    const double words = (x + 31) / 32 * y * z;
    s.wide = words > SMALL_WORDS;
    if (s.wide) return;
    const uint32_t each = ((uint32_t)x + 31) / 32, all = each * (uint32_t)y * (uint32_t)z;
    s.pitch = 32 * each;
    s.plane = s.pitch * (uint32_t)y;
    s.words = all <= s.slots ? all : 0;
}

/* ----- words ------------------------------------------------------------------------------------------- */

__device__ static inline uint32_t small_hash(const small_cloud &s, uint32_t word)
{
    return clump_hash_slot(clump_hash_mixed(word ^ s.hash_key), s.slots);
}

/* Returns the slot of a word, which is entered if it is new. There are more slots than points. */
__device__ static inline uint32_t small_enter_word(const small_cloud &s, uint32_t word)
{
    if (s.words > 0) return word;
    for (uint32_t slot = small_hash(s, word);; slot = slot + 1 < s.slots ? slot + 1 : 0) {
        const uint32_t there = atomicCAS(&s.key[slot], CLUMP_GPU_NONE, word);
        if (there == CLUMP_GPU_NONE || there == word) return slot;
    }
}

/* Returns the slot of a word, or CLUMP_GPU_NONE. */
__device__ static inline uint32_t small_find_word(const small_cloud &s, uint32_t word)
{
    if (s.words > 0) return word;
    for (uint32_t slot = small_hash(s, word);; slot = slot + 1 < s.slots ? slot + 1 : 0) {
        const uint32_t there = s.key[slot];
        if (there == word) return slot;
        if (there == CLUMP_GPU_NONE) return CLUMP_GPU_NONE;
    }
}

__device__ static inline void small_clear_words(const small_cloud &s)
{
    const uint32_t slots = s.words > 0 ? s.words : s.slots;
    for (uint32_t k = threadIdx.x; k < slots; k += blockDim.x) {
        s.bits[k] = s.main[k] = 0;
        if (s.words == 0) s.key[k] = CLUMP_GPU_NONE;
    }
}

/* Enters all points. Their places are in `parent`. */
__device__ static inline void small_enter_points(const small_cloud &s, const clump_cell_rule &rule,
                                                 const small_box &box)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.cell[i] == SMALL_OUT) continue;
        const float3 p = small_point(s, i);
        const uint32_t x = small_coordinate(p.x, rule) - box.bound[0] + 2;
        const uint32_t y = small_coordinate(p.y, rule) - box.bound[1] + 2;
        const uint32_t z = s.two_d ? 0 : small_coordinate(p.z, rule) - box.bound[2] + 2;
        const uint32_t place = z * s.plane + y * s.pitch + x;
        atomicOr(&s.bits[small_enter_word(s, place / 32)], 1u << place % 32);
        s.parent[i] = place;
    }
}

/* Returns the number of a cell, whose word is in the slot. */
__device__ static inline uint32_t small_number_of(const small_cloud &s, uint32_t slot, uint32_t place)
{
    return (s.base[slot] & 0xffff) + (uint32_t)__popc(s.bits[slot] & ((1u << place % 32) - 1));
}

/* Numbers the cells; *cells was 0. */
__device__ static inline void small_number_cells(const small_cloud &s, uint32_t *cells)
{
    const uint32_t slots = s.words > 0 ? s.words : s.slots;
    for (uint32_t begin = 0; begin < slots; begin += blockDim.x) {
        const uint32_t slot = begin + threadIdx.x;
        const uint32_t own = slot < slots ? (uint32_t)__popc(s.bits[slot]) : 0;
        uint32_t total, start = 0;
        const uint32_t before = clump_warp_scan(own, &total);
        if (clump_lane() == 0 && total > 0) start = atomicAdd(cells, total);
        start = __shfl_sync(~0u, start, 0);
        if (slot < slots) s.base[slot] = SMALL_NO_ROOT << 16 | (start + before);
    }
}

/* Makes the list of every cell. Its head is in `first`. */
__device__ static inline void small_list_points(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.cell[i] == SMALL_OUT) continue;
        const uint32_t place = s.wide ? i : s.parent[i];
        const uint32_t cell = s.wide ? i : small_number_of(s, small_find_word(s, place / 32), place);
        const uint32_t before = atomicExch(&s.first[cell], i);
        s.next[i] = (uint16_t)before; /* SMALL_NONE: it is the last */
        if (before == CLUMP_GPU_NONE) s.place[cell] = place;
        s.cell[i] = (uint16_t)cell;
    }
}

/* Moves the heads of the lists to their place; `first` becomes the smallest point of the cell, for DBSCAN none. */
template <bool DENSITY> __device__ static inline void small_find_firsts(const small_cloud &s)
{
    for (uint32_t cell = threadIdx.x; cell < s.cells; cell += blockDim.x) {
        const uint32_t head = s.first[cell];
        s.head[cell] = (uint16_t)head;
        if (head == CLUMP_GPU_NONE) continue; /* a wide cloud: the point does not take part */
        uint32_t first = DENSITY ? CLUMP_GPU_NONE : head;
        for (uint32_t j = s.next[head]; !DENSITY && j != SMALL_NONE; j = s.next[j]) first = min(first, j);
        s.first[cell] = first;
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
    if (threadIdx.x == 6) cells = *s.queued = 0;
    for (uint32_t k = threadIdx.x; k < s.count; k += blockDim.x) s.first[k] = CLUMP_GPU_NONE;
    small_fetch(s, view);
    __syncthreads();
    small_find_box(s, view, rule, &box, counts);
    __syncthreads();
    small_choose_words(s, box);
    s.cells = s.count;
    if (!s.wide) {
        small_clear_words(s);
        __syncthreads();
        small_enter_points(s, rule, box);
        __syncthreads();
        small_number_cells(s, &cells);
        __syncthreads();
        s.cells = cells;
    }
    small_list_points(s);
    __syncthreads();
    small_find_firsts<DENSITY>(s);
    __syncthreads();
}

#endif
