/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile.c: see hostile.h.
 */
#include "hostile/hostile.h"

#include "support/clouds.h"
#include "support/random.h"

#include "rules/cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ----- numbers ------------------------------------------------------------------------------------ */

bool hostile_valid_distance(float d)
{
    return d > 0 && d * d >= FLT_MIN && d * d <= FLT_MAX;
}

int hostile_below(uint64_t *random, int n)
{
    return (int)(check_random(random) % (uint64_t)n);
}

float hostile_magnitude(uint64_t *random, int low, int high)
{
    const float fraction = 1 + check_random_float(random); /* one draw per statement: C does not order arguments */
    return ldexpf(fraction, low + hostile_below(random, high - low));
}

float hostile_nudge(float x, uint64_t *random)
{
    static const int steps[] = {0, 0, 0, 0, 1, -1, 1, -1, 2, -2, 3, -5, 17};
    return cloud_step(x, steps[hostile_below(random, 13)]);
}

static bool chance(uint64_t *random, int one_in)
{
    return hostile_below(random, one_in) == 0;
}

static float centred(uint64_t *random) /* [-1, 1) */
{
    return 2 * check_random_float(random) - 1;
}

static float either_sign(float x, uint64_t *random)
{
    return chance(random, 2) ? x : -x;
}

/* A vector of length 1, about evenly distributed. */
static void direction(float v[3], uint64_t *random)
{
    double length = 0;
    while (length < 0.1) {
        length = 0;
        for (int k = 0; k < 3; k++) v[k] = centred(random), length += (double)v[k] * (double)v[k];
    }
    for (int k = 0; k < 3; k++) v[k] = (float)((double)v[k] / sqrt(length));
}

static void shuffle(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = check_random(random) % i;
        float p[3];
        memcpy(p, xyz + 3 * (i - 1), sizeof p);
        memcpy(xyz + 3 * (i - 1), xyz + 3 * j, sizeof p);
        memcpy(xyz + 3 * j, p, sizeof p);
    }
}

/* ----- ties --------------------------------------------------------------------------------------- */

static float fill_grid(float *xyz, size_t count, uint64_t *random)
{
    static const int squares[] = {1, 1, 2, 3, 4, 5, 9};
    const float spacing =
        chance(random, 2) ? ldexpf(1, hostile_below(random, 40) - 20) : 0.1f * (float)(1 + hostile_below(random, 9));
    const int side = 2 + hostile_below(random, 1 + 3 * (int)cbrt((double)count)), axes = 1 + hostile_below(random, 3);
    const int shift = chance(random, 3) ? hostile_below(random, 1000) - 500 : 0;
    for (size_t i = 0; i < 3 * count; i++)
        xyz[i] = (int)(i % 3) < axes ? spacing * (float)(hostile_below(random, side) + shift) : 0;
    const float d = spacing * sqrtf((float)squares[hostile_below(random, 7)]);
    return chance(random, 3) ? hostile_nudge(d, random) : d;
}

static float fill_lattice(float *xyz, size_t count, uint64_t *random)
{
    static const float distances[] = {1, 2, 3, 5, 13, 1.5f, 1.4142135f, 1.4142137f, 1.7320508f, 2.236068f, 2.2360678f};
    const int reach = 1 + hostile_below(random, 30);
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = (float)(hostile_below(random, 2 * reach + 1) - reach);
    return distances[hostile_below(random, 11)];
}

static float fill_corners(float *xyz, size_t count, uint64_t *random)
{
    const float d = ldexpf(1, hostile_below(random, 20) - 10),
                edge = d * (chance(random, 2) ? 0.57735027f : 0.70710678f);
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = edge * (float)hostile_below(random, 4);
    for (size_t i = 0; i < 3 * count && chance(random, 2); i++) xyz[i] = hostile_nudge(xyz[i], random);
    return chance(random, 2) ? d : hostile_nudge(d, random);
}

static float fill_copies(float *xyz, size_t count, uint64_t *random)
{
    const uint64_t places = check_random(random);
    const int number = 1 + hostile_below(random, 6);
    for (size_t i = 0; i < count; i++) {
        uint64_t place = places + (uint64_t)hostile_below(random, number);
        for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = 2 * centred(&place);
    }
    return 0.01f + 3 * check_random_float(random);
}

/* Pairs at the distance along one axis, or one float beside it, far from all others. */
static float fill_pairs(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -20, 20), spread = d * hostile_magnitude(random, 1, 12);
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        for (size_t k = 0; k < 3; k++) p[k] = spread * centred(random);
        if (i % 2 == 0) continue;
        memcpy(p, p - 3, 3 * sizeof *p);
        const int axis = hostile_below(random, 3);
        p[axis] = hostile_nudge(p[axis] + either_sign(d, random), random);
    }
    shuffle(xyz, count, random);
    return d;
}

/* ----- shapes ------------------------------------------------------------------------------------- */

static float fill_line(float *xyz, size_t count, uint64_t *random)
{
    static const float ways[][3] = {{1, 0, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}};
    const float step = hostile_magnitude(random, -10, 10);
    float way[3];
    direction(way, random);
    const int choice = hostile_below(random, 5);
    if (choice < 4) memcpy(way, ways[choice], sizeof way);
    const float length = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    double at = 50 * (double)step * (double)centred(random);
    for (size_t i = 0; i < count; i++) {
        at += (double)step * (chance(random, 3) ? 1 + 1e-6 * (double)centred(random) : 1);
        for (size_t k = 0; k < 3; k++) {
            const float x = (float)(at * (double)(way[k] / length));
            xyz[3 * i + k] = chance(random, 4) ? hostile_nudge(x, random) : x;
        }
    }
    shuffle(xyz, count, random);
    return hostile_nudge(step, random);
}

static float fill_plane(float *xyz, size_t count, uint64_t *random)
{
    const size_t up = (size_t)hostile_below(random, 3);
    const float tilt = chance(random, 2) ? check_random_float(random) : 0;
    const float side = sqrtf((float)count * (0.1f + check_random_float(random)));
    for (size_t i = 0; i < count; i++) {
        const float a = side * check_random_float(random), b = side * check_random_float(random);
        xyz[3 * i + up] = tilt * a + tilt * tilt * b;
        xyz[3 * i + (up + 1) % 3] = a;
        xyz[3 * i + (up + 2) % 3] = b;
    }
    return 0.3f + check_random_float(random);
}

static float fill_plates(float *xyz, size_t count, uint64_t *random)
{
    const float d = 0.1f + check_random_float(random), width = d * (0.05f + 0.6f * check_random_float(random));
    const float base = chance(random, 2) ? 0 : 500 * centred(random);
    const size_t up = (size_t)hostile_below(random, 3);
    for (size_t i = 0; i < count; i++) {
        const int plate = hostile_below(random, 3) - 1;
        xyz[3 * i + up] = plate ? hostile_nudge(base + (float)plate * d, random) : base;
        for (size_t k = 1; k < 3; k++) {
            const float outside = chance(random, 20) ? d : 0;
            xyz[3 * i + (up + k) % 3] = width * check_random_float(random) + outside;
        }
    }
    return d;
}

static float fill_shell(float *xyz, size_t count, uint64_t *random)
{
    const float radius = 0.5f + 4 * check_random_float(random);
    float centre[3];
    for (int k = 0; k < 3; k++) centre[k] = chance(random, 2) ? 0 : 50 * centred(random);
    for (size_t i = 0; i < count; i++) {
        float v[3];
        direction(v, random);
        const float r = i <= count / 50 ? 0 : radius * (1 + 1e-7f * centred(random));
        for (size_t k = 0; k < 3; k++) {
            const float x = centre[k] + r * v[k];
            xyz[3 * i + k] = chance(random, 3) ? hostile_nudge(x, random) : x;
        }
    }
    return radius;
}

static float fill_shells(float *xyz, size_t count, uint64_t *random)
{
    const float d = 0.2f + check_random_float(random), radius = d * (0.3f + 20 * check_random_float(random));
    const float gap = d * (1 + (chance(random, 3) ? 1e-3f : 1e-7f * (float)hostile_below(random, 5)));
    for (size_t i = 0; i < count; i++) {
        float v[3];
        direction(v, random);
        if (chance(random, 3)) v[2] *= 0.01f;
        const float r = chance(random, 2) ? radius : radius + gap;
        for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = r * v[k];
    }
    return d;
}

void hostile_around(hostile_kind kind, float *xyz, size_t count, const float *centre, double radius, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        const double u = (double)check_random_float(random), v = 2 * (double)check_random_float(random) - 1;
        const double w = (double)centred(random), turn = 6.283185307179586 * u, rim = sqrt(1 - v * v);
        double p[3] = {0, 0, 0};
        if (i % 2 == 0) {
            p[0] = 2e-4 * radius * v;
            if (kind == HOSTILE_BALL) p[1] = 2e-4 * radius * w, p[2] = 1e-4 * radius * (u + w);
        } else if (kind == HOSTILE_BALL) {
            p[0] = radius * v, p[1] = radius * rim * cos(turn), p[2] = radius * rim * sin(turn);
        } else {
            p[1] = radius * cos(turn), p[2] = radius * sin(turn);
        }
        for (int k = 0; k < 3; k++) xyz[3 * i + (size_t)k] = (float)((double)centre[k] + (i > 0 ? p[k] : 0));
    }
}

/* The gap to the distance: from a tie to one part in a hundred, mostly above 0. */
static float fill_around(hostile_kind kind, float *xyz, size_t count, uint64_t *random)
{
    const float d = chance(random, 2) ? 0.5f : hostile_magnitude(random, -10, 10);
    const double gap = chance(random, 4) ? 0 : pow(10, -2 - 5 * (double)check_random_float(random));
    float centre[3];
    for (int k = 0; k < 3; k++) centre[k] = chance(random, 3) ? 0 : d * hostile_magnitude(random, 0, 8);
    hostile_around(kind, xyz, count, centre, (double)d * (chance(random, 8) ? 1 - gap : 1 + gap), random);
    return d;
}

static float fill_circle(float *xyz, size_t count, uint64_t *random)
{
    return fill_around(HOSTILE_CIRCLE, xyz, count, random);
}

static float fill_ball(float *xyz, size_t count, uint64_t *random)
{
    return fill_around(HOSTILE_BALL, xyz, count, random);
}

static float fill_star(float *xyz, size_t count, uint64_t *random)
{
    const int rays = 2 + hostile_below(random, 20);
    for (size_t i = 0; i < count; i++) {
        const double angle = 6.283185307179586 * hostile_below(random, rays) / rays;
        const float along = hostile_magnitude(random, -6, 6);
        xyz[3 * i] = along * (float)cos(angle);
        xyz[3 * i + 1] = along * (float)sin(angle);
        xyz[3 * i + 2] = chance(random, 2) ? 0.1f * along : 0;
    }
    return hostile_magnitude(random, -7, 2);
}

static float fill_helix(float *xyz, size_t count, uint64_t *random)
{
    const double step = 0.01 + (double)check_random_float(random), radius = 3 * (double)check_random_float(random);
    for (size_t i = 0; i < count; i++) {
        const double t = (double)i * step;
        xyz[3 * i] = (float)(radius * cos(t));
        xyz[3 * i + 1] = (float)(radius * sin(t));
        xyz[3 * i + 2] = (float)(0.1 * t);
    }
    if (count < 2) return 1;
    const float x = xyz[0] - xyz[3], y = xyz[1] - xyz[4], z = xyz[2] - xyz[5];
    return hostile_nudge(sqrtf(x * x + y * y + z * z), random);
}

static float fill_heaps(float *xyz, size_t count, uint64_t *random)
{
    const uint64_t places = check_random(random);
    const int heaps = 1 + hostile_below(random, 6);
    for (size_t i = 0; i < count; i++) {
        uint64_t heap = places + (uint64_t)hostile_below(random, heaps);
        for (size_t k = 0; k < 3; k++) {
            xyz[3 * i + k] = 10 * centred(&heap);
            for (int turn = 0; turn < 3; turn++) xyz[3 * i + k] += centred(random);
        }
    }
    return 0.05f + 0.6f * check_random_float(random);
}

static float fill_cantor(float *xyz, size_t count, uint64_t *random)
{
    const int depth = 2 + hostile_below(random, 9), level = hostile_below(random, depth + 1);
    for (size_t i = 0; i < 3 * count; i++) {
        double x = 0, part = 1;
        for (int k = 0; k < depth; k++) part /= 3, x += chance(random, 2) ? 2 * part : 0;
        xyz[i] = (float)x;
    }
    double d = 1;
    for (int k = 0; k < level; k++) d /= 3;
    return chance(random, 2) ? (float)d : hostile_nudge((float)d, random);
}

/* ----- magnitudes --------------------------------------------------------------------------------- */

static float fill_denormal(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < 3 * count; i++) {
        const int exponent = chance(random, 3) ? -60 - hostile_below(random, 70) : -126 - hostile_below(random, 24);
        xyz[i] = ldexpf(centred(random), exponent);
    }
    return hostile_magnitude(random, -63, -60);
}

static float fill_offset(float *xyz, size_t count, uint64_t *random)
{
    const float size = hostile_magnitude(random, -7, 7);
    float offset[3];
    for (int k = 0; k < 3; k++) offset[k] = either_sign(hostile_magnitude(random, 10, 30), random);
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = offset[i % 3] + size * centred(random);
    const float gap = cloud_step(fabsf(offset[0]), 1) - fabsf(offset[0]); /* of two floats there */
    return chance(random, 3) ? gap * (float)(1 + hostile_below(random, 4))
                             : size * (0.001f + 0.5f * check_random_float(random));
}

static float fill_scales(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = either_sign(hostile_magnitude(random, -120, 127), random);
    return hostile_magnitude(random, -60, 60);
}

static float fill_small_d(float *xyz, size_t count, uint64_t *random)
{
    const float size = hostile_magnitude(random, 0, 33), d = size * hostile_magnitude(random, -46, -6);
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = size * centred(random);
    for (size_t i = 0; i < count / 2; i++) {
        float *const p = xyz + 3 * (check_random(random) % count);
        const float *const q = xyz + 3 * (check_random(random) % count);
        for (int k = 0; k < 3; k++) p[k] = q[k];
        const int axis = hostile_below(random, 3);
        p[axis] = hostile_nudge(q[axis] + d, random);
    }
    return d;
}

static float fill_large_d(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < 3 * count; i++) {
        const int exponent = -3 * hostile_below(random, 10);
        xyz[i] = ldexpf(centred(random), exponent);
    }
    return hostile_magnitude(random, 0, 63);
}

static float fill_exponential(float *xyz, size_t count, uint64_t *random)
{
    const int base = hostile_below(random, 3);
    for (size_t i = 0; i < 3 * count; i++) {
        const int e = hostile_below(random, 60) - 30;
        const float x = base == 2 ? (float)exp2(0.8 * e) : ldexpf(base ? 1.5f : 1, e);
        xyz[i] = chance(random, 4) ? 0 : either_sign(x, random);
    }
    const int exponent = hostile_below(random, 50) - 25;
    const float d = ldexpf(chance(random, 2) ? 1 : 1.4142135f, exponent);
    return chance(random, 4) ? hostile_nudge(d, random) : d;
}

/* What a sensor at the origin sees over many octaves; the heaps grow with the range, as eps_per_metre does. */
static float fill_octaves(float *xyz, size_t count, uint64_t *random)
{
    const int octaves = 2 + hostile_below(random, 60);
    const float growth = hostile_magnitude(random, -10, 0), d = hostile_magnitude(random, -30, 0);
    float at[3] = {0, 0, 0}, range = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % 5 == 0) {
            range = d * hostile_magnitude(random, 0, octaves);
            direction(at, random);
        }
        for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = range * at[k] + growth * range * centred(random);
    }
    return d;
}

static float fill_overflow(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < 3 * count; i++) {
        const float x =
            chance(random, 3) ? cloud_step(FLT_MAX, -hostile_below(random, 3)) : hostile_magnitude(random, 55, 127);
        xyz[i] = chance(random, 4) ? 0 : either_sign(x, random);
    }
    for (size_t i = 1; i < count; i++)
        if (chance(random, 2)) memcpy(xyz + 3 * i, xyz + 3 * (check_random(random) % i), 3 * sizeof *xyz);
    return chance(random, 2) ? hostile_magnitude(random, 55, 63) : hostile_magnitude(random, -20, 20);
}

static float fill_not_finite(float *xyz, size_t count, uint64_t *random)
{
    static const float odd[] = {NAN,      INFINITY, -INFINITY,    -0.0f,    FLT_MAX,
                                -FLT_MAX, FLT_MIN,  FLT_TRUE_MIN, -FLT_MIN, -FLT_TRUE_MIN};
    for (size_t i = 0; i < 3 * count; i++)
        xyz[i] = chance(random, 5) ? odd[hostile_below(random, 10)] : 2 * centred(random);
    return 0.05f + check_random_float(random);
}

/* ----- the limits of rules/cell.h ------------------------------------------------------------------ */

static double cell_edge(float d, bool two_d)
{
    return 1 / clump_cell_rule_make(d, two_d).inverse;
}

/* Edges are at whole numbers and a half, as numbers are rounded to the nearest. */
static void fill_edges(float *xyz, size_t count, uint64_t *random, double edge, int step)
{
    const int side = 2 + hostile_below(random, 6),
              shift = chance(random, 3) ? hostile_below(random, 100000) - 50000 : 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const int at = step * (hostile_below(random, side) - side / 2) + shift;
        xyz[i] = hostile_nudge((float)((at + (chance(random, 3) ? 0 : 0.5)) * edge), random);
    }
}

static float fill_cell_edges(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -12, 12);
    fill_edges(xyz, count, random, cell_edge(d, chance(random, 2)), 1);
    return d;
}

/* A pair that begins at the corner of a cell. It ends at the opposite corner, both points a few floats inside of the
 * cell; or the distance away. sign: the octant. */
static void cell_pair(float *p, float *q, double edge, float d, const float sign[3], uint64_t *random)
{
    static const float ways[][3] = {{1, 0, 0},       {0, 1, 0},
                                    {0, 0, 1},       {0.70710678f, 0.70710678f, 0},
                                    {0.8f, 0, 0.6f}, {0.57735027f, 0.57735027f, 0.57735027f}};
    const float *const way = ways[hostile_below(random, 6)];
    const bool corner = chance(random, 2);
    const int inside = hostile_below(random, 3);
    for (int k = 0; k < 3; k++) {
        const float from = (float)(4.5 * edge), to = corner ? (float)(3.5 * edge) : from - d * way[k];
        p[k] = sign[k] * (corner ? cloud_step(from, -inside) : hostile_nudge(from, random));
        q[k] = sign[k] * (corner ? cloud_step(to, inside) : hostile_nudge(to, random));
    }
}

/* Eight pairs, one per octant, near the origin: there the floats are much closer than the margins of cell.h. The other
 * points are copies, which join nothing. */
static float fill_cell_pairs(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -12, 12);
    const double edges[] = {cell_edge(d, false), cell_edge(d, true), 1 / clump_voxel_rule_make(d).inverse};
    const double edge = edges[hostile_below(random, 3)];
    float pairs[16][3];
    for (int i = 0; i < 8; i++) {
        const float sign[3] = {i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
        cell_pair(pairs[2 * i], pairs[2 * i + 1], edge, d, sign, random);
    }
    for (size_t i = 0; i < count; i++)
        memcpy(xyz + 3 * i, pairs[i < 16 ? i : check_random(random) % 16], sizeof *pairs);
    return chance(random, 3) ? hostile_nudge(d, random) : d;
}

static float fill_block_edges(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -12, 12);
    fill_edges(xyz, count, random, cell_edge(d, chance(random, 2)), 4);
    return d;
}

static float fill_voxel_edges(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -12, 12);
    fill_edges(xyz, count, random, 1 / clump_voxel_rule_make(d).inverse, 1);
    return d;
}

static float far_of(float d, uint64_t *random)
{
    return chance(random, 3) ? clump_voxel_rule_make(d).far : clump_cell_rule_make(d, chance(random, 2)).far;
}

static float fill_far_limit(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -15, 15), far = far_of(d, random);
    for (size_t i = 0; i < 3 * count; i++) {
        const int where = hostile_below(random, 5);
        const float x = where < 3    ? cloud_step(far, hostile_below(random, 7) - 3)
                        : where == 3 ? d * (float)hostile_below(random, 3)
                                     : cloud_step(0.5f * far, hostile_below(random, 7) - 3);
        xyz[i] = either_sign(x, random);
    }
    return d;
}

/* Numbers of cells jump at the far limit. Some points lie on either side of the jump along one axis or several. */
static float fill_far_pairs(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -20, 20), far = far_of(d, random);
    const int axes = 1 + hostile_below(random, 3);
    for (size_t i = 0; i < 3 * count; i++) {
        xyz[i] = (int)(i % 3) < axes ? far : d * (float)hostile_below(random, 2);
        if ((int)(i % 3) < axes && chance(random, 4)) xyz[i] = cloud_step(far, -hostile_below(random, 1000));
        if ((int)(i % 3) < axes && chance(random, 8)) xyz[i] = cloud_step(far, hostile_below(random, 1000));
    }
    return d;
}

static float fill_strides(float *xyz, size_t count, uint64_t *random)
{
    const float d = hostile_magnitude(random, -12, 12);
    const double edge = cell_edge(d, false);
    const int bits = 2 + hostile_below(random, 16), side = 2 + hostile_below(random, 8);
    for (size_t i = 0; i < 3 * count; i++) {
        const int beside = chance(random, 8) ? 1 : 0;
        xyz[i] = (float)(edge * (ldexp(hostile_below(random, side) - side / 2, bits) + beside));
    }
    return d;
}

/* ----- all ---------------------------------------------------------------------------------------- */

static float fill_classic(float *xyz, size_t count, uint64_t *random)
{
    return cloud_fill((cloud_shape)hostile_below(random, CLOUD_SHAPES), xyz, count, random);
}

static float fill_union(float *xyz, size_t count, uint64_t *random)
{
    const size_t half = count / 2;
    const float a = hostile_fill((hostile_kind)hostile_below(random, HOSTILE_UNION), xyz, half, random);
    const float b =
        hostile_fill((hostile_kind)hostile_below(random, HOSTILE_UNION), xyz + 3 * half, count - half, random);
    shuffle(xyz, count, random);
    return half && chance(random, 2) ? a : b;
}

static const struct {
    const char *name;
    float (*fill)(float *xyz, size_t count, uint64_t *random);
} kinds[HOSTILE_KINDS] = {
    [HOSTILE_GRID] = {"grid", fill_grid},
    [HOSTILE_COPIES] = {"copies", fill_copies},
    [HOSTILE_DENORMAL] = {"denormal", fill_denormal},
    [HOSTILE_OFFSET] = {"offset", fill_offset},
    [HOSTILE_SCALES] = {"scales", fill_scales},
    [HOSTILE_LINE] = {"line", fill_line},
    [HOSTILE_PLANE] = {"plane", fill_plane},
    [HOSTILE_SMALL_D] = {"small-d", fill_small_d},
    [HOSTILE_LARGE_D] = {"large-d", fill_large_d},
    [HOSTILE_PLATES] = {"plates", fill_plates},
    [HOSTILE_SHELL] = {"shell", fill_shell},
    [HOSTILE_SHELLS] = {"shells", fill_shells},
    [HOSTILE_CIRCLE] = {"circle", fill_circle},
    [HOSTILE_BALL] = {"ball", fill_ball},
    [HOSTILE_CELL_EDGES] = {"cell-edges", fill_cell_edges},
    [HOSTILE_CELL_PAIRS] = {"cell-pairs", fill_cell_pairs},
    [HOSTILE_BLOCK_EDGES] = {"block-edges", fill_block_edges},
    [HOSTILE_VOXEL_EDGES] = {"voxel-edges", fill_voxel_edges},
    [HOSTILE_FAR_LIMIT] = {"far-limit", fill_far_limit},
    [HOSTILE_FAR_PAIRS] = {"far-pairs", fill_far_pairs},
    [HOSTILE_EXPONENTIAL] = {"exponential", fill_exponential},
    [HOSTILE_OCTAVES] = {"octaves", fill_octaves},
    [HOSTILE_CANTOR] = {"cantor", fill_cantor},
    [HOSTILE_STAR] = {"star", fill_star},
    [HOSTILE_LATTICE] = {"lattice", fill_lattice},
    [HOSTILE_HEAPS] = {"heaps", fill_heaps},
    [HOSTILE_CORNERS] = {"corners", fill_corners},
    [HOSTILE_HELIX] = {"helix", fill_helix},
    [HOSTILE_PAIRS] = {"pairs", fill_pairs},
    [HOSTILE_STRIDES] = {"strides", fill_strides},
    [HOSTILE_OVERFLOW] = {"overflow", fill_overflow},
    [HOSTILE_NOT_FINITE] = {"not-finite", fill_not_finite},
    [HOSTILE_CLASSIC] = {"classic", fill_classic},
    [HOSTILE_UNION] = {"union", fill_union},
};

const char *hostile_kind_name(hostile_kind kind)
{
    return (unsigned)kind < HOSTILE_KINDS ? kinds[kind].name : "none";
}

float hostile_fill(hostile_kind kind, float *xyz, size_t count, uint64_t *random)
{
    const float d = kinds[kind].fill(xyz, count, random);
    return hostile_valid_distance(d) ? d : 1;
}
