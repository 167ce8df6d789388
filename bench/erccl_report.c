/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A few lines a case on the terminal: a line a contestant, then the figures that were set, marked "ok" or "MISS".
 */
#include "erccl_report.h"

#include <stdio.h>
#include <string.h>

static const double pcl_target = 60, growth_target = 2;

#define SCAN_00(r)                                                                                                     \
    {                                                                                                                  \
        "kitti-00", "kitti/semkitti_00_000000", r, (r) == 5                                                            \
    }
#define SCAN(n, r)                                                                                                     \
    {                                                                                                                  \
        "kitti-" n, "kitti/semkitti_" n "_000000", r, false                                                            \
    }
const erccl_case erccl_cases[] = {SCAN_00(1),    SCAN_00(2),    SCAN_00(3),    SCAN_00(4),    SCAN_00(5),
                                  SCAN_00(6),    SCAN_00(7),    SCAN_00(8),    SCAN("04", 1), SCAN("04", 5),
                                  SCAN("04", 8), SCAN("06", 1), SCAN("06", 5), SCAN("06", 8)};
const size_t erccl_case_count = sizeof erccl_cases / sizeof erccl_cases[0];

void erccl_case_name(const erccl_case *item, char *out, size_t size)
{
    snprintf(out, size, "%s-r%d", item->name, item->reach);
}

static const char *mark(bool reached, report_totals *totals)
{
    if (reached)
        totals->reached++;
    else
        totals->missed++;
    return reached ? "ok" : "MISS";
}

static double ratio_to(const erccl_contestant *c, const erccl_contestant *one)
{
    return one->median_ms > 0 && !one->failed ? c->median_ms / one->median_ms : 0;
}

void erccl_report_case(const erccl_result *result, report_totals *totals)
{
    char name[64];
    erccl_case_name(result->item, name, sizeof name);
    printf("%s: %zu points, reach %d\n", name, result->points, result->item->reach);
    for (size_t i = 0; i < result->count; i++) {
        const erccl_contestant *const c = &result->contestants[i];
        printf("  %-12s %d thread%s", c->name, c->threads, c->threads > 1 ? "s" : " ");
        if (c->failed) {
            printf(" failed: %s\n", c->error);
            totals->wrong++;
            continue;
        }
        printf(" %11.3f ms %8.2fx", c->median_ms, ratio_to(c, &result->contestants[0]));
        if (c->rival)
            printf("  of %zu points without ground, d = %g", result->obstacle_points, (double)ERCCL_RIVAL_DISTANCE);
        else
            printf("  %4ld pass%s %5d obstacles", c->passes, c->passes == 1 ? "  " : "es", c->clusters);
        if (!c->agrees) printf("  ERROR: the labels differ"), totals->wrong++;
        puts("");
    }
    const erccl_contestant *const one = erccl_result_of(result, "fast", 1);
    const erccl_contestant *const pcl = erccl_result_of(result, "pcl-best", 1);
    if (one && pcl)
        printf("  %.1f times as fast as PCL at its best [%g] %s\n", ratio_to(pcl, one), pcl_target,
               mark(ratio_to(pcl, one) >= pcl_target, totals));
    fflush(stdout);
}

void erccl_report_growth(const erccl_result *results, size_t count, report_totals *totals)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            const erccl_case *const a = results[i].item, *const b = results[j].item;
            if (a->reach != 1 || b->reach != 8 || strcmp(a->name, b->name) != 0) continue;
            const erccl_contestant *const near = erccl_result_of(&results[i], "fast", 1);
            const erccl_contestant *const far = erccl_result_of(&results[j], "fast", 1);
            if (near && far)
                printf("%s: from reach 1 to reach 8 the time of fast grows %.2f times [below %g] %s\n", a->name,
                       ratio_to(far, near), growth_target, mark(ratio_to(far, near) < growth_target, totals));
        }
}

/* --- CSV ----------------------------------------------------------------------------------------- */

#define CSV_HEADER                                                                                                     \
    "case,scan,reach,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,passes,obstacles,"       \
    "labels_hash,labels_agree,machine,cores,compiler,clump,date\n"

static void write_rows(FILE *file, const machine *m, const erccl_result *result)
{
    char name[64];
    erccl_case_name(result->item, name, sizeof name);
    for (size_t i = 0; i < result->count; i++) {
        const erccl_contestant *const c = &result->contestants[i];
        if (c->failed) continue;
        fprintf(file, "%s,%s,%d,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%ld,%d,%016llx,%s,%s,%d,%s,%s,%s\n", name,
                result->item->scan, result->item->reach, c->rival ? result->obstacle_points : result->points, c->name,
                c->rival ? c->version : clump_version(), c->threads, c->runs, c->median_ms, c->min_ms,
                ratio_to(c, &result->contestants[0]), c->passes, c->clusters, (unsigned long long)c->labels_hash,
                c->agrees ? "yes" : "no", m->cpu, m->cores, m->compiler, clump_version(), m->date);
    }
}

/* Copies the rows of a case from an earlier run. */
static void copy_rows(FILE *to, const char *path, const erccl_case *item)
{
    FILE *const old = fopen(path, "r");
    if (!old) return;
    char line[2048], name[64];
    erccl_case_name(item, name, sizeof name);
    const size_t length = strlen(name);
    while (fgets(line, sizeof line, old))
        if (strncmp(line, name, length) == 0 && line[length] == ',') fputs(line, to);
    fclose(old);
}

bool erccl_report_csv(const char *path, const machine *m, const erccl_result *results, size_t count, clump_message *why)
{
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *const file = fopen(beside, "w");
    bool written = file != NULL;
    if (file) {
        fputs(CSV_HEADER, file);
        for (size_t i = 0; i < erccl_case_count; i++) {
            const erccl_result *now = NULL;
            for (size_t j = 0; j < count; j++)
                if (results[j].item == &erccl_cases[i]) now = &results[j];
            if (now)
                write_rows(file, m, now);
            else
                copy_rows(file, path, &erccl_cases[i]);
        }
        written = !ferror(file);
        if (fclose(file) != 0) written = false;
        if (written) written = rename(beside, path) == 0;
        if (!written) remove(beside);
    }
    if (!written) snprintf(why->text, sizeof why->text, "%s cannot be written", path);
    return written;
}
