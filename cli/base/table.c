/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table.c: see number.h.
 */
#include "base/number.h"
#include "common/assert.h"

#include "base/cli.h"

#include <string.h>

/* Returns the width of a group; `width` are the widths of its columns. */
static size_t width_of(const cli_table_group *group, const size_t *width)
{
    size_t sum = 2 * (group->columns - 1);
    for (size_t i = 0; i < group->columns; i++) sum += width[i];
    return sum;
}

/* Removes the sign of "-0.00". */
static void mend_zero(char *text)
{
    if (text[0] == '-' && text[1] != '\0' && text[1 + strspn(text + 1, "0.")] == '\0')
        memmove(text, text + 1, strlen(text));
}

/* Widens the first column of a group whose title is wider than its columns. */
static void widen_for_titles(const cli_table_group *groups, size_t *width)
{
    for (const cli_table_group *g = groups; g->columns; width += g->columns, g++) {
        const size_t room = width_of(g, width), need = strlen(g->title);
        if (need > room) width[0] += need - room;
    }
}

static void put_titles(FILE *to, const cli_table_group *groups, const size_t *width)
{
    for (const cli_table_group *g = groups; g->columns; width += g->columns, g++) {
        const int room = g[1].columns ? (int)width_of(g, width) : 0; /* no blanks at the end of the line */
        fprintf(to, "%s%-*s", g == groups ? "" : "  |  ", room, g->title);
    }
    fputc('\n', to);
}

static void put_row(FILE *to, const cli_table_group *groups, const cli_table_row *row, const size_t *width)
{
    size_t column = 0;
    for (const cli_table_group *g = groups; g->columns; g++) {
        if (g != groups) fputs("  |", to);
        for (size_t end = column + g->columns; column < end; column++)
            fprintf(to, "%s%*s", column ? "  " : "", (int)width[column], row->cell[column]);
    }
    fputc('\n', to);
}

void cli_table_print(FILE *to, const cli_table_group *groups, cli_table_row *rows, size_t count)
{
    size_t columns = 0, width[CLI_TABLE_COLUMNS] = {0};
    for (const cli_table_group *g = groups; g->columns; g++) columns += g->columns;
    CLUMP_ASSERT(columns <= CLI_TABLE_COLUMNS);
    for (size_t r = 0; r < count; r++) {
        for (size_t i = 0; i < columns; i++) {
            mend_zero(rows[r].cell[i]);
            const size_t length = strlen(rows[r].cell[i]);
            if (length > width[i]) width[i] = length;
        }
    }
    widen_for_titles(groups, width);
    fprintf(to, "\n%s", cli_colour(to, CLI_STYLE_BOLD));
    put_titles(to, groups, width);
    for (size_t r = 0; r < count; r++) {
        put_row(to, groups, &rows[r], width);
        if (r == 0) fputs(cli_colour(to, CLI_STYLE_PLAIN), to);
    }
}
