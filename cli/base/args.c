/* SPDX-License-Identifier: BSD-3-Clause
 *
 * args.c: the option parser, see args.h. Accepts --name VALUE, --name=VALUE, -d VALUE, -dVALUE and
 * bundled switches. An option with a value takes the next word, even if that begins with a dash:
 * --sensor -1,0,2 needs no quoting.
 */
#include "base/args.h"
#include "common/assert.h"

#include "base/cli.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One option on the command line: its row of the table, and its spelling for messages. */
typedef struct given {
    const cli_command *command;
    const cli_option *option;
    char spelling[40]; /* "-d" or "--distance" */
    const char *value;
} given;

static const cli_option help_option = {.kind = CLI_SWITCH, .letter = 'h', .name = "help"};

/* --- values --------------------------------------------------------------------------------------- */

static bool read_double(const char *text, const char **end, double *value)
{
    char *after;
    *value = strtod(text, &after);
    *end = after;
    return after != text;
}

/* Reads `count` numbers separated by commas, with nothing after them. */
static bool read_list(const char *text, size_t count, double *values)
{
    CLUMP_ASSERT(count >= 1);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && *text++ != ',') return false;
        if (!read_double(text, &text, &values[i]) || isnan(values[i])) return false;
    }
    return *text == '\0';
}

static bool set_count(const given *g, size_t *target)
{
    const char *text = g->value;
    size_t value = 0;
    bool whole = *text != '\0', fits = true;
    for (; whole && *text; text++) {
        whole = *text >= '0' && *text <= '9';
        const size_t digit = (size_t)(*text - '0');
        if (whole && value > (SIZE_MAX - 1 - digit) / 10) fits = false;
        if (whole) value = value * 10 + digit;
    }
    if (!whole) return cli_usage(g->command, "%s: '%s' is not a whole number", g->spelling, g->value), false;
    if (fits && value < g->option->least)
        return cli_usage(g->command, "%s must be at least %zu, not %s", g->spelling, g->option->least, g->value), false;
    if (g->option->most > 0 && (!fits || value > g->option->most))
        return cli_usage(g->command, "%s must be at most %zu, not %s", g->spelling, g->option->most, g->value), false;
    if (!fits) return cli_usage(g->command, "%s %s is too large", g->spelling, g->value), false;
    *target = value;
    return true;
}

/* Reads bytes: "8G", "1.5G", "512M", "4096". */
static bool set_size(const given *g, size_t *target)
{
    static const char units[] = "KMGT";
    const char *end;
    double number;
    const bool plain = read_double(g->value, &end, &number) && g->value[strspn(g->value, "0123456789.")] == *end;
    const char *const unit = plain && *end ? strchr(units, *end >= 'a' ? *end - 32 : *end) : NULL;
    const bool whole = *end == '\0' || (unit && (end[1] == '\0' || ((end[1] == 'B' || end[1] == 'b') && !end[2])));
    if (!plain || !whole)
        return cli_usage(g->command, "%s: '%s' is not a size such as 8G, 512M or 64K", g->spelling, g->value), false;
    for (const char *u = units; unit && u <= unit; u++) number *= 1024;
    if (!(number >= 1)) return cli_usage(g->command, "%s must be greater than 0, not %s", g->spelling, g->value), false;
    if (!(number < 0x1p63)) return cli_usage(g->command, "%s %s is too large", g->spelling, g->value), false;
    *target = (size_t)number;
    return true;
}

static bool parse_number(const given *g, double *number)
{
    const char *end;
    if (read_double(g->value, &end, number) && *end == '\0' && !isnan(*number)) return true;
    return cli_usage(g->command, "%s: '%s' is not a number", g->spelling, g->value), false;
}

static bool set_number(const given *g, double *target)
{
    if (!parse_number(g, target)) return false;
    if (*target < 0) return cli_usage(g->command, "%s must not be negative, as %s is", g->spelling, g->value), false;
    return true;
}

static bool set_float(const given *g, float *target)
{
    double number;
    if (!set_number(g, &number)) return false;
    *target = (float)number;
    return true;
}

static bool set_int(const given *g, int *target)
{
    size_t number;
    if (!set_count(g, &number)) return false;
    CLUMP_ASSERT(number <= INT_MAX);
    *target = (int)number;
    return true;
}

static bool set_radius(const given *g, float *target)
{
    double number;
    if (!parse_number(g, &number)) return false;
    if (number < 0 || (number == 0 && !strpbrk(g->value, "123456789"))) /* 1e-400 is not 0, only too small */
        return cli_usage(g->command, "%s must be greater than 0, not %s", g->spelling, g->value), false;
    if (isinf(number) && strpbrk(g->value, "iI"))
        return cli_usage(g->command, "%s must be finite, not %s", g->spelling, g->value), false;
    *target = strtof(g->value, NULL); /* rounded once; through double it would be rounded twice */
    if (!isnormal(*target * *target))
        return cli_usage(g->command, "%s %s is too %s: it must lie between 1.1e-19 and 1.8e19", g->spelling, g->value,
                         number < 1 ? "small" : "large"),
               false;
    return true;
}

/* Sets `count` numbers with commas between them, each as set_radius does. The list has been read by read_list. */
static bool set_radii(const given *g, size_t count, float *target)
{
    const char *text = g->value;
    for (size_t i = 0; i < count; i++) {
        char part[64];
        const size_t length = strcspn(text, ",");
        if (length >= sizeof part) return cli_usage(g->command, "%s: '%s' is too long", g->spelling, text), false;
        memcpy(part, text, length);
        part[length] = '\0';
        given one = *g;
        one.value = part;
        if (!set_radius(&one, &target[i])) return false;
        text += length + 1;
    }
    return true;
}

static bool set_lengths(const given *g, float *target)
{
    double numbers[2];
    target[1] = 0;
    if (!strchr(g->value, ',')) return set_radius(g, target);
    if (!read_list(g->value, 2, numbers))
        return cli_usage(g->command, "%s: '%s' is not one length or two, x,y", g->spelling, g->value), false;
    return set_radii(g, 2, target);
}

static bool set_factors(const given *g, cli_factors *target)
{
    size_t count = 1;
    double numbers[CLI_FACTORS_MOST];
    for (const char *c = g->value; *c; c++) count += *c == ',';
    if (count > CLI_FACTORS_MOST)
        return cli_usage(g->command, "%s: '%s' has %zu numbers, there may be %d", g->spelling, g->value, count,
                         CLI_FACTORS_MOST),
               false;
    if (!read_list(g->value, count, numbers))
        return cli_usage(g->command, "%s: '%s' is not a list of numbers such as 0.5,1,2", g->spelling, g->value), false;
    target->count = count;
    return set_radii(g, count, target->values);
}

static bool set_sizes(const given *g, cli_sizes *target)
{
    double numbers[3];
    if (!read_list(g->value, 3, numbers))
        return cli_usage(g->command, "%s: '%s' is not three numbers %s", g->spelling, g->value, g->option->argument),
               false;
    if (target->count == CLI_SIZES_MOST)
        return cli_usage(g->command, "%s may be given %d times", g->spelling, CLI_SIZES_MOST), false;
    CLUMP_ASSERT(target->count < CLI_SIZES_MOST);
    return set_radii(g, 3, target->values[target->count++]);
}

static bool set_factor(const given *g, float *target)
{
    double number;
    if (!set_number(g, &number)) return false;
    if (isinf(number) && strpbrk(g->value, "iI"))
        return cli_usage(g->command, "%s must be finite, not %s", g->spelling, g->value), false;
    *target = strtof(g->value, NULL); /* rounded once, as a radius is */
    if (!isfinite(*target * *target))
        return cli_usage(g->command, "%s %s is too large: it must be below 1.8e19", g->spelling, g->value), false;
    return true;
}

static bool set_triple(const given *g, double *target)
{
    if (!read_list(g->value, 3, target) || !isfinite(target[0]) || !isfinite(target[1]) || !isfinite(target[2]))
        return cli_usage(g->command, "%s: '%s' is not three numbers x,y,z", g->spelling, g->value), false;
    for (size_t axis = 0; axis < 3; axis++) {
        if (fabs(target[axis]) > FLT_MAX)
            return cli_usage(g->command, "%s: %c is too large in '%s'", g->spelling, "xyz"[axis], g -> value), false;
    }
    return true;
}

static bool set_intervals(const given *g, double *target)
{
    if (!read_list(g->value, 6, target))
        return cli_usage(g->command, "%s: '%s' is not six numbers x0,x1,y0,y1,z0,z1", g->spelling, g->value), false;
    for (size_t axis = 0; axis < 3; axis++) {
        if (target[2 * axis] > target[2 * axis + 1])
            return cli_usage(g->command, "%s: %c0 is greater than %c1 in '%s'", g->spelling, "xyz"[axis], "xyz"[axis],
                             g -> value),
                   false;
    }
    return true;
}

static bool set_choice(const given *g, const char **target)
{
    const char *meant = NULL;
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; g->option->choices(i); i++) {
        const char *choice = g->option->choices(i);
        if (strcmp(choice, g->value) == 0) return *target = choice, true;
        meant = cli_nearest(g->value, meant, choice);
        const bool last = !g->option->choices(i + 1);
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     i == 0 ? ""
                                     : last ? " and "
                                            : ", ",
                                     choice);
    }
    const char *const noun = g->option->noun ? g->option->noun : g->option->name;
    if (meant)
        return cli_usage(g->command, "unknown %s '%s' (did you mean %s?), there are %s", noun, g->value, meant, list),
               false;
    return cli_usage(g->command, "unknown %s '%s', there are %s", noun, g->value, list), false;
}

static bool set_enum(const given *g, int *target)
{
    const char *word;
    if (!set_choice(g, &word)) return false;
    for (*target = 0; strcmp(g->option->choices(*target), word) != 0;) ++*target;
    return true;
}

static bool set(const given *g, char *settings)
{
    void *target = settings + g->option->target;
    switch (g->option->kind) {
    case CLI_SWITCH:
        *(bool *)target = true;
        return true;
    case CLI_TEXT: /* fall through */
    case CLI_FILE:
        if (g->value[0] == '\0') return cli_usage(g->command, "%s needs a value", g->spelling), false;
        *(const char **)target = g->value;
        return true;
    case CLI_CHOICE:
        return set_choice(g, target);
    case CLI_COUNT:
        return set_count(g, target);
    case CLI_SIZE:
        return set_size(g, target);
    case CLI_INT:
        return set_int(g, target);
    case CLI_ENUM:
        return set_enum(g, target);
    case CLI_NUMBER:
        return set_number(g, target);
    case CLI_FLOAT:
        return set_float(g, target);
    case CLI_RADIUS:
        return set_radius(g, target);
    case CLI_LENGTHS:
        return set_lengths(g, target);
    case CLI_FACTOR:
        return set_factor(g, target);
    case CLI_FACTORS:
        return set_factors(g, target);
    case CLI_SIZES:
        return set_sizes(g, target);
    case CLI_TRIPLE:
        return set_triple(g, target);
    case CLI_INTERVALS:
        return set_intervals(g, target);
    }
    return false;
}

/* --- words ---------------------------------------------------------------------------------------- */

static const cli_option *find(const cli_command *command, char letter, const char *name, size_t length)
{
    for (const cli_option *o = cli_options(command); o->help; o++) {
        if (!o->name) continue;
        if (letter ? o->letter == letter : strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    }
    if (letter ? letter == 'h' : length == 4 && strncmp(name, "help", 4) == 0) return &help_option;
    return NULL;
}

/* Whether `clump view`, which runs clustering commands as jobs, has the option and the command has not. */
static bool is_of_view(const cli_command *command, const char *name)
{
    if (!command->plan || strlen(name) < 2 || find(command, 0, name, strlen(name))) return false;
    for (const cli_command *const *c = cli_commands; *c; c++)
        if (strcmp((*c)->name, "view") == 0) return find(*c, 0, name, strlen(name)) != NULL;
    return false;
}

static void unknown(const cli_command *command, const char *word, size_t length)
{
    char name[40] = "";
    const size_t dashes = word[1] == '-' ? 2 : 1;
    if (length - dashes < sizeof name) memcpy(name, word + dashes, length - dashes);
    const char *meant = NULL;
    if (strlen(name) > 1) meant = cli_nearest(name, meant, "help");
    for (const cli_option *o = cli_options(command); o->help && strlen(name) > 1; o++) {
        if (o->name) meant = cli_nearest(name, meant, o->name);
    }
    if (is_of_view(command, name))
        cli_usage(command, "unknown option --%s (clump view has it: clump view IN --%s ... -- %s)", name, name,
                  command->name);
    else if (meant)
        cli_usage(command, "unknown option %.*s (did you mean --%s?)", (int)length, word, meant);
    else
        cli_usage(command, "unknown option %.*s", (int)length, word);
}

typedef void help_page(FILE *to, const cli_command *command);

/* Where values go. */
typedef struct target {
    char *settings;
    cli_given *given; /* null: not asked for */
} target;

static bool take(const given *g, const target *to)
{
    if (to->given && g->option != &help_option) cli_note_given(g->command, g->option, to->given);
    return set(g, to->settings);
}

/* Reads --name, --name=VALUE or --name VALUE. Returns the number of words taken, 0 for wrong usage. Sets *help for
 * --help. */
static int long_option(const cli_command *command, int argc, char **argv, const target *to, help_page **help)
{
    const char *name = argv[0] + 2, *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    given g = {.command = command, .option = find(command, 0, name, length)};
    if (!g.option) return unknown(command, argv[0], length + 2), 0;
    snprintf(g.spelling, sizeof g.spelling, "--%s", g.option->name);
    if (g.option->kind == CLI_SWITCH) {
        if (equals) return cli_usage(command, "%s takes no value", g.spelling), 0;
        if (g.option == &help_option) return *help = cli_help, 1;
        return take(&g, to) ? 1 : 0;
    }
    g.value = equals ? equals + 1 : argc > 1 ? argv[1] : NULL;
    if (!g.value) return cli_usage(command, "%s needs a value", g.spelling), 0;
    return take(&g, to) ? (equals ? 1 : 2) : 0;
}

/* Reads -q, -d VALUE, -dVALUE or -qd VALUE. Returns the number of words taken, 0 for wrong usage. */
static int short_options(const cli_command *command, int argc, char **argv, const target *to, help_page **help)
{
    for (const char *c = argv[0] + 1; *c; c++) {
        given g = {.command = command, .option = find(command, *c, NULL, 0)};
        if (!g.option) {
            /* "-json" is more likely a long option without its second dash than a bundle of letters. */
            const bool bundle = c > argv[0] + 1;
            char letter[3] = {'-', *c, '\0'};
            return unknown(command, bundle ? letter : argv[0], bundle ? 2 : strlen(argv[0])), 0;
        }
        snprintf(g.spelling, sizeof g.spelling, "-%c", *c);
        if (g.option->kind == CLI_SWITCH) {
            if (g.option == &help_option) return *help = cli_help_brief, 1;
            if (!take(&g, to)) return 0;
            continue;
        }
        g.value = c[1] ? c + 1 : argc > 1 ? argv[1] : NULL;
        if (!g.value) return cli_usage(command, "%s needs a value", g.spelling), 0;
        if (!take(&g, to)) return 0;
        return c[1] ? 1 : 2;
    }
    return 1;
}

/* Reads the command line. `most` operands have room; *have gets their number. */
static int parse(const cli_command *command, int argc, char **argv, const target *to, const char **operands,
                 size_t most, size_t *have)
{
    *have = 0;
    bool options = true;
    for (int i = 0; i < argc;) {
        const char *word = argv[i];
        if (options && word[0] == '-' && word[1] != '\0') {
            if (strcmp(word, "--") == 0) {
                options = false, i++;
                continue;
            }
            help_page *help = NULL;
            const int taken = word[1] == '-' ? long_option(command, argc - i, argv + i, to, &help)
                                             : short_options(command, argc - i, argv + i, to, &help);
            if (help) return help(stdout, command), CLI_HELPED;
            if (taken == 0) return CLI_USAGE;
            i += taken;
            continue;
        }
        if (*have == most) return cli_usage(command, "unexpected argument '%s'", word);
        if (word[0] == '\0') return cli_usage(command, "an empty file name");
        operands[(*have)++] = word;
        i++;
    }
    return CLI_DONE;
}

int cli_parse(const cli_command *command, int argc, char **argv, void *settings, const char **operands)
{
    size_t wanted = command->operands[0] != '\0', have;
    for (const char *c = command->operands; *c; c++) wanted += *c == ' ';
    CLUMP_ASSERT(operands || wanted == 0);
    CLI_TRY(parse(command, argc, argv, &(target){.settings = settings}, operands, wanted, &have));
    if (have < wanted)
        return cli_usage(command, "%s needs %s, %s", command->name,
                         wanted > 1                              ? "two files"
                         : strcmp(command->operands, "DIR") == 0 ? "a folder"
                                                                 : "a file",
                         command->operands);
    return CLI_DONE;
}

int cli_parse_noting(const cli_command *command, int argc, char **argv, void *settings, const char **operands,
                     size_t *count, cli_given *noted)
{
    CLI_TRY(parse(command, argc, argv, &(target){settings, noted}, operands, (size_t)argc, count));
    if (*count > 0) return CLI_DONE;
    return cli_usage(command, "%s needs a file, %.*s", command->name, (int)strcspn(command->operands, "."),
                     command->operands);
}

int cli_parse_many(const cli_command *command, int argc, char **argv, void *settings, const char **operands,
                   size_t *count)
{
    return cli_parse_noting(command, argc, argv, settings, operands, count, NULL);
}
