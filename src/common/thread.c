/* SPDX-License-Identifier: BSD-3-Clause
 *
 * thread.c: see thread.h.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "common/thread.h"

#include "common/atomics.h"

#include <errno.h>
#include <signal.h>

#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#endif

bool clump_thread_create(pthread_t *thread, void *(*start)(void *), void *arg)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool created = pthread_attr_setstacksize(&attributes, CLUMP_THREAD_STACK) == 0 &&
                         pthread_create(thread, &attributes, start, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return created;
}

#ifdef __linux__

/* On Linux the nice value belongs to the thread, and 0 is the calling one. */
static void add_nice(int more, clump_thread_faults *faults)
{
    errno = 0;
    const int now = getpriority(PRIO_PROCESS, 0);
    if (errno != 0 || setpriority(PRIO_PROCESS, 0, now + more) != 0) CLUMP_STORE(&faults->nice, 1);
}

static void restrict_cores(const clump_thread_setup *setup, clump_thread_faults *faults)
{
    cpu_set_t set[CLUMP_THREAD_CORES / CPU_SETSIZE];
    CPU_ZERO_S(sizeof set, set);
    for (int k = 0; k < setup->core_count; k++) CPU_SET_S((size_t)setup->cores[k], sizeof set, set);
    if (sched_setaffinity(0, sizeof set, set) != 0) CLUMP_STORE(&faults->cores, 1);
}

void clump_thread_set_up(const clump_thread_setup *setup, clump_thread_faults *faults)
{
    prctl(PR_SET_NAME, "clump", 0, 0, 0);
    if (setup->nice != 0) add_nice(setup->nice, faults);
    if (setup->core_count > 0) restrict_cores(setup, faults);
}

#else

void clump_thread_set_up(const clump_thread_setup *setup, clump_thread_faults *faults)
{
    if (setup->nice != 0) CLUMP_STORE(&faults->nice, 1);
    if (setup->core_count > 0) CLUMP_STORE(&faults->cores, 1);
}

#endif
