/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_map.c: `clump map`: the frames of a drive as one cloud, without what moves. Frames are read twice: their points make the
 * map, then their beams tell what moved.
 */
#include "base/json.h"
#include "base/progress.h"
#include "commands/options.h"
#include "files/source.h"

#include <clump/map.h>
#include <clump/odometry.h>

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_source_settings source;
    clump_map_options how;
    const char *poses, *output, *to;
    size_t threads;
    bool keep_moving, json, quiet;
} settings;

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_OPTION(
        CLI_FILE, 0, "poses", "FILE", AT(poses), .matters = true,
        .help = "where the sensor was: one pose per frame, KITTI's or TUM's (default: found as by 'clump odometry')"),
    CLI_ROWS("map", AT(how), .only = "voxel", .matters = true),
    CLI_ROWS("map", AT(how), .without = "voxel"),
    CLI_OPTION(CLI_SWITCH, 0, "keep-moving", NULL, AT(keep_moving), .matters = true,
               .help = "leave nothing out; frames are read once"),
    CLI_HEADING("Input"),
    CLI_SOURCE_OPTIONS(settings, source),
    CLI_OPTION(CLI_COUNT, 0, "threads", "N", AT(threads), .most = INT_MAX,
               .help = "CPU threads to use (default 0, all cores)"),
    CLI_HEADING("Output"),
    CLI_OPTION(
        CLI_FILE, 'o', "output", "OUT", AT(output), .matters = true,
        .help = "the map, with the field 'observations' where the format has fields; - is standard output; required"),
    CLI_TO_OPTION(settings, "OUT"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print no summary"),
    {0}};
#undef AT

enum { MAP_READ_AHEAD = 4 };
#define MAP_TIME_GAP UINT64_C(20000000) /* a pose belongs to a frame if it is at most 20 ms away */

typedef struct mapping {
    const settings *s;
    const char *const *paths;
    size_t path_count;
    clump_format format;
    clump_poses poses;
    clump_context *context;
    clump_map *map;
    clump_odometry *odometry; /* null: poses are from a file */
    size_t pose_room;         /* of poses that odometry finds; NaN: none was found */
    size_t unplaced;          /* frames without a pose: left out */
    size_t unplaced_first;
    const char *why; /* of the first of them */
    int64_t last;    /* time of the last frame that odometry got */
    cli_source source;
    clump_frame frame;
    size_t frames; /* of the last reading */
    uint64_t points;
    clump_map_cloud found;
} mapping;

static int check(const cli_command *self, mapping *m)
{
    const settings *const s = m->s;
    if (!s->output) return cli_usage(self, "map needs -o OUT, where the map goes");
    if (!(s->how.voxel >= 0.001f && s->how.voxel <= 1000)) return cli_usage(self, "--voxel must be 0.001 to 1000");
    if (!(s->how.passes >= 0)) return cli_usage(self, "--passes must be 0 or more");
    if (!(s->how.min_range >= 0 && s->how.min_range < s->how.max_range && s->how.max_range <= 1e9f))
        return cli_usage(self, "--min-range must be 0 or more and below --max-range, which is 1e9 at most");
    CLI_TRY(cli_check_cloud_output(self, "-o", s->output, s->to, &m->format));
    clump_format_info info;
    if (clump_format_describe(m->format, &info) && !info.holds_points)
        return cli_usage(self, "-o %s: a .%s file has no place for points", s->output, info.extensions[0]);
    if (cli_is_dash(s->output) && s->json) return cli_usage(self, "-o - and --json both want standard output");
    return CLI_DONE;
}

/* --- poses ------------------------------------------------------------------------------------------- */

static uint64_t gap_between(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Returns the pose of the frame: that of its number, or of the nearest time. Null: prints that there is none. */
static const double *pose_of(const mapping *m)
{
    const clump_poses *const poses = &m->poses;
    const uint64_t number = m->frame.index;
    if (!poses->times) {
        if (number < poses->count) return poses->matrices[number];
        return cli_fail("%s: has %zu pose%s, %s has more frames", m->s->poses, poses->count,
                        poses->count == 1 ? "" : "s", m->source.name),
               NULL;
    }
    size_t nearest = 0;
    for (size_t low = 0, high = poses->count; low < high;) { /* times rise */
        const size_t middle = low + (high - low) / 2;
        if (gap_between(poses->times[middle], m->frame.stamp) < gap_between(poses->times[nearest], m->frame.stamp))
            nearest = middle;
        if (poses->times[middle] < m->frame.stamp)
            low = middle + 1;
        else
            high = middle;
    }
    if (gap_between(poses->times[nearest], m->frame.stamp) <= MAP_TIME_GAP) return poses->matrices[nearest];
    return cli_fail("%s: has no pose within 0.02 s of frame %llu of %s", m->s->poses, (unsigned long long)number,
                    m->source.name),
           NULL;
}

/* Refuses poses that are left over. Parts of a recording need part of them only. */
static int check_count(const mapping *m)
{
    const cli_source_settings *const s = &m->s->source;
    const uint64_t read = m->frame.index + 1;
    if (m->poses.times || s->frames > 0 || isfinite(s->length) || m->frames == 0 || m->poses.count == read)
        return CLI_DONE;
    return cli_fail("%s: has %zu poses, %s has %llu frame%s", m->s->poses, m->poses.count, m->source.name,
                    (unsigned long long)read, read == 1 ? "" : "s");
}

/* Finds the pose of the next frame. A frame that cannot be registered has none. */
static int find_pose(mapping *m, clump_points points)
{
    clump_poses *const poses = &m->poses;
    if (poses->count == m->pose_room) {
        const size_t room = 2 * m->pose_room + 256;
        double(*const matrices)[12] = realloc(poses->matrices, room * sizeof *matrices);
        if (!matrices) return cli_fail("not enough memory for %zu poses", room);
        poses->matrices = matrices;
        m->pose_room = room;
    }
    clump_odometry_pose pose = {.why = "it is not later than the frame before"};
    if (m->frames == 0 || m->frame.stamp > m->last) {
        const clump_status status = clump_odometry_push(m->context, m->odometry, m->frame.stamp, points, NULL, &pose);
        if (status != CLUMP_OK) return cli_fail_context(m->context, status);
        m->last = m->frame.stamp;
    }
    double *const to = poses->matrices[poses->count++];
    memcpy(to, pose.transform, sizeof poses->matrices[0]);
    if (!pose.why) return CLI_DONE;
    to[0] = (double)NAN;
    if (m->unplaced++ == 0) m->why = pose.why, m->unplaced_first = m->frames;
    return CLI_DONE;
}

/* --- frames ------------------------------------------------------------------------------------------- */

/* Returns the points of the frame, relative to the sensor. */
static clump_points points_of(const mapping *m)
{
    const clump_points points = clump_cloud_points(m->frame.cloud);
    const double *const origin = clump_cloud_origin(m->frame.cloud), zero[3] = {0};
    if (origin[0] == 0 && origin[1] == 0 && origin[2] == 0) return points;
    float *const xyz = clump_cloud_xyz(m->frame.cloud);
    for (size_t i = 0; i < 3 * points.count; i++) xyz[i] = (float)((double)xyz[i] + origin[i % 3]);
    clump_cloud_set_origin(m->frame.cloud, zero);
    return points;
}

static int take_frame(mapping *m, bool looks)
{
    const clump_points points = points_of(m);
    if (m->odometry && !looks) CLI_TRY(find_pose(m, points));
    const double *const pose = m->odometry ? m->poses.matrices[m->frames] : pose_of(m);
    if (!pose) return CLI_FAILED;
    if (m->odometry && isnan(pose[0])) return m->frames++, CLI_DONE;
    const int32_t number = (int32_t)(m->frames < INT32_MAX ? m->frames : INT32_MAX);
    const clump_status status = looks ? clump_map_look(m->context, m->map, number, points, pose)
                                      : clump_map_add(m->context, m->map, number, points, pose, NULL);
    m->frames++;
    if (!looks) m->points += points.count;
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(m->context, status);
}

/* Reads all frames that are wanted, and adds them or looks at them. */
static int read_frames(mapping *m, bool looks)
{
    const settings *const s = m->s;
    cli_source_close(&m->source);
    CLI_TRY(cli_source_open(&m->source, m->paths, m->path_count, &s->source, MAP_READ_AHEAD, &m->frame));
    const size_t total = looks ? m->frames : m->odometry ? s->source.frames : m->poses.count;
    clump_status status;
    cli_progress progress;
    cli_progress_begin(&progress, looks ? "looking" : "adding", total, s->quiet);
    cli_progress_rate(&progress, "frames", (double)total);
    m->frames = 0;
    int result = CLI_DONE;
    while (result == CLI_DONE && cli_source_next(&m->source, &m->frame, &status)) {
        result = take_frame(m, looks);
        cli_progress_step(&progress, total == 0 || m->frames < total ? m->frames : total);
    }
    cli_progress_end(&progress);
    CLI_TRY(result);
    if (status != CLUMP_OK) return cli_fail_message(m->source.name, status, &m->source.why);
    CLI_TRY(cli_source_check_any(&m->source));
    return m->odometry ? CLI_DONE : check_count(m);
}

/* --- output ------------------------------------------------------------------------------------------- */

static int save(const mapping *m)
{
    const clump_map_cloud *const found = &m->found;
    clump_message message = {0};
    clump_cloud *cloud;
    clump_status status = clump_cloud_create(found->points.count, &cloud, &message);
    if (status != CLUMP_OK) return cli_fail_message(m->s->output, status, &message);
    memcpy(clump_cloud_xyz(cloud), found->points.xyz, 3 * sizeof(float) * found->points.count);
    clump_cloud_set_origin(cloud, found->origin);
    status = clump_cloud_set_field(
        cloud, &(clump_field){.name = "observations", .type = CLUMP_TYPE_U32, .count = 1, .data = found->observations},
        &message);
    const int result = status == CLUMP_OK
                           ? cli_save(m->s->output, cloud, NULL, m->format, CLUMP_ENCODING_DEFAULT, m->s->quiet)
                           : cli_fail_message(m->s->output, status, &message);
    clump_cloud_destroy(cloud);
    return result;
}

static void put_json(const mapping *m)
{
    const settings *const s = m->s;
    const clump_recording_losses lost = clump_recording_lost(m->source.recording);
    cli_json j = cli_json_begin(stdout, "map");
    cli_json_text(&j, "input", m->source.name);
    cli_json_text(&j, "topic", clump_recording_topic(m->source.recording));
    cli_json_text(&j, "poses", s->poses);
    cli_json_text(&j, "output", s->output);
    cli_json_open(&j, "parameters", '{');
    cli_put_rows(&j, "map", NULL, NULL, &s->how);
    cli_json_bool(&j, "keep_moving", s->keep_moving);
    cli_json_close(&j, '}');
    cli_json_count(&j, "frames", m->frames);
    cli_json_count(&j, "unplaced", m->unplaced);
    cli_json_count(&j, "points", m->points);
    cli_json_count(&j, "voxels", m->found.voxels);
    cli_json_count(&j, "dropped", m->found.dropped);
    cli_json_count(&j, "left", m->found.points.count);
    cli_put_lost(&j, &lost, m->source.bad);
    cli_json_end(&j);
}

static void report(const mapping *m)
{
    const settings *const s = m->s;
    const uint64_t bad = m->source.bad;
    if (bad > 0 && !s->quiet)
        cli_warn("%s: %llu frame%s could not be read; the first: %s", m->source.name, (unsigned long long)bad,
                 bad == 1 ? "" : "s", m->source.why.text);
    if (m->unplaced > 0 && !s->quiet)
        cli_warn("%s: %zu frame%s left out, where the sensor was is not known; the first is frame %zu: %s",
                 m->source.name, m->unplaced, m->unplaced == 1 ? " is" : "s are", m->unplaced_first, m->why);
    if (s->json) put_json(m);
    if (s->json || s->quiet) return;
    const clump_map_cloud *const found = &m->found;
    FILE *const to = cli_is_dash(s->output) ? stderr : stdout;
    fprintf(to, "%zu frame%s, %llu points, %zu voxels of %g\n", m->frames, m->frames == 1 ? "" : "s",
            (unsigned long long)m->points, found->voxels, (double)s->how.voxel);
    if (!s->keep_moving)
        fprintf(to, "moving   %zu voxels left out, %.2f %%\n", found->dropped,
                100 * (double)found->dropped / (double)found->voxels);
    if (to == stdout) printf("wrote %s with %zu points\n", s->output, found->points.count);
}

static int load_poses(const cli_command *self, mapping *m)
{
    const settings *const s = m->s;
    clump_message message = {0};
    const clump_status status = clump_poses_load(s->poses, &m->poses, &message);
    if (status != CLUMP_OK) return cli_fail_message(s->poses, status, &message);
    if (m->poses.times || !(s->source.from > 0)) return CLI_DONE;
    return cli_usage(self, "--poses %s has no times: it goes with all frames, not with --from", s->poses);
}

static int run(const cli_command *self, mapping *m)
{
    const settings *const s = m->s;
    CLI_TRY(check(self, m));
    if (s->poses) CLI_TRY(load_poses(self, m));
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = (int)s->threads;
    CLI_TRY(cli_context_create(&options, &m->context));
    clump_status status = clump_map_create(m->context, &s->how, &m->map);
    if (status == CLUMP_OK && !s->poses) status = clump_odometry_create(m->context, NULL, &m->odometry);
    if (status != CLUMP_OK) return cli_fail_context(m->context, status);
    CLI_TRY(read_frames(m, false));
    if (!s->keep_moving) CLI_TRY(read_frames(m, true));
    status = clump_map_points(m->context, m->map, &m->found);
    if (status != CLUMP_OK) return cli_fail_context(m->context, status);
    if (m->found.voxels == 0)
        return cli_fail("%s: no point of %zu frame%s is %g to %g from the sensor (--min-range, --max-range)",
                        m->source.name, m->frames, m->frames == 1 ? "" : "s", (double)s->how.min_range,
                        (double)s->how.max_range);
    CLI_TRY(save(m));
    report(m);
    return CLI_DONE;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.source = CLI_SOURCE_DEFAULTS, .how = clump_map_defaults()};
    const char **const paths = cli_allocate((size_t)argc + 1, sizeof *paths);
    if (!paths) return cli_fail("not enough memory for the options");
    mapping m = {.s = &s, .paths = paths};
    int status = cli_parse_many(self, argc, argv, &s, paths, &m.path_count);
    if (status == CLI_DONE) status = run(self, &m);
    clump_map_destroy(m.map);
    clump_odometry_destroy(m.odometry);
    clump_context_destroy(m.context);
    clump_frame_release(&m.frame);
    cli_source_close(&m.source);
    clump_poses_free(&m.poses);
    free(paths);
    return status;
}

const cli_command cli_cmd_map = {
    .name = "map",
    .operands = "REC...",
    .usage = "REC... -o OUT [options]",
    .brief = "the frames of a drive as one cloud, without what moves",
    .about = "Moves each frame to where the sensor was, and keeps one point per voxel: the\n"
             "mean of its points, with the number of frames that saw it. Then reads the\n"
             "frames again: a voxel that beams went through before or after it was seen has\n"
             "moved, and is left out. Reads ROS bags, MCAP, captures of sensor packets\n"
             "and folders of cloud files. Several REC are the parts of one recording.\n",
    .examples = "clump map drive.mcap -o map.laz\n"
                "    a street, one point per 0.2 m; poses are found\n"
                "clump map drive.mcap --poses drive.tum --voxel 0.1 --max-range 40 -o map.pcd\n"
                "    finer, and only what is near\n"
                "clump map drive.bag --poses poses.txt -o all.laz --keep-moving\n"
                "    with everything that moved\n"
                "clump ec map.laz -d 0.5 -o things.laz\n"
                "    what stands there\n",
    .options = option_rows,
    .run = run_command,
};
