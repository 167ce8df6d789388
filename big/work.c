/* SPDX-License-Identifier: BSD-3-Clause
 *
 * work.c: see job.h.
 */
#include "job.h"

#include "clusters.h"
#include "common/bytes_text.h"
#include "store/results.h"

#include <stdlib.h>
#include <string.h>

#define WORK_RESULTS "clump-results"

static const char *const work_files[] = {
    CLUMP_BIG_PLAN_NAME,    CLUMP_BIG_PLAN_NAME ".new", CLUMP_BIG_JOURNAL_NAME, CLUMP_BIG_LOG_NAME,  WORK_RESULTS,
    CLUMP_BIG_NUMBERS_NAME, CLUMP_BIG_CLUSTERS_NAME,    CLUMP_BIG_SURFACE_NAME, CLUMP_BIG_MARKS_NAME};

enum { WORK_FILES = sizeof work_files / sizeof *work_files };

/* ----- folder --------------------------------------------------------------------------------------------------------- */

static void close_files(clump_big_job *job)
{
    clump_big_log_close(&job->log);
    clump_big_journal_close(&job->journal);
    clump_big_file_close(&job->results);
    clump_big_file_close(&job->numbers);
    clump_big_file_close(&job->surface);
    clump_big_file_close(&job->marks);
}

/* Removes the files, the plan first: without it nothing counts. */
static clump_status remove_files(clump_big_disk *disk, clump_message *message)
{
    for (size_t i = 0; i < WORK_FILES; i++) CLUMP_BIG_TRY(clump_big_disk_remove(disk, work_files[i], message));
    return CLUMP_OK;
}

void clump_big_work_close(clump_big_job *job, bool remove)
{
    close_files(job);
    /* where a file stays, so does the lock file: it says whose it is */
    const bool whole = (remove || job->fresh) && job->disk.folder >= 0 && remove_files(&job->disk, NULL) == CLUMP_OK;
    clump_big_folder_close(&job->disk, &job->lock, whole);
    free(job->text);
    job->text = NULL;
}

/* ----- a new plan ----------------------------------------------------------------------------------------------------- */

/* Bytes that the store of this rank needs at most: points with their runs, and about as much less for labels as points are
 * given back. Where clusters are described, no space is given back: 8 bytes for labels, and 16 for the points of clusters,
 * with classes 18. */
static uint64_t bytes_needed(const clump_big_job *job)
{
    const size_t more = !job->options->clusters ? 0 : job->groups ? 26 : 24;
    const uint64_t count = job->info.count / (uint64_t)clump_big_ranks(job);
    const uint64_t marks = job->options->ground ? job->share_blocks * sizeof(clump_big_marks) : 0;
    return count * (clump_big_frame_bytes(&job->frame) + 2 + more) + count / 2 + marks;
}

/* Says that a disk is too small. */
static clump_status refuse_disk(const char *path, uint64_t there, uint64_t needed, const char *what,
                                clump_message *message)
{
    char text[2][32];
    clump_bytes_text(text[0], sizeof text[0], (double)there);
    clump_bytes_text(text[1], sizeof text[1], (double)needed);
    return clump_big_fail(message, CLUMP_ERR_IO_WRITE,
                          "%.300s: the disk has %s of free space, and %s are needed for %s", path, text[0], text[1],
                          what);
}

/* Returns a number that the ranks have in common whose folders are on one disk: those of one machine, and those whose folders
 * rank 0 sees in its own, as on a network file system. */
static clump_status number_disk(clump_big_job *job, uint64_t *id, clump_message *message)
{
    const int ranks = clump_big_ranks(job);
    uint64_t *const said = job->words, *const heard = said + ranks;
    *id = clump_big_disk_id(&job->disk);
    for (int r = 0; r < ranks; r++) said[r] = clump_big_folder_number(&job->disk);
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_counts(&job->mail, said, heard), message));
    const bool first = clump_big_rank(job) == 0;
    for (int r = 0; r < ranks; r++) said[r] = first && clump_big_folder_has(&job->disk, r, heard[r]) ? *id : 0;
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_counts(&job->mail, said, heard), message));
    if (heard[0] != 0) *id = heard[0];
    return CLUMP_OK;
}

/* Adds what the other ranks still need that have their folders on the disk of this one. */
static clump_status add_ranks(clump_big_job *job, uint64_t own, uint64_t *needed, clump_message *message)
{
    const int ranks = clump_big_ranks(job);
    uint64_t *const said = job->words, *const heard = said + ranks, id;
    CLUMP_BIG_TRY(number_disk(job, &id, message));
    for (int r = 0; r < ranks; r++) said[r] = id;
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_counts(&job->mail, said, heard), message));
    for (int r = 0; r < ranks; r++) said[r] = heard[r] == id ? own : 0;
    CLUMP_BIG_TRY(clump_big_sent(job, clump_mail_counts(&job->mail, said, heard), message));
    for (int r = 0; r < ranks; r++) *needed += r == clump_big_rank(job) ? 0 : heard[r];
    return CLUMP_OK;
}

/* Compares the free space of the disks with what temporary files and the output still need. A run that goes on is never
 * refused: that of its ranks which have little left leave space to others. All ranks call it together. */
static clump_status check_space(clump_big_job *job, clump_message *message)
{
    uint64_t apart; /* free bytes on the disk of the output */
    job->tight = job->disk.memory;
    if (job->disk.memory) return CLUMP_OK;
    const bool other = job->output && clump_big_disk_of_output(&job->disk, job->output, &apart);
    uint64_t needed = bytes_needed(job) + (other ? 0 : job->output_bytes);
    needed -= needed < job->log.size ? needed : job->log.size;
    CLUMP_BIG_TRY(add_ranks(job, needed, &needed, message));
    const uint64_t there = clump_big_disk_free(&job->disk);
    job->tight = there < needed + 8 * job->info.count;
    if (job->log.size > 0) return CLUMP_OK;
    if (there < needed)
        return refuse_disk(job->disk.path, there, needed,
                           job->output_bytes > 0 && !other ? "temporary files and the output" : "temporary files",
                           message);
    if (other && apart < job->output_bytes)
        return refuse_disk(job->output, apart, job->output_bytes, "the output", message);
    return CLUMP_OK;
}

/* Opens the files of the folder, empty. */
static clump_status open_files(clump_big_job *job, clump_message *message)
{
    CLUMP_BIG_TRY(clump_big_log_open(&job->disk, CLUMP_BIG_LOG_NAME, clump_big_frame_bytes(&job->frame), true,
                                     &job->log, message));
    CLUMP_BIG_TRY(clump_big_file_open(&job->disk, WORK_RESULTS, &job->results, message));
    CLUMP_BIG_TRY(clump_big_file_open(&job->disk, CLUMP_BIG_NUMBERS_NAME, &job->numbers, message));
    if (job->options->ground) {
        CLUMP_BIG_TRY(clump_big_file_open(&job->disk, CLUMP_BIG_SURFACE_NAME, &job->surface, message));
        CLUMP_BIG_TRY(clump_big_file_open(&job->disk, CLUMP_BIG_MARKS_NAME, &job->marks, message));
    }
    return clump_big_journal_open(&job->disk, &job->journal, &job->records, &job->record_count, message);
}

clump_status clump_big_work_clear(clump_big_job *job, clump_message *message)
{
    clump_big_map_release(&job->map);
    close_files(job);
    free(job->records);
    job->records = NULL;
    job->record_count = 0;
    job->results_size = job->blocks_done = job->left_out = job->moved = job->own = 0;
    clump_big_box_clear(&job->box);
    job->fresh = true;
    return clump_big_agree(job, remove_files(&job->disk, message), message);
}

static clump_status begin(clump_big_job *job, clump_message *message)
{
    CLUMP_BIG_TRY(check_space(job, message));
    CLUMP_BIG_TRY(open_files(job, message));
    return clump_big_plan_save(job, job->text, job->fingerprint, message);
}

clump_status clump_big_work_begin(clump_big_job *job, clump_message *message)
{
    const clump_status own = begin(job, message), status = clump_big_agree(job, own, message);
    /* The plan is there: a cancellation right after it keeps the folder, as later ones do. */
    if (own == CLUMP_OK && (status == CLUMP_OK || status == CLUMP_ERR_CANCELLED)) job->fresh = false;
    return status;
}

/* ----- an old plan ---------------------------------------------------------------------------------------------------- */

static clump_status compare_plan(const clump_big_job *job, const clump_big_plan *plan, clump_message *message)
{
    if (strcmp(plan->text, job->text) != 0) {
        char difference[200];
        clump_big_plan_difference(plan->text, job->text, difference, sizeof difference);
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT,
                              "%.200s: the work folder is of a run with %s; remove it, or choose another",
                              job->disk.path, difference);
    }
    if (plan->fingerprint == job->fingerprint && plan->count == job->info.count) return CLUMP_OK;
    const char *const changed = clump_big_plan_changed(&job->disk, job->reader);
    if (changed)
        return clump_big_fail(message, CLUMP_ERR_IO_READ,
                              "%.200s: this input has changed since the work folder %.200s was made; remove the folder",
                              changed, job->disk.path);
    return clump_big_fail(message, CLUMP_ERR_IO_READ,
                          "%.300s: the input has changed since the work folder was made; remove the folder",
                          job->disk.path);
}

/* Returns the number after the last record of ground or scatter, of those before the first scatter of more than `most` blocks;
 * 0: there is none. *blocks: of the last scatter, 0 where there is none. */
static size_t after_scatter(const clump_big_job *job, int64_t most, int64_t *blocks)
{
    size_t after = 0;
    *blocks = 0;
    for (size_t k = 0; k < job->record_count; k++) {
        const clump_big_record *const record = &job->records[k];
        const bool scatter = record->kind == CLUMP_BIG_RECORD_SCATTER;
        if (scatter && (int64_t)record->count > most) break;
        if (scatter) *blocks = (int64_t)record->count;
        if (scatter || record->kind == CLUMP_BIG_RECORD_GROUND) after = k + 1;
    }
    return after;
}

/* Goes back to the last record of the scatter that all ranks have. */
static clump_status agree_on_scatter(clump_big_job *job, clump_message *message)
{
    int64_t blocks;
    const size_t own = after_scatter(job, INT64_MAX, &blocks);
    CLUMP_BIG_TRY(clump_big_least(job, &blocks, 1, message));
    const size_t after = after_scatter(job, blocks, &blocks);
    if (after == own) return CLUMP_OK;
    job->record_count = after;
    return clump_big_journal_cut(&job->journal, after, message);
}

/* Takes the last record of the scatter. */
static clump_status restore_scatter(clump_big_job *job, clump_message *message)
{
    const clump_big_record *last = NULL;
    uint64_t bytes = 0, tiles = job->map.tile_count;
    for (size_t k = 0; k < job->record_count; k++) {
        const clump_big_record *const record = &job->records[k];
        if (record->kind == CLUMP_BIG_RECORD_SCATTER) last = record;
        if (record->kind == CLUMP_BIG_RECORD_SPLIT) tiles += record->count;
        if (record->kind == CLUMP_BIG_RECORD_SCATTER || record->kind == CLUMP_BIG_RECORD_SPLIT) bytes = record->bytes;
    }
    job->blocks_done = last ? last->count : 0;
    if (last) {
        job->left_out = last->left_out, job->moved = last->moved, job->own = last->own;
        for (int a = 0; a < 3; a++)
            job->box.lower_step[a] = last->lower_step[a], job->box.upper_step[a] = last->upper_step[a];
    }
    job->result.tasks_skipped += job->blocks_done < job->share_blocks ? job->blocks_done : job->share_blocks;
    CLUMP_BIG_TRY(clump_big_log_restore(&job->log, bytes, message));
    for (uint64_t at = 0; at < bytes;) {
        CLUMP_BIG_TRY(clump_big_step(job, CLUMP_BIG_PLAN, 0.5 * (double)at / (double)bytes, message));
        CLUMP_BIG_TRY(
            clump_big_log_restore_segment(&job->log, tiles < UINT32_MAX ? (uint32_t)tiles : UINT32_MAX, &at, message));
    }
    return CLUMP_OK;
}

/* Whether the folder has a sound plan, which only clump makes. */
static bool has_plan(clump_big_disk *disk)
{
    clump_big_plan plan;
    clump_message unused;
    const bool found = clump_big_plan_load(disk, &plan, &unused) == CLUMP_OK && plan.found;
    clump_big_plan_release(&plan);
    return found;
}

/* Opens the folder of this rank and reads its plan. */
static clump_status open_plan(clump_big_job *job, const char *const *inputs, size_t count, const char *output,
                              const clump_joint_settings *settings, clump_big_plan *plan, clump_message *message)
{
    CLUMP_BIG_TRY(clump_big_plan_text(inputs, count, settings, job->options, &job->text, message));
    if (!job->disk.memory)
        CLUMP_BIG_TRY(clump_big_folder_open(job->options->work, output, clump_big_rank(job), work_files, WORK_FILES,
                                            has_plan, &job->disk, &job->lock, message));
    CLUMP_BIG_TRY(clump_big_plan_load(&job->disk, plan, message));
    job->fresh = !plan->found;
    if (job->output && !job->disk.memory && clump_big_folder_owns(&job->disk, job->output))
        return clump_big_fail(
            message, CLUMP_ERR_ARGUMENT,
            "%.300s: temporary files of the work folder have such names; choose another for the output", job->output);
    return plan->found ? compare_plan(job, plan, message) : CLUMP_OK;
}

/* Whether all ranks have the same plan. One that ended too early may have none. */
static clump_status is_same_plan(clump_big_job *job, const clump_big_plan *plan, bool *same, clump_message *message)
{
    const size_t ranks = (size_t)clump_big_ranks(job);
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    if (plan->found) {
        clump_big_hash_add(&hash, plan->map.tiles, clump_big_map_cells(&plan->map) * sizeof *plan->map.tiles);
        if (ranks > 1 && plan->ranks == ranks) /* the plan of one rank does not have them */
            clump_big_hash_add(&hash, plan->first_tile, (ranks + 1) * sizeof *plan->first_tile);
        clump_big_hash_add(&hash, plan->frame.base, sizeof plan->frame.base);
        clump_big_hash_add(&hash, plan->map.tiling.first, sizeof plan->map.tiling.first);
    }
    int64_t said[3] = {plan->found && plan->ranks == ranks, (int64_t)clump_big_hash_end(&hash), 0};
    said[2] = ~said[1];
    CLUMP_BIG_TRY(clump_big_least(job, said, 3, message));
    *same = said[0] == 1 && said[1] == ~said[2];
    return CLUMP_OK;
}

static clump_status restore(clump_big_job *job, clump_big_plan *plan, clump_message *message)
{
    job->frame = plan->frame;
    job->map = plan->map;
    plan->map = (clump_big_map){0};
    if (clump_big_ranks(job) > 1)
        memcpy(job->first_tile, plan->first_tile, ((size_t)clump_big_ranks(job) + 1) * sizeof *job->first_tile);
    else
        job->first_tile[0] = 0, job->first_tile[1] = job->map.tile_count;
    CLUMP_BIG_TRY(clump_big_agree(job, open_files(job, message), message));
    clump_status status = agree_on_scatter(job, message);
    if (status == CLUMP_OK) status = restore_scatter(job, message);
    status = clump_big_agree(job, status, message);
    return status == CLUMP_OK ? check_space(job, message) : status;
}

clump_status clump_big_work_open(clump_big_job *job, const char *const *inputs, size_t count, const char *output,
                                 const clump_joint_settings *settings, clump_message *message)
{
    clump_big_plan plan = {0};
    bool same = false;
    clump_status status = open_plan(job, inputs, count, output, settings, &plan, message);
    status = clump_big_agree(job, status, message);
    if (status == CLUMP_OK) status = is_same_plan(job, &plan, &same, message);
    if (status == CLUMP_OK && same) status = restore(job, &plan, message);
    if (status == CLUMP_OK && !same) { /* no plan that counts: a run ended before all ranks had one */
        job->fresh = true;
        status = remove_files(&job->disk, message);
    }
    clump_big_plan_release(&plan);
    return clump_big_agree(job, status, message);
}

/* ----- tiles ---------------------------------------------------------------------------------------------------------- */

clump_status clump_big_work_tiles(clump_big_job *job, clump_message *message)
{
    CLUMP_BIG_TRY(clump_big_add_tiles(job, job->map.tile_count, 0, message));
    for (size_t k = 0; k < job->record_count; k++)
        if (job->records[k].kind == CLUMP_BIG_RECORD_SPLIT)
            CLUMP_BIG_TRY(clump_big_split_restore(job, &job->records[k], message));
    CLUMP_BIG_TRY(clump_big_count_tiles(job, message));
    uint64_t own = 0;
    for (uint32_t t = 0; t < job->tile_count; t++) own += job->tiles[t].own;
    if (own != job->own)
        return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                              "%.300s: %llu points were put into tiles, but %llu are there; remove the folder to start "
                              "from the beginning",
                              job->disk.path, (unsigned long long)job->own, (unsigned long long)own);
    for (size_t k = 0; k < job->record_count; k++) {
        bool sound = false;
        if (job->records[k].kind != CLUMP_BIG_RECORD_TILE) continue;
        const double share = 0.5 + 0.5 * (double)k / (double)job->record_count;
        CLUMP_BIG_TRY(clump_big_step(job, CLUMP_BIG_PLAN, share, message));
        CLUMP_BIG_TRY(clump_big_results_restore(job, &job->records[k], &sound, message));
        job->result.tasks_skipped += sound;
    }
    return CLUMP_OK;
}
