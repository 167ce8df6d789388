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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *csv, *data, *python;
    const char **filters;
    size_t filter_count;
    long repeat, threads;
    bool no_rivals, list, machine, help;
} settings;

static void print_help(void)
{
    puts("clump_bench_dbscan [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
         "\n"
         "  -l, --list      list the cases\n"
         "  --repeat N      N rounds a case (default: what fits into 20 seconds, 3 to 25)\n"
         "  --threads N     threads of the second measurement of ours (default 2; the paper's cases: all cores)\n"
         "  --no-rivals     ours alone\n"
         "  --python FILE   a python3 that has scikit-learn (default: /usr/bin/python3)\n"
         "  --csv FILE      write the results; rows of other cases in FILE stay\n"
         "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
         "  --machine       print the name of this machine, as for results/dbscan/NAME.csv");
}

static bool positive(const char *text, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && *out > 0 && *out < 100000;
}

static bool parse(int argc, char **argv, settings *s)
{
    for (int i = 1; i < argc; i++) {
        const char *const name = argv[i], *const value = i + 1 < argc ? argv[i + 1] : NULL;
        const char **text = NULL;
        long *number = NULL;
        if (strcmp(name, "-l") == 0 || strcmp(name, "--list") == 0)
            s->list = true;
        else if (strcmp(name, "--no-rivals") == 0)
            s->no_rivals = true;
        else if (strcmp(name, "--machine") == 0)
            s->machine = true;
        else if (strcmp(name, "--help") == 0)
            s->help = true;
        else if (strcmp(name, "--csv") == 0)
            text = &s->csv;
        else if (strcmp(name, "--data") == 0)
            text = &s->data;
        else if (strcmp(name, "--python") == 0)
            text = &s->python;
        else if (strcmp(name, "--repeat") == 0)
            number = &s->repeat;
        else if (strcmp(name, "--threads") == 0)
            number = &s->threads;
        else if (name[0] != '-')
            s->filters[s->filter_count++] = name;
        else {
            fprintf(stderr, "clump_bench_dbscan: %s is not an option (see --help)\n", name);
            return false;
        }
        if (!text && !number) continue;
        if (!value || (number && !positive(value, number))) {
            fprintf(stderr, "clump_bench_dbscan: the value of %s is missing or wrong (see --help)\n", name);
            return false;
        }
        if (text) *text = value;
        i++;
    }
    return true;
}

static bool selected(const dbscan_case *item, const settings *s)
{
    for (size_t i = 0; i < s->filter_count; i++)
        if (strstr(item->cloud.name, s->filters[i])) return true;
    return s->filter_count == 0;
}

static void list_cases(const settings *s)
{
    char parameters[200];
    for (size_t i = 0; i < dbscan_case_count; i++) {
        if (!selected(&dbscan_cases[i], s)) continue;
        dbscan_case_parameters(&dbscan_cases[i], parameters, sizeof parameters);
        printf("%-16s %s eps=%g\n", dbscan_cases[i].cloud.name, parameters, (double)dbscan_cases[i].cloud.d);
    }
}

static int bench_all(const settings *s, const machine *m)
{
    sklearn rival = {0};
    char reason[256] = "";
    const bool there = !s->no_rivals && sklearn_start(&rival, s->python, CLUMP_BENCH_SKLEARN, reason, sizeof reason);
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
        if (!selected(item, s)) continue;
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
    const char *const data = getenv("CLUMP_DATA");
    settings s = {.data = data && *data ? data : CLUMP_BENCH_DATA, .python = CLUMP_BENCH_PYTHON, .threads = 2};
    s.filters = calloc((size_t)argc + 1, sizeof *s.filters);
    if (!s.filters) return 1;
    int status = 0;
    if (!parse(argc, argv, &s)) {
        status = 2;
    } else if (s.help) {
        print_help();
    } else if (s.list) {
        list_cases(&s);
    } else {
        const machine m = machine_describe();
        if (s.machine)
            puts(m.name);
        else
            status = bench_all(&s, &m);
    }
    free(s.filters);
    return status;
}
