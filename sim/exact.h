/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exact.h: numbers that are equal on every machine. A synthetic cloud is identified by its parameters and seed, so its
 * bytes must not depend on the C library. Only + - * / and sqrt of doubles are used: IEEE 754 defines their rounding.
 * cbrt(), sin() and others differ in the last bit between libraries.
 */
#ifndef CLUMP_SIM_EXACT_H
#define CLUMP_SIM_EXACT_H

#include <stddef.h>
#include <stdint.h>

#define EXACT_PI 3.14159265358979323846

/* Returns z mixed by the step function of splitmix64: every bit of the result depends on every bit of z. */
static inline uint64_t exact_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Returns number `index` of the sequence of `seed`, uniform in [0, 1) in steps of 2^-53. There is no state, so the
 * points of a cloud can be generated in any order. */
static inline double exact_random(uint64_t seed, uint64_t index)
{
    const uint64_t bits = exact_mix(exact_mix(seed) + (index + 1) * 0x9e3779b97f4a7c15u);
    return (double)(bits >> 11) * 0x1p-53;
}

/* Returns the cube root of a > 0 by Newton's method. The iteration falls from above until rounding stops it. The
 * result is within two ulps and equal on every machine. */
static inline double exact_cbrt(double a)
{
    double x = a < 1 ? 1 : a;
    for (;;) {
        const double next = (2 * x + a / (x * x)) / 3;
        if (!(next < x)) return x;
        x = next;
    }
}

/* Returns the smallest s with s^power >= count: the side of a square or cubic lattice with room for `count` items. */
static inline size_t exact_lattice_side(size_t count, int power)
{
    size_t side = 1;
    while ((power == 2 ? side * side : side * side * side) < count) side++;
    return side;
}

#endif
