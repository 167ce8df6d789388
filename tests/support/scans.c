/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scans.c: see scans.h.
 */
#include "support/scans.h"

#include "support/clouds.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char check_data_default[]; /* check.h */

/* The thread sanitizer sees a part of the scans: what others would show of races, these do. */
enum { SCANS_MOST = 400, SCANS_DEPTH = 1, SCANS_STEP = CLOUD_WATCHED ? 4 : 1 };

typedef struct file_list {
    char *paths[SCANS_MOST];
    size_t count;
} file_list;

const char *scans_folder(void)
{
    const char *const given = getenv("CLUMP_DATA");
    return given && *given ? given : check_data_default;
}

static char *join_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *const path = malloc(size);
    if (!path) abort();
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

clump_cloud *scan_load(const char *path)
{
    clump_cloud *cloud = NULL;
    char *const whole = join_path(scans_folder(), path);
    const clump_status status = clump_cloud_load(whole, NULL, &cloud, NULL);
    free(whole);
    return status == CLUMP_OK ? cloud : NULL;
}

static bool is_scan(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && (strcmp(path + n - 4, ".bin") == 0 || strcmp(path + n - 4, ".pcd") == 0 ||
                     strcmp(path + n - 4, ".ply") == 0);
}

static void list_files(const char *folder, int depth, file_list *list)
{
    DIR *const dir = opendir(folder);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.') continue;
        char *const path = join_path(folder, e->d_name);
        if (is_scan(path) && list->count < SCANS_MOST) {
            list->paths[list->count++] = path;
            continue;
        }
        if (depth > 0) list_files(path, depth - 1, list);
        free(path);
    }
    closedir(dir);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t scans_visit(void (*visit)(clump_points points, const char *name))
{
    file_list list = {.count = 0};
    list_files(scans_folder(), SCANS_DEPTH, &list);
    qsort(list.paths, list.count, sizeof *list.paths, by_text);
    size_t scans = 0;
    for (size_t i = 0; i < list.count; i++) {
        clump_cloud *file = NULL;
        if (i % SCANS_STEP == 0 && clump_cloud_load(list.paths[i], NULL, &file, NULL) == CLUMP_OK) {
            visit(clump_cloud_points(file), strrchr(list.paths[i], '/') + 1);
            scans++;
        }
        clump_cloud_destroy(file);
        free(list.paths[i]);
    }
    return scans;
}
