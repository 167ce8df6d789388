/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a scan of the simulated sensor is: beams, order and times as of the real sensor, ground where the parameters say,
 * noise as large as asked for. Classes and instances are in test_sim_truth.c.
 */
#include "sim/lidar_scan.h"

#include <math.h>

#define SCAN_DEGREES (180 / 3.14159265358979323846)
enum {
    ROAD = 40,
    MARKING = 60,
    PAVEMENT = 48,
    HOUSE = 50,
    FENCE = 51,
    CAR = 10,
    VEHICLE = 18,
    PERSON = 30,
    LEAVES = 70,
    TRUNK = 71,
    TERRAIN = 72,
    POLE = 80,
    SIGN = 81
};

static double range_of(const lidar_scan *s, size_t i)
{
    const float *p = &s->to.xyz[3 * i];
    return sqrt((double)p[0] * (double)p[0] + (double)p[1] * (double)p[1] + (double)p[2] * (double)p[2]);
}

/* Exact ranges and no losses by chance. */
static clump_lidar exact_lidar(clump_lidar_model model, clump_lidar_scene scene)
{
    clump_lidar lidar = lidar_of(model, scene);
    lidar.noise = lidar.dropout = 0;
    return lidar;
}

/* The data sheets' angles, in degrees. */
static double angle_of(clump_lidar_model model, size_t ring)
{
    const double r = (double)ring;
    if (model == CLUMP_LIDAR_VLP16) return -15 + 2 * r;
    if (model == CLUMP_LIDAR_HDL32E) return -30.67 + 4 * r / 3;
    return ring < 32 ? -24.33 + r / 2 : -8.33 + (r - 32) / 3;
}

static void beams_have_their_angles(void)
{
    static const size_t beams[] = {16, 32, 64, 128};
    for (int m = CLUMP_LIDAR_VLP16; m <= CLUMP_LIDAR_128; m++) {
        const clump_lidar lidar = exact_lidar((clump_lidar_model)m, CLUMP_SCENE_STREET);
        lidar_scan s = scan_of(&lidar);
        CHECK_MSG(s.count > s.rays / 2 && s.count <= s.rays, "model %d: %zu of %zu", m, s.count, s.rays);
        CHECK_INT(s.rays % beams[m], 0);
        double lowest[128], highest[128];
        for (size_t r = 0; r < 128; r++) lowest[r] = 90, highest[r] = -90;
        for (size_t i = 0; i < s.count; i++) {
            const size_t ring = s.to.ring[i];
            CHECK_MSG(ring < beams[m], "ring %zu", ring);
            if (ring >= beams[m]) break;
            const double angle = asin((double)s.to.xyz[3 * i + 2] / range_of(&s, i)) * SCAN_DEGREES;
            lowest[ring] = fmin(lowest[ring], angle), highest[ring] = fmax(highest[ring], angle);
        }
        for (size_t r = 0; r < beams[m]; r++) {
            if (lowest[r] > highest[r]) continue; /* no echo: a beam above the houses */
            const double expected = m == CLUMP_LIDAR_128 ? lowest[r] : angle_of((clump_lidar_model)m, r);
            CHECK_MSG(fabs(lowest[r] - expected) < 0.01 && fabs(highest[r] - expected) < 0.01,
                      "model %d, ring %zu: %g to %g, expected %g", m, r, lowest[r], highest[r], expected);
            if (m == CLUMP_LIDAR_128) CHECK(r == 0 || lowest[r] > highest[r - 1] || lowest[r - 1] > highest[r - 1]);
        }
        free_scan(&s);
    }
}

/* A turn begins at the rear and goes clockwise; points come in the order that the header of the library promises. */
static void points_come_in_order(void)
{
    for (int m = CLUMP_LIDAR_VLP16; m <= CLUMP_LIDAR_128; m++) {
        const clump_lidar lidar = exact_lidar((clump_lidar_model)m, CLUMP_SCENE_STREET);
        lidar_scan s = scan_of(&lidar);
        double last = m == CLUMP_LIDAR_HDL64E ? 1e9 : 0, ring_turn = -1;
        for (size_t i = 0; i < s.count; i++) {
            const double time = (double)s.to.time[i];
            const double turn = -atan2((double)s.to.xyz[3 * i + 1], (double)s.to.xyz[3 * i]) * SCAN_DEGREES / 360;
            const double off = fabs(time * lidar.rate - 0.5 - turn); /* in turns */
            CHECK_MSG(time >= 0 && time < 1 / lidar.rate, "time %g", time);
            CHECK_MSG(off < 0.002 || off > 0.998, "model %d, point %zu: %g turns off", m, i, off);
            if (m != CLUMP_LIDAR_HDL64E) {
                CHECK_MSG(time >= last, "model %d, point %zu: %g after %g", m, i, time, last);
                last = time;
                continue;
            }
            const double left = turn < 0 ? -turn : 1 - turn; /* counter-clockwise from the front, 0 to 1 */
            CHECK_MSG((double)s.to.ring[i] <= last, "ring %d after %g", s.to.ring[i], last);
            if ((double)s.to.ring[i] == last)
                CHECK_MSG(left > ring_turn - 1e-6, "point %zu: %g after %g", i, left, ring_turn);
            last = (double)s.to.ring[i], ring_turn = left;
        }
        free_scan(&s);
    }
}

/* Checks that the road is at -height + slope * x, and the pavement the kerb above it. */
static void check_ground(clump_lidar lidar)
{
    lidar_scan s = scan_of(&lidar);
    size_t roads = 0, pavements = 0;
    for (size_t i = 0; i < s.count; i++) {
        const double z = (double)s.to.xyz[3 * i + 2] + lidar.height - lidar.slope / 100 * (double)s.to.xyz[3 * i];
        if (s.to.semantic[i] == ROAD) {
            roads++;
            CHECK_MSG(fabs(z) < 0.02, "road at %g", z); /* asphalt is rough */
        }
        if (s.to.semantic[i] != PAVEMENT) continue;
        pavements++;
        CHECK_MSG(z > -0.02 && z < lidar.kerb + 0.02, "pavement at %g", z); /* its edge is between */
    }
    CHECK_MSG(roads > s.count / 20 && pavements > s.count / 100, "%zu and %zu of %zu", roads, pavements, s.count);
    free_scan(&s);
}

static void ground_is_where_it_should_be(void)
{
    clump_lidar lidar = exact_lidar(CLUMP_LIDAR_HDL32E, CLUMP_SCENE_STREET);
    check_ground(lidar);
    lidar.height = 2.4, lidar.slope = 8, lidar.kerb = 0.25;
    check_ground(lidar);
    lidar.slope = -8;
    check_ground(lidar);
}

/* Pairs the points of two scans that differ in noise alone, by ring and time, and measures the difference of ranges. */
static void noise_is_as_asked_for(void)
{
    clump_lidar lidar = exact_lidar(CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET);
    lidar_scan exact = scan_of(&lidar);
    lidar.noise = 0.05;
    lidar_scan noisy = scan_of(&lidar);
    double sum = 0, squares = 0;
    size_t pairs = 0;
    for (size_t i = 0, k = 0; i < exact.count && k < noisy.count;) {
        const float a = exact.to.time[i], b = noisy.to.time[k];
        if (a < b || (a == b && exact.to.ring[i] != noisy.to.ring[k])) {
            i++;
        } else if (b < a) {
            k++;
        } else {
            const double off = range_of(&noisy, k++) - range_of(&exact, i++);
            sum += off, squares += off * off, pairs++;
        }
    }
    const double n = (double)pairs, deviation = sqrt(squares / n);
    CHECK_MSG(pairs > exact.count * 9 / 10, "%zu pairs of %zu", pairs, exact.count);
    CHECK_MSG(fabs(sum / n) < 0.002 && deviation > 0.047 && deviation < 0.053, "mean %g, deviation %g", sum / n,
              deviation);
    free_scan(&exact), free_scan(&noisy);
}

static void losses_are_as_asked_for(void)
{
    clump_lidar lidar = exact_lidar(CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET);
    lidar_scan all = scan_of(&lidar);
    lidar.dropout = 0.25;
    lidar_scan most = scan_of(&lidar);
    lidar.dropout = 1;
    lidar_scan none = scan_of(&lidar);
    const double share = (double)most.count / (double)all.count;
    CHECK_MSG(fabs(share - 0.75) < 0.02, "%g", share);
    CHECK_INT(none.count, 0);
    free_scan(&all), free_scan(&most), free_scan(&none);
    lidar.dropout = 0, lidar.reach = 25;
    lidar_scan near = scan_of(&lidar);
    for (size_t i = 0; i < near.count; i++) CHECK_MSG(range_of(&near, i) <= 25, "%g", range_of(&near, i));
    free_scan(&near);
}

CHECK_PROGRAM(test_sim_scan)
{
    RUN(beams_have_their_angles);
    RUN(points_come_in_order);
    RUN(ground_is_where_it_should_be);
    RUN(noise_is_as_asked_for);
    RUN(losses_are_as_asked_for);
}
