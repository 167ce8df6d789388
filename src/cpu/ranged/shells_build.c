/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_build.c: the grid of ranged_shells.h. Blocks of level 0 come from grid/blocks.c. Blocks of the levels above are
 * made of the blocks below. Then cells are numbered from the coarsest level down, and points are sorted by cell.
 */
#include "common/share.h"
#include "cpu/grid/batch.h"
#include "cpu/grid/merge_work.h"
#include "cpu/ranged/shells_work.h"

#define BUILD_BATCH  256  /* points */
#define BUILD_BLOCKS 64   /* blocks per chunk */
#define BUILD_POLLED 1024 /* blocks between two polls */
#define BUILD_CELLS  512  /* cells per chunk */

/* ----- levels ---------------------------------------------------------------------------------------------- */

/* One bit per byte of a mask that is not 0: the cells of the next level. */
static inline uint64_t coarse_cells(uint64_t cells)
{
    cells |= cells >> 4;
    cells |= cells >> 2;
    cells |= cells >> 1;
    cells &= 0x0101010101010101u;
    return (cells * 0x0102040810204080u) >> 56; /* bit 0 of byte b to bit b */
}

/* Makes the blocks of level k from those below. */
static clump_status add_level(clump_work *work, clump_shells *s, int k)
{
    const clump_table *const below = &s->level[k - 1].table;
    clump_shell_level *const at = &s->level[k];
    clump_table *const t = &at->table;
    const uint32_t slots = clump_block_slots(below->count, below->count);
    CLUMP_TRY(clump_buffer_reserve(work, &at->blocks, below->count * sizeof *t->block));
    CLUMP_TRY(clump_buffer_reserve(work, &at->slots, (size_t)slots * sizeof *t->slot));
    CLUMP_TRY(clump_buffer_reserve(work, &at->children, 8 * (size_t)below->count * sizeof(uint32_t)));
    *t = (clump_table){
        .key = below->key, .block = at->blocks.data, .slot = at->slots.data, .slots = slots, .budget = below->count};
    uint32_t *const child = at->children.data; /* eight per block, or CLUMP_NO_BLOCK */
    clump_table_refill(t);
    for (uint32_t id = 0; id < below->count; id++) {
        if (id % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        const clump_block *const b = &below->block[id];
        const int32_t shell = clump_shell_of_z(b->z), z = b->z - clump_shell_z(shell, 0);
        const clump_block like = {.x = b->x >> 1, .y = b->y >> 1, .z = clump_shell_z(shell, z >> 1)};
        const unsigned octant = (unsigned)((b->x & 1) | (b->y & 1) << 1 | (z & 1) << 2);
        const uint32_t before = t->count, up = clump_table_add(t, &like);
        CLUMP_ASSERT(up != CLUMP_NO_BLOCK);
        if (t->count > before) memset(child + 8 * (size_t)up, 0xff, 8 * sizeof *child);
        child[8 * (size_t)up + octant] = id;
        t->block[up].cells |= coarse_cells(b->cells) << 8 * octant;
    }
    return CLUMP_OK;
}

/* Appends a block of level k, and all blocks below it, to the blocks in nested order, and numbers its cells. `place` of
 * the old block becomes its new number. */
static void sort_block(clump_shells *s, int k, uint32_t id)
{
    clump_shell_level *const at = &s->level[k];
    const uint32_t *const child = at->children.data;
    clump_block *const old = &at->table.block[id], *const sorted = at->sorted.data;
    old->place = at->sorted_count;
    old->first = at->cells;
    at->cells += clump_popcount(old->cells);
    sorted[at->sorted_count] = *old;
    if (k > 0)
        sorted[at->sorted_count].place = s->level[k - 1].sorted_count;
    else if (s->levels > 1)
        sorted[at->sorted_count].place = s->level[1].sorted_count - 1;
    at->sorted_count++;
    for (unsigned octant = 0; k > 0 && octant < 8; octant++) {
        const uint32_t below = child[8 * (size_t)id + octant];
        if (below != CLUMP_NO_BLOCK) sort_block(s, k - 1, below);
    }
}

/* Puts the blocks of all levels into nested order and numbers their cells. */
static clump_status sort_blocks(clump_work *work, clump_shells *s)
{
    const int top = s->levels - 1;
    for (int k = 0; k <= top; k++) {
        clump_shell_level *const at = &s->level[k];
        CLUMP_TRY(clump_buffer_reserve(work, &at->sorted, at->table.count * sizeof(clump_block)));
        at->cells = at->sorted_count = 0;
    }
    for (uint32_t id = 0; id < s->level[top].table.count; id++) {
        if (id % BUILD_POLLED == 0) CLUMP_TRY(clump_poll(work));
        sort_block(s, top, id);
    }
    for (int k = 0; k <= top; k++) {
        clump_shell_level *const at = &s->level[k];
        at->hashed = at->table.block;
        at->table.block = at->sorted.data;
    }
    return CLUMP_OK;
}

/* Numbers the cells of the only level. */
static void number_cells(clump_shell_level *at)
{
    at->cells = 0;
    at->hashed = at->table.block;
    for (uint32_t id = 0; id < at->table.count; id++) {
        at->table.block[id].first = at->cells;
        at->table.block[id].place = id;
        at->cells += clump_popcount(at->table.block[id].cells);
    }
}

/* ----- points ---------------------------------------------------------------------------------------------- */

/* What the tasks below share. */
typedef struct shell_sort {
    clump_shells *s;
    const clump_blocks *b;
    const clump_cloud_job *job;
    uint32_t *cell;  /* per point, in the memory of the labels; CLUMP_NO_BLOCK: takes no part */
    uint32_t *next;  /* per cell: number of points, then the first place, with one thread the next one */
    uint32_t *place; /* several threads: place of a point in its cell; else null */
    clump_shell_level *at;
    int level;
    bool shared; /* by several threads */
} shell_sort;

/* Replaces the block of each point by its cell, and counts. */
static void count_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    const clump_block *const block = t->b->block; /* in the order of owner[] */
    for (size_t i = begin; i < end; i++) {
        const uint32_t id = t->cell[i];
        if (id == CLUMP_NO_BLOCK) continue;
        const uint32_t cell = clump_cell_number(&block[id], t->b->sub[i]);
        t->cell[i] = cell;
        if (t->place)
            t->place[i] = CLUMP_ADD(&t->next[cell], 1);
        else
            t->next[cell]++;
    }
}

/* Loads a batch of points and computes their bounds. The limits of the radius are vector operations: compilers vectorise
 * no loop that has the comparisons of clump_radius() behind a root. */
static inline void load_batch(const shell_sort *t, size_t base, size_t m, float *restrict x, float *restrict y,
                              float *restrict z, float *restrict bound)
{
    const clump_radius_rule rule = t->s->rule;
    clump_batch_load(t->job, base, m, x, y, z);
    for (size_t j = 0; j < m; j++) bound[j] = clump_radius_grown(rule, x[j], y[j], z[j]);
    for (size_t j = m; j % 4 != 0; j++) bound[j] = 0;
    const clump_f4 least = clump_f4_set(rule.eps), most = clump_f4_set(CLUMP_RADIUS_MOST);
    for (size_t j = 0; j < m; j += 4) {
        const clump_f4 radius = clump_f4_min(clump_f4_max(clump_f4_load(bound + j), least), most);
        clump_f4_store(bound + j, clump_f4_mul(radius, radius));
    }
    for (size_t j = 0; t->s->inclusive && j < m; j++) bound[j] = clump_float_of_bits(clump_float_bits(bound[j]) + 1);
}

/* Copies points with their bounds to their cells; for one thread. */
static void deal_alone(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    const clump_shell_points p = t->s->point;
    uint32_t *const next = t->next;
    float x[BUILD_BATCH], y[BUILD_BATCH], z[BUILD_BATCH], bound[BUILD_BATCH];
    for (size_t base = begin; base < end; base += BUILD_BATCH) {
        const size_t m = end - base < BUILD_BATCH ? end - base : BUILD_BATCH;
        load_batch(t, base, m, x, y, z, bound);
        for (size_t j = 0; j < m; j++) {
            const uint32_t cell = t->cell[base + j];
            if (cell == CLUMP_NO_BLOCK) continue;
            const uint32_t at = next[cell]++;
            p.x[at] = x[j], p.y[at] = y[j], p.z[at] = z[j], p.bound[at] = bound[j];
            if (t->s->index) t->s->index[at] = (uint32_t)(base + j);
        }
    }
}

/* The same for several threads. Also finds the smallest point of each cell. */
static void deal_shared(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    const clump_shell_points p = t->s->point;
    float x[BUILD_BATCH], y[BUILD_BATCH], z[BUILD_BATCH], bound[BUILD_BATCH];
    for (size_t base = begin; base < end; base += BUILD_BATCH) {
        const size_t m = end - base < BUILD_BATCH ? end - base : BUILD_BATCH;
        load_batch(t, base, m, x, y, z, bound);
        for (size_t j = 0; j < m; j++) {
            const uint32_t cell = t->cell[base + j], i = (uint32_t)(base + j);
            if (cell == CLUMP_NO_BLOCK) continue;
            const uint32_t at = t->next[cell] + t->place[i];
            p.x[at] = x[j], p.y[at] = y[j], p.z[at] = z[j], p.bound[at] = bound[j];
            if (t->s->index) t->s->index[at] = i;
            clump_atomic_min(&t->s->least[cell], i);
        }
    }
}

/* Finds the smallest point of each cell where one thread has made the blocks: it has them on record. */
static void find_least(const shell_sort *t, size_t cells)
{
    const uint32_t *const record = t->b->records.data;
    for (size_t k = 0; k < cells; k++) t->s->least[t->cell[record[k]]] = record[k];
}

/* Reserves memory for the points that take part and for the cells of level 0. */
static clump_status reserve_points(clump_work *work, clump_shells *s, size_t cells)
{
    const size_t room = (s->count + CLUMP_SHELL_PADDING + 15) / 16 * 16; /* whole cache lines */
    CLUMP_TRY(clump_buffer_reserve(work, &s->points, 4 * room * sizeof(float)));
    CLUMP_TRY(clump_buffer_reserve(work, &s->leasts, (cells + 1) * sizeof *s->least));
    CLUMP_TRY(clump_buffer_reserve(work, &s->level[0].begins, (cells + 1) * sizeof(uint32_t)));
    s->point.x = s->points.data;
    s->point.y = s->point.x + room, s->point.z = s->point.y + room, s->point.bound = s->point.z + room;
    s->least = s->leasts.data;
    s->level[0].begin = s->level[0].begins.data;
    for (size_t i = s->count; i < s->count + CLUMP_SHELL_PADDING; i++)
        s->point.x[i] = s->point.y[i] = s->point.z[i] = s->point.bound[i] = 0;
    return CLUMP_OK;
}

static clump_status sort_points(clump_work *work, clump_shells *s, const clump_blocks *b, const clump_cloud_job *job,
                                int threads)
{
    clump_shell_level *const finest = &s->level[0];
    const size_t n = job->count, cells = finest->cells;
    s->count = n - b->left_out;
    CLUMP_TRY(reserve_points(work, s, cells));
    CLUMP_TRY(clump_buffer_reserve(work, &s->places, threads > 1 ? n * sizeof(uint32_t) : 0));
    memset(finest->begin, 0, (cells + 1) * sizeof *finest->begin);
    shell_sort t = {.s = s, .b = b, .job = job, .cell = b->owner, .next = finest->begin + 1};
    t.place = threads > 1 ? s->places.data : NULL;
    CLUMP_TRY(clump_run(work, threads, n, CLUMP_CHUNK, count_points, &t));
    /* One thread counts up begin[c + 1] from the first place of cell c to that of the next cell. */
    if (t.place) t.next = finest->begin;
    uint32_t sum = 0;
    for (size_t c = 0; c < cells; c++) {
        const uint32_t here = finest->begin[c + 1];
        t.next[c] = sum;
        sum += here;
    }
    CLUMP_ASSERT(sum == s->count);
    if (!t.place) {
        find_least(&t, cells);
        return clump_run(work, 1, n, CLUMP_CHUNK, deal_alone, &t);
    }
    finest->begin[cells] = sum;
    memset(s->least, 0xff, cells * sizeof *s->least);
    return clump_run(work, threads, n, CLUMP_CHUNK, deal_shared, &t);
}

/* ----- blocks ---------------------------------------------------------------------------------------------- */

void clump_shell_fill(const clump_shells *s, const clump_shell_level *at, uint32_t id)
{
    const clump_block *const b = &at->table.block[id];
    clump_shell_block *const is = &at->block[id];
    const clump_shell_limits *const limits = &s->limits[clump_shell_of_z(b->z)];
    const uint32_t begin = at->begin[b->first], end = at->begin[b->first + clump_popcount(b->cells)];
    is->box = clump_shell_box(s->point, begin, end - begin);
    is->begin = begin;
    is->count = end - begin;
    is->reach = (uint8_t)(2 + !(is->box.most < limits->two) + !(is->box.most < limits->three));
    is->edge = !(is->box.most < limits->next);
}

/* Fills the cells of a block above level 0 from those below. */
static void fill_cells(const clump_shells *s, int k, uint32_t id)
{
    const clump_shell_level *const at = &s->level[k], *const below = &s->level[k - 1];
    uint32_t cell = at->table.block[id].first;
    const uint32_t end = clump_shell_end_below(s, k, id);
    for (uint32_t child = (uint32_t)at->table.block[id].place; child < end; child++) {
        const clump_block *const b = &below->table.block[child];
        for (uint64_t bytes = coarse_cells(b->cells); bytes; bytes &= bytes - 1) {
            const uint64_t before = ((uint64_t)1 << 8 * clump_lowest(bytes)) - 1;
            at->begin[cell++] = below->begin[b->first + clump_popcount(b->cells & before)];
        }
    }
}

/* Fills a block above level 1 from its blocks below: box and points. */
static void fill_coarse(const clump_shells *s, int k, uint32_t id)
{
    const clump_shell_level *const at = &s->level[k], *const below = &s->level[k - 1];
    const uint32_t first = (uint32_t)at->table.block[id].place, end = clump_shell_end_below(s, k, id);
    clump_shell_block sum = below->block[first];
    for (uint32_t child = first + 1; child < end; child++) {
        const clump_shell_block *const is = &below->block[child];
        clump_ranged_widen(&sum.box, &is->box);
        sum.count += is->count;
        sum.reach = is->reach > sum.reach ? is->reach : sum.reach;
        sum.edge |= is->edge;
    }
    at->block[id] = sum;
}

/* Puts a block into the filter of its level. */
static void put_in_filter(const clump_shell_level *at, uint32_t id, bool shared)
{
    const clump_block *const b = &at->table.block[id];
    const uint32_t bit = clump_hash(at->table.key, b->x, b->y, b->z, 0) >> at->filter_shift;
    if (shared)
        CLUMP_OR(&at->filter[bit / 64], (uint64_t)1 << (bit % 64));
    else
        at->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
}

static void fill_only_level(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    for (size_t id = begin; id < end; id++) {
        put_in_filter(t->at, (uint32_t)id, t->shared);
        clump_shell_fill(t->s, t->at, (uint32_t)id);
    }
}

/* The last block of a chunk ends where the first cell of the next chunk begins, which another thread may not have filled.
 * So cells are filled before blocks. */
static void fill_all_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    for (size_t id = begin; id < end; id++) {
        put_in_filter(t->at, (uint32_t)id, t->shared);
        fill_cells(t->s, t->level, (uint32_t)id);
    }
}

static void fill_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    for (size_t id = begin; id < end; id++) {
        if (t->level == 1)
            clump_shell_fill(t->s, t->at, (uint32_t)id);
        else
            fill_coarse(t->s, t->level, (uint32_t)id);
    }
}

static clump_status reserve_filter(clump_work *work, clump_shell_level *at)
{
    unsigned log = 6;
    while (log < 32 && (size_t)1 << log < 16 * (size_t)at->table.count) log++;
    CLUMP_TRY(clump_buffer_reserve(work, &at->filters, ((size_t)1 << log) / 8));
    at->filter = at->filters.data;
    at->filter_shift = 32 - log;
    memset(at->filter, 0, ((size_t)1 << log) / 8);
    return CLUMP_OK;
}

/* Fills the blocks of a level. Those of level 0 below others have no points until they are needed (shells_light.c), and no
 * filter. */
static clump_status fill_level(clump_work *work, clump_shells *s, int k, int threads)
{
    clump_shell_level *const at = &s->level[k];
    const size_t blocks = at->table.count;
    CLUMP_TRY(clump_buffer_reserve(work, &at->infos, (blocks + 1) * sizeof *at->block));
    at->block = at->infos.data;
    at->filter = NULL;
    if (k == 0 && s->levels > 1) {
        memset(at->block, 0, blocks * sizeof *at->block);
        return CLUMP_OK;
    }
    CLUMP_TRY(reserve_filter(work, at));
    shell_sort t = {.s = s, .at = at, .level = k, .shared = threads > 1};
    if (k == 0) return clump_run(work, threads, blocks, BUILD_BLOCKS, fill_only_level, &t);
    CLUMP_TRY(clump_buffer_reserve(work, &at->begins, ((size_t)at->cells + 1) * sizeof *at->begin));
    at->begin = at->begins.data;
    at->begin[at->cells] = (uint32_t)s->count;
    CLUMP_TRY(clump_run(work, threads, blocks, BUILD_BLOCKS, fill_all_cells, &t));
    return clump_run(work, threads, blocks, BUILD_BLOCKS, fill_blocks, &t);
}

clump_status clump_shells_build(clump_work *work, clump_shells *s, clump_blocks *b, const clump_cloud_job *job,
                                int threads)
{
    b->shells = &s->rule;
    const clump_status status = clump_blocks_build(work, b, job, threads);
    b->shells = NULL;
    CLUMP_TRY(status);
    s->level[0].table = (clump_table){b->key, b->block, b->slot, b->slots, b->block_count, b->block_count};
    for (int k = 1; k < s->levels; k++) CLUMP_TRY(add_level(work, s, k));
    if (s->levels > 1)
        CLUMP_TRY(sort_blocks(work, s));
    else
        number_cells(&s->level[0]);
    CLUMP_TRY(sort_points(work, s, b, job, threads));
    for (int k = 0; k < s->levels; k++) CLUMP_TRY(fill_level(work, s, k, threads));
    return CLUMP_OK;
}

/* ----- some of the points -------------------------------------------------------------------------------------- */

typedef struct shell_pick {
    const clump_shells *from;
    clump_shells *s;
    const uint8_t *wanted; /* per point of the cloud */
    uint32_t *labels;      /* become cells, as by clump_shells_build() */
    uint32_t *cell;        /* per cell of `from`: how many points are wanted, then its new number or CLUMP_NO_BLOCK */
} shell_pick;

static void count_wanted(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_pick *const t = arg;
    const uint32_t *const first = t->from->level[0].begin;
    for (size_t c = begin; c < end; c++) {
        uint32_t count = 0;
        for (uint32_t i = first[c]; i < first[c + 1]; i++) count += t->wanted[t->from->index[i]] != 0;
        t->cell[c] = count;
    }
}

/* Copies the points that are wanted, and finds the smallest of each cell. */
static void copy_wanted(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_pick *const t = arg;
    const clump_shell_points p = t->from->point, q = t->s->point;
    const uint32_t *const first = t->from->level[0].begin;
    for (size_t c = begin; c < end; c++) {
        const uint32_t cell = t->cell[c];
        uint32_t at = cell == CLUMP_NO_BLOCK ? 0 : t->s->level[0].begin[cell], least = UINT32_MAX;
        for (uint32_t i = first[c]; i < first[c + 1]; i++) {
            const uint32_t index = t->from->index[i];
            t->labels[index] = t->wanted[index] ? cell : CLUMP_NO_BLOCK;
            if (!t->wanted[index]) continue;
            q.x[at] = p.x[i], q.y[at] = p.y[i], q.z[at] = p.z[i], q.bound[at++] = p.bound[i];
            least = index < least ? index : least;
        }
        if (cell != CLUMP_NO_BLOCK) t->s->least[cell] = least;
    }
}

/* Makes the blocks and cells that hold points. */
static clump_status pick_blocks(clump_work *work, const shell_pick *t)
{
    const clump_table *const from = &t->from->level[0].table;
    clump_shell_level *const at = &t->s->level[0];
    clump_block *const hashed = at->sorted.data, *const block = at->blocks.data;
    uint32_t blocks = 0, cells = 0, sum = 0;
    for (uint32_t id = 0; id < from->count; id++) {
        if (id % BUILD_POLLED == 0) CLUMP_TRY(clump_poll(work));
        clump_block b = from->block[id];
        uint32_t old = b.first;
        b.first = cells, b.place = blocks;
        for (uint64_t rest = b.cells; rest; rest &= rest - 1, old++) {
            const uint32_t count = t->cell[old];
            t->cell[old] = count > 0 ? cells : CLUMP_NO_BLOCK;
            if (count > 0)
                at->begin[cells++] = sum;
            else
                b.cells &= ~(rest & (~rest + 1));
            sum += count;
        }
        hashed[id] = b;
        if (b.cells)
            block[blocks++] = b;
        else
            hashed[id].place = CLUMP_NO_BLOCK;
    }
    at->begin[cells] = sum;
    at->cells = cells;
    at->hashed = hashed;
    at->table = *from;
    at->table.block = block, at->table.count = at->table.budget = blocks;
    return CLUMP_OK;
}

clump_status clump_shells_pick(clump_work *work, clump_shells *s, const clump_shells *from, const uint8_t *wanted,
                               size_t count, int32_t *labels, int threads)
{
    clump_shell_level *const at = &s->level[0];
    const size_t cells = from->level[0].cells, blocks = from->level[0].table.count;
    s->rule = from->rule, s->levels = 1, s->index = NULL, s->work = 0;
    memcpy(s->limits, from->limits, sizeof s->limits);
    s->count = count;
    CLUMP_TRY(reserve_points(work, s, cells));
    CLUMP_TRY(clump_buffer_reserve(work, &s->places, cells * sizeof(uint32_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &at->sorted, blocks * sizeof(clump_block)));
    CLUMP_TRY(clump_buffer_reserve(work, &at->blocks, blocks * sizeof(clump_block)));
    shell_pick t = {from, s, wanted, (uint32_t *)labels, s->places.data};
    CLUMP_TRY(clump_run(work, threads, cells, BUILD_CELLS, count_wanted, &t));
    CLUMP_TRY(pick_blocks(work, &t));
    CLUMP_TRY(clump_run(work, threads, cells, BUILD_CELLS, copy_wanted, &t));
    return fill_level(work, s, 0, threads);
}
