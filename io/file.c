/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file.c: all that touches the file system.
 *
 * A file is read into memory and parsed there. It is not mapped: a page of a mapped file that another
 * program cuts off kills the process with SIGBUS, and only a signal handler could prevent that. Parsers
 * give pages back as they use them up (clump_io_spent), so the file and the cloud are not in memory in full
 * at the same time.
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

#define PIECE ((size_t)4 << 20) /* bytes that are read at a time */

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

/* `expected` bytes from the beginning of a regular file. */
static clump_status read_regular(const clump_io_where *where, int file, size_t expected,
                                 const clump_io_progress *progress, clump_io_bytes *bytes)
{
    bytes->data = clump_io_take(expected);
    if (!bytes->data) return clump_io_no_memory(where, expected);
    while (bytes->size < expected) {
        const size_t left = expected - bytes->size, now = left < PIECE ? left : PIECE;
        const ssize_t got = pread(file, bytes->data + bytes->size, now, (off_t)bytes->size);
        if (got < 0 && errno != EINTR) return clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
        if (got == 0) break;
        if (got > 0) bytes->size += (size_t)got;
        if (bytes->size < expected && got > 0) clump_io_tell(progress, bytes->size, expected);
    }
    if (bytes->size == expected) return CLUMP_OK;
    struct stat about; /* some files of the system are shorter than they say from the start */
    if (fstat(file, &about) == 0 && (uintmax_t)about.st_size == expected) return CLUMP_OK;
    return clump_io_fail(where, CLUMP_ERR_IO_TRUNCATED,
                         "the file became shorter while it was read: %zu of %zu bytes are there", bytes->size,
                         expected);
}

clump_status clump_io_bytes_load(const clump_io_where *where, const char *path, const clump_io_progress *progress,
                                 clump_io_bytes *bytes)
{
    *bytes = (clump_io_bytes){0};
    const int file =
        clump_io_is_dash(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open", errno);
    struct stat about;
    clump_status status = CLUMP_OK;
    if (fstat(file, &about) != 0)
        status = clump_io_fail_errno(where, CLUMP_ERR_IO_READ, "cannot read", errno);
    else if (S_ISREG(about.st_mode) && about.st_size > 0 && (uintmax_t)about.st_size <= SIZE_MAX &&
             lseek(file, 0, SEEK_CUR) == 0) /* standard input may have been read from before */
        status = read_regular(where, file, (size_t)about.st_size, progress, bytes);
    else
        status = read_all(where, file, bytes);
    close(file);
    if (status != CLUMP_OK) clump_io_bytes_free(bytes);
    return status;
}

void clump_io_bytes_free(clump_io_bytes *bytes)
{
    free(bytes->data);
    *bytes = (clump_io_bytes){0};
}

/* Whole large pages where there are some: a part of one is not given back. */
void clump_io_spent(const clump_io_source *source, size_t begin, size_t from, size_t to)
{
#ifdef MADV_DONTNEED
    if (!source->disposable) return;
    const uintptr_t large = (uintptr_t)1 << 21, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = (uintptr_t)source->bytes, least = (start + begin + page - 1) & ~(page - 1);
    uintptr_t first = (start + from) & ~(large - 1);
    const uintptr_t last = (start + to) & ~(large - 1);
    if (first < least) first = least;
    if (last > first) madvise((void *)first, last - first, MADV_DONTNEED);
#else
    (void)source, (void)begin, (void)from, (void)to;
#endif
}

/* --- writing -------------------------------------------------------------------------------- */

static clump_status cannot_write(const clump_io_where *where, int error)
{
    return clump_io_fail_errno(where, CLUMP_ERR_IO_WRITE, "cannot write", error);
}

/* The caller of the save knows the name while the file has it, so that a signal handler can remove it. */
static void tell_temporary(const clump_io_target *target, const char *name)
{
    if (target->tell) target->tell(target->tell_user, name);
}

static void remove_temporary(clump_io_target *target)
{
    if (!target->temporary) return;
    unlink(target->temporary);
    tell_temporary(target, NULL);
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
    bool done = false;
    for (unsigned i = 0; i < 10000; i++) {
        snprintf(target->temporary + folder, room - folder, ".clump-%ld-%u", (long)getpid(), i);
        if (target->nameless) {
            done = linkat(AT_FDCWD, from, AT_FDCWD, target->temporary, AT_SYMLINK_FOLLOW) == 0;
        } else {
            target->file = open(target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            done = target->file >= 0;
        }
        if (done) tell_temporary(target, target->temporary);
        if (done) return 0;
        if (errno != EEXIST) break;
    }
    const int error = errno;
    free(target->temporary); /* not ours */
    target->temporary = NULL;
    return error;
}

/* A link that leads nowhere: neither the link nor a file far away is what the caller meant to make. */
static clump_status check_link(const clump_io_where *where, const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISLNK(about.st_mode)) return CLUMP_OK;
    char to[256];
    const ssize_t size = readlink(path, to, sizeof to);
    return clump_io_fail(where, CLUMP_ERR_IO_WRITE, "cannot write: it is a link to %s, which does not exist",
                         clump_io_quote(to, size > 0 ? (size_t)size : 0).text);
}

clump_status clump_io_target_open(const clump_io_where *where, const char *path, clump_temporary tell, void *tell_user,
                                  clump_io_target *target)
{
    *target = (clump_io_target){.file = -1, .tell = tell, .tell_user = tell_user};
    struct stat about;
    const bool dash = clump_io_is_dash(path), exists = !dash && stat(path, &about) == 0;
    if (dash || (exists && !S_ISREG(about.st_mode))) {
        target->file = dash ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_WRONLY | O_CLOEXEC);
        return target->file < 0 ? cannot_write(where, errno) : CLUMP_OK;
    }
    if (exists && access(path, W_OK) != 0) return cannot_write(where, errno);
    if (!exists && errno == ENOENT && check_link(where, path) != CLUMP_OK) return CLUMP_ERR_IO_WRITE;
    target->path = exists ? realpath(path, NULL) : strdup(path);
    int error = target->path ? 0 : errno;
    if (!error && !create_nameless(target)) error = put_beside(target);
    /* A file that is replaced keeps its permissions; where that is refused the new ones will do. */
    if (!error && exists) error = fchmod(target->file, about.st_mode & 07777) != 0 && errno != EPERM ? errno : 0;
    if (!error) return CLUMP_OK;
    if (target->file >= 0) close(target->file);
    remove_temporary(target);
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
    if (error)
        remove_temporary(target);
    else if (target->temporary)
        tell_temporary(target, NULL);
    forget(target);
    if (error > 0) return cannot_write(where, error);
    return error ? CLUMP_ERR_IO_WRITE : CLUMP_OK;
}
