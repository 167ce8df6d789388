/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each_files.c: the names of what --each writes: those of the inputs, in the folders of -o, --clusters and --maps.
 *
 *     -o          the format of the input; .labels if it has no place for labels; --to chooses another for all
 *     --clusters  .csv, with --hull .json
 *     --maps      a folder per input
 *
 * No output may be an input, and no two outputs the same file.
 */
#include "each/each.h"
#include "common/assert.h"
#include "files/source.h"
#include "files/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether an output of the format is as useful as that of a single run. */
static bool fits(const cli_each *each, const clump_format_info *info)
{
    return info->writes && info->holds_points && (info->holds_labels || each->s->keep);
}

/* Returns the format of the output for an input. */
static clump_format format_for(const cli_each *each, const char *input)
{
    const cli_cluster *const s = each->s;
    clump_format format = CLUMP_FORMAT_GUESS;
    clump_format_info info;
    if (s->to && clump_format_from_name(s->to, &format)) return format;
    if (s->format)
        clump_format_from_name(s->format, &format);
    else
        format = clump_format_of_path(input);
    return clump_format_describe(format, &info) && fits(each, &info) ? format : CLUMP_FORMAT_LABELS;
}

/* Returns the name of an input in a folder, which the caller frees; null without memory. ending: null keeps that of the
 * input, "" removes it, another replaces it. */
static char *name_in(const char *folder, const char *input, const char *ending)
{
    const char *const base = cli_base_name(input), *const dot = strrchr(base, '.');
    const int stem = ending && dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    const size_t before = strlen(folder), room = before + strlen(base) + (ending ? strlen(ending) : 0) + 3;
    char *const name = malloc(room);
    const bool slash = before == 0 || folder[before - 1] != '/', has_dot = ending && ending[0];
    if (name)
        snprintf(name, room, "%s%s%.*s%s%s", folder, slash ? "/" : "", stem, base, has_dot ? "." : "",
                 has_dot ? ending : "");
    return name;
}

static char *name_output(const cli_each *each, cli_each_file *file)
{
    clump_format_info info = {0};
    file->output_format = format_for(each, file->input);
    clump_format_describe(file->output_format, &info);
    const bool same = clump_format_of_path(file->input) == file->output_format;
    return name_in(each->s->output, file->input, same ? NULL : info.extensions[0]);
}

/* Refuses --core and --probability for a file that would get labels alone. */
static int check_core(const cli_each *each, const cli_each_file *file)
{
    clump_format_info info;
    if (!cli_clustering_field(&each->plan->job) || !clump_format_describe(file->output_format, &info) ||
        info.holds_fields)
        return CLI_DONE;
    return cli_usage(each->self, "%s: a .%s file holds the labels alone, with --%s use --to pcd, ply, las or csv",
                     file->names[CLI_EACH_OUTPUT], info.extensions[0], cli_clustering_field(&each->plan->job));
}

static int name_file(const cli_each *each, cli_each_file *file)
{
    const cli_cluster *const s = each->s;
    const char *const folders[CLI_EACH_KINDS] = {
        s->output, s->clusters && cli_clusters_are_folder(s->clusters) ? s->clusters : NULL, s->maps};
    char **const names = file->names;
    if (folders[CLI_EACH_OUTPUT]) names[CLI_EACH_OUTPUT] = name_output(each, file);
    if (folders[CLI_EACH_BOXES])
        names[CLI_EACH_BOXES] = name_in(folders[CLI_EACH_BOXES], file->input, s->hull ? "json" : "csv");
    if (folders[CLI_EACH_MAPS]) names[CLI_EACH_MAPS] = name_in(folders[CLI_EACH_MAPS], file->input, "");
    for (size_t kind = 0; kind < CLI_EACH_KINDS; kind++)
        if (folders[kind] && !names[kind]) return cli_fail("not enough memory for the names of the files");
    return names[CLI_EACH_OUTPUT] ? check_core(each, file) : CLI_DONE;
}

/* ----- outputs with the same name ------------------------------------------------------------------------------ */

typedef struct output_name {
    const char *name;
    size_t file; /* index */
} output_name;

static int compare_names(const void *a, const void *b)
{
    const output_name *const x = a, *const y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->file > y->file) - (x->file < y->file);
}

/* Refuses two inputs with the same output. */
static int check_twins(const cli_each *each)
{
    output_name *const sorted = cli_allocate(CLI_EACH_KINDS * each->count, sizeof *sorted);
    if (!sorted) return cli_fail("not enough memory for the names of the files");
    size_t count = 0;
    for (size_t k = 0; k < each->count; k++)
        for (size_t kind = 0; kind < CLI_EACH_KINDS; kind++)
            if (each->files[k].names[kind]) sorted[count++] = (output_name){each->files[k].names[kind], k};
    CLUMP_ASSERT(count <= CLI_EACH_KINDS * each->count);
    qsort(sorted, count, sizeof *sorted, compare_names);
    int status = CLI_DONE;
    for (size_t k = 1; k < count && status == CLI_DONE; k++) {
        const output_name *const x = &sorted[k - 1], *const y = &sorted[k];
        if (strcmp(x->name, y->name) != 0) continue;
        status = x->file == y->file
                     ? cli_fail("%s: labels and clusters would both be written to %s; choose another folder",
                                each->files[x->file].input, x->name)
                     : cli_fail("%s and %s would both be written to %s", each->files[x->file].input,
                                each->files[y->file].input, x->name);
    }
    free(sorted);
    return status;
}

/* Refuses a list of all clusters that is also the output of a file. */
static int check_table(const cli_each *each)
{
    const char *const table = each->s->clusters;
    for (size_t k = 0; table && k < each->count; k++) {
        const char *const output = each->files[k].names[CLI_EACH_OUTPUT];
        if (output && strcmp(cli_base_name(output), cli_base_name(table)) == 0 && cli_same_output(output, table))
            return cli_fail("%s: would get the labels of %s and the list of --clusters; choose another name", table,
                            each->files[k].input);
    }
    return CLI_DONE;
}

/* ----- outputs that are inputs --------------------------------------------------------------------------------- */

/* What the system knows a file by. */
typedef struct file_id {
    dev_t device;
    ino_t number;
    const char *name;
} file_id;

static int compare_ids(const void *a, const void *b)
{
    const file_id *const x = a, *const y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool find_id(const char *path, file_id *id)
{
    struct stat there;
    if (!path || stat(path, &there) != 0) return false;
    *id = (file_id){.device = there.st_dev, .number = there.st_ino, .name = path};
    return true;
}

/* Refuses an output that is one of the inputs, by any name. `other` says what to choose instead. */
static int check_output(const file_id *inputs, size_t count, const char *path, const char *other)
{
    file_id output;
    if (!find_id(path, &output) || !bsearch(&output, inputs, count, sizeof *inputs, compare_ids)) return CLI_DONE;
    return cli_fail("%s: the output is also an input; choose another %s", path, other);
}

static int check_outputs(const cli_each *each, const file_id *inputs, size_t count)
{
    static const char *const others[CLI_EACH_KINDS] = {"folder for -o", "folder for --clusters", "folder for --maps"};
    for (size_t k = 0; k < each->count; k++)
        for (size_t kind = 0; kind < CLI_EACH_KINDS; kind++)
            CLI_TRY(check_output(inputs, count, each->files[k].names[kind], others[kind]));
    return check_output(inputs, count, each->s->clusters, "name for --clusters");
}

static int check_inputs(const cli_each *each)
{
    file_id *const inputs = cli_allocate(each->count, sizeof *inputs);
    if (!inputs) return cli_fail("not enough memory for the names of the files");
    size_t count = 0;
    for (size_t k = 0; k < each->count; k++) count += find_id(each->files[k].input, &inputs[count]);
    qsort(inputs, count, sizeof *inputs, compare_ids);
    const int status = check_outputs(each, inputs, count);
    free(inputs);
    return status;
}

/* Refuses a folder of outputs that is also read: the next run would take its files for clouds. */
static int check_folder(const cli_each *each, const char *folder)
{
    file_id output, input;
    if (!find_id(folder, &output)) return CLI_DONE;
    for (size_t i = 0; i < each->plan->input_count; i++)
        if (find_id(each->plan->inputs[i], &input) && compare_ids(&input, &output) == 0)
            return cli_fail("%s: the folder is read; outputs need another", folder);
    return CLI_DONE;
}

/* ----- folders ------------------------------------------------------------------------------------------------- */

static int make_folder(const char *path)
{
    if (!path || mkdir(path, 0777) == 0) return CLI_DONE;
    if (errno != EEXIST) return cli_fail("%s: cannot be created: %s", path, strerror(errno));
    if (cli_is_folder(path)) return CLI_DONE;
    return cli_fail("%s: is not a folder; with --each it gets a file per input", path);
}

static int check_names(const cli_each *each)
{
    const cli_cluster *const s = each->s;
    clump_format_info info;
    clump_format to;
    if (s->output)
        CLI_TRY(cli_folder_check_name(each->self, s->output, "a folder with --each, for a file per input", NULL, 0));
    const bool known = s->to && clump_format_from_name(s->to, &to) && clump_format_describe(to, &info);
    if (s->to && !(known && (info.holds_labels || (s->keep && info.holds_points))))
        return cli_usage(each->self,
                         "--to %s: with --each a file must have a place for labels, use pcd, las, csv, npy or labels",
                         s->to);
    if (!s->clusters || cli_clusters_are_folder(s->clusters)) return CLI_DONE;
    return cli_check_clusters_output(each->self, s->clusters, true);
}

int cli_each_name_outputs(cli_each *each)
{
    const cli_cluster *const s = each->s;
    CLI_TRY(check_names(each));
    const char *const boxes = s->clusters && cli_clusters_are_folder(s->clusters) ? s->clusters : NULL;
    const char *const folders[CLI_EACH_KINDS] = {s->output, boxes, s->maps};
    for (size_t kind = 0; kind < CLI_EACH_KINDS; kind++)
        if (folders[kind]) CLI_TRY(check_folder(each, folders[kind]));
    for (size_t k = 0; k < each->count; k++) CLI_TRY(name_file(each, &each->files[k]));
    CLI_TRY(check_twins(each));
    CLI_TRY(check_table(each));
    CLI_TRY(check_inputs(each));
    for (size_t kind = 0; kind < CLI_EACH_KINDS; kind++) CLI_TRY(make_folder(folders[kind]));
    return CLI_DONE;
}
