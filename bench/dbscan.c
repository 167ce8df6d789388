/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench_dbscan: clump_dbscan beside scikit-learn, on the same clouds in the same run.
 *
 *     clump_bench_dbscan                        all cases
 *     clump_bench_dbscan blob kitti             cases whose names contain one of these
 *     clump_bench_dbscan --repeat 3 --no-rivals ours alone, few runs
 *
 * Labels are compared before anything is timed. Exit status: 0 done (also where a figure is missed: the output says
 * so), 1 labels differ or something failed, 2 wrong usage.
 */
#include "dbscan_report.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    bench_settings common;
    const char *python;
} settings;

static const char help[] =
    "clump_bench_dbscan [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default: what fits into 20 seconds, 3 to 25)\n"
    "  --threads N     threads of the second measurement of ours (default 2; the paper's cases: all cores)\n"
    "  --no-rivals     ours alone\n"
    "  --python FILE   a python3 that has scikit-learn (default: /usr/bin/python3)\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/dbscan/NAME.csv";

static void list_cases(const bench_settings *s)
{
    char parameters[200];
    for (size_t i = 0; i < dbscan_case_count; i++) {
        if (!bench_selected(s, dbscan_cases[i].cloud.name)) continue;
        dbscan_case_parameters(&dbscan_cases[i], parameters, sizeof parameters);
        printf("%-16s %s eps=%g\n", dbscan_cases[i].cloud.name, parameters, (double)dbscan_cases[i].cloud.d);
    }
}

static int bench_all(const bench_settings *s, const machine *m)
{
    const char *const python = ((const settings *)s)->python;
    sklearn rival = {0};
    char reason[256] = "";
    const bool there = !s->no_rivals && sklearn_start(&rival, python, CLUMP_BENCH_SKLEARN, reason, sizeof reason);
    if (!there && !s->no_rivals) fprintf(stderr, "clump_bench_dbscan: without scikit-learn: %s\n", reason);
    const dbscan_measure_options options = {.threads = m->cores > 1 ? (int)s->threads : 1,
                                            .most_threads = m->cores,
                                            .rounds = (size_t)s->repeat,
                                            .seconds = 20,
                                            .rival = there ? &rival : NULL};
    dbscan_result *const results = calloc(dbscan_case_count, sizeof *results);
    if (!results) return 1;
    printf("%s, %d cores, %s, clump %s%s%s\nMedian ms; x = times as long as fast with one thread.\n\n", m->cpu,
           m->cores, m->compiler, clump_version(), there ? ", " : "", there ? rival.version : "");
    size_t count = 0;
    report_totals totals = {0, 0, 0};
    clump_message why = {""};
    for (size_t i = 0; i < dbscan_case_count; i++) {
        const dbscan_case *const item = &dbscan_cases[i];
        if (!bench_selected(s, item->cloud.name)) continue;
        bench_cloud cloud = {NULL, 0};
        if (dbscan_case_make(item, s->data, &cloud, &why) &&
            dbscan_measure(item, &cloud, &options, &results[count], &why))
            dbscan_report_case(&results[count++], &totals);
        else
            fprintf(stderr, "clump_bench_dbscan: %s: left out: %s\n", item->cloud.name, why.text);
        bench_cloud_free(&cloud);
    }
    printf("\n%d figures reached, %d missed, %d wrong\n", totals.reached, totals.missed, totals.wrong);
    bool written = true;
    if (s->csv && count && !(written = dbscan_report_csv(s->csv, m, results, count, &why)))
        fprintf(stderr, "clump_bench_dbscan: %s\n", why.text);
    free(results);
    sklearn_stop(&rival);
    return totals.wrong || !written ? 1 : 0;
}

int main(int argc, char **argv)
{
    settings s = {.common = {.threads = 2}, .python = CLUMP_BENCH_PYTHON};
    const bench_option options[] = {{"--threads", .number = &s.common.threads}, {"--python", .text = &s.python}};
    const bench_program program = {"clump_bench_dbscan", help, options, 2, list_cases, bench_all};
    return bench_main(&program, &s.common, argc, argv);
}
