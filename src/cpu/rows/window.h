/* SPDX-License-Identifier: BSD-3-Clause
 *
 * window.h: compares a group of points that follow each other in a row with the points near them in another row. A
 * stream is a place in that other row, which moves forward with the groups. A window is the next points from that place
 * on, one per lane of a vector register. It is read once for all points of the group:
 *
 *     row        . . . . . | * * * * * * * * | . . .        low: lanes that the stream leaves behind
 *                          at                end            near: lanes that are neighbours, one mask per point
 *
 * Why a stream may leave points behind, and why a window may end: points of a row less than e / 8 apart may be in any
 * order (sorted.h). Let x be that of the last point of the group.
 *   1. low means x' < fl(x - reach). Rounding is monotone and x' is a float, so x' < x - reach in real numbers.
 *   2. A point of a later group has x'' >= x - e / 8. So x'' - x' > reach - e / 8 > d (1 + 2^-13): not a neighbour,
 *      as neighbours have |dx| <= d (1 + 2^-22) (rules/cell.h).
 *   3. A lane with x' > fl(x + reach + e / 8) is that far from x in real numbers, as in 1. Points of the group have
 *      x'' <= x + e / 8, and points after the lane in its row are at least at x' - e / 8. So their distance from the
 *      group is more than reach - e / 8: none is a neighbour, and the search ends.
 */
#ifndef CLUMP_CPU_ROWS_WINDOW_H
#define CLUMP_CPU_ROWS_WINDOW_H

#include "common/bits.h"
#include "common/simd.h"
#include "cpu/rows/sorted.h"

#include <math.h>

/* CLUMP_WINDOW lanes and CLUMP_GROUP points: at most 64 bits of masks together. Measured on blobs with two neighbours
 * per point: most windows hold one group's neighbours, with few lanes to spare. */
#if defined(CLUMP_SIMD_SSE) && defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>
#define CLUMP_WINDOW 16
#define CLUMP_GROUP  4
typedef __m512 clump_lanes;
typedef __m512 clump_spread;
#define CLUMP_SPREAD(x)        _mm512_set1_ps(x)
#define CLUMP_LANES_OF(a)      (a)
#define CLUMP_LANES_SET(x)     _mm512_set1_ps(x)
#define CLUMP_LANES_LOAD(p)    _mm512_loadu_ps(p)
#define CLUMP_LANES_SUB(a, b)  _mm512_sub_ps(a, b)
#define CLUMP_LANES_ADD(a, b)  _mm512_add_ps(a, b)
#define CLUMP_LANES_MUL(a, b)  _mm512_mul_ps(a, b)
#define CLUMP_LANES_LESS(a, b) ((unsigned)_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ))
#elif defined(CLUMP_SIMD_SSE) && defined(__AVX__)
#include <immintrin.h>
#define CLUMP_WINDOW           8
#define CLUMP_GROUP            2
typedef __m256 clump_lanes;
typedef __m256 clump_spread;
#define CLUMP_SPREAD(x)        _mm256_set1_ps(x)
#define CLUMP_LANES_OF(a)      (a)
#define CLUMP_LANES_SET(x)     _mm256_set1_ps(x)
#define CLUMP_LANES_LOAD(p)    _mm256_loadu_ps(p)
#define CLUMP_LANES_SUB(a, b)  _mm256_sub_ps(a, b)
#define CLUMP_LANES_ADD(a, b)  _mm256_add_ps(a, b)
#define CLUMP_LANES_MUL(a, b)  _mm256_mul_ps(a, b)
#define CLUMP_LANES_LESS(a, b) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)))
#else
#define CLUMP_WINDOW           8
#define CLUMP_GROUP            4
typedef struct clump_lanes {
    clump_f4 a, b;
} clump_lanes;
typedef clump_f4 clump_spread; /* one number in all lanes: half as much to load */
#define CLUMP_SPREAD(x)        clump_f4_set(x)
#define CLUMP_LANES_OF(s)      ((clump_lanes){s, s})
#define CLUMP_LANES_SET(x)     ((clump_lanes){clump_f4_set(x), clump_f4_set(x)})
#define CLUMP_LANES_LOAD(p)    ((clump_lanes){clump_f4_load(p), clump_f4_load((p) + 4)})
#define CLUMP_LANES_SUB(p, q)  ((clump_lanes){clump_f4_sub((p).a, (q).a), clump_f4_sub((p).b, (q).b)})
#define CLUMP_LANES_ADD(p, q)  ((clump_lanes){clump_f4_add((p).a, (q).a), clump_f4_add((p).b, (q).b)})
#define CLUMP_LANES_MUL(p, q)  ((clump_lanes){clump_f4_mul((p).a, (q).a), clump_f4_mul((p).b, (q).b)})
#define CLUMP_LANES_LESS(p, q) clump_lanes_less(p, q)
static inline unsigned clump_lanes_less(clump_lanes p, clump_lanes q)
{
#if defined(CLUMP_SIMD_NEON) /* one sum for both halves: sums take longest */
    static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u32(
        vorrq_u32(vandq_u32(vcltq_f32(p.a, q.a), vld1q_u32(bit)), vandq_u32(vcltq_f32(p.b, q.b), vld1q_u32(bit + 4))));
#else
    return clump_f4_less(p.a, q.a) | clump_f4_less(p.b, q.b) << 4;
#endif
}
#endif

#define CLUMP_WINDOW_FULL  ((1u << CLUMP_WINDOW) - 1)
#define CLUMP_WINDOW_FIRST (UINT64_MAX / ((1ull << CLUMP_WINDOW) - 1)) /* bit 0 of all fields of CLUMP_WINDOW bits */

/* Returns the number of pairs in a mask of at most CLUMP_WINDOW * CLUMP_GROUP bits. */
static inline unsigned clump_count_pairs(uint64_t near)
{
#if defined(__x86_64__) &&                                                                                             \
    !defined(__POPCNT__) /* else a call of a function of the compiler's library, 10 % of a sweep */
    near -= near >> 1 & 0x5555555555555555u;
    near = (near & 0x3333333333333333u) + (near >> 2 & 0x3333333333333333u);
    return (unsigned)(((near + (near >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
#else
    return clump_popcount(near);
#endif
}

/* The points that are compared with. Points whose y is not finite have no neighbours; their x is still in order. */
typedef struct clump_window_points {
    const float *x, *y, *z;
} clump_window_points;

/* Consecutive points of a row, each spread over all lanes. */
typedef struct clump_row_group {
    clump_spread x[CLUMP_GROUP], y[CLUMP_GROUP], z[CLUMP_GROUP];
    clump_spread bound, low, high;
} clump_row_group;

typedef struct clump_stream {
    uint32_t at, end;
} clump_stream;

typedef struct clump_window {
    uint64_t near;   /* bit q CLUMP_WINDOW + lane: the lane is a neighbour of point q of the group */
    uint32_t behind; /* lanes that the stream leaves behind */
    bool goes_on;    /* neighbours may follow after the last lane */
} clump_window;

/* The group of `count` points from k on, 1 <= count; of more than CLUMP_GROUP the first. y[q] is that of point q; where
 * it is not finite, the point has no neighbours. */
static inline clump_row_group clump_row_group_make(const clump_sorted *s, const float *y, size_t k, size_t count,
                                                   float bound)
{
    clump_row_group g = {.bound = CLUMP_SPREAD(bound)};
    for (size_t q = 0; q < CLUMP_GROUP; q++) { /* reads padding or the next row; NaN has no neighbours */
        g.x[q] = CLUMP_SPREAD(s->x[k + q]);
        g.y[q] = CLUMP_SPREAD(q < count ? y[q] : NAN);
        g.z[q] = CLUMP_SPREAD(s->z[k + q]);
    }
    const float last = s->x[k + (count < CLUMP_GROUP ? count : CLUMP_GROUP) - 1];
    g.low = CLUMP_SPREAD(last - s->reach);
    g.high = CLUMP_SPREAD(last + s->reach_on);
    return g;
}

/* The squared distances of pairs of points: the float32 sum of rules/distance.h, rounded in the same order. A difference
 * may have the other sign: rounding is symmetric. */
static inline clump_lanes clump_lanes_squares(clump_lanes ax, clump_lanes ay, clump_lanes az, clump_lanes bx,
                                              clump_lanes by, clump_lanes bz)
{
    const clump_lanes x = CLUMP_LANES_SUB(ax, bx), y = CLUMP_LANES_SUB(ay, by), z = CLUMP_LANES_SUB(az, bz);
    return CLUMP_LANES_ADD(CLUMP_LANES_ADD(CLUMP_LANES_MUL(x, x), CLUMP_LANES_MUL(y, y)), CLUMP_LANES_MUL(z, z));
}

/* The squared distances of the lanes from point q of a group. */
static inline clump_lanes clump_squares_of(clump_lanes x, clump_lanes y, clump_lanes z, const clump_row_group *g, int q)
{
    return clump_lanes_squares(x, y, z, CLUMP_LANES_OF(g->x[q]), CLUMP_LANES_OF(g->y[q]), CLUMP_LANES_OF(g->z[q]));
}

/* One field of CLUMP_WINDOW bits per question of a window, lane 0 lowest. */
typedef struct clump_answers {
    uint64_t near;      /* is the lane a neighbour of point q? CLUMP_GROUP fields */
    unsigned low, past; /* is it left behind? Is it too far for points after it? */
} clump_answers;

#if defined(CLUMP_SIMD_NEON)
/* Eight lanes of a comparison in 16 bits each. */
static inline uint8x16_t clump_lanes_narrow(clump_lanes p, clump_lanes q)
{
    return vreinterpretq_u8_u16(
        vuzp1q_u16(vreinterpretq_u16_u32(vcltq_f32(p.a, q.a)), vreinterpretq_u16_u32(vcltq_f32(p.b, q.b))));
}

/* All masks are narrowed to bytes and added up together: one move from a vector register in place of six. */
static inline clump_answers clump_ask(clump_lanes x, clump_lanes y, clump_lanes z, const clump_row_group *g)
{
    _Static_assert(CLUMP_GROUP == 4 && CLUMP_WINDOW == 8, "six bytes");
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vld1q_u8(bit);
    uint8x16_t m[6];
    for (int q = 0; q < CLUMP_GROUP; q++)
        m[q] = clump_lanes_narrow(clump_squares_of(x, y, z, g, q), CLUMP_LANES_OF(g->bound));
    m[4] = clump_lanes_narrow(x, CLUMP_LANES_OF(g->low));
    m[5] = clump_lanes_narrow(CLUMP_LANES_OF(g->high), x);
    for (int k = 0; k < 3; k++) m[k] = vandq_u8(vuzp1q_u8(m[2 * k], m[2 * k + 1]), bits);
    const uint8x16_t halves = vpaddq_u8(vpaddq_u8(m[0], m[1]), vpaddq_u8(m[2], m[2]));
    const uint64_t all = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(halves, halves)), 0);
    return (clump_answers){all & UINT32_MAX, (unsigned)(all >> 32) & 255, (unsigned)(all >> 40) & 255};
}
#else
static inline clump_answers clump_ask(clump_lanes x, clump_lanes y, clump_lanes z, const clump_row_group *g)
{
    clump_answers a = {.low = CLUMP_LANES_LESS(x, CLUMP_LANES_OF(g->low)),
                       .past = CLUMP_LANES_LESS(CLUMP_LANES_OF(g->high), x)};
    for (int q = 0; q < CLUMP_GROUP; q++) {
        const uint64_t near = CLUMP_LANES_LESS(clump_squares_of(x, y, z, g, q), CLUMP_LANES_OF(g->bound));
        a.near |= near << CLUMP_WINDOW * q;
    }
    return a;
}
#endif

/* Compares a group with the points from `at` on. */
static inline clump_window clump_look(const clump_window_points *t, const clump_row_group *g, uint32_t at, uint32_t end)
{
    CLUMP_ASSERT(at <= end);
    const uint32_t left = end - at;
    const unsigned valid = (1u << (left < CLUMP_WINDOW ? left : CLUMP_WINDOW)) - 1;
    const clump_lanes x = CLUMP_LANES_LOAD(t->x + at), y = CLUMP_LANES_LOAD(t->y + at), z = CLUMP_LANES_LOAD(t->z + at);
    const clump_answers a = clump_ask(x, y, z, g);
    return (clump_window){.near = a.near & CLUMP_WINDOW_FIRST * valid,
                          .behind = clump_lowest(~(uint64_t)(a.low & valid)),
                          .goes_on = (~a.past & valid) == CLUMP_WINDOW_FULL};
}

/* Looks at the window of a row after that from *from on, if it may hold neighbours. Moves the stream. */
static inline bool clump_look_on(const clump_window_points *t, const clump_row_group *g, clump_stream *s,
                                 uint32_t *from, clump_window *w)
{
    *from += CLUMP_WINDOW;
    if (!w->goes_on || *from >= s->end) return false;
    *w = clump_look(t, g, *from, s->end);
    if (s->at == *from) s->at += w->behind;
    return true;
}

#endif
