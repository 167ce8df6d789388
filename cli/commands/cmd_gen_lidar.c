/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_gen_lidar.c: `clump gen lidar`: scans of a simulated sensor, with their truth.
 */
#include "base/cli.h"
#include "base/json.h"
#include "gen/lidar_write.h"
#include "commands/options.h"

typedef struct settings {
    const char *sensor, *scene, *output, *to, *truth, *poses, *things;
    size_t seed, frames, first, threads;
    double rate, height, reach, noise, dropout, speed, slope, kerb;
    bool distortion, no_vehicle, overwrite, json, quiet;
} settings;

static const char *sensor_choice(int i)
{
    return clump_lidar_model_name((clump_lidar_model)i);
}

static const char *scene_choice(int i)
{
    return clump_lidar_scene_name((clump_lidar_scene)i);
}

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_HEADING("The sensor"),
    CLI_OPTION(CLI_CHOICE, 0, "sensor", "NAME", AT(sensor), .choices = sensor_choice, .matters = true,
               .help = "which one, 128 by its beams (default hdl-64e)"),
    CLI_OPTION(CLI_NUMBER, 0, "height", "H", AT(height), .help = "of the sensor above the road, m (default 1.73)"),
    CLI_OPTION(CLI_NUMBER, 0, "rate", "N", AT(rate), .help = "turns per second (default 10)"),
    CLI_OPTION(CLI_NUMBER, 0, "reach", "R", AT(reach), .help = "no echo from farther, m (default 0, by the sensor)"),
    CLI_OPTION(CLI_NUMBER, 0, "noise", "S", AT(noise), .help = "standard deviation of a range, m (default 0.02)"),
    CLI_OPTION(CLI_NUMBER, 0, "dropout", "P", AT(dropout),
               .help = "share of the rays that are lost by chance (default 0.01)"),
    CLI_OPTION(CLI_SWITCH, 0, "no-vehicle", NULL, AT(no_vehicle),
               .help = "the sensor floats: no roof below it hides the ground"),
    CLI_HEADING("The world"),
    CLI_OPTION(CLI_CHOICE, 0, "scene", "NAME", AT(scene), .choices = scene_choice, .matters = true,
               .help = "the kind of place (default street)"),
    CLI_OPTION(CLI_COUNT, 0, "seed", "S", AT(seed), .matters = true,
               .help = "another seed, another world of this kind (default 1)"),
    CLI_OPTION(CLI_NUMBER, 0, "slope", "P", AT(slope), .help = "the ground rises ahead, per cent (default 0)"),
    CLI_OPTION(CLI_NUMBER, 0, "kerb", "H", AT(kerb), .help = "height of the pavements, m (default 0.12)"),
    CLI_HEADING("The drive"),
    CLI_OPTION(CLI_COUNT, 0, "frames", "N", AT(frames), .least = 1, .most = 1000000, .matters = true,
               .help = "turns of the sensor (default 1)"),
    CLI_OPTION(CLI_COUNT, 0, "frame", "K", AT(first), .most = 1000000, .help = "the first of them (default 0)"),
    CLI_OPTION(CLI_NUMBER, 0, "speed", "V", AT(speed), .help = "of the sensor, m/s (default 8)"),
    CLI_OPTION(CLI_SWITCH, 0, "distortion", NULL, AT(distortion),
               .help = "sensor and things move during a turn, too; the points are not corrected for it"),
    CLI_HEADING("Output"),
    CLI_OPTION(CLI_FILE, 'o', "output", "OUT", AT(output), .matters = true,
               .help = "a cloud file for one frame, a recording (.mcap .bag), or else a folder, which gets 000000.pcd, "
                       "000001.pcd ...; required"),
    CLI_OPTION(CLI_CHOICE, 0, "to", "NAME", AT(to), .choices = cli_writable_format, .noun = "format",
               .help = "format of the file, or of those in the folder (default pcd); semantickitti: the folder becomes "
                       "a sequence with velodyne, labels, poses.txt, times.txt and calib.txt"),
    CLI_OPTION(CLI_FILE, 0, "truth", "FILE", AT(truth), .matters = true,
               .help = "write classes and instances, too: a .label file, for a folder of clouds a folder of them"),
    CLI_OPTION(CLI_FILE, 0, "poses", "FILE", AT(poses),
               .help = "write where the sensor was, too: a line of 12 numbers per frame, as KITTI's; with time and "
                       "quaternion, as TUM's, where the name ends in .tum"),
    CLI_OPTION(CLI_FILE, 0, "things", "FILE.csv", AT(things),
               .help = "write the true boxes and velocities of all things of each frame, too"),
    CLI_OPTION(CLI_SWITCH, 0, "overwrite", NULL, AT(overwrite), .help = "folders need not be empty"),
    CLI_OPTION(CLI_COUNT, 0, "threads", "N", AT(threads), .most = INT_MAX,
               .help = "frames that are made at a time (default 0, one per core)"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print nothing"),
    {0}};
#undef AT

static clump_lidar lidar_of(const settings *s)
{
    clump_lidar lidar = clump_lidar_defaults();
    clump_lidar_model_from_name(s->sensor, &lidar.model);
    clump_lidar_scene_from_name(s->scene, &lidar.scene);
    lidar.seed = s->seed;
    lidar.rate = s->rate;
    lidar.height = s->height;
    lidar.reach = s->reach;
    lidar.noise = s->noise;
    lidar.dropout = s->dropout;
    lidar.speed = s->speed;
    lidar.slope = s->slope;
    lidar.kerb = s->kerb;
    lidar.vehicle = !s->no_vehicle;
    lidar.distortion = s->distortion;
    return lidar;
}

static void print_json(const settings *s, const cli_lidar_tally *tally)
{
    cli_json j = cli_json_begin(stdout, "gen lidar");
    cli_json_text(&j, "output", s->output);
    cli_json_text(&j, "sensor", s->sensor);
    cli_json_text(&j, "scene", s->scene);
    cli_json_count(&j, "seed", s->seed);
    cli_json_count(&j, "first_frame", s->first);
    cli_json_count(&j, "frames", s->frames);
    cli_json_count(&j, "points", tally->points);
    cli_json_count(&j, "instances", tally->things);
    cli_json_ms(&j, "time_ms", tally->seconds * 1e3);
    cli_json_end(&j);
}

static void print(const settings *s, const cli_lidar_tally *tally)
{
    if (s->json) print_json(s, tally);
    if (s->json || s->quiet) return;
    FILE *const to = cli_is_dash(s->output) ? stderr : stdout;
    fprintf(to, "%s: ", cli_shown(s->output));
    if (s->frames > 1) fprintf(to, "%zu frames, ", s->frames);
    fprintf(to, "%llu point%s, %zu instance%s (sensor %s, scene %s, seed %zu)\n", (unsigned long long)tally->points,
            tally->points == 1 ? "" : "s", tally->things, tally->things == 1 ? "" : "s", s->sensor, s->scene, s->seed);
}

/* Makes and writes all frames of the world. */
static int make(const cli_command *self, const settings *s, const clump_lidar *lidar, const clump_lidar_world *world)
{
    cli_lidar_writing w = {.output = s->output,
                           .to = s->to,
                           .truth = s->truth,
                           .poses = s->poses,
                           .things = s->things,
                           .first = s->first,
                           .frames = s->frames,
                           .period = 1 / lidar->rate,
                           .overwrite = s->overwrite,
                           .json = s->json,
                           .quiet = s->quiet};
    CLI_TRY(cli_lidar_write_check(self, &w));
    int status = cli_lidar_write_begin(self, &w);
    cli_lidar_tally tally;
    if (status == CLI_DONE) status = cli_lidar_make(world, clump_lidar_rays(lidar), s->threads, &w, &tally);
    if (status == CLI_DONE) status = cli_lidar_write_end(&w);
    cli_lidar_write_abandon(&w);
    if (status == CLI_DONE) print(s, &tally);
    return status;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    const clump_lidar defaults = clump_lidar_defaults();
    settings s = {.sensor = clump_lidar_model_name(defaults.model),
                  .scene = clump_lidar_scene_name(defaults.scene),
                  .seed = (size_t)defaults.seed,
                  .frames = 1,
                  .rate = defaults.rate,
                  .height = defaults.height,
                  .noise = defaults.noise,
                  .dropout = defaults.dropout,
                  .speed = defaults.speed,
                  .kerb = defaults.kerb};
    CLI_TRY(cli_parse(self, argc, argv, &s, NULL));
    if (!s.output) return cli_usage(self, "gen lidar needs -o OUT, what to write");
    const clump_lidar lidar = lidar_of(&s);
    clump_lidar_world *world = NULL;
    clump_message message = {0};
    const clump_status created = clump_sim_lidar_create(&lidar, &world, &message);
    if (created == CLUMP_ERR_ARGUMENT) return cli_usage(self, "%s", message.text);
    if (created != CLUMP_OK) return cli_fail_message(s.output, created, &message);
    const int status = make(self, &s, &lidar, world);
    clump_sim_lidar_destroy(world);
    return status;
}

const cli_command cli_cmd_gen_lidar = {
    .name = "gen lidar",
    .operands = "",
    .usage = "-o OUT [options]",
    .brief = "simulate scans of a street, with their truth",
    .about = "Drives a sensor through a made-up world and writes what it sees. Points have the\n"
             "fields intensity, ring, time, and the truth: 'semantic' is the class, with the\n"
             "numbers of SemanticKITTI, 'instance' the car, person, tree ... or 0. A format\n"
             "without fields (.bin) gets the truth by --truth. The same options give the same\n"
             "bytes on every machine.\n",
    .examples = "clump gen lidar -o street.pcd\n"
                "    one turn of an HDL-64E, as KITTI's\n"
                "clump gen lidar --scene crossroad --sensor vlp-16 --seed 7 -o crossing.ply\n"
                "clump gen lidar --frames 100 -o drive.mcap\n"
                "    ten seconds, as a recording for 'clump play', RViz and Foxglove\n"
                "clump gen lidar --frames 100 --to semantickitti -o drive\n"
                "    the same as a sequence of SemanticKITTI\n"
                "clump gen lidar -o scan.bin --truth scan.label\n",
    .options = option_rows,
    .run = run_command,
};
