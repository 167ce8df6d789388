/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.h: how far long work is, on stderr: what is done, a percentage, the rate, the time that is left.
 *
 *     a terminal   after 1 s, one line that rewrites itself: tiles [########............] 43%, 12.4 M points/s, 35 s left
 *     a log        after 10 s, and then every 10 s, a line: clump: tiles: 43%, 12.4 M points/s, 35 s left
 *
 * Nothing is shown with --quiet. The time is read only between steps, so a step should be short. The environment variable
 * CLUMP_PROGRESS sets the seconds between two lines of a log, and of a terminal where it is less; tests set it to 0.
 */
#ifndef CLUMP_CLI_PROGRESS_H
#define CLUMP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Erases the line of a terminal's cursor. */
#define CLI_WIPE_LINE "\r\033[K"

/* A moment of the work. */
typedef struct cli_progress_mark {
    double at;   /* seconds */
    double done; /* share, 0 to 1 */
} cli_progress_mark;

typedef struct cli_progress {
    const char *what;              /* "run", "reading" ... */
    size_t total;                  /* steps; 1 for a share */
    const char *unit;              /* "points", "files"; "B" for bytes; null: no rate is shown */
    double amount;                 /* of units, in all */
    cli_progress_mark phase;       /* the first step of the phase: for the rate */
    cli_progress_mark old, recent; /* two moments, each at most 30 s before the next: for the time that is left */
    double next;                   /* no earlier than this is anything shown; seconds */
    bool allowed, shown;
    bool terminal;
} cli_progress;

double cli_seconds(void); /* of a monotonic clock */

void cli_progress_begin(cli_progress *p, const char *what, size_t total, bool quiet);
void cli_progress_step(cli_progress *p, size_t done);
void cli_progress_end(cli_progress *p); /* wipes the line of a terminal */

/* Shows a rate, too: all the work has this amount of a unit. */
void cli_progress_rate(cli_progress *p, const char *unit, double amount);

/* For work of several phases: the phase, how much of it is done, and how much of all, 0 to 1. Every phase has the amount. */
void cli_progress_phase(cli_progress *p, const char *what, double done, double whole);

/* A callback of clump_io; done goes from 0 to 1. */
void cli_progress_share(void *progress, double done);

/* From now on, what this thread does is not shown: *share gets how far its file is, reading 0 to 0.5 and writing 0.5 to 1.
 * Null: it is shown again. */
void cli_progress_into(_Atomic double *share);

#endif
