/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folder.c: the files of a folder in natural order, and rosbag2's list of the files of a recording.
 */
#include "format.h"
#include "common/assert.h"
#include "recordings/recording.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a text file that are the most to be read: lists of times, calibrations, metadata. */
#define FOLDER_LARGEST_TEXT ((size_t)64 << 20)

clump_status clump_io_paths_add(const clump_io_where *where, clump_io_paths *paths, const char *folder,
                                const char *name, size_t name_size)
{
    CLUMP_IO_TRY(clump_io_list_reserve(where, &paths->list, &paths->capacity, paths->count + 1, sizeof *paths->list));
    const size_t before = folder ? strlen(folder) : 0, size = before + 1 + name_size + 1;
    char *const path = malloc(size);
    if (!path) return clump_io_no_memory(where, size);
    const bool slash = before > 0 && folder[before - 1] != '/';
    snprintf(path, size, "%s%s%.*s", folder ? folder : "", slash ? "/" : "", (int)name_size, name);
    CLUMP_ASSERT(paths->count < paths->capacity);
    paths->list[paths->count++] = path;
    return CLUMP_OK;
}

void clump_io_paths_release(clump_io_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) free(paths->list[i]);
    free(paths->list);
    *paths = (clump_io_paths){0};
}

/* --- natural order --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits_of(const char *text)
{
    size_t count = 0;
    while (is_digit(text[count])) count++;
    return count;
}

/* Runs of digits compare as numbers, all else by bytes. Names that differ only in leading zeros compare by bytes. */
int clump_io_natural_order(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        if (!is_digit(*x) || !is_digit(*y)) {
            if (*x != *y) return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
            x++, y++;
            continue;
        }
        while (*x == '0' && is_digit(x[1])) x++;
        while (*y == '0' && is_digit(y[1])) y++;
        const size_t of_x = digits_of(x), of_y = digits_of(y);
        if (of_x != of_y) return of_x < of_y ? -1 : 1;
        const int order = memcmp(x, y, of_x);
        if (order) return order;
        x += of_x, y += of_y;
    }
    if (*x || *y) return *x ? 1 : -1;
    return strcmp(a, b);
}

static int by_natural_order(const void *a, const void *b)
{
    return clump_io_natural_order(*(char *const *)a, *(char *const *)b);
}

clump_status clump_io_folder_list(const clump_io_where *where, const char *folder, bool (*wanted)(const char *name),
                                  clump_io_paths *paths)
{
    DIR *const open = opendir(folder);
    if (!open) return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot open the folder", errno);
    clump_status status = CLUMP_OK;
    for (const struct dirent *entry; status == CLUMP_OK && (entry = readdir(open));) {
        if (entry->d_name[0] == '.' || !wanted(entry->d_name)) continue;
        status = clump_io_paths_add(where, paths, folder, entry->d_name, strlen(entry->d_name));
        struct stat about;
        char *const last = status == CLUMP_OK ? paths->list[paths->count - 1] : NULL;
        if (!last || (stat(last, &about) == 0 && S_ISREG(about.st_mode))) continue;
        free(last); /* a folder, or a link to nothing */
        paths->count--;
    }
    closedir(open);
    if (paths->count) qsort(paths->list, paths->count, sizeof *paths->list, by_natural_order);
    return status;
}

/* --- texts ---------------------------------------------------------------------------------------------- */

clump_status clump_io_read_text(const clump_io_where *where, const char *path, char **text, size_t *size)
{
    *text = NULL;
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open(where, path, &stream));
    clump_io_source source = {.bytes = stream.data, .size = stream.size, .stream = &stream, .where = *where};
    clump_status status = CLUMP_OK;
    if (stream.size > FOLDER_LARGEST_TEXT)
        status = clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "%zu bytes are too many for a file of this kind",
                               stream.size);
    if (status == CLUMP_OK) status = clump_io_require_all(&source);
    if (status == CLUMP_OK && !(*text = malloc(stream.size + 1))) status = clump_io_no_memory(where, stream.size + 1);
    if (status == CLUMP_OK) {
        if (stream.size) memcpy(*text, stream.data, stream.size);
        (*text)[stream.size] = 0;
        *size = stream.size;
    }
    clump_io_stream_close(&stream);
    return status;
}

/* --- metadata.yaml of rosbag2 ----------------------------------------------------------------------------- */

/* Takes the file name of a line "- NAME", with or without quotes. */
static clump_status add_listed(const clump_io_where *where, const char *folder, const char *line, const char *end,
                               clump_io_paths *paths)
{
    while (line < end && (*line == ' ' || *line == '"' || *line == '\'')) line++;
    while (end > line && strchr(" \r\"'", end[-1])) end--;
    if (line == end) return CLUMP_OK;
    return clump_io_paths_add(where, paths, *line == '/' ? NULL : folder, line, (size_t)(end - line));
}

/* The flow form: [a.db3, b.db3]. */
static clump_status add_flow(const clump_io_where *where, const char *folder, const char *at, clump_io_paths *paths)
{
    const size_t size = strcspn(at, "]\n");
    for (const char *end = at + size; at < end;) {
        const size_t length = strcspn(at, ",]\n");
        CLUMP_IO_TRY(add_listed(where, folder, at, at + length, paths));
        at += length + 1;
    }
    return CLUMP_OK;
}

/* Reads the list behind "relative_file_paths:". All else of the file is skipped: containers know their topics. */
static clump_status read_list(const clump_io_where *where, const char *folder, const char *text, clump_io_paths *paths)
{
    static const char key[] = "relative_file_paths:";
    const char *at = strstr(text, key);
    if (!at) return CLUMP_OK;
    at += sizeof key - 1;
    at += strspn(at, " ");
    if (*at == '[') return add_flow(where, folder, at + 1, paths);
    while ((at = strchr(at, '\n'))) {
        at++;
        const char *line = at + strspn(at, " \t");
        if (*line == '#' || *line == '\r' || *line == '\n') continue;
        if (line[0] != '-') return CLUMP_OK;
        CLUMP_IO_TRY(add_listed(where, folder, line + 1, line + strcspn(line, "\n"), paths));
    }
    return CLUMP_OK;
}

clump_status clump_io_folder_rosbag2(const clump_io_where *where, const char *folder, clump_io_paths *paths,
                                     bool *found)
{
    clump_io_paths metadata = {0};
    static const char name[] = "metadata.yaml";
    char *text = NULL;
    size_t size;
    *found = false;
    clump_status status = clump_io_paths_add(where, &metadata, folder, name, sizeof name - 1);
    if (status == CLUMP_OK && access(metadata.list[0], R_OK) == 0) {
        const clump_io_where here = {metadata.list[0], where->message};
        status = clump_io_read_text(&here, metadata.list[0], &text, &size);
        if (status == CLUMP_OK) status = read_list(where, folder, text, paths);
        *found = status == CLUMP_OK && paths->count > 0;
        free(text);
    }
    clump_io_paths_release(&metadata);
    return status;
}
