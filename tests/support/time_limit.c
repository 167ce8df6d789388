/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_limit.c: see time_limit.h.
 */
#include "support/time_limit.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { POLL_NANOSECONDS = 20000000 };

static pthread_t watcher;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool running, in_call;        /* these and the next four are protected by the lock */
static double cpu_start, wall_start; /* seconds */
static double cpu_limit, wall_limit;
static char text[1024];

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints with write(2): a thread that hangs may hold the lock of stdout. */
static void end_program(double cpu, double wall)
{
    char line[1400];
    const int length =
        snprintf(line, sizeof line, "over the time limit: %.1f s of processor time (limit %g), %.1f s (limit %g): %s\n",
                 cpu, cpu_limit, wall, wall_limit, text);
    const ssize_t written = write(STDOUT_FILENO, line, (size_t)length);
    _exit(written == length ? 1 : 2);
}

static void *watch(void *unused)
{
    (void)unused;
    for (bool go_on = true; go_on;) {
        nanosleep(&(struct timespec){0, POLL_NANOSECONDS}, NULL);
        pthread_mutex_lock(&lock);
        const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start, wall = seconds(CLOCK_MONOTONIC) - wall_start;
        if (in_call && (cpu > cpu_limit || wall > wall_limit)) end_program(cpu, wall);
        go_on = running;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

void time_limit_start(void)
{
    running = true;
    if (pthread_create(&watcher, NULL, watch, NULL) == 0) return;
    puts("the test cannot go on: no thread for the time limit");
    exit(1);
}

void time_limit_stop(void)
{
    pthread_mutex_lock(&lock);
    running = in_call = false;
    pthread_mutex_unlock(&lock);
    pthread_join(watcher, NULL);
}

void time_limit_begin(double cpu_seconds, double wall_seconds, const char *call)
{
    fflush(stdout); /* lines of earlier calls come first */
    pthread_mutex_lock(&lock);
    snprintf(text, sizeof text, "%s", call);
    cpu_limit = cpu_seconds, wall_limit = wall_seconds;
    cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID), wall_start = seconds(CLOCK_MONOTONIC);
    in_call = true;
    pthread_mutex_unlock(&lock);
}

void time_limit_end(void)
{
    pthread_mutex_lock(&lock);
    in_call = false;
    pthread_mutex_unlock(&lock);
}
