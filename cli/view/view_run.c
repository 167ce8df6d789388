/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_run.c: reads the frames of `clump view`, labels them and writes them.
 */
#include "cluster/clustering.h"
#include "base/progress.h"
#include "common/assert.h"
#include "view/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { VIEW_READ_AHEAD = 8 };

/* What one frame needs until it is written. */
typedef struct shown_frame {
    view_frame frame;
    cli_clustering clustering;
    cli_cluster_view found;    /* of the job */
    cli_view_labels labels[2]; /* of files */
    cli_drive_frame tracked;
    char *name;
} shown_frame;

/* --- reading ------------------------------------------------------------------------------------------ */

static bool is_single(const cli_view *view)
{
    struct stat there;
    if (view->path_count != 1) return false;
    if (stat(view->paths[0], &there) == 0 && S_ISDIR(there.st_mode)) return false;
    return view->s->format || !cli_is_recording(view->paths[0]);
}

/* Fails where one of several files does not exist. As a part of a recording it would only be counted as lost. A job
 * without "--" before it looks like a file. */
static int check_files(const cli_view *view)
{
    struct stat there;
    for (size_t i = 0; i < view->path_count && view->path_count > 1; i++) {
        const char *const path = view->paths[i];
        if (stat(path, &there) == 0 || cli_is_dash(path)) continue;
        const int why = errno;
        if (cli_plan_is_job(path)) return cli_usage(view->self, "there is no file '%s'; a job comes after --", path);
        return cli_fail("%s: cannot open: %s", path, strerror(why));
    }
    return CLI_DONE;
}

static int open_input(cli_view *view)
{
    const cli_view_settings *const s = view->s;
    CLI_TRY(check_files(view));
    view->single = is_single(view);
    if ((s->labels || s->compare) && !view->single)
        return cli_usage(view->self, "%s is for one cloud file, not for frames", s->labels ? "--labels" : "--compare");
    if (s->drive.track && view->single)
        return cli_usage(view->self, "--track is for the frames of a recording, of a folder or of several files");
    if (s->partial && !view->single) return cli_usage(view->self, "--partial is for one cloud file, not for frames");
    if (!view->single) {
        CLI_TRY(
            cli_source_open(&view->source, view->paths, view->path_count, &s->source, VIEW_READ_AHEAD, &view->frame));
        view->out.frames = cli_source_expect(&view->source);
        return CLI_DONE;
    }
    view->frame.stamp = INT64_MIN;
    view->frame.path = view->paths[0];
    view->frame.cloud = cli_load(&(cli_input){.path = view->paths[0],
                                              .format = s->format,
                                              .columns = s->source.columns,
                                              .partial = s->partial,
                                              .quiet = s->quiet});
    return view->frame.cloud ? CLI_DONE : CLI_FAILED;
}

/* Reads the next frame. False: there is none. */
static bool next_frame(cli_view *view)
{
    if (view->single) return view->number == 0;
    return cli_source_next(&view->source, &view->frame, &view->ended);
}

/* --- labels -------------------------------------------------------------------------------------------- */

/* Sets where up is and where the sensor is: by the options of the job, or of `view` where there is none. */
static void set_place(const cli_view *view, view_frame *frame)
{
    const cli_view_settings *const s = view->s;
    const cli_cluster *const job = view->plan.settings;
    frame->up = job ? job->ground.options.up : s->up && strcmp(s->up, "y") == 0 ? CLUMP_UP_Y : CLUMP_UP_Z;
    frame->flip = job ? job->ground.options.flip : s->flip;
    for (size_t k = 0; k < 3; k++)
        frame->sensor[k] = job ? job->region.sensor[k] : isnan(s->sensor[k]) ? 0 : s->sensor[k];
}

/* Runs the job on the frame. */
static int run_job(cli_view *view, shown_frame *shown)
{
    CLUMP_ASSERT(view->has_plan && view->plan.settings);
    cli_clustering *const w = &shown->clustering;
    *w = (cli_clustering){.job = &view->plan.job,
                          .settings = view->plan.settings,
                          .s = view->plan.settings,
                          .options = view->context_options,
                          .cloud = view->frame.cloud,
                          .context = view->context,
                          .view = CLI_VIEW_PAGE};
    cli_clustering_begin(w, view->plan.command, shown->frame.name);
    CLI_TRY(cli_clustering_run(w));
    if (view->number == 0 && !view->s->quiet) cli_clustering_warn(w);
    if (view->out.page) CLI_TRY(cli_clustering_maps(w, CLI_VIEW_MAP_SIDE));
    CLI_TRY(cli_cluster_view_fill(&shown->found, w));
    const view_frame *const from = &shown->found.frame;
    shown->frame.labelings[0] = from->labelings[0];
    shown->frame.labeling_count = 1;
    shown->frame.map_count = from->map_count;
    memcpy(shown->frame.maps, from->maps, sizeof from->maps);
    shown->frame.facts = from->facts;
    return CLI_DONE;
}

/* Finds the tracks of the clusters, and where they were. */
static int add_tracks(cli_view *view, shown_frame *shown)
{
    view_frame *const frame = &shown->frame;
    view_labels *const labels = &frame->labelings[0];
    if (!view->drive.tracker) return CLI_DONE;
    const size_t count = (size_t)labels->count;
    if (count > view->track_room || !view->tracks) {
        free(view->tracks);
        view->tracks = cli_allocate(2 * count + 1, sizeof *view->tracks);
        view->track_room = view->tracks ? 2 * count + 1 : 0;
        if (!view->tracks) return cli_fail("not enough memory for %zu tracks", count);
    }
    shown->tracked = (cli_drive_frame){.frame = &view->frame,
                                       .recorded = view->frame.stamp,
                                       .clusters = labels->clusters,
                                       .count = labels->count,
                                       .tracks = view->tracks};
    clump_message why = {0};
    const clump_status status = cli_drive_next(&view->drive, view->context, &shown->tracked, &why);
    if (status != CLUMP_OK && !why.text[0]) return cli_fail_context(view->context, status);
    if (status != CLUMP_OK) return cli_fail("%s: %s", frame->name, why.text);
    labels->tracks = view->tracks;
    if (shown->tracked.has_pose) frame->pose = shown->tracked.frame_pose;
    return view_trails_add(&view->trails, frame) ? CLI_DONE : cli_fail("not enough memory for %zu tracks", count);
}

/* Reads labels from a file, or from the fields of the cloud where path is null. */
static int read_labels(cli_view *view, shown_frame *shown, const char *path)
{
    view_frame *const frame = &shown->frame;
    CLUMP_ASSERT(frame->labeling_count < sizeof frame->labelings / sizeof *frame->labelings);
    cli_view_labels *const labels = &shown->labels[frame->labeling_count];
    cli_view_labels_input in = {.cloud = view->frame.cloud,
                                .name = frame->name,
                                .path = path,
                                .context = view->context,
                                .up = frame->up,
                                .quiet = view->s->quiet};
    memcpy(in.sensor, frame->sensor, sizeof in.sensor);
    CLI_TRY(cli_view_labels_read(labels, &in));
    frame->labelings[frame->labeling_count++] = labels->shown;
    return CLI_DONE;
}

/* Adds classes and instances of a .label file to the fields of the cloud. */
static int attach(cli_view *view)
{
    const char *const path = view->s->labels;
    if (clump_format_of_path(path) != CLUMP_FORMAT_SEMANTICKITTI) return CLI_DONE;
    clump_message message = {0};
    const clump_status status = clump_cloud_attach(view->frame.cloud, path, &message);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(path, status, &message);
}

static int add_labels(cli_view *view, shown_frame *shown)
{
    const cli_view_settings *const s = view->s;
    if (view->has_plan) {
        CLI_TRY(run_job(view, shown));
        CLI_TRY(add_tracks(view, shown));
    } else if (s->labels) {
        CLI_TRY(read_labels(view, shown, s->labels));
        CLI_TRY(attach(view));
    } else if (cli_view_has_labels(view->frame.cloud)) {
        (void)read_labels(view, shown, NULL); /* a field of this name need not have labels; that has been said */
    }
    if (!s->compare) return CLI_DONE;
    if (shown->frame.labeling_count == 0)
        return cli_fail("%s: has no labels to compare with those of %s (--labels FILE, or a job after --)",
                        shown->frame.name, s->compare);
    return read_labels(view, shown, s->compare);
}

/* --- frames -------------------------------------------------------------------------------------------- */

static int fill_frame(cli_view *view, shown_frame *shown)
{
    const char *const path = view->frame.path;
    shown->name = path ? cli_text("%s", cli_view_name(path))
                       : cli_text("%s %llu", cli_view_name(view->paths[0]), (unsigned long long)view->number);
    if (!shown->name) return cli_fail("not enough memory for the name of a frame");
    shown->frame = (view_frame){.name = shown->name,
                                .number = view->number,
                                .stamp = view->frame.stamp,
                                .clouds = {view->frame.cloud},
                                .cloud_names = {shown->name},
                                .cloud_count = 1};
    set_place(view, &shown->frame);
    CLI_TRY(add_labels(view, shown));
    view->clusters += (uint64_t)shown->frame.labelings[0].count; /* 0 without labels */
    return view->s->colour ? cli_view_check_colour(&shown->frame, &view->out.options.look, view->s->colour) : CLI_DONE;
}

static int show_frame(cli_view *view, bool draws)
{
    shown_frame shown = {0};
    int status = fill_frame(view, &shown);
    if (status == CLI_DONE) status = cli_view_frame(&view->out, &shown.frame);
    if (status == CLI_DONE && draws) status = cli_view_draw(&view->out, &shown.frame);
    cli_cluster_view_release(&shown.found);
    cli_clustering_release(&shown.clustering);
    cli_view_labels_release(&shown.labels[0]);
    cli_view_labels_release(&shown.labels[1]);
    free(shown.name);
    return status;
}

/* Reads the frame after the one that is shown, if the last one is to be drawn. */
static bool next_ahead(cli_view *view)
{
    return cli_source_next(&view->source, &view->ahead, &view->ended);
}

static void take_ahead(cli_view *view)
{
    const clump_frame shown = view->frame;
    view->frame = view->ahead;
    view->ahead = shown;
}

/* Shows all frames that are wanted. Without a page, only the frame of the picture is, and with tracks those before it. */
static int show_frames(cli_view *view)
{
    const bool tracks = view->drive.tracker != NULL;
    const bool last = tracks && view->out.picture && view->s->frame == CLI_UNSET; /* the picture is of the last frame */
    const size_t picture = view->s->frame == CLI_UNSET ? 0 : view->s->frame;
    cli_progress progress;
    cli_progress_begin(&progress, "writing", view->out.frames, view->s->quiet);
    cli_progress_rate(&progress, "frames", (double)view->out.frames);
    int status = CLI_DONE;
    bool more = next_frame(view);
    while (status == CLI_DONE && more) {
        if (last) more = next_ahead(view);
        const bool draws = view->out.picture && (last ? !more : view->number == picture);
        if (view->out.page || draws || tracks) status = show_frame(view, draws);
        view->number++;
        cli_progress_step(&progress, (size_t)view->number);
        if (last)
            take_ahead(view);
        else
            more = !(view->out.drawn && !view->out.page) && next_frame(view);
    }
    cli_progress_end(&progress);
    if (status != CLI_DONE || view->ended != CLUMP_OK || !view->out.picture || view->out.drawn) return status;
    if (view->number == 0) return CLI_DONE; /* cli_source_check_any() says so */
    return cli_fail("--frame %zu: there is no such frame, the last one is %llu", picture,
                    (unsigned long long)view->number - 1);
}

/* Says what is missing in the outputs. */
static void warn(const cli_view *view)
{
    char lost[CLI_LOST_SIZE] = "";
    if (!view->single) {
        const clump_recording_losses losses = clump_recording_lost(view->source.recording);
        cli_lost_text(lost, &losses);
    }
    if (lost[0]) cli_warn("%s: lost: %s", view->paths[0], lost);
    if (!view->single) cli_warn_partial(&view->source);
    if (view->source.bad > 0)
        cli_warn("%s: %llu frame%s could not be read; the first: %s", view->paths[0],
                 (unsigned long long)view->source.bad, view->source.bad == 1 ? "" : "s", view->source.why.text);
    if (view->drive.unjudged > 0)
        cli_warn("%s: it is not known what moves in %llu frame%s: poses within a second before are lost",
                 view->paths[0], (unsigned long long)view->drive.unjudged, view->drive.unjudged == 1 ? "" : "s");
    cli_view_warn(&view->out);
}

int cli_view_run(cli_view *view)
{
    CLI_TRY(open_input(view));
    CLI_TRY(cli_context_create(&view->context_options, &view->context));
    const clump_up up = view->has_plan ? ((const cli_cluster *)view->plan.settings)->ground.options.up : CLUMP_UP_Z;
    CLI_TRY(cli_drive_begin(&view->drive, view->self, &view->s->drive, view->context, up, &view->source, &view->frame));
    CLI_TRY(cli_view_begin(&view->out));
    CLI_TRY(show_frames(view));
    if (!view->single && view->ended == CLUMP_OK) CLI_TRY(cli_source_check_any(&view->source));
    if (view->number == 0) return cli_fail_message(view->paths[0], view->ended, &view->source.why);
    CLI_TRY(cli_view_end(&view->out));
    if (!view->s->quiet) warn(view);
    return CLI_DONE;
}
