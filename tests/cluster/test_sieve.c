/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sieve.c: two large sets of which nearly all pairs are nearly d apart (cpu/grid/sieve.h), and DBSCAN on them with
 * a min_points so large that it has to count (cpu/dbscan/density_dense.c). The answers must be those of all pairs at
 * the last bit of d, without a test of all pairs. The work is counted, not timed.
 */
#include "support/check.h"
#include "support/calls.h"

#include "support/clouds.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"

#include "core/context.h"
#include "cpu/dbscan/dbscan.h"
#include "cpu/grid/patches.h"

#include <math.h>

#define TAU 6.283185307179586

/* ----- shapes ------------------------------------------------------------------------------------ */

/* Pairs of sets with d = 1. r is the size of the smaller set, gap is what the sets miss each other by. */
typedef enum shape {
    BALL_IN_SHELL,   /* a: points of a ball;            b: the sphere around the ball, 1 + gap away from the ball */
    SPHERE_IN_SHELL, /* a: the surface of that ball */
    BALL_IN_HALF,    /* b: half of that sphere */
    CUBE_IN_SHELL,   /* a: a cube in that ball */
    AXIS_IN_CIRCLE,  /* a: a line of length 2 r;        b: the circle around its middle, radius 1 + gap */
    CAPS,            /* a: a cap of a sphere;           b: the cap around it, with the same centre */
    CAPS_OPPOSED,    /* b: a cap that bends the other way */
    WALLS,           /* a and b: squares of side r, parallel */
    LINES,           /* a and b: lines of length 2 r, normal to each other */
    RINGS,           /* a: an arc in a plane;           b: the arc around it, with the same centre */
    BALLS,           /* a and b: balls of radius r, centres 1 + gap apart */
    CUBES,           /* a and b: cubes of side r, centres 1 + gap apart along a diagonal */
    LATTICES,        /* the same with coordinates that are multiples of r / 8 */
    SHAPES
} shape;

static const char *const shape_names[SHAPES] = {"ball in shell", "sphere in shell", "ball in half shell",
                                                "cube in shell", "axis in circle",  "caps",
                                                "opposed caps",  "walls",           "lines",
                                                "rings",         "balls",           "cubes",
                                                "lattices"};

static double uniform(uint64_t *random)
{
    return (double)(check_random(random) >> 11) * 0x1p-53;
}

/* On the sphere of radius 1, within an angle of the z axis whose cosine is given. */
static void on_sphere(double *p, double cosine, uint64_t *random)
{
    const double z = 1 - uniform(random) * (1 - cosine), angle = TAU * uniform(random), rim = sqrt(1 - z * z);
    p[0] = rim * cos(angle), p[1] = rim * sin(angle), p[2] = z;
}

static void in_ball(double *p, uint64_t *random)
{
    do {
        for (int k = 0; k < 3; k++) p[k] = 2 * uniform(random) - 1;
    } while (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 1);
}

static void scale(double *p, double by)
{
    for (int k = 0; k < 3; k++) p[k] *= by;
}

static void shape_point(shape s, bool second, double r, double gap, double *p, uint64_t *random)
{
    const double u = uniform(random), v = uniform(random);
    p[0] = p[1] = p[2] = 0;
    switch (s) {
    case BALL_IN_SHELL:
    case SPHERE_IN_SHELL:
    case BALL_IN_HALF:
    case CUBE_IN_SHELL:
        if (second)
            on_sphere(p, s == BALL_IN_HALF ? 0 : -1, random), scale(p, 1 + gap + r);
        else if (s == SPHERE_IN_SHELL)
            on_sphere(p, -1, random), scale(p, r);
        else if (s == CUBE_IN_SHELL)
            for (int k = 0; k < 3; k++) p[k] = (2 * uniform(random) - 1) * r / sqrt(3);
        else
            in_ball(p, random), scale(p, r);
        break;
    case AXIS_IN_CIRCLE:
        if (second)
            p[0] = (1 + gap) * cos(TAU * u), p[1] = (1 + gap) * sin(TAU * u);
        else
            p[2] = (2 * u - 1) * r;
        break;
    case CAPS:
        on_sphere(p, 0.97, random), scale(p, second ? 2 + gap : 1), p[2] -= 1.5;
        break;
    case CAPS_OPPOSED:
        on_sphere(p, 0.97, random), p[2] = second ? 1 + gap + 1 - p[2] : p[2] - 1;
        break;
    case WALLS:
        p[0] = (u - 0.5) * r, p[1] = (v - 0.5) * r, p[2] = second ? 1 + gap : 0;
        break;
    case LINES:
        p[second ? 0 : 1] = (2 * u - 1) * r, p[2] = second ? 1 + gap : 0;
        break;
    case RINGS:
        p[0] = (second ? 1.5 + gap : 0.5) * cos(0.3 * u), p[1] = (second ? 1.5 + gap : 0.5) * sin(0.3 * u);
        break;
    case BALLS:
        in_ball(p, random), scale(p, r), p[0] += second ? 1 + gap : 0;
        break;
    case CUBES:
    case LATTICES:
        for (int k = 0; k < 3; k++) {
            const double w = uniform(random);
            p[k] = (s == LATTICES ? floor(8 * w) / 8 : w) * r + (second ? (1 + gap) / sqrt(3) : 0);
        }
        break;
    default:
        break;
    }
}

/* A rotation that no axis is special to; the identity for 0. */
typedef struct rotation {
    double m[3][3];
} rotation;

static rotation rotation_of(double angle)
{
    const double c = cos(angle), s = sin(angle), e = cos(2 * angle), t = sin(2 * angle);
    return (rotation){{{c, -s, 0}, {e * s, e * c, -t}, {t * s, t * c, e}}};
}

static void fill(shape s, clump_point *a, size_t na, clump_point *b, size_t nb, double r, double gap, rotation turn,
                 double size, const double *at, uint64_t *random)
{
    for (size_t i = 0; i < na + nb; i++) {
        double p[3], q[3];
        shape_point(s, i >= na, r, gap, p, random);
        for (int k = 0; k < 3; k++)
            q[k] = at[k] + size * (turn.m[k][0] * p[0] + turn.m[k][1] * p[1] + turn.m[k][2] * p[2]);
        *(i < na ? &a[i] : &b[i - na]) =
            (clump_point){(float)q[0], (float)q[1], (float)q[2], (uint32_t)(i < na ? i : 0)};
    }
}

static inline float square(clump_point p, clump_point q)
{
    const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    return ((dx * dx) + (dy * dy)) + (dz * dz);
}

/* As fminf(), which is a call on x86: too slow for all pairs. */
static inline float lesser(float a, float b)
{
    return b < a ? b : a;
}

/* ----- the answer ---------------------------------------------------------------------------------- */

enum { MOST = 700 };

static clump_point sets[2][MOST], copies[2][MOST];
static uint32_t counts[MOST], expected[MOST];

/* The sieve against all pairs, for one bound. Adds 1 to *hits if there is a pair. */
static void compare(size_t na, size_t nb, float bound, uint32_t needed, const char *name, long round, long *hits)
{
    size_t work = 0, pairs = 0;
    for (size_t i = 0; i < na; i++) {
        expected[i] = counts[i] = 0;
        for (size_t j = 0; j < nb; j++) expected[i] += square(sets[0][i], sets[1][j]) < bound;
        pairs += expected[i];
    }
    memcpy(copies, sets, sizeof sets);
    const bool any = clump_sieve_any(copies[0], na, copies[1], nb, bound, NULL, &work);
    CHECK_MSG(any == (pairs > 0), "%s, round %ld: %zu and %zu points, bound %.9g, %zu pairs", name, round, na, nb,
              (double)bound, pairs);
    memcpy(copies, sets, sizeof sets);
    clump_sieve_count(copies[0], na, copies[1], nb, bound, needed, counts, NULL, &work);
    for (size_t i = 0; i < na; i++)
        if (counts[i] < needed || expected[i] < needed)
            CHECK_MSG(counts[i] == expected[i], "%s, round %ld: %zu and %zu points, bound %.9g, point %zu: %u, not %u",
                      name, round, na, nb, (double)bound, i, counts[i], expected[i]);
    *hits += any;
}

/* Bounds at the distances of pairs, one float below, and one above: the least distance, and that of some pair. */
static void agrees_with_all_pairs(void)
{
    uint64_t random = 41;
    long hits = 0, total = 0;
    const int rounds = check_rounds(CLOUD_WATCHED ? 60 : 130);
    for (long round = 0; round < rounds; round++) {
        const shape s = (shape)(round % SHAPES);
        const size_t na = 65 + check_random(&random) % (MOST - 64), nb = 65 + check_random(&random) % (MOST - 64);
        const double r = 0.5 * pow(10, -7 * uniform(&random)), gap = pow(10, -1 - 7 * uniform(&random));
        const double size = ldexp(1 + uniform(&random), (int)(check_random(&random) % 121) - 60);
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = round % 3 ? 0 : size * pow(10, 3 * uniform(&random)) * (2 * uniform(&random) - 1);
        fill(s, sets[0], na, sets[1], nb, r, round % 5 ? gap : -gap,
             rotation_of(round % 4 ? TAU * uniform(&random) : 0), size, at, &random);
        float least = INFINITY;
        for (size_t i = 0; i < na * nb; i++) least = lesser(least, square(sets[0][i / nb], sets[1][i % nb]));
        const float other = square(sets[0][check_random(&random) % na], sets[1][check_random(&random) % nb]);
        for (int step = -2; step <= 3; step++) {
            const float bound = cloud_step(step < 1 ? least : other, step < 1 ? step + 1 : step - 2);
            if (sqrt((double)bound) < size / 4) continue; /* sets must be closer than 8 d */
            const uint32_t needed = check_random(&random) % 2 ? UINT32_MAX : 1 + (uint32_t)(check_random(&random) % nb);
            compare(na, nb, bound, needed, shape_names[s], round, &hits);
            total++;
        }
    }
    CHECK_MSG(hits > total / 4 && hits < total - total / 10, "%ld of %ld: the test does not test", hits, total);
}

/* ----- the work ------------------------------------------------------------------------------------ */

/* Points looked at and pairs tested, per point; all pairs would be n / 2. */
static void expect_work(const char *name, const char *what, size_t n, size_t work, double most)
{
    const double per_point = (double)work / (2 * (double)n);
    CHECK_MSG(per_point <= most, "%s, %s: %zu points: %.0f looks per point, at most %.0f allowed", name, what, n,
              per_point, most);
}

/* A set as it lies in the library's arrays. */
static clump_point *lay_out(const clump_point *points, size_t n)
{
    clump_point *const all = malloc(clump_dense_entries(n) * sizeof *all);
    if (!all) abort();
    memcpy(all + clump_dense_offset(n), points, n * sizeof *points);
    clump_dense_box(all, n);
    return all;
}

static bool sets_near(const clump_point *a, const clump_point *b, size_t n, size_t *work)
{
    clump_point *const set_a = lay_out(a, n), *const set_b = lay_out(b, n), *const scratch = malloc(2 * n * sizeof *a);
    if (!scratch) abort();
    clump_dense_want_discs(set_a, n, set_b, n, 1);
    clump_dense_make_disc(set_a, n), clump_dense_make_disc(set_b, n);
    clump_dense_want_patches(set_a, n, set_b, n, 1);
    clump_dense_make_patches(set_a, n, scratch), clump_dense_make_patches(set_b, n, scratch);
    const bool near = clump_sets_near_counted(set_a, n, set_b, n, 1, 1, scratch, NULL, work);
    free(set_a), free(set_b), free(scratch);
    return near;
}

static void work_on(shape s, size_t n, double r, double gap)
{
    clump_point *const a = malloc(4 * n * sizeof *a), *const b = a + n, *const copy = b + n;
    uint32_t *const near = calloc(n, sizeof *near);
    if (!a || !near) abort();
    uint64_t random = 42;
    size_t work = 0;
    char name[80];
    snprintf(name, sizeof name, "%s, r %g, gap %g", shape_names[s], r, gap);
    fill(s, a, n, b, n, r, gap, rotation_of(0.7), 1, (const double[]){0, 0, 0}, &random);
    if (s < BALLS) { /* the others have pairs, which end the search */
        CHECK_MSG(!sets_near(a, b, n, &work), "%s", name);
        expect_work(name, "sets", n, work, 16 * log2((double)n));
        work = 0;
        memcpy(copy, a, 2 * n * sizeof *a);
        CHECK_MSG(!clump_sieve_any(copy, n, copy + n, n, 1, NULL, &work), "%s", name);
        expect_work(name, "any", n, work, 16 * log2((double)n));
    }
    work = 0;
    clump_sieve_count(a, n, b, n, 1, UINT32_MAX, near, NULL, &work);
    /* between filled volumes most points are at d of some, and the work per point grows like the root of n */
    expect_work(name, "count", n, work, s < BALLS ? 16 * log2((double)n) : 8 * sqrt((double)n));
    free(a), free(near);
}

static void work_is_near_linear(void)
{
    for (int s = 0; s < SHAPES; s++)
        for (size_t n = CLOUD_WATCHED ? 3125 : check_fewer(3125, 12500);
             n <= (check_tier() == 3 ? 25000 : check_fewer(3125, 12500)); n *= 2)
            for (double r = 0.3; r > 1e-5; r /= 1000)
                for (double gap = 1e-4; gap > 3e-7; gap /= 100) work_on((shape)s, n, r, gap);
}

/* ----- bounds of points ---------------------------------------------------------------------------- */

static void set_bound(clump_point *p, float bound)
{
    p->more = clump_float_bits(bound);
}

static float bound_of(clump_point p)
{
    return clump_float_of_bits(p.more);
}

/* Whether some pair is below both bounds. */
static bool grown_pair(const clump_point *a, size_t na, const clump_point *b, size_t nb)
{
    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++)
            if (square(a[i], b[j]) < lesser(bound_of(a[i]), bound_of(b[j]))) return true;
    return false;
}

/* Gives each point with an even number of a, or each of b, the least distance to the other set as its bound, times `part`; the
 * other points of a get one that is large enough for all. The bounds of b exclude these. So no pair is near, by as little as
 * `part` allows: ties with 1. */
static void set_least(clump_point *a, size_t na, clump_point *b, size_t nb, bool both, float part)
{
    float largest = 0;
    for (size_t i = 0; i < na; i++) {
        float least = INFINITY;
        for (size_t j = 0; j < nb; j++) least = lesser(least, square(a[i], b[j]));
        set_bound(&a[i], both && i % 2 ? INFINITY : part * least);
        largest = fmaxf(largest, least);
    }
    for (size_t j = 0; j < nb; j++) {
        float least = INFINITY;
        for (size_t i = 1; both && i < na; i += 2) least = lesser(least, square(a[i], b[j]));
        set_bound(&b[j], both ? part * least : 4 * largest);
    }
    for (size_t i = 0; i < na; i++)
        if (!(bound_of(a[i]) <= 4 * largest)) set_bound(&a[i], 4 * largest);
}

/* Every point is at a tie with its nearest one. Then some bounds are one float larger, and there may be a pair. */
static void grown_agrees_with_all_pairs(void)
{
    uint64_t random = 45;
    long hits = 0, total = 0;
    const int rounds = check_rounds(CLOUD_WATCHED ? 50 : 300);
    for (long round = 0; round < rounds; round++) {
        const shape s = (shape)(round % SHAPES);
        const size_t na = 65 + check_random(&random) % (MOST - 64), nb = 65 + check_random(&random) % (MOST - 64);
        const double r = 0.3 * pow(10, -7 * uniform(&random)), gap = pow(10, -1 - 7 * uniform(&random));
        const double size = ldexp(1 + uniform(&random), (int)(check_random(&random) % 121) - 60);
        const double far = round % 3 ? 0 : 300 * size * uniform(&random), at[3] = {far, -far, far / 2};
        fill(s, sets[0], na, sets[1], nb, r, gap, rotation_of(round % 4 ? TAU * uniform(&random) : 0), size, at,
             &random);
        set_least(sets[0], na, sets[1], nb, round % 2, 1);
        for (int step = 0; step < 4; step++) {
            const bool expect = grown_pair(sets[0], na, sets[1], nb), turned = (round + step) % 2;
            CHECK(step > 0 || !expect);
            memcpy(copies, sets, sizeof sets);
            clump_point *const a = copies[turned], *const b = copies[!turned];
            size_t work = 0;
            CHECK_MSG(clump_sieve_grown(a, turned ? nb : na, b, turned ? na : nb, NULL, &work) == expect,
                      "%s, round %ld, step %d: %zu and %zu points, pair %d", shape_names[s], round, step, na, nb,
                      expect);
            hits += expect, total++;
            clump_point *const p =
                check_random(&random) % 2 ? &sets[0][check_random(&random) % na] : &sets[1][check_random(&random) % nb];
            set_bound(p, cloud_step(bound_of(*p), 1));
        }
    }
    CHECK_MSG(hits > total / 10 && hits < total - total / 10, "%ld of %ld: the test does not test", hits, total);
}

static void grown_work_is_near_linear(void)
{
    for (int turn = 0; turn < 2 * BALLS; turn++) {
        const size_t n = CLOUD_WATCHED ? 2000 : check_tier() == 3 ? 8000 : 4000;
        const shape s = (shape)(turn / 2);
        clump_point *const a = malloc(2 * n * sizeof *a), *const b = a + n;
        if (!a) abort();
        uint64_t random = 46;
        size_t work = 0;
        fill(s, a, n, b, n, 1e-2, 1e-5, rotation_of(0.7), 1, (const double[]){0, 0, 0}, &random);
        set_least(a, n, b, n, turn % 2, 1 - 2e-6f);
        CHECK_MSG(!clump_sieve_grown(a, n, b, n, NULL, &work), "%s", shape_names[s]);
        expect_work(shape_names[s], turn % 2 ? "bounds of both" : "bounds of a", n, work, 32 * log2((double)n));
        free(a);
    }
}

/* Sets of which all pairs are ties are tested pair by pair. Between two polls the work is bounded. */
static void polls_while_it_works(void)
{
    enum { N = 3000 };
    clump_context *const ctx = cpu_context(1);
    clump_point *const all = malloc(4 * N * sizeof *all), *const copy = all + 2 * N;
    if (!all) abort();
    uint64_t random = 47;
    fill(AXIS_IN_CIRCLE, all, N, all + N, N, 1e-4, 0, rotation_of(0.7), 1, (const double[]){0, 0, 0}, &random);
    float least = INFINITY;
    for (size_t i = 0; i < N * N; i++) least = lesser(least, square(all[i / N], all[N + i % N]));
    for (int grown = 0; grown < 2; grown++) {
        size_t before = 0, work = 0, whole = 0;
        for (size_t i = 0; i < 2 * N; i++) set_bound(&all[i], least);
        for (long poll = 0; poll == 0 || work < whole; poll++) { /* first without a cancellation */
            before = work, work = 0;
            memcpy(copy, all, 2 * N * sizeof *all);
            clump_team_begin(ctx->work.team);
            clump_team_trap(ctx->work.team, poll);
            if (grown)
                clump_sieve_grown(copy, N, copy + N, N, ctx->work.team, &work);
            else
                clump_sieve_any(copy, N, copy + N, N, least, ctx->work.team, &work);
            if (poll == 0)
                whole = work, work = 0;
            else
                CHECK_MSG(work <= before + (1 << 18) + 8 * N, "%zu before poll %ld, then %zu", before, poll, work);
        }
        CHECK_MSG(whole > N * N / 4, "%zu: the test does not test", whole);
    }
    clump_team_trap(ctx->work.team, 0);
    clump_context_destroy(ctx);
    free(all);
}

/* ----- DBSCAN -------------------------------------------------------------------------------------- */

typedef struct cloud {
    float *xyz;
    size_t count;
    int32_t *labels, *expected;
    uint8_t *core, *expected_core;
} cloud;

static cloud cloud_of(shape s, size_t na, size_t nb, double r, double gap, double angle, uint64_t *random)
{
    const size_t n = na + nb;
    cloud c = {malloc(3 * n * sizeof(float)), n,         malloc(n * sizeof(int32_t)),
               malloc(n * sizeof(int32_t)),   malloc(n), malloc(n)};
    clump_point *const p = malloc(n * sizeof *p);
    if (!c.xyz || !c.labels || !c.expected || !c.core || !c.expected_core || !p) abort();
    fill(s, p, na, p + na, nb, r, gap, rotation_of(angle), 1, (const double[]){0.1, 0.2, -0.3}, random);
    for (size_t i = 0; i < n; i++) memcpy(c.xyz + 3 * i, &p[i], 3 * sizeof(float));
    free(p);
    return c;
}

static void cloud_free(cloud *c)
{
    free(c->xyz), free(c->labels), free(c->expected), free(c->core), free(c->expected_core);
}

static clump_point point_of(const cloud *c, size_t i)
{
    return (clump_point){c->xyz[3 * i], c->xyz[3 * i + 1], c->xyz[3 * i + 2], 0};
}

/* Labels and core flags against the oracle, at eps of a pair or one float beside it, where some point has exactly
 * min_points neighbours or lacks one. Returns the number of border points. */
static size_t check_dbscan(cloud *c, int threads, bool grown, const char *name, uint64_t *random)
{
    const size_t i = check_random(random) % c->count, j = check_random(random) % c->count;
    const float d2 = square(point_of(c, i), point_of(c, j));
    const float eps = cloud_step(d2 > 0.8f && d2 < 1.2f ? sqrtf(d2) : 1, (int)(check_random(random) % 3) - 1);
    clump_dbscan_options o = clump_dbscan_defaults();
    if (grown) { /* radii of eps at the sets, from a sensor whose direction no axis is special to */
        o.common.eps_per_metre = eps / 50;
        o.common.sensor[0] = 40, o.common.sensor[1] = -24, o.common.sensor[2] = 18;
    }
    clump_ec_options like = clump_ec_defaults();
    like.common.eps_per_metre = o.common.eps_per_metre;
    memcpy(like.common.sensor, o.common.sensor, sizeof like.common.sensor);
    const float least = grown ? eps / 2 : eps;
    size_t min_points = check_random(random) % 2, border = 0;
    for (size_t k = 0; k < c->count; k++)
        min_points += oracle_neighbours(c->xyz + 3 * i, c->xyz + 3 * k, least, &like, true);
    const clump_points points = {.xyz = c->xyz, .count = c->count};
    const int32_t clusters = oracle_dbscan(points, least, min_points, &o, c->expected, c->expected_core);
    clump_context *const ctx = cpu_context(threads);
    o.core = c->core;
    int32_t found = -1;
    CHECK_INT(clump_dbscan(ctx, points, least, min_points, &o, c->labels, &found), CLUMP_OK);
    size_t wrong = 0;
    for (size_t k = 0; k < c->count; k++) {
        wrong += c->labels[k] != c->expected[k] || c->core[k] != c->expected_core[k];
        border += !c->core[k] && c->labels[k] != CLUMP_NOISE;
    }
    CHECK_MSG(found == clusters && wrong == 0, "%s: %zu points, eps %.9g, min_points %zu, %d threads: %zu are wrong",
              name, c->count, (double)eps, min_points, threads, wrong);
    clump_context_destroy(ctx);
    return border;
}

static void dbscan_agrees_with_all_pairs(void)
{
    uint64_t random = 43;
    size_t border = 0;
    for (int round = 0; round < check_rounds(SHAPES); round++) {
        const shape s = (shape)((check_turn(round) + check_fewer(BALL_IN_SHELL, 0)) % SHAPES);
        const double r = 0.2 * pow(10, -5 * uniform(&random)), gap = pow(10, -2 - 5 * uniform(&random));
        /* a shell lies in many cells, so it takes more points; and then the oracle takes long */
        const bool wide = (round == check_fewer(0, BALL_IN_SHELL) || round == SHAPES + CUBE_IN_SHELL) && !CLOUD_WATCHED;
        const size_t na = wide ? 3500 : 550 + check_random(&random) % 200, nb = wide ? 9500 : 600;
        cloud c = cloud_of(s, na, nb, r, gap, round % 2 ? TAU * uniform(&random) : 0, &random);
        border += check_dbscan(&c, 1 + round % 3, false, shape_names[s], &random);
        if (!wide || check_tier() > 1) border += check_dbscan(&c, 1, true, shape_names[s], &random);
        cloud_free(&c);
    }
    CHECK_MSG(border > 100, "%zu border points: the test does not test", border);
}

/* What a call looks at and tests, by the library's own count. */
static size_t dbscan_work(cloud *c, size_t min_points)
{
    clump_context *const ctx = cpu_context(1);
    clump_cpu_dbscan state = {0};
    clump_cpu_fast fast = {0};
    clump_stats result = {0};
    const clump_dbscan_job job = {.in = {.points = (const char *)c->xyz,
                                         .count = c->count,
                                         .stride = 3 * sizeof(float),
                                         .d = 1,
                                         .bound = cloud_step(1, 1),
                                         .labels = c->labels},
                                  .min_points = min_points,
                                  .border_points = true,
                                  .core = c->core};
    CHECK_INT(clump_cpu_dbscan_fast(&ctx->work, &state, &fast, &job, &result), CLUMP_OK);
    const size_t work = state.density.work;
    clump_cpu_dbscan_release(&ctx->work, &state);
    clump_cpu_fast_release(&ctx->work, &fast);
    clump_context_destroy(ctx);
    return work;
}

static void dbscan_work_is_near_linear(void)
{
    if (CLOUD_WATCHED) SKIP(DO_UNWATCHED);
    static const struct {
        shape s;
        double r, min_points; /* of all points */
    } clouds[] = {{AXIS_IN_CIRCLE, 1e-3, 0.625},
                  {BALLS, 1e-3, 0.95},
                  {BALL_IN_SHELL, 1e-3, 0.45},
                  {SPHERE_IN_SHELL, 0.1, 0.8},
                  {CUBE_IN_SHELL, 1e-4, 0.9}};
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) {
        for (size_t n = 12500; n <= 50000; n *= 4) {
            uint64_t random = 44;
            cloud c = cloud_of(clouds[k].s, n / 2, n / 2, clouds[k].r, 1e-6, 0.7, &random);
            const size_t work = dbscan_work(&c, (size_t)(clouds[k].min_points * (double)n));
            expect_work(shape_names[clouds[k].s], "DBSCAN", n / 2, work, 180 * log2((double)n));
            cloud_free(&c);
        }
    }
}

CHECK_PROGRAM(test_sieve)
{
    RUN(agrees_with_all_pairs);
    RUN(work_is_near_linear);
    RUN(grown_agrees_with_all_pairs);
    RUN(grown_work_is_near_linear);
    RUN(polls_while_it_works);
    RUN(dbscan_agrees_with_all_pairs);
    RUN(dbscan_work_is_near_linear);
}
