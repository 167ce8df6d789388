/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_describe_rules.c: the arithmetic of boxes (src/rules, core/cluster.h) against 128-bit integers and long double.
 */
#include "support/check.h"

#include "core/cluster.h"
#include "cpu/describe/measure.h"

#include <float.h>
#include <math.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* ----- angles ----------------------------------------------------------------------------------- */

static void check_angle(double x, double y)
{
    const long double exact = atan2l((long double)y, (long double)x) * (180 / 3.14159265358979323846264338327950288L);
    const double angle = clump_degrees(x, y);
    CHECK_MSG(angle >= 0 && angle <= 90 && fabsl((long double)angle - exact) <= exact * 0x1p-50L,
              "x %a, y %a: %.17g, not %.20Lg", x, y, angle, exact);
    const float rounded = (float)angle, expected = (float)exact;
    CHECK_MSG(rounded == expected || rounded == nextafterf(expected, rounded), "x %a, y %a in float32", x, y);
}

static void angles(void)
{
    uint64_t random = 1;
    for (int i = 0; i < 500000; i++) {
        const double x = ldexp(1 + check_random_float(&random), (int)(check_random(&random) % 6));
        const double y = (double)check_random_float(&random) * ldexp(1, (int)(check_random(&random) % 8));
        check_angle(x, y);
    }
    for (int i = 0; i < 100000; i++) { /* of any magnitude; the ends of the range of differences of float32 */
        const double x = ldexp(1 + (double)check_random_float(&random), (int)(check_random(&random) % 278) - 149);
        const double y = ldexp(1 + (double)check_random_float(&random), (int)(check_random(&random) % 278) - 149);
        check_angle(x, y);
    }
    for (int a = 1; a <= 64; a++) /* the ends of the steps of i / 8, and their neighbours */
        for (int b = 0; b <= 64; b++)
            for (int step = -1; step <= 1; step++)
                check_angle((double)a, b == 0 ? 0 : nextafter((double)b, (double)(b + step)));
    CHECK(clump_degrees(3, 0) == 0 && clump_degrees(0x1p-149, 0x1p-149) == 45);
    CHECK((float)clump_degrees(0x1p-149, 0x1p129) == 90); /* the box then has the float before it */
}

/* ----- orientation ---------------------------------------------------------------------------- */

static int exact_side(const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
    const wide determinant = (wide)(b[0] - a[0]) * (wide)(c[1] - a[1]) - (wide)(b[1] - a[1]) * (wide)(c[0] - a[0]);
    return (determinant > 0) - (determinant < 0);
}

static clump_xy to_xy(const int64_t p[2], int exponent)
{
    return (clump_xy){ldexpf((float)p[0], exponent), ldexpf((float)p[1], exponent)};
}

/* Points on a line through 0 but for their last bits, near and far; as integers of 24 significant bits. */
static void sides_of_a_line(void)
{
    uint64_t random = 2;
    long on_the_line = 0;
    for (int i = 0; i < 300000; i++) {
        const int64_t dx = (int64_t)(check_random(&random) % 4095) - 2047;
        const int64_t dy = (int64_t)(check_random(&random) % 4095) - 2047;
        int64_t p[3][2];
        for (int k = 0; k < 3; k++) {
            const int64_t factor = (int64_t)(check_random(&random) % 4096) * (check_random(&random) % 2 ? 1 : -1);
            const int far = (int)(check_random(&random) % 34);
            p[k][0] = (dx * factor + (int64_t)(check_random(&random) % 3) - 1) * ((int64_t)1 << far);
            p[k][1] = (dy * factor + (int64_t)(check_random(&random) % 3) - 1) * ((int64_t)1 << far);
        }
        const int expected = exact_side(p[0], p[1], p[2]), exponent = (int)(check_random(&random) % 200) - 149;
        if (exponent + 57 > 127) continue;
        const clump_xy a = to_xy(p[0], exponent), b = to_xy(p[1], exponent), c = to_xy(p[2], exponent);
        CHECK_INT(clump_orientation(a, b, c), expected);
        CHECK_INT(clump_orientation_exact(a, b, c), expected);
        CHECK_INT(clump_orientation(b, a, c), -expected);
        on_the_line += expected == 0;
    }
    CHECK(on_the_line > 100);
}

/* ----- 128 bits ---------------------------------------------------------------------------------- */

static unsigned_wide to_wide(clump_u128 a)
{
    return (unsigned_wide)a.high << 64 | a.low;
}

static void wide_integers(void)
{
    uint64_t random = 3;
    for (int i = 0; i < 200000; i++) {
        const uint64_t a = check_random(&random) >> check_random(&random) % 64;
        const uint64_t b = check_random(&random) >> check_random(&random) % 64;
        CHECK(to_wide(clump_u128_product(a, b)) == (unsigned_wide)a * b);
        const clump_u128 u = {check_random(&random), a}, v = {check_random(&random), b};
        CHECK(to_wide(clump_u128_plus(u, v)) == to_wide(u) + to_wide(v));
        CHECK(to_wide(clump_u128_minus(u, v)) == to_wide(u) - to_wide(v));
    }
    for (int i = 0; i < 200000; i++) { /* also ties and values beside them */
        const int bits = 1 + (int)(check_random(&random) % 125), at = (int)(check_random(&random) % 60);
        unsigned_wide value = (unsigned_wide)check_random(&random) << 64 | check_random(&random);
        value >>= 128 - bits;
        if (i % 3 == 0) value = (value >> at | 1) << at;
        if (i % 3 == 1) value = (((unsigned_wide)1 << bits) - 1) & ~(((unsigned_wide)1 << at % bits) - 1);
        value >>= value >> 124 ? 1 : 0;
        const clump_u128 u = {(uint64_t)(value >> 64), (uint64_t)value};
        CHECK_MSG(clump_u128_to_double(u) == (double)value, "%016llx%016llx", (unsigned long long)u.high,
                  (unsigned long long)u.low);
    }
}

/* ----- covariance -------------------------------------------------------------------------------- */

/* Returns n^2 times the covariance by the definition: the sum of (n a - sum of a)(n b - sum of b) is n times that. */
static wide exact_pair(uint32_t (*q)[3], size_t n, int a, int b)
{
    wide products = 0, sum_a = 0, sum_b = 0;
    for (size_t i = 0; i < n; i++) {
        products += (wide)q[i][a] * (wide)q[i][b];
        sum_a += q[i][a], sum_b += q[i][b];
    }
    return products * (wide)n - sum_a * sum_b;
}

static void moments(void)
{
    uint64_t random = 4;
    enum { MOST = 3000 };
    static uint32_t q[MOST][3];
    for (int run = 0; run < 300; run++) {
        const size_t n = 1 + check_random(&random) % (run % 10 == 0 ? MOST : 20);
        clump_moments m = {0};
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) {
                q[i][k] = (uint32_t)(check_random(&random) % 0x80000001u);
                if (run % 4 == 1) q[i][k] = check_random(&random) % 2 ? 0x80000000u : 0;
                if (run % 4 == 2) q[i][k] = 0x80000000u - (uint32_t)(check_random(&random) % 2);
            }
            if (run % 4 == 3) q[i][2] = 0x80000000u - q[i][0];
            clump_moments_add(&m, q[i][0], q[i][1], q[i][2]);
        }
        int pair = 0;
        for (int a = 0; a < 3; a++)
            for (int b = a; b < 3; b++, pair++)
                CHECK(clump_covariance_of_pair(&m, pair, a, b) == (double)exact_pair(q, n, a, b));
    }
    /* The largest sums: 2^31 - 1 points, half of them at either end. */
    const uint64_t n = INT32_MAX, half = n / 2, q_most = 0x80000000u;
    clump_moments m = {.used = n, .sum = {half * q_most, half * q_most, (n - half) * q_most}};
    m.high[CLUMP_XX] = half << 30, m.high[CLUMP_ZZ] = (n - half) << 30;
    const wide most = (wide)q_most * (wide)q_most;
    CHECK(clump_covariance_of_pair(&m, CLUMP_XX, 0, 0) ==
          (double)((wide)n * (wide)half * most - (wide)half * (wide)half * most));
    CHECK(clump_covariance_of_pair(&m, CLUMP_XZ, 0, 2) == -(double)((wide)half * (wide)(n - half) * most));
}

/* Offsets are the nearest integers, at most 2^31, for extents of any magnitude. */
static void offsets(void)
{
    uint64_t random = 5;
    for (int i = 0; i < 200000; i++) {
        float v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = clump_float_of_key((uint32_t)check_random(&random));
            if (!isfinite(v[k])) v[k] = FLT_MAX;
        }
        if (i % 4 == 0) v[1] = nextafterf(v[0], INFINITY), v[2] = i % 8 ? v[0] : v[1];
        if (i % 4 == 1) v[1] = v[0] * 2, v[2] = v[0] * 1.3f;
        const float lower = fminf(v[0], v[1]), upper = fmaxf(v[0], v[1]);
        if (!isfinite(lower) || !isfinite(upper)) continue;
        const float value = v[2] < lower ? lower : v[2] > upper ? upper : v[2];
        const clump_axis axis = {.lower = lower + 0.0f, .upper = upper + 0.0f, .used = 2};
        const double scale = clump_moment_scale(&axis);
        if (!(axis.upper > axis.lower)) {
            CHECK(scale == 0 && clump_axis_scale(&axis) == 0);
            continue;
        }
        CHECK_INT(clump_axis_exponent(&axis), 62 - 2 - ilogb((double)upper - lower)); /* two values: two bits */
        const long double exact = ((long double)(double)value - lower) * scale;
        const uint32_t q = clump_moment_offset(value, lower, scale);
        CHECK_MSG(fabsl(exact - q) <= 0.5L + 0x1p-21L, "%a of %a ... %a", (double)value, (double)lower, (double)upper);
        const uint32_t last = clump_moment_offset(upper, lower, scale);
        CHECK(q <= last && last >= 1u << 30 && last <= 1u << 31 && clump_moment_offset(lower, lower, scale) == 0);
    }
}

/* ----- loops --------------------------------------------------------------------------------------- */

/* The vectorised loops of the CPU against the rules, one point after the other. */
static void loops(void)
{
    static const size_t counts[] = {2, 5, 31, 32, 33, 255, 256, 257, 1000, 1023, 1024, 1025, 2047, 2048, 3000};
    static float at[3][3000];
    uint64_t random = 7;
    for (size_t run = 0; run < 4 * sizeof counts / sizeof *counts; run++) {
        const size_t n = counts[run / 4];
        const bool whole = run % 4 < 3;
        const float size = run % 4 == 1 ? 1e30f : run % 4 == 2 ? 1e-40f : 50;
        clump_axis axis[3];
        clump_moments m = {0};
        double nearest = INFINITY;
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) at[k][i] = (check_random_float(&random) - 0.4f) * size;
            if (!whole && check_random(&random) % 3 == 0) at[2][i] = i % 2 ? NAN : INFINITY;
            nearest = fmin(nearest, clump_distance_above(at[0][i], at[1][i], 1, -2));
        }
        CHECK(clump_nearest_of(at[0], at[1], n, 1, -2) == nearest);
        for (int k = 0; k < 3; k++) {
            axis[k] = (clump_axis){.lower = FLT_MAX, .upper = -FLT_MAX};
            for (size_t i = 0; i < n; i++) {
                if (!isfinite(at[k][i])) continue;
                axis[k].lower = fminf(axis[k].lower, at[k][i]), axis[k].upper = fmaxf(axis[k].upper, at[k][i]);
                axis[k].used++;
            }
            if (axis[k].used == 0) axis[k].lower = axis[k].upper = 0;
            int64_t sum = 0;
            for (size_t i = 0; i < n; i++)
                if (isfinite(at[k][i])) sum += clump_axis_offset(at[k][i], axis[k].lower, clump_axis_scale(&axis[k]));
            CHECK_MSG(clump_sum_of(at[k], n, &axis[k], axis[k].used == (int32_t)n) == sum, "%zu values", n);
        }
        for (size_t i = 0; i < n; i++) {
            uint32_t q[3];
            for (int k = 0; k < 3; k++)
                q[k] = clump_moment_offset(at[k][i], axis[k].lower, clump_moment_scale(&axis[k]));
            if (isfinite(at[2][i])) clump_moments_add(&m, q[0], q[1], q[2]);
        }
        const float *const columns[3] = {at[0], at[1], at[2]};
        const clump_moments found = clump_moments_of(columns, n, axis, whole ? NULL : at[2]);
        CHECK_MSG(memcmp(&found, &m, sizeof m) == 0, "moments of %zu points", n);
    }
}

/* The nearest of many points whose distances differ by a few roundings of float32, also where their squares overflow or
 * underflow. */
static void nearest_of_many(void)
{
    enum { COUNT = 2000 };
    static const float sensors[][2] = {{0, 0}, {1, -2}, {-30000, 7}};
    static float x[COUNT], y[COUNT];
    uint64_t random = 11;
    for (int exponent = -80; exponent <= 70; exponent++)
        for (int run = 0; run < 6; run++) {
            const float *const sensor = sensors[run % 3];
            const size_t n = COUNT - check_random(&random) % 600;
            const double size = ldexp(1 + (double)check_random_float(&random), exponent);
            double nearest = INFINITY, angle = 0;
            for (size_t i = 0; i < n; i++) {
                if (run < 3 || i % 256 == 0) angle = 6.28 * (double)check_random_float(&random);
                const double radius = size * (1 + 0x1p-24 * (double)(check_random(&random) % 64));
                x[i] = (float)(sensor[0] + radius * cos(angle)), y[i] = (float)(sensor[1] + radius * sin(angle));
                nearest = fmin(nearest, clump_distance_above(x[i], y[i], sensor[0], sensor[1]));
            }
            CHECK_MSG(clump_nearest_of(x, y, n, sensor[0], sensor[1]) == nearest, "%zu points, 2^%d", n, exponent);
        }
}

/* ----- principal axes ----------------------------------------------------------------------------- */

static void check_axes(const double c[6])
{
    const clump_principal p = clump_principal_axes(c);
    const double trace = c[0] + c[3] + c[5], tolerance = 1e-14;
    const double rows[3][3] = {{c[0], c[1], c[2]}, {c[1], c[3], c[4]}, {c[2], c[4], c[5]}};
    for (int k = 0; k < 3; k++) {
        CHECK(p.variance[k] >= 0 && (k == 0 || p.variance[k] <= p.variance[k - 1]));
        for (int row = 0; row < 3; row++) {
            double moved = 0;
            for (int j = 0; j < 3; j++) moved += rows[row][j] * p.axis[k][j];
            CHECK_MSG(fabs(moved - p.variance[k] * p.axis[k][row]) <= tolerance * trace, "axis %d of %g %g %g %g %g %g",
                      k, c[0], c[1], c[2], c[3], c[4], c[5]);
        }
        for (int other = 0; other < 3; other++) {
            double dot = 0;
            for (int j = 0; j < 3; j++) dot += p.axis[k][j] * p.axis[other][j];
            CHECK(fabs(dot - (k == other)) <= tolerance);
        }
        float axis[3];
        clump_axis_to_float(p.axis[k], axis);
        const float most = fmaxf(fabsf(axis[0]), fmaxf(fabsf(axis[1]), fabsf(axis[2])));
        int first = 0;
        while (fabsf(axis[first]) < most) first++;
        CHECK(axis[first] > 0);
        for (int j = 0; j < 3; j++) CHECK(!(axis[j] == 0 && signbit(axis[j])));
    }
}

static void principal_axes(void)
{
    uint64_t random = 6;
    for (int i = 0; i < 20000; i++) { /* B B^T has no negative eigenvalues but for rounding */
        double b[3][3], c[6];
        for (int j = 0; j < 9; j++) b[j / 3][j % 3] = (double)check_random_float(&random) - 0.5;
        if (i % 5 == 1)
            for (int j = 0; j < 3; j++) b[2][j] = b[0][j] * 2; /* a plane */
        if (i % 5 == 2)
            for (int j = 0; j < 3; j++) b[1][j] = b[0][j] * 3, b[2][j] = -b[0][j]; /* a line */
        if (i % 5 == 3)
            for (int j = 0; j < 3; j++) b[1][j] *= 1e-6, b[2][j] *= 1e-12;
        const double scale = i % 5 == 4 ? ldexp(1, (int)(check_random(&random) % 600) - 350) : 1;
        int pair = 0;
        for (int r = 0; r < 3; r++)
            for (int s = r; s < 3; s++, pair++)
                c[pair] = scale * (b[r][0] * b[s][0] + b[r][1] * b[s][1] + b[r][2] * b[s][2]);
        check_axes(c);
    }
    const double known[][6] = {{0, 0, 0, 0, 0, 0},        {1, 0, 0, 1, 0, 1},      {1, 0, 0, 2, 0, 3},
                               {2, 1, 1, 2, 1, 2},        {1, 1, 1, 1, 1, 1},      {1, -1, 0, 1, 0, 0},
                               {1, 1e-20, 0, 1, 0, 1},    {1, 1e-300, 0, 0, 0, 0}, {0, 0, 0, 0x1p-358, 0, 0},
                               {1e77, 0, 0, 1e-100, 0, 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) check_axes(known[i]);
    const clump_principal none = clump_principal_axes(known[0]);
    CHECK(none.axis[0][0] == 1 && none.axis[1][1] == 1 && none.axis[2][2] == 1 && none.variance[0] == 0);
    const clump_principal sorted = clump_principal_axes(known[2]);
    CHECK(sorted.variance[0] == 3 && sorted.axis[0][2] == 1 && sorted.variance[2] == 1 && sorted.axis[2][0] == 1);
}

/* ----- rounding ------------------------------------------------------------------------------------ */

static void conversions(void)
{
    for (int e = -1022; e <= 1023; e++) {
        CHECK(clump_double_power(e) == ldexp(1, e));
        CHECK_INT(clump_double_exponent(ldexp(1, e)), e);
        CHECK_INT(clump_double_exponent(-ldexp(1.9999, e)), e);
    }
    CHECK(clump_double_to_float(1e300) == FLT_MAX && clump_double_to_float(-INFINITY) == -FLT_MAX);
    CHECK(clump_double_to_float(0.1) == 0.1f && clump_double_to_float(1e-300) == 0);
    CHECK(!signbit(clump_double_to_float(-0.0)) && !signbit(clump_double_to_float(-1e-300)));
    CHECK(clump_double_to_float(-0x1p-149) == -0x1p-149f);
    const float nan = clump_unknown();
    uint32_t bits;
    memcpy(&bits, &nan, sizeof bits);
    CHECK(bits == 0x7fc00000u && isinf(clump_infinity()) && clump_infinity() > 0);
}

CHECK_PROGRAM(test_describe_rules)
{
    RUN(angles);
    RUN(sides_of_a_line);
    RUN(wide_integers);
    RUN(moments);
    RUN(offsets);
    RUN(loops);
    RUN(nearest_of_many);
    RUN(principal_axes);
    RUN(conversions);
}
