/* SPDX-License-Identifier: BSD-3-Clause
 *
 * thread.c: see team.h.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_setaffinity, dl_iterate_phdr */
#endif
#include "common/team.h"

#include "common/atomics.h"

#include <errno.h>
#include <signal.h>

#ifdef __linux__
#include <link.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#endif

#ifdef __linux__
/* Adds the thread-local variables of one program or library to *sum. */
static int add_thread_locals(struct dl_phdr_info *object, size_t bytes, void *sum)
{
    (void)bytes;
    for (int k = 0; k < object->dlpi_phnum; k++)
        if (object->dlpi_phdr[k].p_type == PT_TLS)
            *(size_t *)sum += (size_t)object->dlpi_phdr[k].p_memsz + (size_t)object->dlpi_phdr[k].p_align;
    return 0;
}
#endif

/* Libraries that were loaded later have their variables elsewhere; to count them costs addresses, no memory. */
size_t clump_thread_stack(void)
{
    size_t locals = 0;
#ifdef __linux__
    dl_iterate_phdr(add_thread_locals, &locals);
#endif
    const size_t page = 65536; /* a multiple of all page sizes in use */
    return CLUMP_THREAD_STACK + (locals + page - 1) / page * page;
}

static int create(pthread_t *thread, size_t stack, void *(*start)(void *), void *arg)
{
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    error = pthread_attr_setstacksize(&attributes, stack);
    if (error == 0) error = pthread_create(thread, &attributes, start, arg);
    pthread_attr_destroy(&attributes);
    return error;
}

bool clump_thread_create(pthread_t *thread, size_t stack, void *(*start)(void *), void *arg)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = create(thread, stack, start, arg);
    if (error == EINVAL) error = pthread_create(thread, NULL, start, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
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
