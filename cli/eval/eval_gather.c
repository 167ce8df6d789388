/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_gather.c: sums and means over the files of `clump eval`; see eval_report.h.
 */
#include "eval/eval_report.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const cli_eval_scene *)a)->name, ((const cli_eval_scene *)b)->name);
}

/* Returns the scene of this name, which is added where it is new. There is room for one per file. */
static cli_eval_scene *scene_of(cli_eval_report *r, const char *name)
{
    for (size_t k = 0; k < r->scene_count; k++)
        if (strcmp(r->scenes[k].name, name) == 0) return &r->scenes[k];
    CLUMP_ASSERT(r->scene_count < r->file_count);
    r->scenes[r->scene_count] = (cli_eval_scene){.name = name};
    return &r->scenes[r->scene_count++];
}

static void take_means(cli_eval_report *r)
{
    cli_eval_mean files = {0}, scenes = {0};
    double values[CLI_EVAL_VALUES];
    for (size_t i = 0; i < r->file_count; i++) {
        cli_eval_values_of(&r->files[i].result, values);
        cli_eval_mean_add(&files, values);
    }
    for (size_t k = 0; k < r->scene_count; k++) {
        cli_eval_mean_take(&r->scenes[k].mean, values);
        cli_eval_mean_add(&scenes, values);
    }
    cli_eval_mean_take(&files, r->over_files);
    cli_eval_mean_take(&scenes, r->over_scenes);
}

bool cli_eval_gather(cli_eval_report *r)
{
    CLUMP_ASSERT(r->file_count >= 1);
    for (size_t i = 0; i < r->file_count; i++) r->points += r->files[i].points;
    if (!r->many) {
        r->total = r->files[0].result;
        return true;
    }
    r->scenes = calloc(r->file_count, sizeof *r->scenes);
    if (!r->scenes) return false;
    for (size_t i = 0; i < r->file_count; i++) {
        const cli_eval_file *const file = &r->files[i];
        cli_eval_scene *const scene = scene_of(r, file->scene);
        double values[CLI_EVAL_VALUES];
        cli_eval_values_of(&file->result, values);
        cli_eval_mean_add(&scene->mean, values);
        cli_eval_add(&scene->sum, &file->result);
        cli_eval_add(&r->total, &file->result);
        scene->files++;
    }
    qsort(r->scenes, r->scene_count, sizeof *r->scenes, by_name);
    take_means(r);
    return true;
}

void cli_eval_report_free(cli_eval_report *r)
{
    for (size_t i = 0; i < r->file_count; i++) cli_eval_free(&r->files[i].result);
    free(r->files);
    free(r->scenes);
}
