/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench: clump beside other implementations, on the same clouds in the same run.
 *
 *     clump_bench                        all cases
 *     clump_bench blob kitti             cases whose names contain one of these
 *     clump_bench --quick --no-rivals    ours alone, few runs, no long case
 *
 * Labels are compared before anything is timed. Exit status: 0 done (also where a figure is
 * missed: the table says so), 1 labels differ or something failed, 2 wrong usage.
 */
#include "program.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const rival_names[] = {"pcl-best", "pcl-debian"};

typedef struct settings {
    bench_settings common;
    const char *rivals;
    bool quick, no_bfs, stages;
} settings;

static const char help[] =
    "clump_bench [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default: what fits into 20 seconds, 3 to 25)\n"
    "  --quick         3 rounds, long cases left out\n"
    "  --threads N     threads of the second measurement of ours (default 2)\n"
    "  --no-rivals     ours alone\n"
    "  --no-bfs        without our own method bfs\n"
    "  --stages        show where fast spends its time\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --rivals DIR    folder with the rivals' modules\n"
    "  --machine       print the name of this machine, as for results/NAME.csv";

static bool selected(const bench_case *item, const settings *s)
{
    return !(s->quick && item->slow) && bench_selected(&s->common, item->name);
}

static void list_cases(const bench_settings *common)
{
    const settings *const s = (const settings *)common;
    char parameters[160];
    for (size_t i = 0; i < bench_case_count; i++) {
        if (!selected(&bench_cases[i], s)) continue;
        bench_case_parameters(&bench_cases[i], parameters, sizeof parameters);
        printf("%-16s %s d=%g\n", bench_cases[i].name, parameters, (double)bench_cases[i].d);
    }
}

static size_t load_rivals(const settings *s, loaded_rival *out)
{
    size_t count = 0;
    for (size_t i = 0; !s->common.no_rivals && i < sizeof rival_names / sizeof rival_names[0]; i++) {
        char path[1024], why[512];
        snprintf(path, sizeof path, "%s/%s.so", s->rivals, rival_names[i]);
        if (rival_load(path, &out[count], why, sizeof why))
            count++;
        else
            fprintf(stderr, "clump_bench: without %s: %s\n", rival_names[i], why);
    }
    return count;
}

/* False: the case could not be measured. */
static bool bench_one(const bench_case *item, const settings *s, const measure_options *options, case_result *out)
{
    clump_message why = {""};
    bench_cloud cloud = {NULL, 0}, base_cloud = {NULL, 0};
    const bench_case *base = item->base ? bench_case_find(item->base) : NULL;
    const bool done = bench_case_make(item, s->common.data, &cloud, &why) &&
                      (!base || bench_case_make(base, s->common.data, &base_cloud, &why)) &&
                      measure_case(item, &cloud, base ? &base_cloud : NULL, base ? base->d : 0, options, out, &why);
    if (!done) fprintf(stderr, "clump_bench: %s: left out: %s\n", item->name, why.text);
    bench_cloud_free(&cloud), bench_cloud_free(&base_cloud);
    return done;
}

static int bench_all(const bench_settings *common, const machine *m)
{
    const settings *const s = (const settings *)common;
    loaded_rival rivals[max_rivals];
    const size_t rival_count = load_rivals(s, rivals);
    const measure_options options = {.threads = m->cores > 1 ? (int)s->common.threads : 1,
                                     .rounds = s->common.repeat ? (size_t)s->common.repeat
                                               : s->quick       ? 3
                                                                : 0,
                                     .seconds = 20,
                                     .bfs = !s->no_bfs,
                                     .rivals = rivals,
                                     .rival_count = rival_count};
    case_result *results = calloc(bench_case_count, sizeof *results);
    if (!results) return 1;
    size_t count = 0;
    report_totals totals = {0, 0, 0};
    report_header(m, &options);
    for (size_t i = 0; i < bench_case_count; i++) {
        if (!selected(&bench_cases[i], s)) continue;
        if (!bench_one(&bench_cases[i], s, &options, &results[count])) continue;
        report_case(&results[count++], s->stages, &totals);
    }
    printf("\n%d figures reached, %d missed, %d wrong\n", totals.reached, totals.missed, totals.wrong);
    clump_message why;
    bool written = true;
    if (s->common.csv && count && !(written = report_csv(s->common.csv, m, results, count, &why)))
        fprintf(stderr, "clump_bench: %s\n", why.text);
    free(results);
    for (size_t i = 0; i < rival_count; i++) rival_unload(&rivals[i]);
    return totals.wrong || !written ? 1 : 0;
}

int main(int argc, char **argv)
{
    settings s = {.common = {.threads = 2}, .rivals = CLUMP_BENCH_RIVALS};
    const bench_option options[] = {{"--threads", .number = &s.common.threads},
                                    {"--rivals", .text = &s.rivals},
                                    {"--quick", .flag = &s.quick},
                                    {"--no-bfs", .flag = &s.no_bfs},
                                    {"--stages", .flag = &s.stages}};
    const bench_program program = {"clump_bench", help, options, 5, list_cases, bench_all};
    return bench_main(&program, &s.common, argc, argv);
}
