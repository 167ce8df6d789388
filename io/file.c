/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file.c: all that touches the file system.
 *
 * Reading maps the file, so a parser runs at the speed of memory and a huge file needs none of
 * ours; pipes and the like are read to their end. (A file that another program shortens while it
 * is mapped kills the reader: replace files by renaming, as the writer here does.)
 *
 * Writing:   a file without a name  ->  fsync  ->  .clump-PID-N beside the target  ->  rename
 * so that the target is at every moment either what it was or complete. Where files without a name are
 * not to be had it has the second name from the start, and keeps it if the program is killed.
 */
#define _GNU_SOURCE /* O_TMPFILE, realpath */
#include "format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- reading -------------------------------------------------------------------------------- */

static clump_status read_all(const clump_io_where *where, int file, clump_io_bytes *bytes)
{
    size_t capacity = 0;
    for (;;) {
        if (bytes->size == capacity) {
            if (!clump_io_multiply(capacity ? capacity : 32768, 2, &capacity))
                return clump_io_no_memory(where, SIZE_MAX);
            unsigned char *grown = realloc(bytes->data, capacity);
            if (!grown) return clump_io_no_memory(where, capacity);
            bytes->data = grown;
        }
        const ssize_t got = read(file, bytes->data + bytes->size, capacity - bytes->size);
        if (got == 0) return CLUMP_OK;
        if (got > 0)
            bytes->size += (size_t)got;
        else if (errno != EINTR)
            return clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    }
}

bool clump_io_is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

clump_status clump_io_bytes_load(const clump_io_where *where, const char *path, clump_io_bytes *bytes)
{
    *bytes = (clump_io_bytes){0};
    const int file =
        clump_io_is_dash(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open", errno);
    struct stat about;
    clump_status status = CLUMP_OK;
    if (fstat(file, &about) != 0) {
        status = clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    } else if (S_ISREG(about.st_mode) && about.st_size > 0 && (uintmax_t)about.st_size <= SIZE_MAX &&
               lseek(file, 0, SEEK_CUR) == 0) { /* standard input may have been read from before */
        void *data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data != MAP_FAILED) *bytes = (clump_io_bytes){data, (size_t)about.st_size, true};
    }
    if (status == CLUMP_OK && !bytes->mapped) status = read_all(where, file, bytes);
    close(file);
    if (status != CLUMP_OK) clump_io_bytes_free(bytes);
    return status;
}

void clump_io_bytes_free(clump_io_bytes *bytes)
{
    if (bytes->mapped)
        munmap(bytes->data, bytes->size);
    else
        free(bytes->data);
    *bytes = (clump_io_bytes){0};
}

/* --- writing -------------------------------------------------------------------------------- */

static clump_status cannot_write(const clump_io_where *where, int error)
{
    return clump_io_fail_errno(where, CLUMP_ERR_IO_WRITE, "cannot write", error);
}

static void forget(clump_io_target *target)
{
    free(target->path);
    free(target->temporary);
    *target = (clump_io_target){.file = -1};
}

/* Where a file without a name can be given one. */
static const char open_files[] = "/proc/self/fd";

/* A file without a name in the target's folder: if the program is killed, nothing is left of it. False where
 * the system or the file system has no such thing. */
static bool create_nameless(clump_io_target *target)
{
#ifdef O_TMPFILE
    const char *slash = strrchr(target->path, '/');
    char *folder = slash ? strndup(target->path, (size_t)(slash - target->path) + 1) : strdup(".");
    if (folder && access(open_files, X_OK) == 0) target->file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
#endif
    target->nameless = target->file >= 0;
    return target->nameless;
}

/* A name of its own in the target's folder, for the file there is or, without one, a new file. open(), not
 * mkstemp(): the file gets the permissions any new file gets. An errno, or 0. */
static int put_beside(clump_io_target *target)
{
    const char *slash = strrchr(target->path, '/');
    const size_t folder = slash ? (size_t)(slash - target->path) + 1 : 0, room = folder + 64;
    char from[64];
    snprintf(from, sizeof from, "%s/%d", open_files, target->file);
    target->temporary = malloc(room);
    if (!target->temporary) return ENOMEM;
    memcpy(target->temporary, target->path, folder);
    for (unsigned i = 0; i < 10000; i++) {
        snprintf(target->temporary + folder, room - folder, ".clump-%ld-%u", (long)getpid(), i);
        if (target->nameless) {
            if (linkat(AT_FDCWD, from, AT_FDCWD, target->temporary, AT_SYMLINK_FOLLOW) == 0) return 0;
        } else {
            target->file = open(target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (target->file >= 0) return 0;
        }
        if (errno != EEXIST) break;
    }
    const int error = errno;
    free(target->temporary); /* not ours */
    target->temporary = NULL;
    return error;
}

clump_status clump_io_target_open(const clump_io_where *where, const char *path, clump_io_target *target)
{
    *target = (clump_io_target){.file = -1};
    struct stat about;
    const bool dash = clump_io_is_dash(path), exists = !dash && stat(path, &about) == 0;
    if (dash || (exists && !S_ISREG(about.st_mode))) {
        target->file = dash ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_WRONLY | O_CLOEXEC);
        return target->file < 0 ? cannot_write(where, errno) : CLUMP_OK;
    }
    if (exists && access(path, W_OK) != 0) return cannot_write(where, errno);
    target->path = exists ? realpath(path, NULL) : strdup(path);
    int error = target->path ? 0 : errno;
    if (!error && !create_nameless(target)) error = put_beside(target);
    /* A file that is replaced keeps its permissions; where that is refused the new ones will do. */
    if (!error && exists) error = fchmod(target->file, about.st_mode & 07777) != 0 && errno != EPERM ? errno : 0;
    if (!error) return CLUMP_OK;
    if (target->file >= 0) close(target->file);
    if (target->temporary) unlink(target->temporary);
    forget(target);
    return cannot_write(where, error);
}

/* error is what went wrong before (an errno, or -1 if it has been said already), or 0. */
clump_status clump_io_target_commit(const clump_io_where *where, clump_io_target *target, int error)
{
    if (!error && target->path && fsync(target->file) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
    if (!error && target->nameless) error = put_beside(target);
    if (close(target->file) != 0 && !error) error = errno;
    if (!error && target->temporary && rename(target->temporary, target->path) != 0) error = errno;
    if (error && target->temporary) unlink(target->temporary);
    forget(target);
    if (error > 0) return cannot_write(where, error);
    return error ? CLUMP_ERR_IO_WRITE : CLUMP_OK;
}
