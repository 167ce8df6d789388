/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each_jobs.c: the threads of --each. A job takes the next file that no job has, works on it, and leaves what it found in a
 * slot. The main thread takes the slots in the order of the files. A job that is far ahead of the main thread waits, so
 * memory is bounded: one cloud per job, and some slots with messages and rows of text.
 */
#include "each/each.h"
#include "common/assert.h"
#include "base/pace.h"
#include "base/progress.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { JOBS_AHEAD = 4, JOBS_TELL_NS = 100000000 }; /* slots per job; time between two looks at how far the files are */

typedef struct each_slot {
    bool is_done;         /* the file has been worked on */
    _Atomic double share; /* of the file that is done, while a job works on it */
    cli_each_found found;
} each_slot;

typedef struct each_pool {
    cli_each *each;
    pthread_mutex_t lock; /* protects the members below, and is_done of the slots */
    pthread_cond_t changed;
    size_t next;  /* the first file that no job has */
    size_t taken; /* files that the main thread has taken */
    each_slot *slots;
    size_t slot_count; /* file k has the slot k % slot_count */
} each_pool;

typedef struct each_job {
    each_pool *pool;
    clump_context *context;
    pthread_t thread;
    bool runs;
} each_job;

/* Returns the next file for a job; the number of files: there is none. */
static size_t next_file(each_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->next < pool->each->count && pool->next - pool->taken >= pool->slot_count)
        pthread_cond_wait(&pool->changed, &pool->lock);
    const size_t file = pool->next;
    if (file < pool->each->count) pool->next++;
    pthread_mutex_unlock(&pool->lock);
    return file;
}

static void *run_job(void *given)
{
    const each_job *const job = given;
    each_pool *const pool = job->pool;
    for (size_t file; (file = next_file(pool)) < pool->each->count;) {
        each_slot *const slot = &pool->slots[file % pool->slot_count];
        cli_progress_into(&slot->share);
        cli_each_work(pool->each, &pool->each->files[file], job->context, &slot->found);
        cli_progress_into(NULL);
        atomic_store(&slot->share, 1);
        pthread_mutex_lock(&pool->lock);
        slot->is_done = true;
        pthread_cond_broadcast(&pool->changed);
        pthread_mutex_unlock(&pool->lock);
    }
    return NULL;
}

/* Tells how far the files are, those that the jobs work on in part. */
static void tell(each_pool *pool, cli_progress *progress)
{
    double done = (double)pool->taken;
    for (size_t k = 0; k < pool->slot_count; k++) done += atomic_load(&pool->slots[k].share);
    cli_progress_share(progress, fmin(1, done / (double)pool->each->count));
}

/* Waits until the file of a slot is done, and tells how far the files are meanwhile. */
static void wait_for(each_pool *pool, const each_slot *slot, cli_progress *progress)
{
    pthread_mutex_lock(&pool->lock);
    while (!slot->is_done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += JOBS_TELL_NS;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
        pthread_mutex_unlock(&pool->lock);
        tell(pool, progress);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* Takes what was found in the next file: prints its messages, adds its rows to the table. */
static void take_file(each_pool *pool, cli_progress *progress)
{
    cli_each *const each = pool->each;
    each_slot *const slot = &pool->slots[pool->taken % pool->slot_count];
    wait_for(pool, slot, progress);
    if (slot->found.said.text) cli_progress_end(progress);
    cli_print_said(&slot->found.said);
    if (slot->found.rows) cli_clusters_add_rows(&each->table, slot->found.rows, slot->found.rows_size);
    free(slot->found.rows);
    if (!each->files[pool->taken].failed) each->stats = slot->found.stats;
    pthread_mutex_lock(&pool->lock);
    slot->is_done = false;
    slot->found = (cli_each_found){0};
    atomic_store(&slot->share, 0);
    pool->taken++;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    tell(pool, progress);
}

/* Starts the jobs; fewer where the system has no more threads. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
static int start(each_pool *pool, each_job *jobs)
{
    size_t running = 0;
    for (size_t i = 0; i < pool->each->jobs; i++) {
        jobs[i].pool = pool;
        CLI_TRY(cli_context_create(&pool->each->options, &jobs[i].context));
    }
    for (size_t i = 0; i < pool->each->jobs; i++) {
        jobs[i].runs = pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
        running += jobs[i].runs;
    }
    return running > 0 ? CLI_DONE : cli_fail("no thread can be started for the files");
}

static int run_pool(each_pool *pool, each_job *jobs)
{
    const cli_each *const each = pool->each;
    CLI_TRY(start(pool, jobs));
    cli_progress progress;
    cli_progress_begin(&progress, "files", 1, each->s->quiet);
    cli_progress_rate(&progress, "files", (double)each->count);
    for (size_t k = 0; k < each->count; k++) take_file(pool, &progress);
    cli_progress_end(&progress);
    return CLI_DONE;
}

static void end_jobs(each_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].runs) pthread_join(jobs[i].thread, NULL);
        clump_context_destroy(jobs[i].context);
    }
}

int cli_each_run_jobs(cli_each *each)
{
    CLUMP_ASSERT(each->jobs >= 1);
    each_pool pool = {.each = each, .slot_count = JOBS_AHEAD * each->jobs};
    each_job *const jobs = calloc(each->jobs, sizeof *jobs);
    pool.slots = calloc(pool.slot_count, sizeof *pool.slots);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    const int64_t begin = cli_pace_now();
    const int status = jobs && pool.slots ? run_pool(&pool, jobs) : cli_fail("not enough memory for the files");
    if (jobs) end_jobs(jobs, each->jobs);
    each->elapsed_ms = 1e-6 * (double)(cli_pace_now() - begin);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.lock);
    free(pool.slots);
    free(jobs);
    return status;
}
