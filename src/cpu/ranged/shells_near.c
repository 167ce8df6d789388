/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_near.c: which blocks, cells and points can be neighbours (shells_work.h).
 */
#include "cpu/ranged/shells_work.h"

/* ----- cells ----------------------------------------------------------------------------------------------- */

/* The cells of a block whose x, y or z is in a set of four bits, in Morton order (grid/shells.h). */
#define SHELL_BITS(set, odd, high)                                                                                     \
    (((set)&1 ? ~(odd) & ~(high) : 0) | ((set)&2 ? (odd) & ~(high) : 0) | ((set)&4 ? ~(odd) & (high) : 0) |            \
     ((set)&8 ? (odd) & (high) : 0))
#define SHELL_X(set) SHELL_BITS(set, UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xff00ff00ff00ff00))
#define SHELL_Y(set) SHELL_BITS(set, UINT64_C(0xcccccccccccccccc), UINT64_C(0xffff0000ffff0000))
#define SHELL_Z(set) SHELL_BITS(set, UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xffffffff00000000))

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

uint64_t clump_shell_reach(const clump_shell_pair *p, unsigned c)
{
    if (!p->ahead) return p->b.at->cells;
    CLUMP_ASSERT(p->reach >= 2 && p->reach <= 4 && c < 64);
    const unsigned x = (c & 1) | (c >> 2 & 2), y = (c >> 1 & 1) | (c >> 3 & 2), z = (c >> 2 & 1) | (c >> 4 & 2);
    const clump_offset o = p->ahead->o;
    return p->b.at->cells & reach_x[p->reach - 2][o.x + 1][x] & reach_y[p->reach - 2][o.y + 1][y] &
           reach_z[p->reach - 2][o.z + 1][z];
}

/* ----- blocks ---------------------------------------------------------------------------------------------- */

static uint32_t find_block(const clump_shell_work *w, int32_t x, int32_t y, int32_t z)
{
    const clump_table *const t = &w->at->table;
    const uint32_t hash = clump_hash(t->key, x, y, z, 0), bit = hash >> w->at->filter_shift;
    if (!(w->at->filter[bit / 64] >> (bit % 64) & 1)) return CLUMP_NO_BLOCK;
    for (uint32_t s = clump_hash_slot(hash, t->slots);;) {
        const uint32_t id = t->slot[s];
        if (id == CLUMP_NO_BLOCK) return id;
        const clump_block *const k = &t->block[id];
        if (k->x == x && k->y == y && k->z == z) return id;
        if (++s == t->slots) s = 0;
    }
}

/* The block of the next shell at corner k of block a. On each axis the two cells of that shell that a covers are the
 * lower or the upper half of a block, so they reach into that block and the one on the same side. */
static uint32_t block_of_next_shell(const clump_shell_work *w, const clump_block *a, unsigned k)
{
    const int32_t shell = clump_shell_of_z(a->z), z = a->z - clump_shell_z(shell, 0);
    const int32_t at[3] = {a->x, a->y, z};
    int32_t to[3];
    for (unsigned axis = 0; axis < 3; axis++)
        to[axis] = (at[axis] >> 1) + (k >> axis & 1 ? (at[axis] & 1 ? 1 : -1) : 0);
    return find_block(w, to[0], to[1], clump_shell_z(shell + 1, to[2]));
}

clump_shell_pair clump_shell_pair_of(const clump_shell_work *w, uint32_t id, unsigned k)
{
    clump_shell_pair p = {.a = clump_shell_ref_of(w, id)};
    uint32_t other = id;
    if (k < SHELL_NEXT) {
        p.ahead = &clump_ahead[k];
        const clump_offset o = p.ahead->o;
        if (k != SHELL_INSIDE) other = find_block(w, p.a.at->x + o.x, p.a.at->y + o.y, p.a.at->z + o.z);
    } else {
        other = block_of_next_shell(w, p.a.at, k - SHELL_NEXT);
    }
    if (other == CLUMP_NO_BLOCK) return p;
    p.b = clump_shell_ref_of(w, other);
    p.reach = p.a.is->reach < p.b.is->reach ? p.a.is->reach : p.b.is->reach;
    return p;
}

/* ----- points ---------------------------------------------------------------------------------------------- */

/* The distance to a box is computed as that of two points, from the difference to the nearer side on each axis. Rounding
 * is monotone, so no point of the box is nearer. */
uint64_t clump_shell_beside(const clump_point *points, unsigned n, const clump_ranged_node *box)
{
    CLUMP_ASSERT(n >= 1 && n <= 64);
    const clump_f4 zero = clump_f4_set(0), most = clump_f4_set(box->most);
    const clump_f4 lx = clump_f4_set(box->lower[0]), ly = clump_f4_set(box->lower[1]), lz = clump_f4_set(box->lower[2]);
    const clump_f4 ux = clump_f4_set(box->upper[0]), uy = clump_f4_set(box->upper[1]), uz = clump_f4_set(box->upper[2]);
    uint64_t hits = 0;
    for (unsigned i = 0; i < n; i += 4) {
        clump_f4 x, y, z, bound;
        clump_f4_load_fours(&points[i].x, &x, &y, &z, &bound);
        x = clump_f4_max(clump_f4_max(clump_f4_sub(lx, x), clump_f4_sub(x, ux)), zero);
        y = clump_f4_max(clump_f4_max(clump_f4_sub(ly, y), clump_f4_sub(y, uy)), zero);
        z = clump_f4_max(clump_f4_max(clump_f4_sub(lz, z), clump_f4_sub(z, uz)), zero);
        hits |= (uint64_t)clump_f4_less(clump_f4_distance_squared(x, y, z), clump_f4_min(bound, most)) << i;
    }
    return hits & (UINT64_MAX >> (64 - n));
}

/* Whether some of n points is a neighbour of p. */
static bool near_some(const clump_shell_query *p, const clump_point *points, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        if (clump_shell_four(p, points + i)) return true;
    return i < n && (clump_shell_four(p, points + i) & ((1u << (n - i)) - 1));
}

bool clump_shell_spans_near(const clump_point *a, size_t na, const clump_point *b, size_t nb,
                            const clump_ranged_node *box_b)
{
    for (size_t i = 0; i < na; i += 64) {
        const unsigned n = na - i < 64 ? (unsigned)(na - i) : 64;
        for (uint64_t rest = clump_shell_beside(a + i, n, box_b); rest; rest &= rest - 1) {
            const clump_shell_query p = clump_shell_query_of(a[i + clump_lowest(rest)]);
            if (near_some(&p, b, nb)) return true;
        }
    }
    return false;
}
