/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_sweep.c: corrections of a spinning sensor, undone by the formulas of viewer/README.md.
 */
#include "support/check.h"

#include "viewer/packet/packet_parts.h"

#include <math.h>

enum { ROWS = 12000, TURN = 2000 }; /* points in all, and per turn */

typedef struct scan {
    int64_t values[3][ROWS];
    uint8_t hidden[ROWS];
} scan;

/* Six beams around a sensor at 100, -200, 300, in steps of 2 mm. Walls jump from 2 m to 25 m and back: the ratio of two
 * distances is 12.5. Some rows are hidden. */
static void make_scan(scan *s)
{
    uint64_t random = 7;
    for (int i = 0; i < ROWS; i++) {
        const double angle = 6.283185307179586 * i / TURN;
        const double range = (i / 40 % 5 == 0 ? 1000 : 12500) + 10 * check_random_float(&random);
        const double elevation = -0.2 + 0.05 * (i / TURN);
        s->values[0][i] = (int64_t)floor(100 + range * cos(angle) + 0.5);
        s->values[1][i] = (int64_t)floor(-200 + range * sin(angle) + 0.5);
        s->values[2][i] = (int64_t)floor(300 + range * tan(elevation) + 0.5);
        s->hidden[i] = i % 97 == 0;
    }
}

/* Makes integers of the corrections e, f, g, row by row. */
static void undo(const packet_sweep *sweep, int64_t *const efg[3])
{
    for (size_t i = 0; i < ROWS; i++) {
        double p[3], x, y;
        for (int a = 0; a < 3; a++) p[a] = i < sweep->back ? 0 : (double)efg[a][i - sweep->back] - sweep->apex[a];
        const double qx = p[0] * sweep->cosine - p[1] * sweep->sine, qy = p[0] * sweep->sine + p[1] * sweep->cosine;
        if (fabs(qx) >= fabs(qy)) {
            x = floor(qx + 0.5) + (double)efg[0][i];
            y = floor(x * (qx == 0 ? 0 : qy / qx) + 0.5) + (double)efg[1][i];
        } else {
            y = floor(qy + 0.5) + (double)efg[0][i];
            x = floor(y * (qx / qy) + 0.5) + (double)efg[1][i];
        }
        double k = sqrt(x * x + y * y) / sqrt(p[0] * p[0] + p[1] * p[1]);
        if (!(k <= 16)) k = 1;
        const double z = floor(p[2] * k + 0.5) + (double)efg[2][i];
        efg[0][i] = (int64_t)(x + sweep->apex[0]);
        efg[1][i] = (int64_t)(y + sweep->apex[1]);
        efg[2][i] = (int64_t)(z + sweep->apex[2]);
    }
}

static void check_back(uint32_t back)
{
    static scan before, after;
    make_scan(&before);
    after = before;
    int64_t *const xyz[3] = {after.values[0], after.values[1], after.values[2]};
    const packet_sweep sweep = {.back = back, .cosine = cos(0.00314), .sine = sin(0.00314), .apex = {100, -200, 350}};
    packet_apply_sweep(&sweep, xyz, after.hidden, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        if (before.hidden[i]) CHECK(!xyz[0][i] && !xyz[1][i] && !xyz[2][i]);
    undo(&sweep, xyz);
    for (int a = 0; a < 3; a++)
        for (size_t i = 0; i < ROWS; i++)
            if (!before.hidden[i])
                CHECK_MSG(before.values[a][i] == after.values[a][i], "back %u, axis %d, row %zu", back, a, i);
}

static void corrections_can_be_undone(void)
{
    check_back(1);
    check_back(TURN);
    check_back(ROWS - 1);
}

/* A scan gets a sweep, noise does not, and few points do not. */
static void sweeps_are_chosen_where_they_pay(void)
{
    static scan s;
    const double sensor[3] = {100, -200, 300};
    packet_sweep sweep = {0};
    make_scan(&s);
    int64_t *const xyz[3] = {s.values[0], s.values[1], s.values[2]};
    CHECK(packet_choose_sweep(xyz, ROWS, 0, sensor, 0.002, &sweep));
    CHECK_INT(sweep.back, 1);
    CHECK(fabs(atan2(sweep.sine, sweep.cosine) - 6.283185307179586 / TURN) < 1e-4);
    CHECK(sweep.apex[0] == 100 && sweep.apex[1] == -200);
    CHECK(!packet_choose_sweep(xyz, 4000, 0, sensor, 0.002, &sweep));
    CHECK(!packet_choose_sweep(xyz, ROWS, 0, (const double[3]){1e12, 0, 0}, 0.002, &sweep));
    uint64_t random = 3;
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < ROWS; i++) s.values[a][i] = (int64_t)(check_random(&random) % 50000);
    CHECK(!packet_choose_sweep(xyz, ROWS, 0, sensor, 0.002, &sweep));
}

CHECK_PROGRAM(test_view_sweep)
{
    RUN(corrections_can_be_undone);
    RUN(sweeps_are_chosen_where_they_pay);
}
