/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big.c: see big.h.
 */
#include "big/big.h"

#include "common/assert.h"

#include "cluster/clustering.h"
#include "files/source.h"
#include "files/output.h"
#include "base/peers.h"
#include "base/progress.h"
#include "base/stop.h"

#include <clump/info.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Everything that the options point to. */
typedef struct big_run {
    clump_joint_settings joint;
    clump_big_options options;
    clump_context_options device; /* what --device says */
    uint8_t drop[CLI_CLASSES];
    double crop[6];
    char *work; /* null: none, with peers */
    cli_big_clusters clusters;
    cli_by_class by_class; /* the table of --classes, */
    clump_classes classes; /* and as the library takes it */
    clump_ground_options ground;
} big_run;

/* Returns the default name of the work folder, which the caller frees: OUT.clump, or clump.work without an output. */
static char *default_work(const char *output)
{
    size_t length = output ? strlen(output) : 0;
    while (length > 1 && output[length - 1] == '/') length--;
    char *const name = malloc(length + sizeof "clump.work");
    if (!name) return NULL;
    if (output)
        snprintf(name, length + sizeof "clump.work", "%.*s.clump", (int)length, output);
    else
        strcpy(name, "clump.work");
    return name;
}

static int set_device(const cli_command *self, const cli_cluster *s, big_run *r)
{
    cli_memory_kind kind;
    r->device = clump_context_defaults();
    CLI_TRY(cli_check_device(self, s->device, s->memory, &r->device, &kind));
    if (r->device.backend != CLUMP_BACKEND_CUDA) {
        r->device.backend = CLUMP_BACKEND_CPU; /* auto, too: reading and writing take most of the time */
        return CLI_DONE;
    }
    const char *const why = clump_device_absence(CLUMP_BACKEND_CUDA);
    if (why) return cli_fail("--device %s: %s", s->device, why);
    if (cli_the_peers() && strcmp(s->device, "cuda") == 0) /* one rank per GPU; index 0 of the devices is the CPU */
        r->device.device = cli_the_peers()->local % (clump_device_count() - 1);
    return CLI_DONE;
}

/* Translates --crop x0,x1,y0,y1,z0,z1 to the least and the largest corner. */
static void set_crop(const cli_cluster *s, big_run *r)
{
    if (cli_region_is_all(&s->region)) return;
    for (size_t axis = 0; axis < 3; axis++) {
        r->crop[axis] = s->region.crop[2 * axis];
        r->crop[3 + axis] = s->region.crop[2 * axis + 1];
    }
    r->options.crop = r->crop;
}

static int set_options(const cli_command *self, const cli_plan *plan, big_run *r)
{
    const cli_cluster *const s = plan->settings;
    clump_big_options *const o = &r->options;
    const char *item;
    size_t length;
    r->joint = clump_joint_defaults();
    CLUMP_ASSERT(plan->job.set_joint && plan->input_count >= 1);
    plan->job.set_joint(&r->joint, plan->settings);
    r->joint.order = s->clustering.order;
    r->joint.two_d = s->clustering.two_d;
    r->joint.min_size = s->clustering.min_size;
    r->joint.max_size = s->clustering.max_size;
    *o = clump_big_defaults();
    CLI_TRY(set_device(self, s, r));
    o->backend = r->device.backend;
    o->device = r->device.device;
    o->device_limit = s->gpu_ram;
    o->ram = s->ram;
    o->threads = (int)s->threads;
    o->keep_work = s->keep_work;
    o->step = s->step > 0 ? s->step : 0;
    o->thin = s->thin;
    o->columns = s->columns;
    if (s->frame) o->frame = strcmp(s->frame, "steps") == 0 ? CLUMP_FILE_FRAME_STEPS : CLUMP_FILE_FRAME_WHOLE;
    if (s->format) clump_format_from_name(s->format, &o->format);
    if (s->drop_class && cli_classes_read(s->drop_class, r->drop, &item, &length)) o->drop_classes = r->drop;
    set_crop(s, r);
    o->output = clump_label_writer_defaults();
    o->output.temporary = cli_note_temporary;
    o->output.threads = (int)s->threads;
    if (s->to) clump_format_from_name(s->to, &o->output.format);
    o->peers = cli_the_peers() ? cli_the_peers()->peers : NULL;
    CLI_TRY(cli_by_class_begin(&r->by_class, s));
    r->classes = (clump_classes){.rows = r->by_class.table.rows, .count = r->by_class.table.count};
    if (s->classes) o->classes = &r->classes, o->class_fields = cli_by_class_fields(&r->by_class, s);
    r->ground = s->ground.options;
    if (s->ground.remove) o->ground = &r->ground;
    cli_big_clusters_begin(&r->clusters, s, s->classes ? &r->by_class : NULL, o);
    r->work = s->work ? strdup(s->work) : default_work(s->output);
    o->work = o->peers && !s->work ? NULL : r->work; /* ranks take the default only where memory is too small */
    return r->work ? CLI_DONE : cli_fail("not enough memory for the name of the work folder");
}

/* Says how to go on after a signal, and ends the program by it. Peers end by themselves. */
static int stopped(const cli_command *self, const big_run *r)
{
    clump_work_info unused;
    if (r->work && clump_work_describe(r->work, &unused, NULL) == CLUMP_OK) /* without a plan nothing is kept */
        cli_fail("stopped; the folder %s keeps what is done, and the same command goes on from there ('clump work %s' "
                 "shows how far it is)",
                 r->work, r->work);
    else
        cli_fail("stopped; the next run of '%s %s' begins anew", cli_program(), self->name);
    fflush(stdout);
    if (!r->options.peers) cli_stop_finish();
    return CLI_FAILED;
}

/* Says what the frame does to the coordinates, as for clouds in memory. */
static void write_notes(const cli_plan *plan, const clump_big_result *r)
{
    const cli_cluster *const s = plan->settings;
    if (s->quiet) return;
    if (r->no_step && r->frame == CLUMP_FILE_FRAME_WHOLE && !s->frame)
        cli_warn("%s: the files have no common step: coordinates are float32 offsets (--frame whole)", plan->input);
    if (r->moved)
        cli_warn("%s: --step %.15g: %" PRIu64 " coordinate%s rounded", plan->input, r->step, r->moved,
                 r->moved == 1 ? " is" : "s are");
}

/* Shows how far the run is. */
static void show_progress(void *user, const clump_big_progress *now)
{
    CLUMP_ASSERT(now->done >= 0 && now->done <= 1 && now->phase_done >= 0 && now->phase_done <= 1);
    cli_progress *const progress = user;
    cli_stop_soft(true); /* before the first call there is nothing to keep: a signal ends the program at once */
    cli_progress_rate(progress, "points", (double)now->points);
    cli_progress_phase(progress, now->phase, now->phase_done, now->done);
}

static int run(const cli_command *self, const cli_plan *plan, const char *reason, big_run *r)
{
    const cli_cluster *const s = plan->settings;
    cli_big_report report = {.command = self->name, .plan = plan, .work = r->options.work, .reason = reason};
    clump_message message = {0};
    cli_progress progress;
    cli_progress_begin(&progress, "plan", 1, s->quiet);
    r->options.progress = show_progress;
    r->options.progress_user = &progress;
    r->options.cancel = cli_stop_flag();
    cli_stop_soft(r->options.peers != NULL); /* ranks end together */
    const clump_status status =
        clump_big_run(plan->inputs, plan->input_count, s->output, &r->joint, &r->options, &report.result, &message);
    if (status == CLUMP_OK) cli_stop_complete();
    cli_progress_end(&progress);
    cli_big_clusters_end(&r->clusters, status == CLUMP_OK);
    if (status != CLUMP_OK) cli_stop_soft(false);
    if (status == CLUMP_ERR_CANCELLED && cli_stop_asked()) return stopped(self, r);
    if (r->clusters.has_failed) {
        if (status == CLUMP_OK && s->output) cli_warn("%s: was written before that", s->output);
        return CLI_FAILED;
    }
    if (status != CLUMP_OK) return cli_fail_message(plan->input, status, &message);
    if (cli_stop_asked()) cli_warn("the signal came too late: the result is complete");
    write_notes(plan, &report.result);
    cli_device_text(report.device, r->device.backend, r->device.device);
    if (s->json)
        cli_big_report_json(stdout, &report);
    else if (!s->quiet)
        cli_big_report_text(stdout, &report);
    return CLI_DONE;
}

int cli_big_run(const cli_command *self, const cli_plan *plan, const char *reason)
{
    big_run r = {0};
    CLI_TRY(cli_big_check(self, plan, reason));
    int status = set_options(self, plan, &r);
    if (status == CLI_DONE) {
        cli_warn_of_thin(&plan->job, plan->settings);
        status = run(self, plan, reason, &r);
    }
    free(r.work);
    cli_by_class_release(&r.by_class);
    return status;
}
