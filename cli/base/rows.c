/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.c: the options of a command as the parser and the help see them. A row of a command's table that names a table of the
 * library (clump/options.h) stands for the rows of that table.
 */
#include "base/args.h"

#include "base/cli.h"
#include "common/assert.h"

#include <clump/options.h>

#include <limits.h>
#include <string.h>

/* Memory for the rows and texts of all commands. Tests print the help of every command, and so fill it. */
enum { ROWS_MOST = 1024, ROWS_TEXT = 1 << 16, ROWS_COMMANDS = 32 };

static cli_option row_memory[ROWS_MOST];
static size_t rows_used;
static char text_memory[ROWS_TEXT];
static size_t text_used;

bool cli_has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* Writes a default as the help has it. */
static void default_text(char text[CLI_HELP_SIZE], const clump_option *row)
{
    if (row->kind == CLUMP_OPTION_CHOICE)
        snprintf(text, CLI_HELP_SIZE, "%s", row->choice((int)row->usual));
    else
        snprintf(text, CLI_HELP_SIZE, "%g", row->usual);
}

/* Returns the help of a row, in which {} stands for the default and {what} for what the command calls its clusters. */
static const char *help_of(const clump_option *row, const cli_option *group)
{
    char usual[CLI_HELP_SIZE];
    default_text(usual, row);
    char *const text = text_memory + text_used;
    for (const char *c = row->help; *c;) {
        const bool what = strncmp(c, "{what}", 6) == 0, value = strncmp(c, "{}", 2) == 0;
        const char *const piece = what ? group->what : value ? (group->usual ? group->usual : usual) : c;
        const size_t length = what || value ? strlen(piece) : 1;
        CLUMP_ASSERT(text_used + length < ROWS_TEXT);
        memcpy(text_memory + text_used, piece, length);
        text_used += length;
        c += what ? 6 : value ? 2 : 1;
    }
    text_memory[text_used++] = '\0';
    return text;
}

/* How the parser reads a value of a row. */
static cli_kind kind_of(const clump_option *row)
{
    switch (row->kind) {
    case CLUMP_OPTION_BOOL:
        return CLI_SWITCH;
    case CLUMP_OPTION_SIZE:
        return CLI_COUNT;
    case CLUMP_OPTION_INT:
        return CLI_INT;
    case CLUMP_OPTION_CHOICE:
        return CLI_ENUM;
    case CLUMP_OPTION_DOUBLE:
        return CLI_NUMBER;
    case CLUMP_OPTION_FLOAT: /* fall through */
    case CLUMP_OPTION_POINT:
        break;
    }
    CLUMP_ASSERT(row->kind == CLUMP_OPTION_FLOAT);
    return row->bounds == CLUMP_BOUNDS_OTHER ? CLI_RADIUS : row->bounds == CLUMP_BOUNDS_FROM_0 ? CLI_FACTOR : CLI_FLOAT;
}

static void add(const cli_option *option)
{
    CLUMP_ASSERT(rows_used < ROWS_MOST);
    row_memory[rows_used++] = *option;
}

/* Adds the rows of the table that a row names. */
static void add_library(const cli_option *group)
{
    const clump_option_table *const table = clump_option_table_named(group->library);
    CLUMP_ASSERT(table);
    for (size_t i = 0; table && i < table->count; i++) {
        const clump_option *const row = &table->rows[i];
        if (!row->word || (group->only && !cli_has_word(group->only, row->name)) ||
            cli_has_word(group->without, row->name))
            continue;
        add(&(cli_option){.kind = kind_of(row),
                          .name = row->word,
                          .argument = row->argument,
                          .target = group->target + row->offset,
                          .least = (size_t)row->least,
                          .most = row->kind == CLUMP_OPTION_INT ? (size_t)row->most : 0,
                          .choices = row->choice,
                          .help = help_of(row, group),
                          .matters = group->matters,
                          .of = group->of,
                          .not_with = group->not_with});
    }
}

const cli_option *cli_options(const cli_command *command)
{
    static const struct cli_command *known[ROWS_COMMANDS];
    static const cli_option *rows[ROWS_COMMANDS];
    static size_t count;
    bool plain = true;
    for (const cli_option *o = command->options; o->help || o->library; o++) plain = plain && !o->library;
    if (plain) return command->options;
    for (size_t i = 0; i < count; i++)
        if (known[i] == command) return rows[i];
    CLUMP_ASSERT(count < ROWS_COMMANDS);
    known[count] = command;
    rows[count] = row_memory + rows_used;
    for (const cli_option *o = command->options; o->help || o->library; o++)
        if (o->library)
            add_library(o);
        else
            add(o);
    add(&(const cli_option){0});
    return rows[count++];
}

/* --- what was given --------------------------------------------------------------------------------- */

void cli_note_given(const cli_command *command, const cli_option *option, cli_given *given)
{
    const size_t i = (size_t)(option - cli_options(command));
    CLUMP_ASSERT(i < sizeof given->bits * CHAR_BIT);
    given->bits[i / 64] |= (uint64_t)1 << i % 64;
}

static bool is_given(const cli_given *given, size_t i)
{
    return (given->bits[i / 64] >> i % 64 & 1) != 0;
}

const char *cli_given_within(const cli_command *command, const cli_given *given, const void *settings,
                             const void *place, size_t size, const char *without)
{
    const cli_option *const options = cli_options(command);
    const size_t from = (size_t)((const char *)place - (const char *)settings);
    for (size_t i = 0; options[i].help; i++) {
        const cli_option *const o = &options[i];
        if (o->name && is_given(given, i) && o->target >= from && o->target - from < size &&
            !cli_has_word(without, o->name))
            return o->name;
    }
    return NULL;
}

bool cli_was_given(const cli_command *command, const cli_given *given, const void *settings, const void *place)
{
    return cli_given_within(command, given, settings, place, 1, NULL) != NULL;
}

const char *cli_given_of_others(const cli_command *command, const cli_given *given, const char *of, const char **owner)
{
    const cli_option *const options = cli_options(command);
    for (size_t i = 0; options[i].help; i++)
        if (is_given(given, i) && options[i].of && !cli_has_word(options[i].of, of))
            return *owner = options[i].of, options[i].name;
    return NULL;
}

/* Whether the value of an option is the one that it has when it is not given. */
static bool is_default(const cli_option *o, const char *settings, const char *defaults)
{
    static const size_t sizes[] = {[CLI_SWITCH] = sizeof(bool),
                                   [CLI_COUNT] = sizeof(size_t),
                                   [CLI_SIZE] = sizeof(size_t),
                                   [CLI_INT] = sizeof(int),
                                   [CLI_ENUM] = sizeof(int),
                                   [CLI_NUMBER] = sizeof(double),
                                   [CLI_FLOAT] = sizeof(float),
                                   [CLI_RADIUS] = sizeof(float),
                                   [CLI_LENGTHS] = sizeof(float[2]),
                                   [CLI_FACTOR] = sizeof(float),
                                   [CLI_FACTORS] = sizeof(cli_factors),
                                   [CLI_SIZES] = sizeof(cli_sizes),
                                   [CLI_TRIPLE] = sizeof(double[3]),
                                   [CLI_INTERVALS] = sizeof(double[6])};
    const void *const a = settings + o->target, *const b = defaults + o->target;
    if (o->kind != CLI_TEXT && o->kind != CLI_FILE && o->kind != CLI_CHOICE) return memcmp(a, b, sizes[o->kind]) == 0;
    const char *const text = *(const char *const *)a, *const usual = *(const char *const *)b;
    return text && usual ? strcmp(text, usual) == 0 : text == usual;
}

const char *cli_given_not_with(const cli_command *command, const cli_given *given, unsigned way, const void *settings,
                               const void *defaults, char spelling[CLI_SPELLING])
{
    const cli_option *const options = cli_options(command);
    for (size_t i = 0; options[i].help; i++) {
        const cli_option *const o = &options[i];
        if (!is_given(given, i) || !(o->not_with & way) || is_default(o, settings, defaults)) continue;
        if (o->letter && o->kind == CLI_FILE) /* -o is the better known one */
            snprintf(spelling, CLI_SPELLING, "-%c", o->letter);
        else
            snprintf(spelling, CLI_SPELLING, "--%s", o->name);
        return spelling;
    }
    return NULL;
}
