/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stop.c: see stop.h.
 */
#include "base/stop.h"

#include "common/assert.h"
#include "base/peers.h"
#include "base/progress.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    int number;
    const char *name;
} signals[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};
enum { STOP_SIGNALS = sizeof signals / sizeof signals[0] };

enum { STOP_FILES = 512 }; /* files that can be registered at a time */

static struct {
    pthread_mutex_t lock; /* protects the members below; held between cli_stop_hold() and cli_stop_release() */
    struct {
        const void *key;
        const char *path;
    } files[STOP_FILES];
    size_t file_count;
    bool bar;
    bool soft;
    atomic_bool complete; /* a signal comes too late to stop anything */
    atomic_int noted;     /* the signal that was noted; 0: none */
    sigset_t set;         /* written before the thread is made */
} stop = {.lock = PTHREAD_MUTEX_INITIALIZER};

static volatile int stop_flag; /* written once, by the thread that waits for signals */

static const char *name_of(int number)
{
    for (size_t i = 0; i < STOP_SIGNALS; i++)
        if (signals[i].number == number) return signals[i].name;
    return "a signal";
}

/* Whether the launcher of several processes sends the signal, to end those that are left; it says why itself. */
static bool launcher_says(int number)
{
    return number == SIGTERM && cli_the_peers();
}

/* Removes the unfinished files of clump_io. They are named .clump-PID-N where the file system has no unnamed files.
 * Only files that this process has open are removed: on a network file system, another host may have a process with
 * the same PID. */
static void remove_unfinished(void)
{
    DIR *const folder = opendir("/proc/self/fd");
    char prefix[40], path[4096];
    snprintf(prefix, sizeof prefix, "/.clump-%ld-", (long)getpid());
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const ssize_t length = readlinkat(dirfd(folder), entry->d_name, path, sizeof path - 1);
        if (length <= 0) continue;
        path[length] = '\0';
        const char *const name = strrchr(path, '/');
        if (name && strncmp(name, prefix, strlen(prefix)) == 0) unlink(path);
    }
    if (folder) closedir(folder);
}

/* Ends the process by the signal, as if it had not been handled. */
static _Noreturn void end_by(int number)
{
    CLUMP_ASSERT(number > 0);
    signal(number, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    _exit(128 + number); /* not reached */
}

/* Notes the signal if that is allowed and it is the first. */
static bool note_signal(int number)
{
    pthread_mutex_lock(&stop.lock);
    const bool noted = stop.soft && atomic_load(&stop.noted) == 0;
    if (noted) {
        if (stop.bar) fputs(CLI_WIPE_LINE, stderr);
        if (!atomic_load(&stop.complete) && !launcher_says(number))
            fprintf(stderr, "%s: stopping by %s; a second one ends at once\n", cli_program(), name_of(number));
        fflush(stderr);
        atomic_store(&stop.noted, number);
        stop_flag = 1;
    }
    pthread_mutex_unlock(&stop.lock);
    return noted;
}

/* Waits for the signal that ends the program, and ends it. The lock is never released, so no other thread can begin a
 * file or draw a bar. */
static void *wait_for_signal(void *unused)
{
    (void)unused;
    int number;
    do {
        if (sigwait(&stop.set, &number) != 0) return NULL;
    } while (note_signal(number));
    pthread_mutex_lock(&stop.lock);
    for (size_t i = 0; i < stop.file_count; i++) unlink(stop.files[i].path);
    remove_unfinished();
    if (stop.bar) fputs(CLI_WIPE_LINE, stderr);
    if (!launcher_says(number)) fprintf(stderr, "%s: stopped by %s\n", cli_program(), name_of(number));
    fflush(stderr);
    end_by(number);
}

void cli_stop_soft(bool soft)
{
    pthread_mutex_lock(&stop.lock);
    stop.soft = soft;
    pthread_mutex_unlock(&stop.lock);
}

void cli_stop_complete(void)
{
    atomic_store(&stop.complete, true);
}

bool cli_stop_asked(void)
{
    return atomic_load(&stop.noted) != 0;
}

const volatile int *cli_stop_flag(void)
{
    return &stop_flag;
}

void cli_stop_finish(void)
{
    const int number = atomic_load(&stop.noted);
    if (number != 0 && !atomic_load(&stop.complete)) end_by(number);
}

void cli_stop_watch(void)
{
    bool any = false;
    sigemptyset(&stop.set);
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(signals[i].number, NULL, &now) != 0 || now.sa_handler == SIG_IGN) continue;
        sigaddset(&stop.set, signals[i].number);
        any = true;
    }
    if (!any || pthread_sigmask(SIG_BLOCK, &stop.set, NULL) != 0) return;
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_signal, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_UNBLOCK, &stop.set, NULL);
}

void cli_stop_hold(void)
{
    pthread_mutex_lock(&stop.lock);
}

void cli_stop_release(void)
{
    pthread_mutex_unlock(&stop.lock);
}

void cli_stop_file(const void *key, const char *path)
{
    size_t i = 0;
    while (i < stop.file_count && stop.files[i].key != key) i++;
    if (!path && i < stop.file_count) stop.files[i] = stop.files[--stop.file_count];
    if (!path || i == STOP_FILES) return; /* remove_unfinished() finds the files that have no room */
    stop.files[i].key = key;
    stop.files[i].path = path;
    if (i == stop.file_count) stop.file_count++;
}

void cli_stop_bar(bool shown)
{
    stop.bar = shown;
}
