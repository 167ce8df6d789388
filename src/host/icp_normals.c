/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.c: see icp_normals.h.
 */
#include "host/icp_normals.h"

#include "host/points.h"

#include <float.h>
#include <math.h>

enum {
    NORMALS_BATCH = 4096,         /* points on the CPU; not measured on other machines */
    NORMALS_NEIGHBOURS = 1 << 21, /* neighbours from the GPU: 8 MB per transfer; not measured on other machines */
    NORMALS_MIN_SHARE = 128,      /* points per thread: a normal takes a microsecond */
};

/* Points are on a line when their variance across it is below this fraction of that along it: much more than rounding
 * leaves of a line, much less than any surface has. */
static const double NORMALS_LINE = 1e-12;

/* The direction of a rotated axis. */
typedef struct turned {
    double x, y, z;
} turned;

/* A Jacobi rotation of axes p and q: makes their common entry pq of a symmetric matrix 0; r is the third axis. Entries
 * are variables, not an array: they stay in registers, which takes a sixth of the time. */
static inline void rotate(double *pp, double *qq, double *pq, double *rp, double *rq, turned *p, turned *q)
{
    if (*pq == 0) return;
    const double theta = (*qq - *pp) / (2 * *pq);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c, old = *rp;
    const turned was = *p;
    *pp -= t * *pq, *qq += t * *pq, *pq = 0;
    *rp = c * old - s * *rq, *rq = s * old + c * *rq;
    p->x = c * was.x - s * q->x, p->y = c * was.y - s * q->y, p->z = c * was.z - s * q->z;
    q->x = s * was.x + c * q->x, q->y = s * was.y + c * q->y, q->z = s * was.z + c * q->z;
}

/* Finds the eigenvector of the least eigenvalue of the matrix xx xy xz yy yz zz. Returns false where two eigenvalues
 * are about 0. */
static bool least_direction(const double m[6], float out[3])
{
    double xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = m[5];
    turned x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    for (int sweep = 0; sweep < 30; sweep++) { /* six suffice: convergence is quadratic */
        if (!(fabs(xy) + fabs(xz) + fabs(yz) > (fabs(xx) + fabs(yy) + fabs(zz)) * DBL_EPSILON * 0.005)) break;
        rotate(&xx, &yy, &xy, &xz, &yz, &x, &y);
        rotate(&xx, &zz, &xz, &xy, &yz, &x, &z);
        rotate(&yy, &zz, &yz, &xy, &xz, &y, &z);
    }
    const turned *const which = xx <= yy && xx <= zz ? &x : yy <= zz ? &y : &z;
    const double most = fmax(fmax(xx, yy), zz), middle = fmax(fmin(xx, yy), fmin(fmax(xx, yy), zz));
    if (!(middle > most * NORMALS_LINE) || !isfinite(most)) return false;
    out[0] = (float)which->x, out[1] = (float)which->y, out[2] = (float)which->z;
    return true;
}

static void normal_of(clump_points points, size_t i, const int32_t *neighbours, int k, float normal[3])
{
    const float *const at = clump_points_at(points, i);
    double sum[3] = {0}, square[6] = {0}; /* relative to the point: no precision is lost far from the origin */
    int n = 0;
    for (int j = 0; j < k && neighbours[j] >= 0; j++, n++) {
        const float *const p = clump_points_at(points, (size_t)neighbours[j]);
        const double d[3] = {(double)p[0] - (double)at[0], (double)p[1] - (double)at[1], (double)p[2] - (double)at[2]};
        for (int a = 0, m = 0; a < 3; a++) {
            sum[a] += d[a];
            for (int b = a; b < 3; b++) square[m++] += d[a] * d[b];
        }
    }
    normal[0] = normal[1] = normal[2] = 0;
    if (n < 3) return;
    for (int a = 0, m = 0; a < 3; a++)
        for (int b = a; b < 3; b++) square[m++] -= sum[a] * sum[b] / n;
    (void)least_direction(square, normal); /* stays 0 where all lie on a line */
}

size_t clump_normals_batch(clump_backend backend, size_t count, int k)
{
    const size_t most = backend == CLUMP_BACKEND_CPU ? NORMALS_BATCH : NORMALS_NEIGHBOURS / (size_t)k;
    return count < most ? count : most;
}

typedef struct normals_work {
    clump_points points;
    size_t first; /* the point of the first neighbours */
    const int32_t *neighbours;
    int k;
    float *normals;
} normals_work;

static void make_normals(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const normals_work *const w = arg;
    for (size_t i = begin; i < end; i++)
        normal_of(w->points, w->first + i, w->neighbours + i * (size_t)w->k, w->k, w->normals + 3 * (w->first + i));
}

clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, size_t batch,
                           int32_t *neighbours, float *normals)
{
    for (size_t first = 0; first < points.count; first += batch) {
        const size_t n = points.count - first < batch ? points.count - first : batch;
        clump_points queries = points;
        queries.xyz = clump_points_at(points, first);
        queries.count = n;
        CLUMP_TRY(clump_index_k_nearest(ctx, ctx->call, index, queries, k, INFINITY, neighbours, NULL));
        normals_work w = {points, first, neighbours, k, normals};
        CLUMP_TRY(clump_run(ctx, clump_threads_for(ctx, n, NORMALS_MIN_SHARE), n, NORMALS_MIN_SHARE, make_normals, &w));
    }
    return CLUMP_OK;
}
