/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.h: text that grows, for the pages of the report, and the forms of numbers and texts in them.
 */
#ifndef CLUMP_BENCH_PAPERS_PAGE_H
#define CLUMP_BENCH_PAPERS_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <clump/sim.h>

/* Zeroed is valid. */
typedef struct page {
    char *text;
    size_t length, capacity;
    bool failed; /* no memory: later calls do nothing, page_save() says so */
} page;

/* Appends formatted text of any length. The format and the texts must be ours: nothing is escaped. */
void page_add(page *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends bytes. */
void page_put(page *to, const char *bytes, size_t count);

/* Appends text from outside, for HTML and SVG, as content or as an attribute in double quotes. Bytes that are not UTF-8
 * and control characters become '?'. */
void page_escaped(page *to, const char *text);

/* Appends text from outside as the content of a cell of a Markdown table. */
void page_cell(page *to, const char *text);

/* Appends bytes in base 64. */
void page_base64(page *to, const unsigned char *bytes, size_t count);

/* Writes the text beside the file and renames it: the file is whole or untouched. Returns false with a sentence. */
bool page_save(const page *from, const char *path, clump_message *why);

void page_free(page *p);

/* A number as a reader wants it. */
typedef struct page_number {
    char text[40];
} page_number;

/* Returns three significant digits, commas in thousands, "–" for NaN. */
page_number page_rounded(double number);

/* Returns all digits of a place on an axis, commas from 10,000 on. */
page_number page_exact(double number);

#endif
