/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the measurements on a GPU have given, on the terminal and in CSV.
 */
#include "gpu_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gpu_results_add(gpu_results *results, const gpu_row *row)
{
    if (results->count == results->capacity) {
        const size_t capacity = results->capacity ? 2 * results->capacity : 64;
        gpu_row *const grown = realloc(results->rows, capacity * sizeof *grown);
        if (!grown) return false;
        results->rows = grown, results->capacity = capacity;
    }
    results->rows[results->count++] = *row;
    results->wrong += row->failed || row->differs;
    if (row->target_ms > 0 && row->time.runs) {
        if (row->time.median_ms <= row->target_ms)
            results->reached++;
        else
            results->missed++;
    }
    return true;
}

void gpu_cell(const gpu_row *row, char *out, size_t size)
{
    const double ms = row->time.median_ms;
    if (row->refused || row->failed || row->differs)
        snprintf(out, size, "%s", row->refused ? "refused" : row->failed ? "FAILED" : "WRONG");
    else if (row->target_ms > 0)
        snprintf(out, size, "%.*f [%g %s]",
                 ms < 1     ? 4
                 : ms < 100 ? 2
                            : 1,
                 ms, row->target_ms, ms <= row->target_ms ? "ok" : "MISS");
    else
        snprintf(out, size, "%.*f", ms < 1 ? 4 : ms < 100 ? 2 : 1, ms);
}

void gpu_report_notes(const gpu_results *results, size_t first)
{
    for (size_t i = first; i < results->count; i++) {
        const gpu_row *const row = &results->rows[i];
        if (row->note[0])
            printf("    %s, %s, %s: %s\n", row->cloud, row->method, gpu_memory_name(row->memory), row->note);
    }
}

/* --- CSV ----------------------------------------------------------------------------------------- */

#define CSV_HEADER                                                                                                     \
    "part,cloud,parameters,d,points,backend,method,memory,threads,runs,median_ms,min_ms,p99_ms,upload_ms,build_ms,"    \
    "cluster_ms,label_ms,download_ms,passes,clusters,labels_hash,labels_agree,device_bytes,host_bytes,target_ms,note," \
    "gpu,machine,cores,compiler,clump,date\n"

static void write_row(FILE *file, const gpu_results *results, const gpu_row *r)
{
    char note[sizeof r->note];
    snprintf(note, sizeof note, "%s", r->note);
    for (char *c = note; *c; c++)
        if (*c == ',') *c = ';';
    const clump_stats *const s = &r->stats;
    const machine *const m = &results->host;
    fprintf(file, "%s,%s,%s,%g,%zu,%s,%s,%s,%d,%zu,%.4f,%.4f,%.4f,", r->part, r->cloud, r->parameters, (double)r->d,
            r->points, r->backend == CLUMP_BACKEND_CUDA ? "cuda" : "cpu", r->method, gpu_memory_name(r->memory),
            s->threads, r->time.runs, r->time.median_ms, r->time.min_ms, r->time.p99_ms);
    fprintf(file, "%.4f,%.4f,%.4f,%.4f,%.4f,%lld,%d,%016llx,%s,%zu,%zu,%g,%s,", s->upload_ms, s->build_ms,
            s->cluster_ms, s->label_ms, s->download_ms, (long long)s->passes, s->clusters,
            (unsigned long long)r->labels_hash,
            r->refused || r->failed ? ""
            : r->differs            ? "no"
                                    : "yes",
            s->device_bytes, s->host_bytes, r->target_ms, note);
    fprintf(file, "%s,%s,%d,%s,%s,%s\n", results->gpu.name, m->cpu, m->cores, m->compiler, clump_version(), m->date);
}

/* Whether this line of an earlier file is of a part and cloud that were measured now. */
static bool measured_now(const gpu_results *results, const char *line)
{
    for (size_t i = 0; i < results->count; i++) {
        char start[64];
        snprintf(start, sizeof start, "%s,%s,", results->rows[i].part, results->rows[i].cloud);
        if (strncmp(line, start, strlen(start)) == 0) return true;
    }
    return false;
}

static void copy_others(FILE *to, const gpu_results *results)
{
    FILE *const old = fopen(results->csv, "r");
    if (!old) return;
    char line[2048];
    for (bool header = true; fgets(line, sizeof line, old); header = false)
        if (!header && !measured_now(results, line)) fputs(line, to);
    fclose(old);
}

bool gpu_report_csv(const gpu_results *results, clump_message *why)
{
    if (!results->csv || results->count == 0) return true;
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.new", results->csv);
    FILE *const file = fopen(beside, "w");
    bool written = file != NULL;
    if (file) {
        fputs(CSV_HEADER, file);
        for (size_t i = 0; i < results->count; i++) write_row(file, results, &results->rows[i]);
        copy_others(file, results);
        written = !ferror(file);
        if (fclose(file) != 0) written = false;
        if (written) written = rename(beside, results->csv) == 0;
        if (!written) remove(beside);
    }
    if (!written) snprintf(why->text, sizeof why->text, "%s cannot be written", results->csv);
    return written;
}
