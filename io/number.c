/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number.c: the rare cases of number.h: many digits, exponents, nan and inf, and numbers too close to a
 * rounding boundary for the fast path.
 */
#include "number.h"
#include "common/assert.h"

#include <math.h>
#include <stdlib.h>

const double clump_io_powers[45] = {
    1e-22, 1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8,
    1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,   1e2,   1e3,   1e4,   1e5,   1e6,  1e7,
    1e8,   1e9,   1e10,  1e11,  1e12,  1e13,  1e14,  1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21, 1e22,
};

/* Returns the length of the word if p begins with it, ignoring case; else 0. */
static size_t match(const char *p, const char *end, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(end - p) < length) return 0;
    for (size_t i = 0; i < length; i++)
        if ((p[i] | 32) != (word[i] | 32)) return 0;
    return length;
}

/* Reads nan, inf or infinity, and nan(ind), 1.#QNAN, 1.#IND and 1.#INF of Windows programs. */
static bool scan_special(const char *p, const char *end, clump_io_number *number)
{
    size_t length = match(p, end, "infinity");
    if (!length) length = match(p, end, "inf");
    const char *tail = p + length;
    if (!length && (length = match(p, end, "nan"))) {
        tail = p + length;
        if (tail < end && *tail == '(') {
            while (tail < end && *tail != ')' && tail - p < 40) tail++;
            if (tail == end || *tail++ != ')') return false;
        }
    }
    static const char *const windows[] = {"1.#qnan", "1.#snan", "1.#ind", "1.#inf"};
    for (size_t i = 0; i < 4 && !length; i++) {
        length = match(p, end, windows[i]);
        tail = p + length;
        while (length && tail < end && *tail == '0') tail++; /* 1.#INF00 */
    }
    number->special = true;
    number->integer = false;
    number->digits = 0;
    number->exponent = 0;
    number->end = tail;
    return length != 0;
}

/* Reads the number again from its beginning, with all the cases that clump_io_scan() leaves out. */
bool clump_io_scan_rare(const char *p, const char *end, clump_io_number *number)
{
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *first = p;
    int significant = 0, exponent = 0;
    uint64_t digits = 0;
    bool any = false, point = false;
    for (; p < end && p - number->start <= CLUMP_IO_NUMBER_MAX; p++) {
        const unsigned digit = (unsigned)(unsigned char)*p - '0';
        if (digit < 10) {
            any = true;
            if (significant < 18) {
                digits = digits * 10 + digit;
                significant += digits != 0;
                exponent -= point;
            } else {
                number->cut = number->cut || digit != 0;
                exponent += !point;
            }
        } else if (*p == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (!any || (p < end && *p == '#' && p[-1] == '.')) return scan_special(first, end, number);
    if (p < end && (*p | 32) == 'e') {
        const char *q = p + 1;
        const bool negative = q < end && *q == '-';
        if (q < end && (*q == '-' || *q == '+')) q++;
        if (q == end || (unsigned)(unsigned char)*q - '0' > 9) return false;
        int power = 0;
        for (; q < end && (unsigned)(unsigned char)*q - '0' < 10 && q - number->start <= CLUMP_IO_NUMBER_MAX; q++)
            power = power < 100000 ? power * 10 + (*q - '0') : power;
        exponent += negative ? -power : power;
        number->integer = false;
        p = q;
    }
    if (p - number->start > CLUMP_IO_NUMBER_MAX) return false;
    number->integer = number->integer && !point;
    number->digits = digits;
    number->exponent = digits ? exponent : 0;
    number->end = p;
    return true;
}

/* Copies the text and adds a null character. The scan has bounded its length. */
static void copy_text(const clump_io_number *number, char text[CLUMP_IO_NUMBER_MAX + 1])
{
    const size_t length = (size_t)(number->end - number->start);
    CLUMP_ASSERT(length <= CLUMP_IO_NUMBER_MAX);
    memcpy(text, number->start, length);
    text[length] = 0;
}

static double special_value(const clump_io_number *number)
{
    const char *p = number->start + (*number->start == '-' || *number->start == '+');
    const double value = match(p, number->end, "inf") || match(p, number->end, "1.#inf") ? INFINITY : NAN;
    return number->negative ? -value : value;
}

float clump_io_slow_float(const clump_io_number *number)
{
    if (number->special) return (float)special_value(number);
    char text[CLUMP_IO_NUMBER_MAX + 1];
    copy_text(number, text);
    return strtof(text, NULL);
}

double clump_io_slow_double(const clump_io_number *number)
{
    if (number->special) return special_value(number);
    char text[CLUMP_IO_NUMBER_MAX + 1];
    copy_text(number, text);
    return strtod(text, NULL);
}

/* Computes the absolute value of the integer. False: it is no integer, or too large. */
static bool magnitude(const clump_io_number *number, uint64_t *value)
{
    if (number->special) return false;
    uint64_t digits = number->digits;
    if (number->integer && (number->cut || number->exponent)) { /* 19 or 20 digits */
        digits = 0;
        for (const char *p = number->start; p < number->end; p++) {
            if (*p == '-' || *p == '+') continue;
            if (__builtin_mul_overflow(digits, 10u, &digits) ||
                __builtin_add_overflow(digits, (unsigned)(*p - '0'), &digits))
                return false;
        }
    } else {
        if (number->cut || number->exponent > 19) return false;
        for (int e = number->exponent; e < 0; e++) {
            if (digits % 10) return false;
            digits /= 10;
        }
        for (int e = number->exponent; e > 0; e--)
            if (__builtin_mul_overflow(digits, 10u, &digits)) return false;
    }
    *value = digits;
    return true;
}

bool clump_io_to_unsigned(const clump_io_number *number, uint64_t highest, uint64_t *value)
{
    return magnitude(number, value) && *value <= highest && (!number->negative || *value == 0);
}

bool clump_io_to_signed(const clump_io_number *number, int64_t lowest, int64_t highest, int64_t *value)
{
    uint64_t size;
    if (!magnitude(number, &size)) return false;
    if (number->negative) {
        if (size > (uint64_t)INT64_MAX + 1) return false;
        *value = size ? -(int64_t)(size - 1) - 1 : 0;
    } else {
        if (size > INT64_MAX) return false;
        *value = (int64_t)size;
    }
    return *value >= lowest && *value <= highest;
}

static bool store_integer(const clump_io_number *number, clump_type type, void *out)
{
    static const int64_t lowest[] = {INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0, INT64_MIN, 0};
    static const uint64_t highest[] = {INT8_MAX,  UINT8_MAX,  INT16_MAX, UINT16_MAX,
                                       INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    CLUMP_ASSERT((unsigned)type < sizeof lowest / sizeof lowest[0]);
    int64_t value = 0;
    uint64_t bits;
    if (lowest[type]) {
        if (!clump_io_to_signed(number, lowest[type], (int64_t)highest[type], &value)) return false;
        bits = (uint64_t)value;
    } else if (!clump_io_to_unsigned(number, highest[type], &bits)) {
        return false;
    }
    memcpy(out, &bits, clump_type_size(type)); /* little-endian: the low bytes come first */
    return true;
}

bool clump_io_store(const clump_io_number *number, clump_type type, void *out)
{
    if (type == CLUMP_TYPE_F32) {
        const float value = clump_io_to_float(number);
        memcpy(out, &value, sizeof value);
        return true;
    }
    if (type == CLUMP_TYPE_F64) {
        const double value = clump_io_to_double(number);
        memcpy(out, &value, sizeof value);
        return true;
    }
    return store_integer(number, type, out);
}
