/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench laz: how fast LAZ is read and written, in million points per second.
 *
 *     clump_bench laz [--rounds R] [--threads T] [--data DIR] [FILE...]
 *
 * Each LAS or LAZ file is compressed in a temporary folder; without names, surveys of the folder of scans. The best of R
 * rounds counts. Times on one thread are processor times, so that other programs do not disturb them.
 *
 *     read      clump_cloud_parse(): all fields, from memory, on 1 and on T threads
 *     blocks    clump_reader_block(): coordinates and classes, on one thread
 *     write     clump_cloud_save(), on 1 and on T threads
 */
#include "jobs/jobs.h"

#include "harness/contest.h"

#include <clump/io.h>
#include <clump/reader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const surveys[] = {"las/lidr_MixedConifer.laz", "las/pdal_autzen_trim.las",
                                      "las/pdal_autzen_trim_7.las"};
static char folder[] = "/tmp/clump-bench-XXXXXX", path[64];
static clump_message why;

typedef struct job {
    clump_cloud *cloud; /* what is written */
    void *bytes;        /* the LAZ file */
    size_t size, points;
    int threads;
} job;

static clump_status run_write(const job *j)
{
    clump_save_options options = clump_save_defaults();
    options.threads = j->threads;
    return clump_cloud_save(path, j->cloud, NULL, &options, &why);
}

static clump_status run_read(const job *j)
{
    clump_load_options options = clump_load_defaults();
    clump_cloud *cloud;
    options.threads = j->threads;
    const clump_status status = clump_cloud_parse(j->bytes, j->size, path, &options, &cloud, &why);
    clump_cloud_destroy(cloud);
    return status;
}

static clump_status run_blocks(const job *j)
{
    (void)j;
    const char *const paths[1] = {path};
    clump_reader_options options = clump_reader_defaults();
    clump_reader *reader;
    clump_block block = {0};
    options.whole = true; /* any scale */
    clump_status status = clump_reader_open(paths, 1, &options, &reader, &why);
    const uint64_t blocks = status == CLUMP_OK ? clump_reader_describe(reader).blocks : 0;
    for (uint64_t b = 0; b < blocks && status == CLUMP_OK; b++) status = clump_reader_block(reader, b, &block, &why);
    clump_block_release(&block);
    clump_reader_close(reader);
    return status;
}

/* Returns million points per second in the best round; a negative number after a failure. */
static double measure(clump_status (*run)(const job *), job *j, int threads, long rounds)
{
    double best = 1e30;
    j->threads = threads;
    for (long r = 0; r < rounds; r++) {
        const double begin = threads == 1 ? machine_cpu_seconds() : machine_seconds();
        if (run(j) != CLUMP_OK) return fprintf(stderr, "clump_bench laz: %s\n", why.text), -1;
        const double seconds = (threads == 1 ? machine_cpu_seconds() : machine_seconds()) - begin;
        if (seconds < best) best = seconds;
    }
    return 1e-6 * (double)j->points / best;
}

static bool slurp(job *j)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    j->size = (size_t)ftell(file);
    rewind(file);
    j->bytes = malloc(j->size + 1);
    const bool whole = j->bytes && fread(j->bytes, 1, j->size, file) == j->size;
    fclose(file);
    return whole;
}

/* False: the file cannot be measured. */
static bool bench_file(const char *name, long rounds, int threads)
{
    job j = {0};
    if (clump_cloud_load(name, NULL, &j.cloud, &why) != CLUMP_OK)
        return fprintf(stderr, "clump_bench laz: %s\n", why.text), false;
    j.points = clump_cloud_points(j.cloud).count;
    double write[2], read[2];
    write[0] = measure(run_write, &j, 1, rounds), write[1] = measure(run_write, &j, threads, rounds);
    const bool sound = write[0] > 0 && slurp(&j);
    if (sound) {
        read[0] = measure(run_read, &j, 1, rounds), read[1] = measure(run_read, &j, threads, rounds);
        const double blocks = measure(run_blocks, &j, 1, rounds);
        const char *const slash = strrchr(name, '/');
        printf("%-24s %6u %10zu %7.2f  %6.2f %6.2f  %6.2f  %6.2f %6.2f\n", slash ? slash + 1 : name,
               ((unsigned char *)j.bytes)[104] & 0x3fu, j.points, (double)j.size / (double)j.points, read[0], read[1],
               blocks, write[0], write[1]);
    }
    free(j.bytes);
    clump_cloud_destroy(j.cloud);
    unlink(path);
    return sound;
}

/* Measures the named files, or surveys of the folder of scans. */
static int measure_files(long rounds, int threads)
{
    bool sound = true;
    if (!mkdtemp(folder)) return fprintf(stderr, "clump_bench laz: %s cannot be made\n", folder), 1;
    snprintf(path, sizeof path, "%s/survey.laz", folder);
    printf("million points per second, best of %ld rounds; %d threads in the second columns\n", rounds, threads);
    printf("%-24s %6s %10s %7s  %13s  %6s  %13s\n", "file", "format", "points", "bytes", "read", "blocks", "write");
    for (size_t i = 0; i < settings.filter_count; i++) sound &= bench_file(settings.filters[i], rounds, threads);
    for (size_t i = 0; !settings.filter_count && i < sizeof surveys / sizeof *surveys; i++) {
        char name[1100];
        snprintf(name, sizeof name, "%s/%s", settings.data, surveys[i]);
        sound &= bench_file(name, rounds, threads);
    }
    rmdir(folder);
    return sound ? 0 : 1;
}

static const char help[] =
    "clump_bench laz [options] [FILE...]   measure the LAS and LAZ files, or surveys of the folder with the scans\n"
    "\n"
    "  --rounds R   the best of R rounds counts (default 11)\n"
    "  --threads T  threads of the second columns (default 2)\n"
    "  --data DIR   folder with the scans (default: CLUMP_DATA)";

int bench_laz(int argc, char **argv)
{
    long rounds = 11, threads = 2;
    const contest_option options[] = {{"--rounds", .number = &rounds}, {"--threads", .number = &threads}};
    int status = 2;
    if (contest_parse("clump_bench laz", options, 2, argc, argv)) {
        if (settings.help)
            status = puts(help) < 0;
        else if (settings.csv || settings.machine)
            fputs("clump_bench laz: it keeps no rows (see --help)\n", stderr);
        else
            status = measure_files(rounds, (int)threads);
    }
    free(settings.filters);
    return status;
}
