/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_make.c: see lidar_write.h. A thread claims a frame, makes it, and waits until it is the frame's turn to be written.
 */
#include "gen/lidar_write.h"

#include "common/assert.h"
#include "base/progress.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIDAR_INSTANCES = UINT16_MAX + 1, LIDAR_THREADS = 256 };
#define LIDAR_SECOND 1000000000LL
#define LIDAR_EPOCH  (1577836800 * LIDAR_SECOND) /* 2020-01-01 UTC: ROS takes a time of 0 for none */

/* What the threads share. All but the first three members are guarded by the lock. */
typedef struct factory {
    const clump_lidar_world *world;
    size_t rays, frames;
    cli_lidar_writing *w;
    pthread_mutex_t lock;
    pthread_cond_t turned;   /* `written` or `status` has changed */
    size_t claimed, written; /* frames */
    int status;              /* of the first failure */
    uint64_t points;
    bool seen[LIDAR_INSTANCES];
    clump_lidar_thing *things; /* of a frame, for --things; else null */
    cli_progress progress;
} factory;

/* --- one frame ------------------------------------------------------------------------------------- */

static void release_scan(clump_lidar_scan *scan)
{
    free(scan->xyz);
    free(scan->intensity);
    free(scan->ring);
    free(scan->time);
    free(scan->semantic);
    free(scan->instance);
}

/* Allocates memory for all rays of a turn. False: there is not enough. */
static bool prepare_scan(clump_lidar_scan *scan, size_t rays)
{
    *scan = (clump_lidar_scan){.xyz = cli_allocate(rays, 3 * sizeof(float)),
                               .intensity = cli_allocate(rays, sizeof(float)),
                               .ring = cli_allocate(rays, sizeof(uint16_t)),
                               .time = cli_allocate(rays, sizeof(float)),
                               .semantic = cli_allocate(rays, sizeof(uint16_t)),
                               .instance = cli_allocate(rays, sizeof(uint16_t))};
    return scan->xyz && scan->intensity && scan->ring && scan->time && scan->semantic && scan->instance;
}

/* Makes a cloud of the first `count` points of a scan, with all its fields. */
static clump_status cloud_of(const clump_lidar_scan *scan, size_t count, clump_cloud **out, clump_message *message)
{
    const clump_field fields[] = {
        {.name = "intensity", .type = CLUMP_TYPE_F32, .count = 1, .data = scan->intensity},
        {.name = "ring", .type = CLUMP_TYPE_U16, .count = 1, .data = scan->ring},
        {.name = "time", .type = CLUMP_TYPE_F32, .count = 1, .data = scan->time},
        {.name = "semantic", .type = CLUMP_TYPE_U16, .count = 1, .data = scan->semantic},
        {.name = "instance", .type = CLUMP_TYPE_U16, .count = 1, .data = scan->instance},
    };
    clump_status status = clump_cloud_create(count, out, message);
    if (status != CLUMP_OK) return status;
    memcpy(clump_cloud_xyz(*out), scan->xyz, count * 3 * sizeof(float));
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == CLUMP_OK; i++)
        status = clump_cloud_set_field(*out, &fields[i], message);
    return status;
}

/* Writes the things of a frame, with the lock held. There are at most as many as instances. */
static int write_things(factory *f, size_t frame)
{
    if (!f->w->things) return CLI_DONE;
    size_t count;
    clump_message message = {0};
    const clump_status status = clump_sim_lidar_things(f->world, frame, f->things, LIDAR_INSTANCES, &count, &message);
    if (status != CLUMP_OK) return cli_fail_message(f->w->things, status, &message);
    cli_lidar_write_things(f->w, frame, f->things, count);
    return CLI_DONE;
}

/* Writes a frame, with the lock held. */
static int write_frame(factory *f, clump_cloud *cloud, const double pose[12])
{
    const size_t index = f->w->first + f->written;
    CLI_TRY(write_things(f, index));
    const int64_t start = LIDAR_EPOCH + (int64_t)((double)index * f->w->period * LIDAR_SECOND + 0.5);
    clump_frame frame = {.cloud = cloud,
                         .stamp = start,
                         .received = start + (int64_t)(f->w->period * LIDAR_SECOND + 0.5),
                         .index = index,
                         .frame_id = "lidar"};
    const int status = cli_lidar_write_frame(f->w, &frame, pose);
    clump_field instance = {0};
    clump_cloud_find(cloud, "instance", &instance);
    const size_t count = clump_cloud_points(cloud).count;
    for (size_t i = 0; i < count; i++) f->seen[((const uint16_t *)instance.data)[i]] = true;
    f->points += count;
    return status;
}

/* Makes frame number `claim`, counted from the first one that is wanted, waits for its turn, and writes it. */
static int make_frame(factory *f, size_t claim, const clump_lidar_scan *scan)
{
    clump_cloud *cloud = NULL;
    clump_message message = {0};
    size_t count = 0;
    double pose[12];
    clump_status made = clump_sim_lidar_scan(f->world, f->w->first + claim, scan, &count, pose, &message);
    if (made == CLUMP_OK) made = cloud_of(scan, count, &cloud, &message);
    pthread_mutex_lock(&f->lock);
    while (f->written != claim && f->status == CLI_DONE) pthread_cond_wait(&f->turned, &f->lock);
    if (f->status == CLI_DONE) {
        f->status = made == CLUMP_OK ? write_frame(f, cloud, pose) : cli_fail_message(f->w->output, made, &message);
        f->written++;
        cli_progress_step(&f->progress, f->written);
        pthread_cond_broadcast(&f->turned);
    }
    const int status = f->status;
    pthread_mutex_unlock(&f->lock);
    clump_cloud_destroy(cloud);
    return status;
}

/* --- threads --------------------------------------------------------------------------------------- */

/* Claims the next frame. False: there is none, or something has failed. */
static bool claim_frame(factory *f, size_t *claim)
{
    pthread_mutex_lock(&f->lock);
    const bool any = f->claimed < f->frames && f->status == CLI_DONE;
    if (any) *claim = f->claimed++;
    pthread_mutex_unlock(&f->lock);
    return any;
}

static void *work(void *factory_)
{
    factory *const f = factory_;
    clump_lidar_scan scan;
    size_t claim;
    if (prepare_scan(&scan, f->rays)) {
        while (claim_frame(f, &claim) && make_frame(f, claim, &scan) == CLI_DONE) continue;
    } else {
        pthread_mutex_lock(&f->lock);
        if (f->status == CLI_DONE) f->status = cli_fail("not enough memory for %zu rays", f->rays);
        pthread_cond_broadcast(&f->turned);
        pthread_mutex_unlock(&f->lock);
    }
    release_scan(&scan);
    return NULL;
}

/* Runs the caller and threads - 1 others. Threads that cannot be created are not needed. */
static void run_threads(factory *f, size_t threads)
{
    CLUMP_ASSERT(threads >= 1);
    pthread_t others[LIDAR_THREADS];
    size_t count = 0;
    while (count + 1 < threads && pthread_create(&others[count], NULL, work, f) == 0) count++;
    work(f);
    for (size_t i = 0; i < count; i++) pthread_join(others[i], NULL);
}

int cli_lidar_make(const clump_lidar_world *world, size_t rays, size_t threads, cli_lidar_writing *w,
                   cli_lidar_tally *tally)
{
    factory *const f = calloc(1, sizeof *f);
    if (!f) return cli_fail("not enough memory for %zu frames", w->frames);
    f->world = world, f->rays = rays, f->frames = w->frames, f->w = w;
    if (w->things && !(f->things = cli_allocate(LIDAR_INSTANCES, sizeof *f->things))) {
        free(f);
        return cli_fail("not enough memory for the things of a frame");
    }
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->turned, NULL);
    if (threads == 0) threads = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (threads > w->frames) threads = w->frames;
    const double begun = cli_seconds();
    cli_progress_begin(&f->progress, "making", w->frames, w->quiet);
    cli_progress_rate(&f->progress, "frames", (double)w->frames);
    run_threads(f, threads < LIDAR_THREADS ? threads : LIDAR_THREADS);
    cli_progress_end(&f->progress);
    *tally = (cli_lidar_tally){.points = f->points, .seconds = cli_seconds() - begun};
    for (size_t i = 1; i < LIDAR_INSTANCES; i++) tally->things += f->seen[i];
    const int status = f->status;
    pthread_cond_destroy(&f->turned);
    pthread_mutex_destroy(&f->lock);
    free(f->things);
    free(f);
    return status;
}
