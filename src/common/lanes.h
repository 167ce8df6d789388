/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lanes.h: four integers beside the four floats of simd.h, and choices made per lane instead of by a branch. A
 * comparison gives a mask: a lane has all bits set, or none.
 */
#ifndef CLUMP_COMMON_LANES_H
#define CLUMP_COMMON_LANES_H

#include "common/simd.h"

#if defined(CLUMP_SIMD_NEON)
typedef int32x4_t clump_i4;
#elif defined(CLUMP_SIMD_SSE)
typedef __m128i clump_i4;
#else
typedef struct clump_i4 {
    int32_t v[4];
} clump_i4;
#endif

CLUMP_LANES(clump_i4, clump_i4_set, (int32_t x), vdupq_n_s32(x), _mm_set1_epi32(x), x)
CLUMP_LANES(clump_i4, clump_i4_load, (const int32_t *p), vld1q_s32(p),
            _mm_loadu_si128((const __m128i *)(const void *)p), p[i])
CLUMP_LANES(clump_i4, clump_f4_is_less, (clump_f4 a, clump_f4 b), vreinterpretq_s32_u32(vcltq_f32(a, b)),
            _mm_castps_si128(_mm_cmplt_ps(a, b)), -(a.v[i] < b.v[i]))
CLUMP_LANES(clump_i4, clump_f4_is_equal, (clump_f4 a, clump_f4 b), vreinterpretq_s32_u32(vceqq_f32(a, b)),
            _mm_castps_si128(_mm_cmpeq_ps(a, b)), -(a.v[i] == b.v[i]))
CLUMP_LANES(clump_i4, clump_i4_is_less, (clump_i4 a, clump_i4 b), vreinterpretq_s32_u32(vcltq_s32(a, b)),
            _mm_cmplt_epi32(a, b), -(a.v[i] < b.v[i]))
CLUMP_LANES(clump_i4, clump_i4_and, (clump_i4 a, clump_i4 b), vandq_s32(a, b), _mm_and_si128(a, b), a.v[i] & b.v[i])
CLUMP_LANES(clump_i4, clump_i4_or, (clump_i4 a, clump_i4 b), vorrq_s32(a, b), _mm_or_si128(a, b), a.v[i] | b.v[i])
/* a where the mask is set, else b. */
CLUMP_LANES(clump_i4, clump_i4_choose, (clump_i4 mask, clump_i4 a, clump_i4 b),
            vbslq_s32(vreinterpretq_u32_s32(mask), a, b),
            _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b)),
            (a.v[i] & mask.v[i]) | (b.v[i] & ~mask.v[i]))
#if defined(__SSE4_1__)
#include <smmintrin.h>
#define CLUMP_SSE_MIN(a, b) _mm_min_epi32(a, b)
#else
#define CLUMP_SSE_MIN(a, b) clump_i4_choose(_mm_cmplt_epi32(a, b), a, b)
#endif
CLUMP_LANES(clump_i4, clump_i4_min, (clump_i4 a, clump_i4 b), vminq_s32(a, b), CLUMP_SSE_MIN(a, b),
            a.v[i] < b.v[i] ? a.v[i] : b.v[i])

/* clump_i4_bits: bit i of the result is lane i of the mask. clump_i4_some: bit i of the result is some lane of mask i.
 * clump_i4_count: how many lanes of two masks are set. clump_i4_sum: the sum of the lanes. */
#if defined(CLUMP_SIMD_NEON)
static inline void clump_i4_store(int32_t *p, clump_i4 a)
{
    vst1q_s32(p, a);
}
static inline void clump_f4_store(float *p, clump_f4 a)
{
    vst1q_f32(p, a);
}
static inline int32_t clump_i4_highest(clump_i4 a)
{
    return vmaxvq_s32(a);
}
static inline int32_t clump_i4_sum(clump_i4 a)
{
    return vaddvq_s32(a);
}
static inline unsigned clump_i4_bits(clump_i4 mask)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vreinterpretq_u32_s32(mask), vld1q_u32(bit)));
}
static inline uint32_t clump_i4_count(clump_i4 a, clump_i4 b)
{
    return 0 - (uint32_t)vaddvq_s32(vaddq_s32(a, b)); /* a set lane is -1 */
}
static inline unsigned clump_i4_some(const clump_i4 mask[4])
{
    const int32x4_t ab = vpminq_s32(mask[0], mask[1]), cd = vpminq_s32(mask[2], mask[3]);
    return clump_i4_bits(vpminq_s32(ab, cd)); /* a set lane is -1 */
}

#elif defined(CLUMP_SIMD_SSE)
static inline void clump_i4_store(int32_t *p, clump_i4 a)
{
    _mm_storeu_si128((__m128i *)(void *)p, a);
}
static inline void clump_f4_store(float *p, clump_f4 a)
{
    _mm_storeu_ps(p, a);
}
static inline int32_t clump_i4_highest(clump_i4 a)
{
    int32_t v[4];
    clump_i4_store(v, a);
    const int32_t x = v[0] > v[1] ? v[0] : v[1], y = v[2] > v[3] ? v[2] : v[3];
    return x > y ? x : y;
}
static inline int32_t clump_i4_sum(clump_i4 a)
{
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(a, _mm_shuffle_epi32(a, 0xb1)));
}
static inline unsigned clump_i4_bits(clump_i4 mask)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(mask));
}
static inline unsigned clump_i4_some(const clump_i4 mask[4])
{
    const __m128i ab = _mm_packs_epi32(mask[0], mask[1]), cd = _mm_packs_epi32(mask[2], mask[3]);
    const __m128i all = _mm_packs_epi16(ab, cd); /* one byte per lane */
    return clump_i4_bits(_mm_cmpeq_epi32(all, _mm_setzero_si128())) ^ 15u;
}
static inline uint32_t clump_i4_count(clump_i4 a, clump_i4 b)
{
    return (uint32_t)__builtin_popcount(clump_i4_bits(a) | clump_i4_bits(b) << 4);
}

#else
static inline void clump_i4_store(int32_t *p, clump_i4 a)
{
    for (int i = 0; i < 4; i++) p[i] = a.v[i];
}
static inline void clump_f4_store(float *p, clump_f4 a)
{
    for (int i = 0; i < 4; i++) p[i] = a.v[i];
}
static inline int32_t clump_i4_highest(clump_i4 a)
{
    int32_t r = a.v[0];
    for (int i = 1; i < 4; i++) r = a.v[i] > r ? a.v[i] : r;
    return r;
}
static inline int32_t clump_i4_sum(clump_i4 a)
{
    return (int32_t)((uint32_t)a.v[0] + (uint32_t)a.v[1] + (uint32_t)a.v[2] + (uint32_t)a.v[3]);
}
static inline unsigned clump_i4_bits(clump_i4 mask)
{
    unsigned r = 0;
    for (int i = 0; i < 4; i++) r |= (unsigned)(mask.v[i] & 1) << i;
    return r;
}
static inline unsigned clump_i4_some(const clump_i4 mask[4])
{
    unsigned r = 0;
    for (int i = 0; i < 4; i++) r |= (unsigned)(clump_i4_bits(mask[i]) != 0) << i;
    return r;
}
static inline uint32_t clump_i4_count(clump_i4 a, clump_i4 b)
{
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) r += (uint32_t)(a.v[i] & 1) + (uint32_t)(b.v[i] & 1);
    return r;
}
#endif

#endif
