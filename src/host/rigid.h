/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rigid.h: linear algebra of rigid motions, in double.
 */
#ifndef CLUMP_HOST_RIGID_H
#define CLUMP_HOST_RIGID_H

#include "rules/pairs.h"

#include <stdbool.h>

extern const clump_rigid clump_rigid_none; /* the identity */

/* Returns the composition: first b, then a. The rotation is made orthonormal, so rounding errors do not accumulate. */
clump_rigid clump_rigid_after(const clump_rigid *a, const clump_rigid *b);

/* Return the angle of the rotation in radians, and the length of the translation. */
double clump_rigid_angle(const clump_rigid *m);
double clump_rigid_length(const clump_rigid *m);

/* Sums over pairs of a source point p and a target point q: of p, of q, and of p q^T in row-major order. */
typedef struct clump_pair_sums {
    double count, p[3], q[3], pq[9];
} clump_pair_sums;

/* Finds the motion of the p to the q of least squares (Horn: its quaternion is an eigenvector). Where the points do not
 * determine one, it is one of the best. Returns false for fewer than three pairs. */
bool clump_rigid_of_pairs(const clump_pair_sums *sums, clump_rigid *out);

/* Sums of the normal equations of point to plane: the upper triangle of a 6 x 6 matrix by rows, and its right side. */
typedef struct clump_plane_sums {
    double count, a[21], b[6];
} clump_plane_sums;

/* Finds the motion of least squares, linearised for small angles; *out has the exact rotation by the angles found.
 * Undetermined directions get no motion. Returns false for fewer than three pairs, or when nothing is determined. */
bool clump_rigid_of_planes(const clump_plane_sums *sums, clump_rigid *out);

#endif
