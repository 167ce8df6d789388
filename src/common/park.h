/* SPDX-License-Identifier: BSD-3-Clause
 *
 * park.h: a place where threads sleep until a condition may hold. The condition itself is an atomic of the user:
 *
 *     sleeper   clump_park_enter(p);                              waker   make the condition true
 *               for (;;) {                                                clump_park_wake(p, n);
 *                   const uint32_t ticket = clump_park_ticket(p);
 *                   if (the condition holds) break;
 *                   clump_park_sleep(p, ticket);
 *               }
 *               clump_park_leave(p);
 *
 * No wake-up is lost. The sleeper counts itself, then reads the condition; the waker writes the condition, then reads the
 * count. All four are sequentially consistent, so one of the two sees what the other wrote. A waker that sees a sleeper
 * changes the ticket, and clump_park_sleep() does not sleep with an old one.
 *
 * On Linux this is a futex: a wake-up of many threads is one system call, and threads that wake up do not queue for a
 * lock as those of a condition variable do.
 */
#ifndef CLUMP_COMMON_PARK_H
#define CLUMP_COMMON_PARK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct clump_park {
    _Atomic uint32_t ticket;
    _Atomic int sleepers;
#ifndef __linux__
    pthread_mutex_t lock;
    pthread_cond_t wake;
#endif
} clump_park;

/* Prepares memory of any content. Also forgets sleepers that a forked child does not have. */
void clump_park_init(clump_park *p);
void clump_park_destroy(clump_park *p);

static inline void clump_park_enter(clump_park *p)
{
    atomic_fetch_add(&p->sleepers, 1);
}

static inline void clump_park_leave(clump_park *p)
{
    atomic_fetch_sub(&p->sleepers, 1);
}

static inline uint32_t clump_park_ticket(clump_park *p)
{
    return atomic_load(&p->ticket);
}

/* Sleeps until a wake-up, unless there was one since the ticket was taken. May return without one. */
void clump_park_sleep(clump_park *p, uint32_t ticket);

/* Wakes up to `most` sleepers. Costs one load where there are none. */
void clump_park_wake(clump_park *p, int most);

#endif
