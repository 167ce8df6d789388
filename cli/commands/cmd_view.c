/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_view.c: `clump view`: its command line; view.h names the files that do the work.
 */
#include "commands/options.h"
#include "base/progress.h"
#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef cli_view_settings settings;
#define AT(member) offsetof(settings, member)

static const cli_option option_rows[] = {
    CLI_HEADING("Output, at least one of these"),
    CLI_OPTION(CLI_FILE, 'o', "output", "PAGE.html", AT(output), .matters = true,
               .help = "one file for any browser, with everything in it; - is standard output"),
    CLI_OPTION(CLI_FILE, 0, "png", "FILE.png", AT(png), .matters = true, .help = "a picture, drawn without a browser"),
    CLI_HEADING("Labels (default: the field 'label' of IN, if it has one)"),
    CLI_OPTION(CLI_FILE, 0, "labels", "FILE", AT(labels), .matters = true,
               .help = "labels of IN: .labels, .npy, .label of SemanticKITTI, or a cloud with the field 'label'"),
    CLI_OPTION(CLI_FILE, 0, "compare", "FILE", AT(compare), .matters = true,
               .help = "other labels, side by side; points that the two treat differently are marked"),
    CLI_HEADING("Drives: objects of JOB over the frames"),
    CLI_DRIVE_OPTIONS(settings, drive),
    CLI_HEADING("Look"),
    CLI_OPTION(CLI_TEXT, 0, "view", "WHERE", AT(view), .choices = cli_view_choice, .matters = true,
               .help = "home, top, side or sensor, or AZ,EL: degrees around the up axis and above the ground "
                       "(default home)"),
    CLI_OPTION(CLI_NUMBER, 0, "zoom", "X", AT(zoom), .help = "X times nearer (default 1)"),
    CLI_OPTION(CLI_TRIPLE, 0, "target", "X,Y,Z", AT(target),
               .help = "what is in the middle, in coordinates of the file (default: the middle of the points)"),
    CLI_OPTION(CLI_TEXT, 0, "colour", "WHAT", AT(colour), .choices = cli_colour_choice, .matters = true,
               .help = "label, height, range, ground, core, difference, rgb (colours of the file), or the name of a "
                       "field (default: label where there are labels, then rgb, then height)"),
    CLI_OPTION(CLI_NUMBER, 0, "point-size", "PX", AT(point_size),
               .help = "size of a point (default 3, up to 6 in small clouds)"),
    CLI_OPTION(CLI_SWITCH, 0, "no-boxes", NULL, AT(no_boxes), .help = "no boxes around clusters"),
    CLI_OPTION(CLI_SWITCH, 0, "no-shading", NULL, AT(no_shading), .help = "no shading of edges"),
    CLI_OPTION(CLI_SWITCH, 0, "no-legend", NULL, AT(no_legend),
               .help = "the picture without the meaning of its colours and without the scale bar of a view from above"),
    CLI_OPTION(CLI_CHOICE, 0, "theme", "NAME", AT(theme), .choices = cli_theme_choice,
               .help = "background (default auto: the browser's; dark in pictures)"),
    CLI_OPTION(CLI_TEXT, 0, "title", "TEXT", AT(title), .help = "title of the page (default: the name of IN)"),
    CLI_OPTION(CLI_TEXT, 0, "size", "WxH", AT(size), .help = "pixels of the picture (default 1600x900)"),
    CLI_OPTION(CLI_COUNT, 0, "frame", "N", AT(frame),
               .help = "frame of the picture, from 0 (default 0; with --track the last)"),
    CLI_MAX_POINTS_OPTION(settings),
    CLI_OPTION(CLI_CHOICE, 0, "up", "AXIS", AT(up), .choices = cli_up_choice,
               .help = "the axis that points up (default z)"),
    CLI_OPTION(CLI_SWITCH, 0, "flip", NULL, AT(flip), .help = "the sensor hangs upside down: that axis points down"),
    CLI_OPTION(CLI_TRIPLE, 0, "sensor", "X,Y,Z", AT(sensor),
               .help = "where the sensor is, in coordinates of the file (default 0,0,0)"),
    CLI_HEADING("Which frames"),
    CLI_SOURCE_OPTIONS(settings, source),
    CLI_OPTION(CLI_COUNT, 0, "every", "N", AT(source.every), .least = 1, .help = "only every N-th frame (default 1)"),
    CLI_OPTION(CLI_CHOICE, 0, "format", "NAME", AT(format), .choices = cli_readable_format,
               .help = "format of IN if it cannot be guessed"),
    CLI_OPTION(CLI_SWITCH, 0, "partial", NULL, AT(partial),
               .help = "read a file that ends too early as far as it goes"),
    CLI_HEADING("Report"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print no summary"),
    {0}};

/* Checks one output: its ending, its folder, and that it is no input. */
static int check_output(const cli_view *view, const char *option, const char *path, cli_view_kind kind)
{
    const cli_view_kind named = cli_view_kind_of(path, NULL);
    const char *const ending = kind == CLI_VIEW_PAGE ? ".html" : ".png";
    if (!cli_is_dash(path) && named != kind && !cli_is_special(path))
        return cli_usage(view->self, "%s %s: the name must end in %s%s", option, path, ending,
                         strcmp(option, "-o") == 0 ? ", or in .png for a picture" : "");
    CLI_TRY(cli_view_check_output(view->self, option, path, view->s->json));
    for (size_t i = 0; i < view->path_count; i++)
        if (!cli_is_dash(path) && !cli_is_dash(view->paths[i]) && cli_same_output(path, view->paths[i]))
            return cli_usage(view->self, "%s %s is also an input", option, path);
    return CLI_DONE;
}

/* Refuses options that have no effect. */
static int check_use(const cli_view *view)
{
    const settings *const s = view->s;
    const bool picture = view->out.picture, page = view->out.page;
    const char *const lonely = s->size                 ? "--size"
                               : s->frame != CLI_UNSET ? "--frame"
                               : s->no_legend          ? "--no-legend"
                                                       : NULL;
    if (lonely && !picture) return cli_usage(view->self, "%s is for --png FILE, the picture", lonely);
    const char *const idle = s->max_points != CLI_UNSET ? "--max-points" : s->title ? "--title" : NULL;
    if (idle && !page) return cli_usage(view->self, "%s is for -o PAGE.html, the page", idle);
    if (s->labels && view->has_plan)
        return cli_usage(view->self, "--labels and a job after -- both give labels; --compare is for the second");
    return CLI_DONE;
}

/* Refuses tracks of what has none. */
static int check_drive(const cli_view *view)
{
    CLI_TRY(cli_drive_check(view->self, &view->s->drive));
    if (!view->s->drive.track) return CLI_DONE;
    if (!view->has_plan || strcmp(view->plan.command->name, "ground") == 0)
        return cli_usage(view->self, "--track needs a job after -- that finds clusters, such as objects");
    return CLI_DONE;
}

/* Hands --up and --flip to the job, whose boxes stand upright. A job that finds the ground has options of its own for
 * them, and every job has one for the sensor. */
static int hand_on(const cli_view *view)
{
    const settings *const s = view->s;
    cli_cluster *const job = view->plan.settings;
    const char *const up = s->up ? "--up" : s->flip ? "--flip" : NULL;
    const char *const given = up && cli_plan_finds_ground(&view->plan) ? up : isnan(s->sensor[0]) ? NULL : "--sensor";
    if (given) return cli_usage(view->self, "%s belongs after --, to the options of the job", given);
    if (s->up) job->ground.options.up = strcmp(s->up, "y") == 0 ? CLUMP_UP_Y : CLUMP_UP_Z;
    job->ground.options.flip |= s->flip;
    return CLI_DONE;
}

/* Reads the job after "--". */
static int read_job(cli_view *view, int argc, char **argv)
{
    CLI_TRY(cli_plan_read_inner(view->self, true, argc, argv, &view->plan, &view->context_options));
    return hand_on(view);
}

static int check(cli_view *view)
{
    const settings *const s = view->s;
    const bool drawn = s->output && !s->png && cli_view_kind_of(s->output, NULL) == CLI_VIEW_PICTURE;
    if (!s->output && !s->png)
        return cli_usage(view->self, "view needs -o PAGE.html or --png FILE.png, the file that shows the points");
    view->out.page = drawn ? NULL : s->output;
    view->out.picture = drawn ? s->output : s->png;
    CLI_TRY(cli_view_look(view->self, s, &view->out));
    CLI_TRY(check_use(view));
    if (view->out.page) CLI_TRY(check_output(view, "-o", view->out.page, CLI_VIEW_PAGE));
    if (view->out.picture) CLI_TRY(check_output(view, drawn ? "-o" : "--png", view->out.picture, CLI_VIEW_PICTURE));
    if (view->out.page && view->out.picture &&
        (cli_is_dash(s->output) ? cli_is_dash(s->png) : cli_same_output(s->output, s->png)))
        return cli_usage(view->self, "-o and --png both name %s", s->output);
    if (s->max_points != CLI_UNSET) view->out.most_points = s->max_points;
    return CLI_DONE;
}

/* Returns the title of the page: "scan.pcd", "scan.pcd and 3 more". The caller frees it. Null: no memory. */
static char *title_of(const cli_view *view)
{
    if (view->s->title) return cli_text("%s", view->s->title);
    const char *const first = cli_view_name(view->paths[0]);
    return view->path_count == 1 ? cli_text("%s", first) : cli_text("%s and %zu more", first, view->path_count - 1);
}

static void put_json(const cli_view *view, double begun)
{
    const cli_view_writing *const out = &view->out;
    cli_json j = cli_json_begin(stdout, "view");
    cli_json_open(&j, "inputs", '[');
    for (size_t i = 0; i < view->path_count; i++) cli_json_text(&j, NULL, view->paths[i]);
    cli_json_close(&j, ']');
    cli_json_text(&j, "job", view->has_plan ? view->plan.command->name : NULL);
    cli_json_text(&j, "page", out->page);
    cli_json_text(&j, "picture", out->picture);
    cli_json_count(&j, "page_bytes", out->page_bytes);
    cli_json_count(&j, "picture_bytes", out->picture_bytes);
    cli_json_count(&j, "frames", out->page ? out->written : 1);
    cli_json_count(&j, "points", out->points);
    cli_json_count(&j, "thinned_frames", out->thinned);
    cli_json_count(&j, "clusters", view->clusters);
    cli_drive_put(&j, &view->drive);
    cli_json_ms(&j, "total_ms", 1e3 * (cli_seconds() - begun));
    cli_json_end(&j);
}

static void report(const cli_view *view, double begun)
{
    const bool taken = cli_is_dash(view->out.page) || cli_is_dash(view->out.picture);
    if (view->s->json)
        put_json(view, begun);
    else if (!view->s->quiet)
        cli_drive_report(taken ? stderr : stdout, &view->drive),
            cli_view_put_written(taken ? stderr : stdout, &view->out);
}

static int run(cli_view *view, int argc, char **argv, settings *s, const char **paths)
{
    const double begun = cli_seconds();
    int own = 0;
    while (own < argc && strcmp(argv[own], "--") != 0) own++;
    CLI_TRY(cli_parse_many(view->self, own, argv, s, paths, &view->path_count));
    view->paths = paths;
    view->has_plan = own < argc;
    CLI_TRY(check(view));
    if (view->has_plan) CLI_TRY(read_job(view, argc - own - 1, argv + own + 1));
    CLI_TRY(check_drive(view));
    view->out.options.plays = s->drive.track;
    char *const title = title_of(view);
    view->out.options.title = title;
    view->out.quiet = s->quiet;
    const int status = title ? cli_view_run(view) : cli_fail("not enough memory for the title of the page");
    view->out.options.title = NULL;
    free(title);
    if (status != CLI_DONE) return status;
    report(view, begun);
    if (view->ended == CLUMP_OK) return CLI_DONE;
    return cli_fail_message(paths[0], view->ended, &view->source.why); /* what was read before has been written */
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.source = CLI_SOURCE_DEFAULTS,
                  .zoom = -1,
                  .point_size = -1,
                  .target = {NAN, NAN, NAN},
                  .sensor = {NAN, NAN, NAN},
                  .max_points = CLI_UNSET,
                  .drive = {.gate = -1},
                  .frame = CLI_UNSET};
    cli_view view = {.self = self,
                     .s = &s,
                     .context_options = clump_context_defaults(),
                     .out = cli_view_writing_of(CLI_VIEW_NONE, NULL, false)};
    const char **const paths = cli_allocate((size_t)argc + 1, sizeof *paths);
    char *const typed = cli_typed_text(self, argc, argv);
    view.out.options.command = typed;
    int status = paths ? run(&view, argc, argv, &s, paths) : cli_fail("not enough memory for the options");
    cli_view_abandon(&view.out);
    clump_frame_release(&view.frame);
    clump_frame_release(&view.ahead);
    cli_drive_end(&view.drive);
    view_trails_release(&view.trails);
    free(view.tracks);
    cli_source_close(&view.source);
    clump_context_destroy(view.context);
    cli_plan_release(&view.plan);
    free(typed);
    free(paths);
    return status;
}

const cli_command cli_cmd_view = {
    .name = "view",
    .operands = "IN...",
    .usage = "IN... [-o PAGE.html] [--png FILE.png] [options] [-- JOB ...]",
    .brief = "see clouds and clusters: a 3-D page, a picture",
    .about = "Writes one HTML file that shows the points in 3-D in any browser, without a\n"
             "network: turn, zoom, click a point, sort the clusters, play the frames. Or draws\n"
             "a picture. IN are cloud files, folders of them or recordings; several clouds are\n"
             "frames in this order. JOB is objects, detect, ec, dbscan, erccl or ground with\n"
             "its options, without a file: it runs on each frame, and its clusters are shown.\n"
             "The page holds the points: who has the page has the scan.\n",
    .examples = "clump view scan.pcd -o scan.html\n"
                "    the points, coloured by label or as in the file, else by height\n"
                "clump view scan.bin -o found.html --png found.png -- detect\n"
                "    objects and their boxes, as a page and as a picture\n"
                "clump view scan.bin --compare truth.label -o compare.html -- detect\n"
                "    beside the true labels, with the points that differ marked\n"
                "clump view drive.bag -o drive.html --frames 50 -- detect\n"
                "    fifty frames with a time slider\n"
                "clump view drive.mcap -o drive.html --png last.png --track -- objects\n"
                "    what moves, its trails and speeds, and the path of the sensor\n"
                "clump view scan.pcd --png top.png --view top --size 900x900 --colour intensity\n"
                "    from above, by a field of the cloud\n"
                "clump view scan.pcd --png car.png --target 12,3,0 --zoom 8 --view 30,20\n"
                "    near one place, from a direction\n",
    .options = option_rows,
    .run = run_command,
};
