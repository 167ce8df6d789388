/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry_match.c: see odometry.h.
 *
 * sigma is how wrong the expectation may be. Pairs are at most 3 sigma apart, and the kernel is sigma / 3 wide. Once the
 * iterations have converged, a narrow kernel refines the motion: a wide one is drawn by what moves, and by what is new.
 *
 * A surface determines motion along its normal. The mean of n n^T over the normals n of the pairs has three eigenvalues,
 * whose sum is 1: a small one means that no surface faces that way, as along a tunnel. Normals are not exact, so what pairs
 * say about such a direction is noise. There a stiff spring holds the expected place.
 *
 * A rotation by r moves a point p by r x p, of which pairs see the part along n. Of a round room with the sensor in its middle they
 * see no rotation about its axis. So the mean of (n . (r x p))^2 over the pairs, less what a translation can make up for, is compared
 * with the mean of |r x p|^2 over the points: the share of the motion that is seen. The least share over all axes r is that of an
 * eigenvector of L^-1 S L^-T, where S is the one matrix and L L^T the other. Where it is small, a stiff spring holds the expected
 * rotation about that axis.
 */
#include "host/odometry.h"

#include "rules/jacobi.h"

#include <math.h>
#include <string.h>

#define MATCH_REACH    3.0   /* times sigma */
#define MATCH_WIDTH    3.0   /* parts of sigma */
#define MATCH_GRAZE    0.1   /* sine of the angle to a plane, below which it counts less */
#define MATCH_STIFF    1e6   /* times the weight of all pairs */
#define MATCH_SINGULAR 1e-9  /* part of the trace of a matrix, below which it has no inverse */
#define MATCH_LEAST    1e-12 /* variance of a residual: that of rounding */

/* Finds the eigenvalues, ascending, and the eigenvectors of a symmetric matrix xx xy xz yy yz zz. */
static void eigen(const double m[6], double values[3], double vectors[3][3])
{
    double xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = m[5];
    clump_direction d[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 30; sweep++) {
        bool any = clump_rotate(&xx, &yy, &xy, &xz, &yz, &d[0], &d[1], 0);
        any |= clump_rotate(&xx, &zz, &xz, &xy, &yz, &d[0], &d[2], 0);
        any |= clump_rotate(&yy, &zz, &yz, &xy, &xz, &d[1], &d[2], 0);
        if (!any) break;
    }
    const double found[3] = {xx, yy, zz};
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            if (found[order[j]] < found[order[i]]) {
                const int k = order[i];
                order[i] = order[j], order[j] = k;
            }
    for (int i = 0; i < 3; i++) {
        const clump_direction *const from = &d[order[i]];
        values[i] = found[order[i]];
        vectors[i][0] = from->x, vectors[i][1] = from->y, vectors[i][2] = from->z;
    }
}

/* Judges the directions, and holds the expected place along weak ones. `off` is how far the place is from it. */
static void judge(clump_match *match, double *sums, const double off[3])
{
    double m[6], vectors[3][3];
    const double weights = sums[CLUMP_SUM_WEIGHTS];
    for (int i = 0, at = 0; i < 3; i++)
        for (int j = i; j < 3; j++) m[at++] = weights > 0 ? sums[clump_align_entry(3 + i, 3 + j)] / weights : 0;
    eigen(m, match->certainty, vectors);
    memcpy(match->weakest, vectors[0], sizeof match->weakest);
    match->weak = match->certainty[0] < CLUMP_ODOMETRY_WEAK;
    for (int e = 0; e < 3; e++) {
        const double *const v = vectors[e];
        if (!(match->certainty[e] < CLUMP_ODOMETRY_WEAK)) continue;
        const double stiff = MATCH_STIFF * weights, back = v[0] * off[0] + v[1] * off[1] + v[2] * off[2];
        for (int i = 0; i < 3; i++) {
            sums[CLUMP_SUM_B + 3 + i] -= stiff * back * v[i];
            for (int j = i; j < 3; j++) sums[clump_align_entry(3 + i, 3 + j)] += stiff * v[i] * v[j];
        }
    }
}

/* Finds L, lower triangle by rows: 00 10 11 20 21 22, with L L^T = m. Returns false where m is not clearly positive. */
static bool factorise(double m[3][3], double l[3][3])
{
    const double least = MATCH_SINGULAR * (m[0][0] + m[1][1] + m[2][2]);
    memset(l, 0, 9 * sizeof(double));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double rest = m[i][j];
            for (int k = 0; k < j; k++) rest -= l[i][k] * l[j][k];
            if (i == j && !(rest > least)) return false;
            l[i][j] = i == j ? sqrt(rest) : rest / l[j][j];
        }
    return true;
}

/* Sets the columns of m to L^-1 times them. */
static void divide_by(double l[3][3], double m[3][3])
{
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < i; k++) m[i][c] -= l[i][k] * m[k][c];
            m[i][c] /= l[i][i];
        }
}

/* Sets m to the mean of |p|^2 I - p p^T over the points of the frame, in the axes of the map: rotations by r move them by r^T m r in
 * the mean of squares. */
static void spread_of_points(const clump_align *a, const clump_rigid *pose, double m[3][3])
{
    double sums[3][3] = {{0}}, turned[3][3] = {{0}};
    for (size_t i = 0; i < a->source.count; i++) {
        const float *const p = clump_points_at(a->source, i);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) sums[r][c] += (double)p[r] * (double)p[c];
    }
    const double count = a->source.count > 0 ? (double)a->source.count : 1;
    const double all = (sums[0][0] + sums[1][1] + sums[2][2]) / count;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) turned[r][c] += pose->turn[3 * r + k] * sums[k][c] / count;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            m[r][c] = r == c ? all : 0;
            for (int k = 0; k < 3; k++) m[r][c] -= turned[r][k] * pose->turn[3 * c + k];
        }
}

/* Sets s to what the pairs see of rotations, where translations follow. The sums have the springs of translations. */
static bool see_rotations(const double *sums, double s[3][3])
{
    double place[3][3], factor[3][3], both[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            s[i][j] = sums[clump_align_entry(low, high)];
            place[i][j] = sums[clump_align_entry(3 + low, 3 + high)];
            both[i][j] = sums[clump_align_entry(j, 3 + i)];
        }
    if (!factorise(place, factor)) return false;
    divide_by(factor, both);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) s[i][j] -= both[k][i] * both[k][j];
    return true;
}

/* Judges the rotations, and holds the expected one about weak axes. `off` is how far the rotation is from it. */
static void judge_turn(clump_match *match, double *sums, double spread[3][3], const double off[3])
{
    double s[3][3], l[3][3], shares[3], vectors[3][3];
    const double weights = sums[CLUMP_SUM_WEIGHTS];
    match->turn_certainty = 0;
    memset(match->turn_weakest, 0, sizeof match->turn_weakest);
    if (!(weights > 0) || !factorise(spread, l) || !see_rotations(sums, s)) return;
    divide_by(l, s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            const double other = s[i][j];
            s[i][j] = s[j][i], s[j][i] = other;
        }
    divide_by(l, s); /* L^-1 (L^-1 S)^T */
    const double m[6] = {s[0][0] / weights, s[0][1] / weights, s[0][2] / weights,
                         s[1][1] / weights, s[1][2] / weights, s[2][2] / weights};
    eigen(m, shares, vectors);
    match->turn_certainty = fmax(shares[0], 0);
    for (int e = 0; e < 3; e++) {
        const double *const v = vectors[e];
        double axis[3], seen[3] = {0}, back = 0; /* L^-T v, L v */
        for (int i = 2; i >= 0; i--) {
            axis[i] = v[i];
            for (int k = i + 1; k < 3; k++) axis[i] -= l[k][i] * axis[k];
            axis[i] /= l[i][i];
        }
        const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        for (int i = 0; e == 0 && i < 3; i++) match->turn_weakest[i] = axis[i] / length;
        if (!(shares[e] < CLUMP_ODOMETRY_WEAK)) continue;
        match->weak_turn = true;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k <= i; k++) seen[i] += l[i][k] * v[k];
        for (int i = 0; i < 3; i++) back += seen[i] * off[i];
        for (int i = 0; i < 3; i++) {
            sums[CLUMP_SUM_B + i] -= MATCH_STIFF * weights * back * seen[i];
            for (int j = i; j < 3; j++) sums[clump_align_entry(i, j)] += MATCH_STIFF * weights * seen[i] * seen[j];
        }
    }
}

static void inform(clump_match *match, const clump_align *a, const double *sums)
{
    const double rmse = clump_align_rmse(a, sums), variance = fmax(rmse * rmse, MATCH_LEAST);
    match->rmse = rmse;
    match->fitness = clump_align_fitness(a, sums);
    match->share = sums[CLUMP_SUM_KEPT] > 0 ? sums[CLUMP_SUM_WEIGHTS] / sums[CLUMP_SUM_KEPT] : 0;
    clump_align_information(a, sums, match->information);
    for (int i = 0; i < 36; i++) match->information[i] /= variance;
    match->turn_certainty = 1;
    for (int i = 0; i < 3; i++) match->certainty[i] = 1.0 / 3; /* of points; judge() replaces those of planes */
}

clump_status clump_match_run(clump_match *match, clump_align *a, const clump_local_map *map)
{
    const clump_odometry_options *const o = match->options;
    clump_rigid motion = match->expected; /* to the points of the map */
    for (int k = 0; k < 3; k++) motion.move[k] = a->center[k] = match->expected.move[k] - map->origin[k];
    a->keep = 1;
    a->most = (float)(MATCH_REACH * match->sigma);
    a->kernel.graze2 = MATCH_GRAZE * MATCH_GRAZE;
    /* points of a pair are apart by the spacing of the map, too */
    const double spacing = a->normal_neighbours > 0 ? 0 : (double)o->map_voxel;
    const double least = fmax(match->least / MATCH_WIDTH, spacing);
    double width = fmax(match->sigma / MATCH_WIDTH, least);
    double spread[3][3];
    spread_of_points(a, &match->expected, spread);
    match->converged = match->weak = match->weak_turn = false;
    match->iterations = 0;
    while (!match->converged && match->iterations < o->max_iterations) {
        double sums[CLUMP_PAIRS_SUMS];
        clump_rigid step;
        a->kernel.width2 = width * width;
        CLUMP_TRY(clump_align_sum(a, &motion, sums));
        inform(match, a, sums);
        const double off[3] = {motion.move[0] - a->center[0], motion.move[1] - a->center[1],
                               motion.move[2] - a->center[2]};
        if (a->normal_neighbours > 0) {
            clump_rigid turned = clump_rigid_none, back = match->expected;
            for (int k = 0; k < 3; k++) back.move[k] = 0;
            back = clump_rigid_inverse(&back);
            memcpy(turned.turn, motion.turn, sizeof turned.turn);
            turned = clump_rigid_after(&turned, &back);
            match->weak_turn = false;
            judge(match, sums, off);
            judge_turn(match, sums, spread, clump_twist_of(&turned, 1).turn);
        }
        if (!clump_align_step(a, sums, &step)) break;
        const clump_rigid whole = clump_align_about_origin(a, step);
        motion = clump_rigid_after(&whole, &motion);
        match->iterations++;
        match->converged = clump_rigid_angle(&step) < o->tolerance && clump_rigid_length(&step) < o->tolerance;
        if (!match->converged || !(width > least)) continue;
        width = least;
        match->converged = false;
    }
    match->pose = motion;
    for (int k = 0; k < 3; k++) match->pose.move[k] += map->origin[k];
    return CLUMP_OK;
}
