/* SPDX-License-Identifier: BSD-3-Clause
 *
 * difference.c: see scene.h. A hash table holds every pair of labels that a point has, with the number of such
 * points. Two sorts of the pairs give the best partner per cluster of either labelling.
 */
#include "viewer/scene/scene.h"

#include "common/assert.h"

#include <clump/clump.h>
#include <stdlib.h>

enum { DIFFERENCE_FIRST_SLOTS = 1024 }; /* a power of two; enough for most scans */

enum { DIFFERENCE_BEST_OF_FIRST = 1, DIFFERENCE_BEST_OF_SECOND = 2, DIFFERENCE_MUTUAL = 3 };

typedef struct label_pair {
    int32_t first, second;
    size_t points; /* 0: an empty slot */
    unsigned best;
} label_pair;

typedef struct pair_table {
    label_pair *slots;
    size_t room, used; /* room is a power of two */
} pair_table;

/* Returns the slot of the pair, or the empty slot where it would be. */
static label_pair *find_pair(const pair_table *table, int32_t first, int32_t second)
{
    CLUMP_ASSERT(table->used < table->room && (table->room & (table->room - 1)) == 0);
    uint64_t mixed = ((uint64_t)(uint32_t)first << 32 | (uint32_t)second) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
    size_t slot = (size_t)(mixed >> 24) & (table->room - 1);
    while (table->slots[slot].points && (table->slots[slot].first != first || table->slots[slot].second != second))
        slot = (slot + 1) & (table->room - 1);
    return &table->slots[slot];
}

static bool double_room(pair_table *table)
{
    pair_table larger = {.room = 2 * table->room, .used = table->used};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < table->room; i++)
        if (table->slots[i].points)
            *find_pair(&larger, table->slots[i].first, table->slots[i].second) = table->slots[i];
    free(table->slots);
    *table = larger;
    return true;
}

static bool count_pairs(pair_table *table, const int32_t *first, const int32_t *second, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i + 1; /* neighbours in a scan often have the same labels */
        while (end < count && first[end] == first[i] && second[end] == second[i]) end++;
        label_pair *pair = find_pair(table, first[i], second[i]);
        if (!pair->points) {
            *pair = (label_pair){.first = first[i], .second = second[i]};
            table->used++;
        }
        pair->points += end - i;
        if (2 * table->used > table->room && !double_room(table)) return false;
        i = end;
    }
    return true;
}

static bool is_cluster(int32_t label)
{
    return label != CLUMP_NOISE && label != CLUMP_GROUND;
}

static int compare_numbers(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

/* Orders by the label of the first labelling; then most points first; then the smaller partner first. */
static int compare_by_first(const void *a, const void *b)
{
    const label_pair *p = *(label_pair *const *)a, *q = *(label_pair *const *)b;
    if (p->first != q->first) return compare_numbers(p->first, q->first);
    if (p->points != q->points) return p->points > q->points ? -1 : 1;
    return compare_numbers(p->second, q->second);
}

static int compare_by_second(const void *a, const void *b)
{
    const label_pair *p = *(label_pair *const *)a, *q = *(label_pair *const *)b;
    if (p->second != q->second) return compare_numbers(p->second, q->second);
    if (p->points != q->points) return p->points > q->points ? -1 : 1;
    return compare_numbers(p->first, q->first);
}

/* Sets label_pair.best of all pairs. */
static bool match_clusters(pair_table *table)
{
    label_pair **sorted = malloc((table->used + 1) * sizeof(label_pair *)); /* + 1: not of size 0 */
    if (!sorted) return false;
    size_t count = 0;
    for (size_t i = 0; i < table->room; i++) {
        label_pair *pair = &table->slots[i];
        if (!pair->points) continue;
        CLUMP_ASSERT(count < table->used);
        if (is_cluster(pair->first) && is_cluster(pair->second))
            sorted[count++] = pair;
        else if (pair->first == pair->second)
            pair->best = DIFFERENCE_MUTUAL;
    }
    qsort(sorted, count, sizeof(label_pair *), compare_by_first);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sorted[i]->first != sorted[i - 1]->first) sorted[i]->best |= DIFFERENCE_BEST_OF_FIRST;
    qsort(sorted, count, sizeof(label_pair *), compare_by_second);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sorted[i]->second != sorted[i - 1]->second) sorted[i]->best |= DIFFERENCE_BEST_OF_SECOND;
    free(sorted);
    return true;
}

/* Makes the table of the pairs with their partners. Release the slots in both cases. */
static bool make_table(pair_table *table, const int32_t *first, const int32_t *second, size_t count)
{
    *table = (pair_table){.room = DIFFERENCE_FIRST_SLOTS};
    table->slots = calloc(table->room, sizeof *table->slots);
    return table->slots && count_pairs(table, first, second, count) && match_clusters(table);
}

bool view_find_differences(const int32_t *first, const int32_t *second, size_t count, uint8_t *differs, size_t *total)
{
    pair_table table;
    const bool enough = make_table(&table, first, second, count);
    *total = 0;
    for (size_t i = 0; enough && i < count; i++) {
        const bool same = i > 0 && first[i] == first[i - 1] && second[i] == second[i - 1];
        differs[i] = same ? differs[i - 1] : find_pair(&table, first[i], second[i])->best != DIFFERENCE_MUTUAL;
        *total += differs[i];
    }
    free(table.slots);
    return enough;
}

bool view_find_partners(const int32_t *first, const int32_t *second, size_t count, int32_t *partners, size_t clusters)
{
    pair_table table;
    const bool enough = make_table(&table, first, second, count);
    for (size_t i = 0; i < clusters; i++) partners[i] = -1;
    for (size_t i = 0; enough && i < table.room; i++) {
        const label_pair *pair = &table.slots[i];
        if (pair->points && pair->best == DIFFERENCE_MUTUAL && pair->second >= 0 && (size_t)pair->second < clusters)
            partners[pair->second] = pair->first;
    }
    free(table.slots);
    return enough;
}
