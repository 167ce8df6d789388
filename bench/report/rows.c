/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of the papers' experiments: written to a file, read from it. The settings of the run that makes them.
 */
#include "papers/papers.h"

#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

papers_settings papers = {.rivals = CLUMP_BENCH_RIVALS, .folder = "build/papers"};

/* --- writing ------------------------------------------------------------------------------------- */

papers_row papers_row_of(const contest *c, const contestant *who)
{
    const clump_stats *const s = &who->stats;
    return (papers_row){
        .name = c->name,
        .series = who->name,
        .backend = who->threads == CONTEST_GPU ? "cuda" : "cpu",
        .threads = who->threads == CONTEST_GPU ? 1 : who->threads,
        .points = who->cloud->count,
        .runs = who->time[0].runs,
        .median_ms = who->time[0].median_ms,
        .min_ms = who->time[0].min_ms,
        .upload_ms = s->upload_ms,
        .build_ms = s->build_ms,
        .initial_ms = s->initial_ms,
        .cluster_ms = s->cluster_ms,
        .merge_ms = s->merge_ms,
        .label_ms = s->label_ms,
        .download_ms = s->download_ms,
        .passes = (long long)s->passes,
        .clusters = s->clusters,
        .value = (double)NAN,
        .hash = who->hash,
        .agree = who->incomparable || who->beside || who->left_out[0] ? ""
                 : who->differ                                        ? "no"
                                                                      : "yes",
        .version = who->version,
        .note = who->left_out[0] ? who->note : "",
    };
}

void papers_put(csv *rows, const papers_row *row)
{
    char note[200];
    snprintf(note, sizeof note, "%s", row->note ? row->note : "");
    for (char *c = note; *c; c++) *c = *c == ',' ? ';' : *c == '\n' ? ' ' : *c;
    csv_add(rows, "%s,%s,%s,%.10g,%s,%d,%zu,%zu,%.5g,%.5g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,", row->name,
            row->experiment, row->series, row->x, row->backend, row->threads, row->points, row->runs, row->median_ms,
            row->min_ms, row->upload_ms, row->build_ms, row->initial_ms, row->cluster_ms, row->merge_ms, row->label_ms,
            row->download_ms);
    csv_add(rows, "%lld,%ld,%.8g,%016llx,%s,%s,%s,%s,", row->passes, row->clusters, row->value,
            (unsigned long long)row->hash, row->agree, row->version, note, papers.gpu);
}

void papers_add(csv *rows, const papers_row *row)
{
    const machine m = machine_describe();
    papers_put(rows, row);
    csv_end(rows, &m);
}

/* --- reading ------------------------------------------------------------------------------------- */

enum { PAPERS_COLUMNS = 30 };

/* Cuts the line at its commas. Returns the number of fields; at most `most` are kept. */
static size_t split(char *line, char *fields[], size_t most)
{
    size_t count = 0;
    for (char *at = line; at; count++) {
        char *const comma = strchr(at, ',');
        if (count < most) fields[count] = at;
        if (comma) *comma = '\0';
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

/* Returns the name of a column. */
static const char *column_name(int column, char *out, size_t size)
{
    const char *at = PAPERS_HEADER;
    for (int i = 0; i < column; i++) at = strchr(at, ',') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(at, ",\n"), at);
    return out;
}

/* Returns whether a row may have the number: charts need logarithms and quotients of all of them. */
static bool is_measurable(double number)
{
    const double size = fabs(number);
    return size == 0 || (size >= 1e-100 && size <= 1e100);
}

/* Reads the columns of numbers. Counts must fit into an int or, as doubles, be exact. Of the others `value` alone may be
 * NaN. Returns the first column that is not right, or -1. */
static int read_numbers(char *const f[PAPERS_COLUMNS], double n[PAPERS_COLUMNS])
{
    enum { VALUE = 19 };
    for (int i = 3; i <= 26; i++) {
        if (i == 4 || (i >= 20 && i <= 25)) continue;
        char *end;
        n[i] = strtod(f[i], &end);
        const bool is_int = i == 5 || i == 18 || i == 26, is_count = is_int || i == 6 || i == 7 || i == 17;
        if (end == f[i] || *end || (is_count && !(n[i] >= 0 && n[i] <= (is_int ? 2147483647.0 : 9007199254740992.0))))
            return i;
        if (!is_measurable(n[i]) && !(i == VALUE && isnan(n[i]))) return i;
    }
    return -1;
}

static papers_row row_of(char *const f[PAPERS_COLUMNS], const double n[PAPERS_COLUMNS])
{
    return (papers_row){
        .name = f[0],
        .experiment = f[1],
        .series = f[2],
        .x = n[3],
        .backend = f[4],
        .threads = (int)n[5],
        .points = (size_t)n[6],
        .runs = (size_t)n[7],
        .median_ms = n[8],
        .min_ms = n[9],
        .upload_ms = n[10],
        .build_ms = n[11],
        .initial_ms = n[12],
        .cluster_ms = n[13],
        .merge_ms = n[14],
        .label_ms = n[15],
        .download_ms = n[16],
        .passes = (long long)n[17],
        .clusters = (long)n[18],
        .value = n[19],
        .hash = strtoull(f[20], NULL, 16),
        .agree = f[21],
        .version = f[22],
        .note = f[23],
        .gpu = f[24],
        .machine = f[25],
        .cores = (int)n[26],
        .compiler = f[27],
        .clump = f[28],
        .date = f[29],
    };
}

char *papers_read_text(const char *path)
{
    FILE *const from = fopen(path, "rb");
    if (!from) return NULL;
    size_t length = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    for (size_t got = 1; text && got > 0;) {
        got = fread(text + length, 1, capacity - length - 1, from);
        length += got;
        if (capacity - length > 1) continue;
        char *const grown = realloc(text, capacity *= 2);
        if (!grown) free(text);
        text = grown;
    }
    if (text) text[length] = '\0';
    const bool is_text = text && !ferror(from) && !memchr(text, '\0', length);
    fclose(from);
    if (!is_text) free(text);
    return is_text ? text : NULL;
}

static bool read_lines(const char *path, char *text, papers_table *out, clump_message *why)
{
    const size_t header = strlen(PAPERS_HEADER);
    if (strncmp(text, PAPERS_HEADER, header) != 0)
        return snprintf(why->text, sizeof why->text,
                        "%s: its columns are not those of this version: measure again, with a new file", path),
               false;
    size_t lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    if (out->count + lines > PAPERS_MOST_ROWS)
        return snprintf(why->text, sizeof why->text, "%s: more than %d rows in all", path, PAPERS_MOST_ROWS), false;
    papers_row *const rows = realloc(out->rows, (out->count + lines) * sizeof *rows);
    if (!rows) return snprintf(why->text, sizeof why->text, "%s: no memory for its rows", path), false;
    out->rows = rows;
    size_t number = 1;
    double numbers[PAPERS_COLUMNS];
    char name[40];
    for (char *line = text + header; *line;) {
        char *const end = strchr(line, '\n'), *fields[PAPERS_COLUMNS];
        if (end) *end = '\0';
        number++;
        if (end && end - line > PAPERS_MOST_LINE)
            return snprintf(why->text, sizeof why->text, "%s: line %zu is longer than %d characters", path, number,
                            PAPERS_MOST_LINE),
                   false;
        if (!end || split(line, fields, PAPERS_COLUMNS) != PAPERS_COLUMNS)
            return snprintf(why->text, sizeof why->text, "%s: line %zu does not have %d fields", path, number,
                            (int)PAPERS_COLUMNS),
                   false;
        const int wrong = read_numbers(fields, numbers);
        if (wrong >= 0)
            return snprintf(why->text, sizeof why->text, "%s: line %zu: %s is not a number of a row: %.40s", path,
                            number, column_name(wrong, name, sizeof name), fields[wrong]),
                   false;
        rows[out->count++] = row_of(fields, numbers);
        line = end + 1;
    }
    return true;
}

bool papers_read(const char *path, papers_table *out, clump_message *why)
{
    char *const text = papers_read_text(path);
    if (!text) return snprintf(why->text, sizeof why->text, "%s cannot be read as text", path), false;
    papers_text *const kept = malloc(sizeof *kept);
    if (!kept) {
        free(text);
        return snprintf(why->text, sizeof why->text, "%s: no memory for its text", path), false;
    }
    *kept = (papers_text){.text = text, .next = out->texts};
    out->texts = kept;
    return read_lines(path, text, out, why);
}

void papers_table_free(papers_table *table)
{
    while (table->texts) {
        papers_text *const next = table->texts->next;
        free(table->texts->text);
        free(table->texts);
        table->texts = next;
    }
    free(table->rows);
    *table = (papers_table){0};
}
