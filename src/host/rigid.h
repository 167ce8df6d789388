/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rigid.h: small linear algebra for rigid motions, in double.
 */
#ifndef CLUMP_HOST_RIGID_H
#define CLUMP_HOST_RIGID_H

#include "rules/pairs.h"

#include <stdbool.h>

extern const clump_rigid clump_rigid_none;

/* First b, then a. The rotation is made orthogonal again, so that errors do not add up. */
clump_rigid clump_rigid_after(const clump_rigid *a, const clump_rigid *b);

/* Angle of the rotation in radians, and length of the translation. */
double clump_rigid_angle(const clump_rigid *m);
double clump_rigid_length(const clump_rigid *m);

/* Sums over pairs of a source point p and a target point q: of p, of q, and of p q^T, row after row. */
typedef struct clump_pair_sums {
    double count, p[3], q[3], pq[9];
} clump_pair_sums;

/* The motion that takes the p to the q with the least squares (Horn: the quaternion is an eigenvector). False for
 * fewer than three pairs. Where the points do not determine it, one that is among the best. */
bool clump_rigid_of_pairs(const clump_pair_sums *sums, clump_rigid *out);

/* Sums of the normal equations of point-to-plane: the upper triangle of a 6 x 6 matrix, row after row, its right side. */
typedef struct clump_plane_sums {
    double count, a[21], b[6];
} clump_plane_sums;

/* The motion, found for rotations by small angles and applied as the rotation it stands for. Directions that nothing
 * holds get no motion. False for fewer than three pairs, or when nothing is determined. */
bool clump_rigid_of_planes(const clump_plane_sums *sums, clump_rigid *out);

#endif
