/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of results, and the CSV file that keeps them. No field has a comma in it.
 */
#ifndef CLUMP_BENCH_CSV_H
#define CLUMP_BENCH_CSV_H

#include "harness/machine.h"

#include <stdbool.h>
#include <stddef.h>

#include <clump/sim.h>

/* The rows of this run, as text. Zeroed is valid. */
typedef struct csv {
    char *text;
    size_t length, capacity;
    bool failed; /* no memory for a row */
} csv;

/* The columns that end every file. */
#define CSV_MACHINE "machine,cores,compiler,clump,date\n"

/* Appends to the row. */
void csv_add(csv *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the columns of CSV_MACHINE, and ends the row. */
void csv_end(csv *rows, const machine *m);

/* Returns whether csv_save() can write the file, and its columns are those of the header, for a check before hours of
 * measuring. Else false with a sentence in why. */
bool csv_can_save(const char *path, const char *header, clump_message *why);

/* Merges the rows into the file. The first `keys` columns name what was measured. The rows of this run replace the
 * file's rows with the same key, in place; new keys go to the end. Other rows stay. The file is written beside the old
 * one and then renamed. Returns false with a sentence in why. */
bool csv_save(const csv *rows, const char *path, const char *header, int keys, clump_message *why);

/* Returns whether the file has rows of the case, its first column, and all of them are of this commit, which ends the date. */
bool csv_has(const char *path, const char *name, const char *commit);

void csv_free(csv *rows);

#endif
