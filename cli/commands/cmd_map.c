/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_map.c: `clump map`: the frames of a drive as one cloud, without what moves. Frames are read twice: their points make the
 * map, then their beams tell what moved. With --ram that is done for each part of the map. map/map.h has the rest.
 */
#include "base/json.h"
#include "commands/options.h"
#include "map/map.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_source_settings source;
    clump_map_options how;
    const char *poses, *times, *output, *to;
    size_t threads, ram;
    bool no_tracks, keep_moving, overwrite, json, quiet;
} settings;

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_OPTION(
        CLI_FILE, 0, "poses", "FILE", AT(poses), .matters = true,
        .help = "where the sensor was: one pose per frame, KITTI's or TUM's (default: found as by 'clump odometry')"),
    CLI_ROWS("map", AT(how), .only = "voxel", .matters = true),
    CLI_ROWS("map", AT(how), .without = "voxel"),
    CLI_OPTION(CLI_SWITCH, 0, "no-tracks", NULL, AT(no_tracks), .matters = true,
               .help = "what moves: judge by beams alone, without objects and their tracks"),
    CLI_OPTION(CLI_SWITCH, 0, "keep-moving", NULL, AT(keep_moving), .matters = true,
               .help = "leave nothing out; frames are read once"),
    CLI_HEADING("Input"),
    CLI_SOURCE_OPTIONS(settings, source),
    CLI_TIMES_OPTION(settings, times),
    CLI_OPTION(CLI_COUNT, 0, "threads", "N", AT(threads), .most = INT_MAX,
               .help = "CPU threads to use (default 0, all cores)"),
    CLI_HEADING("Output"),
    CLI_OPTION(
        CLI_FILE, 'o', "output", "OUT", AT(output), .matters = true,
        .help = "the map, with the field 'observations' where the format has fields; - is standard output; with --ram "
                "a folder; required"),
    CLI_TO_OPTION(settings, "OUT, or of the files in the folder (default laz)"),
    CLI_OPTION(CLI_SIZE, 0, "ram", "SIZE", AT(ram), .matters = true,
               .help = "about as much memory may be used; the frames are read twice for each part of the map: OUT gets "
                       "000000.laz, 000001.laz ..., which are slices along x"),
    CLI_OPTION(CLI_SWITCH, 0, "overwrite", NULL, AT(overwrite), .help = "the folder need not be empty"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print no summary"),
    {0}};
#undef AT

typedef struct mapping {
    const settings *s;
    clump_format format;
    cli_folder folder;            /* with --ram */
    clump_map_cloud found;        /* the part that was made last */
    size_t voxels, dropped, left; /* of all parts */
    cli_map map;
} mapping;

/* Memory: of frames that wait and of the beams of one; per voxel. */
enum { MAP_FIXED_BYTES = 128 << 20, MAP_VOXEL_BYTES = 160 };

static int check(const cli_command *self, mapping *m)
{
    const settings *const s = m->s;
    if (!s->output) return cli_usage(self, "map needs -o OUT, where the map goes");
    if (!(s->how.voxel >= 0.001f && s->how.voxel <= 1000)) return cli_usage(self, "--voxel must be 0.001 to 1000");
    if (!(s->how.passes >= 0)) return cli_usage(self, "--passes must be 0 or more");
    if (!(s->how.min_range >= 0 && s->how.min_range < s->how.max_range && s->how.max_range <= 1e9f))
        return cli_usage(self, "--min-range must be 0 or more and below --max-range, which is 1e9 at most");
    if (s->no_tracks && s->keep_moving)
        return cli_usage(self, "--no-tracks and --keep-moving: nothing is judged to move then");
    if (s->ram > 0) {
        if (s->ram < 2 * (size_t)MAP_FIXED_BYTES) return cli_usage(self, "--ram must be 256M or more");
        CLI_TRY(cli_folder_check_name(self, s->output, "a folder with --ram", m->map.paths, m->map.path_count));
        return cli_folder_begin(&m->folder, self, s->output, s->to ? s->to : "laz", s->overwrite, false);
    }
    CLI_TRY(cli_check_cloud_output(self, "-o", s->output, s->to, &m->format));
    clump_format_info info;
    if (clump_format_describe(m->format, &info) && !info.holds_points)
        return cli_usage(self, "-o %s: a .%s file has no place for points", s->output, info.extensions[0]);
    if (cli_is_dash(s->output) && s->json) return cli_usage(self, "-o - and --json both want standard output");
    return CLI_DONE;
}

/* --- output ------------------------------------------------------------------------------------------- */

static int save(mapping *m)
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
    const int result = status != CLUMP_OK ? cli_fail_message(m->s->output, status, &message)
                       : m->s->ram > 0
                           ? cli_folder_save(&m->folder, cloud, NULL)
                           : cli_save(m->s->output, cloud, NULL, m->format, CLUMP_ENCODING_DEFAULT, m->s->quiet);
    clump_cloud_destroy(cloud);
    return result;
}

static void put_json(const mapping *m)
{
    const settings *const s = m->s;
    const clump_recording_losses lost = clump_recording_lost(m->map.source.recording);
    cli_json j = cli_json_begin(stdout, "map");
    cli_json_text(&j, "input", m->map.source.name);
    cli_json_text(&j, "topic", clump_recording_topic(m->map.source.recording));
    cli_json_text(&j, "poses", s->poses);
    cli_json_text(&j, "output", s->output);
    cli_json_open(&j, "parameters", '{');
    cli_put_rows(&j, "map", NULL, NULL, &s->how);
    cli_json_bool(&j, "tracks", m->map.tracks);
    cli_json_bool(&j, "keep_moving", s->keep_moving);
    cli_json_close(&j, '}');
    cli_json_count(&j, "frames", m->map.frames);
    cli_json_count(&j, "unplaced", m->map.poses.unplaced);
    cli_json_count(&j, "deskewed", m->map.deskewed);
    cli_json_count(&j, "points", m->map.points);
    cli_json_count(&j, "moving_points", m->map.moving.points);
    cli_json_count(&j, "voxels", m->voxels);
    cli_json_count(&j, "dropped", m->dropped);
    cli_json_count(&j, "left", m->left);
    cli_json_count(&j, "files", s->ram > 0 ? m->folder.written : 1);
    cli_put_lost(&j, &lost, m->map.source.bad);
    cli_json_count(&j, "partial_turns", m->map.source.partial);
    cli_json_end(&j);
}

static void report(const mapping *m)
{
    const settings *const s = m->s;
    const uint64_t bad = m->map.source.bad;
    if (!s->quiet) cli_warn_partial(&m->map.source);
    if (bad > 0 && !s->quiet)
        cli_warn("%s: %llu frame%s could not be read; the first: %s", m->map.source.name, (unsigned long long)bad,
                 bad == 1 ? "" : "s", m->map.source.why.text);
    if (m->map.poses.unplaced > 0 && !s->quiet)
        cli_warn("%s: %zu frame%s left out, where the sensor was is not known; the first is frame %zu: %s",
                 m->map.source.name, m->map.poses.unplaced, m->map.poses.unplaced == 1 ? " is" : "s are",
                 m->map.poses.unplaced_first, m->map.poses.why);
    if (s->json) put_json(m);
    if (s->json || s->quiet) return;
    FILE *const to = cli_is_dash(s->output) ? stderr : stdout;
    fprintf(to, "%zu frame%s, %llu points, %zu voxels of %g\n", m->map.frames, m->map.frames == 1 ? "" : "s",
            (unsigned long long)m->map.points, m->voxels, (double)s->how.voxel);
    if (m->map.deskewed > 0)
        fprintf(to, "deskewed %zu frame%s, by the times of their points\n", m->map.deskewed,
                m->map.deskewed == 1 ? "" : "s");
    if (m->map.tracks)
        fprintf(to, "tracks   %llu points of objects that move\n", (unsigned long long)m->map.moving.points);
    if (!s->keep_moving)
        fprintf(to, "moving   %zu voxels left out, %.2f %%\n", m->dropped,
                100 * (double)m->dropped / (double)m->voxels);
    if (to != stdout) return;
    printf("wrote %s with %zu points", cli_shown(s->output), m->left);
    if (s->ram > 0) printf(" in %zu file%s", m->folder.written, m->folder.written == 1 ? "" : "s");
    printf("\n");
}

static int load_poses(const cli_command *self, mapping *m)
{
    const settings *const s = m->s;
    clump_message message = {0};
    const clump_status status = clump_poses_load(s->poses, &m->map.poses.file, &message);
    if (status != CLUMP_OK) return cli_fail_message(s->poses, status, &message);
    if (m->map.poses.file.times || !(s->source.from > 0)) return CLI_DONE;
    return cli_usage(self, "--poses %s has no times: it goes with all frames, not with --from", s->poses);
}

static int begin(mapping *m)
{
    const settings *const s = m->s;
    cli_map *const map = &m->map;
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = (int)s->threads;
    CLI_TRY(cli_context_create(&options, &map->context));
    map->settings = &s->source;
    map->times = s->times;
    map->quiet = s->quiet;
    map->tracks = !s->keep_moving && !s->no_tracks;
    map->poses.path = s->poses;
    if (s->poses) return CLI_DONE;
    const clump_status status = clump_odometry_create(map->context, NULL, &map->poses.odometry);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(map->context, status);
}

/* Makes the map, or the next part of it, and writes it. */
static int make_part(mapping *m, int32_t first)
{
    const settings *const s = m->s;
    CLI_TRY(cli_map_begin(&m->map, &s->how, first, s->ram > 0 ? (s->ram - MAP_FIXED_BYTES) / MAP_VOXEL_BYTES : 0));
    CLI_TRY(cli_map_read(&m->map, false));
    if (!s->keep_moving) CLI_TRY(cli_map_read(&m->map, true));
    const clump_status status = clump_map_points(m->map.context, m->map.map, &m->found);
    if (status != CLUMP_OK) return cli_fail_context(m->map.context, status);
    if (m->voxels + m->found.voxels == 0)
        return cli_fail("%s: no point of %zu frame%s is %g to %g from the sensor (--min-range, --max-range)",
                        m->map.source.name, m->map.frames, m->map.frames == 1 ? "" : "s", (double)s->how.min_range,
                        (double)s->how.max_range);
    m->voxels += m->found.voxels;
    m->dropped += m->found.dropped;
    m->left += m->found.points.count;
    return s->ram > 0 && m->found.points.count == 0 ? CLI_DONE : save(m);
}

static int run(const cli_command *self, mapping *m)
{
    const settings *const s = m->s;
    CLI_TRY(check(self, m));
    if (s->poses) CLI_TRY(load_poses(self, m));
    CLI_TRY(begin(m));
    for (int32_t first = INT32_MIN; first != INT32_MAX; first = m->found.end) CLI_TRY(make_part(m, first));
    report(m);
    return CLI_DONE;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.source = CLI_SOURCE_DEFAULTS, .how = clump_map_defaults()};
    const char **const paths = cli_allocate((size_t)argc + 1, sizeof *paths);
    mapping *const m = cli_allocate(1, sizeof *m);
    int status = paths && m ? CLI_DONE : cli_fail("not enough memory for the options");
    if (m) *m = (mapping){.s = &s, .map = {.paths = paths}};
    if (status == CLI_DONE) status = cli_parse_many(self, argc, argv, &s, paths, &m->map.path_count);
    if (status == CLI_DONE) status = run(self, m);
    if (m) cli_map_release(&m->map);
    free(m);
    free(paths);
    return status;
}

const cli_command cli_cmd_map = {
    .name = "map",
    .operands = "REC...",
    .usage = "REC... -o OUT [options]",
    .brief = "the frames of a drive as one cloud, without what moves",
    .about = "Moves each frame to where the sensor was, and keeps one point per voxel: the\n"
             "mean of its points, with the number of frames that saw it. Where points have\n"
             "times, those of a turn are moved to the time of its frame first. Objects that\n"
             "move, by their tracks, are left out. Then reads the frames again: a voxel\n"
             "that beams went through before or after it was seen has moved, and is left\n"
             "out, too. Reads ROS bags, MCAP, captures of sensor packets and folders of\n"
             "cloud files. Several REC are the parts of one recording.\n",
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
