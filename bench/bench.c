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
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const rival_names[] = {"pcl-best", "pcl-debian"};

typedef struct settings {
    const char *csv, *data, *rivals;
    const char **filters;
    size_t filter_count;
    long repeat, threads;
    bool quick, no_rivals, no_bfs, stages, list, machine, help;
} settings;

static void print_help(void)
{
    puts("clump_bench [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
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
         "  --machine       print the name of this machine, as for results/NAME.csv");
}

/* The value of an option, as "--name value" or "--name=value"; moves *at over it. */
static const char *option_value(char **argv, int argc, int *at, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(argv[*at], name, length) != 0) return NULL;
    if (argv[*at][length] == '=') return argv[*at] + length + 1;
    if (argv[*at][length] != '\0' || *at + 1 >= argc) return NULL;
    return argv[++*at];
}

static bool positive(const char *text, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && *out > 0 && *out < 100000;
}

static bool parse(int argc, char **argv, settings *s)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"-l", &s->list},           {"--list", &s->list},     {"--quick", &s->quick},
                 {"--no-bfs", &s->no_bfs},   {"--stages", &s->stages}, {"--no-rivals", &s->no_rivals},
                 {"--machine", &s->machine}, {"--help", &s->help}};
    for (int i = 1; i < argc; i++) {
        const char *value;
        bool known = false;
        for (size_t f = 0; f < sizeof flags / sizeof flags[0] && !known; f++)
            if (strcmp(argv[i], flags[f].name) == 0) *flags[f].flag = known = true;
        if (known) continue;
        if ((value = option_value(argv, argc, &i, "--csv")))
            s->csv = value;
        else if ((value = option_value(argv, argc, &i, "--data")))
            s->data = value;
        else if ((value = option_value(argv, argc, &i, "--rivals")))
            s->rivals = value;
        else if ((value = option_value(argv, argc, &i, "--repeat")) && positive(value, &s->repeat))
            continue;
        else if ((value = option_value(argv, argc, &i, "--threads")) && positive(value, &s->threads))
            continue;
        else if (argv[i][0] != '-')
            s->filters[s->filter_count++] = argv[i];
        else {
            fprintf(stderr, "clump_bench: %s is not an option, or its value is missing or wrong (see --help)\n",
                    argv[i]);
            return false;
        }
    }
    return true;
}

static bool selected(const bench_case *item, const settings *s)
{
    if (s->quick && item->slow) return false;
    for (size_t i = 0; i < s->filter_count; i++)
        if (strstr(item->name, s->filters[i])) return true;
    return s->filter_count == 0;
}

static void list_cases(const settings *s)
{
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
    for (size_t i = 0; !s->no_rivals && i < sizeof rival_names / sizeof rival_names[0]; i++) {
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
    const bool done = bench_case_make(item, s->data, &cloud, &why) &&
                      (!base || bench_case_make(base, s->data, &base_cloud, &why)) &&
                      measure_case(item, &cloud, base ? &base_cloud : NULL, base ? base->d : 0, options, out, &why);
    if (!done) fprintf(stderr, "clump_bench: %s: left out: %s\n", item->name, why.text);
    bench_cloud_free(&cloud), bench_cloud_free(&base_cloud);
    return done;
}

static int bench_all(const settings *s, const machine *m)
{
    loaded_rival rivals[max_rivals];
    const size_t rival_count = load_rivals(s, rivals);
    const measure_options options = {.threads = m->cores > 1 ? (int)s->threads : 1,
                                     .rounds = s->repeat  ? (size_t)s->repeat
                                               : s->quick ? 3
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
    if (s->csv && count && !(written = report_csv(s->csv, m, results, count, &why)))
        fprintf(stderr, "clump_bench: %s\n", why.text);
    free(results);
    for (size_t i = 0; i < rival_count; i++) rival_unload(&rivals[i]);
    return totals.wrong || !written ? 1 : 0;
}

int main(int argc, char **argv)
{
    const char *data = getenv("CLUMP_DATA");
    settings s = {.data = data && *data ? data : CLUMP_BENCH_DATA, .rivals = CLUMP_BENCH_RIVALS, .threads = 2};
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
