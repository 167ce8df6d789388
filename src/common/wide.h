/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wide.h: vectors as wide as the compiler's target allows: 16 lanes with AVX-512, 8 with AVX2, otherwise the four of
 * simd.h. The width is a constant of the translation unit. Every operation is rounded per lane as in simd.h, so results
 * are the same bits at every width.
 *
 *     clump_fw     CLUMP_WIDE floats, clump_iw: as many integers, clump_mw: a mask of as many lanes
 *     clump_fe     CLUMP_EIGHT floats: eight lanes where there are that many, for records of eight floats
 */
#ifndef CLUMP_COMMON_WIDE_H
#define CLUMP_COMMON_WIDE_H

#include "common/lanes.h"

#if defined(CLUMP_SIMD_SSE) && defined(__AVX512F__) && defined(__AVX2__)
#define CLUMP_WIDE 16
#elif defined(CLUMP_SIMD_SSE) && defined(__AVX2__)
#define CLUMP_WIDE 8
#else
#define CLUMP_WIDE 4
#endif
#define CLUMP_EIGHT (CLUMP_WIDE < 8 ? 4 : 8)

#if CLUMP_WIDE > 4
#include <immintrin.h>

/* Defines the operations on floats for a vector type and the prefix of its intrinsics. */
#define CLUMP_WIDE_FLOATS(type, mm)                                                                                    \
    static inline type type##_set(float x)                                                                             \
    {                                                                                                                  \
        return mm##_set1_ps(x);                                                                                        \
    }                                                                                                                  \
    static inline type type##_load(const float *p)                                                                     \
    {                                                                                                                  \
        return mm##_loadu_ps(p);                                                                                       \
    }                                                                                                                  \
    static inline void type##_store(float *p, type a)                                                                  \
    {                                                                                                                  \
        mm##_storeu_ps(p, a);                                                                                          \
    }                                                                                                                  \
    static inline type type##_sub(type a, type b)                                                                      \
    {                                                                                                                  \
        return mm##_sub_ps(a, b);                                                                                      \
    }                                                                                                                  \
    static inline type type##_add(type a, type b)                                                                      \
    {                                                                                                                  \
        return mm##_add_ps(a, b);                                                                                      \
    }                                                                                                                  \
    static inline type type##_mul(type a, type b)                                                                      \
    {                                                                                                                  \
        return mm##_mul_ps(a, b);                                                                                      \
    }                                                                                                                  \
    static inline type type##_min(type a, type b)                                                                      \
    {                                                                                                                  \
        return mm##_min_ps(a, b);                                                                                      \
    }                                                                                                                  \
    static inline type type##_max(type a, type b)                                                                      \
    {                                                                                                                  \
        return mm##_max_ps(a, b);                                                                                      \
    }                                                                                                                  \
    /* The sum of rules/distance.h in the same order. */                                                               \
    static inline type type##_distance_squared(type dx, type dy, type dz)                                              \
    {                                                                                                                  \
        return mm##_add_ps(mm##_add_ps(mm##_mul_ps(dx, dx), mm##_mul_ps(dy, dy)), mm##_mul_ps(dz, dz));                \
    }

/* Loads CLUMP_WIDE points of four floats each, transposed as in clump_f4_load_points, per 128 bits: lane i has the
 * point clump_fw_point(i). */
#define CLUMP_WIDE_POINTS(type, mm)                                                                                    \
    static inline void type##_load_points(const float *p, type *x, type *y, type *z)                                   \
    {                                                                                                                  \
        const type a = mm##_loadu_ps(p), b = mm##_loadu_ps(p + CLUMP_WIDE);                                            \
        const type c = mm##_loadu_ps(p + 2 * CLUMP_WIDE), d = mm##_loadu_ps(p + 3 * CLUMP_WIDE);                       \
        const type ab = mm##_unpacklo_ps(a, b), cd = mm##_unpacklo_ps(c, d); /* x x y y */                             \
        *x = mm##_shuffle_ps(ab, cd, 0x44);                                                                            \
        *y = mm##_shuffle_ps(ab, cd, 0xee);                                                                            \
        *z = mm##_shuffle_ps(mm##_unpackhi_ps(a, b), mm##_unpackhi_ps(c, d), 0x44);                                    \
    }

typedef __m256 clump_fe;
CLUMP_WIDE_FLOATS(clump_fe, _mm256)

/* Bit i of the result is a[i] <= b[i]; neither is NaN. */
static inline unsigned clump_fe_within(clump_fe a, clump_fe b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
#endif

/* ----- sixteen lanes -------------------------------------------------------------------------- */

#if CLUMP_WIDE == 16
typedef __m512 clump_fw;
typedef __m512i clump_iw;
typedef __mmask16 clump_mw;
CLUMP_WIDE_FLOATS(clump_fw, _mm512)
CLUMP_WIDE_POINTS(clump_fw, _mm512)

static inline float clump_fw_lowest(clump_fw a)
{
    return _mm512_reduce_min_ps(a);
}
static inline float clump_fw_highest(clump_fw a)
{
    return _mm512_reduce_max_ps(a);
}
static inline clump_iw clump_iw_set(int32_t x)
{
    return _mm512_set1_epi32(x);
}
static inline clump_iw clump_iw_load(const int32_t *p)
{
    return _mm512_loadu_si512(p);
}
static inline void clump_iw_store(int32_t *p, clump_iw a)
{
    _mm512_storeu_si512(p, a);
}
static inline clump_mw clump_fw_is_less(clump_fw a, clump_fw b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
static inline clump_mw clump_fw_is_equal(clump_fw a, clump_fw b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
static inline clump_mw clump_iw_is_less(clump_iw a, clump_iw b)
{
    return _mm512_cmplt_epi32_mask(a, b);
}
static inline clump_mw clump_mw_and(clump_mw a, clump_mw b)
{
    return (clump_mw)(a & b);
}
static inline clump_mw clump_mw_or(clump_mw a, clump_mw b)
{
    return (clump_mw)(a | b);
}
static inline unsigned clump_mw_bits(clump_mw a)
{
    return a;
}
/* a where the mask is set, else b. */
static inline clump_iw clump_iw_choose(clump_mw mask, clump_iw a, clump_iw b)
{
    return _mm512_mask_mov_epi32(b, mask, a);
}
/* The smaller of a and b where the mask is set, else a. */
static inline clump_iw clump_iw_min_where(clump_mw mask, clump_iw a, clump_iw b)
{
    return _mm512_mask_min_epi32(a, mask, a, b);
}

/* ----- eight lanes ---------------------------------------------------------------------------- */

#elif CLUMP_WIDE == 8
typedef __m256 clump_fw;
typedef __m256i clump_iw;
typedef __m256i clump_mw;
CLUMP_WIDE_FLOATS(clump_fw, _mm256)
CLUMP_WIDE_POINTS(clump_fw, _mm256)

static inline float clump_fw_lowest(clump_fw a)
{
    return clump_f4_lowest(_mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)));
}
static inline float clump_fw_highest(clump_fw a)
{
    return clump_f4_highest(_mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)));
}
static inline clump_iw clump_iw_set(int32_t x)
{
    return _mm256_set1_epi32(x);
}
static inline clump_iw clump_iw_load(const int32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
static inline void clump_iw_store(int32_t *p, clump_iw a)
{
    _mm256_storeu_si256((__m256i *)(void *)p, a);
}
static inline clump_mw clump_fw_is_less(clump_fw a, clump_fw b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
static inline clump_mw clump_fw_is_equal(clump_fw a, clump_fw b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_EQ_OQ));
}
static inline clump_mw clump_iw_is_less(clump_iw a, clump_iw b)
{
    return _mm256_cmpgt_epi32(b, a);
}
static inline clump_mw clump_mw_and(clump_mw a, clump_mw b)
{
    return _mm256_and_si256(a, b);
}
static inline clump_mw clump_mw_or(clump_mw a, clump_mw b)
{
    return _mm256_or_si256(a, b);
}
static inline unsigned clump_mw_bits(clump_mw a)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(a));
}
static inline clump_iw clump_iw_choose(clump_mw mask, clump_iw a, clump_iw b)
{
    return _mm256_blendv_epi8(b, a, mask);
}
static inline clump_iw clump_iw_min_where(clump_mw mask, clump_iw a, clump_iw b)
{
    return _mm256_blendv_epi8(a, _mm256_min_epi32(a, b), mask);
}

/* ----- four lanes ----------------------------------------------------------------------------- */

#else
typedef clump_f4 clump_fe, clump_fw;
typedef clump_i4 clump_iw, clump_mw;

#define clump_fe_set              clump_f4_set
#define clump_fe_load             clump_f4_load
#define clump_fe_store            clump_f4_store
#define clump_fe_sub              clump_f4_sub
#define clump_fe_max              clump_f4_max
#define clump_fe_distance_squared clump_f4_distance_squared
#define clump_fw_set              clump_f4_set
#define clump_fw_load             clump_f4_load
#define clump_fw_load_points      clump_f4_load_points
#define clump_fw_store            clump_f4_store
#define clump_fw_sub              clump_f4_sub
#define clump_fw_add              clump_f4_add
#define clump_fw_mul              clump_f4_mul
#define clump_fw_min              clump_f4_min
#define clump_fw_max              clump_f4_max
#define clump_fw_distance_squared clump_f4_distance_squared
#define clump_fw_lowest           clump_f4_lowest
#define clump_fw_highest          clump_f4_highest
#define clump_fw_is_less          clump_f4_is_less
#define clump_fw_is_equal         clump_f4_is_equal
#define clump_iw_set              clump_i4_set
#define clump_iw_load             clump_i4_load
#define clump_iw_store            clump_i4_store
#define clump_iw_is_less          clump_i4_is_less
#define clump_iw_choose           clump_i4_choose
#define clump_mw_and              clump_i4_and
#define clump_mw_or               clump_i4_or
#define clump_mw_bits             clump_i4_bits

static inline unsigned clump_fe_within(clump_fe a, clump_fe b)
{
    return clump_f4_less(b, a) ^ 15u;
}
static inline clump_iw clump_iw_min_where(clump_mw mask, clump_iw a, clump_iw b)
{
    return clump_i4_min(a, clump_i4_choose(mask, b, clump_i4_set(INT32_MAX)));
}
#endif

/* Returns which point lane i of clump_fw_load_points has. */
static inline unsigned clump_fw_point(unsigned i)
{
    return i % 4 * (CLUMP_WIDE / 4) + i / 4;
}

#endif
