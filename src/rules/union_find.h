/* SPDX-License-Identifier: BSD-3-Clause
 *
 * union_find.h: lock-free disjoint sets in one array. parent[i] <= i, and a root is its own parent. So the root of a
 * set is its smallest member, for any order of the unions and any number of threads.
 *
 *   find   halves the path. A store may come late, but it writes an ancestor in the same set. A later search may take
 *          more steps; it reaches the same root.
 *   unite  links the larger root to the smaller by compare-and-swap, which succeeds only while the larger is a root.
 *   root   reads only. It is for the phase after all unions, in which one thread per entry replaces the entry by its
 *          root; a late store of find would undo this.
 *
 * All accesses are relaxed atomics. Nothing else is published through the array, and the end of a parallel region
 * orders the phases.
 */
#ifndef CLUMP_RULES_UNION_FIND_H
#define CLUMP_RULES_UNION_FIND_H

#include "rules/distance.h"

#include <stdint.h>

/* Relaxed atomics of both compilers; rules/ may not include common/. */
#if defined(__CUDA_ARCH__)
#define CLUMP_UF_LOAD(p)     (*(const volatile uint32_t *)(p))
#define CLUMP_UF_STORE(p, v) ((void)(*(volatile uint32_t *)(p) = (v)))
#else
#define CLUMP_UF_LOAD(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define CLUMP_UF_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#endif

/* Returns the root of i and halves the path to it. */
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

/* Returns the root of i without writing. */
CLUMP_RULE uint32_t clump_root(const uint32_t *parent, uint32_t i)
{
    for (uint32_t p; (p = CLUMP_UF_LOAD(&parent[i])) != i;) i = p;
    return i;
}

/* Joins the sets of a and b while no other thread uses the array: no compare-and-swap. */
CLUMP_RULE void clump_unite_alone(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = clump_find(parent, a);
    b = clump_find(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Joins the sets of a and b. */
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
