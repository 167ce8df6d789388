/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.h: a bar on stderr for work that takes more than a second. Nothing is shown when stderr
 * is not a terminal, and by a thread whose messages are held. The time is read only between steps, so a step should be
 * short.
 */
#ifndef CLUMP_CLI_PROGRESS_H
#define CLUMP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Erases the line of a terminal's cursor. */
#define CLI_WIPE_LINE "\r\033[K"

typedef struct cli_progress {
    const char *what; /* "run", "reading" ... */
    size_t total;
    double begun, drawn; /* seconds */
    bool allowed, shown;
} cli_progress;

double cli_seconds(void); /* of a monotonic clock */

void cli_progress_begin(cli_progress *p, const char *what, size_t total, bool quiet);
void cli_progress_step(cli_progress *p, size_t done);
void cli_progress_end(cli_progress *p); /* wipes the bar */

/* A callback of clump_io for a bar whose total is CLI_PROGRESS_WHOLE; done goes from 0 to 1. */
enum { CLI_PROGRESS_WHOLE = 1000 };
void cli_progress_share(void *progress, double done);

#endif
