/* SPDX-License-Identifier: BSD-3-Clause
 *
 * border_list.h: the list of all clusters next to border points that are next to several (clump_border_list).
 */
#ifndef CLUMP_CPU_SHARED_BORDER_LIST_H
#define CLUMP_CPU_SHARED_BORDER_LIST_H

#include "common/assert.h"
#include "common/atomics.h"
#include "core/backend.h"

/* Clusters next to one point, at most. Core points of different clusters are more than eps apart, and all are within eps
 * of the point. Thirteen such points do not exist in space: two of them would be closer than 0.96 eps. */
#define CLUMP_BORDER_CLUSTERS 12

/* The clusters next to a border point, in any order, besides the one with the smallest label. */
typedef struct clump_border_others {
    uint32_t label[CLUMP_BORDER_CLUSTERS];
    unsigned count;
} clump_border_others;

/* Returns whether a label is among the others. */
static inline bool clump_border_has(const clump_border_others *o, uint32_t label)
{
    for (unsigned k = 0; k < o->count; k++)
        if (o->label[k] == label) return true;
    return false;
}

/* Adds a label that is not among the others yet. */
static inline void clump_border_add(clump_border_others *o, uint32_t label)
{
    CLUMP_ASSERT(o->count < CLUMP_BORDER_CLUSTERS);
    o->label[o->count++] = label;
}

/* Writes the pairs of a point that has others, for any thread. */
static inline void clump_border_write(clump_border_list *list, size_t point, int32_t smallest,
                                      const clump_border_others *o)
{
    if (o->count == 0) return;
    const size_t at = CLUMP_ADD(&list->count, (size_t)o->count + 1);
    for (unsigned k = 0; k <= o->count && at + k < list->capacity; k++)
        list->pairs[at + k] = (clump_border){(int32_t)point, k == o->count ? smallest : (int32_t)o->label[k]};
}

#endif
