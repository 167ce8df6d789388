/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame.c: see cluster.h.
 *
 * Without --frame, steps are used for files that have a common step, where the distance is at most
 * CLUMP_STEPS_USUAL_DISTANCE steps. The choice follows from the header of the file and the parameters alone. A run that
 * looks for the ground or thins the cloud works on metres: its frame is whole.
 */
#include "cluster/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *cli_frame_choice(int index)
{
    static const char *const words[] = {"whole", "steps"};
    return index < 2 ? words[index] : NULL;
}

static bool asks_for(const cli_cluster *s, const char *word)
{
    return s->frame && strcmp(s->frame, word) == 0;
}

/* Whether the options ask for steps. --step alone does. */
static bool wants_steps(const cli_cluster *s)
{
    return asks_for(s, "steps") || (s->step >= 0 && !s->frame);
}

int cli_frame_check(const cli_command *self, const cli_cluster_job *job, const cli_cluster *s, bool in_metres)
{
    if (s->step >= 0 && !(s->step > 0 && isfinite(s->step)))
        return cli_usage(self, "--step must be greater than 0, and finite");
    if (s->step > 0 && asks_for(s, "whole")) return cli_usage(self, "--step is for --frame steps, not for whole");
    if (!wants_steps(s)) return CLI_DONE;
    const char *const asked = s->frame ? "--frame steps" : "--step";
    if (s->ground.remove && in_metres)
        return cli_usage(self, "%s and --remove-ground: the ground is found in metres", asked);
    if (s->thin > 0) return cli_usage(self, "%s and --thin: voxels are made in metres", asked);
    if (s->step > 0 && clump_steps_distance(job->reach, s->step) > CLUMP_STEPS_MOST_DISTANCE)
        return cli_usage(self, "--step %.15g: the distance has more than 2^23 of these steps", s->step);
    return CLI_DONE;
}

/* Whether steps are used for a cloud for which no frame was asked. */
static bool is_usual(const cli_cluster_job *job, const cli_cluster *s, const clump_cloud *cloud)
{
    if (asks_for(s, "whole") || s->ground.remove || s->thin > 0) return false;
    const double step = clump_cloud_step(cloud);
    return step > 0 && clump_steps_distance(job->reach, step) <= CLUMP_STEPS_USUAL_DISTANCE;
}

/* Says what the frame whole loses, and why it is used for a file of integers. Without --frame, nothing is said of steps
 * that are tiny against the distance. */
static void note_whole(const cli_cluster_job *job, const cli_cluster *s, const clump_cloud *cloud, const char *input)
{
    const double step = clump_cloud_step(cloud);
    const bool tiny = step > 0 && clump_steps_distance(job->reach, step) > CLUMP_STEPS_USUAL_DISTANCE;
    if (s->quiet || (tiny && !s->frame)) return;
    const double loss = clump_cloud_loss(cloud);
    const clump_format format = clump_cloud_describe(cloud).format;
    if ((format == CLUMP_FORMAT_LAS || format == CLUMP_FORMAT_LAZ) && step == 0 && !s->frame)
        cli_warn("%s: the scales of x, y and z have no common step: coordinates are float32 offsets (--frame whole)",
                 input);
    if (loss > 0)
        cli_warn(
            "%s: --frame whole moves points by up to %.3g mm if the unit is a metre: the box has 2^24 steps or more",
            input, 1e3 * loss);
}

/* Whether a cloud in steps needs more than one call: float32 cannot hold its box. */
static bool needs_pieces(const clump_steps *grid)
{
    return grid->span >= CLUMP_STEPS_SPAN;
}

/* Clouds that need pieces. */
static int fail_pieces(const clump_steps *grid, const char *input)
{
    return cli_fail("%s: the box is %lld steps of %.15g long, and one call can have %d: --ram clusters it in pieces, "
                    "--crop takes a part, --frame whole rounds coordinates",
                    input, (long long)grid->span, grid->step, CLUMP_STEPS_SPAN - 1);
}

static int convert(cli_frame *frame, const cli_cluster *s, const clump_cloud *cloud, const uint8_t *mask,
                   const char *input)
{
    const size_t count = clump_cloud_points(cloud).count;
    clump_message message = {0};
    frame->xyz = cli_allocate(count, 3 * sizeof *frame->xyz);
    if (!frame->xyz) return cli_fail("not enough memory for the steps of %zu points", count);
    const clump_status status = clump_cloud_steps(cloud, s->step > 0 ? s->step : 0, s->clustering.two_d, mask,
                                                  frame->xyz, &frame->grid, &message);
    if (needs_pieces(&frame->grid)) return fail_pieces(&frame->grid, input);
    if (status != CLUMP_OK)
        return cli_fail("%s: %s: %s", input, s->step > 0 ? "--step" : "--frame steps", message.text);
    if (frame->grid.moved && !s->quiet)
        cli_warn("%s: --step %.15g: %zu coordinate%s rounded", input, frame->grid.step, frame->grid.moved,
                 frame->grid.moved == 1 ? " is" : "s are");
    return CLI_DONE;
}

int cli_frame_begin(cli_frame *frame, const cli_cluster_job *job, const cli_cluster *s, const clump_cloud *cloud,
                    const uint8_t *mask, const char *input)
{
    *frame = (cli_frame){0};
    if (!job->has_frames) return CLI_DONE;
    frame->steps = wants_steps(s) || is_usual(job, s, cloud);
    if (!frame->steps) return note_whole(job, s, cloud, input), CLI_DONE;
    CLI_TRY(convert(frame, s, cloud, mask, input));
    if (clump_steps_distance(job->reach, frame->grid.step) <= CLUMP_STEPS_MOST_DISTANCE) return CLI_DONE;
    return cli_fail("%s: --frame steps: the distance has more than 2^23 of the file's steps of %.15g", input,
                    frame->grid.step);
}

void cli_frame_put(cli_json *j, const cli_cluster *s)
{
    cli_json_text(j, "frame", s->frame);
    cli_json_number(j, "step", s->step > 0 ? s->step : (double)NAN);
}

void cli_frame_release(cli_frame *frame)
{
    free(frame->xyz);
    *frame = (cli_frame){0};
}
