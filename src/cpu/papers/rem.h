/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rem.h: Rem's union-find (Dijkstra 1976) with splicing, lock-free for any number of threads. P[i] <= i, and a root
 * points to itself. A union climbs from both points at once, always on the side with the larger parent. On the way it
 * links the point it leaves to the smaller parent of the other side. A root is linked there too, and the union ends:
 *
 *        b       z              b       z          continues with z and ry: z is still to be united
 *        |       |             / \
 *        ry      rx           ry  rx               b < z
 *
 * Until the union ends, rx is not in the tree of z. So roots must not be read while unions are running. When all have
 * ended, the trees are the sets, although the parents are read one after the other and may be out of date:
 *
 *   Call u ~ v when u and v have one root in the end. Claim: if P[u] was v at any time, then u ~ v. Induction on v:
 *   1. If the entry v was never replaced, it is there in the end. This covers v = 0: entries only ever fall.
 *   2. Else some union with the pair (u, ry) read b = P[ry] < v and replaced v by b: u ~ b and ry ~ b by induction.
 *   3. That union continued with the pair (v, ry). It read parents a of v and c of ry until they were equal or it could
 *      replace the larger by the smaller, s. So both v and ry had s as parent at some time.
 *   4. It had read b as parent of ry before, so s <= c <= b < v, and by induction v ~ s and ry ~ s. So u ~ b ~ ry ~ s ~ v.
 *   Then x ~ y for each union of x and y: at its first step both have or had one parent.
 */
#ifndef CLUMP_CPU_PAPERS_REM_H
#define CLUMP_CPU_PAPERS_REM_H

#include "common/atomics.h"

#include <stdint.h>

/* Unites the sets of two points. */
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
        if (!CLUMP_SWAP(&parent[rx], &seen, b)) continue; /* another thread changed the entry: read again */
        if (z == rx) return;
        rx = z;
    }
}

#endif
