/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_files.c: see eval.h.
 */
#include "eval/eval.h"

#include "common/assert.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EVAL_DEPTH = 16 }; /* folders in folders; a link can lead back */

typedef enum file_kind { KIND_NONE, KIND_LABELS, KIND_FIELDS, KIND_POINTS } file_kind;

typedef struct file {
    char *path, *name;
    file_kind kind;
} file;

typedef struct files {
    const char *folder;
    bool points; /* files with points are looked for, not files with labels */
    file *list;
    size_t count, room;
} files;

/* What a file can give: labels alone, fields with the points, or points alone. */
static file_kind kind_of(const char *name, bool points)
{
    clump_format_info info;
    const clump_format format = clump_format_of_path(name);
    if (name[0] == '.' || !clump_format_describe(format, &info)) return KIND_NONE;
    if (points) return info.reads && info.holds_points ? KIND_POINTS : KIND_NONE;
    if (format == CLUMP_FORMAT_SEMANTICKITTI || format == CLUMP_FORMAT_LABELS || format == CLUMP_FORMAT_NPY)
        return KIND_LABELS;
    return info.reads && info.holds_fields ? KIND_FIELDS : KIND_NONE;
}

/* Writes the name of a file: its path without the ending, and without the folders that SemanticKITTI adds. */
static void make_name(char *name, const char *below)
{
    static const char *const skipped[] = {"labels/", "predictions/", "velodyne/"};
    char *to = name;
    for (const char *part = below; *part;) {
        const size_t length = strcspn(part, "/") + (strchr(part, '/') != NULL);
        bool skip = false;
        for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++)
            skip = skip || (length == strlen(skipped[i]) && strncmp(part, skipped[i], length) == 0);
        if (!skip) memcpy(to, part, length), to += length;
        part += length;
    }
    *to = '\0';
    const char *const slash = strrchr(name, '/');
    char *const dot = strrchr(slash ? slash : name, '.');
    if (dot) *dot = '\0';
    const size_t left = strlen(name);
    if (clump_format_of_path(below) == CLUMP_FORMAT_NUSCENES && left > 4 && strcmp(name + left - 4, ".pcd") == 0)
        name[left - 4] = '\0';
}

static char *join(const char *folder, const char *name)
{
    const size_t before = strlen(folder), size = before + strlen(name) + 2;
    char *const path = malloc(size);
    if (path) snprintf(path, size, "%s%s%s", folder, before > 0 && folder[before - 1] != '/' ? "/" : "", name);
    return path;
}

/* Appends a file; takes the path over. False: no memory. */
static bool add_file(files *f, char *path, file_kind kind)
{
    if (f->count == f->room) {
        const size_t room = f->room ? 2 * f->room : 64;
        file *const list = realloc(f->list, room * sizeof *list);
        if (!list) return free(path), false;
        f->list = list;
        f->room = room;
    }
    const char *below = path + strlen(f->folder);
    while (*below == '/') below++;
    char *const name = malloc(strlen(below) + 1);
    if (!name) return free(path), false;
    make_name(name, below);
    CLUMP_ASSERT(f->count < f->room);
    f->list[f->count++] = (file){path, name, kind};
    return true;
}

static int walk(files *f, const char *path, int depth);

static int take_entry(files *f, const char *folder, const char *name, int depth)
{
    struct stat there;
    char *const path = join(folder, name);
    if (!path) return cli_fail("%s: not enough memory for the names of the files", f->folder);
    const bool known = stat(path, &there) == 0;
    if (known && S_ISDIR(there.st_mode)) {
        const int status = walk(f, path, depth + 1);
        free(path);
        return status;
    }
    const file_kind kind = known && S_ISREG(there.st_mode) ? kind_of(name, f->points) : KIND_NONE;
    if (kind == KIND_NONE) return free(path), CLI_DONE;
    return add_file(f, path, kind) ? CLI_DONE : cli_fail("%s: not enough memory for the names of the files", f->folder);
}

static int walk(files *f, const char *path, int depth)
{
    CLUMP_ASSERT(depth >= 0);
    if (depth > EVAL_DEPTH) return cli_fail("%s: more than %d folders are in each other", path, EVAL_DEPTH);
    DIR *const folder = opendir(path);
    if (!folder) return cli_fail("%s: cannot be read as a folder: %s", path, strerror(errno));
    int status = CLI_DONE;
    for (const struct dirent *entry; status == CLI_DONE && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') status = take_entry(f, path, entry->d_name, depth);
    closedir(folder);
    return status;
}

static int compare_files(const void *a, const void *b)
{
    const file *const x = a, *const y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->path, y->path);
}

/* Leaves the files with labels alone, where there are any. */
static void prefer_labels(files *f)
{
    size_t labels = 0, kept = 0;
    for (size_t i = 0; i < f->count; i++) labels += f->list[i].kind == KIND_LABELS;
    if (labels == 0) return;
    for (size_t i = 0; i < f->count; i++) {
        if (f->list[i].kind == KIND_LABELS)
            f->list[kept++] = f->list[i];
        else
            free(f->list[i].path), free(f->list[i].name);
    }
    f->count = kept;
}

static int list_files(files *f, const char *folder, bool points)
{
    f->folder = folder;
    f->points = points;
    CLI_TRY(walk(f, folder, 0));
    prefer_labels(f);
    if (f->count == 0) return cli_fail("%s: the folder has no files with %s", folder, points ? "points" : "labels");
    qsort(f->list, f->count, sizeof *f->list, compare_files);
    for (size_t i = 1; i < f->count && !points; i++)
        if (strcmp(f->list[i - 1].name, f->list[i].name) == 0)
            return cli_fail("%s and %s: both are '%s'", f->list[i - 1].path, f->list[i].path, f->list[i].name);
    return CLI_DONE;
}

static void free_files(files *f)
{
    for (size_t i = 0; i < f->count; i++) free(f->list[i].path), free(f->list[i].name);
    free(f->list);
}

/* --- pairs and scenes ------------------------------------------------------------------------------ */

static char *copy(const char *text, size_t length)
{
    char *const copied = malloc(length + 1);
    if (copied) memcpy(copied, text, length), copied[length] = '\0';
    return copied;
}

static int find_scene(const regex_t *pattern, const char *scene, cli_eval_pair *pair)
{
    regmatch_t found[2];
    const char *const slash = strrchr(pair->name, '/'), *const bar = strrchr(pair->name, '_');
    if (!scene) {
        const char *const end = slash ? slash : bar;
        pair->scene = end ? copy(pair->name, (size_t)(end - pair->name)) : copy("all", 3);
    } else if (regexec(pattern, pair->name, 2, found, 0) == 0) {
        const regmatch_t *const part = found[1].rm_so >= 0 ? &found[1] : &found[0];
        pair->scene = copy(pair->name + part->rm_so, (size_t)(part->rm_eo - part->rm_so));
    } else {
        return cli_fail("%s: its name '%s' does not match --scene '%s'", pair->labeled, pair->name, scene);
    }
    return pair->scene ? CLI_DONE : cli_fail("not enough memory for the names of the scenes");
}

static int find_cloud(const files *clouds, cli_eval_pair *pair)
{
    size_t lower = 0, upper = clouds->count;
    while (lower < upper) {
        const size_t middle = lower + (upper - lower) / 2;
        if (strcmp(clouds->list[middle].name, pair->name) < 0)
            lower = middle + 1;
        else
            upper = middle;
    }
    const file *const cloud = &clouds->list[lower];
    if (lower == clouds->count || strcmp(cloud->name, pair->name) != 0)
        return cli_fail("%s: has no cloud '%s' in %s", pair->labeled, pair->name, clouds->folder);
    if (lower + 1 < clouds->count && strcmp(cloud[1].name, pair->name) == 0)
        return cli_fail("%s and %s: both are '%s'", cloud->path, cloud[1].path, pair->name);
    pair->cloud = copy(cloud->path, strlen(cloud->path));
    return pair->cloud ? CLI_DONE : cli_fail("not enough memory for the names of the files");
}

/* Makes the pairs of two lists that are in order. */
static int match_files(const files sides[2], cli_eval_pairs *out)
{
    const files *const a = &sides[0], *const b = &sides[1];
    out->list = calloc(a->count, sizeof *out->list);
    if (!out->list) return cli_fail("not enough memory for the names of the files");
    for (size_t i = 0; i < a->count || i < b->count; i++) {
        const int order = i == a->count ? 1 : i == b->count ? -1 : strcmp(a->list[i].name, b->list[i].name);
        if (order != 0) {
            const files *const with = order < 0 ? a : b, *const without = order < 0 ? b : a;
            return cli_fail("%s: has no partner '%s' in %s", with->list[i].path, with->list[i].name, without->folder);
        }
        CLUMP_ASSERT(out->count < a->count);
        cli_eval_pair *const pair = &out->list[out->count++];
        pair->name = copy(a->list[i].name, strlen(a->list[i].name));
        pair->labeled = copy(a->list[i].path, strlen(a->list[i].path));
        pair->truth = copy(b->list[i].path, strlen(b->list[i].path));
        if (!pair->name || !pair->labeled || !pair->truth)
            return cli_fail("not enough memory for the names of the files");
    }
    return CLI_DONE;
}

static int pair_files(files sides[3], const char *const folders[2], const char *cloud, cli_eval_pairs *out)
{
    for (size_t k = 0; k < 2; k++) CLI_TRY(list_files(&sides[k], folders[k], false));
    if (cloud) CLI_TRY(list_files(&sides[2], cloud, true));
    CLI_TRY(match_files(sides, out));
    for (size_t i = 0; cloud && i < out->count; i++) CLI_TRY(find_cloud(&sides[2], &out->list[i]));
    return CLI_DONE;
}

int cli_eval_pair_files(const cli_command *self, const char *const folders[2], const char *cloud, const char *scene,
                        cli_eval_pairs *out)
{
    regex_t pattern;
    if (scene && regcomp(&pattern, scene, REG_EXTENDED) != 0)
        return cli_usage(self, "--scene '%s' is not a regular expression", scene);
    files sides[3] = {{0}};
    int status = pair_files(sides, folders, cloud, out);
    for (size_t i = 0; status == CLI_DONE && i < out->count; i++) status = find_scene(&pattern, scene, &out->list[i]);
    for (size_t k = 0; k < 3; k++) free_files(&sides[k]);
    if (scene) regfree(&pattern);
    return status;
}

void cli_eval_pairs_free(cli_eval_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        cli_eval_pair *const p = &pairs->list[i];
        free(p->name), free(p->scene), free(p->labeled), free(p->truth), free(p->cloud);
    }
    free(pairs->list);
}
