/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench tree: clump_tree and clump_hdbscan, with one thread and with several, and on a GPU where there is one.
 *
 *     clump_bench tree                          all cases
 *     clump_bench tree kitti                    cases whose names contain one of these
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"

#include <clump/info.h>
#include <clump/tree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREE_FRAME .kind = CASE_SCAN, .scan = CASE_FRAME

static const struct tree_case {
    bench_case cloud;
    int min_samples;
    int min_cluster_size; /* 0: the tree alone */
    double most_ms;       /* with one thread, at most; 0 = none set */
    bool gpu_alone;       /* too large for a bench of the CPU */
} cases[] = {
    {{"kitti", TREE_FRAME}, 10, 0, 300, false},
    {{"kitti-linkage", TREE_FRAME}, 1, 0, 0, false},
    {{"kitti-hdbscan", TREE_FRAME}, 10, 20, 0, false},
    {{"blob-256k", CASE_OF_FACTORS(BLOB, 262144, 128, 32)}, 10, 0, 0, false},
    {{"cube-1m", .kind = CASE_CUBE, .n = 1000000, .d = 1}, 10, 0, 0, false},
    {{"crowd-1m", .kind = CASE_DENSE_CELL, .n = 1000000, .d = 1}, 10, 0, 0, false},
    {{"cube-10m", .kind = CASE_CUBE, .n = 10000000, .d = 1}, 10, 0, 0, true},
};

static const char help[] =
    "clump_bench tree [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default: what fits into 20 seconds, 3 to 25)\n"
    "  --threads N     threads of the second measurement (default 2)\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/tree/NAME.csv";

static void begin(void) {}

static bool describe(size_t index, char *name, char *text)
{
    char parameters[160];
    bench_case_parameters(&cases[index].cloud, parameters, sizeof parameters);
    snprintf(name, CONTEST_NAME, "%s", cases[index].cloud.name);
    snprintf(text, CONTEST_TEXT, "%s min_samples=%d min_cluster_size=%d", parameters, cases[index].min_samples,
             cases[index].min_cluster_size);
    return !cases[index].gpu_alone || !clump_device_absence(CLUMP_BACKEND_CUDA);
}

static bool enter(contest *c, clump_message *why)
{
    const struct tree_case *const item = &cases[c->index];
    if (!bench_case_make(&item->cloud, settings.data, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    c->scratch = malloc(c->answers * sizeof(float) + 1);
    const char *const name = item->min_cluster_size > 0 ? "hdbscan" : "tree";
    const bool gpu = !clump_device_absence(CLUMP_BACKEND_CUDA);
    if (!item->gpu_alone) {
        contest_ours(c, c->clouds, name, 0, 1);
        if (settings.threads > 1) contest_ours(c, c->clouds, name, 0, (int)settings.threads);
    }
    if (gpu) contest_ours(c, c->clouds, name, 0, CONTEST_GPU);
    return c->scratch != NULL;
}

static bool run(contest *c, contestant *who, double *seconds)
{
    const struct tree_case *const item = &cases[c->index];
    const clump_points points = {.xyz = c->clouds[0].xyz, .count = c->clouds[0].count};
    clump_tree_options tree = clump_tree_defaults();
    clump_hdbscan_options hdbscan = clump_hdbscan_defaults();
    tree.min_samples = hdbscan.min_samples = item->min_samples;
    const double start = machine_seconds();
    clump_status status;
    if (item->min_cluster_size > 0) {
        hdbscan.min_cluster_size = item->min_cluster_size;
        status = clump_hdbscan(who->context, points, &hdbscan, c->answer, NULL);
    } else {
        status = clump_tree(who->context, points, &tree, c->answer, c->scratch);
    }
    *seconds = machine_seconds() - start;
    return status == CLUMP_OK;
}

static void note(const contest *c, contestant *who)
{
    char clusters[64] = "", stages[128] = "";
    const clump_stats *const s = &who->stats;
    const bool gpu = who->threads == CONTEST_GPU;
    const double bytes = (double)(gpu ? s->device_bytes : s->host_bytes) / (double)(who->cloud->count + 1);
    if (gpu)
        snprintf(stages, sizeof stages, "  upload %.2f, boxes %.2f, edges %.2f, merge %.2f, download %.2f ms",
                 s->upload_ms, s->build_ms, s->cluster_ms, s->label_ms, s->download_ms);
    if (who == c->list && cases[c->index].min_cluster_size > 0)
        snprintf(clusters, sizeof clusters, "  %d clusters, %zu noise", who->stats.clusters, who->stats.noise);
    snprintf(who->note, sizeof who->note, "%5.1f B/pt%s%s", bytes, clusters, stages);
}

static void figures(contest *c, contest_totals *totals)
{
    const struct tree_case *const item = &cases[c->index];
    const contestant *const one = contest_find(c, "tree", 1);
    if (one && item->most_ms > 0)
        contest_figure(totals, one->time[0].median_ms <= item->most_ms, "%.0f ms [at most %g]", one->time[0].median_ms,
                       item->most_ms);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    const struct tree_case *const item = &cases[c->index];
    char parameters[160];
    bench_case_parameters(&item->cloud, parameters, sizeof parameters);
    csv_add(rows, "%s,%s min_samples=%d min_cluster_size=%d,%zu,%s,%d,%zu,%.4f,%.4f,%.3f,%016llx,%s,%.1f,",
            item->cloud.name, parameters, item->min_samples, item->min_cluster_size, who->cloud->count, who->name,
            who->threads, who->time[0].runs, who->time[0].median_ms, who->time[0].min_ms, contest_ratio(c, who),
            (unsigned long long)who->hash, who->differ ? "no" : "yes", contest_bytes_per_point(who));
}

int bench_tree(int argc, char **argv)
{
    static const contest_option options[] = {CONTEST_OPTIONS, {"--threads", .number = &settings.threads}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench tree",
        .csv_header = "case,parameters,points,contestant,threads,runs,median_ms,min_ms,ratio,labels_hash,labels_agree,"
                      "bytes_per_point," CSV_MACHINE,
        .case_count = sizeof cases / sizeof *cases,
        .seconds = 20,
        .turn_seconds = CONTEST_TURN_SECONDS,
        .hash = true,
    };
    return contest_main(&job, argc, argv);
}
