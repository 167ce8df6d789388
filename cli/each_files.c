/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each_files.c: the names of the outputs of --each: those of the inputs, in the folder of -o. A format without a place for
 * labels becomes .labels; --to chooses another for all.
 */
#include "each.h"
#include "folder.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Returns the format of the output for an input. */
static clump_format format_for(const cli_cluster *s, const char *input)
{
    clump_format format = CLUMP_FORMAT_GUESS;
    clump_format_info info;
    if (s->to && clump_format_from_name(s->to, &format)) return format;
    if (s->format)
        clump_format_from_name(s->format, &format);
    else
        format = clump_format_of_path(input);
    const bool fits = clump_format_describe(format, &info) && info.holds_labels && info.holds_points;
    return fits ? format : CLUMP_FORMAT_LABELS;
}

/* Makes the name of the output; false without memory. An ending that is not that of the format is replaced. */
static bool name_output(const cli_cluster *s, cli_each_file *file)
{
    file->output_format = format_for(s, file->input);
    const char *const base = base_name(file->input), *dot = strrchr(base, '.');
    clump_format_info info = {0};
    clump_format_describe(file->output_format, &info);
    const bool same = clump_format_of_path(file->input) == file->output_format;
    const int stem = dot && dot > base && !same ? (int)(dot - base) : (int)strlen(base);
    const size_t room = strlen(s->output) + strlen(base) + 32;
    file->output = malloc(room);
    if (!file->output) return false;
    const size_t folder = strlen(s->output);
    const char *const slash = folder > 0 && s->output[folder - 1] == '/' ? "" : "/";
    snprintf(file->output, room, "%s%s%.*s%s%s", s->output, slash, stem, base, same ? "" : ".",
             same ? "" : info.extensions[0]);
    return true;
}

static int compare_outputs(const void *a, const void *b)
{
    const cli_each_file *const *const x = a, *const *const y = b;
    const int order = strcmp((*x)->output, (*y)->output);
    return order != 0 ? order : ((*x)->input > (*y)->input) - ((*x)->input < (*y)->input);
}

/* Refuses two inputs with the same output. */
static int check_twins(const cli_each *each)
{
    const cli_each_file **const sorted = cli_allocate(each->count, sizeof *sorted);
    if (!sorted) return cli_fail("not enough memory for the names of the files");
    for (size_t k = 0; k < each->count; k++) sorted[k] = &each->files[k];
    qsort(sorted, each->count, sizeof *sorted, compare_outputs);
    int status = CLI_DONE;
    for (size_t k = 1; k < each->count && status == CLI_DONE; k++)
        if (strcmp(sorted[k - 1]->output, sorted[k]->output) == 0)
            status = cli_fail("%s and %s would both be written to %s", sorted[k - 1]->input, sorted[k]->input,
                              sorted[k]->output);
    free(sorted);
    return status;
}

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
    if (stat(path, &there) != 0) return false;
    *id = (file_id){.device = there.st_dev, .number = there.st_ino, .name = path};
    return true;
}

/* Refuses an output that is the file of an input, by any name. */
static int check_inputs(const cli_each *each)
{
    file_id *const inputs = cli_allocate(each->count, sizeof *inputs);
    if (!inputs) return cli_fail("not enough memory for the names of the files");
    size_t count = 0;
    for (size_t k = 0; k < each->count; k++) count += find_id(each->files[k].input, &inputs[count]);
    qsort(inputs, count, sizeof *inputs, compare_ids);
    int status = CLI_DONE;
    for (size_t k = 0; k < each->count && status == CLI_DONE; k++) {
        file_id output;
        if (find_id(each->files[k].output, &output) && bsearch(&output, inputs, count, sizeof *inputs, compare_ids))
            status = cli_fail("%s: the output is also an input; choose another folder for -o", output.name);
    }
    free(inputs);
    return status;
}

static int make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0) return CLI_DONE;
    if (errno != EEXIST) return cli_fail("%s: cannot be created: %s", path, strerror(errno));
    if (cli_is_folder(path)) return CLI_DONE;
    return cli_fail("%s: is not a folder; with --each, -o names the folder that gets a file per input", path);
}

int cli_each_name_outputs(const cli_command *self, cli_each *each)
{
    const cli_cluster *const s = each->s;
    clump_format_info info;
    clump_format to;
    if (!s->output) return CLI_DONE;
    CLI_TRY(cli_folder_check_name(self, s->output, "a folder with --each, for a file per input", NULL, 0));
    if (s->to && (!clump_format_from_name(s->to, &to) || !clump_format_describe(to, &info) || !info.holds_labels))
        return cli_usage(
            self, "--to %s: with --each a file must have a place for labels, use pcd, las, csv, npy or labels", s->to);
    for (size_t k = 0; k < each->count; k++)
        if (!name_output(s, &each->files[k])) return cli_fail("not enough memory for the names of the files");
    CLI_TRY(check_twins(each));
    CLI_TRY(check_inputs(each));
    return make_folder(s->output);
}
