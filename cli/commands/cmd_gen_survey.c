/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_gen_survey.c: `clump gen survey`: a synthetic airborne survey of any size, in bounded memory.
 */
#include "base/cli.h"
#include "common/assert.h"
#include "files/source.h"
#include "base/json.h"
#include "commands/options.h"
#include "base/progress.h"

#include <clump/sim.h>

#include <stdlib.h>
#include <string.h>

enum { SURVEY_BLOCK = 1 << 18, SURVEY_MOST_FILES = 1000000 }; /* points that are made and written at a time: 5 MB */

static const double survey_offset[3] = {400000, 5600000, 0}; /* as easting and northing of UTM */

typedef struct settings {
    const char *output, *to;
    size_t points, seed, files;
    bool overwrite, json, quiet;
} settings;

/* What all files of a survey share. */
typedef struct survey_job {
    clump_survey survey;
    clump_format format;
    clump_survey_point *block;
    uint64_t classes[256]; /* points per class */
    cli_progress progress;
} survey_job;

static const char *format_choice(int i)
{
    return i < 2 ? clump_format_name(i ? CLUMP_FORMAT_LAZ : CLUMP_FORMAT_LAS) : NULL;
}

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_OPTION(CLI_FILE, 'o', "output", "OUT", AT(output), .matters = true,
               .help = "a file to write, .las or .laz, or with --files a folder; required"),
    CLI_OPTION(CLI_CHOICE, 0, "to", "NAME", AT(to), .choices = format_choice, .noun = "format",
               .help = "format of OUT, if not by its ending, or of the files in the folder (default las)"),
    CLI_OPTION(CLI_COUNT, 'n', "points", "N", AT(points), .most = (size_t)CLUMP_SURVEY_MOST_POINTS, .matters = true,
               .help = "number of points; 20 lie on a square metre (default 1000000)"),
    CLI_OPTION(CLI_COUNT, 0, "seed", "S", AT(seed), .matters = true,
               .help = "another seed, another survey (default 1)"),
    CLI_OPTION(CLI_COUNT, 0, "files", "K", AT(files), .least = 1, .most = SURVEY_MOST_FILES, .matters = true,
               .help = "divide the survey into K files, in the order of flight: 000000.las, 000001.las ..."),
    CLI_OPTION(CLI_SWITCH, 0, "overwrite", NULL, AT(overwrite), .help = "the folder need not be empty"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print nothing"),
    {0}};
#undef AT

static size_t block_count(uint64_t first, uint64_t end)
{
    return end - first < SURVEY_BLOCK ? (size_t)(end - first) : SURVEY_BLOCK;
}

/* Computes the box of points first ... end - 1. */
static clump_status measure(survey_job *job, uint64_t first, uint64_t end, clump_las_extent *out,
                            clump_message *message)
{
    CLUMP_ASSERT(first <= end);
    *out = (clump_las_extent){
        .points = end - first, .lower = {INT32_MAX, INT32_MAX, INT32_MAX}, .upper = {INT32_MIN, INT32_MIN, INT32_MIN}};
    for (size_t count; first < end; first += count) {
        count = block_count(first, end);
        const clump_status status = clump_sim_survey(&job->survey, first, count, job->block, message);
        if (status != CLUMP_OK) return status;
        for (size_t i = 0; i < count; i++)
            for (int a = 0; a < 3; a++) {
                const int32_t at = job->block[i].xyz[a];
                if (at < out->lower[a]) out->lower[a] = at;
                if (at > out->upper[a]) out->upper[a] = at;
            }
    }
    return CLUMP_OK;
}

/* Makes points first ... end - 1 and adds them to the file. */
static clump_status add_points(survey_job *job, uint64_t first, uint64_t end, clump_las_writer *writer,
                               clump_message *message)
{
    CLUMP_ASSERT(first <= end);
    for (size_t count; first < end; first += count) {
        count = block_count(first, end);
        clump_status status = clump_sim_survey(&job->survey, first, count, job->block, message);
        for (size_t i = 0; i < count; i++) job->classes[job->block[i].classification]++;
        if (status == CLUMP_OK) status = clump_las_writer_add(writer, job->block, count, message);
        if (status != CLUMP_OK) return status;
        cli_progress_step(&job->progress, (size_t)(first + count));
    }
    return CLUMP_OK;
}

/* Writes a file of points first ... end - 1. */
static int write_file(survey_job *job, const char *path, uint64_t first, uint64_t end)
{
    CLUMP_ASSERT(first <= end);
    clump_message message = {0};
    clump_las_writer_options options = clump_las_writer_defaults();
    options.format = job->format;
    memcpy(options.offset, survey_offset, sizeof options.offset);
    options.threads = 0;
    options.temporary = cli_note_temporary;
    clump_las_extent extent;
    clump_status status = CLUMP_OK;
    if (job->format == CLUMP_FORMAT_LAS && (cli_is_dash(path) || cli_is_special(path))) {
        status = measure(job, first, end, &extent, &message);
        options.extent = &extent;
    }
    clump_las_writer *writer = NULL;
    if (status == CLUMP_OK) status = clump_las_writer_open(path, &options, &writer, &message);
    if (status == CLUMP_OK) status = add_points(job, first, end, writer, &message);
    if (status == CLUMP_OK)
        status = clump_las_writer_close(writer, true, &message);
    else
        clump_las_writer_close(writer, false, NULL);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(path, status, &message);
}

static int write_folder(survey_job *job, const settings *s)
{
    for (size_t k = 0; k < s->files; k++) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%06zu.%s", s->output, k, clump_format_name(job->format));
        if (length < 0 || (size_t)length >= sizeof path) return cli_fail("%s: the name is too long", s->output);
        const uint64_t each = s->points / s->files, rest = s->points % s->files;
        const uint64_t first = k * each + (k < rest ? k : rest);
        CLI_TRY(write_file(job, path, first, first + each + (k < rest)));
    }
    return CLI_DONE;
}

static void print(const settings *s, const survey_job *job)
{
    const uint64_t ground = job->classes[CLUMP_SURVEY_GROUND];
    if (s->json) {
        cli_json j = cli_json_begin(stdout, "gen survey");
        cli_json_text(&j, "output", s->output);
        cli_json_count(&j, "points", s->points);
        cli_json_count(&j, "ground", ground);
        cli_json_count(&j, "files", s->files ? s->files : 1);
        cli_json_count(&j, "seed", s->seed);
        cli_json_end(&j);
    } else if (!s->quiet) {
        FILE *const to = cli_is_dash(s->output) ? stderr : stdout;
        fprintf(to, "%s: %zu point%s, %llu of them ground", cli_shown(s->output), s->points, s->points == 1 ? "" : "s",
                (unsigned long long)ground);
        if (s->files) fprintf(to, ", in %zu file%s", s->files, s->files == 1 ? "" : "s");
        fprintf(to, " (seed %zu); cluster with --drop-class 2 -d 0.5\n", s->seed);
    }
}

/* Checks the output, and creates the folder. */
static int prepare(const cli_command *self, const settings *s, survey_job *job)
{
    if (s->files) {
        job->format = CLUMP_FORMAT_LAS;
        if (s->to) clump_format_from_name(s->to, &job->format);
        CLI_TRY(cli_folder_check_name(self, s->output, "a folder with --files", NULL, 0));
        cli_folder folder;
        return cli_folder_begin(&folder, self, s->output, clump_format_name(job->format), s->overwrite, false);
    }
    if (cli_is_dash(s->output) && s->json) return cli_usage(self, "-o - and --json both want standard output");
    CLI_TRY(cli_check_cloud_output(self, "-o", s->output, s->to, &job->format));
    if (job->format == CLUMP_FORMAT_LAS || job->format == CLUMP_FORMAT_LAZ) return CLI_DONE;
    if (!s->to && cli_is_special(s->output)) return job->format = CLUMP_FORMAT_LAS, CLI_DONE;
    return cli_usage(self, "-o %s: a survey is written as .las or .laz; 'clump convert' makes others", s->output);
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    const clump_survey defaults = clump_survey_defaults();
    settings s = {.points = (size_t)defaults.points, .seed = (size_t)defaults.seed};
    CLI_TRY(cli_parse(self, argc, argv, &s, NULL));
    if (!s.output) return cli_usage(self, "gen survey needs -o OUT, the file to write");
    survey_job job = {.survey = defaults};
    job.survey.points = s.points;
    job.survey.seed = s.seed;
    if (s.files > s.points) return cli_usage(self, "--files %zu is more than -n %zu, the points", s.files, s.points);
    CLI_TRY(prepare(self, &s, &job));
    job.block = cli_allocate(SURVEY_BLOCK, sizeof *job.block);
    if (!job.block) return cli_fail("not enough memory for %d points", SURVEY_BLOCK);
    cli_progress_begin(&job.progress, "writing", s.points, s.quiet);
    cli_progress_rate(&job.progress, "points", (double)s.points);
    const int status = s.files ? write_folder(&job, &s) : write_file(&job, s.output, 0, s.points);
    cli_progress_end(&job.progress);
    free(job.block);
    if (status == CLI_DONE) print(&s, &job);
    return status;
}

const cli_command cli_cmd_gen_survey = {
    .name = "gen survey",
    .operands = "",
    .usage = "-o OUT [options]",
    .brief = "make an airborne survey of any size",
    .about = "Makes a landscape seen from the air: ground (class 2), trees (5), shrubs and\n"
             "hedges (4), buildings (6) and poles (1), 20 points per square metre, in the\n"
             "order of flight lines. Points have millimetre steps and the offset of a UTM\n"
             "zone. Memory does not grow with the number of points. A point of LAS has 20\n"
             "bytes: 10^9 points have 20 GB. The files of --files, taken together, have the\n"
             "points of the one file. The same options give the same bytes on every machine.\n",
    .examples = "clump gen survey -n 100000000 -o survey.las\n"
                "clump gen survey -n 100000000 --files 25 --to laz -o lines\n"
                "    25 parts of the same survey, compressed\n"
                "clump ec survey.las --drop-class 2 -d 0.5 -o labelled.las\n"
                "    all that is not ground\n",
    .options = option_rows,
    .run = run_command,
};
