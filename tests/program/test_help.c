/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_help.c: the tables of commands and options, and the help that is made of them (cli/base/help.c): no option without
 * help, every option in --help, no line that is too wide.
 */
#include "support/check.h"

#include "base/cli.h"
#include "base/peers.h"

enum { HELP_WIDTH = 80, HELP_BRIEF_LINES = 25 };

/* Returns what `print` writes about a command, as a text to be freed. */
static char *text_of(void (*print)(FILE *, const cli_command *), const cli_command *command)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) abort();
    print(to, command);
    fclose(to);
    return text;
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

/* Checks that no line is too wide, and that no blank ends a line. */
static void check_lines(const char *name, const char *text)
{
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        CHECK_MSG(length <= HELP_WIDTH, "%s: %.*s", name, length, text);
        CHECK_MSG(length == 0 || text[length - 1] != ' ', "%s: %.*s", name, length, text);
        CHECK_MSG(text[length] == '\n', "%s: the last line has no end", name);
        text += length + (text[length] == '\n');
    }
}

/* Whether a line of the help begins with this option. */
static bool lists(const char *text, const cli_option *option)
{
    char row[64] = "      --";
    if (option->letter) snprintf(row, sizeof row, "  -%c, --", option->letter);
    snprintf(row + 8, sizeof row - 8, "%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    const size_t length = strlen(row);
    for (const char *at = text; (at = strstr(at, row)); at++)
        if ((at == text || at[-1] == '\n') && (at[length] == ' ' || at[length] == '\n')) return true;
    return false;
}

static bool is_empty(const char *text)
{
    return !text || !text[0];
}

/* Help ends a table where it is missing: an option without it would hide all options after it. */
static void every_option_has_help(void)
{
    for (const cli_command *const *c = cli_commands; *c; c++) {
        const cli_option *o = (*c)->options;
        for (; o->name || o->help; o++) {
            CHECK_MSG(!is_empty(o->help), "%s: --%s", (*c)->name, o->name);
            if (!o->name) continue;
            CHECK_MSG(!is_empty(o->name), "%s", (*c)->name);
            CHECK_MSG((o->kind == CLI_SWITCH) == !o->argument, "%s: --%s", (*c)->name, o->name);
            CHECK_MSG(o->kind != CLI_CHOICE || (o->choices && o->choices(0)), "%s: --%s", (*c)->name, o->name);
            for (const cli_option *other = (*c)->options; other != o; other++) {
                CHECK_MSG(!other->name || strcmp(other->name, o->name) != 0, "%s: --%s twice", (*c)->name, o->name);
                CHECK_MSG(!o->letter || other->letter != o->letter, "%s: -%c twice", (*c)->name, o->letter);
            }
        }
        CHECK_MSG(o->letter == 0 && !o->argument && !o->choices, "%s: its table does not end with a zeroed row",
                  (*c)->name);
    }
}

static void every_command_has_its_words(void)
{
    for (const cli_command *const *c = cli_commands; *c; c++) {
        CHECK_MSG(!is_empty((*c)->brief), "%s", (*c)->name);
        CHECK_MSG(!is_empty((*c)->about), "%s", (*c)->name);
        CHECK_MSG(!is_empty((*c)->usage), "%s", (*c)->name);
        CHECK_MSG(!is_empty((*c)->examples), "%s", (*c)->name);
    }
}

static void the_long_help_has_every_option(void)
{
    for (const cli_command *const *c = cli_commands; *c; c++) {
        char *const text = text_of(cli_help, *c);
        check_lines((*c)->name, text);
        for (const cli_option *o = (*c)->options; o->help; o++) {
            char expanded[CLI_HELP_SIZE];
            cli_expand(expanded, o->help);
            CHECK_MSG(strlen(expanded) < CLI_HELP_SIZE - 1, "%s: the help of --%s is cut", (*c)->name, o->name);
            if (o->name) CHECK_MSG(lists(text, o), "%s: --%s", (*c)->name, o->name);
        }
        free(text);
    }
}

static void the_short_help_has_the_options_that_matter(void)
{
    for (const cli_command *const *c = cli_commands; *c; c++) {
        char *const text = text_of(cli_help_brief, *c);
        check_lines((*c)->name, text);
        CHECK_MSG(lines_of(text) <= HELP_BRIEF_LINES, "%s -h", (*c)->name);
        for (const cli_option *o = (*c)->options; o->help; o++)
            if (o->name) CHECK_MSG(lists(text, o) == o->matters, "%s: --%s", (*c)->name, o->name);
        free(text);
    }
}

static void the_help_of_the_program_has_every_command(void)
{
    char *const text = text_of(cli_help, NULL);
    check_lines("clump", text);
    for (const cli_command *const *c = cli_commands; *c; c++) {
        char row[128];
        snprintf(row, sizeof row, "\n  %-13s %s\n", (*c)->name, (*c)->brief);
        CHECK_MSG(strstr(text, row), "%s", (*c)->name);
    }
    free(text);
}

CHECK_PROGRAM(test_help)
{
    RUN(every_option_has_help);
    RUN(every_command_has_its_words);
    RUN(the_long_help_has_every_option);
    RUN(the_short_help_has_the_options_that_matter);
    RUN(the_help_of_the_program_has_every_command);
}
