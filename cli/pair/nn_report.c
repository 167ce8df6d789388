/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_report.c: see pair.h. Other programs rely on the keys of the JSON object and on their order.
 */
#include "pair/pair.h"

#include "common/assert.h"

#include "files/device.h"
#include "base/json.h"

#include <clump/info.h>

#include <math.h>

void cli_nn_summarise(cli_nn_report *r, const int32_t *indices, const float *squared, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (indices[i] < 0) continue;
        const double distance = sqrt((double)squared[i]);
        r->found++;
        sum += distance;
        if (distance > r->worst) r->worst = distance;
    }
    CLUMP_ASSERT(r->found <= n);
    r->mean = r->found ? sum / (double)r->found : 0;
    r->recall = 1;
}

/* A neighbour that exists and was not found lowers the recall, and is left out of the errors. */
void cli_nn_compare(cli_nn_report *r, const float *squared, const float *exact, size_t n)
{
    size_t there = 0, hit = 0, farther = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(exact[i] < INFINITY)) continue;
        there++;
        hit += squared[i] == exact[i];
        if (squared[i] == exact[i] || !(squared[i] < INFINITY)) continue;
        const double error = sqrt((double)squared[i]) - sqrt((double)exact[i]);
        CLUMP_ASSERT(error >= 0);
        farther++;
        sum += error;
        if (error > r->worst_error) r->worst_error = error;
    }
    CLUMP_ASSERT(hit + farther <= there && there <= n);
    r->recall = there ? (double)hit / (double)there : 1;
    r->mean_error = farther ? sum / (double)farther : 0;
}

void cli_nn_json(FILE *to, const cli_nn_report *r)
{
    const clump_stats *const s = &r->stats;
    cli_json j = cli_json_begin(to, "nn");
    cli_json_text(&j, "reference", r->reference);
    cli_json_text(&j, "input", r->input);
    cli_json_open(&j, "parameters", '{');
    cli_json_count(&j, "k", r->k);
    cli_json_float(&j, "max_distance", r->max_distance);
    cli_json_int(&j, "partitions", r->partitions);
    cli_json_int(&j, "window", r->window);
    cli_json_close(&j, '}');
    cli_json_count(&j, "points", s->points);
    cli_json_count(&j, "finite", s->finite);
    cli_json_count(&j, "queries", s->queries);
    cli_json_count(&j, "found", r->found);
    cli_json_number(&j, "mean_distance", r->mean);
    cli_json_number(&j, "worst_distance", r->worst);
    cli_json_number(&j, "recall", r->recall);
    if (r->approximate) {
        cli_json_number(&j, "mean_error", r->mean_error);
        cli_json_number(&j, "worst_error", r->worst_error);
    }
    cli_pair_put_run(&j, s, r->device, &r->times);
    cli_json_end(&j);
}

void cli_nn_text(FILE *to, const cli_nn_report *r)
{
    const clump_stats *const s = &r->stats;
    fprintf(to, "%s: nearest of %s\n", cli_shown(r->input), cli_shown(r->reference));
    fprintf(to, "points   %zu", s->points);
    if (s->finite != s->points) fprintf(to, ", %zu of them not finite", s->points - s->finite);
    fprintf(to, "\nqueries  %zu", s->queries);
    if (r->k > 1) fprintf(to, ", %zu neighbours each", r->k);
    fprintf(to, "\nfound    %zu", r->found);
    if (r->max_distance < INFINITY) fprintf(to, " within %g", (double)r->max_distance);
    fprintf(to, "\ndistance %.4g in the mean, %.4g at most\n", r->mean, r->worst);
    if (r->approximate)
        fprintf(to, "recall   %.2f %%, the rest %.3g too far in the mean, %.3g at most\n", 100 * r->recall,
                r->mean_error, r->worst_error);
    cli_put_run(to, &r->times, s, r->device, NULL);
}
