/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench gpu: the CUDA backend on a GPU, in parts (see --help). Exit status: 0 done (also where a figure is
 * missed: the table says so), 1 labels differ or something failed, 2 wrong usage or no GPU.
 */
#include "gpu/gpu.h"

#include <clump/info.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which they run: the figures to reach first, the longest part last. */
static const struct part {
    const char *name;
    bool (*measure)(gpu_bench *g);
    bool named_only; /* runs only where --only names it */
} parts[] = {
    {"fast", gpu_part_fast, false},     {"dbscan", gpu_part_dbscan, false},
    {"erccl", gpu_part_erccl, false},   {"describe", gpu_part_describe, false},
    {"detect", gpu_part_detect, false}, {"objects", gpu_part_objects, false},
    {"nn", gpu_part_nn, false},         {"crossover", gpu_part_crossover, false},
    {"pieces", gpu_part_pieces, true},
};
enum { GPU_PARTS = sizeof parts / sizeof *parts };

static const char help[] =
    "clump_bench gpu [options] [CLOUD...]   measure the clouds whose names contain one of the words, or all\n"
    "\n"
    "  --only PARTS   some of the parts, by name: --only fast,dbscan\n"
    "                 fast       `fast` from every kind of memory\n"
    "                 dbscan     DBSCAN: `fast` and `dclust`\n"
    "                 erccl      obstacles: `fast`, `racing` and `independent`\n"
    "                 describe   boxes of clusters\n"
    "                 detect     from scans to boxes, beside the CPU\n"
    "                 objects    objects with scan and exact neighbours; ec with a distance that grows\n"
    "                 nn         nearest neighbours, and ICP\n"
    "                 crossover  the GPU beside the CPU: the size from which on it is faster\n"
    "                 pieces     a cloud that is larger than the memory that the GPU may use: 2e9 points where the\n"
    "                            host has 96 GB, else fewer; only where it is named\n"
    "  --quick        fewer runs and clouds\n"
    "  --csv FILE     write the results; rows of other parts and clouds in FILE stay\n"
    "  --data DIR     folder with the scans (default: CLUMP_DATA); without it they are left out\n"
    "  --machine      print the name of this GPU, as for results/NAME.csv";

bool gpu_begin(gpu_job *job, const bench_case *item)
{
    clump_message why = {""};
    job->cloud = item->name;
    if (!job->parameters[0]) bench_case_parameters(item, job->parameters, sizeof job->parameters);
    job->d = item->d;
    if (bench_case_make(item, settings.data, &job->points, &why)) {
        if (gpu_expect(job, &why)) {
            printf("%-16s %9zu %8d", job->cloud, job->points.count, job->clusters);
            return true;
        }
        bench_cloud_free(&job->points);
    }
    printf("%-16s left out: %s\n", item->name, why.text);
    return false;
}

void gpu_cell(const gpu_job *job, const gpu_row *row, char *out, size_t size)
{
    const double ms = row->time.median_ms;
    if (row->refused || row->failed || row->differs) {
        snprintf(out, size, "%s", row->refused ? "refused" : row->failed ? "FAILED" : "WRONG");
        return;
    }
    const int length = snprintf(out, size, "%.*f", ms < 1 ? 4 : ms < 100 ? 2 : 1, ms);
    if (job->target_ms > 0)
        snprintf(out + length, size - (size_t)length, " [%g %s]", job->target_ms, ms <= job->target_ms ? "ok" : "MISS");
}

/* --- rows ---------------------------------------------------------------------------------------- */

const char *const gpu_memory_names[MEMORIES] = {"pageable", "pinned", "device", "device no wait"};

void gpu_keep(gpu_bench *g, const gpu_job *job, const gpu_row *row)
{
    char note[sizeof row->note];
    snprintf(note, sizeof note, "%s", row->note);
    for (char *c = note; *c; c++)
        if (*c == ',') *c = ';';
    const clump_stats *const s = &row->stats;
    csv_add(&g->rows, "%s,%s,%s,%g,%zu,%s,%s,%s,%d,%zu,%.4f,%.4f,%.4f,", job->part, job->cloud, job->parameters,
            (double)job->d, job->points.count, job->backend == CLUMP_BACKEND_CUDA ? "cuda" : "cpu",
            gpu_method_name(job), gpu_memory_names[job->memory], s->threads, row->time.runs, row->time.median_ms,
            row->time.min_ms, row->time.p99_ms);
    csv_add(&g->rows, "%.4f,%.4f,%.4f,%.4f,%.4f,%lld,%d,%016llx,%s,%zu,%zu,%g,%s,%s,", s->upload_ms, s->build_ms,
            s->cluster_ms, s->label_ms, s->download_ms, (long long)s->passes, s->clusters,
            (unsigned long long)row->hash,
            row->refused || row->failed ? ""
            : row->differs              ? "no"
                                        : "yes",
            s->device_bytes, s->host_bytes, job->target_ms, note, g->gpu.name);
    csv_end(&g->rows, &g->host);
}

gpu_row gpu_take(gpu_bench *g, const gpu_job *job, int width)
{
    char text[64];
    gpu_row row;
    gpu_measure(job, &row);
    gpu_cell(job, &row, text, sizeof text);
    if (width != 0) printf("  %*s", width, text);
    fflush(stdout);
    if (row.note[0])
        csv_add(&g->notes, "    %s, %s, %s: %s\n", job->cloud, gpu_method_name(job), gpu_memory_names[job->memory],
                row.note);
    g->totals.wrong += row.failed || row.differs;
    if (job->target_ms > 0 && row.time.runs) {
        const bool reached = row.time.median_ms <= job->target_ms;
        g->totals.reached += reached, g->totals.missed += !reached;
    }
    gpu_keep(g, job, &row);
    return row;
}

static const char gpu_header[] =
    "part,cloud,parameters,d,points,backend,method,memory,threads,runs,median_ms,min_ms,p99_ms,upload_ms,build_ms,"
    "cluster_ms,label_ms,download_ms,passes,clusters,labels_hash,labels_agree,device_bytes,host_bytes,target_ms,"
    "note,gpu," CSV_MACHINE;

bool gpu_finish(gpu_bench *g)
{
    clump_message why;
    if (g->notes.length) fputs(g->notes.text, stdout);
    csv_free(&g->notes);
    fflush(stdout);
    if (!settings.csv || !g->rows.length || csv_save(&g->rows, settings.csv, gpu_header, 2, &why)) return true;
    fprintf(stderr, "clump_bench gpu: %s\n", why.text);
    return false;
}

/* --- the program --------------------------------------------------------------------------------- */

static bool choose_parts(const char *only, bool chosen[GPU_PARTS])
{
    const char *names[GPU_PARTS];
    for (int i = 0; i < GPU_PARTS; i++) names[i] = parts[i].name;
    return contest_choose(only, names, GPU_PARTS, chosen);
}

static int measure(gpu_bench *g, const bool chosen[GPU_PARTS], bool named)
{
    g->host = machine_describe();
    printf("%s, %.1f GB, %d multiprocessors; %s, %d cores; %s, clump %s\n", g->gpu.name,
           (double)g->gpu.memory_total / 1e9, g->gpu.units, g->host.cpu, g->host.cores, g->host.compiler,
           clump_version());
    bool done = true;
    for (int i = 0; i < GPU_PARTS && done; i++)
        if (chosen[i] && (named || !parts[i].named_only)) done = parts[i].measure(g);
    printf("\n%d figures reached, %d missed, %d wrong\n", g->totals.reached, g->totals.missed, g->totals.wrong);
    csv_free(&g->rows);
    return done && g->totals.wrong == 0 ? 0 : 1;
}

int bench_gpu(int argc, char **argv)
{
    gpu_bench g = {.quick = false};
    const char *only = NULL;
    clump_message why;
    bool chosen[GPU_PARTS];
    const contest_option options[] = {{"--only", .text = &only}, {"--quick", .flag = &g.quick}};
    int status = 0;
    if (!contest_parse("clump_bench gpu", options, 2, argc, argv))
        status = 2;
    else if (settings.help)
        puts(help);
    else if (!choose_parts(only, chosen))
        status = 2, fprintf(stderr, "clump_bench gpu: the value of --only is wrong (see --help)\n");
    else if (!machine_find_gpu(&g.gpu))
        status = 2, fprintf(stderr, "clump_bench gpu: there is no CUDA device here\n");
    else if (settings.machine)
        machine_print_gpu(g.gpu.name);
    else if (settings.csv && !csv_can_save(settings.csv, gpu_header, &why))
        status = 2, fprintf(stderr, "clump_bench gpu: %s\n", why.text);
    else
        status = measure(&g, chosen, only != NULL);
    free(settings.filters);
    return status;
}
