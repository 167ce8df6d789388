/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_convert.c: `clump convert A B`. Only the library knows what a format can hold. So B is read back
 * and compared with A, which finds every loss in every format.
 */
#include "base/cli.h"
#include "commands/options.h"
#include "base/json.h"
#include "files/output.h"

#include <stdlib.h>
#include <sys/stat.h>

typedef struct settings {
    const char *format, *to, *labels, *columns;
    bool ascii, binary, compressed, big_endian, json, quiet, partial;
} settings;

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_OPTION(CLI_SWITCH, 0, "ascii", NULL, AT(ascii), .matters = true, .help = "write text where B can be either"),
    CLI_OPTION(CLI_SWITCH, 0, "binary", NULL, AT(binary), .help = "write binary where B can be either (the default)"),
    CLI_OPTION(CLI_SWITCH, 0, "compressed", NULL, AT(compressed), .matters = true,
               .help = "write compressed binary (.pcd)"),
    CLI_OPTION(CLI_SWITCH, 0, "big-endian", NULL, AT(big_endian),
               .help = "write binary with the most significant byte first (.ply)"),
    CLI_OPTION(CLI_FILE, 0, "labels", "FILE", AT(labels), .matters = true,
               .help =
                   "attach a file of labels to A: field 'label' (.labels .npy), or 'semantic' and 'instance' (.label)"),
    CLI_INPUT_OPTIONS(settings, "A"),
    CLI_TO_OPTION(settings, "B"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print nothing, not even what was lost"),
    {0}};
#undef AT

/* Returns the field "label" as int32 values; the caller frees them. Null: prints why there are none. */
static int32_t *labels_of(const char *path, const clump_cloud *cloud)
{
    clump_field f;
    if (!clump_cloud_find(cloud, "label", &f))
        return cli_fail("%s: has no field 'label' to write as .labels", path), NULL;
    const size_t count = clump_cloud_points(cloud).count;
    int32_t *labels = cli_allocate(count, sizeof *labels);
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

static void print(const settings *s, const char *a, const char *b, size_t points, const cli_losses *l)
{
    if (s->json) {
        cli_json j = cli_json_begin(stdout, "convert");
        cli_json_text(&j, "input", a);
        cli_json_text(&j, "output", b);
        cli_json_count(&j, "points", points);
        cli_json_text(&j, "lost", l->text);
        cli_json_end(&j);
    } else if (!s->quiet && !cli_is_dash(b)) {
        printf("%s: %zu point%s\n", b, points, points == 1 ? "" : "s");
    }
    if (l->used && !s->quiet) cli_warn("%s: could not hold everything that is in %s: %s", b, a, l->text);
}

/* Whether the file can be read back: a pipe cannot. */
static bool is_readable(const char *path)
{
    struct stat about;
    return !cli_is_dash(path) && stat(path, &about) == 0 && S_ISREG(about.st_mode);
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
    cli_losses l = {0};
    clump_format_info info;
    if (clump_format_describe(format, &info) && info.holds_points && is_readable(b)) {
        clump_cloud *back =
            cli_load(&(cli_input){.path = b, .format = info.name, .quiet = s->quiet, .own_notes = true});
        if (!back) return CLI_FAILED;
        cli_find_losses(cloud, back, &l);
        clump_cloud_destroy(back);
    }
    print(s, a, b, clump_cloud_points(cloud).count, &l);
    return CLI_DONE;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {0};
    const char *paths[2] = {NULL, NULL};
    CLI_TRY(cli_parse(self, argc, argv, &s, paths));
    if (s.ascii + s.binary + s.compressed + s.big_endian > 1)
        return cli_usage(self, "--ascii, --binary, --compressed and --big-endian exclude each other");
    clump_format format;
    CLI_TRY(cli_check_cloud_output(self, NULL, paths[1], s.to, &format));
    if (s.labels && cli_is_dash(paths[0]) && cli_is_dash(s.labels))
        return cli_usage(self, "A and --labels cannot both be standard input");
    if (cli_is_dash(paths[1]) && s.json) return cli_usage(self, "- and --json both want standard output");
    clump_cloud *cloud = cli_load(CLI_INPUT(&s, .path = paths[0], .labels = s.labels, .quiet = s.quiet));
    if (!cloud) return CLI_FAILED;
    const int result = convert(&s, paths[0], paths[1], format, cloud);
    clump_cloud_destroy(cloud);
    return result;
}

const cli_command cli_cmd_convert = {
    .name = "convert",
    .operands = "A B",
    .usage = "A B [options]",
    .brief = "write cloud A as B, in the format that the ending of B tells",
    .about = "Keeps every field that B can hold, reads B back, and says what it could not\n"
             "hold. A is any of" CLI_MORE_POINTS ".\n"
             "B is any of these, or a file of labels alone: .labels for the field 'label',\n"
             ".label for 'semantic' and 'instance'. - is standard input or output.\n",
    .examples = "clump convert scan.bin scan.pcd\n"
                "clump convert labelled.pcd labelled.csv\n"
                "clump convert scan.pcd small.pcd --compressed\n"
                "clump convert 000000.bin truth.pcd --labels 000000.label\n"
                "clump convert survey.laz - --to pcd | other-program\n",
    .options = option_rows,
    .run = run_command,
};
