/* SPDX-License-Identifier: BSD-3-Clause
 *
 * latency_chart.c: see latency.h. Both panels share the axis of milliseconds. Colours are readable on white and
 * on black; there is no background.
 */
#include "play/latency.h"

#include "common/assert.h"
#include "files/output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The panels, in units of the picture. */
enum { CHART_WIDTH = 960, CHART_HEIGHT = 360, CHART_LEFT = 64, CHART_RIGHT = 700, CHART_TOP = 66, CHART_BOTTOM = 310 };
enum { CHART_SIDE_LEFT = 724, CHART_SIDE_RIGHT = 864 }; /* of the histogram */
enum { CHART_BARS = 60 };
enum { CHART_TITLE = 56 }; /* characters of the title: more would run into the legend */

typedef struct chart {
    FILE *to;
    double top_ms; /* at the upper end of the axis */
    double seconds;
    double deadline;
    const cli_course *course;
    const cli_latency *latency;
} chart;

static double x_of(const chart *c, double seconds)
{
    return CHART_LEFT + (CHART_RIGHT - CHART_LEFT) * (c->seconds > 0 ? seconds / c->seconds : 0);
}

static double y_of(const chart *c, double ms)
{
    return CHART_BOTTOM - (CHART_BOTTOM - CHART_TOP) * fmin(ms / c->top_ms, 1);
}

/* Returns a step of 1, 2 or 5 times a power of ten that divides the length into at most `most` parts. */
static double step_for(double length, int most)
{
    CLUMP_ASSERT(most >= 1);
    const double least = length / most, power = pow(10, floor(log10(least)));
    return least <= power ? power : least <= 2 * power ? 2 * power : least <= 5 * power ? 5 * power : 10 * power;
}

/* Characters that end an attribute or a text are replaced. */
static void put_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '&' || c == '<' || c == '>' || c == '"')
            fprintf(to, "&#%u;", c);
        else
            fputc(c < 0x20 || c >= 0x7f ? '?' : c, to);
    }
}

static void put_head(const chart *c, const char *title)
{
    fprintf(c->to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"13\" fill=\"#7f7f7f\">\n"
            "<style>.grid{stroke:#7f7f7f;stroke-opacity:.25}.band{fill:#3b82c4;fill-opacity:.35}"
            ".mean{fill:none;stroke:#3b82c4;stroke-width:1.5}.bar{fill:#3b82c4}"
            ".limit{stroke:#d9534f;stroke-width:1.5;stroke-dasharray:6 4}.bad{fill:#d9534f}</style>\n",
            CHART_WIDTH, CHART_HEIGHT);
    fprintf(c->to, "<text x=\"%d\" y=\"22\" font-size=\"16\">latency of ", CHART_LEFT);
    const size_t length = strlen(title); /* of a long path, the end tells more */
    if (length > CHART_TITLE) fputs("...", c->to);
    put_text(c->to, length > CHART_TITLE ? title + length - CHART_TITLE : title);
    fprintf(c->to,
            "</text>\n<text x=\"%d\" y=\"42\">%" PRIu64 " frames: median %.2f ms, 99 %% %.2f ms, 99.9 %% %.2f "
            "ms, max %.2f ms</text>\n",
            CHART_LEFT, c->latency->count, cli_latency_quantile(c->latency, 0.5),
            cli_latency_quantile(c->latency, 0.99), cli_latency_quantile(c->latency, 0.999),
            cli_latency_most(c->latency));
}

static void put_axes(const chart *c)
{
    const double step = step_for(c->top_ms, 6);
    for (double ms = 0; ms <= c->top_ms * 1.0001; ms += step)
        fprintf(c->to,
                "<path class=\"grid\" d=\"M%d %.1fH%dM%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>\n",
                CHART_LEFT, y_of(c, ms), CHART_RIGHT, CHART_SIDE_LEFT, y_of(c, ms), CHART_SIDE_RIGHT, CHART_LEFT - 8,
                y_of(c, ms) + 4, ms);
    const double time = step_for(c->seconds > 0 ? c->seconds : 1, 8);
    for (double s = 0; s <= c->seconds * 1.0001; s += time)
        fprintf(c->to,
                "<path class=\"grid\" d=\"M%.1f %dv5\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                x_of(c, s), CHART_BOTTOM, x_of(c, s), CHART_BOTTOM + 20, s);
    fprintf(c->to,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">seconds played</text>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">share of the frames</text>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">ms</text>\n",
            (CHART_LEFT + CHART_RIGHT) / 2, CHART_BOTTOM + 40, (CHART_SIDE_LEFT + CHART_SIDE_RIGHT) / 2,
            CHART_BOTTOM + 40, CHART_LEFT - 8, CHART_TOP - 14);
}

/* Returns the time of a group in the picture: the middle of its frames. */
static double middle_of(const cli_course *course, size_t i)
{
    CLUMP_ASSERT(i < course->count);
    const double next = i + 1 < course->count ? course->group[i + 1].time : course->end;
    return (course->group[i].time + next) / 2;
}

/* The band from the least to the largest latency, and the mean. */
static void put_course(const chart *c)
{
    const cli_course *const course = c->course;
    if (course->per_group > 1) {
        fputs("<path class=\"band\" d=\"M", c->to);
        for (size_t i = 0; i < course->count; i++)
            fprintf(c->to, "%.1f %.1f ", x_of(c, middle_of(course, i)), y_of(c, (double)course->group[i].most));
        for (size_t i = course->count; i-- > 0;)
            fprintf(c->to, "%.1f %.1f ", x_of(c, middle_of(course, i)), y_of(c, (double)course->group[i].least));
        fputs("Z\"/>\n", c->to);
    }
    fputs("<path class=\"mean\" d=\"M", c->to);
    for (size_t i = 0; i < course->count; i++) {
        const cli_course_group *const g = &course->group[i];
        const double time = course->per_group > 1 ? middle_of(course, i) : g->time;
        fprintf(c->to, "%.1f %.1f ", x_of(c, time), y_of(c, (double)g->sum / g->frames));
    }
    fputs("\"/>\n", c->to);
}

/* The meaning of the marks, and how many there are. */
static void put_legend(const chart *c, uint64_t missed, uint64_t dropped)
{
    if (missed > 0)
        fprintf(c->to,
                "<circle class=\"bad\" cx=\"%d\" cy=\"18\" r=\"2.5\"/><text x=\"%d\" y=\"22\">%" PRIu64
                " missed the deadline</text>\n",
                CHART_SIDE_LEFT, CHART_SIDE_LEFT + 10, missed);
    if (dropped > 0)
        fprintf(c->to, "<path class=\"bad\" d=\"M%d 34l-3 7h6z\"/><text x=\"%d\" y=\"42\">%" PRIu64 " dropped</text>\n",
                CHART_SIDE_LEFT, CHART_SIDE_LEFT + 10, dropped);
}

/* Marks for frames that missed the deadline, at their height, and for dropped frames, at the foot. */
static void put_marks(const chart *c)
{
    uint64_t missed = 0, dropped = 0;
    for (size_t i = 0; i < c->course->count; i++) {
        const cli_course_group *const g = &c->course->group[i];
        const double x = x_of(c, c->course->per_group > 1 ? middle_of(c->course, i) : g->time);
        if (g->missed)
            fprintf(c->to, "<circle class=\"bad\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", x, y_of(c, (double)g->most));
        if (g->dropped) fprintf(c->to, "<path class=\"bad\" d=\"M%.1f %dl-3 7h6z\"/>\n", x, CHART_BOTTOM + 1);
        missed += g->missed;
        dropped += g->dropped;
    }
    put_legend(c, missed, dropped);
}

static void put_deadline(const chart *c)
{
    if (isnan(c->deadline) || c->deadline > c->top_ms) return;
    const double y = y_of(c, c->deadline);
    fprintf(c->to,
            "<path class=\"limit\" d=\"M%d %.1fH%dM%d %.1fH%d\"/>\n"
            "<text class=\"bad\"><tspan x=\"%d\" y=\"%.1f\">deadline</tspan><tspan x=\"%d\" y=\"%.1f\">%.4g "
            "ms</tspan></text>\n",
            CHART_LEFT, y, CHART_RIGHT, CHART_SIDE_LEFT, y, CHART_SIDE_RIGHT, CHART_SIDE_RIGHT + 6, y - 2,
            CHART_SIDE_RIGHT + 6, y + 13, c->deadline);
}

static void put_histogram(const chart *c)
{
    uint64_t bars[CHART_BARS] = {0}, most = 1;
    for (size_t i = 0; i < CLI_LATENCY_BUCKETS; i++) {
        if (c->latency->bucket[i] == 0) continue;
        const double at = 1e-6 * (double)cli_latency_lower(i) / c->top_ms * CHART_BARS;
        const size_t bar = at < CHART_BARS ? (size_t)at : CHART_BARS - 1;
        bars[bar] += c->latency->bucket[i];
        if (bars[bar] > most) most = bars[bar];
    }
    const double height = (double)(CHART_BOTTOM - CHART_TOP) / CHART_BARS;
    for (size_t i = 0; i < CHART_BARS; i++)
        if (bars[i] > 0)
            fprintf(c->to, "<rect class=\"bar\" x=\"%d\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\"/>\n",
                    CHART_SIDE_LEFT, CHART_BOTTOM - (double)(i + 1) * height,
                    fmax((CHART_SIDE_RIGHT - CHART_SIDE_LEFT) * (double)bars[i] / (double)most, 1), height * 0.9);
    fprintf(c->to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.3g %%</text>\n", CHART_SIDE_RIGHT, CHART_BOTTOM + 20,
            c->latency->count ? 100 * (double)most / (double)c->latency->count : 0.0);
}

/* Returns the upper end of the axis: a round number above all latencies, and above a deadline that is not far off. */
static double top_of(const chart *c)
{
    double top = c->latency->count ? cli_latency_most(c->latency) : 1;
    if (c->deadline > top && c->deadline < 10 * top) top = c->deadline;
    const double step = step_for(fmax(top, 1e-3) * 1.05, 6);
    return ceil(fmax(top, 1e-3) * 1.05 / step) * step;
}

int cli_latency_chart(const char *path, const char *title, const cli_course *course, const cli_latency *latency,
                      double deadline)
{
    cli_output out;
    CLI_TRY(cli_output_open(&out, path));
    chart c = {.to = out.file, .seconds = course->end, .deadline = deadline, .course = course, .latency = latency};
    c.top_ms = top_of(&c);
    put_head(&c, title);
    put_axes(&c);
    if (course->count > 0) {
        put_course(&c);
        put_marks(&c);
        put_histogram(&c);
    }
    put_deadline(&c);
    fputs("</svg>\n", out.file);
    return cli_output_close(&out);
}
