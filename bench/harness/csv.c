/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of results, and the CSV file that keeps them.
 */
#include "harness/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <clump/clump.h>

void csv_add(csv *rows, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t needed = rows->length + (size_t)length + 1;
    if (needed > rows->capacity) {
        char *const grown = realloc(rows->text, 2 * needed);
        if (grown) rows->text = grown, rows->capacity = 2 * needed;
    }
    if (length < 0 || (size_t)length >= sizeof text || needed > rows->capacity) {
        rows->failed = true;
        return;
    }
    memcpy(rows->text + rows->length, text, (size_t)length + 1);
    rows->length += (size_t)length;
}

void csv_end(csv *rows, const machine *m)
{
    csv_add(rows, "%s,%d,%s,%s,%s\n", m->cpu, m->cores, m->compiler, clump_version(), m->date);
}

void csv_free(csv *rows)
{
    free(rows->text);
    *rows = (csv){0};
}

/* Returns the length of the first `keys` fields of a line, commas included. */
static size_t key_length(const char *line, int keys)
{
    const char *at = line;
    for (; *at && *at != '\n' && keys > 0; at++) keys -= *at == ',';
    return (size_t)(at - line);
}

/* Writes the rows that have the key of this line, each once; all rows where line is null. done: which rows are written.
 * Returns whether the run has such a row. */
static bool write_rows(const csv *rows, bool *done, const char *line, int keys, FILE *to)
{
    const size_t length = line ? key_length(line, keys) : 0;
    bool found = false;
    size_t number = 0;
    for (const char *row = rows->text, *end; *row; row = end, number++) {
        end = strchr(row, '\n') + 1;
        if (line && strncmp(row, line, length) != 0) continue;
        if (!done[number]) fwrite(row, 1, (size_t)(end - row), to);
        found = done[number] = true;
    }
    return found;
}

bool csv_has(const char *path, const char *name, const char *commit)
{
    char line[2048];
    const size_t length = strlen(name);
    bool found = false, current = true;
    FILE *const from = fopen(path, "r");
    while (from && fgets(line, sizeof line, from)) {
        if (strncmp(line, name, length) != 0 || line[length] != ',') continue;
        line[strcspn(line, "\n")] = '\0';
        const char *const date = strrchr(line, ','), *const of = strchr(date, ' ');
        found = true;
        current &= of && strcmp(of + 1, commit) == 0;
    }
    if (from) fclose(from);
    return found && current;
}

/* Writes the name of the file that is written first and then renamed. */
static void name_beside(const char *path, char *out, size_t size)
{
    snprintf(out, size, "%s.new", path);
}

/* Returns whether the file begins with the header, is empty, or is not there. */
static bool has_columns(const char *path, const char *header)
{
    char first[1024] = "";
    FILE *const from = fopen(path, "r");
    const bool same = !from || !fgets(first, sizeof first, from) || strcmp(first, header) == 0;
    if (from) fclose(from);
    return same;
}

bool csv_can_save(const char *path, const char *header, clump_message *why)
{
    char beside[1100];
    struct stat there;
    name_beside(path, beside, sizeof beside);
    FILE *const to = stat(path, &there) == 0 && !S_ISREG(there.st_mode) ? NULL : fopen(beside, "w");
    if (!to) return snprintf(why->text, sizeof why->text, "%s cannot be written", path), false;
    fclose(to);
    remove(beside);
    if (has_columns(path, header)) return true;
    return snprintf(why->text, sizeof why->text,
                    "%s: its columns are not those of this version: measure again, with a new file", path),
           false;
}

bool csv_save(const csv *rows, const char *path, const char *header, int keys, clump_message *why)
{
    char beside[1100], line[2048];
    name_beside(path, beside, sizeof beside);
    bool *const done = rows->failed || !rows->text ? NULL : calloc(rows->length, sizeof *done);
    FILE *const to = done ? fopen(beside, "w") : NULL;
    FILE *const old = fopen(path, "r");
    bool written = to != NULL;
    if (to) {
        fputs(header, to);
        for (bool first = true; old && fgets(line, sizeof line, old); first = false)
            if (!first && !write_rows(rows, done, line, keys, to)) fputs(line, to);
        write_rows(rows, done, NULL, keys, to);
        written = !ferror(to);
        written = fclose(to) == 0 && written && rename(beside, path) == 0;
        if (!written) remove(beside);
    }
    if (old) fclose(old);
    free(done);
    if (!written) snprintf(why->text, sizeof why->text, "%s cannot be written", path);
    return written;
}
