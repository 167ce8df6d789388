/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_info.c: `clump info`: what is in a file, and what is odd about it.
 */
#include "base/cli.h"
#include "info/info.h"
#include "commands/options.h"
#include "base/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct settings {
    const char *format, *labels, *columns, *metadata, *calibration;
    bool json, partial;
} settings;

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_INPUT_OPTIONS(settings, "FILE"),
    CLI_OPTION(CLI_FILE, 0, "labels", "FILE", AT(labels), .matters = true,
               .help = "attach a file of labels (" CLI_MORE_LABELS "), as 'clump convert' does"),
    CLI_OPTION(CLI_FILE, 0, "metadata", "FILE", AT(metadata), .help = "of a recording: JSON of an Ouster sensor"),
    CLI_OPTION(CLI_FILE, 0, "calibration", "FILE", AT(calibration),
               .help = "of a recording: angles of the sensor, .yaml for Velodyne, .csv for Hesai"),
    CLI_JSON_OPTION(settings),
    {0}};
#undef AT

enum { INFO_MOST_NOTES = 8 };

typedef struct facts {
    const char *path;
    const clump_cloud *cloud;
    clump_points points;
    clump_cloud_info info;
    const double *origin;
    cli_survey survey;
    cli_info_advice advice;
    char notes[INFO_MOST_NOTES][256];
    size_t note_count;
} facts;

static void note(facts *f, const char *format, ...) CLI_PRINTF(2, 3);
static void note(facts *f, const char *format, ...)
{
    if (f->note_count == INFO_MOST_NOTES) return;
    va_list args;
    va_start(args, format);
    vsnprintf(f->notes[f->note_count++], sizeof f->notes[0], format, args);
    va_end(args);
}

static const char *encoding_name(clump_encoding encoding)
{
    static const char *const names[] = {"default", "ascii", "binary", "compressed", "big-endian"};
    return (size_t)encoding < sizeof names / sizeof names[0] ? names[encoding] : "unknown";
}

static const char *format_name(clump_format format)
{
    const char *name = clump_format_name(format);
    return name ? name : "unknown";
}

/* Returns the largest distance between adjacent float32 numbers within the bounds of the cloud. */
static double coarsest_step(const cli_survey *survey)
{
    double step = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        const float reach = fmaxf(fabsf(survey->lower[axis]), fabsf(survey->upper[axis]));
        step = fmax(step, (double)(nextafterf(reach, INFINITY) - reach));
    }
    return step;
}

static void find_oddities(facts *f)
{
    const cli_survey *s = &f->survey;
    if (f->info.note[0]) note(f, "%s", f->info.note);
    if (f->points.count == 0) note(f, "the cloud is empty");
    const size_t broken = f->points.count - s->finite;
    if (broken) note(f, "%zu point%s not finite and will be noise", broken, broken == 1 ? " is" : "s are");
    if (cli_survey_at_origin(f->cloud) && s->zeros > 1)
        note(f, "%zu points lie at exactly 0,0,0, perhaps beams without an echo; --min-range leaves them out",
             s->zeros);
    if (s->duplicates * 10 >= s->sampled && s->duplicates > 0)
        note(f, "%zu of %zu sampled points have another point in the same place", s->duplicates, s->sampled);
    if (s->ground_likely)
        note(f,
             "%.0f%% of the points look like ground ('clump ground'), which connects what stands on it; 'clump detect' "
             "and --remove-ground leave it out",
             100 * (double)s->ground / (double)s->finite);
    if (s->classes && s->classified == 0 && s->finite > 1)
        note(f, "no point is of class 2, ground; where there is ground, it connects what stands on it");
    if (s->drop[0])
        note(f,
             "%.0f%% of the points are of class%s %s (2 ground, 7 and 18 noise, 9 water), which connect others or are "
             "no objects; --drop-class leaves them out",
             100 * (double)s->dropped / (double)f->points.count, strchr(s->drop, ',') ? "es" : "", s->drop);
    if (s->finite > 1 && coarsest_step(s) > s->spacing / 4)
        note(f, "far from 0 the float32 coordinates move in steps of %.2g, no finer than the spacing",
             coarsest_step(s));
}

/* --- output ----------------------------------------------------------------------------------------- */

static void put_json(const facts *f)
{
    const cli_survey *s = &f->survey;
    cli_json j = cli_json_begin(stdout, "info");
    cli_json_text(&j, "input", f->path);
    cli_json_text(&j, "format", format_name(f->info.format));
    cli_json_text(&j, "encoding", encoding_name(f->info.encoding));
    cli_json_count(&j, "points", f->points.count);
    cli_json_count(&j, "finite", s->finite);
    cli_json_count(&j, "width", f->info.width);
    cli_json_count(&j, "height", f->info.height);
    cli_json_open(&j, "fields", '[');
    const size_t others = clump_cloud_field_count(f->cloud);
    for (size_t i = 0; i < 3 + others; i++) {
        static const char *const axes[3] = {"x", "y", "z"};
        clump_field field = {.name = i < 3 ? axes[i] : "", .type = f->info.xyz_type, .count = 1};
        if (i >= 3) clump_cloud_field(f->cloud, i - 3, &field);
        cli_json_open(&j, NULL, '{');
        cli_json_text(&j, "name", field.name);
        cli_json_text(&j, "type", clump_type_name(field.type));
        cli_json_count(&j, "count", field.count);
        cli_json_close(&j, '}');
    }
    cli_json_close(&j, ']');
    if (s->finite == 0) {
        cli_json_null(&j, "lower");
        cli_json_null(&j, "upper");
    } else {
        cli_json_coordinates(&j, "lower", s->lower, f->origin, 3);
        cli_json_coordinates(&j, "upper", s->upper, f->origin, 3);
    }
    cli_json_numbers(&j, "origin", f->origin, 3);
    cli_json_float(&j, "spacing", (float)s->spacing);
    cli_json_number(&j, "suggested_distance", s->suggestion);
    if (s->ground_known)
        cli_json_count(&j, "ground", s->ground);
    else
        cli_json_null(&j, "ground");
    cli_json_bool(&j, "suggested_remove_ground", s->ground_likely);
    cli_json_bool(&j, "one_turn", s->turn);
    cli_info_put_advice(&j, &f->advice, s->drop);
    cli_json_open(&j, "notes", '[');
    for (size_t i = 0; i < f->note_count; i++) cli_json_text(&j, NULL, f->notes[i]);
    cli_json_close(&j, ']');
    cli_json_end(&j);
}

static void put_triple(const char *name, const float *local, const double *origin)
{
    char text[3][CLI_NUMBER_SIZE];
    for (size_t i = 0; i < 3; i++) cli_coordinate_text(text[i], local[i], origin[i]);
    printf("%-9s %s %s %s\n", name, text[0], text[1], text[2]);
}

static void put_text(const facts *f)
{
    const cli_survey *s = &f->survey;
    const float zero[3] = {0};
    printf("file      %s\n", cli_shown(f->path));
    printf("format    %s, %s\n", format_name(f->info.format), encoding_name(f->info.encoding));
    printf("points    %zu", f->points.count);
    if (f->info.height > 1) printf(" in %zu rows of %zu", f->info.height, f->info.width);
    printf("\nfinite    %zu\n", s->finite);
    printf("fields    x y z %s", clump_type_name(f->info.xyz_type));
    const size_t others = clump_cloud_field_count(f->cloud);
    for (size_t i = 0; i < others; i++) {
        clump_field field;
        clump_cloud_field(f->cloud, i, &field);
        printf(", %s %s", field.name, clump_type_name(field.type));
        if (field.count != 1) printf(" x %u", (unsigned)field.count);
    }
    putchar('\n');
    if (s->finite > 0) {
        double size[3];
        for (size_t i = 0; i < 3; i++) size[i] = (double)s->upper[i] - (double)s->lower[i];
        put_triple("lower", s->lower, f->origin);
        put_triple("upper", s->upper, f->origin);
        printf("size      %.6g %.6g %.6g\n", size[0], size[1], size[2]);
    }
    if (!cli_survey_at_origin(f->cloud)) put_triple("origin", zero, f->origin);
    if (!isnan(s->spacing))
        printf("spacing   %.6g, median distance to the nearest other point (%zu sampled)\n",
               cli_survey_rounded(s->spacing), s->sampled);
    for (size_t i = 0; i < f->note_count; i++) printf("note      %s\n", f->notes[i]);
    cli_info_print_advice(&f->advice);
}

/* Whether the ending of the name is that of a recording. */
static bool names_recording(const char *path)
{
    static const char *const endings[] = {".bag", ".db3", ".mcap", ".pcap", ".pcapng"};
    const char *const dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcasecmp(dot, endings[i]) == 0) return true;
    return false;
}

/* Describes a file of labels or of a cloud. */
static int describe_file(const cli_command *self, const settings *given, const char *path)
{
    const settings s = *given;
    clump_format_info format;
    if (!s.format && clump_format_describe(clump_format_of_path(path), &format) && !format.holds_points) {
        if (s.labels) return cli_usage(self, "%s holds labels itself, --labels is for clouds", path);
        return cli_info_labels(path, format.name, s.json);
    }
    const cli_input *const input = CLI_INPUT(&s, .path = path, .labels = s.labels, .own_notes = true);
    clump_cloud *cloud = cli_load(input);
    if (!cloud) return CLI_FAILED;

    static facts f;
    f = (facts){.path = path,
                .cloud = cloud,
                .points = clump_cloud_points(cloud),
                .info = clump_cloud_describe(cloud),
                .origin = clump_cloud_origin(cloud)};
    f.survey = cli_survey_cloud(cloud);
    f.advice = cli_info_advise(&f.survey, input, cloud);
    find_oddities(&f);
    if (s.json)
        put_json(&f);
    else
        put_text(&f);
    cli_info_advice_release(&f.advice);
    clump_cloud_destroy(cloud);
    return CLI_DONE;
}

static int describe(const cli_command *self, const settings *s, const char *const *paths, size_t count)
{
    const bool cloud = s->format || s->labels || s->partial;
    if (count > 1 && cloud)
        return cli_usage(self, "--%s is for one cloud file", s->format ? "format" : s->labels ? "labels" : "partial");
    const cli_source_settings source = {
        .metadata = s->metadata, .calibration = s->calibration, .columns = count > 1 ? s->columns : NULL};
    if (count > 1 || cli_is_folder(paths[0]) || names_recording(paths[0]) ||
        (!cloud && !s->columns && cli_is_recording(paths[0])))
        return cli_info_recording(paths, count, &source, s->json);
    if (s->metadata || s->calibration)
        return cli_usage(self, "--%s is for recordings", s->metadata ? "metadata" : "calibration");
    return describe_file(self, s, paths[0]);
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {0};
    size_t count;
    const char **const paths = cli_allocate((size_t)argc + 1, sizeof *paths);
    if (!paths) return cli_fail("not enough memory for the options");
    int status = cli_parse_many(self, argc, argv, &s, paths, &count);
    if (status == CLI_DONE) status = describe(self, &s, paths, count);
    free(paths);
    return status;
}

const cli_command cli_cmd_info = {
    .name = "info",
    .operands = "FILE...",
    .usage = "FILE... [options]",
    .brief = "what is in a cloud file or a recording, and what to try",
    .about = "Prints format, fields, number of points, bounds and the typical distance from a\n"
             "point to the nearest other one, and a command line to try, with a distance that\n"
             "fits the file: 'clump ec'; or 'clump detect', where 15 to 95 % of the points are\n"
             "ground, as 'clump ground' finds it, at least 10 m wide; that takes metres, z up,\n"
             "and the sensor at 0,0,0. Where points have classes, --drop-class leaves out\n"
             "ground, noise and water. Its advice names job, method and device that are the\n"
             "fastest for the file (docs/choosing.md).\n"
             "Of a recording, a file, a folder or several parts: topics, rates, gaps, losses.\n",
    .examples = "clump info scan.pcd\n"
                "clump info scan.dat --format kitti\n"
                "clump info scan.pcd --json\n"
                "clump info drive.bag\n",
    .options = option_rows,
    .run = run_command,
};
