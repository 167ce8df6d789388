/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of the report: head, machines, rows that differ, papers. See report.h.
 */
#include "report/report.h"
#include "report/chart.h"

#include <string.h>

static void write_element(page *to, const char *element, const char *text)
{
    page_add(to, "<%s>", element);
    page_escaped(to, text);
    page_add(to, "</%s>", element);
}

static const char *last_date(const report_input *input)
{
    const char *last = input->machines[0].last_date;
    for (size_t i = 1; i < input->count; i++)
        if (strcmp(input->machines[i].last_date, last) > 0) last = input->machines[i].last_date;
    return last;
}

static bool has_rows(const report_input *input, const papers_paper *paper)
{
    const size_t length = strlen(paper->name);
    for (size_t i = 0; i < input->all.count; i++) {
        const char *const experiment = input->all.rows[i].experiment;
        if (strncmp(experiment, paper->name, length) == 0 && experiment[length] == '-') return true;
    }
    return false;
}

static void write_head(page *to, const report_input *input)
{
    page_add(to,
             "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
             "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>clump: the papers' experiments</title>\n"
             "<style>\n");
    for (const char *const *line = html_style; *line; line++) page_add(to, "%s", *line);
    page_add(to, "</style>\n</head>\n<body>\n<header>\n<h1>The papers' experiments</h1>\n<p class=\"lead\">Claims of "
                 "four papers on clustering LiDAR "
                 "clouds, beside what clump measures. Newest rows: ");
    page_escaped(to, last_date(input));
    page_add(to, ".</p>\n<nav><a href=\"#machines\">Machines</a> <a href=\"#claims\">Claims</a>");
    for (const papers_paper *const *paper = input->papers; *paper; paper++)
        if (has_rows(input, *paper)) {
            page_add(to, " <a href=\"#paper-%s\">", (*paper)->name);
            page_escaped(to, (*paper)->title);
            page_add(to, "</a>");
        }
    page_add(to, "</nav>\n</header>\n<main>\n");
}

/* --- machines ------------------------------------------------------------------------------------ */

static void count_verdicts(const papers_paper *const *all, const report_machine *here, size_t counts[3])
{
    for (const papers_paper *const *paper = all; *paper; paper++)
        for (const papers_claim *claim = (*paper)->claims; claim && claim->judge; claim++)
            counts[machines_judge(claim, here).verdict]++;
}

static void write_machine(page *to, const report_input *input, const report_machine *here)
{
    static const char *const chips[3] = {"holds", "fails", "unknown"};
    size_t counts[3] = {0};
    page_add(to, "<section class=\"card\">\n");
    write_element(to, "h3", here->title);
    page_add(to, "<dl>\n<dt>CPU</dt><dd>");
    page_escaped(to, here->cpu);
    page_add(to, ", %d core%s</dd>\n<dt>GPU</dt><dd>", here->cores, here->cores == 1 ? "" : "s");
    page_escaped(to, *here->gpu ? here->gpu : "none");
    page_add(to, "</dd>\n<dt>Compiler</dt><dd>");
    page_escaped(to, here->compilers);
    page_add(to, "</dd>\n<dt>clump</dt><dd>");
    page_escaped(to, here->versions);
    page_add(to, "</dd>\n<dt>Measured</dt><dd>");
    page_escaped(to, here->first_date);
    if (strcmp(here->first_date, here->last_date) != 0) page_add(to, " to "), page_escaped(to, here->last_date);
    page_add(to, "; %zu rows</dd>\n</dl>\n<p class=\"counts\">", here->rows.count);
    count_verdicts(input->papers, here, counts);
    for (int i = 0; i < 3; i++)
        page_add(to, "<span class=\"chip %s\">%s: %zu</span> ", chips[i], machines_verdicts[i], counts[i]);
    page_add(to, "</p>\n</section>\n");
}

/* Writes the rows whose answers differ from the reference, where there are any. */
static void write_wrong_rows(page *to, const report_input *input)
{
    size_t count = 0;
    for (size_t i = 0; i < input->all.count; i++) count += chart_is_wrong(&input->all.rows[i]);
    if (!count) return;
    page_add(to,
             "<section class=\"alarm\">\n<h2>%zu row%s with wrong answers</h2>\n<p>Their labels differ from those of "
             "<code>fast</code> on the CPU. Charts show them in red rings; their times mean nothing.</p>\n<ul>\n",
             count, count == 1 ? "" : "s");
    for (size_t m = 0; m < input->count; m++)
        for (size_t i = 0; i < input->machines[m].rows.count; i++) {
            const papers_row *const row = &input->machines[m].rows.rows[i];
            if (!chart_is_wrong(row)) continue;
            page_add(to, "<li>");
            page_escaped(to, row->name);
            page_add(to, ": ");
            page_escaped(to, row->series);
            page_add(to, strcmp(row->backend, "cuda") == 0 ? " on the GPU; " : " on the CPU; ");
            page_escaped(to, input->machines[m].title);
            page_add(to, "</li>\n");
        }
    page_add(to, "</ul>\n</section>\n");
}

static bool write_paper(page *to, const report_input *input, const papers_paper *paper, const char *folder)
{
    page_add(to, "<section id=\"paper-%s\">\n", paper->name);
    write_element(to, "h2", paper->title);
    if (*paper->authors) page_add(to, "<p class=\"lead\">"), page_escaped(to, paper->authors), page_add(to, "</p>\n");
    const bool done = html_charts(to, input, paper, folder);
    page_add(to, "</section>\n");
    return done;
}

bool html_write(page *to, const report_input *input, const char *folder)
{
    write_head(to, input);
    page_add(to, "<section id=\"machines\">\n<h2>Machines</h2>\n<div class=\"cards\">\n");
    for (size_t i = 0; i < input->count; i++) write_machine(to, input, &input->machines[i]);
    page_add(to, "</div>\n</section>\n");
    write_wrong_rows(to, input);
    html_claims(to, input);
    bool done = true;
    for (const papers_paper *const *paper = input->papers; *paper && done; paper++)
        if (has_rows(input, *paper)) done = write_paper(to, input, *paper, folder);
    page_add(to, "</main>\n<footer><p>Made by <code>clump_bench papers --report</code> from <code>bench/results/papers/"
                 "*.csv</code>. Every chart, table and verdict is of one machine.</p></footer>\n</body>\n</html>\n");
    return done && !to->failed;
}
