/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_sweep.c: a prediction for the points of a spinning sensor. From one point of a beam to the next, the sensor turns by
 * the same angle: the direction is known, and the smaller horizontal coordinate follows from the larger one. The elevation
 * of the beam is known too: height follows from the distance. Only the larger coordinate and small corrections remain.
 * viewer/README.md has the formulas; all are basic operations of IEEE 754, so page and program compute the same bits.
 */
#include "viewer/packet/packet_parts.h"

#include "common/assert.h"
#include "viewer/bytes/bytes.h"
#include "viewer/scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SWEEP_PLACES = 8,  /* places at which rows are taken for choices */
    SWEEP_ROWS = 1024, /* per place */
    SWEEP_SAMPLE = SWEEP_PLACES * SWEEP_ROWS
};

/* The prediction of a row from the row P before it. */
typedef struct prediction {
    double larger, slope; /* of the larger coordinate; smaller / larger */
    bool x_is_larger;
} prediction;

static double rounded(double v)
{
    return floor(v + 0.5);
}

static prediction predict(const packet_sweep *sweep, const double p[3])
{
    const double qx = p[0] * sweep->cosine - p[1] * sweep->sine;
    const double qy = p[0] * sweep->sine + p[1] * sweep->cosine;
    if (fabs(qx) >= fabs(qy)) return (prediction){rounded(qx), qx == 0 ? 0 : qy / qx, true};
    return (prediction){rounded(qy), qx / qy, false};
}

static double predict_height(const double p[3], double x, double y)
{
    double k = sqrt(x * x + y * y) / sqrt(p[0] * p[0] + p[1] * p[1]);
    if (!(k <= 16)) k = 1;
    return rounded(p[2] * k);
}

static void before(const packet_sweep *sweep, int64_t *const xyz[3], size_t i, double p[3])
{
    for (int a = 0; a < 3; a++) p[a] = i < sweep->back ? 0 : (double)xyz[a][i - sweep->back] - sweep->apex[a];
}

/* Sets e, f, g of row i. The row before must still hold integers. */
static void correct(const packet_sweep *sweep, int64_t *const xyz[3], size_t i, int64_t efg[3])
{
    CLUMP_ASSERT(sweep->back >= 1);
    double p[3], q[3];
    before(sweep, xyz, i, p);
    for (int a = 0; a < 3; a++) q[a] = (double)xyz[a][i] - sweep->apex[a];
    const prediction next = predict(sweep, p);
    const double larger = next.x_is_larger ? q[0] : q[1], smaller = next.x_is_larger ? q[1] : q[0];
    efg[0] = (int64_t)(larger - next.larger);
    efg[1] = (int64_t)(smaller - rounded(larger * next.slope));
    efg[2] = (int64_t)(q[2] - predict_height(p, q[0], q[1]));
}

/* Moves a hidden point to where it is predicted: all its corrections are 0. */
static void hide(const packet_sweep *sweep, int64_t *const xyz[3], size_t i)
{
    double p[3], q[3];
    before(sweep, xyz, i, p);
    const prediction next = predict(sweep, p);
    q[next.x_is_larger ? 0 : 1] = next.larger;
    q[next.x_is_larger ? 1 : 0] = rounded(next.larger * next.slope);
    q[2] = predict_height(p, q[0], q[1]);
    for (int a = 0; a < 3; a++) xyz[a][i] = (int64_t)(q[a] + sweep->apex[a]);
}

void packet_apply_sweep(const packet_sweep *sweep, int64_t *const xyz[3], const uint8_t *hidden, size_t rows)
{
    for (size_t i = 0; hidden && i < rows; i++)
        if (hidden[i]) hide(sweep, xyz, i);
    for (size_t i = rows; i-- > 0;) { /* backwards, so that the rows before are still integers */
        int64_t efg[3];
        correct(sweep, xyz, i, efg);
        for (int a = 0; a < 3; a++) xyz[a][i] = efg[a];
    }
}

/* Returns row k of the sample, of SWEEP_SAMPLE rows. */
static size_t sampled_row(size_t rows, size_t k)
{
    return (rows - SWEEP_ROWS) / SWEEP_PLACES * (k / SWEEP_ROWS) + k % SWEEP_ROWS;
}

/* Sets the turn to the median of the angles between a point and the one before. */
static void find_turn(packet_sweep *sweep, int64_t *const xyz[3], size_t rows, double *scratch)
{
    CLUMP_ASSERT(rows >= 1);
    size_t found = 0;
    for (size_t k = 0; k < SWEEP_SAMPLE; k += 4) {
        const size_t i = sampled_row(rows, k);
        double p[3];
        before(sweep, xyz, i, p);
        const double x = (double)xyz[0][i] - sweep->apex[0], y = (double)xyz[1][i] - sweep->apex[1];
        const double turn = atan2(p[0] * y - p[1] * x, p[0] * x + p[1] * y);
        if (turn != 0) scratch[found++] = turn;
    }
    qsort(scratch, found, sizeof *scratch, view_compare_numbers);
    const double turn = found ? scratch[found / 2] : 0;
    sweep->cosine = cos(turn);
    sweep->sine = sin(turn);
}

/* Returns the estimated bits per row of the sample. */
static double cost_of(const packet_sweep *sweep, int64_t *const xyz[3], size_t rows, int64_t *scratch)
{
    for (size_t k = 0; k < SWEEP_SAMPLE; k++) {
        int64_t efg[3];
        correct(sweep, xyz, sampled_row(rows, k), efg);
        for (int a = 0; a < 3; a++) scratch[(size_t)a * SWEEP_SAMPLE + k] = efg[a];
    }
    double bits = 0;
    for (size_t a = 0; a < 3; a++) bits += view_column_cost_at(scratch + a * SWEEP_SAMPLE, SWEEP_SAMPLE, 0);
    return bits;
}

/* The beams of a sensor do not meet in the point that is its origin. Finds the height at which most of them do. */
static double find_apex(packet_sweep *sweep, int64_t *const xyz[3], size_t rows, double unit, int64_t *scratch)
{
    const double base = sweep->apex[2];
    double best = base, least = cost_of(sweep, xyz, rows, scratch);
    for (int tenth = -3; tenth <= 4; tenth++) {
        sweep->apex[2] = base + rounded(0.1 * tenth / unit);
        const double cost = tenth ? cost_of(sweep, xyz, rows, scratch) : least;
        if (cost < least) least = cost, best = sweep->apex[2];
    }
    sweep->apex[2] = best;
    return least;
}

bool packet_choose_sweep(int64_t *const xyz[3], size_t rows, size_t width, const double sensor[3], double unit,
                         packet_sweep *sweep)
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(sensor[a]) < 0x1p31)) return false;
    int64_t *const scratch = rows < SWEEP_SAMPLE ? NULL : malloc(3 * SWEEP_SAMPLE * sizeof *scratch);
    if (!scratch) return false; /* plain differences need no memory */
    uint32_t back;
    double plain = 0, least = HUGE_VAL;
    for (int a = 0; a < 3; a++) plain += view_column_cost(xyz[a], rows, width, &back);
    const size_t tried[] = {1, 16, 32, 64, 128, width};
    for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
        if (tried[t] == 0 || tried[t] >= rows || tried[t] > UINT32_MAX) continue;
        packet_sweep candidate = {.back = (uint32_t)tried[t]};
        memcpy(candidate.apex, sensor, sizeof candidate.apex);
        find_turn(&candidate, xyz, rows, (double *)scratch);
        const double cost = cost_of(&candidate, xyz, rows, scratch);
        if (cost < 0.99 * least) least = cost, *sweep = candidate;
    }
    if (least < plain) least = find_apex(sweep, xyz, rows, unit, scratch);
    free(scratch);
    return least < 0.97 * plain;
}
