/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of the papers' experiments, as they are written. The settings of the run that makes them.
 */
#include "papers/papers.h"

#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

papers_settings papers = {.rivals = CLUMP_BENCH_RIVALS, .folder = "build/papers"};

papers_row papers_row_of(const contest *c, const contestant *who)
{
    const clump_stats *const s = &who->stats;
    return (papers_row){
        .name = c->name,
        .series = who->name,
        .backend = who->threads == CONTEST_GPU ? "cuda" : "cpu",
        .threads = who->threads == CONTEST_GPU ? 1 : who->threads,
        .points = who->cloud->count,
        .runs = who->time[0].runs,
        .median_ms = who->time[0].median_ms,
        .min_ms = who->time[0].min_ms,
        .upload_ms = s->upload_ms,
        .build_ms = s->build_ms,
        .initial_ms = s->initial_ms,
        .cluster_ms = s->cluster_ms,
        .merge_ms = s->merge_ms,
        .label_ms = s->label_ms,
        .download_ms = s->download_ms,
        .passes = (long long)s->passes,
        .clusters = s->clusters,
        .value = (double)NAN,
        .hash = who->hash,
        .agree = who->incomparable || who->beside || who->left_out[0] ? ""
                 : who->differ                                        ? "no"
                                                                      : "yes",
        .version = who->version,
        .note = who->left_out[0] ? who->note : "",
    };
}

void papers_put(csv *rows, const papers_row *row)
{
    char note[200];
    snprintf(note, sizeof note, "%s", row->note ? row->note : "");
    for (char *c = note; *c; c++) *c = *c == ',' ? ';' : *c == '\n' ? ' ' : *c;
    csv_add(rows, "%s,%s,%s,%.10g,%s,%d,%zu,%zu,%.5g,%.5g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,", row->name,
            row->experiment, row->series, row->x, row->backend, row->threads, row->points, row->runs, row->median_ms,
            row->min_ms, row->upload_ms, row->build_ms, row->initial_ms, row->cluster_ms, row->merge_ms, row->label_ms,
            row->download_ms);
    csv_add(rows, "%lld,%ld,%.8g,%016llx,%s,%s,%s,%s,", row->passes, row->clusters, row->value,
            (unsigned long long)row->hash, row->agree, row->version, note, papers.gpu);
}

void papers_add(csv *rows, const papers_row *row)
{
    const machine m = machine_describe();
    papers_put(rows, row);
    csv_end(rows, &m);
}
