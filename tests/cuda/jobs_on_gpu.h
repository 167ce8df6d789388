/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs_on_gpu.h: for the programs that run the rows of jobs/jobs.h on a GPU: clouds, and in which memory a run has its points and
 * outputs.
 */
#ifndef CLUMP_TESTS_JOBS_ON_GPU_H
#define CLUMP_TESTS_JOBS_ON_GPU_H

#include "jobs/jobs.h"
#include "support/clouds.h"

enum { MANY = 6000, FEW = 600 };

/* Where a run has its memory: the three places, and ahead on the device. */
enum { AHEAD = GPU_PLACES, MANNERS };

/* The context of that memory (job_run.home). */
static clump_context *home;

static inline const char *text_of(const job *j, const job_run *r)
{
    static char text[400];
    return job_text(j, r, text);
}

static inline hostile_case street_of(size_t count)
{
    return job_street(gpu_small() && count > 300 ? 300 : count);
}

/* A case of the first points of another one, which must exist longer. */
static inline hostile_case first_of(const hostile_case *c, size_t count)
{
    hostile_case few = *c;
    if (few.points.count > count) few.points.count = count;
    return few;
}

static inline job_run run_of(const job *j, int method, const hostile_case *c, int turn, int manner)
{
    job_run r = {.c = c, .method = method, .turn = turn, .home = home, .ahead = manner == AHEAD};
    r.place = manner == AHEAD ? GPU_DEVICE : (gpu_place)manner;
    CHECK(r.place != GPU_DEVICE || j->device == JOB_TAKES);
    return r;
}

/* The manners that a job has: 4, or the two of host memory. */
static inline int manners_of(const job *j)
{
    return j->device == JOB_TAKES ? MANNERS : 2;
}

static inline hostile_case of_shape(cloud_shape shape, size_t count, uint64_t *random)
{
    hostile_case c = job_street(count);
    c.d = cloud_fill(shape, c.packed, count, random);
    if (!(c.d > 1e-15f && c.d < 1e15f)) c.d = cloud_fill(CLOUD_SCAN, c.packed, count, random);
    if (check_random(random) % 4 == 0) cloud_spoil(c.packed, count, 1 + check_random(random) % 50, random);
    memcpy(c.memory, c.packed, 3 * count * sizeof *c.packed);
    c.seed = check_random(random) % 1000;
    return c;
}

#endif
