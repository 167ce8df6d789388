/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h: options of tests by the rows of the library (clump/options.h). A new switch takes part in random tests, and in
 * what they say when they fail, without an edit.
 */
#ifndef CLUMP_TESTS_OPTIONS_H
#define CLUMP_TESTS_OPTIONS_H

#include "support/random.h"

#include <clump/options.h>

#include <stdio.h>
#include <string.h>

enum { OPTIONS_TEXT = 256 };

/* Sets every switch of a table at random, except `except` (null: none), which the test sets itself. */
static inline void options_draw(const char *table, const char *except, void *options, uint64_t *random)
{
    const clump_option_table *const t = clump_option_table_named(table);
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i].kind == CLUMP_OPTION_BOOL && !(except && strcmp(t->rows[i].name, except) == 0))
            *(bool *)((char *)options + t->rows[i].offset) = check_random(random) % 2 == 0;
}

/* Writes the switches that are on: " step". */
static inline const char *options_text(const char *table, const void *options, char text[OPTIONS_TEXT])
{
    const clump_option_table *const t = clump_option_table_named(table);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < t->count && used < OPTIONS_TEXT; i++)
        if (t->rows[i].kind == CLUMP_OPTION_BOOL && *(const bool *)((const char *)options + t->rows[i].offset))
            used += (size_t)snprintf(text + used, OPTIONS_TEXT - used, " %s", t->rows[i].name);
    return text;
}

#endif
