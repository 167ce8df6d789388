/* SPDX-License-Identifier: BSD-3-Clause
 *
 * args.h: the option parser. A command declares a struct with its settings and a table of options
 * that says where in the struct each value goes:
 *
 *     typedef struct settings { float distance; bool json; } settings;
 *     const cli_option options[] = {
 *         {.kind = CLI_RADIUS, .letter = 'd', .name = "distance", .argument = "R",
 *          .target = offsetof(settings, distance), .help = "..."},
 *         {.name = NULL, .help = "Output:"},                                 // a heading
 *         {.kind = CLI_SWITCH, .name = "json", .target = offsetof(settings, json), .help = "..."},
 *         {0}};
 */
#ifndef CLUMP_CLI_ARGS_H
#define CLUMP_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>

struct cli_command;

typedef enum cli_kind {
    CLI_SWITCH,   /* bool; takes no argument */
    CLI_TEXT,     /* const char * */
    CLI_FILE,     /* const char *, a file name; differs from text in completion only */
    CLI_CHOICE,   /* const char *, the spelling in choices */
    CLI_COUNT,    /* size_t, least ... most */
    CLI_NUMBER,   /* double, not NaN, at least 0 */
    CLI_RADIUS,   /* float > 0 with a square that is a normal float32 */
    CLI_FACTOR,   /* float, at least 0, with a square that is a float32 */
    CLI_TRIPLE,   /* double[3], "x,y,z", finite */
    CLI_INTERVALS /* double[6], three pairs lower,upper; may be infinite */
} cli_kind;

typedef struct cli_option {
    cli_kind kind;
    char letter;                 /* 'd', or 0 */
    const char *name;            /* "distance"; null makes the row a heading */
    const char *argument;        /* "R", as shown in the help */
    size_t target;               /* offset in the settings */
    size_t least, most;          /* CLI_COUNT; most 0 = no bound */
    const char *(*choices)(int); /* the index-th word, null past the end; CLI_TEXT may have them as hints */
    const char *help;            /* unit and default included */
} cli_option;

/* Initial value of a CLI_COUNT whose default depends on other options. */
#define CLI_UNSET ((size_t)-1)

typedef enum cli_parsed {
    CLI_PARSED_RUN,  /* settings and operands are filled */
    CLI_PARSED_HELP, /* --help was given and has been printed */
    CLI_PARSED_WRONG /* wrong usage, and the sentence has been printed */
} cli_parsed;

/* argv[0] is the first word after the command's name. operands gets as many entries as the command
 * has; an option may come before, between or after them, and "--" ends the options. */
cli_parsed cli_parse(const struct cli_command *command, int argc, char **argv, void *settings, const char **operands);

/* What a command does with anything but CLI_PARSED_RUN. */
#define CLI_EXIT_STATUS(parsed) ((parsed) == CLI_PARSED_HELP ? CLI_DONE : CLI_USAGE)

#endif
