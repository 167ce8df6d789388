/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stop.h: Ctrl-C, SIGTERM and SIGHUP end the program at once and cleanly: unfinished files are removed, the progress
 * bar is wiped, one sentence is printed. The exit status is that of a process ended by the signal (130 for Ctrl-C in a
 * shell).
 *
 * A thread of its own waits for these signals, and all other threads block them. So the work on a signal is ordinary
 * code: it may take locks and print. While the program holds off the end, a signal waits.
 */
#ifndef CLUMP_CLI_STOP_H
#define CLUMP_CLI_STOP_H

#include <stdbool.h>

/* Call once, before any other thread is made. A signal that is ignored already stays ignored (nohup). Where no thread
 * can be made, the signals keep their default action. */
void cli_stop_watch(void);

/* Between these two the program is not ended by a signal. Keep it short. */
void cli_stop_hold(void);
void cli_stop_release(void);

/* The file to remove when the program is stopped, null: none. Borrowed. Call while the end is held off. */
void cli_stop_file(const char *path);

/* Whether a progress bar is on the terminal. Call while the end is held off. */
void cli_stop_bar(bool shown);

#endif
