/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank.c: the number of a rank, found digit by digit: a histogram of the upper 11 bits of all numbers tells the upper bits
 * of the answer, then those numbers alone are counted by their next bits.
 */
#include "rank.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { RANK_BITS = 11, RANK_BINS = 1 << RANK_BITS };

/* Bits that sort as the numbers do. */
static uint32_t key_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float value_of(uint32_t key)
{
    const uint32_t bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool counts(const view_numbers *numbers, size_t i)
{
    const float *const first = numbers->first + i * numbers->step;
    for (size_t k = 0; k < numbers->beside; k++)
        if (!isfinite(first[k])) return false;
    return true;
}

/* Counts the numbers whose bits from `above` on equal those of `prefix`, by their bits from `shift` to `above`. */
static void count_digits(const view_numbers *numbers, uint32_t prefix, unsigned above, unsigned shift,
                         uint32_t bins[RANK_BINS])
{
    const uint32_t mask = (1u << (above - shift)) - 1;
    memset(bins, 0, RANK_BINS * sizeof *bins);
    for (size_t i = 0; i < numbers->count; i++) {
        if (!counts(numbers, i)) continue;
        const uint32_t key = key_of(numbers->values[i * numbers->step]);
        if (above < 32 && (key ^ prefix) >> above) continue;
        bins[key >> shift & mask]++;
    }
}

/* Returns the number of this rank, counted from 0. */
static float number_of_rank(const view_numbers *numbers, size_t rank)
{
    uint32_t bins[RANK_BINS], prefix = 0;
    const unsigned borders[4] = {32, 32 - RANK_BITS, 32 - 2 * RANK_BITS, 0};
    for (int pass = 0; pass < 3; pass++) {
        count_digits(numbers, prefix, borders[pass], borders[pass + 1], bins);
        uint32_t digit = 0;
        while (digit + 1 < RANK_BINS && rank >= bins[digit]) rank -= bins[digit++];
        prefix |= digit << borders[pass + 1];
    }
    return value_of(prefix);
}

bool view_robust_limits(const view_numbers *numbers, float *low, float *high)
{
    size_t finite = 0;
    for (size_t i = 0; i < numbers->count; i++) finite += counts(numbers, i);
    if (!finite) return false;
    const size_t rank = (finite - 1) / 50;
    *low = number_of_rank(numbers, rank);
    *high = number_of_rank(numbers, finite - 1 - rank);
    return true;
}
