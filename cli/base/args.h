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
#include <stdint.h>

struct cli_command;

typedef enum cli_kind {
    CLI_SWITCH,   /* bool; takes no argument */
    CLI_TEXT,     /* const char * */
    CLI_FILE,     /* const char *, a file name; differs from text in completion only */
    CLI_CHOICE,   /* const char *, the spelling in choices */
    CLI_COUNT,    /* size_t, least ... most */
    CLI_SIZE,     /* size_t in bytes, above 0: "8G", "512M", "64K" in powers of 1024, or a whole number */
    CLI_INT,      /* int, least ... most */
    CLI_ENUM,     /* an enum: the position of the word in choices */
    CLI_NUMBER,   /* double, not NaN, at least 0 */
    CLI_FLOAT,    /* float, likewise */
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
    const char *of;              /* null, or the clusterings that have the option, of a command with several */
    unsigned not_with;           /* ways of a command that the option does not go with: cli_way */

    /* A row that stands for rows of a table of the library (clump/options.h); target is the struct. */
    const char *library;        /* "ground"; null: a row of its own */
    const char *only, *without; /* null, or names of rows, with blanks between */
    const char *usual, *what;   /* what replaces {} and {what} in the help; usual null: the default of the row */
} cli_option;

/* Ways of a command. */
enum cli_way {
    CLI_WAY_EACH = 1,   /* --each */
    CLI_WAY_BIG = 2,    /* --ram, several files */
    CLI_WAY_FRAMES = 4, /* as the job of another command, on each frame */
    CLI_WAY_INNER = 8   /* likewise; the option belongs to that command */
};

/* A row of a table: the first five members in their order, then the others by name. */
#define CLI_OPTION(...)                                                                                                \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define CLI_ROWS(table, place, ...)                                                                                    \
    {                                                                                                                  \
        .library = (table), .target = (place), __VA_ARGS__                                                             \
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

/* Likewise, and notes which options were given. */
typedef struct cli_given {
    uint64_t bits[2];
} cli_given;
int cli_parse_noting(const struct cli_command *command, int argc, char **argv, void *settings, const char **operands,
                     size_t *count, cli_given *given);

/* --- rows.c ----------------------------------------------------------------------------------------- */

/* Whether a list of words with blanks between them has the word. list may be null. */
bool cli_has_word(const char *list, const char *word);

/* Returns the options of a command, rows of the library's tables included; ends with a zeroed row. */
const cli_option *cli_options(const struct cli_command *command);

void cli_note_given(const struct cli_command *command, const cli_option *option, cli_given *given);

/* Whether the option was given that goes to this place in the settings. */
bool cli_was_given(const struct cli_command *command, const cli_given *given, const void *settings, const void *place);

/* Returns the name of the first option that was given and goes to these `size` bytes of the settings; null: none. without:
 * names that do not count, with blanks between. */
const char *cli_given_within(const struct cli_command *command, const cli_given *given, const void *settings,
                             const void *place, size_t size, const char *without);

/* Returns the name of an option that was given and is `of` other clusterings, *owner; null: none. */
const char *cli_given_of_others(const struct cli_command *command, const cli_given *given, const char *of,
                                const char **owner);

/* Returns an option that was given, with another value than in `defaults`, and that does not go with the way, as it is
 * spelled; null: none. */
enum { CLI_SPELLING = 40 };
const char *cli_given_not_with(const struct cli_command *command, const cli_given *given, unsigned way,
                               const void *settings, const void *defaults, char spelling[CLI_SPELLING]);

#endif
