/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.c: see report.h. Other programs rely on the keys of the JSON object and on their order.
 */
#include "report.h"

#include "device.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_report_json(FILE *to, const cli_report *r)
{
    const clump_stats *s = &r->stats;
    char device[CLI_DEVICE_SIZE], hash[17];
    cli_device_text(device, s->backend, r->device);
    snprintf(hash, sizeof hash, "%016" PRIx64, r->labels_hash);
    cli_json j = cli_json_begin(to, r->command);
    cli_json_text(&j, "input", r->input);
    cli_json_open(&j, "parameters", '{');
    r->put_parameters(&j, r->settings);
    cli_json_close(&j, '}');
    cli_json_count(&j, "points", s->points);
    cli_json_count(&j, "finite", s->finite);
    cli_json_int(&j, "clusters", s->clusters);
    if (r->has_core) cli_json_count(&j, "core", r->core);
    cli_json_count(&j, "noise", s->noise);
    cli_json_count(&j, "largest", r->largest);
    cli_json_count(&j, "ground", s->ground);
    cli_json_float(&j, "ground_level", s->ground_level);
    cli_json_count(&j, "masked", s->masked);
    cli_json_text(&j, "method", s->method ? s->method : "");
    cli_json_text(&j, "device", device);
    cli_json_text(&j, "memory", r->memory);
    cli_json_text(&j, "reason", s->reason);
    cli_json_int(&j, "threads", s->threads);
    cli_json_int(&j, "passes", s->passes);
    cli_json_text(&j, "labels_hash", hash);
    static const char *const stages[CLI_STAGES] = {"upload", "build", "cluster", "label", "download"};
    cli_json_cost(&j, &r->times, stages, s);
    if (r->loads) {
        cli_json_open(&j, "load", '[');
        for (size_t i = 0; i < r->loads; i++) cli_json_float(&j, NULL, r->load[i]);
        cli_json_close(&j, ']');
    }
    cli_json_end(&j);
}

void cli_report_text(FILE *to, const cli_report *r)
{
    const clump_stats *s = &r->stats;
    if (r->ground_alone)
        fprintf(to, "%s: %.1f%% ground\n", r->input, s->points ? 100 * (double)s->ground / (double)s->points : 0.0);
    else
        fprintf(to, "%s: %" PRId32 " cluster%s at %s\n", r->input, s->clusters, s->clusters == 1 ? "" : "s",
                r->summary);
    fprintf(to, "points   %zu", s->points);
    if (s->finite != s->points) fprintf(to, ", %zu of them not finite", s->points - s->finite);
    if (s->masked) fprintf(to, ", %zu left out", s->masked);
    if (r->has_core) fprintf(to, "\ncore     %zu", r->core);
    if (r->ground) fprintf(to, "\nground   %zu", s->ground);
    if (r->ground && !isnan(s->ground_level))
        fprintf(to, ", %.2f %s the sensor", fabs((double)s->ground_level), s->ground_level < 0 ? "below" : "above");
    if (!r->ground_alone)
        fprintf(to, "\nnoise    %zu\nlargest  %zu point%s", s->noise, r->largest, r->largest == 1 ? "" : "s");
    fputc('\n', to);
    cli_put_run(to, &r->times, s, r->device, strcmp(r->memory, "pageable") != 0 ? r->memory : NULL);
}

/* --- table ------------------------------------------------------------------------------------------ */

enum { REPORT_COLUMNS = 11 };
static const char *const headings[REPORT_COLUMNS] = {"label", "points", "x",      "y",     "z",  "dx",
                                                     "dy",    "dz",     "length", "width", "yaw"};

/* Groups of columns: the first column and the title of each. */
static const struct {
    size_t first;
    const char *title;
} groups[] = {
    {0, ""}, {2, "centroid"}, {5, "box along the axes"}, {8, "tightest box from above"}, {REPORT_COLUMNS, ""}};

typedef struct row {
    char cell[REPORT_COLUMNS][CLI_NUMBER_SIZE];
} row;

static int by_size(const void *a, const void *b)
{
    const clump_cluster *x = *(const clump_cluster *const *)a, *y = *(const clump_cluster *const *)b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

/* Returns the decimals of the table: one digit finer than the distance, 0.01 for 0.5. */
static int decimals_for(float distance)
{
    const double digits = ceil(-log10((double)distance)) + 1;
    return digits < 0 ? 0 : digits > 9 ? 9 : (int)digits;
}

static void fill_row(row *r, const clump_cluster *c, int decimals, const double *origin)
{
    snprintf(r->cell[0], CLI_NUMBER_SIZE, "%" PRId32, c->label);
    snprintf(r->cell[1], CLI_NUMBER_SIZE, "%" PRId32, c->count);
    for (size_t i = 0; i < 3; i++) {
        snprintf(r->cell[2 + i], CLI_NUMBER_SIZE, "%.*f", decimals, origin[i] + (double)c->centroid[i]);
        snprintf(r->cell[5 + i], CLI_NUMBER_SIZE, "%.*f", decimals, (double)c->upper[i] - (double)c->lower[i]);
    }
    for (size_t i = 0; i < 2; i++) snprintf(r->cell[8 + i], CLI_NUMBER_SIZE, "%.*f", decimals, (double)c->box_size[i]);
    /* truncated, not rounded: yaw is below 180 */
    snprintf(r->cell[10], CLI_NUMBER_SIZE, "%.1f", floor((double)c->yaw * 10) / 10);
    for (size_t i = 0; i < REPORT_COLUMNS; i++) { /* "-0.00" becomes "0.00" */
        char *text = r->cell[i];
        if (text[0] == '-' && text[1 + strspn(text + 1, "0.")] == '\0') memmove(text, text + 1, strlen(text));
    }
}

static void put_row(FILE *to, const row *r, const size_t *width)
{
    for (size_t i = 0, g = 1; i < REPORT_COLUMNS; i++) {
        if (i == groups[g].first) fputs("  |", to), g++;
        fprintf(to, "%s%*s", i ? "  " : "", (int)width[i], r->cell[i]);
    }
    fputc('\n', to);
}

/* Returns the width of a group of columns. */
static size_t width_of(size_t g, const size_t *width)
{
    size_t sum = 2 * (groups[g + 1].first - groups[g].first - 1);
    for (size_t i = groups[g].first; i < groups[g + 1].first; i++) sum += width[i];
    return sum;
}

static void put_titles(FILE *to, const size_t *width)
{
    for (size_t g = 0; g + 1 < sizeof groups / sizeof groups[0]; g++) {
        const bool last = groups[g + 1].first == REPORT_COLUMNS;
        if (g > 0) fputs("  |  ", to);
        fprintf(to, "%-*s", last ? 0 : (int)width_of(g, width), groups[g].title);
    }
    fputc('\n', to);
}

/* Widens the first column of a group whose title is wider than its columns. */
static void widen_for_titles(size_t *width)
{
    for (size_t g = 0; g + 1 < sizeof groups / sizeof groups[0]; g++) {
        const size_t room = width_of(g, width), need = strlen(groups[g].title);
        if (need > room) width[groups[g].first] += need - room;
    }
}

bool cli_report_table(FILE *to, const clump_cluster *clusters, int32_t count, size_t top, float distance,
                      const double *origin)
{
    if (count == 0 || top == 0) return true;
    const size_t rows = top < (size_t)count ? top : (size_t)count;
    const clump_cluster **sorted = malloc((size_t)count * sizeof *sorted);
    row *table = malloc((rows + 1) * sizeof *table);
    if (!sorted || !table) return free(sorted), free(table), false;
    for (int32_t i = 0; i < count; i++) sorted[i] = &clusters[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);

    size_t width[REPORT_COLUMNS] = {0};
    const int decimals = decimals_for(distance);
    for (size_t i = 0; i < REPORT_COLUMNS; i++) strcpy(table[0].cell[i], headings[i]);
    for (size_t r = 0; r < rows; r++) fill_row(&table[r + 1], sorted[r], decimals, origin);
    for (size_t r = 0; r <= rows; r++) {
        for (size_t i = 0; i < REPORT_COLUMNS; i++) {
            const size_t length = strlen(table[r].cell[i]);
            if (length > width[i]) width[i] = length;
        }
    }
    widen_for_titles(width);
    fputc('\n', to);
    put_titles(to, width);
    for (size_t r = 0; r <= rows; r++) put_row(to, &table[r], width);
    if ((size_t)count > rows) fprintf(to, "... and %zu more, see --top and --clusters\n", (size_t)count - rows);
    free(sorted);
    free(table);
    return true;
}
