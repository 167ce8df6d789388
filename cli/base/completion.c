/* SPDX-License-Identifier: BSD-3-Clause
 *
 * completion.c: `clump --completion SHELL` prints the completion script of a shell, made from the
 * tables of commands and options. The build keeps this output in files, which are installed.
 */
#include "base/cli.h"

#include <string.h>

static const cli_option help_row = {.kind = CLI_SWITCH, .letter = 'h', .name = "help", .help = "how to use it"};

/* Returns the option after `o` (null: the first), without headings; --help is the last. Null: no more. */
static const cli_option *next_option(const cli_command *command, const cli_option *o)
{
    if (o == &help_row) return NULL;
    for (o = o ? o + 1 : cli_options(command); o->help; o++) {
        if (o->name) return o;
    }
    return &help_row;
}

static void put_choices(FILE *to, const cli_option *option, const char *between)
{
    for (int i = 0; option->choices(i); i++) fprintf(to, "%s%s", i ? between : "", option->choices(i));
}

/* Writes the name of a command as one word: "gen_factors". */
static void put_joined(FILE *to, const char *name)
{
    for (; *name; name++) fputc(*name == ' ' ? '_' : *name, to);
}

/* Writes the first words of all commands, each once. */
static void put_first_words(FILE *to)
{
    const char *last = "";
    size_t last_length = 0;
    for (const cli_command *const *c = cli_commands; *c; c++) {
        const char *name = (*c)->name;
        const size_t length = strcspn(name, " ");
        if (length == last_length && strncmp(name, last, length) == 0) continue;
        fprintf(to, "%.*s ", (int)length, name);
        last = name, last_length = length;
    }
    fputs("help", to);
}

/* Writes for each first word that needs a second one: `before`, in which it replaces '@', the second words, `after`.
 * Commands that share a first word are adjacent in the table. */
static void put_second_words(FILE *to, const char *before, const char *after)
{
    for (const cli_command *const *c = cli_commands; *c; c++) {
        const char *name = (*c)->name, *space = strchr(name, ' ');
        const size_t length = space ? (size_t)(space - name) + 1 : 0;
        if (!space || (c > cli_commands && strncmp(name, c[-1]->name, length) == 0)) continue;
        for (const char *b = before; *b; b++) {
            if (*b == '@')
                fprintf(to, "%.*s", (int)length - 1, name);
            else
                fputc(*b, to);
        }
        for (const cli_command *const *k = c; *k && strncmp((*k)->name, name, length) == 0; k++)
            fprintf(to, "%s%s", k == c ? "" : " ", (*k)->name + length);
        fputs(after, to);
    }
}

/* --- bash ------------------------------------------------------------------------------------------- */

/* What follows an option that takes a value: files, words to choose from, or nothing. */
static void put_bash_values(FILE *to)
{
    for (const cli_command *const *all = cli_commands, *c; (c = *all); all++) {
        for (const cli_option *o = next_option(c, NULL); o; o = next_option(c, o)) {
            if (o->kind == CLI_SWITCH) continue;
            fputs("    ", to);
            put_joined(to, c->name);
            fprintf(to, ":--%s", o->name);
            if (o->letter) fputs(" | ", to), put_joined(to, c->name), fprintf(to, ":-%c", o->letter);
            if (o->kind == CLI_FILE) {
                fputs(") mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n", to);
            } else {
                fputs(") mapfile -t COMPREPLY < <(compgen -W '", to);
                if (o->choices) put_choices(to, o, " ");
                fputs("' -- \"$cur\"); return ;;\n", to);
            }
        }
    }
}

/* The options of each command. */
static void put_bash_options(FILE *to)
{
    for (const cli_command *const *all = cli_commands, *c; (c = *all); all++) {
        fputs("    ", to);
        put_joined(to, c->name);
        fputs(") words='", to);
        for (const cli_option *o = next_option(c, NULL); o; o = next_option(c, o))
            fprintf(to, "%s--%s", o == next_option(c, NULL) ? "" : " ", o->name);
        fputs("' ;;\n", to);
    }
}

static void put_bash(FILE *to)
{
    fputs("# bash completion for clump\n"
          "_clump()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= command=${COMP_WORDS[1]}\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        mapfile -t COMPREPLY < <(compgen -W '",
          to);
    put_first_words(to);
    fputs(" --help --version' -- \"$cur\")\n"
          "        return\n"
          "    fi\n"
          "    case $command in\n",
          to);
    put_second_words(to, "    @)\n        words='",
                     "'\n"
                     "        if ((COMP_CWORD == 2)); then\n"
                     "            mapfile -t COMPREPLY < <(compgen -W \"$words --help\" -- \"$cur\")\n"
                     "            return\n"
                     "        fi\n"
                     "        command+=_${COMP_WORDS[2]} ;;\n");
    fputs("    esac\n"
          "    case $command:$prev in\n",
          to);
    put_bash_values(to);
    fputs("    esac\n"
          "    case $command in\n",
          to);
    put_bash_options(to);
    fputs("    help) words='", to);
    put_first_words(to);
    fputs("' ;;\n"
          "    esac\n"
          "    if [[ $cur == -* || $command == help ]]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
          "    else\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _clump clump\n",
          to);
}

/* --- zsh -------------------------------------------------------------------------------------------- */

/* The first clause of a help text inside '...[...]': quotes and brackets would end them. */
static void put_zsh_text(FILE *to, const char *help)
{
    char expanded[CLI_HELP_SIZE];
    cli_expand(expanded, help);
    for (const char *text = expanded, *const end = text + cli_clause_length(text); text < end; text++) {
        if (*text == '\'')
            fputs("'\\''", to);
        else if (*text == '[' || *text == ']')
            fprintf(to, "\\%c", *text);
        else
            fputc(*text, to);
    }
}

static void put_zsh_option(FILE *to, const cli_option *o)
{
    fputs(" \\\n        ", to);
    if (o->letter)
        fprintf(to, "'(-%c --%s)'{-%c,--%s}'", o->letter, o->name, o->letter, o->name);
    else
        fprintf(to, "'--%s", o->name);
    fputc('[', to);
    put_zsh_text(to, o->help);
    fputc(']', to);
    if (o->kind == CLI_FILE)
        fprintf(to, ":%s:_files", o->argument);
    else if (o->kind != CLI_SWITCH) {
        fprintf(to, ":%s:", o->argument);
        if (o->choices)
            fputc('(', to), put_choices(to, o, " "), fputc(')', to);
        else
            fputc(' ', to);
    }
    fputc('\'', to);
}

static void put_zsh(FILE *to)
{
    fputs("#compdef clump\n"
          "# zsh completion for clump\n"
          "_clump() {\n"
          "    if ((CURRENT == 2)); then\n"
          "        compadd -- ",
          to);
    put_first_words(to);
    fputs(" --help --version\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    case $command in\n",
          to);
    put_second_words(to, "    @)\n        if ((CURRENT == 3)); then\n            compadd -- ",
                     " --help\n"
                     "            return\n"
                     "        fi\n"
                     "        command+=_$words[3]\n"
                     "        shift words\n"
                     "        ((CURRENT--)) ;;\n");
    fputs("    help)\n        compadd -- ", to);
    put_first_words(to);
    fputs("\n        return ;;\n"
          "    esac\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $command in\n",
          to);
    for (const cli_command *const *all = cli_commands, *c; (c = *all); all++) {
        fputs("    ", to);
        put_joined(to, c->name);
        fputs(") _arguments", to);
        for (const cli_option *o = next_option(c, NULL); o; o = next_option(c, o)) put_zsh_option(to, o);
        fputs(c->operands[0] ? " '*:file:_files' ;;\n" : " ;;\n", to);
    }
    fputs("    esac\n"
          "}\n"
          "_clump \"$@\"\n",
          to);
}

/* --- fish ------------------------------------------------------------------------------------------- */

static void put_fish(FILE *to)
{
    fputs("# fish completion for clump\n"
          "complete -c clump -n __fish_use_subcommand -f -a '",
          to);
    put_first_words(to);
    fputs("'\ncomplete -c clump -n __fish_use_subcommand -l help -d 'how to use it'\n"
          "complete -c clump -n __fish_use_subcommand -l version -d 'the version'\n",
          to);
    put_second_words(to, "complete -c clump -n '__fish_seen_subcommand_from @' -a '", "'\n");
    for (const cli_command *const *all = cli_commands, *c; (c = *all); all++) {
        const char *space = strchr(c->name, ' '), *word = space ? space + 1 : c->name;
        for (const cli_option *o = next_option(c, NULL); o; o = next_option(c, o)) {
            fprintf(to, "complete -c clump -n '__fish_seen_subcommand_from %s' -l %s", word, o->name);
            if (o->letter) fprintf(to, " -s %c", o->letter);
            if (o->kind == CLI_FILE)
                fputs(" -r", to);
            else if (o->kind != CLI_SWITCH)
                fputs(" -x", to);
            if (o->choices) fputs(" -a '", to), put_choices(to, o, " "), fputc('\'', to);
            fputs(" -d '", to);
            char help[CLI_HELP_SIZE];
            cli_expand(help, o->help);
            for (const char *t = help, *const end = t + cli_clause_length(t); t < end; t++) {
                if (*t == '\'') fputc('\\', to);
                fputc(*t, to);
            }
            fputs("'\n", to);
        }
    }
}

bool cli_print_completion(FILE *to, const char *shell)
{
    if (strcmp(shell, "bash") == 0) return put_bash(to), true;
    if (strcmp(shell, "zsh") == 0) return put_zsh(to), true;
    if (strcmp(shell, "fish") == 0) return put_fish(to), true;
    return false;
}
