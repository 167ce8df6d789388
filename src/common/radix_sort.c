/* SPDX-License-Identifier: BSD-3-Clause
 *
 * radix_sort.c: see sort.h. Least significant digits first. In a pass every thread counts the digits of its slice.
 * A prefix sum turns the counts into places: first digit 0 of all slices, then digit 1, and so on. Many threads share it by
 * ranges of digits. Every thread then moves the words of its slice, in order, so the sort is stable.
 */
#include "common/sort.h"

#include "common/assert.h"
#include "common/share.h"

#include <string.h>

#define RADIX_DIGITS ((size_t)1 << CLUMP_RADIX_BITS)
#define RADIX_RANGES 32 /* of digits, that threads turn into places */
#define RADIX_FEW    4  /* threads up to which one turns all counts into places: it has them in its cache soon enough */

static void count_digits(const uint64_t *a, clump_share s, unsigned shift, size_t *count)
{
    memset(count, 0, RADIX_DIGITS * sizeof *count);
    for (size_t i = s.begin; i < s.end; i++) count[a[i] >> shift & (RADIX_DIGITS - 1)]++;
}

static void move_words(const uint64_t *a, uint64_t *b, clump_share s, unsigned shift, size_t *place)
{
    for (size_t i = s.begin; i < s.end; i++) b[place[a[i] >> shift & (RADIX_DIGITS - 1)]++] = a[i];
}

/* Moves by one digit and counts the next digit meanwhile, which saves a pass over the words. */
static void move_and_count(const uint64_t *a, uint64_t *b, size_t n, unsigned shift, size_t *place, size_t *next)
{
    memset(next, 0, RADIX_DIGITS * sizeof *next);
    for (size_t i = 0; i < n; i++) {
        const uint64_t word = a[i];
        b[place[word >> shift & (RADIX_DIGITS - 1)]++] = word;
        next[word >> shift >> CLUMP_RADIX_BITS & (RADIX_DIGITS - 1)]++;
    }
}

/* Turns the counts of all slices into places, for digits begin ... end - 1. The first place is 0. Returns the sum. */
static size_t place_digits(size_t *counters, int slices, size_t begin, size_t end)
{
    size_t sum = 0;
    for (size_t digit = begin; digit < end; digit++) {
        for (int t = 0; t < slices; t++) {
            size_t *const c = &counters[(size_t)t * RADIX_DIGITS + digit];
            const size_t here = *c;
            *c = sum;
            sum += here;
        }
    }
    return sum;
}

/* Sorts with one thread. */
static uint64_t *sort_alone(clump_team *team, uint64_t *a, uint64_t *b, size_t n, unsigned low, unsigned bits,
                            size_t *counters)
{
    size_t *count = counters, *next = counters + RADIX_DIGITS;
    if (bits > 0) count_digits(a, (clump_share){0, n}, low, count);
    for (unsigned done = 0; done < bits; done += CLUMP_RADIX_BITS) {
        if (clump_team_stopped(team)) return NULL;
        place_digits(count, 1, 0, RADIX_DIGITS);
        if (done + CLUMP_RADIX_BITS < bits)
            move_and_count(a, b, n, low + done, count, next);
        else
            move_words(a, b, (clump_share){0, n}, low + done, count);
        size_t *const counted = next;
        next = count, count = counted;
        uint64_t *const swap = a;
        a = b, b = swap;
    }
    return a;
}

/* A pass of several threads: slice t of the words has counters t. */
typedef struct pass {
    const uint64_t *a;
    uint64_t *b;
    size_t n;
    unsigned shift;
    size_t *counters;
    int slices;
    size_t before[RADIX_RANGES]; /* words in each range of digits; then in the ranges before it */
} pass;

static void count_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pass *const p = arg;
    for (size_t t = begin; t < end; t++)
        count_digits(p->a, clump_share_of(p->n, (int)t, p->slices), p->shift, p->counters + t * RADIX_DIGITS);
}

static void place_ranges(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    pass *const p = arg;
    const size_t digits = RADIX_DIGITS / RADIX_RANGES;
    for (size_t r = begin; r < end; r++)
        p->before[r] = place_digits(p->counters, p->slices, r * digits, (r + 1) * digits);
}

static void move_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pass *const p = arg;
    for (size_t t = begin; t < end; t++) {
        size_t *const place = p->counters + t * RADIX_DIGITS;
        for (size_t digit = 0; digit < RADIX_DIGITS; digit++)
            place[digit] += p->before[digit / (RADIX_DIGITS / RADIX_RANGES)];
        move_words(p->a, p->b, clump_share_of(p->n, (int)t, p->slices), p->shift, place);
    }
}

/* Turns the counts of all slices into places, but for the sums of the ranges before. */
static bool place_all(clump_team *team, pass *p, int threads)
{
    if (!clump_team_run(team, threads > RADIX_FEW ? threads : 1, RADIX_RANGES, 1, place_ranges, p)) return false;
    size_t sum = 0;
    for (int r = 0; r < RADIX_RANGES; r++) {
        const size_t here = p->before[r];
        p->before[r] = sum;
        sum += here;
    }
    return true;
}

uint64_t *clump_radix_sort(clump_team *team, uint64_t *a, uint64_t *b, size_t n, unsigned low, unsigned bits,
                           size_t *counters, int threads)
{
    CLUMP_ASSERT(threads >= 1 && low + bits <= 64);
    if (threads == 1) return sort_alone(team, a, b, n, low, bits, counters);
    for (unsigned done = 0; done < bits; done += CLUMP_RADIX_BITS) {
        pass p = {.a = a, .b = b, .n = n, .shift = low + done, .counters = counters, .slices = threads};
        if (!clump_team_run(team, threads, (size_t)threads, 1, count_slices, &p)) return NULL;
        if (!place_all(team, &p, threads)) return NULL;
        if (!clump_team_run(team, threads, (size_t)threads, 1, move_slices, &p)) return NULL;
        uint64_t *const swap = a;
        a = b, b = swap;
    }
    return a;
}

/* ----- few words ---------------------------------------------------------------------------------------------- */

#define RADIX_TINY  24   /* words up to which insertion is faster */
#define RADIX_SMALL 1024 /* words up to which digits of 8 bits are faster: their counters are cleared sooner */

/* Sorts by the bits of a mask. */
static void insert_words(uint64_t *a, size_t n, uint64_t mask)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t word = a[i];
        size_t k = i;
        for (; k > 0 && (a[k - 1] & mask) > (word & mask); k--) a[k] = a[k - 1];
        a[k] = word;
    }
}

uint64_t *clump_radix_sort_alone(uint64_t *a, uint64_t *b, size_t n, unsigned low, unsigned bits)
{
    CLUMP_ASSERT(low + bits <= 64 && n <= UINT32_MAX);
    if (bits == 0) return a;
    if (n <= RADIX_TINY) {
        insert_words(a, n, UINT64_MAX >> (64 - bits) << low);
        return a;
    }
    const unsigned most = n <= RADIX_SMALL ? 8 : CLUMP_RADIX_BITS, passes = (bits + most - 1) / most;
    const unsigned width = (bits + passes - 1) / passes; /* digits of equal size; the last may be shorter */
    uint32_t place[RADIX_DIGITS];
    for (unsigned done = 0; done < bits; done += width) {
        const unsigned shift = low + done;
        const size_t digits = (size_t)1 << (bits - done < width ? bits - done : width);
        memset(place, 0, digits * sizeof *place);
        for (size_t i = 0; i < n; i++) place[a[i] >> shift & (digits - 1)]++;
        uint32_t sum = 0;
        for (size_t digit = 0; digit < digits; digit++) {
            const uint32_t here = place[digit];
            place[digit] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++) b[place[a[i] >> shift & (digits - 1)]++] = a[i];
        uint64_t *const swap = a;
        a = b, b = swap;
    }
    return a;
}
