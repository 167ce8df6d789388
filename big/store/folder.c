/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folder.c: see store.h.
 */
#define _GNU_SOURCE /* flock, O_DIRECTORY */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    FOLDER_ATTEMPTS = 20, /* to lock a folder that other processes leave */
    FOLDER_WAITS = 20     /* of 50 ms each, for its lock */
};

static const char folder_mark[] = "work folder of clump\n"; /* what the lock file says */

/* Returns the path of the folder, for free(). */
static char *choose_path(const char *work, const char *output, int rank)
{
    const char *const given = work ? work : output ? output : "clump.work";
    size_t length = strlen(given);
    const size_t room = length + sizeof ".clump/" CLUMP_BIG_RANK_NAME + 12;
    char *const path = malloc(room);
    if (!path) return NULL;
    memcpy(path, given, length + 1);
    while (length > 1 && path[length - 1] == '/') path[--length] = 0;
    if (!work && output) memcpy(path + length, ".clump", 7);
    if (rank == 0) return path;
    length = strlen(path);
    snprintf(path + length, room - length, "/" CLUMP_BIG_RANK_NAME "%d", rank);
    return path;
}

static bool is_there(const clump_big_disk *disk, const char *name)
{
    struct stat about;
    return fstatat(disk->folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

/* What the lock file says. */
typedef enum folder_text { FOLDER_OURS, FOLDER_LOST, FOLDER_FOREIGN } folder_text;

/* A power failure can leave a part of the text, and zeros: the lock file of a folder whose text is LOST may be ours. */
static clump_status read_mark(const clump_big_file *lock, folder_text *out, clump_message *message)
{
    char text[sizeof folder_mark] = "";
    const size_t whole = sizeof folder_mark - 1;
    uint64_t size = 0;
    CLUMP_BIG_TRY(clump_big_file_size(lock, &size, message));
    *out = FOLDER_FOREIGN;
    if (size > whole) return CLUMP_OK;
    CLUMP_BIG_TRY(clump_big_file_read(lock, 0, text, (size_t)size, message));
    size_t equal = 0;
    while (equal < size && text[equal] == folder_mark[equal]) equal++;
    if (equal == whole) return *out = FOLDER_OURS, CLUMP_OK;
    for (size_t i = equal; i < size; i++)
        if (text[i] != 0) return CLUMP_OK;
    *out = FOLDER_LOST;
    return CLUMP_OK;
}

/* Refuses a file that has the name of a temporary file and is none. */
static clump_status refuse_foreign(clump_message *message, const char *folder, const char *name)
{
    return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                          "%.240s/%.60s: this is no file of clump; move it, or choose another work folder", folder,
                          name);
}

/* Marks a new folder by its lock file, which `was_there` or has just been made. Refuses a folder with files that clump
 * did not make. */
static clump_status mark_folder(clump_big_disk *disk, const clump_big_file *lock, bool was_there,
                                const char *const *names, size_t count, clump_big_folder_proof *proof,
                                clump_message *message)
{
    folder_text text;
    CLUMP_BIG_TRY(read_mark(lock, &text, message));
    if (text == FOLDER_OURS) return CLUMP_OK;
    if (text == FOLDER_FOREIGN) return refuse_foreign(message, disk->path, CLUMP_BIG_LOCK_NAME);
    const char *other = NULL;
    for (size_t i = 0; i < count && !other; i++)
        if (is_there(disk, names[i])) other = names[i];
    if (other && !proof(disk)) {
        if (was_there)
            return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                                  "%.240s/%s: has lost its text, as after a power failure; remove the folder, if clump "
                                  "made it, or choose another work folder",
                                  disk->path, CLUMP_BIG_LOCK_NAME);
        (void)unlinkat(disk->folder, CLUMP_BIG_LOCK_NAME, 0);
        return refuse_foreign(message, disk->path, other);
    }
    CLUMP_BIG_TRY(clump_big_file_write(lock, 0, folder_mark, sizeof folder_mark - 1, message));
    CLUMP_BIG_TRY(clump_big_file_sync(lock, message));
    if (!disk->hooks || !disk->hooks->no_sync) (void)fsync(disk->folder); /* the name of the lock file, too */
    return CLUMP_OK;
}

/* Locks the folder. clump_work_describe() holds the lock for a moment, and a process that was killed until its memory is
 * freed, which may be after its launcher has ended. So it is tried for a second. */
static clump_status take_lock(const clump_big_disk *disk, int lock, clump_message *message)
{
    for (int attempt = 0; flock(lock, LOCK_EX | LOCK_NB) != 0; attempt++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return clump_big_fail_errno(message, CLUMP_ERR_IO_OPEN, disk->path, "the work folder cannot be locked",
                                        errno);
        if (attempt == FOLDER_WAITS)
            return clump_big_fail(message, CLUMP_ERR_IO_OPEN,
                                  "%.300s: the work folder is in use by another process; --work gives another",
                                  disk->path);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return CLUMP_OK;
}

/* Makes the folder, and that which the folder of a rank is in. */
static clump_status make_folder(char *path, int rank, clump_message *message)
{
    char *const slash = rank > 0 ? strrchr(path, '/') : NULL;
    if (slash) {
        *slash = 0;
        (void)mkdir(path, 0777); /* a failure shows when the folder in it is made */
        *slash = '/';
    }
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return CLUMP_OK;
    return clump_big_fail_errno(message, CLUMP_ERR_IO_OPEN, path, "the work folder cannot be made", errno);
}

/* Whether an open file is still what the name means. */
static bool is_named(int file, int folder, const char *name)
{
    struct stat here, there;
    return fstat(file, &here) == 0 && fstatat(folder, name, &there, 0) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* Opens the folder and its lock file, and locks it. *again: another process has removed one of them meanwhile. */
static clump_status lock_folder(clump_big_disk *disk, clump_big_file *lock, bool *was_there, bool *again,
                                clump_message *message)
{
    *again = false;
    disk->folder = open(disk->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (disk->folder < 0) {
        *again = errno == ENOENT;
        return clump_big_fail_errno(message, CLUMP_ERR_IO_OPEN, disk->path, "the work folder cannot be opened", errno);
    }
    *was_there = is_there(disk, CLUMP_BIG_LOCK_NAME);
    clump_status status = clump_big_file_open(disk, CLUMP_BIG_LOCK_NAME, lock, message);
    if (status != CLUMP_OK) {
        *again = !is_named(disk->folder, AT_FDCWD, disk->path);
        return status;
    }
    status = take_lock(disk, lock->descriptor, message);
    *again = status == CLUMP_OK && !is_named(lock->descriptor, disk->folder, CLUMP_BIG_LOCK_NAME);
    if (*again) /* said where it happens at every attempt */
        status = clump_big_fail(message, CLUMP_ERR_IO_OPEN,
                                "%.300s: other processes remove the work folder again and "
                                "again",
                                disk->path);
    if (status != CLUMP_OK) clump_big_file_close(lock);
    return status;
}

clump_status clump_big_folder_open(const char *given, const char *output, int rank, const char *const *names,
                                   size_t count, clump_big_folder_proof *proof, clump_big_disk *disk,
                                   clump_big_file *lock, clump_message *message)
{
    *disk = (clump_big_disk){
        .path = choose_path(given, output, rank), .folder = -1, .hooks = disk->hooks, .cancel = disk->cancel};
    *lock = (clump_big_file){.descriptor = -1};
    if (!disk->path) return clump_big_no_memory(message, 8);
    bool was_there = false, again = true;
    clump_status status = CLUMP_OK;
    for (int attempt = 0; again && attempt < FOLDER_ATTEMPTS; attempt++) {
        if (disk->folder >= 0) close(disk->folder);
        disk->folder = -1;
        CLUMP_BIG_TRY(make_folder(disk->path, rank, message));
        status = lock_folder(disk, lock, &was_there, &again, message);
    }
    return status == CLUMP_OK ? mark_folder(disk, lock, was_there, names, count, proof, message) : status;
}

uint64_t clump_big_folder_number(const clump_big_disk *disk)
{
    struct stat about;
    return fstat(disk->folder, &about) == 0 ? (uint64_t)about.st_ino : 0;
}

bool clump_big_folder_has(const clump_big_disk *disk, int rank, uint64_t number)
{
    char name[sizeof CLUMP_BIG_RANK_NAME + 12];
    struct stat here, there;
    snprintf(name, sizeof name, CLUMP_BIG_RANK_NAME "%d", rank);
    return number != 0 && fstat(disk->folder, &here) == 0 && fstatat(disk->folder, name, &there, 0) == 0 &&
           here.st_dev == there.st_dev && (uint64_t)there.st_ino == number;
}

bool clump_big_folder_owns(const clump_big_disk *disk, const char *path)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    if (strncmp(name, CLUMP_BIG_PREFIX, sizeof CLUMP_BIG_PREFIX - 1) != 0) return false;
    char *const folder = strdup(path);
    if (!folder) return false;
    strcpy(folder + (name - path), "."); /* a name of these letters is longer */
    const bool same = is_named(disk->folder, AT_FDCWD, folder);
    free(folder);
    return same;
}

void clump_big_folder_close(clump_big_disk *disk, clump_big_file *lock, bool remove)
{
    if (remove) {
        (void)unlinkat(disk->folder, CLUMP_BIG_LOCK_NAME, 0);
        (void)rmdir(disk->path); /* stays where it has other files */
        char *const name = strrchr(disk->path, '/');
        if (name && strncmp(name + 1, CLUMP_BIG_RANK_NAME, sizeof CLUMP_BIG_RANK_NAME - 1) == 0) {
            *name = 0; /* the folder of all ranks: the last one removes it */
            (void)rmdir(disk->path);
        }
    }
    clump_big_file_close(lock);
    if (disk->folder >= 0) close(disk->folder);
    free(disk->path);
    *disk = (clump_big_disk){.folder = -1, .moved = disk->moved};
}
