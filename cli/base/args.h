/* SPDX-License-Identifier: BSD-3-Clause
 *
 * args.h: the option parser. A command declares a struct with its settings and a table of options
 * that says where in the struct each value goes:
 *
 *     typedef struct settings { float distance; bool json; } settings;
 *     static const cli_option option_rows[] = {
 *         CLI_OPTION(CLI_RADIUS, 'd', "distance", "R", offsetof(settings, distance), .help = "..."),
 *         CLI_HEADING("Output"),
 *         CLI_OPTION(CLI_SWITCH, 0, "json", NULL, offsetof(settings, json), .help = "..."),
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
    CLI_SIZE,     /* size_t in bytes, above 0: "8G", "512M", "64K" in powers of 1024, or a whole number */
    CLI_NUMBER,   /* double, not NaN, at least 0 */
    CLI_RADIUS,   /* float > 0 with a square that is a normal float32 */
    CLI_LENGTHS,  /* float[2], "x" or "x,y", each as CLI_RADIUS; the second stays 0 where one is given */
    CLI_FACTOR,   /* float, at least 0, with a square that is a float32 */
    CLI_FACTORS,  /* cli_factors, "f,f,...", up to CLI_FACTORS_MOST, each as CLI_RADIUS */
    CLI_SIZES,    /* cli_sizes, "l,w,h", each as CLI_RADIUS; every use of the option adds one, up to CLI_SIZES_MOST */
    CLI_TRIPLE,   /* double[3], "x,y,z", finite */
    CLI_INTERVALS /* double[6], three pairs lower,upper; may be infinite */
} cli_kind;

enum { CLI_FACTORS_MOST = 4, CLI_SIZES_MOST = 8 };

typedef struct cli_factors {
    size_t count; /* 0: not given */
    float values[CLI_FACTORS_MOST];
} cli_factors;

typedef struct cli_sizes {
    size_t count; /* 0: not given */
    float values[CLI_SIZES_MOST][3];
} cli_sizes;

typedef struct cli_option {
    cli_kind kind;
    char letter;                 /* 'd', or 0 */
    const char *name;            /* "distance"; null makes the row a heading */
    const char *argument;        /* "R", as shown in the help */
    size_t target;               /* offset in the settings */
    size_t least, most;          /* CLI_COUNT; most 0 = no bound */
    const char *(*choices)(int); /* the index-th word, null past the end; for CLI_TEXT they are hints */
    const char *noun;            /* what a choice is, for messages; null: the name says it */
    const char *help;            /* unit and default included; see CLI_MORE_FIELDS in cli.h */
    bool matters;                /* -h lists the option, too */
} cli_option;

/* A row of a table: the first five members in their order, then the others by name. */
#define CLI_OPTION(...)                                                                                                \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define CLI_HEADING(text)                                                                                              \
    {                                                                                                                  \
        .help = (text)                                                                                                 \
    }

/* Initial value of a CLI_COUNT whose default depends on other options. */
#define CLI_UNSET ((size_t)-1)

/* Fills settings and operands, and returns CLI_DONE. Else returns CLI_USAGE and has said what is wrong, or
 * CLI_HELPED and has printed the help. argv[0] is the first word after the command's name. operands gets one entry
 * per operand of the command. An option may come before, between or after them, and "--" ends the options. */
int cli_parse(const struct cli_command *command, int argc, char **argv, void *settings, const char **operands);

/* Likewise, for a command with one or more operands of a kind ("REC..."). operands has room for argc entries; *count
 * gets their number. */
int cli_parse_many(const struct cli_command *command, int argc, char **argv, void *settings, const char **operands,
                   size_t *count);

#endif
