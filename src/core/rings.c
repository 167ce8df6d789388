/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.c: see rings.h.
 */
#include "core/rings.h"

#include "core/work.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    RINGS_POINTS = 16, /* per peak, on average; so few random points are no rings */
    RINGS_STRAY = 20,  /* one of so many points may be outside the peaks */
    /* The strict test. Nine real scans that pass it have at most one of 10,000 points outside of peaks. */
    RINGS_STRICT_STRAY = 100,
    RINGS_STRICT_MOST = 128 /* rings; rotating sensors have no more, several turns of one can seem to have more */
};

/* Bins from ... to - 1. */
typedef struct peak {
    int from, to;
} peak;

/* Lists the peaks and counts their points. Returns their number; more than CLUMP_RINGS_MOST_PEAKS where there are more. */
static int find_peaks(const uint32_t *points, uint64_t total, peak *peaks, uint64_t *inside)
{
    const uint64_t few = total / CLUMP_RINGS_BINS; /* a bin with as many is not filled */
    int count = 0;
    bool open = false;
    for (int b = 0; b < CLUMP_RINGS_BINS; b++) {
        const bool filled = points[b] > few;
        if (filled && !open && count == CLUMP_RINGS_MOST_PEAKS) return count + 1;
        if (filled && !open) peaks[count++].from = b;
        if (filled) {
            peaks[count - 1].to = b + 1;
            *inside += points[b];
        }
        open = filled;
    }
    return count;
}

/* Returns whether the gap between two peaks is at least `times` as wide as both. */
static bool are_apart(peak a, peak b, int times)
{
    const int gap = b.from - a.to;
    return gap >= times * (a.to - a.from) && gap >= times * (b.to - b.from);
}

int clump_rings_of_angles(const uint32_t *points, bool strict, uint16_t *ring)
{
    peak peaks[CLUMP_RINGS_MOST_PEAKS];
    uint64_t total = 0, inside = 0;
    for (int b = 0; b < CLUMP_RINGS_BINS; b++) total += points[b];
    const int count = find_peaks(points, total, peaks, &inside);
    if (count < CLUMP_RINGS_LEAST || count > (strict ? RINGS_STRICT_MOST : CLUMP_RINGS_MOST_PEAKS)) return 0;
    if (total < (uint64_t)count * RINGS_POINTS || total - inside > total / (strict ? RINGS_STRICT_STRAY : RINGS_STRAY))
        return 0;
    for (int k = 1; k < count; k++)
        if (!are_apart(peaks[k - 1], peaks[k], strict ? 4 : 2)) return 0;
    for (int b = 0, k = 0; b < CLUMP_RINGS_BINS; b++) {
        if (k + 1 < count && peaks[k + 1].from - b <= b - (peaks[k].to - 1)) k++;
        ring[b] = (uint16_t)k;
    }
    return count;
}

clump_status clump_rings_unknown(clump_work *work)
{
    return clump_fail(
        work, CLUMP_ERR_ARGUMENT,
        "%s: the rings of the cloud are not known: its points are neither in the order of the rings nor at "
        "few vertical angles; give rings, or use exact neighbours",
        work->call);
}
