/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_near.c: which blocks, cells and points can be neighbours (shells_work.h).
 */
#include "cpu/ranged/shells_work.h"

/* ----- cells ----------------------------------------------------------------------------------------------- */

/* The cells of a block whose x, y or z is in a set of four bits, in Morton order (grid/shells.h). */
#define SHELL_SPREAD(set, odd, high)                                                                                   \
    (((set)&1 ? ~(odd) & ~(high) : 0) | ((set)&2 ? (odd) & ~(high) : 0) | ((set)&4 ? ~(odd) & (high) : 0) |            \
     ((set)&8 ? (odd) & (high) : 0))
#define SHELL_X(set) SHELL_SPREAD(set, UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xff00ff00ff00ff00))
#define SHELL_Y(set) SHELL_SPREAD(set, UINT64_C(0xcccccccccccccccc), UINT64_C(0xffff0000ffff0000))
#define SHELL_Z(set) SHELL_SPREAD(set, UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xffffffff00000000))

/* On one axis: the coordinates in the block at offset o that are at most w from coordinate a, as four bits. */
#define SHELL_WITHIN(w, o, a, b) ((b) + 4 * (o) - (a) <= (w) && (a) - (b)-4 * (o) <= (w) ? 1u << (b) : 0u)
#define SHELL_AXIS(w, o, a)                                                                                            \
    (SHELL_WITHIN(w, o, a, 0) | SHELL_WITHIN(w, o, a, 1) | SHELL_WITHIN(w, o, a, 2) | SHELL_WITHIN(w, o, a, 3))

/* Rows: offset -1, 0, 1. Columns: coordinate of the cell. */
#define SHELL_ROW(SET, w, o)                                                                                           \
    {                                                                                                                  \
        SET(SHELL_AXIS(w, o, 0)), SET(SHELL_AXIS(w, o, 1)), SET(SHELL_AXIS(w, o, 2)), SET(SHELL_AXIS(w, o, 3))         \
    }
#define SHELL_TABLE(SET, w)                                                                                            \
    {                                                                                                                  \
        SHELL_ROW(SET, w, -1), SHELL_ROW(SET, w, 0), SHELL_ROW(SET, w, 1)                                              \
    }
#define SHELL_TABLES(SET)                                                                                              \
    {                                                                                                                  \
        SHELL_TABLE(SET, 2), SHELL_TABLE(SET, 3), SHELL_TABLE(SET, 4)                                                  \
    }

static const uint64_t reach_x[3][3][4] = SHELL_TABLES(SHELL_X);
static const uint64_t reach_y[3][3][4] = SHELL_TABLES(SHELL_Y);
static const uint64_t reach_z[3][3][4] = SHELL_TABLES(SHELL_Z);

/* The cells of the block at offset o that are at most `reach` cells from cell c. */
static inline uint64_t reach_cells(unsigned reach, clump_offset o, unsigned c)
{
    CLUMP_ASSERT(reach >= 2 && reach <= 4 && c < 64);
    const unsigned x = (c & 1) | (c >> 2 & 2), y = (c >> 1 & 1) | (c >> 3 & 2), z = (c >> 2 & 1) | (c >> 4 & 2);
    return reach_x[reach - 2][o.x + 1][x] & reach_y[reach - 2][o.y + 1][y] & reach_z[reach - 2][o.z + 1][z];
}

uint64_t clump_shell_reach(const clump_shell_pair *p, unsigned c)
{
    return p->ahead ? p->b.at->cells & reach_cells(p->reach, p->ahead->o, c) : p->b.at->cells;
}

/* The cells of a block that are at most w cells from the block at offset x, y, z. */
#define SHELL_SIDE(w, o)         ((o) == 0 ? 15u : (o) > 0 ? 15u & 15u << (4 - (w)) : 15u >> (4 - (w)))
#define SHELL_BORDER(w, x, y, z) (SHELL_X(SHELL_SIDE(w, x)) & SHELL_Y(SHELL_SIDE(w, y)) & SHELL_Z(SHELL_SIDE(w, z)))
#define SHELL_BORDER_1(x, y, z)  SHELL_BORDER(1, x, y, z)
#define SHELL_BORDER_2(x, y, z)  SHELL_BORDER(2, x, y, z)
#define SHELL_BORDER_3(x, y, z)  SHELL_BORDER(3, x, y, z)
#define SHELL_BORDER_4(x, y, z)  SHELL_BORDER(4, x, y, z)
#define SHELL_BACK_1(x, y, z)    SHELL_BORDER(1, -(x), -(y), -(z))
#define SHELL_BACK_2(x, y, z)    SHELL_BORDER(2, -(x), -(y), -(z))
#define SHELL_BACK_3(x, y, z)    SHELL_BORDER(3, -(x), -(y), -(z))
#define SHELL_BACK_4(x, y, z)    SHELL_BORDER(4, -(x), -(y), -(z))

/* Rows: w - 1. */
static const uint64_t border[4][CLUMP_OFFSETS] = {{CLUMP_EACH_OFFSET(SHELL_BORDER_1)},
                                                  {CLUMP_EACH_OFFSET(SHELL_BORDER_2)},
                                                  {CLUMP_EACH_OFFSET(SHELL_BORDER_3)},
                                                  {CLUMP_EACH_OFFSET(SHELL_BORDER_4)}};
static const uint64_t back[4][CLUMP_OFFSETS] = {{CLUMP_EACH_OFFSET(SHELL_BACK_1)},
                                                {CLUMP_EACH_OFFSET(SHELL_BACK_2)},
                                                {CLUMP_EACH_OFFSET(SHELL_BACK_3)},
                                                {CLUMP_EACH_OFFSET(SHELL_BACK_4)}};

/* ----- blocks ---------------------------------------------------------------------------------------------- */

/* Returns bits of which bit 0 is 0 if no block has this hash. */
static inline uint64_t filter_bit(const clump_shell_level *at, uint32_t hash)
{
    const uint32_t bit = hash >> at->filter_shift;
    return at->filter ? at->filter[bit / 64] >> (bit % 64) : 1;
}

/* Returns the block at x, y, z, or CLUMP_NO_BLOCK. */
static inline uint32_t find_hashed(const clump_shell_level *at, uint32_t hash, int32_t x, int32_t y, int32_t z)
{
    const clump_table *const t = &at->table;
    for (uint32_t s = clump_hash_slot(hash, t->slots);;) {
        const uint32_t id = t->slot[s];
        if (id == CLUMP_NO_BLOCK) return id;
        const clump_block *const k = &at->hashed[id];
        if (k->x == x && k->y == y && k->z == z) return (uint32_t)k->place;
        if (++s == t->slots) s = 0;
    }
}

static uint32_t find_block(const clump_shell_level *at, int32_t x, int32_t y, int32_t z)
{
    const uint32_t hash = clump_hash(at->table.key, x, y, z, 0);
    return filter_bit(at, hash) & 1 ? find_hashed(at, hash, x, y, z) : CLUMP_NO_BLOCK;
}

/* The block of the next shell at corner k of block a. On each axis the two cells of that shell that a covers are the
 * lower or the upper half of a block, so they reach into that block and the one on the same side. */
static uint32_t block_of_next_shell(const clump_shell_level *grid, const clump_block *a, unsigned k)
{
    const int32_t shell = clump_shell_of_z(a->z), z = a->z - clump_shell_z(shell, 0);
    const int32_t at[3] = {a->x, a->y, z};
    int32_t to[3];
    for (unsigned axis = 0; axis < 3; axis++)
        to[axis] = (at[axis] >> 1) + (k >> axis & 1 ? (at[axis] & 1 ? 1 : -1) : 0);
    return find_block(grid, to[0], to[1], clump_shell_z(shell + 1, to[2]));
}

/* How many cells radii reach where those of the level below count: half as far. */
static inline unsigned reach_at(const clump_shell_work *w, unsigned reach)
{
    return w->halved ? (reach + 1) / 2 : reach;
}

unsigned clump_shell_find_ahead(const clump_shell_work *w, clump_shell_ref a, clump_shell_ahead *list)
{
    const clump_table *const t = &w->at->table;
    const uint64_t cells = a.at->cells, *const mine = border[reach_at(w, a.is->reach) - 1];
    const int32_t x = a.at->x, y = a.at->y, z = a.at->z;
    unsigned wanted = 0, count = 0;
    uint32_t hash[CLUMP_OFFSETS];
    for (unsigned k = 0; k < CLUMP_OFFSETS; k++) {
        const clump_offset o = clump_ahead[k].o;
        hash[k] = clump_hash(t->key, x + o.x, y + o.y, z + o.z, 0);
    }
    for (unsigned k = 0; k < CLUMP_OFFSETS; k++)
        wanted |= ((unsigned)filter_bit(w->at, hash[k]) & (unsigned)((cells & mine[k]) != 0)) << k;
    for (; wanted; wanted &= wanted - 1) {
        const unsigned k = clump_lowest(wanted);
        const clump_offset o = clump_ahead[k].o;
        const uint32_t id = find_hashed(w->at, hash[k], x + o.x, y + o.y, z + o.z);
        if (id == CLUMP_NO_BLOCK || w->at->block[id].count == 0) continue; /* 0: not filled, see shells_light.c */
        const unsigned lesser = a.is->reach < w->at->block[id].reach ? a.is->reach : w->at->block[id].reach;
        const unsigned reach = reach_at(w, lesser);
        list[count] = (clump_shell_ahead){id, k};
        count += (cells & border[reach - 1][k]) != 0 && (t->block[id].cells & back[reach - 1][k]) != 0;
    }
    for (unsigned k = 0; a.is->edge && k < 8; k++) {
        const uint32_t id = block_of_next_shell(w->at, a.at, k);
        if (id != CLUMP_NO_BLOCK && w->at->block[id].count > 0) list[count++] = (clump_shell_ahead){id, SHELL_NEXT + k};
    }
    return count;
}

clump_shell_pair clump_shell_pair_of(const clump_shell_work *w, uint32_t id, unsigned k)
{
    const clump_shell_ref a = clump_shell_ref_of(w, id);
    uint32_t other = id;
    if (k >= SHELL_NEXT) {
        other = block_of_next_shell(w->at, a.at, k - SHELL_NEXT);
    } else if (k != SHELL_INSIDE) {
        const clump_offset o = clump_ahead[k].o;
        other = find_block(w->at, a.at->x + o.x, a.at->y + o.y, a.at->z + o.z);
    }
    CLUMP_ASSERT(other != CLUMP_NO_BLOCK);
    return clump_shell_pair_with(w, a, other, k);
}

/* Adds a block to a list, where there is one with points. */
static inline void list_block(const clump_shell_level *at, clump_shell_beside *list, uint32_t id, clump_offset o,
                              unsigned reach)
{
    if (id == CLUMP_NO_BLOCK) return;
    const clump_shell_block *const is = &at->block[id];
    list->block[list->count++] = (struct clump_shell_near){id, o, (uint8_t)(is->reach < reach ? is->reach : reach)};
    list->points += is->count;
}

/* In the shell before, on each axis: the blocks whose next_shell blocks include this one. */
static void list_previous(const clump_shell_level *at, const clump_block *a, clump_shell_beside *list)
{
    const int32_t shell = clump_shell_of_z(a->z), z = a->z - clump_shell_z(shell, 0);
    for (int k = 0; k < 64; k++)
        list_block(at, list,
                   find_block(at, 2 * a->x - 1 + (k & 3), 2 * a->y - 1 + (k >> 2 & 3),
                              clump_shell_z(shell - 1, 2 * z - 1 + (k >> 4))),
                   (clump_offset){0, 0, 0}, 0);
}

void clump_shell_list_beside(const clump_shells *s, const clump_shell_level *at, clump_shell_ref a,
                             clump_shell_beside *list)
{
    /* the block itself, faces, edges, corners */
    static const uint8_t order[27] = {13, 4,  10, 12, 14, 16, 22, 1, 3, 5,  7,  9,  11, 15,
                                      17, 19, 21, 23, 25, 0,  2,  6, 8, 18, 20, 24, 26};
    const int32_t shell = clump_shell_of_z(a.at->z);
    list->count = 0, list->points = 0;
    for (unsigned k = 0; k < 27; k++) {
        const unsigned n = order[k];
        const clump_offset o = {(int8_t)(n % 3 - 1), (int8_t)(n / 3 % 3 - 1), (int8_t)(n / 9 - 1)};
        list_block(at, list, find_block(at, a.at->x + o.x, a.at->y + o.y, a.at->z + o.z), o, a.is->reach);
    }
    for (unsigned k = 0; a.is->edge && k < 8; k++)
        list_block(at, list, block_of_next_shell(at, a.at, k), (clump_offset){0, 0, 0}, 0);
    if (shell > 0 && a.is->box.least < s->limits[shell].previous) list_previous(at, a.at, list);
}

uint64_t clump_shell_reach_beside(const clump_shell_level *at, const struct clump_shell_near *b, unsigned c)
{
    const uint64_t cells = at->table.block[b->id].cells;
    return b->reach > 0 ? cells & reach_cells(b->reach, b->offset, c) : cells;
}

/* ----- points ---------------------------------------------------------------------------------------------- */

const int32_t clump_shell_lane[8][4] = {{0x1, 0x2, 0x4, 0x8},
                                        {0x10, 0x20, 0x40, 0x80},
                                        {0x100, 0x200, 0x400, 0x800},
                                        {0x1000, 0x2000, 0x4000, 0x8000},
                                        {0x10000, 0x20000, 0x40000, 0x80000},
                                        {0x100000, 0x200000, 0x400000, 0x800000},
                                        {0x1000000, 0x2000000, 0x4000000, 0x8000000},
                                        {0x10000000, 0x20000000, 0x40000000, INT32_MIN}};

/* Finds the least and the largest of n >= 1 values. */
static inline void widest(const float *v, size_t n, float *least, float *most)
{
    if (n < 4) {
        const float a = v[0], b = v[n / 2], c = v[n - 1]; /* all of them */
        const float low = a < b ? a : b, high = a > b ? a : b;
        *least = low < c ? low : c, *most = high > c ? high : c;
        return;
    }
    clump_f4 low = clump_f4_load(v + n - 4), high = low; /* may overlap the last four of the loop */
    for (size_t i = 0; i + 4 < n; i += 4) {
        const clump_f4 here = clump_f4_load(v + i);
        low = clump_f4_min(low, here), high = clump_f4_max(high, here);
    }
    *least = clump_f4_lowest(low), *most = clump_f4_highest(high);
}

clump_ranged_node clump_shell_box(clump_shell_points p, size_t begin, size_t n)
{
    CLUMP_ASSERT(n >= 1);
    clump_ranged_node box;
    widest(p.x + begin, n, &box.lower[0], &box.upper[0]);
    widest(p.y + begin, n, &box.lower[1], &box.upper[1]);
    widest(p.z + begin, n, &box.lower[2], &box.upper[2]);
    widest(p.bound + begin, n, &box.least, &box.most);
    return box;
}

/* The distance to a box is computed as that of two points, from the difference to the nearer side on each axis. Rounding
 * is monotone, so no point of the box is nearer. */
uint64_t clump_shell_near_box(clump_shell_points p, size_t begin, unsigned n, const clump_ranged_node *box)
{
    CLUMP_ASSERT(n >= 1 && n <= 64);
    const clump_f4 zero = clump_f4_set(0), most = clump_f4_set(box->most);
    const clump_f4 lx = clump_f4_set(box->lower[0]), ly = clump_f4_set(box->lower[1]), lz = clump_f4_set(box->lower[2]);
    const clump_f4 ux = clump_f4_set(box->upper[0]), uy = clump_f4_set(box->upper[1]), uz = clump_f4_set(box->upper[2]);
    uint64_t hits = 0;
    for (unsigned base = 0; base < n; base += 32) {
        clump_i4 sum = clump_i4_set(0);
        for (unsigned g = 0; g < 8 && base + 4 * g < n; g++) {
            const size_t i = begin + base + 4 * g;
            clump_f4 x = clump_f4_load(p.x + i), y = clump_f4_load(p.y + i), z = clump_f4_load(p.z + i);
            x = clump_f4_max(clump_f4_max(clump_f4_sub(lx, x), clump_f4_sub(x, ux)), zero);
            y = clump_f4_max(clump_f4_max(clump_f4_sub(ly, y), clump_f4_sub(y, uy)), zero);
            z = clump_f4_max(clump_f4_max(clump_f4_sub(lz, z), clump_f4_sub(z, uz)), zero);
            const clump_f4 bound = clump_f4_min(clump_f4_load(p.bound + i), most);
            const clump_i4 near = clump_f4_is_less(clump_f4_distance_squared(x, y, z), bound);
            sum = clump_i4_or(sum, clump_i4_and(near, clump_i4_load(clump_shell_lane[g])));
        }
        hits |= (uint64_t)(uint32_t)clump_i4_sum(sum) << base;
    }
    return hits & (UINT64_MAX >> (64 - n));
}

bool clump_shell_spans_near(clump_shell_points p, size_t a, size_t na, size_t b, size_t nb,
                            const clump_ranged_node *box_b)
{
    for (size_t i = 0; i < na; i += 64) {
        const unsigned n = na - i < 64 ? (unsigned)(na - i) : 64;
        for (uint64_t rest = clump_shell_near_box(p, a + i, n, box_b); rest; rest &= rest - 1) {
            const clump_shell_query q = clump_shell_query_of(p, a + i + clump_lowest(rest));
            for (size_t j = 0; j < nb; j += 64)
                if (clump_shell_row(&q, p, b + j, nb - j < 64 ? (unsigned)(nb - j) : 64)) return true;
        }
    }
    return false;
}
