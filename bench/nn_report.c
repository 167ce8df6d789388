/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Results of the bench of nearest neighbours. The table is the paper's: construction, query and total time, and how
 * many times as fast as FLANN; figures that were set are marked "ok" or "MISS".
 */
#include "nn_report.h"

#include <clump/clump.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rivals add up the distance to a box from differences, whose rounding can hide a point from them that is nearer by less
 * than that: seen where all points are about as far away. */
static const double may_differ = 0.001;

static const nn_contestant *find(const nn_result *result, const char *name, int threads)
{
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->contestants[i].name, name) == 0 && result->contestants[i].threads == threads &&
            !result->contestants[i].failed)
            return &result->contestants[i];
    return NULL;
}

double nn_best_rival(const nn_result *result)
{
    const nn_contestant *const a = find(result, "flann", 1), *const b = find(result, "nanoflann", 1);
    if (!a || !b) return a ? a->total_ms : b ? b->total_ms : 0;
    return a->total_ms < b->total_ms ? a->total_ms : b->total_ms;
}

static void print_figure(const nn_result *result, int threads, double target, nn_totals *totals)
{
    const nn_contestant *const ours = find(result, "fast", threads);
    const double best = nn_best_rival(result);
    if (!ours || !(best > 0) || !(target > 0)) return;
    const double ratio = best / ours->total_ms;
    const bool reached = ratio >= target;
    totals->reached += reached, totals->missed += !reached;
    printf("  %.2f times as fast as the better of FLANN and nanoflann, %d thread%s [%.2f] %s\n", ratio, threads,
           threads > 1 ? "s" : "", target, reached ? "ok" : "MISS");
}

void nn_report_case(const nn_result *result, nn_totals *totals)
{
    const nn_contestant *const flann = find(result, "flann", 1);
    printf("%s: %zu queries of %zu points\n", result->item->name, result->queries, result->points);
    printf("  %-10s %7s %13s %10s %10s %8s\n", "method", "threads", "construction", "query", "total", "speedup");
    for (size_t i = 0; i < result->count; i++) {
        const nn_contestant *const c = &result->contestants[i];
        if (c->failed) {
            printf("  %-10s failed\n", c->name);
            totals->wrong++;
            continue;
        }
        printf("  %-10s %7d %10.2f ms %7.2f ms %7.2f ms", c->name, c->threads, c->build_ms, c->query_ms, c->total_ms);
        if (flann) printf(" %7.2fx", flann->total_ms / c->total_ms);
        if (c->approximate) printf("  recall %.2f %%", 100 * c->recall);
        if (!c->approximate && c->recall < 1) {
            const bool wrong = !c->rival || 1 - c->recall > may_differ;
            printf("  %s: %.4f %% of the distances differ", wrong ? "ERROR" : "note", 100 * (1 - c->recall));
            totals->wrong += wrong;
        }
        puts("");
    }
    print_figure(result, 1, result->item->target, totals);
    print_figure(result, 2, result->item->target_two, totals);
    fflush(stdout);
}

/* ----- CSV ---------------------------------------------------------------------------------------- */

static const char header[] = "case,points,queries,contestant,contestant_version,threads,runs,construction_ms,query_ms,"
                             "total_ms,speedup,target,recall,machine,cores,compiler,clump,date\n";

static bool is_new(const char *line, const nn_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(results[i].item->name);
        if (strncmp(line, results[i].item->name, length) == 0 && line[length] == ',') return true;
    }
    return false;
}

static void keep_old(FILE *to, const char *path, const nn_result *results, size_t count)
{
    FILE *const old = fopen(path, "r");
    char line[1024];
    bool first = true;
    while (old && fgets(line, sizeof line, old)) {
        if (!first && !is_new(line, results, count)) fputs(line, to);
        first = false;
    }
    if (old) fclose(old);
}

static void put_rows(FILE *to, const machine *m, const nn_result *r)
{
    const nn_contestant *const flann = find(r, "flann", 1);
    for (size_t i = 0; i < r->count; i++) {
        const nn_contestant *const c = &r->contestants[i];
        if (c->failed) continue;
        const bool ours = strcmp(c->name, "fast") == 0;
        const double target = !ours ? 0 : c->threads == 1 ? r->item->target : r->item->target_two;
        fprintf(to, "%s,%zu,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.4f,%.3f,%.3g,%.6f,%s,%d,%s,%s,%s\n", r->item->name, r->points,
                r->queries, c->name, c->version, c->threads, c->runs, c->build_ms, c->query_ms, c->total_ms,
                flann ? flann->total_ms / c->total_ms : 0, target, c->recall, m->cpu, m->cores, m->compiler,
                clump_version(), m->date);
    }
}

bool nn_report_csv(const char *path, const machine *m, const nn_result *results, size_t count, clump_message *why)
{
    char beside[1200];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *const to = fopen(beside, "w");
    bool done = to != NULL;
    if (to) {
        fputs(header, to);
        for (size_t i = 0; i < count; i++) put_rows(to, m, &results[i]);
        keep_old(to, path, results, count);
        done = !ferror(to);
        done = fclose(to) == 0 && done && rename(beside, path) == 0;
    }
    if (!done) snprintf(why->text, sizeof why->text, "%s: cannot be written", path);
    return done;
}
