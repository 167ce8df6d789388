/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers that are the same on every machine. A synthetic cloud is named by its parameters and
 * seed, so its bytes must not depend on a C library: only + - * / and sqrt on doubles are used,
 * which IEEE 754 rounds in one way only. cbrt(), sin() and the like differ in their last bit.
 */
#ifndef CLUMP_SIM_EXACT_H
#define CLUMP_SIM_EXACT_H

#include <stddef.h>
#include <stdint.h>

#define EXACT_PI 3.14159265358979323846

/* The step function of splitmix64: every bit of the result depends on every bit of z. */
static inline uint64_t exact_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Number `index` of the sequence of `seed`, uniform in [0, 1) in steps of 2^-53. By index and not
 * by state, so that any point of a cloud can be made alone and in any order. */
static inline double exact_random(uint64_t seed, uint64_t index)
{
    const uint64_t bits = exact_mix(exact_mix(seed) + (index + 1) * 0x9e3779b97f4a7c15u);
    return (double)(bits >> 11) * 0x1p-53;
}

/* Cube root by Newton's method; a is positive. From above it falls until rounding stops it, and
 * where it stops is within an ulp or two and the same everywhere. */
static inline double exact_cbrt(double a)
{
    double x = a < 1 ? 1 : a;
    for (;;) {
        const double next = (2 * x + a / (x * x)) / 3;
        if (!(next < x)) return x;
        x = next;
    }
}

/* The smallest s with s^power >= count: the side of a square or cubic lattice for count things. */
static inline size_t exact_lattice_side(size_t count, int power)
{
    size_t side = 1;
    while ((power == 2 ? side * side : side * side * side) < count) side++;
    return side;
}

#endif
