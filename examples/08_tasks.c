/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 08_tasks.c: clump on the threads of the program instead of threads of its own. The program has a pool; run_tasks()
 * hands the tasks of a call to it. docs/threads.md has the rules.
 */
#include <clump/info.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 10, HEAP = 400, COUNT = SIDE * SIDE * HEAP, THREADS = 4 };

/* A pool of threads as many programs have one: it calls one function several times at once. */
typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    clump_task *task;
    void *arg;
    int waiting, running; /* calls that have not begun; calls that have not ended */
    bool quit;
} pool;

static void *pool_thread(void *given)
{
    pool *const p = given;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->waiting == 0 && !p->quit) pthread_cond_wait(&p->wake, &p->lock);
        if (p->quit) break;
        p->waiting--, p->running++;
        pthread_mutex_unlock(&p->lock);
        p->task(p->arg);
        pthread_mutex_lock(&p->lock);
        if (--p->running == 0 && p->waiting == 0) pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* The function for clump: calls the task `count` times on the pool. */
static void run_tasks(int count, clump_task *task, void *task_arg, void *user)
{
    pool *const p = user;
    pthread_mutex_lock(&p->lock);
    p->task = task, p->arg = task_arg, p->waiting = count;
    pthread_cond_broadcast(&p->wake);
    while (p->waiting > 0 || p->running > 0) pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

/* Simulates a sensor: heaps of points in a square, 2 m apart. */
static void make_points(float *xyz)
{
    for (int i = 0; i < COUNT; i++, xyz += 3) {
        const int heap = i % (SIDE * SIDE), k = i / (SIDE * SIDE);
        xyz[0] = 2.0f * (float)(heap % SIDE) + 0.05f * (float)(k % 20);
        xyz[1] = 2.0f * (float)(heap / SIDE) + 0.05f * (float)(k / 20);
        xyz[2] = 0;
    }
}

int main(void)
{
    pool p = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, pool_thread, &p) != 0) return 1;

    float *const xyz = malloc(3 * COUNT * sizeof *xyz);
    int32_t *const labels = malloc(COUNT * sizeof *labels);
    if (!xyz || !labels) return 1;
    make_points(xyz);

    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = THREADS;
    options.tasks = (clump_task_system){.run = run_tasks, .user = &p};
    clump_context *ctx;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) return 1;
    int32_t clusters = 0;
    const clump_points points = {.xyz = xyz, .count = COUNT};
    if (clump_ec(ctx, points, 0.5f, NULL, labels, &clusters) == CLUMP_OK)
        printf("%d points, %d clusters, %d tasks at once\n", COUNT, (int)clusters, clump_context_stats(ctx).threads);
    else
        puts(clump_context_error(ctx));

    pthread_mutex_lock(&p.lock); /* the pool ends before the context: no task may begin after clump_context_destroy */
    p.quit = true;
    pthread_cond_broadcast(&p.wake);
    pthread_mutex_unlock(&p.lock);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    clump_context_destroy(ctx);
    free(xyz), free(labels);
    return 0;
}
