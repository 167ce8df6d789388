/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table.h: prints a table of text: columns with headings, in groups with titles. Cells are aligned to the right.
 */
#ifndef CLUMP_CLI_TABLE_H
#define CLUMP_CLI_TABLE_H

#include "base/number.h"

#include <stddef.h>
#include <stdio.h>

enum { CLI_TABLE_COLUMNS = 14 }; /* at most */

typedef struct cli_table_row {
    char cell[CLI_TABLE_COLUMNS][CLI_NUMBER_SIZE];
} cli_table_row;

/* A group of columns begins with a bar. The first group has no bar. */
typedef struct cli_table_group {
    size_t columns;
    const char *title;
} cli_table_group;

/* Prints an empty line, the titles and the rows. Row 0 has the headings. The groups end with one of 0 columns. A cell
 * "-0.00" becomes "0.00". */
void cli_table_print(FILE *to, const cli_table_group *groups, cli_table_row *rows, size_t count);

#endif
