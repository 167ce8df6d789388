/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_limit.h: a limit on the time of single calls, for tests of calls that may never return. A thread watches. When a
 * call is over its limit the thread prints one line that names the call and ends the program with status 1, whatever
 * the other threads or a GPU are doing.
 *
 *     time_limit_start();
 *     time_limit_begin(2, 30, "ec, seed 7");   clump_ec(...);   time_limit_end();
 *     time_limit_stop();
 */
#ifndef CLUMP_TESTS_TIME_LIMIT_H
#define CLUMP_TESTS_TIME_LIMIT_H

void time_limit_start(void);
void time_limit_stop(void);

/* Until time_limit_end() the program may use cpu_seconds of processor time, all threads together, and wall_seconds of
 * real time. Processor time finds an endless loop and does not depend on what else the machine does; real time finds a
 * deadlock. call is one line of text; it is copied. */
void time_limit_begin(double cpu_seconds, double wall_seconds, const char *call);
void time_limit_end(void);

#endif
