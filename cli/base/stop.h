/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stop.h: Ctrl-C, SIGTERM and SIGHUP end the program at once and cleanly: unfinished files are removed, the progress
 * bar is wiped, one sentence is printed. The exit status is that of a process ended by the signal (130 for Ctrl-C in a
 * shell).
 *
 * A separate thread waits for these signals, and all other threads block them. So the code that handles a signal is
 * ordinary code: it may take locks and print. Between cli_stop_hold() and cli_stop_release(), a signal waits.
 */
#ifndef CLUMP_CLI_STOP_H
#define CLUMP_CLI_STOP_H

#include <stdbool.h>

/* Call once, before any other thread is made. A signal that is ignored already stays ignored (nohup). Where no thread
 * can be made, the signals keep their default action. */
void cli_stop_watch(void);

/* From now on, the first signal does not end the program: it is noted, and the program ends itself when it has finished
 * its outputs. The second signal ends the program at once. `soft` false: back to the rule above. */
void cli_stop_soft(bool soft);

/* The result is complete: from now on the first signal changes nothing, and the program ends as it would without. */
void cli_stop_complete(void);

/* Returns whether a signal has been noted. Any thread may call it. */
bool cli_stop_asked(void);

/* Returns an int that becomes 1 when a signal has been noted; for `cancel` in options of the library. */
const volatile int *cli_stop_flag(void);

/* Ends the program by the noted signal, if there is one; else returns. Streams must have been flushed. */
void cli_stop_finish(void);

/* Between these two calls no signal ends the program. Keep the time short. */
void cli_stop_hold(void);
void cli_stop_release(void);

/* Sets the file of the key that is removed on a signal; null: none. The path is borrowed. Call between hold and release. */
void cli_stop_file(const void *key, const char *path);

/* Sets whether a progress bar is on the terminal. Call between hold and release. */
void cli_stop_bar(bool shown);

#endif
