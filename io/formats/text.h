/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text.h: shared by text_header.c, which reads the beginning of a text file, text.c, which reads its
 * points, text_write.c, and other formats with points as text.
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
    size_t columns;      /* 0: there are no names and no rows */
    size_t declared;     /* the count on the first line; SIZE_MAX: there is none */
} clump_io_text_header;

clump_status clump_io_text_header_read(const clump_io_source *source, clump_io_text_header *header);

/* Reads the word of the next column. If the line has commas, words may contain blanks. False: no more. */
bool clump_io_text_word(const char **p, const char *end, bool commas, clump_io_span *word);

/* Reads a number, perhaps in quotes. Returns where it ends with its quotes; null: it is no number. n->end == p: there is
 * nothing in the quotes. */
const char *clump_io_text_value(const char *p, const char *end, clump_io_number *n);
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

/* Whether the rest of the line is empty or a comment. */
static inline bool clump_io_text_is_over(const char *p, const char *end)
{
    return p == end || *p == '#' || (end - p >= 2 && p[0] == '/' && p[1] == '/');
}

/* Returns one line without its newline, and moves *p behind it. */
static inline clump_io_span clump_io_text_line(const char **p, const char *end, char newline)
{
    const char *stop = memchr(*p, newline, (size_t)(end - *p));
    const clump_io_span line = {*p, stop ? stop : end};
    *p = stop ? stop + 1 : end;
    return line;
}

/* Writes one line per point: coordinates and fields, separated by one character. all_digits: float32 coordinates with
 * all digits of the double, not with the fewest that identify the float32. */
void clump_io_put_rows(const clump_io_output *output, clump_io_sink *sink, const char *separator, bool all_digits);

/* Coordinates of at least this size are read as float64, since float32 steps exceed a centimetre. */
#define CLUMP_IO_TEXT_LARGE 131072.0f

/* Refuses more columns, one per element, than can be read back. */
clump_status clump_io_check_columns(const clump_io_output *output, const char *called);

clump_status clump_io_text_write(const clump_io_output *output, clump_io_sink *sink);

#endif
