/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan.c: see job.h.
 *
 *     head | text | table of tiles | first tiles of the ranks, where there are several        with a checksum of everything
 */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PLAN_MAGIC UINT64_C(0x34306e616c706c63) /* "clplan04": of the plan, the log and the results */

typedef struct plan_head {
    uint64_t magic, fingerprint, count, blocks;
    clump_big_frame frame;
    clump_big_map map; /* its pointers mean nothing */
    uint64_t text_bytes, cells;
    uint64_t sum; /* checksum of everything, with 0 here */
} plan_head;

/* ----- text ----------------------------------------------------------------------------------------------------------- */

/* Adds a line with a text of the user. Control characters become \xNN, so that it stays one line. */
static void add_name(FILE *to, const char *word, const char *name)
{
    fprintf(to, "%s ", word);
    for (const char *at = name; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '\\')
            fputs("\\\\", to);
        else if (c >= ' ' && c != 0x7f)
            fputc(c, to);
        else
            fprintf(to, "\\x%02x", (unsigned)c);
    }
    fputc('\n', to);
}

/* Adds the shortest text that reads back as the same number. */
static void add_number(FILE *to, double value, bool is_float)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) break;
    }
    fprintf(to, " %s", text);
}

/* Adds the table of classes. */
static void add_classes(FILE *to, const clump_big_options *o)
{
    fprintf(to, "classes %zu\n", o->classes ? o->classes->count : 0);
    if (!o->classes) return;
    for (size_t k = 0; o->class_fields[k]; k++) add_name(to, "class-of", o->class_fields[k]);
    for (size_t k = 0; k < o->classes->count; k++) {
        const clump_class *const row = &o->classes->rows[k];
        fprintf(to, "class %d group %d radius", row->id, row->group);
        add_number(to, (double)row->radius, true);
        fprintf(to, " min %zu max %zu%s%s %s\n", row->min_size, row->max_size, row->two_d ? " 2d" : "",
                row->stuff ? " stuff" : "", clump_oversize_name(row->oversize));
    }
}

static void add_ground(FILE *to, const clump_ground_options *g)
{
    fprintf(to, "remove-ground %d\n", g != NULL);
    if (!g) return;
    fprintf(to, "slope");
    add_number(to, (double)g->slope, true);
    fprintf(to, "\nsigma");
    add_number(to, (double)g->sigma, true);
    fprintf(to, "\ntile");
    add_number(to, (double)g->tile, true);
    fprintf(to, "\n");
}

static void add_parameters(FILE *to, const char *const *inputs, size_t count, const clump_joint_settings *s,
                           const clump_big_options *o)
{
    static const char *const frames[] = {"auto", "whole", "steps"};
    fputs(s->min_points > 0 ? "method dbscan\n" : "method ec\n", to);
    for (size_t i = 0; i < count; i++) add_name(to, "input", inputs[i]);
    fprintf(to, "d");
    add_number(to, (double)s->d, true);
    fprintf(to, "\nmin-points %zu\n", s->min_points);
    fprintf(to, "order %s\ntwo-d %d\nno-border %d\n", s->order == CLUMP_ORDER_SIZE ? "size" : "index", s->two_d,
            s->no_border_points);
    fprintf(to, "min-size %zu\nmax-size %zu\nthin", s->min_size, s->max_size);
    add_number(to, (double)o->thin, true);
    fprintf(to, "\nframe %s\nstep", frames[o->frame]);
    add_number(to, o->step, false);
    fprintf(to, "\nformat %d\n", (int)o->format);
    add_name(to, "columns", o->columns ? o->columns : "-");
    fprintf(to, "drop-class");
    for (int c = 0; c < 256 && o->drop_classes; c++)
        if (o->drop_classes[c]) fprintf(to, " %d", c);
    fprintf(to, "\ncrop");
    for (int i = 0; i < 6 && o->crop; i++) add_number(to, o->crop[i], false);
    fprintf(to, "\nclusters %d\nranks %d\n", o->clusters != NULL, o->peers ? o->peers->count : 1);
    add_classes(to, o);
    add_ground(to, o->ground);
}

/* How clusters are described: the work folder does not depend on it. */
static void add_described(FILE *to, const clump_big_options *o)
{
    fprintf(to, "axes %d\nhull %d\nsensor", o->axes, o->hull);
    for (int a = 0; a < 3; a++) add_number(to, o->sensor[a], false);
    fprintf(to, "\n");
}

clump_status clump_big_plan_text(const char *const *inputs, size_t count, const clump_joint_settings *s,
                                 const clump_big_options *o, char **text, clump_message *message)
{
    size_t size;
    *text = NULL;
    FILE *const to = open_memstream(text, &size);
    if (!to) return clump_big_no_memory(message, 1);
    if (!inputs) fprintf(to, "version %s\n", clump_version());
    add_parameters(to, inputs, count, s, o);
    if (!inputs) add_described(to, o);
    const bool written = !ferror(to);
    if (fclose(to) == 0 && written) return CLUMP_OK;
    free(*text);
    *text = NULL;
    return clump_big_no_memory(message, size);
}

void clump_big_plan_difference(const char *was, const char *is, char *out, size_t size)
{
    while (*was && *is) {
        const size_t a = strcspn(was, "\n"), b = strcspn(is, "\n");
        if (a != b || memcmp(was, is, a) != 0) {
            const size_t word = strcspn(is, " \n"), skip = is[word] == ' ' ? word + 1 : word;
            const bool alike = strncmp(was, is, word) == 0;
            if (alike && skip == b)
                snprintf(out, size, "%.*s instead of none", (int)a, was);
            else
                snprintf(out, size, "%.*s instead of %.*s", (int)a, was, (int)(alike ? b - skip : b),
                         alike ? is + skip : is);
            return;
        }
        was += a + (was[a] != 0), is += b + (is[b] != 0);
    }
    snprintf(out, size, "other parameters");
}

const char *clump_big_plan_changed(const clump_big_disk *disk, const clump_reader *reader)
{
    struct stat plan, file;
    const char *path;
    const bool known = fstatat(disk->folder, CLUMP_BIG_PLAN_NAME, &plan, 0) == 0;
    for (size_t k = 0; clump_reader_file(reader, k, &path, NULL, NULL); k++) {
        if (!known || stat(path, &file) != 0) continue;
        if (file.st_mtim.tv_sec > plan.st_mtim.tv_sec ||
            (file.st_mtim.tv_sec == plan.st_mtim.tv_sec && file.st_mtim.tv_nsec > plan.st_mtim.tv_nsec))
            return path;
    }
    return clump_reader_describe(reader).files == 1 && clump_reader_file(reader, 0, &path, NULL, NULL) ? path : NULL;
}

/* ----- file ----------------------------------------------------------------------------------------------------------- */

clump_status clump_big_plan_save(clump_big_job *job, const char *text, uint64_t fingerprint, clump_message *message)
{
    const size_t text_bytes = (strlen(text) + 8) / 8 * 8, cells = clump_big_map_cells(&job->map);
    const size_t ranks = clump_big_ranks(job) > 1 ? ((size_t)clump_big_ranks(job) + 1) * sizeof *job->first_tile : 0;
    const size_t tiles = cells * sizeof *job->map.tiles, bytes = sizeof(plan_head) + text_bytes + tiles + ranks;
    unsigned char *const data = calloc(bytes, 1);
    if (!data) return clump_big_no_memory(message, bytes);
    plan_head *const head = (plan_head *)(void *)data;
    head->magic = PLAN_MAGIC;
    head->fingerprint = fingerprint;
    head->count = job->info.count, head->blocks = job->info.blocks;
    head->frame = job->frame;
    head->map = job->map;
    head->text_bytes = text_bytes;
    head->cells = cells;
    memcpy(data + sizeof *head, text, strlen(text));
    memcpy(data + sizeof *head + text_bytes, job->map.tiles, tiles);
    memcpy(data + sizeof *head + text_bytes + tiles, job->first_tile, ranks);
    head->sum = clump_big_checksum(data, bytes);
    const clump_status status = clump_big_disk_replace(&job->disk, CLUMP_BIG_PLAN_NAME, data, bytes, message);
    free(data);
    return status;
}

static bool is_sound(unsigned char *data, size_t size, plan_head *head)
{
    if (size < sizeof *head) return false;
    memcpy(head, data, sizeof *head);
    if (head->magic != PLAN_MAGIC) return false;
    memset(data + offsetof(plan_head, sum), 0, sizeof head->sum);
    return head->sum == clump_big_checksum(data, size);
}

void clump_big_plan_release(clump_big_plan *plan)
{
    free(plan->data);
    clump_big_map_release(&plan->map);
    *plan = (clump_big_plan){0};
}

clump_status clump_big_plan_load(clump_big_disk *disk, clump_big_plan *out, clump_message *message)
{
    unsigned char *data;
    size_t size;
    plan_head head;
    *out = (clump_big_plan){0};
    CLUMP_BIG_TRY(clump_big_disk_load(disk, CLUMP_BIG_PLAN_NAME, &data, &size, message));
    if (!data) return CLUMP_OK;
    if (!is_sound(data, size, &head)) {
        const bool other = size >= sizeof head && head.magic >> 56 != PLAN_MAGIC >> 56 &&
                           head.magic << 8 == PLAN_MAGIC << 8; /* the last digit differs */
        free(data);
        return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                              "%.300s/" CLUMP_BIG_PLAN_NAME ": %s; remove the folder to start from the beginning",
                              disk->path, other ? "made by another version of clump" : "damaged");
    }
    const size_t bytes = (size_t)head.cells * sizeof *out->map.tiles, before = sizeof head + (size_t)head.text_bytes;
    out->fingerprint = head.fingerprint, out->count = head.count, out->blocks = head.blocks;
    out->frame = head.frame;
    out->map = head.map;
    out->data = data;
    out->text = (const char *)data + sizeof head;
    out->first_tile = (const uint32_t *)(const void *)(data + before + bytes);
    out->ranks = size > before + bytes ? (size - before - bytes) / sizeof *out->first_tile - 1 : 1;
    out->map.tiling.tiles = out->map.tiles = malloc(bytes + 1);
    out->found = out->map.tiles;
    if (!out->found) return clump_big_plan_release(out), clump_big_no_memory(message, bytes);
    memcpy(out->map.tiles, data + before, bytes);
    return CLUMP_OK;
}
