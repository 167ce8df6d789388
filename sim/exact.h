/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exact.h: numbers that are equal on every machine. A synthetic cloud is identified by its parameters and seed, so its
 * bytes must not depend on the C library. Only + - * /, sqrt and floor of doubles are used: IEEE 754 defines
 * their rounding.
 * cbrt(), sin() and others differ in the last bit between libraries.
 */
#ifndef CLUMP_SIM_EXACT_H
#define CLUMP_SIM_EXACT_H

#include <math.h>
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

/* Computes cosine and sine of an angle in turns (1 is 360 degrees), |turns| < 2^40. The angle is reduced to an eighth of
 * a turn on either side of a quarter. There the Taylor series are exact to the last bit or two. */
static inline void exact_direction(double turns, double *cosine, double *sine)
{
    const double quarters = floor(4 * turns + 0.5);
    const double a = (turns - quarters / 4) * (2 * EXACT_PI), aa = a * a;
    double s = 1, c = 1;
    for (int k = 8; k >= 1; k--) {
        s = 1 - s * aa / (2 * k * (2 * k + 1));
        c = 1 - c * aa / (2 * k * (2 * k - 1));
    }
    s *= a;
    const int quarter = (int)(quarters - 4 * floor(quarters / 4));
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* Returns the smallest s with s^power >= count: the side of a square or cubic lattice with room for `count` items. */
static inline size_t exact_lattice_side(size_t count, int power)
{
    size_t side = 1;
    while ((power == 2 ? side * side : side * side * side) < count) side++;
    return side;
}

#endif
