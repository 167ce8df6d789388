/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank.c: the number of a rank, found digit by digit. A histogram of the upper 11 bits of all numbers tells the upper bits of
 * the answer; those numbers alone are counted by their next bits. All answers are found in the same three passes.
 */
#include "viewer/scene/scene.h"

#include "common/assert.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { RANK_BITS = 11, RANK_BINS = 1 << RANK_BITS, RANK_WIDTH = 3 };

/* One answer that is searched for. */
typedef struct search {
    size_t rank;     /* among the numbers with this prefix */
    uint32_t prefix; /* upper bits of the answer */
    uint32_t bins[RANK_BINS];
} search;

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

static bool all_finite(const float *record, size_t width)
{
    bool finite = true;
    for (size_t k = 0; k < width; k++) finite &= isfinite(record[k]) != 0;
    return finite;
}

/* Counts the keys whose bits from `above` on are those of the prefix, by their bits from `shift` to `above`. */
static void count_digits(const view_numbers *numbers, search found[][2], unsigned above, unsigned shift)
{
    CLUMP_ASSERT(shift < above && above <= 32);
    const uint32_t mask = (1u << (above - shift)) - 1, outside = above < 32 ? ~0u << above : 0;
    for (size_t k = 0; k < numbers->width; k++)
        for (int end = 0; end < 2; end++) memset(found[k][end].bins, 0, sizeof found[k][end].bins);
    for (size_t i = 0; i < numbers->count; i++) {
        const float *const record = numbers->first + i * numbers->step;
        if (!all_finite(record, numbers->width)) continue;
        for (size_t k = 0; k < numbers->width; k++) {
            const uint32_t key = key_of(record[k]);
            for (int end = 0; end < 2; end++)
                if (!((key ^ found[k][end].prefix) & outside)) found[k][end].bins[key >> shift & mask]++;
        }
    }
}

/* Moves one digit further: finds the bin that the rank is in. */
static void take_digit(search *found, unsigned shift)
{
    CLUMP_ASSERT(shift < 32);
    uint32_t digit = 0;
    while (digit + 1 < RANK_BINS && found->rank >= found->bins[digit]) found->rank -= found->bins[digit++];
    found->prefix |= digit << shift;
}

bool view_robust_limits(const view_numbers *numbers, float *low, float *high)
{
    search found[RANK_WIDTH][2];
    size_t finite = 0;
    for (size_t i = 0; i < numbers->count; i++)
        finite += all_finite(numbers->first + i * numbers->step, numbers->width);
    if (!finite) return false;
    const size_t rank = (finite - 1) / 50;
    for (size_t k = 0; k < numbers->width; k++) {
        found[k][0].prefix = found[k][1].prefix = 0;
        found[k][0].rank = rank, found[k][1].rank = finite - 1 - rank;
    }
    const unsigned borders[4] = {32, 32 - RANK_BITS, 32 - 2 * RANK_BITS, 0};
    for (int pass = 0; pass < 3; pass++) {
        count_digits(numbers, found, borders[pass], borders[pass + 1]);
        for (size_t k = 0; k < numbers->width; k++)
            for (int end = 0; end < 2; end++) take_digit(&found[k][end], borders[pass + 1]);
    }
    for (size_t k = 0; k < numbers->width; k++)
        low[k] = value_of(found[k][0].prefix), high[k] = value_of(found[k][1].prefix);
    return true;
}

int view_compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    CLUMP_ASSERT(!isnan(x) && !isnan(y));
    return (x > y) - (x < y);
}
