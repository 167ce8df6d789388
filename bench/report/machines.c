/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of all result files, by machine: see report.h.
 */
#include "report/report.h"
#include "report/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const machines_verdicts[3] = {"holds", "does not hold", "cannot be told"};

static bool is_of(const report_machine *here, const papers_row *row)
{
    return here->cores == row->cores && strcmp(here->cpu, row->machine) == 0 && strcmp(here->gpu, row->gpu) == 0;
}

/* Adds the word to the list "a; b" unless it has it or there is no room. */
static void list_word(char *list, size_t size, const char *word)
{
    const size_t used = strlen(list);
    if (!strstr(list, word)) snprintf(list + used, size - used, "%s%s", used ? "; " : "", word);
}

/* Appends a machine. Its table has room for all rows. */
static bool add_machine(report_input *input, const papers_row *row)
{
    report_machine *const grown = realloc(input->machines, (input->count + 1) * sizeof *grown);
    if (!grown) return false;
    input->machines = grown;
    report_machine *const here = &grown[input->count];
    *here = (report_machine){.gpu = row->gpu, .cpu = row->machine, .cores = row->cores};
    here->rows.rows = malloc(input->all.count * sizeof(papers_row));
    if (!here->rows.rows) return false;
    here->first_date = here->last_date = row->date;
    const char *const plural = row->cores == 1 ? "" : "s";
    if (*row->gpu) {
        snprintf(here->title, sizeof here->title, "%s", row->gpu);
        snprintf(here->name, sizeof here->name, "%.80s, host %.80s, %d core%s", row->gpu, row->machine, row->cores,
                 plural);
    } else {
        snprintf(here->title, sizeof here->title, "%.80s, %d core%s", row->machine, row->cores, plural);
        snprintf(here->name, sizeof here->name, "%s", here->title);
    }
    input->count++;
    return true;
}

static bool sort_out(report_input *input)
{
    for (size_t i = 0; i < input->all.count; i++) {
        const papers_row *const row = &input->all.rows[i];
        size_t at = 0;
        while (at < input->count && !is_of(&input->machines[at], row)) at++;
        if (at == input->count && !add_machine(input, row)) return false;
        report_machine *const here = &input->machines[at];
        here->rows.rows[here->rows.count++] = *row;
        list_word(here->compilers, sizeof here->compilers, row->compiler);
        list_word(here->versions, sizeof here->versions, row->clump);
        if (strcmp(row->date, here->first_date) < 0) here->first_date = row->date;
        if (strcmp(row->date, here->last_date) > 0) here->last_date = row->date;
    }
    return true;
}

bool machines_read(const char *const *files, size_t count, report_input *out, clump_message *why)
{
    for (size_t i = 0; i < count; i++) {
        const size_t before = out->all.count;
        if (!papers_read(files[i], &out->all, why)) return false;
        if (out->all.count == before)
            return snprintf(why->text, sizeof why->text, "%s has no rows: run clump_bench papers --csv first",
                            files[i]),
                   false;
    }
    if (out->all.count == 0) return snprintf(why->text, sizeof why->text, "no result file is given"), false;
    if (!sort_out(out)) return snprintf(why->text, sizeof why->text, "no memory for the rows"), false;
    return true;
}

void machines_free(report_input *input)
{
    for (size_t i = 0; i < input->count; i++) free(input->machines[i].rows.rows);
    free(input->machines);
    papers_table_free(&input->all);
    *input = (report_input){0};
}

papers_judgement machines_judge(const papers_claim *claim, const report_machine *here)
{
    if (claim->gpu && !*here->gpu) return papers_unknown("This machine has no GPU.");
    for (size_t i = 0; i < here->rows.count; i++)
        if (strcmp(here->rows.rows[i].experiment, claim->experiment) == 0) return claim->judge(&here->rows);
    return papers_unknown("%s was not run on this machine.", claim->experiment);
}
