/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.c: see output.h.
 */
#include "files/output.h"
#include "common/assert.h"
#include "base/progress.h"
#include "base/stop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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

const char *cli_output_choice(int index)
{
    CLUMP_ASSERT(index >= 0);
    int formats = 0;
    while (cli_writable_format(formats)) formats++;
    if (index < formats) return cli_writable_format(index);
    return index == formats ? "html" : index == formats + 1 ? "png" : NULL;
}

cli_view_kind cli_view_kind_of(const char *path, const char *to)
{
    if (to) return strcmp(to, "html") == 0 ? CLI_VIEW_PAGE : strcmp(to, "png") == 0 ? CLI_VIEW_PICTURE : CLI_VIEW_NONE;
    const char *const slash = path ? strrchr(path, '/') : NULL, *const dot = path ? strrchr(path, '.') : NULL;
    if (!dot || (slash && dot < slash)) return CLI_VIEW_NONE;
    if (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0) return CLI_VIEW_PAGE;
    return strcasecmp(dot, ".png") == 0 ? CLI_VIEW_PICTURE : CLI_VIEW_NONE;
}

const char *cli_base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool cli_is_special(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

bool cli_is_folder(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

/* Returns the folder of a path with its slash, "" for the working folder. The caller frees it. Null: no memory. */
static char *folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
}

/* Returns folder and name as one path. The caller frees it. Null: no memory. */
static char *join(const char *folder, const char *name)
{
    char *const path = malloc(strlen(folder) + strlen(name) + 1);
    if (path) strcat(strcpy(path, folder), name);
    return path;
}

/* Returns the path that the links at path lead to; a file need not exist there. The caller frees it. Null: see errno.
 * */
static char *follow_links(const char *path)
{
    enum { MOST_LINKS = 40 };
    char *at = strdup(path), to[4096];
    for (int links = 0; at; links++) {
        const ssize_t length = readlink(at, to, sizeof to - 1);
        if (length < 0 && errno == ENAMETOOLONG) return free(at), NULL;
        if (length < 0) return at; /* no link: a file, or nothing yet */
        CLUMP_ASSERT((size_t)length < sizeof to);
        to[length] = '\0';
        char *const folder = to[0] == '/' ? strdup("") : folder_of(at);
        char *const next = folder ? join(folder, to) : NULL;
        free(folder);
        free(at);
        at = next;
        if (links == MOST_LINKS) return free(at), errno = ELOOP, NULL;
    }
    return NULL;
}

/* Returns the errno of why a regular file cannot be created or replaced at path, or 0. */
static int why_not(const char *path)
{
    char *const target = follow_links(path);
    if (!target) return errno;
    char *const folder = folder_of(target);
    const char *const in = folder && folder[0] ? folder : ".";
    struct stat there;
    int why = 0;
    if (!folder)
        why = ENOMEM;
    else if (stat(in, &there) != 0)
        why = errno;
    else if (!S_ISDIR(there.st_mode))
        why = ENOTDIR;
    else if (access(in, W_OK | X_OK) != 0)
        why = errno;
    else if (access(target, W_OK) != 0 && errno != ENOENT) /* a file that may not be written may not be replaced */
        why = errno;
    free(folder);
    free(target);
    return why;
}

int cli_check_output(const char *path)
{
    struct stat there;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return cli_fail("%s: is a folder, not a file to write", path);
    if (lstat(path, &there) == 0 && S_ISLNK(there.st_mode) && stat(path, &there) != 0 && errno == ENOENT)
        return cli_fail("%s: cannot be written: it is a link to a file that does not exist", path);
    if (cli_is_special(path)) return CLI_DONE;
    const int why = why_not(path);
    return why ? cli_fail("%s: cannot be written: %s", path, strerror(why)) : CLI_DONE;
}

bool cli_same_output(const char *a, const char *b)
{
    char *const targets[2] = {follow_links(a), follow_links(b)};
    struct stat folders[2];
    bool there = targets[0] && targets[1];
    for (int i = 0; i < 2 && there; i++) {
        char *const folder = folder_of(targets[i]);
        there = folder && stat(folder[0] ? folder : ".", &folders[i]) == 0;
        free(folder);
    }
    const bool same = there && folders[0].st_dev == folders[1].st_dev && folders[0].st_ino == folders[1].st_ino &&
                      strcmp(cli_base_name(targets[0]), cli_base_name(targets[1])) == 0;
    free(targets[0]);
    free(targets[1]);
    return same;
}

/* Whether the outputs of the command can be pages and pictures. */
static bool writes_views(const cli_command *command)
{
    for (const cli_option *o = command->options ? cli_options(command) : NULL; o && o->help; o++)
        if (o->choices == cli_output_choice) return true;
    return false;
}

/* Lists the endings that the command can write: ".pcd .ply ...". */
static void list_endings(const cli_command *command, char *list, size_t room)
{
    clump_format_info info;
    size_t used = 0;
    list[0] = 0;
    for (int i = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)i, &info); i++)
        for (const char *const *e = info.extensions; info.writes && *e && used < room; e++)
            used += (size_t)snprintf(list + used, room - used, "%s.%s", used ? " " : "", *e);
    if (writes_views(command) && used < room) snprintf(list + used, room - used, " .html .png");
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
    if (*format == CLUMP_FORMAT_GUESS && cli_is_special(path)) *format = CLUMP_FORMAT_PCD;
    clump_format_info info;
    if (!clump_format_describe(*format, &info)) {
        if (cli_view_kind_of(path, NULL) != CLI_VIEW_NONE)
            return cli_usage(command, "%s%s%s: 'clump view' makes pages and pictures", o, blank, path);
        char list[256];
        list_endings(command, list, sizeof list);
        return cli_usage(command, "%s%s%s: the ending of the name does not tell a format, use one of %s", o, blank,
                         path, list);
    }
    if (!info.writes)
        return cli_usage(command, "%s%s%s: %s can be read but not written, use .las", o, blank, path, info.name);
    return cli_check_output(path);
}

void cli_note_temporary(void *key, const char *name)
{
    cli_stop_hold();
    cli_stop_file(key, name);
    cli_stop_release();
}

int cli_save(const char *path, const clump_cloud *cloud, const int32_t *labels, clump_format format,
             clump_encoding encoding, bool quiet)
{
    cli_progress progress;
    cli_progress_begin(&progress, "writing", 1, quiet);
    cli_progress_rate(&progress, "points", (double)clump_cloud_points(cloud).count);
    clump_save_options options = clump_save_defaults();
    options.format = format;
    options.encoding = encoding;
    options.progress = cli_progress_share;
    options.progress_user = &progress;
    options.temporary = cli_note_temporary;
    options.temporary_user = &progress;
    clump_message message = {0};
    const clump_status status = clump_cloud_save(path, cloud, labels, &options, &message);
    cli_progress_end(&progress);
    if (status == CLUMP_OK && message.text[0] && !quiet) cli_warn("%s", message.text); /* a name that had to change */
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(path, status, &message);
}

/* --- files that are not clouds ------------------------------------------------------------------------ */

int cli_output_open(cli_output *out, const char *path)
{
    *out = (cli_output){.path = path};
    clump_message message = {0};
    const clump_status status = clump_output_open(path, cli_note_temporary, out, &out->whole, &message);
    if (status != CLUMP_OK) return cli_fail_message(path, status, &message);
    const int file = dup(clump_output_file(out->whole));
    if (file >= 0) out->file = fdopen(file, "w");
    if (out->file) return CLI_DONE;
    const int why = errno;
    if (file >= 0) close(file);
    clump_output_close(out->whole, false, NULL);
    return cli_fail("%s: cannot be written: %s", path, strerror(why));
}

int cli_output_close(cli_output *out)
{
    CLUMP_ASSERT(out->file && out->whole);
    if (!ferror(out->file))
        errno = 0; /* else it tells why the last write has failed; fflush() may have nothing to write */
    int why = fflush(out->file) == 0 && !ferror(out->file) ? 0 : errno ? errno : EIO;
    if (fclose(out->file) != 0 && !why) why = errno;
    clump_message message = {0};
    const clump_status status = clump_output_close(out->whole, why == 0, &message);
    if (why) return cli_fail("%s: cannot be written: %s", out->path, strerror(why));
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(out->path, status, &message);
}

void cli_output_abandon(cli_output *out)
{
    CLUMP_ASSERT(out->file && out->whole);
    fclose(out->file);
    clump_output_close(out->whole, false, NULL);
}
