/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: clump_work_describe(): what is in a work folder. Nothing is changed.
 */
#define _GNU_SOURCE /* O_DIRECTORY */
#include "job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Adds the space that the files of the folder take on the disk: less than their lengths where they have holes. */
static uint64_t sum_bytes(int folder)
{
    uint64_t bytes = 0;
    const int copy = dup(folder);
    DIR *const list = copy < 0 ? NULL : fdopendir(copy);
    if (!list && copy >= 0) close(copy);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct stat about;
        if (strncmp(entry->d_name, CLUMP_BIG_PREFIX, sizeof CLUMP_BIG_PREFIX - 1) == 0 &&
            fstatat(folder, entry->d_name, &about, 0) == 0)
            bytes += (uint64_t)about.st_blocks * 512;
    }
    if (list) closedir(list);
    return bytes;
}

/* Whether a process holds the lock of the folder. */
static bool is_locked(int folder)
{
    const int lock = openat(folder, CLUMP_BIG_LOCK_NAME, O_RDONLY | O_CLOEXEC);
    if (lock < 0) return false;
    const bool locked = flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(lock); /* which gives the lock back */
    return locked;
}

/* Writes the lines of a plan as one line. Values that say nothing are left out, and so are the rows of classes. */
static void write_command(const char *text, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        const size_t word = strcspn(line, " \n");
        const bool alone = length == 7 && strncmp(line, "ranks 1", 7) == 0;
        const bool plain = alone || word == length || strncmp(line, "class ", 6) == 0 ||
                           (length == word + 2 && strncmp(line, "input", word) != 0 &&
                            (line[word + 1] == '0' || line[word + 1] == '-'));
        if (!plain && used + length + 3 < size)
            used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? ", " : "", (int)length, line);
        line += length + (line[length] != 0);
    }
}

/* Adds what a journal says. Returns whether the run has ended. *grounded becomes true where the ground has been found. */
static bool count_tasks(const clump_big_record *records, size_t count, clump_work_info *out, bool *grounded)
{
    bool done = false;
    for (size_t k = 0; k < count; k++) {
        if (records[k].kind == CLUMP_BIG_RECORD_SCATTER) out->blocks_done = records[k].count;
        if (records[k].kind == CLUMP_BIG_RECORD_SPLIT) out->tiles += records[k].count;
        if (records[k].kind == CLUMP_BIG_RECORD_TILE) out->tiles_done++;
        if (records[k].kind == CLUMP_BIG_RECORD_GROUND) *grounded = true;
        done |= records[k].kind == CLUMP_BIG_RECORD_DONE;
    }
    return done;
}

/* Reads the journal of a folder. */
static clump_status count_folder(clump_big_disk *disk, clump_work_info *out, bool *done, bool *grounded,
                                 clump_message *message)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    out->bytes += sum_bytes(disk->folder);
    CLUMP_BIG_TRY(clump_big_disk_load(disk, CLUMP_BIG_JOURNAL_NAME, &bytes, &size, message));
    if (bytes)
        *done = count_tasks((const clump_big_record *)(const void *)bytes, clump_big_journal_count(bytes, size), out,
                            grounded);
    free(bytes);
    return CLUMP_OK;
}

/* Adds the tiles of the other ranks, as far as their folders are here. All ranks read at the same pace. */
static clump_status count_ranks(clump_big_disk *disk, int ranks, clump_work_info *out, clump_message *message)
{
    const uint64_t blocks = out->blocks_done * (uint64_t)ranks;
    for (int r = 1; r < ranks; r++) {
        char name[32];
        bool unused;
        snprintf(name, sizeof name, CLUMP_BIG_RANK_NAME "%d", r);
        clump_big_disk other = {.path = disk->path, .folder = openat(disk->folder, name, O_RDONLY | O_DIRECTORY)};
        if (other.folder < 0) continue;
        const clump_status status = count_folder(&other, out, &unused, &unused, message);
        close(other.folder);
        CLUMP_BIG_TRY(status);
    }
    out->blocks_done = blocks < out->blocks ? blocks : out->blocks;
    return CLUMP_OK;
}

static clump_status describe(clump_big_disk *disk, clump_work_info *out, clump_message *message)
{
    clump_big_plan plan;
    bool done = false, grounded = false;
    CLUMP_BIG_TRY(clump_big_plan_load(disk, &plan, message));
    out->running = is_locked(disk->folder);
    snprintf(out->phase, sizeof out->phase, "plan");
    struct stat about;
    if (!plan.found)
        return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                              "%.300s: this is no work folder, or its run has no plan yet", disk->path);
    out->points = plan.count, out->blocks = plan.blocks, out->tiles = plan.map.tile_count;
    write_command(plan.text, out->command, sizeof out->command);
    const int ranks = (int)plan.ranks;
    const bool seeks = strstr(plan.text, "\nremove-ground 1\n") != NULL;
    clump_big_plan_release(&plan);
    CLUMP_BIG_TRY(count_folder(disk, out, &done, &grounded, message));
    if (ranks > 1) CLUMP_BIG_TRY(count_ranks(disk, ranks, out, message));
    const bool scattered = out->blocks_done == out->blocks;
    snprintf(out->phase, sizeof out->phase, "%s", scattered ? "tiles" : seeks && !grounded ? "ground" : "scatter");
    if (scattered && fstatat(disk->folder, CLUMP_BIG_NUMBERS_NAME, &about, 0) == 0 && about.st_size > 0)
        snprintf(out->phase, sizeof out->phase, "output");
    if (done) snprintf(out->phase, sizeof out->phase, "done");
    return CLUMP_OK;
}

clump_status clump_work_describe(const char *work, clump_work_info *out, clump_message *message)
{
    if (message) message->text[0] = 0;
    if (!work || !out) return clump_big_fail(message, CLUMP_ERR_ARGUMENT, "clump_work_describe: work or out is null");
    *out = (clump_work_info){0};
    char *const path = strdup(work);
    if (!path) return clump_big_no_memory(message, strlen(work));
    clump_big_disk disk = {.path = path, .folder = open(work, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    clump_status status = CLUMP_OK;
    if (disk.folder < 0)
        status = clump_big_fail_errno(message, CLUMP_ERR_IO_OPEN, work, "the work folder cannot be opened", errno);
    else
        status = describe(&disk, out, message);
    if (disk.folder >= 0) close(disk.folder);
    free(path);
    return status;
}
