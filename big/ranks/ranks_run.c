/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_run.c: see ranks.h.
 */
#include "ranks/ranks.h"

#include "common/assert.h"
#include "job.h"
#include "common/timer.h"
#include "store/hash.h"
#include "frame.h"

#include <inttypes.h>
#include <stdlib.h>

/* ----- the phases --------------------------------------------------------------------------------------------------- */

/* Finds the index of the first point of each share. */
static clump_status find_starts(clump_ranks *ranks)
{
    const size_t count = (size_t)ranks->mail.peers.count;
    ranks->starts = calloc(count + 1, sizeof *ranks->starts);
    clump_status status = ranks->starts ? CLUMP_OK : clump_big_no_memory(&ranks->message, count * 8);
    if (status == CLUMP_OK && ranks->share >= UINT32_MAX)
        status = clump_big_fail(&ranks->message, CLUMP_ERR_TOO_MANY,
                                "rank %d has %llu points; more ranks are needed, one has room for %u",
                                ranks->mail.peers.rank, (unsigned long long)ranks->share, UINT32_MAX - 1);
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, status));
    ranks->starts[ranks->mail.peers.rank + 1] = ranks->share;
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, ranks->starts, count + 1)));
    for (size_t r = 0; r < count; r++) ranks->starts[r + 1] += ranks->starts[r];
    ranks->points = ranks->starts[count];
    for (size_t r = 0; r <= count; r++) ranks->starts[r] += ranks->first_index;
    return CLUMP_OK;
}

clump_status clump_ranks_cluster(clump_ranks *ranks, double phases_s[CLUMP_BIG_PHASES])
{
    static const struct {
        clump_status (*run)(clump_ranks *ranks);
        int phase;
        clump_ranks_step step;
    } steps[] = {{find_starts, 0, CLUMP_RANKS_PLAN},
                 {clump_ranks_plan, 0, CLUMP_RANKS_PLAN},
                 {clump_ranks_work_open, 0, CLUMP_RANKS_PLAN},
                 {clump_ranks_sort, 1, CLUMP_RANKS_SORT},
                 {clump_ranks_shuffle, 1, CLUMP_RANKS_SHUFFLE},
                 {clump_ranks_cluster_tiles, 2, CLUMP_RANKS_TILES},
                 {clump_ranks_link, 3, CLUMP_RANKS_LINK},
                 {clump_ranks_merge, 3, CLUMP_RANKS_MERGE},
                 {clump_ranks_number, 3, CLUMP_RANKS_NUMBER},
                 {clump_ranks_send_home, 4, CLUMP_RANKS_HOME}};
    clump_status status = CLUMP_OK;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && status == CLUMP_OK; k++) {
        const double begin = clump_now_ms(), sent = ranks->mail.seconds;
        clump_ranks_begin(ranks, steps[k].step);
        status = steps[k].run(ranks);
        const double exchange = ranks->mail.seconds - sent;
        phases_s[5] += exchange;
        phases_s[steps[k].phase] += (clump_now_ms() - begin) * 1e-3 - exchange;
    }
    return status;
}

static void free_tiles(clump_ranks *ranks)
{
    for (size_t k = 0; k < ranks->tiles_here && ranks->tiles; k++) {
        free(ranks->tiles[k].labels);
        free(ranks->tiles[k].strips);
        clump_ranks_drop_piece(&ranks->tiles[k]);
    }
    free(ranks->tiles);
}

void clump_ranks_release(clump_ranks *ranks)
{
    free_tiles(ranks);
    clump_big_map_release(&ranks->map);
    void *const memory[] = {ranks->stored,   ranks->places,    ranks->labels,     ranks->starts,     ranks->first_tile,
                            ranks->order,    ranks->rim_order, ranks->own_at,     ranks->rim_at,     ranks->received,
                            ranks->own_from, ranks->rim_from,  ranks->own_counts, ranks->rim_counts, ranks->first_nodes,
                            ranks->pairs,    ranks->firsts};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) free(memory[k]);
    *ranks = (clump_ranks){0};
}

/* ----- files -------------------------------------------------------------------------------------------------------- */

/* Checks that all ranks see the same files. */
static clump_status compare_inputs(clump_ranks *ranks, clump_reader *reader)
{
    const clump_reader_info info = clump_reader_describe(reader);
    int64_t bounds[4] = {(int64_t)info.count, -(int64_t)info.count, (int64_t)info.bytes, -(int64_t)info.bytes};
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_least(&ranks->mail, bounds, 4)));
    if (bounds[0] == -bounds[1] && bounds[2] == -bounds[3]) return CLUMP_OK;
    return clump_big_fail(&ranks->message, CLUMP_ERR_IO_READ,
                          "the ranks see different files: from %" PRId64 " to %" PRId64 " points, %" PRId64
                          " to %" PRId64 " bytes",
                          bounds[0], -bounds[1], bounds[2], -bounds[3]);
}

/* Computes a number of the input and of what takes part, on rank 0, for the key of the work folder. */
static clump_status find_key(clump_ranks *ranks, clump_reader *reader, const clump_big_options *options)
{
    uint64_t key = 0;
    clump_status status = CLUMP_OK;
    if (ranks->mail.peers.rank == 0) {
        clump_big_hash hash;
        clump_big_hash_begin(&hash);
        status = clump_reader_fingerprint(reader, &key, &ranks->message);
        clump_big_hash_add(&hash, &key, sizeof key);
        if (options->drop_classes) clump_big_hash_add(&hash, options->drop_classes, 256);
        if (options->crop) clump_big_hash_add(&hash, options->crop, 6 * sizeof *options->crop);
        key = clump_big_hash_end(&hash);
    }
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, status));
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, &key, 1)));
    ranks->work_key = key;
    return CLUMP_OK;
}

/* Adds up what the ranks have measured: per phase the longest time, the largest memory, all bytes. The exchange gets what the
 * phases leave of the whole time: messages, and waiting for other ranks. */
static clump_status sum_up(clump_ranks *ranks, double begin, clump_big_result *result)
{
    enum { WHOLE = CLUMP_BIG_PHASES, PEAK };
    int64_t least[PEAK + 1];
    for (int k = 0; k < CLUMP_BIG_PHASES; k++) least[k] = -(int64_t)(result->phases_s[k] * 1e6);
    least[WHOLE] = -(int64_t)((clump_now_ms() - begin) * 1e3);
    least[PEAK] = -(int64_t)clump_big_peak();
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_least(&ranks->mail, least, PEAK + 1)));
    uint64_t sums[3] = {ranks->mail.sent, ranks->skipped, ranks->moved};
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, sums, 3)));
    double left = (double)-least[WHOLE] * 1e-6;
    for (int k = 0; k < CLUMP_BIG_PHASES - 1; k++) left -= result->phases_s[k] = (double)-least[k] * 1e-6;
    result->phases_s[CLUMP_BIG_PHASES - 1] = left > 0 ? left : 0;
    result->ram_peak = (size_t)-least[PEAK];
    result->bytes_sent = sums[0];
    result->tasks_skipped = sums[1];
    result->moved = sums[2];
    return CLUMP_OK;
}

static void fill_result(const clump_ranks *ranks, const clump_reader_info *info, int passes, clump_big_result *result)
{
    result->points = ranks->points;
    result->noise = ranks->noise;
    result->left_out = ranks->left_out;
    result->no_step = info->no_step;
    result->clusters = ranks->clusters;
    result->largest = ranks->largest;
    result->frame = ranks->frame.kind;
    result->step = ranks->frame.kind == CLUMP_FILE_FRAME_STEPS ? ranks->frame.step : 0;
    result->tiles = ranks->map.tile_count;
    result->rim_points = ranks->rims;
    result->links = ranks->links;
    result->bytes_moved = info->bytes * (uint64_t)passes;
    result->ranks = ranks->mail.peers.count;
}

/* Tells how far a stream of messages is. */
static void tell_stream(void *user, double done)
{
    clump_ranks_tell(user, done);
}

/* Adds the time since *since to a phase, without that of the transport. */
static void end_phase(clump_ranks *ranks, clump_big_result *result, int phase, double *since, double *sent)
{
    CLUMP_ASSERT(phase >= 0 && phase < CLUMP_BIG_PHASES);
    const double now = clump_now_ms(), exchange = ranks->mail.seconds - *sent;
    result->phases_s[phase] += (now - *since) * 1e-3 - exchange;
    result->phases_s[5] += exchange;
    *since = now;
    *sent = ranks->mail.seconds;
}

static clump_status run(clump_ranks *ranks, clump_reader *reader, const char *output, const clump_big_options *options,
                        clump_big_result *result)
{
    const clump_big_filter filter = {options->drop_classes, options->crop};
    const clump_reader_info info = clump_reader_describe(reader);
    const double begin = clump_now_ms();
    double since = begin, sent = ranks->mail.seconds;
    int passes = 0;
    if (ranks->work) CLUMP_BIG_TRY(find_key(ranks, reader, options));
    ranks->points = info.count;
    clump_ranks_begin(ranks, CLUMP_RANKS_READ);
    CLUMP_BIG_TRY(clump_ranks_read(ranks, reader, &filter, &passes));
    end_phase(ranks, result, 1, &since, &sent);
    CLUMP_BIG_TRY(clump_ranks_cluster(ranks, result->phases_s));
    since = clump_now_ms(), sent = ranks->mail.seconds;
    uint64_t hashes[2];
    clump_ranks_begin(ranks, CLUMP_RANKS_HASH);
    CLUMP_BIG_TRY(clump_ranks_hash(ranks, hashes));
    clump_ranks_begin(ranks, CLUMP_RANKS_WRITE);
    if (output) CLUMP_BIG_TRY(clump_ranks_write(ranks, reader, output, &options->output));
    end_phase(ranks, result, 4, &since, &sent);
    result->labels_hash = hashes[0];
    result->labels_hash_64 = hashes[1];
    fill_result(ranks, &info, passes, result);
    clump_ranks_tell(ranks, 1);
    CLUMP_BIG_TRY(sum_up(ranks, begin, result));
    if (!options->keep_work) clump_ranks_work_remove(ranks);
    return CLUMP_OK;
}

clump_status clump_ranks_run(const char *const *inputs, size_t count, const char *output,
                             const clump_joint_settings *settings, const clump_big_options *options, uint64_t most,
                             clump_big_result *result, clump_message *message)
{
    static const clump_big_hooks none;
    const clump_big_budget budget = clump_big_budget_make(options, settings->min_points, &none);
    clump_ranks ranks = {.mail = clump_mail_make(options->peers),
                         .settings = *settings,
                         .threads = budget.threads,
                         .backend = options->backend,
                         .device = options->device,
                         .device_limit = options->device_limit,
                         .cancel = options->cancel,
                         .progress = options->progress,
                         .progress_user = options->progress_user,
                         .most = most,
                         .ram = budget.ram,
                         .work = options->work};
    clump_big_result ignored = {0};
    clump_reader *reader = NULL;
    if (!result) result = &ignored;
    ranks.mail.cancel = options->cancel;
    ranks.mail.tell = tell_stream;
    ranks.mail.tell_user = &ranks;
    clump_status status =
        clump_ranks_agree(&ranks, clump_big_open_input(options, inputs, count, &reader, &ranks.message));
    if (status == CLUMP_OK) status = compare_inputs(&ranks, reader);
    if (status == CLUMP_OK) {
        const clump_reader_info info = clump_reader_describe(reader);
        ranks.reader = reader;
        status = clump_ranks_agree(&ranks, clump_big_frame_choose(&info, settings, clump_big_frame_wanted(options),
                                                                  &ranks.frame, &ranks.message));
        ranks.settings.d = ranks.frame.d;
    }
    if (status == CLUMP_OK) status = run(&ranks, reader, output, options, result);
    if (status != CLUMP_OK && message) *message = ranks.message;
    clump_ranks_release(&ranks);
    clump_reader_close(reader);
    return status;
}
