/* SPDX-License-Identifier: BSD-3-Clause
 *
 * merge.c: from clusters of tiles to clusters of the survey. Memory is that of one tile and of the clusters that cross.
 * Rank 0 has those of all ranks.
 *
 *     1  links     points in the rim of one tile are own points of another: their clusters in both tiles are one
 *     2  firsts    the smallest index of a core point, per cluster that crosses; its group
 *     3  sizes     the sum over the tiles. A choice takes its cluster with the smallest first point
 *     4  numbers   number.c
 */
#include "tiles/tiles.h"

#include "common/assert.h"
#include "store/results.h"

#include <stdlib.h>
#include <string.h>

enum { LINKS_AT_ONCE = 4096, LINKS_LEAST = 1024 }; /* entries that are read at a time; room at least */

/* ----- links ---------------------------------------------------------------------------------------------------------- */

/* Reads a list: rim and strip of tile t are 2 t and 2 t + 1. Values are clusters. */
static clump_status read_list(clump_big_windows *w, size_t list, clump_message *message)
{
    const clump_big_tile *const t = &w->job->tiles[list / 2];
    const bool rim = list % 2 == 0;
    const uint64_t all = rim ? t->rims : t->strips, base = w->job->first_label[clump_big_rank(w->job)] + t->base;
    int64_t indices[LINKS_AT_ONCE];
    int32_t labels[LINKS_AT_ONCE];
    for (uint64_t at = w->at[list]; at < all; at = w->next[list]) {
        const size_t now = all - at < LINKS_AT_ONCE ? (size_t)(all - at) : LINKS_AT_ONCE;
        CLUMP_BIG_TRY(clump_big_results_read(w->job, t, rim ? CLUMP_BIG_PART_RIM_INDICES : CLUMP_BIG_PART_STRIP_INDICES,
                                             at, now, indices, message));
        CLUMP_BIG_TRY(clump_big_results_read(w->job, t, rim ? CLUMP_BIG_PART_RIM_LABELS : CLUMP_BIG_PART_STRIP_LABELS,
                                             at, now, labels, message));
        size_t k = 0;
        for (; k < now && indices[k] < w->end; k++)
            if (!clump_big_windows_add(w, indices[k], base + (uint64_t)labels[k])) return CLUMP_OK;
        w->next[list] = at + k;
        if (k < now) break;
    }
    return CLUMP_OK;
}

/* Gets the entries of the points that this rank has in the window, from all ranks. */
static clump_status exchange_window(clump_big_windows *w, clump_message *message)
{
    const int ranks = clump_big_ranks(w->job);
    void *received;
    if (ranks == 1) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_lists(w->job, sizeof *w->pairs, w->pairs, w->counts, &received, w->counts + ranks,
                                  &w->count, message));
    if (w->count > 0) memcpy(w->pairs, received, w->count * sizeof *w->pairs);
    free(received);
    clump_pair_sort(w->pairs, w->pairs + w->capacity, w->count);
    return CLUMP_OK;
}

static clump_status unite_window(clump_big_windows *w, clump_message *message)
{
    CLUMP_BIG_TRY(exchange_window(w, message));
    clump_status status = CLUMP_OK;
    for (size_t k = 1; k < w->count && status == CLUMP_OK; k++)
        if (w->pairs[k].key == w->pairs[k - 1].key)
            status = clump_big_nodes_unite(w->user, w->pairs[k].value, w->pairs[k - 1].value, message);
    return clump_big_agree(w->job, status, message);
}

/* Unites the clusters of all tiles that share a point: those of equal indices in the rim and strip lists. */
static clump_status find_links(clump_big_job *job, clump_big_nodes *nodes, clump_message *message)
{
    uint64_t entries = 0;
    for (uint32_t t = 0; t < job->tile_count; t++) entries += job->tiles[t].rims + job->tiles[t].strips;
    CLUMP_BIG_TRY(clump_big_sum(job, &entries, 1, message));
    if (entries == 0 || (clump_big_ranks(job) == 1 && job->tile_count == 1)) return CLUMP_OK;
    clump_big_windows w = {.job = job,
                           .user = nodes,
                           .lists = 2 * (size_t)job->tile_count,
                           .capacity = job->budget.entries < entries ? job->budget.entries : (size_t)entries,
                           .finish = CLUMP_BIG_LINKS_END,
                           .read = read_list,
                           .use = unite_window};
    if (w.capacity < LINKS_LEAST && !job->hooks->entries) w.capacity = LINKS_LEAST;
    return clump_big_windows_run(&w, entries, message);
}

/* ----- tables --------------------------------------------------------------------------------------------------------- */

/* The tables of one tile. */
typedef struct tile_tables {
    int64_t *firsts, *sizes;
    int32_t *offsets, *choices;
    int64_t *values; /* for the file of numbers */
    uint8_t *groups; /* with classes */
    void *memory;
} tile_tables;

static clump_status load_tables(const clump_big_job *job, const clump_big_tile *t, tile_tables *out,
                                clump_message *message)
{
    const size_t labels = (size_t)t->clusters + t->choices;
    const size_t bytes = 8 * (t->clusters + 2 * labels) + 4 * ((size_t)t->choices + 1 + t->choosable) + t->groups;
    *out = (tile_tables){.memory = malloc(bytes)};
    if (!out->memory) return clump_big_no_memory(message, bytes);
    out->firsts = out->memory;
    out->sizes = out->firsts + t->clusters;
    out->values = out->sizes + labels;
    out->offsets = (int32_t *)(void *)(out->values + labels);
    out->choices = out->offsets + t->choices + 1;
    out->groups = (uint8_t *)(out->choices + t->choosable);
    clump_status status = clump_big_results_read(job, t, CLUMP_BIG_PART_FIRSTS, 0, t->clusters, out->firsts, message);
    if (status == CLUMP_OK)
        status = clump_big_results_read(job, t, CLUMP_BIG_PART_SIZES, 0, labels, out->sizes, message);
    if (status == CLUMP_OK && t->choices > 0)
        status =
            clump_big_results_read(job, t, CLUMP_BIG_PART_OFFSETS, 0, t->choices + (size_t)1, out->offsets, message);
    if (status == CLUMP_OK && t->choices > 0)
        status = clump_big_results_read(job, t, CLUMP_BIG_PART_CHOICES, 0, (size_t)t->choosable, out->choices, message);
    if (status == CLUMP_OK && t->groups > 0)
        status = clump_big_results_read(job, t, CLUMP_BIG_PART_GROUPS, 0, t->groups, out->groups, message);
    if (status != CLUMP_OK) free(out->memory);
    return status;
}

/* Collects the first points of the clusters that cross, and their groups. */
static clump_status find_firsts(clump_big_merging *m, clump_message *message)
{
    clump_big_crossing *const mine = &m->mine;
    size_t n = 0;
    for (uint32_t k = 0; k < m->job->tile_count && n < mine->count; k++) {
        const clump_big_tile *const t = &m->job->tiles[k];
        const uint64_t end = t->base + t->clusters + t->choices;
        const double part = (double)k / m->job->tile_count;
        if (mine->ids[n] >= end) continue;
        CLUMP_BIG_TRY(clump_big_step(m->job, CLUMP_BIG_MERGE,
                                     clump_big_between(CLUMP_BIG_LINKS_END, CLUMP_BIG_FIRSTS_END, part), message));
        tile_tables tables;
        CLUMP_BIG_TRY(load_tables(m->job, t, &tables, message));
        for (; n < mine->count && mine->ids[n] < end; n++) {
            mine->firsts[n] = tables.firsts[mine->ids[n] - t->base];
            mine->values[n] = t->groups > 0 ? tables.groups[mine->ids[n] - t->base] : 0;
        }
        free(tables.memory);
    }
    return CLUMP_OK;
}

/* The first points of whole clusters. */
static void combine_firsts(clump_big_nodes *nodes, int64_t *values)
{
    for (size_t n = 0; n < nodes->count; n++) {
        clump_big_node *const root = &nodes->node[nodes->node[n].parent];
        root->first = values[n] < root->first ? values[n] : root->first;
    }
    for (size_t n = 0; n < nodes->count; n++) values[n] = nodes->node[nodes->node[n].parent].first;
}

/* The groups of whole clusters. All of the values become 0. */
static void combine_groups(clump_big_nodes *nodes, int64_t *values)
{
    for (size_t n = 0; n < nodes->count; n++) {
        nodes->node[nodes->node[n].parent].number = values[n];
        values[n] = 0;
    }
}

/* The sizes of whole clusters. */
static void combine_sizes(clump_big_nodes *nodes, int64_t *values)
{
    for (size_t n = 0; n < nodes->count; n++) nodes->node[nodes->node[n].parent].size += values[n];
}

/* Marks the clusters of a tile that cross: values[c] = -1 - entry. Others are 0. */
static void mark_crossing(const clump_big_merging *m, const clump_big_tile *t, int64_t *values)
{
    const uint64_t end = t->base + t->clusters;
    for (size_t c = 0; c < (size_t)t->clusters + t->choices; c++) values[c] = 0;
    for (size_t n = clump_big_crossing_from(&m->mine, t->base); n < m->mine.count && m->mine.ids[n] < end; n++)
        values[m->mine.ids[n] - t->base] = -1 - (int64_t)n;
}

static int64_t first_of(const clump_big_merging *m, const tile_tables *tables, int32_t c)
{
    CLUMP_ASSERT(c >= 0);
    const int64_t mark = tables->values[c];
    return mark == 0 ? tables->firsts[c] : m->mine.firsts[-1 - mark];
}

/* Lets every choice take a cluster, and adds its points to it. */
static void choose(const clump_big_merging *m, const clump_big_tile *t, const tile_tables *tables)
{
    for (uint32_t k = 0; k < t->choices; k++) {
        int32_t best = tables->choices[tables->offsets[k]];
        for (int32_t i = tables->offsets[k] + 1; i < tables->offsets[k + 1]; i++)
            if (first_of(m, tables, tables->choices[i]) < first_of(m, tables, best)) best = tables->choices[i];
        tables->values[t->clusters + k] = best;
        tables->sizes[best] += tables->sizes[t->clusters + k];
    }
}

/* Counts a cluster that may get a number. *kept: whether it does. `group`: 0 without classes. */
static clump_status count_cluster(clump_big_merging *m, int64_t first, int64_t size, uint8_t group, bool *kept,
                                  clump_message *message)
{
    CLUMP_ASSERT(size >= 1 && first >= 0);
    const clump_big_groups *const groups = m->job->groups;
    const clump_joint_settings *const s = groups ? &groups->settings[group] : &m->job->settings;
    const uint64_t points = (uint64_t)size;
    *kept = first != INT64_MAX && points >= s->min_size && points > 0;
    if (*kept && s->max_size != 0 && points > s->max_size) {
        *kept = groups && groups->keeps[group];
        m->kept += *kept;
        m->dropped += !*kept;
        m->dropped_points += *kept ? 0 : points;
    }
    if (!*kept) return CLUMP_OK;
    m->clusters++;
    m->labelled += points;
    m->largest = points > m->largest ? points : m->largest;
    return s->order == CLUMP_ORDER_SIZE ? clump_big_sizes_add(&m->sizes, points, 1, message) : CLUMP_OK;
}

/* Sums up the sizes of a tile, and writes its part of the file of numbers. */
static clump_status sum_tile(clump_big_merging *m, const clump_big_tile *t, clump_message *message)
{
    tile_tables tables;
    CLUMP_BIG_TRY(load_tables(m->job, t, &tables, message));
    mark_crossing(m, t, tables.values);
    choose(m, t, &tables);
    clump_status status = CLUMP_OK;
    for (uint32_t c = 0; c < t->clusters && status == CLUMP_OK; c++) {
        const int64_t mark = tables.values[c];
        if (mark != 0) {
            m->mine.values[-1 - mark] += tables.sizes[c];
            tables.values[c] = CLUMP_BIG_CROSSES;
            continue;
        }
        bool kept;
        const uint8_t group = t->groups > 0 ? tables.groups[c] : 0;
        status = count_cluster(m, tables.firsts[c], tables.sizes[c], group, &kept, message);
        tables.values[c] = kept ? tables.sizes[c] : CLUMP_NOISE;
    }
    const size_t labels = (size_t)t->clusters + t->choices;
    if (status == CLUMP_OK)
        status = clump_big_file_write(&m->job->numbers, 8 * t->base, tables.values, 8 * labels, message);
    free(tables.memory);
    return status;
}

static clump_status sum_sizes(clump_big_merging *m, clump_message *message)
{
    for (uint32_t k = 0; k < m->job->tile_count; k++) {
        const double part = (double)k / m->job->tile_count;
        CLUMP_BIG_TRY(clump_big_step(m->job, CLUMP_BIG_MERGE,
                                     clump_big_between(CLUMP_BIG_FIRSTS_END, CLUMP_BIG_SIZES_END, part), message));
        if (m->job->tiles[k].clusters > 0) CLUMP_BIG_TRY(sum_tile(m, &m->job->tiles[k], message));
    }
    return CLUMP_OK;
}

static clump_status count_roots(clump_big_merging *m, clump_message *message)
{
    for (size_t n = 0; n < m->nodes.count; n++) {
        clump_big_node *const node = &m->nodes.node[n];
        bool kept;
        if (node->parent != n) continue;
        const uint8_t group = m->job->groups ? (uint8_t)node->number : 0;
        node->number = CLUMP_NOISE;
        CLUMP_BIG_TRY(count_cluster(m, node->first, node->size, group, &kept, message));
        if (!kept) node->first = INT64_MAX; /* no number */
    }
    return CLUMP_OK;
}

/* Adds up what all ranks have counted. */
static clump_status sum_up(clump_big_merging *m, clump_message *message)
{
    uint64_t sums[6] = {m->clusters, m->labelled, m->nodes.links, m->dropped, m->dropped_points, m->kept};
    int64_t largest = -(int64_t)m->largest;
    CLUMP_BIG_TRY(clump_big_sum(m->job, sums, 6, message));
    CLUMP_BIG_TRY(clump_big_least(m->job, &largest, 1, message));
    clump_big_result *const r = &m->job->result;
    m->clusters = sums[0];
    r->clusters = (int64_t)sums[0];
    r->largest = (uint64_t)-largest;
    r->noise = m->job->info.count - sums[1];
    r->links = sums[2];
    if (m->job->groups) r->oversize_dropped = sums[3], r->oversize_points = sums[4], r->oversize_kept = sums[5];
    return CLUMP_OK;
}

/* ----- all of it ------------------------------------------------------------------------------------------------------ */

static clump_status run_steps(clump_big_merging *m, clump_message *message)
{
    clump_big_job *const job = m->job;
    CLUMP_BIG_TRY(find_links(job, &m->nodes, message));
    CLUMP_BIG_TRY(clump_big_nodes_gather(job, &m->nodes, message));
    CLUMP_BIG_TRY(clump_big_agree(job, clump_big_nodes_finish(job, &m->nodes, message), message));
    CLUMP_BIG_TRY(clump_big_crossing_make(job, &m->nodes, &m->mine, message));
    CLUMP_BIG_TRY(clump_big_agree(job, find_firsts(m, message), message));
    CLUMP_BIG_TRY(clump_big_crossing_share(job, &m->nodes, &m->mine, m->mine.firsts, combine_firsts, message));
    if (job->groups)
        CLUMP_BIG_TRY(clump_big_crossing_share(job, &m->nodes, &m->mine, m->mine.values, combine_groups, message));
    CLUMP_BIG_TRY(clump_big_agree(job, sum_sizes(m, message), message));
    CLUMP_BIG_TRY(clump_big_crossing_share(job, &m->nodes, &m->mine, m->mine.values, combine_sizes, message));
    CLUMP_BIG_TRY(clump_big_agree(job, count_roots(m, message), message));
    CLUMP_BIG_TRY(sum_up(m, message));
    return clump_big_number(m, message);
}

/* Numbers the provisional labels of all tiles. */
static clump_status number_labels(clump_big_job *job, clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(job);
    uint64_t base = 0;
    for (uint32_t t = 0; t < job->tile_count; t++) {
        job->tiles[t].base = base;
        base += (uint64_t)job->tiles[t].clusters + job->tiles[t].choices;
    }
    for (size_t r = 0; r <= ranks; r++) job->first_label[r] = 0;
    job->first_label[clump_big_rank(job) + 1] = base;
    CLUMP_BIG_TRY(clump_big_sum(job, job->first_label, ranks + 1, message));
    for (size_t r = 0; r < ranks; r++) job->first_label[r + 1] += job->first_label[r];
    return CLUMP_OK;
}

clump_status clump_big_merge(clump_big_job *job, clump_message *message)
{
    clump_big_merging m = {.job = job, .nodes = {.most = job->budget.nodes}};
    clump_status status = number_labels(job, message);
    if (status == CLUMP_OK) status = run_steps(&m, message);
    clump_big_nodes_release(&m.nodes);
    clump_big_crossing_release(&m.mine);
    clump_big_sizes_release(&m.sizes);
    return status;
}
