/* SPDX-License-Identifier: BSD-3-Clause
 *
 * radix_sort.c: see radix_sort.h. Least significant digits first. In a pass every thread counts the
 * digits of its share, the counts become places (first all shares of digit 0, then of digit 1 ...),
 * and every thread deals its share out, in order, so equal words keep theirs.
 */
#include "common/radix_sort.h"

#include "common/share.h"

#include <string.h>

#define DIGITS ((size_t)1 << CLUMP_RADIX_BITS)

static void count_digits(const uint64_t *a, clump_share s, unsigned shift, size_t *count)
{
    memset(count, 0, DIGITS * sizeof *count);
    for (size_t i = s.begin; i < s.end; i++) count[a[i] >> shift & (DIGITS - 1)]++;
}

static void deal_out(const uint64_t *a, uint64_t *b, clump_share s, unsigned shift, size_t *place)
{
    for (size_t i = s.begin; i < s.end; i++) b[place[a[i] >> shift & (DIGITS - 1)]++] = a[i];
}

/* Deals out by one digit and counts the next one meanwhile, which saves a pass over the words. */
static void deal_and_count(const uint64_t *a, uint64_t *b, size_t n, unsigned shift, size_t *place, size_t *next)
{
    memset(next, 0, DIGITS * sizeof *next);
    for (size_t i = 0; i < n; i++) {
        const uint64_t word = a[i];
        b[place[word >> shift & (DIGITS - 1)]++] = word;
        next[word >> shift >> CLUMP_RADIX_BITS & (DIGITS - 1)]++;
    }
}

static uint64_t *sort_alone(clump_team *team, uint64_t *a, uint64_t *b, size_t n, unsigned low, unsigned bits,
                            size_t *counters)
{
    size_t *count = counters, *next = counters + DIGITS;
    if (bits > 0) count_digits(a, (clump_share){0, n}, low, count);
    for (unsigned done = 0; done < bits; done += CLUMP_RADIX_BITS) {
        if (clump_team_stopped(team)) return NULL;
        size_t sum = 0;
        for (size_t digit = 0; digit < DIGITS; digit++) {
            const size_t here = count[digit];
            count[digit] = sum;
            sum += here;
        }
        if (done + CLUMP_RADIX_BITS < bits)
            deal_and_count(a, b, n, low + done, count, next);
        else
            deal_out(a, b, (clump_share){0, n}, low + done, count);
        size_t *const counted = next;
        next = count, count = counted;
        uint64_t *const swap = a;
        a = b, b = swap;
    }
    return a;
}

/* A pass of several threads: share t of the words has counters t. */
typedef struct pass {
    const uint64_t *a;
    uint64_t *b;
    size_t n;
    unsigned shift;
    size_t *counters;
    int shares;
} pass;

static void count_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pass *const p = arg;
    for (size_t t = begin; t < end; t++)
        count_digits(p->a, clump_share_of(p->n, (int)t, p->shares), p->shift, p->counters + t * DIGITS);
}

static void deal_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const pass *const p = arg;
    for (size_t t = begin; t < end; t++)
        deal_out(p->a, p->b, clump_share_of(p->n, (int)t, p->shares), p->shift, p->counters + t * DIGITS);
}

/* Counts become places. */
static void place_digits(size_t *counters, int shares)
{
    size_t sum = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        for (int t = 0; t < shares; t++) {
            size_t *const c = &counters[(size_t)t * DIGITS + digit];
            const size_t here = *c;
            *c = sum;
            sum += here;
        }
    }
}

uint64_t *clump_radix_sort(clump_team *team, uint64_t *a, uint64_t *b, size_t n, unsigned low, unsigned bits,
                           size_t *counters, int threads)
{
    if (threads == 1) return sort_alone(team, a, b, n, low, bits, counters);
    const size_t shares = (size_t)threads;
    for (unsigned done = 0; done < bits; done += CLUMP_RADIX_BITS) {
        pass p = {a, b, n, low + done, counters, threads};
        if (!clump_team_run(team, threads, shares, 1, count_shares, &p)) return NULL;
        place_digits(counters, threads);
        if (!clump_team_run(team, threads, shares, 1, deal_shares, &p)) return NULL;
        uint64_t *const swap = a;
        a = b;
        b = swap;
    }
    return a;
}
