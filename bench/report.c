/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table on the terminal: a line a case, figures that were set marked "ok" or "MISS", and below
 * it what else has to be known of the case.
 */
#include "report.h"

#include <stdio.h>
#include <string.h>

static const double speedup_target = 1.6, bytes_target = 64;
static const size_t large_cloud = 262144; /* from where on threads and memory are judged */

void report_header(const machine *m, const measure_options *options)
{
    printf("%s, %d cores, %s, clump %s", m->cpu, m->cores, m->compiler, clump_version());
    for (size_t i = 0; i < options->rival_count; i++)
        printf(", %s (%s)", options->rivals[i].rival->name, options->rivals[i].rival->version);
    printf("\nMedian ms; x = times as long as fast with one thread; the figure to reach in brackets.\n\n");
    printf("%-16s %9s %9s  %-12s %9s %9s %-20s %9s %-7s  B/pt\n", "cloud", "points", "fast", "threads", "bfs",
           "pcl-best", "", "pcl-deb.", "");
}

static const char *mark(bool reached, report_totals *totals)
{
    if (reached)
        totals->reached++;
    else
        totals->missed++;
    return reached ? "ok" : "MISS";
}

static void print_ms(const contestant_result *r)
{
    if (!r)
        printf(" %9s", "-");
    else if (r->failed)
        printf(" %9s", "failed");
    else
        printf(" %9.*f", r->median_ms < 1 ? 4 : r->median_ms < 100 ? 2 : 1, r->median_ms);
}

static double ratio_to(const contestant_result *r, const contestant_result *one)
{
    return r && one && !r->failed && !one->failed && one->median_ms > 0 ? r->median_ms / one->median_ms : 0;
}

static void print_ratio(const contestant_result *r, const contestant_result *one, double target, int width,
                        report_totals *totals)
{
    char text[64] = "";
    const double ratio = ratio_to(r, one);
    if (ratio > 0 && target > 0)
        snprintf(text, sizeof text, "%.1fx [%g] %s", ratio, target, mark(ratio >= target, totals));
    else if (ratio > 0)
        snprintf(text, sizeof text, "%.1fx", ratio);
    printf(" %-*s", width, text);
}

static void print_notes(const case_result *result, report_totals *totals)
{
    const contestant_result *one = &result->contestants[0];
    for (size_t i = 0; i < result->count; i++) {
        const contestant_result *r = &result->contestants[i];
        if (r->failed) {
            printf("  %s, %d threads: failed: %s\n", r->name, r->threads, r->error);
            totals->wrong++;
        } else if (!r->agrees) {
            printf("  %s: %s: its labels differ, hash %016llx, ours %016llx\n", r->must_agree ? "ERROR" : "note",
                   r->name, (unsigned long long)r->labels_hash, (unsigned long long)one->labels_hash);
            if (r->must_agree) totals->wrong++;
        }
    }
    const contestant_result *base = result_of_role(result, ROLE_BASE);
    if (!base || base->failed || one->failed || !base->points || !one->points) return;
    const double ratio = one->median_ms / (double)one->points / (base->median_ms / (double)base->points);
    printf("  time a point: %.2f ns, %.2f times that of %s [at most %g] %s\n",
           1e6 * one->median_ms / (double)one->points, ratio, result->item->base, result->item->base_limit,
           mark(ratio <= result->item->base_limit, totals));
}

void report_case(const case_result *result, bool stages, report_totals *totals)
{
    const contestant_result *one = &result->contestants[0], *some = result_of_role(result, ROLE_SOME);
    const contestant_result *best = result_of_name(result, "pcl-best"), *debian = result_of_name(result, "pcl-debian");
    printf("%-16s %9zu", result->item->text, one->points);
    print_ms(one);
    const double slower = ratio_to(some, one);
    if (slower > 0) {
        const bool judged = some->points >= large_cloud && some->threads == 2;
        const double speedup = 1 / slower;
        printf("  %4.2fx/%d %-5s", speedup, some->threads, judged ? mark(speedup >= speedup_target, totals) : "");
    } else {
        printf("  %12s", "");
    }
    print_ms(result_of_role(result, ROLE_BFS));
    print_ms(best);
    print_ratio(best, one, result->item->target, 20, totals);
    print_ms(debian);
    print_ratio(debian, one, 0, 7, totals);
    printf("  %.1f %s\n", one->bytes_per_point,
           one->points >= large_cloud ? mark(one->bytes_per_point <= bytes_target, totals) : "");
    if (stages)
        printf("  stages: build %.3f cluster %.3f label %.3f ms; %zu runs\n", one->build_ms, one->cluster_ms,
               one->label_ms, one->runs);
    print_notes(result, totals);
    fflush(stdout);
}

/* --- CSV ----------------------------------------------------------------------------------------- */

#define CSV_HEADER                                                                                                     \
    "case,parameters,d,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,target,labels_hash,"   \
    "labels_agree,bytes_per_point,machine,cores,compiler,clump,date\n"

static void write_rows(FILE *file, const machine *m, const case_result *result)
{
    char parameters[160];
    const contestant_result *one = &result->contestants[0];
    for (size_t i = 0; i < result->count; i++) {
        const contestant_result *r = &result->contestants[i];
        if (r->failed || r->role == ROLE_BASE) continue;
        bench_case_parameters(result->item, parameters, sizeof parameters);
        const double target = strcmp(r->name, "pcl-best") == 0 ? result->item->target : 0;
        fprintf(file, "%s,%s,%g,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%g,%016llx,%s,%.1f,%s,%d,%s,%s,%s\n",
                result->item->name, parameters, (double)result->item->d, r->points, r->name,
                r->role == ROLE_RIVAL ? r->version : clump_version(), r->threads, r->runs, r->median_ms, r->min_ms,
                ratio_to(r, one), target, (unsigned long long)r->labels_hash, r->agrees ? "yes" : "no",
                r->bytes_per_point, m->cpu, m->cores, m->compiler, clump_version(), m->date);
    }
}

/* Copies the rows of a case from an earlier run. */
static void copy_rows(FILE *to, const char *path, const char *name)
{
    FILE *old = fopen(path, "r");
    if (!old) return;
    char line[2048];
    const size_t length = strlen(name);
    while (fgets(line, sizeof line, old))
        if (strncmp(line, name, length) == 0 && line[length] == ',') fputs(line, to);
    fclose(old);
}

bool report_csv(const char *path, const machine *m, const case_result *results, size_t count, clump_message *why)
{
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "w");
    bool written = file != NULL;
    if (file) {
        fputs(CSV_HEADER, file);
        for (size_t i = 0; i < bench_case_count; i++) {
            const case_result *now = NULL;
            for (size_t j = 0; j < count; j++)
                if (results[j].item == &bench_cases[i]) now = &results[j];
            if (now)
                write_rows(file, m, now);
            else
                copy_rows(file, path, bench_cases[i].name);
        }
        written = !ferror(file);
        if (fclose(file) != 0) written = false;
        if (written) written = rename(beside, path) == 0;
        if (!written) remove(beside);
    }
    if (!written) snprintf(why->text, sizeof why->text, "%s cannot be written", path);
    return written;
}
