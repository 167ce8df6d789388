/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file.c: writes files. stream.c reads them.
 *
 *     an unnamed file  ->  fsync  ->  .clump-PID-N beside the target  ->  rename
 *
 * At every moment, the target is either unchanged or complete. Where the file system has no unnamed files,
 * the file is .clump-PID-N from the start, and remains if the program is killed.
 */
#define _GNU_SOURCE /* O_TMPFILE, realpath */
#include "format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static clump_status cannot_write(const clump_io_where *where, int error)
{
    return clump_io_fail_errno(where, CLUMP_ERR_IO_WRITE, "cannot write", error);
}

/* Reports the name of the temporary file to the caller, whose signal handler can then remove it. The name is reported
 * before the file gets it: otherwise a signal in between would leave the file behind. */
static void report_temporary(const clump_io_target *target, const char *name)
{
    if (target->report) target->report(target->report_user, name);
}

static void remove_temporary(clump_io_target *target)
{
    if (!target->temporary) return;
    unlink(target->temporary);
    report_temporary(target, NULL);
}

static void forget(clump_io_target *target)
{
    free(target->path);
    free(target->temporary);
    *target = (clump_io_target){.file = -1};
}

/* Links here give unnamed files a name. */
static const char open_files[] = "/proc/self/fd";

/* Creates an unnamed file in the target's folder. If the program is killed, nothing is left of it. False: the system
 * or the file system has no unnamed files. */
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

/* Gives the unnamed file, or a new file, a unique name in the target's folder. Returns an errno, or 0. Uses open(),
 * not mkstemp(), so that the file gets default permissions. */
static int put_beside(clump_io_target *target)
{
    const char *slash = strrchr(target->path, '/');
    const size_t folder = slash ? (size_t)(slash - target->path) + 1 : 0, room = folder + 64;
    char from[64];
    snprintf(from, sizeof from, "%s/%d", open_files, target->file);
    target->temporary = malloc(room);
    if (!target->temporary) return ENOMEM;
    memcpy(target->temporary, target->path, folder);
    int error = EEXIST;
    for (unsigned i = 0; error == EEXIST && i < 10000; i++) {
        snprintf(target->temporary + folder, room - folder, ".clump-%ld-%u", (long)getpid(), i);
        report_temporary(target, target->temporary);
        bool done;
        if (target->nameless) {
            done = linkat(AT_FDCWD, from, AT_FDCWD, target->temporary, AT_SYMLINK_FOLLOW) == 0;
        } else {
            target->file = open(target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            done = target->file >= 0;
        }
        if (done) return 0;
        error = errno;
        report_temporary(target, NULL);
    }
    free(target->temporary); /* not ours */
    target->temporary = NULL;
    return error;
}

/* Whether the path is a dangling link. Replacing the link or creating its target would both surprise the caller. */
static clump_status check_link(const clump_io_where *where, const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISLNK(about.st_mode)) return CLUMP_OK;
    char to[256];
    const ssize_t size = readlink(path, to, sizeof to);
    return clump_io_fail(where, CLUMP_ERR_IO_WRITE, "cannot write: it is a link to %s, which does not exist",
                         clump_io_quote(to, size > 0 ? (size_t)size : 0).text);
}

clump_status clump_io_target_open(const clump_io_where *where, const char *path, clump_temporary report,
                                  void *report_user, clump_io_target *target)
{
    *target = (clump_io_target){.file = -1, .report = report, .report_user = report_user};
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
    /* Copies the permissions of the file that is replaced. A failure leaves the default permissions. */
    if (!error && exists) error = fchmod(target->file, about.st_mode & 07777) != 0 && errno != EPERM ? errno : 0;
    if (!error) return CLUMP_OK;
    if (target->file >= 0) close(target->file);
    remove_temporary(target);
    forget(target);
    return cannot_write(where, error);
}

/* Completes the target. error is an earlier failure: an errno, -1 if it has been reported already, or 0. */
clump_status clump_io_target_commit(const clump_io_where *where, clump_io_target *target, int error)
{
    if (!error && target->path && fsync(target->file) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
    if (!error && target->nameless) error = put_beside(target);
    if (close(target->file) != 0 && !error) error = errno;
    if (!error && target->temporary && rename(target->temporary, target->path) != 0) error = errno;
    if (error)
        remove_temporary(target);
    else if (target->temporary)
        report_temporary(target, NULL);
    forget(target);
    if (error > 0) return cannot_write(where, error);
    return error ? CLUMP_ERR_IO_WRITE : CLUMP_OK;
}
