/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_write.c: see lidar_write.h.
 */
#include "gen/lidar_write.h"

#include "common/assert.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

#define LIDAR_TOPIC "/points"

/* A name without the ending of a format is a folder: a frame number per file tells the files apart. */
static cli_lidar_kind kind_of(const cli_lidar_writing *w)
{
    clump_format format;
    const bool sequence = w->to && clump_format_from_name(w->to, &format) && format == CLUMP_FORMAT_SEMANTICKITTI;
    if (cli_is_folder(w->output)) return sequence ? CLI_LIDAR_SEQUENCE : CLI_LIDAR_FOLDER;
    if (cli_names_recording(w->output)) return CLI_LIDAR_RECORDING;
    if (cli_is_dash(w->output) || cli_is_special(w->output) || clump_format_of_path(w->output) != CLUMP_FORMAT_GUESS)
        return CLI_LIDAR_FILE;
    return sequence ? CLI_LIDAR_SEQUENCE : CLI_LIDAR_FOLDER;
}

static int check_file(const cli_command *self, cli_lidar_writing *w)
{
    clump_format_info info;
    CLI_TRY(cli_check_cloud_output(self, "-o", w->output, w->to, &w->format));
    if (clump_format_describe(w->format, &info) && !info.holds_points)
        return cli_usage(self, "-o %s: a .%s file holds labels and no points; --truth writes it beside the points",
                         w->output, info.extensions[0]);
    if (cli_is_dash(w->output) && w->json) return cli_usage(self, "-o - and --json both want standard output");
    if (w->frames == 1) return CLI_DONE;
    return cli_usage(self, "-o %s: a cloud file holds one frame; %zu frames need a folder or a recording (.mcap, .bag)",
                     w->output, w->frames);
}

static int check_truth(const cli_command *self, const cli_lidar_writing *w)
{
    if (!w->truth) return CLI_DONE;
    if (w->kind == CLI_LIDAR_SEQUENCE)
        return cli_usage(self, "--truth: --to %s writes the truth into %s/labels", w->to, w->output);
    if (w->kind == CLI_LIDAR_RECORDING)
        return cli_usage(self, "--truth: the points of a recording have the fields 'semantic' and 'instance'");
    const bool label = clump_format_of_path(w->truth) == CLUMP_FORMAT_SEMANTICKITTI;
    if (w->kind != CLI_LIDAR_FILE)
        return label ? cli_usage(self, "--truth %s: is one file; the frames of %s need a folder", w->truth, w->output)
                     : CLI_DONE;
    if (!label) return cli_usage(self, "--truth %s: the truth of a frame is a .label file", w->truth);
    if (cli_same_output(w->truth, w->output)) return cli_usage(self, "--truth and -o are the same file");
    return cli_check_output(w->truth);
}

int cli_lidar_write_check(const cli_command *self, cli_lidar_writing *w)
{
    w->kind = kind_of(w);
    if (w->kind == CLI_LIDAR_FILE) {
        CLI_TRY(check_file(self, w));
    } else if (w->kind == CLI_LIDAR_RECORDING) {
        if (w->to) return cli_usage(self, "--to %s: %s is a recording by its ending", w->to, w->output);
        CLI_TRY(cli_check_output(w->output));
    } else {
        CLI_TRY(cli_folder_check_name(self, w->output, "a cloud file, a folder or a recording (.mcap, .bag)", NULL, 0));
    }
    CLI_TRY(check_truth(self, w));
    if (w->things) {
        const char *const dot = strrchr(w->things, '.');
        if (!dot || strcmp(dot, ".csv") != 0)
            return cli_usage(self, "--things %s: the name must end in .csv", w->things);
        if (cli_same_output(w->things, w->output) || (w->poses && cli_same_output(w->things, w->poses)))
            return cli_usage(self, "--things %s: is another output, too", w->things);
        CLI_TRY(cli_check_output(w->things));
    }
    if (!w->poses) return CLI_DONE;
    if (w->kind == CLI_LIDAR_SEQUENCE)
        return cli_usage(self, "--poses: --to %s writes the poses into %s/poses.txt", w->to, w->output);
    if (cli_same_output(w->poses, w->output) || (w->truth && cli_same_output(w->poses, w->truth)))
        return cli_usage(self, "--poses %s: is another output, too", w->poses);
    return cli_check_output(w->poses);
}

/* --- beginning ------------------------------------------------------------------------------------ */

/* Puts the path of a file in the folder of the output into `path`. */
static int place(const cli_lidar_writing *w, const char *name, char path[CLI_LIDAR_PATH])
{
    const int length = snprintf(path, CLI_LIDAR_PATH, "%s/%s", w->output, name);
    return length > 0 && length < CLI_LIDAR_PATH ? CLI_DONE : cli_fail("%s: the name is too long", w->output);
}

static int begin_sequence(const cli_command *self, cli_lidar_writing *w)
{
    cli_folder whole; /* only its folder is made, and seen to be empty */
    CLI_TRY(cli_folder_begin(&whole, self, w->output, NULL, w->overwrite, false));
    CLI_TRY(place(w, "velodyne", w->clouds_path));
    CLI_TRY(place(w, "labels", w->truths_path));
    CLI_TRY(place(w, "poses.txt", w->poses_path));
    CLI_TRY(cli_folder_begin(&w->clouds, self, w->clouds_path, "kitti", w->overwrite, false));
    w->poses = w->poses_path;
    return cli_folder_begin(&w->truths, self, w->truths_path, "semantickitti", w->overwrite, true);
}

static int begin_recording(cli_lidar_writing *w)
{
    clump_recorder_options options = clump_recorder_defaults();
    options.temporary = cli_note_temporary;
    clump_message message = {0};
    const clump_status status = clump_recorder_open(w->output, &options, &w->recorder, &message);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(w->output, status, &message);
}

int cli_lidar_write_begin(const cli_command *self, cli_lidar_writing *w)
{
    if (w->kind == CLI_LIDAR_SEQUENCE) CLI_TRY(begin_sequence(self, w));
    if (w->kind == CLI_LIDAR_RECORDING) CLI_TRY(begin_recording(w));
    if (w->kind == CLI_LIDAR_FOLDER) CLI_TRY(cli_folder_begin(&w->clouds, self, w->output, w->to, w->overwrite, false));
    if (w->truth && w->kind != CLI_LIDAR_FILE)
        CLI_TRY(cli_folder_begin(&w->truths, self, w->truth, "semantickitti", w->overwrite, true));
    w->clouds.first = w->truths.first = w->first;
    if (w->things) {
        CLI_TRY(cli_output_open(&w->thing_file, w->things));
        w->thing_file_open = true;
        fputs("frame,instance,class,lower_x,lower_y,lower_z,upper_x,upper_y,upper_z,vx,vy,vz\n", w->thing_file.file);
    }
    if (!w->poses) return CLI_DONE;
    w->drive = cli_allocate(w->frames, sizeof *w->drive);
    w->stamps = cli_allocate(w->frames, sizeof *w->stamps);
    return w->drive && w->stamps ? CLI_DONE : cli_fail("not enough memory for %zu poses", w->frames);
}

/* --- frames ---------------------------------------------------------------------------------------- */

static int write_cloud(cli_lidar_writing *w, const clump_frame *frame)
{
    if (w->kind == CLI_LIDAR_FILE)
        return cli_save(w->output, frame->cloud, NULL, w->format, CLUMP_ENCODING_DEFAULT, w->quiet);
    if (!w->recorder) return cli_folder_save(&w->clouds, frame->cloud, NULL);
    clump_message message = {0};
    const clump_status status = clump_recorder_cloud(w->recorder, LIDAR_TOPIC, frame, NULL, &message);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(w->output, status, &message);
}

static int write_truth(cli_lidar_writing *w, const clump_frame *frame)
{
    if (w->truths.path) return cli_folder_save(&w->truths, frame->cloud, NULL);
    if (!w->truth) return CLI_DONE;
    return cli_save(w->truth, frame->cloud, NULL, CLUMP_FORMAT_SEMANTICKITTI, CLUMP_ENCODING_DEFAULT, w->quiet);
}

int cli_lidar_write_frame(cli_lidar_writing *w, const clump_frame *frame, const double pose[12])
{
    CLI_TRY(write_cloud(w, frame));
    CLI_TRY(write_truth(w, frame));
    if (!w->drive) return CLI_DONE;
    w->stamps[w->driven] = frame->stamp;
    memcpy(w->drive[w->driven++], pose, sizeof *w->drive);
    return CLI_DONE;
}

/* --- the end --------------------------------------------------------------------------------------- */

static void put_numbers(FILE *to, const double *numbers, size_t count)
{
    CLUMP_ASSERT(count >= 1);
    char text[CLI_NUMBER_SIZE];
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%.*s%c", (int)(cli_put_double(text, numbers[i]) - text), text, i + 1 < count ? ' ' : '\n');
}

void cli_lidar_write_things(cli_lidar_writing *w, size_t frame, const clump_lidar_thing *things, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const clump_lidar_thing *const t = &things[i];
        fprintf(w->thing_file.file, "%zu,%u,%u", frame, t->instance, t->semantic);
        for (int k = 0; k < 9; k++)
            fprintf(w->thing_file.file, ",%.4f", k < 3 ? t->lower[k] : k < 6 ? t->upper[k - 3] : t->velocity[k - 6]);
        fputc('\n', w->thing_file.file);
    }
}

static int write_poses(const cli_lidar_writing *w)
{
    const char *const dot = strrchr(w->poses, '.');
    if (dot && strcmp(dot, ".tum") == 0) {
        const clump_poses poses = {.count = w->driven, .matrices = w->drive, .times = w->stamps};
        clump_message message = {0};
        const clump_status status =
            clump_poses_save(w->poses, &poses, CLUMP_POSES_TUM, cli_note_temporary, (void *)(uintptr_t)w, &message);
        return status == CLUMP_OK ? CLI_DONE : cli_fail_message(w->poses, status, &message);
    }
    cli_output out;
    CLI_TRY(cli_output_open(&out, w->poses));
    for (size_t i = 0; i < w->driven; i++) put_numbers(out.file, w->drive[i], 12);
    return cli_output_close(&out);
}

/* Writes when the frames begin, in seconds, and where the sensor is in the frame of the poses: at its origin. */
static int write_sequence(const cli_lidar_writing *w)
{
    char path[CLI_LIDAR_PATH];
    cli_output out;
    CLI_TRY(place(w, "times.txt", path));
    CLI_TRY(cli_output_open(&out, path));
    for (size_t i = 0; i < w->driven; i++) put_numbers(out.file, &(double){(double)(w->first + i) * w->period}, 1);
    CLI_TRY(cli_output_close(&out));
    CLI_TRY(place(w, "calib.txt", path));
    CLI_TRY(cli_output_open(&out, path));
    fputs("Tr: 1 0 0 0 0 1 0 0 0 0 1 0\n", out.file);
    return cli_output_close(&out);
}

int cli_lidar_write_end(cli_lidar_writing *w)
{
    if (w->recorder) {
        clump_message message = {0};
        const clump_status status = clump_recorder_close(w->recorder, true, &message);
        w->recorder = NULL;
        if (status != CLUMP_OK) return cli_fail_message(w->output, status, &message);
    }
    if (w->thing_file_open) {
        w->thing_file_open = false;
        CLI_TRY(cli_output_close(&w->thing_file));
    }
    if (w->poses) CLI_TRY(write_poses(w));
    return w->kind == CLI_LIDAR_SEQUENCE ? write_sequence(w) : CLI_DONE;
}

void cli_lidar_write_abandon(cli_lidar_writing *w)
{
    clump_recorder_close(w->recorder, false, NULL);
    w->recorder = NULL;
    if (w->thing_file_open) cli_output_abandon(&w->thing_file);
    w->thing_file_open = false;
    free(w->drive);
    free(w->stamps);
    w->drive = NULL;
    w->stamps = NULL;
}
