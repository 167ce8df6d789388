/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers_made.h: a made-up paper with every kind of chart, and rows of two made-up machines for it. The numbers follow
 * formulas, so tests know them.
 */
#ifndef CLUMP_TESTS_PAPERS_MADE_H
#define CLUMP_TESTS_PAPERS_MADE_H

#include "report/report.h"

extern const papers_paper *const made_papers[]; /* ended by null */

/* Writes the result file of a machine: the first has a GPU, the second has none. Returns false where it cannot. */
bool made_write(const char *path, int which);

/* Writes a file with this text. */
bool made_text(const char *path, const char *text);

#endif
