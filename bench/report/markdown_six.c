/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of the six methods of Nguyen et al. 2020: see report.h.
 */
#include "report/report.h"
#include "report/lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIX = 6, SIX_PLACES = 64 };
static const char *const six_methods[SIX] = {"vertex-es", "edge-es", "matrix-es", "vertex-rs", "edge-rs", "matrix-rs"};
static const char *const six_experiments[] = {"ec-size", "ec-clusters", "ec-degree", "ec-distance", "ec-sensors"};
enum { SIX_EXPERIMENTS = sizeof six_experiments / sizeof *six_experiments };

/* Writes the places on the x axis of an experiment, ascending, at which one of the six has a row. Returns their number. */
static size_t six_places(const papers_table *rows, const char *experiment, const char *backend, double out[SIX_PLACES])
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        bool is_new = strcmp(row->experiment, experiment) == 0 && strcmp(row->backend, backend) == 0 &&
                      isfinite(row->x) && count < SIX_PLACES &&
                      papers_find(rows, experiment, "matrix-rs", row->x, backend);
        size_t at = count;
        for (size_t k = 0; k < count; k++) is_new = is_new && out[k] != row->x;
        if (!is_new) continue;
        for (; at > 0 && out[at - 1] > row->x; at--) out[at] = out[at - 1];
        out[at] = row->x;
        count++;
    }
    return count;
}

/* Returns the name of a place: "4096", or that of the chart. */
static const char *place_name(const report_input *input, const char *experiment, double x, char *out, size_t size)
{
    snprintf(out, size, "%.10g", x);
    for (const papers_paper *const *paper = input->papers; *paper; paper++)
        for (const papers_chart *chart = (*paper)->charts; chart && chart->experiment; chart++)
            if (strcmp(chart->experiment, experiment) == 0 && chart->x_names) lines_x_name(chart, x, out, size);
    return out;
}

/* Writes the first words of a table: what it is, and of which machine. */
static void write_heading(page *to, const report_machine *here, const char *words)
{
    page_add(to, "%s%s ", to->length ? "\n" : "", words);
    page_cell(to, here->name);
    page_add(to, "; clump ");
    page_cell(to, here->versions);
    page_add(to, "; ");
    page_cell(to, here->last_date);
    page_add(to, ".\n\n");
}

/* Returns the number that the paper gives of a time; 0: none. */
static double given_time(const report_input *input, const char *experiment, const char *series, double x)
{
    for (const papers_paper *const *paper = input->papers; *paper; paper++)
        for (const papers_given *given = (*paper)->given; given && given->experiment; given++)
            if (given->measure == MEASURE_TIME && given->x == x && strcmp(given->experiment, experiment) == 0 &&
                strcmp(given->series, series) == 0)
                return given->number;
    return 0;
}

/* Writes a cell in ms: "–" where there is no row. */
static void write_time(page *to, const papers_row *row)
{
    const bool left_out = row && row->median_ms <= 0;
    page_add(to, " %s", left_out ? "left out" : page_rounded(row ? row->median_ms : (double)NAN).text);
}

/* --- gpu-six, gpu-memory ------------------------------------------------------------------------- */

static void write_six_row(page *to, const report_input *input, const papers_table *rows, const char *experiment,
                          double x)
{
    for (int i = 0; i < SIX; i++) {
        const double given = given_time(input, experiment, six_methods[i], x);
        write_time(to, papers_find(rows, experiment, six_methods[i], x, "cuda"));
        if (given > 0) page_add(to, " (%s)", page_rounded(given).text);
        page_add(to, " |");
    }
    page_add(to, "\n");
}

static void write_memory_row(page *to, const report_input *input, const papers_table *rows, const char *experiment,
                             double x)
{
    static const char *const passes[] = {"vertex-rs", "matrix-rs"};
    (void)input;
    for (int i = 0; i < 2; i++) {
        const papers_row *const row = papers_find(rows, experiment, passes[i], x, "cuda");
        page_add(to, row ? " %lld |" : " – |", row ? row->passes : 0);
    }
    for (int i = 0; i < SIX; i++) {
        const papers_row *const row = papers_find(rows, experiment, six_methods[i], x, "cuda");
        page_add(to, " %s |", page_rounded(row && row->value > 0 ? row->value / 1e6 : (double)NAN).text);
    }
    page_add(to, "\n");
}

typedef void write_place(page *to, const report_input *input, const papers_table *rows, const char *experiment,
                         double x);

/* Writes a table per machine with a GPU: a row per place of the first `count` experiments. */
static void write_places(page *to, const report_input *input, const char *words, const char *head, size_t count,
                         write_place *write)
{
    double places[SIX_PLACES];
    char name[80];
    for (size_t m = 0; m < input->count; m++) {
        const report_machine *const here = &input->machines[m];
        bool begun = false;
        for (size_t e = 0; e < count; e++) {
            const size_t found = six_places(&here->rows, six_experiments[e], "cuda", places);
            if (found && !begun) {
                write_heading(to, here, words);
                page_add(to, "%s", head);
                begun = true;
            }
            for (size_t i = 0; i < found; i++) {
                page_add(to, "| %s ", six_experiments[e] + 3);
                page_cell(to, place_name(input, six_experiments[e], places[i], name, sizeof name));
                page_add(to, " |");
                write(to, input, &here->rows, six_experiments[e], places[i]);
            }
        }
    }
}

void markdown_six(page *to, const report_input *input)
{
    write_places(to, input, "Median milliseconds, in brackets what the paper reports of a GPU of 2015.",
                 "| cloud | vertex-es | edge-es | matrix-es | vertex-rs | edge-rs | matrix-rs |\n"
                 "|---|---:|---:|---:|---:|---:|---:|\n",
                 SIX_EXPERIMENTS, write_six_row);
}

void markdown_memory(page *to, const report_input *input)
{
    /* The values of ec-sensors are no memory. */
    write_places(to, input, "Passes, and megabytes of GPU memory.",
                 "| cloud | passes: vertex, edge | matrix | vertex-es | edge-es | matrix-es | vertex-rs | edge-rs | "
                 "matrix-rs |\n"
                 "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
                 SIX_EXPERIMENTS - 1, write_memory_row);
}

/* --- gpu-cold ------------------------------------------------------------------------------------ */

void markdown_cold(page *to, const report_input *input)
{
    double places[SIX_PLACES];
    char cold[32];
    for (size_t m = 0; m < input->count; m++) {
        const report_machine *const here = &input->machines[m];
        const size_t count = six_places(&here->rows, "ec-cold", "cuda", places);
        if (!count) continue;
        write_heading(to, here, "Median milliseconds. Cold: a new context, pageable memory, lists of indices made.");
        page_add(to, "| points | method | warm | cold | the authors' code |\n|---:|---|---:|---:|---:|\n");
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < SIX; k++) {
                snprintf(cold, sizeof cold, "%s cold", six_methods[k]);
                const double theirs = given_time(input, "ec-cold", cold, places[i]);
                page_add(to, "| %.0f | `%s` |", places[i], six_methods[k]);
                write_time(to, papers_find(&here->rows, "ec-cold", six_methods[k], places[i], "cuda"));
                page_add(to, " |");
                write_time(to, papers_find(&here->rows, "ec-cold", cold, places[i], "cuda"));
                page_add(to, " | %s |\n", page_rounded(theirs > 0 ? theirs : (double)NAN).text);
            }
    }
}

/* --- choosing ------------------------------------------------------------------------------------ */

/* The fastest of the six at a place, or at consecutive places. */
typedef struct six_winner {
    const char *method;
    double from, to;              /* places */
    double first_ms, last_ms;     /* its times there */
    double least_lead, most_lead; /* the time of the next over its own */
    double fast_first, fast_last; /* times of `fast`; 0: no row */
} six_winner;

/* Returns the winner at a place; method null: fewer than two have times. */
static six_winner winner_at(const papers_table *rows, const char *experiment, double x, const char *backend)
{
    double best = 0, next = 0;
    six_winner won = {.from = x, .to = x};
    for (int i = 0; i < SIX; i++) {
        const double ms = papers_median(rows, experiment, six_methods[i], x, backend);
        if (ms <= 0) continue;
        if (best <= 0 || ms < best)
            next = best, best = ms, won.method = six_methods[i];
        else if (next <= 0 || ms < next)
            next = ms;
    }
    if (next <= 0) won.method = NULL;
    won.first_ms = won.last_ms = best;
    won.least_lead = won.most_lead = next / (best > 0 ? best : 1);
    won.fast_first = won.fast_last = papers_median(rows, experiment, "fast", x, backend);
    return won;
}

/* Writes "a" or "a to b". */
static void write_span(page *to, double a, double b)
{
    const page_number first = page_rounded(a > 0 ? a : (double)NAN), last = page_rounded(b > 0 ? b : (double)NAN);
    page_add(to, " %s%s%s |", first.text, strcmp(first.text, last.text) == 0 ? "" : " to ",
             strcmp(first.text, last.text) == 0 ? "" : last.text);
}

static void write_winner(page *to, const report_input *input, const char *experiment, const six_winner *won)
{
    char name[80];
    page_add(to, "| %s | ", experiment + 3);
    page_cell(to, place_name(input, experiment, won->from, name, sizeof name));
    if (won->to != won->from)
        page_add(to, " to "), page_cell(to, place_name(input, experiment, won->to, name, sizeof name));
    page_add(to, " | `%s` |", won->method);
    write_span(to, won->first_ms, won->last_ms);
    write_span(to, won->least_lead, won->most_lead);
    write_span(to, won->fast_first, won->fast_last);
    page_add(to, "\n");
}

/* Writes a row per run of places with the same winner. Returns the number of rows. */
static size_t write_winners(page *to, const report_input *input, const papers_table *rows, const char *experiment,
                            const char *backend)
{
    double places[SIX_PLACES];
    six_winner run = {0};
    size_t written = 0;
    const size_t count = six_places(rows, experiment, backend, places);
    for (size_t i = 0; i <= count; i++) {
        const six_winner won = i < count ? winner_at(rows, experiment, places[i], backend) : (six_winner){0};
        if (run.method && won.method && strcmp(run.method, won.method) == 0) {
            run.to = won.to, run.last_ms = won.last_ms, run.fast_last = won.fast_last;
            run.least_lead = fmin(run.least_lead, won.least_lead), run.most_lead = fmax(run.most_lead, won.most_lead);
            continue;
        }
        if (run.method) write_winner(to, input, experiment, &run), written++;
        run = won;
    }
    return written;
}

void markdown_choosing(page *to, const report_input *input)
{
    static const char *const backends[] = {"cuda", "cpu"};
    for (size_t m = 0; m < input->count; m++)
        for (int b = 0; b < 2; b++) {
            page body = {0};
            size_t written = 0;
            const report_machine *const here = &input->machines[m];
            for (size_t e = 0; e < SIX_EXPERIMENTS; e++)
                written += write_winners(&body, input, &here->rows, six_experiments[e], backends[b]);
            if (written) {
                write_heading(to, here, b ? "On the CPU." : "On the GPU.");
                page_add(to,
                         "| factor | places | the fastest of the six | ms | times as fast as the next | `fast`, ms |\n"
                         "|---|---|---|---:|---:|---:|\n%s",
                         body.text);
            }
            to->failed |= body.failed;
            page_free(&body);
        }
}
