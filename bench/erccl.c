/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench_erccl: clump_erccl with all its methods, time and passes against the reach, as in Figs. 7 and 12 of Tian et
 * al. 2020, and beside PCL's Euclidean clustering of the same scan without its ground.
 *
 *     clump_bench_erccl                       all cases, of a scan and a reach each
 *     clump_bench_erccl kitti-00-r5           cases whose names contain one of these
 *     clump_bench_erccl --repeat 3 --no-rivals
 *
 * Labels are compared before anything is timed. Exit status: 0 done (also where a figure is missed: the output says
 * so), 1 labels differ or something failed, 2 wrong usage.
 */
#include "erccl_report.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>

enum { pcl_builds = 2 };

static const char help[] =
    "clump_bench_erccl [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default 9)\n"
    "  --threads N     threads of the second measurement of fast (default 2)\n"
    "  --no-rivals     ours alone\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/erccl/NAME.csv";

static bool selected(const erccl_case *item, const bench_settings *s)
{
    char name[64];
    erccl_case_name(item, name, sizeof name);
    return bench_selected(s, name);
}

static void list_cases(const bench_settings *s)
{
    for (size_t i = 0; i < erccl_case_count; i++) {
        char name[64];
        erccl_case_name(&erccl_cases[i], name, sizeof name);
        if (bench_selected(s, name)) puts(name);
    }
}

static size_t load_rivals(const bench_settings *s, loaded_rival *rivals)
{
    static const char *const names[pcl_builds] = {"pcl-best", "pcl-debian"};
    size_t count = 0;
    for (size_t i = 0; i < pcl_builds && !s->no_rivals; i++) {
        char path[1100], why[256];
        snprintf(path, sizeof path, "%s/%s.so", CLUMP_BENCH_RIVALS, names[i]);
        if (rival_load(path, &rivals[count], why, sizeof why))
            count++;
        else
            fprintf(stderr, "clump_bench_erccl: without %s: %s\n", names[i], why);
    }
    return count;
}

/* The scan with its ground and without. */
static bool load_scan(const bench_settings *s, const erccl_case *item, bench_cloud *scan, bench_cloud *bare,
                      clump_message *why)
{
    char points[1100], labels[1100];
    snprintf(points, sizeof points, "%s/%s.bin", s->data, item->scan);
    snprintf(labels, sizeof labels, "%s/%s.label", s->data, item->scan);
    return bench_cloud_scan(points, NULL, scan, why) && bench_cloud_scan(points, labels, bare, why);
}

static int bench_all(const bench_settings *s, const machine *m)
{
    loaded_rival rivals[pcl_builds];
    const size_t rival_count = load_rivals(s, rivals);
    const erccl_measure_options options = {.rounds = (size_t)s->repeat,
                                           .threads = m->cores > 1 ? (int)s->threads : 1,
                                           .rivals = rivals,
                                           .rival_count = rival_count};
    erccl_result *const results = calloc(erccl_case_count, sizeof *results);
    if (!results) return 1;
    printf("%s, %d cores, %s, clump %s\nMedian ms; x = times as long as fast with one thread.\n\n", m->cpu, m->cores,
           m->compiler, clump_version());
    size_t count = 0;
    report_totals totals = {0, 0, 0};
    clump_message why = {""};
    for (size_t i = 0; i < erccl_case_count; i++) {
        const erccl_case *const item = &erccl_cases[i];
        if (!selected(item, s)) continue;
        bench_cloud scan = {NULL, 0}, bare = {NULL, 0};
        if (load_scan(s, item, &scan, &bare, &why) &&
            erccl_measure(item, &scan, &bare, &options, &results[count], &why))
            erccl_report_case(&results[count++], &totals);
        else
            fprintf(stderr, "clump_bench_erccl: %s: left out: %s\n", item->name, why.text);
        bench_cloud_free(&scan), bench_cloud_free(&bare);
    }
    erccl_report_growth(results, count, &totals);
    printf("\n%d figures reached, %d missed, %d wrong\n", totals.reached, totals.missed, totals.wrong);
    bool written = true;
    if (s->csv && count && !(written = erccl_report_csv(s->csv, m, results, count, &why)))
        fprintf(stderr, "clump_bench_erccl: %s\n", why.text);
    free(results);
    for (size_t i = 0; i < rival_count; i++) rival_unload(&rivals[i]);
    return totals.wrong || !written ? 1 : 0;
}

int main(int argc, char **argv)
{
    bench_settings s = {.threads = 2, .repeat = 9};
    const bench_option options[] = {{"--threads", .number = &s.threads}};
    const bench_program program = {"clump_bench_erccl", help, options, 1, list_cases, bench_all};
    return bench_main(&program, &s, argc, argv);
}
