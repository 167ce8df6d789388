/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_odometry.c: `clump odometry`: where the sensor of a recording moved.
 */
#include "files/source.h"
#include "commands/options.h"
#include "base/progress.h"

#include <clump/info.h>
#include <clump/odometry.h>

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_source_settings source;
    clump_odometry_options how;
    const char *method, *output, *format, *device, *times;
    size_t threads;
    bool overwrite, json, json_lines, quiet;
} settings;

static const char *method_choice(int i)
{
    return i == CLUMP_ICP_POINT ? "point" : i == CLUMP_ICP_PLANE ? "plane" : NULL;
}

static const char *format_choice(int i)
{
    return (const char *const[]){"kitti", "tum", NULL}[i];
}

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_SOURCE_OPTIONS(settings, source),
    CLI_OPTION(CLI_COUNT, 0, "every", "N", AT(source.every), .least = 1, .matters = true,
               .help = "only every N-th frame (default 1)"),
    CLI_TIMES_OPTION(settings, times),
    CLI_HEADING("How"),
    CLI_OPTION(CLI_CHOICE, 0, "method", "NAME", AT(method), .choices = method_choice,
               .help = "bring points to the points of the map, or to its surfaces (default plane)"),
    CLI_ROWS("odometry", AT(how), .only = "voxel map_voxel", .matters = true),
    CLI_ROWS("odometry", AT(how), .without = "voxel map_voxel"),
    CLI_DEVICE_OPTIONS(settings),
    CLI_HEADING("Output"),
    CLI_OPTION(CLI_FILE, 'o', "output", "FILE", AT(output), .matters = true,
               .help =
                   "write the poses, one per frame; .mcap and .bag get them as transforms, for RViz and Foxglove; - is "
                   "standard output"),
    CLI_OPTION(CLI_CHOICE, 0, "format", "NAME", AT(format), .choices = format_choice, .noun = "format", .matters = true,
               .help = "format of FILE (default tum where its name ends in .tum, else kitti)"),
    CLI_OPTION(CLI_SWITCH, 0, "overwrite", NULL, AT(overwrite),
               .help = "of a sensor, ROS 2 or standard input: replace FILE"),
    CLI_OPTION(CLI_SWITCH, 0, "json-lines", NULL, AT(json_lines), .help = "print one JSON object per frame"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print no summary"),
    {0}};
#undef AT

enum { ODOMETRY_READ_AHEAD = 8 };

typedef struct journey {
    const settings *s;
    cli_source source;
    clump_frame frame;
    clump_context *context;
    clump_odometry *odometry;
    clump_poses poses;
    size_t room;       /* of the poses */
    clump_frame named; /* without a cloud: the coordinate frame of the poses */
    cli_point_times times;
    size_t registered, lost, restarted, weak, deskewed, unordered;
    size_t untimely; /* registered frames whose points have times that cannot be used */
    const char *why; /* the first lost frame */
    size_t why_frame;
    double reach;             /* in use */
    double length;            /* of the way */
    double total_ms, most_ms; /* of registered frames */
    char device[CLI_DEVICE_SIZE];
} journey;

/* ----- frames ---------------------------------------------------------------------------------------- */

static int keep_pose(journey *w, const clump_odometry_pose *pose)
{
    clump_poses *const p = &w->poses;
    if (p->count == w->room) {
        const size_t room = 2 * w->room + 256;
        double(*const matrices)[12] = realloc(p->matrices, room * sizeof *matrices);
        if (matrices) p->matrices = matrices;
        int64_t *const times = realloc(p->times, room * sizeof *times);
        if (times) p->times = times;
        if (!matrices || !times) return cli_fail("not enough memory for %zu poses", room);
        w->room = room;
    }
    double *const to = p->matrices[p->count], *const last = p->count > 0 ? p->matrices[p->count - 1] : to;
    memcpy(to, pose->transform, sizeof p->matrices[0]);
    const double d[3] = {to[3] - last[3], to[7] - last[7], to[11] - last[11]};
    w->length += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    p->times[p->count++] = pose->time;
    return CLI_DONE;
}

static void count_pose(journey *w, const clump_odometry_pose *pose)
{
    w->registered += pose->state == CLUMP_ODOMETRY_OK;
    w->lost += pose->state == CLUMP_ODOMETRY_LOST;
    w->restarted += pose->state == CLUMP_ODOMETRY_RESTARTED;
    w->weak += pose->weak;
    w->deskewed += pose->deskewed;
    w->reach = pose->reach;
    if (!pose->why || w->why) return;
    w->why = pose->why;
    w->why_frame = w->poses.count;
}

static void put_line(const clump_odometry_pose *pose, size_t number)
{
    cli_json j = cli_json_begin(stdout, "odometry");
    cli_json_count(&j, "frame", number);
    cli_json_int(&j, "stamp", pose->time);
    cli_json_text(&j, "state", clump_odometry_state_name(pose->state));
    cli_json_text(&j, "why", pose->why);
    cli_json_numbers(&j, "transform", pose->transform, 16);
    cli_json_bool(&j, "weak", pose->weak);
    cli_json_bool(&j, "deskewed", pose->deskewed);
    cli_json_numbers(&j, "certainty", pose->certainty, 3);
    cli_json_numbers(&j, "weakest", pose->weakest, 3);
    cli_json_number(&j, "turn_certainty", pose->turn_certainty);
    cli_json_numbers(&j, "turn_weakest", pose->turn_weakest, 3);
    cli_json_numbers(&j, "information", pose->information, 36);
    cli_json_number(&j, "fitness", pose->fitness);
    cli_json_number(&j, "rmse", pose->rmse);
    cli_json_number(&j, "deviation", pose->deviation);
    cli_json_int(&j, "iterations", pose->iterations);
    cli_json_count(&j, "used", pose->used);
    cli_json_count(&j, "map_points", pose->map_points);
    cli_json_number(&j, "reach", pose->reach);
    cli_json_end(&j);
}

static int push_frame(journey *w)
{
    const clump_points points = clump_cloud_points(w->frame.cloud);
    const double *const origin = clump_cloud_origin(w->frame.cloud);
    const float *times;
    clump_odometry_pose pose;
    if (origin[0] != 0 || origin[1] != 0 || origin[2] != 0)
        return cli_fail("%s: frame %zu is not in the coordinates of a sensor, which is at 0,0,0", w->source.name,
                        w->poses.count);
    if (w->poses.count > 0 && w->frame.stamp <= w->poses.times[w->poses.count - 1]) {
        w->unordered++;
        return CLI_DONE;
    }
    if (w->poses.count == 0) memcpy(w->named.frame_id, w->frame.frame_id, sizeof w->named.frame_id);
    CLI_TRY(cli_point_times_take(&w->times, &w->frame, w->s->times, w->source.name, &times));
    const double start = cli_seconds();
    const clump_status status = clump_odometry_push(w->context, w->odometry, w->frame.stamp, points, times, &pose);
    const double ms = 1000 * (cli_seconds() - start);
    if (status != CLUMP_OK) return cli_fail_context(w->context, status);
    if (pose.state == CLUMP_ODOMETRY_OK) {
        const clump_stats stats = clump_context_stats(w->context);
        cli_device_text(w->device, stats.backend, 0);
        w->untimely += times && !pose.deskewed;
        w->total_ms += ms;
        w->most_ms = ms > w->most_ms ? ms : w->most_ms;
    }
    count_pose(w, &pose);
    if (w->s->json_lines) put_line(&pose, w->poses.count);
    return keep_pose(w, &pose);
}

/* ----- report ---------------------------------------------------------------------------------------- */

static double seconds_of(const clump_poses *p)
{
    return p->count > 1 ? 1e-9 * (double)(p->times[p->count - 1] - p->times[0]) : 0;
}

static void put_json(const journey *w)
{
    const clump_recording_losses lost = clump_recording_lost(w->source.recording);
    cli_json j = cli_json_begin(stdout, "odometry");
    cli_json_text(&j, "input", w->source.name);
    cli_json_text(&j, "topic", clump_recording_topic(w->source.recording));
    cli_json_open(&j, "parameters", '{');
    cli_json_text(&j, "method", w->s->method);
    cli_put_rows(&j, "odometry", NULL, NULL, &w->s->how);
    cli_json_close(&j, '}');
    cli_json_count(&j, "frames", w->poses.count);
    cli_json_count(&j, "registered", w->registered);
    cli_json_count(&j, "lost_frames", w->lost);
    cli_json_count(&j, "restarted", w->restarted);
    cli_json_count(&j, "weak", w->weak);
    cli_json_count(&j, "deskewed", w->deskewed);
    cli_json_count(&j, "out_of_order", w->unordered);
    cli_json_number(&j, "length", w->length);
    cli_json_number(&j, "seconds", seconds_of(&w->poses));
    if (w->poses.count > 0) cli_json_numbers(&j, "last", w->poses.matrices[w->poses.count - 1], 12);
    cli_json_text(&j, "device", w->device);
    cli_json_ms(&j, "mean_ms", w->registered > 0 ? w->total_ms / (double)w->registered : 0);
    cli_json_ms(&j, "most_ms", w->most_ms);
    cli_put_lost(&j, &lost, w->source.bad);
    cli_json_count(&j, "partial_turns", w->source.partial);
    cli_json_end(&j);
}

static void put_text(const journey *w)
{
    FILE *const to = cli_is_dash(w->s->output) || w->s->json_lines ? stderr : stdout;
    const size_t n = w->poses.count;
    fprintf(to, "%s: %zu frame%s, %.2f m in %.1f s\n", cli_shown(w->source.name), n, n == 1 ? "" : "s", w->length,
            seconds_of(&w->poses));
    fprintf(to, "frames   %zu registered, %zu lost, %zu restarted, %zu weak, %zu deskewed\n", w->registered, w->lost,
            w->restarted, w->weak, w->deskewed);
    if (w->registered > 0)
        fprintf(to, "time     %.1f ms per frame, at most %.1f\nran      on %s\n", w->total_ms / (double)w->registered,
                w->most_ms, w->device);
    if (w->s->output && to == stdout) fprintf(to, "wrote %s\n", cli_shown(w->s->output));
}

static void warn(const journey *w)
{
    cli_warn_partial(&w->source);
    if (w->untimely > 0)
        cli_warn("%s: the times of points of %zu frame%s cannot be those of one turn: not deskewed (--times)",
                 w->source.name, w->untimely, w->untimely == 1 ? "" : "s");
    if (w->why)
        cli_warn("%s: %zu frame%s could not be registered; the first is frame %zu: %s%s", w->source.name,
                 w->lost + w->restarted, w->lost + w->restarted == 1 ? "" : "s", w->why_frame, w->why,
                 w->registered == 0 ? " (--reach: how far it may be)" : "");
    if (w->reach > (double)w->s->how.reach)
        cli_warn("%s: the first motion was found with a reach of %g, not %g (--reach)", w->source.name, w->reach,
                 (double)w->s->how.reach);
    if (w->weak > 0)
        cli_warn(
            "%s: %zu frame%s do not determine the motion in all directions, or a rotation; the expected one is taken",
            w->source.name, w->weak, w->weak == 1 ? "" : "s");
    if (w->unordered > 0)
        cli_warn("%s: %zu frame%s not later than the one before: left out", w->source.name, w->unordered,
                 w->unordered == 1 ? " is" : "s are");
    if (w->source.bad > 0)
        cli_warn("%s: %llu frame%s could not be read; the first: %s", w->source.name, (unsigned long long)w->source.bad,
                 w->source.bad == 1 ? "" : "s", w->source.why.text);
}

/* Writes a recording of transforms. */
static int save_transforms(const journey *w)
{
    clump_recorder_options options = clump_recorder_defaults();
    options.temporary = cli_note_temporary;
    clump_message why = {0};
    clump_recorder *recorder = NULL;
    clump_status status = clump_recorder_open(w->s->output, &options, &recorder, &why);
    for (size_t i = 0; i < w->poses.count && status == CLUMP_OK; i++) {
        clump_frame frame = w->named;
        frame.stamp = w->poses.times[i];
        status = clump_recorder_transform(recorder, "/tf", &frame, "odom", w->poses.matrices[i], &why);
    }
    if (status == CLUMP_OK)
        status = clump_recorder_close(recorder, true, &why);
    else
        clump_recorder_close(recorder, false, NULL);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(w->s->output, status, &why);
}

static int save(const journey *w)
{
    const settings *const s = w->s;
    if (cli_names_recording(s->output)) return save_transforms(w);
    const clump_poses_format format = !s->format                      ? CLUMP_POSES_GUESS
                                      : strcmp(s->format, "tum") == 0 ? CLUMP_POSES_TUM
                                                                      : CLUMP_POSES_KITTI;
    clump_message why;
    static int key;
    const clump_status status = clump_poses_save(s->output, &w->poses, format, cli_note_temporary, &key, &why);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(s->output, status, &why);
}

/* ----- the command ----------------------------------------------------------------------------------- */

static int drive(journey *w)
{
    const settings *const s = w->s;
    clump_status status;
    cli_progress progress;
    cli_progress_begin(&progress, "registering", s->source.frames, s->quiet || s->json_lines);
    cli_progress_rate(&progress, "frames", (double)s->source.frames);
    int result = CLI_DONE;
    while (result == CLI_DONE && cli_source_next(&w->source, &w->frame, &status)) {
        result = push_frame(w);
        cli_progress_step(&progress, w->poses.count);
    }
    cli_progress_end(&progress);
    if (result != CLI_DONE) return result;
    if (status == CLUMP_OK) CLI_TRY(cli_source_check_any(&w->source));
    if (s->output) CLI_TRY(save(w));
    if (!s->quiet) warn(w);
    if (s->json)
        put_json(w);
    else if (!s->quiet)
        put_text(w);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(w->source.name, status, &w->source.why);
}

static int run(const cli_command *self, int argc, char **argv, journey *w, settings *s, const char **paths)
{
    size_t count;
    cli_memory_kind kind;
    clump_context_options options = clump_context_defaults();
    CLI_TRY(cli_parse_many(self, argc, argv, s, paths, &count));
    if (s->json && s->json_lines) return cli_usage(self, "--json and --json-lines both want standard output");
    if (cli_is_dash(s->output) && (s->json || s->json_lines))
        return cli_usage(self, "-o - and --json both want standard output");
    if (s->format && !s->output) return cli_usage(self, "--format is for -o FILE");
    if (s->format && cli_names_recording(s->output))
        return cli_usage(self, "--format is for files of text, -o %s is a recording", s->output);
    if (!(s->how.voxel > 0)) return cli_usage(self, "--voxel must be above 0");
    if (!(s->how.map_voxel > 0)) return cli_usage(self, "--map-voxel must be above 0");
    if (!(s->how.reach > 0)) return cli_usage(self, "--reach must be above 0");
    if (!(s->how.max_range > s->how.min_range)) return cli_usage(self, "--max-range must be above --min-range");
    s->how.method = strcmp(s->method, "point") == 0 ? CLUMP_ICP_POINT : CLUMP_ICP_PLANE;
    options.threads = (int)s->threads;
    CLI_TRY(cli_check_device(self, s->device, cli_memory_choice(0), &options, &kind));
    if (s->overwrite && !(s->output && cli_is_live(paths[0])))
        return cli_usage(self, "--overwrite is for -o FILE of a sensor, ROS 2 or standard input");
    if (s->output) CLI_TRY(cli_check_output(s->output));
    CLI_TRY(cli_check_live_output(paths[0], s->output, s->overwrite));
    CLI_TRY(cli_source_open(&w->source, paths, count, &s->source, ODOMETRY_READ_AHEAD, &w->frame));
    CLI_TRY(cli_context_create(&options, &w->context));
    const clump_status status = clump_odometry_create(w->context, &s->how, &w->odometry);
    return status == CLUMP_OK ? drive(w) : cli_fail_context(w->context, status);
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.source = CLI_SOURCE_DEFAULTS, .how = clump_odometry_defaults(), .method = "plane", .device = "auto"};
    journey w = {.s = &s};
    const char **const paths = cli_allocate((size_t)argc + 1, sizeof *paths);
    const int status = paths ? run(self, argc, argv, &w, &s, paths) : cli_fail("not enough memory for the options");
    clump_odometry_destroy(w.odometry);
    clump_context_destroy(w.context);
    clump_frame_release(&w.frame);
    cli_source_close(&w.source);
    free(w.poses.matrices);
    free(w.poses.times);
    cli_point_times_release(&w.times);
    free(paths);
    return status;
}

const cli_command cli_cmd_odometry = {
    .name = "odometry",
    .operands = "REC...",
    .usage = "REC... [options]",
    .brief = "where the sensor of a recording moved",
    .about = "Finds the pose of each frame, relative to the first: registers it to a map of\n"
             "the frames before. Reads ROS bags, MCAP, captures of sensor packets and\n"
             "folders of cloud files. A frame that does not fit is lost: its pose is the\n"
             "expected one, and the frames that are lost or weak are counted.\n",
    .examples = "clump odometry drive.mcap -o poses.txt\n"
                "    one line of 12 numbers per frame, as KITTI has them\n"
                "clump odometry drive.pcap --metadata sensor.json -o poses.tum\n"
                "    time, place and quaternion, as TUM has them\n"
                "clump odometry drive.mcap -o tf.mcap\n"
                "    transforms, to open beside drive.mcap\n"
                "clump odometry sequences/00/velodyne --json-lines | jq .state\n"
                "    what became of each frame\n",
    .options = option_rows,
    .run = run_command,
};
