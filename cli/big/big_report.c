/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_report.c: what `clump ec` and `clump dbscan` print of a survey. Other programs rely on the keys of the JSON object
 * and on their order.
 */
#include "big/big.h"

#include "files/source.h"
#include "cluster/cluster.h"

#include <inttypes.h>
#include <math.h>

const char *const cli_big_phases[CLUMP_BIG_PHASES] = {"plan", "scatter", "tiles", "merge", "output", "exchange"};

static double total_seconds(const clump_big_result *r)
{
    double total = 0;
    for (size_t i = 0; i < CLUMP_BIG_PHASES; i++) total += r->phases_s[i];
    return total;
}

static cli_oversize oversize_of(const clump_big_result *r)
{
    return (cli_oversize){r->oversize_dropped, r->oversize_points, r->oversize_kept, 0};
}

static void put_hash(cli_json *j, const char *key, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cli_json_text(j, key, hash ? text : NULL);
}

static void put_parameters(cli_json *j, const cli_plan *plan)
{
    const cli_cluster *const s = plan->settings;
    cli_json_open(j, "parameters", '{');
    plan->job.put_parameters(j, plan->settings);
    cli_put_region(j, &s->region);
    cli_put_classes(j, s->drop_class);
    cli_put_by_class_settings(j, s);
    cli_frame_put(j, s);
    cli_json_text(j, "intensity", s->intensity);
    cli_json_text(j, "keep", s->keep);
    if (s->ram)
        cli_json_count(j, "ram", s->ram);
    else
        cli_json_null(j, "ram");
    cli_json_close(j, '}');
}

void cli_big_report_json(FILE *to, const cli_big_report *report)
{
    const cli_plan *const plan = report->plan;
    const clump_big_result *const r = &report->result;
    const cli_cluster *const s = plan->settings;
    const bool steps = r->frame == CLUMP_FILE_FRAME_STEPS;
    cli_json j = cli_json_begin(to, report->command);
    cli_json_text(&j, "input", plan->input);
    put_parameters(&j, plan);
    cli_json_count(&j, "points", r->points);
    cli_json_null(&j, "finite");
    cli_json_int(&j, "clusters", r->clusters);
    if (s->classes) {
        const cli_oversize oversize = oversize_of(r);
        cli_json_null(&j, "classes");
        cli_put_oversize(&j, &oversize);
    }
    if (plan->job.has_core) cli_json_null(&j, "core");
    cli_json_count(&j, "noise", r->noise);
    cli_json_count(&j, "largest", r->largest);
    cli_json_count(&j, "ground", r->ground);
    cli_json_null(&j, "ground_level");
    cli_json_null(&j, "masked");
    cli_json_count(&j, "thinned", r->thinned);
    cli_json_bool(&j, "approximate", s->thin > 0);
    cli_json_text(&j, "frame", steps ? "steps" : "whole");
    cli_json_number(&j, "step", steps ? r->step : (double)NAN);
    cli_json_text(&j, "method", "fast");
    cli_json_text(&j, "device", report->device);
    cli_json_text(&j, "memory", "pageable");
    cli_json_text(&j, "reason", report->reason);
    cli_json_null(&j, "threads");
    cli_json_int(&j, "passes", 1);
    cli_json_count(&j, "pieces", r->tiles);
    put_hash(&j, "labels_hash", r->labels_hash);
    cli_json_null(&j, "time_ms");
    cli_json_null(&j, "memory_bytes");
    cli_json_open(&j, "inputs", '[');
    for (size_t i = 0; i < plan->input_count; i++) cli_json_text(&j, NULL, plan->inputs[i]);
    cli_json_close(&j, ']');
    cli_json_count(&j, "left_out", r->left_out);
    cli_json_count(&j, "rim_points", r->rim_points);
    cli_json_count(&j, "links", r->links);
    cli_json_count(&j, "bytes_moved", r->bytes_moved);
    cli_json_open(&j, "phases_s", '{');
    for (size_t i = 0; i < CLUMP_BIG_PHASES; i++)
        cli_json_number(&j, cli_big_phases[i], round(1e6 * r->phases_s[i]) / 1e6);
    cli_json_close(&j, '}');
    put_hash(&j, "labels_hash_64", r->labels_hash_64);
    cli_json_int(&j, "ranks", r->ranks);
    cli_json_count(&j, "bytes_sent", r->bytes_sent);
    cli_json_count(&j, "tasks_skipped", r->tasks_skipped);
    cli_json_count(&j, "ram_peak", r->ram_peak);
    cli_json_text(&j, "work", report->work);
    cli_json_end(&j);
}

void cli_big_report_text(FILE *to, const cli_big_report *report)
{
    const cli_plan *const plan = report->plan;
    const clump_big_result *const r = &report->result;
    const cli_cluster *const s = plan->settings;
    char moved[CLI_BYTES_SIZE], ram[CLI_BYTES_SIZE], time[CLI_TIME_SIZE];
    cli_bytes_text(moved, r->bytes_moved);
    cli_bytes_text(ram, r->ram_peak);
    fprintf(to, "%s", cli_shown(plan->input));
    if (plan->input_count > 1) fprintf(to, " and %zu more", plan->input_count - 1);
    fprintf(to, ": %" PRId64 " cluster%s at %s\n", r->clusters, r->clusters == 1 ? "" : "s",
            s->classes ? "the distances of the classes" : plan->job.summary);
    fprintf(to, "points   %" PRIu64, r->points);
    if (r->left_out) fprintf(to, ", %" PRIu64 " left out", r->left_out);
    if (s->ground.remove) fprintf(to, "\nground   %" PRIu64, r->ground);
    fprintf(to, "\nnoise    %" PRIu64 "\nlargest  %" PRIu64 " point%s\n", r->noise, r->largest,
            r->largest == 1 ? "" : "s");
    const cli_oversize oversize = oversize_of(r);
    cli_print_oversize(to, "oversize ", &oversize);
    if (s->thin > 0) {
        char side[CLI_NUMBER_SIZE];
        cli_float_text(side, s->thin);
        fprintf(to, "thinned  %" PRIu64 ", by voxels of %s: the result is approximate\n", r->thinned, side);
    }
    if (r->frame == CLUMP_FILE_FRAME_STEPS) fprintf(to, "frame    steps of %.15g\n", r->step);
    fprintf(to, "tiles    %" PRIu64 ", with %" PRIu64 " points in rims and %" PRIu64 " link%s between them\n", r->tiles,
            r->rim_points, r->links, r->links == 1 ? "" : "s");
    if (r->tasks_skipped) fprintf(to, "skipped  %" PRIu64 " tasks that an earlier run had done\n", r->tasks_skipped);
    if (r->ranks > 1) {
        cli_bytes_text(moved, r->bytes_sent);
        fprintf(to, "ranks    %d, %s sent\n", r->ranks, moved);
        cli_bytes_text(moved, r->bytes_moved);
    }
    cli_time_text(time, 1e3 * total_seconds(r));
    fprintf(to, "time     %s:", time);
    for (size_t i = 0; i < CLUMP_BIG_PHASES; i++) {
        if (i == CLUMP_BIG_PHASES - 1 && r->ranks <= 1) continue;
        cli_time_text(time, 1e3 * r->phases_s[i]);
        fprintf(to, "%s %s %s", i ? "," : "", cli_big_phases[i], time);
    }
    fprintf(to, "\nmoved    %s to and from files\nmemory   %s at most\n", moved, ram);
}
