/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench_gpu: the CUDA backend on a GPU, in parts:
 *
 *     a    `fast`, from every kind of memory, with the figures it has to reach
 *     b    the six methods of the paper on its clouds: times, passes, memory
 *     d    DBSCAN: `fast` and `dclust`, with the figures they have to reach
 *     e    ER-CCL: `fast`, `racing` and `independent`, with the figures they have to reach
 *     f    nearest neighbours: `fast` and the paper's methods, with the figures they have to reach
 *     c    the GPU beside the CPU, for the size from which on it is worth it (src/core/decide.c)
 *
 * Labels are compared with those of `fast` on the CPU before anything is timed. Exit status: 0 done (also
 * where a figure is missed: the table says so), 1 labels differ or something failed, 2 wrong usage or no GPU.
 */
#include "gpu_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(void)
{
    puts("clump_bench_gpu [options] [CLOUD...]   measure the clouds whose names contain one of the words, or all\n"
         "\n"
         "  --only PARTS   a (fast), b (the six), c (crossover), d (dbscan), e (erccl), f (nn), or several: --only ad\n"
         "  --quick        fewer runs and clouds\n"
         "  --csv FILE     write the results; rows of other parts and clouds in FILE stay\n"
         "  --data DIR     folder with the scans (default: CLUMP_DATA); without it they are left out\n"
         "  --machine      print the name of this GPU, as for results/NAME.csv");
}

bool gpu_wanted(const gpu_settings *s, const char *name)
{
    for (size_t i = 0; i < s->filter_count; i++)
        if (strstr(name, s->filters[i])) return true;
    return s->filter_count == 0;
}

bool gpu_prepare(const gpu_settings *s, const bench_case *item, bench_cloud *cloud, gpu_reference *reference)
{
    clump_message why = {""};
    if (bench_case_make(item, s->data, cloud, &why)) {
        if (gpu_reference_make(cloud, item->d, 0, reference, &why)) return true;
        bench_cloud_free(cloud);
    }
    printf("%-16s left out: %s\n", item->name, why.text);
    return false;
}

bool gpu_take(const gpu_job *job, const gpu_reference *reference, int width, gpu_results *results, gpu_row *row)
{
    char text[64];
    gpu_measure(job, reference, row);
    gpu_cell(row, text, sizeof text);
    printf("  %*s", width, text);
    fflush(stdout);
    return gpu_results_add(results, row);
}

bool gpu_finish(gpu_results *results, size_t first)
{
    gpu_report_notes(results, first);
    fflush(stdout);
    clump_message why;
    if (gpu_report_csv(results, &why)) return true;
    fprintf(stderr, "clump_bench_gpu: %s\n", why.text);
    return false;
}

/* The first CUDA device. */
static bool find_gpu(clump_device_info *out)
{
    for (int i = 0; i < clump_device_count(); i++)
        if (clump_device_query(i, out) == CLUMP_OK && out->backend == CLUMP_BACKEND_CUDA) return true;
    return false;
}

static int measure(const gpu_settings *s, const char *parts, gpu_results *results)
{
    printf("%s, %.1f GB, %d multiprocessors; %s, %d cores; %s, clump %s\n", results->gpu.name,
           (double)results->gpu.memory_total / 1e9, results->gpu.units, results->host.cpu, results->host.cores,
           results->host.compiler, clump_version());
    bool done = true;
    if (strchr(parts, 'a')) done = gpu_part_fast(s, results);
    if (done && strchr(parts, 'd')) done = gpu_part_dbscan(s, results);
    if (done && strchr(parts, 'e')) done = gpu_part_erccl(s, results);
    if (done && strchr(parts, 'f')) done = gpu_part_nn(s, results);
    if (done && strchr(parts, 'c')) done = gpu_part_crossover(s, results);
    if (done && strchr(parts, 'b')) done = gpu_part_six(s, results);
    printf("\n%d figures reached, %d missed, %d wrong\n", results->reached, results->missed, results->wrong);
    return done && results->wrong == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *const data = getenv("CLUMP_DATA");
    gpu_settings s = {.data = data && *data ? data : CLUMP_BENCH_DATA};
    gpu_results results = {0};
    const char *parts = "abcdef";
    bool name_only = false;
    s.filters = calloc((size_t)argc + 1, sizeof *s.filters);
    if (!s.filters) return 1;
    int status = -1;
    for (int i = 1; i < argc && status < 0; i++) {
        const bool value = i + 1 < argc;
        if (strcmp(argv[i], "--help") == 0)
            print_help(), status = 0;
        else if (strcmp(argv[i], "--quick") == 0)
            s.quick = true;
        else if (strcmp(argv[i], "--machine") == 0)
            name_only = true;
        else if (strcmp(argv[i], "--only") == 0 && value && argv[i + 1][strspn(argv[i + 1], "abcdef")] == '\0')
            parts = argv[++i];
        else if (strcmp(argv[i], "--csv") == 0 && value)
            results.csv = argv[++i];
        else if (strcmp(argv[i], "--data") == 0 && value)
            s.data = argv[++i];
        else if (argv[i][0] != '-')
            s.filters[s.filter_count++] = argv[i];
        else {
            fprintf(stderr, "clump_bench_gpu: %s is not an option, or its value is missing or wrong (see --help)\n",
                    argv[i]);
            status = 2;
        }
    }
    if (status < 0 && !find_gpu(&results.gpu)) {
        fprintf(stderr, "clump_bench_gpu: there is no CUDA device here\n");
        status = 2;
    }
    for (char *c = results.gpu.name; *c; c++)
        if (*c == ',') *c = ' ';
    if (status < 0 && name_only) { /* "NVIDIA H200" is h200 */
        char name[96];
        machine_file_name(strncmp(results.gpu.name, "NVIDIA ", 7) == 0 ? results.gpu.name + 7 : results.gpu.name, name,
                          sizeof name);
        puts(name);
        status = 0;
    }
    if (status < 0) {
        results.host = machine_describe();
        status = measure(&s, parts, &results);
    }
    free(results.rows);
    free(s.filters);
    return status;
}
