/* SPDX-License-Identifier: BSD-3-Clause
 *
 * park.c: see park.h.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* syscall */
#endif
#include "common/park.h"

#ifdef __linux__

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

void clump_park_init(clump_park *p)
{
    atomic_init(&p->ticket, 0);
    atomic_init(&p->sleepers, 0);
}

void clump_park_destroy(clump_park *p)
{
    (void)p;
}

void clump_park_sleep(clump_park *p, uint32_t ticket)
{
    syscall(SYS_futex, (uint32_t *)&p->ticket, FUTEX_WAIT_PRIVATE, ticket, NULL, NULL, 0);
}

void clump_park_wake(clump_park *p, int most)
{
    if (atomic_load(&p->sleepers) == 0) return;
    atomic_fetch_add(&p->ticket, 1);
    syscall(SYS_futex, (uint32_t *)&p->ticket, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

#else

void clump_park_init(clump_park *p)
{
    atomic_init(&p->ticket, 0);
    atomic_init(&p->sleepers, 0);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
}

void clump_park_destroy(clump_park *p)
{
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->wake);
}

void clump_park_sleep(clump_park *p, uint32_t ticket)
{
    pthread_mutex_lock(&p->lock);
    if (atomic_load(&p->ticket) == ticket) pthread_cond_wait(&p->wake, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void clump_park_wake(clump_park *p, int most)
{
    const int sleepers = atomic_load(&p->sleepers);
    if (sleepers == 0) return;
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->ticket, 1);
    if (most >= sleepers)
        pthread_cond_broadcast(&p->wake);
    else
        for (int k = 0; k < most; k++) pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

#endif
