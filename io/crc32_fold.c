/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32_fold.c: CRC-32 with the carry-less multiplication of x86, after V. Gopal et al., "Fast CRC Computation for
 * Generic Polynomials Using PCLMULQDQ Instruction", Intel, 2009.
 *
 * Bytes are a polynomial over GF(2), and a CRC is its remainder modulo P. Sixteen bytes that stand n bits before others
 * are worth their product with x^n. x^n modulo P has 32 bits, so the product fits into 16 bytes again, and is added
 * there. Four sums run side by side, because a multiplication takes several cycles. Processors with AVX-512 have four
 * multiplications in one: sums of 64 bytes.
 */
#include "crc32.h"

#if defined(__x86_64__) && defined(CLUMP_IO_CPU_SUPPORTS) /* io/CMakeLists.txt */
#include <immintrin.h>

/* x^(n + 32) and x^(n - 32) modulo P, reflected, for the lower and the upper 8 bytes of 16 that move by n bits. */
#define FOLD_512_LOW  0x154442bd4
#define FOLD_512_HIGH 0x1c6e41596
#define FOLD_128_LOW  0x1751997d0
#define FOLD_128_HIGH 0x0ccaa009e

#define FOLD_2048_LOW  0x11542778a
#define FOLD_2048_HIGH 0x1322d1430

#define FOLD_TARGET      __attribute__((target("sse4.1,pclmul")))
#define FOLD_WIDE_TARGET __attribute__((target("avx512f,pclmul,vpclmulqdq")))

FOLD_TARGET static inline __m128i fold_into(__m128i from, __m128i factors, __m128i to)
{
    const __m128i low = _mm_clmulepi64_si128(from, factors, 0x00), high = _mm_clmulepi64_si128(from, factors, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), to);
}

FOLD_TARGET static size_t fold(uint32_t state, const unsigned char *bytes, size_t size, unsigned char folded[16])
{
    const __m128i by_512 = _mm_set_epi64x(FOLD_512_HIGH, FOLD_512_LOW);
    const __m128i by_128 = _mm_set_epi64x(FOLD_128_HIGH, FOLD_128_LOW);
    const __m128i *at = (const __m128i *)(const void *)bytes;
    const size_t rounds = size / 64;
    __m128i sum[4];
    for (int i = 0; i < 4; i++) sum[i] = _mm_loadu_si128(at + i);
    sum[0] = _mm_xor_si128(sum[0], _mm_cvtsi32_si128((int)state));
    for (size_t round = 1; round < rounds; round++) {
        at += 4;
        for (int i = 0; i < 4; i++) sum[i] = fold_into(sum[i], by_512, _mm_loadu_si128(at + i));
    }
    for (int i = 1; i < 4; i++) sum[i] = fold_into(sum[i - 1], by_128, sum[i]);
    _mm_storeu_si128((__m128i *)(void *)folded, sum[3]);
    return rounds * 64;
}

FOLD_WIDE_TARGET static inline __m512i fold_wide_into(__m512i from, __m512i factors, __m512i to)
{
    const __m512i low = _mm512_clmulepi64_epi128(from, factors, 0x00),
                  high = _mm512_clmulepi64_epi128(from, factors, 0x11);
    return _mm512_xor_si512(_mm512_xor_si512(low, high), to);
}

/* As fold(), for 256 bytes or more. */
FOLD_WIDE_TARGET static size_t fold_wide(uint32_t state, const unsigned char *bytes, size_t size,
                                         unsigned char folded[16])
{
    const __m512i by_2048 = _mm512_broadcast_i32x4(_mm_set_epi64x(FOLD_2048_HIGH, FOLD_2048_LOW));
    const __m512i by_512 = _mm512_broadcast_i32x4(_mm_set_epi64x(FOLD_512_HIGH, FOLD_512_LOW));
    const __m128i by_128 = _mm_set_epi64x(FOLD_128_HIGH, FOLD_128_LOW);
    const size_t rounds = size / 256;
    __m512i sum[4];
    for (int i = 0; i < 4; i++) sum[i] = _mm512_loadu_si512(bytes + 64 * i);
    sum[0] = _mm512_xor_si512(sum[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)state)));
    for (size_t round = 1; round < rounds; round++) {
        bytes += 256;
        for (int i = 0; i < 4; i++) sum[i] = fold_wide_into(sum[i], by_2048, _mm512_loadu_si512(bytes + 64 * i));
    }
    for (int i = 1; i < 4; i++) sum[i] = fold_wide_into(sum[i - 1], by_512, sum[i]);
    __m128i last[4];
    _mm512_storeu_si512(last, sum[3]);
    for (int i = 1; i < 4; i++) {
        const __m128i low = _mm_clmulepi64_si128(last[i - 1], by_128, 0x00);
        const __m128i high = _mm_clmulepi64_si128(last[i - 1], by_128, 0x11);
        last[i] = _mm_xor_si128(_mm_xor_si128(low, high), last[i]);
    }
    _mm_storeu_si128((__m128i *)(void *)folded, last[3]);
    return rounds * 256;
}

size_t clump_io_crc32_fold(uint32_t state, const unsigned char *bytes, size_t size, unsigned char folded[16])
{
    if (size >= 256 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq"))
        return fold_wide(state, bytes, size, folded);
    if (size < 64 || !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("sse4.1")) return 0;
    return fold(state, bytes, size, folded);
}

#else

size_t clump_io_crc32_fold(uint32_t state, const unsigned char *bytes, size_t size, unsigned char folded[16])
{
    (void)state, (void)bytes, (void)size, (void)folded;
    return 0;
}

#endif
