/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_report.c: the summary of `clump play`, for people and as JSON.
 */
#include "play/play.h"

#include "common/assert.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_play_stage_names[CLI_PLAY_STAGES] = {"wait", "decode", "cluster", "total", "write"};

static const struct {
    const char *heading, *key;
    double share;
} quantiles[] = {{"median", "p50", 0.5}, {"99 %", "p99", 0.99}, {"99.9 %", "p99_9", 0.999}};
enum { REPORT_QUANTILES = sizeof quantiles / sizeof quantiles[0] };

static double per_frame(const cli_play_result *r, uint64_t amount)
{
    return r->frames > 0 ? (double)amount / (double)r->frames : NAN;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static double seconds_played(const cli_play_result *r)
{
    CLUMP_ASSERT(r->begun <= r->ended);
    return 1e-9 * (double)(r->ended - r->begun);
}

/* Returns the recorded time from the first frame to the last, with gaps bridged. */
static double seconds_recorded(const cli_play *play)
{
    return 1e-9 * (double)play->pace.elapsed;
}

/* --- text ------------------------------------------------------------------------------------------------ */

static void put_latencies(FILE *to, const cli_play_result *r)
{
    CLUMP_ASSERT(r->frames > 0);
    cli_table_row rows[CLI_PLAY_STAGES + 1];
    memset(rows, 0, sizeof rows);
    strcpy(rows[0].cell[0], "ms");
    for (size_t q = 0; q < REPORT_QUANTILES; q++) strcpy(rows[0].cell[1 + q], quantiles[q].heading);
    strcpy(rows[0].cell[1 + REPORT_QUANTILES], "max");
    for (size_t i = 0; i < CLI_PLAY_STAGES; i++) {
        char(*const cell)[CLI_NUMBER_SIZE] = rows[i + 1].cell;
        strcpy(cell[0], cli_play_stage_names[i]);
        for (size_t q = 0; q < REPORT_QUANTILES; q++)
            snprintf(cell[1 + q], CLI_NUMBER_SIZE, "%.2f", cli_latency_quantile(&r->latency[i], quantiles[q].share));
        snprintf(cell[1 + REPORT_QUANTILES], CLI_NUMBER_SIZE, "%.2f", cli_latency_most(&r->latency[i]));
    }
    const cli_table_group groups[] = {{1, ""}, {1 + REPORT_QUANTILES, "latency"}, {0, NULL}};
    cli_table_print(to, groups, rows, CLI_PLAY_STAGES + 1);
}

static void put_speed(FILE *to, const cli_play *play)
{
    const cli_play_result *const r = &play->result;
    const double played = seconds_played(r), recorded = seconds_recorded(play);
    char there[CLI_TIME_SIZE], here[CLI_TIME_SIZE];
    cli_time_text(there, 1e3 * recorded);
    cli_time_text(here, 1e3 * played);
    if (play->wire) {
        fprintf(to, "played    %s, %.1f frames/s\n", here, played > 0 ? (double)r->frames / played : 0.0);
        return;
    }
    fprintf(to, "played    %s of the recording in %s, %.1f frames/s", there, here,
            played > 0 ? (double)r->frames / played : 0.0);
    if (play->s->flat_out)
        fprintf(to, ", %.1f times the recorded speed\n", played > 0 ? recorded / played : 0.0);
    else
        fprintf(to, ", at %g times the recorded speed\n", play->s->rate);
}

static void put_troubles(FILE *to, const cli_play *play, const clump_recording_losses *lost)
{
    const cli_play_result *const r = &play->result;
    char text[CLI_LOST_SIZE];
    if (!isnan(play->deadline))
        fprintf(to, "deadline  %.6g ms, missed by %" PRIu64 " frame%s (%.2f %%)\n", play->deadline, r->missed,
                plural(r->missed), r->frames ? 100 * (double)r->missed / (double)r->frames : 0.0);
    if (play->drops || r->dropped)
        fprintf(to, "dropped   %" PRIu64 " frame%s that waited too long\n", r->dropped, plural(r->dropped));
    if (r->failed) fprintf(to, "failed    %" PRIu64 " frame%s could not be clustered\n", r->failed, plural(r->failed));
    if (play->pace.backwards || play->pace.gaps)
        fprintf(to,
                "time      %" PRIu64 " step%s backwards, %" PRIu64
                " gap%s of more than 10 s: one period instead of each\n",
                play->pace.backwards, plural(play->pace.backwards), play->pace.gaps, plural(play->pace.gaps));
    cli_lost_text(text, lost);
    if (text[0])
        fprintf(to, "lost      %s\n", text);
    else if (lost->first[0])
        fprintf(to, "note      %s\n", lost->first);
    char partial[CLI_PARTIAL_SIZE];
    cli_partial_text(partial, &play->source);
    if (partial[0]) fprintf(to, "turns     %s\n", partial);
    if (play->source.bad)
        fprintf(to, "lost      %" PRIu64 " frame%s could not be read\n", play->source.bad, plural(play->source.bad));
}

static void put_check(FILE *to, const cli_play *play)
{
    if (!play->check_pcl) return;
    const cli_check_pcl_result r = cli_check_pcl_sum_up(play->check_pcl);
    char time[CLI_TIME_SIZE];
    cli_time_text(time, r.frames ? 1e3 * r.seconds / (double)r.frames : 0.0);
    fprintf(to, "pcl       %zu of %zu frames have the clusters of %s (%.2f %%), which took %s per frame\n", r.equal,
            r.frames, r.version, r.frames ? 100 * (double)r.equal / (double)r.frames : 0.0, time);
}

void cli_play_report_text(FILE *to, const cli_play *play, const clump_recording_losses *lost)
{
    const cli_play_result *const r = &play->result;
    const char *const topic = play->s->source.topic;
    const bool by_class = play->by_class.table.count > 0;
    fprintf(to, "%s: %" PRIu64 " frame%s%s%s, %s at %s\n", cli_shown(play->name), r->frames, r->frames == 1 ? "" : "s",
            topic ? " of " : "", topic ? topic : "", play->job_command->name,
            by_class ? "the distances of the classes" : play->plan.summary);
    put_speed(to, play);
    cli_play_wire_report(to, play);
    if (r->frames > 0) {
        fprintf(to, "points    %" PRIu64 ", %.0f per frame\n", r->points, per_frame(r, r->points));
        fprintf(to, "clusters  %" PRIu64 ", %.1f per frame, %" PRId32 " to %" PRId32 "\n", r->clusters,
                per_frame(r, r->clusters), r->fewest, r->most);
        cli_print_oversize(to, "oversize  ", &r->oversize);
        cli_print_ring_doubts(to, "rings     ", &r->ring_doubts, r->frames, "frame");
    }
    cli_drive_report(to, &play->drive);
    if (play->drive.over_ground)
        fprintf(to, "tracks    %" PRIu64 "; %" PRIu64 " of %" PRIu64 " clusters move\n", r->tracks, r->moving,
                r->clusters);
    else if (play->s->drive.track)
        fprintf(to, "tracks    %" PRIu64 "\n", r->tracks);
    if (play->drive.memory)
        fprintf(to, "memory    %" PRIu64 " object%s kept apart, %" PRIu64 " kept as one\n", r->parts, plural(r->parts),
                r->merged);
    if (play->serve) {
        const uint64_t shown = cli_play_serve_shown(play);
        const uint64_t skipped = cli_play_serve_skipped(play);
        fprintf(to, "shown     %" PRIu64 " frame%s in a browser", shown, plural(shown));
        if (skipped > 0) fprintf(to, "; clients of Foxglove were too slow for %" PRIu64, skipped);
        fputc('\n', to);
    }
    if (play->publisher) {
        const uint64_t unsent = clump_recorder_unsent(play->publisher);
        fprintf(to, "published %" PRIu64 " frame%s in ROS 2", play->published, plural(play->published));
        if (unsent > 0) fprintf(to, "; %" PRIu64 " message%s could not be sent", unsent, plural(unsent));
        fputc('\n', to);
    }
    put_check(to, play);
    put_troubles(to, play, lost);
    if (r->frames > 0) put_latencies(to, r);
    if (play->s->output && play->folder.path)
        fprintf(to, "\nwrote %zu file%s in %s\n", play->folder.written, play->folder.written == 1 ? "" : "s",
                cli_shown(play->s->output));
    else if (play->view.out.page)
        fputc('\n', to), cli_view_put_written(to, &play->view.out);
    else if (play->s->output)
        fprintf(to, "\nwrote %s\n", cli_shown(play->s->output));
    if (play->s->chart) fprintf(to, "%swrote %s\n", play->s->output ? "" : "\n", cli_shown(play->s->chart));
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void put_latencies_json(cli_json *j, const cli_play_result *r)
{
    cli_json_open(j, "latency_ms", '{');
    for (size_t i = 0; i < CLI_PLAY_STAGES; i++) {
        cli_json_open(j, cli_play_stage_names[i], '{');
        for (size_t q = 0; q < REPORT_QUANTILES; q++)
            cli_json_ms(j, quantiles[q].key, cli_latency_quantile(&r->latency[i], quantiles[q].share));
        cli_json_ms(j, "max", cli_latency_most(&r->latency[i]));
        cli_json_close(j, '}');
    }
    cli_json_close(j, '}');
}

static void put_check_json(cli_json *j, const cli_play *play)
{
    if (!play->check_pcl) {
        cli_json_null(j, "pcl");
        return;
    }
    const cli_check_pcl_result r = cli_check_pcl_sum_up(play->check_pcl);
    cli_json_open(j, "pcl", '{');
    cli_json_text(j, "version", r.version);
    cli_json_count(j, "frames", r.frames);
    cli_json_count(j, "equal", r.equal);
    cli_json_ms(j, "mean_ms", r.frames ? 1e3 * r.seconds / (double)r.frames : NAN);
    cli_json_close(j, '}');
}

void cli_play_report_json(FILE *to, const cli_play *play, const clump_recording_losses *lost)
{
    const cli_play_result *const r = &play->result;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, r->labels_hash);
    cli_json j = cli_json_begin(to, "play");
    cli_json_text(&j, "input", play->name);
    cli_json_text(&j, "topic", clump_recording_topic(play->source.recording));
    cli_play_put_job(&j, play);
    cli_json_count(&j, "frames", r->frames);
    cli_json_count(&j, "points", r->points);
    cli_json_count(&j, "clusters", r->clusters);
    if (play->by_class.table.count > 0) cli_put_oversize(&j, &r->oversize);
    if (play->s->drive.track)
        cli_json_count(&j, "tracks", r->tracks);
    else
        cli_json_null(&j, "tracks");
    if (play->drive.memory) {
        cli_json_count(&j, "kept_apart", r->parts);
        cli_json_count(&j, "kept_as_one", r->merged);
    } else {
        cli_json_null(&j, "kept_apart");
        cli_json_null(&j, "kept_as_one");
    }
    if (play->plan.job.cuts_tree)
        cli_json_count(&j, "ring_doubts", r->ring_doubts.count);
    else
        cli_json_null(&j, "ring_doubts");
    cli_drive_put(&j, &play->drive);
    cli_json_text(&j, "labels_hash", hash);
    cli_json_number(&j, "rate", play->s->flat_out ? NAN : play->s->rate);
    cli_json_number(&j, "recorded_s", seconds_recorded(play));
    cli_json_number(&j, "played_s", seconds_played(r));
    cli_json_number(&j, "frames_per_s", seconds_played(r) > 0 ? (double)r->frames / seconds_played(r) : NAN);
    cli_json_ms(&j, "deadline_ms", play->deadline);
    cli_json_count(&j, "missed", r->missed);
    cli_json_count(&j, "dropped", r->dropped);
    cli_json_count(&j, "failed", r->failed);
    cli_json_count(&j, "backwards", play->pace.backwards);
    cli_json_count(&j, "gaps", play->pace.gaps);
    put_latencies_json(&j, r);
    cli_put_lost(&j, lost, play->source.bad);
    cli_json_count(&j, "partial_turns", play->source.partial);
    cli_play_wire_json(&j, play);
    put_check_json(&j, play);
    if (play->serve)
        cli_json_count(&j, "shown", cli_play_serve_shown(play));
    else
        cli_json_null(&j, "shown");
    if (play->serve) cli_json_count(&j, "skipped", cli_play_serve_skipped(play));
    if (play->publisher) cli_json_count(&j, "published", play->published);
    if (play->publisher) cli_json_count(&j, "unsent", clump_recorder_unsent(play->publisher));
    cli_json_text(&j, "output", play->s->output);
    cli_json_end(&j);
}
