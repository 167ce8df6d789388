/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folder.c: see folder.h.
 */
#define _GNU_SOURCE /* flock, O_DIRECTORY */
#include "folder.h"

#include "fail.h"
#include "ranks_work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char folder_mark[] = "work folder of clump\n"; /* what the lock file says */

/* Returns the path of the folder, for free(). */
static char *choose_path(const char *work, const char *output)
{
    const char *const given = work ? work : output ? output : "clump.work";
    size_t length = strlen(given);
    char *const path = malloc(length + 8);
    if (!path) return NULL;
    memcpy(path, given, length + 1);
    while (length > 1 && path[length - 1] == '/') path[--length] = 0;
    if (!work && output) memcpy(path + length, ".clump", 7);
    return path;
}

static bool is_there(const clump_big_disk *disk, const char *name)
{
    struct stat about;
    return fstatat(disk->folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Marks a new folder by its lock file, which is empty. Refuses a folder with files that clump did not make. */
static clump_status mark_folder(const clump_big_disk *disk, const clump_big_file *lock, const char *const *names,
                                size_t count, clump_message *message)
{
    char text[sizeof folder_mark] = "";
    uint64_t size = 0;
    CLUMP_BIG_TRY(clump_big_file_size(lock, &size, message));
    if (size >= sizeof folder_mark - 1)
        CLUMP_BIG_TRY(clump_big_file_read(lock, 0, text, sizeof folder_mark - 1, message));
    if (size == sizeof folder_mark - 1 && strcmp(text, folder_mark) == 0) return CLUMP_OK;
    if (size > 0) return clump_big_not_ours(message, disk->path, CLUMP_BIG_LOCK_NAME);
    for (size_t i = 0; i < count; i++) {
        if (!is_there(disk, names[i])) continue;
        (void)unlinkat(disk->folder, CLUMP_BIG_LOCK_NAME, 0);
        return clump_big_not_ours(message, disk->path, names[i]);
    }
    CLUMP_BIG_TRY(clump_big_file_write(lock, 0, folder_mark, sizeof folder_mark - 1, message));
    return clump_big_file_sync(lock, message);
}

/* Locks the folder. clump_work_describe() holds the lock for a moment, so a second attempt follows. */
static bool take_lock(int lock)
{
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) return true;
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return flock(lock, LOCK_EX | LOCK_NB) == 0;
}

clump_status clump_big_folder_open(const char *given, const char *output, const char *const *names, size_t count,
                                   clump_big_disk *disk, clump_big_file *lock, clump_message *message)
{
    *disk = (clump_big_disk){
        .path = choose_path(given, output), .folder = -1, .hooks = disk->hooks, .cancel = disk->cancel};
    *lock = (clump_big_file){.descriptor = -1};
    if (!disk->path) return clump_big_no_memory(message, 8);
    if (mkdir(disk->path, 0777) != 0 && errno != EEXIST)
        return clump_big_fail_errno(message, CLUMP_ERR_IO_OPEN, disk->path, "the work folder cannot be made", errno);
    disk->folder = open(disk->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (disk->folder < 0)
        return clump_big_fail_errno(message, CLUMP_ERR_IO_OPEN, disk->path, "the work folder cannot be opened", errno);
    if (is_there(disk, CLUMP_RANKS_NAME))
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT,
                              "%.300s: the work folder is that of clump-mpi; remove it, or choose another", disk->path);
    CLUMP_BIG_TRY(clump_big_file_open(disk, CLUMP_BIG_LOCK_NAME, lock, message));
    if (take_lock(lock->descriptor)) return mark_folder(disk, lock, names, count, message);
    clump_big_file_close(lock);
    return clump_big_fail(message, CLUMP_ERR_IO_OPEN,
                          "%.300s: the work folder is in use by another process; --work gives another", disk->path);
}

void clump_big_folder_close(clump_big_disk *disk, clump_big_file *lock, bool remove)
{
    if (remove) {
        (void)unlinkat(disk->folder, CLUMP_BIG_LOCK_NAME, 0);
        (void)rmdir(disk->path); /* stays where it has other files */
    }
    clump_big_file_close(lock);
    if (disk->folder >= 0) close(disk->folder);
    free(disk->path);
    *disk = (clump_big_disk){.folder = -1, .moved = disk->moved};
}
