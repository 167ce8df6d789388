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
#include "report/page.h"

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

/* Writes the page. all: the papers, ended by null. files: result files of any number of machines. Returns false with a
 * sentence in why. */
bool papers_write_report(const papers_paper *const *all, const char *const *files, size_t count, const char *path,
                         clump_message *why);

/* Writes the tables between the marks <!-- NAME:begin --> and <!-- NAME:end --> of a Markdown file anew. */
bool papers_write_markdown(const papers_paper *const *all, const char *const *files, size_t count, const char *path,
                           clump_message *why);

/* --- machines.c: the rows of all result files, by machine. Everything that the report shows or judges is of one
 * machine. */

typedef struct report_machine {
    papers_table rows;     /* of this machine; their texts belong to report_input.all */
    const char *gpu, *cpu; /* gpu "": none */
    int cores;
    char name[200];                     /* "NVIDIA H200, host Intel Xeon, 16 cores" */
    char title[100];                    /* "NVIDIA H200" */
    char compilers[200], versions[100]; /* every one that rows name */
    const char *first_date, *last_date;
} report_machine;

/* Zeroed is valid. */
typedef struct report_input {
    const papers_paper *const *papers; /* ended by null; set by the caller */
    papers_table all;
    report_machine *machines;
    size_t count;
} report_input;

/* Reads the files. Machines differ in GPU, CPU or cores. Returns false with a sentence in why, also where there is no row
 * at all. The caller frees the input in both cases. */
bool machines_read(const char *const *files, size_t count, report_input *out, clump_message *why);
void machines_free(report_input *input);

/* Judges the claim by the rows of the machine. */
papers_judgement machines_judge(const papers_claim *claim, const report_machine *here);

/* "holds", "does not hold", "cannot be told" */
extern const char *const machines_verdicts[3];

/* --- markdown.c: the tables that papers_write_markdown() writes between marks.
 *
 *     papers-machines   the machines of the results
 *     papers-claims     claims, the paper's numbers, ours, verdicts
 *     papers-NAME       the tables of the charts of a paper: papers-ec ...
 *     gpu-six           the six methods on a GPU: times
 *     gpu-memory        passes and memory
 *     gpu-cold          a cold call, measured as the authors' code was
 *     choosing          which of the six is the fastest */

/* Each appends its tables, or nothing where no machine has the rows. */
void markdown_six(page *to, const report_input *input);
void markdown_memory(page *to, const report_input *input);
void markdown_cold(page *to, const report_input *input);
void markdown_choosing(page *to, const report_input *input);

/* Writes the text of the file with its tables made anew. Tables without rows stay as they are. Returns false with a
 * sentence in why. */
bool markdown_fill(page *to, const report_input *input, const char *text, const char *path, clump_message *why);

/* --- html.c: the parts of the page. The page is well-formed XML, needs no script and nothing from the network */

/* The lines of the style sheet, ended by null: light and dark, narrow and printed (html_style.c). */
extern const char *const html_style[];

/* Writes the whole page. folder: where pictures are. Returns false where there is no memory. */
bool html_write(page *to, const report_input *input, const char *folder);

/* Writes the table of claims, with a column per machine. */
void html_claims(page *to, const report_input *input);

/* Writes the charts of a paper, each with a figure per machine. */
bool html_charts(page *to, const report_input *input, const papers_paper *paper, const char *folder);

#endif
