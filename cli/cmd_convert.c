/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_convert.c: `clump convert A B`. What a format can hold is known to the library alone, so B is
 * read back and compared with A: that finds every loss, whatever the format.
 */
#include "cli.h"
#include "json.h"
#include "output.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *format;
    bool ascii, binary, json, quiet;
} settings;

#define AT(member) offsetof(settings, member)
const cli_option cli_convert_options[] = {
    {.kind = CLI_SWITCH, .name = "ascii", .target = AT(ascii), .help = "write text where B can be either"},
    {.kind = CLI_SWITCH,
     .name = "binary",
     .target = AT(binary),
     .help = "write binary where B can be either (the default)"},
    {.kind = CLI_CHOICE,
     .name = "format",
     .argument = "NAME",
     .target = AT(format),
     .choices = cli_readable_format,
     .help = "format of A if it cannot be guessed"},
    {.kind = CLI_SWITCH, .name = "json", .target = AT(json), .help = "print one JSON object instead of text"},
    {.kind = CLI_SWITCH,
     .letter = 'q',
     .name = "quiet",
     .target = AT(quiet),
     .help = "print nothing, not even what was lost"},
    {0}};
#undef AT

/* What B does not hold of A, as a list of words; "" when nothing is missing. */
typedef struct losses {
    char text[512];
    size_t used;
} losses;

static void lose(losses *l, const char *what)
{
    if (l->used >= sizeof l->text) return;
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s", l->used ? ", " : "", what);
}

static size_t columns(const clump_cloud *cloud)
{
    size_t sum = 0;
    clump_field field;
    for (size_t i = 0; clump_cloud_field(cloud, i, &field); i++) sum += field.count;
    return sum;
}

static bool same_coordinates(const clump_cloud *a, const clump_cloud *b)
{
    const clump_points p = clump_cloud_points(a), q = clump_cloud_points(b);
    const double *oa = clump_cloud_origin(a), *ob = clump_cloud_origin(b);
    const size_t sp = p.stride ? p.stride / sizeof(float) : 3, sq = q.stride ? q.stride / sizeof(float) : 3;
    if (p.count != q.count) return false;
    for (size_t i = 0; i < p.count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            const float x = p.xyz[i * sp + axis], y = q.xyz[i * sq + axis];
            /* x and y in file coordinates, compared as precisely as A knows them */
            if (x == y && oa[axis] == ob[axis]) continue;
            if (isnan(x) && isnan(y)) continue;
            if ((float)((double)y + ob[axis] - oa[axis]) != x) return false;
        }
    }
    return true;
}

static void compare(const clump_cloud *a, const clump_cloud *b, losses *l)
{
    if (clump_cloud_points(a).count != clump_cloud_points(b).count)
        lose(l, "some points");
    else if (!same_coordinates(a, b))
        lose(l, "digits of the coordinates");
    /* Text without a header keeps the values and loses the names. */
    const bool renamed = columns(a) > 0 && columns(a) == columns(b);
    bool names = false;
    clump_field field, other;
    for (size_t i = 0; clump_cloud_field(a, i, &field); i++) {
        if (clump_cloud_find(b, field.name, &other)) continue;
        if (renamed)
            names = true;
        else
            lose(l, field.name);
    }
    if (names) lose(l, "names of fields");
    const clump_cloud_info shape = clump_cloud_describe(a);
    if (shape.height > 1 && clump_cloud_describe(b).height != shape.height) lose(l, "rows of the scan");
}

/* The field "label" as int32, for .labels. Null and a sentence when there is none. */
static int32_t *labels_of(const char *path, const clump_cloud *cloud)
{
    clump_field f;
    if (!clump_cloud_find(cloud, "label", &f))
        return cli_fail("%s: has no field 'label' to write as .labels", path), NULL;
    const size_t count = clump_cloud_points(cloud).count;
    int32_t *labels = malloc((count ? count : 1) * sizeof *labels);
    if (!labels) return cli_fail("not enough memory for %zu labels", count), NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * f.count;
        double value = 0;
        switch (f.type) {
        case CLUMP_TYPE_I8:
            value = ((const int8_t *)f.data)[at];
            break;
        case CLUMP_TYPE_U8:
            value = ((const uint8_t *)f.data)[at];
            break;
        case CLUMP_TYPE_I16:
            value = ((const int16_t *)f.data)[at];
            break;
        case CLUMP_TYPE_U16:
            value = ((const uint16_t *)f.data)[at];
            break;
        case CLUMP_TYPE_I32:
            value = ((const int32_t *)f.data)[at];
            break;
        case CLUMP_TYPE_U32:
            value = ((const uint32_t *)f.data)[at];
            break;
        case CLUMP_TYPE_I64:
            value = (double)((const int64_t *)f.data)[at];
            break;
        case CLUMP_TYPE_U64:
            value = (double)((const uint64_t *)f.data)[at];
            break;
        case CLUMP_TYPE_F32:
            value = (double)((const float *)f.data)[at];
            break;
        case CLUMP_TYPE_F64:
            value = ((const double *)f.data)[at];
            break;
        }
        if (!(value >= INT32_MIN && value <= INT32_MAX) || value != (double)(int32_t)value) {
            free(labels);
            return cli_fail("%s: point %zu: label %g is not an int32", path, i, value), NULL;
        }
        labels[i] = (int32_t)value;
    }
    return labels;
}

static void print(const settings *s, const char *a, const char *b, size_t points, const losses *l)
{
    if (s->json) {
        cli_json j = {.file = stdout};
        cli_json_open(&j, NULL, '{');
        cli_json_text(&j, "command", "convert");
        cli_json_text(&j, "input", a);
        cli_json_text(&j, "output", b);
        cli_json_count(&j, "points", points);
        cli_json_text(&j, "lost", l->text);
        cli_json_close(&j, '}');
        putchar('\n');
    } else if (!s->quiet) {
        printf("%s: %zu points\n", b, points);
    }
    if (l->used && !s->quiet) cli_warn("%s: could not hold everything that is in %s: %s", b, a, l->text);
}

static int convert(const settings *s, const char *a, const char *b, const cli_format *format, const clump_cloud *cloud)
{
    clump_save_options options = clump_save_defaults();
    options.format = format->format;
    if (s->ascii) options.encoding = CLUMP_ENCODING_ASCII;
    if (s->binary) options.encoding = CLUMP_ENCODING_BINARY;
    int32_t *labels = NULL;
    const bool labels_only = format->format == CLUMP_FORMAT_LABELS;
    if (labels_only && !(labels = labels_of(a, cloud))) return CLI_FAILED;

    cli_progress progress;
    cli_progress_begin(&progress, "converting", 2, s->quiet);
    clump_message message = {0};
    clump_status status = clump_cloud_save(b, cloud, labels, &options, &message);
    free(labels);
    cli_progress_step(&progress, 1);
    losses l = {0};
    clump_cloud *back = NULL;
    if (status == CLUMP_OK && !labels_only && cli_format_of(b)) {
        clump_load_options load = clump_load_defaults();
        load.format = format->format;
        status = clump_cloud_load(b, &load, &back, &message);
        if (status == CLUMP_OK) compare(cloud, back, &l);
    }
    cli_progress_end(&progress);
    clump_cloud_destroy(back);
    if (status != CLUMP_OK) return cli_fail_message(b, status, &message);
    print(s, a, b, clump_cloud_points(cloud).count, &l);
    return CLI_DONE;
}

int cli_convert(const cli_command *self, int argc, char **argv)
{
    settings s = {0};
    const char *paths[2] = {NULL, NULL};
    const cli_parsed parsed = cli_parse(self, argc, argv, &s, paths);
    if (parsed != CLI_PARSED_RUN) return CLI_EXIT_STATUS(parsed);
    if (s.ascii && s.binary) return cli_usage(self, "--ascii and --binary cannot both be");
    const cli_format *format;
    const int status = cli_check_cloud_output(self, NULL, paths[1], &format);
    if (status != CLI_DONE) return status;
    clump_cloud *cloud = cli_load(paths[0], s.format);
    if (!cloud) return CLI_FAILED;
    const int result = convert(&s, paths[0], paths[1], format, cloud);
    clump_cloud_destroy(cloud);
    return result;
}
