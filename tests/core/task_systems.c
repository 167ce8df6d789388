/* SPDX-License-Identifier: BSD-3-Clause
 *
 * task_systems.c: see task_systems.h. A pool is a stack or a queue of tasks under one lock.
 */
#include "core/task_systems.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { POOL_THREADS = 3, POOL_MOST = 4096 };

typedef struct pooled_task {
    clump_task *run;
    void *arg;
} pooled_task;

struct task_pool {
    task_manner manner;
    pthread_mutex_t lock;
    pthread_cond_t more, less;
    pooled_task task[POOL_MOST];
    int first, count; /* a ring of tasks that have not begun */
    int begun;        /* tasks that have begun and not ended */
    bool quit;
    long runs;
    int threads;
    pthread_t thread[POOL_THREADS];
};

/* Takes the first task, or the last one where tasks are to be late. */
static pooled_task take(task_pool *p)
{
    p->count--;
    if (p->manner == TASKS_LATE) return p->task[(p->first + p->count) % POOL_MOST];
    const pooled_task t = p->task[p->first];
    p->first = (p->first + 1) % POOL_MOST;
    return t;
}

static void *pool_main(void *arg)
{
    task_pool *const p = arg;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->count == 0 && !p->quit) pthread_cond_wait(&p->more, &p->lock);
        if (p->count == 0) break;
        const pooled_task t = take(p);
        p->begun++;
        pthread_mutex_unlock(&p->lock);
        if (p->manner == TASKS_LATE) nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
        t.run(t.arg);
        pthread_mutex_lock(&p->lock);
        p->begun--;
        pthread_cond_broadcast(&p->less);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Queues tasks. A full queue forgets them, as a task is not needed for the result. */
static void queue_tasks(task_pool *p, int count, clump_task *task, void *arg, bool wait)
{
    pthread_mutex_lock(&p->lock);
    for (int k = 0; k < count && p->count < POOL_MOST; k++)
        p->task[(p->first + p->count++) % POOL_MOST] = (pooled_task){task, arg};
    pthread_cond_broadcast(&p->more);
    while (wait && (p->count > 0 || p->begun > 0)) pthread_cond_wait(&p->less, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void run_tasks(int count, clump_task *task, void *task_arg, void *user)
{
    task_pool *const p = user;
    __atomic_fetch_add(&p->runs, 1, __ATOMIC_RELAXED);
    switch (p->manner) {
    case TASKS_ON_CALLER:
        for (int k = 0; k < count; k++) task(task_arg);
        break;
    case TASKS_NEVER:
    case TASKS_MANNERS:
        break;
    case TASKS_POOLED:
    case TASKS_ONE:
        queue_tasks(p, count, task, task_arg, true);
        break;
    case TASKS_DOUBLE:
        queue_tasks(p, 2 * count, task, task_arg, true);
        break;
    case TASKS_QUEUED:
    case TASKS_LATE:
        queue_tasks(p, count, task, task_arg, false);
        break;
    }
}

task_pool *task_pool_start(task_manner manner)
{
    task_pool *const p = calloc(1, sizeof *p);
    if (!p) abort();
    p->manner = manner;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->more, NULL);
    pthread_cond_init(&p->less, NULL);
    if (manner >= TASKS_POOLED) p->threads = manner == TASKS_ONE ? 1 : POOL_THREADS;
    for (int k = 0; k < p->threads; k++)
        if (pthread_create(&p->thread[k], NULL, pool_main, p) != 0) abort();
    return p;
}

clump_task_system task_pool_system(task_pool *pool)
{
    return (clump_task_system){run_tasks, pool};
}

void task_pool_push(task_pool *pool, clump_task *job, void *arg)
{
    queue_tasks(pool, 1, job, arg, false);
}

const char *task_pool_name(const task_pool *pool)
{
    static const char *const names[] = {"on the caller", "never",  "pooled", "one thread",
                                        "twice as many", "queued", "late"};
    return names[pool->manner];
}

long task_pool_runs(const task_pool *pool)
{
    return pool->runs;
}

void task_pool_end(task_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (int k = 0; k < pool->threads; k++) pthread_join(pool->thread[k], NULL);
    pthread_cond_destroy(&pool->more);
    pthread_cond_destroy(&pool->less);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
