/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_model.c: see pieces_model.h.
 */
#include "cluster/pieces_model.h"

#include "joint/pieces_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct model {
    clump_context *ctx;
    const pieces_model *m;
    clump_cloud_job job;
    clump_pieces_plan plan;
    clump_pieces_links links;
    size_t chunks, keys; /* keys: without that of points left out */
    uint32_t *starts;    /* keys + 1 per chunk */
    float *points;       /* grouped */
    uint32_t *indices, *ids;
    uint32_t *rim_ids, *around;
    size_t rims, rim_room;
    uint32_t *choices; /* position, id */
    size_t choice_count, choice_room;
} model;

static void need(const model *m, clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("pieces_model: %s\n", m->ctx->work.error);
    abort();
}

static void *take(size_t bytes)
{
    void *const memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) abort();
    return memory;
}

static void *grow(void *memory, size_t wanted, size_t *room, size_t each)
{
    if (wanted <= *room) return memory;
    *room = 2 * wanted;
    void *const more = realloc(memory, *room * each);
    if (!more) abort();
    return more;
}

static uint32_t *starts_of(const model *m, size_t chunk)
{
    return m->starts + chunk * (m->keys + 1);
}

/* ----- A: groups ---------------------------------------------------------------------------------------- */

static uint32_t key_of(const model *m, size_t i)
{
    const float *const p = m->m->xyz + 3 * i;
    const bool two_d = m->job.two_d, out = m->job.mask && !m->job.mask[i];
    for (int k = 0; k < (two_d ? 2 : 3); k++)
        if (!(p[k] - p[k] == 0)) return (uint32_t)m->keys;
    return out ? (uint32_t)m->keys : clump_pieces_key(&m->plan.grid, p[0], p[1], p[2]);
}

static void group_chunk(model *m, size_t chunk)
{
    const size_t base = chunk * m->m->chunk, left = m->m->count - base, n = left < m->m->chunk ? left : m->m->chunk;
    uint32_t *const starts = starts_of(m, chunk), *const cursor = take((m->keys + 1) * sizeof *cursor);
    for (size_t i = 0; i < n; i++) cursor[key_of(m, base + i)]++;
    uint32_t sum = 0;
    for (size_t k = 0; k <= m->keys; k++) {
        starts[k] = sum;
        if (k < m->keys) m->plan.loads[k / 2] += cursor[k];
        if (k < m->keys && k % 2 == 0) m->plan.edges[k / 2] += cursor[k];
        sum += cursor[k];
        cursor[k] = starts[k];
    }
    for (size_t i = n; i-- > 0;) { /* backwards: the order within a group must not matter */
        const size_t at = base + cursor[key_of(m, base + i)]++;
        memcpy(m->points + 3 * at, m->m->xyz + 3 * (base + i), 3 * sizeof(float));
        m->indices[at] = (uint32_t)(base + i);
    }
    free(cursor);
}

/* Groups the points and cuts tiles, with finer cells where one has too many points. */
static bool group(model *m)
{
    need(m, clump_pieces_sample(&m->ctx->work, &m->plan, &m->job, m->m->min_points));
    for (int finer = 0;; finer++) {
        bool finest;
        uint64_t fullest;
        need(m, clump_pieces_grid_make(&m->ctx->work, &m->plan, &m->job, m->m->most, m->m->most_cells, finer, &finest));
        m->keys = 2 * (size_t)m->plan.cells;
        free(m->starts);
        m->starts = take(m->chunks * (m->keys + 1) * sizeof *m->starts);
        for (size_t c = 0; c < m->chunks; c++) group_chunk(m, c);
        if (clump_pieces_cut(&m->plan, m->m->most, &fullest)) return true;
        if (fullest <= m->m->most) abort();
        if (finest) return false;
    }
}

/* ----- B: tiles ------------------------------------------------------------------------------------------ */

typedef struct tile {
    size_t own, count;
    float *xyz;
    uint32_t *indices, *places; /* of points: in the cloud, and in the groups */
    int32_t *labels;
    uint8_t *core;
    uint8_t *earlier; /* of rim points: whether they belong to a tile before */
    clump_border_list borders;
} tile;

static void copy_range(const model *m, tile *t, size_t begin, size_t end, bool earlier)
{
    for (size_t at = begin; at < end; at++, t->count++) {
        memcpy(t->xyz + 3 * t->count, m->points + 3 * at, 3 * sizeof(float));
        t->indices[t->count] = m->indices[at];
        t->places[t->count] = (uint32_t)at;
        t->earlier[t->count] = earlier;
    }
}

static clump_status run_ec(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *result)
{
    return on->table->ec(&ctx->work, on->state, job, result);
}

static clump_status run_dbscan(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *result)
{
    return on->table->dbscan(&ctx->work, on->state, job, result);
}

static void cluster_tile(const model *m, tile *t)
{
    const clump_points points = {.xyz = t->xyz, .count = t->count};
    int32_t clusters;
    if (m->m->min_points == 0) {
        clump_ec_options o = clump_ec_defaults();
        o.common.two_d = m->job.two_d;
        clump_ec_job job;
        need(m, clump_ec_make_job(m->ctx, points, m->m->d, &o, t->labels, true, &job));
        need(m, clump_call(m->ctx, &clump_ec_methods, 0, run_ec, &job, &job.in, &clusters));
        memset(t->core, 1, t->count);
        return;
    }
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.two_d = m->job.two_d, o.no_border_points = m->m->options.no_border_points, o.core = t->core;
    clump_dbscan_job job;
    need(m, clump_dbscan_make_job(m->ctx, points, m->m->d, m->m->min_points, &o, t->labels, true, &job));
    t->borders = (clump_border_list){.points = t->own, .capacity = 12 * t->own};
    t->borders.pairs = take(t->borders.capacity * sizeof *t->borders.pairs);
    if (m->m->min_points > 1 && !o.no_border_points) job.borders = &t->borders;
    need(m, clump_call(m->ctx, &clump_dbscan_methods, 0, run_dbscan, &job, &job.in, &clusters));
}

/* Writes ids of own points, links of the rim, and choices. */
static void note_tile(model *m, const tile *t)
{
    uint32_t *const first = take(t->count * sizeof *first);
    memset(first, 0xff, t->count * sizeof *first);
    for (size_t i = 0; i < t->count; i++) {
        const uint32_t index = t->indices[i] | (i < t->own ? 0 : CLUMP_PIECES_RIM);
        if (t->labels[i] >= 0 && t->core[i] && index < first[t->labels[i]]) first[t->labels[i]] = index;
    }
    for (size_t i = 0; i < t->own; i++) {
        const uint32_t id = t->labels[i] < 0 ? CLUMP_PIECES_NONE : clump_pieces_id(first[t->labels[i]]);
        m->ids[t->places[i]] = id | (t->core[i] ? CLUMP_PIECES_CORE : 0);
    }
    m->rim_ids = grow(m->rim_ids, m->rims + t->count - t->own, &m->rim_room, sizeof *m->rim_ids);
    for (size_t i = t->own; i < t->count; i++)
        m->rim_ids[m->rims++] = t->labels[i] >= 0 && t->core[i]
                                    ? clump_pieces_link(first[t->labels[i]], t->indices[i], t->earlier[i])
                                    : CLUMP_PIECES_NONE;
    for (size_t k = 0; k < t->borders.count; k++) {
        m->choices = grow(m->choices, 2 * m->choice_count + 2, &m->choice_room, sizeof *m->choices);
        m->choices[2 * m->choice_count] = t->places[t->borders.pairs[k].point];
        m->choices[2 * m->choice_count++ + 1] = clump_pieces_id(first[t->borders.pairs[k].label]);
    }
    free(first);
}

static void run_tile(model *m, uint32_t number)
{
    const size_t first = 2 * (size_t)m->plan.begins[number], end = 2 * (size_t)m->plan.begins[number + 1];
    const size_t most = m->m->most;
    tile t = {.xyz = take(3 * most * sizeof(float)), .indices = take(most * sizeof(uint32_t))};
    t.places = take(most * sizeof(uint32_t)), t.labels = take(most * sizeof(int32_t)), t.core = take(most);
    t.earlier = take(most);
    for (size_t c = 0; c < m->chunks; c++)
        copy_range(m, &t, c * m->m->chunk + starts_of(m, c)[first], c * m->m->chunk + starts_of(m, c)[end], false);
    t.own = t.count;
    const size_t cells = clump_pieces_around(&m->plan, number, m->around);
    for (size_t k = 0; k < cells; k++)
        for (size_t c = 0; c < m->chunks; c++) {
            const uint32_t *const starts = starts_of(m, c) + 2 * (size_t)m->around[k];
            copy_range(m, &t, c * m->m->chunk + starts[0], c * m->m->chunk + starts[1],
                       m->around[k] < m->plan.begins[number]);
        }
    cluster_tile(m, &t);
    note_tile(m, &t);
    free(t.xyz), free(t.indices), free(t.places), free(t.labels), free(t.core), free(t.earlier);
    free(t.borders.pairs);
}

/* ----- merging and labels -------------------------------------------------------------------------------------- */

static void link_tiles(model *m)
{
    size_t at = 0;
    clump_pieces_links_begin(&m->ctx->work, &m->links);
    for (uint32_t number = 0; number < m->plan.tiles; number++) {
        const size_t cells = clump_pieces_around(&m->plan, number, m->around);
        for (size_t k = 0; k < cells; k++)
            for (size_t c = 0; c < m->chunks; c++) {
                const uint32_t *const starts = starts_of(m, c) + 2 * (size_t)m->around[k];
                const size_t n = starts[1] - starts[0];
                need(m, clump_pieces_links_add(&m->ctx->work, &m->links, m->rim_ids + at,
                                               m->ids + c * m->m->chunk + starts[0], n));
                at += n;
            }
    }
    if (at != m->rims) abort();
    clump_pieces_links_end(&m->links);
}

static void choose(model *m)
{
    for (size_t k = 0, end; k < m->choice_count; k = end) {
        const uint32_t place = m->choices[2 * k];
        uint32_t best = CLUMP_PIECES_NONE;
        for (end = k; end < m->choice_count && m->choices[2 * end] == place; end++) {
            const uint32_t first = clump_pieces_first(&m->links.map, m->choices[2 * end + 1]);
            best = first < best ? first : best;
        }
        m->ids[place] = best;
    }
}

static int32_t label(model *m, int32_t *labels, uint8_t *core)
{
    const size_t n = m->m->count;
    int32_t *const number = take(n * sizeof *number), clusters = 0;
    for (size_t i = 0; i < n; i++) labels[i] = CLUMP_NOISE;
    if (core) memset(core, 0, n);
    for (size_t c = 0; c < m->chunks; c++)
        for (size_t at = c * m->m->chunk; at < c * m->m->chunk + starts_of(m, c)[m->keys]; at++) {
            const uint32_t id = m->ids[at] & ~CLUMP_PIECES_CORE;
            if (core) core[m->indices[at]] = m->ids[at] >= CLUMP_PIECES_CORE;
            if (id == CLUMP_PIECES_NONE) continue;
            labels[m->indices[at]] = (int32_t)clump_pieces_first(&m->links.map, id);
            number[labels[m->indices[at]]] = 1;
        }
    for (size_t i = 0; i < n; i++) number[i] = number[i] ? clusters++ : -1;
    for (size_t i = 0; i < n; i++)
        if (labels[i] >= 0) labels[i] = number[labels[i]];
    free(number);
    return clusters;
}

pieces_found pieces_model_run(clump_context *ctx, const pieces_model *given, int32_t *labels, uint8_t *core)
{
    const clump_dbscan_options *const o = &given->options;
    model m = {.ctx = ctx, .m = given, .chunks = (given->count + given->chunk - 1) / given->chunk};
    m.job = (clump_cloud_job){.points = (const char *)given->xyz,
                              .count = given->count,
                              .stride = 12,
                              .mask = o->common.mask,
                              .labels = labels,
                              .order = o->common.order,
                              .min_size = o->common.min_size,
                              .max_size = o->common.max_size,
                              .d = given->d,
                              .two_d = o->common.two_d};
    m.points = take(3 * given->count * sizeof(float));
    m.indices = take(given->count * sizeof *m.indices), m.ids = take(given->count * sizeof *m.ids);
    pieces_found found = {.too_full = !group(&m)};
    m.around = take(m.plan.cells * sizeof *m.around);
    found.tiles = m.plan.tiles;
    if (!found.too_full) {
        for (uint32_t t = 0; t < m.plan.tiles; t++) run_tile(&m, t);
        link_tiles(&m);
        choose(&m);
        clump_stats result = {.clusters = label(&m, labels, core)};
        need(&m, clump_labels_finish(&ctx->work, &m.job, &result));
        found.clusters = result.clusters;
        found.rim_points = m.rims;
    }
    clump_pieces_plan_trim(&ctx->work, &m.plan);
    clump_buffer_release(&ctx->work, &m.links.memory);
    free(m.starts), free(m.points), free(m.indices), free(m.ids), free(m.rim_ids), free(m.around), free(m.choices);
    return found;
}
