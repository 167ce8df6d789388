/* SPDX-License-Identifier: BSD-3-Clause
 *
 * html.h: the parts of the page. The page is well-formed XML, needs no script and nothing from the network.
 */
#ifndef CLUMP_BENCH_PAPERS_HTML_H
#define CLUMP_BENCH_PAPERS_HTML_H

#include "report/machines.h"
#include "report/page.h"

/* The lines of the style sheet, ended by null: light and dark, narrow and printed (html_style.c). */
extern const char *const html_style[];

/* Writes the whole page. folder: where pictures are. Returns false where there is no memory. */
bool html_write(page *to, const report_input *input, const char *folder);

/* Writes the table of claims, with a column per machine. */
void html_claims(page *to, const report_input *input);

/* Writes the charts of a paper, each with a figure per machine. */
bool html_charts(page *to, const report_input *input, const papers_paper *paper, const char *folder);

#endif
