/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of the Markdown pages: machines, claims, charts, and the marks. See report.h.
 */
#include "report/report.h"
#include "report/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_rule(page *to, size_t columns)
{
    page_add(to, "|---|");
    for (size_t i = 1; i < columns; i++) page_add(to, "---:|");
    page_add(to, "\n");
}

static void write_machines(page *to, const report_input *input)
{
    page_add(to, "| machine | CPU | cores | compiler | clump | measured | rows |\n|---|---|---:|---|---|---|---:|\n");
    for (size_t i = 0; i < input->count; i++) {
        const report_machine *const here = &input->machines[i];
        page_add(to, "| ");
        page_cell(to, here->title);
        page_add(to, " | ");
        page_cell(to, here->cpu);
        page_add(to, " | %d | ", here->cores);
        page_cell(to, here->compilers);
        page_add(to, " | ");
        page_cell(to, here->versions);
        page_add(to, " | ");
        page_cell(to, here->last_date);
        page_add(to, " | %zu |\n", here->rows.count);
    }
}

/* --- claims -------------------------------------------------------------------------------------- */

static void write_claim(page *to, const report_input *input, const papers_claim *claim)
{
    page_add(to, "| ");
    page_cell(to, claim->claim);
    page_add(to, " | ");
    page_cell(to, claim->place);
    page_add(to, " | ");
    page_cell(to, claim->theirs);
    for (size_t i = 0; i < input->count; i++) {
        const papers_judgement judgement = machines_judge(claim, &input->machines[i]);
        page_add(to, " | **%s**%s", machines_verdicts[judgement.verdict], *judgement.ours ? ": " : "");
        page_cell(to, judgement.ours);
        page_add(to, ". ");
        page_cell(to, judgement.why);
    }
    page_add(to, " |\n");
}

static void write_claims(page *to, const report_input *input)
{
    for (const papers_paper *const *paper = input->papers; *paper; paper++) {
        const papers_claim *claim = (*paper)->claims;
        if (!claim || !claim->judge) continue;
        page_add(to, "%s### ", to->length ? "\n" : "");
        page_cell(to, (*paper)->title);
        page_add(to, "\n\n| claim | place | paper |");
        for (size_t i = 0; i < input->count; i++)
            page_add(to, " ours: "), page_cell(to, input->machines[i].title), page_add(to, " |");
        page_add(to, "\n|---|---|---|");
        for (size_t i = 0; i < input->count; i++) page_add(to, "---|");
        page_add(to, "\n");
        for (; claim->judge; claim++) write_claim(to, input, claim);
    }
}

/* --- charts -------------------------------------------------------------------------------------- */

static void write_number(page *to, const chart_cell *cell)
{
    const bool left_out = cell->row && *cell->row->note && !isfinite(cell->y);
    const bool wrong = cell->row && strcmp(cell->row->agree, "no") == 0;
    page_add(to, " %s%s |", left_out ? "left out" : page_rounded(cell->y).text, wrong ? " **wrong**" : "");
}

static void write_table(page *to, const chart_data *data, const report_machine *here)
{
    page_add(to, "%s**", to->length ? "\n" : "");
    page_cell(to, data->chart->figure);
    page_add(to, "** ");
    page_cell(to, data->chart->title);
    page_add(to, "; ");
    page_cell(to, data->chart->y_label);
    page_add(to, ". ");
    page_cell(to, here->name);
    page_add(to, ".\n\n| ");
    page_cell(to, data->chart->x_label);
    page_add(to, " |");
    for (size_t i = 0; i < data->line_count; i++)
        page_add(to, " "), page_cell(to, data->lines[i].label), page_add(to, " |");
    page_add(to, "\n");
    write_rule(to, 1 + data->line_count);
    for (size_t x = 0; x < data->x_count; x++) {
        char name[80];
        lines_x_name(data->chart, data->x[x], name, sizeof name);
        page_add(to, "| ");
        page_cell(to, name);
        page_add(to, " |");
        for (size_t i = 0; i < data->line_count; i++) write_number(to, lines_cell(data, i, x));
        page_add(to, "\n");
    }
}

/* Writes the tables of the charts that stand for a figure. Stages and long tables are in the page alone. */
static void write_paper(page *to, const report_input *input, const papers_paper *paper)
{
    enum { LONG_TABLE = 24 };
    const chart_styles styles = {0};
    for (const papers_chart *chart = paper->charts; chart && chart->experiment; chart++) {
        if (!*chart->figure || chart->measure == MEASURE_STAGES || chart->measure == MEASURE_PICTURE) continue;
        for (size_t i = 0; i < input->count; i++) {
            chart_data data;
            to->failed |= !lines_collect(chart, paper->given, &input->machines[i].rows, &styles, &data);
            if (data.line_count && data.x_count <= LONG_TABLE) write_table(to, &data, &input->machines[i]);
            lines_free(&data);
        }
    }
}

/* --- marks --------------------------------------------------------------------------------------- */

/* Writes the tables of a mark. Returns false where the mark is not one of ours. */
static bool write_mark(page *to, const report_input *input, const char *mark, size_t length)
{
    static const struct {
        const char *name;
        void (*write)(page *, const report_input *);
    } marks[] = {{"papers-machines", write_machines}, {"papers-claims", write_claims}, {"gpu-six", markdown_six},
                 {"gpu-memory", markdown_memory},     {"gpu-cold", markdown_cold},     {"choosing", markdown_choosing}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strlen(marks[i].name) == length && strncmp(marks[i].name, mark, length) == 0)
            return marks[i].write(to, input), true;
    for (const papers_paper *const *paper = input->papers; *paper; paper++)
        if (length == 7 + strlen((*paper)->name) && strncmp(mark, "papers-", 7) == 0 &&
            strncmp(mark + 7, (*paper)->name, length - 7) == 0)
            return write_paper(to, input, *paper), true;
    return false;
}

/* Copies the text from a mark's first line on. Returns what follows the mark's last line, or null after a sentence. */
static const char *fill_mark(page *to, const report_input *input, const char *begin, const char *path, bool *ours,
                             clump_message *why)
{
    char last[100];
    const char *const name = begin + 5, *const after = strchr(begin, '\n');
    const size_t length = strcspn(name, ":");
    snprintf(last, sizeof last, "\n<!-- %.*s:end -->", (int)(length < 60 ? length : 60), name);
    const char *const end = after ? strstr(after, last) : NULL;
    page table = {0};
    const bool known = write_mark(&table, input, name, length);
    *ours |= known;
    if (known && !end) {
        page_free(&table);
        return snprintf(why->text, sizeof why->text, "%s: the line %s is missing", path, last + 1), NULL;
    }
    if (known && table.length) {
        page_put(to, begin, (size_t)(after + 1 - begin));
        page_add(to, "\n%s", table.text);
    } else
        page_put(to, begin, end ? (size_t)(end - begin) : length + 5);
    to->failed |= table.failed;
    page_free(&table);
    return end ? end : begin + 5 + length;
}

bool markdown_fill(page *to, const report_input *input, const char *text, const char *path, clump_message *why)
{
    bool ours = false;
    for (const char *at = text; at && *at;) {
        const char *const begin = strstr(at, "<!-- "), *const colon = begin ? strpbrk(begin + 5, ": \n") : NULL;
        if (!begin) {
            page_put(to, at, strlen(at));
            break;
        }
        page_put(to, at, (size_t)(begin - at));
        if (colon && strncmp(colon, ":begin -->\n", 11) == 0)
            at = fill_mark(to, input, begin, path, &ours, why);
        else
            page_put(to, begin, 5), at = begin + 5;
        if (!at) return false;
    }
    if (!ours) return snprintf(why->text, sizeof why->text, "%s has no mark of the papers' tables", path), false;
    return true;
}

bool papers_write_markdown(const papers_paper *const *all, const char *const *files, size_t count, const char *path,
                           clump_message *why)
{
    report_input input = {.papers = all};
    page text = {0};
    char *const old = papers_read_text(path);
    bool written = old != NULL;
    if (!old) snprintf(why->text, sizeof why->text, "%s cannot be read as text", path);
    written = written && machines_read(files, count, &input, why) && markdown_fill(&text, &input, old, path, why) &&
              page_save(&text, path, why);
    free(old);
    page_free(&text);
    machines_free(&input);
    return written;
}
