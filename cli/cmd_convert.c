/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_convert.c: `clump convert A B`. What a format can hold is known to the library alone, so B is
 * read back and compared with A: that finds every loss, whatever the format.
 */
#include "cli.h"
#include "json.h"
#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *format, *to, *labels;
    bool ascii, binary, compressed, big_endian, json, quiet;
} settings;

#define AT(member) offsetof(settings, member)
const cli_option cli_convert_options[] = {
    {.kind = CLI_SWITCH, .name = "ascii", .target = AT(ascii), .help = "write text where B can be either"},
    {.kind = CLI_SWITCH,
     .name = "binary",
     .target = AT(binary),
     .help = "write binary where B can be either (the default)"},
    {.kind = CLI_SWITCH, .name = "compressed", .target = AT(compressed), .help = "write compressed binary (.pcd)"},
    {.kind = CLI_SWITCH,
     .name = "big-endian",
     .target = AT(big_endian),
     .help = "write binary with the most significant byte first (.ply)"},
    {.kind = CLI_FILE,
     .name = "labels",
     .argument = "FILE",
     .target = AT(labels),
     .help = "attach a file of labels to A: field 'label' (.labels .npy), or 'semantic' and 'instance' (.label)"},
    {.kind = CLI_CHOICE,
     .name = "format",
     .argument = "NAME",
     .target = AT(format),
     .choices = cli_readable_format,
     .help = "format of A if it cannot be guessed"},
    {.kind = CLI_CHOICE,
     .name = "to",
     .argument = "NAME",
     .target = AT(to),
     .choices = cli_writable_format,
     .help = "format of B, if not by its ending"},
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

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Text and LAS have decimals where A has binary numbers. A float32 is held by as many digits as tell it from
 * others, and a double by those that every double has, 15. */
static bool same_coordinates(const clump_cloud *a, const clump_cloud *b, bool decimal)
{
    const bool narrow = decimal && clump_cloud_describe(a).xyz_type == CLUMP_TYPE_F32;
    const size_t count = clump_cloud_points(a).count;
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double x = clump_cloud_coordinate(a, i, axis), y = clump_cloud_coordinate(b, i, axis);
            if (same_number(x, narrow ? (double)(float)y : y)) continue;
            if (!decimal || !(fabs(x - y) <= 0x1p-50 * fabs(x))) return false;
        }
    return true;
}

/* The types may differ, the numbers not; but float64 of few digits in text is read back as float32, and the
 * text has lost nothing. */
static bool same_values(const clump_field *a, const clump_field *b, size_t count, bool text)
{
    if (a->count != b->count) return false;
    const bool narrowed = text && a->type == CLUMP_TYPE_F64 && b->type == CLUMP_TYPE_F32;
    if (a->type == b->type && memcmp(a->data, b->data, count * a->count * clump_type_size(a->type)) == 0) return true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < a->count; k++) {
            const double x = clump_field_value(a, i, k);
            if (!same_number(narrowed ? (double)(float)x : x, clump_field_value(b, i, k))) return false;
        }
    return true;
}

static void compare(const clump_cloud *a, const clump_cloud *b, losses *l)
{
    const size_t count = clump_cloud_points(a).count;
    if (count != clump_cloud_points(b).count) {
        lose(l, "some points");
        return;
    }
    const clump_format format = clump_cloud_describe(b).format;
    const bool text = format == CLUMP_FORMAT_TEXT;
    if (!same_coordinates(a, b, text || format == CLUMP_FORMAT_LAS)) lose(l, "digits of the coordinates");
    /* Arrays keep the values and lose the names; so does text, of fields with several elements. */
    const bool renamed = (text || format == CLUMP_FORMAT_NPY) && columns(a) == columns(b);
    bool names = false;
    clump_field field, other;
    for (size_t i = 0; clump_cloud_field(a, i, &field); i++) {
        if (!clump_cloud_find(b, field.name, &other)) {
            if (renamed)
                names = true;
            else
                lose(l, field.name);
        } else if (!same_values(&field, &other, count, text)) {
            char lost[96];
            snprintf(lost, sizeof lost, "digits of %.64s", field.name);
            lose(l, lost);
        }
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
        const double value = clump_field_value(&f, i, 0);
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
    } else if (!s->quiet && !cli_is_stdout(b)) {
        printf("%s: %zu points\n", b, points);
    }
    if (l->used && !s->quiet) cli_warn("%s: could not hold everything that is in %s: %s", b, a, l->text);
}

/* B read again, to see what it holds; null when that cannot be seen. */
static clump_cloud *read_back(const settings *s, const char *b, clump_format format)
{
    if (cli_is_stdout(b) || clump_format_of_path(b) == CLUMP_FORMAT_GUESS) return NULL;
    return cli_load(&(cli_input){.path = b, .format = clump_format_name(format), .quiet = s->quiet, .own_notes = true});
}

static int convert(const settings *s, const char *a, const char *b, clump_format format, const clump_cloud *cloud)
{
    const clump_encoding encoding = s->ascii        ? CLUMP_ENCODING_ASCII
                                    : s->binary     ? CLUMP_ENCODING_BINARY
                                    : s->compressed ? CLUMP_ENCODING_COMPRESSED
                                    : s->big_endian ? CLUMP_ENCODING_BIG_ENDIAN
                                                    : CLUMP_ENCODING_DEFAULT;
    int32_t *labels = NULL;
    clump_field field;
    const bool objects = format == CLUMP_FORMAT_SEMANTICKITTI && !clump_cloud_find(cloud, "instance", &field) &&
                         clump_cloud_find(cloud, "label", &field); /* clusters become instances */
    if ((format == CLUMP_FORMAT_LABELS || objects) && !(labels = labels_of(a, cloud))) return CLI_FAILED;
    const int status = cli_save(b, cloud, labels, format, encoding, s->quiet);
    free(labels);
    if (status != CLI_DONE) return status;
    losses l = {0};
    clump_format_info info;
    if (clump_format_describe(format, &info) && info.holds_points) {
        clump_cloud *back = read_back(s, b, format);
        if (back) compare(cloud, back, &l);
        clump_cloud_destroy(back);
    }
    print(s, a, b, clump_cloud_points(cloud).count, &l);
    return CLI_DONE;
}

int cli_convert(const cli_command *self, int argc, char **argv)
{
    settings s = {0};
    const char *paths[2] = {NULL, NULL};
    const cli_parsed parsed = cli_parse(self, argc, argv, &s, paths);
    if (parsed != CLI_PARSED_RUN) return CLI_EXIT_STATUS(parsed);
    if (s.ascii + s.binary + s.compressed + s.big_endian > 1)
        return cli_usage(self, "--ascii, --binary, --compressed and --big-endian exclude each other");
    clump_format format;
    const int status = cli_check_cloud_output(self, NULL, paths[1], s.to, &format);
    if (status != CLI_DONE) return status;
    if (cli_is_stdout(paths[1]) && s.json) return cli_usage(self, "- and --json both want standard output");
    clump_cloud *cloud =
        cli_load(&(cli_input){.path = paths[0], .format = s.format, .labels = s.labels, .quiet = s.quiet});
    if (!cloud) return CLI_FAILED;
    const int result = convert(&s, paths[0], paths[1], format, cloud);
    clump_cloud_destroy(cloud);
    return result;
}
