/* SPDX-License-Identifier: BSD-3-Clause
 *
 * by_class.c: see cluster.h.
 */
#include "cluster/cluster.h"
#include "files/output.h"
#include "files/source.h"

#include "common/assert.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *cli_by_class_choice(int index)
{
    return clump_classes_builtin_name(index);
}

int cli_by_class_check(const cli_command *self, const cli_cluster *s)
{
    if (s->class_of && !s->classes) return cli_usage(self, "--class-of is for --classes");
    if (!s->classes) return CLI_DONE;
    if (cli_is_dash(s->classes) && s->each) return cli_usage(self, "--classes - is read once: with --each name a file");
    if (s->thin > 0)
        return cli_usage(
            self, "--classes and --thin cannot be used together: the points of a voxel may have several classes");
    if (s->each && s->class_of && cli_is_label_file(s->class_of))
        return cli_usage(self,
                         "--class-of %s names one file, with --each use a field, or a .label file beside each cloud",
                         s->class_of);
    return CLI_DONE;
}

const char *const *cli_by_class_fields(cli_by_class *c, const cli_cluster *s)
{
    /* Not "label": there the program writes the numbers of clusters. */
    static const char *const usual[] = {"semantic", "class", "classification", NULL};
    if (!s->class_of) return usual;
    c->named[0] = s->class_of;
    return c->named;
}

bool cli_is_label_file(const char *name)
{
    const clump_format format = clump_format_of_path(name);
    return format == CLUMP_FORMAT_SEMANTICKITTI || format == CLUMP_FORMAT_LABELS || format == CLUMP_FORMAT_NPY;
}

/* Writes the name of the .label file of a cloud: 000000.label for 000000.bin, beside it; or in the folder labels beside its
 * folder velodyne, as SemanticKITTI has them. False: there is no such file; `name` is then the one beside the cloud. */
static bool find_labels(char *name, size_t size, const char *file)
{
    static const char scans[] = "velodyne/";
    const size_t length = sizeof scans - 1;
    const char *const slash = strrchr(file, '/'), *const base = slash ? slash + 1 : file,
                      *const dot = strrchr(base, '.');
    const int stem = (int)(dot ? (size_t)(dot - base) : strlen(base)), folder = (int)(base - file);
    struct stat info;
    if ((size_t)folder >= length && strncmp(base - length, scans, length) == 0) {
        const int above = folder - (int)length;
        snprintf(name, size, "%.*slabels/%.*s.label", above, file, stem, base);
        if ((above == 0 || file[above - 1] == '/') && stat(name, &info) == 0) return true;
    }
    snprintf(name, size, "%.*s%.*s.label", folder, file, stem, base);
    return stat(name, &info) == 0;
}

static clump_status refuse(clump_message *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return CLUMP_ERR_IO_FORMAT;
}

/* Attaches a file of labels; the field with the classes is *field. */
static clump_status attach(clump_cloud *cloud, const char *path, clump_field *field, clump_message *message)
{
    const clump_status status = clump_cloud_attach(cloud, path, message);
    if (status != CLUMP_OK) return status;
    if (clump_cloud_find(cloud, "semantic", field) || clump_cloud_find(cloud, "label", field)) return CLUMP_OK;
    return refuse(message, "%s has no classes", path);
}

/* Finds the field with the classes of the points. */
static clump_status find_field(cli_by_class *c, const cli_cluster *s, clump_cloud *cloud, const char *file,
                               clump_field *field, clump_message *message)
{
    const char *const *const fields = cli_by_class_fields(c, s);
    const char *const input = file ? file : "the frame";
    char name[1024], list[256];
    if (s->class_of && cli_is_label_file(s->class_of)) return attach(cloud, s->class_of, field, message);
    for (size_t k = 0; fields[k]; k++)
        if (clump_cloud_find(cloud, fields[k], field) && field->count == 1) return CLUMP_OK;
    cli_list_fields(cloud, true, list, sizeof list);
    if (s->class_of)
        return refuse(message, "%s: there is no field '%s' with one class per point, the cloud has %s", input,
                      s->class_of, list[0] ? list : "no fields");
    if (!file)
        return refuse(message,
                      "%s: --classes needs a field 'semantic', 'class' or 'classification', or the one of --class-of; "
                      "the cloud has %s",
                      input, list[0] ? list : "no fields");
    if (find_labels(name, sizeof name, file)) return attach(cloud, name, field, message);
    return refuse(message,
                  "%s: --classes needs a field 'semantic', 'class' or 'classification', or the file %s; see --class-of",
                  input, name);
}

/* Reads the class of each point. */
static clump_status read_ids(cli_by_class *c, const clump_field *field, size_t count, const char *file,
                             clump_message *message)
{
    if (!c->of || count > c->room) {
        free(c->of);
        c->of = cli_allocate(count, sizeof *c->of);
        c->room = c->of ? count : 0;
    }
    if (!c->of) return CLUMP_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const double id = clump_field_value(field, i, 0);
        if (!(id >= 0 && id <= UINT16_MAX) || id != (double)(uint16_t)id)
            return refuse(message, "%s: the field '%s' of point %zu is %g, a class is a whole number from 0 to 65535",
                          file ? file : "the frame", field->name, i, id);
        c->of[i] = (uint16_t)id;
    }
    return CLUMP_OK;
}

/* A row for sorting by name. */
typedef struct named_row {
    const char *name;
    uint32_t row;
} named_row;

static int compare_names(const void *a, const void *b)
{
    const named_row *const x = a, *const y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

/* Notes which row an id has, and which row is the first of a name. Returns false without memory. */
static bool index_rows(cli_by_class *c)
{
    const size_t count = c->table.count;
    named_row *const sorted = cli_allocate(count, sizeof *sorted);
    c->row_of = cli_allocate(UINT16_MAX + 1, sizeof *c->row_of);
    c->first = cli_allocate(count, sizeof *c->first);
    if (sorted && c->row_of && c->first) {
        for (size_t id = 0; id <= UINT16_MAX; id++) c->row_of[id] = (uint32_t)count;
        for (size_t k = 0; k < count; k++) {
            sorted[k] = (named_row){c->table.rows[k].name, (uint32_t)k};
            c->row_of[c->table.rows[k].id] = (uint32_t)k;
        }
        qsort(sorted, count, sizeof *sorted, compare_names);
        for (size_t k = 0; k < count; k++) {
            const bool again = k > 0 && strcmp(sorted[k].name, sorted[k - 1].name) == 0;
            c->first[sorted[k].row] = again ? c->first[sorted[k - 1].row] : sorted[k].row;
        }
    }
    free(sorted);
    return sorted && c->row_of && c->first;
}

int cli_by_class_begin(cli_by_class *c, const cli_cluster *s)
{
    clump_message message;
    if (!s->classes) return CLI_DONE;
    const clump_status status = clump_class_table_load(s->classes, &c->table, &message);
    if (status != CLUMP_OK) return cli_fail_message(s->classes, status, &message);
    return index_rows(c) ? CLI_DONE : cli_fail("not enough memory for the classes");
}

clump_status cli_by_class_read(cli_by_class *c, const cli_cluster *s, clump_cloud *cloud, const char *file,
                               clump_message *message)
{
    clump_field field;
    if (!s->classes) return CLUMP_OK;
    const clump_status status = find_field(c, s, cloud, file, &field, message);
    return status == CLUMP_OK ? read_ids(c, &field, clump_cloud_points(cloud).count, file, message) : status;
}

clump_classes cli_by_class_scaled(cli_by_class *c, double step)
{
    for (size_t k = 0; step > 0 && k < c->table.count; k++)
        if (c->table.rows[k].radius > 0) c->table.rows[k].radius = clump_steps_distance(c->table.rows[k].radius, step);
    return (clump_classes){.of = c->of, .rows = c->table.rows, .count = c->table.count};
}

const char *cli_class_name(const cli_by_class *c, uint16_t id)
{
    CLUMP_ASSERT(c->row_of);
    return c->row_of[id] < c->table.count ? c->table.rows[c->row_of[id]].name : "";
}

clump_status cli_by_class_find(cli_by_class *c, clump_context *context, const int32_t *labels, size_t count,
                               int32_t clusters)
{
    if (!c->of) return CLUMP_OK;
    free(c->found);
    c->clusters = clusters;
    c->found = cli_allocate((size_t)clusters, sizeof *c->found);
    if (!c->found) return CLUMP_ERR_OUT_OF_MEMORY;
    return clump_classes_of_clusters(context, labels, c->of, count, clusters, c->found);
}

/* Counts the clusters per row, those of rows with one name at the first of them. Null without memory; for free(). */
static size_t *count_clusters(const cli_by_class *c)
{
    size_t *const counts = calloc(c->table.count, sizeof *counts);
    for (int32_t i = 0; counts && i < c->clusters; i++) {
        CLUMP_ASSERT(c->row_of[c->found[i]] < c->table.count); /* only points of rows are in clusters */
        counts[c->first[c->row_of[c->found[i]]]]++;
    }
    return counts;
}

void cli_put_by_class_settings(cli_json *j, const cli_cluster *s)
{
    cli_json_text(j, "classes", s->classes);
    cli_json_text(j, "class_of", s->class_of);
}

void cli_oversize_add(cli_oversize *sum, const clump_stats *s)
{
    sum->dropped += s->oversize_dropped;
    sum->points += s->oversize_points;
    sum->kept += s->oversize_kept;
    sum->split += s->oversize_split;
}

void cli_put_oversize(cli_json *j, const cli_oversize *o)
{
    cli_json_open(j, "oversize", '{');
    cli_json_count(j, "dropped", o->dropped);
    cli_json_count(j, "dropped_points", o->points);
    cli_json_count(j, "kept", o->kept);
    cli_json_count(j, "split", o->split);
    cli_json_close(j, '}');
}

void cli_print_oversize(FILE *to, const char *label, const cli_oversize *o)
{
    if (o->dropped + o->kept + o->split == 0) return;
    fprintf(to, "%s%" PRIu64 " dropped (%" PRIu64 " points are noise), %" PRIu64 " kept, %" PRIu64 " split\n", label,
            o->dropped, o->points, o->kept, o->split);
}

void cli_put_by_class(cli_json *j, const cli_by_class *c, const clump_stats *s)
{
    cli_json_open(j, "classes", '{');
    size_t *const counts = count_clusters(c);
    for (size_t k = 0; counts && k < c->table.count; k++)
        if (counts[k] > 0) cli_json_count(j, c->table.rows[k].name, counts[k]);
    free(counts);
    cli_json_close(j, '}');
    cli_oversize oversize = {0};
    cli_oversize_add(&oversize, s);
    cli_put_oversize(j, &oversize);
}

void cli_print_by_class(FILE *to, const cli_by_class *c, const clump_stats *s)
{
    bool any = false;
    size_t *const counts = count_clusters(c);
    for (size_t k = 0; counts && k < c->table.count; k++) {
        if (counts[k] > 0) fprintf(to, "%s%s %zu", any ? ", " : "classes  ", c->table.rows[k].name, counts[k]);
        any = any || counts[k] > 0;
    }
    free(counts);
    if (any) fputc('\n', to);
    cli_oversize oversize = {0};
    cli_oversize_add(&oversize, s);
    cli_print_oversize(to, "oversize ", &oversize);
}

void cli_by_class_share(cli_by_class *to, const cli_by_class *from)
{
    to->table = from->table;
    to->row_of = from->row_of;
    to->first = from->first;
    to->shared = true;
}

void cli_by_class_release(cli_by_class *c)
{
    free(c->of);
    free(c->found);
    if (!c->shared) {
        clump_class_table_free(&c->table);
        free(c->row_of);
        free(c->first);
    }
    *c = (cli_by_class){0};
}
