/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text.h: between text_header.c, which reads the beginning of a text file, text.c, which reads its
 * points, and text_write.c; and what other formats with points as text share with it.
 */
#ifndef CLUMP_IO_TEXT_H
#define CLUMP_IO_TEXT_H

#include "records.h"

typedef struct clump_io_span {
    const char *begin, *end;
} clump_io_span;

typedef struct clump_io_text_header {
    char newline;        /* '\n', or '\r' where lines end with that alone */
    const char *data;    /* where the rows begin */
    size_t line;         /* its number */
    clump_io_span names; /* the line that names the columns; begin null: none does */
    size_t columns;      /* 0: there is neither names nor row */
    size_t declared;     /* the count on the first line; SIZE_MAX: there is none */
} clump_io_text_header;

clump_status clump_io_text_header_read(const clump_io_source *source, clump_io_text_header *header);

/* The next column's word. Where a line has commas, blanks belong to the words. False: no more. */
bool clump_io_text_word(const char **p, const char *end, bool commas, clump_io_span *word);
bool clump_io_text_has_commas(clump_io_span line);

static inline bool clump_io_text_is_separator(char c)
{
    return c == ',' || c == ';';
}

static inline const char *clump_io_text_skip_blanks(const char *p, const char *end)
{
    while (p < end && clump_io_is_blank(*p)) p++;
    return p;
}

/* Nothing more on the line, or a comment. */
static inline bool clump_io_text_is_over(const char *p, const char *end)
{
    return p == end || *p == '#' || (end - p >= 2 && p[0] == '/' && p[1] == '/');
}

/* One line without its end; *p moves behind it. */
static inline clump_io_span clump_io_text_line(const char **p, const char *end, char newline)
{
    const char *stop = memchr(*p, newline, (size_t)(end - *p));
    const clump_io_span line = {*p, stop ? stop : end};
    *p = stop ? stop + 1 : end;
    return line;
}

/* A line a point: coordinates and fields with a separator of one character between them. all_digits: float32
 * coordinates as the double they are, not with the few digits that tell them from other float32. */
void clump_io_put_rows(const clump_io_output *output, clump_io_sink *sink, const char *separator, bool all_digits);

/* From here on text is read as float64, since float32 steps by more than a centimetre. */
#define CLUMP_IO_TEXT_LARGE 131072.0f

/* Formats that make a column of every element can be read back only with so many. */
clump_status clump_io_check_columns(const clump_io_output *output, const char *called);

clump_status clump_io_text_write(const clump_io_output *output, clump_io_sink *sink);

#endif
