/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.h: registration of points: rigid motions, normals, sums over pairs, iterations. For clump_icp and clump_odometry.
 */
#ifndef CLUMP_HOST_ICP_H
#define CLUMP_HOST_ICP_H

#include "common/assert.h"
#include "core/context.h"
#include "rules/pairs.h"

#include <clump/clump.h>

#include <math.h>
#include <stdbool.h>

/* --- rigid.c: linear algebra of rigid motions, in double -------------------------------------------- */

extern const clump_rigid clump_rigid_none; /* the identity */

/* Returns the composition: first b, then a. The rotation is made orthonormal, so rounding errors do not accumulate. */
clump_rigid clump_rigid_after(const clump_rigid *a, const clump_rigid *b);

/* Whether a 3 x 4 matrix just turns and moves: finite, the rotation orthonormal to 0.001 and not mirrored. m may be null. */
bool clump_is_pose(const double m[12]);

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

/* --- access to the caller's points in host memory, once clump_check_points() has put the stride in bytes */

/* Returns the floats of point i, i < count. */
static inline const float *clump_points_at(clump_points points, size_t i)
{
    CLUMP_ASSERT(points.stride >= 3 * sizeof(float) && i < points.count);
    return (const float *)(const void *)((const char *)points.xyz + i * points.stride);
}

static inline bool clump_xyz_is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* --- icp_normals.c: normals of the surface at points of a cloud, for point-to-plane ICP on the CPU. A backend that runs
 * whole iterations computes the same bits (rules/normal.h). */

/* Returns the bytes of scratch memory for normals from k neighbours. */
size_t clump_normals_bytes(int k);

/* Computes the normals of the planes of least squares through the k nearest points of some points, themselves included. A
 * normal has either sign; its length depends on `flat` (rules/normal.h), and it is 0 where there is no plane. `normals` has three floats per point of the cloud, of
 * which those of the `count` points `wanted` are set. The stride of the points is in bytes. */
clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, double flat,
                           const int32_t *wanted, size_t count, void *scratch, float *normals);

/* --- icp_sums.c: the sums of rules/pairs.h over all pairs of an iteration of clump_icp, on the CPU. They do not depend
 * on the number of threads. */

typedef struct clump_pairs {
    clump_points target;       /* stride in bytes */
    const float *moved;        /* the moved source, three floats per point */
    const int32_t *indices;    /* of target points; negative: no pair */
    const float *distances;    /* squared */
    size_t count;              /* of source points */
    const float *normals;      /* of the target, three floats per point; null: point to point */
    const float *from_normals; /* GICP: of the source before it was moved; else null */
    const double *turn;        /* GICP: the rotation of the source, row after row */
    const double *center;      /* origin of the sums */
    clump_kernel kernel;       /* zeroed: none */
    float cut;                 /* largest squared distance of the pairs that count; may be infinite */
} clump_pairs;

/* Returns the number of doubles of scratch that the sums of `count` points need. */
size_t clump_pairs_scratch(size_t count);

/* Computes the sums. A backend that runs whole iterations must compute the same bits. */
clump_status clump_pairs_sum(clump_work *work, const clump_pairs *pairs, double *scratch,
                             double sums[CLUMP_PAIRS_SUMS]);

/* --- icp_align.c: one iteration, from a motion to the sums over its pairs, and from them to the next step. A backend may
 * run whole iterations; the GPU does. Points are always moved from their given positions, so rounding errors do not
 * accumulate. */

typedef struct clump_align {
    /* set by the caller before clump_align_begin() */
    clump_context *ctx;
    const clump_opened *on;          /* the backend of the index */
    const clump_index *index;        /* of the target */
    const clump_index *source_index; /* GICP: of the source; else null */
    clump_points target, source;     /* strides in bytes */
    int normal_neighbours;           /* target points per normal; 0: point to point */
    double normal_flat;              /* of the normals (rules/normal.h); 0: they have length 1 */
    bool trims;                      /* `keep` may be below 1 */
    bool roomy;                      /* take more memory than needed: the next clouds may be a little larger */

    /* set by the caller before clump_align_sum() */
    double keep;         /* fraction of the pairs in use, nearest first */
    float most;          /* distance of a pair */
    clump_kernel kernel; /* zeroed: none */
    double center[3];    /* origin of the sums */

    double query_ms; /* time for searches of pairs, or for whole iterations */

    /* private */
    bool whole; /* the backend computes normals and whole iterations */
    bool again; /* the pairs of a motion are known */
    clump_icp_job job;
    float *moved, *distances, *normals, *from_normals;
    uint8_t *is_known, *is_from_known; /* per point of target and source: its normal is known */
    int32_t *indices, *wanted;
    double *scratch;
    char *normals_scratch;
    uint32_t *buckets;
} clump_align;

/* Prepares iterations; memory is held by `home`. */
clump_status clump_align_begin(clump_align *a, clump_work *home, clump_buffer *scratch);

/* Computes the sums over the pairs of a motion. */
clump_status clump_align_sum(clump_align *a, const clump_rigid *motion, double *sums);

/* Finds the motion of least squares, as a rotation about the center and a translation. Returns false where the pairs do
 * not determine one. */
bool clump_align_step(const clump_align *a, const double *sums, clump_rigid *step);

/* Returns the same motion as a rotation about the origin and a translation. */
clump_rigid clump_align_about_origin(const clump_align *a, clump_rigid step);

/* Return the fraction of the finite source points that have a pair, and the root mean square of the distances or, with a
 * robust kernel, of the residuals. */
double clump_align_fitness(const clump_align *a, const double *sums);
double clump_align_rmse(const clump_align *a, const double *sums);

/* Returns the place in the sums of entry i, j of the normal equations, i <= j: rotation first. */
int clump_align_entry(int i, int j);

/* Sets the matrix of the normal equations, row after row: for a small translation along x, y, z and a small rotation about
 * x, y, z through the center. For point to point it is that of pairs that coincide. */
void clump_align_information(const clump_align *a, const double *sums, double information[36]);

#endif
