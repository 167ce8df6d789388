/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.c: see output.h.
 */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "output.h"
#include "progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_is_dash(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

const char *cli_writable_format(int index)
{
    clump_format_info info;
    for (int i = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)i, &info); i++)
        if (info.writes && index-- == 0) return info.name;
    return NULL;
}

/* A device or a pipe: has no ending and cannot be replaced, only written to. */
static bool is_special(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

int cli_check_output(const char *path)
{
    struct stat there;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return cli_fail("%s: is a folder, not a file to write", path);
    if (is_special(path)) return CLI_DONE;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (!folder) return cli_fail("%s: out of memory", path);
    int why = 0;
    if (stat(folder, &there) != 0)
        why = errno;
    else if (!S_ISDIR(there.st_mode))
        why = ENOTDIR;
    else if (access(folder, W_OK | X_OK) != 0)
        why = errno;
    else if (access(path, W_OK) != 0 && errno != ENOENT) /* not to be written is not to be replaced */
        why = errno;
    free(folder);
    return why ? cli_fail("%s: cannot be written: %s", path, strerror(why)) : CLI_DONE;
}

bool cli_same_output(const char *a, const char *b)
{
    const char *const paths[2] = {a, b};
    const char *name[2];
    struct stat folder[2];
    for (int i = 0; i < 2; i++) {
        const char *const slash = strrchr(paths[i], '/');
        char *const in = slash ? strndup(paths[i], slash == paths[i] ? 1 : (size_t)(slash - paths[i])) : strdup(".");
        const bool there = in && stat(in, &folder[i]) == 0;
        free(in);
        if (!there) return false;
        name[i] = slash ? slash + 1 : paths[i];
    }
    return folder[0].st_dev == folder[1].st_dev && folder[0].st_ino == folder[1].st_ino &&
           strcmp(name[0], name[1]) == 0;
}

/* ".pcd .ply ...": the endings that can be written. */
static void list_endings(char *list, size_t room)
{
    clump_format_info info;
    size_t used = 0;
    list[0] = 0;
    for (int i = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)i, &info); i++)
        for (const char *const *e = info.extensions; info.writes && *e && used < room; e++)
            used += (size_t)snprintf(list + used, room - used, "%s.%s", used ? " " : "", *e);
}

int cli_check_cloud_output(const cli_command *command, const char *option, const char *path, const char *to,
                           clump_format *format)
{
    const char *o = option ? option : "", *blank = option ? " " : "";
    *format = clump_format_of_path(path);
    if (to) clump_format_from_name(to, format);
    if (cli_is_dash(path)) {
        if (to) return CLI_DONE;
        return cli_usage(command, "%s%s-: to standard output needs --to NAME, the format", o, blank);
    }
    if (*format == CLUMP_FORMAT_GUESS && is_special(path)) *format = CLUMP_FORMAT_PCD;
    clump_format_info info;
    if (!clump_format_describe(*format, &info)) {
        char list[256];
        list_endings(list, sizeof list);
        return cli_usage(command, "%s%s%s: the ending of the name does not tell a format, use one of %s", o, blank,
                         path, list);
    }
    if (!info.writes)
        return cli_usage(command, "%s%s%s: %s can be read but not written, use .las", o, blank, path, info.name);
    return cli_check_output(path);
}

int cli_save(const char *path, const clump_cloud *cloud, const int32_t *labels, clump_format format,
             clump_encoding encoding, bool quiet)
{
    cli_progress progress;
    cli_progress_begin(&progress, "writing", CLI_PROGRESS_WHOLE, quiet);
    clump_save_options options = clump_save_defaults();
    options.format = format;
    options.encoding = encoding;
    options.progress = cli_progress_share;
    options.progress_user = &progress;
    clump_message message = {0};
    const clump_status status = clump_cloud_save(path, cloud, labels, &options, &message);
    cli_progress_end(&progress);
    if (status == CLUMP_OK && message.text[0] && !quiet) cli_warn("%s", message.text); /* a name that had to change */
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(path, status, &message);
}

int cli_output_open(cli_output *out, const char *path)
{
    *out = (cli_output){.path = path};
    if (is_special(path)) {
        out->file = fopen(path, "w");
        return out->file ? CLI_DONE : cli_fail("%s: cannot be written: %s", path, strerror(errno));
    }
    char *target = realpath(path, NULL); /* a link is followed, not replaced */
    if (!target) target = strdup(path);
    out->beside = target ? malloc(strlen(target) + sizeof ".XXXXXX") : NULL;
    if (!out->beside) return free(target), cli_fail("%s: out of memory", path);
    strcpy(out->beside, target);
    strcat(out->beside, ".XXXXXX");
    out->target = target;
    const int descriptor = mkstemp(out->beside);
    if (descriptor >= 0) out->file = fdopen(descriptor, "w");
    if (out->file) {
        /* mkstemp() makes files private; this is an ordinary one, or as the one it replaces. */
        struct stat old;
        const mode_t hidden = umask(0);
        umask(hidden);
        fchmod(descriptor, stat(target, &old) == 0 ? old.st_mode & 0777 : 0666 & ~hidden);
        return CLI_DONE;
    }
    const int why = errno;
    if (descriptor >= 0) close(descriptor), unlink(out->beside);
    free(out->beside);
    free(out->target);
    return cli_fail("%s: cannot be written: %s", path, strerror(why));
}

int cli_output_close(cli_output *out)
{
    errno = 0;
    const bool broken = ferror(out->file) != 0;
    bool done = fclose(out->file) == 0 && !broken;
    if (done && out->beside) done = rename(out->beside, out->target) == 0;
    const int why = errno ? errno : EIO;
    if (!done && out->beside) unlink(out->beside);
    free(out->beside);
    free(out->target);
    return done ? CLI_DONE : cli_fail("%s: cannot be written: %s", out->path, strerror(why));
}
