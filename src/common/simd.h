/* SPDX-License-Identifier: BSD-3-Clause
 *
 * simd.h: four floats at a time: the few operations the library needs, for NEON, SSE2 and plain C.
 * The plain C version is a product too: CLUMP_NO_SIMD builds it everywhere, and tests run it.
 */
#ifndef CLUMP_COMMON_SIMD_H
#define CLUMP_COMMON_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CLUMP_LANES(type, name, arguments, expression for NEON, for SSE2, for lane i in plain C) defines a function. */
#if !defined(CLUMP_NO_SIMD) && defined(__ARM_NEON)
#define CLUMP_SIMD_NEON
#include <arm_neon.h>
typedef float32x4_t clump_f4;
#define CLUMP_LANES(type, name, arguments, neon, sse, plain)                                                           \
    static inline type name arguments                                                                                  \
    {                                                                                                                  \
        return neon;                                                                                                   \
    }
#elif !defined(CLUMP_NO_SIMD) && defined(__SSE2__)
#define CLUMP_SIMD_SSE
#include <emmintrin.h>
typedef __m128 clump_f4;
#define CLUMP_LANES(type, name, arguments, neon, sse, plain)                                                           \
    static inline type name arguments                                                                                  \
    {                                                                                                                  \
        return sse;                                                                                                    \
    }
#else
typedef struct clump_f4 {
    float v[4];
} clump_f4;
#define CLUMP_LANES(type, name, arguments, neon, sse, plain)                                                           \
    static inline type name arguments                                                                                  \
    {                                                                                                                  \
        type r;                                                                                                        \
        for (int i = 0; i < 4; i++) r.v[i] = (plain);                                                                  \
        return r;                                                                                                      \
    }
#endif

CLUMP_LANES(clump_f4, clump_f4_set, (float x), vdupq_n_f32(x), _mm_set1_ps(x), x)
CLUMP_LANES(clump_f4, clump_f4_load, (const float *p), vld1q_f32(p), _mm_loadu_ps(p), p[i])
CLUMP_LANES(clump_f4, clump_f4_sub, (clump_f4 a, clump_f4 b), vsubq_f32(a, b), _mm_sub_ps(a, b), a.v[i] - b.v[i])
CLUMP_LANES(clump_f4, clump_f4_add, (clump_f4 a, clump_f4 b), vaddq_f32(a, b), _mm_add_ps(a, b), a.v[i] + b.v[i])
CLUMP_LANES(clump_f4, clump_f4_mul, (clump_f4 a, clump_f4 b), vmulq_f32(a, b), _mm_mul_ps(a, b), a.v[i] * b.v[i])
CLUMP_LANES(clump_f4, clump_f4_min, (clump_f4 a, clump_f4 b), vminq_f32(a, b), _mm_min_ps(a, b),
            a.v[i] < b.v[i] ? a.v[i] : b.v[i])
CLUMP_LANES(clump_f4, clump_f4_max, (clump_f4 a, clump_f4 b), vmaxq_f32(a, b), _mm_max_ps(a, b),
            a.v[i] > b.v[i] ? a.v[i] : b.v[i])

/* The lanes a b a b. */
CLUMP_LANES(clump_f4, clump_f4_pair, (float a, float b), vzip1q_f32(vdupq_n_f32(a), vdupq_n_f32(b)),
            _mm_unpacklo_ps(_mm_set1_ps(a), _mm_set1_ps(b)), i % 2 ? b : a)
/* Minima and maxima of what was seen so far and of x. A NaN in x changes nothing; `seen` has none. */
CLUMP_LANES(clump_f4, clump_f4_least, (clump_f4 seen, clump_f4 x), vminnmq_f32(seen, x), _mm_min_ps(x, seen),
            x.v[i] < seen.v[i] ? x.v[i] : seen.v[i])
CLUMP_LANES(clump_f4, clump_f4_most, (clump_f4 seen, clump_f4 x), vmaxnmq_f32(seen, x), _mm_max_ps(x, seen),
            x.v[i] > seen.v[i] ? x.v[i] : seen.v[i])

/* clump_f4_less: bit i of the result is a[i] < b[i]. clump_f4_sum: adds the lanes, in no order that is promised.
 * clump_f4_sum_xyz: (lane 0 + lane 1) + lane 2. clump_f4_load_fours: four points of four floats each, transposed: all x,
 * all y, all z, all fourths. clump_f4_load_points: without the fourths. In SSE2 it has a definition of its own: compilers
 * do not reduce load_fours to the same code. */
#if defined(CLUMP_SIMD_NEON)
static inline bool clump_f4_any_less(clump_f4 a, clump_f4 b)
{
    return vmaxvq_u32(vcltq_f32(a, b)) != 0;
}
static inline unsigned clump_f4_less(clump_f4 a, clump_f4 b)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcltq_f32(a, b), vld1q_u32(bit)));
}
static inline float clump_f4_lowest(clump_f4 a)
{
    return vminvq_f32(a);
}
static inline float clump_f4_highest(clump_f4 a)
{
    return vmaxvq_f32(a);
}
static inline float clump_f4_sum(clump_f4 a)
{
    return vaddvq_f32(a);
}
static inline float clump_f4_sum_xyz(clump_f4 a)
{
    return (vgetq_lane_f32(a, 0) + vgetq_lane_f32(a, 1)) + vgetq_lane_f32(a, 2);
}
static inline void clump_f4_load_fours(const float *p, clump_f4 *x, clump_f4 *y, clump_f4 *z, clump_f4 *w)
{
    /* vld4q_f32() takes as long as 16 loads on a Neoverse-V1 */
    const float32x4_t a = vld1q_f32(p), b = vld1q_f32(p + 4), c = vld1q_f32(p + 8), d = vld1q_f32(p + 12);
    const float32x4_t ac = vzip1q_f32(a, c), bd = vzip1q_f32(b, d), ac2 = vzip2q_f32(a, c), bd2 = vzip2q_f32(b, d);
    *x = vzip1q_f32(ac, bd), *y = vzip2q_f32(ac, bd), *z = vzip1q_f32(ac2, bd2), *w = vzip2q_f32(ac2, bd2);
}

#elif defined(CLUMP_SIMD_SSE)
static inline unsigned clump_f4_less(clump_f4 a, clump_f4 b)
{
    return (unsigned)_mm_movemask_ps(_mm_cmplt_ps(a, b));
}
static inline bool clump_f4_any_less(clump_f4 a, clump_f4 b)
{
    return clump_f4_less(a, b) != 0;
}
static inline float clump_f4_lowest(clump_f4 a)
{
    a = _mm_min_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_min_ss(a, _mm_shuffle_ps(a, a, 1)));
}
static inline float clump_f4_highest(clump_f4 a)
{
    a = _mm_max_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_max_ss(a, _mm_shuffle_ps(a, a, 1)));
}
static inline float clump_f4_sum(clump_f4 a)
{
    a = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_add_ss(a, _mm_shuffle_ps(a, a, 1)));
}
static inline float clump_f4_sum_xyz(clump_f4 a)
{
    const __m128 xy = _mm_add_ss(a, _mm_shuffle_ps(a, a, 1));
    return _mm_cvtss_f32(_mm_add_ss(xy, _mm_movehl_ps(a, a)));
}
static inline void clump_f4_load_fours(const float *p, clump_f4 *x, clump_f4 *y, clump_f4 *z, clump_f4 *w)
{
    const __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8), d = _mm_loadu_ps(p + 12);
    const __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d); /* x x y y */
    const __m128 more_ab = _mm_unpackhi_ps(a, b), more_cd = _mm_unpackhi_ps(c, d);
    *x = _mm_movelh_ps(ab, cd);
    *y = _mm_movehl_ps(cd, ab);
    *z = _mm_movelh_ps(more_ab, more_cd);
    *w = _mm_movehl_ps(more_cd, more_ab);
}

#else
static inline unsigned clump_f4_less(clump_f4 a, clump_f4 b)
{
    unsigned r = 0;
    for (int i = 0; i < 4; i++) r |= (unsigned)(a.v[i] < b.v[i]) << i;
    return r;
}
static inline bool clump_f4_any_less(clump_f4 a, clump_f4 b)
{
    return (a.v[0] < b.v[0]) | (a.v[1] < b.v[1]) | (a.v[2] < b.v[2]) | (a.v[3] < b.v[3]);
}
static inline float clump_f4_lowest(clump_f4 a)
{
    float r = a.v[0];
    for (int i = 1; i < 4; i++) r = a.v[i] < r ? a.v[i] : r;
    return r;
}
static inline float clump_f4_highest(clump_f4 a)
{
    float r = a.v[0];
    for (int i = 1; i < 4; i++) r = a.v[i] > r ? a.v[i] : r;
    return r;
}
static inline float clump_f4_sum(clump_f4 a)
{
    return (a.v[0] + a.v[2]) + (a.v[1] + a.v[3]);
}
static inline float clump_f4_sum_xyz(clump_f4 a)
{
    return (a.v[0] + a.v[1]) + a.v[2];
}
static inline void clump_f4_load_fours(const float *p, clump_f4 *x, clump_f4 *y, clump_f4 *z, clump_f4 *w)
{
    for (int i = 0; i < 4; i++)
        x->v[i] = p[4 * i], y->v[i] = p[4 * i + 1], z->v[i] = p[4 * i + 2], w->v[i] = p[4 * i + 3];
}
#endif

/* Four points of at least three floats, transposed without the fourths. Reads four floats of each. */
static inline void clump_f4_load_each(const float *p0, const float *p1, const float *p2, const float *p3, clump_f4 *x,
                                      clump_f4 *y, clump_f4 *z)
{
#if defined(CLUMP_SIMD_NEON)
    const float32x4_t a = vld1q_f32(p0), b = vld1q_f32(p1), c = vld1q_f32(p2), d = vld1q_f32(p3);
    const float32x4_t ac = vzip1q_f32(a, c), bd = vzip1q_f32(b, d); /* x x y y */
    *x = vzip1q_f32(ac, bd);
    *y = vzip2q_f32(ac, bd);
    *z = vzip1q_f32(vzip2q_f32(a, c), vzip2q_f32(b, d));
#elif defined(CLUMP_SIMD_SSE)
    const __m128 a = _mm_loadu_ps(p0), b = _mm_loadu_ps(p1), c = _mm_loadu_ps(p2), d = _mm_loadu_ps(p3);
    const __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d); /* x x y y */
    *x = _mm_movelh_ps(ab, cd);
    *y = _mm_movehl_ps(cd, ab);
    *z = _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
#else
    const float *const p[4] = {p0, p1, p2, p3};
    for (int i = 0; i < 4; i++) x->v[i] = p[i][0], y->v[i] = p[i][1], z->v[i] = p[i][2];
#endif
}

/* The same for points that are `floats` apart. */
static inline void clump_f4_load_apart(const float *p, size_t floats, clump_f4 *x, clump_f4 *y, clump_f4 *z)
{
    clump_f4_load_each(p, p + floats, p + 2 * floats, p + 3 * floats, x, y, z);
}

static inline void clump_f4_load_points(const float *p, clump_f4 *x, clump_f4 *y, clump_f4 *z)
{
#if defined(CLUMP_SIMD_SSE)
    clump_f4_load_apart(p, 4, x, y, z);
#else
    clump_f4 unused;
    clump_f4_load_fours(p, x, y, z, &unused);
#endif
}

/* The squared distances of four pairs from their differences: the float32 sum of rules/distance.h, rounded in the same
 * order. The one SIMD definition of it: labels depend on every bit. */
static inline clump_f4 clump_f4_distance_squared(clump_f4 dx, clump_f4 dy, clump_f4 dz)
{
    return clump_f4_add(clump_f4_add(clump_f4_mul(dx, dx), clump_f4_mul(dy, dy)), clump_f4_mul(dz, dz));
}

/* An axis through the point o with the direction u, in all lanes. */
typedef struct clump_f4_axis {
    clump_f4 ox, oy, oz, ux, uy, uz;
} clump_f4_axis;

static inline clump_f4_axis clump_f4_axis_set(const float *o, float ux, float uy, float uz)
{
    const clump_f4_axis a = {clump_f4_set(o[0]), clump_f4_set(o[1]), clump_f4_set(o[2]),
                             clump_f4_set(ux),   clump_f4_set(uy),   clump_f4_set(uz)};
    return a;
}

/* The positions along the axis of four points of four floats each. */
static inline clump_f4 clump_f4_project(clump_f4_axis a, const float *p)
{
    clump_f4 x, y, z;
    clump_f4_load_points(p, &x, &y, &z);
    x = clump_f4_mul(clump_f4_sub(x, a.ox), a.ux);
    y = clump_f4_mul(clump_f4_sub(y, a.oy), a.uy);
    z = clump_f4_mul(clump_f4_sub(z, a.oz), a.uz);
    return clump_f4_add(clump_f4_add(x, y), z);
}

#endif
