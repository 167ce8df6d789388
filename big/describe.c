/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: clump_work_describe(): what is in a work folder. Nothing is changed.
 */
#define _GNU_SOURCE /* O_DIRECTORY */
#include "job.h"

#include "store/fail.h"
#include "store/disk.h"
#include "ranks/ranks.h"

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
        if (strncmp(entry->d_name, "clump-", 6) == 0 && fstatat(folder, entry->d_name, &about, 0) == 0)
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

/* Writes the lines of a plan as one line. Values that say nothing are left out. */
static void write_command(const char *text, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        const size_t word = strcspn(line, " \n");
        const bool plain = word == length || (length == word + 2 && strncmp(line, "input", word) != 0 &&
                                              (line[word + 1] == '0' || line[word + 1] == '-'));
        if (!plain && used + length + 3 < size)
            used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? ", " : "", (int)length, line);
        line += length + (line[length] != 0);
    }
}

/* Returns whether the run has ended. */
static bool count_tasks(const clump_big_record *records, size_t count, clump_work_info *out)
{
    bool done = false;
    for (size_t k = 0; k < count; k++) {
        if (records[k].kind == CLUMP_BIG_RECORD_SCATTER) out->blocks_done = records[k].count;
        if (records[k].kind == CLUMP_BIG_RECORD_SPLIT) out->tiles += records[k].count;
        if (records[k].kind == CLUMP_BIG_RECORD_TILE) out->tiles_done++;
        done |= records[k].kind == CLUMP_BIG_RECORD_DONE;
    }
    return done;
}

static clump_status describe(clump_big_disk *disk, clump_work_info *out, clump_message *message)
{
    clump_big_plan plan;
    unsigned char *bytes = NULL;
    size_t size = 0;
    CLUMP_BIG_TRY(clump_big_plan_load(disk, &plan, message));
    out->bytes = sum_bytes(disk->folder);
    out->running = is_locked(disk->folder);
    snprintf(out->phase, sizeof out->phase, "plan");
    struct stat about;
    if (!plan.found && fstatat(disk->folder, CLUMP_RANKS_NAME, &about, 0) == 0)
        return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                              "%.300s: this is the work folder of clump-mpi, which does not tell how far it is",
                              disk->path);
    if (!plan.found)
        return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                              "%.300s: this is no work folder, or its run has no plan yet", disk->path);
    out->points = plan.count, out->blocks = plan.blocks, out->tiles = plan.map.tile_count;
    write_command(plan.text, out->command, sizeof out->command);
    clump_big_plan_release(&plan);
    CLUMP_BIG_TRY(clump_big_disk_load(disk, CLUMP_BIG_JOURNAL_NAME, &bytes, &size, message));
    bool done = false;
    if (bytes)
        done = count_tasks((const clump_big_record *)(const void *)bytes, clump_big_journal_count(bytes, size), out);
    free(bytes);
    const bool scattered = out->blocks_done == out->blocks;
    snprintf(out->phase, sizeof out->phase, "%s", scattered ? "tiles" : "scatter");
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
