/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rem.h: Rem's union-find (Dijkstra 1976) with splicing, by any number of threads without a lock. P[i] <= i, a root
 * points to itself. A union climbs from both points at once, always on the side with the larger parent, and on the
 * way hangs what it leaves behind under the other side's smaller parent; a root that is met is hung there too, and
 * then the two are one:
 *
 *        b       z              b       z          goes on with z and ry: z is still to be united
 *        |       |             / \
 *        ry      rx           ry  rx               b < z
 *
 * Until it is done, rx is not in the tree of z. So nobody may ask for roots while unions are being made; only
 * when all are done are the trees the sets. That holds although the parents are read one after the other and may be
 * out of date:
 *
 *   Call u ~ v when u and v have one root in the end. Claim: if P[u] was v at any time, then u ~ v. By induction on
 *   v. If that entry was never replaced it is there in the end. (So it is for v = 0: entries only ever fall.) Else
 *   some union with the pair (u, ry) read b = P[ry] < v and put b in the place of v: u ~ b and ry ~ b by induction.
 *   It went on with the pair (v, ry). For this it read parents a of v and c of ry until they were equal or it could
 *   put the smaller, s, in the place of the larger: both points had s as parent at some time. As it had read b as
 *   parent of ry before, s <= c <= b < v, and by induction v ~ s and ry ~ s. So u ~ b ~ ry ~ s ~ v.
 *   Then also x ~ y for each union of x and y: at its first step both have or had one parent.
 */
#ifndef CLUMP_CPU_DBSCAN_REM_H
#define CLUMP_CPU_DBSCAN_REM_H

#include "common/atomics.h"

#include <stdint.h>

static inline void clump_rem_unite(uint32_t *parent, uint32_t rx, uint32_t ry)
{
    for (;;) {
        uint32_t z = CLUMP_LOAD(&parent[rx]), b = CLUMP_LOAD(&parent[ry]);
        if (z == b) return;
        if (z < b) {
            const uint32_t r = rx, p = z;
            rx = ry, ry = r;
            z = b, b = p;
        }
        uint32_t seen = z;
        if (!CLUMP_SWAP(&parent[rx], &seen, b)) continue; /* another thread was here: look again */
        if (z == rx) return;
        rx = z;
    }
}

#endif
