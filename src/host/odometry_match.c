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
 */
#include "host/odometry.h"

#include "rules/jacobi.h"

#include <math.h>
#include <string.h>

#define MATCH_REACH 3.0   /* times sigma */
#define MATCH_WIDTH 3.0   /* parts of sigma */
#define MATCH_GRAZE 0.1   /* sine of the angle to a plane, below which it counts less */
#define MATCH_STIFF 1e6   /* times the weight of all pairs */
#define MATCH_LEAST 1e-12 /* variance of a residual: that of rounding */

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

static void inform(clump_match *match, const clump_align *a, const double *sums)
{
    const double rmse = clump_align_rmse(a, sums), variance = fmax(rmse * rmse, MATCH_LEAST);
    match->rmse = rmse;
    match->fitness = clump_align_fitness(a, sums);
    match->share = sums[CLUMP_SUM_KEPT] > 0 ? sums[CLUMP_SUM_WEIGHTS] / sums[CLUMP_SUM_KEPT] : 0;
    clump_align_information(a, sums, match->information);
    for (int i = 0; i < 36; i++) match->information[i] /= variance;
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
    match->converged = match->weak = false;
    match->iterations = 0;
    while (!match->converged && match->iterations < o->max_iterations) {
        double sums[CLUMP_PAIRS_SUMS];
        clump_rigid step;
        a->kernel.width2 = width * width;
        CLUMP_TRY(clump_align_sum(a, &motion, sums));
        inform(match, a, sums);
        const double off[3] = {motion.move[0] - a->center[0], motion.move[1] - a->center[1],
                               motion.move[2] - a->center[2]};
        if (a->normal_neighbours > 0) judge(match, sums, off);
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
