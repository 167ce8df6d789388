/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_frames.c: `clump frames`: the frames of a recording as cloud files.
 */
#include "files/source.h"
#include "commands/options.h"
#include "base/progress.h"

#include <stdlib.h>

typedef struct settings {
    cli_source_settings source;
    const char *output, *to;
    bool overwrite, json, quiet;
} settings;

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_SOURCE_OPTIONS(settings, source),
    CLI_OPTION(CLI_COUNT, 0, "every", "N", AT(source.every), .least = 1, .matters = true,
               .help = "only every N-th frame (default 1)"),
    CLI_HEADING("Output"),
    CLI_OPTION(CLI_FILE, 'o', "output", "FOLDER", AT(output), .matters = true,
               .help = "where the files 000000.pcd, 000001.pcd ... go; required"),
    CLI_OPTION(CLI_CHOICE, 0, "to", "NAME", AT(to), .choices = cli_writable_format, .noun = "format", .matters = true,
               .help = "format of the files (default pcd)"),
    CLI_OPTION(CLI_SWITCH, 0, "overwrite", NULL, AT(overwrite), .help = "the folder need not be empty"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print no summary"),
    {0}};
#undef AT

enum { FRAMES_READ_AHEAD = 8 };

typedef struct extraction {
    cli_source source;
    cli_folder folder;
    clump_frame frame;
    uint64_t points;
} extraction;

static void put_report(const extraction *e, const settings *s)
{
    const clump_recording_losses lost = clump_recording_lost(e->source.recording);
    if (s->json) {
        cli_json j = cli_json_begin(stdout, "frames");
        cli_json_text(&j, "input", e->source.name);
        cli_json_text(&j, "topic", clump_recording_topic(e->source.recording));
        cli_json_text(&j, "output", s->output);
        cli_json_count(&j, "frames", e->folder.written);
        cli_json_count(&j, "points", e->points);
        cli_put_lost(&j, &lost, e->source.bad);
        cli_json_count(&j, "partial_turns", e->source.partial);
        cli_json_end(&j);
        return;
    }
    if (s->quiet) return;
    char text[CLI_LOST_SIZE];
    cli_lost_text(text, &lost);
    printf("wrote %zu file%s with %llu points in %s\n", e->folder.written, e->folder.written == 1 ? "" : "s",
           (unsigned long long)e->points, cli_shown(s->output));
    if (text[0])
        printf("lost: %s\n", text);
    else if (lost.first[0])
        printf("note: %s\n", lost.first);
}

/* Writes all frames that are wanted. */
static int extract(extraction *e, const settings *s)
{
    clump_status status;
    cli_progress progress;
    cli_progress_begin(&progress, "writing", s->source.frames, s->quiet);
    cli_progress_rate(&progress, "frames", (double)s->source.frames);
    int result = CLI_DONE;
    while (result == CLI_DONE && cli_source_next(&e->source, &e->frame, &status)) {
        result = cli_folder_save(&e->folder, e->frame.cloud, NULL);
        if (result == CLI_DONE) e->points += clump_cloud_points(e->frame.cloud).count;
        cli_progress_step(&progress, e->folder.written);
    }
    cli_progress_end(&progress);
    if (result != CLI_DONE) return result;
    if (status == CLUMP_OK) CLI_TRY(cli_source_check_any(&e->source));
    if (!s->quiet) cli_warn_partial(&e->source);
    if (e->source.bad > 0 && !s->quiet)
        cli_warn("%s: %llu frame%s could not be read; the first: %s", e->source.name, (unsigned long long)e->source.bad,
                 e->source.bad == 1 ? "" : "s", e->source.why.text);
    put_report(e, s);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(e->source.name, status, &e->source.why);
}

static int run(const cli_command *self, int argc, char **argv, extraction *e, const char **paths)
{
    settings s = {.source = CLI_SOURCE_DEFAULTS};
    size_t count;
    CLI_TRY(cli_parse_many(self, argc, argv, &s, paths, &count));
    if (!s.output) return cli_usage(self, "frames needs -o FOLDER, where the files go");
    if (cli_names_recording(s.output)) return cli_usage(self, "-o %s: the output is a folder", s.output);
    CLI_TRY(cli_folder_check_name(self, s.output, "a folder", paths, count));
    CLI_TRY(cli_source_open(&e->source, paths, count, &s.source, FRAMES_READ_AHEAD, &e->frame));
    CLI_TRY(cli_folder_begin(&e->folder, self, s.output, s.to, s.overwrite, false));
    return extract(e, &s);
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    extraction e = {0};
    const char **const paths = cli_allocate((size_t)argc + 1, sizeof *paths);
    const int status = paths ? run(self, argc, argv, &e, paths) : cli_fail("not enough memory for the options");
    clump_frame_release(&e.frame);
    cli_source_close(&e.source);
    free(paths);
    return status;
}

const cli_command cli_cmd_frames = {
    .name = "frames",
    .operands = "REC...",
    .usage = "REC... -o FOLDER [options]",
    .brief = "the frames of a recording as cloud files",
    .about = "Writes each frame of a topic as a cloud file, named by its number. Reads ROS\n"
             "bags, MCAP, captures of sensor packets and folders of cloud files; 'clump info\n"
             "REC' lists the topics. Several REC are the parts of one recording. A damaged\n"
             "recording is read as far as it can be; what was lost is printed.\n",
    .examples = "clump frames drive.bag -o scans/\n"
                "    all frames, as .pcd files\n"
                "clump frames drive.mcap --topic /lidar/points -o scans/ --from 60 --for 10\n"
                "    ten seconds after the first minute\n"
                "clump frames drive.pcap --metadata sensor.json -o scans/ --every 10 --to las\n"
                "    every tenth turn of the sensor\n",
    .options = option_rows,
    .run = run_command,
};
