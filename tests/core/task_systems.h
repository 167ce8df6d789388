/* SPDX-License-Identifier: BSD-3-Clause
 *
 * task_systems.h: task systems as callers may bring them to a context, good ones and lazy ones, for tests.
 */
#ifndef CLUMP_TESTS_TASK_SYSTEMS_H
#define CLUMP_TESTS_TASK_SYSTEMS_H

#include <clump/clump.h>

typedef enum task_manner {
    TASKS_ON_CALLER, /* all tasks one after the other on the calling thread */
    TASKS_NEVER,     /* no task runs */
    TASKS_POOLED,    /* threads of a pool; returns when all tasks have ended */
    TASKS_ONE,       /* a pool of one thread */
    TASKS_DOUBLE,    /* twice as many tasks as asked for, at once */
    TASKS_QUEUED,    /* queues the tasks for the pool and returns before they begin */
    TASKS_LATE,      /* as queued, last task first, and each one begins late: often when its run is over */
    TASKS_MANNERS
} task_manner;

typedef struct task_pool task_pool;

/* Starts the threads of a pool, if the manner needs some; aborts where the system has none. */
task_pool *task_pool_start(task_manner manner);

/* Returns the system for clump_context_options.tasks. */
clump_task_system task_pool_system(task_pool *pool);

const char *task_pool_name(const task_pool *pool);

/* Queues a job of the program itself for the pool. */
void task_pool_push(task_pool *pool, clump_task *job, void *arg);

/* Returns how many times the library has given tasks to the system. */
long task_pool_runs(const task_pool *pool);

/* Runs what is queued and ends the threads; before the context is destroyed. */
void task_pool_end(task_pool *pool);

#endif
