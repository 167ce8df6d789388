/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number.c: see number.h. printf and strtod take about 0.3 us each per attempt at a precision. Here an attempt is one
 * multiplication of integers and one operation of doubles, and both are exact:
 *
 * 1. A double is m x 2^e with an integer m < 2^53. To P digits it is D = m x 2^e x 10^k, rounded to the nearest
 *    integer and at a tie to the even one, as printf does; k is chosen so that 10^(P-1) <= D < 10^P.
 * 2. For 0 <= k <= 27, m x 5^k < 2^53 x 2^63 fits into 128 bits, and 2^(e+k) is a shift: D is exact.
 *    For k < 0, m x 2^e is divided by 10^-k, and the remainder decides the rounding.
 * 3. The text D x 10^-k reads back as one division or multiplication of doubles that rounds once, as strtod does,
 *    provided that D <= 2^53 and |k| <= 22, since then both operands are exact.
 *
 * Numbers outside these bounds go through printf and strtod.
 */
#include "base/number.h"
#include "common/assert.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { NUMBER_MOST_DIGITS = 17, NUMBER_LARGEST_POWER = 22, NUMBER_LARGEST_SCALE = 27 };

static const double powers_of_ten[NUMBER_LARGEST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* 10^n, n <= 18. */
static uint64_t ten_to(int n)
{
    /* clang-format off */
    static const uint64_t table[] = {
        1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u, 10000000000u,
        100000000000u, 1000000000000u, 10000000000000u, 100000000000000u, 1000000000000000u, 10000000000000000u,
        100000000000000000u, 1000000000000000000u};
    /* clang-format on */
    CLUMP_ASSERT(n >= 0 && n <= 18);
    return table[n];
}

/* 5^n, n <= 27. */
static uint64_t five_to(int n)
{
    /* clang-format off */
    static const uint64_t table[] = {
        1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u, 244140625u,
        1220703125u, 6103515625u, 30517578125u, 152587890625u, 762939453125u, 3814697265625u, 19073486328125u,
        95367431640625u, 476837158203125u, 2384185791015625u, 11920928955078125u, 59604644775390625u,
        298023223876953125u, 1490116119384765625u, 7450580596923828125u};
    /* clang-format on */
    CLUMP_ASSERT(n >= 0 && n <= NUMBER_LARGEST_SCALE);
    return table[n];
}

/* A finite double > 0 as mantissa x 2^exponent, and its approximate power of ten. */
typedef struct binary {
    uint64_t mantissa;
    int exponent;
    int magnitude; /* floor(log10(value)), or one less */
} binary;

static binary split(double size)
{
    CLUMP_ASSERT(isfinite(size) && size > 0);
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    const int biased = (int)(bits >> 52);
    const uint64_t fraction = bits & 0xfffffffffffffu;
    binary b = {.mantissa = biased ? fraction | 0x10000000000000u : fraction, .exponent = (biased ? biased : 1) - 1075};
    b.magnitude = ((biased - 1023) * 315653) >> 20; /* times log10(2); exact for all exponents */
    return b;
}

/* Computes mantissa x 2^exponent x 10^scale, rounded. False: 128 bits do not suffice. */
static bool scaled(const binary *b, int scale, uint64_t *rounded)
{
    if (scale > NUMBER_LARGEST_SCALE || scale < -18) return false;
    wide value, half, rest;
    if (scale >= 0) {
        value = (wide)b->mantissa * five_to(scale);
        const int shift = -(b->exponent + scale);
        if (shift > 127 || shift < -10) return false;
        if (shift <= 0) return *rounded = (uint64_t)(value << -shift), true;
        half = (wide)1 << (shift - 1);
        rest = value & (((wide)1 << shift) - 1);
        value >>= shift;
    } else {
        if (b->exponent < -60 || b->exponent > 60) return false;
        const wide divisor = (wide)ten_to(-scale) << (b->exponent < 0 ? -b->exponent : 0);
        const wide whole = (wide)b->mantissa << (b->exponent > 0 ? b->exponent : 0);
        value = whole / divisor;
        rest = whole - value * divisor;
        half = divisor / 2; /* exact: 10^n is even */
    }
    *rounded = (uint64_t)value + (rest > half || (rest == half && (value & 1)));
    return true;
}

/* A number rounded to `places` significant digits: digits x 10^(magnitude - places + 1). */
typedef struct decimal {
    uint64_t digits;
    int places, magnitude;
} decimal;

/* Rounds to `places` digits. False: 128 bits do not suffice. */
static bool round_to(const binary *b, int places, decimal *d)
{
    int magnitude = b->magnitude;
    uint64_t digits;
    if (!scaled(b, places - 1 - magnitude, &digits)) return false;
    if (digits >= ten_to(places) && !scaled(b, places - 1 - ++magnitude, &digits)) return false;
    if (digits < ten_to(places - 1) || digits >= ten_to(places)) return false;
    *d = (decimal){digits, places, magnitude};
    return true;
}

/* Computes the double that strtod reads. False: one operation is not exact enough. */
static bool read_back(const decimal *d, double *value)
{
    const int power = d->magnitude - d->places + 1;
    if (d->digits > (uint64_t)1 << 53 || power < -NUMBER_LARGEST_POWER || power > NUMBER_LARGEST_POWER) return false;
    const double digits = (double)(int64_t)d->digits;
    *value = power < 0 ? digits / powers_of_ten[-power] : digits * powers_of_ten[power];
    return true;
}

/* Writes exactly `places` digits of value. */
static void put_digits(char *to, uint64_t value, int places)
{
    CLUMP_ASSERT(places >= 0);
    static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940"
                                "4142434445464748495051525354555657585960616263646566676869707172737475767778798081"
                                "828384858687888990919293949596979899";
    for (; places >= 2; places -= 2, value /= 100) memcpy(to + places - 2, pairs + 2 * (value % 100), 2);
    if (places) *to = (char)('0' + value % 10);
}

/* Writes the number as %g does: no trailing zeros, and an exponent below 0.0001 or where the integer part has more
 * digits than the precision. Copies have a constant size, which is faster; bytes past the end are not part of the
 * text. */
static char *put_decimal(char *to, const decimal *d)
{
    char digits[2 * NUMBER_MOST_DIGITS] = "";
    put_digits(digits, d->digits, d->places);
    int last = d->places;
    while (last > 1 && digits[last - 1] == '0') last--;
    const bool scientific = d->magnitude < -4 || d->magnitude >= d->places;
    const int point = scientific ? 0 : d->magnitude; /* index of the last digit before the point */
    if (point < 0) {
        memcpy(to, "0.0000", 6);
        memcpy(to + 1 - point, digits, NUMBER_MOST_DIGITS);
        to += 1 - point + last;
    } else {
        memcpy(to, digits, NUMBER_MOST_DIGITS);
        to += point + 1;
        if (last > point + 1) {
            *to = '.';
            memcpy(to + 1, digits + point + 1, NUMBER_MOST_DIGITS);
            to += last - point;
        }
    }
    if (!scientific) return to;
    *to++ = 'e', *to++ = d->magnitude < 0 ? '-' : '+';
    const int power = abs(d->magnitude);
    if (power >= 100) *to++ = (char)('0' + power / 100);
    *to++ = (char)('0' + power / 10 % 10), *to++ = (char)('0' + power % 10);
    return to;
}

/* Writes any number by the rule of number.h, with printf and strtod. */
static char *put_slowly(char *to, double value, int least, bool plain, float local, double origin, bool is_float)
{
    char text[CLI_NUMBER_SIZE] = "";
    for (int places = least; places <= NUMBER_MOST_DIGITS; places++) {
        snprintf(text, sizeof text, "%.*g", places, value);
        if (plain && strchr(text, 'e')) continue;
        const double back = strtod(text, NULL);
        if (is_float ? (float)(back - origin) == local : back == value) break;
    }
    const size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

char *cli_put_int(char *to, int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0) *to++ = '-';
    int places = 1;
    while (places < 19 && size >= ten_to(places)) places++;
    put_digits(to, size, places);
    return to + places;
}

char *cli_put_double(char *to, double value)
{
    if (!isfinite(value)) return to;
    if (value == 0) return *to = '0', to + 1; /* no "-0" */
    const binary b = split(fabs(value));
    for (int places = 15; places <= NUMBER_MOST_DIGITS; places++) {
        decimal d;
        double back;
        if (!round_to(&b, places, &d) || !read_back(&d, &back)) break;
        if (back != fabs(value)) continue;
        if (value < 0) *to++ = '-';
        return put_decimal(to, &d);
    }
    return put_slowly(to, value, 15, false, 0, 0, false);
}

/* Whether `places` digits are certainly too few: the nearest such number is farther from size than tolerance. This is
 * a quick test in doubles; tolerance covers its rounding. If magnitude is one too small, one digit more is tested: its
 * distance exceeds tolerance only if the distance with fewer digits does. */
static bool is_too_short(double size, int magnitude, int places, double tolerance)
{
    const int scale = places - 1 - magnitude;
    if (scale < 0 || scale > NUMBER_LARGEST_POWER) return false;
    const double power = powers_of_ten[scale], t = size * power;
    return t < 0x1p53 && fabs(t - (double)(int64_t)(t + 0.5)) > tolerance * power;
}

char *cli_put_coordinate(char *to, float local, double origin)
{
    const double value = origin + (double)local;
    if (!isfinite(value)) return to;
    if (value == 0) return *to = '0', to + 1;                                 /* no "-0" */
    const bool plain = origin != 0 && fabs(value) >= 1 && fabs(value) < 1e15; /* 4321000, not 4.321e+06 */
    const double size = fabs(value);
    const binary b = split(size);
    /* A float32 is at most 2^-24 of its size (or 2^-150) from what rounds to it; the rest is for rounding of doubles. */
    const double tolerance = fabs((double)local) * 0x1.00001p-24 + 0x1p-149 + (size + fabs(origin)) * 0x1p-49;
    const int least = plain && b.magnitude >= 6 ? b.magnitude + 1 : 6;
    for (int places = least; places <= NUMBER_MOST_DIGITS; places++) {
        decimal d;
        double back;
        if (is_too_short(size, b.magnitude, places, tolerance)) continue;
        if (!round_to(&b, places, &d) || !read_back(&d, &back)) break;
        if (plain && d.magnitude >= places) continue;
        if ((float)((value < 0 ? -back : back) - origin) != local) continue;
        if (value < 0) *to++ = '-';
        return put_decimal(to, &d);
    }
    return put_slowly(to, value, 6, plain, local, origin, true);
}

char *cli_put_float(char *to, float value)
{
    return cli_put_coordinate(to, value, 0);
}

void cli_float_text(char text[CLI_NUMBER_SIZE], float value)
{
    *cli_put_float(text, value) = '\0';
}

void cli_coordinate_text(char text[CLI_NUMBER_SIZE], float local, double origin)
{
    *cli_put_coordinate(text, local, origin) = '\0';
}
