/* SPDX-License-Identifier: BSD-3-Clause
 *
 * markdown.h: the tables that papers_write_markdown() writes between marks.
 *
 *     papers-machines   the machines of the results
 *     papers-claims     claims, the paper's numbers, ours, verdicts
 *     papers-NAME       the tables of the charts of a paper: papers-ec ...
 *     gpu-six           the six methods on a GPU: times
 *     gpu-memory        passes and memory
 *     gpu-cold          a cold call, measured as the authors' code was
 *     choosing          which of the six is the fastest
 */
#ifndef CLUMP_BENCH_PAPERS_MARKDOWN_H
#define CLUMP_BENCH_PAPERS_MARKDOWN_H

#include "report/machines.h"
#include "report/page.h"

/* Appends text from outside as the content of a cell. */
void markdown_text(page *to, const char *text);

/* Each appends its tables, or nothing where no machine has the rows. */
void markdown_six(page *to, const report_input *input);
void markdown_memory(page *to, const report_input *input);
void markdown_cold(page *to, const report_input *input);
void markdown_choosing(page *to, const report_input *input);

/* Writes the text of the file with its tables made anew. Tables without rows stay as they are. Returns false with a
 * sentence in why. */
bool markdown_fill(page *to, const report_input *input, const char *text, const char *path, clump_message *why);

#endif
