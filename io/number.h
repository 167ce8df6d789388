/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number.h: decimal text to numbers, rounded correctly and fast.
 *
 *     -12.345e1   ->   negative, digits 12345, exponent -2        value = digits x 10^exponent
 *
 * One scan finds these three; what follows depends on the type wanted.
 *
 * float32: digits (< 10^18) times a double power of ten, |exponent| <= 22.
 * 1. Digits, power and product are each off by at most half an ulp, and digits cut after 18 places by far
 *    less. So the product is within 3 ulp of the exact value.
 * 2. Rounding it to float32 is correct unless a midpoint of two floats lies within these 3 ulp.
 * 3. Midpoints have 1000... as their last 29 bits, so one comparison decides.
 * About one number in 60 million takes the slow path.
 *
 * float64: exact when digits <= 2^53 and |exponent| <= 22, since then both operands are exact
 * doubles and one operation rounds once.
 *
 * The slow path is strtof or strtod, on a copy, since the bytes of a file are not null-terminated. They
 * use the thread's locale, which load.c has set to "C".
 */
#ifndef CLUMP_IO_NUMBER_H
#define CLUMP_IO_NUMBER_H

#include "format.h"
#include "common/assert.h"

#include <stdint.h>
#include <string.h>

typedef struct clump_io_number {
    const char *start, *end; /* the text */
    uint64_t digits;
    int exponent;
    bool negative;
    bool integer; /* written without point and exponent */
    bool cut;     /* had more than 18 digits; digits holds the first ones */
    bool special; /* nan or infinity */
} clump_io_number;

/* 10^-22 ... 10^22; the powers from 10^0 on are exact. */
extern const double clump_io_powers[45];
#define CLUMP_IO_POWER(exponent) clump_io_powers[(exponent) + 22]

/* Longer text is not taken for a number. */
#define CLUMP_IO_NUMBER_MAX 1000

bool clump_io_scan_rare(const char *p, const char *end, clump_io_number *number);
float clump_io_slow_float(const clump_io_number *number);
double clump_io_slow_double(const clump_io_number *number);

/* Convert to an integer within [lowest, highest]; 5.0 and 5e3 are integers. False: it is none. */
bool clump_io_to_signed(const clump_io_number *number, int64_t lowest, int64_t highest, int64_t *value);
bool clump_io_to_unsigned(const clump_io_number *number, uint64_t highest, uint64_t *value);

/* Stores the number as an element of that type; false: it does not fit. */
bool clump_io_store(const clump_io_number *number, clump_type type, void *out);

/* Whether the character separates the words of a line. A newline does not. */
static inline bool clump_io_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Reads the number that begins at p. False: there is none. The caller checks what follows number->end. */
static inline bool clump_io_scan(const char *p, const char *end, clump_io_number *number)
{
    number->start = p;
    number->negative = p < end && *p == '-';
    number->special = number->cut = false;
    if (p < end && (*p == '-' || *p == '+')) p++;

    uint64_t digits = 0; /* wraps when there are too many; scan_rare then starts again */
    unsigned digit;
    const char *first = p;
    while (p < end && (digit = (unsigned)(unsigned char)*p - '0') < 10) digits = digits * 10 + digit, p++;
    ptrdiff_t length = p - first, fraction = 0;
    if (p < end && *p == '.') {
        const char *point = ++p;
        while (p < end && (digit = (unsigned)(unsigned char)*p - '0') < 10) digits = digits * 10 + digit, p++;
        fraction = p - point;
        length += fraction;
    }
    number->integer = p == first + length;
    if (length == 0 || length > 18 || (p < end && ((*p | 32) == 'e' || *p == '#')))
        return clump_io_scan_rare(number->start, end, number);
    number->digits = digits;
    number->exponent = -(int)fraction;
    number->end = p;
    return true;
}

/* Computes the float32. False: too close to a midpoint. Requires digits < 10^18 and |exponent| <= 22. */
static inline bool clump_io_fast_float(uint64_t digits, int exponent, float *value)
{
    CLUMP_ASSERT(digits < 1000000000000000000u && exponent >= -22 && exponent <= 22);
    const double product = (double)(int64_t)digits * CLUMP_IO_POWER(exponent);
    uint64_t bits;
    memcpy(&bits, &product, sizeof bits);
    *value = (float)product;
    return (bits & 0x1fffffff) - 0x0ffffffc > 8;
}

static inline float clump_io_to_float(const clump_io_number *number)
{
    float value;
    if (number->special || number->exponent < -22 || number->exponent > 22 ||
        !clump_io_fast_float(number->digits, number->exponent, &value))
        return clump_io_slow_float(number);
    return number->negative ? -value : value;
}

static inline double clump_io_to_double(const clump_io_number *number)
{
    if (number->special || number->cut || number->digits > (1ull << 53) || number->exponent < -22 ||
        number->exponent > 22)
        return clump_io_slow_double(number);
    const double digits = (double)(int64_t)number->digits;
    const double value =
        number->exponent < 0 ? digits / CLUMP_IO_POWER(-number->exponent) : digits * CLUMP_IO_POWER(number->exponent);
    return number->negative ? -value : value;
}

/* --- dates in file names, lists of times and packets ------------------------------------------------ */

/* Returns the days from 1970-01-01 to a date of the Gregorian calendar, year 0 or later. Years begin in March here, so
 * that the leap day is the last of its year. */
static inline int64_t clump_io_days_since_1970(int64_t year, int64_t month, int64_t day)
{
    const int64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

#endif
