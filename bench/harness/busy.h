/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that keep cores busy: the other programs of a shared machine.
 */
#ifndef CLUMP_BENCH_BUSY_H
#define CLUMP_BENCH_BUSY_H

#include <stdbool.h>

/* Ends the busy processes there are and starts `count` others. They compute until they are ended or until this process
 * is gone, whatever ended it. Call it while this process has one thread. Returns false, with no process left, where
 * the system gives too few. */
bool busy_set(int count);

#endif
