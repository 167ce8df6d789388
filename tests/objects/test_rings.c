/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rings.c: where clump_objects finds rings that are not given: the rules of rules/rings.h and core/rings.h at their
 * limits, scans in order, in descending order and shuffled, and clouds that have no rings. Given rings that are not
 * plausible, beside a plain computation of the rule.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/rings.h"
#include "cpu/objects/azimuths.h"
#include "objects/turning_scans.h"

#include <clump/info.h>

#include <float.h>

enum { CONTEXTS = 3, COLUMNS = 400 };

static const int threads_of[CONTEXTS] = {1, 2, 8};
static clump_context *contexts[CONTEXTS];

/* ----- rules ------------------------------------------------------------------------------------------------------ */

/* The bin of the rule; UINT16_MAX: none. */
static uint16_t bin_expected(const float *p, const clump_objects_rule *rule, float azimuth)
{
    const float up = rule->sign * (p[rule->up] - rule->sensor[rule->up]);
    const int32_t bin = clump_rings_bin(
        clump_rings_elevation(p[0] - rule->sensor[0], p[rule->across] - rule->sensor[rule->across], up));
    return azimuth < 0 || bin < 0 ? UINT16_MAX : (uint16_t)bin;
}

/* Azimuths and bins of many points have the bits of the rule. */
static void azimuths_are_those_of_the_rule(void)
{
    static const float odd[] = {0, -0.0f, 1, -1, 1e-45f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN, 1e30f, 3e-39f};
    enum { ODD = sizeof odd / sizeof *odd, COUNT = CLUMP_AZIMUTHS };
    static float xyz[3 * COUNT], azimuth[COUNT];
    static uint16_t bins[COUNT];
    uint64_t random = 2321;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < 3 * COUNT; i++)
            xyz[i] = round % 2 ? 100 * check_random_float(&random) - 50 : odd[check_random(&random) % ODD];
        clump_objects_rule rule = {
            .across = round % 4 < 2 ? 1 : 2, .up = round % 4 < 2 ? 2 : 1, .sign = round % 5 ? 1 : -1};
        for (int k = 0; k < 3 && round % 3 == 0; k++)
            rule.sensor[k] = round % 2 ? 2.5f : odd[check_random(&random) % 7];
        const clump_cloud_job in = {.points = (const char *)xyz, .count = COUNT, .stride = 12};
        const int n = 1 + (int)(check_random(&random) % COUNT);
        clump_azimuths(&in, &rule, 0, n, azimuth);
        clump_elevation_bins(&in, &rule, 0, n, azimuth, bins);
        for (int i = 0; i < n; i++) {
            const float *const p = xyz + 3 * i;
            const float expected =
                clump_rings_azimuth(p[0], p[rule.across], p[rule.up], rule.sensor[0], rule.sensor[rule.across]);
            CHECK_MSG(memcmp(&azimuth[i], &expected, sizeof expected) == 0, "%g %g: %.9g, expected %.9g", (double)p[0],
                      (double)p[rule.across], (double)azimuth[i], (double)expected);
            CHECK_INT(bins[i], bin_expected(p, &rule, expected));
        }
    }
}

static int rings_of(clump_ring_steps steps)
{
    const clump_ring_order order = clump_rings_order(steps, CLUMP_RINGS_MOST);
    return order.rings * order.sign;
}

static void order_at_its_limits(void)
{
    const clump_ring_steps plain = {.up = 1900, .down = 100, .jump_down = 63, .tested = 100, .steep = 10};
    clump_ring_steps s = plain;
    CHECK_INT(rings_of(s), 64);
    s.down = 101, s.up = 1899; /* more than one in twenty */
    CHECK_INT(rings_of(s), 0);
    s = plain, s.steep = 11;
    CHECK_INT(rings_of(s), 0);
    s = plain, s.lost = 1;
    CHECK_INT(rings_of(s), 0);
    s = plain, s.jump_up = 7; /* one in eight */
    CHECK_INT(rings_of(s), 57);
    s.jump_up = 8;
    CHECK_INT(rings_of(s), 0);
    s = plain, s.jump_down = 7;
    CHECK_INT(rings_of(s), 8);
    s.jump_down = 6;
    CHECK_INT(rings_of(s), 0);
    s.jump_down = CLUMP_RINGS_MOST - 1;
    CHECK_INT(rings_of(s), CLUMP_RINGS_MOST);
    s.jump_down = CLUMP_RINGS_MOST;
    CHECK_INT(rings_of(s), 0);
    s = (clump_ring_steps){.up = 100, .down = 1900, .jump_up = 15}; /* descending */
    CHECK_INT(rings_of(s), -16);
    CHECK_INT(rings_of((clump_ring_steps){0}), 0);
}

/* Fills peaks of a histogram. */
static void fill_peaks(uint32_t *points, int peaks, int distance, int width, uint32_t each)
{
    memset(points, 0, CLUMP_RINGS_BINS * sizeof *points);
    for (int k = 0; k < peaks; k++)
        for (int w = 0; w < width; w++) points[1000 + k * distance + w] = each;
}

static void angles_at_their_limits(void)
{
    static uint32_t points[CLUMP_RINGS_BINS];
    static uint16_t ring[CLUMP_RINGS_BINS];
    fill_peaks(points, 16, 100, 10, 100);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 16);
    CHECK(ring[0] == 0 && ring[1000] == 0 && ring[1009] == 0 && ring[1100] == 1 && ring[CLUMP_RINGS_BINS - 1] == 15);
    CHECK(ring[1054] == 0 && ring[1056] == 1); /* the nearer peak */
    for (int b = 1; b < CLUMP_RINGS_BINS; b++) CHECK(ring[b] >= ring[b - 1] && ring[b] <= ring[b - 1] + 1);
    fill_peaks(points, 8, 30, 10, 100);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 8);
    fill_peaks(points, 8, 29, 10, 100); /* gaps are less than twice as wide as peaks */
    CHECK_INT(clump_rings_of_angles(points, false, ring), 0);
    fill_peaks(points, 8, 50, 10, 100);
    CHECK_INT(clump_rings_of_angles(points, true, ring), 8);
    fill_peaks(points, 8, 49, 10, 100); /* the strict test: less than four times as wide */
    CHECK_INT(clump_rings_of_angles(points, true, ring), 0);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 8);
    fill_peaks(points, 128, 30, 1, 100);
    CHECK_INT(clump_rings_of_angles(points, true, ring), 128);
    fill_peaks(points, 129, 30, 1, 100);
    CHECK_INT(clump_rings_of_angles(points, true, ring), 0);
    fill_peaks(points, 7, 100, 1, 100);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 0);
    fill_peaks(points, 256, 30, 1, 100);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 256);
    fill_peaks(points, 257, 30, 1, 100);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 0);
    fill_peaks(points, 100, 30, 1, 16);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 100);
    fill_peaks(points, 100, 30, 1, 15); /* too few points */
    CHECK_INT(clump_rings_of_angles(points, false, ring), 0);
    memset(points, 0, sizeof points);
    CHECK_INT(clump_rings_of_angles(points, false, ring), 0);
}

/* Points outside the peaks, in bins that count as empty: one in twenty is too many. */
static void stray_points(void)
{
    static uint32_t points[CLUMP_RINGS_BINS];
    static uint16_t ring[CLUMP_RINGS_BINS];
    fill_peaks(points, 10, 100, 1, 19 * 20000);
    for (uint32_t b = 0, left = 10 * 20000; left > 0; b++) {
        if (points[b] != 0) continue;
        points[b] = left < 200 ? left : 200;
        left -= points[b];
    }
    CHECK_INT(clump_rings_of_angles(points, false, ring), 10);
    CHECK_INT(clump_rings_of_angles(points, true, ring), 0);
    points[CLUMP_RINGS_BINS - 1] = 50;
    CHECK_INT(clump_rings_of_angles(points, false, ring), 0);
}

/* ----- scans ------------------------------------------------------------------------------------------------------ */

/* Runs clump_objects with every number of threads. Checks that labels are equal and where rings come from. */
static void check_source(const turning_scan *s, clump_objects_options o, clump_ring_source source, int rings,
                         int32_t *labels)
{
    const clump_points points = {.xyz = s->xyz, .count = s->count};
    int32_t *const again = malloc((s->count + 1) * sizeof *again), clusters = 0;
    for (int k = 0; k < CONTEXTS; k++) {
        CHECK_INT(clump_objects(contexts[k], points, &o, k ? again : labels, &clusters), CLUMP_OK);
        const clump_stats stats = clump_context_stats(contexts[k]);
        const bool exact = source == CLUMP_RINGS_NONE;
        CHECK_INT(stats.neighbours, exact ? CLUMP_NEIGHBOURS_EXACT : CLUMP_NEIGHBOURS_SCAN);
        CHECK_INT(stats.ring_source, source);
        CHECK_INT(stats.rings, rings);
        if (k) CHECK(memcmp(again, labels, s->count * sizeof *labels) == 0);
    }
    free(again);
}

/* A scan in the order of its rings: as with these rings given. With a mask, points that are not finite, and a sensor that
 * is elsewhere. */
static void scans_in_order(void)
{
    uint64_t random = 2322;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 4 : 12); round++) {
        turning_scan s = turning_scan_make(8 + (round * 7) % 50, COLUMNS + 90 * round, &random);
        if (round % 2) turning_scan_reverse(&s);
        int32_t *const labels = malloc((s.count + 1) * sizeof *labels), *const given = malloc((s.count + 1) * 4);
        uint8_t *const mask = malloc(s.count + 1);
        clump_objects_options o = clump_objects_defaults();
        o.common.min_size = 1;
        for (size_t i = 0; i < s.count; i++) mask[i] = check_random(&random) % 3 > 0;
        if (round % 3 == 1) o.common.mask = mask;
        for (size_t i = 0; i < s.count && round % 3 == 2; i++)
            if (check_random(&random) % 4 == 0) s.xyz[3 * i + check_random(&random) % 3] = NAN;
        for (int a = 0; a < 3 && round % 4 > 1; a++) {
            o.ground.sensor[a] = 10 + (float)a;
            for (size_t i = 0; i < s.count; i++) s.xyz[3 * i + (size_t)a] += o.ground.sensor[a];
        }
        check_source(&s, o, CLUMP_RINGS_ORDER, s.ring_count, labels);
        o.neighbours = CLUMP_NEIGHBOURS_SCAN;
        check_source(&s, o, CLUMP_RINGS_ORDER, s.ring_count, labels);
        o.rings = s.rings;
        check_source(&s, o, CLUMP_RINGS_GIVEN, s.ring_count, given);
        CHECK_MSG(memcmp(labels, given, s.count * sizeof *labels) == 0, "round %d", round);
        free(labels), free(given), free(mask);
        turning_scan_release(&s);
    }
}

/* A scan in no order: rings by angles. */
static void scans_in_no_order(void)
{
    uint64_t random = 2323;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 2 : 6); round++) {
        turning_scan s = turning_scan_make(round == 0 ? 8 : 16 << round % 3, COLUMNS, &random);
        turning_scan_shuffle(&s, &random);
        int32_t *const labels = malloc((s.count + 1) * sizeof *labels), *const given = malloc((s.count + 1) * 4);
        clump_objects_options o = clump_objects_defaults();
        o.ground.flip = round % 2;
        for (size_t i = 0; i < s.count && round % 2; i++) s.xyz[3 * i + 2] = -s.xyz[3 * i + 2];
        check_source(&s, o, CLUMP_RINGS_ANGLE, s.ring_count, labels);
        o.neighbours = CLUMP_NEIGHBOURS_SCAN;
        check_source(&s, o, CLUMP_RINGS_ANGLE, s.ring_count, labels);
        o.rings = s.rings;
        check_source(&s, o, CLUMP_RINGS_GIVEN, s.ring_count, given);
        CHECK(memcmp(labels, given, s.count * sizeof *labels) == 0);
        free(labels), free(given);
        turning_scan_release(&s);
    }
}

/* Points at the end of a turn that overlap with its beginning stay in their ring. */
static void turns_that_overlap(void)
{
    uint64_t random = 2324;
    turning_scan s = turning_scan_make(60, COLUMNS, &random);
    int32_t *const labels = malloc((s.count + 1) * sizeof *labels), *const given = malloc((s.count + 1) * 4);
    size_t exchanged = 0;
    for (size_t i = 1; i < s.count && exchanged < 6; i++) /* the last point of a ring and the first of the next */
        if (s.rings[i] != s.rings[i - 1] && s.rings[i] % 8 == 0) turning_scan_exchange(&s, i, i - 1), exchanged++;
    CHECK_INT((int)exchanged, 6);
    clump_objects_options o = clump_objects_defaults();
    o.common.min_size = 1;
    check_source(&s, o, CLUMP_RINGS_ORDER, 60, labels);
    o.rings = s.rings;
    check_source(&s, o, CLUMP_RINGS_GIVEN, 60, given);
    CHECK(memcmp(labels, given, s.count * sizeof *labels) == 0);
    free(labels), free(given);
    turning_scan_release(&s);
}

/* ----- rings that are not plausible ------------------------------------------------------------------------------- */

/* What rings are given, for a scan with true rings. */
typedef enum giving { TRUE_RINGS, REVERSED, EVERY_THIRD, PAIRS, ZERO, RANDOM, FIRING, CYCLES, GIVINGS } giving;

static uint16_t given_ring(giving g, uint16_t ring, int rings, size_t i, uint64_t *random)
{
    switch (g) {
    case REVERSED:
        return (uint16_t)(rings - 1 - ring);
    case EVERY_THIRD: /* numbers with gaps */
        return (uint16_t)(3 * ring + 5);
    case PAIRS:
        return (uint16_t)(ring / 2);
    case ZERO:
        return 0;
    case RANDOM:
        return (uint16_t)(check_random(random) % (uint64_t)rings);
    case FIRING: /* the lower half and the upper half alternate, as the lasers of a VLP-16 */
        return (uint16_t)(ring < rings / 2 ? 2 * ring : 2 * (ring - rings / 2) + 1);
    case CYCLES:
        return (uint16_t)(i % 16);
    case TRUE_RINGS:
    case GIVINGS:
        break;
    }
    return ring;
}

static clump_ring_doubt doubt_expected(giving g)
{
    return g == FIRING ? CLUMP_RING_DOUBT_UNORDERED : g >= ZERO ? CLUMP_RING_DOUBT_SCATTERED : CLUMP_RING_DOUBT_NONE;
}

/* Turns a cloud by 5 degrees around y, as a sensor that looks down, and lifts it by 2. */
static void mount(turning_scan *s, clump_objects_options *o)
{
    for (size_t i = 0; i < s->count; i++) {
        float *const p = s->xyz + 3 * i, x = p[0], z = p[2];
        p[0] = 0.9962f * x + 0.0872f * z;
        p[2] = 0.9962f * z - 0.0872f * x + 2;
    }
    o->ground.sensor[2] = 2;
}

/* Checks a call with the rings: `auto` does as without rings where they are not plausible, `scan` uses them. */
static void check_doubt(const turning_scan *s, clump_objects_options o, clump_ring_doubt doubt)
{
    const clump_points points = {.xyz = s->xyz, .count = s->count};
    int32_t *const labels = malloc((s->count + 1) * sizeof *labels), *const plain = malloc((s->count + 1) * 4);
    const clump_ring_source given = o.rings ? CLUMP_RINGS_GIVEN : CLUMP_RINGS_ROWS;
    clump_objects_options without = o;
    without.rings = NULL, without.columns = 0;
    if (doubt == CLUMP_RING_DOUBT_NONE) without = o, without.neighbours = CLUMP_NEIGHBOURS_SCAN;
    for (int k = 0; k < CONTEXTS; k++) {
        CHECK_INT(clump_objects(contexts[k], points, &without, plain, NULL), CLUMP_OK);
        const clump_ring_source otherwise = clump_context_stats(contexts[k]).ring_source;
        CHECK_INT(clump_context_stats(contexts[k]).ring_doubt, CLUMP_RING_DOUBT_NONE);
        o.neighbours = CLUMP_NEIGHBOURS_AUTO;
        CHECK_INT(clump_objects(contexts[k], points, &o, labels, NULL), CLUMP_OK);
        const clump_stats stats = clump_context_stats(contexts[k]);
        CHECK_MSG(stats.ring_doubt == doubt, "%s, expected %s", clump_ring_doubt_name(stats.ring_doubt),
                  clump_ring_doubt_name(doubt));
        CHECK_INT(stats.ring_source, doubt == CLUMP_RING_DOUBT_NONE ? given : otherwise);
        CHECK(memcmp(labels, plain, s->count * sizeof *labels) == 0);
        o.neighbours = CLUMP_NEIGHBOURS_SCAN;
        CHECK_INT(clump_objects(contexts[k], points, &o, labels, NULL), CLUMP_OK);
        CHECK_INT(clump_context_stats(contexts[k]).ring_doubt, doubt);
        CHECK_INT(clump_context_stats(contexts[k]).ring_source, given);
        o.neighbours = CLUMP_NEIGHBOURS_EXACT;
        CHECK_INT(clump_objects(contexts[k], points, &o, labels, NULL), CLUMP_OK);
        CHECK_INT(clump_context_stats(contexts[k]).ring_doubt, CLUMP_RING_DOUBT_NONE);
    }
    free(labels), free(plain);
}

static void rings_in_doubt(void)
{
    uint64_t random = 2326;
    for (int round = 0; round < (CLOUD_WATCHED ? GIVINGS : 3 * GIVINGS); round++) {
        const giving g = (giving)(round % GIVINGS);
        turning_scan s = turning_scan_make(16 << round % 2, 900, &random);
        uint16_t *const rings = malloc((s.count + 1) * sizeof *rings);
        if (round % 3 == 1) turning_scan_shuffle(&s, &random);
        for (size_t i = 0; i < s.count; i++) rings[i] = given_ring(g, s.rings[i], s.ring_count, i, &random);
        clump_objects_options o = clump_objects_defaults();
        if (round % 3 == 2) mount(&s, &o);
        o.rings = rings;
        check_doubt(&s, o, doubt_expected(g));
        o.rings = NULL;
        o.columns = 7; /* rows of 7 points are no rings */
        if (s.count < 7 * CLUMP_RINGS_MOST) check_doubt(&s, o, CLUMP_RING_DOUBT_UNORDERED);
        free(rings);
        turning_scan_release(&s);
    }
}

/* The wedge of a point; -1: none. */
static int plain_wedge(const float *p)
{
    const double x = fabs((double)p[0]), y = fabs((double)p[1]);
    if (y < x / 16) return p[0] > 0 ? 0 : 1;
    if (x < y / 16) return p[1] > 0 ? 2 : 3;
    if (fabs(x - y) < x / 16) return 4 + (p[0] > 0 ? 0 : 1) + (p[1] > 0 ? 0 : 2);
    return -1;
}

/* Adds (angle - mean)^n of the points of a wedge and a ring; ring -1: of all. */
static double plain_sum(const turning_scan *s, int wedge, int ring, double mean, int n)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        const float *const p = s->xyz + 3 * i;
        if ((ring >= 0 && s->rings[i] != ring) || plain_wedge(p) != wedge) continue;
        sum += pow(atan2((double)p[2], hypot((double)p[0], (double)p[1])) - mean, n);
    }
    return sum;
}

/* Computes the share of the variance of vertical angles that is within rings. */
static double plain_scatter(const turning_scan *s)
{
    double within = 0, all = 0, points = 0, cells = 0, wedges = 0;
    for (int w = 0; w < 8; w++) {
        for (int r = -1; r < s->ring_count; r++) {
            const double count = plain_sum(s, w, r, 0, 0);
            if (count == 0) continue;
            const double squares = plain_sum(s, w, r, plain_sum(s, w, r, 0, 1) / count, 2);
            if (r < 0)
                all += squares, points += count, wedges++;
            else
                within += squares, cells++;
        }
    }
    return within / (points - cells) / (all / (points - wedges));
}

/* A share of the rings is replaced by random ones. The verdict is that of the plain computation. */
static void rings_in_part_wrong(void)
{
    uint64_t random = 2327;
    int scattered = 0, plain = 0;
    for (int round = 0; round < (CLOUD_WATCHED ? 5 : 30); round++) {
        turning_scan s = turning_scan_make(16, 300, &random);
        for (size_t i = 0; i < s.count; i++)
            if (check_random(&random) % 60 < (uint64_t)round) s.rings[i] = (uint16_t)(check_random(&random) % 16);
        const double share = plain_scatter(&s);
        clump_objects_options o = clump_objects_defaults();
        o.rings = s.rings;
        int32_t *const labels = malloc((s.count + 1) * sizeof *labels);
        CHECK_INT(clump_objects(contexts[0], (clump_points){.xyz = s.xyz, .count = s.count}, &o, labels, NULL),
                  CLUMP_OK);
        const bool found = clump_context_stats(contexts[0]).ring_doubt == CLUMP_RING_DOUBT_SCATTERED;
        if (fabs(share - 0.25) > 1e-4) CHECK_MSG(found == (share > 0.25), "round %d: %g", round, share);
        scattered += found, plain += !found;
        free(labels);
        turning_scan_release(&s);
    }
    CHECK(CLOUD_WATCHED || (scattered > 3 && plain > 3));
}

/* Too few points to judge: the rings are used. */
static void few_rings(void)
{
    uint64_t random = 2328;
    turning_scan s = turning_scan_make(8, 12, &random);
    for (size_t i = 0; i < s.count; i++) s.rings[i] = (uint16_t)(check_random(&random) % 8);
    clump_objects_options o = clump_objects_defaults();
    o.rings = s.rings;
    check_doubt(&s, o, CLUMP_RING_DOUBT_NONE);
    turning_scan_release(&s);
}

/* ----- clouds without rings --------------------------------------------------------------------------------------- */

/* Checks that the rings of a cloud are not known: exact neighbours, or one sentence. */
static void check_unknown(const float *xyz, size_t count, const char *name)
{
    const clump_points points = {.xyz = xyz, .count = count};
    int32_t *const labels = malloc((count + 1) * sizeof *labels), clusters = 0;
    clump_objects_options o = clump_objects_defaults();
    for (int k = 0; k < CONTEXTS; k++) {
        o.neighbours = CLUMP_NEIGHBOURS_AUTO;
        CHECK_MSG(clump_objects(contexts[k], points, &o, labels, &clusters) == CLUMP_OK, "%s", name);
        CHECK_MSG(clump_context_stats(contexts[k]).neighbours == CLUMP_NEIGHBOURS_EXACT, "%s", name);
        o.neighbours = CLUMP_NEIGHBOURS_SCAN;
        CHECK_MSG(clump_objects(contexts[k], points, &o, labels, &clusters) == CLUMP_ERR_ARGUMENT, "%s", name);
        CHECK_MSG(strstr(clump_context_error(contexts[k]), "clump_objects: the rings of the cloud are not known") &&
                      strstr(clump_context_error(contexts[k]), "give rings, or use exact neighbours"),
                  "%s: %s", name, clump_context_error(contexts[k]));
    }
    free(labels);
}

static void clouds_without_rings(void)
{
    enum { SIDE = 120, COUNT = SIDE * SIDE };
    float *const xyz = malloc(3 * COUNT * sizeof *xyz);
    uint64_t random = 2325;
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] = 60 * check_random_float(&random) - 30;
    check_unknown(xyz, COUNT, "random");
    check_unknown(xyz, 200, "few random points");
    check_unknown(xyz, 1, "one point");
    for (size_t i = 0; i < COUNT; i++) { /* rows of a survey, the sensor in its middle or far away */
        xyz[3 * i] = (float)(i % SIDE) - SIDE / 2.0f, xyz[3 * i + 1] = (float)(i / SIDE) - SIDE / 2.0f;
        xyz[3 * i + 2] = 3 * check_random_float(&random);
    }
    check_unknown(xyz, COUNT, "raster");
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] += 5e5f;
    check_unknown(xyz, COUNT, "survey");
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] = 3;
    check_unknown(xyz, COUNT, "one place");
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] = 0;
    check_unknown(xyz, COUNT, "the sensor");
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] = NAN;
    check_unknown(xyz, COUNT, "not finite");
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] = i % 2 ? FLT_MAX : -FLT_MAX;
    check_unknown(xyz, COUNT, "far away");
    free(xyz);
}

/* Turns of one sensor one after another, each sorted by time, are no rings: lasers alternate. */
static void turns_of_time(void)
{
    enum { TURNS = 12, LASERS = 16, STEPS = 150, COUNT = TURNS * LASERS * STEPS };
    float *const xyz = malloc(3 * COUNT * sizeof *xyz), *p = xyz;
    for (int turn = 0; turn < TURNS; turn++)
        for (int step = 0; step < STEPS; step++)
            for (int laser = 0; laser < LASERS; laser++, p += 3) {
                const double azimuth = 6.283185307179586 * (step + laser / 40.0 + 0.2) / STEPS;
                const double elevation = -0.25 + 0.033 * (laser * 9 % LASERS) + 0.002 * turn;
                p[0] = (float)(9 * cos(azimuth)), p[1] = (float)(9 * sin(azimuth)), p[2] = (float)(9 * tan(elevation));
            }
    const clump_points points = {.xyz = xyz, .count = COUNT};
    int32_t *const labels = malloc(COUNT * sizeof *labels), clusters = 0;
    clump_objects_options o = clump_objects_defaults();
    CHECK_INT(clump_objects(contexts[0], points, &o, labels, &clusters), CLUMP_OK);
    CHECK_INT(clump_context_stats(contexts[0]).neighbours, CLUMP_NEIGHBOURS_EXACT);
    free(xyz), free(labels);
}

static void no_points(void)
{
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_SCAN;
    int32_t clusters = -1;
    CHECK_INT(clump_objects(contexts[0], (clump_points){0}, &o, NULL, &clusters), CLUMP_OK);
    CHECK_INT(clusters, 0);
}

CHECK_PROGRAM(test_rings)
{
    cpu_contexts(contexts, threads_of, CONTEXTS);
    RUN(azimuths_are_those_of_the_rule);
    RUN(order_at_its_limits);
    RUN(angles_at_their_limits);
    RUN(stray_points);
    RUN(scans_in_order);
    RUN(scans_in_no_order);
    RUN(turns_that_overlap);
    RUN(rings_in_doubt);
    RUN(rings_in_part_wrong);
    RUN(few_rings);
    RUN(clouds_without_rings);
    RUN(turns_of_time);
    RUN(no_points);
    destroy_contexts(contexts, CONTEXTS);
}
