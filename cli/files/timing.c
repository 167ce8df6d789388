/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing.c: see timing.h.
 */
#include "files/timing.h"
#include "common/assert.h"

#include "files/device.h"
#include "base/progress.h"
#include "base/number.h"

#include <clump/info.h>

#include <stdlib.h>

typedef struct timing {
    double *total;             /* ms, one per run */
    double *stage[CLI_STAGES]; /* ms, one per run, of each stage */
} timing;

static bool create(timing *t, size_t runs)
{
    t->total = runs > SIZE_MAX / (1 + CLI_STAGES) ? NULL : cli_allocate((1 + CLI_STAGES) * runs, sizeof(double));
    for (size_t s = 0; t->total && s < CLI_STAGES; s++) t->stage[s] = t->total + (s + 1) * runs;
    return t->total != NULL;
}

static void record(timing *t, size_t run, double total_ms, const clump_stats *stats)
{
    const double stages[CLI_STAGES] = {
        [CLI_STAGE_UPLOAD] = stats->upload_ms,     [CLI_STAGE_GROUND] = stats->ground_ms,
        [CLI_STAGE_INITIAL] = stats->initial_ms,   [CLI_STAGE_BUILD] = stats->build_ms,
        [CLI_STAGE_CLUSTER] = stats->cluster_ms,   [CLI_STAGE_MERGE] = stats->merge_ms,
        [CLI_STAGE_LABEL] = stats->label_ms,       [CLI_STAGE_BOXES] = stats->describe_ms,
        [CLI_STAGE_DOWNLOAD] = stats->download_ms,
    };
    t->total[run] = total_ms;
    for (size_t s = 0; s < CLI_STAGES; s++) t->stage[s][run] = stages[s];
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cli_median(double *values, size_t count)
{
    CLUMP_ASSERT(count >= 1);
    qsort(values, count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static cli_times summarise(const timing *t, size_t runs)
{
    cli_times times = {.runs = runs, .median = cli_median(t->total, runs)};
    times.min = t->total[0];
    times.p99 = t->total[runs - 1 - runs / 100]; /* the smallest time that 99 of 100 runs do not exceed */
    for (size_t s = 0; s < CLI_STAGES; s++) times.stages[s] = cli_median(t->stage[s], runs);
    return times;
}

int cli_repeat(const cli_repetition *how, cli_job *job, void *given, cli_times *times, clump_status *status)
{
    const size_t warmup = how->warmup != CLI_UNSET ? how->warmup : how->repeat > 1 ? 1 : 0;
    const size_t runs = warmup + how->repeat;
    CLUMP_ASSERT(how->repeat >= 1);
    timing t;
    *status = CLUMP_OK;
    if (!create(&t, how->repeat)) return cli_fail("not enough memory to time %zu runs", how->repeat);
    cli_progress progress;
    cli_progress_begin(&progress, how->doing, runs, how->quiet);
    for (size_t run = 0; run < runs && *status == CLUMP_OK; run++) {
        clump_stats stats = {0};
        const double before = cli_seconds();
        *status = job(given, &stats);
        const double ms = 1e3 * (cli_seconds() - before);
        if (*status == CLUMP_OK && run >= warmup) record(&t, run - warmup, ms, &stats);
        cli_progress_step(&progress, run + 1);
    }
    cli_progress_end(&progress);
    if (*status == CLUMP_OK) *times = summarise(&t, how->repeat);
    free(t.total);
    return *status == CLUMP_OK ? CLI_DONE : CLI_FAILED;
}

void cli_put_run(FILE *to, const cli_times *times, const clump_stats *stats, int device, const char *memory)
{
    char name[CLI_DEVICE_SIZE];
    cli_device_text(name, stats->backend, device);
    char median[CLI_TIME_SIZE], min[CLI_TIME_SIZE], p99[CLI_TIME_SIZE];
    cli_time_text(median, times->median);
    cli_time_text(min, times->min);
    cli_time_text(p99, times->p99);
    fprintf(to, "time     %s", median);
    if (times->runs > 1) fprintf(to, ", median of %zu runs (fastest %s, 99%% within %s)", times->runs, min, p99);
    fprintf(to, "\nran      %s on %s", stats->method ? stats->method : "", name);
    if (stats->backend == CLUMP_BACKEND_CPU)
        fprintf(to, ", %d thread%s", stats->threads, stats->threads == 1 ? "" : "s");
    if (memory) fprintf(to, ", from %s memory", memory);
    if (stats->reason[0]) fprintf(to, " (%s)", stats->reason);
    fputc('\n', to);
}

void cli_json_cost(cli_json *j, const cli_times *times, const char *const stages[CLI_STAGES], const clump_stats *stats)
{
    cli_json_open(j, "time_ms", '{');
    cli_json_ms(j, "median", times->median);
    cli_json_ms(j, "min", times->min);
    cli_json_ms(j, "p99", times->p99);
    cli_json_count(j, "runs", times->runs);
    cli_json_open(j, "stages", '{');
    for (size_t i = 0; i < CLI_STAGES; i++)
        if (stages[i]) cli_json_ms(j, stages[i], times->stages[i]);
    cli_json_close(j, '}');
    cli_json_close(j, '}');
    cli_json_open(j, "memory_bytes", '{');
    cli_json_count(j, "host", stats->host_bytes);
    cli_json_count(j, "device", stats->device_bytes);
    cli_json_close(j, '}');
}
