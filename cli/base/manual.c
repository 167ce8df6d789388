/* SPDX-License-Identifier: BSD-3-Clause
 *
 * manual.c: `clump --manual FILE` prints the manual page, as input of man. Commands, options and examples are those of the
 * tables; FILE is cli/manual.txt, which has the prose that the tables do not have and says how it is written. The build
 * keeps the page in a file, which is installed.
 *
 * An option that three or more commands have in the same words is described once, in a section of its own ("shared").
 */
#include "base/cli.h"

#include "common/assert.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MANUAL_SHARED = 3, MANUAL_MOST_SHARED = 256 };
static const char manual_shared_title[] = "OPTIONS OF SEVERAL COMMANDS";
static const char manual_first_heading[] = "Options"; /* of a table that begins without one */

typedef struct manual {
    FILE *to;
    const char *prose;
    const cli_option *shared[MANUAL_MOST_SHARED]; /* one per name, in the order of the commands */
    const char *headings[MANUAL_MOST_SHARED];     /* above each of them */
    size_t shared_count;
} manual;

/* --- the file of prose: sections "# TITLE", in these notes "+ NAME" -------------------------------------------- */

/* Returns the whole file, to be freed. Null: it has said why not. */
static char *read_prose(const char *path)
{
    FILE *const from = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, room = 0;
    for (size_t got = 1; from && got > 0; used += got) {
        if (used + 1 >= room) {
            char *const more = realloc(text, room = 2 * room + 65536);
            if (!more) break;
            text = more;
        }
        got = fread(text + used, 1, room - used - 1, from);
    }
    const bool good = from && text && !ferror(from) && feof(from);
    if (from) fclose(from);
    if (good) return text[used] = '\0', text;
    free(text);
    cli_fail("%s: cannot be read", path);
    return NULL;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Whether the line is a title ('#') or the name of a note ('+'). */
static bool is_mark(const char *line, char mark)
{
    return line[0] == mark && line[1] == ' ';
}

/* Returns the first line from `line` on that is a title, or the end of the text. */
static const char *next_title(const char *line)
{
    while (*line && !is_mark(line, '#')) line = next_line(line);
    return line;
}

/* Whether the line is the mark and this name. */
static bool is_marked(const char *line, char mark, const char *name)
{
    const size_t length = strlen(name);
    return is_mark(line, mark) && strncmp(line + 2, name, length) == 0 && strchr("\n", line[2 + length]);
}

/* Returns what follows the title of the section. Null: there is no such section. */
static const char *find_section(const char *prose, const char *title)
{
    const char *line = next_title(prose);
    while (*line && !is_marked(line, '#', title)) line = next_title(next_line(line));
    return *line ? next_line(line) : NULL;
}

/* Returns what follows the name of the note in a section; section may be null. Null: there is no such note. */
static const char *find_note(const char *section, const char *name)
{
    for (const char *line = section; line && *line && !is_mark(line, '#'); line = next_line(line))
        if (is_marked(line, '+', name)) {
            line = next_line(line);
            return *line && !is_mark(line, '+') && !is_mark(line, '#') ? line + strspn(line, "\n") : NULL;
        }
    return NULL;
}

static const char *section_of(const char *prose, const cli_command *command)
{
    char title[64];
    CLUMP_ASSERT(strlen(command->name) + sizeof "clump " <= sizeof title);
    snprintf(title, sizeof title, "clump %s", command->name);
    return find_section(prose, title);
}

/* --- text for man ------------------------------------------------------------------------------------------------ */

static void put_char(FILE *to, char c)
{
    static const char *const escapes[] = {"-\\-", "\\\\e", "'\\(aq", "\"\\(dq", "^\\(ha", "~\\(ti", "`\\(ga"};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (c == escapes[i][0]) {
            fputs(escapes[i] + 1, to);
            return;
        }
    fputc(c, to);
}

static void put_chars(FILE *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) put_char(to, text[i]);
}

/* Returns the length of the option at the begin of a word, "-d" or "--distance"; 0: there is none. */
static size_t option_length(const char *word)
{
    size_t length = 1;
    if (word[0] != '-') return 0;
    if (word[1] == '-')
        for (length = 2; isalnum((unsigned char)word[length]) || word[length] == '-';) length++;
    else if (isalpha((unsigned char)word[1]))
        length = 2;
    const bool ends = !isalnum((unsigned char)word[length]);
    return ends && length > 1 && isalnum((unsigned char)word[length - 1]) ? length : 0;
}

/* Prints words with options in bold, on one line without its end. Blanks and line ends become one blank. */
static void put_words(FILE *to, const char *text, size_t length)
{
    const char *const end = text + length;
    bool begins = true; /* a word that may be an option */
    while (text < end) {
        const size_t option = begins ? option_length(text) : 0;
        if (option > 0) {
            fputs("\\fB", to), put_chars(to, text, option), fputs("\\fP", to);
            text += option, begins = false;
        } else if (isspace((unsigned char)*text)) {
            text += strspn(text, " \n");
            if (text < end) fputc(' ', to);
            begins = true;
        } else {
            put_chars(to, text, 1);
            begins = strchr("'[|", *text) || (*text == '(' && text[1] == '-' && text[2] == '-'); /* not exp(-N) */
            text++;
        }
    }
}

/* Keeps a line of text that begins with a dot from being a request. */
static void begin_line(FILE *to, const char *text)
{
    if (*text == '.') fputs("\\&", to);
}

static void put_bold(FILE *to, const char *text)
{
    fputs("\\fB", to), put_chars(to, text, strlen(text)), fputs("\\fP", to);
}

static void put_text(FILE *to, const char *text)
{
    put_words(to, text, strlen(text));
    fputc('\n', to);
}

/* Prints a line as it is. */
static void put_literal(FILE *to, const char *line)
{
    begin_line(to, line);
    put_chars(to, line, strcspn(line, "\n"));
    fputc('\n', to);
}

/* Prints paragraphs up to a mark, and returns it. Between paragraphs is the request `between`, before the first one
 * `before`. Lines that begin with a blank stay lines. */
static const char *put_prose(FILE *to, const char *line, const char *before, const char *between)
{
    while (*line && !is_mark(line, '#') && !is_mark(line, '+')) {
        if (*line == '\n') {
            line = next_line(line);
            continue;
        }
        fputs(before, to);
        before = between;
        if (*line == ' ') {
            fputs(".nf\n", to);
            for (; *line == ' '; line = next_line(line)) put_literal(to, line);
            fputs(".fi\n", to);
            continue;
        }
        const char *const begin = line;
        while (*line && *line != '\n' && !is_mark(line, '#') && !is_mark(line, '+')) line = next_line(line);
        begin_line(to, begin);
        put_words(to, begin, (size_t)(line - begin));
        fputc('\n', to);
    }
    return line;
}

/* Prints a section that has nothing of the tables: paragraphs, then names with paragraphs. */
static void put_section(FILE *to, const char *title)
{
    fputs(".SH \"", to), put_chars(to, title + 2, strcspn(title + 2, "\n")), fputs("\"\n", to);
    const char *line = put_prose(to, next_line(title), "", ".PP\n");
    while (is_mark(line, '+')) {
        fputs(".TP\n\\fB", to), put_chars(to, line + 2, strcspn(line + 2, "\n")), fputs("\\fP\n", to);
        line = put_prose(to, next_line(line), "", ".IP\n");
    }
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static const cli_option *find_option(const cli_command *command, const char *name, size_t length)
{
    for (const cli_option *o = cli_options(command); o->help; o++)
        if (o->name && strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    return NULL;
}

/* Whether the help has the same words for both. */
static bool are_same(const cli_option *a, const cli_option *b)
{
    if (strcmp(a->name, b->name) != 0 || a->kind != b->kind || a->letter != b->letter) return false;
    if (strcmp(a->help, b->help) != 0 || (a->argument && strcmp(a->argument, b->argument) != 0)) return false;
    if ((a->kind != CLI_CHOICE && a->kind != CLI_ENUM) || a->choices == b->choices) return true;
    int i = 0;
    while (a->choices(i) && b->choices(i) && strcmp(a->choices(i), b->choices(i)) == 0) i++;
    return !a->choices(i) && !b->choices(i);
}

/* Returns how many commands have the option in the same words. */
static size_t commands_with(const cli_option *option)
{
    size_t count = 0;
    for (const cli_command *const *c = cli_commands; *c; c++) {
        const cli_option *const o = find_option(*c, option->name, strlen(option->name));
        count += o && are_same(o, option);
    }
    return count;
}

/* Returns the option of this name that is shared: of different words those that most commands have, and of as many the
 * first. Null: there is none. */
static const cli_option *choose_shared(const char *name)
{
    const cli_option *best = NULL;
    size_t most = MANUAL_SHARED - 1;
    for (const cli_command *const *c = cli_commands; *c; c++) {
        const cli_option *const o = find_option(*c, name, strlen(name));
        const size_t count = o ? commands_with(o) : 0;
        if (count > most) best = o, most = count;
    }
    return best;
}

/* Fills the list of shared options. Each is under the heading that it has in the first command with it. */
static void collect_shared(manual *page)
{
    for (const cli_command *const *c = cli_commands; *c; c++) {
        const char *heading = manual_first_heading;
        for (const cli_option *o = cli_options(*c); o->help; o++) {
            if (!o->name) heading = o->help;
            if (!o->name || o != choose_shared(o->name) || page->shared_count == MANUAL_MOST_SHARED) continue;
            page->headings[page->shared_count] = heading;
            page->shared[page->shared_count++] = o;
        }
    }
}

/* Returns the shared option of this name; null: there is none. */
static const cli_option *find_shared(const manual *page, const char *name, size_t length)
{
    for (size_t i = 0; i < page->shared_count; i++) {
        const char *const other = page->shared[i]->name;
        if (strlen(other) == length && strncmp(other, name, length) == 0) return page->shared[i];
    }
    return NULL;
}

static bool is_shared(const manual *page, const cli_option *option)
{
    const cli_option *const shared = find_shared(page, option->name, strlen(option->name));
    return shared && are_same(option, shared);
}

/* Returns the note of an option of a command. Where the command has none, another one's that has the option in the same
 * words. Null: there is none. */
static const char *note_of(const manual *page, const cli_command *command, const cli_option *option)
{
    const char *note = find_note(section_of(page->prose, command), option->name);
    if (note || is_shared(page, option)) return note;
    for (const cli_command *const *c = cli_commands; *c && !note; c++) {
        const cli_option *const o = find_option(*c, option->name, strlen(option->name));
        if (o && are_same(o, option)) note = find_note(section_of(page->prose, *c), option->name);
    }
    return note;
}

static void put_option(FILE *to, const cli_option *option, const char *note)
{
    char text[CLI_HELP_SIZE];
    const char letter[] = {'-', option->letter, '\0'};
    fputs(".TP\n", to);
    if (option->letter) put_bold(to, letter), fputs(", ", to);
    fputs("\\fB\\-\\-", to), put_chars(to, option->name, strlen(option->name)), fputs("\\fP", to);
    if (option->argument)
        fputs(" \\fI", to), put_chars(to, option->argument, strlen(option->argument)), fputs("\\fP", to);
    fputc('\n', to);
    cli_option_text(text, option);
    begin_line(to, text);
    put_words(to, text, strlen(text));
    if (text[strlen(text) - 1] != '.') fputc('.', to);
    if (note)
        put_prose(to, note, " ", ".IP\n");
    else
        fputc('\n', to);
}

static void put_heading(FILE *to, const char *text)
{
    fputs(".SS \"", to), put_chars(to, text, strlen(text)), fputs("\"\n", to);
}

/* Prints the options that are not shared, or that have a note of their own, and the names of those that are. */
static void put_options(const manual *page, const cli_command *command)
{
    FILE *const to = page->to;
    const char *heading = manual_first_heading;
    size_t shared = 0;
    for (const cli_option *o = cli_options(command); o->help; o++) {
        if (!o->name) {
            heading = o->help;
            continue;
        }
        const char *const note = note_of(page, command, o);
        const bool elsewhere = is_shared(page, o);
        shared += elsewhere;
        if (elsewhere && !note) continue;
        if (heading) put_heading(to, heading), heading = NULL;
        put_option(to, o, note);
    }
    if (shared == 0) return;
    put_heading(to, "Options of several commands");
    fputs("See below:", to);
    for (const cli_option *o = cli_options(command); o->help; o++) {
        if (!o->name || !is_shared(page, o)) continue;
        fputs(" \\fB\\-\\-", to), put_chars(to, o->name, strlen(o->name));
        fputs(--shared ? "\\fP," : "\\fP.\n", to);
    }
}

/* Prints all shared options, those of one heading together. */
static void put_shared(const manual *page)
{
    const char *const section = find_section(page->prose, manual_shared_title);
    fprintf(page->to, ".SH \"%s\"\n", manual_shared_title);
    if (section) put_prose(page->to, section, "", ".PP\n");
    for (size_t i = 0; i < page->shared_count; i++) {
        size_t k = 0;
        while (strcmp(page->headings[k], page->headings[i]) != 0) k++;
        if (k < i) continue; /* printed */
        put_heading(page->to, page->headings[i]);
        for (; k < page->shared_count; k++)
            if (strcmp(page->headings[k], page->headings[i]) == 0)
                put_option(page->to, page->shared[k], find_note(section, page->shared[k]->name));
    }
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void put_usage(FILE *to, const cli_command *command)
{
    fputs("\\fBclump ", to), put_chars(to, command->name, strlen(command->name)), fputs("\\fP ", to);
    put_text(to, command->usage);
}

static void put_command(const manual *page, const cli_command *command)
{
    FILE *const to = page->to;
    char about[CLI_HELP_SIZE];
    const char *const section = section_of(page->prose, command);
    fputs(".SH \"clump ", to), put_chars(to, command->name, strlen(command->name)), fputs("\"\n", to);
    put_text(to, command->brief);
    fputs(".PP\n", to);
    put_usage(to, command);
    fputs(".PP\n", to);
    cli_expand(about, command->about);
    put_text(to, about);
    if (section) put_prose(to, section, ".PP\n", ".PP\n");
    put_options(page, command);
    put_heading(to, "Examples");
    fputs(".nf\n", to);
    for (const char *line = command->examples; *line; line = next_line(line)) put_literal(to, line);
    fputs(".fi\n", to);
}

static void put_commands(const manual *page)
{
    for (const cli_command *const *c = cli_commands; *c; c++) put_command(page, *c);
    put_shared(page);
}

/* Prints how all commands are called, and the lines of the section. */
static void put_synopsis(FILE *to, const char *title)
{
    fputs(".SH SYNOPSIS\n", to);
    for (const cli_command *const *c = cli_commands; *c; c++) put_usage(to, *c), fputs(".br\n", to);
    for (const char *line = next_line(title); *line && !is_mark(line, '#'); line = next_line(line)) {
        if (*line == '\n') continue;
        put_words(to, line, strcspn(line, "\n"));
        fputs("\n.br\n", to);
    }
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

/* Returns the command that the title names. Null: it names none. */
static const cli_command *command_of(const char *title)
{
    char wanted[64];
    for (const cli_command *const *c = cli_commands; *c; c++) {
        snprintf(wanted, sizeof wanted, "clump %s", (*c)->name);
        if (is_marked(title, '#', wanted)) return *c;
    }
    return NULL;
}

/* Whether every section and every note is about a command and an option that there are. Says which is not. */
static bool is_right(const manual *page, const char *path)
{
    bool shared = false;
    const cli_command *command = NULL;
    for (const char *line = next_title(page->prose); *line; line = next_line(line)) {
        const char *const name = line + 2;
        const size_t length = strcspn(line, "\n") > 2 ? strcspn(name, "\n") : 0;
        if (is_mark(line, '#')) {
            command = command_of(line);
            shared = is_marked(line, '#', manual_shared_title);
            if (!command && strncmp(name, "clump ", 6) == 0)
                return cli_fail("%s: no command '%.*s'", path, (int)length, name), false;
        } else if (is_mark(line, '+')) {
            if (command && !find_option(command, name, length))
                return cli_fail("%s: %s has no option '%.*s'", path, command->name, (int)length, name), false;
            if (shared && !find_shared(page, name, length))
                return cli_fail("%s: fewer than %d commands have '%.*s'", path, MANUAL_SHARED, (int)length, name),
                       false;
        }
    }
    return true;
}

int cli_print_manual(FILE *to, const char *path)
{
    char *const prose = read_prose(path);
    if (!prose) return CLI_FAILED;
    manual page = {.to = to, .prose = prose};
    collect_shared(&page);
    if (!is_right(&page, path)) return free(prose), CLI_FAILED;
    fputs(".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
          ".TH CLUMP 1 \"\" \"clump\" \"User commands\"\n"
          ".nh\n" /* names of keys and methods are not hyphenated */
          ".ad l\n",
          to);
    bool commands = false; /* printed, where the prose has the first of them */
    for (const char *title = next_title(prose); *title; title = next_title(next_line(title))) {
        if (is_marked(title, '#', "SYNOPSIS")) {
            put_synopsis(to, title);
        } else if (command_of(title) || is_marked(title, '#', manual_shared_title)) {
            if (!commands) put_commands(&page);
            commands = true;
        } else {
            put_section(to, title);
        }
    }
    if (!commands) put_commands(&page);
    free(prose);
    return CLI_DONE;
}
