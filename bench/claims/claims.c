/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the judges of the claims have in common.
 */
#include "report/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const papers_row *papers_find(const papers_table *rows, const char *experiment, const char *series, double x,
                              const char *backend)
{
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (row->x == x && strcmp(row->experiment, experiment) == 0 && strcmp(row->series, series) == 0 &&
            (!backend || strcmp(row->backend, backend) == 0))
            return row;
    }
    return NULL;
}

double papers_median(const papers_table *rows, const char *experiment, const char *series, double x,
                     const char *backend)
{
    const papers_row *const row = papers_find(rows, experiment, series, x, backend);
    return row ? row->median_ms : 0;
}

papers_judgement papers_unknown(const char *format, ...)
{
    papers_judgement judgement = {.verdict = VERDICT_UNKNOWN};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(judgement.why, sizeof judgement.why, format, arguments);
    va_end(arguments);
    return judgement;
}

papers_judgement papers_judged(bool holds)
{
    return (papers_judgement){.verdict = holds ? VERDICT_HOLDS : VERDICT_FAILS};
}

papers_judgement papers_decide(bool holds, const char *ours, const char *format, ...)
{
    papers_judgement judgement = papers_judged(holds);
    snprintf(judgement.ours, sizeof judgement.ours, "%s", ours);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(judgement.why, sizeof judgement.why, format, arguments);
    va_end(arguments);
    return judgement;
}
