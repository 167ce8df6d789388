/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_play.c: `clump play`: its command line; play.h names the files that do the work.
 */
#include "play/latency.h"
#include "commands/options.h"
#include "play/play.h"
#include "base/stop.h"

#include <clump/info.h>

#include <stdlib.h>
#include <string.h>

typedef cli_play_settings settings;
#define AT(member) offsetof(settings, member)

static const char *drop_choice(int i)
{
    return (const char *const[]){"oldest", "none", NULL}[i];
}

static const char *ros_choice(int index)
{
    return index == 0 ? "jazzy" : index == 1 ? "humble" : NULL;
}

static const char *qos_choice(int index)
{
    return index == 0 ? "best-effort" : index == 1 ? "reliable" : NULL;
}

static const cli_option option_rows[] = {
    CLI_SOURCE_OPTIONS(settings, source),
    CLI_OPTION(CLI_COUNT, 0, "loop", "N", AT(source.loop), .least = 1, .help = "play N times (default 1)"),
    CLI_HEADING("Speed"),
    CLI_OPTION(CLI_NUMBER, 0, "rate", "X", AT(rate), .matters = true, .help = "X times the recorded speed (default 1)"),
    CLI_OPTION(CLI_SWITCH, 0, "flat-out", NULL, AT(flat_out), .matters = true, .help = "as fast as it goes"),
    CLI_OPTION(CLI_CHOICE, 0, "drop", "WHICH", AT(drop), .choices = drop_choice, .noun = "frame to drop",
               .help =
                   "which waiting frame is dropped when clustering is behind (default oldest, with --flat-out none)"),
    CLI_OPTION(CLI_COUNT, 0, "queue", "N", AT(queue), .least = 1, .most = 1000,
               .help = "frames that may wait for clustering (default 2)"),
    CLI_OPTION(CLI_NUMBER, 0, "deadline", "MS", AT(deadline),
               .help = "a frame whose result takes longer is counted as missed (default: the period of the topic)"),
    CLI_OPTION(CLI_COUNT, 0, "stages", "N", AT(stages), .least = 1, .most = 3,
               .help = "threads for the stages: 3, decode, cluster, write; 1, all in one (default 3)"),
    CLI_HEADING("Tracking and checking"),
    CLI_DRIVE_OPTIONS(settings, drive),
    CLI_OPTION(CLI_NUMBER, 0, "gate", "R", AT(drive.gate),
               .help =
                   "how far an object may be from where it is expected (default 2); twice as far if it was seen once"),
    CLI_OPTION(CLI_SWITCH, 0, "no-memory", NULL, AT(drive.no_memory), .matters = true,
               .help =
                   "objects: each frame on its own; otherwise objects that earlier frames have seen apart stay apart, "
                   "and those that moved as one stay one"),
    CLI_OPTION(CLI_SWITCH, 0, "check-pcl", NULL, AT(check_pcl),
               .help =
                   "compare the clusters of each frame with those of PCL, where it is installed; implies --flat-out"),
    CLI_HEADING("Output"),
    CLI_OPTION(CLI_FILE, 'o', "output", "OUT", AT(output), .matters = true,
               .help = "a folder for labelled clouds, one file per frame; a recording, .mcap or .bag, of clouds, "
                       "markers and detections; a page, .html, that plays the frames in any browser, which implies "
                       "--flat-out; or, of udp://, the packets as they come, .pcap"),
    CLI_MAX_POINTS_OPTION(settings),
    CLI_OPTION(CLI_CHOICE, 0, "to", "NAME", AT(to), .choices = cli_writable_format, .noun = "format",
               .help = "format of the files in the folder (default pcd)"),
    CLI_OPTION(CLI_SWITCH, 0, "overwrite", NULL, AT(overwrite),
               .help = "the folder need not be empty; of a sensor, ROS 2 or standard input, files are replaced"),
    CLI_OPTION(CLI_SWITCH, 0, "json-lines", NULL, AT(json_lines),
               .help = "print one JSON object per frame: its time and its clusters"),
    CLI_OPTION(CLI_TEXT, 0, "serve", "PORT", AT(serve), .matters = true,
               .help =
                   "show the frames live in a browser, http://127.0.0.1:PORT/, and in Foxglove, ws://127.0.0.1:PORT/; "
                   "ADDR:PORT for another address"),
    CLI_OPTION(CLI_SWITCH, 0, "publish", NULL, AT(ros.publish),
               .help = "publish clouds, markers, detections and transforms in ROS 2, as node /clump; implied by "
                       "ros2://TOPIC"),
    CLI_OPTION(CLI_COUNT, 0, "domain", "N", AT(ros.domain), .most = 232, .matters = true,
               .help = "the domain of ROS 2 (default: ROS_DOMAIN_ID, else 0)"),
    CLI_OPTION(CLI_CHOICE, 0, "ros", "NAME", AT(ros.ros), .choices = ros_choice, .noun = "distribution of ROS 2",
               .help = "jazzy, for Iron and later (default), or humble"),
    CLI_OPTION(CLI_CHOICE, 0, "qos", "NAME", AT(ros.qos), .choices = qos_choice, .noun = "quality of service",
               .help = "of the topic that is read: best-effort (default), or reliable, which sends lost parts again"),
    CLI_OPTION(CLI_SWITCH, 0, "local", NULL, AT(ros.local),
               .help = "ROS 2 on this machine only: nothing reaches a network"),
    CLI_OPTION(CLI_FILE, 0, "chart", "FILE.svg", AT(chart), .help = "draw the latencies"),
    CLI_OPTION(CLI_SWITCH, 0, "json", NULL, AT(json), .help = "print the summary as one JSON object"),
    CLI_QUIET_OPTION(settings, "print no summary, show no status"),
    {0}};

static int check(const cli_command *self, const settings *s, const char *path)
{
    if (s->flat_out && s->rate != 1) return cli_usage(self, "--flat-out and --rate contradict each other");
    if (!(s->rate >= 0.001 && s->rate <= 1000)) return cli_usage(self, "--rate must lie between 0.001 and 1000");
    if (s->json && s->json_lines) return cli_usage(self, "--json and --json-lines both want standard output");
    if (s->check_pcl && s->rate != 1) return cli_usage(self, "--check-pcl and --rate contradict each other");
    if (s->check_pcl && s->drop && strcmp(s->drop, "none") != 0)
        return cli_usage(self, "--check-pcl compares every frame: --drop must be none");
    CLI_TRY(cli_drive_check(self, &s->drive));
    if (s->drop && s->flat_out && strcmp(s->drop, "oldest") == 0)
        return cli_usage(self, "--drop oldest has no meaning with --flat-out: every frame is late");
    const bool page = cli_play_writes_page(s), recording = s->output && cli_names_recording(s->output);
    const bool file = page || recording || cli_play_writes_packets(s);
    if (page && s->rate != 1) return cli_usage(self, "-o %s and --rate contradict each other", s->output);
    if (page && s->drop && strcmp(s->drop, "none") != 0)
        return cli_usage(self, "-o %s has every frame: --drop must be none", s->output);
    if (s->max_points != CLI_UNSET && !page) return cli_usage(self, "--max-points is for -o PAGE.html, the page");
    if (s->to && (!s->output || file)) return cli_usage(self, "--to is for -o FOLDER, the format of its files");
    if (s->overwrite && (cli_is_live(path) ? !s->output && !s->chart : !s->output || file))
        return cli_usage(self, "--overwrite is for -o FOLDER");
    if (s->chart) {
        const char *const dot = strrchr(s->chart, '.');
        if (!dot || strcmp(dot, ".svg") != 0) return cli_usage(self, "--chart %s: the name must end in .svg", s->chart);
        CLI_TRY(cli_check_output(s->chart));
        CLI_TRY(cli_check_live_output(path, s->chart, s->overwrite));
    }
    if (!file) return CLI_DONE;
    CLI_TRY(cli_check_output(s->output));
    return cli_check_live_output(path, s->output, s->overwrite);
}

/* Finds the period of the topic, for the deadline. */
static void find_period(cli_play *play)
{
    const clump_topic *topics = NULL;
    size_t count = 0;
    if (clump_recording_topics(play->source.recording, &topics, &count, NULL) != CLUMP_OK) return;
    const char *const read = clump_recording_topic(play->source.recording);
    for (size_t i = 0; i < count; i++)
        if (topics[i].has_clouds && read && strcmp(topics[i].name, read) == 0) play->period = topics[i].period;
}

static void choose_deadline(cli_play *play)
{
    play->deadline = NAN;
    if (play->s->deadline >= 0) play->deadline = play->s->deadline;
    if (play->s->flat_out) return;
    find_period(play);
    if (play->s->deadline < 0 && play->period > 0) play->deadline = 1e-6 * (double)play->period / play->s->rate;
}

/* Creates contexts and tracker. */
static int begin_clustering(cli_play *play)
{
    CLI_TRY(cli_context_create(&play->context_options, &play->context));
    const bool gpu = play->context_options.backend != CLUMP_BACKEND_CPU && !clump_device_absence(CLUMP_BACKEND_CUDA);
    if (gpu) CLI_TRY(cli_context_create(&play->context_options, &play->memory_context));
    const cli_cluster *const s = play->plan.settings;
    const clump_up up = cli_ground_options(&s->ground, &s->region, (const double[3]){0}).up;
    CLI_TRY(cli_drive_begin(&play->drive, play->self, &play->s->drive, play->context, up, &play->source, &play->warm));
    if (!play->plan.job.cuts_tree && play->s->drive.no_memory)
        return cli_usage(play->self, "--no-memory is for objects, not for %s", play->job_command->name);
    CLI_TRY(cli_by_class_begin(&play->by_class, s));
    /* What moved as one may have several classes, which never share a cluster. */
    if (!play->plan.job.cuts_tree || play->s->drive.no_memory || s->classes) return CLI_DONE;
    const clump_status status = cli_drive_use_memory(&play->drive, play->context, up);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(play->context, status);
}

static int begin_check(cli_play *play)
{
    const clump_detect_options options = cli_plan_options(&play->plan, (const double[3]){0});
    const cli_cluster *const s = play->plan.settings;
    return cli_check_pcl_open(play->self, &options, &s->region, &play->check_pcl);
}

static int begin(cli_play *play, const char *const *paths, size_t count)
{
    const settings *const s = play->s;
    const bool url = cli_is_url(paths[0]);
    if (url && count > 1) return cli_usage(play->self, "%s is a sensor that sends: it stands alone", paths[0]);
    if (url && s->rate != 1)
        return cli_usage(play->self, "--rate is for recordings: %s has the speed of the sensor", paths[0]);
    if ((!url || strncmp(paths[0], "ros2://", 7) == 0) && cli_play_writes_packets(s))
        return cli_usage(play->self, "-o %s records the packets that a sensor sends: udp://, ouster://", s->output);
    CLI_TRY(cli_source_open(&play->source, paths, count, &s->source, s->stages == 1 ? 0 : 8, &play->warm));
    play->source.cancelled = &play->cancelled;
    play->wire = play->source.live && clump_recording_kind(play->source.recording) != CLUMP_RECORDING_PCAP;
    choose_deadline(play);
    CLI_TRY(begin_clustering(play));
    if (s->check_pcl) CLI_TRY(begin_check(play));
    if (s->output && !cli_names_recording(s->output) && !cli_play_writes_page(s) && !cli_play_writes_packets(s))
        CLI_TRY(cli_folder_begin(&play->folder, play->self, s->output, s->to, s->overwrite, true));
    return cli_play_write_begin(play);
}

/* Says what went wrong without ending the play. */
static void warn(const cli_play *play)
{
    const uint64_t bad = play->source.bad;
    if (bad > 0)
        cli_warn("%s: %llu frame%s could not be read; the first: %s", play->name, (unsigned long long)bad,
                 bad == 1 ? "" : "s", play->source.why.text);
    if (play->view.out.page) cli_view_warn(&play->view.out);
}

static int report(cli_play *play)
{
    const settings *const s = play->s;
    const clump_recording_losses lost = clump_recording_lost(play->source.recording);
    if (s->chart)
        CLI_TRY(cli_latency_chart(s->chart, play->name, &play->result.course, &play->result.latency[CLI_PLAY_TOTAL],
                                  play->deadline));
    if (!s->quiet) warn(play);
    if (s->json)
        cli_play_report_json(stdout, play, &lost);
    else if (!s->quiet)
        cli_play_report_text(s->json_lines ? stderr : stdout, play, &lost);
    return CLI_DONE;
}

/* Fails where a frame's clusters are not those of PCL. */
static int judge(const cli_play *play)
{
    const cli_check_pcl_result r = cli_check_pcl_sum_up(play->check_pcl);
    if (r.equal == r.frames) return CLI_DONE;
    return cli_fail("%s: the clusters of %zu of %zu frames differ from those of PCL; %s", play->name,
                    r.frames - r.equal, r.frames, r.difference);
}

/* Plays from begin to end. A signal ends the play early, but outputs and summary are complete. */
static int play_all(cli_play *play)
{
    cli_stop_soft(true);
    int status = cli_play_run(play);
    if (status == CLI_DONE && play->source_status == CLUMP_OK && !cli_stop_asked())
        status = cli_source_check_any(&play->source);
    const int closed = cli_play_write_end(play, status == CLI_DONE);
    if (status == CLI_DONE) status = closed;
    if (status == CLI_DONE) status = report(play);
    if (status == CLI_DONE && play->source_status != CLUMP_OK) /* what was read before has been written */
        status = cli_fail_message(play->name, play->source_status, &play->source.why);
    if (status == CLI_DONE && play->result.frames == 0 && play->result.failed > 0) status = CLI_FAILED;
    if (status == CLI_DONE && play->check_pcl) status = judge(play);
    return status;
}

static void end(cli_play *play)
{
    cli_play_serve_end(play);
    cli_play_write_end(play, false);
    cli_source_close(&play->source);
    cli_play_ros_end(play);
    clump_frame_release(&play->warm);
    cli_check_pcl_close(play->check_pcl);
    cli_drive_end(&play->drive);
    cli_play_view_release(play);
    cli_by_class_release(&play->by_class);
    clump_context_destroy(play->context);
    clump_context_destroy(play->memory_context);
    cli_plan_release(&play->plan);
}

static int run_play(cli_play *play, int argc, char **argv, settings *s, const char **paths)
{
    int own = 0;
    while (own < argc && strcmp(argv[own], "--") != 0) own++;
    size_t count;
    CLI_TRY(cli_parse_many(play->self, own, argv, s, paths, &count));
    play->name = paths[0];
    CLI_TRY(check(play->self, s, paths[0]));
    cli_play_address at = {0};
    if (s->serve) CLI_TRY(cli_play_serve_check(play->self, s->serve, &at));
    if (s->output && !cli_play_writes_packets(s))
        CLI_TRY(
            cli_folder_check_name(play->self, s->output,
                                  "a folder, a recording that ends in .mcap or .bag, a page that ends in .html, or the "
                                  "packets of a sensor in .pcap",
                                  paths, count));
    if (cli_play_writes_packets(s)) s->source.capture = s->output;
    if (s->check_pcl || cli_play_writes_page(s)) s->flat_out = true; /* the result does not depend on the speed */
    CLI_TRY(cli_plan_read_inner(play->self, false, own < argc ? argc - own - 1 : 0, argv + own + 1, &play->plan,
                                &play->context_options));
    const cli_cluster *const job = play->plan.settings;
    const char *const without = play->plan.job.not_detected ? play->plan.job.not_detected
                                : job->drop_class           ? "--drop-class"
                                : job->frame                ? "--frame"
                                : job->step >= 0            ? "--step"
                                                            : NULL;
    if (without)
        return cli_usage(play->self, "%s is for clump %s itself, not for play", without, play->plan.command->name);
    if (job->class_of && cli_is_label_file(job->class_of))
        return cli_usage(play->self, "--class-of %s names one file; of frames it names a field", job->class_of);
    play->job_command = play->plan.command;
    play->drops = s->drop ? strcmp(s->drop, "oldest") == 0 : !s->flat_out;
    CLI_TRY(cli_play_ros_begin(play, paths, count));
    play->name = paths[0];
    CLI_TRY(begin(play, paths, count));
    CLI_TRY(cli_play_view_begin(play, argc, argv));
    if (s->serve) CLI_TRY(cli_play_serve_begin(play, &at));
    return play_all(play);
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.source = CLI_SOURCE_DEFAULTS,
                  .rate = 1,
                  .queue = 2,
                  .stages = 3,
                  .deadline = -1,
                  .max_points = CLI_UNSET,
                  .ros = {.domain = CLI_UNSET},
                  .drive = {.gate = -1}};
    cli_play *const play = calloc(1, sizeof *play); /* large: histograms */
    const char **const paths = cli_allocate((size_t)argc + 1, sizeof *paths);
    int status = CLI_FAILED;
    if (play && paths) {
        play->self = self;
        play->s = &s;
        status = run_play(play, argc, argv, &s, paths);
        end(play);
    } else {
        status = cli_fail("not enough memory to play");
    }
    free(paths);
    free(play);
    return status;
}

const cli_command cli_cmd_play = {
    .name = "play",
    .operands = "REC...",
    .usage = "REC... [options] -- JOB [options]",
    .brief = "cluster each frame of a recording, at its speed",
    .about = "Reads ROS bags, MCAP, captures of sensor packets and folders of cloud files, and\n"
             "runs JOB on each frame: objects, detect, ec, dbscan or erccl with its options,\n"
             "without a file. Frames arrive when they arrived in the recording. Prints the\n"
             "latency from the end of a frame to its result: waiting, decoding and clustering.\n"
             "Ctrl-C ends the play and prints the summary. Several REC are the parts of one\n"
             "recording. udp://[ADDRESS]:PORT is a sensor that sends, ouster://HOST one whose\n"
             "metadata is asked for first, - a capture from standard input.\n",
    .examples = "clump play drive.bag -- detect\n"
                "    the objects of each scan, at the speed of the recording\n"
                "clump play drive.mcap --topic /lidar/points --flat-out -- ec -d 0.5\n"
                "    as fast as it goes: how many scans per second?\n"
                "clump play drive.pcap -o found.mcap --track -- detect --max-range 60\n"
                "    from packets of a sensor to boxes with identities, for Foxglove or RViz\n"
                "clump play drive.mcap --track -o drive.html -- objects\n"
                "    a page that plays: what moves, how fast, and the path of the sensor\n"
                "clump play scans/ -o labelled/ --flat-out -- dbscan --eps 0.5 --min-points 10\n"
                "    a folder of clouds to a folder of labelled clouds\n"
                "clump play drive.bag --json-lines --flat-out -- detect >objects.jsonl\n"
                "    the boxes of all frames, one line per frame\n"
                "clump play drive.bag --rate 4 --loop 100 --chart latency.svg -- detect\n"
                "    does it keep up at four times the speed, for a long time?\n"
                "clump play udp://:2368 --track --serve 8080 -- detect\n"
                "    a sensor on the cable, in a browser\n"
                "clump play drive.bag --serve 8080 -- detect\n"
                "    watch it in a browser: http://127.0.0.1:8080/\n"
                "clump play ros2://points --track -- detect\n"
                "    a node of ROS 2 without ROS: /points to /clump/points, markers, detections\n",
    .options = option_rows,
    .run = run_command,
};
