/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.c: see progress.h.
 */
#include "base/progress.h"
#include "base/cli.h"
#include "base/peers.h"
#include "base/stop.h"
#include "common/assert.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { PROGRESS_BAR = 20, PROGRESS_LINE = 160, PROGRESS_COLUMNS = 80 };

#define PROGRESS_LOG_S      10.0 /* between two lines of a log, and before the first */
#define PROGRESS_TERMINAL_S 1.0  /* before the line of a terminal is shown */
#define PROGRESS_REDRAW_S   0.1  /* between two of its states */
#define PROGRESS_MARK_S     30.0 /* between the moments that the time left is estimated from */
#define PROGRESS_SURE_S     0.5  /* of work before a rate or a time is told */

static _Thread_local _Atomic double *into; /* null: the work of this thread is shown */

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns `usual`, or what CLUMP_PROGRESS says where that is less or the usual time is that of a log. */
static double interval(double usual)
{
    const char *const text = getenv("CLUMP_PROGRESS");
    char *end = NULL;
    const double wanted = text ? strtod(text, &end) : usual;
    if (!text || end == text || *end || !(wanted >= 0)) return usual;
    return usual == PROGRESS_LOG_S || wanted < usual ? wanted : usual;
}

void cli_progress_begin(cli_progress *p, const char *what, size_t total, bool quiet)
{
    const cli_progress_mark now = {.at = cli_seconds()};
    *p = (cli_progress){.what = what,
                        .total = total,
                        .phase = now,
                        .old = now,
                        .recent = now,
                        .allowed = !quiet && !cli_messages_held(),
                        .terminal = isatty(STDERR_FILENO) == 1};
    p->next = now.at + interval(p->terminal ? PROGRESS_TERMINAL_S : PROGRESS_LOG_S);
}

void cli_progress_rate(cli_progress *p, const char *unit, double amount)
{
    p->unit = unit;
    p->amount = amount;
}

/* ----- text ----------------------------------------------------------------------------------------------------------- */

/* Appends ", 12.4 M points/s". */
static void add_rate(const cli_progress *p, double now, double done, char *text, size_t room)
{
    static const char prefixes[] = " kMGTPE";
    const double seconds = now - p->phase.at;
    if (!p->unit || seconds < PROGRESS_SURE_S || done <= p->phase.done) return;
    double rate = p->amount * (done - p->phase.done) / seconds;
    size_t k = 0;
    for (; rate >= 999.5 && prefixes[k + 1]; k++) rate /= 1000;
    const int decimals = rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0;
    const bool bytes = strcmp(p->unit, "B") == 0;
    snprintf(text + strlen(text), room - strlen(text), ", %.*f %.*s%s%s/s", decimals, rate, k > 0, prefixes + k,
             k > 0 && !bytes ? " " : "", p->unit);
}

/* Appends ", 35 s left". */
static void add_left(const cli_progress *p, double now, double done, char *text, size_t room)
{
    const double seconds = now - p->old.at;
    if (seconds < PROGRESS_SURE_S || done <= p->old.done) return;
    const double left = ceil(seconds * (1 - done) / (done - p->old.done));
    char *const at = text + strlen(text);
    room -= strlen(text);
    if (left < 60)
        snprintf(at, room, ", %.0f s left", left);
    else if (left < 3600)
        snprintf(at, room, ", %.0f min %.0f s left", floor(left / 60), fmod(left, 60));
    else if (left < 1e7)
        snprintf(at, room, ", %.0f h %.0f min left", floor(left / 3600), floor(fmod(left, 3600) / 60));
}

static size_t columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : PROGRESS_COLUMNS;
}

static void show(cli_progress *p, double now, double done, double whole)
{
    char line[PROGRESS_LINE], bar[PROGRESS_BAR + 1] = "", after[PROGRESS_LINE];
    snprintf(after, sizeof after, "%.0f%%", floor(100 * whole));
    add_rate(p, now, done, after, sizeof after);
    add_left(p, now, whole, after, sizeof after);
    for (int i = 0; i < PROGRESS_BAR; i++) bar[i] = i < whole * PROGRESS_BAR ? '#' : '.';
    cli_stop_hold();
    if (p->terminal) {
        const int length = snprintf(line, sizeof line, "%s [%s] %s", p->what, bar, after);
        const size_t room = columns() - 1; /* a line that is longer would not rewrite itself */
        if (length > 0 && (size_t)length > room && room < sizeof line) line[room] = '\0';
        fprintf(stderr, "\r%s\033[K", line);
        fflush(stderr);
        cli_stop_bar(true);
        p->shown = true;
    } else {
        fprintf(stderr, "%s: %s: %s\n", cli_program(), p->what, after);
    }
    cli_stop_release();
}

/* ----- steps ---------------------------------------------------------------------------------------------------------- */

void cli_progress_into(_Atomic double *share)
{
    into = share;
}

void cli_progress_phase(cli_progress *p, const char *what, double done, double whole)
{
    CLUMP_ASSERT(whole >= 0 && whole <= 1);
    if (into) { /* a file that is read or written twice does not go back */
        const double share = strcmp(what, "writing") == 0 ? 0.5 + 0.5 * whole : 0.5 * whole;
        if (share > atomic_load(into)) atomic_store(into, share);
    }
    if (!p->allowed) return;
    const double now = cli_seconds();
    if (what != p->what && strcmp(what, p->what) != 0) p->phase = (cli_progress_mark){now, done};
    p->what = what;
    if (now - p->recent.at > PROGRESS_MARK_S) {
        p->old = p->recent;
        p->recent = (cli_progress_mark){now, whole};
    }
    if (now < p->next) return;
    p->next = now + interval(p->terminal ? PROGRESS_REDRAW_S : PROGRESS_LOG_S);
    show(p, now, done, whole);
}

void cli_progress_step(cli_progress *p, size_t done)
{
    if (p->total == 0) return;
    const double share = done < p->total ? (double)done / (double)p->total : 1;
    cli_progress_phase(p, p->what, share, share);
}

void cli_progress_share(void *progress, double done)
{
    cli_progress_phase(progress, ((cli_progress *)progress)->what, done, done);
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
