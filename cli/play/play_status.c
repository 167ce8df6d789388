/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_status.c: the line that a terminal shows while a recording plays.
 */
#include "play/play.h"

#include "base/progress.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { STATUS_PERIOD = 250000000 }; /* nanoseconds between two drawings */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the columns of the terminal. A longer line would wrap, and its first part would stay. */
static size_t terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* What matters most comes first: a narrow terminal shows the beginning. */
static void draw(const cli_play *play)
{
    const cli_play_result *const r = &play->result;
    const size_t count = r->frames < CLI_PLAY_RECENT ? (size_t)r->frames : CLI_PLAY_RECENT;
    double sorted[CLI_PLAY_RECENT];
    memcpy(sorted, r->recent, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    const int64_t newest = r->recent_at[(r->frames - 1) % CLI_PLAY_RECENT];
    const int64_t oldest = r->recent_at[(r->frames - count) % CLI_PLAY_RECENT];
    const double rate = newest > oldest ? 1e9 * (double)(count - 1) / (double)(newest - oldest) : 0;
    const int64_t elapsed = (newest - r->begun) / 1000000000;
    char line[256];
    snprintf(line, sizeof line,
             "%02" PRId64 ":%02" PRId64 "  %" PRIu64 " frame%s, %.1f per s  latency %.1f ms, p99 %.1f  dropped %" PRIu64
             "  %.0f points, %.1f clusters per frame",
             elapsed / 60, elapsed % 60, r->frames, r->frames == 1 ? "" : "s", rate, sorted[count / 2],
             sorted[(count - 1) * 99 / 100], (uint64_t)atomic_load(&play->dropped),
             (double)r->points / (double)r->frames, (double)r->clusters / (double)r->frames);
    const size_t columns = terminal_columns();
    if (strlen(line) >= columns) line[columns - 1] = '\0';
    fprintf(stderr, CLI_WIPE_LINE "%s", line);
}

void cli_play_draw_status(cli_play *play)
{
    if (play->s->quiet || !isatty(STDERR_FILENO)) return;
    const int64_t now = cli_pace_now();
    if (play->drawn != 0 && now - play->drawn < STATUS_PERIOD) return;
    play->drawn = now;
    cli_stop_hold();
    draw(play);
    cli_stop_bar(true);
    cli_stop_release();
    play->line_drawn = true;
}

void cli_play_wipe_status(cli_play *play)
{
    if (!play->line_drawn) return;
    cli_stop_hold();
    fputs(CLI_WIPE_LINE, stderr);
    cli_stop_bar(false);
    cli_stop_release();
    play->line_drawn = false;
}
