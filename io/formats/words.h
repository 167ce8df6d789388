/* SPDX-License-Identifier: BSD-3-Clause
 *
 * words.h: headers that are text: lines of words, separated by blanks. They are part of the bytes of a
 * file and not null-terminated.
 */
#ifndef CLUMP_IO_WORDS_H
#define CLUMP_IO_WORDS_H

#include "number.h"

typedef struct clump_io_word {
    const char *text;
    size_t size;
} clump_io_word;

/* Returns the next word of [*p, end); size 0: there is none. */
static inline clump_io_word clump_io_next_word(const char **p, const char *end)
{
    while (*p < end && clump_io_is_blank(**p)) ++*p;
    clump_io_word w = {*p, 0};
    while (*p < end && !clump_io_is_blank(**p)) ++*p;
    w.size = (size_t)(*p - w.text);
    return w;
}

static inline bool clump_io_word_is(clump_io_word w, const char *text)
{
    return w.size == strlen(text) && memcmp(w.text, text, w.size) == 0;
}

typedef struct clump_io_line {
    const char *begin, *end;
    size_t number;
} clump_io_line;

/* Returns the line at *p, which ends with `newline` or with the file, and moves *p behind it. */
static inline clump_io_line clump_io_next_line(const char **p, const char *end, char newline, size_t number)
{
    const char *stop = memchr(*p, newline, (size_t)(end - *p));
    const clump_io_line l = {*p, stop ? stop : end, number};
    *p = stop ? stop + 1 : end;
    return l;
}

#endif
