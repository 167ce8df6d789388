/* SPDX-License-Identifier: BSD-3-Clause
 *
 * disk.c: see store.h.
 */
#define _GNU_SOURCE /* fallocate, memfd_create, sync_file_range, pwritev */
#include "store/store.h"

#include "common/assert.h"
#include "common/atomics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { DISK_MOST_AT_ONCE = 1 << 24, DISK_PARTS = 32 }; /* bytes, and arrays, of one system call */

/* Lets a test see the change; returns an errno that it wants, or 0. */
static int announce(const clump_big_disk *disk, clump_big_change change)
{
    return disk->hooks && disk->hooks->before ? disk->hooks->before(disk->hooks->user, change) : 0;
}

static clump_status fail(const clump_big_disk *disk, const char *name, clump_status status, const char *what, int error,
                         clump_message *message)
{
    char path[400];
    snprintf(path, sizeof path, "%.300s/%s", disk->path, name);
    return clump_big_fail_errno(message, status, path, what, error);
}

/* Opens a file in memory; where the system has none, one without a name. */
static int open_memory(const char *name)
{
#if defined(__linux__)
    return memfd_create(name, MFD_CLOEXEC);
#else
    (void)name;
    FILE *const file = tmpfile();
    const int copy = file ? dup(fileno(file)) : -1;
    if (file) fclose(file);
    return copy;
#endif
}

clump_status clump_big_file_open(clump_big_disk *disk, const char *name, clump_big_file *out, clump_message *message)
{
    *out = (clump_big_file){
        disk, name, disk->memory ? open_memory(name) : openat(disk->folder, name, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
    if (out->descriptor >= 0) return CLUMP_OK;
    return fail(disk, name, CLUMP_ERR_IO_OPEN, "cannot be opened", errno, message);
}

void clump_big_file_close(clump_big_file *file)
{
    if (file->disk && file->descriptor >= 0) close(file->descriptor);
    file->descriptor = -1;
}

clump_status clump_big_file_size(const clump_big_file *file, uint64_t *size, clump_message *message)
{
    struct stat about;
    if (fstat(file->descriptor, &about) != 0)
        return fail(file->disk, file->name, CLUMP_ERR_IO_READ, "cannot be read", errno, message);
    *size = (uint64_t)about.st_size;
    return CLUMP_OK;
}

clump_status clump_big_file_read(const clump_big_file *file, uint64_t at, void *data, size_t size,
                                 clump_message *message)
{
    CLUMP_ASSERT(file->descriptor >= 0);
    unsigned char *to = data;
    CLUMP_ADD(&file->disk->moved, size);
    while (size > 0) {
        const ssize_t got = pread(file->descriptor, to, size < DISK_MOST_AT_ONCE ? size : DISK_MOST_AT_ONCE, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(file->disk, file->name, CLUMP_ERR_IO_READ, "cannot be read", errno, message);
        if (got == 0)
            return clump_big_fail(message, CLUMP_ERR_IO_TRUNCATED, "%.300s/%s: the file ends too early",
                                  file->disk->path, file->name);
        to += got, at += (uint64_t)got, size -= (size_t)got;
        if (size > 0) CLUMP_BIG_TRY(clump_big_poll(file->disk->cancel, message));
    }
    return CLUMP_OK;
}

/* The sentence of a write that failed. A full disk is the usual reason. */
static clump_status fail_write(const clump_big_file *file, int error, clump_message *message)
{
    return fail(file->disk, file->name, CLUMP_ERR_IO_WRITE, "cannot be written", error, message);
}

/* Writes the first bytes of the arrays. Returns what pwritev() returns. */
static ssize_t write_piece(const clump_big_file *file, uint64_t at, const struct iovec *parts, int count)
{
    CLUMP_ASSERT(count >= 1);
    struct iovec piece[DISK_PARTS];
    size_t room = DISK_MOST_AT_ONCE;
    int used = 0;
    for (; used < count && used < DISK_PARTS && room > 0; used++) {
        piece[used] = parts[used];
        if (piece[used].iov_len > room) piece[used].iov_len = room;
        room -= piece[used].iov_len;
    }
    return pwritev(file->descriptor, piece, used, (off_t)at);
}

clump_status clump_big_file_write_parts(const clump_big_file *file, uint64_t at, struct iovec *parts, int count,
                                        clump_message *message)
{
    CLUMP_ASSERT(file->descriptor >= 0 && count >= 1);
    const int wanted = announce(file->disk, CLUMP_BIG_CHANGE_WRITE);
    if (wanted) return fail_write(file, wanted, message);
    while (count > 0) {
        const ssize_t put = write_piece(file, at, parts, count);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return fail_write(file, errno, message);
        CLUMP_ADD(&file->disk->moved, (uint64_t)put);
        at += (uint64_t)put;
        size_t left = (size_t)put;
        while (count > 0 && left >= parts->iov_len) left -= parts->iov_len, parts++, count--;
        if (count > 0) parts->iov_base = (char *)parts->iov_base + left, parts->iov_len -= left;
        if (put == 0 && count > 0) return fail_write(file, ENOSPC, message);
        if (count > 0) CLUMP_BIG_TRY(clump_big_poll(file->disk->cancel, message));
    }
    return CLUMP_OK;
}

clump_status clump_big_file_write(const clump_big_file *file, uint64_t at, const void *data, size_t size,
                                  clump_message *message)
{
    struct iovec part = {(void *)(uintptr_t)data, size};
    return clump_big_file_write_parts(file, at, &part, 1, message);
}

/* Writes all data back, piece by piece. What it cannot do is left to fdatasync(). */
static clump_status write_back(const clump_big_file *file, clump_message *message)
{
#if defined(__linux__)
    uint64_t size;
    CLUMP_BIG_TRY(clump_big_file_size(file, &size, message));
    for (uint64_t at = 0; at < size; at += DISK_MOST_AT_ONCE) {
        const unsigned how = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
        if (at > 0) CLUMP_BIG_TRY(clump_big_poll(file->disk->cancel, message));
        if (sync_file_range(file->descriptor, (off64_t)at, DISK_MOST_AT_ONCE, how) != 0) break;
    }
#else
    (void)file, (void)message;
#endif
    return CLUMP_OK;
}

clump_status clump_big_file_sync(const clump_big_file *file, clump_message *message)
{
    const int wanted = announce(file->disk, CLUMP_BIG_CHANGE_SYNC);
    if (!wanted && file->disk->memory) return CLUMP_OK;
    if (!wanted && file->disk->hooks && file->disk->hooks->no_sync) return CLUMP_OK;
    if (!wanted) CLUMP_BIG_TRY(write_back(file, message));
    if (wanted || fdatasync(file->descriptor) != 0) return fail_write(file, wanted ? wanted : errno, message);
    return CLUMP_OK;
}

void clump_big_file_push(const clump_big_file *file, uint64_t at, uint64_t size)
{
#if defined(__linux__)
    if (!file->disk->memory) (void)sync_file_range(file->descriptor, (off64_t)at, (off64_t)size, SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)at, (void)size;
#endif
}

clump_status clump_big_file_truncate(const clump_big_file *file, uint64_t size, clump_message *message)
{
    CLUMP_ASSERT(file->descriptor >= 0);
    const int wanted = announce(file->disk, CLUMP_BIG_CHANGE_TRUNCATE);
    if (wanted || ftruncate(file->descriptor, (off_t)size) != 0)
        return fail_write(file, wanted ? wanted : errno, message);
    return CLUMP_OK;
}

clump_status clump_big_file_punch(const clump_big_file *file, uint64_t at, uint64_t size, clump_message *message)
{
    const int wanted = announce(file->disk, CLUMP_BIG_CHANGE_PUNCH);
    if (wanted) return fail_write(file, wanted, message);
#if defined(__linux__)
    (void)fallocate(file->descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)size);
#else
    (void)at, (void)size;
#endif
    return CLUMP_OK;
}

/* ----- small files ---------------------------------------------------------------------------------------------------- */

clump_status clump_big_disk_replace(clump_big_disk *disk, const char *name, const void *data, size_t size,
                                    clump_message *message)
{
    char other[64];
    snprintf(other, sizeof other, "%s.new", name);
    clump_big_file file;
    if (disk->memory) return CLUMP_OK; /* the next run could not read it */
    CLUMP_BIG_TRY(clump_big_file_open(disk, other, &file, message));
    clump_status status = clump_big_file_truncate(&file, 0, message);
    if (status == CLUMP_OK) status = clump_big_file_write(&file, 0, data, size, message);
    if (status == CLUMP_OK) status = clump_big_file_sync(&file, message);
    clump_big_file_close(&file);
    CLUMP_BIG_TRY(status);
    const int wanted = announce(disk, CLUMP_BIG_CHANGE_RENAME);
    if (wanted || renameat(disk->folder, other, disk->folder, name) != 0)
        return fail(disk, name, CLUMP_ERR_IO_WRITE, "cannot be renamed", wanted ? wanted : errno, message);
    if (!disk->hooks || !disk->hooks->no_sync) (void)fsync(disk->folder);
    return CLUMP_OK;
}

clump_status clump_big_disk_load(clump_big_disk *disk, const char *name, unsigned char **data, size_t *size,
                                 clump_message *message)
{
    *data = NULL, *size = 0;
    if (disk->memory) return CLUMP_OK;
    clump_big_file file = {disk, name, openat(disk->folder, name, O_RDONLY | O_CLOEXEC)};
    if (file.descriptor < 0 && errno == ENOENT) return CLUMP_OK;
    if (file.descriptor < 0) return fail(disk, name, CLUMP_ERR_IO_OPEN, "cannot be opened", errno, message);
    uint64_t bytes = 0;
    clump_status status = clump_big_file_size(&file, &bytes, message);
    if (status == CLUMP_OK && !(*data = malloc((size_t)bytes + 1)))
        status = clump_big_no_memory(message, (size_t)bytes + 1);
    if (status == CLUMP_OK) status = clump_big_file_read(&file, 0, *data, (size_t)bytes, message);
    clump_big_file_close(&file);
    *size = (size_t)bytes;
    if (status != CLUMP_OK) free(*data), *data = NULL;
    return status;
}

clump_status clump_big_disk_remove(clump_big_disk *disk, const char *name, clump_message *message)
{
    const int wanted = announce(disk, CLUMP_BIG_CHANGE_REMOVE);
    if (!wanted && disk->memory) return CLUMP_OK;
    if (wanted || (unlinkat(disk->folder, name, 0) != 0 && errno != ENOENT))
        return fail(disk, name, CLUMP_ERR_IO_WRITE, "cannot be removed", wanted ? wanted : errno, message);
    return CLUMP_OK;
}

uint64_t clump_big_disk_free(const clump_big_disk *disk)
{
    if (disk->hooks && disk->hooks->free_bytes) return disk->hooks->free_bytes;
    struct statvfs about;
    if (fstatvfs(disk->folder, &about) != 0) return UINT64_MAX;
    return (uint64_t)about.f_bavail * about.f_frsize;
}

uint64_t clump_big_machine_id(const clump_big_hooks *hooks)
{
    char id[64] = ""; /* of its running system */
    if (hooks && hooks->machine) return hooks->machine;
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, id, sizeof id - 1) <= 0) gethostname(id, sizeof id - 1);
    if (file >= 0) close(file);
    return clump_big_checksum(id, sizeof id);
}

uint64_t clump_big_disk_id(const clump_big_disk *disk)
{
    uint64_t id[2] = {clump_big_machine_id(disk->hooks), UINT64_MAX};
    struct stat about;
    if (fstat(disk->folder, &about) == 0) id[1] = (uint64_t)about.st_dev;
    return clump_big_checksum(id, sizeof id);
}

bool clump_big_disk_of_output(const clump_big_disk *disk, const char *output, uint64_t *free_bytes)
{
    struct stat here, there;
    struct statvfs about;
    char path[4096];
    if (disk->hooks && disk->hooks->output_free) {
        *free_bytes = disk->hooks->output_free;
        return true;
    }
    if (fstat(disk->folder, &here) != 0 || strlen(output) >= sizeof path) return false;
    strcpy(path, output);
    while (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)) { /* the folder that it will be in */
        char *const slash = strrchr(path, '/');
        if (!slash)
            strcpy(path, ".");
        else
            slash[slash == path] = 0; /* "/a" is in "/" */
        if (slash == path && stat(path, &there) != 0) return false;
    }
    if (there.st_dev == here.st_dev || statvfs(path, &about) != 0) return false;
    *free_bytes = (uint64_t)about.f_bavail * about.f_frsize;
    return true;
}
