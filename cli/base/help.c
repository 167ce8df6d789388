/* SPDX-License-Identifier: BSD-3-Clause
 *
 * help.c: what -h and --help print, made from the tables of commands and options. -h has the options that matter, of
 * each the first clause of its text, and the first examples.
 */
#include "base/cli.h"
#include "base/peers.h"
#include "common/assert.h"

#include <string.h>

enum { HELP_WIDTH = 80, HELP_COLUMN = 28, HELP_EXAMPLES = 2 };

/* Whether a format belongs to a marker: CLI_MORE_POINTS, CLI_MORE_FIELDS or CLI_MORE_LABELS. */
static bool is_marked(char marker, const clump_format_info *info)
{
    if (marker == CLI_MORE_POINTS[0]) return info->holds_points;
    if (!info->writes) return false;
    return marker == CLI_MORE_FIELDS[0] ? info->holds_fields : info->holds_labels && !info->holds_fields;
}

/* Whether the text has the ending as a word: ".pcd.bin" does not have ".bin". */
static bool has_ending(const char *text, const char *ending)
{
    const size_t length = strlen(ending);
    for (const char *at = text; (at = strstr(at, ending)); at++)
        if (at > text + 1 && at[-1] == '.' && strchr(" (\n", at[-2]) &&
            (at[length] == '\0' || !strchr(".abcdefghijklmnopqrstuvwxyz", at[length])))
            return true;
    return false;
}

void cli_expand(char text[CLI_HELP_SIZE], const char *help)
{
    size_t used = 0;
    for (const char *c = help; *c && used + 1 < CLI_HELP_SIZE; c++) {
        if (*c < CLI_MORE_POINTS[0] || *c > CLI_MORE_LABELS[0]) {
            text[used++] = *c;
            continue;
        }
        clump_format_info info;
        for (int i = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)i, &info); i++)
            for (const char *const *e = info.extensions; is_marked(*c, &info) && *e && used < CLI_HELP_SIZE; e++)
                if (!has_ending(help, *e))
                    used += (size_t)snprintf(text + used, CLI_HELP_SIZE - used, "%s.%s",
                                             used > 0 && text[used - 1] == '(' ? "" : " ", *e);
    }
    text[used < CLI_HELP_SIZE ? used : CLI_HELP_SIZE - 1] = '\0';
}

size_t cli_clause_length(const char *text)
{
    size_t n = strcspn(text, ";:");
    while (text[n] == ':' && text[n + 1] != ' ') n += 1 + strcspn(text + n + 1, ";:");
    return n;
}

/* Reduces a help text to its first clause, without lists of endings " (.pcd .ply)". */
static void shorten(char *text)
{
    text[cli_clause_length(text)] = '\0';
    char *const open = strrchr(text, '(');
    if (open > text && !strchr(open, ')')) open[-1] = '\0'; /* the clause ended within parentheses */
    for (char *list; (list = strstr(text, " (.")) != NULL;) {
        const char *const end = strchr(list, ')');
        if (!end) break;
        memmove(list, end + 1, strlen(end + 1) + 1);
    }
}

static void put_heading(FILE *to, const char *text)
{
    fprintf(to, "%s%s:%s\n", cli_colour(to, CLI_STYLE_BOLD), text, cli_colour(to, CLI_STYLE_PLAIN));
}

/* Prints text that begins at HELP_COLUMN, wrapped at HELP_WIDTH. `column` is where the line is now. */
static void put_wrapped(FILE *to, int column, const char *text)
{
    CLUMP_ASSERT(column >= 0);
    if (column >= HELP_COLUMN) fputc('\n', to), column = 0;
    fprintf(to, "%*s", HELP_COLUMN - column, "");
    column = HELP_COLUMN;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        const bool first = column == HELP_COLUMN;
        if (!first && column + 1 + length > HELP_WIDTH) {
            fprintf(to, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (!first) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

void cli_option_text(char text[CLI_HELP_SIZE], const cli_option *option)
{
    cli_expand(text, option->help);
    size_t used = strlen(text);
    for (int i = 0;
         (option->kind == CLI_CHOICE || option->kind == CLI_ENUM) && option->choices(i) && used < CLI_HELP_SIZE; i++)
        used += (size_t)snprintf(text + used, CLI_HELP_SIZE - used, "%s%s", i ? ", " : "; one of ", option->choices(i));
}

static void put_option(FILE *to, const cli_option *option, bool brief)
{
    char left[64], text[CLI_HELP_SIZE];
    char letter[5] = "    ";
    if (option->letter) letter[0] = '-', letter[1] = option->letter, letter[2] = ',';
    const int column = snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name, option->argument ? " " : "",
                                option->argument ? option->argument : "");
    if (brief)
        cli_expand(text, option->help), shorten(text);
    else
        cli_option_text(text, option);
    fputs(left, to);
    put_wrapped(to, column, text);
}

/* Prints lines. Those longer than `room` are broken at a blank. */
static void put_lines(FILE *to, const char *lines, size_t room)
{
    CLUMP_ASSERT(room >= 1);
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        for (size_t blank = room; length > room && blank > 0; blank--)
            if (lines[blank] == ' ') length = blank;
        fprintf(to, "%.*s\n", (int)length, lines);
        lines += length + (lines[length] != '\0');
    }
}

/* Prints the first `most` examples, each a command and the lines below it that begin with a blank. */
static void put_examples(FILE *to, const char *examples, size_t most)
{
    for (const char *next; *examples; examples = next) {
        const size_t length = strcspn(examples, "\n");
        const bool command = examples[0] != ' ';
        next = examples + length + (examples[length] != '\0');
        if (command && most-- == 0) return;
        fprintf(to, "  %s%.*s%s\n", command ? "" : cli_colour(to, CLI_STYLE_DIM), (int)length, examples,
                command ? "" : cli_colour(to, CLI_STYLE_PLAIN));
    }
}

static void put_commands(FILE *to, const char *first_word)
{
    const size_t length = first_word ? strlen(first_word) : 0;
    for (const cli_command *const *c = cli_commands; *c; c++) {
        if (!cli_has_command((*c)->name)) continue;
        if (first_word && (strncmp((*c)->name, first_word, length) != 0 || (*c)->name[length] != ' ')) continue;
        fprintf(to, "  %-13s %s\n", (*c)->name, (*c)->brief);
    }
}

static void program_help(FILE *to)
{
    fprintf(to,
            "clump finds clusters and objects in LiDAR point clouds, exactly.\n"
            "\n"
            "%sUsage:%s clump COMMAND [options] FILE...\n"
            "\n",
            cli_colour(to, CLI_STYLE_BOLD), cli_colour(to, CLI_STYLE_PLAIN));
    put_heading(to, "Commands");
    put_commands(to, NULL);
    fputs("  help COMMAND  how to use a command, as clump COMMAND --help; -h is short\n"
          "\n",
          to);
    put_heading(to, "Options");
    fputs("  -h, --help    this page\n"
          "  --version     the version\n"
          "\n",
          to);
    put_heading(to, "A first walk");
    fputs("  clump gen factors -n 4096 -c 8 -o toy.pcd     make a small cloud\n"
          "  clump info toy.pcd                            look at it\n"
          "  clump ec toy.pcd -d 1 -o found.pcd            find its 8 clusters\n"
          "  clump view found.pcd -o found.html            see them in a browser\n"
          "  clump convert found.pcd found.csv             take the labels elsewhere\n"
          "  clump detect scan.pcd                         find the objects in your scan\n"
          "\n"
          "Distances are in the unit of the file, metres in most. Exit status: 0 done,\n"
          "1 it failed (file, data, device), 2 wrong usage.\n",
          to);
}

/* The same for a program with peers. */
static void peers_help(FILE *to)
{
    const char *const name = cli_program();
    fprintf(to,
            "%s is clump on several processes, on one machine or many. The labels are\n"
            "those of one process.\n"
            "\n"
            "Usage: mpirun -n N %s COMMAND [options] IN...\n"
            "\n"
            "Commands:\n",
            name, name);
    put_commands(to, NULL);
    fprintf(to,
            "  help COMMAND  how to use a command; the same as %s COMMAND --help\n"
            "\n"
            "Options:\n"
            "  -h, --help    this page\n"
            "  --version     the version\n"
            "\n"
            "All processes read the inputs, so all machines need the same folders; the first\n"
            "one writes the output. --ram and --threads are per process.\n"
            "\n"
            "Exit status: 0 done, 1 it failed (file, data, device), 2 wrong usage.\n",
            name);
}

/* Prints the name of the command, and how it is called. */
static void put_usage(FILE *to, const cli_command *command)
{
    fprintf(to, "%s%s %s:%s %s\n\n", cli_colour(to, CLI_STYLE_BOLD), cli_program(), command->name,
            cli_colour(to, CLI_STYLE_PLAIN), command->brief);
    fprintf(to, "%sUsage:%s %s %s%s%s\n\n", cli_colour(to, CLI_STYLE_BOLD), cli_colour(to, CLI_STYLE_PLAIN),
            cli_program(), command->name, command->usage[0] ? " " : "", command->usage);
}

void cli_help_brief(FILE *to, const cli_command *command)
{
    bool all = true;
    put_usage(to, command);
    put_heading(to, "Options");
    for (const cli_option *o = cli_options(command); o->help; o++) {
        if (o->matters) put_option(to, o, true);
        all &= !o->name || o->matters;
    }
    fputs("      --help", to);
    put_wrapped(to, 12, all ? "more on this command" : "all options, and more on this command");
    if (!command->examples[0] || cli_the_peers()) return; /* they are command lines of clump */
    fputc('\n', to);
    put_heading(to, "Examples");
    put_examples(to, command->examples, HELP_EXAMPLES);
}

void cli_help(FILE *to, const cli_command *command)
{
    if (!command) {
        if (cli_the_peers())
            peers_help(to);
        else
            program_help(to);
        return;
    }
    put_usage(to, command);
    char about[CLI_HELP_SIZE];
    cli_expand(about, command->about);
    put_lines(to, about, strcmp(about, command->about) == 0 ? SIZE_MAX : HELP_WIDTH); /* endings were added */
    fputc('\n', to);
    if (cli_options(command)[0].name) put_heading(to, "Options");
    for (const cli_option *o = cli_options(command); o->help; o++) {
        if (o->name) {
            put_option(to, o, false);
            continue;
        }
        if (o != cli_options(command)) fputc('\n', to);
        put_heading(to, o->help);
    }
    fputs("  -h, --help", to);
    put_wrapped(to, 12, "-h is short, --help is this page");
    if (!command->examples[0] || cli_the_peers()) return; /* they are command lines of clump */
    fputc('\n', to);
    put_heading(to, "Examples");
    put_examples(to, command->examples, SIZE_MAX);
}

void cli_help_group(FILE *to, const char *first_word)
{
    fprintf(to, "%sUsage:%s clump %s KIND [options]\n\n", cli_colour(to, CLI_STYLE_BOLD),
            cli_colour(to, CLI_STYLE_PLAIN), first_word);
    put_heading(to, "Kinds");
    put_commands(to, first_word);
    fprintf(to, "\nSee 'clump %s KIND --help'.\n", first_word);
}
