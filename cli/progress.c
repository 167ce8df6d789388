/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.c: see progress.h.
 */
#include "progress.h"
#include "cli.h"
#include "stop.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PROGRESS_BAR = 40 };

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_begin(cli_progress *p, const char *what, size_t total, bool quiet)
{
    *p = (cli_progress){.what = what,
                        .total = total,
                        .begun = cli_seconds(),
                        .allowed = !quiet && !cli_messages_held() && isatty(STDERR_FILENO)};
}

void cli_progress_step(cli_progress *p, size_t done)
{
    if (!p->allowed || p->total == 0) return;
    const double now = cli_seconds();
    if (now - p->begun < 1 || now - p->drawn < 0.1) return;
    p->drawn = now, p->shown = true;
    char bar[PROGRESS_BAR + 1] = "";
    for (size_t i = 0; i < PROGRESS_BAR; i++) bar[i] = i * p->total < done * PROGRESS_BAR ? '#' : '.';
    cli_stop_hold();
    if (p->total == CLI_PROGRESS_WHOLE)
        fprintf(stderr, "\r%s [%s] %zu%% ", p->what, bar, done / (CLI_PROGRESS_WHOLE / 100));
    else
        fprintf(stderr, "\r%s [%s] %zu/%zu ", p->what, bar, done, p->total);
    cli_stop_bar(true);
    cli_stop_release();
}

void cli_progress_share(void *progress, double done)
{
    cli_progress_step(progress, (size_t)(done * CLI_PROGRESS_WHOLE));
}

void cli_progress_end(cli_progress *p)
{
    if (!p->shown) return;
    cli_stop_hold();
    fputs(CLI_WIPE_LINE, stderr);
    cli_stop_bar(false);
    cli_stop_release();
    p->shown = false;
}
