/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.h: the report of the papers' experiments: a page of its own, build/papers/report.html, and the tables of
 * docs/papers.md. Both are made of the rows of all machines, which are never mixed: a chart, a table and a verdict are
 * of one machine, and name it.
 *
 *     rows.c                                            rows in files
 *     machines.c                                        rows of all files, by machine
 *     lines.c                                           the numbers of a chart; lines_style.c: how its lines look
 *     scale.c                                           axes
 *     chart.c, chart_lines.c, chart_bars.c              charts as SVG
 *     html.c, html_charts.c, html_claims.c, html_style.c   the parts of the page
 *     markdown.c, markdown_six.c                        tables of docs/
 *     page.c                                            text that grows
 *     report.c                                          the page
 */
#ifndef CLUMP_BENCH_PAPERS_REPORT_H
#define CLUMP_BENCH_PAPERS_REPORT_H

#include "papers/papers.h"

typedef enum papers_verdict {
    VERDICT_HOLDS,
    VERDICT_FAILS,  /* "does not hold" */
    VERDICT_UNKNOWN /* "cannot be told" */
} papers_verdict;

/* What judge() says of a claim on one machine. */
typedef struct papers_judgement {
    papers_verdict verdict;
    char ours[200]; /* our measurement: "2.1 ms, 1 pass" */
    char why[300];  /* one sentence */
} papers_judgement;

/* A claim of a paper, and how to judge it by the rows of one machine. */
typedef struct papers_claim {
    const char *paper;      /* "ec" */
    const char *experiment; /* whose rows decide */
    const char *place;      /* "Fig. 10, section 5.2.3" */
    const char *claim;      /* in our words: "edge: clustering is fastest at degree 32 to 64" */
    const char *theirs;     /* the paper's number: "97x"; "" */
    bool gpu;               /* of a GPU: on machines without one it cannot be told */
    papers_judgement (*judge)(const papers_table *rows); /* rows of one machine */
} papers_claim;

/* The claims of each paper, in claims_ec.c ...; papers_paper.claims. */
extern const papers_claim claims_ec[], claims_erccl[], claims_dbscan[], claims_nn[];

/* --- for judges (claims.c) ----------------------------------------------------------------------- */

/* Returns the row of the experiment with this series, x and backend, the first of the file where there are several; null
 * where there is none. backend null: any. */
const papers_row *papers_find(const papers_table *rows, const char *experiment, const char *series, double x,
                              const char *backend);

/* Returns the median of the row that papers_find() returns, in ms; 0 where there is none, or it was left out. */
double papers_median(const papers_table *rows, const char *experiment, const char *series, double x,
                     const char *backend);

/* Returns the judgement, with our measurement in `ours` and the sentence. */
papers_judgement papers_decide(bool holds, const char *ours, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns "holds" or "does not hold" without words; the caller writes them. */
papers_judgement papers_judged(bool holds);

/* Returns "cannot be told" with the sentence. */
papers_judgement papers_unknown(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- the pages ----------------------------------------------------------------------------------- */

/* Writes the page. files: result files of any number of machines. Returns false with a sentence in why. */
bool papers_write_report(const char *const *files, size_t count, const char *path, clump_message *why);

/* Writes the tables between the marks <!-- NAME:begin --> and <!-- NAME:end --> of a Markdown file anew. */
bool papers_write_markdown(const char *const *files, size_t count, const char *path, clump_message *why);

#endif
