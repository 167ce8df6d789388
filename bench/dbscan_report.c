/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A few lines a case on the terminal: a line a contestant, then the figures that were set, marked "ok" or "MISS".
 */
#include "dbscan_report.h"

#include <stdio.h>
#include <string.h>

static const double speedup_target = 1.6; /* disjoint-set, 2 threads, on clouds that are not toys */
/* Labels on which scikit-learn may differ, by its float64 on a pair at almost exactly eps: a point of a hundred. */
static const double may_differ = 0.01;

static const char *mark(bool reached, report_totals *totals)
{
    if (reached)
        totals->reached++;
    else
        totals->missed++;
    return reached ? "ok" : "MISS";
}

static double ratio_to(const dbscan_contestant *c, const dbscan_contestant *one)
{
    return one->median_ms > 0 && !one->failed ? c->median_ms / one->median_ms : 0;
}

static void print_contestant(const dbscan_result *result, const dbscan_contestant *c, report_totals *totals)
{
    const dbscan_contestant *const alone = dbscan_result_of(result, c->name, 1);
    printf("  %-13s %d thread%s", c->name, c->threads, c->threads > 1 ? "s" : " ");
    if (c->failed) {
        printf(" failed: %s\n", c->error);
        totals->wrong++;
        return;
    }
    printf(" %11.3f ms %8.2fx", c->median_ms, ratio_to(c, &result->contestants[0]));
    if (alone && alone != c) printf("  speedup %.2f", alone->median_ms / c->median_ms);
    if (c->load[0]) printf("  load %s", c->load);
    if (!c->rival) printf("  %.1f B/pt", c->bytes_per_point);
    if (!c->agrees) {
        const bool wrong = !c->rival || (double)c->differ > may_differ * (double)result->points;
        printf("  %s: %zu labels differ", wrong ? "ERROR" : "note", c->differ);
        totals->wrong += wrong;
    }
    puts("");
}

static void print_figures(const dbscan_result *result, report_totals *totals)
{
    const dbscan_case *const item = result->item;
    const dbscan_contestant *const one = dbscan_result_of(result, "fast", 1);
    const dbscan_contestant *const rival = dbscan_result_of(result, "sklearn", 1);
    const dbscan_contestant *const alone = dbscan_result_of(result, "disjoint-set", 1);
    const dbscan_contestant *const pair = dbscan_result_of(result, "disjoint-set", 2);
    if (!one) return;
    if (item->cloud.target > 0 && rival)
        printf("  %.1f times as fast as scikit-learn [%g] %s\n", ratio_to(rival, one), item->cloud.target,
               mark(ratio_to(rival, one) >= item->cloud.target, totals));
    if (alone && pair && !item->paper) {
        const double speedup = alone->median_ms / pair->median_ms;
        printf("  disjoint-set, 2 threads: speedup %.2f [%g] %s\n", speedup, speedup_target,
               mark(speedup >= speedup_target, totals));
    }
    if (item->most_ms > 0)
        printf("  %.0f ms [at most %g] %s\n", one->median_ms, item->most_ms,
               mark(one->median_ms <= item->most_ms, totals));
    if (item->most_bytes > 0)
        printf("  %.1f bytes a point [at most %g] %s\n", one->bytes_per_point, item->most_bytes,
               mark(one->bytes_per_point <= item->most_bytes, totals));
}

void dbscan_report_case(const dbscan_result *result, report_totals *totals)
{
    const dbscan_case *const item = result->item;
    printf("%s: %zu points, eps=%g, min_points=%zu: %d clusters, %zu noise\n", item->cloud.name, result->points,
           (double)item->cloud.d, item->min_points, result->clusters, result->noise);
    for (size_t i = 0; i < result->count; i++) print_contestant(result, &result->contestants[i], totals);
    print_figures(result, totals);
    fflush(stdout);
}

/* --- CSV ----------------------------------------------------------------------------------------- */

#define CSV_HEADER                                                                                                     \
    "case,parameters,d,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,target,labels_hash,"   \
    "labels_agree,bytes_per_point,load,machine,cores,compiler,clump,date\n"

static void write_rows(FILE *file, const machine *m, const dbscan_result *result)
{
    char parameters[200];
    dbscan_case_parameters(result->item, parameters, sizeof parameters);
    for (size_t i = 0; i < result->count; i++) {
        const dbscan_contestant *const c = &result->contestants[i];
        if (c->failed) continue;
        fprintf(file, "%s,%s,%g,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%g,%016llx,%s,%.1f,%s,%s,%d,%s,%s,%s\n",
                result->item->cloud.name, parameters, (double)result->item->cloud.d, result->points, c->name,
                c->rival ? c->version : clump_version(), c->threads, c->runs, c->median_ms, c->min_ms,
                ratio_to(c, &result->contestants[0]), c->rival ? result->item->cloud.target : 0,
                (unsigned long long)c->labels_hash, c->agrees ? "yes" : "no", c->bytes_per_point, c->load, m->cpu,
                m->cores, m->compiler, clump_version(), m->date);
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

bool dbscan_report_csv(const char *path, const machine *m, const dbscan_result *results, size_t count,
                       clump_message *why)
{
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "w");
    bool written = file != NULL;
    if (file) {
        fputs(CSV_HEADER, file);
        for (size_t i = 0; i < dbscan_case_count; i++) {
            const dbscan_result *now = NULL;
            for (size_t j = 0; j < count; j++)
                if (results[j].item == &dbscan_cases[i]) now = &results[j];
            if (now)
                write_rows(file, m, now);
            else
                copy_rows(file, path, dbscan_cases[i].cloud.name);
        }
        written = !ferror(file);
        if (fclose(file) != 0) written = false;
        if (written) written = rename(beside, path) == 0;
        if (!written) remove(beside);
    }
    if (!written) snprintf(why->text, sizeof why->text, "%s cannot be written", path);
    return written;
}
