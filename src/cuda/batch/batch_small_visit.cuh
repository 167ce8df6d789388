/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_small_visit.cuh: the cells around a cell of a cloud in shared memory (batch_small.cuh).
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_SMALL_VISIT_CUH
#define CLUMP_CUDA_BATCH_BATCH_SMALL_VISIT_CUH

#include "cuda/batch/batch_small.cuh"

/* Which cells are visited around a cell. */
enum small_visited {
    SMALL_ALL,    /* all that it reaches */
    SMALL_STRANGE /* of each pair of cells, one sees the other; those in `main` with the same root are left out */
};

/* Calls f(other) for the occupied cells of a word that `allowed` has. Returns true where f did. */
template <small_visited WHICH, class F>
__device__ static inline bool small_visit_word(const small_cloud &s, uint32_t word, uint32_t allowed, uint32_t root,
                                               F f)
{
    const uint32_t slot = small_find_word(s, word);
    if (slot == CLUMP_GPU_NONE) return false;
    const uint32_t bits = s.bits[slot];
    uint32_t set = bits & allowed;
    if (set == 0) return false;
    const uint32_t base = s.base[slot];
    if (WHICH == SMALL_STRANGE && base >> 16 == root) set &= ~s.main[slot];
    for (; set; set &= set - 1)
        if (f((base & 0xffff) + (uint32_t)__popc(bits & ((set & (0 - set)) - 1)))) return true;
    return false;
}

/* The cells of a row that a cell reaches. Rows begin with a word, so a cell at bit x reaches the same bits of every row: five
 * bits of one word, or of two where x is at its end. */
typedef struct small_window {
    uint32_t bits, beside; /* of the word; of the word before or after it, 0: none */
    int side;              /* -1, or 1 */
} small_window;

__device__ static inline small_window small_window_of(uint32_t x)
{
    small_window w;
    w.bits = x >= 2 ? 31u << (x - 2) : 31u >> (2 - x);
    w.beside = x < 2 ? 31u << (x + 30) : x > 29 ? 31u >> (34 - x) : 0;
    w.side = x < 2 ? -1 : 1;
    return w;
}

template <small_visited WHICH, class F>
__device__ static inline bool small_visit_row(const small_cloud &s, uint32_t word, const small_window &w, uint32_t root,
                                              F f)
{
    if (small_visit_word<WHICH>(s, word, w.bits, root, f)) return true;
    return w.beside && small_visit_word<WHICH>(s, word + (uint32_t)w.side, w.beside, root, f);
}

/* Returns 0, 1, -1, 2, -2 for k = 0 ... 4: near rows come first, most neighbours are there. */
__device__ static inline int small_offset(int k)
{
    return k & 1 ? (k + 1) / 2 : -k / 2;
}

/* Calls f(other) for the occupied cells that a cell reaches, without the cell itself; `root` is for SMALL_STRANGE. Ends
 * where f returns true; for SMALL_STRANGE it returns false: the threads of a warp wait for each other after every row. */
template <small_visited WHICH, class F>
__device__ static inline void small_visit(const small_cloud &s, uint32_t cell, uint32_t root, F f)
{
    if (s.wide) {
        for (uint32_t other = WHICH == SMALL_STRANGE ? cell + 1 : 0; other < s.count; other++)
            if (other != cell && s.head[other] != SMALL_NONE && f(other)) return;
        return;
    }
    const uint32_t place = s.place[cell], x = place % 32, word = place / 32, row = s.pitch / 32, layer = s.plane / 32;
    const small_window w = small_window_of(x);
    small_window own = w; /* without the cell; SMALL_STRANGE: only those after it */
    own.bits &= WHICH == SMALL_STRANGE ? ~((2u << x) - 1) : ~(1u << x);
    if (WHICH == SMALL_STRANGE && w.side < 0) own.beside = 0;
    const uint32_t together = __activemask();
    if (small_visit_row<WHICH>(s, word, own, root, f)) return;
    for (int k = 0; k < (s.two_d ? 1 : 5); k++) {
        const int z = small_offset(k);
        if (WHICH == SMALL_STRANGE && z < 0) continue;
        for (int i = 0; i < 5; i++) {
            const int y = small_offset(i);
            if (z == 0 && (y == 0 || (WHICH == SMALL_STRANGE && y < 0))) continue;
            if (WHICH == SMALL_STRANGE) __syncwarp(together);
            if (small_visit_row<WHICH>(s, word + (uint32_t)z * layer + (uint32_t)y * row, w, root, f)) return;
        }
    }
}

#endif
