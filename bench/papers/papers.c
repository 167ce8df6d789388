/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench papers: the experiments of the papers.
 */
#include "papers/papers.h"

#include <clump/info.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const papers_paper *const papers_all[] = {&papers_ec, &papers_erccl, &papers_dbscan, &papers_nn, &papers_sim, NULL};

static const char help[] =
    "clump_bench papers [options] [EXPERIMENT...]   run the named experiments, those of a named paper, or all\n"
    "\n"
    "EXPERIMENT is a name of --list, or the first part of such names for all of a paper: ec, erccl, dbscan, nn, sim.\n"
    "make papers runs the experiments with --csv, and makes the report of the files of all machines (bench/report).\n"
    "\n"
    "  -l, --list       list the experiments\n"
    "  --quick          fewer sizes and rounds; at most 5 minutes on 2 cores\n"
    "  --no-gpu         the CPU alone\n"
    "  --no-rivals      ours alone\n"
    "  --repeat N       N rounds per case\n"
    "  --csv FILE       write the results after every case; rows of other cases in FILE stay (default: keep none)\n"
    "  --resume         leave out cases that FILE has of this commit\n"
    "  --data DIR       folder with the scans (default: CLUMP_DATA); without it simulated scans alone\n"
    "  --rivals DIR     folder with the rivals' modules\n"
    "  --pictures DIR   folder for pictures (default: build/papers)\n"
    "  --machine        print the name of this machine, as for results/papers/NAME.csv";

static void find_gpu(void)
{
    clump_device_info info;
    papers.no_gpu = papers.no_gpu || !machine_find_gpu(&info);
    if (!papers.no_gpu) snprintf(papers.gpu, sizeof papers.gpu, "%s", info.name);
}

static int print_machine(void)
{
    if (papers.no_gpu)
        puts(machine_describe().name);
    else
        machine_print_gpu(papers.gpu);
    return 0;
}

/* --- experiments --------------------------------------------------------------------------------- */

/* Returns whether the word is the name of the experiment or of its paper. */
static bool names(const char *word, const papers_paper *paper, size_t experiment)
{
    return strcmp(word, paper->name) == 0 || strcmp(word, paper->experiments[experiment].name) == 0;
}

static bool is_chosen(const papers_paper *paper, size_t experiment, const char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (names(words[i], paper, experiment)) return true;
    return count == 0;
}

static bool exists(const char *word)
{
    for (const papers_paper *const *paper = papers_all; *paper; paper++)
        for (size_t i = 0; i < (*paper)->count; i++)
            if (names(word, *paper, i)) return true;
    return false;
}

/* --- progress ------------------------------------------------------------------------------------ */

/* How far the experiments are: one line of a terminal that rewrites itself, or a line of a log every 10 s. */
static struct {
    const char *experiment;
    size_t before, all; /* cases of the experiments before, and of all; an experiment that computes is one */
    double begun, shown;
    bool terminal;
} progress;

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the cases of an experiment, those that the settings leave out, too. */
static size_t count_cases(const papers_experiment *experiment)
{
    return experiment->job ? experiment->job->case_count : 1;
}

/* Shows how far the case is. 1: it is done, and the line of a terminal is wiped for its results. */
static void show_progress(const contest *c, double part)
{
    const size_t number = progress.before + (c ? c->index : 0);
    const double now = now_seconds(), done = (double)number + part, all = (double)progress.all;
    const double minutes = (now - progress.begun) / 60, left = done > 0 ? minutes * (all - done) / done : 0;
    if (part >= 1 && progress.terminal) {
        fputs("\r\033[K", stderr);
    } else if (part < 1 && (progress.terminal || now - progress.shown >= 10)) {
        progress.shown = now;
        fprintf(stderr, progress.terminal ? "\r%s%s: case %zu of %zu, %.0f%%" : "%s%s: case %zu of %zu, %.0f%%",
                progress.terminal ? "" : "clump_bench papers: ", progress.experiment, number + 1, progress.all,
                100 * done / all);
        if (minutes > 0.1 && done > 0)
            fprintf(stderr, ", %.1f cases/min, %.0f %s left", done / minutes, left < 2 ? 60 * left : left,
                    left < 2 ? "s" : "min");
        fputs(progress.terminal ? "\033[K" : "\n", stderr);
    }
    fflush(stderr);
}

static bool run_compute(const papers_experiment *experiment, contest_totals *totals)
{
    csv rows = {0};
    clump_message why = {""};
    bool saved = true;
    show_progress(NULL, 0);
    const bool computed = experiment->compute(&rows, totals, &why);
    show_progress(NULL, 1);
    if (!computed)
        fprintf(stderr, "clump_bench papers: %s: left out: %s\n", experiment->name, why.text);
    else if (settings.csv && rows.length)
        saved = csv_save(&rows, settings.csv, PAPERS_HEADER, 1, &why);
    if (!saved) fprintf(stderr, "clump_bench papers: %s\n", why.text);
    csv_free(&rows);
    fflush(stdout);
    return saved;
}

/* Runs the experiments that the words name, or all. */
static int run_all(const char **words, size_t count)
{
    contest_totals totals = {0, 0, 0};
    bool saved = true;
    progress.terminal = isatty(STDERR_FILENO) == 1;
    progress.begun = progress.shown = now_seconds();
    settings.progress = show_progress;
    for (const papers_paper *const *paper = papers_all; *paper; paper++)
        for (size_t i = 0; i < (*paper)->count && !settings.list; i++)
            if (is_chosen(*paper, i, words, count)) progress.all += count_cases(&(*paper)->experiments[i]);
    for (const papers_paper *const *paper = papers_all; *paper; paper++)
        for (size_t i = 0; i < (*paper)->count && saved; i++) {
            const papers_experiment *const experiment = &(*paper)->experiments[i];
            if (!is_chosen(*paper, i, words, count)) continue;
            printf("%s%s: %s (%s)\n", settings.list ? "" : "\n--- ", experiment->name, experiment->title,
                   experiment->figures);
            if (settings.list) continue;
            fflush(stdout); /* before sentences on stderr */
            progress.experiment = experiment->name;
            saved = experiment->job ? contest_play(experiment->job, &totals) : run_compute(experiment, &totals);
            progress.before += count_cases(experiment);
        }
    if (settings.list) return 0;
    printf("\nanswers: %d wrong; targets of clump's own: %d reached, %d missed\n", totals.wrong, totals.reached,
           totals.missed);
    return totals.wrong || !saved ? 1 : 0;
}

/* Returns whether the words are experiments and the file of results can be used, before anything is measured. */
static bool check(const char **words, size_t count)
{
    clump_message why = {""};
    for (size_t i = 0; i < count; i++)
        if (!exists(words[i])) {
            fprintf(stderr, "clump_bench papers: %s is not an experiment (see --list)\n", words[i]);
            return false;
        }
    if (settings.list || !settings.csv || csv_can_save(settings.csv, PAPERS_HEADER, &why)) return true;
    fprintf(stderr, "clump_bench papers: %s\n", why.text);
    return false;
}

/* --- the program --------------------------------------------------------------------------------- */

int papers_main(int argc, char **argv)
{
    const contest_option options[] = {CONTEST_OPTIONS,
                                      {"--quick", .flag = &papers.quick},
                                      {"--no-gpu", .flag = &papers.no_gpu},
                                      {"--rivals", .text = &papers.rivals},
                                      {"--pictures", .text = &papers.folder}};
    int status = 0;
    if (!contest_parse("clump_bench papers", options, sizeof options / sizeof *options, argc, argv)) {
        free(settings.filters);
        return 2;
    }
    const char **const words = settings.filters;
    const size_t count = settings.filter_count;
    settings.filter_count = 0; /* experiments are chosen by their whole names, with all their cases */
    if (settings.help)
        puts(help);
    else {
        find_gpu();
        status = settings.machine ? print_machine() : check(words, count) ? run_all(words, count) : 2;
    }
    free(words);
    return status;
}
