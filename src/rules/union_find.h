/* SPDX-License-Identifier: BSD-3-Clause
 *
 * union_find.h: disjoint sets in one array, without locks. parent[i] <= i; a root points to itself,
 * so the root of a set is its smallest member, whatever the order of the unions and however many
 * threads make them.
 *
 * find halves paths as it goes. A store may come late, but what it writes is an ancestor of the same
 * set, if not always the nearest to the root: searches may take a step more, never a wrong turn.
 * unite hooks the larger root under the smaller by compare-and-swap: it succeeds only while the
 * larger is still a root. root walks without writing, for the phase after all unions in which every
 * entry is replaced by its root by one thread: a late halving there would undo it.
 * All accesses are relaxed atomics: nothing else is published through this array, and between
 * phases the end of the parallel region orders everything.
 */
#ifndef CLUMP_RULES_UNION_FIND_H
#define CLUMP_RULES_UNION_FIND_H

#include "rules/distance.h"

#include <stdint.h>

/* The two compilers' relaxed atomics; this file may not lean on common/. */
#if defined(__CUDA_ARCH__)
#define CLUMP_UF_LOAD(p)     (*(const volatile uint32_t *)(p))
#define CLUMP_UF_STORE(p, v) ((void)(*(volatile uint32_t *)(p) = (v)))
#else
#define CLUMP_UF_LOAD(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define CLUMP_UF_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#endif

CLUMP_RULE uint32_t clump_find(uint32_t *parent, uint32_t i)
{
    uint32_t p = CLUMP_UF_LOAD(&parent[i]);
    while (p != i) {
        const uint32_t grand = CLUMP_UF_LOAD(&parent[p]);
        if (grand == p) return p;
        CLUMP_UF_STORE(&parent[i], grand);
        i = grand;
        p = CLUMP_UF_LOAD(&parent[i]);
    }
    return i;
}

CLUMP_RULE uint32_t clump_root(const uint32_t *parent, uint32_t i)
{
    for (uint32_t p; (p = CLUMP_UF_LOAD(&parent[i])) != i;) i = p;
    return i;
}

/* For a thread that has the array to itself: no compare-and-swap. */
CLUMP_RULE void clump_unite_alone(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = clump_find(parent, a);
    b = clump_find(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

CLUMP_RULE void clump_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    for (;;) {
        a = clump_find(parent, a);
        b = clump_find(parent, b);
        if (a == b) return;
        if (a < b) {
            const uint32_t t = a;
            a = b;
            b = t;
        }
#if defined(__CUDA_ARCH__)
        if (atomicCAS(&parent[a], a, b) == a) return;
#else
        uint32_t expected = a;
        if (__atomic_compare_exchange_n(&parent[a], &expected, b, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
#endif
    }
}

#endif
