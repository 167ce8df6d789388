/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs_objects.c: the rows of jobs.h that make several calls: indices, registration, odometry, maps, tracks, clouds in pieces.
 */
#include "jobs/jobs.h"

#include <clump/index.h>
#include <clump/joint.h>
#include <clump/map.h>
#include <clump/odometry.h>
#include <clump/track.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 3, TRACKED = 40, SEEN = 17, QUERIES = 200, NEAREST = 4 };
static const int64_t period = 100000000;

static const float *at(clump_points p, size_t i)
{
    return (const float *)(const void *)((const char *)p.xyz + i * (p.stride ? p.stride : 12));
}

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* The pose of a frame: a drive along x that turns a little. */
static void make_pose(int frame, double pose[12])
{
    const double s = 0.01 * frame, c = sqrt(1 - s * s), turned[12] = {c, -s, 0, 0.4 * frame, s, c, 0, 0, 0, 0, 1, 0};
    memcpy(pose, turned, sizeof turned);
}

/* ----- indices ----------------------------------------------------------------------------------------------------- */

typedef struct nn_case {
    clump_points points, queries;
    float reach, radius;
    int k;
    int32_t *nearest, *some, *near;
    float *nearest_d2, *some_d2, *near_d2;
    int64_t *offsets;
} nn_case;

static nn_case make_queries(job_run *r)
{
    nn_case n = {.points = job_points(r), .reach = INFINITY, .radius = 0.0002f, .k = NEAREST};
    n.queries = (clump_points){.xyz = r->c->packed, .count = n.points.count, .place = n.points.place};
    if (r->turn != JOB_PLAIN) {
        float *const xyz = job_scratch(r, 3 * QUERIES * sizeof *xyz);
        n.queries.xyz = xyz, n.queries.count = hostile_queries(r->c, xyz, QUERIES);
        n.reach = hostile_radius(r->c, &n.k);
        n.radius = 0.5f * r->c->d;
        if (n.k > 8) n.k = 8;
    } else if (job_is_slow(r->of, r->method) && n.queries.count > QUERIES) {
        n.queries.count = QUERIES;
    }
    const size_t m = n.queries.count;
    n.queries.xyz = job_send(r, n.queries.xyz, m * sizeof(float[3]));
    n.nearest = job_room(r, m * sizeof *n.nearest), n.nearest_d2 = job_room(r, m * sizeof *n.nearest_d2);
    n.some = job_room(r, m * (size_t)n.k * sizeof *n.some),
    n.some_d2 = job_room(r, m * (size_t)n.k * sizeof *n.some_d2);
    n.offsets = job_room(r, (m + 1) * sizeof *n.offsets);
    return n;
}

/* Each of the calls once. What azimuth does not have is left out. */
static clump_status ask(clump_context *ctx, job_run *r, const clump_index *index, nn_case *n)
{
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_index_nearest(ctx, index, n->queries, n->reach, n->nearest, n->nearest_d2));
    if (status != CLUMP_OK) return status;
    JOB_MAKE(ctx, r, status, clump_index_knn(ctx, index, n->queries, n->k, n->reach, n->some, n->some_d2));
    if (status != CLUMP_OK) return status == CLUMP_ERR_UNSUPPORTED ? CLUMP_OK : status;
    JOB_MAKE(ctx, r, status, clump_index_radius_count(ctx, index, n->queries, n->radius, n->offsets));
    if (status != CLUMP_OK) return status == CLUMP_ERR_UNSUPPORTED ? CLUMP_OK : status;
    const int64_t *const ends = job_look(ctx, r, n->offsets, &status);
    if (status != CLUMP_OK) return status;
    const int64_t found = ends[n->queries.count];
    if (!n->near && found < 1 << 22) {
        n->near = job_room(r, (size_t)found * sizeof *n->near);
        n->near_d2 = job_room(r, (size_t)found * sizeof *n->near_d2);
    }
    if (n->near)
        JOB_MAKE(ctx, r, status,
                 clump_index_radius_fill(ctx, index, n->queries, n->radius, n->offsets, n->near, n->near_d2));
    return status;
}

clump_status job_nn(clump_context *ctx, job_run *r)
{
    nn_case n = make_queries(r);
    clump_index_options o = clump_index_defaults();
    o.method = (clump_nn_method)r->method;
    job_change(r, "index", &o);
    clump_index *index = NULL;
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_index_create(ctx, n.points, &o, &index));
    for (int round = 0; job_round(r, round) && status == CLUMP_OK; round++) {
        status = ask(ctx, r, index, &n);
        if (status == CLUMP_OK) JOB_MAKE(ctx, r, status, clump_index_rebuild(ctx, index, n.points));
    }
    if (status == CLUMP_OK) /* asks what was rebuilt */
        JOB_MAKE(ctx, r, status, clump_index_nearest(ctx, index, n.queries, n.reach, n.nearest, n.nearest_d2));
    clump_index_destroy(index);
    return status;
}

/* ----- registration ------------------------------------------------------------------------------------------------ */

clump_status job_icp(clump_context *ctx, job_run *r)
{
    static const double initial[16] = {1, 0, 0, 0.05, 0, 1, 0, 0.02, 0, 0, 1, 0, 0, 0, 0, 1};
    const clump_points p = job_points(r);
    clump_icp_options o = clump_icp_defaults();
    o.method = (clump_icp_method)r->of->kind, o.max_iterations = 2, o.initial = initial;
    if (r->turn == 0) o.keep = 0.8;
    if (r->turn > 0) o.thin = r->c->d, o.robust = 2 * r->c->d;
    job_change(r, "icp", &o);
    clump_icp_result result;
    memset(&result, 0, sizeof result);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_icp(ctx, p, p, &o, &result));
    double *const found = job_host_room(r, 55 * sizeof *found);
    memcpy(found, result.transform, sizeof result.transform);
    memcpy(found + 16, result.information, sizeof result.information);
    found[52] = result.fitness, found[53] = result.rmse;
    found[54] = result.iterations * 4 + result.converged * 2 + result.contested;
    return status;
}

clump_status job_deskew(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    double from[12], to[12];
    make_pose(0, from), make_pose(1, to);
    float *const times = job_scratch(r, p.count * sizeof *times), *const xyz = job_room(r, 3 * p.count * sizeof *xyz);
    for (size_t i = 0; i < p.count; i++) times[i] = -0.1f * (float)(i % 100) / 100;
    bool *const deskewed = job_host_room(r, sizeof *deskewed);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_deskew(ctx, p, times, from, to, 0.1, xyz, deskewed));
    return status;
}

/* Frames of a drive: every third point of the cloud, moved against the drive. */
static const float *make_frame(job_run *r, clump_points p, int frame, float *xyz)
{
    for (size_t i = 0; i < p.count; i++) {
        const float *const from = at(p, i);
        xyz[3 * i] = from[0] - 0.4f * (float)frame, xyz[3 * i + 1] = from[1], xyz[3 * i + 2] = from[2];
    }
    (void)r;
    return xyz;
}

clump_status job_odometry(clump_context *ctx, job_run *r)
{
    const clump_points p = job_host_points(r);
    clump_odometry_options o = clump_odometry_defaults();
    if (r->turn == 0) o.method = CLUMP_ICP_POINT;
    if (r->turn > 0) o.voxel = 0.4f, o.map_voxel = 0.3f, o.normal_neighbours = 5;
    job_change(r, "odometry", &o);
    float *const xyz = job_scratch(r, 3 * p.count * sizeof *xyz);
    double *const found = job_host_room(r, FRAMES * 60 * sizeof *found);
    clump_odometry *odometry = NULL;
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_odometry_create(ctx, &o, &odometry));
    for (int round = 0; job_round(r, round) && status == CLUMP_OK; round++) {
        clump_odometry_reset(odometry);
        for (int f = 0; f < FRAMES && status == CLUMP_OK; f++) {
            const clump_points frame = {.xyz = make_frame(r, p, f, xyz), .count = p.count};
            clump_odometry_pose pose;
            JOB_MAKE(ctx, r, status, clump_odometry_push(ctx, odometry, f * period, frame, NULL, &pose));
            if (status != CLUMP_OK) break;
            double *const row = found + (ptrdiff_t)60 * f;
            memcpy(row, pose.transform, sizeof pose.transform);
            memcpy(row + 16, pose.information, sizeof pose.information);
            memcpy(row + 52, pose.certainty, sizeof pose.certainty);
            row[55] = pose.fitness, row[56] = pose.rmse, row[57] = pose.deviation;
            row[58] = pose.iterations * 8 + (int)pose.state * 2 + pose.weak;
            row[59] = (double)pose.map_points + 1e7 * (double)pose.used;
        }
    }
    clump_odometry_destroy(odometry);
    return status;
}

/* ----- maps -------------------------------------------------------------------------------------------------------- */

/* All calls, for the whole map or from block 0 on; a map that one of them left undefined can only be destroyed. */
static clump_status make_map(clump_context *ctx, job_run *r, const clump_map_options *o, clump_map **map,
                             clump_map_cloud *cloud)
{
    const clump_points p = job_points(r);
    double pose[12];
    clump_map_destroy(*map);
    clump_status status = clump_map_create(ctx, o, map);
    if (status == CLUMP_OK && r->of->kind) status = clump_map_part(ctx, *map, 0, FRAMES * p.count + 1);
    for (int round = 0; job_round(r, round) && status == CLUMP_OK; round++)
        for (int f = 0; f < FRAMES && status == CLUMP_OK; f++)
            make_pose(f, pose), status = clump_map_add(ctx, *map, f, p, pose, job_mask(r));
    for (int round = 0; status == CLUMP_OK && job_round(r, round); round++)
        for (int f = 0; f < FRAMES && status == CLUMP_OK; f++)
            make_pose(f, pose), status = clump_map_look(ctx, *map, f, p, pose);
    return status == CLUMP_OK ? clump_map_points(ctx, *map, cloud) : status;
}

clump_status job_map(clump_context *ctx, job_run *r)
{
    clump_map_options o = clump_map_defaults();
    if (r->turn != JOB_PLAIN) o.voxel = r->c->d > 0.001f && r->c->d < 100 ? r->c->d : 0.5f;
    job_change(r, "map", &o);
    clump_map *map = NULL;
    clump_map_cloud cloud = {.voxels = 0};
    clump_status status;
    JOB_MAKE(ctx, r, status, make_map(ctx, r, &o, &map, &cloud));
    if (status == CLUMP_OK) {
        const size_t n = cloud.points.count;
        size_t *const sums = job_host_room(r, 3 * sizeof *sums);
        sums[0] = cloud.voxels, sums[1] = cloud.dropped, sums[2] = (size_t)cloud.end;
        void *const xyz = job_host_room(r, 12 * n), *const seen = job_host_room(r, 4 * n),
                    *const passed = job_host_room(r, 4 * n);
        if (n) memcpy(xyz, cloud.points.xyz, 12 * n), memcpy(seen, cloud.observations, 4 * n);
        if (n) memcpy(passed, cloud.passes, 4 * n);
    }
    clump_map_destroy(map);
    return status;
}

/* ----- tracks ------------------------------------------------------------------------------------------------------ */

/* Clusters at points of the cloud, which move, come and go. Returns their number. */
static int32_t make_clusters(clump_points p, int frame, clump_cluster *clusters)
{
    int32_t n = 0;
    for (size_t i = 0; i < TRACKED && i * 31 < p.count; i++) {
        const float *const x = at(p, i * 31);
        if (!is_finite(x) || (i + (size_t)frame) % 9 == 0) continue;
        clump_cluster *const c = &clusters[n];
        memset(c, 0, sizeof *c);
        c->label = n++, c->count = 10;
        for (int k = 0; k < 3; k++) c->centroid[k] = x[k] + (k == 0 ? 0.1f * (float)frame * (float)(i % 3) : 0);
        for (int k = 0; k < 3; k++) c->lower[k] = c->centroid[k] - 0.5f, c->upper[k] = c->centroid[k] + 0.5f;
        c->box_center[0] = c->centroid[0], c->box_center[1] = c->centroid[1];
        c->box_size[0] = c->box_size[1] = 1;
    }
    return n;
}

clump_status job_tracker(clump_context *ctx, job_run *r)
{
    const clump_points p = job_host_points(r);
    clump_cluster clusters[TRACKED];
    clump_tracker_options o = clump_tracker_defaults();
    job_change(r, "tracker", &o);
    clump_track *const tracks = job_host_room(r, SEEN * TRACKED * sizeof *tracks);
    clump_tracker *tracker = NULL;
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_tracker_create(ctx, &o, &tracker));
    for (int round = 0; job_round(r, round) && status == CLUMP_OK; round++) {
        clump_tracker_reset(tracker);
        for (int f = 0; f < SEEN && status == CLUMP_OK; f++) {
            double pose[12];
            make_pose(f, pose);
            const int32_t n = make_clusters(p, f, clusters);
            clump_track *const out = tracks + (ptrdiff_t)f * TRACKED;
            if (r->of->kind == 0)
                JOB_MAKE(ctx, r, status, clump_tracker_update(ctx, tracker, f * period, clusters, n, out));
            else
                JOB_MAKE(ctx, r, status, clump_tracker_update_at(ctx, tracker, f * period, pose, clusters, n, out));
        }
    }
    clump_tracker_destroy(tracker);
    return status;
}

/* Two boxes of points that are one cluster in every third frame. */
static size_t make_pair(int frame, float *xyz, int32_t *labels)
{
    size_t n = 0;
    for (int thing = 0; thing < 2; thing++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++)
                for (int h = 0; h < 2; h++) {
                    xyz[3 * n] = 20 + 0.25f * (float)i - 0.4f * (float)frame;
                    xyz[3 * n + 1] = 3 + 2.25f * (float)thing + 0.25f * (float)j;
                    xyz[3 * n + 2] = (float)h - 1.5f;
                    labels[n++] = frame % 3 == 2 ? 0 : thing;
                }
    return n;
}

static clump_status run_memory(clump_context *ctx, job_run *r, clump_memory *memory, clump_tracker *tracker, int frame,
                               char *out)
{
    enum { MOST = 512, ROOM = 8 };
    float xyz[3 * MOST];
    int32_t labels[MOST];
    clump_cluster clusters[ROOM];
    clump_object objects[ROOM];
    clump_track tracks[ROOM];
    clump_memory_box boxes[ROOM];
    const clump_points p = {.xyz = xyz, .count = make_pair(frame, xyz, labels)};
    int32_t n = frame % 3 == 2 ? 1 : 2;
    const double pose[12] = {1, 0, 0, 0.4 * frame, 0, 1, 0, 0, 0, 0, 1, 0};
    memset(boxes, 0, sizeof boxes);
    clump_context *helper = NULL; /* what it describes is no call of this job */
    clump_status status = clump_context_create(NULL, &helper);
    if (status == CLUMP_OK) status = clump_describe(helper, p, labels, n, NULL, clusters);
    clump_context_destroy(helper);
    for (int32_t k = 0; k < n; k++)
        objects[k] = (clump_object){
            .label = k, .count = clusters[k].count, .object = 1, .fits = CLUMP_FIT_CAR, .top = 1.5f, .level = 1};
    if (status == CLUMP_OK)
        JOB_MAKE(ctx, r, status,
                 clump_memory_correct(ctx, memory, frame * period, pose, p, NULL, labels, clusters, objects, ROOM, &n));
    if (status == CLUMP_OK)
        JOB_MAKE(ctx, r, status, clump_tracker_update_at(ctx, tracker, frame * period, pose, clusters, n, tracks));
    if (status == CLUMP_OK)
        JOB_MAKE(ctx, r, status,
                 clump_memory_remember(ctx, memory, frame * period, pose, clusters, objects, tracks, n, boxes));
    if (status != CLUMP_OK) return status;
    memcpy(out, labels, sizeof labels);
    memcpy(out + sizeof labels, boxes, sizeof boxes);
    return status;
}

clump_status job_memory(clump_context *ctx, job_run *r)
{
    enum { ALL = 48, EACH = 512 * sizeof(int32_t) + 8 * sizeof(clump_memory_box) };
    char *const out = job_host_room(r, ALL * EACH);
    memset(out, 0, ALL * EACH);
    clump_tracker *tracker = NULL;
    clump_memory *memory = NULL;
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_tracker_create(ctx, NULL, &tracker));
    if (status == CLUMP_OK) JOB_MAKE(ctx, r, status, clump_memory_create(ctx, CLUMP_UP_Z, &memory));
    for (int round = 0; status == CLUMP_OK && job_round(r, round); round++) {
        clump_memory_reset(memory), clump_tracker_reset(tracker);
        for (int f = 0; f < ALL && status == CLUMP_OK; f++)
            status = run_memory(ctx, r, memory, tracker, f, out + (ptrdiff_t)f * EACH);
    }
    clump_memory_destroy(memory), clump_tracker_destroy(tracker);
    return status;
}

/* ----- clouds in pieces -------------------------------------------------------------------------------------------- */

static clump_joint_settings joint_settings(const job_run *r)
{
    clump_joint_settings s = clump_joint_defaults();
    s.d = job_distance(r), s.min_points = (size_t)r->of->kind, s.order = CLUMP_ORDER_SIZE;
    return s;
}

/* Two pieces, each the rim of the other: the second half of the points, then the first. */
static clump_status make_joint(clump_context *ctx, job_run *r, clump_joint **joint, const float *turned,
                               const int64_t *places, int64_t *labels)
{
    const clump_points p = job_points(r), second = {.xyz = turned, .count = p.count, .place = p.place};
    const size_t half = p.count / 2;
    const clump_joint_settings s = joint_settings(r);
    clump_joint_destroy(*joint);
    clump_status status = clump_joint_create(ctx, &s, joint);
    if (status == CLUMP_OK) status = clump_joint_add(ctx, *joint, p, half, places, NULL);
    if (status == CLUMP_OK) status = clump_joint_add(ctx, *joint, second, p.count - half, places + p.count, NULL);
    if (status == CLUMP_OK) status = clump_joint_finish(ctx, *joint, labels + p.count);
    if (status == CLUMP_OK) status = clump_joint_labels(ctx, *joint, 0, labels);
    return status == CLUMP_OK ? clump_joint_labels(ctx, *joint, 1, labels + half) : status;
}

/* Places of the points of both pieces. */
static int64_t *make_places(job_run *r, size_t n)
{
    int64_t *const places = job_scratch(r, 2 * n * sizeof *places);
    for (size_t i = 0; i < n; i++) places[i] = (int64_t)i, places[n + i] = (int64_t)((i + n / 2) % n);
    return places;
}

clump_status job_joint(clump_context *ctx, job_run *r)
{
    const clump_points p = job_host_points(r);
    const int64_t *const places = make_places(r, p.count);
    float *const turned = job_scratch(r, 3 * p.count * sizeof *turned);
    for (size_t i = 0; i < p.count; i++) memcpy(turned + 3 * i, at(p, (size_t)places[p.count + i]), 3 * sizeof *turned);
    const float *const sent = job_send(r, turned, p.count * sizeof(float[3]));
    int64_t *const labels = job_host_room(r, (p.count + 1) * sizeof *labels);
    clump_joint *joint = NULL;
    clump_status status;
    JOB_MAKE(ctx, r, status, make_joint(ctx, r, &joint, sent, places, labels));
    clump_joint_destroy(joint);
    return status;
}

clump_status job_piece(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    const size_t own = p.count - p.count / 4;
    const int64_t *const places = make_places(r, p.count);
    const clump_joint_settings s = joint_settings(r);
    int32_t *const labels = job_host_room(r, own * sizeof *labels);
    clump_piece *piece = NULL;
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_piece_cluster(ctx, &s, p, own, places, NULL, labels, &piece));
    if (status == CLUMP_OK) {
        const size_t n = (size_t)piece->cluster_count, rim = piece->rim_count;
        void *const firsts = job_host_room(r, 8 * n), *const sizes = job_host_room(r, 8 * n),
                    *const indices = job_host_room(r, 8 * rim);
        if (n) memcpy(firsts, piece->firsts, 8 * n), memcpy(sizes, piece->sizes, 8 * n);
        if (rim) memcpy(indices, piece->rim_indices, 8 * rim);
    }
    clump_piece_destroy(piece);
    return status;
}
