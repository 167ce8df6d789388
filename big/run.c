/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.c: clump_big_run(): the order of the phases.
 */
#include "job.h"

#include "common/timer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times per point, beside each other and beside those of progress.c: only the estimate of the time that is left depends on
 * them. Measured: 3e7 points of a survey, Neoverse V1. */
#define RUN_READ_LAZ  8.0
#define RUN_READ      1.0
#define RUN_WRITE_LAZ 10.0
#define RUN_WRITE     2.0
#define RUN_HASH      0.3

#define CLUMP_BIG_COOKIE 0x636c6233u /* "clb3": the mark of options that clump_big_defaults() made */

enum { RUN_EXCHANGE = CLUMP_BIG_PHASES - 1 };
enum { RUN_STORED = 24 };       /* bytes per point of a store in memory, about */
enum { RUN_BUFFERS = 1 << 26 }; /* bytes of a thread's buffers, of several ranks */

/* Adds the time since *since to a phase, without that of the mail. */
static void end_phase(clump_big_job *job, clump_big_phase phase, double *since)
{
    const double now = clump_now_ms(), mail = job->mail.seconds - job->mail_s;
    job->result.phases_s[phase] += (now - *since) * 1e-3 - mail;
    job->result.phases_s[RUN_EXCHANGE] += mail;
    job->mail_s = job->mail.seconds;
    *since = now;
}

clump_big_options clump_big_defaults(void)
{
    return (clump_big_options){
        .cookie = CLUMP_BIG_COOKIE, .backend = CLUMP_BACKEND_CPU, .output = clump_label_writer_defaults()};
}

/* ----- arguments ------------------------------------------------------------------------------------------------------ */

/* Makes the context whose sentences refuse options. */
static clump_status make_checks(clump_big_job *job, clump_message *message)
{
    clump_context_options o = clump_context_defaults();
    o.backend = CLUMP_BACKEND_CPU;
    o.threads = 1;
    o.message = message;
    return clump_context_create(&o, &job->checks);
}

static clump_status check_settings(const clump_big_job *job, const clump_joint_settings *settings,
                                   clump_message *message)
{
    clump_joint *joint = NULL;
    const clump_status status = clump_joint_create(job->checks, settings, &joint);
    if (status != CLUMP_OK) clump_big_fail(message, status, "%s", clump_context_error(job->checks));
    clump_joint_destroy(joint);
    return status;
}

static clump_status check_options(const clump_big_options *o, clump_message *message)
{
    if (o->cookie != CLUMP_BIG_COOKIE)
        return clump_big_fail(message, CLUMP_ERR_OPTIONS, "the options were not made by clump_big_defaults()");
    if (o->threads < 0 || o->threads > 1024)
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "%d threads: it must be 0 ... 1024", o->threads);
    if (o->frame != CLUMP_FILE_FRAME_AUTO && o->frame != CLUMP_FILE_FRAME_WHOLE && o->frame != CLUMP_FILE_FRAME_STEPS)
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "there is no frame %d", (int)o->frame);
    if (o->classes && !o->class_fields)
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "class_fields is null, and there are classes");
    if (!(o->thin == 0 || o->thin >= FLT_MIN) || !isfinite(o->thin))
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "thin is %g, it must be 0 or at least %g", (double)o->thin,
                              (double)FLT_MIN);
    if (o->thin > 0 && (o->step > 0 || o->frame == CLUMP_FILE_FRAME_STEPS))
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "thin needs the frame whole: voxels are made in metres");
    if (o->thin > 0 && o->classes)
        return clump_big_fail(
            message, CLUMP_ERR_ARGUMENT,
            "classes and thin cannot be used together: the points of a voxel may have several classes");
    if (o->clusters && o->step > 0) /* rounded coordinates are all that is kept of points */
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "clusters cannot be described with a step of %.15g",
                              o->step);
    return CLUMP_OK;
}

/* Opens the input as the options say. Refuses to drop classes where it has none, and files without classes for options.classes. */
static clump_status open_input(clump_big_job *job, const char *const *inputs, size_t count, clump_message *message)
{
    const clump_big_options *const options = job->options;
    clump_reader_options o = clump_reader_defaults();
    o.format = options->format;
    o.columns = options->columns;
    o.step = options->frame == CLUMP_FILE_FRAME_WHOLE ? 0 : options->step;
    o.whole = options->frame != CLUMP_FILE_FRAME_STEPS;
    o.class_fields = options->classes ? options->class_fields : NULL;
    CLUMP_BIG_TRY(clump_reader_open(inputs, count, &o, &job->reader, message));
    job->info = clump_reader_describe(job->reader);
    if (options->drop_classes && !job->info.has_class && job->info.count > 0)
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT,
                              "%.300s: --drop-class needs a field 'classification', the input has none", inputs[0]);
    clump_format first = CLUMP_FORMAT_GUESS;
    clump_reader_file(job->reader, 0, NULL, &first, NULL);
    job->read_weight = first == CLUMP_FORMAT_LAZ ? RUN_READ_LAZ : RUN_READ;
    if (job->info.blocks + job->hooks->first_block > UINT32_MAX)
        return clump_big_fail(message, CLUMP_ERR_TOO_MANY, "the input has more than 2^48 points");
    return clump_reader_fingerprint(job->reader, &job->fingerprint, message);
}

/* Refuses an output that cannot hold the input before anything is done, and asks how large it will be. */
static clump_status check_output(clump_big_job *job, const char *output, clump_message *message)
{
    clump_label_writer *writer = NULL;
    const clump_format format = job->options->output.format;
    job->write_weight = RUN_HASH;
    if (!output || clump_big_rank(job) != 0) return CLUMP_OK;
    const bool laz = format == CLUMP_FORMAT_LAZ || clump_format_of_path(output) == CLUMP_FORMAT_LAZ;
    job->write_weight = (laz ? RUN_WRITE_LAZ : RUN_WRITE) + job->read_weight;
    CLUMP_BIG_TRY(clump_label_writer_open(job->reader, output, &job->options->output, &writer, message));
    job->output = output;
    job->output_bytes = clump_label_writer_bytes(writer);
    (void)clump_label_writer_close(writer, false, NULL);
    return CLUMP_OK;
}

/* ----- ranks ---------------------------------------------------------------------------------------------------------- */

/* Refuses ranks that were started with other parameters than rank 0. */
static clump_status share_parameters(clump_big_job *job, const clump_joint_settings *settings, clump_message *message)
{
    enum { WORDS = 512, ROOM = 8 * (WORDS - 1) - 1 };
    uint64_t first[WORDS] = {0}, hash = 0; /* hash and text of rank 0, as far as it has room: the others have zeros */
    char *text = NULL, difference[200];
    if (clump_big_ranks(job) == 1) return CLUMP_OK;
    clump_status status = clump_big_plan_text(NULL, 0, settings, job->options, &text, message);
    if (text) {
        hash = clump_big_checksum(text, strlen(text));
        if (strlen(text) > ROOM) text[ROOM] = 0;
    }
    if (text && clump_big_rank(job) == 0) {
        first[0] = hash;
        strcpy((char *)(first + 1), text);
    }
    const clump_status sent = clump_mail_sum(&job->mail, first, WORDS); /* by all ranks, also by one that failed */
    if (status == CLUMP_OK) status = clump_big_sent(job, sent, message);
    if (status == CLUMP_OK && first[0] != hash) {
        clump_big_plan_difference(text, (const char *)(first + 1), difference, sizeof difference);
        status = clump_big_fail(message, CLUMP_ERR_ARGUMENT,
                                "rank %d was started with %s; all ranks need the same parameters", clump_big_rank(job),
                                difference);
    }
    free(text);
    return clump_big_agree(job, status, message);
}

/* Checks that all ranks see the same files, or copies of them, and divides the blocks among them. */
static clump_status share_input(clump_big_job *job, clump_message *message)
{
    const clump_reader_info *const info = &job->info;
    const int ranks = clump_big_ranks(job), rank = clump_big_rank(job);
    const int64_t content = (int64_t)(job->fingerprint >> 32); /* without the times */
    int64_t bounds[6] = {
        (int64_t)info->count, -(int64_t)info->count, (int64_t)info->bytes, -(int64_t)info->bytes, content, -content};
    CLUMP_BIG_TRY(clump_big_least(job, bounds, 6, message));
    if (bounds[0] != -bounds[1] || bounds[2] != -bounds[3])
        return clump_big_fail(message, CLUMP_ERR_IO_READ,
                              "the ranks see different files: from %lld to %lld points, %lld to %lld bytes",
                              (long long)bounds[0], -(long long)bounds[1], (long long)bounds[2], -(long long)bounds[3]);
    if (bounds[4] != -bounds[5])
        return clump_big_fail(message, CLUMP_ERR_IO_READ, "the ranks see different files, of the same sizes");
    job->share = clump_big_ranks_block(info->blocks, ranks, rank);
    job->share_blocks = clump_big_ranks_block(info->blocks, ranks, rank + 1) - job->share;
    return CLUMP_OK;
}

/* Divides half of the free memory of a machine among its ranks. One whose memory was given keeps that. */
static clump_status share_machine(clump_big_job *job, clump_message *message)
{
    const int ranks = clump_big_ranks(job);
    uint64_t *const said = job->words, *const heard = said + ranks;
    const uint64_t id = clump_big_machine_id(job->hooks);
    size_t here = 0;
    for (int r = 0; r < ranks; r++) said[r] = id;
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_counts(&job->mail, said, heard), message));
    for (int r = 0; r < ranks; r++) here += heard[r] == id;
    if (job->options->ram == 0) job->budget.ram /= here;
    return CLUMP_OK;
}

/* Chooses the store, and a budget that all ranks have. Ranks without a work folder keep their points in memory where that
 * takes no more than half of it. */
static clump_status share_budget(clump_big_job *job, clump_message *message)
{
    clump_big_options options = *job->options;
    clump_big_budget *const b = &job->budget;
    CLUMP_BIG_TRY(share_machine(job, message));
    const uint64_t stored_each = RUN_STORED + (job->groups ? sizeof(uint16_t) : 0);
    const uint64_t each = options.clusters ? 2 * stored_each : stored_each;
    const bool may_hold = options.peers && !options.work;
    const uint64_t stored = may_hold ? job->info.count / (uint64_t)clump_big_ranks(job) * each : 0;
    bool needs_disk = !may_hold || stored > b->ram / 2;
    CLUMP_BIG_TRY(clump_big_agree_any(job, CLUMP_OK, &needs_disk, message));
    job->disk.memory = !needs_disk;
    if (job->disk.memory) job->disk.path = strdup("memory"); /* for sentences */
    CLUMP_BIG_TRY(clump_big_agree_made(job, !job->disk.memory || job->disk.path, 8, message));
    const size_t ram = b->ram;
    options.ram = job->disk.memory ? ram - (size_t)stored : ram;
    *b = clump_big_budget_make(&options, job->settings.min_points, job->hooks);
    b->ram = ram, b->stored = (size_t)stored;
    job->workers.count = b->threads;
    if (clump_big_ranks(job) > 1) { /* as much again is for messages */
        b->buffers = b->buffers / 2 < RUN_BUFFERS ? b->buffers / 2 : RUN_BUFFERS;
        if (!job->hooks->entries) b->entries /= 2;
        const uint64_t most = b->buffers * (size_t)b->threads / 4;
        if (job->mail.most > most) job->mail.most = most;
        if (job->hooks->mail) job->mail.most = job->hooks->mail;
    }
    int64_t least[5] = {(int64_t)b->most, (int64_t)b->window, (int64_t)b->entries, (int64_t)b->describe,
                        (int64_t)job->mail.most};
    CLUMP_BIG_TRY(clump_big_least(job, least, 5, message));
    b->most = (uint64_t)least[0], b->window = (uint64_t)least[1];
    b->entries = (size_t)least[2], b->describe = (size_t)least[3];
    job->mail.most = (uint64_t)least[4]; /* a slice of a stream is as long on the rank that takes it */
    return CLUMP_OK;
}

/* Adds up what the ranks have measured: per phase the longest time, the largest memory, all bytes. The exchange gets what the
 * phases leave of the whole time: messages, and waiting for other ranks. Rank 0 knows the hashes. */
static clump_status share_result(clump_big_job *job, double seconds, clump_message *message)
{
    clump_big_result *const r = &job->result;
    enum { WHOLE = CLUMP_BIG_PHASES, PEAK };
    int64_t least[PEAK + 1];
    if (clump_big_ranks(job) == 1) return CLUMP_OK;
    for (int k = 0; k < CLUMP_BIG_PHASES; k++) least[k] = -(int64_t)(r->phases_s[k] * 1e6);
    least[WHOLE] = -(int64_t)(seconds * 1e6);
    least[PEAK] = -(int64_t)r->ram_peak;
    CLUMP_BIG_TRY(clump_big_least(job, least, PEAK + 1, message));
    double left = (double)-least[WHOLE] * 1e-6;
    for (int k = 0; k < RUN_EXCHANGE; k++) left -= r->phases_s[k] = (double)-least[k] * 1e-6;
    r->phases_s[RUN_EXCHANGE] = left > 0 ? left : 0;
    r->ram_peak = (size_t)-least[PEAK];
    uint64_t *const sums[] = {&r->left_out,       &r->moved,      &r->rim_points,    &r->tiles,
                              &r->bytes_moved,    &r->bytes_sent, &r->tasks_skipped, &r->labels_hash,
                              &r->labels_hash_64, &r->ground,     &r->thinned};
    enum { SUMS = sizeof sums / sizeof *sums };
    uint64_t values[SUMS];
    for (int k = 0; k < SUMS; k++) values[k] = *sums[k];
    CLUMP_BIG_TRY(clump_big_sum(job, values, SUMS, message));
    for (int k = 0; k < SUMS; k++) *sums[k] = values[k];
    return CLUMP_OK;
}

/* ----- phases --------------------------------------------------------------------------------------------------------- */

/* Whether the plan was made for a box that the points really have. */
static bool plan_holds(const clump_big_job *job)
{
    clump_big_frame real = job->frame;
    if (real.thin > 0 && real.own == CLUMP_COORDINATES_STEPS) clump_big_frame_set_origin(&real, job->reader, &job->box);
    for (int a = 0; a < 3; a++)
        if (real.origin[a] != job->frame.origin[a]) return false;
    return clump_big_frame_fits(&job->frame, &job->box) && clump_big_map_holds(&job->map, &job->frame, &job->box);
}

/* Plans and scatters. Where the headers were wrong, everything is looked at, and the scatter is done again. */
static clump_status scatter(clump_big_job *job, double *since, clump_message *message)
{
    for (bool exact = false;; exact = true) {
        if (!job->map.tiles) {
            CLUMP_BIG_TRY(clump_big_survey(job, exact, message));
            CLUMP_BIG_TRY(clump_big_work_begin(job, message));
        }
        CLUMP_BIG_TRY(clump_big_find_ground(job, message));
        end_phase(job, CLUMP_BIG_PLAN, since);
        CLUMP_BIG_TRY(clump_big_scatter(job, message));
        clump_big_leave_ground(job);
        CLUMP_BIG_TRY(clump_big_unite_boxes(job, &job->box, message));
        end_phase(job, CLUMP_BIG_SCATTER, since);
        if (plan_holds(job)) break;
        if (exact) return clump_big_fail(message, CLUMP_ERR_IO_READ, "the input has changed while it was read");
        CLUMP_BIG_TRY(clump_big_work_clear(job, message));
    }
    if (job->frame.kind == CLUMP_FILE_FRAME_WHOLE && job->frame.coordinates == CLUMP_COORDINATES_STEPS)
        clump_big_frame_set_origin(&job->frame, job->reader, &job->box);
    clump_status status = clump_big_work_tiles(job, message);
    if (status == CLUMP_OK) status = clump_big_split(job, message);
    return clump_big_agree(job, status, message);
}

static clump_status run_phases(clump_big_job *job, const char *output, clump_message *message)
{
    double since = clump_now_ms();
    CLUMP_BIG_TRY(scatter(job, &since, message));
    CLUMP_BIG_TRY(clump_big_agree(job, clump_big_cluster_tiles(job, message), message));
    end_phase(job, CLUMP_BIG_TILES, &since);
    CLUMP_BIG_TRY(clump_big_merge(job, message));
    end_phase(job, CLUMP_BIG_MERGE, &since);
    CLUMP_BIG_TRY(clump_big_clusters_describe(job, message));
    CLUMP_BIG_TRY(clump_big_output(job, output, message));
    end_phase(job, CLUMP_BIG_OUTPUT, &since);
    const clump_big_record done = {.kind = CLUMP_BIG_RECORD_DONE};
    clump_status status = CLUMP_OK;
    if (job->options->keep_work) status = clump_big_journal_add(&job->journal, done, true, message);
    return clump_big_agree(job, status, message);
}

static void fill_result(clump_big_job *job)
{
    clump_big_result *const r = &job->result;
    r->points = job->info.count;
    r->left_out = job->left_out;
    r->moved = job->moved;
    r->no_step = job->info.no_step;
    r->frame = job->frame.kind;
    r->step = job->frame.kind == CLUMP_FILE_FRAME_STEPS ? job->frame.step : 0;
    for (uint32_t t = 0; t < job->tile_count; t++) {
        const clump_big_tile *const tile = &job->tiles[t]; /* one that was divided has no points */
        r->tiles += tile->own > 0, r->rim_points += tile->rim, r->thinned += tile->thinned;
    }
    r->bytes_moved = job->disk.moved + (clump_big_rank(job) == 0 ? job->info.bytes : 0);
    r->bytes_sent = job->mail.sent;
    r->ranks = clump_big_ranks(job);
    r->ram_peak = clump_big_peak();
    if (job->disk.memory) { /* its files are no memory of the process for the system */
        const uint64_t *const labels = job->first_label + clump_big_rank(job);
        r->ram_peak += (size_t)(job->log.size + job->results_size + sizeof(int64_t) * (labels[1] - labels[0]));
    }
}

/* What each rank does for itself before there is a store. */
static clump_status prepare(clump_big_job *job, const char *const *inputs, size_t count, const char *output,
                            const clump_joint_settings *settings, clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(job);
    CLUMP_BIG_TRY(make_checks(job, message));
    CLUMP_BIG_TRY(clump_big_ground_check(job, message));
    CLUMP_BIG_TRY(check_settings(job, settings, message));
    CLUMP_BIG_TRY(open_input(job, inputs, count, message));
    CLUMP_BIG_TRY(clump_big_frame_choose(&job->info, settings, job->options, &job->frame, message));
    job->settings.d = job->frame.d;
    CLUMP_BIG_TRY(clump_big_groups_make(job, message));
    CLUMP_BIG_TRY(check_settings(job, &job->settings, message));
    CLUMP_BIG_TRY(check_output(job, output, message));
    job->words = calloc(2 * ranks + 1, sizeof *job->words);
    job->first_tile = calloc(ranks + 1, sizeof *job->first_tile);
    job->first_label = calloc(ranks + 1, sizeof *job->first_label);
    if (!job->words || !job->first_tile || !job->first_label) return clump_big_no_memory(message, 20 * ranks);
    return clump_big_step(job, CLUMP_BIG_PLAN, 0, message);
}

static clump_status run_job(clump_big_job *job, const char *const *inputs, size_t count, const char *output,
                            const clump_joint_settings *settings, clump_message *message)
{
    const double begin = clump_now_ms();
    CLUMP_BIG_TRY(share_parameters(job, settings, message));
    CLUMP_BIG_TRY(clump_big_agree(job, prepare(job, inputs, count, output, settings, message), message));
    CLUMP_BIG_TRY(share_input(job, message));
    CLUMP_BIG_TRY(share_budget(job, message));
    clump_status status = clump_big_work_open(job, inputs, count, output, settings, message);
    if (status == CLUMP_OK) status = run_phases(job, output, message);
    fill_result(job);
    if (status == CLUMP_OK) status = share_result(job, (clump_now_ms() - begin) * 1e-3, message);
    job->result.noise -= job->result.ground;
    clump_big_work_close(job, status == CLUMP_OK && !job->options->keep_work);
    return status;
}

clump_status clump_big_run_with(const char *const *inputs, size_t count, const char *output,
                                const clump_joint_settings *settings, const clump_big_options *options,
                                const clump_big_hooks *hooks, clump_big_result *result, clump_message *message)
{
    static const clump_big_hooks none;
    const clump_big_options defaults = clump_big_defaults();
    clump_message unused;
    if (!message) message = &unused;
    message->text[0] = 0;
    if (result) *result = (clump_big_result){0};
    if (!inputs || count == 0 || !settings)
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "clump_big_run: there are no inputs, or settings is null");
    if (!options) options = &defaults;
    CLUMP_BIG_TRY(check_options(options, message));
    clump_big_job job = {.settings = *settings,
                         .options = options,
                         .hooks = hooks ? hooks : &none,
                         .filter = {.drop_classes = options->drop_classes, .crop = options->crop},
                         .mail = clump_mail_make(options->peers),
                         .disk = {.folder = -1, .hooks = hooks ? hooks : &none, .cancel = options->cancel},
                         .lock = {.descriptor = -1}};
    job.budget = clump_big_budget_make(options, settings->min_points, job.hooks);
    job.workers = (clump_big_workers){.count = job.budget.threads, .cancel = options->cancel};
    job.mail.cancel = options->cancel;
    clump_big_box_clear(&job.box);
    const clump_status status = run_job(&job, inputs, count, output, settings, message);
    clump_big_leave_ground(&job);
    clump_big_map_release(&job.map);
    for (uint32_t k = 0; k < job.cut_count; k++) clump_big_map_release(&job.cuts[k].map);
    free(job.cuts);
    free(job.groups);
    free(job.tiles);
    free(job.segments);
    free(job.records);
    free(job.words);
    free(job.first_tile);
    free(job.first_label);
    free(job.disk.path); /* where the run has failed before the store was opened */
    clump_reader_close(job.reader);
    clump_context_destroy(job.checks);
    if (result && status == CLUMP_OK) *result = job.result;
    return status;
}

clump_status clump_big_run(const char *const *inputs, size_t count, const char *output,
                           const clump_joint_settings *settings, const clump_big_options *options,
                           clump_big_result *result, clump_message *message)
{
    return clump_big_run_with(inputs, count, output, settings, options, NULL, result, message);
}
