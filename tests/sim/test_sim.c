/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The synthetic clouds are what their parameters say: the same bytes everywhere, indices dealt out
 * by the formula, clusters apart, degrees as asked for.
 */
#include <clump/sim.h>
#include "../sim/exact.h"
#include "support/check.h"

#include <math.h>

static clump_factors factors_of(clump_layout layout, size_t n, size_t c, double k, size_t D)
{
    clump_factors f = clump_factors_defaults();
    f.layout = layout, f.points = n, f.clusters = c, f.degree = k, f.distance = D;
    return f;
}

static float *make(const clump_factors *f, int32_t *truth)
{
    float *xyz = malloc(f->points * 3 * sizeof *xyz);
    clump_message why = {""};
    const clump_status status = xyz ? clump_sim_factors(f, xyz, truth, &why) : CLUMP_ERR_OUT_OF_MEMORY;
    CHECK_MSG(status == CLUMP_OK, "%s", why.text);
    return xyz;
}

static double distance2(const float *xyz, size_t a, size_t b)
{
    double sum = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        const double d = (double)xyz[3 * a + axis] - (double)xyz[3 * b + axis];
        sum += d * d;
    }
    return sum;
}

/* FNV-1a of the floats' bits, low byte first. */
static uint64_t hash_floats(const float *xyz, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &xyz[i], sizeof bits);
        for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
    }
    return hash;
}

/* The bytes of a cloud are part of its name: these values never change. */
static void same_bytes_everywhere(void)
{
    const struct {
        clump_factors factors;
        uint64_t hash;
    } clouds[] = {
        {factors_of(CLUMP_LAYOUT_JOINTS, 4096, 128, 32, 4), 0x409b3caa7d2d3321},
        {factors_of(CLUMP_LAYOUT_JOINTS, 65536, 128, 32, 4), 0xe7f7b6110749a214},
        {factors_of(CLUMP_LAYOUT_LINE, 65536, 128, 32, 4), 0xe0e605a1c82cac46},
        {factors_of(CLUMP_LAYOUT_BLOB, 65536, 128, 32, 4), 0x56999c27a258a2a2},
        {factors_of(CLUMP_LAYOUT_BLOB, 65536, 128, 2, 1), 0xd58510783c35a368},
        {factors_of(CLUMP_LAYOUT_SLABS, 40000, 2, 2000, 2), 0xb892f44d15551ab3},
    };
    for (size_t i = 0; i < sizeof clouds / sizeof clouds[0]; i++) {
        float *xyz = make(&clouds[i].factors, NULL);
        const uint64_t hash = hash_floats(xyz, 3 * clouds[i].factors.points);
        CHECK_MSG(hash == clouds[i].hash, "cloud %zu is 0x%016" PRIx64, i, hash);
        free(xyz);
    }
    clump_factors other = factors_of(CLUMP_LAYOUT_BLOB, 65536, 128, 32, 4);
    other.seed = 2;
    float *xyz = make(&other, NULL);
    CHECK(hash_floats(xyz, 3 * other.points) != clouds[3].hash);
    free(xyz);
}

static void indices_are_dealt_out(void)
{
    for (int layout = CLUMP_LAYOUT_JOINTS; layout <= CLUMP_LAYOUT_SLABS; layout++) {
        const size_t c = layout == CLUMP_LAYOUT_SLABS ? 2 : 12;
        for (size_t D = 1; D <= c; D++) {
            if (c % D) continue;
            const clump_factors f = factors_of((clump_layout)layout, 240, c, 2, D);
            int32_t truth[240];
            free(make(&f, truth));
            const size_t m = 240 / c;
            for (size_t i = 0; i < 240; i++) CHECK_INT(truth[i], D * (i / (D * m)) + i % D);
        }
    }
}

/* The least distance between points of different clusters. */
static double least_gap(const clump_factors *f)
{
    int32_t *truth = malloc(f->points * sizeof *truth);
    float *xyz = make(f, truth);
    double least = INFINITY;
    for (size_t a = 0; truth && a < f->points; a++)
        for (size_t b = 0; b < a; b++)
            if (truth[a] != truth[b]) least = fmin(least, distance2(xyz, a, b));
    free(xyz), free(truth);
    return sqrt(least);
}

static void clusters_keep_apart(void)
{
    const size_t counts[] = {2, 8, 12, 27, 60};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int layout = CLUMP_LAYOUT_JOINTS; layout <= CLUMP_LAYOUT_BLOB; layout++) {
            const clump_factors f = factors_of((clump_layout)layout, counts[i] * 40, counts[i], 4, 1);
            const double gap = least_gap(&f);
            CHECK_MSG(gap > 9 && gap < 20, "%s, %zu clusters: %g", clump_layout_name(f.layout), counts[i], gap);
        }
    const clump_factors slabs = factors_of(CLUMP_LAYOUT_SLABS, 4000, 2, 400, 1);
    const double gap = least_gap(&slabs);
    CHECK_MSG(gap > 1.0099 && gap < 1.02, "slabs: %g", gap);
}

/* Mean number of neighbours in cluster 0; `inner` leaves out members closer than 1 to the border
 * of the box of the cluster (in the axes where the box is wider than that). */
static double mean_degree(const clump_factors *f, bool inner)
{
    int32_t *truth = malloc(f->points * sizeof *truth);
    size_t *members = malloc(f->points * sizeof *members), count = 0, asked = 0, links = 0;
    float *xyz = make(f, truth);
    float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; truth && members && i < f->points; i++) {
        if (truth[i] != 0) continue;
        members[count++] = i;
        for (size_t axis = 0; axis < 3; axis++) {
            lower[axis] = fminf(lower[axis], xyz[3 * i + axis]);
            upper[axis] = fmaxf(upper[axis], xyz[3 * i + axis]);
        }
    }
    for (size_t a = 0; a < count; a++) {
        bool counted = true;
        for (size_t axis = 0; inner && axis < 3; axis++) {
            const float x = xyz[3 * members[a] + axis];
            if (upper[axis] - lower[axis] > 2 && (x < lower[axis] + 1 || x > upper[axis] - 1)) counted = false;
        }
        if (!counted) continue;
        asked++;
        for (size_t b = 0; b < count; b++) links += a != b && distance2(xyz, members[a], members[b]) < 1;
    }
    free(xyz), free(truth), free(members);
    return asked ? (double)links / (double)asked : -1;
}

static void degrees_are_as_asked(void)
{
    const struct {
        clump_factors factors;
        bool inner;
        double expected, tolerance;
    } cases[] = {
        {factors_of(CLUMP_LAYOUT_JOINTS, 4096, 128, 32, 4), false, 31, 0}, /* one joint: everyone else */
        {factors_of(CLUMP_LAYOUT_JOINTS, 262144, 128, 32, 4), false, 195, 5},
        {factors_of(CLUMP_LAYOUT_LINE, 262144, 128, 32, 4), true, 32, 0},
        {factors_of(CLUMP_LAYOUT_LINE, 262144, 128, 6, 4), true, 6, 0},
        {factors_of(CLUMP_LAYOUT_BLOB, 262144, 128, 32, 4), true, 32, 2},
        {factors_of(CLUMP_LAYOUT_BLOB, 262144, 128, 2, 4), true, 2, 0.2},
        {factors_of(CLUMP_LAYOUT_SLABS, 8000, 2, 200, 1), true, 200, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double degree = mean_degree(&cases[i].factors, cases[i].inner);
        CHECK_MSG(fabs(degree - cases[i].expected) <= cases[i].tolerance, "case %zu: %g", i, degree);
    }
}

static void refuses(clump_factors f, clump_status expected, const char *sentence)
{
    float xyz[3 * 64];
    clump_message why = {""};
    CHECK_INT(clump_sim_factors(&f, xyz, NULL, &why), expected);
    CHECK_TEXT(why.text, sentence);
    CHECK_INT(clump_sim_factors(&f, xyz, NULL, NULL), expected);
}

static void wrong_factors_are_refused(void)
{
    const clump_layout blob = CLUMP_LAYOUT_BLOB;
    refuses((clump_factors){.points = 4}, CLUMP_ERR_OPTIONS, "the factors were not made by clump_factors_defaults()");
    refuses(factors_of((clump_layout)9, 64, 4, 4, 1), CLUMP_ERR_ARGUMENT, "9 is not a layout");
    refuses(factors_of(blob, (size_t)INT32_MAX + 1, 4, 4, 1), CLUMP_ERR_TOO_MANY,
            "2147483648 points are more than 2147483647");
    refuses(factors_of(blob, 64, 0, 4, 1), CLUMP_ERR_ARGUMENT, "the number of clusters is 0");
    refuses(factors_of(blob, 64, 4, 4, 0), CLUMP_ERR_ARGUMENT, "the index distance is 0");
    refuses(factors_of(blob, 64, 4, 0.5, 1), CLUMP_ERR_ARGUMENT, "the degree 0.5 is not a number of 1 or more");
    refuses(factors_of(blob, 64, 4, (double)INFINITY, 1), CLUMP_ERR_ARGUMENT,
            "the degree inf is not a number of 1 or more");
    refuses(factors_of(blob, 64, 5, 4, 1), CLUMP_ERR_ARGUMENT, "64 points do not divide into 5 clusters of one size");
    refuses(factors_of(blob, 64, 4, 4, 3), CLUMP_ERR_ARGUMENT, "the index distance 3 does not divide the 4 clusters");
    refuses(factors_of(blob, 64, 4, 17, 1), CLUMP_ERR_ARGUMENT,
            "a degree of 17 needs 68 points in 4 clusters, there are 64");
    refuses(factors_of(CLUMP_LAYOUT_SLABS, 64, 4, 4, 1), CLUMP_ERR_ARGUMENT, "slabs has 2 clusters, not 4");
    refuses(factors_of(CLUMP_LAYOUT_JOINTS, 64, 4, 2.5, 1), CLUMP_ERR_ARGUMENT,
            "joints has a whole number of points a joint, not 2.5");
    const clump_factors good = factors_of(blob, 64, 4, 4, 1);
    CHECK_INT(clump_sim_factors(&good, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_sim_factors(NULL, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT);
}

static void an_empty_cloud_is_one(void)
{
    const clump_factors f = factors_of(CLUMP_LAYOUT_BLOB, 0, 4, 4, 1);
    CHECK_INT(clump_sim_factors(&f, NULL, NULL, NULL), CLUMP_OK);
}

static void layouts_have_names(void)
{
    for (int i = CLUMP_LAYOUT_JOINTS; i <= CLUMP_LAYOUT_SLABS; i++) {
        clump_layout back = (clump_layout)-1;
        CHECK(clump_layout_from_name(clump_layout_name((clump_layout)i), &back));
        CHECK_INT(back, i);
    }
    clump_layout none = CLUMP_LAYOUT_LINE;
    CHECK(clump_layout_name((clump_layout)4) == NULL && clump_layout_name((clump_layout)-1) == NULL);
    CHECK(!clump_layout_from_name("Blob", &none) && !clump_layout_from_name(NULL, &none));
    CHECK_INT(none, CLUMP_LAYOUT_LINE);
}

/* Sine and cosine agree with the C library's to rounding, and are exact at quarters of a turn. */
static void directions_are_right(void)
{
    const double turn = 2 * EXACT_PI;
    for (int i = -5000; i <= 5000; i++) {
        const double turns = (double)i / 1777;
        double cosine, sine;
        exact_direction(turns, &cosine, &sine);
        const double whole = turns - floor(turns);
        CHECK_MSG(fabs(cosine - cos(whole * turn)) < 2e-15 && fabs(sine - sin(whole * turn)) < 2e-15,
                  "%g turns: %.17g %.17g", turns, cosine, sine);
        CHECK(fabs(cosine * cosine + sine * sine - 1) < 5e-16);
    }
    for (int quarter = -8; quarter <= 8; quarter++) {
        double cosine, sine;
        exact_direction(quarter / 4.0, &cosine, &sine);
        const int k = ((quarter % 4) + 4) % 4;
        CHECK(cosine == (k == 0) - (k == 2) && sine == (k == 1) - (k == 3));
    }
}

CHECK_PROGRAM(test_sim)
{
    RUN(same_bytes_everywhere);
    RUN(indices_are_dealt_out);
    RUN(clusters_keep_apart);
    RUN(degrees_are_as_asked);
    RUN(wrong_factors_are_refused);
    RUN(an_empty_cloud_is_one);
    RUN(layouts_have_names);
    RUN(directions_are_right);
}
